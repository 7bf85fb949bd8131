"""Matrix Market files."""

import numpy as np
import pytest

from boruvka import Graph
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, edges_of

MTX = "%%MatrixMarket matrix coordinate integer general\n"
REAL = "%%MatrixMarket matrix coordinate real general\n"


MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
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
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED[:7:3], ids=lambda x: repr(x)[:40])
def test_malformed_files_through_small_chunks(file, small_chunks, name, content, line, message):
    assert_malformed(file(name, content), line, message)


def test_symmetric_matrices_are_not_doubled(file):
    head = "%%MatrixMarket MATRIX Coordinate integer symmetric\n% c\n\n"
    graph = read(file("a.mtx", head + "3 3 4\n2 1 0\n3 1 9007199254740993\n2 1 5\n3 3 1\n"))
    assert edges_of(graph) == [(1, 0, 0), (2, 0, 2**53 + 1), (1, 0, 5), (2, 2, 1)]


def test_dense_matrices(file):
    general = "%%MatrixMarket matrix array real general\n3 3\n9\n1\n2\n3\n9\n0\n0\n4\n9\n"
    assert edges_of(read(file("a.mtx", general))) == [(0, 1, 3), (1, 0, 1), (1, 2, 4), (2, 0, 2)]
    symmetric = "%%MatrixMarket matrix array integer symmetric\n3 3\n9\n1\n2\n9\n0\n9\n"
    graph = read(file("a.mtx", symmetric))
    assert edges_of(graph) == [(1, 0, 1), (2, 0, 2)]
    assert graph.w.dtype == np.int64


@pytest.mark.parametrize(("weight", "field"), [(2**63 - 1, "integer"), (2**63, "unsigned-integer")])
def test_the_banner_has_the_smallest_type_of_integers(tmp_path, weight, field):
    graph = Graph(2, [0], [1], np.array([weight], np.uint64))
    write(graph, tmp_path / "a.mtx")
    assert (tmp_path / "a.mtx").read_text().splitlines()[0].split()[3] == field
    assert read(tmp_path / "a.mtx").w.tolist() == [weight]
