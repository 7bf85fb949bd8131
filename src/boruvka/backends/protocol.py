"""The parallel primitives that algorithms are written in; every backend implements all of them.

==============================================  ====================================================
`for_each`, `for_each_row`, `for_each_block`    map over elements, over rows of a CSR graph, over blocks
`for_each_in_order`                             sequential loop
`scatter_min`                                   minimum of what elements propose, by index
`emit`, `filter_emit`                           stream compaction into a worklist
`emit_grouped`                                  stable counting sort by group (multisplit) into a worklist
`number`, `flatnonzero`                         prefix sum over members; stream compaction of flags
`count`, `exclusive_sum`, `segmented_scan`      reduction, prefix sum, segmented scan
`sort`, `argsort`                               sort, stable where it matters
==============================================  ====================================================

To add a primitive, declare it here and implement it in `boruvka.backends.interpreted` (the reference that
tests compare with), in `threads` (its compiled loop in `thread_kernels`) and in `cuda`.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boruvka.operators import Operator

Segments = list[tuple[np.uint64, np.uint64]]
"""Ranges (first, last) of the positions in a worklist that hold elements, ascending; last is excluded."""
WorkList = MutableSequence[Any]
"""The columns of a list of elements: parallel arrays, with one value of an element in each."""


class Backend(Protocol):
    """Primitives that run operators. Arrays are of the type that `empty` makes."""

    name: str
    threads: int
    """Number of threads of the host."""
    has_private_caches: bool
    """Each thread has a large cache of its own, as on a CPU: a block of vertices fits it."""

    # Arrays

    def to_device(self, array: Any) -> Any:
        """Copy an array to the memory of the backend, unless it is there."""

    def to_host(self, array: Any) -> NDArray[Any]:
        """Copy an array to the host, unless it is there."""

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        """Allocate an uninitialised array."""

    def zeros(self, size: int, dtype: Any) -> NDArray[Any]:
        """Allocate an array of zeros."""

    def empty_worklist(self, size: int, dtypes: Sequence[Any]) -> WorkList:
        """Allocate a worklist for at most ``size`` elements, with one column for each type."""

    def split(self, size: int) -> Segments:
        """Split 0..size into the ranges that run in parallel."""

    # Map

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        """Run ``operator(i, *arrays)`` for every i below a number, or in the segments of a worklist."""

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        """Run ``operator(x, begins, *arrays)`` for every row x of a CSR graph.

        Threads get ranges of rows with about the same total length; the length of a row is
        ``begins[x + 1] - begins[x]``.
        """

    def for_each_block(
        self,
        operator: Operator,
        blocks: int,
        local: Sequence[tuple[int, Any]],
        *arrays: Any,
        shared: bool = False,
    ) -> None:
        """Run ``operator(b, *own, *arrays)`` for every block b below a number, each on one thread.

        A block is much work. ``own`` are scratch arrays of this thread, with the (size, type) that ``local``
        lists; they are not initialised. Atomics are atomic instructions only if blocks share what they
        write.
        """

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        """Run ``operator(i, *arrays)`` for every i below a number, one after the other."""

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        """Compute the minimum of the values that operators propose for each element of ``into[:size]``.

        ``operator(i, *arrays, into)`` proposes by `boruvka.operators.atomics.atomic_min` and does nothing
        else. An element that nothing is proposed for becomes the largest value of its type.
        """

    # Stream compaction

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        """Store the elements that ``operator(i, *arrays) -> (keep, *values)`` keeps, in order.

        ``into`` may be the worklist that the operator reads: no element moves to a higher position. A backend
        may also put new arrays into ``into``. Returns the segments of ``into`` that hold elements; adjacent
        segments that one thread processes become one.
        """

    def filter_emit(
        self,
        member: Operator,
        member_arrays: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        """Emit those elements for which ``member(i, *member_arrays)`` holds; fast if they are few."""

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        """Store the elements that ``operator(i, *arrays) -> (keep, group, *values)`` keeps, sorted by group.

        The sort is stable. Returns the (groups + 1,) positions where groups begin, and the end. Like `emit`,
        a backend may put new arrays into ``into``.
        """

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        """Number the members from ``begin`` in ascending order; return how many there are."""

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        """List the indices of the flags that are set, ascending."""

    # Reduction and scan

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        """Count the i below size with ``member(i, *arrays)``, which is called once for each and may write."""

    def sort(self, values: NDArray[Any]) -> None:
        """Sort values in place, ascending."""

    def argsort(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        """List the positions of the values from the smallest to the largest, and of equal ones in order."""

    def exclusive_sum(self, values: NDArray[Any]) -> int:
        """Replace each value by the sum of the values before it, and return the sum of all."""

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        """Replace each value by the combination of all values from the start of its segment up to it.

        ``combine(a, b, *arrays)`` is associative. A segment starts at the first value and wherever ``starts``
        is set.
        """


def positions_in(segments: Segments, ordinals: NDArray[Any]) -> NDArray[np.int64]:
    """Find the position of the k-th element in segments, for each ordinal k."""
    firsts, lasts = np.array(segments, np.int64).T
    ends = np.cumsum(lasts - firsts)
    part = np.searchsorted(ends, ordinals, side="right")
    return ordinals + (lasts - ends)[part]


def size_of(segments: Segments) -> int:
    """Count the elements in segments."""
    return sum(int(last - first) for first, last in segments)
