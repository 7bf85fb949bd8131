"""Edge lists (``.el``, ``.txt`` ...) and tables (``.csv``, ``.tsv``): one edge per line, an optional header.

Lines that begin with ``#`` or ``%`` are comments. The number of vertices is one more than the largest
id, unless ``n=`` is given or a comment above the edges states it, such as ``# boruvka n=5``. This comment is
written if the last vertices are isolated.
"""

from __future__ import annotations

import csv
import re
from functools import partial
from typing import BinaryIO, NamedTuple

from boruvka.errors import FormatError
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, Options, Part
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.formats.text.lines import LineLayout, Text, read_edge_lines, write_edge_lines
from boruvka.graph.graph import Graph
from boruvka.runtime.argument_names import hint

__all__ = ["CSV", "EDGES", "TSV"]

_COMMENTS = b"#%"
_STATED_N = re.compile(rb"#\s*boruvka\s+n=(\d{1,18})\s*")
_DELIMITER_NAMES = {"": "blanks", ",": "commas", ";": "semicolons", "\t": "tabs"}


class _Dialect(NamedTuple):
    """One of the formats of this file.

    Parameters
    ----------
    separators : str
        Characters that separate fields if the first line holds them, in order of preference.
    default : str
        The separator otherwise, and of files that are written; a space for any number of blanks.
    header : bool
        Whether a header is written.
    """

    separators: str
    default: str
    header: bool

    def delimiter(self, line: str) -> str:
        """Return the character that separates the fields of a line; empty for blanks."""
        return next((other for other in self.separators if other in line), self.default).strip(" ")


class _Table(NamedTuple):
    """The layout of a file, from its first lines.

    Parameters
    ----------
    text : Text
    start : int
        The offset of the first line that is not a comment.
    offset : int
        The offset of the first edge.
    names : list of str or None
        The names of the columns, if there is a header.
    width : int
        Number of columns.
    delimiter : str
        As of `LineLayout`.
    n : int or None
        Number of vertices, if it is known.
    """

    text: Text
    start: int
    offset: int
    names: list[str] | None
    width: int
    delimiter: str
    n: int | None

    def error(self, message: str) -> FormatError:
        return self.text.error(self.start, message)

    def read(self, u: int, v: int, w: int, *, one_based: bool, integers: bool = False) -> EdgeTable:
        """Read the columns u, v and w."""
        names = {u: "u", v: "v", w: "w"}
        expected = (self.delimiter or " ").join(names.get(i, "?") for i in range(self.width))
        layout = LineLayout(
            f"{expected!r} between {_DELIMITER_NAMES[self.delimiter]} with whole numbers as ids",
            fields=self.width,
            u=u,
            v=v,
            w=w,
            comments=_COMMENTS,
            delimiter=self.delimiter,
            weights="integers" if integers else "any",
        )
        parsed = read_edge_lines(self.text, self.offset, layout, n=self.n, one_based=one_based)
        edges = EdgeTable(self.n or 0, parsed.u, parsed.v, parsed.w)
        return edges if self.n is not None else edges._replace(n=edges.implied_n)


def _read_layout(source: Source, options: Options, dialect: _Dialect) -> _Table:
    text = Text.of(source)
    start, line, next_offset = text.first_data_line(_COMMENTS)
    n = options.n if options.n is not None else _stated_n(text, start)
    if not line:
        return _Table(text, start, start, None, 2 if options.unweighted else 3, "", n)
    if b"\r" in line:
        raise text.unexpected(start, "lines that end with \\n or \\r\\n, not with \\r alone")
    shown = line.decode("utf-8", "backslashreplace")
    delimiter = dialect.delimiter(shown)
    try:
        fields = next(csv.reader([shown], delimiter=delimiter)) if delimiter else shown.split()
    except csv.Error as error:
        raise text.error(start, f"{error}, found {text.quote(start)}") from None
    header = options.header if options.header is not None else not any(map(_is_number, fields))
    names = [field.strip() for field in fields] if header else None
    if delimiter == "," and text.has_decimal_comma(start):
        raise text.unexpected(start, "")
    if not header and not delimiter.strip():
        _check_not_counted(text, start, fields, options.unweighted)
    return _Table(text, start, next_offset if header else start, names, len(fields), delimiter, n)


def _check_not_counted(text: Text, start: int, fields: list[str], unweighted: bool) -> None:
    """Raise an error if the first line holds two numbers that are n and m, and no edge.

    The next line has a field more then, or, where the caller does not expect edges without weights, m lines
    follow.
    """
    if [field.isdigit() for field in fields] != [True, True]:
        return
    offset = text.line(start)[1]
    if len(text.first_data_line(_COMMENTS, offset)[1].split()) == 3:
        passed = hint("; pass {format}", format="counted")
        raise text.error(start, f"the line looks like n m, the numbers of vertices and edges{passed}")
    if not unweighted and text.count_newlines(offset, text.size) in (int(fields[1]) - 1, int(fields[1])):
        raise text.error(
            start,
            "there is no column of weights"
            + hint("; pass {unweighted} for weight 1", unweighted=True)
            + hint(", and {format} if the line is n m, the numbers of vertices and edges", format="counted"),
        )


def _stated_n(text: Text, end: int) -> int | None:
    """Return the number of vertices that a comment before an offset states."""
    for start, line, _ in text.lines():
        if start >= end:
            break
        if stated := _STATED_N.fullmatch(line):
            return int(stated[1])
    return None


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _read(source: Source, options: Options, *, dialect: _Dialect) -> Graph:
    table = _read_layout(source, options, dialect)
    columns = choose_columns(table.width, table.names, options, table.error)
    edges = table.read(*columns, one_based=bool(options.one_based))
    return Graph(edges.n, edges.u, edges.v, edges.w)


def _read_part(source: Source, options: Options, part: Part, *, dialect: _Dialect) -> EdgeTablePart:
    table = _read_layout(source, options, dialect)
    columns = choose_columns(table.width, table.names, options, table.error)
    text, offset = table.text.cut(table.offset, *part)
    edges = table._replace(text=text, offset=offset).read(*columns, one_based=bool(options.one_based))
    return EdgeTablePart(edges.u, edges.v, edges.w, table.n)


def _read_forest(source: Source, *, dialect: _Dialect) -> EdgeTable:
    table = _read_layout(source, Options(), dialect)
    u, v, w = choose_columns(table.width, table.names, Options(), table.error)
    edges = table.read(u, v, w, one_based=False)
    if table.names is None or table.names.count(EDGE_INDEX) != 1:
        return edges
    indices = table.read(u, v, table.names.index(EDGE_INDEX), one_based=False, integers=True)
    return edges._replace(edges=indices.w)


def _write(table: EdgeTable, file: BinaryIO, *, dialect: _Dialect) -> None:
    if table.n > table.implied_n or not (table.m or dialect.header):
        file.write(f"# boruvka n={table.n}\n".encode())
    if dialect.header:
        names = ["u", "v", "w"] if table.edges is None else [EDGE_INDEX, "u", "v", "w"]
        file.write(f"{dialect.default.join(names)}\n".encode())
    write_edge_lines(file, table, base=0, separator=dialect.default, edge_indices=dialect.header)


def _codec(separators: str, default: str, *, header: bool) -> Codec:
    dialect = _Dialect(separators, default, header)
    return Codec(
        read=partial(_read, dialect=dialect),
        write=partial(_write, dialect=dialect),
        options=frozenset({"columns", "header", "n", "one_based", "unweighted"}),
        read_part=partial(_read_part, dialect=dialect),
        read_forest=partial(_read_forest, dialect=dialect),
    )


EDGES = _codec(",;", default=" ", header=False)
CSV = _codec(",;", default=",", header=True)
TSV = _codec("", default="\t", header=True)
