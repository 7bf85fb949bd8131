"""The default strategies: Borůvka's algorithm on the light edges of all ranks, then on filtered heavy edges.

Idea: as `boruvka.algorithms.filter_boruvka`, with one pivot for all ranks. The light edges of all ranks, five
for four vertices, join nearly all vertices. Each rank then discards nearly all of its heavy edges without
communication, because both of their ends lie in the largest component. In a round every component chooses the
lightest edge of all ranks. A rank with many edges for the components that are left keeps only its own forest
of them. When few edges are left on all ranks together, every rank gets all of them and finds the rest of the
forest.

Source: the filter of V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree Algorithm,
ALENEX 2009; on ranks, and the replicated end, P. Sanders, M. Schimek, Engineering Massively Parallel MST
Algorithms, IPDPS 2023; minima over ranks: S. Anzalone et al., ETH Zürich, "Distribution by Edges"; a rank's
forest instead of its edges: F. Dehne, S. Götz, Practical Parallel Algorithms for Minimum Spanning Trees,
SRDS 1998.

Why it is right: the filter and a rank's forest drop edges that are the heaviest of a cycle. Components choose
the lightest edges that leave them (see `boruvka.algorithms.boruvka`). All ranks have the same order of edges.
"""

from __future__ import annotations

import numpy as np

from boruvka.algorithms.building_blocks.worklist import EdgeView, Worklist
from boruvka.algorithms.filter_boruvka import filter_pays, is_light, leaves_largest, pivot_of, sample_key
from boruvka.distributed.local_edges import LocalEdges, forest_of_graph, forest_of_worklist
from boruvka.distributed.partitioned_components import PartitionedComponents
from boruvka.distributed.replicated_components import ReplicatedComponents
from boruvka.distributed.strategies import DEFAULT, strategy
from boruvka.operators.counter_rng import sample_below
from boruvka.operators.edges import read_local_input

SOURCE = "filter: Osipov, Sanders, Singler 2009; on ranks: Sanders, Schimek 2023"


@strategy("edges", DEFAULT, SOURCE)
def by_edges(local: LocalEdges) -> None:
    """Find the forest with arrays for all vertices on every rank.

    What a rank sends, with 64-bit keys and 32-bit ends: in a round, 24 bytes for each component (40 where
    keys hold no index), in 4 log2(P) messages. The number of components at least halves in each round, so
    that is no more than 48 n bytes (80 n) for light and heavy edges each, and mostly a third of it. At the
    end, at most 2**16 edges of 16 (24) bytes in log2(P) messages. This does not depend on m, and hardly on
    P. A rank holds m / P edges and arrays for n vertices.
    """
    if local.communicator.size == 1:
        solve_on_one_rank(local)
    else:
        solve_light_then_heavy(local, ReplicatedComponents(local))


@strategy("vertices", DEFAULT, SOURCE)
def by_vertices(local: LocalEdges) -> PartitionedComponents | None:
    """Find the forest with vertices partitioned among ranks; no array has n elements, except of bits.

    Bytes that a rank sends, with 64-bit keys and 32-bit ends, for c components that its worklist edges touch
    and c' that it owns. In a round: 20 (28 where keys hold no index) to propose an edge for each of the c and
    8 to query its root. To find roots: 8 for each of the c' and for each pointer followed. Before the filter,
    a bit for each vertex by an all-reduce, n / 4 bytes; then 8 for each vertex at the ends of the heavy edges
    that are left. At the end, 8 bytes for each edge of the forest. A step sends at most P messages, only to
    ranks that own something of it, and their counts. A rank holds m / P edges, a bit for each vertex, and
    arrays for n / P vertices. Where n bits are more than 8 bytes for each of its edges, it numbers the ends
    of all its edges instead, and queries 8 bytes for each vertex among them.
    """
    if local.communicator.size == 1:
        solve_on_one_rank(local)
        return None
    communicator, vertices = local.communicator, None
    if local.n * communicator.size > local.backend.tuning.vertices_at_edge * local.m:
        communicator.round_log.begin("distribute", local.n, local.graph.m)
        with communicator.round_log.step("distribute"):
            vertices, local = local.compact_vertices()
    forest = PartitionedComponents(local, vertices)
    solve_light_then_heavy(local, forest)
    forest.return_choices()
    return forest


def solve_on_one_rank(local: LocalEdges) -> None:
    """Find the forest as without ranks."""
    round_log = local.communicator.round_log
    round_log.begin("alone", local.n, local.graph.m)
    with round_log.step("contract"):
        local.in_forest[forest_of_graph(local.graph, local.maximum, local.backend)] = True


def solve_light_then_heavy(local: LocalEdges, forest: ReplicatedComponents | PartitionedComponents) -> None:
    """Solve the light edges, then the heavy edges that pass the filter."""
    graph, tuning, round_log = local.graph, local.backend.tuning, forest.round_log
    may_filter = filter_pays(local.m, local.n, tuning.filter_pays_at_degree, tuning)
    if local.m <= tuning.replicated_up_to or not may_filter:
        round_log.begin("list", local.n, graph.m)
        with round_log.step("select"):
            edges = forest.number_vertices(local.worklist_edges())
        return solve_worklist(forest, edges)

    round_log.begin("light", local.n, graph.m)
    pivot = find_pivot(local)
    with round_log.step("select"):
        everything = local.input_edges()
        members = is_light(everything.read), (everything.columns, *pivot)
        light = everything.into.emit_members(members, everything)
        light = forest.number_vertices(light)
    forest.begin_relabelling()
    solve_worklist(forest, light)

    round_log.begin("heavy", forest.n_components, graph.m)
    outside = forest.outside_largest()
    with round_log.step("filter"):
        heavy = everything.into.emit_members((leaves_largest, (graph.u, graph.v, outside)), everything)
    solve_worklist(forest, forest.relabel_heavy(heavy))


def solve_worklist(forest: ReplicatedComponents | PartitionedComponents, edges: EdgeView) -> None:
    """Do rounds until few edges are left on all ranks together; these are solved on every rank."""
    local, tuning = forest.local, forest.backend.tuning
    while True:
        if edges.count > tuning.local_forest_at_degree * forest.n_components:
            with forest.round_log.step("contract"):
                columns = edges.columns_without_gaps()
                columns = forest_of_worklist(columns, forest.n_components, local)
                edges = Worklist(forest.backend, columns).all_edges()
        if forest.communicator.sum_of(edges.count) <= tuning.replicated_up_to:
            return forest.solve_replicated(edges)
        edges = forest.round(edges)


def find_pivot(local: LocalEdges) -> tuple[np.uint64, np.uint64]:
    """Find key and index of about the last light edge, from a sample of the edges of all ranks."""
    communicator, backend = local.communicator, local.backend
    with communicator.round_log.step("select"):
        size = -(-backend.tuning.pivot_sample * local.graph.m // local.m)
        sample = sample_below(max(local.graph.m, 1), size, communicator.rank)
        key, index = (backend.empty(size, np.uint64) for _ in range(2))
        store = sample_key(read_local_input)
        backend.for_each(store, size, sample, local.columns, key, index)
    keys, indices = communicator.gather((key, index))
    return pivot_of(keys, indices, backend.tuning.light_per_component * local.n / local.m)
