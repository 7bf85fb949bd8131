import functools
import warnings

import numpy as np
import pytest
from scipy.cluster import hierarchy

import boruvka
from boruvka import Graph, GraphError
from boruvka.trees import path_maxima
from boruvka.trees.queries import linkage

TYPES = [np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble]

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


def complete(n, seed, distinct=True):
    """Draw distances between all pairs, as SciPy lists them and as a graph."""
    rng = np.random.default_rng(seed)
    pairs = n * (n - 1) // 2
    distances = rng.permutation(pairs) + 1.5 if distinct else rng.integers(0, 4, pairs).astype(float)
    u, v = np.triu_indices(n, 1)
    return distances, Graph(n, u, v, distances)


@pytest.mark.parametrize("distinct", [True, False])
@pytest.mark.parametrize("n", [2, 3, 10, 40])
@pytest.mark.parametrize("seed", range(2))
def test_linkage_is_that_of_scipy(n, seed, distinct):
    distances, graph = complete(n, seed, distinct)
    ours, theirs = minimum_spanning_forest(graph).linkage(), hierarchy.linkage(distances, "single")
    assert ours.dtype == np.float64
    assert ours[-1, 3] == n
    assert hierarchy.is_valid_linkage(ours, throw=True)
    if distinct:
        np.testing.assert_array_equal(ours, theirs)
    else:  # SciPy breaks ties otherwise
        np.testing.assert_array_equal(hierarchy.cophenet(ours), hierarchy.cophenet(theirs))


def test_of_equal_weights_the_smaller_index_merges_first():
    forest = minimum_spanning_forest(([2, 0, 1], [3, 1, 2], [7, 7, 7]))
    assert forest.linkage().tolist() == [[2, 3, 7, 2], [0, 1, 7, 2], [4, 5, 7, 4]]
    assert forest.cut(2).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("order", ["chain", "star", "balanced"])
def test_linkage_of_many_vertices(order):
    n = 1 << 12
    child = np.arange(1, n)
    other = {"chain": child - 1, "star": 0 * child, "balanced": child & (child - 1)}[order]
    w = child if order != "balanced" else (child & -child).astype(np.uint32)
    tree = minimum_spanning_forest((other, child, w)).linkage()
    assert hierarchy.is_valid_linkage(tree, throw=True)
    assert tree[-1, 3] == n
    np.testing.assert_array_equal(tree[:, 2], np.sort(w))


def test_linkage_in_parts_on_two_threads(monkeypatch):
    distances, graph = complete(40, 5)
    monkeypatch.setattr(path_maxima, "UNIONS_AT_ONCE", 3)
    monkeypatch.setattr(linkage, "UNIONS_AT_ONCE", 3)
    monkeypatch.setattr(linkage, "processors", lambda: 2)
    ours = minimum_spanning_forest(graph).linkage()
    np.testing.assert_array_equal(ours, hierarchy.linkage(distances, "single"))


@pytest.mark.parametrize("dtype", TYPES)
def test_linkage_of_every_type(dtype):
    tree = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], np.array([3, 0, 2], dtype))).linkage()
    assert tree.tolist() == [[1, 2, 0, 2], [3, 4, 2, 3], [0, 5, 3, 4]]


def test_heights_are_rounded_but_merges_are_not():
    tree = minimum_spanning_forest(([0, 1], [1, 2], np.array([2**60 + 1, 2**60]))).linkage()
    assert tree.tolist() == [[1, 2, 2.0**60, 2], [0, 3, 2.0**60, 3]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        huge = np.array([np.finfo(np.longdouble).max, 1])
        tree = minimum_spanning_forest(([0, 1], [1, 2], huge)).linkage()
    assert tree[:, 2].tolist() == [1, float(huge[0])]


def test_linkage_of_one_vertex():
    assert minimum_spanning_forest(Graph(1, [], [], [])).linkage().shape == (0, 4)


@pytest.mark.parametrize(
    ("forest", "message"),
    [
        (Graph(3, [0], [1], [5]), "needs one component, this forest has 2; connect .* cut or cut_at"),
        (Graph(0, [], [], []), "needs one component, this forest has 0"),
        (([0, 1], [1, 2], [-1, -2]), r"edge 1 \(1, 2\) has the weight -2"),
        (([0, 1], [1, 2], [0.0, -5e-324]), r"edge 1 \(1, 2\) has the weight -5e-324"),
        ([("a", "b", -1), ("b", "c", -2)], r"edge 1 \('b', 'c'\) has the weight -2"),
        (
            boruvka.Forest(Graph(4, [0, 1, 2], [1, 2, 0], [3, 9, 5]), np.arange(3)),
            "edge 1 of the forest closes a cycle",
        ),
        (
            boruvka.Forest(Graph(2, [0], [1], [5]), np.arange(1), True),
            "a maximum spanning forest has no linkage",
        ),
    ],
)
def test_what_has_no_linkage_matrix(forest, message):
    forest = forest if isinstance(forest, boruvka.Forest) else minimum_spanning_forest(forest)
    with pytest.raises(GraphError, match=message):
        forest.linkage()
