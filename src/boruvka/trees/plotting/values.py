"""Values that colors show: numbers and dates by a scale, codes and texts by category."""

from __future__ import annotations

import datetime
import re
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.columns import is_number
from boruvka.graph.no_values import is_missing

FEW, REPEATED = 10, 3
"""Maximum number of different whole numbers of a column that are codes, and least number of rows of each."""
_CODES = """
batch cc cgmlst cgst clade cluster code complex component group hc lineage mlst plate postcode sequencetype
serogroup serotype st type ward zip zipcode
"""
_MEASURES = """
age amount count coverage date day degree depth distance edges height length level month n number score size
snps time week weight year years
"""
CODES, MEASURES = frozenset(_CODES.split()), frozenset(_MEASURES.split())
"""Words in the names of columns whose whole numbers are codes, and of those whose numbers are never codes."""
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WORD = re.compile("[A-Z]*[a-z]+|[A-Z]+")


class ShownValues(NamedTuple):
    """Values in the form in which a picture shows them."""

    kind: Literal["number", "date", "category"]
    values: NDArray[Any]
    """Numbers, which are missing where they are not finite; datetime64[ms]; or texts, None for missing."""


def shown_values(values: NDArray[Any], name: str | None) -> ShownValues:
    """Choose between a scale and categories, by the values and the name of their column.

    Whole numbers are codes if the name of the column says so, as ``ST`` or ``cluster_7``, or if a column has
    few different ones and its name is not a measure's, such as ``year``. Numbers without a name are on
    a scale.
    """
    if values.dtype.kind in "iuf":
        is_known = np.isfinite(values)
    else:
        is_known = ~np.fromiter(map(is_missing, values.tolist()), bool, values.size)
    known = values[is_known]
    times = known if values.dtype.kind == "M" else _times(known)
    if times is not None:
        dates = np.full(values.size, "NaT", "datetime64[ms]")
        dates[is_known] = times
        return ShownValues("date", dates)
    if values.dtype.kind not in "iuf":
        if not known.size or not all(map(is_number, known)):
            return _categories(values, is_known, map(str, known.tolist()))
        known = np.array(list(known))
        known = known if known.dtype.kind in "iuf" else known.astype(np.float64)
        values = known if is_known.all() else np.full(values.size, np.nan)
        values[is_known] = known
        is_known &= np.isfinite(values)
        known = values[is_known]
    if _are_codes(known, name):
        return _categories(values, is_known, (str(int(x)) for x in known))
    return ShownValues("number", values)


def _are_codes(known: NDArray[Any], name: str | None) -> bool:
    words = {word.lower() for word in _WORD.findall(name or "")}
    if not words or (words & MEASURES and not words & CODES) or (known != np.round(known)).any():
        return False
    return bool(words & CODES) or np.unique(known).size <= min(FEW, known.size / REPEATED)


def _categories(values: NDArray[Any], is_known: NDArray[np.bool_], texts: Any) -> ShownValues:
    shown = np.full(values.size, None, object)
    shown[is_known] = list(texts)
    return ShownValues("category", shown)


def _times(known: NDArray[Any]) -> list[datetime.date] | None:
    """Return values that are dates, or texts such as 2026-11-30; None if others are there, or none are."""
    if known.dtype.kind in "iuf" or not known.size:
        return None
    times = []
    for time in known.tolist():
        with suppress(ValueError):
            if isinstance(time, str) and _DATE.match(time):
                time = datetime.datetime.fromisoformat(time)
        if not isinstance(time, datetime.date):
            return None
        if isinstance(time, datetime.datetime) and time.tzinfo is not None:  # NumPy holds no zone
            time = time.astimezone(datetime.UTC).replace(tzinfo=None)
        times.append(time)
    return times
