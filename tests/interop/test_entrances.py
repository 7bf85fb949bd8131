"""Every entrance gives the same forest for the same edges, in memory, in files, and streamed."""

import duckdb
import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, stream
from tests import oracles

pl = pytest.importorskip("polars")


def entrances(u, v, w, folder):
    """Yield graphs of the same edges, made in every way that keeps their order."""
    rows, held = list(zip(u, v, w, strict=True)), {"u": u, "v": v, "w": w}
    yield from (rows, iter(rows), [*map(list, rows)] if len(rows) > 3 else rows, (u, v, w))
    yield from ((make(u), make(v), make(w)) for make in (np.array, pd.Series, pl.Series, pa.array))
    yield from (make(held) for make in (pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table))
    yield duckdb.from_arrow(pa.table(held))
    pl.DataFrame(held).write_csv(folder / "edges.csv")
    pl.DataFrame(held).write_parquet(folder / "edges.parquet")
    yield from map(boruvka.read, (folder / "edges.csv", folder / "edges.parquet"))


def described(forest):
    """Return the edges of a forest, their ends by name, and the number and names of the vertices."""
    graph, edges = forest.graph, forest.edges.tolist()
    ends = [graph.name_of(x).tolist() for x in (forest.u, forest.v)]
    return edges, ends, forest.w.tolist(), forest.n, None if graph.names is None else graph.names.tolist()


@pytest.mark.filterwarnings("ignore:vertex 0 has no edge:boruvka.errors.GraphWarning")
@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(-3, 3)), min_size=4, max_size=12),
    st.booleans(),
)
def test_every_entrance_gives_the_same_forest(tmp_path, edges, named):
    u, v, w = map(list, zip(*edges, strict=True))
    number = {x: k for k, x in enumerate(dict.fromkeys(u + v))} if named else {x: x for x in range(8)}
    n = len(number) if named else max(u + v) + 1
    ends = [np.array([number[x] for x in column]) for column in (u, v)]
    chosen = oracles.kruskal(n, *ends, np.array(w))
    if named:
        u, v = ([f"vertex {x}" for x in column] for column in (u, v))
    expected = described(boruvka.minimum_spanning_forest(Graph.from_edges(u, v, w)))
    assert (expected[0], expected[3]) == (chosen, n)
    for graph in entrances(u, v, w, tmp_path):
        assert described(boruvka.minimum_spanning_forest(graph)) == expected
    for source in tmp_path / "edges.csv", tmp_path / "edges.parquet", pl.DataFrame({"u": u, "v": v, "w": w}):
        assert described(stream.minimum_spanning_forest(source)) == expected


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12), st.booleans())
def test_graphs_of_other_libraries_give_the_same_forest(pairs, named):
    pairs = sorted({(min(pair), max(pair)) for pair in pairs})
    names = [f"vertex {x}" for x in range(8)] if named else list(range(8))
    w = [(3 * a + b) % 4 for a, b in pairs]
    g = nx.Graph()
    g.add_nodes_from(names)
    g.add_weighted_edges_from((names[a], names[b], x) for (a, b), x in zip(pairs, w, strict=True))
    h = igraph.Graph(
        n=8, edges=pairs, edge_attrs={"weight": w}, vertex_attrs={"name": names} if named else {}
    )
    graph = Graph(8, [a for a, _ in pairs], [b for _, b in pairs], w)
    if named:
        graph = graph.with_names(names)
    expected = described(boruvka.minimum_spanning_forest(graph))
    for other in g, h:
        assert described(boruvka.minimum_spanning_forest(other)) == expected
    matrix = np.zeros((8, 8), int)
    for (a, b), x in zip(pairs, w, strict=True):
        matrix[a, b] = x + 1
    assert sum(expected[2]) + len(expected[2]) == boruvka.minimum_spanning_forest(matrix).weight
