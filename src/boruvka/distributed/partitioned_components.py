"""Components that are dealt to ranks, for graphs whose vertices do not fit one rank.

A vertex is known to its owner, and a component to the owner of its root, who chooses and finds the new
root; besides, a rank knows the components that it has edges of, numbered for itself. The edges stay where
they are. So a round goes: every rank tells the owners the lightest of its own edges for each component;
owners choose, and find roots together; every rank asks for the roots of the components it told of.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.protocol import Backend, Segments, WorkList, size_of
from boruvka.distributed.communicator import World
from boruvka.distributed.lightest_edges import ARCS, EDGES, Edges, lightest
from boruvka.distributed.local_edges import Share
from boruvka.distributed.local_solve import gapless, joined
from boruvka.distributed.root_finding import by_jumping
from boruvka.distributed.unique_ids import distinct
from boruvka.distributed.vertex_partition import Blocks
from boruvka.operators import boruvka_round as operators
from boruvka.operators.sort_keys import NONE

__all__ = ["Dealt", "FindRoots"]

FindRoots = Callable[[World, Backend, Blocks, NDArray[Any]], NDArray[Any]]


class Dealt:
    """The components of a rank's own edges, and those whose roots are in its block of vertices.

    Parameters
    ----------
    share : Share
        The edges by the rank's own numbers of vertices.
    vertices : (k,) array
        What vertex of the whole graph each of those is, ascending.
    world : World
    backend : Backend
    find_roots : callable
        How components find their roots: see `boruvka.distributed.root_finding`.
    """

    look = EDGES

    def __init__(
        self,
        share: Share,
        vertices: NDArray[Any],
        world: World,
        backend: Backend,
        find_roots: FindRoots = by_jumping,
    ):
        self.share, self.world, self.backend, self.find_roots = share, world, backend, find_roots
        self.round_log, self.ids = world.round_log, share.graph.u.dtype
        self.vertices = vertices
        self.root = vertices
        """The root of each of the rank's components."""
        self.components = vertices.size
        self.blocks = Blocks(share.n, world.size, world.rank)
        self.above = self.blocks.own(vertices.dtype)
        """What each vertex of the block hangs under."""
        self.living = share.n
        """Components of all ranks that may still have an edge."""
        self.chosen: list[tuple[NDArray[np.uint64], NDArray[np.uint32]]] = []

    # What lists of arcs do otherwise

    def edges(self, work: WorkList) -> Edges:
        """Give (end, ends_xor, key, name) of listed edges."""
        return (*work[:3], work[-1] if self.share.order.wide else work[2])

    def home(self, work: WorkList, place: NDArray[Any]) -> NDArray[np.uint32]:
        """Tell which ranks passed listed edges."""
        return np.full(place.size, self.world.rank, np.uint32)

    def ends(self, choosing: NDArray[np.int64]) -> Any:
        """Tell which of the rank's components are ends of listed edges, by those that can choose one."""
        return choosing

    def renamed(self, segments: Segments, work: WorkList, number: NDArray[Any]) -> Segments:
        """List in ``work`` the edges that join two of the new components."""
        edges = (*self.edges(work), number)
        return self.backend.emit(operators.contract_worklist, segments, work, *edges)

    # A round

    def round(self, segments: Segments, work: WorkList) -> Segments:
        """Let every component join the one that its lightest edge leads to; list what joins two new ones."""
        world, blocks, step = self.world, self.blocks, self.round_log.step
        self.round_log.begin("round", self.living, size_of(segments))
        here, offers = self.offers(segments, work)
        choice, parent, home = self.choose(*world.exchange(offers, blocks.owner(offers[0])))
        above = np.flatnonzero(choice != NONE)
        theirs = self.ask(parent[above], choice)
        with step("merge"):
            itself = blocks.own(parent.dtype)
            mutual = above[theirs == choice[above]]
            roots = mutual[itself[mutual] < parent[mutual]]
            parent[roots] = itself[roots]  # each new component has one
            hanging = np.flatnonzero(parent != itself)
            self.chosen.append((choice[hanging], home[hanging]))
        self.living = world.sum_of(roots.size)
        root = self.find_roots(world, self.backend, blocks, parent)
        moved = np.flatnonzero(root != itself)
        self.above[moved] = root[moved]
        ends = self.ends(here)
        new = self.ask(self.root[ends], root)
        with step("merge"):
            number = self.backend.empty(self.components, self.ids)
            self.root, number[ends] = distinct(new)
            self.components = self.root.size
        with step("contract"):
            return self.renamed(segments, work, number)

    def offers(self, segments: Segments, work: WorkList) -> tuple[NDArray[Any], tuple[NDArray[Any], ...]]:
        """Find the lightest of the rank's own edges for each of its components.

        Returns
        -------
        (c,) array
            Those of the rank's components that have one.
        tuple of (c,) arrays
            Its root, the other component's, the rank that passed the edge, key, and if need be name.
        """
        edges, wide = self.edges(work), self.share.order.wide
        choice, place = lightest(
            self.round_log, self.backend, segments, edges, self.components, self.look, wide=wide
        )
        with self.round_log.step("select"):
            here = np.flatnonzero(choice != NONE)
            at = place[here].astype(np.int64)
            other = here.astype(self.ids) ^ edges[1][at]
            names = edges[2:] if wide else edges[2:3]
            key_and_name = (column[at] for column in names)
            return here, (self.root[here], self.root[other], self.home(work, at), *key_and_name)

    def choose(
        self,
        tail: NDArray[Any],
        head: NDArray[Any],
        home: NDArray[np.uint32],
        key: NDArray[np.uint64],
        name: NDArray[np.uint64] | None = None,
    ) -> tuple[NDArray[np.uint64], NDArray[Any], NDArray[np.uint32]]:
        """Let the components of the block choose among what ranks offer.

        Returns
        -------
        (b,) arrays
            The name of the chosen edge, the component it leads to, and who passed it.
        """
        blocks, backend = self.blocks, self.backend
        arcs = blocks.local(tail), head, key, key if name is None else name
        everyone = backend.split(tail.size)
        choice, place = lightest(
            self.round_log, backend, everyone, arcs, blocks.size, ARCS, wide=name is not None
        )
        with self.round_log.step("select"):
            chose = np.flatnonzero(choice != NONE)
            at = place[chose].astype(np.int64)
            parent, homes = blocks.own(tail.dtype), backend.zeros(blocks.size, np.uint32)
            parent[chose], homes[chose] = head[at], home[at]
        return choice, parent, homes

    def ask(self, x: NDArray[Any], answers: NDArray[Any]) -> NDArray[Any]:
        """Ask the owners of vertices for what they have in their places."""
        return self.world.ask(self.blocks, x, lambda asked: answers[self.blocks.local(asked)])

    # The end of rounds

    def gather(self, segments: Segments, work: WorkList) -> None:
        """Send all edges to all ranks; every rank joins what they connect, alone."""
        blocks, round_log = self.blocks, self.round_log
        round_log.begin("finish", self.living, size_of(segments))
        end, ends_xor, *names = gapless(segments, work)
        home = np.full(end.size, self.world.rank, np.uint32)
        a, b, home, *names = self.world.gather((self.root[end], self.root[end ^ ends_xor], home, *names))
        with round_log.step("merge"):
            vertices, ends = distinct(np.concatenate([a, b]))
            a, b = ends[: a.size], ends[a.size :]
            (*_, name), tree = joined([a, a ^ b, *names], vertices.size, self.share.order, self.backend)
            self.share.add(self.backend, name)
            smallest = vertices[np.unique(tree, return_index=True)[1]]
            own = (blocks.first <= vertices) & (vertices < blocks.first + blocks.size)
            self.above[blocks.local(vertices[own])] = smallest[tree[own]]

    def begin_relabelling(self) -> None:
        """Do nothing: what each vertex hangs under is remembered."""

    def labels(self) -> NDArray[Any]:
        """Find what became of each of the rank's vertices; what is whole lives again."""
        with self.round_log.step("relabel"):
            self.root, label = distinct(self.ask(self.vertices, self.roots()))
        self.components = self.root.size
        return label.astype(self.ids)

    def roots(self) -> NDArray[Any]:
        """Find the root of each vertex of the block."""
        self.above = by_jumping(self.world, self.backend, self.blocks, self.above)
        return self.above

    def deliver(self) -> None:
        """Tell the ranks which of their edges were chosen."""
        nothing = np.empty(0, np.uint64), np.empty(0, np.uint32)
        names, homes = (np.concatenate(column) for column in zip(nothing, *self.chosen, strict=True))
        self.share.add(self.backend, *self.world.exchange((names,), homes))
