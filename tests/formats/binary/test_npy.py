"""NumPy arrays in files."""

import numpy as np
import pytest

from boruvka import Graph
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, edges_of

ROWS = [[0, 1, 5], [2, 1, -7], [2, 0, 4], [1, 1, 0]]


@pytest.mark.parametrize("dtype", [np.int64, np.int8, ">i4", np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_are_edges(tmp_path, dtype, order):
    np.save(tmp_path / "a.npy", np.array(ROWS, dtype, order=order))
    graph = read(tmp_path / "a.npy")
    assert edges_of(graph) == [tuple(row) for row in ROWS]
    assert graph.w.dtype == np.dtype(dtype).newbyteorder("=")
    np.save(tmp_path / "a.npy", np.array(ROWS, dtype, order=order)[:, :2])
    assert_malformed(tmp_path / "a.npy", None, "rows u, v have no weights")
    assert read(tmp_path / "a.npy", unweighted=True).w.tolist() == [1, 1, 1, 1]


def test_a_square_array_is_a_matrix(tmp_path):
    matrix = np.arange(16).reshape(4, 4)
    np.save(tmp_path / "a.npy", matrix)
    assert edges_of(read(tmp_path / "a.npy")) == edges_of(Graph.from_dense(matrix))
    np.save(tmp_path / "a.npy", matrix[:2, :2])
    assert edges_of(read(tmp_path / "a.npy")) == [(0, 1, 1), (1, 0, 4)]


def test_what_may_be_both_is_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.ones((3, 3)))
    message = (
        "may be a matrix of weights or three edges u, v, w: with a = numpy.load(file), write Graph.from_dense"
    )
    assert_malformed(tmp_path / "a.npy", None, message)
    assert_malformed(tmp_path / "a.npy", None, "found an array of shape (3, 3)", unweighted=True)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([{}]), "cannot be read as npy"),
        (np.ones((4, 3), complex), "expected an array of numbers, found complex128"),
        (np.zeros(2, [("u", int), ("v", int)]), "expected an array of numbers"),
        (np.ones(4), "has shape (4,)"),
        (np.ones((4, 5)), "has shape (4, 5)"),
        (np.array([[0, 0.5, 1]]), "v[0] = 0.5"),
        (np.array([[0, 1, np.nan]]), "NaN"),
    ],
)
def test_other_arrays_are_refused(tmp_path, array, message):
    np.save(tmp_path / "a.npy", array, allow_pickle=True)
    assert_malformed(tmp_path / "a.npy", None, message)


def test_numpy_reads_what_we_write(tmp_path):
    write(Graph(3, *np.transpose(ROWS)), tmp_path / "a.npy")
    array = np.load(tmp_path / "a.npy")
    assert array.dtype == np.int64
    assert array.tolist() == ROWS
    write(Graph(3, [0], [2], [0.1]), tmp_path / "a.npy")
    assert np.load(tmp_path / "a.npy").tolist() == [[0, 2, 0.1]]
