"""A map of a forest: its edges between the coordinates of their ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.graph.graph import ImplicitGraph
from boruvka.runtime.arguments import argument, choice, flag
from boruvka.trees.plotting.coordinates import VertexCoordinates, place_vertices
from boruvka.trees.plotting.style import (
    FAINT,
    INK,
    LEVELS,
    check_axes,
    color_levels,
    component_levels,
    inches_of,
    line_width,
    lines,
    new_axes,
    shades,
)
from boruvka.trees.plotting.vertices import Room, draw_vertices, label_edges

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = ["COLORED_BY", "figure_size", "frame_axes", "plot"]

COLORED_BY = ("round", "component", "weight")
WIDTH, MIN_HEIGHT, MAX_HEIGHT = 10.0, 3.0, 10.0
"""Inches of a new figure, whose height is that of the map."""
MAP = 0.8
"""Part of the width of a figure that the map fills, beside the legend."""
MAX_IN_LEGEND = 8
"""Maximum number of components in the legend, which has the largest."""
WEIGHT_LEVELS, TICKS = 64, 4
GROWTH = 0.25
"""Increase of the width of lines from one round to the next, in widths of the first round."""


class _Coloring(NamedTuple):
    """The level of each edge, the color and width of each level, and the levels in the legend."""

    levels: NDArray[np.int64]
    colors: list[Any]
    widths: list[float]
    legend: list[tuple[str, int]]


def plot(
    forest: Any,
    coordinates: Any = None,
    *,
    by: str = "round",
    system: str | None = None,
    graph_edges: bool = False,
    sizes: Any = None,
    colors: Any = None,
    labels: Any = None,
    weights: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Implement `Forest.plot`."""
    choice("by", by, COLORED_BY)
    check_axes(ax)
    graph_edges, weights = flag("graph_edges", graph_edges), flag("weights", weights)
    if isinstance(labels, str | bytes | int | float):
        labels = flag("labels", labels)
    if graph_edges and isinstance(forest.graph, ImplicitGraph):
        raise OptionError(f"{argument('graph_edges', True)} is for a graph that lists its edges")
    positions = place_vertices(forest, coordinates, system)
    is_own, ax = ax is None, new_axes(*figure_size(positions)) if ax is None else ax
    points = positions.points
    if graph_edges:
        forest.graph.check()
        graph = forest.graph.compacted()
        thin = 0.5 * line_width(graph.m, inches_of(ax))
        below = lines(points[graph.u], points[graph.v], np.zeros(graph.m, np.int64), [FAINT], [thin])
        ax.add_collection(below, autolim=False)
    width = line_width(len(forest), inches_of(ax))
    coloring = {"round": _by_round, "component": _by_component, "weight": _by_weight}[by](forest, width)
    ax.add_collection(lines(points[forest.u], points[forest.v], *coloring[:3]), autolim=False)
    room = Room(positions, _size_of_map(ax))
    draw_vertices(ax, forest, positions, sizes, colors, labels, room)
    if weights:
        label_edges(ax, forest, positions, room)
    frame_axes(ax, positions)
    if colors is not None:
        return ax  # whose legend explains the colors of vertices
    if by == "weight":
        _add_color_bar(ax, forest)
    else:
        _add_legend(ax, coloring, is_own)
    return ax


def figure_size(positions: VertexCoordinates, part: float = MAP) -> tuple[float, float]:
    """Return the width and the height in inches of a figure; a map fills a part of the width."""
    wide, high = np.ptp(positions.box, axis=0)
    height = part * WIDTH * positions.aspect * high / max(wide, 1e-9)
    return WIDTH, float(np.clip(height, MIN_HEIGHT, MAX_HEIGHT))


def _size_of_map(ax: Axes) -> NDArray[np.float64]:
    """Return the width and the height in inches of the map in axes, roughly."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return figure.get_size_inches() * [ax.get_position().width, ax.get_position().height]


def frame_axes(ax: Axes, positions: VertexCoordinates) -> None:
    """Show all vertices, with equal lengths in all directions, and no axes."""
    ax.set_axis_off()
    ax.set_aspect(positions.aspect)
    low, high = positions.box
    margin = 0.02 * max(float((high - low).max()), 1e-9)
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)


def _by_round(forest: Any, width: float) -> _Coloring:
    rounds = forest.edge_rounds.astype(np.int64) - 1
    counts = np.bincount(rounds)
    widths = [width * (1 + GROWTH * number) for number in range(counts.size)]
    legend = [
        (f"round {level + 1}: {count:,} edge{'s' * (count != 1)}", level)
        for level, count in enumerate(counts.tolist())
    ]
    return _Coloring(rounds, shades(counts.size), widths, legend)


def _by_component(forest: Any, width: float) -> _Coloring:
    sizes = np.bincount(forest.labels[forest.vertices])
    by_size = np.argsort(-sizes, kind="stable")
    level = np.empty(sizes.size, np.int64)
    level[by_size] = component_levels(np.arange(sizes.size))
    legend = [
        (f"{sizes[component]:,} vertices", int(level[component]))
        for component in by_size[:MAX_IN_LEGEND].tolist()
        if sizes[component] > 1
    ]
    coloring = level[forest.labels[forest.u]]
    return _Coloring(coloring, color_levels(), [width] * LEVELS, legend)


def _by_weight(forest: Any, width: float) -> _Coloring:
    """Divide the edges into levels of equal size, so that every distribution of weights uses all colors."""
    inner = _weight_quantiles(forest, WEIGHT_LEVELS)[1:-1]
    heavier = np.searchsorted(inner, forest.w.astype(np.float64), side="left")
    # light edges are often short: they are drawn last, on top
    levels = WEIGHT_LEVELS - 1 - heavier
    return _Coloring(levels, shades(WEIGHT_LEVELS)[::-1], [width] * WEIGHT_LEVELS, [])


def _weight_quantiles(forest: Any, parts: int) -> NDArray[np.float64]:
    """Return weights that divide the edges into parts of equal size; equal weights are in one part."""
    w = forest.w.astype(np.float64)
    return np.quantile(w, np.linspace(0, 1, parts + 1), method="lower") if w.size else np.zeros(parts + 1)


def _add_color_bar(ax: Axes, forest: Any) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    mappable = ScalarMappable(Normalize(0, TICKS), ListedColormap(shades(WEIGHT_LEVELS)))
    bar = ax.figure.colorbar(mappable, ax=ax, shrink=0.5, aspect=30, ticks=range(TICKS + 1))
    weights = _weight_quantiles(forest, TICKS)
    names = ["lightest", "quarter", "half", "three quarters", "heaviest"]
    bar.ax.set_yticklabels([f"{_short(w)} {name}" for w, name in zip(weights, names, strict=True)])
    bar.set_label("weight (by quantile)")
    bar.outline.set_visible(False)


def _short(w: float) -> str:
    return f"{w:,.{4 if abs(w) < 1000 else 6}g}"


def _add_legend(ax: Axes, coloring: _Coloring, outside: bool) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=coloring.colors[k], linewidth=max(2.0, coloring.widths[k]), label=label)
        for label, k in coloring.legend
    ]
    if handles and outside:
        figure = ax.get_figure(root=True)
        assert figure is not None
        figure.legend(handles=handles, loc="outside right center", frameon=False, labelcolor=INK)
    elif handles:
        ax.legend(handles=handles, loc="best", labelcolor=INK)
