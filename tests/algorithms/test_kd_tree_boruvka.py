"""The tree of points against brute force, and against `dense` edge for edge."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka import Graph, GraphError, OptionError, minimum_spanning_forest, verify
from boruvka.algorithms.run import algorithm_for
from boruvka.backends.primitives import Backend
from boruvka.graph.points import point_index
from tests import oracles
from tests.conftest import set_small_limits, small_tuning
from tests.graph.conftest import interpreted

__all__ = ["interpreted"]

METRICS = "euclidean", "sqeuclidean", "manhattan", "chebyshev"
SOLVER = "kd-tree-boruvka"


def brute_force(points, metric, samples=None):
    """List all pairs and their weights, in Python floats."""
    rows = [[float(x) for x in row] for row in np.asarray(points).tolist()]
    n = len(rows)
    matrix = [[distance(metric, a, b) for b in rows] for a in rows]
    if samples is not None:
        core = [sorted(row)[samples - 1] for row in matrix]
        matrix = [[max(matrix[i][j], core[i], core[j]) for j in range(n)] for i in range(n)]
    u, v = np.triu_indices(n, 1)
    return u, v, np.array([matrix[i][j] for i, j in zip(u.tolist(), v.tolist(), strict=True)])


def distance(metric, a, b):
    differences = [abs(x - y) for x, y in zip(a, b, strict=True)]
    if metric == "chebyshev":
        return max(differences)
    total = 0.0
    for t in differences:  # not by sum(), which compensates for rounding since Python 3.12
        total += t if metric == "manhattan" else t * t
    return math.sqrt(total) if metric == "euclidean" else total


@st.composite
def clouds(draw, dimensions=(1, 2, 3), dtypes=("f8",), most=24):
    """Draw points of all kinds that are hard for a tree: lattices, lines, copies, far clusters, scales."""
    n, d = draw(st.integers(2, most)), draw(st.sampled_from(dimensions))
    kind = draw(st.sampled_from(["random", "lattice", "line", "copies", "clusters", "scales", "steps"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    dtype = draw(st.sampled_from(dtypes))
    points = rng.random((n, d))
    if kind == "lattice":
        points = rng.integers(0, 4, (n, d)).astype(float)
    elif kind == "line":
        points = np.outer(rng.integers(0, n, n), np.ones(d)) * draw(st.sampled_from([1.0, 0.1, 1 / 3]))
    elif kind == "copies":
        points = points[rng.integers(0, min(3, n), n)]
    elif kind == "clusters":
        points = points * 1e-9 + 1e6 * rng.integers(0, 2, (n, 1))
    elif kind == "scales":
        points *= 10.0 ** (
            rng.integers(-170, 150, (n, 1)) if dtype == "f8" else rng.integers(-40, 35, (n, 1))
        )
        points[0] += 1e-139  # all points together are not too close
    elif kind == "steps":  # different squares, the same rounded root
        points = 1 + np.spacing(1.0) * rng.integers(0, 9, (n, d))
    return points.astype(dtype)


def check(points, metric="euclidean", samples=None, solver=SOLVER, **how):
    graph = Graph.from_points(points, metric, min_samples=samples)
    forest = minimum_spanning_forest(graph, algorithm=solver, **how)
    assert forest.algorithm == solver
    u, v, w = brute_force(points, metric, samples)
    assert forest.edges.tolist() == oracles.kruskal(len(points), u, v, w)
    np.testing.assert_array_equal(forest.w, w[forest.edges])
    return forest


samples_or_none = st.sampled_from([None, 1, 2, 5])


@given(points=clouds([1, 2, 3, 6]), metric=st.sampled_from(METRICS), samples=samples_or_none)
@settings(max_examples=100)
@pytest.mark.usefixtures("interpreted")
def test_edges_are_those_of_brute_force(monkeypatch, points, metric, samples):
    set_small_limits(monkeypatch, 100)
    monkeypatch.setattr(point_index, "NEIGHBOURS", {1: 1, 2: 2})
    check(points, metric, samples and min(samples, len(points)), backend="interpreted")


@given(
    points=clouds([2]), threads=st.sampled_from([1, 3]), room=st.sampled_from([0, 100]), fuses=st.booleans()
)
@settings(max_examples=60)
def test_compiled_edges_are_those_of_brute_force(monkeypatch, points, threads, room, fuses):
    set_small_limits(monkeypatch, room)
    if fuses:
        monkeypatch.setattr(Backend, "tuning", small_tuning(room)._replace(fusing_pays_below=100))
    check(points, threads=threads)


@pytest.mark.long
@pytest.mark.parametrize("samples", [None, 1, 5])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("d", [1, 2, 6])
@given(data=st.data(), threads=st.sampled_from([1, 2, 3]), small=st.booleans())
@settings(max_examples=100)
def test_all_compiled_edges_are_those_of_brute_force(monkeypatch, samples, metric, d, data, threads, small):
    points = data.draw(clouds([d], ["f8", "f4"], 60))
    with monkeypatch.context() as patched:
        if small:
            set_small_limits(patched, 100)
        check(points, metric, samples and min(samples, len(points)), threads=threads)


# Many points, edge for edge as `dense`


def equal_to_dense(points, metric, samples=None, threads=(1, 2, 3)):
    graph = Graph.from_points(points, metric, min_samples=samples)
    expected = minimum_spanning_forest(graph, algorithm="dense")
    for count in threads:
        again = Graph.from_points(points, metric, min_samples=samples)
        forest = minimum_spanning_forest(again, algorithm=SOLVER, threads=count)
        np.testing.assert_array_equal(forest.edges, expected.edges)
        np.testing.assert_array_equal(forest.w, expected.w)
    assert forest.n_components == 1


def shapes(n, d):
    rng = np.random.default_rng(5)
    clusters = rng.normal(size=(n, d)) * 1e-3 + 1e5 * rng.integers(0, 2, (n, 1))
    return {
        "uniform": rng.random((n, d)),
        "normal": rng.normal(size=(n, d)),
        "lattice": rng.integers(0, round(n ** (1 / d)), (n, d)).astype(float),
        "line": np.outer(rng.random(n), np.arange(1, d + 1)),
        "clusters": clusters,
        "copies": rng.random((7, d))[rng.integers(0, 7, n)],
        "float32": rng.random((n, d)).astype("f4"),
    }


@pytest.mark.parametrize("shape", ["uniform", "lattice", "copies"])
def test_thousands_of_points(shape):
    equal_to_dense(shapes(3_000, 2)[shape], "euclidean", threads=(1, 2))


@pytest.mark.long
@pytest.mark.parametrize("samples", [None, 5])
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("d", [2, 3, 10])
def test_thousands_of_points_of_all_shapes(metric, d, samples):
    for points in shapes(2_000, d).values():
        equal_to_dense(points, metric, samples)


def places_on_earth(n, seed=3):
    """Draw latitudes and longitudes, with poles, the date line, copies and antipodes."""
    rng = np.random.default_rng(seed)
    points = np.stack([np.arcsin(rng.uniform(-1, 1, n)), rng.uniform(-np.pi, np.pi, n)], axis=1)
    points[: n // 8, 0] = np.pi / 2 * rng.choice([-1, 1], n // 8)
    points[n // 8 : n // 4, 1] = np.pi * rng.choice([-1, 1], n // 4 - n // 8)
    half = n // 4
    points[half : half + n // 8] = points[: n // 8] * -1 + [0, np.pi]
    points[-n // 8 :] = np.round(points[-n // 8 :], 1)
    return points


@given(n=st.integers(2, 30), seed=st.integers(0, 1000), samples=samples_or_none, near=st.booleans())
@pytest.mark.usefixtures("interpreted")
def test_great_circles(monkeypatch, n, seed, samples, near):
    set_small_limits(monkeypatch, 100)
    points = places_on_earth(n, seed)
    if near:
        points = points * 1e-9 + 0.5
    samples = samples and min(samples, n)
    graph = Graph.from_points(points, "haversine", min_samples=samples)
    forest = minimum_spanning_forest(graph, algorithm=SOLVER, backend="interpreted")
    assert forest.edges.tolist() == oracles.kruskal(n, graph.u, graph.v, graph.w)


@pytest.mark.long
@pytest.mark.parametrize("samples", [None, 4])
def test_great_circles_of_thousands_of_places(samples):
    points = places_on_earth(3_000)
    for x in (points, points * 1e-8 + 1, points.astype("f4"), points * [1e-3, 1]):
        equal_to_dense(x, "haversine", samples)


# Few points, and none


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.usefixtures("interpreted")
def test_few_points(n):
    points = np.arange(n, dtype=float)
    forest = minimum_spanning_forest(Graph.from_points(points), algorithm=SOLVER, backend="interpreted")
    assert forest.edges.tolist() == [[], [], [0], [0, 2]][n]


@pytest.mark.parametrize("dtype", ["i1", "u2", "i8", "f4"])
@pytest.mark.usefixtures("interpreted")
def test_types_of_coordinates(dtype):
    points = np.array([[3, 0], [0, 4], [1, 1], [0, 0], [1, 1]]).astype(dtype)
    check(points, backend="interpreted")


@pytest.mark.parametrize("samples", [None, 3])
def test_equal_points_take_no_quadratic_time(samples):
    points = np.repeat([[0.5, 1.0], [0.5, 2.0], [-0.0, 3.0]], 30_000, axis=0)
    points[60_001:, 0] = 0.0  # equals -0.0
    graph = Graph.from_points(points, min_samples=samples)
    forest = minimum_spanning_forest(graph, algorithm=SOLVER)
    stars = [np.arange(1, 30_000) + first for first in (0, 30_000, 60_000)]
    v = forest.v.tolist()
    assert sorted(v) == sorted([*np.concatenate(stars).tolist(), 30_000, 60_000])
    assert forest.weight == 1 + math.hypot(0.5, 1)
    assert set(forest.u.tolist()) == {0, 30_000, 60_000}


# Choice and errors


@pytest.mark.parametrize(
    ("n", "d", "metric", "maximum", "expected"),
    [
        (20_000, 2, "euclidean", False, SOLVER),
        (20_000, 2, "euclidean", True, "dense"),
        (20_000, 2, "hamming", False, "dense"),
        (20_000, 60, "euclidean", False, "dense"),
        (2_000, 2, "euclidean", False, "point-prim"),
        (2_001, 2, "euclidean", False, SOLVER),
        (200, 60, "chebyshev", False, "point-prim"),
        (200, 241, "chebyshev", False, "dense"),
        (200, 2, "euclidean", True, "dense"),
        (199, 2, "haversine", False, "dense"),
        (200, 2, "haversine", False, SOLVER),
        (20_000, 2, "haversine", False, SOLVER),
    ],
)
@pytest.mark.usefixtures("interpreted")
def test_the_tree_is_chosen_where_it_pays(n, d, metric, maximum, expected):
    graph = Graph.from_points(np.zeros((n, d)), metric)
    assert algorithm_for("auto", graph, Backend(), maximum).name == expected


@pytest.mark.parametrize(("n", "expected"), [(1_000, "point-prim"), (1_001, SOLVER)])
@pytest.mark.usefixtures("interpreted")
def test_the_tree_is_chosen_for_fewer_points_with_core_distances(n, expected):
    graph = Graph.from_points(np.zeros((n, 2)), min_samples=5)
    assert algorithm_for("auto", graph, Backend()).name == expected


@pytest.mark.parametrize(
    ("make", "how", "error", "message"),
    [
        (lambda: ([0], [1], [2.0]), {}, OptionError, r"kd-tree-boruvka takes points, as Graph.from_points"),
        (lambda: np.ones((4, 4)), {}, OptionError, r"takes points, .* use algorithm='auto'"),
        (
            lambda: Graph.from_points(np.ones((3, 3)), "hamming"),
            {},
            OptionError,
            r"takes the metrics euclidean, .*haversine, great_circle, not hamming: use algorithm='dense'",
        ),
        (lambda: Graph.from_points(np.ones((3, 3))), {"maximum": True}, OptionError, "no maximum"),
        (lambda: Graph.from_points([[0, 1], [1, np.nan]]), {}, GraphError, "coordinate 1 of point 1 is nan"),
        (
            lambda: Graph.from_points([[0, 1], [-np.inf, 2]]),
            {},
            GraphError,
            "coordinate 0 of point 1 is -inf",
        ),
        (lambda: Graph.from_points([[0, 1], [1e200, 2]]), {}, GraphError, "is 1e\\+200: .* overflow: divide"),
        (
            lambda: Graph.from_points([[0, 1], [45.0, 2]], "haversine"),
            {},
            GraphError,
            r"point 1 is \(45.0, 2.0\): latitudes are from .* numpy.radians converts degrees",
        ),
    ],
)
@pytest.mark.usefixtures("interpreted")
def test_errors(make, how, error, message):
    with pytest.raises(error, match=message):
        minimum_spanning_forest(make(), algorithm=SOLVER, backend="interpreted", **how)


def test_a_forest_of_mutual_reachabilities_is_verified():
    graph = Graph.from_points(shapes(500, 2)["uniform"], min_samples=4)
    forest = minimum_spanning_forest(graph, algorithm=SOLVER)
    assert verify(graph, forest)
