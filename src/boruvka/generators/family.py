"""A family of graphs for the command line: its generator, with the arguments read from the signature."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from boruvka.graph.graph import Graph


@dataclass(frozen=True)
class Parameter:
    """One argument of a generator.

    Parameters
    ----------
    name : str
        The keyword.
    type : type
        int, float, bool or str.
    default : int, float, bool, str or None
        The default; None where the generator derives it from the other arguments.
    choices : tuple of str
        The allowed words; empty for other types than str.
    help : str
        Its description in the docstring.
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
        The generator, which returns a `boruvka.Graph`.
    source : str
        The publication of the family.
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
        """The arguments of the function, in the order of the signature."""
        hints = typing.get_type_hints(self.function)
        help = _read_descriptions(inspect.getdoc(self.function) or "")
        return tuple(
            Parameter(name, *_read_annotation(hints[name], argument.default), help.get(name, ""))
            for name, argument in inspect.signature(self.function).parameters.items()
        )


def _read_annotation(hint: Any, default: Any) -> tuple[type, Any, tuple[str, ...]]:
    """Read type, default and choices from an annotation: a scalar type, perhaps optional, or a Literal."""
    if typing.get_origin(hint) is Literal:
        return str, default, typing.get_args(hint)
    kinds = [kind for kind in typing.get_args(hint) or (hint,) if kind is not types.NoneType]
    return kinds[0], default, ()


def _read_descriptions(doc: str) -> dict[str, str]:
    """Read the description of each parameter from a NumPy-style docstring."""
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
