"""The input: an undirected weighted graph as parallel arrays of edges."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.device import is_on_device
from boruvka.errors import GraphError, GraphTypeError

__all__ = ["MOST_VERTICES", "Graph", "as_graph"]

MOST_VERTICES = 1 << 48
"""More than the bytes of any memory; far below what NumPy refuses as the size of an array."""


@dataclass(frozen=True, eq=False, slots=True)
class Graph:
    """An undirected weighted graph: ``n`` vertices and one entry per edge in parallel arrays.

    Parallel edges, self-loops, isolated vertices and zero, negative or infinite weights are legal.
    Arrays are taken without a copy where their type allows, and held as read-only views; do not
    change them while the graph is in use.

    Parameters
    ----------
    n : int
        Number of vertices, at most 2**48; they are numbered 0 to ``n - 1``.
    u, v : (m,) array_like of integers
        The ends of each edge. Held as uint32, or uint64 where ``n`` exceeds 2**32.
    w : (m,) array_like of integers or floats
        The weight of each edge, of any integer or floating type, kept exactly.

    Raises
    ------
    GraphError
        An id is negative, fractional or not below ``n``, a weight is NaN, or lengths differ, ``n`` is out
        of range, or no type holds all numbers of a list of weights.
    GraphTypeError
        Ids that are no numbers, or weights that are neither integers nor floats.

    See Also
    --------
    Graph.from_edges : the same with ``n`` optional.

    Examples
    --------
    >>> Graph(3, [0, 1, 2], [1, 2, 0], [5, 0, 2])
    Graph(n=3, m=3, weights=int64)
    """

    n: int
    u: NDArray[np.unsignedinteger]
    v: NDArray[np.unsignedinteger]
    w: NDArray[Any]

    def __post_init__(self) -> None:
        n = _vertex_count(self.n)
        u, v, w = _ids("u", self.u), _ids("v", self.v), _weights(self.w)
        if not u.size == v.size == w.size:
            raise GraphError(
                f"u, v and w must have one entry per edge, but have {u.size}, {v.size} and {w.size} entries"
            )
        for name, value in (
            ("n", n),
            ("u", _below(n, "u", u)),
            ("v", _below(n, "v", v)),
            ("w", w),
        ):
            object.__setattr__(self, name, value)
        _no_nan(self)

    @classmethod
    def from_edges(cls, u: ArrayLike, v: ArrayLike, w: ArrayLike, n: int | None = None) -> Graph:
        """Make a graph from parallel arrays of edges.

        Parameters
        ----------
        u, v : (m,) array_like of integers
            The ends of each edge, from 0.
        w : (m,) array_like of integers or floats
            The weight of each edge.
        n : int, optional
            Number of vertices; by default one more than the largest id.

        Returns
        -------
        Graph
            A `DeviceGraph` if an array lies on a GPU: CuPy's, PyTorch's, or another that has
            ``__cuda_array_interface__`` or DLPack.

        Raises
        ------
        GraphError, GraphTypeError
            As for `Graph`.
        """
        if is_on_device(u) or is_on_device(v) or is_on_device(w):
            from boruvka.device_graph import DeviceGraph

            return DeviceGraph(u, v, w, n)
        if n is None:
            u, v = _ids("u", u), _ids("v", v)
            n = max((int(ends.max()) + 1 for ends in (u, v) if ends.size), default=0)
        return cls(n, u, v, w)  # type: ignore[arg-type]

    @classmethod
    def from_scipy(cls, a: Any) -> Graph:
        """Make a graph from a square SciPy sparse array or matrix in any format.

        Every stored entry (i, j) is an edge between i and j, stored zeros too; duplicates of a COO
        array are parallel edges and are not summed; where (i, j) and (j, i) differ, the lighter
        one counts. Edges are numbered in the order in which the array stores its entries. Formats
        that pad (DIA, and BSR with blocks larger than 1 x 1) cannot tell a zero from padding: there
        a zero is no edge.

        Parameters
        ----------
        a : (n, n) sparse array or matrix
            The weights.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            The array is not square, or a weight is NaN.
        GraphTypeError
            Not a sparse array, or its type is neither integer nor floating.
        """
        from scipy import sparse

        if not sparse.issparse(a):
            raise GraphTypeError(f"expected a SciPy sparse array or matrix, got {type(a).__name__}")
        if a.ndim != 2 or a.shape[0] != a.shape[1]:
            raise GraphError(f"an adjacency matrix must be square, this one has shape {a.shape}")
        _weights_type(a.dtype)
        coo = a.tocoo()
        row, column, weight = coo.row, coo.col, coo.data
        if a.format == "dia" or (a.format == "bsr" and a.blocksize != (1, 1)):
            stored = weight != 0
            row, column, weight = row[stored], column[stored], weight[stored]
        return cls(a.shape[0], row, column, weight)

    @classmethod
    def from_dense(cls, a: ArrayLike, *, absent: float | None = 0) -> Graph:
        """Make a graph from a square matrix of weights, which stays where it is and must not change.

        Edges are numbered along the rows, (0, 1) before (0, 2) before (1, 0); entries that hold no
        edge are not counted. Where (i, j) and (j, i) differ, the lighter one counts. The diagonal
        never matters to a spanning forest and is left out.

        Parameters
        ----------
        a : (n, n) array_like or masked array
            The weights. Masked entries are no edges.
        absent : number, optional
            The value that means "no edge": 0 unless given; ``numpy.inf`` or ``numpy.nan`` as some
            libraries have it; None where every entry off the diagonal is an edge. For a masked
            array the mask alone decides.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            The matrix is not square, or a weight is NaN (and NaN does not mean "no edge").
        GraphTypeError
            The type is neither integer nor floating.
        OptionError
            ``absent`` is neither a number nor None.
        """
        matrix = a if isinstance(a, np.ma.MaskedArray) else read_array("the matrix", a)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise GraphError(f"an adjacency matrix must be square, this one has shape {matrix.shape}")
        _weights_type(matrix.dtype)
        from boruvka.matrix_graph import MatrixGraph, is_present, value_of

        if isinstance(matrix, np.ma.MaskedArray):
            present = ~np.ma.getmaskarray(matrix)
            matrix = matrix.data
        elif matrix.dtype.itemsize <= 8:
            return MatrixGraph(matrix.astype(matrix.dtype.newbyteorder("="), copy=False), absent)
        else:
            present = is_present(matrix, value_of(absent, matrix.dtype))
        np.fill_diagonal(present, False)
        u, v = np.nonzero(present)
        return cls.from_edges(u, v, matrix[present], matrix.shape[0])

    @classmethod
    def from_points(cls, points: ArrayLike, distance: str | Callable[[Any, Any], Any] = "euclidean") -> Graph:
        """Make the complete graph of points, weighted by a distance that is computed when it is needed.

        The edges are the pairs (i, j) with i < j, numbered as `scipy.spatial.distance.pdist` numbers
        them. No memory is taken for them.

        Parameters
        ----------
        points : (n,) or (n, d) array_like of integers or floats
            The points.
        distance : str or callable
            "euclidean", "squared_euclidean", "manhattan", "chebyshev", or "hamming" (how many
            coordinates differ); or a plain function of two points that returns an integer or a float,
            symmetric, and such that Numba can compile it.

        Returns
        -------
        DistanceGraph

        Raises
        ------
        GraphError, GraphTypeError
            The points are no array of numbers, or the distance of the first two is none.
        OptionError
            There is no distance of this name.

        Examples
        --------
        >>> from boruvka import minimum_spanning_forest
        >>> minimum_spanning_forest(Graph.from_points([[1, 1, 2], [1, 2, 2], [3, 3, 3]], "hamming")).weight
        4
        """
        from boruvka.distance_graph import DistanceGraph

        return DistanceGraph(points, distance)

    @property
    def m(self) -> int:
        """Number of edges, every entry of the input counted."""
        return self.w.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.w.dtype

    @property
    def is_on_device(self) -> bool:
        """Whether the arrays lie on a GPU: see `DeviceGraph`."""
        return False

    def to_host(self) -> Graph:
        """Give the graph with arrays of the host: itself."""
        return self

    def between(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """View (u, v, w) of the edges from a first index to before a last one."""
        return self.u[first:last], self.v[first:last], self.w[first:last]

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """List (u, v, w) of edges by their indices."""
        return self.u[edges], self.v[edges], self.w[edges]

    def __repr__(self) -> str:
        return f"Graph(n={self.n}, m={self.m}, weights={self.dtype})"


def as_graph(graph: Any) -> Graph:
    """Take a graph in any of the forms that `minimum_spanning_forest` accepts.

    Parameters
    ----------
    graph : Graph, (u, v, w), (u, v, w, n), SciPy sparse array or matrix, or 2-D array
        The graph.

    Returns
    -------
    Graph

    Raises
    ------
    GraphTypeError
        The argument is none of these.
    GraphError
        Its values make no graph.
    """
    if isinstance(graph, Graph):
        return graph
    if isinstance(graph, tuple):
        if len(graph) not in (3, 4):
            raise GraphTypeError(
                f"a graph given as a tuple is (u, v, w) or (u, v, w, n); this one has {len(graph)} items"
            )
        return Graph.from_edges(*graph)
    if isinstance(graph, np.ndarray):
        if graph.ndim != 2:
            raise GraphError(
                f"a graph given as an array is a square matrix of weights; this one has shape {graph.shape}"
            )
        return Graph.from_dense(graph)
    if hasattr(graph, "tocoo"):
        return Graph.from_scipy(graph)
    raise GraphTypeError(
        "expected a Graph, a tuple (u, v, w) or (u, v, w, n), a SciPy sparse array or a 2-D NumPy "
        f"array, got {type(graph).__name__}"
    )


def _vertex_count(n: Any) -> int:
    try:
        count = operator.index(n)
    except TypeError:
        raise GraphTypeError(f"n must be an integer, got {n!r}") from None
    if not 0 <= count <= MOST_VERTICES:
        raise GraphError(
            f"n must be between 0 and 2**48, got {count}; where it is not given, it is one more than the "
            "largest id: number vertices from 0 without gaps"
        )
    return count


def _array(name: str, values: Any) -> NDArray[Any]:
    """View values as a one-dimensional array."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        i = int(np.argmax(np.ma.getmaskarray(values).ravel()))
        raise GraphError(f"{name}[{i}] is masked: an edge has two ends and a weight")
    array = read_array(name, values)
    if array.ndim != 1:
        raise GraphError(f"{name} must have one dimension, this one has shape {array.shape}")
    return array


def read_array(name: str, values: Any) -> NDArray[Any]:
    """Read values as an array, or say by an error of our own that they are none."""
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise GraphTypeError(f"{name} cannot be read as an array: {error}") from None


def _frozen(array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """View an array as read-only, contiguous, aligned and of a type; copy only where it must be."""
    view = np.require(array, dtype, ["C", "A"]).view()
    view.flags.writeable = False
    return view


def _ids(name: str, values: Any) -> NDArray[Any]:
    """Check that ids are whole numbers that are not negative, and view them as unsigned."""
    ids = _array(name, values)
    if ids.size == 0:
        return np.empty(0, np.uint32)
    if ids.dtype.kind == "f":
        whole = (ids == np.floor(ids)) & (np.abs(ids) < np.float64(2**63))
        if not whole.all():
            i = int(np.argmin(whole))
            raise GraphError(f"{name}[{i}] = {ids[i]} is not a vertex: ids are whole numbers")
        ids = ids.astype(np.int64)
    if ids.dtype.kind not in "iu":
        raise GraphTypeError(f"{name} must hold integers, this one has dtype {ids.dtype}")
    if ids.dtype.kind == "u":
        return ids
    if ids.min() < 0:
        i = int(np.argmax(ids < 0))
        raise GraphError(f"{name}[{i}] = {ids[i]} is not a vertex: ids are not negative")
    return ids.astype(ids.dtype.newbyteorder("="), copy=False).view(f"u{ids.dtype.itemsize}")


def _below(n: int, name: str, ids: NDArray[Any]) -> NDArray[Any]:
    """Check that ids are below n; hold them in 32 bits while they fit."""
    if ids.size and ids.max() >= n:
        i = int(np.argmax(ids >= n))
        raise GraphError(f"{name}[{i}] = {ids[i]} is not a vertex: the graph has n = {n} vertices, from 0")
    return _frozen(ids, np.uint32 if n <= 2**32 else np.uint64)


def _weights_type(dtype: np.dtype[Any]) -> None:
    if dtype.kind == "b":
        raise GraphTypeError("weights are booleans; for weights 0 and 1 pass w.astype(numpy.uint8)")
    if dtype.kind not in "iuf":
        raise GraphTypeError(f"weights must be integers or floats, these have dtype {dtype}")


def _weights(values: Any) -> NDArray[Any]:
    weights = _array("w", values)
    if isinstance(values, list | tuple) and weights.dtype.kind == "f" and weights.dtype.itemsize >= 8:
        _not_rounded(weights, values)
    if weights.size == 0 and weights.dtype.kind not in "iuf":
        weights = np.empty(0, np.float64)
    _weights_type(weights.dtype)
    return _frozen(weights, weights.dtype.newbyteorder("="))


def _not_rounded(w: NDArray[Any], values: Sequence[Any]) -> None:
    """Refuse integers that NumPy rounded because floats, or integers of another sign, stand beside them."""
    for i in np.flatnonzero(np.abs(w) >= 2.0**53).tolist():  # below it every integer is exact
        value = values[i]
        if isinstance(value, Integral) and int(w[i]) != int(value):
            raise GraphError(
                f"the weight {value} of edge {i} is no {w.dtype}, the common type of all weights; "
                "let all be integers of at most 64 bits, or all floats"
            )


def _no_nan(graph: Graph) -> None:
    """Name the first edge whose weight is NaN; a minimum is NaN exactly if there is one."""
    w = graph.w
    if w.dtype.kind == "f" and w.size and np.isnan(w.min()):
        i = int(np.argmax(np.isnan(w)))
        raise GraphError(f"edge {i} ({graph.u[i]}, {graph.v[i]}) has the weight NaN")
