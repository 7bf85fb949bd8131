"""Operators bound to a backend: copies that call compiled functions and the atomics of its machine."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any


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
