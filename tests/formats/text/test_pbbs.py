"""PBBS weighted edge arrays."""

import pytest
from hypothesis import given

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, assert_same, graphs, path_for

MALFORMED = [
    ("EdgeArray\n0 1 2\n", 1, "expected 'WeightedEdgeArray', found 'EdgeArray'"),
    ("WeightedEdgeArray\n0 1\n", 2, "expected 'u v w', found '0 1'"),
]


@pytest.mark.parametrize(("content", "line", "message"), MALFORMED)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("graph", content), line, message, format="pbbs")


@given(graph=graphs())
def test_pbbs_keeps_a_graph_whose_last_vertex_has_an_edge(graph, tmp_path):
    path, how = path_for(tmp_path, "pbbs")
    whole = Graph.from_edges(graph.u, graph.v, graph.w)
    write(whole, path, **how)
    assert_same(read(path, **how), whole)
    if graph.n > whole.n:
        with pytest.raises(FormatError, match=f"the last {graph.n - whole.n}, which have no edges"):
            write(graph, path, **how)


def test_the_text_that_is_written(tmp_path):
    write(Graph(3, [2, 0, 1], [1, 2, 1], [0.5, 2, 3]), tmp_path / "pbbs", format="pbbs")
    assert (tmp_path / "pbbs").read_text() == "WeightedEdgeArray\n2 1 0.5\n0 2 2.0\n1 1 3.0\n"
