"""Vertices that callers name: by their names where they have names, else by their numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Set
from typing import Any

from numpy.typing import NDArray

from boruvka.errors import GraphTypeError, shown
from boruvka.graph.abstract_graph import AbstractGraph, vertex_dtype
from boruvka.graph.columns import read_numbers
from boruvka.graph.names import number_of_name, numbers_of
from boruvka.graph.validation import vertex_ids, vertex_ids_below

__all__ = ["read_vertex", "read_vertices"]


def read_vertices(
    graph: AbstractGraph, argument: str, values: Any, numbers: Mapping[Hashable, int] | None = None
) -> NDArray[Any]:
    """Return the numbers of vertices; ``numbers`` has those of all names, if they are known already."""
    if graph.names is not None:
        numbers = number_of_name(graph.name_of(slice(None))) if numbers is None else numbers
        return numbers_of(numbers, argument, values).astype(vertex_dtype(graph.n))
    array = read_numbers(argument, list(values) if isinstance(values, Iterator | Mapping | Set) else values)
    ids, largest = vertex_ids(argument, array.ravel())
    return vertex_ids_below(graph.n, argument, ids, largest).reshape(array.shape)


def read_vertex(
    graph: AbstractGraph, argument: str, value: Any, numbers: Mapping[Hashable, int] | None = None
) -> int:
    """Return the number of one vertex."""
    found = read_vertices(graph, argument, [value], numbers)
    if found.shape != (1,):
        raise GraphTypeError(f"{argument} must be one vertex, got {shown(value)}")
    return int(found[0])
