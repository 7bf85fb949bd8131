"""The operators of one round of Borůvka's algorithm.

An edge has two ends ``a`` and ``b``, a ``key`` (its position in the total order, see
`boruvka.operators.sort_keys`) and an ``edge_id`` that identifies it: the key where that holds the index,
otherwise the index. An *input* edge is in the arrays of the graph: its ends are vertices, and its key is
computed from the bits of its weight. A *worklist* edge has components as ends and is never a loop. It is
stored as (end, ends_xor, key, edge_id); ``ends_xor`` is the exclusive or of both ends, so that the other
end follows from either with one read. An operator that emits returns whether to keep the edge, then these
four values.
"""

from boruvka.operators.atomics import atomic_min
from boruvka.operators.sort_keys import NONE, U64, edge_key

POSITION_BITS = U64(32)
"""Bits below the index for a position, where a tie is broken by both."""


# Emit an edge


def emit_unless_loop(a, b, key, edge_id):
    """Emit an edge unless it is a loop."""
    return a != b, a, a ^ b, key, edge_id


def emit_input(i, u, v, bits, packing):
    """Emit input edge i unless it is a loop."""
    return emit_unless_loop(u[i], v[i], edge_key(i, bits, packing), U64(i))


def emit_worklist(i, end, ends_xor, key, edge_id):
    """Emit worklist edge i as it is."""
    return True, end[i], ends_xor[i], key[i], edge_id[i]


# 1. Every edge proposes itself to both of its components; each keeps the smallest key.


def propose_min(a, b, key, best):
    """Propose an edge to both of its components."""
    atomic_min(best, a, key)
    atomic_min(best, b, key)


def propose_worklist(i, end, ends_xor, key, edge_id, position_mask, best):
    """Propose worklist edge i; the masked bits of its key hold its position instead of its index."""
    a = end[i]
    propose_min(a, a ^ ends_xor[i], (key[i] & ~position_mask) | (U64(i) & position_mask), best)


def propose_input(i, u, v, bits, packing, position_mask, best):
    """Propose input edge i unless it is a loop; its position is its index."""
    propose_min(u[i], v[i], edge_key(i, bits, packing) if u[i] != v[i] else NONE, best)


# 2. Where keys do not hold the index, the edges with the smallest key compete by position.


def break_tie(a, b, key, position, best, first):
    """If an edge has the smallest key of a component, propose its position."""
    if key == best[a]:
        atomic_min(first, a, position)
    if key == best[b]:
        atomic_min(first, b, position)


def break_tie_worklist(i, end, ends_xor, key, edge_id, best, index_mask, first):
    """Break ties for worklist edge i; in an unordered list the index decides before the position."""
    a = end[i]
    position = ((U64(edge_id[i]) & index_mask) << POSITION_BITS) | U64(i)
    break_tie(a, a ^ ends_xor[i], key[i], position, best, first)


def break_tie_input(i, u, v, bits, packing, best, index_mask, first):
    """Break ties for input edge i unless it is a loop."""
    if u[i] != v[i]:
        break_tie(u[i], v[i], edge_key(i, bits, packing), i, best, first)


# 3. Every component hooks onto the other end of its lightest edge. Hooking is three loops: the array that
# each reads at random fits a cache, and no read waits for another. One loop takes three times as long.


def hook_worklist(c, end, ends_xor, key, edge_id, chosen, none, position_mask, parent):
    """Hook component c onto the other end of the worklist edge that it chose, if any."""
    i = chosen[c] & position_mask if chosen[c] != none else U64(0)
    parent[c] = ends_xor[i] ^ c if chosen[c] != none else c


def hook_input(c, u, v, bits, packing, chosen, none, position_mask, parent):
    """Hook component c onto the other end of the input edge that it chose, if any."""
    i = chosen[c] & position_mask if chosen[c] != none else U64(0)
    parent[c] = u[i] ^ v[i] ^ c if chosen[c] != none else c


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


# 4. The trees of hooked components become the new components, numbered from 0.


def is_growing_root(c, parent, chosen, none):
    """Return whether c is the root of a tree that takes part in the next round: it chose an edge."""
    return (parent[c] == c) & (chosen[c] != none)


def is_finished_root(c, parent, chosen, none):
    """Return whether c is a root without an edge: a finished tree of the forest."""
    return (parent[c] == c) & (chosen[c] == none)


def relabel_to_root(c, parent, number):
    """Store the number of the root of component c as the number of c, halving the path.

    Other threads may halve the same path: they store only ancestors, too. Never rely on their path
    compression: after its own search, c may point at an ancestor that is no root.
    """
    r, up = parent[c], parent[parent[c]]
    while r != up:
        parent[r] = parent[up]
        r = parent[up]
        up = parent[r]
    number[c] = number[r]


def compose_labels(c, label, growing, later, begin):
    """Map the label of component c by those of later rounds; finished trees are numbered from ``begin``."""
    x = label[c]
    label[c] = later[x] if x < growing else x - growing + begin


# 5. Edges get the new components as ends; those inside one component are dropped.


def contract_worklist(i, end, ends_xor, key, edge_id, new):
    """Emit worklist edge i if it joins two of the new components."""
    a = end[i]
    return emit_unless_loop(new[a], new[a ^ ends_xor[i]], key[i], edge_id[i])


def contract_input(i, u, v, bits, packing, new):
    """Emit input edge i if it joins two of the new components."""
    return emit_unless_loop(new[u[i]], new[v[i]], edge_key(i, bits, packing), U64(i))
