"""Kruskal's algorithm in one loop: arrays that are kept, and sorts by digits."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, generators
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.fused_kruskal import fusing_pays, solve_in_one_loop, sort_by_digit
from boruvka.backends.threads import Threads
from boruvka.backends.tuning import Tuning
from tests import oracles


def test_arrays_are_used_again_and_by_several_threads():
    backend = Threads(1)
    made = [generators.random(n, 3 * n, seed=n, weights="integers_8", dtype="int32") for n in range(2, 60)]
    edges = [EdgeList.of(graph, False, backend) for graph in made]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda each: solve_in_one_loop(each, backend).tolist(), edges))
    assert found == [oracles.kruskal(graph.n, graph.u, graph.v, graph.w) for graph in made]


def test_the_limit_is_a_tuning_constant():
    graph = EdgeList.of(Graph(3, [0, 1], [1, 2], [1, 1]), False, Threads(1))
    assert fusing_pays(graph, Threads(1))
    assert not fusing_pays(graph, Threads(1, Tuning(fusing_pays_below=3)))


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=40), st.integers(0, 60), st.integers(1, 4))
def test_digits_are_sorted_stably(keys, shift, bits):
    m = len(keys)
    key, order = np.array(keys, np.uint64), np.random.default_rng(m).permutation(m).astype(np.uint64)
    sorted_order, count = np.empty(m, np.uint64), np.empty(2**bits, np.uint64)
    with np.errstate(over="ignore"):
        arrays = key, order, np.uint64(shift), np.uint64(bits), sorted_order, count
        sort_by_digit(np.uint64(0), m, *arrays)
    digit = [k >> shift & (2**bits - 1) for k in keys]
    assert sorted_order.tolist() == sorted(order.tolist(), key=lambda i: digit[i])
