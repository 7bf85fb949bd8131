"""Graphs whose arrays are on a GPU: on the simulator, NumPy arrays stand in for those of other libraries."""

from importlib.util import find_spec

import numpy as np
import pytest

pytest.importorskip("numba")
from hypothesis import given

import boruvka
from boruvka import (
    BackendError,
    BackendWarning,
    Graph,
    GraphError,
    GraphTypeError,
    OptionError,
    backends,
    generators,
    minimum_spanning_forest,
    verify,
)
from boruvka.backends.cuda import arrays, backend, compiler
from boruvka.backends.device_arrays import is_on_device
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from boruvka.graph.graph import DeviceGraph, EdgeListGraph, to_host
from tests import oracles
from tests.strategies import SLOW, WEIGHTS, graphs

simulated = pytest.mark.skipif(not compiler.IS_SIMULATED, reason="there is a GPU")


class Exported:
    """An array of another library that claims to be on a GPU."""

    def __init__(self, array):
        self._array = arrays.xp.asarray(np.asarray(array))
        if compiler.IS_SIMULATED:
            self.__array_interface__ = self._array.__array_interface__
            self.__cuda_array_interface__ = self._array.__array_interface__
        else:
            self.__cuda_array_interface__ = self._array.__cuda_array_interface__


pytestmark = pytest.mark.usefixtures("quick_turns")


def on_device(graph):
    return DeviceGraph(Exported(graph.u), Exported(graph.v), Exported(graph.w), graph.n)


@given(graph=graphs(dtypes=[dtype for dtype in WEIGHTS if dtype.itemsize <= 8]))
@SLOW
def test_a_graph_on_a_gpu_is_solved_there(graph):
    there = on_device(graph)
    forest = minimum_spanning_forest(there)
    assert forest.backend == "cuda"
    assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    same = minimum_spanning_forest(graph, backend="interpreted")
    np.testing.assert_equal(forest.weight, same.weight)
    np.testing.assert_array_equal(forest.labels, same.labels)
    np.testing.assert_array_equal(forest.w, same.w)
    assert isinstance(forest.w, np.ndarray)
    copied = minimum_spanning_forest(there, backend="interpreted")
    np.testing.assert_array_equal(copied.edges, forest.edges)


def test_a_graph_on_a_gpu_is_verified():
    there = on_device(generators.random(20, 60, seed=1, dtype="float32"))
    forest = minimum_spanning_forest(there)
    assert verify(there, forest)
    assert not verify(there, forest.edges[1:])


@pytest.mark.long
def test_a_graph_on_a_gpu_is_copied_for_threads():
    graph = generators.random(20, 60, seed=1, dtype="float32")
    forest = minimum_spanning_forest(on_device(graph), backend="threads")
    assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)


def test_arrays_of_other_libraries_are_taken():
    u, v, w = np.array([0, 1, 2], np.int64), np.array([1, 2, 0], np.int32), [3.0, 1.0, 2.0]
    graph = Graph.from_edges(Exported(u), v, w)
    assert isinstance(graph, DeviceGraph)
    assert (graph.n, graph.m, graph.dtype) == (3, 3, np.float64)
    assert graph.u.dtype == graph.v.dtype == np.uint32
    forest = minimum_spanning_forest((Exported(u), Exported(v), Exported(w)), on_device=True)
    assert forest.edges.tolist() == [1, 2]
    assert forest.to_host().edges.tolist() == [1, 2]
    if find_spec("scipy"):
        assert forest.to_host().to_scipy().nnz == 2
    assert type(forest.to_host().graph) is EdgeListGraph
    here = minimum_spanning_forest((u, v, w), backend="interpreted")
    assert here.to_host() is here


def test_names_of_a_graph_on_a_gpu():
    u, v, w = Exported([0, 1, 2]), Exported([1, 2, 0]), Exported([3.0, 1.0, 2.0])
    graph = Graph.from_edges(u, v, w, names="abc")
    assert isinstance(graph, DeviceGraph)
    assert to_host(graph).names.tolist() == ["a", "b", "c"]
    forest = minimum_spanning_forest(graph, on_device=True).to_host()
    assert forest.graph.names.tolist() == ["a", "b", "c"]
    assert set(forest.to_networkx().edges) == {("b", "c"), ("a", "c")}
    assert forest.path("a", "b").tolist() == [2, 1]
    assert forest.update([("a", "d", 1)]).graph.names.tolist() == ["a", "b", "c", "d"]
    with pytest.raises(OptionError, match="ids on a GPU are numbers"):
        Graph.from_edges(u, v, w, names=True)


def test_dlpack_names_the_device_of_an_array():
    class Tensor:
        def __init__(self, kind):
            self.kind = kind

        def __dlpack_device__(self):
            return self.kind, 0

    assert is_on_device(Tensor(2))
    assert not is_on_device(Tensor(1))
    assert not is_on_device(np.zeros(2))
    assert not is_on_device([1])


@pytest.mark.parametrize(
    ("edges", "error", "message"),
    [
        (([0, 5], [1, 1], [1.0, 2.0], 3), GraphError, r"u\[1\] = 5 is not a vertex: the graph has n = 3"),
        (([0, 0], [1, -2], [1.0, 2.0], 3), GraphError, r"v\[1\] = -2 is not a vertex"),
        (([0, 0], [1, 1], [1.0, np.nan], 3), GraphError, r"edge 1 \(0, 1\) has the weight NaN"),
        (([0, 0], [1, 1], [1.0], 3), GraphError, "must have one entry per edge, but have 2, 2 and 1"),
        (([[0, 0]], [1, 1], [1.0], 3), GraphError, "u must have one dimension"),
        (
            ([0.5, 0], [1, 1], [1.0, 2.0], 3),
            GraphTypeError,
            "u must hold integers, this one has dtype float64",
        ),
        (([0, 0], [1, 1], [True, False], 3), GraphTypeError, "weights are booleans"),
    ],
)
def test_values_are_checked(edges, error, message):
    u, v, w, n = edges
    with pytest.raises(error, match=message):
        DeviceGraph(Exported(u), Exported(v), Exported(w), n)


def test_an_answer_stays_only_where_the_graph_is():
    with pytest.raises(OptionError, match="is for a graph whose arrays are on a GPU"):
        minimum_spanning_forest(([0], [1], [1.0]), on_device=True)
    with pytest.raises(OptionError, match="and backend cuda or auto"):
        minimum_spanning_forest(on_device(generators.path(3)), backend="threads", on_device=True)


def test_matrices_are_for_caches():
    matrix = Graph.from_dense([[0, 3, 1], [3, 0, 2], [1, 2, 0]])
    assert minimum_spanning_forest(matrix, backend="cuda").weight == 3
    with pytest.raises(OptionError, match="dense runs only on the CPU: choose another backend than cuda"):
        minimum_spanning_forest(matrix, algorithm="dense", backend="cuda")


@simulated
def test_auto_never_takes_the_simulator(monkeypatch):
    monkeypatch.setattr(Backend, "tuning", Tuning(gpu_pays_from=1))
    assert backends.best_backend(generators.path(10)) == "threads"


@pytest.fixture
def taken(monkeypatch):
    """Return a list of the backends that solves take; the interpreted backend replaces them."""
    names = []

    def interpreted(name, threads):
        names.append(name)
        return backends.get_backend("interpreted", threads)

    monkeypatch.setattr("boruvka.algorithms.run.get_backend", interpreted)
    return names


def test_auto_takes_a_gpu_for_large_graphs_that_fit(monkeypatch, taken):
    graph = generators.random(20, 60, seed=1)
    monkeypatch.setattr(backends, "has_gpu", lambda: True)
    assert backends.best_backend(graph) == "threads"
    monkeypatch.setattr(Backend, "tuning", Tuning(gpu_pays_from=60))
    assert backends.best_backend(graph) == "cuda"
    minimum_spanning_forest(Graph.from_points([[1.0], [2.0]]))
    minimum_spanning_forest(graph)
    assert taken == ["threads", "cuda"]
    monkeypatch.setattr(arrays, "free_bytes", lambda: 1000)
    with pytest.warns(
        BackendWarning, match=r"needs 0\.0 GB on the GPU, where 0\.0 GB are free; the threads of the"
    ):
        minimum_spanning_forest(graph)
    assert taken == ["threads", "cuda", "threads"]
    with pytest.raises(BackendError, match="the graph needs"):
        minimum_spanning_forest(graph, backend="cuda")


def test_memory_is_estimated():
    """An edge of a sparse graph takes at most 47 bytes with 32-bit weights: see `bytes_on_gpu`."""
    sparse = generators.path(1000, dtype="float32")
    assert 40 * sparse.m < backends.bytes_on_gpu(sparse) - 32 * sparse.n < 48 * sparse.m
    dense = generators.random(100, 4000, dtype="float32")
    assert backends.bytes_on_gpu(dense) < 32 * dense.m
    assert backends.bytes_on_gpu(on_device(dense)) == backends.bytes_on_gpu(dense) - 12 * dense.m


def test_a_missing_gpu_is_named(monkeypatch):
    monkeypatch.setattr(backend, "why_not", lambda: "there is no GPU")
    with pytest.raises(BackendError, match="the backend cuda cannot run: there is no GPU"):
        backend.Cuda()


def test_public_names():
    assert issubclass(boruvka.BackendError, boruvka.BoruvkaError)
    assert issubclass(boruvka.BackendWarning, UserWarning)


@simulated
def test_graphs_and_forests_on_a_gpu_are_written(tmp_path):
    graph = Graph(3, [0, 1, 0], [1, 2, 2], [1, 2, 5])
    there = on_device(graph)
    forest = minimum_spanning_forest(graph)
    for name, result, same in (
        ("graph", there, graph),
        ("forest", minimum_spanning_forest(there), forest),
        ("forest_there", minimum_spanning_forest(there, on_device=True), forest),
    ):
        boruvka.write(result, tmp_path / f"{name}.csv")
        boruvka.write(same, tmp_path / "same.csv")
        assert (tmp_path / f"{name}.csv").read_bytes() == (tmp_path / "same.csv").read_bytes()
