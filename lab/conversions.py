"""Conversions of other libraries' objects, beside the library's own cheapest walk over the same object."""

from __future__ import annotations

import statistics
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from boruvka import Graph, as_graph, minimum_spanning_forest, read
from lab.contestants.libraries import Igraph
from lab.harness.command import check_output, finish, output_option, show, split_names
from lab.harness.contestant import Contestant, Outcome, named
from lab.harness.graphs import graph_of
from lab.harness.results import GraphResult, Record, Rows, remarks_of
from lab.harness.tables import ratio
from lab.harness.turns import Plan, race

GRAPH = "random:n=100000,m=1000000,seed=1"
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


class Conversion(Contestant):
    """`as_graph` of an object, or `boruvka.read` of a file; checked by the forest of the graph."""

    accuracy = 1e-12

    def __init__(self, source: str):
        self.name = self.source = source
        self.module = self.package = OBJECTS[source].module

    def prepare(self, graph: Graph) -> Any:
        return OBJECTS[self.source].make(graph)

    def solve(self, native: Any) -> Any:
        return read(native) if isinstance(native, Path) else as_graph(native)

    def outcome(self, native: Any, answer: Any) -> Outcome | None:
        forest = minimum_spanning_forest(answer)
        return Outcome.of(forest.w, forest.edges if OBJECTS[self.source].in_order else None)


class Walk(Conversion):
    """The library's own cheapest walk over an object."""

    def __init__(self, source: str):
        super().__init__(source)
        self.name = f"{WALK}{source}"

    def solve(self, native: Any) -> Any:
        found = OBJECTS[self.source].walk(native)
        if hasattr(found, "__next__"):
            deque(found, maxlen=0)
        return found

    def outcome(self, native: Any, answer: Any) -> None:
        return None


def strings(ids: NDArray[Any]) -> NDArray[Any]:
    """Name vertices by strings."""
    return np.array([f"vertex-{i}" for i in range(int(ids.max()) + 1)], object)[ids]


def columns(graph: Graph, is_named: bool = False) -> dict[str, NDArray[Any]]:
    """Return the columns of a table of edges, with ends as integers or strings."""
    u, v = (strings(x) if is_named else x.astype(np.int64) for x in (graph.u, graph.v))
    return {"u": u, "v": v, "w": graph.w}


def pandas_frame(graph: Graph, is_named: bool = False) -> Any:
    """Make a data frame."""
    import pandas

    return pandas.DataFrame(columns(graph, is_named))


def factorize(frame: Any) -> Any:
    """Number the names of a data frame by pandas."""
    import pandas

    return pandas.factorize(frame["u"])[0], pandas.factorize(frame["v"])[0], frame["w"].to_numpy(copy=True)


def polars_frame(graph: Graph, is_named: bool = False) -> Any:
    """Make a data frame of polars."""
    import polars

    return polars.DataFrame(columns(graph, is_named))


def categories(frame: Any) -> Any:
    """Number the names of a data frame by polars."""
    import polars

    u, v = (frame[name].cast(polars.Categorical).to_physical().to_numpy() for name in "uv")
    return u, v, frame["w"].to_numpy()


def arrow_table(graph: Graph) -> Any:
    """Make a table of Arrow with strings."""
    import pyarrow

    return pyarrow.table(columns(graph, True))


def dictionaries(table: Any) -> Any:
    """Number the names of a table by Arrow."""
    u, v = (table[name].dictionary_encode().combine_chunks().indices.to_numpy() for name in "uv")
    return u, v, table["w"].to_numpy()


def parquet_file(graph: Graph) -> Path:
    """Write a Parquet file."""
    path = Path(tempfile.mkdtemp()) / "graph.parquet"
    polars_frame(graph).write_parquet(path)
    return path


def parquet_columns(path: Path) -> Any:
    """Read a Parquet file by polars."""
    import polars

    frame = polars.read_parquet(path, columns=["u", "v", "w"])
    return [frame[name].to_numpy() for name in "uvw"]


def networkx_graph(graph: Graph, name: Callable[[Any], Any] = np.asarray) -> Any:
    """Make a graph of NetworkX, which keeps the last of parallel edges: the lightest."""
    import networkx

    order = np.argsort(graph.w, kind="stable")[::-1]
    native = networkx.Graph()
    ends = (name(column)[order].tolist() for column in (graph.u, graph.v))
    native.add_weighted_edges_from(zip(*ends, graph.w[order].tolist(), strict=True))
    return native


def igraph_graph(graph: Graph) -> Any:
    """Make a graph of igraph."""
    made = Igraph()
    made.load(1)
    return made.prepare(graph)


def csr_array(graph: Graph) -> Any:
    """Make a CSR array; SciPy would sum parallel edges, which changes the forest."""
    from scipy import sparse

    order = np.lexsort((graph.v, graph.u))
    u, v = graph.u[order].astype(np.int32), graph.v[order].astype(np.int32)
    rows = np.concatenate([[0], np.bincount(u, minlength=graph.n).cumsum()]).astype(np.int32)
    return sparse.csr_array((graph.w[order], v, rows), shape=(graph.n, graph.n))


def coordinates(matrix: Any) -> Any:
    """List the entries of a matrix by SciPy."""
    coo = matrix.tocoo(copy=True)
    return coo.row, coo.col, coo.data


def networkx_edges(graph: Any) -> Any:
    """Walk over the edges of NetworkX."""
    return iter(graph.edges(data="weight"))


OBJECTS = {
    "pandas-strings": Source(
        "pandas",
        lambda graph: pandas_frame(graph, True),
        factorize,
        "`pandas.factorize` of both, a copy of w",
    ),
    "pandas": Source(
        "pandas",
        pandas_frame,
        lambda frame: [frame[name].to_numpy(copy=True) for name in "uvw"],
        "`to_numpy(copy=True)` of each column",
    ),
    "polars-strings": Source(
        "polars",
        lambda graph: polars_frame(graph, True),
        categories,
        "`cast(Categorical)` of both, `to_numpy`",
    ),
    "arrow-strings": Source("pyarrow", arrow_table, dictionaries, "`dictionary_encode` of both, `to_numpy`"),
    "parquet": Source(
        "polars", parquet_file, parquet_columns, "`polars.read_parquet`, `to_numpy` of each column"
    ),
    "networkx": Source(
        "networkx", networkx_graph, networkx_edges, '`G.edges(data="weight")`, consumed', False
    ),
    "networkx-strings": Source(
        "networkx",
        lambda graph: networkx_graph(graph, strings),
        networkx_edges,
        '`G.edges(data="weight")`, consumed',
        False,
    ),
    "igraph": Source(
        "igraph",
        igraph_graph,
        lambda native: zip(native.get_edgelist(), native.es["weight"], strict=True),
        '`get_edgelist()` and `es["weight"]`, consumed',
    ),
    "scipy-csr": Source("scipy", csr_array, coordinates, "`tocoo(copy=True)`", False),
    "tuples": Source(
        "",
        lambda graph: list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)),
        lambda edges: ((u, v, w) for u, v, w in edges),
        "`for u, v, w in edges`",
    ),
}
"""Kinds of objects by name; their libraries need not be installed."""


def contestants_of(names: Sequence[str] | None = None) -> list[Contestant]:
    """List the conversion and the walk of each object, by default if its library is installed.

    Raises
    ------
    OptionError
        There is no such object.
    MissingExtraError
        The library of a named object is not installed.
    """
    conversions = named({name: Conversion(name) for name in OBJECTS}, names)
    return [contestant for one in conversions for contestant in (one, Walk(one.name))]


def table_of(result: GraphResult) -> Rows:
    """Compare conversions with walks: medians of times, and of the ratios per turn."""
    entries = {entry.contestant: entry for entry in result.entries}
    rows = []
    for name in (name for name in entries if not name.startswith(WALK)):
        conversion, walk = entries[name], entries[WALK + name]
        ms = [one.row()["median ms"] for one in (conversion, walk)]
        ratios = [ratio(a, b) for a, b in zip(conversion.samples, walk.samples, strict=False)]
        known = [x for x in ratios if x is not None]
        rows.append(
            {
                "object": name,
                "conversion ms": ms[0],
                "walk ms": ms[1],
                "ratio": statistics.median(known) if known and None not in ms else None,
                "walk": OBJECTS[name].description,
                "error": conversion.error or walk.error,
            }
        )
    return rows


@click.command()
@click.argument("graph", default=GRAPH)
@click.option(
    "--objects", callback=split_names, help="Objects, with commas; by default all that can be made."
)
@output_option
def command(graph: str, objects: tuple[str, ...] | None, output: Path | None) -> None:
    """Measure what it costs to convert an object of another library.

    The ratio is to the library's own cheapest walk, which gives both ends and the weight of every edge once.
    Conversion and walk take turns. The forest of each converted graph is checked first.
    """
    check_output(output)
    result = race(graph, graph_of(graph), Plan(contestants_of(objects)), show)
    finish(
        Record("conversions", {"medians": table_of(result)}, {"graph": graph}, remarks_of([result])), output
    )
