"""What is done to one edge or one component: plain Python, index first, arrays after.

An edge of the work list is ``(u, v, key)`` or ``(u, v, key, index)``: its ends as components, and
its place in the total order (see `boruvka.order`). Its *name* is what tells it from every other
edge: the key where that holds the index, else the index. An operator that emits returns whether the
edge stays, and the edge; a work list of three arrays drops the index.
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


def offer(i, u, v, key, best):
    """Offer edge i to both of its components."""
    k = key[i]
    atomic_min(best, u[i], k)
    atomic_min(best, v[i], k)


def claim(i, u, v, key, index, best, first):
    """If the key of edge i is the best of a component, compete by index with its equals."""
    k, a, b = key[i], u[i], v[i]
    if k == best[a]:
        atomic_min(first, a, index[i])
    if k == best[b]:
        atomic_min(first, b, index[i])


def hook(i, u, v, name, chosen, parent):
    """If edge i is the choice of a component, hang that component under the other.

    Names are distinct and ordered as edges are, so a cycle can only be two components that chose the
    same edge; then the smaller stays a root. Each component is written by its own edge alone.
    """
    x, a, b = name[i], u[i], v[i]
    mine, yours = x == chosen[a], x == chosen[b]
    up = mine & ((not yours) | (a > b))
    store_if(mine | yours, parent, a if up else b, b if up else a)


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


def contract(i, u, v, key, name, renamed):
    """Emit edge i between the new components if it still joins two."""
    a, b = renamed[u[i]], renamed[v[i]]
    return a != b, a, b, key[i], name[i]


def follow(x, label, living, renamed):
    """Let vertex x follow its component into the next round; finished ones stay."""
    if label[x] < living:
        label[x] = renamed[label[x]]


def close_gap(x, label, living, gap):
    """Number finished components on from the living ones."""
    if label[x] >= living:
        label[x] -= gap
