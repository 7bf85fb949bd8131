"""Maps are checked by what their collections hold, and by their pixels."""

import sys

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

import boruvka
from boruvka.errors import MissingExtraError, OptionError
from boruvka.trees.plotting.style import FAINT, shades

POINTS = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [0, 5], [1, 5]], float)


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
