"""Points in a periodic box against brute force over all images, and against SciPy's tree of a box."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from boruvka import Graph, GraphError, GraphWarning, OptionError, minimum_spanning_forest, verify
from boruvka.verification import verify as verify_module
from tests import oracles
from tests.conftest import set_small_limits
from tests.graph.conftest import interpreted

__all__ = ["interpreted"]

pytestmark = pytest.mark.filterwarnings("ignore:points extend over")
METRICS = "euclidean", "sqeuclidean", "manhattan", "chebyshev"
SOLVERS = "kd-tree-boruvka", "point-prim", "dense"


def norm_of(metric, t):
    if metric == "chebyshev":
        return t.max(axis=-1)
    sums = (t if metric == "manhattan" else t * t).sum(axis=-1)
    return np.sqrt(sums) if metric == "euclidean" else sums


def brute_force(points, metric, box, samples):
    """Find the weights of all pairs as the least distance to any of the 3^d images."""
    least = np.inf
    for images in itertools.product((-1, 0, 1), repeat=points.shape[1]):
        shift = np.where(np.isinf(box), 0, np.where(np.isinf(box), 0, box) * images)
        least = np.minimum(least, norm_of(metric, np.abs(points[:, None] - points + shift)))
    if samples is not None:
        core = np.sort(least, axis=1)[:, samples - 1]
        least = np.maximum(least, np.maximum(core, core[:, None]))
    return least[np.triu_indices(len(points), 1)]


@st.composite
def boxes(draw, dimensions=(1, 2, 3), most=24):
    """Draw points in a box: on multiples of a power of two all images are exact, and many pairs tie."""
    n, d = draw(st.integers(2, most)), draw(st.sampled_from(dimensions))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    box = rng.choice([1.0, 2.0, 1.5, np.inf], d)
    if np.isinf(box).all():
        box[0] = 1.0
    steps = draw(st.sampled_from([4, 8, 2**20]))
    points = rng.integers(0, steps * np.where(np.isinf(box), 3, box), (n, d)) / steps
    if draw(st.booleans()):  # copies
        points = points[rng.integers(0, min(3, n), n)]
    return points, box


def check(points, box, metric, samples, solvers, **how):
    samples = samples and min(samples, len(points))
    graph = Graph.from_points(points, metric, box=box, min_samples=samples)
    w = brute_force(points, metric, box, samples)
    np.testing.assert_allclose(graph.w, w, rtol=1e-14)
    right = oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    assert right == oracles.kruskal(graph.n, graph.u, graph.v, w)
    for solver in solvers:
        assert minimum_spanning_forest(graph, algorithm=solver, **how).edges.tolist() == right
    return graph, right


@given(boxes(), st.sampled_from(METRICS), st.sampled_from([None, 1, 3]))
@settings(max_examples=100)
@pytest.mark.usefixtures("interpreted")
def test_edges_are_those_of_all_images(drawn, metric, samples):
    check(*drawn, metric, samples, SOLVERS, backend="interpreted")


@pytest.mark.long
@pytest.mark.parametrize("samples", [None, 3])
@pytest.mark.parametrize("d", [2, 3])
@given(data=st.data(), threads=st.sampled_from([1, 3]))
@settings(max_examples=60)
def test_compiled_edges_are_those_of_all_images(d, samples, data, threads):
    points, box = data.draw(boxes([d], most=60))
    graph, right = check(points, box, "euclidean", samples, SOLVERS, threads=threads)
    assert verify(graph, right)


@given(boxes(), st.sampled_from(METRICS), st.sampled_from([None, 3]), st.data())
@settings(max_examples=60)
@pytest.mark.usefixtures("interpreted")
def test_wrong_forests_are_found(drawn, metric, samples, data):
    graph, right = check(*drawn, metric, samples, [])
    with pytest.MonkeyPatch.context() as patch:
        set_small_limits(patch, 100)
        patch.setattr(verify_module, "tree_pays", lambda pairs: True)
        patch.setattr(verify_module, "find_better_edge", None)
        assert verify(graph, right)
        edges = set(right) - {data.draw(st.sampled_from(right))} | {data.draw(st.integers(0, graph.m - 1))}
        assert bool(verify(graph, sorted(edges))) == (sorted(edges) == right)


@pytest.mark.long
@pytest.mark.parametrize("d", [2, 3])
def test_many_points(d):
    """Not multiples of a power of two: all solvers round alike."""
    points = np.random.default_rng(d).random((2_000, d)) * [1, 3, 0.1][:d]
    box = [1, 3, None][:d]
    for samples in None, 5:
        graph = Graph.from_points(points, box=box, min_samples=samples)
        found = [minimum_spanning_forest(graph, algorithm=name) for name in SOLVERS]
        for one in found:
            np.testing.assert_array_equal(one.edges, found[0].edges)
            np.testing.assert_array_equal(one.w, found[0].w)
        assert verify(graph, found[0])
        neighbours = cKDTree(points, boxsize=[length or 0 for length in box])
        if samples:
            core = neighbours.query(points, samples)[0][:, -1]
            np.testing.assert_allclose(graph.core_distances, core, rtol=1e-12)
        else:  # each point has an edge to its nearest neighbour
            nearest = np.full(graph.n, np.inf)
            np.minimum.at(nearest, found[0].u, found[0].w)
            np.minimum.at(nearest, found[0].v, found[0].w)
            np.testing.assert_allclose(nearest, neighbours.query(points, 2)[0][:, 1], rtol=1e-12)


@pytest.mark.parametrize("d", [4, 6])
@given(data=st.data())
@settings(max_examples=20)
@pytest.mark.usefixtures("interpreted")
def test_coordinates_that_are_added_to_a_tree_are_open(d, data):
    points, box = data.draw(boxes([d], most=12))
    check(points, box, "euclidean", None, SOLVERS[:2], backend="interpreted")


def test_an_infinite_box_is_none():
    points = np.random.default_rng(1).random((300, 2)) - 0.5
    for box in np.inf, 0, [0, None], (np.inf, 0.0):
        graph = Graph.from_points(points, box=box)
        assert graph.box is None
        np.testing.assert_array_equal(graph.w, Graph.from_points(points).w)


def test_the_end_of_a_box_is_its_beginning():
    graph = Graph.from_points([[0.25, 7], [4, -7], [0, 1]], box=[4, np.inf])
    assert graph.points.tolist() == [[0.25, 7], [0, -7], [0, 1]]
    assert graph.box.tolist() == [4, np.inf]
    assert Graph.from_points(np.arange(5), box=5).w.tolist() == [1, 2, 2, 1, 1, 2, 2, 1, 2, 1]
    for points in np.empty((0, 2)), np.empty((1, 0)), [[0.5, 0.5]]:
        assert len(minimum_spanning_forest(Graph.from_points(points, box=1))) == 0


def test_wrong_boxes():
    points = [[0.5, 1.5], [0.1, 0.2]]
    near, unit = "from 0 to 1: points % box are in it", "are units equal. Else leave out"
    with pytest.raises(GraphError, match=f"coordinate 1 of point 0 is 1.5, which is outside of .*{near}"):
        Graph.from_points(points, box=1)
    with pytest.raises(GraphError, match=r"coordinate 0 of point 0 is -1\.0, which .* points % box"):
        Graph.from_points([-1, 1], box=2)
    with pytest.raises(GraphError, match=f"coordinate 0 of point 1 is 3.5, which .* {unit}"):  # not the first
        Graph.from_points([[0.5, 1.5], [3.5, 0.2]], box=1)
    with pytest.raises(GraphError, match=f"the column 'mass' of point 0 is 500000000000.0, which .* {unit}"):
        Graph.from_points(pd.DataFrame({"a": [1.0], "b": [2.0], "mass": [5e11]}), box=8)
    with pytest.raises(GraphError, match=r"is -999.0, which .* is it a missing value \(leave the point out"):
        Graph.from_points([[5, 5], [5, -999]], box=10)
    with pytest.raises(GraphError, match=r"is 1\.0000001192092896, which"):
        Graph.from_points(np.array([[0.5, 1 + 2**-23]], np.float32), box=1)
    for box in -1, np.nan, "a", [1, -2], [1, "a"]:
        with pytest.raises(OptionError, match="box is a positive length, or one for each axis"):
            Graph.from_points(points, box=box)
    with pytest.raises(OptionError, match="box has 3 lengths, points have 2 coordinates"):
        Graph.from_points(points, box=[2, 2, 2])
    for metric in "cosine", "great_circle", lambda x, y: 1.0:
        with pytest.raises(OptionError, match="box is for the metrics euclidean, squared_euclidean, "):
            Graph.from_points(points, metric, box=2)
    with pytest.raises(OptionError, match="metric must be one of"):
        Graph.from_points(points, "periodic_euclidean")


@pytest.mark.parametrize("metric", ["euclidean", "squared_euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize("box", [100, [100, None]])
def test_the_distance_of_a_graph_in_a_box_needs_the_box(metric, box):
    points = np.array([[1.0, 50], [99, 50], [50, 50]])
    graph = Graph.from_points(points, metric, box=box)
    with pytest.raises(OptionError, match=f"periodic_{metric} is for a periodic box: .*box=graph.box"):
        Graph.from_points(graph.points, graph.distance)
    again = Graph.from_points(graph.points, graph.distance, box=graph.box)
    assert (again.distance, again.box.tolist()) == (graph.distance, graph.box.tolist())
    power, values = 2 if metric == "squared_euclidean" else 1, again.pairs.values
    assert [again.distance(values[0], x) for x in values[1:]] == [2**power, 49**power]
    flat = Graph.from_points(graph.points, graph.distance, box=np.inf)
    assert (flat.box, flat.distance(*graph.points[:2])) == (None, 98**power)


def test_a_box_in_another_unit_is_announced(recwarn):
    points = np.random.default_rng(0).random((50, 3)) * [1, 1, 0]
    Graph.from_points(points, box=1)
    Graph.from_points(points[:5], box=1000)
    assert not recwarn
    with pytest.warns(
        GraphWarning, match=r"over 0\.9\d* on axis 1, the box over 1000: are units equal.* length inf in box"
    ):
        Graph.from_points(points, box=(1, 1000, None))
