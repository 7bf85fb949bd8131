"""NumPy archive (``.npz``): arrays u, v, w and n; edges of a forest, names of vertices. Dtypes are kept."""

from __future__ import annotations

import contextlib
import math
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.binary.checksum import join_crc32
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, FilePartition, Options
from boruvka.formats.name_columns import name_column
from boruvka.graph.graph import Graph
from boruvka.runtime.processors import check_room, processors
from boruvka.runtime.thread_pool import map_parts

__all__ = ["NPZ"]

_PIECE_BYTES = 1 << 20
"""Bytes that one task of a thread copies and checks: they fit in a cache."""


def _arrays(source: Source, needed: list[str], wanted: list[str]) -> dict[str, NDArray[Any]]:
    with _archive(source) as archive:
        stored = {name.removesuffix(".npy") for name in archive.namelist() if name.endswith(".npy")}
        arrays = {name: _read_array(source, archive, name) for name in needed + wanted if name in stored}
    missing = [name for name in needed if name not in arrays]
    if missing and {"format", "shape", "data"} <= stored:
        raise source.error(
            "holds a sparse array of SciPy; in Python: boruvka.as_graph(scipy.sparse.load_npz(path))"
        )
    if missing:
        raise source.error(f"expected arrays {', '.join(needed)}, but found no {', '.join(missing)}")
    return arrays


@contextlib.contextmanager
def _archive(source: Source) -> Iterator[zipfile.ZipFile]:
    with source.binary() as file:
        if not zipfile.is_zipfile(file):
            raise source.error("cannot be read as npz: it is not a zip file")
        file.seek(0)
        with zipfile.ZipFile(file) as archive:
            yield archive


class _Layout(NamedTuple):
    """Shape, type and position of an array in an archive.

    Parameters
    ----------
    shape : tuple of int
    dtype : dtype
    header : int
        Number of bytes before the elements in the uncompressed entry.
    begin : int or None
        The offset in the file at which the entry begins; None if it is compressed, or holds objects.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    header: int
    begin: int | None


def _layout(source: Source, archive: zipfile.ZipFile, name: str) -> tuple[zipfile.ZipInfo, _Layout]:
    """Read the header of an array, and check the sizes that are stated before memory is taken."""
    content, info = source.content, archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        first = np.lib.format.read_magic(member) == (1, 0)
        read_header = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
        shape, _, dtype = read_header(member)
        header = member.tell()
    if not 0 <= math.prod(shape) * max(dtype.itemsize, 1) <= info.file_size - header:
        raise ValueError(f"{info.filename} is shorter than its shape {shape}")
    check_room(source.path, info.file_size)
    if info.compress_type != zipfile.ZIP_STORED or dtype.hasobject:
        return info, _Layout(shape, dtype, header, None)
    lengths = info.header_offset + 26  # two lengths, then fields of these lengths, then the array
    begin = lengths + 4 + sum(struct.unpack("<HH", content[lengths : lengths + 4]))
    if begin + info.file_size > len(content):
        raise EOFError(f"{info.filename} is cut off")
    return info, _Layout(shape, dtype, header, begin)


def _read_array(source: Source, archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """Read an array and check its checksum; on every core if it is not compressed."""
    content = source.content
    info, (shape, dtype, header, begin) = _layout(source, archive, name)
    if begin is None or len(shape) != 1:
        with archive.open(info) as member:
            return np.lib.format.read_array(member, allow_pickle=False)
    array = np.empty(shape, dtype)
    first, entry, data = (
        begin + header,
        memoryview(content)[begin : begin + info.file_size],
        array.view(np.uint8),
    )

    def copy(piece: slice) -> int:
        data[piece] = np.frombuffer(content, np.uint8, piece.stop - piece.start, first + piece.start)
        return zlib.crc32(data[piece].data)

    pieces = [slice(i, min(i + _PIECE_BYTES, data.size)) for i in range(0, data.size, _PIECE_BYTES)]
    checksum = zlib.crc32(entry[:header])
    for piece, of_piece in zip(pieces, map_parts(copy, pieces, processors()), strict=True):
        checksum = join_crc32(checksum, of_piece, piece.stop - piece.start)
    if zlib.crc32(entry[header + data.size :], checksum) != info.CRC:
        raise zipfile.BadZipFile(f"Bad CRC-32 for file {info.filename!r}")
    return array


def _read(source: Source, options: Options) -> Graph:
    needed = ["n", "u", "v"] if options.unweighted else ["n", "u", "v", "w"]
    arrays = _arrays(source, needed, ["names"])
    w = np.ones(arrays["u"].size, np.uint8) if options.unweighted else arrays["w"]
    names = _names(source, arrays["names"]) if "names" in arrays else None
    return Graph.from_edges(arrays["u"], arrays["v"], w, _vertices(source, arrays["n"]), names)


def _read_part(source: Source, options: Options, part: FilePartition) -> EdgeTablePart:
    whole = _arrays(source, ["n"], ["names"])
    n, names = _vertices(source, whole["n"]), _names(source, whole["names"]) if "names" in whole else None
    with _archive(source) as archive:
        columns = {x: _read_slice(source, archive, x, part) for x in ("uv" if options.unweighted else "uvw")}
    sizes = {m for m, _ in columns.values()}
    if len(sizes) > 1:
        raise source.error(f"u, v and w must have one entry per edge, but have {sorted(sizes)} entries")
    u, v = columns["u"][1], columns["v"][1]
    return EdgeTablePart(
        u, v, np.ones(u.size, np.uint8) if options.unweighted else columns["w"][1], n, names=names
    )


def _read_slice(
    source: Source, archive: zipfile.ZipFile, name: str, part: FilePartition
) -> tuple[int, NDArray[Any]]:
    """Read one part of an array; return the length of the whole array, and the part.

    Only the bytes of the part are read, unless the archive is compressed.
    """
    content = source.content
    info, (shape, dtype, header, begin) = _layout(source, archive, name)
    if len(shape) != 1 or dtype.hasobject:
        raise ValueError(f"{name} is of shape {shape} and type {dtype}")
    chosen = part.slice(shape[0])
    offset, count = header + chosen.start * dtype.itemsize, chosen.stop - chosen.start
    if begin is not None:
        return shape[0], np.frombuffer(content, dtype, count, begin + offset).copy()
    with archive.open(info) as member:
        member.seek(offset)
        return shape[0], np.frombuffer(member.read(count * dtype.itemsize), dtype, count)


def _vertices(source: Source, n: NDArray[Any]) -> int:
    if n.shape != () or n.dtype.kind not in "iu":
        raise source.error(f"expected one whole number as n, found {n.dtype} of shape {n.shape}")
    return int(n)


def _names(source: Source, names: NDArray[Any]) -> NDArray[Any]:
    if names.dtype.kind not in "Uiu":
        raise source.error(f"expected strings or integers as names, found {names.dtype}")
    if names.dtype.kind == "U":
        points = names.astype(names.dtype.newbyteorder("=")).tobytes()  # Python would not notice what is none
        if np.frombuffer(points, np.uint32).max(initial=0) > sys.maxunicode:
            raise source.error("a name has a character that does not exist")
        names = names.astype(object)
    try:
        name_column(names)
    except FormatError as error:
        raise source.error(str(error)) from None
    return names


def _read_forest(source: Source, options: Options) -> EdgeTable:
    table = EdgeTable.of(_read(source, options))
    edges = _arrays(source, [], ["edges"]).get("edges")
    if edges is None:
        return table
    if edges.ndim != 1 or edges.dtype.kind not in "iu" or edges.size != table.m:
        raise source.error(
            f"expected one whole number per edge as edges, found {edges.dtype} of shape {edges.shape}"
        )
    return table._replace(edges=edges)


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
    np.savez(_Unseekable(file), **arrays)  # type: ignore[arg-type]


def _portable_names(names: NDArray[Any]) -> NDArray[Any]:
    """Convert names to an array that NumPy reads without pickle: integers, or strings of one width."""
    column = name_column(names)
    array = column.to_numpy()
    if array.dtype.kind in "iu":
        return array
    if len(ending := column.filter(column.str.ends_with("\0"))):
        raise FormatError(f"NumPy cuts the zero off the name {ending[0]!r}; choose Parquet")
    return array.astype(str)


NPZ = Codec(
    read=_read,
    write=_write,
    options=frozenset({"unweighted"}),
    read_part=_read_part,
    read_forest=_read_forest,
    holds_names=True,
    check_names=_portable_names,
)
