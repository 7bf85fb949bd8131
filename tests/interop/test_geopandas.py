"""Frames of lines: rows are edges, their ends are vertices, and the forest is rows again."""

import numpy as np
import pytest

from boruvka import GraphError, GraphTypeError, OptionError, as_graph, minimum_spanning_forest, verify
from boruvka.plotting.coordinates import place_vertices
from tests.oracles import kruskal

geopandas = pytest.importorskip("geopandas")
shapely = pytest.importorskip("shapely")

LINES = [
    shapely.LineString([(0, 0), (3, 0)]),
    shapely.LineString([(3, 0), (3, 2), (3, 4)]),
    shapely.LineString([(-0.0, 0), (3, 4)]),
    shapely.LineString([(3, 4), (9, 9), (10, 4)]),
]
FRAME = geopandas.GeoDataFrame(
    {"name": list("abcd"), "cost": [4, 1, 2, 9]}, geometry=LINES, crs="EPSG:32633", index=[7, 8, 9, 10]
)


def test_lines_are_edges():
    graph = as_graph(FRAME)
    assert graph.names.tolist() == [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0), (10.0, 4.0)]
    assert graph.w.tolist() == pytest.approx([3, 4, 5, LINES[3].length])
    assert (graph.coordinates.tolist(), graph.system) == ([list(name) for name in graph.names], "xy")
    forest = minimum_spanning_forest(graph)
    assert forest.edges.tolist() == kruskal(graph.n, graph.u, graph.v, graph.w) == [0, 1, 3]
    assert verify(graph, forest)
    assert place_vertices(forest).points.tolist() == graph.coordinates.tolist()


def test_the_forest_is_rows():
    forest = minimum_spanning_forest(as_graph(FRAME, weight="cost"))
    found = forest.to_geopandas()
    assert isinstance(found, geopandas.GeoDataFrame)
    assert (found["name"].tolist(), found.index.tolist(), found.crs) == (list("bcd"), [8, 9, 10], FRAME.crs)
    assert found.geometry.tolist() == LINES[1:]
    assert forest.to_pandas(["name"])["name"].tolist() == list("bcd")


def test_lengths_of_degrees_are_metres(tmp_path):
    """And a file of the same lines has the same lengths."""
    from boruvka import read

    frame = geopandas.GeoDataFrame({"k": range(4)}, geometry=LINES, crs="EPSG:4326")
    graph = as_graph(frame)
    frame.to_file(tmp_path / "lines.gpkg")
    assert graph.system == "lonlat"
    assert graph.w == pytest.approx(read(tmp_path / "lines.gpkg").w)
    assert 333_000 < graph.w[0] < 335_000


def test_what_is_no_line():
    wrong = FRAME.copy()
    wrong.geometry = [LINES[0], shapely.Point(1, 1), None, shapely.MultiLineString(LINES[:2])]
    with pytest.raises(GraphError, match=r"row 1 has a Point, not a line; 3 rows have none: write"):
        as_graph(wrong)
    with pytest.raises(GraphError, match="row 0 has no geometry"):
        as_graph(wrong.iloc[2:])
    with pytest.raises(OptionError, match="there is no column 'km'; the columns are 'name', 'cost', 'geom"):
        as_graph(FRAME, weight="km")
    with pytest.raises(GraphTypeError, match="no column of geometries"):
        as_graph(geopandas.GeoDataFrame({"a": [1]}))
    with pytest.raises(GraphTypeError, match="only the forest of a graph that"):
        minimum_spanning_forest(([0], [1], [np.float64(2)])).to_geopandas()
