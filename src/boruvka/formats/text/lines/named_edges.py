"""Read lines of one edge each whose ends are names; polars parses them on every core."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.format import EdgeTable, NamedEdges
from boruvka.formats.text.lines.edges import LineLayout
from boruvka.formats.text.lines.rows import read_number_rows
from boruvka.formats.text.lines.text import Text
from boruvka.graph.numbering import number_names

if TYPE_CHECKING:
    import polars

__all__ = ["Record", "ends_between_quotes", "read_columns_of_names", "read_named_edges", "records"]

_PIECE_BYTES = 1 << 18
"""Bytes of lines that are cleaned at once: input and output fit in a cache."""
_BLANKS = b"\t\x0b\x0c\r "
_ALL_BYTES = bytes(range(256))
_QUOTED = re.compile(rb'"[^"]*"')
_IS_BLANK, _MAY_BE_SKIPPED = np.zeros((2, 256), bool)
_IS_BLANK[list(_BLANKS)] = True
_MAY_BE_SKIPPED[list(_BLANKS + b"\n#%")] = True


class Record(NamedTuple):
    """The fields of one edge; quoted ones may hold newlines.

    Parameters
    ----------
    start, end : int
        The offset of its first line, and that of the line after it.
    fields : list of str
    is_closed : bool
        Whether every quote is closed.
    """

    start: int
    end: int
    fields: list[str]
    is_closed: bool


def records(text: Text, offset: int, delimiter: str, comments: bytes) -> Iterator[Record]:
    """Iterate over the records from an offset on, in Python.

    Raises
    ------
    FormatError
        A quote is not closed, or text follows one.
    """
    import csv

    start, line, end = text.first_data_line(comments, offset)
    while line:
        if delimiter:
            ends: list[int] = []
            lines = (raw.decode("utf-8", "backslashreplace") for raw in _raw_lines(text, start, ends))
            try:
                fields = next(csv.reader(lines, delimiter=delimiter, strict=True))
            except csv.Error as error:
                raise text.error(start, f"{error}, found {text.quote(start)}") from None
            end = ends[-1]
            yield Record(start, end, fields, text.content[start:end].count(b'"') % 2 == 0)
        else:
            fields = [field.decode("utf-8", "backslashreplace") for field in line.split()]
            yield Record(start, end, fields, True)
        start, line, end = text.first_data_line(comments, end)


def _raw_lines(text: Text, start: int, ends: list[int]) -> Iterator[bytes]:
    """Iterate over lines with their ends; append the offset after each to a list."""
    for begin, _, end in text.lines(start):
        ends.append(end)
        yield text.content[begin:end]


def read_named_edges(text: Text, offset: int, layout: LineLayout) -> EdgeTable:
    """Read a text of one edge per line, whose ids are names.

    Quotes are as in CSV, and a line without them may have blanks around its fields. Fields that are separated
    by blanks are not quoted.

    Parameters
    ----------
    text : Text
    offset : int
        The offset of the first line.
    layout : LineLayout
        Where a line holds the edge.

    Returns
    -------
    EdgeTable
        With names that are strings.

    Raises
    ------
    FormatError
        A line is malformed.
    """
    reader = _NamedEdges(text, offset, layout)
    frame = reader.parse()
    if frame is None:
        nothing = np.empty(0, np.uint32)
        return EdgeTable(0, nothing, nothing, np.empty(0, np.int64), names=np.empty(0, object))
    u, v, names = number_names(frame["u"], frame["v"])
    u, v, names = reader.strip(u, v, names)
    w = reader.weights(frame["w"]) if layout.w >= 0 else np.ones(u.size, np.uint8)
    return EdgeTable(names.size, u, v, w, names=names)


def read_columns_of_names(text: Text, offset: int, layout: LineLayout) -> NamedEdges:
    """Read a text as `read_named_edges` does, but neither number nor strip its names."""
    import polars as pl

    reader = _NamedEdges(text, offset, layout)
    frame = reader.parse()
    if frame is None:
        nothing = pl.Series([], dtype=pl.String)
        return NamedEdges(nothing, nothing, np.empty(0, np.int64))
    w = reader.weights(frame["w"]) if layout.w >= 0 else np.ones(len(frame), np.uint8)
    return reader.with_flags(NamedEdges(frame["u"], frame["v"], w))


class _NamedEdges:
    """Reads the lines of a text; after an error of polars, Python searches for the line to name."""

    def __init__(self, text: Text, offset: int, layout: LineLayout):
        self._text, self._offset, self._layout = text, offset, layout
        self._columns = {"u": layout.u, "v": layout.v, **({"w": layout.w} if layout.w >= 0 else {})}
        self._has_quotes = False

    def parse(self) -> polars.DataFrame | None:
        """Parse the columns of the edge as strings; None if there is no line."""
        import polars as pl

        first = next(self._records(), None)
        if first is None:
            return None
        if self._problem(first) is not None:
            raise self._first_error("")
        content, quotes = _without_comments(self._text.array[self._offset : self._text.size], self._layout)
        self._has_quotes = bool(self._layout.delimiter) and b'"' in content
        if self._has_quotes and quotes % 2 == 1:  # not each version of polars sees it
            raise self._first_error("a quote is not closed")
        self._check_widths(content)
        try:
            frame = pl.read_csv(
                content,
                has_header=False,
                infer_schema=False,
                separator=self._layout.delimiter or " ",
                quote_char='"' if self._has_quotes else None,
                columns=sorted(self._columns.values()),
            )
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise self._first_error(f"cannot be read as a table: {str(error).splitlines()[0]}") from None
        if any(column.null_count() or (column == "").any() for column in frame):
            raise self._first_error("a value is missing")
        frame.columns = sorted(self._columns, key=self._columns.__getitem__)
        return frame

    def strip(
        self, u: NDArray[Any], v: NDArray[Any], names: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Remove blanks around names that are not quoted.

        If the text has quotes, blanks belong to names, and two names that differ only by blanks are an error.
        """
        import polars as pl

        column = pl.Series(names, dtype=pl.String)
        stripped = column.str.strip_chars(" \t")
        padded = stripped != column
        if not padded.any():
            return u, v, names
        if (stripped == "").any():
            raise self._first_error("a value is missing")
        if not self._has_quotes:
            number, _, names = number_names(stripped, stripped)
            return number[u], number[v], names
        if stripped.n_unique() < len(stripped) or stripped.filter(padded).str.starts_with('"').any():
            name = column.filter(padded)[0]
            raise self._error_at(
                lambda fields: name in fields,
                f"blanks are part of the name {name!r} here, as the file has quotes; remove them",
            )
        return u, v, names

    def with_flags(self, edges: NamedEdges) -> NamedEdges:
        """Say whether the text has quotes, and whether names have blanks around them."""
        stripped = [ends.str.strip_chars(" \t") for ends in (edges.u, edges.v)]
        has_blanks = any((a != b).any() for a, b in zip(stripped, (edges.u, edges.v), strict=True))
        if has_blanks and any((ends == "").any() for ends in stripped):
            raise self._first_error("a value is missing")
        return edges._replace(has_quotes=self._has_quotes, has_blanks=has_blanks)

    def weights(self, column: polars.Series) -> NDArray[Any]:
        """Parse weights exactly, as in other texts."""
        import io

        lines = io.BytesIO()
        column.to_frame().write_csv(lines, include_header=False, quote_style="never")
        text = _Weights(self._text.path, lines.getvalue(), self._error_at_row)
        if text.count_newlines(0, text.size) != len(column):
            raise self._first_error("a weight is not a number")
        rows = read_number_rows(
            text, 0, comment="\0", expected="a number as weight", weights=self._layout.weights
        )
        if rows.ends.size != len(column) or (np.diff(rows.ends, prepend=0) != 1).any():
            raise self._first_error("a weight is not a number")
        return rows.values

    def _check_widths(self, content: bytes) -> None:
        """Raise an error if a line has too few or too many fields; polars does so if it reads all columns."""
        fields = self._layout.fields
        if fields == len(self._columns):
            return
        delimiter = (self._layout.delimiter or " ").encode()
        marks = content.translate(None, _ALL_BYTES.translate(None, delimiter + b'\n"'))
        marks = _QUOTED.sub(b"", marks) if self._has_quotes else marks.replace(b'"', b"")
        marks += b"" if content.endswith(b"\n") else b"\n"
        if marks != (delimiter * (fields - 1) + b"\n") * marks.count(b"\n") and (error := self._find_error()):
            raise error

    def _records(self) -> Iterator[Record]:
        return records(self._text, self._offset, self._layout.delimiter, self._layout.comments)

    def _problem(self, record: Record) -> str | None:
        """Return what is wrong with a record; None if nothing is."""
        text, layout = self._text, self._layout
        if len(record.fields) != layout.fields:
            return f"expected {layout.expected}, found {text.quote(record.start)}"
        try:
            text.content[record.start : record.end].decode()
        except UnicodeDecodeError:
            return f"expected text in UTF-8, found {text.quote(record.start)}"
        if not record.is_closed:
            return f"a quote is not closed, found {text.quote(record.start)}"
        for name, i in self._columns.items():
            if not record.fields[i].strip(" \t"):
                what = "weight" if name == "w" else "name of a vertex"
                return f"the {what} is missing, found {text.quote(record.start)}"
        if layout.w >= 0 and (len(record.fields[layout.w].split()) > 1 or record.fields[layout.w][0] == "\0"):
            return f"expected a number as weight, found {text.quote(record.start)}"
        return None

    def _first_error(self, otherwise: str) -> FormatError:
        """Make an error about the first malformed record."""
        return self._find_error() or self._text.error(self._offset, otherwise)

    def _find_error(self) -> FormatError | None:
        for record in self._records():
            if (problem := self._problem(record)) is not None:
                return self._text.error(record.start, problem)
        return None

    def _error_at(self, is_wrong: Callable[[list[str]], bool], message: str) -> FormatError:
        found = next((record for record in self._records() if is_wrong(record.fields)), None)
        return self._text.error(self._offset if found is None else found.start, message)

    def _error_at_row(self, row: int, message: str) -> FormatError:
        record = next(islice(self._records(), row, None))
        return self._text.error(record.start, message)


class _Weights(Text):
    """A column of weights, one per line; its errors name the line of the edge in the file."""

    def __init__(self, path: str, content: bytes, error_at_row: Callable[[int, str], FormatError]):
        super().__init__(path, content)
        self._error_at_row = error_at_row

    def error(self, offset: int, message: str) -> FormatError:
        """Make an error that names the line of the edge."""
        return self._error_at_row(self.count_newlines(0, offset), message)


def ends_between_quotes(text: Text, offset: int, layout: LineLayout) -> bool:
    """Return whether a quote of the lines from an offset on is not closed; comments have none."""
    return bool(layout.delimiter) and _without_comments(text.array[offset : text.size], layout)[1] % 2 == 1


def _without_comments(data: NDArray[np.uint8], layout: LineLayout) -> tuple[bytes, int]:
    """Leave out blank lines and comments; if blanks separate fields, reduce them to single spaces.

    Return the text that is left, and the number of quotes in it.
    """
    content = data.tobytes()
    kept: list[bytes] = []
    begin = quotes = 0
    while begin < len(content):
        end = content.find(b"\n", begin + _PIECE_BYTES) + 1 or len(content)
        piece = content[begin:end] if layout.delimiter else _with_single_blanks(content[begin:end])
        lines, quotes = _data_lines(piece, layout, quotes)
        kept.extend(lines)
        begin = end
    return b"".join(kept), quotes


def _data_lines(piece: bytes, layout: LineLayout, quotes: int) -> tuple[list[bytes], int]:
    """Leave out blank lines and comments of a piece.

    Returns
    -------
    list of bytes
        The lines that are left.
    int
        The number of quotes up to the end of the piece, given those before it.
    """
    kept: list[bytes] = []
    begin = counted = 0
    for start in _suspicious_lines(piece):
        if layout.delimiter:
            quotes += piece.count(b'"', counted, start)
            counted = start
            if quotes % 2:  # the line continues a quoted field
                continue
        end = piece.find(b"\n", start) + 1 or len(piece)
        line = piece[start:end].strip()
        if not line or line[0] in layout.comments:
            kept.append(piece[begin:start])
            begin = counted = end
    kept.append(piece[begin:])
    return kept, quotes + piece.count(b'"', counted)


def _suspicious_lines(piece: bytes) -> list[int]:
    """List the offsets of lines that begin with a blank or a comment character, or are empty."""
    data = np.frombuffer(piece, np.uint8)
    if not data.size:
        return []
    starts = np.concatenate([[0], np.flatnonzero(data[:-1] == ord("\n")) + 1])
    return starts[_MAY_BE_SKIPPED[data[starts]]].tolist()


def _with_single_blanks(lines: bytes) -> bytes:
    """Separate fields by one space each, and remove blanks at the ends of lines."""
    data = np.frombuffer(lines, np.uint8)
    blank, newline = _IS_BLANK[data], data == ord("\n")
    follows = np.concatenate([[True], (blank | newline)[:-1]])
    if (repeated := blank & follows).any():
        data, blank, newline = data[~repeated], blank[~repeated], newline[~repeated]
    if (last := blank & np.concatenate([newline[1:], [True]])).any():
        data, blank = data[~last], blank[~last]
    return np.where(blank, np.uint8(ord(" ")), data).tobytes()
