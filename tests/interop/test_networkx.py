import geopandas
import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import given

import boruvka
from boruvka import GraphError, as_graph
from boruvka.errors import GraphTypeError, GraphWarning, OptionError

from .graphs import graphs, minimum_spanning_forest, same


@given(graphs())
def test_there_and_back(graph):
    forest = minimum_spanning_forest(graph)
    g = forest.to_networkx()
    assert type(g) is nx.Graph
    assert list(g) == list(range(graph.n))
    assert nx.number_connected_components(g) == forest.n_components
    assert sorted(edge for _, _, edge in g.edges(data="edge")) == forest.edges.tolist()
    back = as_graph(g)
    assert back.names is None
    assert same(forest, minimum_spanning_forest(back))


def test_networkx_finds_the_same_weight():
    g = nx.gnm_random_graph(40, 200, seed=1)
    rng = np.random.default_rng(1)
    for _, _, data in g.edges(data=True):
        data["length"] = int(rng.integers(-20, 20))
    g = nx.relabel_nodes(g, {i: f"node {i}" for i in range(0, 40, 2)})
    g.add_node("alone")
    graph = as_graph(g, weight="length")
    assert (graph.names.tolist(), graph.m) == (list(g), g.number_of_edges())
    for maximum, oracle in [(False, nx.minimum_spanning_edges), (True, nx.maximum_spanning_edges)]:
        forest = minimum_spanning_forest(graph, maximum=maximum)
        assert forest.weight == sum(data["length"] for _, _, data in oracle(g, weight="length"))
        assert forest.n_components == nx.number_connected_components(g)
        back = forest.to_networkx()
        assert list(back) == list(g)
        assert all(g.edges[edge]["length"] == w for *edge, w in back.edges(data="weight"))


@pytest.mark.parametrize("nodes", [["b", "a", "c"], [7, 10**12, 3], [7, 2, 3]])
def test_edges_are_numbered_in_their_order(nodes):
    first, second, third = nodes
    g = nx.MultiGraph()
    g.add_weighted_edges_from([(first, second, 3), (second, first, 1), (third, third, 0)])
    for seen in g, g.edge_subgraph(g.edges):
        graph = as_graph(seen)
        assert graph.names.tolist() == nodes
        assert (graph.u.tolist(), graph.v.tolist(), graph.w.tolist()) == ([0, 0, 2], [1, 1, 2], [3, 1, 0])


def test_nodes_without_edges_are_vertices():
    graph = as_graph(nx.empty_graph(["x", "y"]))
    assert (graph.n, graph.m, graph.names.tolist()) == (2, 0, ["x", "y"])


def test_an_edge_is_called_by_the_names_of_its_ends():
    for weight, message in (
        (None, "has no attribute 'weight'"),
        (float("nan"), "has nan as attribute 'weight', no number"),
    ):
        with pytest.raises(GraphError, match=rf"^edge 0 \('a', 'b'\) {message}"):
            as_graph(nx.Graph([("a", "b", {"weight": weight})]))


def test_the_attribute_that_may_be_meant_is_named():
    g = nx.Graph([("a", "b", {"km": 3})])
    with pytest.raises(GraphError, match=r"no attribute 'Km': did you mean km\?; boruvka.as_graph"):
        as_graph(g, weight="Km")
    with pytest.raises(GraphError, match=r"no attribute 'weight'; it has 'km'; boruvka.as_graph"):
        as_graph(g)


def streets_of_osmnx(as_text=False):
    """Streets in both directions, as OSMnx has them; one is curved, two are parallel, one has two ids."""
    g = nx.MultiDiGraph(crs="epsg:32633")
    for node, (x, y) in {11: (0, 0), 12: (100, 0), 13: (100, 100), 14: (0, 100)}.items():
        g.add_node(node, x=458_000.0 + x, y=5_550_000.0 + y)
    for u, v, osmid, middle in (
        (11, 12, 5, (50, 30)),
        (12, 13, [6, 7], None),
        (13, 14, 8, None),
        (11, 12, 9, None),
    ):
        for a, b in (u, v), (v, u):
            points = [(g.nodes[end]["x"], g.nodes[end]["y"]) for end in (a, b)]
            data = {"osmid": osmid, "highway": "residential", "name": f"street {osmid}"}
            if middle is not None:
                points.insert(1, (458_000.0 + middle[0], 5_550_000.0 + middle[1]))
                data["geometry"] = shapely.LineString(points)
            data["length"] = shapely.LineString(points).length
            g.add_edge(a, b, **{k: str(x) if as_text and k != "length" else x for k, x in data.items()})
    return g


@pytest.mark.parametrize("is_file", [False, True])
def test_streets_of_osmnx_are_a_map(is_file, tmp_path):
    g = streets_of_osmnx(is_file)
    options = {"directed": True}
    if is_file:
        nx.write_graphml(g, tmp_path / "a.graphml")
        g, options = tmp_path / "a.graphml", {}
    read = boruvka.read if is_file else as_graph
    graph = read(g, **options)
    assert graph.names.tolist() == [11, 12, 13, 14]
    tree = boruvka.minimum_spanning_forest(graph)
    assert tree.weight == pytest.approx(300)
    frame = tree.to_geopandas()
    assert (frame.crs, sorted(frame["osmid"].astype(str))) == ("EPSG:32633", ["8", "9", "[6, 7]"])
    frame.to_file(tmp_path / "net.gpkg")
    detour = boruvka.minimum_spanning_forest(graph, excluded={"name": "street 9"})
    assert detour.to_geopandas().length.to_numpy() == pytest.approx(detour.w)
    assert detour.weight == pytest.approx(200 + 2 * np.hypot(50, 30))
    places = geopandas.GeoDataFrame(
        geometry=geopandas.points_from_xy([458_050, 458_050], [5_550_095, 5_549_990])
    )
    where = {"attach": places.set_crs(32633), "tolerance": 20}
    tree = boruvka.steiner_tree(read(g, **options, **where))
    assert tree.weight == pytest.approx(50 + 5 + 100 + 50 + 10)
    assert set(tree.to_geopandas()["name"]) == {"street 8", "street [6, 7]", "street 9"}
    assert boruvka.steiner_tree(as_graph(graph, **where)).weight == tree.weight
    with pytest.raises(OptionError, match="the graph has places: pass all in a list, as attach"):
        as_graph(tree.graph, **where)


def test_a_reference_system_that_is_none():
    g = streets_of_osmnx()
    g.graph["crs"] = "x"
    with pytest.raises(GraphError, match="the attribute crs of the graph is not a reference system"):
        as_graph(g, directed=True)


def test_attributes_of_edges_are_columns():
    g = nx.Graph()
    g.add_edge("a", "b", weight=1, kind="duct", geometry="x")
    g.add_edge("b", "c", weight=None)
    g.add_edge("c", "a", weight=3, kind=None)
    with pytest.warns(GraphWarning, match="1 of 3 edges are left out"):
        graph = as_graph(g, missing="drop")
    forest = minimum_spanning_forest(graph)
    assert forest.to_pandas(["kind"])["kind"].fillna("").tolist() == ["duct", ""]
    assert minimum_spanning_forest(graph, excluded={"kind": "duct"}).edges.tolist() == [1]
    placed = graph.with_coordinates([(0, 0), (1, 1), (2, 0)])
    columns = [*minimum_spanning_forest(placed).to_geopandas()]
    assert columns == ["source", "target", "kind", "edge", "weight", "geometry"]
    with pytest.raises(GraphTypeError, match="the vertices have no coordinates, so edges cannot be lines"):
        as_graph(g, default=1, attach=[(0, 1)])
