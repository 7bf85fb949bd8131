"""Light edges first: which are light, and when a filter is used."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import generators
from boruvka.algorithms.filter_boruvka import (
    filter_pays,
    is_light,
    leaves_largest,
    light_share,
    mark_outside_largest,
    pivot_of,
    sample_key,
)
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from boruvka.operators.edges import InputEdges, read_input
from boruvka.operators.sort_keys import sort_keys_of
from tests import oracles
from tests.algorithms.solving import solve
from tests.algorithms.test_run import SMALL, denser_at_the_begin, shuffled
from tests.conftest import small_tuning
from tests.strategies import graphs


@given(
    graph=graphs(),
    maximum=st.booleans(),
    light=st.sampled_from([0.1, 1.25, 5.0]),
    connecting=st.sampled_from([0, 1]),
    few=st.sampled_from([0, 1]),
)
def test_edges_are_those_of_kruskal_however_many_are_light(graph, maximum, light, connecting, few):
    tuning = small_tuning(0)._replace(
        light_per_component=light, light_share_up_to=connecting, light_are_few_below=few
    )
    backend = Backend(tuning=tuning)
    edges, _ = solve(graph, "filter-boruvka", backend, maximum)
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)


@pytest.mark.parametrize("kind", ["uniform", "integers_8", "constant"])
@pytest.mark.parametrize("copies", [1, 2])
def test_heavy_edges_are_read_unless_the_light_ones_connect_a_graph(kind, copies):
    one = generators.complete(130, seed=1, weights=kind)
    u, v = (np.concatenate([x + np.uint32(k * one.n) for k in range(copies)]) for x in (one.u, one.v))
    graph = boruvka.Graph(copies * one.n, u, v, np.tile(one.w, copies))
    edges, rounds = solve(graph, "filter-boruvka", Backend())
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)
    assert [r.phase for r in rounds if r.edges == graph.m] == ["light", "heavy"][:copies]
    assert rounds[1].edges < graph.m / 10


@pytest.mark.parametrize(
    ("edges", "components", "expected"),
    [
        (9_000, 1_000, 1_250 / 9_000),
        (100_000, 1_000, 1 / 16),
        (500_000, 1_000, np.log(1_000) / 500),
        (10**9, 2, 1 / 1024),
    ],
)
def test_more_edges_are_light_in_a_dense_graph(edges, components, expected):
    assert light_share(edges, components, Tuning()) == pytest.approx(expected)


def test_a_filter_that_keeps_most_edges_is_used_once():
    graph = shuffled(denser_at_the_begin())
    expected = oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)
    times = []
    for kept in (0.5, 1.0):
        tuning = SMALL._replace(sort_worklist_below=10, kept_by_filter=kept)
        edges, rounds = solve(graph, "filter-boruvka", Backend(tuning=tuning))
        assert edges == expected
        times.append([r.phase for r in rounds].count("heavy"))
    assert times[0] == 1 < times[1]


@given(keys=st.lists(st.integers(0, 9), min_size=1, max_size=60), light=st.floats(0, 3, exclude_min=True))
def test_the_pivot_is_an_element_of_the_sample_in_the_order_of_edges(keys, light):
    key, edge_id = np.array(keys, np.uint64), np.arange(len(keys), dtype=np.uint64)
    in_order = sorted(zip(keys, range(len(keys)), strict=True))
    pivot = tuple(int(x) for x in pivot_of(key, edge_id, light))
    assert pivot == in_order[int(len(keys) * min(light, 0.9))]


@pytest.mark.parametrize(
    ("edges", "components", "on_cpu", "expected"),
    [(99, 10, True, False), (100, 10, True, True), (100, 60, True, False), (100, 10, False, False)],
)
def test_a_filter_needs_many_edges_for_each_component(edges, components, on_cpu, expected):
    tuning = Tuning(filter_pays_from=100, filter_pays_on_gpu_from=1000)
    assert filter_pays(edges, components, 2, tuning, on_cpu) == expected


@given(st.lists(st.integers(0, 3), min_size=1, max_size=150), st.integers(0, 3), st.randoms())
def test_edges_that_leave_the_largest_component(labels, largest, random):
    n, label = len(labels), np.array(labels, np.uint32)
    outside = np.empty((n + 63) // 64, np.uint64)
    for word in range(outside.size):
        mark_outside_largest(word, label, np.uint32(largest), outside)
    bits = np.unpackbits(outside.view(np.uint8), bitorder="little")[:n]
    np.testing.assert_array_equal(bits, label != largest)
    u, v = (np.array([random.randrange(n) for _ in range(30)], np.uint32) for _ in range(2))
    for i in range(30):
        expected = labels[u[i]] != largest or labels[v[i]] != largest
        assert bool(leaves_largest(i, u, v, outside)) == expected


@given(graph=graphs(), data=st.data())
def test_light_edges_are_the_pivot_and_the_edges_before_it(graph, data):
    if not graph.m:
        return
    keys = sort_keys_of(graph.w)
    edges, pivot = (
        InputEdges(graph.u, graph.v, keys.bits, keys.packing),
        data.draw(st.integers(0, graph.m - 1)),
    )
    key, edge_id = np.empty(1, np.uint64), np.empty(1, np.uint64)
    sample_key(read_input)(0, np.array([pivot]), edges, key, edge_id)
    weights = graph.w.tolist() if graph.w.dtype.itemsize <= 8 else list(graph.w)
    for i in range(graph.m):
        expected = (weights[i], i) <= (weights[pivot], pivot)
        assert bool(is_light(read_input)(i, edges, key[0], edge_id[0])) == expected
