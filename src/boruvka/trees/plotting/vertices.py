"""Vertices and labels on a map of a forest: areas by size, colors by category or number, names, weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.labels import values_of_vertices
from boruvka.trees.plotting.coordinates import VertexCoordinates
from boruvka.trees.plotting.style import FAINT, INK, POINTS_PER_INCH, inches_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MAX_DOTS", "Room", "draw_vertices", "label_edges"]

MAX_LABELS, MAX_DOTS = 60, 5_000
"""Maximum number of vertices for labels, and for dots, unless the caller wants them."""
MAX_CATEGORIES = 10
"""Maximum number of categories with a color of their own: the most frequent ones."""
FILLED = 0.06
"""Part of a picture that dots with sizes fill together."""
LABEL, WEIGHT_LABEL = 8.0, 6.0
"""Sizes of fonts in points."""
ON_TOP: dict[str, Any] = {"color": INK, "zorder": 4}
MARGIN = 20
"""Points around a map where a label may begin."""
SMALLEST_AREA = 9.0
"""Area of a colored dot, in square points."""


def draw_vertices(
    ax: Axes,
    forest: Any,
    positions: VertexCoordinates,
    sizes: Any,
    colors: Any,
    labels: Any,
    room: Room,
) -> None:
    """Draw vertices as dots, if they are few or have sizes or colors, with labels where these fit."""
    n, (x, y) = forest.n, positions.points.T
    area: Any = (4.0 if n <= MAX_LABELS else 2.0 if n <= 1_000 else 1.0) ** 2
    if sizes is not None:
        size = _sizes(forest, sizes)
        area = FILLED * (POINTS_PER_INCH * inches_of(ax)) ** 2 * size / max(size.sum(), 1e-300)
        area = np.maximum(area, SMALLEST_AREA)
    elif colors is not None:
        area = 2 * SMALLEST_AREA
    if colors is not None:
        _draw_colored(ax, x, y, area, _of_vertices(forest, "colors", colors))
    elif sizes is not None:
        ax.scatter(x, y, area, INK, linewidths=0, zorder=3)
    elif n <= MAX_DOTS:
        ax.plot(x, y, "o", color=INK, markersize=np.sqrt(area), zorder=3, linestyle="none")
    texts = None
    if labels is None or isinstance(labels, bool | np.bool_):
        is_labelled = bool(labels) if labels is not None else n <= MAX_LABELS
    else:
        texts, is_labelled = _of_vertices(forest, "labels", labels), True
    if is_labelled:
        radius = np.sqrt(np.broadcast_to(area, n)) / 2
        degree = np.bincount(np.concatenate([forest.u, forest.v]), minlength=n)
        for vertex in np.lexsort([-degree, -radius]).tolist():
            at, shift = positions.points[vertex], 2 + 0.7 * radius[vertex]
            name = str(forest.graph.shown_id(vertex) if texts is None else texts[vertex])
            if np.isfinite(at).all() and room.take(at, name, LABEL, shift, shift + LABEL / 2):
                ax.annotate(name, at, (shift, shift), textcoords="offset points", fontsize=LABEL, **ON_TOP)


def label_edges(ax: Axes, forest: Any, positions: VertexCoordinates, room: Room) -> None:
    """Write the weights of edges at their middles, as far as they fit, those of long edges first."""
    ends = positions.points[forest.u], positions.points[forest.v]
    middles, length = (ends[0] + ends[1]) / 2, np.linalg.norm(ends[0] - ends[1], axis=1)
    box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    for edge in np.argsort(-length, kind="stable").tolist():
        at, text = middles[edge], f"{forest.w[edge]:.4g}"
        if room.take(at, text, WEIGHT_LABEL, -0.3 * len(text) * WEIGHT_LABEL, 0.0):
            how: dict[str, Any] = {"fontsize": WEIGHT_LABEL, "bbox": box, "color": INK, "zorder": 2.5}
            ax.annotate(text, at, ha="center", va="center", **how)


class Room:
    """The parts of a picture that labels have taken, in points.

    Parameters
    ----------
    positions : VertexCoordinates
        The places of the vertices in the picture.
    size : (2,) array
        Width and height of the picture in inches; the map may be smaller.
    """

    def __init__(self, positions: VertexCoordinates, size: Any):
        self._low, high = positions.box
        unit = np.array([1.0, positions.aspect])
        wide, up = np.maximum((high - self._low) * unit, 1e-300)
        self._scale = POINTS_PER_INCH * min(size[0] / wide, size[1] / up) * unit
        self._taken = np.zeros((np.ceil(np.array(size) * POINTS_PER_INCH)).astype(int) + 2 * MARGIN, bool)

    def take(self, at: NDArray[np.float64], text: str, font: float, right: float, up: float) -> bool:
        """Take the place of a text beside a point: its left end, its middle; return whether it is free."""
        x, y = (at - self._low) * self._scale + MARGIN
        x, y = int(x + right), int(y + up - font / 2)
        place = self._taken[max(x, 0) : x + int(0.6 * font * len(text)) + 1, max(y, 0) : y + int(font) + 1]
        is_free = not place.any()
        place |= is_free
        return is_free


def _of_vertices(forest: Any, name: str, values: Any) -> NDArray[Any]:
    """Return a value for each vertex; of profiles that were collapsed, that of the first."""
    array = values_of_vertices(forest.graph, name, values, forest.number_of_name)
    if array.ndim != 1:
        raise GraphError(f"{name} must be one value for each vertex, not rows of the shape {array.shape[1:]}")
    return array


def _sizes(forest: Any, sizes: Any) -> NDArray[np.float64]:
    """Return the size of each vertex."""
    size = _of_vertices(forest, "sizes", sizes)
    if size.dtype.kind not in "biuf":
        raise GraphTypeError(f"sizes must be numbers, these have dtype {size.dtype}")
    wrong = ~(np.isfinite(size) & (size >= 0))
    if wrong.any():
        vertex = int(np.argmax(wrong))
        name = shown(forest.graph.name_of(vertex))
        raise GraphError(f"the size of vertex {name} is {size[vertex]}: sizes must be 0 or more, and finite")
    return size.astype(np.float64)


def _draw_colored(
    ax: Axes, x: NDArray[np.float64], y: NDArray[np.float64], area: Any, values: NDArray[Any]
) -> None:
    """Color numbers by a scale, and other values by category, with a legend."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    how: dict[str, Any] = {"edgecolors": INK, "linewidths": 0.5, "zorder": 3}
    if values.dtype.kind in "iuf":
        dots = ax.scatter(x, y, area, values, cmap="viridis", **how)
        assert ax.figure is not None
        ax.figure.colorbar(dots, ax=ax, shrink=0.5, aspect=30).outline.set_visible(False)
        return
    texts = np.array(list(map(str, values))) if values.dtype == object else values.astype(str)
    names, category, counts = np.unique(texts, return_inverse=True, return_counts=True)
    frequent = np.argsort(-counts, kind="stable")[:MAX_CATEGORIES]
    palette = np.full(names.size, FAINT, object)
    palette[frequent] = [to_hex(colormaps["tab10"](k)) for k in range(frequent.size)]
    ax.scatter(x, y, area, palette[category].tolist(), **how)
    entries = [(palette[k], f"{names[k]} ({counts[k]:,})") for k in frequent.tolist()]
    if names.size > MAX_CATEGORIES:
        entries.append((FAINT, f"others ({counts.sum() - counts[frequent].sum():,})"))
    for color, label in entries:
        ax.scatter([], [], 40, color, label=label, **how)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, labelcolor=INK)
