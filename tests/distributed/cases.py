"""Graphs and how their edges are distributed among ranks."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import Graph

from ..strategies import WEIGHTS, graphs

DTYPES = [dtype for dtype in WEIGHTS if dtype.itemsize <= 8]


@dataclass
class Case:
    """A graph, the rank of each edge (modulo the number of ranks), and how edges are numbered.

    ``replicated_up_to`` and ``degree`` are limits of the default strategies, low enough for small graphs.
    """

    graph: Graph
    owners: np.ndarray
    indices: str = "by rank"
    maximum: bool = False
    replicated_up_to: int = 0
    degree: int = 1
    strategies: tuple = ()


@st.composite
def cases(draw, max_ranks=8):
    """Draw a case; with few different owners, some ranks have no edges."""
    graph = draw(graphs(max_vertices=16, max_edges=40, dtypes=DTYPES))
    ranks = st.sampled_from(range(draw(st.integers(1, max_ranks))))
    return Case(
        graph,
        draw(hnp.arrays(np.int64, graph.m, elements=ranks)),
        draw(st.sampled_from(["by rank", "ascending", "any"])),
        draw(st.booleans()),
        draw(st.sampled_from([0, 4, 1 << 16])),
        draw(st.sampled_from([1, 4])),
    )
