"""Verification of a minimum spanning forest, independent of the solvers.

The edges of the forest are united from the lightest to the heaviest: the smaller tree hooks onto the larger,
and paths are never compressed. Each vertex stores the position in that order of the edge that hooked it.
The heaviest edge on the path between two vertices in the forest is then the last one on the two ways
up to their lowest common ancestor, which take at most log2(n) steps. The forest is minimum exactly if every
edge outside it comes after that edge in the order (weight, index).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.backends.kernel import kernel
from boruvka.errors import GraphTypeError
from boruvka.forest.forest import Forest
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.graph import Graph, as_graph, to_host
from boruvka.runtime.processors import processors

__all__ = ["Verification", "verify"]

PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification; true in a condition exactly if the forest is right.

    Attributes
    ----------
    ok : bool
        Whether the edges are the minimum spanning forest.
    message : str
        What is wrong, with a witness, or that nothing is.
    edge : int or None
        The edge that is wrong: it does not exist, is twice in the forest, closes a cycle, joins two trees,
        or is lighter than an edge on the path between its ends.
    heavier : int or None
        The heavier edge on that path, if the forest is not minimum.
    """

    ok: bool
    message: str
    edge: int | None = None
    heavier: int | None = None

    def __bool__(self) -> bool:
        return self.ok


class RootedForest(NamedTuple):
    """A forest as rooted trees whose edges were united in order."""

    edges: NDArray[Any]  # the edges in that order
    weights: NDArray[Any]  # and their weights
    parent: NDArray[np.int64]  # of each vertex
    hooked_by: NDArray[np.int64]  # the position of the edge that hooked each vertex; -1 at a root


def verify(graph: Any, forest: Any, *, maximum: bool | None = None) -> Verification:
    """Verify that a forest is the minimum spanning forest of a graph, in O((n + m) log n).

    Parameters
    ----------
    graph : Graph, or what `minimum_spanning_forest` takes
        The graph.
    forest : Forest or (f,) array_like of integers
        The forest, or the indices of its edges in the graph.
    maximum : bool, optional
        Verify a maximum spanning forest; by default what the forest claims to be, else False.

    Returns
    -------
    Verification
        True in a condition if the forest is right; otherwise its message names a witness.

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
    edges = _edge_indices(forest)
    error = _find_invalid_edge(graph, edges)
    if error is None:
        error = _find_wrong_edge(graph, np.sort(edges.astype(np.int64)), maximum)
    if error is not None:
        return error
    components = graph.n - edges.size
    return Verification(
        True,
        f"{edges.size} edges are the {'maximum' if maximum else 'minimum'} spanning forest with "
        f"{components} component{'s' * (components != 1)}; every edge was checked",
    )


def _edge_indices(forest: Any) -> NDArray[Any]:
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
    return edges


def _find_invalid_edge(graph: AbstractGraph, edges: NDArray[Any]) -> Verification | None:
    """Find an edge that does not exist, or is listed twice."""
    invalid = (edges < 0) | (edges >= graph.m)
    if invalid.any():
        edge = int(edges[np.argmax(invalid)])
        return Verification(False, f"there is no edge {edge}: the graph has {graph.m} edges, from 0", edge)
    ascending = np.sort(edges)
    twice = ascending[1:] == ascending[:-1]
    if twice.any():
        edge = int(ascending[np.argmax(twice)])
        return Verification(False, f"{_describe(graph, edge)} is in the forest twice", edge)
    return None


def _find_wrong_edge(graph: AbstractGraph, edges: NDArray[Any], maximum: bool) -> Verification | None:
    """Find an edge that closes a cycle, joins two trees, or should replace another one."""
    comparable = _comparable(graph)
    w = comparable.take(edges)[2]
    if maximum:  # from the heaviest; equal weights still ascend by index
        ordered = edges[::-1][np.argsort(w[::-1], kind="stable")[::-1]]
    else:
        ordered = edges[np.argsort(w, kind="stable")]
    u, v, w = comparable.take(ordered)
    parent, hooked_by = np.arange(graph.n), np.full(graph.n, -1)
    rooted = RootedForest(ordered, _widened(w), parent, hooked_by)
    k = _unite(u, v, parent, hooked_by, np.ones(graph.n, np.int64))
    if k >= 0:
        edge = int(ordered[k])
        return Verification(False, f"{_describe(graph, edge)} of the forest closes a cycle", edge)

    def check(first: int) -> tuple[int, int]:
        last = min(first + PIECE, graph.m)
        inside = np.zeros(last - first, bool)
        inside[edges[np.searchsorted(edges, first) : np.searchsorted(edges, last)] - first] = True
        u, v, w = comparable.between(first, last)
        return _find_better_edge(first, u, v, _widened(w), inside, maximum, rooted)

    with ThreadPoolExecutor(processors()) as pool:
        for edge, heavier in pool.map(check, range(0, graph.m, PIECE)):
            if edge >= 0:
                pool.shutdown(cancel_futures=True)
                return _missing_edge(graph, edge, heavier, maximum)
    return None


def _missing_edge(graph: AbstractGraph, edge: int, heavier: int, maximum: bool) -> Verification:
    if heavier < 0:
        return Verification(
            False, f"{_describe(graph, edge)} joins two trees: the forest does not span", edge
        )
    weight, heavier_weight = graph.take(np.array([edge, heavier]))[2]
    tie = " (of equal weights, the smaller index goes first)" if weight == heavier_weight else ""
    return Verification(
        False,
        f"{_describe(graph, edge)} with weight {weight} is {'heavier' if maximum else 'lighter'} than "
        f"{_describe(graph, heavier)} with weight {heavier_weight} on the path between its ends{tie}",
        edge,
        heavier,
    )


def _comparable(graph: AbstractGraph) -> AbstractGraph:
    """Replace weights that Numba has no type for by dense integers in the same order."""
    if graph.dtype.itemsize <= 8:
        return graph
    return Graph(graph.n, graph.u, graph.v, np.unique(graph.w, return_inverse=True)[1])


def _widened(w: NDArray[Any]) -> NDArray[Any]:
    """Convert weights to read-only arrays of 64 bits, exactly: kernels are compiled for three types only."""
    w = w.astype({"i": np.int64, "u": np.uint64, "f": np.float64}[w.dtype.kind], copy=False).view()
    w.flags.writeable = False
    return w


def _describe(graph: AbstractGraph, edge: int) -> str:
    u, v, _ = graph.take(np.array([edge]))
    return f"edge {edge} ({u[0]}, {v[0]})"


@kernel
def _unite(u, v, parent, hooked_by, size):
    """Unite trees by edges in order; return the position of the first that closes a cycle, or -1."""
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
        hooked_by[a] = k
        size[b] += size[a]
    return -1


@kernel
def _find_better_edge(first, u, v, w, inside, maximum, forest):
    """Find an edge outside the forest that precedes an edge on the path between its ends.

    Return the indices of both; -1 for the second if there is no path, and for both if there is no such edge.
    The edges are those from index ``first`` on, and ``inside`` marks those of the forest.
    """
    parent, hooked_by = forest.parent, forest.hooked_by
    for k in range(u.size):
        if inside[k] or u[k] == v[k]:
            continue
        a, b, e = np.uint64(u[k]), np.uint64(v[k]), first + k
        last = -1
        while a != b:
            # The vertex that was hooked first goes up; a root was never hooked.
            if hooked_by[b] >= 0 and (hooked_by[a] < 0 or hooked_by[b] < hooked_by[a]):
                a, b = b, a
            if hooked_by[a] < 0:
                return e, -1
            last = hooked_by[a]  # along a way up, and so over both, hooks come later and later
            a = np.uint64(parent[a])
        f, weight = forest.edges[last], forest.weights[last]
        better = w[k] > weight if maximum else w[k] < weight
        if better or (w[k] == weight and e < f):
            return e, f
    return -1, -1
