"""Numbering of the vertex names of streamed edges: memory holds 128 bits per name, not its characters.

A string is identified by two 64-bit hashes, an integer by its value. Two strings with the same 128 bits would
be taken for one: among 10**9 names there are two with a probability of 10**-20. The seeds of the hashes are
random, so that no file can be made to have such names.

Names get provisional numbers as they arrive. `Numbering.finish` replaces them by the numbers that
`boruvka.graph.numbering` gives in memory: in the order in which names first appear as u, then as v.
"""

from __future__ import annotations

import secrets
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.edge_file import EdgeBatch, NamedEdgeBatch
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.operators.counter_rng import mix
from boruvka.operators.sort_keys import U64
from boruvka.runtime.libraries import pl
from boruvka.stream.stored_names import StoredNames

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
