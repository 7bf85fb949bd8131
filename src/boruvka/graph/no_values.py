"""Values that mean that there is none: one table for texts in files, in frames and in arrays.

None, NaN, NaT and NA of pandas mean it everywhere. A number never
does, except an allele below 1: 9999, 0 and -1 may be weights and distances.
"""

from __future__ import annotations

import math
import re
import unicodedata
from contextlib import suppress
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown, warn
from boruvka.runtime.arguments import argument, hint, one_of

MISSING = "error", "drop"
"""Rules for edges that have no end or no weight."""
LARGEST = 2**63 - 1

Field = Literal["number", "name", "allele"]
"""A weight, a distance or an id that is a number; the name of a vertex; an allele of a profile."""
_ANYWHERE = ("", "-", "–", "—", "?", ".", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "nat", r"\n")
_OF_CHEWBBACA = ("lnf", "plnf", "niph", "niphem", "asm", "alm", "plot3", "plot5", "lotsc", "lot", "pama")
_OF_TYPING = "n", "inf", "missing", "nd", "n.d.", "n/d", "nt", "failed", "fail", "incomplete"
NO_VALUE: dict[Field, frozenset[str]] = {
    "number": frozenset({*_ANYWHERE, "+nan", "-nan", "∞", "n.a.", "#n/a n/a"}),
    "name": frozenset({""}),  # NA is a country, and a vertex may be called "-"
    "allele": frozenset({*_ANYWHERE, *_OF_TYPING, *_OF_CHEWBBACA}),
}
"""Texts, in lower case, that mean that a field has no value; for alleles, all that begin with ``?`` do."""
_AS_WRITTEN = "NA", "N/A", "NaN", "NULL", "None", "<NA>", "NaT", r"\N", "#N/A"
LIKE_NO_VALUE = frozenset({*(NO_VALUE["number"] - {""}), *_AS_WRITTEN})
"""Names that may be meant as none, as programs write them."""


def is_none(value: Any, field: Field) -> bool:
    """Return whether a text, or any other object, means that a field has no value."""
    if isinstance(value, str):
        text = value.strip().lower()
        return text in NO_VALUE[field] or (field == "allele" and text.startswith("?"))
    with suppress(TypeError, ValueError):  # an array has no truth value
        return is_missing(value)
    return False


BLANKS = " \t\n\r\v\f"
"""A text of these alone names no vertex; other blanks of Unicode may be a name, as in files of text."""


def is_no_name(value: Any) -> bool:
    """Return whether an object names no vertex: it is missing, or a blank text."""
    return not value.strip(BLANKS) if isinstance(value, str) else is_missing(value)


def first_gap(column: Any) -> int | None:
    """Return where a column of polars first has a missing or blank text; None if it has none."""
    least = column.min()
    if column.null_count() == 0 and (least is None or least >= "!"):  # most columns
        return None
    gaps = column.is_null() | blank_texts(column)
    return gaps.arg_max() if gaps.any() else None


def blank_texts(column: Any) -> Any:
    """Return whether each text of a column of polars is blank."""
    is_low = column < "!"  # a fast test that all blank ones pass
    return is_low & (column.str.strip_chars(BLANKS) == "") if is_low.any() else is_low


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT, or NA of pandas."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


MOST_COMPARED = 50_000
"""Number of names, the first ones, that are compared: reading them takes twenty times as long."""
SAMPLED_NAMES = 50_000
"""Number of names, spread over all, of which `warn_of_numbers` looks for each in another form."""
_ROUNDED = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+[0-9]{2}")
_WHOLE_NUMBER = re.compile(r"0*([0-9]{1,18})(?:\.0+)?")


def warn_of_names(names: Any) -> None:
    """Warn of a vertex whose name may have been meant as none."""
    if names is not None and names.dtype == object:
        with suppress(TypeError, ValueError):  # a name has no hash
            if found := LIKE_NO_VALUE.intersection(names.tolist()):
                first, *others = map(shown, sorted(found))
                more = "".join(f", and so is {name}" for name in others)
                way = hint("make such fields empty, and pass {missing}", missing="drop")
                warn(f"{first} is the name of a vertex{more}: if not, {way or 'leave these rows out'}")


def warn_of_alike_names(names: NDArray[Any] | None, of_strain: Any = None, what: str = "vertices") -> None:
    """Warn of vertices whose names differ by blanks, the form of Unicode or case only, and may be one vertex.

    A rounded number, such as ``4E+18``, may be one name of several vertices: a warning tells of it, too.
    All names are folded at once, as one text, which is much faster than each of them. Names of profiles are
    compared by their strains, which ``of_strain`` returns. ``what`` is the noun for the named things.
    """
    if names is None or names.dtype.kind not in "OU":
        return
    if names.size and isinstance(names[0], tuple):  # coordinates, before the labels of places
        names = names[[not isinstance(name, tuple) for name in names.tolist()]]
    texts = [name for name in names[:MOST_COMPARED].tolist() if isinstance(name, str) and "\0" not in name]
    folded = unicodedata.normalize("NFC", "\0".join(texts)).casefold().replace("\xa0", " ")
    if what == "vertices" and "e+" in folded and (rounded := next(filter(_ROUNDED.fullmatch, texts), None)):
        warn(f"{shown(rounded)} names a vertex, but is a rounded number: several ids may have become one")
    keys = [*map(of_strain or str.strip, folded.split("\0") if texts else ())]
    if len(set(keys)) < len(set(texts)):
        seen: dict[str, str] = {}
        alike = [(seen[key], x) for key, x in zip(keys, texts, strict=True) if seen.setdefault(key, x) != x]
        first = alike[0] if of_strain else sorted(alike[0])  # the same text for two files in any order
        both, pairs = " and ".join(map(shown, first)), f"{len(alike):,} such pair{'s' * (len(alike) > 1)}"
        way = hint(": if they are one, {drop} leaves it out", drop=alike[0][1]) if of_strain else ""
        how = "blanks, endings of files, case" if of_strain else "blanks, case"
        warn(f"{both} are two {what}, but differ by {how} or the form of Unicode only ({pairs}){way}")
    if of_strain is None and what == "vertices":
        warn_of_numbers(names)


def warn_of_numbers(names: NDArray[Any]) -> None:
    """Warn of two names that write the same number: ``"101.0"``, ``"0101"``, ``"101"`` and the integer 101.

    pandas makes such names where one column of ends lacks a value, or has a text. Of many names, a sample
    that is spread over all is compared with all.

    Warns
    -----
    GraphWarning
        There are such names.
    """
    known: set[Any] = set()
    for name in names[:: max(names.size // SAMPLED_NAMES, 1)].tolist():
        number = _WHOLE_NUMBER.fullmatch(name if isinstance(name, str) else shown(name))
        if number and name != number[1]:
            known = known or {other for other in names.tolist() if isinstance(other, str | int | float)}
            forms = {number[1]} if not isinstance(name, str) else {number[1], int(number[1])}
            if same := forms & known:
                both = f"{shown(name)} and {shown(same.pop())} are two vertices, but one number"
                way = r"in pandas column.astype('string').str.replace(r'^0+(?=\d)|\.0+$', '', regex=True)"
                warn(f"{both}: if they are the same, write both columns of ends in one form, {way}")
                return


NO_NUMBER = b"|".join(re.escape(x).encode() for x in sorted(NO_VALUE["number"] - {""}, reverse=True))
"""The alternatives of a regular expression for a text that means that there is no number, in lower case."""


def check_missing_options(missing: Any, default: Any, rules: tuple[str, ...] = MISSING) -> None:
    """Raise an `OptionError` unless these are values of the arguments ``missing`` and ``default``."""
    one_of("missing", missing, rules)
    is_number = isinstance(default, int | float | np.integer | np.floating)
    is_number &= not isinstance(default, bool | np.timedelta64)
    if default is not None and not (is_number and abs(int_or_float(default)) <= LARGEST):
        raise OptionError(
            f"{argument('default')} must be a number below 2**63 with an exact float64, or an integer, got "
            f"{shown(default)}"
        )


def fills_gaps(missing: str, default: float | None) -> bool:
    """Return whether rows may lack an end or a weight, by these arguments."""
    return missing != "error" or default is not None


def int_or_float(number: Any) -> int | float:
    """Convert a number to an integer if it is whole, else to a float; NaN if that is not exact."""
    if number == number and abs(number) != math.inf and int(number) == number:
        return int(number)
    return float(number) if float(number) == number else math.nan
