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

from boruvka.backends.primitives import Backend, Segments
from boruvka.distributed import operators as op
from boruvka.operators import Operator
from boruvka.operators.boruvka_round import propose
from boruvka.operators.edges import WorklistEdges, read_worklist
from boruvka.runtime.round_log import RoundLog

__all__ = [
    "ARC_TO_POSITION",
    "EDGE_TO_OTHER_END",
    "EDGE_TO_POSITION",
    "LABELLED_TO_OTHER_END",
    "SelectOperators",
    "lightest_edges",
]

ALL_OF_KEY = np.uint64(0)
"""Mask of the bits of a proposed key that are replaced by a position: none."""


class SelectOperators(NamedTuple):
    """Operators that propose edges to components, break ties, and resolve the chosen edges."""

    propose: Operator
    break_tie: Operator
    resolve: Operator
    to_position: bool = False
    """A choice is resolved to the position of the edge in the worklist instead of its other end."""


EDGE_TO_OTHER_END = SelectOperators(
    propose(read_worklist), op.break_tie(read_worklist), op.resolve_other_end(read_worklist)
)
"""Ends of edges are components."""
LABELLED_TO_OTHER_END = SelectOperators(
    propose(op.read_labelled_worklist),
    op.break_tie(op.read_labelled_worklist),
    op.resolve_other_end(op.read_labelled_worklist),
)
"""Ends of edges are vertices; their labels are components."""
EDGE_TO_POSITION = SelectOperators(
    propose(read_worklist), op.break_tie(read_worklist), op.resolve_position(read_worklist), True
)
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
    edges: WorklistEdges | op.LabelledWorklistEdges,
    components: int,
    do: SelectOperators,
    *,
    keys_lack_index: bool,
    all_reduce_min: Callable[[NDArray[Any]], NDArray[Any]] = local_minimum,
) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """Choose the lightest edge of each component; return its edge id or NONE, and its other end or position.

    With `Communicator.all_reduce_min`, components choose among the edges of all ranks, and a rank sends a
    key and an end for each component, and an index where keys hold none (``keys_lack_index``). By default
    they choose among the edges of this rank.
    """

    def minima(operator: Operator, dtype: Any, *arrays: Any) -> NDArray[Any]:
        into = backend.empty(components, dtype)
        with round_log.step("select"):
            backend.scatter_min(operator, segments, into, components, edges, *arrays)
        return all_reduce_min(into)

    choice = minima(do.propose, np.uint64, ALL_OF_KEY)
    if keys_lack_index:
        choice = minima(do.break_tie, np.uint64, choice)
    return choice, minima(do.resolve, np.uint64 if do.to_position else edges.end.dtype, choice)
