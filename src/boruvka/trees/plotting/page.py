"""A page of HTML that shows a tree: one file, in which the reader moves, searches and chooses colors."""

from __future__ import annotations

import base64
import hashlib
import html
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown
from boruvka.graph.distances import shown_unit
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.labels import TEXTS_OF_FILE
from boruvka.interop.geopandas import LinePoints, lengths_of_edges, line_points, to_geopandas, totals_text
from boruvka.runtime.arguments import argument, did_you_mean
from boruvka.runtime.output_files import writing
from boruvka.trees.plotting.coordinates import VertexCoordinates, place_vertices, with_points_nearby
from boruvka.trees.plotting.curves import EdgeLines
from boruvka.trees.plotting.map import (
    FILLED,
    MAX_LABELS,
    Coloring,
    coloring_by_column,
    edge_values,
    weights_of_edges,
)
from boruvka.trees.plotting.overlaps import separated
from boruvka.trees.plotting.rows import Rows, root_of, sizes_of_vertices, texts_of_vertices
from boruvka.trees.plotting.style import OTHERS, PALETTE, SCALE
from boruvka.trees.plotting.template import as_script, filled, template
from boruvka.trees.plotting.values import GREY, numbered_categories, scale_or_texts, shown_values

WIDTH = 1_000_000
"""Width of a drawing: its coordinates are integers."""
RADIUS_ON_MAPS = 4
"""Maximum radius of dots on a map without sizes, in pixels."""
AROUND = 0.1
"""Width of the area around a map whose other streets are drawn, as a share of its size."""
WINDOW, MAX_SEPARATED = np.array([1000, 700]), 500
"""Size of a usual window in pixels, and maximum number of vertices whose dots are moved apart in it."""
RADIUS = 9
"""Maximum radius of dots of equal sizes in other drawings."""
Column = tuple[NDArray[Any], Any]
"""The values of rows, and what they were read from, which may be a categorical column."""


def write_page(
    tree: Any,
    output: Any,
    coordinates: Any,
    system: str | None,
    sizes: Any,
    colors: Any,
    labels: Any,
    metadata: Any,
    at_edges: Any,
    by: str | None,
) -> None:
    """Write a page as `boruvka.trees.selected_edges.SelectedEdges.to_html` describes it.

    Parameters
    ----------
    tree : SelectedEdges
        The edges.
    output, coordinates, system, sizes, colors, labels, metadata, at_edges, by
        As for `SelectedEdges.to_html`, where ``at_edges`` is called ``weights``.
    """
    shows_weights, edge_name = weights_of_edges(tree, at_edges)
    positions = place_vertices(tree, coordinates, system).joined()
    lines = None if coordinates is not None else line_points(tree.graph, tree.edges)
    crossed = tree.crossed[np.isfinite(positions.points[tree.crossed]).all(axis=1)]
    rows, vertices = Rows.of(tree), np.union1d(tree.vertices, crossed)
    columns, color = _columns(rows, colors, metadata)
    are_texts = getattr(metadata, "attrs", None) == TEXTS_OF_FILE
    of_sizes, dotted = sizes_of_vertices(tree, sizes), vertices
    are_equal = sizes is None and bool((of_sizes == 1).all())
    if lines is not None:
        known = [values for values, _ in columns.values()]
        dotted = np.union1d(rows.dotted(known, None if sizes is None else of_sizes), crossed)
    if positions.is_layout and vertices.size <= MAX_SEPARATED:
        shares = of_sizes[vertices] / max(of_sizes[vertices].sum(), 1e-300)
        radii = np.minimum(np.sqrt(FILLED * WINDOW.prod() * shares / np.pi), RADIUS if are_equal else np.inf)
        for _ in range(10):  # then a window shows the drawing, which becomes wider, at a smaller scale
            scale = 0.9 * (WINDOW / np.maximum(np.ptp(positions.box, axis=0), 1e-9)).min()
            positions.points[vertices] = separated(scale * positions.points[vertices], radii) / scale
    row = np.flatnonzero(np.isin(rows.vertex, dotted))
    number = np.zeros(tree.n, np.int64)
    number[vertices] = np.arange(vertices.size)
    per_row = of_sizes / np.maximum(np.bincount(rows.vertex, minlength=tree.n), 1)
    texts = texts_of_vertices(tree, True if labels is None else labels, vertices)
    weights, rank = np.unique(tree.w, return_inverse=True)
    unit, factor = shown_unit(tree.graph.annotations.pairs)
    if tree.maximum:  # heavy edges come first
        weights, rank = weights[::-1], weights.size - 1 - rank
    style = Coloring(np.zeros(len(tree), np.int64), [None], [1], [])
    if by is not None:
        style = coloring_by_column(tree, by, edge_values(tree, by), 1)
    levels, alternatives = len(style.widths), getattr(tree, "alternatives", np.zeros(len(tree), bool))
    correlations = tree.graph.annotations.correlations_of(weights).get(edge_name, ())
    names = rows.names
    profiles = f"{row.size:,} profiles, " if row.size > vertices.size else ""
    note = f", {totals_text(tree)}" if lines is not None else positions.note and f" ({positions.note})"
    data = _drawing(tree, positions, lines, vertices) | {
        "title": f"{profiles}{tree.vertices.size:,} vertices, {len(tree):,} edges{note}",
        "is_map": lines is not None,
        "u": number[tree.u].tolist(),
        "v": number[tree.v].tolist(),
        "rank": rank.tolist(),
        "weights": [str(weight).replace("inf", "Infinity") for weight in weights * factor],
        "sign": -1 if tree.maximum else 1,
        "label": [""] * vertices.size if texts is None else texts,
        "shows_names": texts is not None and (labels is not None or vertices.size <= MAX_LABELS),
        "edge_name": edge_name + f" ({unit})" * bool(unit),
        "edge_texts": [f"{x:.2f}" for x in correlations],
        "shows_weights": shows_weights or (lines is None and vertices.size <= MAX_LABELS),
        "max_radius": None if not are_equal else RADIUS_ON_MAPS if lines is not None else RADIUS,
        "edge_level": (style.levels + levels * alternatives).tolist(),  # alternatives are dashed
        "edge_styles": 2 * list(zip(style.colors, style.widths, strict=True)),
        "edge_key": [(color, text) for color, _, text in style.legend],
        "edge_columns": [] if lines is None else _columns_of_lines(tree),
        "marked": number[tree.marked if lines is None else rows.marked_on_map()].tolist(),
        "root": number[root_of(tree)].tolist(),
        "crossed": number[crossed].tolist(),
        "crossed_text": tree.crossed_text,
        "row_vertex": number[rows.vertex[row]].tolist(),
        "row_name": [names[k] for k in row.tolist()],
        "row_size": per_row[rows.vertex[row]].tolist(),
        "columns": [_column(x, each, are_texts, row, per_row[rows.vertex]) for x, each in columns.items()],
        "color": color,
        "palette": PALETTE,
        "rare": OTHERS,
        "in_none": GREY,
        "scale": SCALE,
    }
    page = template("tree.html")
    script = page.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    texts_of_page = {
        "title": html.escape(data["title"]),
        "hash": f"sha256-{digest}",
        "sense": "Weight at least" if tree.maximum else "Weight at most",
        "data": as_script(data),
    }
    with writing(output) as file:
        file.write(filled(page, texts_of_page).encode())


def _drawing(
    tree: EdgeSet, positions: VertexCoordinates, lines: LinePoints | None, vertices: NDArray[np.int64]
) -> dict[str, Any]:
    """Return coordinates from 0 to `WIDTH` of vertices, None where they have none, and of points of lines.

    Other lines are those of the graph in the neighbourhood of the tree.
    """
    drawn = lines or _lines_across(tree, positions)
    points = positions.points[vertices]
    both = points if drawn is None else np.concatenate([points, drawn[0]])
    points = both if lines is None else with_points_nearby(lines[0], points)
    low, high = positions._replace(points=points).box
    unit = np.array([1, positions.aspect])
    unit = unit * WIDTH / max(float(((high - low) * unit).max()), 1e-300)

    def scaled(points: NDArray[np.float64]) -> NDArray[Any]:
        known = np.isfinite(points)
        integers = np.where(known, np.round(np.where(known, points - low, 0) * unit), 0).astype(object)
        integers[~known] = None
        return integers

    def curves(points: NDArray[np.float64], line: NDArray[np.int64]) -> list[list[int]]:
        starts = np.flatnonzero(np.diff(line)) + 1
        return [each.ravel().tolist() for each in np.split(scaled(points), starts) if len(each)]

    x, y = scaled(positions.points[vertices]).T.tolist()
    drawing = {"x": x, "y": y, "extent": ((high - low) * unit).tolist(), "lines": None, "others": []}
    if drawn is not None:
        drawing["lines"] = curves(*drawn)
    if lines is not None:
        margin = AROUND * (high - low).max()
        points, line = line_points(tree.graph, np.delete(np.arange(tree.graph.m), tree.edges)) or lines
        is_near = ((points >= low - margin) & (points <= high + margin)).all(axis=1)
        kept = np.isin(line, line[is_near])
        drawing["others"] = curves(points[kept], line[kept])
    return drawing


def _lines_across(tree: EdgeSet, positions: VertexCoordinates) -> LinePoints | None:
    """Return the points of straight edges, and the edge of each, if one crosses the end of a period.

    A point that is NaN ends each line: such an edge has two.
    """
    ends = positions.points[np.column_stack([tree.u, tree.v])]
    lines = EdgeLines.across(ends, tree.w, positions.periods)
    if lines.edge.size == len(tree):
        return None
    points = np.pad(lines.curves, ((0, 0), (0, 1), (0, 0)), constant_values=np.nan)
    return points.reshape(-1, 2), np.repeat(lines.edge, 3)


def _columns_of_lines(tree: EdgeSet) -> list[dict[str, Any]]:
    """Return the columns of edges that were made from lines; a column of their lengths has its unit."""
    frame, (lengths, unit), columns = to_geopandas(tree), lengths_of_edges(tree), []
    for name, column in frame.drop(columns=frame.geometry.name).items():
        is_length = column.dtype.kind == "f" and np.array_equal(column, lengths)
        text = f"{name} ({unit})" if is_length and unit else str(name)
        columns.append(_column(text, (column.to_numpy(), None)))
    return columns


def _columns(rows: Rows, colors: Any, metadata: Any) -> tuple[dict[str, Column], Any]:
    """Return the columns by name, and the number of the one that colors vertices, "" if none does."""
    columns: dict[str, Column] = {}
    if metadata is not None:
        table = rows.table("metadata", metadata)
        table = table.loc[:, [str(kind) != "geometry" for kind in table.dtypes]]
        columns = {str(name): (x.to_numpy(), x) for name, x in table.items()}
    if colors is None:
        return columns, ""
    name = colors
    if not isinstance(colors, str):
        name = str(getattr(colors, "name", None) or "color")
        columns[name] = rows.values("colors", colors), colors
    elif name not in columns:
        known = ", ".join(map(shown, columns)) or f"none: pass the table that has it, {argument('metadata')}"
        problem = f"names no column of the metadata{did_you_mean(name, columns)}; these are {known}"
        raise OptionError(f"{argument('colors', name)} {problem}")
    return columns, list(columns).index(name)


def _column(
    name: str, given: Column, are_of_file: bool = False, row: Any = slice(None), amount: Any = None
) -> dict[str, Any]:
    """Return a column of numbers, of dates as milliseconds since 1970, or of texts and their numbers.

    Texts of a file that are numbers or dates are written as they are. Some rows are drawn; the sums of the
    amounts of all rows with a text decide its color.
    """
    values, source = given
    scaled = scale_or_texts(name, values) if are_of_file else values
    kind, shown = shown_values(scaled, name)
    column: dict[str, Any] = {"name": name}
    if are_of_file and kind != "category":
        column["as_in_file"] = [x if isinstance(x, str) else None for x in values[row].tolist()]
    if kind == "category":
        is_known = shown != None  # noqa: E711
        amounts = None if amount is None else amount[is_known]
        texts, items, totals = numbered_categories(shown[is_known], amounts, source)
        column |= {"texts": texts.tolist(), "totals": totals.tolist()}
    else:
        is_known = np.isfinite(shown)
        items = shown[is_known]
    if kind == "date":
        items, column["is_date"] = items.astype(np.int64), True
    filled = np.full(values.size, None, object)
    filled[is_known] = [x if isinstance(x, int) else float(x) for x in items.tolist()]
    return column | {"values": filled[row].tolist()}
