"""Operators bound to a backend: copies that call compiled functions and the atomics of its machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CellType, FunctionType
from typing import Any

from boruvka.kernels.kernel_functions import ATOMICS


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
    known = function.__globals__
    replaced = {name: bind(known[name]) for name in names_of_callees(function)}
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    closure = tuple(CellType(bind(x) if isinstance(x, FunctionType) else x) for x in cells)
    namespace = {**known, **replaced}
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
    for name in names_of_callees(function):
        yield function.__globals__[name]
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, FunctionType):
            yield cell.cell_contents


def names_of_callees(function: FunctionType) -> Iterator[str]:
    """List the globals that are functions and that a function calls.

    A name may also be an attribute: ``numpy.linalg.norm`` in a function ``norm``, which does not call itself.
    """
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value is not function:
            yield name
