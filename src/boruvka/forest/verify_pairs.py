"""The search for a pair of vertices, of points or a matrix, that should replace an edge of the forest.

From one vertex to the vertices behind it in the line (see `boruvka.forest.path_maxima`), the heaviest edge
on the path is a running maximum of the gaps. So all pairs are checked in about the time that it takes to
read the matrix or to compute the distances. Points are first brought into the order of the line.

Edges of equal weights are compared by row * n + column, which sorts as indices do.

Many points of few coordinates are searched instead (`boruvka.forest.verify_points`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.forest.path_maxima import ONE, ZERO, Line, widened
from boruvka.forest.verify_points import find_better_pair_of_points, searched_points
from boruvka.graph.distance_graph import DistanceGraph, PairSource
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.graph.matrix_graph import MatrixGraph
from boruvka.kernels.kernel import Kernel, kernel
from boruvka.runtime.processors import processors
from boruvka.runtime.thread_pool import map_parts

PAIRS_AT_ONCE = 1 << 20
"""Pairs of one kernel call, at least one row."""
NONE = np.uint64(2**64 - 1)


class Pairs(NamedTuple):
    """What the pairs of a graph are compared with."""

    vertex: NDArray[Any]
    """The vertex at each position of the line."""
    position: NDArray[Any]
    gap: NDArray[Any]
    weights: NDArray[Any]
    """Weight of the edge of each rank, then any value for pairs that no path connects."""
    pair: NDArray[np.uint64]
    """Its row * n + column, then NONE."""
    maximum: Any


def find_better_pair(
    graph: ImplicitGraph, edges: NDArray[np.int64], ends: tuple[Any, Any], line: Line, maximum: bool
) -> tuple[int, int] | None:
    """Find an edge outside a forest that precedes an edge on the path between its ends.

    The result is that of `boruvka.forest.verify_edge_list.find_better_edge`, and so are the parameters, but
    for the ends of the edges of the forest.
    """
    u, v = (end.astype(np.uint64)[line.order] for end in ends)
    pair = np.append(u * np.uint64(graph.n) + v, NONE)
    if isinstance(graph, DistanceGraph) and (points := searched_points(graph, maximum)) is not None:
        weights = np.append(line.weights, np.inf)
        found = find_better_pair_of_points(graph, points, line, pair, weights)
    else:
        found = find_first_better_pair(graph, line, pair, maximum)
    if found is None:
        return None
    row, column = divmod(found[0], graph.n)
    edge = int(graph.edges_at(np.array([row]), np.array([column]))[0])
    return edge, int(edges[line.order[found[1]]]) if found[1] < edges.size else -1


def find_first_better_pair(
    graph: ImplicitGraph, line: Line, pair: NDArray[np.uint64], maximum: bool
) -> tuple[int, int] | None:
    """Look at all pairs; return the first that precedes an edge on its path, and the rank of that edge.

    A pair is row * n + column. ``pair`` has that of each edge of the forest, by rank, then `NONE`.
    """
    vertex = np.empty_like(line.position)
    vertex[line.position] = np.arange(graph.n)
    weights = np.append(line.weights, line.weights.dtype.type(0))
    pairs = Pairs(vertex, line.position, line.gap, weights, pair, maximum)
    check: Callable[[int, int], tuple[int, int]]
    if isinstance(graph, DistanceGraph):
        check = _check_points(graph, pairs)
        rows_from = np.arange(graph.n, 0, -1)
    else:
        assert isinstance(graph, MatrixGraph)
        check = _check_matrix(graph, pairs)
        rows_from = np.full(graph.n, graph.n)
    piece = np.cumsum(rows_from) // PAIRS_AT_ONCE
    bounds = [0, *(np.flatnonzero(np.diff(piece)) + 1).tolist(), graph.n]
    results = map_parts(lambda rows: check(*rows), pairwise(bounds), processors())
    better, rank = min(results)  # no two have the same pair
    return None if better == int(NONE) else (better, rank)


def _check_points(graph: DistanceGraph, pairs: Pairs) -> Callable[[int, int], tuple[int, int]]:
    points, core = graph.source
    core = core[pairs.vertex] if core.size else core
    source = PairSource(np.ascontiguousarray(points[pairs.vertex]), core)
    find = _finder_of_points(graph.pair_weight, graph.dtype.kind)

    def check(first: int, last: int) -> tuple[int, int]:
        return find(np.uint64(first), np.uint64(last), source, pairs)

    return check


def _check_matrix(graph: MatrixGraph, pairs: Pairs) -> Callable[[int, int], tuple[int, int]]:
    matrix, null_value = graph.matrix, graph.null_value
    by_columns = abs(matrix.strides[0]) < abs(matrix.strides[1])
    rows = matrix.T if by_columns else matrix
    has_absent = null_value is not None and null_value == null_value
    no_edge = widened(np.array([null_value if has_absent else 0], matrix.dtype))

    def check(first: int, last: int) -> tuple[int, int]:
        entries = np.ascontiguousarray(widened(rows[first:last]))
        return _find_in_matrix(np.uint64(first), entries, by_columns, has_absent, no_edge, pairs)

    return check


@functools.cache
def _finder_of_points(pair_weight: Callable[[Any, Any, Any], Any], kind: str) -> Kernel:
    """Make the kernel that checks pairs of points; ``kind`` is that of the weights."""
    convert = {"i": _to_int, "u": _to_unsigned, "f": _to_float}[kind]

    def find(first, last, source, pairs):
        """Check the pairs of positions from ``first`` to ``last`` with all positions behind them."""
        n, better, replaced = np.uint64(pairs.vertex.size), NONE, np.int64(-1)
        for p in range(first, last):
            i, rank = np.uint64(pairs.vertex[p]), np.int64(-1)
            weight, pair = pairs.weights[ZERO], NONE
            for q in range(p + ONE, n):
                if pairs.gap[q] > rank:
                    rank, weight, pair = _edge_at(pairs.gap[q], pairs)
                j = np.uint64(pairs.vertex[q])
                # Distances are computed as the graph does it: first the point with the smaller number.
                a, b = (p, q) if i < j else (q, p)
                w = convert(pair_weight(a, b, source))
                if _may_precede(w, weight, pair, pairs):
                    here = min(i, j) * n + max(i, j)
                    if here < better and (w != weight or pair == NONE or here < pair):
                        better, replaced = here, rank
        return better, replaced

    return Kernel(find, f"find_in_points_{pair_weight.__name__}")


@kernel
def _find_in_matrix(first, entries, by_columns, has_absent, no_edge, pairs):
    """Check the entries of the rows of a matrix from ``first`` on, or of its columns."""
    n, better, replaced = np.uint64(pairs.vertex.size), NONE, np.int64(-1)
    for x in range(np.uint64(entries.shape[0])):
        i = first + x
        here = np.uint64(pairs.position[i])
        for backward in range(2):
            rank, weight, pair = np.int64(-1), pairs.weights[ZERO], NONE
            for step in range(here if backward else n - ONE - here):
                q = here - ONE - step if backward else here + ONE + step
                gap = pairs.gap[q + ONE if backward else q]
                if gap > rank:
                    rank, weight, pair = _edge_at(gap, pairs)
                j = np.uint64(pairs.vertex[q])
                w = entries[x, j]
                present = (w == w) & ((not has_absent) | (w != no_edge[ZERO]))
                if present & _may_precede(w, weight, pair, pairs):
                    entry = j * n + i if by_columns else i * n + j
                    if entry < better and (w != weight or pair == NONE or entry < pair):
                        better, replaced = entry, rank
    return better, replaced


def _edge_at(rank, pairs):
    """Return a rank, and weight and pair of its edge."""
    return np.int64(rank), pairs.weights[np.uint64(rank)], pairs.pair[np.uint64(rank)]


def _may_precede(w, weight, pair, pairs):
    """Return whether an edge may precede the heaviest edge of its path, if its index is small enough."""
    follows = (w < weight) if pairs.maximum else (w > weight)
    return (not follows) | (pair == NONE)  # NaN, too: then the weight of the pair is an error


def _to_int(x):
    return np.int64(x)


def _to_unsigned(x):
    return np.uint64(x)


def _to_float(x):
    return np.float64(x)
