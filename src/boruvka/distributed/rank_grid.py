"""A square of ranks: exchanges in two steps, along a row and then along a column.

An element goes first along the row of its sender, to the rank in the column of its destination, and from
there along this column. A rank has about 2 sqrt(P) partners instead of P - 1, and sends every byte twice.

Source: P. Sanders, M. Schimek, Engineering Massively Parallel MST Algorithms, IPDPS 2023.
Beyond the source: ranks that do not fill a row send as members of a row each, and receive as members of a
column each, so that any number of ranks works.
"""

from __future__ import annotations

from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["RankGrid", "grid_of"]

TWO_STEPS_FROM = 1 << 8
"""Ranks from which exchanges may take two steps."""
BYTES_OF_MESSAGE = 1 << 9
"""Bytes that are sent in the time that a message takes anyway: an exchange of more for each rank takes one
step."""


def grid_of(ranks: int, rank: int) -> RankGrid | None:
    """Return the grid of the ranks, or None if they are few."""
    return RankGrid(ranks, rank) if ranks >= TWO_STEPS_FROM else None


class RankGrid(NamedTuple):
    """The ranks as a grid, seen from one of them.

    The last ranks, fewer than there are columns, do not fill a row: the k-th of them sends along row k and
    receives along column k.

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

    @property
    def rows(self) -> int:
        """Number of rows, which is not smaller."""
        return self.ranks // self.columns

    @property
    def _first_left(self) -> int:
        """The first rank that is in no row."""
        return self.rows * self.columns

    def column_of(self, destination: NDArray[Any]) -> NDArray[np.uint16]:
        """Return the column along which each destination receives."""
        left = destination >= self._first_left
        return np.where(left, destination - self._first_left, destination % self.columns).astype(np.uint16)

    def row_of(self, destination: NDArray[Any]) -> NDArray[np.uint16]:
        """Return the position of each destination in its column; that of a rank in no row is the last."""
        return (destination // self.columns).astype(np.uint16)

    def along_row(self) -> tuple[list[int], list[int]]:
        """Return the ranks to which this one sends in the first step, by their column, and those it hears."""
        is_left = self.rank >= self._first_left
        row = self.rank - self._first_left if is_left else self.rank // self.columns
        members = list(range(row * self.columns, (row + 1) * self.columns))
        if is_left:
            return members, []
        return members, members + [x for x in (self._first_left + row,) if x < self.ranks]

    def along_column(self) -> tuple[list[int], list[int]]:
        """Return the ranks to which this one sends in the second step, by `row_of`, and those it hears."""
        is_left = self.rank >= self._first_left
        column = self.rank - self._first_left if is_left else self.rank % self.columns
        members = list(range(column, self._first_left, self.columns))
        if is_left:
            return [], members
        return members + [x for x in (self._first_left + column,) if x < self.ranks], members
