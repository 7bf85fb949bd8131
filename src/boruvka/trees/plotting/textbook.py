"""Textbook drawings of small graphs: names, weights, the edge that each component chooses, and dropped edges.

Idea: names and weights are put where most room is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boruvka.trees.plotting import style
from boruvka.trees.plotting.animation import INSIDE, LATER, NEW, GrowingMap, State
from boruvka.trees.plotting.coordinates import VertexCoordinates, distances_between, place_vertices
from boruvka.trees.plotting.curves import LABELLED, edge_curves, most_room, small_graph
from boruvka.trees.plotting.step_table import DIGITS, chosen_edges, vertex_texts
from boruvka.trees.plotting.style import INK, POINTS_PER_INCH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from boruvka.trees.acyclic_edges import AcyclicEdges

ENOUGH = 1.0
"""Distance of a weight to other things at which its place is good, in diameters of a dot."""
ARROW, BESIDE = 1.3, 0.42
"""Length of an edge between the middle of a dot and a weight that leaves room for an arrow, and distance of a
weight beside a shorter edge, in diameters of a dot."""
HEAD = 26
"""Minimum scale of the head of an arrow; 0.4 of it, three widths of the line, is its length and width."""
LONG, FEWER_DIGITS = 7, 4
"""Number of characters above which a weight is long, and of digits of weights if one is."""
MOST_WEIGHTS = 60
"""Number of edges above which only those of components have their weights, as others do not fit."""
NAME_IN_DOT = 3
"""Characters of a name that fits in its dot; longer ones are beside it."""
NAME_FONT, CHARACTER = 0.45, 0.6
"""Size of the font of a name in diameters of a dot, and mean width of a character in sizes of the font."""
NAME_BESIDE = 0.92
"""Distance of the line of a name to the middle of its dot, in diameters of the dot."""
ALONG = np.linspace(-1, 1, 9)[:, None] * (1, 0)
"""Points along a text, in halves of its width from its middle."""
CORNERS = (0.7, -0.7), (0.7, 0.7), (-0.7, -0.7), (-0.7, 0.7)
"""Ways from a dot to its name beside a corner, in this distance."""
COLORS = (
    "#3f90da", "#ffa90e", "#bd1f01", "#832db6", "#92dadd", "#a96b59", "#e76300", "#b9ac70",
    "#1e7b2f", "#f781bf", "#1f2f7a", "#7ddc3c",
)  # fmt: skip
"""Colors of components: Petroff's without greys, and four more; a few are told apart better than a scale."""
OUTSIDE = "#b0b0b0"
"""Color of vertices that are in no tree yet."""


def drawing_of(tree: AcyclicEdges, coordinates: Any, system: str | None) -> GrowingMap:
    """Choose how a forest is drawn: a small graph as in a textbook, others as a map.

    Parameters
    ----------
    tree : Forest
        The forest.
    coordinates, system
        As for `place_vertices`; by default a small graph is laid out with all of its edges.
    """
    small, rounds = small_graph(tree), tree.edge_rounds
    if small is None:
        return GrowingMap(place_vertices(tree, coordinates, system).joined(), tree.u, tree.v, rounds)
    edges, u, v, w = small
    positions = place_vertices(tree, coordinates, system, ends=(u, v))
    places, of_edges = np.searchsorted(edges, tree.edges), np.zeros(edges.size, np.int64)
    of_edges[places] = rounds
    return Textbook(positions, u, v, of_edges, w, vertex_texts(tree), places[tree.structure.by_choice.places])


def _name_lines(
    names: list[str], points: NDArray[np.float64], curves: NDArray[np.float64], dot: float, before: Any
) -> NDArray[np.float64]:
    """Return points along the line of each name, below its dot, or around it where more room is.

    Parameters
    ----------
    dot : float
        The diameter of a dot, in units of the points.
    before : (n, k, 2) array
        The lines of the names before, which others keep away from.
    """
    lines = np.broadcast_to(before, (len(points), len(ALONG), 2)).copy()
    for k, name in enumerate(names):
        if len(name) > NAME_IN_DOT:
            half = CHARACTER * NAME_FONT * dot * len(name) / 2
            ways = np.array([(0, -1), (0, 1), (1, 0), (-1, 0), *CORNERS])
            ways = NAME_BESIDE * dot * ways + half * np.sign(ways) * (1, 0)
            choices = [points[k] + way + half * ALONG for way in ways]
            obstacles = np.concatenate([np.delete(points, k, axis=0), *np.delete(lines, k, axis=0), *curves])
            lines[k] = choices[most_room(choices, obstacles, NAME_FONT * dot)]
    return lines


def _weight_places(
    obstacles: NDArray[Any], curves: NDArray[Any], dot: float, halves: NDArray[Any], arrow: float = ARROW
) -> NDArray[np.float64]:
    """Choose a point of each curve for its weight: the middle, or where more room is; beside short curves.

    Parameters
    ----------
    obstacles : (k, 2) array
        Points of dots and names.
    dot : float
        The diameter of a dot.
    halves : (m,) array
        Half the width of each weight; NaN for one that is never written, and has no point.
    arrow : float
        The length of an edge that is left free on both sides of a weight, in diameters of a dot.
    """
    lines = np.full((len(curves), len(ALONG), 2), np.nan)
    for edge in np.flatnonzero(np.isfinite(halves)).tolist():
        curve = curves[edge]
        others = np.concatenate([obstacles, *lines, *np.delete(curves, edge, axis=0)])
        places, steps = curve[list(LABELLED)], np.diff(curve, axis=0)
        x, y = steps[len(steps) // 2] / (np.hypot(*steps[len(steps) // 2]) or 1)
        room = np.hypot(*steps.T).sum() / 2 - halves[edge] * abs(x)
        if room < arrow * dot and steps.any():
            across = (BESIDE * dot + halves[edge] * abs(y)) * np.array([-y, x])
            places = np.concatenate([places + across, places - across])
        choices = places[:, None] + halves[edge] * ALONG
        far = [np.nanmin(distances_between(x, lines.reshape(-1, 2)), initial=dot) >= dot / 2 for x in choices]
        choices = choices[far] if any(far) else choices  # other weights are worse than lines
        lines[edge] = choices[most_room(list(choices), others, ENOUGH * dot)]
    return lines.mean(axis=1)


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
    arrow: ClassVar = ARROW
    dropped: ClassVar = "#c8c8c8"
    later: ClassVar = "#858585"

    def __post_init__(self) -> None:
        points = self.positions.points * (1, self.positions.aspect)
        self.positions = VertexCoordinates(points)
        super().__post_init__()
        self.colors, self.widths = (*COLORS, OUTSIDE), (1.2, 3.0, 3.4)
        self.weights = style.weight_texts(self.w, DIGITS)
        if max(map(len, self.weights), default=0) > LONG:
            self.weights = style.weight_texts(self.w, FEWER_DIGITS)
        longest, between = max([1, *map(len, self.weights)]), distances_between(points, points)
        np.fill_diagonal(between, np.inf)
        space = between.min(initial=np.inf) / self._point(self.positions.box)  # in points of the figure
        self.dot = float(np.clip(max(105 / np.sqrt(max(len(points), 1)), space / 4), 13, 34))  # the diameter
        clearance = 0.8 * self.dot * self._point(self.positions.box)
        self.curves = edge_curves(points, self.u, self.v, clearance)
        self.margin = margin = 1.5 * clearance
        self.name_lines = points[:, None]
        for _ in range(3):  # names need room, so that all is smaller, so that names are longer
            self.extent = VertexCoordinates(np.concatenate([points, *self.curves, *self.name_lines]))
            self.point = self._point(self.extent.box + np.array([[-margin], [margin]]))
            dot = self.dot * self.point
            self.name_lines = _name_lines(self.names, points, self.curves, dot, self.name_lines)
        beside_dots = (space - 2 * self.dot) / (CHARACTER * longest)
        self.font = max(6.5, min(0.45 * self.dot, max(1.8 * self.dot / longest, beside_dots)))
        angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        rings = points[:, None] + 0.5 * dot * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        halves = CHARACTER * self.font * self.point / 2 * np.array([*map(len, self.weights)])
        halves[(self.rounds == 0) & (self.w.size > MOST_WEIGHTS)] = np.nan
        letters = self.name_lines[..., None, :] + NAME_FONT * dot / 2 * np.array([(0, -1), (0, 1)])
        obstacles = np.concatenate([rings.reshape(-1, 2), letters.reshape(-1, 2)])
        self.places = _weight_places(obstacles, self.curves, dot, halves, self.arrow)

    def _point(self, box: NDArray[np.float64]) -> float:
        """Return the length of a point of a figure that shows a box."""
        return max(float((np.ptp(box, axis=0) / self.size).max()), 1e-9) / POINTS_PER_INCH

    def states(self) -> Iterator[State]:
        """Yield the states; among many vertices only trees of several have colors, free ones if possible."""
        colors: dict[int, int] = {}
        for state in super().states():
            ids = state.color_ids
            if ids.size > len(COLORS):
                ids = np.where(np.bincount(state.labels)[state.labels] > 1, ids, -1)
                trees = {*ids.tolist()} - {-1}
                colors = {tree: color for tree, color in colors.items() if tree in trees}
                for tree in sorted(trees - {*colors}):
                    colors[tree] = min(range(len(COLORS)), key=[*colors.values()].count)
                ids = np.array([colors.get(tree, -1) for tree in ids.tolist()])
            yield state._replace(color_ids=ids)

    def levels(self, color_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the place among the colors of components of each number of a color; -1 has the last."""
        return np.where(color_ids < 0, len(COLORS), color_ids % len(COLORS))

    def caption(self, state: State) -> str:
        """Describe a state, with the weight of the edges that are chosen up to it."""
        said = super().caption(state)
        return f"{said}; weight {self.total(state)}" if state.number else said

    def total(self, state: State) -> str:
        """Return the sum of the weights of the edges that are chosen up to a state."""
        chosen = self.w[(self.rounds > 0) & (self.rounds <= state.number)].tolist()
        return str(sum(chosen)) if self.w.dtype.kind in "iu" else f"{math.fsum(chosen):.6g}"

    def chosen_edges(self, number: int, labels: NDArray[np.int64]) -> list[tuple[int, bool]]:
        """List what components choose in a round."""
        left = self.order[self.rounds[self.order] >= number]
        return chosen_edges(left, self.u, self.v, labels)

    def annotate(self, ax: Axes, state: State, levels: NDArray[np.int64]) -> None:
        """Draw weights, arrows along chosen edges, and vertices with their names."""
        how: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
        size, box = self.font, style.text_box(pad=1.2)
        has_room = (self.w.size <= MOST_WEIGHTS) | (levels > LATER)
        for edge in np.flatnonzero(np.isfinite(self.places).all(axis=1) & has_room).tolist():
            (x, y), text = self.places[edge], self.weights[edge]
            is_dropped, is_new = levels[edge] == INSIDE, levels[edge] == 2 + len(self.colors)
            color, weight = self.later if is_dropped else INK, "bold" if is_new else "normal"
            ax.text(x, y, text, color=color, weight=weight, fontsize=size, bbox=box, zorder=5, **how)
            if is_dropped:  # strike it out
                ax.plot(x, y, "_", color=INK, markersize=size * (0.7 + 0.7 * len(text)), zorder=5.5)
        for edge, is_first in self.chosen_edges(state.number, state.before) if state.number else ():
            self._draw_arrow(ax, self.curves[edge][:: 1 if is_first else -1])
        edges = [self.colors[level] for level in self.levels(state.color_ids).tolist()]
        x, y = self.positions.points.T
        width = 0.13 * self.dot
        ax.scatter(x, y, self.dot**2, zorder=6, facecolors="white", edgecolors=edges, linewidths=width)
        how |= {"color": INK, "zorder": 7}
        for name, (x, y) in zip(self.names, self.name_lines.mean(axis=1), strict=True):
            if np.isfinite(x + y):
                # Without a box, an edge strikes out a long name.
                box = style.text_box(pad=0.5, alpha=float(len(name) > NAME_IN_DOT))
                size = NAME_FONT * (0.85 if len(name) == NAME_IN_DOT else 1) * self.dot  # inside the ring
                ax.text(x, y, name, bbox=box, fontsize=size, **how)

    def _draw_arrow(self, ax: Axes, curve: NDArray[np.float64]) -> None:
        """Point along a curve from the component that chose it."""
        scale = max(0.9 * self.dot, HEAD)
        away = np.hypot(*(curve - curve[0]).T) > (0.7 * self.dot + 0.4 * scale) * self.point
        tip = int(away.argmax()) or len(curve) // 2
        how = {"arrowstyle": "-|>", "color": NEW, "mutation_scale": scale, "linewidth": 0}
        ax.annotate(
            "", curve[tip], curve[tip - 2], arrowprops={**how, "shrinkA": 0, "shrinkB": 0}, zorder=4.5
        )
