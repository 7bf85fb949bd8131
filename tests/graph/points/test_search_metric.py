"""Bounds of reduced distances hold after rounding."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka.graph import distances
from boruvka.graph.points.search_metric import (
    SEARCH_METRICS,
    difference_of,
    least_difference,
    loosen_bound,
)
from boruvka.kernels.kernel_functions import PERIODIC

positive = st.floats(0, 1e300, allow_subnormal=True)
latitudes = st.floats(-math.pi / 2, math.pi / 2) | st.sampled_from([0.0, math.pi / 2, -math.pi / 2])
longitudes = st.floats(-2 * math.pi, 2 * math.pi) | st.sampled_from([0.0, math.pi, -math.pi])
places = st.tuples(latitudes, longitudes)


@given(square=positive, steps=st.integers(-3, 3))
@settings(max_examples=300)
def test_what_is_no_farther_is_reached(square, steps):
    near = max(square + steps * math.ulp(square), 0.0)
    for distance in (distances.euclidean, distances.squared_euclidean, distances.manhattan):
        metric = SEARCH_METRICS[distance]
        weight = metric.weight(square)
        if metric.weight(near) <= weight:
            assert near < metric.rdist_bound(weight)
        assert metric.min_weight(near) <= metric.weight(near)
        assert loosen_bound(metric.rdist_bound(weight)) <= square * (1 + 2.0**-40) + 1e-321


@given(weight=positive, smaller=positive)
def test_less_than_a_reach_leaves_out_only_what_is_heavier(weight, smaller):
    for metric in SEARCH_METRICS.values():
        if loosen_bound(metric.rdist_bound(weight)) >= metric.rdist_bound(smaller):
            assert smaller < weight


@given(a=places, b=places, near=st.booleans(), scale=st.sampled_from([1e-3, 1e-8, 1e-15]))
@settings(max_examples=500)
def test_great_circles_are_bounded_by_chords(a, b, near, scale):
    if near:
        b = tuple(np.clip(np.array(a) + scale * np.array(b), [-math.pi / 2, -7], [math.pi / 2, 7]).tolist())
        b = b[0], max(min(b[1], 2 * math.pi), -2 * math.pi)
    for distance in distances.ON_SPHERE:
        metric = SEARCH_METRICS[distance]
        x, y = metric.embed(np.array([a, b]))
        square, weight, key = float(((x - y) ** 2).sum()), distance(a, b), distances.haversine(a, b)
        assert metric.weight(key) == weight
        assert square < metric.rdist_bound(weight)
        assert square < metric.rdist_bound_of_key(key)
        assert metric.min_weight(square) <= weight


@given(st.lists(st.floats(0, 7, exclude_max=True), min_size=4, max_size=4), st.sampled_from([7.0, math.inf]))
def test_differences_in_a_box_are_bounded(ends, length):
    """Of any two points of two intervals, in the same float64 arithmetic."""
    (a, b), (c, d) = sorted(ends[:2]), sorted(ends[2:])
    least = least_difference(a, b, c, d, length, PERIODIC)
    for x in a, b, (a + b) / 2:
        for y in c, d, (c + d) / 2:
            t = difference_of(x, y, length, PERIODIC)
            assert 0 <= least <= t == difference_of(y, x, length, PERIODIC)
            assert t == min(abs(x - y), length - abs(x - y))


def test_other_metrics_have_no_geometry():
    assert distances.cosine not in SEARCH_METRICS
    in_box = set(distances.IN_BOX.values())
    assert {metric.name for plain, metric in SEARCH_METRICS.items() if plain not in in_box} == {
        "euclidean",
        "sqeuclidean",
        "manhattan",
        "chebyshev",
        "great_circle",
        "haversine",
    }
