"""Edges of small graphs as curves, such that none hides another.

Idea: an edge is straight unless it would be hidden. A parallel edge, or an edge that would pass the dot of a
third vertex, takes the smallest bend that is free. Loops are put where most room is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.graph.derived_graphs import ExtendedGraph, MaskedGraph
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import EdgeListGraph, MatrixGraph
from boruvka.trees.plotting.coordinates import distances_between

MAX_VERTICES, MAX_EDGES = 60, 180
"""Sizes of a small graph, whose weights can be read; an edge in both directions counts once."""
BEND, BENDS = 0.12, 9
"""Height of an arc in lengths of its edge, and number of multiples that are tried."""
SAMPLES = 65
"""Number of points of a curve; the weight is at one of the points `LABELLED`."""
LABELLED = (32, 26, 38, 21, 43)


_LISTS_EDGES = EdgeListGraph | ExtendedGraph | MaskedGraph | MatrixGraph


class SmallGraph(NamedTuple):
    """The edges of a small graph that are drawn, their ends and weights."""

    edges: NDArray[np.int64]
    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]


def small_graph(
    tree: EdgeSet, *, lists_edges: bool = True, most: tuple[int, int] = (MAX_VERTICES, MAX_EDGES)
) -> SmallGraph | None:
    """Return the edges of a graph of so many vertices and edges at most, without copies; None of others.

    Graphs that compute their edges, such as those of points, count as small unless the graph must list them.
    """
    graph = tree.graph
    is_wrong_kind = lists_edges and not isinstance(graph, _LISTS_EDGES)
    if is_wrong_kind or graph.n > most[0] or graph.m > 2 * most[1]:
        return None
    graph.check()
    u, v, w = (on_host(column) for column in (graph.u, graph.v, graph.w))
    edges = np.arange(graph.m) if tree.is_directed else drawn_once(u, v, w, tree.edges, graph.removed)
    if edges.size > most[1]:
        return None
    return SmallGraph(edges, u[edges], v[edges], w[edges])


class EdgeLines(NamedTuple):
    """Lines of edges, each of one curve, or of several that follow each other.

    Attributes
    ----------
    curves : (k, p, 2) array of float64
        The points of each curve.
    edge : (k,) array of int64
        The place of the edge of each curve, ascending.
    w : (m,) array
        The weight of each edge.
    """

    curves: NDArray[np.float64]
    edge: NDArray[np.int64]
    w: NDArray[Any]

    @classmethod
    def along(cls, points: NDArray[np.float64], place: NDArray[np.int64], w: NDArray[Any]) -> EdgeLines:
        """Make lines of the points of each edge, given the place of the edge of each."""
        inside = place[1:] == place[:-1]
        return cls(np.stack([points[:-1], points[1:]], axis=1)[inside], place[1:][inside], w)

    @classmethod
    def across(cls, ends: NDArray[np.float64], w: NDArray[Any], periods: tuple[float, float]) -> EdgeLines:
        """Make straight lines: an edge across the end of a period has two, each to the nearest image."""
        length = np.where(np.isinf(periods), 0, periods)
        shift = length * np.round(np.nan_to_num(ends[:, 1] - ends[:, 0]) / periods)
        crosses = shift.any(axis=1)
        again = ends[crosses].copy()
        again[:, 0] += shift[crosses]
        nearest = ends.copy()
        nearest[:, 1] -= shift
        edge = np.concatenate([np.arange(w.size), np.flatnonzero(crosses)])
        order = np.argsort(edge, kind="stable")
        return cls(np.concatenate([nearest, again])[order], edge[order], w)

    @property
    def lengths(self) -> NDArray[np.float64]:
        """The distance between the ends of each edge, or the length along its points."""
        steps = np.linalg.norm(self.curves[:, -1] - self.curves[:, 0], axis=1)
        return np.bincount(self.edge, steps, self.w.size).astype(np.float64, copy=False)

    def samples(self, edge: int) -> NDArray[np.float64]:
        """Return points of an edge at which its weight may be: the middle first."""
        first, last = np.searchsorted(self.edge, [edge, edge + 1])
        points = self.curves[first:last].reshape(-1, 2)
        if len(points) == 2:
            points = points[0] + np.linspace(0, 1, SAMPLES)[:, None] * (points[1] - points[0])
        if len(points) != SAMPLES:
            return points[[len(points) // 2]]
        return points[list(LABELLED)]


def drawn_once(
    u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], first: NDArray[np.int64], removed: NDArray[np.int64]
) -> NDArray[np.int64]:
    """List the edges without copies in the other direction, which symmetric matrices have.

    Parameters
    ----------
    u, v, w : (m,) arrays
        Ends and weight of each edge.
    first, removed : arrays of int64
        Edges that are always listed, and edges that are not.
    """
    others = np.delete(np.arange(u.size), np.concatenate([first, removed]))
    known: set[tuple[Any, ...]] = set()
    drawn = []
    for edge in np.concatenate([first, others]).tolist():
        a, b, weight = u[edge].item(), v[edge].item(), w[edge].item()
        if a == b or (b, a, weight) not in known:
            drawn.append(edge)
            known.add((a, b, weight))
    return np.sort(np.array(drawn, np.int64))


def edge_curves(
    points: NDArray[np.float64], u: NDArray[Any], v: NDArray[Any], clearance: float
) -> NDArray[np.float64]:
    """Draw edges such that none hides another: straight lines, arcs, and loops.

    Parameters
    ----------
    points : (n, 2) array
        The vertices.
    u, v : (m,) arrays
        The ends of the edges.
    clearance : float
        Minimum distance to other vertices, where there is an arc that keeps it.

    Returns
    -------
    (m, SAMPLES, 2) array
        Points of each edge, from u to v.
    """
    curves = np.full((u.size, SAMPLES, 2), np.nan)
    used: dict[tuple[int, int], list[float]] = {}
    for edge, (a, b) in enumerate(zip(u.tolist(), v.tolist(), strict=True)):
        if a == b:
            continue
        taken, others = used.setdefault((min(a, b), max(a, b)), []), np.delete(points, (a, b), axis=0)
        bends = [sign * BEND * k for k in range(BENDS + len(taken)) for sign in (1, -1)]
        free = [bend for bend in bends[1:] if bend not in taken]
        arcs = [_arc(points[a], points[b], bend if a < b else -bend) for bend in free]
        best = most_room(arcs, others, clearance)
        taken.append(free[best])
        curves[edge] = arcs[best]
    for count, edge in enumerate(np.flatnonzero(u == v).tolist()):  # when all others are known
        at, others = points[u[edge]], np.delete(points, u[edge], axis=0)
        obstacles = np.concatenate([others, *curves])
        size = clearance * (5 + 0.5 * count)
        loops = [_loop(at, angle, size) for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
        curves[edge] = loops[most_room([loop[SAMPLES // 4 : -SAMPLES // 4] for loop in loops], obstacles)]
    return curves


def _arc(a: NDArray[np.float64], b: NDArray[np.float64], bend: float) -> NDArray[np.float64]:
    normal = np.array([a[1] - b[1], b[0] - a[0]])
    return _bezier(a, (a + b) / 2 + 2 * bend * normal, b)


def _loop(at: NDArray[np.float64], angle: float, size: float) -> NDArray[np.float64]:
    controls = (at + size * np.array([np.cos(x), np.sin(x)]) for x in (angle - 0.6, angle + 0.6))
    return _bezier(at, *controls, at)


def _bezier(*controls: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of a curve."""
    from matplotlib.bezier import BezierSegment

    return BezierSegment(np.array(controls))(np.linspace(0, 1, SAMPLES))


def most_room(
    curves: Iterable[NDArray[np.float64]], obstacles: NDArray[np.float64], enough: float = np.inf
) -> int:
    """Return the place of the first curve that is far enough from obstacles, else of the farthest one."""
    known = obstacles[np.isfinite(obstacles).all(axis=1)]  # others are vertices without a place
    room = (distances_between(curve, known).min(initial=np.inf) for curve in curves)
    return int(np.argmax([min(distance, enough) for distance in room]))
