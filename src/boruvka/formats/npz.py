"""NumPy archive (``.npz``): arrays u, v, w and n, for a forest also edges. Types are kept."""

from __future__ import annotations

import tokenize
import zipfile
import zlib
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.graph import Graph

__all__ = ["NPZ"]

_DAMAGED = (
    *(ValueError, EOFError, KeyError, NotImplementedError, zipfile.BadZipFile, zlib.error),
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
    n = arrays["n"]
    if n.shape != () or n.dtype.kind not in "iu":
        raise source.error(f"expected one whole number as n, found {n.dtype} of shape {n.shape}")
    w = np.ones(arrays["u"].size, np.uint8) if options.unweighted else arrays["w"]
    return Graph(int(n), arrays["u"], arrays["v"], w)


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
    read_forest=_read_forest,
)
