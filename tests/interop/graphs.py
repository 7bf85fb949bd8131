"""Small graphs with everything that is legal: ties, parallel edges, self-loops, isolated vertices."""

import functools

import numpy as np
from hypothesis import strategies as st

import boruvka
from boruvka import Graph

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")

EXACT = [np.int8, np.uint16, np.int64, np.uint64, np.float16, np.float32, np.float64]


@st.composite
def graphs(draw, dtypes=tuple(EXACT)):
    n = draw(st.integers(0, 8))
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    low = 0 if dtype.kind == "u" else -3
    edge = st.tuples(st.integers(0, max(n - 1, 0)), st.integers(0, max(n - 1, 0)), st.integers(low, 3))
    rows = draw(st.lists(edge, max_size=20)) if n else []
    u, v, w = np.array(rows, np.int64).reshape(-1, 3).T
    return Graph(n, u, v, w.astype(dtype))


def same(forest, other):
    """Return whether two forests have the same edges, in any order."""

    def edges(f):
        ends = np.sort(np.column_stack([f.u, f.v]).astype(np.int64), axis=1)
        return sorted(zip(*ends.T.tolist(), f.w.tolist(), strict=True))

    return forest.n == other.n and edges(forest) == edges(other)
