"""Parts of files: together they hold every edge once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka.formats import FORMATS, read_part
from boruvka.formats.format import FilePartition
from boruvka.formats.text.lines import Text


@given(st.integers(0, 50), st.integers(1, 9))
def test_parts_have_every_edge_once(m, parts):
    edges = list(range(m))
    assert [i for k in range(parts) for i in edges[FilePartition(k, parts).slice(m)]] == edges


@given(st.lists(st.sampled_from([b"", b"1", b"12 3", b"4 5 6"])), st.integers(1, 5), st.booleans())
def test_parts_of_text_have_every_line_once(lines, parts, ends):
    content = b"head\n" + b"\n".join(lines) + b"\n" * ends
    cuts = [Text("", content).cut(5, k, parts) for k in range(parts)]
    assert b"".join(content[begin : text.size] for text, begin in cuts) == content[5:]
    for text, begin in cuts:
        assert begin == 5 or content[begin - 1 : begin] == b"\n" or begin == text.size


@pytest.mark.parametrize("ending", ["gr", "el", "csv", "tsv", "npz", "parquet", "mtx", "gr.gz"])
def test_parts_of_a_file_have_every_edge_once(ending, tmp_path):
    """Where a format cannot be read in parts, the whole is read and cut."""
    rng = np.random.default_rng(2)
    graph = boruvka.Graph(70, *rng.integers(0, 70, (2, 300)), rng.integers(0, 9, 300))
    path = tmp_path / f"graph.{ending}"
    boruvka.write(graph, path)
    pieces = [read_part(path, FilePartition(k, 3)) for k in range(3)]
    assert {piece.n for piece in pieces} <= {70, None}
    assert {piece.m for piece in pieces} <= {300, None}
    for whole, parts in zip(
        (graph.u, graph.v, graph.w),
        zip(*((piece.u, piece.v, piece.w) for piece in pieces), strict=True),
        strict=True,
    ):
        assert np.array_equal(np.concatenate(parts), whole)
    assert max(piece.w.size for piece in pieces) < 150


def test_formats_that_are_read_in_parts():
    parted = {f.name for f in FORMATS if f.codec.read_part}
    assert parted == {"dimacs", "edges", "csv", "tsv", "parquet", "npz"}
