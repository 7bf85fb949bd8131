"""The compiler of kernels: all that names numba-cuda, so that another one can take its place.

A compiler has the functions that kernels call (``cuda``), finds the types of arguments, and makes machine
code of a kernel for them. The simulator interprets kernels in Python instead.
"""

from __future__ import annotations

import functools
import importlib.metadata
from typing import Any

from boruvka.kernels.make.kernel_cache import Code
from boruvka.runtime.libraries import require

require("numba", "cuda")
from numba import config, cuda, types  # noqa: E402

IS_SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
if not IS_SIMULATED:
    require("numba_cuda", "cuda")  # the CUDA target inside Numba itself is deprecated

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # type: ignore[attr-defined]  # the last rounds have few elements


def has_device() -> bool:
    """Return whether there is a GPU, or it is simulated."""
    return IS_SIMULATED or cuda.is_available()


@functools.cache
def identity() -> str:
    """Return the name and the version of the compiler: of what it compiled, a cache keeps it apart."""
    return f"numba-cuda {importlib.metadata.version('numba-cuda')}"


def compiled(kernel: Any, examples: tuple[Any, ...]) -> Any:
    """Compile a kernel.

    Parameters
    ----------
    kernel : dispatcher, as ``cuda.jit`` returns it
    examples : tuple of scalars, arrays, or tuples of these
        Arguments of the types to compile for; arrays may be empty, and on the host.
    """
    from numba.cuda.typing.typeof import typeof

    return kernel.compile(types.void(*map(typeof, examples)))


def machine_code(kernel: Any, examples: tuple[Any, ...]) -> Code:
    """Compile a kernel; return its machine code, and its name there."""
    found = compiled(kernel, examples)
    return Code((found.entry_name,), found.library.get_cubin().code)
