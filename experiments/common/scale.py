"""What a forest costs on ranks that are not at hand: work, messages, bytes and memory of one rank.

The messages and bytes follow the code of `boruvka.distributed` step by step, for Kronecker graphs; how fast
components and edges become fewer on these is fit_packing to what was counted (`experiments.ethz_counts`). The
work is counted in steps whose time one core of the machine at hand gave (`Work`). What is left is a machine:
how long a message takes to arrive, and how many bytes a rank sends in a second.

time = work + latency x messages + bytes / bandwidth
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["COSTS", "Cost", "Kronecker", "Machine", "seconds"]

FEW = 1 << 16
KEY, NOTE, COUNT = 8, 4, 8
"""Bytes of a key, of a rank's number, and of a count that is announced."""


@dataclass(frozen=True)
class Machine:
    """What a rank runs on.

    Attributes
    ----------
    latency : float
        Seconds from rank to rank.
    bandwidth : float
        Bytes that a rank sends in a second while all do.
    memory : float
        Bytes of a rank.
    """

    latency: float = 2e-6
    bandwidth: float = 0.2e9
    memory: float = 4e9


@dataclass(frozen=True)
class Work:
    """Nanoseconds of one core, from rounds of 2^19 vertices and 2^23 edges on one and two ranks."""

    read: float = 1.3
    """An edge is compared with the pivot."""
    filtered: float = 2.1
    """Both ends of an edge are looked up in a set."""
    listed: float = 12
    """A listed edge is offered, told, and contracted."""
    replicated: float = 31
    """A component that every rank knows chooses and gets a new number."""
    sorted: float = 130
    """A component that is dealt is asked for: packed, sorted, looked up."""
    compacted: float = 12
    """An edge's ends get numbers of the rank's own."""
    looked: float = 8.5
    """An edge is looked at through the labels of its ends."""
    merged: float = 6.5
    """A vertex is merged."""
    dealt: float = 90
    """An arc is packed, sent and numbered."""
    arc: float = 4
    """An arc is offered and contracted."""


WORK = Work()


@dataclass(frozen=True)
class Kronecker:
    """A Kronecker graph, and how it shrinks.

    Attributes
    ----------
    n, m : int
        Vertices and edges.
    """

    n: int
    m: int
    shrink: float = 25
    """So many times fewer components after a round."""
    heavy: float = 0.68
    """Vertices that are roots after the light edges; most are alone."""

    @property
    def id(self) -> int:
        """Bytes of a vertex."""
        return 4 if self.n < 2**32 else 8

    def rounds(self, begin: float, ranks: int) -> list[float]:
        """List the components at the beginning of each round, until few edges are left on all ranks."""
        components = []
        while begin >= 2 and min(begin, 1.5 * self.n / ranks) * ranks > FEW:
            components.append(begin)
            begin /= self.shrink
        return components

    def all_rounds(self) -> list[float]:
        """List the components at the beginning of each round, the last one with none to join."""
        return [self.n / self.shrink**k for k in range(math.ceil(math.log(self.n, self.shrink)) + 1)]

    def touched(self, ranks: int) -> float:
        """Count the vertices that the edges of a rank have."""
        return min(0.64 * self.n * ranks**-0.3, 2 * self.m / ranks)

    def touched_by_light(self, ranks: int) -> float:
        """Count the vertices that the light edges of a rank have."""
        return min(0.3 * self.n * ranks**-0.4, 3 * self.n / ranks)


@dataclass
class Cost:
    """What one rank does, sends and holds."""

    ranks: int
    messages: float = 0
    bytes: float = 0
    work: float = 0
    """Nanoseconds."""
    memory: float = 0

    @property
    def depth(self) -> int:
        """Messages, one after the other, until all ranks have heard of one."""
        return (self.ranks - 1).bit_length()

    @property
    def others(self) -> float:
        """Share of what is spread evenly that goes to other ranks."""
        return 1 - 1 / self.ranks

    def reduce(self, size: float) -> None:
        """Take the minimum over the ranks of so many bytes: scattered in halves, and gathered again."""
        self.messages += 2 * self.depth
        self.bytes += 2 * size * self.others

    def any(self, times: float = 1) -> None:
        """Agree on a number."""
        self.messages += 2 * self.depth * times

    def gather(self, size: float) -> None:
        """Collect so many bytes of all ranks on all."""
        self.messages += 2 * self.depth
        self.bytes += size * self.others

    def exchange(self, size: float, records: float, times: float = 1) -> None:
        """Announce counts, and send every rank its part of so many bytes."""
        self.messages += times * (self.depth + min(self.ranks - 1, records))
        self.bytes += times * (COUNT / 2 * self.ranks * self.depth + size * self.others)

    def ask(self, questions: float, asked: int, answered: int, times: float = 1) -> None:
        """Ask the owners of so many vertices for so many bytes each."""
        self.messages += times * (self.depth + 2 * min(self.ranks - 1, questions))
        self.bytes += times * (COUNT / 2 * self.ranks * self.depth)
        self.bytes += times * questions * (asked + answered) * self.others


def filter_by_edges(graph: Kronecker, ranks: int) -> Cost:
    """Follow `boruvka.distributed.filter_boruvka.by_edges`."""
    cost, n, own = Cost(ranks), graph.n, graph.m / ranks
    cost.gather(2**16)
    cost.work += own * (WORK.read + WORK.filtered) + 1.5 * n / ranks * WORK.listed
    for begin in (n, graph.heavy * n):
        left = begin
        for components in graph.rounds(begin, ranks):
            cost.any()
            cost.reduce(KEY * components)
            cost.reduce(graph.id * components)
            cost.work += components * WORK.replicated
            left = components / graph.shrink
        cost.any()
        cost.gather((KEY + 2 * graph.id) * min(FEW, left * ranks))
    cost.memory = own * (2 * graph.id + KEY / 2) + n * (2 * KEY + 4 * graph.id)
    return cost


def filter_by_vertices(graph: Kronecker, ranks: int) -> Cost:
    """Follow `boruvka.distributed.filter_boruvka.by_vertices`."""
    cost, n, own, ids = Cost(ranks), graph.n, graph.m / ranks, graph.id
    touched, light = graph.touched(ranks), graph.touched_by_light(ranks)
    cost.gather(2**16)
    cost.work += own * (WORK.compacted + WORK.read + WORK.filtered) + touched * WORK.sorted
    for begin in (light, graph.heavy * light):
        left = begin * n / light
        for components in graph.rounds(left, ranks):
            a_round(cost, graph, components * light / n, components / ranks)
            left = components / graph.shrink
        cost.any()
        cost.gather((KEY + 2 * ids + NOTE) * min(FEW, left * ranks))
    cost.any(3)
    cost.ask(0.3 * n / ranks, ids, ids, times=2)
    cost.ask(touched, ids, ids)
    cost.exchange(KEY * n / ranks, n / ranks)
    cost.memory = own * (2 * ids + KEY / 2 + 2 * 4) + n / ranks * (2 * KEY + 4 * ids) + touched * 3 * ids
    return cost


def a_round(
    cost: Cost,
    graph: Kronecker,
    offered: float,
    owned: float,
    jumps: float = 4,
    own_asks: float | None = None,
) -> None:
    """Follow `PartitionedComponents.round`: offers of a rank, and the components that it owns."""
    ids = graph.id
    choosing = 0.3 * owned
    cost.any()
    cost.exchange(offered * (2 * ids + NOTE + KEY), offered)
    cost.ask(choosing, ids, KEY)
    cost.any(2 + jumps)
    cost.ask(choosing / 2, ids, ids, times=jumps)
    cost.ask(offered if own_asks is None else own_asks, ids, ids)
    cost.work += (offered + owned) * WORK.sorted


def edges_union_find(graph: Kronecker, ranks: int) -> Cost:
    """Follow `boruvka.distributed.literature.by_edges`; the ways to merge send alike."""
    cost, n, own = Cost(ranks), graph.n, graph.m / ranks
    for _ in graph.all_rounds():
        cost.reduce(KEY * n)
        cost.reduce(graph.id * n)
        cost.work += own * WORK.looked + n * WORK.merged
    cost.memory = own * (4 * graph.id + 2 * KEY) + n * (2 * KEY + 5 * graph.id)
    return cost


def vertices_dealt(graph: Kronecker, ranks: int, jumps: float, gathers: bool = False) -> Cost:
    """Follow `boruvka.distributed.literature.by_vertices`, with so many jumps to a root."""
    cost, n, arcs, ids = Cost(ranks), graph.n, 2 * graph.m / ranks, graph.id
    cost.exchange(arcs * (2 * ids + NOTE + KEY), arcs)
    cost.work += arcs * WORK.dealt
    known = graph.touched(ranks) + n / ranks
    for components in graph.all_rounds()[:-1]:
        share = components / n
        a_round(cost, graph, min(n / ranks, components), components / ranks, jumps, known * share)
        cost.work += arcs * WORK.arc
        if gathers:
            cost.gather(2 * ids * 0.6 * components)
            cost.work += n * WORK.merged
    cost.exchange(KEY * n / ranks, n / ranks)
    cost.memory = arcs * (2 * ids + NOTE + KEY) * 2 + n / ranks * (2 * KEY + 4 * ids) + known * 2 * ids
    cost.memory += 3 * ids * n if gathers else 0
    return cost


COSTS: dict[str, Callable[[Kronecker, int], Cost]] = {
    "edges, filter-boruvka": filter_by_edges,
    "vertices, filter-boruvka": filter_by_vertices,
    "edges, union-find-reduced": edges_union_find,
    "vertices, union-find": lambda graph, ranks: vertices_dealt(graph, ranks, 0, gathers=True),
    "vertices, iterative": lambda graph, ranks: vertices_dealt(graph, ranks, 5),
    "vertices, pointer-jumping": lambda graph, ranks: vertices_dealt(graph, ranks, 4),
    "vertices, supervertex": lambda graph, ranks: vertices_dealt(graph, ranks, 14),
}
"""What each strategy costs; edges merged by union-find, reduced or not, and pointer jumping send alike."""


def seconds(cost: Cost, machine: Machine) -> float:
    """Predict the time of a call."""
    return 1e-9 * cost.work + machine.latency * cost.messages + cost.bytes / machine.bandwidth
