"""The threads of this process, for work that releases the GIL.

They are not of `concurrent.futures`, whose import takes as long as a solve of 100,000 edges.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Any

from boruvka.runtime.processors import processors

PARTS_OF_A_THREAD = 4
"""Ranges for each thread: more than one, as threads may be interrupted by other work."""


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

    tasks = [_Task(work) for _ in range(min(threads, len(parts)) - 1)]
    for task in tasks:
        _tasks(threads).put(task)
    try:
        work()
    finally:
        for _ in todo:  # drop the remaining parts
            pass
        for task in tasks:
            task.finish()
    return done


def map_ranges(run: Callable[[slice], Any], size: int) -> list[Any]:
    """Run a function of ranges of elements, on all processors; return the results in order."""
    threads = processors()
    parts = max(1, min(size, PARTS_OF_A_THREAD * threads))
    bounds = [size * part // parts for part in range(parts + 1)]
    return map_parts(run, map(slice, bounds[:-1], bounds[1:]), threads)


class _Task:
    """Work that a helper thread runs, unless the caller has finished before it begins."""

    def __init__(self, work: Callable[[], None]):
        self._work = work
        self._begun, self._running = threading.Lock(), threading.Lock()
        self._error: BaseException | None = None
        self._running.acquire()

    def run(self) -> None:
        """Run the work, on a helper thread."""
        if self._begun.acquire(blocking=False):
            try:
                self._work()
            except BaseException as error:
                self._error = error
            self._running.release()

    def finish(self) -> None:
        """Wait for the work if it has begun, and raise its error; else it never begins."""
        if not self._begun.acquire(blocking=False):
            self._running.acquire()
            if self._error is not None:
                raise self._error


@functools.cache
def _tasks(threads: int) -> SimpleQueue[_Task]:
    """Start helper threads, and return the queue from which they take tasks."""
    tasks: SimpleQueue[_Task] = SimpleQueue()

    def run() -> None:
        while True:
            tasks.get().run()

    for k in range(threads - 1):
        threading.Thread(target=run, name=f"boruvka_{k}", daemon=True).start()
    return tasks


if hasattr(os, "register_at_fork"):  # a forked child has no threads, and starts its own
    os.register_at_fork(after_in_child=_tasks.cache_clear)
