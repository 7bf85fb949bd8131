"""Borůvka's algorithm in blocks of consecutive vertices first, then between the components that are left.

Idea: where neighbours have close numbers, as in road networks, grids and meshes, nearly every edge lies
inside a block of vertices that fits a cache. Each thread contracts whole blocks on its own, and few
components and edges are left for rounds over the whole graph.

Source: local contraction before communication, P. Sanders, M. Schimek, Engineering Massively Parallel
MST Algorithms, IPDPS 2023, section IV-A; there a process owns a block, here a block fits a cache.

Why it is right: a component hooks along an edge only if that edge is lighter than every other edge that
leaves the component, including those that leave the block (cut property). A component whose lightest edge
leaves the block, or has the same weight as one that does, does not hook in this phase.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.boruvka import BoruvkaRounds
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import Worklist, columns_of
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend, Segments
from boruvka.operators.boruvka_round import propose_if_smallest, propose_min
from boruvka.operators.edges import read_input, read_worklist
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import find
from boruvka.runtime.round_log import RoundLog

ONE = U64(1)
MERGING_PAYS = U64(8)
"""A block is finished when fewer than one component in eight merges in a round."""


class Blocks(NamedTuple):
    """Positions of the edges of each block in the worklist."""

    bits: np.uint64
    """Vertex x is in block ``x >> bits``."""
    begins: Any
    ends: Any


class Keys(NamedTuple):
    """Comparison of keys: see `boruvka.operators.sort_keys`."""

    index_mask: np.uint64
    lack_index: bool


class Shared(NamedTuple):
    """Arrays of the whole graph; a block writes only the elements of its own vertices and edges."""

    cut: Any
    """For each component, the smallest weight key of its edges that leave the block."""
    parent: Any
    in_forest: Any


@algorithm(
    "block-boruvka",
    source="Borůvka 1926; local contraction first: Sanders, Schimek 2023",
    complexity="O(m log n)",
    use="sparse graphs whose edges are shuffled",
)
def block_boruvka(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest inside blocks, then between them."""
    n, bits = edge_list.n, backend.tuning.block_bits
    count = ((n - 1) >> bits) + 1
    rounds = BoruvkaRounds(edge_list, backend, round_log, ordered=False)
    keys = Keys(edge_list.sort_keys.index_mask, edge_list.sort_keys.keys_lack_index)
    worklist = Worklist.of(edge_list, backend)
    round_log.begin("block", n, edge_list.m)
    with round_log.step("group"):
        groups = edge_list.columns, U64(bits), U64(count)
        begins = backend.emit_grouped(emit_by_block, edge_list.m, worklist.columns, count + 1, *groups)
    edges = columns_of(worklist.columns)
    with round_log.step("cut"):
        cut, cut_edges = backend.empty(n, np.uint64), tuple(backend.to_host(begins[-2:]))
        backend.scatter_min(propose_weight_key, Segments.of(cut_edges), cut, n, edges, *keys)
    with round_log.step("merge"):
        size = min(n, 1 << bits)
        local = [(size, np.uint64), (size if keys.lack_index else 1, np.uint64), (size, edge_list.u.dtype)]
        blocks = Blocks(U64(bits), begins, begins[1:].copy())
        shared = Shared(cut, rounds.parent, rounds.in_forest)
        backend.for_each_block(contract_block, count, local, blocks, edges, keys, shared)
        del cut, edges, shared  # the forest will be in their memory
    pairs = zip(backend.to_host(begins[:-1]), backend.to_host(blocks.ends), strict=True)
    left = worklist.edges(Segments.of(*pairs))
    del worklist
    if left.count:
        label = rounds.relabel(rounds.parent, NONE)  # roots without an edge finish in the next round
        with round_log.step("contract"):
            left = left.contracted(label)
        rounds.do_rounds(left, "between")
    del left
    return rounds.forest()


def emit_by_block(i, edges, bits, cut):
    """Emit input edge i unless it is a loop, grouped by block; edges between blocks are group ``cut``."""
    a, b, key, edge_id = read_input(i, edges)
    return a != b, cut if (a ^ b) >> bits else a >> bits, a, a ^ b, key, edge_id


def propose_weight_key(i, edges, index_mask, lack_index, cut):
    """Propose the weight key of worklist edge i, without its index."""
    a, b, key, _ = read_worklist(i, edges)
    propose_min(a, b, key if lack_index else key & ~index_mask, cut)


def contract_block(b, best, first_tied, roots, blocks, edges, keys, shared):
    """Do rounds in block b, until the lightest edge of nearly every component leaves the block.

    ``best``, ``first_tied`` and ``roots`` are scratch arrays. They are indexed by component, without the high
    bits that all components of the block share.
    """
    low = U64(b) << blocks.bits
    begin, end = blocks.begins[b], blocks.ends[b]
    components = min(ONE << blocks.bits, U64(shared.parent.size) - low)
    for x in range(components):
        shared.parent[low + x] = low + x
        roots[x] = x
    merged = components
    while begin < end and merged * MERGING_PAYS > components:
        for k in range(components):
            best[roots[k]] = shared.cut[low + roots[k]]
            if keys.lack_index:
                first_tied[roots[k]] = NONE
        choose_inside(begin, end, (ONE << blocks.bits) - ONE, edges, keys, best, first_tied)
        for k in range(components):
            hook_inside(roots[k], low, edges, keys, best, first_tied, shared)
        before = components
        components = keep_roots(components, low, roots, shared)
        merged = before - components
        end = contract_edges(begin, end, edges, shared.parent)
    blocks.ends[b] = end


def choose_inside(begin, end, local_mask, edges, keys, best, first_tied):
    """Find the lightest edge of each component among the edges of the block, as in any round."""
    for i in range(begin, end):
        a, key = edges.end[i] & local_mask, edges.key[i]
        propose_min(a, a ^ edges.ends_xor[i], key if keys.lack_index else (key & ~keys.index_mask) | i, best)
    if keys.lack_index:
        for i in range(begin, end):
            a = edges.end[i] & local_mask
            propose_if_smallest(a, a ^ edges.ends_xor[i], edges.key[i], i, best, first_tied)


def hook_inside(c, low, edges, keys, best, first_tied, shared):
    """Hook component c along the edge that it chose, if that is lighter than all that leave the block."""
    cut, parent = shared.cut, shared.parent
    if best[c] < cut[low + c]:
        i = first_tied[c] if keys.lack_index else best[c] & keys.index_mask
        other = edges.ends_xor[i] ^ c
        same = (first_tied[other] == i) if keys.lack_index else (best[other] == best[c])
        # The smaller of two that hook onto each other is a root.
        is_root = same & (best[other] < cut[low + other]) & (c < other)
        parent[low + c] = low + (c if is_root else other)
        shared.in_forest[U64(edges.edge_id[i]) & keys.index_mask] = True


def keep_roots(components, low, roots, shared):
    """Find the root of each component, and keep the roots as components; return how many there are."""
    kept = U64(0)
    for k in range(components):
        c = low + roots[k]
        r = find(c, shared.parent)
        shared.parent[c] = r
        roots[kept] = c - low
        kept += U64(r == c)
        shared.cut[r] = min(shared.cut[r], shared.cut[c])
    return kept


def contract_edges(begin, end, edges, parent):
    """Keep the edges of the block that join two of the new components; return the end of their range."""
    stop = begin
    for i in range(begin, end):
        a = edges.end[i]
        r, s = parent[a], parent[a ^ edges.ends_xor[i]]
        edges.end[stop], edges.ends_xor[stop] = r, r ^ s
        edges.key[stop], edges.edge_id[stop] = edges.key[i], edges.edge_id[i]
        stop += U64(r != s)
    return stop
