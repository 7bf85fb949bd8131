"""Kruskal's algorithm: in steps, in one loop, and its pass over sorted edges of a worklist."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, generators
from boruvka.algorithms.boruvka import sorted_worklist
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.algorithms.kruskal import (
    ends_of_input,
    ends_of_worklist,
    fusing_pays,
    join,
    solve_in_one_loop,
    sort_by_digit,
)
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve
from tests.conftest import small_tuning
from tests.strategies import graphs


@given(graph=graphs(), maximum=st.booleans(), in_one_loop=st.booleans())
def test_edges_are_those_of_the_oracle_in_one_loop_and_in_steps(graph, maximum, in_one_loop):
    tuning = Tuning(fusing_pays_below=1000 * in_one_loop)
    edges, (only,) = solve(graph, "kruskal", Backend(tuning=tuning), maximum)
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert list(only.seconds) == (["sort and join"] if in_one_loop else ["sort", "join", "list"])


@pytest.mark.parametrize(("n", "m"), [(99, 100), (101, 50)])
def test_the_limit_of_one_loop_holds_for_edges_and_vertices(n, m):
    graph = generators.random(n, m, seed=1)
    _, (only,) = solve(graph, "kruskal", Backend(tuning=Tuning(fusing_pays_below=100)))
    assert "sort and join" not in only.seconds


BACKENDS = [Backend(), pytest.param(Threads(3, small_tuning(0)), marks=pytest.mark.long)]


@pytest.mark.parametrize("backend", BACKENDS, ids=["interpreted", "threads"])
@given(graph=graphs(dtypes=[np.dtype("u1"), np.dtype("f8")]), worklist=st.booleans())
def test_joined_edges_are_those_of_kruskal(backend, graph, worklist):
    edges = EdgeList.of(graph, False, backend)
    parent, mask = backend.empty(graph.n, edges.u.dtype), edges.sort_keys.index_mask
    if worklist:
        view = EdgeView.of(edges, backend).contracted(np.arange(graph.n, dtype=edges.u.dtype))
        order = sorted_worklist(view, mask, True, backend)
        ends = view.columns.end, view.columns.ends_xor
        taken = join(order, ends_of_worklist, ends, parent, backend)
        taken = view.columns.edge_id[taken.astype(np.int64)].astype(np.uint64) & mask
    else:
        order = np.lexsort((np.arange(graph.m), graph.w)).astype(np.uint64), np.uint64(2**64 - 1)
        taken = join(order, ends_of_input, (edges.u, edges.v), parent, backend)
    assert sorted(taken.tolist()) == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    roots = [x for x in range(graph.n) if parent[x] == x]
    assert len(roots) == graph.n - taken.size


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
