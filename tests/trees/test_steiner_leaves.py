"""Steiner trees whose terminals are leaves, against all sets of edges and an integer program."""

from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, hstack, vstack

import boruvka
from boruvka import Graph, GraphError
from boruvka.trees import steiner
from tests.oracles import is_forest
from tests.strategies import graphs


def check(graph, terminals, tree):
    """Check that a result is a tree in which each terminal is the end of one edge."""
    assert is_forest(graph.n, graph.u, graph.v, tree.edges)
    assert tree.n_components == 1
    degree = np.bincount(np.concatenate([tree.u, tree.v]).astype(int), minlength=graph.n)
    assert (degree[terminals] == 1).all()
    assert set(np.flatnonzero(degree == 1).tolist()) == set(terminals)


def lightest_by_edges(graph, terminals):
    """Return the weight of the lightest tree with leaves, None if there is none, by all sets of edges."""
    least = None
    for size in range(1, graph.n):
        for edges in map(list, combinations(range(graph.m), size)):
            degree = np.bincount(np.concatenate([graph.u[edges], graph.v[edges]]).astype(int))
            if max(terminals) >= degree.size or (degree[terminals] != 1).any():
                continue
            tree = networkx.MultiGraph([*zip(graph.u[edges].tolist(), graph.v[edges].tolist(), strict=True)])
            if networkx.is_tree(tree):
                weight = sum(graph.w[edges].tolist())
                least = weight if least is None else min(least, weight)
    return least


@given(graphs(6, 9, [np.dtype("u1")]), st.data())
def test_all_sets_of_edges(graph, data):
    if graph.n < 2:
        return
    chosen = st.sets(st.integers(0, graph.n - 1), min_size=2, max_size=4)
    terminals = sorted(data.draw(chosen))
    if np.unique(boruvka.minimum_spanning_forest(graph).labels[terminals]).size > 1:
        return
    least = lightest_by_edges(graph, terminals)
    if least is None:
        with pytest.raises(GraphError, match="leaves: the terminals"):
            boruvka.steiner_tree(graph, terminals, leaves=True)
        return
    tree = boruvka.steiner_tree(graph, terminals, leaves=True, improve=data.draw(st.booleans()))
    check(graph, terminals, tree)
    assert tree.lower_bound <= least <= tree.weight


def integer_optimum(graph, terminals):
    """Return the least weight of a tree with leaves, by flows of one unit to each terminal (HiGHS)."""
    n, m = graph.n, graph.m
    root, *others = terminals
    tail, head = np.concatenate([graph.u, graph.v]), np.concatenate([graph.v, graph.u])
    arcs = np.arange(2 * m)
    entering, leaving = (coo_array((np.ones(2 * m), (x, arcs)), (n, 2 * m)).tocsr() for x in (head, tail))
    demand = np.isin(np.arange(n), others).astype(float)
    demand[root] = -len(others)
    zero = coo_array((n, 2 * m)).tocsr()
    flow = hstack([zero, entering - leaving])
    capacity = hstack([-len(others) * coo_array(np.eye(2 * m)), coo_array(np.eye(2 * m))])
    degree = hstack([entering + leaving, zero]).tocsr()[terminals]
    ones = np.ones(len(terminals))
    low = np.concatenate([demand, np.full(2 * m, -np.inf), ones])
    high = np.concatenate([demand, np.zeros(2 * m), ones])
    found = milp(
        np.concatenate([graph.w, graph.w, np.zeros(2 * m)]),
        constraints=LinearConstraint(vstack([flow, capacity, degree]), low, high),
        integrality=np.concatenate([np.ones(2 * m), np.zeros(2 * m)]),
        bounds=Bounds(0, np.concatenate([np.ones(2 * m), np.full(2 * m, np.inf)])),
    )
    assert found.success
    return round(found.fun)


@pytest.mark.parametrize("is_exact", [True, False])
def test_integer_programs(is_exact, monkeypatch):
    """The lightest trees of few terminals, and those of the search for more of them."""
    if not is_exact:
        monkeypatch.setattr(steiner.Search, "has_few_terminals", False)
    ratios, bounds = [], []
    for seed in range(15):
        graph = boruvka.generators.grid(4, 5, seed=seed, weights="integers_1000", dtype="int64")
        terminals = sorted(np.random.default_rng(seed).choice(graph.n, 5, replace=False).tolist())
        try:
            tree = boruvka.steiner_tree(graph, terminals, leaves=True, improve=True)
        except GraphError:  # a terminal in a corner between two others
            continue
        check(graph, terminals, tree)
        least = integer_optimum(graph, terminals)
        assert tree.lower_bound <= least <= tree.weight
        assert tree.is_optimal == is_exact
        ratios.append(tree.weight / least)
        bounds.append(tree.lower_bound / least)
    assert (len(ratios), ratios.count(1)) == (14, 14 if is_exact else 7)
    if is_exact:
        assert bounds == ratios
        return
    assert np.mean(ratios) == pytest.approx(1.05, abs=0.005)
    assert np.mean(bounds) == pytest.approx(0.91, abs=0.005)


def test_a_tree_whose_terminals_are_leaves_already_is_not_made_heavier():
    """Terminals with one edge each are leaves of every tree, so the tree is what it is without the rule."""
    for seed in range(20):
        grid = boruvka.generators.grid(12, 12, seed=seed, weights="uniform")
        at = np.random.default_rng(seed).choice(grid.n, 9, replace=False)
        u, v, w = (
            np.append(grid.u, at),
            np.append(grid.v, grid.n + np.arange(9)),
            np.append(grid.w, [0.1] * 9),
        )
        for improve in False, True:
            graph, terminals = Graph(grid.n + 9, u, v, w), grid.n + np.arange(9)
            free = boruvka.steiner_tree(graph, terminals, improve=improve)
            tied = boruvka.steiner_tree(graph, terminals, leaves=True, improve=improve)
            check(graph, terminals.tolist(), tied)
            assert tied.weight <= free.weight


def test_two_terminals_and_several_components():
    two = Graph(7, [0, 1, 3, 3, 3, 4], [1, 2, 4, 5, 6, 5], [1, 1, 1, 1, 1, 0])
    assert boruvka.steiner_tree(two, [0, 1], leaves=True).edges.tolist() == [0]
    assert boruvka.steiner_tree(two, [2], leaves=True).edges.tolist() == []
    assert boruvka.steiner_tree(two, [], leaves=True).edges.tolist() == []
    with pytest.warns(boruvka.GraphWarning, match="in 2 components"):
        tree = boruvka.steiner_tree(two, [0, 2, 4, 5, 6], leaves=True)
    assert tree.edges.tolist() == [0, 1, 2, 3, 4]
    assert tree.lower_bound <= tree.weight == 5


def test_the_terminal_that_cannot_be_a_leaf():
    path = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1)]
    with pytest.raises(GraphError, match=r"\['d'\] are connected with the others through terminals alone"):
        boruvka.steiner_tree(path, ["a", "c", "d"], leaves=True)
    with pytest.raises(GraphError, match="leave them out, or let paths go through terminals"):
        boruvka.steiner_tree([("a", "b", 1), ("b", "c", 1)], ["a", "b", "c"], leaves=True)
    with pytest.raises(boruvka.OptionError, match="leaves"):
        boruvka.steiner_tree(path, ["a", "b"], leaves="yes")
