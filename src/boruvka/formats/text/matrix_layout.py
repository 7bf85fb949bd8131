"""The layout of a matrix in text: separators, labels, the form of the rows, and the numbers in them.

A text is compared with all layouts that its first lines allow. Where neither labels nor a triangle nor a
number of rows show that it is a matrix, a square of numbers must look symmetric.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError, shown
from boruvka.formats.text.lines.fields import is_plain_number
from boruvka.formats.text.lines.numbers import read_number_rows, whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.graph.no_values import is_none
from boruvka.graph.text_numbers import plain_number, thousands_mark
from boruvka.runtime.arguments import hint

_SEPARATORS = "\t;,|"
_AS_BLANKS = bytes.maketrans(_SEPARATORS.encode(), b" " * len(_SEPARATORS))
_COMMENT = b"#"
_DECIMAL_COMMA = re.compile(rb"(?<![^;\t| \r\n])[+-]?[\d.]*,\d+(?![^;\t| \r\n])")
_EMPTY_END = re.compile(rb"(\r?\n[,;\t| ]*)+\Z")
_IN_NUMBERS = b"0123456789.eE+-" + b" \t;,|"
_NOT_OF_NAMES = re.compile(r"[^A-Za-z0-9._]")
_MOST_WRONG = 0.4
"""Maximum share of cells of a matrix that are not numbers, unless all have one text, such as x."""
_LEAST_ROWS = 3
"""Number of rows above which a first line with one number may be the first row of a triangle."""
_SEEN = 64
"""Number of rows that show whether a table of numbers is a matrix."""


class Form(NamedTuple):
    """The entries of an (n, n) matrix that rows of numbers hold."""

    name: str
    """square, hollow (without the diagonal), lower or upper."""
    n: int
    diagonal: int = 0
    """The first diagonal of a triangle; the main one is 0, and those below are negative."""

    def filled(self, numbers: NDArray[Any], others: Any) -> NDArray[Any]:
        """Make the matrix of the numbers of all rows; the other entries get a value."""
        if self.name == "square":
            return numbers.reshape(self.n, self.n)
        matrix = np.full((self.n, self.n), others, numbers.dtype)
        is_lower = np.tri(self.n, k=self.diagonal if self.name == "lower" else self.diagonal - 1, dtype=bool)
        if self.name == "hollow":
            is_lower = ~np.eye(self.n, dtype=bool)
        matrix[~is_lower if self.name == "upper" else is_lower] = numbers
        return matrix

    def lengths(self, rows: int) -> NDArray[np.int64]:
        """Return how many numbers each row has; a row without numbers may be missing."""
        i = np.arange(self.n)
        of_rows = {
            "square": np.full(self.n, self.n),
            "hollow": np.full(self.n, self.n - 1),
            "lower": i + 1 + self.diagonal,
            "upper": self.n - i - self.diagonal,
        }[self.name]
        return of_rows if rows == self.n else of_rows[of_rows > 0]


class _Row(NamedTuple):
    """One of the first rows of a text."""

    label: str
    fields: list[str]
    """The first of its numbers."""
    length: int
    """The number of its numbers."""
    last: str

    def with_values(self) -> _Row:
        """Return the row with no value in place of what is no number."""
        fields = [x if _is_value(x) else "-" for x in self.fields]
        return self._replace(fields=fields, last=self.last if _is_value(self.last) else "-")


@dataclass(eq=False)
class Layout:
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
    mark : str
        The mark between thousands, if numbers are not plain; "." if they have a decimal comma.
    """

    text: Text
    delimiter: str
    offset: int
    header: list[str] | None = None
    has_labels: bool = False
    stated: int | None = None
    mark: str = ""

    @classmethod
    def all_of(cls, text: Text, mark: str = "") -> list[Layout]:
        """List the layouts that the first lines allow; those with most labels come first."""
        lines = list(islice(_lines_of(text, text.start), 3))
        stated = whole_number(lines[0][1].strip()) if lines else None
        others = cls._from(text, lines, None, mark)
        if stated is None:
            return others
        found = cls._from(text, lines[1:], stated, mark)
        rows, is_numbered = others[-2], any(_are_counted(layout._labels) for layout in found)
        is_triangle = rows.is_matrix and rows.form is not None and rows.form.name == "lower"
        is_clear = len(rows.first_rows) > _LEAST_ROWS or all(x.form is None or x.form.n < 2 for x in found)
        # Else the first line is a row of a triangle.
        return others if is_triangle and is_clear and not is_numbered else found

    @classmethod
    def _from(cls, text: Text, lines: list[Any], stated: int | None, mark: str) -> list[Layout]:
        """List the layouts of a text that begins with some lines; the last but one has numbers alone."""
        start, line, after = lines[0] if lines else (text.size, b"", text.size)
        delimiter = _delimiter_of(lines[-1][1] if lines else line)  # the first ones may have few fields
        first = _fields(line, delimiter)
        has_corner = bool(first) and (not first[0] or any(map(_is_label, first)))  # else it is a number
        headers = [first[1:], first] if has_corner else [first]
        found = [cls(text, delimiter, after, header, True, stated, mark) for header in headers]
        found += [cls(text, delimiter, start, None, has, stated, mark) for has in (True, False)]
        return [*found, cls(text, delimiter, after, first, False, stated, mark)]

    @cached_property
    def first_rows(self) -> list[_Row]:
        """The first rows, which are split when they are first needed."""
        rows = (self._split(line) for _, line, _ in islice(self._lines(), _SEEN))
        return [_Row(label, fields[: _SEEN + 1], len(fields), "".join(fields[-1:])) for label, fields in rows]

    def _lines(self) -> Iterator[tuple[int, bytes, int]]:
        hides_labels = any(label.startswith("#") for label in self.header or ())
        return _lines_of(self.text, self.offset, b"" if hides_labels else _COMMENT)

    def _split(self, line: bytes) -> tuple[str, list[str]]:
        """Return the label of a row, and its other fields."""
        fields = _fields(line, self.delimiter)
        k = self._size_of_label(fields)
        numbers = fields[k:]
        return " ".join(fields[:k]), [plain_number(x, self.mark) for x in numbers] if self.mark else numbers

    def _size_of_label(self, fields: list[str]) -> int:
        """Return how many fields the label of a row has: between blanks, all before the numbers."""
        if self.delimiter or not self.has_labels:
            return int(self.has_labels)
        if self.stated is not None and len(fields) > self.stated:  # names such as "strain 1"
            return len(fields) - self.stated
        return next((k for k in range(1, len(fields)) if _is_value(fields[k])), len(fields))

    @cached_property
    def form(self) -> Form | None:
        """The form of the rows, by the first of them and by their number; None if it is none of a matrix."""
        lengths = [row.length for row in self.first_rows]
        if lengths in ([], [1]) and self.stated in (None, len(lengths)):  # of no vertices, or of one
            return Form("square", len(lengths)) if lengths or self.stated == 0 else None
        steps = {b - a for a, b in pairwise(lengths)}
        if len(steps) != 1 or (step := steps.pop()) not in (-1, 0, 1):
            return None
        count = sum(1 for _ in (self._lines() if step == 1 else islice(self._lines(), max(lengths) + 3)))
        longest = lengths[0] + count - 1 if step == 1 else lengths[0]
        name, side = ("lower", -1) if step == 1 else ("upper", 1)
        found = None
        if step == 0 and longest == count:
            found = Form("square", count)
        elif step == 0 and longest == count - 1 and self.header is not None and self.has_labels:
            found = Form("hollow", count)
        elif step and longest == count - 1:  # one row has no numbers
            found = Form(name, count, side)
        elif step and longest == count:
            n = self._vertices_of(count, is_lower=step == 1)
            found = Form(name, n, side * (n - count)) if n - count in (0, 1) else None
        return found if found and self.stated in (None, found.n) else None

    def _vertices_of(self, count: int, *, is_lower: bool) -> int:
        """Return the size of a triangle whose longest row has as many numbers as there are rows.

        It has the diagonal, or one vertex more.
        """
        if self.stated is not None:
            return self.stated
        if self.header is not None:
            return count + (self._is_shifted or len(self.header) == count + 1)
        diagonal = {row.last if is_lower else row.fields[0] for row in self.first_rows}
        return count + (not self.has_labels and len(diagonal) > 1)

    @property
    def _labels(self) -> list[str]:
        return [row.label for row in self.first_rows]

    @property
    def _is_shifted(self) -> bool:
        """Whether R printed distances: the first label is above the rows only, and the last beside them."""
        header = self.header or []
        k = min(len(header) - 1, len(self._labels))
        return self.has_labels and k > 0 and header[1 : k + 1] == self._labels[:k]

    @property
    def is_matrix(self) -> bool:
        """Whether the text is a matrix in this layout."""
        form, labels = self.form, self._labels
        rows = [row.fields for row in self.first_rows]
        if form is None or form.n < 2 or not all(_is_value(field) for fields in rows for field in fields):
            return False
        looks_symmetric = form.name == "square" and form.n > 3 - self.has_labels and _look_symmetric(rows)
        if self.header is not None and self.has_labels:
            return self._is_labelled(form, labels, looks_symmetric)
        if form.name == "hollow":
            return False
        if self.header is not None and not (len(self.header) == form.n and _are_labels(self.header)):
            return False
        if self.has_labels and (len({*labels}) < len(labels) or "" in labels):
            return False
        if self.has_labels and form.name != "square" and not any(map(_is_label, labels)):
            diagonal = {row.last or row.label for row in self.first_rows}
            are_first = self.stated is None or (form.diagonal == -1 and len(diagonal) == 1)
            if are_first and (form.name == "lower" or not _are_counted(labels)):
                return False  # the first numbers are not labels
        if self.stated is not None and self.has_labels and form.n > 1 + (form.name != "square"):
            return form.n > 2 or all(map(_is_label, labels))
        return form.n > 3 - self.has_labels and (form.name != "square" or looks_symmetric)

    def _is_labelled(self, form: Form, labels: list[str], looks_symmetric: bool) -> bool:
        """Return whether labels above the rows and beside them are those of one matrix."""
        header = self.header or []
        if self._is_shifted and len(header) == form.n - 1:
            return form.name == "lower"
        if len(header) != form.n:
            return False
        if header[: len(labels)] == labels or header[: len(labels)] == _names_of_r(labels):
            # Else a header of numbers may be the row of the first vertex, without a diagonal.
            is_row = form.name == "square" and is_none(self.first_rows[0].fields[0], "number")
            return _are_labels(header) or not is_row or len(set(header)) == form.n
        if _are_counted(labels) and any(map(_is_label, header)):
            return looks_symmetric
        return form.name == "square" and set(labels) <= set(header) and len(set(header)) == form.n

    def name_of(self, vertex: int, *, is_row: bool = False) -> str:
        """Return what a message calls a row or a column: its label, else its number from 1."""
        labels = self._labels
        if not is_row and self.header and not self._is_shifted:
            labels = self.header
        return (labels[vertex] if vertex < len(labels) else "") or str(vertex + 1)

    @property
    def may_be_edges(self) -> bool:
        """Whether the rows may be edges: three of three numbers, and nothing that says more."""
        numbers = (field for row in self.first_rows for field in row.fields)
        has_labels = self.has_labels or self.header is not None
        return not has_labels and self.form == Form("square", 3) and all(map(is_plain_number, numbers))

    @property
    def has_labels_above(self) -> bool:
        """Whether labels stand above a square of numbers and none beside it; they may be names of columns."""
        header, values = self.header or [], (x for row in self.first_rows for x in row.fields)
        is_below = not self.has_labels and any(map(_is_label, header)) and all(map(_is_value, values))
        return is_below and self.form == Form("square", len(header))

    def names_and_order(self, labels: list[str]) -> tuple[list[str] | None, list[int] | None]:
        """Return the names of the vertices, and the rows in this order unless the file has the same one."""
        header = self.header
        if header is None or not self.has_labels:
            return (labels if self.has_labels else header), None
        if self._is_shifted:
            return [header[0], *labels], None
        if header == labels or header == _names_of_r(labels):
            return labels, None
        if set(header) == set(labels) and len(set(labels)) == len(labels):
            row = {label: k for k, label in enumerate(labels)}
            return header, [row[name] for name in header]
        if _are_counted(labels):
            return header, None
        raise self.text.error(self.offset, "the labels of the rows are not those of the columns")

    def read(self, form: Form) -> tuple[NDArray[Any], NDArray[np.bool_], list[str]]:
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
        self.text.decoded(self.text.start, end)  # the header
        for start, line, after in self._lines():
            if not line.isascii():
                self.text.decoded(start, after)
            lines += [b""] * self.text.count_newlines(end, start)
            end = after
            label, numbers = self._cut(line)
            if self._may_have_others(numbers):
                label, fields = self._split(line)
                gaps[len(labels)] = none = [i for i, field in enumerate(fields) if is_none(field, "number")]
                for i in none:
                    fields[i] = "0"
                numbers = " ".join(fields).encode()
            labels.append(label)
            places.append(len(lines))
            lines.append(numbers.translate(_AS_BLANKS))
        plain = self.text.with_content(b"\n".join([*lines, b""]), self.offset)
        expected = f"a row of {form.n} numbers" if form.name == "square" else "a triangle of numbers"
        rows = read_number_rows(plain, 0, comment="\0", expected=expected)
        at = np.array(places, int)
        first, wanted = np.append(0, rows.ends)[at], form.lengths(at.size)
        lengths = rows.ends[at] - first
        if lengths.size != wanted.size:
            announced = "announces" if self.stated is not None else "a square matrix has"
            message = f"{announced} {form.n} rows, but the file holds {lengths.size}"
            raise self.text.error(self.text.start, message)
        for row in np.flatnonzero(lengths != wanted)[:1]:
            raise plain.unexpected(int(rows.starts[places[row]]), expected)
        is_gap = np.zeros(rows.values.size, bool)
        for row, positions in gaps.items():
            is_gap[first[row] + np.array(positions, int)] = True
        return rows.values, is_gap, labels

    def _may_have_others(self, numbers: bytes) -> bool:
        """Return whether there may be more than plain numbers; quick, as matrices are large."""
        separator = self.delimiter.encode() or b" "
        plain = separator + numbers.replace(b" ", b"" if self.delimiter else b" ") + separator
        gaps = [mark + separator for mark in (b"-", b"+", b".", separator if self.delimiter else b"?")]
        has_others = bool(self.mark) or bool(numbers.translate(None, _IN_NUMBERS))
        return has_others or any(gap in plain for gap in gaps)

    def _cut(self, line: bytes) -> tuple[str, bytes]:
        """Split a line into its label and the rest, if that is simple; else the label stays in the rest."""
        if not self.has_labels:
            return "", line
        is_long = self.stated is not None and not self.delimiter and len(line.split()) > self.stated + 1
        if b'"' in line:
            return "", line
        if self.delimiter:
            label, _, numbers = line.partition(self.delimiter.encode())
        else:
            label, *rest = line.split(maxsplit=1)
            numbers = b"label" if is_long else rest[0] if rest else b""
        return label.decode("utf-8", "backslashreplace").strip(), numbers


class AmbiguousTableError(OptionError):
    """A table has three rows of three numbers, and may be edges or a matrix: an option says which."""


def is_matrix(text: Text, path: str) -> bool:
    """Return whether a table of text is a matrix.

    Raises
    ------
    AmbiguousTableError
    """
    if _has_more_rows_than_columns(text):
        return False
    for layout in _layouts(text):
        if layout.may_be_edges:
            edges = hint("; pass {columns} for edges", columns=(0, 1, 2))
            options: dict[str, Any] = {"format": "matrix"}
            if not _look_symmetric([row.fields for row in layout.first_rows]):
                options["zero_is_no_edge"] = True  # an arc in each direction
            matrix = hint(f", {' '.join(f'{{{name}}}' for name in options)} for a matrix", **options)
            raise AmbiguousTableError(
                f"{path}: three rows of three numbers may be three edges u, v, weight, or a matrix of weights"
                f"{edges}{matrix}"
            )
        if layout.is_matrix:
            return True
    return False


def layout_of(text: Text) -> tuple[Layout, Form]:
    """Return the layout and the form of a text that is a matrix.

    Raises
    ------
    FormatError
        It has no layout of a matrix.
    """
    layouts = _layouts(text)
    plain = next(layout for layout in layouts if layout.header is None and not layout.has_labels)
    below = next((layout for layout in layouts if layout.has_labels_above), plain)
    found = next((layout for layout in layouts if layout.is_matrix), below)
    if found.form is not None and (found is not plain or found.is_matrix or wrong_cell(text) is None):
        return found, found.form
    raise _no_matrix(text, plain)


def may_be_below_labels(text: Text) -> bool:
    """Return whether three rows of three numbers below labels look more like a matrix than like edges."""
    found = [[row.fields for row in x.first_rows] for x in Layout.all_of(text) if x.has_labels_above]
    return any(len(rows) == 3 and _look_symmetric(rows) for rows in found)


def wrong_cell(text: Text) -> str | None:
    """Return what to change in a text that would be a matrix if all of its first cells were numbers."""
    for layout in Layout.all_of(text):
        form, rows = layout.form, layout.first_rows
        wrong = [(i, j) for i, row in enumerate(rows) for j, x in enumerate(row.fields) if not _is_value(x)]
        texts = {rows[i].fields[j] for i, j in wrong}
        are_few = len(wrong) <= _MOST_WRONG * sum(len(row.fields) for row in rows) or len(texts) == 1
        if form is None or not wrong or not are_few or not texts.isdisjoint(layout.header or ()):
            continue
        layout.first_rows = [row.with_values() for row in rows]
        if layout.is_matrix:
            (i, j), cell = wrong[0], rows[wrong[0][0]].fields[wrong[0][1]]
            if form.name == "upper":
                j += form.n - rows[i].length
            elif form.name == "hollow":
                j += j >= i
            where = f"row {layout.name_of(i, is_row=True)}, column {layout.name_of(j)} of the matrix"
            return f"{where} is {shown(cell)}: write a number, or - for no distance"
    return None


def _no_matrix(text: Text, plain: Layout) -> FormatError:
    """Make the error about a text that is said to be a matrix."""
    if (message := wrong_cell(text)) is not None:
        return text.error(text.start, message)
    if not plain.first_rows:
        return text.unexpected(text.start, "the number of vertices, or a row of numbers, on the first line")
    n = plain.first_rows[0].length if plain.stated is None else plain.stated
    count = 0
    for start, line, _ in _lines_of(text, plain.offset):
        fields, count = _fields(line, plain.delimiter), count + 1
        if len(fields) != n or not all(map(_is_value, fields)):
            return text.unexpected(start, f"a row of {n} numbers")
    announced = "a square matrix has" if plain.stated is None else "announces"
    return text.error(text.start, f"{announced} {n} rows, but the file holds {count}")


def _has_more_rows_than_columns(text: Text) -> bool:
    """Return whether a text certainly has: quick, as most tables are edges."""
    lines = [line for _, line, _ in islice(text.data_lines(_COMMENT), 3)]
    if len(lines) < 3 or whole_number(lines[0]) is not None:
        return False
    widths = [len(_fields(line, _delimiter_of(line))) for line in lines]
    most = widths[2] + 2  # with a line of labels, and a line of separators at the end
    return widths[1] == widths[2] and sum(1 for _ in islice(text.data_lines(_COMMENT), most + 1)) > most


def _layouts(text: Text) -> list[Layout]:
    """List the layouts of a text: of the first change that makes a matrix of it, else of the text itself."""
    layouts = Layout.all_of(text)
    if any(layout.is_matrix for layout in layouts):
        return layouts
    mark = _mark_in(layouts)
    for changed in _changes(text, mark):
        found = Layout.all_of(changed, mark)
        if any(layout.is_matrix for layout in found):
            return found
    return layouts


def _changes(text: Text, mark: str) -> Iterator[Text]:
    """Yield what a text may have to be changed to, to be the rows of a matrix."""
    if mark:
        yield text
    text = _without_ends(text)
    yield text
    yield _with_joined_rows(text)


def _mark_in(layouts: list[Layout]) -> str:
    """Return the mark between thousands in the numbers of a text; empty if they are plain, or may be both."""
    plain = layouts[-2]
    cells = [field for row in plain.first_rows for field in row.fields]
    with suppress(ValueError):
        return thousands_mark(cells, plain.delimiter or " ")
    return ""


def _without_ends(text: Text) -> Text:
    """Drop lines of separators at the end of a text, and a separator at the end of all lines."""
    content = _EMPTY_END.sub(b"\n", text.content[: text.size])
    lines = [line.rstrip(b" ") for _, line, _ in _lines_of(text.with_content(content), text.start)]
    for separator in _SEPARATORS.encode():
        if lines and all(line.endswith(bytes([separator])) for line in (lines[0], lines[-1])):
            content = re.sub(re.escape(bytes([separator])) + rb" *(?=\r?\n|\Z)", b"", content)
    return text.with_content(content)


def _with_joined_rows(text: Text) -> Text:
    """Join the lines of each row of PHYLIP: a line that begins with a number continues the row before."""
    rows: list[bytes] = []
    for _, line, _ in _lines_of(text, text.start):
        goes_on = len(rows) > 1 and whole_number(rows[0].strip()) and _is_value(_fields(line, "")[0])
        rows.append((b" " if goes_on else b"\n") + line)
    return text.with_content(b"".join(rows).lstrip(b"\n"))


def _lines_of(text: Text, offset: int, comments: bytes = _COMMENT) -> Iterator[tuple[int, bytes, int]]:
    """Yield the lines that are not comments, with the separators at their ends."""
    for start, _, after in text.data_lines(comments, offset):
        yield start, text.content[start:after].rstrip(b"\r\n"), after


def _delimiter_of(line: bytes) -> str:
    found = next((c for c in _SEPARATORS if c.encode() in line), "")
    if found == "," and len(_DECIMAL_COMMA.findall(line)) == line.count(b",") > 1:
        return ""  # commas are in numbers between blanks
    return "" if len(line.split()) > 2 * len(line.split(found.encode() or None)) else found


def _fields(line: bytes, delimiter: str) -> list[str]:
    """Split a line into fields, without quotes and the blanks around them."""
    text = line.decode("utf-8", "backslashreplace")
    if '"' in text:
        rows = csv.reader(
            [text if delimiter else text.strip()], delimiter=delimiter or " ", skipinitialspace=True
        )
        return [field.strip() for field in next(rows) if field or delimiter]
    return [field.strip() for field in text.split(delimiter)] if delimiter else text.split()


def _is_value(field: str) -> bool:
    return is_plain_number(field) or is_none(field, "number")


def _is_label(field: str) -> bool:
    return not _is_value(field)


def _are_labels(fields: list[str]) -> bool:
    """Return whether fields are labels: words, or numbers that are counted from 0 or 1."""
    return any(map(_is_label, fields)) or _are_counted(fields)


def _are_counted(labels: list[str]) -> bool:
    """Return whether labels are numbers that are counted from 0 or 1."""
    return any(labels == list(map(str, range(first, first + len(labels)))) for first in (0, 1))


def _names_of_r(labels: list[str]) -> list[str]:
    """Return labels as R writes them above columns: without blanks, and X before numbers."""
    names = [_NOT_OF_NAMES.sub(".", label) for label in labels]
    return [f"X{name}" if name[:1].isdigit() else name for name in names]


def _look_symmetric(rows: list[list[str]]) -> bool:
    """Return whether the first rows are symmetric, have an empty half, or have one value in the diagonal."""
    k = len(rows)
    a = np.array([[np.nan if is_none(x, "number") else float(x) for x in row[:k]] for row in rows])
    below = np.tri(k, k=-1, dtype=bool)
    lower, upper, diagonal = a[below], a.T[below], np.diagonal(a)
    is_half = any((np.isnan(half) | (half == 0)).all() for half in (lower, upper))
    is_constant = np.isnan(diagonal).all() or (diagonal == diagonal[0]).all()
    return bool(is_half or is_constant or np.allclose(lower, upper, rtol=1e-6, atol=0, equal_nan=True))
