"""Kernels on the GPU, launched with as little work on the host as they need.

Most kernels of a round run for a few microseconds. Numba's own launch takes about 300 (numba-cuda 0.30): it
reads the address and type of each array through DLPack, twice. Here they are attributes of CuPy's arrays, a
dictionary finds the compiled kernel, and CuPy's binding of the driver launches it.

Compiled kernels are kept on disk (`boruvka.kernels.make.kernel_cache`), like the kernels of the host.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.backends.cuda import compiler
from boruvka.backends.cuda.arrays import xp
from boruvka.kernels.make import kernel_cache

MAX_WORDS = 512
"""Words of 8 bytes that a kernel can be passed."""
WORD_MASK = (1 << 64) - 1


def launch(kernel: Any, blocks: int, threads: int, *arguments: Any) -> None:
    """Launch a kernel, in the order of CuPy's own kernels.

    Parameters
    ----------
    kernel : as ``cuda.jit`` of `boruvka.backends.cuda.compiler` returns it
    blocks, threads : int
        Blocks, and threads of each.
    *arguments : contiguous array, scalar, or tuple of these
    """
    if compiler.IS_SIMULATED:
        with _simulator:  # it changes the globals of the kernel while that runs
            kernel[blocks, threads](*arguments)
        return
    words: list[int] = []
    key = kernel, xp.cuda.runtime.getDevice(), describe(arguments, words)
    function = _functions.get(key)
    if function is None:
        function = _functions[key] = load(kernel, arguments, key[-1])
    start(function.ptr, blocks, threads, words)


_functions: dict[Any, Any] = {}
_simulator = threading.Lock()


def describe(argument: Any, words: list[int]) -> Any:
    """Append the words that a kernel is passed for an argument, and return a key of its type.

    Numba's kernels take an array as a struct: two pointers that only its host code uses, the number of
    elements, their size, the address, the shape and the strides.
    """
    kind = type(argument)
    if to_word := TO_WORD.get(kind):
        words.append(to_word(argument))
        return kind
    if isinstance(argument, tuple):
        return kind, *[describe(item, words) for item in argument]
    dtype = argument.dtype
    words += 0, 0, argument.size, dtype.itemsize, argument.data.ptr, *argument.shape, *argument.strides
    return dtype.char, argument.ndim


def _bits(scalar: Any) -> int:
    return int.from_bytes(scalar.tobytes(), "little")


TO_WORD: dict[type, Callable[[Any], int]] = {
    bool: int,
    np.bool_: int,
    int: WORD_MASK.__and__,
    float: lambda scalar: _bits(np.float64(scalar)),
    **dict.fromkeys((np.uint8, np.uint16, np.uint32, np.uint64), int),
    **dict.fromkeys((np.int8, np.int16, np.int32, np.int64, np.float32, np.float64), _bits),
}
"""The bits of a scalar, of each type that Numba knows."""


def load(kernel: Any, arguments: tuple[Any, ...], described: Any) -> Any:
    """Load a kernel for arguments of these types to the current GPU, from the cache or the compiler."""
    function = kernel.py_func
    name = f"cuda.{function.__qualname__.rpartition('.')[2]}"
    architecture = xp.cuda.Device().compute_capability
    types = f"sm_{architecture} {compiler.identity()} {described}"
    examples = _without_data(arguments)
    code = kernel_cache.find(name, function, types, lambda: compiler.machine_code(kernel, examples))
    module = xp.cuda.function.Module()
    module.load(code.object_code)
    return module.get_function(code.results[0])


def _without_data(argument: Any) -> Any:
    """Return an empty array on the host in place of one on the GPU: the compiler finds the same type."""
    if type(argument) in TO_WORD:
        return argument
    if isinstance(argument, tuple):
        items = map(_without_data, argument)
        return argument._make(items) if hasattr(argument, "_make") else tuple(items)
    return np.empty((0,) * argument.ndim, argument.dtype)


class Parameters(threading.local):
    """Memory from which the driver copies the arguments of a kernel, with a pointer to each word."""

    def __init__(self) -> None:
        self.words = (ctypes.c_uint64 * MAX_WORDS)()
        first = ctypes.addressof(self.words)
        self.pointers = (ctypes.c_void_p * MAX_WORDS)(*range(first, first + 8 * MAX_WORDS, 8))
        self.address = ctypes.addressof(self.pointers)


_parameters = Parameters()


def start(handle: int, blocks: int, threads: int, words: list[int]) -> None:
    """Let the driver launch a kernel in CuPy's current stream.

    A scalar of fewer than 8 bytes is read from the lower ones of its word.
    """
    struct.pack_into(f"{len(words)}Q", _parameters.words, 0, *words)
    stream = xp.cuda.get_current_stream().ptr
    xp.cuda.driver.launchKernel(handle, blocks, 1, 1, threads, 1, 1, 0, stream, _parameters.address, 0)
