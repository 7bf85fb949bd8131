"""Dates that are texts, such as 31.12.2024 or Dec 31, 2024: their order in time, and dates as labels."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from contextlib import suppress
from datetime import date, datetime
from itertools import pairwise
from typing import Any

import numpy as np

from boruvka.errors import OptionError, shown
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import require

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


def _as_key(label: Hashable) -> Hashable:
    """Return a date, or a text of one, as the text that equal dates of all types have; others as they are."""
    if isinstance(label, np.datetime64):
        label = label.astype("datetime64[us]").item()
    if not (isinstance(label, str | date) or hasattr(label, "to_timestamp")):  # a period of pandas
        return label
    text = label.isoformat() if isinstance(label, date) else str(label)
    return text.replace(" ", "T").removesuffix("T00:00:00")


def numbers_of_labels(labels: Sequence[Any]) -> dict[Hashable, int]:
    """Return the position of each label; dates, and texts of dates, are written alike."""
    read = keys_of_texts(labels)
    lists = [*(read if len(read) == 1 else []), list(map(_as_key, labels))]
    return {key: i for keys in lists for i, key in enumerate(keys)}


def number_of_label(numbers: dict[Hashable, int], label: Any) -> int | None:
    """Find a label, which may be a date in any type or form, in a dict of `numbers_of_labels`."""
    number = numbers.get(_as_key(label)) if isinstance(label, Hashable) else None
    if number is None and isinstance(label, str):
        found = {numbers.get(key) for (key,) in keys_of_texts([label])} - {None}
        number = found.pop() if len(found) == 1 else None
    return number


def keys_of_texts(texts: Sequence[Any]) -> list[list[Hashable]]:
    """Return the keys of texts that are dates, a list for each reading of them; other labels as they are."""
    if not all(isinstance(text, str) for text in texts):
        return [list(texts)]
    found = list[list[Hashable]]()
    for reading in readings(list(texts)):
        with suppress(ValueError):  # there is no such date
            days = (x if isinstance(x, date) else datetime(*x) for x in reading)
            found.append(list(map(_as_key, days)))
    return found


def rows_of_dates(dates: list[Any], wanted: list[Any]) -> list[tuple[Any, int | None]]:
    """Return each of some dates, in any type or form, and its row; None if it is the date of no row."""
    numbers, read = numbers_of_labels(dates), keys_of_texts(wanted)
    return [(date, number_of_label(numbers, date)) for date in (read[0] if len(read) == 1 else wanted)]


def ends_of_periods(dates: list[Any], frequency: Any) -> list[int]:
    """Return the last row of each period of a frequency of pandas, such as "ME" for months, ascending.

    Raises
    ------
    OptionError
        Rows have no dates, or texts of them have two readings, or pandas does not know the frequency.
    """
    pandas, read = require("pandas", "pandas"), keys_of_texts(dates)
    if len(read) != 1 or not all(isinstance(x, str) or hasattr(x, "year") for x in read[0]):
        dates_of = "as pandas.to_datetime(texts, dayfirst=True) makes them, in the index or the column date"
        raise OptionError(f"{argument('step', frequency)} needs the date of each row, {dates_of}")
    try:
        index = pandas.to_datetime(read[0], format="ISO8601")
        last = pandas.Series(range(len(index)), index).groupby(pandas.Grouper(freq=frequency)).max()
    except (TypeError, ValueError) as error:
        raise OptionError(f"{argument('step', frequency)}: {error}") from None
    return sorted(last.dropna().astype(int))


def label_text(label: Hashable) -> str:
    """Return a label as messages show it: a date without its time if that is midnight."""
    return f"'{str(_as_key(label)).replace('T', ' ')}'" if isinstance(label, date) else shown(label)


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
