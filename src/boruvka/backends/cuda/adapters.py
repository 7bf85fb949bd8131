"""Operators made of operators: what the kernels call.

They are plain functions, as the operators are, and take the arrays of an operator as one tuple.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from boruvka.backends.primitives import Operator
from boruvka.kernels.kernel_functions import store_columns

U64, ONE = np.uint64, np.uint64(1)


def named(function: Any, *parts: Any) -> Any:
    """Name a function after what it is made of: profilers and compiler errors show the name."""
    function.__name__ = "_".join(getattr(part, "__name__", part).strip("_") for part in parts)
    function.__qualname__ = function.__name__
    return function


@functools.cache
def is_kept(operator: Operator) -> Operator:
    """Make a predicate: the operator keeps element i."""

    def kept(i, arrays):
        return operator(i, *arrays)[0]

    return named(kept, "is_kept", operator)


@functools.cache
def is_kept_member(member: Operator, operator: Operator) -> Operator:
    """Make a predicate: element i is a member, and the operator keeps it."""

    def kept(i, member_arrays, arrays):
        return bool(member(i, *member_arrays)) and bool(operator(i, *arrays)[0])

    return named(kept, "is_kept", member, operator)


@functools.cache
def store_emitted(operator: Operator, columns: int) -> Operator:
    """Make an action that stores the values that an operator emits for element i in a slot."""
    store = store_columns(1, columns)

    def store_values(i, slot, into, arrays):
        store(into, slot, operator(i, *arrays))

    return named(store_values, "store", operator)


@functools.cache
def store_group(operator: Operator) -> Operator:
    """Make an action that stores element i itself and its group in a slot."""

    def store_index(i, slot, index, group, arrays):
        index[slot], group[slot] = i, operator(i, *arrays)[1]

    return named(store_index, "store_group", operator)


@functools.cache
def gather_emitted(operator: Operator, columns: int) -> Operator:
    """Make an operator that stores in each slot the values emitted for its element, not keep and group."""
    store = store_columns(2, columns)

    def gather(slot, index, into, arrays):
        store(into, slot, operator(U64(index[slot]), *arrays))

    return named(gather, "gather", operator)


@functools.cache
def matrix_rows(matrices: int) -> Operator:
    """Make a function that returns a row of each of several matrices, as a tuple."""
    if not matrices:
        return _no_rows
    rows, k = matrix_rows(matrices - 1), matrices - 1

    def all_rows(matrices, row):
        return (*rows(matrices, row), matrices[k][row])

    return all_rows


def _no_rows(matrices, row):
    return ()


@functools.cache
def scan_part(combine: Operator, size: int) -> Operator:
    """Make an operator that scans a part of ``size`` values.

    It stores the last value of the part, and whether a segment starts in it.
    """
    part_size = U64(size)

    def scan(part, values, starts, lasts, has_start, arrays):
        begin = U64(part) * part_size
        end = min(begin + part_size, U64(values.size))
        value, started = values[begin], bool(starts[begin])
        i = begin + ONE
        while i < end:
            if starts[i]:
                value, started = values[i], True
            else:
                value = combine(value, values[i], *arrays)
                values[i] = value
            i += ONE
        lasts[part], has_start[part] = value, started

    return named(scan, "scan_part", combine)


@functools.cache
def add_carry(combine: Operator, size: int) -> Operator:
    """Make an operator that combines the last value before a part with its values up to the first start."""
    part_size = U64(size)

    def add(before, values, starts, lasts, arrays):
        i = (U64(before) + ONE) * part_size
        end = min(i + part_size, U64(values.size))
        while i < end and not starts[i]:
            values[i] = combine(lasts[before], values[i], *arrays)
            i += ONE

    return named(add, "add_carry", combine)


def store_index(i, slot, indices):
    """Store index i in a slot."""
    indices[slot] = i


def store_number(i, slot, number, begin):
    """Number element i by its slot."""
    number[i] = begin + slot
