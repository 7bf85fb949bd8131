"""Kernels of the threads backend: one loop for each primitive, compiled around an operator.

A kernel works on one range ``first..last`` of elements, on one thread. ``atomic`` chooses the bodies of
the atomics that an operator calls: atomic instructions where threads share an array, plain code otherwise.
Indices stay unsigned and are never cast: a signed index costs a check for wrap-around.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import register_jitable

from boruvka.backends.binding import bound
from boruvka.backends.compiler import jit
from boruvka.backends.numba_internals import SHARED_ATOMICS, store, trailing_zeros
from boruvka.backends.protocol import Operator

Kernel = Callable[..., Any]

CALLEE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of functions that only kernels call."""

WORD, ONE = np.uint64(64), np.uint64(1)


@functools.cache
def compilable(function: FunctionType, atomic: bool) -> Any:
    """Make a function that kernels can call; where threads share arrays, it calls atomic instructions."""
    if atomic and function in SHARED_ATOMICS:
        return SHARED_ATOMICS[function]
    suffix = "atomic" if atomic else "plain"
    return register_jitable(**CALLEE)(bound(function, lambda callee: compilable(callee, atomic), suffix))


@functools.cache
def result_type(function: FunctionType, a: Any, b: Any) -> np.dtype[Any] | None:
    """Infer the type that a function of two values returns.

    Parameters
    ----------
    function : function
    a, b : numba.types.Type
        The types of its arguments.

    Returns
    -------
    dtype or None
        int64, uint64 or float64; None for any other type.
    """
    compiled = compilable(function, False)
    dispatcher: Any = njit(lambda a, b: compiled(a, b))
    dispatcher.compile((a, b))
    found = dispatcher.nopython_signatures[0].return_type
    if isinstance(found, types.Float):
        return np.dtype(np.float64)
    if isinstance(found, (types.Integer, types.Boolean)):
        return np.dtype(np.uint64 if found in (types.uint64, types.uintp) else np.int64)
    return None


@functools.cache
def for_each(operator: Operator, atomic: bool) -> Kernel:
    """Make a kernel that runs an operator for every element."""
    name = f"for_each_{operator.__name__}"
    operator = compilable(operator, atomic)

    def run(first, last, *arrays):
        for i in range(first, last):
            operator(i, *arrays)

    return jit(run, name)


@functools.cache
def emit(operator: Operator, atomic: bool) -> Kernel:
    """Make a kernel that stores kept elements from ``slot`` on, and returns the slot after the last."""
    name = f"emit_{operator.__name__}"
    operator = compilable(operator, atomic)

    def run(first, last, slot, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            store(into, slot, values[1:])  # always: a branch would be mispredicted
            slot += np.uint64(values[0])
        return slot

    return jit(run, name)


@functools.cache
def filter_emit(member: Operator, operator: Operator, atomic: bool) -> Kernel:
    """Make a kernel like `emit` for elements of which few are members."""
    name = f"filter_emit_{member.__name__}_{operator.__name__}"
    member, operator = compilable(member, atomic), compilable(operator, atomic)

    def run(first, last, slot, into, member_arrays, *arrays):
        whole = first + (last - first) // WORD * WORD
        for begin in range(first, last, WORD):
            # 64 membership bits without a branch: the compiler vectorises these loops.
            bits = np.uint64(0)
            if begin < whole:
                for k in range(WORD):
                    bits |= np.uint64(member(begin + k, *member_arrays)) << k
            else:
                for k in range(last - whole):
                    bits |= np.uint64(member(begin + k, *member_arrays)) << k
            while bits:
                values = operator(begin + np.uint64(trailing_zeros(bits)), *arrays)  # type: ignore[call-arg]
                bits &= bits - ONE
                store(into, slot, values[1:])
                slot += np.uint64(values[0])
        return slot

    return jit(run, name)


@functools.cache
def count_groups(operator: Operator, atomic: bool) -> Kernel:
    """Make a kernel that counts the kept elements of each group."""
    name = f"count_groups_{operator.__name__}"
    operator = compilable(operator, atomic)

    def run(first, last, counts, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            counts[values[1]] += np.uint64(values[0])

    return jit(run, name)


@functools.cache
def emit_grouped(operator: Operator, atomic: bool) -> Kernel:
    """Make a kernel that stores kept elements, each in the next slot of its group."""
    name = f"emit_grouped_{operator.__name__}"
    operator = compilable(operator, atomic)

    def run(first, last, slots, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            if values[0]:
                store(into, slots[values[1]], values[2:])
                slots[values[1]] += ONE

    return jit(run, name)


@functools.cache
def count(member: Operator, atomic: bool) -> Kernel:
    """Make a kernel that counts members."""
    name = f"count_{member.__name__}"
    member = compilable(member, atomic)

    def run(first, last, *arrays):
        k = np.uint64(0)
        for i in range(first, last):
            k += np.uint64(member(i, *arrays))
        return k

    return jit(run, name)


@functools.cache
def number(member: Operator, atomic: bool) -> Kernel:
    """Make a kernel that numbers members from ``k`` on, and returns the number after the last."""
    name = f"number_{member.__name__}"
    member = compilable(member, atomic)

    def run(first, last, k, number, *arrays):
        for i in range(first, last):
            is_member = member(i, *arrays)
            number[i] = k if is_member else number[i]  # always: a branch would be mispredicted
            k += np.uint64(is_member)
        return k

    return jit(run, name)


@functools.cache
def segmented_scan(combine: Operator, atomic: bool) -> Kernel:
    """Make a kernel that scans a range, or carries the value before it up to its first segment start."""
    name = f"segmented_scan_{combine.__name__}"
    combine = compilable(combine, atomic)

    def run(first, last, carries, values, starts, *arrays):
        for i in range(first, last):
            if not starts[i]:
                before = first - ONE if carries else i - ONE
                values[i] = combine(values[before], values[i], *arrays)
            elif carries:
                break

    return jit(run, name)
