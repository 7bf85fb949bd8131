"""Kernels: loops in Python that run as machine code, started without a compiler.

A kernel is a C function ``int entry(uint64_t *results, const uint64_t *words)``, one for each combination of
argument types (see `boruvka.kernels.kernel_arguments`). It is found in the library of machine code that is
part of an installed package (`boruvka.kernels.library`). What no library holds, such as a loop around a
distance of the user, is compiled by Numba and kept (`boruvka.kernels.make`). ctypes calls it, and releases
the GIL.

Kernels allocate nothing. Numba's own dispatcher starts functions of the user that make arrays, and all
kernels on systems that do not load machine code in this way.
"""

from __future__ import annotations

import ctypes
import functools
import os
import struct
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import BoruvkaError
from boruvka.kernels import library
from boruvka.kernels.definitions import definition_of
from boruvka.kernels.kernel_arguments import RESULTS, Kinds, pack, struct_of, unpacked
from boruvka.kernels.library import Loaded


class KernelError(BoruvkaError, RuntimeError):
    """A compiled function raised an exception."""


class Kernel:
    """A function over arrays and numbers that is compiled for each combination of argument types.

    Parameters
    ----------
    function : function
        It allocates nothing, and calls functions of the same kind.
    atomic : bool
        Whether the atomics that it calls are atomic instructions, for arrays that threads share.
    """

    def __init__(self, function: Any, atomic: bool = False):
        self.function, self.atomic = function, atomic
        self._loaded: dict[Kinds, MachineCode | NumbaDispatcher] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        code, words = self.prepare(*arguments)
        return code(words, arguments)

    def prepare(self, *arguments: Any) -> tuple[MachineCode | NumbaDispatcher, list[Any]]:
        """Return the code for arguments of these types, and the words of the arguments."""
        kinds: list[Any] = []
        words: list[Any] = []
        pack(arguments, kinds, words)
        key = tuple(kinds)
        return self._loaded.get(key) or self._load(key), words

    def result_types(self, *arguments: Any) -> tuple[str, ...]:
        """Return the types of the results for these arguments, which are not read."""
        return self.prepare(*arguments)[0].results

    def _load(self, kinds: Kinds) -> MachineCode | NumbaDispatcher:
        with _loading:
            if kinds not in self._loaded:
                self._loaded[kinds] = self._find(kinds)
        return self._loaded[kinds]

    def _find(self, kinds: Kinds) -> MachineCode | NumbaDispatcher:
        loaded = library.find(definition_of(self.function, kinds, self.atomic))
        if loaded is None:
            from boruvka.kernels.make import jit

            loaded = jit.find(self.function, kinds, self.atomic)
        if loaded.entry is None:
            return NumbaDispatcher(self.function, self.atomic, loaded.results)
        return MachineCode(loaded, struct_of(kinds))


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a sequential loop so that it is compiled, or found in the cache, when it is first called."""
    compiled = Kernel(function)

    @functools.wraps(function)
    def call(*arguments):
        return compiled(*arguments)

    return call


class Launch(NamedTuple):
    """The indices that a kernel runs over, and how threads share them (`boruvka.kernels.team.Team.run`).

    The first two arguments of a call are a range of indices.
    """

    size: int
    """Number of indices."""
    parts: int = 1
    """Number of parts, which threads take."""
    ranges: NDArray[np.uint64] | None = None
    """(k, 2) array: first and last index of each range; the last is excluded. By default one range from 0."""
    cut: bool = True
    """Ranges are cut into parts of equal size; else each is a part."""
    chained: bool = False
    """The third argument is the result of the call before; in the first call, the first index of a part."""
    third: NDArray[np.uint64] | None = None
    """(parts,) array: the third argument of the calls of each part."""
    own: Sequence[NDArray[Any]] = ()
    """Arrays whose rows replace the third and following arguments: each thread has a row of each."""
    used: NDArray[np.uint64] | None = None
    """(threads,) array: the last array of ``own`` is a minimum, whose rows are for helpers alone. All bits of
    a row are set when its thread begins, and the element of the thread becomes 1."""
    most: int | None = None
    """Number of parts that the calling thread runs before it handles signals; by default all."""


# Machine code


class MachineCode:
    """A loaded kernel for arguments of the given types.

    Attributes
    ----------
    entry : int
        Its address.
    format : str
        Format in which `struct` packs the words of its arguments.
    """

    def __init__(self, loaded: Loaded, words: str):
        assert loaded.entry is not None
        self.results, self.entry, self.format = loaded.results, loaded.entry, words
        self._owner = loaded.owner
        self._start = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(self.entry)
        self._pack = struct.Struct(words).pack
        self._unpack = struct.Struct("".join(RESULTS[result] for result in self.results)).unpack_from
        self._results = ctypes.c_uint64 * max(len(self.results), 1)

    def __call__(self, words: list[Any], arguments: tuple[Any, ...]) -> Any:
        """Call the kernel with the words of its arguments; return its result, or a tuple of several."""
        results = self._results()
        if self._start(ctypes.addressof(results), self._pack(*words)):
            raise KernelError("a compiled function raised an exception; call it uncompiled to see which")
        unpacked = self._unpack(results)
        return unpacked[0] if len(unpacked) == 1 else unpacked or None


class NumbaDispatcher:
    """A kernel that Numba loads and starts."""

    def __init__(self, function: Any, atomic: bool, results: tuple[str, ...]):
        from boruvka.kernels.make import numba_compiler

        self.results = results
        self._dispatcher = numba_compiler.dispatcher(function, atomic)

    def __call__(self, words: list[Any], arguments: tuple[Any, ...]) -> Any:
        """Call the kernel."""
        return self._dispatcher(*map(unpacked, arguments))


_loading = RLock()

if hasattr(os, "register_at_fork"):  # another thread of the parent may hold the lock

    def _renew_lock() -> None:
        global _loading
        _loading = RLock()

    os.register_at_fork(after_in_child=_renew_lock)
