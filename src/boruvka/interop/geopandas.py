"""geopandas: a frame of lines becomes a graph, and its forest the rows of the frame."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph.columns import is_number, list_column
from boruvka.graph.connected_components import label_components
from boruvka.graph.coordinates import DEGREES, MAX_LONGITUDE, Places, is_geographic, is_map, points_of_places
from boruvka.graph.derived_graphs import MaskedGraph
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.graph.labels import are_crossings, in_memory, is_pandas, is_table
from boruvka.graph.names import name_hint
from boruvka.graph.no_values import check_missing_options, is_missing
from boruvka.graph.text_numbers import WRITTEN, column_of_numbers
from boruvka.interop.as_graph import as_graph
from boruvka.interop.data_frames import SourceTable
from boruvka.interop.lines import (
    TOUCHING,
    check_points,
    in_units,
    join_ends,
    lengths_of,
    near_pairs,
    nearest_lines,
    nearest_points,
    rounding_of,
    rows_without,
    shapes_of,
    split_at_points,
    split_where_they_meet,
)
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime.arguments import argument, flag_or_number, hint, is_command_running, real
from boruvka.runtime.libraries import gpd, pd, pyproj, shapely

if TYPE_CHECKING:
    import geopandas
NEAR = 1
"""Ends of lines in two components that are so near, in metres, are perhaps meant to be joined."""
DEGREES_OF_MAP = 20
"""Maximum extent of a map in degrees; of streets in metres, this would be a single yard."""
FAR = 1_000_000
"""A median link of so many metres is an error."""
MANY = 100_000
"""Totals from here on are written without decimals."""
SHORT = 3
"""Streets that are joined by pieces of up to so many times the length of a gap have no gap there."""
BOTH_WAYS = np.array([-1, -1, 1, 1])
"""Signs that make a box wider in both directions."""
LAYER = r"[+-]?\d(\.0+)?"
"""Values of the column layer."""
ON_THE_GROUND = r"|0|0\.0|f|false|fals[oa]|falsch|faux|n|no|n[ãa]o|none|null|nein|non|nie|ne|-"
"""Pattern of values of bridge and tunnel for a line that is neither."""
OFF_THE_GROUND = r"[1jostxy]|1\.0|true|yes|s[ií]m?|ja|oui|tak|vrai|wahr|vero|verdadei?ro"
KNOWN = (
    rf"{ON_THE_GROUND}|{OFF_THE_GROUND}|viaduct|aqueduct|boardwalk|cantilever|covered|movable|culvert|\w+_\w+"
)
"""Patterns of values of a bridge or tunnel, and of all known values; any other value gives a warning."""
LEVELS = {"puente": "bridge", "pont": "bridge", "ponte": "bridge", "brücke": "bridge", "túnel": "tunnel"}
"""Names of columns in other languages."""
LinePoints = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Points of lines, and the place of the line of each."""
ROW = "row number"
"""The name of the index of places of a file that no column names."""
LONG = 20
"""A link that is so many times as long as the median gives a warning."""


def graph_from(
    frame: geopandas.GeoDataFrame,
    weight: str | None = None,
    node: bool | float = False,
    attach: Any = None,
    tolerance: float | None = None,
    missing: str = "error",
    default: float | None = None,
    rate: str | None = None,
    link_rate: float | None = None,
) -> Graph:
    """Make a graph of a frame of lines: edge i is row i, and vertices are the ends of lines, without heights.

    Parameters
    ----------
    frame : geopandas.GeoDataFrame
        A row for each line. Each part of a row of several lines is an edge, with the values of the row.
    weight : str, optional
        The column that holds the weights, also as texts with a decimal comma. By default it is ``weight`` if
        there are columns ``edge`` and ``weight``, as of a forest that was written; else weights are the
        lengths of lines, in metres on the ellipsoid WGS 84, or in the unit of coordinates without a reference
        system. The weight of a row of several lines, or of a line that is split, is divided among its parts
        by their lengths, as a cost is.
    node : bool or number
        Split lines where they cross or touch; the edges are these pieces. Where the columns ``bridge``,
        ``tunnel`` and ``layer``, as of OpenStreetMap, say that lines are on different levels, they are joined
        only at an end of one; without these columns, bridges are joined, too. The columns may also be called
        ``puente``, ``pont``, ``ponte``, ``brücke`` and ``túnel``. An end within a micrometre of a line
        touches it; without a reference system, within 1e-12 times the largest coordinate. Without it, lines
        are joined only at their ends. A number is a distance, in the unit of lengths: first, ends that are so
        near become one, and lines pass through ends of others that are so near.
    attach : geopandas.GeoDataFrame or geopandas.GeoSeries, table, or (k, 2) array_like, optional
        Places, such as buildings: each is a vertex, whose name is its label in the index of ``attach``, or
        its number. A table has columns x and y, in the system of the lines, or longitude and latitude.
        A straight link joins it to the nearest point of all lines, and the line is split there, as are others
        with the same points; of equally near lines, the cheapest or the first. Lines that the columns
        ``bridge`` and ``tunnel`` say to be one get no link. The place of a polygon, or of anything but a
        point, is a point inside of it. A link has the values of the line to which it is joined; with
        ``weight``, it weighs as much as a piece of this line of the same length. A list holds several frames.
        The column ``kind`` says which edge is a street and which a link, and ``place`` the label of a link;
        columns of a frame of pandas become ``place_NAME``, such as ``place_heat``. A column of the lines with
        such a name becomes ``kind_given`` or ``place_given``.
    tolerance : float, optional
        Greatest length of a link, in the unit of lengths. Places that are farther from all lines are vertices
        without an edge, with a warning. Without it, a link that is much longer than others gives a warning.
    missing : str
        What to do with rows without a weight: "error", or "drop" to leave them out.
    default : number, optional
        The weight of rows that have none, or with ``rate`` their rate.
    rate : str, optional
        The column that holds the weight of a line per metre of its length, such as the cost of digging: the
        weight of each piece of a line is this rate times its length. A link has the rate of the line to which
        it is joined, unless ``link_rate`` is given.
    link_rate : number, optional
        The weight of a link per metre of its length, or per unit of coordinates without a reference system.

    Returns
    -------
    Graph
        Names of vertices are their coordinates (x, y), after which come the labels of places; and
        ``graph.coordinates`` holds the coordinates of both. ``graph.terminals`` are the places. The column
        ``length`` of results holds lengths, unless lines are not on the earth; a column of the lines with
        this name becomes ``length_given``, if it has other values.

    Raises
    ------
    GraphError
        A geometry is missing or no line, a weight is missing, a rate is negative or infinite, a label of
        ``attach`` is there twice, or only one of both frames has a coordinate reference system. Or ``attach``
        is empty, half of the links are longer than 1,000 km, or all are longer than ``tolerance``. Or a line
        in degrees that is to be split crosses the antimeridian.
    GraphTypeError
        The frame has no column of geometries, weights are not numbers, or ``attach`` holds no places.
    OptionError
        There is no such column, ``weight`` and ``rate`` are both given, or ``tolerance`` or ``link_rate``
        without ``attach``.

    Warns
    -----
    GraphWarning
        Places are farther than ``tolerance`` from all lines; or without it, a link is longer than all lines
        extend, or 20 times the median, and 1% of this extent. With ``node`` or ``attach``, ends of lines are
        near another line, and not joined to it; or with ``attach`` alone, lines of one component cross.
    """
    try:
        text = rows_without("line", frame)
    except AttributeError as error:
        raise GraphTypeError(f"the frame has no column of geometries: {error}") from None
    if text:
        raise GraphError(
            f"{text}: leave these out, as streets[streets.geom_type.isin(['LineString', 'MultiLineString']) "
            "& ~streets.is_empty]; points are a graph by boruvka.Graph.from_points(frame), polygons by their "
            "borders, as the page 'Divide polygons into regions' shows, and buildings are for attach="
        )
    where = flag_or_number("node", node), attach, tolerance, link_rate
    return graph_of_parts(*parts_of(frame), weight, rate, missing, default, where)


def parts_of(frame: geopandas.GeoDataFrame) -> tuple[geopandas.GeoDataFrame, NDArray[np.intp]]:
    """Return a frame with a row for each line among the parts of geometries, and the row of each part."""
    parts, row = shapely.get_parts(np.asarray(frame.geometry.array), return_index=True)
    is_line = (shapely.get_type_id(parts) == shapely.GeometryType.LINESTRING) & ~shapely.is_empty(parts)
    parts, row = parts[is_line], row[is_line]
    return frame.iloc[row].set_geometry(parts, crs=frame.crs), row


def graph_of_parts(
    frame: geopandas.GeoDataFrame,
    row: NDArray[np.intp],
    weight: str | None,
    rate: str | None,
    missing: str,
    default: float | None,
    where: tuple[bool | float, Any, float | None, float | None],
) -> Graph:
    """Make a graph of what `parts_of` returned, as `graph_from` does."""
    check_missing_options(missing, default)
    if weight is not None and rate is not None:
        raise OptionError(f"{argument('rate', rate)} replaces a column of weights: leave out {shown(weight)}")
    weight = "weight" if weight is None and {"edge", "weight"} <= set(frame.columns) else weight
    column = weight if rate is None else rate
    if column is None:
        return graph_of_lines(frame, None, *where)
    w = _numbers_of(frame, row, column, "weight" if rate is None else "rate")
    if (is_gap := np.isnan(w)).any():
        count = np.unique(row[is_gap]).size
        counts = RowCounts(no_weight=count, left_out=count)
        if default is not None:
            w, is_gap = np.where(is_gap, default, w), np.zeros_like(is_gap)
        elif missing == "error":
            first = f"row {row[is_gap][0]} has no number in the column {shown(column)}"
            raise GraphError(f"{first}: {counts.complaint()}")
        else:
            counts.warn(np.unique(row[~is_gap]).size, None)
        frame, row, w = frame[~is_gap], row[~is_gap], w[~is_gap]
    if rate is None:
        return graph_of_lines(frame, _shared(w, row, frame), *where)
    if (wrong := ~((w >= 0) & np.isfinite(w))).any():
        first = f"row {row[wrong][0]} has the rate {w[wrong][0]} ({shown(rate)})"
        raise GraphError(f"{first}: it must be 0 or more, and finite")
    return graph_of_lines(frame, None, *where, rate=w.astype(np.float64))


def _numbers_of(frame: geopandas.GeoDataFrame, row: NDArray[np.intp], column: str, name: str) -> NDArray[Any]:
    """Return a column of numbers."""
    if np.ndim(column) or isinstance(column, Mapping):
        raise GraphTypeError(
            f"{name} is the name of a column, not its values: write "
            f"boruvka.as_graph(streets.assign(cost=values), {name}='cost'), or streets[COLUMN].map(values)"
        )
    if list(frame.columns).count(column) != 1:
        known = ", ".join(map(shown, frame.columns)) + name_hint(dict.fromkeys(frame.columns, 0), column)
        raise OptionError(f"there is no column {shown(column)}; the columns are {known}")
    w = column_of_numbers(column, frame[column])
    if not isinstance(w, np.ndarray) or w.dtype.kind not in "iuf":
        values = list_column(w)
        at = next((i for i, value in enumerate(values) if not is_number(value)), 0)
        wrong = f"the column {shown(column)} has {shown(values[at])} in row {row[at]}"
        how = f"{WRITTEN}, or add a column that has a number for each of its values"
        raise GraphTypeError(f"weights must be numbers: {wrong}; {how}")
    return w


def _shared(w: NDArray[Any], row: NDArray[np.intp], frame: geopandas.GeoDataFrame) -> NDArray[Any]:
    """Return the weight of each part of a row: its share of the value of the row, by its length."""
    count = np.bincount(row)
    if count.max(initial=0) <= 1:
        return w
    lengths = lengths_of(np.asarray(frame.geometry.array), frame.crs if is_geographic(frame.crs) else None)
    whole = np.bincount(row, lengths)[row]
    return w * np.divide(lengths, whole, out=1 / count[row], where=whole > 0)


def graph_of_lines(
    frame: geopandas.GeoDataFrame,
    w: NDArray[Any] | None = None,
    node: bool | float = False,
    attach: Any = None,
    tolerance: float | None = None,
    link_rate: float | None = None,
    is_unweighted: bool = False,
    rate: NDArray[np.float64] | None = None,
) -> Graph:
    """Make a graph of a frame whose rows are single lines, as `graph_from` does.

    ``w`` has the weight of each line, and ``rate`` its weight for a unit of length; by default weights are
    lengths. ``is_unweighted`` gives every edge the weight 1.
    """
    lines = np.asarray(frame.geometry.array)
    is_split = node or attach is not None
    check_points(lines, in_degrees=bool(is_split) and is_geographic(frame.crs))
    _warn_of_degrees(frame)
    edges, row, rates = lines, np.arange(len(lines)), rate
    if w is not None and is_split:
        whole = lengths_of(lines, frame.crs)
        rates = np.divide(w, whole, out=np.full(len(w), np.inf), where=whole > 0)
    if not isinstance(node, bool):  # a distance
        edges, row = join_ends(lines, frame.crs, node)
        if lost := len(lines) - np.unique(row).size:
            short = f"{lost:,} of {len(lines):,} lines"
            warn(f"{argument('node', node)} makes points of {short}, which are left out")
    whole_lines, row_of_line, hidden = edges, row, None
    if node:
        rate_of_edge, level = None if rates is None else rates[row], _levels(frame)
        edges, part = split_where_they_meet(edges, frame.crs, rate_of_edge, level[row])
        row = row[part]
    places = None if attach is None else AttachedPlaces.read(attach, frame.crs)
    if places is not None:
        edges, row, places = _joined(edges, row, places, frame, tolerance, rates)
    elif tolerance is not None or link_rate is not None:
        name, value = ("tolerance", tolerance) if link_rate is None else ("link_rate", link_rate)
        raise OptionError(f"{argument(name, value)} is for {argument('attach')}")
    needs_none, lengths = is_unweighted or (w is not None and not is_split), cast(Any, None)
    with suppress(GraphError) if needs_none else nullcontext():  # lines may not be on the earth
        lengths = lengths_of(edges, frame.crs)
    if is_unweighted:
        w = np.ones(len(edges), np.uint8)
    elif w is None:
        w = lengths if rate is None else rate[row] * lengths
    elif is_split:
        is_point = whole[row] == 0
        for k in row[is_point & (lengths > 0)].tolist():
            raise GraphError(
                f"row {k} is a line of length 0 with the weight {w[k]}, so that a link to it has no weight: "
                "remove this line"
            )
        w = w[row] * np.divide(lengths, whole[row], out=np.ones(len(row)), where=~is_point)
    if link_rate is not None and places is not None:
        links = slice(len(edges) - len(places.joined), None)
        w = w.astype(np.float64)
        w[links] = real("link_rate", link_rate, 0, np.finfo(np.float64).max) * lengths[links]
    if is_split:
        if node:
            streets = slice(len(edges) - (0 if places is None else len(places.joined)))
            hidden = _hidden(edges[streets], row[streets], whole_lines, row_of_line, frame, level, rates)
            if node is not True and lengths is not None and 2 * sum(lengths[streets] < node) > streets.stop:
                warn(f"{argument('node', node)} is longer than half of the pieces: pass a smaller distance")
        frame = frame.iloc[row].set_geometry(edges, crs=frame.crs)
    if lengths is not None and not pd.Series(lengths, frame.index).equals(frame.get("length")):
        frame = with_columns(frame, length=lengths)
    if places is not None:
        frame = places.noted_in(frame)
    graph = _graph(frame, edges, w, places, hidden)
    with suppress(GraphError):  # without weights, lines need not be on the earth
        if is_split and not is_command_running():  # commands print hints, and solvers warn of components
            gaps = gaps_hint(graph) if node <= NEAR else ""  # a larger distance has joined others
            for text in filter(None, [gaps, "" if node else meetings_hint(graph, within=True)]):
                warn(text)
    return graph


def _hidden(pieces: Any, row: Any, lines: Any, of: Any, frame: Any, level: Any, rate: Any) -> Any:
    """Return `SourceTable.hidden` of pieces of rows, from lines whose rows are ``of``; None if none is."""
    if np.isclose(shapely.length(pieces).sum(), shapely.length(lines).sum(), 1e-10, 0):
        return None
    middles = shapely.line_interpolate_point(pieces, 0.5, normalized=True)
    piece, line = shapely.STRtree(lines).query(middles, "dwithin", rounding_of(lines, frame.crs))
    kept, other = row[piece], of[line]
    piece, kept, other = (x[(kept != other) & (level[kept] == level[other])] for x in (piece, kept, other))
    return piece, frame.iloc[other], np.zeros(len(piece), bool) if rate is None else rate[kept] < rate[other]


def _levels(frame: Any, kinds: tuple[str, ...] = ("bridge", "tunnel", "layer")) -> NDArray[np.intp]:
    """Return numbers of lines that differ where bridges, tunnels or layers of OpenStreetMap do.

    Without the kind layer, they are 0 on the ground.
    """
    levels = np.zeros(len(frame) + 1)  # the first is a line on the ground
    for name, column in frame.items():
        if (kind := LEVELS.get(str(name).strip().lower(), str(name).lower())) in kinds:
            texts = ["" if is_missing(value) else str(value).strip().lower() for value in column]
            if kind == "layer":  # others are names of layers of a drawing
                values = [float(text) if re.fullmatch(LAYER, text) else 0.0 for text in texts]
            else:
                values = [float(not re.fullmatch(ON_THE_GROUND, text)) for text in texts]
                words = re.findall(r"[\w.]+", " ".join(dict.fromkeys(texts)))  # also of lists of OSMnx
                for text in [text for text in words if not re.fullmatch(KNOWN, text)][:1]:
                    warn(f"{shown(text)} in the column {shown(name)} is taken for a {kind}: write yes or no")
            levels = 32 * levels + [0.0, *values]  # a layer has one digit
    return np.unique(levels, return_inverse=True)[1][1:]


def _warn_of_degrees(frame: geopandas.GeoDataFrame) -> None:
    """Warn of lines that are close together near the origin of a projection: they are probably in degrees."""
    bounds, crs = frame.total_bounds, frame.crs
    is_small = (bounds[2:] - bounds[:2]).max() < DEGREES_OF_MAP and abs(bounds).max() <= MAX_LONGITUDE
    if is_small and crs is not None and crs.is_projected:
        warn(
            f"lines are within {DEGREES_OF_MAP} units near the origin of {crs.name}: if these are degrees, "
            "the reference system is wrong, and streets.set_crs(4326, allow_override=True) corrects it"
        )


def _graph(
    frame: geopandas.GeoDataFrame, lines: NDArray[Any], w: NDArray[Any], places: Any, hidden: Any
) -> Graph:
    """Make a graph whose vertices are the ends of lines, and the places to which links lead.

    A place is a vertex of its own, also where another place or a crossing has the same coordinates.
    """
    size = len(lines)
    points, line = shapely.get_coordinates(lines, return_index=True)
    first = np.searchsorted(line, np.arange(size + 1))
    ends = points[np.append(first[:-1], first[1:] - 1)] + 0.0  # no minus zero
    z = np.ascontiguousarray(ends).view(np.complex128).ravel()
    link = _links(frame, z) if places is None else np.arange(size - len(places.joined), size)
    found, number = np.unique(np.delete(z, size + link), return_inverse=True)
    if places is None:
        labels = frame["place"].iloc[link].convert_dtypes().tolist() if link.size else []
        at, joined = z[size + link], np.arange(link.size)
        values = frame.iloc[link].filter(regex="^place_").set_axis(pd.Index(labels, name="place"))
    else:
        labels, at, joined = places.labels.tolist(), places.points.view(np.complex128).ravel(), places.joined
        values = places.columns
    ends = np.empty(2 * size, np.int64)
    ends[size + link] = len(found) + joined
    ends[np.delete(np.arange(2 * size), size + link)] = number
    u, v = ends.reshape(2, size)
    names: list[Any] = [*zip(found.real.tolist(), found.imag.tolist(), strict=True), *labels]
    coordinates = np.append(found, at).view(np.float64).reshape(-1, 2)
    terminals = np.arange(len(found), len(names)) if places is not None or link.size else None
    graph = Graph.from_edges(u, v, w, n=len(names), names=names)
    graph = graph.with_coordinates(coordinates, "lonlat" if is_geographic(frame.crs) else "xy")
    return graph.annotated(
        table=SourceTable(frame, ["source", "target", "weight"], None, hidden=hidden),
        terminals=terminals,
        places=None if terminals is None else values,
    )


def _links(frame: geopandas.GeoDataFrame, ends: NDArray[np.complex128]) -> NDArray[np.intp]:
    """Return the links in a frame of streets and links to places, as networks are written."""
    if not {"kind", "place"} <= set(frame.columns):
        return np.empty(0, np.intp)
    is_link, labels = (frame["kind"] == "link").to_numpy(bool, na_value=False), frame["place"]
    is_network = (is_link | (frame["kind"] == "street")).all() and (labels.notna() == is_link).all()
    first, last = ends.reshape(2, -1)
    is_on_street = np.isin(last, [first[~is_link], last[~is_link]]) & (first != last)  # drawn there later
    return np.flatnonzero(is_link & is_network & ~labels.duplicated(keep=False) & ~is_on_street)


class AttachedPlaces(NamedTuple):
    """Places that are joined to lines."""

    labels: pd.Index
    points: NDArray[np.float64]
    joined: NDArray[np.intp] = np.empty(0, np.intp)
    """The places that have a link, in the order of the links."""
    columns: Any = None
    """A frame of their other values, whose columns begin with ``place_``."""

    @classmethod
    def read(cls, frame: Any, crs: Any, rows: Any = None) -> AttachedPlaces:
        """Read places, or several frames, in the system of lines; messages name ``rows`` of their file."""
        if isinstance(frame, cls):
            return frame
        several = isinstance(frame, tuple | list) and frame
        if several and all(isinstance(each, cls) or is_map(each) or is_table(each) for each in frame):
            return cls._joint([cls.read(each, crs) for each in frame])
        frame = in_memory(frame)
        points = points_of_places(argument("attach"), frame, crs)
        if is_map(frame) and (lines := frame.geom_type.isin(["LineString", "MultiLineString"])).any():
            what = f"{lines.sum():,} of {len(points):,} places are lines"
            warn(f"{argument('attach')}: {what}, of which a point halfway is joined; streets are no places")
        if not len(points):
            raise GraphError(f"{argument('attach')} has no places")
        if is_table(frame) and not is_pandas(frame):  # without an index, a column names places as in files
            frame = pd.DataFrame(frame.to_dict(as_series=False), dtype=object)
            if (names := Places.column_of_names(frame)) is not None:
                frame = frame.set_axis(pd.Index(names.tolist(), name=names.name))
        labels = frame.index if is_pandas(frame) else pd.RangeIndex(len(points))
        cls._check(labels, "pass attach.reset_index(drop=True)", rows)
        columns = frame if is_pandas(frame) and is_table(frame) else pd.DataFrame(index=labels)
        columns = columns.loc[:, [str(kind) != "geometry" for kind in columns.dtypes]]
        is_gap = columns.isna() & (columns.dtypes == "object")  # integers beside None would be rounded
        columns = columns.mask(is_gap, pd.NA).convert_dtypes()
        if columns.shape[1] and (isinstance(labels, pd.RangeIndex) or labels.name == ROW):
            at = pd.DataFrame(points).duplicated(keep=False).to_numpy()
            x, y = points[at].T
            if count := columns[at].astype(str).assign(x_of_point=x, y_of_point=y).duplicated().sum():
                what = f"{count:,} of {len(points):,} places repeat another one, with all of its values"
                warn(f"{argument('attach')}: {what}, and count again: leave them out if they are the same")
        return cls(labels, points, columns=columns.add_prefix("place_"))

    @classmethod
    def _joint(cls, several: list[AttachedPlaces]) -> AttachedPlaces:
        """Return the places of several frames; those that are only numbered are numbered again."""
        names = chain.from_iterable(places.labels.tolist() for places in several)
        columns = pd.concat([places.columns for places in several])
        known = dict.fromkeys(str(places.labels.name or ROW) for places in several)
        labels = pd.Index(list(names), tupleize_cols=False, name=" or ".join(known))
        if all(isinstance(places.labels, pd.RangeIndex) for places in several):
            labels = pd.RangeIndex(len(labels), name=labels.name)
        cls._check(labels, "pass places with different names, as places.rename(index='b{}'.format)")
        points = np.concatenate([places.points for places in several])
        return cls(labels, points, columns=columns.set_axis(labels))

    @staticmethod
    def _check(labels: pd.Index, instead: str, rows: Any = None) -> None:
        """Raise an error if a label of places is there twice or missing, and say what to pass."""
        index, names = "the index of the places", labels.tolist()
        if rows is not None or is_command_running():
            index = argument("attach") if rows is None else f"the column {shown(labels.name)}"
            instead = "write different names, or remove one of them"
            instead += ", or leave out the column, so that places are numbered" * (rows is not None)
        rows = range(len(labels)) if rows is None else rows
        if count := len(gaps := [row for row, name in zip(rows, names, strict=True) if is_missing(name)]):
            raise GraphError(f"{index} has no name for {count:,} of the places, such as {gaps[0]}: {instead}")
        if not labels.is_unique:
            second = int(labels.duplicated().argmax())
            first = names.index(names[second])
            raise GraphError(
                f"{index} has {shown(names[second])} twice, so that it names no vertices (places "
                f"{rows[first]} and {rows[second]}, from 0): {instead}"
            )

    def noted_in(self, frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
        """Return the frame of all edges, whose last ones are links, with the columns kind and place."""
        streets = len(frame) - len(self.joined)
        kind = np.repeat(["street", "link"], [streets, len(self.joined)])
        values = self.columns.assign(place=self.labels).iloc[self.joined].convert_dtypes()
        values = values.reset_index(drop=True).reindex(np.arange(-streets, len(self.joined)))
        return with_columns(frame, kind=kind, **{name: column.array for name, column in values.items()})


def _joined(
    lines: NDArray[Any], row: NDArray[np.intp], places: AttachedPlaces, frame: Any, tolerance: Any, rate: Any
) -> tuple[NDArray[Any], NDArray[np.intp], AttachedPlaces]:
    """Split lines on the ground at the nearest points to places, and append the links; also return rows.

    Of lines that are equally near, as at a common end, a link has the row with the lowest rate, or the first.
    Lines with the same points, as the two directions of a street, are split at the same places.
    """
    crs = frame.crs
    on_ground = np.flatnonzero(_levels(frame, ("bridge", "tunnel"))[row] == 0)
    if not on_ground.size:
        raise GraphError(f"there are no lines on the ground to which {argument('attach')} can join places")
    order = on_ground if rate is None else on_ground[np.argsort(rate[row[on_ground]], kind="stable")]
    nearest = order[nearest_lines(lines[order], places.points, crs)]
    left = shapely.bounds(lines)[:, 0]  # most other lines are not alike
    on_ground = on_ground[np.isin(left[on_ground], left[nearest])]
    shape, there = shapes_of(lines[on_ground])
    first = np.unique(shape, return_index=True)[1][shape]
    alike = pd.DataFrame({"shape": shape, "line": on_ground, "is_turned": there != there[first]})
    which = np.searchsorted(on_ground, nearest)
    shape, line = shape[which], on_ground[first[which]]
    position, points = nearest_points(lines, places.points, crs, rounding_of(lines, crs), line)
    links = shapely.linestrings(np.stack([points, places.points], axis=1))
    limit = np.inf if tolerance is None else real("tolerance", tolerance, 0, np.inf)
    lengths = lengths_of(links, crs)
    _warn_of_long_links(lengths, lines, places.labels, crs, limit)
    near = np.flatnonzero(lengths <= limit)
    splits = pd.DataFrame({"shape": shape[near], "place": near}).merge(alike)
    place, of, is_turned = (splits[name].to_numpy() for name in ("place", "line", "is_turned"))
    last, at = shapely.get_num_coordinates(lines[of]) - 1, position[place]
    pieces, line_of_piece = split_at_points(lines, of, np.where(is_turned, last - at, at), points[place])
    edges, line_of_edge = np.append(pieces, links[near]), np.append(line_of_piece, nearest[near])
    return edges, row[line_of_edge], places._replace(joined=near)


def _warn_of_long_links(lengths: Any, lines: NDArray[Any], labels: Any, crs: Any, limit: float) -> None:
    """Warn of links that are too long, or without a limit of one that is much longer than others.

    Raises
    ------
    GraphError
        All links are too long, or half of them are longer than `FAR`.
    """
    corners = shapely.linestrings([shapely.total_bounds(lines).reshape(2, 2)])
    extent, longest, median = lengths_of(corners, crs)[0], lengths.max(), np.median(lengths)
    if crs is not None and median > FAR:
        far = f"the median link is {median / 1000:,.0f} km: lines and {argument('attach')} are not in the"
        how = "or their coordinates are exchanged, or x and y are degrees, whose columns are lon and lat"
        raise GraphError(f"{far} reference systems they have, {how}")
    unit, swapped = "" if crs is None else " m", "; are x and y swapped?" if median > extent else ""
    long, usual = (f"{x:,.{0 if x >= 100 else 2}f}{unit}" for x in (longest, median))
    if far := labels[lengths > limit].tolist():
        what = f"{len(far):,} of {len(labels):,} places are farther than {limit:g}{unit} from every line"
        if len(far) == len(labels):
            raise GraphError(f"{what}, {usual} in the median: pass a larger {argument('tolerance')}{swapped}")
        warn(f"{what}, and are joined to none: {shown(far)}{swapped}")
    if limit == np.inf and longest > min(extent, max(LONG * median, extent / 100)):
        place = shown(labels.tolist()[lengths.argmax()])
        warn(
            f"the longest link is {long} ({place}), the median is {usual}: "
            f"pass {argument('tolerance')}, the greatest length of a link{swapped}"
        )


def to_geopandas(forest: EdgeSet) -> geopandas.GeoDataFrame:
    """Implement `Forest.to_geopandas`."""
    frame = line_frame(forest.graph, forest.edges, forest.u, forest.v)
    return with_columns(frame, edge=forest.edges, weight=forest.w, **forest.edge_columns)


def with_columns(frame: geopandas.GeoDataFrame, **columns: Any) -> geopandas.GeoDataFrame:
    """Return a frame with more columns, before the geometry; one that is called so becomes ``NAME_given``.

    Case does not count, as in GeoPackage.
    """
    given = {name: f"{name.lower()}_given" for name in frame.columns if str(name).lower() in columns}
    frame = frame.drop(columns=[*given.values()], errors="ignore").rename(columns=given).assign(**columns)
    geometry = frame.geometry.name
    return frame[[*frame.columns.drop(geometry).unique(), geometry]]


def line_frame(
    graph: Any,
    edges: NDArray[np.int64],
    u: NDArray[Any],
    v: NDArray[Any],
    ids: Callable[[NDArray[Any]], Any] | None = None,
) -> geopandas.GeoDataFrame:
    """Return the lines of edges: rows of the frame of a graph, else straight lines between vertices.

    ``ids`` are what the columns source and target call vertices, by default `Graph.name_of`.
    """
    ids = graph.name_of if ids is None else ids
    frame = lines_of(graph)
    if frame is not None:
        return frame.iloc[graph.annotations.table.rows_of(edges)]
    if getattr(graph, "coordinates", None) is None:
        raise GraphTypeError(
            "the vertices have no coordinates, so edges cannot be lines: graph.with_coordinates gives them"
        )
    lines = shapely.linestrings(np.stack([graph.coordinates[u], graph.coordinates[v]], axis=1))
    columns, table = {"source": ids(u), "target": ids(v)}, graph.annotations.table
    if isinstance(getattr(table, "frame", None), dict):
        columns |= {name: table.take(name, edges) for name in table.frame if name not in columns}
    return gpd.GeoDataFrame(columns | {"geometry": lines}, crs=reference_system(graph))


def with_lines(graph: Graph, crs: Any) -> Graph:
    """Return a graph with a table of edges as one of lines; their shapes are the column geometry, if any."""
    edges, table = np.arange(graph.m), graph.annotations.table
    lines = np.asarray(line_frame(graph, edges, graph.u, graph.v).geometry.array)
    columns = {name: table.take(name, edges) for name in table.frame}
    if (shapes := columns.pop("geometry", None)) is not None:
        is_text = np.array([isinstance(shape, str) for shape in shapes], bool)
        shapes[is_text] = shapely.from_wkt(shapes[is_text], on_invalid="ignore")
        lines = np.where(shapely.get_type_id(shapes) == shapely.GeometryType.LINESTRING, shapes, lines)
    texts = {name: [str(x) if isinstance(x, list) else x for x in values] for name, values in columns.items()}
    try:
        frame = gpd.GeoDataFrame(texts, geometry=lines, crs=crs)
    except pyproj.exceptions.CRSError as error:
        raise GraphError(f"the attribute crs of the graph is not a reference system: {error}") from None
    graph = graph.with_coordinates(graph.coordinates, "lonlat" if is_geographic(frame.crs) else "xy")
    return graph.annotated(table=SourceTable(frame, table.columns, None))


def graph_on_lines(graph: Graph, node: bool | float = False, rate: str | None = None, **more: Any) -> Graph:
    """Make a graph of the lines of the edges of another one, as `graph_from` does of a frame."""
    if graph.terminals is not None:
        raise OptionError(f"the graph has places: pass all in a list, as {argument('attach')}")
    graph = graph.compacted()
    rows = np.arange(graph.m)
    frame = line_frame(graph, rows, graph.u, graph.v)
    where: Any = flag_or_number("node", node), *map(more.get, ("attach", "tolerance", "link_rate"))
    if rate is not None:
        return graph_of_parts(frame, rows, None, rate, "error", None, where)
    return graph_of_lines(frame, graph.w, *where)


def line_points(graph: Any, edges: NDArray[np.int64]) -> LinePoints | None:
    """Return the points of edges that are lines, and the place of the edge of each; None of other edges."""
    frame = lines_of(graph)
    if frame is None:
        return None
    lines = np.asarray(frame.geometry.array)[graph.annotations.table.rows_of(edges)]
    return shapely.get_coordinates(lines, return_index=True)


def vertices_of_lines(graph: Any, other: Any) -> NDArray[np.int64]:
    """Return the vertex of a graph of lines at each vertex of another one; -1 where there is none.

    They are compared in the reference system of the other graph: coordinates that are converted there and
    back may be a millimetre off.
    """
    frame, other_frame = lines_of(graph), lines_of(other)
    found = np.full(other.n, -1)
    if frame is None or other_frame is None or frame.crs is None or other_frame.crs is None:
        return found
    vertex, others = (np.flatnonzero(are_crossings(each)) for each in (graph, other))
    points = gpd.GeoSeries.from_xy(*graph.coordinates[vertex].T, crs=frame.crs)
    with suppress(pyproj.exceptions.ProjError):  # a local system
        at, nearest = shapely.STRtree(np.asarray(points.to_crs(other_frame.crs).array)).query_nearest(
            shapely.points(other.coordinates[others]), max_distance=in_units(TOUCHING, other_frame.crs)
        )
        found[others[at]] = vertex[nearest]
    return found


def lengths_of_edges(tree: EdgeSet) -> tuple[NDArray[np.float64], str]:
    """Return the lengths of the lines of edges, and their unit; no lengths if lines are not on the earth."""
    frame = line_frame(tree.graph, tree.edges, tree.u, tree.v)
    with suppress(GraphError):
        return lengths_of(np.asarray(frame.geometry.array), frame.crs), "" if frame.crs is None else "m"
    return np.empty(0), ""


def has_lengths(tree: EdgeSet) -> bool:
    """Return whether the weights of edges are the lengths of their lines."""
    lengths = lengths_of_edges(tree)[0]
    return lengths.size > 0 and np.allclose(lengths, tree.w)


def totals_text(tree: EdgeSet) -> str:
    """Return what pictures say of the edges of streets: their length, and their weight if it is another.

    For a comparison of two plans, they are the weights of both.
    """
    lengths, unit = lengths_of_edges(tree)
    totals = {"length": (lengths.sum(), unit)} if lengths.size else {}
    if not has_lengths(tree):
        totals["weight"] = tree.weight, ""
    both = line_frame(tree.graph, tree.edges, tree.u, tree.v).filter(regex="^weight_(first|second)$").sum()
    totals = {name.replace("_", " of the "): (x, "") for name, x in both.items()} or totals
    texts = (f"{name} {x:,.{'0f' if abs(x) >= MANY else '6g'}} {of}" for name, (x, of) in totals.items())
    return ", ".join(map(str.rstrip, texts))


def meetings_hint(graph: Any, within: bool | None = None) -> str:
    """Return a hint on lines that meet without a common vertex, unless columns say that one is a bridge.

    Without places, a crossing in one component may be a bridge. ``within`` says whether only lines of one
    component count, or only lines of two; by default all do.
    """
    if lines_of(graph) is None:
        return ""
    graph, lines, crs = _lines_of_base(graph)
    label = label_components(graph.n, graph.u, graph.v)[graph.u]
    reach = in_units(TOUCHING, crs)
    one, other = shapely.STRtree(lines).query(shapely.box(*(shapely.bounds(lines) + reach * BOTH_WAYS).T))
    first, second = (np.stack([graph.u, graph.v])[:, line] for line in (one, other))
    is_apart = (one < other) & (first != second).all(axis=0) & (first != second[::-1]).all(axis=0)
    one, other = one[is_apart], other[is_apart]
    level = _levels(lines_of(graph).iloc[graph.annotations.table.rows_of(np.arange(graph.m))])
    is_within = label[one] == label[other]
    is_bridge = (level[one] != level[other]) | (is_within & (graph.terminals is None))
    is_bridge &= shapely.crosses(lines[one], lines[other])
    is_counted = ~is_bridge & ((within is None) | (is_within == within))
    if not (count := np.count_nonzero(shapely.dwithin(lines[one], lines[other], reach) & is_counted)):
        return ""
    passed = hint(": {node} splits lines where they meet; a column bridge says where not", node=True)
    pairs = "pair of lines meets" if count == 1 else "pairs of lines meet"
    return f"{count:,} {pairs} where no end is common, so that they are not joined there{passed}"


def _gaps(graph: Any, distance: float = NEAR) -> geopandas.GeoDataFrame:
    """Find ends of streets that are near another street and not joined to it; the nearest first.

    Columns have the vertex, the numbers of a line that ends there and of the other one, the number of
    streets that end there, and the distance; geometries are the shortest lines.
    """
    graph, lines, crs = _lines_of_base(graph)
    places = graph.annotations.terminals
    ends, n = np.stack([graph.u, graph.v]).astype(np.int64), np.int64(graph.n)
    is_street: Any = np.isin(ends, [] if places is None else places, invert=True).all(axis=0)
    at_ends, own = ends[:, is_street].ravel(), np.full(n, graph.m)
    np.minimum.at(own, at_ends, np.tile(np.flatnonzero(is_street), 2))
    degree = np.bincount(at_ends, minlength=graph.n)
    vertex, position = np.flatnonzero(degree), np.full(n, -1)
    position[vertex] = np.arange(len(vertex))
    at, line = near_pairs(lines, graph.coordinates[vertex], crs, distance, position[ends])
    vertex, line = vertex[at[is_street[line]]], line[is_street[line]]
    is_near = np.isin(np.arange(n), vertex)
    edges = np.concatenate([(a * n + b)[is_near[a]] for a, b in (ends, ends[::-1])])
    short = np.flatnonzero(shapely.length(lines) <= SHORT * in_units(_near(graph, crs, distance), crs))
    part = label_components(graph.n, *ends[:, short])  # links may cut a street near its end into short pieces
    is_joined = np.isin(vertex * n + ends[:, line], edges) | np.equal(part[ends[:, line]], part[vertex])
    vertex, line = vertex[~is_joined.any(axis=0)], line[~is_joined.any(axis=0)]
    points = graph.coordinates[vertex]
    ends_of_gaps = points, nearest_points(lines, points, crs, 0, line)[1]
    shortest = shapely.linestrings(np.stack(ends_of_gaps, axis=1))
    columns = {"vertex": vertex, "line": own[vertex], "other_line": line, "degree": degree[vertex]}
    columns["distance"] = lengths_of(shortest, crs)
    gaps = gpd.GeoDataFrame(columns, geometry=shortest, crs=crs).sort_values("distance", kind="stable")
    return gaps[(gaps["distance"] > TOUCHING) & (gaps["distance"] <= distance)]


def street_gaps(graph: Any, distance: float = NEAR) -> geopandas.GeoDataFrame:
    """Find ends of streets that are near another street, and not joined to it.

    These are dead ends within a distance of another street, and common ends of streets within a hundredth of
    it. Links do not count. ``node=1`` joins those within a metre.

    Parameters
    ----------
    graph : Graph or geopandas.GeoDataFrame
        A graph that was made from lines, or what `as_graph` makes one of, such as the streets.
    distance : number
        Greatest distance, in metres, or without a reference system in the unit of coordinates, where 1 is at
        most a thousandth of the extent.

    Returns
    -------
    geopandas.GeoDataFrame
        A row for each end, or for two that are nearest to each other; the nearest first. ``line`` and
        ``other_line`` are the labels of both streets in their frame, or their numbers in the file.
        ``distance`` is in metres, or without a reference system in the unit of coordinates. The geometry is
        the line from the end to the other street.

    Raises
    ------
    GraphTypeError, OptionError
        The graph was not made from lines; or the distance is negative or no number.
    """
    graph, distance = as_graph(graph), real("distance", distance, 0, np.inf)
    if lines_of(graph) is None:
        raise GraphTypeError("gaps are those of streets, and the graph was not made from lines of a map")
    gaps, (graph, _, crs) = _gaps(graph, distance), _lines_of_base(graph)
    near = np.where(gaps["degree"] == 1, 1, 0.01) * _near(graph, crs, distance)
    gaps = gaps[gaps["distance"] <= near].drop_duplicates("vertex")
    gaps = gaps[~gaps.geometry.normalize().to_wkb().duplicated()]  # from one end to another, and back
    for name in "line", "other_line":
        row = graph.annotations.table.rows_of(gaps[name].to_numpy())
        gaps = gaps.assign(**{name: lines_of(graph).index[row]})
    return gaps.drop(columns=["vertex", "degree"]).reset_index(drop=True)


def _near(graph: Any, crs: Any, distance: float = NEAR) -> float:
    """Return the greatest distance of a gap, in the unit of lengths."""
    if crs is not None or distance != NEAR:
        return distance
    return min(NEAR, float(np.ptp(graph.coordinates, axis=0).max(initial=0)) / 1000)


def gaps_hint(graph: Any) -> str:
    """Return a hint on the gaps that `street_gaps` finds; "" without any."""
    if lines_of(graph) is None or not graph.n or not len(gaps := street_gaps(graph)):
        return ""
    count, (x, y), lengths = len(gaps), gaps.geometry[0].coords[0], gaps["distance"]
    are, unit = "end of a line is" if count == 1 else "ends of lines are", "" if gaps.crs is None else " m"
    near_by = f"{count:,} {are} at most {lengths.max():.2g}{unit} from another line, and not joined to it"
    apart = f"such as ({x:.12g}, {y:.12g}), {lengths.min():.2g} apart"
    every = "boruvka info FILE --gaps gaps.gpkg" if is_command_running() else "boruvka.street_gaps(graph)"
    listed = f"; {every} lists them" * (count > 1)
    return f"{near_by}, {apart}: {argument('node', _near(graph, gaps.crs))} joins them{listed}"


def gap_text(graph: Any, is_inside: NDArray[np.bool_], is_outside: NDArray[np.bool_]) -> str:
    """Return what a warning says if lines meet that are not joined, or two components are close by."""
    if lines_of(graph) is None or not is_outside[graph.u].any():  # places that are too far from all lines
        return ""
    if text := meetings_hint(graph, within=False):
        return f"; {text}"
    gaps = _gaps(graph)
    vertex, at_line = gaps["vertex"], graph.u[gaps["other_line"]]
    gaps = gaps[is_inside[vertex] & is_outside[at_line] | is_outside[vertex] & is_inside[at_line]]
    for line, distance in zip(gaps.geometry[:1], gaps["distance"], strict=False):
        first, second = line.coords
        apart = f"the end {first} and a line at {second} are in two of them, only {distance:.2g} apart"
        return f"; {apart}: {argument('node', NEAR)} joins them"
    return ""


def _lines_of_base(graph: Any) -> tuple[Any, NDArray[Any], Any]:
    """Return a graph with the edges that were left out, as they join lines too, its lines, and their crs."""
    graph = graph.base if isinstance(graph, MaskedGraph) else graph
    frame = lines_of(graph)
    lines = np.asarray(frame.geometry.array)[graph.annotations.table.rows_of(np.arange(graph.m))]
    return graph, lines, frame.crs


def reference_system(graph: Graph) -> Any:
    """Return the reference system of the places of vertices, None if it is not known."""
    return getattr(lines_of(graph), "crs", DEGREES if graph.system == "lonlat" else None)


def lines_of(graph: Any) -> Any:
    """Return the frame of lines that a graph was made from, None if there is none."""
    frame = getattr(graph.annotations.table, "frame", None)
    return frame if hasattr(frame, "geometry") else None
