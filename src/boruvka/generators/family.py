"""What a family of graphs is to a command line: a function, and what its signature and docstring say."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Union

from boruvka.graph.graph import Graph

__all__ = ["Family", "Parameter"]


@dataclass(frozen=True)
class Parameter:
    """One argument of a generator.

    Parameters
    ----------
    name : str
        Its keyword.
    type : type
        int, float, bool or str.
    default : int, float, bool, str or None
        Its default; None where the generator derives it from the other arguments.
    choices : tuple of str
        The words that are allowed; empty where it is no choice.
    help : str
        What the docstring says about it.
    """

    name: str
    type: type
    default: Any
    choices: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True)
class Family:
    """One family of graphs.

    Parameters
    ----------
    function : callable
        The generator; it returns a `boruvka.Graph`.
    source : str
        Where the family is from.
    """

    function: Callable[..., Graph]
    source: str

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    @cached_property
    def summary(self) -> str:
        """The first line of its docstring."""
        return inspect.getdoc(self.function).splitlines()[0]  # type: ignore[union-attr]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its arguments, in the order of the signature."""
        hints = typing.get_type_hints(self.function)
        help = _described(inspect.getdoc(self.function) or "")
        return tuple(
            Parameter(name, *_scalar(hints[name], argument.default), help.get(name, ""))
            for name, argument in inspect.signature(self.function).parameters.items()
        )


def _scalar(hint: Any, default: Any) -> tuple[type, Any, tuple[str, ...]]:
    """Read an annotation: a scalar type, perhaps or None, or the words of a choice."""
    if typing.get_origin(hint) in (Union, types.UnionType):
        (hint,) = (option for option in typing.get_args(hint) if option is not types.NoneType)
    if typing.get_origin(hint) is Literal:
        return str, default, typing.get_args(hint)
    return hint, default, ()


def _described(doc: str) -> dict[str, str]:
    """Read the section Parameters of a NumPy-style docstring: name to text."""
    texts: dict[str, str] = {}
    names: list[str] = []
    _, _, section = doc.partition("Parameters\n----------\n")
    for line in section.partition("\n\n")[0].splitlines():
        if line.startswith(" "):
            texts |= {name: f"{texts[name]} {line.strip()}".strip() for name in names}
        else:
            names = [name.strip() for name in line.partition(" :")[0].split(",")]
            texts |= dict.fromkeys(names, "")
    return texts
