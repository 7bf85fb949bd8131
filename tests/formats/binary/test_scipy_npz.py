"""Archives that SciPy's `save_npz` writes."""

import numpy as np
import pytest
from scipy import sparse

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import check_output, read, write
from tests.formats.helpers import assert_damage_is_an_error, assert_malformed, edges_of

FORMATS = ["csr", "csc", "coo", "bsr", "dia"]
MATRIX = np.array([[0, 3, 0, 1], [3, 0, 7, 0], [0, 7, 2, 0], [0, 0, 0, 0]])


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", [sparse.coo_array, sparse.coo_matrix])
@pytest.mark.parametrize("dtype", [np.int32, np.float64, bool])
def test_every_stored_entry_is_an_edge(tmp_path, form, kind, dtype):
    matrix = kind(MATRIX.astype(dtype)).asformat(form)
    sparse.save_npz(tmp_path / "a.npz", matrix)
    graph = read(tmp_path / "a.npz")
    assert edges_of(graph) == edges_of(Graph.from_scipy(matrix.astype(np.uint8) if dtype is bool else matrix))
    assert graph.m == np.count_nonzero(MATRIX)
    assert graph.n == 4
    ones = read(tmp_path / "a.npz", unweighted=True)
    assert edges_of(ones) == [(u, v, 1) for u, v, _ in edges_of(graph)]


def test_stored_zeros_and_duplicates_are_edges(tmp_path):
    matrix = sparse.coo_array(([0, 5, 6], ([0, 1, 1], [1, 2, 2])), shape=(3, 3))
    sparse.save_npz(tmp_path / "a.npz", matrix)
    assert edges_of(read(tmp_path / "a.npz")) == [(0, 1, 0), (1, 2, 5), (1, 2, 6)]


def test_our_archives_share_the_ending(tmp_path):
    graph = Graph(2, [0], [1], [5])
    write(graph, tmp_path / "a.npz")
    assert edges_of(read(tmp_path / "a.npz")) == [(0, 1, 5)]
    check_output(tmp_path / "b.npz")
    with pytest.raises(FormatError, match="the format 'scipy' is only read"):
        check_output(tmp_path / "b.npz", format="scipy")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"indptr": [0, 10**9, 2]}, "cannot be read as SciPy's sparse array"),
        ({"indices": [0, 7]}, "cannot be read as SciPy's sparse array"),
        ({"shape": [2, 3]}, "must be square"),
        ({"data": np.array([{}, {}])}, "cannot be read as SciPy's sparse array"),
        ({"data": [1, np.nan]}, "NaN"),
        ({"format": b"lil"}, "cannot be read as SciPy's sparse array"),
        ({"data": [1j, 2]}, "weights must be integers or floats"),
    ],
)
def test_malformed_archives(tmp_path, changes, message):
    arrays = {"format": b"csr", "shape": [2, 2], "data": [3, 4], "indices": [1, 0], "indptr": [0, 1, 2]}
    np.savez(tmp_path / "a.npz", **{**arrays, **changes})
    assert_malformed(tmp_path / "a.npz", None, message)


@pytest.mark.parametrize("form", FORMATS)
def test_damaged_files(tmp_path, form):
    sparse.save_npz(tmp_path / "a.npz", sparse.csr_array(MATRIX).asformat(form), compressed=False)
    assert_damage_is_an_error(tmp_path / "a.npz", 20, format="scipy")
