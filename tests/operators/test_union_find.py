"""Union-find against labels by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.operators.union_find import (
    find,
    is_root,
    make_set,
    pointer_jump,
    store_root,
    union,
    union_by_rank,
)
from tests.oracles import components, numbered

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20)


@pytest.mark.parametrize("by_rank", [False, True])
@given(PAIRS)
def test_trees_are_components(by_rank, pairs):
    parent, rank = np.empty(10, np.uint64), np.zeros(10, np.uint8)
    for x in range(10):
        make_set(np.uint64(x), parent)
    joined = []
    for a, b in np.array(pairs, np.uint64).reshape(-1, 2):
        joined.append(union_by_rank(a, b, parent, rank) if by_rank else union(a, b, parent))
    u, v = np.array(pairs, np.int64).reshape(-1, 2).T
    expected = components(10, u, v)
    assert sum(map(bool, joined)) == 10 - len(set(expected))
    roots = np.empty(10, np.uint64)
    for x in range(10):
        store_root(np.uint64(x), parent, roots)
    assert numbered(roots.tolist()) == expected
    assert sum(bool(is_root(x, parent)) for x in range(10)) == len(set(expected))
    assert all(find(np.uint64(x), parent) == roots[x] for x in range(10))
    if not by_rank:  # the larger root hooks onto the smaller
        assert (roots <= np.arange(10)).all()


@given(st.lists(st.integers(0, 100), min_size=1, max_size=12))
def test_pointers_jump_to_roots(drawn):
    parent = np.array([x % (k + 1) for k, x in enumerate(drawn)], np.uint64)
    roots = parent.copy()
    for x in range(parent.size):
        while roots[x] != parent[roots[x]]:
            roots[x] = parent[roots[x]]
    steps = 0
    while sum(bool(pointer_jump(x, parent)) for x in range(parent.size)):
        steps += 1
    np.testing.assert_array_equal(parent, roots)
    assert steps <= max(parent.size.bit_length(), 1)
