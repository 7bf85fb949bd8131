"""The registry of algorithms: each enters itself by the decorator `algorithm`, and is found by its name.

To add an algorithm, write ``name(edge_list, backend, round_log, **options)`` in a new file of this room or of
`boruvka.algorithms.literature`, and decorate it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

from boruvka.errors import OptionError, shown

Solver = TypeVar("Solver", bound=Callable[..., Any])


class Algorithm(NamedTuple):
    """An algorithm that `minimum_spanning_forest` can run.

    Attributes
    ----------
    name : str
    run : callable
        ``run(edge_list, backend, round_log, **options)`` finds the minimum spanning forest of an `EdgeList`,
        or of `ImplicitEdges` if ``takes`` is not empty. It logs its rounds and steps, and returns the edges
        of the forest, an (f,) array of int64, ascending.
    source : str
        Authors and year of publication.
    complexity : str
        The work for n vertices and m edges.
    use : str
        The graphs and purposes that it suits.
    implicit_graphs : str
        The graphs without an edge list that it takes, as an error names them; it then takes no others. Empty
        for an algorithm that takes any graph.
    """

    name: str
    run: Callable[..., Any]
    source: str
    complexity: str
    use: str
    implicit_graphs: str = ""

    @property
    def needs_implicit_graph(self) -> bool:
        """Whether it takes only graphs without an edge list, whose weights it computes."""
        return bool(self.implicit_graphs)

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


Key = TypeVar("Key", str, tuple[str, str])
Value = TypeVar("Value")


class Registry(Mapping[Key, Value]):
    """Mapping from names to what the modules of some packages enter when they are imported.

    The module of an entry usually has its name (``filter_boruvka`` enters "filter-boruvka"), and is then the
    only one that a lookup imports. Other lookups, and lists of all entries, import every module. Where a name
    is a tuple, its last part names the module.

    Parameters
    ----------
    *packages : str
        Names of the packages; the modules directly in them may enter things.
    """

    def __init__(self, *packages: str):
        self._packages, self._is_complete = packages, False
        self._entries: dict[Key, Value] = {}

    def enter(self, key: Key, value: Value) -> None:
        """Enter a value under a name."""
        self._entries[key] = value

    def __getitem__(self, key: Key) -> Value:
        name = (key if isinstance(key, str) else key[-1]).replace("-", "_")
        for package in self._packages if name.isidentifier() else ():
            if key not in self._entries and find_spec(f"{package}.{name}"):
                import_module(f"{package}.{name}")
        if key not in self._entries:
            self._import_all()
        return self._entries[key]

    def __iter__(self) -> Iterator[Key]:
        self._import_all()
        return iter(self._entries)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _import_all(self) -> None:
        """Import every module, and sort the entries by name: they were entered in any order of imports."""
        if self._is_complete:
            return
        from pkgutil import iter_modules

        for package in self._packages:
            for module in iter_modules(import_module(package).__path__, f"{package}."):
                if not module.ispkg:
                    import_module(module.name)
        self._entries = dict(sorted(self._entries.items(), key=lambda entry: entry[0]))
        self._is_complete = True


ALGORITHMS: Registry[str, Algorithm] = Registry("boruvka.algorithms", "boruvka.algorithms.literature")
"""The algorithms by name; a lookup imports the file of the algorithm, a list imports all files."""


def algorithm(
    name: str, *, source: str, complexity: str, use: str, implicit_graphs: str = ""
) -> Callable[[Solver], Solver]:
    """Decorate the function that runs an algorithm: enter it in `ALGORITHMS` (see `Algorithm`)."""

    def enter(solver: Solver) -> Solver:
        ALGORITHMS.enter(name, Algorithm(name, solver, source, complexity, use, implicit_graphs))
        return solver

    return enter


def edge_list_algorithms() -> tuple[str, ...]:
    """List the names of the algorithms that take any graph."""
    return tuple(name for name, each in ALGORITHMS.items() if not each.needs_implicit_graph)
