"""The order of edges, (weight, index in the input), packed into sortable unsigned keys.

The order is total, so the minimum spanning forest is unique, and every algorithm and backend returns the same
edges. For a maximum, weights are reversed and indices are not: of equal weights the first index still comes
first.

A weight is mapped to an unsigned integer that sorts as the weight does (its *weight key*): its bits, with the
sign mapped, shifted by the low bits that no weight uses, minus the smallest key. Where weight key and index
fit into 64 bits together, the *edge key* holds both, and one minimum finds the lightest edge. Where they do
not (64-bit weights that use all their bits), the edge key is the weight key alone and a second minimum over
indices breaks ties: nothing is ever rounded.

Everything in the package that compares edges realises this order: by one key, by a key and an edge id, by two
minima, or by a stable sort. ``tests/operators/test_edge_order.py`` finds every function of the source that
compares weights or keys, lists the functions that compare edges, and tests that they agree.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

U64 = np.uint64
NONE = ~U64(0)
"""A key greater than the key of every edge."""
BITS_AT_ONCE = 1 << 16
"""Number of weights whose lowest bits are combined before the result is tested."""


class Packing(NamedTuple):
    """Map from the bits of a weight to its key; every field is a uint64."""

    minus_zero: np.uint64  # the bits of -0.0, which equals zero
    sign: np.uint64  # the sign bit
    negative: np.uint64  # flipped in a negative weight; in others only the sign bit is flipped
    flip: np.uint64  # flipped last, to find a maximum
    shift: np.uint64  # low bits that no weight uses
    min_key: np.uint64  # the smallest weight key
    index_bits: np.uint64  # bits for the index below the weight key


class SortKeys(NamedTuple):
    """The weights of a graph as bits, and the packing that makes keys of them."""

    bits: NDArray[np.unsignedinteger]
    packing: Packing
    keys_lack_index: bool
    """Weight key and index do not fit 64 bits together: ties are broken by a second minimum."""

    @property
    def index_mask(self) -> np.uint64:
        """Mask that extracts the index from an edge id: the low bits of a key, or all bits."""
        return NONE if self.keys_lack_index else U64((1 << int(self.packing.index_bits)) - 1)


def edge_key(i, bits, packing):
    """Key of edge i."""
    return edge_key_with_index(i, bits, packing, U64(i))


def edge_key_with_index(i, bits, packing, index):
    """Key of the i-th weight for an edge with another index: its weight key, and the index where it fits."""
    key = weight_key(U64(bits[i]), packing)
    return (key << packing.index_bits) | (index if packing.index_bits else U64(0))


def weight_key(b, packing):
    """Weight key from the bits of a weight."""
    b = U64(0) if b == packing.minus_zero else b
    b ^= packing.negative if b & packing.sign else packing.sign
    return ((b ^ packing.flip) >> packing.shift) - packing.min_key


def is_at_or_before(key, edge_id, pivot, pivot_id):
    """Return whether an edge is the pivot or precedes it; where keys hold indices, any id will do."""
    return (key < pivot) | ((key == pivot) & (U64(edge_id) <= pivot_id))


def sort_keys_of(
    w: NDArray[Any],
    maximum: bool = False,
    index_bits: int | None = None,
    minima: Callable[[list[int]], list[int]] = list,
) -> SortKeys:
    """Choose the packing for the weights of a graph.

    Parameters
    ----------
    w : (m,) array of integers or floats without NaN
        The weights.
    maximum : bool
        Sort from the heaviest to the lightest; indices still ascend.
    index_bits : int, optional
        Bits for an index; by default as many as m needs.
    minima : callable
        Replaces each of some numbers by its minimum over all ranks, where the weights are those of one rank.

    Returns
    -------
    SortKeys
    """
    if w.dtype.itemsize > 8:  # extended floats: dense integers in the same order
        w = np.unique(w, return_inverse=True)[1].astype(np.uint64)
    width = 8 * w.dtype.itemsize
    bits = w.view(f"u{w.dtype.itemsize}")
    if index_bits is None:
        index_bits = w.size.bit_length()
    if width + index_bits <= 64:
        return SortKeys(bits, packing_of(w.dtype, maximum, 64 - width), keys_lack_index=False)
    packing = packing_of(w.dtype, maximum)
    first, last = weight_key_range(w, packing) if w.size else (int(NONE), 0)
    smallest, inverted = minima([first, int(NONE) - last])
    largest, shift = int(NONE) - inverted, 0
    if smallest <= largest and (largest - smallest).bit_length() + index_bits > 64:
        (shift,) = minima([unused_low_bits(bits) if w.size else 64])
    low = smallest >> shift
    if smallest > largest or ((largest >> shift) - low).bit_length() + index_bits > 64:
        return SortKeys(bits, packing, keys_lack_index=True)
    packing = packing._replace(shift=U64(shift), min_key=U64(low), index_bits=U64(index_bits))
    return SortKeys(bits, packing, keys_lack_index=False)


def weight_key_range(w: NDArray[Any], type_packing: Packing) -> tuple[int, int]:
    """Find the smallest and the largest weight key of at least one weight, in the packing of their type."""
    extremes = np.array([w.min().item(), w.max().item()], w.dtype).view(f"u{w.dtype.itemsize}")
    smallest, largest = sorted(int(edge_key(i, extremes, type_packing)) for i in range(2))
    return smallest, largest


@functools.cache
def packing_of(dtype: np.dtype[Any], maximum: bool = False, index_bits: int = 0) -> Packing:
    """Choose the packing for any weights of a type of at most 64 bits.

    Parameters
    ----------
    dtype : dtype
        The type of the weights.
    maximum : bool
        Sort from the heaviest to the lightest.
    index_bits : int
        Bits for an index, if it fits; by default the packing is without one.

    Returns
    -------
    Packing
    """
    everything = (1 << 8 * dtype.itemsize) - 1
    sign = 0 if dtype.kind == "u" else 1 << (8 * dtype.itemsize - 1)
    return Packing(
        minus_zero=U64(sign if dtype.kind == "f" else 0),
        sign=U64(sign),
        negative=U64(everything if dtype.kind == "f" else sign),
        flip=U64(everything if maximum else 0),
        shift=U64(0),
        min_key=U64(0),
        index_bits=U64(index_bits),
    )


def unused_low_bits(bits: Any) -> int:
    """Count the low bits that are zero in every weight: integers held as float64 have many.

    The lowest set bit of minus zero is the highest bit. Of zeros alone, as a rank may have, no bit is used.
    """
    if not isinstance(bits, np.ndarray):  # of a GPU: the lowest set bit minus one has one bit for each
        return int(((bits & (~bits + 1)) - 1).min()).bit_length()
    used = 0
    for start in range(0, bits.size, BITS_AT_ONCE):
        used |= int(np.bitwise_or.reduce(bits[start : start + BITS_AT_ONCE]))
        if used & 1:
            break
    return (used & -used).bit_length() - 1 if used else 8 * bits.dtype.itemsize
