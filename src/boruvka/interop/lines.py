"""Lines of shapely in arrays: their lengths on the earth, their nearest points, and splits of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.connected_components import label_components
from boruvka.graph.coordinates import DEGREES, MAX_LONGITUDE, advice, is_geographic
from boruvka.runtime.libraries import pd, pyproj, shapely

MAX_LATITUDE = 90
"""Largest latitude of a point on the earth."""
MERCATOR_LATITUDE = 89.9
"""Largest latitude on a Mercator map, on which the poles are infinitely far away."""
ROUNDING = 1e-12
"""Distance of a point of a line from this line, as a share of the largest coordinate."""
TOUCHING = 1e-6
"""Distance, in metres, of a point and a line that meet up to rounding."""
NEARLY = 1.01
"""Factor for distances that are measured again: the radius of the earth differs by less than this."""
EARTH_RADIUS = 6_371_009
"""Mean radius of the earth, in metres."""
QUERIED = 512
"""Number of segments whose neighbours are found at once, as many may have one end in common."""
ECCENTRICITY = 0.0818191908426215
"""Eccentricity of the ellipsoid WGS 84."""
WEB_MERCATOR = "Popular Visualisation Pseudo Mercator"
"""Method of EPSG:3857."""


def check_points(lines: NDArray[Any], in_degrees: bool = False) -> None:
    """Raise an error about the first line that has a coordinate which is NaN or infinite.

    In degrees, also about the first one whose longitudes jump from one side of the map to the other.
    """
    coordinates, line = shapely.get_coordinates(lines, return_index=True)
    if (wrong := ~np.isfinite(coordinates).all(axis=1)).any():
        raise GraphError(f"line {line[np.argmax(wrong)]} has a coordinate that is not finite")
    jump = np.abs(np.diff(coordinates[:, 0]))
    is_around = (jump > MAX_LONGITUDE / 2) & (jump <= MAX_LONGITUDE) & (np.diff(line) == 0)
    for k in np.flatnonzero(is_around & in_degrees)[:1].tolist():
        what = f"line {line[k]} goes from longitude {coordinates[k, 0]:g} to {coordinates[k + 1, 0]:g}"
        how = advice("streets.to_crs(CODE)", "ogr2ogr -t_srs EPSG:CODE NEW.gpkg FILE")
        raise GraphError(f"{what}, and cannot be split or joined: convert it to a system in metres{how}")


def rows_without(noun: str, frame: Any) -> str:
    """Return which rows of a frame have no line, or no point, and what they have; "" if all have one."""
    shapes, kinds = np.asarray(frame.geometry.array), {"point": (0, 4), "line": (1, 5)}[noun]
    is_one = np.isin(shapely.get_type_id(shapes), kinds) & ~shapely.is_empty(shapes)
    rows = np.flatnonzero(~is_one).tolist()
    some = ", ".join(f"row {row} ({shapes[row]!s:.30})" for row in rows[:3])
    return f"{len(rows):,} of {len(shapes):,} rows have no {noun}, such as {some}" if rows else ""


def lengths_of(lines: NDArray[Any], crs: Any) -> NDArray[np.float64]:
    """Compute the lengths of lines: in metres on the ellipsoid WGS 84, along all points."""
    if crs is None:
        with np.errstate(over="ignore"):
            lengths: NDArray[np.float64] = shapely.length(lines)
        if not np.isfinite(lengths).all():
            raise GraphError(f"line {np.argmin(np.isfinite(lengths))} is longer than float64 holds")
        return lengths
    points, line = shapely.get_coordinates(lines, return_index=True)
    try:
        to_degrees = pyproj.Transformer.from_crs(crs, DEGREES, always_xy=True)
        x, y = to_degrees.transform(*points.T, errcheck=True)
    except pyproj.exceptions.ProjError as error:
        raise GraphError(
            f"the lines have coordinates that are not on the earth, so they have no length: {error}; take "
            "the weights from a column"
        ) from None
    for kind, values, limit in ("latitude", y, MAX_LATITUDE), ("longitude", x, MAX_LONGITUDE):
        if (beyond := ~(np.abs(values) <= limit)).any():
            k = int(np.argmax(beyond))
            raise GraphError(
                f"line {line[k]} has the {kind} {values[k]:g}, beyond {limit} degrees, so it has no length; "
                "correct it or the coordinate reference system, or take the weights from a column"
            )
    start = np.flatnonzero(line[1:] == line[:-1])
    steps = pyproj.Geod(ellps="WGS84").inv(x[start], y[start], x[start + 1], y[start + 1])[2]
    return np.bincount(line[start], steps, len(lines)).astype(np.float64, copy=False)


def in_units(metres: float, crs: Any) -> float:
    """Convert metres to the unit of coordinates: to degrees of latitude, or where it is not known, to one."""
    if crs is None:
        return metres
    unit: float = crs.axis_info[0].unit_conversion_factor  # metres, or radians
    return metres / (unit * (EARTH_RADIUS if crs.is_geographic else 1))


def rounding_of(lines: NDArray[Any], crs: Any) -> float:
    """Return the distance, in the unit of coordinates, of a point and a line that meet up to rounding."""
    return float(in_units(TOUCHING, crs)) if crs is not None else ROUNDING * _largest(lines)


def _largest(lines: NDArray[Any]) -> float:
    """Return the largest absolute value of a coordinate."""
    return float(np.abs(shapely.total_bounds(lines)).max()) if len(lines) else 0


def split_where_they_meet(
    lines: NDArray[Any], crs: Any, rate: NDArray[Any] | None = None, level: Any = None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Split lines where they cross or touch, up to rounding.

    Parameters
    ----------
    lines : array of lines
        The lines.
    crs : pyproj.CRS, optional
        The coordinate reference system, which has a unit. Without it, rounding is a share of coordinates.
    rate : array, optional
        The weight of each line for a unit of length: of lines that overlap, the lightest counts.
    level : array, optional
        The level of each line: lines of different levels are split only where one of them ends.

    Returns
    -------
    array of lines
        The pieces, in the order of the lines.
    array of int
        The line of each piece, or of those that overlap there, the lightest, else the first.
    """
    if len(levels := np.unique(level)) > 1:
        lines, row = join_ends(lines, crs, rounding_of(lines, crs) if crs is None else TOUCHING)
        found, rows = [], []
        for each in levels:
            i = np.flatnonzero(level[row] == each)
            pieces, line = split_where_they_meet(lines[i], crs, None if rate is None else rate[row[i]])
            found.append(pieces)
            rows.append(row[i[line]])
        line = np.concatenate(rows)
        order = np.argsort(line, kind="stable")
        return np.concatenate(found)[order], line[order]
    lines, row, met = _split_where_they_touch(lines, rounding_of(lines, crs))
    is_met = np.isin(row, row[met])
    alone, row_alone, lines, row = lines[~is_met], row[~is_met], lines[is_met], row[is_met]
    preferred = np.arange(len(lines)) if rate is None else np.argsort(rate[row], kind="stable")
    first = np.unique(shapes_of(lines[preferred])[0], return_index=True)[1]  # GEOS splits others at bends
    lines, row = (each[preferred[np.sort(first)]] for each in (lines, row))
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            pieces = shapely.get_parts(shapely.node(shapely.multilinestrings(lines)))
            middles = shapely.line_interpolate_point(pieces, 0.5, normalized=True)
    except shapely.errors.GEOSException as error:
        raise GraphError(f"the lines cannot be split: {error}") from None
    line = np.append(row_alone, row[_first_at(lines, middles)])
    order = np.argsort(line, kind="stable")
    return np.append(alone, pieces)[order], line[order]


def shapes_of(lines: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Number the shapes of lines, the same for both directions; also return the points of each as bytes."""
    flat = shapely.force_2d(lines)
    there = shapely.to_wkb(flat)
    return pd.factorize(np.minimum(there, shapely.to_wkb(shapely.reverse(flat))))[0], there


def join_ends(lines: NDArray[Any], crs: Any, distance: float) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Join ends of lines that are near each other, and let lines pass through ends that are near them.

    Ends that are joined by steps of at most this distance become one point, where the first of them is. Lines
    are split at ends of other lines.

    Parameters
    ----------
    lines : array of lines
        The lines.
    crs : pyproj.CRS, optional
        The coordinate reference system.
    distance : float
        The distance in metres, or in the unit of coordinates without a reference system.

    Returns
    -------
    array of lines
        The pieces, in the order of the lines. Lines that become points are left out.
    array of int
        The line of each piece.
    """
    coordinates, line = shapely.get_coordinates(lines, return_index=True)
    first = np.searchsorted(line, np.arange(len(lines) + 1))
    at = np.append(first[:-1], first[1:] - 1)
    ends, which = np.unique(coordinates[at], axis=0, return_inverse=True)
    one, other = near_pairs(shapely.points(ends), ends, crs, distance, np.arange(len(ends))[None])
    is_near = lengths_of(shapely.linestrings(np.stack([ends[one], ends[other]], axis=1)), crs) <= distance
    label = label_components(len(ends), one[is_near], other[is_near])
    ends, which = ends[np.unique(label, return_index=True)[1]], label[which.ravel()]
    coordinates[at] = ends[which]
    lines = shapely.set_coordinates(lines.copy(), coordinates)
    row = np.flatnonzero(shapely.length(lines) > 0)
    lines, own = lines[row], which.reshape(2, -1)[:, row]
    end, line = near_pairs(lines, ends, crs, distance, own)
    position, found = nearest_points(lines, ends[end], crs, 0, line)
    is_near = lengths_of(shapely.linestrings(np.stack([found, ends[end]], axis=1)), crs) <= distance
    # the other points of a line stay, and several ends may be near one point of it
    position += np.where((found == ends[end]).all(axis=1), 0, ROUNDING * np.arange(1, len(end) + 1))
    end, line, position = end[is_near], line[is_near], position[is_near]
    pieces, line = split_at_points(lines, line, position, ends[end])
    return pieces, row[line]


def near_pairs(
    shapes: Any, points: NDArray[np.float64], crs: Any, metres: float, own: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find the pairs of a point and a shape that are so near, and some that are less near.

    Column k of ``own`` lists points of shape k, which are left out: most shapes near a point are its own.
    """
    distance = np.full(len(points), NEARLY * in_units(metres, crs))
    if _is_stretched(crs):  # degrees of longitude are shorter
        distance /= np.sqrt(1 - _angles(points, crs)[1] ** 2)
    reach = distance[:, None]
    boxes = shapely.linestrings(np.stack([points - reach, points + reach], axis=1))
    point, shape = shapely.STRtree(shapes).query(boxes)
    is_other = (own[:, shape] != point).all(axis=0)
    point, shape = point[is_other], shape[is_other]
    is_near = shapely.dwithin(shapely.points(points[point]), shapes[shape], distance[point])
    return point[is_near], shape[is_near]


def _near_segments(lines: NDArray[Any], reach: float) -> tuple[NDArray[Any], ...]:
    """Find the pairs of segments that may be within reach of each other, other than at a common end.

    Returns the points of all lines as x + iy, the point and the line of each coordinate, the coordinates
    where segments start, the pairs as an array (2, k), and the lines that may meet others between their ends.
    """
    coordinates, line = shapely.get_coordinates(lines, return_index=True)
    vertex, z = pd.factorize(coordinates.view(np.complex128).ravel(), sort=True)
    start = np.flatnonzero(line[1:] == line[:-1])
    ends, within = np.stack([vertex[start], vertex[start + 1]]), vertex[np.intersect1d(start, start + 1)]
    segments = np.stack([coordinates[start], coordinates[start + 1]], axis=1)
    corners = segments.min(axis=1) - reach, segments.max(axis=1) + reach
    boxes, found = shapely.linestrings(np.stack(corners, axis=1)), []
    tree = shapely.STRtree(boxes)
    for some in np.array_split(np.arange(len(boxes)), len(boxes) // QUERIED + 1):
        one, other = tree.query(boxes[some])
        pairs = np.stack([some[one], other])[:, some[one] < other]
        found.append(pairs[:, _may_meet(z[ends[:, pairs]], reach)])
    pairs = np.concatenate(found, axis=1)
    is_common = (np.bincount(vertex) > 1) & (np.bincount(within, minlength=len(z)) > 0)
    return z, vertex, line, start, pairs, np.append(line[start[pairs]], line[is_common[vertex]])


def _may_meet(ends: NDArray[np.complex128], reach: float) -> NDArray[np.bool_]:
    """Return whether segments may be within reach of each other, other than at a common end.

    ``ends`` is an array (2, 2, k): end i of segment j of pair k.
    """
    apart, (s, t) = ends[:, 1] - ends[:, None, 0], ends[1] - ends[0]
    with np.errstate(over="ignore", invalid="ignore"):  # then they may
        limit = reach * abs(np.stack([s, t]))
        side = np.stack([(s.conj() * apart[0]).imag, (t.conj() * apart[:, 0]).imag])
        is_beside = (side.min(axis=1) > limit) | (side.max(axis=1) < -limit)
        is_obtuse = abs(apart).max(axis=(0, 1)) > np.hypot(abs(s), abs(t))  # the angle at a common end
        is_wide = is_obtuse | (abs(side).max(axis=1) > limit).all(axis=0)
    return ~np.where((apart == 0).any(axis=(0, 1)), is_wide, is_beside.any(axis=0))


def _split_where_they_touch(
    lines: NDArray[Any], reach: float
) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[np.intp]]:
    """Split lines at vertices of lines that are within reach, which become vertices of the pieces.

    GEOS joins only what meets exactly, but few points of a slanted line are numbers of float64. Vertices that
    are within reach of each other become one, unless a segment is as short.

    Returns the pieces, the line of each, and the pieces that may meet others between their ends.
    """
    z, vertex, line, start, pairs, met = _near_segments(lines, reach)
    a, b = ends = np.stack([vertex[start], vertex[start + 1]])
    point, segment = np.divmod(np.unique(ends[:, pairs] * len(start) + pairs[::-1]), max(len(start), 1))
    is_apart = (ends[:, segment] != point).all(axis=0)
    point, segment, points = point[is_apart], segment[is_apart], z.view(np.float64).reshape(-1, 2)
    with np.errstate(over="ignore", invalid="ignore"):
        near = shapely.linestrings(points[ends[:, segment].T])
        is_near = shapely.dwithin(shapely.points(points[point]), near, reach)
    if not is_near.any():
        return lines, np.arange(len(lines)), met
    point, segment = point[is_near], segment[is_near]
    x, y = a[segment], b[segment]
    is_at_x, is_at_y = abs(z[point] - z[x]) <= reach, abs(z[point] - z[y]) <= reach
    is_short, short = np.zeros(len(z), bool), (a != b) & (abs(z[a] - z[b]) <= reach)
    is_short[a[short]] = is_short[b[short]] = True
    end, is_at_end = np.where(is_at_x, x, y), is_at_x | is_at_y
    is_same = is_at_end & ~is_short[point] & ~is_short[end]
    label = label_components(len(z), point[is_same], end[is_same])
    points = points[np.unique(label, return_index=True)[1][label]]
    lines = shapely.set_coordinates(lines.copy(), points[vertex])
    share = ((z[point] - z[x]) / (z[y] - z[x])).real[~is_at_end]
    point, segment = point[~is_at_end], segment[~is_at_end]
    of, position = line[start[segment]], start[segment] + share
    pieces, row = split_at_points(lines, of, position - np.searchsorted(line, of), points[point])
    return pieces, row, _near_segments(pieces, reach)[-1]


def nearest_lines(lines: NDArray[Any], points: NDArray[np.float64], crs: Any) -> NDArray[np.intp]:
    """Find the nearest line to each point, the first of equally near ones, up to rounding.

    Of coordinates in degrees or of Web Mercator, the nearest line is found on a Mercator map of the
    ellipsoid, which keeps angles, as a degree of longitude is shorter than one of latitude.
    """
    if _is_stretched(crs):
        lines, points = shapely.transform(lines, partial(_mercator, crs=crs)), _mercator(points, crs)
    return _first_nearest(lines, shapely.points(points))


def nearest_points(
    lines: NDArray[Any], points: NDArray[np.float64], crs: Any, reach: float, line: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Find the nearest point on a given line to each point.

    A point of a line within ``reach`` of the nearest one is taken.

    Returns
    -------
    (k,) array of float64
        The position on the line: 2.25 is a quarter of the way from its third coordinates to the next.
    (k, 2) array of float64
        The coordinates there.
    """
    scale = np.ones(points.shape)
    if _is_stretched(crs):  # a degree of longitude is so many of latitude near each point
        sine = _angles(points, crs)[1]
        scale[:, 0] = (1 - (ECCENTRICITY * sine) ** 2) / (1 - ECCENTRICITY**2)
        scale[:, 0] *= np.sqrt(1 - sine**2) if crs.is_geographic else 1
    coordinates, point = shapely.get_coordinates(lines[line], return_index=True)
    start = np.flatnonzero(point[1:] == point[:-1])  # of each part between two coordinates of a line
    of = point[start]
    step = np.diff(coordinates, axis=0)[start] * scale[of]
    there = (points[of] - coordinates[start]) * scale[of]
    square = (step**2).sum(axis=1)
    share = np.divide((there * step).sum(axis=1), square, out=np.zeros(len(of)), where=square > 0).clip(0, 1)
    order = np.lexsort((np.hypot(*(share[:, None] * step - there).T), of))
    chosen = order[np.unique(of[order], return_index=True)[1]]
    share, start = share[chosen], start[chosen]
    before, after = coordinates[start], coordinates[start + 1]
    found = before + share[:, None] * (after - before)
    is_at_start, is_at_end = (x * np.sqrt(square[chosen]) <= reach for x in (share, 1 - share))
    found = np.select([is_at_start[:, None], is_at_end[:, None]], [before, after], found)
    position = start - np.searchsorted(point, np.arange(len(points)))
    return np.select([is_at_start, is_at_end], [position, position + 1], position + share), found


def split_at_points(
    lines: NDArray[Any], line: NDArray[np.intp], position: NDArray[np.float64], points: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Split lines at points, which `nearest_points` found; return pieces as `split_where_they_meet` does."""
    is_inside = (position > 0) & (position < shapely.get_num_coordinates(lines)[line] - 1)
    line, position, points = line[is_inside], position[is_inside], points[is_inside]
    split = np.unique(line)
    coordinates, of = shapely.get_coordinates(lines[split], return_index=True)
    where = np.arange(len(of)) - np.searchsorted(of, of)
    coordinates = np.concatenate([coordinates, points])
    of, where = np.append(of, np.searchsorted(split, line)), np.append(where, position)
    order = np.lexsort((where, of))
    is_new = np.append(True, (np.diff(of[order]) != 0) | (np.diff(where[order]) != 0))[: len(order)]
    is_split = np.bincount(np.cumsum(is_new) - 1, order >= len(order) - len(points)) > 0
    kept = order[is_new]
    copies = np.repeat(kept, 1 + is_split)  # the end of a piece is also the start of the next
    starts = np.append(True, (np.diff(of[copies]) != 0) | (np.diff(copies) == 0))[: len(copies)]
    piece = np.cumsum(starts) - 1
    pieces = shapely.linestrings(coordinates[copies], indices=piece) if split.size else lines[:0]
    whole = np.delete(np.arange(len(lines)), split)
    row = np.append(whole, split[of[copies[starts]]])
    order = np.argsort(row, kind="stable")
    return np.append(lines[whole], pieces)[order], row[order]


def _first_at(lines: NDArray[Any], points: NDArray[Any]) -> NDArray[np.intp]:
    """Return the first line on which each point lies, up to rounding; the nearest if there is none.

    A search within a distance takes a sixth of the time of one for the nearest.
    """
    first = _first_nearest(lines, points, 0)
    if (is_on_none := first == len(lines)).any():
        first[is_on_none] = _first_nearest(lines, points[is_on_none])
    return first


def _first_nearest(lines: NDArray[Any], points: NDArray[Any], distance: Any = None) -> NDArray[np.intp]:
    """Return the nearest line to each point, or one within a distance; of several, up to rounding, the first.

    It is the number of lines where there is none.
    """
    tree, first = shapely.STRtree(lines), np.full(len(points), len(lines), np.intp)
    if distance is None:
        distance = tree.query_nearest(points, return_distance=True, all_matches=False)[1]
        if len(distance) < len(points):
            raise GraphError(f"the lines cannot be split: coordinates are as large as {_largest(lines):g}")
    point, line = tree.query(points, "dwithin", distance + ROUNDING * _largest(lines))
    np.minimum.at(first, point, line)
    return first


def _is_stretched(crs: Any) -> bool:
    """Return whether coordinates are degrees, or those of Web Mercator, which is one of a sphere."""
    operation = None if crs is None else crs.coordinate_operation
    return is_geographic(crs) or getattr(operation, "method_name", "") == WEB_MERCATOR


def _angles(points: NDArray[np.float64], crs: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the longitudes in radians, and the sines of the latitudes."""
    x, y = points.T
    if not is_geographic(crs):
        return x / crs.ellipsoid.semi_major_metre, np.tanh(y / crs.ellipsoid.semi_major_metre)
    return np.radians(x), np.sin(np.radians(np.clip(y, -MERCATOR_LATITUDE, MERCATOR_LATITUDE)))


def _mercator(points: NDArray[np.float64], crs: Any) -> NDArray[np.float64]:
    """Project coordinates in degrees, or of Web Mercator, to a Mercator map of the ellipsoid."""
    east, sine = _angles(points, crs)
    return np.column_stack([east, np.arctanh(sine) - ECCENTRICITY * np.arctanh(ECCENTRICITY * sine)])
