"""Columns of strings of a text: columns of polars, which splits lines on every core, or lists without it."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, without_warnings
from boruvka.graph.columns import is_number, list_column
from boruvka.graph.exact import EXACT_UP_TO
from boruvka.graph.no_values import is_none
from boruvka.graph.text_numbers import MARKED, number_in, numbers_in
from boruvka.runtime.libraries import optional, pl, require
from boruvka.runtime.processors import check_addresses_of_polars

BLANKS = " \t"
"""Characters that do not belong to a field at whose ends they stand."""
_CODE = re.compile("[+-]?(?:0[0-9]|[0-9]{16,}$)")
"""A text of digits that stays a text, as its zeros or all its digits count."""
_MOST_BYTES = 100 << 20
"""Bytes of text that are split without polars: lists take about 8 times the memory of the text."""
_BATCH_BYTES = 1 << 20
"""Bytes of text that are split at once without polars."""


def split_lines(
    content: bytes, delimiter: str, width: int, positions: list[int], has_quotes: bool
) -> list[Any]:
    """Split lines into columns of strings.

    Parameters
    ----------
    content : bytes
        Lines of ``width`` fields each.
    delimiter : str
        The character between fields.
    width : int
    positions : list of int
        The positions of the fields that are returned.
    has_quotes : bool
        Whether fields may be quoted.

    Returns
    -------
    list of columns
        An empty field may be null or an empty string.

    Raises
    ------
    ValueError
        A field is not UTF-8, or quotes are malformed.
    MissingExtraError
        The text is large, and polars is not installed.
    """
    check_addresses_of_polars()
    if optional("polars") is None:
        if len(content) > _MOST_BYTES:
            require(
                "polars", "tables", f"names and other strings in texts of more than {_MOST_BYTES >> 20} MB"
            )
        try:
            return _split_into_lists(content, delimiter, width, positions, has_quotes)
        except csv.Error as error:
            raise ValueError(str(error)) from None
    schema = {str(i): pl.String for i in range(width)}
    if not content:
        return [pl.Series([], dtype=pl.String) for _ in positions]
    try:
        frame = pl.read_csv(
            content,
            has_header=False,
            schema=schema,
            columns=sorted(positions),
            separator=delimiter,
            quote_char='"' if has_quotes else None,
        )
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise ValueError(str(error).splitlines()[0]) from None
    return [frame[str(position)] for position in positions]


def _split_into_lists(
    content: bytes, delimiter: str, width: int, positions: list[int], has_quotes: bool
) -> list[list[str]]:
    columns: list[list[str]] = [[] for _ in positions]
    for batch in _batches(content):
        text = batch.decode().replace("\r\n", "\n").removesuffix("\n").removesuffix("\r")
        if has_quotes:
            rows = csv.reader(text.split("\n"), delimiter=delimiter, strict=True)
            fields = [field for row in rows for field in row]
        else:
            fields = text.replace("\n", delimiter).split(delimiter)
        for column, position in zip(columns, positions, strict=True):
            column += fields[position::width]
    return columns


def _batches(content: bytes) -> Iterator[bytes]:
    """Cut lines into batches of whole lines."""
    begin = 0
    while begin < len(content):
        end = content.find(b"\n", begin + _BATCH_BYTES) + 1 or len(content)
        yield content[begin:end]
        begin = end


def stripped(column: Any) -> Any:
    """Remove blanks around the strings of a column."""
    if isinstance(column, list):
        return [text.strip(BLANKS) for text in column]
    return column.str.strip_chars(BLANKS)


def differ(column: Any, other: Any) -> NDArray[np.bool_]:
    """Return whether the strings of two columns differ; nulls do not."""
    if isinstance(column, list):
        return np.fromiter(map(str.__ne__, column, other), bool, len(column))
    return (column != other).fill_null(False).to_numpy()


def are_empty(column: Any) -> NDArray[np.bool_]:
    """Return whether each string of a column is empty or null."""
    if isinstance(column, list):
        return np.fromiter(map("".__eq__, column), bool, len(column))
    return (column.is_null() | (column == "")).to_numpy()


def numbers_or_texts(column: Any) -> Any:
    """Convert a column of strings to numbers, with None for no value, unless it also holds texts or codes."""
    items = [text or "" for text in stripped(column)]
    known = next((text for text in items if not is_none(text, "number")), "")
    if not MARKED.fullmatch(known) or any(map(_CODE.match, items)):
        return column
    numbers: Any = numbers_of(column)
    if numbers is None or np.isnan(numbers).any():
        with without_warnings(), suppress(GraphError):
            numbers = numbers_in("", items)
        if numbers is None or not all(x is None or is_number(x) for x in numbers):
            return column
        numbers = [x if x is None else float(x) for x in numbers]
    return list_column(numbers) if isinstance(column, list) else pl.Series(numbers)


def numbers_of(column: Any) -> NDArray[Any] | None:
    """Convert a column to integers, else to floats; None if no string is a number.

    A float is NaN where a string is no number, or an integer that has no exact float64.
    """
    if isinstance(column, list):
        return _numbers_of_list([text.strip(BLANKS + "\r") for text in column])
    column = column.str.strip_chars(BLANKS + "\r")
    for dtype in (pl.Int64, pl.UInt64):
        whole = column.cast(dtype, strict=False)
        if not whole.null_count():
            return whole.to_numpy()
    numbers = column.cast(pl.Float64, strict=False).fill_nan(None)
    if numbers.null_count() == len(numbers):
        return None
    return _without_rounded(numbers.fill_null(math.nan).to_numpy(), column)


def _numbers_of_list(texts: list[str]) -> NDArray[Any] | None:
    """Convert strings to numbers as polars does, which takes only digits of ASCII, and no underscores."""
    found = [number_in(text) for text in texts]
    if all(isinstance(number, int) for number in found):
        for dtype in np.int64, np.uint64:
            with suppress(OverflowError):
                return np.array(found, dtype)
    if not any(map(is_number, found)):
        return None
    numbers = np.array([float(number) if is_number(number) else math.nan for number in found])
    return _without_rounded(numbers, texts)


def _without_rounded(numbers: NDArray[np.float64], texts: Any) -> NDArray[np.float64]:
    """Return the numbers that texts hold, with NaN for integers that were rounded."""
    is_rounded = [
        i
        for i in np.flatnonzero(np.isfinite(numbers) & (np.abs(numbers) >= EXACT_UP_TO)).tolist()
        if isinstance(number := number_in(texts[i]), int) and number != float(numbers[i])
    ]
    if is_rounded:
        numbers = numbers.copy()  # polars may own it
        numbers[is_rounded] = math.nan
    return numbers
