"""Points from files: the columns of coordinates become an array, and every value is checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats.files import File, Source
from boruvka.formats.point_tables import PointTable, open_table
from boruvka.graph.exact import inexact
from boruvka.graph.points.validation import ROUNDED
from boruvka.runtime.argument_names import argument, hint
from boruvka.runtime.library_errors import reading_errors

__all__ = ["Points", "read_points"]

_LARGEST_ANGLES = {False: (math.pi / 2, 2 * math.pi), True: (90.0, 360.0)}
"""Largest latitude and longitude, in radians and in degrees."""
_ROUNDING = 1 + 1e-6
"""float32 rounds pi / 2 up."""


class Points(NamedTuple):
    """Points that were read from a file.

    Parameters
    ----------
    coordinates : (n, d) array of integers or floats
        The points, in the order of the file. Integers if all columns hold integers.
    columns : tuple of str
        The names of the columns that were taken; their positions, from 0, where the file names none.
    left_out : tuple of str
        Columns that hold no numbers, where the caller names no columns.
    """

    coordinates: NDArray[Any]
    columns: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def read_points(
    path: File,
    *,
    format: str | None = None,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    degrees: bool | None = None,
) -> Points:
    """Read points from a file: a row is a point, and columns are coordinates.

    Parameters
    ----------
    path : path-like or binary file
        The file: csv, tsv, text between blanks, Parquet, Arrow (Feather), npy or npz; gzip, Zstandard, bzip2
        and xz data is decompressed. A column of Parquet and Arrow may hold lists of one length, such as
        embeddings. The arrays of an npz are its columns; a single one is taken as in npy.
    format : str, optional
        The name of the format; by default the ending of the file decides. A file object needs it.
    columns : sequence of str or int, optional
        The columns of coordinates: names, or positions from 0. By default all that hold numbers.
    header : bool, optional
        Whether the first line of a text names the columns; by default it does if no field of it is a number.
    degrees : bool, optional
        The columns are latitude and longitude: in degrees, which become radians (True), or in radians
        (False). Their range is checked.

    Returns
    -------
    Points

    Raises
    ------
    FormatError
        No format has the ending, the file is malformed, or a value is missing, not a number, infinite or out
        of range; the message names file, line (or row, from 0) and column.
    FileError
        The file cannot be read, or does not fit into memory.
    OptionError
        There is no such format or column, or a file object has no format.
    """
    source = Source(path)

    def read() -> Points:
        try:
            table = open_table(source, format, header)
            everything = range(len(table.columns))
            chosen = everything if columns is None else _columns_of_caller(table, columns)
            with reading_errors(source.path, "a table of points"):  # of a damaged file, even now
                numbers = {i: _numbers(table.columns[i]) for i in chosen}
                if columns is None:
                    numbers = {i: found for i, found in numbers.items() if found is not None}
                return _points_of(source, table, numbers, degrees, names_all=columns is not None)
        except MemoryError:
            raise FileError(f"{source.path}: there is not enough memory to read the file") from None

    return source.attempt(read)


def _columns_of_caller(table: PointTable, columns: Sequence[str | int]) -> list[int]:
    positions = []
    for column in columns:
        if isinstance(column, str) and not table.is_named:
            raise OptionError(f"there is no column {column!r}: the file names none; pass positions from 0")
        if isinstance(column, str) and table.names.count(column) != 1:
            known = ", ".join(table.names)[:200]
            raise OptionError(f"there is no single column {column!r}; the columns are {known}")
        position = table.names.index(column) if isinstance(column, str) else int(column)
        if not 0 <= position < len(table.names):
            raise OptionError(f"there is no column {column}: the file has {len(table.names)} columns, from 0")
        positions.append(position)
    if not positions or len(set(positions)) < len(positions):
        shown = ", ".join(map(str, columns))
        raise OptionError(f"{argument('columns')} must name different columns, got {shown!r}")
    return positions


def _points_of(
    source: Source,
    table: PointTable,
    chosen: Mapping[int, NDArray[Any] | None],
    degrees: bool | None,
    *,
    names_all: bool,
) -> Points:
    """Make points of the chosen columns and their numbers, after a check of every value."""
    taken = tuple(table.names[i] for i in chosen)
    if not chosen:
        known = ", ".join(table.names)[:200]
        raise source.error(f"there is no column of numbers; the columns are {known}")
    columns = []
    for i, numbers in chosen.items():
        if numbers is None:
            raise _not_numbers(source, table, i)
        _check_values(table, i, numbers, names_all)
        columns.append(numbers)
    if not names_all and sum(column.ndim == 2 for column in columns) > 1:
        several = [name for name, column in zip(taken, columns, strict=True) if column.ndim == 2]
        passed = hint(": say which, as {columns}", columns=tuple(several[:1]))
        raise source.error(f"each of {', '.join(several)} may hold the coordinates{passed}")
    if len({len(column) for column in columns}) > 1:
        lengths = ", ".join(f"{name} {len(column)}" for name, column in zip(taken, columns, strict=True))
        passed = hint("; name those of the points, as {columns}", columns=taken[:1])
        raise source.error(f"the columns have different lengths: {lengths}{passed}")
    coordinates = np.column_stack(columns)
    if coordinates.dtype.kind == "f":
        _check_not_rounded(table, dict(zip(chosen, columns, strict=True)))
    if degrees is not None:
        coordinates = _radians(source, table, taken, coordinates, degrees)
    left_out = () if names_all else tuple(name for name in table.names if name not in taken)
    return Points(coordinates, taken, left_out)


def _numbers(column: Any) -> NDArray[Any] | None:
    """Convert a column to numbers, NaN where a value is none; None if no value is one."""
    import polars as pl

    if isinstance(column, np.ndarray):
        return column if column.dtype.kind in "iuf" and column.dtype.itemsize <= 8 else None
    dtype = column.dtype
    if dtype == pl.String:
        return _numbers_of_text(column)
    if dtype == pl.Null or (isinstance(dtype, pl.List | pl.Array) and not dtype.inner.is_numeric()):
        return None
    if isinstance(dtype, pl.List):
        lengths = column.list.len().drop_nulls()
        if lengths.n_unique() != 1 or not lengths[0]:
            return None
        column = column.list.to_array(int(lengths[0]))
    elif not (isinstance(dtype, pl.Array) or dtype.is_numeric()):
        return None
    scalar = getattr(dtype, "inner", dtype)
    if scalar.is_decimal() or scalar in (pl.Int128, pl.UInt128):
        shape = getattr(column.dtype, "shape", None)
        column = column.cast(pl.Float64 if shape is None else pl.Array(pl.Float64, shape))
    return column.to_numpy()


def _numbers_of_text(column: Any) -> NDArray[Any] | None:
    import polars as pl

    stripped = column.str.strip_chars(" \t\r")
    for dtype in (pl.Int64, pl.UInt64):
        whole = stripped.cast(dtype, strict=False)
        if not whole.null_count():
            return whole.to_numpy()
    numbers = stripped.cast(pl.Float64, strict=False)
    return None if numbers.null_count() == len(numbers) else numbers.fill_null(math.nan).to_numpy()


def _not_numbers(source: Source, table: PointTable, i: int) -> FormatError:
    column, name = table.columns[i], table.names[i]
    if isinstance(column, np.ndarray):
        return source.error(f"column {name!r} holds {column.dtype}, not numbers of at most 64 bits")
    kinds = str(column.dtype)
    if kinds.startswith("List"):
        return source.error(f"the lists of column {name!r} are not of one length, or hold no numbers")
    if column.dtype.is_nested():
        return source.error(f"column {name!r} holds {kinds[:40]}, not numbers")
    if len(column) and column.null_count() < len(column):
        shown = str(column.drop_nulls()[0])[:40]
        others = [k for k, other in enumerate(table.columns) if _numbers(other) is not None]
        names = tuple(table.names[k] if table.is_named else k for k in others)
        passed = hint(": pass columns of numbers, as {columns}", columns=names) if others else ""
        return source.error(f"column {name!r} holds no numbers, but {shown!r}{passed}")
    return source.error(f"column {name!r} has no values")


def _check_values(table: PointTable, i: int, numbers: NDArray[Any], names_all: bool) -> None:
    """Raise an error about the first value of a column that is missing, not a number or infinite."""
    if numbers.dtype.kind != "f" or np.isfinite(numbers).all():
        return
    finite = np.isfinite(numbers).reshape(len(numbers), -1).all(axis=1)
    row = int(np.argmin(finite))
    column, name = table.columns[i], table.names[i]
    if isinstance(column, np.ndarray):
        value = numbers[row][~np.isfinite(numbers[row])].flat[0] if numbers.ndim == 2 else numbers[row]
        raise table.error(row, f"{value} in column {name!r} is no coordinate: {_REMOVE}")
    value = column[row]
    if hasattr(value, "to_list"):  # a list of coordinates
        value = next(x for x in value.to_list() if x is None or not math.isfinite(x))
    text = value.strip() if isinstance(value, str) else value
    if text is None or text == "":
        raise table.error(row, f"there is no value in column {name!r}: {_REMOVE}")
    if isinstance(text, str) and not _is_float(text):
        others = tuple(
            other if table.is_named else k
            for k, other in enumerate(table.names)
            if k != i and _numbers(table.columns[k]) is not None
        )
        passed = (
            "" if names_all or not others else hint(", or pass the columns, as {columns}", columns=others)
        )
        raise table.error(row, f"{text[:40]!r} in column {name!r} is not a number: correct it{passed}")
    raise table.error(row, f"{str(text)[:40]!r} in column {name!r} is no coordinate: {_REMOVE}")


def _check_not_rounded(table: PointTable, columns: Mapping[int, NDArray[Any]]) -> None:
    """Raise an error about the first integer that is no float, where other columns hold floats."""
    for i, numbers in columns.items():
        if numbers.dtype.kind in "iu" and (rounded := inexact(numbers, np.dtype(float))) is not None:
            row = int(np.argmax(rounded.reshape(len(rounded), -1).any(axis=1)))
            value = numbers[row][rounded[row]] if numbers.ndim == 2 else numbers[row]
            raise table.error(row, f"{np.ravel(value)[0]} in column {table.names[i]!r}: {ROUNDED}")


_REMOVE = "remove the point, or fill in a number"


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _radians(
    source: Source, table: PointTable, names: tuple[str, ...], coordinates: NDArray[Any], is_degrees: bool
) -> NDArray[np.float64]:
    """Check latitudes and longitudes, and convert them to radians."""
    if coordinates.shape[1] != 2:
        passed = hint(": name them, as {columns}", columns=("lat", "lon"))
        raise source.error(
            f"haversine needs two columns, latitude and longitude{passed}; these are {', '.join(names)[:200]}"
        )
    low = [name.lower() for name in names]
    if len(names) == 2 and low[0].startswith(("lon", "lng")) and low[1].startswith("lat"):
        passed = hint(": pass {columns}", columns=(names[1], names[0]))
        raise source.error(f"haversine needs the latitude first, then the longitude{passed}")
    largest = _LARGEST_ANGLES[is_degrees]
    for i, (kind, limit) in enumerate(zip(("latitude", "longitude"), largest, strict=True)):
        is_beyond = np.abs(coordinates[:, i]) > limit * _ROUNDING
        if is_beyond.any():
            row = int(np.argmax(is_beyond))
            value, name = coordinates[row, i], names[min(i, len(names) - 1)]
            what = f"{value:g} in column {name!r} is no {kind}"
            if is_degrees:
                raise table.error(row, f"{what} in degrees, from -{limit:g} to {limit:g}")
            passed = hint("; for degrees pass {degrees}", degrees=True)
            raise table.error(row, f"{what} in radians, from -{limit:.4g} to {limit:.4g}{passed}")
    angles = coordinates.astype(np.float64, copy=False)
    return np.radians(angles) if is_degrees else angles
