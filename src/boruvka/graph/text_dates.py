"""Dates of rows, also texts such as 31.12.2024 or Dec 31, 2024: their column, order in time, and labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import pairwise
from numbers import Integral
from typing import Any

import numpy as np

from boruvka.errors import BoruvkaError, GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph.columns import is_number, read_column
from boruvka.graph.labels import INDEX, is_pandas, is_table
from boruvka.graph.no_values import is_missing
from boruvka.graph.text_numbers import number_in
from boruvka.runtime.arguments import argument, is_command_running
from boruvka.runtime.libraries import pd

LEAST_ROWS = 20
"""Minimum number of rows of a column of whole numbers that may be dates of Excel."""
NAMES_OF_DATES = "date", "dates", "datetime", "time", "timestamp", "tradedate", "datum", "fecha"
"""Names, in lower case and without blanks, of a column of dates, also where it holds integers."""
PARTS_OF_DATES = (
    ({*range(100), *range(1000, 2200)}, "year yr yy yyyy jahr année annee an año ano anno jaar rok år"),
    ({*range(1, 13)}, "month mon mo mm monat mois mes mês mese maand"),
    ({*range(1, 32)}, "day dy dd tag jour día dia giorno dag dayofmonth"),
)
"""Values of each part of a date, and names, in lower case, of columns that hold it."""
_NAMES = "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"
_MONTHS = {name: number for number, name in enumerate(_NAMES, start=1)}
_BETWEEN = r"[-./,\s]+"
_DAY = re.compile(
    rf"(?:[a-z]+,?\s+)?(\d{{1,4}}|[a-z]{{3,9}}){_BETWEEN}(\d{{1,2}}|[a-z]{{3,9}}){_BETWEEN}(\d{{4}}|\d\d)(?!\d)(.*)",
    re.IGNORECASE,
)
"""Three fields, after the name of a weekday; then the time."""
_MONTH = re.compile(
    rf"((?:1[6-9]|2[01])\d\d)(?:[-./\s]?[QM]?(\d\d?))?|(\d\d?|[a-z]{{3,9}}){_BETWEEN}(\d{{4}})", re.IGNORECASE
)
"""A year from 1600, as 7203 is a share, also with a month or quarter; or a month and its year."""


def readings(dates: list[Any]) -> list[list[Any]]:
    """Return what may be meant by dates, as values that compare as the dates do: one list for each reading.

    Other objects than texts are what they are. Texts have no reading if one of them is not a date. Where no
    number above 12 tells days from months, there are two: the day first, and the month first, except between
    points, as in 31.12.2024, where the day is first.
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
    found = [reading for reading in may_be if reading and all(month <= 12 for _, month, *_ in reading)]
    return found[:1] if all(re.match(r"\s*\d\d?\.\s*\d\d?\.", text) for text in dates) else found


def is_date_number(x: Any) -> bool:
    """Return whether a number writes a date from 1900 to 2100, as 20241231 does."""
    is_near = is_number(x) and 19000101 <= x <= 21001231 and x % 1 == 0
    return is_near and bool(readings([str(int(x))]))


def are_days_of_excel(labels: list[Any]) -> bool:
    """Return whether labels may be dates of Excel, as numbers of days: from 1954 to 2119."""
    return len(labels) > 0 and all(is_number(x) and 20_000 <= x < 80_000 and x % 1 == 0 for x in labels)


def are_date_numbers(column: list[Any]) -> bool:
    """Return whether most numbers of a column write dates, or all of many count days or seconds.

    Dates of Excel all rise or all fall, as other numbers may be as large.
    """
    if any(map(is_date_number, column[:2])):
        return 2 * sum(map(is_date_number, column)) > len(column)
    are_many = len({*column}) == len(column) >= LEAST_ROWS
    are_days = are_days_of_excel(column) and len({a < b for a, b in pairwise(column)}) == 1
    return are_many and bool(are_days or _read_numbers(column))


def is_called_date(name: Any) -> bool:
    """Return whether a name is one of a column of dates."""
    return re.sub(r"[\s_]", "", str(name).lower()) in NAMES_OF_DATES


def _read_numbers(numbers: list[Any]) -> list[Any]:
    """Return numbers such as 31122024 as texts with dashes, and 241231, or seconds, ms, us or ns since 1970.

    Return none unless all are of one kind; times are full minutes from 1998 to 2096.
    """
    if not all(is_number(x) and x % 1 == 0 for x in numbers):
        return []
    if all(x > 10**6 and 1900 <= x % 10_000 <= 2100 for x in numbers):
        texts = [re.sub("(..)(..)(....)", r"\1-\2-\3", f"{int(x):08d}") for x in numbers]
        return texts if readings(texts) else []
    texts = [f"{int(x):06d}" for x in numbers]
    if all(10_101 <= x < 10**6 for x in numbers) and not readings(texts):  # 202412 is a month
        with suppress(ValueError):  # from 2001
            return [datetime.strptime(text, "%y%m%d") for text in texts]
    for unit in 1, 10**3, 10**6, 10**9:
        if all(9e8 <= x / unit < 4e9 and x % (60 * unit) == 0 for x in numbers):
            return [datetime(1970, 1, 1) + timedelta(seconds=x // unit) for x in numbers]
    return []


def _dates_of_numbers(name: Any, items: list[Any]) -> list[Any]:
    """Return numbers such as 31122024, or texts of them, as texts with dashes; other dates as they are.

    Raises
    ------
    GraphError
        A column called date holds whole numbers of no known kind, and they are in no order.
    """
    numbers = list(map(number_in, items))
    are_whole = all(is_number(x) and x % 1 == 0 for x in numbers)
    if not are_whole or (isinstance(items[0], str) and readings(items)):
        return items
    if found := _read_numbers(numbers):
        return found
    is_known = are_days_of_excel(numbers) or any(map(is_date_number, numbers))
    if is_known or not is_called_date(name):
        return numbers if is_known else items
    if numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
        way = f"sort the rows, write dates as 2024-12-31, or leave it out by {argument('drop', (name,))}"
        raise GraphError(f"{shown(name)} holds no known dates, such as {numbers[0]:.0f}, in no order: {way}")
    return numbers


def _is_date(x: Any) -> bool:
    if isinstance(x, str):
        return bool(readings([x]))
    return not is_missing(x) and (hasattr(x, "year") or is_date_number(x))


def are_dates(labels: list[Any]) -> bool:
    """Return whether labels are dates, texts of dates, numbers such as 20241231, or dates of Excel.

    Raises
    ------
    GraphError
        Most are, but not all, or texts of dates have no common form: the order in time is not known.
    """
    are_texts = all(isinstance(label, str) for label in labels)
    if (are_texts and readings(labels)) or are_days_of_excel(labels):
        return True
    others = [i for i, label in enumerate(labels) if not _is_date(label)]
    if 2 * len(others) >= len(labels):
        return False
    if others:
        problem = f"row {others[0]:,}, from 0, has {shown(labels[others[0]])} in place of a date"
        way = "or read the names by pandas.read_csv(FILE, skiprows=0, header=[0, 1], index_col=0)['Close']"
        raise GraphError(f"{problem}: leave out such rows ({len(others):,}), correct the dates, {way}")
    if are_texts:
        raise GraphError(f"{shown(labels[0])} and other dates have several forms: write all in one form")
    return True


def _two_readings(labels: list[Any]) -> str:
    """Return that texts do not say which date they mean, and what to do."""
    way = "write it as 2024-12-31, or read texts by pandas.to_datetime(texts, dayfirst=True)"
    return f"the day or the month may be first in {shown(labels[0])}: {way}"


def without_dates(returns: Any) -> tuple[Any, list[Any] | None, str | None]:
    """Take the dates out of a frame: the column that holds them, or its index; and their name."""
    if not is_table(returns):
        return returns, None, None
    _check_columns(returns)
    columns, is_of_pandas = list(returns.columns), is_pandas(returns)
    index = returns.index if is_of_pandas and returns.index.tolist() != [*range(len(returns))] else None
    read = {x: getattr(read_column(str(x), returns[x]), "dtype", None) for x in columns}
    kinds = {x: getattr(dtype, "kind", "O") for x, dtype in read.items()}
    numbers = [x for x in columns if kinds[x] in "iufb"]
    parts = _parts_of_dates(returns)
    named = list(filter(is_called_date, columns))
    dates = [x for x in named if kinds[x] != "f" or are_days_of_excel(returns[x].to_list())]
    dates += [x for x in numbers if x not in dates and are_date_numbers(returns[x].to_list())]
    if parts and len(parts) < len(columns):
        has_dates = dates or (index is not None and are_dates(index.tolist()))
        if has_dates or [kind for kind, _ in parts.values()] != [*range(len(parts))]:
            way = argument("drop", tuple(parts))
            raise GraphError(f"{shown([*parts])[1:-1]} repeat or lack parts of dates: pass {way}")
        rows = zip(*(items for _, items in parts.values()), strict=True)
        texts = ["-".join(f"{x:02g}" if is_number(x) else str(x) for x in row) for row in rows]
        return returns[[x for x in columns if x not in parts]], texts, "date"
    is_numbering = index is not None and index.name is None and index.dtype.kind in "iu"
    if not dates and (index is None or (is_numbering and not are_date_numbers(index.tolist()))):
        others = [name for name in columns if name not in numbers]
        dates = [x for x in others if are_dates(returns[x].to_list())]
        dates = dates or (others if index is None and len(others) == 1 else columns[: columns[0] == INDEX])
    if index is not None and not dates:
        return returns, _dates_of_numbers(index.name, index.tolist()), index.name
    if len(dates) > 1:
        raise GraphError(f"{shown(dates)[1:-1]} hold dates: leave out all but one column")
    if not dates or len(columns) == 1 or not len(returns):
        return returns, None, None
    items = _dates_of_numbers(dates[0], returns[dates[0]].to_list())
    is_text = isinstance(items[0], str) and not are_dates(items)
    if is_text and any(is_number(number_in(x)) for x in items):
        return returns, None, None  # numbers and texts that mean none
    return returns[[x for x in columns if x != dates[0]]], items, None if dates[0] == INDEX else dates[0]


def _parts_of_dates(returns: Any) -> dict[Any, tuple[int, list[Any]]]:
    """Find the columns that hold years, months and days: the kind of each, from 0, and its numbers."""
    parts = dict[Any, tuple[int, list[Any]]]()
    for kind, (allowed, names) in enumerate(PARTS_OF_DATES):
        for name in [x for x in returns.columns if str(x).lower() in names.split()]:
            items = list(map(number_in, returns[name].to_list()))
            known = {x for x in items if not is_missing(x)}
            if known and known <= allowed:
                century = [0 if kind or is_missing(x) or x > 99 else 1900 if x > 68 else 2000 for x in items]
                parts[name] = kind, [x + more for x, more in zip(items, century, strict=True)]
    return parts


def _check_columns(returns: Any) -> None:
    """Raise an error if two columns of a frame have one name, or names have levels."""
    columns = list(returns.columns)
    if twice := [name for name, count in Counter(columns).items() if count > 1]:
        way = "write returns.loc[:, ~returns.columns.duplicated()] to keep the first, or rename them"
        raise GraphError(f"returns has {columns.count(twice[0])} columns {shown(twice[0])}: {way}")
    if getattr(returns.columns, "nlevels", 1) > 1:
        level = shown(columns[0][0])
        raise GraphTypeError(f"returns has columns of several levels: pass one, such as returns[{level}]")


def check_dates_are_rows(labels: list[Any] | None, returns: Any) -> None:
    """Raise an error if most columns of a frame are dates, and the labels of its rows are not."""
    columns = list(returns.columns) if is_table(returns) else []
    dates = [x for x in columns if _is_date(x)]
    if 2 * len(dates) > max(len(columns), 2) and not (labels and are_dates(labels)):
        way = "pandas.read_csv(FILE, index_col=0, dtype=str, keep_default_na=False).T makes rows of them"
        if is_pandas(returns) and not is_command_running():
            name = "".join(f".set_index({shown(x)})" for x in columns[:1] if x not in dates)
            way = f"pass returns{name}.T, of a file {way}"
        raise GraphError(f"the columns are dates, such as {shown(dates[0])}, and the rows series: {way}")


def order_of_dates(labels: list[Any], are_prices: bool, is_one: bool) -> Sequence[int] | None:
    """Return the numbers of rows from the oldest to the newest; None if the rows are in this order.

    The order of returns does not matter to one tree.

    Raises
    ------
    GraphError
        Dates are in no order, and there twice or not comparable; or most labels are dates, but not all.

    Warns
    -----
    GraphWarning
        Rows are in another order, or it is not known, or dates are there twice.
    """
    have_dates, rises, falls, read = are_dates(labels), False, False, list[list[Any]]()
    if is_one and not are_prices:
        return None
    with suppress(TypeError):
        for reading in readings(labels):
            rises |= all(a <= b for a, b in pairwise(reading))
            falls |= all(a >= b for a, b in pairwise(reading))
            read.append(reading)
    ascending = sorted(range(len(labels)), key=read[0].__getitem__) if read else []
    twice = [labels[i] for i, j in pairwise(ascending) if read[0][i] == read[0][j]]
    way = "" if is_command_running() else ", as frame[~frame.index.duplicated()] keeps the first"
    same = f"{label_text(twice[0])} is the date of several rows: keep one of them{way}" if twice else ""
    found = "the newest row is first, and rows are reversed"
    if rises and falls and labels[0] != labels[-1]:
        warn(f"the newest row may be first or last, as {_two_readings(labels)}")
    elif have_dates and not rises and not falls:
        found = "the dates are in no order, and rows are sorted by them"
        if twice or len(read) != 1:
            raise GraphError(f"the dates are in no order, and {same or _two_readings(labels)}")
    elif have_dates and same:
        warn(f"{same}{', before you compute returns' * (not are_prices)}")
    if rises or not (have_dates or falls):
        return None
    before = ": if prices were so, too, sort them by date before you fill gaps and compute returns"
    warn(f"{found}{'' if are_prices else before}")
    return range(len(labels))[::-1] if falls else ascending


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
    is_date = is_date_number(label) or (isinstance(label, str) and not _MONTH.fullmatch(label.strip()))
    if number is None and is_date:
        found = {numbers.get(key) for (key,) in keys_of_texts([label])} - {None}
        number = found.pop() if len(found) == 1 else None
    return number


def keys_of_texts(texts: Sequence[Any]) -> list[list[Hashable]]:
    """Return the keys of texts that are dates, a list for each reading of them; other labels as they are.

    Numbers such as 20241231 are read as texts.
    """
    if len(texts) and all(map(is_date_number, texts)):
        texts = [str(int(number)) for number in texts]
    if not all(isinstance(text, str) for text in texts):
        return [list(texts)]
    found = list[list[Hashable]]()
    for reading in readings(list(texts)):
        with suppress(ValueError, TypeError):  # there is no such date
            days = (x if isinstance(x, date) else datetime(*x) for x in reading)
            found.append(list(map(_as_key, days)))
    return found


def dates_in(text: str) -> list[str]:
    """Split a text at commas, but not those within dates, as in Dec 31, 2024."""
    return re.split(r",(?!\s\d{4}(?:,|$))", text)


def rows_of_dates(dates: list[Any], wanted: list[Any]) -> list[tuple[Any, int | None]]:
    """Return each of some dates, in any type or form, and its row; None if it is the date of no row."""
    numbers, read = numbers_of_labels(dates), keys_of_texts(wanted)
    return [(date, number_of_label(numbers, date)) for date in (read[0] if len(read) == 1 else wanted)]


def _index_of_dates(dates: list[Any]) -> Any:
    """Return the index of pandas of dates, also of texts and numbers of them; None if dates are not known."""
    if are_days_of_excel(dates):
        dates = [date(1899, 12, 30) + timedelta(int(x)) for x in dates]  # the day 0 of Excel
    read = keys_of_texts(dates)
    if len(read) != 1 or not all(isinstance(x, str) or hasattr(x, "year") for x in read[0]):
        return None
    index = pd.Index(read[0])
    return index if hasattr(index, "year") else pd.to_datetime(index, format="ISO8601")


def ends_of_periods(dates: list[Any], frequency: Any) -> list[int]:
    """Return the last row of each period of a frequency of pandas, such as "ME" for months, ascending.

    Raises
    ------
    OptionError
        Rows have no dates, or texts of them have two readings, or pandas does not know the frequency.
    """
    index = _index_of_dates(dates)
    if index is None:
        why = f", and {_two_readings(dates)}" if len(readings(dates)) > 1 else ": write them as 2024-12-31"
        problem = f"{argument('step', frequency)} needs the date of each row{why}"
        raise OptionError(f"{problem}; or pass a number of rows, or dates of the table as it writes them")
    try:
        last = pd.Series(range(len(index)), index).groupby(pd.Grouper(freq=frequency)).max()
    except (TypeError, ValueError):
        problem = f"{argument('step', frequency)} is no frequency"
        raise OptionError(f"{problem}: months are ME, weeks W-FRI, and no date, such as 2024-12-31") from None
    return sorted(last.dropna().astype(int))


def place_of_dates(labels: list[Any], wanted: Any) -> Any:
    """Return what pandas finds among dates: a number, or the slice of a period or of a slice of dates.

    Numbers, and slices of numbers, are returned as they are.

    Raises
    ------
    OptionError
        Labels are not dates, or pandas does not find the wanted ones.
    """
    is_slice = isinstance(wanted, slice)
    given = (wanted.start, wanted.stop) if is_slice else (wanted,)
    if all(x is None or (isinstance(x, Integral) and not is_date_number(x)) for x in given):
        return wanted
    ends = list(map(_as_pandas_reads, given))
    if (index := _index_of_dates(labels)) is None:
        raise OptionError("a slice is of numbers, or of dates: labels.index(label) is the number of a label")
    try:
        return index.slice_indexer(*ends, wanted.step) if is_slice else index.get_loc(*ends)
    except (KeyError, TypeError, ValueError) as error:
        raise OptionError(f"{wanted} is not found among the dates: {error}") from None


def preceding(labels: list[Any], wanted: Any) -> str:
    """Return a part of a message: the last of ascending dates before another one; empty if not known."""
    with suppress(AttributeError, TypeError, ValueError, BoruvkaError):
        k = _index_of_dates(labels).searchsorted(pd.Timestamp(_as_pandas_reads(wanted)))
        return f"; the date before it is {label_text(labels[k - 1])}" if k else ""
    return ""


def _as_pandas_reads(label: Any) -> Any:
    """Return a number that writes a date, or a text whose day or month is first, as pandas reads dates."""
    if not is_date_number(label) and not (isinstance(label, str) and re.match(r"\d\d?\D+\d", label)):
        return label.isoformat() if type(label) is date else label
    keys = {key for (key,) in keys_of_texts([label])}
    if len(keys) != 1:
        raise OptionError(_two_readings([label]))
    return keys.pop()


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
