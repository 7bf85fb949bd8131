"""What an algorithm asks of the place where its operators run."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Operator = Callable[..., Any]
Segments = list[tuple[np.uint64, np.uint64]]
"""Ranges (first, last) of a work list that hold elements, in ascending order."""
WorkList = MutableSequence[Any]
"""Parallel arrays, one value of an element in each."""


class Backend(Protocol):
    """Operators in, loops out. Arrays are whatever the backend's `empty` makes."""

    name: str
    threads: int
    has_caches: bool
    """A thread has a cache of its own, in which a block of vertices stays."""

    def to_device(self, array: Any) -> Any:
        """Bring an array to where operators run, unless it is there."""

    def to_host(self, array: Any) -> NDArray[Any]:
        """Bring an array to the host, unless it is there."""

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        """Make an array of unknown content."""

    def zeros(self, size: int, dtype: Any) -> NDArray[Any]:
        """Make an array of zeros."""

    def empty_worklist(self, size: int, dtypes: Sequence[Any]) -> WorkList:
        """Make a work list for at most so many elements, of unknown content."""

    def split(self, size: int) -> Segments:
        """Cut 0..size into the ranges that run side by side."""

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        """Run ``operator(i, *arrays)`` for every i below a number, or in the segments of a work list."""

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        """Run ``operator(x, begins, *arrays)`` for every row x of compressed sparse rows.

        The work of a row is its length, ``begins[x + 1] - begins[x]``: that is what is shared out.
        """

    def for_each_block(
        self, operator: Operator, blocks: int, local: Sequence[tuple[int, Any]], *arrays: Any
    ) -> None:
        """Run ``operator(b, *own, *arrays)`` for every b below a number; each is much work and alone.

        Its own arrays have the sizes and types in ``local``, and unknown content.
        """

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        """Run ``operator(i, *arrays)`` for every i below a number, one after the other."""

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        """Collect the elements that ``operator(i, *arrays) -> (keep, *values)`` keeps, in order.

        ``into`` may be the work list that the operator reads: an element never moves up, or is put into
        other arrays, which then take the places of those in ``into``. Segments that one thread goes
        through become one.
        """

    def filter_emit(
        self,
        member: Operator,
        of: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        """Collect as `emit` does among the few i for which ``member(i, *of)`` holds."""

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        """Find the smallest that ``operator(i, *arrays, into)`` offers to each of ``into[:size]``.

        Where nothing is offered stands the largest value of the type.
        """

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        """Collect the elements that ``operator(i, *arrays) -> (keep, group, *values)`` keeps, by groups.

        In a group they are in order. Returns where each group begins, and the end. The elements may be put
        into other arrays, as by `emit`.
        """

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        """Count the i below size for which ``member(i, *arrays)`` holds; it runs once each, and may write."""

    def exclusive_sum(self, values: NDArray[Any]) -> int:
        """Replace each value by the sum of those before it, and return the sum of all."""

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        """Replace each value by all from the start of its segment to it, combined (segmented scan).

        Two are combined by ``combine(a, b, *arrays)``, which is associative. A segment starts where
        ``starts`` is set, and with the first value.
        """

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        """Number the members from ``begin`` in ascending order, ``number[i]`` each; return how many."""

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        """List the indices of the flags that are set, ascending."""


def positions_in(segments: Segments, positions: NDArray[Any]) -> NDArray[np.int64]:
    """Find where the elements are that come at these positions when segments are counted through."""
    firsts, lasts = np.array(segments, np.int64).T
    ends = np.cumsum(lasts - firsts)
    part = np.searchsorted(ends, positions, side="right")
    return positions + (lasts - ends)[part]


def size_of(segments: Segments) -> int:
    """Count the elements in segments."""
    return sum(int(last - first) for first, last in segments)
