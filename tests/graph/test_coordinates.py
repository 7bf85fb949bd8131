"""Coordinates belong to the graph: generators and readers set them, files keep them, pictures use them."""

import math
import pickle

import numpy as np
import pytest

from boruvka import (
    FormatError,
    Graph,
    GraphError,
    GraphTypeError,
    OptionError,
    as_graph,
    generators,
    minimum_spanning_forest,
    read,
    write,
)
from boruvka.generators.geometric import geometric_points
from boruvka.trees.plotting.coordinates import place_vertices

PLACES = np.array([[0.0, 0.5], [1.0, 1.0], [2.0, 0.25]])
GRAPH = Graph(3, [0, 1], [1, 2], [5, 7]).with_coordinates(PLACES, "lonlat")


def test_a_graph_keeps_them():
    assert Graph(3, [0], [1], [2]).coordinates is None
    for graph in (
        GRAPH,
        GRAPH.with_names("abc"),
        GRAPH.with_weights([3, 4]),
        pickle.loads(pickle.dumps(GRAPH)),
    ):
        assert graph.coordinates.tolist() == PLACES.tolist()
        assert graph.system == "lonlat"
        with pytest.raises(ValueError, match="read-only"):
            graph.coordinates[0, 0] = 1


def test_pictures_use_them():
    positions = place_vertices(minimum_spanning_forest(GRAPH))
    assert positions.points.tolist() == PLACES.tolist()
    assert positions.aspect == pytest.approx(1, rel=1e-3)
    assert place_vertices(minimum_spanning_forest(GRAPH), system="xy").aspect == 1


@pytest.mark.parametrize(
    ("coordinates", "message"),
    [
        (np.zeros((2, 2)), "one row for each of the 3 vertices, these have 2"),
        (np.zeros((3, 3)), r"two columns, x and y, not the shape \(3, 3\)"),
        (np.array([["a", "b"]] * 3), "must be numbers, these have dtype <U1"),
    ],
)
def test_wrong_ones(coordinates, message):
    with pytest.raises((GraphError, GraphTypeError), match=message):
        GRAPH.with_coordinates(coordinates)
    with pytest.raises(OptionError, match="system must be one of xy, lonlat, latlon; got 'polar'"):
        GRAPH.with_coordinates(PLACES, "polar")


def test_latitudes_may_come_first():
    graph = GRAPH.with_coordinates(np.array(PLACES)[:, ::-1], "latlon")
    assert (graph.coordinates.tolist(), graph.system) == (GRAPH.coordinates.tolist(), "lonlat")


def test_generators():
    grid = generators.grid(3, 4, seed=1)
    x, y = grid.coordinates.T
    assert (np.abs(x[grid.u] - x[grid.v]) + np.abs(y[grid.u] - y[grid.v]) == 1).all()
    assert (x[5], y[5]) == (1, 1)
    geometric = generators.geometric(200, seed=3)
    ends = geometric.coordinates[geometric.u] - geometric.coordinates[geometric.v]
    np.testing.assert_allclose(np.hypot(*ends.T), geometric.w)
    assert geometric.coordinates.T.tolist() == [axis.tolist() for axis in geometric_points(200, 3)]
    assert pickle.loads(pickle.dumps(grid)).coordinates.tolist() == grid.coordinates.tolist()
    assert generators.random(10, 20).coordinates is None


@pytest.mark.parametrize("ending", ["npz", "graphml"])
def test_files_keep_them(tmp_path, ending):
    places = PLACES + 1e-9 if ending == "npz" else PLACES
    for graph in GRAPH.with_coordinates(places, "xy"), GRAPH.with_names("abc").with_coordinates(places):
        write(graph, tmp_path / f"graph.{ending}")
        found = read(tmp_path / f"graph.{ending}")
        assert found.coordinates.tolist() == places.tolist()
        write(minimum_spanning_forest(graph), tmp_path / f"forest.{ending}")
        assert read(tmp_path / f"forest.{ending}").coordinates.tolist() == places.tolist()


def test_npz_keeps_the_system(tmp_path):
    write(GRAPH, tmp_path / "graph.npz")
    assert read(tmp_path / "graph.npz").system == "lonlat"
    np.savez(tmp_path / "bad.npz", n=2, u=[0], v=[1], w=[1], coordinates=np.zeros(3))
    with pytest.raises(FormatError, match=r"bad\.npz: coordinates must have two columns"):
        read(tmp_path / "bad.npz")


def test_networkx():
    networkx = pytest.importorskip("networkx")
    g = networkx.Graph()
    g.add_edge("a", "b", weight=1)
    assert as_graph(g).coordinates is None
    g.nodes["a"]["x"], g.nodes["a"]["y"] = 1, 2.5
    assert as_graph(g).coordinates is None  # b has none
    g.nodes["b"]["x"], g.nodes["b"]["y"] = 3, 4
    assert as_graph(g).coordinates.tolist() == [[1, 2.5], [3, 4]]
    for node, place in (("a", (7, 8)), ("b", (9, 10))):
        g.nodes[node]["pos"] = place
    assert as_graph(g).coordinates.tolist() == [[7, 8], [9, 10]]
    g.nodes["a"]["pos"] = "here"
    assert as_graph(g).coordinates is None


@pytest.mark.parametrize("system", ["xy", "lonlat"])
def test_vertices_near_places(system):
    rng = np.random.default_rng(3)
    low, high = ([0, 0], [9, 9]) if system == "xy" else ([-180, -90], [180, 90])
    points, places = rng.uniform(low, high, (50, 2)), rng.uniform(low, high, (20, 2))
    points[7] = np.nan
    graph = Graph(50, [0], [1], [1]).with_coordinates(points, system)
    found = graph.vertex_near(places)
    for place, vertex in zip(places, found, strict=True):
        assert vertex == graph.vertex_near(tuple(place))
        if system == "xy":
            distances = [math.dist(place, point) for point in points]
        else:  # the law of cosines
            (x, y), (lon, lat) = np.radians(place), np.radians(points).T
            distances = np.arccos(np.sin(y) * np.sin(lat) + np.cos(y) * np.cos(lat) * np.cos(lon - x))
        assert vertex == np.nanargmin(distances)
    named = graph.with_names([f"v{i}" for i in range(50)])
    assert named.vertex_near(places).tolist() == [f"v{i}" for i in found]
    assert named.vertex_near(places[0]) == f"v{found[0]}"


def test_places_without_a_near_vertex():
    graph = Graph(2, [0], [1], [1])
    with pytest.raises(GraphTypeError, match=r"no coordinates: graph.with_coordinates gives them"):
        graph.vertex_near((0, 0))
    with pytest.raises(GraphError, match="no vertex has coordinates"):
        graph.with_coordinates(np.full((2, 2), np.nan)).vertex_near((0, 0))
    for wrong in (1, (1, 2, 3), (1, np.inf), [[[1, 2]]]):
        with pytest.raises(GraphError, match="a place has two coordinates"):
            graph.with_coordinates([[0, 0], [1, 1]]).vertex_near(wrong)
    with pytest.raises(GraphTypeError, match="coordinates must be numbers"):
        graph.with_coordinates([[0, 0], [1, 1]]).vertex_near("ab")


def test_vertices_near_points_of_a_frame():
    geopandas = pytest.importorskip("geopandas")
    places = geopandas.GeoSeries.from_xy([14.4, 14.5], [50.1, 50.1], crs=4326)
    corners = places.to_crs(32633)
    graph = Graph(2, [0], [1], [1]).with_coordinates(places.get_coordinates().to_numpy(), "lonlat")
    assert graph.vertex_near(corners).tolist() == [0, 1]
    assert graph.vertex_near(corners[::-1]).tolist() == [1, 0]
