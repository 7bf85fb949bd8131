"""Texts that are numbers, by the same rules in tables, matrices and attributes of every source."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from boruvka.errors import GraphError, shown, warn
from boruvka.graph.columns import list_column, read_weights
from boruvka.graph.no_values import is_none

_NUMBER = re.compile(
    r"\s*(?:([+-]?[0-9]+)|[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|(inf(?:inity)?)))\s*",
    re.IGNORECASE,
)
"""An integer, a decimal number, or infinity."""
_MOST_DIGITS = 400
"""Longer integers are beyond the range of float64."""
WRITTEN = "write all numbers with a decimal point and nothing between thousands"
"""Advice on texts in place of numbers."""
MARKED = re.compile(r"[+-]?(?=[.,]*\d)[\d.,]+(?:[eE][+-]?\d+)?")
"""A number that may have decimal commas, or marks between thousands."""
_FORM = r"[+-]?(?:\d*|[1-9]\d{0,2}(?:GROUP\d{3})+)(?:POINT\d*)?(?:[eE][+-]?\d+)?"
_FORMS = {
    ",": re.compile(_FORM.replace("GROUP", ",").replace("POINT", r"\.")),
    ".": re.compile(_FORM.replace("GROUP", r"\.").replace("POINT", ",")),
}
"""Patterns of numbers by their mark between thousands: 1,234.5 and 1.234,5."""
_UNIT = re.compile(r"[€$£¥%]|\b[A-Z]{3}\b")
"""A sign or code of a currency, or a percent sign."""
_IN_BRACKETS = re.compile(r"\s*\(\s*([\d.,]+\s*%?)\s*\)\s*(%?)\s*")
"""A negative number, as accountants write it."""
_WITH_BLANKS = r"[+-]?\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d*)?"
"""A number with blanks between thousands, also those that do not break: 1 234,50."""
_BLANKS = re.compile(_WITH_BLANKS)
_COMMA = re.compile(r"[+-]?\d{1,3},\d{3}")
"""A number whose comma may be a decimal one, or between thousands."""
_SHOWS_THOUSANDS = re.compile(r"[.,]\d{3}[.,]")


def number_of_text(text: str) -> int | float:
    """Return the number that a text holds: an integer if it is written as one.

    Raises
    ------
    ValueError
        It holds no number. NaN is none, nor is a number with underscores or with digits beyond ASCII.
    GraphError
        The number is beyond the range of float64.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"{shown(text)} is no number")
    integer, infinite = match.groups()
    if integer and len(integer) < _MOST_DIGITS:
        return int(integer)
    number = float(text)
    if math.isinf(number) and not infinite:
        raise GraphError(f"{text.strip()[:40]} is beyond the range of float64")
    return number


def number_in(value: Any) -> Any:
    """Return the number that a value holds if it is a text of one; else the value."""
    return number_of_text(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value


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
    numbers = [text for text in texts if MARKED.fullmatch(text)]
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
    return number.replace(thousands, "").replace(",", ".") if MARKED.fullmatch(number) else number


def warn_of_marks(where: str, found: Sequence[str], thousands: str) -> None:
    """Warn that numbers are not plain, with the first one as an example."""
    example = next(number for number in found if plain_number(number, thousands) != number)
    what = "have a decimal comma" if thousands == "." else "have commas between thousands"
    warn(f"{where}: numbers {what}: {example} is read as {plain_number(example, thousands)}")


def complaint_of_marks(number: str) -> str:
    """Say that a number may be read in two ways."""
    mark = "," if "," in number else "."
    readings = f"{number.replace(mark, '')} or {number.replace(mark, '.')}"
    return f"{number!r} may be {readings}: {WRITTEN}"


def numbers_in(where: str, values: Sequence[Any]) -> list[Any]:
    """Return values with numbers in place of texts that hold them, and None in place of texts for no value.

    The numbers may have a decimal comma, or marks between thousands, if all are written in one way; and
    blanks between thousands.

    Raises
    ------
    GraphError
        A number may be read in two ways, or is beyond the range of float64.

    Warns
    -----
    GraphWarning
        Numbers have such marks.
    """
    values = [_without_blanks(value) if isinstance(value, str) else value for value in values]
    texts = [value for value in values if isinstance(value, str)]
    try:
        thousands = thousands_mark(texts, ";")
    except ValueError as error:
        raise GraphError(f"{where}: {complaint_of_marks(*error.args)}") from None
    if thousands:
        warn_of_marks(where, texts, thousands)

    def number(value: Any) -> Any:
        if is_none(value, "number"):
            return None
        is_marked = thousands and isinstance(value, str)
        return number_in(plain_number(value, thousands) if is_marked else value)

    return list(map(number, values))


def without_units(where: str, columns: list[list[Any]]) -> list[list[Any]]:
    """Put numbers in place of texts such as 1,50 EUR, in columns whose scales do not matter; return all.

    All values of such a column have one unit, or are percentages. If all have a comma before three digits,
    it is read as a decimal comma. Numbers in brackets are negative. A warning tells of the first column.
    """
    told = ""
    for column in columns:
        signed = {x: _IN_BRACKETS.sub(r"-\1\2", x) for x in column if isinstance(x, str)}
        told = told or next((f"{x} is read as {y}" for x, y in signed.items() if x != y), "")
        column[:] = [signed[x].replace("\u2212", "-") if isinstance(x, str) else x for x in column]
        given = [x for x in column if not is_none(x, "number")]
        unit = (_UNIT.findall(str(given[:1])) or [","])[0]
        if all(isinstance(x, str) and unit in x for x in given):
            plain: dict[str, Any] = {x: _without_blanks(x.replace(unit.strip(","), "", 1)) for x in given}
            if all(map(_COMMA.fullmatch, plain.values())):
                plain = {x: text.replace(",", ".") for x, text in plain.items()}
            elif unit == "," or not all(map(MARKED.fullmatch, plain.values())):
                continue
            plain = {x: number_in(text + "e-2" * (unit == "%")) for x, text in plain.items()}
            column[:] = [plain.get(x, x) for x in column]
            told = told or "".join(f"{x} is read as {plain[x]}" for x in given[:1])
    if told:
        warn(f"{where}: {told}, and others alike: the scale of a series does not matter")
    return columns


def other_texts(values: Iterable[Any]) -> set[str]:
    """Return the texts that are no numbers with the marks that most have, and do not mean none."""
    texts = {x for x in values if isinstance(x, str) and not is_none(x, "number")}
    return min(({x for x in texts if not form.fullmatch(x.strip())} for form in _FORMS.values()), key=len)


def _without_blanks(text: str) -> str:
    """Return a text without blanks around it, or between the thousands of a number."""
    text = text.strip()
    return "".join(text.split()) if _BLANKS.fullmatch(text) else text


def column_of_numbers(name: str, values: Any) -> Any:
    """Convert a column as `read_weights` does, with numbers in place of texts, as in `numbers_in`."""
    column = read_weights(name, values)
    if isinstance(column, np.ndarray):
        return column
    numbers = numbers_in(name, list_column(column))
    return read_weights(name, [math.nan if number is None else number for number in numbers])
