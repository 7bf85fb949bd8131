"""Values that colors show: numbers and dates by a scale, codes and texts by category."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, shown, warn, without_warnings
from boruvka.graph.columns import is_number
from boruvka.graph.no_values import NO_VALUE, is_missing, warn_of_alike_names
from boruvka.graph.text_dates import readings
from boruvka.graph.text_numbers import column_of_numbers, numbers_in
from boruvka.trees.plotting.style import FAINT

LARGEST = 1 << 53
"""Integers beyond it, such as hashes, are codes: a scale and a browser would round them."""
FEW, REPEATED = 10, 3
"""Maximum number of different whole numbers of a column that are codes, and least number of rows of each."""
_CODES = """
batch cc cgmlst cgst clade cluster code complex component dbscan group hc hdbscan label lineage mlst plate
postcode sequencetype serogroup serotype st type ward zip zipcode
"""
_MEASURES = """
age amount cost costs count coverage date day degree demand depth distance edges heat height households income
length level load month n number population price rate residents revenue score size snps subscribers time week
weight year years
"""
CODES, MEASURES = frozenset(_CODES.split()), frozenset(_MEASURES.split())
"""Words in the names of columns whose whole numbers are codes, and of those whose numbers are never codes."""
_NO_DATE = re.compile("[0-9]*|.*[qQ].*")
"""Texts that are codes rather than dates: digits only, or quarters, which are not days."""
_UNKNOWN = frozenset({*NO_VALUE["allele"], "unknown", "not known"})
"""Texts, in lower case, that mean among dates that there is none."""
_WORD = re.compile("[A-Z]*[a-z]+|[A-Z]+")


NO_CLUSTER = {"-1": "noise", "-2": "infinite coordinate", "-3": "missing coordinate"}
"""By label, as those of HDBSCAN, the text for rows in no cluster; noise is counted apart."""
SINGLETONS = "singletons"
"""The category of all clusters of one row."""
GREY = dict.fromkeys(NO_CLUSTER.values(), "#b4b4b4") | {NO_CLUSTER["-1"]: FAINT, SINGLETONS: FAINT}
"""The colors of categories that are grey in pictures."""


class ShownValues(NamedTuple):
    """Values in the form in which a picture shows them."""

    kind: Literal["number", "date", "category"]
    values: NDArray[Any]
    """Numbers, which are missing where they are not finite; datetime64[ms]; or texts, None for missing."""


def shown_values(values: NDArray[Any], name: str | None) -> ShownValues:
    """Choose between a scale and categories, by the values and the name of their column.

    Whole numbers are codes if the name of the column says so, as ``ST`` or ``cluster_7``, or if a column has
    few different ones and its name is not a measure's, such as ``year``. Numbers without a name are on
    a scale. In a column of clusters, all clusters of one row are one category. Blanks around texts do not
    count, and an empty text is a missing value.
    """
    if values.dtype.kind in "OU":
        values = np.fromiter(map(without_blanks, values.tolist()), object, values.size)
    if values.dtype.kind in "iuf":
        is_known = np.isfinite(values)
    else:
        is_known = ~np.fromiter(map(is_missing, values.tolist()), bool, values.size)
    may_be_dates = is_known
    if values.dtype.kind in "OU":
        unknown = [str(value).strip().lower() in _UNKNOWN for value in values.tolist()]
        may_be_dates = is_known & ~np.array(unknown, bool)
    times = values[is_known] if values.dtype.kind == "M" else _times(values[may_be_dates])
    if times is not None:
        dates = np.full(values.size, "NaT", "datetime64[ms]")
        dates[may_be_dates] = times
        return ShownValues("date", dates)
    known = values[is_known]
    if values.dtype.kind not in "iuf":
        if not known.size or not all(map(is_number, known)):
            return _categories(name, is_known, map(str, known.tolist()))
        known = np.array(list(known))
        known = known if known.dtype.kind in "iuf" else known.astype(np.float64)
        values = known if is_known.all() else np.full(values.size, np.nan)
        values[is_known] = known
        is_known &= np.isfinite(values)
        known = values[is_known]
    if _are_codes(known, name):
        return _categories(name, is_known, (str(int(x)) for x in known))
    return ShownValues("number", values)


def numbered_categories(texts: NDArray[Any], amount: Any, column: Any) -> tuple[NDArray[Any], ...]:
    """Return the names of categories, the number of each text, and the totals that decide their colors.

    Totals are sums of the amounts of texts. All categories of a categorical column of pandas have equal
    totals, also categories without a row, so that a picture of other rows has the same colors.
    """
    categories = categories_of(column)
    declared = [text_of_label(x).strip() for x in getattr(categories, "tolist", list)()]
    names, category = np.unique(np.append(texts, declared), return_inverse=True)
    of_texts = category[: texts.size]
    warn_of_alike_names(names, what="categories")
    return names, of_texts, np.isin(names, declared) * 1 if declared else np.bincount(of_texts, amount)


def categories_of(column: Any) -> Any:
    """Return the categories of a categorical column of pandas or polars, None for others."""
    return getattr(getattr(column, "dtype", None), "categories", None)


def text_of_label(label: Any) -> str:
    """Return the text of a label, with those of `NO_CLUSTER`; other values are texts."""
    return NO_CLUSTER.get(str(label), str(label)) if isinstance(label, int) else str(label)


def without_blanks(value: Any) -> Any:
    """Return a text without blanks around it, as in a file, None if nothing is left; others as they are."""
    return (value.strip() or None) if isinstance(value, str) else value


def scale_or_texts(name: str, values: Any) -> NDArray[Any]:
    """Return the numbers of texts of a file, NaN where there is none, if a scale shows them; else the texts.

    Codes stay texts, as 007, but texts that mean that there is none become None.
    """
    items, where = [None if is_missing(value) else value for value in values], f"column {shown(name)}"
    texts = np.array([*items, None], object)[:-1]
    try:
        with without_warnings():
            numbers = numbers_in(where, items)
    except GraphError as error:
        warn(f"it is read as texts: {error}")
        return texts
    known = [number for number in numbers if number is not None]
    if not known or not all(map(is_number, known)):
        return texts
    if _are_codes(np.array(known), name):
        texts[[number is None for number in numbers]] = None
        return texts
    return np.asarray(column_of_numbers(where, items))  # with warnings of marks


def _are_codes(known: NDArray[Any], name: str | None) -> bool:
    if known.dtype.kind in "iu" and max(int(known.max(initial=0)), -int(known.min(initial=0))) > LARGEST:
        return True
    words = {word.lower() for word in _WORD.findall(name or "")}
    if not words or (words & MEASURES and not words & CODES) or (known != np.round(known)).any():
        return False
    return bool(words & CODES) or np.unique(known).size <= min(FEW, known.size / REPEATED)


def with_singletons(texts: NDArray[Any]) -> NDArray[Any]:
    """Replace texts that are there once by `SINGLETONS`."""
    counts = Counter([*texts.tolist(), *GREY, *GREY, None, None])
    return np.array([text if counts[text] > 1 else SINGLETONS for text in texts.tolist()], object)


def _categories(name: str | None, is_known: NDArray[np.bool_], texts: Any) -> ShownValues:
    categories = np.full(is_known.size, None, object)
    are_labels = re.search("(?i)cluster|group|label|dbscan|component", name or "label")
    categories[is_known] = [NO_CLUSTER.get(x.removesuffix(".0"), x) if are_labels else x for x in texts]
    if "cluster" in (name or "").lower():
        categories = with_singletons(categories)
    return ShownValues("category", categories)


def _times(known: NDArray[Any]) -> list[datetime.date] | None:
    """Return values that are dates, or texts of dates; None if others are there, or none are."""
    if known.dtype.kind in "iuf" or not known.size:
        return None
    items = known.tolist()
    if all(isinstance(item, str) for item in items):
        items = _read_dates(items)
    times = []
    for time in items:
        if not isinstance(time, datetime.date):
            return None
        if isinstance(time, datetime.datetime) and time.tzinfo is not None:  # NumPy holds no zone
            time = time.astimezone(datetime.UTC).replace(tzinfo=None)
        times.append(time)
    return times


def _read_dates(texts: list[str]) -> list[Any]:
    """Read texts such as 2026-11-30 or 30/11/2026, the day first if both are possible; else return them.

    Warns
    -----
    GraphWarning
        The month may also be first.
    """
    if any(_NO_DATE.fullmatch(text.strip()) for text in texts) or not (found := readings(texts)):
        return texts
    if len(found) == 2 and found[0] != found[1]:
        warn(f"dates such as {shown(texts[0])} may have the day or the month first: the day is taken")
    if isinstance(found[0][0], datetime.datetime):
        return found[0]
    try:
        return [datetime.datetime(year, month, day, *time[:3]) for year, month, day, *time in found[0]]
    except ValueError:  # there is no such day
        return texts
