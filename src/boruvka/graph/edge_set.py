"""Some edges of a graph, with their ends, weights and components: the data that all results share."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.graph.columns import HasColumns, read_only
from boruvka.graph.graph import Graph
from boruvka.graph.names import ends_text, number_of_name
from boruvka.graph.validation import read_vertex, read_vertices

TAKEN = ("edge", "source", "target", "weight", "u", "v", "w", "load", "alternative", "in_every")
"""Names of columns of results."""


class EdgeSet(HasColumns):
    """Some edges of a graph; everything else is derived from them when it is first read.

    Its attributes cannot be reassigned.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (k,) array of int64
        Indices of the edges in the graph, ascending. Rows of a table that are left out have none.
    """

    graph: Graph
    edges: NDArray[np.int64]
    is_directed = False
    """Whether edge i goes from ``u[i]`` to ``v[i]``."""

    def __init__(self, graph: Graph, edges: ArrayLike):
        edges = edges if hasattr(edges, "dtype") else np.array(edges, np.int64)
        vars(self).update(graph=graph, edges=read_only(edges))

    @property
    def n(self) -> int:
        """Number of vertices of the graph."""
        return self.graph.n

    @property
    def n_components(self) -> int:
        """Number of components, isolated vertices counted."""
        return int(self.labels.max(initial=-1)) + 1

    @property
    def removed(self) -> NDArray[np.int64]:
        """Indices of the edges that the graph does not have: removed by `Forest.update`, or excluded."""
        return self.graph.removed

    @cached_property
    def _columns(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        u, v, w = self.graph.take(self.edges)
        if not self.graph.is_on_device:
            is_wrong = any(ends.max(initial=0) >= max(self.n, 1) for ends in (u, v))
            if is_wrong or (w.dtype.kind == "f" and np.isnan(w).any()):
                self.graph.check()
        return read_only(u), read_only(v), read_only(w)

    @cached_property
    def weight(self) -> int | float:
        """Total weight: an exact int; for floats the float64 (or inf) nearest to the exact sum."""
        from boruvka.graph.exact import exact_sum

        return exact_sum(on_host(self.w))

    @property
    def degrees(self) -> NDArray[np.int64]:
        """Number of edges of each vertex, of shape (n,); ``degrees.argmax()`` is the hub."""
        ends = on_host(self.u), on_host(self.v)
        return np.bincount(np.concatenate(ends).astype(np.int64), minlength=self.n)

    @property
    def vertices(self) -> NDArray[np.int64]:
        """The vertices of the trees, ascending: all vertices, unless they are a part of the graph."""
        return np.arange(self.n)

    @property
    def marked(self) -> NDArray[np.int64]:
        """The vertices that pictures mark: the terminals of a Steiner tree, the root of an arborescence."""
        return np.empty(0, np.int64)

    crossed_text = ""
    """Text in a legend for the vertices that pictures mark with a cross."""

    @property
    def crossed(self) -> NDArray[np.int64]:
        """The vertices outside of a tree that pictures cross out: prizes that it does not collect."""
        return np.empty(0, np.int64)

    @property
    def edge_columns(self) -> dict[str, Any]:
        """More columns of the edges, by name: correlations, columns of the input, the load of a Steiner tree.

        ``_given`` is added to names of the input that columns of edges have.
        """
        facts = self.graph.annotations
        columns = facts.correlations_of(on_host(self.w))
        taken = {*TAKEN, *columns, *facts.columns, *(facts.table.columns if facts.keep else ())}
        for name in facts.keep:
            own = name
            while own in taken | columns.keys():
                own += "_given"
            columns[own] = facts.table.take(name, self.edges)
        return columns

    @property
    def is_by_weight(self) -> bool:
        """Whether weights chose the edges, so that pictures show them."""
        return True

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Component of each vertex, numbered from 0 in the order of their smallest vertices."""
        from boruvka.graph.connected_components import label_components

        return read_only(label_components(self.n, on_host(self.u), on_host(self.v)))

    @property
    def edge_mask(self) -> NDArray[np.bool_]:
        """(m,) array: whether each edge of the graph is one of these."""
        mask = np.zeros(self.graph.m, bool)
        mask[on_host(self.edges)] = True
        return mask

    @cached_property
    def number_of_name(self) -> dict[Hashable, int] | None:
        """The vertex of each name; None where vertices have no names."""
        return None if self.graph.names is None else number_of_name(self.graph.name_of(slice(None)))

    def vertex_numbers(self, argument: str, values: Any) -> NDArray[Any]:
        """Return the numbers of vertices, given by their names where they have names, else by their numbers.

        Raises
        ------
        GraphError, GraphTypeError
            A value is not a vertex; ``argument`` is its name in the message.
        """
        return read_vertices(self.graph, argument, values, self.number_of_name)

    def vertex_number(self, argument: str, value: Any) -> int:
        """Return the number of one vertex, as `vertex_numbers` does of several."""
        return read_vertex(self.graph, argument, value, self.number_of_name)

    def edge_text(self, position: int) -> str:
        """Return what messages call the edge at a position of ``edges``: its index and its ends."""
        ends = ends_text(self.graph.names, self.u[position], self.v[position], self.graph.first_id)
        return f"{self.edges[position]} {ends}"

    def __len__(self) -> int:
        return self.edges.size
