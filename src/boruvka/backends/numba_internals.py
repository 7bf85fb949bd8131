"""What this package uses of Numba beyond its public interface: dispatcher caches and code generation.

``pyproject.toml`` names the range of Numba versions that this was tested with. Kernels are compiled with code
of this file (intrinsics and overloads) that bytecode does not show, so a digest of the file is part of
the key of every kernel.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba import njit, types
from numba.core import cgutils
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.cpython.unsafe.numbers import trailing_zeros
from numba.extending import intrinsic, overload, register_jitable
from numba.np.arrayobj import make_array

from boruvka.backends.kernel_cache import (
    NotIdentifiableError,
    cache_folder,
    identity_of,
    mark_used,
    write_whole,
)
from boruvka.operators import atomics

__all__ = ["SHARED_ATOMICS", "compile_kernel", "store", "trailing_zeros"]


def compile_kernel(function: Callable[..., Any], name: str) -> Any:
    """Compile a function as a kernel, and keep what was compiled under a name."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
    dispatcher: Any = njit(function, **options)
    if (folder := cache_folder()) is not None:
        with suppress(NotIdentifiableError):
            dispatcher._cache = _DispatcherCache(function, folder, name)
    return dispatcher


@functools.cache
def _source_digest() -> bytes:
    return hashlib.sha256(Path(__file__).read_bytes()).digest()


class _DispatcherCache:
    """What a dispatcher asks of a cache: one file for each combination of types of a function.

    A file that is damaged or cannot be written does no harm: the kernel is compiled again.
    """

    def __init__(self, function: Any, folder: Path, name: str):
        self._identity = identity_of(function) + _source_digest()
        self._folder, self._name = folder, name
        self.cache_path = str(folder)

    def _path(self, signature: Any, codegen: Any) -> Path:
        key = repr((signature, codegen.magic_tuple())).encode() + self._identity
        return self._folder / f"{self._name}-{hashlib.sha256(key).hexdigest()[:24]}.nbc"

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        path = self._path(signature, target.codegen())
        try:
            reduced = pickle.loads(path.read_bytes())
        except Exception:  # a damaged pickle can raise anything
            return None
        mark_used(path)
        return CompileResult._rebuild(target, *reduced)

    def save_overload(self, signature: Any, result: Any) -> None:
        write_whole(self._path(signature, result.codegen), dumps(result._reduce()))

    def enable(self) -> None:
        """Do nothing: it is always enabled."""

    def disable(self) -> None:
        """Do nothing: functions that are not cached are compiled by `numba.njit`."""

    def flush(self) -> None:
        for path in self._folder.glob(f"{self._name}-*.nbc"):
            path.unlink(missing_ok=True)


# The elements of a tuple that an operator emits, stored in the columns of a worklist


def store(into, slot, values):
    """Store the values of an element in the columns of a worklist, as many as there are columns."""


@overload(store, jit_options={"no_cpython_wrapper": True, "no_cfunc_wrapper": True})
def _store_compiled(into, slot, values):
    return STORES[len(into)]


def _store_none(into, slot, values):
    pass


def _store_1(into, slot, values):
    into[0][slot] = values[0]


def _store_2(into, slot, values):
    into[0][slot] = values[0]
    into[1][slot] = values[1]


def _store_3(into, slot, values):
    into[0][slot] = values[0]
    into[1][slot] = values[1]
    into[2][slot] = values[2]


def _store_4(into, slot, values):
    into[0][slot] = values[0]
    into[1][slot] = values[1]
    into[2][slot] = values[2]
    into[3][slot] = values[3]


STORES = _store_none, _store_1, _store_2, _store_3, _store_4
"""One body for each number of columns: a recursive one takes a compilation for each column."""


# Atomic instructions of the CPU, which Numba has none of: LLVM's, through intrinsics


def _slot_of(context, builder, signature, arguments):
    """Find the address of an element, and its type."""
    array_type = signature.args[0]
    array = make_array(array_type)(context, builder, arguments[0])
    slot = cgutils.get_item_pointer(
        context, builder, array_type, array, [arguments[1]], wraparound=False, boundscheck=False
    )
    return slot, array_type.dtype


@intrinsic
def _atomic_umin(typingctx, a, i, x):
    def codegen(context, builder, signature, arguments):
        slot, dtype = _slot_of(context, builder, signature, arguments)
        # An operand wider than the slot would reach into its neighbour.
        operand = context.cast(builder, arguments[2], signature.args[2], dtype)
        return builder.atomic_rmw("umin", slot, operand, "monotonic")

    return a.dtype(a, i, x), codegen


@intrinsic
def _atomic_add(typingctx, a, i, x):
    def codegen(context, builder, signature, arguments):
        slot, dtype = _slot_of(context, builder, signature, arguments)
        operand = context.cast(builder, arguments[2], signature.args[2], dtype)
        return builder.atomic_rmw("add", slot, operand, "monotonic")

    return a.dtype(a, i, x), codegen


@intrinsic
def _atomic_swap_if(typingctx, a, i, expected, x):
    def codegen(context, builder, signature, arguments):
        slot, dtype = _slot_of(context, builder, signature, arguments)
        old, new = (context.cast(builder, arguments[k], signature.args[k], dtype) for k in (2, 3))
        pair = builder.cmpxchg(slot, old, new, "acq_rel", "monotonic")
        return builder.extract_value(pair, 1)

    return types.boolean(a, i, expected, x), codegen


@register_jitable
def _shared_atomic_min(a, i, x):
    if x < a[i]:  # most proposals lose, and a read costs less than the instruction
        _atomic_umin(a, i, x)  # type: ignore[call-arg]


@register_jitable
def _shared_atomic_add(a, i, x):
    return _atomic_add(a, i, x)  # type: ignore[call-arg]


@register_jitable
def _shared_atomic_swap_if(a, i, expected, x):
    return _atomic_swap_if(a, i, expected, x)  # type: ignore[call-arg]


SHARED_ATOMICS: dict[Any, Any] = {
    atomics.atomic_min: _shared_atomic_min,
    atomics.atomic_add: _shared_atomic_add,
    atomics.atomic_swap_if: _shared_atomic_swap_if,
}
"""The bodies of atomics for arrays that threads share."""
