"""Kruskal's algorithm without sorting what a filter drops.

Idea: quicksort that does the lighter part first, joins its trees, and drops from the heavier part, before
that is sorted, every edge whose ends are in one tree by then.

Source: V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree Algorithm, ALENEX
2009, figure 2.

Why it is right: edges join in the order of Kruskal's algorithm, and one that the filter drops would join
nothing there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks import radix_sort as radix
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.union_find import make_set, union
from boruvka.backends.protocol import Backend, WorkList
from boruvka.forest.round_log import RoundLog
from boruvka.operators.boruvka_round import emit_input
from boruvka.operators.sort_keys import U64, is_at_or_before

FEW = 20_000
"""Edges that are sorted without a look for a pivot."""
SAMPLE = 255


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Sort and join part by part."""
    in_forest = backend.zeros(graph.m, bool)
    parent, rank = backend.empty(graph.n, graph.u.dtype), backend.zeros(graph.n, np.uint8)
    backend.for_each(make_set, graph.n, parent)
    first_bit = int(graph.sort_keys.packing.index_bits)
    step = round_log.step

    def join(edges):
        """Sort edges, and take those that join two trees."""
        key, index = edges
        with step("sort"):
            index = radix.sort(backend, key, index, first_bit)[1]
        with step("join"):
            backend.for_each_in_order(
                join_listed, index.size, index, graph.u, graph.v, parent, rank, in_forest
            )

    def grow(edges):
        """Take the lighter half, then what the filter leaves of the heavier one."""
        size = edges[0].size
        if not size:
            return
        round_log.begin("part", graph.n, size)
        if size <= FEW:
            return join(edges)
        with step("split"):
            light, heavy = _halves(backend, edges)
        if not light[0].size or not heavy[0].size:  # no pivot between them
            return join(edges)
        grow(light)
        del edges, light
        round_log.begin("part", graph.n, heavy[0].size)
        with step("filter"):
            into = _room(backend, heavy[0].size)
            begins = backend.emit_grouped(joins, heavy[0].size, into, 1, *heavy, graph.u, graph.v, parent)
            heavy = [array[: int(begins[-1])] for array in into]
        return grow(heavy)

    round_log.begin("all", graph.n, graph.m)
    with step("list"):
        edges = _room(backend, graph.m)
        given = graph.columns
        begins = backend.emit_grouped(keyed, graph.m, edges, 1, *given)
    grow([array[: int(begins[-1])] for array in edges])
    with step("list"):
        return backend.flatnonzero(in_forest)


def _room(backend: Backend, size: int) -> WorkList:
    return backend.empty_worklist(size, (np.uint64, np.uint64))


def _halves(backend: Backend, edges: list[Any]) -> tuple[list[Any], list[Any]]:
    """Split edges, (key, index), at the median of a sample."""
    size = edges[0].size
    drawn = backend.to_device(np.random.default_rng(size).integers(0, size, SAMPLE))
    key, index = (backend.to_host(array[drawn]) for array in edges)
    middle = np.lexsort((index, key))[SAMPLE // 2]
    into = _room(backend, size)
    begins = backend.emit_grouped(by_half, size, into, 2, *edges, key[middle], index[middle])
    cut = int(begins[1])
    return [array[:cut] for array in into], [array[cut:] for array in into]


def keyed(i, u, v, bits, packing):
    """Emit given edge i, in the only group, unless it is a loop."""
    keep, _, _, key, index = emit_input(i, u, v, bits, packing)
    return keep, U64(0), key, index


def by_half(k, key, index, pivot, pivot_index):
    """Emit the k-th edge by whether it comes after the pivot."""
    return True, U64(not is_at_or_before(key[k], index[k], pivot, pivot_index)), key[k], index[k]


def joins(k, key, index, u, v, parent):
    """Emit the k-th edge, in the only group, if its ends are in two trees."""
    i = index[k]
    return root(u[i], parent) != root(v[i], parent), U64(0), key[k], i


def root(x, parent):
    """Find the root of x, and change nothing, for others look too."""
    while parent[x] != x:
        x = parent[x]
    return x


def join_listed(k, index, u, v, parent, rank, in_forest):
    """Take the k-th edge if its ends are in two trees."""
    i = index[k]
    in_forest[i] = union(u[i], v[i], parent, rank)
