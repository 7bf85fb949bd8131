"""Arguments: their checks, and how messages name them, in Python and on the command line.

A check returns the value, or raises an `OptionError` that names the argument.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from inspect import signature
from numbers import Real
from typing import Any, ParamSpec, TypeVar

from boruvka.errors import OptionError, shown

LARGEST = 2**62
P = ParamSpec("P")
T = TypeVar("T")

_NOTHING: Any = object()
_option_text: Callable[[str, Any], str | None] = lambda name, value: None  # noqa: E731
_taken: ContextVar[tuple[str, ...] | None] = ContextVar("_taken", default=None)
"""The arguments that can be passed here; None for all arguments."""
_passed: ContextVar[dict[str, str] | None] = ContextVar("_passed", default=None)
"""The arguments that a command passes here, and the options that it takes them from; None for all."""


def on_command_line(option_text: Callable[[str, Any], str | None]) -> None:
    """Let messages name the options of a command while it runs.

    Parameters
    ----------
    option_text : callable
        (name, value) -> the text of an option of the running command, such as "--threads 2", or without a
        value (None) "--threads"; empty if the command has no such option, None if no command runs.
    """
    global _option_text
    _option_text = option_text


def is_command_running() -> bool:
    """Return whether messages are for the user of a command, who does not see arguments or arrays."""
    return _option_text("", None) is not None


@contextmanager
def taking(*names: str) -> Iterator[None]:
    """Declare which arguments the caller can pass while a block runs; an outer block may allow fewer."""
    outer = _taken.get()
    token = _taken.set(names if outer is None else tuple(name for name in names if name in outer))
    try:
        yield
    finally:
        _taken.reset(token)


@contextmanager
def passing(**names: str) -> Iterator[None]:
    """Declare all arguments that a command passes while a block runs.

    Parameters
    ----------
    **names
        The name of the parameter of the command for each argument.
    """
    token = _passed.set(names)
    try:
        yield
    finally:
        _passed.reset(token)


def argument(name: str, value: Any = None) -> str:
    """Return an argument as the user writes it: ``n`` or ``n=5``, on the command line ``--vertices 5``."""
    name = (_passed.get() or {}).get(name, name)
    option = _option_text(name, value)
    if option:
        return option
    text = value if option == "" else shown(value)
    return name if value is None else f"{name}={text}"


def hint(text: str, **arguments: Any) -> str:
    """Return a text that says what to pass, or no text where one of the arguments cannot be passed.

    Parameters
    ----------
    text : str
        Names arguments in braces: ``"; pass {unweighted} for weight 1"``.
    **arguments
        Their values.
    """
    taken, passed = _taken.get(), _passed.get()
    for name in arguments:
        if any(known is not None and name not in known for known in (taken, passed)):
            return ""
        if _option_text((passed or {}).get(name, name), arguments[name]) == "":
            return ""
    return text.format(**{name: argument(name, value) for name, value in arguments.items()})


def integer(name: str, value: Any, low: int, high: int = LARGEST, why_low: str = "") -> int:
    """Check that an argument is an integer from ``low`` to ``high``; say why where it is lower."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        allowed = f"{low} or more" if high == LARGEST else f"from {low} to {high}"
        why = why_low if number is not None and number < low else ""
        raise OptionError(f"{argument(name)} must be an integer {allowed}, got {shown(value)}{why}")
    return number


def integers(name: str, values: Any, low: int) -> list[int]:
    """Check that an argument is a list, or another iterable, of integers of at least ``low``.

    Floats that are whole numbers are taken, as from `numpy.linspace`.
    """
    try:
        numbers = list(values)
    except (TypeError, ValueError, LookupError, AttributeError, NotImplementedError):
        listed = f": write [{shown(values)}]" if isinstance(values, Real) else ""
        got = shown(values)
        raise OptionError(f"{argument(name)} must be a list of integers, got {got}{listed}") from None
    wholes = (int(x) if isinstance(x, float) and x.is_integer() else x for x in numbers)
    return [integer(name, number, low) for number in wholes]


def real(name: str, value: Any, low: float, high: float) -> float:
    """Check that an argument is a number from ``low`` to ``high``."""
    try:
        number = float(value) if isinstance(value, Real) else math.nan
    except (OverflowError, TypeError):  # a timedelta of NumPy says that it is an integer
        number = math.nan
    if not low <= number <= high:
        got = f"{shown(value)}: write {number / 100:g} for {number:g}%"
        got = got if high == 1 < number <= 100 else shown(value)
        raise OptionError(f"{argument(name)} must be a number from {low:g} to {high:g}, got {got}")
    return number


def flag(name: str, value: Any, *words: str) -> bool:
    """Check that an argument is True or False; the message names words that the caller also takes."""
    if not isinstance(value, int) and type(value).__name__ not in ("bool", "bool_"):
        must = f"{argument(name)} must be {', '.join((*map(repr, words), 'True or False'))}"
        raise OptionError(f"{must}, got {shown(value)}{did_you_mean(value, words)}")
    return bool(value)


def flag_or_number(name: str, value: Any) -> bool | float:
    """Check that an argument is True, False, or a number of 0 or more; 0 counts as True."""
    if isinstance(value, Real) and not isinstance(value, bool):
        return real(name, value, 0, LARGEST) or True
    if isinstance(value, str):
        raise OptionError(f"{argument(name)} must be a number, True or False, got {shown(value)}")
    return flag(name, value)


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Check that an argument is one of a few words."""
    if not isinstance(value, str) or value not in allowed:
        text = f"{argument(name)} must be one of {', '.join(allowed)}; got {shown(value)}"
        raise OptionError(text + did_you_mean(value, allowed))
    return value


def elsewhere(advice: str) -> Any:
    """Make an attribute that another library has, and whose `AttributeError` says what to write instead."""

    def refuse(_: Any) -> None:
        raise AttributeError(f"this attribute of hdbscan is not here: {advice}")

    return property(refuse)


def explaining(
    what: str, instead: Mapping[str, str], more: str = ""
) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Make a decorator: an error about an argument that a function has not says what to write instead.

    The texts may have ``{}`` for the value. The signature stays, which scikit-learn reads.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        known = signature(function).parameters

        @wraps(function)
        def checked(*args: P.args, **options: P.kwargs) -> T:
            advice = []
            for name in filter(lambda name: name not in known, options):
                way = instead.get(name) or did_you_mean(name, known) or ": leave it out"
                advice.append(name + way.replace("{}", shown(options[name])))
            if advice:
                raise OptionError(f"{what} has no parameter {'; '.join(advice)}{more}")
            return function(*args, **options)

        return checked

    return decorate


_LEAVES = dict.fromkeys(("p", "truncate_mode"), ": write leaves= for their number, or min_size=")
as_dendrogram = explaining("a dendrogram", {"labels": ": leaves have the names of vertices", **_LEAVES})
"""Decorator of functions that are called with arguments of ``scipy.cluster.hierarchy.dendrogram``."""


def did_you_mean(value: Any, known: Iterable[str]) -> str:
    """Return a question with the known word that is most similar to a word, or no text."""
    from difflib import get_close_matches

    by_lower = {str(word).lower(): word for word in known}
    given = value.lower() if isinstance(value, str) and value else " "  # begins no word
    found = [word for word in by_lower if word.startswith(given)] or get_close_matches(given, by_lower, 1)
    return f": did you mean {by_lower[found[0]]}?" if found else ""
