import networkx as nx
import numpy as np
import pytest

from boruvka.generators import grid


def edge_set(graph):
    edges = {frozenset(edge) for edge in zip(graph.u.tolist(), graph.v.tolist(), strict=True)}
    assert len(edges) == graph.m
    return edges


def networkx_edges(graph):
    return {frozenset(edge) for edge in graph.edges}


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (1, 7), (7, 1), (2, 2), (5, 9), (30, 20)])
def test_a_full_grid_is_the_grid_of_networkx(rows, cols, shuffle):
    graph = grid(rows, cols, shuffle=shuffle)
    expected = nx.grid_2d_graph(rows, cols)
    expected = nx.relabel_nodes(expected, {(r, c): r * cols + c for r, c in expected})
    assert graph.n == rows * cols
    assert edge_set(graph) == networkx_edges(expected)


def test_edges_of_a_grid_are_numbered_along_the_rows():
    graph = grid(2, 3)
    assert graph.u.tolist() == [0, 0, 1, 1, 2, 3, 4]
    assert graph.v.tolist() == [1, 3, 2, 4, 5, 4, 5]


def test_edges_are_dropped_with_their_probability():
    full, some = grid(100, 100), grid(100, 100, drop_probability=0.4, seed=1)
    assert edge_set(some) < edge_set(full)
    assert some.m == pytest.approx(full.m * 0.6, abs=5 * (full.m * 0.24) ** 0.5)
    assert grid(100, 100, drop_probability=1).m == 0
    assert edge_set(grid(100, 100, drop_probability=0.4, seed=2)) != edge_set(some)


def test_shuffling_changes_only_the_order():
    plain, shuffled = (
        grid(30, 30, drop_probability=0.3, seed=1),
        grid(30, 30, drop_probability=0.3, seed=1, shuffle=True),
    )
    assert edge_set(plain) == edge_set(shuffled)
    assert (plain.u != shuffled.u).mean() > 0.9
    np.testing.assert_array_equal(plain.w, shuffled.w)
