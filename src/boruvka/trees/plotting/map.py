"""A map of a tree: its edges between the coordinates of their ends, its vertices as dots, and labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import ImplicitGraph
from boruvka.graph.no_values import is_missing
from boruvka.interop.geopandas import line_points
from boruvka.runtime.arguments import argument, flag, one_of
from boruvka.trees.plotting import style
from boruvka.trees.plotting.coordinates import VertexCoordinates, lines_of_edges, place_vertices
from boruvka.trees.plotting.curves import (
    MAX_EDGES,
    MAX_VERTICES,
    EdgeLines,
    SmallGraph,
    edge_curves,
    small_graph,
)
from boruvka.trees.plotting.labels import Labels
from boruvka.trees.plotting.rows import Rows, sizes_of_vertices, texts_of_vertices
from boruvka.trees.plotting.style import FAINT, INK, POINTS_PER_INCH, figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLORED_BY", "MAX_DOTS", "MAX_LABELS", "figure_size", "frame_axes", "plot"]

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
FILLED = 0.06
"""Share of a picture that dots with sizes fill together."""
LABEL, WEIGHT_LABEL = 8.0, 6.0
"""Sizes of fonts in points."""
NO_VALUE = "no value"
WIDE_MARGIN = 0.05
"""Margin around a map that has large dots or names, as a share of its size."""
MARK = 9.0
"""Width in points of the ring around a terminal or a root."""
SMALLEST_AREA = 9.0
"""Area of a colored dot, in square points."""


class _Coloring(NamedTuple):
    """The level of each edge, the color and width of each level, and the levels in the legend."""

    levels: NDArray[np.int64]
    colors: list[Any]
    widths: list[float]
    legend: list[tuple[str, int | None]]


def plot(
    tree: EdgeSet,
    coordinates: Any,
    *,
    by: str | None,
    rounds: Callable[[], NDArray[Any]],
    system: str | None,
    graph_edges: bool,
    sizes: Any,
    colors: Any,
    labels: Any,
    weights: bool,
    ax: Axes | None,
) -> Axes:
    """Draw a tree as `boruvka.trees.selected_edges.SelectedEdges.plot` describes it.

    Parameters
    ----------
    tree : AcyclicEdges
        The tree.
    rounds : function
        Returns a (k,) array: the round that adds each edge. Called if edges are colored by round.
    coordinates, by, system, graph_edges, sizes, colors, labels, weights, ax
        As for `SelectedEdges.plot`.
    """
    if by is not None:
        one_of("by", by, COLORED_BY)
    style.check_axes(ax)
    graph_edges, weights = flag("graph_edges", graph_edges), flag("weights", weights)
    vertices, lines = tree.vertices, lines_of_edges(tree, coordinates)
    vertex_sizes = _Sizes.of(tree, sizes)
    rows = Rows.of(tree)
    values = None if colors is None else rows.values("colors", colors)
    is_few = vertices.size <= MAX_LABELS and lines is None
    texts = texts_of_vertices(tree, is_few if labels is None else labels)
    small = small_graph(tree, lists_edges=False) if graph_edges and lines is None else None
    if graph_edges and small is None and isinstance(tree.graph, ImplicitGraph):
        raise OptionError(
            f"{argument('graph_edges', True)} is for a graph that lists its edges, or one of up to "
            f"{MAX_VERTICES} vertices and {MAX_EDGES} edges, and this {tree.graph.kind} has {tree.n:,} and "
            f"{tree.graph.m:,}: leave it out"
        )
    positions = place_vertices(tree, coordinates, system, ends=_ends_of_layout(tree, small))
    shown = positions.points if graph_edges else positions.points[vertices]
    framed = positions._replace(points=shown if lines is None else np.concatenate([shown, lines[0]]))
    is_own, ax = ax is None, style.new_axes(*figure_size(framed), ax)
    has_dots = vertex_sizes.are_shown or values is not None or texts is not None
    low, high = framed.box
    frame_axes(ax, framed, WIDE_MARGIN * max(float((high - low).max()), 1e-9) if has_dots else None)

    edges, others = _edge_lines(tree, positions, lines, small, coordinates, graph_edges)
    of_others = [] if others is None else [_draw_others(ax, others)]
    coloring = _coloring(ax, tree, by or _default_by(tree, colors), rounds, vertex_sizes)
    of_edges = _draw_edges(ax, edges, coloring)
    legends: list[tuple[str | None, list[Any]]] = [(None, of_edges + of_others)]
    areas = vertex_sizes.areas(ax, colors is not None)
    if values is not None:
        name = getattr(colors, "name", None)
        title = name if isinstance(name, str) else None
        legends.append((title, _draw_colored(ax, rows, positions.points, areas, vertex_sizes, values, title)))
    elif vertex_sizes.are_shown:
        x, y = positions.points[vertices].T
        ax.scatter(x, y, areas[vertices], INK, linewidths=0, zorder=3)
    elif lines is None and vertices.size <= (MAX_DOTS if positions.aspect == 1 else MAX_LABELS):
        style.draw_dots(ax, positions.points[vertices], float(np.sqrt(areas.max(initial=0))))
    if tree.marked.size:
        _mark(ax, positions.points[tree.marked])
    style.add_legends(ax, legends, is_own)
    if texts is not None or weights:
        written = Labels(ax)
        if is_few:
            written.avoid(edges.curves)
            written.avoid(() if others is None else others.curves)
            for k in vertices.tolist():
                written.avoid(positions.points[[k, k]][None], float(np.sqrt(areas[k])) / 2)
        if not is_few:
            _write_names(written, tree, positions.points, areas, texts, 1)
        for drawn in (edges, others if is_few else None) if weights else ():
            if drawn is not None:
                _write_weights(written, drawn, is_few)
        if is_few:
            _write_names(written, tree, positions.points, areas, texts, 8)
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


def _default_by(tree: EdgeSet, colors: Any) -> str | None:
    """Color edges by weight, unless colors show something else or all weights are equal."""
    return "weight" if colors is None and len(tree) and (tree.w != tree.w[0]).any() else None


def _ends_of_layout(tree: EdgeSet, small: SmallGraph | None) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Return the edges by which a small graph is laid out; None if they are the edges of the tree."""
    if small is None:
        return None
    inside = np.isin(small.u, tree.vertices) & np.isin(small.v, tree.vertices)
    return small.u[inside], small.v[inside]


def _edge_lines(
    tree: EdgeSet,
    positions: VertexCoordinates,
    lines: tuple[NDArray[np.float64], NDArray[np.int64]] | None,
    small: SmallGraph | None,
    coordinates: Any,
    graph_edges: bool,
) -> tuple[EdgeLines, EdgeLines | None]:
    """Return the lines of the edges of a tree, and those that are drawn in grey beneath them."""
    points, graph = positions.points, tree.graph
    if small is not None:
        clearance = 0.03 * max(float(np.ptp(positions.box, axis=0).max()), 1e-9)
        curves, is_chosen = edge_curves(points, small.u, small.v, clearance), np.isin(small.edges, tree.edges)
        is_other = ~is_chosen & np.isfinite(curves).all(axis=(1, 2))
        of_tree, of_others = (EdgeLines.of_curves(curves[k], small.w[k]) for k in (is_chosen, is_other))
        return of_tree, of_others
    box = getattr(graph, "box", None) if coordinates is None else None
    if lines is not None:
        of_tree = EdgeLines.along(*lines, tree.w)
    else:
        ends = points[np.column_stack([tree.u, tree.v])]
        of_tree = EdgeLines.of_curves(ends, tree.w) if box is None else EdgeLines.across(ends, tree.w, box)
    if not graph_edges:
        return of_tree, None
    graph.check()
    whole = graph.compacted()
    of_graph = None if lines is None else line_points(whole, np.arange(whole.m))
    if of_graph is None:
        return of_tree, EdgeLines.of_curves(points[np.column_stack([whole.u, whole.v])], whole.w)
    return of_tree, EdgeLines.along(*of_graph, whole.w)


def _draw_others(ax: Axes, edges: EdgeLines) -> Any:
    """Draw edges that are not in the tree, and return their entry of the legend."""
    thin = 0.5 * style.line_width(edges.w.size, float(figure_of(ax).get_size_inches().min()))
    levels = np.zeros(len(edges.curves), np.int64)
    style.draw_lines(ax, edges.curves, levels, edgecolors=[FAINT], linewidths=[thin])
    return _line_handle(FAINT, 2.0, "not in the tree")


def _coloring(
    ax: Axes, tree: EdgeSet, by: str | None, rounds: Callable[[], NDArray[Any]], sizes: _Sizes
) -> _Coloring:
    """Choose the colors of the edges of a tree, and draw the scale of weights."""
    width = style.line_width(len(tree), float(figure_of(ax).get_size_inches().min()))
    if by == "round":
        return _by_round(rounds(), width)
    if by == "component":
        return _by_component(tree, width, sizes)
    if by == "weight":
        _add_color_bar(ax, tree.w)
        return _by_weight(tree.w, width)
    return _Coloring(np.zeros(len(tree), np.int64), [INK], [width], [])


def _draw_edges(ax: Axes, edges: EdgeLines, coloring: _Coloring) -> list[Any]:
    """Draw the edges of a tree in colors, and return the entries of the legend."""
    how: dict[str, Any] = {"edgecolors": coloring.colors, "linewidths": coloring.widths}
    style.draw_lines(ax, edges.curves, coloring.levels[edges.edge], **how)
    return [
        _line_handle("none", 0, text)
        if k is None
        else _line_handle(coloring.colors[k], coloring.widths[k], text)
        for text, k in coloring.legend
    ]


def _line_handle(color: Any, width: float, text: str) -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=color, linewidth=max(2.0, width), label=text)


def _by_round(rounds: NDArray[Any], width: float) -> _Coloring:
    levels = rounds.astype(np.int64) - 1
    counts = np.bincount(levels).tolist()
    widths = [width * (1 + GROWTH * level) for level in range(len(counts))]
    legend: list[tuple[str, int | None]] = [
        (f"round {level + 1}: {count:,} edge{'s' * (count != 1)}", level)
        for level, count in enumerate(counts)
    ]
    return _Coloring(levels, style.shades(len(counts)), widths, legend)


def _by_component(tree: EdgeSet, width: float, sizes: _Sizes) -> _Coloring:
    """Color edges by component; the legend has the largest, and counts what the areas of vertices count."""
    of_vertices = tree.labels[tree.vertices]
    counts = np.bincount(of_vertices, sizes.of_vertices[tree.vertices])
    by_size = np.argsort(-counts, kind="stable")
    level = np.empty(counts.size, np.int64)
    level[by_size] = style.component_levels(np.arange(counts.size))
    with_edges = by_size[np.bincount(of_vertices)[by_size] > 1]
    legend: list[tuple[str, int | None]] = [
        (sizes.counted(counts[component]), int(level[component])) for component in with_edges[:MAX_IN_LEGEND]
    ]
    if with_edges.size > MAX_IN_LEGEND:
        legend.append((f"and {with_edges.size - MAX_IN_LEGEND:,} smaller ones", None))
    return _Coloring(level[tree.labels[tree.u]], style.color_levels(), [width] * style.LEVELS, legend)


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


# Vertices


class _Sizes(NamedTuple):
    """Sizes of vertices: what their areas show, and legends count."""

    of_vertices: NDArray[np.float64]
    """(n,) array."""
    are_shown: bool
    """Whether areas show them."""
    unit: str
    """The noun for the things that sizes count; empty if the caller gave the sizes."""

    @classmethod
    def of(cls, tree: EdgeSet, sizes: Any) -> _Sizes:
        found = sizes_of_vertices(tree, sizes)
        are_profiles = sizes is None and bool((found != 1).any())
        unit = "" if sizes is not None else "profiles" if are_profiles else "vertices"
        return cls(found, sizes is not None or are_profiles, unit)

    def counted(self, total: float) -> str:
        """Return a sum of sizes for a legend."""
        return f"{total:,.6g} {self.unit}" if self.unit else f"size {total:,.6g}"

    def areas(self, ax: Axes, are_colored: bool) -> NDArray[np.float64]:
        """Return the area of the dot of each vertex in square points."""
        n, sizes = self.of_vertices.size, self.of_vertices
        if not self.are_shown:
            side = 4.0 if n <= MAX_LABELS else 2.0 if n <= 1_000 else 1.0
            return np.full(n, 2 * SMALLEST_AREA if are_colored else side**2)
        filled = FILLED * (POINTS_PER_INCH * figure_of(ax).get_size_inches().min()) ** 2
        return np.maximum(filled * sizes / max(sizes.sum(), 1e-300), SMALLEST_AREA)


def _mark(ax: Axes, points: NDArray[np.float64]) -> None:
    """Draw rings around vertices."""
    side = MARK if len(points) <= MAX_LABELS else MARK / 2
    ax.plot(*points.T, "o", color=INK, markersize=side, markerfacecolor="none", linestyle="none", zorder=3.2)


def _draw_colored(
    ax: Axes,
    rows: Rows,
    points: NDArray[np.float64],
    areas: NDArray[np.float64],
    sizes: _Sizes,
    values: NDArray[Any],
    title: str | None,
) -> list[Any]:
    """Color numbers by a scale, and other values by category; a vertex with several is a pie.

    Return the entries of the legend.
    """
    row = np.flatnonzero(np.isin(rows.vertex, rows.tree.vertices))
    vertex, values = rows.vertex[row], values[row]
    count = np.bincount(vertex, minlength=points.shape[0])
    amount = sizes.of_vertices[vertex] / count[vertex]
    how: dict[str, Any] = {"edgecolors": INK, "linewidths": 0.5, "zorder": 3}
    first = np.unique(vertex, return_index=True)[1]
    (x, y), area = points[vertex[first]].T, areas[vertex[first]]
    if values.dtype.kind in "iuf":
        dots = ax.scatter(x, y, area, values[first], cmap="viridis", plotnonfinite=False, **how)
        dots.set_clim(*_limits(values))
        style.add_color_bar(ax, dots, label=title or "")
        colors = np.empty(values.size, object)
        colors[:] = list(map(tuple, dots.to_rgba(values)))
        handles: list[Any] = []
    else:
        colors, entries = _categories(values, amount)
        ax.scatter(x, y, area, colors[first].tolist(), **how)
        dot: dict[str, Any] = {"edgecolors": INK, "linewidths": 0.5}
        handles = [ax.scatter([], [], 40, [color], label=style.short(text), **dot) for color, text in entries]
    _draw_pies(ax, points, areas, vertex, colors)
    return handles


def _limits(values: NDArray[Any]) -> tuple[float, float]:
    known = values[np.isfinite(values.astype(np.float64))]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)


def _categories(
    values: NDArray[Any], amount: NDArray[np.float64]
) -> tuple[NDArray[Any], list[tuple[str, str]]]:
    """Return the color of each row, and the legend: colors and texts, with the sums of the amounts."""
    texts = np.array([NO_VALUE if is_missing(value) else str(value) for value in values.tolist()], object)
    names, category = np.unique(texts, return_inverse=True)
    counts = np.bincount(category, amount)
    known = np.flatnonzero(names != NO_VALUE)
    frequent = known[np.argsort(-counts[known], kind="stable")][: len(style.PALETTE)]
    palette = np.full(names.size, FAINT, object)
    palette[frequent] = style.PALETTE[: frequent.size]
    entries = [(palette[k], f"{style.short(names[k])} ({counts[k]:,.6g})") for k in frequent.tolist()]
    rest = np.setdiff1d(known, frequent)
    if rest.size:
        entries.append((FAINT, f"{rest.size:,} others ({counts[rest].sum():,.6g})"))
    if known.size < names.size:
        entries.append((FAINT, f"{NO_VALUE} ({counts[names == NO_VALUE][0]:,.6g})"))
    return palette[category], entries


def _draw_pies(
    ax: Axes,
    points: NDArray[np.float64],
    areas: NDArray[np.float64],
    vertex: NDArray[np.int64],
    colors: NDArray[Any],
) -> None:
    """Draw the vertices whose rows have several colors as pies, in which each row has an equal part."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D

    order = np.argsort(vertex, kind="stable")
    wedges: list[tuple[Any, Any, int]] = []
    for own in np.split(order, np.flatnonzero(np.diff(vertex[order])) + 1):
        counts = Counter(colors[own].tolist())
        if len(counts) > 1:
            ends = 90 - 360 * np.cumsum([0, *counts.values()]) / own.size
            for color, high, low in zip(counts, ends[:-1].tolist(), ends[1:].tolist(), strict=True):
                wedge = Path.wedge(low, high).transformed(Affine2D().scale(0.5))
                wedges.append((wedge, color, int(vertex[own[0]])))
    if wedges:
        paths, fills, at = zip(*wedges, strict=True)
        pies = PathCollection(
            paths,
            areas[list(at)],
            facecolors=fills,
            edgecolors=INK,
            linewidths=0.3,
            offsets=points[list(at)],
            offset_transform=ax.transData,
            zorder=3.2,
        )
        pies.set_transform(Affine2D())
        ax.add_collection(pies, autolim=False)


# Labels


def _write_weights(written: Labels, edges: EdgeLines, is_few: bool) -> None:
    """Write weights on their edges: all where edges are few, else where they fit, at long edges first."""
    box = style.text_box(boxstyle="round,pad=0.1", alpha=0.8)
    none, font = np.zeros(2), LABEL if is_few else WEIGHT_LABEL
    for edge in np.argsort(-edges.lengths, kind="stable").tolist():
        places = [(place, none) for place in edges.samples(edge)]
        written.write(f"{edges.w[edge]:.4g}", places, font, is_few, bbox=box, zorder=2.5)


def _write_names(
    written: Labels,
    tree: EdgeSet,
    points: NDArray[np.float64],
    areas: NDArray[np.float64],
    texts: list[str] | None,
    directions: int,
) -> None:
    """Write texts, if there are some, at large dots and at vertices with many edges first."""
    if texts is None:
        return
    degree = np.bincount(np.concatenate([tree.u, tree.v]), minlength=tree.n)
    vertices = tree.vertices
    for k in np.lexsort([-degree[vertices], -areas[vertices]]).tolist():
        vertex = int(vertices[k])
        written.write_beside(texts[k], points[vertex], LABEL, float(np.sqrt(areas[vertex])) / 2, directions)
