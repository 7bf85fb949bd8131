"""Read-ahead on a daemon thread, which does not keep the process alive."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

__all__ = ["ReadAhead"]

Piece = TypeVar("Piece")
END = object()
"""Sentinel after the last item."""


class ReadAhead(Generic[Piece]):
    """Iterator whose next items are computed on another thread while one is in use.

    An error of that thread is raised where its piece would be given.

    Parameters
    ----------
    pieces : iterator
        Makes them.
    most : int
        Number of items that are computed ahead.
    """

    def __init__(self, pieces: Iterator[Piece], most: int = 2):
        self._pieces = pieces
        self._made: queue.Queue[Any] = queue.Queue()
        self._room = threading.Semaphore(most)
        self._stopped = False
        threading.Thread(target=self._run, name="boruvka input", daemon=True).start()

    def __iter__(self) -> Iterator[Piece]:
        while (piece := self._made.get()) is not END:
            if isinstance(piece, BaseException):
                raise piece
            self._room.release()
            yield piece

    def close(self) -> None:
        """Stop the thread and end the iteration; a thread that is blocked on input stops when it arrives."""
        self._stopped = True
        self._room.release()
        self._made.put(END)

    def _run(self) -> None:
        last: Any = END
        try:
            while self._room.acquire() and not self._stopped:
                piece = next(self._pieces, END)
                if piece is END:
                    break
                self._made.put(piece)
        except BaseException as error:
            last = error
        self._made.put(last)
