"""Cases that other libraries get wrong."""

import numpy as np
import pytest

import boruvka
from boruvka import Graph, GraphError, minimum_spanning_forest
from boruvka.algorithms.registry import edge_list_algorithms

pytestmark = pytest.mark.parametrize(
    "how",
    [
        {"algorithm": "auto"},
        *({"algorithm": name, "backend": "interpreted"} for name in edge_list_algorithms()),
        *(
            pytest.param({"algorithm": name, "backend": "threads"}, marks=pytest.mark.long)
            for name in edge_list_algorithms()
        ),
    ],
    ids=lambda how: "-".join(how.values()),
)


@pytest.mark.needs("scipy")
def test_tree_edge_of_weight_zero(how):
    from scipy import sparse
    from scipy.sparse.csgraph import minimum_spanning_tree

    ends = np.array([[0, 1, 0], [1, 2, 2]], np.int32)
    a = sparse.coo_array((np.array([0.0, 1.0, 5.0]), tuple(ends)), shape=(3, 3))
    assert minimum_spanning_tree(a.tocsr()).nnz < 2
    forest = minimum_spanning_forest(a, **how)
    assert forest.w.tolist() == [0, 1]


TRIANGLE = [0, 1, 2], [1, 2, 0]
BASE = 2**62


@pytest.mark.parametrize(
    ("u", "v", "w", "edges"),
    [
        ([0, 1, 0], [1, 0, 1], [3, 2, 4], [1]),  # parallel edges
        (*TRIANGLE, [1.0, -np.inf, 0.0], [1, 2]),
        ([0, 3, 4, 3], [1, 4, 5, 5], [1, 2, 3, 1], [0, 1, 3]),  # vertex 2 has no edge
        (*TRIANGLE, np.array([BASE + 1, BASE, BASE + 2], np.int64), [0, 1]),  # no float64 is between them
        (*TRIANGLE, np.array([BASE + 1, BASE, BASE + 2], np.uint64), [0, 1]),
        ([0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [-1, -5, 3, 0, -2], [1, 3, 4]),
        (np.array([0, 1], np.int32), np.array([1, 2], np.int32), [1, 2], [0, 1]),
    ],
)
def test_edges_of_the_forest(how, u, v, w, edges):
    forest = minimum_spanning_forest((u, v, w), **how)
    assert forest.edges.tolist() == edges
    assert forest.weight == sum(w[i] if isinstance(w, list) else w.tolist()[i] for i in edges)
    assert forest.n_components == forest.n - len(edges)


def test_nan(how):
    with pytest.raises(GraphError, match=r"edge 1 \(1, 2\) has the weight NaN"):
        minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [1.0, np.nan, np.nan]), **how)


@pytest.mark.filterwarnings("ignore:.*have the weight inf:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("dense", [False, True])
def test_infinite_bridge(how, dense):
    graph = np.array([[0, 1, 0], [0, 0, np.inf], [0, 0, 0]])
    made = Graph.from_dense(graph) if dense else (*np.nonzero(graph), graph[np.nonzero(graph)])
    forest = minimum_spanning_forest(made, **how)
    assert forest.w.tolist() == [1, np.inf]
    assert forest.n_components == 1
    assert forest.weight == np.inf


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])
def test_types_are_kept(how, dtype):
    w = np.array([1, 2, 3], dtype)
    forest = minimum_spanning_forest(([0, 1, 2], [1, 2, 0], w), **how)
    assert forest.w.dtype == dtype
    assert type(forest.weight) is (float if dtype.startswith("f") else int)


def test_totals_beyond_32_and_64_bits(how):
    n = 100
    ids = np.arange(n - 1)
    w = np.full(n - 1, 2**63 - 1)
    assert minimum_spanning_forest((ids, ids + 1, w), **how).weight == (n - 1) * (2**63 - 1)


def test_weights_must_be_given(how):
    with pytest.raises(boruvka.GraphTypeError, match="from_edges needs three arrays, u, v and w"):
        boruvka.Graph.from_edges([0], [1])
    with pytest.raises(boruvka.GraphTypeError, match="a graph given as a tuple"):
        minimum_spanning_forest(([0], [1]), **how)
