"""Prize-collecting trees against all sets of vertices, and a bound against integer programs."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError
from tests.oracles import components, is_forest, kruskal
from tests.strategies import graphs
from tests.validity import valid_steiner_tree


def exact(values):
    """Return numbers as fractions."""
    return [Fraction(*x.as_integer_ratio()) if x.dtype.kind == "f" else Fraction(int(x)) for x in values]


def least_total(graph, prizes, root):
    """Return the least total of all trees, by all sets of vertices."""
    w, p, least = exact(graph.w), exact(prizes), None
    for size in range(1, graph.n + 1):
        for inside in combinations(range(graph.n), size):
            if root is not None and root not in inside:
                continue
            edges = np.flatnonzero(np.isin(graph.u, inside) & np.isin(graph.v, inside))
            chosen = edges[kruskal(graph.n, graph.u[edges], graph.v[edges], graph.w[edges])]
            if chosen.size == size - 1:
                total = sum(w[i] for i in chosen) + sum(p[x] for x in range(graph.n) if x not in inside)
                least = total if least is None else min(least, total)
    return least


def check(graph, prizes, root, tree):
    """Check that a result is a tree with the root, and that its total is what it says."""
    valid_steiner_tree(tree)
    assert is_forest(graph.n, graph.u, graph.v, tree.edges)
    assert tree.n_components == (tree.terminals.size > 0)
    assert root is None or root in tree.terminals
    assert all(prizes[x] > 0 or x == root for x in tree.terminals)
    total = sum(exact(graph.w[tree.edges])) + sum(exact(np.delete(prizes, tree.vertices)))
    assert float(total) == pytest.approx(tree.total, rel=1e-15)
    return total


@given(graphs(6, 12, [np.dtype("u1")]), st.data())
def test_totals_and_bounds(graph, data):
    size = data.draw(st.sampled_from([2, 20, 300, 10**6, 10**18]))
    prizes = np.array(data.draw(st.lists(st.integers(0, size), min_size=graph.n, max_size=graph.n)), int)
    if not graph.n:
        return
    root = data.draw(st.none() | st.integers(0, graph.n - 1))
    tree = boruvka.prize_collecting_tree(graph, prizes, root)
    total, least = check(graph, prizes, root, tree), least_total(graph, prizes, root)
    assert tree.bound <= least <= total <= 2 * least
    assert isinstance(tree.bound, int)
    if root is not None:
        assert total <= 2 * tree.bound
    assert tree.gap == pytest.approx(float(1 - tree.bound / total) if total else 0)
