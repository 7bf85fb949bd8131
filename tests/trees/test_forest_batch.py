"""Batches of small graphs, against solves one by one."""

from importlib.util import find_spec

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError
from tests.oracles import kruskal
from tests.strategies import graphs


def parts(forest):
    return forest.edges, forest.u, forest.v, forest.w


def assert_same_as_one_by_one(batch, graphs_of_batch):
    assert batch.offsets.size == len(graphs_of_batch) + 1
    for i, graph in enumerate(graphs_of_batch):
        edges, u, v, w = parts(batch.forest(i))
        expected = kruskal(graph.n, graph.u, graph.v, graph.w)
        assert edges.tolist() == expected
        assert (u.tolist(), v.tolist()) == (graph.u[expected].tolist(), graph.v[expected].tolist())
        assert w.tolist() == graph.w[expected].tolist()
        assert batch.n_components[i] == graph.n - len(expected)
        if np.isfinite(w).all():
            assert batch.weight[i] == pytest.approx(sum(w.tolist()))


@given(st.lists(graphs(6, 12, [np.dtype("i4")]), max_size=5))
def test_lists_of_graphs(several):
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(several), several)


@given(st.lists(graphs(6, 12, [np.dtype("f4")]), min_size=1, max_size=5))
def test_edges_with_offsets(several):
    columns = tuple(np.concatenate([getattr(graph, c) for graph in several]) for c in "uvw")
    offsets = np.cumsum([0, *(graph.m for graph in several)])
    sizes = [int(max(g.u.max(), g.v.max())) + 1 if g.m else 0 for g in several]
    shrunk = [Graph(n, g.u, g.v, g.w) for n, g in zip(sizes, several, strict=True)]
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(columns, offsets), shrunk)


EXTREME = {
    "i1": [-128, 0, 127],
    "i8": [-(2**63), 2**53, 2**53 + 1, 2**63 - 1, 0],
    "u8": [0, 2**53 + 1, 2**53, 2**64 - 1, 2**63],
    "f2": [-1.5, 0.0, -0.0, np.inf],
    "f8": [0.1, 0.1 + 2**-56, 1e308, 5e-324, -0.0, 0.0],
    "g": [np.longdouble(1), np.longdouble(1) + np.finfo(np.longdouble).eps, np.longdouble(0.1)],
}


@st.composite
def any_graphs(draw):
    """Draw an object that `as_graph` takes; weights are hard to convert to another type."""
    kind = draw(st.sampled_from(list(EXTREME)))
    n = draw(st.integers(0, 5))
    m = draw(st.integers(0, 8)) if n else 0
    ends = draw(st.lists(st.tuples(*[st.integers(0, max(n - 1, 0))] * 2), min_size=m, max_size=m))
    weights = draw(st.lists(st.sampled_from(EXTREME[kind]), min_size=m, max_size=m))
    u, v, w = (
        np.array(ends, int).reshape(m, 2)[:, 0],
        np.array(ends, int).reshape(m, 2)[:, 1],
        np.array(weights, kind),
    )
    match draw(st.sampled_from(["graph", "sparse", "frame", "matrix"])):
        case "sparse" if kind not in ("f2", "g") and find_spec("scipy"):
            from scipy import sparse

            return sparse.coo_array((w, (u, v)), shape=(n, n))
        case "frame" if kind != "g":
            names = [f"v{x}" for x in range(n)]
            ends = [[names[x] for x in column] for column in (u, v)]
            return pandas.DataFrame({"source": ends[0], "target": ends[1], "weight": w})
        case "matrix" if kind != "g":
            a = np.zeros((n, n), kind)
            a[u, v] = w
            return Graph.from_dense(a, null_value=draw(st.sampled_from([None, 0])))
    return Graph(n, u, v, w)


@given(st.lists(any_graphs(), max_size=5), st.booleans())
def test_a_batch_of_mixed_graphs_is_solved_as_each(several, maximum):
    batch = boruvka.minimum_spanning_forests(several, maximum=maximum)
    expected = [boruvka.minimum_spanning_forest(graph, maximum=maximum) for graph in several]
    weights = batch.weight
    assert weights.size == len(several)
    for i, alone in enumerate(expected):
        edges, u, v, w = parts(batch.forest(i))
        assert edges.tolist() == alone.edges.tolist()
        assert w.dtype == alone.w.dtype
        assert np.array_equal(w, alone.w)
        assert (u.tolist(), v.tolist()) == (alone.u.tolist(), alone.v.tolist())
        assert batch.n_components[i] == alone.n_components
        labels = Graph(alone.n, u, v, np.zeros(u.size))
        assert boruvka.minimum_spanning_forest(labels).labels.tolist() == alone.labels.tolist()
        assert weights[i] == alone.weight or (weights[i] != weights[i] and alone.weight != alone.weight)
        assert isinstance(weights[i].item() if hasattr(weights[i], "item") else weights[i], int | float)
    if len({graph.dtype for graph in (alone.graph for alone in expected) if graph.m}) == 1:
        assert batch.w.dtype.kind != "O"


def test_sums_of_a_batch_are_exact():
    large, small = ([0], [1], np.array([2**63], np.uint64)), ([0], [1], [-1])
    assert boruvka.minimum_spanning_forests([large, small]).weight.tolist() == [2**63, -1]
    assert boruvka.minimum_spanning_forests([([0], [1], [2**53 + 1]), ([0], [1], [0.5])]).weight.tolist() == [
        2**53 + 1,
        0.5,
    ]
    path = [0, 1], [1, 2], np.array([2**63 - 1] * 2)
    assert boruvka.minimum_spanning_forests([path]).weight.tolist() == [2**64 - 2]
    assert boruvka.minimum_spanning_forests([]).weight.size == 0


def test_graphs_are_numbered_as_in_lists():
    batch = boruvka.minimum_spanning_forests([([0], [1], [5]), ([0, 1], [1, 2], [3, 4])])
    assert batch.forest(-1).w.tolist() == batch.forest(1).w.tolist() == [3, 4]
    assert batch.forest(-2).w.tolist() == batch.forest(np.int64(0)).w.tolist() == [5]
    for wrong in 2, -3, 0.0, slice(0, 1), None:
        with pytest.raises(OptionError, match="i must be an integer from -2 to 1"):
            batch.forest(wrong)
    with pytest.raises(OptionError, match="the batch has no graph"):
        boruvka.minimum_spanning_forests([]).forest(0)


@given(st.integers(0, 2**32), st.booleans())
def test_constraints_number_all_edges(seed, is_mask):
    """Required and excluded edges of lists and matrices, against solves one by one."""
    rng = np.random.default_rng(seed)
    stack = rng.integers(0, 4, (3, 5, 5)).astype(float)
    stack = np.maximum(stack, stack.transpose(0, 2, 1))
    rows, columns = np.triu_indices(5, 1)
    is_edge = stack[:, rows, columns] != 0
    excluded = (rng.random((3, 10)) < 0.2) & is_edge
    required = np.zeros((3, 10), bool)
    required[np.arange(3), rng.integers(0, 10, 3)] = True
    required &= is_edge & ~excluded

    def given_as(mask):
        return mask.ravel() if is_mask else np.flatnonzero(mask)

    how = {"required": given_as(required), "excluded": given_as(excluded)}
    batch = boruvka.minimum_spanning_forests(stack, null_value=0, **how)
    graphs = [Graph(5, rows, columns, matrix[rows, columns]) for matrix in stack]
    how["excluded"] = given_as(excluded | ~is_edge)
    of_list = boruvka.minimum_spanning_forests(graphs, **how)
    for i, graph in enumerate(graphs):
        alone = boruvka.minimum_spanning_forest(
            graph, required=required[i], excluded=excluded[i] | ~is_edge[i]
        )
        assert batch.forest(i).edges.tolist() == of_list.forest(i).edges.tolist() == alone.edges.tolist()


def test_a_required_pair_must_be_an_edge():
    stack = np.ones((2, 3, 3))
    stack[1, 0, 2] = stack[1, 2, 0] = 0
    with pytest.raises(GraphError, match=r"required has 4: matrix 1 has no edge \(0, 2\)"):
        boruvka.minimum_spanning_forests(stack, null_value=0, required=[4])


def test_a_null_value_is_exact():
    x = 2**53
    stack = np.array([[[0, x + 1], [x + 1, 0]]])
    assert boruvka.minimum_spanning_forests(stack, null_value=float(x)).edges.size == 1
    assert boruvka.minimum_spanning_forests(stack, null_value=x + 1).edges.size == 0
    with pytest.raises(OptionError, match="null_value must be a number"):
        boruvka.minimum_spanning_forests(stack, null_value="0")
    for several, offsets in ([([0], [1], [5])], None), (([0], [1], [5]), [0, 1]):
        with pytest.raises(
            OptionError, match=r"null_value is for matrices that are stacked .*Graph.from_dense"
        ):
            boruvka.minimum_spanning_forests(several, offsets, null_value=0)


@pytest.mark.parametrize("null", [None, 0.0])
def test_stacked_matrices(null):
    values = np.random.default_rng(1).integers(0, 5, (7, 6, 6)).astype(float)
    stack = values + values.transpose(0, 2, 1)
    stack[2, 1, 3] = stack[2, 3, 1] = np.nan
    batch = boruvka.minimum_spanning_forests(stack, null_value=null)
    rows, columns = np.triu_indices(6, 1)
    for i, matrix in enumerate(stack):
        w = matrix[rows, columns]
        kept = np.flatnonzero(~np.isnan(w) & ((null is None) | (w != 0)))
        chosen = kept[kruskal(6, rows[kept], columns[kept], w[kept])]
        edges, u, v, found = parts(batch.forest(i))
        assert edges.tolist() == chosen.tolist()
        assert (u.tolist(), v.tolist()) == (rows[chosen].tolist(), columns[chosen].tolist())
        assert found.tolist() == w[chosen].tolist()


@pytest.mark.parametrize(
    ("batch", "offsets", "error", "message"),
    [
        (np.zeros((2, 3, 4)), None, GraphError, r"square matrices, these have the shape \(3, 4\)"),
        (np.arange(8).reshape(2, 2, 2), None, GraphError, r"graphs\[0\]\[0, 1\] is 1, but .* is symmetric"),
        (([0], [1], [2]), [0, 2], GraphError, "offsets must ascend from 0 to 1"),
        (([0], [1], [2]), [0.0, 1.0], GraphTypeError, "offsets must be integers"),
        (([0], [1], [2]), None, GraphTypeError, "needs offsets"),
        ([([0], [1], [2])], [0, 1], GraphTypeError, "needs offsets"),
        (3, None, GraphTypeError, r"graphs are a \(k, n, n\) array"),
        ([Graph.from_points([[0], [1]])], None, GraphTypeError, "list their edges"),
        ([np.ones((2, 2))], None, GraphTypeError, r"zeros may be edges .* write Graph.from_dense\(matrix\)"),
        ("ab", None, GraphTypeError, r"graphs are a \(k, n, n\) array"),
        ((["a"], ["b"], [2]), [0, 1], GraphTypeError, "numbers from 0"),
    ],
)
def test_what_is_no_batch(batch, offsets, error, message):
    with pytest.raises((error, GraphTypeError), match=message):
        boruvka.minimum_spanning_forests(batch, offsets)


def test_no_graphs():
    assert boruvka.minimum_spanning_forests([]).offsets.tolist() == [0]
    assert boruvka.minimum_spanning_forests(np.empty((0, 3, 3))).edges.size == 0
