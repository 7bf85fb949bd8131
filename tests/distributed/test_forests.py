"""The same forests as on one machine, for every number of ranks: many graphs in one job."""

import math
from itertools import chain

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import boruvka
from boruvka import Graph
from boruvka.distributed import STRATEGIES

from ..oracles import components, kruskal
from .cases import Case, cases
from .mpiexec import on_ranks


def check(batch, ranks, folder):
    """Compare what all ranks found with Kruskal's algorithm in Python."""
    returned = on_ranks(ranks, "solve_all", batch, folder)
    for k, case in enumerate(batch):
        graph = case.graph
        edges = kruskal(graph.n, graph.u, graph.v, graph.w, case.maximum)
        labels = components(graph.n, graph.u, graph.v)
        weights = graph.w[edges]
        total = boruvka.minimum_spanning_forest(graph, maximum=case.maximum).weight
        for strategy in case.strategies or STRATEGIES:
            parts = [returned[rank][k][strategy] for rank in range(ranks)]
            assert sorted(chain.from_iterable(part[0] for part in parts)) == edges, (case, strategy)
            assert parts[-1][1] == labels, (case, strategy)
            for _, _, weight, trees in parts:
                assert weight == total or (math.isnan(weight) and math.isnan(total)), (case, weights)
                assert trees == graph.n - len(edges)


@pytest.mark.parametrize(("ranks", "graphs"), [(1, 25), (2, 25), (3, 15), (4, 8), (6, 4), (8, 4)])
def test_random_graphs(ranks, graphs, tmp_path):
    @settings(max_examples=1, phases=[Phase.generate])
    @given(st.lists(cases(), min_size=graphs, max_size=graphs))
    def run(batch):
        check(batch, ranks, tmp_path)

    run()


def shapes():
    """Graphs that go wrong easily, and edges of every rank all over them."""
    rng = np.random.default_rng(5)
    empty = np.empty(0, np.int64)
    line = np.arange(40)
    u, v = rng.integers(0, 300, (2, 900))
    yield Graph(0, empty, empty, empty)
    yield Graph(9, empty, empty, empty)
    yield Graph(2, [0], [1], [5])
    yield Graph(3, [0, 1, 2], [0, 1, 2], [1, 1, 1])  # nothing but loops
    yield Graph(41, line, line + 1, np.zeros(40))  # one long path of ties
    yield Graph(41, line, line + 1, line)  # all hang in one chain
    yield Graph(41, line, line + 1, rng.permutation(40))
    yield Graph(60, np.zeros(59, int), np.arange(1, 60), rng.integers(0, 3, 59))  # a star
    yield Graph(5, np.zeros(30, int), np.ones(30, int), np.ones(30))  # parallel edges of one weight
    yield Graph(300, u, v, rng.integers(0, 4, 900))
    yield Graph(300, u, v, rng.random(900))  # 64 bits that do not fit a key with an index
    yield Graph(300, u, v, rng.integers(-(2**63), 2**63 - 1, 900))
    yield Graph(300, u, v, rng.integers(0, 2**64, 900, np.uint64))
    yield Graph(300, u, v, np.full(900, 2**64 - 1, np.uint64))
    yield Graph(300, u // 10, v // 10 + 150, rng.integers(0, 9, 900).astype(np.int8))


DEFAULTS = [strategy for strategy in STRATEGIES if strategy[1] == "filter-boruvka"]


@pytest.mark.parametrize(("ranks", "strategies"), [(2, ()), (3, DEFAULTS)])
def test_shapes(ranks, strategies, tmp_path):
    batch = []
    for graph in shapes():
        owners = np.random.default_rng(graph.m).integers(0, ranks, graph.m)
        batch.append(Case(graph, owners, "any", strategies=strategies))
        if strategies:
            batch.append(Case(graph, owners, few=1 << 16, strategies=strategies))
            batch.append(Case(graph, owners // ranks, few=10, strategies=strategies))  # all on one rank
    check(batch, ranks, tmp_path)


def test_more_ranks_than_edges(tmp_path):
    graph = Graph(4, [0, 1, 2], [1, 2, 0], [3.5, 3.5, 3.5])
    check([Case(graph, np.array([5, 2, 6]), "ascending")], 7, tmp_path)


def test_a_road_network(tmp_path, data):
    path = data / "roads" / "USA-road-d.NY.gr.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    graph = boruvka.read(path)
    expected = boruvka.minimum_spanning_forest(graph)
    assert expected.weight == 261159288
    for distribute in ("edges", "vertices"):
        parts = on_ranks(2, "solve_file", (path, distribute), tmp_path)
        index = np.concatenate([index for index, _ in parts])
        assert np.array_equal(np.sort(index), expected.edges)
        assert {weight for _, weight in parts} == {261159288}
