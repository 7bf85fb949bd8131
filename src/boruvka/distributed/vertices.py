"""Vertices on ranks: a block of consecutive ones for each rank, and the distinct ones of an array."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend

TABLE_AT_ELEMENT = 16
"""Maximum number of ids, for each element of the array, for which a table of all ids is used."""


class VertexPartition(NamedTuple):
    """Vertices 0 to ``n - 1`` in blocks of equal size; the last blocks may be smaller or empty.

    Attributes
    ----------
    n : int
        Number of vertices.
    ranks : int
        Number of ranks.
    rank : int
        This rank.
    """

    n: int
    ranks: int
    rank: int

    @property
    def block_size(self) -> int:
        """Number of vertices in a full block."""
        return max(-(-self.n // self.ranks), 1)

    @property
    def first(self) -> int:
        """First vertex of this rank."""
        return min(self.rank * self.block_size, self.n)

    @property
    def size(self) -> int:
        """Number of vertices of this rank."""
        return min(self.first + self.block_size, self.n) - self.first

    def vertices(self, dtype: Any) -> NDArray[Any]:
        """List the vertices of this rank."""
        return np.arange(self.first, self.first + self.size, dtype=dtype)

    def owner(self, x: NDArray[Any]) -> NDArray[np.int64]:
        """Find the rank that owns each vertex."""
        return (x // np.uint64(self.block_size)).astype(np.int64)

    def position(self, x: NDArray[Any]) -> NDArray[np.int64]:
        """Find the positions of vertices of this rank in its block."""
        return x.astype(np.int64) - self.first


def unique_ids(x: NDArray[Any], n: int, backend: Backend) -> tuple[NDArray[Any], NDArray[Any]]:
    """Find the unique ids of an array and the inverse, as ``numpy.unique(x, return_inverse=True)``.

    With many elements for the ``n`` ids that there are, this uses a table, otherwise it sorts, in memory for
    the elements. The inverse has the type of ``x``.
    """
    if is_ascending(x):
        return x, np.arange(x.size, dtype=x.dtype)
    if n > TABLE_AT_ELEMENT * x.size:
        return _unique_by_sorting(x)
    occurs, number, inverse = backend.zeros(n, np.bool_), *(backend.empty(k, x.dtype) for k in (n, x.size))
    backend.for_each(mark_id, x.size, x, occurs)
    backend.number(is_marked, n, number, 0, occurs)
    backend.for_each(look_up, x.size, x, number, inverse)
    return backend.flatnonzero(occurs).astype(x.dtype), inverse


def mark_id(i, x, occurs):
    """Mark the i-th id."""
    occurs[x[i]] = True


def is_marked(x, occurs):
    """Return whether id x is marked."""
    return occurs[x]


def look_up(i, x, number, inverse):
    """Store the number of the i-th id."""
    inverse[i] = number[x[i]]


def is_ascending(x: NDArray[Any], *, strictly: bool = True) -> bool:
    """Return whether each element is larger than the one before, or as large."""
    return bool(np.all(x[1:] > x[:-1]) if strictly else np.all(x[1:] >= x[:-1]))


def _unique_by_sorting(x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sort an id and its position as one 64-bit word where both fit.

    That is several times faster than an indirect sort of positions, which `numpy.unique` does.
    """
    position_bits = (x.size - 1).bit_length()
    if int(x.max()).bit_length() + position_bits > 64:
        unique, inverse = np.unique(x, return_inverse=True)
        return unique, inverse.astype(x.dtype)
    words = x.astype(np.uint64) << np.uint64(position_bits)
    words |= np.arange(x.size, dtype=np.uint64)
    words.sort()
    ids = words >> np.uint64(position_bits)
    words &= np.uint64((1 << position_bits) - 1)
    first = np.ones(x.size, bool)
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    inverse = np.empty(x.size, x.dtype)
    inverse[words.astype(np.int64)] = np.cumsum(first) - 1
    return ids[first].astype(x.dtype), inverse
