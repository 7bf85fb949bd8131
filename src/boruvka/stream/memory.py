"""How much memory there is, and how many edges may wait in it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

from boruvka.errors import FileError, OptionError
from boruvka.runtime.argument_names import argument
from boruvka.runtime.processors import memory_size

__all__ = [
    "available_memory",
    "check_room_for_names",
    "check_room_to_verify",
    "edges_that_may_wait",
    "parse_memory",
    "used_memory",
]

BYTES_OF_VERTEX = 80
"""Bytes a vertex of the forest, its guard, and what is needed to make them."""
BYTES_OF_EDGE = 40
"""Bytes of an edge that waits: itself, its copy in the order of indices, and what the solver needs."""
BYTES_OF_ROW = 32
"""Bytes of an edge that was just read: as it is decoded, as it is checked, and as it waits for the forest."""
BYTES_OF_NAME = 48
"""Bytes of a vertex that has a name: hashes, where it first appears, and slots of their table."""
BYTES_OF_NAMES_OF_ROW = 120
"""Bytes of the names of both ends of an edge that was just read, and of their hashes."""
BYTES_TO_VERIFY = 80
"""Bytes a vertex of what verification makes of a forest, beside the forest."""
SPARE = 40 << 20
"""Bytes of smaller things."""
SPARE_OF_NAMES = 200 << 20
"""Bytes that polars and its threads take where strings are read, gathered and written."""
MOST_PER_VERTEX, FEWEST_PER_VERTEX = 3.0, 0.5
"""Edges a vertex that wait at most, and at least."""
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
    match = re.fullmatch(r"\s*(\d+(?:\.\d*)?)\s*([kmgt]?)(i?b)?\s*", str(memory).lower())
    if isinstance(memory, str) and match and (amount := int(float(match[1]) * 2 ** UNITS[match[2]])):
        return amount
    raise OptionError(f"{argument('memory')} must be an amount such as 2G or 800M, got {memory!r}")


def used_memory() -> int:
    """Return the bytes of memory that this process uses; 0 where the system does not tell."""
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def available_memory() -> int:
    """Return the bytes of memory that this process can have altogether: what it uses and what is free."""
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


def edges_that_may_wait(
    memory: int, used: int, n: int, rows_at_once: int, name: str, has_names: bool = False
) -> int:
    """Return how many edges may wait beside a forest of n vertices.

    Parameters
    ----------
    memory, used : int
        Bytes for this process altogether, and those that it used before.
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
    FileError
        The memory is too small for the vertices.
    """
    fixed = _fixed(used, n * BYTES_OF_VERTEX, n, rows_at_once, has_names)
    waiting = (memory - fixed) // BYTES_OF_EDGE
    fewest = int(FEWEST_PER_VERTEX * n)
    if waiting < fewest or waiting < 1:
        needed = fixed + (fewest + 1) * BYTES_OF_EDGE
        raise FileError(
            f"{name}: a forest of {n:,} vertices needs about {_shown(needed)} of memory, more than "
            f"{_shown(memory)}: pass at least {argument('memory', _shown(needed))}"
        )
    return min(waiting, max(int(MOST_PER_VERTEX * n), 1 << 16))


def check_room_to_verify(
    memory: int, used: int, n: int, rows_at_once: int, name: str, has_names: bool
) -> None:
    """Raise a `FileError` where a forest of n vertices, which is in memory, cannot be prepared for a check.

    Parameters are those of `edges_that_may_wait`.
    """
    needed = _fixed(used, n * BYTES_TO_VERIFY, n, rows_at_once, has_names)
    if needed > memory:
        raise FileError(
            f"{name}: the check of a forest of {n:,} vertices needs about {_shown(needed)} of memory, more "
            f"than {_shown(memory)}: pass at least {argument('memory', _shown(needed))}"
        )


def _fixed(used: int, of_vertices: int, n: int, rows_at_once: int, has_names: bool) -> int:
    """Add up the bytes that do not depend on how many edges wait."""
    fixed = used + SPARE + of_vertices + rows_at_once * BYTES_OF_ROW
    if has_names:
        fixed += SPARE_OF_NAMES + n * BYTES_OF_NAME + rows_at_once * BYTES_OF_NAMES_OF_ROW
    return fixed


def check_room_for_names(memory: int, n: int, size: int, name: str) -> None:
    """Raise a `FileError` where n names, of so many bytes as objects, do not fit the memory.

    Parameters
    ----------
    memory : int
        Bytes for this process altogether.
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


def _shown(size: int) -> str:
    return f"{size / 2**30 + 0.05:.1f}G" if size >= 2**30 else f"{-(-size >> 20)}M"
