"""Places as points: of frames of geopandas and of maps in files, on the sphere or in the plane."""

import math
from itertools import combinations

import numpy as np
import pytest

import boruvka
from boruvka import FormatError, Graph, GraphError, GraphWarning, OptionError, minimum_spanning_forest
from boruvka.formats.points import read_points
from tests.oracles import kruskal

geopandas = pytest.importorskip("geopandas")
pandas = pytest.importorskip("pandas")
shapely = pytest.importorskip("shapely")

PLACES = np.array([[14.0, 50.0], [14.1, 50.0], [14.1, 50.1], [15.0, 50.2], [-170, 10], [175, 10.5]])
POINTS = geopandas.GeoDataFrame(
    {"people": [3, 2, 2, 1, 1, 4], "village": list("ABCDEF")},
    geometry=[shapely.Point(*place, 300) for place in PLACES],
    crs="EPSG:4326",
)
LINES = geopandas.GeoDataFrame(geometry=[shapely.LineString(PLACES[:2])], crs="EPSG:4326")
FILES = ["geojson", "gpkg", "shp"]


def kilometres(a, b):
    """Compute the distance by the law of cosines."""
    (x, y), (p, q) = np.radians([a, b]).astype(np.longdouble)
    cosine = np.sin(y) * np.sin(q) + np.cos(y) * np.cos(q) * np.cos(x - p)
    return 6371.0088 * float(np.arccos(cosine))


def expected_weight(places):
    pairs = list(combinations(range(len(places)), 2))
    u, v = np.array(pairs).T
    w = np.array([kilometres(places[i], places[j]) for i, j in pairs])
    return w[kruskal(len(places), u, v, w)].sum()


def test_degrees_are_on_the_earth():
    graph = Graph.from_points(POINTS)
    assert (graph.names.tolist(), graph.system) == (list("ABCDEF"), "lonlat")
    assert graph.coordinates == pytest.approx(PLACES)
    forest = minimum_spanning_forest(graph)
    assert forest.weight == pytest.approx(expected_weight(PLACES), rel=1e-9)
    assert boruvka.verify(graph, forest)
    four = minimum_spanning_forest(Graph.from_points(POINTS[:4]))
    assert four.weight == pytest.approx(83.3499, abs=1e-4)
    assert four.to_pandas()["source"].tolist() == list("ABC")
    series = Graph.from_points(POINTS.geometry)
    assert (series.names, series.w.tolist()) == (None, graph.w.tolist())
    paris = POINTS[:4].to_crs("EPSG:4807")  # in grads, from another meridian
    assert Graph.from_points(paris).coordinates == pytest.approx(PLACES[:4], abs=1e-3)


def test_other_coordinates_are_in_a_plane():
    projected = POINTS[:4].to_crs("EPSG:32633")
    graph = Graph.from_points(projected)
    assert graph.system == "xy"
    assert graph.w[0] == pytest.approx(projected.geometry.iloc[0].distance(projected.geometry.iloc[1]))
    unknown = POINTS.set_crs(None, allow_override=True)
    assert Graph.from_points(unknown).w[0] == pytest.approx(0.1)
    for frame in projected, unknown:
        with pytest.raises(GraphError, match=r"metric='haversine' is for longitude and latitude"):
            Graph.from_points(frame, "haversine")


def test_the_metric_of_the_caller_stays():
    assert Graph.from_points(POINTS, "euclidean").w[0] == pytest.approx(0.1)
    angles = Graph.from_points(POINTS, "haversine")
    assert angles.w * 6371.0088 == pytest.approx(Graph.from_points(POINTS).w)
    first = Graph.from_points(POINTS, min_samples=3)
    assert first.core_distances[0] == pytest.approx(kilometres(PLACES[0], PLACES[2]))


def test_names():
    def names(frame):
        found = Graph.from_points(frame).names
        return None if found is None else found.tolist()

    assert names(POINTS.set_index("village")) == list("ABCDEF")
    assert names(POINTS.assign(Name=list("uvwxyz"))) == list("uvwxyz")
    assert names(POINTS.assign(id=[9, 8, 7, 6, 5, 4])) == [9, 8, 7, 6, 5, 4]
    assert names(POINTS.assign(id=1)) == list("ABCDEF")
    assert names(POINTS.assign(village=["A", None, *"CDEF"])) is None
    assert Graph.from_points(POINTS, names=range(10, 16)).names.tolist() == [10, 11, 12, 13, 14, 15]


def test_what_is_no_place():
    several = POINTS[:2].copy()
    several.geometry = [shapely.MultiPoint(PLACES[:3]), shapely.Point(PLACES[3])]
    graph = Graph.from_points(several)
    assert (graph.names, graph.coordinates.tolist()) == (None, PLACES[:4].tolist())
    for shape, shown in (None, "None"), (shapely.Point(), "POINT EMPTY"), (LINES.geometry[0], "LINESTRING"):
        wrong = POINTS.copy()
        wrong.loc[2, "geometry"] = shape
        with pytest.raises(GraphError, match=f"row 2 has {shown}.*, not a point: leave out such rows"):
            Graph.from_points(wrong)
    with pytest.raises(GraphError, match=r"points are a graph by boruvka\.Graph\.from_points\(frame\)"):
        boruvka.as_graph(POINTS)
    with pytest.raises(GraphError, match="latitudes are from"):
        Graph.from_points(geopandas.GeoDataFrame(geometry=[shapely.Point(1, 99)] * 2, crs=4326))
    assert Graph.from_points(geopandas.GeoDataFrame({"a": [1, 3]})).w.tolist() == [2]


@pytest.mark.parametrize("ending", FILES)
def test_files(ending, tmp_path, run, run_json):
    path = tmp_path / f"places.{ending}"
    POINTS[:4].to_file(path)
    found = read_points(path)
    assert found.coordinates.tolist() == np.radians(PLACES[:4, ::-1]).tolist()
    assert (found.metric, found.names.tolist(), found.unit) == ("great_circle", list("ABCD"), "degree")
    assert read_points(path, metric="euclidean").coordinates.tolist() == PLACES[:4].tolist()
    assert read_points(path, id="people").names.tolist() == [3, 2, 2, 1]
    report = run_json("solve", path, "--points", "--verify")
    assert report["weight"] == pytest.approx(83.3499, abs=1e-4)
    assert (report["metric"], report["unit"], report["verified"]) == ("great_circle", "km", True)
    tree = tmp_path / "tree.geojson"
    result = run("solve", path, "--points", "-o", tree)
    assert result.err == (
        f"{path}: coordinates are longitude, latitude; distances are great_circle, in km "
        "(--metric names others)\n"
    )
    assert geopandas.read_file(tree)["source"].tolist() == list("ABC")
    assert run("verify", path, tree, "--points").code == 0
    assert run_json("info", path, "--points")["ranges"] == [[14, 15], [50, 50.2]]
    assert run_json("solve", path, "--points", "--metric", "haversine")["weight"] == pytest.approx(
        83.3499 / 6371.0088, abs=1e-7
    )


def test_projected_files(tmp_path, run):
    path = tmp_path / "a.gpkg"
    POINTS[:4].to_crs("EPSG:2263").to_file(path)
    result = run("solve", path, "--points")
    assert "coordinates are x, y; distances are euclidean, in US survey foot (--metric" in result.err
    assert (
        "--metric haversine is for longitude" in run("solve", path, "--points", "--metric", "haversine").err
    )


@pytest.mark.parametrize("ending", FILES)
def test_points_and_lines_are_told_apart(ending, tmp_path, run):
    path = tmp_path / f"a.{ending}"
    LINES.to_file(path)
    assert "has no points, but lines: leave out --points" in run("solve", path, "--points").err
    with pytest.raises(FormatError, match=r"has no points, but lines: boruvka\.read reads them"):
        read_points(path)
    assert run("solve", path).code == 0
    POINTS.to_file(path)
    assert "has no lines, but points: write --points" in run("solve", path).err
    assert run("steiner", path, "--terminals", "A").err.endswith("has no lines, but points\n")
    with pytest.raises(
        FormatError, match=r"has no lines, but points: use boruvka\.formats\.points\.read_points"
    ):
        boruvka.read(path)
    assert run("solve", path, "--points").code == 0


def test_names_of_coordinates_in_other_languages(tmp_path, run):
    """The oracle are columns lat and lon; breite and länge are also a width and a length."""
    rows = np.array([[52.6, 13.8], [52.4, 13.2], [52.1, 13.5]])
    expected = boruvka.minimum_spanning_forest(
        Graph.from_points(pandas.DataFrame(rows, columns=["lat", "lon"]), degrees=True)
    )
    for names in ["Breite", "Länge"], ["BREITE", "Laenge"], ["Latitud", "Longitud"]:
        for turned in names, names[::-1]:
            frame = pandas.DataFrame(rows, columns=names)[turned]
            path = tmp_path / "a.csv"
            frame.to_csv(path, index=False)
            points = read_points(path, degrees=True)
            found = boruvka.minimum_spanning_forest(Graph.from_points(points.coordinates, points.metric))
            assert found.weight == pytest.approx(expected.weight)
            found = boruvka.minimum_spanning_forest(Graph.from_points(frame, degrees=True))
            assert found.weight == pytest.approx(expected.weight)
            if names[0] != "Latitud":
                with pytest.warns(
                    GraphWarning, match=f"count as x and y of a .* columns=.'{names[0]}', '{names[1]}'"
                ):
                    read_points(path)
                with pytest.warns(GraphWarning, match="'great_circle', degrees=True"):
                    Graph.from_points(frame)
    for names in ["Rechtswert", "Hochwert"], ["Easting", "Northing"], ["Este", "Norte"]:
        frame = pandas.DataFrame({"k": range(3), **dict(zip(names, rows.T * 1e4, strict=True))})
        frame.to_csv(path, index=False)
        assert read_points(path).coordinates.tolist() == (rows * 1e4).tolist()


def test_layers_and_mixtures(tmp_path, run):
    path = tmp_path / "a.gpkg"
    LINES.to_file(path, layer="roads")
    POINTS.to_file(path, layer="places")
    assert read_points(path).names.size == 6
    assert boruvka.read(path).m == 1
    POINTS[:2].to_file(path, layer="shops")
    assert "more than one layer of points: places, shops; say" in run("solve", path, "--points").err
    assert run("solve", path, "--points", "--layer", "shops").code == 0
    with pytest.raises(OptionError, match=r"columns=\('x',\) is for tables: leave it out"):
        read_points(path, columns=("x",), layer="shops")
    mixed = tmp_path / "b.geojson"
    shapes = [*POINTS.geometry[:2], *LINES.geometry, shapely.box(0, 0, 1, 1)]
    geopandas.GeoDataFrame({"k": range(4)}, geometry=shapes, crs=4326).to_file(mixed)
    with pytest.warns(GraphWarning, match=r"2 of 4 rows have no point, .* row 2 \(LINES.*, row 3 \(POL"):
        assert len(read_points(mixed).coordinates) == 2
    geopandas.GeoDataFrame({"k": range(4)}, geometry=[*POINTS.geometry[:3], None], crs=4326).to_file(mixed)
    assert "row 3 has None, not a point" in run("solve", mixed, "--points").err


def test_a_degree_of_the_equator():
    forest = minimum_spanning_forest(Graph.from_points(np.radians([[0, 0], [0, 1]]), "great_circle"))
    assert forest.weight == pytest.approx(math.pi * 6371.0088 / 180)
