"""Processors, threads and memory of this process.

Threads are not of `concurrent.futures`, whose import takes as long as a solve of 100,000 edges.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

from boruvka.errors import FileError
from boruvka.runtime.arguments import integer

PARTS_OF_A_THREAD = 4
"""Ranges for each thread: more than one, as threads may be interrupted by other work."""
_ALWAYS_THERE = 1 << 24
"""Bytes of memory for which it is not checked whether they are free."""


def processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """Check a number of threads; None means one for each processor."""
    return processors() if threads is None else integer("threads", threads, 1, 1024)


def map_parts(run: Callable[[Any], Any], parts: Iterable[Any], threads: int) -> list[Any]:
    """Run a function of each part, on several threads, for work that releases the GIL.

    Parameters
    ----------
    run : callable
        The function. If it fails, or is interrupted, the parts that have not begun are dropped.
    parts : iterable
        Its arguments.
    threads : int
        Number of threads; the calling thread is one of them.

    Returns
    -------
    list
        The results, in the order of the parts.
    """
    if threads < 2:
        return [run(part) for part in parts]
    parts = list(parts)
    todo, done = enumerate(parts), [None] * len(parts)  # all threads take parts from one iterator
    begun: list[bool] = []
    ended: SimpleQueue[BaseException | None] = SimpleQueue()

    def work() -> None:
        for k, part in todo:
            done[k] = run(part)

    def help_caller() -> None:
        begun.append(True)
        error = None
        try:
            work()
        except BaseException as raised:
            error = raised
        ended.put(error)

    for _ in range(min(threads, len(parts)) - 1):
        _helpers(threads).put(help_caller)
    errors: list[BaseException | None] = []
    try:
        work()
    finally:
        for _ in todo:  # drop the remaining parts
            pass
        while len(errors) < len(begun):  # a helper that begins later finds no part
            errors.append(ended.get())
    for error in filter(None, errors):
        raise error
    return done


def map_ranges(run: Callable[[slice], Any], size: int) -> list[Any]:
    """Run a function of ranges of elements, on all processors; return the results in order."""
    threads = processors()
    parts = max(1, min(size, PARTS_OF_A_THREAD * threads))
    bounds = [size * part // parts for part in range(parts + 1)]
    return map_parts(run, map(slice, bounds[:-1], bounds[1:]), threads)


@functools.cache
def _helpers(threads: int) -> SimpleQueue[Callable[[], None]]:
    """Start helper threads, and return the queue from which they take tasks."""
    tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def run() -> None:
        while True:
            tasks.get()()

    for k in range(threads - 1):
        threading.Thread(target=run, name=f"boruvka_{k}", daemon=True).start()
    return tasks


if hasattr(os, "register_at_fork"):  # a forked child has no threads, and starts its own
    os.register_at_fork(after_in_child=_helpers.cache_clear)


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
