import gzip
import io

import pytest

import boruvka
from boruvka.stream import choice
from tests.stream.helpers import random_graph, write_parquet, write_text

GRAPH = random_graph(60, 600)


@pytest.fixture
def free(monkeypatch):
    """Set the memory that is free."""
    return lambda size: monkeypatch.setattr(choice, "available_memory", lambda: size)


def test_parquet_by_its_rows(tmp_path, free):
    path = write_parquet(tmp_path / "a.parquet", GRAPH)
    for size, is_larger in (choice.BYTES_OF_EDGE * 600 - 1, True), (choice.BYTES_OF_EDGE * 600, False):
        free(size)
        assert choice.is_larger_than_memory(path, None) is is_larger


def test_text_by_its_size(tmp_path, free):
    path = write_text(tmp_path / "a.txt", GRAPH)
    compressed = tmp_path / "a.txt.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    for file, factor in (path, choice.BYTES_OF_TEXT), (compressed, choice.BYTES_OF_TEXT * choice.EXPANSION):
        size = file.stat().st_size
        for memory, is_larger in (int(factor * size) - 1, True), (int(factor * size) + 1, False):
            free(memory)
            assert choice.is_larger_than_memory(file, "edges") is is_larger


def test_files_that_are_read_whole_in_any_case(tmp_path, free):
    free(10)
    boruvka.write(GRAPH, tmp_path / "a.mtx")
    assert not choice.is_larger_than_memory(tmp_path / "a.mtx", None)
    assert not choice.is_larger_than_memory(tmp_path / "missing.csv", None)
    assert not choice.is_larger_than_memory(tmp_path, None)
    assert not choice.is_larger_than_memory(io.BytesIO(b"0 1 2\n"), "edges")


def test_small_files_are_not_opened(tmp_path, free):
    free(1 << 30)
    (tmp_path / "a.parquet").write_bytes(b"no Parquet")
    assert not choice.is_larger_than_memory(tmp_path / "a.parquet", None)


def test_folders_and_patterns(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", GRAPH)
    assert choice.names_several_files(tmp_path)
    assert choice.names_several_files(tmp_path / "*.parquet")
    assert not choice.names_several_files(path)
    assert not choice.names_several_files(tmp_path / "missing.parquet")
    assert not choice.names_several_files(io.BytesIO())
