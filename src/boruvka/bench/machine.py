"""What a measurement was made on: the machine and the versions, and nothing about whose it is."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from boruvka.runtime.processors import processors

__all__ = ["describe", "versions"]

_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def describe() -> dict[str, str]:
    """Describe this machine: processor, cores that may be used, caches, memory, system.

    What the system does not tell is left out.
    """
    found = {
        "processor": _processor(),
        "cores": str(processors()),
        "caches": _caches(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    return {name: text for name, text in found.items() if text}


def versions() -> dict[str, str]:
    """Versions of Python, this package and what compiles it."""
    found = {"python": platform.python_version(), "boruvka": version("boruvka")}
    for package in ("numpy", "numba", "llvmlite"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    for line in _read(Path("/proc/cpuinfo")).splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor()


def _caches() -> str:
    """Name the caches of a core, such as "L1 32K, L2 1M, L3 32M"; those of instructions are left out."""
    sizes: dict[int, int] = {}
    for folder in sorted(_CACHES.glob("index*")):
        level, kind, size = (_read(folder / name).strip() for name in ("level", "type", "size"))
        if level.isdigit() and kind != "Instruction" and size[:-1].isdigit():
            sizes[int(level)] = int(size[:-1]) * _UNITS.get(size[-1], 1)
    return ", ".join(f"L{level} {_binary(size)}" for level, size in sorted(sizes.items()))


def _memory() -> str:
    for line in _read(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemTotal:"):
            return f"{int(line.split()[1]) / 2**20:.0f} GiB"
    return ""


def _binary(size: int) -> str:
    unit = next(unit for unit in "GMK" if size >= _UNITS[unit] or unit == "K")
    return f"{size / _UNITS[unit]:g}{unit}"


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
