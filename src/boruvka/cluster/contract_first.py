"""The default where every rank can hold the vertices: contract alone, choose together.

Idea: in each round a rank's own forest replaces its edges, then all components choose their lightest edge
by one minimum over the ranks, and every rank merges them in the same way. Vertices without an edge on any
rank leave before the first message. When few edges are left on all ranks together, every rank gets all of
them and finishes alone.

Source: local contraction first, and a replicated end: P. Sanders, M. Schimek, Engineering Massively
Parallel MST Algorithms, IPDPS 2023; minima over the ranks: "Distribution by Edges" of document 5. A rank's
forest in place of its edges: F. Dehne, S. Götz, Practical Parallel Algorithms for Minimum Spanning Trees,
SRDS 1998.

Why it is right: what a rank drops is the heaviest on a cycle (`boruvka.cluster.local`), what components
choose is the lightest that leaves them (`boruvka.algorithms.boruvka`), and in the order of keys and indices
both mean the same on all ranks.

What a rank sends, for n vertices of which c have an edge, m edges and P ranks, as 64-bit keys and 32-bit
ends:

- n / 4 bytes to find those c;
- 24 bytes for each component in a round (40 where keys hold no index), in 4 log2(P) messages; their number
  at least halves, so together no more than 48 c (80 c) bytes, and mostly a third less;
- at last the edges that are left, at most 2**16 together, of 16 (24) bytes, in log2(P) messages.

This does not depend on m, and hardly on P. A rank holds m / P edges and arrays for n vertices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka import operators
from boruvka.backends.base import Backend
from boruvka.cluster import local
from boruvka.cluster import operators as op
from boruvka.cluster.choosing import lightest
from boruvka.cluster.share import Share, Work, ends_of_list, found_in
from boruvka.cluster.world import World
from boruvka.order import NONE

__all__ = ["solve"]

FEW = 1 << 16
"""Edges, of all ranks: so few are sent to all, which costs no more than a round or two."""


def solve(share: Share, world: World, backend: Backend) -> NDArray[np.uint64]:
    """Find the names of the forest's edges, or if there is one rank their indices at once."""
    journal = world.journal
    journal.begin("local", share.n, share.graph.m)
    with journal.step("contract"):
        work = share.listed(backend, local.forest_of(share.graph, share.maximum, backend))
    if world.size == 1:
        return work[-1]
    components, work = without_isolated(world, backend, share.n, work)
    chosen = []
    while world.sum_of(work[0].size) > FEW:
        journal.begin("round", components, work[0].size)
        choice, other = lightest(world, backend, work, components)
        chosen.append(choice[choice != NONE])
        with journal.step("merge"):
            components, number = merge(backend, choice, other)
        with journal.step("contract"):
            work = renamed(backend, work, number)
            work = local.survivors(work, components, share.order, backend)
    journal.begin("finish", components, work[0].size)
    work = world.gather(work)
    with journal.step("contract"):
        chosen.append(work[-1][local.solve_here(work, backend)[0]])
    return np.concatenate(chosen)


def without_isolated(world: World, backend: Backend, n: int, work: Work) -> tuple[int, Work]:
    """Number the vertices that have an edge on any rank from 0."""
    u, v = ends_of_list(work)
    with world.journal.step("select"):
        occurs = backend.zeros(n, bool)
        occurs[u] = occurs[v] = True
        words = np.packbits(occurs)
    world.union(words)
    with world.journal.step("contract"):
        occurs = np.unpackbits(words, count=n)
        number = np.cumsum(occurs, dtype=u.dtype) - u.dtype.type(1)
        return int(occurs.sum(dtype=np.int64)), renamed(backend, work, number)


def merge(backend: Backend, choice: NDArray[np.uint64], other: NDArray[Any]) -> tuple[int, NDArray[Any]]:
    """Join components along what they chose: how many live on, and the new number of each that chose.

    Every rank numbers them alike. A component without an edge is a whole tree, and leaves.
    """
    n, ids = choice.size, other.dtype
    parent, number = backend.empty(n, ids), backend.empty(n, ids)
    itself = np.arange(n, dtype=ids)
    backend.for_each(op.hang, n, choice, other, itself, parent)
    backend.for_each(op.break_cycle, n, choice, parent)
    living = backend.number(operators.lives_on, n, number, 0, parent, choice, NONE)
    backend.for_each(operators.rename, n, parent, number)
    return living, number


def renamed(backend: Backend, work: Work, number: NDArray[Any]) -> Work:
    """Give edges the new numbers of their components, and drop those whose ends have met."""
    into = tuple(backend.empty(column.size, column.dtype) for column in work)
    edges = (*work[:3], work[-1])
    segments = backend.split(work[0].size)
    return found_in(into, backend.emit(operators.contract_listed, segments, into, *edges, number))
