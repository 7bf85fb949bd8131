"""Some edges of a graph whose other edges are elsewhere: each has its index in the whole graph."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class IndexedEdges(NamedTuple):
    """Parallel arrays, ascending by index."""

    indices: NDArray[np.int64]
    """The index of each edge in the whole graph."""
    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.indices.size

    def take(self, positions: NDArray[Any]) -> IndexedEdges:
        """Return the edges at some positions."""
        return IndexedEdges(*(column[positions] for column in self))

    @staticmethod
    def none(ids: Any, dtype: Any) -> IndexedEdges:
        """Return an empty run of edges of the given types."""
        return IndexedEdges(*(np.empty(0, kind) for kind in (np.int64, ids, ids, dtype)))


def in_order(runs: list[IndexedEdges]) -> IndexedEdges:
    """Join runs of edges in the order of their indices; the list is empty afterwards.

    Indices of the first run may lie between the indices of the others. If the others have disjoint ranges of
    indices, and the first has no index inside one, they are joined without sorting. Columns are joined one
    after the other, and freed as soon as they are.
    """
    order = np.argsort([run.indices[0] for run in runs[1:]], kind="stable").tolist()
    starts, ends = ([runs[1 + k].indices[position] for k in order] for position in (0, -1))
    cuts = [0, *np.searchsorted(runs[0].indices, starts).tolist(), runs[0].m]
    is_sorted = np.less(ends[:-1], starts[1:]).all()
    is_sorted &= np.array_equal(np.searchsorted(runs[0].indices, ends), cuts[1:-1])
    columns = [list(column) for column in zip(*runs, strict=True)]
    runs.clear()
    if not is_sorted:
        positions = np.argsort(np.concatenate(columns[0]), kind="stable")
        return IndexedEdges(*(np.concatenate(columns.pop(0))[positions] for _ in IndexedEdges._fields))
    joined = []
    while columns:
        first, *others = columns.pop(0)
        ranges = [first[: cuts[1]]]
        for k, begin, end in zip(order, cuts[1:-1], cuts[2:], strict=True):
            ranges += others[k], first[begin:end]
        joined.append(np.concatenate(ranges))
        del first, others, ranges
    return IndexedEdges(*joined)
