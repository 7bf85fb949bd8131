"""Textbook drawings of small graphs: names, weights, the edge that each component chooses, and dropped edges.

Idea: an edge is straight unless it would be hidden. A parallel edge, or an edge that would pass the dot of a
third vertex, takes the smallest bend that is free. Loops and weights are put where most room is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.graph.derived_graphs import ExtendedGraph, MaskedGraph
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import EdgeListGraph
from boruvka.trees.plotting import style
from boruvka.trees.plotting.animation import INSIDE, NEW, GrowingMap, State
from boruvka.trees.plotting.coordinates import VertexCoordinates, distances_between, place_vertices
from boruvka.trees.plotting.style import INK, POINTS_PER_INCH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Textbook", "drawing_of", "drawn_once", "edge_curves"]

MAX_VERTICES, MAX_EDGES = 60, 180
"""Sizes of a small graph, whose weights can be read."""
BEND, BENDS = 0.12, 9
"""Height of an arc in lengths of its edge, and number of multiples that are tried."""
SAMPLES = 65
"""Number of points of a curve; the weight is at one of the points `LABELLED`."""
LABELLED = (32, 26, 38, 21, 43)
ENOUGH = 2.0
"""Distance of a weight to other things at which its place is good, in clearances."""
NAME_IN_DOT = 3
"""Characters of a name that fits in its dot; longer ones are below."""
COLORS = "#3f90da", "#ffa90e", "#bd1f01", "#832db6", "#92dadd", "#a96b59", "#e76300", "#b9ac70"
"""Colors of components: Petroff's, without greys; a few are told apart better than neighbors in a scale."""


def drawing_of(
    tree: EdgeSet, rounds: NDArray[Any], order: NDArray[np.int64], coordinates: Any, system: str | None
) -> GrowingMap:
    """Choose how a forest is drawn: a small graph as in a textbook, others as a map.

    Parameters
    ----------
    tree : Forest
        The forest.
    rounds : (f,) array
        The round that adds each of its edges.
    order : (f,) array of int64
        Places of its edges, in the order in which edges are chosen.
    coordinates, system
        As for `place_vertices`; by default a small graph is laid out with all of its edges.
    """
    graph = tree.graph
    lists_edges = isinstance(graph, EdgeListGraph | ExtendedGraph | MaskedGraph)
    if not lists_edges or graph.n > MAX_VERTICES or graph.m > MAX_EDGES:
        return GrowingMap(place_vertices(tree, coordinates, system), tree.u, tree.v, rounds)
    graph.check()
    u, v, w = (on_host(column) for column in (graph.u, graph.v, graph.w))
    edges = drawn_once(u, v, w, tree.edges, graph.removed)
    u, v, w = u[edges], v[edges], w[edges]
    positions = place_vertices(tree, coordinates, system, ends=(u, v))
    places, of_edges = np.searchsorted(edges, tree.edges), np.zeros(edges.size, np.int64)
    of_edges[places] = rounds
    names = [str(name) for name in graph.shown_id(np.arange(graph.n))]
    return Textbook(positions, u, v, of_edges, w, names, places[order])


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
        best = _most_room(arcs, others, clearance)
        taken.append(free[best])
        curves[edge] = arcs[best]
    for count, edge in enumerate(np.flatnonzero(u == v).tolist()):  # when all others are known
        at, others = points[u[edge]], np.delete(points, u[edge], axis=0)
        obstacles = np.concatenate([others, *curves])
        size = clearance * (5 + 0.5 * count)
        loops = [_loop(at, angle, size) for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
        curves[edge] = loops[_most_room([loop[SAMPLES // 4 : -SAMPLES // 4] for loop in loops], obstacles)]
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


def _most_room(
    curves: Iterable[NDArray[np.float64]], obstacles: NDArray[np.float64], enough: float = np.inf
) -> int:
    """Return the place of the first curve that is far enough from obstacles, else of the farthest one."""
    known = obstacles[np.isfinite(obstacles).all(axis=1)]  # others are vertices without a place
    room = (distances_between(curve, known).min(initial=np.inf) for curve in curves)
    return int(np.argmax([min(distance, enough) for distance in room]))


def _weight_places(
    points: NDArray[np.float64], curves: NDArray[np.float64], clearance: float
) -> NDArray[np.float64]:
    """Choose a point of each curve for its weight: the middle, or where more room is."""
    places = np.full((len(curves), 2), np.nan)
    for edge, curve in enumerate(curves):
        obstacles = np.concatenate([points, places, *np.delete(curves, edge, axis=0)])
        best = _most_room([curve[[k]] for k in LABELLED], obstacles, ENOUGH * clearance)
        places[edge] = curve[LABELLED[best]]
    return places


@dataclass(eq=False)
class Textbook(GrowingMap):
    """A drawing of a small graph, of which each frame shows a round.

    Parameters
    ----------
    positions : VertexCoordinates
        The coordinates of the vertices.
    u, v, w : (m,) arrays
        Ends and weight of each edge.
    rounds : (m,) array of int64
        The round that adds each edge; 0 for edges that are not in the tree.
    names : list of str
        The names of the vertices.
    order : (k,) array of int64
        The edges of the tree, the first to choose first.
    """

    w: NDArray[Any]
    names: list[str]
    order: NDArray[np.int64]

    drawn: ClassVar = (
        "Arrows point from a component along the edge that it chooses in the round. Edges inside a component "
        "are dropped: they are dashed, and their weights are struck out."
    )
    dropped: ClassVar = "#c8c8c8"
    later: ClassVar = "#858585"

    def __post_init__(self) -> None:
        points = self.positions.points * (1, self.positions.aspect)
        self.positions = VertexCoordinates(points)
        super().__post_init__()
        self.colors, self.widths = COLORS, (1.2, 3.0, 3.4)
        self.weights = [f"{x:.3g}" if x % 1 else str(x).removesuffix(".0") for x in self.w.tolist()]
        self.dot = float(np.clip(105 / np.sqrt(max(len(points), 1)), 13, 34))  # the diameter, in points
        clearance = 0.8 * self.dot * self._point(self.positions.box)
        self.curves = edge_curves(points, self.u, self.v, clearance)
        self.places = _weight_places(points, self.curves, clearance)
        self.extent = VertexCoordinates(np.concatenate([points, *self.curves]))
        self.margin = margin = (
            1.5 if max(map(len, self.names), default=0) <= NAME_IN_DOT else 2.5
        ) * clearance
        self.point = self._point(self.extent.box + np.array([[-margin], [margin]]))

    def _point(self, box: NDArray[np.float64]) -> float:
        """Return the length of a point of a figure that shows a box."""
        return max(float((np.ptp(box, axis=0) / self.size).max()), 1e-9) / POINTS_PER_INCH

    def levels(self, color_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the place among the colors of components of each number of a color."""
        return color_ids % len(COLORS)

    def chosen_edges(self, number: int, labels: NDArray[np.int64]) -> list[tuple[int, bool]]:
        """List what components choose in a round, from 1: an edge, and whether the component is at its u.

        The lightest edge that leaves a component is in the tree. Labels are the components before the round.
        """
        chosen: dict[int, tuple[int, bool]] = {}
        for edge in self.order[self.rounds[self.order] >= number].tolist():
            for end, is_first in ((self.u[edge], True), (self.v[edge], False)):
                chosen.setdefault(int(labels[end]), (edge, is_first))
        return list(chosen.values())

    def annotate(self, ax: Axes, state: State, levels: NDArray[np.int64]) -> None:
        """Draw weights, arrows along chosen edges, and vertices with their names."""
        how: dict[str, Any] = {"ha": "center", "va": "center"}
        longest = max(map(len, self.weights), default=0)
        size = max(6.5, min(0.45, 1.8 / max(longest, 1)) * self.dot)
        box = style.text_box(pad=1.2)
        for edge in np.flatnonzero(np.isfinite(self.places).all(axis=1)).tolist():
            (x, y), text = self.places[edge], self.weights[edge]
            is_dropped, is_new = levels[edge] == INSIDE, levels[edge] == 2 + len(COLORS)
            color, weight = self.later if is_dropped else INK, "bold" if is_new else "normal"
            ax.text(x, y, text, color=color, weight=weight, fontsize=size, bbox=box, zorder=5, **how)
            if is_dropped:  # strike it out
                ax.plot(x, y, "_", color=INK, markersize=size * (0.7 + 0.7 * len(text)), zorder=5.5)
        for edge, is_first in self.chosen_edges(state.number, state.before) if state.number else ():
            self._draw_arrow(ax, self.curves[edge][:: 1 if is_first else -1])
        points, edges = (
            self.positions.points,
            [COLORS[level] for level in self.levels(state.color_ids).tolist()],
        )
        circles: dict[str, Any] = {"facecolors": "white", "edgecolors": edges, "linewidths": 0.13 * self.dot}
        ax.scatter(points[:, 0], points[:, 1], self.dot**2, zorder=6, **circles)
        for name, at in zip(self.names, points, strict=True):
            if np.isfinite(at).all():
                below = 0.0 if len(name) <= NAME_IN_DOT else -0.85 * self.dot
                box = style.text_box(pad=0.5, alpha=0.8 if below else 0.0)
                how |= {"fontsize": 0.45 * self.dot, "color": INK, "bbox": box, "zorder": 7}
                ax.annotate(name, at, (0, below), textcoords="offset points", **how)

    def _draw_arrow(self, ax: Axes, curve: NDArray[np.float64]) -> None:
        """Point along a curve from the component that chose it."""
        away = np.hypot(*(curve - curve[0]).T) > 1.15 * self.dot * self.point
        tip = max(int(away.argmax()), 2)
        how = {"arrowstyle": "-|>", "color": NEW, "mutation_scale": 0.9 * self.dot, "linewidth": 0}
        ax.annotate(
            "", curve[tip], curve[tip - 2], arrowprops={**how, "shrinkA": 0, "shrinkB": 0}, zorder=4.5
        )
