"""Borůvka's algorithm on the light edges first; the heavy edges pass a filter.

Idea: the forest of the light edges, five for four vertices, already connects nearly all vertices.
Most of the heavy edges then lie inside a component. A filter reads both ends of each and drops it before
anything is stored for it.

Source: the filter of V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree
Algorithm, ALENEX 2009, section 3; with Borůvka's rounds in place of Kruskal's.

Why it is right: the rounds over the light edges find their minimum spanning forest, which is the forest that
Kruskal's algorithm has when it reaches the pivot. A heavier edge with both ends in one component of it
closes a cycle on which it is the heaviest, and is in no minimum spanning forest (cycle property).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms import boruvka
from boruvka.algorithms.boruvka import BoruvkaRounds
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.sample import sample_below
from boruvka.algorithms.building_blocks.worklist import Edges, Worklist
from boruvka.backends.primitives import Backend
from boruvka.operators import filtering
from boruvka.runtime.round_log import RoundLog

LIGHT_PER_COMPONENT = 1.25
"""Light edges for each component: 89 % of a random graph's vertices are then in one component."""
FILTER_PAYS_FROM = 25_000
"""Minimum number of edges for a filter; below it, its passes cost more than it saves."""
FILTER_PAYS_ON_GPU_FROM = 40_000_000
"""The same on a GPU: a filter saves reads of edges, and adds rounds, which have many launches."""
FILTER_PAYS_AT_DEGREE = 4
"""Minimum number of edges per component for a filter, where rounds over all edges are cheap: in a worklist,
or where the ends of edges have close numbers."""
FILTER_PAYS_AT_RANDOM_DEGREE = 2
"""The same for a graph whose edges join distant vertices; with fewer edges, most of them are light."""
FILTER_PAYS_AT_SCATTERED_DEGREE = 1.5
"""The same for a list in no order."""
KEPT_BY_FILTER = 0.5
"""Maximum share of the edges that a filter may keep to be used again."""
SAMPLE = 1024


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest of the light edges, then of the heavy edges that pass the filter."""
    if not graph.m:
        return boruvka.solve(graph, backend, round_log)
    rounds, everything = BoruvkaRounds(graph, backend, round_log), Edges.of(graph, backend)
    round_log.begin("light", graph.n, graph.m)
    with round_log.step("select"):
        light = select_light(everything, graph.n, everything.into)
    label = components_after(rounds, light)
    del light
    round_log.begin("heavy", rounds.n_components, graph.m)
    with round_log.step("filter"):
        heavy = drop_inside_largest(graph, everything, label, backend)
    with round_log.step("contract"):
        heavy = heavy.contracted(label)
    del label
    solve_worklist(rounds, heavy, filter_drops(graph.m, heavy))
    del everything, heavy
    return rounds.forest()


def select_light(edges: Edges, components: int, into: Worklist) -> Edges:
    """Copy the light edges, `LIGHT_PER_COMPONENT` for each component, into a worklist."""
    is_light = filtering.is_light(edges.read)
    return into.emit_members(is_light, (edges.packed, *choose_pivot(edges, components, into.backend)), edges)


def drop_inside_largest(graph: EdgeList, edges: Edges, label: Any, backend: Backend) -> Edges:
    """Drop input edges inside the largest component, which most edges are.

    One bit for each vertex is all that is read of it.
    """
    outside = backend.empty((graph.n + 63) // 64, np.uint64)
    largest = most_frequent(label, backend)
    backend.for_each(filtering.mark_outside_largest, outside.size, label, largest, outside)
    return edges.into.emit_members(filtering.leaves_largest, (graph.u, graph.v, outside), edges)


def filter_pays(edges: int, components: int, degree: float, has_private_caches: bool = True) -> bool:
    """Return whether to solve the light edges first, and filter the others."""
    pays_from = FILTER_PAYS_FROM if has_private_caches else FILTER_PAYS_ON_GPU_FROM
    return edges >= max(pays_from, degree * components)


def filter_drops(edges: int, heavy: Edges) -> bool:
    """Return whether the filter dropped enough edges to be used again.

    It does not where light edges come together, as in dense regions: most components then have none.
    """
    return heavy.count < KEPT_BY_FILTER * edges


def components_after(rounds: BoruvkaRounds, edges: Edges) -> Any:
    """Solve worklist edges, and return the label of each component afterwards."""
    rounds.begin_relabelling()
    if rounds.sorting_pays(edges):
        rounds.solve_by_sorting(edges)
    else:
        solve_worklist(rounds, rounds.do_round(edges))
    return rounds.end_relabelling()


def solve_worklist(rounds: BoruvkaRounds, edges: Edges, may_filter: bool = True) -> None:
    """Do rounds until few edges are left, light edges first while there are many edges per component.

    Light edges are copied, and after their rounds they are loops in the worklist.
    """
    backend, round_log = rounds.backend, rounds.round_log
    while edges.count:
        if rounds.sorting_pays(edges):
            return rounds.solve_by_sorting(edges)
        degree, has_caches = FILTER_PAYS_AT_DEGREE, backend.has_private_caches
        if not (may_filter and filter_pays(edges.count, rounds.n_components, degree, has_caches)):
            edges = rounds.do_round(edges)
            continue
        round_log.begin("light", rounds.n_components, edges.count)
        with round_log.step("select"):
            copies = edges.into.like(int(edges.segments.pairs.max()))
            light = select_light(edges, rounds.n_components, copies)
        label = components_after(rounds, light)
        del copies, light
        round_log.begin("heavy", rounds.n_components, edges.count)
        with round_log.step("contract"):
            heavy = edges.contracted(label)
        may_filter, edges = filter_drops(edges.count, heavy), heavy


def choose_pivot(edges: Edges, components: int, backend: Backend) -> tuple[Any, Any]:
    """Estimate key and id of the heaviest light edge from a sample."""
    sample = edges.segments.positions_of(sample_below(edges.count, SAMPLE))
    key, edge_id = (backend.empty(sample.size, np.uint64) for _ in range(2))
    store = filtering.sample_key(edges.read)
    backend.for_each(store, sample.size, backend.to_device(sample), edges.packed, key, edge_id)
    return pivot_of(backend.to_host(key), backend.to_host(edge_id), components / edges.count)


def pivot_of(key: Any, edge_id: Any, components_per_edge: float) -> tuple[Any, Any]:
    """Return key and id of the heaviest light edge of a sample."""
    rank = int(key.size * min(LIGHT_PER_COMPONENT * components_per_edge, 0.9))
    pivot = np.partition(key, rank)[rank]
    ties = edge_id[key == pivot]
    rank -= int(np.count_nonzero(key < pivot))
    return pivot, np.uint64(np.partition(ties, rank)[rank])  # unsigned, because both are compared


def most_frequent(label: Any, backend: Backend) -> int:
    """Estimate the most frequent label from a sample."""
    sample = backend.to_device(sample_below(label.size, SAMPLE))
    values, counts = np.unique(backend.to_host(label[sample]), return_counts=True)
    return values[counts.argmax()]
