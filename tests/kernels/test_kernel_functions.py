"""Vector instructions against the plain functions that they replace."""

import numpy as np
import pytest

from boruvka.kernels import kernel_functions as plain
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.kernel_functions import insert_in_lanes, lanes_near_box, lanes_within


def compare_2_by_squares(coordinates, row, first, bound, box, b, bounds):
    within = lanes_within(coordinates, row, first, bound, box, 2, 0)
    return within, lanes_near_box(coordinates, first, box, b, bounds, np.uint64(1), 2, 0)


def compare_3_by_sums(coordinates, row, first, bound, box, b, bounds):
    within = lanes_within(coordinates, row, first, bound, box, 3, 1)
    return within, lanes_near_box(coordinates, first, box, b, bounds, np.uint64(1), 3, 1)


def compare_3_by_largest(coordinates, row, first, bound, box, b, bounds):
    within = lanes_within(coordinates, row, first, bound, box, 3, 2)
    return within, lanes_near_box(coordinates, first, box, b, bounds, np.uint64(1), 3, 2)


def compare_2_by_squares_in_box(coordinates, row, first, bound, box, b, bounds):
    within = lanes_within(coordinates, row, first, bound, box, 2, 4)
    return within, lanes_near_box(coordinates, first, box, b, bounds, np.uint64(1), 2, 4)


def compare_3_by_largest_in_box(coordinates, row, first, bound, box, b, bounds):
    within = lanes_within(coordinates, row, first, bound, box, 3, 6)
    return within, lanes_near_box(coordinates, first, box, b, bounds, np.uint64(1), 3, 6)


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("d", "compare"),
    [
        (2, compare_2_by_squares),
        (3, compare_3_by_sums),
        (3, compare_3_by_largest),
        (2, compare_2_by_squares_in_box),
        (3, compare_3_by_largest_in_box),
    ],
)
def test_lanes_are_compared(d, compare):
    rng = np.random.default_rng(d)
    kernel, seen = Kernel(compare), set()
    for _ in range(50):
        coordinates = rng.integers(0, 6, (d, 40)).astype(float)
        coordinates[:, 30:] = rng.choice([np.inf, 1.0], (d, 10))
        box = np.sort(rng.integers(0, 6, (3, 2, d)), axis=1).reshape(3, 2 * d).astype(float)
        bounds = rng.choice([-1.0, 0.0, 1.0, 2.0, 9.0, np.inf], 9)
        row, first, b = (np.uint64(rng.integers(high)) for high in (30, 33, 3))
        arrays = coordinates, row, first, float(rng.integers(0, 8)), box, b, bounds
        expected = compare(*arrays)
        assert kernel(*arrays) == tuple(map(int, expected))
        seen.update(map(int, expected))
    assert len(seen) > 40


def insert_all(keys, values, new, numbers):
    for k in range(np.uint64(new.size)):
        insert_in_lanes(keys, values, np.uint64(16), new[k], numbers[k])
        insert_in_lanes(keys, values, np.uint64(8), new[k], numbers[k])


@pytest.mark.needs("numba")
@pytest.mark.parametrize("compiled", [False, True])
def test_keys_are_inserted_in_order(compiled):
    insert = Kernel(insert_all) if compiled else insert_all
    for seed in range(20):
        rng = np.random.default_rng(seed)
        keys, values = np.full(24, np.inf), np.zeros(24, np.uint32)
        keys[7] = -np.inf
        new, numbers = rng.integers(0, 9, 5 + seed).astype(float), np.arange(5 + seed, dtype=np.uint32)
        insert(keys, values, new, numbers)
        order = np.argsort(new, kind="stable")[:16]
        assert keys[8:][: order.size].tolist() == new[order].tolist()
        assert values[8:][: order.size].tolist() == order.tolist()  # of equal keys the first
        assert (keys[8 + order.size :] == np.inf).all()


def test_zeros_are_counted():
    assert plain.trailing_zeros(np.uint64(40)) == 3
    assert plain.leading_zeros(np.uint64(40)) == 58
