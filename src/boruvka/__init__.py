"""Minimum spanning forests of large graphs, exact and fast.

A name is imported when it is first used, so that ``import boruvka`` takes no time.
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # as in typing, whose import would take longer than all of this module
if TYPE_CHECKING:
    from boruvka import generators
    from boruvka.compile_kernels import warmup
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
    from boruvka.formats import read, write
    from boruvka.graph.graph import Graph
    from boruvka.interop.as_graph import as_graph
    from boruvka.interop.geopandas import street_gaps
    from boruvka.runtime.progress import Progress
    from boruvka.trees.arborescence import Arborescence, minimum_spanning_arborescence
    from boruvka.trees.forest import Forest
    from boruvka.trees.forest_batch import ForestBatch, minimum_spanning_forests
    from boruvka.trees.incremental import IncrementalForest
    from boruvka.trees.minimum_spanning import edge_disjoint_forests, minimum_spanning_forest
    from boruvka.trees.mutual_reachability_forests import mutual_reachability_forests
    from boruvka.trees.prize_collecting import PrizeCollectingTree, prize_collecting_tree
    from boruvka.trees.random_tree import random_spanning_tree
    from boruvka.trees.rolling import rolling_forests
    from boruvka.trees.segmentation import pixel_graph, segment
    from boruvka.trees.steiner import SteinerTree, steiner_tree
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
    "PrizeCollectingTree",
    "Progress",
    "SteinerTree",
    "Verification",
    "as_graph",
    "edge_disjoint_forests",
    "generators",
    "minimum_spanning_arborescence",
    "minimum_spanning_forest",
    "minimum_spanning_forests",
    "mutual_reachability_forests",
    "pixel_graph",
    "prize_collecting_tree",
    "random_spanning_tree",
    "read",
    "rolling_forests",
    "segment",
    "steiner_tree",
    "street_gaps",
    "verify",
    "warmup",
    "write",
]

_MODULES = {
    "Arborescence": "trees.arborescence",
    "Forest": "trees.forest",
    "ForestBatch": "trees.forest_batch",
    "Graph": "graph.graph",
    "IncrementalForest": "trees.incremental",
    "PrizeCollectingTree": "trees.prize_collecting",
    "Progress": "runtime.progress",
    "SteinerTree": "trees.steiner",
    "Verification": "verification.verify",
    "as_graph": "interop.as_graph",
    "edge_disjoint_forests": "trees.minimum_spanning",
    "minimum_spanning_arborescence": "trees.arborescence",
    "minimum_spanning_forest": "trees.minimum_spanning",
    "minimum_spanning_forests": "trees.forest_batch",
    "mutual_reachability_forests": "trees.mutual_reachability_forests",
    "pixel_graph": "trees.segmentation",
    "prize_collecting_tree": "trees.prize_collecting",
    "random_spanning_tree": "trees.random_tree",
    "read": "formats",
    "rolling_forests": "trees.rolling",
    "segment": "trees.segmentation",
    "steiner_tree": "trees.steiner",
    "street_gaps": "interop.geopandas",
    "verify": "verification.verify",
    "warmup": "compile_kernels",
    "write": "formats",
}
"""The modules of the names above; errors are in ``errors``."""
_INSTEAD = {
    "minimum_spanning_forest(graph), which finds a tree for each component": "minimum_spanning_tree mst "
    "solve",
    "minimum_spanning_forest(graph) and call this method of it": "steps animate plot draw",
    "minimum_spanning_forest(graph, maximum=True)": "maximum_spanning_tree maximum_spanning_forest",
    "read(path)": "load read_csv from_csv read_graph from_file",
    "as_graph(x)": "from_edges from_pandas from_networkx",
    "minimum_spanning_forest(graph) for a tree; its paths are not the shortest, which "
    "scipy.sparse.csgraph.dijkstra and networkx.shortest_path find": "dijkstra shortest_path",
    'minimum_spanning_forest(graph, algorithm="kruskal")': "kruskal",
    'minimum_spanning_forest(graph, algorithm="prim")': "prim",
    "Graph.from_distances(matrix, correlations=True)": "from_correlation from_correlations",
}
"""What to write, and the names that other libraries and textbooks use for it, separated by blanks."""
_SUBMODULES = (
    *("csgraph", "dask", "distributed", "formats", "interop", "networkx_backend"),
    *("sklearn", "spark", "stream"),
)
"""Public modules that users import themselves: some need libraries that may be missing."""


if not TYPE_CHECKING:  # for a type checker, a name that is not listed above is an error

    def __getattr__(name: str) -> object:
        if name in _SUBMODULES:
            raise AttributeError(f"boruvka.{name} is not imported yet: write import boruvka.{name}")
        if name in ("HDBSCAN", "SingleLinkage"):
            raise AttributeError(f"write from boruvka.sklearn import {name}")
        if name not in __all__:
            advice = (f"; write boruvka.{a}" for a, words in _INSTEAD.items() if name in words.split())
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{next(advice, '')}")
        if name == "generators":
            return _import_module("boruvka.generators")
        value = getattr(_import_module(f"boruvka.{_MODULES.get(name, 'errors')}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """Return the public names, and the submodules that were imported."""
    return sorted([*__all__, "__version__", *(name for name in _SUBMODULES if name in globals())])
