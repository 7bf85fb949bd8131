"""Checks of arguments: return the value, or raise an `OptionError` that names the argument."""

from __future__ import annotations

import math
import operator
from numbers import Real
from typing import Any

from boruvka.errors import OptionError, shown
from boruvka.runtime.argument_names import argument

LARGEST = 2**62


def integer(name: str, value: Any, low: int, high: int = LARGEST) -> int:
    """Check that an argument is an integer from ``low`` to ``high``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        allowed = f"{low} or more" if high == LARGEST else f"from {low} to {high}"
        raise OptionError(f"{argument(name)} must be an integer {allowed}, got {shown(value)}")
    return number


def real(name: str, value: Any, low: float, high: float) -> float:
    """Check that an argument is a number from ``low`` to ``high``."""
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except (OverflowError, TypeError):  # a timedelta of NumPy says that it is an integer
        number = math.nan
    if not low <= number <= high:
        raise OptionError(f"{argument(name)} must be a number from {low:g} to {high:g}, got {shown(value)}")
    return number


def flag(name: str, value: Any) -> bool:
    """Check that an argument is True or False."""
    if not isinstance(value, int) and type(value).__name__ not in ("bool", "bool_"):
        raise OptionError(f"{argument(name)} must be True or False, got {shown(value)}")
    return bool(value)


def choice(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Check that an argument is one of a few words."""
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(f"{argument(name)} must be one of {', '.join(allowed)}; got {shown(value)}")
    return value
