"""Several spanning forests in one call: edge-disjoint ones, those of many small graphs, and random ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.graph.abstract_graph import AbstractGraph, vertex_dtype
from boruvka.graph.adjacency import Adjacency, adjacency
from boruvka.graph.bridges import find_bridges
from boruvka.graph.columns import listed, read_array, read_numbers
from boruvka.graph.connected_components import label_components
from boruvka.graph.distance_matrix import symmetric_matrices
from boruvka.graph.edge_sets import check_lists_edges, edge_mask
from boruvka.graph.graph import Graph
from boruvka.graph.matrix_graph import MatrixGraph, is_present, null_value_of
from boruvka.graph.validation import check_weight_dtype, edge_weights
from boruvka.interop.as_graph import as_graph
from boruvka.kernels.kernel import kernel
from boruvka.operators.counter_rng import mix, stream_key
from boruvka.runtime.arguments import argument, choice, hint, integer
from boruvka.trees.exact_sum import exact_sum
from boruvka.trees.forest import Forest
from boruvka.trees.solve import minimum_spanning_forest
from boruvka.trees.vertex_elimination import tree_by_elimination

__all__ = ["ForestBatch", "minimum_spanning_forests", "random_spanning_tree", "spanning_forests"]

METHODS = "uniform", "weighted", "random-weights"
STEPS_AT_ONCE = 1 << 24
"""Steps of a random walk in one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
WALK_STEPS, WALK_STEPS_PER_EDGE = 1 << 22, 64
"""Steps of walks, and further ones for each vertex and edge, before vertices are eliminated instead."""
LONG_WALK = 64
"""So many times as many steps are walked where elimination takes too long, too: minutes."""
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
        Further arguments of `minimum_spanning_forest`, except for ``required``. No forest has ``excluded``
        edges.

    Returns
    -------
    list of Forest
        The first is the minimum spanning forest; later ones have fewer edges if the graph runs out of them.

    Raises
    ------
    OptionError
        k is not positive, or edges are required.
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
    if options.pop("required", None) is not None:
        raise OptionError(
            "required edges would be in every forest, but no edge may be in two: leave them out"
        )
    if graph.is_on_device:
        raise GraphTypeError("forests that share no edge are of graphs on the host: copy the arrays first")
    taken, forests = edge_mask("excluded", options.pop("excluded", None), graph.m), []
    for left in reversed(range(integer("k", k, 1))):
        forest = minimum_spanning_forest(graph, excluded=taken, **options)
        forests.append(forest)
        if not len(forest):  # all others are empty, too
            return forests + [forest] * left
        taken[forest.edges] = True
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
    """(f,) array: weights; of objects if those of the graphs have several types."""
    offsets: NDArray[np.int64]
    """(k + 1,) array: the edges of graph i are those from offsets[i] to offsets[i + 1] - 1."""
    n_components: NDArray[np.int64]
    """(k,) array: number of components of each graph."""
    dtypes: tuple[np.dtype[Any], ...]
    """Type of the weights of each graph."""

    @property
    def weights(self) -> NDArray[Any]:
        """(k,) array: total weight of each forest; floats are rounded as `math.fsum` rounds.

        Of objects if some are integers and others floats, or if no integer type holds all.
        """
        sums = [exact_sum(self.forest(i)[3]) for i in range(len(self.dtypes))]
        kinds = {type(total) for total, size in zip(sums, np.diff(self.offsets), strict=True) if size}
        if kinds == {float} or (not kinds and self.w.dtype.kind == "f"):
            return np.array(sums, np.float64)
        if float in kinds:
            return np.array(sums, object)
        whole = [int(total) for total in sums]
        low, high = min(whole, default=0), max(whole, default=0)
        is_signed, is_unsigned = low >= -(2**63) and high < 2**63, low >= 0 and high < 2**64
        return np.array(whole, np.int64 if is_signed else np.uint64 if is_unsigned else object)

    def forest(self, i: int) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the edges of graph i: their indices, both ends, weights in the type of the graph.

        Negative numbers count from the last graph, as in lists.

        Raises
        ------
        OptionError
            There is no such graph.
        """
        count = len(self.dtypes)
        if not count:
            raise OptionError("the batch has no graph")
        i = integer("i", i, -count, count - 1) % count
        here = slice(self.offsets[i], self.offsets[i + 1])
        w = self.w[here].astype(self.dtypes[i], copy=False)
        return self.edges[here], self.u[here], self.v[here], w


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
        after graph; those of matrices are all pairs.

    Returns
    -------
    ForestBatch
        Edge indices of matrices are those of ``Graph.from_distances``: pairs (i, j) with i < j, row by row.

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
    >>> batch.edges, batch.offsets, batch.weights
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
    ends_of_graph = forest.u - before, forest.v - before
    return ForestBatch(edges, *ends_of_graph, forest.w, offsets, sizes - counts, (w.dtype,) * sizes.size)


@kernel
def _move(local, bounds, first, moved):
    """Number the vertices of each graph after those of the graphs before."""
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
    columns = [graph.edge_slice(0, graph.m) for graph in found]
    empty = np.empty(0, np.int64)
    u, v = (np.concatenate([empty, *(column[k] for column in columns)]).astype(np.int64) for k in range(2))
    weights = [w for _, _, w in columns if w.size]
    is_mixed = len({w.dtype for w in weights}) > 1
    if is_mixed:  # integers in the order of the weights of each graph
        keys = [np.unique(w, return_inverse=True)[1] for w in weights]
    w = np.concatenate(keys if is_mixed else weights or [empty])
    batch = _solve_together(u, v, w, bounds, np.array([graph.n for graph in found], np.int64), options)
    batch = batch._replace(dtypes=tuple(graph.dtype for graph in found))
    if not is_mixed:
        return batch
    chosen = zip(columns, np.split(batch.edges, batch.offsets[1:-1]), strict=True)
    listed = [weight for (_, _, w), edges in chosen for weight in w[edges]]
    return batch._replace(w=np.fromiter(listed, object, len(listed)))


def _with_edges(graph: Any) -> AbstractGraph:
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
    pairs = np.flatnonzero(is_edge)
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
        A weight is not positive and finite, with "weighted"; or the graph has no list of edges. Or walks take
        too long, and the graph is too large for elimination.

    Notes
    -----
    Bridges are in every tree. For the rest: D. B. Wilson, Generating random spanning trees more quickly than
    the cover time, STOC 1996, 296-303: random walks without their loops. They take the mean hitting time of
    the graph, which is long where few edges, or light ones, lead out of large parts. Where it is too long,
    vertices are eliminated, which suits any weights, but takes O(n³) time in dense graphs. Weights then count
    with twelve digits.

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
        return Forest(graph, edges, algorithm="random-weights", optimal=False)
    edges = np.flatnonzero(graph.u != graph.v)
    w = graph.w[edges] if method == "weighted" else None
    if w is not None and w.size and not (np.isfinite(w).all() and w.min() > 0):
        raise GraphError("random trees by weight need weights that are positive and finite")
    lists = adjacency(graph.n, graph.u[edges], graph.v[edges])
    is_bridge = find_bridges(lists, edges.size)  # in every tree, and long ways for a walk
    bridges = edges[is_bridge]
    if bridges.size:
        edges, w = edges[~is_bridge], None if w is None else w[~is_bridge]
        lists = adjacency(graph.n, graph.u[edges], graph.v[edges])
    chosen, algorithm = _choose_tree(graph.n, graph.u[edges], graph.v[edges], w, lists, seed)
    found = np.sort(np.concatenate([bridges, edges[chosen]]))
    return Forest(graph, found, algorithm=algorithm, optimal=False)


def _choose_tree(
    n: int, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any] | None, lists: Adjacency, seed: int
) -> tuple[NDArray[np.int64], str]:
    """Choose a tree of each component by random walks, or by elimination where these take too long.

    That changes no probabilities: the loops of walks are independent of their tree (Wilson 1996), and
    elimination has random numbers of its own.
    """
    slots, neighbour, edge = lists
    total = np.empty(0) if w is None else _running_sums(w[edge], slots)
    is_done, next_slot = np.zeros(n, bool), np.zeros(n, np.int64)
    _, roots = np.unique(label_components(n, u, v), return_index=True)
    is_done[roots] = True
    state = np.array([0, 0, stream_key(seed, "random spanning tree")], np.uint64)
    walk = slots, neighbour, total, is_done, next_slot, state
    few = WALK_STEPS + WALK_STEPS_PER_EDGE * (n + u.size)
    is_found = _walk_on(walk, few)
    if not is_found:
        log_w = np.zeros(u.size) if w is None else _logarithms(w)
        tree = tree_by_elimination(n, u, v, log_w, np.array([stream_key(seed, "elimination")]))
        if tree is not None:
            return tree, "elimination"
        is_found = _walk_on(walk, LONG_WALK * few)
    if not is_found:
        raise GraphError(
            f"a random walk on this graph takes more than {LONG_WALK * few:,} steps, as few or light edges "
            f"lead out of large parts: {argument('method', 'random-weights')} does not walk"
        )
    is_other = np.ones(n, bool)
    is_other[roots] = False
    return edge[next_slot[is_other]].astype(np.int64), "wilson"


def _walk_on(walk: tuple[Any, ...], steps: int) -> bool:
    """Walk for some more steps; return whether the tree is found."""
    for first in range(0, steps, STEPS_AT_ONCE):
        if not _walk(*walk, np.uint64(min(STEPS_AT_ONCE, steps - first))):
            return True
    return False


def _running_sums(w: NDArray[Any], slots: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the sums of weights from the first slot of a vertex to each of its slots.

    Only their ratios matter: the largest weight of each vertex becomes 1, so that no sum overflows.
    """
    has_slots = np.flatnonzero(np.diff(slots))
    largest = np.maximum.reduceat(w, slots[has_slots]) if w.size else w
    scaled = (w / np.repeat(largest, np.diff(slots)[has_slots])).astype(np.float64)
    total = np.empty(w.size)
    _add_up(scaled, slots, total)
    return total


def _logarithms(w: NDArray[Any]) -> NDArray[np.float64]:
    return np.log(w.astype(np.result_type(w, np.float64))).astype(np.float64)


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
