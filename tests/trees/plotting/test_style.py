import numpy as np
import pytest

from boruvka.trees.plotting import style


def relative_luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("count", [1, 2, 5, 12, 64])
def test_shades_get_darker_and_are_visible_on_white(count):
    """Also in grey: WCAG's luminance falls. 1.8 : 1 is the least contrast of a line with white."""
    luminance = [relative_luminance(color) for color in style.shades(count)]
    assert luminance == sorted(luminance, reverse=True)
    assert len(set(luminance)) == count
    assert 1.05 / (luminance[0] + 0.05) > 1.8


def test_close_components_have_colors_far_apart():
    levels = style.component_levels(np.arange(100))
    assert set(levels) == set(range(style.LEVELS))
    assert np.abs(np.diff(levels)).min() >= 4


def test_lines_are_in_the_paths_of_their_level(monkeypatch):
    monkeypatch.setattr(style, "LINES_OF_PATH", 2)
    curves = np.arange(10.0).reshape(5, 1, 2) + np.array([[0], [100]])
    ax = style.new_axes(4, 3)
    how = {"edgecolors": "rgbk", "linewidths": [1.0, 2.0, 3.0, 4.0], "linestyles": ["-", "-", "-", "--"]}
    style.draw_lines(ax, curves, np.array([1, 0, 1, 1, 3]), **how)
    (collection,) = ax.collections
    paths = collection.get_paths()
    assert [len(path.vertices) // 2 for path in paths] == [1, 2, 1, 1]
    assert paths[1].vertices.tolist() == [[0, 1], [100, 101], [4, 5], [104, 105]]
    assert paths[1].codes.tolist() == [1, 2, 1, 2]
    assert list(collection.get_linewidths()) == [1, 2, 2, 4]
    assert [dashes is None for _, dashes in collection.get_linestyles()] == [True, True, True, False]
    assert collection.get_edgecolors()[:, :3].tolist() == [[1, 0, 0], [0, 0.5, 0], [0, 0.5, 0], [0, 0, 0]]
    style.draw_lines(ax, curves[:0], np.empty(0, int), edgecolors=[], linewidths=[])
    assert ax.collections[1].get_paths() == []


def test_many_lines_are_thin():
    assert style.line_width(10, 8) == 1.8
    assert style.line_width(10**6, 8) == style.MIN_WIDTH
    assert style.MIN_WIDTH < style.line_width(20_000, 8) < 1.8
