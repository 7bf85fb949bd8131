"""What is done to one edge or one component: plain Python, index first, arrays after.

An edge has its ends ``a`` and ``b``, a ``key`` that is its place in the total order (see
`boruvka.order`), and a ``name`` that tells it from every other: the key where that holds the index,
else the index. A *listed* edge is in the work list, its ends are components, and loops are left out. A
*given* edge is in the input, its ends are vertices, and key and name are found on the way. An operator
that emits returns whether the edge stays, and (u, v, key, index) for the list; where keys hold indices,
the list has no room for the last.
"""

import numpy as np

from boruvka.atomics import atomic_min, store_if
from boruvka.order import NONE, U64, key_of, not_after

SIX, LOW_SIX, SIX64 = np.uint32(6), np.uint32(63), U64(6)


# From the input into the work list


def every(i, u, v, bits, packing):
    """Emit edge i unless it is a loop."""
    return u[i] != v[i], u[i], v[i], key_of(i, bits, packing), U64(i)


def light(i, u, v, bits, packing, pivot, pivot_index):
    """Emit edge i if it does not come after the pivot."""
    key = key_of(i, bits, packing)
    return not_after(key, i, pivot, pivot_index) & (u[i] != v[i]), u[i], v[i], key, U64(i)


def outside(i, u, v, bits, packing, is_outside):
    """Emit edge i unless both of its ends are inside the largest component."""
    a, b = u[i], v[i]
    either = (is_outside[a >> SIX] >> U64(a & LOW_SIX)) | (is_outside[b >> SIX] >> U64(b & LOW_SIX))
    return (either & U64(1)) != 0, a, b, key_of(i, bits, packing), U64(i)


def mark_outside(word, label, inside, is_outside):
    """Set the bits of those of 64 vertices that have another label than the one inside."""
    first = U64(word) << SIX64
    last = min(first + U64(64), U64(label.size))
    mark = U64(0)
    for x in range(first, last):
        mark |= U64(label[x] != inside) << (U64(x) - first)
    is_outside[word] = mark


def sample_key(j, sample, bits, packing, key):
    """Find the key of the j-th edge of a sample."""
    key[j] = key_of(sample[j], bits, packing)


def name_itself(x, label):
    """Make vertex x a component of its own."""
    label[x] = x


# A round of Borůvka's algorithm


def start(c, best, parent):
    """Make component c a root that has no edge yet."""
    best[c] = NONE
    parent[c] = c


def forget(c, first, none):
    """No edge has claimed component c yet."""
    first[c] = none


def offer(a, b, key, best):
    """Offer an edge to both of its components."""
    atomic_min(best, a, key)
    atomic_min(best, b, key)


def offer_listed(i, u, v, key, name, best):
    """Offer listed edge i."""
    offer(u[i], v[i], key[i], best)


def offer_given(i, u, v, bits, packing, best):
    """Offer given edge i unless it is a loop."""
    offer(u[i], v[i], key_of(i, bits, packing) if u[i] != v[i] else NONE, best)


def claim(a, b, key, index, best, first):
    """If the key of an edge is the best of a component, compete by index with its equals."""
    if key == best[a]:
        atomic_min(first, a, index)
    if key == best[b]:
        atomic_min(first, b, index)


def claim_listed(i, u, v, key, index, best, first):
    """Let listed edge i claim."""
    claim(u[i], v[i], key[i], index[i], best, first)


def claim_given(i, u, v, bits, packing, best, first):
    """Let given edge i claim unless it is a loop."""
    if u[i] != v[i]:
        claim(u[i], v[i], key_of(i, bits, packing), i, best, first)


def hook(a, b, name, chosen, parent):
    """If an edge is the choice of a component, hang that component under the other.

    Names are distinct and ordered as edges are, so a cycle can only be two components that chose the
    same edge; then the smaller stays a root. Each component is written by its own edge alone.
    """
    mine, yours = name == chosen[a], name == chosen[b]
    up = mine & ((not yours) | (a > b))
    store_if(mine | yours, parent, a if up else b, b if up else a)


def hook_listed(i, u, v, key, name, chosen, parent):
    """Hook along listed edge i."""
    hook(u[i], v[i], name[i], chosen, parent)


def hook_given(i, u, v, bits, packing, chosen, parent):
    """Hook along given edge i; a loop has been no one's choice."""
    hook(u[i], v[i], key_of(i, bits, packing) if packing.index_bits else U64(i), chosen, parent)


def keep_choice(c, parent, chosen, index_mask, in_forest):
    """Put the edge that component c chose into the forest, unless c is a root.

    A root has no edge, or its edge is its child's choice too.
    """
    if parent[c] != c:
        in_forest[U64(chosen[c]) & index_mask] = True


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


def contract_listed(i, u, v, key, name, renamed):
    """Emit listed edge i between the new components if it still joins two."""
    a, b = renamed[u[i]], renamed[v[i]]
    return a != b, a, b, key[i], name[i]


def contract_given(i, u, v, bits, packing, renamed):
    """Emit given edge i between the new components if it joins two."""
    a, b = renamed[u[i]], renamed[v[i]]
    return a != b, a, b, key_of(i, bits, packing), U64(i)


def follow(x, label, living, renamed):
    """Let vertex x follow its component into the next round; finished ones stay."""
    if label[x] < living:
        label[x] = renamed[label[x]]


def close_gap(x, label, living, gap):
    """Number finished components on from the living ones."""
    if label[x] >= living:
        label[x] -= gap
