"""The machine code that is part of an installed package: a shared library for each level of processor.

`boruvka.kernels.make.build_library` makes the libraries when a wheel is built. Each exports every kernel
under a name that follows from its definition, the types of their results, and a digest of the sources that it
was made of. In a checkout the digest is compared: a library of other sources is not used.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

try:
    from _blake2 import blake2b
except ImportError:  # hashlib imports OpenSSL, which takes longer than a small solve
    from hashlib import blake2b

PACKAGE_FOLDER = Path(__file__).parents[1]
FOLDER = PACKAGE_FOLDER / "kernels" / "machine_code"
JIT_VARIABLE = "BORUVKA_JIT"
"""Environment variable: 1 compiles all kernels for this processor, with Numba."""
RECORD_VARIABLE = "BORUVKA_RECORD_KERNELS"
"""Environment variable: a folder where each process writes the definitions of the kernels that it calls."""
INDEX, SOURCES = "boruvka_kernels", "boruvka_sources"
"""Symbols of a library: text with a line for each kernel, its name and the types of its results; a digest."""
V2 = frozenset(["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"])
V3 = V2 | frozenset(["abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"])
V4 = V3 | frozenset(["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"])
"""The instructions of levels of x86-64, as Linux names them (System V ABI, AMD64 supplement, table 3.1)."""


class Loaded(NamedTuple):
    """A kernel in memory."""

    results: tuple[str, ...]
    """The types of its results."""
    entry: int | None
    """Its address; None if Numba must start it."""
    owner: Any
    """The object that keeps it in memory."""


class Library:
    """A shared library of kernels.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    sources : bytes
        The digest of the sources that it was made of.
    """

    def __init__(self, path: Path):
        self._library = ctypes.CDLL(str(path))
        self.sources = self._text(SOURCES)
        lines = [line.split() for line in self._text(INDEX).decode().splitlines()]
        self._results = {name: tuple(results) for name, *results in lines}

    def _text(self, symbol: str) -> bytes:
        return ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self._library, symbol)))

    def find(self, definition: str) -> Loaded | None:
        """Return a kernel, or None if the library does not hold it."""
        name = symbol_of(definition)
        if (results := self._results.get(name)) is None:
            return None
        entry = ctypes.cast(self._library[name], ctypes.c_void_p).value or 0
        return Loaded(results, entry, self._library)


def find(definition: str | None) -> Loaded | None:
    """Return a kernel of the library of this package, or None if there is none."""
    if definition is None:
        return None
    if folder := os.environ.get(RECORD_VARIABLE):
        with open(os.path.join(folder, str(os.getpid())), "a") as file:
            print(definition, file=file)
    library = installed()
    return None if library is None else library.find(definition)


@functools.cache
def installed() -> Library | None:
    """Return the library for this processor; None if there is none, or it was made of other sources."""
    if os.environ.get(JIT_VARIABLE) == "1":
        return None
    for level in levels():
        try:
            library = Library(FOLDER / f"{level}.so")
        except (OSError, ValueError, AttributeError):  # it is not there, or is not one of ours
            continue
        in_checkout = (PACKAGE_FOLDER.parents[1] / "pyproject.toml").exists()
        return None if in_checkout and library.sources != digest_of_sources() else library
    return None


def levels() -> list[str]:
    """List the levels whose code this processor runs, the best one first."""
    machine = platform.machine()
    if sys.platform != "linux":
        return []
    if machine != "x86_64":
        return ["aarch64"] if machine == "aarch64" else []
    flags = _processor_flags()
    return [f"x86_64-{name}" for name, needed in (("v4", V4), ("v3", V3), ("v2", V2)) if needed <= flags]


def _processor_flags() -> frozenset[str]:
    flags = (line.decode("latin-1").split() for line in first_processor() if line.startswith(b"flags"))
    return frozenset(next(flags, V2))  # NumPy needs as much


def first_processor() -> list[bytes]:
    """Return the lines in which Linux describes the first processor; none on other systems."""
    with suppress(OSError), open("/proc/cpuinfo", "rb") as file:
        return file.read(1 << 14).partition(b"\n\n")[0].splitlines()
    return []


def symbol_of(definition: str) -> str:
    """Name a kernel in a library."""
    return f"boruvka_{blake2b(definition.encode(), digest_size=12).hexdigest()}"


def digest_of_sources(folder: Path = PACKAGE_FOLDER) -> bytes:
    """Digest the sources of this package, as text."""
    digest = blake2b(digest_size=16)
    for path in sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).as_posix()):
        name = path.relative_to(folder).as_posix().encode()
        content = path.read_bytes()
        digest.update(b"%d %d\n" % (len(name), len(content)) + name + content)
    return digest.hexdigest().encode()
