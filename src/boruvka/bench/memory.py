"""The time and peak memory of a function call."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boruvka.backends.kept_memory import KEPT

__all__ = ["time_and_peak"]

_PROCESS = Path("/proc/self")


def time_and_peak(run: Callable[[], Any]) -> tuple[Any, float, int | None]:
    """Run a function, and measure its time and how much resident memory rises at its peak.

    Returns
    -------
    result
        The result of the function.
    float
        Seconds.
    int or None
        Bytes; None on systems other than Linux.
    """
    before = None
    KEPT.release()
    try:
        libc = ctypes.CDLL(None)
        if hasattr(libc, "malloc_trim"):
            libc.malloc_trim(0)  # else reused freed memory would not count
        (_PROCESS / "clear_refs").write_text("5")  # resets the peak
        before = _bytes("VmRSS")
    except (OSError, IndexError):
        pass
    begin = time.perf_counter()
    result = run()
    seconds = time.perf_counter() - begin
    return result, seconds, None if before is None else max(0, _bytes("VmHWM") - before)


def _bytes(field: str) -> int:
    status = (_PROCESS / "status").read_text()
    return 1024 * int(status.split(f"{field}:")[1].split()[0])
