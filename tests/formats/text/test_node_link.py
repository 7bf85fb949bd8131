"""Node-link JSON, against NetworkX."""

import json

import networkx as nx
import pytest

from boruvka import Graph
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, edges_of

EDGES = [("a", ("b", 2), 2.5), (("b", 2), 3, 1), ("a", 3, 7), ("a", 3, 8)]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("key", ["edges", "links"])
def test_we_read_what_networkx_writes(file, kind, key):
    g = kind()
    g.add_node("alone")
    g.add_weighted_edges_from(EDGES)
    graph = read(file("a.json", json.dumps(nx.node_link_data(g, edges=key))))
    assert graph.names.tolist() == list(g)
    ends = graph.name_of(graph.u).tolist(), graph.name_of(graph.v).tolist()
    assert list(zip(*ends, graph.w.tolist(), strict=True)) == list(g.edges(data="weight"))


def test_networkx_reads_what_we_write(tmp_path):
    graph = Graph(4, [0, 1, 0, 0], [1, 2, 2, 2], [2.5, 1, 7, 8]).with_names(["a", ("b", 2), 3, "3"])
    write(graph, tmp_path / "a.json")
    g = nx.node_link_graph(json.loads((tmp_path / "a.json").read_text()), edges="edges")
    assert list(g) == graph.names.tolist() == read(tmp_path / "a.json").names.tolist()
    assert sorted(w for _, _, w in g.edges(data="weight")) == [1, 2.5, 7, 8]


def test_nodes_without_ids_are_positions(file):
    links = '"links": [{"source": 1, "target": 0, "value": 4}]'
    graph = read(file("a.json", '{"nodes": [{"name": "x"}, {}],' + links + "}"))
    assert graph.names is None
    assert edges_of(graph) == [(1, 0, 4)]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('{"nodes": [],\n "edges": [}', 2, "cannot be read as JSON"),
        ("[" * 100_000, None, "cannot be read as JSON"),
        (b'"\xff"', None, "cannot be read as JSON"),
        ("[]", None, "expected node-link JSON, with a list of objects under 'nodes'"),
        ('{"type": "FeatureCollection", "features": []}', None, "expected node-link JSON"),
        ('{"nodes": [{"id": 1}, {}], "edges": []}', None, "1 of the 2 nodes have no 'id'"),
        ('{"nodes": [{"id": 1}, {"id": 1}], "edges": []}', None, "two vertices are called 1"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1}]}', None, "edge 0 has no 'source' or no 'target'"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}', None, "an edge ends at 2, which"),
        ('{"nodes": [{"id": {}}], "edges": [{"source": {}, "target": {}}]}', None, "cannot tell the weight"),
        (
            '{"nodes": [{}], "edges": [{"source": 0, "target": 0, "w": true}]}',
            None,
            "True, which is no number",
        ),
        ('{"nodes": [{}], "edges": [{"source": 0, "target": 0, "w": NaN}]}', None, "NaN"),
    ],
)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("a.json", content), line, message)
