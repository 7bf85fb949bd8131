"""Available memory, the choice to stream a file that does not fit it, and the budget of a streamed solve."""

from __future__ import annotations

import ctypes
import gc
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boruvka.backends.memory_pool import release_memory
from boruvka.errors import FileError, OptionError, shown
from boruvka.formats.binary.parquet import parquet_files
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile, is_stream
from boruvka.formats.registry import OF_FOLDERS, format_to_read
from boruvka.runtime import processors
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import pl, reading_errors, require

if TYPE_CHECKING:
    from boruvka.stream.sources.source import EdgeSource

SHARE = 0.75
"""Share of the available memory that is used if no amount is given."""
BYTES_OF_VERTEX = 80
"""Bytes a vertex of the forest, its filter, and what is needed to make them."""
BYTES_OF_EDGE = 40
"""Bytes of a pending edge: itself, its copy in the order of indices, and the arrays of the solver."""
BYTES_OF_ROW = 32
"""Bytes of an edge that was just read: as it is decoded, as it is checked, and as it waits for the forest."""
BYTES_OF_NAME = 48
"""Bytes of a vertex that has a name: hashes, where it first appears, and slots of their table."""
BYTES_TO_VERIFY = 56
"""Bytes per vertex that verification needs besides the forest: 43 measured for 2**22 vertices; 58 for 2**20,
fixed costs included."""
SPARE = 40 << 20
"""Bytes for small allocations, in total."""
SPARE_OF_NAMES = 20 << 20
"""Bytes of copies of names, and those that polars and its threads take where strings are read, gathered and
written."""
UNCERTAIN, UNCERTAIN_WITH_NAMES = 16 << 20, 32 << 20
"""Variation, in bytes, of the memory of a process between runs: compressed text may be read ahead already
when memory is measured, and polars keeps some. 11 MB were measured for compressed text on a busy machine."""
BYTES_OF_READ_EDGE = 40
"""Bytes that an edge takes in memory while it is read and solved."""
BYTES_OF_TEXT = 2.5
"""Bytes of memory for a byte of text while it is read and solved; an edge takes at least 16 bytes of text."""
EXPANSION = 6
"""Assumed compression ratio of text."""
LIBRARIES = 512 << 20
"""Bytes of addresses that libraries and their threads take beside the graph, where addresses are limited."""
MOST_PER_VERTEX, FEWEST_PER_VERTEX = 3.0, 0.5
"""Maximum and minimum number of pending edges per vertex."""
ARENA_MAX = -8
"""The option of the C library for how many heaps threads have."""
LARGEST = 2**63
"""No amount is as large as this; it is the amount where a limit is unknown."""
UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


def parse_memory(memory: Any) -> int | None:
    """Read an amount of memory: bytes, or a text such as "2G", "1.5GiB" or "800 MB"; None stays None.

    Raises
    ------
    OptionError
        It is not an amount.
    """
    if memory is None:
        return None
    if isinstance(memory, int) and not isinstance(memory, bool) and 0 < memory < LARGEST:
        return memory
    text = memory.lower() if isinstance(memory, str) else ""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([kmgt]?)(i?b)?\s*", text)
    if match and 1 <= (amount := float(match[1]) * 2 ** UNITS[match[2]]) < LARGEST:
        return int(amount)
    raise OptionError(f"{argument('memory')} must be an amount such as 2G or 800M, got {shown(memory)}")


def free_memory_at_once() -> None:
    """Let polars and Arrow, if they are not imported yet, give memory back to the system when it is free.

    By themselves they keep some 80 MB for later. Settings of the user come first.
    """
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0,narenas:1")
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    with suppress(AttributeError, OSError, TypeError):  # other C libraries have no such function
        ctypes.CDLL(None).mallopt(ARENA_MAX, 1)


def used_memory() -> int:
    """Return the bytes of memory that this process uses; 0 where the system does not tell."""
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def available_memory() -> int:
    """Return the bytes of memory that this process can have: those that it uses and those that are free."""
    return min(processors.memory_size(), used_memory() + processors.free_memory())


def names_several_files(path: Any) -> bool:
    """Return whether a path is a folder of Parquet files, or a pattern."""
    return not is_stream(path) and parquet_files(os.fsdecode(path)) is not None


def is_larger_than_memory(path: Any, format: str | None) -> bool:
    """Return whether the graph in a file does not fit the memory that is free, as far as its size tells.

    Formats that cannot be read in chunks are read whole in any case.
    """
    if is_stream(path) or not os.path.isfile(path):
        return False
    size, free = os.path.getsize(path), available_memory()
    if size < free / 64:
        return False  # whatever the format, and without looking into the file
    source = InputFile(path)
    chosen = format_to_read(source, format, Options() if source.is_plain else None)
    if chosen.name == OF_FOLDERS and source.is_plain:
        processors.check_addresses_of_polars()
        with reading_errors(source.path, "Parquet"):
            needed = pl.scan_parquet(path).select(pl.len()).collect().item() * BYTES_OF_READ_EDGE
        return needed > free or needed + LIBRARIES > processors.free_addresses()
    if not chosen.codec.is_divisible:
        return False
    if not source.is_plain:
        return size * BYTES_OF_TEXT * EXPANSION > free
    needed = size * BYTES_OF_TEXT
    return needed > free or needed + size + LIBRARIES > processors.free_addresses()


class TooLittleMemory(FileError):
    """The memory is too small for the vertices that are known; ``budget`` is the `MemoryBudget`."""

    budget: MemoryBudget


@dataclass(frozen=True)
class MemoryBudget:
    """Division of the memory of a process among vertices, edges and readers.

    Parameters
    ----------
    name : str
        The name of the graph, for errors.
    memory : int
        Total bytes for the process.
    used : int
        Bytes that it used before.
    rows_at_once : int
        The most edges that all readers hold at once.
    of_readers : int
        Bytes that readers hold beside them.
    has_names : bool
        Whether vertices have names.
    """

    name: str
    memory: int
    used: int
    rows_at_once: int
    of_readers: int = 0
    has_names: bool = False

    @classmethod
    def of(cls, source: EdgeSource, memory: int | None, readers: int) -> MemoryBudget:
        """Make the budget for a source, by default a share of the available memory."""
        if source.has_names:
            require("polars", "tables")  # its memory is part of what is used
        if memory is not None:
            gc.collect()  # what an earlier call or its error left; it takes up to some tenths of a second
        release_memory()  # what was collected, too
        if memory is None:
            memory = int(SHARE * available_memory())
        readers = min(readers, source.readers)
        rows, of_readers = 3 * source.rows_at_once * readers, source.bytes_at_once * readers
        return cls(source.name, memory, used_memory(), rows, of_readers, source.has_names)

    def max_pending(self, n: int) -> int:
        """Return the maximum number of pending edges beside a forest of n vertices.

        Raises
        ------
        TooLittleMemory
            The memory is too small for the vertices.
        """
        fixed = self._fixed(n, BYTES_OF_VERTEX)
        needed = fixed + (int(FEWEST_PER_VERTEX * n) + 1) * BYTES_OF_EDGE
        if needed > self.memory:
            refused = TooLittleMemory(self._needs(f"a forest of {n:,} vertices", needed))
            refused.budget = self
            raise refused
        pending = (self.memory - fixed) // BYTES_OF_EDGE
        return min(pending, max(int(MOST_PER_VERTEX * n), 1 << 16))

    def check_room_to_verify(self, n: int) -> None:
        """Raise a `FileError` if a forest of n vertices in memory cannot be prepared for a check."""
        if (needed := self._fixed(n, BYTES_TO_VERIFY)) > self.memory:
            raise FileError(self._needs(f"the check of a forest of {n:,} vertices", needed))

    def check_room_for_names(self, n: int, size: int) -> None:
        """Raise a `FileError` if n names, of so many bytes as objects, do not fit the memory."""
        needed = used_memory() + size
        if needed > self.memory:
            raise FileError(
                f"{self.name}: all {n:,} names of vertices need about {as_text(needed)} of memory, more than "
                f"{as_text(self.memory)}: pass {argument('memory', as_text(needed))}, or write the forest as "
                "csv, tsv, an edge list or Parquet, which take them one after the other"
            )

    def _fixed(self, n: int, bytes_of_vertex: int) -> int:
        """Add up the bytes that do not depend on the number of pending edges."""
        of_names = SPARE_OF_NAMES + n * BYTES_OF_NAME if self.has_names else 0
        of_rows = self.rows_at_once * BYTES_OF_ROW
        return self.used + self.of_readers + SPARE + n * bytes_of_vertex + of_rows + of_names

    def _needs(self, what: str, needed: int) -> str:
        enough = needed + (UNCERTAIN_WITH_NAMES if self.has_names else UNCERTAIN)
        return (
            f"{self.name}: {what} needs about {as_text(needed)} of memory with the {as_text(self.used)} that "
            f"the process uses already, more than {as_text(self.memory)}: pass at least "
            f"{argument('memory', as_text(enough))}{processors.advice_on_addresses()}"
        )


def as_text(size: int) -> str:
    """Write a number of bytes as an amount that `parse_memory` reads, rounded up."""
    return f"{-(-10 * size >> 30) / 10:.1f}G" if size >= 2**30 else f"{-(-size >> 20)}M"
