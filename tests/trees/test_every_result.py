"""All results of one graph, and the invariants of each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import GraphError, GraphTypeError
from boruvka.trees.selected_edges import SelectedEdges
from tests import validity
from tests.oracles import kruskal
from tests.strategies import graphs

SMALL = [np.dtype(kind) for kind in ("i1", "u8", "i8", "f4", "f8")]


@pytest.mark.filterwarnings("ignore:the height")
@given(graphs(7, 14), st.booleans(), st.data())
def test_forests_and_their_questions(graph, maximum, data):
    validity.valid_graph(graph)
    forest = validity.valid_forest(boruvka.minimum_spanning_forest(graph, maximum=maximum))
    assert SelectedEdges(graph, range(graph.m)).n_components == forest.n_components  # with cycles
    validity.valid_rooted(forest.rooted())
    vertices = st.lists(st.integers(0, max(graph.n - 1, 0)), max_size=5 * (graph.n > 0))
    us = data.draw(vertices)
    vs = data.draw(st.permutations(us))
    validity.valid_bottlenecks(forest, us, vs, forest.bottleneck(us, vs))
    for i in range(len(forest)):
        a, b = int(forest.u[i]), int(forest.v[i])
        assert forest.path(a, b).tolist() == [forest.edges[i]]
    heights = data.draw(
        st.lists(st.sampled_from([-1, 0, 0.1, 2, 2**63, np.inf, *forest.w.tolist()]), max_size=3)
    )
    validity.valid_cuts(forest, forest.cuts(heights))
    validity.valid_sensitivity(forest, forest.sensitivity())
    validity.valid_branches(forest, forest.branches())
    validity.valid_network(forest, forest.network())


@given(graphs(7, 14), st.booleans(), st.data())
def test_constrained_and_updated_forests(graph, maximum, data):
    edges = st.lists(st.integers(0, max(graph.m - 1, 0)), max_size=2 * (graph.m > 0), unique=True)
    required, excluded = data.draw(edges), data.draw(edges)
    try:
        forest = boruvka.minimum_spanning_forest(graph, maximum=maximum, required=required, excluded=excluded)
    except GraphError:
        return
    validity.valid_forest(forest)
    validity.valid_graph(forest.graph)
    validity.valid_cuts(forest, forest.cuts([*forest.w.tolist(), 0]))
    removed = data.draw(edges)
    if not set(removed) & set(required):
        forest = validity.valid_forest(forest.update(removed=removed))
        validity.valid_graph(forest.graph)
    if graph.n and graph.dtype.itemsize <= 8:
        value = np.ones(2, graph.dtype)
        forest = validity.valid_forest(forest.update(([0, graph.n - 1], [graph.n - 1, graph.n], value)))
        validity.valid_graph(forest.graph)
        validity.valid_rooted(forest.rooted())


@given(
    graphs(7, 14, SMALL), st.integers(1, 3), st.integers(0, 9), st.sampled_from(["uniform", "random-weights"])
)
def test_other_forests(graph, k, seed, method):
    for forest in boruvka.edge_disjoint_forests(graph, k):
        validity.valid_forest(forest)
    validity.valid_forest(boruvka.random_spanning_tree(graph, seed=seed, method=method))
    for maximum in False, True:
        batch = boruvka.minimum_spanning_forests([graph, graph], maximum=maximum)
        validity.valid_batch(batch, [graph, graph])
        assert batch[1].edges.tolist() == kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
        assert batch[1].maximum == maximum


@pytest.mark.filterwarnings("ignore:no path connects all")
@given(graphs(7, 14, SMALL), st.data())
def test_steiner_trees_and_arborescences(graph, data):
    if graph.n and graph.w.min(initial=0) >= 0 and np.isfinite(graph.w).all():
        terminals = data.draw(st.lists(st.integers(0, graph.n - 1), max_size=4))
        improve = data.draw(st.booleans())
        validity.valid_steiner_tree(boruvka.steiner_tree(graph, terminals, improve=improve))
    try:
        tree = boruvka.minimum_spanning_arborescence(graph, maximum=data.draw(st.booleans()))
    except (GraphError, GraphTypeError):
        return
    validity.valid_arborescence(tree)
    assert tree.verify()
