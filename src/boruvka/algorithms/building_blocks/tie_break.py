"""How a component chooses one of several lightest edges, and how it finds the edge in the worklist.

The order of edges is (weight, index in the input). A component chooses by an atomic minimum of what its
edges propose. The minimum also has to yield the position of the edge in the worklist, so that hooking is a
loop over components and not a second pass over edges. There are three cases:

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


def tie_break_for(edges: EdgeList, ordered: bool) -> TieBreak:
    """Choose the tie-break for a graph and the order of its worklists.

    Parameters
    ----------
    edges : EdgeList
    ordered : bool
        Worklists are ordered by index. If they are not, there must be fewer than 2**32 edges.

    Returns
    -------
    TieBreak
    """
    index = edges.sort_keys.index_mask
    if not ordered:
        return index_and_position(index)
    return position(edges.index_dtype) if edges.sort_keys.wide else position_in_key(index)


def position_in_key(index_mask: np.uint64) -> TieBreak:
    """Make the tie-break by one minimum of keys that hold positions."""
    return TieBreak(None, position_in_key=index_mask, compared_index=ZERO, position_mask=index_mask)


def position(index_dtype: np.dtype[Any]) -> TieBreak:
    """Make the tie-break by a second minimum of positions."""
    return TieBreak(index_dtype, position_in_key=ZERO, compared_index=ZERO, position_mask=NONE)


def index_and_position(index_mask: np.uint64) -> TieBreak:
    """Make the tie-break by a second minimum of (index, position)."""
    return TieBreak(np.uint64, position_in_key=ZERO, compared_index=index_mask, position_mask=LOW_BITS)
