"""Number of processors and threads, and size of the memory."""

from __future__ import annotations

import operator
import os
from contextlib import suppress

from boruvka.errors import FileError, OptionError, shown
from boruvka.runtime.argument_names import argument

_ALWAYS_THERE = 1 << 24
"""Bytes of memory for which it is not checked whether they are free."""


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
        raise OptionError(f"{argument('threads')} must be a positive integer, got {shown(threads)}") from None
    if not 1 <= count <= 1024:
        raise OptionError(f"{argument('threads')} must be between 1 and 1024, got {shown(count)}")
    return count


def memory_size() -> int:
    """Return the bytes of memory of this machine, or a very large number where that is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63


def free_memory() -> int:
    """Return the bytes of memory that this process can still take; a very large number if that is unknown."""
    free = 2**63
    with suppress(OSError, ValueError, StopIteration), open("/proc/meminfo", encoding="ascii") as file:
        free = 1024 * int(next(line for line in file if line.startswith("MemAvailable")).split()[1])
    with suppress(ImportError, OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            free = min(free, limit - int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE"))
    return free


def check_room(name: str, size: int) -> None:
    """Raise a `FileError` where a file needs more bytes of memory than are free.

    Some libraries end the process where they get no memory, so this is checked before.
    """
    if size > _ALWAYS_THERE and size > (free := free_memory()):
        raise FileError(
            f"{name}: {size / 2**30:,.1f}G of memory or more are needed, {free / 2**30:,.1f}G are free"
        )
