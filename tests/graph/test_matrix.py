import math

import numpy as np
import pandas
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import (
    Graph,
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    generators,
    minimum_spanning_forest,
    read,
    steiner_tree,
    verify,
)
from boruvka.csgraph import minimum_spanning_tree
from tests import oracles
from tests.conftest import set_small_limits
from tests.strategies import WEIGHTS, values_of

TYPES = [dtype for dtype in WEIGHTS if dtype.itemsize <= 8]


@st.composite
def matrices(draw, dtypes=TYPES, layouts=range(4)):
    """Draw a matrix of any type and layout, symmetric or not, and a value for "no edge"."""
    n = draw(st.integers(0, 9))
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    a = draw(hnp.arrays(dtype, (n, n), elements=values_of(dtype), fill=st.nothing()))
    if draw(st.booleans()):
        a = np.minimum(a, a.T)
    arranged = [a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2], a[::-1, ::-1]]
    a = arranged[draw(st.sampled_from(layouts))]
    absent = [0, None, *([np.inf, np.nan] if dtype.kind == "f" else [-1, 2**70, 0.5])]
    return a, draw(st.sampled_from(absent))


def edges_of(a, absent):
    """List the edges of a matrix, one by one."""
    if absent is not None and math.isnan(absent):
        absent = None
    cells = [(i, j) for i in range(len(a)) for j in range(len(a)) if i != j]
    cells = [(i, j) for i, j in cells if absent is None or a[i, j] != absent]
    u, v = np.array(cells, np.int64).reshape(-1, 2).T
    return u, v, a[u, v]


def check_matrix(a, absent, maximum, **how):
    u, v, w = edges_of(a, absent)
    graph = Graph.from_dense(a, null_value=absent)
    assert graph.m == w.size
    forest = minimum_spanning_forest(graph, maximum=maximum, **how)
    assert forest.algorithm == "dense"
    edges = oracles.kruskal(len(a), u, v, w, maximum)
    assert forest.edges.tolist() == edges
    for got, expected in ((forest.u, u), (forest.v, v), (forest.w, w)):
        np.testing.assert_array_equal(got, expected[edges])
    for got, expected in ((graph.u, u), (graph.v, v), (graph.w, w)):
        np.testing.assert_array_equal(got, expected)
    assert verify(graph, forest)
    return graph, edges


@pytest.mark.filterwarnings("ignore:.*(have the weight inf|the matrix)")
@given(drawn=matrices(), maximum=st.booleans())
@pytest.mark.usefixtures("interpreted")
def test_a_matrix_has_the_edges_of_its_entries(monkeypatch, drawn, maximum):
    set_small_limits(monkeypatch, 100)
    graph, edges = check_matrix(*drawn, maximum, backend="interpreted")
    by_list = minimum_spanning_forest(graph, maximum=maximum, algorithm="boruvka", backend="interpreted")
    assert by_list.edges.tolist() == edges


@pytest.mark.filterwarnings("ignore:.*(have the weight inf|the matrix)")
@given(drawn=matrices(["f8"], [0]), maximum=st.booleans(), threads=st.sampled_from([1, 3]))
def test_compiled_operators_agree(monkeypatch, drawn, maximum, threads):
    set_small_limits(monkeypatch, 100)
    check_matrix(*drawn, maximum, threads=threads)


@pytest.mark.filterwarnings("ignore:.*(have the weight inf|the matrix)")
@pytest.mark.long
@pytest.mark.parametrize("threads", [1, 3])
@given(drawn=matrices(), maximum=st.booleans())
@pytest.mark.usefixtures("small_limits")
def test_compiled_operators_agree_for_every_type_and_layout(threads, drawn, maximum):
    check_matrix(*drawn, maximum, threads=threads)


@pytest.mark.parametrize(
    ("n", "symmetric"),
    [(127, True), (128, False), (129, True), (300, False), pytest.param(1000, True, marks=pytest.mark.long)],
)
def test_many_tiles_agree_with_the_list_of_edges(n, symmetric):
    random = np.random.default_rng(n)
    a = random.random((n, n))
    a = a + a.T if symmetric else a
    answers = [minimum_spanning_forest(a, threads=threads) for threads in (1, 2, 3)]
    for answer in answers[1:]:
        np.testing.assert_array_equal(answer.edges, answers[0].edges)
    lighter = np.minimum(a, a.T)
    u, v = np.triu_indices(n, 1)
    w = lighter[u, v]
    np.testing.assert_array_equal(np.sort(answers[0].w), np.sort(w[oracles.kruskal(n, u, v, w)]))


def test_a_matrix_is_not_copied():
    a = np.ones((300, 300))
    graph = Graph.from_dense(a)
    assert np.shares_memory(graph.matrix, a)
    assert not graph.matrix.flags.writeable
    for name in ("n", "matrix", "absent", "row_offsets", "w"):
        with pytest.raises(AttributeError):
            setattr(graph, name, None)


@pytest.mark.usefixtures("interpreted")
def test_nan_in_a_matrix_is_named():
    a = np.ones((4, 4))
    a[1, 1] = np.nan
    assert len(minimum_spanning_forest(a)) == 3
    a[2, 3] = np.nan
    with pytest.raises(GraphError, match=r"entry \(2, 3\) of the matrix is NaN"):
        Graph.from_dense(a)


def test_no_matrix_is_made_for_an_edge_list():
    message = r"dense takes a matrix, .* or points, .*; for other graphs use algorithm='auto'"
    with pytest.raises(OptionError, match=message):
        minimum_spanning_forest(generators.path(9), algorithm="dense")


def test_matrices_of_every_kind():
    a = np.array([[9, 4, 0], [2, 0, np.inf], [0, 5, 0]])
    forest = minimum_spanning_forest(Graph.from_dense(a))
    assert forest.graph.m == 4
    assert sorted(forest.w.tolist()) == [2, 5]
    assert Graph.from_dense(a, null_value=np.inf).m == 5
    assert Graph.from_dense(a, null_value=None).m == 6
    assert Graph.from_dense(np.where(a == 0, np.nan, a), null_value=np.nan).m == 4
    assert Graph.from_dense(np.ma.masked_equal(a, 5)).m == 5
    assert minimum_spanning_forest(np.ma.masked_equal(a, 0)).edges.tolist() == forest.edges.tolist()
    four = np.pad(a, (0, 1))
    assert minimum_spanning_forest(four.view(np.matrix)).edges.tolist() == forest.edges.tolist()


def test_what_is_no_matrix_is_rejected():
    with pytest.raises(GraphTypeError, match="the matrix cannot be read as an array"):
        Graph.from_dense([[1], [1, 2]])
    with pytest.raises(OptionError, match="null_value must be a number or None, got 'x'"):
        Graph.from_dense(np.zeros((2, 2)), null_value="x")
    with pytest.raises(GraphError, match=r"entry \(0, 1\) of the matrix is NaN"):
        Graph.from_dense(np.array([[0, np.nan], [0, 0]]))
    with pytest.raises(GraphTypeError, match=r"entry \(0, 1\) of the matrix is None: expected"):
        Graph.from_dense(np.array([[0, None], [0, 0]]))


@pytest.mark.parametrize("shape", [(3, 2), (3,), (2, 2, 2)])
def test_arrays_that_are_no_square_matrix(shape):
    with pytest.raises(GraphError, match="square"):
        minimum_spanning_forest(np.ones(shape))


@pytest.mark.parametrize("dtype", [int, float])
def test_typing_errors_are_named(dtype, tmp_path):
    """Few pairs have two weights; a matrix of directed weights, a triangle and rounding are not errors."""
    rng = np.random.default_rng(0)
    typed = np.triu(rng.integers(1, 9, (8, 8)), 1).astype(dtype)
    directed, triangle = rng.integers(1, 9, (8, 8)), typed.copy()
    typed += typed.T
    for fine in typed, directed, triangle, typed * np.where(np.tri(8), 1 + 1e-16, 1):
        Graph.from_dense(fine)
    typed[5, 2] += 100
    names = list("abcdefgh")
    message = rf"\('?{{}}'?, '?{{}}'?\) of the matrix is {typed[2, 5]}, but .* is {typed[5, 2]}: .* 1 of 28"
    with pytest.warns(GraphWarning, match=message.format(2, 5)):
        assert Graph.from_dense(typed).m == 56
    with pytest.warns(GraphWarning, match=message.format("c", "f")):
        minimum_spanning_forest(Graph.from_dense(pandas.DataFrame(typed, names, names)))
    pandas.DataFrame(typed, names, names).to_csv(tmp_path / "typed.csv")
    with pytest.warns(GraphWarning, match=message.format("c", "f")):
        read(tmp_path / "typed.csv", zero_is_no_edge=True)
    assert minimum_spanning_tree(typed).sum() == scipy.sparse.csgraph.minimum_spanning_tree(typed).sum()


def test_inf_that_means_no_edge_is_explained():
    matrix = np.array([[0, 1, np.inf], [1, 0, 2], [np.inf, 2, 0]])
    graph, advice = (
        Graph.from_dense(matrix),
        r"inf.*write .*from_dense\(a, null_value=numpy.inf\)",
    )
    with pytest.raises(GraphError, match=advice):
        steiner_tree(graph, [0, 2])
    with pytest.raises(GraphError, match=advice):
        next(minimum_spanning_forest(graph).ranked())
    assert minimum_spanning_forest(graph).update(removed=[(0, 2)]).weight == 3  # without a warning


@pytest.mark.parametrize("dtype", [int, float])
def test_percent_of_identity(dtype, recwarn):
    """The tree of a matrix of identities joins the least similar, unless it is a maximum one."""
    matrix = np.array([[100, 98, 91], [98, 100, 92], [91, 92, 100]], dtype)
    minimum_spanning_forest(Graph.from_distances(matrix), maximum=True)
    assert not recwarn
    minimum_spanning_forest(Graph.from_distances(matrix))
    assert "the diagonal is 100, as of percent of identity" in str(recwarn.pop().message)
