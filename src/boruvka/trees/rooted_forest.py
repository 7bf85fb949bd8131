"""A rooted forest: parents, depths, values that are combined along paths and in subtrees."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.columns import read_only
from boruvka.graph.exact import inexact
from boruvka.graph.labels import values_of_vertices
from boruvka.runtime.arguments import flag, one_of
from boruvka.trees.queries.rooted import OPERATIONS, combine, longest_path, reroot
from boruvka.trees.tree import Tree

__all__ = ["Diameter", "RootedForest"]


class Diameter(NamedTuple):
    """The longest path of a forest."""

    length: float
    """Sum of the lengths of its edges."""
    ends: tuple[Any, Any]
    """Its ends, by name if vertices have names; equal if there is no edge."""


class RootedForest:
    """A forest whose trees have roots.

    Attributes
    ----------
    forest : Forest
        The forest, or another tree.
    order : (n,) array of int64
        The vertices, each after its parent.
    parent : (n,) array of int64
        Parent of each vertex; -1 for roots.
    parent_edge : (n,) array of int64
        Index in the graph of the edge to the parent; -1 for roots.
    """

    def __init__(self, forest: Tree, order: Any, parent: Any, edge: Any):
        self.forest = forest
        self.order, self.parent, self._edge = map(read_only, (order, parent, edge))

    @classmethod
    def of(cls, forest: Tree, root: Any) -> RootedForest:
        """Root the trees of a forest; ``root`` is as for `Forest.rooted`."""
        rooted = forest.structure.roots
        if root is None:
            return cls(forest, rooted.order, rooted.parent, rooted.edge)
        are_many = isinstance(root, list) or getattr(root, "ndim", 0) > 0
        roots = forest.vertex_numbers("root", root if are_many else [root])
        if roots.ndim != 1:
            raise GraphTypeError(f"root must be a vertex, or a list of vertices, got {shown(root)}")
        trees = forest.labels[roots]
        if np.unique(trees).size < trees.size:
            raise GraphError("root has two vertices of one tree: give one for each")
        return cls(forest, *reroot(rooted, roots))

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
            A value, or several, for each vertex; the values of a mapping, a frame or a series are taken by
            the labels of vertices.
        operation : str
            "sum", "product", "min" or "max".

        Returns
        -------
        array of float64, int64 or uint64
            In the shape of the values: float64 for floats, uint64 for uint64, int64 for other integers and
            booleans. Integers are exact. A result is NaN if one of its values is.

        Raises
        ------
        GraphError
            A result does not fit the integers, or float64 does not hold a long double exactly.
        """
        return combine(self.order, self.parent, self._read(values, operation), operation, upwards=False)

    def subtree(self, values: ArrayLike, operation: str = "sum") -> NDArray[Any]:
        """Combine the values of each vertex and all below it.

        Parameters and result are as for `from_root`; ``subtree(numpy.ones(n, int))`` counts vertices.
        """
        return combine(self.order, self.parent, self._read(values, operation), operation, upwards=True)

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
        if flag("weighted", weighted) and len(forest) and forest.w.min() < 0:
            raise GraphError("a weight is negative: diameter(weighted=False) counts edges")
        length = self._of_parent_edge(forest.w if weighted else np.ones(len(forest)), 0).astype(np.float64)
        longest, a, b = longest_path(self.order, self.parent, length)
        names = forest.graph.name_of(np.array([a, b]))
        return Diameter(longest, tuple(names.tolist()))

    def _of_parent_edge(self, values: NDArray[Any], otherwise: Any) -> NDArray[Any]:
        """Return a value for each vertex: the value of the edge to its parent."""
        found = np.full(self.forest.n, otherwise, np.result_type(values, np.int8))
        has_parent = self.parent >= 0
        found[has_parent] = values[self._edge[has_parent]]
        return found

    def _read(self, values: ArrayLike, operation: str) -> NDArray[Any]:
        one_of("operation", operation, OPERATIONS)
        array = values_of_vertices(self.forest.graph, "values", values, self.forest.number_of_name)
        if array.dtype.kind not in "biuf":
            raise GraphTypeError(f"values must be numbers, these have dtype {array.dtype}")
        if array.ndim > 2:
            raise GraphError(
                f"values must have a row for each of the {self.forest.n} vertices, not shape {array.shape}"
            )
        if array.dtype.kind != "f":
            return array.astype(np.uint64 if array.dtype == np.uint64 else np.int64)
        if (wrong := inexact(array, np.dtype(np.float64))) is not None:
            raise GraphError(
                f"the value {array[wrong][0]} has no exact float64: round by values.astype(numpy.float64)"
            )
        return array.astype(np.float64)

    def __repr__(self) -> str:
        return f"RootedForest(n={self.forest.n}, roots={self.roots.size})"
