"""Inputs to measure on: files, and specifications of generated graphs or points."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from boruvka import Graph, generators, read
from boruvka.errors import OptionError
from lab.harness.ssca2 import ssca2

FAMILIES: dict[str, Callable[..., Graph]] = {
    **{name: family.function for name, family in generators.FAMILIES.items()},
    "ssca2": ssca2,
}
WORDS = {"true": True, "false": False}


def graph_of(name: str) -> Graph:
    """Read or generate a graph.

    Parameters
    ----------
    name : str
        A file, or a family with arguments: ``kronecker:scale=20,edge_factor=16,seed=1``.

    Raises
    ------
    OptionError
        There is no such file or family, or an argument is unknown or has an invalid value.
    FileError, FormatError
        As for `boruvka.read`.
    """
    return made(name, FAMILIES) if is_specification(name, FAMILIES) else read(name)


def is_specification(name: str, families: Mapping[str, Any]) -> bool:
    """Return whether a name, such as "grid:rows=9", is a specification and not a file.

    Raises
    ------
    OptionError
        It is neither.
    """
    if os.path.isfile(name):
        return False
    if name.partition(":")[0] not in families:
        known = ", ".join(families)
        raise OptionError(f"{name}: there is no such file, and no such family; there are {known}")
    return True


def made(specification: str, families: Mapping[str, Callable[..., Any]]) -> Any:
    """Generate what a specification says: call its family with the arguments."""
    family, _, rest = specification.partition(":")
    known = inspect.signature(families[family]).parameters
    arguments = {}
    for part in filter(None, rest.split(",")):
        name, _, value = part.partition("=")
        if name not in known:
            raise OptionError(
                f"{specification}: {family} has no argument {name!r}; it has {', '.join(known)}"
            )
        arguments[name] = _value(value)
    return families[family](**arguments)


def arguments_of(specification: str) -> dict[str, Any]:
    """Return the arguments of a specification."""
    parts = specification.partition(":")[2].split(",")
    return {name: _value(value) for name, _, value in (part.partition("=") for part in parts)}


def title_of(name: str) -> str:
    """Return a specification as it is, and a file without its folder: results hold no folders."""
    return Path(name).name if os.path.isfile(name) else name


def _value(text: str) -> Any:
    """Convert an argument to the type that it looks like; its function checks it."""
    for kind in (WORDS.__getitem__, int, float):
        try:
            return kind(text)
        except (KeyError, ValueError):
            continue
    return text
