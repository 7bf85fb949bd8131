"""Borůvka's algorithm in each block of consecutive vertices first, then between what is left of them.

Idea: where the numbers of neighbours are close, as in road networks, grids and meshes, nearly every edge
lies inside a block of vertices that fits a cache. Blocks are contracted side by side, nothing shared, and
few components and edges are left for rounds over the whole.

Source: local contraction before communication, P. Sanders, M. Schimek, Engineering Massively Parallel
MST Algorithms, IPDPS 2023, section IV-A; here a block is not a process but what fits a cache.

Why it is right: a component hooks along an edge only if that is lighter than every edge that leaves the
component, those that leave the block among them (cut property). Where the lightest leaves the block, or
is as light as one that does, the component waits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.boruvka import WORKLIST, BoruvkaRounds, columns_of
from boruvka.algorithms.building_blocks import locality
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.union_find import find
from boruvka.backends.protocol import Backend, size_of
from boruvka.forest.round_log import RoundLog
from boruvka.operators.boruvka_round import break_tie, emit_input, propose_min
from boruvka.operators.sort_keys import NONE, U64

ONE = U64(1)
STALLED = U64(8)
"""A block is done when of so many components fewer than one finds another."""


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest inside of blocks, then between them."""
    n, bits = graph.n, U64(locality.BLOCK_BITS)
    blocks = ((n - 1) >> locality.BLOCK_BITS) + 1
    rounds = BoruvkaRounds(graph, backend, round_log, ordered=False)
    work = graph.empty_worklist(backend)
    round_log.begin("block", n, graph.m)
    with round_log.step("group"):
        arrays = graph.columns
        begins = backend.emit_grouped(by_block, graph.m, work, blocks + 1, *arrays, bits, U64(blocks))
    edges = columns_of(work)
    with round_log.step("cut"):
        cut = backend.empty(n, np.uint64)
        backend.scatter_min(
            propose_weight,
            [tuple(backend.to_host(begins[-2:]))],
            cut,
            n,
            *edges,
            graph.sort_keys.index_mask,
            graph.sort_keys.wide,
        )
    with round_log.step("merge"):
        ends, size = begins[1:].copy(), min(n, 1 << locality.BLOCK_BITS)
        local = [(size, np.uint64), (size if graph.sort_keys.wide else 1, np.uint64), (size, graph.u.dtype)]
        arrays = (
            *edges,
            graph.sort_keys.index_mask,
            graph.sort_keys.wide,
            cut,
            rounds.parent,
            rounds.in_forest,
        )
        backend.for_each_block(merge, blocks, local, bits, begins, ends, *arrays)
        del cut, arrays
    left = list(zip(backend.to_host(begins[:-1]), backend.to_host(ends), strict=True))
    if size_of(left):
        everyone = rounds.parent, NONE  # those without an edge leave in the next round
        left = rounds.contract(left, work, WORKLIST.contract, edges, *everyone)
        rounds.run("between", left, work)
    return rounds.forest()


def by_block(i, u, v, weight_bits, packing, bits, cut):
    """Emit given edge i unless it is a loop, by the block that it lies in, or as one that is cut."""
    keep, end, ends_xor, key, index = emit_input(i, u, v, weight_bits, packing)
    return keep, cut if ends_xor >> bits else end >> bits, end, ends_xor, key, index


def propose_weight(i, end, ends_xor, key, name, index, wide, cut):
    """Offer listed edge i by its weight alone."""
    propose_min(end[i], end[i] ^ ends_xor[i], key[i] if wide else key[i] & ~index, cut)


def merge(
    b, best, first, roots, bits, begins, left, end, ends_xor, key, name, index, wide, cut, parent, in_forest
):
    """Do rounds in block b, until nearly every component's lightest edge leaves it.

    ``best``, ``first`` and ``roots`` are this block's own; a component is there without the high bits that
    all in the block share.
    """
    begin, stop = begins[b], left[b]
    low, inside = U64(b) << bits, (ONE << bits) - ONE
    live = min(ONE << bits, U64(parent.size) - low)
    for x in range(live):
        parent[low + x] = low + x
        roots[x] = x
    merged = live
    while begin < stop and merged * STALLED > live:
        for k in range(live):
            best[roots[k]] = cut[low + roots[k]]
            if wide:
                first[roots[k]] = NONE
        for i in range(begin, stop):
            a, order = end[i] & inside, key[i] if wide else (key[i] & ~index) | i
            propose_min(a, a ^ ends_xor[i], order, best)
        if wide:
            for i in range(begin, stop):
                a = end[i] & inside
                break_tie(a, a ^ ends_xor[i], key[i], i, best, first)
        for k in range(live):
            hook_inside(roots[k], low, ends_xor, name, index, wide, cut, best, first, parent, in_forest)

        known, live = live, U64(0)
        for k in range(known):
            c = low + roots[k]
            r = find(c, parent)
            parent[c] = r
            roots[live] = c - low
            live += U64(r == c)
            cut[r] = min(cut[r], cut[c])
        merged = known - live

        known, stop = stop, begin
        for i in range(begin, known):
            a = end[i]
            r, s = parent[a], parent[a ^ ends_xor[i]]
            end[stop], ends_xor[stop], key[stop], name[stop] = r, r ^ s, key[i], name[i]
            stop += U64(r != s)
    left[b] = stop


def hook_inside(c, low, ends_xor, name, index, wide, cut, best, first, parent, in_forest):
    """Hook component c along the edge that it chose, if that is lighter than all that leave the block."""
    if best[c] < cut[low + c]:
        i = first[c] if wide else best[c] & index
        other = ends_xor[i] ^ c
        same = (first[other] == i) if wide else (best[other] == best[c])
        parent[low + c] = low + (c if same & (best[other] < cut[low + other]) & (c < other) else other)
        in_forest[U64(name[i]) & index] = True
