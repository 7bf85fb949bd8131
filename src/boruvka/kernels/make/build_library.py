"""Build the libraries of machine code that a wheel holds: every kernel of the list, for each target.

Run as ``python -m boruvka.kernels.make.build_library [target ...]``.
"""

from __future__ import annotations

import gc
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from boruvka.kernels import library
from boruvka.kernels.kernel_arguments import CONSTANT, constants_in
from boruvka.kernels.make import kernel_list
from boruvka.kernels.make.linker import ZIG, system_linker
from boruvka.runtime.processors import processors

TARGETS = {
    "x86_64-v2": ("x86_64-unknown-linux-gnu", "x86-64-v2"),
    "x86_64-v3": ("x86_64-unknown-linux-gnu", "x86-64-v3"),
    "x86_64-v4": ("x86_64-unknown-linux-gnu", "x86-64-v4"),
    "aarch64": ("aarch64-unknown-linux-gnu", "generic"),
}
"""The triple and the processor, as LLVM names them."""
C_LIBRARIES = "libc.so.6", "libm.so.6"
"""Libraries that kernels call. They are named without versions of symbols, so that every version is taken."""


def build(targets: Iterable[str], folder: Path, report: Callable[[int, int], None]) -> list[Path]:
    """Compile all kernels of the list, and link them.

    Parameters
    ----------
    targets : iterable of str
        Some of `TARGETS`.
    folder : Path
        Folder for the libraries; it is made if there is none.
    report : callable
        Called with the number of compiled kernels, and of all.

    Returns
    -------
    list of Path
        The libraries.
    """
    targets, texts, sources = list(targets), kernel_list.definitions(), library.digest_of_sources()
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        lines: list[str] = []
        groups = [list(group) for _, group in groupby(sorted(texts, key=_compiled_as), _compiled_as)]
        for compiled in in_processes(partial(compile_kernels, targets=targets, folder=temporary), groups):
            lines += compiled
            report(len(lines), len(texts))
        return [link(target, lines, sources, Path(temporary), folder) for target in targets]


def _compiled_as(text: str) -> tuple[list[str], str]:
    """Return what Numba compiles for a definition: nothing of it depends on the constants among arguments.

    First come the constants in closures: kernels with the same have functions in common, which one process
    compiles once.
    """
    return re.findall(r"\('\w+', (\d+)\)", text), re.sub(f"'{CONSTANT}\\d+'", f"'{CONSTANT}'", text)


def in_processes(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield ``function(item)`` of each item, in order, computed by a process for each processor."""
    with ProcessPoolExecutor(processors(), get_context("spawn"), _search_less_garbage) as pool:
        yield from pool.map(function, items, chunksize=4)


def _search_less_garbage() -> None:
    """Search for garbage less often: it takes a sixth of the time else."""
    gc.freeze()
    gc.set_threshold(100_000)


def compile_kernels(texts: list[str], targets: list[str], folder: str) -> list[str]:
    """Compile kernels that differ in constants into object files, and return their lines of the index."""
    from boruvka.kernels.make import numba_compiler

    first, *others = map(kernel_list.parse, texts)
    module, results = numba_compiler.linked(first.function, first.kinds, first.atomic)
    for definition in first, *others:
        symbol, constants = library.symbol_of(definition.text), constants_in(definition.kinds)
        for target in targets:
            processor = numba_compiler.Target(*TARGETS[target])
            code = numba_compiler.object_code(module, processor, constants, symbol)
            Path(folder, f"{symbol}.{target}.o").write_bytes(code)
    return [" ".join([library.symbol_of(text), *results]) for text in texts]


def link(target: str, lines: list[str], sources: bytes, objects: Path, folder: Path) -> Path:
    """Link the object files of all kernels, the index of kernels, and the digest of their sources."""
    from boruvka.kernels.make import numba_compiler

    processor = numba_compiler.Target(*TARGETS[target])
    texts = {library.INDEX: "\n".join(lines), library.SOURCES: sources.decode()}
    (objects / f"texts.{target}.o").write_bytes(numba_compiler.object_code_of_texts(texts, processor))
    linker, path = [*(system_linker(target) or ZIG), "-shared", "-z", "noexecstack"], folder / f"{target}.so"
    (objects / "empty.o").write_bytes(numba_compiler.object_code_of_texts({}, processor))
    for name in C_LIBRARIES:  # without its symbols
        subprocess.run([*linker, "-soname", name, "-o", objects / name, objects / "empty.o"], check=True)
    inputs = [*sorted(objects.glob(f"*.{target}.o")), *(objects / name for name in C_LIBRARIES)]
    arguments = objects / "arguments"
    arguments.write_text("\n".join(f'"{path}"' for path in inputs))
    subprocess.run([*linker, "-s", "--no-as-needed", "-o", path, f"@{arguments}"], check=True)
    return path


def main(targets: list[str]) -> None:
    """Build libraries beside the sources, by default for this machine."""
    for unknown in set(targets) - TARGETS.keys():
        raise SystemExit(f"unknown target {unknown}; there are {', '.join(TARGETS)}")

    def report(done: int, of: int) -> None:
        print(f"\r{done} of {of} kernels", end="", file=sys.stderr, flush=True)

    for path in build(targets or library.levels()[:1], library.FOLDER, report):
        print(f"\n{path}: {path.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
