"""Pajek, against NetworkX."""

import networkx as nx
import pytest

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, edges_of

NAMES = ["Bonn am Rhein", "ü", "x", "10"]


@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
def test_we_read_what_networkx_writes(kind, tmp_path):
    g = kind()
    g.add_nodes_from(NAMES)
    g.add_weighted_edges_from(
        [("x", "ü", 2.5), ("x", "ü", 1.0), ("10", "Bonn am Rhein", 3.0), ("x", "x", 4.0)]
    )
    nx.write_pajek(g, tmp_path / "a.net")
    graph = read(tmp_path / "a.net")
    assert graph.names.tolist() == NAMES
    ends = graph.name_of(graph.u).tolist(), graph.name_of(graph.v).tolist()
    assert list(zip(*ends, graph.w.tolist(), strict=True)) == list(g.edges(data="weight"))


def test_networkx_reads_what_we_write(tmp_path):
    write(Graph(4, [0, 1, 1], [1, 2, 2], [2, 0.5, 3]).with_names(NAMES), tmp_path / "a.pajek")
    g = nx.read_pajek(tmp_path / "a.pajek")
    assert list(g) == NAMES
    assert [w for _, _, w in g.edges(data="weight")] == [2, 0.5, 3]
    assert read(tmp_path / "a.pajek").names.tolist() == NAMES
    write(Graph(3, [0], [1], [2]), tmp_path / "a.net")
    assert (tmp_path / "a.net").read_text() == '*Vertices 3\n1 "0"\n2 "1"\n3 "2"\n*Edges\n1 2 2\n'
    with pytest.raises(FormatError, match="labels of Pajek have no quotation marks"):
        write(Graph(2, [0], [1], [2]).with_names(["a", 'b"']), tmp_path / "b.net")


def test_sections_of_a_file(file):
    path = file(
        "a.net",
        '% made by hand\n*Network roads\n*VERTICES 4\n1 "a" 0.5 0.5 ellipse\n2 b\n\n4 "d e"\n'
        "*arcs :1\n1 2 9223372036854775807 c Blue\n*Edges\n4 1 5\r\n",
    )
    graph = read(path)
    assert graph.names is None  # vertex 3 has no label
    assert edges_of(graph) == [(0, 1, 2**63 - 1), (3, 0, 5)]
    path = file("b.net", '*Vertices 2\n1 "a"\n2 "a"\n*Edges\n1 2 5\n')
    assert read(path).names is None
    path = file("c.net", "*Vertices 3\n1 7\n2 8\n3 9\n*Edgeslist\n1 2 3\n*Arcslist\n3 1\n")
    graph = read(path, unweighted=True)
    assert graph.names.tolist() == [7, 8, 9]
    assert edges_of(graph) == [(0, 1, 1), (0, 2, 1), (2, 0, 1)]
    assert_malformed(path, None, "cannot tell the weight")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("*Edges\n1 2 3\n", 1, "expected *Vertices n, then"),
        ("1 2 3\n", 1, "expected *Vertices n"),
        ("*Network x\n", 1, "expected *Vertices n, found the end of the file"),
        ("*Vertices\n", 1, "expected *Vertices n"),
        ("*Vertices 2\n3 a\n", 2, "expected a vertex between 1 and 2 and its \"label\", found '3 a'"),
        ("*Vertices 2\n*Edges\n1 2 3\n1 3 4\n", 4, "expected two vertices between 1 and 2, found '1 3 4'"),
        ("*Vertices 2\n*Edges\n1\n", 3, "expected two vertices"),
        ("*Vertices 2\n*Matrix\n1 2\n3 4\n", 2, "expected *Vertices n, then *Edges, *Arcs"),
        ("*Vertices 2\n*Edges\n1 2\n", None, "cannot tell the weight"),
        ("*Vertices 2\n*Edges\n1 2 3\n2 1\n", None, "edge 1 (1, 0) has no 'weight'"),
        ("*Vertices 2\n*Edges\n1 2 x\n", None, "edge 0 (0, 1) has 'x', which is no number"),
        ("*Vertices 2\n*Edges\n1 2 nan\n", None, "NaN"),
    ],
)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("a.net", content), line, message)
