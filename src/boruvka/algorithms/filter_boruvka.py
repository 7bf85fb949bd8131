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
from boruvka.algorithms.boruvka import Contraction, as_edges, work_list
from boruvka.backends.base import Backend, Segments, WorkList, places_in, size_of
from boruvka.graph import Graph
from boruvka.order import Order
from boruvka.rounds import Journal

LIGHT_PER_COMPONENT = 1.5
"""Light edges for each component: 94 % of a random graph's vertices are then in one component."""
DENSE = 4
"""Edges for each component from which a filter pays."""
FEW = 25_000
"""Edges: with fewer, the passes of a filter cost more than it saves."""
SAMPLE = 1024


def solve(graph: Graph, order: Order, backend: Backend, journal: Journal) -> Any:
    """Find the minimum spanning forest of the light edges, then of what the others add."""
    if not graph.m:
        return boruvka.solve(graph, order, backend, journal)
    contraction = Contraction(graph, order, backend, journal)
    work = work_list(graph, order, backend)
    ends, keys = (graph.u, graph.v), (order.bits, order.packing)
    whole = backend.split(graph.m)

    journal.begin("light", graph.n, graph.m)
    with journal.step("select"):
        sample = _sample(whole)
        key = backend.empty(sample.size, np.uint64)
        backend.for_each(op.sample_key, sample.size, backend.to_device(sample), *keys, key)
        pivot = pivot_of(backend.to_host(key), sample, contraction.components / graph.m)
        light = backend.sift(op.is_light_given, (*keys, *pivot), op.given, whole, work, *ends, *keys)
    label = settle(contraction, work, light)

    journal.begin("heavy", contraction.components, graph.m)
    with journal.step("filter"):
        outside = backend.empty((graph.n + 63) // 64, np.uint64)
        inside = most_frequent(label, backend)
        backend.for_each(op.mark_outside, outside.size, label, inside, outside)
        crossing = backend.sift(op.is_outside, (*ends, outside), op.given, whole, work, *ends, *keys)
    with journal.step("contract"):
        crossing = backend.emit(op.contract_listed, crossing, work, *as_edges(work), label)
    del label, outside
    grow(contraction, work, crossing)
    return contraction.forest()


def settle(contraction: Contraction, work: WorkList, segments: Segments) -> Any:
    """Find what becomes of each component when these edges join them."""
    contraction.begin_trace()
    grow(contraction, work, contraction.round("round", segments, work))
    return contraction.end_trace()


def grow(contraction: Contraction, work: WorkList, segments: Segments) -> None:
    """Do rounds until no listed edge is left; when edges are many for the components, the light ones first.

    Light edges are put aside, and after their rounds they are in the list as loops.
    """
    backend, journal = contraction.backend, contraction.journal
    while edges := size_of(segments):
        if edges < FEW or edges < DENSE * contraction.components:
            segments = contraction.round("round", segments, work)
            continue
        journal.begin("light", contraction.components, edges)
        with journal.step("select"):
            aside = backend.room(int(segments[-1][1]), [array.dtype for array in work])
            listed = *_, key, name = as_edges(work)
            sample = backend.to_device(_sample(segments))
            sampled = backend.to_host(key[sample]), backend.to_host(name[sample])
            pivot = pivot_of(*sampled, contraction.components / edges)
            light = backend.sift(op.is_light_listed, (key, name, *pivot), op.listed, segments, aside, *listed)
        label = settle(contraction, aside, light)
        journal.begin("heavy", contraction.components, edges)
        with journal.step("contract"):
            segments = backend.emit(op.contract_listed, segments, work, *listed, label)


def _sample(segments: Segments) -> Any:
    """Draw positions in segments."""
    return places_in(segments, np.random.default_rng(0).integers(0, size_of(segments), SAMPLE))


def pivot_of(key: Any, name: Any, components_per_edge: float) -> tuple[Any, Any]:
    """Find the key (and name) of about the last light edge, from a sample of the edges."""
    j = np.lexsort((name, key))[int(key.size * min(LIGHT_PER_COMPONENT * components_per_edge, 0.9))]
    return key[j], name[j]


def most_frequent(label: Any, backend: Backend) -> int:
    """Guess the most frequent label from a sample."""
    sample = backend.to_device(np.random.default_rng(0).integers(0, label.size, SAMPLE))
    values, counts = np.unique(backend.to_host(label[sample]), return_counts=True)
    return values[counts.argmax()]
