"""Memory traffic: the bytes that each step of an algorithm reads and writes.

Every launch of an operator runs twice. The first time it runs on a sample of its elements, as plain Python,
over arrays that count bytes and write to private copies; the mean, times the number of elements, is the
traffic of the launch. The second time the real backend runs it, and the algorithm goes on.

The bytes are those that the operator accesses: a read of 4 bytes counts 4, though memory moves whole cache
lines; a value that stays in a cache counts each time it is read.
"""
# ruff: noqa: D102 -- the backend protocol documents the methods

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import algorithm_for
from boruvka.backends import Backend, get_backend
from boruvka.backends.protocol import Operator, Segments, WorkList, positions_in, size_of
from boruvka.forest.round_log import RoundLog
from boruvka.graph.graph import Graph

__all__ = ["TrafficBackend", "TrafficLog", "bytes_of_steps"]

SAMPLE = 200
"""Number of elements sampled per launch."""
LAUNCHES = {"for_each": 0, "for_each_in_order": 0, "count": 0, "emit": 1, "number": 2, "emit_grouped": 2}
"""Primitives ``(operator, where, *others)``: how many of the others are not passed on to the operator."""


def bytes_of_steps(graph: Graph, algorithm: str = "auto") -> list[dict[str, float]]:
    """Estimate the bytes of each step of each round, on one thread.

    Parameters
    ----------
    graph : Graph
    algorithm : str
        As for `minimum_spanning_forest`.

    Returns
    -------
    list of dict of str to float
        For each round the bytes that its steps read and write.
    """
    log = TrafficLog()
    backend = TrafficBackend(get_backend("threads", 1), log)
    with np.errstate(all="ignore"):  # unsigned numbers wrap around on purpose
        algorithm_for(algorithm, graph).run(EdgeList.of(graph, False, backend), backend, log)
    return log.bytes


class TrafficLog(RoundLog):
    """A round log that adds up the bytes of the current step."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: list[dict[str, float]] = []
        self._step: str | None = None

    def begin(self, phase: str, components: int, edges: int) -> None:
        super().begin(phase, components, edges)
        self.bytes.append({})

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self._step = name
        try:
            with super().step(name):
                yield
        finally:
            self._step = None

    def add(self, count: float) -> None:
        """Add bytes to the current step; outside of steps nothing is counted."""
        if self._step is not None:
            round_ = self.bytes[-1]
            round_[self._step] = round_.get(self._step, 0.0) + count


class TrafficBackend:
    """A backend that counts bytes, and runs operators on another one.

    Parameters
    ----------
    backend : Backend
        The backend that runs the operators.
    log : TrafficLog
        Where bytes are added up.
    """

    def __init__(self, backend: Backend, log: TrafficLog):
        self._backend, self._log = backend, log
        self._random = np.random.default_rng(0)

    def __getattr__(self, name: str) -> Any:
        primitive = getattr(self._backend, name)
        return partial(self._launch, name, primitive) if name in LAUNCHES else primitive

    def _launch(
        self, name: str, primitive: Callable[..., Any], operator: Operator, where: Any, *others: Any
    ) -> Any:
        """Sample the operator, run the primitive, and count the elements that the primitive itself writes."""
        passes = 2 if name == "emit_grouped" else 1  # the first counts the groups
        self._sample(operator, where, others[LAUNCHES[name] :], passes)
        result = primitive(operator, where, *others)
        if name == "emit":
            self._log.add(size_of(result) * _width(others[0]))
        elif name == "emit_grouped":
            self._log.add(int(result[-1]) * _width(others[0]))
        elif name == "number":
            self._log.add(result * others[0].itemsize)
        return result

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        self._sample(operator, begins.size - 1, (begins, *arrays))
        self._backend.for_each_row(operator, begins, *arrays)

    def for_each_block(
        self,
        operator: Operator,
        blocks: int,
        local: Sequence[tuple[int, Any]],
        *arrays: Any,
        shared: bool = False,
    ) -> None:
        own = (self._backend.empty(*array) for array in local)
        self._sample(operator, blocks, (*own, *arrays), most=1)  # one block is much work
        self._backend.for_each_block(operator, blocks, local, *arrays, shared=shared)

    def filter_emit(
        self,
        member: Operator,
        of: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        self._sample(member, segments, of)
        kept = self._backend.filter_emit(member, of, operator, segments, into, *arrays)
        self._log.add(size_of(kept) * 2 * _width(into))  # the few elements that are kept are read and written
        return kept

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        self._log.add(size * into.itemsize)  # clears the minima
        self._sample(operator, segments, (*arrays, into[:size]))
        self._backend.scatter_min(operator, segments, into, size, *arrays)

    def sort(self, values: NDArray[Any]) -> None:
        self._log.add(2 * values.nbytes)  # at least one read and one write
        self._backend.sort(values)

    def argsort(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        self._log.add(2 * values.nbytes)
        return self._backend.argsort(values)

    def exclusive_sum(self, values: NDArray[Any]) -> int:
        self._log.add(2 * values.nbytes)
        return self._backend.exclusive_sum(values)

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        self._log.add(3 * values.nbytes + starts.nbytes)  # each value is read twice and written once

        def neighbours(i: int, values: Any, *arrays: Any) -> Any:
            return combine(values[i], values[i + 1], *arrays)

        self._sample(neighbours, max(0, values.size - 1), (values, *arrays))
        self._backend.segmented_scan(combine, values, starts, *arrays)

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        found = self._backend.flatnonzero(flags)
        self._log.add(flags.nbytes + found.nbytes)
        return found

    def _sample(
        self,
        operator: Operator,
        where: int | Segments,
        arrays: tuple[Any, ...],
        passes: int = 1,
        most: int = SAMPLE,
    ) -> None:
        """Run an operator on a sample of elements, and add the bytes for all elements by extrapolation."""
        segments = [(np.uint64(0), np.uint64(where))] if isinstance(where, int) else where
        size = size_of(segments)
        if not size:
            return
        counted: dict[int, _Counted] = {}
        arguments = [_with_counters(x, counted) for x in arrays]
        positions = np.arange(size) if size <= most else self._random.integers(0, size, most)
        elements = positions_in(segments, positions).tolist()
        for i in elements:
            operator(i, *arguments)
        total = sum(array.bytes for array in counted.values())
        self._log.add(passes * total * size / len(elements))


def _with_counters(x: Any, counted: dict[int, _Counted]) -> Any:
    """Replace each array, also in tuples, by a counting one; the same array always by the same one."""
    if isinstance(x, np.ndarray):
        return counted.setdefault(id(x), _Counted(x))
    if isinstance(x, tuple):
        items = [_with_counters(item, counted) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    return x


def _width(into: WorkList) -> int:
    return sum(array.itemsize for array in into)


class _Counted:
    """A view of an array that counts bytes; writes, also those to a row, go to a private copy."""

    def __init__(self, array: NDArray[Any]):
        self._array, self._written, self._rows = array, dict[int, Any](), dict[int, _Counted]()
        self.size, self.dtype, self._bytes = array.size, array.dtype, 0

    @property
    def bytes(self) -> int:
        """Bytes that were read and written."""
        return self._bytes + sum(row.bytes for row in self._rows.values())

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, i: Any) -> Any:
        value = self._array[i]
        if value.ndim:
            return self._rows.setdefault(int(i), _Counted(value))
        self._bytes += value.nbytes
        return self._written.get(int(i), value) if self._written else value

    def __setitem__(self, i: Any, value: Any) -> None:
        self._bytes += self._array.itemsize
        self._written[int(i)] = self.dtype.type(value)
