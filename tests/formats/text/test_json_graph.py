"""JSON of D3 and NetworkX, against the spanning trees of NetworkX."""

import json

import networkx
import numpy as np
import pytest

import boruvka
from boruvka.errors import FormatError


@pytest.mark.parametrize("key", ["edges", "links"])
@pytest.mark.parametrize("kind", [networkx.Graph, networkx.MultiGraph])
@pytest.mark.parametrize("first", ["a", 7])
def test_node_link_data_of_networkx(key, kind, first, tmp_path):
    rng = np.random.default_rng(3)
    g = kind()
    for u, v, w in rng.integers(0, 20, (60, 3)).tolist():
        ends = (f"{first}{u}", f"{first}{v}") if isinstance(first, str) else (first + u, first + v)
        g.add_edge(*ends, weight=w, kind="road")
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(networkx.node_link_data(g, edges=key)))
    graph = boruvka.read(path)
    assert (graph.n, graph.m) == (len(g), g.number_of_edges())
    assert set(graph.names.tolist()) == set(g)
    expected = networkx.minimum_spanning_tree(g).size(weight="weight")
    assert boruvka.minimum_spanning_forest(graph).weight == expected


NAMES = ["Anna", "Ben", "Carl"]


@pytest.mark.parametrize("by_id", [False, True])
@pytest.mark.parametrize("key", ["name", "id"])
def test_links_of_d3(by_id, key, tmp_path):
    ends = NAMES if by_id else range(3)
    links = [
        {"source": ends[u], "target": ends[v], "value": w} for u, v, w in ((0, 1, 9), (1, 2, 4), (0, 2, 1))
    ]
    path = tmp_path / "graph.json"
    path.write_text(json.dumps({"nodes": [{key: name, "group": 1} for name in NAMES], "links": links}))
    graph = boruvka.read(path)
    assert graph.names.tolist() == NAMES
    assert boruvka.minimum_spanning_forest(graph).weight == 5


@pytest.mark.parametrize("end", ["Dora", 3, -1, None])
def test_a_link_to_no_node_is_an_error(end, tmp_path):
    path = tmp_path / "graph.json"
    nodes = [{"name": name} for name in NAMES]
    path.write_text(json.dumps({"nodes": nodes, "links": [{"source": 0, "target": end, "value": 9}]}))
    with pytest.raises(FormatError, match="the target of link 0 is no node"):
        boruvka.read(path)
