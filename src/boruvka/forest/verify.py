"""Is it a forest, does it span, is it minimum: a check that shares nothing with the solvers.

The forest's edges are joined from the lightest to the heaviest, smaller trees under larger ones and
no path ever shortened, and every vertex remembers when it was hung. Then the heaviest edge on the
forest's path between two vertices is the last one met where their ways up the tree meet, at most
log2(n) steps away. An edge outside the forest must come after it in the order (weight, index).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.compiler import kernel
from boruvka.backends.device_arrays import on_host
from boruvka.errors import GraphTypeError
from boruvka.forest.forest import Forest
from boruvka.graph.graph import Graph, as_graph, to_host
from boruvka.runtime.processors import processors

__all__ = ["Verification", "verify"]

PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification found; true exactly if nothing is wrong.

    Attributes
    ----------
    ok : bool
        Whether the edges are the minimum spanning forest.
    message : str
        What is wrong, with a witness, or that nothing is.
    edge : int or None
        The edge that is wrong: not an edge, twice in the forest, closing a cycle, joining two trees,
        or lighter than an edge on the path between its ends.
    heavier : int or None
        That edge of the forest, where the forest is not minimum.
    """

    ok: bool
    message: str
    edge: int | None = None
    heavier: int | None = None

    def __bool__(self) -> bool:
        return self.ok


def verify(graph: Any, forest: Any, *, maximum: bool | None = None) -> Verification:
    """Check that a forest is the minimum spanning forest of a graph, in O((n + m) log n).

    Parameters
    ----------
    graph : Graph, or what `minimum_spanning_forest` takes
        The graph.
    forest : Forest or (f,) array_like of integers
        The forest, or the indices of its edges in the graph.
    maximum : bool, optional
        Check for a maximum spanning forest; by default as the forest says, else False.

    Returns
    -------
    Verification
        True in a condition if all is well; its message names a witness if not.

    Raises
    ------
    GraphTypeError
        The forest is neither a Forest nor an array of integers.

    Examples
    --------
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3])
    >>> bool(verify(graph, [0, 1]))
    True
    >>> verify(graph, [0, 2]).message
    'edge 1 (1, 2) with weight 2 is lighter than edge 2 (2, 0) with weight 3 on the path between its ends'
    """
    graph = to_host(as_graph(graph))
    if maximum is None:
        maximum = bool(getattr(forest, "maximum", False))
    try:
        edges = on_host(forest.edges) if isinstance(forest, Forest) else np.asarray(forest)
    except (ValueError, TypeError, OverflowError) as error:
        raise GraphTypeError(f"a forest is a Forest or the indices of its edges: {error}") from None
    if edges.size == 0:
        edges = np.empty(0, np.int64)
    if edges.ndim != 1 or edges.dtype.kind not in "iu":
        raise GraphTypeError(
            f"a forest is a Forest or the indices of its edges, not an array of {edges.dtype} "
            f"with shape {edges.shape}"
        )
    problem = _not_distinct_edges(graph, edges)
    if problem is None:
        problem = _not_a_forest_of_the_best(graph, np.sort(edges.astype(np.int64)), maximum)
    if problem is not None:
        return problem
    components = graph.n - edges.size
    return Verification(
        True,
        f"{edges.size} edges are the {'maximum' if maximum else 'minimum'} spanning forest with "
        f"{components} component{'s' * (components != 1)}; every edge was checked",
    )


def _not_distinct_edges(graph: Graph, edges: NDArray[Any]) -> Verification | None:
    strange = (edges < 0) | (edges >= graph.m)
    if strange.any():
        edge = int(edges[np.argmax(strange)])
        return Verification(False, f"there is no edge {edge}: the graph has {graph.m} edges, from 0", edge)
    ordered = np.sort(edges)
    twice = ordered[1:] == ordered[:-1]
    if twice.any():
        edge = int(ordered[np.argmax(twice)])
        return Verification(False, f"{_name(graph, edge)} is in the forest twice", edge)
    return None


def _not_a_forest_of_the_best(graph: Graph, edges: NDArray[Any], maximum: bool) -> Verification | None:
    given, graph = graph, _comparable(graph)
    w = graph.take(edges)[2]
    if maximum:  # from the heaviest, and equal weights still by index
        ascending = edges[::-1][np.argsort(w[::-1], kind="stable")][::-1]
    else:
        ascending = edges[np.argsort(w, kind="stable")]
    parent = np.arange(graph.n, dtype=np.int64)
    hung = np.full(graph.n, -1, np.int64)
    u, v, heights = graph.take(ascending)
    k = _join(u, v, parent, hung, np.ones(graph.n, np.int64))
    if k >= 0:
        edge = int(ascending[k])
        return Verification(False, f"{_name(graph, edge)} of the forest closes a cycle", edge)

    def check(first: int) -> tuple[int, int]:
        last = min(first + PIECE, graph.m)
        inside = np.zeros(last - first, bool)
        inside[edges[np.searchsorted(edges, first) : np.searchsorted(edges, last)] - first] = True
        others = (first, *graph.between(first, last), inside)
        return _first_better(*others, maximum, ascending, heights, parent, hung)

    with ThreadPoolExecutor(processors()) as pool:
        for edge, heavier in pool.map(check, range(0, graph.m, PIECE)):
            if edge < 0:
                continue
            pool.shutdown(cancel_futures=True)
            if heavier < 0:
                return Verification(
                    False, f"{_name(graph, edge)} joins two trees: the forest does not span", edge
                )
            lighter_weight, heavier_weight = given.take(np.array([edge, heavier]))[2]
            tie = lighter_weight == heavier_weight
            return Verification(
                False,
                f"{_name(graph, edge)} with weight {lighter_weight} is "
                f"{'heavier' if maximum else 'lighter'} than {_name(graph, heavier)} with weight "
                f"{heavier_weight} on the path between its ends"
                + (" (of equal weights, the smaller index goes first)" if tie else ""),
                edge,
                heavier,
            )
    return None


def _comparable(graph: Graph) -> Graph:
    """Give weights a type that can be compiled: half floats are widened, extended ones become dense ranks."""
    if graph.dtype.kind == "f" and graph.dtype.itemsize == 2:
        return Graph(graph.n, graph.u, graph.v, graph.w.astype(np.float32))
    if graph.dtype.itemsize > 8:
        return Graph(graph.n, graph.u, graph.v, np.unique(graph.w, return_inverse=True)[1])
    return graph


def _name(graph: Graph, edge: int) -> str:
    u, v, _ = graph.take(np.array([edge]))
    return f"edge {edge} ({u[0]}, {v[0]})"


@kernel
def _join(u, v, parent, hung, size):
    """Join trees by edges in order; return the first that closes a cycle, or -1."""
    for k in range(u.size):
        a, b = np.uint64(u[k]), np.uint64(v[k])
        while a != parent[a]:
            a = np.uint64(parent[a])
        while b != parent[b]:
            b = np.uint64(parent[b])
        if a == b:
            return k
        if size[a] > size[b]:
            a, b = b, a
        parent[a] = b
        hung[a] = k
        size[b] += size[a]
    return -1


@kernel
def _first_better(first, u, v, w, inside, maximum, ascending, heights, parent, hung):
    """Find the first edge outside that should be inside, and the edge in its way; -1 where none.

    ``ascending`` and ``heights`` are the edges of the forest in order, and their weights.
    """
    for k in range(u.size):
        if inside[k] or u[k] == v[k]:
            continue
        a, b, e = np.uint64(u[k]), np.uint64(v[k]), first + k
        heaviest = -1
        while a != b:
            # Whoever was hung first climbs; a root was never hung.
            if hung[b] >= 0 and (hung[a] < 0 or hung[b] < hung[a]):
                a, b = b, a
            if hung[a] < 0:
                return e, -1
            heaviest = max(heaviest, hung[a])
            a = np.uint64(parent[a])
        f, height = ascending[heaviest], heights[heaviest]
        better = w[k] > height if maximum else w[k] < height
        if better or (w[k] == height and e < f):
            return e, f
    return -1, -1
