import inspect
import itertools
import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("scipy")

from scipy import sparse
from scipy.sparse import csgraph as scipys

from boruvka import GraphError, GraphTypeError, OptionError, csgraph
from boruvka.csgraph import connected_components, minimum_spanning_tree

FORMATS = ["csr", "csc", "coo", "lil", "dok"]
"""Formats that do not pad with zeros."""


def scipys_tests(name):
    """Return the functions of a file of SciPy's tests; a version without its tests has none."""
    module = pytest.importorskip(f"scipy.sparse.csgraph.tests.{name}", exc_type=ImportError)
    return module, [test for test in vars(module) if test.startswith("test_")]


def test_the_scipys_tests_for_spanning_trees(monkeypatch):
    module, tests = scipys_tests("test_spanning_tree")
    monkeypatch.setattr(module, "minimum_spanning_tree", minimum_spanning_tree)
    assert tests == ["test_minimum_spanning_tree"]
    for test in tests:
        getattr(module, test)()


def test_the_scipys_tests_for_components(monkeypatch):
    """Strong components are an error here, and so are arrays of the package ``sparse`` (tests not run)."""
    module, tests = scipys_tests("test_connected_components")
    here = types.SimpleNamespace(
        connected_components=connected_components, csgraph_from_dense=scipys.csgraph_from_dense
    )
    monkeypatch.setattr(module, "csgraph", here)
    functions = [getattr(module, name) for name in tests]
    need_directions = [test for test in functions if "connection='strong'" in inspect.getsource(test)]
    assert 4 <= len(need_directions) < len(functions)
    for test in functions:
        if test in need_directions:
            with pytest.raises(OptionError, match=r"scipy\.sparse\.csgraph\.connected_components"):
                run(test)
        else:
            run(test)


def run(test):
    """Run a test with each of its parameters."""
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    for arguments in itertools.product(*(mark.args[1] for mark in marks)):
        test(*arguments)


@st.composite
def matrices(draw, dtypes=("i4", "i8", "f4", "f8")):
    """Draw a dense matrix; zeros are no edges, few weights make ties."""
    n = draw(st.integers(1, 7))
    entries = st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=n * n, max_size=n * n)
    return np.array(draw(entries), draw(st.sampled_from(dtypes))).reshape(n, n)


@st.composite
def forms(draw):
    """Draw a matrix in one of the forms that SciPy accepts."""
    dense, form = draw(matrices()), draw(st.sampled_from([*FORMATS, "array", "matrix", "masked"]))
    if form == "masked":
        return np.ma.masked_array(dense, dense == 0)
    if form in ("array", "matrix"):
        return dense.view(np.matrix) if form == "matrix" else dense
    array = draw(st.sampled_from([sparse.csr_array, sparse.csr_matrix]))(dense)
    return array.asformat(form)


@given(forms())
def test_trees_are_those_of_scipy_with_its_ties(a):
    ours, theirs = minimum_spanning_tree(a), scipys.minimum_spanning_tree(a)
    assert type(ours) is type(theirs)
    assert (ours.shape, ours.dtype, ours.indices.dtype) == (theirs.shape, a.dtype, theirs.indices.dtype)
    assert ours.toarray().tolist() == theirs.toarray().tolist()


@given(forms(), st.booleans())
def test_components_are_those_of_scipy(a, directed):
    (count, labels), theirs = connected_components(a, directed), scipys.connected_components(a, directed)
    assert (type(count), count, labels.dtype) == (int, theirs[0], theirs[1].dtype)
    assert labels.tolist() == theirs[1].tolist()
    assert connected_components(a, directed, return_labels=False) == count


@pytest.mark.parametrize("order", [1, -1])
def test_ties_of_a_csr_array_are_broken_as_it_is_stored(order):
    columns = [*[2, 1][::order], 2]
    a = sparse.csr_array((np.ones(3), columns, [0, 2, 3, 3]), shape=(3, 3))
    ours, theirs = minimum_spanning_tree(a), scipys.minimum_spanning_tree(a)
    assert ours.toarray().tolist() == theirs.toarray().tolist() == [[0, 1, 1], [0, 0, 0], [0, 0, 0]]
    assert a.indices.tolist() == columns


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_stored_zeros_are_edges_and_are_stored(format):
    a = sparse.coo_array(([0.0, 0.0, 5.0], ([0, 2, 0], [1, 1, 2])), shape=(4, 4)).asformat(format)
    tree = minimum_spanning_tree(a)
    assert scipys.minimum_spanning_tree(a).nnz == 0
    assert (tree.nnz, tree.indices.tolist(), tree.indptr.tolist()) == (2, [1, 1], [0, 1, 1, 2, 2])
    assert tree.data.tolist() == [0, 0]
    assert connected_components(a)[1].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("format", ["bsr", "dia"])
def test_padding_is_no_edge(format):
    a = sparse.csr_array(np.diag([1.0, 2.0, 0.0], 1)).asformat(format)
    assert minimum_spanning_tree(a).nnz == 2
    assert connected_components(a)[1].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    "dtype", ["i8", "f8", *(pytest.param(dtype, marks=pytest.mark.long) for dtype in ("u8", "f4", "?", "g"))]
)
def test_weights_keep_their_type(dtype):
    a = sparse.csr_array(np.array([[0, 1], [0, 0]], dtype))
    assert minimum_spanning_tree(a).dtype == minimum_spanning_tree(a.toarray()).dtype == dtype


def test_weights_are_not_rounded():
    w = 2**53 + np.array([2, 1, 1])
    a = sparse.coo_array((w, ([0, 0, 1], [1, 2, 2])), shape=(3, 3))
    for form in (a, a.toarray()):
        assert minimum_spanning_tree(form).data.tolist() == [2**53 + 1] * 2


def test_duplicates_are_parallel_edges():
    a = sparse.coo_array(([3, 4, 9, 6], ([0, 0, 1, 0], [1, 1, 2, 2])), shape=(3, 3))
    assert minimum_spanning_tree(a).toarray().tolist() == [[0, 3, 6], [0, 0, 0], [0, 0, 0]]
    assert scipys.minimum_spanning_tree(a).toarray().tolist() == [[0, 7, 6], [0, 0, 0], [0, 0, 0]]
    assert a.nnz == 4


def test_the_lighter_of_two_directions_counts_where_it_is():
    a = np.array([[0, 5, 0], [4, 0, 1], [0, 2, 0]])
    for form in (a, sparse.csc_array(a)):
        assert minimum_spanning_tree(form).toarray().tolist() == [[0, 0, 0], [4, 0, 1], [0, 0, 0]]


def test_zero_nan_and_infinity_in_a_dense_array_are_no_edges():
    a = [[0, np.inf, np.nan, -np.inf], [1e-9, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    assert minimum_spanning_tree(a).data.tolist() == [1e-9, 2]
    assert scipys.minimum_spanning_tree(a).data.tolist() == [2]
    assert connected_components(a)[1].tolist() == [0, 0, 0, 1]
    masked = np.ma.masked_array([[0, np.inf], [7, 0]], [[True, False], [True, True]])
    assert minimum_spanning_tree(masked).data.tolist() == [np.inf]


def test_the_input_is_never_overwritten():
    a = sparse.csr_array(np.array([[0, 8, 3], [0, 0, 2], [1, 0, 0.0]]))
    before = a.copy()
    minimum_spanning_tree(a, overwrite=True)
    assert (a.data.tolist(), a.nnz) == (before.data.tolist(), before.nnz)


def test_weights_do_not_matter_to_components():
    for value in (1j, np.nan, True):
        assert connected_components(sparse.csr_array(([value], ([0], [1])), shape=(3, 3)))[0] == 2


def test_no_vertices():
    assert connected_components(np.zeros((0, 0)))[0] == 0
    assert minimum_spanning_tree(np.zeros((0, 0))).shape == (0, 0)


def test_errors():
    for function in (minimum_spanning_tree, connected_components):
        for wrong in (np.ones((2, 3)), sparse.csr_array((2, 3)), np.ones(3), sparse.coo_array(np.ones(3)), 5):
            with pytest.raises(GraphError, match="must be square"):
                function(wrong)
        with pytest.raises(GraphTypeError, match=r"to_scipy_sparse\(\)"):
            function(types.SimpleNamespace(to_scipy_sparse=None))
    with pytest.raises(GraphError, match=r"edge 0 \(0, 1\) has the weight NaN"):
        minimum_spanning_tree(sparse.csr_array([[0, np.nan], [0, 0]]))
    with pytest.raises(GraphTypeError, match="weights must be integers or floats"):
        minimum_spanning_tree(sparse.csr_array([[0, 1j], [0, 0]]))
    with pytest.raises(OptionError, match="connection must be 'weak' or 'strong', got 'any'"):
        connected_components(np.eye(2), connection="any")
    with pytest.raises(OptionError, match=r"use scipy\.sparse\.csgraph\.connected_components"):
        connected_components(np.eye(2), connection="Strong")
    assert connected_components(np.eye(2), directed=False, connection="strong")[0] == 2


def test_it_exports_what_scipy_has():
    assert all(hasattr(scipys, name) for name in csgraph.__all__)
