"""Values that mean that there is none: one table for texts in files, in frames and in arrays.

Objects that mean it are None, NaN, NaT and NA of pandas (`boruvka.graph.columns.is_missing`). A number never
does, except an allele below 1: 9999, 0 and -1 may be weights and distances.
"""

from __future__ import annotations

import re
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Field", "are_none", "is_none", "none_pattern"]

Field = Literal["number", "name", "allele"]
"""A weight, a distance or an id that is a number; the name of a vertex; an allele of a profile."""
_ANYWHERE = ("", "-", "?", ".", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "nat", r"\n")
_OF_CHEWBBACA = ("lnf", "plnf", "niph", "niphem", "asm", "alm", "plot3", "plot5", "lotsc", "lot", "pama")
NO_VALUE: dict[Field, frozenset[str]] = {
    "number": frozenset({*_ANYWHERE, "+nan", "-nan"}),
    "name": frozenset({""}),  # NA is a country, and a vertex may be called "-"
    "allele": frozenset({*_ANYWHERE, "n", "inf", *_OF_CHEWBBACA}),
}
"""Texts, in lower case, that mean that a field has no value."""
LIKE_NO_VALUE = NO_VALUE["number"] - NO_VALUE["name"]
"""Names, in lower case, that may be meant as none."""


def is_none(text: str, field: Field) -> bool:
    """Return whether a text means that a field has no value."""
    return text.strip().lower() in NO_VALUE[field]


def are_none(column: Any, field: Field) -> NDArray[np.bool_]:
    """Return whether each string of a column of polars, or of a list, means that a field has no value."""
    if isinstance(column, list):
        return np.fromiter((text is None or is_none(text, field) for text in column), bool, len(column))
    is_in = column.str.strip_chars().str.to_lowercase().is_in(list(NO_VALUE[field]))
    return is_in.fill_null(True).to_numpy()


def none_pattern(field: Field) -> bytes:
    """Return the alternatives of a regular expression for a text that is not empty, in lower case."""
    return b"|".join(re.escape(text).encode() for text in sorted(NO_VALUE[field], reverse=True) if text)
