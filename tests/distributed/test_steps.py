"""What ranks do between messages, without any."""

import math
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from mpi4py import MPI

from boruvka import Graph
from boruvka.backends import get_backend
from boruvka.distributed import by_edges, filter_boruvka
from boruvka.distributed import local_solve as local
from boruvka.distributed.communicator import World
from boruvka.distributed.labels import number_components
from boruvka.distributed.lightest_edges import ARCS, EDGES, lightest
from boruvka.distributed.local_edges import Share, compact
from boruvka.distributed.partitioned_components import Dealt
from boruvka.distributed.replicated_components import Replicated
from boruvka.distributed.root_finding import fix_here
from boruvka.distributed.strategies import strategy_for
from boruvka.distributed.unique_ids import distinct
from boruvka.distributed.vertex_partition import Blocks
from boruvka.errors import OptionError
from boruvka.forest.exact_sum import combine_sums, exact_sum, partial_sum
from boruvka.forest.round_log import RoundLog
from boruvka.formats.format import Part
from boruvka.formats.text.lines import Text
from boruvka.operators.sort_keys import NONE, sort_keys_of

from ..oracles import components, kruskal
from ..strategies import graphs
from .cases import DTYPES

BACKEND = get_backend("interpreted", 1)


@given(st.integers(0, 50), st.integers(1, 9))
def test_blocks_have_every_vertex_once(n, ranks):
    x = np.arange(n, dtype=np.uint32)
    blocks = [Blocks(n, ranks, rank) for rank in range(ranks)]
    assert np.concatenate([block.own(np.uint32) for block in blocks]).tolist() == x.tolist()
    for block in blocks:
        assert np.all(block.owner(block.own(np.uint32)) == block.rank)
        assert block.local(block.own(np.uint32)).tolist() == list(range(block.size))


@given(st.integers(0, 50), st.integers(1, 9))
def test_parts_have_every_edge_once(m, ranks):
    edges = list(range(m))
    assert [i for k in range(ranks) for i in edges[Part(k, ranks).slice(m)]] == edges


@given(st.lists(st.sampled_from([b"", b"1", b"12 3", b"4 5 6"])), st.integers(1, 5), st.booleans())
def test_parts_of_text_have_every_line_once(lines, ranks, ends):
    content = b"head\n" + b"\n".join(lines) + b"\n" * ends
    cuts = [Text("", content).cut(5, k, ranks) for k in range(ranks)]
    assert b"".join(content[begin : text.size] for text, begin in cuts) == content[5:]
    for text, begin in cuts:
        assert begin == 5 or content[begin - 1 : begin] == b"\n" or begin == text.size


def share_of(graph, first=0, index=None):
    order = sort_keys_of(graph.w, index_bits=10)
    return Share(graph, graph.n, graph.m, order, False, first, index, in_forest=np.zeros(graph.m, bool))


def work_of(graph):
    return local.gapless(*share_of(graph).listed(BACKEND))


def alone():
    round_log = RoundLog()
    round_log.begin("test", 0, 0)
    return World(MPI.COMM_SELF, round_log)


@given(graphs(dtypes=DTYPES), st.randoms())
def test_a_list_in_any_order_is_joined(graph, random):
    work, order = work_of(graph), share_of(graph).order
    shuffled = random.sample(range(work[0].size), work[0].size)
    forest, tree = local.joined([column[shuffled] for column in work], graph.n, order, BACKEND)
    assert (forest[-1] & order.index_mask).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)
    assert tree.tolist() == components(graph.n, graph.u, graph.v)


@given(graphs(dtypes=DTYPES))
def test_survivors_are_the_forest_in_order(graph):
    order = share_of(graph).order
    kept = local.survivors(work_of(graph), graph.n, order, BACKEND)
    assert (kept[-1] & order.index_mask).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)


@given(graphs(dtypes=DTYPES), st.booleans())
def test_names_of_other_ranks_are_not_for_this_one(graph, listed):
    index = np.arange(graph.m, dtype=np.uint64) * np.uint64(2) + np.uint64(100) if listed else None
    share = share_of(graph, 0 if listed else 100, index)
    names = share.indices(np.arange(graph.m))
    if not share.order.wide:
        names |= np.uint64(3) << share.order.packing.index_bits
    others = np.array([3, 99, 100 + 2 * graph.m + 5], np.uint64)
    share.add(BACKEND, np.concatenate([others, names[::2], np.full(2, NONE)]))
    assert np.flatnonzero(share.in_forest).tolist() == list(range(0, graph.m, 2))


MERGERS = [by_edges.UnionFind, by_edges.PointerJumping]


@pytest.mark.parametrize("merger", MERGERS)
def test_mergers_join_what_was_chosen(merger):
    """0-1 chose each other, 2 chose 1, 4 chose 3, 3 chose 0; 5 is alone."""
    choice = np.array([10, 10, 11, 12, 13, NONE], np.uint64)
    other = np.array([1, 0, 1, 0, 3, 2**32 - 1], np.uint32)
    state = merger(BACKEND, 6, np.uint32)
    state.merge(choice, other)
    assert len(set(state.label[:5].tolist())) == 1
    assert state.label[5] == 5
    assert np.array_equal(state.label[state.label], state.label)


def test_chains_inside_a_block_are_fixed_without_a_message():
    blocks = Blocks(8, 2, 0)
    parent = np.array([0, 0, 1, 7], np.uint32)
    root, fixed = parent.copy(), np.array([True, False, False, False])
    fix_here(blocks, parent, root, fixed)
    assert fixed.tolist() == [True, True, True, False]
    assert root[:3].tolist() == [0, 0, 0]


def test_an_edge_is_offered_to_both_ends_and_an_arc_to_its_tail():
    (segments, work), world = share_of(Graph(3, [0, 1, 0], [1, 2, 2], [3, 1, 2])).listed(BACKEND), alone()
    edges = (*work, work[-1])
    for look, chosen, places in ((EDGES, [2, 1, 1], [2, 1, 1]), (ARCS, [2, 1, 3], [2, 1, 2**64 - 1])):
        choice, place = lightest(world.round_log, BACKEND, segments, edges, 3, look, wide=False)
        assert (choice & np.uint64(3)).tolist() == chosen
        assert place.tolist() == places


@given(hnp.arrays(st.sampled_from([np.uint32, np.uint64]), st.integers(0, 40), elements=st.integers(0, 9)))
def test_distinct(x):
    values, which = distinct(x)
    assert values.tolist() == sorted(set(x.tolist()))
    assert np.array_equal(values[which], x)


def test_distinct_ids_of_63_bits():
    x = np.array([2**62, 5, 2**62, 2**62 + 1], np.uint64)
    values, which = distinct(x)
    assert values.tolist() == [5, 2**62, 2**62 + 1]
    assert which.tolist() == [1, 0, 1, 2]


@given(graphs(dtypes=DTYPES), st.sampled_from([0, 1000]))
def test_vertices_are_numbered_by_looking_up_or_sorting(graph, more):
    vertices, u, v = compact(graph.n + more, graph.u, graph.v)
    assert vertices.tolist() == sorted({*graph.u.tolist(), *graph.v.tolist()})
    assert np.array_equal(vertices[u], graph.u)
    assert np.array_equal(vertices[v], graph.v)


@given(graphs(dtypes=DTYPES), st.booleans(), st.integers(0, 9), st.integers(1, 4))
def test_the_steps_of_one_rank(graph, dealt, few, dense):
    """One rank does what it does among others, rather than what one machine does."""
    share, world = share_of(graph), alone()
    with patch.multiple(filter_boruvka, FEW=few, DENSE=dense):
        if dealt:
            vertices, local = share.compact()
            forest = Dealt(local, vertices, world, BACKEND)
            filter_boruvka.solve(local, forest)
            forest.deliver()
            labels = number_components(world, forest.blocks, forest.roots())
            assert labels.tolist() == components(graph.n, graph.u, graph.v)
        else:
            filter_boruvka.solve(share, Replicated(share, world, BACKEND))
    assert np.flatnonzero(share.in_forest).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)


@given(st.lists(st.floats(allow_nan=False, width=64), max_size=30), st.integers(1, 4))
def test_parts_of_a_total_add_up_without_error(values, ranks):
    w = np.array(values, np.float64)
    whole = combine_sums([partial_sum(part) for part in np.array_split(w, ranks)], w.dtype)
    assert whole == exact_sum(w) or (math.isnan(whole) and math.isnan(exact_sum(w)))


def test_strategies_by_name():
    assert strategy_for("auto", "auto", 1000, 16).distribute == "edges"
    assert strategy_for("auto", "auto", 1000, 17).distribute == "vertices"
    assert strategy_for("auto", "auto", 2**40, 2).distribute == "vertices"
    with pytest.raises(OptionError, match="there is no merging 'iterative' of 'edges'; there are edges: "):
        strategy_for("edges", "iterative", 9, 2)
