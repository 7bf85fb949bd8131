"""The default: Borůvka's algorithm on the light edges of all ranks first; the heavy ones pass a filter.

Idea: that of `boruvka.algorithms.filter_boruvka`, with a pivot that all ranks agree on. The light edges of
all ranks, one and a half for each vertex, already join nearly everything. Then every rank drops nearly all
of its other edges by one look at both ends, alone. In a round all components choose the lightest edge of
any rank. A rank with many edges for the components that are left keeps only its own forest of them; when
few edges are left on all ranks together, every rank gets all of them and finishes alone.

Source: the filter of V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree Algorithm,
ALENEX 2009; on ranks, and a replicated end, P. Sanders, M. Schimek, Engineering Massively Parallel MST
Algorithms, IPDPS 2023; minima over the ranks: "Distribution by Edges" of document 5; a rank's forest in
place of its edges: F. Dehne, S. Götz, Practical Parallel Algorithms for Minimum Spanning Trees, SRDS 1998.

Why it is right: what the filter and a rank's forest drop is the heaviest on a cycle, what components choose
is the lightest that leaves them (`boruvka.algorithms.boruvka`), and in the order of keys and indices both
mean the same on all ranks.
"""

from __future__ import annotations

import numpy as np

from boruvka.algorithms.filter_boruvka import FILTER_PAYS_AT_DEGREE, choose_pivot, most_frequent
from boruvka.backends.protocol import Backend, Segments, WorkList, size_of
from boruvka.distributed import operators as op
from boruvka.distributed.communicator import World
from boruvka.distributed.local_edges import Share
from boruvka.distributed.local_solve import forest_of, gapless, survivors
from boruvka.distributed.partitioned_components import Dealt
from boruvka.distributed.replicated_components import Replicated
from boruvka.operators import filtering

__all__ = ["by_edges", "by_vertices"]

FEW = 1 << 16
"""Edges, of all ranks: so few are sent to all, which costs no more than a round or two."""
SAMPLE = 1 << 12
"""Edges, of all ranks."""
MANY = 2
"""Edges of a rank for each component from which it looks for its own forest."""


def by_edges(share: Share, world: World, backend: Backend) -> None:
    """Find the forest where every rank can hold all vertices.

    What a rank sends, for n vertices, m edges and P ranks, as 64-bit keys and 32-bit ends: 24 bytes for
    each component in a round (40 where keys hold no index), in 4 log2(P) messages; their number at least
    halves, so twice no more than 48 n bytes (80 n), and mostly a third of that. At last the edges that are
    left, at most 2**16 together, of 16 (24) bytes, in log2(P) messages. This does not depend on m, and
    hardly on P. A rank holds m / P edges and arrays for n vertices.
    """
    if world.size == 1:
        alone(share, world, backend)
    else:
        solve(share, Replicated(share, world, backend))


def by_vertices(share: Share, world: World, backend: Backend) -> Dealt | None:
    """Find the forest where vertices are dealt to ranks, and no array has the size of n.

    What a rank sends, for c components that it has edges of, c' that it owns, and P ranks, as 64-bit keys
    and 32-bit ends: in each round 20 bytes (28 where keys hold no index) to offer an edge for each of the
    c, and 8 to ask for its root; to find roots, 12 for each of the c' and 8 for each pointer followed. All
    in messages to those ranks alone that something is for: at most P a step, and a small one of each to
    tell how much comes. At the end 8 bytes for each edge of the forest. A rank holds m / P edges, a number
    for each of their ends, and arrays for n / P vertices.
    """
    if world.size == 1:
        alone(share, world, backend)
        return None
    world.round_log.begin("distribute", share.n, share.graph.m)
    with world.round_log.step("distribute"):
        vertices, local = share.compact()
    forest = Dealt(local, vertices, world, backend)
    solve(local, forest)
    forest.deliver()
    return forest


def alone(share: Share, world: World, backend: Backend) -> None:
    """Do what one machine does."""
    world.round_log.begin("alone", share.n, share.graph.m)
    with world.round_log.step("contract"):
        share.in_forest[forest_of(share.graph, share.maximum, backend)] = True


def solve(share: Share, forest: Replicated | Dealt) -> None:
    """Grow the forest of the light edges, then of what the others add."""
    world, backend, round_log, graph = forest.world, forest.backend, forest.round_log, share.graph
    if share.m < FILTER_PAYS_AT_DEGREE * share.n or share.m <= FEW:
        round_log.begin("list", share.n, graph.m)
        with round_log.step("select"):
            segments, work = share.listed(backend)
        return grow(forest, segments, work)

    round_log.begin("light", share.n, graph.m)
    pivot = find_pivot(share, world, backend)
    with round_log.step("select"):
        work = share.empty_worklist(backend)
        light = share.sifted(backend, work, op.is_light_here, *share.keys, *pivot)
    forest.begin_relabelling()
    grow(forest, light, work)
    round_log.begin("heavy", forest.components, graph.m)
    label = forest.labels()
    with round_log.step("filter"):
        outside = backend.empty((graph.n + 63) // 64, np.uint64)
        inside = most_frequent(label, backend) if label.size else 0
        backend.for_each(filtering.mark_outside_largest, outside.size, label, inside, outside)
        crossing = share.sifted(backend, work, filtering.leaves_largest, graph.u, graph.v, outside)
        crossing = forest.renamed(crossing, work, label)
    grow(forest, crossing, work)


def grow(forest: Replicated | Dealt, segments: Segments, work: WorkList) -> None:
    """Do rounds until few edges are left, and then the rest."""
    world, backend, order = forest.world, forest.backend, forest.share.order
    while world.sum_of(size_of(segments)) > FEW:
        if size_of(segments) > MANY * forest.components:
            with forest.round_log.step("contract"):
                work = survivors(gapless(segments, work), forest.components, order, backend)
                segments = backend.split(work[0].size)
        segments = forest.round(segments, work)
    forest.gather(segments, work)


def find_pivot(share: Share, world: World, backend: Backend) -> tuple[np.uint64, np.uint64]:
    """Find key and name of about the last light edge, from a sample of the edges of all ranks."""
    with world.round_log.step("select"):
        size = -(-SAMPLE * share.graph.m // share.m)
        sample = np.random.default_rng(world.rank).integers(0, max(share.graph.m, 1), size)
        key, name = (backend.empty(size, np.uint64) for _ in range(2))
        backend.for_each(op.sample_here, size, sample, *share.keys, key, name)
    keys, names = world.gather((key, name))
    return choose_pivot(keys, names, share.n / share.m)
