"""Tables in files, of points or of coordinates: text, Parquet, Arrow, NumPy arrays and archives."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from boruvka.errors import FormatError, OptionError
from boruvka.formats.binary import arrow, npy, npz, parquet
from boruvka.formats.files import InputFile
from boruvka.formats.registry import format_to_read
from boruvka.formats.text.lines import Text, records
from boruvka.runtime.arguments import argument
from boruvka.runtime.library_errors import reading_errors

__all__ = ["Table", "open_table", "read_text"]

_COMMENTS = b"#%"
_EMPTY_LINE_OR_COMMENT = re.compile(rb"\n[ \t\r]*[\n#%]")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")


class Table(NamedTuple):
    """Columns of a file, with a row for each point.

    Parameters
    ----------
    names : list of str
        The names of the columns; their positions where the file names none.
    columns : list of polars.Series or NumPy arrays
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

    @classmethod
    def of_columns(cls, source: InputFile, columns: dict[str, Any] | list[Any]) -> Table:
        """Make a table of named columns, or of columns without names; errors name the row, from 0."""
        names = list(columns) if isinstance(columns, dict) else list(map(str, range(len(columns))))
        values = list(columns.values()) if isinstance(columns, dict) else columns
        return cls(
            names,
            values,
            isinstance(columns, dict),
            lambda row, message: source.error(f"row {row}: {message}"),
        )


def open_table(source: InputFile, format: str | None = None, header: bool | None = None) -> Table:
    """Read all columns of a file.

    Raises
    ------
    OptionError
        There is no such format, it takes no header, or a file object has no format.
    FormatError
        Files of this format hold no table, or the file is malformed.
    """
    chosen = format_to_read(source, format).name
    if chosen not in (*_SEPARATORS, *_BINARY):
        known = ", ".join((*_SEPARATORS, *_BINARY))
        raise OptionError(f"{source.path}: the format {chosen!r} holds no table of points; {known} do")
    if header is not None and chosen in _BINARY:
        raise OptionError(
            f"a file of the format {chosen} has no lines: leave out {argument('header', header)}"
        )
    with reading_errors(source.path, chosen):
        if chosen in _BINARY:
            return Table.of_columns(source, _BINARY[chosen](source))
        return read_text(source, *_SEPARATORS[chosen], header=header)


def read_text(
    source: InputFile,
    separators: str,
    default: str,
    *,
    header: bool | None = None,
    comments: bytes = _COMMENTS,
) -> Table:
    """Read a text with a row per line, or quoted fields over several lines.

    Parameters
    ----------
    source : InputFile
    separators : str
        Characters that separate fields if the first line holds them, in order of preference.
    default : str
        The separator otherwise; empty for any number of blanks.
    header : bool, optional
        Whether the first line names the columns; by default it does if no field of it is a number.
    comments : bytes
        Characters with which a line begins that is not read.
    """
    text = Text.of(source)
    text.wait()
    start, line, _ = text.first_data_line(comments)
    separator = next((c for c in separators if c.encode() in line), default)
    rows = partial(records, text, delimiter=separator, comments=comments)
    if (first := next(rows(start), None)) is None:
        raise source.error("there are no points: the file has no line of numbers")
    has_header = not any(map(_is_number, first.fields)) if header is None else header
    start = first.end if has_header else start
    row = next(rows(start), None)
    if row is not None and (
        any(map(_DECIMAL_COMMA.fullmatch, map(str.strip, row.fields)))
        or (separator == "," and text.has_decimal_comma(row.start))
    ):
        raise text.unexpected(row.start, "a point in numbers, no decimal comma")
    frame = _parse(text, start, len(first.fields), separator, comments)
    return Table(
        [field.strip() for field in first.fields] if has_header else frame.columns,
        frame.get_columns(),
        has_header,
        lambda row, message: text.error(next(islice(rows(start), row, None)).start, message),
    )


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _parse(text: Text, start: int, width: int, separator: str, comments: bytes) -> Any:
    """Parse the lines that start at an offset, as columns of strings."""
    import polars as pl

    schema = {str(i): pl.String for i in range(width)}
    content = _plain_lines(text, start, separator, comments)
    try:
        return pl.read_csv(
            content,
            has_header=False,
            separator=separator or " ",
            schema=schema,
            encoding="utf8-lossy",
            quote_char='"' if separator else None,
            raise_if_empty=False,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        for record in records(text, start, separator, comments):
            if len(record.fields) > width:
                raise text.error(
                    record.start, f"expected {width} columns, found {len(record.fields)}"
                ) from None
        raise FormatError(f"{text.path}: cannot be read as a table: {str(error).splitlines()[0]}") from None


def _plain_lines(text: Text, start: int, separator: str, comments: bytes) -> bytes:
    """Return the lines that start at an offset without comments and empty lines, blanks as one space."""
    if not separator:
        return b"\n".join(b" ".join(line.split()) for _, line, _ in text.data_lines(comments, start))
    content = bytes(text.content[start : text.size]).rstrip()
    if content[:1] in (b"\n", b"\r", b"#", b"%") or _EMPTY_LINE_OR_COMMENT.search(content):
        found = records(text, start, separator, comments)
        return b"".join(bytes(text.content[record.start : record.end]) for record in found)
    return content


def _npy_columns(source: InputFile) -> list[Any]:
    array = npy.read_array(source)
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


_SEPARATORS = {"csv": (",;", ","), "tsv": ("\t", "\t"), "edges": (",;", "")}
_BINARY: dict[str, Callable[[InputFile], dict[str, Any] | list[Any]]] = {
    "parquet": lambda source: parquet.read_frame(source).to_dict(as_series=True),
    "arrow": lambda source: arrow.read_frame(source).to_dict(as_series=True),
    "npy": _npy_columns,
    "npz": _npz_columns,
}
