"""Every malformed file is one error that names file and line, and says what was expected."""

import contextlib
import re
import zipfile

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import FileError, FormatError
from boruvka.formats import FORMATS, read, write

GR = "p sp 3 2\n"
STP = "SECTION Graph\nNodes 3\nEdges 2\n"
MTX = "%%MatrixMarket matrix coordinate integer general\n"
REAL = "%%MatrixMarket matrix coordinate real general\n"

CASES = [
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
    ("a.gr", "p sp 3\na 1 2 5\n", 1, "expected 'p sp n m', found 'p sp 3'"),
    ("a.gr", "p sp -3 2\n", 1, "expected 'p sp n m'"),
    ("a.gr", f"p sp {2**63} 0\n", 1, "expected 'p sp n m'"),
    ("a.gr", "p sp " + "9" * 5000 + " 0\n", 1, "expected 'p sp n m'"),
    ("a.gr", "c only\np tw 3 2\n1 2\n", 2, "expected 'p sp n m', found 'p tw 3 2'"),
    ("a.gr", "a 1 2 5\n", 1, "expected DIMACS shortest path"),
    ("a.gr", "c only a comment\n", 1, "expected DIMACS shortest path"),
    ("a.gr", f"p sp 3 {10**18}\na 1 2 5\n", 1, f"announces {10**18} arcs, but the file holds 1"),
    ("a.gr", b"\x00\xff\xfe" * 40, 1, "expected DIMACS shortest path"),
    ("a.gr", GR.encode() + b"\x93NUMPY\x00\xff", 2, "expected 'a u v w', found"),
    ("a.gr", b"\xef\xbb\xbfp sp 3 1\r\na 1 2 5 7\r\n", 2, "expected 'a u v w', found 'a 1 2 5 7'"),
    ("a.stp", STP + "E 1 2 5\nE 2 3 6\n", 5, "expected 'E u v w' or 'END', found the end of the file"),
    ("a.stp", STP + "E 1 2 5\nEND\n", 3, "announces 2 edges, but the section holds 1"),
    ("a.stp", STP + "E 1 2 5\nE 1 4 5\nEND\n", 5, "expected ids from 1 to 3, found 'E 1 4 5'"),
    ("a.stp", STP + "E 1 2 5\nA 1 2 5\nEND\n", 5, "expected 'E u v w' or 'END', found 'A 1 2 5'"),
    ("a.stp", STP + "E 1 2 5\nE 1 2\nEND\n", 5, "expected 'E u v w', found 'E 1 2'"),
    ("a.stp", "SECTION Graph\nEdges 2\n", 2, "expected 'Nodes <number>', found 'Edges 2'"),
    ("a.stp", "SECTION Graph\nNodes 2\nE 1 2 3\n", 3, "expected 'Edges <number>' or 'Arcs <number>'"),
    ("a.stp", "SECTION Graph\nNodes x\n", 2, "expected 'Nodes <number>'"),
    ("a.stp", "SECTION Terminals\nEND\n", 2, "expected 'SECTION Graph', found the end of the file"),
    ("a.mtx", MTX + "3 3 2\n1 2 5\n", 2, "announces 2 entries, but the file holds 1"),
    ("a.mtx", MTX + "3 3 1\n1 2 5\n2 3 5\n", 2, "announces 1 entries, but the file holds 2"),
    ("a.mtx", MTX + "3 3 1\n1 4 5\n", 3, "expected ids from 1 to 3, found '1 4 5'"),
    ("a.mtx", MTX + "3 3 1\n0 1 5\n", 3, "expected ids from 1 to 3"),
    ("a.mtx", MTX + "3 3 1\n1 2 1.5\n", 3, "with whole numbers only, found '1 2 1.5'"),
    ("a.mtx", MTX + "3 4 1\n1 2 5\n", 2, "expected a square matrix, found '3 4 1'"),
    ("a.mtx", MTX + "3 3\n1 2 5\n", 2, "expected 'rows columns entries', found '3 3'"),
    ("a.mtx", MTX, 1, "expected 'rows columns entries', found the end of the file"),
    ("a.mtx", REAL + "3 3 1\n1 2 nan\n", 3, "NaN is not a weight"),
    (
        "a.mtx",
        REAL.replace("real", "complex") + "3 3 1\n1 2 5 6\n",
        1,
        "expected a matrix of integer or real",
    ),
    ("a.mtx", REAL.replace("real", "pattern") + "3 3 1\n1 2\n", 1, "pass unweighted=True"),
    ("a.mtx", REAL.replace("general", "skew-symmetric") + "3 3 0\n", 1, "expected a general or symmetric"),
    ("a.mtx", REAL.replace("general", "hermitian") + "3 3 0\n", 1, "expected a general or symmetric matrix"),
    (
        "a.mtx",
        REAL.replace("coordinate", "array") + "2 2\n0\n1\n1\n",
        2,
        "announces 4 values, but the file holds 3",
    ),
    (
        "a.mtx",
        REAL.replace("coordinate", "array") + f"{10**18} {10**18}\n0\n",
        2,
        "announces 1000000000000000000000",
    ),
    ("a.mtx", "3 3 1\n1 2 5\n", 1, "expected '%%MatrixMarket matrix coordinate real general' or the like"),
    (
        "a.graph",
        "2 1 001\n2 5\n1 6\n",
        2,
        "the edge to vertex 2 has weight 5 here, but 6 in that vertex's list",
    ),
    ("a.graph", "3 1 001\n2 5\n\n\n", 2, "vertex 1 lists vertex 2, which does not list it"),
    ("a.graph", "2 1 001\n2 5 2 5\n1 5 1 5\n", 2, "vertex 1 lists vertex 2 twice"),
    ("a.graph", "2 2 001\n2 5\n1 5\n", 1, "announces 2 edges, but the lists hold 1"),
    ("a.graph", "3 1 001\n2 5\n1 5\n", 1, "announces 3 vertices, but the file holds 2 lists"),
    ("a.graph", "2 1 001\n2 5\n1 5\n\n1 5\n", 5, "expected the end of the file after 2 lists, found '1 5'"),
    ("a.graph", "2 1 001\n2 5\n1\n", 3, "expected neighbours with weights in pairs, found '1'"),
    (
        "a.graph",
        "% c\n2 1 001\n% c\n3 5\n1 5\n",
        4,
        "expected neighbours of vertex 1 from 1 to 2 without itself",
    ),
    ("a.graph", "2 1 001\n0 5\n1 5\n", 2, "expected neighbours of vertex 1 from 1 to 2 without itself"),
    ("a.graph", "2 1 001\n2 5\n2 5\n", 3, "expected neighbours of vertex 2 from 1 to 2 without itself"),
    ("a.graph", "2 1 001\n2 0.5\n1 0.5\n", 2, "as whole numbers with whole numbers only, found '2 0.5'"),
    ("a.graph", "2 1 001\n2 x\n1 5\n", 2, "expected a list of neighbours as whole numbers, found '2 x'"),
    (
        "a.graph",
        "2 1 111 2\n9 8 7 2 5\n9 8\n",
        3,
        "expected 3 numbers, then neighbours with weights in pairs",
    ),
    ("a.graph", "2 1 002\n2 5\n1 5\n", 1, "expected 'n m [fmt [ncon]]'"),
    ("a.graph", f"2 1 111 {2**63 - 1}\n2 5\n1 5\n", 1, "expected 'n m [fmt [ncon]]'"),
    ("a.graph", "2\n2 5\n1 5\n", 1, "expected 'n m [fmt [ncon]]'"),
    ("a.graph", "2 0\n2\n1\n", 1, "announces 0 edges, but the lists hold 1"),
    ("a.graph", "2 1\n2\n1\n", 1, "the edges have no weights; pass unweighted=True"),
    ("a.graph", f"{10**18} 0 001\n\n", 1, f"announces {10**18} vertices, but the file holds 1 lists"),
    ("a.graph", "% nothing\n", 1, "expected 'n m [fmt [ncon]]'"),
    (
        "a.csv",
        "u,v,w\n0,1,5\n1,2\n",
        3,
        "expected 'u,v,w' between commas with whole numbers as ids, found '1,2'",
    ),
    ("a.csv", "u,v,w\n0,1,5\n1,2,\n", 3, "found '1,2,'"),
    ("a.csv", "u,v,w\n0,1,5\n1,,5\n", 3, "found '1,,5'"),
    ("a.csv", "u,v,w\n0,1,5\n1,2,5,7\n", 3, "found '1,2,5,7'"),
    ("a.csv", "u,v,w\n0,1,5\n1.0,2,5\n", 3, "found '1.0,2,5'"),
    ("a.csv", "u,v,w\n0,1,5\nalice,bob,5\n", 3, "with whole numbers as ids, found 'alice,bob,5'"),
    ("a.csv", "u,v,w\n0,1,5\n1,-2,5\n", 3, "found '1,-2,5'"),
    ("a.csv", "0,1,x\n", 1, "found '0,1,x'"),
    ("a.csv", "0,1,nan\n", 1, "NaN is not a weight"),
    ("a.csv", f"0,1,1\n0,{2**48},1\n", 2, f"expected ids from 0 to {2**48 - 1}, found"),
    ("a.csv", f"0,{10**20},1\n", 1, f"expected ids from 0 to {2**48 - 1}, found"),
    ("a.csv", f"# boruvka n={2**48 + 1}\n0,1,1\n", None, "n must be between 0 and 2**48"),
    ("a.gr", f"p sp {2**62} 1\na 1 2 5\n", None, "n must be between 0 and 2**48"),
    ("a.csv", f"0,1,{2**64}\n", 1, "does not fit 64 bits"),
    ("a.csv", "a,b,c\n0,1,5\n", 1, "cannot tell the ends of edges among the columns a, b, c"),
    ("a.csv", "u,v,source,target,w\n0,1,5\n", 1, "cannot tell the ends of edges"),
    ("a.csv", "u,v,cost,length\n0,1,5,6\n", 1, "more than one column may hold weights"),
    ("a.csv", "u,v,colour\n0,1,5\n", 1, "there is no column of weights among u, v, colour"),
    ("a.csv", "0,1\n", 1, "there is no column of weights; pass unweighted=True"),
    ("a.csv", "0,1,2,3\n", 1, "there are 4 columns without names"),
    ("a.csv", "\n# c\n7\n", 3, "expected at least two columns"),
    ("a.csv", 'u,v,w,name\n0,1,5,"x\ny"\n', 2, "found '0,1,5,\"x'"),
    ("a.csv", "# boruvka n=2\nu,v,w\n0,2,5\n", 3, "expected ids from 0 to 1, found '0,2,5'"),
    ("a.csv", "# boruvka n=0\n0,2,5\n", 2, "expected ids of a graph without vertices"),
    ("a.tsv", "0\t1 5\n", 1, "pass unweighted=True"),
    ("a.tsv", "u\tv\tw\n0\t1\t5 6\n", 2, "between tabs"),
    ("a.txt", "10 13\n1 2 6015\n", 1, "there is no column of weights; pass unweighted=True"),
    ("a.txt", "8\n16\n4 5 0.35\n", 1, "pass format='counted'"),
    ("a.txt", "0 1 5\n1 2\n", 2, "expected 'u v w' between blanks"),
    ("a.txt", "0 1 5\n1,2,5\n", 2, "expected 'u v w' between blanks"),
    ("a.txt", b"\x00\x01\x02\x03 \xff\n", 1, "cannot tell the ends of edges"),
    ("a.txt", "x" * 100_000, 1, "cannot tell the ends of edges"),
    ("a.adj", "2\n0 1\n1 0 0\n", 3, "expected a row of 2 numbers, found '1 0 0'"),
    ("a.adj", "2\n0 1\n", 1, "announces 2 rows, but the file holds 1"),
    ("a.adj", "2\n0 1\n1 0\n0 0\n", 1, "announces 2 rows, but the file holds 3"),
    ("a.adj", "2\n0 x\n1 0\n", 2, "expected a row of 2 numbers, found '0 x'"),
    ("a.adj", "2\n0 nan\n1 0\n", 2, "NaN is not a weight"),
    ("a.adj", "0 1\n1 0\n", 1, "expected the number of vertices alone on the first line"),
    ("a.adj", f"{10**18}\n0\n", 2, f"expected a row of {10**18} numbers"),
    ("a.adj", "# nothing\n", 1, "expected the number of vertices alone on the first line"),
    ("a.parquet", b"PAR1" + b"x" * 60 + b"PAR1", None, "cannot be read as Parquet"),
    ("a.npz", b"PK\x03\x04" + b"x" * 60, None, "cannot be read as a NumPy archive"),
    ("a.npz", b"garbage", None, "cannot be read as a NumPy archive"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), CASES, ids=lambda x: repr(x)[:40])
@pytest.mark.parametrize("compression", ["", ".zst"])
def test_the_error_names_the_line(file, name, content, line, message, compression):
    path = file(name + compression, content)
    place = f"{path}: " if line is None else f"{path}:{line}: "
    with pytest.raises(FormatError) as caught:
        read(path)
    assert str(caught.value).startswith(place)
    assert message in str(caught.value)


@pytest.mark.parametrize(("name", "content", "line", "message"), CASES[:70:3], ids=lambda x: repr(x)[:40])
def test_the_error_is_the_same_through_small_chunks(file, small_chunks, name, content, line, message):
    path = file(name, content)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")


COUNTED = [
    ("3 2\n1 2 5\n", 1, "announces 2 edges, but the file holds 1"),
    ("3\n2\n1 2 5\n", 2, "announces 2 edges, but the file holds 1"),
    (
        "3 1\n0 2 5\n",
        2,
        "expected ids from 1 to 3 (if ids begin at 0, pass one_based=False or --zero-based)",
    ),
    ("3 1\n1 2\n", 2, "expected 'u v w', found '1 2'"),
    ("3 1\n1 2 5 6\n", 2, "expected 'u v w', found '1 2 5 6'"),
    ("3 1 1\n1 2 5\n", 1, "expected 'n m', found '3 1 1'"),
    ("x\n1 2 5\n", 1, "expected 'n m', found 'x'"),
    ("# nothing\n", 1, "expected 'n m', found the end of the file"),
]


@pytest.mark.parametrize(("content", "line", "message"), COUNTED)
def test_malformed_counted_lists(file, content, line, message):
    path = file("a.txt", content)
    with pytest.raises(FormatError, match=re.escape(f"{path}:{line}: {message}")):
        read(path, format="counted")


@pytest.mark.parametrize("name", [f.name for f in FORMATS])
def test_an_empty_file_is_an_error(file, name):
    with pytest.raises(FormatError):
        read(file("a", b""), format=name)


@pytest.mark.parametrize("name", [f.name for f in FORMATS])
@pytest.mark.parametrize("seed", range(20))
def test_garbage_is_an_error_of_ours(file, name, seed):
    random = np.random.default_rng(seed)
    if seed % 2:
        content = random.integers(0, 256, 300, np.uint8).tobytes()
    else:
        content = bytes(random.choice(np.frombuffer(b"0123456789 .-+e\n\n,\taEpsnif", np.uint8), 300))
    with pytest.raises(FormatError):
        read(file("a", content), format=name)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"u": [0], "v": [1], "n": 2}, "expected arrays n, u, v, w, but found no w"),
        ({"u": [0], "v": [1], "w": [1], "n": [2]}, "expected one whole number as n"),
        ({"u": [0], "v": [1], "w": [1], "n": 2.5}, "expected one whole number as n"),
        ({"u": [0], "v": [2], "w": [1], "n": 2}, "v[0] = 2 is not a vertex"),
        ({"u": [0], "v": [1, 1], "w": [1], "n": 2}, "must have one entry per edge"),
        ({"u": [0], "v": [1], "w": [np.nan], "n": 2}, "has the weight NaN"),
        ({"u": [0], "v": [1], "w": [1j], "n": 2}, "weights must be integers or floats"),
        ({"u": [0], "v": [1], "w": np.array([{}], object), "n": 2}, "cannot be read as a NumPy archive"),
    ],
)
def test_malformed_archives(tmp_path, arrays, message):
    path = tmp_path / "a.npz"
    np.savez(path, **arrays)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<i8', 'fortran_order': False, 'shape': (1,",
        "{'descr': ',i8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': ('<i8',), 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{[]: 1}",
        "-" * 3000 + "1",
    ],
    ids=lambda header: header[-30:],
)
def test_malformed_headers_of_arrays(tmp_path, header):
    path = tmp_path / "a.npz"
    np.savez(path, n=2, u=[0], v=[1])
    with zipfile.ZipFile(path, "a") as archive:
        size = len(header).to_bytes(2, "little")
        archive.writestr("w.npy", b"\x93NUMPY\1\0" + size + header.encode() + bytes(8))
    with pytest.raises(FormatError, match=f"{path}: cannot be read as a NumPy archive"):
        read(path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"u": [0, None], "v": [1, 1], "w": [1, 1]}, "row 1 has no value in column 'u'"),
        (
            {"u": ["a"], "v": ["b"], "w": [1]},
            "expected numbers of at most 64 bits in column 'u', found String",
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
    import polars as pl

    path = tmp_path / "a.parquet"
    pl.DataFrame(columns).write_parquet(path)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_missing_memory_is_an_error_of_ours(file, monkeypatch):
    from boruvka.formats.text.lines import edges

    def exhausted(*_):
        raise MemoryError

    monkeypatch.setattr(edges, "_cut_into_chunks", exhausted)
    with pytest.raises(FileError, match="not enough memory"):
        read(file("a.gr", "p sp 2 1\na 1 2 3\n"))


# Polars ends the process on some damaged Parquet files, which no caller can prevent.
@pytest.mark.parametrize("name", [f.name for f in FORMATS if f.name != "parquet"])
def test_a_damaged_file_is_read_or_an_error_of_ours(tmp_path, name):
    random = np.random.default_rng(11)
    path = tmp_path / "a"
    write(Graph(9, [0, 1, 2, 8, 3], [1, 2, 3, 2, 5], [5, 10**18, 2, 1, 7]), path, format=name)
    whole = np.frombuffer(path.read_bytes(), np.uint8)
    for _ in range(150):
        damaged = whole[: random.integers(1, whole.size + 1)].copy()
        for _ in range(random.integers(0, 4)):
            damaged[random.integers(damaged.size)] = random.choice([random.integers(256), *b"0 9\n-.e"])
        path.write_bytes(damaged.tobytes())
        with contextlib.suppress(FormatError, FileError):
            read(path, format=name)


def test_a_parquet_file_that_is_cut_off(tmp_path):
    path = tmp_path / "a.parquet"
    write(Graph(9, [0, 1, 2, 7, 3], [1, 2, 3, 2, 5], [5, 10**18, 2, 1, 7]), path)
    whole = path.read_bytes()
    for size in range(1, len(whole), 25):
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match="cannot be read as Parquet"):
            read(path)


GBBS = "WeightedAdjacencyGraph\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("pbbs", "EdgeArray\n0 1 2\n", ":1: expected 'WeightedEdgeArray', found 'EdgeArray'"),
        ("pbbs", "WeightedEdgeArray\n0 1\n", ":2: expected 'u v w', found '0 1'"),
        ("gbbs", "AdjacencyGraph\n0\n0\n", ":1: expected 'WeightedAdjacencyGraph', found 'AdjacencyGraph'"),
        ("gbbs", GBBS + "2\n", ":2: expected the numbers of vertices and of arcs, found '2'"),
        ("gbbs", GBBS + "-1\n0\n", ":2: expected the numbers of vertices and of arcs"),
        ("gbbs", GBBS + "2\n2\n0\n1\n1\n0\n5\n", ":1: announces 2 vertices and 2 arcs, which take 8 numbers"),
        ("gbbs", GBBS + "2\n2\n0\n1\n1\n0\n5\nx\n", ":9: expected one number per line, found 'x'"),
        (
            "gbbs",
            GBBS + "2\n2\n0\n1\n2\n0\n5\n5\n",
            ": neighbours must be whole numbers from 0 to 1, found 2",
        ),
        (
            "gbbs",
            GBBS + "2\n2\n0\n.5\n1\n0\n5\n5\n",
            ": offsets must be whole numbers from 0 to 2, found 0.5",
        ),
        ("gbbs", GBBS + "2\n2\n1\n0\n1\n0\n5\n5\n", ": offsets must begin at 0 and not decrease"),
        ("gbbs", GBBS + "2\n2\n0\n1\n1\n0\n5\n6\n", ": every edge must be listed at both its ends"),
        ("gbbs", GBBS + "2\n1\n0\n1\n1\n5\n", ": every edge must be listed at both its ends"),
    ],
)
def test_malformed_files_of_suites(name, content, message, tmp_path):
    path = tmp_path / "graph"
    path.write_text(content)
    with pytest.raises(FormatError) as caught:
        read(path, format=name)
    assert str(caught.value).startswith(f"{path}{message}")
