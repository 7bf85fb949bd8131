"""Counted edge lists."""

import pytest

from boruvka.formats import read
from tests.formats.helpers import EDGES, assert_malformed, edges_of

MALFORMED = [
    ("3 2\n1 2 5\n", 1, "announces 2 edges, but the file holds 1"),
    ("3\n2\n1 2 5\n", 2, "announces 2 edges, but the file holds 1"),
    (
        "3 1\n0 2 5\n",
        2,
        "expected ids from 1 to 3 (if ids begin at 0, pass one_based=False)",
    ),
    ("3 1\n1 2\n", 2, "expected 'u v w', found '1 2'"),
    ("3 1\n1 2 5 6\n", 2, "expected 'u v w', found '1 2 5 6'"),
    ("3 1 1\n1 2 5\n", 1, "expected 'n m', found '3 1 1'"),
    ("x\n1 2 5\n", 1, "expected 'n m', found 'x'"),
    ("# nothing\n", 1, "expected 'n m', found the end of the file"),
]


@pytest.mark.parametrize(("content", "line", "message"), MALFORMED)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("a.txt", content), line, message, format="counted")


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("3 2\n1 2 5\n3 2 -7\n", {}),
        ("3\n2\n1 2 5\n3 2 -7\n", {}),
        ("3\n1 2 5\n3 2 -7\n", {}),
        ("\n# x\n 3 2 \r\n1\t2 5\r\n3 2 -7", {"one_based": True}),
        ("3 2\n0 1 5\n2 1 -7\n", {"one_based": False}),
    ],
)
def test_counted_lists(file, content, options):
    graph = read(file("a.txt", content), format="counted", **options)
    assert edges_of(graph) == EDGES
    assert graph.n == 3
