"""Edges that come one by one, against Kruskal after each."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import GraphError, GraphTypeError, IncrementalForest, OptionError, generators
from tests.oracles import kruskal

WEIGHTS = st.one_of(st.integers(-3, 3), st.floats(allow_nan=False))


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), WEIGHTS)), st.booleans(), st.data())
def test_forest_after_each_edge(edges, maximum, data):
    forest, inside, weights = IncrementalForest(3, maximum=maximum), set(), []
    for i, (a, b, w) in enumerate(edges):
        left = int(forest.insert(a, b, w))
        assert left in inside | {i, -1}
        inside = (inside | {i}) - {left}
        weights.append(float(w))
        u, v = (np.array([edge[k] for edge in edges[: i + 1]]) for k in (0, 1))
        n = max(3, *u.tolist(), *v.tolist()) + 1
        found = boruvka.minimum_spanning_forest((u, v, weights, n), maximum=maximum)
        assert forest.edges.tolist() == sorted(inside) == sorted(kruskal(n, u, v, np.array(weights), maximum))
        assert forest.labels.tolist() == found.labels.tolist()[: forest.n]
        ends = st.integers(0, forest.n - 1)
        pairs = data.draw(st.lists(st.tuples(ends, ends), max_size=3))
        for x, y in pairs:
            assert forest.bottleneck(x, y) == found.bottleneck(x, y).edges
    assert forest.m == len(edges)
    together = IncrementalForest(maximum=maximum)
    together.insert(*map(list, zip(*edges, strict=True))) if edges else None
    assert together.edges.tolist() == sorted(inside)


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "int64"])
@pytest.mark.parametrize(
    "graph",
    [
        generators.random(2000, 20_000, seed=1, weights="integers_1000"),
        generators.path(3000, seed=2, weights="integers_1000"),
        generators.star(3000, seed=3, weights="integers_1000"),
        generators.grid(50, 50, seed=4, weights="integers_1000"),
    ],
    ids=str,
)
def test_many_edges(graph, dtype, maximum):
    forest = IncrementalForest(maximum=maximum, dtype=dtype)
    middle = graph.m // 3
    left = [forest.insert(*graph.edge_slice(a, b)) for a, b in ((0, middle), (middle, graph.m))]
    expected = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    assert forest.edges.tolist() == expected.edges.tolist()
    gone = np.concatenate(left)
    assert sorted([*gone[gone >= 0].tolist(), *forest.edges.tolist()]) == list(range(graph.m))
    assert forest.weight == expected.weight
    assert type(forest.weight) is (int if dtype == "int64" else float)
    us, vs = np.random.default_rng(0).integers(0, graph.n, (2, 500))
    assert np.array_equal(forest.bottleneck(us, vs), expected.bottleneck(us, vs).edges)
    assert forest.edges.tolist() == expected.edges.tolist()
    assert repr(forest) == f"IncrementalForest(n={graph.n}, m={graph.m}, edges={len(expected)})"


def test_integers_are_exact():
    forest = IncrementalForest(dtype="int64")
    assert forest.insert([0, 0], [1, 1], [2**53 + 1, 2**53]).tolist() == [-1, 0]
    assert forest.weight == 2**53
    for w, text in (0.5, r"w\[0\] = 0.5"), (np.uint64(2**63), r"w\[0\] = 9223372036854775808"):
        with pytest.raises(GraphError, match=f"{text} has no exact int64, .* dtype=.float64"):
            forest.insert(0, 1, w)
    tenth = np.longdouble(1) / 10
    if np.longdouble(0.1) != tenth:  # more than 64 bits
        for dtype in "float64", "int64":
            with pytest.raises(
                GraphError, match=rf"w\[0\] = 0.1 as {tenth.dtype} has no exact {dtype}, .*: round"
            ):
                IncrementalForest(dtype=dtype).insert([0, 1], [1, 2], [tenth, 0.1])
    with pytest.raises(GraphError, match=r"w\[1\] = 9007199254740993 has no exact float64"):
        IncrementalForest().insert([0, 1], [1, 2], [1, 2**53 + 1])
    assert forest.m == 2


def test_errors():
    forest = IncrementalForest(3)
    for edge, error, message in [
        ((0, -1, 1.0), GraphError, r"v\[0\] = -1 is not a vertex"),
        ((0.5, 1, 1.0), GraphError, r"u\[0\] = 0.5 is not a vertex"),
        (("a", "b", 1.0), GraphTypeError, r"u\[0\] = 'a' is not a vertex"),
        ((0, 1, float("nan")), GraphError, "edge 0 .* has the weight NaN"),
        (([0, 1], [1, 2], [1.0]), GraphError, "u, v and w must have one entry per edge"),
    ]:
        with pytest.raises(error, match=message):
            forest.insert(*edge)
    with pytest.raises(GraphError, match=r"u\[0\] = 3 is not a vertex: the graph has n = 3"):
        forest.bottleneck(3, 0)
    with pytest.raises(OptionError, match="dtype must be one of"):
        IncrementalForest(dtype="float32")
    assert (forest.n, forest.m, forest.edges.size, forest.weight) == (3, 0, 0, 0.0)
    assert forest.labels.tolist() == [0, 1, 2]
    assert IncrementalForest().labels.size == 0


def test_no_edges():
    forest = IncrementalForest(2)
    assert forest.insert([], [], []).size == 0
    assert forest.bottleneck([], []).size == 0
    assert forest.bottleneck(0, 1) == -1
