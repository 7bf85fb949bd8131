"""Maps are checked by what their collections hold, and by their pixels."""

import io
import sys

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

import boruvka
from boruvka import Graph, minimum_spanning_forest
from boruvka.errors import GraphError, MissingExtraError, OptionError
from boruvka.trees.plotting.style import FAINT, shades

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
        ends = path.vertices.reshape(-1, 4).tolist()
        lines.setdefault(tuple(np.round(color, 6).tolist()), []).extend(map(tuple, ends))
    return {color: sorted(ends) for color, ends in lines.items()}


def rounded(color):
    return tuple(np.round(to_rgba(color), 6).tolist())


def label_vertices(legend):
    return [text.get_text() for text in legend.get_texts()]


def test_edges_by_round(forest):
    axes = forest.plot(POINTS)
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
    bar = axes.figure.axes[1]
    labels = [label.get_text() for label in bar.get_yticklabels()]
    assert (labels[0], labels[-1]) == ("1 lightest", "9 heaviest")


@pytest.mark.parametrize("weights", [[-3, -2, -1], [np.inf, 1e300, -np.inf], [7, 7, 7]])
def test_any_weights_have_colors(weights):
    forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], weights), backend="interpreted")
    axes = forest.plot(POINTS[:4], by="weight")
    axes.figure.canvas.draw()
    assert len(lines_of(axes.collections[0])) == len(set(weights))


def test_graph_edges_are_beneath(forest):
    below, edges = forest.plot(POINTS, graph_edges=True).collections
    assert lines_of(below) == {
        rounded(FAINT): [(0, 0, 1, 0), (0, 0, 3, 0), (0, 5, 1, 5), (1, 0, 2, 0), (2, 0, 3, 0)]
    }
    assert len(lines_of(edges)) == 2
    points = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(POINTS))
    assert len(lines_of(points.plot().collections[0])) >= 1
    with pytest.raises(OptionError, match="graph_edges=True is for a graph that lists its edges"):
        points.plot(graph_edges=True)


def test_edges_across_a_box_are_drawn_at_both_sides():
    points = [[0.5, 1], [3.5, 1], [1.0, 8]]
    forest = minimum_spanning_forest(Graph.from_points(points, box=[4, np.inf]))
    (found,) = lines_of(forest.plot(by="component").collections[0]).values()
    assert found == [(0.5, 1, -0.5, 1), (0.5, 1, 1, 8), (4.5, 1, 3.5, 1)]
    given = forest.plot(points, by="component", weights=True).collections[0]
    assert list(lines_of(given).values()) == [[(0.5, 1, 1, 8), (0.5, 1, 3.5, 1)]]


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
    assert forest.plot(POINTS, ax=right) is right
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
    with pytest.raises(OptionError, match="by must be one of round, component, weight; got 'age'"):
        forest.plot(POINTS, by="age")
    with pytest.raises(OptionError, match="system must be one of xy, lonlat, latlon"):
        forest.plot(POINTS, system="mercator")


def test_without_matplotlib(forest, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'pip install "boruvka\[plot\]"'):
        forest.plot(POINTS)


def dots(axes):
    """Find the dots of the vertices: the collection with a place for each."""
    found = [c for c in axes.collections if isinstance(c, PathCollection) and len(c.get_offsets()) == 5]
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
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["b (3)", "a (2)"]


def test_rare_categories_are_together():
    n = 40
    forest = minimum_spanning_forest((np.arange(n - 1), np.arange(1, n), np.ones(n - 1)))
    axes = forest.plot(colors=[f"c{min(k, 15)}" for k in range(n)])
    texts = [text.get_text() for text in axes.get_legend().get_texts()]
    assert (texts[0], texts[-1], len(texts)) == ("c15 (25)", "others (6)", 11)


def test_numbers_have_a_scale():
    axes = FOREST.plot(colors=[2001, 2002, 2003, 2004, 2005])
    assert dots(axes).get_array().tolist() == [2001, 2002, 2003, 2004, 2005]
    assert len(axes.figure.axes) == 2


def test_labels():
    def texts(**how):
        return [text.get_text() for text in FOREST.plot(**how).texts]

    assert sorted(texts()) == ["0", "1", "2", "3", "4"]
    assert texts(labels=False) == []
    assert sorted(texts(labels=False, weights=True)) == sorted(["1.5", "2", "3", "1e+06"])
    assert sorted(texts(labels=True, weights=True)) == sorted([*"01234", "1.5", "2", "3", "1e+06"])


@pytest.mark.parametrize("n", [50, 1000])
def test_labels_do_not_overlap(n):
    """As matplotlib draws them; most of 50 fit, and large vertices come first."""
    points = np.random.default_rng(n).random((n, 2))
    graph = Graph.from_points(points, names=[f"town {i}" for i in range(n)])
    forest = minimum_spanning_forest(graph)
    axes = forest.plot(labels=True, weights=True, sizes=np.where(np.arange(n) == n - 1, 30, 1))
    axes.figure.savefig(io.BytesIO(), format="png")
    texts = axes.texts
    assert texts[0].get_text() == f"town {n - 1}"
    assert len(texts) > (60 if n == 50 else 200)
    boxes = np.array([text.get_window_extent().extents for text in texts])
    inside = np.minimum(boxes[:, None, 2:], boxes[:, 2:]) - np.maximum(boxes[:, None, :2], boxes[:, :2])
    inside = np.triu(inside.min(axis=2), 1)
    assert (inside > 3).sum() <= 0.02 * len(texts)  # points: widths of texts are estimates


def test_profiles_are_no_coordinates():
    """Two loci are not x and y; colors are those of the first profile of each vertex."""
    graph = Graph.from_profiles([[1, 2], [1, 2], [1, 3], [4, 5], [6, 7], [6, 8]], collapse=True)
    axes = minimum_spanning_forest(graph).plot(
        sizes=graph.profiles.sizes, colors=["a", "x", "b", "b", "a", "a"]
    )
    assert not np.array_equal(dots(axes).get_offsets()[:2], [[1, 2], [1, 3]])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a (3)", "b (2)"]


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
    assert axes.get_ylim()[1] < 5.2  # the picture shows the tree
    assert axes.get_xlim()[1] < 2.2
    assert label_vertices(tree.plot(by="component").figure.legends[0]) == ["3 vertices"]


def test_values_of_vertices_outside_of_a_steiner_tree_do_not_count():
    tree = steiner_tree()
    axes = tree.plot(sizes=[900, 1, 4, 900, 1, 900], colors=list("xaabbx"), labels=list("uvwxyz"))
    found = axes.collections[1]
    assert found.get_offsets().tolist() == POINTS[[1, 2, 4]].tolist()
    assert found.get_sizes()[1] == pytest.approx(4 * found.get_sizes()[0])
    assert label_vertices(axes.get_legend()) == ["a (2)", "b (1)"]
    assert sorted(text.get_text() for text in axes.texts) == ["v", "w", "y"]
    for values in [1, 2, 3], [1, 2, 3, 4, 5, 6, 7]:
        with pytest.raises(GraphError, match="a value for each of the 6 vertices"):
            tree.plot(sizes=values)


def test_graph_edges_around_a_steiner_tree():
    axes = steiner_tree().plot(graph_edges=True)
    below, edges = axes.collections
    assert len(lines_of(below)[rounded(FAINT)]) == 6
    assert sum(map(len, lines_of(edges).values())) == 2
    assert axes.get_xlim()[1] > 3  # the picture shows the graph


def test_a_steiner_tree_without_coordinates_is_laid_out_alone():
    tree = boruvka.steiner_tree(boruvka.generators.random(200, 800, seed=1), [0, 45])
    axes = tree.plot(graph_edges=True)
    dots = axes.lines[0].get_xydata()
    assert len(dots) == tree.vertices.size
    assert np.isfinite(dots).all()
    assert np.ptp(dots, axis=0).max() < tree.vertices.size
    axes.figure.canvas.draw()
