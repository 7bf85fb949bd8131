"""A graph that is extended by more edges; its own are not copied."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError
from boruvka.graph.abstract_graph import (
    AbstractGraph,
    LazyEdgeList,
    check_edges,
    profile_counts,
    read_only,
    vertex_dtype,
)
from boruvka.graph.exact import convert_exactly
from boruvka.graph.graph import Graph

__all__ = ["ExtendedGraph", "extended_places"]


class ExtendedGraph(LazyEdgeList):
    """The edges of a graph, with their indices, and then more edges.

    ``u``, ``v`` and ``w`` are joined when one of them is first read.

    Parameters
    ----------
    graph : AbstractGraph
        The graph.
    u, v, w : (k,) array_like
        The ends and the weight of each further edge, which gets the indices m, m + 1, ...
    n : int
        Number of vertices, not fewer than the graph has.
    names : (n,) array, optional
        The names of the vertices.
    places : callable, optional
        Computes the coordinates of the vertices, as an (n, 2) array; by default those of the graph, and NaN
        for new vertices.

    Raises
    ------
    GraphError, GraphTypeError
        As for `Graph`; or the type of the graph cannot hold a weight exactly.
    """

    base: AbstractGraph
    more: Graph

    def __init__(
        self,
        graph: AbstractGraph,
        u: ArrayLike,
        v: ArrayLike,
        w: ArrayLike,
        n: int,
        names: NDArray[Any] | None = None,
        places: Callable[[], NDArray[np.float64] | None] | None = None,
    ):
        places = places or partial(extended_places, graph, n)
        self._initialise(_coordinates=places, system=graph.system)
        self._initialise(first_id=graph.first_id, terminals=graph.terminals)
        if n == graph.n:
            self._initialise(**profile_counts(graph))
        more = Graph(n, u, v, w)
        try:
            more = Graph(n, more.u, more.v, convert_exactly(more.w, graph.dtype))
        except GraphError as error:
            kinds = f"weights of the graph are {graph.dtype}, and these are {more.w.dtype}"
            raise GraphError(f"{kinds}: {error}") from None
        if isinstance(graph, ExtendedGraph):
            columns = ("u", "v", "w")
            joined = (np.concatenate([getattr(graph.more, c), getattr(more, c)]) for c in columns)
            graph, more = graph.base, Graph(more.n, *joined)
        self._initialise(n=more.n, base=graph, more=more, names=read_only(names))

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        self.base.check()
        self.more.check()

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.base.m + self.more.m

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.base.dtype

    def edge_slice(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with indices from ``start`` to ``stop - 1``."""
        m = self.base.m
        if start >= m:
            return self.more.edge_slice(start - m, stop - m)
        own = self.base.edge_slice(start, min(stop, m))
        return self._joined(own, self.more.edge_slice(0, max(stop - m, 0)))

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

    def _joined(self, *parts: tuple[Any, Any, Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        ids = vertex_dtype(self.n)
        u, v, w = (np.concatenate(column) for column in zip(*parts, strict=True))
        return u.astype(ids, copy=False), v.astype(ids, copy=False), w


def extended_places(
    graph: AbstractGraph, n: int, more: AbstractGraph | None = None, vertices: NDArray[Any] | None = None
) -> NDArray[np.float64] | None:
    """Return the coordinates of a graph for n vertices, of which those beyond its own are new.

    Parameters
    ----------
    graph : AbstractGraph
        The graph.
    n : int
        Number of vertices, not fewer than the graph has.
    more : AbstractGraph, optional
        A graph that may have coordinates of new vertices.
    vertices : array, optional
        The numbers of its vertices among the n; by default the same.

    Returns
    -------
    (n, 2) array or None
        NaN for vertices without a place; None if the graph has no coordinates.
    """
    if graph.coordinates is None:
        return None
    places = np.full((n, 2), np.nan)
    if more is not None and more.coordinates is not None and more.system == graph.system:
        places[slice(more.n) if vertices is None else vertices] = more.coordinates
    places[: graph.n] = graph.coordinates
    return places
