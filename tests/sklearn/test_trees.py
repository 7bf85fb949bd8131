"""The trees of HDBSCAN as frames and pictures."""

import io
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PolyCollection

pytest.importorskip("sklearn")

from scipy import sparse
from scipy.cluster import hierarchy
from sklearn.datasets import make_blobs

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
    labels = [text.get_text() for text in axes.texts]
    chosen = np.flatnonzero(tree.selected)
    assert labels == [f"cluster {tree.label[c]}\nn = {tree.size[c]}" for c in chosen]
    assert set(tree.label[chosen]) == set(MODEL.labels_) - {-1}
    for c in chosen:
        members = np.isin(tree.cluster, [c, *np.flatnonzero(tree.parent == c)])
        assert set(MODEL.labels_[members]) == {tree.label[c]}
    assert len({tuple(colour) for colour in columns.get_facecolors()}) == len(labels) + 1
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
    assert model.condensed_tree_.plot().texts[:] == []
