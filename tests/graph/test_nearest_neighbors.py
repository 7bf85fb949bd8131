"""Graphs of nearest neighbours have the exact weights, and their components are joined as Kruskal's would."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph
from boruvka.errors import GraphError, GraphTypeError, GraphWarning, MissingExtraError, OptionError
from boruvka.graph import nearest_neighbors
from boruvka.graph.distances import cosine, euclidean
from tests.oracles import kruskal

METRICS = {"euclidean": euclidean, "cosine": cosine}


def weights_of(x, metric):
    """Compute all distances as `Graph.from_points` does."""
    n = len(x)
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = METRICS[metric](x[j], x[i])
    return matrix


def expected_pairs(matrix, k):
    """List the pairs of each point with its k nearest others, ties by number."""
    pairs = set()
    for i, row in enumerate(matrix):
        others = sorted((w, j) for j, w in enumerate(row.tolist()) if j != i)
        pairs |= {(min(i, j), max(i, j)) for _, j in others[:k]}
    return sorted(pairs)


def joined(n, pairs, matrix):
    """Join components by the lightest edges: Kruskal's algorithm, with the edges of the graph first."""
    between = sorted((matrix[i, j], i, j) for i in range(n) for j in range(i + 1, n))
    u, v = np.array([*pairs, *((i, j) for _, i, j in between)]).T
    w = np.concatenate([np.full(len(pairs), -1.0), [w for w, _, _ in between]])
    chosen = kruskal(n, u, v, w)
    return sorted((int(u[e]), int(v[e])) for e in chosen if e >= len(pairs))


coordinates = st.integers(1, 4).map(float) | st.floats(0.5, 100, width=32)


@given(
    st.integers(1, 3).flatmap(lambda d: st.lists(st.tuples(*[coordinates] * d), min_size=2, max_size=14)),
    st.integers(1, 4),
    st.sampled_from(list(METRICS)),
)
def test_exact_neighbours_and_joins(points, k, metric):
    x = np.array(points)
    matrix = weights_of(x, metric)
    pairs = expected_pairs(matrix, min(k, len(x) - 1))
    graph = Graph.from_points_approximately(
        x, metric, n_neighbors=k, ann_index="exact", join_components=False
    )
    assert list(zip(graph.u.tolist(), graph.v.tolist(), strict=True)) == pairs
    assert graph.w.tolist() == [matrix[pair] for pair in pairs]
    whole = Graph.from_points_approximately(x, metric, n_neighbors=k, ann_index="exact")
    found = list(zip(whole.u.tolist(), whole.v.tolist(), strict=True))
    assert found == pairs + joined(len(x), pairs, matrix)
    assert whole.w.tolist() == [matrix[pair] for pair in found]
    assert boruvka.minimum_spanning_forest(whole).n_components == 1


def islands(n=300, d=40, count=12):
    random = np.random.default_rng(5)
    centres = 10 * random.normal(size=(count, d))
    return centres[random.integers(0, count, n)] + random.normal(size=(n, d))


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("metric", METRICS)
def test_many_dimensions_in_blocks(metric, monkeypatch):
    from scipy.spatial.distance import cdist

    monkeypatch.setattr(nearest_neighbors, "ENTRIES_AT_ONCE", 2000)
    x = islands()
    graph = Graph.from_points_approximately(x, metric, n_neighbors=4, ann_index="exact")
    matrix = cdist(x, x, metric)
    np.fill_diagonal(matrix, np.inf)
    nearest = np.sort(matrix, axis=1)[:, :4]
    is_near = matrix[graph.u, graph.v] <= np.maximum(nearest[graph.u, -1], nearest[graph.v, -1]) + 1e-12
    np.testing.assert_allclose(graph.w, matrix[graph.u, graph.v], rtol=1e-9, atol=1e-12)
    assert (~is_near).sum() == 11  # the edges that join the islands
    forest = boruvka.minimum_spanning_forest(graph)
    exact = boruvka.minimum_spanning_forest(Graph.from_points(x, metric))
    assert forest.weight == pytest.approx(exact.weight, rel=1e-9)  # here neighbours suffice


def test_points_far_from_the_origin():
    """Products of matrices lose the digits that distinguish distances here; the answer does not."""
    x = 1e7 + np.random.default_rng(2).random((60, 3))
    matrix = weights_of(x, "euclidean")
    graph = Graph.from_points_approximately(x, n_neighbors=2, ann_index="exact", join_components=False)
    assert list(zip(graph.u.tolist(), graph.v.tolist(), strict=True)) == expected_pairs(matrix, 2)


def test_single_precision_is_computed_in_double_precision():
    x = islands(50, 6).astype(np.float32)
    graph = Graph.from_points_approximately(x, n_neighbors=3, ann_index="exact")
    same = Graph.from_points_approximately(x.astype(float), n_neighbors=3, ann_index="exact")
    assert (graph.w.tolist(), graph.v.tolist()) == (same.w.tolist(), same.v.tolist())


def test_equal_points():
    graph = Graph.from_points_approximately(np.ones((5, 2)), n_neighbors=2, ann_index="exact")
    assert graph.w.tolist() == [0] * graph.m
    assert boruvka.minimum_spanning_forest(graph).n_components == 1


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_points(n):
    graph = Graph.from_points_approximately(
        np.arange(2.0 * n).reshape(n, 2), n_neighbors=7, ann_index="exact"
    )
    assert (graph.n, graph.m, graph.w.dtype) == (n, n // 2, np.float64)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # those of the libraries
@pytest.mark.parametrize(
    ("index", "metric"),
    [("pynndescent", "euclidean"), ("hnswlib", "euclidean"), ("hnswlib", "cosine")],  # the first compiles
)
def test_approximate_indices(index, metric):
    pytest.importorskip(index)
    x = islands(2000, 64)
    graph = Graph.from_points_approximately(x, metric, n_neighbors=10, ann_index=index)
    again = Graph.from_points_approximately(x, metric, n_neighbors=10, ann_index=index)
    for name in "uvw":
        np.testing.assert_array_equal(getattr(graph, name), getattr(again, name))
    exact = Graph.from_points_approximately(x, metric, n_neighbors=10, ann_index="exact")
    keys, expected = (set(zip(g.u.tolist(), g.v.tolist(), strict=True)) for g in (graph, exact))
    assert len(keys & expected) > 0.95 * len(expected)
    np.testing.assert_allclose(
        graph.w, [METRICS[metric](x[u], x[v]) for u, v in zip(graph.u, graph.v, strict=True)], rtol=1e-12
    )
    forest = boruvka.minimum_spanning_forest(graph)
    least = boruvka.minimum_spanning_forest(Graph.from_points(x, metric)).weight
    assert forest.n_components == 1
    assert least * (1 - 1e-12) <= forest.weight < 1.01 * least
    alone = Graph.from_points_approximately(x, metric, n_neighbors=10, ann_index=index, join_components=False)
    assert boruvka.minimum_spanning_forest(alone).n_components > 1


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("index", ["pynndescent", "hnswlib"])
@pytest.mark.parametrize(("scale", "shift"), [(1e-3, 1e9), (1e60, 0)])
def test_indices_of_coordinates_that_float32_does_not_hold(index, scale, shift):
    pytest.importorskip(index)
    x = scale * islands(500, 16) + shift
    graph = Graph.from_points_approximately(x, n_neighbors=8, ann_index=index, join_components=False)
    exact = Graph.from_points_approximately(x, n_neighbors=8, ann_index="exact", join_components=False)
    keys, expected = (set(zip(g.u.tolist(), g.v.tolist(), strict=True)) for g in (graph, exact))
    assert len(keys & expected) > 0.95 * len(expected)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_options_of_the_libraries():
    hnswlib = pytest.importorskip("hnswlib")
    assert hnswlib
    x = islands(200, 8)
    narrow = Graph.from_points_approximately(
        x, n_neighbors=5, ann_index="hnswlib", options={"M": 2, "ef_construction": 4}
    )
    wide = Graph.from_points_approximately(x, n_neighbors=5, ann_index="hnswlib", options={"M": 48})
    assert narrow.m != wide.m or (narrow.v != wide.v).any()


@pytest.mark.parametrize(
    ("error", "message", "points", "options"),
    [
        (
            OptionError,
            "metric must be one of euclidean, l2, cosine; got 'hamming'",
            [[1.0]],
            {"metric": "hamming"},
        ),
        (
            OptionError,
            "ann_index must be one of pynndescent, hnswlib, exact; got 'faiss'",
            [[1.0]],
            {"ann_index": "faiss"},
        ),
        (OptionError, "n_neighbors must be an integer 1 or more", [[1.0]], {"n_neighbors": 0}),
        (OptionError, "seed must be", [[1.0]], {"seed": -1}),
        (OptionError, "the exact index takes no options, got M", [[1.0], [2.0]], {"options": {"M": 3}}),
        (
            GraphError,
            "coordinate 0 of point 1 is inf: NaN and inf are not coordinates",
            [[1.0], [np.inf]],
            {},
        ),
        (GraphError, "coordinates beyond 1e\\+150 overflow: divide all", [[1.0], [1e151]], {}),
        (GraphError, "point 1 is zero and has no direction", [[1.0], [0.0]], {"metric": "cosine"}),
        (GraphError, "points are an array of one or two dimensions", np.zeros((1, 1, 1)), {}),
        (GraphTypeError, "points are integers or floats", ["a"], {}),
    ],
)
def test_errors(error, message, points, options):
    with pytest.raises(error, match=message):
        Graph.from_points_approximately(points, **{"ann_index": "exact", **options})


def test_points_have_the_names_of_their_frame():
    pd = pytest.importorskip("pandas")
    how = {"ann_index": "exact", "n_neighbors": 1}
    frame = pd.DataFrame({"x": [0.0, 1, 5], "y": [0.0, 2, 2]}, list("abc"))
    for points, options in (frame, {}), (frame.to_numpy(), {"names": list("abc")}):
        graph = Graph.from_points_approximately(points, **how, **options)
        assert graph.names.tolist() == Graph.from_points(points, **options).names.tolist() == list("abc")
    with pytest.warns(GraphWarning, match="the column 'id' holds the names"):
        graph = Graph.from_points_approximately(frame.assign(id=[7, 8, 9])[["id", "x", "y"]], **how)
    assert graph.names.tolist() == [7, 8, 9]
    assert graph.w.tolist() == Graph.from_points_approximately(frame.to_numpy(), **how).w.tolist()


@pytest.mark.parametrize("index", ["pynndescent", "hnswlib"])
def test_a_missing_library_names_its_extra(index, monkeypatch):
    monkeypatch.setitem(sys.modules, index, None)
    with pytest.raises(MissingExtraError, match=rf'pip install "boruvka\[{index}\]"'):
        Graph.from_points_approximately(np.eye(4), n_neighbors=2, ann_index=index)
