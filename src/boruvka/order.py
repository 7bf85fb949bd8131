"""The one order of edges, (weight, index in the input), packed into sortable unsigned keys.

The order is total, so the minimum spanning forest is unique, and everything that computes one
returns the same edges. A weight becomes an unsigned integer that sorts as the weight does (its
*rank*): the bits of a float or an integer with the sign dealt with, minus what all weights share.
Where rank and index fit into 64 bits together, the key is both of them, and the lightest edge is one
minimum. Where they do not (64-bit weights that use their bits), the key is the rank alone and a
second minimum over indices decides between equal keys: nothing is ever rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

U64 = np.uint64
ALL = np.iinfo(np.uint64).max
NONE = U64(ALL)
"""A key after every key of an edge."""


class Packing(NamedTuple):
    """How the bits of a weight become a key; every field is a uint64."""

    minus_zero: np.uint64  # these bits mean zero too
    sign: np.uint64  # the bit that says that a weight is negative
    negative: np.uint64  # flipped in a negative weight; in others the sign is
    flip: np.uint64  # flipped at last, to look for a maximum
    shift: np.uint64  # low bits that no weight uses
    low: np.uint64  # the smallest rank
    index_bits: np.uint64  # room for the index below the rank


class Order(NamedTuple):
    """The weights of a graph as bits, and what makes keys of them."""

    bits: NDArray[np.unsignedinteger]
    packing: Packing
    wide: bool
    """Rank and index do not fit 64 bits together: the index is compared apart."""

    @property
    def index_mask(self) -> np.uint64:
        """What of a name of an edge is its index: the low bits of a key, or all of an index."""
        return NONE if self.wide else U64((1 << int(self.packing.index_bits)) - 1)


def key_of(i, bits, packing):
    """Key of edge i."""
    return key_named(i, bits, packing, U64(i))


def key_named(i, bits, packing, index):
    """Key of edge i that has another index: its rank, and where there is room the index."""
    rank = rank_of(U64(bits[i]), packing)
    return (rank << packing.index_bits) | (index if packing.index_bits else U64(0))


def rank_of(b, packing):
    """Rank of a weight by its bits."""
    b = U64(0) if b == packing.minus_zero else b
    b ^= packing.negative if b & packing.sign else packing.sign
    return ((b ^ packing.flip) >> packing.shift) - packing.low


def not_after(key, name, pivot, pivot_name):
    """Say whether an edge is the pivot or comes before it; where keys hold indices, any name will do."""
    return (key < pivot) | ((key == pivot) & (U64(name) <= pivot_name))


def order_of(w: NDArray[Any], maximum: bool = False, index_bits: int | None = None) -> Order:
    """Find how to pack the weights of a graph.

    Parameters
    ----------
    w : (m,) array of integers or floats without NaN
        The weights.
    maximum : bool
        Order from the heaviest to the lightest, indices still ascending.
    index_bits : int, optional
        Room for an index; by default what m takes.

    Returns
    -------
    Order
    """
    if w.dtype.itemsize > 8:  # extended floats: dense ranks take their place
        w = np.unique(w, return_inverse=True)[1].astype(np.uint64)
    width = 8 * w.dtype.itemsize
    bits = w.view(f"u{w.dtype.itemsize}")
    whole = packing_of(w.dtype, maximum)
    if index_bits is None:
        index_bits = w.size.bit_length()
    if width + index_bits <= 64:
        return Order(bits, whole._replace(index_bits=U64(64 - width)), wide=False)
    if not w.size:
        return Order(bits, whole, wide=True)

    ends = ends_of(w, whole)
    return Order(bits, *fitted(whole, ends, index_bits, lambda: unused_low_bits(bits, whole.minus_zero)))


def ends_of(w: NDArray[Any], whole: Packing) -> tuple[int, int]:
    """Find the smallest and the largest rank of at least one weight, in the packing of their type."""
    ends = np.array([w.min().item(), w.max().item()], w.dtype).view(f"u{w.dtype.itemsize}")
    first, last = sorted(int(key_of(i, ends, whole)) for i in range(2))
    return first, last


def fitted(
    whole: Packing, ends: tuple[int, int], index_bits: int, unused: Callable[[], int]
) -> tuple[Packing, bool]:
    """Fit ranks and indices into 64 bits where that can be.

    Parameters
    ----------
    whole : Packing
        That of the type.
    ends : (int, int)
        The smallest and the largest rank.
    index_bits : int
        Room for an index.
    unused : callable
        Counts the low bits that no weight uses; it is asked only where that may help.

    Returns
    -------
    Packing
    bool
        Whether they do not fit.
    """
    first, last = ends
    shift = unused() if (last - first).bit_length() + index_bits > 64 else 0
    rank_bits = ((last >> shift) - (first >> shift)).bit_length()
    if rank_bits + index_bits > 64:
        return whole, True
    return whole._replace(shift=U64(shift), low=U64(first >> shift), index_bits=U64(index_bits)), False


def packing_of(dtype: np.dtype[Any], maximum: bool = False) -> Packing:
    """Find how to pack weights of a type of at most 64 bits, whatever they are, without an index.

    Parameters
    ----------
    dtype : dtype
        The type of the weights.
    maximum : bool
        Order from the heaviest to the lightest.

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
        low=U64(0),
        index_bits=U64(0),
    )


def unused_low_bits(bits: NDArray[Any], minus_zero: np.uint64) -> int:
    """Count the low bits that are zero in every weight: integers held as float64 have many."""
    if not isinstance(bits, np.ndarray):  # on a GPU, where a loop over parts would wait for each
        return _unused_low_bits_at_once(bits)
    used = 0
    for begin in range(0, bits.size, 1 << 16):
        part = bits[begin : begin + (1 << 16)]
        used |= int(np.bitwise_or.reduce(part, where=part != minus_zero))
        if used & 1:
            return 0
    return (used & -used).bit_length() - 1 if used else 0


def _unused_low_bits_at_once(bits: Any) -> int:
    """Count them by the lowest bit of each weight, less one; where there is none, that is the largest number.

    Some weight is not zero. Minus zero does no harm: its lowest bit is the highest.
    """
    return int(((bits & (~bits + 1)) - 1).min()).bit_length()
