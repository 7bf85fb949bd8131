import gc
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from boruvka.backends import memory_pool
from boruvka.backends.memory_pool import BLOCK_PAYS_FROM, MemoryPool

MB = 1 << 20


@pytest.fixture
def pool():
    return MemoryPool(64 * MB)


def free_blocks(pool, *megabytes):
    """Make blocks of these sizes, free them, and return their addresses."""
    arrays = [pool.empty(size * MB, np.uint8) for size in megabytes]
    for array in arrays:
        array.fill(255)
    return [array.ctypes.data for array in arrays]


@pytest.mark.parametrize("size", [0, 1, BLOCK_PAYS_FROM // 8 - 1, BLOCK_PAYS_FROM // 8, BLOCK_PAYS_FROM])
def test_an_array_is_as_asked_for(pool, size):
    free_blocks(pool, 16)
    array, is_zero = pool.empty_or_zeros(size, np.float64)
    assert (array.size, array.dtype, array.ndim) == (size, np.float64, 1)
    assert array.flags.writeable
    assert array.flags.aligned
    assert array.flags.c_contiguous
    assert not (is_zero and array.any())
    array[:] = 7


@pytest.mark.parametrize("view", [lambda a: a[5:9], lambda a: a.view(np.uint16), lambda a: memoryview(a[1:])])
def test_a_block_is_in_use_while_a_view_of_its_array_lives(pool, view):
    part = view(pool.empty(2 * MB, np.uint8))
    gc.collect()
    assert pool.unused_bytes == 0
    del part
    assert pool.unused_bytes == 2 * MB


def test_the_smallest_block_that_fits_is_used_again(pool):
    addresses = free_blocks(pool, 8, 3, 4)
    array = pool.empty(MB // 2 + 1, np.uint32)
    assert array.ctypes.data == addresses[1]
    assert pool.unused_bytes == 12 * MB
    large = pool.empty(9 * MB, np.uint8)
    assert large.size == 9 * MB
    assert pool.unused_bytes == 12 * MB


def test_a_result_takes_no_block_that_is_much_larger(pool):
    free_blocks(pool, 8)
    results = [pool.empty(size * MB, np.uint8, 1.25) for size in (4, 7)]
    assert pool.unused_bytes == 0
    del results
    assert pool.unused_bytes == 12 * MB


def test_no_more_than_the_limit_is_kept_and_the_latest_is():
    pool = MemoryPool(10 * MB)
    for size in (4, 5, 6):
        free_blocks(pool, size, size)
        assert pool.unused_bytes <= 10 * MB
    assert pool.unused_bytes == 6 * MB
    pool.release()
    assert pool.unused_bytes == 0


def test_new_memory_is_known_to_be_zero(pool):
    array, is_zero = pool.empty_or_zeros(2 * MB, np.uint8)
    assert is_zero
    assert not array.any()
    array.fill(1)
    del array
    assert not pool.empty_or_zeros(2 * MB, np.uint8)[1]


def test_memory_is_released_before_there_is_none(pool, monkeypatch):
    map_block, lengths = memory_pool._map, []
    free_blocks(pool, 2)

    def fails_once(length):
        lengths.append(length)
        if len(lengths) == 1:
            raise OSError
        return map_block(length)

    monkeypatch.setattr(memory_pool, "_map", fails_once)
    assert pool.empty(8 * MB, np.uint8).size == 8 * MB
    assert lengths == [8 * MB, 8 * MB]
    assert pool.unused_bytes == 8 * MB  # the block of 2 MB is gone
    with pytest.raises(MemoryError, match="cannot allocate 4,611,686,018,427,387,904 bytes"):
        pool.empty(1 << 62, np.uint8)


def test_threads_never_share_a_block(pool):
    wrong = []

    def work(mine):
        for _ in range(200):
            array = pool.empty(MB // 8, np.uint64)
            array[::512] = mine
            wrong.extend(array[::512][array[::512] != mine])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert pool.unused_bytes <= 8 * MB  # each thread has two for a moment


def test_memory_that_arrow_keeps_is_released_if_it_is_imported(monkeypatch):
    released = []
    pool = SimpleNamespace(release_unused=lambda: released.append(1))
    monkeypatch.setitem(sys.modules, "pyarrow", SimpleNamespace(default_memory_pool=lambda: pool))
    memory_pool.release_memory()
    monkeypatch.delitem(sys.modules, "pyarrow")
    memory_pool.release_memory()
    assert released == [1]
    assert "pyarrow" not in sys.modules
