"""The definition of a kernel, as text that is the same in every version of Python and on every machine.

A definition names a function of this package by its module and the qualified name in its code. It has the
values that the closure holds, the types of the arguments, and whether atomics are instructions. The sources
that the names stand for are not part of it: a library of machine code has a digest of them
(`boruvka.kernels.library`).
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from boruvka.kernels.kernel_arguments import Kinds, kinds_in_words

PACKAGE = __name__.partition(".")[0]


def definition_of(function: FunctionType, kinds: Kinds, atomic: bool) -> str | None:
    """Describe a kernel.

    Parameters
    ----------
    function : function
        The function that is compiled.
    kinds : tuple
        The types of its arguments (see `boruvka.kernels.kernel_arguments.Kinds`).
    atomic : bool
        Whether the atomics that it calls are atomic instructions.

    Returns
    -------
    str or None
        A Python literal; None if a function of the user is compiled in, such as a distance.
    """
    try:
        described = _describe(function)
    except _NotOfPackageError:
        return None
    return repr((described, kinds_in_words(kinds), atomic))


class _NotOfPackageError(Exception):
    """A kernel is made of something that has no name in this package."""


def _describe(value: Any) -> Any:
    """Describe a function by its name and closure; a number or a string stands for itself."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if not isinstance(value, FunctionType) or not f"{value.__module__}.".startswith(f"{PACKAGE}."):
        raise _NotOfPackageError
    cells = zip(value.__code__.co_freevars, value.__closure__ or (), strict=True)
    held = tuple((name, _describe(cell.cell_contents)) for name, cell in sorted(cells, key=lambda c: c[0]))
    return f"{value.__module__}:{value.__code__.co_qualname}", held
