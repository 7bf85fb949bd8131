"""Arrow IPC and Feather, against pyarrow."""

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pytest

from boruvka import Forest, Graph
from boruvka.errors import FormatError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import assert_malformed, edges_of

TABLE = pa.table({"from": [0, 2], "to": [1, 1], "cost": [2.5, 7.0]})


def save_stream(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def save_feather(table, path):
    pa.feather.write_feather(table, path, compression="zstd")


@pytest.mark.parametrize("save", [save_stream, save_feather, pa.feather.write_feather])
@pytest.mark.parametrize("ending", ["arrow", "feather", "ipc"])
def test_we_read_what_pyarrow_writes(tmp_path, save, ending):
    path = tmp_path / f"a.{ending}"
    save(TABLE, path)
    assert edges_of(read(path)) == [(0, 1, 2.5), (2, 1, 7.0)]
    assert edges_of(read(path, columns=("to", "from", "cost"), n=9)) == [(1, 0, 2.5), (1, 2, 7.0)]
    assert edges_of(read(path, unweighted=True)) == [(0, 1, 1), (2, 1, 1)]
    save(TABLE.set_column(0, "from", [["x", "y"]]).set_column(1, "to", [["y", "x"]]), path)
    graph = read(path)
    assert graph.names.tolist() == ["x", "y"]
    assert edges_of(graph) == [(0, 1, 2.5), (1, 0, 7.0)]


def test_pyarrow_reads_what_we_write(tmp_path):
    graph = Graph(4, [0, 2, 3], [1, 1, 0], np.array([1, 2, 3], np.int8))
    write(Forest(graph, np.array([0, 2])), tmp_path / "a.feather")
    table = pa.feather.read_table(tmp_path / "a.feather")
    assert table.to_pydict() == {"edge": [0, 2], "u": [0, 3], "v": [1, 0], "w": [1, 3]}
    assert table.schema.field("w").type == pa.int8()
    assert read_forest(tmp_path / "a.feather", graph).tolist() == [0, 2]
    write(graph.with_names("dcba"), tmp_path / "a.arrow")
    assert pa.feather.read_table(tmp_path / "a.arrow")["u"].to_pylist() == ["d", "b", "a"]
    back = read(tmp_path / "a.arrow")
    assert back.name_of(back.v).tolist() == ["c", "c", "d"]


def test_names_of_isolated_vertices_cannot_be_written(tmp_path):
    with pytest.raises(FormatError, match="the vertex 'b' has no edge"):
        write(Graph(3, [0], [2], [5]).with_names("abc"), tmp_path / "a.arrow")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"u": [0], "v": [1]}, "there is no column of weights"),
        ({"u": [0], "v": [1], "w": ["x"]}, "expected numbers of at most 64 bits in column 'w'"),
        ({"u": [0], "v": ["x"], "w": [1]}, "expected strings, or integers of at most 64 bits, in columns"),
        ({"u": [0, None], "v": [1, 1], "w": [1, 2]}, "row 1 has no value in column 'u'"),
        ({"u": ["a", None], "v": ["b", "b"], "w": [1, 2]}, "row 1 has no value in column 'u'"),
        ({"u": [0], "v": [1], "w": [float("nan")]}, "NaN"),
        ({"u": [-1], "v": [1], "w": [1]}, "u[0] = -1"),
    ],
)
def test_malformed_tables(tmp_path, columns, message):
    pa.feather.write_feather(pa.table(columns), tmp_path / "a.feather")
    assert_malformed(tmp_path / "a.feather", None, message)
