"""A square of ranks: exchanges in two steps, along a row and then along a column.

An element goes first along the row of its sender, to the rank in the column of its destination, and from
there along this column. A rank has about 2 sqrt(P) partners instead of P - 1, and sends every byte twice.

Source: P. Sanders, M. Schimek, Engineering Massively Parallel MST Algorithms, IPDPS 2023.
Any number of ranks works: the last row may be short. For the columns that it lacks, its k-th rank sends to
the ranks of row k.
"""

from __future__ import annotations

from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["RankGrid"]


class RankGrid(NamedTuple):
    """The ranks as a grid, seen from one of them: numbered row by row, the last row may be short.

    An element that a rank sends to itself stays there in both steps.

    Attributes
    ----------
    ranks : int
        Number of ranks.
    rank : int
        This rank.
    """

    ranks: int
    rank: int

    @property
    def columns(self) -> int:
        """Number of columns."""
        return isqrt(self.ranks)

    def column_of(self, destination: NDArray[Any]) -> NDArray[np.uint16]:
        """Return the column of each destination."""
        return (destination % self.columns).astype(np.uint16)

    def row_of(self, destination: NDArray[Any]) -> NDArray[np.uint16]:
        """Return the row of each destination."""
        return (destination // self.columns).astype(np.uint16)

    def along_row(self) -> tuple[list[int], list[int]]:
        """List the ranks to which this one sends in the first step, by column, and those that send to it."""
        full_rows, in_short_row = divmod(self.ranks, self.columns)
        row, column = divmod(self.rank, self.columns)
        members = list(range(row * self.columns, min((row + 1) * self.columns, self.ranks)))
        if row == full_rows:
            return members + [column * self.columns + k for k in range(in_short_row, self.columns)], members
        replaces = row < in_short_row <= column
        return members, members + [full_rows * self.columns + row] * replaces

    def along_column(self) -> tuple[list[int], list[int]]:
        """Return the ranks to which this one sends in the second step, by row, and those that send to it."""
        members = list(range(self.rank % self.columns, self.ranks, self.columns))
        return members, members
