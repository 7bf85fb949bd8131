"""The list of all kernels of this package, and the functions that its definitions stand for.

The list is ``kernels.txt``, a definition in each line (`boruvka.kernels.definitions`). Tests record the
kernels that they call, and fail if one is not in the list; ``pytest --list-kernels`` adds it.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
from collections.abc import Iterable
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple

from boruvka.kernels.kernel_arguments import Kinds

PATH = Path(__file__).with_name("kernels.txt")


class Definition(NamedTuple):
    """A kernel of the list."""

    text: str
    function: FunctionType
    kinds: Kinds
    atomic: bool


def definitions() -> list[str]:
    """Return the definitions in the list."""
    return PATH.read_text("utf-8").splitlines()


def write(texts: Iterable[str]) -> None:
    """Replace the list."""
    PATH.write_text("".join(f"{text}\n" for text in sorted(set(texts))), "utf-8")


def parse(text: str) -> Definition:
    """Find what a definition stands for."""
    described, kinds, atomic = ast.literal_eval(text)
    return Definition(text, function_of(described), tuple(map(_kind_of, kinds)), atomic)


def _kind_of(described: Any) -> Any:
    if not isinstance(described, tuple):
        return described
    module, name, _ = described
    return functools.reduce(getattr, name.split("."), importlib.import_module(module))


@functools.cache
def function_of(described: tuple[str, tuple[Any, ...]]) -> FunctionType:
    """Make the function that a definition names, with the values that its closure holds."""
    name, held = described
    module_name, _, path = name.partition(":")
    module = importlib.import_module(module_name)
    outer, *inner = path.split(".<locals>.")
    function: Any = inspect.unwrap(functools.reduce(getattr, outer.split("."), module))  # type: ignore[arg-type]
    if not inner:
        return function
    code = function.__code__
    for part in inner:
        inside = [x for x in code.co_consts if isinstance(x, CodeType)]
        (code,) = (x for x in inside if x.co_name == part)  # a factory gives its functions different names
    values = {key: function_of(value) if isinstance(value, tuple) else value for key, value in held}
    cells = tuple(CellType(values[key]) for key in code.co_freevars)
    return FunctionType(code, vars(module), code.co_name, None, cells)
