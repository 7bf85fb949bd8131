"""Prim's algorithm in the tiles of a matrix, side by side, then Borůvka's on what they leave.

Idea: the pairs of vertices are the entries of a matrix, and the matrix is cut into square tiles. In each,
alone and in the cache, Prim's algorithm grows the forest of what the tile holds: b² pairs, of which at
most 2b are left. What tiles leave is a sparse graph; its forest is kept, and joined with what the next
tiles leave. So every weight is looked up, or every distance computed, once: O(n²) work, O(n) memory.

Source: dense input after document 4, Parallel implementation of Borůvka's algorithm, IIT Hyderabad,
section 5, whose memory and time are a matrix and a list of its edges, and all of them for each component.
Prim's algorithm on a matrix: E. W. Dijkstra, A note on two problems in connexion with graphs, 1959.

Why it is right: an edge that the forest of a part leaves out is the heaviest on a cycle there, and so on a
cycle of the whole (cycle property). The lighter of the entries (i, j) and (j, i) is what a pair weighs;
ties are broken by the place of the entry along the rows, the order of indices.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from boruvka.algorithms import boruvka
from boruvka.algorithms.building_blocks import radix_sort as radix
from boruvka.algorithms.building_blocks.edge_keys import sorted_edges
from boruvka.algorithms.building_blocks.edge_list import EdgeList, ImplicitEdges
from boruvka.backends.protocol import Backend, Operator
from boruvka.errors import GraphError, OptionError
from boruvka.forest.round_log import RoundLog
from boruvka.graph.distance_graph import DistanceGraph
from boruvka.graph.matrix_graph import Absence, MatrixGraph, is_edge
from boruvka.operators.atomics import atomic_min
from boruvka.operators.sort_keys import NONE, U64, Packing, packing_of, sort_keys_of, weight_key

TILE = 128
"""Rows and columns of a tile: its pairs take 512 KB, and leave one edge in 64."""
ROOM = 1 << 20
"""Edges that tiles may leave before these become a forest; four for each vertex at least."""
LISTED_UP_TO = 20_000
"""Vertices of a list of edges for which a matrix is made."""
PAD = U64(8)
"""Entries between the rows of a tile: at a power of two, those of a column would share few cache lines."""
SQUARE = U64(8)
"""Columns that are joined with rows at once: those of a cache line."""
ZERO, ONE, TWO = U64(0), U64(1), U64(2)


def solve(graph: EdgeList | ImplicitEdges, backend: Backend, round_log: RoundLog, force: bool = False) -> Any:
    """Find the minimum spanning forest tile by tile.

    Parameters
    ----------
    graph : EdgeList or ImplicitEdges
        Best a matrix or points; a matrix is made of a list of edges first.
    force : bool
        Make a matrix for a list of edges of many vertices too, 8 n² bytes.

    Raises
    ------
    GraphError
        A distance is NaN.
    OptionError
        The graph is a list of edges, and has many vertices.
    """
    if isinstance(graph, ImplicitEdges):
        implicit, packing = graph
        if isinstance(implicit, DistanceGraph):
            return implicit.edges_at(*_of_points(implicit, packing, backend, round_log))
        assert isinstance(implicit, MatrixGraph)
        entries = implicit.entries(packing)
        return implicit.edges_at(*_forest(implicit.n, entry_of_matrix, entries, backend, round_log))
    if graph.n > LISTED_UP_TO and not force:
        raise OptionError(
            f"a matrix of {graph.n} vertices takes {8 * graph.n**2 / 2**30:.0f} GB, and more than "
            f"{LISTED_UP_TO} are refused; choose another algorithm, or force=True"
        )
    edges = sorted_edges(graph, backend)
    matrix = backend.empty(graph.n**2, np.uint64)
    matrix.fill(NONE)
    backend.for_each(enter, graph.m, edges, graph.u, graph.v, U64(graph.n), matrix)
    matrix = matrix.reshape(graph.n, graph.n)
    entries = matrix, packing_of(matrix.dtype), Absence(NONE, ONE, NONE, NONE)
    rows, columns = _forest(graph.n, entry_of_matrix, entries, backend, round_log)
    return np.sort(edges[matrix[rows, columns]]).astype(np.int64)


def _of_points(
    graph: DistanceGraph, packing: Packing, backend: Backend, round_log: RoundLog
) -> tuple[Any, Any]:
    wrong = backend.empty(1, np.uint64)
    wrong.fill(NONE)
    entry = entry_of_distances(graph.distance, graph.dtype.kind)
    pairs = _forest(graph.n, entry, (graph.points, packing, wrong), backend, round_log)
    if wrong[0] != NONE:
        i, j = divmod(int(wrong[0]), graph.n)
        raise GraphError(f"the distance of points {i} and {j} is NaN")
    return pairs


def _forest(
    n: int, entry: Operator, source: tuple[Any, ...], backend: Backend, round_log: RoundLog
) -> tuple[Any, Any]:
    """Find rows and columns of the forest's pairs, along the rows."""
    size = max(min(TILE, n), 1)
    local = [(2 * size * (size + int(PAD)), U64)] * 2 + [(2 * size, U64)] * 3
    place, rank = backend.empty(0, np.uint64), backend.empty(0, np.uint64)
    jobs_at_once = max(ROOM, 4 * n) // (2 * size)
    blocks = -(-n // size)
    for rows, columns in _batches(blocks, jobs_at_once):
        round_log.begin("tiles", n, rows.size * size * size)
        with round_log.step("tiles"):
            left = [backend.empty(place.size + 2 * size * rows.size, U64) for _ in range(2)]
            left[0][: place.size], left[1][: place.size] = place, rank
            found = [array[place.size :] for array in left]
            sizes = U64(n), U64(size)
            backend.for_each_block(tile_of(entry), rows.size, local, rows, columns, *sizes, *found, *source)
        with round_log.step("sort"):
            place, rank = _kept(left, backend)
        if blocks > 1:
            ids = np.uint32 if n <= 2**32 else np.uint64
            u, v = (backend.empty(place.size, ids) for _ in range(2))
            backend.for_each(ends, place.size, place, U64(n), u, v)
            edges = boruvka.solve(EdgeList(n, u, v, sort_keys_of(rank)), backend, round_log)
            place, rank = place[edges], rank[edges]
    return (place // n).astype(np.int64), (place % n).astype(np.int64)


def _kept(left: list[Any], backend: Backend) -> tuple[Any, Any]:
    """Order what tiles left by place."""
    into = [backend.empty(left[0].size, np.uint64) for _ in range(2)]
    kept = int(backend.emit_grouped(is_there, left[0].size, into, 1, *left)[-1])
    return radix.sort(backend, into[0][:kept], into[1][:kept])


def _batches(blocks: int, most: int) -> Iterator[tuple[Any, Any]]:
    """List tiles on and above the diagonal, row by row, about so many at once."""
    first = 0
    while first < blocks:
        last, jobs = first + 1, blocks - first
        while last < blocks and jobs + blocks - last <= most:
            jobs += blocks - last
            last += 1
        rows = np.repeat(np.arange(first, last, dtype=U64), blocks - np.arange(first, last))
        yield rows, np.concatenate([np.arange(row, blocks, dtype=U64) for row in range(first, last)])
        first = last


# A tile has the vertices of its rows, then those of its columns; on the diagonal these are the same. The row
# of a vertex in ``rank`` and ``place`` holds its pairs with the vertices across.


@functools.cache
def tile_of(entry: Operator) -> Operator:
    """Make the operator that leaves the forest of a tile whose entries another operator finds."""

    def tile(job, rank, place, best, at, dead, rows, columns, n, size, found, weighs, *source):
        top, side, pitch = rows[job] * size, columns[job] * size, size + PAD
        tall, wide = min(size, n - top), min(size, n - side)
        offset = size if top != side else ZERO
        for x in range(tall):
            for y in range(wide):
                k = x * pitch + y
                rank[k], place[k] = entry(top + x, side + y, n, *source)
        if offset:
            for y in range(wide):
                for x in range(tall):
                    k = (offset + y) * pitch + x
                    rank[k], place[k] = entry(side + y, top + x, n, *source)
        join_halves(tall, wide, offset, pitch, rank, place)
        grow(job, tall, wide, offset, pitch, top, side, n, size, rank, place, best, at, dead, found, weighs)

    tile.__name__ = tile.__qualname__ = f"tile_of_{entry.__name__}"
    return tile


def entry_of_matrix(i, j, n, bits, packing, absence):
    """Find rank and place of an entry of a matrix, both NONE if it is no edge."""
    b = U64(bits[i, j])
    there = is_edge(b, packing, absence) & (i != j)
    return weight_key(b, packing) if there else NONE, i * n + j if there else NONE


@functools.cache
def entry_of_distances(distance: Callable[[Any, Any], Any], kind: str) -> Operator:
    """Make an operator that finds the entries above the diagonal by a distance of some kind of number."""
    bits_of = {"i": bits_of_int, "u": bits_of_unsigned, "f": bits_of_float}[kind]

    def entry(i, j, n, points, packing, wrong):
        if i >= j:
            return NONE, NONE
        d = distance(points[i], points[j])
        if d != d:
            atomic_min(wrong, ZERO, i * n + j)
        return weight_key(bits_of(d), packing), i * n + j

    entry.__name__ = entry.__qualname__ = distance.__name__
    return entry


def bits_of_int(x):
    """See an integer as bits."""
    return np.int64(x).view(np.uint64)


def bits_of_unsigned(x):
    """See an unsigned integer as bits."""
    return np.uint64(x)


def bits_of_float(x):
    """See a float as bits."""
    return np.float64(x).view(np.uint64)


def join_halves(tall, wide, offset, pitch, rank, place):
    """Give a pair the lighter of the entries on both sides of the diagonal, in the rows of both vertices."""
    for left in range(ZERO, wide, SQUARE):
        for x in range(tall):
            for y in range(left, min(left + SQUARE, wide)):
                here, across = x * pitch + y, (offset + y) * pitch + x
                if offset or x < y:
                    lower = (rank[across] < rank[here]) | (place[here] == NONE)
                    r, p = rank[across] if lower else rank[here], place[across] if lower else place[here]
                    rank[here], place[here] = r, p
                    rank[across], place[across] = r, p


# Prim's algorithm in a tile


def grow(job, tall, wide, offset, pitch, top, side, n, size, rank, place, best, at, dead, found, weighs):
    """Grow trees until every vertex of the tile is in one, and note the pairs along which they grew.

    ``best`` and ``at`` are rank and place of the lightest pair between a vertex and the tree; ``dead``
    has all bits set for a vertex of a tree.
    """
    vertices, slot, last = offset + wide, TWO * size * job, TWO * size * (job + ONE)
    for x in range(vertices):
        best[x], at[x], dead[x] = NONE, NONE, ZERO
    first = newest = ZERO
    for _ in range(vertices):
        lightest, where = NONE, NONE
        for y in range(vertices):
            lightest = min(lightest, best[y])
        for y in range(vertices):  # of equals the first
            where = min(where, at[y] if best[y] == lightest else NONE)
        if where != NONE:
            found[slot], weighs[slot] = where, lightest
            slot += ONE
            newest = inside(where // n, tall, offset, top, side)
            if dead[newest]:
                newest = inside(where % n, tall, offset, top, side)
        else:
            while dead[first]:
                first += ONE
            newest = first
        best[newest], at[newest], dead[newest] = NONE, NONE, NONE
        begin, count = (offset, wide) if newest < offset else (ZERO, tall)
        row = newest * pitch
        for k in range(count):
            z = begin + k
            r, p = rank[row + k] | dead[z], place[row + k] | dead[z]
            better = (r < best[z]) | ((r == best[z]) & (p < at[z]))
            best[z], at[z] = (r if better else best[z]), (p if better else at[z])
    for k in range(slot, last):
        found[k] = NONE


def inside(i, tall, offset, top, side):
    """Find which vertex of a tile vertex i is."""
    return i - top if top <= i < top + tall else offset + i - side


# What tiles leave


def is_there(k, place, rank):
    """Emit the k-th pair, in the only group, if there is one."""
    return place[k] != NONE, ZERO, place[k], rank[k]


def ends(k, place, n, u, v):
    """Find the vertices of the k-th pair."""
    u[k], v[k] = place[k] // n, place[k] % n


# From a list of edges to a matrix


def enter(k, edges, u, v, n, matrix):
    """Enter the k-th lightest edge as k, the lightest of parallel ones, loops left out."""
    a, b = U64(u[edges[k]]), U64(v[edges[k]])
    if a != b:
        atomic_min(matrix, min(a, b) * n + max(a, b), U64(k))
