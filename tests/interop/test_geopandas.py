"""Frames of lines: rows are edges, their ends are vertices, and the forest is rows again."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import (
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    as_graph,
    minimum_spanning_forest,
    verify,
)
from boruvka.interop.geopandas import meetings_hint
from boruvka.interop.lines import lengths_of
from boruvka.trees.plotting.coordinates import place_vertices
from tests.oracles import kruskal

geopandas = pytest.importorskip("geopandas")
pandas = pytest.importorskip("pandas")
shapely = pytest.importorskip("shapely")
networkx = pytest.importorskip("networkx")

LINES = [
    shapely.LineString([(0, 0), (3, 0)]),
    shapely.LineString([(3, 0), (3, 2), (3, 4)]),
    shapely.LineString([(-0.0, 0), (3, 4)]),
    shapely.LineString([(3, 4), (9, 9), (10, 4)]),
]
FRAME = geopandas.GeoDataFrame(
    {"name": list("abcd"), "cost": [4, 1, 2, 9]}, geometry=LINES, index=[7, 8, 9, 10]
)
ON_EARTH = FRAME.set_crs("EPSG:4326")
CROSS = [shapely.LineString([(0, 0), (100, 0)]), shapely.LineString([(50, -50), (50, 50)])]


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
    forest = minimum_spanning_forest(as_graph(ON_EARTH, weight="cost"))
    found = forest.to_geopandas()
    assert isinstance(found, geopandas.GeoDataFrame)
    assert (found["name"].tolist(), found.index.tolist(), found.crs) == (
        list("bcd"),
        [8, 9, 10],
        ON_EARTH.crs,
    )
    assert found.geometry.tolist() == LINES[1:]
    assert forest.to_pandas(["name"])["name"].tolist() == list("bcd")


def test_the_forest_of_points_is_straight_lines():
    forest = minimum_spanning_forest(boruvka.Graph.from_points([[0, 0], [3, 4], [3, 5]]))
    found = forest.to_geopandas()
    assert found.geometry.length.tolist() == found["weight"].tolist() == forest.w.tolist() == [5, 1]
    assert (found["source"].tolist(), found["target"].tolist(), found.crs) == ([0, 1], [1, 2], None)
    places = np.radians([[49.2, 16.6], [50.1, 14.4]])
    (line,) = minimum_spanning_forest(boruvka.Graph.from_points(places, "haversine")).to_geopandas().geometry
    assert np.array(line.coords) == pytest.approx(np.array([[16.6, 49.2], [14.4, 50.1]]))


def test_lengths_are_metres_on_the_earth(tmp_path):
    """Those of a file of the same lines, in any projection."""
    graph = as_graph(ON_EARTH)
    ON_EARTH.to_file(tmp_path / "lines.gpkg")
    assert graph.system == "lonlat"
    assert graph.w.tolist() == boruvka.read(tmp_path / "lines.gpkg").w.tolist()
    assert 333_000 < graph.w[0] < 335_000
    projected = as_graph(ON_EARTH.to_crs("EPSG:3857"))
    assert projected.system == "xy"
    assert projected.w == pytest.approx(graph.w)
    with pytest.raises(GraphError, match="not on the earth, so they have no length"):
        as_graph(FRAME.set_crs('LOCAL_CS["site",UNIT["metre",1]]'))


def test_lines_are_split_where_they_meet():
    cross = geopandas.GeoDataFrame({"name": ["street", "lane"]}, geometry=CROSS)
    assert minimum_spanning_forest(cross).n_components == 2
    forest = minimum_spanning_forest(as_graph(cross, node=True))
    assert (forest.n_components, forest.w.tolist()) == (1, [50.0] * 4)
    assert forest.to_geopandas()["name"].tolist() == ["street", "street", "lane", "lane"]
    assert as_graph(cross.assign(k=[3, 8]), node=True, weight="k").w.tolist() == [1.5, 1.5, 4, 4]


@given(st.lists(st.tuples(*[st.integers(0, 8)] * 4).filter(lambda x: x[:2] != x[2:]), min_size=1, max_size=9))
def test_pieces_connect_what_touches(ends):
    """The oracle compares all pairs of lines: those that share a point are in one component."""
    lines = np.array([shapely.LineString([e[:2], e[2:]]) for e in ends], object)
    frame = geopandas.GeoDataFrame({"row": range(len(lines))}, geometry=lines)
    graph = as_graph(frame, node=True)
    touching = networkx.Graph(np.argwhere(shapely.intersects(lines[:, None], lines)).tolist())
    assert minimum_spanning_forest(graph).n_components == networkx.number_connected_components(touching)
    pieces = graph.annotations.table.frame
    assert pieces.geometry.length.sum() == pytest.approx(shapely.union_all(lines).length)
    assert (shapely.distance(pieces.geometry.to_numpy(), lines[pieces["row"]]) < 1e-9).all()


@pytest.mark.parametrize(
    ("columns", "joined"),
    [
        ({"bridge": ["yes", None]}, False),
        ({"Bridge": ["viaduct", "no"]}, False),
        ({"BRIDGE": ["T", "F"], "layer": [1, 0]}, False),
        ({"tunnel": [True, False]}, False),
        ({"Puente": ["sí", None]}, False),
        ({"TÚNEL": ["VERDADERO", "FALSO"]}, False),
        ({"brücke": ["wahr", "falsch"]}, False),
        ({"pont": ["faux", "non"]}, True),
        ({"layer": ["-1", None]}, False),
        ({"layer": [1.0, np.nan]}, False),
        ({"bridge": ["yes", "yes"], "layer": ["1", 2]}, False),
        ({"bridge": [["yes", "no"], np.nan]}, False),  # as of OSMnx
        ({"bridge": ["yes", "viaduct"], "layer": [1, 1.0]}, True),
        ({"bridge": ["no", None], "tunnel": ["", np.nan], "layer": ["0", None]}, True),
        ({"layer": ["streets", "lanes"]}, True),  # of a drawing
    ],
)
def test_lines_on_different_levels_do_not_cross(columns, joined):
    graph = as_graph(geopandas.GeoDataFrame(columns, geometry=CROSS), node=True)
    assert (minimum_spanning_forest(graph).n_components, graph.m) == ((1, 4) if joined else (2, 2))
    assert not meetings_hint(graph)  # no hint says that they are to be split


@pytest.mark.parametrize(
    ("rate", "message"),
    [({"asphalt": 1}, r"or streets\[COLUMN\].map\(values\)"), ("kind", "a number for each of its values$")],
)
def test_prices_of_values_become_a_column(rate, message):
    frame = geopandas.GeoDataFrame({"kind": ["asphalt", "stone"]}, geometry=CROSS)
    with pytest.raises(GraphTypeError, match=message):
        as_graph(frame, rate=rate)
    cost = frame.assign(cost=frame["kind"].map({"asphalt": 2, "stone": 3}))
    assert as_graph(cost, rate="cost").w.tolist() == [2 * CROSS[0].length, 3 * CROSS[1].length]


def test_a_value_of_bridge_that_is_not_known_warns():
    frame = geopandas.GeoDataFrame({"ponte": ["forse", None]}, geometry=CROSS)
    with pytest.warns(
        GraphWarning, match="'forse' in the column 'ponte' is taken for a bridge: write yes or"
    ):
        assert as_graph(frame, node=True).m == 2


@pytest.mark.parametrize(("crs", "node"), [(None, True), (2154, True), (2154, 0.001), (4326, True)])
@pytest.mark.parametrize("seed", range(1, 4))
def test_ends_join_lines_of_different_levels(seed, crs, node):
    """The oracle compares all pairs of lines, and joins lines of different levels at an end of one."""
    rng = np.random.default_rng(seed)
    ends = rng.uniform(0, 60, (14, 2))[rng.permuted(np.tile(np.arange(14), (9, 1)), axis=1)[:, :2]]
    lines = shapely.linestrings(ends)
    ends[5:, 0] = shapely.get_coordinates(shapely.line_interpolate_point(lines[:4], 0.3, normalized=True))
    lines = shapely.linestrings(ends)
    level = rng.integers(0, 3, len(lines))
    is_joined = shapely.intersects(lines[:, None], lines) & (level[:, None] == level)
    at_end = shapely.distance(shapely.points(ends)[:, :, None], lines).min(axis=1) < 1e-9
    oracle = networkx.Graph(np.argwhere(is_joined | at_end | at_end.T).tolist())
    frame = geopandas.GeoDataFrame({"layer": level}, geometry=lines, crs=crs)
    graph = as_graph(frame, node=node)
    assert minimum_spanning_forest(graph).n_components == networkx.number_connected_components(oracle)
    length = sum(shapely.union_all(lines[level == each]).length for each in range(3))
    assert shapely.length(graph.annotations.table.frame.geometry).sum() == pytest.approx(length)
    same = [as_graph(x, node=True) for x in (frame.assign(layer=1), frame.drop(columns="layer"))]
    assert same[0].w.tolist() == same[1].w.tolist()


@pytest.mark.parametrize("name", ["length", "Length"])
def test_pieces_of_lines_have_their_own_length(name, tmp_path):
    """A column of lengths, as in maps of OSMnx, is about whole lines."""
    frame = geopandas.GeoDataFrame({name: [100.0, 90.0]}, geometry=CROSS)
    places = pandas.DataFrame({"x": [20.0, 80.0], "y": [5.0, 5.0]}, index=["a", "b"])
    parts = frame.dissolve().assign(**{name: 190.0})
    parts.set_crs(2154).to_file(tmp_path / "parts.gpkg")
    for graph in (
        as_graph(frame, node=True),
        as_graph(frame, node=True, weight=name),
        as_graph(frame, attach=places),
        as_graph(parts),
        as_graph(frame, node=True, attach=places, weight=name),
        as_graph(frame),
        boruvka.read(tmp_path / "parts.gpkg"),
        boruvka.read(tmp_path / "parts.gpkg", unweighted=True),
    ):
        table = graph.annotations.table.frame
        assert table["length"].tolist() == lengths_of(np.array(table.geometry.array), table.crs).tolist()
        assert {*table["length_given"]} <= {100, 90, 190}


@pytest.mark.parametrize(("crs", "unit"), [(2154, 1), (4326, 1e-5), (None, 1)])
def test_lines_that_touch_up_to_rounding_are_joined(crs, unit):
    """Few points of slanted lines are numbers of float64; a millimetre is a gap."""
    rng = np.random.default_rng(3)
    starts = rng.uniform(0, 100, (40, 2)) + np.arange(40)[:, None] * 1000 + [700_000, 6_400_000]
    mains = shapely.linestrings(np.stack([starts, starts + rng.uniform(50, 99, (40, 2))], axis=1) * unit)
    feet = shapely.get_coordinates(shapely.line_interpolate_point(mains, 0.4, normalized=True))
    assert (shapely.distance(mains, shapely.points(feet)) > 0).sum() > 20
    feet[30:, 1] -= 0.001 * unit
    ends = feet + np.array([30, -40]) * unit
    ring = ends[0] - np.array([(7.3, 60.1), (21.7, 99.9), (50.3, 70.7), (21.7, 99.9)]) * unit
    ring[3] = ring[0] + (ring[1] - ring[0]) / 3  # ends on itself
    lines = [*mains, *shapely.linestrings(np.stack([feet, ends], axis=1)), shapely.LineString(ring)]
    with pytest.warns(GraphWarning, match=r"^10 ends of lines are at most 0.0\d+( m)? from another line"):
        graph = as_graph(geopandas.GeoDataFrame(geometry=lines, crs=crs), node=True)
    assert (minimum_spanning_forest(graph).n_components, graph.m) == (81 - 30, 81 + 30 + 1)
    assert {*graph.name_of(slice(None))} <= {*map(tuple, shapely.get_coordinates(lines))}  # names stay


def test_segments_as_short_as_rounding_keep_their_cost():
    lines = [[(0, 90), (5, 90)], [(5, 90), (5 + 1e-7, 90)], [(5 + 1e-7, 90), (900, 3)]]
    frame = geopandas.GeoDataFrame({"cost": [1, 7, 2]}, geometry=[*map(shapely.LineString, lines)], crs=2154)
    graph = as_graph(frame, node=True, weight="cost")
    assert (graph.n, graph.w.tolist()) == (4, [1, 7, 2])


@pytest.mark.parametrize(
    ("lines", "pairs"),
    [
        (CROSS, 1),
        ([*CROSS, shapely.LineString([(0, 0), (50, -50)])], 0),  # a bridge, perhaps, in one component
        ([CROSS[0], shapely.LineString([(50, 0), (50, 50)])], 1),
        ([CROSS[0], shapely.LineString([(50, 0), (50, 50)]), shapely.LineString([(50, 0), (60, 9)])], 2),
        ([shapely.LineString([(0, 0), (1, 0), (1, 1), (0, 0)])], 0),
        (LINES, 0),
    ],
)
def test_lines_that_are_not_joined_where_they_meet(lines, pairs):
    graph = as_graph(geopandas.GeoDataFrame(geometry=lines))
    assert (meetings_hint(graph) or "0").split()[0] == str(pairs)
    assert not meetings_hint(boruvka.Graph(2, [0], [1], [1]))


def test_what_is_no_line():
    wrong = FRAME.copy()
    wrong.geometry = [LINES[0], shapely.Point(1, 1), None, shapely.MultiLineString(LINES[:2])]
    with pytest.raises(
        GraphError, match=r"2 of 4 rows have no line, such as row 1 \(POINT \(1 1\)\), row 2 \(None\): leave"
    ):
        as_graph(wrong)
    with pytest.raises(GraphError, match="1 of 2 rows have no line, such as row 0 "):
        as_graph(wrong.iloc[2:])
    with pytest.raises(GraphError, match="line 1 has a coordinate that is not finite"):
        as_graph(geopandas.GeoDataFrame(geometry=[LINES[0], shapely.LineString([(0, 0), (np.inf, 1)])]))
    with pytest.raises(OptionError, match="there is no column 'km'; the columns are 'name', 'cost', 'geom"):
        as_graph(FRAME, weight="km")
    with pytest.raises(GraphTypeError, match="no column of geometries"):
        as_graph(geopandas.GeoDataFrame({"a": [1]}))
    with pytest.raises(GraphTypeError, match=r"no coordinates, .*graph\.with_coordinates gives them"):
        minimum_spanning_forest(([0], [1], [np.float64(2)])).to_geopandas()
    with pytest.raises(GraphError, match=r"row 0 \(LINESTRING EMPTY\)"):
        as_graph(geopandas.GeoDataFrame(geometry=[shapely.LineString()]))


@pytest.mark.parametrize("rates", [[3, 5], [5, 3]])
def test_both_directions_of_a_curve_are_one_piece(rates):
    curve = shapely.LineString([(0, 0), (3, 4), (9, 4)])
    frame = geopandas.GeoDataFrame({"rate": rates}, geometry=[curve, curve.reverse()])
    graph = as_graph(frame, rate="rate", node=True)
    assert (graph.n, graph.w.tolist()) == (2, [3 * 11])


@pytest.mark.filterwarnings("ignore:invalid value encountered in linestrings")
@pytest.mark.parametrize("node", [False, True])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_coordinates_that_are_not_finite(node, wrong):
    for k in range(3):
        places = [(0.0, 0.0), (0.5, 1.0), (1.0, 1.0)]
        places[k] = (wrong, places[k][1])
        frame = geopandas.GeoDataFrame(geometry=[LINES[0], shapely.LineString(places)])
        with pytest.raises(GraphError, match="line 1 has a coordinate that is not finite"):
            as_graph(frame, node=node)


def test_heights_do_not_matter():
    heights = [shapely.LineString([(0, 0, 1), (2, 2, np.nan)]), shapely.LineString([(0, 2, 5), (2, 0, 7)])]
    flat = geopandas.GeoDataFrame(geometry=shapely.force_2d(heights))
    for node in False, True:
        found, known = (
            as_graph(frame, node=node) for frame in (geopandas.GeoDataFrame(geometry=heights), flat)
        )
        assert found.names.tolist() == known.names.tolist()
        assert found.w.tolist() == known.w.tolist()


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ((1, 95), "latitude 95, beyond 90"),
        ((1, -90.5), "latitude -90.5, beyond 90"),
        ((361, 1), "longitude 361,"),
    ],
)
def test_places_that_are_not_on_the_earth(end, message):
    lines = [shapely.LineString([(0, 0), (1, 1)]), shapely.LineString([(0, 0), end])]
    frame = geopandas.GeoDataFrame({"cost": [1, 2]}, geometry=lines, crs=4326)
    for node in False, True:
        with pytest.raises(GraphError, match=f"line [1-3] has the {message}"):
            as_graph(frame, node=node)
    assert as_graph(frame, weight="cost").w.tolist() == [1, 2]
    assert as_graph(frame.set_crs(None, allow_override=True)).m == 2


def test_coordinates_that_are_too_large():
    lines = [shapely.LineString(ends) for ends in ([(0, 0), (1e300, 1e300)], [(0, 1e300), (1e300, 0)])]
    frame = geopandas.GeoDataFrame(geometry=lines)
    with pytest.raises(GraphError, match="line 0 is longer than float64 holds"):
        as_graph(frame)
    with pytest.raises(GraphError, match="cannot be split: coordinates are as large as"):
        as_graph(frame, node=True)


def test_each_part_of_several_lines_is_an_edge(tmp_path):
    """As in a file of the same lines; heights do not matter."""
    lines = [
        shapely.LineString([(0, 0, 5), (0, 1, 9)]),
        shapely.MultiLineString([[(0, 1, 1), (1, 1, 2)], [(1, 1), (3, 2)]]),
    ]
    frame = geopandas.GeoDataFrame({"cost": [4, 7]}, geometry=lines, index=["a", "b"], crs=4326)
    graph = as_graph(frame)
    frame.to_file(tmp_path / "a.gpkg")
    from_file = boruvka.read(tmp_path / "a.gpkg")
    assert graph.names.tolist() == from_file.names.tolist() == [(0, 0), (0, 1), (1, 1), (3, 2)]
    assert graph.w.tolist() == from_file.w.tolist()
    weighted = minimum_spanning_forest(as_graph(frame, weight="cost"))
    lengths = graph.w[1:]
    shares = pytest.approx([4, *(7 * lengths / lengths.sum())])
    assert weighted.w.tolist() == shares
    assert boruvka.read(tmp_path / "a.gpkg", columns=["cost"]).w.tolist() == shares
    assert weighted.to_pandas().index.tolist() == ["a", "b", "b"]
    assert weighted.to_geopandas().geometry.geom_type.tolist() == ["LineString"] * 3


@pytest.mark.parametrize("node", [False, True])
def test_parts_share_the_cost_of_a_row(node, tmp_path):
    """The parts of a row cost as much as the row; the oracle has a row for each part, with its share."""
    several = shapely.MultiLineString([[(0, 0), (100, 0)], [(100, 0), (400, 0)]])
    point = shapely.MultiLineString([[(7, 7), (7, 7)], [(8, 8), (8, 8)]])  # of length 0
    alone = shapely.MultiLineString([[(50, -10), (50, 10)]])
    frame = geopandas.GeoDataFrame({"cost": [1000, 5, 8]}, geometry=[several, alone, point], index=[7, 7, 9])
    parts = frame.explode()
    parts["cost"] = [250.0, 750, 5, 4, 4]
    found = as_graph(frame, weight="cost", node=node)
    assert found.w == pytest.approx(as_graph(parts, weight="cost", node=node).w)
    assert node or found.w.sum() == 1013
    assert node or as_graph(frame[1:2], weight="cost").dtype == np.int64
    local = as_graph(frame[:2].set_crs(25833), weight="cost", node=False)
    assert local.w.tolist() == [250, 750, 5]  # shares on the map, with any reference system
    frame.iloc[:2].set_crs(25833).to_file(tmp_path / "a.gpkg")
    assert boruvka.read(tmp_path / "a.gpkg", columns=["cost"], node=node).w.sum() == pytest.approx(1005)


@pytest.mark.parametrize("node", [False, True])
def test_weights_that_are_no_numbers(node, tmp_path):
    frame = geopandas.GeoDataFrame({"cost": [1, np.nan], "name": ["a", "b"]}, geometry=LINES[:2], crs=4326)
    several = geopandas.GeoDataFrame(geometry=[shapely.MultiLineString(LINES[:2]), LINES[2]], crs=4326)
    with pytest.raises(
        GraphError, match=r"row 1 has no number in the column 'cost': .*missing='drop' leaves"
    ):
        as_graph(frame, weight="cost", node=node)
    with pytest.raises(GraphError, match="row 1 has no number in the column 'cost'"):
        as_graph(several.assign(cost=[2, np.nan]), weight="cost", node=node)
    with pytest.raises(GraphTypeError, match="numbers: the column 'name' has 'a' in row 0"):
        as_graph(frame, weight="name", node=node)
    with pytest.raises(GraphTypeError, match="numbers: the column 'name' has 'x' in row 1"):
        as_graph(several.assign(name=[2, "x"]), weight="name", node=node)
    frame.to_file(tmp_path / "a.gpkg")
    with pytest.raises(boruvka.FormatError, match=r"a\.gpkg: row 1 has no number in the column 'cost'"):
        boruvka.read(tmp_path / "a.gpkg", columns=["cost"], node=node)


@pytest.mark.parametrize("node", [False, True])
def test_rows_without_a_weight(node, tmp_path):
    """The oracle is a frame without these rows, or with the default in them."""
    cost = [1, np.nan, 3, 4]
    several = shapely.MultiLineString([[(0, 20), (10, 20)], [(10, 20), (40, 20)]])
    frame = geopandas.GeoDataFrame({"cost": cost}, geometry=[LINES[0], several, *LINES[1:3]], crs=4326)
    frame.to_file(tmp_path / "a.gpkg")
    expected = as_graph(frame.dropna(), weight="cost", node=node)
    for read in partial(as_graph, frame), partial(boruvka.read, tmp_path / "a.gpkg"):
        with pytest.warns(GraphWarning, match="1 of 4 rows are left out: 1 row has no weight"):
            graph = read(weight="cost", node=node, missing="drop")
        assert graph.w.tolist() == expected.w.tolist()
        assert graph.names.tolist() == expected.names.tolist()
        filled = as_graph(frame.fillna(2.5), weight="cost", node=node)
        assert read(weight="cost", node=node, default=2.5).w.tolist() == filled.w.tolist()
    assert np.isnan(frame["cost"][1])
    with pytest.raises(OptionError, match="missing must be one of error, drop"):
        as_graph(frame, weight="cost", missing="zero")


@pytest.mark.filterwarnings("ignore:.*where no end is common")
def test_rates_are_weights_per_metre(tmp_path):
    """The oracle multiplies them by lengths first; a piece that streets share has the lowest rate."""
    lines = [*CROSS, shapely.LineString([(20, 0), (80, 0)]), shapely.MultiLineString(LINES[:2])]
    streets = geopandas.GeoDataFrame({"rate": [3, 5, 2, 0], "length": list("abcd")}, geometry=lines)
    streets = streets.set_geometry(streets.translate(458_000, 5_550_000), crs=32633)
    places = streets.geometry.centroid.translate(3, 4)[:2]
    streets.to_file(tmp_path / "a.gpkg")
    lengths = as_graph(streets).w
    cost = np.append(streets["rate"][:3] * lengths[:3], 0)
    for how in {}, {"node": True}, {"attach": places}, {"node": True, "attach": places}:
        expected = as_graph(streets.assign(cost=cost), weight="cost", **how)
        for graph in (
            as_graph(streets, rate="rate", **how),
            boruvka.read(tmp_path / "a.gpkg", rate="rate", **how),
        ):
            assert graph.w == pytest.approx(expected.w)
            found = minimum_spanning_forest(graph).to_geopandas()
            assert found["weight"].tolist() == pytest.approx((found["rate"] * found["length"]).tolist())
            assert {*found["length_given"]} <= set("abcd")
            boruvka.write(minimum_spanning_forest(graph), tmp_path / "net.gpkg")
            assert boruvka.read(tmp_path / "net.gpkg").w == pytest.approx(found["weight"].to_numpy())
    for options in {}, {"rate": "rate"}, {"weight": "cost"}:
        streets = streets.assign(cost=cost)
        streets.to_file(tmp_path / "a.gpkg")
        usual = as_graph(streets, attach=places, node=True, **options)
        for graph in (
            as_graph(streets, attach=places, node=True, link_rate=7, **options),
            boruvka.read(tmp_path / "a.gpkg", attach=places, node=True, link_rate=7, **options),
        ):
            found = graph.annotations.table.frame
            expected = np.where(found["kind"] == "link", 7 * found["length"], usual.w)
            assert graph.w == pytest.approx(expected)
    with pytest.warns(GraphWarning, match="1 row has no weight"):
        assert as_graph(streets.assign(rate=[1, 2, 3, None]), rate="rate", missing="drop").m == 3


@pytest.mark.parametrize(
    ("rates", "options", "error", "message"),
    [
        ([1, -2], {}, GraphError, r"row 1 has the rate -2 \('rate'\): it must be 0 or more, and finite"),
        ([1, None], {}, GraphError, "row 1 has no number in the column 'rate'"),
        ([1, np.inf], {}, GraphError, "row 1 has the rate inf"),
        ([1, None], {"default": -1}, GraphError, r"row 1 has the rate -1\.0"),
        (["1 €", 1], {}, GraphTypeError, "has '1 €' in row 0"),
        (
            [1, 2],
            {"weight": "rate"},
            OptionError,
            "rate='rate' replaces a column of weights: leave out 'rate'",
        ),
    ],
)
def test_rates_that_are_wrong(rates, options, error, message):
    with pytest.raises(error, match=message):
        as_graph(geopandas.GeoDataFrame({"rate": rates}, geometry=CROSS), rate="rate", **options)


def test_weights_with_decimal_commas(tmp_path):
    frame = geopandas.GeoDataFrame({"cost": ["1,5", "-", "1.234,25"]}, geometry=LINES[:3], crs=4326)
    frame.to_file(tmp_path / "a.gpkg")
    for read in partial(as_graph, frame), partial(boruvka.read, tmp_path / "a.gpkg"):
        with pytest.warns(GraphWarning, match="cost: numbers have a decimal comma: 1,5 is read as 1.5"):
            assert read(weight="cost", default=0).w.tolist() == [1.5, 0, 1234.25]
    with pytest.raises(GraphError, match=r"cost: '1,234' may be 1234 or 1\.234"):
        as_graph(frame.assign(cost="1,234"), weight="cost")


def test_weights_with_blanks_between_thousands():
    cost = ["1 234,50", "12\u00a0345\u202f678", "5,25"]
    frame = geopandas.GeoDataFrame({"cost": cost}, geometry=LINES[:3], crs=4326)
    with pytest.warns(GraphWarning, match=r"decimal comma: 1234,50 is read as 1234\.50"):
        assert as_graph(frame, weight="cost").w.tolist() == [1234.5, 12345678, 5.25]


@pytest.mark.parametrize("wrong", ["442,71", "442,71 €"])
def test_weights_that_are_texts(wrong):
    frame = geopandas.GeoDataFrame({"cost": ["612.33", wrong, "1"]}, geometry=LINES[:3], crs=4326)
    with pytest.raises(GraphTypeError, match=f"has '{wrong}' in row 1; write all numbers with"):
        as_graph(frame, weight="cost")


@pytest.mark.parametrize("name", ["weight", "rate"])
@pytest.mark.parametrize("kind", [list, np.array, pandas.Series, dict.fromkeys])
def test_weights_that_are_values_instead_of_a_column(name, kind):
    with pytest.raises(
        GraphTypeError, match=rf"{name} is the name of a column, .*\.assign\(cost=values\), {name}='cost'"
    ):
        as_graph(FRAME, **{name: kind(range(len(FRAME)))})


def test_layers_are_called_as_their_files(tmp_path):
    import pyogrio

    forest = minimum_spanning_forest(FRAME)
    for name in "plan.gpkg", "plan.geojson":
        boruvka.write(forest, tmp_path / name)
        assert pyogrio.list_layers(tmp_path / name)[:, 0].tolist() == ["plan"]
    again = tmp_path / "again"
    again.mkdir()
    boruvka.write(forest, again / "plan.geojson")
    assert (again / "plan.geojson").read_bytes() == (tmp_path / "plan.geojson").read_bytes()


def test_both_ways_out_have_the_same_columns(tmp_path):
    """Weights of pieces add up to the weight of the tree; columns of the user with such names are kept."""
    names = {"weight": [2, 8, 4], "edge": list("xyz"), "weight_given": [1, 2, 3]}
    streets = [*CROSS, shapely.LineString([(50, 50), (100, 50)])]
    frame = geopandas.GeoDataFrame(names, geometry=streets, crs=25833).rename_geometry("shape")
    forest = minimum_spanning_forest(as_graph(frame, weight="weight", node=True))
    found = forest.to_geopandas()
    assert found.columns.tolist() == ["weight_given", "edge_given", "length", "edge", "weight", "shape"]
    assert found["weight"].sum() == pytest.approx(forest.weight)
    assert found["weight_given"].tolist() == [names["weight"][row] for row in found.index]
    assert found["edge_given"].tolist() == [names["edge"][row] for row in found.index]
    assert found["edge"].tolist() == forest.edges.tolist()
    boruvka.write(forest, tmp_path / "a.gpkg")
    written = geopandas.read_file(tmp_path / "a.gpkg")
    assert written.columns.tolist() == [*found.columns[:-1], "geometry"]
    for name in found.columns[:-1]:
        assert written[name].tolist() == found[name].tolist()
    again = minimum_spanning_forest(boruvka.read(tmp_path / "a.gpkg", columns=["weight"]))
    assert {*again.to_geopandas().columns} == {*found.columns[:-1], "geometry"}
    capital = minimum_spanning_forest(as_graph(frame.rename(columns={"weight": "Weight"})))
    boruvka.write(capital, tmp_path / "a.gpkg")  # where names of columns differ by more than case
    assert geopandas.read_file(tmp_path / "a.gpkg")["weight_given"].tolist() == [2, 8, 4]
