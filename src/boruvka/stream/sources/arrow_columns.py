"""Columns of numbers of batches of Arrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.errors import FormatError

__all__ = ["check_no_null", "check_valid", "numbers_in"]


def numbers_in(where: str, batch: Any, name: str) -> Any:
    """Return a column of numbers as an array, not copied.

    Parameters
    ----------
    where : str
        The position of the batch, for errors.
    batch : pyarrow.RecordBatch
        The batch.
    name : str
        The column.

    Raises
    ------
    FormatError
        It holds something else, or a value is missing.
    """
    column = batch.column(name)
    check_no_null(where, column, name)
    kind = str(column.type)
    if not kind.startswith(("int", "uint", "float", "double", "halffloat")):
        raise FormatError(f"{where}: expected numbers in column {name!r}, found {kind}")
    return np.from_dlpack(column)  # a method of Arrow would import pandas


def check_valid(where: str, column: Any, name: str) -> None:
    """Raise an error if a column is damaged: a string that is not UTF-8, for example."""
    try:
        column.validate(full=True)
    except ValueError as error:  # those of Arrow are, too
        raise FormatError(f"{where}: the column {name!r} is damaged: {error}") from None


def check_no_null(where: str, column: Any, name: str) -> None:
    """Raise an error if a value of a column is missing."""
    if column.null_count:
        row = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
        raise FormatError(f"{where}: row {row} of them has no value in column {name!r}")
