import math
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import Graph, GraphError, GraphTypeError, OptionError, minimum_spanning_forest, verify
from boruvka.graph import distances
from boruvka.graph.distances import hamming_of_present, scaled_hamming
from boruvka.graph.points.point_pairs import PointPairs
from tests import oracles
from tests.conftest import set_small_limits
from tests.marks import long_but


def great_circle(a, b):
    """Compute the distance by the law of cosines in long doubles."""
    a, b = a.astype(np.longdouble), b.astype(np.longdouble)
    x = np.sin(a[0]) * np.sin(b[0]) + np.cos(a[0]) * np.cos(b[0]) * np.cos(a[1] - b[1])
    return float(np.arccos(np.clip(x, -1, 1)))


NAMES = {
    "euclidean": "euclidean",
    "squared_euclidean": "sqeuclidean",
    "manhattan": "cityblock",
    "chebyshev": "chebyshev",
    "hamming": "hamming",
    "cosine": "cosine",
    "correlation": "correlation",
    "canberra": "canberra",
    "braycurtis": "braycurtis",
    "haversine": great_circle,
    "great_circle": lambda a, b: 6371.0088 * great_circle(a, b),
}
ON_SPHERE = "great_circle", "haversine"
SPECIAL = "braycurtis", "correlation", "cosine", *ON_SPHERE
"""Metrics of which SciPy makes NaN for some points, or that are for points on a sphere."""
USUAL = [name for name in NAMES if name not in SPECIAL]


@st.composite
def clouds(draw, dtypes=("f8", "i1", "u2")):
    """Draw points, with ties."""
    n, d = draw(st.integers(0, 9)), draw(st.integers(1, 3))
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    low = 0 if dtype.kind == "u" else -3
    points = draw(hnp.arrays(np.int64, (n, d), elements=st.integers(low, 3), fill=st.nothing()))
    return points.astype(dtype)


def check_points(points, name, **how):
    from scipy.spatial.distance import pdist

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
        forest = minimum_spanning_forest(graph, maximum=maximum, algorithm="dense", **how)
        assert forest.edges.tolist() == oracles.kruskal(n, u, v, graph.w, maximum)
        assert verify(graph, forest)


@pytest.mark.needs("scipy")
@given(points=clouds(), name=st.sampled_from(USUAL))
@pytest.mark.usefixtures("interpreted")
def test_the_edges_are_the_condensed_distances(monkeypatch, points, name):
    set_small_limits(monkeypatch, 100)
    check_points(points, name, backend="interpreted")


@pytest.mark.needs("scipy")
@given(points=clouds(["f8"]), threads=st.sampled_from([1, 3]))
def test_compiled_distances_agree(monkeypatch, points, threads):
    set_small_limits(monkeypatch, 100)
    check_points(points, "euclidean", threads=threads)


@pytest.mark.needs("scipy")
@pytest.mark.long
@pytest.mark.parametrize("name", USUAL)
@given(points=clouds(), threads=st.sampled_from([1, 3]), room=st.sampled_from([0, 100]))
def test_every_compiled_distance_agrees(monkeypatch, name, points, threads, room):
    set_small_limits(monkeypatch, room)
    check_points(points, name, threads=threads)


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("backend", ["interpreted", pytest.param("threads", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SPECIAL)
def test_metrics_that_are_not_for_all_points(name, backend, request):
    if backend == "interpreted":
        request.getfixturevalue("interpreted")
    points = np.random.default_rng(3).uniform(-1.5, 1.5, (40, 2 if name in ON_SPHERE else 5))
    check_points(points, name, backend=backend)


def test_vectors_without_a_direction():
    assert distances.braycurtis(np.zeros(2), np.zeros(2)) == 0
    assert distances.braycurtis(np.array([1, -1]), np.array([-1, 1])) == math.inf
    for name in "cosine", "correlation":
        assert math.isnan(getattr(distances, name)(np.zeros(2), np.array([1, 2])))
    with pytest.raises(GraphError, match=r"haversine takes .* not shape"):
        Graph.from_points(np.ones((4, 3)), "haversine")


@pytest.mark.parametrize(("theirs", "ours"), distances.OTHER_NAMES.items())
def test_the_names_of_scipy(theirs, ours):
    points = np.array([[0, 3], [4, 0], [1, 1]])
    graph = Graph.from_points(points, metric=theirs)
    assert graph.distance is Graph.from_points(points, metric=ours).distance


@pytest.mark.parametrize("name", USUAL)
@pytest.mark.usefixtures("interpreted")
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


@pytest.mark.needs("numba")
def test_user_defined_distances():
    points = np.array([3, 1, 3, 2])
    graph = Graph.from_points(points, nearly_everywhere)
    forest = minimum_spanning_forest(graph, backend="interpreted")
    assert forest.edges.tolist() == [0, 1, 2]
    assert forest.weight == 3.0  # a float, though equal points have the int 0


@pytest.mark.needs("numba")
@pytest.mark.usefixtures("interpreted")
def test_user_defined_distances_of_other_types():
    points = np.array([3, 1, 3, 2])
    graph = Graph.from_points(points, lambda a, b: abs(a - b))
    assert minimum_spanning_forest(graph, backend="interpreted").weight == 2
    forest = minimum_spanning_forest(Graph.from_points(points, as_unsigned), backend="interpreted")
    assert forest.weight == 3 * 2**63 + 4 + 3 + 4
    assert forest.w.dtype == np.uint64


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("points", "distance", "error", "message"),
    [
        (
            [1, 2],
            "near",
            OptionError,
            "metric must be one of braycurtis, canberra, .*; got 'near'",
        ),
        ([1, 2], "precomputed", OptionError, r"write Graph.from_distances\(points\)"),
        ([1, 2], "Euclid", OptionError, r": did you mean euclidean\?"),
        ([1, 2], 3, GraphTypeError, "a name or a plain Python function, not 3"),
        ([1, 2], no_number, GraphTypeError, "no_number returns neither an integer nor a float"),
        (
            [1, 2],
            lambda a, b: a.nothing,
            GraphTypeError,
            "Numba cannot compile the distance <lambda>: Unknown attribute 'nothing' of type",
        ),
        (
            [[1, 2], [3, 4]],
            lambda a, b: np.abs(a - b),
            GraphTypeError,
            "the distance <lambda> returns neither an integer nor a float",
        ),
        (["a", "b"], "hamming", GraphTypeError, "these have dtype <U1"),
        (np.zeros((2, 2, 2)), "hamming", GraphError, r"shape \(2, 2, 2\)"),
        ([[1], [1, 2]], "hamming", GraphTypeError, "points cannot be read"),
    ],
)
def test_what_is_no_distance_is_rejected(points, distance, error, message):
    with pytest.raises(error, match=message):
        Graph.from_points(points, distance)


def sum_of_differences(a, b):
    return np.abs(a - b).sum()


def length_of_difference(a, b):
    return np.linalg.norm(a - b)


@pytest.mark.needs("numba")
def test_distances_in_the_style_of_numpy():
    """They make arrays, which kernels cannot: Numba starts them."""
    points = np.random.default_rng(2).random((20, 3))
    u, v = np.triu_indices(20, 1)
    expected = np.abs(points[u] - points[v]).sum(axis=1)
    np.testing.assert_allclose(Graph.from_points(points, sum_of_differences).w, expected)


@pytest.mark.long
@pytest.mark.parametrize(
    ("distance", "name"), [(sum_of_differences, "cityblock"), (length_of_difference, "euclidean")]
)
def test_forests_of_distances_in_the_style_of_numpy(distance, name):
    points = np.random.default_rng(2).random((20, 3))
    graph = Graph.from_points(points, distance)
    forest = minimum_spanning_forest(graph, threads=1)
    expected = minimum_spanning_forest(Graph.from_points(points, name))
    np.testing.assert_allclose(forest.weight, expected.weight)
    assert verify(graph, forest)


@pytest.mark.needs("numba")
def test_a_distance_that_is_nan_is_named():
    graph = Graph.from_points([1, 3, 4, 1], undefined)
    with pytest.raises(GraphError, match="the distance of points 1 and 2 is NaN"):
        minimum_spanning_forest(graph, backend="interpreted")


@given(points=clouds(), name=st.sampled_from(USUAL), k=st.integers(1, 4))
@pytest.mark.usefixtures("interpreted")
def test_mutual_reachability_of_every_distance(monkeypatch, points, name, k):
    set_small_limits(monkeypatch, 100)
    n = len(points)
    k = min(k, max(n, 1))
    graph = Graph.from_points(points, name, min_samples=k)
    plain = np.zeros((n, n))
    u, v = np.triu_indices(n, 1)
    plain[u, v] = plain[v, u] = Graph.from_points(points, name).w
    core = np.sort(plain, axis=1)[:, k - 1] if n else np.zeros(0)
    assert graph.w.tolist() == np.maximum(plain[u, v], np.maximum(core[u], core[v])).tolist()
    forest = minimum_spanning_forest(graph, algorithm="dense", backend="interpreted")
    assert forest.edges.tolist() == oracles.kruskal(n, u, v, graph.w)
    assert verify(graph, forest)


@pytest.mark.needs("numba")
@pytest.mark.usefixtures("interpreted")
def test_mutual_reachability_of_user_defined_distances():
    graph = Graph.from_points([3, 1, 3, 2], nearly_everywhere, min_samples=2)
    assert graph.w.tolist() == [1.5, 0, 1.5, 1.5, 1.5, 1.5]  # the core distances are 0, 1.5, 0, 1.5


@pytest.mark.parametrize(("k", "message"), [(0, "an integer 1 or more, got 0"), (4, "is 4, more than the 3")])
def test_core_distances_need_points(k, message):
    with pytest.raises(OptionError, match=f"min_samples .*{message}"):
        Graph.from_points([[1.0], [2.0], [4.0]], min_samples=k)


@pytest.mark.needs("numba")
@pytest.mark.usefixtures("interpreted")
def test_a_core_distance_that_is_nan_is_named():
    graph = Graph.from_points([1, 3, 4, 1], undefined, min_samples=2)
    with pytest.raises(GraphError, match="the distance of points 1 and 2 is NaN"):
        graph.w  # noqa: B018


@pytest.mark.usefixtures("interpreted")
def test_floats_of_32_bits_are_computed_in_64():
    points = np.random.default_rng(0).random((5, 2)).astype("f4")
    np.testing.assert_array_equal(Graph.from_points(points).w, Graph.from_points(points.astype(float)).w)


@given(n=st.integers(1, 2**32), data=st.data())
def test_first_edges_of_rows(n, data):
    rows = data.draw(st.lists(st.integers(0, n), min_size=1))
    points = SimpleNamespace(n=n)  # so many points would not fit the memory
    found = PointPairs.first_edges(points, np.array(rows))
    assert found.tolist() == [row * n - row * (row + 1) // 2 for row in rows]


def test_points_are_read_only():
    graph = Graph.from_points([[1.0], [2.0]])
    for name in ("n", "points", "distance", "row_offsets", "w"):
        with pytest.raises(AttributeError):
            setattr(graph, name, None)


def test_every_distance_is_tested():
    assert set(distances.__all__) == set(NAMES)


INTEGERS = "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"
ON_ALL_TYPES = "hamming", hamming_of_present, scaled_hamming
"""Distances with kernels for each type; the others have kernels for float64."""


@pytest.mark.parametrize("min_samples", [None, 3])
@pytest.mark.parametrize(
    "metric",
    [*sorted(set(NAMES) - {*ON_SPHERE, *ON_ALL_TYPES}), *long_but(ON_ALL_TYPES)],
)
def test_integers_of_every_type(metric, min_samples):
    """Each has machine code, and the same forest as the numbers in int64 or float64."""
    distance = metric if callable(metric) else getattr(distances, metric)
    numbers = np.random.default_rng(5).integers(0, 4, (13, 5)) + np.eye(13, 5, dtype=np.int64)
    found = []
    for dtype in *INTEGERS, "f8", "?":
        points = np.minimum(numbers, 1).astype(dtype) if dtype == "?" else numbers.astype(dtype)
        points[0], points[1] = 0, 1
        if metric in ("cosine", "correlation"):
            points = points[(points != points[:, :1]).any(axis=1)]
        graph = Graph.from_points(points, metric, min_samples=min_samples)
        pair_by_pair = [float(distance(points[i], points[j])) for i, j in combinations(range(len(points)), 2)]
        if min_samples is None:
            np.testing.assert_allclose(graph.w, pair_by_pair, rtol=1e-12, atol=1e-15)
        for algorithm in ("auto", "dense"):
            forest = minimum_spanning_forest(graph, algorithm=algorithm)
            assert verify(graph, forest)
            found.append(forest.edges.tolist())
        if dtype == "?":
            assert found[-1] == found[-2]
        else:
            assert found[-1] == found[-2] == found[0]


@pytest.mark.long
def test_strains_of_the_real_data(data):
    table = np.loadtxt(data / "epidemiology" / "saureus-mlst-profiles.tsv", str, delimiter="\t", skiprows=1)
    profiles = table[:, 1:8].astype(np.int64)
    forest = minimum_spanning_forest(Graph.from_points(profiles, "hamming"))
    assert len(profiles) == 10_780
    assert forest.weight == 12553
