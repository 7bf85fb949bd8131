"""A page of HTML that shows a tree: one file, in which the reader moves, searches and chooses colors."""

from __future__ import annotations

import base64
import datetime
import hashlib
import html
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown
from boruvka.graph.columns import is_number
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.no_values import is_missing
from boruvka.runtime.arguments import argument
from boruvka.runtime.output_files import writing
from boruvka.trees.plotting.coordinates import VertexCoordinates, lines_of_edges, place_vertices
from boruvka.trees.plotting.curves import EdgeLines
from boruvka.trees.plotting.map import MAX_LABELS
from boruvka.trees.plotting.rows import Rows, sizes_of_vertices, texts_of_vertices
from boruvka.trees.plotting.style import PALETTE
from boruvka.trees.plotting.template import as_script, filled, template

__all__ = ["write_page"]

WIDTH = 1_000_000
"""Width of a drawing: its coordinates are integers."""
RADIUS_ON_MAPS = 5
"""Maximum radius of dots on a map without sizes, in pixels."""
SCALE = (68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)
"""Colors of numbers from low to high, as red, green and blue: viridis."""


def write_page(
    tree: EdgeSet,
    output: Any,
    coordinates: Any,
    *,
    maximum: bool,
    system: str | None,
    sizes: Any,
    colors: Any,
    labels: Any,
    metadata: Any,
) -> None:
    """Write a page as `boruvka.trees.selected_edges.SelectedEdges.to_html` describes it.

    Parameters
    ----------
    tree : AcyclicEdges
        The tree.
    maximum : bool
        Whether heavy edges come first.
    output, coordinates, system, sizes, colors, labels, metadata
        As for `SelectedEdges.to_html`.
    """
    rows, vertices = Rows.of(tree), tree.vertices
    columns, color = _columns(rows, colors, metadata)
    is_map = lines_of_edges(tree, coordinates) is not None
    of_sizes = sizes_of_vertices(tree, sizes)
    dotted = rows.dotted(columns.values(), None if sizes is None else of_sizes) if is_map else vertices
    row = np.flatnonzero(np.isin(rows.vertex, dotted))
    number = np.zeros(tree.n, np.int64)
    number[vertices] = np.arange(vertices.size)
    per_row = of_sizes / np.maximum(np.bincount(rows.vertex, minlength=tree.n), 1)
    texts = texts_of_vertices(tree, True if labels is None else labels)
    weights, rank = np.unique(-tree.w if maximum else tree.w, return_inverse=True)
    weights = -weights if maximum else weights
    names = rows.names
    profiles = f"{row.size:,} profiles, " if row.size > vertices.size else ""
    drawing = _drawing(tree, coordinates, system, vertices)
    note = drawing.pop("note")
    data = drawing | {
        "title": f"{profiles}{vertices.size:,} vertices, {len(tree):,} edges{note and f' ({note})'}",
        "u": number[tree.u].tolist(),
        "v": number[tree.v].tolist(),
        "rank": rank.tolist(),
        "weights": [str(weight).replace("inf", "Infinity") for weight in weights],
        "sign": -1 if maximum else 1,
        "label": [""] * vertices.size if texts is None else texts,
        "shows_names": texts is not None and (labels is not None or vertices.size <= MAX_LABELS),
        "max_radius": RADIUS_ON_MAPS if is_map and sizes is None else None,
        "marked": number[tree.marked].tolist(),
        "row_vertex": number[rows.vertex[row]].tolist(),
        "row_name": [names[k] for k in row.tolist()],
        "row_size": per_row[rows.vertex[row]].tolist(),
        "columns": [_column(name, values[row]) for name, values in columns.items()],
        "color": color,
        "palette": PALETTE,
        "scale": SCALE,
    }
    page = template("tree.html")
    script = page.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    texts_of_page = {
        "title": html.escape(data["title"]),
        "hash": f"sha256-{digest}",
        "sense": "Weight at least" if maximum else "Weight at most",
        "data": as_script(data),
    }
    with writing(output) as file:
        file.write(filled(page, texts_of_page).encode())


def _drawing(
    tree: EdgeSet, coordinates: Any, system: str | None, vertices: NDArray[np.int64]
) -> dict[str, Any]:
    """Return coordinates from 0 to `WIDTH` of vertices, None where they have none, and of points of lines."""
    positions = place_vertices(tree, coordinates, system).joined()
    lines = lines_of_edges(tree, coordinates) or _lines_across(tree, positions)
    low, high = positions._replace(points=positions.points[vertices]).box
    if lines is not None:
        low, high = np.fmin(low, np.nanmin(lines[0], axis=0)), np.fmax(high, np.nanmax(lines[0], axis=0))
    unit = np.array([1, positions.aspect])
    unit = unit * WIDTH / max(float(((high - low) * unit).max()), 1e-300)

    def scaled(points: NDArray[np.float64]) -> NDArray[Any]:
        known = np.isfinite(points)
        integers = np.where(known, np.round(np.where(known, points - low, 0) * unit), 0).astype(object)
        integers[~known] = None
        return integers

    x, y = scaled(positions.points[vertices]).T.tolist()
    curves = None
    if lines is not None:
        starts = np.flatnonzero(np.diff(lines[1])) + 1
        curves = [line.ravel().tolist() for line in np.split(scaled(lines[0]), starts)]
    extent = ((high - low) * unit).tolist()
    return {"x": x, "y": y, "extent": extent, "lines": curves, "note": positions.note}


def _lines_across(
    tree: EdgeSet, positions: VertexCoordinates
) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
    """Return the points of straight edges, and the edge of each, if one crosses the end of a period.

    A point that is NaN ends each line: such an edge has two.
    """
    ends = positions.points[np.column_stack([tree.u, tree.v])]
    lines = EdgeLines.across(ends, tree.w, positions.periods)
    if lines.edge.size == len(tree):
        return None
    points = np.pad(lines.curves, ((0, 0), (0, 1), (0, 0)), constant_values=np.nan)
    return points.reshape(-1, 2), np.repeat(lines.edge, 3)


def _columns(rows: Rows, colors: Any, metadata: Any) -> tuple[dict[str, NDArray[Any]], Any]:
    """Return the columns by name, and the number of the one that colors vertices, "" if none does."""
    columns: dict[str, NDArray[Any]] = {}
    if metadata is not None:
        table = rows.table("metadata", metadata)
        table = table.loc[:, [str(kind) != "geometry" for kind in table.dtypes]]
        columns = {str(name): table.iloc[:, k].to_numpy() for k, name in enumerate(table.columns)}
    if colors is None:
        return columns, ""
    name = colors
    if not isinstance(colors, str):
        name = str(getattr(colors, "name", None) or "color")
        columns[name] = rows.values("colors", colors)
    elif name not in columns:
        known = ", ".join(map(shown, columns)) or "none"
        raise OptionError(f"{argument('colors', name)} names no column of the metadata; these are {known}")
    return columns, list(columns).index(name)


def _column(name: str, values: NDArray[Any]) -> dict[str, Any]:
    """Return a column of numbers, of dates as milliseconds since 1970, or of texts and their numbers."""
    is_known = ~np.fromiter(map(is_missing, values), bool, values.size)
    known = values[is_known]
    column: dict[str, Any] = {"name": name}
    if values.dtype.kind == "M" or (known.size and all(isinstance(x, datetime.date) for x in known)):
        items = known.astype("datetime64[ms]").astype(np.int64).tolist()
        column["is_date"] = True
    elif values.dtype.kind in "iuf" or (known.size and all(map(is_number, known))):
        is_known[is_known] = np.isfinite(known.astype(np.float64))
        items = [x if isinstance(x, int) else float(x) for x in values[is_known].tolist()]
    else:
        texts, codes = np.unique(np.array(list(map(str, known)), object), return_inverse=True)
        items, column["texts"] = codes.tolist(), texts.tolist()
    filled = np.full(values.size, None, object)
    filled[is_known] = np.array(items, object)
    return column | {"values": filled.tolist()}
