"""Rows of values that pictures show: of vertices, or of profiles, of which equal ones are one vertex."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.graph.labels import values_of_vertices
from boruvka.runtime.arguments import flag

if TYPE_CHECKING:
    import pandas

__all__ = ["Rows", "sizes_of_vertices", "texts_of_vertices"]


class Rows(NamedTuple):
    """The rows that values are for: vertices, or profiles if these were collapsed.

    Attributes
    ----------
    tree : EdgeSet
        The tree.
    vertex : (r,) array of int64
        The vertex of each row.
    labels : EdgeSet
        A graph without edges, whose vertices are the rows.
    """

    tree: EdgeSet
    vertex: NDArray[np.int64]
    labels: EdgeSet

    @classmethod
    def of(cls, tree: EdgeSet) -> Rows:
        """Return the rows of a tree."""
        graph = tree.graph
        if graph.profiles is None or graph.profiles.names is None:
            return cls(tree, np.arange(graph.n), tree)
        names = graph.profiles.names.tolist()
        profiles = Graph.from_edges([], [], [], n=len(names), names=names)
        profiles = profiles.annotated(id_column=graph.annotations.id_column)
        return cls(tree, graph.profiles.vertex_of, EdgeSet(profiles, []))

    @property
    def names(self) -> list[str]:
        """The name of each row in output."""
        return [str(name) for name in self.labels.graph.id_of(np.arange(self.vertex.size)).tolist()]

    def values(self, argument: str, values: Any) -> NDArray[Any]:
        """Make an array with a value for each row; values may be for each vertex, too."""
        try:
            return _values(self.labels, argument, values)
        except GraphError:
            return _values(self.tree, argument, values)[self.vertex]

    def table(self, argument: str, metadata: Any) -> pandas.DataFrame:
        """Make a frame with a row for each; the table may have a row for each vertex, too."""
        from boruvka.interop.data_frames import in_order_of_vertices

        try:
            return in_order_of_vertices(self.labels, argument, metadata)
        except GraphError:
            return in_order_of_vertices(self.tree, argument, metadata).iloc[self.vertex]


def sizes_of_vertices(tree: EdgeSet, sizes: Any) -> NDArray[np.float64]:
    """Return the size of each vertex: by default the number of its profiles, or 1."""
    graph = tree.graph
    if sizes is None:
        return np.ones(graph.n) if graph.profiles is None else graph.profiles.sizes.astype(np.float64)
    array = _values(tree, "sizes", sizes)
    if array.dtype.kind not in "biuf":
        raise GraphTypeError(f"sizes must be numbers, these have dtype {array.dtype}")
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if wrong.size:
        name, size = shown(graph.name_of(int(wrong[0]))), array[wrong[0]]
        raise GraphError(f"the size of vertex {name} is {size}: sizes must be 0 or more, and finite")
    return array.astype(np.float64)


def texts_of_vertices(tree: EdgeSet, labels: Any) -> list[str] | None:
    """Return the text at each vertex of the trees: its name or what is given; None where there are none."""
    if isinstance(labels, str | bytes | int | float | np.bool_):
        texts = tree.graph.id_of(tree.vertices) if flag("labels", labels) else None
    else:
        texts = _values(tree, "labels", labels)[tree.vertices]
    return None if texts is None else list(map(str, texts.tolist()))


def _values(tree: EdgeSet, argument: str, values: Any) -> NDArray[Any]:
    array = values_of_vertices(tree.graph, argument, values, tree.number_of_name)
    if array.ndim != 1:
        shape = array.shape[1:]
        raise GraphError(f"{argument} must be one value for each vertex, not rows of the shape {shape}")
    return array
