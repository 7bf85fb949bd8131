"""A graph without some of its edges; the others keep their indices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.abstract_graph import AbstractGraph, LazyEdgeList, profile_counts, read_only
from boruvka.graph.graph import Graph

__all__ = ["MaskedGraph"]


class MaskedGraph(LazyEdgeList):
    """A graph without some of its edges.

    The other edges keep their indices, so ``m`` counts the removed ones too. In ``u`` and ``v``, a removed
    edge is a self-loop, which no algorithm chooses. `compacted` leaves it out, and so do files of this graph.

    Parameters
    ----------
    graph : AbstractGraph
        The graph, on the host. Its arrays are not copied until ``v`` is read.
    removed : (k,) array of int64
        Indices of the edges that it does not have, ascending.
    """

    base: AbstractGraph
    _table: Any

    def __init__(self, graph: AbstractGraph, removed: NDArray[np.int64]):
        if isinstance(graph, MaskedGraph):
            graph, removed = graph.base, np.union1d(graph.removed, removed)
        self._initialise(n=graph.n, base=graph, removed=read_only(removed), names=graph.names)
        self._initialise(_coordinates=graph._coordinates, system=graph.system)
        self._initialise(first_id=graph.first_id, terminals=graph.terminals)
        self._initialise(_table=getattr(graph, "_table", None))
        self._initialise(**profile_counts(graph))

    @property
    def m(self) -> int:
        """Number of indices of edges, those of removed edges counted."""
        return self.base.m

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        self.base.check()

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.base.dtype

    def edge_slice(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with indices from ``start`` to ``stop - 1``."""
        first, last = np.searchsorted(self.removed, (start, stop))
        return _looped(self.base.edge_slice(start, stop), self.removed[first:last] - start)

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with these indices."""
        return _looped(self.base.take(edges), np.flatnonzero(np.isin(edges, self.removed)))

    def compacted(self) -> Graph:
        """Return the graph of the edges that are left, numbered anew from 0."""
        kept = np.delete(np.arange(self.m), self.removed)
        graph = Graph(self.n, *self.base.take(kept))
        graph._initialise(names=self.names, _coordinates=self._coordinates, system=self.system)
        graph._initialise(first_id=self.first_id, terminals=self.terminals)
        if self._table is not None:
            graph._initialise(_table=self._table._replace(rows=self._table.rows_of(kept)))
        return graph

    def masking(self, graph: AbstractGraph) -> MaskedGraph:
        """Return another graph with the same edges, without those that were removed from this one."""
        return MaskedGraph(graph, self.removed)


def _looped(
    columns: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], at: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Replace some edges by self-loops."""
    u, v, w = columns
    if at.size:
        v = v.copy()
        v[at] = u[at]
    return u, v, w
