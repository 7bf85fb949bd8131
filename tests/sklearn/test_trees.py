"""The trees of HDBSCAN as frames and pictures."""

import io
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.collections import PolyCollection
from matplotlib.text import Text

pytest.importorskip("sklearn")

from scipy import sparse
from scipy.cluster import hierarchy
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs

from boruvka import Graph, GraphError, OptionError, minimum_spanning_forest
from boruvka.sklearn import HDBSCAN

POINTS = make_blobs(200, centers=4, random_state=3)[0]
MODEL = HDBSCAN(min_cluster_size=8, min_samples=3).fit(POINTS)


@pytest.mark.filterwarnings("ignore")
def test_frames_are_those_of_hdbscan():
    hdbscan = pytest.importorskip("hdbscan")
    theirs = hdbscan.HDBSCAN(min_cluster_size=8, min_samples=2).fit(POINTS)
    mine, other = MODEL.condensed_tree_.to_pandas(), theirs.condensed_tree_.to_pandas()
    assert list(mine.columns) == list(other.columns)
    mine, other = MODEL.single_linkage_tree_.to_pandas(), theirs.single_linkage_tree_.to_pandas()
    assert list(mine.columns) == list(other.columns)
    assert isinstance(mine, pd.DataFrame)
    assert (mine["parent"].tolist(), mine["size"].iloc[-1]) == (other["parent"].tolist(), 200)
    np.testing.assert_allclose(mine["distance"], other["distance"], rtol=1e-6)
    assert hierarchy.is_valid_linkage(MODEL.single_linkage_tree_.to_numpy())


def test_columns_of_clusters():
    """As wide as the cluster has points, side by side; selected ones are coloured and labelled."""
    tree = MODEL.condensed_tree_
    axes = tree.plot()
    (columns,) = (c for c in axes.collections if isinstance(c, PolyCollection))
    paths = [path.vertices for path in columns.get_paths()]
    assert len(paths) == tree.parent.size
    for c, path in enumerate(paths):
        assert np.ptp(path[:, 0]) == pytest.approx(tree.size[c])
        assert path[:, 1].min() == pytest.approx(tree.birth[c])
    leaves = np.flatnonzero(np.bincount(tree.parent[1:], minlength=len(paths)) == 0)
    spans = sorted((paths[c][:, 0].min(), paths[c][:, 0].max()) for c in leaves)
    assert all(a[1] <= b[0] + 1e-9 for a, b in pairwise(spans))
    for c in range(1, tree.parent.size):  # in the middle of the parent
        parts = np.concatenate([paths[d][:, 0] for d in np.flatnonzero(tree.parent == tree.parent[c])])
        above = paths[tree.parent[c]][:, 0]
        assert parts.min() + parts.max() == pytest.approx(above.min() + above.max())
    chosen = np.flatnonzero(tree.selected)
    spans_of = [(path[:, 0].min(), path[:, 0].max()) for path in paths]
    chosen = sorted(chosen, key=lambda c: paths[c][:, 0].min())
    labels = [text.get_text() for text in axes.texts]
    assert labels == [f"cluster {tree.label[c]}\nn = {tree.size[c]}" for c in chosen]
    assert set(tree.label[chosen]) == set(MODEL.labels_) - {-1}
    for c in chosen:
        members = np.isin(tree.cluster, [c, *np.flatnonzero(tree.parent == c)])
        assert set(MODEL.labels_[members]) == {tree.label[c]}
    colours = columns.get_facecolors()
    assert len({tuple(colours[c]) for c in chosen}) == len(chosen)
    lines = axes.collections[1]  # straight down from columns to where lines turn to labels
    for c, text, line in zip(chosen, axes.texts, lines.get_segments(), strict=True):
        top = (spans_of[c][0] + spans_of[c][1]) / 2, paths[c][:, 1].max()
        assert line.tolist() == pytest.approx(np.array([top, (top[0], axes.get_ylim()[0])]))
        assert text.xy == pytest.approx(line[1])
        assert text.arrow_patch.get_edgecolor() == tuple(colours[c])
        for part in np.flatnonzero(tree.parent == c):
            assert colours[part].tolist() == [*colours[c][:3], 0.35]
    axes.figure.savefig(io.BytesIO(), format="png")


def test_components_and_equal_points_are_drawn():
    """Merges at an infinite distance, and points that never leave."""
    blocks = [np.abs(np.subtract.outer(x, x)) for x in (np.arange(9.0), np.repeat([0.0, 3.0], 6))]
    graph = sparse.block_array([[sparse.coo_array(blocks[0] + 1), None], [None, blocks[1] + 1]]).tocsr()
    graph.data -= 1  # zeros are stored
    model = HDBSCAN(min_cluster_size=3, min_samples=2, metric="precomputed").fit(graph)
    assert np.isinf(model.single_linkage_tree_.linkage[-1, 2])
    assert np.isinf(model.condensed_tree_.departure).any()
    for axes in model.condensed_tree_.plot(), model.single_linkage_tree_.plot(height=1.0):
        axes.figure.savefig(io.BytesIO(), format="png")
        assert np.isfinite(axes.get_ylim()).all()
    assert np.isfinite(model.relative_validity_)
    assert model.relative_validity_ > 0


def test_no_clusters():
    model = HDBSCAN(min_cluster_size=30).fit(POINTS[:40])
    assert not model.condensed_tree_.selected.any()
    axes = model.condensed_tree_.plot()
    assert axes.texts[:] == []
    assert axes.get_title("left") == "no clusters"


@pytest.mark.parametrize("how", [{}, {"allow_single_cluster": True}, {"cluster_selection_method": "leaf"}])
@pytest.mark.parametrize("centers", [1, 4])
def test_numbers_of_points_are_those_of_the_labels(how, centers):
    """A root that is selected has fewer points than there are: noise leaves it."""
    points = make_blobs(200, centers=centers, random_state=3)[0]
    points[7] = np.nan
    model = HDBSCAN(min_cluster_size=8, **how).fit(points)
    written = dict(text.get_text().split("\n") for text in model.condensed_tree_.plot().texts)
    labels, counts = np.unique(model.labels_[model.labels_ >= 0], return_counts=True)
    assert written == {f"cluster {k}": f"n = {n}" for k, n in zip(labels, counts, strict=True)}
    if centers == 1 and "allow_single_cluster" in how:
        assert 8 <= counts.sum() < 199


@pytest.mark.parametrize("method", ["eom", "leaf"])
def test_lines_of_labels_cross_no_other_cluster(method):
    """A column that a line crosses is a part of its own, in the middle of which the line is."""
    tree = HDBSCAN(4, min_samples=2, cluster_selection_method=method).fit(POINTS).condensed_tree_
    columns, lines = tree.plot().collections
    paths = [path.vertices for path in columns.get_paths()]
    crossed = 0
    for c, path in enumerate(paths):
        while c > 0 and not tree.selected[c]:
            c = tree.parent[c]
        own = (paths[c][:, 0].min() + paths[c][:, 0].max()) / 2
        for (x, end), _ in lines.get_segments():
            if path[:, 0].min() < x < path[:, 0].max() and end < path[:, 1].max() - 1e-9:
                assert x == pytest.approx(own)
                crossed += 1
    assert crossed == 0 or method == "eom"


def test_rows_that_are_not_finite_are_not_drawn():
    """Pictures are those of the other rows, with their numbers, and say how many are left out."""
    gaps = np.insert(POINTS, [0, 7, 7, 60], [[np.nan, 0], [np.inf, 1], [0, np.nan], [1, -np.inf]], axis=0)
    rows = np.flatnonzero(np.isfinite(gaps).all(axis=1))
    found, expected = (HDBSCAN(5, min_samples=3).fit(x) for x in (gaps, gaps[rows]))
    for name in "single_linkage_tree_", "condensed_tree_":
        axes, others = (getattr(model, name).plot() for model in (found, expected))
        assert axes.get_title("left") == "without 4 rows that are not finite"
        assert others.get_title("left") == ""
        for a, b in zip(axes.collections, others.collections, strict=True):
            for path, other in zip(a.get_paths(), b.get_paths(), strict=True):
                np.testing.assert_array_equal(path.vertices, other.vertices)
        assert [x.get_text() for x in axes.texts] == [x.get_text() for x in others.texts]
        numbers = [
            text.get_text() if "(" in text.get_text() else str(rows[int(text.get_text())])
            for text in others.get_xticklabels()
        ]
        assert [text.get_text() for text in axes.get_xticklabels()] == numbers


@pytest.mark.parametrize("layout", ["constrained", None])
@pytest.mark.parametrize("clusters", [2, 9, 25, 90])
def test_labels_do_not_overlap(clusters, layout):
    """Upright where there are many; if even these do not fit, only those of the largest clusters."""
    rng = np.random.default_rng(1)
    centres = np.repeat(np.arange(clusters) * 10.0, 12)
    points = np.concatenate([centres, np.arange(clusters) * 10.0])[:, None] + rng.normal(
        size=(13 * clusters, 1)
    )
    model = HDBSCAN(min_cluster_size=8, min_samples=2).fit(points)
    figure = pyplot.figure(figsize=(8, 4), layout=layout)
    axes = model.condensed_tree_.plot(figure.add_subplot())
    figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in axes.texts]  # without the line
    assert 0 < len(boxes) <= model.labels_.max() + 1
    count = model.labels_.max() + 1
    assert len(boxes) == count or clusters > 50
    notes = "" if len(boxes) == count else f"labels of the {len(boxes)} largest of {count} clusters"
    assert axes.get_title("left") == notes
    for a, b in pairwise(boxes):
        assert a.x1 < b.x0
    assert all(box.y0 >= 0 and box.x0 >= 0 and box.x1 <= figure.bbox.x1 for box in boxes)
    pyplot.close(figure)


def test_leaves_of_both_dendrograms_have_the_labels_of_the_index():
    points = np.random.default_rng(4).normal(size=(40, 2))
    points[[3, 20]] = np.nan
    frame = pd.DataFrame(points, [f"C-{i}" for i in range(40)], ["x", "y"])
    model = HDBSCAN(3).fit(frame)
    axes = model.single_linkage_tree_.plot(leaves=40), model.minimum_spanning_tree_.plot_dendrogram(leaves=40)
    mine, other = ([text.get_text() for text in each.get_xticklabels()] for each in axes)
    assert sorted(mine) == sorted({*frame.index} - {"C-3", "C-20"})
    assert sorted(other) == sorted(frame.index)
    large = model.single_linkage_tree_.plot(leaves=40, min_size=2).get_xticklabels()
    assert len(large) < 38
    assert {text.get_text()[0] for text in large} == {"("}
    numbers = HDBSCAN(3).fit(points).single_linkage_tree_.plot(leaves=40).get_xticklabels()
    assert [f"C-{text.get_text()}" for text in numbers] == mine


QUESTIONS = {
    "nearest": lambda tree: tree.nearest(0, 3),
    "is_unique": lambda tree: tree.is_unique,
    "network": lambda tree: tree.network(),
    "sensitivity": lambda tree: tree.sensitivity(),
    "update": lambda tree: tree.update(removed=[0]),
    "ranked": lambda tree: next(tree.ranked()),
    "steps": lambda tree: tree.steps(),
    "animate": lambda tree: tree.animate(),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_the_tree_of_a_fit_knows_no_other_edges(question, metric):
    """A question about all edges is an error, also of a forest of its graph; other questions have answers."""
    points = np.random.default_rng(0).random((12, 2))
    x = points if metric == "euclidean" else cdist(points, points)
    tree = HDBSCAN(3, metric=metric).fit(x).minimum_spanning_tree_
    made = "points(X, 'euclidean'); its min_samples=3" if metric == "euclidean" else "distances"
    for each in tree, minimum_spanning_forest(tree.graph):
        with pytest.raises(GraphError, match=re.escape(f"{question} is about all edges")) as caught:
            QUESTIONS[question](each)
        assert f"of boruvka.Graph.from_{made}" in str(caught.value)
    whole = minimum_spanning_forest(Graph.from_points(points, min_samples=3))
    assert tree.is_optimal
    assert repr(tree.hdbscan([3, 4])) == repr(whole.hdbscan([3, 4]))
    assert tree.cut(4).tolist() == whole.cut(4).tolist()


def test_axes_and_arguments_of_dendrograms():
    """Of places on a sphere, distances are radians, as in the array; arguments of SciPy have other names."""
    places = np.radians(np.random.default_rng(0).random((20, 2)))
    tree = HDBSCAN(3, metric="haversine").fit(places).single_linkage_tree_
    assert tree.plot().get_ylabel() == "distance (radians) at which clusters merge"
    drawn = minimum_spanning_forest(Graph.from_points(places)).plot_dendrogram
    for draw in tree.plot, drawn:
        with pytest.raises(OptionError, match=r"p: write leaves= .*; labels: leaves have"):
            draw(p=5, labels=list("ab"))
