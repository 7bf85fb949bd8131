"""Textbook drawings of small graphs: names, weights, the edge that each component chooses, and dropped edges.

Idea: an edge is straight unless it would be hidden. A parallel edge, or an edge that would pass the dot of a
third vertex, takes the smallest bend that is free. Loops and weights are put where most room is.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.graph.derived_graphs import ExtendedGraph, MaskedGraph
from boruvka.graph.graph import EdgeListGraph
from boruvka.trees.plotting.coordinates import VertexCoordinates, place_vertices
from boruvka.trees.plotting.layout import forest_layout
from boruvka.trees.plotting.map import figure_size
from boruvka.trees.plotting.style import INK, POINTS_PER_INCH

__all__ = ["Textbook", "chosen_edges", "edge_curves", "is_small"]

MAX_VERTICES, MAX_EDGES = 60, 180
"""Sizes of a small graph, whose weights can be read."""
BEND, BENDS = 0.12, 9
"""Height of an arc in lengths of its edge, and number of multiples that are tried."""
SAMPLES = 65
"""Points of a curve; the weight is at one of those in `LABELLED`."""
LABELLED = (32, 26, 38, 21, 43)
ENOUGH = 2.0
"""Distance of a weight to other things at which its place is good, in clearances."""
NAME_IN_DOT = 3
"""Characters of a name that fits in its dot; longer ones are below."""
CHOSEN, DROPPED, OPEN = "#000000", "#c8c8c8", "#858585"
COLORS = "#3f90da", "#ffa90e", "#bd1f01", "#832db6", "#92dadd", "#a96b59", "#e76300", "#b9ac70"
"""Colors of components: Petroff's, without greys; a few are told apart better than neighbours in a scale."""


def is_small(forest: Any) -> bool:
    """Return whether all edges of the graph can be drawn with their weights."""
    graph = forest.graph
    lists_edges = isinstance(graph, EdgeListGraph | ExtendedGraph | MaskedGraph)
    return lists_edges and graph.n <= MAX_VERTICES and graph.m <= MAX_EDGES


def chosen_edges(forest: Any, number: int, labels: NDArray[Any]) -> list[tuple[int, bool]]:
    """List what the components choose in a round: a position in the forest, and whether it is left at u.

    Parameters
    ----------
    forest : Forest
        The forest.
    number : int
        The round, from 1.
    labels : (n,) array
        The component of each vertex before the round.
    """
    chosen: dict[int, tuple[int, bool]] = {}
    for edge in (
        forest.structure.by_choice.places.tolist()
    ):  # the lightest edge that leaves a component is in the forest
        if forest.edge_rounds[edge] >= number:
            for end, is_first in ((forest.u[edge], True), (forest.v[edge], False)):
                chosen.setdefault(int(labels[end]), (edge, is_first))
    return list(chosen.values())


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
        best = int(np.argmin([(_distances(arc, others) < clearance).any(axis=0).sum() for arc in arcs]))
        taken.append(free[best])
        curves[edge] = arcs[best]
    for count, edge in enumerate(np.flatnonzero(u == v).tolist()):  # when all others are known
        at, others = points[u[edge]], np.delete(points, u[edge], axis=0)
        obstacles = np.concatenate([others, *curves])
        size = clearance * (5 + 0.5 * count)
        loops = [_loop(at, angle, size) for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
        room = [_nearest(loop[SAMPLES // 4 : -SAMPLES // 4], obstacles).min() for loop in loops]
        curves[edge] = loops[int(np.argmax(room))]
    return curves


def _arc(a: NDArray[np.float64], b: NDArray[np.float64], bend: float) -> NDArray[np.float64]:
    normal = np.array([a[1] - b[1], b[0] - a[0]])
    return _bezier(a, (a + b) / 2 + 2 * bend * normal, b)


def _loop(at: NDArray[np.float64], angle: float, size: float) -> NDArray[np.float64]:
    controls = (at + size * np.array([np.cos(x), np.sin(x)]) for x in (angle - 0.6, angle + 0.6))
    return _bezier(at, *controls, at)


def _bezier(*controls: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of a curve by de Casteljau's algorithm."""
    t = np.linspace(0, 1, SAMPLES)[:, None]
    rows = [np.broadcast_to(point, (SAMPLES, 2)) for point in controls]
    while len(rows) > 1:
        rows = [(1 - t) * p + t * q for p, q in pairwise(rows)]
    return rows[0]


def _distances(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.hypot(*(a[:, None] - b[None]).transpose(2, 0, 1))


def _nearest(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of each point to the nearest of others, of which some may be NaN."""
    known = b[np.isfinite(b).all(axis=1)]
    return _distances(a, known).min(axis=1, initial=np.inf)


def _weight_places(
    points: NDArray[np.float64], curves: NDArray[np.float64], clearance: float
) -> NDArray[np.float64]:
    """Choose a point of each curve for its weight: the middle, or where more room is."""
    places = np.full((len(curves), 2), np.nan)
    for edge, curve in enumerate(curves):
        obstacles = np.concatenate([points, places, *np.delete(curves, edge, axis=0)])
        room = np.minimum(_nearest(curve[list(LABELLED)], obstacles), ENOUGH * clearance)
        places[edge] = curve[LABELLED[int(room.argmax())]]
    return places


def _drawn_once(forest: Any) -> NDArray[np.int64]:
    """List the edges without copies in the other direction, which symmetric matrices have.

    Edges of the forest are always listed.
    """
    graph = forest.graph
    others = np.delete(np.arange(graph.m), np.concatenate([forest.edges, graph.removed]))
    edges = np.concatenate([on_host(forest.edges), others])
    u, v, w = (on_host(column)[edges].tolist() for column in (graph.u, graph.v, graph.w))
    known: set[tuple[Any, ...]] = set()
    drawn = []
    for edge, a, b, x in zip(edges.tolist(), u, v, w, strict=True):
        if a == b or (b, a, x) not in known:
            drawn.append(edge)
            known.add((a, b, x))
    return np.sort(np.array(drawn, np.int64))


class Textbook:
    """A drawing of a small graph, of which each frame shows a round.

    Parameters
    ----------
    forest : Forest
        Its forest.
    coordinates, system
        As for `place_vertices`; by default the graph is laid out with all of its edges.
    """

    def __init__(self, forest: Any, coordinates: Any = None, system: str | None = None):
        graph, n = forest.graph, forest.n
        graph.check()
        self.edges = _drawn_once(forest)
        self.u, self.v, w = (on_host(column)[self.edges] for column in (graph.u, graph.v, graph.w))
        found = place_vertices(forest, coordinates, system)
        if coordinates is None and graph.coordinates is None:
            found = VertexCoordinates(forest_layout(n, self.u, self.v))
        self.forest, self.points = forest, found.points * (1, found.aspect)
        self.size = figure_size(VertexCoordinates(self.points), 1.0)
        self.dot = float(np.clip(105 / np.sqrt(max(n, 1)), 13, 34))  # the diameter, in points
        clearance = 0.8 * self.dot * self._point(VertexCoordinates(self.points).box)
        self.curves = edge_curves(self.points, self.u, self.v, clearance)
        self.places = _weight_places(self.points, self.curves, clearance)
        low, high = VertexCoordinates(np.concatenate([self.points, *self.curves])).box
        self.names = [str(name) for name in graph.shown_id(np.arange(n))]
        margin = (1.5 if max(map(len, self.names), default=0) <= NAME_IN_DOT else 2.5) * clearance
        self.limits = np.stack([low - margin, high + margin])
        self.rounds = np.zeros(self.edges.size, np.int64)
        self.rounds[np.searchsorted(self.edges, forest.edges)] = forest.edge_rounds
        self.weights = [f"{x:.3g}" if x % 1 else str(x).removesuffix(".0") for x in w.tolist()]

    def _point(self, box: NDArray[np.float64]) -> float:
        """Return the length of a point of the figure that shows a box."""
        return max(float((np.ptp(box, axis=0) / self.size).max()), 1e-9) / POINTS_PER_INCH

    def draw(self, figure: Any, number: int, before: Any, labels: Any, color_ids: Any) -> None:
        """Draw the state after a round, with the edges that components chose in it.

        Parameters
        ----------
        figure : matplotlib Figure
        number : int
            The round; 0 is the state before the first.
        before, labels : (n,) arrays
            The component of each vertex before and after the round.
        color_ids : (n,) array of int64
            A number for the color of each vertex.
        """
        colors = [COLORS[number % len(COLORS)] for number in color_ids.tolist()]
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        ax.set_aspect("equal")
        ax.set(xlim=self.limits[:, 0], ylim=self.limits[:, 1])
        text: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 0.45 * self.dot}
        long = max(map(len, self.weights), default=0)
        weight_size = max(6.5, min(0.45, 1.8 / max(long, 1)) * self.dot)
        for edge, (a, b, curve) in enumerate(zip(self.u, self.v, self.curves, strict=True)):
            if not np.isfinite(curve).all():  # of a vertex without a place
                continue
            color, width, order, line, ink = OPEN, 1.2, 2.0, "-", INK
            if 0 < self.rounds[edge] <= number:
                is_new = self.rounds[edge] == number
                color, width, order = (CHOSEN, 3.4, 4.0) if is_new else (colors[a], 3.0, 3.0)
            elif labels[a] == labels[b]:
                color, order, line, ink = DROPPED, 1.0, "--", OPEN
            ax.plot(*curve.T, line, color=color, linewidth=width, zorder=order)
            middle, weight = self.places[edge], self.weights[edge]
            bold = "bold" if color == CHOSEN else "normal"
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}
            how = {**text, "fontsize": weight_size, "color": ink, "weight": bold}
            ax.text(*middle, weight, zorder=5, bbox=box, **how)
            if color == DROPPED:  # strike it out
                ax.plot(
                    *middle, "_", color=INK, markersize=weight_size * (0.7 + 0.7 * len(weight)), zorder=5.5
                )
        for edge, is_first in chosen_edges(self.forest, number, before) if number else ():
            curve = self.curves[np.searchsorted(self.edges, self.forest.edges[edge])]
            self._draw_arrow(ax, curve[:: 1 if is_first else -1])
        for name, at, color in zip(self.names, self.points, colors, strict=True):
            if np.isfinite(at).all():
                style = {"color": color, "markerfacecolor": "white", "markeredgewidth": 0.13 * self.dot}
                ax.plot(*at, "o", markersize=self.dot, zorder=6, **style)
                below = 0.0 if len(name) <= NAME_IN_DOT else -0.85 * self.dot
                box = {"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8 if below else 0.0}
                how = {"textcoords": "offset points", "color": INK, "bbox": box, "zorder": 7}
                ax.annotate(name, at, (0, below), **how, **text)

    def _draw_arrow(self, ax: Any, curve: NDArray[np.float64]) -> None:
        """Point along a curve from the component that chose it."""
        away = np.hypot(*(curve - curve[0]).T) > 1.15 * self.dot * self._point(self.limits)
        tip = max(int(away.argmax()), 2)
        how = {"arrowstyle": "-|>", "color": CHOSEN, "mutation_scale": 0.9 * self.dot, "linewidth": 0}
        ax.annotate(
            "", curve[tip], curve[tip - 2], arrowprops={**how, "shrinkA": 0, "shrinkB": 0}, zorder=4.5
        )
