"""Labels of clusters among the values that pictures show."""

import numpy as np
import pytest
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex

import boruvka
from boruvka.trees.plotting.rows import NOISE, clusters_as_texts
from boruvka.trees.plotting.style import FAINT


@pytest.mark.parametrize(
    "labels",
    [[-1, 0, 1, 0], [2, -1, 0, 1], [0, 0, -3, -2], [0, 0, 0, 1, 1, 0, 1], [-1, -1, -1]],
    ids=str,
)
def test_labels_of_clusters(labels):
    expected = [NOISE if label < 0 else str(label) for label in labels]
    assert clusters_as_texts(np.array(labels)).tolist() == expected


@pytest.mark.parametrize(
    "values",
    [
        [-1, 0, 2, 0],  # there is no 1
        [-4, 0, 1, 0],
        [1, 1, 1, 0, 0, 0],  # not in the order of their first rows: counts, perhaps
        [0, 1, 2, 3],  # ids
        [0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
        [2019, 2020, 2020],
        [],
    ],
    ids=str,
)
def test_other_numbers(values):
    values = np.array(values)
    assert clusters_as_texts(values) is values


def test_clusters_have_the_colors_of_the_condensed_tree(tmp_path):
    pytest.importorskip("sklearn")
    from boruvka.sklearn import HDBSCAN

    rng = np.random.default_rng(0)
    centers = np.stack(np.divmod(np.arange(12), 4), axis=1) * 15
    points = np.vstack(
        [centers[np.arange(360) % 12] + rng.normal(size=(360, 2)), rng.uniform(0, 60, (20, 2))]
    )
    model = HDBSCAN(12).fit(points)
    assert set(model.labels_) == set(range(-1, 12))
    axes = model.minimum_spanning_tree_.plot(points, colors=model.labels_)
    dots = next(x for x in axes.collections if isinstance(x, PathCollection) and len(x.get_offsets()) == 380)
    colors = list(map(to_hex, dots.get_facecolors()))
    of_labels = dict(zip(model.labels_.tolist(), colors, strict=True))
    assert len(set(of_labels.values())) == 13
    assert [of_labels[label] for label in model.labels_.tolist()] == colors
    assert of_labels.pop(-1) == FAINT
    assert "noise" in "".join(text.get_text() for text in axes.figure.legends[0].get_texts())
    tree = model.condensed_tree_
    (columns,) = (x for x in tree.plot().collections if isinstance(x, PolyCollection))
    faces = list(map(to_hex, columns.get_facecolors()))
    assert {label: faces[c] for c, label in enumerate(tree.label.tolist()) if label >= 0} == of_labels
    model.minimum_spanning_tree_.to_html(tmp_path / "a.html", colors=model.labels_)
    assert '"noise"' in (tmp_path / "a.html").read_text()


def test_cuts_of_a_forest_are_categories():
    forest = boruvka.minimum_spanning_forest((np.arange(29), np.arange(1, 30), np.arange(29)))
    legend = forest.plot(colors=forest.cut(3)).figure.legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["0 (28)", "1 (1)", "2 (1)"]
