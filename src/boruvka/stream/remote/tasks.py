"""The tasks that workers run on a part of the edges, and the interface of an engine that runs them.

Tasks are pure functions, so that an engine may repeat them.

Two passes follow the survey. The first returns the light edges. The second returns the other edges that the
filter made from the forest of the light edges lets pass: see `boruvka.stream.bottleneck_filter`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import BackendError, BoruvkaError, GraphError
from boruvka.graph.columns import map_arrays
from boruvka.graph.exact import common_type
from boruvka.interop.missing_values import RowCounts
from boruvka.operators.counter_rng import sample_below
from boruvka.runtime.libraries import pa
from boruvka.stream.bottleneck_filter import BottleneckFilter
from boruvka.stream.edge_pass import ROW_BITS
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.remote.reading import ColumnNames, Digest, Read, Reading, read_edges

SAMPLED = 64
"""One in this many edges of a batch is in the sample of weights."""


Task = Callable[[int, Read, Any], Any]
"""A pure function of the number of a part, its reader, and an argument that is the same for all parts."""


class Engine(ABC):
    """A system that runs tasks where the parts of the edges are."""

    name: str
    parts: int
    """Number of parts, as far as it is known."""

    @abstractmethod
    def map(self, task: Task, shared: Any) -> Iterator[tuple[int, Any]]:
        """Run a task for each part, again if its worker is lost; yield part number and result, in any order.

        A part without edges may be left out. Errors of this package are results: see `run_task`.
        """

    @abstractmethod
    def collect_names(self, shared: Any) -> pa.Table:
        """Run `boruvka.stream.remote.names.names_of_part` for each part, and merge the tables by `merged`."""


class SurveyRequest(NamedTuple):
    """The arguments of a survey."""

    columns: ColumnNames
    sample: int
    """The largest number of edges of a part in the sample."""
    largest: int | None
    """The largest id, if it is known; then ids are numbers, and the survey does not read them."""


class Survey(NamedTuple):
    """Facts about a part that are needed before its edges are selected."""

    rows: int
    dtype: np.dtype[Any]
    """The common type of the weights."""
    has_names: bool
    """Whether ids are not integers."""
    smallest: int
    """The smallest id, if ids are integers."""
    largest: int
    """The largest id, if ids are integers; otherwise, or without edges, -1."""
    w: NDArray[Any]
    """The weights of a sample of the edges."""
    indices: NDArray[np.int64]
    """Their indices."""
    digest: int
    """The checksum of the edges."""
    row_counts: RowCounts
    """Counts of rows that a warning is about."""


class Pivot(NamedTuple):
    """The last of the light edges in the order (weight, index)."""

    w: Any
    edge_index: int


class EdgeRequest(NamedTuple):
    """The edges that the driver requests."""

    reading: Reading
    pivot: Pivot | None
    """The last light edge; None if all edges are light."""
    edge_filter: BottleneckFilter | None
    """If None, the light edges are requested; otherwise the other edges that the filter lets pass."""


class Selected(NamedTuple):
    """The requested edges of a part, ascending by index."""

    edges: IndexedEdges
    """Without an index column, their indices are rows of the part, in the narrowest type that holds them."""
    digest: int


def run_task(task: Task, part: int, read: Read, shared: Any) -> Any:
    """Run a task on a worker; return its result, or an error of this package, which repeating cannot fix."""
    try:
        return task(part, read, aligned(shared))
    except BoruvkaError as error:
        return error


def workers_ended(system: str, memory: str, tasks: str) -> BackendError:
    """Make the error for workers that end again and again, with what sets their memory and their tasks."""
    return BackendError(
        f"workers of {system} ended before their tasks did, probably for want of memory: give each of them "
        f"more ({memory}), let fewer tasks run at once ({tasks}), or make the parts smaller (more partitions "
        "of a frame, or row groups of at most a million edges)"
    )


def aligned(value: Any) -> Any:
    """Copy the arrays in a tuple that are not aligned: Dask leaves arrays in the buffer that it received."""
    return map_arrays(partial(np.require, requirements="A"), value)


def survey(part: int, read: Read, request: SurveyRequest) -> Survey | None:
    """Count the edges of a part, and draw a sample of their weights; None without batches."""
    columns, rows, dtype = request.columns, 0, None
    digest = Digest(columns.is_stable)
    smallest, largest, has_names = 0, -1 if request.largest is None else request.largest, False
    samples: list[tuple[NDArray[Any], NDArray[np.int64]]] = []
    has_ends = request.largest is None
    for where, ends, index, u, v, w in read_edges(part, read, columns, digest, has_ends):
        if has_ends:
            integers = {column.dtype.is_integer() for column in ends}
            if len(integers) == 2:
                raise GraphError(
                    f"{where}: columns {columns.u!r} and {columns.v!r} hold ids of different types"
                )
            has_names |= False in integers
            if True in integers and w.size:
                smallest = min(smallest, int(u.min()), int(v.min()))
                largest = max(largest, int(u.max()), int(v.max()))
        positions = sample_below(w.size, -(-w.size // SAMPLED)) if w.size else np.empty(0, np.int64)
        samples.append((w[positions], index[positions]))
        dtype = w.dtype if dtype is None else common_type(dtype, w.dtype)
        rows += w.size
    if dtype is None:
        return None
    step = max(1, sum(index.size for _, index in samples) // request.sample)
    w = np.concatenate([some.astype(dtype) for some, _ in samples])[::step]
    index = np.concatenate([some for _, some in samples])[::step]
    ids = has_names, smallest, largest
    return Survey(rows, dtype, *ids, w, index, digest.value, digest.row_counts)


def select(part: int, read: Read, request: EdgeRequest) -> Selected:
    """Return the requested edges of a part; loops are left out, as they are in no forest."""
    reading, found = request.reading, []
    digest = Digest(reading.columns.is_stable)
    has_index = reading.columns.edge_index is not None
    for edges in reading.edges(part, read, digest):
        positions: NDArray[Any]
        if request.edge_filter is None:
            positions = np.flatnonzero(_is_light(edges, request) & (edges.u != edges.v))
        else:
            positions = request.edge_filter.surviving(*edges)
            positions = positions[~_is_light(edges.take(positions), request)]
        found.append(edges.take(positions))
    if not found:
        return Selected(IndexedEdges.none(np.uint32, reading.dtype), digest.value)
    joined = IndexedEdges(*(np.concatenate(column) for column in zip(*found, strict=True)))
    if has_index:
        joined = joined.take(np.argsort(joined.indices, kind="stable"))
    else:
        rows = joined.indices - (part << ROW_BITS)
        few = not rows.size or rows[-1] < 2**32
        joined = joined._replace(indices=rows.astype(np.uint32) if few else rows)
    return Selected(joined, digest.value)


def _is_light(edges: IndexedEdges, request: EdgeRequest) -> NDArray[np.bool_]:
    """Return which edges are not after the pivot."""
    pivot = request.pivot
    if pivot is None:
        return np.ones(edges.m, bool)
    before = edges.w > pivot.w if request.reading.maximum else edges.w < pivot.w
    return before | ((edges.w == pivot.w) & (edges.indices <= pivot.edge_index))
