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

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature.fuh_vemuri import keep_lighter, merge_in_rounds
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.operators.sort_keys import U64
from boruvka.operators.union_find import store_root
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
    n, ranges = edge_list.n, min(backend.threads, edge_list.n)
    key, root = edge_list.keys(backend), backend.empty(n, edge_list.u.dtype)

    def find_lightest(parent, lightest):
        for k in range(ranges):
            first, last = n * k // ranges, n * (k + 1) // ranges
            round_log.note(f"thread {k}: components {first} to {last}")
        backend.for_each(store_root, n, parent, root)
        arrays = edge_list.u, edge_list.v, key, root, lightest
        backend.for_each_block(search, ranges, [], U64(ranges), *arrays)

    return merge_in_rounds(edge_list, backend, round_log, find_lightest)


def search(k, ranges, u, v, key, root, lightest):
    """Find the lightest edge of every component in the k-th range, in one scan of all edges."""
    n = U64(root.size)
    first, last = n * k // ranges, n * (k + ONE) // ranges
    for i in range(U64(key.size)):
        a, b = root[u[i]], root[v[i]]
        if a != b:
            if first <= a < last:
                keep_lighter(i, a, key, lightest)
            if first <= b < last:
                keep_lighter(i, b, key, lightest)
