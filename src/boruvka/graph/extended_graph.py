"""A graph with more edges behind its own, which are not copied."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError
from boruvka.graph.abstract_graph import AbstractGraph, LazyEdgeList, read_only, vertex_dtype
from boruvka.graph.graph import Graph

__all__ = ["ExtendedGraph"]


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
    ):
        more = Graph(n, u, v, w)
        more = Graph(n, more.u, more.v, _converted(more.w, graph.dtype))
        if isinstance(graph, ExtendedGraph):
            columns = ("u", "v", "w")
            joined = (np.concatenate([getattr(graph.more, c), getattr(more, c)]) for c in columns)
            graph, more = graph.base, Graph(more.n, *joined)
        self._initialise(n=more.n, base=graph, more=more, names=read_only(names))

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.base.m + self.more.m

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.base.dtype

    def edge_slice(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with indices from ``first`` to ``last - 1``."""
        m = self.base.m
        if first >= m:
            return self.more.edge_slice(first - m, last - m)
        ends = self.base.edge_slice(first, min(last, m))
        return self._joined(ends, self.more.edge_slice(0, max(last - m, 0)))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with these indices."""
        m = self.base.m
        old = edges < m
        columns = self._joined(self.base.take(edges[old]), self.more.take(edges[~old] - m))
        if not np.all(old[:-1] >= old[1:]):  # the old ones are not in front
            places = np.argsort(np.argsort(~old, kind="stable"))
            columns = columns[0][places], columns[1][places], columns[2][places]
        return columns

    def _joined(self, *parts: tuple[Any, Any, Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        ids = vertex_dtype(self.n)
        u, v, w = (np.concatenate(column) for column in zip(*parts, strict=True))
        return u.astype(ids, copy=False), v.astype(ids, copy=False), w


def _converted(w: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Convert weights to the type of a graph; raise a `GraphError` where that rounds them."""
    if w.dtype == dtype:
        return w
    if w.dtype.kind == dtype.kind == "f":
        with np.errstate(over="ignore"):
            exact = bool(np.all(w.astype(dtype).astype(w.dtype) == w))
    else:
        if dtype.kind == "f":
            high = 2 ** (np.finfo(dtype).nmant + 1)
            low = -high
        else:
            low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        whole = w.dtype.kind != "f" or np.array_equal(w, np.trunc(w))
        exact = not w.size or bool(whole and w.min().item() >= low and w.max().item() <= high)
    if not exact:
        raise GraphError(
            f"the weights of the graph are {dtype}, and these are {w.dtype} that it cannot hold exactly; "
            f"convert them, w.astype(numpy.{dtype}), or the weights of the graph"
        )
    return w.astype(dtype)
