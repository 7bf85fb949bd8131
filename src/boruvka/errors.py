"""The exceptions of this package, each a `BoruvkaError` and a built-in exception, and its warnings."""

import contextlib
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from reprlib import Repr
from typing import Any

import numpy as np

LONGEST_MESSAGE, LONGEST_VALUE = 2000, 300
"""Characters of a message, and of a value in it; values and names of columns come from the user."""
MANY_NAMES, FIRST_NAMES = 20, 5
"""Number of columns that are not all listed in a message, and of the first ones that are."""
INSIDE = re.compile(r"boruvka(\..*)?|contextlib")
"""Modules that are not of a caller: this package, and contextlib, which calls its context managers."""


class _Values(Repr):
    """Values in messages, where scalars of NumPy look like numbers of Python."""

    def repr1(self, x: Any, level: int) -> str:
        if isinstance(x, np.number | np.bool_):
            return str(x)
        return super().repr1(str(x) if isinstance(x, np.str_) else x, level)


_values = _Values()
_values.maxlist = _values.maxtuple = _values.maxdict = _values.maxset = _values.maxfrozenset = 20
_values.maxstring = _values.maxother = _values.maxlong = LONGEST_VALUE


def shown(value: Any) -> str:
    """Return the repr of a value as messages show it: shortened, and never an error."""
    try:
        return _shortened(_values.repr(value), LONGEST_VALUE)
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # of polars
            raise
        return f"<{type(value).__name__}>"


def shown_names(names: Sequence[Any]) -> str:
    """Return the names of columns as messages list them: of many only the first, and their number."""
    some = names if len(names) <= MANY_NAMES else names[:FIRST_NAMES]
    more = f" and {len(names) - len(some):,} others" if len(some) < len(names) else ""
    return ", ".join(map(shown, some)) + more


def some_of(texts: Sequence[str], most: int = 10, separator: str = ", ") -> str:
    """Return the first texts as messages list them, and the number of others."""
    more = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return separator.join(texts[:most]) + more


def item_text(name: str, i: int, value: Any) -> str:
    """Return how messages call a value of an argument, or of a forest: its row is counted from 1."""
    is_phrase = name.startswith(("row {}", "the forest"))
    return f"{name.format(i + 1)}: {value}" if is_phrase else f"{name}[{i}] = {value}"


def first_true(mask: Any) -> int | None:
    """Return the position of the first True of a mask, which an error is about; None if there is none."""
    position = int(mask.argmax()) if mask.size else 0
    return position if mask.size and mask.flat[position] else None


def _shortened(text: str, longest: int) -> str:
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]} ... {text[-half + 5 :]}"


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text
    )


class BoruvkaError(Exception):
    """The base class of all errors that this package raises on purpose."""

    def __str__(self) -> str:
        """Return the message on one line; control characters, which come from files, are escaped."""
        line = "; ".join(filter(None, map(str.strip, super().__str__().splitlines())))
        return _shortened(_printable(line), LONGEST_MESSAGE)


class GraphError(BoruvkaError, ValueError):
    """The values do not make a graph: an id out of range, a NaN weight, arrays of different lengths."""

    same_name: tuple[int, int, str] | None = None
    """Two rows with the same name, and this name, so that the error of a file names the lines."""


class GraphTypeError(BoruvkaError, TypeError):
    """The types do not make a graph: complex weights, an argument that is not a graph."""


class GraphWarning(UserWarning):
    """A graph is probably not the one that was meant; the message says how to state which one is."""


class OptionError(BoruvkaError, ValueError):
    """The value of an option is not allowed: an unknown algorithm, zero threads."""


class BackendError(BoruvkaError, RuntimeError):
    """A backend cannot run: there is no GPU, or the graph does not fit its memory."""


class BackendWarning(UserWarning):
    """Another backend than the best one is used; the message has the reason."""


class FormatError(BoruvkaError, ValueError):
    """The content of a file violates its format; the message names the file and the line.

    Attributes
    ----------
    line : int
        The number of the line, from 1; 0 if the error is about the file as a whole.
    """

    line = 0


class FileError(BoruvkaError, OSError):
    """A file cannot be opened, read or written; the message names it."""


class MissingExtraError(BoruvkaError, ImportError):
    """A library of an optional extra is not installed; the message names the extra."""


UNLESS_ARCS = "unless they are arcs"
"""Text of a warning that is not for arborescences."""
_silenced: ContextVar[str | None] = ContextVar("_silenced", default=None)


@contextlib.contextmanager
def without_warnings(text: str = "") -> Iterator[None]:
    """Keep `warn` silent in a context about messages with a text; filters of Python are for all threads."""
    token = _silenced.set(text)
    try:
        yield
    finally:
        _silenced.reset(token)


def warn(message: str, category: type[Warning] = GraphWarning) -> None:
    """Warn at the line of the caller: the innermost call from outside of this package."""
    if (text := _silenced.get()) is not None and text in message:
        return
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and INSIDE.fullmatch(str(frame.f_globals.get("__name__"))):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
