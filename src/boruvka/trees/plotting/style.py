"""Figures, colors and fast collections of lines, for all pictures.

Colors are those of viridis, whose lightness rises steadily: they differ in grey print and for color-blind
readers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown
from boruvka.runtime.arguments import argument
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure

__all__ = [
    "FAINT", "INK", "LEVELS", "MAX_VECTOR_LINES", "color_levels", "component_levels", "inches_of",
    "line_width", "lines", "new_axes", "new_figure", "shades",
]  # fmt: skip

INK = "#222222"
FAINT = "#d8d8d8"
"""The color of edges that are not in the forest, or not yet."""
MAX_VECTOR_LINES = 20_000
"""Maximum number of edges that SVG and PDF files hold as lines; more are pixels."""
LINES_OF_PATH = 10_000
"""Maximum number of lines in a path of matplotlib, which draws them 5 times as fast as single ones."""
MIN_WIDTH = 0.35
"""Points; thinner lines are too faint to see alone."""
LEVELS = 12
"""Number of colors of components."""
GOLDEN_RATIO = 0.6180339887498949
"""Its multiples modulo 1 are spread evenly, and neighbours are far from each other."""
POINTS_PER_INCH = 72


def new_figure(width: float, height: float) -> Figure:
    """Make a figure of a size in inches, without a window."""
    require("matplotlib", "plot")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def new_axes(width: float, height: float) -> Axes:
    """Make axes in a new figure, which a notebook shows at the end of its cell."""
    if "ipykernel" not in sys.modules:
        return new_figure(width, height).add_subplot()
    require("matplotlib", "plot")
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height), layout="constrained").add_subplot()


def check_axes(ax: Any) -> None:
    """Raise an `OptionError` unless an argument is None or the axes of a figure."""
    if ax is not None and not hasattr(ax, "add_collection"):
        raise OptionError(f"{argument('ax')} must be axes of matplotlib, got {shown(ax)}")


def inches_of(ax: Axes) -> float:
    """Return the smaller side of the figure of axes, in inches."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return float(min(figure.get_size_inches()))


def line_width(edges: int, inches: float) -> float:
    """Return a width in points, thinner where there are many edges on a picture of a size."""
    return float(np.clip(0.25 * inches * POINTS_PER_INCH / np.sqrt(max(edges, 1)), MIN_WIDTH, 1.8))


def shades(count: int) -> list[tuple[float, float, float, float]]:
    """Return colors from light to dark, all of them visible on white."""
    from matplotlib import colormaps

    positions = np.linspace(0.78, 0.0, count) if count > 1 else [0.3]
    return [tuple(colormaps["viridis"](x)) for x in positions]


def component_levels(ids: NDArray[Any]) -> NDArray[np.int64]:
    """Give each id one of `LEVELS` colors; colors of close ids are far from each other."""
    return (np.modf(ids * GOLDEN_RATIO)[0] * LEVELS).astype(np.int64)


def color_levels() -> list[tuple[float, float, float, float]]:
    """Return the `LEVELS` colors of components, from dark to light."""
    return shades(LEVELS)[::-1]


def lines(
    begin: NDArray[np.float64],
    end: NDArray[np.float64],
    levels: NDArray[np.int64],
    colors: Iterable[Any],
    widths: Iterable[float],
) -> PathCollection:
    """Make a collection of straight lines; those of one level are drawn together, in the order of levels.

    Parameters
    ----------
    begin, end : (k, 2) arrays
        The ends of the lines.
    levels : (k,) array of int64
        The level of each line.
    colors, widths : iterables
        The color and the width, in points, of each level.

    Returns
    -------
    PathCollection
        Its paths have up to `LINES_OF_PATH` lines each.
    """
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    order = np.argsort(levels, kind="stable")
    points = np.stack([begin[order], end[order]], axis=1)
    bounds = np.searchsorted(levels[order], np.arange(levels.max(initial=-1) + 2))
    paths, path_colors, path_widths = [], [], []
    for first, last, color, width in zip(bounds[:-1], bounds[1:], colors, widths, strict=False):
        for start in range(first, last, LINES_OF_PATH):
            piece = points[start : min(start + LINES_OF_PATH, last)]
            codes = np.tile(np.array([Path.MOVETO, Path.LINETO], np.uint8), len(piece))
            paths.append(Path(piece.reshape(-1, 2), codes))
            path_colors.append(color)
            path_widths.append(width)
    collection = PathCollection(
        paths, facecolors="none", edgecolors=path_colors, linewidths=path_widths, capstyle="round"
    )
    collection.set_rasterized(len(points) > MAX_VECTOR_LINES)
    return collection
