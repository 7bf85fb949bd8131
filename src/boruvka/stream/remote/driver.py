"""The minimum spanning forest of edges that workers hold: the driver's part.

Idea: the forest of the lightest edges, about two for each vertex, already connects most vertices. From this
forest the driver builds a filter of one byte per vertex, with which workers discard nearly all other edges
instead of sending them. The driver solves the edges that the filter lets pass together with the forest.

Source: the filter of V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal Minimum Spanning Tree Algorithm,
ALENEX 2009, section 3; for the filter see `boruvka.stream.bottleneck_filter`.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from boruvka.errors import BoruvkaError, GraphError, GraphTypeError, OptionError, first_true
from boruvka.graph.exact import check_float_types, common_type, converted
from boruvka.graph.validation import vertex_count
from boruvka.interop.column_names import warn_of_similarities
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import pa, pl
from boruvka.runtime.round_log import SolveRecord
from boruvka.stream.edge_pass import ROW_BITS, StreamedForest, numbered
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.remote import tasks
from boruvka.stream.remote.names import NamesRequest, names_in_order
from boruvka.stream.remote.reading import ColumnNames, Reading
from boruvka.stream.streamed_graph import StreamedGraph, warn_of_streamed_ids
from boruvka.trees.forest import Forest

LIGHT_PER_VERTEX = 2.0
"""Light edges for each vertex."""
TWO_PASSES_PAY_AT = 3.0
"""From this many edges per vertex on, light edges are fetched first; with fewer, all edges at once."""
PENDING_PER_VERTEX, FEWEST_PENDING = 4, 1 << 18
"""Edges that the driver collects before it solves them with the forest: per vertex, and at least."""
SAMPLE, SAMPLE_OF_PART = 1 << 20, 64
"""Size of the sample of weights: at most this many edges of all parts, but at least this many of each."""


class Solved(NamedTuple):
    """A forest, and the bytes that were moved to find it."""

    forest: Forest
    """Its vertices have numbers."""
    names: pa.Array | None
    """The name of each vertex."""
    received: int
    """Bytes of edges that workers sent to the driver."""
    sent: int
    """Bytes that the driver sent to each worker."""


def minimum_spanning_forest(
    engine: tasks.Engine,
    columns: ColumnNames,
    *,
    maximum: bool = False,
    n: int | None = None,
    names: bool | None = None,
    largest: int | None = None,
    first_id: int = 0,
) -> Solved:
    """Find the minimum spanning forest of the edges of all parts.

    Parameters
    ----------
    engine : Engine
        The system that runs tasks.
    columns : ColumnNames
        The columns of edges.
    maximum : bool
        Find a maximum spanning forest instead.
    n : int, optional
        Number of vertices, if ids are numbers.
    names : bool, optional
        Whether integers are names, too.
    largest : int, optional
        The largest id, if it is known that all are numbers from 0.
    first_id : int
        The id of the first vertex in the input, if ids are numbers; those of the parts begin at 0.

    Raises
    ------
    GraphError, GraphTypeError, FormatError
        The values do not make a graph, or rows changed while they were read.
    """
    begin = time.perf_counter()
    sample = max(SAMPLE // max(engine.parts, 1), SAMPLE_OF_PART)
    found = dict(_results(engine, tasks.survey, tasks.SurveyRequest(columns, sample, largest)))
    surveys = {part: found[part] for part in sorted(found) if found[part] is not None}
    m = sum(one.rows for one in surveys.values())
    sum((one.row_counts for one in surveys.values()), RowCounts()).warn(m, columns.costs)
    warn_of_similarities(columns.w, bool(maximum))
    check_float_types((one.dtype, f"partition {part}") for part, one in surveys.items() if one.rows)
    dtype = reduce(common_type, {one.dtype for one in surveys.values()} or {np.dtype(np.float64)})
    largest = max((one.largest for one in surveys.values()), default=-1)
    known = None
    if _has_names(surveys.values(), n, names):
        are_integers = not any(one.has_names for one in surveys.values())
        table = engine.collect_names(NamesRequest(columns, are_integers))
        known, digest = names_in_order(table, largest)
        _check_digest(digest, surveys)
        vertices = len(known.names)
    else:
        vertices = vertex_count(n, largest)
        if largest >= vertices:
            raise GraphError(f"{largest} is not a vertex: the graph has n = {n} vertices, from 0")
    reading = Reading(columns, bool(maximum), dtype, None if known is None else known.keys)
    driver = _Driver(engine, reading, surveys, vertices)
    pivot = _pivot(surveys.values(), dtype, bool(maximum), vertices, m)
    driver.ask(tasks.EdgeRequest(reading, pivot, None))
    if pivot is not None:
        driver.growing.merge_pending()
        edge_filter = driver.growing.edge_filter  # None if there were only loops: then all edges are fetched
        driver.ask(tasks.EdgeRequest(reading, pivot if edge_filter else None, edge_filter))
    kept = driver.finish()
    if known is not None:
        kept = kept._replace(u=known.of_key[kept.u], v=known.of_key[kept.v])
    record = SolveRecord("kruskal", engine.name, seconds=time.perf_counter() - begin)
    name, first_id = f"the edges on {engine.name.capitalize()}", first_id if known is None else 0
    graph = StreamedGraph(vertices, m, kept, name, first_id=first_id)
    columns_of_names = None if known is None else [pl.Series(pl.from_arrow(known.names))]
    warn_of_streamed_ids(graph, columns_of_names, are_stated=n is not None)
    forest = Forest(graph, kept.indices, bool(maximum), record=record, _is_optimal=True)
    return Solved(forest, None if known is None else known.names, driver.received, driver.sent)


class _Driver:
    """Requests edges from all parts, and updates a forest with one answer after the other."""

    def __init__(self, engine: tasks.Engine, reading: Reading, surveys: dict[int, tasks.Survey], n: int):
        self.received = self.sent = 0
        self._engine, self._surveys, self._dtype = engine, surveys, reading.dtype
        self._has_index = reading.columns.edge_index is not None
        pending = max(PENDING_PER_VERTEX * n, FEWEST_PENDING)
        self.growing = StreamedForest(n, reading.maximum, lambda _: pending)

    def ask(self, request: tasks.EdgeRequest) -> None:
        """Send a request to all parts, and add the edges that they return.

        Raises
        ------
        GraphError
            The rows differ from the rows of the survey, or are in another order.
        """
        self.sent = max(self.sent, _bytes_of(request))
        digest = 0
        for part, found in _results(self._engine, tasks.select, request):
            digest += found.digest
            self.received += sum(column.nbytes for column in found.edges)
            index = found.edges.indices.astype(np.int64)
            edges = found.edges._replace(indices=index if self._has_index else index + (part << ROW_BITS))
            self.growing.add(edges, self.growing.n, np.empty(0, self._dtype))
        _check_digest(digest, self._surveys)

    def finish(self) -> IndexedEdges:
        """Return the forest, with its edges numbered by their rows in all parts or by their index column."""
        self.growing.merge_pending(needs_filter=False)
        forest = self.growing.forest
        if forest is None:
            return IndexedEdges.none(np.uint32, self._dtype)
        if not self._has_index:
            rows = np.zeros(max(self._surveys) + 1, np.int64)
            rows[list(self._surveys)] = [found.rows for found in self._surveys.values()]
            return numbered(forest, rows)
        if (twice := first_true(forest.indices[1:] == forest.indices[:-1])) is not None:
            raise GraphError(f"two edges have the index {forest.indices[twice]}: indices must be unique")
        return forest


def _results(engine: tasks.Engine, task: tasks.Task, shared: Any) -> Iterator[tuple[int, Any]]:
    """Run a task for all parts; if one returns an error, raise it."""
    for part, result in engine.map(task, shared):
        if isinstance(result, BoruvkaError):
            raise result
        yield part, tasks.aligned(result)


def _check_digest(digest: int, surveys: Mapping[int, tasks.Survey]) -> None:
    """Raise an error if the checksums of a pass and of the survey have different sums."""
    if (digest - sum(found.digest for found in surveys.values())) % (1 << 64):
        raise GraphError(
            "the rows changed, or came in another order, when they were read again: write the frame to files "
            "and read these; if only the order changes, name a column of unique integers as index"
        )


def _has_names(surveys: Collection[tasks.Survey], n: int | None, names: bool | None) -> bool:
    """Return whether the ids are names and not numbers of vertices.

    Raises
    ------
    GraphError, GraphTypeError
        The ids contradict ``n`` or ``names``, or their columns differ in type.
    """
    kinds = {found.has_names for found in surveys}
    smallest = min((found.smallest for found in surveys), default=0)
    largest = max((found.largest for found in surveys), default=-1)
    if len(kinds) > 1 or (smallest < 0 and largest >= 2**63):
        raise GraphTypeError("some parts have ids of another type than others: write all of them as texts")
    if kinds == {True} and names is False:
        raise GraphError(f"ids that are not integers are names: leave out {argument('names', False)}")
    has_names = bool(names) or kinds == {True}
    if has_names and n is not None:
        raise OptionError("n is the number of vertices that are numbered from 0, but these ids are names")
    if not has_names and (smallest < 0 or largest >= 2**32):
        raise GraphError(
            f"{smallest if smallest < 0 else largest} is not a vertex: vertices are numbered from 0 to at "
            f"most 2**32 - 1; pass {argument('names', True)} if ids are names"
        )
    return has_names


def _pivot(
    surveys: Collection[tasks.Survey], dtype: np.dtype[Any], maximum: bool, vertices: int, m: int
) -> tasks.Pivot | None:
    """Estimate the last of the light edges from the sample; None if a pass for light edges does not pay."""
    if not m or m < TWO_PASSES_PAY_AT * vertices:
        return None
    w = np.concatenate([converted(found.w, dtype) for found in surveys])
    index = np.concatenate([found.indices for found in surveys])
    stands_for = np.concatenate(
        [np.full(found.w.size, found.rows / max(found.w.size, 1)) for found in surveys]
    )
    order = np.lexsort((~index, w))[::-1] if maximum else np.lexsort((index, w))
    last = np.searchsorted(np.cumsum(stands_for[order]), LIGHT_PER_VERTEX * vertices)
    position = order[min(int(last), order.size - 1)]
    return tasks.Pivot(w[position], int(index[position]))


def _bytes_of(request: tasks.EdgeRequest) -> int:
    arrays = [request.reading.keys, *(request.edge_filter or ())]
    return sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
