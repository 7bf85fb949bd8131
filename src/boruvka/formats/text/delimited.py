"""Edge lists (``.el``, ``.txt`` ...) and tables (``.csv``, ``.tsv``): one edge per line, an optional header.

Lines that begin with ``#`` or ``%`` are comments. The number of vertices is one more than the largest
id, unless ``n=`` is given or a comment above the edges states it, such as ``# boruvka n=5``. This comment is
written if the last vertices are isolated.

Ids are names of vertices if those of the first edge are not whole numbers, or if ``names=`` or a comment such
as ``# boruvka names=integers`` says so. This comment is written if names would be read as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, FilePartition, NamedEdges, Options
from boruvka.formats.name_columns import as_integers, check_names_are_numbered, name_lookup, named_ends
from boruvka.formats.stored_names import StoredNames
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.formats.text.lines import (
    LineLayout,
    Record,
    Text,
    ends_between_quotes,
    read_columns_of_names,
    read_edge_lines,
    read_named_edges,
    records,
    write_edge_lines,
)
from boruvka.graph.graph import Graph
from boruvka.runtime.arguments import hint

if TYPE_CHECKING:
    import polars
    from polars._typing import CsvQuoteStyle

__all__ = ["CSV", "EDGES", "TSV"]

_COMMENTS = b"#%"
_STATED = re.compile(rb"#\s*boruvka\s+(?:n=(\d{1,18})|names=(integers|strings))\s*")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NEVER_BETWEEN_BLANKS = r"^[#%\x{feff}]|[\t-\r ,;]"
_ALWAYS_QUOTED = r"^[#%\x{feff}\s]|\s$|\r"
"""Names that are quoted in addition to those that polars quotes."""
_ANY_NAME = "Parquet or npz"
"""The formats that hold any string."""
_REMOVE = "; if so, remove it"
_DELIMITER_NAMES = {"": "blanks", ",": "commas", ";": "semicolons", "\t": "tabs"}


class _Dialect(NamedTuple):
    """One of the formats of this file.

    Parameters
    ----------
    separators : str
        Characters that separate fields if the first line holds them, in order of preference.
    default : str
        The separator otherwise, and in files that are written; a space for any number of blanks.
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
    stated_names : str
        The type of names that a comment states: "integers" or "strings"; else empty.
    """

    text: Text
    start: int
    offset: int
    names: list[str] | None
    width: int
    delimiter: str
    n: int | None
    stated_names: str

    def error(self, message: str) -> FormatError:
        return self.text.error(self.start, message)

    def read(self, u: int, v: int, w: int, options: Options, *, integers: bool = False) -> EdgeTable:
        """Read the columns u, v and w."""
        named = self.has_names(u, v, options)
        layout = self.layout(u, v, w, named=named, integers=integers)
        if named:
            return self._read_named(layout, options)
        may_be_names = layout.other_ids
        parsed = read_edge_lines(
            self.text,
            self.offset,
            layout,
            n=self.n,
            one_based=bool(options.one_based),
            hint=may_be_names if self.n is None else "",
        )
        edges = EdgeTable(self.n or 0, parsed.u, parsed.v, parsed.w)
        return edges if self.n is not None else edges._replace(n=edges.implied_n)

    def layout(self, u: int, v: int, w: int, *, named: bool, integers: bool = False) -> LineLayout:
        """Return the layout of lines that hold the columns u, v and w."""
        names = {u: "u", v: "v", w: "w"}
        expected = (self.delimiter or " ").join(names.get(i, "?") for i in range(self.width))
        between = f"{expected!r} between {_DELIMITER_NAMES[self.delimiter]}"
        return LineLayout(
            between if named else f"{between} with whole numbers as ids",
            fields=self.width,
            u=u,
            v=v,
            w=w,
            comments=_COMMENTS,
            delimiter=self.delimiter,
            weights="integers" if integers else "any",
            other_ids=hint(", or names, with {names}", names=True),
        )

    def has_names(self, u: int, v: int, options: Options) -> bool:
        """Return whether ids are names: as the caller or a comment says, else as the first edge shows."""
        if options.names is not None or self.stated_names:
            return options.names is not False
        first = _first_record(self.text, self.offset, self.delimiter)
        ids = [first.fields[i].strip(" \t") for i in (u, v) if first is not None and i < len(first.fields)]
        return any(name and not _WHOLE.fullmatch(name) for name in ids)

    def _read_named(self, layout: LineLayout, options: Options) -> EdgeTable:
        check_names_are_numbered(options)
        edges = read_named_edges(self.text, self.offset, layout)
        integers = as_integers(np.asarray(edges.names)) if self.may_be_integers(options) else None
        return edges if integers is None else edges._replace(names=integers)

    def may_be_integers(self, options: Options) -> bool:
        """Return whether names are integers if all are written as integers."""
        return self.stated_names == "integers" or bool(options.names and not self.stated_names)


def _read_layout(source: InputFile, options: Options, dialect: _Dialect) -> _Table:
    text = Text.of(source)
    start, line, _ = text.first_data_line(_COMMENTS)
    stated_n, stated_names = _stated(text, start)
    n = options.n if options.n is not None else stated_n
    if b"\r" in line:
        raise text.unexpected(start, "lines that end with \\n or \\r\\n, not with \\r alone")
    delimiter = dialect.delimiter(line.decode("utf-8", "backslashreplace"))
    first = _first_record(text, start, delimiter)
    if first is None:
        width = 2 if options.unweighted else 3
        return _Table(text, start, start, None, width, "", n, stated_names)
    fields = first.fields
    header = options.header if options.header is not None else not any(map(_is_number, fields))
    names = [field.strip() for field in fields] if header else None
    if delimiter == "," and text.has_decimal_comma(start):
        raise text.unexpected(start, "")
    if not header and not delimiter.strip():
        _check_not_counted(text, start, fields, options.unweighted)
    offset = first.end if header else start
    return _Table(text, start, offset, names, len(fields), delimiter, n, stated_names)


def _first_record(text: Text, offset: int, delimiter: str) -> Record | None:
    return next(records(text, offset, delimiter, _COMMENTS), None)


def _check_not_counted(text: Text, start: int, fields: list[str], unweighted: bool) -> None:
    """Raise an error if the first line is not an edge but looks like n m.

    Then the next line has one field more, or, unless the caller expects edges without weights, m lines
    follow.
    """
    if [field.isdigit() for field in fields] != [True, True]:
        return
    offset = text.line(start)[1]
    if len(text.first_data_line(_COMMENTS, offset)[1].split()) == 3:
        raise text.error(start, f"the line looks like n m, the numbers of vertices and edges{_REMOVE}")
    if not unweighted and text.count_newlines(offset, text.size) in (int(fields[1]) - 1, int(fields[1])):
        raise text.error(
            start,
            "there is no column of weights"
            + hint("; pass {unweighted} for weight 1", unweighted=True)
            + f"; or is the line n m, the numbers of vertices and edges?{_REMOVE}",
        )


def _stated(text: Text, end: int) -> tuple[int | None, str]:
    """Return the number of vertices and the type of names that comments before an offset state."""
    n, names = None, ""
    for start, line, _ in text.lines():
        if start >= end:
            break
        if stated := _STATED.fullmatch(line):
            n = int(stated[1]) if stated[1] else n
            names = stated[2].decode() if stated[2] else names
    return n, names


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _read(source: InputFile, options: Options, *, dialect: _Dialect) -> Graph:
    table = _read_layout(source, options, dialect)
    columns = choose_columns(table.width, table.names, options, table.error)
    edges = table.read(*columns, options)
    return edges.to_graph()


def _read_part(
    source: InputFile, options: Options, part: FilePartition, *, dialect: _Dialect
) -> EdgeTablePart:
    table = _read_layout(source, options, dialect)
    columns = choose_columns(table.width, table.names, options, table.error)
    if table.has_names(*columns[:2], options):
        return table.read(*columns, options).part(part)
    text, offset = table.text.cut(table.offset, part.index, part.count)
    edges = table._replace(text=text, offset=offset).read(*columns, options._replace(names=False))
    return EdgeTablePart(edges.u, edges.v, edges.w, table.n)


def _read_piece(source: InputFile, options: Options, *, dialect: _Dialect) -> EdgeTablePart | NamedEdges:
    table = _read_layout(source, options, dialect)
    columns = choose_columns(table.width, table.names, options, table.error)
    if not table.has_names(*columns[:2], options):
        return _read_part(source, options, FilePartition(0, 1), dialect=dialect)
    check_names_are_numbered(options)
    edges = read_columns_of_names(table.text, table.offset, table.layout(*columns, named=True))
    return edges._replace(may_be_integers=table.may_be_integers(options))


def _is_cut_off(source: InputFile, options: Options, *, dialect: _Dialect) -> bool:
    if b'"' not in source.content:
        return False
    table = _read_layout(source, options, dialect)
    return ends_between_quotes(table.text, table.offset, table.layout(0, 0, 0, named=True))


def _end_of_first_edge(source: InputFile, options: Options, *, dialect: _Dialect) -> int:
    table = _read_layout(source, options, dialect)
    first = _first_record(table.text, table.offset, table.delimiter)
    return table.text.size if first is None else first.end


def _read_forest(source: InputFile, options: Options, *, dialect: _Dialect) -> EdgeTable:
    table = _read_layout(source, options, dialect)
    u, v, w = choose_columns(table.width, table.names, options, table.error)
    edges = table.read(u, v, w, options)
    if table.names is None or table.names.count(EDGE_INDEX) != 1:
        return edges
    indices = table.read(u, v, table.names.index(EDGE_INDEX), options, integers=True)
    return edges._replace(edges=indices.w)


def _write(table: EdgeTable, file: BinaryIO, *, dialect: _Dialect) -> None:
    quote_style: CsvQuoteStyle = "never"
    names = None
    if table.names is not None:
        names, quote_style = _write_kind_of_names(table, file, dialect)
    elif table.n > table.implied_n or not (table.m or dialect.header):
        file.write(f"# boruvka n={table.n}\n".encode())
    if dialect.header:
        header = ["u", "v", "w"] if table.edges is None else [EDGE_INDEX, "u", "v", "w"]
        file.write(f"{dialect.default.join(header)}\n".encode())
    write_edge_lines(
        file,
        table,
        base=0,
        separator=dialect.default,
        edge_indices=dialect.header,
        names=names,
        quote_style=quote_style,
    )


def _write_kind_of_names(
    table: EdgeTable, file: BinaryIO, dialect: _Dialect
) -> tuple[polars.Series | StoredNames, CsvQuoteStyle]:
    """Write a comment with the type of names if the first edge does not show it.

    Returns
    -------
    Series or StoredNames
        The names of vertices.
    str
        Which names to quote.
    """
    import polars as pl

    names = name_lookup(table.names)
    _check_names(names, has_quotes=dialect.header)
    first = named_ends(table, names, slice(0, 1))
    if all(_WHOLE.fullmatch(str(ends[0]).strip(" \t")) for ends in first if table.m):
        kind = "strings" if names.dtype == pl.String else "integers"
        file.write(f"# boruvka names={kind}\n".encode())
    if not dialect.header or names.dtype != pl.String:
        return names, "never"
    is_quoted = (column.str.contains(_ALWAYS_QUOTED).any() for column in _blocks(names))
    return names, "non_numeric" if any(is_quoted) else "necessary"


def _blocks(names: polars.Series | StoredNames) -> Iterable[polars.Series]:
    return names.blocks() if isinstance(names, StoredNames) else [names]


def _check_names(names: polars.Series | StoredNames, *, has_quotes: bool) -> None:
    """Raise an error for a name that could not be read back."""
    import polars as pl

    padded = None
    for column in _blocks(names) if names.dtype == pl.String else ():
        if (column.str.strip_chars(" \t") == "").any():
            raise FormatError(f"an empty or blank name means a missing one in a table; choose {_ANY_NAME}")
        if not has_quotes and (bad := column.filter(column.str.contains(_NEVER_BETWEEN_BLANKS))).len():
            raise FormatError(
                f"the name {bad[0]!r} cannot stand between blanks; choose csv, tsv, {_ANY_NAME}"
            )
        here = column.filter(column.str.strip_chars(" \t") != column)
        padded = here[0] if padded is None and len(here) else padded
    if padded is None:
        return
    whole = names.column() if isinstance(names, StoredNames) else names
    if whole.str.strip_chars(" \t").n_unique() < len(whole):
        raise FormatError(f"names differ only by blanks, as {padded!r}; choose {_ANY_NAME}")


def _codec(separators: str, default: str, *, header: bool) -> Codec:
    dialect = _Dialect(separators, default, header)
    return Codec(
        read=partial(_read, dialect=dialect),
        write=partial(_write, dialect=dialect),
        options=frozenset({"columns", "header", "n", "names", "one_based", "unweighted"}),
        read_part=partial(_read_part, dialect=dialect),
        read_piece=partial(_read_piece, dialect=dialect),
        is_cut_off=partial(_is_cut_off, dialect=dialect),
        end_of_first_edge=partial(_end_of_first_edge, dialect=dialect),
        read_forest=partial(_read_forest, dialect=dialect),
        holds_names=True,
        check_names=lambda names: _check_names(name_lookup(names), has_quotes=header),
    )


EDGES = _codec(",;", default=" ", header=False)
CSV = _codec(",;", default=",", header=True)
TSV = _codec("", default="\t", header=True)
