"""Minimum spanning forests of large graphs, exact and fast.

A name is imported when it is first used, so that ``import boruvka`` takes no time.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boruvka import generators
    from boruvka.errors import (
        BackendError,
        BackendWarning,
        BoruvkaError,
        FileError,
        FormatError,
        GraphError,
        GraphTypeError,
        GraphWarning,
        MissingExtraError,
        OptionError,
    )
    from boruvka.forest.forest import Forest
    from boruvka.forest.verify import Verification, verify
    from boruvka.formats import read, write
    from boruvka.graph.graph import Graph
    from boruvka.interop.as_graph import as_graph
    from boruvka.runtime.progress import Progress
    from boruvka.solve import minimum_spanning_forest

__version__ = "0.1.0"

__all__ = [
    "BackendError",
    "BackendWarning",
    "BoruvkaError",
    "FileError",
    "Forest",
    "FormatError",
    "Graph",
    "GraphError",
    "GraphTypeError",
    "GraphWarning",
    "MissingExtraError",
    "OptionError",
    "Progress",
    "Verification",
    "as_graph",
    "generators",
    "minimum_spanning_forest",
    "read",
    "verify",
    "write",
]

MODULES = {
    "Forest": "forest.forest",
    "Graph": "graph.graph",
    "Progress": "runtime.progress",
    "Verification": "forest.verify",
    "as_graph": "interop.as_graph",
    "minimum_spanning_forest": "solve",
    "read": "formats",
    "verify": "forest.verify",
    "write": "formats",
}
"""The modules of the names above; errors are in ``errors``."""


if not TYPE_CHECKING:  # for a type checker, a name that is not listed above is an error

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            try:
                return importlib.import_module(f"{__name__}.{name}")  # a package, such as ``boruvka.bench``
            except ModuleNotFoundError as error:
                if error.name != f"{__name__}.{name}":
                    raise
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
        if name == "generators":
            return importlib.import_module("boruvka.generators")
        value = getattr(importlib.import_module(f"{__name__}.{MODULES.get(name, 'errors')}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
