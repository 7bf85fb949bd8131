"""Lines of fields, such as CSV, read as columns of strings; errors name the line."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import compress, islice
from typing import Any, NamedTuple

import numpy as np

from boruvka.errors import FormatError, warn
from boruvka.formats.text.lines.string_columns import BLANKS, differ, split_lines, stripped
from boruvka.formats.text.lines.text import Text
from boruvka.graph.no_values import is_none

COMMENTS = b"#%"
SEPARATORS = {"csv": ",;\t| ", "tsv": "\t;,| ", "edges": " ,;|"}
"""Characters that may separate fields in each format of tables, the usual one first; a space for blanks."""
_LINES_TO_COMPARE = 8
"""Number of the first lines whose fields are counted where several characters may separate them."""
_EDGE_COLUMNS = 3
"""Number of columns of edges alone: a line of words and a number is one of them."""
_MARKED = bytes(ord("#") if c in b"\t\v\f\r " + COMMENTS else c for c in range(256))
"""Translation of the first bytes of lines that are perhaps no rows, if they are not empty, to one byte."""
_ALL_BYTES = bytes(range(256))
_NOT_CLOSED = "a quote is not closed (polars.read_csv(FILE).write_parquet(...) takes line breaks in quotes)"
_QUOTED = re.compile(rb'"[^"\n]*"')


class FieldLines(NamedTuple):
    """The lines of a text, except comments, with the same number of fields each.

    Fields may be quoted, as in CSV, unless they are separated by blanks. Each line stands for itself: a
    quoted field ends on its line.

    Parameters
    ----------
    text : Text
    start : int
        The offset of the first line, which may be a header.
    offset : int
        The offset of the first line after the header.
    names : list of str or None
        The names of the columns, if there is a header.
    width : int
        The number of fields; 0 if there is no line.
    delimiter : str
        The character between fields; empty for any number of blanks.
    comments : bytes
        Characters with which a line begins that is not read.
    """

    text: Text
    start: int
    offset: int
    names: list[str] | None
    width: int
    delimiter: str
    comments: bytes = COMMENTS

    @classmethod
    def of(cls, text: Text, separators: str, header: bool | None, comments: bytes = COMMENTS) -> FieldLines:
        """Find out the layout of a text from its first lines.

        Parameters
        ----------
        text : Text
        separators : str
            Characters that may separate fields, as in `SEPARATORS`.
        header : bool, optional
            Whether the first line names the columns; by default it does if no field of it is a number, or, of
            more than three, at most as many as there are words above columns of numbers. A line of dashes
            below it, as in files of VizieR, and a line of units between both are left out.
        comments : bytes
            Bytes that begin a comment line.

        Raises
        ------
        FormatError
            Lines end with a carriage return alone, a quote is not closed, or numbers have a decimal comma.
        """
        start, line, end = text.first_data_line(comments)
        if b"\r" in line:
            raise text.unexpected(start, "lines that end with \\n or \\r\\n, not with \\r alone")
        if not line:
            return cls(text, start, start, None, 0, "", comments)
        delimiter = _delimiter(text, start, separators, comments)
        fields = _fields_of_line(text, start, delimiter)
        if delimiter == "," and text.has_decimal_comma(start):
            raise text.unexpected(start, "")
        has_header = _is_header(text, start, delimiter, comments, fields) if header is None else header
        if not has_header:
            return cls(text, start, start, None, len(fields), delimiter, comments)
        for _, below, after in list(islice(text.data_lines(comments, end), 2)):
            if b"--" in below and not below.strip(b"- \t" + delimiter.encode()):
                warn(f"{text.path}: the lines of units and dashes below the names of columns are left out")
                end = after
        names = [field.strip() for field in fields]
        return cls(text, start, end, names, len(fields), delimiter, comments)

    def first_row(self) -> tuple[int, list[str], int]:
        """Return the offset of the first line after the header, its fields, and the offset after it.

        If there is no such line, there are no fields.
        """
        start, line, end = self.text.first_data_line(self.comments, self.offset)
        return start, _fields_of_line(self.text, start, self.delimiter) if line else [], end

    def names_above(self) -> list[str]:
        """Return the words of the last comment above the lines that has a word for each column."""
        found = list[str]()
        for start, line, _ in self.text.lines():
            if start >= self.start:
                break
            words = line.lstrip(self.comments + BLANKS.encode()).decode("utf-8", "replace")
            names = [word.strip(BLANKS + '"') for word in words.split(self.delimiter or None)]
            if len(names) == self.width and not any(map(is_number, names)):
                found = names
        return found

    def fields(self, ends: tuple[int, int], weight: int) -> Iterator[tuple[list[str], str]]:
        """Yield the ends and the weight of each line, without blanks around them."""
        for start, _, _ in self._lines():
            fields = [field.strip(BLANKS) for field in _fields_of_line(self.text, start, self.delimiter)]
            yield (
                [fields[i] for i in ends if i < len(fields)],
                fields[weight] if 0 <= weight < len(fields) else "0",
            )

    def read(self, columns: Sequence[int], expected: str = "") -> list[Any]:
        """Read columns as strings without blanks around them.

        They are as `split_lines` returns them.

        Parameters
        ----------
        columns : sequence of int
            Their positions.
        expected : str
            The expected content of a line, for errors.

        Raises
        ------
        FormatError
            A line has another number of fields, a quote that is not closed, or bytes that are not UTF-8.
        MissingExtraError
            The text is large, and polars is not installed.
        """
        content = self._plain_content()
        has_quotes = bool(self.delimiter) and b'"' in content
        expected = expected or f"{self.width} columns"
        if not self._has_right_marks(content, has_quotes):
            self._check_each_line(expected)
        delimiter = self.delimiter or " "
        try:
            padded = split_lines(content, delimiter, self.width, list(columns), has_quotes)
        except ValueError as error:
            self._check_each_line(expected)
            raise self.error(0, f"cannot be read as a table: {error}") from None
        plain = list(map(stripped, padded))
        if has_quotes:
            self._check_blanks(padded, plain)
        return plain

    def without_malformed(self, numbers: Mapping[int, tuple[str, Any]]) -> tuple[FieldLines, list[int]]:
        """Blank rows with another number of fields, or without a number in some columns.

        Parameters
        ----------
        numbers : mapping
            For the position of each of these columns, a regular expression of its usual numbers, and a
            function that returns whether a text is one of its numbers. Rows of usual fields are not split.

        Returns
        -------
        FieldLines
            The other rows, with the same numbers of lines.
        list of int
            The offsets of these rows. A row with a gap is not malformed.
        """
        text, malformed = self.text, list[tuple[int, int, bytes]]()
        field = rf'[^"\0-\x1f\x7f-\xff{self.delimiter}]*' if self.delimiter else "[!-~]+"
        usual = (numbers[k][0] if k in numbers else field for k in range(self.width))
        row = (re.escape(self.delimiter) or "[ \t]+").join(usual)
        no_row = rf"[^\S\n]*(?:[\n{self.comments.decode()}]|\Z)"
        unusual = rf"(?m)^(?!{row}\r?$|{no_row}).+".encode()
        found = re.finditer(unusual, text.array[self.offset : text.size].data)
        for start, end in ((self.offset + k for k in line.span()) for line in found):
            fields = list[str]()
            with suppress(FormatError):
                fields = [field.strip(BLANKS) for field in _fields_of_line(text, start, self.delimiter)]
            are_numbers = (is_none(fields[k], "number") or has(fields[k]) for k, (_, has) in numbers.items())
            if len(fields) != self.width or not all(are_numbers):
                malformed.append((start, end, b""))
        return self.replaced(malformed), [start for start, *_ in malformed]

    def replaced(self, parts: Iterable[tuple[int, int, bytes]]) -> FieldLines:
        """Return the same lines with other bytes in some parts: (begin, end, bytes), ascending."""
        content, kept, copied = self.text.content, list[bytes](), self.offset
        for begin, end, new in parts:
            kept += content[copied:begin], new
            copied = end
        text = self.text.with_content(b"".join([*kept, content[copied : self.text.size]]), self.offset)
        return self._replace(text=text, start=0, offset=0)

    def error(self, row: int, message: str) -> FormatError:
        """Make an error that names the line of a row; rows are counted from 0, after the header."""
        start = next(islice(self._lines(), row, None), (self.offset, b"", 0))[0]
        return self.text.error(start, message)

    def _lines(self) -> Iterator[tuple[int, bytes, int]]:
        return self.text.data_lines(self.comments, self.offset)

    def _plain_content(self) -> bytes:
        """Return the rows without comments and empty lines; single spaces stand for blanks between fields."""
        content = bytes(self.text.array[self.offset : self.text.size])
        if not self.delimiter:
            content = content.replace(b"\t", b" ").replace(b"\r\n", b"\n")
        if self._is_plain(content):
            return content
        if not self.delimiter:
            return b"".join(b" ".join(line.split()) + b"\n" for _, line, _ in self._lines())
        return b"".join(self.text.content[start:end] for start, _, end in self._lines())

    def _is_plain(self, content: bytes) -> bool:
        """Return whether no line is empty, begins with a blank or a comment, or has a blank too many.

        Those are blanks in a row, or one before the end of the text.
        """
        marked = b"\n" + content.translate(_MARKED)
        if b"\n\n" in marked or b"\n#" in marked:
            return False
        return bool(self.delimiter) or not (b"##" in marked or b"#\n" in marked or marked.endswith(b"#"))

    def _has_right_marks(self, content: bytes, has_quotes: bool) -> bool:
        """Return whether each line has the right number of delimiters, outside of quotes that are closed."""
        delimiter = (self.delimiter or " ").encode()
        marks = content.translate(None, _ALL_BYTES.translate(None, delimiter + b'\n"'))
        marks = _QUOTED.sub(b"", marks) if has_quotes else marks.replace(b'"', b"")
        marks += b"" if content.endswith(b"\n") else b"\n"
        return marks == (delimiter * (self.width - 1) + b"\n") * marks.count(b"\n")

    def _check_each_line(self, expected: str) -> None:
        """Raise an error about the first malformed line, if there is one."""
        text = self.text
        for start, line, end in self._lines():
            text.decoded(start, end)
            if (count := len(_fields_of_line(text, start, self.delimiter))) != self.width:
                found = f"{text.quote(start)}: {count} fields, not {self.width}"
                way = f"; quote fields with {self.delimiter!r}" * bool(self.delimiter and count > self.width)
                raise text.error(start, f"expected {expected}, found {found}{text.skip_hint(start) or way}")
            if self.delimiter and line.count(b'"') % 2:
                raise text.error(start, f"{_NOT_CLOSED}, found {text.quote(start)}")

    def _check_blanks(self, padded: list[Any], plain: list[Any]) -> None:
        """Raise an error about blanks beside quotes: it is not clear whether they are part of a field."""
        is_padded = np.logical_or.reduce([differ(*columns) for columns in zip(padded, plain, strict=True)])
        if not is_padded.any():
            return
        for (start, line, _), row in compress(
            zip(self._lines(), zip(*padded, strict=True), strict=False), is_padded
        ):
            for field in filter(None, row):
                quoted = '"{}"'.format(field.replace('"', '""'))
                has_blanks = field != field.strip(BLANKS)
                if has_blanks and (quoted.encode() in line or field.strip(BLANKS).startswith('"')):
                    raise self.text.error(start, f"remove the blanks beside the quotes of {field!r}")


def _fields_of_line(text: Text, start: int, delimiter: str) -> list[str]:
    """Split the line at an offset into its fields, without their quotes.

    Raises
    ------
    FormatError
        A quote is not closed, text follows one, or the line is not UTF-8.
    """
    stripped, end = text.line(start)
    line = text.decoded(start, end)
    if not delimiter:
        return [field.decode() for field in stripped.split()]
    try:
        return next(csv.reader([line.rstrip("\r\n")], delimiter=delimiter, strict=True))
    except csv.Error as error:
        problem = str(error).replace("unexpected end of data", _NOT_CLOSED)
        raise text.error(start, f"{problem}, found {text.quote(start)}{text.skip_hint(start)}") from None


def _delimiter(text: Text, start: int, separators: str, comments: bytes) -> str:
    """Find out which character separates the fields of lines; empty for any number of blanks.

    The first line alone decides where it holds only one of them. Names may hold blanks, so these separate the
    fields of a table only if nothing else does; and ids may hold vertical bars. Else the fields of the first
    lines decide: there is the same number in each, and they hold none of the other characters, if possible.
    """
    line, _ = text.line(start)
    blanks_first, marks = separators[0] == " ", [c for c in separators if c != " " and c.encode() in line]
    if len(marks) == 1 - blanks_first:
        return "".join(marks)
    candidates = [c for c in separators if c in marks or (c == " " and (blanks_first or not marks))]
    starts = [begin for begin, _, _ in islice(text.data_lines(comments, start), _LINES_TO_COMPARE)]
    found = list[tuple[bool, int, bool, int, int, str]]()
    for candidate in candidates:
        delimiter, others = candidate.strip(" "), {*marks} - {candidate}
        with suppress(FormatError):
            rows = [_fields_of_line(text, begin, delimiter) for begin in starts]
            words = [field.strip() for row in rows for field in row if not is_number(field)]
            is_regular = len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)
            if is_regular and others.isdisjoint(words):  # a mark alone is not a word
                mixed = sum(not (others - {"|"}).isdisjoint(word) for word in words)
                count = len(words) if blanks_first else 0
                is_last = candidate == "|" and bool(mixed or not others)
                found.append((is_last, mixed, len(rows[0]) < 3, count, len(found), delimiter))
    return min(found)[-1] if found else (marks or [separators[0].strip(" ")])[0]


def _is_header(text: Text, start: int, delimiter: str, comments: bytes, fields: list[str]) -> bool:
    """Return whether a line names columns: no field is a number, or few are beside words above numbers.

    In a table of prices, the name of a share may be 1 or INF.
    """
    are_words = [not is_number(field) for field in fields]
    if all(are_words) or len(fields) <= _EDGE_COLUMNS:
        return all(are_words)
    lines = islice(text.data_lines(comments, start), 1, _LINES_TO_COMPARE)
    rows = [_fields_of_line(text, begin, delimiter) for begin, _, _ in lines]
    if any(len(row) != len(fields) for row in rows):
        return False
    columns = zip(are_words, zip(*rows, strict=True), strict=False)  # there may be no row
    words = sum(is_word and any(map(is_number, below)) for is_word, below in columns)
    return are_words.count(False) <= words


def is_number(field: str) -> bool:
    """Return whether a field is written as a number, perhaps with a decimal comma."""
    return is_plain_number(field) or Text.is_decimal_comma(field)


def is_plain_number(field: str) -> bool:
    """Return whether a field is a number with a decimal point; Python's `float` reads others, too."""
    try:
        float(field)
    except ValueError:
        return False
    return "_" not in field and field.isascii()
