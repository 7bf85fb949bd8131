"""Parquet and Arrow: columns that hold no edges, and files that other libraries write and read."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from boruvka import Forest, Graph
from boruvka.errors import FormatError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import edges_of

pl = pytest.importorskip("polars")

TABLE = pa.table({"from": [0, 2], "to": [1, 1], "cost": [2.5, 7.0]})


def save_stream(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


SAVE = {
    "parquet": pa.parquet.write_table,
    "arrow": save_stream,
    "ipc": lambda table, path: pa.feather.write_feather(table, path, compression="zstd"),
    "feather": pa.feather.write_feather,
}


@pytest.mark.parametrize("ending", SAVE)
def test_we_read_what_pyarrow_writes(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    SAVE[ending](TABLE, path)
    assert edges_of(read(path)) == [(0, 1, 2.5), (2, 1, 7.0)]
    assert edges_of(read(path, columns=("to", 0, "cost"), n=9)) == [(1, 0, 2.5), (1, 2, 7.0)]
    assert edges_of(read(path, unweighted=True)) == [(0, 1, 1), (2, 1, 1)]
    with pytest.raises(FormatError, match=r"row 0 has the id 0 in column 'from': expected ids from 1"):
        read(path, one_based=True)
    SAVE[ending](TABLE.set_column(0, "from", [[1.0, 3.0]]), path)
    assert edges_of(read(path, one_based=True)) == [(0, 0, 2.5), (2, 0, 7.0)]
    SAVE[ending](TABLE.set_column(0, "from", [["x", "y"]]).set_column(1, "to", [["y", "x"]]), path)
    assert read(path).names.tolist() == ["x", "y"]
    assert edges_of(read(path)) == [(0, 1, 2.5), (1, 0, 7.0)]


@pytest.mark.parametrize(
    ("ending", "load"), [("parquet", pa.parquet.read_table), ("feather", pa.feather.read_table)]
)
def test_pyarrow_reads_what_we_write(tmp_path, ending, load):
    path = tmp_path / f"a.{ending}"
    graph = Graph(4, [0, 2, 3], [1, 1, 0], np.array([1, 2, 3], np.int8))
    write(Forest(graph, np.array([0, 2])), path)
    assert load(path).to_pydict() == {"edge": [0, 2], "source": [0, 3], "target": [1, 0], "weight": [1, 3]}
    assert load(path).schema.field("weight").type == pa.int8()
    assert read_forest(path, graph).tolist() == [0, 2]
    write(graph.with_names("dcba"), path)
    assert load(path)["source"].to_pylist() == ["d", "b", "a"]
    with pytest.raises(FormatError, match="the vertex 'b' has no edge"):
        write(Graph(3, [0], [2], [5]).with_names("abc"), path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"u": [0], "v": [1], "w": ["x"]}, "expected numbers of at most 64 bits in column 'w', found String"),
        ({"u": [0, None], "v": [1, 1], "w": [1, 2]}, "row 1 has no value in column 'u'"),
        ({"u": ["a", None], "v": ["b", "b"], "w": [1, 2]}, "row 1 has no value in column 'u'"),
        ({"u": ["a"], "v": [1], "w": [1]}, "64 bits, in columns 'u' and 'v', found String and Int64"),
        ({"u": [0.5], "v": [1], "w": [1]}, "u[0] = 0.5 is not a vertex"),
        ({"u": [-1], "v": [1], "w": [1]}, "u[0] = -1 is not a vertex"),
        ({"u": [0], "v": [1], "w": [float("nan")]}, "has the weight NaN"),
        ({"u": [0], "v": [1]}, "there is no column of weights among the columns 'u', 'v'"),
        ({"a": [0], "b": [1], "c": [1]}, "cannot tell the ends of edges among the columns 'a', 'b', 'c'"),
    ],
)
@pytest.mark.parametrize("ending", ["parquet", "feather"])
def test_columns_that_hold_no_edges(tmp_path, ending, columns, message):
    path = tmp_path / f"a.{ending}"
    SAVE[ending](pa.table(columns), path)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.filterwarnings("ignore:only .* vertices have an edge:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int16, pl.Int64, pl.UInt8, pl.UInt32, pl.UInt64])
def test_ids_of_several_row_groups(tmp_path, dtype):
    path = tmp_path / "a.parquet"
    largest = min(int(pl.select(dtype.max()).item()), 2**40)
    for one in 41, largest, -1:
        if one == -1 and not dtype.is_signed_integer():
            continue
        u = pl.Series([*range(1, 41), one, *range(42, 51)], dtype=dtype)
        frame = pl.DataFrame({"u": u, "v": pl.Series(range(50), dtype=dtype), "w": [5] * 50})
        frame.write_parquet(path, row_group_size=7)
        if one == -1:
            with pytest.raises(FormatError, match=r"u\[40\] = -1 is not a vertex"):
                read(path)
        else:
            assert edges_of(read(path)) == [(x, i, 5) for i, x in enumerate(u.to_list())]
            assert read(path).n == max(51, one + 1)


def test_a_parquet_file_that_is_cut_off(tmp_path):
    path = tmp_path / "a.parquet"
    write(Graph(9, [0, 1, 2, 7, 3], [1, 2, 3, 2, 5], [5, 10**18, 2, 1, 7]), path)
    whole = path.read_bytes()
    for size in range(1, len(whole), 25):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match="cannot be read as Parquet"):
            read(path)
