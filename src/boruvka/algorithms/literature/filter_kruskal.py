"""Kruskal's algorithm with a filter that drops most edges before they are sorted.

Idea: quicksort that solves the lighter part first. Before the heavier part is sorted, the filter drops
every edge of it whose ends are in one tree by then.

Source: V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree Algorithm, ALENEX
2009, figure 2.

Why it is right: edges are taken in the order of Kruskal's algorithm, which would not take an edge that the
filter drops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.operators.counter_rng import sample_below
from boruvka.operators.edges import read_input
from boruvka.operators.sort_keys import U64, is_at_or_before
from boruvka.operators.union_find import make_set, union_by_rank
from boruvka.runtime.round_log import RoundLog

MEDIAN_SAMPLE = 255
EDGE = np.uint64, np.uint64
"""The types of the key and of the index of an edge."""


@algorithm(
    "filter-kruskal",
    source="Osipov, Sanders, Singler 2009",
    complexity="O(m + n log n log(m/n)) expected on random weights",
    use="random weights on one core, with little memory for sorting",
)
def filter_kruskal(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest part by part, the lightest edges first."""
    in_forest = backend.zeros(edge_list.m, bool)
    parent, rank = backend.empty(edge_list.n, edge_list.u.dtype), backend.zeros(edge_list.n, np.uint8)
    backend.for_each(make_set, edge_list.n, parent)
    step = round_log.step

    def run_kruskal(edges):
        """Sort edges, and take those that join two trees."""
        key, index = edges
        with step("sort"):
            index = index[backend.argsort(key).astype(np.int64)]  # of equal keys, the first index is first
        with step("join"):
            arrays = index, edge_list.u, edge_list.v, parent, rank, in_forest
            backend.for_each_in_order(take_if_joins, index.size, *arrays)

    def solve_part(edges):
        """Solve the lighter half, then filter and solve the heavier half."""
        size = edges[0].size
        if not size:
            return
        round_log.begin("part", edge_list.n, size)
        if size <= backend.tuning.filter_kruskal_sorts_up_to:
            return run_kruskal(edges)
        with step("split"):
            light, heavy = _halves(backend, edges)
        if not light[0].size or not heavy[0].size:  # the pivot does not split them
            return run_kruskal(edges)
        solve_part(light)
        del edges, light
        round_log.begin("part", edge_list.n, heavy[0].size)
        with step("filter"):
            arrays = *heavy, edge_list.u, edge_list.v, parent
            heavy = backend.emit_one_group(emit_if_joins, heavy[0].size, EDGE, *arrays)
        return solve_part(heavy)

    round_log.begin("all", edge_list.n, edge_list.m)
    with step("list"):
        edges = backend.emit_one_group(emit_key_and_index, edge_list.m, EDGE, edge_list.columns)
    solve_part(edges)
    with step("list"):
        return backend.flatnonzero(in_forest)


def _halves(backend: Backend, edges: list[Any]) -> tuple[list[Any], list[Any]]:
    """Split edges, (key, index), at the median of a sample."""
    size = edges[0].size
    sample = backend.to_device(sample_below(size, MEDIAN_SAMPLE))
    key, index = (backend.to_host(array[sample]) for array in edges)
    median = np.lexsort((index, key))[MEDIAN_SAMPLE // 2]
    into = backend.empty_worklist(size, EDGE)
    begins = backend.emit_grouped(emit_by_half, size, into, 2, *edges, key[median], index[median])
    heavy = int(begins[1])
    return [array[:heavy] for array in into], [array[heavy:] for array in into]


def emit_key_and_index(i, edges):
    """Emit input edge i, in the only group, unless it is a loop."""
    a, b, key, index = read_input(i, edges)
    return a != b, U64(0), key, index


def emit_by_half(k, key, index, pivot, pivot_index):
    """Emit the k-th edge, grouped by whether it is heavier than the pivot."""
    return True, U64(not is_at_or_before(key[k], index[k], pivot, pivot_index)), key[k], index[k]


def emit_if_joins(k, key, index, u, v, parent):
    """Emit the k-th edge, in the only group, if its ends are in two trees."""
    i = index[k]
    return root_of(u[i], parent) != root_of(v[i], parent), U64(0), key[k], i


def root_of(x, parent):
    """Find the root of x without path compression: no thread writes."""
    while parent[x] != x:
        x = parent[x]
    return x


def take_if_joins(k, edges, u, v, parent, rank, in_forest):
    """Take the k-th lightest edge if its ends are in two trees."""
    i = edges[k]
    in_forest[i] = union_by_rank(u[i], v[i], parent, rank)
