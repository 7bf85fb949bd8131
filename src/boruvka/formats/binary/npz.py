"""NumPy archive (``.npz``): arrays u, v, w and n, for a forest also edges. Types are kept."""

from __future__ import annotations

import struct
import tokenize
import zipfile
import zlib
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options, Part, Piece
from boruvka.graph.graph import Graph

__all__ = ["NPZ"]

_DAMAGED = (
    *(ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error, struct.error),
    # A header is a literal of Python, and NumPy checks few of the ways in which it can be wrong.
    *(SyntaxError, tokenize.TokenError, TypeError, IndexError, OverflowError, RecursionError),
)


def _arrays(source: Source, needed: list[str], wanted: list[str]) -> dict[str, NDArray[Any]]:
    with source.binary() as file:
        if not zipfile.is_zipfile(file):
            raise source.error("cannot be read as a NumPy archive: it is no zip file")
        file.seek(0)
        try:
            archive = np.load(file, allow_pickle=False)
            arrays = {name: archive[name] for name in needed + wanted if name in archive}
        except _DAMAGED as error:
            raise source.error(f"cannot be read as a NumPy archive: {error}") from None
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise source.error(f"expected arrays {', '.join(needed)}, but {', '.join(missing)} is not there")
    return arrays


def _read(source: Source, options: Options) -> Graph:
    needed = ["n", "u", "v"] if options.unweighted else ["n", "u", "v", "w"]
    arrays = _arrays(source, needed, [])
    w = np.ones(arrays["u"].size, np.uint8) if options.unweighted else arrays["w"]
    return Graph(_vertices(source, arrays["n"]), arrays["u"], arrays["v"], w)


def _read_part(source: Source, options: Options, part: Part) -> Piece:
    n = _vertices(source, _arrays(source, ["n"], [])["n"])
    with source.binary() as file:
        try:
            with zipfile.ZipFile(file) as archive:
                columns = {x: _slice(file, archive, x, part) for x in ("uv" if options.unweighted else "uvw")}
        except _DAMAGED as error:
            raise source.error(f"cannot be read as a NumPy archive: {error}") from None
    sizes = {m for m, _ in columns.values()}
    if len(sizes) > 1:
        raise source.error(f"u, v and w must have one entry per edge, but have {sorted(sizes)} entries")
    u, v = columns["u"][1], columns["v"][1]
    return Piece(u, v, np.ones(u.size, np.uint8) if options.unweighted else columns["w"][1], n)


def _slice(file: BinaryIO, archive: zipfile.ZipFile, name: str, part: Part) -> tuple[int, NDArray[Any]]:
    """Read a part of an array, and nothing else where it is not compressed; also how long it is."""
    info = archive.getinfo(f"{name}.npy")
    with archive.open(info) as member:
        version = np.lib.format.read_magic(member)
        first = version == (1, 0)
        read_header = np.lib.format.read_array_header_1_0 if first else np.lib.format.read_array_header_2_0
        shape, _, dtype = read_header(member)
        if len(shape) != 1 or dtype.hasobject:
            raise ValueError(f"{name} is of shape {shape} and type {dtype}")
        chosen, begin = part.slice(shape[0]), member.tell()
        at, size = begin + chosen.start * dtype.itemsize, (chosen.stop - chosen.start) * dtype.itemsize
        if info.compress_type == zipfile.ZIP_STORED:
            file.seek(info.header_offset + 26)  # the lengths of two fields, then these, then the member
            file.seek(sum(struct.unpack("<HH", file.read(4))) + at, 1)
            content = file.read(size)
        else:
            member.seek(at)
            content = member.read(size)
    return shape[0], np.frombuffer(content, dtype, chosen.stop - chosen.start)


def _vertices(source: Source, n: NDArray[Any]) -> int:
    if n.shape != () or n.dtype.kind not in "iu":
        raise source.error(f"expected one whole number as n, found {n.dtype} of shape {n.shape}")
    return int(n)


def _read_forest(source: Source) -> Content:
    content = Content.of(_read(source, Options()))
    edges = _arrays(source, [], ["edges"]).get("edges")
    if edges is None:
        return content
    if edges.ndim != 1 or edges.dtype.kind not in "iu" or edges.size != content.m:
        raise source.error(
            f"expected one whole number per edge as edges, found {edges.dtype} of shape {edges.shape}"
        )
    return replace(content, edges=edges)


class _Unsought:
    """A file that is only written to, so that an archive can go through a compressor."""

    def __init__(self, file: BinaryIO):
        self.write, self.flush = file.write, file.flush
        self.read = None  # what has no such attribute is a path to NumPy


def _write(content: Content, file: BinaryIO) -> None:
    arrays = {"n": np.int64(content.n), "u": content.u, "v": content.v, "w": content.w}
    if content.edges is not None:
        arrays["edges"] = content.edges
    np.savez(_Unsought(file), **arrays)  # type: ignore[arg-type]


NPZ = Format(
    name="npz",
    endings=(".npz",),
    description="NumPy archive: arrays u, v, w, n",
    read=_read,
    write=_write,
    options=frozenset({"unweighted"}),
    read_part=_read_part,
    read_forest=_read_forest,
)
