"""The lightest edge of each component, chosen by atomic minima.

The order of edges is (weight, index in the input). A component chooses by an atomic minimum of what its
edges propose. The minimum also has to yield the position of the edge, so that hooking is a loop over
components and not a second pass over edges. There are three cases:

position in key
    One minimum. A key holds weight and index; when an edge is proposed, its position in the worklist
    replaces the index. The worklist is ordered by index, so positions compare as indices do.
position
    Weight and index do not fit one key, which is the weight key alone. A second minimum, over the edges whose
    key is the smallest, finds the first position. The worklist is ordered by index.
index and position
    The worklist is in no order. A second minimum finds the smallest pair (index, position).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.backends.primitives import Backend
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.boruvka_round import POSITION_BITS
from boruvka.operators.sort_keys import NONE, U64

ZERO, LOW_BITS = U64(0), (U64(1) << POSITION_BITS) - U64(1)


class TieBreak(NamedTuple):
    """One of the three cases as masks, so that operators need no branches."""

    second_minimum: Any
    """Type of the values of the second minimum, or None if one minimum is enough."""
    position_in_key: np.uint64
    """Bits of a proposed key that hold the position."""
    compared_index: np.uint64
    """Bits of an edge id that the second minimum compares before the position."""
    position_mask: np.uint64
    """Bits of a chosen value that are the position."""


def tie_break_for(graph: EdgeList, ordered: bool) -> TieBreak:
    """Choose the tie-break for a graph, and worklists that are ordered by index or not."""
    index = graph.sort_keys.index_mask
    if not ordered:
        return TieBreak(np.uint64, ZERO, compared_index=index, position_mask=LOW_BITS)
    if graph.sort_keys.keys_lack_index:
        return TieBreak(graph.index_dtype, ZERO, compared_index=ZERO, position_mask=NONE)
    return TieBreak(None, position_in_key=index, compared_index=ZERO, position_mask=index)


class LightestEdges:
    """The edge that each component chooses in a round.

    Parameters
    ----------
    graph : EdgeList
    backend : Backend
    ordered : bool
        Worklists are ordered by index. If they are not, there must be fewer than 2**32 edges.

    Attributes
    ----------
    may_tie : bool
        Several edges of a component may have the smallest key: `break_ties` follows `propose`.
    none : scalar
        The choice of a component without edges.
    position_mask : uint64
    """

    def __init__(self, graph: EdgeList, backend: Backend, ordered: bool = True):
        self._backend, self._tie_break = backend, tie_break_for(graph, ordered)
        second = self._tie_break.second_minimum
        self.may_tie = second is not None
        self._best = backend.empty(graph.n, np.uint64)
        self._first_tied = backend.empty(graph.n if self.may_tie else 0, second or np.uint64)
        self.none = ~self.chosen.dtype.type(0)
        self.position_mask = self._tie_break.position_mask

    @property
    def chosen(self) -> Any:
        """(n,) array of choices: the position of the edge is in the bits of ``position_mask``."""
        return self._first_tied if self.may_tie else self._best

    def propose(self, edges: EdgeView, components: int) -> None:
        """Find the smallest key of each component: edges propose themselves to those at their ends."""
        proposed = edges.packed, self._tie_break.position_in_key
        propose = round_ops.propose(edges.read)
        self._backend.scatter_min(propose, edges.segments, self._best, components, *proposed)

    def break_ties(self, edges: EdgeView, components: int) -> None:
        """Find the first of the edges with the smallest key of each component, if there may be several."""
        tied = edges.packed, self._best, self._tie_break.compared_index
        break_tie = round_ops.break_tie(edges.read)
        self._backend.scatter_min(break_tie, edges.segments, self._first_tied, components, *tied)
