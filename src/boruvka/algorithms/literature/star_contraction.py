"""Borůvka's algorithm with coins: components that throw tails hang under those that throw heads.

Idea: every component throws a coin, and where the lightest edge of one leads from tails to heads, tails
hangs under heads. So what joins are stars: no component is both moved and joined to. A component that
several edges could move is moved once, by compare and swap. An edge counts for where its ends are by then:
one that led to tails may lead to heads, under which that has come. In each round two fifths of the
components are moved, where edge contraction moves more than half.

Source: document 2, K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University,
"Find Minimum Edges by Edge with Star Contraction" and, with a search by component, "... by Component with
Star Contraction"; coins thrown in parallel or in sequence (figures 2 and 3).

Why it is right: every edge that joins is the lightest of one of its two components (cut property); what
does not join in a round is looked for again. A star closes no cycle. Coins and threads decide the rounds,
not the forest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.lightest_edge import ByComponent, ByEdge, contract
from boruvka.algorithms.building_blocks.union_find import find
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators.atomics import atomic_swap_if
from boruvka.operators.sort_keys import NONE, U64

ONE, LOW = U64(1), U64(0xFFFFFFFF)


def solve(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    sequential_flips: bool = False,
    seed: int = 0,
) -> Any:
    """Find the minimum spanning forest, looking for the lightest edges by edge.

    Parameters
    ----------
    sequential_flips : bool
        Throw the coins one after the other, from one generator.
    seed : int
        Of the coins.
    """
    return run(graph, backend, round_log, ByEdge(graph, backend), sequential_flips, seed)


def solve_by_component(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    force: bool = False,
    sequential_flips: bool = False,
    seed: int = 0,
) -> Any:
    """Find it, looking for the lightest edges by component.

    Parameters
    ----------
    force : bool
        Run on a large graph too, in quadratic time.
    sequential_flips : bool
        Throw the coins one after the other, from one generator.
    seed : int
        Of the coins.

    Raises
    ------
    OptionError
        The graph is large.
    """
    lightest = ByComponent(graph, backend, force)
    return run(graph, backend, round_log, lightest, sequential_flips, seed)


def run(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    lightest: ByEdge | ByComponent,
    sequential_flips: bool,
    seed: int,
) -> Any:
    """Throw coins and join stars."""
    n, heads, state = graph.n, backend.empty(graph.n, bool), backend.empty(1, np.uint64)
    seeded = mix(U64(seed % 2**32))
    state.fill(seeded + ONE)

    def join_stars(parent, slot):
        with round_log.step("flip"):
            if sequential_flips:
                backend.for_each_in_order(flip_next, n, state, heads)
            else:
                backend.for_each(flip, n, mix(seeded ^ U64(len(round_log.rounds))), heads)
        with round_log.step("contract"):
            edges = graph.u, graph.v, lightest.chosen, lightest.index
            backend.for_each(join, n, *edges, heads, parent, slot)

    return contract(graph, backend, round_log, lightest, join_stars)


def join(c, u, v, chosen, index, heads, parent, slot):
    """If the ends of the edge that component c chose threw tails and heads, hang tails under heads, once."""
    if chosen[c] != NONE:
        i = chosen[c] & index
        a, b = find(u[i], parent), find(v[i], parent)
        tails, head = (b, a) if heads[a] else (a, b)
        if heads[a] != heads[b] and atomic_swap_if(parent, tails, tails, head):
            slot[tails] = i


def mix(x):
    """Mix 32 bits (the finalizer of MurmurHash3, Appleby 2011)."""
    x = ((x ^ (x >> U64(16))) * U64(0x85EBCA6B)) & LOW
    x = ((x ^ (x >> U64(13))) * U64(0xC2B2AE35)) & LOW
    return x ^ (x >> U64(16))


def flip(c, salt, heads):
    """Throw the coin of component c: any other could be thrown before it."""
    heads[c] = (mix((U64(c) & LOW) ^ salt) & ONE) == ONE


def flip_next(c, state, heads):
    """Throw the coin of component c after that of the one before (xorshift: Marsaglia 2003)."""
    x = state[0]
    x ^= x << U64(13)
    x ^= x >> U64(7)
    x ^= x << U64(17)
    state[0] = x
    heads[c] = ((x >> U64(32)) & ONE) == ONE
