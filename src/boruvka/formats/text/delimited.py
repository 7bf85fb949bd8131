"""Edge lists (``.el``, ``.txt`` ...) and tables (``.csv``, ``.tsv``): one edge per line, an optional header.

Lines that begin with ``#`` or ``%`` are comments. The number of vertices is one more than the largest
id, unless ``n=`` is given or a comment above the edges states it, such as ``# boruvka n=5``. This comment is
written if the last vertices are isolated. ``# boruvka first_id=1`` says that ids begin at 1; it is written of
graphs whose ids do. Three rows of three numbers may be a matrix, too: they are refused unless an option, the
ending or such a comment says that they are edges, and are written with a comment.

Ids are names of vertices if those of the first edge are not whole numbers, or if ``names=`` or a comment such
as ``# boruvka names=integers`` says so. This comment is written if names would be read as numbers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError
from boruvka.formats.files import InputFile, name_without_compression
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, FilePartition, NamedEdges, Options
from boruvka.formats.name_columns import as_integers, check_names_are_numbered, name_lookup, named_ends
from boruvka.formats.stored_names import StoredNames
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.formats.text.lines import (
    COMMENTS,
    FieldLines,
    LineLayout,
    Text,
    WeightType,
    complete_lines,
    is_number,
    read_edge_lines,
    read_named_edges,
    whole_number,
    write_edge_lines,
)
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import warn_of_closed_directions
from boruvka.interop.missing_values import Gaps
from boruvka.runtime.arguments import hint

if TYPE_CHECKING:
    import polars
    from polars._typing import CsvQuoteStyle

__all__ = ["CSV", "EDGES", "TSV"]

_STATED = re.compile(rb"#\s*boruvka\s+(?:n=(\d{1,18})|names=(integers|strings)|first_id=([01]))\s*")
_BLANK_IN_NAME = re.compile(rb"[A-Za-z] [^ \t]|[^ \t] [A-Za-z]")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_ENDINGS_OF_EDGES = ".el", ".wel", ".edges"
_LARGEST_OF_THREE_ROWS = 1 << 16
"""Bytes of a file above which it does not have three rows, unless comments are longer than usual."""
_NOT_IN_A_FIELD = r"^[ \t]|[ \t]$|\n|^$"
"""Names that no text can hold: blanks around a name are dropped, and a quoted field ends on its line."""
_NOT_BETWEEN_BLANKS = r"^[#%\x{feff}]|[\t-\r ,;]"
_ALWAYS_QUOTED = r"^[#%\x{feff}\s]|\s$|\r"
"""Names that are quoted in addition to those that polars quotes."""
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


class _Table:
    """The edges of a text: their layout from its first lines, the options, and what comments state.

    Parameters
    ----------
    source : InputFile
    options : Options
    dialect : _Dialect

    Raises
    ------
    FormatError
        The first lines do not show which columns are u, v and the weight.
    """

    def __init__(self, source: InputFile, options: Options, dialect: _Dialect):
        text = Text.of(source)
        self.text, self._options = text, options
        self._gaps, self._left_out = Gaps(0, 0), 0
        self.lines = lines = FieldLines.of(
            text, dialect.separators, dialect.default.strip(" "), options.header
        )
        stated_n, self._stated_names, self.first_id = _stated(text, lines.start)
        self.n = options.n if options.n is not None else stated_n
        if options.one_based is not None:
            self.first_id = int(options.one_based)
        if lines.names is None and lines.width == 2 and not lines.delimiter.strip():
            self._check_not_counted()
        width = lines.width or (2 if options.unweighted else 3)
        self.u, self.v, self.w = choose_columns(
            width, lines.names, options, lambda message: text.error(lines.start, message)
        )
        if options.missing != "error" or options.default is not None:
            found = complete_lines(lines, self.u, self.v, self.w, options)
            self.lines, self._gaps, self._left_out = found
            self.text = self.lines.text

    @property
    def has_names(self) -> bool:
        """Whether ids are names: as the caller or a comment says, else as the first edge shows."""
        if self._options.names is not None or self._stated_names:
            return self._options.names is not False
        _, fields, _ = self.lines.first_row()
        ids = [fields[i].strip(" \t") for i in (self.u, self.v) if i < len(fields)]
        return any(name and not _WHOLE.fullmatch(name) for name in ids)

    def numbers(self, text: Text, offset: int) -> EdgeTablePart:
        """Read the edges whose lines start at an offset of a text; their ids are numbers."""
        layout = self._layout(self.w, "any", " with whole numbers as ids")
        may_be_names = layout.other_ids if self.n is None else ""
        one_based = bool(self.first_id)
        edges = read_edge_lines(text, offset, layout, n=self.n, one_based=one_based, hint=may_be_names)
        return EdgeTablePart(edges.u, edges.v, edges.w, self.n, first_id=self.first_id)

    def named_edges(self) -> NamedEdges:
        """Read edges whose ids are names."""
        check_names_are_numbered(self._options)
        may_be_integers = self._options.names if not self._stated_names else self._stated_names == "integers"
        edges = read_named_edges(self.lines, self._layout(self.w, "any"))
        return edges._replace(may_be_integers=bool(may_be_integers))

    def edges(self) -> EdgeTable:
        """Read all edges; warnings say how many lines are left out, and which costs mean something else."""
        edges = self._all_edges()
        self._gaps.warn(self._left_out, edges.m + self._left_out)
        names = self.lines.names or []
        warn_of_closed_directions(names, names[self.w : self.w + 1] if self.w >= 0 else [], edges.w)
        return edges

    def _all_edges(self) -> EdgeTable:
        if self.has_names:
            named = self.named_edges()
            edges = named.numbered()
            integers = as_integers(edges.names) if named.may_be_integers else None
            return edges if integers is None else edges._replace(names=integers)
        u, v, w, *_ = self.numbers(self.text, self.lines.offset)
        edges = EdgeTable(self.n or 0, u, v, w, first_id=self.first_id)
        return edges if self.n is not None else edges._replace(n=edges.implied_n)

    def edge_indices(self) -> NDArray[Any] | None:
        """Read the column of the indices of edges of a forest, if there is one."""
        names = self.lines.names
        if names is None or names.count(EDGE_INDEX) != 1:
            return None
        layout = self._layout(names.index(EDGE_INDEX), "integers")
        if self.has_names:
            return read_named_edges(self.lines, layout).w
        one_based = bool(self.first_id)
        return read_edge_lines(self.text, self.lines.offset, layout, n=self.n, one_based=one_based).w

    def _layout(self, w: int, weights: WeightType, ids: str = "") -> LineLayout:
        """Return the layout of lines of u, v and a column w."""
        names, delimiter = {self.u: "u", self.v: "v", w: "w"}, self.lines.delimiter
        width = self.lines.width or 3
        expected = (delimiter or " ").join(names.get(i, "?") for i in range(width))
        return LineLayout(
            f"{expected!r} between {_DELIMITER_NAMES[delimiter]}{ids}",
            fields=width,
            u=self.u,
            v=self.v,
            w=w,
            comments=COMMENTS,
            delimiter=delimiter,
            weights=weights,
            other_ids=hint(", or names, with {names}", names=True),
        )

    def _check_not_counted(self) -> None:
        """Raise an error if the first line is not an edge but looks like n m.

        Then the next line has one field more, or, unless the caller expects edges without weights, m lines
        follow.
        """
        text, start = self.text, self.lines.start
        first, offset = text.line(start)
        fields = first.split()
        if [field.isdigit() for field in fields] != [True, True]:
            return
        if len(text.first_data_line(COMMENTS, offset)[1].split()) == 3:
            raise text.error(start, f"the line looks like n m, the numbers of vertices and edges{_REMOVE}")
        m = whole_number(fields[1])
        if (
            m is not None
            and not self._options.unweighted
            and text.count_newlines(offset, text.size) in (m - 1, m)
        ):
            raise text.error(
                start,
                "there is no column of weights"
                + hint("; pass {unweighted} for weight 1", unweighted=True)
                + f"; or is the line n m, the numbers of vertices and edges?{_REMOVE}",
            )


def _stated(text: Text, end: int) -> tuple[int | None, str, int | None]:
    """Return the number of vertices, the type of names and the first id that comments before an offset state.

    Where a comment states the number of vertices and none the first id, this is 0.
    """
    n, names, first_id = None, "", None
    for start, line, _ in text.lines():
        if start >= end:
            break
        if stated := _STATED.fullmatch(line):
            n = int(stated[1]) if stated[1] else n
            names = stated[2].decode() if stated[2] else names
            first_id = int(stated[3]) if stated[3] else first_id
    return n, names, 0 if first_id is None and n is not None else first_id


def _read(source: InputFile, options: Options, *, dialect: _Dialect) -> Graph:
    return _Table(source, options, dialect).edges().to_graph()


def _read_part(
    source: InputFile, options: Options, part: FilePartition, *, dialect: _Dialect
) -> EdgeTablePart:
    table = _Table(source, options, dialect)
    if table.has_names:
        return table.edges().part(part)
    return table.numbers(*table.text.cut(table.lines.offset, part.index, part.count))


def _read_piece(source: InputFile, options: Options, *, dialect: _Dialect) -> EdgeTablePart | NamedEdges:
    table = _Table(source, options, dialect)
    return table.named_edges() if table.has_names else table.numbers(table.text, table.lines.offset)


def _end_of_first_edge(source: InputFile, options: Options, *, dialect: _Dialect) -> int:
    _, _, end = _Table(source, options, dialect).lines.first_row()
    return end


def _read_forest(source: InputFile, options: Options, *, dialect: _Dialect) -> EdgeTable:
    table = _Table(source, options, dialect)
    return table.edges()._replace(edges=table.edge_indices())


def _write(table: EdgeTable, file: BinaryIO, *, dialect: _Dialect) -> None:
    quote_style: CsvQuoteStyle = "never"
    names = None
    if table.names is not None:
        names, quote_style = _write_kind_of_names(table, file, dialect)
    if table.base:
        file.write(f"# boruvka first_id={table.base}\n".encode())
    is_ambiguous = not dialect.header and table.m in (0, 3)
    if names is None and (table.n > table.implied_n or is_ambiguous):
        file.write(f"# boruvka n={table.n}\n".encode())
    if dialect.header:
        header = ["u", "v", "w"] if table.edges is None else [EDGE_INDEX, "u", "v", "w"]
        file.write(f"{dialect.default.join(header)}\n".encode())
    write_edge_lines(
        file,
        table,
        base=table.base,
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
    may_be_matrix = table.m == 3 and not dialect.header
    if may_be_matrix or all(_WHOLE.fullmatch(str(ends[0]).strip(" \t")) for ends in first if table.m):
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

    for column in _blocks(names) if names.dtype == pl.String else ():
        if (bad := column.filter(column.str.contains(_NOT_IN_A_FIELD))).len():
            raise FormatError(
                f"the name {bad[0]!r} cannot stand in text: it is empty, holds a newline, or starts "
                "or ends with a blank; choose Parquet or npz"
            )
        if not has_quotes and (bad := column.filter(column.str.contains(_NOT_BETWEEN_BLANKS))).len():
            raise FormatError(
                f"the name {bad[0]!r} cannot stand between blanks; choose csv, tsv, Parquet or npz"
            )


def _check_is_no_matrix(source: InputFile) -> None:
    """Raise an error for three rows of three numbers, unless the ending or a comment says more.

    Raises
    ------
    OptionError
        The text may also be a matrix of weights.
    """
    if name_without_compression(source.path).endswith(_ENDINGS_OF_EDGES):
        return
    if source.is_stream or os.path.getsize(source.path) > _LARGEST_OF_THREE_ROWS:
        return
    text = Text.of(source)
    rows = [line for _, line, _ in islice(text.data_lines(COMMENTS), 4)]
    if len(rows) != 3 or not all(map(_are_three_numbers, rows)):
        return
    if any(_STATED.fullmatch(line) for _, line, _ in text.lines()):
        return
    edges = hint("; pass {columns} for edges", columns=(0, 1, 2))
    matrix = hint(", {format} for a matrix", format="matrix")
    raise OptionError(
        f"{source.path}: three rows of three numbers may be three edges u, v, weight, or a matrix of weights"
        f"{edges}{matrix}"
    )


def _are_three_numbers(line: bytes) -> bool:
    fields = re.split(r"\s*[,;]\s*|\s+", line.decode("utf-8", "backslashreplace").replace('"', ""))
    return len(fields) == 3 and all(map(is_number, fields))


def _has_tabs(source: InputFile) -> bool:
    """Return whether tabs separate the fields of the first line: no other blanks do, or only in names."""
    line = Text.of(source).first_data_line(COMMENTS)[1].rstrip(b"\r\n")
    return b"\t" in line and (b" " not in line or _BLANK_IN_NAME.search(line) is not None)


def _codec(separators: str, default: str, *, header: bool) -> Codec:
    dialect = _Dialect(separators, default, header)
    return Codec(
        read=partial(_read, dialect=dialect),
        write=partial(_write, dialect=dialect),
        options=frozenset({"columns", "header", "n", "names", "one_based", "unweighted"}),
        read_part=partial(_read_part, dialect=dialect),
        read_piece=partial(_read_piece, dialect=dialect),
        end_of_first_edge=partial(_end_of_first_edge, dialect=dialect),
        read_forest=partial(_read_forest, dialect=dialect),
        recognises=lambda source: _has_tabs(source) == (default == "\t"),
        holds_names=True,
        fills_gaps=True,
        check_meaning=_check_is_no_matrix,
        check_names=lambda names: _check_names(name_lookup(names), has_quotes=header),
    )


EDGES = _codec(",;", default=" ", header=False)
CSV = _codec(",;", default=",", header=True)
TSV = _codec("", default="\t", header=True)
