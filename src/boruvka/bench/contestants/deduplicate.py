"""Graphs for those who take no parallel edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.graph import Graph

__all__ = ["lightest"]


def lightest(graph: Graph) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The lightest of parallel edges as (smaller end, larger end, weight), sorted; loops are left out."""
    low, high = np.minimum(graph.u, graph.v), np.maximum(graph.u, graph.v)
    order = np.lexsort((graph.w, high, low))
    low, high, w = low[order], high[order], graph.w[order]
    first = low != high
    first[1:] &= (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return low[first], high[first], w[first]
