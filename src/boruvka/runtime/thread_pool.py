"""The threads of this process, for work that releases the GIL."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from boruvka.runtime.processors import processors

PARTS_OF_A_THREAD = 4
"""Ranges for each thread: more than one, as threads may be interrupted by other work."""

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor


def map_parts(run: Callable[[Any], Any], parts: Iterable[Any], threads: int) -> list[Any]:
    """Run a function of each part, on several threads.

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

    def work() -> None:
        for k, part in todo:
            done[k] = run(part)

    helpers = [_pool(threads).submit(work) for _ in range(min(threads, len(parts)) - 1)]
    try:
        work()
    finally:
        for _ in todo:  # drop the remaining parts
            pass
        for helper in helpers:
            if not helper.cancel():
                helper.result()
    return done


def map_ranges(run: Callable[[slice], Any], size: int) -> list[Any]:
    """Run a function of ranges of elements, on all processors; return the results in order."""
    threads = processors()
    parts = max(1, min(size, PARTS_OF_A_THREAD * threads))
    bounds = [size * part // parts for part in range(parts + 1)]
    return map_parts(run, map(slice, bounds[:-1], bounds[1:]), threads)


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(threads - 1, thread_name_prefix="boruvka")


if hasattr(os, "register_at_fork"):  # a forked child has no threads, and makes a pool of its own
    os.register_at_fork(after_in_child=_pool.cache_clear)
