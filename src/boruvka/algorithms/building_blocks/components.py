"""The components of a growing forest, numbered from 0 in every round, and the edge that each chooses.

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

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.backends.primitives import Backend
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.boruvka_round import POSITION_BITS
from boruvka.operators.sort_keys import NONE, U64
from boruvka.runtime.round_log import RoundLog

ZERO, LOW_BITS = U64(0), (U64(1) << POSITION_BITS) - U64(1)


def step(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a method of an object with a ``round_log``: its time counts for this step of the round."""

    def decorate(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def timed(self, *arguments):
            with self.round_log.step(name):
                return method(self, *arguments)

        return timed

    return decorate


class Components:
    """The components of the vertices in a growing forest.

    Parameters
    ----------
    n : int
        Number of vertices.
    ids : dtype
        The type of component numbers.
    backend : Backend
    round_log : RoundLog

    Attributes
    ----------
    n_components : int
        Number of components that still have edges.
    parent : (n,) array
        The component that each component hooks onto in the current round; itself for a root.
    """

    def __init__(self, n: int, ids: Any, backend: Backend, round_log: RoundLog):
        self.ids, self.backend, self.round_log = ids, backend, round_log
        self.n_components = n
        self.parent = backend.empty(n, ids)
        self._relabellings: list[list[tuple[Any, int, int]]] = []

    @step("relabel")
    def relabel(self, chosen: Any, none: Any) -> Any:
        """Turn the hooked trees into new components; return the number of the new component of each old one.

        A root takes part in the next round if its element of ``chosen`` is not ``none``.
        """
        n, backend, parent = self.n_components, self.backend, self.parent
        label = backend.empty(n, self.ids)
        is_growing, is_finished = round_ops.is_growing_root, round_ops.is_finished_root
        self.n_components = growing = backend.number(is_growing, n, label, 0, parent, chosen, none)
        if self._relabellings:
            finished = backend.number(is_finished, n, label, growing, parent, chosen, none)
            self._relabellings[-1].append((label, growing, finished))
        backend.for_each(round_ops.relabel_to_root, n, parent, label)
        return label

    def finish(self, label: Any, trees: int) -> None:
        """Finish all components: ``label`` is the final tree of each, from 0 to ``trees - 1``."""
        if self._relabellings:
            self._relabellings[-1].append((label, 0, trees))
        self.n_components = 0

    def begin_relabelling(self) -> None:
        """Record the relabelling of every round from here on."""
        self._relabellings.append([])

    def end_relabelling(self) -> Any:
        """Compose the recorded relabellings to one label per component; finished trees become active again.

        They are composed from the last to the first, so that the first ones, the longest, are read once.
        """
        *earlier, (composed, _, trees) = self._relabellings.pop()
        self.n_components += trees
        for label, growing, finished in reversed(earlier):
            with self.round_log.step("compose labels"):
                arrays = label, growing, composed, self.n_components
                self.backend.for_each(round_ops.compose_labels, label.size, *arrays)
            composed = label
            self.n_components += finished
        if self._relabellings:
            self._relabellings[-1].append((composed, self.n_components, 0))
        return composed


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


def tie_break_for(edge_list: EdgeList, ordered: bool) -> TieBreak:
    """Choose the tie-break for a graph, and worklists that are ordered by index or not."""
    index = edge_list.sort_keys.index_mask
    if not ordered:
        return TieBreak(np.uint64, ZERO, compared_index=index, position_mask=LOW_BITS)
    if edge_list.sort_keys.keys_lack_index:
        return TieBreak(edge_list.index_dtype, ZERO, compared_index=ZERO, position_mask=NONE)
    return TieBreak(None, position_in_key=index, compared_index=ZERO, position_mask=index)


class LightestEdges:
    """The edge that each component chooses in a round.

    Parameters
    ----------
    edge_list : EdgeList
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

    def __init__(self, edge_list: EdgeList, backend: Backend, ordered: bool = True):
        self._backend, self._tie_break = backend, tie_break_for(edge_list, ordered)
        second = self._tie_break.second_minimum
        self.may_tie = second is not None
        self._best = backend.empty(edge_list.n, np.uint64)
        self._first_tied = backend.empty(edge_list.n if self.may_tie else 0, second or np.uint64)
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
