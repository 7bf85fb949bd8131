"""Every contestant that is installed gives the weight and the edges of the forest, whatever the graph."""

import numpy as np
import pytest
from hypothesis import given, settings

import boruvka
from boruvka import Graph
from boruvka.algorithms.registry import ALGORITHMS
from boruvka.bench.contestants import OTHERS, Ours, chosen
from boruvka.bench.contestants.deduplicate import lightest
from boruvka.bench.contestants.probes import PROBES
from boruvka.errors import MissingExtraError, OptionError

from ..interop.graphs import graphs
from ..oracles import kruskal

WEIGHTS = [np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64]


def contestant(name):
    made = OTHERS[name]() if name in OTHERS else Ours(name)
    if not made.installed:
        pytest.skip(f"{name} is not installed")
    made.load(1)
    return made


def outcome(made, graph):
    native = made.prepare(graph)
    return made.outcome(native, made.solve(native))


@pytest.mark.parametrize("name", [*OTHERS, *ALGORITHMS, "auto"])
@given(graph=graphs(dtypes=WEIGHTS))
@settings(max_examples=25)
def test_contestants_find_the_forest(name, graph):
    made = contestant(name)
    edges = kruskal(graph.n, graph.u, graph.v, graph.w)
    found = outcome(made, graph)
    assert found.edges == len(edges)
    assert float(found.weight) == pytest.approx(float(graph.w[edges].sum(dtype=float)), abs=1e-9)
    assert made.version()


@pytest.mark.parametrize("name", OTHERS)
def test_contestants_on_a_graph_of_some_size(name):
    graph = boruvka.generators.kronecker(9, 8, seed=2)
    forest = boruvka.minimum_spanning_forest(graph)
    found = outcome(contestant(name), graph)
    assert found.edges == len(forest)
    assert found.weight == pytest.approx(forest.weight, rel=1e-9)


def test_lightest_of_parallel_edges():
    u, v, w = lightest(Graph(3, [1, 0, 2, 0, 2], [0, 1, 2, 1, 0], [5, 3, 1, 4, 0]))
    assert (u.tolist(), v.tolist(), w.tolist()) == ([0, 0], [1, 2], [3, 0])


def test_who_takes_part():
    assert [c.name for c in chosen(["auto", "boruvka", "auto"], ["scipy"])] == [
        "boruvka",
        "boruvka:boruvka",
        "scipy",
    ]
    everyone = [c.name for c in chosen([], None)]
    assert everyone == [name for name in OTHERS if OTHERS[name]().installed]
    with pytest.raises(OptionError, match="unknown contestant 'boost'; there are argsort-kruskal"):
        chosen([], ["boost"])
    with pytest.raises(OptionError, match="unknown algorithm 'magic'"):
        chosen(["magic"], [])


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"rustworkx is not installed.*boruvka\[bench\]"):
        chosen([], ["rustworkx"])
    with pytest.raises(MissingExtraError, match="graph-tool is not installed"):
        chosen([], ["graph-tool"])
    assert [c.name for c in chosen([], None)] == ["argsort-kruskal"]


def test_who_rounds_refuses_more_than_64_bits():
    graph = Graph(2, [0], [1], np.ones(1, np.longdouble))
    if graph.w.dtype.itemsize > 8:
        assert "float128" in OTHERS["scipy"]().refusal(graph)
    assert OTHERS["argsort-kruskal"]().refusal(graph) == ""
    assert Ours().refusal(graph) == ""


@pytest.mark.parametrize("dtype", ["f2", "f4", "i8", np.longdouble])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("m", [0, 5, 50_001])
def test_probes_read_everything(dtype, threads, m):
    random = np.random.default_rng(0)
    u, v = random.integers(0, 77, (2, m))
    graph = Graph(77, u, v, np.ones(m, dtype))
    streaming, gathering = (probe() for probe in PROBES)
    for probe in streaming, gathering:
        probe.load(threads)
    native = streaming.prepare(graph)
    found = [np.bitwise_xor.reduce(np.array(parts, np.uint64)) for parts in streaming.solve(native)]
    assert [word.tolist() for word in found] == [
        np.bitwise_xor.reduce(words, initial=0).tolist() for words in native.words
    ]
    native = gathering.prepare(graph)
    native.best[:] = np.arange(77)
    assert sum(gathering.solve(native)) == (graph.u ^ graph.v).sum()
