"""Minimum spanning arborescences: the lightest arcs along which a root reaches every vertex.

Idea: each vertex takes its lightest incoming arc. A cycle of such arcs becomes one vertex, and the weights of
arcs that enter it are reduced by what they replace. The arcs that enter a vertex are in a skew heap, whose
weights are reduced all at once, and heaps of a cycle are merged. Expanded again, each cycle loses the arc
that its own incoming arc replaces. The amounts that were subtracted for vertices and cycles solve the dual
problem, which proves that no arborescence is lighter.

Source: R. E. Tarjan, Finding optimum branchings, Networks 7 (1977), 25-35, with the path of H. N. Gabow,
Z. Galil, T. Spencer, R. E. Tarjan, Combinatorica 6 (1986), 109-122; D. D. Sleator, R. E. Tarjan,
Self-adjusting heaps, SIAM Journal on Computing 15 (1986).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.forest.exact_sum import exact_sum
from boruvka.forest.forest import Forest
from boruvka.forest.paths import heaviest_on_paths
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.edge_sets import check_lists_edges
from boruvka.graph.graph import Graph
from boruvka.graph.vertex_names import ends_text
from boruvka.graph.vertices import read_vertex
from boruvka.interop.as_graph import as_graph
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import flag

__all__ = ["Arborescence", "minimum_spanning_arborescence"]

SHOWN = 5
"""Maximum number of vertices that an error names."""
RANGE = 2**61
"""Integer weights are nearer to 0, so that no difference overflows."""
ROUNDING = 1e-9
"""Floats may miss the bounds of a certificate by so much, relative to the largest weight."""
UNSEEN, ON_PATH, DONE = 0, 1, 2


class Arborescence:
    """An arborescence: arcs that form a tree, directed away from its root.

    Attributes
    ----------
    graph : Graph
        The graph; arc i goes from ``graph.u[i]`` to ``graph.v[i]``.
    root : int
        The number of the root.
    parent_arc : (n,) array of int64
        Index of the arc that enters each vertex; -1 for the root.
    maximum : bool
        Whether it is as heavy, not as light, as possible.
    """

    def __init__(
        self, graph: AbstractGraph, root: int, parent_arc: NDArray[np.int64], maximum: bool, dual: Any
    ):
        self.graph, self.root, self.parent_arc, self.maximum = graph, root, parent_arc, maximum
        self._dual = dual

    @property
    def arcs(self) -> NDArray[np.int64]:
        """Indices of the arcs, ascending."""
        return np.sort(self.parent_arc[self.parent_arc >= 0])

    @property
    def w(self) -> NDArray[Any]:
        """Weight of each arc."""
        return self.graph.w[self.arcs]

    @property
    def weight(self) -> int | float:
        """Total weight: an exact int, or the float64 nearest to the exact sum."""
        return exact_sum(self.w)

    def is_optimal(self) -> bool:
        """Check that no arborescence of this root is better, by the dual solution, without the algorithm.

        The sets that an arc enters must cost no more than the arc, and as much as a chosen arc. Integers are
        checked exactly, floats up to rounding.
        """
        up, cost, singles = self._dual
        w = self.graph.w.astype(cost.dtype) * (-1 if self.maximum else 1)
        is_exact = self.graph.dtype.kind in "iu"
        slack = 0 if is_exact else ROUNDING * float(np.abs(w).max(initial=0))
        total = cost.copy()
        _add_outer(up, np.int64(self.root), total)  # sets that hold the root cost nothing
        inner = np.flatnonzero(up >= 0)
        # The innermost set around both ends of an arc has the largest number on the way between them.
        around = Forest(Graph(up.size, inner, up[inner], up[inner]), np.arange(inner.size))
        edges, common = heaviest_on_paths(around, self.graph.u, self.graph.v)
        left = w - (total[self.graph.v] - np.where(edges >= 0, total[common], 0))
        chosen = np.zeros(self.graph.m, bool)
        chosen[self.arcs] = True
        matters = (self.graph.u != self.graph.v) & (self.graph.v != self.root)
        outer = np.where(up[singles:] >= 0, up[singles:], up.size)
        own = total[singles:] - np.append(total, 0)[outer]
        is_feasible = (left[matters] >= -slack).all() and (own >= -slack).all()
        return bool(is_feasible and (left[chosen] <= slack).all() and self._reaches_all())

    def _reaches_all(self) -> bool:
        """Return whether the arcs lead from the root to every vertex."""
        above = np.arange(self.graph.n)
        inside = self.parent_arc >= 0
        above[inside] = self.graph.u[self.parent_arc[inside]]
        for _ in range(self.graph.n.bit_length()):
            above = above[above]
        enters = self.graph.v[self.parent_arc[inside]] == np.flatnonzero(inside)
        return bool((above == self.root).all() and enters.all() and inside.sum() == self.graph.n - 1)

    def __repr__(self) -> str:
        return f"Arborescence(n={self.graph.n}, root={self.graph.name_of(self.root)}, weight={self.weight})"


def minimum_spanning_arborescence(graph: Any, root: Any = None, *, maximum: bool = False) -> Arborescence:
    """Find the lightest arborescence of a directed graph.

    Parameters
    ----------
    graph : object
        The arcs, as `minimum_spanning_forest` takes edges: arc i goes from u[i] to v[i]; or a directed graph
        of NetworkX or igraph. Parallel arcs, self-loops, zero and negative weights are legal; weights are
        finite.
    root : name or int, optional
        The root; by default the best one.
    maximum : bool
        Find the heaviest instead.

    Returns
    -------
    Arborescence
        Equal input gives equal arcs. Integers are computed exactly, floats in float64.

    Raises
    ------
    GraphError, GraphTypeError
        The root does not reach every vertex, or no vertex does; a weight is infinite or NaN, or an integer
        is 2**61 or more away from 0; the graph has no list of arcs, or no vertices.

    Examples
    --------
    >>> import boruvka
    >>> arcs = [("a", "b", 6), ("b", "c", 1), ("c", "b", 2), ("a", "c", 9), ("c", "d", 3)]
    >>> tree = boruvka.minimum_spanning_arborescence(arcs, root="a")
    >>> tree.arcs, tree.weight, tree.is_optimal()
    (array([0, 1, 4]), 10, True)
    """
    graph = _with_directions(graph)
    check_lists_edges(graph, "an arborescence needs a graph that lists its arcs, on the host")
    if not graph.n:
        raise GraphError("a graph without vertices has no arborescence")
    n, maximum = graph.n, flag("maximum", maximum)
    w = _weights(graph, maximum)
    start = n if root is None else read_vertex(graph, "root", root)
    # Arcs from an artificial root come after all others: weights are pairs, compared by the first.
    extra = np.arange(n) if root is None else np.empty(0, np.int64)
    tail = np.concatenate([graph.u.astype(np.int64), np.full(extra.size, n)])
    head = np.concatenate([graph.v.astype(np.int64), extra])
    first = np.repeat(np.array([0, 1]), [graph.m, extra.size])
    low = np.concatenate([w, np.zeros(extra.size, w.dtype)])
    nodes = n + (root is None)
    found = _contract(tail, head, first, low, nodes, np.int64(start))
    if found is None:
        raise _unreached(graph, start)
    up, in_arc, y = found
    entering = np.full(nodes, -1)
    _expand(up, in_arc, head, np.zeros(up.size, bool), entering)
    if root is None:
        roots = np.flatnonzero(entering[:n] >= graph.m)
        if roots.size > 1:
            raise _many_roots(graph, roots)
        start = int(roots[0])
        entering = entering[:n]
        entering[start] = -1
    return Arborescence(graph, start, entering, maximum, (up, y, nodes))


def _with_directions(graph: Any) -> Any:
    """Make a graph of an object; those of NetworkX and igraph say whether they are directed."""
    if not callable(getattr(graph, "is_directed", None)):
        return as_graph(graph)
    if not graph.is_directed():
        raise GraphTypeError("the graph is undirected: g.to_directed() has an arc in both directions")
    return as_graph(graph, directed=True)


def _weights(graph: AbstractGraph, maximum: bool) -> NDArray[Any]:
    """Return the weights that are minimised, in 64 bits."""
    if not np.isfinite(graph.w).all():
        i = int(np.argmin(np.isfinite(graph.w)))
        ends = ends_text(graph.names, graph.u[i], graph.v[i], graph.first_id)
        raise GraphError(f"arc {i} {ends} has the weight {graph.w[i]}: weights of arcs must be finite")
    if graph.dtype.kind == "f":
        w: NDArray[Any] = graph.w.astype(np.float64)
    else:
        if graph.m and max(abs(int(graph.w.max())), abs(int(graph.w.min()))) >= RANGE:
            raise GraphError("integer weights of arcs must be below 2**61: convert them to float64")
        w = graph.w.astype(np.int64)
    return -w if maximum else w


def _contract(
    tail: NDArray[Any], head: NDArray[Any], first: NDArray[Any], low: NDArray[Any], n: int, root: np.int64
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[Any]] | None:
    """Contract cycles; return the cycle around each vertex or cycle, its incoming arc, and its dual value."""
    arcs, nodes = tail.size, 2 * n
    left, right = np.full(arcs, -1), np.full(arcs, -1)
    later_first, later_low = np.zeros(arcs, np.int64), np.zeros(arcs, low.dtype)
    up, in_arc, y = np.full(nodes, -1), np.full(nodes, -1), np.zeros(nodes, low.dtype)
    top, heap = np.arange(nodes), np.full(nodes, -1)
    heaps = left, right, first, low, later_first, later_low
    state, path = np.zeros(nodes, np.uint8), np.empty(nodes, np.int64)
    count = _grow_paths(tail, head, heaps, n, root, up, in_arc, y, top, heap, state, path)
    return None if count < 0 else (up[:count], in_arc[:count], y[:count])


def _unreached(graph: AbstractGraph, root: int) -> GraphError:
    """Make the error about vertices that the root does not reach."""
    from scipy.sparse import coo_array, csgraph

    arcs = coo_array((np.ones(graph.m, bool), (graph.u, graph.v)), shape=(graph.n, graph.n)).tocsr()
    reached = csgraph.breadth_first_order(arcs, root, return_predecessors=False)
    left = np.setdiff1d(np.arange(graph.n), reached)
    name = graph.shown_id(np.array([root]))[0]
    return GraphError(f"the root {name} does not reach {left.size:,} vertices: {_listed(graph, left)}")


def _many_roots(graph: AbstractGraph, roots: NDArray[np.int64]) -> GraphError:
    """Make the error about vertices that cannot all be below one root."""
    return GraphError(
        f"no vertex reaches all others: {roots.size:,} roots are needed, such as {_listed(graph, roots)}"
    )


def _listed(graph: AbstractGraph, vertices: NDArray[np.int64]) -> str:
    more = ", ..." if vertices.size > SHOWN else ""
    return ", ".join(map(str, graph.shown_id(vertices[:SHOWN]).tolist())) + more


@kernel
def _grow_paths(tail, head, heaps, n, root, up, in_arc, y, top, heap, state, path):
    """Follow lightest incoming arcs from each vertex, and contract cycles; return the number of nodes.

    It is -1 if a node has no incoming arc.
    """
    left, right, first, low, later_first, later_low = heaps
    for i in range(tail.size):
        if head[i] != root and head[i] != tail[i]:
            heap[head[i]] = _merge(heap[head[i]], i, heaps)
    state[root] = DONE
    count = np.int64(n)
    for begin in range(n):
        length, x = 0, _find(np.int64(begin), top)
        while state[x] == UNSEEN:
            t = x
            while t == x:  # arcs inside a cycle are left out
                arc = heap[x]
                if arc < 0:
                    return np.int64(-1)
                _settle(arc, heaps)
                heap[x] = _merge(left[arc], right[arc], heaps)
                t = _find(tail[arc], top)
            in_arc[x], y[x] = arc, low[arc]
            if heap[x] >= 0:
                later_first[heap[x]] -= first[arc]
                later_low[heap[x]] -= low[arc]
            state[x], path[length] = ON_PATH, x
            length += 1
            if state[t] == ON_PATH:
                merged = np.int64(-1)
                while True:
                    length -= 1
                    z = path[length]
                    up[z] = top[z] = count
                    merged = _merge(merged, heap[z], heaps)
                    if z == t:
                        break
                heap[count] = merged
                t = count
                count += 1
            x = t
        for k in range(length):
            state[path[k]] = DONE
    return count


def _merge(a, b, heaps):
    """Merge two skew heaps from the top down; return the root."""
    left, right, first, low, _, _ = heaps
    root, last = np.int64(-1), np.int64(-1)
    while a >= 0 and b >= 0:
        _settle(a, heaps)
        _settle(b, heaps)
        if first[b] < first[a] or (
            first[b] == first[a] and (low[b] < low[a] or (low[b] == low[a] and b < a))
        ):
            a, b = b, a
        if last < 0:
            root = a
        else:
            left[last] = a
        last, rest = a, right[a]
        right[a] = left[a]
        a = rest
    rest = a if a >= 0 else b
    if last < 0:
        return rest
    left[last] = rest
    return root


def _settle(i, heaps):
    """Subtract from an arc what is due, and leave it to both heaps below."""
    left, right, first, low, later_first, later_low = heaps
    first[i] += later_first[i]
    low[i] += later_low[i]
    for below in (left[i], right[i]):
        if below >= 0:
            later_first[below] += later_first[i]
            later_low[below] += later_low[i]
    later_first[i] = 0
    later_low[i] = 0


def _find(x, top):
    """Return the outermost cycle around a vertex; halve the way to it."""
    while x != top[x]:
        top[x] = top[top[x]]
        x = top[x]
    return x


@kernel
def _expand(up, in_arc, head, is_open, entering):
    """Choose the arc that enters each vertex, from the outermost cycles inwards."""
    for k in range(up.size):
        x = up.size - 1 - k
        if is_open[x] or in_arc[x] < 0:
            continue
        y = head[in_arc[x]]
        entering[y] = in_arc[x]
        while y != x:
            is_open[y] = True
            y = up[y]


@kernel
def _add_outer(up, root, total):
    """Add to the cost of each set those of the sets around it; sets that hold the root cost nothing."""
    x = root
    while x >= 0:
        total[x] = 0
        x = up[x]
    for k in range(up.size):
        x = up.size - 1 - k
        if up[x] >= 0:
            total[x] += total[up[x]]
