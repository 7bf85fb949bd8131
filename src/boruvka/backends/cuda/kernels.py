"""The loops on the GPU: each kernel is made of an operator, and compiled when it is launched.

Threads take elements in turns, so that neighbouring threads read neighbouring memory.

Kernels are compiled for the types of their arguments, and `launcher` launches them. The simulator runs all
of this file but `_warp_vote`.
"""

from __future__ import annotations

import functools
from types import FunctionType
from typing import Any

import numpy as np

from boruvka.backends.cuda.adapters import matrix_rows, named
from boruvka.backends.cuda.compiler import IS_SIMULATED, cuda
from boruvka.backends.primitives import Operator
from boruvka.kernels import kernel_functions
from boruvka.kernels.kernel_functions import bound

# The simulator interprets a kernel with one Python thread for each thread of the GPU: blocks are tiny there.
THREADS = 2 if IS_SIMULATED else 256
"""Threads of a block."""
ROWS = 4 if IS_SIMULATED else 8
"""Elements of a tile for each thread of its block: rows of as many elements as there are threads."""
WARP = 1 if IS_SIMULATED else 32
"""Threads that vote at once."""
MAX_BLOCKS = 2 if IS_SIMULATED else 4096
"""Blocks of a launch; more elements than threads are taken in turns."""

SUMMERS = 2 if IS_SIMULATED else 1024
"""Threads of the block that sums the counts of tiles."""

U32, U64 = np.uint32, np.uint64
TILE_SIZE = THREADS * ROWS
ROW64, TILE64, WARP64, WARPS64 = U64(THREADS), U64(TILE_SIZE), U64(WARP), U64(THREADS // WARP)
COUNTS = THREADS // WARP * ROWS
ALL_LANES = 0xFFFFFFFF


# The simulator replaces `cuda` in the globals of the kernel that runs: whatever uses `cuda` is in this file.
# Meanwhile other threads may make kernels, and `cuda.jit` would be missing.
_jit = cuda.jit


# Functions that kernels call


def _device_atomic_min(a, i, x):
    if x < a[i]:  # most proposals lose, and a read costs less than the instruction
        cuda.atomic.min(a, i, x)


def _device_atomic_add(a, i, x):
    return cuda.atomic.add(a, i, x)


def _device_atomic_swap_if(a, i, expected, x):
    if cuda.atomic.cas(a, i, expected, x) == expected:
        return True
    cuda.threadfence()  # later reads then see the writes of other threads: this cache is not coherent
    return False


DEVICE_ATOMICS: dict[Any, Any] = {
    kernel_functions.atomic_min: _device_atomic_min,
    kernel_functions.atomic_add: _device_atomic_add,
    kernel_functions.atomic_swap_if: _device_atomic_swap_if,
}


def _compile(function: Any) -> Any:
    """Compile a function that kernels call; the simulator calls it as it is."""
    return function if IS_SIMULATED else _jit(device=True)(function)


@functools.cache
def device_function(function: FunctionType) -> Any:
    """Compile an operator for kernels, bound to the atomics of the GPU."""
    return _compile(DEVICE_ATOMICS.get(function) or bound(function, device_function, "cuda"))


def _thread_vote(flag):
    return U32(flag)


def _no_earlier_lanes():
    return U32(0)


def _warp_vote(flag):
    return cuda.ballot_sync(ALL_LANES, flag)


def _earlier_lanes():
    return cuda.lanemask_lt()


# One bit for each thread of a warp: those whose flag is set, and those before this thread.
vote = _compile(_thread_vote if IS_SIMULATED else _warp_vote)
lanes_before = _compile(_no_earlier_lanes if IS_SIMULATED else _earlier_lanes)


# Kernels. Indices are unsigned, as everywhere.


@functools.cache
def for_each_kernel(operator: Operator) -> Any:
    """Make the kernel of a loop over elements."""
    work = device_function(operator)

    def run(first, last, arrays):
        i, step = first + U64(cuda.grid(1)), U64(cuda.gridsize(1))
        while i < last:
            work(i, *arrays)
            i += step

    return _jit(named(run, "for_each", operator))


@functools.cache
def for_each_block_kernel(operator: Operator, local: int) -> Any:
    """Make the kernel of a loop over blocks of vertices, one thread each, with rows of local matrices."""
    work, rows = device_function(operator), device_function(matrix_rows(local))

    def run(threads, blocks, local, arrays):
        thread = U64(cuda.grid(1))
        block = thread
        while thread < threads and block < blocks:
            work(block, *(rows(local, thread) + arrays))
            block += threads

    return _jit(named(run, "for_each_block", operator))


@functools.cache
def mark_kernel(member: Operator) -> Any:
    """Make the kernel that marks members and counts the marks of each tile; a block takes a tile.

    Bit r of a thread's word stands for its element in row r of the tile.
    """
    is_member = device_function(member)

    def run(first, last, bits, counts, member_arrays):
        count = cuda.shared.array(1, U32)
        thread, tile = U64(cuda.threadIdx.x), U64(cuda.blockIdx.x)
        if thread == 0:
            count[0] = 0
        cuda.syncthreads()
        i, word = first + tile * TILE64 + thread, U32(0)
        for row in range(ROWS):
            if i < last and is_member(i, *member_arrays):
                word |= U32(1) << U32(row)
            i += ROW64
        bits[tile * ROW64 + thread] = word
        cuda.atomic.add(count, 0, U32(cuda.popc(word)))
        cuda.syncthreads()
        if thread == 0:
            counts[tile] = count[0]

    return _jit(named(run, "mark", member))


@functools.cache
def sum_before_kernel() -> Any:
    """Make the kernel by which one block replaces each count by the sum before it, and the last by the total.

    Each thread sums a part, the sums of parts are scanned in log2(threads) steps, and each adds its part up.
    """

    def sum_before(counts):
        sums = cuda.shared.array(SUMMERS, U64)
        thread, tiles = cuda.threadIdx.x, counts.size - 1
        part = (tiles + SUMMERS - 1) // SUMMERS
        begin, end = min(thread * part, tiles), min(thread * part + part, tiles)
        total = U64(0)
        for tile in range(begin, end):
            total += counts[tile]
        sums[thread] = total
        cuda.syncthreads()
        step = 1
        while step < SUMMERS:
            earlier = sums[thread - step] if thread >= step else U64(0)
            cuda.syncthreads()
            sums[thread] += earlier
            cuda.syncthreads()
            step *= 2
        before = sums[thread] - total
        for tile in range(begin, end):
            count = counts[tile]
            counts[tile] = before
            before += count
        if thread == SUMMERS - 1:
            counts[tiles] = before

    return _jit(sum_before)


@functools.cache
def visit_kernel(action: Operator) -> Any:
    """Make the kernel that runs ``action(i, slot, *arguments)`` for the marked elements of each tile.

    Slots follow the order of elements: by rows, then by threads. A vote counts at once, for each thread of a
    warp, the marked elements before its own.
    """
    act = device_function(action)

    def run(first, last, bits, begins, arguments):
        counts = cuda.shared.array(COUNTS, U32)
        thread, tile = U64(cuda.threadIdx.x), U64(cuda.blockIdx.x)
        warp, is_first = thread // WARP64, thread % WARP64 == 0
        word = bits[tile * ROW64 + thread]
        for row in range(ROWS):
            votes = vote((word >> U32(row)) & U32(1))
            if is_first:
                counts[U64(row) * WARPS64 + warp] = cuda.popc(votes)
        cuda.syncthreads()
        if thread == 0:
            sum_before = U32(0)
            for k in range(COUNTS):
                count = counts[k]
                counts[k] = sum_before
                sum_before += count
        cuda.syncthreads()
        i = first + tile * TILE64 + thread
        for row in range(ROWS):
            flag = (word >> U32(row)) & U32(1)
            before_in_warp = cuda.popc(vote(flag) & lanes_before())
            if flag:
                before_warp = counts[U64(row) * WARPS64 + warp]
                act(i, begins[tile] + U64(before_warp) + U64(before_in_warp), *arguments)
            i += ROW64

    return _jit(named(run, "visit", action))
