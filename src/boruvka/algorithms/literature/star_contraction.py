"""Borůvka's algorithm with random mates: components with tails hook onto components with heads.

Idea: every component flips a coin. If the lightest edge of a component joins tails and heads, tails hooks
onto heads. So only stars are contracted: no component both hooks and is hooked onto. A component that
several edges could hook is hooked once, by compare and swap. The coins of an edge are those of the current
roots of its ends: after its end with tails has hooked onto a component with heads, an edge may join heads and
tails anew. A round hooks two fifths of the components, where edge contraction hooks more than half.

Source: K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University, "Find Minimum
Edges by Edge with Star Contraction" and, with a search by component, "... by Component with Star
Contraction"; coins flipped in parallel or in sequence (figures 2 and 3).

Why it is right: every edge that hooks is the lightest of one of its two components (cut property); an edge
that does not hook in a round is found again. A star closes no cycle. Coins and threads decide the
rounds, not the forest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.lightest_edge import ByComponent, ByEdge, contract
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators.atomics import atomic_swap_if
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import find

ONE, LOW = U64(1), U64(0xFFFFFFFF)


def solve(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    sequential_flips: bool = False,
    seed: int = 0,
) -> Any:
    """Find the minimum spanning forest, with a search by edge.

    Parameters
    ----------
    sequential_flips : bool
        Flip the coins one after the other, from one generator.
    seed : int
        Seed of the coins.
    """
    return _solve(graph, backend, round_log, ByEdge(graph, backend), sequential_flips, seed)


def solve_by_component(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    force: bool = False,
    sequential_flips: bool = False,
    seed: int = 0,
) -> Any:
    """Find the minimum spanning forest, with a search by component.

    Parameters
    ----------
    force : bool
        Run also on a large graph, in quadratic time.
    sequential_flips : bool
        Flip the coins one after the other, from one generator.
    seed : int
        Seed of the coins.

    Raises
    ------
    OptionError
        The graph is large, and ``force`` is not set.
    """
    return _solve(graph, backend, round_log, ByComponent(graph, backend, force), sequential_flips, seed)


def _solve(
    graph: EdgeList,
    backend: Backend,
    round_log: RoundLog,
    lightest: ByEdge | ByComponent,
    sequential_flips: bool,
    seed: int,
) -> Any:
    n, heads, state = graph.n, backend.empty(graph.n, bool), backend.empty(1, np.uint64)
    mixed_seed = mix32(U64(seed % 2**32))
    state.fill(mixed_seed + ONE)

    def hook(parent, edge_of):
        with round_log.step("flip"):
            if sequential_flips:
                backend.for_each_in_order(flip_next, n, state, heads)
            else:
                backend.for_each(flip, n, mix32(mixed_seed ^ U64(len(round_log.rounds))), heads)
        with round_log.step("contract"):
            edges = graph.u, graph.v, lightest.chosen, lightest.index_mask
            backend.for_each(hook_tails, n, *edges, heads, parent, edge_of)

    return contract(graph, backend, round_log, lightest, hook)


def hook_tails(c, u, v, chosen, index_mask, heads, parent, edge_of):
    """If the edge that component c chose joins tails and heads, hook tails onto heads, once."""
    if chosen[c] != NONE:
        i = chosen[c] & index_mask
        a, b = find(u[i], parent), find(v[i], parent)
        tails, head = (b, a) if heads[a] else (a, b)
        if heads[a] != heads[b] and atomic_swap_if(parent, tails, tails, head):
            edge_of[tails] = i


def mix32(x):
    """Mix 32 bits by the finaliser of MurmurHash3 (Appleby 2011), in 64 bits without overflow."""
    x = ((x ^ (x >> U64(16))) * U64(0x85EBCA6B)) & LOW
    x = ((x ^ (x >> U64(13))) * U64(0xC2B2AE35)) & LOW
    return x ^ (x >> U64(16))


def flip(c, salt, heads):
    """Flip the coin of component c, independently of all others."""
    heads[c] = (mix32((U64(c) & LOW) ^ salt) & ONE) == ONE


def flip_next(c, state, heads):
    """Flip the coin of component c after that of the previous component (xorshift: Marsaglia 2003)."""
    x = state[0]
    x ^= x << U64(13)
    x ^= x >> U64(7)
    x ^= x << U64(17)
    state[0] = x
    heads[c] = ((x >> U64(32)) & ONE) == ONE
