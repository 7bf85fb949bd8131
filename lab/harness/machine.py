"""The machine and the versions of a measurement, without anything that identifies the user."""

from __future__ import annotations

import platform
import re
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import boruvka
from boruvka.runtime.processors import memory_size, processors

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def describe() -> dict[str, str]:
    """Describe this machine: processor, usable cores, caches of a core, memory, system.

    Values that the system does not report are left out.
    """
    model = re.search(r"^model name\s*:\s*(.+)$", _read(Path("/proc/cpuinfo")), re.MULTILINE)
    found = {
        "processor": model[1] if model else platform.processor(),
        "cores": str(processors()),
        "caches": _caches(),
        "memory": f"{memory_size() / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
    }
    return {name: text for name, text in found.items() if text}


def versions() -> dict[str, str]:
    """Return the versions of Python, this package, NumPy, and the compiler if there is one."""
    libraries = {
        package: version(package) for package in ("numpy", "numba", "llvmlite") if find_spec(package)
    }
    return {"python": platform.python_version(), "boruvka": boruvka.__version__, **libraries}


def _caches() -> str:
    """List the data caches of a core, such as "L1 32K, L2 1024K, L3 32768K"."""
    sizes = {}
    for folder in CACHES.glob("index*"):
        level, kind, size = (_read(folder / name).strip() for name in ("level", "type", "size"))
        if level.isdigit() and kind != "Instruction":
            sizes[level] = size
    return ", ".join(f"L{level} {size}" for level, size in sorted(sizes.items()))


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
