"""A rooted forest: parents, depths, values combined along paths and in subtrees, the longest path."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError, shown, warn
from boruvka.graph.columns import read_only
from boruvka.graph.exact import inexact
from boruvka.graph.labels import are_crossings, values_of_vertices
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import flag, one_of
from boruvka.trees.structure import RootOrder

OPERATIONS = {"sum": 0, "product": 1, "min": np.inf, "max": -np.inf}
"""Operations, and the values that change no result of them."""
NEAR = 2.0**62
"""Difference of a result from the result in float64 at which it does not fit; rounding is far smaller."""


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

    def __init__(self, forest: Any, order: Any, parent: Any, edge: Any, trees: Any = None):
        self.forest, self._trees = forest, trees
        self.order, self.parent, self._edge = map(read_only, (order, parent, edge))

    @classmethod
    def of(cls, forest: Any, root: Any) -> RootedForest:
        """Root the trees of a forest; ``root`` is as for `Forest.rooted`."""
        rooted = forest.structure.roots
        if root is None:
            return cls(forest, rooted.order, rooted.parent, rooted.edge)
        are_many = isinstance(root, list) or getattr(root, "ndim", 0) > 0
        roots = forest.vertex_numbers("root", root if are_many else [root])
        if roots.ndim != 1:
            raise GraphTypeError(f"root must be a vertex, or a list of vertices, got {shown(root)}")
        trees = forest.labels[roots]
        if (trees < 0).any():
            outside = shown(forest.graph.shown_id(roots[trees < 0]).tolist()[0])
            raise GraphError(f"root: {outside} is not in the tree, such as a place that no path connects")
        if np.unique(trees).size < trees.size:
            raise GraphError("root has two vertices of one tree: give one for each")
        return cls(forest, *reroot(rooted, roots), trees)

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
        """Sum of the weights from the root to each vertex.

        It is infinite for vertices in no tree, and in trees without a root that was given, if one was.
        """
        found = self.from_root(self._of_parent_edge(self.forest.w, 0).astype(np.float64))
        labels = self.forest.labels
        found[labels < 0 if self._trees is None else ~np.isin(labels, self._trees)] = np.inf
        return read_only(found)

    def from_root(self, values: ArrayLike, operation: str = "sum") -> NDArray[Any]:
        """Combine values from the root down to each vertex, both included.

        Parameters
        ----------
        values : (n,) or (n, p) array_like of numbers, mapping or frame
            A value, or several, for each vertex; the values of a mapping, a frame or a series are taken by
            the labels of vertices. In a graph of lines, vertices without a value change no result.
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

        Warns
        -----
        GraphWarning
            A value of a mapping, a frame or a series is missing.
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
        below, end = np.zeros(forest.n), np.arange(forest.n)
        longest, *ends = _longest_path(self.order, self.parent, length, below, end)
        names = forest.graph.name_of(np.array(ends))
        return Diameter(float(longest), tuple(names.tolist()))

    def _of_parent_edge(self, values: NDArray[Any], otherwise: Any) -> NDArray[Any]:
        """Return a value for each vertex: the value of the edge to its parent."""
        found = np.full(self.forest.n, otherwise, np.result_type(values, np.int8))
        has_parent = self.parent >= 0
        found[has_parent] = values[self._edge[has_parent]]
        return found

    def _read(self, values: ArrayLike, operation: str) -> NDArray[Any]:
        one_of("operation", operation, tuple(OPERATIONS))
        graph = self.forest.graph
        otherwise = OPERATIONS[operation] if are_crossings(graph).any() else None
        array = values_of_vertices(graph, "values", values, self.forest.number_of_name, otherwise=otherwise)
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
        gaps = np.unique(np.argwhere(np.isnan(array))[:, 0])
        if gaps.size and not isinstance(values, np.ndarray):
            warn(
                f"{gaps.size:,} vertices have no value, so that results with one of them are NaN: "
                f"{shown(graph.shown_id(gaps).tolist())}; fillna({OPERATIONS[operation]}) leaves them out"
            )
        return array.astype(np.float64)

    def __repr__(self) -> str:
        return f"RootedForest(n={self.forest.n}, roots={self.roots.size})"


def reroot(
    rooted: RootOrder, roots: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Make vertices of different trees the roots of their trees.

    Returns
    -------
    order, parent, edge : (n,) arrays of int64
        As in `RootOrder`.
    """
    parent, edge = rooted.parent.copy(), rooted.edge.copy()
    path = np.empty(parent.size, np.int64)
    paths = [np.empty(0, np.int64)]
    for vertex in roots.tolist():
        length = _reverse_path(np.int64(vertex), parent, edge, path)
        paths.append(path[:length].copy())
    first = np.concatenate(paths)
    is_first = np.zeros(parent.size, bool)
    is_first[first] = True
    return np.concatenate([first, rooted.order[~is_first[rooted.order]]]), parent, edge


def combine(
    order: NDArray[np.int64], parent: NDArray[np.int64], values: NDArray[Any], operation: str, upwards: bool
) -> NDArray[Any]:
    """Combine values from the root down to each vertex, or of all vertices below each, both included.

    Parameters
    ----------
    order, parent : (n,) arrays of int64
        The vertices, parents first, and the parent of each vertex.
    values : (n,) or (n, p) array of float64, int64 or uint64
        A value, or several, for each vertex.
    operation : str
        One of `OPERATIONS`.
    upwards : bool
        Combine the values of subtrees, instead of paths from the root.

    Raises
    ------
    GraphError
        A result does not fit the integers.
    """
    code = np.int64([*OPERATIONS].index(operation))

    def combined(values: NDArray[Any]) -> NDArray[Any]:
        result = np.array(values, order="C")
        _combine(order, parent, code, upwards, result.reshape(len(result), -1))
        return result

    result = combined(values)
    if values.dtype.kind == "f" or operation in ("min", "max"):
        return result
    with np.errstate(over="ignore", invalid="ignore"):  # a result that does not fit differs by 2**64, or more
        is_right = np.abs(result.astype(np.float64) - combined(values.astype(np.float64))) < NEAR
    if not is_right.all():
        vertex = int(np.argwhere(~is_right)[0, 0])
        raise GraphError(
            f"the {operation} at vertex {vertex} does not fit {values.dtype}: pass "
            "values.astype(numpy.float64)"
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
def _combine(order, parent, operation, upwards, values):
    """Combine the value of each vertex with the value of its parent, and store it there, or at the vertex."""
    for k in range(order.size):
        x = order[order.size - 1 - k] if upwards else order[k]
        p = parent[x]
        if p >= 0:
            for j in range(values.shape[1]):
                values[p if upwards else x, j] = _combined(operation, values[p, j], values[x, j])


def _combined(operation, a, b):
    """Combine two values by an operation, given by its place in `OPERATIONS`."""
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
