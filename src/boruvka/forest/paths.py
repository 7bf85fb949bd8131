"""Queries about the path between two vertices of a forest: its edges, and the heaviest of them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.kernel import kernel
from boruvka.errors import GraphError
from boruvka.forest.path_maxima import IntervalMaxima, Line, interval_maxima, line_up, path_maxima
from boruvka.runtime.processors import processors
from boruvka.runtime.thread_pool import map_parts

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["Bottlenecks", "bottleneck", "path"]

PIECE = 1 << 16
"""Pairs of one kernel call."""


class Bottlenecks(NamedTuple):
    """The last edge of each path in the order (weight, index): the heaviest, or lightest of a maximum forest.

    A pair has none if no path connects it, or if its vertices are the same.
    """

    edges: NDArray[np.int64]
    """Index of the edge in the graph; -1 if there is none."""
    weights: Any
    """Weight of the edge, in the type of the graph: a masked array, masked if there is none."""


def path(forest: Forest, u: Hashable, v: Hashable) -> NDArray[np.int64] | None:
    """Find the path between two vertices of a forest.

    The first call finds a root for each tree, in O(n); a path then takes time that is linear in the lengths
    of the paths from both ends to the vertex where they meet.

    Parameters
    ----------
    forest : Forest
        The forest.
    u, v : name or int
        The vertices: their names where they have names, else their numbers.

    Returns
    -------
    (length,) array of int64 or None
        Indices of the edges in the graph, from u to v: empty if u is v, and None if no path connects them.

    Raises
    ------
    GraphError, GraphTypeError
        An argument is not a vertex.

    See Also
    --------
    bottleneck : the heaviest edge of many paths, without the paths.

    Examples
    --------
    >>> import boruvka
    >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2, 4], [1, 2, 3, 5], [5, 2, 7, 1]))
    >>> path(forest, 3, 0)
    array([2, 1, 0])
    >>> path(forest, 3, 4) is None
    True
    """
    a, b = (int(forest._vertices(name, [x])[0]) for name, x in (("u", u), ("v", v)))
    _, position, parent, edge = forest._rooted
    places = np.empty(0, np.int64)
    length = _walk(a, b, position, parent, edge, places)
    if length < 0:
        return None
    if length:
        places = np.empty(length, np.int64)
        _walk(a, b, position, parent, edge, places)
    return forest.edges[places]


def bottleneck(forest: Forest, us: Any, vs: Any) -> Bottlenecks:
    """Find the heaviest edge on the path between two vertices of a forest, for many pairs at once.

    Of a minimum spanning forest, no path in the whole graph has a lighter heaviest edge (minimax path); of a
    maximum spanning forest the lightest edge is found, and no path has a heavier one (widest path). The
    first call prepares the forest in O(n log n); each pair then takes constant time, on all processors.

    Parameters
    ----------
    forest : Forest
        The forest.
    us, vs : array_like of names, or of integers; or one vertex
        The vertices of each pair: names where vertices have names, else numbers. Shapes are broadcast. A
        tuple is one name if a vertex has this name.

    Returns
    -------
    Bottlenecks
        The named tuple ``(edges, weights)``, in the shape of the pairs. Of equal weights, the edge with the
        larger index counts as the heavier one. Where no path connects a pair, or its vertices are the same,
        the edge is -1 and the weight is masked; ``weights.filled(x)`` puts x in its place.

    Raises
    ------
    GraphError, GraphTypeError
        An argument is not a vertex, or shapes cannot be broadcast.

    Examples
    --------
    >>> import boruvka
    >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2, 4], [1, 2, 3, 5], [5, 2, 7, 1]))
    >>> edges, weights = bottleneck(forest, 0, [0, 1, 2, 3, 4])
    >>> edges
    array([-1,  0,  0,  2, -1])
    >>> weights.filled(-1)
    array([-1,  5,  5,  7, -1])
    """
    a, b = forest._vertices("us", us), forest._vertices("vs", vs)
    try:
        shape = np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise GraphError(f"us and vs cannot be broadcast: shapes {a.shape} and {b.shape}") from None
    a, b = (np.ascontiguousarray(np.broadcast_to(ends, shape)).ravel() for ends in (a, b))
    edges, weights = np.empty(a.size, np.int64), np.empty(a.size, forest.w.dtype)
    line, maxima = forest._line

    def find(first: int) -> None:
        here = slice(first, first + PIECE)
        ranks = np.empty(a[here].size, line.gap.dtype)
        path_maxima(a[here], b[here], line.position, maxima, ranks)
        found = (ranks >= 0) & (ranks < len(forest))
        if found.all():
            places = line.order[ranks]
            edges[here], weights[here] = forest.edges[places], forest.w[places]
        else:
            places = line.order[ranks[found]]
            edges[here], weights[here] = -1, 0
            edges[here][found], weights[here][found] = forest.edges[places], forest.w[places]

    map_parts(find, range(0, a.size, PIECE), processors() if a.size > PIECE else 1)
    masked = np.ma.MaskedArray(weights, edges < 0)
    return Bottlenecks(edges.reshape(shape)[()], masked.reshape(shape)[()])


def line_of(forest: Forest) -> tuple[Line, IntervalMaxima]:
    """Put the vertices of a forest in a line, and prepare the maxima of its intervals."""
    line = line_up(forest.n, forest.u, forest.v, *forest._sorted)
    if not isinstance(line, Line):
        raise GraphError(f"edge {forest.edges[line]} of the forest closes a cycle")
    return line, interval_maxima(line.gap)


@kernel
def _walk(a, b, position, parent, edge, places):
    """Return the number of edges between two vertices, -1 for two trees; store their places if there is room.

    Of two vertices, the one later in the order is no ancestor of the other: so the path leaves it upwards.
    """
    length, last = 0, places.size
    a, b = np.uint64(a), np.uint64(b)
    begin = 0
    while a != b:
        if position[a] > position[b]:
            if edge[a] < 0:
                return -1
            if places.size:
                places[begin] = edge[a]
            begin += 1
            a = np.uint64(parent[a])
        else:
            if edge[b] < 0:
                return -1
            last -= 1
            if places.size:
                places[last] = edge[b]
            b = np.uint64(parent[b])
        length += 1
    return length
