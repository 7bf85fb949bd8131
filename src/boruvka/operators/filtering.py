"""The operators of the filter, which find light edges, and edges that may join two components."""

from __future__ import annotations

import functools

import numpy as np

from boruvka.kernels.kernel_functions import unvectorised
from boruvka.operators import Operator
from boruvka.operators.edges import Reader
from boruvka.operators.sort_keys import U64, is_at_or_before

SIX, LOW_SIX, SIX64 = np.uint32(6), np.uint32(63), U64(6)


@functools.cache
def sample_key(read: Reader) -> Operator:
    """Make the operator that stores the key and the id of an edge of a sample."""

    def store_sampled(j, sample, edges, key, edge_id):
        """Store key and id of the j-th edge of the sample."""
        _, _, key[j], edge_id[j] = read(sample[j], edges)

    return store_sampled


@functools.cache
def is_light(read: Reader) -> Operator:
    """Make the predicate of the edges that are no heavier than a pivot."""

    def is_light_edge(i, edges, pivot, pivot_id):
        """Return whether edge i is the pivot or precedes it."""
        _, _, key, edge_id = read(i, edges)
        return is_at_or_before(key, edge_id, pivot, pivot_id)

    return is_light_edge


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
