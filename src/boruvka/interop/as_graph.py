"""Conversion of other libraries' objects to graphs; their types are recognised without importing them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, GraphWarning, OptionError
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.graph import Graph
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.graph.validation import is_masked_array
from boruvka.interop.rows import columns_of

__all__ = ["as_graph", "as_graph_with_names"]

LIBRARIES = {
    "networkx": "networkx",
    "igraph": "igraph",
    "rustworkx": "rustworkx",
    "networkit": "networkit",
    "graph_tool": "graph_tool",
    "pandas": "data_frames",
    "polars": "data_frames",
    "pyarrow": "data_frames",
    "duckdb": "data_frames",
    "_duckdb": "data_frames",
    "torch": "torch",
    "torch_geometric": "torch",
}
"""For each library, the module of this package whose ``graph_from`` takes its objects."""
FEW_ZEROS = 0.1
"""A matrix with at most this share of zeros off its diagonal looks like distances."""


def as_graph(graph: Any, **options: Any) -> AbstractGraph:
    """Make a graph from an object of any known type.

    Vertices keep their names (`Graph.names`) if these are not numbers; a graph of another library keeps the
    order of its vertices and edges.

    Parameters
    ----------
    graph : object
        A `Graph`; arrays ``(u, v, w)``, ``(u, v, w, n)`` or ``(edge_index, w)`` in a tuple; a list or an
        iterator of edges ``(u, v, w)``, or an (m, 3) array of them; a SciPy sparse array or a 2-D array of
        weights (a stored zero of the first is an edge, a zero of the second is not); a dict of dicts of
        weights; a graph of NetworkX, igraph, rustworkx, NetworKit, graph-tool or PyTorch Geometric; a frame
        of pandas or polars, an Arrow table or a DuckDB relation with a row per edge; a tensor of PyTorch.
    **options
        Options of the function that converts the object: `boruvka.interop.networkx.graph_from`, for example,
        takes ``weight`` and ``default``, `boruvka.interop.data_frames.graph_from` takes ``u``, ``v``, ``w``.

    Returns
    -------
    AbstractGraph

    Raises
    ------
    GraphTypeError
        The object is not of a known type.
    OptionError
        Its conversion takes no such option.
    GraphError
        Its values do not make a graph.

    Warns
    -----
    GraphWarning
        A 2-D array looks like distances, some of them zero: see `Graph.from_distances`.

    Examples
    --------
    >>> import boruvka
    >>> graph = boruvka.as_graph([("a", "b", 3), ("b", "c", 1), ("c", "a", 2)])
    >>> forest = boruvka.minimum_spanning_forest(graph)
    >>> graph.name_of(forest.u).tolist(), graph.name_of(forest.v).tolist()
    (['b', 'c'], ['c', 'a'])
    """
    convert = _converter(graph)
    if options:
        import inspect

        takes = list(inspect.signature(convert).parameters)[1:]
        for name in options:
            if name not in takes:
                known = f"; it takes {', '.join(takes)}" if takes else ""
                raise OptionError(f"{type(graph).__name__} has no option {name!r} here{known}")
    return convert(graph, **options)


def as_graph_with_names(graph: Any) -> AbstractGraph:
    """Make a graph as `as_graph` does, but take integers as names where the object leaves that open."""
    import inspect

    convert = _converter(graph)
    return convert(graph, **{"names": True} if "names" in inspect.signature(convert).parameters else {})


def _converter(graph: Any) -> Callable[..., AbstractGraph]:
    """Find the function that makes a graph from an object."""
    if isinstance(graph, AbstractGraph):
        return _itself
    if isinstance(graph, tuple):
        return _of_columns
    if isinstance(graph, np.ndarray):
        return _of_array
    if hasattr(graph, "tocoo"):
        return Graph.from_scipy
    for base in type(graph).__mro__:
        if module := LIBRARIES.get(base.__module__.partition(".")[0]):
            return import_module(f"boruvka.interop.{module}").graph_from
    if isinstance(graph, Mapping):
        return _of_dicts
    if hasattr(graph, "columns"):  # iterated over, it would be a list of their names
        raise GraphTypeError(
            f"cannot make a graph of {type(graph).__module__}.{type(graph).__qualname__}: convert it to a "
            "frame of pandas or polars, or to an Arrow table, first; with Dask frame.compute(), with Spark "
            "frame.toArrow()"
        )
    if isinstance(graph, Iterable) and not isinstance(graph, str | bytes):
        return _of_edges
    raise GraphTypeError(
        f"cannot make a graph of {type(graph).__name__}: pass arrays (u, v, w), a list of edges (u, v, w), a "
        "SciPy sparse array, a 2-D array, a data frame, or a graph of NetworkX, igraph, rustworkx, NetworKit "
        "or graph-tool; a file is read by boruvka.read"
    )


def _itself(graph: AbstractGraph) -> AbstractGraph:
    return graph


def _of_columns(columns: tuple[Any, ...], names: Any = None) -> Graph:
    if len(columns) == 2 and tuple(getattr(columns[0], "shape", ())[:-1]) == (2,):
        (u, v), w = columns
        columns = u, v, w[:, 0] if tuple(getattr(w, "shape", ())[1:]) == (1,) else w
    if len(columns) not in (3, 4):
        raise GraphTypeError(
            "a graph given as a tuple is (u, v, w), (u, v, w, n) or (edge_index, w) with two rows in "
            f"edge_index; this one has {len(columns)} items"
        )
    return Graph.from_edges(columns[0], columns[1], columns[2], columns[3] if columns[3:] else None, names)


def _of_array(array: NDArray[Any]) -> AbstractGraph:
    """Take a matrix of weights, or a list of edges with three columns."""
    if is_masked_array(array):
        return Graph.from_dense(array)
    if array.ndim != 2 or (array.shape[0] != array.shape[1] and array.shape[1] != 3):
        raise GraphError(
            "a graph given as an array is a square matrix of weights, or has three columns u, v, w; this one "
            f"has shape {array.shape}; points: Graph.from_points; distances as pdist returns them: "
            "Graph.from_distances; two rows of ends: (edge_index, w)"
        )
    if array.shape == (3, 3):
        raise GraphError(
            "a 3 x 3 array may be a matrix of weights, Graph.from_dense(a), or three edges (u, v, w), "
            "Graph.from_edges(*a.T): write which"
        )
    if array.shape[1] == 3:
        return Graph.from_edges(*array.T)
    graph = Graph.from_dense(array)
    if isinstance(graph, ImplicitGraph):
        _warn_of_zero_distances(graph, array)
    return graph


def _warn_of_zero_distances(graph: ImplicitGraph, matrix: NDArray[Any]) -> None:
    """Warn if a matrix with a zero diagonal has a few other zeros: its entries are probably distances."""
    pairs = graph.n * (graph.n - 1)
    if 0 < pairs - graph.m <= FEW_ZEROS * pairs and not np.diagonal(matrix).any():
        warnings.warn(
            f'{pairs - graph.m} entries off the diagonal are zero, which means "no edge" here; if they are '
            "distances of equal points, use Graph.from_distances(a); Graph.from_dense(a) says that they are "
            "not edges",
            GraphWarning,
            stacklevel=5,
        )


def _of_dicts(neighbours: Mapping[Any, Any], weight: str = "weight") -> Graph:
    """Take a dict that has, for each vertex, the weights of the edges to its neighbours."""
    number = {name: i for i, name in enumerate(neighbours)}
    u: list[int] = []
    v: list[int] = []
    w: list[Any] = []
    for name, edges in neighbours.items():
        if not isinstance(edges, Mapping):
            raise GraphTypeError(
                f"a graph given as a dict is {{vertex: {{neighbour: weight}}}}; the value of {name!r} is "
                f"{type(edges).__name__}"
            )
        for other, value in edges.items():
            u.append(number[name])
            v.append(number.setdefault(other, len(number)))
            w.append(value.get(weight) if isinstance(value, Mapping) else value)
            if w[-1] is None:
                raise GraphError(f"edge {len(w) - 1} ({name!r}, {other!r}) has no {weight!r}")
    return Graph.from_edges(u, v, w, len(number), number)


def _of_edges(edges: Iterable[Any], names: Any = None, n: int | None = None) -> Graph:
    """Take edges (u, v, w)."""
    listed = list(edges)
    if names is None and (columns := columns_of(listed)) is not None and len(columns) == 3:
        return Graph(n, *columns)
    if len(listed) == 3 and all(hasattr(column, "ndim") and len(column) != 3 for column in listed):
        return Graph.from_edges(listed[0], listed[1], listed[2], n, names)
    if len(listed) == 3 and all((type(x) is list or hasattr(x, "ndim")) and len(x) == 3 for x in listed):
        raise GraphError(
            "three lists of three may be a matrix of weights, Graph.from_dense(x), three edges, "
            "Graph.from_edges(*zip(*x)), or u, v and w, Graph.from_edges(*x): write which"
        )
    _check_triples(listed)
    u, v, w = zip(*listed, strict=True) if listed else ((), (), ())
    return Graph.from_edges(list(u), list(v), list(w), n=n, names=names)


def _check_triples(edges: list[Any]) -> None:
    """Raise an error that names the first element that is not an edge (u, v, w)."""
    for i, edge in enumerate(edges):
        size = len(edge) if hasattr(edge, "__len__") and not isinstance(edge, str) else -1
        if size == len(edges) != 3 and isinstance(edge, list):
            raise GraphError("a matrix of weights as a list of its rows: write Graph.from_dense(x)")
        if size != 3:
            raise (GraphTypeError if size < 0 else GraphError)(
                f"edge {i} is {edge!r}: a graph given as a list has edges (u, v, weight); without weights, "
                "give each the weight 1"
            )
