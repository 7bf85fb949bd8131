import numpy as np
import pytest

from boruvka.generators import complete, path, random, star
from tests.statistics import has_shares


@pytest.mark.parametrize("n", [2, 3, 64, 65, 200])
@pytest.mark.parametrize(
    ("make", "ends"),
    [
        (complete, lambda n: np.triu_indices(n, 1)),
        (path, lambda n: (np.arange(n - 1), np.arange(1, n))),
        (star, lambda n: (np.zeros(n - 1), np.arange(1, n))),
    ],
)
def test_edges_in_their_order(make, ends, n):
    graph = make(n)
    assert graph.n == n
    np.testing.assert_array_equal((graph.u, graph.v), ends(n))


def test_all_pairs_are_equally_likely_and_none_is_a_loop():
    graph = random(12, 50_000, seed=1)
    cells = np.bincount(graph.u * 12 + graph.v, minlength=144).reshape(12, 12)
    assert not np.diag(cells).any()
    assert has_shares(cells[~np.eye(12, dtype=bool)])


def test_weights_say_nothing_about_the_ends():
    graph = random(16, 50_000, seed=2)
    cells = np.bincount(graph.u * 16 + (graph.w * 16).astype(np.uint32), minlength=256)
    assert has_shares(cells)


def test_two_vertices():
    graph = random(2, 100, seed=3)
    assert (graph.u != graph.v).all()
    assert 20 < graph.u.sum() < 80


def test_sizes():
    assert random(50).m == 450
    assert random(5, 0).m == 0
    graph = random(2**33, 1000)
    assert graph.u.dtype == np.uint64
    assert graph.u.max() > 2**32
