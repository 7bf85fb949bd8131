"""The peak of memory during a piece of work."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["peak_of"]

_PROCESS = Path("/proc/self")


def peak_of(run: Callable[[], Any]) -> tuple[Any, int | None]:
    """Run something, and measure the peak of resident memory beyond what there was before.

    Parameters
    ----------
    run : callable

    Returns
    -------
    result
        What it returned.
    int or None
        Bytes; None where the system does not say (anywhere but on Linux).
    """
    try:
        _trim()
        (_PROCESS / "clear_refs").write_text("5")  # the peak begins anew
        before = _bytes("VmRSS")
    except (OSError, IndexError):
        return run(), None
    result = run()
    return result, max(0, _bytes("VmHWM") - before)


def _trim() -> None:
    """Give freed memory back to the system: what is used again must be seen."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)


def _bytes(field: str) -> int:
    status = (_PROCESS / "status").read_text()
    return 1024 * int(status.split(f"{field}:")[1].split()[0])
