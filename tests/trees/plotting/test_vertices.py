"""Vertices with sizes and colors, and labels of vertices and edges."""

import io

import numpy as np
import pytest
from matplotlib.collections import PathCollection

from boruvka import Graph, GraphError, minimum_spanning_forest

FOREST = minimum_spanning_forest(([0, 1, 2, 3], [1, 2, 3, 4], [1.5, 2, 3, 1e6]))


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


@pytest.mark.parametrize("n", [50, 3000])
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
    axes = minimum_spanning_forest(graph).plot(sizes=graph.sizes, colors=["a", "x", "b", "b", "a", "a"])
    assert not np.array_equal(dots(axes).get_offsets()[:2], [[1, 2], [1, 3]])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["a (3)", "b (2)"]


def test_wrong_lengths():
    for name in "sizes", "colors":
        with pytest.raises(GraphError, match=rf"{name} must have a value for each of the 5 vertices, got 2"):
            FOREST.plot(**{name: [1, 2]})
