"""Event counters of the Linux kernel, by perf_event_open.

A counter is opened for every thread of this process; threads that these start later inherit it.
Sources: the manual page perf_event_open(2), and the kernel's header linux/perf_event.h.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

SYSTEM_CALLS = {"x86_64": 298, "aarch64": 241}
USER_ONLY, INHERIT = 1 << 5 | 1 << 6, 1 << 1
"""Flags: count neither kernel nor hypervisor; count new threads."""
ATTRIBUTES = struct.Struct("IIQQQQQIIQ")
"""The first version of struct perf_event_attr: type, size, config, period, sample_type, read_format, flags,
wakeup_events, breakpoint_type, breakpoint_address."""


class Unavailable(Exception):
    """Events cannot be counted on this machine; the message says why."""


class Event(NamedTuple):
    """The name of an event, and its type and number in the kernel's header."""

    name: str
    type: int
    number: int


CACHE_REFERENCES = Event("references of the last-level cache", 0, 2)
CACHE_MISSES = Event("misses of the last-level cache", 0, 3)
PAGE_FAULTS = Event("page faults", 1, 2)


@contextmanager
def counting(event: Event) -> Iterator[Callable[[], int]]:
    """Count an event in all threads, and return a function that reads the count.

    Raises
    ------
    Unavailable
        The system, its settings or the machine do not allow it.
    """
    try:
        threads = [int(name) for name in os.listdir("/proc/self/task")]
    except OSError:
        raise Unavailable(f"{event.name} cannot be counted: this is not Linux") from None
    with ExitStack() as stack:
        files = []
        for thread in threads:
            files.append(_open(event, thread))
            stack.callback(os.close, files[-1])
        yield lambda: sum(int.from_bytes(os.read(file, 8), "little") for file in files)


def _open(event: Event, thread: int) -> int:
    number = SYSTEM_CALLS.get(platform.machine())
    if number is None:
        raise Unavailable(f"{event.name} cannot be counted: no number of the call on {platform.machine()}")
    attributes = ATTRIBUTES.pack(
        event.type, ATTRIBUTES.size, event.number, 0, 0, 0, USER_ONLY | INHERIT, 0, 0, 0
    )
    any_cpu, no_group, no_flags = (ctypes.c_long(value) for value in (-1, -1, 0))
    call = ctypes.CDLL(None, use_errno=True).syscall
    file = call(ctypes.c_long(number), attributes, ctypes.c_long(thread), any_cpu, no_group, no_flags)
    if file < 0:
        reason = os.strerror(ctypes.get_errno())
        raise Unavailable(
            f"{event.name} cannot be counted: the kernel reports {reason!r} (a virtual machine, or "
            "/proc/sys/kernel/perf_event_paranoid forbids it)"
        )
    return file
