"""Memory pool for large arrays: freed blocks are reused by the next solve.

New memory is slow: the system clears each page when it is first written. Unused blocks are therefore kept, up
to a limit, and marked so that the system may take their pages when it needs memory.
"""

from __future__ import annotations

import ctypes
import functools
import math
import mmap
import sys
import weakref
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.runtime.processors import memory_size

BLOCK_PAYS_FROM = 1 << 20
"""Minimum number of bytes of a block; the C library allocates smaller arrays, and keeps their memory."""
KEPT_SHARE, KEPT_AT_MOST = 8, 4 << 30
"""Unused blocks take at most 1 / `KEPT_SHARE` of the machine's memory, and at most `KEPT_AT_MOST` bytes."""
RESIDENT_SHARE = 4
"""Unused blocks beyond a quarter of the limit are marked; to mark one takes longer than to reuse many."""
MAX_OVERSIZE_OF_RESULT = 1.25
"""Maximum ratio of block size to array size, for arrays that the caller may keep."""
TYPES_KEPT = 64
"""Number of lengths whose type is kept: to make a type takes three times as long as an array."""
HUGE_PAGE = 1 << 21


class MemoryPool:
    """Blocks of memory that arrays use one after another.

    Parameters
    ----------
    limit : int
        Maximum number of bytes of unused blocks.
    """

    def __init__(self, limit: int):
        self.limit = limit
        self._unused: list[mmap.mmap] = []  # least recently used first

    @property
    def unused_bytes(self) -> int:
        """Bytes of the blocks that no array uses."""
        return sum(map(len, self._unused))

    def empty(self, size: int, dtype: Any, max_oversize: float = math.inf) -> NDArray[Any]:
        """Make an array as `numpy.empty` does; its block is at most ``max_oversize`` times as large."""
        return self.empty_or_zeros(size, dtype, max_oversize)[0]

    def release(self) -> None:
        """Give all unused blocks back to the system."""
        self._unused.clear()

    def empty_or_zeros(
        self, size: int, dtype: Any, max_oversize: float = math.inf
    ) -> tuple[NDArray[Any], bool]:
        """Make an array, and return whether its elements are zero."""
        dtype = np.dtype(dtype)
        length = size * dtype.itemsize
        if length < BLOCK_PAYS_FROM:
            return np.empty(size, dtype), False
        block = self._unused_block(length, max_oversize * length)
        is_zero = block is None
        if block is None:
            block = self._new_block(length)
        # Views refer to the owner, not to the array. The block is unused when the owner is deallocated.
        owner = _bytes_type(len(block)).from_buffer(block)
        weakref.finalize(owner, self._take_back, block).atexit = False
        return np.frombuffer(memoryview(owner), dtype, size), is_zero

    def _unused_block(self, length: int, longest: float) -> mmap.mmap | None:
        """Take the smallest unused block that fits, or None. Each step is atomic, so there is no lock."""
        while True:
            fits = [block for block in self._unused if length <= len(block) <= longest]
            if not fits:
                return None
            smallest = min(reversed(fits), key=len)  # of equal ones the last in use: its pages exist
            try:
                self._unused.remove(smallest)
            except ValueError:  # another thread took it
                continue
            return smallest

    def _new_block(self, length: int) -> mmap.mmap:
        with suppress(OSError):
            return _map(length)
        self.release()
        try:
            return _map(length)
        except OSError:
            raise MemoryError(f"cannot allocate {length:,} bytes") from None

    def _take_back(self, block: mmap.mmap) -> None:
        if hasattr(mmap, "MADV_FREE") and self.unused_bytes > self.limit // RESIDENT_SHARE:
            block.madvise(mmap.MADV_FREE)
        self._unused.append(block)
        while self.unused_bytes > self.limit:
            del self._unused[:1]


@functools.lru_cache(TYPES_KEPT)
def _bytes_type(length: int) -> type[ctypes.Array[ctypes.c_char]]:
    return ctypes.c_char * length


def _map(length: int) -> mmap.mmap:
    """Map new memory, private to this process, in huge pages where the system has them."""
    if not hasattr(mmap, "MAP_ANONYMOUS"):
        return mmap.mmap(-1, length)
    block = mmap.mmap(-1, length, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if length >= HUGE_PAGE and hasattr(mmap, "MADV_HUGEPAGE"):
        block.madvise(mmap.MADV_HUGEPAGE)
    return block


def release_memory() -> None:
    """Give free memory back to the system: unused blocks, and what the C library and Arrow keep."""
    POOL.release()
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()
    with suppress(AttributeError, OSError, TypeError):  # other C libraries have no such function
        ctypes.CDLL(None).malloc_trim(0)


POOL = MemoryPool(min(memory_size() // KEPT_SHARE, KEPT_AT_MOST))
"""The pool of this process."""
