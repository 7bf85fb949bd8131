"""Borůvka's algorithm on the light edges first; the heavy ones pass a filter.

Idea: a forest of the lightest edges, one and a half for each vertex, already joins nearly everything.
Most of the other edges then lie inside a component, and are dropped by one look at both ends before
anything is stored for them.

Source: the filter of V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree
Algorithm, ALENEX 2009, section 3; with Borůvka's rounds in place of Kruskal's.

Why it is right: the rounds over the light edges give their minimum spanning forest, which is what
Kruskal's algorithm would have when it reaches the pivot. A heavier edge with both ends in one of its
components closes a cycle on which it is the heaviest, and is in no minimum spanning forest (cycle
property).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka import operators as op
from boruvka.algorithms import boruvka
from boruvka.backends.base import Backend
from boruvka.graph import Graph
from boruvka.order import Order
from boruvka.rounds import Journal

LIGHT_PER_VERTEX = 1.5
"""Light edges for each vertex: 94 % of a random graph's vertices are then in one component."""
SAMPLE = 4096


def solve(graph: Graph, order: Order, backend: Backend, journal: Journal) -> Any:
    """Find the minimum spanning forest of the light edges, then of what the others add.

    Parameters
    ----------
    graph : Graph
    order : Order
    backend : Backend
    journal : Journal

    Returns
    -------
    (f,) array of int64
        The edges of the forest, ascending.
    """
    if graph.m <= LIGHT_PER_VERTEX * graph.n:  # every edge would be light
        return boruvka.solve(graph, order, backend, journal)
    contraction = boruvka.Contraction(graph, order, backend, journal, keep_labels=True)
    edges = graph.u, graph.v, order.bits, order.packing
    whole, pivot = backend.split(graph.m), pivot_of(graph, order, backend)
    work = boruvka.work_list(graph, order, backend)
    light = backend.emit(op.light, whole, work, *edges, *pivot)
    contraction.run("light", work, light)
    label = contraction.labels()

    is_outside = backend.empty((graph.n + 63) // 64, np.uint64)
    backend.for_each(op.mark_outside, is_outside.size, label, _most_frequent(label), is_outside)
    rest = backend.emit(op.outside, whole, work, *edges, is_outside)
    crossing = backend.emit(op.contract_listed, rest, work, *work[:3], work[-1], label)
    contraction.run("heavy", work, crossing)
    in_forest = contraction.in_forest
    del contraction, work, label  # before the answer takes room
    return backend.members(in_forest)


def pivot_of(graph: Graph, order: Order, backend: Backend) -> tuple[np.uint64, np.uint64]:
    """Find the key (and index) of about the last light edge, from a sample of the edges."""
    sample = np.random.default_rng(0).integers(0, graph.m, SAMPLE, np.uint64)
    key = backend.empty(SAMPLE, np.uint64)
    backend.for_each(op.sample_key, SAMPLE, sample, order.bits, order.packing, key)
    j = np.lexsort((sample, key))[int(SAMPLE * LIGHT_PER_VERTEX * graph.n / graph.m)]
    return key[j], sample[j]


def _most_frequent(label: Any) -> int:
    sample = label[np.random.default_rng(0).integers(0, label.size, SAMPLE)]
    values, counts = np.unique(sample, return_counts=True)
    return values[counts.argmax()]
