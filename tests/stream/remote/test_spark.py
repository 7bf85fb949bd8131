"""In a local session with two workers, which needs Java."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import boruvka
from boruvka import generators
from boruvka.errors import BackendError, FormatError, GraphError, GraphTypeError, OptionError
from tests.stream.remote.helpers import (
    assert_same_clusters,
    assert_same_edges,
    graph_of,
    random_table,
    tiny_limits,
)

__all__ = ["tiny_limits"]

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]  # those of Spark

LOCAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
}


@pytest.fixture(scope="module")
def session():
    sql = pytest.importorskip("pyspark.sql")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = sql.SparkSession.builder.master("local[2,4]")
        for name, value in LOCAL.items():
            builder = builder.config(name, value)
        try:
            session = builder.getOrCreate()
        except Exception as error:
            pytest.skip(f"Spark does not start: is Java (17 or later) installed? {error}")
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


def solve(frame, **options):
    from boruvka import spark

    return spark.minimum_spanning_forest(frame, **options)


def frame_of(session, table, parts=3):
    """Make a frame whose partitions have the rows of a table in order."""
    return session.createDataFrame(table).coalesce(parts)


@pytest.mark.parametrize(("dtype", "maximum"), [("i1", False), ("i8", True), ("f4", False)])
def test_types(session, tiny_limits, dtype, maximum):
    table = random_table(n=30, m=200, w=np.dtype(dtype))
    assert_same_edges(solve(frame_of(session, table), maximum=maximum), graph_of(table), maximum)


@pytest.fixture(scope="module")
def kronecker(tmp_path_factory):
    graph = generators.kronecker(16, 16, seed=1)
    path = tmp_path_factory.mktemp("edges") / "edges.parquet"
    table = pa.table({"source": graph.u, "target": graph.v, "weight": graph.w, "row": np.arange(graph.m)})
    pq.write_table(table, path, row_group_size=1 << 17)
    return graph, path


def check(found, graph):
    expected = boruvka.minimum_spanning_forest(graph)
    assert found.forest.edges.tolist() == expected.edges.tolist()
    assert found.weight == expected.weight
    assert found.received < 0.35 * 12 * graph.m


def test_files(session, kronecker):
    graph, path = kronecker
    found = solve(path)
    check(found, graph)
    edges = found.edges.toPandas()
    assert list(edges.columns) == ["edge", "source", "target", "weight"]
    assert edges["source"].tolist() == graph.u[edges["edge"]].tolist()


def test_frame_with_an_index(session):
    """After a shuffle, rows are found by their indices."""
    table = random_table().append_column("row", pa.array(np.arange(700)))
    found = solve(session.createDataFrame(table).repartition(4), columns=("u", "v", "w"), index="row")
    assert found.forest.edges.tolist() == boruvka.minimum_spanning_forest(graph_of(table)).edges.tolist()
    assert found.edges.columns == ["row", "u", "v", "w"]


def test_killed_workers(session, kronecker):
    """Workers are the Python processes below Spark's daemon."""
    graph, path = kronecker
    solve(path)  # now workers exist
    killed = []

    def kill():
        time.sleep(0.2)
        for victim in workers()[:1]:
            killed.append(victim)
            os.kill(victim, signal.SIGKILL)

    for _ in range(2):
        killing = threading.Thread(target=kill)
        killing.start()
        found = solve(path)
        killing.join()
        check(found, graph)
    assert killed


def test_workers_that_end_again_and_again(session):
    def end(batches):
        for batch in batches:
            os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    frame = session.createDataFrame(random_table())
    with pytest.raises(BackendError, match=r"workers of Spark ended.*more .spark.executor.memoryOverhead"):
        solve(frame.mapInArrow(end, frame.schema))


def workers():
    """List the processes that the daemon of PySpark has forked."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            parents[int(status.parent.name)] = int(fields[1]), (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
    daemons = {pid for pid, (_, line) in parents.items() if b"pyspark.daemon" in line}
    return [pid for pid, (parent, _) in parents.items() if parent in daemons and pid in daemons]


def test_few_answers_at_a_time(session, kronecker, monkeypatch):
    monkeypatch.setattr("boruvka.spark.BYTES_AT_ONCE", 1 << 20)
    graph, path = kronecker
    check(solve(path), graph)


def test_names_and_clusters(session, tmp_path):
    """Numbers, labels and names are those of a graph in memory."""
    table = random_table(n=200, m=300, distinct=100)
    ends = {end: [f"r{x:03}" for x in table[name].to_pylist()] for end, name in zip("ab", "uv", strict=True)}
    named = pa.table(ends | {"match.score": table["w"], "row": np.arange(300)})
    expected = boruvka.minimum_spanning_forest(
        boruvka.Graph.from_edges(*ends.values(), table["w"].to_numpy()), maximum=True
    )
    how = {"source": "a", "target": "b", "weight": "match.score", "maximum": True}
    pq.write_table(named, tmp_path / "edges.parquet", row_group_size=70)
    found = [
        solve(frame_of(session, named), **how),
        solve(tmp_path / "edges.parquet", **how),
        solve(session.createDataFrame(named).repartition(4), index="row", **how),
    ]
    for one in found:
        edges = one.edges.toPandas()
        assert edges.iloc[:, 0].tolist() == expected.edges.tolist()
        assert_same_clusters(one, expected, one.clusters([50]).toPandas())
        assert one.sizes([50]).count() == len({*expected.cut_at(50).tolist()})


@pytest.mark.parametrize("ids", ["date", "binary", "integers", "unsigned"])
def test_types_of_names(session, tmp_path, ids):
    table = random_table(n=40, m=100)
    make = {
        "date": lambda x: pa.array(np.asarray(x).astype("M8[D]")),
        "binary": lambda x: pa.array([bytes([k]) for k in x], pa.binary()),
        "integers": lambda x: pa.array(np.asarray(x, np.int32) - 20),
        "unsigned": lambda x: pa.array(np.asarray(x, np.uint64) + np.uint64(2**63)),
    }[ids]
    named = pa.table({"u": make(table["u"].to_pylist()), "v": make(table["v"].to_pylist()), "w": table["w"]})
    graph = boruvka.Graph.from_edges(*(table[end].to_numpy() for end in "uvw"), names=True)
    pq.write_table(named, tmp_path / "edges.parquet", row_group_size=30)
    sources = [tmp_path / "edges.parquet"]
    if ids != "unsigned":  # Spark has no such type
        sources.append(frame_of(session, named))
    for source in sources:
        found = solve(source, names=True).forest
        assert found.edges.tolist() == boruvka.minimum_spanning_forest(graph).edges.tolist()
        assert found.graph.names.tolist() == make(graph.names.tolist()).to_pylist()


def test_columns_are_selected_by_name():
    """A task may ask for fewer columns than the frame has, or in another order."""
    from boruvka.spark import _larger

    batch = pa.record_batch({"c0": [1], "c1": [2], "c2": [3]})
    ((_, found),) = _larger(iter([batch]), 0, ["u", "v", "w"], ["w", "u"])
    assert found.to_pydict() == {"w": [3], "u": [1]}


def test_rows_that_change(session, tiny_limits):
    frame = session.createDataFrame(random_table().append_column("row", pa.array(np.arange(700))))
    changed = frame.coalesce(2).selectExpr("u", "v", "w + cast(rand() * 1000 as long) w", "row")
    changed = changed.mapInArrow(lambda batches: map(_other_weights, batches), changed.schema)
    for names in None, True:
        with pytest.raises(GraphError, match="the rows changed, or came in another order"):
            solve(changed, index="row", names=names)


def _other_weights(batch):
    return batch.set_column(2, "w", pa.array(np.asarray(batch["w"]) + time.monotonic_ns() % 10**6))


def test_integers_are_vertices(session):
    far = session.createDataFrame([(1 << 21, 3, 1), (3, 0, 2)], "u long, v long, w long").coalesce(1)
    assert solve(far).forest.n == (1 << 21) + 1
    assert solve(far, names=True).forest.graph.names.tolist() == [1 << 21, 3, 0]
    with pytest.raises(GraphError, match="-2097152 is not a vertex"):
        solve(far.selectExpr("-u u", "-v v", "w"), names=False)


def test_errors(session):
    with pytest.raises(GraphTypeError, match="expected a Spark DataFrame or Parquet files, got list"):
        solve([])
    missing = session.createDataFrame([(0, 1, 1.0), (1, 2, None)], "u long, v long, w double")
    with pytest.raises(FormatError, match="has no value in column 'w'"):
        solve(missing)
    with pytest.raises(OptionError, match="there is no column 'rows'; the columns are 'u', 'v', 'w'"):
        solve(missing, index="rows")
    with pytest.raises(OptionError, match="a DataFrame has its session, so leave out session"):
        solve(missing, session=session)
    with pytest.raises(OptionError, match="index is for frames"):
        solve("edges.parquet", index="i")
    with pytest.raises(GraphError, match="indices must be unique"):
        solve(session.range(0, 50, 1, 2).selectExpr("id u", "id % 7 v", "id w", "id * 0 i"), index="i")
