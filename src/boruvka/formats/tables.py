"""Tables in files, of points or of coordinates: text, Parquet, Arrow, NumPy arrays and archives."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boruvka.errors import FormatError, OptionError
from boruvka.formats.binary import arrow, npy, npz, parquet, ply
from boruvka.formats.files import InputFile
from boruvka.formats.registry import format_to_read, may_be_table
from boruvka.formats.text import json_lines
from boruvka.formats.text.lines.fields import COMMENTS, SEPARATORS, FieldLines
from boruvka.formats.text.lines.number_forms import plain_column
from boruvka.formats.text.lines.numbers import whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.graph.axis_names import X_COLUMNS, Y_COLUMNS, axis_of
from boruvka.runtime.arguments import argument, taking
from boruvka.runtime.libraries import reading_errors


class Table(NamedTuple):
    """Columns of a file, with a row for each point.

    Parameters
    ----------
    names : list of str
        The names of the columns; their positions where the file names none.
    columns : list of polars.Series, NumPy arrays or lists of strings
        Their values. Those of text are strings. A column may hold several coordinates of a point.
    is_named : bool
        Whether the file names the columns.
    error : callable
        Makes an error about a row, from its number and a message.
    """

    names: list[str]
    columns: list[Any]
    is_named: bool
    error: Callable[[int, str], FormatError]

    def same_name(self, first: int, second: int, name: str, more: str = "") -> FormatError:
        """Make an error about two rows with the same name."""
        line = self.error(first, "").line
        place = f"line {line}" if line else f"row {first}"
        return self.error(second, f"{name} is in {place}, too{more}: keep one row of it")

    @classmethod
    def of_columns(cls, source: InputFile, columns: dict[str, Any] | list[Any]) -> Table:
        """Make a table of named columns, or of columns without names; errors name the row, from 0."""
        named = columns if isinstance(columns, dict) else dict(enumerate(columns))

        def error(row: int, message: str) -> FormatError:
            return source.error(f"row {row}: {message}")

        values = [
            np.char.decode(x, "utf-8", "replace") if isinstance(x, np.ndarray) and x.dtype.kind == "S" else x
            for x in named.values()
        ]
        return cls(list(map(str, named)), values, named is columns, error)


def open_table(
    source: InputFile,
    format: str | None = None,
    header: bool | None = None,
    comments: bytes = COMMENTS,
    are_numbers: bool = True,
) -> Table:
    """Read all columns of a file.

    Raises
    ------
    OptionError
        There is no such format, it takes no header, or the content of a file object shows no format.
    FormatError
        Files of this format hold no table, or the file is malformed.
    """
    chosen = table_format(source, format)
    if chosen not in (*SEPARATORS, *_BINARY):
        known = ", ".join((*SEPARATORS, *_BINARY))
        raise OptionError(f"{source.path}: the format {chosen!r} holds no table of points; {known} do")
    if header is not None and chosen in _BINARY:
        raise OptionError(
            f"a file of the format {chosen} has no lines: leave out {argument('header', header)}"
        )
    with taking("missing"), reading_errors(source.path, chosen):
        if chosen in _BINARY:
            return Table.of_columns(source, _BINARY[chosen](source))
        return read_text(
            source, SEPARATORS[chosen], header=header, comments=comments, are_numbers=are_numbers
        )


def table_format(source: InputFile, format: str | None) -> str:
    """Return the name of the format of a file of points: by name, ending or content."""
    if format == "ply" or (format is None and may_be_table(source) and ply.is_ply(source)):
        return "ply"
    return format_to_read(source, format, is_of_points=True).name


def read_text(
    source: InputFile,
    separators: str,
    *,
    header: bool | None = None,
    comments: bytes = COMMENTS,
    are_numbers: bool = True,
) -> Table:
    """Read a text with a row per line; columns are strings.

    The parameters are the same as for `FieldLines.of`. If the fields are numbers, these may have a
    decimal comma.
    """
    text = Text.of(source)
    text.wait()
    text, is_chemistry = _after_count(text) if are_numbers else (text, False)
    lines = FieldLines.of(text, separators, header, comments)
    if not lines.width:
        raise source.error("there are no points: the file has no line of numbers")
    columns = lines.read(range(lines.width))
    if are_numbers and text.content.find(b'"' if lines.delimiter == "," else b",", lines.offset) >= 0:
        told = set[str]()
        columns = [plain_column(lines, column, told) for column in columns]
    if is_chemistry:  # an element and its place, and perhaps more
        return Table(["x", "y", "z"], columns[1:4], True, lines.error)
    above = lines.names_above()
    names = lines.names or (above if {*X_COLUMNS, *Y_COLUMNS} & {*map(axis_of, above or ())} else None)
    return Table(names or list(map(str, range(lines.width))), columns, names is not None, lines.error)


def _after_count(text: Text) -> tuple[Text, bool]:
    """Skip a first line with the number of points, and the comment below it in XYZ files of chemistry.

    Returns
    -------
    Text
        The text below, if it has as many lines.
    bool
        Whether they are atoms.
    """
    _, line, end = text.first_data_line(COMMENTS)
    count = whole_number(line)
    if not count:
        return text, False
    _, comment, after = next(text.lines(end), (0, b"", text.size))
    for is_chemistry, offset in (False, end), (True, after):
        rows = text.content[offset : text.size].strip()
        fields = len(re.split(rb"[\s,;]+", rows.split(b"\n", 1)[0].strip()))
        if fields > 1 + 2 * is_chemistry and rows.count(b"\n") + 1 == count and (is_chemistry or comment):
            return text.with_content(bytes(text.content[offset : text.size]), offset), is_chemistry
    return text, False


def _npy_columns(source: InputFile) -> dict[str, Any] | list[Any]:
    array = npy.read_array(source)
    if array.dtype.names and array.ndim == 1:
        return {name: array[name] for name in array.dtype.names}
    if array.ndim not in (1, 2):
        raise source.error(f"expected an array with a row for each point, found one of shape {array.shape}")
    return list(array.T) if array.ndim == 2 else [array]


def _npz_columns(source: InputFile) -> dict[str, Any] | list[Any]:
    """Take several arrays as columns, and a single one as in an npy file."""
    arrays = {name: array for name, array in npz.read_arrays(source).items() if array.ndim in (1, 2)}
    if not arrays:
        raise source.error("there is no array with a row for each point")
    if len(arrays) > 1:
        return arrays
    return list(np.atleast_2d(next(iter(arrays.values())).T))


MAPS = "geojson", "geopackage", "shapefile"
"""Formats of maps, whose points `boruvka.formats.points.read_points` reads."""
_BINARY: dict[str, Callable[[InputFile], dict[str, Any] | list[Any]]] = {
    "parquet": lambda source: parquet.read_frame(source).to_dict(as_series=True),
    "json-lines": lambda source: json_lines.read_frame(source).to_dict(as_series=True),
    "arrow": lambda source: arrow.read_file(source)[0].to_dict(as_series=True),
    "npy": _npy_columns,
    "npz": _npz_columns,
    "ply": ply.read_columns,
}
