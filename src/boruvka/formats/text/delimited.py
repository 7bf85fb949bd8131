"""Edge lists (``.el``, ``.txt`` ...) and tables (``.csv``, ``.tsv``): one edge per line, an optional header.

Lines that begin with ``#`` or ``%`` are comments; one may name the columns. In files of KONECT, which begin
with ``% sym`` or ``% asym``, ids begin at 1, and a fourth column is a time, which is not read.

The number of vertices is one more than the largest id, unless ``n=`` is given or a comment above the edges
states it, such as ``# boruvka n=5``. This comment is written if the last vertices are isolated.
``# boruvka first_id=1`` says that ids begin at 1; it is written of graphs whose ids do. Three rows of three
numbers may be a matrix, too: they are refused unless an option, the ending or such a comment says that they
are edges, and are written with a comment.

Ids are names of vertices if the ids of the first edge are not whole numbers, or if ``names=`` or a comment
such as ``# boruvka names=integers`` says so. This comment is written if names would be read as numbers.
"""

from __future__ import annotations

import contextlib
import re
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from numpy.typing import NDArray

from boruvka.errors import BoruvkaError, FormatError, shown, warn
from boruvka.formats.edge_file import WHOLE_FILE, EdgeBatch, FileChunk, LineFile, NamedEdgeBatch
from boruvka.formats.edge_table import OF_TABLES, EdgeTable, Options, weight_1
from boruvka.formats.files import InputFile, NotUtf8Error
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import (
    Names,
    check_names_are_numbered,
    first_match,
    holds_text,
    name_lookup,
    named_ends,
)
from boruvka.formats.table_columns import EDGE_INDEX, edge_column_positions, kept_columns
from boruvka.formats.text.lines.edges import LineLayout, read_edge_lines, read_named_edges, read_weights
from boruvka.formats.text.lines.fields import COMMENTS, SEPARATORS, FieldLines, is_number, is_plain_number
from boruvka.formats.text.lines.gaps import complete_lines, has_gap
from boruvka.formats.text.lines.number_forms import with_plain_weights
from boruvka.formats.text.lines.numbers import WeightType, whole_number
from boruvka.formats.text.lines.string_columns import numbers_or_texts
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.lines.writing import Quotes, write_edge_lines
from boruvka.formats.text.networkx_edges import check_not_streamed, has_attributes, with_weights
from boruvka.graph.labels import take_rows
from boruvka.interop.column_names import ROLES, cost_columns
from boruvka.interop.missing_values import RowCounts, open_roads
from boruvka.runtime.arguments import hint

_STATED = re.compile(rb"#\s*boruvka\s+(?:n=(\d{1,18})|names=(integers|strings)|first_id=([01]))\s*")
_KONECT = re.compile(rb"%\s*(sym|asym|bip)\s+[a-z]+\s*")
"""The first line of files of KONECT: whether edges have a direction, and what their weights mean."""
_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = r"-?[0-9]+(?:\.[0-9]+)?"
_PADDED = re.compile("0[0-9]{1,18}")
_FRACTION = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NOT_IN_A_FIELD = r"^[ \t]|[ \t]$|\n|^$"
"""Names that no text can hold: blanks around a name are dropped, and a quoted field ends on its line."""
_NOT_BETWEEN_BLANKS = "^[#%\ufeff]|[\\x00\t-\r ,;]|^[|]$"
_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_ALWAYS_QUOTED = f"^[#%\ufeff{_SPACE}]|[{_SPACE}]$|\r"
"""Names that are quoted in addition to those that need it, as those that begin or end with white space."""
_REMOVE = "; if so, remove it"
_MOST_COUNTED = 1 << 22
"""Maximum number of bytes of a file whose rows are counted to recognise lines that state their numbers."""
_DELIMITER_NAMES = {"": "blanks", ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}


class _Dialect(NamedTuple):
    """One of the formats of this file.

    Parameters
    ----------
    separators : str
        Characters that may separate fields, as in `SEPARATORS`; the first one does in files that are written.
    header : bool
        Whether a header is written.
    """

    separators: str
    header: bool


class _LinesFile(LineFile):
    """An open file: the layout of its lines, the options, and what comments state.

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

    def __init__(self, source: InputFile, options: Options, *, dialect: _Dialect):
        text = Text.of(source)
        if source.is_batch:
            check_not_streamed(source)
        if has_attributes(text):
            text, options = with_weights(text, options), options._replace(columns=None, header=False)
        text = _without_counts(text)
        self.text, self._options = text, options
        self._lines = lines = FieldLines.of(text, dialect.separators, options.header)
        self.offset = lines.offset
        stated_n, stated_names, self._stated_first_id = _stated(text, lines.start)
        self._n = options.n if options.n is not None else stated_n
        if options.one_based is not None:
            self._stated_first_id = int(options.one_based)
        if lines.names is None and lines.width == 2 and not lines.delimiter.strip():
            self._check_not_counted()
        if konect := _KONECT.fullmatch(text.line(text.start)[0]):
            if konect[1] == b"bip":
                problem = "the ids of both sides of a bipartite graph begin at 1: renumber one side"
                raise text.error(text.start, problem)
            self._stated_first_id = 1 if options.one_based is None else self._stated_first_id
            if lines.width == 4 and options.columns is None:  # the last is a time
                options = options._replace(columns=(0, 1, 2))
        self.column_names = columns = self._choose_columns(options)
        weight = columns[self._w : self._w + 1] if self._w >= 0 else []
        self.costs, self.weight_column = cost_columns(columns, weight), next(iter(weight), None)
        self._kept = kept_columns(lines.width, columns or None, options)
        if options.names is not None or stated_names:
            self.has_names = options.names is not False
        else:
            ids = self._first_ids()
            self.has_names = any(name and not _WHOLE.fullmatch(name) for name in ids)
            if lines.names is None and any(map(_FRACTION.fullmatch, ids)):
                names = hint("; pass {names} if these are names of vertices", names=True)
                raise text.error(lines.start, f"ids are {' and '.join(ids)}, as of coordinates{names}")
        self.may_be_integers = stated_names == "integers" if stated_names else bool(options.names)
        self._seeks_zeros, self._tells_bad_rows = options.names is None and not stated_names, True
        if self.has_names:
            check_names_are_numbered(options)

    def _choose_columns(self, options: Options) -> list[str]:
        """Choose the columns, and return their names, which may stand in a comment above the edges."""
        lines, error = self._lines, partial(self.text.error, self._lines.start)
        width = lines.width or (2 if options.unweighted else 3)
        is_header = bool(options.header) or any(map(is_number, lines.first_row()[1]))
        if lines.names is None and (above := lines.names_above()):
            with contextlib.suppress(BoruvkaError):
                self._u, self._v, self._w = edge_column_positions(width, above, options, error)
                return above
        self._u, self._v, self._w = edge_column_positions(width, lines.names, options, error, is_header)
        are_numbers = [*map(is_number, lines.first_row()[1])]
        is_plain = options.columns is None and options.bad_rows == "error" and not options.fills_gaps
        if lines.names is None and self._w == 2 and is_plain and are_numbers == [True, False, False]:
            first = hint("; if it is first, pass {columns}", columns=(1, 2, 0))
            raise error(f"the third field of the first edge is not a weight{first}")
        return lines.names or []

    def edges(self, chunk: FileChunk = WHOLE_FILE) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges of a chunk; weights may have a decimal comma.

        How numbers are written is shown by the whole file, or by the first chunk of a stream.
        """
        text, offset = self.text.cut(self.offset, chunk.index, chunk.count)
        is_first = chunk.count == 1 or (chunk.is_streamed and chunk.index == 0)
        if not is_first or self._w < 0 or self.marked_number:
            return self.edges_in(text, offset)
        lines = self._lines._replace(text=text, offset=offset)
        try:
            return self._edges_in(lines, is_number)
        except FormatError as error:
            plain = with_plain_weights(lines, [self._w, *self._other_costs()], failed=error.line)
        lines, self.marked_number = plain or (lines, "")
        return self._edges_in(lines)

    def all_edges(self) -> EdgeBatch:
        """Read all edges, and the numbers of kept columns that hold only numbers."""
        edges = super().all_edges()
        kept = {name: numbers_or_texts(column) for name, column in (edges.kept or {}).items()}
        return edges._replace(kept=kept or None)

    def edges_in(self, text: Text, offset: int) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges whose lines follow an offset of a text."""
        lines = self._lines._replace(text=text, offset=offset)
        if self.marked_number:
            columns = [self._w, *self._other_costs()]
            lines, _ = with_plain_weights(lines, columns, self.marked_number) or (lines, "")
        return self._edges_in(lines)

    def _edges_in(self, lines: FieldLines, is_weight: Any = is_plain_number) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges of lines with plain weights; leave out malformed lines if an option says so.

        Lines whose weight has a comma are malformed, unless ``is_weight`` takes it or most lines are so.
        """
        try:
            return self._edges_of_rows(lines)
        except FormatError as error:
            if self._options.bad_rows == "error" or isinstance(error, NotUtf8Error):
                raise
            ids = "[0-9]+", partial(re.fullmatch, "[0-9]+")
            numbers = dict.fromkeys([] if self.has_names else [self._u, self._v], ids)
            weights = {self._w: (_DECIMAL, is_weight)} if self._w >= 0 else {}
            good, bad = lines.without_malformed(numbers | weights)
            edges = self._edges_of_rows(good)
            _, others = lines.without_malformed(numbers | dict.fromkeys(weights, (_DECIMAL, is_number)))
            if not (bad and edges.w.size) or len(bad) - len(others) > edges.w.size:
                raise
        if self._tells_bad_rows:
            self._tells_bad_rows = False
            row = f"the row {lines.text.quote(bad[0])} is malformed: it and others of the kind are left out"
            warn(str(lines.text.error(bad[0], row)))
        counts = RowCounts(left_out=len(bad), malformed=len(bad))
        return edges._replace(row_counts=edges.row_counts + counts)

    def _edges_of_rows(self, lines: FieldLines) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges of lines that are not malformed."""
        row_counts = RowCounts()
        if self._options.fills_gaps:
            if not self.has_names:  # numbers are read faster than gaps are sought: most texts have none
                with contextlib.suppress(FormatError):
                    return self._with_open_roads(self._edges_of(lines), lines)
            lines, row_counts = complete_lines(
                lines, self._u, self._v, self._w, self._options, self.has_names
            )
        edges = self._edges_of(lines)._replace(row_counts=row_counts)
        return self._with_open_roads(edges, lines)

    def _with_open_roads(
        self, edges: EdgeBatch | NamedEdgeBatch, lines: FieldLines
    ) -> EdgeBatch | NamedEdgeBatch:
        """Read the columns that are kept, and costs of the other direction, which count if it is open."""
        kept = dict(zip(self._kept, lines.read(list(self._kept.values())), strict=True)) if self._kept else {}
        edges = edges._replace(kept=kept)
        if self.costs is None:
            return edges
        (other,) = self._other_costs()
        closed = self._options._replace(default=-1)  # where there is no cost
        lines, _ = complete_lines(lines, self._u, self._v, other, closed, self.has_names)
        try:
            back = read_weights(lines.text, lines.offset, self._layout(other, "any"))
        except FormatError:
            if (edges.w < 0).any():
                raise
            return edges  # the column says something else, such as yes and no
        (u, v, w), rows, counts = open_roads(
            self.costs, (edges.u, edges.v, edges.w), back, None, edges.row_counts
        )
        kept = kept if rows is None else {name: take_rows(column, rows) for name, column in kept.items()}
        return edges._replace(u=u, v=v, w=w, row_counts=counts, kept=kept)

    def _other_costs(self) -> list[int]:
        """Return the position of the column of costs of the other direction, if there is one."""
        return [] if self.costs is None else [(self._lines.names or []).index(self.costs.other)]

    def _edges_of(self, lines: FieldLines) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges of lines that all have both ends and a weight, which is in a column."""
        if self.has_names:
            return read_named_edges(lines, self._layout(self._w, "any"), is_numbered=self.costs is None)
        layout = self._layout(self._w, "any", " with whole numbers as ids")
        may_be_names = layout.other_ids if self._n is None else ""
        one_based = bool(self._stated_first_id)
        edges = read_edge_lines(
            lines.text, lines.offset, layout, n=self._n, one_based=one_based, hint=may_be_names
        )
        if self._seeks_zeros and edges.padded < lines.text.size:
            self._seeks_zeros = False
            ids, _ = next(lines._replace(offset=edges.padded).fields((self._u, self._v), -1))
            id = next(filter(_PADDED.fullmatch, ids))
            names = hint("; if they are two vertices, pass {names}", names=True)
            warn(f"{shown(id)} and {shown(f'{int(id)}')} are one vertex, as ids are numbers{names}")
        return EdgeBatch(edges.u, edges.v, edges.w, n=self._n, first_id=self._stated_first_id)

    def _first_ids(self) -> list[str]:
        """Return the ends of the first edge, if possible of one without NA, which may be a name."""
        first: list[str] = []
        for ids, weight in self._lines.fields((self._u, self._v), self._w):
            if not (self._options.fills_gaps and has_gap(ids, weight, self._options, "number")):
                return ids
            if not (first or has_gap(ids, weight, self._options, "name")):
                first = ids
        return first

    def edge_indices(self) -> NDArray[Any] | None:
        """Read the column of the indices of edges, if there is one."""
        names = self._lines.names
        if names is None or names.count(EDGE_INDEX) != 1:
            return None
        return read_weights(self.text, self.offset, self._layout(names.index(EDGE_INDEX), "integers"))

    def _layout(self, w: int, weights: WeightType, ids: str = "") -> LineLayout:
        """Return the layout of lines of u, v and a column w."""
        names, delimiter = {self._u: "u", self._v: "v", w: "w"}, self._lines.delimiter
        width = self._lines.width or 3
        expected = (delimiter or " ").join(names.get(i, "?") for i in range(width))
        return LineLayout(
            f"{expected!r} between {_DELIMITER_NAMES[delimiter]}{ids}",
            fields=width,
            u=self._u,
            v=self._v,
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
        text, start = self.text, self._lines.start
        first, offset = text.line(start)
        fields = first.split()
        if [field.isdigit() for field in fields] != [True, True]:
            return
        if len(text.first_data_line(COMMENTS, offset)[1].split()) == 3:
            raise text.error(start, f"the line looks like n m, the numbers of vertices and edges{_REMOVE}")
        rows = text.count_newlines(offset, text.size)  # the last one may end without a newline
        if not self._options.unweighted and whole_number(fields[1]) in (rows, rows + 1):
            no_edge = f"or is the line n m, the numbers of vertices and edges?{_REMOVE}"
            raise text.error(start, f"there is no column of weights{weight_1()}; {no_edge}")


def _without_counts(text: Text) -> Text:
    """Leave out two lines n and m above the edges, as in files of R. Sedgewick, if both are right."""
    _, n, offset = text.first_data_line(COMMENTS)
    _, m, offset = text.first_data_line(COMMENTS, offset)
    if not (n.isdigit() and m.isdigit()) or text.is_part or text.size > _MOST_COUNTED:
        return text
    rows = [line.split() for _, line, _ in text.data_lines(COMMENTS, offset)]
    counts = len({vertex for row in rows for vertex in row[:2]}), len(rows)
    return text.with_content(text.content[offset:], offset) if (b"%d %d" % counts) == n + b" " + m else text


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


def _write(table: EdgeTable, file: BinaryIO, *, dialect: _Dialect) -> None:
    quotes: Quotes = "never"
    names = None
    if table.names is not None:
        names, quotes = _write_kind_of_names(table, file, dialect)
    if table.base:
        file.write(f"# boruvka first_id={table.base}\n".encode())
    is_ambiguous = not dialect.header and table.m in (0, 3)
    if names is None and (table.n > table.implied_n or is_ambiguous):
        file.write(f"# boruvka n={table.n}\n".encode())
    if dialect.header:
        header = [EDGE_INDEX] * (table.edges is not None) + [*ROLES]
        header += (more := table.more_columns(slice(0)))
        quotes = "necessary" if more and quotes == "never" else quotes
        file.write(f"{dialect.separators[0].join(header)}\n".encode())
    write_edge_lines(
        file,
        table,
        base=table.base,
        separator=dialect.separators[0],
        edge_indices=dialect.header,
        names=names,
        quotes=quotes,
    )


def _write_kind_of_names(table: EdgeTable, file: BinaryIO, dialect: _Dialect) -> tuple[Names, Quotes]:
    """Write a comment with the type of names if the first edge does not show it.

    Returns
    -------
    Series, StoredNames or array
        The names of vertices.
    str
        Which names to quote.
    """
    names = name_lookup(table.names)
    _check_names(names, has_quotes=dialect.header)
    first = named_ends(table, names, slice(0, 1))
    may_be_matrix = table.m == 3 and not dialect.header
    ends = [str(of_end[0]).strip(" \t") for of_end in first if table.m]
    if may_be_matrix or all(map(_WHOLE.fullmatch, ends)) or any(map(_FRACTION.fullmatch, ends)):
        kind = "strings" if holds_text(names) else "integers"
        file.write(f"# boruvka names={kind}\n".encode())
    if not dialect.header or not holds_text(names):
        return names, "never"
    return names, "necessary" if first_match(names, _ALWAYS_QUOTED) is None else "non_numeric"


def _check_names(names: Names, *, has_quotes: bool) -> None:
    """Raise an error for a name that could not be read back."""
    if not holds_text(names):
        return
    if (bad := first_match(names, _NOT_IN_A_FIELD)) is not None:
        raise FormatError(
            f"the name {bad!r} cannot stand in text: it is empty, holds a newline, or starts "
            "or ends with a blank; choose Parquet or npz"
        )
    if not has_quotes and (bad := first_match(names, _NOT_BETWEEN_BLANKS)) is not None:
        raise FormatError(f"the name {bad!r} cannot stand between blanks; choose csv, tsv, Parquet or npz")


def _codec(name: str, *, header: bool) -> Codec:
    dialect = _Dialect(SEPARATORS[name], header)
    return Codec(
        partial(_LinesFile, dialect=dialect),
        partial(_write, dialect=dialect),
        OF_TABLES | {"bad_rows", "header"},
        Holds(
            names=lambda names: _check_names(name_lookup(names), has_quotes=header),
            columns={"edges"} if header else (),
        ),
    )


EDGES = _codec("edges", header=False)
CSV = _codec("csv", header=True)
TSV = _codec("tsv", header=True)
