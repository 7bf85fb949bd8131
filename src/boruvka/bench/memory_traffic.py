"""How many bytes each step of an algorithm reads and writes.

Idea: every launch of an operator is run twice. First on a sample of its elements, as the plain Python it
is, over arrays that count what is read and written and keep what is written to themselves; the mean,
times the number of elements, is the traffic of the launch. Then as ever, so that the algorithm goes on.

Bytes are those that the operator names: a look at 4 bytes counts 4, though memory moves whole cache
lines; a value that stays in a cache counts each time it is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import algorithm_for
from boruvka.backends import Backend, get_backend
from boruvka.backends.protocol import Operator, Segments, WorkList, positions_in, size_of
from boruvka.forest.round_log import RoundLog
from boruvka.graph.graph import Graph

__all__ = ["Observed", "bytes_of_steps"]

SAMPLE = 200
"""Elements of a launch that are looked at."""


def bytes_of_steps(graph: Graph, algorithm: str = "auto") -> list[dict[str, float]]:
    """Count the bytes of each step of each round, on one thread.

    Parameters
    ----------
    graph : Graph
    algorithm : str
        As for `minimum_spanning_forest`.

    Returns
    -------
    list of dict of str to float
        For each round the bytes that its steps read and write, estimated from samples.
    """
    round_log = Steps()
    backend = Observed(get_backend("threads", 1), round_log)
    with np.errstate(all="ignore"):  # in unsigned numbers, which wrap around on purpose
        algorithm_for(algorithm, graph).run(EdgeList.of(graph, False, backend), backend, round_log)
    return round_log.bytes


class Steps(RoundLog):
    """A round_log that knows the present step, and adds up its bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: list[dict[str, float]] = []
        self._step: str | None = None

    def begin(self, phase: str, components: int, edges: int) -> None:
        """Begin a round."""
        super().begin(phase, components, edges)
        self.bytes.append({})

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what happens in the block for a step."""
        self._step = name
        try:
            with super().step(name):
                yield
        finally:
            self._step = None

    def add(self, count: float) -> None:
        """Add bytes to the present step; what is done outside of steps is not counted."""
        if self._step is not None:
            round_ = self.bytes[-1]
            round_[self._step] = round_.get(self._step, 0.0) + count


class Observed:
    """A backend that counts bytes, and lets another one do the work.

    Parameters
    ----------
    backend : Backend
        The other one.
    round_log : Steps
        Where bytes are added up.
    """

    def __init__(self, backend: Backend, round_log: Steps):
        self._backend, self._journal = backend, round_log
        self._random = np.random.default_rng(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        """Count and run."""
        self._look(operator, where, arrays)
        self._backend.for_each(operator, where, *arrays)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        """Count and run."""
        self._look(operator, begins.size - 1, (begins, *arrays))
        self._backend.for_each_row(operator, begins, *arrays)

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        """Count and run; what is kept is written."""
        self._look(operator, segments, arrays)
        kept = self._backend.emit(operator, segments, into, *arrays)
        self._journal.add(size_of(kept) * _width(into))
        return kept

    def for_each_block(
        self, operator: Operator, blocks: int, local: Sequence[tuple[int, Any]], *arrays: Any
    ) -> None:
        """Count in one block, for it is much work, and run."""
        own = (self._backend.empty(*array) for array in local)
        self._look(operator, blocks, (*own, *arrays), sample=1)
        self._backend.for_each_block(operator, blocks, local, *arrays)

    def filter_emit(
        self,
        member: Operator,
        of: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        """Count and run; the few that are kept are read and written."""
        self._look(member, segments, of)
        kept = self._backend.filter_emit(member, of, operator, segments, into, *arrays)
        self._journal.add(size_of(kept) * 2 * _width(into))
        return kept

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        """Count and run; first no minimum is known."""
        self._journal.add(size * into.itemsize)
        self._look(operator, segments, (*arrays, into[:size]))
        self._backend.scatter_min(operator, segments, into, size, *arrays)

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        """Count and run; a first pass counts the groups."""
        self._look(operator, size, arrays, passes=2)
        begins = self._backend.emit_grouped(operator, size, into, groups, *arrays)
        self._journal.add(int(begins[-1]) * _width(into))
        return begins

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        """Count and run."""
        self._look(member, size, arrays)
        return self._backend.count(member, size, *arrays)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        """Count and run."""
        self._look(operator, size, arrays)
        self._backend.for_each_in_order(operator, size, *arrays)

    def exclusive_sum(self, values: NDArray[Any]) -> int:
        """Count and run; each value is read and written."""
        self._journal.add(2 * values.nbytes)
        return self._backend.exclusive_sum(values)

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        """Count and run; each value is read twice, and written."""
        self._journal.add(3 * values.nbytes + starts.nbytes)
        if values.size > 1:
            self._look(
                lambda i, values, *arrays: combine(values[i], values[i + 1], *arrays),
                values.size - 1,
                (values, *arrays),
            )
        self._backend.segmented_scan(combine, values, starts, *arrays)

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        """Count and run; the number of each member is written."""
        self._look(member, size, arrays)
        found = self._backend.number(member, size, number, begin, *arrays)
        self._journal.add(found * number.itemsize)
        return found

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        """Count and run."""
        found = self._backend.flatnonzero(flags)
        self._journal.add(flags.nbytes + found.nbytes)
        return found

    def _look(
        self,
        operator: Operator,
        where: int | Segments,
        arrays: tuple[Any, ...],
        passes: int = 1,
        sample: int = SAMPLE,
    ) -> None:
        """Run an operator on a sample of elements, and add what all would read and write."""
        segments = [(np.uint64(0), np.uint64(where))] if isinstance(where, int) else where
        size = size_of(segments)
        if not size:
            return
        counted: dict[int, _Counted] = {}
        arguments = [_with_counters(x, counted) for x in arrays]
        positions = np.arange(size) if size <= sample else self._random.integers(0, size, sample)
        elements = positions_in(segments, positions).tolist()
        for i in elements:
            operator(i, *arguments)
        total = sum(array.bytes for array in counted.values())
        self._journal.add(passes * total * size / len(elements))


def _with_counters(x: Any, counted: dict[int, _Counted]) -> Any:
    """Replace each array, also in tuples, by one that counts; the same array by the same one."""
    if isinstance(x, np.ndarray):
        return counted.setdefault(id(x), _Counted(x))
    if isinstance(x, tuple):
        items = [_with_counters(item, counted) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    return x


def _width(into: WorkList) -> int:
    return sum(array.itemsize for array in into)


class _Counted:
    """An array that counts the bytes read and written, and is never changed."""

    def __init__(self, array: NDArray[Any]):
        self._array, self._written = array, dict[int, Any]()
        self.size, self.dtype, self.bytes = array.size, array.dtype, 0

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, i: Any) -> Any:
        value = self._array[i]  # of a matrix, one entry or a row
        self.bytes += value.nbytes
        return self._written.get(int(i), value) if self._written else value

    def __setitem__(self, i: Any, value: Any) -> None:
        self.bytes += self._array.itemsize
        self._written[int(i)] = self.dtype.type(value)
