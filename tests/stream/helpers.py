"""Graphs to stream, and the comparison with the forest found in memory."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import boruvka
from tests.oracles import kruskal


def bits(array):
    """Return an array as bytes, so that types and signs of zeros are compared as well."""
    return array.dtype, array.tobytes()


def assert_same(found, graph, maximum=False):
    """Check a forest against Kruskal's algorithm and the solver in memory."""
    expected = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    edges = kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert expected.edges.tolist() == edges
    assert_equal(found, expected)


def assert_equal(found, expected):
    """Check whole arrays, types and sizes of two forests."""
    assert found.edges.tolist() == expected.edges.tolist()
    assert found.u.tolist() == expected.u.tolist()
    assert found.v.tolist() == expected.v.tolist()
    assert bits(found.w) == bits(expected.w)
    assert (found.graph.n, found.graph.m) == (expected.graph.n, expected.graph.m)
    assert found.graph.dtype == expected.graph.dtype


def random_graph(n=60, m=600, seed=0, dtype=np.int64, distinct=40):
    """Return a random graph with ties, loops and parallel edges."""
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n, (2, m))
    return boruvka.Graph(n, u, v, rng.integers(0, distinct, m).astype(dtype))


def table(graph, first=0, last=None):
    """Return edges of a graph as a table of Arrow."""
    return pa.table({name: getattr(graph, name)[first:last] for name in "uvw"})


def write_parquet(path, graph, row_group_size=50, first=0, last=None, **options):
    """Write edges of a graph, without its number of vertices."""
    pq.write_table(table(graph, first, last), path, row_group_size=row_group_size, **options)
    return path


def write_text(path, graph):
    """Write a graph as lines ``u v w``."""
    rows = zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    path.write_text("".join(f"{u} {v} {w}\n" for u, v, w in rows))
    return path
