"""graph-tool's binary format (``.gt``): lists of neighbours, then properties; weights are one of these.

Source: https://graph-tool.skewed.de/static/docs/stable/gt_format.html. An edge of an undirected graph is
listed at one of its ends; values of edge properties follow in the order of the lists. Python objects,
which the format may also hold, are passed over and never loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.compiler import kernel
from boruvka.errors import FormatError, OptionError
from boruvka.formats.columns import EDGE, WEIGHTS
from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.output import text_weights
from boruvka.graph.graph import Graph

__all__ = ["GRAPH_TOOL"]

_MAGIC = b"\xe2\x9b\xbe gt"
_SCALARS = {0: "u1", 1: "i2", 2: "i4", 3: "i8", 4: "f8"}
_LONG_DOUBLE, _STRING, _VECTORS, _STRINGS, _OBJECT = 5, 6, range(7, 13), 13, 14
_OF_GRAPH, _OF_VERTICES, _OF_EDGES = range(3)


class _Bytes:
    """The content of a file, taken from the front."""

    def __init__(self, source: Source):
        self.error = source.error
        self.data = np.frombuffer(source.content, np.uint8)
        self.at = 0
        self.order = "<"

    def take(self, size: int) -> NDArray[np.uint8]:
        if size > self.data.size - self.at:
            raise self.error(f"the file is cut off: expected {size} more bytes at byte {self.at}")
        self.at += size
        return self.data[self.at - size : self.at]

    def array(self, dtype: str, size: int) -> NDArray[Any]:
        typed = np.dtype(self.order + dtype)
        return self.take(typed.itemsize * size).view(typed)

    def number(self, dtype: str = "u8") -> int:
        return int(self.array(dtype, 1)[0])

    def string(self) -> str:
        return self.take(self.number()).tobytes().decode("utf-8", "replace")


def _read(source: Source, options: Options) -> Graph:
    return _content(source, options)[0]


def _read_forest(source: Source) -> Content:
    graph, properties = _content(source, Options())
    return replace(Content.of(graph), edges=properties.get(EDGE))


def _content(source: Source, options: Options) -> tuple[Graph, dict[str, NDArray[Any]]]:
    """Read the graph and the properties of its edges."""
    file = _Bytes(source)
    if bytes(file.data[: len(_MAGIC)]) != _MAGIC:
        raise source.error("expected graph-tool's format, which begins with the bytes E2 9B BE 20 67 74")
    file.take(len(_MAGIC))
    version, big_endian = file.number("u1"), file.number("u1")
    if version != 1:
        raise source.error(f"expected version 1 of graph-tool's format, found {version}")
    file.order = ">" if big_endian else "<"
    file.string()  # a comment
    file.number("u1")  # whether it is directed: here every entry is an edge
    n = file.number()
    if n > file.data.size // 8:
        raise source.error(f"expected lists of neighbours of {n} vertices in {file.data.size} bytes")
    u, v = _neighbours(file, n)
    properties = _properties_of_edges(file, n, u.size)
    if options.unweighted:
        w: NDArray[Any] = np.ones(u.size, np.uint8)
    else:
        w = properties[_weight_name(properties, options, source.error)]
    return Graph(n, u, v, w), properties


def _neighbours(file: _Bytes, n: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Read the lists of neighbours: first how long they are, then what they hold."""
    width = _width(n)
    ends = np.zeros(2, np.int64)
    none = np.empty(0, np.uint64)
    vertex = _walk(file.data, file.at, n, width, file.order == ">", none, none, ends)
    if vertex >= 0:
        raise file.error(f"the file is cut off in the list of neighbours of vertex {vertex}")
    u, v = np.empty(ends[0], np.uint64), np.empty(ends[0], np.uint64)
    _walk(file.data, file.at, n, width, file.order == ">", u, v, ends)
    file.at = int(ends[1])
    return u, v


def _width(n: int) -> int:
    """Count the bytes of a neighbour."""
    return next(width for width in (1, 2, 4, 8) if n < 1 << 8 * width)


@kernel
def _walk(data, at, n, width, big_endian, u, v, ends):
    """Note the number of edges and the end of the lists in ends; store edges where there is room.

    Return the vertex whose list is cut off, or -1.
    """
    edges = 0
    for x in range(n):
        if data.size - at < 8:
            return x
        degree = np.uint64(0)
        for k in range(8):
            degree = (degree << np.uint64(8)) | np.uint64(data[at + (k if big_endian else 7 - k)])
        at += 8
        if degree > np.uint64((data.size - at) // width):
            return x
        for _ in range(degree):
            if u.size:
                neighbour = np.uint64(0)
                for k in range(width):
                    byte = data[at + (k if big_endian else width - 1 - k)]
                    neighbour = (neighbour << np.uint64(8)) | np.uint64(byte)
                u[edges] = x
                v[edges] = neighbour
            edges += 1
            at += width
    ends[0] = edges
    ends[1] = at
    return -1


def _properties_of_edges(file: _Bytes, n: int, m: int) -> dict[str, NDArray[Any]]:
    """Read the numbers that edges have; pass over everything else."""
    counts = {_OF_GRAPH: 1, _OF_VERTICES: n, _OF_EDGES: m}
    found: dict[str, NDArray[Any]] = {}
    for _ in range(file.number()):
        kind, name, value = file.number("u1"), file.string(), file.number("u1")
        if kind not in counts or value > _OBJECT:
            raise file.error(f"expected a property, found the kind {kind} of type {value} at byte {file.at}")
        if value not in _SCALARS:
            _pass_over(file, value, counts[kind])
            continue
        values = file.array(_SCALARS[value], counts[kind])
        if kind == _OF_EDGES:
            found[name] = values
    return found


def _pass_over(file: _Bytes, value: int, count: int) -> None:
    """Pass over values that are no plain numbers."""
    if value == _LONG_DOUBLE:
        file.take(16 * count)
        return
    for _ in range(count):
        size = file.number()
        if value == _STRINGS:
            _pass_over(file, _STRING, size)
        elif value in _VECTORS:
            scalar = value - _VECTORS.start
            file.take(size * (16 if scalar == _LONG_DOUBLE else np.dtype(_SCALARS[scalar]).itemsize))
        else:
            file.take(size)


def _weight_name(
    properties: dict[str, NDArray[Any]], options: Options, error: Callable[[str], FormatError]
) -> str:
    """Find which property is the weight: the one that was asked for, or the only one it can be."""
    shown = ", ".join(properties) or "none"
    if options.columns is not None:
        if len(options.columns) == 1 and options.columns[0] in properties:
            return str(options.columns[0])
        raise OptionError(f"columns must name one property of edges, as columns=(weight,); there are {shown}")
    known = [name for name in properties if name.lower() in WEIGHTS]
    candidates = known or [name for name in properties if name != EDGE]
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise error(
            "edges have no property that is a number; pass unweighted=True (--unweighted) for weight 1"
        )
    raise error(f"cannot tell which property of edges is the weight among {shown}; say columns=(name,)")


def _write(content: Content, file: BinaryIO) -> None:
    w = text_weights(content.w)
    if w.dtype.kind == "u" and w.size and w.max() >= 1 << 63:
        raise FormatError("the format has no whole numbers of 2**63 and more")
    w = w.astype(np.int64) if w.dtype.kind in "iu" else w
    properties = {"weight": w}
    if content.edges is not None:
        properties[EDGE] = content.edges
    codes = {"i": 3, "f": 4}

    def text(string: str) -> bytes:
        return struct.pack("<Q", len(string)) + string.encode()

    by_first = np.argsort(content.u, kind="stable")
    file.write(_MAGIC + struct.pack("<BB", 1, 0) + text("") + struct.pack("<BQ", 0, content.n))
    file.write(_lists(content, by_first).tobytes())
    file.write(struct.pack("<Q", len(properties)))
    for name, values in properties.items():
        file.write(struct.pack("<B", _OF_EDGES) + text(name) + struct.pack("<B", codes[values.dtype.kind]))
        file.write(values[by_first].astype(f"<{values.dtype.kind}8").tobytes())


def _lists(content: Content, by_first: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Lay out the lists as bytes: each is its length in 8 bytes, then its neighbours."""
    width = _width(content.n)
    degrees = np.bincount(content.u, minlength=content.n)
    begin = np.cumsum(8 + width * degrees) - width * degrees - 8
    lists = np.empty(8 * content.n + width * content.m, np.uint8)
    lists[begin[:, None] + np.arange(8)] = degrees.astype("<u8").view(np.uint8).reshape(-1, 8)
    sources = content.u[by_first].astype(np.int64)
    place = begin[sources] + 8 + width * (np.arange(content.m) - (np.cumsum(degrees) - degrees)[sources])
    neighbours = content.v[by_first].astype(f"<u{width}").view(np.uint8).reshape(-1, width)
    lists[place[:, None] + np.arange(width)] = neighbours
    return lists


GRAPH_TOOL = Format(
    name="graph-tool",
    endings=(".gt",),
    description="graph-tool's binary format; weights are a property of edges",
    read=_read,
    write=_write,
    options=frozenset({"columns", "unweighted"}),
    read_forest=_read_forest,
)
