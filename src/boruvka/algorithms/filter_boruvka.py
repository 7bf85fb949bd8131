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
from boruvka.algorithms.boruvka import BoruvkaRounds, columns_of
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.sample import sample_below
from boruvka.backends.protocol import Backend, Segments, WorkList, positions_in, size_of
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators import filtering

LIGHT_PER_COMPONENT = 1.25
"""Light edges for each component: 89 % of a random graph's vertices are then in one component."""
FILTER_PAYS_FROM = 25_000
"""Edges from which a filter pays: below, its passes cost more than it saves."""
FILTER_PAYS_ON_GPU_FROM = 40_000_000
"""The same on a GPU: a filter saves reads of edges, and adds rounds, which have many launches."""
FILTER_PAYS_AT_DEGREE = 4
"""Edges for each component from which a filter pays, where rounds over all edges are cheap: in a worklist, or
where the ends of edges have close numbers."""
FILTER_PAYS_AT_RANDOM_DEGREE = 2
"""The same for a graph whose edges join distant vertices; with fewer edges, most of them are light."""
KEPT_BY_FILTER = 0.5
"""Share of the edges up to which a filter that keeps them is used again."""
SAMPLE = 1024


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest of the light edges, then of the heavy edges that pass the filter."""
    if not graph.m:
        return boruvka.solve(graph, backend, round_log)
    rounds = BoruvkaRounds(graph, backend, round_log)
    worklist, everything = graph.empty_worklist(backend), backend.split(graph.m)
    ends, keys = graph.columns[:2], graph.columns[2:]

    round_log.begin("light", graph.n, graph.m)
    with round_log.step("select"):
        sample = random_positions(everything)
        key = backend.empty(sample.size, np.uint64)
        backend.for_each(filtering.sample_key, sample.size, backend.to_device(sample), *keys, key)
        pivot = choose_pivot(backend.to_host(key), sample, graph.n / graph.m)
        is_light = filtering.is_light_input, (*keys, *pivot)
        light = backend.filter_emit(*is_light, op.emit_input, everything, worklist, *graph.columns)
    label = components_after(rounds, light, worklist)

    round_log.begin("heavy", rounds.components, graph.m)
    with round_log.step("filter"):
        outside = backend.empty((graph.n + 63) // 64, np.uint64)
        largest = most_frequent(label, backend)
        backend.for_each(filtering.mark_outside_largest, outside.size, label, largest, outside)
        leaves = filtering.leaves_largest, (*ends, outside)
        heavy = backend.filter_emit(*leaves, op.emit_input, everything, worklist, *graph.columns)
    with round_log.step("contract"):
        heavy = backend.emit(op.contract_worklist, heavy, worklist, *columns_of(worklist), label)
    del label, outside
    solve_worklist(rounds, heavy, worklist, filter_drops(graph.m, heavy))
    return rounds.forest()


def filter_pays(edges: int, components: int, degree: float, has_caches: bool = True) -> bool:
    """Return whether to solve the light edges first, and filter the others."""
    pays_from = FILTER_PAYS_FROM if has_caches else FILTER_PAYS_ON_GPU_FROM
    return edges >= max(pays_from, degree * components)


def filter_drops(edges: int, heavy: Segments) -> bool:
    """Return whether the filter dropped enough edges to be used again.

    It does not where light edges come together, as in dense regions: most components then have none.
    """
    return size_of(heavy) < KEPT_BY_FILTER * edges


def components_after(rounds: BoruvkaRounds, segments: Segments, worklist: WorkList) -> Any:
    """Solve a worklist, and return the label of each component afterwards."""
    rounds.begin_relabelling()
    if rounds.sorting_pays(size_of(segments)):
        rounds.finish_sorted(segments, worklist)
    else:
        solve_worklist(rounds, rounds.round("round", segments, worklist), worklist)
    return rounds.end_relabelling()


def solve_worklist(
    rounds: BoruvkaRounds, segments: Segments, worklist: WorkList, may_filter: bool = True
) -> None:
    """Do rounds until few edges are left, light edges first while there are many edges per component.

    Light edges are copied, and after their rounds they are loops in the worklist.
    """
    backend, round_log = rounds.backend, rounds.round_log
    while edges := size_of(segments):
        if rounds.sorting_pays(edges):
            return rounds.finish_sorted(segments, worklist)
        pays = filter_pays(edges, rounds.components, FILTER_PAYS_AT_DEGREE, backend.has_caches)
        if not (may_filter and pays):
            segments = rounds.round("round", segments, worklist)
            continue
        round_log.begin("light", rounds.components, edges)
        with round_log.step("select"):
            copied = backend.empty_worklist(int(segments[-1][1]), [column.dtype for column in worklist])
            columns = *_, key, edge_id = columns_of(worklist)
            sample = backend.to_device(random_positions(segments))
            sampled = backend.to_host(key[sample]), backend.to_host(edge_id[sample])
            pivot = choose_pivot(*sampled, rounds.components / edges)
            is_light = filtering.is_light_worklist, (key, edge_id, *pivot)
            light = backend.filter_emit(*is_light, op.emit_worklist, segments, copied, *columns)
        label = components_after(rounds, light, copied)
        round_log.begin("heavy", rounds.components, edges)
        with round_log.step("contract"):
            segments = backend.emit(op.contract_worklist, segments, worklist, *columns, label)
        may_filter = filter_drops(edges, segments)


def random_positions(segments: Segments) -> Any:
    """Draw a sample of the positions in segments."""
    return positions_in(segments, sample_below(size_of(segments), SAMPLE))


def choose_pivot(key: Any, edge_id: Any, components_per_edge: float) -> tuple[Any, Any]:
    """Estimate key and id of the heaviest light edge, from a sample of the edges."""
    j = np.lexsort((edge_id, key))[int(key.size * min(LIGHT_PER_COMPONENT * components_per_edge, 0.9))]
    return key[j], np.uint64(edge_id[j])  # unsigned, because both are compared


def most_frequent(label: Any, backend: Backend) -> int:
    """Estimate the most frequent label from a sample."""
    sample = backend.to_device(sample_below(label.size, SAMPLE))
    values, counts = np.unique(backend.to_host(label[sample]), return_counts=True)
    return values[counts.argmax()]
