"""Operators bound to a backend: copies that call compiled functions and the atomics of its machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

from boruvka.operators import atomics

ATOMICS = frozenset({atomics.atomic_min, atomics.atomic_add, atomics.atomic_swap_if})


def bound(function: FunctionType, bind: Callable[[FunctionType], Any], suffix: str) -> FunctionType:
    """Copy a function, and replace the functions that it calls or that its closure holds.

    Parameters
    ----------
    function : function
        An operator, or a function that one calls.
    bind : callable
        Returns the replacement of a function.
    suffix : str
        Appended to the qualified name of the copy.

    Returns
    -------
    function
    """
    called = {name: function.__globals__.get(name) for name in function.__code__.co_names}
    replaced = {name: bind(value) for name, value in called.items() if isinstance(value, FunctionType)}
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    closure = tuple(CellType(bind(x) if isinstance(x, FunctionType) else x) for x in cells)
    namespace = {**function.__globals__, **replaced}
    copy = FunctionType(function.__code__, namespace, function.__name__, None, closure)
    copy.__module__, copy.__qualname__ = function.__module__, f"{function.__qualname__}_{suffix}"
    return copy


def calls_atomics(function: FunctionType) -> bool:
    """Return whether a function calls an atomic, itself or through others."""
    seen: set[FunctionType] = set()
    todo = [function]
    while todo:
        new = set(callees_of(todo.pop())) - seen
        seen |= new
        todo += new
    return not ATOMICS.isdisjoint(seen)


def callees_of(function: FunctionType) -> Iterator[FunctionType]:
    """List the functions that a function calls or that its closure holds."""
    for name in function.__code__.co_names:
        if isinstance(value := function.__globals__.get(name), FunctionType):
            yield value
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, FunctionType):
            yield cell.cell_contents
