"""What is done to one edge or one component of a rank: see `boruvka.operators`.

A component's *choice* is the name of the lightest edge that leaves it on any rank, or NONE.
"""

from boruvka.atomics import atomic_min
from boruvka.operators import join, offer
from boruvka.order import NONE, U64, rank_of


def enter(i, u, v, bits, packing, index):
    """Emit edge i unless it is a loop; its key is its rank, and where there is room its index."""
    rank = rank_of(U64(bits[i]), packing)
    key = (rank << packing.index_bits) | (index[i] if packing.index_bits else U64(0))
    return join(u[i], v[i], key, index[i])


# Whose components are the ends themselves


def offer_edge(i, end, link, key, name, best):
    """Offer edge i to both of its components."""
    a = end[i]
    offer(a, a ^ link[i], key[i], best)


def claim_edge(i, end, link, key, name, best, first):
    """If the key of edge i is the best of a component, compete with its equals by index."""
    a = end[i]
    claim(a, a ^ link[i], key[i], name[i], best, first)


def tell_edge(i, end, link, key, name, choice, other):
    """If edge i is the choice of a component, tell it the other end."""
    a = end[i]
    tell(a, a ^ link[i], name[i], choice, other)


# Whose components are looked up in labels of their ends


def offer_labelled(i, end, link, key, name, label, best):
    """Offer edge i to the components of its ends unless that is one."""
    a, b = label[end[i]], label[end[i] ^ link[i]]
    offer(a, b, key[i] if a != b else NONE, best)


def claim_labelled(i, end, link, key, name, label, best, first):
    """Let edge i compete by index in the components of its ends unless that is one."""
    a, b = label[end[i]], label[end[i] ^ link[i]]
    claim(a, b, key[i], name[i] if a != b else NONE, best, first)


def tell_labelled(i, end, link, key, name, label, choice, other):
    """If edge i is the choice of a component, tell it the other."""
    a, b = label[end[i]], label[end[i] ^ link[i]]
    tell(a, b, name[i] if a != b else NONE, choice, other)


def stay_labelled(i, end, link, key, name, label):
    """Emit edge i as it is if it joins two components."""
    a, b = end[i], end[i] ^ link[i]
    return label[a] != label[b], a, link[i], key[i], name[i]


def claim(a, b, key, name, best, first):
    """If a key is the best of a component, let it keep the smallest name."""
    if key == best[a]:
        atomic_min(first, a, name)
    if key == best[b]:
        atomic_min(first, b, name)


def tell(a, b, name, choice, other):
    """If a name is the choice of a component, tell it the other end; each has one such edge at most."""
    if name == choice[a] and name != NONE:
        atomic_min(other, a, b)
    if name == choice[b] and name != NONE:
        atomic_min(other, b, a)


# Arcs: what leaves a component of this rank; the tail is its place in the block


def offer_arc(i, tail, head, key, name, best):
    """Offer arc i to its tail."""
    atomic_min(best, tail[i], key[i])


def claim_arc(i, tail, head, key, name, best, first):
    """If the key of arc i is the best of its tail, compete with its equals by index."""
    if key[i] == best[tail[i]]:
        atomic_min(first, tail[i], name[i])


# What the choices join


def hang(c, choice, other, label, parent):
    """Hang component c under the other end of its choice; what has none stays where its label says."""
    parent[c] = other[c] if choice[c] != NONE else label[c]


def break_cycle(c, choice, parent):
    """Make component c a root if it is the smaller of two that chose one edge.

    Edges are totally ordered, so a cycle can only be two components that chose the same edge.
    """
    above = parent[c]
    if choice[c] != NONE and choice[above] == choice[c] and c < above:
        parent[c] = c
