"""Texts that are numbers, by the same rules in tables, matrices and attributes of every source."""

from __future__ import annotations

import math
import re
from typing import Any

from boruvka.errors import GraphError, shown

_NUMBER = re.compile(
    r"\s*(?:([+-]?[0-9]+)|[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|(inf(?:inity)?)))\s*",
    re.IGNORECASE,
)
"""An integer, a decimal number, or infinity."""
_MOST_DIGITS = 400
"""Longer integers are beyond the range of float64."""


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
