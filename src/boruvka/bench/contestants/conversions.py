"""Conversions of other libraries' objects, beside the library's own cheapest walk over the same object."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.bench.contestants.libraries import Igraph, NetworKit, Rustworkx
from boruvka.errors import OptionError
from boruvka.formats import read
from boruvka.graph.graph import Graph
from boruvka.interop.as_graph import as_graph
from boruvka.solve import minimum_spanning_forest

__all__ = ["OBJECTS", "WALK", "Conversion", "Walk", "conversions_of"]

WALK = "walk of "
"""Prefix of the name of a walk; the name of the object follows."""


class Source(NamedTuple):
    """A kind of object that holds a graph."""

    module: str
    make: Callable[[Graph], Any]
    walk: Callable[[Any], Any]
    """Returns both ends and the weight of every edge once: in arrays, or in an iterator."""
    description: str
    """A description of the walk."""
    in_order: bool = True
    """Whether edges keep their order."""


class ObjectContestant(Contestant):
    """A contestant that reads an object and solves nothing."""

    def __init__(self, source: str):
        self.source = source
        self.module = self.package = OBJECTS[source].module

    def prepare(self, graph: Graph) -> Any:
        return OBJECTS[self.source].make(graph)


class Conversion(ObjectContestant):
    """`as_graph` of an object, or `boruvka.read` of a file; checked by the forest of the graph."""

    accuracy = 1e-12

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.source

    def solve(self, native: Any) -> Any:
        return read(native) if isinstance(native, Path) else as_graph(native)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        forest = minimum_spanning_forest(answer)
        return Outcome.of(forest.w, forest.edges if OBJECTS[self.source].in_order else None)


class Walk(ObjectContestant):
    """The library's own cheapest walk over an object."""

    is_probe = True

    @property
    def name(self) -> str:  # type: ignore[override]
        return f"{WALK}{self.source}"

    def solve(self, native: Any) -> Any:
        found = OBJECTS[self.source].walk(native)
        if hasattr(found, "__next__"):
            deque(found, maxlen=0)
        return found

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome(0, 0)


def conversions_of(names: Sequence[str] | None = None) -> list[Contestant]:
    """List the conversion and the walk of each object, by default if its library is installed.

    Raises
    ------
    OptionError
        There is no such object.
    MissingExtraError
        The library of a named object is not installed.
    """
    if names is None:
        names = [name for name in OBJECTS if Conversion(name).installed]
    pairs: list[Contestant] = []
    for name in names:
        if name not in OBJECTS:
            raise OptionError(f"unknown object {name!r}; there are {', '.join(OBJECTS)}")
        Conversion(name).require()
        pairs += Conversion(name), Walk(name)
    return pairs


def strings(ids: NDArray[Any]) -> NDArray[Any]:
    """Name vertices by strings."""
    return np.array([f"vertex-{i}" for i in range(int(ids.max()) + 1)], object)[ids]


def _columns(graph: Graph, named: bool) -> dict[str, NDArray[Any]]:
    u, v = (strings(x) if named else x.astype(np.int64) for x in (graph.u, graph.v))
    return {"u": u, "v": v, "w": graph.w}


def _pandas(graph: Graph, named: bool) -> Any:
    import pandas

    return pandas.DataFrame(_columns(graph, named))


def _pandas_strings(graph: Graph) -> Any:
    return _pandas(graph, True)


def _pandas_integers(graph: Graph) -> Any:
    return _pandas(graph, False)


def _factorize(frame: Any) -> Any:
    import pandas

    return pandas.factorize(frame["u"])[0], pandas.factorize(frame["v"])[0], frame["w"].to_numpy(copy=True)


def _copy_columns(frame: Any) -> Any:
    return [frame[name].to_numpy(copy=True) for name in "uvw"]


def _polars_strings(graph: Graph) -> Any:
    import polars

    return polars.DataFrame(_columns(graph, True))


def _cast(frame: Any) -> Any:
    import polars

    u, v = (frame[name].cast(polars.Categorical).to_physical().to_numpy() for name in "uv")
    return u, v, frame["w"].to_numpy()


def _arrow_strings(graph: Graph) -> Any:
    import pyarrow

    return pyarrow.table(_columns(graph, True))


def _encode(table: Any) -> Any:
    u, v = (table[name].dictionary_encode().combine_chunks().indices.to_numpy() for name in "uv")
    return u, v, table["w"].to_numpy()


def _parquet_file(graph: Graph) -> Path:
    import polars

    path = Path(tempfile.mkdtemp()) / "graph.parquet"
    polars.DataFrame(_columns(graph, False)).write_parquet(path)
    return path


def _read_columns(path: Path) -> Any:
    import polars

    frame = polars.read_parquet(path, columns=["u", "v", "w"])
    return [frame[name].to_numpy() for name in "uvw"]


def _networkx(graph: Graph, u: NDArray[Any], v: NDArray[Any]) -> Any:
    import networkx

    order = np.argsort(graph.w, kind="stable")[::-1]  # the last of parallel edges is kept: the lightest
    native = networkx.Graph()
    columns = (column[order].tolist() for column in (u, v, graph.w))
    native.add_weighted_edges_from(zip(*columns, strict=True))
    return native


def _networkx_integers(graph: Graph) -> Any:
    return _networkx(graph, graph.u, graph.v)


def _networkx_strings(graph: Graph) -> Any:
    return _networkx(graph, strings(graph.u), strings(graph.v))


def _edges_of_networkx(native: Any) -> Any:
    return iter(native.edges(data="weight"))


def _loaded(contestant: type[Contestant], graph: Graph) -> Any:
    made = contestant()
    made.load(1)
    return made.prepare(graph)


def _igraph(graph: Graph) -> Any:
    return _loaded(Igraph, graph)


def _edges_of_igraph(native: Any) -> Any:
    return zip(native.get_edgelist(), native.es["weight"], strict=True)


def _rustworkx(graph: Graph) -> Any:
    return _loaded(Rustworkx, graph)


def _edges_of_rustworkx(native: Any) -> Any:
    return np.asarray(native.edge_list()), native.edges()


def _networkit(graph: Graph) -> Any:
    return _loaded(NetworKit, graph)


def _edges_of_networkit(native: Any) -> Any:
    return iter(native.iterEdgesWeights())


def _csr(graph: Graph) -> Any:
    from scipy import sparse

    order = np.lexsort((graph.v, graph.u))  # SciPy would sum parallel edges, which changes the forest
    u, v = graph.u[order].astype(np.int32), graph.v[order].astype(np.int32)
    rows = np.concatenate([[0], np.bincount(u, minlength=graph.n).cumsum()]).astype(np.int32)
    return sparse.csr_array((graph.w[order], v, rows), shape=(graph.n, graph.n))


def _coordinates(matrix: Any) -> Any:
    coo = matrix.tocoo(copy=True)
    return coo.row, coo.col, coo.data


def _tuples(graph: Graph) -> Any:
    return list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))


def _unpack(edges: Any) -> Any:
    return ((u, v, w) for u, v, w in edges)


OBJECTS = {
    "pandas-strings": Source(
        "pandas", _pandas_strings, _factorize, "`pandas.factorize` of both, a copy of w"
    ),
    "pandas": Source("pandas", _pandas_integers, _copy_columns, "`to_numpy(copy=True)` of each column"),
    "polars-strings": Source("polars", _polars_strings, _cast, "`cast(Categorical)` of both, `to_numpy`"),
    "arrow-strings": Source("pyarrow", _arrow_strings, _encode, "`dictionary_encode` of both, `to_numpy`"),
    "parquet": Source(
        "polars", _parquet_file, _read_columns, "`polars.read_parquet`, `to_numpy` of each column"
    ),
    "networkx": Source(
        "networkx",
        _networkx_integers,
        _edges_of_networkx,
        '`G.edges(data="weight")`, consumed',
        in_order=False,
    ),
    "networkx-strings": Source(
        "networkx",
        _networkx_strings,
        _edges_of_networkx,
        '`G.edges(data="weight")`, consumed',
        in_order=False,
    ),
    "igraph": Source("igraph", _igraph, _edges_of_igraph, '`get_edgelist()` and `es["weight"]`, consumed'),
    "rustworkx": Source(
        "rustworkx", _rustworkx, _edges_of_rustworkx, "`numpy.asarray(edge_list())`, `edges()`"
    ),
    "networkit": Source(
        "networkit", _networkit, _edges_of_networkit, "`iterEdgesWeights()`, consumed", in_order=False
    ),
    "scipy-csr": Source("scipy", _csr, _coordinates, "`tocoo(copy=True)`", in_order=False),
    "tuples": Source("", _tuples, _unpack, "`for u, v, w in edges`"),
}
"""Kinds of objects by name; their libraries need not be installed."""
