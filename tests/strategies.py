"""Random graphs for hypothesis: every type of weight, ties, loops, parallel edges, several components."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import Graph

INTEGERS = [np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8)]
FLOATS = [np.dtype(f"f{size}") for size in (2, 4, 8)] + [np.dtype(np.longdouble)]
WEIGHTS = INTEGERS + FLOATS
SLOW = settings(max_examples=max(6, settings.default.max_examples * 2 // 3))
"""Examples of properties that take long: 8, and 40 in the long tests."""


def values_of(dtype):
    """Weights of a type: all of its range, or few values so that there are ties."""
    if dtype.kind == "f" and dtype.itemsize > 8:
        few = st.sampled_from([np.longdouble(x) for x in (0.0, -0.0, 1.0, -1.5)])
        near_one = st.integers(-3, 3).map(lambda k: np.longdouble(1) + k * np.finfo(dtype).eps)
        return st.one_of(few, near_one, st.floats(allow_nan=False).map(np.longdouble))
    if dtype.kind == "f":
        everything = hnp.from_dtype(dtype, allow_nan=False)
        few = st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 1.0, 1.5, np.inf])
        near_one = st.integers(-2, 2).map(lambda k: 1 + k * float(np.finfo(dtype).eps))
        return st.one_of(everything, few, near_one)
    limits = np.iinfo(dtype)
    few = st.sampled_from([limits.min, limits.min + 1, 0, 1, limits.max - 1, limits.max])
    return st.one_of(hnp.from_dtype(dtype), few, st.integers(max(limits.min, -2), 2))


@st.composite
def graphs(draw, max_vertices=12, max_edges=40, dtypes=WEIGHTS):
    """Draw a graph."""
    n = draw(st.integers(1, max_vertices))
    m = draw(st.integers(0, max_edges))
    dtype = draw(st.sampled_from(dtypes))
    ends = hnp.arrays(np.int64, m, elements=st.integers(0, n - 1))
    u, v = draw(ends), draw(ends)
    if dtype.itemsize > 8:
        w = np.array(draw(st.lists(values_of(dtype), min_size=m, max_size=m)), dtype)
    else:
        w = draw(hnp.arrays(dtype, m, elements=values_of(dtype), fill=st.nothing()))
    return Graph(n, u, v, w)
