"""Kernels of the threads backend: one loop for each primitive, around an operator.

A kernel works on one range ``first..last`` of elements, on one thread. ``atomic`` chooses the bodies of
the atomics that an operator calls: atomic instructions where threads share an array, plain code otherwise.
Indices stay unsigned and are never cast: a signed index costs a check for wrap-around.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.backends.primitives import Operator
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.kernel_functions import calls_atomics, trailing_zeros

BITS, ONE = np.uint64(64), np.uint64(1)


def kernel_of(make: Callable[..., Callable[..., Any]]) -> Callable[..., Kernel]:
    """Decorate a function that makes a loop around operators: the result returns its kernel, made once."""

    @functools.cache
    def compiled(operators: tuple[Operator, ...], atomic: bool) -> Kernel:
        loop, name = make(*operators), "_".join([make.__name__, *(op.__name__ for op in operators)])
        return Kernel(loop, name, atomic)

    @functools.cache
    def kernel(*operators_and_atomic: Any) -> Kernel:
        *operators, atomic = operators_and_atomic
        return compiled(tuple(operators), atomic and any(map(calls_atomics, operators)))

    return functools.update_wrapper(kernel, make)


@kernel_of
def for_each(operator: Operator) -> Callable[..., Any]:
    """Make a loop that runs an operator for every element."""

    def run(first, last, *arrays):
        for i in range(first, last):
            operator(i, *arrays)

    return run


@kernel_of
def scatter_min(operator: Operator) -> Callable[..., Any]:
    """Make a loop like `for_each` that takes the operator's last array first."""

    def run(first, last, into, *arrays):
        for i in range(first, last):
            operator(i, *arrays, into)

    return run


@kernel_of
def emit(operator: Operator, store: Operator) -> Callable[..., Any]:
    """Make a loop that stores kept elements starting at ``slot``, and returns the slot after the last."""

    def run(first, last, slot, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            store(into, slot, values)  # always: a branch would be mispredicted
            slot += np.uint64(values[0])
        return slot

    return run


@kernel_of
def filter_emit(member: Operator, operator: Operator, store: Operator) -> Callable[..., Any]:
    """Make a loop like `emit` for elements of which few are members."""

    def run(first, last, slot, into, member_arrays, *arrays):
        whole = first + (last - first) // BITS * BITS
        for begin in range(first, last, BITS):
            # 64 membership bits without a branch: the compiler vectorises these loops.
            bits = np.uint64(0)
            if begin < whole:
                for k in range(BITS):
                    bits |= np.uint64(member(begin + k, *member_arrays)) << k
            else:
                for k in range(last - whole):
                    bits |= np.uint64(member(begin + k, *member_arrays)) << k
            while bits:
                values = operator(begin + np.uint64(trailing_zeros(bits)), *arrays)
                bits &= bits - ONE
                store(into, slot, values)
                slot += np.uint64(values[0])
        return slot

    return run


@kernel_of
def count_groups(operator: Operator) -> Callable[..., Any]:
    """Make a loop that counts the kept elements of each group."""

    def run(first, last, counts, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            counts[values[1]] += np.uint64(values[0])

    return run


@kernel_of
def emit_grouped(operator: Operator, store: Operator) -> Callable[..., Any]:
    """Make a loop that stores kept elements, each in the next slot of its group."""

    def run(first, last, slots, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            if values[0]:
                store(into, slots[values[1]], values)
                slots[values[1]] += ONE

    return run


@kernel_of
def count(member: Operator) -> Callable[..., Any]:
    """Make a loop that adds the number of members to ``k``, and returns the sum."""

    def run(first, last, k, *arrays):
        for i in range(first, last):
            k += np.uint64(member(i, *arrays))
        return k

    return run


@kernel_of
def number(member: Operator) -> Callable[..., Any]:
    """Make a loop that numbers members starting at ``k``, and returns the number after the last."""

    def run(first, last, k, number, *arrays):
        for i in range(first, last):
            is_member = member(i, *arrays)
            number[i] = k if is_member else number[i]  # always: a branch would be mispredicted
            k += np.uint64(is_member)
        return k

    return run


@kernel_of
def segmented_scan(combine: Operator) -> Callable[..., Any]:
    """Make a loop that scans a range, or carries the value before it up to its first segment start."""

    def run(first, last, carries, values, starts, *arrays):
        for i in range(first, last):
            if not starts[i]:
                before = first - ONE if carries else i - ONE
                values[i] = combine(values[before], values[i], *arrays)
            elif carries:
                break

    return run
