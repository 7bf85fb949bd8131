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


class _Cache:
    """Kernels of one function in a folder, one file for each combination of types.

    What Numba asks of a cache. A file that is damaged or cannot be written does no harm.
    """

    def __init__(self, function: Callable[..., Any], folder: Path, name: str):
        self._function, self._folder, self._name = function, folder, name
        self.cache_path = str(folder)

    def _path(self, signature: Any, codegen: Any) -> Path:
        from numba.core.serialize import dumps

        bound = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        key = (
            repr((signature, codegen.magic_tuple())).encode() + self._function.__code__.co_code + dumps(bound)
        )
        return self._folder / f"{self._name}-{hashlib.sha256(key).hexdigest()[:24]}.nbc"

    def load_overload(self, signature: Any, target: Any) -> Any:
        from numba.core.compiler import CompileResult

        target.refresh()
        try:
            reduced = pickle.loads(self._path(signature, target.codegen()).read_bytes())
        except Exception:  # a damaged pickle can raise anything; the kernel is compiled again
            return None
        return CompileResult._rebuild(target, *reduced)

    def save_overload(self, signature: Any, result: Any) -> None:
        from numba.core.serialize import dumps

        try:
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
                file.write(dumps(result._reduce()))
            os.replace(file.name, self._path(signature, result.codegen))
        except OSError:
            return

    def enable(self) -> None:
        """Do nothing: it is enabled."""

    def disable(self) -> None:
        """Do nothing: without it a function is compiled by `numba.njit`."""

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

    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
    dispatcher: Any = njit(function, **options)
    if (folder := cache_folder()) is not None:
        module = function.__module__.rpartition(".")[2]
        dispatcher._cache = _Cache(function, folder, name or f"{module}.{function.__qualname__}")
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
