"""Verification of a forest in memory against streamed edges, independent of the solvers.

`boruvka.verification.verify` states the property: each edge outside the forest comes after the heaviest edge
on the path between its ends. Edges pass in the order of their indices, and each edge of the forest is
compared with the edge that the source has at its index.
"""

from __future__ import annotations

from contextlib import closing
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, first_true, shown
from boruvka.formats.edge_file import EdgeBatch, NamedEdgeBatch
from boruvka.formats.edge_table import TABLE_BATCHES, EdgeTable, ReadOptions, implied_n
from boruvka.formats.name_columns import name_lookup
from boruvka.graph.exact import common_type, converted
from boruvka.graph.names import ends_text
from boruvka.kernels.team import map_parts
from boruvka.runtime.arguments import argument, flag
from boruvka.runtime.libraries import require
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import Listener, listening, report
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.memory import MemoryBudget, parse_memory
from boruvka.stream.numbering import Numbering
from boruvka.stream.sources.open import open_source
from boruvka.stream.sources.source import EdgeSource
from boruvka.trees.acyclic_edges import AcyclicEdges
from boruvka.verification import verify as results
from boruvka.verification.edges import RANGE, SAMPLE, EdgeChecker
from boruvka.verification.merge_trees import MergeTrees, merge_trees
from boruvka.verification.verify import Verification, is_forest


def verify(
    source: Any,
    /,
    forest: AcyclicEdges | EdgeTable,
    *,
    memory: int | str | None = None,
    maximum: bool | None = None,
    threads: int | None = None,
    progress: bool | Listener = False,
    **read_options: Unpack[ReadOptions],
) -> Verification:
    """Verify that a forest is the minimum spanning forest of a graph whose edges do not fit the memory.

    All edges are read once, in order. In memory is the forest, about 80 bytes a vertex.

    Parameters
    ----------
    source : object
        The edges, as for `boruvka.stream.minimum_spanning_forest`.
    forest : Forest, or the table that `boruvka.formats.read_forest_edges` returns
        The forest: indices, ends and weights of its edges. Edges that `Forest.update` has removed, or that
        were excluded, do not count.
    memory : int or str, optional
        Memory limit of the whole process, in bytes or as "2G"; by default the memory that the forest needs.
    maximum : bool, optional
        Verify a maximum spanning forest; by default what the forest claims to be, else False.
    threads : int, optional
        Number of threads; by default one for each core.
    progress : bool or callable
        True shows a progress bar, on a terminal or in a notebook, after half a second. A callable receives
        each `Progress` event in this thread; an exception that it raises stops the work.
    **read_options
        How to read a file, as for `boruvka.read`.

    Returns
    -------
    Verification
        True in a condition if the forest is right; otherwise its message names a witness.

    Raises
    ------
    GraphTypeError
        The argument is not a forest.
    GraphError
        The graph names its vertices and the forest does not, or the reverse; or the forest has required
        edges.
    FileError
        The memory is too small for the forest.
    BoruvkaError
        The edges cannot be read, as for `boruvka.stream.minimum_spanning_forest`.
    """
    if maximum is None:
        maximum = isinstance(forest, AcyclicEdges) and forest.maximum
    maximum = flag("maximum", maximum)
    removed = _check_states_edges(forest)
    count, given = thread_count(threads), parse_memory(memory)
    with closing(open_source(source, read_options)) as edges_source:
        table = EdgeTable.of(forest).counted_like(edges_source)
        edges = IndexedEdges(np.asarray(table.edges).astype(np.int64), table.u, table.v, table.w)
        kept = edges.take(np.argsort(edges.indices, kind="stable"))
        if given is not None:
            MemoryBudget.of(edges_source, given, readers=1).check_room_to_verify(implied_n(kept.u, kept.v))
        vertices = _Vertices(edges_source.name, table.names, edges_source.first_id)
        with listening(progress):
            return _verify(edges_source, kept, removed, vertices, maximum, count)


def _verify(
    edges_source: EdgeSource,
    kept: IndexedEdges,
    removed: NDArray[np.int64],
    vertices: _Vertices,
    maximum: bool,
    count: int,
) -> Verification:
    if (position := first_true(kept.indices[1:] == kept.indices[:-1])) is not None:
        return results.edge_twice(int(kept.indices[position]), vertices.ends(kept, position))
    largest, first, done = implied_n(kept.u, kept.v) - 1, 0, 0
    checks: _Checks | None = None
    tie: Verification | None = None
    for given in (rows for rows in edges_source.read_all() if rows.w.size):
        if not first:
            kept = vertices.of_forest(kept, given)
            largest = implied_n(kept.u, kept.v) - 1
        rows = _without(removed, vertices.numbered(given, first), first)
        largest = max(largest, rows.largest)
        if checks is None or not checks.holds(rows.w.dtype):
            found = _Checks.of(kept, rows, max(largest + 1, edges_source.n or 0), vertices, maximum)
            if isinstance(found, Verification):
                return found
            checks = found
        wrong = checks.find_wrong(first, rows, count, by_weight=tie is not None)
        if wrong is not None and wrong.is_minimum:  # so far; only lighter edges count now
            tie, wrong = wrong, checks.find_wrong(first, rows, count, by_weight=True)
        if wrong is not None:
            return wrong
        first, done = first + rows.w.size, done + rows.size
        report("verify", done, edges_source.size or None, "bytes", detail=f"{first:,} edges verified")
    edges_source.check_count(first)
    for edge in [*kept.indices[-1:].tolist(), *kept.indices[:1].tolist()]:
        if not 0 <= edge < first:
            return results.no_such_edge(edge, first)
    if tie is not None:
        return tie
    return results.right_forest(max(largest + 1, edges_source.n or 0), kept.m, maximum, removed=removed.size)


class _Vertices:
    """Names of the vertices, if any; the vertices of the forest are numbered first.

    Parameters
    ----------
    source : str
        The name of the graph.
    names : array, StoredNames or None
        The names of the vertices of the forest.
    first_id : int
        The id of the first vertex in the source.
    """

    def __init__(self, source: str, names: Any, first_id: int):
        self._source, self._numbering, self._first_id = source, Numbering(), first_id
        if names is not None:
            require("polars", "tables")
        self._names = None if names is None else name_lookup(names)

    def of_forest(self, kept: IndexedEdges, rows: EdgeBatch | NamedEdgeBatch) -> IndexedEdges:
        """Return the edges of the forest with the vertex numbers of the graph, whose first rows are ``rows``.

        Raises
        ------
        GraphError
            Only one of the two has names, except that integers may be the vertices themselves.
        """
        if isinstance(rows, NamedEdgeBatch):
            self._enter_names(rows)
            return kept
        if self._names is None:
            return kept
        if not self._names.dtype.is_integer():
            names = argument("names", True)
            raise GraphError(f"the forest names its vertices, but the graph does not: read it with {names}")
        vertices = self._names.gather(np.arange(len(self._names))).to_numpy() - self._first_id
        self._names = None
        return kept._replace(u=vertices[kept.u], v=vertices[kept.v])

    def numbered(self, rows: EdgeBatch | NamedEdgeBatch, first: int) -> EdgeBatch:
        """Number the names of rows; the index of the first row is given."""
        return self._numbering.number(rows, first) if isinstance(rows, NamedEdgeBatch) else rows

    def ends(self, edges: IndexedEdges | EdgeBatch, position: int) -> str:
        """Return the ends of an edge as text."""
        u, v = edges.u[position], edges.v[position]
        names = self._numbering.names if len(self._numbering) else self._names
        if names is None:
            return ends_text(None, u, v, self._first_id)
        return ends_text(names.gather([u, v]).to_numpy(), 0, 1)

    def _enter_names(self, rows: NamedEdgeBatch) -> None:
        """Convert names of the forest to the type of names of the graph, and number them as its vertices."""
        if self._names is None:
            raise GraphError(f"the vertices of {self._source} have names, but the forest has none")
        names, n = self._names, len(self._names)
        step = max(n // TABLE_BATCHES, 1 << 16)
        for begin in range(0, n, step):
            here = names.gather(np.arange(begin, min(begin + step, n)))
            column = here.cast(rows.u.dtype, strict=False)
            if column.null_count():
                name = here.filter(column.is_null())[0]
                raise GraphError(f"the forest has the vertex {shown(name)}, which the graph does not have")
            self._numbering.number(NamedEdgeBatch(column, column, rows.w[:0], where="the forest"), 0)


class _Checks(NamedTuple):
    """A forest that is prepared for the check of edges whose weights have a type."""

    kept: IndexedEdges
    n: int
    checker: EdgeChecker
    trees: MergeTrees
    vertices: _Vertices
    maximum: bool

    @classmethod
    def of(
        cls, kept: IndexedEdges, rows: EdgeBatch, n: int, vertices: _Vertices, maximum: bool
    ) -> _Checks | Verification:
        """Prepare a forest; return a failed verification if it is not a forest."""
        kept = kept._replace(w=converted(kept.w, common_type(kept.w.dtype, rows.w.dtype)))
        trees = merge_trees(n, *kept, maximum)
        if not isinstance(trees, MergeTrees):
            return results.closed_cycle(int(kept.indices[trees]), vertices.ends(kept, trees))
        positions = np.linspace(0, rows.w.size - 1, min(SAMPLE, rows.w.size)).astype(np.int64)
        sample = rows.u[positions], rows.v[positions], converted(rows.w[positions], kept.w.dtype)
        return cls(kept, n, EdgeChecker(trees, maximum, sample), trees, vertices, maximum)

    def holds(self, dtype: np.dtype[Any]) -> bool:
        """Return whether the type of the weights of the forest holds weights of another type."""
        return common_type(dtype, self.kept.w.dtype) == self.kept.w.dtype

    def find_wrong(
        self, first: int, rows: EdgeBatch, threads: int, by_weight: bool = False
    ) -> Verification | None:
        """Check consecutive edges, starting at index ``first``; return a failed verification, or None.

        Where weights alone count, an edge of equal weight is right.
        """
        checker = self.checker.by_weight() if by_weight else self.checker
        kept, w = self.kept, converted(rows.w, self.kept.w.dtype)
        begin, end = np.searchsorted(kept.indices, [first, first + w.size]).tolist()
        here = kept.indices[begin:end] - first
        same = (rows.u[here] == kept.u[begin:end]) & (rows.v[here] == kept.v[begin:end])
        same |= (rows.u[here] == kept.v[begin:end]) & (rows.v[here] == kept.u[begin:end])
        same &= w[here] == kept.w[begin:end]
        if (k := first_true(~same)) is not None:
            i, edge = here[k], int(kept.indices[begin + k])
            return Verification(
                False,
                f"the forest has {results.edge_text(edge, self.vertices.ends(kept, begin + k))} with weight "
                f"{kept.w[begin + k]}, but the graph's is {self.vertices.ends(rows, i)} with weight "
                f"{rows.w[i]}",
                edge,
            )

        u, v, none = rows.u, rows.v, first + w.size
        joined = none
        if rows.largest >= self.n:  # edges of vertices that the forest lacks become loops at one that it has
            outside = (u >= self.n) | (v >= self.n)
            u, v = (np.where(outside, 0, ends).astype(ends.dtype) for ends in (u, v))
            joins = outside & (rows.u != rows.v)
            joined = first + int(np.argmax(joins)) if joins.any() else none

        def check(begin: int) -> tuple[int, int]:
            here = slice(begin, min(begin + RANGE, w.size))
            return checker.find_better(first + begin, u[here], v[here], w[here])

        found = map_parts(check, range(0, w.size, RANGE), threads)
        edge, rank = next(((int(edge), int(rank)) for edge, rank in found if edge >= 0), (none, -1))
        if joined < edge:
            return results.joined_trees(joined, self.vertices.ends(rows, joined - first))
        if edge == none:
            return None
        return self._better(edge, self.vertices.ends(rows, edge - first), w[edge - first], rank)

    def _better(self, edge: int, ends: str, weight: Any, rank: int) -> Verification:
        """Return the result for an edge that belongs into the forest, perhaps instead of another."""
        other = self.trees.edge_of_rank(rank)
        if other < 0:
            return results.joined_trees(edge, ends)
        position = int(np.searchsorted(self.kept.indices, other))
        weights = weight, self.kept.w[position]
        both_ends = ends, self.vertices.ends(self.kept, position)
        return results.better_edge((edge, other), both_ends, weights, self.maximum)


def _without(removed: NDArray[np.int64], rows: EdgeBatch, first: int) -> EdgeBatch:
    """Replace removed edges by self-loops, which no forest has; the index of the first edge is given."""
    begin, end = np.searchsorted(removed, [first, first + rows.w.size])
    if begin == end:
        return rows
    here, v = removed[begin:end] - first, rows.v.copy()
    v[here] = rows.u[here]
    return rows._replace(v=v)


def _check_states_edges(forest: Any) -> NDArray[np.int64]:
    """Return the indices of edges that the forest does not count."""
    is_known = isinstance(forest, EdgeTable) or (isinstance(forest, AcyclicEdges) and is_forest(forest))
    if not is_known or forest.edges is None:
        raise GraphTypeError(
            "expected a Forest, or what boruvka.formats.read_forest_edges returns, "
            f"got {type(forest).__name__}"
        )
    if isinstance(forest, EdgeTable):
        return np.empty(0, np.int64)
    if forest.required.size:
        raise GraphError("a forest with required edges is checked in memory: boruvka.verify(graph, forest)")
    return forest.removed
