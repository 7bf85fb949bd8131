"""Spanning trees that are chosen at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.run import solve_graph
from boruvka.errors import GraphError
from boruvka.graph.adjacency import Adjacency, adjacency, find_bridges
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph, check_lists_edges
from boruvka.interop.as_graph import as_graph
from boruvka.kernels.kernel import kernel
from boruvka.operators.counter_rng import mix, stream_key
from boruvka.runtime.arguments import argument, integer, one_of
from boruvka.runtime.round_log import SolveRecord
from boruvka.trees.forest import Forest
from boruvka.trees.vertex_elimination import tree_by_elimination

METHODS = "uniform", "weighted", "random-weights"
STEPS_AT_ONCE = 1 << 24
"""Steps of a random walk in one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
WALK_STEPS, WALK_STEPS_PER_EDGE = 1 << 22, 64
"""Steps of walks, and further ones for each vertex and edge, before vertices are eliminated instead."""
LONG_WALK = 64
"""The limit of steps is this many times as high where elimination takes too long, too: minutes."""
HALF = np.uint64(32)


def random_spanning_tree(graph: Any, seed: int = 0, *, method: str = "uniform") -> Forest:
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
    one_of("method", method, METHODS)
    check_lists_edges(graph, "random trees are of graphs that list their edges, on the host")
    if method == "random-weights":
        numbers = np.random.default_rng(seed).integers(0, 2**63, graph.m)
        edges = solve_graph(Graph(graph.n, graph.u, graph.v, numbers)).edges
        return Forest(graph, edges, _is_optimal=False, record=SolveRecord("random-weights", requested=method))
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
    return Forest(graph, found, _is_optimal=False, record=SolveRecord(algorithm, requested=method))


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
        tree = tree_by_elimination(n, u, v, log_w, int(stream_key(seed, "elimination")))
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
