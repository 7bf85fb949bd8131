"""Operators on the edges and components of one rank; see `boruvka.operators.boruvka_round`.

The *index* of an edge is its index in the whole graph. The *choice* of a component is the edge id of the
lightest edge that leaves it on any rank, or NONE. To *resolve* a choice is to find the chosen edge among
the edges of this rank, and to store its other end or its position in the worklist.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from boruvka.kernels.kernel_functions import atomic_min
from boruvka.operators import Operator
from boruvka.operators.boruvka_round import break_cycle, propose_if_smallest
from boruvka.operators.edges import Reader
from boruvka.operators.sort_keys import NONE, U64, Packing, edge_key_with_index

# Edges


class LocalInputEdges(NamedTuple):
    """The input edges of a rank."""

    u: Any
    v: Any
    bits: Any
    packing: Packing
    first: Any
    """Index of the first edge, if indices are consecutive."""
    index: Any
    """Index of each edge; empty if indices are consecutive."""


class LabelledWorklistEdges(NamedTuple):
    """Worklist edges whose ends are vertices."""

    end: Any
    ends_xor: Any
    key: Any
    edge_id: Any
    label: Any
    """The component of each vertex."""


def read_local_input(i, edges):
    """Read input edge i of a rank."""
    x = edges.index[i] if edges.index.size else edges.first + U64(i)
    return edges.u[i], edges.v[i], edge_key_with_index(i, edges.bits, edges.packing, x), x


def read_labelled_worklist(i, edges):
    """Read worklist edge i, with the components of its ends as ends."""
    a = edges.end[i]
    return edges.label[a], edges.label[a ^ edges.ends_xor[i]], edges.key[i], edges.edge_id[i]


def keep_between_labels(i, edges):
    """Emit labelled edge i as it is if it joins two components."""
    a, ends_xor = edges.end[i], edges.ends_xor[i]
    return edges.label[a] != edges.label[a ^ ends_xor], a, ends_xor, edges.key[i], edges.edge_id[i]


# Ids in an array


def mark_id(i, x, occurs):
    """Mark the i-th id."""
    occurs[x[i]] = True


def is_marked(x, occurs):
    """Return whether id x is marked."""
    return occurs[x]


def look_up(i, x, number, inverse):
    """Store the number of the i-th id."""
    inverse[i] = number[x[i]]


# The choice of a component


@functools.cache
def break_tie(read: Reader) -> Operator:
    """Make the operator that proposes the index of an edge if it has the smallest key of a component."""

    def break_tie_by_index(i, edges, best, first):
        """Propose the index of edge i."""
        a, b, key, index = read(i, edges)
        if a != b:
            propose_if_smallest(a, b, key, index, best, first)

    return break_tie_by_index


@functools.cache
def resolve_other_end(read: Reader) -> Operator:
    """Make the operator that stores the other end of an edge for a component whose choice it is."""

    def store_other_ends(i, edges, choice, other):
        """Store the ends of edge i for each other."""
        a, b, _, edge_id = read(i, edges)
        if a != b:
            store_if_chosen(a, edge_id, choice, b, other)
            store_if_chosen(b, edge_id, choice, a, other)

    return store_other_ends


@functools.cache
def resolve_position(read: Reader) -> Operator:
    """Make the operator that stores the position of an edge for a component whose choice it is."""

    def store_position(i, edges, choice, position):
        """Store the position of edge i."""
        a, b, _, edge_id = read(i, edges)
        store_if_chosen(a, edge_id, choice, U64(i), position)
        store_if_chosen(b, edge_id, choice, U64(i), position)

    return store_position


# Arcs: edges that leave a vertex of this rank, in one direction; the tail is ``end``


def contract_arc(i, arcs, holder, new):
    """Emit arc i if it joins two of the new components."""
    a = arcs.end[i]
    b = a ^ arcs.ends_xor[i]
    return new[a] != new[b], new[a], new[a] ^ new[b], arcs.key[i], holder[i], arcs.edge_id[i]


# Components


def store_if_chosen(c, edge_id, choice, value, resolved):
    """If an edge is the choice of component c, store a value for c; at most one edge of a rank is."""
    if edge_id == choice[c] and edge_id != NONE:
        atomic_min(resolved, c, value)


def hook(c, choice, other, parent):
    """Hook component c onto the one that its choice leads to; a component without a choice is a root."""
    parent[c] = other[c] if choice[c] != NONE else c


def hook_root(x, choice, other, label):
    """Hook vertex x onto the component that its choice leads to, if it is a root that has one."""
    if choice[x] != NONE:
        label[x] = other[x]


def break_root_cycle(x, choice, label):
    """Break a cycle at vertex x if it is a root that made a choice; other vertices keep their label."""
    if choice[x] != NONE:
        break_cycle(x, choice, label)


def mark_local(i, edge_ids, index_mask, first, last, in_forest):
    """Mark the i-th of these edges, if it is an edge of this rank: indices from first to last - 1."""
    index = edge_ids[i] & index_mask
    if edge_ids[i] != NONE and first <= index < last:
        in_forest[index - first] = True
