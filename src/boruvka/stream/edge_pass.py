"""The pass over all edges: threads read chunks and drop what the filter rules out; a forest gets the rest.

The forest is that of all edges read so far, in memory for the vertices only.
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.memory_pool import release_memory
from boruvka.errors import FileError, FormatError, GraphError
from boruvka.formats.edge_file import EdgeBatch, NamedEdgeBatch
from boruvka.graph.exact import EXACT_UP_TO, common_type, converted, find_conversion_witnesses
from boruvka.graph.graph import Graph
from boruvka.graph.validation import vertex_dtype
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime.progress import ignore
from boruvka.runtime.round_log import RoundLog
from boruvka.stream.bottleneck_filter import BottleneckFilter, DeviceFilter, build_filter
from boruvka.stream.indexed_edges import IndexedEdges, in_order
from boruvka.stream.numbering import Numbering
from boruvka.stream.sources.source import EdgeSource, ReadAhead
from boruvka.trees.minimum_spanning import minimum_spanning_forest

ROW_BITS = 40
"""Bits of the row of an edge in its chunk; above them is the chunk, until all chunks are counted."""


class StreamedForest:
    """Minimum spanning forest of all edges added so far, with a buffer of pending edges.

    A filter lets most edges be dropped before they are added, so few have to be solved: by Kruskal's
    algorithm, which is the fastest where there are few times as many edges as vertices.

    Parameters
    ----------
    n : int
        Number of vertices that are known; it grows with the edges.
    maximum : bool
        Whether the heaviest edge comes first.
    max_pending : callable
        n -> the maximum number of pending edges; when there are so many, they are merged into the forest.
        Raises an error if n vertices do not fit the memory.
    threads : int, optional
        Threads of the solver.
    backend : str
        "threads", or "cuda": the filter and the merges are then on a GPU.

    Attributes
    ----------
    n : int
        Number of vertices.
    forest : IndexedEdges
        The forest, without the pending edges.
    edge_filter : BottleneckFilter or None
        The filter of the forest.
    dtype : numpy.dtype or None
        The common type of all weights that were added, whether their edges were kept or not.
    conversion_witnesses : dict
        The hardest weights to convert of each weight type, including weights of discarded edges.
    round_log : RoundLog
        A round for each merge, with the edges that were solved in it.
    """

    def __init__(
        self,
        n: int,
        maximum: bool,
        max_pending: Callable[[int], int],
        threads: int | None = None,
        backend: str = "threads",
    ):
        self.n, self.max_pending = n, max_pending
        self.dtype: np.dtype[Any] | None = None
        self.conversion_witnesses: dict[np.dtype[Any], Any] = {}
        self.edge_filter: BottleneckFilter | None = None
        self.forest: IndexedEdges | None = None
        self.round_log = RoundLog()
        self.maximum, self._threads, self._backend = maximum, threads, backend
        self._runs: list[IndexedEdges] = []
        self._size, self._most = 0, max_pending(n)

    @property
    def m(self) -> int:
        """Number of edges of the forest, without those that wait."""
        return 0 if self.forest is None else self.forest.m

    def kept(self, stated: np.dtype[Any] | None = None) -> IndexedEdges:
        """Return the edges of the forest; without any, their weights have the type that the source states."""
        if self.forest is not None:
            return self.forest
        return IndexedEdges.none(np.uint32, self.dtype or stated or np.float64)

    @property
    def heaviest(self) -> Any:
        """Weight of the last edge of a forest that spans all vertices, else None: later edges cannot join."""
        forest = self.forest  # threads ask while another one solves
        if forest is None or forest.m < self.n - 1 or not forest.m:
            return None
        return forest.w.min() if self.maximum else forest.w.max()

    def add(self, edges: IndexedEdges, n: int, weights: Any = None) -> bool:
        """Add a run of edges whose ends are below n; return whether the forest was solved.

        The ranges of the indices of all runs are disjoint. ``weights`` are the hardest weights to convert of
        all edges that were read, including discarded ones.

        Raises
        ------
        GraphError, GraphTypeError
            No type holds all weights.
        """
        if n > self.n:
            self.n, self._most = n, self.max_pending(n)
        if weights is not None:
            self._check_weights(weights)
        if edges.m:
            self._runs.append(edges)
            self._size += edges.m
        if self._size < self._most:
            return False
        self.merge_pending()
        return True

    def _check_weights(self, weights: Any) -> None:
        """Check that one type holds all weights, also of edges that were not kept."""
        dtype = weights.dtype
        self.dtype = dtype if self.dtype is None else common_type(self.dtype, dtype)
        if weights.size:
            known = self.conversion_witnesses.get(dtype, weights[:0])
            self.conversion_witnesses[dtype] = find_conversion_witnesses(np.append(known, weights))
        for weights in self.conversion_witnesses.values():
            converted(weights, self.dtype)

    def resume(self, forest: IndexedEdges, n: int) -> None:
        """Begin with the forest of edges that were added in an earlier process."""
        self.n, self._most = max(self.n, n), self.max_pending(max(self.n, n))
        self.forest, self.dtype = forest, forest.w.dtype
        self._build_filter()

    def merge_pending(self, *, needs_filter: bool = True) -> None:
        """Merge the pending edges into the forest; after the last merge no filter is needed."""
        if not self._size:
            if self.forest is not None and self.dtype is not None:
                self.forest = self.forest._replace(w=converted(self.forest.w, self.dtype))
            return
        self.round_log.begin("merge", self.n - self.m, self.m + self._size)
        with self.round_log.step("merge"):
            edges = self._take_all()
            release_memory()
            graph = Graph(self.n, edges.u, edges.v, edges.w)
            found = minimum_spanning_forest(
                graph,
                maximum=self.maximum,
                threads=self._threads,
                backend=self._backend,
                algorithm="kruskal" if self._backend == "threads" else "auto",
                progress=ignore,
            )
            self.forest = edges.take(found.edges)
            del graph, found, edges
            release_memory()
        if needs_filter:
            with self.round_log.step("filter"):
                self._build_filter()

    def _build_filter(self) -> None:
        """Make the filter of the forest."""
        self.edge_filter = None  # the next one needs the memory
        if self.forest is not None:
            self.edge_filter = build_filter(self.forest, self.n, self.maximum)
        if self.edge_filter is not None and self._backend == "cuda":
            self.edge_filter = DeviceFilter.of(self.edge_filter)

    def _take_all(self) -> IndexedEdges:
        """Take the edges of the forest and those that wait, in the order of their indices."""
        runs, self._runs, self._size = self._runs, [], 0
        if self.forest is not None:
            runs.insert(0, self.forest)
            self.forest = None
        dtypes = {run.w.dtype for run in runs} | ({self.dtype} if self.dtype is not None else set())
        dtype, ids = reduce(common_type, dtypes), vertex_dtype(self.n)
        for k, run in enumerate(runs):
            u, v = (ends.astype(ids, copy=False) for ends in (run.u, run.v))
            runs[k] = IndexedEdges(run.indices, u, v, converted(run.w, dtype))
        return in_order(runs)


class PassProgress(NamedTuple):
    """Progress of the pass over a source, by chunk.

    Parameters
    ----------
    rows : (chunks,) array of int64
        Edges of each chunk that were read.
    complete : (chunks,) array of bool
        Whether a chunk has been read completely.
    row_counts : (6,) array of int64
        Counts of the rows that were read, as in `RowCounts`.
    bytes_read : (1,) array of int64
        Bytes of the source that these edges took, without chunks that were skipped by their statistics.
    """

    rows: Any
    complete: Any
    row_counts: Any
    bytes_read: Any

    @classmethod
    def nothing(cls, chunks: int) -> PassProgress:
        """Return the state before the pass."""
        row_counts, bytes_read = np.zeros(len(RowCounts()), np.int64), np.zeros(1, np.int64)
        return cls(np.zeros(chunks, np.int64), np.zeros(chunks, bool), row_counts, bytes_read)


class SurvivingEdges(NamedTuple):
    """Edges that survive the filter, from consecutive rows of one chunk."""

    chunk: int
    edges: IndexedEdges = IndexedEdges.none(np.uint32, np.uint8)
    rows: int = 0
    """Number of rows that were read."""
    largest: int = -1
    """The largest end of the rows."""
    bytes_read: int = 0
    """Bytes of the source that they took, for progress."""
    weights: Any = None
    """The weights of all rows that are hardest to convert to another type; None without rows."""
    ends_chunk: bool = False
    row_counts: RowCounts = RowCounts()


@dataclass
class EdgePass:
    """A pass over all edges of a source, whose chunks are read and filtered on several threads.

    Parameters
    ----------
    source : EdgeSource
        The edges.
    forest : StreamedForest
        Gets the edges.
    numbering : Numbering
        Numbers the vertices, where they have names.
    passed : PassProgress
        The state of the pass, which is updated.
    """

    source: EdgeSource
    forest: StreamedForest
    numbering: Numbering
    passed: PassProgress
    _todo: Iterator[int] = field(init=False)
    """The chunks that no thread has taken yet."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, threads: int, on_batch: Callable[[bool], object] = lambda is_merged: None) -> None:
        """Read all edges that have not been read yet, and merge them into the forest.

        Chunks without statistics are read before all others, in an order that looks random but is always the
        same. The edges read so far are then like those to come, even if weights ascend or descend in the
        file, and the filter drops most edges. Chunks whose lightest edge is known follow, the lightest first.
        The order does not change the forest.

        Parameters
        ----------
        threads : int
            Threads that read at most.
        on_batch : callable
            Called after each batch with whether no edge is pending.

        Raises
        ------
        FormatError
            The types of weights do not go together.
        BoruvkaError
            The source cannot be read.
        """
        source, forest, passed = self.source, self.forest, self.passed
        todo = _light_first(source, np.flatnonzero(~passed.complete).tolist(), forest.maximum)
        self._todo, readers = iter(todo), min(threads, source.readers, len(todo))
        batches = ReadAhead(*(self._batches() for _ in range(readers)), most=2 * readers)
        try:
            for batch in batches:
                passed.rows[batch.chunk] += batch.rows
                passed.complete[batch.chunk] |= batch.ends_chunk
                passed.row_counts[:] += batch.row_counts
                passed.bytes_read[:] += batch.bytes_read
                with _errors_of_weights(source):  # errors of a user's iterator are raised as they are
                    is_merged = forest.add(batch.edges, max(source.n or 0, batch.largest + 1), batch.weights)
                on_batch(is_merged)
        finally:
            batches.close()
            source.close()  # which may wait for its input
            batches.wait()
        with _errors_of_weights(source):
            forest.merge_pending(needs_filter=False)

    def _batches(self) -> Iterator[SurvivingEdges]:
        """Read chunks, each of which one thread takes, until there are none."""
        while (chunk := self._next()) is not None:
            yield from self._read(chunk)

    def _next(self) -> int | None:
        with self._lock:
            return next(self._todo, None)

    def _read(self, chunk: int) -> Iterator[SurvivingEdges]:
        row, seen = 0, int(self.passed.rows[chunk])
        if (rows := self._rows_if_heavy(chunk)) is not None:
            weights = np.empty(0, self.source.dtype(chunk))
            yield SurvivingEdges(chunk, rows=rows - seen, weights=weights, ends_chunk=True)
            return
        for batch in self.source.read(chunk):
            if isinstance(batch, NamedEdgeBatch):
                batch = self.numbering.number(batch, (chunk << ROW_BITS) + row)
            before, row = row, row + batch.w.size
            row_counts = batch.row_counts if before >= seen else RowCounts()
            if row <= seen:  # also where all rows of a batch are left out
                size = batch.size if self.source.is_sequential else 0
                yield SurvivingEdges(chunk, bytes_read=size, row_counts=row_counts)
                continue
            if not self._has_room(batch.largest + 1):  # `StreamedForest.add` raises the error, in its thread
                yield SurvivingEdges(chunk, largest=batch.largest, bytes_read=batch.size)
                return
            new = batch.after(max(seen - before, 0))
            with _errors_of_weights(self.source):
                edges = surviving((chunk << ROW_BITS) + max(before, seen), new, self.forest.edge_filter)
            witnesses = find_conversion_witnesses(new.w)
            yield SurvivingEdges(
                chunk,
                edges,
                rows=new.w.size,
                largest=batch.largest,
                bytes_read=batch.size,
                weights=witnesses,
                row_counts=row_counts,
            )
        yield SurvivingEdges(chunk, ends_chunk=True)

    def _has_room(self, n: int) -> bool:
        """Return whether n vertices fit the memory."""
        try:
            if n > self.forest.n:
                self.forest.max_pending(n)
        except FileError:
            return False
        return True

    def _rows_if_heavy(self, chunk: int) -> int | None:
        """Count the edges of a chunk if all are heavier than a forest that spans all vertices; else None.

        This needs a stated number of vertices: otherwise an edge that is not read could have a new vertex.
        """
        heaviest = self.forest.heaviest if self.source.n is not None else None
        bounds = None if heaviest is None else self.source.bounds(chunk)
        if bounds is None:
            return None
        rows, low, high = bounds
        is_as_all = self.source.dtype(chunk) == self.source.weight_type
        if not is_as_all and not 0 <= low <= high < EXACT_UP_TO:
            return None  # a weight may be one that the common type does not hold
        return rows if (high < heaviest if self.forest.maximum else low > heaviest) else None


@contextmanager
def _errors_of_weights(source: EdgeSource) -> Iterator[None]:
    """Let errors about the types of weights name the source."""
    try:
        yield
    except GraphError as error:
        raise FormatError(f"{source.name}: {error}") from None


def numbered(edges: IndexedEdges, rows: Any) -> IndexedEdges:
    """Number edges as in the whole graph, once the edges of all chunks are counted."""
    first = np.cumsum(rows) - rows
    indices = first[edges.indices >> ROW_BITS] + (edges.indices & ((1 << ROW_BITS) - 1))
    return edges._replace(indices=indices)


def surviving(first: int, rows: EdgeBatch, edge_filter: BottleneckFilter | None) -> IndexedEdges:
    """Return the edges that a filter lets pass; the index of the first edge is given."""
    u, v, w = rows.u, rows.v, rows.w
    if edge_filter is not None and common_type(w.dtype, edge_filter.dtype) == edge_filter.dtype:
        w = converted(w, edge_filter.dtype)
    if edge_filter is None or w.dtype != edge_filter.dtype:
        return IndexedEdges(np.arange(first, first + w.size), u, v, w)
    positions = edge_filter.surviving(first, u, v, w, rows.largest + 1)
    return IndexedEdges(first + positions.astype(np.int64), u[positions], v[positions], w[positions])


def _light_first(source: EdgeSource, chunks: list[int], maximum: bool) -> list[int]:
    """Sort chunks by their lightest edge; chunks without statistics come first, in random order."""
    random.Random(source.chunks).shuffle(chunks)
    bounds = {chunk: source.bounds(chunk) for chunk in chunks}
    lightest = {c: (-b[2] if maximum else b[1]) for c, b in bounds.items() if b is not None}
    return sorted(chunks, key=lambda chunk: lightest.get(chunk, -math.inf))
