"""Kruskal's algorithm in a few lines of NumPy and Numba: the strongest simple program."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka import Graph
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from lab.harness.contestant import Contestant, Outcome

_ONE = np.uint64(1)
_ENDS_AHEAD, _PARENTS_AHEAD = np.uint64(32), np.uint64(16)
"""Prefetch distances: how many edges ahead the ends, and then the parents of the ends, are fetched."""
_POSITION_BITS = 32


class PackedSort(Contestant):
    """Kruskal's algorithm with a vectorised sort of 64-bit words (weight, position), and with prefetching.

    Weights of more than 32 bits are sorted by ``np.argsort``.
    """

    name = "packed-sort"
    package = "numpy"

    def solve(self, native: Graph) -> NDArray[np.int64]:
        if native.w.dtype.itemsize <= 4 and native.m <= 1 << _POSITION_BITS:
            order, position_mask = _packed(native.w), np.uint64((1 << _POSITION_BITS) - 1)
            order.sort()
        else:
            order, position_mask = np.argsort(native.w).view(np.uint64), ~np.uint64(0)
        edges = np.empty(min(native.m, native.n), np.int64)
        parent = np.arange(native.n, dtype=native.u.dtype)
        found = _kruskal_with_prefetching(order, position_mask, native.u, native.v, parent, edges)
        return edges[:found]

    def outcome(self, native: Graph, answer: Any) -> Outcome:
        return Outcome.of(native.w[answer])


def _packed(w: NDArray[Any]) -> NDArray[np.uint64]:
    """Return for each edge an order-preserving 32-bit key of its weight, and below it its position."""
    keys = np.empty(w.size, np.uint64)
    if w.dtype.kind == "f":
        _pack_floats(w.astype(np.float32, copy=False).view(np.uint32), keys)
    else:
        _pack_integers(w, np.int64(np.iinfo(w.dtype).min), keys)
    return keys


@kernel
def _pack_floats(bits, keys):
    """Flip the sign bit of positive floats and all bits of negative ones; minus zero is zero."""
    for i in range(np.uint64(bits.size)):
        b = np.uint32(bits[i])
        b = np.uint32(0) if b == np.uint32(1 << 31) else b
        b ^= np.uint32((1 << 32) - 1) if b >> np.uint32(31) else np.uint32(1 << 31)
        keys[i] = (np.uint64(b) << np.uint64(_POSITION_BITS)) | np.uint64(i)


@kernel
def _pack_integers(w, smallest, keys):
    for i in range(np.uint64(w.size)):
        keys[i] = (np.uint64(np.int64(w[i]) - smallest) << np.uint64(_POSITION_BITS)) | np.uint64(i)


def _root(x, parent):
    """Find the root of x, with path halving."""
    while x != parent[x]:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@kernel
def _kruskal_with_prefetching(order, position_mask, u, v, parent, edges):
    """Take each edge that connects two trees until there is one tree."""
    m, most = np.uint64(order.size), np.uint64(parent.size)
    found = k = np.uint64(0)
    while k < m and found + _ONE < most:
        if k + _ENDS_AHEAD < m:
            ahead = order[k + _ENDS_AHEAD] & position_mask
            prefetch(u, ahead)
            prefetch(v, ahead)
            ahead = order[k + _PARENTS_AHEAD] & position_mask
            prefetch(parent, u[ahead])
            prefetch(parent, v[ahead])
        i = order[k] & position_mask
        a, b = _root(u[i], parent), _root(v[i], parent)
        if a != b:
            parent[max(a, b)] = min(a, b)  # twice as fast as linking the roots in any order
            edges[found] = i
            found += _ONE
        k += _ONE
    return found
