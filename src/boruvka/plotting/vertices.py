"""Vertices and labels on a map of a forest: areas by size, colours by category or number, names, weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError
from boruvka.plotting.coordinates import VertexCoordinates
from boruvka.plotting.style import FAINT, INK, POINTS_PER_INCH, inches_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MAX_DOTS", "draw_vertices", "label_edges"]

MAX_LABELS, MAX_DOTS = 60, 5_000
"""Maximum number of vertices for labels, and for dots, unless the caller wants them."""
MAX_CATEGORIES = 10
"""Maximum number of categories with a colour of their own: the most frequent ones."""
FILLED = 0.06
"""Part of a picture that dots with sizes fill together."""
SMALLEST_AREA = 9.0
"""Area of a coloured dot, in square points."""


def draw_vertices(
    ax: Axes,
    forest: Any,
    positions: VertexCoordinates,
    sizes: ArrayLike | None,
    colours: ArrayLike | None,
    labels: bool | None,
) -> None:
    """Draw vertices as dots, if they are few or have sizes or colours, with their names if they are few."""
    n, (x, y) = forest.n, positions.points.T
    area: Any = (4.0 if n <= MAX_LABELS else 2.0 if n <= 1_000 else 1.0) ** 2
    if sizes is not None:
        size = _of_vertices(forest.graph, "sizes", sizes).astype(np.float64)
        area = FILLED * (POINTS_PER_INCH * inches_of(ax)) ** 2 * size / max(size.sum(), 1e-300)
        area = np.maximum(area, SMALLEST_AREA)
    elif colours is not None:
        area = 2 * SMALLEST_AREA
    if colours is not None:
        _draw_coloured(ax, x, y, area, _of_vertices(forest.graph, "colours", colours))
    elif sizes is not None:
        ax.scatter(x, y, area, INK, linewidths=0, zorder=3)
    elif n <= MAX_DOTS:
        ax.plot(x, y, "o", color=INK, markersize=np.sqrt(area), zorder=3, linestyle="none")
    if labels if labels is not None else n <= MAX_LABELS:
        radius = np.sqrt(np.broadcast_to(area, n)) / 2
        names = forest.graph.name_of(np.arange(n))
        for name, at, away in zip(names, positions.points, radius.tolist(), strict=True):
            if np.isfinite(at).all():
                shift = 2 + 0.7 * away
                ax.annotate(
                    str(name), at, (shift, shift), textcoords="offset points", fontsize=8, color=INK, zorder=4
                )


def label_edges(ax: Axes, forest: Any, positions: VertexCoordinates) -> None:
    """Write the weight of each edge at its middle."""
    middles = (positions.points[forest.u] + positions.points[forest.v]) / 2
    box = {"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
    for at, w in zip(middles, forest.w.tolist(), strict=True):
        ax.annotate(f"{w:.4g}", at, ha="center", va="center", fontsize=6, color=INK, bbox=box, zorder=2.5)


def _of_vertices(graph: Any, name: str, values: ArrayLike) -> NDArray[Any]:
    """Return a value for each vertex; of profiles that were collapsed, that of the first."""
    array = np.asarray(values)
    first = getattr(graph, "first_rows", None)
    if first is not None and array.shape == graph.vertex_of.shape:
        array = array[first]
    if array.shape != (graph.n,):
        raise GraphError(f"{name} must have a value for each of the {graph.n} vertices, got {array.shape}")
    return array


def _draw_coloured(
    ax: Axes, x: NDArray[np.float64], y: NDArray[np.float64], area: Any, values: NDArray[Any]
) -> None:
    """Colour numbers by a scale, and other values by category, with a legend."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    how: dict[str, Any] = {"edgecolors": INK, "linewidths": 0.5, "zorder": 3}
    if values.dtype.kind in "iuf":
        dots = ax.scatter(x, y, area, values, cmap="viridis", **how)
        assert ax.figure is not None
        ax.figure.colorbar(dots, ax=ax, shrink=0.5, aspect=30).outline.set_visible(False)
        return
    names, category, counts = np.unique(values.astype(str), return_inverse=True, return_counts=True)
    frequent = np.argsort(-counts, kind="stable")[:MAX_CATEGORIES]
    palette = np.full(names.size, FAINT, object)
    palette[frequent] = [to_hex(colormaps["tab10"](k)) for k in range(frequent.size)]
    ax.scatter(x, y, area, palette[category].tolist(), **how)
    entries = [(palette[k], f"{names[k]} ({counts[k]:,})") for k in frequent.tolist()]
    if names.size > MAX_CATEGORIES:
        entries.append((FAINT, f"others ({counts.sum() - counts[frequent].sum():,})"))
    for colour, label in entries:
        ax.scatter([], [], 40, colour, label=label, **how)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, labelcolor=INK)
