"""How many processors there are to use."""

from __future__ import annotations

import operator
import os

from boruvka.errors import OptionError


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """Check a requested number of threads; None means one for each processor."""
    if threads is None:
        return processors()
    try:
        count = operator.index(threads)
    except TypeError:
        raise OptionError(f"threads must be a positive integer, got {threads!r}") from None
    if not 1 <= count <= 1024:
        raise OptionError(f"threads must be between 1 and 1024, got {count}")
    return count
