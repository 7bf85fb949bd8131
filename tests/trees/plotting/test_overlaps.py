"""Discs that are moved apart, against a look at all pairs."""

import itertools

import numpy as np
import pytest

import boruvka
from boruvka.trees.plotting.overlaps import separated


def covered(points, radii):
    pairs = itertools.combinations(range(len(radii)), 2)
    return [(i, j) for i, j in pairs if np.hypot(*(points[i] - points[j])) < radii[i] + radii[j]]


@pytest.mark.parametrize("seed", range(5))
def test_no_disc_covers_another(seed):
    rng = np.random.default_rng(seed)
    radii = rng.choice([3.0, 4, 5, 15], 150, p=[0.4, 0.3, 0.2, 0.1])
    radii[0] = 40
    points = rng.normal(0, 120, (150, 2))
    points[5:9] = points[0]
    assert len(covered(points, radii)) > 20
    found = separated(points, radii)
    assert covered(found, radii) == []
    assert np.hypot(*(found[0] - points[0])) < 20  # a large disc stays near its place
    np.testing.assert_array_equal(separated(found, radii), found)


def test_discs_that_need_not_move():
    points = np.array([[0, 0], [10, 0], [0, 10.0]])
    np.testing.assert_array_equal(separated(points, np.array([5, 4, 0])), points)
    assert separated(np.empty((0, 2)), np.empty(0)).shape == (0, 2)
    both = separated(np.zeros((2, 2)), np.zeros(2))
    assert not both.any()  # nothing covers nothing


def test_a_picture_without_covered_dots():
    pytest.importorskip("matplotlib").use("Agg")
    rng = np.random.default_rng(2)
    u = np.array([rng.integers(0, max(1, k // 5)) for k in range(1, 120)])
    tree = boruvka.minimum_spanning_forest((u, np.arange(1, 120), np.ones(119)))
    sizes = rng.choice([1, 1, 1, 2, 30], 120)
    axes = tree.plot(sizes=sizes)
    (dots,) = [each for each in axes.collections if len(each.get_offsets()) == 120]
    places = 72 / axes.figure.dpi * axes.transData.transform(dots.get_offsets())
    radii = np.sqrt(np.broadcast_to(dots.get_sizes(), 120)) / 2
    assert covered(places, 0.99 * radii) == []
