"""The cache of compiled kernels: what identifies a kernel, and where kernels are kept.

Numba's own cache is not used, for two reasons. It does not notice that a function of *another* file has
changed; here a kernel is identified by all that is compiled into it. And it numbers its files through an
index, so that of two processes that compile at once (MPI ranks, parallel tests) one can lose a kernel;
here the name of a file is a digest of its key.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
import platformdirs

PACKAGE = __name__.partition(".")[0]
KEPT_SECONDS = 30 * 24 * 3600
"""Kernels, and folders of other versions, that were not used for so long are removed."""


class NotIdentifiableError(Exception):
    """A kernel depends on a value that has no digest, and is not cached."""


def identity_of(function: FunctionType) -> bytes:
    """Digest all that is compiled into a function: its bytecode, constants, and everything that it calls.

    Parameters
    ----------
    function : function
        A function that Numba compiles.

    Returns
    -------
    bytes
        The same in every process, and another one if any callee has changed.

    Raises
    ------
    NotIdentifiableError
        It uses a value that has no digest.
    """
    digest = hashlib.sha256()
    for part in _parts_of_function(function, set()):
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.digest()


def _parts_of_function(function: FunctionType, seen: set[int]) -> Iterator[bytes]:
    if id(function) in seen:
        return
    seen.add(id(function))
    yield from _parts_of_code(function.__code__)
    yield from _parts_of_value((function.__defaults__, function.__kwdefaults__), seen)
    for cell in function.__closure__ or ():
        yield from _parts_of_value(cell.cell_contents, seen)
    modules = []
    for name in _globals_in(function.__code__):
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name.encode()
            yield from _parts_of_value(value, seen)
            if isinstance(value, ModuleType) and value.__name__.partition(".")[0] == PACKAGE:
                modules.append(value)
    for module in modules:  # module.function: which attribute is whose does not matter
        for name in _names_in(function.__code__):
            if name in vars(module):
                yield from _parts_of_value(vars(module)[name], seen)


def _parts_of_code(code: CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_flags)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts_of_code(constant)
        else:
            yield repr(constant).encode()


def _globals_in(code: CodeType) -> list[str]:
    """List the globals that code reads, code nested in it included."""
    found = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found.update(_globals_in(constant))
    return sorted(found)


def _names_in(code: CodeType) -> list[str]:
    nested = [_names_in(constant) for constant in code.co_consts if isinstance(constant, CodeType)]
    return sorted({*code.co_names, *(name for names in nested for name in names)})


def _parts_of_value(value: Any, seen: set[int]) -> Iterator[bytes]:
    if isinstance(function := getattr(value, "py_func", value), FunctionType):  # of a dispatcher
        yield from _parts_of_function(function, seen)
    elif isinstance(value, tuple | list):
        yield f"{type(value).__name__} {len(value)}".encode()
        for item in value:
            yield from _parts_of_value(item, seen)
    elif isinstance(value, dict):
        yield from _parts_of_value(list(value.items()), seen)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
        yield repr((value.dtype.str, value.shape)).encode()
        yield value.tobytes()
    elif isinstance(value, np.generic):
        yield value.dtype.str.encode() + value.tobytes()
    elif value is None or isinstance(value, bool | int | float | complex | str | bytes | np.dtype):
        yield repr(value).encode()
    elif isinstance(value, ModuleType):
        yield value.__name__.encode()
    elif isinstance(value, type) or hasattr(value, "__qualname__") or hasattr(value, "__name__"):
        yield f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}".encode()
    else:
        raise NotIdentifiableError(f"a value of type {type(value).__name__} is compiled into a kernel")


@functools.cache
def cache_folder() -> Path | None:
    """Find the folder of compiled kernels, and remove those that were long not used.

    ``BORUVKA_CACHE_DIR`` overrides the user's cache folder.

    Returns
    -------
    Path or None
        None where no folder can be written.
    """
    base = Path(
        os.environ.get("BORUVKA_CACHE_DIR") or platformdirs.user_cache_dir("boruvka", appauthor=False)
    )
    folder = base / f"{sys.implementation.cache_tag}-numba-{version('numba')}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    prune(base, folder)
    return folder


def prune(base: Path, folder: Path) -> None:
    """Remove what was not used for `KEPT_SECONDS`: kernels of this version, and folders of others."""
    oldest = time.time() - KEPT_SECONDS
    for path in (*base.iterdir(), *folder.iterdir()):
        try:
            if path == folder or path.stat().st_mtime >= oldest:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        except OSError:
            continue


def write_whole(path: Path, content: bytes) -> None:
    """Write a file at once, or not at all: other processes may read it meanwhile."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        os.replace(file.name, path)
    except OSError:
        return


def mark_used(path: Path) -> None:
    """Note that a kernel is in use, once a day."""
    try:
        if time.time() - path.stat().st_mtime > 24 * 3600:
            os.utime(path)
    except OSError:
        return
