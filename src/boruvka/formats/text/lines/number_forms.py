"""Numbers with a decimal comma, or with marks between thousands, become numbers with a decimal point."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from boruvka.errors import warn
from boruvka.formats.text.lines.fields import FieldLines
from boruvka.formats.text.lines.gaps import spans_of_fields, value_of
from boruvka.formats.text.lines.text import Text

__all__ = ["plain_column", "plain_number", "thousands_mark", "warn_of_marks", "with_plain_weights"]

_NUMBER = re.compile(r"[+-]?(?=[.,]*\d)[\d.,]+(?:[eE][+-]?\d+)?")
_FORM = r"[+-]?(?:\d*|[1-9]\d{0,2}(?:GROUP\d{3})+)(?:POINT\d*)?(?:[eE][+-]?\d+)?"
_FORMS = {
    ",": re.compile(_FORM.replace("GROUP", ",").replace("POINT", r"\.")),
    ".": re.compile(_FORM.replace("GROUP", r"\.").replace("POINT", ",")),
}
"""Patterns of numbers by their mark between thousands: 1,234.5 and 1.234,5."""
_MAY_BE_SPECIAL = re.compile(rb",\d|\.\d{3}\.")
_SHOWS_THOUSANDS = re.compile(r"[.,]\d{3}[.,]")


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


def with_plain_weights(lines: FieldLines, w: int) -> Text | None:
    """Return a text with the same lines, whose weights are plain numbers, and warn.

    Parameters
    ----------
    lines : FieldLines
    w : int
        The position of the weight among the fields.

    Returns
    -------
    Text or None
        None if the weights are plain numbers, or not all are written in one way.

    Raises
    ------
    FormatError
        The numbers may be read in two ways.
    """
    text, spans, values = lines.text, list[tuple[int, int]](), list[str]()
    content = text.content[: text.size]
    if not (b'"' in content if lines.delimiter == "," else _MAY_BE_SPECIAL.search(content)):
        return None
    for start, _, end in text.data_lines(lines.comments, lines.offset):
        line = content[start:end].rstrip(b"\r\n")
        fields = spans_of_fields(line, lines.delimiter)
        if len(fields) == lines.width:
            spans.append((start + fields[w][0], start + fields[w][1]))
            values.append(value_of(line[slice(*fields[w])], lines.delimiter))
    if not (thousands := _checked_mark(lines, values)):
        return None
    kept, copied = list[bytes](), 0
    for (begin, end), value in zip(spans, values, strict=True):
        if _NUMBER.fullmatch(value):
            kept += content[copied:begin], plain_number(value, thousands).encode()
            copied = end
    warn_of_marks(text, values, thousands)
    return text.with_content(b"".join([*kept, content[copied:]]))


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


def _checked_mark(lines: FieldLines, texts: list[str]) -> str:
    try:
        return thousands_mark(texts, lines.delimiter)
    except ValueError as error:
        (number,) = error.args
        mark = "," if "," in number else "."
        readings = f"{number.replace(mark, '')} or {number.replace(mark, '.')}"
        raise lines.error(
            texts.index(number),
            f"{number!r} may be {readings}: write numbers with a decimal point and nothing between thousands",
        ) from None
