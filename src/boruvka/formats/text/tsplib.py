"""TSPLIB (``.tsp``): the places of nodes, or a matrix of distances; every pair of nodes is an edge.

Source: G. Reinelt, "TSPLIB 95" (1995). Distances of places are rounded to integers as it says. The numbers of a
matrix may be broken over lines anywhere. The graph is that of `Graph.from_distances`: a matrix is symmetric, and
its zeros are distances.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines import Text, read_number_rows, whole_number
from boruvka.graph.graph import Graph
from boruvka.runtime.processors import check_room

__all__ = ["TSPLIB"]

_Floats = NDArray[np.float64]
_KEYWORD = re.compile(rb"^[ \t]*[A-Za-z]", re.MULTILINE)
_TRIANGLE = re.compile(r"(UPPER|LOWER)(_DIAG)?_(ROW|COL)")
_PI, _RADIUS = 3.141592, 6378.388
"""The constants of the format, which define its distances."""


class _Part(NamedTuple):
    """The value after a keyword, the offset of its line, and where the lines of numbers after it are."""

    value: str
    start: int
    begin: int
    end: int


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    parts = _read_parts(text)
    dimension, kind = (_part(text, parts, key) for key in ("DIMENSION", "EDGE_WEIGHT_TYPE"))
    if not (n := whole_number(dimension.value.encode())):
        raise text.unexpected(dimension.start, "'DIMENSION : n'")
    if kind.value == "EXPLICIT":
        return _read_matrix(text, parts, n).with_first_id(1)
    if kind.value in _DISTANCES:
        return _read_places(text, parts, n, kind.value).with_first_id(1)
    raise text.unexpected(kind.start, f"EXPLICIT, {', '.join(_DISTANCES)} as the type of weights")


def _read_parts(text: Text) -> dict[str, _Part]:
    """Read the lines that begin with a keyword, and find the lines of numbers after each."""
    parts, start = {}, text.start
    while start < text.size:
        line, begin = text.line(start)
        found = _KEYWORD.search(text.array, begin)  # type: ignore[call-overload]
        end = found.start() if found else text.size
        keyword, _, value = line.decode("latin-1").upper().partition(":")
        parts[keyword.strip()] = _Part(value.strip(), start, begin, end)
        start = end
    return parts


def _part(text: Text, parts: dict[str, _Part], keyword: str) -> _Part:
    if keyword not in parts:
        raise text.unexpected(text.size, keyword)
    return parts[keyword]


def _numbers(text: Text, section: _Part, count: int, *, are_floats: bool = False) -> NDArray[Any]:
    """Read the numbers of a section."""
    values = read_number_rows(
        text.before(section.end),
        section.begin,
        comment="#",
        expected="numbers",
        weights="floats" if are_floats else "any",
    ).values
    if values.size != count:
        raise text.error(section.start, f"expected {count} numbers, but the section holds {values.size}")
    return values


def _read_matrix(text: Text, parts: dict[str, _Part], n: int) -> Graph:
    form, section = (_part(text, parts, key) for key in ("EDGE_WEIGHT_FORMAT", "EDGE_WEIGHT_SECTION"))
    if form.value == "FULL_MATRIX":
        return _graph_of_matrix(text, section, _numbers(text, section, n * n).reshape(n, n))
    if not (triangle := _TRIANGLE.fullmatch(form.value)):
        raise text.unexpected(form.start, "FULL_MATRIX, or a triangle such as LOWER_DIAG_ROW")
    has_diagonal = bool(triangle[2])
    values = _numbers(text, section, n * (n + 1) // 2 if has_diagonal else n * (n - 1) // 2)
    check_room(text.path, 2 * n * n * values.itemsize)
    # A mask selects entries along the rows, and columns of a triangle are rows of the other one.
    is_lower = (triangle[1] == "LOWER") == (triangle[3] == "ROW")
    has_entry = np.tri(n, k=0 if is_lower == has_diagonal else -1, dtype=bool) == is_lower
    matrix = np.zeros((n, n), values.dtype)
    matrix[has_entry] = matrix.T[has_entry] = values
    return Graph.from_distances(matrix)


def _graph_of_matrix(text: Text, section: _Part, matrix: NDArray[Any]) -> Graph:
    try:
        return Graph.from_distances(matrix)
    except GraphError:
        i, j = np.argwhere(matrix != matrix.T)[0].tolist()
        raise text.error(
            section.start,
            f"the distance from {i + 1} to {j + 1} is {matrix[i, j]}, but from {j + 1} to {i + 1} it is "
            f"{matrix[j, i]}; a spanning tree needs a symmetric matrix: write the smaller distance in both "
            "places, or a table from,to,cost for 'boruvka arborescence'",
        ) from None


def _read_places(text: Text, parts: dict[str, _Part], n: int, kind: str) -> Graph:
    section, distance = _part(text, parts, "NODE_COORD_SECTION"), _DISTANCES[kind]
    dimensions = 3 if kind.endswith("3D") else 2
    table = _numbers(text, section, n * (1 + dimensions), are_floats=True).reshape(n, -1)
    table = table[np.argsort(table[:, 0], kind="stable")]
    if not np.array_equal(table[:, 0], np.arange(1, n + 1)):
        raise text.error(section.start, f"expected each node from 1 to {n} once")
    points = _radians(table[:, 1:]) if kind == "GEO" else table[:, 1:]
    weights = np.dtype(np.int32 if np.ptp(points, axis=0).sum() < 2**31 - 2 else np.float64)
    check_room(text.path, n * n * weights.itemsize)
    matrix = np.empty((n, n), weights)
    for i in range(n):
        matrix[i, i:] = matrix[i:, i] = distance(points[i:], points[i])
    graph = Graph.from_distances(matrix)
    if dimensions == 3:
        return graph
    return graph.with_coordinates(*((np.degrees(points), "latlon") if kind == "GEO" else (points, "xy")))


def _nearest_integer(x: _Floats) -> _Floats:
    return np.floor(x + 0.5)


def _straight(a: _Floats, b: _Floats) -> _Floats:
    return np.sqrt(np.square(a - b).sum(axis=1))


def _euclidean(a: _Floats, b: _Floats) -> _Floats:
    return _nearest_integer(_straight(a, b))


def _euclidean_rounded_up(a: _Floats, b: _Floats) -> _Floats:
    return np.ceil(_straight(a, b))


def _manhattan(a: _Floats, b: _Floats) -> _Floats:
    return _nearest_integer(np.abs(a - b).sum(axis=1))


def _maximum(a: _Floats, b: _Floats) -> _Floats:
    return _nearest_integer(np.abs(a - b).max(axis=1))


def _pseudo_euclidean(a: _Floats, b: _Floats) -> _Floats:
    return np.ceil(np.sqrt(np.square(a - b).sum(axis=1) / 10.0))


def _radians(points: _Floats) -> _Floats:
    """Convert degrees and minutes, written as DDD.MM."""
    degrees = np.trunc(points)
    return _PI * (degrees + 5.0 * (points - degrees) / 3.0) / 180.0


def _geographic(a: _Floats, b: _Floats) -> _Floats:
    (latitude, longitude), (other_latitude, other_longitude) = a.T, b
    q1 = np.cos(longitude - other_longitude)
    q2, q3 = np.cos(latitude - other_latitude), np.cos(latitude + other_latitude)
    cosine = np.clip(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0)
    return np.floor(_RADIUS * np.arccos(cosine) + 1.0)


_DISTANCES = {
    **dict.fromkeys(("EUC_2D", "EUC_3D"), _euclidean),
    **dict.fromkeys(("MAN_2D", "MAN_3D"), _manhattan),
    **dict.fromkeys(("MAX_2D", "MAX_3D"), _maximum),
    "CEIL_2D": _euclidean_rounded_up,
    "ATT": _pseudo_euclidean,
    "GEO": _geographic,
}
TSPLIB = Codec(partial(WholeFile, _read))
