import numpy as np
import pytest

import boruvka
from boruvka.errors import GraphError, GraphTypeError
from boruvka.trees.plotting.coordinates import coordinates_by_vertex, place_vertices


@pytest.fixture
def forest():
    return boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 7, 3]), backend="interpreted")


def test_names():
    edges = [("Brno", "Praha", 205), ("Brno", "Zlín", 97)]
    named = boruvka.minimum_spanning_forest(edges, backend="interpreted")
    by_name = {"Zlín": (5, 6), "Brno": (1, 2), "Praha": (3, 4)}
    assert place_vertices(named, by_name).points.tolist() == [[1, 2], [3, 4], [5, 6]]
    with pytest.raises(GraphError, match="Ostrava"):
        place_vertices(named, {"Ostrava": (5, 6)})
    with pytest.raises(GraphError, match=r"1 vertices .* the first is 'Zlín'"):
        place_vertices(named, {"Brno": (1, 2), "Praha": (3, 4)})


def test_numbers(forest):
    points = coordinates_by_vertex(forest, [2, 0, 1], [[4, 8], [0, 1], [2, 3]])
    np.testing.assert_array_equal(points, [[0, 1], [2, 3], [4, 8], [np.nan] * 2])
    with pytest.raises(GraphError, match="coordinates: the table has the vertex 0 twice"):
        coordinates_by_vertex(forest, [0, 0], [[1, 2], [1, 2]])
    with pytest.raises(GraphError, match="9"):
        coordinates_by_vertex(forest, [0, 9], [[1, 2], [1, 2]])


def test_a_vertex_without_edges_needs_no_coordinates():
    forest = boruvka.minimum_spanning_forest(([0], [1], [5], 3), backend="interpreted")
    places = place_vertices(forest, {0: (1, 2), 1: (3, 4)})
    assert np.isnan(places.points[2]).all()
    assert places.box.tolist() == [[1, 2], [3, 4]]


def test_systems(forest):
    degrees = np.array([[59.0, 10], [60, 11], [61, 12], [60, 13]])
    places = place_vertices(forest, degrees, "latlon")
    np.testing.assert_array_equal(places.points, degrees[:, ::-1])
    assert places.aspect == pytest.approx(2)  # at 60 degrees
    millionths = np.round(1e6 * degrees[:, ::-1]).astype(int)
    assert place_vertices(forest, millionths, "lonlat").aspect == pytest.approx(2)
    assert place_vertices(forest, degrees).aspect == 1


def test_points_of_a_graph_are_its_coordinates():
    points = np.array([[0, 0], [3, 4], [6, 0]])
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
    assert place_vertices(forest).points.tolist() == points.tolist()
    solid = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(np.eye(3)))
    assert place_vertices(solid).points.shape == (3, 2)  # a layout
    globe = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points / 10, "haversine"))
    assert place_vertices(globe).points == pytest.approx(np.degrees(points / 10)[:, ::-1])
    assert globe.graph.system == "lonlat"


@pytest.mark.parametrize(
    ("coordinates", "error", "message"),
    [
        (np.zeros((3, 2)), GraphError, "one row for each of the 4 vertices, these have 3"),
        (np.zeros((4, 3)), GraphError, r"two columns, x and y, not the shape \(4, 3\)"),
        (np.array([["a", "b"]] * 4), GraphTypeError, "must be numbers"),
        ([[1, 2], [3]], GraphTypeError, "coordinates cannot be read as an array"),
        ([[1, 2], [1e308, 2], [1, 2], [-1e308, 0]], GraphError, "of 1e\\+308 are too large for a picture"),
        ([[1, 2], [np.nan, 2], [1, 2], [1, np.inf]], GraphError, "2 vertices .* the first is 1"),
    ],
)
def test_wrong_coordinates(forest, coordinates, error, message):
    with pytest.raises(error, match=message):
        place_vertices(forest, coordinates)
