"""GBBS and Ligra weighted adjacency graphs."""

import pytest
from hypothesis import given

from boruvka import Graph
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, canonical, graphs, path_for

HEADER = "WeightedAdjacencyGraph\n"


MALFORMED = [
    ("AdjacencyGraph\n0\n0\n", 1, "expected 'WeightedAdjacencyGraph', found 'AdjacencyGraph'"),
    (HEADER + "2\n", 2, "expected the numbers of vertices and of arcs, found '2'"),
    (HEADER + "-1\n0\n", 2, "expected the numbers of vertices and of arcs"),
    (HEADER + "2\n2\n0\n1\n1\n0\n5\n", 1, "announces 2 vertices and 2 arcs, which take 8 numbers"),
    (HEADER + "2\n2\n0\n1\n1\n0\n5\nx\n", 9, "expected one number per line, found 'x'"),
    (HEADER + "2\n2\n0\n1\n2\n0\n5\n5\n", None, "neighbours must be whole numbers from 0 to 1, found 2"),
    (HEADER + "2\n2\n0\n.5\n1\n0\n5\n5\n", None, "offsets must be whole numbers from 0 to 2, found 0.5"),
    (HEADER + "2\n2\n1\n0\n1\n0\n5\n5\n", None, "offsets must begin at 0 and not decrease"),
    (HEADER + "2\n2\n0\n1\n1\n0\n5\n6\n", None, "every edge must be listed at both its ends"),
    (HEADER + "2\n1\n0\n1\n1\n5\n", None, "every edge must be listed at both its ends"),
]


@pytest.mark.parametrize(("content", "line", "message"), MALFORMED)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("graph", content), line, message, format="gbbs")


@given(graph=graphs())
def test_gbbs_keeps_a_graph_with_loops_and_parallel_edges(graph, tmp_path):
    path, how = path_for(tmp_path, "gbbs")
    write(graph, path, **how)
    back = read(path, **how)
    assert back.n == graph.n
    assert canonical(back) == canonical(graph)


def test_the_text_that_is_written(tmp_path):
    write(Graph(3, [2, 0, 1], [1, 2, 1], [0.5, 2, 3]), tmp_path / "gbbs", format="gbbs")
    words = (tmp_path / "gbbs").read_text().split()
    assert words[:6] == ["WeightedAdjacencyGraph", "3", "6", "0", "1", "4"]
    assert words[6:12] == ["2", "1", "1", "2", "0", "1"]
    assert words[12:] == ["2.0", "3.0", "3.0", "0.5", "2.0", "0.5"]
