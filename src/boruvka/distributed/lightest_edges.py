"""The lightest edge of every component, among the edges of one rank or of all ranks.

Each rank finds the smallest key among its own edges. Where every rank knows every component, an all-reduce
finds the smallest of all ranks, and a second one sends the other end of the chosen edge from the rank that
holds it. Where keys hold no index (64-bit weights that use all their bits), another all-reduce, of indices,
breaks ties: nothing is rounded.

The *choice* of a component is the edge id of the lightest edge that leaves it, or NONE. To *resolve* a choice
is to find the chosen edge among the edges of this rank, and to store its other end or its position in the
worklist.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.kernels.kernel_functions import atomic_min
from boruvka.operators import Operator
from boruvka.operators.boruvka_round import propose, propose_if_smallest
from boruvka.operators.edges import Reader
from boruvka.operators.sort_keys import NONE, U64
from boruvka.runtime.round_log import RoundLog

ALL_OF_KEY = np.uint64(0)
"""Mask of the bits of a proposed key that are replaced by a position: none."""


def lightest_edges(
    edges: EdgeView,
    components: int,
    keys_lack_index: bool,
    round_log: RoundLog,
    all_reduce_min: Callable[[NDArray[Any]], NDArray[Any]] | None = None,
) -> tuple[NDArray[np.uint64], NDArray[Any]]:
    """Choose the lightest edge of each component.

    With `Communicator.all_reduce_min`, components choose among the edges of all ranks, and a rank sends a
    key and an end for each component, and an index where keys hold none (``keys_lack_index``). Without it,
    they choose among the edges of this rank.

    Returns
    -------
    (components,) array of uint64
        The edge id of each, NONE for a component without edges.
    (components,) array
        The other end of each or, among the edges of this rank, its position in the worklist.
    """
    backend = edges.into.backend

    def minima(operator: Operator, dtype: Any, *arrays: Any) -> NDArray[Any]:
        into = backend.empty(components, dtype)
        with round_log.step("select"):
            backend.scatter_min(operator, edges.segments, into, components, edges.columns, *arrays)
        return into if all_reduce_min is None else all_reduce_min(into)

    choice = minima(propose(edges.read), np.uint64, ALL_OF_KEY)
    if keys_lack_index:
        choice = minima(break_tie(edges.read), np.uint64, choice)
    if all_reduce_min is None:
        return choice, minima(resolve_position(edges.read), np.uint64, choice)
    return choice, minima(resolve_other_end(edges.read), edges.columns.end.dtype, choice)


def lightest_arcs(
    components: int, tail: NDArray[Any], key: NDArray[np.uint64], index: NDArray[np.uint64] | None = None
) -> NDArray[np.int64]:
    """Find the position of the lightest arc of each tail that has one, in the order of the tails.

    ``index`` breaks ties where keys hold none.
    """
    best = np.full(components, NONE)
    np.minimum.at(best, tail, key)
    is_lightest = key == best[tail]
    if index is not None:
        best.fill(NONE)
        np.minimum.at(best, tail[is_lightest], index[is_lightest])
        is_lightest &= index == best[tail]
    positions = np.flatnonzero(is_lightest)
    return positions[np.argsort(tail[positions], kind="stable")]


# Operators on the edges of one rank


@functools.cache
def break_tie(read: Reader) -> Operator:
    """Make the operator that proposes the index of an edge if it has the smallest key of a component."""

    def propose_index(i, edges, best, first):
        """Propose the index of edge i."""
        a, b, key, index = read(i, edges)
        if a != b:
            propose_if_smallest(a, b, key, index, best, first)

    return propose_index


@functools.cache
def resolve_other_end(read: Reader) -> Operator:
    """Make the operator that stores the other end of an edge for a component whose choice it is."""

    def store_other_ends(i, edges, choice, other):
        """Store the ends of edge i for each other."""
        a, b, _, edge_id = read(i, edges)
        if a != b:
            store_if_chosen(a, edge_id, choice, b, other)
            store_if_chosen(b, edge_id, choice, a, other)

    return store_other_ends


@functools.cache
def resolve_position(read: Reader) -> Operator:
    """Make the operator that stores the position of an edge for a component whose choice it is."""

    def store_position(i, edges, choice, position):
        """Store the position of edge i."""
        a, b, _, edge_id = read(i, edges)
        store_if_chosen(a, edge_id, choice, U64(i), position)
        store_if_chosen(b, edge_id, choice, U64(i), position)

    return store_position


def store_if_chosen(c, edge_id, choice, value, resolved):
    """If an edge is the choice of component c, store a value for c; at most one edge of a rank is."""
    if edge_id == choice[c] and edge_id != NONE:
        atomic_min(resolved, c, value)
