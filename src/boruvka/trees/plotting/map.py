"""A map of a tree: its edges between the coordinates of their ends, its vertices as dots, and labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph, ImplicitGraph
from boruvka.graph.labels import values_of_vertices
from boruvka.runtime.arguments import argument, flag, one_of
from boruvka.trees.plotting import style
from boruvka.trees.plotting.coordinates import VertexCoordinates, place_vertices
from boruvka.trees.plotting.style import FAINT, INK, POINTS_PER_INCH, figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLORED_BY", "MAX_DOTS", "figure_size", "frame_axes", "plot"]

COLORED_BY = ("round", "component", "weight")
WIDTH, MIN_HEIGHT, MAX_HEIGHT = 10.0, 3.0, 10.0
"""Inches of a new figure, whose height fits the map."""
MAP = 0.8
"""Share of the width of a figure that the map fills, beside the legend."""
MAX_IN_LEGEND = 8
"""Maximum number of components in the legend, which has the largest."""
WEIGHT_LEVELS, TICKS = 64, 4
GROWTH = 0.25
"""Increase of the width of lines from one round to the next, in widths of the first round."""
MAX_LABELS, MAX_DOTS = 60, 5_000
"""Maximum number of vertices for labels, and for dots, unless the caller wants them."""
MAX_CATEGORIES = 10
"""Maximum number of categories with a color of their own: the most frequent ones."""
FILLED = 0.06
"""Share of a picture that dots with sizes fill together."""
LABEL, WEIGHT_LABEL = 8.0, 6.0
"""Sizes of fonts in points."""
MARK = 9.0
"""Width in points of the ring around a terminal or a root."""
MARGIN = 20
"""Points around a map where a label may begin."""
SMALLEST_AREA = 9.0
"""Area of a colored dot, in square points."""


class _Coloring(NamedTuple):
    """The level of each edge, the color and width of each level, and the levels in the legend."""

    levels: NDArray[np.int64]
    colors: list[Any]
    widths: list[float]
    legend: list[tuple[str, int]]


def plot(
    tree: EdgeSet,
    coordinates: Any,
    *,
    by: str,
    rounds: Callable[[], NDArray[Any]],
    system: str | None,
    graph_edges: bool,
    sizes: Any,
    colors: Any,
    labels: Any,
    weights: bool,
    ax: Axes | None,
) -> Axes:
    """Draw a tree as `boruvka.trees.acyclic_edges.AcyclicEdges.plot` describes it.

    Parameters
    ----------
    tree : AcyclicEdges
        The tree.
    rounds : function
        Returns a (k,) array: the round that adds each edge. Called if edges are colored by round.
    coordinates, by, system, graph_edges, sizes, colors, labels, weights, ax
        As for `AcyclicEdges.plot`.
    """
    one_of("by", by, COLORED_BY)
    style.check_axes(ax)
    graph_edges, weights = flag("graph_edges", graph_edges), flag("weights", weights)
    graph, vertices, u, v = tree.graph, tree.vertices, tree.u, tree.v
    if graph_edges and isinstance(graph, ImplicitGraph):
        raise OptionError(f"{argument('graph_edges', True)} is for a graph that lists its edges")

    def of_vertices(name: str, values: Any) -> NDArray[Any]:
        array = values_of_vertices(graph, name, values, tree.number_of_name)
        if array.ndim != 1:
            shape = array.shape[1:]
            raise GraphError(f"{name} must be one value for each vertex, not rows of the shape {shape}")
        return array[vertices]

    if labels is None:
        labels = vertices.size <= MAX_LABELS
    if isinstance(labels, str | bytes | int | float | np.bool_):
        texts = graph.shown_id(vertices) if flag("labels", labels) else None
    else:
        texts = of_vertices("labels", labels)
    areas = None if sizes is None else _checked_sizes(graph, vertices, of_vertices("sizes", sizes))
    categories = None if colors is None else of_vertices("colors", colors)
    positions = place_vertices(tree, coordinates, system)
    points, drawn = positions.points, positions.points[vertices]
    framed = positions if graph_edges else positions._replace(points=drawn)
    is_own, ax = ax is None, style.new_axes(*figure_size(framed), ax)
    inches = float(figure_of(ax).get_size_inches().min())
    if graph_edges:
        graph.check()
        whole = graph.compacted()
        thin = 0.5 * style.line_width(whole.m, inches)
        ends, level = points[np.column_stack([whole.u, whole.v])], np.zeros(whole.m, np.int64)
        style.draw_lines(ax, ends, level, edgecolors=[FAINT], linewidths=[thin])
    width = style.line_width(len(tree), inches)
    if by == "round":
        coloring = _by_round(rounds(), width)
    elif by == "component":
        coloring = _by_component(tree.labels[u], tree.labels[vertices], width)
    else:
        coloring = _by_weight(tree.w, width)
    ends = points[np.column_stack([u, v])]
    style.draw_lines(ax, ends, coloring.levels, edgecolors=coloring.colors, linewidths=coloring.widths)
    areas = _draw_vertices(ax, drawn, areas, categories)
    if tree.marked.size:
        _mark(ax, points[tree.marked])
    written = Labels(ax, framed)
    if texts is not None:
        degree, radius = np.bincount(np.concatenate([u, v]), minlength=tree.n)[vertices], np.sqrt(areas) / 2
        for k in np.lexsort([-degree, -radius]).tolist():
            written.write(str(texts[k]), drawn[k], LABEL, 2 + 0.7 * float(radius[k]), zorder=4)
    if weights:
        box = style.text_box(boxstyle="round,pad=0.1", alpha=0.8)
        lengths = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
        for edge in np.argsort(-lengths, kind="stable").tolist():
            written.write(f"{tree.w[edge]:.4g}", ends[edge].mean(axis=0), WEIGHT_LABEL, bbox=box, zorder=2.5)
    frame_axes(ax, framed)
    if colors is not None:
        return ax  # whose legend explains the colors of vertices
    if by == "weight":
        _add_color_bar(ax, tree.w)
    else:
        _add_legend(ax, coloring, is_own)
    return ax


def figure_size(positions: VertexCoordinates, share: float = MAP) -> tuple[float, float]:
    """Return the width and the height in inches of a figure; a map fills a share of the width."""
    wide, high = np.ptp(positions.box, axis=0)
    height = share * WIDTH * positions.aspect * high / max(wide, 1e-9)
    return WIDTH, float(np.clip(height, MIN_HEIGHT, MAX_HEIGHT))


def frame_axes(ax: Axes, positions: VertexCoordinates, margin: float | None = None) -> None:
    """Show all vertices and a margin around them, with equal lengths in all directions, and no axes."""
    low, high = positions.box
    if margin is None:
        margin = 0.02 * max(float((high - low).max()), 1e-9)
    ax.set_axis_off()
    ax.set_aspect(positions.aspect)
    ax.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin))


# Edges


def _by_round(rounds: NDArray[Any], width: float) -> _Coloring:
    levels = rounds.astype(np.int64) - 1
    counts = np.bincount(levels).tolist()
    widths = [width * (1 + GROWTH * level) for level in range(len(counts))]
    legend = [
        (f"round {level + 1}: {count:,} edge{'s' * (count != 1)}", level)
        for level, count in enumerate(counts)
    ]
    return _Coloring(levels, style.shades(len(counts)), widths, legend)


def _by_component(of_edges: NDArray[np.int64], of_vertices: NDArray[np.int64], width: float) -> _Coloring:
    """Color edges by component, given the components of the edges and of the vertices."""
    sizes = np.bincount(of_vertices)
    by_size = np.argsort(-sizes, kind="stable")
    level = np.empty(sizes.size, np.int64)
    level[by_size] = style.component_levels(np.arange(sizes.size))
    legend = [
        (f"{sizes[component]:,} vertices", int(level[component]))
        for component in by_size[:MAX_IN_LEGEND].tolist()
        if sizes[component] > 1
    ]
    return _Coloring(level[of_edges], style.color_levels(), [width] * style.LEVELS, legend)


def _by_weight(w: NDArray[Any], width: float) -> _Coloring:
    """Divide the edges into levels of equal size, so that every distribution of weights uses all colors."""
    inner = _weight_quantiles(w, WEIGHT_LEVELS)[1:-1]
    heavier = np.searchsorted(inner, w.astype(np.float64), side="left")
    # light edges are often short: they are drawn last, on top
    levels = WEIGHT_LEVELS - 1 - heavier
    return _Coloring(levels, style.shades(WEIGHT_LEVELS)[::-1], [width] * WEIGHT_LEVELS, [])


def _weight_quantiles(w: NDArray[Any], parts: int) -> NDArray[np.float64]:
    """Return weights that divide the edges into parts of equal size; equal weights are in one part."""
    quantiles = np.linspace(0, 1, parts + 1)
    return np.quantile(w.astype(np.float64), quantiles, method="lower") if w.size else 0 * quantiles


def _add_color_bar(ax: Axes, w: NDArray[Any]) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    mappable = ScalarMappable(Normalize(0, TICKS), ListedColormap(style.shades(WEIGHT_LEVELS)))
    bar = style.add_color_bar(ax, mappable, ticks=range(TICKS + 1))
    names = ["lightest", "quarter", "half", "three quarters", "heaviest"]
    texts = [f"{x:,.{4 if abs(x) < 1000 else 6}g}" for x in _weight_quantiles(w, TICKS).tolist()]
    bar.ax.set_yticklabels([f"{text} {name}" for text, name in zip(texts, names, strict=True)])
    bar.set_label("weight (by quantile)")


def _add_legend(ax: Axes, coloring: _Coloring, outside: bool) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=coloring.colors[k], linewidth=max(2.0, coloring.widths[k]), label=label)
        for label, k in coloring.legend
    ]
    if handles and outside:
        figure_of(ax).legend(handles=handles, loc="outside right center", frameon=False, labelcolor=INK)
    elif handles:
        ax.legend(handles=handles, loc="best", labelcolor=INK)


# Vertices


def _checked_sizes(graph: Graph, vertices: NDArray[np.int64], sizes: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sizes of vertices as floats, or raise an error about the first that is none."""
    if sizes.dtype.kind not in "biuf":
        raise GraphTypeError(f"sizes must be numbers, these have dtype {sizes.dtype}")
    wrong = np.flatnonzero(~(np.isfinite(sizes) & (sizes >= 0)))
    if wrong.size:
        name, size = shown(graph.name_of(int(vertices[wrong[0]]))), sizes[wrong[0]]
        raise GraphError(f"the size of vertex {name} is {size}: sizes must be 0 or more, and finite")
    return sizes.astype(np.float64)


def _draw_vertices(
    ax: Axes, points: NDArray[np.float64], sizes: NDArray[np.float64] | None, colors: NDArray[Any] | None
) -> NDArray[np.float64]:
    """Draw vertices as dots, if they are few or have sizes or colors; return the area of each dot."""
    n, (x, y) = len(points), points.T
    if sizes is None and colors is None:
        side = 4.0 if n <= MAX_LABELS else 2.0 if n <= 1_000 else 1.0
        if n <= MAX_DOTS:
            style.draw_dots(ax, points, side)
        return np.full(n, side**2)
    areas = np.full(n, 2 * SMALLEST_AREA)
    if sizes is not None:
        filled = FILLED * (POINTS_PER_INCH * figure_of(ax).get_size_inches().min()) ** 2
        areas = np.maximum(filled * sizes / max(sizes.sum(), 1e-300), SMALLEST_AREA)
    if colors is not None:
        _draw_colored(ax, points, areas, colors)
    else:
        ax.scatter(x, y, areas, INK, linewidths=0, zorder=3)
    return areas


def _mark(ax: Axes, points: NDArray[np.float64]) -> None:
    """Draw rings around vertices."""
    side = MARK if len(points) <= MAX_LABELS else MARK / 2
    ax.plot(*points.T, "o", color=INK, markersize=side, markerfacecolor="none", linestyle="none", zorder=3.2)


def _draw_colored(
    ax: Axes, points: NDArray[np.float64], areas: NDArray[np.float64], values: NDArray[Any]
) -> None:
    """Color numbers by a scale, and other values by category, with a legend."""
    from matplotlib.colors import TABLEAU_COLORS

    (x, y), how = points.T, dict[str, Any](edgecolors=INK, linewidths=0.5, zorder=3)
    if values.dtype.kind in "iuf":
        style.add_color_bar(ax, ax.scatter(x, y, areas, values, cmap="viridis", **how))
        return
    texts = np.array(list(map(str, values))) if values.dtype == object else values.astype(str)
    names, category, counts = np.unique(texts, return_inverse=True, return_counts=True)
    frequent = np.argsort(-counts, kind="stable")[:MAX_CATEGORIES]
    palette = np.full(names.size, FAINT, object)
    palette[frequent] = list(TABLEAU_COLORS)[: frequent.size]
    ax.scatter(x, y, areas, palette[category].tolist(), **how)
    entries = [(palette[k], f"{names[k]} ({counts[k]:,})") for k in frequent.tolist()]
    if names.size > MAX_CATEGORIES:
        entries.append((FAINT, f"others ({counts.sum() - counts[frequent].sum():,})"))
    for color, label in entries:
        ax.scatter([], [], 40, color, label=label, **how)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, labelcolor=INK)


# Labels


class Labels:
    """Writes labels into axes, each where no other is.

    Parameters
    ----------
    ax : Axes
        The axes.
    positions : VertexCoordinates
        The coordinates of the vertices in them.
    """

    def __init__(self, ax: Axes, positions: VertexCoordinates):
        size = figure_of(ax).get_size_inches() * [ax.get_position().width, ax.get_position().height]
        self._ax, (self._low, high) = ax, positions.box
        unit = np.array([1.0, positions.aspect])
        self._scale = POINTS_PER_INCH * min(size / np.maximum((high - self._low) * unit, 1e-300)) * unit
        self._taken = np.zeros(np.ceil(size * POINTS_PER_INCH).astype(int) + 2 * MARGIN, bool)

    def write(
        self, text: str, at: NDArray[np.float64], font: float, shift: float | None = None, **how: Any
    ) -> None:
        """Write a text at a point, or shifted to the right and up by some points, if its place is free."""
        if not np.isfinite(at).all():
            return
        right, up = (-0.3 * font * len(text), -font / 2) if shift is None else (shift, shift)
        x, y = ((at - self._low) * self._scale + MARGIN + (right, up)).astype(int)
        place = self._taken[max(x, 0) : x + int(0.6 * font * len(text)) + 1, max(y, 0) : y + int(font) + 1]
        if not place.any():
            place[:] = True
            how |= {"va": "center", "ha": "center"} if shift is None else {}
            offset, xy = (shift or 0, shift or 0), (float(at[0]), float(at[1]))
            self._ax.annotate(text, xy, offset, textcoords="offset points", fontsize=font, color=INK, **how)
