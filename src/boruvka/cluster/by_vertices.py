"""Borůvka's algorithm with the vertices dealt to ranks: for graphs whose vertices do not fit one rank.

Idea: a rank owns a block of vertices and all arcs that leave them. A component is owned by whoever owns its
root. In each round every component chooses the lightest of its arcs, asks where the roots are, and the arcs
go to the owners of the new components.

Source: "Distribution by Vertices" of S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec,
Efficient Parallelization of Borůvka's Minimum Spanning Tree Algorithm, ETH Zürich (document 5), after
S. Chung, A. Condon, ICPP 1996; `contract_first` after P. Sanders, M. Schimek, Engineering Massively
Parallel MST Algorithms, IPDPS 2023. Beyond document 5: it returns the forest, of any graph on any number
of ranks.

Why it is right: see `boruvka.algorithms.boruvka`; all arcs of a component are in one place, so its choice
needs no other rank. What two components chose both is seen by asking the other for its choice.

What a rank sends, for n vertices, m edges and P ranks, as 64-bit keys and 32-bit ends:

- to begin, each of its edges twice: 40 m / P bytes (56 where keys hold no index); with `contract_first`
  each edge of its forest, so no more than 40 min(n, m / P);
- in each round, 12 bytes for each component, to see whether the other chose the same edge, and 8 for each
  pointer that is followed to a root and for the head of each arc, equal ones once;
- and each arc that is left, 20 bytes (28), to its new owner.

All in messages to those ranks alone that something is for: at most P a step. A rank holds n / P vertices
and the arcs that leave them; if a component has most arcs of the graph, that is a rank's limit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.base import Backend
from boruvka.cluster import local
from boruvka.cluster import operators as op
from boruvka.cluster.blocks import Blocks
from boruvka.cluster.roots import by_iterating, by_jumping, by_supervertices, by_union_find
from boruvka.cluster.share import Share, Work, ends_of_list
from boruvka.cluster.world import World
from boruvka.graph import Graph
from boruvka.order import NONE

__all__ = ["contract_first", "iterative", "pointer_jumping", "supervertex", "union_find"]

FEW = 1 << 16
"""Arcs, of all ranks: so few are sent to all."""

FindRoots = Callable[[World, Backend, Blocks, NDArray[Any]], NDArray[Any]]


class Arcs(NamedTuple):
    """What leaves the components of a rank.

    Attributes
    ----------
    tail, head : arrays
        Where an arc leaves and where it leads.
    home : array of uint32
        The rank that passed its edge.
    key : array of uint64
        Its place in the order.
    edge : array of uint64, optional
        The index of its edge, where keys hold none.
    """

    tail: NDArray[Any]
    head: NDArray[Any]
    home: NDArray[np.uint32]
    key: NDArray[np.uint64]
    edge: NDArray[np.uint64] | None = None

    @property
    def name(self) -> NDArray[np.uint64]:
        """What tells the edge from every other."""
        return self.key if self.edge is None else self.edge

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """All that there is of them."""
        return tuple(column for column in self if column is not None)

    def where(self, which: NDArray[Any]) -> Arcs:
        """Select arcs."""
        return Arcs(*(column[which] for column in self.columns))


def dealt(world: World, blocks: Blocks, arcs: Arcs) -> Arcs:
    """Send arcs to those who own their tails."""
    return Arcs(*world.exchange(arcs.columns, blocks.owner(arcs.tail)))


class Blockwise:
    """The components that a growing forest makes of the vertices, each with its owner.

    Parameters
    ----------
    share : Share
    world : World
    backend : Backend
    follow : bool
        Remember the component of each vertex.
    """

    def __init__(self, share: Share, world: World, backend: Backend, follow: bool):
        self.world, self.backend = world, backend
        self.blocks = Blocks(share.n, world.size, world.rank)
        self.ids = share.graph.u.dtype
        self.label = self.blocks.own(self.ids) if follow else None
        self.components = share.n
        self.found: list[tuple[NDArray[np.uint64], NDArray[np.uint32]]] = []

    def distribute(self, work: Work) -> Arcs:
        """Make two arcs of each edge of a list, each where its tail is."""
        u, v = ends_of_list(work)
        home = np.full(2 * u.size, self.world.rank, np.uint32)
        names = (np.concatenate([column, column]) for column in work[2:])
        arcs = Arcs(np.concatenate([u, v]), np.concatenate([v, u]), home, *names)
        return dealt(self.world, self.blocks, arcs)

    def round(self, arcs: Arcs, find_roots: FindRoots) -> Arcs:
        """Let every component choose and join; return the arcs of the new ones."""
        world, blocks, step = self.world, self.blocks, self.world.journal.step
        with step("select"):
            choice, parent, home = self.choose(arcs)
        above = np.flatnonzero(choice != NONE)
        theirs = world.ask(blocks, parent[above], lambda x: choice[blocks.local(x)])
        with step("merge"):
            itself = blocks.own(self.ids)
            roots = above[(theirs == choice[above]) & (itself[above] < parent[above])]
            parent[roots] = itself[roots]  # each new component has one
            hanging = np.flatnonzero(parent != itself)
            self.found.append((choice[hanging], home[hanging]))
        self.components = world.sum_of(roots.size)
        root = find_roots(world, self.backend, blocks, parent)
        tails = root[blocks.local(arcs.tail)]
        heads = self.root_of(arcs.head, root)
        if self.label is not None:
            self.label = self.root_of(self.label, root)
        with step("merge"):
            arcs = arcs._replace(tail=tails, head=heads).where(tails != heads)
        return dealt(world, blocks, arcs)

    def choose(self, arcs: Arcs) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[np.uint32]]:
        """Find for each component of the block its choice, the other end, and the home of that edge."""
        backend, size, whole = self.backend, self.blocks.size, self.backend.split(arcs.tail.size)
        tail = self.blocks.local(arcs.tail)
        columns = tail, arcs.head, arcs.key, arcs.name
        choice = backend.empty(size, np.uint64)
        backend.minimum(op.offer_arc, whole, choice, size, *columns)
        if arcs.edge is not None:
            best, choice = choice, backend.empty(size, np.uint64)
            backend.minimum(op.claim_arc, whole, choice, size, *columns, best)
        chosen = np.flatnonzero(arcs.name == choice[tail])
        parent, home = self.blocks.own(self.ids), backend.zeros(size, np.uint32)
        parent[tail[chosen]], home[tail[chosen]] = arcs.head[chosen], arcs.home[chosen]
        return choice, parent, home

    def root_of(self, x: NDArray[Any], root: NDArray[Any]) -> NDArray[Any]:
        """Ask the owners of components for their roots."""
        return self.world.ask(self.blocks, x, lambda asked: root[self.blocks.local(asked)])

    def names(self) -> NDArray[np.uint64]:
        """Send the names of the forest's edges to those who passed them; return one's own."""
        name, home = (np.concatenate(column) for column in zip(*self.found, strict=True))
        return self.world.exchange((name,), home)[0]


def rounds(
    share: Share, world: World, backend: Backend, follow: bool, find_roots: FindRoots
) -> tuple[NDArray[np.uint64], NDArray[Any] | None]:
    """Do rounds until no component has an arc: the names of one's own edges in the forest, and labels."""
    journal = world.journal
    state = Blockwise(share, world, backend, follow)
    journal.begin("distribute", share.n, share.graph.m)
    with journal.step("distribute"):
        work = share.listed(backend)
    arcs = state.distribute(work)
    del work
    while world.any(arcs.tail.size > 0):
        journal.begin("round", state.components, arcs.tail.size)
        arcs = state.round(arcs, find_roots)
    return (state.names() if state.found else np.empty(0, np.uint64)), state.label


def union_find(share: Share, world: World, backend: Backend, follow: bool) -> Any:
    """Merge by union-find, alike on every rank."""
    return rounds(share, world, backend, follow, by_union_find)


def iterative(share: Share, world: World, backend: Backend, follow: bool) -> Any:
    """Merge by fixing vertices from the roots outwards."""
    return rounds(share, world, backend, follow, by_iterating)


def pointer_jumping(share: Share, world: World, backend: Backend, follow: bool) -> Any:
    """Merge by pointer jumping."""
    return rounds(share, world, backend, follow, by_jumping)


def supervertex(share: Share, world: World, backend: Backend, follow: bool) -> Any:
    """Merge by pointer jumping with supervertices."""
    return rounds(share, world, backend, follow, by_supervertices)


def contract_first(share: Share, world: World, backend: Backend, follow: bool) -> Any:
    """Contract alone, then rounds with the lightest of parallel arcs; the few at the end go to all ranks.

    The graph of a rank's own edges has numbers of its own, so that nothing has the size of n.
    """
    journal = world.journal
    state = Blockwise(share, world, backend, follow)
    journal.begin("local", share.n, share.graph.m)
    with journal.step("contract"):
        u, v, w = share.graph.between(0, share.graph.m)
        vertices, u, v = local.compact(u, v)
        kept = local.forest_of(Graph(vertices.size, u, v, w), share.maximum, backend)
        work = share.listed(backend, kept)
        del u, v, w, vertices
    arcs = state.distribute(work)
    del work
    while world.sum_of(arcs.tail.size) > FEW:
        journal.begin("round", state.components, arcs.tail.size)
        arcs = state.round(arcs, by_jumping)
        with journal.step("contract"):
            arcs = without_parallel(arcs)
    journal.begin("finish", state.components, arcs.tail.size)
    finish(state, arcs)
    return state.names(), state.label


def without_parallel(arcs: Arcs) -> Arcs:
    """Keep of the arcs between two components the lightest."""
    order = np.lexsort((arcs.name, arcs.key, arcs.head, arcs.tail))
    tail, head = arcs.tail[order], arcs.head[order]
    first = np.ones(order.size, bool)
    first[1:] = (tail[1:] != tail[:-1]) | (head[1:] != head[:-1])
    return arcs.where(order[first])


def finish(state: Blockwise, arcs: Arcs) -> None:
    """Send the arcs to all ranks, each edge once, and let each solve them alone."""
    world = state.world
    arcs = Arcs(*world.gather(arcs.where(arcs.tail < arcs.head).columns))
    with world.journal.step("contract"):
        work = arcs.tail, arcs.tail ^ arcs.head, arcs.key, arcs.name
        kept, vertices, component = local.solve_here(work, state.backend)
        own = kept[arcs.home[kept] == world.rank]
        state.found.append((arcs.name[own], arcs.home[own]))
        if state.label is not None and vertices.size:
            smallest = vertices[np.unique(component, return_index=True)[1]]
            place = np.minimum(np.searchsorted(vertices, state.label), vertices.size - 1)
            joined = vertices[place] == state.label
            state.label = np.where(joined, smallest[component[place]], state.label)
