from pathlib import Path

import numpy as np
import pytest

import boruvka
from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats.binary.parquet import parquet_files
from boruvka.stream import minimum_spanning_forest
from boruvka.stream.sources.parquet import ParquetSource
from tests.stream.helpers import assert_same, random_graph, write_parquet

pl = pytest.importorskip("polars")


@pytest.fixture
def folder(tmp_path):
    """Return a graph in a folder of files, one of which is empty, beside what writers keep for themselves."""
    graph = random_graph(40, 300)
    places = [("a.parquet", 0, 100), ("b/a.parquet", 100, 100), ("b/b.pq", 100, 250), ("c.parquet", 250, 300)]
    for name, first, last in places:
        path = tmp_path / "edges" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_parquet(path, graph, 30, first, last)
    for name in "_delta_log/1.checkpoint.parquet", ".hidden.parquet", "_SUCCESS":
        path = tmp_path / "edges" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"not Parquet")
    return tmp_path / "edges", graph


def test_folders_and_patterns(folder, tiny_limits):
    path, graph = folder
    assert_same(minimum_spanning_forest(path), graph)
    first = boruvka.Graph.from_edges(*(getattr(graph, name)[:100] for name in "uvw"))
    assert_same(minimum_spanning_forest(str(path / "a*.parquet")), first)
    with pytest.raises(FileError, match="matches no Parquet files"):
        parquet_files(str(path / "*.csv"))


def test_folders_are_parquet(folder, tiny_limits):
    path, graph = folder
    assert_same(minimum_spanning_forest(path, format="parquet"), graph)
    with pytest.raises(OptionError, match="several files are read as Parquet: leave out format='csv'"):
        minimum_spanning_forest(path, format="csv")


def test_heavy_row_groups_are_not_read(tmp_path, tiny_limits, monkeypatch):
    m = 400
    u = [k % 20 for k in range(m)]
    graph = boruvka.Graph.from_edges(u, [(x + 1) % 20 for x in u], list(range(m)))
    path = write_parquet(tmp_path / "a.parquet", graph, row_group_size=40)
    read, chunks = ParquetSource.read, []

    def read_and_note(source, chunk):
        chunks.append(chunk)
        return read(source, chunk)

    monkeypatch.setattr(ParquetSource, "read", read_and_note)
    assert_same(minimum_spanning_forest(path, threads=1), graph)
    assert len(chunks) < 10
    assert chunks[0] == 0
    chunks.clear()
    assert_same(minimum_spanning_forest(path, maximum=True, threads=1), graph, True)
    assert len(chunks) < 10
    assert chunks[0] == 9


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float32])
def test_type_of_no_weights(tmp_path, dtype):
    graph = boruvka.Graph.from_edges([], [], np.empty(0, dtype))
    path = write_parquet(tmp_path / "a.parquet", graph)
    assert_same(minimum_spanning_forest(path), boruvka.read(path))
    assert minimum_spanning_forest(path).w.dtype == dtype
    assert minimum_spanning_forest(path, unweighted=True).w.dtype == np.uint8


def test_signed_and_unsigned_columns(tmp_path):
    """Of different files; no type would hold all their weights if there were negative ones."""
    signed, unsigned = (boruvka.Graph.from_edges([0], [1], np.array([7], d)) for d in (np.int64, np.uint64))
    write_parquet(tmp_path / "a.parquet", signed)
    write_parquet(tmp_path / "b.parquet", unsigned)
    assert minimum_spanning_forest(tmp_path).w.tolist() == [7]
    write_parquet(tmp_path / "a.parquet", boruvka.Graph.from_edges([0], [1], [-7]))
    with pytest.raises(
        FormatError, match=r"a\.parquet, rows from 0 on: the weight -7 is negative.*b\.parquet has weights"
    ):
        minimum_spanning_forest(tmp_path)


@pytest.mark.parametrize("nested", ["u", "w"])
@pytest.mark.parametrize("value", [[1, 2], {"x": 1}])
def test_nested_columns(tmp_path, nested, value):
    rows = {"u": [0], "v": [1], "w": [5], nested: [value]}
    pl.DataFrame(rows).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(FormatError, match=rf"a\.parquet: expected .* column '{nested}', found (List|Struct)"):
        minimum_spanning_forest(tmp_path / "a.parquet")


@pytest.mark.parametrize("stated", ["9" * 5000, "x"])
def test_stated_numbers_of_vertices(tmp_path, stated):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"u": [0], "v": [1], "w": [5]}).write_parquet(path, metadata={"boruvka.n": stated})
    for read in boruvka.read, minimum_spanning_forest:
        with pytest.raises(FormatError, match=r"a\.parquet: expected a whole number as boruvka\.n"):
            read(path)


def test_a_folder_that_vanishes_while_it_is_listed(tmp_path, monkeypatch):
    def vanish(path, pattern):
        raise FileNotFoundError(2, "No such file or directory", str(path / "gone"))

    monkeypatch.setattr(Path, "rglob", vanish)
    with pytest.raises(FileError, match="No such file or directory"):
        parquet_files(str(tmp_path))
