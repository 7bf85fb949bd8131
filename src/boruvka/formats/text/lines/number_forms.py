"""Numbers with a decimal comma, or with marks between thousands, become numbers with a decimal point."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from boruvka.errors import warn
from boruvka.formats.text.lines.fields import FieldLines
from boruvka.formats.text.lines.gaps import spans_of_fields, value_of
from boruvka.formats.text.lines.text import Text
from boruvka.runtime.processors import check_room

_NUMBER = re.compile(r"[+-]?(?=[.,]*\d)[\d.,]+(?:[eE][+-]?\d+)?")
_FORM = r"[+-]?(?:\d*|[1-9]\d{0,2}(?:GROUP\d{3})+)(?:POINT\d*)?(?:[eE][+-]?\d+)?"
_FORMS = {
    ",": re.compile(_FORM.replace("GROUP", ",").replace("POINT", r"\.")),
    ".": re.compile(_FORM.replace("GROUP", r"\.").replace("POINT", ",")),
}
"""Patterns of numbers by their mark between thousands: 1,234.5 and 1.234,5."""
_SHOWS_THOUSANDS = re.compile(r"[.,]\d{3}[.,]")
_BYTES_OF_LINE = 600
"""Memory for the fields of a line."""


def thousands_mark(texts: Sequence[str], delimiter: str) -> str:
    """Find out which mark stands between the thousands of numbers; the other one is the decimal mark.

    All numbers are written in one way. Between commas a quoted comma separates thousands, if all numbers can
    be read so, as programs that write such tables write a decimal point.

    Parameters
    ----------
    texts : sequence of str
        Fields; those that are not numbers are ignored.
    delimiter : str
        The character between fields.

    Returns
    -------
    str
        Empty if all numbers are plain, or if neither mark makes numbers of all.

    Raises
    ------
    ValueError
        Both marks do, or a number such as 1.234 beside 5,6 may also be meant as a plain one. Its argument is
        the number.
    """
    numbers = [text for text in texts if _NUMBER.fullmatch(text)]
    special = [number for number in numbers if "," in number or number.count(".") > 1]
    marks = [mark for mark, form in _FORMS.items() if all(map(form.fullmatch, numbers))]
    if not special or not marks:
        return ""
    if delimiter == "," and "," in marks:
        return ","
    doubtful = special if len(marks) > 1 else [number for number in numbers if marks[0] in number]
    if doubtful and (len(marks) > 1 or not any(map(_SHOWS_THOUSANDS.search, doubtful))):
        raise ValueError(doubtful[0])
    return marks[0]


def plain_number(number: str, thousands: str) -> str:
    """Return a number with a decimal point; a text that is not a number stays as it is."""
    return number.replace(thousands, "").replace(",", ".") if _NUMBER.fullmatch(number) else number


def warn_of_marks(text: Text, found: Sequence[str], thousands: str) -> None:
    """Warn that numbers are not plain, with the first one as an example."""
    example = next(number for number in found if plain_number(number, thousands) != number)
    what = "have a decimal comma" if thousands == "." else "have commas between thousands"
    warn(f"{text.path}: numbers {what}: {example} is read as {plain_number(example, thousands)}")


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
        if _NUMBER.fullmatch(value):
            kept += content[copied:begin], plain_number(value, thousands).encode()
            copied = end
    warn_of_marks(text, values, thousands)
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
    is_number = _NUMBER.fullmatch(value) is not None
    return field[:1] == b'"' or (is_number and ("," in value or value.count(".") > 1))


def plain_column(lines: FieldLines, column: Any) -> Any:
    """Return a column of strings whose numbers are plain, and warn; unchanged if not all are numbers."""
    texts = column if isinstance(column, list) else column.fill_null("").to_list()
    if not all(text == "" or _NUMBER.fullmatch(text) for text in texts):
        return column
    if not (thousands := _checked_mark(lines, texts)):
        return column
    warn_of_marks(lines.text, texts, thousands)
    plain = [plain_number(text, thousands) for text in texts]
    return plain if isinstance(column, list) else type(column)(column.name, plain)


def _checked_mark(lines: FieldLines, texts: list[str], columns: int = 1) -> str:
    try:
        return thousands_mark(texts, lines.delimiter)
    except ValueError as error:
        (number,) = error.args
        mark = "," if "," in number else "."
        readings = f"{number.replace(mark, '')} or {number.replace(mark, '.')}"
        raise lines.error(
            texts.index(number) // columns,
            f"{number!r} may be {readings}: write numbers with a decimal point and nothing between thousands",
        ) from None
