"""Numbers with a decimal comma, or with marks between thousands, become numbers with a decimal point."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from boruvka.formats.text.lines.fields import FieldLines
from boruvka.formats.text.lines.gaps import value_of
from boruvka.graph.text_numbers import MARKED, complaint_of_marks, plain_number, thousands_mark, warn_of_marks
from boruvka.runtime.processors import check_room

_BYTES_OF_LINE = 400
"""Memory for the weight of a line, and the text around it."""
_CLEAR, _COMMA_ALONE = {".": "1.234,5", ",": "1,234.5"}, "0,5"
"""Numbers with a mark between thousands, which can be read in one way, and one without it."""


def with_plain_weights(
    lines: FieldLines, columns: Sequence[int], number: str = "", failed: int = 0
) -> tuple[FieldLines, str] | None:
    """Return the same lines with plain weights, and a number that is written as they were.

    Parameters
    ----------
    lines : FieldLines
    columns : sequence of int
        The positions of columns of weights among the fields.
    number : str
        The number that this function returned for other lines of the file; without one, it warns.
    failed : int
        The number of the line that could not be read, from 1; 0 if it is not known.

    Returns
    -------
    (FieldLines, str) or None
        None if the weights of this line are plain numbers, or not all weights are written in one way.

    Raises
    ------
    FormatError
        The numbers may be read in two ways, or not all are written as the one that is given.
    FileError
        There is too little memory.
    """
    text, width = lines.text, len(columns)
    check_room(text.path, 2 * (text.size - lines.offset))
    content, pattern = text.content[lines.offset : text.size], _pattern(lines, columns)
    if not number:
        line = pattern.match(content, max(text.offset_of_line(failed) - lines.offset, 0)) if failed else None
        values = [] if line is None else [value_of(field, lines.delimiter) for field in line.groups()]
        if not any(MARKED.fullmatch(x) and ("," in x or x.count(".") > 1) for x in values):
            return None
    check_room(text.path, _BYTES_OF_LINE * text.count_newlines(lines.offset, text.size))
    spans = [line.span(1 + k) for line in pattern.finditer(content) for k in range(width)]
    values = [value_of(content[slice(*span)], lines.delimiter) for span in spans]
    if not (thousands := _checked_mark(lines, [*values, number], width)):
        if not number:
            return None
        clear = _CLEAR[","] if number == _CLEAR[","] else _CLEAR["."]
        wrong = (MARKED.fullmatch(x) and not thousands_mark([x, clear], lines.delimiter) for x in values)
        row = [*map(bool, wrong)].index(True) // width
        raise lines.error(row, f"the weight is not written like {number}, as those before")
    parts = (
        (lines.offset + begin, lines.offset + end, plain_number(value, thousands).encode())
        for (begin, end), value in zip(spans, values, strict=True)
        if MARKED.fullmatch(value)
    )
    if not number:
        warn_of_marks(text.path, values, thousands)
        marks = max(x.count(".") + x.count(",") for x in values if MARKED.fullmatch(x))
        number = _CLEAR[thousands] if lines.delimiter == "," or marks > 1 else _COMMA_ALONE
    return lines.replaced(parts), number


def _pattern(lines: FieldLines, columns: Sequence[int]) -> re.Pattern[bytes]:
    """Return a pattern of a line with the right number of fields, and a group for each of some columns."""
    mark, around = re.escape(lines.delimiter.encode()), b""
    blanks = b" *" if lines.delimiter == "\t" else rb"[ \t]*"
    field = rb'(?:%b"(?:[^"\n]|"")*"[ \r]*|[^%b\n]*)' % (blanks, mark)
    if not mark:
        field, mark, around = rb"\S+", rb"[ \t]+", rb"[ \t\r]*"
    fields = mark.join(b"(%b)" % field if k in columns else field for k in range(lines.width))
    return re.compile(rb"(?m)^(?![ \t]*[%b])%b%b%b$" % (lines.comments, around, fields, around))


def plain_column(lines: FieldLines, column: Any, told: set[str]) -> Any:
    """Return a column of strings whose numbers are plain; unchanged if not all are numbers.

    A warning names the marks, unless those between thousands were told about another column.
    """
    texts = column if isinstance(column, list) else column.fill_null("").to_list()
    if not all(text == "" or MARKED.fullmatch(text) for text in texts):
        return column
    if not (thousands := _checked_mark(lines, texts)):
        return column
    if thousands not in told:
        warn_of_marks(lines.text.path, texts, thousands)
        told.add(thousands)
    plain = [plain_number(text, thousands) for text in texts]
    return plain if isinstance(column, list) else type(column)(column.name, plain)


def _checked_mark(lines: FieldLines, texts: list[str], columns: int = 1) -> str:
    try:
        return thousands_mark(texts, lines.delimiter)
    except ValueError as error:
        (number,) = error.args
        raise lines.error(texts.index(number) // columns, complaint_of_marks(number)) from None
