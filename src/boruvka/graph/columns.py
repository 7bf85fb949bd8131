"""Columns of any library as arrays of numbers, polars columns of strings, or lists of Python objects.

Without polars, columns of strings are lists as well.

Only this module decides whether the ends of edges are numbers or names, from the values of a column: an
integer is a number in a column of objects, a nullable or categorical column, and a dictionary of Arrow, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import detached
from boruvka.errors import GraphError, GraphTypeError, MissingExtraError, first_true, shown
from boruvka.graph.exact import EXACT_UP_TO, first_rounded
from boruvka.graph.no_values import is_missing
from boruvka.runtime.libraries import optional, pa, pl


def read_array(name: str, values: Any) -> NDArray[Any]:
    """Convert values to an array.

    Raises
    ------
    GraphTypeError
        NumPy cannot convert them.
    GraphError
        A value is masked, or an integer that stands beside floats would be rounded.
    """
    array = as_array(name, values)
    if (at := first_rounded(array, values)) is not None:
        position = ", ".join(map(str, at))
        raise GraphError(
            f"{name}[{position}] is an integer that float64 would round, as other values are floats: pass "
            "integers alone, or subtract a common number from all"
        )
    return array


def read_numbers(name: str, values: Any) -> NDArray[Any]:
    """Convert numbers to an array, as `read_array` does.

    Raises
    ------
    GraphError, GraphTypeError
        As for `read_array`; or a list, or one of its rows, has booleans among numbers.
    """
    if isinstance(values, list | tuple):
        kinds = set(map(type, values))
        if kinds & {list, tuple}:
            kinds = {kind for row in values if isinstance(row, list | tuple) for kind in map(type, row)}
        if _has_both(kinds):
            raise GraphTypeError(f"{name} has booleans among numbers: write 0 and 1 for them")
    return read_array(name, values)


def as_array(name: str, values: Any) -> NDArray[Any]:
    """Convert values to an aligned array, as NumPy does: an integer beside floats may be rounded."""
    if is_masked_array(values) and np.ma.is_masked(values):
        position = np.unravel_index(np.argmax(np.ma.getmaskarray(values)), values.shape)
        raise GraphError(f"{name}[{', '.join(map(str, position))}] is masked: remove it, or fill in a number")
    try:
        array = np.require(np.asarray(detached(values)), requirements="A")
        if array.dtype == object and hasattr(values, "iloc") and len({*values.columns}) == array.shape[-1]:
            columns = [read_column(name, values[column]) for column in values.columns]  # perhaps nullable
            array = np.column_stack(columns) if all(isinstance(x, np.ndarray) for x in columns) else array
    except MemoryError:
        raise
    except Exception as error:  # of any library
        reason = "its rows have different lengths" if "inhomogeneous" in str(error) else error
        raise GraphTypeError(f"{name} cannot be read as an array: {reason}") from error
    if array.ndim == 0 and array.dtype == object and not isinstance(values, np.ndarray):
        raise GraphTypeError(f"{name} cannot be read as an array: got {shown(values)}")
    return array


def refuse_path(name: str, values: Any, reader: str) -> None:
    """Raise a `GraphTypeError` for the path of a file; it says what reads the file."""
    if isinstance(values, str | os.PathLike):
        path = shown(os.fspath(values))
        raise GraphTypeError(f"{name} is {path}, no array: {reader.format(path)} reads a file")


def map_arrays(function: Callable[[NDArray[Any]], NDArray[Any]], value: Any) -> Any:
    """Call a function on an array, or on each in a tuple; any other value stays as it is."""
    if isinstance(value, tuple):
        items = (map_arrays(function, item) for item in value)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return function(value) if isinstance(value, np.ndarray) else value


def name_of_column(column: Any) -> str | None:
    """Return the name of a series or an index, if it is a text."""
    name = getattr(column, "name", None)
    return name if isinstance(name, str) else None


def read_only(value: Any) -> Any:
    """Return a view of an array that cannot be written to, also of each in a tuple; else the value itself."""

    def view_of(array: NDArray[Any]) -> NDArray[Any]:
        view = array.view()
        view.flags.writeable = False
        return view

    return map_arrays(view_of, value)


class _WithHints(type):
    """The type of classes whose unknown attributes, also those of objects, say what to write instead."""

    _instead: ClassVar[dict[str, str]] = {}
    """What to write, and the names that other libraries and textbooks use for it, separated by blanks."""

    if not TYPE_CHECKING:  # for a type checker, an attribute that is not defined is an error

        def __getattr__(cls, name: str) -> Any:
            return cls._advise(name) or super().__getattribute__(name)

    def _advise(cls, name: str) -> None:
        """Raise an error that says what to write instead of an attribute, if this is known."""
        for advice, words in cls._instead.items():
            if name in words.split():
                raise AttributeError(f"{cls.__name__!r} has no attribute {name!r}; write {advice}")


class ReadOnly(metaclass=_WithHints):
    """An object whose attributes are set once, in its constructor; its arrays cannot be written to."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return type(self)._advise(name) or super().__getattribute__(name)  # which raises an error again

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to {name!r}: {self._plural} are read-only")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r}: {self._plural} are read-only")

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set all attributes; the arrays of a copy become read-only as well."""
        vars(self).update({name: read_only(value) for name, value in state.items()})

    @property
    def _plural(self) -> str:
        return f"objects of {type(self).__name__}"


class HasColumns(ReadOnly):
    """An object with the columns of edges, which are stored, or made when one of them is first read."""

    _columns: Any

    @cached_property
    def u(self) -> NDArray[Any]:
        """First end of each edge."""
        return self._columns[0]

    @cached_property
    def v(self) -> NDArray[Any]:
        """Second end of each edge."""
        return self._columns[1]

    @cached_property
    def w(self) -> NDArray[Any]:
        """Weight of each edge, in the type of the input."""
        return self._columns[2]


def read_column(name: str, values: Any) -> Any:
    """Convert a column of numbers or names.

    Parameters
    ----------
    name : str
        Name of the column in errors.
    values : array, column or sequence
        An array of NumPy, or of a library that NumPy can read; a column of pandas, polars or Arrow; a list, a
        tuple or an iterator.

    Returns
    -------
    array, polars.Series of strings, or list
        Numbers are an array; missing ones are NaN. Names that are all strings are a column where polars is
        installed. Other objects are a list, with None, NaN or NA where one is missing.

    Raises
    ------
    GraphTypeError
        The values are not a column.
    MissingExtraError
        They are a column of Arrow, and polars, which reads it, is not installed.
    """
    if type(values) is np.ndarray and values.dtype.kind in "iuf":
        return values
    convert = _CONVERT.get(type(values).__module__.partition(".")[0])
    if convert is not None:
        try:
            values = convert(values)
        except (MemoryError, MissingExtraError):
            raise
        except Exception as error:
            raise GraphTypeError(f"{name} cannot be read as a column: {error}") from error
        if not isinstance(values, np.ndarray | list):
            return values
    elif isinstance(values, Iterator) or (isinstance(values, Sequence) and not isinstance(values, _BYTES)):
        values = listed(name, values)
    if isinstance(values, list):
        return _of_objects(name, values)
    array = read_array(name, values)
    if array.dtype.kind not in "OSUTMm" or array.ndim != 1:
        return array
    return _of_objects(name, items_of(array))


def refuse_rounded(name: str, column: Any) -> None:
    """Raise a `GraphError` if ids are whole floats, of which one may stand for several integers."""
    if isinstance(column, np.ndarray) and column.dtype.kind == "f" and column.ndim == 1:
        digits, is_finite = np.finfo(column.dtype).nmant + 1, np.isfinite(column)
        i = first_true(is_finite & (np.abs(column) >= 2.0**digits))
        if i is not None and not (column[is_finite] % 1).any():
            raise GraphError(
                f"{name}[{i}] = {column[i]:.0f} is a float, and such floats round integers from 2**{digits} "
                "on: read ids as texts or as integers, in pandas with dtype=str or dtype='Int64'"
            )


def read_weights(name: str, values: Any) -> Any:
    """Convert a column as `read_column` does, with floats in place of decimals, if none is rounded."""
    column = read_column(name, without_decimals(values))
    floats = floats_of_decimals(column) if isinstance(column, list) else None
    return column if floats is None else floats


def floats_of_decimals(values: list[Any]) -> NDArray[np.float64] | None:
    """Return decimals, perhaps beside other numbers, as floats; None if the shortest text of one differs."""
    kinds = set(map(type, values))
    if Decimal in kinds and kinds <= {Decimal, int, float}:
        with suppress(ValueError, ArithmeticError):  # signalling NaN, or an integer beyond the range
            floats = list(map(float, values))
            pairs = zip(values, floats, strict=True)
            if all(type(value) is float or value == Decimal(repr(number)) for value, number in pairs):
                return np.array(floats)
    return None


def without_decimals(column: Any) -> Any:
    """Return a column of decimals of polars or Arrow as floats, or as integers if it has no decimal places.

    A column is returned as it is if `floats_of_decimals` would return None, or if it holds something else.
    """
    kind = str(getattr(column, "dtype", getattr(column, "type", "")))
    if not kind.lower().startswith("decimal") or hasattr(column, "isna"):
        return column
    column = column if isinstance(column, pl.Series) else pl.Series(pl.from_arrow(column))
    dtype = pl.Float64 if column.dtype.scale else pl.Int64
    numbers = column.cast(pl.String).cast(dtype, strict=False)  # each is the nearest float
    is_exact = numbers.cast(pl.String).cast(column.dtype, strict=False).eq_missing(column).all()
    return numbers if is_exact else column


def are_names(column: Any) -> bool:
    """Return whether a column that `read_column` returned holds names: neither numbers nor empty."""
    return not isinstance(column, np.ndarray) and len(column) > 0


def list_column(column: Any) -> list[Any]:
    """List the values of a column that `read_column` returned."""
    if isinstance(column, list):
        return column
    return column.tolist() if isinstance(column, np.ndarray) else column.to_list()


def items_of(array: NDArray[Any]) -> list[Any]:
    """List the Python objects of an array; dates that Python cannot hold stay NumPy's."""
    items: list[Any] = array.tolist()
    return list(array) if array.dtype.kind in "Mm" and int in map(type, items) else items


def listed(name: str, values: Any) -> list[Any]:
    """List what an object holds; raise a `GraphTypeError` where it cannot be iterated over."""
    is_of_texts = isinstance(values, np.ndarray) and values.dtype.kind == "U"
    try:
        return values.tolist() if is_of_texts else list(values)  # texts of Python, not of NumPy
    except (TypeError, ValueError, LookupError, AttributeError, NotImplementedError) as error:
        raise GraphTypeError(f"{name} cannot be iterated over: {error}") from error


def is_number(value: Any) -> bool:
    """Return whether an object is a real number: no truth value, and no span of time."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool | np.bool_ | np.timedelta64)


def is_masked_array(x: Any) -> bool:
    """Return whether an object is a masked array; `numpy.ma` is not imported to find out."""
    return "numpy.ma" in sys.modules and isinstance(x, np.ma.MaskedArray)


_BOOLEANS = frozenset((bool, np.bool_))


def _has_both(kinds: set[type]) -> bool:
    """Return whether there are booleans among types of numbers."""
    return not _BOOLEANS.isdisjoint(kinds) and not kinds <= _BOOLEANS


def _of_objects(name: str, values: list[Any]) -> Any:
    """Make an array of a list of numbers, and a column of one of strings; return any other list."""
    kinds = set(map(type, values))
    if kinds == {str}:
        if (polars := optional("polars")) is not None:
            with suppress(UnicodeEncodeError):  # a lone surrogate
                return polars.Series(values, dtype=polars.String)
        return values
    numbers = int | float | np.number | np.bool_
    if np.timedelta64 in kinds or not all(issubclass(kind, numbers) for kind in kinds):
        return values
    if _has_both(kinds):
        return np.array(values, object)  # else the booleans become 0 and 1
    array = as_array(name, values)
    if array.dtype.kind == "f" and all(issubclass(kind, int | np.integer) for kind in kinds):
        with suppress(OverflowError):
            return np.array(list(map(int, values)), np.uint64)  # NumPy wraps a negative int64
    return array if first_rounded(array, values) is None else np.array(values, object)


def _of_polars(column: Any) -> Any:
    if column.dtype in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    if column.dtype == pl.String:
        return column
    is_decimal = column.dtype == pl.Decimal
    if column.dtype in (pl.Int128, getattr(pl, "UInt128", None)) or (is_decimal and column.dtype.scale == 0):
        small = column.cast(pl.Int64, strict=False)
        if small.null_count() > column.null_count():
            return [None if x is None else int(x) for x in column.to_list()]
        column, is_decimal = small, False
    if column.dtype.is_integer() and column.null_count() and _is_large(column):
        return column.to_list()
    nanoseconds = getattr(column.dtype, "time_unit", "") == "ns"  # a list of them would be rounded
    if column.dtype == pl.Boolean or nanoseconds or (column.dtype.is_numeric() and not is_decimal):
        return column.to_numpy()
    if column.dtype == pl.Time and (column.cast(pl.Int64) % 1000 != 0).any():
        raise ValueError("times of Python have no nanoseconds")
    return column.to_list()


def _of_arrow(column: Any) -> Any:
    column.validate(full=True)  # polars would raise an error of its own later, or none
    return _of_polars(pl.Series(pl.from_arrow(column)))


def _of_pandas(column: Any) -> Any:
    is_of_arrow = getattr(column.dtype, "storage", "") == "pyarrow" or hasattr(column.dtype, "pyarrow_dtype")
    if is_of_arrow and optional("polars") is not None:
        return _of_arrow(pa.array(column))
    is_nullable = column.dtype.kind in "iu" and not isinstance(column.dtype, np.dtype)
    is_rounded = is_nullable and column.isna().any() and _is_large(column)
    return column.tolist() if column.dtype.kind in "mM" or is_rounded else column.to_numpy()


def _is_large(column: Any) -> bool:
    """Return whether floats, among which NaN stands for missing numbers, could round integers."""
    high = column.max()
    return not is_missing(high) and max(int(high), -int(column.min())) > EXACT_UP_TO


_BYTES = str | bytes | bytearray | memoryview
_CONVERT = {"polars": _of_polars, "pyarrow": _of_arrow, "pandas": _of_pandas}
"""By library, the function that makes an array, a polars column of strings, or a list of its columns."""
