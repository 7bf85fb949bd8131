"""The search for an edge of an edge list that should replace one of its forest.

A forest is minimum exactly if every edge outside it comes after the heaviest edge on the path between its
ends. For most edges of a dense graph that path need not be looked up: the lightest edges of the forest join
most vertices into one tree, and an edge that is heavier than all of these, and has both ends in that tree,
is heavier than its path. A sample of the edges decides how many edges that tree has.

Source: the property is that of R. E. Tarjan, Applications of path compression on balanced trees, 1979.
Light edges first: V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal minimum spanning tree algorithm,
2009.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.forest.path_maxima import (
    ONE,
    ZERO,
    IntervalMaxima,
    Line,
    highest_gap,
    interval_maxima,
    path_maxima,
    widened,
)
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.runtime.processors import processors
from boruvka.runtime.progress import report

PIECE = 1 << 17
"""Edges of one kernel call, whose weights in 64 bits stay in the cache."""
TOGETHER = np.uint64(256)
"""Edges whose paths are looked up together, so that their memory accesses overlap."""
SAMPLE = 4096
"""Number of edges in the sample by which the light tree is chosen."""
THREE, SEVEN = np.uint64(3), np.uint64(7)


class LightTree(NamedTuple):
    """A tree of light edges, to which most vertices belong."""

    members: NDArray[np.uint8]
    """A bit for each vertex."""
    heaviest: Any
    """Weight of its heaviest edge."""


class Scratch(NamedTuple):
    """Arrays that a thread uses again for each piece."""

    rest: NDArray[np.uint32]
    """Edges of the piece whose paths must be looked up."""
    first: NDArray[Any]
    """Interval of each of the edges that are looked up together, and its highest gap."""
    last: NDArray[Any]
    rank: NDArray[Any]


def find_better_edge(
    graph: AbstractGraph, edges: NDArray[np.int64], line: Line, maximum: bool
) -> tuple[int, int] | None:
    """Find the first edge outside a forest that precedes an edge on the path between its ends.

    Parameters
    ----------
    graph : AbstractGraph
        The graph.
    edges : (f,) array of int64
        The edges of the forest, ascending.
    line : Line
        The vertices in a line.
    maximum : bool
        Whether the heaviest edge comes first.

    Returns
    -------
    (int, int) or None
        The edge, and the edge on the path that it should replace, or -1 if there is no path.
    """
    size = min(SAMPLE, graph.m)
    checker = EdgeChecker(graph.n, edges, line, maximum, graph.take(np.arange(size) * graph.m // size))

    def check(first: int) -> tuple[int, int]:
        return checker.find_better(first, *graph.edge_slice(first, min(first + PIECE, graph.m)))

    for done, (edge, rank) in enumerate(in_threads(check, range(0, graph.m, PIECE)), 1):
        if edge >= 0:
            return edge, checker.edge_of_rank(rank)
        report("verify", min(done * PIECE, graph.m), graph.m, "edges")
    return None


class EdgeChecker:
    """Checks edges of a graph, a piece at a time and on several threads, against the paths of a forest.

    Parameters
    ----------
    n : int
        Number of vertices.
    edges : (f,) array of int64
        The edges of the forest, ascending.
    line : Line
        The vertices in a line.
    maximum : bool
        Whether the heaviest edge comes first.
    sample : (u, v, w) arrays
        Some edges of the graph.
    """

    def __init__(
        self, n: int, edges: NDArray[np.int64], line: Line, maximum: bool, sample: tuple[Any, Any, Any]
    ):
        self._edges, self._line, self._maximum = edges, line, maximum
        self._maxima = interval_maxima(line.gap)
        self._tree = _light_tree(n, sample, line, self._maxima, maximum)
        self._spare: list[Scratch] = []

    def find_better(self, first: int, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> tuple[int, int]:
        """Find an edge outside the forest that precedes an edge on the path between its ends.

        Parameters
        ----------
        first : int
            The index of the first edge.
        u, v, w : (k,) arrays
            The edges from there on: at most `PIECE`.

        Returns
        -------
        (int, int)
            The first such edge, and the rank of the other: the number of edges of the forest if there is no
            path, -1 for both if there is no such edge.
        """
        scratch = self._spare.pop() if self._spare else _scratch(self._line.gap.dtype)
        where = np.uint64(first), np.uint64(np.searchsorted(self._edges, first))
        known = self._maximum, self._edges, self._tree, self._line, self._maxima
        found = _find_better_edge(*where, u, v, widened(w), *known, scratch)
        self._spare.append(scratch)
        return found

    def edge_of_rank(self, rank: int) -> int:
        """Return the edge of the forest that has a rank, -1 for none."""
        return int(self._edges[self._line.order[rank]]) if rank < self._edges.size else -1


def in_threads(function: Callable[[Any], Any], parts: Iterable[Any]) -> Iterator[Any]:
    """Call a function of each part in threads; the results have the order of the parts."""
    parts = list(parts)
    if len(parts) < 2:
        yield from map(function, parts)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(processors()) as pool:
        yield from pool.map(function, parts)  # if this ends early, parts that wait are cancelled


def _scratch(ids: Any) -> Scratch:
    return Scratch(np.empty(PIECE, np.uint32), *(np.empty(int(TOGETHER), ids) for _ in range(3)))


def _light_tree(
    n: int, sample: tuple[Any, Any, Any], line: Line, maxima: IntervalMaxima, maximum: bool
) -> LightTree:
    """Choose the tree that accepts most edges of a sample."""
    u, v, w = sample[0], sample[1], widened(sample[2])
    path = np.empty(w.size, line.gap.dtype)
    path_maxima(u, v, line.position, maxima, path)
    f = line.weights.size
    if maximum:
        before = f - np.searchsorted(line.weights[::-1], w, side="right")
    else:
        before = np.searchsorted(line.weights, w)
    # Edges of ranks below t accept an edge with path < t <= before, where before counts the lighter edges.
    accepted = (path >= 0) & (path < before)  # no loops
    if not accepted.any():
        return LightTree(np.zeros((n + 7) // 8, np.uint8), w.dtype.type(0))
    begins, ends = np.sort(path[accepted]) + 1, np.sort(before[accepted])
    t = begins[np.argmax(np.arange(begins.size) - np.searchsorted(ends, begins))]
    borders = np.append(np.flatnonzero(line.gap >= t), n)
    largest = np.argmax(np.diff(borders))
    first, last = borders[largest], borders[largest + 1]
    members = (line.position >= first) & (line.position < last)
    return LightTree(np.packbits(members, bitorder="little"), line.weights[t - 1])


@kernel
def _find_better_edge(first, next_of_forest, u, v, w, maximum, edges, tree, line, maxima, scratch):
    """Find an edge outside the forest that precedes an edge on the path between its ends.

    The edges are those from index ``first`` on; ``next_of_forest`` is the place of the first of them in the
    forest. Return the index of the edge and the rank of the other: -1 for both if there is none.
    """
    rest = scratch.rest
    count = _list_unaccepted(first, next_of_forest, u, v, w, maximum, edges, tree, rest)
    for begin in range(ZERO, count, TOGETHER):
        some = rest[begin : min(begin + TOGETHER, count)]
        _find_path_maxima(some, u, v, line, maxima, scratch)
        for c in range(np.uint64(some.size)):
            rank = np.int64(scratch.rank[c])
            if rank < 0:  # a loop
                continue
            k = np.uint64(some[c])
            if np.uint64(rank) == np.uint64(edges.size):
                return np.int64(first + k), rank
            x, y = w[k], line.weights[np.uint64(rank)]
            if (x > y if maximum else x < y) or (
                x == y and np.int64(first + k) < edges[np.uint64(line.order[np.uint64(rank)])]
            ):
                return np.int64(first + k), rank
    return np.int64(-1), np.int64(-1)


def _list_unaccepted(first, next_of_forest, u, v, w, maximum, edges, tree, rest):
    """List the edges outside the forest that the light tree does not accept; return how many."""
    members, heaviest = tree
    count = ZERO
    for k in range(np.uint64(u.size)):
        a, b = np.uint64(u[k]), np.uint64(v[k])
        inside = is_member(a, members) & is_member(b, members)
        heavy = w[k] < heaviest if maximum else w[k] > heaviest
        rest[count] = k
        count += ONE - (inside & np.uint64(heavy))
    # Edges of the forest are among these: the light tree accepts none of them.
    kept, q, f = ZERO, next_of_forest, np.uint64(edges.size)
    for c in range(count):
        k = rest[c]
        in_forest = q < f and np.uint64(edges[q]) == first + k
        rest[kept] = k
        kept += ONE - np.uint64(in_forest)
        q += np.uint64(in_forest)
    return kept


def is_member(x, members):
    """Return the bit of a vertex."""
    return np.uint64(members[x >> THREE]) >> (x & SEVEN) & ONE


def _find_path_maxima(some, u, v, line, maxima, scratch):
    """Store the rank of the heaviest edge on the path between the ends of some edges, -1 for loops."""
    size = np.uint64(some.size)
    for c in range(size):
        k = np.uint64(some[c])
        prefetch(line.position, np.uint64(u[k]))
        prefetch(line.position, np.uint64(v[k]))
    for c in range(size):
        k = np.uint64(some[c])
        a, b = line.position[np.uint64(u[k])], line.position[np.uint64(v[k])]
        scratch.first[c], scratch.last[c] = min(a, b) + 1, max(a, b)
        prefetch(maxima.to_end, np.uint64(min(a, b) + 1))
        prefetch(maxima.from_begin, np.uint64(max(a, b)))
    for c in range(size):
        first, last = scratch.first[c], scratch.last[c]
        if first > last:
            scratch.rank[c] = -1
        else:
            rank = highest_gap(np.uint64(first), np.uint64(last), maxima)
            scratch.rank[c] = rank
            prefetch(line.weights, np.uint64(rank))
