"""Validation of points, for every entrance and any number of points.

Refused are coordinates that are missing, NaN or infinite; coordinates so large or so close together that
squares overflow or underflow; angles that are not a latitude or longitude; and vectors without a direction.
So a distance of a metric with a name is never NaN, nor infinite by overflow, and is 0 only for points that
are equal or nearly so.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, first_true, shown, shown_names, warn
from boruvka.graph import axis_names, distances
from boruvka.graph.columns import is_number, read_array, refuse_path
from boruvka.graph.exact import inexact
from boruvka.graph.labels import are_ids, is_called_id, is_pandas, is_table
from boruvka.graph.no_values import is_missing
from boruvka.graph.text_numbers import number_in
from boruvka.runtime.arguments import argument, hint
from boruvka.runtime.processors import check_room

LARGEST_ANGLES = math.pi / 2 + 1e-7, 2 * math.pi + 1e-6
"""The largest latitude and longitude. pi / 2 as a float32 is larger than pi / 2; much larger latitudes would
cancel in the formula, so that its error is more than `boruvka.graph.points.search_metric.CHORD_ERROR`."""
_MANY_DIMENSIONS = 100
"""Coordinates for each of two or three points, of which more are likely the axes of as many points."""
_SEVERAL = 20
"""Number of points of which hardly ever all are in one half of their periodic box."""
VECTORS = distances.cosine, distances.correlation
"""Metrics of directions."""
LARGEST = {
    **dict.fromkeys((distances.euclidean, distances.squared_euclidean, *VECTORS), 1e150),
    **dict.fromkeys((distances.manhattan, distances.chebyshev), 1e300),
    **dict.fromkeys((distances.canberra, distances.braycurtis), 1e300),
}
"""The largest coordinates of which sums, or sums of squares, do not overflow in any number of dimensions."""
SMALLEST = 1e-140
"""Squares of smaller numbers lose digits, or are 0."""
SQUARING = distances.euclidean, distances.squared_euclidean, *distances.ON_SPHERE
"""Metrics that square differences of coordinates."""
COMPARING = distances.hamming, distances.hamming_of_present, distances.scaled_hamming
"""Metrics that only compare coordinates."""
NAMED: set[Any] = {*(getattr(distances, name) for name in distances.__all__), *COMPARING}
"""Metrics that take coordinates of any type."""
_POSITION_OR_LATITUDE = re.compile(r"(?i)y$|column_\d+$|(.*[^a-z])?(lat|dec)")
"""Names of first columns that only number them, or that say that they are a latitude."""
_SENTINELS = -99, -999, -9999
"""Numbers that stand for missing values in catalogues."""
_HOURS = 24
"""Largest right ascension in hours."""
_LAST_WORD_NUMBER = re.compile(r"(?i).+[\s_.-](no|nr|number|code|key)")
"""Names of columns whose integers may be ids, too."""
_UNEQUAL, _LEAST_ROWS = 1000, 10
"""Ratio of standard deviations from which one column hardly matters, and number of rows to know it."""
ROUNDED = "float64 would round it: subtract a common point from all"
"""Reason why an integer is refused, for a message."""


def read_points(points: Any, distance: Callable[[Any, Any], Any]) -> NDArray[Any]:
    """Convert points to a contiguous array of a type that the metric takes, and check them.

    Metrics with a name get rows of coordinates: float64, or integers, and booleans as 0 and 1, if they only
    compare. Functions get integers as int64, whose differences do not wrap around; uint64 stays.

    Raises
    ------
    GraphError, GraphTypeError
        The points are not an array of numbers, or the metric is not defined for them.
    """
    refuse_path("points", points, "pandas.read_csv({})")
    if is_table(points) and len(points) and not len(points.columns):
        raise GraphError("points have no column of coordinates")
    warn_of_columns("points", points, distance)
    check_degrees("points", points, distance, "great_circle")
    with naming_columns("points", points):
        return _read_points(points, distance)


def _read_points(points: Any, distance: Callable[[Any, Any], Any]) -> NDArray[Any]:
    array = read_array("points", dense_rows("points", points))
    if array.ndim == 2 and 1 < len(array) <= 3 and array.shape[1] > _MANY_DIMENSIONS * len(array):
        n, d = array.shape
        warn(f"points are {n} rows of {d:,} coordinates: write numpy.transpose(points) for {d:,} rows")
    if array.ndim not in (1, 2):
        raise GraphError(f"points are an array of one or two dimensions, this one has shape {array.shape}")
    if not array.size:
        array = np.empty(array.shape)
    if array.dtype.kind not in "iufb" or array.dtype.itemsize > 8:
        raise not_numbers(array)
    array = np.ascontiguousarray(array, _dtype_of_points(array.dtype, distance))
    if distance in NAMED and array.ndim == 1:
        array = array.reshape(-1, 1)
    check_points(array, distance)
    is_computed = distance in NAMED and distance not in COMPARING
    return array.astype(np.float64, copy=False) if is_computed else array  # no integer is rounded: see above


@contextmanager
def naming_columns(name: str, points: Any, may_be_missing: bool = False) -> Iterator[None]:
    """Let an error about points of a frame name the column and the row, and say what to write.

    Raises
    ------
    GraphTypeError
        A column of a frame has texts, or dates or spans of time, which would be converted to numbers.
    """
    if is_table(points):
        _refuse_dates(name, points)
        if any(isinstance(x, str) for _, column in _columns(points) for x in _items(column)):
            _check_table(name, points, may_be_missing)  # scikit-learn would convert digits, as of postcodes
    try:
        yield
    except (TypeError, ValueError):
        if is_table(points):
            _check_table(name, points, may_be_missing)
        elif hasattr(points, "to_frame") and _has_lists(points):
            raise GraphTypeError(f"{name} has a list or an array in each row: {_stacked(name)}") from None
        raise


def in_space(points: Any, metric: Any, name: str = "") -> Any:
    """Return the columns of x and y, and z, of a frame alone, as of files, and warn if it has others.

    The frame has a name in messages if the others are coordinates nevertheless.
    """
    if not is_table(points) or str(getattr(metric, "__name__", metric)) in distances.UNITS:
        return points
    own = [points.columns[i] for i in sorted(axis_names.space_columns(points.columns))]
    others = [column for column in points.columns if column not in own]
    if own and others:
        what = f"coordinates, too: write {name}[{own}], or {name}.to_numpy() if they are"
        what = what if name else "left out: write points.to_numpy() for all columns"
        warn(f"columns beside {shown_names(own)} are {shown_names(others)}, and are {what}")
    return points[own] if own else points


def warn_of_columns(name: str, points: Any, distance: Any) -> None:
    """Warn of columns of a frame that are hardly coordinates, or hardly all of one scale.

    Warns
    -----
    GraphWarning
        A column is called as ids, and differs in each row; or one spreads so much farther than another that
        it alone decides the distances; or columns are beside x and y. All are coordinates nevertheless.
    """
    if not is_table(points):
        return
    numbers = dict[Any, Any]()
    for column, values in _columns(points):
        is_float = values.dtype.kind == "f" if is_pandas(points) else values.dtype.is_float()
        is_integer = values.dtype.kind in "iu" if is_pandas(points) else values.dtype.is_integer()
        is_id = is_called_id(column) and (is_integer or is_float)  # floats may be ids that were scaled
        is_id = is_id or (is_integer and _LAST_WORD_NUMBER.fullmatch(str(column)))
        if is_id and len(values.unique()) == len(values):
            without = "set_index" if is_pandas(points) else "drop"
            warn(
                f"the column {shown(column)} is a coordinate, though it looks like ids: write "
                f"{name}.{without}({shown(column)}) if they are, {name}.to_numpy() if they are not"
            )
        elif is_integer or is_float:
            numbers[column] = values
    warn_of_spreads(numbers, distance, name)
    in_space(points, distance, name)


def warn_of_spreads(columns: dict[Any, Any], distance: Any, name: str = "") -> None:
    """Warn of a column that spreads much farther than another, or of x, y and z, farther than both others.

    Warn also of x, y and z that have different units by their names. The points have a name in Python.
    """
    units = axis_names.space_units(columns) if distance in distances.IN_BOX else {}
    if len({*units.values()}) > 1:
        warn(f"the columns {shown_names(list(units))} have different units by their names: convert them")
    if distance not in distances.IN_BOX or len(next(iter(columns.values()), ())) < _LEAST_ROWS:
        return
    with np.errstate(invalid="ignore"):  # of infinities
        spreads = {column: x.std() for column, x in columns.items()}
    known = [x for x in spreads if isinstance(spreads[x], float | np.floating) and 0 < spreads[x] < math.inf]
    is_space = {"x", "y"} <= {*axis_names.axes_of(columns)}
    if len(order := sorted(known, key=spreads.__getitem__)) > 1:
        narrow, wide = order[-2 if is_space else 0], order[-1]
        if (ratio := spreads[wide] / spreads[narrow]) >= (_UNEQUAL / 2 if is_space else _UNEQUAL):
            scaled = f"write sklearn.preprocessing.scale({name}), or {name}.to_numpy() if it is meant"
            advice = scaled if name and not is_space else "are their units equal?"
            advice += " Else pass --scale" * (argument("scale", True) == "--scale" and not is_space)
            warn(f"the column {shown(wide)} spreads {ratio:,.0f} times as far as {shown(narrow)}: {advice}")


def warn_of_distances(name: str, points: NDArray[Any], instead: str, is_sparse: bool = False) -> None:
    """Warn of points that are a matrix of numbers from 0, with zeros on its diagonal; symmetric, or sparse.

    Warns
    -----
    GraphWarning
        It says what to write if these are distances, as ``scipy.cluster.hierarchy.linkage`` warns.
    """
    n = len(points)
    if n < 3 or points.shape != (n, n) or points.diagonal().any() or not points.any():
        return
    if points.min() >= 0 and (is_sparse or np.allclose(points, points.T)):
        warn(
            f"{name}: a {'sparse' if is_sparse else 'symmetric'} matrix with zeros on the diagonal, as of "
            f"distances, but its rows are taken as points: {instead} if these are distances"
        )


def check_degrees(name: str, points: Any, distance: Any, on_sphere: str) -> None:
    """Check the columns of a frame that are called latitude and longitude, or dec and ra.

    Parameters
    ----------
    name : str
        Name of the points in messages.
    points : object
        The points; only of frames are columns known.
    distance : callable
        The metric.
    on_sphere : str
        The metric to write instead of a Euclidean one.

    Raises
    ------
    GraphError
        The longitude comes first in a metric on the sphere.

    Warns
    -----
    GraphWarning
        A metric of a plane takes them; or one on the sphere, and they may not be in radians.
    """
    if not is_table(points):
        return
    axes = axis_names.axes_of(points.columns, distance in distances.ON_SPHERE)
    at = columns_of_angles(points, distance in distances.ON_SPHERE)
    if not at:
        if axis_names.has_parts(points.columns):
            raise GraphError("the columns RAh ... DEs are the parts of angles: write degrees=True")
        if distance in distances.ON_SPHERE:
            warn_of_order(points.columns, name)
        sky = sky_columns(dict(_columns(points))) if distance in distances.IN_BOX else []
        at = [[list(points.columns).index(column)] for column in sky]
        axes = axis_names.axes_of(points.columns, True)
    if not at:
        return
    (latitude, *_), (longitude, *_) = at
    names = [points.columns[latitude], points.columns[longitude]]
    on_sphere = "haversine" if axes[longitude] == "ra" else on_sphere
    if distance in distances.ON_SPHERE and longitude < latitude:
        raise GraphError(f"the first column is the latitude, the second the longitude: write {name}[{names}]")
    if distance in distances.ON_SPHERE:
        way = "write degrees=True" if name == "points" else "convert them by numpy.radians, and rename them,"
        array = f"write {name}[{names}].to_numpy() with {distance.__name__!r} if in radians"
        with suppress(TypeError, ValueError):  # of texts, which become an error
            angles = np.degrees(points[names].to_numpy()) if axes[longitude] == "ra" else None
            warn_of_unit(names, angles, False, f"{way} if in degrees", array)
    if distance in distances.IN_BOX and not _are_centred(points, names):
        is_plane = len(points.columns) == 2
        meant = "a plane is meant" if is_plane else "all columns count"
        way = f"{argument('metric', on_sphere)} and numpy.radians({name}[{names}])"
        way = f"Graph.from_points(points[{names}], {on_sphere!r}, degrees=True)" if name == "points" else way
        with suppress(TypeError, ValueError):  # of texts, which become an error
            meant += "" if is_plane else f"; then {advice_on_plane(names[0], names[1], points[names[1]])}"
        warn(
            f"the columns {shown_names(names)} count as x and y of a plane, where degrees of longitude have "
            f"one length: write {way}, or {name}.to_numpy() if {meant}"
        )


def advice_on_plane(lat: Any, lon: Any, degrees: Any) -> str:
    """Say what to write in place of degrees of longitude among other quantities, and what is torn else."""
    x = np.asarray(degrees, np.float64)
    middle = np.degrees(np.angle(np.exp(1j * np.radians(x[np.isfinite(x)])).sum())) % 360
    torn = " (else neighbours on both sides of its end are far apart)" * is_torn(x)
    return f"replace {lon} by (({lon} - {middle:.6g} + 180) % 360 - 180) * cos(radians({lat})){torn}"


def is_torn(degrees: NDArray[Any]) -> bool:
    """Return whether longitudes extend over more than half of a circle, and no farther than all of it."""
    x = degrees[np.isfinite(degrees)]
    return bool(x.size and 180 < np.ptp(x) <= 360)


def _are_centred(frame: Any, names: list[Any]) -> bool:
    """Return whether columns have the mean 0, as scikit-learn scales them: they are not degrees then."""
    with suppress(TypeError, ValueError):  # of texts
        return all(abs(frame[name].mean()) <= 1e-5 * frame[name].std() for name in names)
    return False


def warn_of_order(columns: Iterable[Any], name: str = "") -> None:
    """Warn which of two columns is the latitude, if neither position nor name says it.

    The points have a name in Python; columns of files have none.
    """
    first, *others = columns
    if len(others) != 1 or not isinstance(first, str) or _POSITION_OR_LATITUDE.match(first):
        return
    way = hint("pass {columns} if they are exchanged", columns=(*others, first))
    if name:
        way = f"write {name}[{[*others, first]}].to_numpy() if they are exchanged, {name}.to_numpy() if not"
    warn(f"{first} is taken as the latitude, and {others[0]} as the longitude: {way}")


def columns_of_angles(frame: Any, are_angles: bool) -> list[list[int]]:
    """Return the positions of the columns of latitude and longitude of a frame, see `angle_columns`."""
    have_numbers = [not _items(values.head(1)) for _, values in _columns(frame)]
    return axis_names.angle_columns(list(frame.columns), have_numbers, are_angles)


def warn_of_unit(
    names: Sequence[Any], angles: NDArray[Any] | None, are_degrees: bool, of_degrees: str, of_radians: str
) -> None:
    """Warn of latitudes and longitudes whose columns are called as another unit, or that look like another.

    Parameters
    ----------
    names : sequence of str
        The columns.
    angles : (n, 2) array, optional
        Declinations and right ascensions, in degrees; None if their unit is sure.
    are_degrees : bool
        Whether they are taken as degrees, else as radians.
    of_degrees, of_radians : str
        What to do if they are in degrees, and if they are in radians.
    """
    units = ("degrees", "radians")[:: 1 if are_degrees else -1]
    both, largest = " and ".join(map(str, names)), np.array([math.inf] * 2)
    if angles is not None and angles.size:
        largest = np.nanmax(np.abs(angles), axis=0, initial=0)
    if are_called(units[1][:3], names):
        advice = of_radians if are_degrees else of_degrees
        warn(f"{both} are called {units[1]}, and are taken as {units[0]}: {advice}")
    elif are_degrees and (largest <= LARGEST_ANGLES).all():
        warn(f"{both} are taken as degrees, and look like radians: {of_degrees}; {of_radians}")
    elif largest[1] <= _HOURS and (angles is None or not (angles[:, 1] < 0).any()):
        advice = of_degrees if are_degrees else of_radians
        warn(f"{names[1]} is at most 24 degrees: multiply it by 15 if it has hours; {advice}")


def are_called(unit: str, columns: Iterable[Any]) -> bool:
    """Return whether a name of a column ends with a unit, "deg" or "rad", as "RA_deg" or "lat [degrees]"."""
    end = rf"(?i).*(?<!g){unit}(rees?|ians?|s)?\W*"
    return any(re.fullmatch(end, str(column)) for column in columns)


def sky_columns(columns: dict[Any, Any]) -> list[Any]:
    """Return latitude and longitude, if columns called as in `ONLY_ANGLES` look like degrees."""
    names = {str(name).strip().lower().replace("laenge", "länge"): name for name in columns}
    for pair, meant in axis_names.ONLY_ANGLES.items():
        found = [names[x] for x in pair[::-1] if x in names and "a" not in names]  # not L, a, b of colors
        with suppress(TypeError, ValueError):  # of texts, which become an error
            (south, north), (low, high) = [(columns[x].min(), columns[x].max()) for x in found]
            is_likely = south < 0 or high > 90 or meant == "lon lat"
            if -90 <= south <= north <= 90 and -180 <= low <= high <= 360 and is_likely:
                return found
    return []


def _refuse_dates(name: str, frame: Any) -> None:
    for column, values in _columns(frame):
        dtype = values.dtype
        if getattr(dtype, "kind", "") in "mM" if is_pandas(frame) else dtype.is_temporal():
            dropped = f"columns={shown(column)}" if is_pandas(frame) else shown(column)
            what = f"the column {shown(column)} has dates or spans of time"
            raise GraphTypeError(f"{what}: convert it to a number, as days, or write {name}.drop({dropped})")


def _check_table(name: str, frame: Any, may_be_missing: bool) -> None:
    """Raise an error about the first column that has texts, or the first row that is not finite."""
    has_index = is_pandas(frame)
    rows = frame.index if has_index else range(len(frame))
    numbers = ".select_dtypes('number')" if has_index else ".select(polars.selectors.numeric())"
    columns = sorted(_columns(frame), key=lambda each: not _has_lists(each[1]))  # texts may be their names
    for k, (column, values) in enumerate(columns):
        items = zip(rows, _items(values), strict=False)  # none of numbers; the texts of numbers come last
        for row, x in sorted(items, key=lambda item: is_number(number_in(item[1]))):
            if isinstance(x, Real) or (np.ndim(x) == 0 and is_missing(x)):
                continue
            if np.ndim(x):
                what = f"the column {shown(column)} has a list or an array in each row"
                raise GraphTypeError(f"{what}: {_stacked(f'{name}[{shown(column)}]')}")
            axis = axis_names.axis_of(column)
            if isinstance(x, str) and axis in axis_names.ANGLES:
                is_read = name == "points" and axis in ("ra", "dec") and axis_names.SEXAGESIMAL.fullmatch(x)
                way = "write degrees=True" if is_read else axis_names.TO_DEGREES
                raise GraphTypeError(f"the column {shown(column)} has texts, {shown(x)}: {way}")
            is_id = k == 0 and has_index and (is_called_id(column) or are_ids(values.to_list()))
            as_index = f".set_index({shown(column)})" if is_id else ""
            if name == "points" and axis_names.angle_columns(list(frame.columns), [True] * frame.shape[1]):
                as_index, numbers = "", f"{as_index} with degrees=True"
            way = f"{as_index}{numbers} for the columns of numbers, or convert its texts"
            if all(is_number(number_in(text)) for _, each in columns for text in _items(each) or [None]):
                way = (".astype(float)" if has_index else ".cast(polars.Float64)") + " for numbers"
            what = f"the column {shown(column)} has {shown(x)} in the row {shown(row)}, which is no number"
            raise GraphTypeError(f"{what}: write {name}{way}")
    array = frame.to_numpy(np.float64, na_value=np.nan) if has_index else frame.to_numpy().astype(np.float64)
    wrong = ~np.isfinite(array)
    if wrong.any() and not may_be_missing:
        row, k = np.argwhere(wrong)[0].tolist()
        finite = ".filter(polars.all_horizontal(polars.all().is_finite()))"
        others = f"[numpy.isfinite({name}.astype(float)).all(axis=1)]" if has_index else finite
        raise GraphError(
            f"the column {shown(frame.columns[k])} is {array[row, k]} in the row {shown(rows[row])}; "
            f"{np.count_nonzero(wrong.any(axis=1)):,} of {len(frame):,} rows have such gaps: write "
            f"{name}{others} for the others, or fill the gaps"
        )


def _columns(frame: Any) -> Iterable[tuple[Any, Any]]:
    """Return the names and the columns of a frame of pandas or polars."""
    return frame.items() if is_pandas(frame) else zip(frame.columns, frame, strict=True)


def _items(column: Any) -> list[Any]:
    """List the values of a column; none of a column of numbers."""
    dtype = column.dtype
    is_numeric = dtype.is_numeric() if hasattr(dtype, "is_numeric") else dtype.kind in "iufb"
    return [] if is_numeric else column.to_list()


def _has_lists(column: Any) -> bool:
    """Return whether the first value of a column is a list or an array."""
    return any(map(np.ndim, _items(column)[:1]))


def _stacked(column: str) -> str:
    return f"write numpy.stack({column}) for the rows of an array"


def read_box(box: Any, d: int, distance: Callable[[Any, Any], Any]) -> NDArray[np.float64] | None:
    """Return the length of a periodic box along each of d axes, infinite where it is open; None for no box.

    Raises
    ------
    OptionError
        The metric is not defined in a box, or a length is missing or not positive.
    """
    if box is None:
        return None
    name = argument("box")
    if distance not in distances.IN_BOX:
        known = ", ".join(metric.__name__ for metric in distances.IN_BOX)
        raise OptionError(f"{name} is for the metrics {known}, not {getattr(distance, '__name__', distance)}")
    box = box.item() if isinstance(box, np.ndarray) and box.ndim == 0 else box
    given = [box] * d if np.ndim(box) == 0 else list(box)
    if len(given) != d:
        raise OptionError(f"{name} has {len(given)} lengths, points have {d} coordinates: pass one for each")
    for length in given:
        if length is not None and not (isinstance(length, Real) and float(length) >= 0):
            what = "a positive length, or one for each axis (inf, 0 or None for an open axis)"
            raise OptionError(f"{name} is {what}, not {shown(length)}")
    lengths = np.array([length or math.inf for length in given], np.float64)
    return None if np.isinf(lengths).all() else lengths


def outside_of_box(
    points: NDArray[Any], lengths: NDArray[np.float64], advice: str
) -> tuple[int, int, str] | None:
    """Return the place of the first coordinate outside of a periodic box, and the rest of a message.

    The message has the advice, which is how to wrap points, if coordinates are less than a length outside.
    """
    finite = np.where(np.isfinite(lengths), lengths, 0)
    for margin, what in (1, "are units equal? Else leave out the column"), (0, advice):
        wrong = (finite > 0) & ((points < -margin * finite) | (points > (1 + margin) * finite))
        if wrong.any():
            row, k = np.argwhere(wrong)[0].tolist()
            if points[row, k] in _SENTINELS:
                null = argument("null_value", int(points[row, k]))
                what = f"is it a missing value (leave the point out, in files by {null})? Or {what}"
            return row, k, f"is outside of the periodic box, from 0 to {lengths[k]:.15g}: {what}"
    return None


def wrap(
    points: NDArray[np.float64], lengths: NDArray[np.float64], columns: Any = None
) -> NDArray[np.float64]:
    """Return points of a periodic box, where a coordinate at its end is 0; others outside are an error.

    Columns are the names of the coordinates, for messages.

    Warns
    -----
    GraphWarning
        There are several points, and the box is much longer than they extend along an axis.
    """
    if (found := outside_of_box(points, lengths, "points % box are in it")) is not None:
        row, axis, what = found
        column = f"coordinate {axis}" if columns is None else f"the column {shown(columns[axis])}"
        raise GraphError(f"{column} of point {row} is {points[row, axis]}, which {what}")
    extents = np.ptp(points, axis=0) if len(points) >= _SEVERAL else lengths
    if (k := first_true(np.isfinite(lengths) & (lengths > 2 * extents) & (extents > 0))) is not None:
        what = f"points extend over {extents[k]:g} on axis {k}, the box over {lengths[k]:g}"
        warn(f"{what}: are units equal? An open axis has the length inf in {argument('box')}")
    return np.where(points == lengths, 0.0, points)


def dense_rows(name: str, points: Any) -> Any:
    """Return the rows of a sparse array of SciPy as a dense array; others as they are."""
    sparse = sys.modules.get("scipy.sparse")  # a sparse array exists only after its import
    if sparse is None or not sparse.issparse(points):
        return points
    check_room(f"the dense rows of {name}", 8 * math.prod(points.shape))
    return points.toarray()


def check_points(points: NDArray[Any], distance: Callable[[Any, Any], Any]) -> None:
    """Raise a `GraphError` if a point is not finite, or the metric is not defined for it."""
    check_range(points, distance)
    check_directions(points, distance)


def check_range(points: NDArray[Any], distance: Callable[[Any, Any], Any] | None) -> None:
    """Raise a `GraphError` unless points are finite, and no distance overflows or underflows.

    For a function that is not in `boruvka.graph.distances`, points need only be finite.
    """
    if distance in distances.ON_SPHERE and points.shape[1:] != (2,):
        name = getattr(distance, "__name__", "")
        how = "such as points[['lat', 'lon']], in radians or with degrees=True"
        raise GraphError(f"{name} takes two columns, latitude and longitude, not shape {points.shape}: {how}")
    if not points.size:
        return
    low, high = points.min(), points.max()  # NaN if a coordinate is
    if not (-math.inf < low and high < math.inf):
        raise _error(points, ~np.isfinite(points), "NaN and inf are not coordinates: remove the point")
    if distance in distances.ON_SPHERE:
        _check_angles(points)
    if points.dtype.kind == "f":
        largest = LARGEST.get(distance, math.inf)  # type: ignore[arg-type]
        if max(-low, high) > largest:
            what = f"distances of coordinates beyond {largest:g} overflow: divide all by a common number"
            raise _error(points, np.abs(points) > largest, what)
        _check_extents(points, distance)
    elif distance in NAMED and distance not in COMPARING:
        check_exact(points)


def warn_of_sentinels(
    points: NDArray[Any], names: Sequence[Any] = (), table: Any = None, argument_name: str = "points"
) -> None:
    """Warn of coordinates that stand for missing ones by custom, and are far below all others.

    So they are if no other is negative, or by the range of the others. Of few points, one alone does not
    count. The columns may have names, as in a table.
    """
    if not points.size or points.ndim == 1 or points.min() > max(_SENTINELS):  # so it is nearly always
        return
    n, lowest = len(points), points.min(axis=0)
    for k in np.flatnonzero(np.isin(lowest, _SENTINELS)).tolist():
        low, others = lowest[k], points[points[:, k] > lowest[k], k]
        is_likely = 0 < len(others) < n - (n < _SEVERAL)
        if is_likely and ((least := float(others.min())) >= 0 or least - low > np.ptp(others) / 2):
            name = f"the column {shown(names[k])}" if len(names) == points.shape[1] else f"coordinate {k}"
            what = f"{name} is {low:g} in {n - len(others):,} of {n:,} points, far below all others"
            way = f"leave them out (in files by {argument('null_value', int(low))})"
            if is_table(table):
                polars = f"filter(~polars.any_horizontal(polars.all() == {low:g}))"
                way = f"replace({low:g}, numpy.nan)" if is_pandas(table) else polars
                way = f"write {argument_name}.{way}"
            warn(f"{what}: {way} if it stands for a missing value")


def check_directions(points: NDArray[Any], distance: Callable[[Any, Any], Any]) -> None:
    """Raise a `GraphError` if a vector has no direction, so that its cosine or correlation is not defined."""
    if distance is distances.cosine:
        wrong, what = ~points.any(axis=1), "is zero and has no direction"
    elif distance is distances.correlation:
        wrong, what = (points == points[:, :1]).all(axis=1), "is constant and has no correlation"
    else:
        return
    if (i := first_true(wrong)) is not None:
        raise GraphError(f"point {i} {what}: remove it, or pass another metric")


def check_exact(integers: NDArray[Any]) -> None:
    """Raise a `GraphError` if float64, in which distances are computed, does not hold a coordinate."""
    if (rounded := inexact(integers, np.dtype(np.float64))) is not None:
        raise _error(integers, rounded, ROUNDED)


def _dtype_of_points(dtype: np.dtype[Any], distance: Callable[[Any, Any], Any]) -> np.dtype[Any]:
    if dtype.kind == "f":
        return np.dtype(np.float64)
    if dtype.kind == "b":
        return np.dtype(np.uint8 if distance in NAMED else np.bool_)
    is_kept = distance in NAMED or (dtype.kind == "u" and dtype.itemsize == 8)
    return dtype.newbyteorder("=") if is_kept else np.dtype(np.int64)


def _check_extents(points: NDArray[Any], distance: Callable[[Any, Any], Any] | None) -> None:
    """Raise a `GraphError` if all points, or coordinates of a vector, are so close that squares underflow."""
    if distance in SQUARING:
        if (np.abs(points[-1] - points[0]) >= SMALLEST).any():
            return  # nearly always
        if 0 < (extent := np.abs(points - points[0]).max()) < SMALLEST:
            raise GraphError(
                f"points differ by {extent:.3g}, whose square underflows: multiply all by a number"
            )
    elif distance in VECTORS:
        low, high = points.min(axis=1), points.max(axis=1)
        extents = np.maximum(high, -low) if distance is distances.cosine else high - low
        if (i := first_true((extents > 0) & (extents < SMALLEST))) is not None:
            what = f"point {i} has the extent {extents[i]:.3g}, whose square underflows"
            raise GraphError(f"{what}: multiply it by a number, its direction stays the same")


def _check_angles(points: NDArray[Any]) -> None:
    wrong = (np.abs(points) > LARGEST_ANGLES).any(axis=1)
    if (i := first_true(wrong)) is not None:
        way = "numpy.radians converts degrees" if 2 * wrong.sum() >= wrong.size else "remove the point"
        raise GraphError(
            f"point {i} is {tuple(points[i].tolist())}: latitudes are from -pi/2 to pi/2 and longitudes from "
            f"-2 pi to 2 pi, in radians; {way}"
        )


def not_numbers(array: NDArray[Any]) -> GraphTypeError:
    """Make an error that names the first coordinate that is not a number, or their type."""
    if array.dtype.kind == "O":
        for at in np.ndindex(array.shape):
            if not isinstance(array[at], Real):
                return GraphTypeError(f"{_name(at)} is {shown(array[at]):.50}: expected a number")
        return GraphTypeError("points have dtype object: convert them, as numpy.asarray(points, float)")
    return GraphTypeError(
        f"points are integers or floats of at most 64 bits, these have dtype {array.dtype}; "
        "numpy.unique(..., return_inverse=True) numbers categories"
    )


def _error(points: NDArray[Any], wrong: NDArray[np.bool_], what: str) -> GraphError:
    """Make an error about the first wrong coordinate."""
    at = np.unravel_index(int(np.argmax(wrong)), points.shape)
    return GraphError(f"{_name(at)} is {points[at]}: {what}")


def _name(at: Any) -> str:
    return f"coordinate {at[1]} of point {at[0]}" if len(at) > 1 else f"point {at[0]}"
