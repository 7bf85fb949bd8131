"""Minimum spanning forests of large graphs, exact and fast.

A name is imported when it is first used, so that ``import boruvka`` takes no time.
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # as in typing, whose import would take longer than all of this module
if TYPE_CHECKING:
    from boruvka import generators
    from boruvka.arborescence import Arborescence, minimum_spanning_arborescence
    from boruvka.compile_ahead import warmup
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
    from boruvka.formats import read, write
    from boruvka.graph.graph import Graph
    from boruvka.incremental import IncrementalForest
    from boruvka.interop.as_graph import as_graph
    from boruvka.runtime.progress import Progress
    from boruvka.solve import minimum_spanning_forest
    from boruvka.spanning_trees import (
        ForestBatch,
        minimum_spanning_forests,
        random_spanning_tree,
        spanning_forests,
    )
    from boruvka.steiner import SteinerTree, steiner_tree
    from boruvka.verification.verify import Verification, verify

__version__ = "0.1.0"

__all__ = [
    "Arborescence",
    "BackendError",
    "BackendWarning",
    "BoruvkaError",
    "FileError",
    "Forest",
    "ForestBatch",
    "FormatError",
    "Graph",
    "GraphError",
    "GraphTypeError",
    "GraphWarning",
    "IncrementalForest",
    "MissingExtraError",
    "OptionError",
    "Progress",
    "SteinerTree",
    "Verification",
    "as_graph",
    "generators",
    "minimum_spanning_arborescence",
    "minimum_spanning_forest",
    "minimum_spanning_forests",
    "random_spanning_tree",
    "read",
    "spanning_forests",
    "steiner_tree",
    "verify",
    "warmup",
    "write",
]

_MODULES = {
    "Arborescence": "arborescence",
    "Forest": "forest.forest",
    "ForestBatch": "spanning_trees",
    "Graph": "graph.graph",
    "IncrementalForest": "incremental",
    "Progress": "runtime.progress",
    "SteinerTree": "steiner",
    "Verification": "verification.verify",
    "as_graph": "interop.as_graph",
    "minimum_spanning_arborescence": "arborescence",
    "minimum_spanning_forest": "solve",
    "minimum_spanning_forests": "spanning_trees",
    "random_spanning_tree": "spanning_trees",
    "read": "formats",
    "spanning_forests": "spanning_trees",
    "steiner_tree": "steiner",
    "verify": "verification.verify",
    "warmup": "compile_ahead",
    "write": "formats",
}
"""The modules of the names above; errors are in ``errors``."""
_SUBMODULES = (
    *("csgraph", "dask", "distributed", "formats", "interop", "networkx_backend", "segmentation"),
    *("sklearn", "spark", "stream"),
)
"""Public modules that users import themselves: some need libraries that may be missing, or start MPI."""


if not TYPE_CHECKING:  # for a type checker, a name that is not listed above is an error

    def __getattr__(name: str) -> object:
        if name in _SUBMODULES:
            raise AttributeError(f"boruvka.{name} is not imported yet: write import boruvka.{name}")
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "generators":
            return _import_module("boruvka.generators")
        value = getattr(_import_module(f"boruvka.{_MODULES.get(name, 'errors')}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """Return the public names, and the submodules that were imported."""
    return sorted([*__all__, "__version__", *(name for name in _SUBMODULES if name in globals())])
