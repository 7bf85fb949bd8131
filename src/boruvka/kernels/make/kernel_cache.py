"""The cache of compiled kernels: what identifies a kernel, and the files that hold them.

A kernel is identified by all that is compiled into it: the bytecode of a function and of what it calls, the
types of its arguments, the processor, and the versions of the compilers. A file is a header, a digest, the
types of the results, and object code. The digest includes the name of the file, so that a kernel is never
loaded in place of another. A file is written at once or not at all; one that is damaged is replaced.

Files are written and removed only in folders that this module created and marked (`MARK`), and only if they
are kernels: the folder in ``BORUVKA_CACHE_DIR`` may hold anything else.
"""

from __future__ import annotations

import functools
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from boruvka.kernels.library import blake2b, first_processor

LIBRARIES = sys.stdlib_module_names | {"numpy", "numba", "llvmlite"}
"""Packages whose functions and classes are known by their names."""
DIGEST_BYTES = 32
KEPT_SECONDS = 30 * 24 * 3600
"""Kernels that were not used for this time are removed."""
MAGIC = b"boruvka kernel "
"""Start of every kernel file, of this version and of others."""
HEADER = MAGIC + b"4\n"
FOLDER = "boruvka-kernels-"
"""Start of the names of folders of kernels; the rest is the version of Python."""
MARK = "created-by-boruvka.txt"
"""File that marks a folder of kernels as created by this module."""
MARK_TEXT = b"Kernels that boruvka compiled. It removes *.kernel files here that were not used for 30 days.\n"
COMPILED_WITH = "make/numba_compiler.py", "kernel_functions.py", "kernel_arguments.py"
"""Files of `boruvka.kernels` on which every kernel depends, besides its bytecode."""


class Code(NamedTuple):
    """A compiled kernel: the types of its results, and object code that defines ``entry``.

    Code for a GPU has the name of its entry in place of results.
    """

    results: tuple[str, ...]
    object_code: bytes


def find(name: str, function: FunctionType, types: str, compile_code: Callable[[], Code]) -> Code:
    """Read a kernel from the cache, or compile it and write it there.

    Parameters
    ----------
    name : str
        Its name, for people.
    function : function
        The function to compile.
    types : str
        The types of its arguments, and all else that the code depends on besides function and `environment`.
    compile_code : callable
        Compiles the kernel, if it is not in the cache, is damaged there, or cannot be cached.

    Returns
    -------
    Code
    """
    identity, folder = identity_of(function), cache_folder()
    path = None
    if identity is not None and folder is not None:
        digest = digest_of(identity + environment() + types.encode()).hex()
        path = folder / f"{name}-{digest[:32]}.kernel"
        if (code := read(path)) is not None:
            return code
    _tell_that_compiling_takes_time()
    code = compile_code()
    if path is not None:
        write(path, code)
    return code


@functools.cache
def _tell_that_compiling_takes_time() -> None:
    """Say so on a terminal, once."""
    if sys.stderr is not None and sys.stderr.isatty():
        print("boruvka: compiling, once; 'boruvka warmup' does it ahead of time", file=sys.stderr, flush=True)


# What identifies a kernel


def digest_of(content: bytes) -> bytes:
    """Return a digest of bytes."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()


class NotIdentifiableError(Exception):
    """A kernel depends on a value that has no digest, and is not cached."""


@functools.cache
def identity_of(function: FunctionType) -> bytes | None:
    """Digest all that is compiled into a function: its bytecode, constants, and everything that it calls.

    Parameters
    ----------
    function : function
        A function that is compiled.

    Returns
    -------
    bytes or None
        The digest is the same in every process, and another one if any callee has changed. It is None if the
        function uses a value that has no digest, so that its kernel is not cached.
    """
    digest = blake2b(digest_size=DIGEST_BYTES)
    try:
        for part in _parts_of_function(function, set()):
            digest.update(len(part).to_bytes(8, "little") + part)
    except NotIdentifiableError:
        return None
    return digest.digest()


def _parts_of_function(function: FunctionType, seen: set[int]) -> Iterator[bytes]:
    if id(function) in seen:
        return
    seen.add(id(function))
    yield from _parts_of_code(function.__code__)
    yield from _parts_of_value((function.__defaults__, function.__kwdefaults__), seen)
    for cell in function.__closure__ or ():
        yield from _parts_of_value(cell.cell_contents, seen)
    names, known = _names_in(function.__code__), function.__globals__
    modules = []
    for name in names:  # including attributes with the name of a global, which are digested in vain
        if name in known:
            yield name.encode()
            yield from _parts_of_value(known[name], seen)
            modules.append(known[name])
    while modules:  # module.function: which module an attribute belongs to does not matter
        module = modules.pop()
        if isinstance(module, ModuleType) and not _is_library(module.__name__) and id(module) not in seen:
            seen.add(id(module))
            for name in names:
                if name in vars(module):
                    yield name.encode()
                    yield from _parts_of_value(vars(module)[name], seen)
                    modules.append(vars(module)[name])


def _is_library(name: str | None) -> bool:
    """Return whether a module does not change but with the versions in `environment`."""
    return str(name).partition(".")[0] in LIBRARIES


def _parts_of_code(code: CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_flags)).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _parts_of_code(constant)
        else:
            yield repr(constant).encode()


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
    elif isinstance(value, type) and issubclass(value, Enum):
        yield repr([(name, member.value) for name, member in value.__members__.items()]).encode()
    elif isinstance(value, np.ufunc):
        yield value.__name__.encode()
    elif isinstance(value, type) and hasattr(value, "_fields"):
        yield f"{value.__module__}.{value.__qualname__} {value._fields}".encode()
    elif hasattr(value, "__name__") and _is_library(getattr(value, "__module__", None)):
        yield f"{value.__module__}.{getattr(value, '__qualname__', value.__name__)}".encode()
    else:
        raise NotIdentifiableError


# Files


@functools.cache
def environment() -> bytes:
    """Digest what the code of every kernel depends on: processor, compilers, and how they are called."""
    options = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    parts = repr((HEADER, sys.platform, _processor(), options)).encode()
    sources = [Path(__file__).parents[1].joinpath(name).read_bytes() for name in COMPILED_WITH]
    return digest_of(b"".join([parts, _version("numba"), _version("llvmlite"), *sources]))


def _processor() -> Any:
    """Describe the processor; on Linux without llvmlite, whose import takes longer than many a solve."""
    told = b"vendor_id", b"cpu family", b"model", b"flags"
    lines = [line for line in first_processor() if line.startswith(told)]
    if any(line.startswith(b"flags") for line in lines):
        return lines
    from llvmlite import binding

    host = binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten()
    return binding.get_process_triple(), *host


def _version(package: str) -> bytes:
    """Read the version of a package without importing it: the import of Numba takes half a second."""
    spec = find_spec(package)
    try:
        return Path(spec.origin).with_name("_version.py").read_bytes()  # type: ignore[union-attr,arg-type]
    except (OSError, TypeError, AttributeError):
        from importlib.metadata import version

        return version(package).encode()


@functools.cache
def cache_folder() -> Path | None:
    """Find the folder of compiled kernels; create it if there is none.

    ``BORUVKA_CACHE_DIR`` overrides the user's cache folder.

    Returns
    -------
    Path or None
        None where no folder can be written; where others can write it, because machine code is run from it;
        where a folder of this name was not created by this module.
    """
    if not (chosen := os.environ.get("BORUVKA_CACHE_DIR")):
        import platformdirs

        chosen = platformdirs.user_cache_dir("boruvka", appauthor=False)
    base = Path(chosen)
    folder = base / f"{FOLDER}{sys.implementation.cache_tag}"
    try:
        base.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or not _is_private(folder) or not os.access(folder, os.W_OK):
            return None
        if not any(folder.iterdir()):
            (folder / MARK).write_bytes(MARK_TEXT)
        return folder if _is_marked(folder) else None
    except OSError:
        return None


def _is_marked(folder: Path) -> bool:
    """Return whether this module created a folder; the target of a symbolic link does not count."""
    return stat.S_ISDIR(folder.lstat().st_mode) and stat.S_ISREG((folder / MARK).lstat().st_mode)


def _is_private(folder: Path) -> bool:
    """Return whether a folder belongs to the user and is not writable by others."""
    if not hasattr(os, "getuid"):  # Windows: the folder of the user is
        return True
    found = folder.lstat()
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@functools.cache
def prune(base: Path) -> None:
    """Remove kernels, of all versions of Python, that were not used for `KEPT_SECONDS`.

    Nothing else is removed: no folder, no file without the header of a kernel, nothing in a folder that this
    module did not create or that others can write, and nothing behind a symbolic link.

    Parameters
    ----------
    base : Path
        The folder with the folders of kernels.
    """
    oldest = time.time() - KEPT_SECONDS
    with suppress(OSError):
        for folder in base.glob(f"{FOLDER}*"):
            with suppress(OSError):
                if _is_marked(folder) and _is_private(folder):
                    _remove_kernels(folder, oldest)


def _remove_kernels(folder: Path, oldest: float) -> None:
    for path in folder.glob("*.kernel"):
        with suppress(OSError):
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and found.st_mtime < oldest and _has_magic(path):
                path.unlink()


def _has_magic(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read(path: Path) -> Code | None:
    """Read a kernel; None where there is no such file, or it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    begin = len(HEADER) + DIGEST_BYTES
    digest, rest = content[len(HEADER) : begin], content[begin:]
    if not content.startswith(HEADER) or _digest_of_file(path, rest) != digest:
        return None
    _mark_used(path)
    head, _, object_code = rest.partition(b"\n")
    return Code(tuple(head.decode().split()), object_code)


def write(path: Path, code: Code) -> None:
    """Write a kernel at once, or not at all: other processes may read it meanwhile."""
    import tempfile

    prune(path.parent.parent)
    rest = " ".join(code.results).encode() + b"\n" + code.object_code
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="unfinished-", suffix=".kernel")
    except OSError:
        return
    try:
        with open(handle, "wb") as file:
            file.write(HEADER + _digest_of_file(path, rest) + rest)
        os.replace(temporary, path)
    except OSError:  # the disk is full, for example
        with suppress(OSError):
            os.remove(temporary)


def _digest_of_file(path: Path, content: bytes) -> bytes:
    """Digest the content of a kernel file and its name, which identifies the function and the types."""
    return digest_of(path.name.encode() + b"\n" + content)


def _mark_used(path: Path) -> None:
    """Note that a kernel is in use, once a day."""
    with suppress(OSError):
        if time.time() - path.stat().st_mtime > 24 * 3600:
            os.utime(path)
