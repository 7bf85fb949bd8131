"""Numbering of the vertex names of streamed edges: memory holds 128 bits per name, not its characters.

The characters are in a file: `StoredNames` writes them once in batches, and reads them again a batch at a
time.

A string is identified by two 64-bit hashes, an integer by its value. Two strings with the same 128 bits would
be taken for one: among 10**9 names there are two with a probability of 10**-20. The seeds of the hashes are
random, so that no file can be made to have such names.

Names get provisional numbers as they arrive. `Numbering.finish` replaces them by the numbers that
`boruvka.graph.numbering` gives in memory: in the order in which names first appear as u, then as v.
"""

from __future__ import annotations

import io
import os
import secrets
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FileError, FormatError
from boruvka.formats.edge_file import EdgeBatch, NamedEdgeBatch
from boruvka.formats.name_columns import INTEGERS, integers_in
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.operators.counter_rng import mix
from boruvka.operators.sort_keys import U64
from boruvka.runtime.libraries import pl
from boruvka.runtime.output_files import file_errors, writing

MAGIC = b"boruvka names 1\n"
"""The first bytes of a file that has a path."""

BATCH_NAMES, BATCH_BYTES = 1 << 16, 1 << 22
"""A batch is written when it has this many names or this many bytes."""
BYTES_IN_MEMORY = 1 << 22
"""Names without a path move to a temporary file at this many bytes."""
BYTES_OF_NAME = 64
"""Bytes of a name as an object in memory, in addition to its characters."""


class StoredNames:
    """Names in the order in which they were appended: strings, or integers of 64 bits.

    Parameters
    ----------
    path : str, optional
        A new file, which remains for `resume`; by default many names are held in a temporary file.

    Attributes
    ----------
    dtype : polars.DataType or None
        The type of the names; None before there is one.
    order : (n,) array or None
        The position of the name of each vertex; None if it is the number of the vertex.
    check_room : callable
        Called with the bytes that all names will take in memory, before they are loaded.
    """

    def __init__(self, path: str | None = None):
        import hashlib

        self.dtype: Any = None
        self.order: NDArray[Any] | None = None
        self.check_room: Callable[[int], object] = lambda size: None
        self._lock, self._path = threading.Lock(), path
        self._counts, self._ends = [0], [0 if path is None else len(MAGIC)]
        self._waiting: list[pl.Series] = []
        self._count = self._waiting_bytes = self._bytes = 0
        self._digest = hashlib.sha256()

    @cached_property
    def _file(self) -> Any:
        """The file, which is closed with this object."""
        import tempfile

        if self._path is None:
            file: Any = tempfile.SpooledTemporaryFile(BYTES_IN_MEMORY)  # noqa: SIM115
        else:
            if os.path.lexists(self._path):
                raise FileError(f"{self._path}: there is another file of this name")
            with writing(self._path) as new:
                new.write(MAGIC)
            file = _open_to_change(self._path)
        weakref.finalize(self, file.close)
        return file

    def __len__(self) -> int:
        return self._count

    def append(self, names: pl.Series) -> None:
        """Append names, of the same type as all others.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        if not len(names):
            return
        self.dtype = names.dtype
        self._waiting.append(copied(names))
        self._count += len(names)
        self._waiting_bytes += int(names.estimated_size())
        if self._count - self._counts[-1] >= BATCH_NAMES or self._waiting_bytes >= BATCH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write pending names to the file."""
        if not self._waiting:
            return
        batch: pl.Series = pl.concat(self._waiting)
        self._waiting, self._waiting_bytes = [], 0
        encoded = io.BytesIO()
        batch.alias("names").to_frame().write_ipc(encoded, compression="lz4")
        with self._file_errors(), self._lock:
            self._file.seek(self._ends[-1])
            self._file.write(encoded.getbuffer())
            self._file.flush()
        self._digest.update(encoded.getbuffer())
        self._counts.append(self._count)
        self._ends.append(self._ends[-1] + encoded.tell())
        self._bytes += int(batch.estimated_size())

    def to_checkpoint(self) -> dict[str, NDArray[Any]]:
        """Write all names to the file, and to the disk; return what `resume` needs."""
        self.flush()
        with self._file_errors():
            os.fsync(self._file.fileno())
        digest = np.frombuffer(self._digest.digest(), np.uint8)
        return {"counts": np.array(self._counts), "ends": np.array(self._ends), "digest": digest}

    def resume(self, saved: dict[str, NDArray[Any]]) -> bool:
        """Restore the names that the file had at a checkpoint; return whether they are undamaged."""
        assert self._path is not None
        self._counts, self._ends = saved["counts"].tolist(), saved["ends"].tolist()
        self._count = self._counts[-1]
        with self._file_errors():
            self._file = _open_to_change(self._path)
            weakref.finalize(self, self._file.close)
            if self._bytes_between(0, len(MAGIC)) != MAGIC:
                return False
            for begin, end in zip(self._ends, self._ends[1:], strict=False):
                self._digest.update(self._bytes_between(begin, end))
            if self._digest.digest() != saved["digest"].tobytes():
                return False
            self._file.truncate(self._ends[-1])
        for batch in self._stored_batches():
            self.dtype = batch.dtype
            self._bytes += int(batch.estimated_size())
        return True

    def read_as_integers(self) -> None:
        """From now on return names as integers, if each is written as Python writes a 64-bit integer."""
        self.flush()
        if self.dtype is None:
            self.dtype = pl.Int64()
        if self.dtype != pl.String:
            return
        for name in INTEGERS:
            dtype = getattr(pl, name)
            if all(integers_in(batch, dtype) is not None for batch in self._stored_batches()):
                self.dtype = dtype
                return

    def batches(self) -> Iterator[pl.Series]:
        """Return all names in the order in which they were appended, a batch at a time."""
        self.flush()
        for batch in self._stored_batches():
            yield batch if batch.dtype == self.dtype else batch.cast(self.dtype)

    def gather(self, vertices: Any) -> pl.Series:
        """Return the names of vertices; every batch that has one of them is read."""
        self.flush()
        vertices = np.asarray(vertices)
        places = vertices if self.order is None else self.order[vertices]
        wanted, index = np.unique(places, return_inverse=True)
        found, begin = [pl.Series([], dtype=self.dtype or pl.String)], 0
        for k, end in enumerate(np.searchsorted(wanted, self._counts[1:]).tolist()):
            if end > begin:
                batch = self._batch(k)
                found.append(copied(batch.gather(wanted[begin:end] - self._counts[k])))
                begin = end
        names: pl.Series = pl.concat(found[1:] or found)
        return names.cast(self.dtype or pl.String).gather(index.ravel())

    def column(self) -> pl.Series:
        """Return the names of all vertices; an error if they do not fit in memory."""
        self.check_room(self._bytes + self._count * BYTES_OF_NAME)
        names: pl.Series = pl.concat([pl.Series([], dtype=self.dtype or pl.String), *self.batches()])
        return names if self.order is None else names.gather(self.order)

    def to_numpy(self) -> NDArray[Any]:
        """Return the names of all vertices as `Graph.names` holds them."""
        return self.column().to_numpy()

    def tolist(self) -> list[Any]:
        """Return the names of all vertices."""
        return self.column().to_list()

    def _stored_batches(self) -> Iterator[pl.Series]:
        return (self._batch(k) for k in range(len(self._counts) - 1))

    def _batch(self, k: int) -> pl.Series:
        with self._lock:
            encoded = self._bytes_between(self._ends[k], self._ends[k + 1])
        return pl.read_ipc(io.BytesIO(encoded))["names"]

    def _bytes_between(self, begin: int, end: int) -> bytes:
        self._file.seek(begin)
        return self._file.read(end - begin)

    def _file_errors(self) -> AbstractContextManager[None]:
        import tempfile

        return file_errors(f"{self._path or tempfile.gettempdir()}: names of vertices cannot be written")


def _open_to_change(path: str) -> Any:
    """Open a file that is there, and no link to another."""
    return open(os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)), "r+b")


def copied(names: pl.Series) -> pl.Series:
    """Copy strings: a column that polars gathers shares strings with the whole column, and keeps it alive."""
    return names + "" if names.dtype == pl.String else names


AS_V = 1 << 63
"""Added to the ordinal of a name in v: it comes after all ordinals in u."""
FIRST_SLOTS = 1 << 10
WORDS = 3
"""Words of a record of the table: the hashes of a name, and where it first appears."""
AHEAD, FAR_AHEAD = U64(8), U64(16)
"""Number of names by which records and their slots are fetched into the cache ahead."""


class Numbering:
    """Thread-safe mapping from vertex names to numbers.

    Parameters
    ----------
    path : str, optional
        A file for the names, as for `StoredNames`.
    """

    def __init__(self, path: str | None = None):
        self.names = StoredNames(path)
        self._lock = threading.Lock()
        self._seeds = secrets.randbits(63), secrets.randbits(63)
        self._count = 0
        self._slots = np.zeros(FIRST_SLOTS, np.uint32)
        self._records = np.empty(0, np.uint64)

    def __len__(self) -> int:
        return self._count

    def number(self, rows: NamedEdgeBatch, ordinal: int) -> EdgeBatch:
        """Replace names by their provisional numbers.

        Parameters
        ----------
        rows : NamedEdgeBatch
            The edges.
        ordinal : int
            The ordinal of the first edge: it grows with chunk and row, and is below 2**63.

        Raises
        ------
        FormatError
            The names are of another type than those before.
        """
        with self._lock:
            u = self._number(self._of_one_type(rows.where, rows.u), ordinal)
            v = self._number(self._of_one_type(rows.where, rows.v), ordinal | AS_V)
            largest = self._count - 1 if len(u) else -1
        return EdgeBatch(u, v, rows.w, row_counts=rows.row_counts, largest=largest, size=rows.size)

    def finish(self) -> NDArray[Any]:
        """Return the final number of each provisional number, and free the table."""
        first = self._records[WORDS - 1 : WORDS * self._count : WORDS].copy()
        self._slots, self._records = np.empty(0, np.uint32), np.empty(0, np.uint64)
        order = np.argsort(first).astype(np.uint32)
        del first
        numbers = np.empty_like(order)
        numbers[order] = np.arange(order.size, dtype=np.uint32)
        self.names.order = order
        return numbers

    def to_checkpoint(self) -> dict[str, NDArray[Any]]:
        """Return what `resume` needs, beside the file of the names."""
        with self._lock:
            first = self._records[WORDS - 1 : WORDS * self._count : WORDS].copy()
            return {"first": first, **self.names.to_checkpoint()}

    def resume(self, saved: dict[str, NDArray[Any]]) -> bool:
        """Go on from a checkpoint; return whether the file of the names is undamaged."""
        if not self.names.resume(saved):
            return False
        for names in self.names.batches():
            self._number(names, 0, store=False)
        self._records[WORDS - 1 : WORDS * self._count : WORDS] = saved["first"]
        return True

    def _of_one_type(self, where: str, column: pl.Series) -> pl.Series:
        """Convert integers to the type of those before."""
        dtype = self.names.dtype
        if dtype is None or column.dtype == dtype or not len(column):
            return column
        if pl.String not in (dtype, column.dtype):
            converted = column.cast(dtype, strict=False)
            if not converted.null_count():
                return converted
        raise FormatError(f"{where}: names are {column.dtype}, but those before are {dtype}")

    def _number(self, column: pl.Series, ordinal: int, store: bool = True) -> NDArray[Any]:
        numbers, new = np.empty(len(column), np.uint32), np.empty(len(column), np.uint32)
        if column.dtype == pl.String:
            keys, checks = (column.hash(seed).to_numpy() for seed in self._seeds)
        else:
            keys = checks = column.to_numpy().view(np.uint64)
        before = self._count
        self._make_room(before + len(column))
        self._count = int(
            _number(keys, checks, U64(ordinal), self._slots, self._records, U64(before), numbers, new)
        )
        if store:
            self.names.append(column.gather(new[: self._count - before]))
        return numbers

    def _make_room(self, count: int) -> None:
        if count * WORDS > self._records.size:
            self._records.resize((count + count // 8 + 1) * WORDS, refcheck=False)  # in place where it can be
        if count * 2 > self._slots.size:
            size = self._slots.size
            while count * 2 > size:
                size *= 2
            self._slots = np.empty(0, np.uint32)  # its memory is needed
            self._slots = np.zeros(size, np.uint32)
            _fill(self._slots, self._records, U64(self._count))


@kernel
def _number(keys, checks, ordinal, slots, records, count, numbers, new):
    """Number names by their hashes, and list the positions of new ones; return how many there are then.

    The table has open addressing. A slot is one more than a number; 0 means free. A record has the least
    ordinal of its name.
    """
    mask, size, before = U64(slots.size) - U64(1), U64(keys.size), count
    for k in range(size):
        if k + FAR_AHEAD < size:
            prefetch(slots, mix(keys[k + FAR_AHEAD]) & mask)
        if k + AHEAD < size:
            near = U64(slots[mix(keys[k + AHEAD]) & mask])
            prefetch(records, (near - U64(near > U64(0))) * U64(3))
        slot = mix(keys[k]) & mask
        while True:
            number = U64(slots[slot])
            record = (number - U64(1)) * U64(3)
            if not number or (records[record] == keys[k] and records[record + U64(1)] == checks[k]):
                break
            slot = (slot + U64(1)) & mask
        if not number:
            record = count * U64(3)
            records[record] = keys[k]
            records[record + U64(1)] = checks[k]
            records[record + U64(2)] = ordinal + k
            new[count - before] = k
            count += U64(1)
            number = count
            slots[slot] = number
        records[record + U64(2)] = min(records[record + U64(2)], ordinal + k)
        numbers[k] = number - U64(1)
    return count


@kernel
def _fill(slots, records, count):
    """Enter all records into a table that is free."""
    mask = U64(slots.size) - U64(1)
    for k in range(count):
        slot = mix(records[U64(k) * U64(3)]) & mask
        while slots[slot]:
            slot = (slot + U64(1)) & mask
        slots[slot] = U64(k) + U64(1)
