"""NumPy archive (``.npz``): arrays u, v, w and n, for a forest also edges. Dtypes are kept."""

from __future__ import annotations

import struct
import tokenize
import zipfile
import zlib
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, Options, Part
from boruvka.graph.graph import Graph

__all__ = ["NPZ"]

_DAMAGED = (
    *(ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error, struct.error),
    # An array header is a Python literal, and NumPy checks few of the ways in which it can be malformed.
    *(SyntaxError, tokenize.TokenError, TypeError, IndexError, OverflowError, RecursionError),
)


def _arrays(source: Source, needed: list[str], wanted: list[str]) -> dict[str, NDArray[Any]]:
    with source.binary() as file:
        if not zipfile.is_zipfile(file):
            raise source.error("cannot be read as a NumPy archive: it is not a zip file")
        file.seek(0)
        try:
            archive = np.load(file, allow_pickle=False)
            arrays = {name: archive[name] for name in needed + wanted if name in archive}
        except _DAMAGED as error:
            raise source.error(f"cannot be read as a NumPy archive: {error}") from None
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise source.error(f"expected arrays {', '.join(needed)}, but found no {', '.join(missing)}")
    return arrays


def _read(source: Source, options: Options) -> Graph:
    needed = ["n", "u", "v"] if options.unweighted else ["n", "u", "v", "w"]
    arrays = _arrays(source, needed, [])
    w = np.ones(arrays["u"].size, np.uint8) if options.unweighted else arrays["w"]
    return Graph(_vertices(source, arrays["n"]), arrays["u"], arrays["v"], w)


def _read_part(source: Source, options: Options, part: Part) -> EdgeTablePart:
    n = _vertices(source, _arrays(source, ["n"], [])["n"])
    with source.binary() as file:
        try:
            with zipfile.ZipFile(file) as archive:
                columns = {
                    x: _read_slice(file, archive, x, part) for x in ("uv" if options.unweighted else "uvw")
                }
        except _DAMAGED as error:
            raise source.error(f"cannot be read as a NumPy archive: {error}") from None
    sizes = {m for m, _ in columns.values()}
    if len(sizes) > 1:
        raise source.error(f"u, v and w must have one entry per edge, but have {sorted(sizes)} entries")
    u, v = columns["u"][1], columns["v"][1]
    return EdgeTablePart(u, v, np.ones(u.size, np.uint8) if options.unweighted else columns["w"][1], n)


def _read_slice(file: BinaryIO, archive: zipfile.ZipFile, name: str, part: Part) -> tuple[int, NDArray[Any]]:
    """Read one part of an array: the length of the whole array, and the part.

    Only the bytes of the part are read, unless the archive is compressed.
    """
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        version = np.lib.format.read_magic(member)
        first = version == (1, 0)
        read_header = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
        shape, _, dtype = read_header(member)
        if len(shape) != 1 or dtype.hasobject:
            raise ValueError(f"{name} is of shape {shape} and type {dtype}")
        chosen, begin = part.slice(shape[0]), member.tell()
        offset, size = begin + chosen.start * dtype.itemsize, (chosen.stop - chosen.start) * dtype.itemsize
        if info.compress_type == zipfile.ZIP_STORED:
            file.seek(info.header_offset + 26)  # two lengths, then fields of these lengths, then the array
            file.seek(sum(struct.unpack("<HH", file.read(4))) + offset, 1)
            content = file.read(size)
        else:
            member.seek(offset)
            content = member.read(size)
    return shape[0], np.frombuffer(content, dtype, chosen.stop - chosen.start)


def _vertices(source: Source, n: NDArray[Any]) -> int:
    if n.shape != () or n.dtype.kind not in "iu":
        raise source.error(f"expected one whole number as n, found {n.dtype} of shape {n.shape}")
    return int(n)


def _read_forest(source: Source) -> EdgeTable:
    table = EdgeTable.of(_read(source, Options()))
    edges = _arrays(source, [], ["edges"]).get("edges")
    if edges is None:
        return table
    if edges.ndim != 1 or edges.dtype.kind not in "iu" or edges.size != table.m:
        raise source.error(
            f"expected one whole number per edge as edges, found {edges.dtype} of shape {edges.shape}"
        )
    return table._replace(edges=edges)


class _Unseekable:
    """A file that is only written, never searched, so that an archive can pass through a compressor."""

    def __init__(self, file: BinaryIO):
        self.write, self.flush = file.write, file.flush
        self.read = None  # NumPy takes an object without this attribute as a path


def _write(table: EdgeTable, file: BinaryIO) -> None:
    arrays = {"n": np.int64(table.n), "u": table.u, "v": table.v, "w": table.w}
    if table.edges is not None:
        arrays["edges"] = table.edges
    np.savez(_Unseekable(file), **arrays)  # type: ignore[arg-type]


NPZ = Codec(
    read=_read,
    write=_write,
    options=frozenset({"unweighted"}),
    read_part=_read_part,
    read_forest=_read_forest,
)
