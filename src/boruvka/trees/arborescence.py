"""Minimum spanning arborescences: the lightest arcs along which a root reaches every vertex.

Idea: each vertex takes its lightest incoming arc. A cycle of such arcs becomes one vertex, and the weights of
arcs that enter it are reduced by what they replace. The arcs that enter a vertex are in a skew heap, whose
weights are reduced all at once, and heaps of a cycle are merged. Expanded again, each cycle loses the arc
that its own incoming arc replaces. Without a given root, one set of vertices remains that no arc enters, and
its best root is chosen. Weights of every type are scaled to integers, so all is exact.

The amounts that were subtracted for vertices and cycles prove that no arborescence is lighter. They are
values of nested sets of vertices. Every arborescence enters each set that does not hold its root: a single
vertex once, a larger set at least once. Values of larger sets are 0 or more, and the values of the sets that
an arc enters add up to its weight or less. So an arborescence weighs at least the sum of the values of all
sets that do not hold its root. An arborescence of that weight is optimal, however it and the values were
found.

Source: R. E. Tarjan, Finding optimum branchings, Networks 7 (1977), 25-35, with the path of H. N. Gabow,
Z. Galil, T. Spencer, R. E. Tarjan, Combinatorica 6 (1986), 109-122; D. D. Sleator, R. E. Tarjan,
Self-adjusting heaps, SIAM Journal on Computing 15 (1986); the bound: J. Edmonds, Optimum branchings, Journal
of Research of the National Bureau of Standards 71B (1967), 233-240.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import UNLESS_ARCS, GraphError, GraphTypeError, first_true, some_of, without_warnings
from boruvka.graph.columns import read_only
from boruvka.graph.graph import Graph, check_lists_edges
from boruvka.graph.names import ends_text
from boruvka.graph.validation import read_vertex
from boruvka.interop.as_graph import GraphOptions, as_graph
from boruvka.interop.data_frames import is_square_frame
from boruvka.kernels.kernel import kernel
from boruvka.operators.union_find import find
from boruvka.runtime.arguments import flag
from boruvka.runtime.processors import check_room
from boruvka.trees.acyclic_edges import AcyclicEdges
from boruvka.trees.breadth_first import Arcs
from boruvka.trees.forest import Forest
from boruvka.trees.queries.paths import heaviest_on_paths

LIMB_BITS = np.int64(62)
"""Weights and dual values are integers of several limbs, the most significant first; only it has a sign."""
LIMB_MASK = np.int64(2**62 - 1)
UNSEEN, ON_PATH, DONE = 0, 1, 2


class DualSolution(NamedTuple):
    """A solution of the dual problem: nested sets of vertices, and the value of each."""

    up: NDArray[np.int64]
    """The smallest set around each set, -1 if there is none; the first n sets are the vertices."""
    limbs: NDArray[np.int64]
    unit: int
    """Values are multiples of 2**unit."""
    is_for_any_root: bool

    def values(self) -> NDArray[Any]:
        """Return the value of each set as a Python integer, in units of 2**unit."""
        value = self.limbs[:, 0].astype(object)
        for limb in self.limbs.T[1:]:
            value = (value << int(LIMB_BITS)) + limb
        return value


class Arborescence(AcyclicEdges):
    """An arborescence: arcs that form a tree, directed away from its root.

    Attributes
    ----------
    graph : Graph
        The graph; arc i goes from ``graph.u[i]`` to ``graph.v[i]``.
    root : int
        The number of the root.
    edges : (n - 1,) array of int64
        Indices of the arcs, ascending.
    parent_edge : (n,) array of int64
        Index of the arc that enters each vertex; -1 for the root.
    maximum : bool
        Whether it is as heavy, not as light, as possible.
    """

    root: int
    parent_edge: NDArray[np.int64]
    _dual: DualSolution
    is_directed = True

    def __init__(
        self, graph: Graph, root: int, parent_edge: NDArray[np.int64], maximum: bool, dual: DualSolution
    ):
        super().__init__(graph, np.sort(parent_edge[parent_edge >= 0]), maximum)
        vars(self).update(root=root, parent_edge=read_only(parent_edge), _dual=dual)

    def verify(self) -> bool:
        """Check that no arborescence is better, by the dual solution, without the algorithm.

        The weight must equal the lower bound of the dual solution, which holds for arborescences with this
        root, or with any root if none was given. The check is exact for every type of weight.
        """
        self.graph.check()
        is_whole = _is_arborescence(self.graph, self.root, self.parent_edge)
        if not (is_whole and np.isfinite(self.graph.w).all()):
            return False
        values, unit = self._dual.values(), self._dual.unit
        w, unit_of_weights = _scaled_integers(self.graph.w)
        w = (-w if self.maximum else w) << max(unit_of_weights - unit, 0)
        values = values << max(unit - unit_of_weights, 0)
        bound = _lower_bound(self.graph, w, self._dual, values, self.root)
        return bound is not None and bound == sum(w[self.edges].tolist())

    @property
    def marked(self) -> NDArray[np.int64]:
        """The vertices that pictures mark: the root."""
        return np.array([self.root])

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        from boruvka.runtime.html import text

        return self._html_table(
            "Arborescence", "vertices", self.n, [("root", text(self.graph.name_of(self.root)))]
        )

    def __repr__(self) -> str:
        return f"Arborescence(n={self.graph.n}, root={self.graph.name_of(self.root)}, weight={self.weight})"


def minimum_spanning_arborescence(
    graph: Any, root: Any = None, *, maximum: bool = False, **options: Unpack[GraphOptions]
) -> Arborescence:
    """Find the lightest arborescence of a directed graph.

    Parameters
    ----------
    graph : object
        The arcs, as `minimum_spanning_forest` takes edges: arc i goes from u[i] to v[i]; or a directed graph
        of NetworkX or igraph; or a square matrix or frame, in which 0 means no arc. Parallel arcs,
        self-loops, zero and negative weights are legal; weights are finite.
    root : name or int, optional
        The root; by default the best one.
    maximum : bool
        Find the heaviest instead.
    **options
        Options of `as_graph`, such as ``source``, ``target`` and ``weight`` for a frame.

    Returns
    -------
    Arborescence
        Equal input gives equal arcs. Weights of every type are computed exactly.

    Raises
    ------
    GraphError, GraphTypeError
        The root does not reach every vertex, or no vertex does; a weight is infinite or NaN; the graph has no
        list of arcs, or no vertices.

    Examples
    --------
    >>> import boruvka
    >>> arcs = [("a", "b", 6), ("b", "c", 1), ("c", "b", 2), ("a", "c", 9), ("c", "d", 3)]
    >>> tree = boruvka.minimum_spanning_arborescence(arcs, root="a")
    >>> tree.edges, tree.weight, tree.verify()
    (array([0, 1, 4]), 10, True)
    """
    with without_warnings(UNLESS_ARCS):
        graph = _with_directions(graph, options)
    check_lists_edges(graph, "an arborescence needs a graph that lists its arcs, on the host")
    if not graph.n:
        raise GraphError("a graph without vertices has no arborescence")
    maximum = flag("maximum", maximum)
    start = -1 if root is None else read_vertex(graph, "root", root)
    low, unit = _limbs(graph, maximum)
    up, in_arc, y = _contract(graph, low, start)
    sources = np.flatnonzero((up < 0) & (in_arc < 0))  # sets of vertices that no arc enters
    if sources.size > 1:
        raise _many_roots(graph, up, sources) if root is None else _unreached(graph, start)
    if root is None:
        start = _best_root(up, y.copy(), sources[0], graph.n, np.zeros(up.size, bool))
    entering = np.full(graph.n, -1)
    _expand(up, in_arc, graph.v, start, np.zeros(up.size, bool), entering)
    return Arborescence(graph, start, entering, maximum, DualSolution(up, y, unit, root is None))


def _with_directions(graph: Any, options: GraphOptions) -> Any:
    """Make a graph of an object; graphs of NetworkX and igraph say whether they are directed."""
    if options.keys() <= {"missing", "default"} and is_square_frame(graph):
        missing = options.get("missing", "error")
        return Graph.from_dense(graph, missing=missing, default=options.get("default"))
    if not callable(getattr(graph, "is_directed", None)):
        return as_graph(graph, **options)
    if not graph.is_directed():
        raise GraphTypeError("the graph is undirected: g.to_directed() has an arc in both directions")
    options["directed"] = True
    return as_graph(graph, **options)


def _limbs(graph: Graph, maximum: bool) -> tuple[NDArray[np.int64], int]:
    """Return the weights that are minimised as integers of several limbs, and their unit, a power of 2.

    There are bits to spare for the sum of all dual values around a vertex.
    """
    w = graph.w
    if (i := first_true(~np.isfinite(w))) is not None:
        ends = ends_text(graph.names, graph.u[i], graph.v[i], graph.first_id)
        raise GraphError(f"arc {i} {ends} has the weight {w[i]}: weights of arcs must be finite")
    parts = _parts_of_integers(w) if graph.dtype.kind in "iu" else _parts_of_floats(w)
    unit, highest = 0, 0
    if any(mantissa.any() for mantissa, _ in parts):
        lowest_bits = [(mantissa & -mantissa, exponent) for mantissa, exponent in parts]
        lowest = [_end(bit, exponent).min(where=bit != 0, initial=2**30) for bit, exponent in lowest_bits]
        unit = int(min(lowest)) - 1
        highest = max(int(_end(mantissa, exponent).max()) for mantissa, exponent in parts)
    spare = 4 + (2 * graph.n).bit_length()
    size = (highest - unit + spare) // int(LIMB_BITS) + 1
    check_room("the weights of the arcs as exact integers", 16 * size * w.size)
    limbs = np.zeros((w.size, size), np.int64)
    for mantissa, exponent in parts:
        for k in range(size):
            shift = exponent - unit - LIMB_BITS * (size - 1 - k)
            shifted = ((-mantissa if maximum else mantissa) << np.maximum(shift, 0)) >> np.maximum(-shift, 0)
            limbs[:, k] += shifted & LIMB_MASK if k else shifted
    for k in range(size - 1, 0, -1):
        limbs[:, k - 1] += limbs[:, k] >> LIMB_BITS
        limbs[:, k] &= LIMB_MASK
    return limbs, unit


def _parts_of_integers(w: NDArray[Any]) -> list[tuple[NDArray[np.int64], Any]]:
    """Return pairs (mantissas, exponent) of which integers are the sums."""
    low = w.dtype.type(3)
    return [((w >> w.dtype.type(2)).astype(np.int64), np.int64(2)), ((w & low).astype(np.int64), np.int64(0))]


def _parts_of_floats(w: NDArray[Any]) -> list[tuple[NDArray[np.int64], Any]]:
    """Return pairs (mantissas, exponents) of which floats are the sums; float64 needs one."""
    rest, exponent = np.frexp(w if w.dtype.itemsize > 8 else w.astype(np.float64))
    parts: list[tuple[NDArray[np.int64], Any]] = []
    while not parts or rest.any():
        rest, exponent = np.ldexp(rest, LIMB_BITS), exponent.astype(np.int64) - LIMB_BITS
        whole = np.trunc(rest)
        parts.append((whole.astype(np.int64), exponent))
        rest -= whole
    return parts


def _end(mantissa: NDArray[np.int64], exponent: Any) -> NDArray[np.int64]:
    """Return the number of bits of mantissas, or one more, added to their exponents."""
    return np.frexp(mantissa.astype(np.float64))[1] + exponent


def _contract(
    graph: Graph, low: NDArray[np.int64], root: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Contract cycles; return the cycle around each vertex or cycle, its incoming arc, and its dual value.

    The root, or -1, has no incoming arc, and neither has what no vertex outside of it reaches.
    """
    arcs, nodes, size = graph.m, 2 * graph.n, low.shape[1]
    left, right, later = np.full(arcs, -1), np.full(arcs, -1), np.zeros_like(low)
    up, in_arc, y = np.full(nodes, -1), np.full(nodes, -1), np.zeros((nodes, size), np.int64)
    top, heap = np.arange(nodes), np.full(nodes, -1)
    state, path = np.zeros(nodes, np.uint8), np.empty(nodes, np.int64)
    heaps = left, right, low, later
    count = _grow_paths(graph.u, graph.v, heaps, graph.n, root, up, in_arc, y, top, heap, state, path)
    return up[:count], in_arc[:count], y[:count]


def _unreached(graph: Graph, root: int) -> GraphError:
    """Make the error about vertices that the root does not reach."""
    left = np.flatnonzero(Arcs(graph.n, graph.u, graph.v).search(root).hops < 0)
    name, *listed = map(str, graph.shown_id(np.append(root, left)).tolist())
    vertices = "vertices" if left.size > 1 else "vertex"
    return GraphError(f"the root {name} does not reach {left.size:,} {vertices}: {some_of(listed)}")


def _many_roots(graph: Graph, up: NDArray[np.int64], sources: NDArray[np.int64]) -> GraphError:
    """Make the error about vertices that cannot all be below one root."""
    top = np.where(up < 0, np.arange(up.size), up)
    while (top[top] != top).any():
        top = top[top]
    sets, first = np.unique(top[: graph.n], return_index=True)
    roots = some_of(list(map(str, graph.shown_id(np.sort(first[np.isin(sets, sources)])).tolist())))
    return GraphError(f"no vertex reaches all others: {sources.size:,} roots are needed, such as {roots}")


# The check


def _is_arborescence(graph: Graph, root: int, parent_edge: NDArray[np.int64]) -> bool:
    """Return whether arcs, one into each vertex but the root, lead from the root to every vertex."""
    n, arcs = graph.n, np.asarray(parent_edge)
    if arcs.shape != (n,) or arcs.dtype.kind not in "iu" or not 0 <= root < n:
        return False
    others = np.flatnonzero(np.arange(n) != root)
    arcs = arcs[others]
    if parent_edge[root] != -1 or not ((arcs >= 0) & (arcs < graph.m)).all():
        return False
    above = np.full(n, root)
    above[others] = graph.u[arcs]
    for _ in range(n.bit_length()):
        above = above[above]
    return bool((graph.v[arcs] == others).all() and (above == root).all())


def _scaled_integers(w: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return finite weights as an array of Python integers, in units of 2**unit, and the unit."""
    if w.dtype.kind in "iu":
        return w.astype(object), 0
    bits = np.finfo(w.dtype).nmant + 2
    mantissa, exponent = np.frexp(w if w.dtype.itemsize > 8 else w.astype(np.float64))
    unit = int(exponent.min(initial=0)) - bits
    whole = np.fromiter(map(int, np.ldexp(mantissa, bits).tolist()), object, w.size)
    return whole << (exponent - bits - unit).astype(object), unit


def _lower_bound(
    graph: Graph, w: NDArray[Any], dual: DualSolution, values: NDArray[Any], root: int
) -> int | None:
    """Return a weight that no arborescence is below, or None if the values prove nothing.

    Parameters
    ----------
    graph : Graph
        Its arcs go from u to v.
    w : (m,) array of Python integers
        The weights.
    dual : DualSolution
        The sets: the first n are the vertices, and the smallest one around a set has a larger number.
    values : array of Python integers
        The value of each set, in the unit of the weights.
    root : int
        The root of the arborescence; the bound may be for arborescences of any root.
    """
    up, n, numbers = dual.up, graph.n, np.arange(dual.up.size)
    are_nested = up.size >= n and ((up == -1) | ((up > numbers) & (up >= n) & (up < up.size))).all()
    if not are_nested or np.setdiff1d(numbers[n:], up).size or (values[n:] < 0).any():
        return None
    total, outermost = values.tolist(), numbers.tolist()  # of the sets around each set, and itself
    for x, outer in zip(reversed(range(up.size)), reversed(up.tolist()), strict=True):
        if outer >= 0:
            total[x] += total[outer]
            outermost[x] = outermost[outer]
    around = np.array([*total, 0], object)
    entered = around[graph.v] - around[_smallest_common_sets(graph, up)]
    limits = (graph.u != graph.v) & (dual.is_for_any_root | (graph.v != root))
    if (entered > w)[limits].any():
        return None
    is_root = np.arange(n) == root
    if dual.is_for_any_root:
        is_root = np.array(outermost[:n]) == outermost[root]
        if (is_root[graph.v] & ~is_root[graph.u]).any():  # else all roots are there
            is_root[:] = True
    return sum(values.tolist()) - max(around[:n][is_root])


def _smallest_common_sets(graph: Graph, up: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the smallest set that holds both ends of each arc, unless it is a loop; -1 if there is none."""
    inside = np.flatnonzero(up >= 0)
    # It has the largest number on the way between them.
    nesting = Forest(Graph(up.size, inside, up[inside], up[inside]), np.arange(inside.size)).structure
    edges, common = heaviest_on_paths(nesting, graph.u, graph.v)
    return np.where(edges >= 0, common, -1)


# Loops


@kernel
def _grow_paths(tail, head, heaps, n, root, up, in_arc, y, top, heap, state, path):
    """Follow lightest incoming arcs from each vertex, and contract cycles; return the number of nodes."""
    left, right, low, later = heaps
    for i in range(tail.size):
        end = np.int64(head[i])
        if end != root and end != tail[i]:
            heap[end] = _merge(heap[end], i, heaps)
    if root >= 0:
        state[root] = DONE
    count = np.int64(n)
    for begin in range(n):
        length, x = 0, find(np.int64(begin), top)
        while state[x] == UNSEEN:
            arc, t = np.int64(-1), x
            while t == x and heap[x] >= 0:  # arcs inside a cycle are left out
                arc = heap[x]
                _settle(arc, heaps)
                heap[x] = _merge(left[arc], right[arc], heaps)
                t = find(np.int64(tail[arc]), top)
            if t == x:  # no arc enters
                state[x] = DONE
                break
            in_arc[x] = arc
            _add(y, x, low, arc, 1)
            if heap[x] >= 0:
                _add(later, heap[x], low, arc, -1)
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
    left, right, low, _ = heaps
    root, last = np.int64(-1), np.int64(-1)
    while a >= 0 and b >= 0:
        _settle(a, heaps)
        _settle(b, heaps)
        order = _compare(low, b, a)
        if order < 0 or (order == 0 and b < a):
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
    """Subtract the pending amount from an arc, and pass it on to both heaps below."""
    left, right, low, later = heaps
    is_due = False
    for k in range(later.shape[1]):
        is_due |= later[i, k] != 0
    if not is_due:
        return
    _add(low, i, later, i, 1)
    for below in (left[i], right[i]):
        if below >= 0:
            _add(later, below, later, i, 1)
    for k in range(later.shape[1]):
        later[i, k] = 0


def _add(to, i, values, j, sign):
    """Add an integer of several limbs, or with the sign -1 subtract it."""
    carry = np.int64(0)
    for k in range(to.shape[1] - 1, 0, -1):
        limb = to[i, k] + sign * values[j, k] + carry
        to[i, k], carry = limb & LIMB_MASK, limb >> LIMB_BITS
    to[i, 0] += sign * values[j, 0] + carry


def _compare(values, i, j):
    """Return a negative number if an integer of several limbs is less than another one, 0 if it is equal."""
    for k in range(values.shape[1]):
        if values[i, k] != values[j, k]:
            return -1 if values[i, k] < values[j, k] else 1
    return 0


@kernel
def _best_root(up, cost, source, n, is_inside):
    """Return the vertex of a set, which no arc enters, whose sets have the largest sum of dual values.

    Such a root saves most. ``cost`` has the value of each set, and gets the sum of those around it.
    """
    for k in range(up.size):
        x = up.size - 1 - k
        if up[x] >= 0:
            _add(cost, x, cost, up[x], 1)
            is_inside[x] = is_inside[up[x]]
        else:
            is_inside[x] = x == source
    best = np.int64(-1)
    for x in range(n):
        if is_inside[x] and (best < 0 or _compare(cost, best, x) < 0):
            best = np.int64(x)
    return best


@kernel
def _expand(up, in_arc, head, root, is_open, entering):
    """Choose the arc that enters each vertex other than the root, from the outermost cycles inwards."""
    x = root
    while x >= 0:
        is_open[x] = True
        x = up[x]
    for k in range(up.size):
        x = up.size - 1 - k
        if not is_open[x]:
            y = np.int64(head[in_arc[x]])
            entering[y] = in_arc[x]
            while y != x:
                is_open[y] = True
                y = up[y]
