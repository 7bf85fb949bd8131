"""A matrix in text: distances of all pairs, or the weights of a network where 0 means no edge.

The rows hold n numbers each, or are one triangle, lower or upper, with or without the diagonal. Numbers are
between commas, semicolons, tabs, bars or blanks. There may be a line with n before them, as PHYLIP and mothur
write it, labels in a line above the rows, and a label in each row. A field that means "none" is no edge.

A matrix of distances is symmetric, and each pair is an edge once, in the order of
`scipy.spatial.distance.pdist`; a zero is a distance, and an empty half is filled from the other. Where a zero
means no edge (``zero_is_no_edge=``, the ending ``.adj``, and files of this package), the matrix is read as
`Graph.from_dense` does: entries (i, j) and (j, i) are both edges.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice, pairwise
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError, warn
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile, NotUtf8Error, name_without_compression
from boruvka.formats.format import Codec
from boruvka.formats.name_columns import as_integers
from boruvka.formats.text.lines import Text, is_number, read_number_rows, whole_number
from boruvka.formats.text.lines.number_forms import plain_number, thousands_mark, warn_of_marks
from boruvka.graph.exact import inexact
from boruvka.graph.graph import Graph
from boruvka.graph.matrix import symmetric_matrix
from boruvka.graph.names import ends_text
from boruvka.graph.no_values import is_none
from boruvka.graph.profiles import collapsed
from boruvka.runtime.arguments import argument, hint

__all__ = ["MATRIX", "is_matrix"]

_SEPARATORS = "\t;,|"
_AS_BLANKS = bytes.maketrans(_SEPARATORS.encode(), b" " * len(_SEPARATORS))
_COMMENT = b"#"
_ZERO_IS_NO_EDGE = b"# boruvka zero_is_no_edge"
_ENDINGS_OF_NETWORKS = ".adj", ".adjacency"
_IN_NUMBERS = b"0123456789.eE+-" + b" \t;,|"
_SEEN = 64
"""Number of rows that show whether a table of numbers is a matrix."""
_MAX_VERTICES = 50_000
"""A larger matrix would have more than 2.5 billion numbers, nearly all of them 0."""


class _Form(NamedTuple):
    """The entries of an (n, n) matrix that rows of numbers hold."""

    name: str
    """square, lower or upper."""
    n: int
    diagonal: int = 0
    """The first diagonal of a triangle; the main one is 0, and those below are negative."""

    def filled(self, numbers: NDArray[Any], others: Any) -> NDArray[Any]:
        """Make the matrix of the numbers of all rows; the other entries get a value."""
        if self.name == "square":
            return numbers.reshape(self.n, self.n)
        matrix = np.full((self.n, self.n), others, numbers.dtype)
        is_lower = np.tri(self.n, k=self.diagonal if self.name == "lower" else self.diagonal - 1, dtype=bool)
        matrix[is_lower if self.name == "lower" else ~is_lower] = numbers
        return matrix

    def lengths(self, rows: int) -> NDArray[np.int64]:
        """Return how many numbers each row has; a row without numbers may be missing."""
        i = np.arange(self.n)
        of_rows = {
            "square": np.full(self.n, self.n),
            "lower": i + 1 + self.diagonal,
            "upper": self.n - i - self.diagonal,
        }[self.name]
        return of_rows if rows == self.n else of_rows[of_rows > 0]


class _Layout:
    """A text, read with one of the layouts of a matrix.

    Parameters
    ----------
    text : Text
    delimiter : str
        The character between fields; empty for any number of blanks.
    offset : int
        The offset of the first row.
    header : list of str, optional
        The labels above the rows.
    has_labels : bool
        Whether each row begins with a label.
    stated : int, optional
        The number of vertices that the first line states.
    """

    def __init__(
        self,
        text: Text,
        delimiter: str,
        offset: int,
        header: list[str] | None = None,
        has_labels: bool = False,
        stated: int | None = None,
    ):
        self.text, self.delimiter, self.offset = text, delimiter, offset
        self.header, self.has_labels, self.stated = header, has_labels, stated
        self.thousands = ""
        """The mark between thousands, if the numbers are not plain."""
        self.first_rows = list(islice(self._rows(), _SEEN))
        if any("," in field for _, fields in self.first_rows for field in fields):
            self.first_numbers = [field for _, fields in self.first_rows for field in fields]
            with suppress(ValueError):  # there are two ways to read them
                self.thousands = thousands_mark(self.first_numbers, delimiter)
            self.first_rows = list(islice(self._rows(), _SEEN))

    @classmethod
    def all_of(cls, text: Text) -> Iterator[_Layout]:
        """Yield the layouts that the first lines allow; those with most labels come first."""
        lines = _rows_of(text, text.start)
        nothing = text.size, b"", text.size
        start, line, after = next(lines, nothing)
        stated = whole_number(line.strip())
        if stated is not None:
            start, line, after = next(lines, nothing)
        _, second, _ = next(lines, nothing)
        delimiter = _delimiter_of(second or line)
        first = _fields(line, delimiter)
        if first and (not first[0] or any(map(_is_label, first))):  # else the corner is a number
            yield cls(text, delimiter, after, first[1:], True, stated)
        yield cls(text, delimiter, after, first, True, stated)
        yield cls(text, delimiter, start, None, True, stated)
        yield cls(text, delimiter, start, None, False, stated)
        yield cls(text, delimiter, after, first, False, stated)

    def _rows(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the label of each row, and its other fields."""
        for _, line, _ in _rows_of(self.text, self.offset):
            yield self._split(line)

    def _split(self, line: bytes) -> tuple[str, list[str]]:
        fields = _fields(line, self.delimiter)
        k = self._fields_of_label(fields)
        numbers = (
            [plain_number(field, self.thousands) for field in fields[k:]] if self.thousands else fields[k:]
        )
        return " ".join(fields[:k]), numbers

    def _fields_of_label(self, fields: list[str]) -> int:
        """Return how many fields the label of a row has: between blanks, all before the numbers."""
        if self.delimiter or not self.has_labels:
            return int(self.has_labels)
        return next((k for k in range(1, len(fields)) if _is_value(fields[k])), len(fields))

    @cached_property
    def form(self) -> _Form | None:
        """The form of the rows, by the first of them and by their number; None if it is none of a matrix."""
        lengths = [len(fields) for _, fields in self.first_rows]
        if lengths in ([], [1]) and self.stated in (None, len(lengths)):  # of no vertices, or of one
            return _Form("square", len(lengths)) if lengths or self.stated == 0 else None
        steps = {b - a for a, b in pairwise(lengths)}
        if len(steps) != 1 or (step := steps.pop()) not in (-1, 0, 1):
            return None
        lines = self.text.data_lines(_COMMENT, self.offset)
        count = sum(1 for _ in (lines if step == 1 else islice(lines, max(lengths) + 2)))
        name = {-1: "upper", 0: "square", 1: "lower"}[step]
        longest = lengths[0] + count - 1 if step == 1 else lengths[0]
        sides = -1 if name == "lower" else 1
        if step == 0:
            found = _Form(name, count) if longest == count else None
        elif longest == count - 1:  # one row has no numbers
            found = _Form(name, count, sides)
        elif longest == count:
            n = self._vertices_of(count, -1 if step == 1 else 0)
            found = _Form(name, n, sides * (n - count))
        else:
            found = None
        return found if found and self.stated in (None, found.n) else None

    def _vertices_of(self, count: int, end: int) -> int:
        """Return the size of a triangle whose longest row has as many numbers as there are rows.

        It has the diagonal, or one vertex more.
        """
        if self.stated is not None:
            return self.stated
        if self.header is not None:
            return count + (self._is_shifted or len(self.header) == count + 1)
        diagonal = {fields[end] for _, fields in self.first_rows}
        return count + (not self.has_labels and len(diagonal) > 1)

    @property
    def _labels(self) -> list[str]:
        return [label for label, _ in self.first_rows]

    @property
    def _is_shifted(self) -> bool:
        """Whether R printed a ``dist``: the first label is above the rows only, and the last beside them."""
        labels, header = self._labels, self.header or []
        return (
            self.has_labels and len(header) > 1 and header[1 : len(labels)] == labels[:-1][: len(header) - 1]
        )

    @property
    def is_matrix(self) -> bool:
        """Whether the text is a matrix in this layout."""
        form, labels = self.form, self._labels
        rows = [fields for _, fields in self.first_rows]
        if form is None or form.n < 2 or not all(_is_value(field) for fields in rows for field in fields):
            return False
        if self.header is not None and self.has_labels:
            if not _are_labels(self.header) and is_none(rows[0][0], "number"):
                return False  # the row and the column of the first vertex, in a matrix without a diagonal
            of_rows = self.header[: len(labels)] == labels and len(self.header) == form.n
            return of_rows or (self._is_shifted and len(self.header) == form.n - 1)
        if self.header is not None and not (len(self.header) == form.n and _are_labels(self.header)):
            return False
        if self.has_labels and (len({*labels}) < len(labels) or "" in labels):
            return False
        if form.name != "square" or self.stated is not None:
            return form.n > 3 - self.has_labels
        return form.n > 3 - self.has_labels and _look_symmetric(rows)

    @property
    def may_be_edges(self) -> bool:
        """Whether the rows may be edges: three of three numbers, and nothing that says more."""
        numbers = (field for _, fields in self.first_rows for field in fields)
        has_labels = self.has_labels or self.header is not None
        return not has_labels and self.form == _Form("square", 3) and all(map(is_number, numbers))

    def names(self, labels: list[str]) -> list[str] | None:
        """Return the names of the vertices, from the labels of all rows."""
        if self._is_shifted:
            return [(self.header or [])[0], *labels]
        return labels if self.has_labels else self.header

    def read(self, form: _Form) -> tuple[NDArray[Any], NDArray[np.bool_], list[str]]:
        """Read the numbers of all rows.

        Returns
        -------
        (k,) array of integers or float64
            The numbers; 0 where there is none.
        (k,) array of bool
            Where there is none.
        list of str
            The label of each row.
        """
        lines: list[bytes] = []
        places: list[int] = []
        gaps: dict[int, list[int]] = {}
        labels: list[str] = []
        end = self.offset
        for start, line, after in _rows_of(self.text, self.offset):
            lines += [b""] * self.text.count_newlines(end, start)
            end = after
            label, numbers = self._cut(line)
            if self.thousands or self._may_have_gaps(numbers):
                label, fields = self._split(line)
                gaps[len(labels)] = none = [i for i, field in enumerate(fields) if is_none(field, "number")]
                for i in none:
                    fields[i] = "0"
                numbers = " ".join(fields).encode()
            labels.append(label)
            places.append(len(lines))
            lines.append(numbers.translate(_AS_BLANKS))
        plain = self.text.with_content(b"\n".join(lines), self.offset)
        expected = f"a row of {form.n} numbers" if form.name == "square" else "a triangle of numbers"
        rows = read_number_rows(plain, 0, comment="\0", expected=expected)
        at = np.array(places, int)
        first, wanted = np.append(0, rows.ends)[at], form.lengths(at.size)
        lengths = rows.ends[at] - first
        if lengths.size != wanted.size:
            announced = (
                f"a square matrix has {form.n} rows" if self.stated is None else f"announces {form.n} rows"
            )
            raise self.text.error(self.text.start, f"{announced}, but the file holds {lengths.size}")
        for row in np.flatnonzero(lengths != wanted)[:1]:
            raise plain.unexpected(int(rows.starts[places[row]]), expected)
        is_gap = np.zeros(rows.values.size, bool)
        for row, positions in gaps.items():
            is_gap[first[row] + np.array(positions, int)] = True
        return rows.values, is_gap, labels

    def _may_have_gaps(self, numbers: bytes) -> bool:
        """Return whether there may be more than numbers between separators; quick: matrices are large."""
        separator = self.delimiter.encode() or b" "
        plain = separator + numbers.replace(b" ", b"" if self.delimiter else b" ") + separator
        gaps = [mark + separator for mark in (b"-", b"+", b".", separator if self.delimiter else b"?")]
        return bool(numbers.translate(None, _IN_NUMBERS)) or any(gap in plain for gap in gaps)

    def _cut(self, line: bytes) -> tuple[str, bytes]:
        """Split a line into its label and the rest, if that is simple."""
        if not self.has_labels:
            return "", line
        if b'"' in line:
            return "", line  # whose quotes are no numbers
        if self.delimiter:
            label, _, numbers = line.partition(self.delimiter.encode())
        else:
            label, *rest = line.split(maxsplit=1)
            numbers = rest[0] if rest else b""
        return label.decode("utf-8", "surrogateescape").strip(), numbers


def is_matrix(text: Text, path: str) -> bool:
    """Return whether a table of text is a matrix.

    Raises
    ------
    OptionError
        It has three rows of three numbers, which may be edges.
    """
    for layout in _Layout.all_of(text):
        if layout.may_be_edges:
            edges = hint("; pass {columns} for edges", columns=(0, 1, 2))
            matrix = hint(", {format} for a matrix", format="matrix")
            raise OptionError(
                f"{path}: three rows of three numbers may be three edges u, v, weight, or a matrix of weights"
                f"{edges}{matrix}"
            )
        if layout.is_matrix:
            return True
    return False


def _layout_of(text: Text) -> tuple[_Layout, _Form]:
    """Return the layout and the form of a text that the caller says is a matrix.

    Raises
    ------
    FormatError
        There is none.
    """
    layouts = list(_Layout.all_of(text))
    plain = layouts[-2]
    found = next((layout for layout in layouts if layout.is_matrix), plain)
    if found.form is not None:
        return found, found.form
    if not plain.first_rows:
        raise text.unexpected(text.start, "the number of vertices, or a row of numbers, on the first line")
    n = len(plain.first_rows[0][1]) if plain.stated is None else plain.stated
    count = 0
    for start, line, _ in _rows_of(text, plain.offset):
        fields, count = _fields(line, plain.delimiter), count + 1
        if len(fields) != n or not all(map(_is_value, fields)):
            raise text.unexpected(start, f"a row of {n} numbers")
    announced = "a square matrix has" if plain.stated is None else "announces"
    raise text.error(text.start, f"{announced} {n} rows, but the file holds {count}")


def _rows_of(text: Text, offset: int) -> Iterator[tuple[int, bytes, int]]:
    """Yield the lines that are no comments, with the separators at their ends."""
    for start, _, after in text.data_lines(_COMMENT, offset):
        yield start, text.content[start:after].rstrip(b"\r\n"), after


def _delimiter_of(line: bytes) -> str:
    found = next((c for c in _SEPARATORS if c.encode() in line), "")
    return "" if len(line.split()) > 2 * len(line.split(found.encode() or None)) else found


def _fields(line: bytes, delimiter: str) -> list[str]:
    """Split a line into fields, without quotes and the blanks around them."""
    text = line.decode("utf-8", "surrogateescape")
    if '"' in text:
        rows = csv.reader([text.strip()], delimiter=delimiter or " ", skipinitialspace=True)
        return [field.strip() for field in next(rows) if field or delimiter]
    return [field.strip() for field in text.split(delimiter)] if delimiter else text.split()


def _is_value(field: str) -> bool:
    return (is_number(field) and "," not in field) or is_none(field, "number")


def _is_label(field: str) -> bool:
    return not (is_number(field) or is_none(field, "number"))


def _are_labels(fields: list[str]) -> bool:
    """Return whether fields are labels: words, or numbers that are counted from 0 or 1."""
    counted = [list(map(str, range(first, first + len(fields)))) for first in (0, 1)]
    return any(map(_is_label, fields)) or fields in counted


def _look_symmetric(rows: list[list[str]]) -> bool:
    """Return whether the first rows are symmetric, have an empty half, or have one value in the diagonal."""
    k = len(rows)
    a = np.array([[np.nan if is_none(x, "number") else float(x) for x in row[:k]] for row in rows])
    below = np.tri(k, k=-1, dtype=bool)
    lower, upper, diagonal = a[below], a.T[below], np.diagonal(a)
    is_half = any((np.isnan(half) | (half == 0)).all() for half in (lower, upper))
    is_constant = np.isnan(diagonal).all() or (diagonal == diagonal[0]).all()
    return bool(is_half or is_constant or np.allclose(lower, upper, rtol=1e-6, atol=0, equal_nan=True))


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    text.wait()
    layout, form = _layout_of(text)
    values, is_gap, labels = layout.read(form)
    if options.default is not None:
        values, is_gap = np.where(is_gap, options.default, values), np.zeros_like(is_gap)
    names = layout.names(labels) if options.names is not False else None
    try:
        " ".join(names or ()).encode()
    except UnicodeEncodeError:
        raise NotUtf8Error(f"{source.path}: expected labels in UTF-8") from None
    if layout.thousands:
        warn_of_marks(text, layout.first_numbers, layout.thousands)
    if options.names and names is None:
        raise OptionError(f"{source.path}: the matrix has no labels: leave out {argument('names', True)}")
    is_network = options.zero_is_no_edge
    if is_network is None and _is_of_a_network(source.path, text):
        is_network = True
    is_guessed = is_network is None and options.format is None
    matrix = None if is_network else _distances(form, values, is_gap, names)
    if matrix is not None and is_guessed:
        is_network = _has_zeros_of_a_network(matrix, names is not None)
    if is_network:
        values[is_gap] = 0
        graph = Graph.from_dense(form.filled(values, 0))
    else:
        assert matrix is not None
        groups = None
        if options.collapse:
            matrix, names, groups = collapsed(np.where(np.tri(form.n, dtype=bool), matrix.T, matrix), names)
        graph = _upper_half(matrix, values.dtype).annotated(profiles=groups)
    if is_guessed:
        _tell(graph, bool(is_network))
    return graph if names is None else graph.with_names(_as_names(names))


def _is_of_a_network(path: str, text: Text) -> bool:
    """Return whether the ending, or a comment of this package, says that zeros are no edges."""
    has_ending = name_without_compression(path).endswith(_ENDINGS_OF_NETWORKS)
    return has_ending or any(line == _ZERO_IS_NO_EDGE for _, line, _ in islice(text.lines(), 2))


def _distances(
    form: _Form, values: NDArray[Any], is_gap: NDArray[np.bool_], names: list[str] | None
) -> NDArray[Any]:
    """Make a matrix that is right above the diagonal: of the type of the values, or with NaN for gaps."""
    dtype = values.dtype
    if form.name != "square" or is_gap.any():
        if (rounded := inexact(values, np.dtype(float))) is not None:
            raise FormatError(f"{values[rounded][0]} is no float64, which a matrix with gaps needs")
        values = values.astype(np.float64)
        values[is_gap] = np.nan
    matrix = form.filled(values, np.nan)
    if form.name != "square":
        return matrix.T if form.name == "lower" else matrix
    np.fill_diagonal(matrix, 0)
    below = np.tri(form.n, k=-1, dtype=bool)
    for half in matrix, matrix.T:
        if np.isnan(half[below]).all():
            return half
    absent = np.isnan(matrix) & np.isnan(matrix.T)
    matrix[absent] = 0
    matrix = symmetric_matrix("the matrix", matrix, dtype, names)
    matrix = np.fmin(matrix, matrix.T)
    if absent.any():
        matrix[absent] = np.nan
    return matrix


def _has_zeros_of_a_network(matrix: NDArray[Any], has_names: bool) -> bool:
    """Return whether zeros cannot be distances: two vertices at 0 are at very different distances to others.

    Raises
    ------
    OptionError
        This is so for many of the pairs of vertices with names, which mostly have distances.
    """
    n = len(matrix)
    i, j = np.nonzero(np.triu(matrix == 0, 1))
    if not i.size:
        return False
    some = np.arange(0, i.size, -(-i.size // _SEEN))
    full = np.where(np.tri(n, dtype=bool), matrix.T, matrix).astype(np.float64)
    np.fill_diagonal(full, np.nan)
    largest = np.nanmax(full)
    change = np.abs(full[i[some]] - full[j[some]])
    change[np.isnan(change)] = 0
    if not (change.max(axis=1) > largest / 2).all():
        return False
    if has_names and i.size * 8 > n * (n - 1):
        network = hint("; pass {zero_is_no_edge} for a network", zero_is_no_edge=True)
        distances = hint(", {zero_is_no_edge} for distances", zero_is_no_edge=False)
        raise OptionError(
            f"{i.size:,} of {n * (n - 1) // 2:,} pairs in the matrix have a zero, which may be a distance or "
            f"mean no edge{network}{distances}"
        )
    return not has_names


def _upper_half(matrix: NDArray[Any], dtype: np.dtype[Any]) -> Graph:
    """Make the graph of the entries above the diagonal that are not NaN."""
    absent: Any = np.nan
    if dtype.kind in "iu":
        low, high = int(np.nanmin(matrix)), int(np.nanmax(matrix))
        absent = high + 1 if high < np.iinfo(dtype).max else low - 1
        if matrix.dtype != dtype:
            matrix = np.where(np.isnan(matrix), absent, matrix).astype(dtype)
    return Graph.from_dense(np.where(np.tri(len(matrix), dtype=bool), absent, matrix), null_value=absent)


def _tell(graph: Graph, is_network: bool) -> None:
    """Say that a text was taken for a matrix."""
    if is_network:
        other = hint("; {zero_is_no_edge} if it is a distance", zero_is_no_edge=False)
        warn(f"read as the matrix of a network of {graph.n:,} vertices, where 0 means no edge{other}")
        return
    pairs = graph.n * (graph.n - 1) // 2
    gaps = f"; {pairs - graph.m:,} of {pairs:,} pairs have none, and no edge" if graph.m < pairs else ""
    other = hint("; {zero_is_no_edge} if it means no edge", zero_is_no_edge=True)
    warn(f"read as a matrix of distances of {graph.n:,} vertices, where 0 is a distance{gaps}{other}")


def _as_names(labels: list[str]) -> Any:
    names = np.array(labels, object)
    integers = as_integers(names)
    return names if integers is None else integers


class _MatrixFile(WholeFile):
    """An open file."""

    def forest(self) -> EdgeTable:
        """Read a symmetric matrix, which holds every edge of a forest twice."""
        table = super().forest()
        once = table.u < table.v
        if once.all():
            return table
        if 2 * np.count_nonzero(once) != table.m:
            raise self._source.error("expected a symmetric matrix")
        return table._replace(u=table.u[once], v=table.v[once], w=table.w[once])


def _write(table: EdgeTable, file: BinaryIO) -> None:
    w = table.portable_weights()
    if table.n > _MAX_VERTICES:
        raise FormatError(
            f"an adjacency matrix of {table.n} vertices is too large to write (at most {_MAX_VERTICES}); "
            "choose another format"
        )
    if (w == 0).any():
        i = int(np.argmax(w == 0))
        raise FormatError(
            f"edge {i} {_ends(table, i)} has weight 0, which means no edge in an adjacency matrix; choose "
            "another format"
        )
    pair = np.minimum(table.u, table.v) * np.uint64(table.n) + np.maximum(table.u, table.v)
    _, first, number = np.unique(pair, return_index=True, return_inverse=True)
    if (differs := w != w[first][number]).any():
        i = int(np.argmax(differs))
        raise FormatError(
            f"edge {i} {_ends(table, i)} is parallel to another of a different weight, and an adjacency "
            "matrix holds one weight for two vertices; choose another format"
        )
    file.write(_ZERO_IS_NO_EDGE + f"\n{table.n}\n".encode())
    row, column = np.concatenate([table.u, table.v]), np.concatenate([table.v, table.u])
    w = np.concatenate([w, w])
    order = np.argsort(row, kind="stable")
    ends = np.searchsorted(row[order], np.arange(table.n + 1)).tolist()
    for begin, end in pairwise(ends):
        cells = ["0"] * table.n
        for j, weight in zip(column[order[begin:end]].tolist(), w[order[begin:end]].tolist(), strict=True):
            cells[j] = repr(weight)
        file.write((" ".join(cells) + "\n").encode())


def _ends(table: EdgeTable, i: int) -> str:
    return ends_text(None, table.u[i], table.v[i], table.base)


MATRIX = Codec(
    partial(_MatrixFile, _read),
    _write,
    frozenset({"default", "missing", "names", "collapse", "zero_is_no_edge"}),
)
