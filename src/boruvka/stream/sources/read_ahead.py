"""Read-ahead on a daemon thread, which does not keep the process alive."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

__all__ = ["ReadAhead"]

Item = TypeVar("Item")
END = object()
"""Sentinel after the last item."""


class ReadAhead(Generic[Item]):
    """Iterator whose next items are computed on another thread while one is in use.

    An error of that thread is raised where its item would be given.

    Parameters
    ----------
    items : iterator
        Makes them.
    most : int
        Number of items that are computed ahead.
    """

    def __init__(self, items: Iterator[Item], most: int = 2):
        self._items = items
        self._made: queue.Queue[Any] = queue.Queue()
        self._room = threading.Semaphore(most)
        self._stopped = False
        threading.Thread(target=self._run, name="boruvka input", daemon=True).start()

    def __iter__(self) -> Iterator[Item]:
        while (item := self._made.get()) is not END:
            if isinstance(item, BaseException):
                raise item
            self._room.release()
            yield item

    def close(self) -> None:
        """Stop the thread and end the iteration; a thread that is blocked on input stops when it arrives."""
        self._stopped = True
        self._room.release()
        self._made.put(END)

    def _run(self) -> None:
        last: Any = END
        try:
            while self._room.acquire() and not self._stopped:
                item = next(self._items, END)
                if item is END:
                    break
                self._made.put(item)
        except BaseException as error:
            last = error
        self._made.put(last)
