"""Kernels on the GPU, launched with as little work on the host as they need.

Most kernels of a round run for a few microseconds. Numba's own launch takes about 300 (numba-cuda 0.30): it
asks each array by DLPack, twice, where it lies and what type it has. Here the arrays are CuPy's, so their
attributes say it, and a dictionary finds the compiled kernel: about 15 microseconds.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import numpy as np
from numba import types
from numba.cuda.typing.typeof import typeof

from boruvka.backends.cuda.arrays import IS_SIMULATED, xp

if not IS_SIMULATED:
    from cuda import core

SCALARS: dict[type, Any] = {
    bool: ctypes.c_bool,
    int: ctypes.c_int64,
    float: ctypes.c_double,
    np.bool_: ctypes.c_bool,
    **{
        np.dtype(c_type).type: c_type
        for c_type in (
            *(ctypes.c_int8, ctypes.c_int16, ctypes.c_int32, ctypes.c_int64),
            *(ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64),
            *(ctypes.c_float, ctypes.c_double),
        )
    },
}
"""How scalars are passed: as Numba types them."""

_compiled: dict[Any, Any] = {}


def launch(kernel: Any, blocks: int, threads: int, *arguments: Any) -> None:
    """Launch a kernel, in the order of CuPy's own kernels.

    Parameters
    ----------
    kernel : dispatcher of numba.cuda
    blocks, threads : int
        Blocks, and threads of each.
    *arguments : array, scalar, or tuple of these
    """
    if IS_SIMULATED:
        kernel[blocks, threads](*arguments)
        return
    passed: list[Any] = []
    key = kernel, xp.cuda.runtime.getDevice(), describe(arguments, passed)
    machine_code = _compiled.get(key)
    if machine_code is None:
        machine_code = _compiled[key] = compile_for(kernel, arguments)
    stream = stream_of(xp.cuda.get_current_stream().ptr)
    core.launch(stream, configuration(blocks, threads), machine_code, *passed)


def describe(argument: Any, passed: list[Any]) -> Any:
    """Append what a kernel is passed for an argument, and return what tells its type from others.

    Numba's kernels take an array as a struct: two pointers that only its host code uses, the number of
    elements, their size, the address, the shape and the strides. Python's integers are passed as 8 bytes.
    """
    kind = type(argument)
    if kind in SCALARS:
        passed.append(SCALARS[kind](argument))
        return kind
    if isinstance(argument, tuple):
        return kind, *[describe(item, passed) for item in argument]
    dtype = argument.dtype
    passed += 0, 0, argument.size, dtype.itemsize, argument.data.ptr, *argument.shape, *argument.strides
    return dtype, argument.ndim


def compile_for(kernel: Any, arguments: tuple[Any, ...]) -> Any:
    """Compile a kernel for arguments of these types, and load it to the current GPU."""
    compiled = kernel.compile(types.void(*map(numba_type, arguments)))
    return compiled.library.get_cufunc().kernel


def numba_type(argument: Any) -> Any:
    """Find Numba's type of an argument: that of an array is told by an empty one on the host."""
    return typeof(_without_data(argument))


def _without_data(argument: Any) -> Any:
    if type(argument) in SCALARS:
        return argument
    if isinstance(argument, tuple):
        items = map(_without_data, argument)
        return argument._make(items) if hasattr(argument, "_make") else tuple(items)
    return np.empty((0,) * argument.ndim, argument.dtype)


@functools.cache
def stream_of(pointer: int) -> Any:
    """Return a stream of CuPy's; 0 is the default stream."""
    return core.Stream.from_handle(pointer)


@functools.cache
def configuration(blocks: int, threads: int) -> Any:
    """Return the shape of a launch."""
    return core.LaunchConfig(grid=blocks, block=threads)
