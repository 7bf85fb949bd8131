"""Graphs made of others: with fewer or more edges, without a copy; and subgraphs of some vertices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError
from boruvka.graph.columns import read_only
from boruvka.graph.exact import check_float_types, convert_exactly
from boruvka.graph.graph import DistanceGraph, Graph
from boruvka.graph.validation import check_edges, vertex_dtype


class _DerivedGraph(Graph):
    """A graph that is made of another one, whose edges and their indices it has."""

    base: Graph

    @property
    def m(self) -> int:
        """Number of indices of edges, also of removed ones."""
        return self.base.m

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.base.dtype

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        self.base.check()


class MaskedGraph(_DerivedGraph):
    """A graph without some of its edges.

    The other edges keep their indices, so ``m`` counts the removed ones too. In ``u`` and ``v``, a removed
    edge is a self-loop, which no algorithm chooses. `compacted` leaves it out, and so do files of this graph.

    Parameters
    ----------
    graph : Graph
        The graph, on the host. Its arrays are not copied until ``v`` is read.
    removed : (k,) array of int64
        Indices of the edges that it does not have, ascending.
    """

    def __init__(self, graph: Graph, removed: NDArray[np.int64]):
        if isinstance(graph, MaskedGraph):
            graph, removed = graph.base, np.union1d(graph.removed, removed)
        self._initialise(n=graph.n, base=graph, removed=read_only(removed), annotations=graph.annotations)

    def edges_in_range(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with indices from ``start`` to ``stop - 1``."""
        first, last = np.searchsorted(self.removed, (start, stop))
        return _looped(self.base.edges_in_range(start, stop), self.removed[first:last] - start)

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with these indices."""
        return _looped(self.base.take(edges), np.flatnonzero(np.isin(edges, self.removed)))

    def compacted(self) -> Graph:
        """Return the graph of the edges that were not removed, which get new numbers from 0."""
        kept = np.delete(np.arange(self.m), self.removed)
        graph = Graph(self.n, *self.base.take(kept))
        graph._initialise(annotations=self.annotations.of_edges(kept))
        return graph

    def masking(self, graph: Graph) -> MaskedGraph:
        """Return another graph with the same edges, without those that were removed from this one."""
        return MaskedGraph(graph, self.removed)


class ExtendedGraph(_DerivedGraph):
    """The edges of a graph, with their indices, and then more edges.

    ``u``, ``v`` and ``w`` are joined when one of them is first read.

    Parameters
    ----------
    graph : Graph
        The graph.
    u, v, w : (k,) array_like
        The ends and the weight of each further edge, which gets the indices m, m + 1, ...
    n : int
        Number of vertices, not fewer than the graph has.
    names : (n,) array or None
        The names of the vertices.
    coordinates : callable
        Computes the coordinates of the vertices, as `extended_coordinates` does.
    table : SourceTable or None
        The table of the further edges.

    Raises
    ------
    GraphError, GraphTypeError
        As for `Graph`; or the type of the graph cannot hold a weight exactly.
    """

    more: Graph

    def __init__(
        self,
        graph: Graph,
        u: ArrayLike,
        v: ArrayLike,
        w: ArrayLike,
        n: int,
        names: NDArray[Any] | None,
        coordinates: Callable[[], NDArray[np.float64] | None],
        table: Any,
    ):
        source = graph.annotations.table
        annotations = graph.annotations._replace(
            names=read_only(names),
            id_column=None,
            coordinates=coordinates,
            pairs=None,
            table=None if source is None else source.with_more(graph.m, table),
            columns=getattr(source, "columns", graph.annotations.columns),
            profiles=graph.profiles if n == graph.n else None,
            prizes=graph.prizes if n == graph.n else None,
        )
        more = Graph(n, u, v, w)
        if more.dtype != graph.dtype:
            own = graph.dtype if isinstance(graph, DistanceGraph) else graph.w
            check_float_types([(own, "the graph"), (more.w, "the new edges")])
        try:
            more = Graph(n, more.u, more.v, convert_exactly(more.w, graph.dtype))
        except GraphError as error:
            kinds = f"weights of the graph are {graph.dtype}, and these are {more.w.dtype}"
            raise GraphError(f"{kinds}: {error}; write [(u, v, float(w)) for u, v, w in edges]") from None
        if isinstance(graph, ExtendedGraph):
            columns = ("u", "v", "w")
            joined = (np.concatenate([getattr(graph.more, c), getattr(more, c)]) for c in columns)
            graph, more = graph.base, Graph(more.n, *joined)
        self._initialise(n=more.n, base=graph, more=more, annotations=annotations)

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        super().check()
        self.more.check()

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.base.m + self.more.m

    def edges_in_range(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with indices from ``start`` to ``stop - 1``."""
        m = self.base.m
        if start >= m:
            return self.more.edges_in_range(start - m, stop - m)
        own = self.base.edges_in_range(start, min(stop, m))
        return self._joined(own, self.more.edges_in_range(0, max(stop - m, 0)))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with these indices."""
        check_edges(edges, self.m)
        m = self.base.m
        is_own = edges < m
        columns = self._joined(self.base.take(edges[is_own]), self.more.take(edges[~is_own] - m))
        if not np.all(is_own[:-1] >= is_own[1:]):  # the own edges do not come first
            position = np.argsort(np.argsort(~is_own, kind="stable"))
            u, v, w = (column[position] for column in columns)
            return u, v, w
        return columns

    def _joined(self, *columns: tuple[Any, Any, Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        ids = vertex_dtype(self.n)
        u, v, w = (np.concatenate(column) for column in zip(*columns, strict=True))
        return u.astype(ids, copy=False), v.astype(ids, copy=False), w


def extended_coordinates(
    graph: Graph, n: int, more: Graph, vertices: NDArray[Any] | None = None
) -> NDArray[np.float64] | None:
    """Return the coordinates of a graph for n vertices, of which those beyond its own are new.

    Parameters
    ----------
    graph : Graph
        The graph.
    n : int
        Number of vertices, not fewer than the graph has.
    more : Graph
        A graph that may have coordinates of new vertices.
    vertices : array, optional
        The numbers of its vertices among the n; by default the same.

    Returns
    -------
    (n, 2) array or None
        NaN for vertices without coordinates; None if the graph has no coordinates.
    """
    if graph.coordinates is None:
        return None
    coordinates = np.full((n, 2), np.nan)
    if more.coordinates is not None and more.system == graph.system:
        coordinates[slice(more.n) if vertices is None else vertices] = more.coordinates
    coordinates[: graph.n] = graph.coordinates
    return coordinates


def _looped(
    columns: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], at: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Replace some edges by self-loops."""
    u, v, w = columns
    if at.size:
        v = v.copy()
        v[at] = u[at]
    return u, v, w


def subgraph_of(graph: Graph, is_inside: NDArray[np.bool_]) -> tuple[Graph, NDArray[Any], NDArray[Any]]:
    """Return the graph of some vertices, its edges in the whole graph, and the numbers of vertices."""
    edges, number = np.flatnonzero(is_inside[graph.u] & is_inside[graph.v]), np.cumsum(is_inside) - 1
    u, v = number[graph.u[edges]], number[graph.v[edges]]
    return Graph(int(is_inside.sum()), u, v, graph.w[edges]), edges, number
