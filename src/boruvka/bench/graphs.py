"""Graphs to measure: files, specifications of generated graphs, and named sets of these."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from boruvka.errors import OptionError
from boruvka.formats import read
from boruvka.generators import FAMILIES, Family, Parameter
from boruvka.graph.graph import Graph
from boruvka.runtime.argument_names import passing

__all__ = ["SUITES", "arguments_of", "graph_of", "is_specification", "names_of"]

_SPECIFICATION = re.compile(r"(\w+)(?::(\w+=.*))?")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
_GRID = "grid:rows=2000,cols=2000,drop=0.1,seed=1"

SUITES: dict[str, tuple[str, ...]] = {
    "quick": (
        "random:n=30000,m=250000,seed=1",
        "kronecker:scale=14,seed=1",
        "grid:rows=300,cols=300,shuffle=true,seed=1",
    ),
    "small": (
        "random:n=100,m=500,seed=1",
        "random:n=1000,m=5000,seed=1",
        "random:n=10000,m=50000,seed=1",
        "grid:rows=100,cols=100,seed=1",
    ),
    "race": (
        "random:n=1000000,m=9000000,seed=1",
        "random:n=5000000,m=30000000,seed=1",
        "kronecker:scale=19,seed=1",
        "kronecker:scale=20,seed=1",
        "kronecker:scale=22,seed=1",
        "rmat:scale=20,m=15700000,a=0.57,b=0.19,c=0.19,d=0.05,permute=true,seed=1",
        f"{_GRID},shuffle=true",
        _GRID,
        "grid:rows=5000,cols=5000,seed=1",
        "geometric:n=1000000,degree=16,seed=1,dtype=float32",
        "complete:n=3000,seed=1",
        "star:n=1000000,seed=1",
        "path:n=1000000,seed=1",
    ),
    "weights": tuple(
        f"{graph},dtype={dtype},weights={kind}"
        for graph in ("random:n=1000000,m=9000000,seed=1", _GRID, "kronecker:scale=18,seed=1")
        for dtype in ("float32", "float64", "int32", "int64")
        for kind in ("distinct", "few", "equal")
    ),
    "curve": tuple(f"random:n={2**k // 8},m={2**k},seed=1" for k in range(16, 28)),
    "conversions": ("random:n=100000,m=1000000,seed=1",),
}
"""Named sets of graphs; "quick" takes some seconds to measure."""


def names_of(
    graphs: Sequence[str],
    suite: str | None,
    suites: Mapping[str, tuple[str, ...]] = SUITES,
    families: Mapping[str, Family] = FAMILIES,
) -> tuple[str, ...]:
    """List the named graphs and those of a suite; without either, the suite "quick".

    Parameters
    ----------
    graphs : sequence of str
        Files and specifications.
    suite : str or None
    suites : dict of str to tuple of str
        The suites by name.
    families : dict of str to Family
        The families of specifications by name.

    Raises
    ------
    OptionError
        There is no such suite, or a specification is malformed.
    """
    if suite is not None and suite not in suites:
        raise OptionError(f"unknown suite {suite!r}; there are {', '.join(suites)}")
    names = (*graphs, *(suites[suite] if suite else () if graphs else suites["quick"]))
    for name in names:
        if is_specification(name, families):
            arguments_of(name, families)
        elif not os.path.isfile(name):
            raise OptionError(
                f"{name}: there is no such file, and no such family: give {', '.join(families)}, "
                "as family:argument=value,..."
            )
    return names


def is_specification(name: str, families: Mapping[str, Family] = FAMILIES) -> bool:
    """Return whether a name, such as "grid" or "grid:rows=9", is a generated graph and not a file."""
    match = _SPECIFICATION.fullmatch(name)
    return match is not None and match[1] in families and not os.path.exists(name)


def graph_of(name: str) -> Graph:
    """Read or generate a graph.

    Parameters
    ----------
    name : str
        A file, or a family of `boruvka.generators` with arguments:
        ``kronecker:scale=20,edge_factor=16,dtype=float32,seed=1``.

    Returns
    -------
    Graph

    Raises
    ------
    OptionError
        An argument is unknown or has an invalid value.
    FileError, FormatError
        As for `boruvka.read`.
    """
    if not is_specification(name):
        with passing():
            return read(name)
    family, arguments = arguments_of(name)
    return family.function(**arguments)


def arguments_of(
    specification: str, families: Mapping[str, Family] = FAMILIES
) -> tuple[Family, dict[str, Any]]:
    """Parse a specification into a family and its arguments."""
    name, _, rest = specification.partition(":")
    family = families[name]
    known = {parameter.name: parameter for parameter in family.parameters}
    arguments = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise OptionError(f"{specification}: {name} has no argument {key!r}; it has {', '.join(known)}")
        arguments[key] = _value(specification, known[key], value)
    return family, arguments


def _value(specification: str, parameter: Parameter, text: str) -> Any:
    try:
        value = _TRUTH[text.lower()] if parameter.type is bool else parameter.type(text)
    except (KeyError, ValueError):
        kind = {bool: "true or false", int: "a whole number", float: "a number"}[parameter.type]
        raise OptionError(f"{specification}: {parameter.name} must be {kind}, got {text!r}") from None
    if parameter.choices and value not in parameter.choices:
        raise OptionError(
            f"{specification}: {parameter.name} must be one of {', '.join(parameter.choices)}; got {text!r}"
        )
    return value
