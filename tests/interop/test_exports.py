import numpy as np
import pytest
from hypothesis import given

pytest.importorskip("scipy")

from scipy import sparse
from scipy.sparse import csgraph

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
def test_there_and_back(graph):
    forest = minimum_spanning_forest(graph)
    a = forest.to_scipy()
    assert (a.shape, a.nnz) == ((graph.n, graph.n), len(forest))
    assert same(forest, minimum_spanning_forest(a))
    held = {(int(u), int(v)): w for u, v, w in zip(forest.u, forest.v, forest.w, strict=True)}
    coo = a.tocoo()
    assert dict(zip(zip(coo.row.tolist(), coo.col.tolist(), strict=True), coo.data, strict=True)) == held


@pytest.mark.parametrize("dtype", ["i1", "u8", "i8", "f2", "f4", "f8", "longdouble"])
def test_weights_keep_their_type(dtype):
    largest = np.iinfo(dtype).max if dtype[0] in "iu" else np.finfo(dtype).max
    w = np.array([1, largest], dtype)
    found = minimum_spanning_forest(([0, 1], [1, 2], w)).to_scipy()
    assert found.dtype == ("f4" if dtype == "f2" else dtype)
    assert found.data.tolist() == w.tolist()
