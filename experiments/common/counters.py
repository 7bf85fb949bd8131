"""Events that the kernel counts, from the hardware or its own: Linux alone, by perf_event_open.

A counter is opened for every thread of this process, and inherited by those that these start later.
Sources: the manual page perf_event_open(2), and the kernel's header linux/perf_event.h.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

__all__ = ["CACHE_MISSES", "CACHE_REFERENCES", "PAGE_FAULTS", "Counter", "Event", "Unavailable", "counting"]

SYSTEM_CALLS = {"x86_64": 298, "aarch64": 241}
USER_ONLY, INHERIT = 1 << 5 | 1 << 6, 1 << 1
"""Bits of the attributes: neither kernel nor hypervisor is counted, and new threads are."""


class Unavailable(Exception):
    """Why events cannot be counted here."""


@dataclass(frozen=True)
class Event:
    """What to count: its name, and type and number in the kernel's header."""

    name: str
    type: int
    number: int


CACHE_REFERENCES = Event("references of the last-level cache", 0, 2)
CACHE_MISSES = Event("misses of the last-level cache", 0, 3)
PAGE_FAULTS = Event("page faults", 1, 2)


class _Attributes(ctypes.Structure):
    """The first version of struct perf_event_attr, which every kernel takes."""

    _fields_ = (
        ("type", ctypes.c_uint32),
        ("size", ctypes.c_uint32),
        ("config", ctypes.c_uint64),
        ("period", ctypes.c_uint64),
        ("sample_type", ctypes.c_uint64),
        ("read_format", ctypes.c_uint64),
        ("flags", ctypes.c_uint64),
        ("wakeup_events", ctypes.c_uint32),
        ("breakpoint_type", ctypes.c_uint32),
        ("breakpoint_address", ctypes.c_uint64),
    )


class Counter:
    """An event, counted on every thread since it was opened."""

    def __init__(self, files: list[int]):
        self._files = files

    def read(self) -> int:
        """Count it up to now."""
        return sum(struct.unpack("Q", os.read(file, 8))[0] for file in self._files)


@contextmanager
def counting(event: Event) -> Iterator[Counter]:
    """Count an event.

    Raises
    ------
    Unavailable
        The system, its settings or the machine do not let us.
    """
    with ExitStack() as stack:
        files = []
        for thread in _threads(event):
            files.append(_open(event, thread))
            stack.callback(os.close, files[-1])
        yield Counter(files)


def _threads(event: Event) -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc/self/task")]
    except OSError:
        raise Unavailable(f"{event.name} cannot be counted: this is not Linux") from None


def _open(event: Event, thread: int) -> int:
    number = SYSTEM_CALLS.get(platform.machine())
    if number is None:
        raise Unavailable(f"{event.name} cannot be counted: the call is not known on {platform.machine()}")
    attributes = _Attributes(type=event.type, config=event.number, flags=USER_ONLY | INHERIT)
    attributes.size = ctypes.sizeof(attributes)
    any_cpu, no_group, no_flags = (ctypes.c_long(value) for value in (-1, -1, 0))
    call = ctypes.CDLL(None, use_errno=True).syscall
    file = call(
        ctypes.c_long(number), ctypes.byref(attributes), ctypes.c_long(thread), any_cpu, no_group, no_flags
    )
    if file < 0:
        reason = os.strerror(ctypes.get_errno())
        raise Unavailable(
            f"{event.name} cannot be counted: the kernel says {reason!r} (a virtual machine, or "
            "/proc/sys/kernel/perf_event_paranoid forbids it)"
        )
    return file
