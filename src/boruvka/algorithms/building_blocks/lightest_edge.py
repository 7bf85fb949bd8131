"""The lightest edge of every component, found by edge or by component, and rounds that join along them.

Source: document 2, K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University,
"Parallel Implementations". There a lock guards the lightest edge of a component; here it is an atomic
minimum of keys, and where keys do not hold the index, a second one of indices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.adjacency import adjacency_of, precedes
from boruvka.algorithms.building_blocks.edge_keys import edge_keys
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.union_find import is_root, make_set, store_root
from boruvka.backends.protocol import Backend
from boruvka.errors import OptionError
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.boruvka_round import break_tie, propose_min
from boruvka.operators.sort_keys import NONE, U64

ONE = U64(1)
QUADRATIC_UP_TO = 20_000
"""Vertices for which a search by component is let run: twice as many take four times as long."""
PARTS = 64
"""Parts of the vertices that are searched for side by side: roots are many in one and few in another."""


class ByEdge:
    """Every edge looks for the components of its ends, and offers itself to both."""

    def __init__(self, graph: EdgeList, backend: Backend):
        self.backend, self.m, self.n = backend, graph.m, graph.n
        self.edges = graph.u, graph.v, edge_keys(graph, backend)
        self.best = backend.empty(graph.n, np.uint64)
        self.is_wide = graph.sort_keys.wide
        self.chosen = backend.empty(graph.n, np.uint64) if graph.sort_keys.wide else self.best
        self.index = graph.sort_keys.index_mask
        """What of an element of ``chosen`` is the index of an edge; where there is none, that is NONE."""

    def find(self, parent: Any) -> None:
        """Find them; every vertex must hang under its root."""
        segments = self.backend.split(self.m)
        self.backend.scatter_min(propose_edge, segments, self.best, self.n, *self.edges, parent)
        if self.is_wide:
            self.backend.scatter_min(
                break_tie_edge, segments, self.chosen, self.n, *self.edges, parent, self.best
            )


class ByComponent:
    """Every root looks for its vertices among all vertices: quadratic work in a round."""

    def __init__(self, graph: EdgeList, backend: Backend, force: bool = False):
        if graph.n > QUADRATIC_UP_TO and not force:
            raise OptionError(
                f"to search by component takes quadratic time: {graph.n} vertices are more than "
                f"{QUADRATIC_UP_TO}; choose another algorithm, or force=True"
            )
        self.backend, self.n = backend, graph.n
        self.arcs = adjacency_of(graph, backend)
        self.chosen, self.index = backend.empty(graph.n, np.uint64), NONE

    def find(self, parent: Any) -> None:
        """Find them; every vertex must hang under its root."""
        parts = min(PARTS, self.n)
        self.backend.for_each_block(search_part, parts, [], U64(parts), *self.arcs, parent, self.chosen)


def contract(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    lightest: ByEdge | ByComponent,
    join: Callable[[Any, Any], None],
) -> Any:
    """Find and join until no component has an edge, and list the edges that joined.

    ``join(parent, slot)`` hangs roots under others along chosen edges, in steps of its own, and notes the
    edge in the slot of the root that hangs, or in the last slot if it joins nothing.
    """
    n = graph.n
    parent, root = backend.empty(n, graph.u.dtype), backend.empty(n, graph.u.dtype)
    slot = backend.empty(n + 1, np.uint64)
    backend.for_each(make_set, n, parent)
    slot.fill(NONE)
    components = n
    while components > 1:
        round_log.begin("all", components, graph.m)
        with round_log.step("find"):
            lightest.find(parent)
        if not backend.count(has_choice, n, lightest.chosen):
            break
        join(parent, slot)
        with round_log.step("contract"):
            backend.for_each(store_root, n, parent, root)
            parent, root = root, parent
            components = backend.count(is_root, n, parent)
    in_forest = backend.zeros(graph.m, bool)
    backend.for_each(op.mark_chosen, n, slot, NONE, NONE, in_forest)
    return backend.flatnonzero(in_forest)


def propose_edge(i, u, v, key, parent, best):
    """Offer edge i to the components of its ends if they are two."""
    a, b = parent[u[i]], parent[v[i]]
    propose_min(a, b, key[i] if a != b else NONE, best)


def break_tie_edge(i, u, v, key, parent, best, first):
    """Let edge i claim the components of its ends if they are two."""
    a, b = parent[u[i]], parent[v[i]]
    if a != b:
        break_tie(a, b, key[i], i, best, first)


def search_part(part, parts, begins, neighbour, key, edge, parent, chosen):
    """Find the lightest edges of the components in a part of the vertices."""
    n = U64(parent.size)
    for c in range(n * part // parts, n * (part + ONE) // parts):
        search(c, begins, neighbour, key, edge, parent, chosen)


def search(c, begins, neighbour, key, edge, parent, chosen):
    """Find the lightest edge of component c, if c is a root, among the edges of its vertices."""
    found: Any = NONE
    if parent[c] == c:
        for x in range(U64(parent.size)):
            if parent[x] == c:
                for arc in range(begins[x], begins[x + ONE]):
                    if parent[neighbour[arc]] != c and (found == NONE or precedes(arc, found, key, edge)):
                        found = arc
    chosen[c] = edge[found] if found != NONE else NONE


def has_choice(c, chosen):
    """Say whether component c chose an edge."""
    return chosen[c] != NONE
