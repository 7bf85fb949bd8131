"""Numbers from the 64 bits that the compiled loops store, and lines of any number of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.text.lines import kernels
from boruvka.formats.text.lines.text import Text
from boruvka.runtime.arguments import hint

WeightType = Literal["any", "integers", "floats"]
"""The numbers of a file. "any" are integers if all are, else floats; "floats" are rounded even where they
are written as integers."""

_TOKEN = re.compile(rb'[^\s,;|"]+')
_OFFSET_MASK = (1 << 51) - 1
_Parsed = TypeVar("_Parsed")


def whole_number(token: bytes) -> int | None:
    """Return a count or id as an integer below 2**63; None if the token is not one."""
    if token.isdigit() and len(token) < 20 and int(token) < 2**63:
        return int(token)
    return None


def parse_as_fits(
    weights: WeightType, parse: Callable[[int], tuple[_Parsed, int]]
) -> tuple[_Parsed, int, int]:
    """Parse numbers as int64; if one does not fit, parse all again as uint64 or float64.

    Parameters
    ----------
    weights : "any", "integers" or "floats"
    parse : callable
        Takes a storage type of `kernels`; returns its result and why it stopped.

    Returns
    -------
    parsed
        The result of the last attempt.
    int
        Why it stopped.
    int
        The storage type.
    """
    storage = kernels.FLOAT64 if weights == "floats" else kernels.INT64
    while True:
        parsed, stop = parse(storage)
        if stop == kernels.NEEDS_FLOATS and weights == "any":
            storage = kernels.FLOAT64
        elif stop == kernels.NEEDS_UNSIGNED:
            storage = kernels.UINT64
        else:
            return parsed, stop, storage
        del parsed  # before the next attempt allocates


def weight_error(text: Text, offset: int, stop: int, storage: int, expected: str) -> FormatError:
    """Make the error about the line at which a compiled loop stopped."""
    if stop == kernels.NAN:
        drop = hint("; {missing} leaves out such lines", missing="drop")
        return text.error(offset, f"NaN is not a weight, found {text.quote(offset)}{drop}")
    if stop == kernels.NEEDS_FLOATS:
        return text.unexpected(offset, f"{expected} with whole numbers only")
    if stop == kernels.OVERFLOW and storage == kernels.UINT64:
        return text.error(
            offset,
            "no 64-bit integer type holds both negative numbers and numbers beyond 2**63 - 1, "
            f"found {text.quote(offset)}",
        )
    if stop == kernels.OVERFLOW:
        return text.error(offset, f"the number does not fit 64 bits, found {text.quote(offset)}")
    return text.unexpected(offset, expected, text.skip_hint(offset))


def weights_from_bits(
    text: Text, bits: NDArray[np.uint64], storage: int, weights: WeightType
) -> NDArray[Any]:
    """View 64-bit patterns as numbers, and parse those that the compiled loop left out.

    Raises
    ------
    FormatError
        A number is beyond the range of float64, or an integer among fractions has no exact float64.
    """
    if storage == kernels.FLOAT64:
        return _parse_deferred(text, bits.view(np.float64), integers_exact=weights == "any")
    return bits.view(np.int64) if storage == kernels.INT64 else bits


def _parse_deferred(text: Text, w: NDArray[np.float64], *, integers_exact: bool) -> NDArray[np.float64]:
    """Parse the numbers that the compiled loop deferred (NaNs that hold an offset) with ``float``."""
    deferred = np.flatnonzero(np.isnan(w))
    for i, bits in zip(deferred.tolist(), w[deferred].view(np.uint64).tolist(), strict=True):
        offset = bits & _OFFSET_MASK
        match = _TOKEN.match(text.array, offset)  # type: ignore[call-overload]
        token = match[0] if match else b""
        w[i] = value = float(token)
        if math.isinf(value):
            raise text.error(offset, f"{token[:40].decode()} is beyond the range of float64")
        if integers_exact and token.lstrip(b"+-").isdigit() and int(token) != value:
            raise text.error(
                offset,
                f"the integer {token.decode()} stands among fractions, but has no exact float64: "
                "write all weights as integers, or round it",
            )
    return w


class NumberRows(NamedTuple):
    """Lines of numbers.

    Parameters
    ----------
    values : (k,) array
        The numbers of all rows.
    starts : (rows,) int64 array
        The offset in the text at which each row begins.
    ends : (rows,) int64 array
        One more than the index in ``values`` of the last number of each row.
    """

    values: NDArray[Any]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def read_number_rows(
    text: Text, offset: int, *, comment: str, expected: str, weights: WeightType = "any"
) -> NumberRows:
    """Read lines that hold any number of numbers.

    Parameters
    ----------
    text : Text
    offset : int
        The offset of the first line.
    comment : str
        The character that begins a comment line.
    expected : str
        The expected content of a line, for errors.
    weights : "any", "integers" or "floats"
        The type of the numbers.

    Returns
    -------
    NumberRows
        Blank lines are rows, comments are not.

    Raises
    ------
    FormatError
        A line is malformed.
    """
    values = np.empty(text.count_words(offset), np.uint64)
    starts, ends = np.empty((2, text.count_newlines(offset, text.size) + 1), np.int64)
    begin, end, comment_byte = np.uint64(offset), np.uint64(text.size), ord(comment)

    def parse(storage: int) -> tuple[tuple[int, int], int]:
        rows, stop, stopped_at = kernels.parse_rows(
            text.array, begin, end, comment_byte, storage, values, starts, ends
        )
        return (rows, int(stopped_at)), stop

    (rows, stopped_at), stop, storage = parse_as_fits(weights, parse)
    if stop != kernels.DONE:
        raise weight_error(text, stopped_at, stop, storage, expected)
    numbers = weights_from_bits(text, values[: ends[rows - 1] if rows else 0], storage, weights)
    return NumberRows(numbers, starts[:rows], ends[:rows])
