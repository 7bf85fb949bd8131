"""Verification of a forest in memory against edges that pass by, independent of the solvers.

The property is that of `boruvka.forest.verify`: each edge outside the forest comes after the heaviest edge on
the path between its ends. Edges pass in the order of their indices, and those of the forest are compared with
the edges that the source has there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphTypeError
from boruvka.forest.forest import Forest
from boruvka.forest.path_maxima import Line, line_up, sort_edges
from boruvka.forest.verify import Verification
from boruvka.forest.verify_edge_list import PIECE, SAMPLE, EdgeChecker
from boruvka.formats.format import EdgeTable
from boruvka.formats.part_weights import common_type, converted
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import ProgressBar
from boruvka.runtime.thread_pool import map_parts
from boruvka.stream.edges import Edges
from boruvka.stream.sources.open import open_source
from boruvka.stream.sources.source import EdgeSource, Rows

__all__ = ["verify"]


def verify(
    source: Any,
    forest: Forest | EdgeTable,
    *,
    maximum: bool | None = None,
    threads: int | None = None,
    progress: bool = False,
    **how: Any,
) -> Verification:
    """Verify that a forest is the minimum spanning forest of a graph whose edges do not fit the memory.

    All edges are read once, in order. In memory is the forest, about 60 bytes a vertex.

    Parameters
    ----------
    source : object
        The edges, as for `boruvka.stream.minimum_spanning_forest`.
    forest : Forest, or the table that `boruvka.formats.read_forest_edges` returns
        The forest: indices, ends and weights of its edges.
    maximum : bool, optional
        Verify a maximum spanning forest; by default what the forest claims to be, else False.
    threads : int, optional
        Number of threads; by default one for each core.
    progress : bool
        Show a progress bar on standard error if it takes long.
    **how
        How to read a file, as for `boruvka.read`.

    Returns
    -------
    Verification
        True in a condition if the forest is right; otherwise its message names a witness.

    Raises
    ------
    GraphTypeError
        The forest is no forest.
    BoruvkaError
        The edges cannot be read, as for `boruvka.stream.minimum_spanning_forest`.
    """
    if maximum is None:
        maximum = isinstance(forest, Forest) and forest.maximum
    kept, count = _sorted_edges(forest), thread_count(threads)
    with closing(open_source(source, how)) as edges_source:
        return _verify(edges_source, kept, maximum, count, progress)


def _verify(edges_source: EdgeSource, kept: Edges, maximum: bool, count: int, progress: bool) -> Verification:
    twice = np.flatnonzero(kept.edges[1:] == kept.edges[:-1])
    if twice.size:
        place = int(twice[0])
        return Verification(False, f"{_describe(kept, place)} is in the forest twice", int(kept.edges[place]))
    largest = max((int(ends.max()) for ends in (kept.u, kept.v) if ends.size), default=-1)
    first, done = 0, 0
    checks: _Checks | None = None
    with ProgressBar(edges_source.size, visible=progress) as bar:
        for rows in _in_order(edges_source):
            largest = max(largest, rows.largest)
            if checks is None or not checks.holds(rows.w.dtype):
                found = _Checks.of(kept, rows, max(largest + 1, edges_source.n or 0), maximum)
                if isinstance(found, Verification):
                    return found
                checks = found
            wrong = checks.find_wrong(first, rows, count)
            if wrong is not None:
                return wrong
            first, done = first + rows.w.size, done + rows.size
            bar.update(done, f"{first:,} edges verified")
    edges_source.check_count(first)
    if kept.size and (kept.edges[-1] >= first or kept.edges[0] < 0):
        edge = int(kept.edges[-1] if kept.edges[-1] >= first else kept.edges[0])
        return Verification(False, f"there is no edge {edge}: the graph has {first} edges, from 0", edge)
    n = max(largest + 1, edges_source.n or 0)
    components = n - kept.size
    return Verification(
        True,
        f"{kept.size} edges are the {'maximum' if maximum else 'minimum'} spanning forest with "
        f"{components} component{'s' * (components != 1)}; every edge was checked",
    )


class _Checks(NamedTuple):
    """A forest that is prepared for the check of edges whose weights have a type."""

    kept: Edges
    n: int
    checker: EdgeChecker
    maximum: bool

    @classmethod
    def of(cls, kept: Edges, rows: Rows, n: int, maximum: bool) -> _Checks | Verification:
        """Prepare a forest; return what is wrong with it if it is no forest."""
        kept = kept._replace(w=converted(kept.w, common_type(kept.w.dtype, rows.w.dtype)))
        line = line_up(n, kept.u, kept.v, *sort_edges(kept.w, maximum))
        if not isinstance(line, Line):
            edge = int(kept.edges[line])
            return Verification(False, f"{_describe(kept, line)} of the forest closes a cycle", edge)
        places = np.linspace(0, rows.w.size - 1, min(SAMPLE, rows.w.size)).astype(np.int64)
        sample = rows.u[places], rows.v[places], converted(rows.w[places], kept.w.dtype)
        return cls(kept, n, EdgeChecker(n, kept.edges, line, maximum, sample), maximum)

    def holds(self, dtype: np.dtype[Any]) -> bool:
        """Return whether weights of a type are converted to that of the forest."""
        return common_type(dtype, self.kept.w.dtype) == self.kept.w.dtype

    def find_wrong(self, first: int, rows: Rows, threads: int) -> Verification | None:
        """Find what shows that the forest is wrong among edges from an index on."""
        kept, w = self.kept, converted(rows.w, self.kept.w.dtype)
        begin, end = np.searchsorted(kept.edges, [first, first + w.size]).tolist()
        here = kept.edges[begin:end] - first
        same = (rows.u[here] == kept.u[begin:end]) & (rows.v[here] == kept.v[begin:end])
        same |= (rows.u[here] == kept.v[begin:end]) & (rows.v[here] == kept.u[begin:end])
        same &= w[here] == kept.w[begin:end]
        if not same.all():
            k = int(np.argmin(same))
            i = here[k]
            return Verification(
                False,
                f"the forest has {_describe(kept, begin + k)} with weight {kept.w[begin + k]}, but the "
                f"graph's is ({rows.u[i]}, {rows.v[i]}) with weight {rows.w[i]}",
                int(kept.edges[begin + k]),
            )
        if rows.largest < self.n:
            return self._first_better(first, rows, rows.u, rows.v, w, threads)
        # The forest does not have these vertices; their edges become loops at one that it has.
        outside = (rows.u >= self.n) | (rows.v >= self.n)
        u, v = (np.where(outside, 0, ends).astype(ends.dtype) for ends in (rows.u, rows.v))
        better = self._first_better(first, rows, u, v, w, threads)
        outside &= rows.u != rows.v
        k = int(np.argmax(outside))
        if not outside[k] or (better is not None and better.edge is not None and better.edge < first + k):
            return better
        return self._joins_two_trees(first, rows, k)

    def _first_better(
        self, first: int, rows: Rows, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], threads: int
    ) -> Verification | None:
        def check(begin: int) -> tuple[int, int]:
            piece = slice(begin, min(begin + PIECE, w.size))
            return self.checker.find_better(first + begin, u[piece], v[piece], w[piece])

        for edge, rank in map_parts(check, range(0, w.size, PIECE), threads):
            if edge >= 0:
                return self._better(first, rows, int(edge), int(rank))
        return None

    def _better(self, first: int, rows: Rows, edge: int, rank: int) -> Verification:
        k, other = edge - first, self.checker.edge_of_rank(rank)
        if other < 0:
            return self._joins_two_trees(first, rows, k)
        place = int(np.searchsorted(self.kept.edges, other))
        heavier = self.kept.w[place]
        tie = " (of equal weights, the smaller index goes first)" if heavier == rows.w[k] else ""
        return Verification(
            False,
            f"edge {edge} ({rows.u[k]}, {rows.v[k]}) with weight {rows.w[k]} is "
            f"{'heavier' if self.maximum else 'lighter'} than {_describe(self.kept, place)} with weight "
            f"{heavier} on the path between its ends{tie}",
            edge,
            other,
        )

    def _joins_two_trees(self, first: int, rows: Rows, k: int) -> Verification:
        return Verification(
            False,
            f"edge {first + k} ({rows.u[k]}, {rows.v[k]}) joins two trees: the forest does not span",
            first + k,
        )


def _in_order(source: EdgeSource) -> Iterator[Rows]:
    for chunk in range(source.chunks):
        for rows in source.read(chunk):
            if rows.w.size:
                yield rows


def _sorted_edges(forest: Any) -> Edges:
    if not (isinstance(forest, Forest | EdgeTable) and forest.edges is not None):
        raise GraphTypeError(
            "expected a Forest, or what boruvka.formats.read_forest_edges returns, "
            f"got {type(forest).__name__}"
        )
    edges = Edges(np.asarray(forest.edges).astype(np.int64), forest.u, forest.v, forest.w)
    return edges.take(np.argsort(edges.edges, kind="stable"))


def _describe(edges: Edges, place: int) -> str:
    return f"edge {edges.edges[place]} ({edges.u[place]}, {edges.v[place]})"
