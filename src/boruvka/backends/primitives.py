"""The parallel primitives that algorithms are written in, with bodies that the Python interpreter runs.

==============================================  ====================================================
`for_each`, `for_each_row`, `for_each_block`    map over elements, over rows of a CSR graph, over blocks
`for_each_in_order`                             sequential loop
`scatter_min`                                   minimum of what elements propose, by index
`emit`, `filter_emit`                           stream compaction into a worklist
`emit_grouped`, `emit_one_group`                stable counting sort by group (multisplit) into a worklist
`number`, `flatnonzero`                         prefix sum over members; stream compaction of flags
`count`, `exclusive_sum`, `segmented_scan`      reduction, prefix sum, segmented scan
`sort`, `argsort`                               sort, stable where it matters
==============================================  ====================================================

To add a primitive, write its docstring and a plain body here, and override it in `boruvka.backends.threads`
(with a loop that is compiled) and in `boruvka.backends.cuda`.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.backends.tuning import Tuning
from boruvka.operators import Operator


class Segments:
    """Ranges of the positions in a worklist that hold elements, ascending.

    Parameters
    ----------
    size : int
        Number of elements.
    ranges : (k, 2) array of uint64, optional
        First and last position of each range; the last is excluded. By default one range from 0.
    """

    def __init__(self, size: int, ranges: NDArray[np.uint64] | None = None):
        self.size, self.ranges = size, ranges

    @classmethod
    def of(cls, *pairs: tuple[Any, Any]) -> Segments:
        """Return the ranges with these first and last positions."""
        return cls(sum(int(last) - int(first) for first, last in pairs), np.array(pairs, np.uint64))

    @property
    def pairs(self) -> NDArray[np.uint64]:
        """First and last position of each range, or of the only one."""
        return np.array([[0, self.size]], np.uint64) if self.ranges is None else self.ranges

    def positions_of(self, ordinals: NDArray[Any]) -> NDArray[np.int64]:
        """Find the position of the k-th element, for each ordinal k."""
        firsts, lasts = self.pairs.astype(np.int64).T
        ends = np.cumsum(lasts - firsts)
        part = np.searchsorted(ends, ordinals, side="right")
        return ordinals + (lasts - ends)[part]

    def taken_from(self, column: Any) -> Any:
        """Return the elements of a column without the gaps between segments; a copy if there are gaps."""
        pieces = [column[int(first) : int(last)] for first, last in self.pairs]
        return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


Columns = MutableSequence[Any]
"""The columns of a list of elements: parallel arrays, with one value of an element in each."""
Member = tuple[Operator, tuple[Any, ...]]
"""A predicate of an element, and the arrays that it takes after the index."""
Scratch = Sequence[tuple[int, Any]]
"""The size and the type of each array that a thread has for itself."""


class Backend:
    """Primitives that run operators: here in plain Python, for debugging and as the reference.

    Other backends are subclasses that compile operators. Arrays are of the type that `empty` makes.

    Parameters
    ----------
    threads : int
        Number of threads that the backend may use.
    tuning : Tuning, optional
        The tuning constants of the backend, and of the algorithms that run on it.
    """

    name = "interpreted"
    is_cpu = True
    """Whether the backend runs on a CPU, where the cache of one thread holds a block of vertices."""
    threads = 1
    """Number of threads of the host."""
    tuning = Tuning()

    def __init__(self, threads: int = 1, tuning: Tuning | None = None):
        if tuning is not None:
            self.tuning = tuning

    # Arrays

    def to_device(self, array: Any) -> Any:
        """Copy an array to the memory of the backend, unless it is there."""
        return on_host(array)

    def to_host(self, array: Any) -> NDArray[Any]:
        """Copy an array to the host, unless it is there."""
        return on_host(array)

    def empty(self, size: int, dtype: Any) -> Any:
        """Allocate an uninitialised array."""
        return np.empty(size, dtype)

    def zeros(self, size: int, dtype: Any) -> Any:
        """Allocate an array of zeros."""
        return np.zeros(size, dtype)

    def empty_worklist(self, size: int, dtypes: Sequence[Any]) -> Columns:
        """Allocate a worklist for at most ``size`` elements, with one column for each type."""
        return [self.empty(size, dtype) for dtype in dtypes]

    def positions(self, size: int) -> Segments:
        """Return all positions below a size."""
        return Segments(size)

    def packed(self, arrays: tuple[Any, ...]) -> Any:
        """Prepare a tuple of arrays, which many operators take, so that a call costs less."""
        return arrays

    # Map

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        """Run ``operator(i, *arrays)`` for every i below a number, or in the segments of a worklist."""
        for first, last in (self.positions(where) if isinstance(where, int) else where).pairs:
            for i in range(int(first), int(last)):
                operator(i, *arrays)

    def for_each_row(self, operator: Operator, begins: Any, *arrays: Any) -> None:
        """Run ``operator(x, begins, *arrays)`` for every row x of a CSR graph.

        Threads get ranges of rows with about the same total length; the length of a row is
        ``begins[x + 1] - begins[x]``.
        """
        self.for_each(operator, begins.size - 1, begins, *arrays)

    def for_each_block(
        self, operator: Operator, blocks: int, local: Scratch, *arrays: Any, atomic: bool = False
    ) -> None:
        """Run ``operator(b, *own, *arrays)`` for every block b below a number, each on one thread.

        A block is much work. ``own`` are scratch arrays of this thread, with the (size, type) that ``local``
        lists; they are not initialised. Atomics are atomic instructions only if ``atomic`` is set: where
        blocks write to the same elements.
        """
        self.for_each(operator, blocks, *(self.empty(*array) for array in local), *arrays)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        """Run ``operator(i, *arrays)`` for every i below a number, one after the other."""
        self.for_each(operator, size, *arrays)

    def scatter_min(self, operator: Operator, segments: Segments, into: Any, size: int, *arrays: Any) -> None:
        """Compute the minimum of the values that operators propose for each element of ``into[:size]``.

        ``operator(i, *arrays, into)`` proposes by `boruvka.kernels.kernel_functions.atomic_min` and does
        nothing else. An element that nothing is proposed for becomes the largest value of its type.
        """
        into = into[:size]
        into.fill(~into.dtype.type(0))
        self.for_each(operator, segments, *arrays, into)

    # Stream compaction

    def emit(self, operator: Operator, segments: Segments, into: Columns, *arrays: Any) -> Segments:
        """Store the elements that ``operator(i, *arrays) -> (keep, *values)`` keeps, in order.

        ``into`` may be the worklist that the operator reads: no element moves to a higher position. A backend
        may also put new arrays into ``into``. Returns the segments of ``into`` that hold elements: one for
        each part that a thread processed.
        """
        begin = slot = int(segments.pairs[0, 0])
        for first, last in segments.pairs:
            for i in range(int(first), int(last)):
                keep, *values = operator(i, *arrays)
                if keep:
                    _store(into, slot, values)
                    slot += 1
        return Segments.of((begin, slot))

    def filter_emit(
        self, member: Member, operator: Operator, segments: Segments, into: Columns, *arrays: Any
    ) -> Segments:
        """Emit those elements for which a predicate holds; fast if they are few."""
        holds, its_arrays = member

        def emit_member(i, *arrays):
            return operator(i, *arrays) if holds(i, *its_arrays) else (False,)

        return self.emit(emit_member, segments, into, *arrays)

    def emit_grouped(self, operator: Operator, size: int, into: Columns, groups: int, *arrays: Any) -> Any:
        """Store the elements that ``operator(i, *arrays) -> (keep, group, *values)`` keeps, sorted by group.

        The sort is stable. Returns the (groups + 1,) positions where groups begin, and the end. Like `emit`,
        a backend may put new arrays into ``into``.
        """
        emitted = (operator(i, *arrays) for i in range(size))
        kept = [(int(group), values) for keep, group, *values in emitted if keep]
        kept.sort(key=lambda element: element[0])
        for slot, (_, values) in enumerate(kept):
            _store(into, slot, values)
        begins = np.searchsorted([group for group, _ in kept], np.arange(groups + 1))
        return begins.astype(np.uint64)

    def emit_one_group(self, operator: Operator, size: int, dtypes: Sequence[Any], *arrays: Any) -> list[Any]:
        """Return new columns of the elements that `emit_grouped` stores where all are in one group."""
        into = self.empty_worklist(size, dtypes)
        kept = int(self.emit_grouped(operator, size, into, 1, *arrays)[-1])
        return [column[:kept] for column in into]

    def number(self, member: Operator, size: int, number: Any, begin: int, *arrays: Any) -> int:
        """Number the members in ascending order, starting at ``begin``; return how many there are."""
        members = [i for i in range(size) if member(i, *arrays)]
        number[members] = np.arange(begin, begin + len(members))
        return len(members)

    def flatnonzero(self, flags: Any) -> Any:
        """List the indices of the flags that are set, ascending."""
        return np.flatnonzero(flags)

    # Reduction and scan

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        """Count the i below size with ``member(i, *arrays)``, which is called once for each and may write."""
        return sum(bool(member(i, *arrays)) for i in range(size))

    def sort(self, values: Any) -> None:
        """Sort values in place, ascending."""
        values.sort()

    def argsort(self, values: Any) -> Any:
        """List the positions of the values from the smallest to the largest, and of equal ones in order."""
        return np.argsort(values, kind="stable").astype(np.uint64)

    def exclusive_sum(self, values: Any) -> int:
        """Replace each value by the sum of the values before it, and return the sum of all."""
        sums = values.cumsum(dtype=values.dtype)
        values[:1], values[1:] = 0, sums[:-1]
        return int(sums[-1]) if sums.size else 0

    def segmented_scan(self, combine: Operator, values: Any, starts: Any, *arrays: Any) -> None:
        """Replace each value by the combination of all values from the start of its segment up to it.

        ``combine(a, b, *arrays)`` is associative. A segment starts at the first value and wherever ``starts``
        is set.
        """
        for i in range(1, values.size):
            if not starts[i]:
                values[i] = combine(values[i - 1], values[i], *arrays)


def _store(into: Columns, slot: int, values: list[Any]) -> None:
    for array, value in zip(into, values, strict=False):
        array[slot] = value


def is_set(i, flags):
    """Return flag i."""
    return flags[i]
