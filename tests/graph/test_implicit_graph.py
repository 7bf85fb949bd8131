"""Graphs without a list of edges: matrices, and points with a distance."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist, squareform

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError, minimum_spanning_forest, verify
from boruvka.graph import distances
from tests import oracles
from tests.strategies import WEIGHTS, values_of

ways = pytest.mark.parametrize(("backend", "threads"), [("interpreted", 1), ("threads", 1), ("threads", 3)])


@st.composite
def matrices(draw):
    """Draw a matrix of any type and layout, symmetric or not, and what is no edge in it."""
    n = draw(st.integers(0, 9))
    dtype = draw(st.sampled_from([dtype for dtype in WEIGHTS if dtype.itemsize <= 8]))
    a = draw(hnp.arrays(dtype, (n, n), elements=values_of(dtype), fill=st.nothing()))
    if draw(st.booleans()):
        a = np.minimum(a, a.T)
    a = draw(st.sampled_from([a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2], a[::-1, ::-1]]))
    absent = [0, None, *([np.inf, np.nan] if dtype.kind == "f" else [-1, 2**70, 0.5])]
    return a, draw(st.sampled_from(absent))


def pairs_of(a, absent):
    """List the edges of a matrix, one by one."""
    if absent is not None and math.isnan(absent):
        absent = None
    cells = [(i, j) for i in range(len(a)) for j in range(len(a)) if i != j]
    cells = [(i, j) for i, j in cells if absent is None or a[i, j] != absent]
    u, v = np.array(cells, np.int64).reshape(-1, 2).T
    return u, v, a[u, v]


@ways
@given(drawn=matrices(), maximum=st.booleans())
@pytest.mark.usefixtures("small_limits")
def test_a_matrix_is_the_list_of_its_entries(backend, threads, drawn, maximum):
    a, absent = drawn
    u, v, w = pairs_of(a, absent)
    graph = Graph.from_dense(a, absent=absent)
    assert graph.m == w.size
    forest = minimum_spanning_forest(graph, maximum=maximum, backend=backend, threads=threads)
    assert forest.algorithm == "dense"
    edges = oracles.kruskal(len(a), u, v, w, maximum)
    assert forest.edges.tolist() == edges
    for got, expected in ((forest.u, u), (forest.v, v), (forest.w, w)):
        np.testing.assert_array_equal(got, expected[edges])
    for got, expected in ((graph.u, u), (graph.v, v), (graph.w, w)):
        np.testing.assert_array_equal(got, expected)
    listed = minimum_spanning_forest(graph, maximum=maximum, algorithm="boruvka")
    assert listed.edges.tolist() == edges
    assert verify(graph, forest)


@pytest.mark.parametrize("n", [127, 128, 129, 300, 1000])
@pytest.mark.parametrize("symmetric", [True, False])
def test_many_tiles_agree_with_scipy(n, symmetric):
    random = np.random.default_rng(n)
    a = random.random((n, n))
    a = a + a.T if symmetric else a
    answers = [minimum_spanning_forest(a, threads=threads) for threads in (1, 2, 3)]
    for answer in answers[1:]:
        np.testing.assert_array_equal(answer.edges, answers[0].edges)
    lighter = np.minimum(a, a.T)
    np.fill_diagonal(lighter, 0)
    heights = linkage(squareform(lighter), "single")[:, 2]
    np.testing.assert_array_equal(np.sort(answers[0].w), heights)


def test_tiles_become_a_forest_batch_by_batch(monkeypatch):
    from boruvka.algorithms import dense

    monkeypatch.setattr(dense, "TILE", 16)
    monkeypatch.setattr(dense, "BATCH", 1)
    a = np.random.default_rng(1).integers(0, 50, (400, 400))
    forest = minimum_spanning_forest(a)
    assert [r.phase for r in forest.rounds].count("tiles") > 5
    u, v, w = pairs_of(a, 0)
    assert forest.edges.tolist() == oracles.kruskal(400, u, v, w, False)


def test_a_matrix_is_not_copied():
    a = np.ones((300, 300))
    graph = Graph.from_dense(a)
    assert np.shares_memory(graph.matrix, a)
    assert not graph.matrix.flags.writeable


def test_nan_in_a_matrix_is_named():
    a = np.ones((4, 4))
    a[1, 1] = np.nan
    assert len(minimum_spanning_forest(a)) == 3
    a[2, 3] = np.nan
    with pytest.raises(GraphError, match=r"entry \(2, 3\) of the matrix is NaN"):
        Graph.from_dense(a)


def test_a_list_of_many_vertices_gets_no_matrix():
    path = boruvka.generators.path(20_001, seed=1)
    with pytest.raises(OptionError, match=r"a matrix of 20001 vertices takes 3 GB, .* choose another"):
        minimum_spanning_forest(path, algorithm="dense")


@st.composite
def clouds(draw):
    """Draw points, with ties."""
    n, d = draw(st.integers(0, 9)), draw(st.integers(1, 3))
    dtype = draw(st.sampled_from([np.dtype(np.float64), np.dtype(np.int8), np.dtype(np.uint16)]))
    low = 0 if dtype.kind == "u" else -3
    points = draw(hnp.arrays(np.int64, (n, d), elements=st.integers(low, 3), fill=st.nothing()))
    return points.astype(dtype)


NAMES = {
    "euclidean": "euclidean",
    "squared_euclidean": "sqeuclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "hamming": "hamming",
}


@pytest.mark.parametrize("name", NAMES)
@ways
@given(points=clouds())
@settings(max_examples=40)
@pytest.mark.usefixtures("small_limits")
def test_points_are_their_condensed_distances(name, backend, threads, points):
    n = len(points)
    w = pdist(points.astype(float), NAMES[name]) if n > 1 else np.empty(0)
    if name == "hamming":
        w = np.rint(w * points.shape[1]).astype(np.int64)
    graph = Graph.from_points(points, name)
    assert graph.m == n * (n - 1) // 2
    np.testing.assert_allclose(graph.w, w)
    u, v = np.triu_indices(n, 1)
    np.testing.assert_array_equal(graph.u, u)
    np.testing.assert_array_equal(graph.v, v)
    for maximum in (False, True):
        forest = minimum_spanning_forest(graph, maximum=maximum, backend=backend, threads=threads)
        assert forest.edges.tolist() == oracles.kruskal(n, u, v, graph.w, maximum)
        assert verify(graph, forest)


@pytest.mark.parametrize("name", NAMES)
def test_points_on_a_line_have_one_coordinate(name):
    points = np.array([3, -1, 7])
    np.testing.assert_array_equal(
        Graph.from_points(points, name).w, Graph.from_points(points[:, None], name).w
    )


def nearly_everywhere(a, b):
    return 0 if a == b else 1.5


def as_unsigned(a, b):
    return np.uint64(2**63) + np.uint64(a + b)


def no_number(a, b):
    return a, b


def undefined(a, b):
    return math.nan if a + b == 7 else 1.0


def test_distances_of_ones_own():
    points = np.array([3, 1, 3, 2])
    forest = minimum_spanning_forest(Graph.from_points(points, nearly_everywhere))
    assert forest.edges.tolist() == [0, 1, 2]
    assert forest.weight == 3.0  # the first is a float, though what is returned for equal ones is not
    assert minimum_spanning_forest(Graph.from_points(points, lambda a, b: abs(a - b))).weight == 2
    forest = minimum_spanning_forest(Graph.from_points(points, as_unsigned))
    assert forest.weight == 3 * 2**63 + 4 + 3 + 4
    assert forest.w.dtype == np.uint64


@pytest.mark.parametrize(
    ("points", "distance", "error", "message"),
    [
        ([1, 2], "near", OptionError, "unknown distance 'near'; there are chebyshev, euclidean"),
        ([1, 2], 3, GraphTypeError, "a name or a plain Python function, not 3"),
        ([1, 2], no_number, GraphTypeError, "no_number returns neither an integer nor a float"),
        ([1, 2], lambda a, b: a.nothing, GraphTypeError, "Numba cannot compile the distance"),
        (["a", "b"], "hamming", GraphTypeError, "these have dtype <U1"),
        (np.zeros((2, 2, 2)), "hamming", GraphError, r"shape \(2, 2, 2\)"),
        ([[1], [1, 2]], "hamming", GraphTypeError, "points cannot be read"),
    ],
)
def test_what_is_no_distance_is_refused(points, distance, error, message):
    with pytest.raises(error, match=message):
        Graph.from_points(points, distance)


def test_a_distance_that_is_nan_is_named():
    with pytest.raises(GraphError, match="the distance of points 1 and 2 is NaN"):
        minimum_spanning_forest(Graph.from_points([1, 3, 4, 1], undefined))


def test_every_distance_is_documented():
    assert set(distances.__all__) == set(NAMES)


def test_strains_of_the_real_data(data):
    table = np.loadtxt(data / "epidemiology" / "saureus-mlst-profiles.tsv", str, delimiter="\t", skiprows=1)
    profiles = table[:, 1:8].astype(np.int64)
    forest = minimum_spanning_forest(Graph.from_points(profiles, "hamming"))
    assert len(profiles) == 10_780
    assert forest.weight == 12553
