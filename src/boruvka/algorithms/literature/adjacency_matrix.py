"""The adjacency-matrix report (IIT Hyderabad, 2025): a range of components for each thread.

Idea: each thread owns a range of component numbers and finds the lightest edges of these components; threads
share only arrays that none of them writes. Then one thread merges components along the edges found.

Source: Parallel implementation of Borůvka's algorithm, IIT Hyderabad, 2025, sections 4 and 5. There a thread
scans all edges for each of its components. Here it scans them once for all its components, so a thread does
m work instead of m times the number of its components.

Why it is right: see `boruvka.algorithms.boruvka`. Two components may find the same edge; it merges them once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature.fuh_vemuri import keep_lighter, merge_along_lightest
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import is_root, make_set, store_root
from boruvka.runtime.round_log import RoundLog

ONE = U64(1)


@algorithm(
    "component-ranges",
    source="adjacency-matrix report (IIT Hyderabad, 2025)",
    complexity="O(m log n) on each thread",
    use="comparison; the log lists the range of each thread",
)
def component_ranges(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest; the round log notes the range of components of each thread."""
    n, m = edge_list.n, edge_list.m
    key, in_forest = edge_list.keys(backend), backend.zeros(m, bool)
    parent, root = backend.empty(n, edge_list.u.dtype), backend.empty(n, edge_list.u.dtype)
    rank = backend.zeros(n, np.uint8)
    backend.for_each(make_set, n, parent)
    lightest = backend.empty(n, np.uint64)
    ranges = min(backend.threads, n)
    components, before = n, n + 1
    while 1 < components < before:
        round_log.begin("all", components, m)
        for k in range(ranges):
            first, last = n * k // ranges, n * (k + 1) // ranges
            round_log.note(f"thread {k}: components {first} to {last}")
        with round_log.step("find"):
            lightest.fill(NONE)
            arrays = edge_list.u, edge_list.v, key, parent, lightest
            backend.for_each_block(search, ranges, [], U64(ranges), *arrays)
        with round_log.step("merge"):
            forest = edge_list.u, edge_list.v, lightest, parent, rank, in_forest
            backend.for_each_in_order(merge_along_lightest, n, *forest)
            backend.for_each(store_root, n, parent, root)
            parent, root = root, parent
            components, before = backend.count(is_root, n, parent), components
        round_log.note(f"{before - components} edges added")
    return backend.flatnonzero(in_forest)


def search(k, ranges, u, v, key, parent, lightest):
    """Find the lightest edge of every component in the k-th range, in one scan of all edges."""
    n = U64(parent.size)
    first, last = n * k // ranges, n * (k + ONE) // ranges
    for i in range(U64(key.size)):
        a, b = parent[u[i]], parent[v[i]]
        if a != b:
            if first <= a < last:
                keep_lighter(i, a, key, lightest)
            if first <= b < last:
                keep_lighter(i, b, key, lightest)
