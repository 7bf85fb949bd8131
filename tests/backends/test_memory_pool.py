import gc
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from boruvka.backends import memory_pool
from boruvka.backends.memory_pool import BLOCK_PAYS_FROM, MemoryPool

MB = 1 << 20


def test_an_array_is_as_asked_for():
    kept = MemoryPool(0)
    for make in (kept.empty, kept.zeros):
        for size in (0, 1, BLOCK_PAYS_FROM // 8 - 1, BLOCK_PAYS_FROM // 8, BLOCK_PAYS_FROM):
            array = make(size, np.float64)
            assert (array.size, array.dtype, array.ndim) == (size, np.float64, 1)
            assert array.flags.writeable
            assert array.flags.aligned
            assert array.flags.c_contiguous
            array[:] = 7


def test_a_block_is_used_again():
    kept = MemoryPool(64 * MB)
    array = kept.empty(2 * MB, np.uint8)
    address = array.ctypes.data
    del array
    assert kept.unused_bytes == 2 * MB
    array = kept.empty(MB // 4 + 1, np.uint32)
    assert array.ctypes.data == address
    assert kept.unused_bytes == 0


@pytest.mark.parametrize("view", [lambda a: a[5:9], lambda a: a.view(np.uint16), lambda a: memoryview(a[1:])])
def test_a_block_is_in_use_while_a_view_of_its_array_lives(view):
    kept = MemoryPool(64 * MB)
    part = view(kept.empty(2 * MB, np.uint8))
    gc.collect()
    assert kept.unused_bytes == 0
    del part
    assert kept.unused_bytes == 2 * MB


def test_zeros_are_zero_in_used_memory():
    kept = MemoryPool(64 * MB)
    array = kept.empty(4 * MB, np.uint8)
    array[:] = 255
    del array
    assert not kept.zeros(4 * MB, np.uint8).any()
    assert kept.zeros(100, bool).sum() == 0


def test_the_smallest_block_that_fits_is_taken():
    kept = MemoryPool(64 * MB)
    arrays = [kept.empty(size * MB, np.uint8) for size in (8, 3, 4)]
    small = arrays[1].ctypes.data
    del arrays
    array = kept.empty(3 * MB, np.uint8)
    assert array.ctypes.data == small
    assert kept.unused_bytes == 12 * MB
    large = kept.empty(9 * MB, np.uint8)
    assert large.size == 9 * MB
    assert kept.unused_bytes == 12 * MB


def test_a_result_takes_no_block_that_is_much_larger():
    kept = MemoryPool(64 * MB)
    array = kept.empty(8 * MB, np.uint8)
    del array
    results = [kept.empty(size * MB, np.uint8, 1.25) for size in (4, 7)]
    assert results[0].size == 4 * MB
    assert kept.unused_bytes == 0
    del results
    assert kept.unused_bytes == 12 * MB


def test_no_more_than_the_limit_is_kept_and_the_latest_is():
    kept = MemoryPool(10 * MB)
    for size in (4, 5, 6):
        del_me = kept.empty(size * MB, np.uint8)
        others = [kept.empty(size * MB, np.uint8)]
        del del_me, others
        assert kept.unused_bytes <= 10 * MB
    assert kept.unused_bytes == 6 * MB
    kept.release()
    assert kept.unused_bytes == 0


def test_memory_is_released_before_there_is_none(monkeypatch):
    kept, map_block, failed = MemoryPool(64 * MB), memory_pool._map, []
    del_me = kept.empty(2 * MB, np.uint8)
    del del_me

    def fails_once(length):
        if not failed:
            failed.append(length)
            raise OSError
        return map_block(length)

    monkeypatch.setattr(memory_pool, "_map", fails_once)
    assert kept.empty(8 * MB, np.uint8).size == 8 * MB
    assert failed == [8 * MB]
    assert kept.unused_bytes == 8 * MB  # the block of 2 MB is gone


def test_too_much_is_a_memory_error():
    with pytest.raises(MemoryError, match="cannot allocate 4,611,686,018,427,387,904 bytes"):
        MemoryPool(0).empty(1 << 62, np.uint8)


def test_threads_never_share_a_block():
    kept, wrong = MemoryPool(64 * MB), []

    def work(mine):
        for _ in range(200):
            array = kept.empty(MB // 8, np.uint64)
            array[::512] = mine
            wrong.extend(array[::512][array[::512] != mine])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert kept.unused_bytes <= 8 * MB  # each thread has two for a moment


def test_memory_that_arrow_keeps_is_given_back(monkeypatch):
    """If pyarrow is imported, which this module does not do itself."""
    released = []
    arrow = SimpleNamespace(
        default_memory_pool=lambda: SimpleNamespace(release_unused=lambda: released.append(1))
    )
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    memory_pool.release_memory()
    assert released
    monkeypatch.delitem(sys.modules, "pyarrow")
    memory_pool.release_memory()
    assert len(released) == 1
    assert "pyarrow" not in sys.modules
