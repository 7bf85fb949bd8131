"""Graphs and how they lie on ranks."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import Graph

from ..strategies import WEIGHTS, graphs

DTYPES = [dtype for dtype in WEIGHTS if dtype.itemsize <= 8]
MOST_RANKS = 8


@dataclass
class Case:
    """A graph, the rank that has each edge (modulo their number), and how its edges are numbered."""

    graph: Graph
    owners: np.ndarray
    indices: str = "by rank"
    maximum: bool = False
    few: int = 0
    dense: int = 1
    threads: int = 1
    strategies: tuple = ()


@st.composite
def cases(draw):
    """Draw a case; owners of few kinds leave shares empty."""
    graph = draw(graphs(max_vertices=16, max_edges=40, dtypes=DTYPES))
    ranks = st.sampled_from(range(draw(st.integers(1, MOST_RANKS))))
    owners = draw(hnp.arrays(np.int64, graph.m, elements=ranks))
    return Case(
        graph,
        owners,
        draw(st.sampled_from(["by rank", "ascending", "any"])),
        draw(st.booleans()),
        draw(st.sampled_from([0, 4, 1 << 16])),
        draw(st.sampled_from([1, 4])),
        draw(st.integers(1, 3)),
    )
