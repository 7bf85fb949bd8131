"""The registry of algorithms: each enters itself by the decorator `algorithm`, and is found by its name.

To add an algorithm, write ``name(graph, backend, round_log, **options)`` in a new file of this room or of
`boruvka.algorithms.literature`, and decorate it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from boruvka.errors import OptionError, shown
from boruvka.runtime.registry import Registry

__all__ = ["ALGORITHMS", "Algorithm", "algorithm", "edge_list_algorithms"]

Solver = TypeVar("Solver", bound=Callable[..., Any])


class Algorithm(NamedTuple):
    """An algorithm that `minimum_spanning_forest` can run.

    Attributes
    ----------
    name : str
    run : callable
        ``run(graph, backend, round_log, **options)`` finds the minimum spanning forest of an `EdgeList`, logs
        its rounds and steps, and returns the edges of the forest, an (f,) array of int64, ascending.
    source : str
        Authors and year of publication.
    complexity : str
        The work for n vertices and m edges.
    use : str
        The graphs and purposes that it suits.
    takes : str
        Graphs without an edge list that it takes, as an error names them; it then takes no others. An
        algorithm with an empty string takes any graph.
    """

    name: str
    run: Callable[..., Any]
    source: str
    complexity: str
    use: str
    takes: str = ""

    @property
    def options(self) -> dict[str, bool | int]:
        """Names and default values of the options."""
        parameters = list(inspect.signature(self.run).parameters.values())[3:]
        return {parameter.name: parameter.default for parameter in parameters}

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise an `OptionError` unless these are options of the algorithm, of the right types."""
        if not isinstance(options, Mapping):
            raise OptionError(f"options must be a mapping of names to values, got {shown(options)}")
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise OptionError(f"{self.name} has no option {shown(name)}; it has {known}")
            kind = type(self.options[name])
            if type(value) is not kind:
                wanted = {bool: "True or False", int: "an integer"}[kind]
                raise OptionError(f"option {name} of {self.name} must be {wanted}, got {shown(value)}")


ALGORITHMS: Registry[str, Algorithm] = Registry("boruvka.algorithms", "boruvka.algorithms.literature")
"""The algorithms by name; a lookup imports the file of the algorithm, a list imports all files."""


def algorithm(
    name: str, *, source: str, complexity: str, use: str, takes: str = ""
) -> Callable[[Solver], Solver]:
    """Decorate the function that runs an algorithm: enter it in `ALGORITHMS` (see `Algorithm`)."""

    def enter(solver: Solver) -> Solver:
        ALGORITHMS.enter(name, Algorithm(name, solver, source, complexity, use, takes))
        return solver

    return enter


def edge_list_algorithms() -> tuple[str, ...]:
    """List the names of the algorithms that take any graph."""
    return tuple(name for name, each in ALGORITHMS.items() if not each.takes)
