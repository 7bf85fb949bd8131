"""Count the processors, the memory and the addresses that this process may use."""

from __future__ import annotations

import functools
import math
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from boruvka.errors import FileError
from boruvka.runtime.arguments import integer

UNLIMITED = 2**63
"""Number of bytes that stands for memory without a known limit."""
_MEMORY_FILES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)
"""Files of control groups of version 2 and 1: the limit of memory, the usage; and a field of memory.stat."""
_ALWAYS_THERE = 1 << 24
"""Bytes of memory for which it is not checked whether they are free."""
_ADDRESSES_OF_POLARS, _ADDRESSES_OF_THREAD = 200 << 20, 8 << 20
"""Bytes of addresses that polars with one arena takes when it is first used, and for each of its threads.

Measured: 181 to 205 MiB with 2 threads, 365 to 443 MiB with 32.
"""


def processors() -> int:
    """Count the processors that this process may use: those it may run on, within a container's quota."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, quota())


@functools.cache
def quota(system: Path = Path("/")) -> int:
    """Return the limit of processor time, in processors, of the control groups of this process and above.

    Source: the Linux kernel's documentation, ``cpu.max`` (version 2) and ``cpu.cfs_quota_us`` (version 1).
    """
    found = [2.0**31, *(quota for folder in _control_groups("cpu", system) for quota in _quota_of(folder))]
    return max(1, math.ceil(min(found)))


@functools.cache
def _control_groups(controller: str, system: Path) -> list[Path]:
    """Return the folders of the control groups of this process and above, which may limit what it gets."""
    found = set[Path]()
    with suppress(OSError, ValueError):
        for line in (system / "proc/self/cgroup").read_text().splitlines():
            number, controllers, group = line.split(":", 2)
            if number == "0" or controller in controllers.split(","):
                root = system / "sys/fs/cgroup" / ("" if number == "0" else controller)
                # In a container the path may be the path on the host, and its own group is the root.
                found |= {root, *(root / group.lstrip("/") / "x").parents}
    return list(found)


def _quota_of(folder: Path) -> list[float]:
    with suppress(OSError, ValueError):
        limit, period = (folder / "cpu.max").read_text().split()
        return [int(limit) / int(period)]
    with suppress(OSError, ValueError):
        limit, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        return [int(limit) / int(period)] if int(limit) > 0 else []
    return []


def thread_count(threads: int | None) -> int:
    """Check a number of threads; None means one for each processor."""
    return processors() if threads is None else integer("threads", threads, 1, 1024)


def memory_size(system: Path = Path("/")) -> int:
    """Return the bytes of memory that this process may have, or a very large number where that is unknown.

    It is the memory of the machine, or what control groups or a limit of addresses (``ulimit -v``) leave.
    """
    size = _address_limit()
    with suppress(AttributeError, ValueError, OSError):
        size = min(size, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return min([size, *(limit for limit, _ in _memory_of_groups(system))])


def free_memory(system: Path = Path("/")) -> int:
    """Return the bytes of memory that this process can still take; a very large number if that is unknown."""
    free = min([UNLIMITED, *(max(limit - used, 0) for limit, used in _memory_of_groups(system))])
    with suppress(OSError, ValueError, StopIteration), open("/proc/meminfo", encoding="ascii") as file:
        free = min(
            free, 1024 * int(next(line for line in file if line.startswith("MemAvailable")).split()[1])
        )
    return min(free, free_addresses())


def _memory_of_groups(system: Path) -> Iterator[tuple[int, int]]:
    """Yield the limit of memory of each control group that has one, and how much of it is in use.

    Source: the Linux kernel's documentation of control groups, versions 2 and 1. Pages of files that were not
    used for a while are not counted as in use: the kernel takes them before it refuses memory.
    """
    for folder in _control_groups("memory", system):
        for limit, usage, inactive in _MEMORY_FILES:
            with suppress(OSError, ValueError):  # without a limit the text is "max"
                size, used = int((folder / limit).read_text()), 0
                with suppress(OSError, ValueError):
                    used = int((folder / usage).read_text())
                    rows = map(str.split, (folder / "memory.stat").read_text().splitlines())
                    used -= sum(int(value) for name, value in rows if name == inactive)
                yield size, used


def _address_limit() -> int:
    with suppress(ImportError, OSError, ValueError):
        import resource

        if (limit := resource.getrlimit(resource.RLIMIT_AS)[0]) != resource.RLIM_INFINITY:
            return limit
    return UNLIMITED


def free_addresses() -> int:
    """Return the bytes that a limit of addresses (``ulimit -v``) leaves; a very large number without one.

    Files that are mapped into memory take addresses, too, although they take no memory.
    """
    if (limit := _address_limit()) < UNLIMITED:
        with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
            return max(limit - int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE"), 0)
    return UNLIMITED


def advice_on_addresses() -> str:
    """Return what to do where memory is short and addresses are limited; no text without a limit of them."""
    if (limit := _address_limit()) == UNLIMITED:
        return ""
    return (
        f"; a limit of addresses (ulimit -v) allows {limit >> 20}M, which threads and files take, too: raise "
        "the limit"
    )


def check_addresses(name: str, size: int) -> None:
    """Raise a `FileError` where a file of this size cannot be mapped, as addresses are limited."""
    if size > (free := free_addresses()):
        raise FileError(
            f"{name}: a limit of addresses (ulimit -v) leaves {free / 2**30:,.1f}G, and to read the file "
            f"takes {size / 2**30:,.1f}G of them: raise the limit"
        )


def check_addresses_of_polars() -> None:
    """Raise a `FileError` where polars is not imported yet, and a limit leaves too few addresses for it.

    If it is installed, it ends the process where it cannot start its threads.
    """
    size = _ADDRESSES_OF_POLARS + processors() * _ADDRESSES_OF_THREAD
    if "polars" in sys.modules or find_spec("polars") is None:
        return
    if size > (free := free_addresses()):
        raise FileError(
            f"a limit of addresses (ulimit -v) leaves {free >> 20}M, and polars, which reads and writes "
            f"tables, takes {size >> 20}M of them: raise the limit"
        )


def check_room(name: str, size: int) -> None:
    """Raise a `FileError` where a file needs more bytes of memory than are free.

    Some libraries end the process where they get no memory, so this is checked before.
    """
    if size > _ALWAYS_THERE and size > (free := free_memory()):
        raise FileError(
            f"{name}: {size / 2**30:,.1f}G of memory or more are needed, {free / 2**30:,.1f}G are free"
        )
