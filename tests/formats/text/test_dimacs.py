"""DIMACS files: shortest paths, and graphs of edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import stream
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, assert_same, graphs

GR = "p sp 3 2\n"


MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
    ("a.gr", GR + "a 1 2 5\na 1 2\n", 3, "expected 'a u v w', found 'a 1 2'"),
    ("a.gr", GR + "a 1 2 5\na 1 2 5 6\n", 3, "expected 'a u v w', found 'a 1 2 5 6'"),
    ("a.gr", GR + "a 1 2 5\n", 1, "announces 2 arcs, but the file holds 1"),
    ("a.gr", GR + "a 1 2 5\n" * 3, 1, "announces 2 arcs, but the file holds 3"),
    ("a.gr", GR, 1, "announces 2 arcs, but the file holds 0"),
    ("a.gr", GR + "a 1 2 5\na 1 4 5\n", 3, "expected ids from 1 to 3, found 'a 1 4 5'"),
    ("a.gr", GR + "a 0 2 5\na 1 2 5\n", 2, "expected ids from 1 to 3, found 'a 0 2 5'"),
    ("a.gr", GR + "a 1 -2 5\na 1 2 5\n", 2, "expected 'a u v w', found 'a 1 -2 5'"),
    ("a.gr", GR + "a 1 1.5 5\na 1 2 5\n", 2, "expected 'a u v w', found 'a 1 1.5 5'"),
    ("a.gr", GR + f"a 1 {2**64 + 1} 5\na 1 2 5\n", 2, "expected ids from 1 to 3"),
    ("a.gr", GR + "a 1 2 x\n", 2, "expected 'a u v w', found 'a 1 2 x'"),
    ("a.gr", GR + "a 1 2 5x\n", 2, "expected 'a u v w', found 'a 1 2 5x'"),
    ("a.gr", GR + "a 1 2 1e\n", 2, "expected 'a u v w', found 'a 1 2 1e'"),
    ("a.gr", GR + "a 1 2 .\n", 2, "expected 'a u v w', found 'a 1 2 .'"),
    ("a.gr", GR + "a 1 2 --5\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "a 1 2 0x10\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "a 1 2 1_000\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "a12 5\n", 2, "expected 'a u v w', found 'a12 5'"),
    ("a.gr", GR + "a 1,2,5\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "\nc x\r\nb 1 2 5\n", 4, "expected 'a u v w', found 'b 1 2 5'"),
    ("a.gr", GR + "a 1 2 5\np sp 3 2\n", 3, "expected 'a u v w', found 'p sp 3 2'"),
    ("a.gr", GR + "a 1 2 nan\n", 2, "NaN is not a weight, found 'a 1 2 nan'"),
    ("a.gr", GR + f"a 1 2 {2**64}\n", 2, "the number does not fit 64 bits"),
    ("a.gr", GR + f"a 1 2 {-(2**63) - 1}\n", 2, "the number does not fit 64 bits"),
    ("a.gr", GR + f"a 1 2 {2**63}\na 1 2 -1\n", 3, "no 64-bit integer type holds both negative numbers"),
    ("a.gr", GR + f"a 1 2 {2**53 + 1}\na 1 2 0.5\n", 2, "9007199254740993 stands among fractions"),
    ("a.gr", GR + f"a 1 2 0.5\na 1 2 {10**30 + 1}\n", 3, "stands among fractions"),
    ("a.gr", GR + "a 1 2 1e999\na 1 2 0.5\n", 2, "1e999 is beyond the range of float64"),
    ("a.gr", GR + "a 1 2 -1e9999999999\n", 2, "-1e9999999999 is beyond the range of float64"),
    ("a.gr", "p sp 3\na 1 2 5\n", 1, "expected 'p sp n m' or 'p edge n m', found 'p sp 3'"),
    ("a.gr", "p sp -3 2\n", 1, "expected 'p sp n m'"),
    ("a.gr", f"p sp {2**63} 0\n", 1, "expected 'p sp n m'"),
    ("a.gr", "p sp " + "9" * 5000 + " 0\n", 1, "expected 'p sp n m'"),
    ("a.gr", "c only\np tw 3 2\n1 2\n", 2, "expected 'p sp n m' or 'p edge n m', found 'p tw 3 2'"),
    ("a.gr", "a 1 2 5\n", 1, "expected 'p sp n m' or 'p edge n m'"),
    ("a.gr", "c only a comment\n", 1, "expected 'p sp n m' or 'p edge n m'"),
    ("a.gr", f"p sp 3 {10**18}\na 1 2 5\n", 1, f"announces {10**18} arcs, but the file holds 1"),
    ("a.gr", b"\x00\xff\xfe" * 40, 1, "expected 'p sp n m' or 'p edge n m'"),
    ("a.gr", GR.encode() + b"\x93NUMPY\x00\xff", 2, "expected 'a u v w', found"),
    ("a.gr", b"\xef\xbb\xbfp sp 3 1\r\na 1 2 5 7\r\n", 2, "expected 'a u v w', found 'a 1 2 5 7'"),
    ("a.gr", f"p sp {2**62} 1\na 1 2 5\n", None, "n must be between 0 and 2**48"),
    ("a.col", "c x\np edge 3 2\ne 1 2 5\ne 1 2\n", 4, "expected 'e u v w', found 'e 1 2'"),
    ("a.col", "p col 3 2\ne 1 2 5\na 1 2 3\n", 3, "expected 'e u v w', found 'a 1 2 3'"),
    ("a.clq", "p edge 3 3\ne 1 2 5\ne 1 3 5\n", 1, "announces 3 edges, but the file holds 2"),
    ("a.col", "p edge 3 1\ne 1 4 5\n", 2, "expected ids from 1 to 3, found 'e 1 4 5'"),
    ("a.col", "p edge 3 1\ne 1 2\n", 2, "the edges have no weights; pass unweighted=True for weight 1"),
    ("a.col", "p max 3 1\ne 1 2\n", 1, "expected 'p sp n m' or 'p edge n m', found 'p max 3 1'"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED[::3], ids=lambda x: repr(x)[:40])
def test_malformed_files_through_small_chunks(file, small_chunks, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize("ending", ["col", "clq", "gr"])
@pytest.mark.parametrize("kind", ["edge", "edges", "col"])
@given(graph=graphs(), is_doubled=st.booleans())
def test_graphs_of_edges(ending, kind, graph, is_doubled, tmp_path):
    """Some files announce each edge twice."""
    path = tmp_path / f"a.{ending}"
    rows = list(zip((graph.u + 1).tolist(), (graph.v + 1).tolist(), graph.w.tolist(), strict=True))
    lines = ["c x", f"p {kind} {graph.n} {graph.m * (1 + is_doubled)}", "n 1 5"]
    path.write_text("\n".join([*lines, *(f"e {u} {v} {w!r}" for u, v, w in rows), ""]))
    back = read(path)
    assert_same(back, graph)
    assert back.first_id == 1
    assert read(path, unweighted=True).w.tolist() == [1] * graph.m
    path.write_text("\n".join([*lines, *(f"e {u} {v}" for u, v, _ in rows), ""]))
    assert read(path, unweighted=True).w.tolist() == [1] * graph.m
    assert stream.minimum_spanning_forest(path, unweighted=True).graph.first_id == 1
    write(graph, tmp_path / "b.col")
    assert (tmp_path / "b.col").read_text().startswith(f"p edge {graph.n} {graph.m}\n")
    assert_same(read(tmp_path / "b.col"), graph)
