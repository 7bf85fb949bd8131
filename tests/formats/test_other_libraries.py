"""Other readers and writers of the same formats agree."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from boruvka import Graph
from boruvka.formats import read, write
from tests.formats.helpers import edges_of


@pytest.fixture
def graph():
    random = np.random.default_rng(7)
    return Graph(30, random.integers(0, 30, 200), random.integers(0, 30, 200), random.random(200))


@pytest.mark.needs("scipy")
def test_scipy_reads_our_matrix_market(graph, tmp_path):
    import scipy.io

    for weights in graph.w, (graph.w * 2**60).astype(np.int64):
        write(Graph(30, graph.u, graph.v, weights), tmp_path / "a.mtx")
        matrix = scipy.io.mmread(tmp_path / "a.mtx", spmatrix=False)
        assert matrix.shape == (30, 30)
        assert matrix.dtype == weights.dtype
        assert np.array_equal(matrix.row, graph.u)
        assert np.array_equal(matrix.col, graph.v)
        assert np.array_equal(matrix.data, weights)


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("integer", [False, True])
@pytest.mark.parametrize("dense", [False, True])
def test_we_read_scipys_matrix_market(tmp_path, symmetry, integer, dense):
    import scipy.io
    from scipy import sparse

    random = np.random.default_rng(1)
    lower = np.tril(random.integers(1, 2**60, (9, 9)) * (random.random((9, 9)) < 0.5), -1)
    matrix = lower if symmetry == "general" else lower + lower.T
    matrix = matrix if integer else matrix / 2**61
    scipy.io.mmwrite(tmp_path / "a.mtx", matrix if dense else sparse.coo_array(matrix), symmetry=symmetry)
    graph = read(tmp_path / "a.mtx")
    assert graph.w.dtype == matrix.dtype
    found = np.zeros_like(matrix)
    found[graph.u, graph.v] = graph.w
    assert np.array_equal(np.tril(found), np.tril(matrix))
    assert graph.m == np.count_nonzero(lower)


def test_pandas_reads_and_writes_our_tables(graph, tmp_path):
    for ending, separator in (".csv", ","), (".tsv", "\t"):
        write(graph, tmp_path / f"a{ending}")
        frame = pd.read_csv(tmp_path / f"a{ending}", sep=separator, dtype={"weight": str}).astype(
            {"weight": float}
        )
        assert list(frame.itertuples(index=False, name=None)) == edges_of(graph)
        frame.to_csv(tmp_path / f"b{ending}", sep=separator, index=False)
        assert edges_of(read(tmp_path / f"b{ending}")) == edges_of(graph)


def test_pandas_and_polars_read_our_parquet(graph, tmp_path):
    pl = pytest.importorskip("polars")
    write(graph, tmp_path / "a.parquet")
    for frame in pd.read_parquet(tmp_path / "a.parquet"), pl.read_parquet(tmp_path / "a.parquet"):
        assert list(frame.columns) == ["source", "target", "weight"]
        assert np.array_equal(frame["weight"].to_numpy(), graph.w)


def test_numpy_reads_our_edge_list_and_archive(graph, tmp_path):
    write(graph, tmp_path / "a.el")
    table = np.loadtxt(tmp_path / "a.el")
    assert np.array_equal(table, np.column_stack([graph.u, graph.v, graph.w]))
    np.savetxt(tmp_path / "b.el", table, fmt="%d %d %.17g", header="u v w")
    assert edges_of(read(tmp_path / "b.el")) == edges_of(graph)
    write(graph, tmp_path / "a.npz")
    assert np.array_equal(np.load(tmp_path / "a.npz")["w"], graph.w)


def test_networkx_reads_and_writes_our_edge_list(graph, tmp_path):
    write(graph, tmp_path / "a.el")
    theirs = nx.read_weighted_edgelist(tmp_path / "a.el", nodetype=int, create_using=nx.MultiGraph)
    ours = sorted((min(u, v), max(u, v), w) for u, v, w in edges_of(graph))
    assert sorted((min(u, v), max(u, v), w) for u, v, w in theirs.edges(data="weight")) == ours
    nx.write_weighted_edgelist(theirs, tmp_path / "b.el")
    assert sorted((min(u, v), max(u, v), w) for u, v, w in edges_of(read(tmp_path / "b.el"))) == ours
