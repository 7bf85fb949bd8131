"""Number of processors and threads, and size of the memory."""

from __future__ import annotations

import operator
import os

from boruvka.errors import OptionError
from boruvka.runtime.argument_names import argument


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """Check a number of threads; None means one for each processor."""
    if threads is None:
        return processors()
    try:
        count = operator.index(threads)
    except TypeError:
        raise OptionError(f"{argument('threads')} must be a positive integer, got {threads!r}") from None
    if not 1 <= count <= 1024:
        raise OptionError(f"{argument('threads')} must be between 1 and 1024, got {count}")
    return count


def memory_size() -> int:
    """Return the bytes of memory of this machine, or a very large number where that is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63
