import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka.errors import FormatError
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.stream.sources import chunked_file
from boruvka.stream.sources.chunked_file import ChunkedFileSource
from tests.strategies import graphs
from tests.stream.helpers import random_graph, write_text


def edges_of(source):
    rows = [rows for chunk in range(source.chunks) for rows in source.read(chunk)]
    return [np.concatenate([getattr(row, name) for row in rows]).tolist() for name in "uvw"]


@given(graphs(max_edges=40, dtypes=[np.dtype(np.int64), np.dtype(np.float64)]), st.integers(1, 60))
def test_parts_in_order_are_the_file(tmp_path, graph, size):
    for name in "graph.gr", "graph.npz":
        path = tmp_path / name
        if name == "graph.gr" and graph.dtype.kind == "f":
            continue
        boruvka.write(graph, path)
        size *= 8 if name.endswith("npz") else 1  # an edge is 24 bytes there, behind 700 bytes of headers
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(chunked_file, "CHUNK_BYTES", size)
            source = ChunkedFileSource(InputFile(path), Options())
            assert source.chunks == max(1, os.path.getsize(path) // size)
            assert edges_of(source) == [getattr(graph, name).tolist() for name in "uvw"]
        assert (source.n, source.size) == (graph.n, os.path.getsize(path))


def test_errors_name_the_line(tmp_path, monkeypatch):
    monkeypatch.setattr(chunked_file, "CHUNK_BYTES", 64)
    path = write_text(tmp_path / "a.txt", random_graph(30, 100))
    source = ChunkedFileSource(InputFile(path), Options(n=29))
    with pytest.raises(FormatError, match=r"a\.txt:\d+: expected ids from 0 to 28"):
        edges_of(source)


def test_identity_changes_with_the_file(tmp_path):
    path = write_text(tmp_path / "a.txt", random_graph(30, 100))
    before = ChunkedFileSource(InputFile(path), Options()).identity()
    assert ChunkedFileSource(InputFile(path), Options()).identity() == before
    os.utime(path, (1, 1))
    assert ChunkedFileSource(InputFile(path), Options()).identity() != before
