"""The lightest edge of every component, over all ranks, where every rank knows every component.

Each rank finds the smallest key among its edges, and one minimum over the ranks the smallest of all. Where
keys hold no index (64-bit weights that use their bits), a second one over indices decides between equal
keys: nothing is rounded. The rank that has the edge then tells all where it leads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.base import Backend, Operator
from boruvka.cluster import operators as op
from boruvka.cluster.share import Work
from boruvka.cluster.world import World

__all__ = ["ENDS", "LABELLED", "Looking", "lightest"]


class Looking(NamedTuple):
    """How an edge finds its components."""

    offer: Operator
    claim: Operator
    tell: Operator


ENDS = Looking(op.offer_edge, op.claim_edge, op.tell_edge)
LABELLED = Looking(op.offer_labelled, op.claim_labelled, op.tell_labelled)


def lightest(
    world: World, backend: Backend, work: Work, components: int, look: Looking = ENDS, *labels: Any
) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """Find the name of the lightest edge of each component, NONE where there is none, and its other end.

    Sends one key and one end for each component, and an index where keys hold none.
    """
    step, whole = world.journal.step, backend.split(work[0].size)
    edges = (*work[:3], work[-1], *labels)
    choice = backend.empty(components, np.uint64)
    with step("select"):
        backend.minimum(look.offer, whole, choice, components, *edges)
    world.minimum(choice)
    if len(work) > 3:
        best, choice = choice, backend.empty(components, np.uint64)
        with step("select"):
            backend.minimum(look.claim, whole, choice, components, *edges, best)
        world.minimum(choice)
    other = backend.empty(components, work[0].dtype)
    with step("select"):
        backend.minimum(look.tell, whole, other, components, *edges, choice)
    return choice, world.minimum(other)
