"""graph-tool's binary format (``.gt``): adjacency lists, then properties, one of which is the weight.

Source: https://graph-tool.skewed.de/static/docs/stable/gt_format.html. An edge of an undirected graph is
listed at one of its ends; values of edge properties follow in the order of the lists. The vertex property
"name" holds the names of vertices, if they are distinct. Python objects, which the format may also hold, are
skipped and never loaded.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.kernel import kernel
from boruvka.errors import FormatError, OptionError
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.name_columns import name_column
from boruvka.formats.table_columns import EDGE_INDEX
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import WEIGHTS
from boruvka.runtime.argument_names import argument, hint

__all__ = ["GRAPH_TOOL"]

_MAGIC = b"\xe2\x9b\xbe gt"
_SCALARS = {0: "u1", 1: "i2", 2: "i4", 3: "i8", 4: "f8"}
_LONG_DOUBLE, _STRING, _VECTORS, _STRINGS, _OBJECT = 5, 6, range(7, 13), 13, 14
"""The codes of value types; `_SCALARS` maps the others to dtypes."""
_OF_GRAPH, _OF_VERTICES, _OF_EDGES = range(3)
_NAME = "name"


class _Reader:
    """Reads values from the content of a file, front to back."""

    def __init__(self, source: Source):
        self.error = source.error
        self.data = np.frombuffer(source.content, np.uint8)
        self.offset = 0
        self.byte_order = "<"

    def take(self, size: int) -> NDArray[np.uint8]:
        if size > self.data.size - self.offset:
            raise self.error(f"the file is cut off: expected {size} more bytes at byte {self.offset}")
        self.offset += size
        return self.data[self.offset - size : self.offset]

    def array(self, dtype: str, size: int) -> NDArray[Any]:
        typed = np.dtype(self.byte_order + dtype)
        return self.take(typed.itemsize * size).view(typed)

    def number(self, dtype: str = "u8") -> int:
        return int(self.array(dtype, 1)[0])

    def string(self) -> str:
        return self.take(self.number()).tobytes().decode("utf-8", "replace")


def _read(source: Source, options: Options) -> Graph:
    return _read_properties(source, options)[0]


def _read_forest(source: Source, options: Options) -> EdgeTable:
    graph, properties = _read_properties(source, options)
    return EdgeTable.of(graph)._replace(edges=properties.get(EDGE_INDEX))


def _read_properties(source: Source, options: Options) -> tuple[Graph, dict[str, NDArray[Any]]]:
    """Read the graph and its numeric edge properties."""
    file = _Reader(source)
    if bytes(file.data[: len(_MAGIC)]) != _MAGIC:
        raise source.error("expected graph-tool's format, which begins with the bytes E2 9B BE 20 67 74")
    file.take(len(_MAGIC))
    version, big_endian = file.number("u1"), file.number("u1")
    if version != 1:
        raise source.error(f"expected version 1 of graph-tool's format, found {version}")
    file.byte_order = ">" if big_endian else "<"
    file.string()  # a comment
    file.number("u1")  # whether it is directed; every entry is an edge either way
    n = file.number()
    if n > file.data.size // 8:
        raise source.error(f"expected lists of neighbours of {n} vertices in {file.data.size} bytes")
    u, v = _neighbours(file, n)
    properties, names = _properties(file, n, u.size)
    if options.unweighted:
        w: NDArray[Any] = np.ones(u.size, np.uint8)
    else:
        w = properties[_weight_name(properties, options, source.error)]
    return Graph.from_edges(u, v, w, n, names), properties


def _neighbours(file: _Reader, n: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Read the adjacency lists in two passes: count the edges, then store them."""
    width = _width(n)
    totals = np.zeros(2, np.int64)
    nothing = np.empty(0, np.uint64)
    vertex = _read_lists(file.data, file.offset, n, width, file.byte_order == ">", nothing, nothing, totals)
    if vertex >= 0:
        raise file.error(f"the file is cut off in the list of neighbours of vertex {vertex}")
    u, v = np.empty(totals[0], np.uint64), np.empty(totals[0], np.uint64)
    _read_lists(file.data, file.offset, n, width, file.byte_order == ">", u, v, totals)
    file.offset = int(totals[1])
    return u, v


def _width(n: int) -> int:
    """Return the number of bytes that a neighbour takes in a list."""
    return next(width for width in (1, 2, 4, 8) if n < 1 << 8 * width)


@kernel
def _read_lists(data, offset, n, width, big_endian, u, v, totals):
    """Read the adjacency lists; store the edges in u and v unless these are empty.

    Set totals to the number of edges and the offset after the lists. Return the vertex whose list is cut
    off, or -1.
    """
    edges = 0
    for x in range(n):
        if data.size - offset < 8:
            return x
        degree = np.uint64(0)
        for k in range(8):
            degree = (degree << np.uint64(8)) | np.uint64(data[offset + (k if big_endian else 7 - k)])
        offset += 8
        if degree > np.uint64((data.size - offset) // width):
            return x
        for _ in range(degree):
            if u.size:
                neighbour = np.uint64(0)
                for k in range(width):
                    byte = data[offset + (k if big_endian else width - 1 - k)]
                    neighbour = (neighbour << np.uint64(8)) | np.uint64(byte)
                u[edges] = x
                v[edges] = neighbour
            edges += 1
            offset += width
    totals[0] = edges
    totals[1] = offset
    return -1


def _properties(
    file: _Reader, n: int, m: int
) -> tuple[dict[str, NDArray[Any]], NDArray[Any] | list[str] | None]:
    """Read the numeric edge properties and the names of vertices; skip all other properties."""
    counts = {_OF_GRAPH: 1, _OF_VERTICES: n, _OF_EDGES: m}
    found: dict[str, NDArray[Any]] = {}
    names: NDArray[Any] | list[str] | None = None
    for _ in range(file.number()):
        kind, name, value = file.number("u1"), file.string(), file.number("u1")
        if kind not in counts or value > _OBJECT:
            raise file.error(
                f"expected a property, found the kind {kind} of type {value} at byte {file.offset}"
            )
        is_name = kind == _OF_VERTICES and name == _NAME
        if is_name and value == _STRING:
            names = [file.string() for _ in range(n)]
            continue
        if value not in _SCALARS:
            _skip_values(file, value, counts[kind])
            continue
        values = file.array(_SCALARS[value], counts[kind])
        if kind == _OF_EDGES:
            found[name] = values
        elif is_name and values.dtype.kind in "iu":
            names = values.astype(np.int64)
    return found, None if names is None or len(set(names)) < n else names


def _skip_values(file: _Reader, value: int, count: int) -> None:
    """Skip values that are not plain numbers."""
    if value == _LONG_DOUBLE:
        file.take(16 * count)
        return
    for _ in range(count):
        size = file.number()
        if value == _STRINGS:
            _skip_values(file, _STRING, size)
        elif value in _VECTORS:
            scalar = value - _VECTORS.start
            file.take(size * (16 if scalar == _LONG_DOUBLE else np.dtype(_SCALARS[scalar]).itemsize))
        else:
            file.take(size)


def _weight_name(
    properties: dict[str, NDArray[Any]], options: Options, error: Callable[[str], FormatError]
) -> str:
    """Choose the property that is the weight: the one in ``columns``, else the only candidate."""
    shown = ", ".join(properties) or "none"
    if options.columns is not None:
        if len(options.columns) == 1 and options.columns[0] in properties:
            return str(options.columns[0])
        raise OptionError(f"{argument('columns')} must name one property of edges; there are {shown}")
    known = [name for name in properties if name.lower() in WEIGHTS]
    candidates = known or [name for name in properties if name != EDGE_INDEX]
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        passed = hint("; pass {unweighted} for weight 1", unweighted=True)
        raise error(f"edges have no property that is a number{passed}")
    passed = hint("; say which, as {columns}", columns=("name",))
    raise error(f"cannot tell which property of edges is the weight among {shown}{passed}")


def _write(table: EdgeTable, file: BinaryIO) -> None:
    w = table.portable_weights()
    if w.dtype.kind == "u" and w.size and w.max() >= 1 << 63:
        raise FormatError("graph-tool's format has no whole numbers of 2**63 and more; choose another format")
    w = w.astype(np.int64) if w.dtype.kind in "iu" else w
    properties = {"weight": w}
    if table.edges is not None:
        properties[EDGE_INDEX] = table.edges
    codes = {"i": 3, "f": 4}

    def text(string: str) -> bytes:
        encoded = string.encode()
        return struct.pack("<Q", len(encoded)) + encoded

    by_source = np.argsort(table.u, kind="stable")
    file.write(_MAGIC + struct.pack("<BB", 1, 0) + text("") + struct.pack("<BQ", 0, table.n))
    file.write(_encode_lists(table, by_source).tobytes())
    file.write(struct.pack("<Q", len(properties) + (table.names is not None)))
    if table.names is not None:
        names = _portable_names(table.names)
        code = _STRING if isinstance(names, list) else codes["i"]
        file.write(struct.pack("<B", _OF_VERTICES) + text(_NAME) + struct.pack("<B", code))
        file.write(b"".join(map(text, names)) if isinstance(names, list) else names.astype("<i8").tobytes())
    for name, values in properties.items():
        file.write(struct.pack("<B", _OF_EDGES) + text(name) + struct.pack("<B", codes[values.dtype.kind]))
        file.write(values[by_source].astype(f"<{values.dtype.kind}8").tobytes())


def _encode_lists(table: EdgeTable, by_source: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Encode the adjacency lists: each is its length in 8 bytes, then its neighbours."""
    width = _width(table.n)
    degrees = np.bincount(table.u, minlength=table.n)
    begin = np.cumsum(8 + width * degrees) - width * degrees - 8
    lists = np.empty(8 * table.n + width * table.m, np.uint8)
    lists[begin[:, None] + np.arange(8)] = degrees.astype("<u8").view(np.uint8).reshape(-1, 8)
    sources = table.u[by_source].astype(np.int64)
    position = begin[sources] + 8 + width * (np.arange(table.m) - (np.cumsum(degrees) - degrees)[sources])
    neighbours = table.v[by_source].astype(f"<u{width}").view(np.uint8).reshape(-1, width)
    lists[position[:, None] + np.arange(width)] = neighbours
    return lists


def _portable_names(names: NDArray[Any]) -> NDArray[np.int64] | list[str]:
    column = name_column(names)
    if not column.dtype.is_integer():
        return column.to_list()
    if len(column) and column.max() >= 1 << 63:  # type: ignore[operator]
        raise FormatError("graph-tool's format has no whole numbers of 2**63 and more; choose another format")
    return column.to_numpy()


GRAPH_TOOL = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "unweighted"}),
    read_forest=_read_forest,
    holds_names=True,
    check_names=_portable_names,
)
