"""The lightest edge of every component, among the edges of one rank or of all ranks.

Each rank finds the smallest key among its own edges. Where every rank knows every component, an all-reduce
finds the smallest of all ranks, and a second one sends the other end of the chosen edge from the rank that
holds it. Where keys hold no index (64-bit weights that use all their bits), another all-reduce, of indices,
breaks ties: nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.protocol import Backend, Operator, Segments
from boruvka.distributed import operators as op
from boruvka.forest.round_log import RoundLog

__all__ = [
    "ARC_TO_POSITION",
    "EDGE_TO_OTHER_END",
    "EDGE_TO_POSITION",
    "LABELLED_TO_OTHER_END",
    "EdgeColumns",
    "SelectOperators",
    "lightest_edges",
]

EdgeColumns = tuple[Any, ...]
"""(end, ends_xor, key, edge_id) of a worklist, then what else its operators read."""


class SelectOperators(NamedTuple):
    """How edges propose themselves to components, and what a component learns of its choice."""

    propose: Operator
    break_tie: Operator
    resolve: Operator
    to_position: bool = False
    """A choice is resolved to the position of the edge in the worklist instead of its other end."""


EDGE_TO_OTHER_END = SelectOperators(op.propose_edge, op.break_tie_edge, op.resolve_edge)
"""Ends of edges are components."""
LABELLED_TO_OTHER_END = SelectOperators(op.propose_labelled, op.break_tie_labelled, op.resolve_labelled)
"""Ends of edges are vertices; their labels are components."""
EDGE_TO_POSITION = SelectOperators(op.propose_edge, op.break_tie_edge, op.resolve_edge_position, True)
"""Ends of edges are components."""
ARC_TO_POSITION = SelectOperators(op.propose_arc, op.break_tie_arc, op.resolve_arc_position, True)
"""Tails of arcs are components."""


def local_minimum(values: NDArray[Any]) -> NDArray[Any]:
    """Local minimum (no communication): return the values of this rank."""
    return values


def lightest_edges(
    round_log: RoundLog,
    backend: Backend,
    segments: Segments,
    edges: EdgeColumns,
    components: int,
    do: SelectOperators,
    *,
    wide: bool,
    all_reduce_min: Callable[[NDArray[Any]], NDArray[Any]] = local_minimum,
) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """Choose the lightest edge of each component; return its edge id or NONE, and its other end or position.

    With `Communicator.all_reduce_min`, components choose among the edges of all ranks, and a rank sends a
    key and an end for each component, and an index where keys hold none (``wide``). By default they choose
    among the edges of this rank.
    """

    def minima(operator: Operator, dtype: Any, *arrays: Any) -> NDArray[Any]:
        into = backend.empty(components, dtype)
        with round_log.step("select"):
            backend.scatter_min(operator, segments, into, components, *edges, *arrays)
        return all_reduce_min(into)

    choice = minima(do.propose, np.uint64)
    if wide:
        choice = minima(do.break_tie, np.uint64, choice)
    return choice, minima(do.resolve, np.uint64 if do.to_position else edges[0].dtype, choice)
