"""The operators of one round of Borůvka's algorithm.

An edge has two ends ``a`` and ``b``, a ``key`` (its position in the total order, see
`boruvka.operators.sort_keys`) and an ``edge_id`` that identifies it: the key where that holds the index,
otherwise the index. Operators on edges are made for a *reader*, which returns these four values
(`boruvka.operators.edges`). So an operator is written once for edges of the input, edges of a worklist, and
edges whose ends are looked up. A loop proposes nothing.
"""

from __future__ import annotations

import functools

from boruvka.kernels.kernel_functions import atomic_min
from boruvka.operators import Operator
from boruvka.operators.edges import Reader
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import find

POSITION_BITS = U64(32)
"""Bits below the index for a position, where a tie is broken by both."""


# 1. Every edge proposes itself to both of its components; each keeps the smallest key.


@functools.cache
def propose(read: Reader) -> Operator:
    """Make the operator that proposes an edge to both of its components."""

    def propose_edge(i, edges, position_mask, best):
        """Propose edge i; the masked bits of its key hold its position instead of its index."""
        a, b, key, _ = read(i, edges)
        propose_min(a, b, (key & ~position_mask) | (U64(i) & position_mask) if a != b else NONE, best)

    return propose_edge


def propose_min(a, b, key, best):
    """Propose a key to two components."""
    atomic_min(best, a, key)
    atomic_min(best, b, key)


# 2. Where keys do not hold the index, a component may have several edges with its smallest key: it keeps the
# one at the first position.


@functools.cache
def break_tie(read: Reader) -> Operator:
    """Make the operator that proposes the position of an edge if it has the smallest key of a component."""

    def propose_position(i, edges, best, index_mask, first_tied):
        """Propose the position of edge i; in an unordered list the index is compared before the position."""
        a, b, key, edge_id = read(i, edges)
        if a != b:
            position = ((U64(edge_id) & index_mask) << POSITION_BITS) | U64(i)
            propose_if_smallest(a, b, key, position, best, first_tied)

    return propose_position


def propose_if_smallest(a, b, key, position, best, first_tied):
    """Propose the position of an edge to each of its components whose smallest key it has."""
    if key == best[a]:
        atomic_min(first_tied, a, position)
    if key == best[b]:
        atomic_min(first_tied, b, position)


def has_choice(c, chosen):
    """Return whether component c chose an edge."""
    return chosen[c] != NONE


# 3. Every component hooks onto the other end of its lightest edge. Hooking is three loops: the array that
# each reads at random fits a cache, and no read waits for another. One loop takes three times as long.


@functools.cache
def hook(read: Reader) -> Operator:
    """Make the operator that hooks a component onto the other end of the edge that it chose, if any."""

    def hook_component(c, edges, chosen, none, position_mask, parent):
        """Hook component c; the position of its edge is in the masked bits of its choice."""
        if chosen[c] != none:
            a, b, _, _ = read(chosen[c] & position_mask, edges)
            parent[c] = a ^ b ^ c
        else:
            parent[c] = c

    return hook_component


def break_cycle(c, chosen, parent):
    """Make component c a root if it is the smaller of two that hook onto each other.

    Edges are totally ordered, so a cycle is always two components that chose the same edge.
    """
    other = parent[c]
    parent[c] = min(c, other) if chosen[other] == chosen[c] else other


def clear_mark(i, none, marked):
    """Clear the mark of position i, which is not ``none``.

    A loop that stores a constant would become a call of the C library, and llvmlite would be loaded for it.
    """
    marked[i] = i == none


def mark_chosen(c, chosen, none, position_mask, marked):
    """Mark the edge that component c chose, if any, by its position."""
    if chosen[c] != none:
        marked[chosen[c] & position_mask] = True


def add_marked(i, edge_id, index_mask, marked, in_forest):
    """Add worklist edge i to the forest if it is marked."""
    in_forest[U64(edge_id[i]) & index_mask] |= marked[i]


def add_chosen(c, chosen, none, position_mask, edge_id, index_mask, in_forest):
    """Add the worklist edge that component c chose, if any, to the forest."""
    if chosen[c] != none:
        in_forest[U64(edge_id[chosen[c] & position_mask]) & index_mask] = True


def add_taken(k, taken, edge_id, index_mask, in_forest):
    """Add the worklist edge at the k-th position of a list to the forest."""
    in_forest[U64(edge_id[taken[k]]) & index_mask] = True


# 4. The trees of hooked components become the new components, numbered from 0.


def is_growing_root(c, parent, chosen, none):
    """Return whether c is the root of a tree that takes part in the next round: it chose an edge."""
    return (parent[c] == c) & (chosen[c] != none)


def is_finished_root(c, parent, chosen, none):
    """Return whether c is a root without an edge: a finished tree of the forest."""
    return (parent[c] == c) & (chosen[c] == none)


def relabel_to_root(c, parent, number):
    """Store the number of the root of component c as the number of c."""
    number[c] = number[find(c, parent)]


def compose_labels(c, label, growing, later, begin):
    """Map the label of component c by the later rounds; finished trees are numbered from ``begin``."""
    x = label[c]
    label[c] = later[x] if x < growing else x - growing + begin


# 5. Edges get the new components as ends; those inside one component are dropped.


@functools.cache
def contract(read: Reader) -> Operator:
    """Make the operator that emits an edge, with the new components as ends, if it joins two of them."""

    def contract_edge(i, edges, new):
        """Emit edge i; ``new`` holds the new component of each end."""
        a, b, key, edge_id = read(i, edges)
        return emit_unless_loop(new[a], new[b], key, edge_id)

    return contract_edge


@functools.cache
def emit(read: Reader) -> Operator:
    """Make the operator that emits an edge as it is, unless it is a loop."""

    def emit_edge(i, edges):
        """Emit edge i."""
        a, b, key, edge_id = read(i, edges)
        return emit_unless_loop(a, b, key, edge_id)

    return emit_edge


@functools.cache
def emit_key(read: Reader) -> Operator:
    """Make the operator that emits an edge without its ends, which `store_ends` adds."""

    def emit_edge_key(i, edges):
        """Emit key and id of edge i."""
        _, _, key, edge_id = read(i, edges)
        return True, key, edge_id

    return emit_edge_key


def store_ends(i, edge_id, index_mask, u, v, end, ends_xor):
    """Store the ends of worklist edge i, which is an input edge."""
    x = U64(edge_id[i]) & index_mask
    end[i] = u[x]
    ends_xor[i] = u[x] ^ v[x]


def emit_unless_loop(a, b, key, edge_id):
    """Emit an edge as a worklist stores it, unless it is a loop."""
    return a != b, a, a ^ b, key, edge_id
