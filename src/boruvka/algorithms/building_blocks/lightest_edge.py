"""The lightest edge of every component, found by edge or by component, and rounds that merge along them.

Source: K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University, "Parallel
Implementations". There a lock guards the lightest edge of a component. Here it is an atomic minimum of keys,
and a second one of indices if keys do not hold the index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.adjacency import adjacency_of, precedes
from boruvka.algorithms.building_blocks.edge_keys import edge_keys
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.protocol import Backend
from boruvka.errors import OptionError
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.boruvka_round import break_tie, propose_min
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import is_root, make_set, store_root
from boruvka.runtime.argument_names import hint

ONE = U64(1)
QUADRATIC_UP_TO = 20_000
"""Most vertices for a search by component unless it is forced: twice as many take four times as long."""
PARTS = 64
"""Ranges of vertices that are searched in parallel; more than threads, for some ranges have few roots."""


class ByEdge:
    """Search by edge: every edge proposes itself to the components of both ends.

    Attributes
    ----------
    chosen : (n,) array of uint64
        The lightest edge of each root after `find`: ``index_mask`` extracts its index. NONE if there is none.
    index_mask : uint64
    """

    def __init__(self, graph: EdgeList, backend: Backend):
        self.backend, self.m, self.n = backend, graph.m, graph.n
        self.edges = graph.u, graph.v, edge_keys(graph, backend)
        self.best = backend.empty(graph.n, np.uint64)
        self.wide = graph.sort_keys.wide
        self.chosen = backend.empty(graph.n, np.uint64) if self.wide else self.best
        self.index_mask = graph.sort_keys.index_mask

    def find(self, parent: Any) -> None:
        """Find the lightest edges; the parent of every vertex must be its root."""
        segments = self.backend.split(self.m)
        self.backend.scatter_min(propose_edge, segments, self.best, self.n, *self.edges, parent)
        if self.wide:
            arrays = *self.edges, parent, self.best
            self.backend.scatter_min(break_tie_edge, segments, self.chosen, self.n, *arrays)


class ByComponent:
    """Search by component: every root looks for its vertices among all vertices, in quadratic time.

    Attributes
    ----------
    chosen, index_mask
        As in `ByEdge`.
    """

    def __init__(self, graph: EdgeList, backend: Backend, force: bool = False):
        if graph.n > QUADRATIC_UP_TO and not force:
            raise OptionError(
                f"a search by component takes quadratic time: {graph.n} vertices are more than "
                f"{QUADRATIC_UP_TO}; choose another algorithm"
                + hint(", or pass {options}", options={"force": True})
            )
        self.backend, self.n = backend, graph.n
        self.begins, self.arcs = adjacency_of(graph, backend)
        self.chosen, self.index_mask = backend.empty(graph.n, np.uint64), NONE

    def find(self, parent: Any) -> None:
        """Find the lightest edges; the parent of every vertex must be its root."""
        parts = min(PARTS, self.n)
        arrays = U64(parts), self.begins, self.arcs, parent, self.chosen
        self.backend.for_each_block(search_part, parts, [], *arrays)


def contract(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    lightest: ByEdge | ByComponent,
    hook: Callable[[Any, Any], None],
) -> Any:
    """Do rounds until no component has an edge, and list the edges of the forest.

    ``hook(parent, edge_of)`` hooks roots onto others along chosen edges. ``edge_of`` has an element for each
    vertex: a root that hooks stores its edge there. The last element is for edges that merge nothing.
    """
    n = graph.n
    parent, root = backend.empty(n, graph.u.dtype), backend.empty(n, graph.u.dtype)
    edge_of = backend.empty(n + 1, np.uint64)
    backend.for_each(make_set, n, parent)
    edge_of.fill(NONE)
    components = n
    while components > 1:
        round_log.begin("all", components, graph.m)
        with round_log.step("find"):
            lightest.find(parent)
        if not backend.count(has_choice, n, lightest.chosen):
            break
        hook(parent, edge_of)
        with round_log.step("contract"):
            backend.for_each(store_root, n, parent, root)
            parent, root = root, parent
            components = backend.count(is_root, n, parent)
    in_forest = backend.zeros(graph.m, bool)
    backend.for_each(op.mark_chosen, n, edge_of, NONE, NONE, in_forest)
    return backend.flatnonzero(in_forest)


def propose_edge(i, u, v, key, parent, best):
    """Propose edge i to the components of its ends if they are two."""
    a, b = parent[u[i]], parent[v[i]]
    propose_min(a, b, key[i] if a != b else NONE, best)


def break_tie_edge(i, u, v, key, parent, best, first):
    """Break ties for edge i in the components of its ends if they are two."""
    a, b = parent[u[i]], parent[v[i]]
    if a != b:
        break_tie(a, b, key[i], i, best, first)


def search_part(part, parts, begins, arcs, parent, chosen):
    """Find the lightest edges of the components in a range of the vertices."""
    n = U64(parent.size)
    for c in range(n * part // parts, n * (part + ONE) // parts):
        search(c, begins, arcs, parent, chosen)


def search(c, begins, arcs, parent, chosen):
    """Find the lightest edge of component c, if c is a root, among the edges of its vertices."""
    found: Any = NONE
    if parent[c] == c:
        for x in range(U64(parent.size)):
            if parent[x] == c:
                for arc in range(begins[x], begins[x + ONE]):
                    if parent[arcs.neighbour[arc]] != c and (found == NONE or precedes(arc, found, arcs)):
                        found = arc
    chosen[c] = arcs.edge[found] if found != NONE else NONE


def has_choice(c, chosen):
    """Return whether component c chose an edge."""
    return chosen[c] != NONE
