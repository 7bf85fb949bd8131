"""Random cases for hypothesis."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka.distributed import STRATEGIES

from ..strategies import WEIGHTS, graphs
from .cases import Case

DTYPES = [dtype for dtype in WEIGHTS if dtype.itemsize <= 8]


@st.composite
def cases(draw, max_ranks, strategies=9):
    """Draw a case for some strategies; with few different owners, some ranks have no edges."""
    graph = draw(graphs(max_vertices=16, max_edges=40, dtypes=DTYPES))
    ranks = st.sampled_from(range(draw(st.integers(1, max_ranks))))
    return Case(
        graph,
        draw(hnp.arrays(np.int64, graph.m, elements=ranks)),
        draw(st.sampled_from(["by rank", "ascending", "any"])),
        draw(st.booleans()),
        draw(st.sampled_from([0, 4, 1 << 16])),
        draw(st.sampled_from([1, 4])),
        tuple(draw(st.permutations(list(STRATEGIES)))[:strategies]),
        draw(st.sampled_from([0, 64])),
        draw(st.booleans()),
    )
