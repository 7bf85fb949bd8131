import mmap
import threading

import pytest

from experiments.common.counters import PAGE_FAULTS, Event, Unavailable, counting


def touch(pages):
    """Write to new pages, so that each of them faults."""
    with mmap.mmap(-1, pages * mmap.PAGESIZE) as memory:
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            memory.madvise(mmap.MADV_NOHUGEPAGE)
        for page in range(pages):
            memory[page * mmap.PAGESIZE] = 1


@pytest.mark.parametrize("where", ["here", "in a new thread", "in an old thread"])
def test_events_are_counted_on_every_thread(where):
    wake = threading.Event()
    thread = threading.Thread(target=lambda: (wake.wait(), touch(500)))
    if where == "in an old thread":
        thread.start()
    try:
        with counting(PAGE_FAULTS) as count:
            before = count()
            wake.set()
            if where == "here":
                touch(500)
            else:
                if where == "in a new thread":
                    thread.start()
                thread.join()
            assert 500 <= count() - before < 50_000
    except Unavailable as reason:
        wake.set()
        pytest.skip(str(reason))


def test_unavailable_events():
    with pytest.raises(Unavailable, match=r"dreams cannot be counted: "), counting(Event("dreams", 77, 0)):
        pass
