"""Base class of the sources of edges, checks of the edges that they yield, and reading ahead on a thread."""

from __future__ import annotations

import itertools
import os
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, GraphError, GraphTypeError, first_true, shown
from boruvka.formats.edge_file import EdgeBatch, EdgeFacts, NamedEdgeBatch
from boruvka.formats.name_columns import name_column
from boruvka.graph.numbering import name_columns
from boruvka.graph.validation import check_equal_sizes, check_no_nan, edge_weights, vertex_ids
from boruvka.runtime.arguments import hint

Item = TypeVar("Item")
END = object()
"""Sentinel after the last item that is read ahead."""


class EdgeSource(EdgeFacts, ABC):
    """Edges in chunks, numbered from 0. The edges of all chunks in order are the edges of the graph.

    Attributes
    ----------
    name : str
        Its name, for messages.
    chunks : int
        Number of chunks, each of which can be read alone, several at once.
    n : int or None
        Number of vertices, if it is stated; otherwise it is one more than the largest id.
    m : int or None
        Number of edges, if it is stated.
    size : int
        Bytes, for progress; 0 if unknown.
    rows_at_once : int
        The most edges that `read` gives at once.
    bytes_at_once : int
        Bytes that `read` holds beside them.
    first_id : int
        The id of the first vertex in the source; edges that are read count from 0.
    weight_type : dtype or None
        Type of the weights where there is no edge, if it is stated.
    is_sequential : bool
        Whether a pass that is resumed has to read everything again.
    ids_are_stated : bool
        Whether it is stated where ids begin, or how many vertices there are.
    """

    name: str
    chunks: int = 1
    n: int | None = None
    m: int | None = None
    size: int = 0
    rows_at_once: int
    bytes_at_once: int = 0
    first_id: int = 0
    weight_type: np.dtype[Any] | None = None
    is_sequential: bool = False
    ids_are_stated: bool = True

    @property
    def readers(self) -> int:
        """The most chunks that are to be read at once."""
        return self.chunks

    @abstractmethod
    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read a chunk; its edges are checked."""

    def read_all(self) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read all chunks in order."""
        return itertools.chain.from_iterable(map(self.read, range(self.chunks)))

    def identity(self) -> str | None:
        """Return a string that identifies the source and its state (name, size, time), None without one."""
        return None

    def bounds(self, chunk: int) -> tuple[int, Any, Any] | None:
        """Return number, smallest and largest weight of the edges of a chunk, if known without reading it."""
        return None

    def dtype(self, chunk: int) -> np.dtype[Any]:
        """Return the type of the weights of a chunk that has bounds."""
        raise NotImplementedError

    def check_count(self, m: int) -> None:
        """Raise an error if the source holds m edges, but announces others."""
        if self.m is not None and self.m != m:
            raise FormatError(f"{self.name}: announces {self.m} edges, but holds {m}")

    def close(self) -> None:  # most sources have nothing to stop
        """Stop background reading; the source is not read any further."""


class ReadAhead(Generic[Item]):
    """Iterator whose next items are computed on other threads while one is in use.

    An error of a thread is raised where its item would be given.

    Parameters
    ----------
    items : iterators
        The work of each thread; items of several threads come in the order in which they are made.
    most : int
        Number of items that are computed ahead.
    """

    def __init__(self, *items: Iterator[Item], most: int = 2):
        self._made: queue.Queue[Any] = queue.Queue()
        self._room = threading.Semaphore(most)
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._run, args=(own,), name="boruvka input", daemon=True)
            for own in items
        ]
        for thread in self._threads:
            thread.start()

    def __iter__(self) -> Iterator[Item]:
        running = len(self._threads)
        while running:
            item = self._made.get()
            if isinstance(item, BaseException):
                raise item
            if item is END:
                running -= 1
            else:
                self._room.release()
                yield item

    def close(self) -> None:
        """Stop the threads and end the iteration; a thread that is blocked on input stops when it arrives."""
        self._stopped = True
        for _ in self._threads:
            self._room.release()
            self._made.put(END)

    def wait(self) -> None:
        """Wait for the end of all threads."""
        for thread in self._threads:
            thread.join()

    def _run(self, items: Iterator[Item]) -> None:
        last: Any = END
        try:
            while self._room.acquire() and not self._stopped:
                item = next(items, END)
                if item is END:
                    break
                self._made.put(item)
        except BaseException as error:
            last = error
        self._made.put(last)


def state_of_files(paths: list[str]) -> str:
    """Return names, sizes and times of files."""
    states = [(os.path.abspath(path), os.stat(path)) for path in paths]
    return repr([(path, state.st_size, state.st_mtime_ns) for path, state in states])


def checked_batch(
    where: str, edges: EdgeBatch | NamedEdgeBatch, n: int | None, size: int
) -> EdgeBatch | NamedEdgeBatch:
    """Check edges that were read.

    Parameters
    ----------
    where : str
        The position of the edges in the source, for errors.
    edges : EdgeBatch or NamedEdgeBatch
        The edges; ``first_id`` is the id of the first vertex in the source, for errors.
    n : int or None
        Number of vertices, if it is stated.
    size : int
        Bytes of the source that the edges took.

    Returns
    -------
    EdgeBatch or NamedEdgeBatch
        The edges with their largest end, or with the position in the source.

    Raises
    ------
    FormatError
        They are not the edges of a graph.
    """
    try:
        w = edge_weights(edges.w)
        if w.dtype.itemsize > 8:
            raise GraphTypeError(f"weights of streamed edges have at most 64 bits, not {w.dtype}")
        if isinstance(edges, NamedEdgeBatch):
            return _checked_names(edges, w)._replace(where=where, size=size)
        return _checked_numbers(edges, w, n)._replace(size=size)
    except (GraphError, GraphTypeError) as error:
        raise FormatError(f"{where}: {error}") from None


def _checked_numbers(edges: EdgeBatch, w: NDArray[Any], n: int | None) -> EdgeBatch:
    """Return edges with ids of one type, and with their largest end."""
    first_id = edges.first_id or 0
    (u, largest_u), (v, largest_v) = vertex_ids("u", edges.u), vertex_ids("v", edges.v)
    check_equal_sizes(u, v, w)
    if first_id and w.dtype.kind == "f" and w.size and np.isnan(w.min()):
        raise GraphError(f"edge {np.argmax(np.isnan(w))} has the weight NaN")
    check_no_nan(u, v, w)
    largest = max(largest_u, largest_v)
    if n is not None and largest >= n:
        raise GraphError(
            f"{largest + first_id} is not a vertex: the graph has n = {n} vertices, from {first_id}"
        )
    if n is None and largest >= 2**32:
        passed = hint("; {names} numbers only the ids that occur", names=True)
        raise GraphError(
            f"the vertex {largest} needs more than 32 bits, so memory for all vertices up to it{passed}"
        )
    ids = np.uint32 if largest < 2**32 else np.uint64
    return edges._replace(u=u.astype(ids, copy=False), v=v.astype(ids, copy=False), w=w, largest=largest)


def _checked_names(edges: NamedEdgeBatch, w: NDArray[Any]) -> NamedEdgeBatch:
    """Return edges whose ends are columns of polars."""
    u, v = edges.u, edges.v
    if edges.names is not None:
        names = name_column(edges.names)
        u, v = names.gather(u), names.gather(v)
    columns = name_columns(u, v)
    if columns is None:
        raise GraphTypeError("names of vertices in a stream are all strings, or all integers of 64 bits")
    u, v = columns
    if w.size != len(u):
        raise GraphError(f"u, v and w must have one entry per edge, but w has {w.size} for {len(u)}")
    if (i := first_true(w != w)) is not None:
        raise GraphError(f"edge {i} ({shown(u[i])}, {shown(v[i])}) has the weight NaN")
    return edges._replace(u=u, v=v, w=w, names=None)
