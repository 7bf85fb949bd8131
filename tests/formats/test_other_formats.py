"""The lines that the documentation says to type for files of other libraries."""

import importlib
import json
import pathlib
import re

import networkx
import numpy
import pandas
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
D3 = {
    "nodes": [{"name": "Anna", "value": 3}, {"name": "Ben"}, {"name": "Carl"}, {"name": "Dora"}],
    "links": [
        {"source": 0, "target": 1, "value": 9},
        {"source": 1, "target": 2, "value": 4},
        {"source": 0, "target": 2, "value": 1},
        {"source": 3, "target": 0, "value": 2},
    ],
}
D3_BY_ID = {
    "nodes": [{"id": node["name"], "group": 1} for node in D3["nodes"]],
    "links": [
        {key: D3["nodes"][end]["name"] if key != "value" else end for key, end in link.items()}
        for link in D3["links"]
    ],
}
PLY = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property uchar red
element face 1
property list uchar int vertex_indices
end_header
0 0 0 255
1 0 0 255
1 2 0 10
5 5 5 10
3 0 1 2
"""


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


def save_excel(path):
    frame = pandas.DataFrame(
        {"from": list("aab"), "to": list("bcc"), "km": 0, "length": [w for *_, w in EDGES]}
    )
    with path.open("wb") as file:
        frame.to_excel(file, index=False)


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
    "node-link JSON": [(save_node_link("edges"), 7, None), (save_node_link("links"), 7, None)],
    "links by position": [(text(json.dumps(D3)), 7, ["Anna", "Ben", "Carl", "Dora"])],
    "links by id": [
        (text(json.dumps(D3_BY_ID)), 7, ["Anna", "Ben", "Carl", "Dora"]),
        (text(json.dumps({"links": [{"source": 70, "target": 7, "value": 5}]})), 5, [7, 70]),
    ],
    "Excel": [(save_excel, 7, ["a", "b", "c"])],
    "PLY": [(text(PLY), 10.071067811865476, None)],
    "sparse": [(save_matrix, 7, None)],
    "`n m`": [(save_lines, 7, None)],
    "PBBS": [(lambda path: write_pbbs(GRAPH, path), 7, None)],
    "GBBS": [(lambda path: write_gbbs(GRAPH, path), 7, None)],
}
"""For each kind of file: a function that writes one, and the weight and the names of its spanning tree."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            file,
            marks=[
                pytest.mark.needs(library) for library in ("scipy", "openpyxl") if library in file + typed
            ],
        )
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
            "pandas": pandas,
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
