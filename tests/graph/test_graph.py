import copy
import pickle
import sys
from datetime import date

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from boruvka import (
    BoruvkaError,
    Graph,
    GraphError,
    GraphTypeError,
    OptionError,
    as_graph,
    minimum_spanning_forest,
)
from boruvka.errors import LONGEST_MESSAGE
from boruvka.graph import validation
from tests import oracles
from tests.strategies import WEIGHTS, graphs

GOOD = {"u": [0, 1], "v": [1, 2], "w": [1.0, 2.0]}


@pytest.mark.parametrize("dtype", [np.uint32, np.int32])
def test_arrays_are_taken_without_a_copy(dtype):
    u, v = np.array([0, 1], dtype), np.array([1, 2], dtype)
    w = np.array([1.0, 2.0], np.float32)
    graph = Graph.from_edges(u, v, w)
    for held, given_ in ((graph.u, u), (graph.v, v), (graph.w, w)):
        assert np.shares_memory(held, given_)
        assert not held.flags.writeable
        assert given_.flags.writeable
    assert graph.u.dtype == np.uint32


@pytest.mark.parametrize(
    "ids",
    [
        np.array([0, 1], np.int8),
        np.array([0, 1], np.uint64),
        np.array([0, 1], ">i4"),
        np.array([0.0, 1.0]),
        np.array([0.0, 1.0], np.float16),
        np.array([0, 9, 1, 9], np.uint32)[::2],
        [0, 1],
        (0, 1),
        np.frombuffer(b"\0" + np.array([0, 1], np.uint32).tobytes(), np.uint32, offset=1),
    ],
    ids=["int8", "uint64", "big-endian", "floats", "halves", "strided", "list", "tuple", "misaligned"],
)
def test_ids_of_every_type(ids):
    graph = Graph.from_edges(ids, ids[::-1], [3, 4])
    assert graph.u.tolist() == [0, 1]
    assert graph.v.tolist() == [1, 0]
    assert minimum_spanning_forest(graph, backend="interpreted").edges.tolist() == [0]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"u": [0, 3], "n": 3}, GraphError, r"u\[1\] = 3 is not a vertex: the graph has n = 3 vertices"),
        ({"v": [1, -2]}, GraphError, r"v\[1\] = -2 is not a vertex: ids are not negative"),
        ({"v": [1, 0.5]}, GraphError, r"v\[1\] = 0.5 is not a vertex: ids are whole numbers"),
        ({"v": [np.nan, 1]}, GraphError, r"v\[0\] = nan is not a vertex: ids are whole numbers"),
        ({"v": [np.inf, 1]}, GraphError, r"v\[0\] = inf is not a vertex"),
        ({"v": [1e30, 1]}, GraphError, r"v\[0\] = 1e\+30 is not a vertex"),
        ({"v": [-1.0, 1]}, GraphError, r"v\[0\] = -1 is not a vertex"),
        ({"u": [0]}, GraphError, "one entry per edge, but have 1, 2 and 2 entries"),
        ({"w": [1.0]}, GraphError, "one entry per edge, but have 2, 2 and 1 entries"),
        ({"w": [1.0, np.nan]}, GraphError, r"edge 1 \(1, 2\) has the weight NaN"),
        ({"w": np.array([np.nan, 2], np.float16)}, GraphError, r"edge 0 \(0, 1\) has the weight NaN"),
        ({"w": np.array([np.nan, 2], np.longdouble)}, GraphError, r"edge 0 \(0, 1\) has the weight NaN"),
        ({"w": [1j, 2]}, GraphTypeError, "the weight of edge 0 is 1j: expected an integer or a float"),
        ({"w": [2, object()]}, GraphTypeError, "the weight of edge 1 is <object .*: expected an integer"),
        ({"w": [2, None]}, GraphTypeError, "the weight of edge 1 is None: expected an integer or a float"),
        ({"w": [{"weight": 3}, 2]}, GraphTypeError, "weight of edge 0 is {'weight': 3}: expected an integer"),
        ({"w": [2**70, 2]}, GraphError, "no 64-bit type holds all weights exactly"),
        ({"w": [np.uint64(2**64 - 1), np.int64(-1)]}, GraphError, "no 64-bit type holds all weights exactly"),
        ({"w": [1, "b"]}, GraphTypeError, "the weight of edge 1 is 'b': expected an integer or a float"),
        (
            {"w": ["4044.0", "1"]},
            GraphTypeError,
            r"convert texts to numbers, as float\(w\), column",
        ),
        ({"w": ["1.0", "1,5"]}, GraphTypeError, "; write all numbers with a decimal point"),
        ({"w": [date(2026, 1, 2)] * 2}, GraphTypeError, r"; write times as numbers, as .*\.dt\.days"),
        ({"w": [True, False]}, GraphTypeError, "weights are booleans"),
        ({"w": np.array([1, 2], "m8[s]")}, GraphTypeError, "timedelta"),
        ({"w": [[1, 2], [3, 4]]}, GraphTypeError, r"the weight of edge 0 is \[1, 2\]: expected an integer"),
        ({"w": [[1, 2], [3]]}, GraphTypeError, r"the weight of edge 0 is \[1, 2\]: expected an integer"),
        ({"u": [True, False]}, GraphTypeError, "u must hold integers, this one has dtype bool"),
        ({"u": [None, 1]}, GraphError, r"u\[0\] is missing: an edge has two ends"),
        ({"w": np.ma.masked_equal([1.0, 2.0], 2)}, GraphError, r"w\[1\] is masked"),
        ({"n": -1}, GraphError, "n must be between 0 and"),
        ({"n": 2**48 + 1}, GraphError, r"n must be between 0 and 2\*\*48, got 281474976710657"),
        ({"v": [1, 2**62]}, GraphError, r"n must be between 0 and 2\*\*48.*one more than the largest id"),
        ({"n": 2.5}, GraphTypeError, "n must be an integer, got 2.5"),
        ({"n": "3"}, GraphTypeError, "n must be an integer, got '3'"),
        ({"n": 2}, GraphError, r"v\[1\] = 2 is not a vertex"),
    ],
)
def test_what_is_no_graph(change, error, message):
    with pytest.raises(error, match=message) as caught:
        Graph.from_edges(**GOOD | change)
    assert isinstance(caught.value, BoruvkaError)
    assert isinstance(caught.value, ValueError if error is GraphError else TypeError)


@pytest.mark.parametrize("x", [None, 3, "graph.gr", [0, 1], ([0], [1]), (1, 2, 3, 4, 5), {"u": 1}])
def test_what_is_no_graph_at_all(x):
    with pytest.raises(GraphTypeError):
        minimum_spanning_forest(x)


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("other", [0.5, -1, np.inf])
@pytest.mark.parametrize("value", [2**63 + 1, 2**53 + 1, np.int64(2**53 + 1)])
def test_integers_of_a_list_are_never_rounded(kind, other, value):
    if other == -1 and value < 2**63:
        assert Graph.from_edges([0, 0], [1, 2], kind([other, value])).w.tolist() == [other, value]
        return
    message = f"no 64-bit type holds all weights exactly, as edge 1 has the weight {value};"
    with pytest.raises(GraphError, match=message):
        Graph.from_edges([0, 0], [1, 2], kind([other, value]))
    exact = Graph.from_edges([0, 0], [1, 2], kind([other, value - 1]))
    assert exact.w.tolist() == [other, value - 1]


def test_arrays_of_other_kinds(tmp_path):
    np.save(tmp_path / "w.npy", np.array([1.5, 2.5]))
    w = np.load(tmp_path / "w.npy", mmap_mode="r")
    u = np.ma.MaskedArray([0, 1], mask=[False, False])
    v = pytest.importorskip("pandas").Series([1, 2], index=[7, 8])
    graph = Graph.from_edges(u, v, w)
    assert np.shares_memory(graph.w, w)
    assert minimum_spanning_forest(graph, backend="interpreted").weight == 4


def test_vertices_beyond_32_bits_are_held_in_64():
    graph = Graph(2**32 + 5, [2**32 + 4], [1], [1])
    assert graph.u.dtype == np.uint64
    assert graph.u.tolist() == [2**32 + 4]
    assert Graph(2**32, [2**32 - 1], [1], [1]).u.dtype == np.uint32


@pytest.mark.filterwarnings("ignore::boruvka.GraphWarning")
def test_as_many_vertices_as_no_memory_holds():
    with pytest.raises(MemoryError):
        minimum_spanning_forest(([0], [1], [1], 2**48))


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("format", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
@pytest.mark.parametrize("make", ["coo_array", "coo_matrix"])
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint64, np.float32, np.float64])
def test_scipy_in_any_format(format, make, dtype):
    from scipy import sparse

    u, v = np.array([0, 2, 1, 3]), np.array([1, 1, 3, 0])
    big = np.iinfo(dtype).max - 1 if np.dtype(dtype).kind in "iu" else 7.5
    w = np.array([big, 5, 6, 3], dtype)
    graph = as_graph(getattr(sparse, make)((w, (u, v)), shape=(5, 5)).asformat(format))
    assert graph.w.dtype == dtype
    assert graph.n == 5
    assert sorted(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)) == sorted(
        zip(u.tolist(), v.tolist(), w.tolist(), strict=True)
    )


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("format", ["coo", "csc", "csr", "bsr"])
def test_stored_zeros_of_scipy_are_edges(format):
    from scipy import sparse

    a = sparse.coo_array((np.array([0.0, 1.0, 2.0]), ([0, 1, 2], [1, 2, 0])), shape=(3, 3)).asformat(format)
    forest = minimum_spanning_forest(a, backend="interpreted")
    assert forest.weight == 1
    assert len(forest) == 2


@pytest.mark.needs("scipy")
def test_padding_of_scipy_is_no_edge():
    from scipy import sparse

    a = sparse.coo_array((np.array([1.0, 2.0]), ([0, 2], [1, 3])), shape=(4, 4))
    assert Graph.from_scipy(a.todia()).m == 2
    assert Graph.from_scipy(a.tobsr(blocksize=(2, 2))).m == 2


@pytest.mark.needs("scipy")
def test_duplicates_of_coo_are_not_summed():
    from scipy import sparse

    a = sparse.coo_array((np.array([5, 3, 4]), ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    forest = minimum_spanning_forest(a, backend="interpreted")
    assert forest.edges.tolist() == [1]
    assert forest.weight == 3


@pytest.mark.needs("scipy")
def test_bad_scipy():
    from scipy import sparse

    with pytest.raises(GraphError, match=r"square, this one has shape \(2, 3\)"):
        Graph.from_scipy(sparse.coo_array((2, 3)))
    with pytest.raises(GraphError, match="square"):
        Graph.from_scipy(sparse.coo_array(np.ones(3)))
    with pytest.raises(GraphTypeError, match="complex"):
        Graph.from_scipy(sparse.eye_array(3, dtype=complex))
    with pytest.raises(GraphTypeError, match="booleans"):
        Graph.from_scipy(sparse.eye_array(3, dtype=bool))


def test_what_is_not_of_scipy(monkeypatch):
    for _ in range(2):
        with pytest.raises(GraphTypeError, match="expected a SciPy sparse array or matrix, got ndarray"):
            Graph.from_scipy(np.eye(3))
        monkeypatch.delitem(sys.modules, "scipy.sparse", raising=False)


SCIPY_TYPES = [dtype for dtype in WEIGHTS if dtype.itemsize <= 8 and dtype != np.float16]


@pytest.mark.filterwarnings("ignore:.*(have the weight inf|entries of the matrix are)")
@pytest.mark.needs("scipy")
@given(graph=graphs(dtypes=SCIPY_TYPES))
@pytest.mark.usefixtures("interpreted")
def test_dense_and_sparse_hold_the_same_graph(graph):
    from scipy import sparse

    matrix = np.full((graph.n, graph.n), np.inf)
    for a, b, w in zip(graph.u, graph.v, graph.w.astype(float), strict=True):
        matrix[a, b] = min(matrix[a, b], w)
    dense = Graph.from_dense(matrix, null_value=np.inf)
    expected = oracles.kruskal(dense.n, dense.u, dense.v, dense.w)
    assert minimum_spanning_forest(dense, backend="interpreted").edges.tolist() == expected
    stored = as_graph(sparse.coo_array((graph.w, (graph.u, graph.v)), shape=(graph.n, graph.n)))
    for name in "nuvw":
        np.testing.assert_array_equal(getattr(stored, name), getattr(graph, name))


def test_graph_is_a_value():
    graph = Graph.from_edges(**GOOD)
    assert repr(graph) == "Graph(n=3, m=2, weights=float64)"
    with pytest.raises(AttributeError):
        graph.n = 5
    with pytest.raises(ValueError, match="read-only"):
        graph.w[0] = 5


@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (Graph, (4, [0, 1, 2], [1, 2, 0], [1, 2, 3])),
        (Graph.from_dense, (np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]]),)),
        (Graph.from_points, (np.arange(6.0).reshape(3, 2), "euclidean")),
    ],
    ids=["Graph", "MatrixGraph", "DistanceGraph"],
)
def test_graphs_and_forests_are_copied_and_pickled(make, arguments, copied):
    graph = make(*arguments)
    forest = minimum_spanning_forest(graph, backend="interpreted")
    for x in copied(graph), copied(forest).graph:
        assert repr(x) == repr(graph)
        assert minimum_spanning_forest(x, backend="interpreted").edges.tolist() == forest.edges.tolist()
    assert copied(forest).weight == forest.weight


@pytest.fixture
def checked_in_parallel(monkeypatch):
    monkeypatch.setattr(validation, "PARALLEL_FROM", 10)


@pytest.mark.usefixtures("checked_in_parallel")
@pytest.mark.parametrize("where", [0, 7, 99])
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("u", -1, r"u\[{}\] = -1 is not a vertex: ids are not negative"),
        ("v", 50, r"v\[{}\] = 50 is not a vertex: the graph has n = 50 vertices"),
        ("w", np.nan, r"edge {} \(\d+, \d+\) has the weight NaN"),
    ],
)
def test_the_first_wrong_element_of_large_arrays_is_named(name, value, message, where):
    arrays = {"u": np.arange(100) % 50, "v": np.arange(100) % 7, "w": np.ones(100)}
    arrays[name][[where, 99]] = value
    with pytest.raises(GraphError, match=message.format(where)):
        Graph.from_edges(**arrays, n=50)


@pytest.mark.usefixtures("checked_in_parallel")
@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.int64, np.dtype(">i4"), np.float64])
def test_large_arrays_of_any_type_are_converted(dtype):
    u, v, w = np.arange(100).astype(dtype), np.arange(100)[::-1].astype(dtype), np.arange(200.0)[::2]
    graph = Graph.from_edges(u[::-1], v, w)
    assert (graph.n, graph.u.dtype, graph.v.dtype) == (100, np.uint32, np.uint32)
    assert graph.u.tolist() == graph.v.tolist() == list(range(99, -1, -1))
    assert graph.w.tolist() == w.tolist()
    assert not any(array.flags.writeable for array in (graph.u, graph.v, graph.w))


@pytest.mark.parametrize(
    "make", [lambda x: x, copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_arrays_of_graphs_and_forests_are_read_only(make):
    matrix, points = np.ones((4, 4)), np.arange(8.0).reshape(4, 2)
    graphs = [
        Graph.from_edges(["a", "b", "c"], ["b", "c", "a"], [3, 1, 2]),
        Graph.from_dense(matrix),
        Graph.from_points(points),
    ]
    forests = [minimum_spanning_forest(graph) for graph in graphs]
    forests.append(forests[0].update([("a", "z", 5)]))
    for forest in forests:
        _ = forest.labels, forest.u
        copied = make(forest)
        held = [getattr(copied, name) for name in ("edges", "u", "v", "w", "labels", "edge_rounds")]
        graph = make(forest.graph)
        arrays = [*held, graph.u, graph.v, graph.w, copied.graph.u, copied.graph.w]
        arrays += [x.names for x in (graph, copied.graph) if x.names is not None]
        arrays += [getattr(graph, name) for name in ("matrix", "points") if hasattr(graph, name)]
        assert not any(array.flags.writeable for array in arrays)
        assert copied.labels is copied.labels
        found = copied.cuts([2, 1])
        assert not any(x.flags.writeable for x in (found.labels, found.n_clusters, *found.sizes))
    assert matrix.flags.writeable
    assert points.flags.writeable


def test_messages_are_short_whatever_the_value():
    long = "x" * 10**6
    for value in long, [long], [0] * 10**5, {long: 1}, 10**5000:
        with pytest.raises(BoruvkaError) as caught:
            Graph.from_edges([0], [1], [1], n=value)
        assert len(str(caught.value)) < 600
    with pytest.raises(OptionError) as caught:
        as_graph(pd.DataFrame(np.ones((1, 3000)), columns=[f"column {i}" for i in range(3000)]))
    assert len(str(caught.value)) <= LONGEST_MESSAGE


def test_nothing_of_a_graph_or_forest_can_be_deleted():
    forest = minimum_spanning_forest([("a", "b", 1)])
    for owner, name in [(forest, "graph"), (forest, "edges"), (forest.graph, "n"), (forest.graph, "names")]:
        with pytest.raises(AttributeError, match=f"cannot delete '{name}'"):
            delattr(owner, name)


def test_what_graphs_without_an_edge_list_have_found_is_read_only():
    points = Graph.from_points([[0.0], [1.0], [3.0]], min_samples=2)
    matrix = Graph.from_dense(np.arange(16.0).reshape(4, 4))
    for array in points.row_offsets, points.core_distances, matrix.row_offsets:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_repr_shortens_names():
    assert len(repr(as_graph([("x" * 10**6, "b", 1)]))) < 1000


@pytest.mark.parametrize("arguments", [([(0, 1, 5)],), (), ([0], [1], [5])])
def test_a_graph_that_is_called_with_edges(arguments):
    with pytest.raises(GraphTypeError, match=r"for edges write boruvka.as_graph\(edges\), or .*from_edges"):
        Graph(*arguments)
