"""A cost model of a forest on many ranks: work, messages, bytes and memory of one rank.

The messages and bytes follow the code of `boruvka.distributed` step by step, for Kronecker graphs; the rates
at which components and edges decrease are fitted to the counts of the experiment `ethz_counts`. The work is a
number of steps, each with its time on one core (`Work`). A machine has a latency of messages and a bandwidth.

time = work + latency x messages + bytes / bandwidth
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

FEW = 1 << 16
TWO_STEPS_FROM, BYTES_OF_MESSAGE = 1 << 8, 512
"""Minimum number of ranks for exchanges in two steps, and the maximum number of bytes per rank."""
VERTICES_AT_EDGE = 64
"""Maximum number of vertices per edge of a rank for which it holds a bit for every vertex."""
KEY, RANK, COUNT, SLOT = 8, 4, 8, 2
"""Bytes of a key, of the number of a rank, of a count that is announced, and of a row of the square."""


@dataclass(frozen=True)
class Machine:
    """A machine with one rank per core.

    Attributes
    ----------
    latency : float
        Seconds of a message from rank to rank.
    bandwidth : float
        Bytes that a rank sends per second while all do.
    memory : float
        Bytes per rank.
    """

    latency: float = 2e-6
    bandwidth: float = 0.2e9
    memory: float = 4e9


@dataclass(frozen=True)
class Work:
    """Nanoseconds of one core, measured in rounds of 2^19 vertices and 2^23 edges on one and two ranks."""

    read: float = 1.3
    """Compare an edge with the pivot."""
    filtered: float = 2.1
    """Look up both ends of an edge in a set."""
    worklist: float = 12
    """Propose, settle and contract an edge of the worklist."""
    replicated: float = 31
    """Choose the edge of a replicated component, and number it again."""
    sorted: float = 130
    """Look up a partitioned component: pack, sort, find."""
    compacted: float = 12
    """Give the ends of an edge local numbers."""
    read_labels: float = 8.5
    """Read an edge through the labels of its ends."""
    merged: float = 6.5
    """Merge a vertex."""
    distributed: float = 90
    """Pack, send and number an arc."""
    arc: float = 4
    """Propose and contract an arc."""


WORK = Work()


@dataclass(frozen=True)
class Kronecker:
    """A Kronecker graph, and the rate at which it shrinks.

    Attributes
    ----------
    n, m : int
        Vertices and edges.
    """

    n: int
    m: int
    shrink: float = 25
    """The factor by which components decrease in a round."""
    heavy: float = 0.68
    """Fraction of vertices that are roots after the light edges; most are isolated."""

    @property
    def id(self) -> int:
        """Bytes of a vertex."""
        return 4 if self.n < 2**32 else 8

    def rounds(self, begin: float, ranks: int) -> list[float]:
        """List the components at the start of each round, until few edges are left on all ranks."""
        components = []
        while begin >= 2 and min(begin, 1.5 * self.n / ranks) * ranks > FEW:
            components.append(begin)
            begin /= self.shrink
        return components

    def all_rounds(self) -> list[float]:
        """List the components at the start of each round; the last one merges none."""
        return [self.n / self.shrink**k for k in range(math.ceil(math.log(self.n, self.shrink)) + 1)]

    def touched(self, ranks: int) -> float:
        """Count the ends of the edges of a rank."""
        return min(0.64 * self.n * ranks**-0.3, 2 * self.m / ranks)

    def touched_by_light(self, ranks: int) -> float:
        """Count the ends of the light edges of a rank."""
        return min(0.3 * self.n * ranks**-0.4, 3 * self.n / ranks)


@dataclass
class Cost:
    """The work, messages and memory of one rank."""

    ranks: int
    two_steps: bool | None = None
    """Whether exchanges go along the rows and columns of a square of ranks; by default small ones of many."""
    messages: float = 0
    bytes: float = 0
    work: float = 0
    """Nanoseconds."""
    memory: float = 0

    @property
    def depth(self) -> int:
        """Messages in sequence until one rank has reached all."""
        return (self.ranks - 1).bit_length()

    @property
    def others(self) -> float:
        """Fraction of evenly spread data that goes to other ranks."""
        return 1 - 1 / self.ranks

    def reduce(self, size: float) -> None:
        """Reduce so many bytes over the ranks: recursive halving, then doubling."""
        self.messages += 2 * self.depth
        self.bytes += 2 * size * self.others

    def agree(self, times: float = 1) -> None:
        """Reduce one number."""
        self.messages += 2 * self.depth * times

    def gather(self, size: float) -> None:
        """Gather so many bytes of all ranks on all."""
        self.messages += 2 * self.depth
        self.bytes += size * self.others + COUNT * (self.ranks - 1)

    def exchange(self, size: float, records: float, times: float = 1) -> None:
        """Exchange counts, then send every rank its part of so many bytes."""
        if self.takes_two_steps(size, times):
            return self.send_twice(size + SLOT / 2 * records, times)
        self.messages += times * (self.depth + min(self.ranks - 1, records))
        self.bytes += times * (COUNT / 2 * self.ranks * self.depth + size * self.others)

    def takes_two_steps(self, size: float, times: float) -> bool:
        """Return whether an exchange of so many bytes takes two steps; many ranks agree on it first."""
        if self.two_steps is False or (self.two_steps is None and self.ranks < TWO_STEPS_FROM):
            return False
        self.agree(times)
        return bool(self.two_steps) or size <= BYTES_OF_MESSAGE * self.ranks

    def send_twice(self, size: float, times: float) -> None:
        """Send so many bytes along a row and a column of ranks."""
        partners = math.sqrt(self.ranks) - 1
        self.messages += times * 2 * partners
        self.bytes += times * 2 * size * (1 - 1 / math.sqrt(self.ranks))

    def look_up(self, queries: float, asked: int, answered: int, times: float = 1) -> None:
        """Look up so many vertices at their owners."""
        if self.takes_two_steps(queries * asked, times):
            self.send_twice(queries * (asked + SLOT / 2), times)
            return self.send_twice(queries * answered, times)
        self.messages += times * (self.depth + 2 * min(self.ranks - 1, queries))
        self.bytes += times * (COUNT / 2 * self.ranks * self.depth)
        self.bytes += times * queries * (asked + answered) * self.others


def filter_by_edges(graph: Kronecker, ranks: int) -> Cost:
    """Follow `boruvka.distributed.filter_boruvka.by_edges`."""
    cost, n, own = Cost(ranks), graph.n, graph.m / ranks
    cost.gather(2**16)
    cost.work += own * (WORK.read + WORK.filtered) + 1.5 * n / ranks * WORK.worklist
    for begin in (n, graph.heavy * n):
        left = begin
        for components in graph.rounds(begin, ranks):
            cost.agree()
            cost.reduce(KEY * components)
            cost.reduce(graph.id * components)
            cost.work += components * WORK.replicated
            left = components / graph.shrink
        cost.agree()
        cost.gather((KEY + 2 * graph.id) * min(FEW, left * ranks))
    cost.memory = own * (2 * graph.id + KEY / 2) + n * (2 * KEY + 4 * graph.id)
    return cost


def filter_by_vertices(graph: Kronecker, ranks: int, two_steps: bool | None = None) -> Cost:
    """Follow `boruvka.distributed.filter_boruvka.by_vertices`."""
    cost, n, own, ids = Cost(ranks, two_steps), graph.n, graph.m / ranks, graph.id
    touched, light = graph.touched(ranks), graph.touched_by_light(ranks)
    has_bits = n <= VERTICES_AT_EDGE * own
    cost.gather(2**16)
    cost.work += own * (WORK.read + WORK.filtered) + 1.5 * n / ranks * WORK.worklist + 2 * light * WORK.sorted
    for begin in (n, graph.heavy * n):
        components, proposed = begin, light
        while components >= 2 and min(proposed, 1.5 * n / ranks) * ranks > FEW:
            add_round(cost, graph, proposed, components / ranks)
            components, proposed = components / graph.shrink, proposed / graph.shrink
        cost.agree()
        cost.gather((KEY + 2 * ids) * min(FEW, proposed * ranks))
    cost.agree(3)
    cost.look_up(0.3 * n / ranks, ids, ids, times=2)
    cost.messages += cost.depth
    cost.bytes += COUNT * ranks
    cost.memory = own * (2 * ids + KEY / 2) + n / ranks * (2 * KEY + 4 * ids) + light * 3 * ids
    if has_bits:
        cost.reduce(n / 8)
        cost.memory += n / 8
    else:
        cost.look_up(touched, ids, ids)
        cost.work += own * WORK.compacted + touched * WORK.sorted
        cost.memory += own * 2 * 4 + touched * 2 * ids
    cost.look_up(light, ids, ids)
    cost.exchange(KEY * n / ranks, n / ranks)
    return cost


def add_round(
    cost: Cost,
    graph: Kronecker,
    proposed: float,
    owned: float,
    jumps: float = 3,
    looked_up: float | None = None,
) -> None:
    """Follow `PartitionedComponents.round`.

    A rank proposes edges for some components, owns some, and looks up some.
    """
    ids = graph.id
    choosers = 0.3 * owned
    cost.agree()
    cost.exchange(proposed * (2 * ids + RANK + KEY), proposed)
    cost.look_up(choosers, ids, ids)
    cost.agree(2 + jumps)
    cost.look_up(choosers / 2, ids, ids, times=jumps)
    cost.look_up(proposed if looked_up is None else looked_up, ids, ids)
    cost.work += (proposed + owned) * WORK.sorted


def edges_union_find(graph: Kronecker, ranks: int) -> Cost:
    """Follow `boruvka.distributed.anzalone`; all ways to merge send the same."""
    cost, n, own = Cost(ranks), graph.n, graph.m / ranks
    for _ in graph.all_rounds():
        cost.reduce(KEY * n)
        cost.reduce(graph.id * n)
        cost.work += own * WORK.read_labels + n * WORK.merged
    cost.memory = own * (4 * graph.id + 2 * KEY) + n * (2 * KEY + 5 * graph.id)
    return cost


def partitioned_vertices(graph: Kronecker, ranks: int, jumps: float, gathers: bool = False) -> Cost:
    """Follow `boruvka.distributed.anzalone`, with a number of jumps to a root."""
    cost, n, arcs, ids = Cost(ranks), graph.n, 2 * graph.m / ranks, graph.id
    cost.exchange(arcs * (2 * ids + RANK + KEY), arcs)
    cost.work += arcs * WORK.distributed
    known = graph.touched(ranks) + n / ranks
    for components in graph.all_rounds()[:-1]:
        fraction = components / n
        add_round(cost, graph, min(n / ranks, components), components / ranks, jumps, known * fraction)
        cost.work += arcs * WORK.arc
        if gathers:
            cost.gather(2 * ids * 0.6 * components)
            cost.work += n * WORK.merged
    cost.exchange(KEY * n / ranks, n / ranks)
    cost.memory = arcs * (2 * ids + RANK + KEY) * 2 + n / ranks * (2 * KEY + 4 * ids) + known * 2 * ids
    cost.memory += 3 * ids * n if gathers else 0
    return cost


COSTS: dict[str, Callable[[Kronecker, int], Cost]] = {
    "edges, filter-boruvka": filter_by_edges,
    "vertices, filter-boruvka": filter_by_vertices,
    "vertices, filter-boruvka, two steps": lambda graph, ranks: filter_by_vertices(graph, ranks, True),
    "vertices, filter-boruvka, one step": lambda graph, ranks: filter_by_vertices(graph, ranks, False),
    "edges, union-find-reduced": edges_union_find,
    "vertices, union-find": lambda graph, ranks: partitioned_vertices(graph, ranks, 0, gathers=True),
    "vertices, iterative": lambda graph, ranks: partitioned_vertices(graph, ranks, 4),
    "vertices, pointer-jumping": lambda graph, ranks: partitioned_vertices(graph, ranks, 3),
    "vertices, supervertex": lambda graph, ranks: partitioned_vertices(graph, ranks, 14),
}
"""The cost of each strategy; on partitioned edges all of Anzalone et al. send the same."""


def seconds(cost: Cost, machine: Machine) -> float:
    """Predict the seconds of a call."""
    return 1e-9 * cost.work + machine.latency * cost.messages + cost.bytes / machine.bandwidth
