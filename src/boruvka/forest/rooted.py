"""A rooted forest for its users: parents, depths, values that are combined along paths and in subtrees."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import read_only
from boruvka.graph.labelled_values import values_of_vertices
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import choice

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["Diameter", "Rooted", "rooted"]

OPERATIONS = ("sum", "product", "min", "max")


class Diameter(NamedTuple):
    """The longest path of a forest."""

    length: float
    """Sum of the lengths of its edges."""
    ends: tuple[Any, Any]
    """Its ends, by name if vertices have names; equal if there is no edge."""


class Rooted:
    """A forest whose trees have roots.

    Attributes
    ----------
    forest : Forest
        The forest.
    order : (n,) array of int64
        The vertices, each after its parent.
    parent : (n,) array of int64
        Parent of each vertex; -1 for roots.
    parent_edge : (n,) array of int64
        Index in the graph of the edge to the parent; -1 for roots.
    """

    def __init__(self, forest: Forest, order: Any, parent: Any, edge: Any):
        self.forest = forest
        self.order, self.parent, self._edge = map(read_only, (order, parent, edge))

    @cached_property
    def parent_edge(self) -> NDArray[np.int64]:
        """Index in the graph of the edge to the parent; -1 for roots."""
        return read_only(self._of_parent_edge(self.forest.edges, -1))

    @property
    def roots(self) -> NDArray[np.int64]:
        """The roots, ascending: one for each component."""
        return np.flatnonzero(self.parent < 0)

    @property
    def leaves(self) -> NDArray[np.int64]:
        """The vertices without children, ascending."""
        return np.setdiff1d(np.arange(self.forest.n), self.parent)

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """Number of edges from the root to each vertex."""
        return read_only(self.from_root((self.parent >= 0).astype(np.int64)))

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """Sum of the weights from the root to each vertex."""
        return read_only(self.from_root(self._of_parent_edge(self.forest.w, 0).astype(np.float64)))

    def from_root(self, values: ArrayLike, operation: str = "sum") -> NDArray[Any]:
        """Combine values from the root down to each vertex, both included.

        Parameters
        ----------
        values : (n,) or (n, p) array_like of numbers, mapping or frame
            A value, or several, for each vertex; those of a mapping, a frame or a series are taken by the
            labels of vertices.
        operation : str
            "sum", "product", "min" or "max".

        Returns
        -------
        array of float64 or int64
            In the shape of the values; integers may wrap around.
        """
        result, code = self._read(values, operation)
        _combine_down(self.order, self.parent, code, result.reshape(len(result), -1))
        return result

    def subtree(self, values: ArrayLike, operation: str = "sum") -> NDArray[Any]:
        """Combine the values of each vertex and all below it.

        Parameters and result are those of `from_root`; ``subtree(numpy.ones(n, int))`` counts vertices.
        """
        result, code = self._read(values, operation)
        _combine_up(self.order, self.parent, code, result.reshape(len(result), -1))
        return result

    def diameter(self, weighted: bool = True) -> Diameter:
        """Find the longest path of the forest.

        Parameters
        ----------
        weighted : bool
            Whether the length of an edge is its weight, which must not be negative, or else 1.

        Raises
        ------
        GraphError
            A weight is negative.
        """
        forest = self.forest
        if not forest.n:
            raise GraphError("a forest without vertices has no longest path")
        if weighted and len(forest) and forest.w.min() < 0:
            raise GraphError("a weight is negative: diameter(weighted=False) counts edges")
        length = self._of_parent_edge(forest.w if weighted else np.ones(len(forest)), 0).astype(np.float64)
        below, end = np.zeros(forest.n), np.arange(forest.n)
        longest, a, b = _longest_path(self.order, self.parent, length, below, end)
        names = forest.graph.name_of(np.array([a, b]))
        return Diameter(longest, tuple(names.tolist()))

    def _of_parent_edge(self, values: NDArray[Any], otherwise: Any) -> NDArray[Any]:
        """Return a value for each vertex: that of the edge to its parent."""
        found = np.full(self.forest.n, otherwise, np.result_type(values, np.int8))
        has_parent = self.parent >= 0
        found[has_parent] = values[self._edge[has_parent]]
        return found

    def _read(self, values: ArrayLike, operation: str) -> tuple[NDArray[Any], np.int64]:
        choice("operation", operation, OPERATIONS)
        array = values_of_vertices(self.forest.graph, "values", values, self.forest._numbers)
        if array.dtype.kind not in "biuf":
            raise GraphTypeError(f"values must be numbers, these have dtype {array.dtype}")
        if array.ndim > 2:
            raise GraphError(
                f"values must have a row for each of the {self.forest.n} vertices, not shape {array.shape}"
            )
        dtype = np.float64 if array.dtype.kind == "f" else np.int64
        return array.astype(dtype, order="C"), np.int64(OPERATIONS.index(operation))

    def __repr__(self) -> str:
        return f"Rooted(n={self.forest.n}, roots={self.roots.size})"


def rooted(forest: Forest, root: Any) -> Rooted:
    """Implement `Forest.rooted`."""
    order, _, parent, edge = forest._rooted
    if root is None:
        return Rooted(forest, order, parent, edge)
    are_many = isinstance(root, list) or getattr(root, "ndim", 0) > 0
    roots = forest._vertices("root", root if are_many else [root])
    parent, edge = parent.copy(), edge.copy()
    trees = forest.labels[roots]
    if np.unique(trees).size < trees.size:
        raise GraphError("root has two vertices of one tree: give one for each")
    path = np.empty(forest.n, np.int64)
    paths = []
    for vertex in roots.tolist():
        length = _reverse_path(np.int64(vertex), parent, edge, path)
        paths.append(path[:length].copy())
    first = np.concatenate([np.empty(0, np.int64), *paths])
    is_first = np.zeros(forest.n, bool)
    is_first[first] = True
    return Rooted(forest, np.concatenate([first, order[~is_first[order]]]), parent, edge)


@kernel
def _reverse_path(x, parent, edge, path):
    """Make a vertex the root of its tree; store the path to the old root, and return its length."""
    length, child, child_edge = 0, np.int64(-1), np.int64(-1)
    while x >= 0:
        path[length] = x
        length += 1
        above, above_edge = parent[x], edge[x]
        parent[x], edge[x] = child, child_edge
        x, child, child_edge = above, x, above_edge
    return length


@kernel
def _combine_down(order, parent, operation, values):
    for k in range(order.size):
        x = order[k]
        if parent[x] >= 0:
            for j in range(values.shape[1]):
                values[x, j] = _combined(operation, values[parent[x], j], values[x, j])


@kernel
def _combine_up(order, parent, operation, values):
    for k in range(order.size):
        x = order[order.size - 1 - k]
        if parent[x] >= 0:
            for j in range(values.shape[1]):
                values[parent[x], j] = _combined(operation, values[parent[x], j], values[x, j])


def _combined(operation, a, b):
    """Combine two values; the operations are those of `OPERATIONS`."""
    if operation == 0:
        return a + b
    if operation == 1:
        return a * b
    return min(a, b) if operation == 2 else max(a, b)


@kernel
def _longest_path(order, parent, length, below, end):
    """Return the length and the ends of the longest path; ``below`` is for the longest from a vertex down."""
    longest, a, b = -1.0, np.int64(0), np.int64(0)
    for k in range(order.size):
        x = order[order.size - 1 - k]
        if longest < below[x]:
            longest, a, b = below[x], x, end[x]
        p = parent[x]
        if p < 0:
            continue
        reach = below[x] + length[x]
        if below[p] + reach > longest:
            longest, a, b = below[p] + reach, end[p], end[x]
        if reach > below[p]:
            below[p], end[p] = reach, end[x]
    return longest, a, b
