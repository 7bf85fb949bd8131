"""Operators on the edges and components of one rank; see `boruvka.operators.boruvka_round`.

The *index* of an edge is its index in the whole graph. The *choice* of a component is the edge id of the
lightest edge that leaves it on any rank, or NONE. To *resolve* a choice is to find the chosen edge among
those of this rank, and to store its other end or its position in the worklist.
"""

from boruvka.operators.atomics import atomic_min
from boruvka.operators.boruvka_round import break_cycle, break_tie, emit_unless_loop, propose_min
from boruvka.operators.sort_keys import NONE, U64, edge_key_with_index, is_at_or_before

# Input edges


def emit_input(i, u, v, bits, packing, first, index):
    """Emit input edge i unless it is a loop."""
    x = edge_index(i, first, index)
    return emit_unless_loop(u[i], v[i], edge_key_with_index(i, bits, packing, x), x)


def is_light_input(i, bits, packing, first, index, pivot, pivot_index):
    """Return whether input edge i is no heavier than the pivot."""
    x = edge_index(i, first, index)
    return is_at_or_before(edge_key_with_index(i, bits, packing, x), x, pivot, pivot_index)


def sample_key(j, sample, bits, packing, first, index, key, sampled_index):
    """Compute key and index of the j-th edge of a sample."""
    sampled_index[j] = edge_index(sample[j], first, index)
    key[j] = edge_key_with_index(sample[j], bits, packing, sampled_index[j])


def edge_index(i, first, index):
    """Index of input edge i: from its array where there is one, otherwise consecutive from the first."""
    return index[i] if index.size else first + U64(i)


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


# Worklist edges whose ends are components


def propose_edge(i, end, ends_xor, key, edge_id, best):
    """Propose edge i to both of its components."""
    a = end[i]
    propose_min(a, a ^ ends_xor[i], key[i], best)


def break_tie_edge(i, end, ends_xor, key, edge_id, best, first):
    """If edge i has the smallest key of a component, propose its index."""
    a = end[i]
    break_tie(a, a ^ ends_xor[i], key[i], edge_id[i], best, first)


def resolve_edge(i, end, ends_xor, key, edge_id, choice, other):
    """If edge i is the choice of a component, store its other end."""
    a = end[i]
    store_other_ends(a, a ^ ends_xor[i], edge_id[i], choice, other)


def resolve_edge_position(i, end, ends_xor, key, edge_id, choice, position):
    """If edge i is the choice of a component, store its position."""
    a = end[i]
    store_if_chosen(a, edge_id[i], choice, U64(i), position)
    store_if_chosen(a ^ ends_xor[i], edge_id[i], choice, U64(i), position)


# Worklist edges whose ends are vertices, with the component of each vertex in ``label``


def propose_labelled(i, end, ends_xor, key, edge_id, label, best):
    """Propose edge i to the components of its ends unless they are the same."""
    a, b = label[end[i]], label[end[i] ^ ends_xor[i]]
    propose_min(a, b, key[i] if a != b else NONE, best)


def break_tie_labelled(i, end, ends_xor, key, edge_id, label, best, first):
    """If edge i joins two components and has the smallest key of one, propose its index."""
    a, b = label[end[i]], label[end[i] ^ ends_xor[i]]
    break_tie(a, b, key[i], edge_id[i] if a != b else NONE, best, first)


def resolve_labelled(i, end, ends_xor, key, edge_id, label, choice, other):
    """If edge i is the choice of a component, store the component of its other end."""
    a, b = label[end[i]], label[end[i] ^ ends_xor[i]]
    store_other_ends(a, b, edge_id[i] if a != b else NONE, choice, other)


def keep_labelled(i, end, ends_xor, key, edge_id, label):
    """Emit edge i as it is if it joins two components."""
    a, b = end[i], end[i] ^ ends_xor[i]
    return label[a] != label[b], a, ends_xor[i], key[i], edge_id[i]


# Arcs: edges that leave a vertex of this rank, in one direction; the tail is ``end``


def propose_arc(i, end, ends_xor, key, edge_id, best):
    """Propose arc i to its tail."""
    atomic_min(best, end[i], key[i])


def break_tie_arc(i, end, ends_xor, key, edge_id, best, first):
    """If arc i has the smallest key of its tail, propose its index."""
    if key[i] == best[end[i]]:
        atomic_min(first, end[i], edge_id[i])


def resolve_arc_position(i, end, ends_xor, key, edge_id, choice, position):
    """If arc i is the choice of its tail, store its position."""
    store_if_chosen(end[i], edge_id[i], choice, U64(i), position)


def contract_arc(i, end, ends_xor, key, holder, edge_id, new):
    """Emit arc i if it joins two of the new components."""
    a = end[i]
    b = a ^ ends_xor[i]
    return new[a] != new[b], new[a], new[a] ^ new[b], key[i], holder[i], edge_id[i]


# Choices


def store_other_ends(a, b, edge_id, choice, other):
    """If an edge is the choice of one of its components or both, store the other one."""
    store_if_chosen(a, edge_id, choice, b, other)
    store_if_chosen(b, edge_id, choice, a, other)


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
