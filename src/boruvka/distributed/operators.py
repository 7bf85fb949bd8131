"""What is done to one edge or one component of a rank: see `boruvka.operators.boruvka_round`.

A component's *choice* is the name of the lightest edge that leaves it on any rank, or NONE.
"""

from boruvka.operators.atomics import atomic_min
from boruvka.operators.boruvka_round import break_tie, emit_unless_loop, propose_min
from boruvka.operators.sort_keys import NONE, U64, edge_key_with_index, is_at_or_before


def enter(i, u, v, bits, packing, first, index):
    """Emit given edge i unless it is a loop."""
    name = index_here(i, first, index)
    return emit_unless_loop(u[i], v[i], edge_key_with_index(i, bits, packing, name), name)


def is_light_here(i, bits, packing, first, index, pivot, pivot_name):
    """Say whether given edge i comes no later than the pivot."""
    name = index_here(i, first, index)
    return is_at_or_before(edge_key_with_index(i, bits, packing, name), name, pivot, pivot_name)


def sample_here(j, sample, bits, packing, first, index, key, name):
    """Find key and index of the j-th edge of a sample."""
    name[j] = index_here(sample[j], first, index)
    key[j] = edge_key_with_index(sample[j], bits, packing, name[j])


def index_here(i, first, index):
    """Index in the whole graph of given edge i: counted from the first, or as listed."""
    return index[i] if index.size else first + U64(i)


# Whose components are the ends themselves


def propose_edge(i, end, ends_xor, key, name, best):
    """Offer edge i to both of its components."""
    a = end[i]
    propose_min(a, a ^ ends_xor[i], key[i], best)


def break_tie_edge(i, end, ends_xor, key, name, best, first):
    """If the key of edge i is the best of a component, compete with its equals by index."""
    a = end[i]
    break_tie(a, a ^ ends_xor[i], key[i], name[i], best, first)


def tell_edge(i, end, ends_xor, key, name, choice, other):
    """If edge i is the choice of a component, tell it the other end."""
    a = end[i]
    tell(a, a ^ ends_xor[i], name[i], choice, other)


# Whose components are looked up in labels of their ends


def offer_labelled(i, end, ends_xor, key, name, label, best):
    """Offer edge i to the components of its ends unless that is one."""
    a, b = label[end[i]], label[end[i] ^ ends_xor[i]]
    propose_min(a, b, key[i] if a != b else NONE, best)


def claim_labelled(i, end, ends_xor, key, name, label, best, first):
    """Let edge i compete by index in the components of its ends unless that is one."""
    a, b = label[end[i]], label[end[i] ^ ends_xor[i]]
    break_tie(a, b, key[i], name[i] if a != b else NONE, best, first)


def tell_labelled(i, end, ends_xor, key, name, label, choice, other):
    """If edge i is the choice of a component, tell it the other."""
    a, b = label[end[i]], label[end[i] ^ ends_xor[i]]
    tell(a, b, name[i] if a != b else NONE, choice, other)


def stay_labelled(i, end, ends_xor, key, name, label):
    """Emit edge i as it is if it joins two components."""
    a, b = end[i], end[i] ^ ends_xor[i]
    return label[a] != label[b], a, ends_xor[i], key[i], name[i]


def tell(a, b, name, choice, other):
    """If a name is the choice of a component, tell it the other end."""
    note(a, name, choice, b, other)
    note(b, name, choice, a, other)


def note(a, name, choice, value, told):
    """If a name is the choice of a component, tell it a value; each has one such edge at most."""
    if name == choice[a] and name != NONE:
        atomic_min(told, a, value)


# Whose components choose a place in the list


def place_edge(i, end, ends_xor, key, name, choice, place):
    """If edge i is the choice of a component, tell it its place."""
    a = end[i]
    note(a, name[i], choice, U64(i), place)
    note(a ^ ends_xor[i], name[i], choice, U64(i), place)


# Arcs: what leaves a vertex of this rank, in one direction; the tail is the end


def offer_arc(i, end, ends_xor, key, name, best):
    """Offer arc i to its tail."""
    atomic_min(best, end[i], key[i])


def claim_arc(i, end, ends_xor, key, name, best, first):
    """If the key of arc i is the best of its tail, compete with its equals by index."""
    if key[i] == best[end[i]]:
        atomic_min(first, end[i], name[i])


def place_arc(i, end, ends_xor, key, name, choice, place):
    """If arc i is the choice of its tail, tell it its place."""
    note(end[i], name[i], choice, U64(i), place)


def contract_arc(i, end, ends_xor, key, home, name, renamed):
    """Emit arc i if it joins two of the new components."""
    a = end[i]
    b = a ^ ends_xor[i]
    return renamed[a] != renamed[b], renamed[a], renamed[a] ^ renamed[b], key[i], home[i], name[i]


# What the choices join


def hang(c, choice, other, parent):
    """Hang component c under the other end of its choice; one without is a root."""
    parent[c] = other[c] if choice[c] != NONE else c


def hang_root(c, choice, other, parent):
    """Hang component c under the other end of its choice; what has none stays where it hangs."""
    if choice[c] != NONE:
        parent[c] = other[c]


def break_cycle(c, choice, parent):
    """Make component c a root if it is the smaller of two that chose one edge.

    Edges are totally ordered, so a cycle can only be two components that chose the same edge.
    """
    above = parent[c]
    if choice[c] != NONE and choice[above] == choice[c] and c < above:
        parent[c] = c


def put(i, names, mask, first, end, in_forest):
    """Put the edge of the i-th name into the forest if it is one of this rank's."""
    index = names[i] & mask
    if names[i] != NONE and first <= index < end:
        in_forest[index - first] = True
