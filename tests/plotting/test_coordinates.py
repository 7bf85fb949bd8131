import gzip
import re
from pathlib import Path

import numpy as np
import polars
import pytest

import boruvka
from boruvka.errors import FileError, FormatError, GraphError, GraphTypeError, OptionError
from boruvka.plotting.coordinates import place_vertices, read_coordinates

POINTS = np.array([[0.5, 1], [2, -3], [4, 8], [1e6, 0]])
TABLE = "id,x,y\n2,4,8\n0,0.5,1\n3,1e6,0\n1,2,-3\n"


@pytest.fixture
def forest():
    return boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 7, 3]), backend="interpreted")


@pytest.fixture
def named():
    edges = [("Brno", "Praha", 205), ("Brno", "Zlín", 97)]
    return boruvka.minimum_spanning_forest(edges, backend="interpreted")


FILES = {
    "a.csv": TABLE.encode(),
    "a.tsv": TABLE.replace(",", "\t").encode(),
    "a.csv.gz": gzip.compress(b"# a comment\n" + TABLE.encode()),
    "a.CO": b"c DIMACS\np aux sp co 4\nv 1 0.5 1\nv 2 2 -3\nv 4 1000000 0\nv  3\t4 8\n",
    "a.co.gz": gzip.compress(b"p aux sp co 4\nv 1 0.5 1\nc more\nv 2 2 -3\nv 3 4 8\nv 4 1000000 0\n"),
    "b.csv": b"x,y\n0.5,1\n2,-3\n4,8\n1000000,0\n",
    "c.csv": b"Latitude,Vertex,Longitude\n1,0,0.5\n-3,1,2\n8,2,4\n0,3,1e6\n",
}


@pytest.mark.parametrize("name", FILES)
def test_files(forest, tmp_path, name):
    (tmp_path / name).write_bytes(FILES[name])
    points, system = read_coordinates(tmp_path / name, forest)
    np.testing.assert_array_equal(points, POINTS)
    if name == "c.csv":
        assert system == "lonlat"
    else:
        assert system in (None, "xy")
        np.testing.assert_array_equal(place_vertices(forest, str(tmp_path / name)).points, POINTS)


def test_binary_files(forest, tmp_path):
    np.save(tmp_path / "a.npy", POINTS)
    (tmp_path / "a.npy.gz").write_bytes(gzip.compress((tmp_path / "a.npy").read_bytes()))
    frame = polars.DataFrame({"node": [3, 2, 1, 0], "x": POINTS[::-1, 0], "y": POINTS[::-1, 1]})
    frame.write_parquet(tmp_path / "a.parquet")
    for name in ("a.npy", "a.npy.gz", "a.parquet"):
        np.testing.assert_array_equal(read_coordinates(tmp_path / name, forest)[0], POINTS)


def test_ids_from_1(forest, tmp_path):
    (tmp_path / "a.csv").write_text("id,x,y\n1,0.5,1\n2,2,-3\n3,4,8\n4,1e6,0\n")
    np.testing.assert_array_equal(read_coordinates(tmp_path / "a.csv", forest, one_based=True)[0], POINTS)
    with pytest.raises(FormatError, match=r"a\.csv: .*4"):
        read_coordinates(tmp_path / "a.csv", forest)


def test_names(named, tmp_path):
    expected = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    by_name = {"Zlín": (5, 6), "Brno": (1, 2), "Praha": (3, 4)}
    assert place_vertices(named, by_name).points.tolist() == expected
    (tmp_path / "a.csv").write_text("name,x,y\nZlín,5,6\nBrno,1,2\nPraha,3,4\n", encoding="utf-8")
    assert place_vertices(named, tmp_path / "a.csv").points.tolist() == expected
    with pytest.raises(GraphError, match="Ostrava"):
        place_vertices(named, {"Ostrava": (5, 6)})
    with pytest.raises(GraphError, match=r"1 vertices .* the first is 'Zlín'"):
        place_vertices(named, {"Brno": (1, 2), "Praha": (3, 4)})


def test_a_vertex_without_edges_needs_no_coordinates():
    forest = boruvka.minimum_spanning_forest(([0], [1], [5], 3), backend="interpreted")
    points = place_vertices(forest, {0: (1, 2), 1: (3, 4)}).points
    assert np.isnan(points[2]).all()


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


def test_large_forests_need_coordinates():
    forest = boruvka.minimum_spanning_forest(([0], [1], [1], 1001), backend="interpreted")
    with pytest.raises(OptionError, match=r"1,001 vertices needs coordinates: only .* 1,000"):
        place_vertices(forest)


@pytest.mark.parametrize(
    ("coordinates", "error", "message"),
    [
        (np.zeros((3, 2)), GraphError, "one row for each of the 4 vertices, these have 3"),
        (np.zeros((4, 3)), GraphError, r"two columns, x and y, not the shape \(4, 3\)"),
        (np.array([["a", "b"]] * 4), GraphTypeError, "must be numbers"),
        ([[1, 2], [3]], GraphTypeError, "coordinates cannot be read as an array"),
        ([[1, 2], [np.nan, 2], [1, 2], [1, np.inf]], GraphError, "2 vertices .* the first is 1"),
    ],
)
def test_wrong_coordinates(forest, coordinates, error, message):
    with pytest.raises(error, match=message):
        place_vertices(forest, coordinates)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b"", r"end in \.co, \.csv"),
        ("a.csv", b"id,x\n1,2\n", "expected the columns id, x and y .* found id, x"),
        ("a.csv", b"id,x,y\n0,1,2\n0,1,2\n", "vertex 0 has coordinates twice"),
        ("a.csv", b"id,x,y\n0,1,2\n9,1,2\n", "9"),
        ("a.csv", b"id,x,y\n0,1,red\n", "red"),
        ("a.csv", b"", "a.csv: "),
        ("b.csv", b"x,y\n1,2\n", "one row for each of the 4 vertices, found 1"),
        ("a.co", b"p aux sp co 4\nv 1 2\n", "expected lines 'v id x y'"),
        ("a.co", b"p aux sp co 4\nw 1 2 3\n", "expected lines 'v id x y'"),
        ("a.co", b"p aux sp co 4\nv 1 2 x\n", "expected lines 'v id x y'"),
        ("a.npy", b"PK", "a.npy: "),
        ("a.csv.gz", b"id,x,y", "the compressed data is damaged"),
        ("a.parquet", b"id,x,y", "a.parquet: "),
    ],
)
def test_wrong_files(forest, tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError, match=message):
        place_vertices(forest, tmp_path / name)


def test_a_missing_file(forest, tmp_path):
    with pytest.raises(FileError, match=r"a\.csv: No such file"):
        place_vertices(forest, tmp_path / "a.csv")


def test_a_damaged_parquet_file_does_not_end_the_process(tmp_path):
    """Page headers with huge counts of values, of which polars would ask for memory."""
    path = tmp_path / "places.parquet"
    forest = boruvka.minimum_spanning_forest(([0], [1], [5]))
    for case in (Path(__file__).parents[1] / "fuzz" / "cases").glob("*.parquet"):
        path.write_bytes(case.read_bytes())
        with pytest.raises(FormatError, match=re.escape(str(path))):
            read_coordinates(path, forest)
