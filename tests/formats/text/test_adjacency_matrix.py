"""Adjacency matrices as text."""

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import assert_malformed, edges_of

MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
    ("a.adj", "2\n0 1\n1 0 0\n", 3, "expected a row of 2 numbers, found '1 0 0'"),
    ("a.adj", "2\n0 1\n", 1, "announces 2 rows, but the file holds 1"),
    ("a.adj", "2\n0 1\n1 0\n0 0\n", 1, "announces 2 rows, but the file holds 3"),
    ("a.adj", "2\n0 x\n1 0\n", 2, "expected a row of 2 numbers, found '0 x'"),
    ("a.adj", "2\n0 nan\n1 0\n", 2, "NaN is not a weight"),
    ("a.adj", "0 1\n1 0\n0 0\n", 1, "a square matrix has 2 rows, but the file holds 3"),
    ("a.adj", "0,1\n1,0,0\n", 2, "expected a row of 2 numbers"),
    ("a.adj", f"{10**18}\n0\n", 2, f"expected a row of {10**18} numbers"),
    ("a.adj", "# nothing\n", 1, "expected the number of vertices, or a row of numbers, on the first line"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


def test_adjacency_matrix_is_a_dense_graph(file):
    path = file("a.adj", "# comment\n3\n\n7 5 0\r\n5 7 -2.5\n\t0 -2.5 7")
    dense = Graph.from_dense(np.array([[7, 5, 0], [5, 7, -2.5], [0, -2.5, 7]]))
    assert edges_of(read(path)) == edges_of(dense)


@pytest.mark.parametrize("separator", [" ", ",", ";", "\t", ", "])
def test_the_number_of_vertices_may_be_missing(file, separator):
    text = "\n".join(separator.join(row) for row in (["0", "3", "9"], ["3", "0", "1.5"], ["9", "1.5", "0"]))
    expected = Graph.from_dense(np.array([[0, 3, 9], [3, 0, 1.5], [9, 1.5, 0]]))
    assert edges_of(read(file("a.adj", text))) == edges_of(expected)


def test_a_matrix_holds_loops_and_no_parallel_edges(tmp_path):
    path = tmp_path / "a.adj"
    write(Graph(3, [0, 2], [1, 2], [5, 1]), path)
    assert path.read_text() == "3\n0 5 0\n5 0 0\n0 0 1\n"
    for u, v in ([0, 2, 1], [1, 2, 0]), ([0, 2, 2], [1, 2, 2]):
        with pytest.raises(FormatError, match=r"edge 2 .* is parallel to another of a different weight"):
            write(Graph(3, u, v, [5, 1, 7]), path)
    assert path.read_text() == "3\n0 5 0\n5 0 0\n0 0 1\n"
    write(read(path), path)  # both entries of an edge are read, and none of the diagonal
    assert path.read_text() == "3\n0 5 0\n5 0 0\n0 0 0\n"


def test_a_matrix_that_is_not_symmetric(file):
    with pytest.raises(FormatError, match="expected a symmetric matrix"):
        read_forest(file("a.adj", "2\n0 5\n0 0\n"), Graph(2, [0], [1], [5]))
