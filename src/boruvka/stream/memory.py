"""Memory budget of a streamed solve: available memory and the number of pending edges."""

from __future__ import annotations

import ctypes
import os
import re
from contextlib import suppress
from typing import Any

from boruvka.errors import FileError, OptionError, shown
from boruvka.runtime.arguments import argument
from boruvka.runtime.processors import memory_size

__all__ = [
    "TooLittleMemory",
    "available_memory",
    "check_room_for_names",
    "check_room_to_verify",
    "free_memory_at_once",
    "max_pending_edges",
    "parse_memory",
    "used_memory",
]

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
SPARE_OF_NAMES = 12 << 20
"""Bytes that polars and its threads take where strings are read, gathered and written."""
UNCERTAIN, UNCERTAIN_WITH_NAMES = 8 << 20, 24 << 20
"""Bytes by which what a process uses differs from one run to the next; polars keeps some."""
MOST_PER_VERTEX, FEWEST_PER_VERTEX = 3.0, 0.5
"""Maximum and minimum number of pending edges per vertex."""
ARENA_MAX = -8
"""The option of the C library for how many heaps threads have."""
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
    if isinstance(memory, int) and not isinstance(memory, bool) and memory > 0:
        return memory
    text = memory.lower() if isinstance(memory, str) else ""
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([kmgt]?)(i?b)?\s*", text)
    if match and (amount := int(float(match[1]) * 2 ** UNITS[match[2]])):
        return amount
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
    limit = memory_size()
    with suppress(OSError, ValueError):
        for path in "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes":
            with suppress(FileNotFoundError), open(path, encoding="ascii") as file:
                if (text := file.read().strip()).isdigit():
                    limit = min(limit, int(text))
    with suppress(OSError, ValueError, StopIteration):
        with open("/proc/meminfo", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("MemAvailable"))
        limit = min(limit, used_memory() + 1024 * int(line.split()[1]))
    return limit


class TooLittleMemory(FileError):
    """The memory is too small for the vertices that are known."""


def max_pending_edges(
    memory: int, used: int, of_readers: int, n: int, rows_at_once: int, name: str, has_names: bool = False
) -> int:
    """Return the maximum number of pending edges beside a forest of n vertices.

    Parameters
    ----------
    memory, used, of_readers : int
        Total bytes for this process, those that it used before, and those that readers hold beside rows.
    n : int
        Number of vertices.
    rows_at_once : int
        The most edges that all readers hold at once.
    name : str
        The name of the graph, for errors.
    has_names : bool
        Whether vertices have names.

    Raises
    ------
    TooLittleMemory
        The memory is too small for the vertices.
    """
    fixed = _fixed(used + of_readers, n * BYTES_OF_VERTEX, n, rows_at_once, has_names)
    needed = fixed + (int(FEWEST_PER_VERTEX * n) + 1) * BYTES_OF_EDGE
    if needed > memory:
        raise TooLittleMemory(
            f"{name}: a forest of {n:,} vertices needs about {_shown(needed)} of memory with "
            f"the {_shown(used)} that the process uses already, more than {_shown(memory)}: pass at least "
            f"{argument('memory', _enough(needed, has_names))}"
        )
    pending = (memory - fixed) // BYTES_OF_EDGE
    return min(pending, max(int(MOST_PER_VERTEX * n), 1 << 16))


def check_room_to_verify(
    memory: int, used: int, of_readers: int, n: int, rows_at_once: int, name: str, has_names: bool
) -> None:
    """Raise a `FileError` where a forest of n vertices, which is in memory, cannot be prepared for a check.

    Parameters are those of `max_pending_edges`.
    """
    needed = _fixed(used + of_readers, n * BYTES_TO_VERIFY, n, rows_at_once, has_names)
    if needed > memory:
        raise FileError(
            f"{name}: the check of a forest of {n:,} vertices needs about {_shown(needed)} of memory with "
            f"the {_shown(used)} that the process uses already, more than {_shown(memory)}: pass at least "
            f"{argument('memory', _enough(needed, has_names))}"
        )


def _fixed(used: int, of_vertices: int, n: int, rows_at_once: int, has_names: bool) -> int:
    """Add up the bytes that do not depend on the number of pending edges."""
    fixed = used + SPARE + of_vertices + rows_at_once * BYTES_OF_ROW
    if has_names:
        fixed += SPARE_OF_NAMES + n * BYTES_OF_NAME
    return fixed


def check_room_for_names(memory: int, n: int, size: int, name: str) -> None:
    """Raise a `FileError` where n names, of so many bytes as objects, do not fit the memory.

    Parameters
    ----------
    memory : int
        Total bytes for this process.
    n, size : int
        Number of names, and bytes that they take.
    name : str
        The name of the graph.
    """
    needed = used_memory() + size
    if needed > memory:
        raise FileError(
            f"{name}: all {n:,} names of vertices need about {_shown(needed)} of memory, more than "
            f"{_shown(memory)}: pass {argument('memory', _shown(needed))}, or write the forest as csv, tsv, "
            "an edge list or Parquet, which take them one after the other"
        )


def _enough(needed: int, has_names: bool) -> str:
    return _shown(needed + (UNCERTAIN_WITH_NAMES if has_names else UNCERTAIN))


def _shown(size: int) -> str:
    return f"{size / 2**30 + 0.05:.1f}G" if size >= 2**30 else f"{-(-size >> 20)}M"
