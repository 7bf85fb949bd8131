import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse
from scipy.sparse import csgraph

from boruvka import Graph

from .graphs import graphs, minimum_spanning_forest, same


def test_it_is_what_scipy_finds():
    rng = np.random.default_rng(1)
    a = sparse.triu(sparse.random_array((60, 60), density=0.2, rng=rng), 1, format="csr")
    ours = minimum_spanning_forest(a).to_scipy()
    theirs = csgraph.minimum_spanning_tree(a)
    assert (ours != theirs).nnz == 0
    assert ours.nnz == theirs.nnz
    assert type(ours) is sparse.csr_array
    assert ours.indices.dtype == ours.indptr.dtype == np.int32
    assert ours.has_canonical_format


@given(graphs())
@settings(deadline=None, max_examples=15)
def test_there_and_back(graph):
    forest = minimum_spanning_forest(graph)
    a = forest.to_scipy()
    assert a.shape == (graph.n, graph.n)
    assert a.nnz == len(forest)
    again = minimum_spanning_forest(a)
    assert same(forest, again)
    if graph.n:
        a.data[:] = 1
        assert csgraph.connected_components(a, directed=False)[0] == forest.n_components


def test_an_entry_stands_where_the_graph_has_the_edge():
    a = minimum_spanning_forest(([2, 1], [0, 2], [0, -4])).to_scipy()
    coo = a.tocoo()
    assert list(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist(), strict=True)) == [
        (1, 2, -4),
        (2, 0, 0),
    ]


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64, np.float32, np.float64, np.longdouble])
def test_weights_keep_their_type(dtype):
    forest = minimum_spanning_forest(([0, 1], [1, 2], np.array([0, 3], dtype)))
    assert forest.to_scipy().dtype == dtype


def test_integers_are_not_rounded():
    w = np.array([2**63 + 1, 2**64 - 1], np.uint64)
    assert minimum_spanning_forest(([0, 1], [1, 2], w)).to_scipy().data.tolist() == w.tolist()


def test_half_precision_becomes_single():
    a = minimum_spanning_forest(([0], [1], np.array([0.1], np.float16))).to_scipy()
    assert a.dtype == np.float32
    assert a.data[0] == np.float16(0.1)


def test_no_vertices():
    assert minimum_spanning_forest(Graph(0, [], [], [])).to_scipy().shape == (0, 0)
