"""Places that are attached to the nearest points of lines; the oracle compares all pairs by shapely."""

import json
import re
from contextlib import nullcontext
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import GraphError, GraphTypeError, GraphWarning, OptionError, as_graph, minimum_spanning_forest
from boruvka.cli.main import main
from boruvka.interop.lines import nearest_lines, nearest_points, split_at_points, split_where_they_meet

geopandas = pytest.importorskip("geopandas")
shapely = pytest.importorskip("shapely")
networkx = pytest.importorskip("networkx")
pandas = pytest.importorskip("pandas")
pyproj = pytest.importorskip("pyproj")

STREETS = geopandas.GeoDataFrame(
    {"name": ["long", "cross"], "osmid": [2**60 + 1, 7]},
    geometry=[shapely.LineString([(0, 0), (100, 0), (100, 50)]), shapely.LineString([(50, -50), (50, 50)])],
)
PLACES = [(10, 5), (60, 5), (103, 20), (50, 45), (0, 0), (103, -4), (10, 5), (300, 0)]
"""Inside lines, on a line, at an end of one, at a bend, twice at one place, and far away."""


def frame_of(places, **columns):
    return geopandas.GeoDataFrame(columns, geometry=geopandas.points_from_xy(*np.array(places, float).T))


def edges_by_ends(graph):
    return dict(zip(zip(graph.u.tolist(), graph.v.tolist(), strict=True), graph.w.tolist(), strict=True))


grid_points = st.tuples(st.integers(0, 8), st.integers(0, 8))
lines_of_grid = st.lists(st.lists(grid_points, min_size=2, max_size=4, unique=True), min_size=1, max_size=6)


@pytest.mark.filterwarnings("ignore:.*where no end is common")
@given(lines_of_grid, st.lists(grid_points, min_size=1, max_size=8), st.booleans())
def test_places_are_joined_to_the_nearest_points(lines, points, node):
    lines = np.array([shapely.LineString(line) for line in lines], object)
    streets = geopandas.GeoDataFrame({"row": range(len(lines))}, geometry=lines)
    places = frame_of(np.array(points) + 0.3)
    graph = as_graph(streets, node=node, attach=places, tolerance=100)
    alone = as_graph(streets, node=node)
    found = graph.annotations.table.frame
    links, pieces = (found[found["kind"] == kind] for kind in ("link", "street"))
    nearest = shapely.distance(places.geometry.to_numpy()[:, None], lines).min(axis=1)
    assert links.geometry.length.to_numpy() == pytest.approx(nearest, rel=1e-9, abs=1e-12)
    assert links["place"].tolist() == graph.terminals.tolist() == places.index.tolist()
    assert graph.w == pytest.approx(found.geometry.length.to_numpy())
    assert pieces.geometry.length.sum() == pytest.approx(alone.w.sum())
    assert shapely.hausdorff_distance(shapely.union_all(pieces.geometry), shapely.union_all(lines)) < 1e-9
    assert (shapely.distance(found.geometry.to_numpy(), lines[found["row"]]) < 1e-9).all()
    assert (pieces.geometry.length > 0).all()
    # Every place is in the component of its line, and other components stay.
    pairs = networkx.Graph(zip(graph.u.tolist(), graph.v.tolist(), strict=True))
    assert networkx.number_connected_components(pairs) == minimum_spanning_forest(alone).n_components
    assert minimum_spanning_forest(graph).n_components == minimum_spanning_forest(alone).n_components


@given(lines_of_grid)
def test_lines_are_split_as_geos_splits_all_of_them(lines):
    """Only lines that meet others between their ends are given to GEOS."""
    lines = np.array([shapely.LineString(line) for line in lines], object)
    pieces, line = split_where_they_meet(lines, None)
    different = {line.wkb: line for line in shapely.normalize(lines)}  # GEOS splits copies at their bends
    known = shapely.get_parts(shapely.node(shapely.multilinestrings([*different.values()])))
    assert len(pieces) == len(known)
    assert shapely.length(pieces).sum() == pytest.approx(shapely.length(known).sum())
    assert (shapely.distance(pieces, lines[line]) < 1e-9).all()


@given(lines_of_grid, st.lists(grid_points, max_size=8))
def test_split_lines_are_the_same_lines(lines, points):
    lines = np.array([shapely.LineString(line) for line in lines], object)
    points = np.array(points, float).reshape(-1, 2)
    points += 0.25, 0.1
    line = nearest_lines(lines, points, None)
    position, found = nearest_points(lines, points, None, 0, line)
    pieces, row = split_at_points(lines, line, position, found)
    assert row.tolist() == sorted(row.tolist())
    for i, whole in enumerate(lines):
        parts = [shapely.get_coordinates(piece) for piece in pieces[row == i]]
        assert all((a[-1] == b[0]).all() for a, b in pairwise(parts))
        joined = shapely.LineString(np.concatenate(parts))
        assert joined.length == pytest.approx(whole.length)
        assert shapely.hausdorff_distance(joined, whole) < 1e-9
        cuts = {tuple(part[0]) for part in parts[1:]}
        assert cuts <= set(map(tuple, found[line == i]))


def test_each_kind_of_place():
    places = frame_of(PLACES)
    with pytest.warns(GraphWarning, match=r"1 of 8 places are farther than 60 from .*, and .* none: \[7\]"):
        graph = as_graph(STREETS, node=True, attach=places, tolerance=60)
    assert graph.n == 6 + 4 + 8  # four places are at no end of a piece
    links = graph.annotations.table.frame.query("kind == 'link'")
    assert links["place"].tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert links.geometry.length.tolist() == [5, 5, 3, 0, 0, 5, 5]
    assert links["name"].tolist() == ["long", "long", "long", "cross", "long", "long", "long"]
    with pytest.warns(GraphWarning, match=r"all 8 terminals: they are in 2 .*; 7 are .* 1 in others: \[7\]"):
        tree = boruvka.steiner_tree(graph, places.index)
    assert tree.weight == pytest.approx(100 + 20 + 45 + 5 + 5 + 3 + 5 + 5)
    assert tree.to_geopandas()["osmid"].dtype == np.int64
    assert tree.edges.tolist() == boruvka.steiner_tree(graph, graph.terminals[:-1]).edges.tolist()


def test_half_of_the_links_longer_than_a_country():
    streets = STREETS.set_geometry(STREETS.translate(458_000, 5_550_000), crs=32633)
    far = [(14.4, 50.1), (14.5, 50)]
    for tolerance in None, 60:
        with pytest.raises(GraphError, match=r"the median link is 5,5.. km: lines and attach are not in the"):
            as_graph(streets, attach=frame_of(far).set_crs(32633), tolerance=tolerance)
    near = [(458_010, 5_550_005 + k) for k in range(3)]
    with pytest.warns(GraphWarning, match="2 of 5 places are farther than 60"):
        as_graph(streets, attach=frame_of(near + far).set_crs(32633), tolerance=60)


@pytest.mark.parametrize("index", [range(3), [2, 0, 1], ["a", "b", "c"], [(0.0, 1), (1.0, 1), (2.0, 1)]])
def test_labels_of_places_are_names(index):
    places = frame_of(PLACES[:3]).set_axis(list(index))
    graph = as_graph(STREETS, node=True, attach=places)
    assert graph.terminals.tolist() == list(index)
    assert graph.coordinates[-3:].tolist() == [list(map(float, place)) for place in PLACES[:3]]
    tree = boruvka.steiner_tree(graph, places.index)
    assert graph.name_of(tree.terminals).tolist() == list(index)
    assert boruvka.steiner_tree(graph, places).edges.tolist() == tree.edges.tolist()
    ends = [(0.0, 0.0), index[0], (50.0, 0.0)]
    assert boruvka.steiner_tree(graph, ends).weight == pytest.approx(55)


def test_distances_in_degrees_are_those_on_the_earth():
    """At 60 degrees north, 0.15 degrees of longitude are less than 0.1 degrees of latitude."""
    lines = [shapely.LineString([(10.15, 59), (10.15, 61)]), shapely.LineString([(9, 60.1), (11, 60.1)])]
    streets = geopandas.GeoDataFrame({"side": ["east", "north"]}, geometry=lines, crs=4326)
    place = frame_of([(10, 60)]).set_crs(4326)
    link = as_graph(streets, attach=place).annotations.table.frame.iloc[-1]
    assert link["side"] == "east"
    end = shapely.get_coordinates(link.geometry)[0]
    assert end == pytest.approx([10.15, 60])
    projected = as_graph(streets.to_crs(32632), attach=place)
    assert projected.annotations.table.frame["side"].iloc[-1] == "east"
    geod = pyproj.Geod(ellps="WGS84")
    assert projected.w[-1] == pytest.approx(geod.inv(10, 60, 10.15, 60)[2], rel=2e-3)  # lines are chords


def test_costs_are_divided_by_lengths():
    streets = STREETS.assign(cost=[300, 50])
    graph = as_graph(streets, weight="cost", node=True, attach=frame_of(PLACES[:1]))
    assert sorted(edges_by_ends(graph).values()) == pytest.approx([10, 20, 25, 25, 80, 200])
    assert (
        as_graph(streets, weight="cost", attach=frame_of([(200, 60)])).w[1] == 50
    )  # of a line that is whole


def test_shapes_and_columns_of_places():
    shapes = [shapely.box(8, 3, 12, 7), shapely.LineString([(60, 1), (60, 5), (60, 9)])]
    streets = STREETS.assign(kind="asphalt")
    with pytest.warns(GraphWarning, match="attach: 1 of 2 places are lines, of which a point halfway"):
        graph = as_graph(streets, attach=geopandas.GeoSeries(shapes))
    assert graph.coordinates[-2:].tolist() == [[10, 5], [60, 5]]
    frame = graph.annotations.table.frame
    assert frame["kind_given"].tolist() == ["asphalt"] * 6
    assert frame["kind"].tolist() == ["street"] * 4 + ["link"] * 2


@pytest.mark.filterwarnings("ignore::boruvka.GraphWarning")  # a place is farther than 50
def test_links_have_the_columns_of_their_places(tmp_path):
    columns = {"heat": [5.5, None, 7], "id": [2**60 + 1, 2, 3], "name": list("xyz")}
    places = frame_of([PLACES[k] for k in (0, 7, 1)], **columns).set_axis(["a", "b", "c"])
    both = [places, pandas.DataFrame({"x": [50], "y": [45]}, index=["plant"])]
    tree = minimum_spanning_forest(as_graph(STREETS, node=True, attach=both, tolerance=50))
    boruvka.write(tree, tmp_path / "net.gpkg")
    for frame in tree.to_geopandas(), geopandas.read_file(tmp_path / "net.gpkg"):
        links = frame[frame["kind"] == "link"].set_index("place")
        assert links.index.tolist() == ["a", "c", "plant"]
        assert links["place_name"].tolist()[:2] == ["x", "z"]
        assert links["place_heat"].tolist()[:2] == [5.5, 7]
        assert links["place_x"].isna().tolist() == [True, True, False]
        assert links["name"].tolist() == ["long", "long", "cross"]
        assert frame.loc[frame["kind"] == "street", "place_heat"].isna().all()
    assert tree.to_geopandas().query("place == 'a'")["place_id"].tolist() == [2**60 + 1]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"attach": {"a": 1}}, GraphTypeError, "attach cannot be read as an array"),
        (
            {"attach": pandas.DataFrame({"X": [1], "z": [2]})},
            GraphTypeError,
            "attach has no columns x and y, or",
        ),
        (
            {"attach": pandas.DataFrame({"x": ["1"], "y": ["b"]})},
            GraphTypeError,
            "coordinates must be numbers",
        ),
        (
            {"attach": pandas.DataFrame({"x": [1, 2], "y": [1, None]})},
            GraphError,
            "the place 1 has no point (places without one: 1): leave them out",
        ),
        ({"attach": [(1, 2), (1, np.nan)]}, GraphError, "the place 1 has no point"),
        ({"attach": ["p.csv", "q.gpkg"]}, GraphTypeError, "attach is 'p.csv', no array: geopandas.read"),
        ({"attach": [frame_of(PLACES), "q.gpkg"]}, GraphTypeError, "attach is 'q.gpkg', no array"),
        (
            {"attach": pandas.DataFrame({"lon": [1], "lat": [1]})},
            GraphError,
            "write streets.set_crs(4326) if both are in it",
        ),
        ({"attach": [(1, 2, 3)]}, GraphError, "must have two columns, x and y, not the shape (1, 3)"),
        ({"tolerance": 5}, OptionError, "tolerance=5 is for attach"),
        ({"link_rate": 5}, OptionError, "link_rate=5 is for attach"),
        (
            {"attach": frame_of(PLACES[:2]), "link_rate": -1},
            OptionError,
            "link_rate must be a number from 0 to",
        ),
        (
            {"attach": frame_of(PLACES), "tolerance": -1},
            OptionError,
            "must be a number from 0 to inf",
        ),
        ({"attach": frame_of(PLACES).set_crs(4326)}, GraphError, "only the places have a coordinate ref"),
        ({"attach": frame_of(PLACES[:2]).set_axis([1, 1])}, GraphError, "index of the places has 1 twice"),
        (
            {"attach": frame_of(PLACES[:3]).set_axis([0, 7, 7])},
            GraphError,
            "7 twice, so that it names no vertices (places 1 and 2, from 0): pass",
        ),
        ({"attach": frame_of(PLACES).iloc[:0]}, GraphError, "attach has no places"),
        (
            {"attach": geopandas.GeoSeries([None])},
            GraphError,
            "the place 0 has no point (places without one: 1): l",
        ),
    ],
)
def test_what_cannot_be_attached(options, error, message):
    with pytest.raises(error, match=re.escape(message)):
        as_graph(STREETS, **options)


@pytest.mark.parametrize("crs", [None, 32633, 4326])
def test_a_link_that_is_much_longer_gives_a_warning(crs):
    """Than 20 times the median and 1% of the extent of the streets, or than this extent."""
    scale = 1e-5 if crs == 4326 else 1
    lines = shapely.affinity.scale(STREETS.geometry[0], scale, scale, origin=(0, 0))
    streets = geopandas.GeoDataFrame(geometry=[lines], crs=crs)

    def attached(distances, **options):
        places = np.array([(10 * k, -distance) for k, distance in enumerate(distances, 1)], float) * scale
        labels = [f"B-{distance:g}" for distance in distances]
        return as_graph(streets, attach=frame_of(places).set_crs(crs).set_axis(labels), **options)

    for silent in [1, 2, 3], [0, 0.5, 1], [2, 3, 35], [90]:
        assert attached(silent).m
    assert attached([1, 2, 2489], tolerance=1e4).m
    for wrong in [1, 2, 45], [0, 0.01, 5], [1, 2, 2489], [300], [200, 300]:
        with pytest.warns(
            GraphWarning, match=f"^the longest link is .*'B-{wrong[-1]}'.*: pass tolerance, the"
        ):
            attached(wrong)


def test_names_that_are_no_vertices():
    graph = as_graph(STREETS, node=True, attach=frame_of(PLACES[:2]).set_axis(["00099531", "North plant"]))
    with pytest.raises(GraphError, match="is it 'North plant'"):
        boruvka.steiner_tree(graph, root="plant")
    prizes = {"00099531": 5, "00037753": 7}  # a table of more than the graph
    with pytest.warns(GraphWarning, match="has '00037753', which is no vertex$"):
        boruvka.prize_collecting_tree(graph, prizes)


def test_other_weights_keep_the_map():
    graph = as_graph(STREETS, node=True, attach=frame_of(PLACES[:3]))
    first = boruvka.steiner_tree(graph, [0, 1])
    left = np.where(np.isin(np.arange(graph.m), first.edges), 0, graph.w)
    second = boruvka.steiner_tree(graph.with_weights(left))
    plain = boruvka.Graph.from_edges(graph.u, graph.v, left, n=graph.n, names=graph.names)
    assert second.edges.tolist() == boruvka.steiner_tree(plain, [0, 1, 2]).edges.tolist()
    found = second.to_geopandas()
    assert found["weight"].tolist() == left[second.edges].tolist()
    assert found.geometry.length.to_numpy() == pytest.approx(graph.w[second.edges])
    closed = boruvka.steiner_tree(graph, [0, 1], excluded={"name": "cross"}).graph
    assert closed.with_weights(graph.w + 1).removed.tolist() == closed.removed.tolist() != []
    assert graph.with_weights(pandas.Series(left)).w.tolist() == left.tolist()
    for w, message in (left[1:], "entries"), (pandas.Series(left)[::-1], "index is not 0, 1, 2"):
        with pytest.raises(GraphError, match=message):
            graph.with_weights(w)


def test_places_that_share_a_crossing_are_counted():
    graph = as_graph(STREETS, node=True)
    with pytest.warns(GraphWarning, match="3 places are nearest to 2 vertices, so that some share one"):
        tree = boruvka.steiner_tree(graph, frame_of([(1, 1), (2, 0), (51, 1)]))
    assert len(tree.terminals) == 2
    with pytest.raises(
        GraphTypeError, match=r"attach is 'a\.csv', no array: geopandas.* or pandas\.read_csv"
    ):
        as_graph(STREETS, attach="a.csv")


def test_places_of_tables_and_arrays():
    """With and without systems, names of columns in any order, and decimal commas."""
    streets, places = STREETS.set_crs(32633), frame_of([(10.5, 5), (60, 5.25)]).set_crs(32633)
    expected = as_graph(streets, node=True, attach=places)
    x, y = places.geometry.x, places.geometry.y
    degrees = places.to_crs(4326).geometry
    for same in (
        pandas.DataFrame({"use": ["a", "b"], "Y": y, "X": x}),
        np.column_stack([x, y]),
        list(zip(x, y, strict=True)),
        pandas.DataFrame({"lat": degrees.y, "lon": degrees.x}),
    ):
        graph = as_graph(streets, node=True, attach=same)
        assert graph.terminals.tolist() == [0, 1]
        assert graph.w == pytest.approx(expected.w, abs=1e-6)
        assert boruvka.steiner_tree(streets, attach=same, node=True).weight == pytest.approx(
            boruvka.steiner_tree(expected, places.index).weight
        )
    named = pandas.DataFrame({"x": ["10,5", "60"], "y": ["5", "5,25"]}, index=["a", "b"])
    with pytest.warns(GraphWarning, match="numbers have a decimal comma"):
        graph = as_graph(streets, node=True, attach=named)
    assert graph.terminals.tolist() == ["a", "b"]
    assert graph.w.tolist() == expected.w.tolist()


def test_nearest_vertices_of_polygons_and_tables():
    streets = STREETS.set_crs(32633)
    places = frame_of([(1, 1), (99, 49)]).set_crs(32633)
    ends = [(0.0, 0.0), (100.0, 50.0)]
    degrees = places.to_crs(4326).geometry
    for same in (
        places.buffer(1).to_crs(3857),
        pandas.DataFrame({"x": places.geometry.x, "y": places.geometry.y}),
        pandas.DataFrame({"lon": degrees.x, "lat": degrees.y}),
    ):
        graph = as_graph(streets)
        assert graph.vertex_near(same).tolist() == ends
        assert graph.name_of(boruvka.steiner_tree(graph, same).terminals).tolist() == ends
    with pytest.raises(
        GraphError,
        match=r"only the lines .*place.set_crs\(32633\) if both .*4326",
    ):
        graph.vertex_near(places.set_crs(None, allow_override=True))
    on_earth = boruvka.Graph(2, [0], [1], [1]).with_coordinates([[14, 50], [15, 50]], "lonlat")
    assert on_earth.vertex_near(pandas.DataFrame({"Lat": [50], "Lon": [14.9]})).tolist() == [1]
    with pytest.raises(GraphError, match=r"only the lines have .*WGS 84: .*place.set_crs\(4326\)"):
        on_earth.vertex_near(frame_of([(14, 50)]))


def test_places_in_another_system_than_the_streets():
    graph = as_graph(STREETS.set_geometry(STREETS.translate(842_000, 6_519_000), crs=2154))
    with pytest.warns(GraphWarning, match=r"place: \(4\.84, 45\.77\) is farther from all vertices than"):
        graph.vertex_near((4.84, 45.77))
    with pytest.warns(GraphWarning, match="is farther"):
        graph.vertex_near([(842_100, 6_519_000), (4.84, 45.77)])
    assert graph.vertex_near((842_099, 6_519_000)) == (842_100, 6_519_050)


def test_a_gap_between_streets_is_named():
    x, y = 458_000, 5_550_000  # where the unit of the map is a metre

    def line(start, end):
        return shapely.LineString([(x + start, y), (x + end, y)])

    streets = geopandas.GeoDataFrame(geometry=[line(0, 100), line(100.3, 200)], crs=32633)
    places = frame_of([(x + 10, y + 5), (x + 150, y + 5)]).set_crs(32633)
    inside = shapely.LineString([(x + 50, y + 0.3), (x + 150, y + 9)])
    for each, count, ends in (
        (streets, 1, r"\(458100\.0, 5550000\.0\) and a line at \(458100\.3, 5550000\.0\)"),
        (streets.assign(geometry=[streets.geometry[0], inside]), 1, r"\(458050\.0, 5550000\.3\) and a .*"),
    ):
        code = "node=1 joins them"
        with pytest.warns(GraphWarning, match=rf"{count} ends? of .* at most 0\.3 m from .* apart: {code}"):
            graph = as_graph(each, node=True, attach=places)
        with pytest.warns(GraphWarning, match=f"the end {ends} are in two of them, only 0.3 apart: {code}"):
            boruvka.steiner_tree(graph)
        assert boruvka.steiner_tree(as_graph(each, node=1, attach=places)).n_components == 1
    streets = streets.assign(geometry=[line(0, 100), line(103, 200)])
    with pytest.warns(GraphWarning, match=r"in others: \[1\]$"):
        boruvka.steiner_tree(as_graph(streets, node=True, attach=places))


@pytest.mark.parametrize(("gap", "more", "is_named"), [(0.9, 0, 1), (2, 0, 0), (0.009, 1, 1), (0.02, 1, 0)])
def test_a_gap_that_a_detour_hides_is_named(gap, more, is_named):
    """An end that several streets have is named if it is a hundredth as near as a dead end."""
    lines = [[(0, 0), (100, 0)], [(50, gap), (50, 80)], [(50, 80), (0, 200)], [(0, 200), (0, 0)]]
    lines += [[(50, gap), (90, 90)]] * more
    streets = geopandas.GeoDataFrame(geometry=[*map(shapely.LineString, lines)], crs=32633)
    places = frame_of([(45, -5), (50 - 9 * (1 - more), gap)]).set_crs(32633)
    with pytest.warns(GraphWarning, match="1 end of") if is_named else nullcontext():
        graph = as_graph(streets, node=True, attach=places)
    assert boruvka.steiner_tree(graph).n_components == 1


def test_all_gaps_are_listed(tmp_path, capfd):
    """The oracle compares all ends with all other streets. Links cut no gap into a street."""
    x, y = 632_000, 5_180_000
    lines = [[(0, 0), (100, 0)], [(100.3, 0), (200, 0)], [(50, 0.6), (50, 9)], [(50, 0.6), (60, 9)]]
    lines += [[(20, 40), (20, 0.9)], [(60, 9), (200, 9)]]
    shapes = [shapely.LineString(np.add(line, (x, y))) for line in lines]
    streets = geopandas.GeoDataFrame(geometry=shapes, crs=32633, index=list("abcdef"))
    places = frame_of([(x + 99.6, y + 4), (x + 99.3, y + 10), (x + 0.4, y - 9), (x + 20, y + 0.5)])
    with pytest.warns(GraphWarning, match=r"2 ends of .*; boruvka.street_gaps\(graph\) lists them"):
        graph = as_graph(streets, attach=places.set_crs(32633))
    gaps = boruvka.street_gaps(graph)
    expected = {}
    for name, shape in streets.geometry.items():
        for end in shape.boundary.geoms:
            distances = streets.distance(end).drop(name)
            if 0 < distances.min() < 1 and (distances.idxmin(), name) not in expected:  # others are common
                expected[name, distances.idxmin()] = distances.min()
    found = dict(zip(zip(gaps["line"], gaps["other_line"], strict=True), gaps["distance"], strict=True))
    assert len(gaps) == len(expected)
    assert found == pytest.approx(expected, rel=1e-3)
    assert gaps.length.to_numpy() == pytest.approx(gaps["distance"].to_numpy(), rel=1e-3)
    assert gaps["distance"].is_monotonic_increasing
    assert gaps.crs == streets.crs
    streets.iloc[[0, 1, 4]].to_file(tmp_path / "streets.gpkg")
    files = tmp_path / "streets.gpkg", "--gaps", tmp_path / "gaps.gpkg"
    assert main(["info", *map(str, files)]) == 0
    out = capfd.readouterr().out
    assert re.search(r"^gaps +2$", out, re.MULTILINE)
    assert "--node 1 joins" not in out
    assert geopandas.list_layers(files[2])["name"].tolist() == ["gaps"]
    assert main(["info", str(files[0])]) == 0
    assert "--node 1 joins them; boruvka info FILE --gaps gaps.gpkg lists them" in capfd.readouterr().out
    written = geopandas.read_file(tmp_path / "gaps.gpkg")
    assert written[["line", "other_line"]].to_numpy().tolist() == [[0, 1], [2, 0]]
    assert main(["info", *map(str, files[:2]), "gaps.shp"]) == 2
    assert "gaps.shp: a table ends in .csv, .tsv or .parquet, a map in .gpkg" in capfd.readouterr().err
    assert boruvka.street_gaps(as_graph(streets[:0])).empty
    pandas.testing.assert_frame_equal(boruvka.street_gaps(streets), gaps)
    with pytest.raises(GraphTypeError, match="gaps are those of streets"):
        boruvka.street_gaps(as_graph([(0, 1, 1)]))


@pytest.mark.parametrize(("distance", "count"), [(1.7, 0), (1.9, 1), (5, 1), (6.1, 2)])
def test_wider_gaps_are_listed(distance, count):
    """Ends of two streets are 1.8 m apart; another street ends 6 m beside one."""
    lines = [[(0, 0), (100, 0)], [(101.8, 0), (200, 0)], [(50, 6), (50, 60)]]
    streets = geopandas.GeoDataFrame(geometry=[*map(shapely.LineString, lines)])
    gaps = boruvka.street_gaps(streets, distance)
    assert gaps["distance"].tolist() == pytest.approx([1.8, 6][:count])
    with pytest.raises(boruvka.BoruvkaError, match="distance"):
        boruvka.street_gaps(streets, -1)


@pytest.mark.parametrize("crs", [3067, 4326, 3857])
@pytest.mark.parametrize("origin", [(443_000, 6_672_000), (443_000, 7_376_000), (500_000, 1_000)])
def test_gaps_are_measured_in_metres(crs, origin):
    """Streets end beside others, in all directions, at 60 and 66 degrees north, and at the equator."""
    rng = np.random.default_rng(0)
    turn, gap = np.exp(1j * rng.uniform(0, np.pi, 40)), rng.uniform(0.1, 1.9, 40)
    steps = np.stack([[-60, 60] * turn[:, None], np.stack([gap, [70] * 40], axis=1) * 1j * turn[:, None]])
    ends = steps + np.arange(0, 8_000, 200)[:, None] + complex(*origin)
    lines = shapely.linestrings(np.stack([ends.real, ends.imag], axis=-1).reshape(-1, 2, 2))
    streets = geopandas.GeoDataFrame(geometry=lines, crs=3067).to_crs(crs)
    for distance in 1, 2:
        gaps = boruvka.street_gaps(streets, distance)
        near = np.flatnonzero(gap / 0.9996 <= distance)  # the scale of the projection
        assert sorted(gaps["line"]) == (40 + near).tolist()
        assert gaps["distance"].tolist() == pytest.approx(sorted(gap[near]), abs=2e-3)  # streets are chords
        joined = minimum_spanning_forest(as_graph(streets, node=distance))
        assert joined.n_components == 80 - near.size


@pytest.mark.parametrize("attach", [None, [(179.9985, -17.0001)]])
def test_lines_round_the_earth_are_not_split(attach):
    lines = [shapely.LineString([(179.999, y), (-179.999, y)]) for y in (-17, -18)]
    streets = geopandas.GeoDataFrame(geometry=lines, crs=4326)
    assert as_graph(streets).w == pytest.approx(
        pyproj.Geod(ellps="WGS84").inv(0, -17, 0.002, -17)[2], rel=0.01
    )
    with pytest.raises(GraphError, match=r"line 0 goes from longitude 179.999 to -179.999.*streets\.to_crs"):
        as_graph(streets, node=attach is None, attach=attach)


@pytest.mark.parametrize(("node", "bridge", "count"), [(False, "no", 1), (False, "yes", 0), (True, "no", 0)])
def test_crossings_in_one_component(node, bridge, count):
    lines = [[(0, 0), (100, 0)], [(50, -50), (50, 50)], [(100, 0), (200, 200), (50, 50)]]
    streets = geopandas.GeoDataFrame(
        {"bridge": [bridge, "no", "no"]}, geometry=[*map(shapely.LineString, lines)]
    )
    with pytest.warns(GraphWarning, match="^1 pair of lines meets") if count else nullcontext():
        as_graph(streets, node=node, attach=frame_of([(75, 1), (48, -30)]))


@pytest.mark.parametrize("swapped", [False, True])
def test_places_that_are_all_too_far(swapped):
    streets = STREETS.set_geometry(STREETS.translate(640_000, 480_000), crs=2180)
    places = np.add(PLACES[:4], (640_000, 480_000))
    places = frame_of(places[:, ::-1] if swapped else places + 5).set_crs(2180)
    message = "4 of 4 places are farther than 0.1 m from every line, .* pass a larger tolerance"
    with pytest.raises(GraphError, match=message + "; are x and y swapped" * swapped):
        as_graph(streets, node=True, attach=places, tolerance=0.1)


def test_places_without_a_point_and_names_with_blanks():
    places = frame_of(PLACES[:3]).set_geometry([shapely.Point(1, 1), None, shapely.Point()])
    with pytest.raises(GraphError, match=r"places without one: 2.*: leave them out, as (.*)$") as caught:
        as_graph(STREETS, node=True, attach=places)
    kept = eval(str(caught.value).rpartition(", as ")[2], {"attach": places})
    graph = as_graph(STREETS.assign(name=["long ", "cross"]), node=True, attach=kept)
    with pytest.raises(GraphError, match=r"no edge has 'long' in .*; write 'long ' in double quotes"):
        boruvka.steiner_tree(graph, excluded={"name": "long"})
    with pytest.warns(GraphWarning, match="the graph has one place, so that the tree has no edge"):
        assert boruvka.steiner_tree(graph).edges.size == 0
    with pytest.raises(OptionError, match=r"there is no column 'load'.*'geometry'; name root of the tree"):
        boruvka.steiner_tree(graph, graph.terminals).to_html("x.html", by="load")


def test_places_keep_the_numbers_of_their_rows(tmp_path):
    """One of four has no coordinates, and two have one name."""
    STREETS.set_crs(3857).to_file(tmp_path / "streets.gpkg")
    path = tmp_path / "places.csv"
    for texts, message in (
        ("", r"1 of 4 places have no point, left out: \[1\]"),
        ("ABCD", r"left out: \['B'\]"),
    ):
        names = {"name": list(texts)} if texts else {}
        pandas.DataFrame(names | {"x": [10, 60, 103, 50], "y": [5, None, 20, 45]}).to_csv(path, index=False)
        with pytest.warns(GraphWarning, match=message):
            graph = boruvka.read(tmp_path / "streets.gpkg", attach=path, missing="drop", node=True)
        assert graph.terminals.tolist() == ([*"ACD"] if texts else [0, 2, 3])
    path.write_text(path.read_text().replace("D", "C"))
    message = r"'C' twice.*\(places 2 and 3, from 0\)"
    with pytest.raises(boruvka.BoruvkaError, match=message), pytest.warns(GraphWarning):
        boruvka.read(tmp_path / "streets.gpkg", attach=path, missing="drop", node=True)


def test_networks_are_read_with_all_places_at_one_point(tmp_path):
    """Two at a crossing, one at a rounding error from it, and two in one building."""
    places, origin = frame_of([(50, 0), (50, 0), (50, 1e-7), (10, 5), (10, 5)]), (458_000, 5_550_000)
    streets, places = (x.set_geometry(x.translate(*origin)).set_crs(32633) for x in (STREETS, places))
    places.index = list("abcde")
    tree = boruvka.steiner_tree(as_graph(streets, node=True, attach=places, tolerance=9))
    assert tree.weight == pytest.approx(5 + 5 + 40, rel=1e-3)
    boruvka.write(tree, tmp_path / "net.gpkg")
    again = boruvka.read(tmp_path / "net.gpkg")
    assert (again.terminals.tolist(), again.n, again.m) == (list("abcde"), 7, 6)
    assert minimum_spanning_forest(again).weight == boruvka.steiner_tree(again).weight == tree.weight


@pytest.mark.parametrize(("ids", "names"), [(["017", "18"], ["017", "18"]), (["17", "8"], [17, 8])])
def test_ids_of_tables_keep_zeros_that_come_first(tmp_path, ids, names):
    STREETS.set_crs(3857).to_file(tmp_path / "streets.gpkg")
    (tmp_path / "places.csv").write_text(f"id,x,y\n{ids[0]},10,5\n{ids[1]},60,5\n")
    how = {"columns": ("osmid",), "attach": tmp_path / "places.csv", "node": True}
    graph = boruvka.read(tmp_path / "streets.gpkg", **how)
    assert graph.terminals.tolist() == names
    boruvka.write(boruvka.steiner_tree(graph), tmp_path / "net.gpkg")
    assert [repr(x) for x in boruvka.read(tmp_path / "net.gpkg").terminals.tolist()] == [*map(repr, names)]


def test_no_streets_have_no_gaps():
    assert as_graph(STREETS.iloc[:0], node=True).n == 0


def test_a_street_that_is_drawn_to_a_place_meets_its_link():
    lines = [[(0, 0), (9, 0)], [(5, 0), (5, 3)], [(5, 3), (7, 3)]]
    columns = {"kind": ["street", "link", "street"], "place": [None, "a", None]}
    frame = geopandas.GeoDataFrame(columns, geometry=[*map(shapely.LineString, lines)])
    assert minimum_spanning_forest(as_graph(frame)).n_components == 2


@pytest.mark.parametrize("crs", [4326, 3857])
def test_a_gap_is_found_far_north(crs):
    """And what the warning says joins it."""
    east = 0.9 / 38_188  # metres of a degree at 70 degrees
    lines = [shapely.LineString(x) for x in ([(20, 70), (20.01, 70)], [(20.01 + east, 70), (20.02, 70)])]
    streets = geopandas.GeoDataFrame(geometry=lines, crs=4326).to_crs(crs)
    places = frame_of([(20.005, 70.001), (20.015, 70.001)]).set_crs(4326)
    with pytest.warns(GraphWarning, match=r"0\.9 apart: node=1 joins"):
        boruvka.steiner_tree(as_graph(streets, attach=places))
    for node, count in (0.85, 2), (1, 1), (0.95, 1):
        with pytest.warns(GraphWarning, match="1 joins") if count > 1 else nullcontext():
            assert minimum_spanning_forest(as_graph(streets, node=node)).n_components == count


@pytest.mark.parametrize(("crs", "seed"), [(None, 0), (32633, 1), (4326, 2)])
def test_ends_within_a_distance_are_joined(crs, seed):
    """The oracle is the network before its ends were moved: on a curve, at a crossing, and at an end."""
    rng, origin = np.random.default_rng(seed), np.array([458_000, 5_550_000])
    angle = np.linspace(0, np.pi, 301)
    curve = 50 * np.column_stack([np.cos(angle), np.sin(angle)])
    lines = [curve, [(-60, 0), (60, 0)], [(0, 0), (0, 50)], [(0, 50), (0, 90)], [(0, 90), (40, 90)]]
    lines += [[(0, -40), (0, 0)], [(40, 90), (0, 90)], [(-20, 10), (20, 10)], [(-60, 0), (-60, 0.1)]]
    exact = geopandas.GeoDataFrame(geometry=[*map(shapely.LineString, lines)])
    moved = []
    for points in lines:
        ends = np.array(points, float)
        ends[[0, -1]] += rng.uniform(-0.15, 0.15, (2, 2)) * (len(points) == 2)
        moved.append(shapely.LineString(ends + origin * (crs is not None)))
    streets = geopandas.GeoDataFrame({"row": range(len(moved))}, geometry=moved, crs=crs and 32633)
    streets = streets if crs is None else streets.to_crs(crs)
    with pytest.warns(GraphWarning, match="node=0.5 makes points of 1 of 9 lines, which are left out"):
        found = as_graph(streets, node=0.5)
    expected = as_graph(exact.iloc[:-1], node=True)
    assert sorted(np.bincount([*found.u, *found.v])) == sorted(np.bincount([*expected.u, *expected.v]))
    assert found.w.sum() == pytest.approx(expected.w.sum(), rel=0.02)
    rows = minimum_spanning_forest(found).to_geopandas()["row"]
    assert set(rows) <= {*range(8)}


def test_an_end_near_a_long_street_in_degrees_is_joined():
    """The middle of a straight line is elsewhere on a Mercator map."""
    lines = [[(20, 70), (20.3, 70.1)], [(20.15, 70.05 + 0.3 / 111_000), (20.15, 70.2)]]
    frame = geopandas.GeoDataFrame(geometry=[*map(shapely.LineString, lines)], crs=4326)
    assert minimum_spanning_forest(as_graph(frame, node=0.5)).n_components == 1
    assert as_graph(frame.iloc[:0], node=0.5).n == 0


def test_the_nearest_street_is_that_on_the_ellipsoid():
    """On a sphere, as for Web Mercator, the one to the east is nearer."""
    lines = [[(0, 50), (200, 50)], [(150.1, -100), (150.1, 40)]]
    streets = geopandas.GeoDataFrame({"name": ["north", "east"]}, geometry=[*map(shapely.LineString, lines)])
    streets.geometry = streets.translate(632_000, 5_182_000)
    house = geopandas.GeoDataFrame(geometry=[shapely.Point(632_100, 5_182_000)], crs=32633)
    for crs in 32633, 4326, 3857, 900913:
        tree = minimum_spanning_forest(as_graph(streets.set_crs(32633).to_crs(crs), attach=house))
        links = tree.to_geopandas().query("kind == 'link'")
        assert links["name"].tolist() == ["north"]
        assert links["weight"].tolist() == pytest.approx([50.009], abs=0.005)


@pytest.mark.parametrize("no", ["N", "nein", "-", "None"])
def test_words_for_no_bridge(no):
    lines = [[(0, 0), (100, 0)], [(50, -50), (50, 50)], [(100, 0), (100, 400), (50, 50)]]
    frame = {"bridge": ["J", no, no]}
    streets = geopandas.GeoDataFrame(frame, geometry=[*map(shapely.LineString, lines)])
    graph = as_graph(streets, node=True)
    assert minimum_spanning_forest(graph).weight == pytest.approx(600 + np.hypot(50, 350))


def test_streets_that_only_cross_are_named():
    streets = geopandas.GeoDataFrame(
        geometry=[shapely.LineString([(0, 0), (9, 9)]), shapely.LineString([(0, 9), (9, 0)])]
    )
    places = frame_of([(1, 1.5), (1, 7.5)])
    with pytest.warns(GraphWarning, match="1 pair of lines meets where .*: node=True splits"):
        boruvka.steiner_tree(as_graph(streets, attach=places))
    assert boruvka.steiner_tree(as_graph(streets, attach=places, node=True)).n_components == 1


def test_degrees_in_a_projected_system():
    degrees = geopandas.GeoDataFrame(geometry=[shapely.LineString([(14.4, 50), (14.5, 50.1)])])
    with pytest.warns(
        GraphWarning, match="within 20 units near the origin of WGS 84 / UTM zone 33N: if these"
    ):
        as_graph(degrees.set_crs(32633))
    metres = degrees.set_crs(4326).to_crs(32633)
    assert as_graph(metres).w == pytest.approx(as_graph(degrees.set_crs(4326)).w, rel=1e-6)
    with pytest.raises(GraphError, match="correct it or the coordinate reference system, or take"):
        as_graph(metres.set_crs(4326, allow_override=True))


def test_a_street_is_closed_by_its_name():
    """The oracle gives the edges of these rows."""
    graph = as_graph(STREETS, node=True, attach=frame_of(PLACES[:4]))
    frame = graph.annotations.table.frame
    for closed, rows in (
        ({"name": "cross"}, frame["name"] == "cross"),
        ({"name": "cross", "osmid": 7}, (frame["name"] == "cross") | (frame["osmid"] == 7)),
        ({"osmid": str(2**60 + 1)}, frame["name"] == "long"),
    ):
        expected = minimum_spanning_forest(graph, excluded=np.flatnonzero(rows))
        assert minimum_spanning_forest(graph, excluded=closed).edges.tolist() == expected.edges.tolist()
    for wrong, message in (
        ({"name": ["cross", "x"]}, "excluded: no edge has 'x' in the column 'name'"),
        ({"name": "cros"}, "'cros' in the column 'name'; is it 'cross'?"),
        (
            {"Name": "cross"},
            "no column 'Name'; the columns are 'name', 'osmid', 'length', 'kind', 'place', 'geometry'; is it",
        ),
        ({"name": None}, "no edge has None in the column 'name'"),
        ({"name": "long, cross"}, "in the column 'name'; for several values, write them in a list"),
        ({"street": "x"}, "there is no column 'street'"),
        (["long", "cross"], "by a column {'name': ["),
        (STREETS["name"] == "cross", "values of a column, as excluded={'name': ['Main Street']}"),
    ):
        with pytest.raises(boruvka.BoruvkaError, match=re.escape(message)):
            boruvka.steiner_tree(graph, excluded=wrong)
    with pytest.raises(OptionError, match="it is for minimum_spanning_forest; in other trees,"):
        boruvka.steiner_tree(graph, required={"name": "cross"})
    with pytest.raises(OptionError, match="it is for prize_collecting_tree"):
        boruvka.steiner_tree(graph, prizes="kW")


@pytest.mark.parametrize("index", [None, list("aab")])
def test_streets_are_closed_by_booleans_and_whole_numbers(index):
    """The oracle is the mask of these rows. A column with gaps has whole numbers as floats."""
    columns = {"oneway": [True, False, False], "lanes": [np.nan, 2, 1], "tracks": [1, 2, 2]}
    lines = [[(0, 0), (9, 0)], [(9, 0), (9, 9)], [(9, 9), (0, 0)]]
    frame = geopandas.GeoDataFrame(columns, geometry=[*map(shapely.LineString, lines)], index=index)
    graph = as_graph(frame)
    for name, value in (
        *(("oneway", x) for x in (True, "True", False)),
        *(("lanes", x) for x in (2, "2", 2.0, "2.0")),
        *(("tracks", x) for x in (1, "1", 1.0, "1.0")),
    ):
        rows = np.flatnonzero(frame[name].astype(str).isin([str(value), f"{value}.0", f"{value}"[:1]]))
        expected = minimum_spanning_forest(graph, excluded=rows)
        assert (
            minimum_spanning_forest(graph, excluded={name: value}).edges.tolist() == expected.edges.tolist()
        )
    for wrong, message in (
        ({"lanes": True}, "no edge has 'True' in the column 'lanes'; its values are [None, '2', '1']"),
        ({"oneway": "yes"}, "its values are ['True', 'False']"),
        ({"one": True}, "there is no column 'one'; the columns are"),
        ({7: True}, "twice" if index else "the mapping has 7, which is no row"),
    ):
        with pytest.raises(boruvka.BoruvkaError, match=re.escape(message)):
            minimum_spanning_forest(graph, excluded=wrong)


def test_a_link_is_closed_where_each_street_at_its_end_has_a_value_of_either_column():
    """The oracle is the mask of pandas."""
    lines = [shapely.LineString(x) for x in ([(0, 0), (90, 0)], [(90, 0), (90, 90)], [(0, 0), (0, 90)])]
    streets = geopandas.GeoDataFrame({"name": list("abc"), "kind_of": list("xyx")}, geometry=lines, crs=25830)
    places = pandas.DataFrame({"x": [90.0, 0.0], "y": [0.0, -1.0]}, index=["P", "Q"])
    graph = as_graph(streets, attach=places)
    closed = {"name": "a", "kind_of": "y"}
    frame = graph.annotations.table.frame
    rows = (frame["name"] == "a") | (frame["kind_of"] == "y")
    rows &= frame["place"].isna() | (frame["place"] == "P")  # street c leads to the end of the other link
    found = boruvka.minimum_spanning_forest(graph, excluded=closed)
    assert sorted(found.graph.removed) == np.flatnonzero(rows).tolist()
    with_link = boruvka.minimum_spanning_forest(graph, excluded={"name": "a", "place": "Q"})
    names = frame["place"].iloc[with_link.graph.removed].dropna().tolist()
    assert names == ["Q"]


def test_values_that_differ_by_case_or_blanks_are_named():
    names = ["Main Street", "main street", " Main  Street", None, "B"]
    lines = [shapely.LineString([(k, 0), (k + 1, 0)]) for k in range(5)]
    graph = as_graph(geopandas.GeoDataFrame({"name": names}, geometry=lines))
    with pytest.warns(GraphWarning, match=r"the column 'name' has \['main street', ' Main  Street'\] too"):
        found = minimum_spanning_forest(graph, excluded={"name": "Main Street"})
    assert found.edges.tolist() == [1, 2, 3, 4]
    assert minimum_spanning_forest(graph, excluded={"name": [None, "B", *names[:3]]}).edges.size == 0


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (["Main", "Low"], True),
        ("['Low', 'Main']", True),
        ('["Main","Low"]', True),
        ("['Main Road', 'Low']", False),
        ([7, 8], False),
    ],
)
def test_lists_with_a_value_are_named(value, named):
    lines = [shapely.LineString([(k, 0), (k + 1, 0)]) for k in range(4)]
    values = ["Main", value, "[x", "Low Main"]
    graph = as_graph(geopandas.GeoDataFrame({"name": values}, geometry=lines))
    message = re.escape(f"the column 'name' has {[str(value)]} too, which are lists")
    with pytest.warns(GraphWarning, match=message) if named else nullcontext():
        found = minimum_spanning_forest(graph, excluded={"name": "Main"})
    assert found.edges.tolist() == [1, 2, 3]
    numbers = as_graph(geopandas.GeoDataFrame({"ref": [7, [1, 7], "[7, 2]", 77]}, geometry=lines))
    with pytest.warns(GraphWarning, match=re.escape("['[1, 7]', '[7, 2]'] too, which are lists")):
        minimum_spanning_forest(numbers, excluded={"ref": 7})
    both = {"street": "A,B"}
    graph = as_graph(geopandas.GeoDataFrame({"street": list("ABCD")}, geometry=lines))
    with pytest.raises(GraphError, match="no edge has 'A,B' in the column 'street'"):
        minimum_spanning_forest(graph, excluded=both)


def test_metres_beside_streets_in_degrees(tmp_path, capfd):
    streets = geopandas.GeoDataFrame(geometry=[shapely.LineString([(11.5, 48), (11.6, 48)])], crs=4326)
    metres = pandas.DataFrame({"x": [690000], "y": [5335000]})
    with pytest.raises(GraphError, match=r"place 0 is at 690000, 5335000, nowhere in its .*: columns x"):
        as_graph(streets, attach=metres)
    metres.to_csv(tmp_path / "xy.csv")
    streets.to_file(tmp_path / "streets.geojson")
    assert main(["info", f"{tmp_path}/streets.geojson", "--attach", f"{tmp_path}/xy.csv"]) == 2
    assert "xy.csv: the place 0 is at 690000, 5335000, nowhere in its ref" in capfd.readouterr().err


def test_places_of_tables_with_names_in_other_languages():
    """The oracle are columns lon and lat, or x and y. Of x and y, länge and breite are sizes of buildings."""
    streets = geopandas.GeoDataFrame(geometry=[shapely.LineString([(13, 52), (13.1, 52.1)])], crs=4326)
    degrees = pandas.DataFrame({"lon": [13.02, 13.05], "lat": [52.03, 52.04]})
    sizes = {"Länge": [12, 30], "Breite": [9, 8]}
    for lines in streets, streets.to_crs(25833):
        points = geopandas.GeoSeries.from_xy(*degrees.to_numpy().T, crs=4326).to_crs(lines.crs)
        metres = pandas.DataFrame({"x": points.x, "y": points.y})
        expected = as_graph(lines, attach=degrees).coordinates
        for table in (
            degrees.set_axis(["Länge", "Breite"], axis=1)[["Breite", "Länge"]],
            degrees.set_axis(["laenge", "breite"], axis=1),
            metres.set_axis(["Rechtswert", "Hochwert"], axis=1),
            metres.assign(**sizes),
        ):
            assert as_graph(lines, attach=table).coordinates == pytest.approx(expected, rel=1e-9)
    with pytest.raises(GraphError, match="or their coordinates are exchanged, or x and y are degrees, whose"):
        as_graph(lines, attach=degrees.set_axis(["lat", "lon"], axis=1))


def test_places_of_a_table_without_coordinates(tmp_path, capfd):
    streets = STREETS.set_geometry(STREETS.translate(458_000, 5_550_000)).set_crs(32633)
    streets.to_file(tmp_path / "streets.gpkg")
    text = "name,x,y,kW\na,458010,5550005,3\nb,,,4\nc,458060,5550005,5\n"
    (tmp_path / "places.csv").write_text(text)
    how = ["steiner", f"{tmp_path}/streets.gpkg", "--attach", f"{tmp_path}/places.csv", "--node"]
    assert main(how) == 2
    assert "places.csv:3: there is no value in column 'x': 1 of 3 points" in (error := capfd.readouterr().err)
    assert "or pass --missing drop to leave such points out" in error
    with pytest.warns(GraphWarning, match=r"places.csv: 1 of 3 places have no point, left out"):
        found = boruvka.read(how[1], attach=how[3], node=True, missing="drop")
    places = pandas.read_csv(tmp_path / "places.csv").dropna().set_index("name")
    expected = as_graph(streets, attach=places, node=True)
    assert found.terminals.tolist() == ["a", "c"]
    assert found.w.tolist() == expected.w.tolist()
    assert found.annotations.places["place_kW"].tolist() == [3, 5]


@pytest.mark.parametrize("crs", [None, 32633, 4326])
def test_places_with_metres_and_degrees(tmp_path, crs):
    """The pair counts that fits the streets; the other one is somewhere else here."""
    streets = STREETS.set_geometry(STREETS.translate(458_000, 5_550_000)).set_crs(32633)
    streets = streets.set_crs(None, allow_override=True) if crs is None else streets.to_crs(crs)
    x, y = shapely.get_coordinates(streets.geometry[1])[0]
    away = {"x": [1.0], "y": [2.0], "lon": [3.0], "lat": [4.0]}
    places = pandas.DataFrame(away | ({"lon": [x], "lat": [y]} if crs == 4326 else {"x": [x], "y": [y]}))
    assert as_graph(streets, attach=places).w.min() == 0
    assert list(as_graph(streets).vertex_near(places)) == [(x, y)]
    if crs is not None:
        places.to_csv(tmp_path / "places.csv")
        streets.to_file(tmp_path / "streets.gpkg")
        graph = boruvka.read(tmp_path / "streets.gpkg", attach=tmp_path / "places.csv")
        assert graph.w.min() == 0


def test_no_lines():
    with pytest.raises(GraphError, match="there are no lines on the ground to which"):
        as_graph(STREETS[:0], node=True, attach=PLACES)


def test_names_in_another_column_than_the_index():
    graph = as_graph(STREETS, attach=frame_of(PLACES[:2]))
    with pytest.raises(GraphError, match="the index of the places that are attached names them: 0, 1"):
        boruvka.steiner_tree(graph, ["house a", "house b"])
    with pytest.raises(GraphError, match=r"places\.set_index\('column'\) names them by a column"):
        boruvka.steiner_tree(graph, ["house a"])
    with pytest.raises(GraphError, match=r"places\.set_index\('column'\) names them by a column"):
        boruvka.prize_collecting_tree(graph, {0: 1}, root="house b")
    unnamed = frame_of(PLACES[:3], name=["a", None, None]).set_index("name")
    with pytest.raises(GraphError, match=r"no name for 2 of the places, such as 1: pass attach\.reset"):
        as_graph(STREETS, attach=unnamed)
    with pytest.raises(GraphTypeError, match="the graph has no terminals of its own"):
        boruvka.steiner_tree(STREETS)
    with pytest.raises(OptionError, match="no option 'leafs'"):
        boruvka.steiner_tree(STREETS, frame_of(PLACES[:2]), leafs=True)


# Files and the command line


def test_places_from_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    streets, places = STREETS.set_crs(32633), frame_of(PLACES[:4], who=list("abca")).set_crs(32633)
    streets = streets.set_geometry(streets.translate(458_000, 5_550_000))
    places = places.set_geometry(places.translate(458_000, 5_550_000))
    streets.to_file("roads.gpkg")
    places.to_file("numbered.gpkg")
    places.assign(who=list("abcd")).set_geometry(places.buffer(1)).to_file("named.geojson", driver="GeoJSON")
    graph = as_graph(streets, node=True, attach=places, tolerance=50)
    for attach in places, "numbered.gpkg":
        found = boruvka.read("roads.gpkg", node=True, attach=attach, tolerance=50)
        assert found.names.tolist() == graph.names.tolist()
        assert found.w.tolist() == graph.w.tolist()
    named = boruvka.read("roads.gpkg", node=True, attach="named.geojson", columns=("osmid",))
    assert named.terminals.tolist() == ["a", "b", "c", "d"]
    assert boruvka.read("roads.gpkg", attach="named.geojson", unweighted=True).w.tolist() == [1] * 10
    boruvka.write(boruvka.steiner_tree(graph, places.index), "net.gpkg")
    found = geopandas.read_file("net.gpkg")
    assert (found["osmid"].max(), found["kind"].value_counts()["link"], found.crs) == (2**60 + 1, 4, 32633)
    (tmp_path / "numbered.txt").write_text("a,b\n")
    with pytest.raises(boruvka.FormatError, match=r"numbered\.txt: expected the columns id, x and y"):
        boruvka.read("roads.gpkg", attach="numbered.txt")
    with pytest.raises(boruvka.FileError, match=r"none\.gpkg: No such file"):
        boruvka.read("roads.gpkg", attach="none.gpkg")


def test_places_from_tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    streets, places = (
        frame.set_crs(32633).set_geometry(frame.set_crs(32633).translate(458_000, 5_550_000))
        for frame in (STREETS, frame_of(PLACES[:4]))
    )
    streets.to_file("roads.gpkg")
    expected = as_graph(streets, node=True, attach=places)
    degrees = places.geometry.to_crs(4326)
    frame = pandas.DataFrame({"house": list("abcd"), "x": places.geometry.x, "y": places.geometry.y})
    frame.to_csv("xy.csv", index=False)
    frame[["x", "y"]].to_csv("plain.csv", index=False, header=False)
    pandas.DataFrame({"Lat": degrees.y, "Lon": degrees.x, "id": [7, 8, 9, 10]}).to_csv(
        "degrees.csv", index=False
    )
    for name, terminals in ("xy", list("abcd")), ("plain", [0, 1, 2, 3]), ("degrees", [7, 8, 9, 10]):
        graph = boruvka.read("roads.gpkg", node=True, attach=f"{name}.csv")
        assert graph.terminals.tolist() == terminals
        links = graph.annotations.table.frame["kind"] == "link"
        assert graph.w[links] == pytest.approx(expected.w[-4:], abs=1e-6)
    frame.assign(house=["007", "12", "3", "4"]).to_csv("codes.csv", index=False)
    codes = boruvka.read("roads.gpkg", node=True, attach="codes.csv")
    assert codes.terminals.tolist() == ["007", "12", "3", "4"]
    frame["house"] = ["værk", "b", "c", "d"]
    frame.to_csv("danish.csv", index=False, encoding="cp1252")  # as Excel does
    with pytest.warns(boruvka.GraphWarning, match="danish.csv: the text is not UTF-8"):
        assert boruvka.read("roads.gpkg", node=True, attach="danish.csv").terminals[0] == "værk"
    pandas.DataFrame({"lat": [200], "lon": [2]}).to_csv("beyond.csv")
    with pytest.raises(boruvka.FormatError, match=r"^beyond\.csv: the place 0 is at 2, 200, .* WGS 84: col"):
        boruvka.read("roads.gpkg", attach="beyond.csv")
    wrong = places.set_crs(4326, allow_override=True)
    with pytest.raises(
        GraphError, match=r"place 0 is at 458010, 5550005, .*set_crs\(\.\.\., allow_override=T"
    ):
        as_graph(streets, attach=wrong)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["10", "20"], [10, 20]),
        (["10.5", ""], [10.5, None]),
        ([str(2**60 + 1), ""], [2**60 + 1, None]),
        (["1 200", "1"], [1200, 1]),
        (["007", "12"], ["007", "12"]),
        (["1", "b"], ["1", "b"]),
    ],
)
def test_columns_of_a_table_of_places_are_numbers(tmp_path, monkeypatch, texts, expected):
    monkeypatch.chdir(tmp_path)
    STREETS.set_crs(3857).to_file("roads.gpkg")
    rows = zip(("a", "b"), texts, strict=True)
    (tmp_path / "p.csv").write_text("name,x,y,kW\n" + "".join(f"{name},10,5,{kw}\n" for name, kw in rows))
    graph = boruvka.read("roads.gpkg", attach="p.csv")
    assert graph.terminals.tolist() == ["a", "b"]
    found = graph.annotations.table.frame.query("kind == 'link'")["place_kW"]
    assert found.astype(object).where(found.notna(), None).tolist() == expected
    assert pandas.api.types.is_numeric_dtype(found) == (not isinstance(expected[0], str))


@pytest.mark.parametrize(("names", "root"), [({"name": ["A", "B"]}, "B"), ({"id": [7, 8]}, 8), ({}, 1)])
def test_places_of_polars_keep_names_and_columns(names, root):
    """The oracle is a frame of pandas with this index."""
    polars = pytest.importorskip("polars")
    columns = {"x": [10, 60], "y": [5, 5], "kW": [1.5, None]} | names
    frame = pandas.DataFrame(columns)
    expected = as_graph(STREETS, attach=frame.set_index(list(names)) if names else frame)
    graph = as_graph(STREETS, attach=polars.DataFrame(columns))
    assert graph.names.tolist() == expected.names.tolist()
    tree, other = (boruvka.steiner_tree(each, root=root, load="kW") for each in (graph, expected))
    assert tree.edges.tolist() == other.edges.tolist()
    assert tree.to_pandas()["load"].tolist() == other.to_pandas()["load"].tolist()
    with pytest.raises(GraphError, match="the place 0 has no point"):
        as_graph(STREETS, attach=polars.DataFrame(columns | {"x": [None, 1]}))


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_messages_of_the_command_name_the_file_of_places(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    STREETS.set_crs(3857).to_file("roads.gpkg")
    STREETS.to_file("unknown.gpkg")
    far = STREETS.translate(458_000, 5_550_000)
    far.centroid.set_crs(4326).to_file("wrong.gpkg")
    frame_of(PLACES[:2]).to_file("plain.gpkg")
    for name, names in ("twice", "AA"), ("ok", "AB"):
        pandas.DataFrame({"addr": list(names), "x": [1, 2], "y": [1, 2]}).to_csv(f"{name}.csv", index=False)
    for arguments, message in (
        (
            "roads.gpkg --attach twice.csv",
            "twice.csv: the column 'addr' has 'A' twice, so that it names no vertices (places 0 and 1, from",
        ),
        ("roads.gpkg --attach plain.gpkg --attach ok.csv", "plain.gpkg: only the lines have"),
        (
            "roads.gpkg --attach ok.csv --attach ok.csv",
            "names no vertices (places 0 and 2, from 0): write different names",
        ),
        ("roads.gpkg --attach wrong.gpkg", "wrong.gpkg: the place 0 is at 4580"),
        ("roads.gpkg --attach wrong.gpkg", "ogr2ogr -a_srs EPSG:CODE NEW.gpkg FILE"),
        ("roads.gpkg --attach plain.gpkg", "plain.gpkg: only the lines have a coordinate reference system"),
        ("roads.gpkg --attach plain.gpkg", "ogr2ogr -a_srs EPSG:3857 NEW.gpkg FILE"),
        ("unknown.gpkg --attach ok.csv", "unknown.gpkg: has no reference system"),
        ("unknown.gpkg --attach ok.csv", "ogr2ogr -a_srs EPSG:CODE NEW.gpkg FILE"),
    ):
        assert main(["steiner", *arguments.split()]) == 2
        assert message in capfd.readouterr().err


@pytest.mark.parametrize(
    ("ids", "names", "message"),
    [
        ([7, 8, 9], [7, 8, 9], None),
        ([7.0, 8.0, 9.0], [7, 8, 9], None),
        ([None] * 3, ["B", "A", "C"], None),
        (
            [7, 8, 7],
            None,
            "the column 'id' has 7 twice, so that it names no vertices (places 0 and 2, from 0)",
        ),
        (["x", "x", "y"], None, "the column 'id' has 'x' twice"),
        (
            [7, None, 9],
            None,
            "the column 'id' has no name for 1 of the places, such as 1: write different names",
        ),
    ],
)
def test_the_column_id_of_a_map_names_its_places_or_is_an_error(ids, names, message, tmp_path):
    """As in a table of the same rows, which has no missing ids: empty fields are texts."""
    places = frame_of(PLACES[:3], Name=["B", "A", "C"], id=ids).set_crs(3857)
    STREETS.set_crs(3857).to_file(tmp_path / "roads.gpkg")
    table = places.assign(x=places.geometry.x, y=places.geometry.y)[["id", "x", "y"]]
    table.to_csv(tmp_path / "a.csv", index=False)
    for ending in ["gpkg", "geojson", *["csv"] * all(type(each) in (int, str) for each in ids)]:
        if ending != "csv":
            places.to_file(tmp_path / f"a.{ending}")
        with (
            nullcontext() if message is None else pytest.raises(boruvka.FormatError, match=re.escape(message))
        ):
            graph = boruvka.read(tmp_path / "roads.gpkg", attach=tmp_path / f"a.{ending}")
            assert graph.terminals.tolist() == names


def test_places_of_a_layer(tmp_path, monkeypatch, capfd):
    """The oracle is the frame of the layer."""
    monkeypatch.chdir(tmp_path)
    STREETS.set_crs(3857).assign(name=["long", None]).to_file("roads.gpkg")
    places = frame_of(PLACES[:4], BIN=[1, 2, 3, 4]).set_crs(3857)
    places.to_file("two.gpkg", layer="houses")
    places.iloc[:2].assign(heat=[500, 600]).to_file("two.gpkg", layer="of: heat")
    places.iloc[[0, 0, 1]].to_file("double.gpkg")
    graph = boruvka.read("roads.gpkg", node=True, attach="two.gpkg:houses")
    assert edges_by_ends(graph) == edges_by_ends(
        as_graph(geopandas.read_file("roads.gpkg"), node=True, attach=places)
    )
    places.buffer(1).to_file("two.gpkg", layer="yards")
    common = ["steiner", "roads.gpkg:roads", "--node", "--attach"]
    for arguments, message in (
        (
            ["two.gpkg"],
            "has more than one layer of points or polygons: houses, of: heat, yards; say which, as two.gpkg:",
        ),
        (["two.gpkg:x"], "two.gpkg: there is no layer 'x'; there are houses, of: heat, yards"),
        (
            ["two.gpkg:houses", "--root", "9"],
            "named by row number, as no column called id or name has different",
        ),
        (
            ["two.gpkg:houses", "--excluded", "name=long,x"],
            "no edge has 'long,x' in the column 'name'; is it 'long'",
        ),
        (["two.gpkg:houses", "--excluded", "name=x,long"], "write --excluded for each, or name=@FILE"),
    ):
        assert main([*common, *arguments]) == 2
        assert message in capfd.readouterr().err
    for arguments, warning, report in (
        (["two.gpkg:houses"], "", {"places": 4, "named_by": "row number", "terminals": 4}),
        (["two.gpkg:of: heat", "--prizes", "heat"], "", {"places": 2, "terminals": 2}),
        (["two.gpkg:houses", "--prizes", "two.gpkg:of: heat"], "", {"missed": 0}),
        (
            ["two.gpkg:of: heat", "--prizes", "BIN"],
            "the tree has no edge, as no prize pays",
            {"tree_edges": 0},
        ),
        (["two.gpkg:houses", "--excluded", "name="], "no path connects", {"excluded_edges": 4}),
        (["double.gpkg"], "1 of 3 places repeat another one, with all of its values", {"places": 3}),
    ):
        code, (out, err) = main([*common, *arguments, "--json"]), capfd.readouterr()
        assert (code, warning in err, not err) == (0, True, not warning)
        assert {name: json.loads(out)[name] for name in report} == report


def test_links_to_closed_streets_are_named():
    lines = [shapely.LineString([(0, y), (100, y)]) for y in (0, 20)] + [
        shapely.LineString([(0, 0), (0, 20)])
    ]
    streets = geopandas.GeoDataFrame({"name": [None, "d'or", "open"]}, geometry=lines)
    places = frame_of([(10, 1), (50, 1), (90, 19)]).set_axis(["p", "q", "r"])
    graph = as_graph(streets, attach=places)
    with pytest.warns(GraphWarning, match=r"left out: \['r'\]; excluded edges connect these$"):
        boruvka.steiner_tree(graph, root="p", excluded={"name": "d'or"})
    rest = as_graph(streets[streets["name"] != "d'or"], attach=places)
    assert boruvka.steiner_tree(rest, root="p").weight == pytest.approx(80 + 1 + 1 + 19)


@pytest.mark.parametrize("node", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_link_to_a_common_end_is_of_the_cheapest_street_and_closed_with_all(seed, node):
    """The oracle is arithmetic. The last street has the shape of the first one."""
    rng = np.random.default_rng(seed)
    lines = [shapely.LineString([(0, 0), end]) for end in ((100, 0), (70, 70), (0, 100), (100, 0))]
    rates, turned = rng.permutation([10, 40, 70, 100]), rng.random(4) < 0.5
    lines = np.where(turned, shapely.reverse(lines), lines)
    streets = geopandas.GeoDataFrame({"name": list("abcd"), "rate": rates}, geometry=lines)
    places = frame_of([(-3, -4), (50, -3)]).set_axis(["corner", "side"])
    along = min(rates[0], rates[3])
    for order in rng.permutation(4), rng.permutation(4):
        graph = as_graph(streets.iloc[order], rate="rate", node=node, attach=places)
        for closed in None, {"name": ["b", "c"]}, {"name": "b", "rate": rates[2]}:
            tree = boruvka.steiner_tree(graph, excluded=closed)
            assert tree.weight == pytest.approx(5 * 10 + (50 + 3) * along)
    cheapest = "a" if rates[0] < rates[3] else "d"
    for closed in {"name": cheapest}, {"name": {"a": "d", "d": "a"}[cheapest]}:
        if node and closed["name"] == cheapest:
            with pytest.raises(GraphError, match=r"excluded: [23] pieces have this value, and a dearer line"):
                boruvka.steiner_tree(graph, excluded=closed)
        else:
            weight = boruvka.steiner_tree(graph, excluded=closed).weight
            assert node == (weight == pytest.approx(5 * 10 + 53 * along)) or not node
    every = {"name": ["a", "d"]}
    with pytest.warns(GraphWarning, match="no path connects"):
        tree = boruvka.steiner_tree(graph, excluded=every)
    of_corner = np.flatnonzero(graph.v == graph.n - 2)
    assert (tree.n_components, np.isin(of_corner, tree.graph.removed).any()) == (2, False)
    with pytest.warns(GraphWarning, match="no path connects"):
        assert boruvka.steiner_tree(graph, excluded={"kind": "link"}).n_components == 2


@pytest.mark.parametrize("node", [True, 1])
@pytest.mark.parametrize("order", [[0, 1, 2, 3], [1, 0, 2, 3], [2, 1, 0, 3], [3, 2, 0, 1]])
def test_a_street_that_is_recorded_twice_is_closed_with_both(order, node):
    """The oracle is arithmetic: the detour is 260 m long. The old record is longer than the street."""
    ends = (
        [(0, 0), (150, 0)],
        [(100, 0), (0, 0)],
        [(0, 0), (0, 80), (100, 80), (100, 0)],
        [(100, 0), (300, 0)],
    )
    streets = {"status": ["closed", "open", "open", "shut"], "name": ["old", "new", "detour", "last"]}
    streets = geopandas.GeoDataFrame(streets, geometry=[*map(shapely.LineString, ends)]).iloc[order]
    graph = as_graph(streets, node=node, attach=frame_of([(-1, 0), (101, 1)]).set_axis(["x", "y"]))
    for closed in "closed", ["closed", "shut"], "open", "shut":
        tree = boruvka.steiner_tree(graph, ["x", (100.0, 0.0)], excluded={"status": closed})
        assert tree.weight == pytest.approx(1 + 100)
    with pytest.warns(GraphWarning, match="no path connects"):
        boruvka.steiner_tree(graph, ["x", (100.0, 0.0)], excluded={"status": ["open", "closed"]})
    detour = boruvka.minimum_spanning_forest(graph, required={"name": "detour"}, excluded={"name": "old"})
    assert detour.weight == pytest.approx(260 + 100 + 1 + 1 + 100)
    with pytest.raises(GraphError, match=r"which is no vertex; the first ones are 'x', 'y', \(0.0, 0.0\)"):
        boruvka.prize_collecting_tree(graph, {"plant": 3.0}, "x")


def test_labels_of_rows_are_no_numbers_of_pieces():
    """The oracle is the advice that messages give."""
    ends = [(0, 0), (100, 0)], [(50, -10), (50, 50)], [(0, 40), (100, 40)]
    streets = geopandas.GeoDataFrame({"name": list("abc")}, geometry=[*map(shapely.LineString, ends)])
    graph, is_b = as_graph(streets, node=True), streets["name"] == "b"
    with pytest.raises(
        GraphError, match=r"labels of rows are not numbers of edges.*write excluded=\{'name': "
    ):
        boruvka.minimum_spanning_forest(graph, excluded=streets.index[is_b])
    with pytest.raises(GraphError, match=r"excluded: labels are there twice.*as excluded=\{'name': \["):
        boruvka.minimum_spanning_forest(graph, excluded=is_b)
    assert boruvka.minimum_spanning_forest(streets, excluded=streets.index[is_b]).edges.tolist() == [0, 2]


def test_a_distance_that_is_longer_than_streets():
    """The oracle is the message."""
    ends = [[(50 * k, -200 - k % 2 * 100), (50 * k, 600 + k % 2 * 100)] for k in range(9)]
    lines = [shapely.LineString(np.array(x)[:, ::way]) for x in ends for way in (1, -1)]
    with pytest.warns(GraphWarning) as caught:
        as_graph(geopandas.GeoDataFrame(geometry=lines), node=90)
    texts = [str(each.message) for each in caught]
    assert texts == ["node=90.0 is longer than half of the pieces: pass a smaller distance"]


@pytest.mark.parametrize(
    ("columns", "ground"),
    [
        ({"bridge": ["no", "yes", None]}, [0, 2]),
        ({"Tunnel": ["yes", "building_passage", "no"]}, [2]),
        ({"bridge": ["viaduct", "no", "no"], "tunnel": ["no", "no", "1"], "layer": [1, 0, -1]}, [1]),
        ({"layer": ["1", "2", "0"]}, [0, 1, 2]),
    ],
)
@pytest.mark.parametrize("node", [False, True])
def test_bridges_and_tunnels_get_no_links(columns, ground, node):
    """The oracle is the distance to the other lines."""
    lines = np.array([shapely.LineString([(0, y), (100, y), (100, y + 20)]) for y in (0, 20, 40)], object)
    places = frame_of([(10, 1), (30, 19), (50, 21), (70, 39), (90, 60)], name=list("abcde"))
    graph = as_graph(geopandas.GeoDataFrame(columns, geometry=lines), node=node, attach=places)
    found = graph.annotations.table.frame
    links = found[found["kind"] == "link"].geometry.to_numpy()
    nearest = shapely.distance(places.geometry.to_numpy()[:, None], lines[ground]).min(axis=1)
    assert shapely.length(links) == pytest.approx(nearest)
    everywhere = geopandas.GeoDataFrame({"bridge": ["yes"] * 3}, geometry=lines)
    with pytest.raises(GraphError, match="there are no lines on the ground to which attach can join places"):
        as_graph(everywhere, node=node, attach=places)


@pytest.mark.parametrize("seed", range(4))
def test_both_directions_of_a_street_are_split_at_the_same_places(seed):
    """The oracles are one direction alone, and the streets with ``node=True``, which makes one of both."""
    rng = np.random.default_rng(seed)
    corners = rng.normal(0, 12, (3, 4, 2)) + 100 * np.stack(np.meshgrid(range(4), range(3)), axis=2)
    pairs = [pair for row in [*corners, *corners.transpose(1, 0, 2)] for pair in pairwise(row)]
    lines = np.array([shapely.LineString([a, (a + b) / 2 + rng.normal(0, 8, 2), b]) for a, b in pairs])
    twins = rng.permutation(len(lines))[:12]
    both = np.concatenate(
        [shapely.reverse(lines[twins[:6]]), lines, lines[twins[:3]], lines[twins[6:]].copy()]
    )
    both[-3:] = shapely.reverse(both[-3:])
    places = frame_of(rng.uniform(0, 300, (8, 2)) * [1, 0.7])
    trees = [
        boruvka.steiner_tree(geopandas.GeoDataFrame(geometry=streets), attach=places, node=node, improve=True)
        for streets, node in ((both, False), (lines, False), (both, True))
    ]
    assert all(tree.is_optimal for tree in trees)
    assert [tree.weight for tree in trees] == pytest.approx([trees[0].weight] * 3)


def test_the_command_draws_and_compares_plans(tmp_path, monkeypatch, capfd):
    """The oracle compares the shapes of both maps."""
    monkeypatch.chdir(tmp_path)
    STREETS.set_crs(3857).to_file("roads.gpkg")
    frame_of(PLACES[:4], name=list("abcd"), kW=[1, 2, 3, 4]).set_crs(3857).to_file("places.gpkg")
    common = "steiner roads.gpkg --node --attach places.gpkg -q"
    of_first = "--terminals a,b,c --root a --load kW -o 1.gpkg --plot 1.html"
    of_second = "--terminals b,c,d -o 2.gpkg --plot 2.PNG"
    for options in of_first, of_second:
        assert main(f"{common} {options}".split()) == 0
    assert "load 5: " in (tmp_path / "1.html").read_text()
    assert (tmp_path / "2.PNG").read_bytes()[1:4] == b"PNG"
    first, second = (geopandas.read_file(f"{k}.gpkg").set_index("geometry")["weight"] for k in (1, 2))
    for output in "both.gpkg", "both.csv", "both.parquet":
        assert main(["compare", "1.gpkg", "2.gpkg", "--json", "-o", output]) == 0
        both = first.index.intersection(second.index)
        rest = {"only_first": first.drop(both), "only_second": second.drop(both)}
        report = json.loads(capfd.readouterr().out)
        for name, rows in rest.items():
            assert report[name] == {"edges": len(rows), f"weight_{name[5:]}": pytest.approx(rows.sum())}
        totals = {"weight_first": pytest.approx(first.sum()), "weight_second": pytest.approx(second.sum())}
        assert report["all"] == {"edges": len(first.index.union(second.index)), **totals}
    found = geopandas.read_file("both.gpkg").set_index("geometry")["plan"]
    assert {*found[found == "both"].index} == {*both}
    assert {*found[found == "only second"].index} == {*rest["only_second"].index}
    pandas.testing.assert_series_equal(pandas.read_csv("both.csv")["plan"], found.reset_index()["plan"])
    counts = [f"plan {plan} ({count})" for plan, count in found.value_counts().items()]
    assert len(counts) == 3
    for options in "--by plan", "", "--by kind --graph-edges":  # all edges, also of cycles
        output = "svg" if "kind" in options else "html"
        assert main(f"plot both.gpkg {options} -o a.{output}".split()) == 0
        assert f"a.{output}: {len(found)} edges" in capfd.readouterr().out
        assert output == "svg" or all(text in (tmp_path / "a.html").read_text() for text in counts)
    (tmp_path / "a.csv").write_text("source,target,weight\nx,y,1\ny,z,1\n")
    (tmp_path / "b.csv").write_text("source,target,weight\nx,z,1\ny,z,1\n")
    for output in "c.csv", "c.parquet":
        assert main(f"compare a.csv b.csv -q -o {output}".split()) == 0
        assert main(f"plot {output} --by plan -o a.html".split()) == 0
        assert "a.html: 3 edges of 3 vertices" in capfd.readouterr().out
    for arguments, message in (
        ("compare 1.gpkg 2.gpkg -o 2.gpkg", "2.gpkg is also SECOND, which would be overwritten"),
        ("plot both.csv -o a.png", "it looks like a comparison of maps: write it as .gpkg"),
        ("compare 1.gpkg a.csv", "compare two of one kind, such as .gpkg"),
        (
            "compare 1.gpkg 2.gpkg -o a.geojson",
            "a.geojson: a table ends in .csv, .tsv or .parquet, a map in .gpkg",
        ),
        ("compare a.csv a.csv -o a.gpkg", "a.gpkg: a map is of lines, and these edges have none: write .csv"),
        ("compare a.csv a.csv -o a.txt", "a.txt: a table ends in .csv, .tsv or .parquet"),
        ("steiner roads.gpkg --plot a.gif", "a.gif: a picture ends in .png, .svg or .pdf, a page in .html"),
        ("plot 1.gpkg --by lod -o a.png", "--by must be round, component, weight or a column, such as load"),
    ):
        assert main(arguments.split()) == 2
        assert message in capfd.readouterr().err
    for output in "a.png", "a.html":
        assert main(["plot", "1.gpkg", "--by", "load", "-q", "-o", output]) == 0
    assert "load 5: " in (tmp_path / "a.html").read_text()


@pytest.mark.filterwarnings("default")
def test_the_command_attaches_places(tmp_path, capfd):
    from boruvka.cli.main import main

    streets, net = STREETS.set_crs(3857), tmp_path / "net.gpkg"
    streets.to_file(tmp_path / "roads.gpkg")
    frame_of(PLACES[:5], name=list("abcde")).set_crs(3857).to_file(tmp_path / "places.gpkg")
    roads, places = (str(tmp_path / f"{name}.gpkg") for name in ("roads", "places"))
    command = ["steiner", roads, "--attach", places, "-o", str(net)]
    assert main([*command, "--node", "--columns", "osmid"]) == 0
    found = geopandas.read_file(net)
    assert found["place"].dropna().tolist() == list("abcde")
    assert set(found["name"]) == {"long", "cross"}
    assert main([*command, "--tolerance", "4"]) == 0
    shown = capfd.readouterr().err
    assert "2 of 5 places are farther than 4 m from every line, and are joined to none: ['a', 'b']" in shown
    assert main([*command, "--node", "--terminals", "a,b"]) == 0
    assert sorted(geopandas.read_file(net)["place"].dropna()) == ["a", "b"]
    assert main([*command[:-1], command[3]]) != 0  # the places would be overwritten


def test_places_of_several_frames(tmp_path, capfd):
    """The oracle is one frame of all places."""
    from boruvka.cli.main import main

    one, two = frame_of(PLACES[:2], name=["a", "b"], heat=[500, 700]), frame_of(PLACES[2:5], name=list("cde"))
    joint = pandas.concat([one, two], ignore_index=True)
    for frames, whole in (
        ([one, two], joint),
        ([one.set_index("name"), two.set_index("name")], joint.set_index("name")),
        ([one.set_index("name"), pandas.DataFrame({"x": [1], "y": [2]})], None),
    ):
        graph = as_graph(STREETS, node=True, attach=frames)
        if whole is None:
            assert graph.terminals.tolist() == ["a", "b", 0]
            continue
        expected = as_graph(STREETS, node=True, attach=whole)
        assert graph.names.tolist() == expected.names.tolist()
        assert edges_by_ends(graph) == edges_by_ends(expected)
    with pytest.raises(GraphError, match=r"'a' twice.*pass places with different names"):
        as_graph(STREETS, attach=[one.set_index("name")] * 2)
    with pytest.raises(GraphError, match=r"graph\.vertex_near\(\(x, y\)\) is the vertex"):
        boruvka.steiner_tree(as_graph(STREETS, attach=one.set_index("name")), ["a", "plant"])

    files = {"roads": STREETS, "one": one, "two": two}
    for name, frame in files.items():
        frame.set_crs(3857).to_file(tmp_path / f"{name}.gpkg")
    roads, first, second = (str(tmp_path / f"{name}.gpkg") for name in files)
    net = tmp_path / "net.gpkg"
    command = ["steiner", roads, "--node", "--attach", first, "-o", str(net)]
    assert main([*command, "--attach", second]) == 0
    assert sorted(geopandas.read_file(net)["place"].dropna()) == list("abcde")
    assert main([*command, "--attach", second, "--prizes", "heat", "--root", "c"]) == 0
    assert "c" in geopandas.read_file(net)["place"].tolist()
    assert main([*command[:-1], second, "--attach", second]) != 0  # the places would be overwritten
    capfd.readouterr()
    assert main([*command, "--prizes", "heat", "--root", "plant"]) != 0
    assert "'plant' is not a vertex: none has this name" in capfd.readouterr().err


def test_tables_name_ends_by_their_coordinates(tmp_path):
    places = frame_of([(10, 5), (60, 5)], name=list("ab")).set_index("name")
    tree = boruvka.steiner_tree(as_graph(STREETS, node=True, attach=places))
    boruvka.write(tree, tmp_path / "net.csv")
    found = pandas.read_csv(tmp_path / "net.csv")
    for column, ends in zip(("source", "target"), (tree.u, tree.v), strict=True):
        assert found[column].tolist() == list(map(str, tree.graph.name_of(ends).tolist()))
    assert found["weight"].sum() == pytest.approx(tree.weight)


def test_distances_and_loads_of_places():
    """Distances, paths and sums below each edge as NetworkX finds them in the tree."""
    rng = np.random.default_rng(3)
    lines = [shapely.LineString([(0, y), (90, y)]) for y in range(0, 100, 30)]
    lines += [shapely.LineString([(x, 0), (x, 90)]) for x in range(0, 100, 30)]
    lines += [shapely.LineString([(500, 0), (500, 9)])]
    places = frame_of([*rng.uniform(0, 90, (12, 2)), (501, 5)], load=range(1, 14))
    places.index = [f"p{i}" for i in range(13)]
    graph = as_graph(geopandas.GeoDataFrame(geometry=lines), node=True, attach=places)
    with pytest.warns(GraphWarning, match="2 components"):
        tree = boruvka.steiner_tree(graph)
    rooted = tree.rooted("p0")
    oracle = networkx.Graph()
    for u, v, w in zip(tree.u.tolist(), tree.v.tolist(), tree.w.tolist(), strict=True):
        oracle.add_edge(u, v, weight=w)
    root = graph.names.tolist().index("p0")
    lengths = networkx.single_source_dijkstra_path_length(oracle, root)
    expected = [lengths.get(x, np.inf) for x in range(graph.n)]
    assert rooted.distances == pytest.approx(expected)
    assert np.isinf(dict(zip(graph.names.tolist(), rooted.distances.tolist(), strict=True))["p12"])
    assert tree.w[np.isin(tree.edges, tree.path("p0", "p5"))].sum() == pytest.approx(
        networkx.dijkstra_path_length(oracle, root, graph.names.tolist().index("p5"))
    )
    below = rooted.subtree(places["load"])
    down = networkx.dfs_tree(oracle, root)
    for x in down:
        names = [graph.names[y] for y in {x, *networkx.descendants(down, x)}]
        assert below[x] == sum(places["load"].get(name, 0) for name in names if isinstance(name, str))
    assert below[root] == places["load"][:12].sum()
    outside = np.setdiff1d(np.arange(graph.n), tree.vertices)[0]
    with pytest.raises(GraphError, match="is not in the tree"):
        tree.rooted(graph.name_of(int(outside)))


@pytest.mark.parametrize("weight", [None, "cost"])
def test_tables_of_a_tree_with_a_root_have_the_load(tmp_path, weight):
    """The oracle takes each edge out of the tree, and counts the terminals that lose the root."""
    streets = STREETS.assign(cost=[300, 50], load="heavy", geometry=STREETS.translate(458_000, 5_550_000))
    places = frame_of(np.add(PLACES[:6], (458_000, 5_550_000))).set_axis(list("abcdef"))
    graph = as_graph(streets.set_crs(32633), weight=weight, node=True, attach=places.set_crs(32633))
    assert "load" not in boruvka.steiner_tree(graph).to_pandas()
    tree = boruvka.steiner_tree(graph, list("abcd"), root="e")
    assert tree.root == graph.names.tolist().index("e")
    expected = []
    for k in range(len(tree)):
        pairs = networkx.Graph(np.delete(np.stack([tree.u, tree.v], axis=1), k, axis=0).tolist())
        pairs.add_nodes_from(tree.vertices.tolist())
        expected.append(
            np.setdiff1d(tree.terminals, [*networkx.node_connected_component(pairs, tree.root)]).size
        )
    assert tree.to_pandas()["load"].tolist() == expected
    for ending in "gpkg", "geojson":
        boruvka.write(tree, tmp_path / f"net.{ending}")
        found = geopandas.read_file(tmp_path / f"net.{ending}")
        assert found["load"].tolist() == tree.to_geopandas()["load"].tolist() == expected
        assert (found["load_given"] == "heavy").all()
    prizes = boruvka.prize_collecting_tree(graph, dict.fromkeys("abcd", 10**6), root="e")
    assert prizes.to_pandas()["load"].max() == 4
    lengths = tree.to_geopandas().geometry.length.sum()
    title = tree.plot().get_title().removesuffix(", root in a square")
    assert float(title.split()[1]) == pytest.approx(lengths, rel=1e-3)
    assert (" m, weight " in title) == (weight is not None)
    tree.to_html(tmp_path / "net.html")
    assert f"edges, {title}<" in (tmp_path / "net.html").read_text()


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
def test_of_lines_on_each_other_the_cheapest_counts(order):
    line = shapely.LineString
    lines = [line([(0, 0), (100, 0)]), line([(80, 0), (20, 0)]), line([(100, 0), (200, 0)])]
    streets = geopandas.GeoDataFrame({"cost": [1000, 50, 7]}, geometry=lines).iloc[order]
    forest = minimum_spanning_forest(as_graph(streets, weight="cost", node=True))
    assert forest.weight == pytest.approx(200 + 50 + 200 + 7)


def test_terminals_of_a_frame_that_was_attached_have_its_names():
    """Also those on a street, or at one point with others, where another vertex is as near."""
    street = geopandas.GeoDataFrame(geometry=[shapely.LineString([(0, 0), (100, 0)])])
    for points in [(20, 0), (50, 0), (80, 0)], [(20, 5), (20, 5), (60, 5)]:
        places = frame_of(points).set_axis(["a", "b", "c"])
        graph = as_graph(street, node=True, attach=places)
        found, named = (boruvka.steiner_tree(graph, each) for each in (places, places.index))
        assert found.terminals.tolist() == named.terminals.tolist()
        assert found.edges.tolist() == named.edges.tolist()
    other = frame_of([(99, 1)]).set_axis(["a"])  # not the place that has this name
    terminals = boruvka.steiner_tree(graph, other).terminals
    assert graph.name_of(terminals).tolist() == [(100.0, 0.0)]


def test_lines_without_length_keep_their_weight_and_take_no_links():
    lines = [shapely.LineString(ends) for ends in ([(9, 9), (9, 9)], [(0, 0), (10, 0)], [(5, -5), (5, 5)])]
    streets = geopandas.GeoDataFrame({"cost": [7.0, 5.0, 3.0]}, geometry=lines)
    graph = boruvka.as_graph(streets, weight="cost", node=True)
    assert sorted(graph.w.tolist()) == [1.5, 1.5, 2.5, 2.5, 7.0]
    place = geopandas.GeoSeries([shapely.Point(9, 8)])
    with pytest.raises(GraphError, match=r"row 0 is a line of length 0 with the weight 7\.0"):
        boruvka.as_graph(streets, weight="cost", attach=place)


@pytest.fixture
def heated():
    """Streets in a cross, and a plant and three customers with their heat."""
    lines = [shapely.LineString(x) for x in ([(0, 0), (100, 0)], [(50, 0), (50, 50)])]
    x, kw = {"x": [1, 30, 60, 52], "y": [5, 5, 5, 40]}, [None, 10, 20.5, "7,5"]
    places = pandas.DataFrame({**x, "kW": kw, "kw": 1, "MW": kw}, index=["plant", *"abc"])
    return geopandas.GeoDataFrame(geometry=lines, crs=32632), places


@pytest.mark.filterwarnings("ignore:.*decimal comma")
def test_loads_of_edges(heated, tmp_path, capsys):
    """The oracle removes each edge, and adds what is cut off from the plant."""
    graph = as_graph(heated[0], node=True, attach=heated[1])
    loads = {"a": 10, "b": 20.5, "c": 7.5}
    tree = boruvka.steiner_tree(graph, root="plant", load="kW")
    whole = networkx.Graph(list(zip(tree.u.tolist(), tree.v.tolist(), strict=True)))
    names = graph.name_of(np.arange(graph.n)).tolist()
    expected = []
    for edge in zip(tree.u.tolist(), tree.v.tolist(), strict=True):
        cut = whole.copy()
        cut.remove_edge(*edge)
        at_plant = networkx.node_connected_component(cut, names.index("plant"))
        expected.append(sum(x for name, x in loads.items() if names.index(name) not in at_plant))
    tree.to_geopandas().drop(columns="place_kw").to_file(tmp_path / "net.gpkg")
    heated[0].to_file(tmp_path / "streets.gpkg")
    heated[1].to_csv(tmp_path / "places.csv", index_label="name")
    for found in (
        tree,
        boruvka.steiner_tree(graph, root="plant", load="mw"),  # one column differs by case alone
        boruvka.steiner_tree(graph, root="plant", load=loads),
        boruvka.steiner_tree(graph, root="plant", load=pandas.Series(loads)),
        boruvka.steiner_tree(boruvka.read(tmp_path / "net.gpkg"), root="plant", load="kW"),
    ):
        assert found.to_pandas()["load"].tolist() == expected
    other = boruvka.steiner_tree(graph, ["a", "b"], root="plant", load="kW")
    compared = tree.compare(other).set_index("edge")
    for column, plan in ("load_first", tree), ("load_second", other):
        assert compared[column].dropna().to_dict() == plan.to_pandas().set_index("edge")["load"].to_dict()
    assert "load_first" not in tree.compare(boruvka.steiner_tree(graph))
    boruvka.write(other, tmp_path / "other.csv")
    boruvka.write(tree, tmp_path / "tree.csv")
    files = [str(tmp_path / name) for name in ("tree.csv", "other.csv", "both.csv")]
    assert main(["compare", *files[:2], "-q", "-o", files[2]]) == 0
    both = pandas.read_csv(files[2])
    assert both["load_second"].sum() == other.to_pandas()["load"].sum()
    assert both["load_first"].sum() == sum(expected)
    prizes = boruvka.prize_collecting_tree(graph, "kW", root="plant")
    assert prizes.total == boruvka.prize_collecting_tree(graph, loads, root="plant").total == 38
    how = {"root": "plant", "load": "kW", "excluded": {"place": "c"}}
    with pytest.warns(GraphWarning, match="excluded edges connect these$"):
        found = boruvka.prize_collecting_tree(graph, dict.fromkeys("abc", 100), **how)
    assert (found.left_out.tolist(), found.missed, found.to_pandas()["load"].max()) == (["c"], 100, 30.5)
    with pytest.raises(GraphError, match=r"the vertex 'a' has nan .*; write 0 where there is none"):
        boruvka.prize_collecting_tree(graph, {"a": float("nan")})
    assert tree.to_pandas(columns=["load"]).equals(tree.to_pandas())
    with pytest.raises(OptionError, match=r"is it 'load'\?$"):
        tree.to_html(tmp_path / "net.html", by="Load")
    lacking = heated[1].assign(kW=[None, 10, None, 7])
    attached = as_graph(heated[0], node=True, attach=lacking)
    for root, names in ("plant", "'b'"), (None, "'plant', 'b'"):
        with pytest.warns(GraphWarning, match=rf"^prizes='kW': . of 4 places have .* as 0: \[{names}\]$"):
            boruvka.prize_collecting_tree(attached, "kW", root=root)
    with pytest.warns(GraphWarning, match=r"^load='kW': 1 of 4 places have no value, .* as 0: \['b'\]$"):
        found = boruvka.steiner_tree(heated[0], node=True, attach=lacking, root="plant", load="kW")
    assert found.to_pandas()["load"].max() == 17
    with pytest.warns(GraphWarning, match="3 of 4 places are farther than 4 m"):
        far = as_graph(heated[0], node=True, attach=heated[1], tolerance=4)
    with (
        pytest.warns(GraphWarning, match=r"left out: \['a', 'b', 'c'\]"),
        pytest.raises(GraphError, match="no edge leads to the root 'plant', so that"),
    ):
        boruvka.steiner_tree(far, root="plant")
    with pytest.raises(OptionError, match="load is what comes from root: name the root too"):
        boruvka.steiner_tree(graph, load="kW")
    for wrong, message in (
        ("kWh", "is it 'kW'?"),
        ("KW", "load: there is no column 'KW'; the columns are x, y, kW, kw, MW"),
        ({"a": -1}, "load must be 0 or more, and finite: the vertex 'a' has -1"),
        ({"d": 1}, "has 'd', which is no vertex"),
        ({"a": "much"}, "load must be numbers, got 'much'"),
    ):
        with pytest.raises(boruvka.BoruvkaError, match=re.escape(message)):
            boruvka.steiner_tree(graph, root="plant", load=wrong)
    how = ["steiner", str(tmp_path / "streets.gpkg"), "--node", "--load", "MW"]
    places = ["--attach", str(tmp_path / "places.csv"), "--root", "plant"]
    assert main([*how, *places, "-q", "-o", str(tmp_path / "out.csv")]) == 0
    assert pandas.read_csv(tmp_path / "out.csv")["load"].tolist() == expected
    assert main([*how, "--terminals", "(0, 0)", "--root", "(100, 0)"]) == 2
    assert "--load: there is no column 'MW'; the columns are none, as no places" in capsys.readouterr().err
