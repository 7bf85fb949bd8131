"""Borůvka's algorithm on the light edges first; the heavy edges pass a filter.

Idea: the forest of the light edges, five for four vertices, already connects nearly all vertices.
Most of the heavy edges then lie inside a component. A filter reads both ends of each and drops it before
anything is stored for it. In a dense graph more edges are light, and usually connect all vertices: then no
heavy edge is read.

Source: the filter of V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree
Algorithm, ALENEX 2009, section 3; with Borůvka's rounds in place of Kruskal's.

Why it is right: the rounds over the light edges find their minimum spanning forest, which is the forest that
Kruskal's algorithm has when it reaches the pivot. A heavier edge with both ends in one component of it
closes a cycle on which it is the heaviest, and is in no minimum spanning forest (cycle property).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from boruvka.algorithms.boruvka import BoruvkaRounds, boruvka
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView, Worklist
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from boruvka.kernels.kernel_functions import unvectorised
from boruvka.operators import Operator
from boruvka.operators.counter_rng import sample_below
from boruvka.operators.edges import Reader
from boruvka.operators.sort_keys import U64, is_at_or_before
from boruvka.runtime.round_log import RoundLog

SAMPLE, MAX_SAMPLE, LIGHT_IN_SAMPLE = 1024, 1 << 15, 32
"""Minimum and maximum number of edges in a sample for a pivot, and minimum number of them that are light."""
SIX, LOW_SIX, SIX64 = np.uint32(6), np.uint32(63), U64(6)


@algorithm(
    "filter-boruvka",
    source="Borůvka 1926; filter: Osipov, Sanders, Singler 2009",
    complexity="O(m + n log² n) expected on random weights",
    use="most graphs with at least 2 edges per vertex",
)
def filter_boruvka(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest of the light edges, then of the heavy edges that pass the filter."""
    if not edge_list.m:
        return boruvka(edge_list, backend, round_log)
    rounds, everything = BoruvkaRounds(edge_list, backend, round_log), EdgeView.of(edge_list, backend)
    round_log.begin("light", edge_list.n, edge_list.m)
    with round_log.step("select"):
        light = select_light(everything, rounds, everything.into)
    label = components_after(rounds, light)
    del light
    if rounds.n_components > 1:  # else all heavy edges are inside the only component, and none is read
        round_log.begin("heavy", rounds.n_components, edge_list.m)
        with round_log.step("filter"):
            heavy = drop_inside_largest(edge_list, everything, label, backend)
        with round_log.step("contract"):
            heavy = heavy.contracted(label)
        del label
        solve_worklist(rounds, heavy, filter_drops(edge_list.m, heavy, backend.tuning))
        del heavy
    del everything
    return rounds.forest()


def select_light(edges: EdgeView, rounds: BoruvkaRounds, into: Worklist) -> EdgeView:
    """Copy the light edges, a share `light_share` of all, into a worklist."""
    backend, tuning = rounds.backend, rounds.backend.tuning
    light = light_share(edges.count, rounds.n_components, tuning)
    members = is_light(edges.read), (edges.packed, *choose_pivot(edges, light, backend))
    if light < tuning.light_are_few_below and edges.are_input and backend.is_cpu:
        return into.emit_few_members(members, edges, rounds.index_mask)
    return into.emit_members(members, edges)


def drop_inside_largest(edge_list: EdgeList, edges: EdgeView, label: Any, backend: Backend) -> EdgeView:
    """Drop input edges inside the largest component, which most edges are.

    One bit for each vertex is all that is read of it.
    """
    outside = backend.empty((edge_list.n + 63) // 64, np.uint64)
    largest = most_frequent(label, backend)
    backend.for_each(mark_outside_largest, outside.size, label, largest, outside)
    return edges.into.emit_members((leaves_largest, (edge_list.u, edge_list.v, outside)), edges)


def filter_pays(edges: int, components: int, degree: float, tuning: Tuning, on_cpu: bool = True) -> bool:
    """Return whether to solve the light edges first, and filter the others."""
    pays_from = tuning.filter_pays_from if on_cpu else tuning.filter_pays_on_gpu_from
    return edges >= max(pays_from, degree * components)


def filter_drops(edges: int, heavy: EdgeView, tuning: Tuning) -> bool:
    """Return whether the filter dropped enough edges to be used again.

    It does not where light edges come together, as in dense regions: most components then have none.
    """
    return heavy.count < tuning.kept_by_filter * edges


def components_after(rounds: BoruvkaRounds, edges: EdgeView) -> Any:
    """Solve worklist edges, and return the label of each component afterwards."""
    rounds.begin_relabelling()
    if rounds.sorting_pays(edges):
        rounds.solve_by_sorting(edges)
    else:
        solve_worklist(rounds, rounds.do_round(edges))
    return rounds.end_relabelling()


def solve_worklist(rounds: BoruvkaRounds, edges: EdgeView, may_filter: bool = True) -> None:
    """Do rounds until few edges are left, light edges first while there are many edges per component.

    Light edges are copied, and after their rounds they are loops in the worklist.
    """
    round_log, tuning, on_cpu = rounds.round_log, rounds.backend.tuning, rounds.backend.is_cpu
    degree = tuning.filter_pays_at_degree
    while edges.count:
        if rounds.sorting_pays(edges):
            return rounds.solve_by_sorting(edges)
        if not (may_filter and filter_pays(edges.count, rounds.n_components, degree, tuning, on_cpu)):
            edges = rounds.do_round(edges)
            continue
        round_log.begin("light", rounds.n_components, edges.count)
        with round_log.step("select"):
            copies = edges.into.like(int(edges.segments.pairs.max()))
            light = select_light(edges, rounds, copies)
        label = components_after(rounds, light)
        del copies, light
        round_log.begin("heavy", rounds.n_components, edges.count)
        with round_log.step("contract"):
            heavy = edges.contracted(label)
        may_filter, edges = filter_drops(edges.count, heavy, tuning), heavy


def light_share(edges: int, components: int, tuning: Tuning) -> float:
    """Return the share of the edges that are light.

    A dense graph has log n for each component, twice as many as connect a random graph. No heavy edge
    has to be read if they connect this one.
    """
    connecting = min(math.log(components) * components / edges, tuning.light_share_up_to)
    return max(tuning.light_per_component * components / edges, connecting, LIGHT_IN_SAMPLE / MAX_SAMPLE)


def choose_pivot(edges: EdgeView, light: float, backend: Backend) -> tuple[Any, Any]:
    """Estimate key and id of the heaviest light edge from a sample; ``light`` is the share of light edges."""
    sample_size = max(SAMPLE, math.ceil(LIGHT_IN_SAMPLE / light))
    sample = edges.segments.positions_of(sample_below(edges.count, sample_size))
    key, edge_id = (backend.empty(sample.size, np.uint64) for _ in range(2))
    store = sample_key(edges.read)
    backend.for_each(store, sample.size, backend.to_device(sample), edges.packed, key, edge_id)
    return pivot_of(backend.to_host(key), backend.to_host(edge_id), light)


def pivot_of(key: Any, edge_id: Any, light: float) -> tuple[Any, Any]:
    """Return key and id of the heaviest light edge of a sample; ``light`` is the share of light edges."""
    rank = int(key.size * min(light, 0.9))
    pivot = np.partition(key, rank)[rank]
    ties = edge_id[key == pivot]
    rank -= int(np.count_nonzero(key < pivot))
    return pivot, np.uint64(np.partition(ties, rank)[rank])  # unsigned, because both are compared


def most_frequent(label: Any, backend: Backend) -> int:
    """Estimate the most frequent label from a sample."""
    sample = backend.to_device(sample_below(label.size, SAMPLE))
    values, counts = np.unique(backend.to_host(label[sample]), return_counts=True)
    return values[counts.argmax()]


# Operators: they find light edges, and edges that may join two components


@functools.cache
def sample_key(read: Reader) -> Operator:
    """Make the operator that stores the key and the id of an edge of a sample."""

    def store_sampled(j, sample, edges, key, edge_id):
        """Store key and id of the j-th edge of the sample."""
        _, _, key[j], edge_id[j] = read(sample[j], edges)

    return store_sampled


@functools.cache
def is_light(read: Reader) -> Operator:
    """Make the predicate of the edges that are no heavier than a pivot."""

    def is_light_edge(i, edges, pivot, pivot_id):
        """Return whether edge i is the pivot or precedes it."""
        _, _, key, edge_id = read(i, edges)
        return is_at_or_before(key, edge_id, pivot, pivot_id)

    return is_light_edge


def mark_outside_largest(word, label, largest, outside):
    """Set one bit for each of 64 vertices that lies outside the largest component."""
    first = U64(word) << SIX64
    last = min(first + U64(64), U64(label.size))
    bits = U64(0)
    for x in range(first, last):
        bits |= U64(label[x] != largest) << (U64(x) - first)
    outside[word] = bits


def leaves_largest(i, u, v, outside):
    """Return whether an end of input edge i lies outside the largest component."""
    a, b = u[i], v[i]
    bits = (outside[a >> SIX] >> U64(a & LOW_SIX)) | (outside[b >> SIX] >> U64(b & LOW_SIX))
    return unvectorised(bits & U64(1))
