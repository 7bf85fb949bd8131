"""Points of PLY files, in text and binary: the properties x, y and z of the vertices."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import InputFile

__all__ = ["is_ply", "read_columns"]

_TYPES = {
    "char": "i1",
    "uchar": "u1",
    "short": "i2",
    "ushort": "u2",
    "int": "i4",
    "uint": "u4",
    "float": "f4",
    "double": "f8",
    "int8": "i1",
    "uint8": "u1",
    "int16": "i2",
    "uint16": "u2",
    "int32": "i4",
    "uint32": "u4",
    "float32": "f4",
    "float64": "f8",
}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": ""}


def is_ply(source: InputFile) -> bool:
    """Return whether a file begins as PLY, by its name if it has another ending."""
    if not source.is_stream and os.path.splitext(source.path)[1] not in ("", ".ply"):
        return False
    return source.background_content[:4] in (b"ply\n", b"ply\r")


def read_columns(source: InputFile) -> dict[str, NDArray[Any]]:
    """Read the coordinates x, y and z, as far as there are these."""
    content = bytes(source.content)
    head, _, rest = content.partition(b"end_header")
    found = re.search(
        r"format (\w+).*?element vertex (\d+)\s+(.*?)(?:element|$)", head.decode("latin-1"), re.S
    )
    properties = re.findall(r"property (\w+) (\w+)", found[3]) if found else []
    if found is None or found[1] not in _ORDERS or not {kind for kind, _ in properties} <= _TYPES.keys():
        raise source.error("expected PLY whose first element is vertex, with properties that are numbers")
    count, names = int(found[2]), [name for _, name in properties]
    data = rest[rest.index(b"\n") + 1 :]
    if found[1] == "ascii":
        rows = [line.split() for line in data.splitlines()[:count]]
        columns = dict(zip(names, np.array(rows, np.float64).reshape(count, len(names)).T, strict=True))
    else:
        fields = [(name, _ORDERS[found[1]] + _TYPES[kind]) for kind, name in properties]
        table = np.frombuffer(data, np.dtype(fields), count)
        columns = {name: table[name].astype(table[name].dtype.newbyteorder("=")) for name in names}
    return {name: columns[name] for name in "xyz" if name in columns}
