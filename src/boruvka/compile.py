"""Compiled loops: how this package uses Numba, and where it keeps what was compiled.

Kernels allocate nothing, so they are compiled without reference counting (``_nrt=False``): with it,
an operator that indexes an array inside a branch runs up to 30 times slower. They release the GIL.

Numba's own cache is not used, for two reasons. It does not see that a function of *another* file has
changed; here the folder is named by a digest of the package's sources. And it numbers its files
through an index, so that two processes that compile at once can exchange their kernels; here the
file of a kernel is named by a digest of its key.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import platformdirs

PACKAGE = Path(__file__).parent


@functools.cache
def sources_digest(package: Path = PACKAGE) -> str:
    """Digest of every Python file of the package, names and contents."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path | None:
    """Where compiled kernels are kept; None where no folder can be written.

    ``BORUVKA_CACHE_DIR`` overrides the user's cache folder.
    """
    base = os.environ.get("BORUVKA_CACHE_DIR") or platformdirs.user_cache_dir("boruvka", appauthor=False)
    folder = Path(base) / f"{sources_digest()}-{sys.implementation.cache_tag}-numba-{version('numba')}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    return folder


class _Store:
    """Kernels in a folder, one file a key; a file that is damaged or cannot be written does no harm."""

    def __init__(self, folder: Path, name: str):
        self._folder, self._name = folder, name

    def _path(self, key: Any) -> Path:
        return self._folder / f"{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"

    def load(self, key: Any) -> Any:
        try:
            return pickle.loads(self._path(key).read_bytes())
        except Exception:  # a damaged pickle can raise anything; the kernel is compiled again
            return None

    def save(self, key: Any, data: Any) -> None:
        from numba.core.serialize import dumps

        path = self._path(key)
        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(dumps(data))
            os.replace(file.name, path)
        except OSError:
            return

    def flush(self) -> None:
        for path in self._folder.glob(f"{self._name}-*.nbc"):
            path.unlink(missing_ok=True)


def jit(function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Compile a function now, or rather at its first call for each combination of types.

    Parameters
    ----------
    function : callable
        A loop over arrays that allocates nothing.
    name : str, optional
        Its name in the cache, for people.

    Returns
    -------
    callable
        Numba's dispatcher.
    """
    from numba import njit
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

    dispatcher = njit(function, nogil=True, error_model="numpy", _nrt=False)
    folder = cache_folder()
    if folder is None:
        return dispatcher

    class Locator(_CacheLocator):
        def get_cache_path(self):
            return str(folder)

        def get_source_stamp(self):
            return sources_digest()

        def get_disambiguator(self):
            return ""

        @classmethod
        def from_function(cls, py_func, py_file):
            return cls()

    class Implementation(CompileResultCacheImpl):
        _locator_classes = [Locator]  # noqa: RUF012

    class Cache(FunctionCache):
        _impl_class = Implementation

    cache = Cache(function)
    cache._cache_file = _Store(folder, name or f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}")
    dispatcher._cache = cache
    return dispatcher


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a sequential loop so that it is compiled, and Numba imported, when it is first called."""
    compiled: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*arguments):
        nonlocal compiled
        if compiled is None:
            compiled = jit(function)
        return compiled(*arguments)

    return call
