"""Random geometric graphs against the distances of all pairs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.generators import geometric, geometric_points
from tests.statistics import is_uniform


def brute_force(n, radius, seed):
    x, y = geometric_points(n, seed)
    i, j = np.triu_indices(n, 1)
    square = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2
    near = square <= radius * radius
    return dict(zip(zip(i[near].tolist(), j[near].tolist(), strict=True), np.sqrt(square[near]), strict=True))


@given(st.integers(1, 80), st.floats(0.001, math.sqrt(2)), st.integers(0, 1000))
def test_the_pairs_within_the_radius_are_joined(n, radius, seed):
    graph = geometric(n, radius=radius, seed=seed)
    found = dict(zip(zip(graph.u.tolist(), graph.v.tolist(), strict=True), graph.w, strict=True))
    assert len(found) == graph.m
    assert found == brute_force(n, radius, seed)


@pytest.mark.parametrize("radius", [1 / 2, 1 / 3, 1 / 10, 0.05])
def test_radii_that_divide_the_square(radius):
    graph = geometric(1000, radius=radius, seed=3)
    found = set(zip(graph.u.tolist(), graph.v.tolist(), strict=True))
    assert found == set(brute_force(1000, radius, 3))


def test_the_degree_is_met_but_for_the_border():
    n, degree = 20_000, 10
    graph = geometric(n, degree=degree, seed=1)
    radius = math.sqrt(degree / (math.pi * (n - 1)))
    inside = degree * (1 - 8 * radius / (3 * math.pi) + radius**2 / (2 * math.pi))
    assert 2 * graph.m / n == pytest.approx(inside, rel=0.02)


def test_points_are_uniform():
    for coordinate in geometric_points(20_000, seed=1):
        assert is_uniform(coordinate)
    x, y = geometric_points(20_000, seed=1)
    assert abs(np.corrcoef(x, y)[0, 1]) < 5 / 20_000**0.5


def test_weights_other_than_the_distance():
    graph = geometric(500, seed=1, weights="distinct", dtype="int32")
    np.testing.assert_array_equal(np.sort(graph.w), np.arange(graph.m))
    narrow, wide = geometric(500, seed=1, dtype="float32"), geometric(500, seed=1)
    np.testing.assert_array_equal(narrow.w, wide.w.astype(np.float32))


def test_degrees_at_the_limits():
    assert geometric(100, degree=0).m == 0
    assert geometric(20, degree=1e6).m == 190
    assert geometric(1).m == 0
