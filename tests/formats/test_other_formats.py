"""The lines that the documentation says to type for files of other libraries."""

import json
import pathlib
import re

import networkx
import numpy
import pytest
import scipy.sparse

import boruvka
from boruvka.errors import FormatError
from lab.contestants.external import write_gbbs, write_pbbs
from tests.formats.helpers import canonical

EDGES = [(0, 1, 5.0), (0, 2, 7.5), (1, 2, 2.0)]
GRAPH = boruvka.Graph.from_edges(*zip(*EDGES, strict=True))
PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "formats.md").read_text()
TYPED = dict(
    re.findall(
        r"^\| ([^|]*) \| `(.*)` \|$", PAGE.split("## Files of other libraries")[1].split("##")[0], re.M
    )
)


def networkx_graph():
    g = networkx.Graph()
    g.add_weighted_edges_from(EDGES)
    return g


def save_pajek(path):
    networkx.write_pajek(networkx.relabel_nodes(networkx_graph(), str), path)


def save_matrix(path):
    u, v, w = zip(*EDGES, strict=True)
    scipy.sparse.save_npz(path, scipy.sparse.coo_array((w, (u, v)), (3, 3)))


def save_lines(path):
    path.write_text("3 3\n" + "".join(f"{u} {v} {w}\n" for u, v, w in EDGES))


SAVE = {
    "edge list": lambda path: networkx.write_weighted_edgelist(networkx_graph(), path),
    "Pajek": save_pajek,
    "node-link": lambda path: path.write_text(json.dumps(networkx.node_link_data(networkx_graph()))),
    "sparse": save_matrix,
    "`n m`": save_lines,
    "PBBS": lambda path: write_pbbs(GRAPH, path),
    "GBBS": lambda path: write_gbbs(GRAPH, path),
}


@pytest.mark.parametrize("file", [file for file in TYPED if "graph-tool" not in file])
def test_what_the_documentation_types(file, tmp_path):
    path = tmp_path / "a.npz"
    next(save for name, save in SAVE.items() if name in file)(path)
    names = {
        "boruvka": boruvka,
        "json": json,
        "networkx": networkx,
        "numpy": numpy,
        "pathlib": pathlib,
        "scipy": scipy,
        "path": path,
    }
    *before, last = TYPED[file].split("; ")
    exec("; ".join(before), names)
    graph = eval(last, names)
    assert graph.n == 3
    assert set(canonical(graph)) == set(EDGES)


def test_a_sparse_array_of_scipy_is_named(tmp_path):
    path = tmp_path / "a.npz"
    save_matrix(path)
    with pytest.raises(FormatError, match=r"in Python: boruvka\.as_graph\(scipy\.sparse\.load_npz\(path\)\)"):
        boruvka.read(path)
