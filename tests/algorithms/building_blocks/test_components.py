"""Relabelling of hooked trees, and its composition; the lightest edges in three cases of ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.algorithms.building_blocks.components import Components, LightestEdges
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.backends.primitives import Backend
from boruvka.runtime.round_log import RoundLog
from tests.strategies import graphs

NONE = np.uint64(2**64 - 1)


@st.composite
def rounds_of(draw):
    """Draw rounds: in each, some components hook onto smaller ones, and some roots have no edge left."""
    n = draw(st.integers(1, 12))
    rounds, left = [], n
    while left and len(rounds) < 4:
        parent = [draw(st.integers(0, c)) for c in range(left)]
        roots = [c for c in range(left) if parent[c] == c]
        growing = [c for c in roots if draw(st.booleans())]
        rounds.append((parent, growing))
        left = len(growing)
    return n, rounds


def relabelled(parent, growing):
    """Number the roots that grow, and then the others; return the number of each component's root."""
    roots = [c for c, p in enumerate(parent) if p == c]
    order = growing + [c for c in roots if c not in growing]
    root = []
    for p in parent:
        root.append(root[p] if p < len(root) else p)
    return [order.index(r) for r in root]


@given(rounds_of())
def test_labels_of_rounds_are_composed(drawn):
    n, rounds = drawn
    log = RoundLog()
    log.begin("test", n, 0)
    components = Components(n, np.uint32, Backend(), log)
    components.begin_relabelling()
    trees = [{x} for x in range(n)]  # of each component that still grows
    finished = []
    for parent, growing in rounds:
        components.parent[: len(parent)] = parent
        chosen = np.array([0 if c in growing else NONE for c in range(len(parent))], np.uint64)
        label = components.relabel(chosen, NONE).tolist()
        expected = relabelled(parent, growing)
        assert [x for x, e in zip(label, expected, strict=True) if e < len(growing)] == [
            e for e in expected if e < len(growing)
        ]
        merged = [set() for _ in range(max(expected) + 1)]
        for c, e in enumerate(expected):
            merged[e] |= trees[c]
        trees, finished = merged[: len(growing)], finished + merged[len(growing) :]
        assert components.n_components == len(growing)
    composed = components.end_relabelling().tolist()
    assert components.n_components == len(trees) + len(finished)
    groups = {frozenset(x for x in range(n) if composed[x] == label) for label in set(composed)}
    assert groups == {frozenset(tree) for tree in trees + finished}


@pytest.mark.parametrize("trees", [1, 3])
def test_finished_trees_are_numbered(trees):
    log = RoundLog()
    log.begin("test", 3, 0)
    components = Components(3, np.uint32, Backend(), log)
    components.begin_relabelling()
    components.finish(np.arange(3, dtype=np.uint32) % trees, trees)
    assert components.end_relabelling().tolist() == [0, 1 % trees, 2 % trees]
    assert components.n_components == trees


BACKEND = Backend()


def by_brute_force(graph, maximum):
    """Find the index of the lightest edge at each vertex that is no loop, by (weight, index)."""
    lightest = [None] * graph.n
    weights = graph.w.tolist() if graph.w.dtype.itemsize <= 8 else list(graph.w)
    order = sorted(range(graph.m), key=lambda i: (-weights[i] if maximum else weights[i], i))
    for i in reversed(order):
        if graph.u[i] != graph.v[i]:
            lightest[graph.u[i]] = lightest[graph.v[i]] = i
    return lightest


@pytest.mark.parametrize("kind", ["input", "worklist", "unordered worklist"])
@given(graph=graphs(), maximum=st.booleans())
def test_the_lightest_edge_of_each_vertex(kind, graph, maximum):
    edges = EdgeList.of(graph, maximum, BACKEND)
    view = EdgeView.of(edges, BACKEND)
    if kind != "input":
        view = view.contracted(np.arange(graph.n, dtype=edges.u.dtype))
    if kind == "unordered worklist":
        for column in view.into.columns:
            column[: view.count] = column[: view.count][::-1].copy()
    lightest = LightestEdges(edges, BACKEND, ordered=kind != "unordered worklist")
    lightest.propose(view, graph.n)
    assert lightest.may_tie == (edges.sort_keys.keys_lack_index or kind == "unordered worklist")
    if lightest.may_tie:
        lightest.break_ties(view, graph.n)
    for choice, expected in zip(lightest.chosen, by_brute_force(graph, maximum), strict=True):
        assert (choice == lightest.none) == (expected is None)
        if expected is not None:
            position = int(choice & lightest.position_mask)
            edge_id = position if kind == "input" else view.columns.edge_id[position]
            assert int(edge_id) & int(edges.sort_keys.index_mask) == expected
