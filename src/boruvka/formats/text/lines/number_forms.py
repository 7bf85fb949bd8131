"""Numbers with a decimal comma, or with marks between thousands, become numbers with a decimal point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boruvka.formats.text.lines.fields import FieldLines
from boruvka.formats.text.lines.gaps import spans_of_fields, value_of
from boruvka.formats.text.lines.text import Text
from boruvka.graph.text_numbers import MARKED, complaint_of_marks, plain_number, thousands_mark, warn_of_marks
from boruvka.runtime.processors import check_room

_BYTES_OF_LINE = 600
"""Memory for the fields of a line."""


def with_plain_weights(lines: FieldLines, columns: Sequence[int], failed: int) -> Text | None:
    """Return a text with the same lines, whose weights are plain numbers, and warn.

    Parameters
    ----------
    lines : FieldLines
    columns : sequence of int
        The positions of columns of weights among the fields.
    failed : int
        The number of the line that could not be read, from 1; 0 if it is not known.

    Returns
    -------
    Text or None
        None if the weights of this line are plain numbers, or not all weights are written in one way.

    Raises
    ------
    FormatError
        The numbers may be read in two ways.
    FileError
        There is too little memory.
    """
    text, columns = lines.text, sorted(columns)
    begin = text.offset_of_line(failed) if failed else text.size
    fields = _fields(lines, begin, columns) if begin < text.size else []
    if not any(_is_special(text.content[slice(*span)], value) for span, value in fields):
        return None
    check_room(text.path, 2 * text.size + _BYTES_OF_LINE * text.count_newlines(lines.offset, text.size))
    found = [_fields(lines, start, columns) for start, *_ in text.data_lines(lines.comments, lines.offset)]
    values = [value for fields in found for _, value in fields]
    if not (thousands := _checked_mark(lines, values, len(columns))):
        return None
    content = text.content[: text.size]
    kept, copied = list[bytes](), 0
    for (begin, end), value in (field for fields in found for field in fields):
        if MARKED.fullmatch(value):
            kept += content[copied:begin], plain_number(value, thousands).encode()
            copied = end
    warn_of_marks(text.path, values, thousands)
    return text.with_content(b"".join([*kept, content[copied:]]))


def _fields(lines: FieldLines, start: int, columns: Sequence[int]) -> list[tuple[tuple[int, int], str]]:
    """Return where fields of the line at an offset are, and their values; none of a malformed line."""
    after = lines.text.line(start)[1]
    line = lines.text.content[start : min(after, lines.text.size)].rstrip(b"\r\n")
    spans = spans_of_fields(line, lines.delimiter)
    if len(spans) != lines.width:
        return []
    chosen = [spans[k] for k in columns]
    return [((start + i, start + j), value_of(line[i:j], lines.delimiter)) for i, j in chosen]


def _is_special(field: bytes, value: str) -> bool:
    """Return whether a field is quoted, or a number that is not plain."""
    is_number = MARKED.fullmatch(value) is not None
    return field[:1] == b'"' or (is_number and ("," in value or value.count(".") > 1))


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
