"""What docs/formats.md says to type for files of other libraries works on files of these."""

import ast
import json
import pathlib
import re

import networkx
import numpy
import pytest
import scipy

import boruvka
from boruvka import minimum_spanning_forest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "formats.md"
ATTRIBUTES = "# a comment\na b {'weight': 3.0, 'kind': 'road'}\nb c {'weight': 1.0}\na c {'weight': 2.0}\n"
LABELS = """*Network of 4 [1]
*Vertices 4
1 "Ann A" 0.1 0.2 0.5
2 "Bob"
3 "Cy" 0.4 0.1 0.5
4 "Di"
*Arcs
1 2 3.5
2 1 9
2 4 6
*Edges
2 3 1.5 c Blue
1 3 2
3 4 4
"""
NO_LABELS = "*Vertices 4\n*Edges\n1 2 5\n2 3 1\n1 3 2\n3 4 7\n"
D3 = {
    "nodes": [{"name": "Anna", "value": 3}, {"name": "Ben"}, {"name": "Carl"}, {"name": "Dora"}],
    "links": [
        {"source": 0, "target": 1, "value": 9},
        {"source": 1, "target": 2, "value": 4},
        {"source": 0, "target": 2, "value": 1},
        {"source": 3, "target": 0, "value": 2},
    ],
}


def triangle():
    g = networkx.Graph()
    g.add_weighted_edges_from([("a", "b", 3), ("b", "c", 1), ("a", "c", 2)])
    return g


def node_link(key):
    return lambda path: path.write_text(json.dumps(networkx.node_link_data(triangle(), edges=key)))


def sparse(path):
    rows = scipy.sparse.csr_array(numpy.array([[0, 3, 2], [0, 0, 1], [0, 0, 0]]))
    scipy.sparse.save_npz(path, rows)


def text(content):
    return lambda path: path.write_text(content)


FILES = {
    "edge list of NetworkX with attributes": [
        ("a.edgelist", text(ATTRIBUTES), 3, "abc"),
        ("a.edgelist", lambda path: networkx.write_edgelist(triangle(), path), 3, "abc"),
    ],
    "edge list of NetworkX with weights": [
        ("a.edgelist", lambda path: networkx.write_weighted_edgelist(triangle(), path), 3, "abc"),
    ],
    "Pajek, .net, vertices": [
        ("a.net", text(LABELS), 7.5, ["Ann A", "Bob", "Cy", "Di"]),
        ("a.net", lambda path: networkx.write_pajek(triangle(), path), 3, "abc"),
    ],
    "Pajek, .net, without": [("a.net", text(NO_LABELS), 10, None)],
    "node-link JSON": [
        ("a.json", node_link("edges"), 3, "abc"),
        ("a.json", node_link("links"), 3, "abc"),
    ],
    "JSON of D3": [("a.json", text(json.dumps(D3)), 7, ["Anna", "Ben", "Carl", "Dora"])],
    "sparse array": [("a.npz", sparse, 3, None)],
    "n m, then": [("a.txt", text("3 3\n0 1 3\n1 2 1\n0 2 2\n"), 3, None)],
    "PBBS": [("a.txt", text("WeightedEdgeArray\n0 1 3\n1 2 1\n0 2 2\n"), 3, None)],
    "GBBS": [
        ("a.adj", text("WeightedAdjacencyGraph\n3\n3\n0\n2\n3\n1\n2\n2\n3\n2\n1\n"), 3, None),
    ],
}
NOT_INSTALLED = ("graph-tool",)


def documented_lines():
    """Return what to type, by the first cell of its row."""
    section = PAGE.read_text().split("## Files of other libraries")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.*?) \| `(.*)` \|$", section, re.MULTILINE)
    return {cell.replace("`", ""): line for cell, line in rows}


def lines_of(prefix):
    return [line for cell, line in documented_lines().items() if cell.startswith(prefix)]


def test_every_line_is_tested():
    rest = [cell for cell in documented_lines() if not cell.startswith((*FILES, *NOT_INSTALLED))]
    assert rest == []


@pytest.mark.parametrize("kind", FILES)
def test_line(kind, tmp_path):
    (line,) = lines_of(kind)
    *statements, last = ast.parse(line).body
    for name, save, weight, names in FILES[kind]:
        save(tmp_path / name)
        known = {"boruvka": boruvka, "networkx": networkx, "numpy": numpy, "scipy": scipy, "json": json}
        known |= {"pathlib": pathlib, "path": str(tmp_path / name)}
        exec(compile(ast.Module(statements, []), "docs", "exec"), known)
        graph = eval(compile(ast.Expression(last.value), "docs", "eval"), known)
        forest = minimum_spanning_forest(graph)
        assert (forest.weight, forest.n_components) == (weight, 1)
        assert (None if graph.names is None else sorted(graph.names)) == (names and list(names))
