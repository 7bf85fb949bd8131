"""Minimum spanning arborescences: the lightest arcs along which a root reaches every vertex.

Idea: each vertex takes its lightest incoming arc. A cycle of such arcs becomes one vertex, and the weights of
arcs that enter it are reduced by what they replace. The arcs that enter a vertex are in a skew heap, whose
weights are reduced all at once, and heaps of a cycle are merged. Expanded again, each cycle loses the arc
that its own incoming arc replaces. Without a root, arcs of a very large weight lead from an artificial root
to all vertices.

The amounts that were subtracted for vertices and cycles solve the dual problem. Every arborescence enters
each of these sets, so it weighs at least the sum of the amounts, if no arc weighs less than the sets that it
enters. An arborescence of this weight is therefore the lightest. Weights are integers of a common unit
(`boruvka.graph.fixed_point`), and all of this is exact.

Source: R. E. Tarjan, Finding optimum branchings, Networks 7 (1977), 25-35, with the path of H. N. Gabow,
Z. Galil, T. Spencer, R. E. Tarjan, Combinatorica 6 (1986), 109-122; D. D. Sleator, R. E. Tarjan,
Self-adjusting heaps, SIAM Journal on Computing 15 (1986).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.forest.exact_sum import exact_sum
from boruvka.forest.forest import Forest
from boruvka.forest.paths import heaviest_on_paths
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.edge_sets import check_lists_edges
from boruvka.graph.fixed_point import LOW_BITS, MASK, fixed_point, total
from boruvka.graph.graph import Graph
from boruvka.graph.vertex_names import ends_text
from boruvka.graph.vertices import read_vertex
from boruvka.interop.as_graph import as_graph
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import flag

__all__ = ["Arborescence", "minimum_spanning_arborescence"]

SHOWN = 5
"""Maximum number of vertices that an error names."""
ENOUGH = 2**61
"""High word of the weight of an arc from the artificial root: more than sums of all weights in two words."""
UNSEEN, ON_PATH, DONE = 0, 1, 2
TAIL, LEFT, RIGHT, HIGH, LOW, LATER_HIGH, LATER_LOW = range(7)
"""Columns of an arc in a heap: its tail, the heaps below, its weight, and what is still to be added."""


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
        self._dual: _Dual = dual

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
        """Check that no arborescence is better: of this root if it was given, else of any.

        The check is exact, and does not use the algorithm: see the module.
        """
        self.graph.check()
        if not self._reaches_all():
            return False
        graph, (above, high, low, has_root) = self.graph, self._dual
        arcs = _Arcs.of(graph, self.maximum, not has_root)
        root = self.root if has_root else graph.n
        vertices = graph.n + (not has_root)
        if not _is_laminar(above, vertices):
            return False
        # A set that holds the root is not entered; other sets than vertices may be entered more than once.
        counts = np.ones(above.size, bool)
        counts[_sets_around(above, root)] = False
        high, low = np.where(counts, high, 0), np.where(counts, low, 0)
        if (high[vertices:] < 0).any():
            return False
        chosen = self.parent_arc[self.parent_arc >= 0]
        if not has_root:
            chosen = np.append(chosen, graph.m + self.root)
        if total(high, low) != total(arcs.high[chosen], arcs.low[chosen]):
            return False
        _call(_add_outer, high, above, high, low)
        inner = np.flatnonzero(above >= 0)
        # The innermost set around both ends of an arc has the largest number on the way between them.
        around = Forest(Graph(above.size, inner, above[inner], above[inner]), np.arange(inner.size))
        edges, common = heaviest_on_paths(around, arcs.tail, arcs.head)
        matters = (arcs.tail != arcs.head) & (arcs.head != root)
        common = np.where(edges >= 0, common.astype(np.int64), -1)
        weights_and_amounts = arcs.high, arcs.low, high, low
        return bool(_call(_weighs_enough, high, arcs.head, common, matters, *weights_and_amounts))

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
        Equal input gives equal arcs. Weights are compared and added exactly. Floats of very different sizes,
        with more than some 80 bits between them, and ``longdouble`` take about a hundred times as long.

    Raises
    ------
    GraphError, GraphTypeError
        The root does not reach every vertex, or no vertex does; a weight is infinite or NaN; the
        graph has no list of arcs, or no vertices.

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
    start = n if root is None else read_vertex(graph, "root", root)
    arcs = _Arcs.of(graph, maximum, root is None)
    nodes = n + (root is None)
    found = _contract(arcs, nodes, np.int64(start))
    if found is None:
        raise _unreached(graph, start)
    above, in_arc, high, low = found
    entering = np.full(nodes, -1)
    _expand(above, in_arc, arcs.head, np.zeros(above.size, bool), entering)
    if root is None:
        roots = np.flatnonzero(entering[:n] >= graph.m)
        if roots.size > 1:
            raise _many_roots(graph, roots)
        start = int(roots[0])
        entering = entering[:n]
        entering[start] = -1
    return Arborescence(graph, start, entering, maximum, _Dual(above, high, low, root is not None))


class _Dual(NamedTuple):
    """Amounts of vertices and of cycles, which are sets of vertices."""

    above: NDArray[np.int64]
    """The smallest set around each vertex or set, -1 if there is none."""
    high: NDArray[Any]
    low: NDArray[Any]
    has_root: bool
    """Whether the root was given; otherwise the last vertex is an artificial one."""


class _Arcs(NamedTuple):
    """Arcs and their weights, which are minimised, as integers in two words."""

    tail: NDArray[np.int64]
    head: NDArray[np.int64]
    high: NDArray[Any]
    low: NDArray[Any]

    @classmethod
    def of(cls, graph: AbstractGraph, maximum: bool, any_root: bool) -> _Arcs:
        """Take the arcs of a graph, and those of an artificial root."""
        n, most = graph.n, ENOUGH // (16 * (graph.n + 1))  # a sum of 4 n differences is below a quarter
        w = _finite_weights(graph)
        high, low = fixed_point(w, most)
        if high.dtype == np.int64 and np.abs(high).max(initial=0) > most:
            high, low = high.astype(object), low.astype(object)
        if maximum:
            high, low = -high - (low > 0), -low & MASK
        tail, head = graph.u.astype(np.int64), graph.v.astype(np.int64)
        if not any_root:
            return cls(tail, head, high, low)
        enough = ENOUGH
        if high.dtype == object:
            enough = 16 * (n + 1) * (max(map(abs, high.tolist()), default=0) + 1)
        everywhere = np.arange(n)
        return cls(
            np.concatenate([tail, np.full(n, n)]),
            np.concatenate([head, everywhere]),
            np.concatenate([high, np.full(n, enough, high.dtype)]),
            np.concatenate([low, np.zeros(n, low.dtype)]),
        )


def _call(function: Any, high: NDArray[Any], *arguments: Any) -> Any:
    """Call a kernel; where numbers are Python integers, it runs as it stands."""
    return (function if high.dtype == np.int64 else function.__wrapped__)(*arguments)


def _with_directions(graph: Any) -> Any:
    """Make a graph of an object; those of NetworkX and igraph say whether they are directed."""
    if not callable(getattr(graph, "is_directed", None)):
        return as_graph(graph)
    if not graph.is_directed():
        raise GraphTypeError("the graph is undirected: g.to_directed() has an arc in both directions")
    return as_graph(graph, directed=True)


def _finite_weights(graph: AbstractGraph) -> NDArray[Any]:
    if not np.isfinite(graph.w).all():
        i = int(np.argmin(np.isfinite(graph.w)))
        ends = ends_text(graph.names, graph.u[i], graph.v[i], graph.first_id)
        raise GraphError(f"arc {i} {ends} has the weight {graph.w[i]}: weights of arcs must be finite")
    return graph.w


def _contract(arcs: _Arcs, n: int, root: np.int64) -> tuple[NDArray[Any], ...] | None:
    """Contract cycles; return the cycle around each vertex or cycle, its incoming arc, and its dual value."""
    m, nodes, numbers = arcs.tail.size, 2 * n, arcs.high.dtype
    heap = np.zeros((m, 8), numbers)  # a row has all of an arc, so that it is in one cache line
    heap[:, TAIL], heap[:, HIGH], heap[:, LOW] = arcs.tail, arcs.high, arcs.low
    heap[:, LEFT : RIGHT + 1] = -1
    above, in_arc = np.full(nodes, -1), np.full(nodes, -1)
    found = above, in_arc, np.zeros(nodes, numbers), np.zeros(nodes, numbers)
    top, first = np.arange(nodes), np.full(nodes, -1)
    state, path = np.zeros(nodes, np.uint8), np.empty(nodes, np.int64)
    count = _call(_grow_paths, arcs.high, arcs.head, heap, np.int64(n), root, *found, top, first, state, path)
    return None if count < 0 else tuple(array[:count] for array in found)


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
def _grow_paths(head, heap, n, root, above, in_arc, dual_high, dual_low, top, first, state, path):
    """Follow lightest incoming arcs from each vertex, and contract cycles; return the number of nodes.

    It is -1 if a node has no incoming arc. ``first`` is the first arc in the heap of each node.
    """
    for i in range(head.size):
        if head[i] != root and head[i] != heap[i, TAIL]:
            first[head[i]] = _merge(first[head[i]], i, heap)
    state[root] = DONE
    count = np.int64(n)
    for begin in range(n):
        length, x = 0, _find(np.int64(begin), top)
        while state[x] == UNSEEN:
            t = x
            while t == x:  # arcs inside a cycle are left out
                arc = first[x]
                if arc < 0:
                    return np.int64(-1)
                _settle(arc, heap)
                first[x] = _merge(heap[arc, LEFT], heap[arc, RIGHT], heap)
                t = _find(heap[arc, TAIL], top)
            in_arc[x], dual_high[x], dual_low[x] = arc, heap[arc, HIGH], heap[arc, LOW]
            if first[x] >= 0:
                heap[first[x], LATER_HIGH] -= heap[arc, HIGH]
                heap[first[x], LATER_LOW] -= heap[arc, LOW]
                _carry(first[x], LATER_HIGH, heap)
            state[x], path[length] = ON_PATH, x
            length += 1
            if state[t] == ON_PATH:
                merged = np.int64(-1)
                while True:
                    length -= 1
                    z = path[length]
                    above[z] = top[z] = count
                    merged = _merge(merged, first[z], heap)
                    if z == t:
                        break
                first[count] = merged
                t = count
                count += 1
            x = t
        for k in range(length):
            state[path[k]] = DONE
    return count


def _merge(a, b, heap):
    """Merge two skew heaps from the top down; return the root."""
    root, last = np.int64(-1), np.int64(-1)
    while a >= 0 and b >= 0:
        _settle(a, heap)
        _settle(b, heap)
        if _is_before(b, a, heap):
            a, b = b, a
        if last < 0:
            root = a
        else:
            heap[last, LEFT] = a
        last, rest = a, heap[a, RIGHT]
        heap[a, RIGHT] = heap[a, LEFT]
        a = rest
    rest = a if a >= 0 else b
    if last < 0:
        return rest
    heap[last, LEFT] = rest
    return root


def _is_before(a, b, heap):
    """Return whether an arc is before another one in the order (weight, index)."""
    if heap[a, HIGH] != heap[b, HIGH]:
        return heap[a, HIGH] < heap[b, HIGH]
    return heap[a, LOW] < heap[b, LOW] or (heap[a, LOW] == heap[b, LOW] and a < b)


def _settle(i, heap):
    """Subtract from an arc what is due, and leave it to both heaps below."""
    if heap[i, LATER_HIGH] == 0 and heap[i, LATER_LOW] == 0:
        return
    for k in range(LEFT, RIGHT + 1):
        below = heap[i, k]
        if below >= 0:
            heap[below, LATER_HIGH] += heap[i, LATER_HIGH]
            heap[below, LATER_LOW] += heap[i, LATER_LOW]
            _carry(below, LATER_HIGH, heap)
    heap[i, HIGH] += heap[i, LATER_HIGH]
    heap[i, LOW] += heap[i, LATER_LOW]
    _carry(i, HIGH, heap)
    heap[i, LATER_HIGH] = 0
    heap[i, LATER_LOW] = 0


def _carry(i, high, heap):
    """Bring a low word, in the column after the high one, back to its range."""
    heap[i, high] += heap[i, high + 1] >> LOW_BITS
    heap[i, high + 1] &= MASK


def _find(x, top):
    """Return the outermost cycle around a vertex; halve the way to it."""
    while x != top[x]:
        top[x] = top[top[x]]
        x = top[x]
    return x


@kernel
def _expand(above, in_arc, head, is_open, entering):
    """Choose the arc that enters each vertex, from the outermost cycles inwards."""
    for k in range(above.size):
        x = above.size - 1 - k
        if is_open[x] or in_arc[x] < 0:
            continue
        y = head[in_arc[x]]
        entering[y] = in_arc[x]
        while y != x:
            is_open[y] = True
            y = above[y]


def _is_laminar(above: NDArray[np.int64], vertices: int) -> bool:
    """Return whether each vertex and set is in a set with a larger number, or in none."""
    inner = np.flatnonzero(above >= 0)
    outer = above[inner]
    return bool((outer > inner).all() and (outer >= vertices).all() and (outer < above.size).all())


def _sets_around(above: NDArray[np.int64], vertex: int) -> list[int]:
    """List a vertex and the sets around it."""
    found = [vertex]
    while (outer := int(above[found[-1]])) >= 0:
        found.append(outer)
    return found


@kernel
def _add_outer(above, high, low):
    """Add to the amount of each set those of the sets around it, which have larger numbers."""
    for k in range(above.size):
        x = above.size - 1 - k
        if above[x] >= 0:
            both = low[x] + low[above[x]]
            high[x] += high[above[x]] + (both >> LOW_BITS)
            low[x] = both & MASK


@kernel
def _weighs_enough(head, common, matters, high, low, total_high, total_low):
    """Return whether no arc weighs less than the sets inside ``common`` that it enters."""
    for i in range(head.size):
        if matters[i]:
            more_high, more_low = high[i] - total_high[head[i]], low[i] - total_low[head[i]]
            if common[i] >= 0:
                more_high += total_high[common[i]]
                more_low += total_low[common[i]]
            if more_high + (more_low >> LOW_BITS) < 0:
                return False
    return True
