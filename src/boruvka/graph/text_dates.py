"""The order in time of dates that are texts, such as 31.12.2024, 12/31/2024 16:00 or Dec 31, 2024."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime
from itertools import pairwise
from typing import Any

_NAMES = "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
_MONTHS = {name: number for number, name in enumerate(_NAMES, start=1)}
_BETWEEN = r"[-./,\s]+"
_DAY = re.compile(
    rf"(?:[a-z]+,?\s+)?(\d{{1,4}}|[a-z]{{3,9}}){_BETWEEN}(\d{{1,2}}|[a-z]{{3,9}}){_BETWEEN}(\d{{4}}|\d\d)(?!\d)(.*)",
    re.IGNORECASE,
)
"""Three fields, after the name of a weekday; then the time."""
_MONTH = re.compile(
    rf"(\d{{4}})(?:[-./\s]?[QM]?(\d\d?))?|(\d\d?|[a-z]{{3,9}}){_BETWEEN}(\d{{4}})", re.IGNORECASE
)
"""A year, also with a month or quarter; or a month and its year."""


def readings(dates: list[Any]) -> list[list[Any]]:
    """Return what may be meant by dates, as values that compare as the dates do: one list for each reading.

    Other objects than texts are what they are. Texts have no reading if one of them is not a date. Where no
    number above 12 tells days from months, there are two: the day first, and the month first.
    """
    if not all(isinstance(date, str) for date in dates):
        return [dates]
    with suppress(ValueError):
        return [list(map(datetime.fromisoformat, dates))]
    parsed = [date for text in dates if (date := _parse(text.strip())) is not None]
    if len(parsed) < len(dates):
        return []
    day_first = [(year, second, first, *time) for first, second, year, _, time in parsed]
    month_first = [(year, first, second, *time) for first, second, year, _, time in parsed]
    may_be = day_first, month_first if not any(is_certain for *_, is_certain, _ in parsed) else []
    return [reading for reading in may_be if reading and all(month <= 12 for _, month, *_ in reading)]


def orders_in_time(dates: list[Any]) -> set[str]:
    """Return the orders, "ascending", "descending" or "none", that readings of dates have."""
    return {
        "ascending"
        if all(a <= b for a, b in pairwise(reading))
        else "descending"
        if all(a >= b for a, b in pairwise(reading))
        else "none"
        for reading in readings(dates)
    }


def _parse(text: str) -> tuple[int, int, int, bool, list[int]] | None:
    """Return day, month and year of a text, whether it says which is the month, and the numbers of the time.

    Where it does not say so, day and month are in the order of the text.
    """
    if found := _MONTH.fullmatch(text):
        year, number, month, year_after = found.groups()
        number = _number(month or number or "0")
        return None if number is None else (1, number, int(year or year_after), True, [])
    if (found := _DAY.fullmatch(text)) is None:
        return None
    *fields, rest = found.groups()
    if len(fields[0]) == 4 and fields[0].isdigit():
        fields.reverse()
    elif fields[0].isalpha():
        fields[:2] = fields[1::-1]
    first, second, year = map(_number, fields)
    if first is None or second is None or year is None:
        return None
    time = list(map(int, re.findall(r"\d+", rest)))
    if time and (half := re.search("[ap]m", rest.lower())):
        time[0] = time[0] % 12 + 12 * (half[0] == "pm")
    is_certain = found[1].isalpha() or found[2].isalpha() or len(found[1]) == 4
    century = 0 if len(fields[2]) == 4 else 1900 if year > 68 else 2000
    return first, second, year + century, is_certain, time


def _number(field: str) -> int | None:
    return int(field) if field.isdigit() else _MONTHS.get(field[:3].lower())
