"""Light edges first: which are light, and when a filter is used."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.algorithms.filter_boruvka import filter_pays, pivot_of
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve
from tests.algorithms.test_run import SMALL, denser_at_the_begin, shuffled
from tests.conftest import small_tuning
from tests.strategies import graphs


@given(graph=graphs(), maximum=st.booleans(), light=st.sampled_from([0.1, 1.25, 5.0]))
def test_edges_are_those_of_kruskal_however_many_are_light(graph, maximum, light):
    backend = Backend(tuning=small_tuning(0)._replace(light_per_component=light))
    edges, _ = solve(graph, "filter-boruvka", backend, maximum)
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)


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
