"""The minimum spanning forests of mutual reachability distances for many ``min_samples``: CORE-SG.

Idea: all pairs are solved for the largest k alone. The forest of a smaller value lies in a small graph: the
forest of the next larger value k, and the pairs that are nearer than one of their core distances for k. One
point of such a pair is among the k - 2 nearest neighbours of the other [1]_. So there are at most (k - 2) n,
and fewer for each smaller value.

Why it is right: let k' be the smaller value, and w and w' the weights for k and k'. Core distances grow with
k, so w' <= w. Of a pair e outside of the small graph, the distance is not below the core distances for k, so
w'(e) = w(e). As e is not in the forest of k, every edge f on the path in it that connects the ends of e
comes before e in the order (weight, index), so w(f) < w(e), or w(f) = w(e) and f has the smaller index. Then
w'(f) <= w(f) <= w(e) = w'(e), and if w'(f) = w'(e), then w(f) = w(e), so f has the smaller index. So e comes
last on a cycle for k', too, and is not in the forest. The forest of the small graph, in the same order, is
therefore the forest of all pairs, edge by edge, however many distances are equal; and it does not matter
which of equally near neighbours are listed. The triangle inequality is not needed.

.. [1] A. C. A. Neto, J. Sander, R. J. G. B. Campello, M. A. Nascimento, "Core-SG: Efficient Computation of
       Multiple MSTs for Density-Based Methods", ICDE 2022.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.run import SolveOptions, solve_graph
from boruvka.errors import GraphTypeError, OptionError
from boruvka.graph.graph import DistanceGraph, Graph
from boruvka.runtime.arguments import argument, integers
from boruvka.trees.forest import Forest

HALF, LOW = np.uint64(32), np.uint64(2**32 - 1)


def mutual_reachability_forests(
    graph: Any, min_samples: Iterable[int], *, algorithm: str = "auto", threads: int | None = None
) -> list[Forest]:
    """Find the minimum spanning forests of mutual reachability distances for several ``min_samples``.

    Only the forest for the largest value is found among all pairs of points; the others are found in a small
    graph of nearest neighbours [1]_. Each has the same edges as
    ``minimum_spanning_forest(Graph.from_points(points, metric, min_samples=k))``.

    Parameters
    ----------
    graph : DistanceGraph
        Points, as ``Graph.from_points(points, metric)``. It takes memory for as many neighbours of each point
        as the largest value.
    min_samples : iterable of int
        Ranks of the core distance, each from 1 to the number of points, in any order.
    algorithm : str
        As for `minimum_spanning_forest`, for the largest value.
    threads : int, optional
        Number of threads; by default one for each core.

    Returns
    -------
    list of Forest
        One for each value, in the given order.

    Raises
    ------
    GraphTypeError
        The graph has no points.
    OptionError
        A value is not an integer from 1 to the number of points, or as for `minimum_spanning_forest`.
    GraphError
        As for `minimum_spanning_forest`.

    References
    ----------
    .. [1] A. C. A. Neto, J. Sander, R. J. G. B. Campello, M. A. Nascimento, "Core-SG: Efficient Computation
           of Multiple MSTs for Density-Based Methods", ICDE 2022.

    Examples
    --------
    >>> import boruvka
    >>> graph = boruvka.Graph.from_points([0.0, 1.0, 3.0, 3.5, 9.0])
    >>> [forest.weight for forest in boruvka.mutual_reachability_forests(graph, [2, 3, 4])]
    [9.0, 13.5, 18.0]
    """
    if not isinstance(graph, DistanceGraph):
        raise GraphTypeError(
            f"expected points, as Graph.from_points(points, metric), got {type(graph).__name__}; solve "
            "Graph.from_mutual_reachability(distances, k) for each k instead"
        )
    if graph.min_samples is not None:
        raise OptionError(
            f"the graph has {argument('min_samples')} of its own: leave it out of Graph.from_points"
        )
    values = integers("min_samples", min_samples, 1)
    descending = sorted(set(values), reverse=True)
    options = SolveOptions(algorithm=algorithm, threads=threads)
    forests = dict(zip(descending, forests_of_points(graph, descending, options), strict=True))
    return [forests[k] for k in values]


def solve(graph: Graph, options: SolveOptions) -> Forest:
    """Find the minimum spanning forest of a graph."""
    edges, record = solve_graph(graph, options=options)
    return Forest(graph, edges, record=record, _is_optimal=True)


def forests_of_points(graph: DistanceGraph, descending: list[int], options: SolveOptions) -> list[Forest]:
    """Find the forests of points for values in descending order; ``core_factor`` is at most 1."""
    if not descending:
        return []
    largest, *others = descending
    graph = graph.with_min_samples(largest)
    if not others:
        return [solve(graph, options)]
    nearest = np.empty((graph.n, largest - 1), np.uint32)
    graph._initialise(near=nearest)
    forest = solve(graph, options)
    graph._initialise(near=None)  # its memory is not needed any more
    graphs = [graph.with_min_samples(k) for k in others]
    for k, each in zip(others, graphs, strict=True):
        each.keep_core_distances(_core_distances(each, k, nearest))
    small = SmallGraph.of(forest, *_neighbour_pairs(nearest), graph.pairs.weights_at)
    cores = [each.source.core for each in (graph, *graphs)]
    found = zip(graphs, _forests_of_small_graphs(small, cores, options.threads), strict=True)
    return [forest] + [
        Forest(each, each.edges_at(*_as_int64(one.u, one.v)), record=one.record, _is_optimal=True)
        for each, one in found
    ]


def forests_of_matrix(
    distances: NDArray[np.float64], cores: list[NDArray[np.float64]], options: SolveOptions
) -> list[Forest]:
    """Find the forests of a symmetric matrix of distances, for core distances in descending order.

    Each is the forest of a graph of its own, with the ends and weights of the edges among all pairs.
    """
    reach = np.maximum(distances, cores[0][:, None])
    np.maximum(reach, cores[0], out=reach)
    graph = Graph.from_dense(reach, null_value=np.inf)
    forests = [solve(graph, options)]
    if len(cores) > 1:
        u, v = np.nonzero(np.triu(distances < reach, 1))
        small = SmallGraph.of(forests[0], u, v, lambda u, v: distances[u, v])
        forests += _forests_of_small_graphs(small, cores, options.threads)
    return forests


class SmallGraph(NamedTuple):
    """The forest for one value, and pairs that may be in the forest for a smaller one, in order."""

    u: NDArray[np.int64]
    v: NDArray[np.int64]
    distance: NDArray[Any]
    is_chosen: NDArray[np.bool_]
    """Whether each pair is in the forest."""

    @classmethod
    def of(cls, forest: Forest, u: Any, v: Any, distance_of: Callable[[Any, Any], Any]) -> SmallGraph:
        """Join a forest and pairs (u, v), some of which may be equal."""
        chosen = _keys(forest.u, forest.v)
        keys = np.sort(np.concatenate([chosen, _keys(u, v)]))
        keys = keys[np.append(True, keys[1:] != keys[:-1])[: keys.size]]  # np.unique is ten times as slow
        is_chosen = np.zeros(keys.size, bool)
        is_chosen[np.searchsorted(keys, chosen)] = True
        u, v = _as_int64(keys >> HALF, keys & LOW)
        return cls(u, v, distance_of(u, v), is_chosen)


def _forests_of_small_graphs(
    small: SmallGraph, cores: list[NDArray[Any]], threads: int | None
) -> Iterator[Forest]:
    """Find the forests for all arrays of core distances but the first, whose forest the graph holds."""
    u, v, distance, is_chosen = small
    weight = np.maximum(cores[0][u], cores[0][v])
    for core in cores[1:]:
        kept = np.flatnonzero(is_chosen | (distance < weight))
        u, v, distance = u[kept], v[kept], distance[kept]
        weight = np.maximum(distance, np.maximum(core[u], core[v]))
        forest = solve(Graph(core.size, u, v, weight), SolveOptions(threads=threads))
        is_chosen = np.zeros(kept.size, bool)
        is_chosen[forest.edges] = True
        yield forest


def _neighbour_pairs(nearest: NDArray[np.uint32]) -> tuple[NDArray[Any], NDArray[Any]]:
    """List the pairs of nearest neighbours, smaller end first, without the last neighbour of each point.

    The last one is not nearer than the core distance.
    """
    n, columns = len(nearest), max(nearest.shape[1] - 1, 0)
    near, own = nearest[:, :columns].ravel(), np.arange(n, dtype=np.uint32).repeat(columns)
    is_pair = (near != own) & (near < n)
    near, own = near[is_pair], own[is_pair]
    return np.minimum(own, near), np.maximum(own, near)


def _core_distances(graph: DistanceGraph, k: int, nearest: NDArray[np.uint32]) -> NDArray[Any]:
    """Compute the core distances for a value from the nearest points of each point."""
    core = np.zeros(graph.n, graph.dtype)
    if k == 1:  # the distance to itself
        return core
    last = nearest[:, k - 2].astype(np.int64)
    core[:] = np.inf if graph.dtype.kind == "f" else np.iinfo(graph.dtype).max
    found = np.flatnonzero(last < graph.n)
    ends = np.minimum(found, last[found]), np.maximum(found, last[found])
    core[found] = graph.pairs.weights_at(*ends)
    return core


def _keys(u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.uint64]:
    return (u.astype(np.uint64) << HALF) | v.astype(np.uint64)


def _as_int64(u: NDArray[Any], v: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return u.astype(np.int64), v.astype(np.int64)
