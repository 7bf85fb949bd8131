"""Decompressed bytes that arrive from another thread while earlier ones are in use."""

from __future__ import annotations

import mmap
import threading
from collections.abc import Iterator


class SizeMismatch(Exception):
    """A file does not have the decompressed size that it states."""


class BackgroundBytes:
    """Bytes of known total size that another thread produces; readers wait until the bytes they need arrive.

    Parameters
    ----------
    data : iterator of bytes
        Runs in its own thread and produces the bytes. Its errors are raised in the thread that waits.
    size : int
        Number of bytes.
    """

    def __init__(self, data: Iterator[bytes], size: int):
        self.memory = mmap.mmap(-1, size)
        """All bytes; only the first ones have arrived."""
        self._data, self._size = data, size
        self._here, self._stopped = 0, False
        self._error: BaseException | None = None
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="boruvka decompression", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, key: slice) -> bytes:
        start, stop, _ = key.indices(self._size)
        self.wait(stop)
        return self.memory[start:stop]

    def find(self, byte: bytes, start: int, end: int | None = None) -> int:
        """Return the offset of the first such byte between two offsets, -1 if there is none."""
        end = self._size if end is None else end
        while True:
            here = min(self._here, end)
            found = self.memory.find(byte, start, here)
            if found >= 0 or here == end:
                return found
            start = max(start, here)
            self.wait(start + 1)

    def wait(self, end: int) -> None:
        """Wait until the bytes before an offset have arrived."""
        end = min(end, self._size)
        with self._changed:
            self._changed.wait_for(lambda: self._here >= end or self._error)
        if self._here < end and self._error:
            raise self._error

    def finish(self) -> None:
        """Wait until all bytes have arrived and the checks at their end are done."""
        self._thread.join()
        if self._error:
            raise self._error

    def stop(self) -> None:
        """Stop the thread when the next bytes arrive."""
        self._stopped = True
        self._thread.join()

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            for arrived in self._data:
                end = self._here + len(arrived)
                if end > self._size or self._stopped:
                    raise SizeMismatch
                self.memory[self._here : end] = arrived
                self._announce(end, None)
            error = None if self._here == self._size else SizeMismatch()
        except BaseException as failure:  # the waiting thread raises it
            error = failure
        self._announce(self._here, error)

    def _announce(self, here: int, error: BaseException | None) -> None:
        with self._changed:
            self._here, self._error = here, error
            self._changed.notify_all()
