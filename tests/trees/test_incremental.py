"""Edges that come one by one, against Kruskal after each."""

import copy
import os
import pickle
import signal
import sys
import threading
import time

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
            ours, theirs = forest.bottleneck(x, y), found.bottleneck(x, y)
            assert ours.edges == theirs.edges
            assert np.ma.filled(ours.weights, -1) == np.ma.filled(theirs.weights, -1)
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
    left = [forest.insert(*graph.edges_in_range(a, b)) for a, b in ((0, middle), (middle, graph.m))]
    expected = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    assert forest.edges.tolist() == expected.edges.tolist()
    gone = np.concatenate(left)
    assert sorted([*gone[gone >= 0].tolist(), *forest.edges.tolist()]) == list(range(graph.m))
    assert forest.weight == expected.weight
    assert type(forest.weight) is (int if dtype == "int64" else float)
    us, vs = np.random.default_rng(0).integers(0, graph.n, (2, 500))
    edges, weights = expected.bottleneck(us, vs)
    assert np.array_equal(forest.bottleneck(us, vs).edges, edges)
    assert forest.bottleneck(us, vs).weights.tolist() == weights.tolist()
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
    with pytest.raises(GraphError, match=r"us\[0\] = 3 is not a vertex: the graph has n = 3"):
        forest.bottleneck(3, 0)
    with pytest.raises(OptionError, match="dtype must be one of"):
        IncrementalForest(dtype="float32")
    assert (forest.n, forest.m, forest.edges.size, forest.weight) == (3, 0, 0, 0.0)
    assert forest.labels.tolist() == [0, 1, 2]
    assert IncrementalForest().labels.size == 0


def test_no_edges():
    forest = IncrementalForest(2)
    assert forest.insert([], [], []).size == 0
    assert forest.bottleneck([], []).edges.size == 0
    assert forest.bottleneck(0, 1).edges == -1


def as_before(forest):
    return forest.n, forest.m, forest.edges.tolist(), forest.weight, forest.labels.tolist()


@pytest.mark.parametrize(
    "make", [copy.copy, copy.deepcopy, lambda forest: pickle.loads(pickle.dumps(forest))]
)
def test_copies_are_independent(make):
    forest = IncrementalForest(4)
    forest.insert([0, 1], [1, 2], [5.0, 1.0])
    before = as_before(forest)
    other = make(forest)
    assert as_before(other) == before
    assert other.insert(0, 2, 2.0) == 0
    assert other.insert(5, 2, 2.0) == -1
    assert as_before(forest) == before
    assert forest.insert(2, 3, 7.0) == -1
    assert (forest.m, other.m) == (3, 4)


@pytest.mark.parametrize(
    "wrong",
    [
        ([0, 9], [1, -1], [1.0, 2.0]),
        ([0, 9], [1, 2], [1.0, np.nan]),
        ([0, 9], [1, 2], [1, 2**53 + 1]),
        ([0, 9], [1], [1, 2]),
        ([0, "a"], [1, 2], [1, 2]),
    ],
)
def test_a_wrong_edge_in_a_batch_inserts_none(wrong):
    forest = IncrementalForest(3)
    forest.insert([0, 1], [1, 2], [5.0, 1.0])
    before = as_before(forest)
    with pytest.raises((GraphError, GraphTypeError)):
        forest.insert(*wrong)
    assert as_before(forest) == before


def test_threads_query_and_insert():
    """Insertions of several threads are in some order, and queries see no half of one."""
    graph = generators.random(300, 6_000, seed=5)
    forest, wrong = IncrementalForest(300), []
    parts = [np.arange(k, graph.m, 4) for k in range(4)]
    columns = graph.u.astype(np.int64), graph.v.astype(np.int64), graph.w.astype(np.float64)

    def insert(k):
        for edge in np.array_split(parts[k], 200):
            forest.insert(*(column[edge] for column in columns))

    def query(seed):
        pairs = np.random.default_rng(seed).integers(0, 300, (2, 500))
        for _ in range(40):
            found, m = forest.bottleneck(*pairs).edges, forest.m
            if found.max() >= m or len(forest.edges) > 299:
                wrong.append(found)

    threads = [threading.Thread(target=insert, args=(k,)) for k in range(4)]
    threads += [threading.Thread(target=query, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (wrong, forest.m) == ([], graph.m)
    assert forest.weight == boruvka.minimum_spanning_forest(graph).weight


def test_an_interrupt_inserts_all_or_nothing(monkeypatch):
    monkeypatch.setattr("boruvka.trees.incremental.AT_ONCE", 500)
    graph = generators.random(2_000, 40_000, seed=6)
    columns = graph.u.astype(np.int64), graph.v.astype(np.int64), graph.w.astype(np.float64)
    outcomes, main = set(), threading.get_ident()
    for attempt in range(40):
        forest = IncrementalForest(2_000)
        forest.insert(0, 1, -1.0)
        timer = threading.Timer(0.0005 * attempt, lambda: signal.pthread_kill(main, signal.SIGINT))
        try:
            timer.start()
            forest.insert(*columns)
            timer.join()
            time.sleep(0.01)
        except KeyboardInterrupt:
            pass
        timer.join()
        outcomes.add(forest.m)
        assert forest.edges.max() < forest.m
        assert forest.insert(3, 3, 1.0) == forest.m - 1
        assert not forest._lock.locked()
    assert outcomes <= {1, 1 + graph.m}


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_has_a_whole_tree():
    forest, stop = IncrementalForest(1_000), threading.Event()
    rng = np.random.default_rng(0)

    def insert():
        while not stop.is_set():
            forest.insert(*rng.integers(0, 1_000, (2, 2_000)), rng.random(2_000))

    thread = threading.Thread(target=insert)
    thread.start()
    try:
        for _ in range(5):
            child = os.fork()
            if child == 0:
                code = 3
                try:
                    whole = forest.edges.max(initial=-1) < max(forest.m, 1) and forest.m % 2_000 == 0
                    forest.insert(0, 1, -1.0)
                    code = 0 if whole else 2
                finally:
                    os._exit(code)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        thread.join()
