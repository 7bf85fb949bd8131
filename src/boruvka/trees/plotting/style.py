"""Figures, colors and lines of all pictures.

Colors are taken from viridis, whose lightness rises steadily: they differ in grey print and for color-blind
readers.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#222222"
PALETTE = (
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd",
    "#8c564b", "#e377c2", "#17becf", "#bcbd22", "#393b79",
    "#00f0b4", "#002db4", "#f0b478", "#ff0078", "#78004b",
    "#c3e196", "#a500a5", "#5a7869", "#965a00", "#2d4b00",
)  # fmt: skip
"""Colors of categories: the first ten for the most frequent ones, the last ten for the next ones.

Both are in the order of the names of categories. Of more categories, rare ones are `OTHERS`.

The last ten are far, in CIELAB, from each other, from the first ten, from white and from `FAINT`.
"""
OTHERS = "#8f8f8f"
SCALE = (68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)
"""Colors of numbers from low to high, as red, green and blue: viridis."""
HEX_COLOR = re.compile("#([0-9a-fA-F]{3}){1,2}")
"""A color that is given as red, green and blue."""
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
"""Its multiples modulo 1 are spread evenly, and neighbors are far from each other."""
POINTS_PER_INCH = 72
LEGEND_LINE = 0.21
"""Inches that a line of a legend takes."""
LEAST_HEIGHT_OF_SCALE = 1.4
"""Inches of axes beside which the texts of a scale stand, one above another."""
LONGEST = 40
"""Characters of a text in a legend."""


def new_figure(width: float, height: float) -> Figure:
    """Make a figure of a size in inches, without a window."""
    require("matplotlib", "plot")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="compressed")
    FigureCanvasAgg(figure)
    return figure


def new_axes(width: float, height: float, ax: Any = None) -> Axes:
    """Return axes that are given, or make them in a new figure, which a notebook shows after its cell."""
    check_axes(ax)
    if ax is not None:
        return ax
    if "ipykernel" not in sys.modules:
        return new_figure(width, height).add_subplot()
    require("matplotlib", "plot")
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height), layout="compressed").add_subplot()


def check_axes(ax: Any) -> None:
    """Raise an `OptionError` unless an argument is None or the axes of a figure."""
    if ax is not None and not hasattr(ax, "add_collection"):
        raise OptionError(f"{argument('ax')} must be axes of matplotlib, got {shown(ax)}")
    if (projection := getattr(ax, "name", "")) in ("3d", "polar"):
        raise OptionError(
            f"{argument('ax')} must be axes of a plane, and these are {projection}: make them without "
            "projection=; points of three coordinates are projected on the first two"
        )


def is_map_projection(ax: Any) -> bool:
    """Return whether axes take longitudes and latitudes in radians, such as a Mollweide projection."""
    return hasattr(ax, "set_longitude_grid")


def figure_of(ax: Axes) -> Figure:
    """Return the figure of axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure


def line_width(edges: int, inches: float) -> float:
    """Return a width in points, thinner where there are many edges on a picture of a size."""
    return float(np.clip(0.25 * inches * POINTS_PER_INCH / np.sqrt(max(edges, 1)), MIN_WIDTH, 1.8))


def shades(count: int) -> list[tuple[float, float, float, float]]:
    """Return colors from light to dark, all of them visible on white."""
    positions = np.linspace(0.78, 0.0, count) if count != 1 else [0.3]
    at = np.linspace(0, 1, len(SCALE))
    red, green, blue = (np.interp(positions, at, part) / 255 for part in zip(*SCALE, strict=True))
    return list(zip(red.tolist(), green.tolist(), blue.tolist(), [1.0] * len(red), strict=True))


def component_levels(ids: NDArray[Any]) -> NDArray[np.int64]:
    """Give each id one of `LEVELS` colors; colors of close ids are far from each other."""
    return (np.modf(ids * GOLDEN_RATIO)[0] * LEVELS).astype(np.int64)


def color_levels() -> list[tuple[float, float, float, float]]:
    """Return the `LEVELS` colors of components, from dark to light."""
    return shades(LEVELS)[::-1]


def draw_lines(ax: Axes, curves: NDArray[np.float64], levels: NDArray[np.int64], **by_level: Any) -> None:
    """Draw lines and curves; lines of one level are drawn together, in the order of levels.

    Parameters
    ----------
    ax : Axes
        They get one collection, whose paths have up to `LINES_OF_PATH` lines each.
    curves : (k, p, 2) array
        The p points of each line.
    levels : (k,) array of int64
        The level of each line.
    **by_level : sequences
        Properties of matplotlib's ``PathCollection``, such as ``edgecolors``: a value for each level.
    """
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    order = np.argsort(levels, kind="stable")
    curves, levels = curves[order], levels[order]
    first = np.searchsorted(levels, np.arange(levels.max(initial=-1) + 1))[levels]  # of the same level
    starts = np.flatnonzero((np.arange(levels.size) - first) % LINES_OF_PATH == 0)
    paths = []
    for lines in np.split(curves, starts)[1:]:
        codes = np.full(lines.shape[:2], Path.LINETO, np.uint8)
        codes[:, 0] = Path.MOVETO
        paths.append(Path(lines.reshape(-1, 2), codes.ravel()))
    by_path = {name: [values[k] for k in levels[starts].tolist()] for name, values in by_level.items()}
    collection = PathCollection(paths, facecolors="none", capstyle="round", **by_path)
    collection.set_snap(False)  # points of a straight line could be rounded to different pixels
    collection.set_rasterized(len(curves) > MAX_VECTOR_LINES)
    ax.add_collection(collection, autolim=False)


def draw_dots(ax: Axes, points: NDArray[np.float64], side: float) -> None:
    """Draw vertices as dots of a width in points, over edges."""
    x, y = points.T
    ax.plot(x, y, "o", color=INK, markersize=side, zorder=3, linestyle="none")


def text_box(**how: Any) -> dict[str, Any]:
    """Return the background of a text that stands on lines: white without a border."""
    return {"facecolor": "white", "edgecolor": "none", **how}


def add_legends(ax: Axes, legends: list[tuple[str | None, list[Any]]], is_own: bool) -> None:
    """Draw legends, each a title and handles: beside axes of our own figure, which grows to hold them.

    Few entries are beneath axes that have a scale beside them, which would else leave half of the width.
    In axes of a caller they are inside, unless the figure has a layout that makes room for them.
    """
    legends = [(title, handles) for title, handles in legends if handles]
    figure, count = figure_of(ax), sum(len(handles) for _, handles in legends)
    has_scale = any(bar.bbox.height > bar.bbox.width for bar in figure.axes[1:])
    side, *ends = ("lower", "left", "right") if has_scale and count < 4 else ("right", "upper", "lower")
    for number, (title, handles) in enumerate(legends):
        how: dict[str, Any] = {"handles": handles, "title": title, "labelcolor": INK, "alignment": "left"}
        if is_own:
            how["loc"] = f"outside {side} {'center' if len(legends) == 1 else ends[number]}"
            figure.legend(frameon=False, **how)
        else:
            earlier = ax.get_legend()
            has_layout = figure.get_layout_engine() is not None
            if is_map_projection(ax) and not has_layout:  # there is room beneath and above
                where = ("upper center", "lower center")[number]
                how |= {"loc": where, "bbox_to_anchor": (0.5, number), "ncols": 2}
            elif not has_layout:  # beside the axes, there may be no room
                how["loc"] = ("best", "lower right")[number]
            else:
                how |= {"loc": ("upper left", "lower left")[number], "bbox_to_anchor": (1, 1 - number)}
            ax.legend(**how)
            if earlier is not None and number:
                ax.add_artist(earlier)  # axes keep one legend
    height = LEGEND_LINE * (count + 2 * len(legends))
    if is_own and figure.get_figheight() < height:
        figure.set_figheight(height)


def short(text: Any, longest: int = LONGEST) -> str:
    """Return a text of so many characters at most; by default one that fits into a legend."""
    words = str(text)
    return words if len(words) <= longest else words[: longest - 1] + "…"


def counted(number: int, noun: str) -> str:
    """Return a number and a noun."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def weight_texts(w: NDArray[Any], digits: int) -> list[str]:
    """Write weights with so many digits, or up to two more that make unlike weights look unlike, or all.

    If so many digits are exact, all have as many decimals as one of them. Integers have all digits; others
    have an exponent only where their shortest exact text has one.
    """
    weights = (w + 0).tolist()  # without the sign of -0.0
    exact = [str(x).removesuffix(".0") for x in weights]
    decimals = max((len(x.partition(".")[2]) for x in exact), default=0)
    equal = [f"{x:.{min(decimals, digits)}f}" for x in weights]
    are_exact = all(float(text) == x for text, x in zip(equal, weights, strict=True))
    if decimals and are_exact and all(len(x.lstrip("-0.").replace(".", "")) <= digits for x in equal):
        return equal
    for count in range(digits, digits + 3):
        rounded = [f"{x:.{count}g}" if x % 1 else text for x, text in zip(weights, exact, strict=True)]
        is_plain = all("e" in b or "e" not in a for a, b in zip(rounded, exact, strict=True))
        if is_plain and len(set(rounded)) == len(set(exact)):
            return rounded
    return exact


def add_color_bar(ax: Axes, colored: Any, is_beneath: bool = False, **how: Any) -> Any:
    """Draw the scale of colored things beside axes, or beneath flat ones or others, and return it."""
    ax.apply_aspect()
    width, height = (np.array(ax.bbox.size) / figure_of(ax).dpi).tolist()
    how |= {"shrink": 0.5, "aspect": 30}
    if is_beneath or height < min(LEAST_HEIGHT_OF_SCALE, width / 2):
        how |= {"location": "bottom", "shrink": 0.9, "aspect": 50}
    bar = figure_of(ax).colorbar(colored, ax=ax, **how)
    bar.outline.set_visible(False)
    return bar
