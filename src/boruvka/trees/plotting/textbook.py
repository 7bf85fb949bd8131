"""Textbook drawings of small graphs: names, weights, the edge that each component chooses, and dropped edges.

Idea: weights are put where most room is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.edge_set import EdgeSet
from boruvka.trees.plotting import style
from boruvka.trees.plotting.animation import INSIDE, NEW, GrowingMap, State
from boruvka.trees.plotting.coordinates import VertexCoordinates, place_vertices
from boruvka.trees.plotting.curves import LABELLED, edge_curves, most_room, small_graph
from boruvka.trees.plotting.style import INK, POINTS_PER_INCH

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Textbook", "drawing_of"]

ENOUGH = 2.0
"""Distance of a weight to other things at which its place is good, in clearances."""
NAME_IN_DOT = 3
"""Characters of a name that fits in its dot; longer ones are below."""
COLORS = (
    "#3f90da", "#ffa90e", "#bd1f01", "#832db6", "#92dadd", "#a96b59", "#e76300", "#b9ac70",
    "#1e7b2f", "#f781bf", "#1f2f7a", "#7ddc3c",
)  # fmt: skip
"""Colors of components: Petroff's without greys, and four more; a few are told apart better than a scale."""
OUTSIDE = "#b0b0b0"
"""Color of vertices that are in no tree yet."""


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
    graph, small = tree.graph, small_graph(tree)
    if small is None:
        return GrowingMap(place_vertices(tree, coordinates, system).joined(), tree.u, tree.v, rounds)
    edges, u, v, w = small
    positions = place_vertices(tree, coordinates, system, ends=(u, v))
    places, of_edges = np.searchsorted(edges, tree.edges), np.zeros(edges.size, np.int64)
    of_edges[places] = rounds
    names = [str(name) for name in graph.id_of(np.arange(graph.n))]
    return Textbook(positions, u, v, of_edges, w, names, places[order])


def _weight_places(
    points: NDArray[np.float64], curves: NDArray[np.float64], clearance: float
) -> NDArray[np.float64]:
    """Choose a point of each curve for its weight: the middle, or where more room is."""
    places = np.full((len(curves), 2), np.nan)
    for edge, curve in enumerate(curves):
        obstacles = np.concatenate([points, places, *np.delete(curves, edge, axis=0)])
        best = most_room([curve[[k]] for k in LABELLED], obstacles, ENOUGH * clearance)
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
        self.colors, self.widths = (*COLORS, OUTSIDE), (1.2, 3.0, 3.4)
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
        how: dict[str, Any] = {"ha": "center", "va": "center", "parse_math": False}
        longest = max(map(len, self.weights), default=0)
        size = max(6.5, min(0.45, 1.8 / max(longest, 1)) * self.dot)
        box = style.text_box(pad=1.2)
        for edge in np.flatnonzero(np.isfinite(self.places).all(axis=1)).tolist():
            (x, y), text = self.places[edge], self.weights[edge]
            is_dropped, is_new = levels[edge] == INSIDE, levels[edge] == 2 + len(self.colors)
            color, weight = self.later if is_dropped else INK, "bold" if is_new else "normal"
            ax.text(x, y, text, color=color, weight=weight, fontsize=size, bbox=box, zorder=5, **how)
            if is_dropped:  # strike it out
                ax.plot(x, y, "_", color=INK, markersize=size * (0.7 + 0.7 * len(text)), zorder=5.5)
        for edge, is_first in self.chosen_edges(state.number, state.before) if state.number else ():
            self._draw_arrow(ax, self.curves[edge][:: 1 if is_first else -1])
        points, edges = (
            self.positions.points,
            [self.colors[level] for level in self.levels(state.color_ids).tolist()],
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
