"""Edge lists (``.el``, ``.txt`` ...) and tables (``.csv``, ``.tsv``): an edge per line, perhaps a header.

Lines that begin with ``#`` or ``%`` are comments. The number of vertices is one more than the largest
id, unless ``n=`` is given or a comment above the edges says ``# boruvka n=5``; one is written where
the last vertices are isolated.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

from boruvka.errors import FormatError
from boruvka.formats.columns import EDGE, choose_columns
from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options, Part, Piece
from boruvka.formats.text.lines import Line, Text, read_entries
from boruvka.formats.text.output import write_lines
from boruvka.graph.graph import Graph

__all__ = ["CSV", "EDGES", "TSV"]

_COMMENTS = b"#%"
_VERTICES = re.compile(rb"#\s*boruvka\s+n=(\d{1,18})\s*")
_BETWEEN = {"": "blanks", ",": "commas", ";": "semicolons", "\t": "tabs"}


@dataclass(frozen=True)
class _Dialect:
    """What may separate fields besides the separator, that separator, and whether a header is written."""

    others: str
    separator: str
    header: bool

    def delimiter(self, line: str) -> str:
        """What separates the fields of a line; empty for blanks."""
        return next((other for other in self.others if other in line), self.separator).strip(" ")


@dataclass(frozen=True)
class _Table:
    """What the first lines of a file tell."""

    text: Text
    first: int
    at: int
    names: list[str] | None
    count: int
    delimiter: str
    n: int | None

    def error(self, message: str) -> FormatError:
        return self.text.error(self.first, message)

    def entries(self, u: int, v: int, w: int, *, one_based: bool, integers: bool = False) -> Content:
        """Read three columns; the third as weights."""
        names = {u: "u", v: "v", w: "w"}
        shown = (self.delimiter or " ").join(names.get(i, "?") for i in range(self.count))
        line = Line(
            f"{shown!r} between {_BETWEEN[self.delimiter]} with whole numbers as ids",
            fields=self.count,
            u=u,
            v=v,
            w=w,
            comments=_COMMENTS,
            delimiter=self.delimiter,
            weights="integers" if integers else "any",
        )
        entries = read_entries(self.text, self.at, line, n=self.n, one_based=one_based)
        content = Content(self.n or 0, entries.u, entries.v, entries.w)
        return content if self.n is not None else replace(content, n=content.implied_n)


def _table(source: Source, options: Options, dialect: _Dialect) -> _Table:
    text = source.text
    start, line, behind = next(text.data_lines(_COMMENTS), (text.size, b"", text.size))
    n = options.n if options.n is not None else _stated_vertices(text, start)
    if not line:
        return _Table(text, start, start, None, 2 if options.unweighted else 3, "", n)
    shown = line.decode("utf-8", "backslashreplace")
    delimiter = dialect.delimiter(shown)
    try:
        fields = next(csv.reader([shown], delimiter=delimiter)) if delimiter else shown.split()
    except csv.Error as error:
        raise text.error(start, f"{error}, found {text.quote(start)}") from None
    header = options.header if options.header is not None else not any(map(_is_number, fields))
    names = [field.strip() for field in fields] if header else None
    return _Table(text, start, behind if header else start, names, len(fields), delimiter, n)


def _stated_vertices(text: Text, end: int) -> int | None:
    """The number of vertices that a comment above the edges states."""
    for start, line, _ in text.lines():
        if start >= end:
            break
        if stated := _VERTICES.fullmatch(line):
            return int(stated[1])
    return None


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _read(source: Source, options: Options, *, dialect: _Dialect) -> Graph:
    table = _table(source, options, dialect)
    columns = choose_columns(table.count, table.names, options, table.error)
    content = table.entries(*columns, one_based=bool(options.one_based))
    return Graph(content.n, content.u, content.v, content.w)


def _read_part(source: Source, options: Options, part: Part, *, dialect: _Dialect) -> Piece:
    table = _table(source, options, dialect)
    columns = choose_columns(table.count, table.names, options, table.error)
    text, at = table.text.cut(table.at, *part)
    content = replace(table, text=text, at=at).entries(*columns, one_based=bool(options.one_based))
    return Piece(content.u, content.v, content.w, table.n)


def _read_forest(source: Source, *, dialect: _Dialect) -> Content:
    table = _table(source, Options(), dialect)
    u, v, w = choose_columns(table.count, table.names, Options(), table.error)
    content = table.entries(u, v, w, one_based=False)
    if table.names is None or table.names.count(EDGE) != 1:
        return content
    indices = table.entries(u, v, table.names.index(EDGE), one_based=False, integers=True)
    return replace(content, edges=indices.w)


def _write(content: Content, file: BinaryIO, *, dialect: _Dialect) -> None:
    if content.n > content.implied_n or not (content.m or dialect.header):
        file.write(f"# boruvka n={content.n}\n".encode())
    if dialect.header:
        names = ["u", "v", "w"] if content.edges is None else [EDGE, "u", "v", "w"]
        file.write(f"{dialect.separator.join(names)}\n".encode())
    write_lines(file, content, base=0, separator=dialect.separator, edges=dialect.header)


def _format(name: str, endings: tuple[str, ...], description: str, dialect: _Dialect) -> Format:
    return Format(
        name=name,
        endings=endings,
        description=description,
        read=partial(_read, dialect=dialect),
        write=partial(_write, dialect=dialect),
        options=frozenset({"columns", "header", "n", "one_based", "unweighted"}),
        read_part=partial(_read_part, dialect=dialect),
        read_forest=partial(_read_forest, dialect=dialect),
    )


EDGES = _format(
    "edges",
    (".el", ".wel", ".edges", ".txt"),
    "Edge list: u v w per line, between blanks, commas or semicolons",
    _Dialect(others=",;", separator=" ", header=False),
)
CSV = _format(
    "csv",
    (".csv",),
    "Table between commas (or semicolons): u,v,w",
    _Dialect(others=",;", separator=",", header=True),
)
TSV = _format(
    "tsv", (".tsv", ".tab"), "Table between tabs: u v w", _Dialect(others="", separator="\t", header=True)
)
