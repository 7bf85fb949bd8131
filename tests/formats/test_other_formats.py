"""The lines that the documentation says to type for files of other libraries."""

import importlib
import json
import pathlib
import re

import networkx
import numpy
import pytest

import boruvka
from boruvka.errors import FormatError
from lab.contestants.external import write_gbbs, write_pbbs

EDGES = [(0, 1, 5.0), (0, 2, 7.5), (1, 2, 2.0)]
GRAPH = boruvka.Graph.from_edges(*zip(*EDGES, strict=True))
PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "formats.md").read_text()
TYPED = dict(
    re.findall(
        r"^\| ([^|]*) \| `(.*)` \|$", PAGE.split("## Files of other libraries")[1].split("##")[0], re.M
    )
)
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


def networkx_graph(kind=int):
    g = networkx.Graph()
    g.add_weighted_edges_from([(kind(u), kind(v), w) for u, v, w in EDGES])
    return g


def save_node_link(key):
    return lambda path: path.write_text(json.dumps(networkx.node_link_data(networkx_graph(), edges=key)))


def save_matrix(path):
    import scipy.sparse

    u, v, w = zip(*EDGES, strict=True)
    scipy.sparse.save_npz(path, scipy.sparse.coo_array((w, (u, v)), (3, 3)))


def save_lines(path):
    path.write_text("3 3\n" + "".join(f"{u} {v} {w}\n" for u, v, w in EDGES))


def text(content):
    return lambda path: path.write_text(content)


SAVE = {
    "attributes in braces": [
        (text(ATTRIBUTES), 3, ["a", "b", "c"]),
        (lambda path: networkx.write_edgelist(networkx_graph(), path), 7, None),
    ],
    "weights alone": [(lambda path: networkx.write_weighted_edgelist(networkx_graph(), path), 7, None)],
    "vertices with labels": [
        (text(LABELS), 7.5, ["Ann A", "Bob", "Cy", "Di"]),
        (lambda path: networkx.write_pajek(networkx_graph(str), path), 7, ["0", "1", "2"]),
    ],
    "without lines of vertices": [(text(NO_LABELS), 10, None)],
    "node-link JSON": [(save_node_link("edges"), 7, None), (save_node_link("links"), 7, None)],
    "JSON of D3": [(text(json.dumps(D3)), 7, ["Anna", "Ben", "Carl", "Dora"])],
    "sparse": [(save_matrix, 7, None)],
    "`n m`": [(save_lines, 7, None)],
    "PBBS": [(lambda path: write_pbbs(GRAPH, path), 7, None)],
    "GBBS": [(lambda path: write_gbbs(GRAPH, path), 7, None)],
}
"""For each kind of file: a function that writes one, and the weight and the names of its spanning tree."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(file, marks=[pytest.mark.needs("scipy")] if "scipy" in typed else [])
        for file, typed in TYPED.items()
        if "graph-tool" not in file
    ],
)
def test_what_the_documentation_types(file, tmp_path):
    path = tmp_path / "a.npz"
    for save, weight, vertices in next(cases for name, cases in SAVE.items() if name in file):
        save(path)
        names = {
            "boruvka": boruvka,
            "json": json,
            "networkx": networkx,
            "numpy": numpy,
            "pathlib": pathlib,
            "path": path,
        }
        if "scipy" in TYPED[file]:
            names["scipy"] = importlib.import_module("scipy")
        *before, last = TYPED[file].split("; ")
        exec("; ".join(before), names)
        graph = eval(last, names)
        forest = boruvka.minimum_spanning_forest(graph)
        assert (forest.weight, forest.n_components) == (weight, 1)
        assert (None if graph.names is None else sorted(graph.names.tolist())) == vertices


@pytest.mark.needs("scipy")
def test_a_sparse_array_of_scipy_is_named(tmp_path):
    path = tmp_path / "a.npz"
    save_matrix(path)
    with pytest.raises(FormatError, match=r"in Python: boruvka\.as_graph\(scipy\.sparse\.load_npz\(path\)\)"):
        boruvka.read(path)
