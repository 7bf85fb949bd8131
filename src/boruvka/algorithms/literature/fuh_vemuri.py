"""Fuh and Vemuri (Carnegie Mellon): union-find instead of contraction, along edges or along stars.

K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University. The graph is never rebuilt:
roots of union-find trees identify components, and every round reads all edges.

=============================  =======================================================================
`sequential`                   "Sequential Implementation": one thread, union by rank
`edge_contraction`             "Find Minimum Edges by Edge with Edge Contraction"
`component_edge_contraction`   "... by Component with Edge Contraction": a quadratic search
`star_contraction`             "Find Minimum Edges by Edge with Star Contraction"
`component_star_contraction`   "... by Component with Star Contraction"
=============================  =======================================================================

*By edge*, every edge proposes itself to the components of both ends. There a lock guards the lightest edge of
a component; here it is an atomic minimum of keys, and a second one of indices if keys do not hold the index.
*By component*, every root looks for its vertices among all vertices.

*Edge contraction* merges roots without locks, by compare and swap; a root hooks onto another at most once, so
the edge is stored in an element of this root (R. J. Anderson, H. Woll, Wait-free parallel algorithms for the
union-find problem, STOC 1991). *Star contraction* flips a coin for every component. If the
lightest edge of a component joins tails and heads, tails hooks onto heads, so no component both hooks and is
hooked onto. A component that several edges could hook is hooked once, by compare and swap. The coins of an
edge are the coins of the current roots of its ends: after its end with tails has hooked onto a component with
heads, an edge may again join heads and tails. A round hooks two fifths of the components, where edge
contraction hooks more than half. Coins are flipped in parallel or in sequence (figures 2 and 3).

Why they are right: every edge that merges two components is the lightest of one of them (cut property; see
`boruvka.algorithms.boruvka`). Two components that chose each other chose the same edge; the second union then
finds one tree, and does nothing. A star closes no cycle. Coins and threads decide the rounds, not the forest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature.arcs import arcs_of, precedes
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.errors import OptionError
from boruvka.kernels.kernel_functions import atomic_swap_if
from boruvka.operators import Operator
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import find, is_root, make_set, store_root, union_by_rank
from boruvka.runtime.arguments import hint
from boruvka.runtime.round_log import RoundLog

ZERO, ONE, LOW = U64(0), U64(1), U64(0xFFFFFFFF)
RANGES = 64
"""Ranges of vertices that are searched in parallel; more than threads, for some ranges have few roots."""


# One thread


@algorithm(
    "sequential",
    source="Fuh, Vemuri (Carnegie Mellon)",
    complexity="O(m log n)",
    use="the baseline of Fuh and Vemuri: always one thread",
)
def sequential(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest in rounds over all edges, on one thread."""
    edges = edge_list.u, edge_list.v, edge_list.keys(backend)

    def find_lightest(parent, lightest):
        backend.for_each_in_order(keep_if_lightest, edge_list.m, *edges, parent, lightest)

    return merge_in_rounds(edge_list, backend, round_log, find_lightest)


def merge_in_rounds(
    edge_list: EdgeList, backend: Backend, round_log: RoundLog, find_lightest: Callable[[Any, Any], None]
) -> Any:
    """Do rounds over all edges, in which one thread merges components along their lightest edges.

    ``find_lightest(parent, lightest)`` finds these edges; before, each element of ``lightest`` is NONE.
    """
    n, m = edge_list.n, edge_list.m
    in_forest, lightest = backend.zeros(m, bool), backend.empty(n, np.uint64)
    parent, rank = backend.empty(n, edge_list.u.dtype), backend.zeros(n, np.uint8)
    backend.for_each(make_set, n, parent)
    components, before = n, n + 1
    while 1 < components < before:
        round_log.begin("all", components, m)
        with round_log.step("find"):
            lightest.fill(NONE)
            find_lightest(parent, lightest)
        with round_log.step("contract"):
            arrays = edge_list.u, edge_list.v, lightest, parent, rank, in_forest
            backend.for_each_in_order(merge_along_lightest, n, *arrays)
            components, before = backend.count(is_root, n, parent), components
        round_log.note(f"{before - components} edges added")
    return backend.flatnonzero(in_forest)


def keep_if_lightest(i, u, v, key, parent, lightest):
    """Make edge i the lightest edge of the components of its ends if no lighter one was seen."""
    a, b = find(u[i], parent), find(v[i], parent)
    if a != b:
        keep_lighter(i, a, key, lightest)
        keep_lighter(i, b, key, lightest)


def keep_lighter(i, c, key, lightest):
    """Make edge i the lightest edge of component c if it is lighter; edges come in the order of indices."""
    if lightest[c] == NONE or key[i] < key[lightest[c]]:
        lightest[c] = i


def merge_along_lightest(c, u, v, lightest, parent, rank, in_forest):
    """Merge component c along its lightest edge, if any."""
    i = lightest[c]
    if i != NONE and union_by_rank(u[i], v[i], parent, rank):
        in_forest[i] = True


# Edge contraction


@algorithm(
    "edge-contraction",
    source="Fuh, Vemuri (Carnegie Mellon)",
    complexity="O(m log n)",
    use="the simplest parallel algorithm, with the least memory",
)
def edge_contraction(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest, with a search by edge."""
    return contract(ByEdge(edge_list, backend), round_log, merge_along_chosen)


@algorithm(
    "component-edge-contraction",
    source="Fuh, Vemuri (Carnegie Mellon)",
    complexity="O(n² + m log n)",
    use="comparison on small graphs; refuses more than 20,000 vertices unless forced",
)
def component_edge_contraction(
    edge_list: EdgeList, backend: Backend, round_log: RoundLog, force: bool = False
) -> Any:
    """Find the minimum spanning forest, with a search by component.

    Parameters
    ----------
    force : bool
        Run also on a large graph, in quadratic time.

    Raises
    ------
    OptionError
        The graph is large, and ``force`` is not set.
    """
    return contract(ByComponent(edge_list, backend, force), round_log, merge_along_chosen)


def merge_along_chosen(c, u, v, chosen, index_mask, parent, edge_of):
    """Merge the trees at both ends of the edge that component c chose, if any."""
    if chosen[c] != NONE:
        i = chosen[c] & index_mask
        edge_of[union_concurrent(u[i], v[i], parent)] = i


def union_concurrent(a, b, parent):
    """Merge the trees of a and b while other threads merge; return the root that is a root no longer.

    The smaller root hooks onto the larger, so that no cycle arises, by compare and swap, so that it hooks
    only while it is a root. If the trees are the same, return the number of vertices.
    """
    while True:
        a, b = find(a, parent), find(b, parent)
        if a == b:
            return U64(parent.size)
        low, high = min(a, b), max(a, b)
        if atomic_swap_if(parent, low, low, high):
            return U64(low)


# Star contraction


@algorithm(
    "star-contraction",
    source="Fuh, Vemuri (Carnegie Mellon)",
    complexity="O(m log n) expected, in three times as many rounds",
    use="comparison: it contracts only stars, so no path is long",
)
def star_contraction(
    edge_list: EdgeList, backend: Backend, round_log: RoundLog, sequential_flips: bool = False, seed: int = 0
) -> Any:
    """Find the minimum spanning forest, with a search by edge.

    Parameters
    ----------
    sequential_flips : bool
        Flip the coins one after the other, from one generator.
    seed : int
        Seed of the coins.
    """
    return _contract_stars(ByEdge(edge_list, backend), round_log, sequential_flips, seed)


@algorithm(
    "component-star-contraction",
    source="Fuh, Vemuri (Carnegie Mellon)",
    complexity="O(n² log n + m log n) expected",
    use="comparison on small graphs; refuses more than 20,000 vertices unless forced",
)
def component_star_contraction(
    edge_list: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    force: bool = False,
    sequential_flips: bool = False,
    seed: int = 0,
) -> Any:
    """Find the minimum spanning forest, with a search by component.

    Parameters
    ----------
    force : bool
        Run also on a large graph, in quadratic time.
    sequential_flips : bool
        Flip the coins one after the other, from one generator.
    seed : int
        Seed of the coins.

    Raises
    ------
    OptionError
        The graph is large, and ``force`` is not set.
    """
    return _contract_stars(ByComponent(edge_list, backend, force), round_log, sequential_flips, seed)


def _contract_stars(
    lightest: ByEdge | ByComponent, round_log: RoundLog, sequential_flips: bool, seed: int
) -> Any:
    n, backend = lightest.edge_list.n, lightest.backend
    heads, state = backend.empty(n, bool), backend.empty(1, np.uint64)
    mixed_seed = mix32(U64(seed % 2**32))
    state.fill(mixed_seed + ONE)

    def flip_coins():
        with round_log.step("flip"):
            if sequential_flips:
                backend.for_each_in_order(flip_next, n, state, heads)
            else:
                backend.for_each(flip, n, mix32(mixed_seed ^ U64(len(round_log.rounds))), heads)

    return contract(lightest, round_log, hook_tails, heads, before_hooking=flip_coins)


def hook_tails(c, u, v, chosen, index_mask, heads, parent, edge_of):
    """If the edge that component c chose joins tails and heads, hook tails onto heads, once."""
    if chosen[c] != NONE:
        i = chosen[c] & index_mask
        a, b = find(u[i], parent), find(v[i], parent)
        tails, head = (b, a) if heads[a] else (a, b)
        if heads[a] != heads[b] and atomic_swap_if(parent, tails, tails, head):
            edge_of[tails] = i


def mix32(x):
    """Mix 32 bits by the finaliser of MurmurHash3 (Appleby 2011), in 64 bits without overflow."""
    x = ((x ^ (x >> U64(16))) * U64(0x85EBCA6B)) & LOW
    x = ((x ^ (x >> U64(13))) * U64(0xC2B2AE35)) & LOW
    return x ^ (x >> U64(16))


def flip(c, salt, heads):
    """Flip the coin of component c, independently of all others."""
    heads[c] = (mix32((U64(c) & LOW) ^ salt) & ONE) == ONE


def flip_next(c, state, heads):
    """Flip the coin of component c after the coin of the previous component (xorshift: Marsaglia 2003)."""
    x = state[0]
    x ^= x << U64(13)
    x ^= x >> U64(7)
    x ^= x << U64(17)
    state[0] = x
    heads[c] = ((x >> U64(32)) & ONE) == ONE


# The lightest edge of each component


class LabelledEdges(NamedTuple):
    """Edges between the components of a growing forest, which are looked up: nothing is contracted."""

    u: Any
    v: Any
    key: Any
    label: Any
    """The component of each vertex."""


def read_labelled(i, edges):
    """Read edge i, with the components of its ends as ends."""
    return edges.label[edges.u[i]], edges.label[edges.v[i]], edges.key[i], U64(i)


class ByEdge:
    """Search by edge: every edge proposes itself to the components of both ends.

    Attributes
    ----------
    chosen : (n,) array of uint64
        The lightest edge of each root after `find`: ``index_mask`` extracts its index. NONE if there is none.
    index_mask : uint64
    """

    def __init__(self, edge_list: EdgeList, backend: Backend):
        self.edge_list, self.backend = edge_list, backend
        self.edges = edge_list.u, edge_list.v, edge_list.keys(backend)
        self.keys_lack_index = edge_list.sort_keys.keys_lack_index
        self.best = backend.empty(edge_list.n, np.uint64)
        self.chosen = backend.empty(edge_list.n, np.uint64) if self.keys_lack_index else self.best
        self.index_mask = edge_list.sort_keys.index_mask

    def find(self, parent: Any) -> None:
        """Find the lightest edges; the parent of every vertex must be its root."""
        edges, segments = LabelledEdges(*self.edges, parent), self.backend.positions(self.edge_list.m)
        propose, break_tie = round_ops.propose(read_labelled), round_ops.break_tie(read_labelled)
        n, scatter_min = self.edge_list.n, self.backend.scatter_min
        scatter_min(propose, segments, self.best, n, edges, ZERO)
        if self.keys_lack_index:
            scatter_min(break_tie, segments, self.chosen, n, edges, self.best, ZERO)


class ByComponent:
    """Search by component: every root looks for its vertices among all vertices, in quadratic time.

    Attributes
    ----------
    chosen, index_mask
        As in `ByEdge`.
    """

    def __init__(self, edge_list: EdgeList, backend: Backend, force: bool = False):
        most = backend.tuning.quadratic_up_to
        if edge_list.n > most and not force:
            raise OptionError(
                f"a search by component takes quadratic time: {edge_list.n} vertices are more than {most}; "
                "choose another algorithm" + hint(", or pass {options}", options={"force": True})
            )
        self.edge_list, self.backend = edge_list, backend
        self.row_offsets, self.arcs = arcs_of(edge_list, backend)
        self.chosen, self.index_mask = backend.empty(edge_list.n, np.uint64), NONE

    def find(self, parent: Any) -> None:
        """Find the lightest edges; the parent of every vertex must be its root."""
        ranges = min(RANGES, self.edge_list.n)
        arrays = U64(ranges), self.row_offsets, self.arcs, parent, self.chosen
        self.backend.for_each_block(search_range, ranges, [], *arrays)


def contract(
    lightest: ByEdge | ByComponent,
    round_log: RoundLog,
    hook: Operator,
    *arrays: Any,
    before_hooking: Callable[[], None] = lambda: None,
) -> Any:
    """Do rounds until no component has an edge, and list the edges of the forest.

    ``hook(c, u, v, chosen, index_mask, *arrays, parent, edge_of)`` hooks a root onto another along the edge
    that component c chose. ``edge_of`` has an element for each vertex: a root that hooks stores its edge
    there. The last element is for edges that merge nothing.
    """
    edge_list, backend, n = lightest.edge_list, lightest.backend, lightest.edge_list.n
    parent, root = backend.empty(n, edge_list.u.dtype), backend.empty(n, edge_list.u.dtype)
    edge_of = backend.empty(n + 1, np.uint64)
    edges = edge_list.u, edge_list.v, lightest.chosen, lightest.index_mask
    backend.for_each(make_set, n, parent)
    edge_of.fill(NONE)
    components = n
    while components > 1:
        round_log.begin("all", components, edge_list.m)
        with round_log.step("find"):
            lightest.find(parent)
        if not backend.count(round_ops.has_choice, n, lightest.chosen):
            break
        before_hooking()
        with round_log.step("contract"):
            backend.for_each(hook, n, *edges, *arrays, parent, edge_of)
            backend.for_each(store_root, n, parent, root)
            parent, root = root, parent
            components = backend.count(is_root, n, parent)
    in_forest = backend.zeros(edge_list.m, bool)
    backend.for_each(round_ops.mark_chosen, n, edge_of, NONE, NONE, in_forest)
    return backend.flatnonzero(in_forest)


def search_range(k, ranges, row_offsets, arcs, parent, chosen):
    """Find the lightest edges of the components in the k-th range of the vertices."""
    n = U64(parent.size)
    for c in range(n * k // ranges, n * (k + ONE) // ranges):
        search(c, row_offsets, arcs, parent, chosen)


def search(c, row_offsets, arcs, parent, chosen):
    """Find the lightest edge of component c, if c is a root, among the edges of its vertices."""
    found: Any = NONE
    if parent[c] == c:
        for x in range(U64(parent.size)):
            if parent[x] == c:
                for arc in range(row_offsets[x], row_offsets[x + ONE]):
                    if parent[arcs.neighbour[arc]] != c and (found == NONE or precedes(arc, found, arcs)):
                        found = arc
    chosen[c] = arcs.edge[found] if found != NONE else NONE
