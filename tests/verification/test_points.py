"""The search of points for a better pair, against all pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka import Graph, verify
from boruvka.verification import points as verify_points
from boruvka.verification.merge_trees import merge_trees
from tests.algorithms.test_kd_tree_boruvka import brute_force, clouds
from tests.conftest import set_small_limits
from tests.graph.conftest import interpreted
from tests.oracles import is_forest, kruskal

__all__ = ["interpreted"]

EVERY = "euclidean", "sqeuclidean", "manhattan", "chebyshev"
PLACES = st.lists(
    st.tuples(st.sampled_from([-90, -45, 0, 1, 90]), st.sampled_from([-180, 0, 1, 179, 180])),
    min_size=2,
    max_size=16,
)


@pytest.fixture(autouse=True)
def search_small_sets(monkeypatch):
    """Search sets that are too small for it, in blocks of few points, and leave out few copies."""
    set_small_limits(monkeypatch, 100)
    monkeypatch.setattr(
        "boruvka.verification.verify.tree_pays", lambda graph: graph.search_metric is not None
    )
    monkeypatch.setattr(verify_points, "BLOCKS_AT_ONCE", 2)
    monkeypatch.setattr("boruvka.verification.verify.find_better_edge", None)


def check(graph, edges, right):
    """Verify a forest; a witness must be one by the definitions."""
    result = verify(graph, edges)
    assert bool(result) == (sorted(edges) == right), result.message
    if result.replaced_edge is not None:
        u, v, w = graph.take(np.arange(graph.m))
        assert (w[result.edge], result.edge) < (w[result.replaced_edge], result.replaced_edge)
        exchanged = set(edges) - {result.replaced_edge} | {result.edge}
        assert is_forest(graph.n, u, v, sorted(exchanged))


def nearly_right(draw, graph, right):
    """Draw edges: the forest without a few edges and with others."""
    edges = set(right)
    for _ in range(draw(st.integers(0, 2))):
        edges.discard(draw(st.sampled_from(right)))
        edges.add(draw(st.integers(0, graph.m - 1)))
    return sorted(edges)


def check_both(draw, graph, right):
    """Verify the right forest, and one that is nearly right."""
    check(graph, right, right)
    check(graph, nearly_right(draw, graph, right), right)


@given(points=clouds(dimensions=(2,)), data=st.data())
def test_right_and_wrong_forests(points, data):
    check_both(data.draw, Graph.from_points(points), kruskal(len(points), *brute_force(points, "euclidean")))


@settings(max_examples=300)
@given(points=clouds(), metric=st.sampled_from(EVERY), samples=st.none() | st.integers(1, 6), data=st.data())
@pytest.mark.usefixtures("interpreted")
def test_every_metric(points, metric, samples, data):
    samples = None if samples is None else min(samples, len(points))
    graph = Graph.from_points(points, metric, min_samples=samples)
    check_both(data.draw, graph, kruskal(graph.n, *brute_force(points, metric, samples)))


@given(places=PLACES, samples=st.none() | st.integers(1, 2), data=st.data())
@pytest.mark.usefixtures("interpreted")
def test_places(places, samples, data):
    graph = Graph.from_points(np.radians(places), "haversine", min_samples=samples)
    check_both(data.draw, graph, kruskal(graph.n, *graph.take(np.arange(graph.m))))


def test_copies_that_are_joined_are_left_out():
    points = np.array([[1.0, 2], [0, 0], [1, 2], [-0.0, 0], [1, 2], [1, 2]])
    pair = np.array([0 * 6 + 2, 1 * 6 + 3, 0 * 6 + 4, 2 * 6 + 5], np.uint64)
    kept = verify_points.without_duplicates(points, np.empty(0), pair)
    assert kept.tolist() == [0, 1, 5]  # 5 is not joined to 0
    core = np.array([0, 0, 1.0, 0, 0, 0])
    assert verify_points.without_duplicates(points, core, pair).tolist() == [0, 1, 2, 5]


def test_points_of_which_squares_underflow_are_kept():
    points = np.array([[0.0], [1e-200], [1e-200], [1.0]])
    pair = np.array([1, 6], np.uint64)
    graph = Graph.from_points(points)
    assert verify_points.without_duplicates(points, np.empty(0), pair).tolist() == [0, 1, 2, 3]
    assert verify(graph, [0, 1, 2])
    assert not verify(graph, [0, 3, 2])


def test_a_point_without_an_edge():
    points = np.random.default_rng(1).random((200, 2))
    graph = Graph.from_points(points)
    right = kruskal(graph.n, *brute_force(points, "euclidean"))
    result = verify(graph, right[1:])
    assert "joins two trees" in result.message


@pytest.mark.parametrize("samples", [None, 3])
def test_bounds_of_nodes(samples):
    """They are the highest rank on any path between two points, the box, and the smallest core distance."""
    graph = Graph.from_points(np.random.default_rng(2).random((50, 2)), min_samples=samples)
    path = graph.edges_at(np.arange(49), np.arange(1, 50))
    trees = merge_trees(graph.n, path, *graph.take(path), False)
    kept = np.arange(graph.n)
    points, tree, trees = verify_points.build_tree(graph, graph.pairs.search_metric, kept, trees, threads=1)
    leaves = tree.start.size - 1
    assert leaves > 8
    for node in range(1, 2 * leaves):
        first = last = node
        while first < leaves:
            first, last = 2 * first, 2 * last + 1
        rows = np.arange(*tree.start[[first - leaves, last - leaves + 1]].tolist())
        pairs = np.array([*combinations(rows, 2)], np.int64).reshape(-1, 2)
        assert tree.inside[node] == trees.path_ranks(*pairs.T).max(initial=-1)
        assert tree.first[node] == rows[0]
        assert tree.lower[node].tolist() == points.coordinates[rows].min(axis=0).tolist()
        assert tree.upper[node].tolist() == points.coordinates[rows].max(axis=0).tolist()
        if samples:
            assert tree.core[node] == graph.core_distances[points.vertex[rows]].min()
