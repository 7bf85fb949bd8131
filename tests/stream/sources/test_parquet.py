import pytest

import boruvka
from boruvka.errors import FileError
from boruvka.stream import minimum_spanning_forest
from boruvka.stream.sources.parquet import ParquetSource
from boruvka.stream.sources.parquet_files import parquet_files
from tests.stream.helpers import assert_same, random_graph, write_parquet


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
