"""NumPy archives."""

import io
import re
import zipfile

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import FormatError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import edges_of


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
        ({"u": [0], "v": [1], "w": np.array([{}], object), "n": 2}, "cannot be read as npz"),
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
        "{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
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
    with pytest.raises(FormatError, match=f"{path}: cannot be read as npz"):
        read(path)


@pytest.mark.parametrize(
    "edges", [np.array([0.5]), np.array([0, 1]), np.array([], np.int64), np.array([[0]])]
)
def test_archives_with_other_indices(tmp_path, edges):
    np.savez(tmp_path / "a.npz", n=4, u=[0], v=[1], w=[5], edges=edges)
    with pytest.raises(FormatError, match="expected one whole number per edge as edges"):
        read_forest(tmp_path / "a.npz", Graph(4, [0], [1], [5]))


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("name", ["u", "v", "w"])
def test_a_byte_of_an_array_that_changes_is_noticed(tmp_path, save, name):
    arrays = {"u": np.arange(99), "v": np.arange(99) + 1, "w": np.arange(99) + 0.5, "n": 100}
    path = tmp_path / "a.npz"
    save(path, **arrays)
    assert edges_of(read(path)) == [(i, i + 1, i + 0.5) for i in range(99)]
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(f"{name}.npy")
    whole = path.read_bytes()
    end = info.header_offset + 30 + info.compress_size
    for position in end - 1, end - 64, end - info.compress_size // 2:
        damaged = bytearray(whole)
        damaged[position] ^= 1
        path.write_bytes(damaged)
        with pytest.raises(FormatError, match="cannot be read as npz"):
            read(path)


@pytest.mark.parametrize("missing", [1, 100, 200])
def test_arrays_that_are_cut_off(tmp_path, missing):
    """The directory at the end of the archive is whole, and promises more bytes than there are."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<i8", "fortran_order": False, "shape": (25,)})
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("w.npy", header.getvalue() + bytes(200 - missing))
        for name, array in ("u", np.zeros(25, int)), ("v", np.ones(25, int)), ("n", np.int64(2)):
            with archive.open(f"{name}.npy", "w") as member:
                np.save(member, array)
    with pytest.raises(FormatError, match="cannot be read as npz"):
        read(tmp_path / "a.npz")


def test_an_array_does_not_change_with_its_file(tmp_path):
    """A graph may be written with `numpy.savez` to the file that it was read from."""
    path = tmp_path / "a.npz"
    write(Graph(4, [0, 1], [1, 2], [5, 6]), path)
    graph = read(path)
    np.savez(path, u=graph.u, v=graph.v, w=graph.w[::-1], n=graph.n)
    assert edges_of(graph) == [(0, 1, 5), (1, 2, 6)]
    assert edges_of(read(path)) == [(0, 1, 6), (1, 2, 5)]
