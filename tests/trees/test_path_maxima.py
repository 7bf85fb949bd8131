import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.trees.path_maxima import (
    LeafOrder,
    floor_log2,
    leaf_order,
    range_max,
    range_max_table,
    sort_edges,
)
from tests.strategies import WEIGHTS, values_of


def random_forest(n, shape, generator):
    """Draw the ends of a forest: each vertex but the first joins one before it, or a few none."""
    x = np.arange(1, n)
    before = {
        "path": x - 1,
        "star": 0 * x,
        "random": generator.integers(0, x),
        "legs": x - 1 - x % 2 * (x > 1),
    }
    kept = generator.random(n - 1) < 1 - 2 / n
    names = generator.permutation(n).astype(np.uint32)
    return names[x[kept]], names[before[shape][kept]]


def highest_ranks(n, u, v, order, source):
    """For each vertex the highest rank on its path from the source, -1 for none, by a search."""
    neighbours = [[] for _ in range(n)]
    for rank, i in enumerate(order):
        neighbours[u[i]].append((v[i], rank))
        neighbours[v[i]].append((u[i], rank))
    found, todo = {source: -1}, [source]
    for x in todo:
        new = [(y, rank) for y, rank in neighbours[x] if y not in found]
        found |= {y: max(found[x], rank) for y, rank in new}
        todo += [y for y, _ in new]
    return found


@pytest.mark.parametrize("shape", ["path", "star", "random", "legs"])
@pytest.mark.parametrize("n", [2, 63, 64, 65, 127, 129, 300, 1000])
def test_maxima_of_intervals_are_those_of_paths(n, shape):
    generator = np.random.default_rng(n)
    u, v = random_forest(n, shape, generator)
    w = generator.integers(0, n // 2, u.size)
    leaves = leaf_order(n, u, v, sort_edges(w, False)[0])
    assert sorted(leaves.position) == list(range(n))
    table = range_max_table(leaves.merge_rank)
    for source in generator.integers(0, n, 3).tolist():
        found = highest_ranks(n, u.tolist(), v.tolist(), leaves.order.tolist(), source)
        for x in set(range(n)) - {source}:
            first, last = sorted(leaves.position[[source, x]].astype(np.uint64))
            assert range_max(first + np.uint64(1), last, table) == found.get(x, u.size)


def test_maxima_of_every_interval():
    gap = np.random.default_rng(1).permutation(400).astype(np.int32)
    table = range_max_table(gap)
    for first in range(400):
        expected = np.maximum.accumulate(gap[first:])
        got = [range_max(np.uint64(first), np.uint64(last), table) for last in range(first, 400)]
        assert np.array_equal(got, expected)


@given(data=st.data(), dtype=st.sampled_from([x for x in WEIGHTS if x.itemsize <= 8]), maximum=st.booleans())
def test_edges_ascend_by_weight_then_index(data, dtype, maximum):
    w = np.array(data.draw(st.lists(values_of(dtype), max_size=40)), dtype)
    check_order(w, maximum)


def check_order(w, maximum):
    order, weights = sort_edges(w, maximum)
    values = w.tolist()
    expected = sorted(range(w.size), key=lambda i: ((-1 if maximum else 1) * values[i], i))
    assert order.tolist() == expected
    assert weights.tolist() == [values[i] for i in expected]


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("step", [1, -1])
def test_weights_that_differ_in_their_last_bits(step, maximum):
    """Beside a large range they have one packed number; exchanges of neighbours would take quadratic time."""
    near_one = 1 + np.arange(1000)[::step] * np.finfo(float).eps
    check_order(np.concatenate([[1e300], near_one, [-1e300], near_one, [-0.0, 0.0]]), maximum)


def test_the_first_cycle_in_the_order_of_weights():
    u, v = np.array([[0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3]], np.uint32)
    assert leaf_order(6, u, v, sort_edges(np.array([1, 2, 9, 3, 3, 3]), False)[0]) == 5
    assert leaf_order(6, u, v, sort_edges(np.array([1, 2, 9, 3, 3, 3]), True)[0]) == 5
    assert leaf_order(6, u, v, sort_edges(np.array([1, 2, 9, 0, 0, 0]), True)[0]) == 0
    assert isinstance(leaf_order(7, u[:2], v[:2], sort_edges(np.array([1, 2]), True)[0]), LeafOrder)


def test_floor_log2():
    for x in (1, 2, 3, 4, 7, 8, 2**40 - 1, 2**40):
        assert floor_log2(np.uint64(x)) == x.bit_length() - 1
