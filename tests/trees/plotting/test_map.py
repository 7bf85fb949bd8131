"""Maps are checked by what their collections hold, and by their pixels."""

import io
import itertools
import json
import re
import sys

import numpy as np
import pandas
import pytest
from matplotlib import colormaps
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.path import Path
from matplotlib.quiver import Quiver

import boruvka
from boruvka import Graph, minimum_spanning_forest
from boruvka.errors import GraphError, GraphWarning, MissingExtraError, OptionError
from boruvka.trees.plotting.coordinates import place_vertices
from boruvka.trees.plotting.style import FAINT, INK, shades
from tests.marks import long_but

POINTS = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [0, 5], [1, 5]], float)

FOREST = minimum_spanning_forest(([0, 1, 2, 3], [1, 2, 3, 4], [1.5, 2, 3, 1e6]))


@pytest.fixture
def forest():
    """A path whose middle edge is added in round 2, one more edge, and one that is not in the forest."""
    graph = ([0, 1, 2, 4, 0], [1, 2, 3, 5, 3], [1, 9, 2, 5, 10])
    return boruvka.minimum_spanning_forest(graph, backend="interpreted")


def lines_of(collection):
    """Return the lines of a collection, by the color of their path."""
    lines = {}
    for path, color in zip(collection.get_paths(), collection.get_edgecolors(), strict=True):
        starts = np.flatnonzero(path.codes == Path.MOVETO)
        ends = np.append(starts[1:], len(path.codes)) - 1
        found = np.hstack([path.vertices[starts], path.vertices[ends]]).tolist()
        lines.setdefault(tuple(np.round(color, 6).tolist()), []).extend(map(tuple, found))
    return {color: sorted(ends) for color, ends in lines.items()}


def rounded(color):
    return tuple(np.round(to_rgba(color), 6).tolist())


def label_vertices(legend):
    return [text.get_text() for text in legend.get_texts()]


def test_edges_by_round(forest):
    axes = forest.plot(POINTS, by="round")
    (edges,) = axes.collections
    first, second = map(rounded, shades(2))
    assert lines_of(edges) == {
        first: [(0, 0, 1, 0), (0, 5, 1, 5), (2, 0, 3, 0)],
        second: [(1, 0, 2, 0)],
    }
    assert edges.get_linewidths()[1] > edges.get_linewidths()[0]
    assert label_vertices(axes.figure.legends[0]) == ["round 1: 3 edges", "round 2: 1 edge"]
    assert axes.get_aspect() == 1
    assert not axes.axison


def test_edges_by_component(forest):
    axes = forest.plot(POINTS, by="component")
    lines = lines_of(axes.collections[0])
    assert sorted(lines.values()) == [[(0, 0, 1, 0), (1, 0, 2, 0), (2, 0, 3, 0)], [(0, 5, 1, 5)]]
    assert label_vertices(axes.figure.legends[0]) == ["4 vertices", "2 vertices"]


def test_edges_by_weight(forest):
    axes = forest.plot(POINTS, by="weight")
    lines = lines_of(axes.collections[0])
    order = sorted(lines, key=lambda color: sum(color[:3]), reverse=True)  # light edges have light colors
    assert [lines[color][0][:2] for color in order] == [(0, 0), (2, 0), (0, 5), (1, 0)]
    entries = ["weight 1: 1 edge", "weight 2: 1 edge", "weight 5: 1 edge", "weight 9: 1 edge"]
    assert label_vertices(axes.figure.legends[0]) == entries
    keys = [rounded(line.get_color()) for line in axes.figure.legends[0].get_lines()]
    assert keys == order


@pytest.mark.parametrize("count", [3, 12])
def test_legends_have_the_name_of_the_weights(count):
    frame = pandas.DataFrame({"u": range(count), "v": range(1, count + 1), "support": np.arange(count) / 20})
    figure = minimum_spanning_forest(boruvka.as_graph(frame, weight="support")).plot().figure
    if count == 12:
        assert figure.axes[1].texts[0].get_text() == "support (by quantile)"
    else:
        assert label_vertices(figure.legends[0])[1] == "support 0.05: 1 edge"


@pytest.mark.parametrize("kind", ["small", "large", "part"])
def test_arrows_of_an_arborescence(kind):
    """Heads point from the first to the second end of each arc, on a line or a curve; forests have none."""
    n, rng = 100, np.random.default_rng(1)
    coordinates = rng.uniform(size=(n, 2))
    arcs = rng.integers(0, n, (2, 900))
    arcs = np.where(arcs[0] == arcs[1], [[0], [1]], arcs)
    tree = boruvka.minimum_spanning_arborescence((*arcs, rng.uniform(size=900)))
    how = {"only": np.arange(n) < 50} if kind == "part" else {}
    if kind == "small":
        tree, coordinates = (
            boruvka.minimum_spanning_arborescence(([2, 0, 1, 0], [0, 1, 2, 2], [1, 1, 9, 1])),
            POINTS[:3],
        )
        how = {"graph_edges": True}
    *others, arrows = tree.plot(coordinates, **how).findobj(Quiver)
    assert [len(each.XY) for each in others] == ([2] if kind == "small" else [])
    drawn = np.flatnonzero((tree.u < 50) & (tree.v < 50)) if kind == "part" else np.arange(len(tree))
    start, end = coordinates[tree.u[drawn]], coordinates[tree.v[drawn]]
    step = end - start
    tolerance = 0.3 if kind == "small" else 1e-9
    np.testing.assert_allclose(arrows.XY, start + 0.7 * step, atol=tolerance)
    unit = step / np.linalg.norm(step, axis=1, keepdims=True)
    np.testing.assert_allclose(np.column_stack([arrows.U, arrows.V]), unit, atol=2 * tolerance)
    assert not FOREST.plot().findobj(Quiver)


def test_many_weights_have_a_scale():
    weights = np.arange(1, 10).repeat(2)
    path = minimum_spanning_forest((np.arange(18), np.arange(1, 19), weights))
    bar = path.plot().figure.axes[1]
    bar.figure.draw_without_rendering()
    texts = [label.get_text() for label in bar.get_xticklabels()]  # a path is flat
    assert texts == ["1\nleast", "3\nquarter", "5\nhalf", "7\nthree quarters", "9\ngreatest"]
    boxes = [label.get_window_extent() for label in bar.get_xticklabels()]
    assert not any(
        a.overlaps(b) for a, b in itertools.combinations([*boxes, bar.texts[0].get_window_extent()], 2)
    )
    assert len(minimum_spanning_forest(([0, 1], [1, 2], [1, 1 + 1e-9])).plot().figure.axes) == 2


@pytest.mark.filterwarnings("ignore:.*is at most 24")
@pytest.mark.parametrize(
    ("metric", "unit"), [("haversine", "degrees"), ("great_circle", "km"), ("euclidean", "")]
)
def test_units_of_weights_are_in_keys(metric, unit):
    x = np.random.default_rng(0).random((12, 2))
    many, few = (minimum_spanning_forest(Graph.from_points(x[:n], metric)) for n in (12, 3))
    bar = many.plot().figure.axes[1]
    bar.figure.draw_without_rendering()
    title = bar.texts[0].get_window_extent()
    assert title.x1 < bar.figure.bbox.x1
    assert title.y0 > bar.get_yticklabels()[-1].get_window_extent().y1
    assert bar.texts[0].get_text() == f"weight{f' in {unit}' if unit else ''} (by quantile)"
    label = many.plot_dendrogram().get_ylabel()
    assert label == f"weight{f' ({unit})' if unit else ''} at which clusters merge"
    factor = 180 / np.pi if unit == "degrees" else 1
    written = [text.get_text() for text in few.plot(weights=True).texts]
    assert {f"{x * factor:.4g}" for x in few.w} < {f"{float(text):.4g}" for text in written}
    few.to_html(page := io.BytesIO())
    shown = json.loads(re.search(rb'"weights": (\[.*?\])', page.getvalue())[1])
    assert [float(x) for x in shown] == (np.sort(few.w) * factor).tolist()
    entries = label_vertices(few.plot().figure.legends[0])
    assert ["weight 1" + entry.removeprefix("weight ").lstrip("0123456789.,") for entry in entries] == [
        f"weight 1{f' {unit}' if unit else ''}: 1 edge"
    ] * 2


@pytest.mark.parametrize("weights", [[-3, -2, -1], [np.inf, 1e300, -np.inf], [7, 7, 7]])
def test_any_weights_have_colors(weights):
    forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], weights), backend="interpreted")
    axes = forest.plot(POINTS[:4], by="weight")
    axes.figure.canvas.draw()
    assert len(lines_of(axes.collections[0])) == len(set(weights))


def test_graph_edges_are_beneath(forest):
    below, edges = forest.plot(POINTS, graph_edges=True, by="round").collections
    assert lines_of(below) == {rounded(FAINT): [(0, 0, 3, 0)]}
    (path,) = below.get_paths()
    assert np.abs(path.vertices[:, 1]).max() > 0.1  # an arc, which does not pass the dots between
    assert sum(map(len, lines_of(edges).values())) == 4
    grid = boruvka.generators.grid(20, 20, seed=1)
    below, edges = minimum_spanning_forest(grid).plot(graph_edges=True).collections
    assert len(lines_of(below)[rounded(FAINT)]) == grid.m
    points = minimum_spanning_forest(Graph.from_points(POINTS))
    assert len(lines_of(points.plot().collections[0])) >= 1
    below, _ = points.plot(graph_edges=True, by="round").collections
    assert sum(map(len, lines_of(below).values())) == points.graph.m - len(points)
    large = minimum_spanning_forest(Graph.from_points(np.random.default_rng(1).random((61, 2))))
    with pytest.raises(
        OptionError, match="60 vertices and 180 edges, and this DistanceGraph has 61 and 1,830"
    ):
        large.plot(graph_edges=True)


def test_small_matrices_have_all_edges_once():
    matrix = np.array([[0, 2, 0, 6], [2, 0, 3, 8], [0, 3, 0, 5], [6, 8, 5, 0]])
    axes = minimum_spanning_forest(matrix).plot(graph_edges=True, weights=True, by="round")
    below, edges = axes.collections[:2]
    assert [sum(map(len, lines_of(lines).values())) for lines in (below, edges)] == [2, 3]
    assert sorted(text.get_text() for text in axes.texts) == sorted("2635" + "8" + "0123")


def test_edges_across_a_box_are_drawn_at_both_sides():
    points = [[0.5, 1], [3.5, 1], [1.0, 8]]
    forest = minimum_spanning_forest(Graph.from_points(points, box=[4, np.inf]))
    (found,) = lines_of(forest.plot(by="component").collections[0]).values()
    assert found == [(0.5, 1, -0.5, 1), (0.5, 1, 1, 8), (4.5, 1, 3.5, 1)]
    (given,) = lines_of(forest.plot(points, by="component", weights=True).collections[0]).values()
    assert given == found


def test_projections_of_a_box_draw_edges_at_both_sides():
    """Each edge is as long as the nearest image of its end is far, and the lines of one edge are parallel."""
    points, axes = np.random.default_rng(1).random((60, 3)) * [4, 9, 5], [2, 1]
    forest = minimum_spanning_forest(Graph.from_points(points, box=[4, np.inf, 5]))
    seen = points[:, axes]
    found = [line for lines in lines_of(forest.plot(seen).collections[0]).values() for line in lines]
    expected = []
    for a, b in zip(seen[forest.u], seen[forest.v], strict=True):
        images = [np.add(b, (shift, 0)) for shift in (-5, 0, 5)]
        step = min((image - a for image in images), key=np.linalg.norm)
        expected += (
            [(*a, *(a + step))] if np.allclose(a + step, b) else [(*a, *(a + step)), (*(b - step), *b)]
        )
    assert len(expected) > len(forest)
    np.testing.assert_allclose(sorted(found), sorted(expected))
    assert forest.plot().get_title() == "projection on the first two of 3 coordinates"
    assert forest.plot(points).get_xlim() == forest.plot(points[:, :2]).get_xlim()


@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize(
    ("place", "scale"),
    [
        (lambda x: 1000 * x, 1000),
        (lambda x: x - 4.5, 1),
        (lambda x: np.add(x, [2, 3]) % 9, 1),
        (lambda x: ((np.add(x, [5, 3]) % 9 - 4.5) / 700).astype(np.float32), 1 / 700),
        (lambda x: -x[:, ::-1], 1),
    ],
)
def test_coordinates_in_a_box_may_be_moved_and_scaled(d, place, scale):
    points = np.random.default_rng(d).random((50, d)) * 9
    forest = minimum_spanning_forest(Graph.from_points(points, box=9))
    step = np.abs(points[forest.u, :2] - points[forest.v, :2])
    expected = scale * np.linalg.norm(np.minimum(step, 9 - step), axis=1)
    (found,) = lines_of(forest.plot(place(points[:, :2]), by="component").collections[0]).values()
    lengths = np.linalg.norm(np.subtract(*np.hsplit(np.array(found), 2)), axis=1)
    assert len(lengths) > len(forest)
    assert lengths.max() == pytest.approx(expected.max(), rel=1e-4)
    assert np.abs(np.subtract.outer(lengths, expected)).min(axis=1).max() < 1e-5 * scale * 9


def test_other_coordinates_of_a_box_are_announced():
    points = np.array([[0.5, 1], [8.5, 1], [4, 4], [3, 4]])
    forest = minimum_spanning_forest(Graph.from_points(points, box=9))
    with pytest.warns(GraphWarning, match="so edges across the boundary, 1 of 3, have lines across"):
        forest.plot(points**2)
    minimum_spanning_forest(Graph.from_points(points[2:], box=9)).plot(points[2:] ** 2)
    two = minimum_spanning_forest(Graph.from_points(points[:2] * [1, 3], box=[9, 90]))
    for scale in 1, 7:
        (found,) = lines_of(two.plot(scale * points[:2] * [1, 3]).collections[0]).values()
        lines = np.multiply([(0.5, 3, -0.5, 3), (9.5, 3, 8.5, 3)], scale)
        np.testing.assert_allclose(found, lines)


def test_edges_across_the_longitude_360():
    degrees = np.array([[1, 350.0], [1, 10], [1, 120], [1, 240]])  # latitude, longitude
    forest = minimum_spanning_forest(Graph.from_points(np.radians(degrees), "haversine"))
    (found,) = lines_of(forest.plot(by="component").collections[0]).values()
    across = [line for line in found if {line[0], line[2]} & {-10, 370}]
    assert across == [(-10, 1, 10, 1), (350, 1, 370, 1)]
    centred = np.where(degrees > 180, degrees - 360, degrees)
    for given, count in (degrees[:, ::-1], 4), (degrees, 4), (-np.radians(degrees), 4), (centred, 3):
        (lines,) = lines_of(forest.plot(given, by="component").collections[0]).values()
        assert len(lines) == count
    near = minimum_spanning_forest(Graph.from_points(np.radians(degrees[:2]), "haversine"))
    (found,) = lines_of(near.plot(by="component").collections[0]).values()
    assert found == [(-10, 1, 10, 1)]
    axes = Figure().add_subplot(projection="mollweide")
    (found,) = lines_of(forest.plot(by="component", ax=axes).collections[0]).values()
    assert np.abs(found).max() < 1.5 * np.pi
    assert [-10, 1, 10, 1] in np.degrees(found).round(9).tolist()
    axes.figure.canvas.draw()
    plane = minimum_spanning_forest(Graph.from_points([[0, 0], [1, 2]]))
    with pytest.raises(OptionError, match=r"ax has a map projection.*system='lonlat'"):
        plane.plot(ax=axes)
    with pytest.raises(OptionError, match="axes of a plane, and these are 3d"):
        plane.plot(ax=Figure().add_subplot(projection="3d"))


def test_maps_of_the_sky_are_cut_at_the_widest_gap():
    """Longitudes from 0 to 360 make the same map as those from -180 to 180."""
    longitude = np.append(np.linspace(265, 359, 20), np.linspace(1, 97, 20))
    for names, width in (("GLON", "GLAT"), 192), (("lon", "lat"), 358):  # of the earth, they are kept
        for turned in longitude, (longitude + 180) % 360 - 180:
            frame = pandas.DataFrame(dict.fromkeys(names, 0.0) | {names[0]: turned})
            forest = minimum_spanning_forest(Graph.from_points(frame, degrees=True))
            placed = place_vertices(forest).joined().points[:, 0]
            assert np.ptp(placed) == pytest.approx(width if turned is longitude else 192)


def test_small_forests_have_labels():
    forest = boruvka.minimum_spanning_forest(
        [("Brno", "Zlín", 97), ("Wien", "Graz", 3)], backend="interpreted"
    )
    axes = forest.plot()
    assert {text.get_text() for text in axes.texts} == {"Brno", "Zlín", "Wien", "Graz"}
    assert len(axes.lines[0].get_xdata()) == 4


def test_axes_of_the_caller(forest):
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert forest.plot(POINTS, ax=right, by="round") is right
    assert label_vertices(right.get_legend()) == ["round 1: 3 edges", "round 2: 1 edge"]
    assert not left.collections
    assert not figure.legends


def test_a_forest_without_edges():
    forest = boruvka.minimum_spanning_forest(([], [], [], 3), backend="interpreted")
    for by in ("round", "component", "weight"):
        axes = forest.plot(by=by)
        axes.figure.canvas.draw()
        assert axes.collections[0].get_paths() == []
        assert len(axes.lines[0].get_xdata()) == 3
    boruvka.minimum_spanning_forest(([], [], [], 0), backend="interpreted").plot().figure.canvas.draw()


def test_large_vector_files_hold_pixels(forest, monkeypatch):
    assert not forest.plot(POINTS).collections[0].get_rasterized()
    monkeypatch.setattr("boruvka.trees.plotting.style.MAX_VECTOR_LINES", 3)
    assert forest.plot(POINTS).collections[0].get_rasterized()


def test_a_notebook_shows_the_figure(forest, monkeypatch):
    from matplotlib import pyplot

    monkeypatch.setitem(sys.modules, "ipykernel", object())
    axes = forest.plot(POINTS)
    assert axes.figure is pyplot.gcf()
    pyplot.close("all")


def test_unknown_options(forest):
    with pytest.raises(OptionError, match=r"by must be round, component, weight or a column, .* got 'age'"):
        forest.plot(POINTS, by="age")
    with pytest.raises(OptionError, match="system must be one of xy, lonlat, latlon"):
        forest.plot(POINTS, system="mercator")


def test_without_matplotlib(forest, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'pip install "boruvka\[plot\]"'):
        forest.plot(POINTS)


def dots(axes, n=5):
    """Find the dots of the vertices: the collection with a place for each."""
    found = [c for c in axes.collections if isinstance(c, PathCollection) and len(c.get_offsets()) == n]
    return found[-1]


def test_areas_are_in_the_ratio_of_sizes():
    areas = dots(FOREST.plot(sizes=[100, 400, 100, 100, 0])).get_sizes()
    assert areas[1] == pytest.approx(4 * areas[0])
    assert areas[4] > 0


def test_categories_have_colors_and_a_legend():
    axes = FOREST.plot(colors=["b", "a", "b", "b", "a"])
    colors = [tuple(color) for color in dots(axes).get_facecolors()]
    assert len(set(colors)) == 2
    assert colors[0] == colors[2] == colors[3] != colors[1] == colors[4]
    assert [text.get_text() for text in axes.figure.legends[-1].get_texts()] == ["b (3)", "a (2)"]


def test_many_dots_have_no_rims(recwarn):
    for n, width in (100, 0.5), (2_500, 0):
        points = np.random.default_rng(0).random((n, 2))
        axes = minimum_spanning_forest(Graph.from_points(points)).plot(colors=points[:, 0])
        (dots,) = (x for x in axes.collections if len(x.get_offsets()) == n)
        assert list(dots.get_linewidths()) == [width]


def test_hexadecimal_colors_are_their_own_colors():
    given = ["#ff0000", "#1f77b4", None, "#0a0", "#ff0000"]
    axes = FOREST.plot(colors=given)
    assert dots(axes).get_facecolors().tolist() == [list(to_rgba(color or FAINT)) for color in given]
    texts = [text.get_text() for text in axes.figure.legends[-1].get_texts()]
    assert texts == ["#ff0000 (2)", "#0a0 (1)", "#1f77b4 (1)", "no value (1)"]
    mixed = dots(FOREST.plot(colors=[*given[:4], "red"])).get_facecolors()[0].tolist()
    assert mixed != list(to_rgba("#ff0000"))


def test_rare_categories_are_together():
    n = 60
    forest = minimum_spanning_forest((np.arange(n - 1), np.arange(1, n), np.ones(n - 1)))
    for count, last in (20, None), (21, "2 others (2)"), (25, "6 others (6)"):
        axes = forest.plot(colors=[f"c{min(k, count - 1):02}" for k in range(n)])
        texts = [text.get_text() for text in axes.figure.legends[-1].get_texts()]
        assert (texts[0], len(texts)) == (f"c{count - 1} ({n + 1 - count})", 20)
        assert last in (None, texts[-1])
        colors = set(map(tuple, dots(axes, n).get_facecolors().tolist()))
        assert len(colors) == 20


def test_a_category_has_one_color_in_all_pictures():
    first, second = (
        [tuple(color) for color in dots(FOREST.plot(colors=list(names))).get_facecolors().tolist()]
        for names in ("abbca", "abccc")
    )
    assert first[:2] == second[:2]
    assert first[3] == second[4]


def test_numbers_have_a_scale():
    axes = FOREST.plot(colors=[2001, 2002, 2003, np.nan, 2005])
    axes.figure.canvas.draw()
    expected = [colormaps["viridis"](share) for share in (0.0, 0.25, 0.5, 1.0)]
    expected.insert(3, to_rgba(FAINT))
    np.testing.assert_allclose(dots(axes).get_facecolors(), expected, atol=1 / 256)
    assert axes.figure.axes[1].get_xlim() == (2001, 2005)
    assert label_vertices(axes.figure.legends[-1]) == ["no value (1)"]


def test_the_legend_has_no_amount_where_all_sizes_are_missing():
    axes = FOREST.plot(colors=list("aabbc"), sizes=[1, 2, 3, np.nan, np.nan])
    (legend,) = axes.figure.legends
    assert [text.get_text() for text in legend.get_texts()][-3:] == ["a (3)", "b (3)", "c"]
    axes = FOREST.plot(colors=[1.5, 2, 3, np.nan, np.nan], sizes=[1, 2, 3, np.nan, np.nan])
    assert [text.get_text() for text in axes.figure.legends[0].get_texts()] == ["no value"]


def test_labels():
    def texts(**how):
        return [text.get_text() for text in FOREST.plot(**how).texts]

    assert sorted(texts()) == ["0", "1", "2", "3", "4"]
    assert texts(labels=False) == []
    assert sorted(texts(labels=False, weights=True)) == sorted(["1.5", "2", "3", "1000000"])
    assert sorted(texts(labels=True, weights=True)) == sorted([*"01234", "1.5", "2", "3", "1000000"])


def test_large_sizes_in_legends_have_no_exponent():
    frame = pandas.DataFrame({"Symbol": ["a", "b", "c"], "sector": ["x", "y", "x"], "cap": [3e11, 1e5, 2e11]})
    forest = minimum_spanning_forest([("a", "b", 1), ("b", "c", 2)])
    values = frame.set_index("Symbol")
    ax = forest.plot(colors=values["sector"], sizes=values["cap"])
    (legend,) = ax.figure.findobj(Legend)
    texts = [text.get_text() for text in legend.get_texts()]
    assert {"x (500,000,000,000)", "y (100,000)"} <= {*texts}
    assert legend.get_title().get_text() == "sector (sum of cap)"
    for name in "sizes", "colors":
        with pytest.raises(GraphError, match=rf"{name}=frame\.set_index\('Name'\)\['Value'\]"):
            forest.plot(**{name: frame})


def test_correlations_of_files_on_edges(tmp_path):
    """A file says that its weights are distances of correlations by a column of these."""
    graph = boruvka.Graph.from_distances([[1, 0.75, 0.2], [0.75, 1, -0.5], [0.2, -0.5, 1]], correlations=True)
    boruvka.write(boruvka.minimum_spanning_forest(graph), tmp_path / "t.csv")
    for keep in (), "correlation":
        forest = boruvka.minimum_spanning_forest(boruvka.read(tmp_path / "t.csv", keep=keep))
        assert {text.get_text() for text in forest.plot(weights="correlation", labels=False).texts} == {
            "0.75",
            "0.20",
        }
        assert [*forest.to_pandas()["correlation"].round(9)] == [0.75, 0.2]
    (tmp_path / "o.csv").write_text("u,v,w,correlation\na,b,0.5,0.5\nb,c,0.7,0.5\n")
    with pytest.raises(OptionError, match="is for distances made of correlations"):
        boruvka.minimum_spanning_forest(boruvka.read(tmp_path / "o.csv")).plot(weights="correlation")


@pytest.mark.parametrize("kind", ["corr", "code"])
def test_columns_of_texts(kind, tmp_path):
    """Numbers of a text have a scale, as those of a frame; codes are categories."""
    rows = [f"{k},{k + 1},{k},{k / 32},0{k}" for k in range(32)]
    (tmp_path / "a.csv").write_text("\n".join(["u,v,w,corr,code", *rows]))
    ax = boruvka.minimum_spanning_forest(boruvka.read(tmp_path / "a.csv")).plot(by=kind)
    assert len(ax.figure.axes) == 1 + (kind == "corr")


def test_correlations_on_edges():
    graph = boruvka.Graph.from_distances([[1, 0.75, 0.2], [0.75, 1, -0.5], [0.2, -0.5, 1]], correlations=True)
    forest = boruvka.minimum_spanning_forest(graph)
    ax = forest.plot(weights="correlation", labels=False)
    assert {text.get_text() for text in ax.texts} == {"0.75", "0.20"}
    returns = np.random.default_rng(1).normal(size=(30, 12))
    correlations = np.corrcoef(returns.T)
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_distances(correlations, correlations=True))
    bar = forest.plot(weights="correlation").figure.axes[1]
    found = np.sort(correlations[forest.u, forest.v])
    texts = [label.get_text() for label in bar.get_yticklabels()]
    assert texts[::4] == [f"{found[0]:.4g} least", f"{found[-1]:.4g} greatest"]
    assert bar.texts[0].get_text() == "correlation (by quantile)"
    names = [f"TICK{k}.PA" for k in range(50)]
    correlations = np.corrcoef(np.random.default_rng(1).normal(size=(50, 99)))
    graph = boruvka.Graph.from_distances(correlations, correlations=True).with_names(names)
    ax = boruvka.minimum_spanning_forest(graph).plot(weights="correlation", colors=["a", "b"] * 25)
    assert "correlation (by quantile)" in [text.get_text() for each in ax.figure.axes for text in each.texts]
    assert {*names} <= {text.get_text() for text in ax.texts}
    with pytest.raises(
        boruvka.OptionError, match="weights must be 'correlation', True or False, got 'weight'"
    ):
        forest.plot(weights="weight")
    other = boruvka.minimum_spanning_forest([(0, 1, 2.0)])
    with pytest.raises(boruvka.OptionError, match="weights='correlation' is for distances made of corr"):
        other.plot(weights="correlation")


def test_many_weights_of_other_edges_are_not_on_each_other():
    """In a dense graph, all names and weights of the tree are there, and no label is on another."""
    rng, names = np.random.default_rng(0), [f"Bank {k}" for k in range(25)]
    ends = list(itertools.combinations(names, 2))
    edges = [(*ends[k], 10 + k) for k in np.sort(rng.choice(len(ends), 130, replace=False)).tolist()]
    forest = minimum_spanning_forest(edges)
    axes = forest.plot(graph_edges=True, weights=True)
    axes.figure.draw_without_rendering()
    texts = [text for text in axes.texts if "fit" not in text.get_text()]
    assert {*map(str, forest.w.tolist()), *names} <= {text.get_text() for text in texts}
    boxes = [text.get_window_extent().padded(-3) for text in texts]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))
    legend, others = axes.figure.legends[0].get_window_extent(), axes.figure.axes[1].get_window_extent()
    assert legend.y1 < others.y0


def test_names_between_weights_on_a_line():
    """Each end of an edge of a line has its name, above or below it, or farther away."""
    edges = [("B20", "B21", 126.6), ("B20", "B22", 144.7), ("B22", "B24", 139.5), ("B24", "B23", 68.7)]
    edges += [(f"B{i}", f"B{i // 2}", 100 + i) for i in range(1, 20)]
    edges = [(f"Bank {a[1:]}", f"Bank {b[1:]}", w) for a, b, w in edges]
    axes = minimum_spanning_forest(edges, maximum=True).plot(weights=True)
    texts = [text.get_text() for text in axes.texts]
    assert len(texts) == 25 + 23
    assert not any("fit" in text for text in texts)


@pytest.mark.parametrize("maximum", [False, True])
def test_weights_that_do_not_fit_are_counted(maximum):
    """A star of a layout: those that come first in the tree are written."""
    n, weights = 200, np.arange(10**11, 10**11 + 199)
    forest = minimum_spanning_forest((np.zeros(n - 1, int), np.arange(1, n), weights), maximum=maximum)
    *shown, line = [text.get_text() for text in forest.plot(weights=True).texts]
    assert line == f"{n - 1 - len(shown)} of 199 weights do not fit, and are not shown"
    first = sorted(weights.tolist(), reverse=maximum)[: len(shown)]
    assert 10 < len(shown) < 150
    assert len({*map(int, shown)}.intersection(first)) > 0.7 * len(shown)
    few = minimum_spanning_forest((np.zeros(9, int), np.arange(1, 10), weights[:9]))
    assert not any("fit" in text.get_text() for text in few.plot(weights=True).texts)


@pytest.mark.parametrize("n", long_but([50, 1000], 50))
def test_labels_do_not_overlap(n):
    """As matplotlib draws them; most of 50 fit, and large vertices come first."""
    points = np.random.default_rng(n).random((n, 2))
    graph = Graph.from_points(points, names=[f"town {i}" for i in range(n)])
    forest = minimum_spanning_forest(graph)
    axes = forest.plot(labels=True, weights=True, sizes=np.where(np.arange(n) == n - 1, 30, 1))
    axes.figure.savefig(io.BytesIO(), format="png")
    texts = axes.texts
    assert next(x.get_text() for x in texts if x.get_text().startswith("town")) == f"town {n - 1}"
    assert len(texts) > (60 if n == 50 else 200)
    boxes = np.array([text.get_window_extent().extents for text in texts])
    inside = np.minimum(boxes[:, None, 2:], boxes[:, 2:]) - np.maximum(boxes[:, None, :2], boxes[:, :2])
    inside = np.triu(inside.min(axis=2), 1)
    assert (inside > 3).sum() <= 0.04 * len(texts)  # points: widths of texts are estimates
    names = [box for box, text in zip(boxes, texts, strict=True) if text.get_text().startswith("town")]
    places = axes.transData.transform(points)
    covered = [((box[:2] + 3 < places) & (places < box[2:] - 3)).all(axis=1).sum() for box in names]
    assert sum(covered) <= (10 + 0.02 * len(names) if n == 1000 else 0)


def test_a_root_and_terminals_of_any_color_have_rings():
    edges = [("r", "a", 3.0), ("r", "b", 2.0), ("a", "c", 1.0)]
    trees = boruvka.minimum_spanning_arborescence(edges), boruvka.steiner_tree(edges, ["r", "c"])
    for tree, marked in zip(trees, ("r", "rc"), strict=True):
        axes = tree.plot(colors={"r": "x", "a": "y", "b": "y", "c": "x"}, sizes=[1, 9, 1, 4])
        rings = [x for x in axes.collections if len(x.get_offsets()) and not x.get_facecolors().size][-1]
        place = {text.get_text(): text.xy for text in axes.texts}
        assert sorted(map(tuple, rings.get_offsets())) == sorted(tuple(place[x]) for x in marked)


def test_names_are_near_their_own_vertices():
    """Each is nearest to its own dot, or it is counted as one that is not shown."""
    rng = np.random.default_rng(2)
    n = 40
    ends = [int(rng.integers(k)) for k in range(1, n)]
    graph = Graph.from_edges(ends, range(1, n), [1] * (n - 1), names=[f"LM_2024_{k:03}" for k in range(n)])
    axes = minimum_spanning_forest(graph).plot(sizes=rng.integers(1, 9, n))
    axes.figure.draw_without_rendering()
    names = [text for text in axes.texts if text.get_text().startswith("LM")]
    notes = [text.get_text() for text in axes.texts if text not in names]
    missing = f"{n - len(names)} of {n} names do not fit, and are not shown"
    assert notes == ([missing] if len(names) < n else [])
    assert len(names) > 0.8 * n
    dots = axes.transData.transform(axes.collections[-1].get_offsets())
    radii = np.sqrt(axes.collections[-1].get_sizes()) / 2 * axes.figure.dpi / 72
    doubtful = 0
    for name in names:
        low, high = name.get_window_extent().get_points()
        gaps = np.linalg.norm(dots - np.clip(dots, low, high), axis=1) - radii
        assert gaps.min() > -4  # on no dot
        own = np.linalg.norm(dots - axes.transData.transform(name.xy), axis=1).argmin()
        doubtful += gaps.argmin() != own
    assert doubtful <= 2


def test_the_hub_has_a_name():
    """A star whose middle is the smallest dot; the scale of weights is beneath the map."""
    n = 150
    graph = Graph.from_edges([0] * (n - 1), range(1, n), range(1, n), names=[f"S{i}" for i in range(n)])
    forest = minimum_spanning_forest(graph)
    axes = forest.plot(sizes=range(1, n + 1), colors=["a", "b"] * 75, labels=True, by="weight")
    assert axes.texts[1].get_text() == "S0"
    assert axes.texts[1].get_bbox_patch()  # white
    axes.figure.draw_without_rendering()
    bar = axes.figure.axes[-1].get_position()
    assert bar.y1 < axes.get_position().y0
    assert bar.width > 5 * bar.height


def test_profiles_are_no_coordinates():
    """Two loci are not x and y; legends count profiles."""
    graph = Graph.from_profiles([[1, 2], [1, 2], [1, 3], [4, 5], [6, 7], [6, 8]], collapse=True)
    axes = minimum_spanning_forest(graph).plot(
        sizes=graph.profiles.sizes, colors=["a", "x", "b", "b", "a", "a"]
    )
    assert not np.array_equal(dots(axes).get_offsets()[:2], [[1, 2], [1, 3]])
    assert [text.get_text() for text in axes.figure.legends[-1].get_texts()] == ["a (3)", "b (2)", "x (1)"]


def test_dates_have_a_scale_of_dates():
    days = ["2021-01-01", "2023-06-01", None, "2022-01-01", "2024-12-31"]
    axes = FOREST.plot(colors=pandas.Series(days, name="sampled"))
    bar = axes.figure.axes[-1]
    axes.figure.canvas.draw()
    texts = [text.get_text() for text in bar.get_xticklabels()]
    assert {"2022", "2023", "2024"} <= {text[:4] for text in texts}
    assert bar.get_xlabel() == "sampled"
    shares = [0, 881 / 1460, np.nan, 365 / 1460, 1]
    expected = colormaps["viridis"].with_extremes(bad=FAINT)(shares)
    np.testing.assert_allclose(dots(axes).get_facecolors(), expected, atol=1 / 128)
    FOREST.plot(colors=["2021-01-01"] * 5).figure.canvas.draw()


def test_sequence_types_are_categories():
    axes = FOREST.plot(colors=pandas.Series([131, 131, np.nan, 10, 73], name="ST"))
    (legend,) = axes.figure.legends
    assert label_vertices(legend) == ["131 (2)", "10 (1)", "73 (1)", "no value (1)"]


def test_edges_show_weights_unless_vertices_have_colors(forest):
    by_weight = lines_of(forest.plot(POINTS, by="weight").collections[0])
    assert lines_of(forest.plot(POINTS).collections[0]) == by_weight
    assert len(by_weight) > 1
    axes = forest.plot(POINTS, colors=list("aabbcc"))
    assert list(lines_of(axes.collections[0])) == [rounded(INK)]
    assert label_vertices(axes.figure.legends[0]) == ["a (2)", "b (2)", "c (2)"]
    axes = forest.plot(POINTS, colors=list("aabbcc"), by="round")
    assert len(axes.figure.legends) == 2
    equal = minimum_spanning_forest(([0, 1], [1, 2], [5, 5])).plot()
    assert len(equal.figure.axes) == 1


def test_legends_count_what_areas_count():
    """Strains, not vertices; sizes that the caller gives are added up."""
    graph = Graph.from_profiles([[1, 1], [1, 1], [1, 1], [2, 2], [3, 3]], collapse=True)
    tree = minimum_spanning_forest(graph)
    axes = tree.plot(colors={0: "a", 1: "a", 2: "b", 3: "b", 4: None})
    assert label_vertices(axes.figure.legends[0]) == ["a (2)", "b (2)", "no value (1)"]
    axes = tree.plot(by="component")
    assert label_vertices(axes.figure.legends[0]) == ["5 profiles"]
    axes = tree.plot(by="component", sizes=[10, 20, 0.5])
    assert label_vertices(axes.figure.legends[0]) == ["size 30.5"]


def test_collapsed_vertices_are_pies():
    graph = Graph.from_profiles([[1, 1], [2, 2], [1, 1], [1, 1], [1, 1], [2, 2]], collapse=True)
    tree = minimum_spanning_forest(graph)
    pies = tree.plot(colors=list("abaacb")).collections[-1]
    shares = {}
    for path, color in zip(pies.get_paths(), pies.get_facecolors(), strict=True):
        polygon = path.to_polygons()[0]
        x, y = polygon.T
        area = abs(np.dot(x[:-1], y[1:]) - np.dot(y[:-1], x[1:])) / 2
        shares[tuple(color)] = area / (np.pi / 4)
    assert sorted(shares.values()) == pytest.approx([1 / 4, 3 / 4], abs=0.02)
    assert len(pies.get_offsets()) == 2
    one_color = tree.plot(colors=list("aaaaaa"))
    assert len(one_color.collections) == 2 + 1  # edges, vertices, the entry of the legend


def test_all_keys_at_once(forest):
    """Edges of the tree, other edges, and vertices, in a figure of its own and in axes of the caller."""
    how = {"graph_edges": True, "by": "round", "colors": list("aabbcc")}
    axes = forest.plot(POINTS, **how)
    edges = ["round 1: 3 edges", "round 2: 1 edge", "not in the tree"]
    assert list(map(label_vertices, axes.figure.legends)) == [edges, ["a (2)", "b (2)", "c (2)"]]
    axes = forest.plot(POINTS, **how, ax=Figure().subplots())
    found = [child for child in axes.get_children() if isinstance(child, Legend)]
    assert sorted(map(label_vertices, found)) == [["a (2)", "b (2)", "c (2)"], edges]


@pytest.mark.parametrize("by", [None, "round", "component"])
def test_legends_are_not_cut(by):
    n = 300
    rng = np.random.default_rng(1)
    points = np.column_stack([np.arange(n), rng.random(n)])  # a wide map is low
    names = [f"the long name of a category which is rare, number {k % 14}" for k in range(n)]
    axes = minimum_spanning_forest(Graph.from_points(points)).plot(colors=names, by=by)
    figure = axes.figure
    figure.canvas.draw()
    for legend in figure.legends:
        box = legend.get_window_extent()
        assert figure.bbox.containsx(box.x0)
        assert figure.bbox.containsx(box.x1)
        assert figure.bbox.containsy(box.y0)
        assert figure.bbox.containsy(box.y1)
    boxes = [legend.get_window_extent() for legend in figure.legends]
    assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))


def test_small_graphs_have_all_weights_beside_foreign_edges():
    names = "ABCDEFG"
    ends = ["AB", "AD", "BC", "BD", "BE", "CE", "DE", "DF", "EF", "EG", "FG"]
    graph = [(a, b, 10 + k) for k, (a, b) in enumerate(ends)]
    axes = minimum_spanning_forest(graph).plot(graph_edges=True, weights=True)
    axes.figure.canvas.draw()
    texts = {text.get_text(): text for text in axes.texts}
    assert sorted(texts) == sorted([*names, *(str(10 + k) for k in range(11))])
    places = {name: axes.transData.transform(text.xy) for name, text in texts.items()}
    for k, own in enumerate(ends):
        box = texts[str(10 + k)].get_window_extent()
        for a, b in ends:
            if own != a + b:
                line = np.linspace(places[a], places[b], 300)
                inside = (line > box.min).all(axis=1) & (line < box.max).all(axis=1)
                assert not inside.any(), (own, a + b)


def test_streets_have_their_shape_and_no_dots():
    geopandas, shapely = pytest.importorskip("geopandas"), pytest.importorskip("shapely")
    lines = [[(0, 0), (1, 3), (2, 0)], [(2, 0), (4, 0)], [(0, 0), (2, -9), (4, 0)]]
    frame = geopandas.GeoDataFrame(geometry=list(map(shapely.LineString, lines)))
    tree = minimum_spanning_forest(frame)
    axes = tree.plot()
    drawn = lines_of(axes.collections[0])
    assert sorted(line for found in drawn.values() for line in found) == [
        (0, 0, 1, 3),
        (1, 3, 2, 0),
        (2, 0, 4, 0),
    ]
    assert not axes.lines
    assert not axes.texts
    assert axes.get_ylim()[1] > 3
    below = tree.plot(graph_edges=True).collections[0]
    assert (2, -9, 4, 0) in lines_of(below)[rounded(FAINT)]
    chords = tree.plot(np.array([[0, 0], [2, 0], [4, 0]]))
    assert sorted(line for found in lines_of(chords.collections[0]).values() for line in found) == [
        (0, 0, 2, 0),
        (2, 0, 4, 0),
    ]


def test_wrong_lengths():
    for name in "sizes", "colors":
        with pytest.raises(GraphError, match=rf"{name} must have a value for each of the 5 vertices, got 2"):
            FOREST.plot(**{name: [1, 2]})


def steiner_tree():
    """The tree of the vertices 1, 2, 4 of a cycle, with the vertices 0 and 5 outside."""
    graph = Graph(6, [0, 1, 2, 4, 5, 0], [1, 2, 4, 5, 0, 3], [9, 1, 1, 9, 9, 9])
    return boruvka.steiner_tree(graph.with_coordinates(POINTS), [1, 4])


def test_vertices_outside_of_a_steiner_tree_are_not_drawn():
    tree = steiner_tree()
    axes = tree.plot()
    assert axes.lines[0].get_xydata().tolist() == POINTS[[1, 2, 4]].tolist()
    assert sorted(text.get_text() for text in axes.texts) == ["1", "2", "4"]
    assert axes.get_ylim()[1] < 5.5  # the picture shows the tree
    assert axes.get_xlim()[1] < 2.5
    assert label_vertices(tree.plot(by="component").figure.legends[0]) == ["3 vertices"]


def test_values_of_vertices_outside_of_a_steiner_tree_do_not_count():
    tree = steiner_tree()
    axes = tree.plot(sizes=[900, 1, 4, 900, 1, 900], colors=list("xaabbx"), labels=list("uvwxyz"))
    found = axes.collections[1]
    assert found.get_offsets().tolist() == POINTS[[1, 2, 4]].tolist()
    assert found.get_sizes()[1] == pytest.approx(4 * found.get_sizes()[0])
    assert label_vertices(axes.figure.legends[-1]) == ["a (5)", "b (1)"]
    assert sorted(text.get_text() for text in axes.texts) == ["v", "w", "y"]
    for values in [1, 2, 3], [1, 2, 3, 4, 5, 6, 7]:
        with pytest.raises(GraphError, match="a value for each of the 6 vertices"):
            tree.plot(sizes=values)


@pytest.mark.parametrize("only", [[1, 2, 4], [False, True, True, False, True, False]])
@pytest.mark.parametrize("graph_edges", [False, True])
def test_some_vertices_alone(only, graph_edges):
    graph = Graph.from_edges([0, 1, 2, 4, 0, 1], [1, 2, 3, 5, 3, 4], [1, 9, 2, 5, 10, 20])
    forest = minimum_spanning_forest(graph.with_coordinates(POINTS))
    assert forest.edges.tolist() == [0, 1, 2, 3, 5]
    how = {"colors": list("xaabbx"), "sizes": [900, 1, 4, 900, 1, 900], "graph_edges": graph_edges}
    axes = forest.plot(only=only, by="round", **how)
    edges = axes.collections[0]
    assert sorted(itertools.chain(*lines_of(edges).values())) == [(1, 0, 0, 5), (1, 0, 2, 0)]
    found = dots(axes, 3)
    assert found.get_offsets().tolist() == POINTS[[1, 2, 4]].tolist()
    assert found.get_sizes()[1] == pytest.approx(4 * found.get_sizes()[0])
    legends = [label_vertices(legend) for legend in axes.figure.legends]
    assert legends == [["round 1: 0 edges", "round 2: 2 edges"], ["a (5)", "b (1)"]]
    assert axes.get_xlim()[1] < 3
    assert label_vertices(forest.plot(only=only, by="component").figure.legends[0]) == ["3 vertices"]


def test_some_vertices_by_name_or_label():
    cities = ("Brno", "Zlín", 97), ("Wien", "Graz", 3), ("Wien", "Linz", 4), ("Wien", "Brno", 5)
    forest = minimum_spanning_forest(list(cities))
    mask = pandas.Series({"Linz": True, "Graz": False, "Brno": False, "Wien": True, "Zlín": False})
    for only in ["Linz", "Wien"], {"Wien", "Linz"}, mask:
        axes = forest.plot(only=only)
        assert {text.get_text() for text in axes.texts} == {"Wien", "Linz"}
        assert len(axes.collections[0].get_paths()) == 1
    for only, message in (
        (["Praha"], "'Praha' is"),
        ([False] * 5, "the tree has none"),
        ([True], "the 5 vert"),
    ):
        with pytest.raises(GraphError, match=message):
            forest.plot(only=only)


def test_rare_categories_have_colors_where_they_are_drawn_alone():
    points, colors = np.arange(100.0)[:, None], np.repeat(np.arange(25), 4).astype(str)
    forest = minimum_spanning_forest(Graph.from_points(points))
    assert "6 others (24)" in label_vertices(forest.plot(colors=colors).figure.legends[-1])
    shown = label_vertices(forest.plot(colors=colors, only=np.arange(100) % 4 == 0).figure.legends[-1])
    assert "6 others (6)" in shown
    shown = label_vertices(forest.plot(colors=colors, only=np.arange(90, 98)).figure.legends[-1])
    assert shown == ["23 (4)", "22 (2)", "24 (2)"]


SKY = {"RAJ2000": [10.0, 20, 350], "DEJ2000": [0.0, 1, -1]}


def test_maps_of_the_sky_have_the_east_at_the_left():
    frame = pandas.DataFrame(SKY)
    forest = minimum_spanning_forest(Graph.from_points(frame, degrees=True))
    plain = minimum_spanning_forest(
        Graph.from_points(np.radians(frame[["DEJ2000", "RAJ2000"]]).to_numpy(), "haversine")
    )
    expected = [(-380, 1), (-370, 0), (-350, -1)]
    for axes in forest.plot(axes=True), plain.plot(axes=True, system="radec"), plain.plot(frame, axes=True):
        np.testing.assert_allclose(sorted(axes.lines[0].get_xydata().tolist()), expected, atol=1e-9)
        format = axes.xaxis.get_major_formatter()
        assert [format(x) for x in (-20, 10)] == ["20°", "350°"]
        format = axes.yaxis.get_major_formatter()
        assert [format(y) for y in (-20, 90, 100)] == ["-20°", "90°", ""]
        assert axes.axison
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("RAJ2000 (degrees)", "DEJ2000 (degrees)")
    east = sorted(plain.plot().lines[0].get_xdata().tolist())
    assert east == pytest.approx([-10, 10, 20])
    axes = Figure().add_subplot(projection="mollweide")
    assert forest.plot(ax=axes).xaxis.get_major_formatter()(np.radians(-20)) == "20°"


def test_axes_are_labelled_as_columns():
    points = pandas.DataFrame({"z": [1.0, 2], "y [kpc]": [3.0, 4], "x [kpc]": [5.0, 6]})
    forest = minimum_spanning_forest(Graph.from_points(points[["y [kpc]", "x [kpc]"]]))
    assert not forest.plot().axison
    for frame, labels in (
        (points[["z", "y [kpc]"]], ("z", "y [kpc]")),
        (points.set_axis([*"abc"], axis=1), ("a", "b")),
    ):
        given = {"coordinates": frame} if len(frame.columns) == 2 else {}
        axes = (forest if given else minimum_spanning_forest(Graph.from_points(frame))).plot(
            axes=True, **given
        )
        assert (axes.get_xlabel(), axes.get_ylabel()) == labels
    with pytest.raises(OptionError, match="axes=True is for vertices that have coordinates"):
        FOREST.plot(axes=True)


@pytest.mark.parametrize("given", [None, *itertools.permutations("xyz", 2)])
def test_names_of_axes_are_those_of_the_columns_that_are_drawn(given):
    """Each column has other values; those of points without names are x, y, z."""
    frame = pandas.DataFrame({name: [k, k + 0.5, k + 0.25] for k, name in enumerate("xyz")})
    for own in (None, *itertools.permutations("xyz", 3)):
        points = frame.to_numpy() if own is None else frame[[*own]]
        tree = minimum_spanning_forest(Graph.from_points(points))
        placed = place_vertices(tree, None if given is None else frame[[*given]].to_numpy())
        drawn = ["xyz"[k] for k in placed.points[0].astype(int)]
        assert list(placed.axes) == drawn == [*(given or (own or "xyz")[:2])]


@pytest.mark.parametrize(
    ("columns", "system", "labels"),
    [
        (["RA (deg)", "Dec (deg)"], None, ["RA (deg)", "Dec (deg)"]),
        (["lat", "lon"], "latlon", ["lon (degrees)", "lat (degrees)"]),
        (["x", "y"], "latlon", ["longitude (degrees)", "latitude (degrees)"]),
        (["a", "b"], None, ["a", "b"]),
    ],
)
def test_labels_of_given_frames(columns, system, labels):
    forest = minimum_spanning_forest(Graph.from_points([[1.0, 2, 3], [4, 6, 9]]))
    axes = forest.plot(pandas.DataFrame([[1.0, 2], [3, 5]], columns=columns), axes=True, system=system)
    assert [axes.get_xlabel(), axes.get_ylabel()] == labels
    unknown = forest.plot(np.array([[1.0, 7], [3, 5]]), axes=True)
    assert [unknown.get_xlabel(), unknown.get_ylabel()] == ["x", "y"]


@pytest.mark.parametrize("colors", [None, ["a long name of a category", "b"]])
def test_labels_of_axes_are_inside_of_the_picture(colors):
    forest = minimum_spanning_forest(Graph.from_points(np.random.default_rng(0).random((60, 2))))
    axes = forest.plot(axes=True, colors=None if colors is None else np.resize(colors, 60))
    axes.figure.draw_without_rendering()
    box = axes.yaxis.label.get_window_extent()
    assert (box.x0, box.y0) > (0, 0)


def test_the_legend_is_not_on_a_map_of_the_sky():
    axes = Figure().add_subplot(projection="mollweide")
    forest = minimum_spanning_forest(Graph.from_points(pandas.DataFrame(SKY), degrees=True))
    forest.plot(ax=axes, colors=["a", "b", "c"], by="component")
    axes.figure.draw_without_rendering()
    legends = [x for x in axes.get_children() if type(x).__name__ == "Legend"]
    assert legends
    assert not any(
        legend.get_window_extent().overlaps(axes.get_window_extent().padded(-9)) for legend in legends
    )


def test_graph_edges_around_a_steiner_tree():
    axes = steiner_tree().plot(graph_edges=True)
    below, edges = axes.collections
    assert len(lines_of(below)[rounded(FAINT)]) == 6 - 2
    assert sum(map(len, lines_of(edges).values())) == 2
    assert axes.get_xlim()[1] > 3  # the picture shows the graph


@pytest.mark.parametrize("is_placed", [False, True])
def test_all_of_a_small_graph_around_a_steiner_tree(is_placed):
    edges = [("a", "b", 1), ("b", "c", 1), ("c", "d", 9), ("d", "a", 9), ("e", "f", 2)]
    places = {name: (k % 3, k // 3) for k, name in enumerate("abcdef")} if is_placed else None
    axes = boruvka.steiner_tree(edges, ["a", "c"]).plot(places, graph_edges=True, weights=True)
    assert sorted(text.get_text() for text in axes.texts) == sorted("abcdef11992")
    assert len(np.unique(axes.lines[0].get_xydata(), axis=0)) == 6
    below, of_tree = axes.collections
    assert (len(lines_of(below)[rounded(FAINT)]), sum(map(len, lines_of(of_tree).values()))) == (3, 2)


def test_a_steiner_tree_without_coordinates_is_laid_out_alone():
    tree = boruvka.steiner_tree(boruvka.generators.random(200, 800, seed=1), [0, 45])
    axes = tree.plot(graph_edges=True)
    dots = axes.lines[0].get_xydata()
    assert len(dots) == tree.vertices.size
    assert np.isfinite(dots).all()
    assert np.ptp(dots, axis=0).max() < tree.vertices.size
    axes.figure.canvas.draw()


def test_no_name_is_cut_off_at_the_edge_of_the_figure():
    """Nor after the layout is computed again, as it is for each file."""
    rng = np.random.default_rng(1)
    edges = [(f"crm:{rng.integers(k):06}", f"crm:{k:06}", float(rng.random())) for k in range(1, 13)]
    for order in (np.random.default_rng(k).permutation(12) for k in range(8)):
        axes = boruvka.minimum_spanning_forest([edges[k] for k in order]).plot(weights=True)
        names = [text for text in axes.texts if "crm" in text.get_text()]
        assert len(names) == 13
        for _ in range(2):
            axes.figure.draw_without_rendering()
            boxes = np.array([text.get_window_extent().extents for text in names])
            assert (boxes[:, :2] >= 0).all()
            assert (boxes[:, 2:] <= axes.figure.bbox.size).all()


def test_loops_and_their_weights_are_in_the_picture():
    for edges in [("A", "B", 1), ("B", "B", 5)], [("A", "A", 7), ("A", "B", 1), ("B", "B", 5), ("B", "B", 6)]:
        forest = boruvka.minimum_spanning_forest(edges, backend="interpreted")
        ax = forest.plot(graph_edges=True, weights=True)
        ax.figure.canvas.draw()
        lines, frame = [line for drawn in ax.collections for line in drawn.get_paths()], ax.viewLim
        assert all(frame.contains(*point) for line in lines for point in line.vertices)
        assert {text.get_text() for text in ax.texts} == {"A", "B", *(str(w) for *_, w in edges)}
        inside = ax.figure.bbox
        assert all(inside.containsx(text.get_window_extent().x0) for text in ax.texts)


def test_random_trees_have_one_color_unless_weights_chose_them():
    maze = boruvka.generators.grid(5, 5, seed=1)
    for method, colors in ("uniform", 1), ("random-weights", 1), ("weighted", 2):
        tree = boruvka.random_spanning_tree(maze, seed=1, method=method)
        drawn = {tuple(color) for color in tree.plot().collections[0].get_edgecolors()}
        assert min(len(drawn), 2) == colors
        assert len(tree.plot(by="weight").collections[0].get_edgecolors()) > 1


def test_points_of_four_coordinates_are_laid_out():
    points = np.random.default_rng(0).random((20, 4))
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points))
    axes = forest.plot()
    assert axes.get_xlim() != forest.plot(points[:, :2]).get_xlim()
    assert axes.get_title().startswith("layout by edges")


def test_few_components_have_colors_that_are_far_apart():
    u = np.array([0, 1, 2, 4, 5, 7])
    ax = boruvka.minimum_spanning_forest(Graph(9, u, u + 1, np.ones(6))).plot(by="component")
    (legend,) = ax.figure.findobj(Legend)
    colors = np.array([to_rgba(line.get_color()) for line in legend.get_lines()])
    apart = [np.abs(a - b).sum() for k, a in enumerate(colors) for b in colors[:k]]
    assert len(colors) == 3
    assert min(apart) > 0.5


@pytest.mark.parametrize("coordinates", [None, "weight"])
def test_dots_of_layouts_do_not_cover_each_other(coordinates):
    """As matplotlib draws them: in pixels of the finished figure, whose legend takes a third of the width."""
    rng = np.random.default_rng(2)
    n, u = 80, np.arange(1, 80)
    names = [f"a strain with a long name, {k}" for k in range(n)]
    edges = (rng.random(n - 1) ** 2 * u).astype(int), u, rng.integers(1, 40, n - 1)
    tree = minimum_spanning_forest(Graph.from_edges(*edges, names=names))
    hospitals = [f"the hospital of the city {k}" for k in rng.integers(0, 5, n)]
    axes = tree.plot(coordinates, colors=hospitals, sizes=rng.integers(1, 9, n), labels=True)
    figure = axes.figure
    figure.savefig(io.BytesIO(), format="png")
    drawn = next(x for x in axes.collections if isinstance(x, PathCollection) and len(x.get_offsets()) == n)
    places = axes.transData.transform(drawn.get_offsets())
    radii = np.sqrt(drawn.get_sizes()) / 2 * figure.dpi / 72
    apart = np.hypot(*(places[:, None] - places).T) + 999 * np.eye(n)
    assert (apart >= 0.999 * np.add.outer(radii, radii)).all()
    texts = [text.get_window_extent() for text in axes.texts]
    others = [*figure.legends, *axes.texts]
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in texts)
    assert not any(box.overlaps(x.get_window_extent().padded(-3)) for box in texts for x in others[:1])
    assert not any(a.padded(-3).overlaps(b) for a, b in itertools.combinations(texts, 2))


def test_dots_that_move_apart_stay_inside_of_the_axes():
    rng = np.random.default_rng(7)
    n, u = 60, np.arange(1, 60)
    edges = u, rng.integers(0, 8, n - 1) % u, rng.choice([1, 3, 200], n - 1)
    tree = minimum_spanning_forest(Graph.from_edges(*edges))
    axes = tree.plot("weight", colors=list("ab" * 30), sizes=rng.integers(1, 9, n), labels=False)
    axes.figure.savefig(io.BytesIO(), format="png")
    drawn = next(x for x in axes.collections if isinstance(x, PathCollection) and len(x.get_offsets()) == n)
    places = axes.transData.transform(drawn.get_offsets())
    radii = np.sqrt(drawn.get_sizes())[:, None] / 2 * axes.figure.dpi / 72
    assert ((places - radii >= axes.bbox.min) & (places + radii <= axes.bbox.max)).all()
