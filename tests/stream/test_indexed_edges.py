import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka.stream.indexed_edges import IndexedEdges, in_order


def edges_at(indices):
    indices = np.array(sorted(indices), np.int64)
    u = (indices * 7 % 50).astype(np.uint32)
    return IndexedEdges(indices, u, u + np.uint32(1), indices.astype(float) / 3)


@given(
    st.sets(st.integers(0, 99)),
    st.lists(st.tuples(st.integers(0, 19), st.integers(1, 5)), unique_by=lambda run: run[0]),
)
def test_runs_are_joined_in_the_order_of_indices(first, runs):
    """Runs have ranges of five indices, in any order; the first run has what lies between them."""
    later = [set(range(5 * k, 5 * k + size)) for k, size in runs]
    between = first.difference(*(range(min(run), max(run) + 1) for run in later)) if later else first
    joined = in_order([edges_at(between), *map(edges_at, later)])
    expected = edges_at(between.union(*later))
    for column, wanted in zip(joined, expected, strict=True):
        assert column.dtype == wanted.dtype
        assert column.tolist() == wanted.tolist()


def test_parts_of_edges():
    edges = edges_at(range(10))
    assert edges.m == 10
    assert edges.take(np.array([3, 1])).indices.tolist() == [3, 1]
    nothing = IndexedEdges.none(np.uint64, np.int8)
    assert [column.dtype for column in nothing] == [np.int64, np.uint64, np.uint64, np.int8]
