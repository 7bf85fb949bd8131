"""What is done to one edge or one component: plain Python, index first, arrays after.

An edge has its ends ``a`` and ``b``, a ``key`` that is its place in the total order (see
`boruvka.order`), and a ``name`` that tells it from every other: the key where that holds the index,
else the index. A *listed* edge is in the work list, its ends are components, and loops are left out. A
*given* edge is in the input, its ends are vertices, and key and name are found on the way. An operator
that emits returns whether the edge stays, and (end, link, key, index) for the list; where keys hold
indices, the list has no room for the last. The ``link`` of an edge is the exclusive or of its ends: it
leads from either to the other, in one look.
"""

import numpy as np

from boruvka.atomics import atomic_min
from boruvka.order import NONE, U64, key_of, not_after

PLACE_BITS = U64(32)
"""Room for a place below an index."""
SIX, LOW_SIX, SIX64 = np.uint32(6), np.uint32(63), U64(6)


# From the input into the work list


def given(i, u, v, bits, packing):
    """Emit given edge i unless it is a loop."""
    return join(u[i], v[i], key_of(i, bits, packing), U64(i))


def is_light_given(i, bits, packing, pivot, pivot_index):
    """Say whether given edge i comes no later than the pivot."""
    return not_after(key_of(i, bits, packing), i, pivot, pivot_index)


def is_light_listed(i, key, name, pivot, pivot_name):
    """Say whether listed edge i comes no later than the pivot."""
    return not_after(key[i], name[i], pivot, pivot_name)


def listed(i, end, link, key, name):
    """Emit listed edge i as it is."""
    return True, end[i], link[i], key[i], name[i]


def is_outside(i, u, v, outside):
    """Say whether an end of given edge i is outside the largest component."""
    a, b = u[i], v[i]
    return ((outside[a >> SIX] >> U64(a & LOW_SIX)) | (outside[b >> SIX] >> U64(b & LOW_SIX))) & U64(1)


def mark_outside(word, label, inside, outside):
    """Set the bits of those of 64 vertices that have another label than the one inside."""
    first = U64(word) << SIX64
    last = min(first + U64(64), U64(label.size))
    mark = U64(0)
    for x in range(first, last):
        mark |= U64(label[x] != inside) << (U64(x) - first)
    outside[word] = mark


def sample_key(j, sample, bits, packing, key):
    """Find the key of the j-th edge of a sample."""
    key[j] = key_of(sample[j], bits, packing)


# A round of Borůvka's algorithm


def offer(a, b, key, best):
    """Offer an edge to both of its components."""
    atomic_min(best, a, key)
    atomic_min(best, b, key)


def offer_listed(i, end, link, key, name, place, best):
    """Offer listed edge i, in the bits of its key for a place where it is now instead of its index."""
    a = end[i]
    offer(a, a ^ link[i], (key[i] & ~place) | (U64(i) & place), best)


def offer_given(i, u, v, bits, packing, place, best):
    """Offer given edge i unless it is a loop; its place is its index."""
    offer(u[i], v[i], key_of(i, bits, packing) if u[i] != v[i] else NONE, best)


def claim(a, b, key, place, best, first):
    """If the key of an edge is the best of a component, compete with its equals by place."""
    if key == best[a]:
        atomic_min(first, a, place)
    if key == best[b]:
        atomic_min(first, b, place)


def claim_listed(i, end, link, key, name, best, index, first):
    """Let listed edge i claim; where the list is in no order, by its index first."""
    a = end[i]
    claim(a, a ^ link[i], key[i], ((U64(name[i]) & index) << PLACE_BITS) | U64(i), best, first)


def claim_given(i, u, v, bits, packing, best, index, first):
    """Let given edge i claim unless it is a loop."""
    if u[i] != v[i]:
        claim(u[i], v[i], key_of(i, bits, packing), i, best, first)


# Hooking is three loops, for in one it takes three times as long: what is read at random by one of them
# fits a cache, and no loop waits for a place that depends on another place.


def follow_listed(c, end, link, key, name, chosen, none, place, parent):
    """Hang component c under the other end of the listed edge that it chose, if any."""
    i = chosen[c] & place if chosen[c] != none else U64(0)
    parent[c] = link[i] ^ c if chosen[c] != none else c


def follow_given(c, u, v, bits, packing, chosen, none, place, parent):
    """Hang component c under the other end of the given edge that it chose, if any."""
    i = chosen[c] & place if chosen[c] != none else U64(0)
    parent[c] = u[i] ^ v[i] ^ c if chosen[c] != none else c


def break_cycle(c, chosen, parent):
    """Make component c a root if it is the smaller of two that hang under each other.

    Edges are totally ordered, so a cycle can only be two components that chose the same edge.
    """
    other = parent[c]
    parent[c] = min(c, other) if chosen[other] == chosen[c] else other


def pick(c, chosen, none, place, picked):
    """Mark the edge that component c chose, if any, by its place."""
    if chosen[c] != none:
        picked[chosen[c] & place] = True


def lives_on(c, parent, chosen, none):
    """A root that chose an edge has grown and goes into the next round."""
    return (parent[c] == c) & (chosen[c] != none)


def is_finished(c, parent, chosen, none):
    """A root without an edge is a whole tree of the forest."""
    return (parent[c] == c) & (chosen[c] == none)


def rename(c, parent, number):
    """Give component c the number of its root, halving the paths on the way.

    Others may halve the same path at once: whatever they write is an ancestor too.
    """
    r, up = parent[c], parent[parent[c]]
    while r != up:
        parent[r] = parent[up]
        r = parent[up]
        up = parent[r]
    number[c] = number[r]


def keep(i, name, index, picked, in_forest):
    """Put listed edge i into the forest if it was picked."""
    in_forest[U64(name[i]) & index] |= picked[i]
    picked[i] = False


def contract_listed(i, end, link, key, name, renamed):
    """Emit listed edge i if it joins two of the new components."""
    a = end[i]
    return join(renamed[a], renamed[a ^ link[i]], key[i], name[i])


def contract_given(i, u, v, bits, packing, renamed):
    """Emit given edge i if it joins two of the new components."""
    return join(renamed[u[i]], renamed[v[i]], key_of(i, bits, packing), U64(i))


def join(a, b, key, name):
    """Emit an edge unless it is a loop."""
    return a != b, a, a ^ b, key, name


# From rounds to labels


def relabel(c, number, living, label, begin):
    """Let component c follow its number through later rounds; finished ones are numbered from a beginning."""
    x = number[c]
    number[c] = label[x] if x < living else x - living + begin
