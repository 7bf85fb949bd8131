"""A rooted forest for its users: parents, depths, values that are combined along paths and in subtrees."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.abstract_graph import read_only
from boruvka.graph.exact import inexact
from boruvka.graph.labelled_values import values_of_vertices
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import choice, flag

if TYPE_CHECKING:
    from boruvka.trees.forest import Forest

__all__ = ["Diameter", "Rooted", "rooted"]

OPERATIONS = ("sum", "product", "min", "max")
NEAR = 1e-6
"""Relative difference of an integer from the same product of float64; their rounding is far smaller."""


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
        array of float64, int64 or uint64
            In the shape of the values: float64 for floats, uint64 for uint64, int64 for other integers and
            booleans. Integers are exact. A result is NaN if one of its values is.

        Raises
        ------
        GraphError
            A result does not fit the integers, or float64 does not hold a long double exactly.
        """
        return _combined_exactly(self._read(values, operation), operation, partial(self._combine, False))

    def subtree(self, values: ArrayLike, operation: str = "sum") -> NDArray[Any]:
        """Combine the values of each vertex and all below it.

        Parameters and result are those of `from_root`; ``subtree(numpy.ones(n, int))`` counts vertices.
        """
        return _combined_exactly(self._read(values, operation), operation, partial(self._combine, True))

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

    def _combine(self, upwards: bool, operation: str, values: NDArray[Any]) -> NDArray[Any]:
        """Combine values of float64 or int64, which may wrap around."""
        result = np.array(values, order="C")
        run, code = _combine_up if upwards else _combine_down, np.int64(OPERATIONS.index(operation))
        run(self.order, self.parent, code, result.reshape(len(result), -1))
        return result

    def _read(self, values: ArrayLike, operation: str) -> NDArray[Any]:
        choice("operation", operation, OPERATIONS)
        array = values_of_vertices(self.forest.graph, "values", values, self.forest._numbers)
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
        return f"Rooted(n={self.forest.n}, roots={self.roots.size})"


def rooted(forest: Forest, root: Any) -> Rooted:
    """Implement `Forest.rooted`."""
    order, _, parent, edge = forest._rooted
    if root is None:
        return Rooted(forest, order, parent, edge)
    are_many = isinstance(root, list) or getattr(root, "ndim", 0) > 0
    roots = forest._vertices("root", root if are_many else [root])
    if roots.ndim != 1:
        raise GraphTypeError(f"root must be a vertex, or a list of vertices, got {shown(root)}")
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


def _combined_exactly(
    values: NDArray[Any], operation: str, combine: Callable[[str, NDArray[Any]], NDArray[Any]]
) -> NDArray[Any]:
    """Combine values by a function that may wrap integers around, or raise an error."""
    dtype = values.dtype
    if dtype.kind == "f":
        return combine(operation, values)
    if operation == "sum":  # of both halves of each integer; sums of halves do not overflow
        half = dtype.type(32)
        high = combine("sum", (values >> half).astype(np.int64))
        low = combine("sum", (values & dtype.type(0xFFFFFFFF)).astype(np.int64))
        high += low >> 32
        smallest, largest = np.iinfo(dtype).min >> 32, np.iinfo(dtype).max >> 32
        overflows = (high < smallest) | (high > largest)
        result = (high << 32 | (low & 0xFFFFFFFF)).view(dtype)
    elif operation == "product":  # which, if it does not fit, differs by a multiple of 2**64
        result = combine("product", values.view(np.int64)).view(dtype)
        nearly = combine("product", values.astype(np.float64))
        with np.errstate(invalid="ignore"):
            is_near = np.abs(result.astype(np.float64) - nearly) <= NEAR * np.abs(nearly)
        overflows = ~(is_near & np.isfinite(nearly))
    else:
        lowest = np.iinfo(dtype).min ^ np.iinfo(np.int64).min  # int64 in the same order
        shift = np.array(lowest & (2**64 - 1), np.uint64).view(np.int64)
        return (combine(operation, values.view(np.int64) ^ shift) ^ shift).view(dtype)
    if overflows.any():
        vertex = int(np.argwhere(overflows)[0, 0])
        raise GraphError(
            f"the {operation} at vertex {vertex} does not fit {dtype}: pass values.astype(numpy.float64)"
        )
    return result


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
    if a != a:  # NaN, wherever it is
        return a
    if operation == 2:
        return a if a < b else b
    return a if a > b else b


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
