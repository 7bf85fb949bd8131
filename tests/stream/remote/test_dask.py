"""On a local cluster of two processes, and on Dask's scheduler of this process."""

import os
import tempfile
import threading
import time
import warnings
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import boruvka
import boruvka.dask
from boruvka import generators
from boruvka.errors import BackendError, GraphError, GraphTypeError, OptionError
from tests.strategies import FLOATS, INTEGERS, graphs
from tests.stream.remote.helpers import (
    assert_same_clusters,
    assert_same_edges,
    graph_of,
    random_table,
    tiny_limits,
)

__all__ = ["tiny_limits"]

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]  # those of Dask


@contextmanager
def client_of_two_workers():
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=None
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="module")
def client():
    with client_of_two_workers() as client:
        yield client


def solve(frame, **options):
    from boruvka import dask

    return dask.minimum_spanning_forest(frame, **options)


def frame_of(table, parts=3):
    dd = pytest.importorskip("dask.dataframe")
    return dd.from_pandas(table.to_pandas(), npartitions=parts, sort=False)


@given(graphs(dtypes=INTEGERS + FLOATS[:-1]), st.booleans(), st.integers(1, 4))
def test_all_types(client, tiny_limits, graph, maximum, parts):
    assume(graph.m)
    table = pa.table({"u": graph.u, "v": graph.v, "w": graph.w})
    assert_same_edges(solve(frame_of(table, parts), maximum=maximum, n=graph.n), graph, maximum)


@pytest.fixture(scope="module")
def kronecker(tmp_path_factory):
    graph = generators.kronecker(16, 16, seed=1)
    path = tmp_path_factory.mktemp("edges") / "edges.parquet"
    table = pa.table({"source": graph.u, "target": graph.v, "weight": graph.w})
    pa.parquet.write_table(table, path, row_group_size=1 << 17)
    return graph, table, path


def check(found, graph):
    expected = boruvka.minimum_spanning_forest(graph)
    assert found.forest.edges.tolist() == expected.edges.tolist()
    assert found.weight == expected.weight
    assert found.received < 0.35 * 12 * graph.m


def test_files_and_frames(client, kronecker):
    graph, table, path = kronecker
    found = solve(path)
    check(found, graph)
    edges = found.edges.compute()
    assert list(edges.columns) == ["edge", "source", "target", "weight"]
    assert edges["source"].tolist() == graph.u[edges["edge"]].tolist()
    check(solve(frame_of(table, 8)), graph)


def test_no_warnings_of_large_graphs(client, tmp_path):
    """Neither for frames of data in this process, nor for results, nor for files, also with names."""
    import dask

    graph = generators.random(5000, 20_000, seed=3, dtype="int64")
    table = pa.table({"u": graph.u, "v": graph.v, "w": graph.w})
    named = table.set_column(0, "u", pa.array(text(table["u"]))).set_column(
        1, "v", pa.array(text(table["v"]))
    )
    pa.parquet.write_table(table, tmp_path / "edges.parquet", row_group_size=1000)
    with (
        dask.config.set({"distributed.admin.large-graph-warning-threshold": 50_000}),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="Sending large graph"):
            client.compute(frame_of(table))
        for source in frame_of(table), frame_of(named), tmp_path / "edges.parquet":
            found = solve(source)
            expected = boruvka.minimum_spanning_forest(graph)
            edges = found.edges
            assert edges.compute()["edge"].tolist() == edges["edge"].compute().tolist()
            assert edges["edge"].compute().tolist() == expected.edges.tolist()
            assert edges["w"].max().compute() == expected.w.max()
            heights = expected.w[:1].tolist()
            assert len(found.clusters(heights).compute()) == found.forest.n
            assert found.sizes(heights)["size"].sum().compute() == found.forest.n
        warnings.filterwarnings("ignore", "there are no rows of edges")
        empty = solve(frame_of(table.slice(0, 0), 1)).edges.compute()
        assert (len(empty), list(empty.columns)) == (0, ["edge", "u", "v", "w"])


def test_killed_worker(kronecker):
    """One is killed in each of a few solves, at another moment. Clusters are new: Dask may start no other."""
    graph, table, path = kronecker
    frame = frame_of(table, 16)
    for delay in 0.05, 0.15, 0.3, 0.6:
        with client_of_two_workers() as client:
            victim = next(iter(client.run(os.getpid).values()))
            killing = threading.Timer(delay, os.kill, (victim, 9))
            killing.start()
            found = solve(frame if delay < 0.5 else path)
            killing.join()
            check(found, graph)


@pytest.mark.parametrize("names", [False, True])
def test_workers_that_end_again_and_again(client, monkeypatch, names):
    """In the survey, which Dask calls KilledWorker, or while names are listed."""
    monkeypatch.setattr(client.cluster.scheduler, "allowed_failures", 0)
    passes = 2 if names else 1

    def ending(rows):
        if os.path.getsize(counts) == passes - 1:
            os.kill(os.getpid(), 9)
        with open(counts, "a") as file:
            file.write(".")
        return rows

    table = random_table()
    with tempfile.NamedTemporaryFile() as file:
        counts = file.name
        frame = frame_of(table, 1).map_partitions(ending, meta=table.schema.empty_table().to_pandas())
        with pytest.raises(
            BackendError, match=r"workers of Dask ended.*give each of them more .memory_limit"
        ):
            solve(frame, names=names)
    client.wait_for_workers(2)


def test_names_and_clusters(client):
    """Numbers, labels and names are those of a graph in memory."""
    table = random_table(n=200, m=300, distinct=100)
    named = pa.table({"a": text(table["u"]), "b": text(table["v"]), "score": table["w"]})
    expected = boruvka.minimum_spanning_forest(
        boruvka.Graph.from_edges(*(named[name].to_pylist() for name in named.column_names)), maximum=True
    )
    for parts in 1, 3, 20:
        found = solve(frame_of(named, parts), source="a", target="b", weight="score", maximum=True)
        assert found.edges.compute()["edge"].tolist() == expected.edges.tolist()
        assert_same_clusters(found, expected, found.clusters([50]).compute())
        assert found.sizes([50]).compute()["size"].sum() == expected.n


def text(column):
    return [f"r{x:03}" for x in column.to_pylist()]


def test_names_in_files(client, tmp_path):
    table = random_table()
    pa.parquet.write_table(
        table.set_column(0, "u", pa.array(text(table["u"]))).set_column(1, "v", pa.array(text(table["v"]))),
        tmp_path / "named.parquet",
        row_group_size=100,
    )
    found = solve(str(tmp_path)).forest
    expected = boruvka.minimum_spanning_forest(boruvka.read(tmp_path / "named.parquet"))
    assert found.edges.tolist() == expected.edges.tolist()
    assert found.graph.names.tolist() == expected.graph.names.tolist()


def test_without_a_cluster(monkeypatch):
    table = random_table()
    frame = frame_of(table)
    monkeypatch.setattr("boruvka.dask._current_client", lambda: None)
    assert_same_edges(solve(frame), graph_of(table))
    named = boruvka.Graph.from_edges(*(table[name].to_numpy() for name in "uvw"), names=True)
    assert solve(frame, names=True).forest.graph.names.tolist() == named.names.tolist()


def test_rows_that_change(client, tiny_limits):
    def shuffled(frame):
        return frame.sample(frac=1, random_state=int(time.monotonic_ns() % 2**32))

    def changed(frame):
        return frame.assign(w=frame["w"] + int(time.monotonic_ns() % 2**32))

    table = random_table().append_column("row", pa.array(np.arange(700)))
    frame = frame_of(table)
    for names in None, True:
        with pytest.raises(GraphError, match="the rows changed, or came in another order"):
            solve(frame.map_partitions(shuffled), names=names)
        with pytest.raises(GraphError, match="the rows changed"):
            solve(frame.map_partitions(changed), names=names, index="row")
    assert_same_edges(solve(frame.map_partitions(shuffled), index="row"), graph_of(table))


def test_integers_are_vertices(client):
    """Whatever the number of edges, and also on the scheduler in this process."""
    far = pa.table({"u": [1 << 21, 3], "v": [3, 0], "w": [1, 2]})
    assert solve(frame_of(far, 2)).forest.n == (1 << 21) + 1
    assert solve(frame_of(far, 2), names=True).forest.graph.names.tolist() == [1 << 21, 3, 0]
    with pytest.raises(GraphError, match="-1 is not a vertex"):
        solve(frame_of(pa.table({"u": [-1], "v": [3], "w": [1]}), 1))


def test_errors(client):
    with pytest.raises(GraphTypeError, match="expected a dask DataFrame or Parquet files, got DataFrame"):
        solve(pd.DataFrame({"u": [0], "v": [1], "w": [1]}))
    with pytest.raises(OptionError, match="there is no column 'x'"):
        solve(frame_of(random_table()), weight="x")
    with pytest.raises(OptionError, match="there is no column 'rows'; the columns are 'u', 'v', 'w'"):
        solve(frame_of(random_table()), index="rows")
    with pytest.raises(OptionError, match="index is for frames"):
        solve("edges.parquet", index="i")


def test_columns_of_texts_in_several_chunks():
    """Pandas keeps the chunks of frames that were joined, and of large files."""
    dd = pytest.importorskip("dask.dataframe")
    columns = {"source": list("abcd"), "target": list("bcda"), "weight": [1.0, 2.0, 3.0, 4.0]}
    rows = pd.DataFrame(columns).astype({"source": "string[pyarrow]", "target": "string[pyarrow]"})
    chunked = pd.concat([rows[:2], rows[2:]], ignore_index=True)
    frame = dd.from_pandas(chunked, npartitions=1, sort=False)
    assert solve(frame).weight == 6
    assert solve(frame.rename(columns={"weight": "s"}), columns=("source", "target", "s")).weight == 6
    with pytest.raises(OptionError, match="leave out source, target and weight"):
        solve(frame, columns=("source", "target"), weight="weight")
