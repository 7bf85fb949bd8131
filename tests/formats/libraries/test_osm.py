"""OpenStreetMap files, written by osmium."""

import math

import geopandas
import numpy as np
import osmium
import pytest
import shapely

from boruvka import minimum_spanning_forest
from boruvka.errors import OptionError
from boruvka.formats import read, read_chunk, read_forest, write
from boruvka.formats.edge_file import FileChunk
from tests.formats.helpers import assert_malformed, edges_of

NODES = {10**10: (13, 52), 20: (13.1, 52), 30: (13.1, 52.1), 99: (0, 0)}
WAYS = [
    ([10**10, 20, 30], {"highway": "residential"}),
    ([10**10, 99], {"building": "yes"}),
    ([30, 10**10, 77, 20], {"highway": "path"}),  # node 77 is not in the file
]


@pytest.fixture(params=["osm.pbf", "pbf", "osm"])
def path(request, tmp_path):
    path = tmp_path / f"a.{request.param}"
    write_osm(path)
    return path


def write_osm(path, ways=WAYS):
    with osmium.SimpleWriter(str(path)) as writer:
        for i, location in NODES.items():
            tags = {"highway": "crossing"} if i == 20 else {}
            writer.add_node(osmium.osm.mutable.Node(id=i, location=location, tags=tags))
        for i, (nodes, tags) in enumerate(ways, 1):
            writer.add_way(osmium.osm.mutable.Way(id=i, nodes=nodes, tags=tags))


def metres(a, b):
    """The distance on a sphere by the law of cosines, which is not the formula of the reader."""
    (x1, y1), (x2, y2) = (map(math.radians, NODES[node]) for node in (a, b))
    cosine = math.sin(y1) * math.sin(y2) + math.cos(y1) * math.cos(y2) * math.cos(x2 - x1)
    return 6_371_008.8 * math.acos(cosine)


def test_segments_of_highways_are_edges(path):
    graph = read(path, ways="all")
    assert graph.names.dtype == np.int64
    assert graph.names.tolist() == [20, 30, 10**10]
    ends_of_ways = graph.coordinates[graph.u] - graph.coordinates[graph.v]
    assert graph.system == "lonlat"
    assert ((graph.w > 0) == np.any(ends_of_ways != 0, axis=1)).all()
    ends = list(zip(graph.name_of(graph.u).tolist(), graph.name_of(graph.v).tolist(), strict=True))
    assert ends == [(10**10, 20), (20, 30), (30, 10**10)]
    assert graph.w == pytest.approx([metres(a, b) for a, b in ends], rel=1e-7)
    assert read(path, ways="all", unweighted=True).w.tolist() == [1, 1, 1]
    part = read_chunk(path, FileChunk(1, 3), ways="all")
    assert [part.u.tolist(), part.v.tolist()] == [[0], [1]]


def test_edges_keep_their_ways(tmp_path):
    ways = [(WAYS[0][0], {"highway": "residential", "name": "Allee"}), (WAYS[2][0], {"highway": "path"})]
    write_osm(tmp_path / "a.osm.pbf", ways)
    graph = read(tmp_path / "a.osm.pbf", ways="all")
    forest = minimum_spanning_forest(graph)
    found = forest.to_geopandas()
    lines = [shapely.LineString([NODES[a], NODES[b]]) for a, b in found[["source", "target"]].to_numpy()]
    assert found.geometry.tolist() == lines
    assert found.crs == 4326
    assert found["osmid"].tolist() == forest.to_pandas(["osmid"])["osmid"].tolist() == [1, 1]
    assert found[["highway", "name"]].to_numpy().tolist() == [["residential", "Allee"]] * 2
    write(forest, tmp_path / "b.gpkg")
    assert read_forest(tmp_path / "b.gpkg", graph).tolist() == forest.edges.tolist()
    assert geopandas.read_file(tmp_path / "b.gpkg")["name"].tolist() == ["Allee"] * 2


def test_places_are_attached(tmp_path):
    write_osm(tmp_path / "a.osm.pbf")
    places = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy([13.05, 13.11], [52.01, 52]), crs=4326)
    places.to_file(tmp_path / "places.gpkg")
    graph = read(tmp_path / "a.osm.pbf", ways="all", attach=tmp_path / "places.gpkg", tolerance=2000)
    frame = graph.annotations.table.frame
    assert frame["kind"].tolist() == ["street"] * 4 + ["link"] * 2
    assert frame["osmid"].tolist() == [1, 1, 1, 3, 1, 1]
    plain = read(tmp_path / "a.osm.pbf", ways="all")
    assert graph.w[:4].sum() == pytest.approx(plain.w.sum())  # on the sphere
    assert graph.w[5] == pytest.approx(plain.w[0] / 10, rel=1e-4)
    with pytest.raises(OptionError, match="tolerance=3 is for attach"):
        read(tmp_path / "a.osm.pbf", tolerance=3)


def test_compressed_files(path, file):
    assert edges_of(read(file("b.pbf.gz", path.read_bytes()))) == edges_of(read(path))


def test_files_without_segments(tmp_path):
    write_osm(tmp_path / "a.osm", [([10**10, 99], {}), ([77, 20], {"highway": "path"})])
    message = "has no way of those wanted, cars, whose nodes have positions; pass ways='all' for all"
    assert_malformed(tmp_path / "a.osm", None, message)


def test_which_ways_are_read(tmp_path):
    """By default roads for cars: as ``network_type="drive"`` of OSMnx, whose list has no ways of service."""
    kinds = [
        "primary",
        "path",
        "motorway_link",
        "service",
        "residential",
        "residential",
        "residential",
        "road",
    ]
    tags = [{"highway": kind} for kind in kinds]
    tags[4]["access"] = tags[5]["motor_vehicle"] = "private"
    tags[6] |= {"access": "no", "motorcar": "yes"}
    write_osm(tmp_path / "a.osm", [([10**10, 20], tag) for tag in tags])
    for wanted, count in [("cars", 4), ("all", 8), ("path", 1), ("residential, path", 4)]:
        assert read(tmp_path / "a.osm", ways=wanted).m == count
    with pytest.raises(OptionError, match="ways must be a text, got 1"):
        read(tmp_path / "a.osm", ways=1)


def test_entities_are_refused(file):
    path = file(
        "a.osm",
        '<!DOCTYPE osm [<!ENTITY a SYSTEM "file:///etc/hostname">]><osm version="0.6"><node id="1" lat="1" '
        'lon="2"><tag k="a" v="&a;"/></node></osm>',
    )
    assert_malformed(path, None, "XML entities are not supported")


@pytest.mark.parametrize("options", [{}, {"unweighted": True}])
def test_nodes_that_are_not_on_the_earth(tmp_path, options, monkeypatch):
    monkeypatch.setitem(NODES, 20, (13.1, 95))
    write_osm(tmp_path / "a.osm")
    assert_malformed(tmp_path / "a.osm", None, "node 20 has the latitude 95, beyond 90 degrees", **options)
