"""The minimum spanning forests of many small graphs, found as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.graph.columns import listed, read_array, read_numbers
from boruvka.graph.derived_graphs import MaskedGraph
from boruvka.graph.exact import exact_sum
from boruvka.graph.graph import Graph, MatrixGraph, check_lists_edges
from boruvka.graph.matrix import is_present, null_value_of, symmetric_matrices
from boruvka.graph.validation import check_weight_dtype, edge_mask, edge_weights, vertex_dtype
from boruvka.interop.as_graph import as_graph
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import argument, hint, integer
from boruvka.trees.forest import Forest
from boruvka.trees.minimum_spanning import minimum_spanning_forest

__all__ = ["ForestBatch", "minimum_spanning_forests"]


class ForestBatch(NamedTuple):
    """The minimum spanning forests of many graphs; ``batch.forest(i)`` is the forest of graph i."""

    edges: NDArray[np.int64]
    """(f,) array: index of each chosen edge in its graph."""
    u: NDArray[Any]
    """(f,) array: first end of each chosen edge, in the numbers of its graph."""
    v: NDArray[Any]
    """(f,) array: second ends."""
    w: NDArray[Any]
    """(f,) array: weights; an array of objects if the graphs have weights of several types."""
    offsets: NDArray[np.int64]
    """(k + 1,) array: the edges of graph i are those from offsets[i] to offsets[i + 1] - 1."""
    n_components: NDArray[np.int64]
    """(k,) array: number of components of each graph."""
    dtypes: tuple[np.dtype[Any], ...]
    """Type of the weights of each graph."""
    maximum: bool
    """Whether they are maximum spanning forests."""
    graph_of: Callable[[int], Graph]
    """Makes the graph with a number."""

    @property
    def weight(self) -> NDArray[Any]:
        """(k,) array: total weight of each forest; floats are rounded as `math.fsum` rounds.

        Of objects if some are integers and others floats, or if no integer type holds all.
        """
        parts = np.split(self.w, self.offsets[1:-1]) if self.dtypes else []
        sums = [exact_sum(w.astype(t, copy=False)) for w, t in zip(parts, self.dtypes, strict=True)]
        kinds = {type(total) for total, size in zip(sums, np.diff(self.offsets), strict=True) if size}
        if kinds == {float} or (not kinds and self.w.dtype.kind == "f"):
            return np.array(sums, np.float64)
        if float not in kinds:
            sums = list(map(int, sums))  # a forest without edges may have 0.0
            for dtype in np.int64, np.uint64:
                with suppress(OverflowError):
                    return np.array(sums, dtype)
        return np.array(sums, object)

    def forest(self, i: int) -> Forest:
        """Return the forest of graph i; negative numbers count from the last graph, as in lists.

        Raises
        ------
        OptionError
            There is no such graph.
        """
        count = len(self.dtypes)
        if not count:
            raise OptionError("the batch has no graph")
        i = integer("i", i, -count, count - 1) % count
        return Forest(self.graph_of(i), self.edges[self.offsets[i] : self.offsets[i + 1]], self.maximum)


def minimum_spanning_forests(
    graphs: Any, offsets: ArrayLike | None = None, *, null_value: float | None = None, **options: Any
) -> ForestBatch:
    """Find the minimum spanning forests of many graphs as one solve.

    Parameters
    ----------
    graphs : (k, n, n) array, tuple (u, v, w), or sequence of graphs
        Symmetric matrices of weights, such as distances between time series in k windows; or the edges of all
        graphs, each with vertices from 0, graph after graph; or graphs as `as_graph` takes them, where a
        matrix is ``Graph.from_dense(matrix)``. Each keeps the type of its weights, and none is rounded.
    offsets : (k + 1,) array_like of integers, optional
        For a tuple: the edges of graph i are those from offsets[i] to offsets[i + 1] - 1. The number of
        vertices of a graph is then one more than its largest.
    null_value : float, optional
        Entry of stacked matrices that is not an edge; by default every entry off the diagonal is one. NaN
        never is. Of (i, j) and (j, i) that differ by rounding, the lighter counts.
    **options
        Further arguments of `minimum_spanning_forest`. Edges that are required or excluded are numbered graph
        after graph; the edges of a matrix are all pairs.

    Returns
    -------
    ForestBatch
        Edges of a matrix are numbered as in ``Graph.from_distances``: pairs (i, j) with i < j, row by row.

    Raises
    ------
    GraphError, GraphTypeError
        A matrix is not symmetric, offsets do not ascend from 0 to the number of edges, or as for `as_graph`.
    OptionError
        ``null_value`` is no number, or it is given without stacked matrices.

    Warns
    -----
    GraphWarning
        One half of a matrix is empty (all zero, infinite or NaN) and is filled from the other.

    Examples
    --------
    >>> import boruvka
    >>> batch = boruvka.minimum_spanning_forests(([0, 1, 0, 0], [1, 2, 2, 1], [5, 1, 2, 7]), [0, 3, 4])
    >>> batch.edges, batch.offsets, batch.weight
    (array([1, 2, 0]), array([0, 2, 3]), array([3, 7]))
    """
    is_stack = not isinstance(graphs, tuple) and getattr(graphs, "ndim", 0) == 3
    if null_value is not None and not is_stack:
        dense = hint("; in a list, write Graph.from_dense(matrix, {null_value})", null_value=null_value)
        raise OptionError(f"{argument('null_value')} is for matrices that are stacked in one array{dense}")
    if isinstance(graphs, tuple) and offsets is not None:
        u, v, w, bounds, sizes = _edges_of_tuple(graphs, offsets)
        return _solve_together(u, v, w, bounds, sizes, options)
    if isinstance(graphs, tuple) or offsets is not None:
        raise GraphTypeError("a tuple (u, v, w) of the edges of all graphs needs offsets, and nothing else")
    if is_stack:
        return _of_matrices(read_array("graphs", graphs), null_value, options)
    if isinstance(graphs, Sequence) and not isinstance(graphs, str | bytes | bytearray | memoryview):
        return _of_list(listed("graphs", graphs), options)
    raise GraphTypeError(
        "graphs are a (k, n, n) array, a tuple (u, v, w) with offsets, or a list of graphs, not "
        f"{type(graphs).__name__}"
    )


def _solve_together(
    u: NDArray[Any],
    v: NDArray[Any],
    w: NDArray[Any],
    bounds: NDArray[np.int64],
    sizes: NDArray[np.int64],
    options: dict[str, Any],
) -> ForestBatch:
    """Solve graphs side by side: the vertices of each follow the vertices of the one before."""
    first = np.concatenate([[0], np.cumsum(sizes)])
    n = int(first[-1])
    ends = np.empty((2, u.size), vertex_dtype(n))
    for local, moved in zip((u, v), ends, strict=True):
        _move(local, bounds, first, moved)
    forest = minimum_spanning_forest(Graph(n, ends[0], ends[1], w), **options)
    offsets = np.searchsorted(forest.edges, bounds)
    counts = np.diff(offsets)
    before = np.repeat(first[:-1].astype(ends.dtype), counts)
    edges = forest.edges - np.repeat(bounds[:-1], counts)
    return ForestBatch(
        edges=edges,
        u=forest.u - before,
        v=forest.v - before,
        w=forest.w,
        offsets=offsets,
        n_components=sizes - counts,
        dtypes=(w.dtype,) * sizes.size,
        maximum=forest.maximum,
        graph_of=partial(_graph_of_tuple, (u, v, w), bounds, sizes),
    )


def _graph_of_tuple(
    columns: tuple[NDArray[Any], ...], bounds: NDArray[np.int64], sizes: NDArray[np.int64], i: int
) -> Graph:
    return Graph(int(sizes[i]), *(column[bounds[i] : bounds[i + 1]] for column in columns))


@kernel
def _move(local, bounds, first, moved):
    """Number the vertices of each graph after the vertices of the graphs before."""
    for k in range(bounds.size - 1):
        for i in range(bounds[k], bounds[k + 1]):
            moved[i] = local[i] + first[k]


def _edges_of_tuple(columns: tuple[Any, ...], offsets: ArrayLike) -> tuple[Any, ...]:
    if len(columns) != 3:
        raise GraphTypeError(f"the edges of all graphs are (u, v, w), this tuple has {len(columns)} items")
    graph = Graph.from_edges(*columns)
    bounds = read_numbers("offsets", offsets)
    if bounds.ndim != 1 or bounds.size < 1 or bounds.dtype.kind not in "iu":
        raise GraphTypeError(f"offsets must be integers, not {bounds.dtype} of shape {bounds.shape}")
    bounds = bounds.astype(np.int64)
    if bounds[0] != 0 or bounds[-1] != graph.m or (np.diff(bounds) < 0).any():
        raise GraphError(f"offsets must ascend from 0 to {graph.m}, the number of edges")
    if graph.names is not None:
        raise GraphTypeError("vertices of the graphs of a batch are numbers from 0")
    u, v = graph.u, graph.v
    sizes = np.zeros(bounds.size - 1, np.int64)
    filled = np.flatnonzero(np.diff(bounds))
    if filled.size:
        sizes[filled] = np.maximum.reduceat(np.maximum(u, v), bounds[filled]).astype(np.int64) + 1
    return u, v, graph.w, bounds, sizes


def _of_list(graphs: Sequence[Any], options: dict[str, Any]) -> ForestBatch:
    found = [_with_edges(graph) for graph in graphs]
    bounds = np.cumsum([0, *(graph.m for graph in found)])
    columns = [graph.edges_in_range(0, graph.m) for graph in found]
    empty = np.empty(0, np.int64)
    u, v = (np.concatenate([empty, *(column[k] for column in columns)]).astype(np.int64) for k in range(2))
    weights = [w for _, _, w in columns if w.size]
    is_mixed = len({w.dtype for w in weights}) > 1
    if is_mixed:  # integers in the order of the weights of each graph
        keys = [np.unique(w, return_inverse=True)[1] for w in weights]
    w = np.concatenate(keys if is_mixed else weights or [empty])
    batch = _solve_together(u, v, w, bounds, np.array([graph.n for graph in found], np.int64), options)
    batch = batch._replace(dtypes=tuple(graph.dtype for graph in found), graph_of=found.__getitem__)
    if not is_mixed:
        return batch
    chosen = zip(columns, np.split(batch.edges, batch.offsets[1:-1]), strict=True)
    listed = [weight for (_, _, w), edges in chosen for weight in w[edges]]
    return batch._replace(w=np.fromiter(listed, object, len(listed)))


def _with_edges(graph: Any) -> Graph:
    """Return a graph that lists its edges; whether zeros of a matrix are edges must be stated."""
    found = as_graph(graph)
    if isinstance(found, MatrixGraph) and found is not graph:
        raise GraphTypeError(
            "a list of graphs has a matrix, whose zeros may be edges or none: write Graph.from_dense(matrix) "
            "or Graph.from_distances(matrix); stacked matrices are an array"
        )
    if not isinstance(found, MatrixGraph):
        check_lists_edges(found, "a batch holds matrices, and graphs that list their edges, on the host")
    return found


def _of_matrices(matrices: NDArray[Any], null_value: float | None, options: dict[str, Any]) -> ForestBatch:
    count, n = matrices.shape[:2]
    if matrices.shape[2] != n:
        raise GraphError(f"graphs must be square matrices, these have the shape {matrices.shape[1:]}")
    check_weight_dtype(matrices.dtype)
    matrices = symmetric_matrices("graphs", matrices)
    rows, columns = np.triu_indices(n, 1)
    w = edge_weights(np.minimum(matrices[:, rows, columns], matrices[:, columns, rows]).ravel())
    u, v = np.tile(rows, count), np.tile(columns, count)
    is_edge = (w == w) & is_present(w, null_value_of(null_value, w.dtype))
    pairs, w_of_pairs = np.flatnonzero(is_edge), w
    if options.get("required") is not None or options.get("excluded") is not None:  # these number all pairs
        excluded, required = (edge_mask(name, options.get(name), w.size) for name in ("excluded", "required"))
        if (required & ~is_edge).any():
            i, pair = divmod(int(np.argmax(required & ~is_edge)), rows.size)
            ends = f"({rows[pair]}, {columns[pair]})"
            raise GraphError(f"required has {i * rows.size + pair}: matrix {i} has no edge {ends}")
        options = options | {"excluded": excluded | ~is_edge}
        pairs, w = np.arange(w.size), np.where(is_edge, w, w.dtype.type(0))
    bounds = np.searchsorted(pairs, np.arange(count + 1) * rows.size)
    sizes = np.full(count, n)
    batch = _solve_together(u[pairs], v[pairs], w[pairs], bounds, sizes, options)
    graph_of_edge = np.repeat(np.arange(count), np.diff(batch.offsets))
    chosen = pairs[batch.edges + bounds[graph_of_edge]]
    graph_of = partial(_graph_of_matrix, n, w_of_pairs, is_edge)
    return batch._replace(edges=chosen - graph_of_edge * rows.size, graph_of=graph_of)


def _graph_of_matrix(n: int, w: NDArray[Any], is_edge: NDArray[np.bool_], i: int) -> Graph:
    """Make the graph of a matrix, whose edges are all pairs, without the pairs that are not edges."""
    rows, columns = np.triu_indices(n, 1)
    here = slice(i * rows.size, (i + 1) * rows.size)
    graph = Graph(n, rows, columns, np.where(is_edge[here], w[here], w.dtype.type(0)))
    return graph if is_edge[here].all() else MaskedGraph(graph, np.flatnonzero(~is_edge[here]))
