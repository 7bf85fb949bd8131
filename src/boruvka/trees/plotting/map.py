"""A map of a tree: its edges between the coordinates of their ends, its vertices as dots, and labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown
from boruvka.graph.columns import name_of_column
from boruvka.graph.distances import shown_unit
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import ImplicitGraph
from boruvka.graph.names import name_hint
from boruvka.graph.no_values import is_missing
from boruvka.graph.points.validation import are_called
from boruvka.interop.geopandas import LinePoints, line_points, totals_text
from boruvka.runtime.arguments import argument, flag
from boruvka.trees.plotting import style
from boruvka.trees.plotting.coordinates import VertexCoordinates, place_vertices, with_points_nearby
from boruvka.trees.plotting.curves import (
    MAX_EDGES,
    MAX_VERTICES,
    EdgeLines,
    SmallGraph,
    edge_curves,
    small_graph,
)
from boruvka.trees.plotting.labels import Labels
from boruvka.trees.plotting.overlaps import MAX_DISCS, separated
from boruvka.trees.plotting.rows import Rows, chosen_vertices, root_of, sizes_of_vertices, texts_of_vertices
from boruvka.trees.plotting.style import FAINT, INK, POINTS_PER_INCH, counted, figure_of
from boruvka.trees.plotting.values import GREY, numbered_categories, shown_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, MIN_HEIGHT, MAX_HEIGHT = 10.0, 3.0, 10.0
"""Inches of a new figure, whose height fits the map."""
MAP = 0.8
"""Share of the width of a figure that the map fills, beside the legend."""
MAX_IN_LEGEND = 8
"""Maximum number of components in the legend, which has the largest, and of weights."""
WEIGHT_LEVELS, TICKS = 64, ("least", "quarter", "half", "three quarters", "greatest")
GROWTH = 0.25
"""Increase of the width of lines from one round to the next, in widths of the first round."""
WIDEST = 4
"""Width of the line of the greatest number of a column, such as a load, in widths of the number 0."""
MAX_LABELS, MAX_DOTS, MAX_RIMS = 60, 5_000, 2_000
"""Maximum number of vertices for labels, and for dots, unless the caller wants them; and for black rims of
colored dots."""
MAX_ALL_WEIGHTS = 30
"""Maximum number of edges of a picture with all weights, which may be on each other."""
FILLED = 0.06
"""Share of a picture that dots with sizes fill together."""
DASHED = (0, (2, 2))
"""Dashes of the edges of a network that are not in the first forest, in widths of lines."""
HEAD = 0.7
"""Place of the head of an arrow on its edge, from 0 to 1."""
DIGITS = 4
"""Digits of weights that are not integers, unless few edges need more to tell them apart."""
MAIN_NAMES = 10
"""Number of names that may be on the dots of other vertices."""
LABEL, WEIGHT_LABEL = 8.0, 6.0
"""Sizes of fonts in points."""
NO_VALUE = "no value"
MARGIN, WIDE_MARGIN = 0.02, 0.05
"""Margins around a map, and around one that has large dots, names, or other edges, as shares of its size."""
MARK, ROOT = 9.0, 13.0
"""Widths in points of the ring around a terminal, and of the square around the root among terminals."""
SMALLEST_AREA = 9.0
"""Area of a colored dot, in square points."""


class Coloring(NamedTuple):
    """The level of each edge, the color and width of each level, and the key."""

    levels: NDArray[np.int64]
    colors: list[Any]
    widths: list[float]
    legend: list[tuple[Any, float, str]]
    """The color, the width and the text of each entry."""
    has_scale: bool = False
    """Whether the first entries are the `TICKS` of a scale by quantiles."""


@dataclass(eq=False)
class Map:
    """A map of a tree.

    Parameters
    ----------
    tree : AcyclicEdges
        The tree.
    coordinates, by, system, graph_edges, sizes, colors, labels, weights, only, axes, given_axes
        As for `boruvka.trees.selected_edges.SelectedEdges.plot`.
    """

    tree: EdgeSet
    coordinates: Any
    by: str | None
    system: str | None
    graph_edges: bool
    sizes: Any
    colors: Any
    labels: Any
    weights: Any
    only: Any
    axes: bool
    given_axes: Axes | None

    def __post_init__(self) -> None:
        """Check the arguments, and find values and places of vertices."""
        mask = chosen_vertices(self.tree, self.only)
        self.weights, self.weight_name = weights_of_edges(self.tree, self.weights)
        if self.weight_name == "correlation" and self.by in (None, "weight"):
            self.by = "correlation"
        of_edges = edge_values(self.tree, self.by)
        if self.only is not None:
            self.tree = part = _Part(self.tree, mask)
            of_edges = of_edges[part.inside]
        tree, self.of_edges = self.tree, of_edges
        style.check_axes(self.given_axes)
        self.graph_edges = flag("graph_edges", self.graph_edges)
        self.lines = None if self.coordinates is not None else line_points(tree.graph, tree.edges)
        self.vertices = tree.vertices
        self.small = self._small_graph(mask) if self.graph_edges and self.lines is None else None
        ends = None if self.small is None else (self.small.u, self.small.v)
        placed = place_vertices(tree, self.coordinates, self.system, ends=ends)
        placed = placed._replace(points=np.where(mask[:, None], placed.points, np.nan))
        if self.small is not None:  # vertices outside of the tree are drawn, too
            self.vertices = np.flatnonzero(np.isfinite(placed.points).all(axis=1))
        self.is_few = self.vertices.size <= MAX_LABELS and self.lines is None
        self.amounts, self.rows = _Sizes.of(tree, self.sizes), Rows.of(tree)
        self.amounts = self.amounts._replace(of_vertices=self.amounts.of_vertices * mask)  # what is drawn
        if flag("axes", self.axes) and placed.is_layout:
            raise OptionError(f"{argument('axes', True)} is for vertices that have coordinates: leave it out")
        self.values = None if self.colors is None else self.rows.values("colors", self.colors)
        labels = self.is_few if self.labels is None else self.labels
        self.texts = texts_of_vertices(tree, labels, self.vertices)
        if self.given_axes is None:
            placed = placed.joined()
        elif style.is_map_projection(self.given_axes):
            if not placed.is_lonlat or self.lines is not None:
                raise OptionError(
                    f"{argument('ax')} has a map projection, which is for longitudes and latitudes: pass "
                    f"coordinates in degrees and {argument('system', 'lonlat')}, or other axes"
                )
            placed = placed.in_radians()
        self.positions, self.points = placed, placed.points
        self.curves = np.empty((0, 0, 2))
        if self.small is not None:
            clearance = 0.03 * max(float(np.ptp(self.positions.box, axis=0).max()), 1e-9)
            self.curves = edge_curves(self.points, self.small.u, self.small.v, clearance)
        self.dotted, self.marked, self.crossed = self.vertices, tree.marked, tree.crossed
        self.root = root_of(tree)
        self.crossed = self.crossed[np.isfinite(self.points[self.crossed]).all(axis=1)]
        if self.lines is not None:  # dots are for places alone; mark those of the tree if nothing else is
            of_sizes = self.amounts.of_vertices if self.amounts.are_shown else None
            self.dotted = self.rows.dotted([] if self.values is None else [self.values], of_sizes)
            self.marked = self.rows.marked_on_map()

    def _small_graph(self, mask: NDArray[np.bool_]) -> SmallGraph | None:
        """Return the edges of a small graph, also of a matrix; None if it is large."""
        graph, small = self.tree.graph, small_graph(self.tree, lists_edges=False)
        if small is None and isinstance(graph, ImplicitGraph):
            raise OptionError(
                f"{argument('graph_edges', True)} is for a graph that lists its edges, or one of up to "
                f"{MAX_VERTICES} vertices and {MAX_EDGES} edges, and this {graph.kind} has {graph.n:,} and "
                f"{graph.m:,}: leave it out"
            )
        if small is not None:
            small = SmallGraph(*(column[mask[small.u] & mask[small.v]] for column in small))
        return small

    def draw(self) -> Axes:
        """Draw the map, and return its axes."""
        self.ax = self._new_axes()
        self.areas = self.amounts.areas(self.ax, self.colors is not None)
        has_large_dots = self.amounts.are_shown and self.small is None and self.positions.is_layout
        is_apart = has_large_dots and self.vertices.size <= MAX_DISCS
        if is_apart:
            scale = self._move_dots_apart()
        edges, others = self._edge_lines()
        of_others = []
        if others is not None and np.isfinite(others.curves).all(axis=(1, 2)).any():
            of_others = [_draw_others(self.ax, others)]
            if self.tree.is_directed and self.small is not None:
                self._draw_arrows(others.curves, FAINT)
        if self.crossed.size:
            points, view = self.points[self.crossed], self.ax.viewLim
            outside = np.count_nonzero(((points < view.min) | (points > view.max)).any(axis=1))
            count = f"{self.crossed.size:,}{f', {outside:,} outside' * bool(outside)}"
            of_others += _mark(self.ax, points, marker="x", label=f"{self.tree.crossed_text} ({count})")
        if self.root.size:
            _mark(self.ax, self.points[self.root], marker="s", markersize=ROOT, markeredgewidth=2)
        of_edges = self._draw_edges(edges) + of_others
        drawn = len(self.ax.collections)
        style.add_legends(self.ax, [(None, of_edges), self._draw_vertices()], self.given_axes is None)
        if is_apart:  # legends and a larger view shrink the map, but not the dots
            figure_of(self.ax).draw_without_rendering()
            shrunk = min(self.ax.bbox.width / self.ax.viewLim.width / scale, 1.0) ** 2
            self.areas = self.areas * shrunk
            for dots in list[Any](self.ax.collections[drawn:]):
                dots.set_sizes(dots.get_sizes() * shrunk)
        self._write_labels(edges, others)
        return self.ax

    def _move_dots_apart(self) -> float:
        """Change the places of a layout so that no dot covers another, and show all; return the old scale."""
        self.ax.apply_aspect()
        to_inches = self.ax.transData + figure_of(self.ax).dpi_scale_trans.inverted()
        radii = np.sqrt(self.areas[self.vertices]) / 2
        found = separated(72 * to_inches.transform(self.points[self.vertices]), radii)
        self.points = self.points.copy()
        self.points[self.vertices] = to_inches.inverted().transform(found / 72)
        scale, rims = float(self.ax.bbox.width / self.ax.viewLim.width), 1.05 * radii[:, None] + 1
        corners = to_inches.inverted().transform(np.concatenate([found - rims, found + rims]) / 72)
        self.ax.viewLim.update_from_data_xy(corners, ignore=False)
        return scale

    def _new_axes(self) -> Axes:
        """Make axes, unless some are given, and show in them what is drawn."""
        has_dots = self.amounts.are_shown or self.values is not None or self.texts is not None
        shown = self.points
        if self.lines is not None:
            drawn = np.concatenate([self.tree.u, self.tree.v, self.marked]).astype(np.int64)
            others = np.concatenate([self.crossed, *[self.dotted] * has_dots]).astype(np.int64)
            shown = with_points_nearby(np.concatenate([shown[drawn], self.lines[0]]), shown[others])
        elif self.small is None:
            shown = shown[np.append(self.vertices, self.crossed)]
        shown = np.concatenate([shown, self.curves.reshape(-1, 2)])  # loops are outside of the vertices
        framed = self.positions._replace(points=shown)
        margin = WIDE_MARGIN * _extent(framed) if has_dots or self.graph_edges else None
        ax = style.new_axes(*figure_size(framed, margin=margin or 0), self.given_axes)
        if self.amounts.are_shown and self.lines is None and margin:  # dots of any size fit into the frame
            inches = np.array(ax.get_window_extent().size) / figure_of(ax).dpi
            radius = float(np.sqrt(self.amounts.areas(ax, True).max(initial=0))) / 2 / POINTS_PER_INCH
            lengths = np.ptp(framed.box, axis=0) / np.maximum(inches - 2 * radius, radius)
            margin = max(margin, 1.05 * radius * float(lengths.max()))
        if framed.is_sky:
            ax.xaxis.set_major_formatter(lambda x, _: f"{-360 * x / framed.periods[0] % 360:g}°")
        if not style.is_map_projection(ax):
            if framed.is_sky:
                turn = 360 / framed.periods[0]
                ax.yaxis.set_major_formatter(lambda y, _: f"{turn * y:g}°" if abs(turn * y) <= 90 else "")
            frame_axes(ax, framed, margin)
            if self.axes:
                ax.set_axis_on()
                ax.set_anchor("W")  # where a legend is beside it, the layout would cut its label off
                unit = " (degrees)" * (framed.is_lonlat and not are_called("deg", framed.axes))
                ax.set(xlabel=framed.axes[0] + unit, ylabel=framed.axes[1] + unit)
        if self.given_axes is None:
            note = framed.note if self.lines is None else totals_text(self.tree)
            ax.set_title(", ".join(filter(None, (note, "root in a square" * self.root.size))), fontsize=LABEL)
        return ax

    def _edge_lines(self) -> tuple[EdgeLines, EdgeLines | None]:
        """Return the lines of the edges of the tree, and those that are drawn in grey beneath them."""
        if self.small is not None:
            edges, curves, w = self.small.edges, self.curves, self.small.w
            is_chosen = np.isin(edges, self.tree.edges)
            if np.isfinite(self.positions.periods).any():
                parts = [[x[chosen] for x in self.small[1:]] for chosen in (is_chosen, ~is_chosen)]
                return self._straight(*parts[0]), self._straight(*parts[1])
            is_other = ~is_chosen & np.isfinite(curves).all(axis=(1, 2))
            both = [EdgeLines(curves[k], np.arange(k.sum()), w[k]) for k in (is_chosen, is_other)]
            return both[0], both[1]
        tree, graph = self.tree, self.tree.graph
        of_tree = self._lines_of(tree, self.lines)
        if not self.graph_edges:
            return of_tree, None
        graph.check()
        whole = graph.compacted()
        of_graph = None if self.lines is None else line_points(whole, np.arange(whole.m))
        return of_tree, self._lines_of(whole, of_graph)

    def _lines_of(self, edges: Any, lines: LinePoints | None) -> EdgeLines:
        """Return the lines of edges: along their points on a map, or else straight."""
        if lines is None:
            return self._straight(edges.u, edges.v, edges.w)
        return EdgeLines.along(*lines, edges.w)

    def _straight(self, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> EdgeLines:
        return EdgeLines.across(self.points[np.column_stack([u, v])], w, self.positions.periods)

    def _draw_edges(self, edges: EdgeLines) -> list[Any]:
        """Draw the edges of the tree in colors, and return the entries of the legend."""
        coloring = self._coloring()
        k, legend = len(coloring.widths), [_line_handle(*entry) for entry in coloring.legend]
        how: dict[str, Any] = {"edgecolors": 2 * list(coloring.colors), "linewidths": 2 * coloring.widths}
        how["linestyles"] = [*["solid"] * k, *[DASHED] * k]
        alternatives = getattr(self.tree, "alternatives", np.zeros(len(self.tree), bool))
        style.draw_lines(self.ax, edges.curves, (coloring.levels + k * alternatives)[edges.edge], **how)
        if self.tree.is_directed and self.lines is None:
            self._draw_arrows(edges.curves, [coloring.colors[k] for k in coloring.levels[edges.edge]])
        if count := np.count_nonzero(alternatives):
            legend.append(_line_handle(INK, coloring.widths[0], f"alternatives ({count:,})", DASHED))
        return legend

    def _coloring(self) -> Coloring:
        """Color edges, by default by weight, unless vertices have colors or all weights are equal."""
        tree, by = self.tree, self.by
        width = style.line_width(len(tree), float(figure_of(self.ax).get_size_inches().min()))
        has_weights = tree.is_by_weight and len(tree) > 0 and bool((tree.w != tree.w[0]).any())
        if by is None and self.colors is None and has_weights:
            by = "weight"
        if by == "round":
            return _by_round(self.of_edges, width)
        if by == "component":
            return _by_component(tree, width, self.amounts)
        if by is None:
            return Coloring(np.zeros(len(tree), np.int64), [INK], [width], [])
        found, about = coloring_by_column(tree, by, self.of_edges, width), tree.graph.annotations
        name, unit = (about.weight_name, shown_unit(about.pairs)[0]) if by == "weight" else (by, "")
        if found.has_scale:
            texts = [text.removeprefix(f"{name} ") for *_, text in found.legend[: len(TICKS)]]
            title = f"{style.short(name)}{unit and f' in {unit}'} (by quantile)"
            self._draw_scale(title, texts, is_beneath=self.colors is not None)
            return found._replace(legend=found.legend[len(TICKS) :])
        are_written = by in ("weight", self.weight_name) and self.weights and self.is_few
        return found._replace(legend=[]) if are_written else found

    def _draw_arrows(self, curves: NDArray[np.float64], colors: Any) -> None:
        """Draw the head of an arrow on each curve, nearer to its end than the weight."""
        place = HEAD * (curves.shape[1] - 1)
        start, step = curves[:, int(place)], np.diff(curves, axis=1)[:, int(place)]
        at, unit = start + place % 1 * step, step / np.maximum(np.hypot(*step.T), 1e-300)[:, None]
        size: dict[str, Any] = {"units": "inches", "scale": 8, "width": 0.025, "headlength": 5}
        self.ax.quiver(*at.T, *unit.T, color=colors, angles="xy", pivot="mid", zorder=2.2, **size)

    def _draw_scale(self, title: str, texts: list[str], is_beneath: bool) -> None:
        """Draw a scale by quantiles; it is beneath the map where the key of vertices is beside it."""
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import ListedColormap, Normalize

        colored = ScalarMappable(Normalize(0, 1), ListedColormap(style.shades(WEIGHT_LEVELS)))
        if is_beneath and self.given_axes is None:
            figure_of(self.ax).set_figheight(figure_of(self.ax).get_figheight() + 1)  # an inch for the scale
        bar = style.add_color_bar(self.ax, colored, is_beneath, ticks=np.linspace(0, 1, len(TICKS)))
        is_level = bar.orientation == "horizontal"
        bar.set_ticklabels([text.replace(" ", "\n", 1) if is_level else text for text in texts])
        # Above the text of the upper tick. A title of the axes could be cut off.
        bar.ax.annotate(title, (0, 1), (0, 9), "axes fraction", "offset points", fontsize="medium")

    def _draw_vertices(self) -> tuple[str | None, list[Any]]:
        """Draw the vertices, and return the title and the entries of their legend."""
        places = self.points[self.dotted]
        title, handles = None, list[Any]()
        if self.values is not None:  # rings are where a color would be, as of a plant among buildings
            has_value = ~np.fromiter(map(is_missing, self.values.tolist()), bool, self.values.size)
            hollow = np.setdiff1d(self.marked, self.rows.vertex[has_value])
            self.dotted = np.setdiff1d(self.dotted, hollow)
            title, handles = self._draw_colored(self.values)
            if hollow.size:
                text = f"terminal or root, {NO_VALUE} ({hollow.size:,})"
                handles += _mark(self.ax, self.points[hollow], label=text)
            if self.lines is None and self.marked.size:  # around the dots
                rings = np.setdiff1d(self.marked, hollow)
                (x, y), areas = self.points[rings].T, (np.sqrt(self.areas[rings]) + 5) ** 2
                self.ax.scatter(x, y, areas, "none", edgecolors=INK, zorder=3.2)
        elif self.amounts.are_shown:
            x, y = places.T
            self.ax.scatter(x, y, self.areas[self.dotted], INK, linewidths=0, zorder=3)
        elif self.lines is None and len(places) <= (MAX_LABELS if self.positions.is_lonlat else MAX_DOTS):
            style.draw_dots(self.ax, places, float(np.sqrt(self.areas.max(initial=0))))
        if self.marked.size and self.values is None:
            _mark(self.ax, self.points[self.marked])
        return title, handles

    def _draw_colored(self, values: NDArray[Any]) -> tuple[str | None, list[Any]]:
        """Color numbers and dates by a scale, other values by category; a vertex with several is a pie.

        Return the title and the entries of the legend.
        """
        vertex = self.rows.vertex
        amount = self.amounts.of_vertices[vertex] / np.bincount(vertex)[vertex]
        row = np.isin(vertex, self.dotted)
        vertex = vertex[row]
        title = name_of_column(self.colors)
        first = np.unique(vertex, return_index=True)[1]
        (x, y), area = self.points[vertex[first]].T, self.areas[vertex[first]]
        how: dict[str, Any] = {"edgecolors": INK, "linewidths": 0.5 if first.size <= MAX_RIMS else 0}
        dots = self.ax.scatter(x, y, area, zorder=3, **how)
        kind, values = shown_values(values, title)
        if kind != "category":
            values = values[row]
            colors = color_numbers(dots, numbers_of(values), first)
            style.add_color_bar(self.ax, dots, label=title or "", **ticks_of(values))
            title = None  # the scale has it
            entries = _no_value_entry(amount[row][~np.isfinite(values)])
        else:
            colors, entries = color_categories(values, amount, row, self.colors)
            colors = colors[row]
            dots.set_facecolor(colors[first].tolist())
            if of_sizes := name_of_column(self.sizes):  # amounts in the legend are their sums
                title = f"{title or 'color'} (sum of {of_sizes})"
        handles = [
            self.ax.scatter([], [], 40, [color], label=style.short(text), **how) for color, text in entries
        ]
        self._draw_pies(vertex, colors)
        return title, handles

    def _draw_pies(self, vertex: NDArray[np.int64], colors: NDArray[Any]) -> None:
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
            how: dict[str, Any] = {"facecolors": fills, "edgecolors": INK, "linewidths": 0.3, "zorder": 3.2}
            how |= {"offsets": self.points[list(at)], "offset_transform": self.ax.transData}
            pies = PathCollection(paths, self.areas[list(at)], **how)
            pies.set_transform(Affine2D())
            self.ax.add_collection(pies, autolim=False)

    def _write_labels(self, edges: EdgeLines, others: EdgeLines | None) -> None:
        """Write names, then weights where they fit; weights that are all needed come first."""
        if self.texts is None and not self.weights:
            return
        written = Labels(self.ax, in_layout=self.given_axes is not None)
        drawn = [edges] if others is None or not self.is_few else [edges, others]
        for each in drawn if self.is_few else ():
            written.avoid(each.curves)
        for k in (self.vertices if self.is_few else self.dotted).tolist():
            if self.is_few:
                written.avoid(self.points[[k, k]][None], self._radius(k))
            written.cover(k, self.points[k], self._radius(k))
        are_needed = self.is_few and sum(each.w.size for each in drawn) <= MAX_ALL_WEIGHTS
        if not are_needed:
            self._write_names(written)
        if self.weights:
            self._write_weights(written, drawn, are_needed)
        if are_needed:
            self._write_names(written)

    def _write_weights(self, written: Labels, drawn: list[EdgeLines], are_needed: bool) -> None:
        """Write weights on their edges: all that are needed, else where they fit, and a line counts others.

        Edges that come first in the tree, light ones, are first; on maps, where streets are dense, long ones.
        """
        w = np.concatenate([each.w for each in drawn]) * shown_unit(self.tree.graph.annotations.pairs)[1]
        are_exact = are_needed or w.dtype.kind in "iu"
        texts = style.weight_texts(w, DIGITS) if are_exact else [f"{x:.{DIGITS}g}" for x in w.tolist()]
        if (correlations := self.tree.graph.annotations.correlations_of(w).get(self.weight_name)) is not None:
            texts = [f"{x:.2f}" for x in correlations]
        sign = -1 if getattr(self.tree, "maximum", False) else 1
        how: dict[str, Any] = {"bbox": style.text_box(boxstyle="round,pad=0.1", alpha=0.8), "zorder": 2.5}
        font, none, count, rest = LABEL if are_needed else WEIGHT_LABEL, np.zeros(2), 0, iter(texts)
        for each in drawn:
            own = list(islice(rest, each.w.size))
            first = sign * each.w.astype(np.float64) if self.positions.is_layout else np.zeros(each.w.size)
            for edge in np.lexsort([-each.lengths, first]).tolist():
                places = [(place, none) for place in each.samples(edge)]
                count += written.write(own[edge], places, font, are_needed, are_needed, **how)
        written.note_missing(w.size - count, w.size, "weights", WEIGHT_LABEL)

    def _write_names(self, written: Labels) -> None:
        """Write texts, if there are some, at the largest dots and the vertices with the most edges first."""
        if self.texts is None:
            return
        degree, area = -self.tree.degrees[self.vertices], -self.areas[self.vertices]
        ranks = [np.unique(x, return_inverse=True)[1] for x in (degree, area)]
        order = np.lexsort([degree, area, np.minimum(*ranks)]).tolist()
        named, count = [k for k in order if self.texts[k]], 0
        for place, k in enumerate(named):
            vertex, is_main = int(self.vertices[k]), not self.is_few and place < MAIN_NAMES
            where = self.points[vertex], LABEL, self._radius(vertex)
            count += written.write_beside(self.texts[k], *where, of_dot=vertex, may_be_on_dots=is_main)
        written.note_missing(len(named) - count, len(named), "names", WEIGHT_LABEL)

    def _radius(self, vertex: int) -> float:
        """Return the radius of the dot of a vertex in points."""
        return float(np.sqrt(self.areas[vertex])) / 2


class _Part(EdgeSet):
    """A tree as if it had only the vertices of a mask, and the edges between them."""

    vertices = marked = crossed = np.empty(0, np.int64)
    """In place of properties; each part has its own."""
    inside: NDArray[np.bool_]
    """Which edges of the tree these are."""

    def __init__(self, tree: EdgeSet, mask: NDArray[np.bool_]):
        inside = mask[tree.u] & mask[tree.v]
        super().__init__(tree.graph, tree.edges[inside])
        alternatives = getattr(tree, "alternatives", np.zeros(len(tree), bool))[inside]
        known = {"alternatives": alternatives, "maximum": getattr(tree, "maximum", False)}
        known |= {"is_directed": tree.is_directed, "root": getattr(tree, "root", None)}
        of_tree = {name: getattr(tree, name) for name in ("vertices", "marked", "crossed")}
        known |= {name: vertices[mask[vertices]] for name, vertices in of_tree.items()}
        vars(self).update(known, inside=inside, crossed_text=tree.crossed_text)


def weights_of_edges(tree: EdgeSet, weights: Any) -> tuple[bool, str]:
    """Return whether edges have texts in a picture or page, and the name of these numbers."""
    about = tree.graph.annotations
    if not (isinstance(weights, str) and weights == "correlation"):
        return flag("weights", weights, "correlation"), about.weight_name
    if not about.are_correlations:
        raise OptionError(f"{argument('weights', 'correlation')} is for distances made of correlations")
    return True, weights


def figure_size(positions: VertexCoordinates, share: float = MAP, margin: float = 0) -> tuple[float, float]:
    """Return the width and the height in inches of a figure; a map fills a share of the width."""
    wide, high = np.ptp(positions.box, axis=0) + 2 * margin
    height = share * WIDTH * positions.aspect * high / max(wide, 1e-9)
    return WIDTH, float(np.clip(height, MIN_HEIGHT, MAX_HEIGHT))


def frame_axes(ax: Axes, positions: VertexCoordinates, margin: float | None = None) -> None:
    """Show all vertices and a margin around them, with equal lengths in all directions, and no axes."""
    low, high = positions.box
    margin = MARGIN * _extent(positions) if margin is None else margin
    ax.set_axis_off()
    ax.set_aspect(positions.aspect)
    ax.set(xlim=(low[0] - margin, high[0] + margin), ylim=(low[1] - margin, high[1] + margin))


def _extent(positions: VertexCoordinates) -> float:
    """Return the width or height of a map, or a small length where it has one point."""
    box = positions.box
    return max(float(np.ptp(box, axis=0).max()), 1e-6 * float(np.abs(box).max()), 1e-9)


# Edges


def _draw_others(ax: Axes, edges: EdgeLines) -> Any:
    """Draw edges that are not in the tree, and return their entry of the legend."""
    thin = 0.5 * style.line_width(edges.w.size, float(figure_of(ax).get_size_inches().min()))
    levels = np.zeros(len(edges.curves), np.int64)
    style.draw_lines(ax, edges.curves, levels, edgecolors=[FAINT], linewidths=[thin])
    return _line_handle(FAINT, 2.0, "not in the tree")


def _line_handle(color: Any, width: float, text: str, style: Any = "solid") -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=color, linewidth=max(2.0, width), label=text, linestyle=style)


def _by_round(rounds: NDArray[Any], width: float) -> Coloring:
    levels = rounds.astype(np.int64) - 1
    counts = np.bincount(levels).tolist()
    widths = [width * (1 + GROWTH * level) for level in range(len(counts))]
    colors = style.shades(len(counts))
    texts = (f"round {number}: {counted(count, 'edge')}" for number, count in enumerate(counts, 1))
    return Coloring(levels, colors, widths, list(zip(colors, widths, texts, strict=True)))


def _by_component(tree: EdgeSet, width: float, sizes: _Sizes) -> Coloring:
    """Color edges by component; the legend has the largest, and counts what the areas of vertices count."""
    of_vertices = tree.labels[tree.vertices]
    counts = np.bincount(of_vertices, sizes.of_vertices[tree.vertices])
    by_size = np.argsort(-counts, kind="stable")
    level = np.empty(counts.size, np.int64)
    level[by_size] = style.component_levels(np.arange(counts.size))
    with_edges = by_size[np.bincount(of_vertices)[by_size] > 1]
    if with_edges.size <= MAX_IN_LEGEND:  # a few have colors that are as far apart as possible
        level[with_edges] = np.linspace(0, style.LEVELS - 1, with_edges.size).astype(np.int64)
    colors = style.color_levels()
    largest = with_edges[:MAX_IN_LEGEND].tolist()
    legend: list[Any] = [(colors[level[k]], width, sizes.counted(counts[k])) for k in largest]
    if with_edges.size > MAX_IN_LEGEND:
        legend.append(("none", 0, f"and {with_edges.size - MAX_IN_LEGEND:,} smaller ones"))
    return Coloring(level[tree.labels[tree.u]], colors, [width] * style.LEVELS, legend)


def edge_values(tree: Any, by: Any) -> Any:
    """Return weights, rounds, or a column of `to_pandas` or of the table that the graph was made from.

    Raises
    ------
    OptionError
        There is no such column, or edges of a network have no rounds.
    """
    name = by if by is None or isinstance(by, str) else shown(by)
    if name in (None, "weight"):
        return tree.w
    if name == "component":
        return tree.labels[tree.u]
    if name == "round":
        if not hasattr(tree, "edge_rounds"):
            raise OptionError(f"{argument('by', 'round')} is for trees")
        return tree.edge_rounds
    if name in (correlations := tree.graph.annotations.correlations_of(tree.w)):
        return correlations[name]
    try:
        table = tree.to_pandas()
        return table[name] if name in table else tree.to_pandas([name])[name]
    except OptionError as error:
        words = "round, component, weight or a column, such as load of a Steiner tree with a root"
        problem, *near = str(error).partition("; is it ")
        hint = name_hint(dict.fromkeys(table, 0), name) or "".join(near)
        hint = f"; name {argument('root')} of the tree" if name == "load" else hint
        raise OptionError(f"{argument('by')} must be {words}; got {shown(by)}: {problem}{hint}") from None


def coloring_by_column(tree: EdgeSet, name: str, column: Any, width: float) -> Coloring:
    """Color edges by weights, or by a column: numbers by width too; edges without a value are grey."""
    about = tree.graph.annotations
    if name == "weight":
        unit, factor = shown_unit(about.pairs)
        return _by_numbers(about.weight_name, column * factor, width, unit)
    kind, values = shown_values(np.asarray(column), name)
    if kind != "number":
        colors, entries = color_categories(values, np.ones(values.size), column=column)
        palette, levels = np.unique(colors, return_inverse=True)
        legend = [(color, width, f"{name} {text}") for color, text in entries]
        return Coloring(levels, palette.tolist(), [width] * palette.size, legend)
    is_known = np.isfinite(values)
    found = _by_numbers(name, values[is_known], width)
    if is_known.all():
        return found
    levels = np.zeros(values.size, np.int64)
    levels[is_known] = found.levels + 1
    legend = [*found.legend, (FAINT, width, f"{NO_VALUE} ({np.count_nonzero(~is_known):,})")]
    return Coloring(levels, [FAINT, *found.colors], [width, *found.widths], legend, found.has_scale)


def _by_numbers(name: str, w: NDArray[Any], width: float, unit: str | None = None) -> Coloring:
    """Give each of a few numbers a color and an entry of the key.

    Weights have a unit, which may be empty, and lines of one width. More numbers are divided into levels of
    equal size, so that every distribution of numbers uses all colors.
    """
    numbers, rank, counts = np.unique(w, return_inverse=True, return_counts=True)
    texts = list(map(_text_of, numbers[: MAX_IN_LEGEND + 1].tolist()))
    if are_many := len(texts) > MAX_IN_LEGEND or len({*texts}) < len(texts):
        numbers = _weight_quantiles(w, WEIGHT_LEVELS)[1:]
        rank = np.searchsorted(numbers[:-1], w.astype(np.float64), side="left")
        quantiles = map(_text_of, _weight_quantiles(w, len(TICKS) - 1).tolist())
        texts = [f"{name} {text} {tick}" for text, tick in zip(quantiles, TICKS, strict=True)]
    else:
        amounts, in_unit = zip(texts, counts.tolist(), strict=True), f" {unit}" * bool(unit)
        texts = [f"{name} {text}{in_unit}: {counted(count, 'edge')}" for text, count in amounts]
    colors, widths = style.shades(numbers.size), [width] * numbers.size
    if unit is None:
        shares = np.maximum(numbers / max(numbers.max(initial=0), 1e-300), 0)
        widths = (width * (1 + (WIDEST - 1) * shares)).tolist()
    legend = [(color, width, text) for color, text in zip(style.shades(len(texts)), texts, strict=True)]
    # edges of small numbers are often short: they are drawn last, on top
    return Coloring(numbers.size - 1 - rank, colors[::-1], widths[::-1], legend, are_many)


def _weight_quantiles(w: NDArray[Any], parts: int) -> NDArray[np.float64]:
    """Return weights that divide the edges into parts of equal size; equal weights are in one part."""
    return np.quantile(w.astype(np.float64), np.linspace(0, 1, parts + 1), method="lower")


def _text_of(weight: float) -> str:
    return f"{weight:,.{4 if abs(weight) < 1000 else 6}g}"


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
        return f"{_amount_text(total)} {self.unit}" if self.unit else f"size {_amount_text(total)}"

    def areas(self, ax: Axes, are_colored: bool) -> NDArray[np.float64]:
        """Return the area of the dot of each vertex in square points."""
        n, sizes = self.of_vertices.size, self.of_vertices
        if not self.are_shown:
            drawn = np.count_nonzero(sizes)
            side = 4.0 if drawn <= MAX_LABELS else 2.0 if drawn <= 1_000 else 1.0
            return np.full(n, max(2 * SMALLEST_AREA, 4 * side**2) if are_colored else side**2)
        filled = FILLED * (POINTS_PER_INCH * figure_of(ax).get_size_inches().min()) ** 2
        return np.maximum(filled * sizes / max(sizes.sum(), 1e-300), SMALLEST_AREA)


def _mark(ax: Axes, points: NDArray[np.float64], **how: Any) -> list[Any]:
    """Draw marks at vertices, by default rings."""
    side = MARK * max(min(1.0, (MAX_LABELS / max(len(points), 1)) ** 0.5), 1 / 3)  # many would hide the lines
    ring: dict[str, Any] = {"marker": "o", "markerfacecolor": "none", "linestyle": "none", "zorder": 3.2}
    return ax.plot(*points.T, color=INK, **{"markersize": side, "markeredgewidth": side / MARK} | ring | how)


def color_numbers(dots: Any, values: NDArray[Any], first: NDArray[np.int64]) -> NDArray[Any]:
    """Color dots, each with its first row, by a scale, and return the color of each row."""
    from matplotlib import colormaps

    known = values[np.isfinite(values)]
    values = np.where(np.isfinite(values), values, np.nan)
    dots.set_cmap(colormaps["viridis"].with_extremes(bad=FAINT))
    dots.set_array(values[first])
    dots.set_clim(*((known.min(), known.max()) if known.size else (0, 1)))
    colors = np.empty(values.size, object)
    colors[:] = list(map(tuple, dots.to_rgba(values)))
    return colors


def numbers_of(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers; those of dates are days, as matplotlib counts them."""
    if values.dtype.kind != "M":
        return values
    from matplotlib.dates import date2num

    return np.where(np.isnat(values), np.nan, date2num(values))


def ticks_of(values: NDArray[Any]) -> dict[str, Any]:
    """Return the ticks of a scale: dates, or whole numbers, such as years, if all values are."""
    if values.dtype.kind == "M":
        from matplotlib.dates import AutoDateFormatter, AutoDateLocator

        ticks = AutoDateLocator(minticks=3, maxticks=7)
        return {"ticks": ticks, "format": AutoDateFormatter(ticks)}
    from matplotlib.ticker import MaxNLocator

    known = values[np.isfinite(values)]
    return {"ticks": MaxNLocator(7, steps=(1, 2, 5, 10), integer=bool((known == np.round(known)).all()))}


def color_categories(
    values: NDArray[Any], amount: NDArray[np.float64], is_drawn: Any = slice(None), column: Any = None
) -> tuple[NDArray[Any], list[tuple[str, str]]]:
    """Return the color of each row, and the legend: colors and texts, with the sums of the amounts.

    Values that all are hexadecimal colors are their own colors. The legend is of the rows that are drawn; all
    rows decide the colors, so that pictures of several trees of a graph have the same. ``column`` is what the
    values were read from.
    """
    texts = np.array([NO_VALUE if is_missing(value) else str(value) for value in values.tolist()], object)
    names, category, totals = numbered_categories(texts, amount, column)
    counts = np.bincount(category[is_drawn], amount[is_drawn], names.size)
    is_shown = np.bincount(category[is_drawn], minlength=names.size) > 0
    in_none = np.isin(names, [*GREY])
    known = np.flatnonzero((names != NO_VALUE) & ~in_none)
    most = len(style.PALETTE) - (known.size > len(style.PALETTE))  # others are at least two
    frequent = known[np.argsort(-totals[known], kind="stable")][:most]
    greys = {**GREY, NO_VALUE: FAINT}
    palette = np.array([greys.get(name, style.OTHERS) for name in names.tolist()], object)
    first = len(style.PALETTE) // 2  # colors that differ most, for the most frequent ones
    order = np.concatenate([np.sort(frequent[:first]), np.sort(frequent[first:])])
    own = names[order]
    are_colors = all(map(style.HEX_COLOR.fullmatch, own.tolist()))
    palette[order] = own if are_colors else style.PALETTE[: own.size]  # the same in all pictures
    shown = np.append(frequent, np.flatnonzero(in_none))
    shown = shown[np.argsort(-counts[shown], kind="stable")]
    shown = shown[is_shown[shown]]
    entries = [(palette[k], _with_amount(style.short(names[k]), counts[k])) for k in shown.tolist()]
    rest = np.setdiff1d(known[is_shown[known]], frequent)
    if rest.size:
        entries.append((style.OTHERS, _with_amount(counted(rest.size, "other"), counts[rest].sum())))
    has_none = texts[is_drawn] == NO_VALUE
    return palette[category], entries + _no_value_entry(amount[is_drawn][has_none])


def _no_value_entry(amount: NDArray[np.float64]) -> list[tuple[str, str]]:
    """Return the entry of the legend for rows without a value, of these amounts, if there are some."""
    return [(FAINT, _with_amount(NO_VALUE, amount.sum()))] if amount.size else []


def _with_amount(text: str, amount: float) -> str:
    """Return a text of a legend with its amount, which is 0 where all of its sizes are missing."""
    return f"{text} ({_amount_text(amount)})" if amount else text


def _amount_text(amount: float) -> str:
    return f"{amount:,.6g}" if amount < 1e5 else f"{amount:,.0f}"  # 722,782,000,000, not 7.22782e+11
