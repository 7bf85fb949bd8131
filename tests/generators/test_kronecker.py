import numpy as np
from scipy import stats

from boruvka.generators import kronecker, rmat
from boruvka.generators.kronecker import INITIATOR


def test_kronecker_is_rmat_relabelled_and_shuffled():
    plain = rmat(8, 8 * 256, **INITIATOR, seed=5)
    graph = kronecker(8, 8, seed=5)
    assert (graph.n, graph.m) == (256, 2048)
    np.testing.assert_array_equal(
        np.sort(np.bincount(np.append(graph.u, graph.v), minlength=256)),
        np.sort(np.bincount(np.append(plain.u, plain.v), minlength=256)),
    )
    assert (graph.u == graph.v).sum() == (plain.u == plain.v).sum()
    assert np.argmax(np.bincount(plain.u)) == 0


def test_labels_of_kronecker_say_nothing_about_degrees():
    graph = kronecker(12, 16, seed=0)
    degrees = np.bincount(graph.u, minlength=4096)
    ones = np.bitwise_count(np.arange(4096))
    assert abs(stats.spearmanr(degrees, ones).statistic) < 5 / 64


def test_edges_of_kronecker_are_in_no_order():
    graph = kronecker(12, 16, seed=0)
    assert abs(np.corrcoef(graph.u[1:].astype(float), graph.u[:-1])[0, 1]) < 5 / 256


def test_one_vertex():
    graph = kronecker(0, 3)
    assert (graph.n, graph.m) == (1, 3)
    assert not graph.u.any()
    assert not graph.v.any()


def test_the_initiator_is_that_of_graph500():
    assert INITIATOR == {"a": 0.57, "b": 0.19, "c": 0.19, "d": 0.05}
