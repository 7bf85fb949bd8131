"""Parts of a file, which together hold every edge once, and error positions in compressed files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.formats import read, read_chunk, write
from boruvka.formats.edge_file import FileChunk
from boruvka.formats.text.lines.text import Text
from tests.formats.helpers import NEEDS_ZSTANDARD, WRITTEN, assert_malformed, path_for


@given(st.integers(0, 50), st.integers(1, 9))
def test_parts_have_every_edge_once(m, parts):
    edges = list(range(m))
    assert [i for k in range(parts) for i in edges[FileChunk(k, parts).edge_range(m)]] == edges


@given(st.lists(st.sampled_from([b"", b"1", b"12 3", b"4 5 6"])), st.integers(1, 5), st.booleans())
def test_parts_of_text_have_every_line_once(lines, parts, ends):
    content = b"head\n" + b"\n".join(lines) + b"\n" * ends
    cuts = [Text("", content).cut(5, k, parts) for k in range(parts)]
    assert b"".join(content[begin : text.size] for text, begin in cuts) == content[5:]
    for text, begin in cuts:
        assert begin == 5 or content[begin - 1 : begin] == b"\n" or begin == text.size


@pytest.mark.parametrize("name", [f.name for f in WRITTEN])
@pytest.mark.parametrize("parts", [1, 3])
def test_parts_in_order_are_the_whole(name, parts, tmp_path):
    random = np.random.default_rng(4)
    low, high = np.triu_indices(9, 1)
    path, how = path_for(tmp_path, name)
    write(Graph(9, low, high, random.integers(1, 99, low.size)), path, **how)
    whole = read(path, **how)
    pieces = [read_chunk(path, FileChunk(k, parts), **how) for k in range(parts)]
    for column in "uvw":
        joined = np.concatenate([getattr(piece, column) for piece in pieces])
        assert np.array_equal(joined, getattr(whole, column))
    assert all(piece.n in (None, whole.n) and piece.m in (None, whole.m) for piece in pieces)
    sizes = [piece.u.size for piece in pieces]
    assert max(sizes) - min(sizes) <= 2


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        (
            "a.gr",
            "c x\r\np sp 3 2\r\n\r\na 1 2 5\r\na 1 4 5\r\n",
            5,
            "expected ids from 1 to 3, found 'a 1 4 5'",
        ),
        ("a.csv", "u,v,w\n0,1,5\n1,2,x\n", 3, "found '1,2,x'"),
        ("a.adj", "2\n0 1\n1 0 0\n", 3, "expected a row of 2 numbers, found '1 0 0'"),
        ("a.graph", "2 1 001\n2 5\n1 6\n", 2, "has weight 5 here, but 6 in that vertex's list"),
        ("a.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 0.5\n", 3, "whole numbers"),
        ("a.stp", "SECTION Graph\nNodes 3\nEdges 2\nE 1 2 5\nE 2 3 6\n", 5, "found the end of the file"),
        ("a.npz", "garbage", None, "cannot be read as npz"),
    ],
)
@pytest.mark.parametrize("compression", [".gz", pytest.param(".zst", marks=NEEDS_ZSTANDARD)])
def test_the_error_in_a_compressed_file_names_its_line(file, name, content, line, message, compression):
    assert_malformed(file(name + compression, content), line, message)
