"""Lines of GeoPackage, GeoJSON and Shapefile, written by pyogrio."""

import gzip
import json
import zipfile

import geopandas
import numpy as np
import pyogrio
import pyproj
import pytest
import shapely

from boruvka import Graph, as_graph, minimum_spanning_forest, steiner_tree
from boruvka.errors import FormatError, GraphError, GraphWarning, OptionError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import assert_malformed, edges_of

A, B, C = (13.0, 52.0), (13.2, 52.0), (13.3, 52.1)
LINES = [
    shapely.LineString([A, (13.1, 52.05), B]),
    shapely.MultiLineString([[B, C], [A, C]]),
    shapely.LineString([C, (13.3, 52.2), C]),
]
EDGES = [(A, B), (B, C), (A, C), (C, C)]


def save(path, shapes=LINES, crs="EPSG:4326", kind="Unknown", layer=None, **columns):
    columns = columns or {"cost": np.arange(10, 10 + len(shapes))}
    pyogrio.raw.write(
        path,
        shapely.to_wkb(np.array(shapes, object)),
        list(columns.values()),
        list(columns),
        geometry_type=kind,
        crs=crs,
        layer=layer,
    )


@pytest.fixture(params=["gpkg", "geojson", "shp", "shp.zip", "gpkg.gz"])
def path(request, tmp_path):
    path = tmp_path / f"a.{request.param}"
    plain = tmp_path / request.param.replace("shp.zip", "a b.shp").replace("gpkg.gz", "b.gpkg")
    plain = plain if "." in plain.name else tmp_path / f"a.{plain.name}"
    save(plain, kind="LineString" if plain.suffix == ".shp" else "Unknown")
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for part in tmp_path.glob("a b.*"):
                archive.write(part, f"roads of x/{part.name}")
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(plain.read_bytes()))
    return path


def test_each_line_is_an_edge_between_its_ends(path):
    graph = read(path)
    assert graph.names.tolist() == [A, B, C]
    assert (graph.coordinates.tolist(), graph.system) == ([list(A), list(B), list(C)], "lonlat")
    assert [(graph.names[u], graph.names[v]) for u, v, _ in edges_of(graph)] == EDGES
    geod = pyproj.Geod(ellps="WGS84")
    parts = shapely.get_parts(np.array(LINES, object))
    assert graph.w.tolist() == pytest.approx([geod.geometry_length(part) for part in parts], rel=1e-12)
    shares = 11 * graph.w[1:3] / graph.w[1:3].sum()
    assert read(path, columns=("cost",)).w.tolist() == pytest.approx([10, *shares, 12])
    assert read(path, columns="cost").w.tolist() == read(path, columns=("cost",)).w.tolist()
    assert read(path, unweighted=True).w.tolist() == [1, 1, 1, 1]
    with pytest.raises(OptionError, match="there is no column 'price'; the columns are 'cost', 'geometry'"):
        read(path, columns=("price",))
    with pytest.raises(OptionError, match=r"must name one column, the weights, got \('cost', 'price'\)"):
        read(path, columns=("cost", "price"))


@pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:32633", "EPSG:2263", "EPSG:5556", "EPSG:4807"])
def test_lengths_are_those_on_the_earth_whatever_the_projection(tmp_path, crs):
    """In metres, US feet, grads, with heights; the Web Mercator of Berlin is 1.6 times too long."""
    to_map = pyproj.Transformer.from_crs(4326, crs, always_xy=True).transform
    save(tmp_path / "a.gpkg")
    lines = [shapely.transform(line, lambda xy: np.column_stack(to_map(*xy.T))) for line in LINES]
    save(tmp_path / "b.gpkg", lines, crs)
    assert read(tmp_path / "b.gpkg").w == pytest.approx(read(tmp_path / "a.gpkg").w, rel=1e-3)


def test_what_is_no_line_is_no_edge(tmp_path):
    shapes = [shapely.Point(A), None, LINES[0], shapely.LineString(), shapely.box(0, 0, 1, 1)]
    save(tmp_path / "a.gpkg", shapes)
    others = r"4 of 5 rows have no line, such as row 0 \(PO.*, row 1 \(None\), row 3 \(LINESTRING EMPTY\)$"
    with pytest.warns(GraphWarning, match=others):
        assert read(tmp_path / "a.gpkg").m == 1
    with pytest.warns(GraphWarning, match=others):
        assert read(tmp_path / "a.gpkg", columns=("cost",)).w.tolist() == [12]
    save(tmp_path / "b.gpkg", shapes[:2])
    assert_malformed(tmp_path / "b.gpkg", None, "has no lines")


def test_heights_are_ignored_and_minus_zero_is_zero(tmp_path):
    save(
        tmp_path / "a.gpkg",
        [shapely.LineString([(0.0, 1, 5), (1, 1, 6)]), shapely.LineString([(-0.0, 1), (1, 1)])],
    )
    graph = read(tmp_path / "a.gpkg")
    assert graph.names.tolist() == [(0, 1), (1, 1)]
    assert graph.w[0] == graph.w[1]


def test_columns_that_are_no_weights(tmp_path):
    save(tmp_path / "a.gpkg", name=np.array(["a", "b", "c"], object), price=np.array([1, np.nan, 2]))
    assert_malformed(tmp_path / "a.gpkg", None, "the column 'name' has 'a' in row 0", columns=("name",))
    assert_malformed(
        tmp_path / "a.gpkg", None, "row 1 has no number in the column 'price'", columns=("price",)
    )


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_coordinates_of_unknown_unit(tmp_path):
    save(tmp_path / "a.shp", kind="LineString", crs=None)
    assert_malformed(tmp_path / "a.shp", None, "has no reference system, which says what its coordinates are")
    assert read(tmp_path / "a.shp", columns=("cost",)).m == 4
    local = pyproj.CRS('LOCAL_CS["site",UNIT["metre",1]]').to_wkt()
    save(tmp_path / "b.gpkg", crs=local)
    assert_malformed(tmp_path / "b.gpkg", None, "have coordinates that are not on the earth")


def test_one_layer_of_lines_is_chosen(tmp_path):
    path = tmp_path / "a.gpkg"
    save(path, [shapely.Point(A)], layer="places", kind="Point")
    save(path, LINES[::2], layer="roads", kind="LineString")
    assert read(path).m == 2
    save(path, LINES[::2], layer="rails", kind="LineString")
    message = f"has more than one layer of lines: roads, rails; say which, as {path}:roads"
    assert_malformed(path, None, message)
    assert read(path, layer="rails").m == read(f"{path}:rails").m == 2
    assert_malformed(path, None, "has no lines", layer="places")
    with pytest.raises(OptionError, match="there is no layer 'road'; there are places, roads, rails"):
        read(path, layer="road")
    with pytest.raises(OptionError, match="layer must be a text, got 1"):
        read(path, layer=1)
    mixed = tmp_path / "b.gpkg"  # lines and a point: the layer states no type
    save(mixed, [*LINES[::2], shapely.Point(A)], layer="streets", kind="Unknown")
    with pytest.warns(UserWarning, match="rows are left out, as"):
        assert read(mixed).m == 2
    save(mixed, LINES[:1], layer="old", kind="LineString")
    assert_malformed(
        mixed, None, f"has more than one layer of lines: streets, old; say which, as {mixed}:streets"
    )


VRT = '<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>b.gpkg</SrcDataSource></OGRVRTLayer>'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.geojson", VRT, "expected a GeoPackage, GeoJSON, a Shapefile, or a zip archive"),
        ("a.geojson", json.dumps({"type": "gdal_streamed_alg", "command_line": "gdal"}), "cannot be read"),
        ("a.geojson", json.dumps({"type": "Topology", "objects": {}}), "cannot be read as geojson"),
        ("a.geojson", '{"type": "FeatureCollection", "features": [', "cannot be read as geojson"),
        ("a.gpkg", b"SQLite format 3\0" + bytes(84), "expected a GeoPackage"),
        ("a.shp.zip", b"PK\3\4", "cannot be read as shapefile"),
    ],
)
def test_other_content_is_refused(file, name, content, message):
    assert_malformed(file(name, content), None, message)


def test_a_zip_archive_holds_one_shapefile(tmp_path):
    for names in [], ["a.shp", "b.shp"]:
        with zipfile.ZipFile(tmp_path / "a.shp.zip", "w") as archive:
            archive.writestr("c.shp", VRT)
            for name in names:
                archive.writestr(name, b"\x00\x00\x27\x0a")
        assert_malformed(tmp_path / "a.shp.zip", None, "expected one Shapefile in the zip archive")


@pytest.mark.parametrize("ending", ["gpkg", "geojson", "gpkg.gz"])
def test_forests_are_written_with_the_lines_and_their_attributes(tmp_path, ending):
    """And `read_forest` finds their edges, whatever the weights are."""
    save(tmp_path / "roads.gpkg", cost=np.array([7, 1, 9]), edge=np.array(["x", "y", "z"], object))
    for columns in None, ("cost",):
        graph = read(tmp_path / "roads.gpkg", columns=columns)
        forest = minimum_spanning_forest(graph)
        write(forest, tmp_path / f"forest.{ending}")
        assert read_forest(tmp_path / f"forest.{ending}", graph).tolist() == forest.edges.tolist()
    again = read(tmp_path / f"forest.{ending}", columns=("weight",))
    assert sorted(again.w.tolist()) == sorted(forest.w.tolist())
    write(graph, tmp_path / f"copy.{ending}")
    copy = read(tmp_path / f"copy.{ending}", columns=("weight",))
    assert edges_of(copy) == edges_of(graph)
    assert copy.annotations.table.frame.crs == graph.annotations.table.frame.crs


@pytest.mark.parametrize("crs", [32633, 27700, 2263, 4807])
def test_geojson_is_in_degrees(tmp_path, crs):
    """A datum of 1936, US feet and grads; geopandas converts, and the edges are found again."""
    lines = geopandas.GeoSeries(shapely.get_parts(LINES[:2]), crs=4326).to_crs(crs)
    places = geopandas.GeoSeries(map(shapely.Point, [(13.1, 52), (13.1, 52.1), (13.2, 52.1)]), crs=4326)
    places.index = ["a", "b", "c"]
    graph = as_graph(geopandas.GeoDataFrame(geometry=lines), node=True, attach=places.to_crs(crs))
    forest = minimum_spanning_forest(graph)
    write(forest, tmp_path / "tree.geojson")
    assert read_forest(tmp_path / "tree.geojson", graph).tolist() == forest.edges.tolist()
    found = geopandas.read_file(tmp_path / "tree.geojson")
    expected = forest.to_geopandas().to_crs(4326).geometry.to_numpy()
    assert shapely.equals_exact(found.geometry.to_numpy(), expected, 1e-12).all()
    assert found["weight"].tolist() == forest.w.tolist()
    assert found.total_bounds == pytest.approx([13, 52, 13.3, 52.1], abs=0.01)
    again = read(tmp_path / "tree.geojson")
    assert sorted(again.w.tolist()) == sorted(forest.w.tolist())


def test_lines_that_are_nowhere_on_the_earth_stay_as_they_are(tmp_path):
    """Without a reference system, or in a local one; but those that cannot be converted are an error."""
    lines = geopandas.GeoDataFrame({"cost": [1]}, geometry=LINES[:1])
    for crs in None, 'LOCAL_CS["site",UNIT["metre",1]]':
        write(as_graph(lines.set_crs(crs), weight="cost"), tmp_path / "a.geojson")
        assert geopandas.read_file(tmp_path / "a.geojson").geometry.tolist() == LINES[:1]
    far = lines.set_geometry([shapely.LineString([(0, 0), (1e30, 0)])], crs=32633)
    with pytest.raises(GraphError, match="line 0 has a coordinate that is not finite"):
        write(as_graph(far, weight="cost"), tmp_path / "a.geojson")


@pytest.mark.parametrize("ending", ["gpkg", "geojson"])
@pytest.mark.parametrize("names", [None, [f"n{i}" for i in range(60)], range(100, 160)])
def test_other_graphs_become_straight_lines(tmp_path, ending, names):
    places = np.random.default_rng(1).random((60, 2))
    graph = Graph.from_points(places, names=names)
    forest = minimum_spanning_forest(graph)
    write(forest, tmp_path / f"tree.{ending}")
    assert read_forest(tmp_path / f"tree.{ending}", graph).tolist() == forest.edges.tolist()
    lines = pyogrio.read_dataframe(tmp_path / f"tree.{ending}").geometry.to_numpy()
    assert shapely.length(lines) == pytest.approx(forest.w, rel=1e-12)
    with pytest.raises(FormatError, match="vertices have no coordinates"):
        write(Graph(2, [0], [1], [1]), tmp_path / f"bad.{ending}")
    assert not (tmp_path / f"bad.{ending}").exists()


def test_lines_of_files_are_split_where_they_meet(tmp_path):
    save(tmp_path / "a.gpkg", [shapely.LineString([A, C]), shapely.LineString([(13.1, 52.1), (13.2, 52.0)])])
    graph = read(tmp_path / "a.gpkg", node=True)
    assert (graph.n, graph.m, minimum_spanning_forest(graph).n_components) == (5, 4, 1)
    assert read(tmp_path / "a.gpkg", node=True, unweighted=True).w.tolist() == [1] * 4
    costs = read(tmp_path / "a.gpkg", node=True, columns=("cost",)).w
    assert (costs[:2].sum(), costs[2:].sum()) == pytest.approx((10, 11))


@pytest.mark.parametrize("ending", ["gpkg", "geojson"])
def test_straight_lines_name_the_ids_of_the_file(tmp_path, ending):
    graph = Graph(3, [0, 1], [1, 2], [5, 7]).with_coordinates([[0, 0], [100, 200], [7, 8]]).with_first_id(1)
    forest = minimum_spanning_forest(graph)
    write(forest, tmp_path / f"tree.{ending}")
    frame = pyogrio.read_dataframe(tmp_path / f"tree.{ending}")
    assert [frame["source"].tolist(), frame["target"].tolist()] == [[1, 2], [2, 3]]
    assert read_forest(tmp_path / f"tree.{ending}", graph).tolist() == [0, 1]
    assert forest.to_geopandas()["source"].tolist() == [0, 1]
    write(steiner_tree(graph, [2], root=0), tmp_path / f"tree.{ending}")  # with the column load
    assert read_forest(tmp_path / f"tree.{ending}", graph).tolist() == [0, 1]


LINE = {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}
FEATURE = {"type": "Feature", "properties": {"crs": "a column"}, "geometry": LINE}
WGS_84 = [None, "EPSG:4326", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:OGC:1.3:CRS84"]


@pytest.mark.parametrize("member", ["first", "last", "alone"])
def test_reference_systems_of_geojson(tmp_path, member):
    path = tmp_path / "a.geojson"

    def save_with(system):
        if member == "alone":
            document = {**FEATURE, "crs": system}
        else:
            document = {"type": "FeatureCollection", "crs": system, "features": [FEATURE]}
            document["crs" if member == "last" else "features"] = document.pop(
                "crs" if member == "last" else "features"
            )
        path.write_text(json.dumps(document))

    def named(name):
        return {"type": "name", "properties": {"name": name}}

    for known in [None, *map(named, WGS_84[1:]), {"type": "EPSG", "properties": {"code": 4326}}]:
        save_with(known)
        assert read(path).w[0] == pytest.approx(156_899.568)
    save_with(named("EPSG:3857"))
    with pytest.warns(GraphWarning, match="within 20 units near the origin of WGS 84 / Pseudo-Mercator"):
        assert read(path).w[0] == pytest.approx(1.40949, rel=1e-5)
    for wrong in (
        named("nonsense"),
        named("EPSG:999999"),
        "x",
        5,
        {"type": "link", "properties": {"href": "a"}},
        {},
    ):
        save_with(wrong)
        assert_malformed(path, None, " is not known; correct the member 'crs'")
