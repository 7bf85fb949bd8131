"""The operators of the filter, which find light edges, and edges that may join two components."""

import numpy as np

from boruvka.operators.hints import unvectorised
from boruvka.operators.sort_keys import U64, edge_key, is_at_or_before

SIX, LOW_SIX, SIX64 = np.uint32(6), np.uint32(63), U64(6)


def sample_key(j, sample, bits, packing, key):
    """Compute the key of the j-th edge of a sample."""
    key[j] = edge_key(sample[j], bits, packing)


def is_light_input(i, bits, packing, pivot, pivot_index):
    """Return whether input edge i is no heavier than the pivot."""
    return is_at_or_before(edge_key(i, bits, packing), i, pivot, pivot_index)


def is_light_worklist(i, key, edge_id, pivot, pivot_id):
    """Return whether worklist edge i is no heavier than the pivot."""
    return is_at_or_before(key[i], edge_id[i], pivot, pivot_id)


def mark_outside_largest(word, label, largest, outside):
    """Set one bit for each of 64 vertices that lies outside the largest component."""
    first = U64(word) << SIX64
    last = min(first + U64(64), U64(label.size))
    bits = U64(0)
    for x in range(first, last):
        bits |= U64(label[x] != largest) << (U64(x) - first)
    outside[word] = bits


def leaves_largest(i, u, v, outside):
    """Return whether an end of input edge i lies outside the largest component."""
    a, b = u[i], v[i]
    bits = (outside[a >> SIX] >> U64(a & LOW_SIX)) | (outside[b >> SIX] >> U64(b & LOW_SIX))
    return unvectorised(bits & U64(1))
