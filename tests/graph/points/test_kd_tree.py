"""The tree holds every point once, and boxes are as small as can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.backends import get_backend
from boruvka.graph.points import kd_tree
from tests.conftest import set_small_limits


def check(points, backend):
    n, given = points.shape
    tree = kd_tree.build(points, np.arange(n, dtype=np.uint32)[::-1].copy(), backend)
    d = tree.d
    assert d == min(compiled for compiled in kd_tree.COMPILED_DIMENSIONS if compiled >= given)
    points = np.pad(points, ((0, 0), (0, d - given)))
    assert sorted(tree.vertex.tolist()) == list(range(n))
    moved = points[n - 1 - tree.vertex.astype(int)]
    np.testing.assert_array_equal(tree.coordinates[:, :n], moved.T)
    begins = [int(kd_tree.first_row(np.uint64(leaf), tree)) for leaf in range(tree.leaves + 1)]
    sizes = np.diff(begins)
    assert begins[0] == 0
    assert begins[-1] == n
    assert sizes.max() - sizes.min() <= 1
    assert sizes.max() <= kd_tree.widest_leaf(d)
    for leaf in range(tree.leaves):
        v = tree.leaves + leaf
        rows = moved[begins[leaf] : begins[leaf + 1]]
        while v:
            assert (tree.box[v, :d] <= rows.min(axis=0)).all()
            assert (tree.box[v, d:] >= rows.max(axis=0)).all()
            v //= 2
    corners = np.concatenate([points.min(axis=0), points.max(axis=0)])
    np.testing.assert_array_equal(tree.box[1], corners)
    return tree


@given(
    n=st.integers(1, 60),
    d=st.integers(1, 4),
    values=st.sampled_from([1, 2, 5, 1000]),
    seed=st.integers(0, 99),
)
def test_trees_of_few_points(monkeypatch, n, d, values, seed):
    set_small_limits(monkeypatch, 100)
    points = np.random.default_rng(seed).integers(0, values, (n, d)).astype(float)
    check(points, get_backend("interpreted", 1))


@pytest.mark.parametrize("values", [1, 3, 10**9])
def test_trees_of_many_points(monkeypatch, values):
    monkeypatch.setattr(kd_tree, "SUBTREE", 4_000)
    points = np.random.default_rng(7).integers(0, values, (60_000, 2)).astype(float)
    tree = check(points, get_backend("threads", 2))
    if values > 3:  # leaves are small squares, in all
        corners = tree.box[tree.leaves :] / values
        area = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
        assert area.sum() < 1
