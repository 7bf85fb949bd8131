"""Compile kernels ahead of time, where the installed package has no machine code for this machine.

Run as a program, it compiles the kernels of the list and prints how many are done, a line for each.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

from boruvka.backends import has_gpu
from boruvka.errors import BackendError
from boruvka.kernels import library
from boruvka.kernels.make import kernel_list
from boruvka.kernels.make.build_library import in_processes
from boruvka.kernels.make.kernel_cache import cache_folder
from boruvka.runtime.libraries import require
from boruvka.runtime.progress import Listener, listening, report


def warmup(*, progress: bool | Listener = False) -> Path | None:
    """Compile kernels ahead, for an image or the nodes of a cluster.

    An installed package has the machine code of its kernels, and this compiles only kernels of a GPU. In
    an editable installation, and on systems without machine code in the package, Numba compiles a kernel
    when it is first used. Then this compiles all of them, on all processors, in some minutes on two.

    Parameters
    ----------
    progress : bool or callable
        As for `boruvka.minimum_spanning_forest`.

    Returns
    -------
    Path or None
        The folder of the kernels: the user's cache folder, or that in ``BORUVKA_CACHE_DIR``. None if there
        was nothing to compile.

    Raises
    ------
    BackendError
        Kernels cannot be kept, or compiling one failed.
    MissingExtraError
        Numba is needed and is not installed.
    """
    has_library, solves_on_gpu = library.installed() is not None, has_gpu()
    if has_library and not solves_on_gpu:
        return None
    require("numba", "jit")
    folder = cache_folder()
    if folder is None:
        raise BackendError(
            "compiled kernels cannot be kept: set BORUVKA_CACHE_DIR to a folder that only you can write"
        )
    with listening(progress):
        if not has_library:
            _compile_listed()
        if solves_on_gpu:
            _solve_on_gpu()
    return folder


def _compile_listed() -> None:
    """Compile the kernels of the list in other processes, which need no guard in the user's main module."""
    command = [sys.executable, "-m", __name__]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            done, of = map(int, line.split())
            report("compile", done, of)
        errors = process.stderr.read()
    if process.returncode:
        raise BackendError(f"compiling failed: {errors.strip().splitlines()[-1]}")


def _solve_on_gpu() -> None:
    """Solve small graphs on the GPU: its kernels are compiled when they are first used."""
    from boruvka import generators, minimum_spanning_forest

    dtypes: Any = "float64", "float32", "int64"
    for dtype, name in product(dtypes, ("boruvka", "filter-boruvka")):
        graph = generators.random(50_000, 500_000, dtype=dtype)  # enough for a filter
        minimum_spanning_forest(graph, algorithm=name, backend="cuda")


def _compile(text: str) -> None:
    from boruvka.kernels.make import jit

    _, function, kinds, atomic = kernel_list.parse(text)
    jit.find(function, kinds, atomic)


def _main() -> None:
    texts = kernel_list.definitions()
    for done, _ in enumerate(in_processes(_compile, texts), 1):
        print(done, len(texts), flush=True)


if __name__ == "__main__":
    _main()
