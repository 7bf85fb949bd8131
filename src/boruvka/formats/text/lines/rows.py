"""Read lines of any number of numbers each: adjacency lists, rows of a matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.lines.weights import WeightType, parse_as_fits, weight_error, weights_from_bits


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
    from boruvka.formats.text.lines import kernels

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
