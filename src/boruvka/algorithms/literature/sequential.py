"""Borůvka's algorithm on one thread: scan all edges, then merge components along their lightest edges.

Idea: every round scans all edges of the graph, and union-find by rank merges components, until the number of
components stops falling.

Source: K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University, "Sequential
Implementation".

Why it is right: see `boruvka.algorithms.boruvka`. Two components that chose each other chose the same edge,
which merges them once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_keys import edge_keys
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators.sort_keys import NONE
from boruvka.operators.union_find import find, is_root, make_set, union_by_rank


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest in rounds over all edges, on one thread."""
    n, m = graph.n, graph.m
    key, in_forest = edge_keys(graph, backend), backend.zeros(m, bool)
    parent, rank = backend.empty(n, graph.u.dtype), backend.zeros(n, np.uint8)
    backend.for_each(make_set, n, parent)
    lightest = backend.empty(n, np.uint64)
    components, before = n, n + 1
    while 1 < components < before:
        round_log.begin("all", components, m)
        with round_log.step("find"):
            lightest.fill(NONE)
            backend.for_each_in_order(keep_if_lightest, m, graph.u, graph.v, key, parent, lightest)
        with round_log.step("contract"):
            arrays = graph.u, graph.v, lightest, parent, rank, in_forest
            backend.for_each_in_order(merge_along_lightest, n, *arrays)
            components, before = backend.count(is_root, n, parent), components
    return backend.flatnonzero(in_forest)


def keep_if_lightest(i, u, v, key, parent, lightest):
    """Make edge i the lightest edge of the components of its ends if no lighter one was seen."""
    a, b = find(u[i], parent), find(v[i], parent)
    if a != b:
        for c in (a, b):
            if lightest[c] == NONE or key[i] < key[lightest[c]]:  # of equal keys the first
                lightest[c] = i


def merge_along_lightest(c, u, v, lightest, parent, rank, in_forest):
    """Merge component c along its lightest edge, if any."""
    i = lightest[c]
    if i != NONE and union_by_rank(u[i], v[i], parent, rank):
        in_forest[i] = True
