"""What ranks do between messages, without any."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.backends import get_backend
from boruvka.cluster import by_edges, by_vertices, contract_first, local
from boruvka.cluster.blocks import Blocks
from boruvka.cluster.choosing import ENDS
from boruvka.cluster.roots import fix_here
from boruvka.cluster.share import Share
from boruvka.cluster.strategies import strategy_for
from boruvka.errors import OptionError
from boruvka.formats.format import Part
from boruvka.formats.text import Text
from boruvka.order import NONE, order_of
from boruvka.totals import parts_of, total

from ..oracles import kruskal
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


def share_of(graph, first=0):
    return Share(graph, graph.m, order_of(graph.w), False, first)


def work_of(graph):
    return share_of(graph).listed(BACKEND)


@given(graphs(dtypes=DTYPES))
def test_a_list_is_solved_alone(graph):
    work = work_of(graph)
    if not work[0].size:
        return
    kept, vertices, component = local.solve_here(work, BACKEND)
    names = work[-1] & share_of(graph).order.index_mask
    assert sorted(names[kept].tolist()) == kruskal(graph.n, graph.u, graph.v, graph.w)
    assert vertices.tolist() == sorted({*graph.u[names].tolist(), *graph.v[names].tolist()})
    place = dict(zip(vertices.tolist(), component.tolist(), strict=True))
    assert all(place[int(graph.u[i])] == place[int(graph.v[i])] for i in names.tolist())


@given(graphs(dtypes=DTYPES))
def test_survivors_are_the_forest_in_order(graph):
    order = order_of(graph.w)
    kept = local.survivors(work_of(graph), graph.n, order, BACKEND)
    assert (kept[-1] & order.index_mask).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)


@given(graphs(dtypes=DTYPES))
def test_places_and_indices(graph):
    share = share_of(graph, first=100)
    places = np.arange(graph.m)
    indices = share.indices(places)
    assert indices.tolist() == list(range(100, 100 + graph.m))
    more = np.concatenate([indices, np.array([3, 99, 100 + graph.m], np.uint64)])
    assert share.places(more).tolist() == places.tolist()
    sparse = Share(graph, 0, share.order, False, 0, indices * np.uint64(3))
    assert sparse.places(np.concatenate([sparse.indices(places), more + np.uint64(1)])).size >= graph.m


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


def test_components_are_numbered_alike():
    choice = np.array([10, 10, NONE, 12, 12], np.uint64)
    other = np.array([1, 0, 0, 4, 3], np.uint32)
    living, number = contract_first.merge(BACKEND, choice, other)
    assert living == 2
    assert number[[0, 1, 3, 4]].tolist() == [0, 0, 1, 1]


def test_renamed_edges_leave_when_their_ends_have_met():
    end, other = np.array([0, 1, 2], np.uint32), np.array([1, 2, 3], np.uint32)
    key = np.array([5, 6, 7], np.uint64)
    end, link, key = contract_first.renamed(
        BACKEND, (end, end ^ other, key), np.array([0, 0, 1, 2], np.uint32)
    )
    assert (end.tolist(), (end ^ link).tolist(), key.tolist()) == ([0, 1], [1, 2], [6, 7])


def test_the_lightest_of_parallel_arcs_stays():
    tail, head = np.array([3, 3, 4, 3]), np.array([4, 4, 3, 5])
    key, home = np.array([9, 8, 8, 7], np.uint64), np.arange(4, dtype=np.uint32)
    arcs = by_vertices.without_parallel(by_vertices.Arcs(tail, head, home, key))
    assert sorted(zip(arcs.tail.tolist(), arcs.head.tolist(), arcs.home.tolist(), strict=True)) == [
        (3, 4, 1),
        (3, 5, 3),
        (4, 3, 2),
    ]


def test_chains_inside_a_block_are_fixed_without_a_message():
    blocks = Blocks(8, 2, 0)
    parent = np.array([0, 0, 1, 7], np.uint32)
    root, fixed = parent.copy(), np.array([True, False, False, False])
    fix_here(blocks, parent, root, fixed)
    assert fixed.tolist() == [True, True, True, False]
    assert root[:3].tolist() == [0, 0, 0]


def test_an_edge_is_offered_to_both_ends():
    work = work_of(Graph(3, [0, 1, 0], [1, 2, 2], [3, 1, 2]))
    best = np.full(3, NONE)
    for i in range(3):
        ENDS.offer(i, *work, work[-1], best)
    assert (best & np.uint64(3)).tolist() == [2, 1, 1]


@given(st.lists(st.floats(allow_nan=False, width=64), max_size=30), st.integers(1, 4))
def test_parts_of_a_total_add_up_without_error(values, ranks):
    w = np.array(values, np.float64)
    parts = np.array([x for part in np.array_split(w, ranks) for x in parts_of(part)], np.float64)
    whole = total(w)
    assert total(parts) == whole or (math.isnan(total(parts)) and math.isnan(whole))


def test_strategies_by_name():
    assert strategy_for("auto", "auto", 1000).distribute == "edges"
    assert strategy_for("auto", "auto", 2**40).distribute == "vertices"
    with pytest.raises(OptionError, match="there is no merging 'iterative' of 'edges'; there are edges: "):
        strategy_for("edges", "iterative", 9)
