"""The linker that makes a library of object files: that of the system, or that of Zig, which is a package."""

from __future__ import annotations

import os
import shutil
import sys

ZIG = [sys.executable, "-m", "ziglang", "ld.lld"]
"""The linker of the package ``ziglang``, which has all machines."""


def system_linker(target: str) -> list[str] | None:
    """Return the command of a linker that this system has for a target, or None."""
    machine = target.partition("-")[0]
    own = ["ld"] if os.uname().machine == machine else []
    for name in f"{machine}-linux-gnu-ld", "ld.lld", *own:
        if found := shutil.which(name):
            return [found]
    return None
