"""The order of edges and the heaviest edges of paths, against searches."""

import numpy as np
import pytest

from boruvka import Forest, Graph
from boruvka.errors import GraphError
from boruvka.verification import merge_trees as module
from boruvka.verification.merge_trees import MergeTrees, merge_trees, path_rank
from tests.trees.test_path_maxima import highest_ranks, random_forest


@pytest.mark.parametrize("shape", ["path", "star", "random", "legs"])
@pytest.mark.parametrize("n", [2, 33, 300, 1000])
def test_ranks_are_those_of_paths(monkeypatch, n, shape):
    monkeypatch.setattr(module, "MERGES_AT_ONCE", 17)
    generator = np.random.default_rng(n)
    u, v = random_forest(n, shape, generator)
    w = generator.integers(0, n // 2, u.size)
    edges = np.sort(generator.choice(3 * n, u.size, replace=False))
    trees = merge_trees(n, edges, u, v, w, False)
    order = np.argsort(w, kind="stable")
    assert trees.edges.tolist() == edges[order].tolist()
    assert trees.weights.tolist() == w[order].tolist()
    others = np.arange(n)
    for t in (0, u.size // 2, u.size):
        labels = Forest(Graph(n, u, v, w), np.sort(order[:t])).labels
        assert np.unique(trees.roots(t)).size == n - t
        assert len(set(zip(trees.roots(t).tolist(), labels.tolist(), strict=True))) == n - t
    for source in generator.integers(0, n, 3).tolist():
        found = highest_ranks(n, u.tolist(), v.tolist(), order.tolist(), source)
        expected = [found.get(x, u.size) for x in range(n)]
        assert trees.path_ranks(np.full(n, source), others).tolist() == expected
        assert trees.path_ranks(others, np.full(n, source)).tolist() == expected
        one = np.uint64(source)
        assert [path_rank(one, x, trees.step) for x in others.astype(np.uint64)] == expected
        anew = trees.renumbered(others[::-1])
        assert anew.path_ranks(np.full(n, n - 1 - source), others[::-1]).tolist() == expected


@pytest.mark.parametrize("maximum", [False, True])
def test_first_edge_of_a_cycle_in_the_order(maximum):
    u, v, w = np.array([0, 1, 2, 3]), np.array([1, 2, 0, 0]), np.array([5, 5, 4, 5])
    assert merge_trees(4, np.arange(4), u, v, w, maximum) == (2 if maximum else 1)
    assert isinstance(merge_trees(4, np.arange(3), u[1:], v[1:], w[1:], maximum), MergeTrees)


def test_too_many_vertices():
    none = np.empty(0, np.int64)
    with pytest.raises(GraphError, match=r"up to 2\*\*32 vertices are verified, not 4294967297"):
        merge_trees(2**32 + 1, none, none, none, none, False)
