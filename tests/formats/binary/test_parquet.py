"""Parquet files."""

import re

import numpy as np
import polars as pl
import pytest

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import read, write
from tests.formats.helpers import edges_of


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"u": [0, None], "v": [1, 1], "w": [1, 1]}, "row 1 has no value in column 'u'"),
        (
            {"u": ["a"], "v": [1], "w": [1]},
            "strings, or integers of at most 64 bits, in columns 'u' and 'v', found String and Int64",
        ),
        (
            {"u": [0], "v": [1], "w": [2**70]},
            "expected numbers of at most 64 bits in column 'w', found Int128",
        ),
        ({"u": [0.5], "v": [1], "w": [1]}, "u[0] = 0.5 is not a vertex"),
        ({"u": [-1], "v": [1], "w": [1]}, "u[0] = -1 is not a vertex"),
        ({"u": [0], "v": [1], "w": [float("nan")]}, "has the weight NaN"),
        ({"u": [0], "v": [1]}, "there is no column of weights among u, v"),
        ({"a": [0], "b": [1], "c": [1]}, "cannot tell the ends of edges among the columns a, b, c"),
    ],
)
def test_malformed_parquet(tmp_path, columns, message):
    path = tmp_path / "a.parquet"
    pl.DataFrame(columns).write_parquet(path)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_a_parquet_file_that_is_cut_off(tmp_path):
    path = tmp_path / "a.parquet"
    write(Graph(9, [0, 1, 2, 7, 3], [1, 2, 3, 2, 5], [5, 10**18, 2, 1, 7]), path)
    whole = path.read_bytes()
    for size in range(1, len(whole), 25):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match="cannot be read as Parquet"):
            read(path)


def test_parquet_columns(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"length": [5.5, 7.5], "to": [2, 2], "from": [1.0, 3.0]}).write_parquet(path)
    assert edges_of(read(path, one_based=True, n=9)) == [(0, 1, 5.5), (2, 1, 7.5)]
    assert edges_of(read(path, columns=("to", 2, "length"))) == [(2, 1, 5.5), (2, 3, 7.5)]
    assert read(path, unweighted=True).w.tolist() == [1, 1]
    pl.DataFrame({"u": [1, 0], "v": [2, 2], "w": [5, 5]}).write_parquet(path)
    with pytest.raises(FormatError, match=r"row 1 has the id 0 in column 'u': expected ids from 1"):
        read(path, one_based=True)


@pytest.mark.parametrize("dtype", [np.uint32, np.int64, np.float32])
def test_parquet_columns_of_several_row_groups(tmp_path, dtype):
    path = tmp_path / "a.parquet"
    w = np.arange(50).astype(dtype)
    pl.DataFrame({"u": w.astype(np.uint32), "v": w + 1, "w": w}).write_parquet(path, row_group_size=7)
    graph = read(path)
    assert graph.w.dtype == dtype
    assert edges_of(graph) == [(i, i + 1, i) for i in range(50)]


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt32, pl.UInt64])
def test_ids_of_several_row_groups(tmp_path, dtype):
    path = tmp_path / "a.parquet"

    def save(one):
        u = pl.Series([*range(1, 41), one, *range(42, 51)], dtype=dtype)
        frame = pl.DataFrame({"u": u, "v": pl.Series(range(50), dtype=dtype), "w": [5] * 50})
        frame.write_parquet(path, row_group_size=7)

    save(41)
    assert edges_of(read(path)) == [(i + 1, i, 5) for i in range(50)]
    assert edges_of(read(path, columns=("v", "w", "u"))) == [(i, 5, i + 1) for i in range(50)]
    largest = int(pl.select(dtype.max()).item())
    save(largest)
    if largest < 2**32:
        assert read(path).u[40] == largest
    else:
        with pytest.raises(FormatError, match="n must be between 0 and 2"):
            read(path)
    if dtype.is_signed_integer():
        save(-1)
        with pytest.raises(FormatError, match=r"u\[40\] = -1 is not a vertex"):
            read(path)


@pytest.mark.parametrize("largest", [2**32 - 1, 2**32, 2**40])
def test_ids_around_the_range_of_uint32(tmp_path, largest):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"u": [0, 1, 2], "v": [1, 2, largest], "w": [1, 2, 3]}).write_parquet(path, row_group_size=1)
    graph = read(path)
    assert (graph.n, edges_of(graph)) == (largest + 1, [(0, 1, 1), (1, 2, 2), (2, largest, 3)])
