"""Pictures and tables of networks along streets: crossings need no values and have no dots."""

import json
from itertools import pairwise

import numpy as np
import pytest

import boruvka
from boruvka import (
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    as_graph,
    minimum_spanning_forest,
    steiner_tree,
)
from boruvka.interop.geopandas import totals_text
from boruvka.trees.plotting.map import _mark
from boruvka.trees.plotting.style import FAINT, PALETTE
from boruvka.trees.selected_edges import SelectedEdges
from tests.trees.plotting.test_page import opened

geopandas = pytest.importorskip("geopandas")
pandas = pytest.importorskip("pandas")
shapely = pytest.importorskip("shapely")
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
colors = pytest.importorskip("matplotlib.colors")

PLACES = {"a": (10, 5), "b": (60, 5), "c": (103, 20), "d": (50, 45)}
FAR = {**PLACES, "far": (9000, 0)}
STREETS = geopandas.GeoDataFrame(
    geometry=[shapely.LineString([(0, 0), (100, 0), (100, 50)]), shapely.LineString([(50, -50), (50, 50)])]
)


def places_of(points, **columns):
    shapes = geopandas.points_from_xy(*np.array(list(points.values()), float).T)
    return geopandas.GeoDataFrame(columns, index=list(points), geometry=shapes)


BUILDINGS = places_of(PLACES, use=["school", "home", None, "home"], heat=[5, 6, 7, 2**60 + 1])


@pytest.fixture
def tree():
    graph = as_graph(STREETS, node=True, attach=BUILDINGS)
    return steiner_tree(graph, BUILDINGS.index)


def offsets(ax):
    """The places of all dots; the first collection has the edges."""
    is_dot = matplotlib.collections.PathCollection
    dots = [x.get_offsets() for x in ax.collections[1:] if isinstance(x, is_dot)]
    return sorted(tuple(map(float, place)) for place in np.concatenate(dots) if np.isfinite(place).all())


def data_of(tree, path, **how):
    tree.to_html(path, **how)
    text = path.read_text(encoding="utf-8")
    return json.loads(text.partition('type="application/json">')[2].partition("</script>")[0])


def test_only_places_have_dots(tree):
    for values in (BUILDINGS["use"], BUILDINGS["heat"], BUILDINGS["use"].to_dict()):
        ax = tree.plot(colors=values)
        rings = [tuple(map(float, x)) for line in ax.lines for x in line.get_xydata()]
        assert sorted(offsets(ax) + rings) == sorted(PLACES.values())
        assert rings == [PLACES["c"]] * int(values["a"] == "school")
    ax = tree.plot(colors=BUILDINGS["use"], graph_edges=True)
    texts = {text.get_text() for legend in ax.figure.legends for text in legend.get_texts()}
    assert {"home (2)", "school (1)", "terminal or root, no value (1)"} <= texts
    named = {tree.graph.names[0]: "home"} | BUILDINGS["use"].to_dict()
    assert len(offsets(tree.plot(colors=named))) == 4 - (0 not in tree.vertices)
    sizes = tree.plot(sizes=BUILDINGS["heat"])
    assert sorted(PLACES.values()) == offsets(sizes)
    texts = {text.get_text() for text in tree.plot(labels={name: f"<{name}>" for name in PLACES}).texts}
    assert texts == {"<a>", "<b>", "<c>", "<d>"}
    assert {text.get_text() for text in tree.plot(labels=True).texts} == set(PLACES)


@pytest.mark.filterwarnings("ignore:colors")  # of the other kind
def test_wrong_names_and_places_without_a_value_are_told(tree):
    """But not crossings, which have no values."""
    with pytest.warns(
        GraphWarning, match="1 of 2 rows are left out: the mapping has 'x', which is no vertex"
    ) as caught:
        tree.plot(colors={"a": 1, "x": 2})
    assert {warning.filename for warning in caught} == {__file__}
    with pytest.warns(GraphWarning, match="2 of .* names have no row, the first is 'c'"):
        tree.plot(colors=BUILDINGS["use"][:2])
    with pytest.raises(GraphError, match="a value for each of the"):
        tree.plot(colors=[1, 2, 3, 4])
    with pytest.raises(GraphError, match="no value for the vertex"):  # where all values are needed
        minimum_spanning_forest(tree.graph).regions(2, BUILDINGS["heat"])


def test_tables_of_vertices(tree):
    nodes = tree.to_nodes(BUILDINGS)
    known = nodes[nodes["heat"].notna()]
    assert known["vertex"].tolist() == list(PLACES)
    assert known["heat"].tolist() == BUILDINGS["heat"].tolist()
    assert len(nodes) == tree.n
    assert nodes.loc[nodes["heat"].isna(), "vertex"].map(type).unique().tolist() == [tuple]


def test_places_with_numbers_for_names():
    numbered = BUILDINGS.reset_index(drop=True)
    tree = steiner_tree(as_graph(STREETS, node=True, attach=numbered), numbered.index)
    assert tree.to_nodes(numbered).set_index("vertex")["use"][1] == "home"
    assert offsets(tree.plot(colors=numbered["heat"])) == sorted(PLACES.values())
    prizes = boruvka.prize_collecting_tree(tree.graph, numbered["heat"])
    assert prizes.prizes[-4:].tolist() == numbered["heat"].tolist()


def test_a_comparison_has_the_weights_of_both(tree, tmp_path):
    other = steiner_tree(tree.graph, ["a", "b"])
    tree.compare(other).set_crs(3857).to_file(tmp_path / "both.gpkg")
    both = boruvka.read(tmp_path / "both.gpkg")
    text = f"weight of the first {tree.weight:.6g}, weight of the second {other.weight:.6g}"
    plans = SelectedEdges(both, np.arange(both.m))
    assert totals_text(plans) == text
    data = data_of(plans, tmp_path / "a.html")
    assert sorted(data["label"][vertex] for vertex in data["marked"]) == list(PLACES)


def test_rings_of_many_places_are_smaller():
    ax = pytest.importorskip("matplotlib.figure").Figure().add_subplot()
    sizes = [_mark(ax, np.zeros((count, 2)))[0].get_markersize() for count in (1, 60, 240, 2_000)]
    assert sizes == [9, 9, 4.5, 3]


def test_a_path_is_no_metadata(tree, tmp_path):
    with pytest.raises(
        GraphTypeError, match=r"^metadata is a path: write metadata=pandas.read_csv\('a.csv'\)"
    ):
        tree.to_html(tmp_path / "a.html", metadata="a.csv")


@pytest.mark.parametrize("count", [3, 30])
def test_categories_keep_their_colors_in_another_plan(tree, tmp_path, count):
    """Whichever rows there are: in the order of their names, and beyond 20 without a color of their own."""
    names, legends = [f"{k:02}" for k in range(count)], []
    kind = pandas.CategoricalDtype(names[::-1])
    for uses in (names[1], names[2], names[1], names[-1]), (names[2], names[2], names[-1], names[2]):
        column = pandas.Series(uses, list(PLACES), kind, name="use")
        figure = tree.plot(colors=column).figure
        (legend,) = (each for each in figure.legends if each.get_title().get_text() == "use")
        dots = zip(legend.get_texts(), legend.legend_handles, strict=True)
        legends.append({text.get_text()[:2]: colors.to_hex(dot.get_facecolor()[0]) for text, dot in dots})
        for how in {"colors": column}, {"colors": "use", "metadata": column.to_frame()}:
            (on_page,) = data_of(tree, tmp_path / "a.html", **how)["columns"]
            assert (on_page["texts"], len({*on_page["totals"]})) == (names, 1)
            assert [names[k] for k in on_page["values"]] == list(uses)
        assert "02 (" in opened(tmp_path / "a.html", tmp_path)
    first, second = legends
    assert [first[name] for name in names[1:3]] == [*PALETTE[1:3]]
    assert second[names[2]] == first[names[2]]
    assert second.get(names[-1]) == first.get(names[-1])


def test_pages_have_dots_at_places(tree, tmp_path):
    data = data_of(tree, tmp_path / "a.html", colors="use", metadata=BUILDINGS)
    page = opened(tmp_path / "a.html", tmp_path)
    assert "home (2)" in page
    assert "no value (1)" in page
    assert data["row_name"] == list(PLACES)
    assert [column["name"] for column in data["columns"]] == ["use", "heat"]
    assert data["columns"][1]["values"] == pytest.approx(BUILDINGS["heat"].tolist())
    assert data["marked"] == sorted(set(data["row_vertex"]))
    assert all(len(line) >= 4 for line in data["lines"])
    assert data_of(tree, tmp_path / "a.html")["row_name"] == list(PLACES)
    alone = minimum_spanning_forest(as_graph(STREETS, node=True))
    assert data_of(alone, tmp_path / "a.html")["row_name"] == []
    assert data_of(tree, tmp_path / "a.html", sizes=BUILDINGS["heat"])["row_name"] == list(PLACES)
    everywhere = data_of(tree, tmp_path / "a.html", sizes=np.ones(tree.n))
    assert len(everywhere["row_name"]) == tree.vertices.size
    assert len(offsets(tree.plot(sizes=np.ones(tree.n)))) == tree.vertices.size


def test_pages_have_the_attributes_of_streets(tmp_path):
    """Columns of lengths have their unit, where it is known."""
    streets = STREETS.assign(name=["long", None], rate=[2, 3])
    for how, known in ({}, "weight"), ({"rate": "rate"}, "length"):
        for crs, unit in (None, ""), (32633, " (m)"):
            tree = minimum_spanning_forest(as_graph(streets.set_crs(crs), node=True, **how))
            found = data_of(tree, tmp_path / "a.html")["edge_columns"]
            columns = {column["name"]: column for column in found}
            frame = tree.to_geopandas()
            assert columns[known + unit]["values"] == frame[known].tolist()
            assert ("weight" in columns) == (known + unit != "weight (m)")
            texts = [None if k is None else columns["name"]["texts"][k] for k in columns["name"]["values"]]
            assert texts == frame["name"].replace({np.nan: None}).tolist()


def test_a_written_network_knows_its_places(tree, tmp_path):
    boruvka.write(tree, tmp_path / "net.gpkg")
    graph = boruvka.read(tmp_path / "net.gpkg", columns=["weight"])
    assert sorted(graph.terminals.tolist()) == list(PLACES)
    again = steiner_tree(graph, graph.terminals)
    assert again.weight == pytest.approx(tree.weight)
    assert data_of(again, tmp_path / "a.html")["row_name"] == graph.terminals.tolist()
    ax = minimum_spanning_forest(graph).plot()
    assert sorted(map(tuple, ax.lines[-1].get_xydata().tolist())) == sorted(PLACES.values())
    frame = geopandas.read_file(tmp_path / "net.gpkg")
    twice = boruvka.as_graph(frame.assign(place=np.where(frame["kind"] == "link", "a", None)))
    assert twice.terminals is None  # no place is named twice
    assert boruvka.as_graph(frame.assign(kind="lane")).terminals is None


def test_a_place_without_a_link_is_not_counted_in_the_box():
    with pytest.warns(boruvka.GraphWarning, match="farther than 50"):
        graph = as_graph(STREETS, node=True, attach=places_of(FAR), tolerance=50)
    for each in steiner_tree(graph, list(PLACES)), minimum_spanning_forest(graph):
        assert each.plot(graph_edges=True).get_xlim()[1] < 200


ISLAND = shapely.LineString([(5000, 5000), (5001, 5000)])
"""A street far away, which no tree reaches."""


def test_pictures_with_an_island_frame_the_tree():
    far = geopandas.GeoDataFrame(geometry=[*STREETS.geometry, ISLAND])
    graph = as_graph(far, node=True, attach=BUILDINGS)
    ax = steiner_tree(graph).plot(graph_edges=True)
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert -10 < left < right < 120
    assert -10 < bottom < top < 60
    alone = steiner_tree(graph, ["a"])
    low, high = alone.plot(graph_edges=True).get_xlim()
    assert low < 10 < high
    grid = boruvka.generators.grid(20, 20, seed=1)
    coordinates = np.append(grid.coordinates[:-1], [[1e4, 1e4]], axis=0)
    ax = steiner_tree(grid.with_coordinates(coordinates), [0, 65]).plot(graph_edges=True)
    assert ax.get_xlim()[1] < 10


def test_pages_have_other_streets_and_what_is_left_out(tmp_path):
    far = geopandas.GeoDataFrame(geometry=[*STREETS.geometry, ISLAND])
    graph = as_graph(far, node=True, attach=BUILDINGS)
    tree = boruvka.prize_collecting_tree(graph, {"a": 500, "b": 500, "c": 500, "d": 9})
    assert tree.left_out.tolist() == ["d"]
    data = data_of(tree, tmp_path / "a.html", colors="use", metadata=BUILDINGS)
    assert data["row_name"] == list(PLACES)
    assert [data["label"][vertex] for vertex in data["crossed"]] == ["d"]
    assert [data["label"][vertex] for vertex in data["marked"]] == ["a", "b", "c"]
    assert len(data["others"]) == graph.m - len(tree) - 1  # without the island
    drawn = sum(np.hypot(*np.diff(np.reshape(line, (-1, 2)), axis=0).T).sum() for line in data["others"])
    of_tree = sum(np.hypot(*np.diff(np.reshape(line, (-1, 2)), axis=0).T).sum() for line in data["lines"])
    assert drawn / of_tree == pytest.approx((graph.w.sum() - 1 - tree.weight) / tree.weight, rel=1e-3)
    page = opened(tmp_path / "a.html", tmp_path, "#color=group")
    assert "; 1 group" in page
    assert "prize not collected (1)" in page
    assert "not in the tree" in page
    assert "no value (1)" in page


def test_metadata_in_the_map_of_the_places(tmp_path):
    from boruvka.cli.main import main

    streets = STREETS.set_crs(3857)
    buildings = BUILDINGS.set_crs(3857).rename_axis("name").reset_index()
    boruvka.write(steiner_tree(streets, node=True, attach=BUILDINGS.set_crs(3857)), tmp_path / "net.gpkg")
    buildings.to_file(tmp_path / "places.geojson")
    files = ["plot", str(tmp_path / "net.gpkg"), "--metadata", str(tmp_path / "places.geojson")]
    assert main([*files, "--colors", "use", "-o", str(tmp_path / "net.html")]) == 0
    data = json.loads(
        (tmp_path / "net.html").read_text().partition('type="application/json">')[2].partition("</script>")[0]
    )
    columns = {column["name"]: column for column in data["columns"]}
    assert sorted(columns) == ["heat", "use"]
    uses = [None if k is None else columns["use"]["texts"][k] for k in columns["use"]["values"]]
    assert dict(zip(data["row_name"], uses, strict=True)) == {
        "a": "school",
        "b": "home",
        "c": None,
        "d": "home",
    }


@pytest.mark.filterwarnings("ignore::boruvka.GraphWarning")
def test_terminals_that_nothing_connects_are_crossed(tmp_path):
    graph = as_graph(STREETS, node=True, attach=places_of(FAR), tolerance=20)
    tree = steiner_tree(graph)
    assert graph.name_of(tree.crossed).tolist() == ["far"]
    data = data_of(tree, tmp_path / "a.html")
    assert [data["label"][vertex] for vertex in data["crossed"]] == ["far"]
    assert [data["label"][vertex] for vertex in data["marked"]] == list(PLACES)
    assert "not connected (1)" in opened(tmp_path / "a.html", tmp_path)
    legends = tree.plot().figure.legends
    assert "not connected (1, 1 outside)" in {
        text.get_text() for legend in legends for text in legend.get_texts()
    }
    assert steiner_tree(graph, ["a"]).crossed.size == 0
    with pytest.warns(GraphWarning, match="left out"):
        rooted = steiner_tree(graph, root="a")
    assert data_of(rooted, tmp_path / "a.html")["crossed"] == data["crossed"]


@pytest.mark.parametrize(("x", "is_outside"), [(130, False), (4000, True)])
@pytest.mark.filterwarnings("ignore::boruvka.GraphWarning")
def test_places_that_are_far_away_do_not_shrink_the_map(x, is_outside, tmp_path):
    near = steiner_tree(as_graph(STREETS, node=True, attach=places_of(PLACES)))
    tree = steiner_tree(
        as_graph(STREETS, node=True, attach=places_of(PLACES | {"far": (x, 9)}), tolerance=20)
    )
    ax, extent = tree.plot(), data_of(tree, tmp_path / "a.html")["extent"]
    assert (ax.get_xlim() == near.plot().get_xlim()) is is_outside
    assert (extent == data_of(near, tmp_path / "b.html")["extent"]) is is_outside
    texts = {text.get_text() for legend in ax.figure.legends for text in legend.get_texts()}
    assert f"not connected (1{', 1 outside' * is_outside})" in texts


def test_a_short_key_is_beneath_a_map_with_a_scale():
    places = places_of({f"p{k}": (51 + k, 10 * k - 45) for k in range(10)} | {"far": (300, 9)})
    with pytest.warns(GraphWarning, match="farther than 20"):
        graph = as_graph(STREETS, node=True, attach=places, tolerance=20)
    with pytest.warns(GraphWarning, match="no path connects"):
        ax = steiner_tree(graph).plot(graph_edges=True)
    ax.figure.draw_without_rendering()
    (_, bar), (legend,) = ax.figure.axes, ax.figure.legends
    assert len(legend.get_texts()) == 2
    assert legend.get_window_extent().y1 <= ax.bbox.y0
    assert ax.bbox.x1 < bar.bbox.x0


def test_trees_without_edges(tree, tmp_path):
    alone = boruvka.prize_collecting_tree(tree.graph, {"a": 0.5, "b": 0.25})
    assert len(alone) == 0
    data = data_of(alone, tmp_path / "a.html")
    assert (data["lines"], len(data["crossed"])) == ([], 1)
    assert "; 1 group" in opened(tmp_path / "a.html", tmp_path)
    whole = minimum_spanning_forest(as_graph(STREETS))
    assert data_of(whole, tmp_path / "a.html")["others"] == []


HEAT = [5, 6, 7, 8]


@pytest.fixture(scope="module")
def loaded():
    buildings = places_of(PLACES | {"d": (53, 45)}, use=list("uuvw"), heat=HEAT)  # no link of length 0
    graph = as_graph(STREETS.assign(kind=["main", "side"]), node=True, attach=buildings)
    return steiner_tree(graph, root="a", load="heat")


def heat_beyond(tree):
    """The heat that each edge carries away from the root, by NetworkX."""
    networkx = pytest.importorskip("networkx")
    graph, found = networkx.Graph(), np.zeros(len(tree))
    graph.add_edges_from((*ends, {"k": k}) for k, ends in enumerate(zip(tree.u, tree.v, strict=True)))
    root, *others = (tree.number_of_name[name] for name in PLACES)
    for vertex, heat in zip(others, HEAT[1:], strict=True):
        for ends in pairwise(networkx.shortest_path(graph, root, vertex)):
            found[graph.edges[ends]["k"]] += heat
    return found


def styles_of(ax, tree):
    """The color and the width of each edge of a tree; lines of one style are a path."""
    edges, shapes = ax.collections[0], tree.to_geopandas().geometry.to_numpy()
    found = {}
    for path, color, width in zip(
        edges.get_paths(), edges.get_edgecolors(), edges.get_linewidths(), strict=True
    ):
        middles = shapely.points(path.vertices.reshape(-1, 2, 2).mean(axis=1))
        for k in shapely.STRtree(shapes).nearest(middles).tolist():
            found[k] = colors.to_hex(color), float(width)
    return [found[k] for k in range(len(tree))]


def test_edges_show_their_load(loaded, tmp_path):
    load = heat_beyond(loaded)
    ax = loaded.plot(by="load")
    widths = np.array([width for _, width in styles_of(ax, loaded)])
    assert widths / widths.max() == pytest.approx((1 + 3 * load / load.max()) / 4)
    texts = [text.get_text() for text in ax.figure.legends[0].get_texts()]
    counts = [
        f"load {x:g}: {c} edge{'' if c == 1 else 's'}"
        for x, c in zip(*np.unique(load, return_counts=True), strict=True)
    ]
    assert texts == counts
    squares = [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "s"]
    assert squares == [[list(PLACES["a"])]]
    assert ax.get_title().endswith(", root in a square")
    data = data_of(loaded, tmp_path / "net.html", by="load")
    assert [data["x"][k] for k in data["root"]] == [data["x"][data["label"].index("a")]]
    of_page = [data["edge_styles"][level][1] for level in data["edge_level"]]
    assert of_page == pytest.approx(1 + 3 * load / load.max())
    assert [text for _, text in data["edge_key"]] == counts
    opened(tmp_path / "net.html", tmp_path)


@pytest.mark.parametrize("by", ["kind_given", "place_heat", "place", "component", "round"])
def test_edges_show_any_column(loaded, by, tmp_path):
    """Edges with equal values have equal styles, other edges have others, and edges without one are grey."""
    ax = loaded.plot(by=by)
    other = {"component": [0] * len(loaded), "round": loaded.edge_rounds.tolist()}
    values = loaded.to_geopandas()[by].tolist() if by not in other else other[by]
    texts = [None if pandas.isna(x) else str(x) for x in values]
    styles = dict(zip(texts, styles_of(ax, loaded), strict=True))
    assert [styles[x] for x in texts] == styles_of(ax, loaded)
    assert len({*styles.values()}) == len(styles) == len({*texts})
    assert (None in texts) == (FAINT in {color for color, _ in styles.values()})
    key = [text for _, text in data_of(loaded, tmp_path / "net.html", by=by)["edge_key"]]
    assert all(text.startswith(by) or text == f"no value ({texts.count(None)})" for text in key)
    assert len(key) == len(styles)


def test_many_loads_have_a_scale():
    """Most edges of a path have a load of their own."""
    path = [(k, k + 1, 1.0) for k in range(100)]
    tree = steiner_tree(path, range(101), root=0)
    bar = tree.plot(by="load", only=range(51)).figure.axes[1]
    ticks = [text.get_text().replace("\n", " ") for text in bar.get_xticklabels()]
    assert ticks == ["51 least", "63 quarter", "75 half", "87 three quarters", "100 greatest"]
    assert bar.texts[0].get_text() == "load (by quantile)"


def test_no_such_column(loaded, tree, tmp_path):
    for by in ("load", "roof", ["kind"]):
        for draw in (tree.plot, lambda by: tree.to_html(tmp_path / "net.html", by=by)):
            with pytest.raises(
                OptionError, match=r"by must be round, .*a column, such as load of a Steiner tree"
            ):
                draw(by=by)
    with pytest.raises(OptionError, match=r"the columns are 'kind_given', .*; is it 'kind'"):
        loaded.plot(by="Kind")
