"""TSPLIB (``.tsp``): the places of nodes, or a matrix of distances; every pair of nodes is an edge.

Source: G. Reinelt, "TSPLIB 95" (1995). Distances of places are rounded to integers as it says. Numbers may be
broken over lines anywhere. Each pair is one edge. A matrix is symmetric, and its zeros are distances.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines.numbers import WeightType, read_number_rows
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import Graph
from boruvka.runtime.processors import check_room

_Parts = dict[bytes, re.Match[bytes]]
"""The lines of each keyword: its value, and the numbers after it."""
_PART = re.compile(
    rb"^[ \t]*([A-Za-z]\w*)[ \t]*:?([^\n]*)\n?((?:[ \t]*+(?![A-Za-z])[^\n]*(?:\n|\Z))*+)", re.MULTILINE
)
_EXPECTED = {
    b"DIMENSION": (re.compile(rb"[1-9]\d{0,9}"), "the number of nodes"),
    b"EDGE_WEIGHT_TYPE": (
        re.compile(rb"EXPLICIT|(EUC|MAN|MAX)_[23]D|CEIL_2D|ATT|GEO"),
        "EXPLICIT, EUC_2D, EUC_3D, MAN_2D, MAN_3D, MAX_2D, MAX_3D, CEIL_2D, ATT or GEO",
    ),
    b"EDGE_WEIGHT_FORMAT": (
        re.compile(rb"FULL_MATRIX|(UPPER|LOWER)(_DIAG)?_(ROW|COL)"),
        "FULL_MATRIX, or a triangle such as LOWER_DIAG_ROW",
    ),
}
_NORMS = {b"EUC": 2, b"CEI": 2, b"MAN": 1, b"MAX": np.inf}
_BYTES_OF_PAIR = 10
"""Memory of (i, j) and of (j, i) each, while the graph of the pairs is made."""
_PI, _RADIUS = 3.141592, 6378.388
"""The constants of the format, which define its distances."""


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    parts: _Parts = {part[1].upper(): part for part in _PART.finditer(text.array, text.start)}  # type: ignore
    n, kind = int(_value(text, parts, b"DIMENSION")[0]), _value(text, parts, b"EDGE_WEIGHT_TYPE")[0]
    read = _read_matrix if kind == b"EXPLICIT" else partial(_read_places, kind=kind)
    return read(text, parts, n).with_first_id(1)


def _value(text: Text, parts: _Parts, keyword: bytes) -> re.Match[bytes]:
    pattern, expected = _EXPECTED[keyword]
    part = parts.get(keyword)
    value = pattern.fullmatch(part[2].strip().upper()) if part else None
    if value is None:
        raise text.unexpected(part.start() if part else text.size, f"{keyword.decode()}: {expected}")
    return value


def _numbers(
    text: Text, parts: _Parts, section: bytes, n: int, count: int, weights: WeightType = "any"
) -> NDArray[Any]:
    """Read the numbers of a section, and check the memory for all pairs."""
    if (part := parts.get(section)) is None:
        raise text.unexpected(text.size, section.decode())
    lines, begin = text.before(part.end()), part.start(3)
    values = read_number_rows(lines, begin, comment="#", expected="numbers", weights=weights).values
    if values.size != count:
        raise text.error(part.start(), f"expected {count} numbers in the section, found {values.size}")
    check_room(text.path, n * n * _BYTES_OF_PAIR)
    return values


def _read_matrix(text: Text, parts: _Parts, n: int) -> Graph:
    form = _value(text, parts, b"EDGE_WEIGHT_FORMAT")
    if form[0] == b"FULL_MATRIX":
        matrix = _numbers(text, parts, b"EDGE_WEIGHT_SECTION", n, n * n).reshape(n, n)
        u, v = np.triu_indices(n, 1)
        return Graph(n, u, v, _symmetric(text, parts, matrix)[u, v])
    has_diagonal = bool(form[2])
    size = n * (n + 1) // 2 if has_diagonal else n * (n - 1) // 2
    w = _numbers(text, parts, b"EDGE_WEIGHT_SECTION", n, size)
    # The columns of a triangle are the rows of the other one.
    is_lower = (form[1] == b"LOWER") == (form[3] == b"ROW")
    if is_lower:
        v, u = np.tril_indices(n, 0 if has_diagonal else -1)
    else:
        u, v = np.triu_indices(n, 0 if has_diagonal else 1)
    is_pair = u != v
    return Graph(n, u[is_pair], v[is_pair], w[is_pair])


def _symmetric(text: Text, parts: _Parts, matrix: NDArray[Any]) -> NDArray[Any]:
    """Check that a matrix is symmetric, and fill an empty half."""
    from boruvka.graph.matrix import symmetric_matrix

    try:
        return symmetric_matrix("the matrix", matrix, labels=range(1, len(matrix) + 1))
    except GraphError as error:
        arborescence = "; 'boruvka arborescence' takes both distances, from a table from,to,cost"
        raise text.error(parts[b"EDGE_WEIGHT_SECTION"].start(), f"{error}{arborescence}") from None


def _read_places(text: Text, parts: _Parts, n: int, *, kind: bytes) -> Graph:
    dimensions = 3 if kind.endswith(b"3D") else 2
    size = n * (1 + dimensions)
    table = _numbers(text, parts, b"NODE_COORD_SECTION", n, size, "floats").reshape(n, -1)
    table = table[np.argsort(table[:, 0], kind="stable")]
    points = table[:, 1:]
    if not (np.array_equal(table[:, 0], np.arange(1, n + 1)) and np.isfinite(points).all()):
        start = parts[b"NODE_COORD_SECTION"].start()
        raise text.error(start, f"expected the numbers 1 to {n} of nodes, each once, and where they are")
    if kind == b"GEO":  # degrees and minutes, as DDD.MM
        degrees = np.trunc(points)
        points = _PI * (degrees + 5.0 * (points - degrees) / 3.0) / 180.0
    type_ = np.int32 if np.ptp(points, axis=0).sum() < 2**31 - 2 else np.float64
    rows = (_distances(points[i + 1 :], points[i], kind).astype(type_) for i in range(n))
    graph = Graph.from_distances(np.concatenate([np.empty(0, type_), *rows]))
    if dimensions == 3:
        return graph
    return graph.with_coordinates(*((np.degrees(points), "latlon") if kind == b"GEO" else (points, "xy")))


def _distances(points: NDArray[np.float64], point: NDArray[np.float64], kind: bytes) -> NDArray[np.float64]:
    """Compute the distances of points from one of them."""
    differences = points - point
    if kind == b"GEO":
        q2, q1 = np.cos(differences).T
        q3 = np.cos(points[:, 0] + point[0])
        cosines = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
        return np.floor(_RADIUS * np.arccos(np.clip(cosines, -1.0, 1.0)) + 1.0)
    if kind == b"ATT":
        return np.ceil(np.sqrt(np.square(differences).sum(axis=1) / 10.0))
    lengths = np.linalg.norm(differences, _NORMS[kind[:3]], axis=1)
    return np.ceil(lengths) if kind == b"CEIL_2D" else np.floor(lengths + 0.5)


TSPLIB = Codec(_read)
