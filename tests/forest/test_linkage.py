import functools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster import hierarchy
from scipy.sparse import csgraph
from scipy.spatial.distance import squareform

import boruvka
from boruvka import Graph, GraphError, OptionError
from boruvka.forest import linkage, path_maxima

TYPES = [np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble]
INFINITY = float("inf")

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


def complete(n, seed, distinct=True):
    """Distances between all pairs, as SciPy lists them and as a graph."""
    rng = np.random.default_rng(seed)
    pairs = n * (n - 1) // 2
    distances = rng.permutation(pairs) + 1.5 if distinct else rng.integers(0, 4, pairs).astype(float)
    u, v = np.triu_indices(n, 1)
    return distances, Graph(n, u, v, distances)


def numbered(labels):
    """Number clusters in the order of their first members."""
    first = {}
    return [first.setdefault(label, len(first)) for label in np.asarray(labels).tolist()]


def connected(n, u, v):
    a = sparse.coo_array((np.ones(len(u)), (u, v)), shape=(n, n))
    return numbered(csgraph.connected_components(a, directed=False)[1])


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 9))
    dtype = np.dtype(draw(st.sampled_from(TYPES)))
    low = 0 if dtype.kind == "u" else -3
    edge = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(low, 4))
    u, v, w = np.array(draw(st.lists(edge, max_size=24)), np.int64).reshape(-1, 3).T
    return Graph(n, u, v, w.astype(dtype))


@pytest.mark.parametrize("n", [2, 3, 10, 40])
@pytest.mark.parametrize("seed", range(3))
def test_linkage_is_that_of_scipy(n, seed):
    distances, graph = complete(n, seed)
    ours = minimum_spanning_forest(graph).linkage()
    assert ours.dtype == np.float64
    assert hierarchy.is_valid_linkage(ours, throw=True)
    np.testing.assert_array_equal(ours, hierarchy.linkage(distances, "single"))


@pytest.mark.parametrize("n", [2, 5, 30])
@pytest.mark.parametrize("seed", range(3))
def test_linkage_with_ties_has_the_heights_of_scipy(n, seed):
    distances, graph = complete(n, seed, distinct=False)
    ours = minimum_spanning_forest(graph).linkage()
    assert hierarchy.is_valid_linkage(ours, throw=True)
    assert ours[-1, 3] == n
    theirs = hierarchy.linkage(distances, "single")
    np.testing.assert_array_equal(hierarchy.cophenet(ours), hierarchy.cophenet(theirs))


def test_of_equal_weights_the_smaller_index_merges_first():
    forest = minimum_spanning_forest(([2, 0, 1], [3, 1, 2], [7, 7, 7]))
    assert forest.linkage().tolist() == [[2, 3, 7, 2], [0, 1, 7, 2], [4, 5, 7, 4]]
    assert forest.cut(2).tolist() == [0, 0, 1, 1]


def test_linkage_of_a_sparse_graph_has_the_heights_of_the_lightest_paths():
    n = 30
    rng = np.random.default_rng(3)
    u, v = np.r_[rng.integers(0, n, 60), np.arange(n - 1)], np.r_[rng.integers(0, n, 60), np.arange(1, n)]
    w = rng.permutation(u.size) + 1
    path = np.full((n, n), np.inf)
    np.minimum.at(path, (np.r_[u, v], np.r_[v, u]), np.r_[w, w])
    for middle in range(n):
        path = np.minimum(path, np.maximum(path[:, [middle]], path[[middle], :]))
    np.fill_diagonal(path, 0)
    Z = minimum_spanning_forest((u, v, w)).linkage()
    np.testing.assert_array_equal(squareform(hierarchy.cophenet(Z)), path)


@pytest.mark.parametrize("order", ["chain", "star", "balanced"])
def test_linkage_of_many_vertices(order):
    n = 1 << 12
    child = np.arange(1, n)
    other = {"chain": child - 1, "star": 0 * child, "balanced": child & (child - 1)}[order]
    w = child if order != "balanced" else (child & -child).astype(np.uint32)
    Z = minimum_spanning_forest((other, child, w)).linkage()
    assert hierarchy.is_valid_linkage(Z, throw=True)
    assert Z[-1, 3] == n
    np.testing.assert_array_equal(Z[:, 2], np.sort(w))


def test_linkage_in_parts_on_two_threads(monkeypatch):
    distances, graph = complete(40, 5)
    monkeypatch.setattr(path_maxima, "UNIONS_AT_ONCE", 3)
    monkeypatch.setattr(linkage, "UNIONS_AT_ONCE", 3)
    monkeypatch.setattr(linkage, "processors", lambda: 2)
    ours = minimum_spanning_forest(graph).linkage()
    np.testing.assert_array_equal(ours, hierarchy.linkage(distances, "single"))


def test_linkage_of_one_vertex():
    assert minimum_spanning_forest(Graph(1, [], [], [])).linkage().shape == (0, 4)


@pytest.mark.parametrize("dtype", TYPES)
def test_linkage_of_every_type(dtype):
    w = np.array([3, 0, 2], dtype)
    Z = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], w)).linkage()
    assert Z.tolist() == [[1, 2, 0, 2], [3, 4, 2, 3], [0, 5, 3, 4]]


def test_heights_are_rounded_but_merges_are_not():
    w = np.array([2**60 + 1, 2**60], np.int64)
    Z = minimum_spanning_forest(([0, 1], [1, 2], w)).linkage()
    assert Z.tolist() == [[1, 2, 2.0**60, 2], [0, 3, 2.0**60, 3]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        huge = np.array([np.finfo(np.longdouble).max, 1])
        Z = minimum_spanning_forest(([0, 1], [1, 2], huge)).linkage()
    assert Z[:, 2].tolist() == [1, float(huge[0])]


def test_what_has_no_linkage_matrix():
    with pytest.raises(GraphError, match=r"needs one component, this forest has 2; connect .* cut or cut_at"):
        minimum_spanning_forest(Graph(3, [0], [1], [5])).linkage()
    with pytest.raises(GraphError, match=r"needs one component, this forest has 0"):
        minimum_spanning_forest(Graph(0, [], [], [])).linkage()
    with pytest.raises(GraphError, match=r"a maximum spanning forest has no linkage matrix"):
        minimum_spanning_forest(Graph(2, [0], [1], [5]), maximum=True).linkage()
    cycle = boruvka.Forest(Graph(4, [0, 1, 2], [1, 2, 0], [3, 9, 5]), np.arange(3))
    with pytest.raises(GraphError, match="edge 1 of the forest closes a cycle"):
        cycle.linkage()
    with pytest.raises(GraphError, match=r"edge 1 \(1, 2\) has the weight -2"):
        minimum_spanning_forest(([0, 1], [1, 2], [-1, -2])).linkage()
    with pytest.raises(GraphError, match=r"edge 1 \('b', 'c'\) has the weight -2"):
        minimum_spanning_forest([("a", "b", -1), ("b", "c", -2)]).linkage()


@pytest.mark.parametrize("n", [2, 15])
def test_cuts_are_those_of_scipy(n):
    distances, graph = complete(n, seed=n)
    forest = minimum_spanning_forest(graph)
    Z = hierarchy.linkage(distances, "single")
    for k in range(1, n + 1):
        labels = forest.cut(k)
        assert labels.dtype == np.int64
        assert labels.tolist() == numbered(hierarchy.fcluster(Z, k, "maxclust"))
    for height in [0, *Z[:, 2], *(Z[:, 2] + 0.25)]:
        assert forest.cut_at(height).tolist() == numbered(hierarchy.fcluster(Z, height, "distance"))


@given(graphs(), st.booleans(), st.data())
@settings(deadline=None, max_examples=15)
def test_a_cut_leaves_out_the_last_edges(graph, maximum, data):
    forest = minimum_spanning_forest(graph, maximum=maximum)
    k = data.draw(st.integers(forest.n_components, graph.n))
    sign = -1 if maximum else 1
    order = sorted(range(len(forest)), key=lambda i: (sign * float(forest.w[i]), forest.edges[i]))
    kept = order[: graph.n - k]
    labels = forest.cut(k)
    assert labels.tolist() == connected(graph.n, forest.u[kept], forest.v[kept])
    assert labels.max() + 1 == k


@given(graphs(), st.booleans(), st.sampled_from([-INFINITY, -4, -1, 0, 0.5, 1, 2.0, 5, INFINITY]))
@settings(deadline=None, max_examples=15)
def test_a_cut_at_a_height_gives_the_components_of_the_graph_up_to_there(graph, maximum, height):
    labels = minimum_spanning_forest(graph, maximum=maximum).cut_at(height)
    w = graph.w.astype(float)
    kept = w >= height if maximum else w <= height
    assert labels.dtype == np.int64
    assert labels.tolist() == connected(graph.n, graph.u[kept], graph.v[kept])


def test_cutting_at_the_ends_of_the_range():
    forest = minimum_spanning_forest(Graph(4, [0, 1], [1, 2], [5, 2]))
    assert forest.cut(2).tolist() == forest.labels.tolist() == [0, 0, 0, 1]
    assert forest.cut(np.int8(4)).tolist() == [0, 1, 2, 3]
    empty = minimum_spanning_forest(Graph(0, [], [], []))
    assert empty.cut(0).tolist() == empty.cut_at(1).tolist() == []


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize(
    ("base", "dtype"),
    [(2**60, np.int64), (-(2**63), np.int64), (2**63 - 3, np.int64), (2**64 - 3, np.uint64)],
)
def test_integers_are_compared_exactly(base, dtype, maximum):
    w = np.array([base + 1, base, base + 2], dtype)
    forest = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], w), maximum=maximum)
    first, second = ([0, 1, 2, 2], [0, 0, 1, 1]) if maximum else ([0, 1, 1, 2], [0, 0, 0, 1])
    extreme = base + 2 if maximum else base
    assert forest.cut(3).tolist() == forest.cut_at(extreme).tolist() == first
    assert forest.cut(2).tolist() == forest.cut_at(base + 1).tolist() == second
    assert forest.cut_at(dtype(base + 1)).tolist() == second
    beyond = extreme + 1 if maximum else extreme - 1
    assert forest.cut_at(beyond).tolist() == [0, 1, 2, 3]
    assert forest.cut_at(-(10**400) if maximum else 10**400).tolist() == [0, 0, 0, 0]


def test_a_height_between_integers_that_no_float64_tells_apart():
    forest = minimum_spanning_forest(([0, 1], [1, 2], np.array([2**60, 2**60 + 1])))
    assert forest.cut_at(float(2**60)).tolist() == [0, 0, 1]
    forest = minimum_spanning_forest(([0, 1], [1, 2], np.array([2.0**60, 2.0**60 + 256])))
    assert forest.cut_at(2**60 + 255).tolist() == [0, 0, 1]


def test_floats_are_compared_exactly():
    forest = minimum_spanning_forest(([0], [1], np.array([0.1], np.float32)))
    assert forest.cut_at(0.1).tolist() == [0, 1]
    assert forest.cut_at(np.float32(0.1)).tolist() == [0, 0]
    more = np.nextafter(np.longdouble(1), 2)
    forest = minimum_spanning_forest(([0, 1], [1, 2], np.array([1, more])))
    assert forest.cut(2).tolist() == [0, 0, 1]
    assert forest.cut_at(more).tolist() == [0, 0, 0]
    if more != float(more):
        assert forest.cut_at(1).tolist() == [0, 0, 1]


def test_infinite_weights():
    forest = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [INFINITY, -INFINITY, 1e308]))
    assert forest.cut_at(-INFINITY).tolist() == [0, 1, 1, 2]
    assert forest.cut_at(10**400).tolist() == [0, 1, 1, 1]
    assert forest.cut_at(INFINITY).tolist() == [0, 0, 0, 0]
    assert forest.cut(2).tolist() == [0, 1, 1, 1]


FOREST = minimum_spanning_forest(Graph(4, [0, 1], [1, 2], [5, 2]))


@pytest.mark.parametrize("k", [-1, 0, 1, 5, 2**70])
def test_there_are_not_so_many_clusters(k):
    with pytest.raises(OptionError, match=rf"the 2 components of the forest and its 4 vertices, got {k}"):
        FOREST.cut(k)


@pytest.mark.parametrize("k", [2.0, "2", None])
def test_a_number_of_clusters_is_an_integer(k):
    with pytest.raises(OptionError, match="k must be an integer, got"):
        FOREST.cut(k)


@pytest.mark.parametrize(
    "height", [float("nan"), np.float32("nan"), np.longdouble("nan"), "2", None, 1j, [1]]
)
def test_a_height_is_a_number(height):
    with pytest.raises(OptionError, match="height must be a number, got"):
        FOREST.cut_at(height)
