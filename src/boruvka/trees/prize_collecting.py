"""Prize-collecting Steiner trees: the cost of the edges plus the prizes that the tree leaves is small.

Growth: each vertex with a prize is an active set, and has its prize to spend. All active sets grow at the
same speed, each out of its own budget, and what they spend pays for the edges that leave them. A set whose
budget is spent becomes inactive. An edge that is paid for joins its two sets, and their budgets; a set with
the root is never active. Pruning: of the edges that were paid for, which form trees, the part with the
largest surplus of prizes over costs is kept. It costs at most twice the optimum [1]_ [2]_. The minimum
spanning forest of its vertices, pruned again, does not cost more. On request, Steiner trees of other prizes
are pruned, too.

Bound: a tree with the root either crosses the border of a set, and the edge there was paid for by it, or
leaves the set with a prize of at least what it spent. So what all sets spent is a lower bound, without a
root less the largest amount that was spent around one vertex: these sets may hold the whole tree.

Each set has a heap of the halves of the edges that leave it. The half at a vertex has a limit of what may be
spent around this vertex. Both limits add up to the cost of the edge. When a limit is reached, the other half
gives half of what its limit still allows, or all of it if its set is inactive. Amounts are integers, and
limits are rounded down, so the bound holds exactly.

.. [1] M. X. Goemans, D. P. Williamson, A general approximation technique for constrained forest problems,
       SIAM Journal on Computing 24 (1995), 296-317; without a root and with strong pruning: D. S. Johnson,
       M. Minkoff, S. Phillips, The prize collecting Steiner tree problem: theory and practice, SODA 2000,
       whose factor is 2: P. Feofiloff, C. G. Fernandes, C. E. Ferreira, J. C. de Pina, arXiv:1004.1437.
.. [2] C. Hegde, P. Indyk, L. Schmidt, A nearly-linear time framework for graph-structured sparsity, ICML 2015
       (the heaps).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.algorithms.run import solve_graph
from boruvka.graph.columns import read_only
from boruvka.graph.connected_components import label_components
from boruvka.graph.derived_graphs import subgraph_of
from boruvka.graph.exact import exact_sum, float_below, partial_sum
from boruvka.graph.graph import Graph
from boruvka.graph.validation import read_vertex
from boruvka.interop.as_graph import GraphOptions
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import flag
from boruvka.trees.acyclic_edges import NO_EDGES, AcyclicEdges
from boruvka.trees.dual_ascent import BITS, in_units, lower_bound, number_below, relative_gap
from boruvka.trees.rooted_forest import RootedForest
from boruvka.trees.steiner import TRIES, WORK, Search, SteinerTree, amounts, checked_graph, find_tree, reached

ROOTS = WORK // 1000
"""Maximum number of vertices and edges that growths from roots visit, where none is given: some tenths of a
second."""
CHILD, NEXT, BEFORE, KEY, LATER, LIMIT = range(6)
"""Columns of the table of the halves of edges: nodes of pairing heaps."""
NEVER, ONE = np.int64(2**63 - 1), np.uint64(1)


class PrizeCollectingTree(SteinerTree):
    """A tree that collects prizes of vertices, with a bound that says how far from the best it can be.

    Attributes
    ----------
    graph : Graph
        The graph.
    terminals : (t,) array of int64
        The vertices whose prizes it collects, and its root, ascending; vertices are numbers here.
    edges : (k,) array of int64
        Indices of the edges in the graph, ascending.
    prizes : (n,) array
        The prize of each vertex.
    root : int or None
        The vertex that must be in the tree; None if the tree may be anywhere.
    """

    _in_repr = "terminals", "edges", "weight", "missed"
    prizes: NDArray[Any]
    _growth_bound: int | float

    @property
    def collected(self) -> Any:
        """The vertices whose prizes the tree collects: their names if vertices have names, else numbers."""
        return self.graph.name_of(self.terminals[self.prizes[self.terminals] > 0])

    crossed_text = "prize not collected"

    @property
    def crossed(self) -> NDArray[np.int64]:
        """The vertices that pictures cross out: those whose prizes the tree does not collect."""
        return np.setdiff1d(np.flatnonzero(self.prizes > 0), self.terminals)

    @property
    def missed(self) -> int | float:
        """Sum of the prizes that the tree does not collect."""
        return exact_sum(np.delete(self.prizes, self.vertices))

    @property
    def total(self) -> int | float:
        """Weight of the edges and the prizes that the tree does not collect, which is minimised."""
        return self.weight + self.missed

    @cached_property
    def lower_bound(self) -> int | float:
        """A lower bound of the total of every tree, by dual ascent or by the growth, which is at least half.

        It is computed when it is first read, which takes about as long as the tree.
        """
        roots = None if self.root is None else np.array([self.root])
        ascent = lower_bound(self.graph, self.prizes, roots, self.total)
        return min(max(ascent, self._growth_bound), self.total)

    @property
    def gap(self) -> float:
        """Proven distance from the best total, as a share of this total: 0 if this tree is optimal."""
        return relative_gap(self.lower_bound, self.total)

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        more = [(name, f"{getattr(self, name):,.6g}") for name in ("missed", "total")]
        count = self.terminals.size
        return self._html_table("Prize-collecting tree", "terminals", count, more)


def prize_collecting_tree(
    graph: Any,
    prizes: Any,
    root: Any = None,
    *,
    improve: bool = False,
    excluded: ArrayLike | None = None,
    load: Any = None,
    **options: Unpack[GraphOptions],
) -> PrizeCollectingTree:
    """Find a tree that collects prizes of vertices and pays for its edges.

    Its total, the weight of its edges and the prizes that it leaves, is at most twice the least one, and
    mostly much nearer: `PrizeCollectingTree.gap` says what is proven.

    Parameters
    ----------
    graph : object
        As for `minimum_spanning_forest`, with a list of edges; weights are 0 or more, and finite.
    prizes : mapping, frame, series or (n,) array_like
        The prizes of vertices, 0 or more, and finite, also as texts with a decimal comma: by name, or number
        where vertices have no names, then others have none; or one for each vertex; or the name of a column
        of the places that are attached.
    root : name or int, optional
        A vertex that must be in the tree. By default a tree may be anywhere. The vertices with the largest
        prizes are tried as roots, too: in a graph of up to about 150 vertices and 250 edges, no root gives a
        better tree, unless this is improved.
    improve : bool
        Look for a better tree near the first: up to 600 others are tried, which collect one prize more or one
        less, and then lighter ones with the same prizes, as `steiner_tree` does. No prize is left that is
        larger than the weight of a path to the tree. The search takes about half a minute at most.
    excluded : array_like, optional
        Edges that must not be in the tree, as for `steiner_tree`.
    load : str, mapping, frame, series or (n,) array_like, optional
        Amount that each vertex takes from the root, as for `steiner_tree`: also of vertices without a prize
        that the tree passes. By default 1 for a vertex whose prize is collected.
    **options
        Options of `as_graph`, such as ``weight="cost"`` and ``attach=buildings`` for a frame of streets.

    Returns
    -------
    PrizeCollectingTree
        Equal input gives equal trees. Integers are exact if they are not above 2**53 and not too different
        in size, else they are rounded as floats are, so that the bound still holds.

    Raises
    ------
    GraphError, GraphTypeError
        A prize belongs to no vertex, prizes or weights are negative, infinite or NaN, the sum of the prizes
        is more than float64 holds, the root is not a vertex, or the graph lists no edges.

    Warns
    -----
    GraphWarning
        No path connects some vertices with prizes with the root.

    Examples
    --------
    >>> import boruvka
    >>> roads = [("plant", "a", 4), ("a", "b", 3), ("b", "c", 9)]
    >>> tree = boruvka.prize_collecting_tree(roads, {"a": 2, "b": 7, "c": 5}, root="plant")
    >>> tree.edges, tree.weight, tree.missed, tree.lower_bound
    (array([0, 1]), 7, 5, 12)
    """
    graph, load = checked_graph(graph, "prize-collecting tree", root, load, excluded, options)
    p = read_only(amounts(graph, "prizes", prizes, root))
    start = -1 if root is None else read_vertex(graph, "root", root)
    if not graph.n:
        return PrizeCollectingTree(graph, NO_EDGES, NO_EDGES, prizes=p, _growth_bound=0)
    plain = Graph(graph.n, graph.u, graph.v, graph.w)  # without names: vertices are numbers below
    label = label_components(graph.n, graph.u, graph.v)
    if root is not None:
        reached(graph, start, np.flatnonzero(p > 0), label, "vertices with prizes")
    cost, budget, unit = _in_units(graph.w, p)
    pruning = _Pruning(plain, p, cost, budget, label, start)
    edges, left, around = pruning.grown()
    found = [pruning.best(edges)]
    if root is None:  # the growth from a root is another one, and may lead to a better tree
        roots = np.argsort(-float_below(p), kind="stable")[: ROOTS // (graph.n + graph.m)].tolist()
        found += [pruning.best(pruning._replace(root=vertex).grown()[0]) for vertex in roots]
    inside, edges = min(found, key=lambda each: pruning.total(*each))
    if flag("improve", improve):
        inside, edges = _improved(pruning, inside, edges)
    terminals = np.flatnonzero(inside & ((p > 0) | (np.arange(graph.n) == start)))
    bound, at = _bound(pruning, unit, left, around), None if start < 0 else start
    return PrizeCollectingTree(graph, terminals, edges, prizes=p, root=at, _growth_bound=bound, _load=load)


def _in_units(w: NDArray[Any], p: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    """Return costs and budgets as integers, in units of 2**unit, rounded down.

    A prize of more than all edges weigh is collected wherever that is possible, and an edge that costs more
    than all prizes is in no tree: to make them smaller changes nothing.
    """
    with np.errstate(over="ignore"):
        budgets = np.minimum(float_below(p), 2 * float_below(w).sum() or 1.0)
    unit = int(np.frexp(budgets.max())[1]) + p.size.bit_length() - BITS
    return in_units(w, unit, 2.0 ** (BITS + 1)), in_units(budgets, unit, 2.0**BITS), unit


class _Pruning(NamedTuple):
    """Growth, and the search for the parts of forests that are worth their edges."""

    graph: Graph
    p: NDArray[Any]
    cost: NDArray[np.int64]
    budget: NDArray[np.int64]
    label: NDArray[np.int64]
    """The component of the graph of each vertex."""
    root: int

    def grown(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Grow sets; return the minimum spanning forest of the best part of the edges that were paid for.

        Also return what each set has left, at one of its vertices, and 0 elsewhere; and what sets around each
        vertex spent.
        """
        graph, n, m = self.graph, self.graph.n, self.graph.m
        left, around, is_used = self.budget.copy(), np.zeros(n, np.int64), np.zeros(m, bool)
        sets = np.arange(n), np.zeros(n, np.int64), left, np.zeros(n, np.int64), np.full(n, -1)
        events = np.full(n, NEVER), np.zeros(2 * n, np.int64)
        halves = np.empty((2 * m, 6), np.int64)
        _grow(graph.u, graph.v, self.cost, halves, sets, events, self.root, is_used, around)
        return _forest_within(graph, self.inside(np.flatnonzero(is_used))), left, around

    def inside(self, edges: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which vertices are in the part of a forest with the largest surplus in each component."""
        rooted = RootedForest.of(AcyclicEdges(self.graph, edges), None if self.root < 0 else self.root)
        inside, top = np.zeros(self.graph.n, bool), np.full(self.graph.n, -1)
        toll = np.append(self.cost, 0)[rooted.parent_edge]
        _prune(rooted.order, rooted.parent, toll, self.budget.copy(), self.label, self.root, top, inside)
        return inside

    def best(self, edges: NDArray[np.int64]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return the vertices and the edges of the part of a forest with the largest surplus."""
        u, inside = self.graph.u, self.inside(edges)
        edges = edges[inside[u[edges]] & inside[self.graph.v[edges]]]
        if self.root < 0:  # each component of the graph has a tree: take the best
            surplus = np.bincount(self.label, self.p * inside)
            surplus -= np.bincount(self.label[u[edges]], float_below(self.graph.w[edges]), surplus.size)
            inside &= self.label == surplus.argmax()
            edges = edges[inside[u[edges]]]
        return inside, edges

    def total(self, inside: NDArray[np.bool_], edges: NDArray[np.int64]) -> Any:
        """Return the total of a tree, without rounding."""
        return partial_sum(self.graph.w[edges]) + partial_sum(self.p[~inside & (self.p > 0)])


def _improved(
    pruning: _Pruning, inside: NDArray[np.bool_], edges: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Look for a better tree: prune Steiner trees of the prizes that a tree collects, one more or less."""
    graph, rng = pruning.graph, np.random.default_rng(0)
    pays = (pruning.p > 0) & (pruning.label == pruning.label[np.argmax(inside)])
    is_root = np.arange(graph.n) == pruning.root
    least, tries = pruning.total(inside, edges), min(TRIES, WORK // max(graph.m + graph.n, 1))

    def moves() -> Iterator[tuple[NDArray[np.int64], bool]]:
        connected = np.flatnonzero(inside & (pays | is_root))
        for vertex in rng.permutation(np.flatnonzero(pays & ~is_root))[:tries]:
            yield np.setxor1d(connected, vertex), False
        yield connected, True

    while True:
        for terminals, is_thorough in moves():
            tries -= not is_thorough
            found = pruning.best(find_tree(graph, terminals, is_thorough).edges)
            if (total := pruning.total(*found)) < least:
                (inside, edges), least = found, total
                break
        else:
            return _extended(pruning, inside, edges)


def _extended(
    pruning: _Pruning, inside: NDArray[np.bool_], edges: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Join vertices whose prizes are larger than the weight of a path to the tree, until there are none."""
    graph = pruning.graph
    search, least = Search(graph, np.flatnonzero(inside)), pruning.total(inside, edges)
    while True:
        found = pruning.best(_forest_within(graph, search.with_paths(inside, pruning.p)))
        if (total := pruning.total(*found)) >= least:
            return inside, edges
        (inside, edges), least = found, total


def _forest_within(graph: Graph, inside: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the edges of the minimum spanning forest of some vertices."""
    subgraph, edges, _ = subgraph_of(graph, inside)
    return edges[solve_graph(subgraph).edges]


def _bound(of: _Pruning, unit: int, left: NDArray[np.int64], around: NDArray[np.int64]) -> int | float:
    """Return a lower bound of all totals: all prizes, less the most that a tree gains in one component.

    A gain is what budgets have left; without a root, and what sets around one vertex spent.
    """
    p, label, are_whole = of.p, of.label, of.p.dtype.kind in "iu"
    most = np.nextafter(p.astype(np.float64), np.inf) if are_whole else p
    gain = np.bincount(label, most - np.ldexp(of.budget, unit)) + np.bincount(label, np.ldexp(left, unit))
    if of.root < 0:
        order = np.lexsort((around, label))
        last = np.append(label[order][1:] != label[order][:-1], True)
        gain += np.ldexp(around[order[last]], unit)
    largest = gain.max() if of.root < 0 else gain[label[of.root]]
    # a sum of so many floats may be too small by as many units in the last place
    bound = Fraction(partial_sum(p)) - Fraction(float(largest)) * (1 + Fraction(p.size + 4, 2**52))
    return max(number_below(bound, are_whole and of.graph.dtype.kind in "iu"), 0)


@kernel
def _grow(u, v, cost, halves, sets, events, root, is_used, around):
    """Grow active sets until none is active; mark the edges that were paid for.

    Half 2 e of edge e is at u[e], half 2 e + 1 at v[e]. A half has its key in the heap of its set: what the
    set has spent when what was spent around the end of the half is its limit.
    """
    parent, spent, left, _, heap = sets
    when, first = events
    n, home = when.size, root
    for e in range(np.uint64(cost.size)):
        a, b = left[u[e]] > 0, left[v[e]] > 0
        near, far = np.uint64(2) * e, np.uint64(2) * e + ONE
        halves[near, LIMIT] = cost[e] >> np.int64(1) if a == b else cost[e] if a else 0
        halves[far, LIMIT] = cost[e] - halves[near, LIMIT]
        if u[e] != v[e]:
            heap[u[e]] = _insert(heap[u[e]], np.int64(near), halves[near, LIMIT], halves)
            heap[v[e]] = _insert(heap[v[e]], np.int64(far), halves[far, LIMIT], halves)
    for x in range(n):
        first[n + x] = x
    now, active, least = np.int64(0), 0, 1 if root < 0 else 0
    for x in range(n):
        _schedule(x, np.int64(0), left[x] > 0 and x != root, sets, halves, events)
        active += when[x] < NEVER
    while active > least:
        x = first[1]
        now = when[x]
        _spend(x, now, sets, when)
        half = heap[x]
        if half < 0 or halves[half, KEY] > spent[x]:  # nothing is left
            _schedule(x, now, False, sets, halves, events)
            active -= 1
            continue
        e, other = half >> np.int64(1), half ^ np.int64(1)
        y, below = _find(np.int64(v[e] if other > half else u[e]), parent, spent)
        heap[x] = _remove_first(half, halves)
        if x != y:
            is_active = when[y] < NEVER
            _spend(y, now, sets, when)
            at = halves[other, LIMIT] - below
            rest = at - spent[y]
            if rest > 1:
                given = rest >> np.int64(1) if is_active else rest
                halves[half, LIMIT] += given
                halves[other, LIMIT] -= given
                heap[x] = _insert(heap[x], half, spent[x] + given, halves)
                heap[y] = _decrease(heap[y], other, at, given, halves)
            else:
                is_used[e] = True
                _unite(x, y, sets, halves)
                home = x if y == home else home
                active -= is_active
                is_active = False
            _schedule(y, now, is_active, sets, halves, events)
        stays_active = left[x] > 0 and x != home
        active -= not stays_active
        _schedule(x, now, stays_active, sets, halves, events)
    if active:
        _spend(first[1], now, sets, when)
    for x in range(n):
        y, below = _find(np.int64(x), parent, spent)
        around[x] = below + spent[y]


def _spend(x, now, sets, when):
    """Let a set spend, if it is active, until now."""
    _, spent, left, since, _ = sets
    if when[x] < NEVER:
        spent[x] += now - since[x]
        left[x] -= now - since[x]
    since[x] = now


def _unite(x, y, sets, halves):
    """Join set y to set x."""
    parent, spent, left, _, heap = sets
    parent[y] = x
    left[x] += left[y]
    left[y] = 0
    more = spent[x] - spent[y]
    spent[y] = -more
    if heap[y] >= 0:
        halves[heap[y], KEY] += more
        halves[heap[y], LATER] += more
        heap[x] = _meld(heap[x], heap[y], halves)


def _schedule(x, now, is_active, sets, halves, events):
    """Store the time of the next event of a set, and update the first event in the tournament."""
    _, spent, left, _, heap = sets
    when, first = events
    when[x] = NEVER
    if is_active:
        when[x] = now + left[x]
        if heap[x] >= 0:
            when[x] = min(when[x], now + max(halves[heap[x], KEY] - spent[x], 0))
    node = (when.size + x) >> 1
    while node:
        a, b = first[2 * node], first[2 * node + 1]
        first[node] = a if when[a] <= when[b] else b
        node >>= 1


def _find(x, parent, spent):
    """Find the set of a vertex; return it, and what was spent around the vertex before it joined.

    ``spent`` of other vertices than those that stand for sets is what to add for the vertices below. The path
    is halved.
    """
    total = np.int64(0)
    while parent[x] != x:
        up = parent[x]
        if parent[up] != up:
            spent[x] += spent[up]
            parent[x] = parent[up]
        total += spent[x]
        x = parent[x]
    return x, total


# Pairing heaps. LATER is what to add to the keys of all nodes below a node.


def _insert(first, node, at, halves):
    """Insert a node with a key into a heap; return the first node."""
    halves[node, CHILD], halves[node, LATER], halves[node, KEY] = -1, 0, at
    return _meld(first, node, halves)


def _meld(a, b, halves):
    """Merge two heaps, of which b is not empty; return the first node."""
    if a < 0:
        return b
    if halves[b, KEY] < halves[a, KEY]:
        a, b = b, a
    halves[b, KEY] -= halves[a, LATER]
    halves[b, LATER] -= halves[a, LATER]
    halves[b, NEXT], halves[b, BEFORE] = halves[a, CHILD], a
    if halves[a, CHILD] >= 0:
        halves[halves[a, CHILD], BEFORE] = b
    halves[a, CHILD] = b
    return a


def _remove_first(node, halves):
    """Remove the first node; return the next one.

    The children are merged in pairs, and the pairs from last to first.
    """
    rest, pairs = halves[node, CHILD], np.int64(-1)
    while rest >= 0:
        a, b = rest, halves[rest, NEXT]
        _take_from(node, a, halves)
        rest = np.int64(-1)
        if b >= 0:
            _take_from(node, b, halves)
            rest = halves[b, NEXT]
            a = _meld(a, b, halves)
        halves[a, NEXT], pairs = pairs, a
    first = np.int64(-1)
    while pairs >= 0:
        a, pairs = pairs, halves[pairs, NEXT]
        first = _meld(first, a, halves)
    return first


def _take_from(node, below, halves):
    """Add what is added to all keys below a node to the key of a child, which is taken from it."""
    halves[below, KEY] += halves[node, LATER]
    halves[below, LATER] += halves[node, LATER]


def _decrease(first, node, at, less, halves):
    """Decrease the key of a node, which is the sum of all above it, by an amount; return the first node."""
    if node == first:
        halves[node, KEY] -= less
        return first
    if halves[halves[node, BEFORE], CHILD] == node:
        halves[halves[node, BEFORE], CHILD] = halves[node, NEXT]
    else:
        halves[halves[node, BEFORE], NEXT] = halves[node, NEXT]
    if halves[node, NEXT] >= 0:
        halves[halves[node, NEXT], BEFORE] = halves[node, BEFORE]
    halves[node, LATER] += at - halves[node, KEY]
    halves[node, KEY] = at - less
    return _meld(first, node, halves)


@kernel
def _prune(order, parent, toll, worth, label, root, top, inside):
    """Mark the part of a forest with the largest surplus in each component, or only in the root's.

    ``worth`` has the prize of each vertex, and gets what the best part of its subtree with it is worth.
    """
    for i in range(order.size):
        x = order[order.size - 1 - i]
        up, k = parent[x], label[x]
        if root < 0 and (top[k] < 0 or worth[x] > worth[top[k]]):
            top[k] = x
        if up >= 0 and worth[x] > toll[x]:
            inside[x] = True
            worth[up] += worth[x] - toll[x]
    if root >= 0:
        top[label[root]] = root
    for i in range(order.size):
        x = order[i]
        inside[x] = x == top[label[x]] or (inside[x] and inside[parent[x]])
