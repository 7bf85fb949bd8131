"""The same forests as on one machine, for every number of ranks and every strategy."""

import math
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boruvka
from boruvka import Graph
from boruvka.distributed import STRATEGIES
from boruvka.graph.exact import combine_sums, exact_sum, partial_sum
from tests.strategies import SLOW

from ..oracles import components, kruskal
from .cases import Case
from .strategies import cases

DEFAULTS = [strategy for strategy in STRATEGIES if strategy[1] == "filter-boruvka"]


def check(on_ranks, ranks, case):
    """Compare what all ranks found with Kruskal's algorithm in Python."""
    returned = on_ranks(ranks, "solve", case)
    graph = case.graph
    edges = kruskal(graph.n, graph.u, graph.v, graph.w, case.maximum)
    labels = components(graph.n, graph.u, graph.v)
    weights = graph.w[edges]
    expected = exact_sum(weights)
    for strategy in case.strategies or STRATEGIES:
        parts = [found[strategy] for found in returned]
        assert sorted(chain.from_iterable(part[0] for part in parts)) == edges, (case, strategy)
        assert parts[-1][1] == labels, (case, strategy)
        for _, _, weight, trees in parts:
            assert weight == expected or (math.isnan(weight) and math.isnan(expected)), (case, weights)
            assert trees == graph.n - len(edges)


@pytest.mark.parametrize("ranks", [2, 3])
@SLOW
@given(case=cases(max_ranks=3, strategies=3))
def test_random_graphs(on_ranks, ranks, case):
    check(on_ranks, ranks, case)


@pytest.mark.long
@pytest.mark.parametrize(("ranks", "examples"), [(1, 25), (2, 25), (3, 15), (4, 8), (6, 4), (8, 4)])
def test_random_graphs_by_all_strategies(on_ranks, ranks, examples):
    @settings(max_examples=examples)
    @given(case=cases(max_ranks=8))
    def run(case):
        check(on_ranks, ranks, case)

    run()


def union(*graphs):
    """Join graphs to one, next to each other."""
    first = np.cumsum([0, *(graph.n for graph in graphs)])
    u, v = (
        np.concatenate([getattr(graph, end) + k for graph, k in zip(graphs, first, strict=False)])
        for end in "uv"
    )
    return Graph(int(first[-1]), u, v, np.concatenate([graph.w for graph in graphs]))


def shapes():
    """Graphs that go wrong easily."""
    rng = np.random.default_rng(5)
    empty = np.empty(0, np.int64)
    line = np.arange(40)
    u, v = rng.integers(0, 60, (2, 180))
    yield Graph(0, empty, empty, empty)
    yield Graph(9, empty, empty, empty)
    yield Graph(2, [0], [1], [5])
    yield Graph(3, [0, 1, 2], [0, 1, 2], [1, 1, 1])  # only loops
    yield union(
        Graph(41, line, line + 1, line),  # all hook onto one chain
        Graph(41, line, line + 1, rng.permutation(40)),
        Graph(60, np.zeros(59, int), np.arange(1, 60), rng.integers(0, 3, 59)),  # a star
        Graph(5, np.zeros(30, int), np.ones(30, int), np.ones(30, int)),  # parallel edges of equal weight
        Graph(60, u, v, rng.integers(0, 4, 180)),
    )
    yield union(
        Graph(41, line, line + 1, np.zeros(40)),  # a long path of ties
        Graph(60, u, v, rng.random(180)),  # 64 bits that do not fit a key with an index
    )
    yield Graph(60, u, v, rng.integers(-(2**63), 2**63 - 1, 180))
    yield union(
        Graph(60, u, v, rng.integers(0, 2**64, 180, np.uint64)),
        Graph(60, u, v, np.full(180, 2**64 - 1, np.uint64)),
    )
    yield Graph(60, u // 10, v // 10 + 30, rng.integers(0, 9, 180).astype(np.int8))


@pytest.mark.parametrize("graph", list(shapes()), ids=lambda graph: f"{graph.n}-{graph.m}-{graph.dtype}")
def test_shapes(on_ranks, graph):
    owners = np.random.default_rng(graph.m).integers(0, 6, graph.m)
    check(on_ranks, 3, Case(graph, owners, "any", strategies=DEFAULTS))


@pytest.mark.long
@pytest.mark.parametrize(
    ("ranks", "replicated_up_to", "strategies"),
    [(2, 0, ()), (3, 0, ()), (6, 0, ()), (3, 10, DEFAULTS), (6, 10, DEFAULTS), (3, 1 << 16, DEFAULTS)],
)
def test_shapes_by_all_strategies(on_ranks, ranks, replicated_up_to, strategies):
    for graph in shapes():
        owners = np.random.default_rng(graph.m).integers(0, 6, graph.m)
        check(on_ranks, ranks, Case(graph, owners, "by rank", False, replicated_up_to, 1, strategies))


@pytest.mark.parametrize("replicated_up_to", [10, 1 << 16])
def test_all_edges_on_one_rank(on_ranks, replicated_up_to):
    u, v = np.random.default_rng(6).integers(0, 60, (2, 180))
    graph = Graph(60, u, v, np.arange(180) % 7)
    owners = np.zeros(180, int)
    check(on_ranks, 3, Case(graph, owners, replicated_up_to=replicated_up_to, strategies=DEFAULTS))


@pytest.mark.long
def test_more_ranks_than_edges(on_ranks):
    graph = Graph(4, [0, 1, 2], [1, 2, 0], [3.5, 3.5, 3.5])
    check(on_ranks, 7, Case(graph, np.array([5, 2, 6]), "ascending"))


@pytest.mark.long
def test_a_road_network(on_ranks, data):
    path = data / "roads" / "USA-road-d.NY.gr.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    graph = boruvka.read(path)
    expected = boruvka.minimum_spanning_forest(graph)
    assert expected.weight == 261159288
    for distribute in ("edges", "vertices"):
        parts = on_ranks(2, "solve_file", (path, distribute))
        index = np.concatenate([index for index, _ in parts])
        assert np.array_equal(np.sort(index), expected.edges)
        assert {weight for _, weight in parts} == {261159288}


@pytest.mark.parametrize(("dtype", "size"), [("float32", 24), ("float64", 40)])
def test_what_a_round_sends_by_edges(on_ranks, dtype, size):
    """As the docstrings of `filter_boruvka.by_edges` and `literature.by_edges` promise."""
    ranks, agreement = 3, 100  # bytes for what ranks agree on in a round
    depth = 2
    first, *others = on_ranks(ranks, "rounds", ("edges", "auto", 256, 700, dtype))
    assert all(other == first for other in others)
    phases = [round_.phase for round_ in first]
    assert [phases[0], phases[-1], phases.count("heavy")] == ["light", "finish", 1]
    heavy = phases.index("heavy")
    for rounds in (first[1 : heavy - 1], first[heavy + 1 : -1]):
        assert {round_.phase for round_ in rounds} == {"round"}
        for before, after in pairwise(rounds):
            assert after.n_components <= before.n_components / 2
        for round_ in rounds:
            assert round_.sent["bytes"] <= size * round_.n_components + agreement
            assert round_.sent["messages"] <= 5 * 2 * depth
    for k in (heavy - 1, -1):
        assert first[k].phase == "finish"
        assert first[k].sent["bytes"] <= agreement

    _, *rounds = on_ranks(ranks, "rounds", ("edges", "union-find", 256, 700, dtype))[0]
    for round_ in rounds:
        assert round_.sent["bytes"] <= size * 256
        assert {"select", "merge", "communicate"} <= set(round_.seconds)


def test_progress_on_one_rank(on_ranks):
    first, second = on_ranks(2, "listen", [1])
    assert first == []
    assert second[0] == ("solve", 0, 99, "components")
    assert second[-1] == ("solve", 99, 99, "components")
    done = [event[1] for event in second]
    assert done == sorted(done)


def test_rounds_are_the_same_on_all_ranks(on_ranks):
    for partition_by in "edges", "vertices":
        first, *others = on_ranks(3, "rounds", (partition_by, "auto", 256, 700, "float64"))
        assert all(other == first for other in others)
        assert "heavy" in [round_.phase for round_ in first]


@given(st.lists(st.floats(allow_nan=False, width=64), max_size=30), st.integers(1, 4))
def test_partial_sums_combine_to_the_exact_sum(values, ranks):
    w = np.array(values, np.float64)
    combined = combine_sums([partial_sum(part) for part in np.array_split(w, ranks)], w.dtype)
    assert combined == exact_sum(w) or (math.isnan(combined) and math.isnan(exact_sum(w)))
