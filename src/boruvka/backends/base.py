"""What an algorithm asks of the place where its operators run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Operator = Callable[..., Any]
Segments = list[tuple[np.uint64, np.uint64]]
"""Ranges (first, last) of a work list that hold elements, in ascending order."""
WorkList = Sequence[NDArray[Any]]
"""Parallel arrays, one value of an element in each."""


class Backend(Protocol):
    """Operators in, loops out. Arrays are whatever the backend's `empty` makes."""

    name: str
    threads: int

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        """Make an array of unknown content."""

    def zeros(self, size: int, dtype: Any) -> NDArray[Any]:
        """Make an array of zeros."""

    def split(self, size: int) -> Segments:
        """Cut 0..size into the ranges that run side by side."""

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        """Run ``operator(i, *arrays)`` for every i below a number, or in the segments of a work list."""

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        """Collect the elements that ``operator(i, *arrays) -> (keep, *values)`` keeps, in order.

        ``into`` may be the work list that the operator reads: an element never moves up.
        """

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, shift: int, *arrays: Any
    ) -> Segments:
        """Collect as `emit` does, by groups: the first value of an element, shifted right, names its own."""

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        """Count the i below size for which ``member(i, *arrays)`` holds."""

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        """Number the members from ``begin`` in ascending order, ``number[i]`` each; return how many."""

    def members(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        """List the indices of the flags that are set, ascending."""


def size_of(segments: Segments) -> int:
    """Count the elements in segments."""
    return sum(int(last - first) for first, last in segments)
