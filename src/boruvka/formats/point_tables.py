"""Files of points as tables: text with a row for each point, Parquet, Arrow, NumPy arrays and archives."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError
from boruvka.formats.binary.arrow_check import check_arrow
from boruvka.formats.files import Source, name_without_compression
from boruvka.formats.text.lines import Text, records
from boruvka.runtime.argument_names import argument
from boruvka.runtime.library_errors import reading_errors
from boruvka.runtime.parquet_check import check_pages

if TYPE_CHECKING:
    import polars

__all__ = ["ENDINGS", "PointTable", "open_table"]

_COMMENTS = b"#%"
_EMPTY_LINE_OR_COMMENT = re.compile(rb"\n[ \t\r]*[\n#%]")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")
_ARROW_FILE = b"ARROW1"


class PointTable(NamedTuple):
    """The columns of a file, with a row for each point.

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


def open_table(source: Source, format: str | None, header: bool | None) -> PointTable:
    """Read all columns of a file.

    Raises
    ------
    OptionError
        There is no such format of points, or it takes no header.
    FormatError
        No format has the ending of the file, or the file is malformed.
    """
    chosen = _format_of(source, format)
    if header is not None and chosen not in _SEPARATORS:
        raise OptionError(
            f"a file of the format {chosen} has no lines: leave out {argument('header', header)}"
        )
    return _OPEN[chosen](source, header)


def _format_of(source: Source, format: str | None) -> str:
    if format is not None:
        if format.lower() not in ENDINGS:
            raise OptionError(f"there is no format {format!r} of points; there are {', '.join(ENDINGS)}")
        return format.lower()
    passed = argument("format", "csv")
    if source.is_stream:
        raise OptionError(
            f"{source.path}: no ending tells the format: pass it, as {passed}; there are {', '.join(ENDINGS)}"
        )
    name = name_without_compression(source.path)
    for known, its_endings in ENDINGS.items():
        if name.endswith(its_endings):
            return known
    endings = ", ".join(ending for its_endings in ENDINGS.values() for ending in its_endings)
    raise FormatError(
        f"{source.path}: no format of points has this ending; pass the format, as {passed}, or use one of "
        f"{endings}"
    )


def _open_text(source: Source, header: bool | None, *, format: str) -> PointTable:
    import polars as pl

    text = Text.of(source)
    text.wait()
    start, line, _ = text.first_data_line(_COMMENTS)
    delimiter = next((c for c in _SEPARATORS[format] if c.encode() in line), _DEFAULT_SEPARATOR[format])
    if delimiter == "," and text.has_decimal_comma(start):
        raise text.unexpected(start, "")
    first = next(records(text, start, delimiter, _COMMENTS), None)
    if first is None:
        raise source.error("there are no points: the file has no line of numbers")
    has_header = not any(map(_is_number, first.fields)) if header is None else header
    names = [field.strip() for field in first.fields]
    begin = first.end if has_header else start
    _check_no_decimal_comma(text, begin, delimiter)
    content = _plain_lines(text, begin, delimiter)
    width = len(first.fields)
    schema = {str(i): pl.String for i in range(width)}
    if not content:
        frame = pl.DataFrame(schema=schema)
    else:
        try:
            frame = pl.read_csv(
                content,
                has_header=False,
                separator=delimiter or " ",
                schema=schema,
                encoding="utf8-lossy",
                quote_char='"' if delimiter else None,
            )
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise _error_of_lines(text, begin, delimiter, width, source, error) from None
    return PointTable(
        names if has_header else [str(i) for i in range(width)],
        frame.get_columns(),
        has_header,
        partial(_error_of_line, text, begin, delimiter),
    )


def _check_no_decimal_comma(text: Text, begin: int, delimiter: str) -> None:
    record = next(records(text, begin, delimiter, _COMMENTS), None)
    if record is not None and any(map(_DECIMAL_COMMA.fullmatch, map(str.strip, record.fields))):
        raise text.unexpected(record.start, "a point in numbers, no decimal comma")


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _plain_lines(text: Text, begin: int, delimiter: str) -> bytes:
    """Return the lines from an offset on without comments and empty lines, blanks as one space."""
    content = bytes(text.content[begin : text.size]).rstrip()
    if not delimiter:
        lines = (line for _, line, _ in text.data_lines(_COMMENTS, begin))
        return b"\n".join(b" ".join(line.split()) for line in lines)
    if content[:1] in (b"\n", b"\r", b"#", b"%") or _EMPTY_LINE_OR_COMMENT.search(content):
        found = records(text, begin, delimiter, _COMMENTS)
        return b"".join(bytes(text.content[record.start : record.end]) for record in found)
    return content


def _error_of_line(text: Text, begin: int, delimiter: str, row: int, message: str) -> FormatError:
    record = next(islice(records(text, begin, delimiter, _COMMENTS), row, None))
    return text.error(record.start, message)


def _error_of_lines(
    text: Text, begin: int, delimiter: str, width: int, source: Source, error: Exception
) -> FormatError:
    """Make an error about the first line that has more columns than the first one."""
    for record in records(text, begin, delimiter, _COMMENTS):
        if len(record.fields) > width:
            return text.error(record.start, f"expected {width} columns, found {len(record.fields)}")
    return source.error(f"cannot be read as a table: {str(error).splitlines()[0]}")


def _open_parquet(source: Source, header: bool | None) -> PointTable:
    import polars as pl

    check_pages(source.path, source.content)
    with source.binary() as file, reading_errors(source.path, "Parquet"):
        return _table_of_frame(source, pl.read_parquet(file))


def _open_arrow(source: Source, header: bool | None) -> PointTable:
    import polars as pl

    check_arrow(source)
    read = pl.read_ipc if source.content[: len(_ARROW_FILE)] == _ARROW_FILE else pl.read_ipc_stream
    with source.binary() as file, reading_errors(source.path, "Arrow"):
        return _table_of_frame(source, read(file))


def _table_of_frame(source: Source, frame: polars.DataFrame) -> PointTable:
    return PointTable(frame.columns, frame.get_columns(), True, partial(_error_of_row, source))


def _error_of_row(source: Source, row: int, message: str) -> FormatError:
    return source.error(f"row {row}: {message}")


def _open_npy(source: Source, header: bool | None) -> PointTable:
    array = _load(source, "a NumPy array")
    if not isinstance(array, np.ndarray):
        raise source.error("expected a NumPy array, found a NumPy archive: its ending is .npz")
    return _table_of_array(source, array)


def _open_npz(source: Source, header: bool | None) -> PointTable:
    """Take one array as `_open_npy` does, and several arrays as columns."""
    arrays = _load(source, "a NumPy archive")
    if isinstance(arrays, np.ndarray):
        raise source.error("expected a NumPy archive, found a NumPy array: its ending is .npy")
    arrays = {name: array for name, array in arrays.items() if array.ndim in (1, 2)}
    if len(arrays) == 1:
        return _table_of_array(source, next(iter(arrays.values())))
    if not arrays:
        raise source.error("there is no array with a row for each point")
    return PointTable(list(arrays), list(arrays.values()), True, partial(_error_of_row, source))


def _load(source: Source, format: str) -> Any:
    with source.binary() as file, reading_errors(source.path, format):
        if not file.read(6).startswith((b"\x93NUMPY", b"PK")):  # NumPy takes other files for pickled objects
            raise source.error(f"cannot be read as {format}: it begins like another kind of file")
        file.seek(0)
        found = np.load(file, allow_pickle=False)
        return found if isinstance(found, np.ndarray) else {name: found[name] for name in found.files}


def _table_of_array(source: Source, array: NDArray[Any]) -> PointTable:
    if array.ndim not in (1, 2):
        raise source.error(f"expected an array with a row for each point, found one of shape {array.shape}")
    columns = list(array.T) if array.ndim == 2 else [array]
    names = [str(i) for i in range(len(columns))]
    return PointTable(names, columns, False, partial(_error_of_row, source))


_SEPARATORS = {"csv": ",;", "tsv": "\t", "text": ",;"}
"""Characters that separate fields if the first line holds them, in order of preference."""
_DEFAULT_SEPARATOR = {"csv": ",", "tsv": "\t", "text": ""}
ENDINGS = {
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "text": (".txt", ".dat", ".xyz"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "npy": (".npy",),
    "npz": (".npz",),
}
"""The formats of points, and the endings of their files. Fields of "text" may be separated by blanks."""
_OPEN: dict[str, Callable[[Source, bool | None], PointTable]] = {
    **{name: partial(_open_text, format=name) for name in _SEPARATORS},
    "parquet": _open_parquet,
    "arrow": _open_arrow,
    "npy": _open_npy,
    "npz": _open_npz,
}
