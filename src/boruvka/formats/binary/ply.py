"""Points of PLY files, in text and binary: the properties x, y and z of the vertices."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import InputFile

_NAMES = (
    "char uchar short ushort int uint float double",
    "int8 uint8 int16 uint16 int32 uint32 float32 float64",
)
_KINDS = "i1", "u1", "i2", "u2", "i4", "u4", "f4", "f8"
_TYPES = {name: kind for names in _NAMES for name, kind in zip(names.split(), _KINDS, strict=True)}
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">", "ascii": ""}


def is_ply(source: InputFile) -> bool:
    """Return whether a file begins as PLY, whatever its ending."""
    return source.background_content[:4] in (b"ply\n", b"ply\r")


def read_columns(source: InputFile) -> dict[str, NDArray[Any]]:
    """Read the coordinates x, y and z, as far as there are these."""
    content = bytes(source.content)
    head, _, rest = content.partition(b"end_header")
    data = rest[rest.find(b"\n") + 1 :]
    found = re.search(
        r"format (\w+)(.*?)element vertex (\d+)\s+(.*?)(?:element|$)", head.decode("latin-1"), re.S
    )
    properties = re.findall(r"property (\w+) (\w+)", found[4]) if found else []
    if found is None or found[1] not in _ORDERS or not {kind for kind, _ in properties} <= _TYPES.keys():
        raise source.error("expected PLY with an element vertex, whose properties are numbers")
    count, names, others = int(found[3]), [name for _, name in properties], _elements_before(found[2])
    is_text = found[1] == "ascii"
    if not is_text and any(row is None for _, row in others):
        raise source.error("an element with lists is before the element vertex: write the vertices first")
    if is_text:
        lines = data.splitlines()[sum(rows for rows, _ in others) :]
        rows = [line.split() for line in lines[:count]]
        columns = dict(zip(names, np.array(rows, np.float64).reshape(count, len(names)).T, strict=True))
    else:
        fields = [(name, _ORDERS[found[1]] + _TYPES[kind]) for kind, name in properties]
        before = sum(rows * (size or 0) for rows, size in others)
        table = np.frombuffer(data, np.dtype(fields), count, before)
        columns = {name: table[name].astype(table[name].dtype.newbyteorder("=")) for name in names}
    return {name: columns[name] for name in "xyz" if name in columns}


def _elements_before(head: str) -> list[tuple[int, int | None]]:
    """Return the rows of each element in a part of a header, and the bytes of a row; None for lists."""
    elements = []
    for rows, body in re.findall(r"(?s)element \S+ (\d+)(.*?)(?=element|$)", head):
        kinds = re.findall(r"property (\w+)", body)
        is_known = _TYPES.keys() >= {*kinds}
        elements.append((int(rows), sum(int(_TYPES[kind][1]) for kind in kinds) if is_known else None))
    return elements
