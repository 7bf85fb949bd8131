"""rustworkx: convert a forest to a PyGraph, and a PyGraph to a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.graph import Graph
from boruvka.interop.rows import columns_of
from boruvka.interop.shared import python_weights, renumber
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import rustworkx

    from boruvka.forest.forest import Forest

__all__ = ["graph_from", "to_rustworkx"]


def to_rustworkx(forest: Forest) -> rustworkx.PyGraph:
    """Convert a forest to a graph of rustworkx.

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    rustworkx.PyGraph
        All n vertices, with their names, else their numbers, as data; and the edges in ascending order of
        index, with their weights as data, ints or floats (``longdouble`` is rounded to float64).

    Raises
    ------
    MissingExtraError
        rustworkx is not installed.
    """
    result = require("rustworkx", "rustworkx").PyGraph()
    names = forest.graph.names
    result.add_nodes_from(range(forest.n) if names is None else names.tolist())
    weights = python_weights(forest.w)
    result.add_edges_from(list(zip(forest.u.tolist(), forest.v.tolist(), weights, strict=True)))
    return result


def graph_from(g: rustworkx.PyGraph, weight: str | Callable[[Any], Any] | None = None) -> Graph:
    """Make a graph from a graph of rustworkx; edges are numbered in the order of ``g.edge_indices()``.

    Parameters
    ----------
    g : rustworkx.PyGraph
        An undirected graph.
    weight : str or callable, optional
        The weight of an edge: a key of its data, or a function of its data, like rustworkx's ``weight_fn``.
        By default the data are the weight, or a mapping with the key ``weight``.

    Returns
    -------
    Graph
        If nodes were removed, the indices of the others are the names of the vertices.

    Raises
    ------
    GraphError
        An edge has no weight, or a weight is NaN.
    GraphTypeError
        The graph is directed, or weights are neither integers nor floats.
    """
    if not isinstance(g, require("rustworkx", "rustworkx").PyGraph):
        raise GraphTypeError(
            f"expected an undirected graph of rustworkx, got {type(g).__name__}; if direction does not "
            "matter: g.to_undirected()"
        )
    data = g.edges()
    columns = None if callable(weight) else columns_of(data)
    weights = columns[0] if columns else [_weight(x, weight, i) for i, x in enumerate(data)]
    u, v = np.array(g.edge_list()).reshape(-1, 2).astype(np.int64).T
    return renumber(np.array(g.node_indices(), np.int64), u, v, weights)


def _weight(data: Any, weight: str | Callable[[Any], Any] | None, i: int) -> Any:
    if callable(weight):
        return weight(data)
    if isinstance(data, Mapping):
        data = data.get(weight or "weight")
    if data is None:
        raise GraphError(f"edge {i} has no weight; boruvka.as_graph(g, weight=...) takes a key or a function")
    return data
