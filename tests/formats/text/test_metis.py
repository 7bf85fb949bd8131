"""METIS files."""

import pytest

from boruvka.errors import FormatError
from boruvka.formats import read
from tests.formats.helpers import assert_malformed, edges_of

MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
    (
        "a.graph",
        "2 1 001\n2 5\n1 6\n",
        2,
        "the edge to vertex 2 has weight 5 here, but 6 in that vertex's list",
    ),
    ("a.graph", "2 1 001\n2 6\n1 5\n", 2, "has weight 6 here, but 5 in that vertex's list"),
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
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize(("content", "n"), [("0 0", 0), ("0 0\n", 0), ("3 0\n\n\n\n", 3), ("1 0 000\n\n", 1)])
def test_no_edges_have_no_weights_to_miss(file, content, n):
    graph = read(file("a.graph", content))
    assert (graph.n, graph.m) == (n, 0)


def test_metis_with_sizes_and_weights_of_vertices(file):
    content = "% comment\n4 3 111 2\n1 2 3 2 5 4 -1\n1 2 3 1 5\n% comment\n9 9 9\n0 0 0 1 -1\n\n"
    with pytest.raises(FormatError, match=":2: announces 3 edges, but the lists hold 2"):
        read(file("a.graph", content))
    graph = read(file("a.graph", content.replace("4 3 111", "4 2 111")))
    assert graph.n == 4
    assert edges_of(graph) == [(0, 1, 5), (0, 3, -1)]
