"""The interface that all graphs share, and the base of those whose edges are computed."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, shown
from boruvka.runtime.arguments import choice, integer, is_command_running

__all__ = [
    *("AbstractGraph", "ImplicitGraph", "LazyEdgeList"),
    *("check_edges", "profile_counts", "read_only", "vertex_dtype"),
]


NAMES_SHOWN = 3
"""Names of vertices that a notebook shows."""


def vertex_dtype(n: int) -> type[np.unsignedinteger]:
    """Return the type of the vertex ids of a graph with n vertices: uint32 while they fit, else uint64."""
    return np.uint32 if n <= 2**32 else np.uint64


def check_edges(edges: NDArray[Any], m: int) -> None:
    """Raise a `GraphError` unless these are indices of edges of a graph with m edges."""
    if edges.size and not (edges.min() >= 0 and edges.max() < m):
        wrong = edges[(edges < 0) | (edges >= m)][0]
        raise GraphError(f"there is no edge {wrong}: edges are numbers from 0 to {m - 1}")


def read_only(value: Any) -> Any:
    """Return a view of an array that cannot be written to, also of each in a tuple; else the value itself."""
    if type(value) is tuple:
        return tuple(map(read_only, value))
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def profile_counts(graph: AbstractGraph) -> dict[str, Any]:
    """Return what a graph of profiles knows of its vertices, for a graph with the same vertices."""
    names = "sizes", "vertex_of", "first_rows", "profile_names"
    return {name: getattr(graph, name) for name in names if hasattr(graph, name)}


class AbstractGraph(ABC):
    """An undirected weighted graph of ``n`` vertices and ``m`` edges (u, v, w), numbered from 0.

    Its attributes cannot be reassigned.

    See Also
    --------
    boruvka.Graph : an edge list; its constructors make the other kinds.
    """

    __slots__ = ()

    n: int
    """Number of vertices."""
    u: Any
    """First end of each edge."""
    v: Any
    """Second end of each edge."""
    w: Any
    """Weight of each edge."""
    names: NDArray[Any] | None = None
    """Name of each vertex; None where vertices are only numbered."""
    first_id: int = 0
    """Id of the first vertex in files and on the command line: 1 if the file that was read counts from 1.
    Arrays and arguments in Python count from 0 all the same."""
    terminals: NDArray[Any] | None = None
    """Vertices that a SteinLib file asks to connect; None where a graph has none."""
    _id_column: str | None = None
    """Name of the column or index that held the names."""
    _coordinates: Any = None
    system: str = "xy"
    """Meaning of the coordinates: "xy", or "lonlat" for degrees of longitude and latitude."""
    removed: NDArray[np.int64] = np.empty(0, np.int64)
    """Indices of edges that are not in the graph any more, ascending; of most graphs there are none."""

    @property
    def coordinates(self) -> NDArray[np.float64] | None:
        """Place of each vertex in a plane, an (n, 2) array; None where vertices have none.

        Generators, maps and files that hold places set them; pictures use them.
        """
        if callable(self._coordinates):  # of a generated graph, when they are first read
            self._initialise(_coordinates=read_only(self._coordinates()))
        return self._coordinates

    @property
    def m(self) -> int:
        """Number of edges, every entry of the input counted."""
        return self.w.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.w.dtype

    @property
    def is_on_device(self) -> bool:
        """Whether the arrays are in the memory of a GPU."""
        return False

    def with_names(self, names: Iterable[Hashable]) -> Self:
        """Return the same graph with a name for each vertex.

        Parameters
        ----------
        names : n hashable objects
            The names, in the order of the vertices; or by what vertices are called now, as a mapping or a
            series of pandas.

        Raises
        ------
        GraphError
            There are not n names, or two vertices have the same.
        """
        from boruvka.graph.labels import names_in_order
        from boruvka.graph.names import name_array, number_of_name

        named, array = copy.copy(self), name_array(names_in_order(self, names), self.n)
        number_of_name(array)  # raises the error
        column = getattr(names, "name", None)
        named._initialise(names=array, _id_column=column if isinstance(column, str) else None)
        return named

    def with_first_id(self, first_id: int) -> Self:
        """Return the same graph, whose vertices are counted from 0 or from 1 in files.

        Parameters
        ----------
        first_id : 0 or 1
            The id of the first vertex in files that are written of this graph, and of its forests. Arrays and
            arguments count from 0 all the same.
        """
        numbered = copy.copy(self)
        numbered._initialise(first_id=integer("first_id", first_id, 0, 1))
        return numbered

    def with_coordinates(self, coordinates: Any, system: str | None = None) -> Self:
        """Return the same graph with a place in a plane for each vertex.

        Parameters
        ----------
        coordinates : (n, 2) array_like of numbers, mapping or frame
            x and y, or longitude and latitude in degrees, of each vertex; NaN where a vertex has none. Those
            of a mapping or a frame are taken by the labels of vertices.
        system : "xy" or "lonlat", optional
            Which of the two; by default the names of the columns of a frame decide, or else "xy".

        Raises
        ------
        GraphError, GraphTypeError
            The coordinates are not an array of n rows of two numbers.
        """
        from boruvka.graph.coordinates import read_coordinates

        if system is not None:
            choice("system", system, ("xy", "lonlat"))
        array, found = read_coordinates(self, coordinates, system)
        placed = copy.copy(self)
        placed._initialise(_coordinates=read_only(array), system=found)
        return placed

    def name_of(self, vertices: Any) -> Any:
        """Return the names of vertices, or the vertices themselves where they have none.

        Queries of forests, such as `Forest.bottleneck`, take names.
        """
        if self.names is None:
            return vertices
        try:
            return self.names[vertices]
        except (IndexError, OverflowError, TypeError, ValueError) as error:
            raise GraphError(f"{shown(vertices)}: vertices are numbers from 0 to {self.n - 1}") from error

    def check(self) -> None:  # noqa: B027  # most graphs cannot become wrong
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more.

        Functions call it before kernels read the arrays: an id that is no vertex would crash the process.
        """

    def id_of(self, vertices: Any) -> Any:
        """Return what files and the command line call vertices: their names, or numbers from ``first_id``."""
        if self._has_names or not self.first_id:
            return self.name_of(vertices)
        numbers = np.arange(self.n)[vertices] if isinstance(vertices, slice) else np.asarray(vertices)
        return numbers.astype(np.int64) + self.first_id

    def shown_id(self, vertices: Any) -> Any:
        """Return what messages call vertices: their ids in files while a command runs, else as in Python."""
        return self.id_of(vertices) if is_command_running() else self.name_of(vertices)

    def edge_slice(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with indices from ``start`` to ``stop - 1``, as views if stored."""
        return self.u[start:stop], self.v[start:stop], self.w[start:stop]

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with these indices."""
        check_edges(edges, self.m)
        return self.u[edges], self.v[edges], self.w[edges]

    def compacted(self) -> AbstractGraph:
        """Return the graph without indices of removed edges: itself, if none are removed."""
        return self

    def masking(self, graph: Any) -> Any:
        """Return another graph with the same edges, without those that were removed from this one."""
        return graph

    def _initialise(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to {name!r}: graphs are read-only")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r}: graphs are read-only")

    def __setstate__(self, state: Any) -> None:
        for attributes in state if isinstance(state, tuple) else (state,):
            self._initialise(**{name: read_only(value) for name, value in (attributes or {}).items()})

    @property
    def _has_names(self) -> bool:
        """Whether vertices have names, without reading them."""
        return self.names is not None

    def _first_names(self, count: int) -> list[Any]:
        return self.name_of(np.arange(min(count, self.n))).tolist()

    def _repr_html_(self) -> str:
        """Return a table for a notebook; nothing is computed."""
        from boruvka.runtime.html import fields_table, text

        rows = [("vertices", f"{self.n:,}"), ("edges", f"{self.m:,}"), ("weights", text(self.dtype))]
        if self._has_names:
            more = ", …" if self.n > NAMES_SHOWN else ""
            rows.append(
                ("names", text(", ".join(f"{name!s:.300}" for name in self._first_names(NAMES_SHOWN)) + more))
            )
        if self.is_on_device:
            rows.append(("memory", "GPU"))
        return fields_table(type(self).__name__, rows)

    def __repr__(self) -> str:
        names = ""
        if self._has_names:
            first = ", ".join(map(shown, self._first_names(2)))
            names = f", names=[{first}" + (", ...]" if self.n > 2 else "]")
        return f"{type(self).__name__}(n={self.n}, m={self.m}, weights={self.dtype}{names})"


class LazyEdgeList(AbstractGraph):
    """A graph whose ``u``, ``v`` and ``w`` are made for all edges when one of them is first read."""

    @property
    def u(self) -> NDArray[Any]:
        """First end of each edge."""
        return self._edge_list[0]

    @property
    def v(self) -> NDArray[Any]:
        """Second end of each edge."""
        return self._edge_list[1]

    @property
    def w(self) -> NDArray[Any]:
        """Weight of each edge."""
        return self._edge_list[2]

    @cached_property
    def _edge_list(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        return read_only(self.edge_slice(0, self.m))


class ImplicitGraph(LazyEdgeList):
    """A graph whose edges are pairs (row, column) of vertices, numbered row by row.

    ``u``, ``v`` and ``w`` are computed for all edges when one of them is first read.
    """

    @property
    def m(self) -> int:
        """Number of edges."""
        return int(self.row_offsets[-1])

    @property
    @abstractmethod
    def row_offsets(self) -> NDArray[np.int64]:
        """The index of the first edge of each row, then the number of edges."""

    def edge_slice(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with indices from ``start`` to ``stop - 1``, as read-only arrays."""
        return read_only(self.take(np.arange(start, stop)))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with these indices."""
        check_edges(edges, self.m)
        rows = np.searchsorted(self.row_offsets, edges, side="right") - 1
        columns = self._columns(rows, edges - self.row_offsets[rows])
        ids = vertex_dtype(self.n)
        return rows.astype(ids), columns.astype(ids), self.weights_at(rows, columns)

    @abstractmethod
    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the indices of edges from their rows and columns."""

    @abstractmethod
    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Compute the weights of edges from their rows and columns."""

    @abstractmethod
    def _columns(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the column of the k-th edge of each row, from 0."""
