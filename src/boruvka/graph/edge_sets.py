"""Graphs that list their edges, and some of these edges, given by their indices or by a mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph, ImplicitGraph
from boruvka.graph.columns import read_numbers

__all__ = ["check_lists_edges", "edge_indices", "edge_mask"]


def check_lists_edges(graph: AbstractGraph, message: str) -> None:
    """Raise a `GraphTypeError` for a graph of all pairs, or one on a GPU; check the arrays of others."""
    if graph.is_on_device:
        raise GraphTypeError(f"{message}; the arrays of this graph are on a GPU: copy them first")
    if isinstance(graph, ImplicitGraph):
        raise GraphTypeError(
            f"{message}; this graph g computes its {graph.m:,} edges: list them by "
            "boruvka.Graph.from_edges(g.u, g.v, g.w, g.n, g.names)"
        )
    graph.check()


def edge_mask(name: str, edges: Any, m: int) -> NDArray[np.bool_]:
    """Return a mask of edges, which are given as such a mask, or as indices; None stands for none of them."""
    mask = np.zeros(m, bool)
    mask[edge_indices(name, [] if edges is None else edges, m)] = True
    return mask


def edge_indices(name: str, edges: Any, m: int) -> NDArray[np.int64]:
    """Return the indices of edges, ascending, which are given so, or as a mask."""
    array = read_numbers(name, edges)
    if array.dtype == bool and array.shape == (m,):
        return np.flatnonzero(array)
    if array.ndim != 1 or array.dtype == bool or (array.size and array.dtype.kind not in "iu"):
        raise GraphTypeError(
            f"{name} must be indices of edges, or a mask of {m} booleans; this is {array.dtype} of shape "
            f"{array.shape}"
        )
    if array.size == m > 2 and array.min() >= 0 and array.max() <= 1:
        raise GraphError(
            f"{name} has a 0 or 1 for each of the {m} edges: a mask has booleans, such as {name}.astype(bool)"
        )
    if array.size and not (array.min() >= 0 and array.max() < m):
        wrong = array[(array < 0) | (array >= m)][0]
        known = f"edges are numbers from 0 to {m - 1}" if m else "the graph has no edges"
        raise GraphError(f"{name} has {wrong}, but {known}")
    return np.unique(array.astype(np.int64))
