"""NumPy archives."""

import re
import zipfile

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import read, read_forest


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"u": [0], "v": [1], "n": 2}, "expected arrays n, u, v, w, but found no w"),
        ({"u": [0], "v": [1], "w": [1], "n": [2]}, "expected one whole number as n"),
        ({"u": [0], "v": [1], "w": [1], "n": 2.5}, "expected one whole number as n"),
        ({"u": [0], "v": [2], "w": [1], "n": 2}, "v[0] = 2 is not a vertex"),
        ({"u": [0], "v": [1, 1], "w": [1], "n": 2}, "must have one entry per edge"),
        ({"u": [0], "v": [1], "w": [np.nan], "n": 2}, "has the weight NaN"),
        ({"u": [0], "v": [1], "w": [1j], "n": 2}, "weights must be integers or floats"),
        ({"u": [0], "v": [1], "w": np.array([{}], object), "n": 2}, "cannot be read as a NumPy archive"),
    ],
)
def test_malformed_archives(tmp_path, arrays, message):
    path = tmp_path / "a.npz"
    np.savez(path, **arrays)
    with pytest.raises(FormatError, match=re.escape(message)) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<i8', 'fortran_order': False, 'shape': (1,",
        "{'descr': ',i8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': ('<i8',), 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{[]: 1}",
        "-" * 3000 + "1",
    ],
    ids=lambda header: header[-30:],
)
def test_malformed_headers_of_arrays(tmp_path, header):
    path = tmp_path / "a.npz"
    np.savez(path, n=2, u=[0], v=[1])
    with zipfile.ZipFile(path, "a") as archive:
        size = len(header).to_bytes(2, "little")
        archive.writestr("w.npy", b"\x93NUMPY\1\0" + size + header.encode() + bytes(8))
    with pytest.raises(FormatError, match=f"{path}: cannot be read as a NumPy archive"):
        read(path)


@pytest.mark.parametrize("edges", [np.array([0.5]), np.array([0, 1]), np.array([[0]])])
def test_archives_with_other_indices(tmp_path, edges):
    np.savez(tmp_path / "a.npz", n=4, u=[0], v=[1], w=[5], edges=edges)
    with pytest.raises(FormatError, match="expected one whole number per edge as edges"):
        read_forest(tmp_path / "a.npz", Graph(4, [0], [1], [5]))
