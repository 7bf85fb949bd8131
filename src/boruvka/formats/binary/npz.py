"""NumPy archive (``.npz``): arrays u, v, w and n; edges of a forest, names of vertices. Dtypes are kept.

Vertices count from 0, as in arrays; ``first_id`` is 1 if text that is written of the graph counts from 1.
"""

from __future__ import annotations

import contextlib
import math
import struct
import sys
import threading
import zipfile
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.edge_file import WHOLE_FILE, DivisibleFile, EdgeBatch, FileChunk
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import checked_names, holds_text
from boruvka.graph.graph import Graph
from boruvka.runtime.processors import check_room

HEADERS = threading.Lock()
"""Threads that stream an archive parse headers one after the other: NumPy does it by `ast`, which may raise a
`SystemError` in Python 3.11 if two threads use it."""


def read_arrays(source: InputFile, wanted: Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
    """Read the wanted arrays that an archive holds, by default all of its arrays."""
    with _archive(source) as archive:
        entries = {info.filename.removesuffix(".npy"): info for info in archive.zip.infolist()}
        names = [name for name in (entries if wanted is None else wanted) if name in entries]
        check_room(source.path, sum(entries[name].file_size for name in names))
        return {name: archive[name] for name in names}


@contextlib.contextmanager
def _archive(source: InputFile) -> Iterator[Any]:
    if source.content[:2] != b"PK":  # NumPy takes other files for pickled objects
        raise source.error("cannot be read as npz: it is not a zip file")
    with source.binary() as file, np.load(file, allow_pickle=False) as archive:
        yield archive


class _Archive(DivisibleFile):
    """An open file."""

    def __init__(self, source: InputFile, options: Options):
        self._source, self._columns = source, "uv" if options.unweighted else "uvw"

    def graph_and_first_id(self) -> tuple[Graph, int | None]:
        """Read the graph, whose vertices may have coordinates, and the id of its first vertex."""
        source = self._source
        arrays = read_arrays(source, ["n", *self._columns, "names", "first_id", "coordinates", "system"])
        _check_present(source, arrays, ["n", *self._columns])
        u, v, *weights = (arrays[name] for name in self._columns)
        w = weights[0] if weights else np.ones(u.size, np.uint8)
        n, first_id = _numbers(source, arrays)
        graph = Graph.from_edges(u, v, w, n=n, names=_names(source, arrays)).with_first_id(first_id)
        if "coordinates" in arrays:
            graph = graph.with_coordinates(arrays["coordinates"], str(arrays.get("system", "xy")))
        return graph, graph.first_id

    def edges(self, chunk: FileChunk = WHOLE_FILE) -> EdgeBatch:
        """Read the edges of a chunk."""
        source = self._source
        with HEADERS:
            whole = self._whole
        with _archive(source) as archive:
            _check_present(source, archive.files, ["n", *self._columns])
            chunks = [_read_chunk(source, archive.zip, name, chunk) for name in self._columns]
        if len(sizes := {m for m, _ in chunks}) > 1:
            raise source.error(f"u, v and w must have one entry per edge, but have {sorted(sizes)} entries")
        u, v, *weights = (array for _, array in chunks)
        w = weights[0] if weights else np.ones(u.size, np.uint8)
        n, first_id = _numbers(source, whole)
        return EdgeBatch(u, v, w, n=n, names=_names(source, whole), first_id=first_id)

    @cached_property
    def _whole(self) -> dict[str, NDArray[Any]]:
        """The arrays that are the same for all chunks."""
        return read_arrays(self._source, ["n", "names", "first_id"])

    def edge_indices(self) -> NDArray[Any] | None:
        """Read the array of the indices of edges, if there is one."""
        edges = read_arrays(self._source, ["edges", "w"])
        found, m = edges.get("edges"), edges["w"].size
        if found is not None and (found.ndim != 1 or found.dtype.kind not in "iu" or found.size != m):
            raise self._source.error(
                f"expected one whole number per edge as edges, found {found.dtype} of shape {found.shape}"
            )
        return found


def _check_present(source: InputFile, found: Iterable[str], needed: Iterable[str]) -> None:
    if missing := [name for name in needed if name not in found]:
        raise source.error(
            f"expected arrays {', '.join(needed)}, but found no {', '.join(missing)}; a sparse array "
            "is read in Python: boruvka.as_graph(scipy.sparse.load_npz(path))"
        )


def _numbers(source: InputFile, arrays: dict[str, NDArray[Any]]) -> tuple[int, int]:
    """Return the number of vertices, and the id of the first one."""
    n, first_id = arrays["n"], arrays.get("first_id", np.int64(0))
    for name, x, expected in ("n", n, "one whole number"), ("first_id", first_id, "0 or 1"):
        if x.shape != () or x.dtype.kind not in "iu" or (name == "first_id" and x not in (0, 1)):
            raise source.error(f"expected {expected} as {name}, found {x!s:.50}")
    return int(n), int(first_id)


def _names(source: InputFile, arrays: dict[str, NDArray[Any]]) -> NDArray[Any] | None:
    if (names := arrays.get("names")) is None:
        return None
    if names.dtype.kind not in "Uiu":
        raise source.error(f"expected strings or integers as names, found {names.dtype}")
    if names.dtype.kind == "U":
        points = names.astype(names.dtype.newbyteorder("=")).tobytes()  # Python does not check characters
        if np.frombuffer(points, np.uint32).max(initial=0) > sys.maxunicode:
            raise source.error("a name has a character that does not exist")
        names = names.astype(object)
    try:
        checked_names(names)
    except FormatError as error:
        raise source.error(str(error)) from None
    return names


def _read_chunk(
    source: InputFile, archive: zipfile.ZipFile, name: str, chunk: FileChunk
) -> tuple[int, NDArray[Any]]:
    """Read one chunk of an array; return the length of the whole array, and the chunk.

    Only the bytes of the chunk are read, unless the archive is compressed.
    """
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        first = np.lib.format.read_magic(member) == (1, 0)
        read_header = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
        with HEADERS:
            shape, _, dtype = read_header(member)
        header = member.tell()
        if len(shape) != 1 or dtype.hasobject or math.prod(shape) * dtype.itemsize > info.file_size - header:
            raise ValueError(f"{info.filename} does not hold an array of shape {shape} and type {dtype}")
        chosen = chunk.edge_range(shape[0])
        offset, size = header + chosen.start * dtype.itemsize, (chosen.stop - chosen.start) * dtype.itemsize
        if info.compress_type == zipfile.ZIP_STORED:
            lengths = info.header_offset + 26  # two lengths, then fields of these lengths, then the array
            start = lengths + 4 + sum(struct.unpack("<HH", source.content[lengths : lengths + 4])) + offset
            content = source.content[start : start + size]
        else:
            member.seek(offset)
            content = member.read(size)
    return shape[0], np.frombuffer(content, dtype)


class _Unseekable:
    """A file that is only written, never sought, so that an archive can pass through a compressor."""

    def __init__(self, file: BinaryIO):
        self.write, self.flush = file.write, file.flush
        self.read = None  # NumPy takes an object without this attribute as a path


def _write(table: EdgeTable, file: BinaryIO) -> None:
    arrays = {"n": np.int64(table.n), "u": table.u, "v": table.v, "w": table.w}
    if table.edges is not None:
        arrays["edges"] = table.edges
    if table.names is not None:
        arrays["names"] = _portable_names(table.names)
    if table.first_id:
        arrays["first_id"] = np.int64(table.first_id)
    if table.coordinates is not None:
        arrays["coordinates"], arrays["system"] = _smallest(table.coordinates), np.array(table.graph.system)
    np.savez(_Unseekable(file), **arrays)  # type: ignore[arg-type]


def _smallest(places: NDArray[Any]) -> NDArray[Any]:
    """Convert coordinates to float32 if that rounds none."""
    small = places.astype(np.float32)
    return small if np.array_equal(small, places, equal_nan=True) else places


def _portable_names(names: NDArray[Any]) -> NDArray[Any]:
    """Convert names to an array that NumPy reads without pickle: integers, or strings of one width."""
    array = checked_names(names if isinstance(names, np.ndarray) else names.to_numpy())
    if not holds_text(array):
        return array
    for name in array.tolist():
        if name.endswith("\0"):
            raise FormatError(f"NumPy cuts the zero off the name {name!r}; choose Parquet")
    return array.astype(str)


NPZ = Codec(_Archive, _write, frozenset({"unweighted"}), Holds(names=_portable_names))
