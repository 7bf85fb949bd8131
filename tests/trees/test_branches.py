"""Branches against walks in NetworkX."""

from itertools import pairwise

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, OptionError
from tests import validity
from tests.strategies import graphs


@given(graphs(9, 12))
def test_branches_are_maximal_paths(graph):
    forest = boruvka.minimum_spanning_forest(graph)
    validity.valid_branches(forest, forest.branches())


def test_infinite_weights_of_both_signs():
    forest = boruvka.minimum_spanning_forest(Graph(3, [0, 0], [1, 2], [-np.inf, np.inf]))
    found = validity.valid_branches(forest, forest.branches())
    assert np.isnan(found.length).all()


@given(st.integers(1, 40), st.integers(0, 2**32))
def test_long_branches(n, seed):
    """Most vertices of a path with few side edges, numbered at random, are inside a branch."""
    rng = np.random.default_rng(seed)
    parents = np.maximum(np.arange(1, n) - rng.choice([1, 1, 1, 1, 5], n - 1), 0)
    number = rng.permutation(n)
    graph = Graph.from_edges(number[1:], number[parents], rng.random(n - 1), n=n)
    forest = boruvka.minimum_spanning_forest(graph)
    validity.valid_branches(forest, forest.branches())


@pytest.mark.filterwarnings("ignore:the height", "ignore:.*leaves no edge")
@given(graphs(9, 12), st.booleans(), st.sampled_from([0, 1, 3, np.inf]), st.integers(1, 4))
def test_pruned_forests_as_networkx_walks_them(graph, maximum, longest, fewest):
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    longest = -longest if maximum else longest
    short = forest.w >= longest if maximum else forest.w <= longest
    tree = networkx.Graph()
    tree.add_edges_from((int(u), int(v)) for u, v in zip(forest.u[short], forest.v[short], strict=True))
    removed = []
    for leaf in [x for x in tree if tree.degree[x] == 1]:
        path = [leaf, *tree[leaf]]
        while tree.degree[path[-1]] == 2:
            path += {*tree[path[-1]]} - {path[-2]}
        removed += list(pairwise(path)) * (tree.degree[path[-1]] > 2 and len(path) <= fewest)
    tree.remove_edges_from(removed)
    found = forest.prune(longest, fewest)
    pairs = zip(found.u.tolist(), found.v.tolist(), strict=True)
    assert {*map(frozenset, pairs)} == {*map(frozenset, tree.edges)}


def test_pruned_forests_without_edges():
    forest = boruvka.minimum_spanning_forest([("a", "b", 2), ("a", "c", 3), ("a", "d", 4)])
    assert forest.prune() is forest
    for options, name in ({"longest": 1}, "longest"), ({"fewest": 2}, "fewest"):
        with pytest.warns(boruvka.GraphWarning, match=f"{name} leaves no edge: weights are from 2 to 4"):
            assert len(forest.prune(**options)) == 0


def test_pruned_forests_of_names_and_angles():
    points = np.array([[k, 0] for k in range(10)] + [[5, 0.5], [5, 1.0], [5.2, 1.0], [0, 7], [1, 7]])
    on_sphere = Graph.from_points(points / 10, "haversine", degrees=True, names="abcdefghijklmno")
    for graph, longest in (Graph.from_points(points), 3), (on_sphere, "0.3deg"):
        found = boruvka.minimum_spanning_forest(graph).prune(longest, fewest=4)
        pairs = {*zip(found.u.tolist(), found.v.tolist(), strict=True)}
        assert pairs == {(k, k + 1) for k in range(9)} | {(13, 14)}
        with pytest.raises(GraphError, match="collapsed or pruned"):
            found.sensitivity()
    with pytest.raises(OptionError, match="fewest must be an integer 1 or more"):
        found.prune(fewest=0)


def test_distances_of_ends():
    rng = np.random.default_rng(1)
    points = rng.random((200, 2))
    for options in {}, {"box": [1, np.inf]}, {"min_samples": 4}:
        forest = boruvka.minimum_spanning_forest(Graph.from_points(points, **options))
        found = validity.valid_branches(forest, forest.branches())
        t = np.abs(points[found.source] - points[found.target])
        if "box" in options:
            t[:, 0] = np.minimum(t[:, 0], 1 - t[:, 0])
        np.testing.assert_allclose(found.distance, np.hypot(*t.T), rtol=1e-12)
        assert (found.length >= found.distance * (1 - 1e-12)).all()
    graph = Graph.from_edges([0, 1], [1, 2], [7, 9])
    assert np.isnan(boruvka.minimum_spanning_forest(graph).branches().distance).all()
    graph = graph.with_coordinates([[0, 0], [5, 5], [3, 4]])
    assert boruvka.minimum_spanning_forest(graph).branches().distance.tolist() == [5]
    assert np.isnan(
        boruvka.minimum_spanning_forest(graph.with_coordinates([[0, 0]] * 3, "lonlat")).branches().distance
    ).all()


@pytest.mark.needs("pandas")
def test_integers_as_names_are_integers_in_frames():
    import pandas as pd

    frame = pd.DataFrame([[11, 0], [12, 1], [13, 3]], columns=["id", "x"]).set_index("id")
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(frame))
    for table in forest.to_pandas(), forest.branches().to_pandas():
        assert table[["source", "target"]].dtypes.tolist() == [np.int64, np.int64]
    large = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(frame, names=[2**63, -1, 2**70]))
    assert {*large.to_pandas()["source"], *large.to_pandas()["target"]} == {2**63, -1, 2**70}


@pytest.mark.needs("pandas")
def test_a_frame_has_names():
    forest = boruvka.minimum_spanning_forest(Graph.from_edges(["a", "b"], ["b", "c"], [7, 9]))
    frame = forest.branches().to_pandas()
    assert frame.columns.tolist() == ["source", "target", "edges", "length", "distance"]
    assert {frame.source[0], frame.target[0]} == {"a", "c"}
    assert (frame.edges.tolist(), frame.length.tolist()) == ([2], [16])


def test_a_large_forest_as_networkx_divides_it():
    """The components of the edges, joined at vertices with two edges."""
    forest = boruvka.minimum_spanning_forest(Graph.from_points(np.random.default_rng(2).random((3_000, 2))))
    tree = networkx.Graph(zip(forest.u.tolist(), forest.v.tolist(), strict=True))
    lines = networkx.line_graph(tree)
    shared = [(e, f) for e, f in lines.edges if tree.degree[(set(e) & set(f)).pop()] != 2]
    lines.remove_edges_from(shared)
    assert len(forest.branches().length) == networkx.number_connected_components(lines)
