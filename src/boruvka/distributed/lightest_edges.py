"""The lightest edge of every component, among the edges of one rank or over all ranks.

Each rank finds the smallest key among its edges. Where every rank knows every component, one minimum over
the ranks finds the smallest of all, and the rank that has that edge tells the others where it leads. Where
keys hold no index (64-bit weights that use their bits), a second minimum, of indices, decides between equal
keys: nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.protocol import Backend, Operator, Segments
from boruvka.distributed import operators as op
from boruvka.forest.round_log import RoundLog

__all__ = ["ARCS", "EDGES", "ENDS", "LABELLED", "Edges", "Looking", "lightest"]

Edges = tuple[Any, ...]
"""(end, ends_xor, key, name) of listed edges, and what else operators need to know of them."""


class Looking(NamedTuple):
    """How an edge finds its components, and what it tells those that choose it."""

    offer: Operator
    claim: Operator
    tell: Operator
    tells_place: bool = False


ENDS = Looking(op.propose_edge, op.break_tie_edge, op.tell_edge)
"""The components are the ends themselves; each is told the other."""
LABELLED = Looking(op.offer_labelled, op.claim_labelled, op.tell_labelled)
"""The components are the labels of the ends; each is told the other."""
EDGES = Looking(op.propose_edge, op.break_tie_edge, op.place_edge, tells_place=True)
"""The components are the ends themselves; each is told the edge's place."""
ARCS = Looking(op.offer_arc, op.claim_arc, op.place_arc, tells_place=True)
"""The component is the tail; it is told the arc's place."""


def of_this_rank(values: NDArray[Any]) -> NDArray[Any]:
    """Agree with nobody: what is the smallest here, is."""
    return values


def lightest(
    round_log: RoundLog,
    backend: Backend,
    segments: Segments,
    edges: Edges,
    components: int,
    look: Looking,
    *,
    wide: bool,
    agree: Callable[[NDArray[Any]], NDArray[Any]] = of_this_rank,
) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """Find the name of the lightest edge of each component, NONE where there is none, and what it tells.

    With `World.minimum` to agree by, of the edges of all ranks; that sends one key and one end for each
    component, and an index where keys hold none (``wide``).
    """

    def smallest(operator: Operator, dtype: Any, *arrays: Any) -> NDArray[Any]:
        into = backend.empty(components, dtype)
        with round_log.step("select"):
            backend.scatter_min(operator, segments, into, components, *edges, *arrays)
        return agree(into)

    choice = smallest(look.offer, np.uint64)
    if wide:
        choice = smallest(look.claim, np.uint64, choice)
    return choice, smallest(look.tell, np.uint64 if look.tells_place else edges[0].dtype, choice)
