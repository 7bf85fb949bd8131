"""Several spanning forests in one call: edge-disjoint ones, those of many small graphs, and random ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.forest.exact_sum import exact_sum
from boruvka.forest.forest import Forest
from boruvka.generators.counter_rng import stream_key
from boruvka.graph.abstract_graph import ImplicitGraph, vertex_dtype
from boruvka.graph.adjacency import adjacency
from boruvka.graph.columns import read_array
from boruvka.graph.connected_components import label_components
from boruvka.graph.distance_matrix import symmetric_matrices
from boruvka.graph.edge_sets import check_lists_edges
from boruvka.graph.graph import Graph
from boruvka.graph.validation import check_weight_dtype
from boruvka.interop.as_graph import as_graph
from boruvka.kernels.kernel import kernel
from boruvka.operators.mixing import mix
from boruvka.runtime.arguments import choice, integer
from boruvka.solve import minimum_spanning_forest

__all__ = ["ForestBatch", "minimum_spanning_forests", "random_spanning_tree", "spanning_forests"]

METHODS = "uniform", "weighted", "random-weights"
STEPS_AT_ONCE = 1 << 24
"""Steps of a random walk in one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
HALF = np.uint64(32)


# Edge-disjoint forests


def spanning_forests(graph: Any, k: int, **options: Any) -> list[Forest]:
    """Find k forests that share no edge, each the minimum spanning forest of what the ones before left.

    Tests of whether two samples are alike (Friedman and Rafsky), and networks of brains or of drug candidates
    that must not depend on single edges, take the union of a few of them.

    Parameters
    ----------
    graph : object
        As for `minimum_spanning_forest`. All pairs of points are listed, in 24 bytes each.
    k : int
        Number of forests.
    **options
        Further arguments of `minimum_spanning_forest`, except for ``required`` and ``excluded``.

    Returns
    -------
    list of Forest
        The first is the minimum spanning forest; later ones have fewer edges if the graph runs out of them.

    Raises
    ------
    OptionError
        k is not positive.
    GraphError, GraphTypeError
        As for `minimum_spanning_forest`.

    Examples
    --------
    >>> import boruvka
    >>> cycle = [0, 1, 2, 0], [1, 2, 0, 2], [1, 2, 3, 4]
    >>> [forest.edges.tolist() for forest in boruvka.spanning_forests(cycle, 2)]
    [[0, 1], [2]]
    """
    graph = as_graph(graph)
    taken, forests = np.zeros(graph.m, bool), []
    for _ in range(integer("k", k, 1)):
        forest = minimum_spanning_forest(graph, excluded=taken, **options)
        taken[forest.edges] = True
        forests.append(forest)
    return forests


# Many small graphs


class ForestBatch(NamedTuple):
    """The minimum spanning forests of many graphs; those of graph i are ``batch.forest(i)``."""

    edges: NDArray[np.int64]
    """(f,) array: index of each chosen edge in its graph."""
    u: NDArray[Any]
    """(f,) array: first end of each chosen edge, in the numbers of its graph."""
    v: NDArray[Any]
    """(f,) array: second ends."""
    w: NDArray[Any]
    """(f,) array: weights."""
    offsets: NDArray[np.int64]
    """(k + 1,) array: the edges of graph i are those from offsets[i] to offsets[i + 1] - 1."""
    n_components: NDArray[np.int64]
    """(k,) array: number of components of each graph."""

    @property
    def weights(self) -> NDArray[Any]:
        """(k,) array: total weight of each forest; floats are rounded as `math.fsum` rounds."""
        parts = np.split(self.w, self.offsets[1:-1])
        return np.array([exact_sum(part) for part in parts])

    def forest(self, i: int) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the edges of graph i: their indices, both ends, weights."""
        here = slice(self.offsets[i], self.offsets[i + 1])
        return self.edges[here], self.u[here], self.v[here], self.w[here]


def minimum_spanning_forests(
    graphs: Any, offsets: ArrayLike | None = None, *, null_value: float | None = None, **options: Any
) -> ForestBatch:
    """Find the minimum spanning forests of many graphs as one solve.

    Parameters
    ----------
    graphs : (k, n, n) array, tuple (u, v, w), or sequence of graphs
        Symmetric matrices of weights, such as distances between time series in k windows; or the edges of all
        graphs, each with vertices from 0, graph after graph; or graphs as `as_graph` takes them.
    offsets : (k + 1,) array_like of integers, optional
        For a tuple: the edges of graph i are those from offsets[i] to offsets[i + 1] - 1. The number of
        vertices of a graph is then one more than its largest.
    null_value : float, optional
        Entry of a matrix that is not an edge; by default every entry off the diagonal is one. NaN never is.
        Of (i, j) and (j, i) that differ by rounding, the lighter counts.
    **options
        Further arguments of `minimum_spanning_forest`.

    Returns
    -------
    ForestBatch
        Edge indices of matrices are those of ``Graph.from_distances``: pairs (i, j) with i < j, row by row.

    Raises
    ------
    GraphError, GraphTypeError
        A matrix is not symmetric, offsets do not ascend from 0 to the number of edges, or as for `as_graph`.

    Warns
    -----
    GraphWarning
        One half of a matrix is empty (all zero, infinite or NaN) and is filled from the other.

    Examples
    --------
    >>> import boruvka
    >>> batch = boruvka.minimum_spanning_forests(([0, 1, 0, 0], [1, 2, 2, 1], [5, 1, 2, 7]), [0, 3, 4])
    >>> batch.edges, batch.offsets, batch.weights
    (array([1, 2, 0]), array([0, 2, 3]), array([3, 7]))
    """
    if isinstance(graphs, tuple) and offsets is not None:
        u, v, w, bounds, sizes = _edges_of_tuple(graphs, offsets)
    elif isinstance(graphs, tuple) or offsets is not None:
        raise GraphTypeError("a tuple (u, v, w) of the edges of all graphs needs offsets, and nothing else")
    elif getattr(graphs, "ndim", 0) == 3:
        return _of_matrices(read_array("graphs", graphs), null_value, options)
    elif isinstance(graphs, Sequence):
        u, v, w, bounds, sizes = _edges_of_graphs(graphs)
    else:
        raise GraphTypeError(
            "graphs are a (k, n, n) array, a tuple (u, v, w) with offsets, or a list of graphs, not "
            f"{type(graphs).__name__}"
        )
    return _solve_together(u, v, w, bounds, sizes, options)


def _solve_together(
    u: NDArray[Any],
    v: NDArray[Any],
    w: NDArray[Any],
    bounds: NDArray[np.int64],
    sizes: NDArray[np.int64],
    options: dict[str, Any],
) -> ForestBatch:
    """Solve graphs side by side: the vertices of each follow those of the one before."""
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
    return ForestBatch(edges, forest.u - before, forest.v - before, forest.w, offsets, sizes - counts)


@kernel
def _move(local, bounds, first, moved):
    """Number the vertices of each graph after those of the graphs before."""
    for k in range(bounds.size - 1):
        for i in range(bounds[k], bounds[k + 1]):
            moved[i] = local[i] + first[k]


def _edges_of_tuple(columns: tuple[Any, ...], offsets: ArrayLike) -> tuple[Any, ...]:
    graph = Graph.from_edges(*columns)
    bounds = read_array("offsets", offsets)
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


def _edges_of_graphs(graphs: Sequence[Any]) -> tuple[Any, ...]:
    found = [as_graph(graph) for graph in graphs]
    if any(isinstance(graph, ImplicitGraph) for graph in found):
        raise GraphTypeError("a batch holds graphs that list their edges; stacked matrices are an array")
    bounds = np.cumsum([0, *(graph.m for graph in found)])
    empty = np.empty(0, np.int64)
    u, v = (np.concatenate([empty, *(getattr(graph, c) for graph in found)]).astype(np.int64) for c in "uv")
    w = np.concatenate([graph.w for graph in found]) if found else empty
    return u, v, w, bounds, np.array([graph.n for graph in found], np.int64)


def _of_matrices(matrices: NDArray[Any], null_value: float | None, options: dict[str, Any]) -> ForestBatch:
    count, n = matrices.shape[:2]
    if matrices.shape[2] != n:
        raise GraphError(f"graphs must be square matrices, these have the shape {matrices.shape[1:]}")
    check_weight_dtype(matrices.dtype)
    matrices = symmetric_matrices("graphs", matrices)
    rows, columns = np.triu_indices(n, 1)
    w = np.minimum(matrices[:, rows, columns], matrices[:, columns, rows]).ravel()
    u, v = np.tile(rows, count), np.tile(columns, count)
    is_edge = w == w
    if null_value is not None:
        is_edge &= w != null_value
    pairs = np.flatnonzero(is_edge)
    bounds = np.searchsorted(pairs, np.arange(count + 1) * rows.size)
    sizes = np.full(count, n)
    batch = _solve_together(u[pairs], v[pairs], w[pairs], bounds, sizes, options)
    graph_of_edge = np.repeat(np.arange(count), np.diff(batch.offsets))
    chosen = pairs[batch.edges + bounds[graph_of_edge]]
    return batch._replace(edges=chosen - graph_of_edge * rows.size)


# Random trees


def random_spanning_tree(graph: Any, seed: int = 0, method: str = "uniform") -> Forest:
    """Choose a spanning tree of each component at random.

    Parameters
    ----------
    graph : object
        As for `as_graph`, with a list of edges.
    seed : int
        Equal seeds choose equal trees.
    method : str
        "uniform": all spanning trees are equally likely. "weighted": the probability of a tree is
        proportional to the product of its weights, which are positive. "random-weights": the minimum spanning
        forest under independent random weights, which is faster, but not uniform.

    Returns
    -------
    Forest

    Raises
    ------
    GraphError, GraphTypeError
        A weight is not positive and finite, with "weighted"; or the graph has no list of edges.

    Notes
    -----
    Source: D. B. Wilson, Generating random spanning trees more quickly than the cover time, STOC 1996,
    296-303: random walks without their loops. They take the mean hitting time of the graph, which is long
    where few edges lead out of large parts.

    Examples
    --------
    >>> import boruvka
    >>> boruvka.random_spanning_tree(([0, 1, 2], [1, 2, 0], [1, 1, 1]), seed=1).edges.size
    2
    """
    graph, seed = as_graph(graph), integer("seed", seed, 0, 2**63 - 1)
    choice("method", method, METHODS)
    check_lists_edges(graph, "random trees are of graphs that list their edges, on the host")
    if method == "random-weights":
        numbers = np.random.default_rng(seed).integers(0, 2**63, graph.m)
        edges = minimum_spanning_forest(Graph(graph.n, graph.u, graph.v, numbers)).edges
        return Forest(graph, edges, algorithm="random-weights")
    edges = np.flatnonzero(graph.u != graph.v)
    slots, neighbour, edge = adjacency(graph.n, graph.u[edges], graph.v[edges])
    edge = edges[edge]
    total = _running_sums(graph.w[edge], slots) if method == "weighted" else np.empty(0)
    labels = label_components(graph.n, graph.u, graph.v)
    is_done, chosen = np.zeros(graph.n, bool), np.zeros(graph.n, np.int64)
    _, roots = np.unique(labels, return_index=True)
    is_done[roots] = True
    state = np.array([0, 0, stream_key(seed, "random spanning tree")], np.uint64)
    while _walk(slots, neighbour, total, is_done, chosen, state, np.uint64(STEPS_AT_ONCE)):
        pass
    others = np.ones(graph.n, bool)
    others[roots] = False
    return Forest(graph, np.sort(edge[chosen[others]]), algorithm="wilson")


def _running_sums(w: NDArray[Any], slots: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the sums of weights from the first slot of a vertex to each of its slots."""
    if w.size and not (np.isfinite(w).all() and w.min() > 0):
        raise GraphError("random trees by weight need weights that are positive and finite")
    total = np.empty(w.size)
    _add_up(w.astype(np.float64), slots, total)
    return total


@kernel
def _add_up(w, slots, total):
    for x in range(slots.size - 1):
        so_far = 0.0
        for slot in range(slots[x], slots[x + 1]):
            so_far += w[slot]
            total[slot] = so_far


@kernel
def _walk(slots, neighbour, total, is_done, chosen, state, steps):
    """Walk from each vertex until the tree is reached; return whether steps ran out before the end.

    ``chosen`` is the slot by which a walk last left a vertex: to follow these slots is the walk without
    loops. ``state`` is the vertex where the walk began, where it is, and the state of the random numbers.
    """
    begin, x, number = np.int64(state[0]), np.int64(state[1]), state[2]
    while begin < is_done.size:
        while not is_done[x]:
            if steps == 0:
                state[0], state[1], state[2] = begin, x, number
                return True
            steps -= np.uint64(1)
            number += np.uint64(1)
            chosen[x] = slot = _next_slot(mix(number), slots[x], slots[x + 1], total)
            x = np.int64(neighbour[slot])
        x = begin
        while not is_done[x]:
            is_done[x] = True
            x = np.int64(neighbour[chosen[x]])
        begin += 1
        x = begin
    return False


def _next_slot(random, first, stop, total):
    """Choose one of the slots of a vertex, by a random number of 64 bits."""
    if total.size == 0:
        degree = np.uint64(stop - first)
        return first + np.int64((random >> HALF) * degree >> HALF)
    target = np.float64(random >> np.uint64(11)) / 2.0**53 * total[stop - 1]
    low, high = first, stop - 1
    while low < high:
        middle = (low + high) // 2
        if total[middle] > target:
            high = middle
        else:
            low = middle + 1
    return low
