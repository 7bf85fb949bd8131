"""Graphs: their public interface, with the constructors of all kinds, and the kinds.

The kinds stand in one file because each is a `Graph`, and the constructors of `Graph` make them. The
matrices and points that they store, and their weights, are in `boruvka.graph.matrix` and
`boruvka.graph.points`.
"""

from __future__ import annotations

import copy
import math
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends.device_arrays import is_on_device, on_host
from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph import validation
from boruvka.graph.columns import (
    HasColumns,
    are_names,
    is_masked_array,
    list_column,
    listed,
    name_of_column,
    read_column,
    read_numbers,
    read_only,
)
from boruvka.graph.coordinates import SYSTEMS, Places, in_radians, is_map, read_coordinates, vertices_near
from boruvka.graph.labels import (
    in_memory,
    in_order_of_rows,
    index_names,
    is_pandas,
    is_table,
    labelled_matrix,
    names_in_order,
    names_of_rows,
    row_names,
    without_names,
)
from boruvka.graph.names import check_ends_are_positions, name_array, number_of_name, numbers_of
from boruvka.runtime import arguments
from boruvka.runtime.arguments import argument, flag, integer, is_command_running, one_of
from boruvka.runtime.processors import check_room

if TYPE_CHECKING:
    from boruvka.backends.primitives import Backend
    from boruvka.graph.matrix import Absence, WeightMatrix
    from boruvka.graph.points.point_index import PointIndex
    from boruvka.graph.points.point_pairs import PairSource, PointPairs
    from boruvka.graph.profiles import Profiles
    from boruvka.operators.sort_keys import Packing

NAMES_SHOWN = 3
"""Names of vertices that a notebook shows."""


class Annotations(NamedTuple):
    """Facts that a graph carries beside its edges; graphs that are derived from it carry the same."""

    names: NDArray[Any] | None = None
    """(n,) array: the name of each vertex; None where vertices are only numbered."""
    id_column: str | None = None
    """Name of the column or index that held the names."""
    coordinates: NDArray[np.float64] | Callable[[], NDArray[np.float64] | None] | None = None
    """(n, 2) array, or a function that makes it when it is first read."""
    system: str = "xy"
    """Meaning of the coordinates: "xy", or "lonlat" for degrees."""
    axes: Sequence[Hashable] = ()
    """Names of the columns that held the coordinates of points."""
    pairs: PointPairs | None = None
    """The points that the vertices are, with their metric and box."""
    first_id: int = 0
    """Id of the first vertex in files and on the command line."""
    terminals: NDArray[Any] | None = None
    """Numbers of the vertices to connect."""
    places: Any = None
    """A frame of the values of terminals that are places, whose columns begin with ``place_``."""
    prizes: NDArray[Any] | None = None
    """(n,) array: the prize of each vertex."""
    table: Any = None
    """The `SourceTable` or `JoinedTable` (`boruvka.interop.data_frames`) of the edges; None without one."""
    keep: Sequence[str] = ()
    """Names of columns of the table that results have beside the edges."""
    columns: Sequence[str] = ("source", "target", "weight")
    """Names of the columns of ends and weights in a table of edges, unless they have a source table."""
    weight_column: str | None = None
    """Name of the column or attribute that held the weights, where it was given or a file has it."""
    profiles: Profiles | None = None
    """The profiles that vertices were made from."""
    left_out: Collection[Hashable] = ()
    """Names of profiles that were left out."""
    members: NDArray[Any] | None = None
    """(m, 2) array: for edges between groups, the names of the two members at this distance."""
    row_counts: dict[str, int] | None = None
    """Counts of the rows of a file that are left out, by their kind; None if they were not counted."""
    entry_count: int = 0
    """Number of edges, the first ones, that are entries of a matrix, whose (i, j) and (j, i) are one edge."""
    are_correlations: bool = False
    """Whether the weights are distances that were made of correlations."""
    whole_graph: str = ""
    """Code that makes the graph of all edges, if this one has only those of its forest."""
    written_as: tuple[str, bool | None] = ("", None)
    """A file that holds a forest, and whether it says that it is a maximum one; None if it does not say."""

    def of_edges(self, edges: NDArray[np.int64]) -> Annotations:
        """Return the annotations of the graph of some of the edges, which get new numbers."""
        table = None if self.table is None else self.table.of_edges(edges)
        members = None if self.members is None else self.members[edges]
        entry_count = int(np.count_nonzero(edges < self.entry_count))
        return self._replace(table=table, members=members, entry_count=entry_count)

    @property
    def weight_name(self) -> str:
        """The name of the column of weights if it is known, else of the weights."""
        return self.weight_column or getattr(self.table, "columns", self.columns)[2]

    def correlations_of(self, distances: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return a column of the correlations that distances were made of, or no column."""
        return {"correlation": 1 - distances**2 / 2} if self.are_correlations else {}

    def members_of(self, edges: NDArray[np.int64], u: str, v: str) -> dict[str, list[Any]]:
        """Return columns of the members that edges between groups join, after the names of the ends."""
        columns = () if self.members is None else zip((u, v), self.members[edges].T, strict=True)
        return {f"{name}_member": column.tolist() for name, column in columns}


class _EdgeListByDefault:
    """Make an edge list where no kind of graph is named: ``Graph(n, u, v, w)``.

    A parent of `Graph` does so: then ``Graph.__init__`` says, also to type checkers, what the call takes.
    """

    def __new__(cls, *arguments: Any, **options: Any) -> Self:
        if cls is Graph and len(arguments) + len(options) != 4:
            raise GraphTypeError(
                "for edges write boruvka.as_graph(edges), or boruvka.Graph.from_edges(u, v, w)"
            )
        kind: Any = EdgeListGraph if cls is Graph else cls
        return object.__new__(kind)


class Graph(_EdgeListByDefault, HasColumns):
    """An undirected weighted graph of ``n`` vertices and ``m`` edges (u, v, w), numbered from 0.

    ``Graph(n, u, v, w)`` makes a list of edges, one entry per edge in parallel arrays. The constructors
    ``Graph.from_...`` also make graphs of matrices and of points, whose edges are computed when they are
    needed. All of them are graphs: ``isinstance(graph, Graph)``. Attributes cannot be reassigned.

    Parallel edges, self-loops, isolated vertices and zero, negative or infinite weights are legal.
    Arrays are not copied where their type allows (ids of uint32, weights of any type); the graph keeps
    read-only views of them. Do not change them while the graph is in use. Functions of the graph then
    raise an error if an id is not a vertex or a weight is NaN; otherwise they mix results from before and
    after the change.

    Parameters
    ----------
    n : int or None
        Number of vertices, at most 2**48; they are numbered 0 to ``n - 1``. None means one more than the
        largest id.
    u, v : (m,) array_like of integers
        The ends of each edge. Stored as uint32, or as uint64 where ``n`` exceeds 2**32.
    w : (m,) array_like of integers or floats
        The weight of each edge, of any integer or floating type; weights are never rounded.

    Raises
    ------
    GraphError
        An id is negative, fractional or not below ``n``, a weight is NaN, lengths differ, ``n`` is out
        of range, or no type holds all numbers of a list of weights exactly.
    GraphTypeError
        Ids are not numbers, or weights are neither integers nor floats.

    See Also
    --------
    Graph.from_edges : the same with ``n`` optional.

    Examples
    --------
    >>> Graph(3, [0, 1, 2], [1, 2, 0], [5, 0, 2])
    Graph(n=3, m=3, weights=int64)
    """

    n: int
    """Number of vertices."""
    annotations: Annotations = Annotations()
    """Names and coordinates of vertices, and other facts that a graph carries beside its edges."""
    removed: NDArray[np.int64] = np.empty(0, np.int64)
    """Indices of edges that are not in the graph any more, ascending; of most graphs there are none."""
    _instead: ClassVar = {
        "boruvka.as_graph(x)": "from_networkx from_igraph from_pandas from_dict from_list",
        "boruvka.Graph.from_dense(a), where 0 is no edge, or from_distances(a)": "from_matrix from_numpy",
        "boruvka.read(path)": "from_csv from_file",
        "graph.n, or graph.names": "vertices nodes",
        "graph.u, graph.v and graph.w": "edges weights",
        "forest.update([(u, v, w)], removed=[(u, v)]) of its forest": "add_edge remove_edge",
        "forest.nearest(vertices, k) of its forest": "nearest nearest_neighbors neighbors kneighbors knn",
    }

    def __init__(self, n: int | None, u: ArrayLike, v: ArrayLike, w: ArrayLike):
        self._set_edges(n, u, v, w, None)

    def _set_edges(
        self, n: int | None, u: ArrayLike, v: ArrayLike, w: ArrayLike, names: Iterable[Hashable] | None
    ) -> None:
        """Check the edges of an edge list, and store them."""
        u, v, w = in_order_of_rows(u=u, v=v, w=w)
        (first, largest_u), (second, largest_v) = validation.vertex_ids("u", u), validation.vertex_ids("v", v)
        weights = validation.edge_weights(w)
        validation.check_equal_sizes(first, second, weights)
        n = validation.vertex_count(n, largest_u, largest_v)
        first = validation.vertex_ids_below(n, "u", first, largest_u)
        second = validation.vertex_ids_below(n, "v", second, largest_v)
        self._initialise(n=n, annotations=Annotations())
        if names is not None:
            found = name_array(names_in_order(self, names), n)
            self._initialise(annotations=Annotations(found, name_of_column(names)))
        validation.check_no_nan(first, second, weights, self.names)
        columns = ("u", first), ("v", second), ("w", weights)
        shared = tuple(name for name, column in columns if validation.may_change(column))
        self._initialise(u=first, v=second, w=weights, _shared=shared)

    @cached_property
    def _columns(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The three columns; a kind of graph stores them, or computes them when one of them is first read."""
        return read_only(self.edges_in_range(0, self.m))

    @property
    def names(self) -> NDArray[Any] | None:
        """Name of each vertex, an (n,) array; None where vertices are only numbered."""
        return self.annotations.names

    @property
    def has_names(self) -> bool:
        """Whether vertices have names, without reading them."""
        return self.names is not None

    @property
    def first_id(self) -> int:
        """Id of the first vertex in files and on the command line: 1 if the file that was read counts from 1.

        Arrays and arguments in Python count from 0 all the same.
        """
        return self.annotations.first_id

    @property
    def terminals(self) -> NDArray[Any] | None:
        """Vertices to connect, as `steiner_tree` takes them; None where a graph has none.

        They are those of a SteinLib file, or the places that were attached to lines. Beside `prizes` it is
        the root, if the file has one.
        """
        terminals = self.annotations.terminals
        return None if terminals is None else self.name_of(terminals)

    @property
    def prizes(self) -> NDArray[Any] | None:
        """The prize of each vertex, as `prize_collecting_tree` takes them; None where a graph has none.

        They are those of a SteinLib file.
        """
        return self.annotations.prizes

    @property
    def coordinates(self) -> NDArray[np.float64] | None:
        """Place of each vertex in a plane, an (n, 2) array; None where vertices have none.

        Generators, maps and files that hold places set them; pictures use them.
        """
        found = self.annotations.coordinates
        if callable(found):  # of a generated graph, when they are first read
            found = read_only(found())
            self._initialise(annotations=self.annotations._replace(coordinates=found))
        return found

    @property
    def system(self) -> str:
        """Meaning of the coordinates: "xy", or "lonlat" for degrees of longitude and latitude."""
        return self.annotations.system

    @property
    def profiles(self) -> Profiles | None:
        """The allelic profiles that vertices were made from; None where there are none."""
        return self.annotations.profiles

    @property
    def m(self) -> int:
        """Number of edges, every entry of the input counted: (i, j) and (j, i) of a matrix are two."""
        return self.w.size

    @property
    def entry_count(self) -> int:
        """Number of edges, the first ones, that are entries of a matrix."""
        return self.annotations.entry_count

    @property
    def counted(self) -> str:
        """The noun for `m`: entries if an edge may be both (i, j) and (j, i) of a matrix, else edges."""
        return "entries" if self.entry_count else "edges"

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
        array = name_array(names_in_order(self, names), self.n)
        number_of_name(array)  # raises the error
        profiles = None if self.profiles is None else self.profiles._replace(names=None)
        return self.annotated(names=array, id_column=name_of_column(names), profiles=profiles)

    def with_first_id(self, first_id: int) -> Self:
        """Return the same graph, whose vertices are counted from 0 or from 1 in files.

        Parameters
        ----------
        first_id : 0 or 1
            The id of the first vertex in files that are written of this graph, and of its forests. Arrays and
            arguments count from 0 all the same.
        """
        return self.annotated(first_id=integer("first_id", first_id, 0, 1))

    def with_coordinates(self, coordinates: Any, system: str | None = None) -> Self:
        """Return the same graph with a place in a plane for each vertex.

        Parameters
        ----------
        coordinates : (n, 2) array_like of numbers, mapping or frame
            x and y, or longitude and latitude in degrees, of each vertex; NaN where a vertex has none. Those
            of a mapping or a frame are taken by the labels of vertices.
        system : "xy", "lonlat" or "latlon", optional
            The meaning of the two columns; by default the names of the columns of a frame decide, or else
            "xy". The graph holds longitudes first.

        Raises
        ------
        GraphError, GraphTypeError
            The coordinates are not an array of n rows of two numbers.
        """
        if system is not None:
            one_of("system", system, SYSTEMS)
        array, found = read_coordinates(self, coordinates, system)
        return self.annotated(coordinates=read_only(array), system=found, axes=())

    def with_weights(self, w: Any) -> Graph:
        """Return the same graph with other weights: names, coordinates, terminals and columns stay.

        Parameters
        ----------
        w : (m,) array_like of numbers
            The weight of each edge, in the order of the edges. The index of a series must be 0, 1, ...

        Raises
        ------
        GraphError, GraphTypeError
            There are not m weights, a weight is NaN, or the graph lists no edges.
        """
        check_lists_edges(self, "other weights need a graph that lists its edges, on the host")
        if is_pandas(w) and w.index.tolist() != list(range(self.m)):
            raise GraphError("w: the index is not 0, 1, 2 ...: sort w by edge, and pass w.to_numpy()")
        graph: Graph = self.masking(Graph(self.n, self.u, self.v, w))
        about = self.annotations._replace(are_correlations=False, written_as=("", None))
        return graph.annotated(**about._asdict())

    def annotated(self, **changes: Any) -> Self:
        """Return the same graph with other `Annotations`, given by their names."""
        graph = copy.copy(self)
        graph._initialise(annotations=self.annotations._replace(**changes))
        return graph

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

    def vertex_near(self, place: Any) -> Any:
        """Find the vertex that is nearest to a place, or to each of several places.

        Parameters
        ----------
        place : (2,) or (k, 2) array_like, or frame or series of points of geopandas
            x and y, or longitude and latitude in degrees, as in `Graph.coordinates`. Points of geopandas are
            converted to the coordinate reference system of the lines that the graph was made from.

        Returns
        -------
        name, or array of k names
            What functions such as `steiner_tree` take: the name of the vertex, or its number if vertices have
            no names. Of equally near vertices the first is taken.

        Raises
        ------
        GraphError, GraphTypeError
            Vertices have no coordinates, or a place does not have two.

        Warns
        -----
        GraphWarning
            A place is farther from all vertices than they extend, as in another coordinate system.

        Examples
        --------
        >>> triangle = Graph(3, [0, 1, 2], [1, 2, 0], [1, 1, 1]).with_coordinates([[0, 0], [4, 0], [0, 4]])
        >>> triangle.vertex_near((1, 3))
        2
        """
        return vertices_near(self, place)

    def check(self) -> None:  # most graphs cannot become wrong
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more.

        Functions call it before kernels read the arrays: an id that is not a vertex would crash the process.
        """

    def id_of(self, vertices: Any) -> Any:
        """Return what files and the command line call vertices: their names, or numbers from ``first_id``."""
        if self.has_names or not self.first_id:
            return self.name_of(vertices)
        numbers = np.arange(self.n)[vertices] if isinstance(vertices, slice) else np.asarray(vertices)
        return numbers.astype(np.int64) + self.first_id

    def shown_id(self, vertices: Any) -> Any:
        """Return what messages call vertices: their ids in files while a command runs, else as in Python."""
        return self.id_of(vertices) if is_command_running() else self.name_of(vertices)

    def edges_in_range(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with indices from ``start`` to ``stop - 1``, as views if stored."""
        return self.u[start:stop], self.v[start:stop], self.w[start:stop]

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of the edges with these indices."""
        validation.check_edges(edges, self.m)
        return self.u[edges], self.v[edges], self.w[edges]

    def compacted(self) -> Graph:
        """Return the graph without indices of removed edges: itself, if none are removed."""
        return self

    def masking(self, graph: Any) -> Any:
        """Return another graph with the same edges, without those that were removed from this one."""
        return graph

    def _initialise(self, **attributes: Any) -> None:
        vars(self).update(attributes)

    _plural = "graphs"

    @property
    def kind(self) -> str:
        """Name of the kind of graph in messages."""
        return type(self).__name__

    def _first_names(self, count: int) -> list[Any]:
        return self.name_of(np.arange(min(count, self.n))).tolist()

    def _repr_html_(self) -> str:
        """Return a table for a notebook; nothing is computed."""
        from boruvka.runtime.html import fields_table, text

        rows = [("vertices", f"{self.n:,}"), (self.counted, f"{self.m:,}"), ("weights", text(self.dtype))]
        if self.has_names:
            more = ", …" if self.n > NAMES_SHOWN else ""
            rows.append(
                ("names", text(", ".join(f"{name!s:.300}" for name in self._first_names(NAMES_SHOWN)) + more))
            )
        if self.is_on_device:
            rows.append(("memory", "GPU"))
        return fields_table(self.kind, rows)

    def __repr__(self) -> str:
        names = ""
        if self.has_names:
            first = ", ".join(map(shown, self._first_names(2)))
            names = f", names=[{first}" + (", ...]" if self.n > 2 else "]")
        m = f"{'entries' if self.entry_count else 'm'}={self.m}"
        return f"{self.kind}(n={self.n}, {m}, weights={self.dtype}{names})"

    # Constructors

    @staticmethod
    def from_edges(
        u: ArrayLike,
        v: ArrayLike | None = None,
        w: ArrayLike | None = None,
        *,
        n: int | None = None,
        names: bool | Iterable[Hashable] | None = None,
    ) -> Graph:
        """Make a graph from parallel arrays of edges; `boruvka.as_graph` takes a list of edges.

        Parameters
        ----------
        u, v : (m,) array_like of integers, or of names
            The ends of each edge, as columns of any kind: arrays, lists, iterators, columns of pandas, polars
            or Arrow. Integers, and floats that are whole, are the numbers of vertices, from 0, unless
            ``names`` is true. Strings, tuples and other objects are names; vertices are then numbered in the
            order in which their names first appear in ``u``, then in ``v``.
        w : (m,) array_like of integers or floats
            The weight of each edge.
        n : int, optional
            Number of vertices; by default one more than the largest id.
        names : bool or iterable of n names, optional
            True if integers are names too (sparse or large ids), False if names are an error; or the name of
            each vertex, in the order of their numbers, which also numbers names in ``u`` and ``v``; some may
            have no edge. Integers in ``u`` and ``v`` stay numbers; where they may be names in this list, an
            error asks, unless ``n`` is given.

        Returns
        -------
        Graph
            A `DeviceGraph` if an array is on a GPU: one of CuPy or PyTorch, or any other that has
            ``__cuda_array_interface__`` or DLPack.

        Raises
        ------
        GraphError, GraphTypeError
            As for `Graph`.
        """
        if v is None or w is None:
            raise GraphTypeError(
                "from_edges needs three arrays, u, v and w; of a list of edges, a graph is made by "
                "boruvka.as_graph(edges)"
            )
        if is_on_device(u) or is_on_device(v) or is_on_device(w):
            on_device = DeviceGraph(u, v, w, n)
            if isinstance(names, bool):
                raise OptionError("ids on a GPU are numbers; copy them to the host where they are names")
            return on_device if names is None else on_device.with_names(names)
        u, v, w = in_order_of_rows(u=u, v=v, w=w)
        u, v = read_column("u", u), read_column("v", v)
        of_vertices = None if isinstance(names, bool) else names
        of_ends = are_names(u) or are_names(v)
        if of_vertices is not None and n is None and not of_ends:
            of_vertices = listed("names", names) if isinstance(names, Iterator) else of_vertices
            check_ends_are_positions(u, v, of_vertices)
        if of_vertices is not None and of_ends:
            every = listed("names", list_column(read_column("names", names)))
            of_vertices = name_array(every, len(every) if n is None else n)
            numbers, n = number_of_name(of_vertices), len(every)
            u, v = numbers_of(numbers, "u", u, "names"), numbers_of(numbers, "v", v, "names")
        elif names is True or (names is None and of_ends):
            if n is not None:
                raise OptionError(
                    "vertices have names, and are numbered as these appear: leave out n, or list all "
                    "vertices, also those without an edge, by names="
                )
            from boruvka.graph.numbering import number_names

            u, v, of_vertices = number_names(u, v)
            n = of_vertices.size
        graph = EdgeListGraph.of_numbered(n, u, v, w, of_vertices)
        if graph.names is not None and not isinstance(names, bool | None):
            number_of_name(graph.names)  # raises an error if two vertices have the same
        return graph

    @staticmethod
    def from_distances(
        distances: ArrayLike,
        *,
        missing: str = "error",
        default: float | None = None,
        correlations: bool = False,
        collapse: bool = False,
        names: Iterable[Hashable] | None = None,
    ) -> Graph:
        """Make the complete graph of a matrix of distances, where a zero is a distance and not "no edge".

        Parameters
        ----------
        distances : (n, n) array_like, or (n * (n - 1) / 2,) array_like
            The distances of all pairs: a square matrix, which is not copied and whose diagonal does not
            matter, or the condensed form of `scipy.spatial.distance.pdist`. Edges are numbered in its
            order, or along the rows of a square matrix, both (i, j) and (j, i), without the diagonal. A
            square matrix is symmetric; of (i, j) and (j, i) that differ by rounding, the lighter counts. The
            labels of a frame of pandas become the names of vertices, or the columns of a frame of polars,
            whose first column may have them, too.
        missing : str
            The rule for pairs that have no distance (NaN, None, or a text such as "-" or "NA"): "error", or
            "drop" for no edge.
        default : number, optional
            The distance, or the correlation, of these pairs.
        correlations : bool
            The numbers are correlations, such as those of ``returns.corr()``: the distances are
            ``sqrt(2 * (1 - correlation))`` (R. N. Mantegna, 1999), from 0 to 2. Or they are covariances,
            which are divided by the standard deviations, with a warning.
        collapse : bool
            Make one vertex of points at distance 0 that are equally far from all others, with the name of the
            first, as in `Graph.from_profiles`. For a square matrix.
        names : iterable of n names, optional
            The names of vertices; by default the labels of a frame.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            It has neither form, a distance is NaN, or the distance (i, j) is not the distance (j, i). Or a
            correlation is not from -1 to 1.
        GraphTypeError
            The type is neither integer nor floating.

        Warns
        -----
        GraphWarning
            One half of the matrix is empty (all zero, infinite or NaN) and is filled from the other; or pairs
            have no distance, and are no edges; or one is below -1, and the diagonal is not positive.

        Examples
        --------
        >>> from boruvka import minimum_spanning_forest
        >>> minimum_spanning_forest(Graph.from_distances([0, 5, 5])).edges.tolist()  # two equal points
        [0, 1]
        """
        from boruvka.graph import matrix as matrices  # not for a list of edges

        distances, labels = labelled_matrix(distances)
        names = labels if names is None else listed("names", names)
        array = matrices.read_matrix("distances", distances, missing, default)
        if array.ndim == 2:
            validation.check_square(array, names)
            name, advice = ("correlations", ("", "")) if correlations else ("distances", None)
            array = matrices.symmetric_matrix(name, array, advice=advice)
        if flag("correlations", correlations):
            validation.check_weight_dtype(array.dtype)
            array = matrices.correlation_distances(array, names)
            default = None if default is None else float(matrices.correlation_distances(np.asarray(default)))
        low = np.fmin.reduce(array, None, initial=0) if array.dtype.kind in "if" else 0
        if low < -1 and not (array.ndim == 2 and (array.diagonal() > 0).any()):  # else perhaps correlations
            warn(f"the smallest distance is {low:g}, and distances are from 0: is it a slip?")
        if array.ndim == 2:
            groups = None
            if flag("collapse", collapse):
                from boruvka.graph.profiles import collapsed

                array, _ = matrices.without_gaps(array, None, "error", default)
                array, names, groups = collapsed(array, None if names is None else list(names))
            graph = Graph.from_dense(array, null_value=None, missing=missing, default=default)
            graph = _named(graph, names).annotated(are_correlations=bool(correlations))
            return graph if groups is None else graph.annotated(profiles=groups)
        if flag("collapse", collapse):
            raise OptionError("collapse needs a square matrix: scipy.spatial.distance.squareform makes one")
        n = (1 + math.isqrt(1 + 8 * array.size)) // 2
        if array.ndim != 1 or n * (n - 1) // 2 != array.size:
            raise GraphError(
                "distances are a square matrix, or a vector of n * (n - 1) / 2 as pdist returns it; these "
                f"have shape {array.shape}"
            )
        vertices = np.arange(n, dtype=validation.vertex_dtype(n))
        u = np.repeat(vertices, np.arange(n)[::-1])
        v = np.concatenate([vertices[i + 1 :] for i in range(n)])
        array, null_value = matrices.without_gaps(array, None, missing, default)
        if null_value is not None:
            u, v, array = (x[~np.isnan(array)] for x in (u, v, array))
        graph = Graph(n, u, v, array).annotated(are_correlations=bool(correlations))
        matrices.warn_of_no_edge_numbers(graph.w, None)
        return _named(graph, names)

    @staticmethod
    def from_scipy(a: Any) -> Graph:
        """Make a graph from a square SciPy sparse array or matrix in any format.

        Every stored entry (i, j) is an edge between i and j, stored zeros too. Entries (i, j) and (j, i),
        also duplicates of a COO array, are not summed: they are one edge, whose lightest entry counts, and
        each of their indices stands for it. Edges are numbered in the order in which the array
        stores its entries. Formats that pad (DIA, and BSR with blocks larger than 1 x 1) cannot
        distinguish a zero from padding: there, a zero is not an edge.

        Parameters
        ----------
        a : (n, n) sparse array or matrix
            The weights.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            The array is not square, or a weight is NaN.
        GraphTypeError
            Not a sparse array, or its type is neither integer nor floating.
        """
        sparse = sys.modules.get("scipy.sparse")  # whoever has a sparse array has imported it
        if sparse is None or not sparse.issparse(a):
            raise GraphTypeError(f"expected a SciPy sparse array or matrix, got {type(a).__name__}")
        if a.ndim != 2 or a.shape[0] != a.shape[1]:
            raise GraphError(f"an adjacency matrix must be square, this one has shape {a.shape}")
        validation.check_weight_dtype(a.dtype)
        coo = a.tocoo()
        row, column, weight = coo.row, coo.col, coo.data
        if a.format == "dia" or (a.format == "bsr" and a.blocksize != (1, 1)):
            stored = weight != 0
            row, column, weight = row[stored], column[stored], weight[stored]
        return Graph(a.shape[0], row, column, weight).annotated(entry_count=row.size)

    @staticmethod
    def from_dense(
        a: ArrayLike, *, null_value: float | None = 0, missing: str = "error", default: float | None = None
    ) -> Graph:
        """Make a graph from a square matrix of weights, which is not copied and must not change.

        Edges are numbered along the rows, (0, 1) before (0, 2) before (1, 0); entries that hold no
        edge are not counted. (i, j) and (j, i) are one edge, whose lighter entry counts (the heavier, in a
        maximum forest), and both indices stand for it. The diagonal never matters to a spanning forest and
        is left out.

        Parameters
        ----------
        a : (n, n) array_like or masked array
            The weights. Masked entries are not edges. The labels of a pandas frame become the names of
            vertices.
        null_value : number, optional
            The value that means "no edge": 0 by default, ``numpy.inf`` or ``numpy.nan`` as in some
            libraries, or None where every entry off the diagonal is an edge. A masked array ignores it:
            there, the mask alone decides.
        missing, default
            As for `from_distances`: entries that are NaN are no edges, or have the default as weight. Masked
            arrays take neither.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            The matrix is not square, or a weight is NaN (and neither ``null_value`` nor ``missing`` cares).
        GraphTypeError
            The type is neither integer nor floating.
        OptionError
            ``null_value`` is neither a number nor None.

        Warns
        -----
        GraphWarning
            Few pairs have two weights, in a matrix of up to 1000 rows that is symmetric otherwise. Or -1 is
            the only negative weight, or a number such as 999 is far larger than all others, and may mean that
            there is no edge.
        """
        from boruvka.graph import matrix as matrices

        matrix: Any = a if is_masked_array(a) else matrices.read_matrix("the matrix", a, missing, default)
        validation.check_square(matrix)
        if not is_masked_array(a):
            matrix, null_value = matrices.without_gaps(matrix, null_value, missing, default)
        if is_masked_array(matrix):
            present = ~np.ma.getmaskarray(matrix)
            matrix = matrix.data
        elif matrix.dtype.itemsize <= 8:
            graph = MatrixGraph(matrix.astype(matrix.dtype.newbyteorder("="), copy=False), null_value)
            matrices.warn_of_no_edge_numbers(graph.matrix, null_value)
            matrices.warn_of_unequal_halves(graph.matrix, null_value, names := row_names(a, True))
            return _named(graph, names)
        else:
            present = matrices.is_present(matrix, matrices.null_value_of(null_value, matrix.dtype))
        np.fill_diagonal(present, False)
        u, v = np.nonzero(present)
        listed = Graph.from_edges(u, v, matrix[present], n=matrix.shape[0]).annotated(entry_count=u.size)
        return _named(listed, row_names(a, True))

    @staticmethod
    def from_points(
        points: Any,
        metric: str | Callable[[Any, Any], Any] | None = None,
        *,
        min_samples: int | None = None,
        names: Iterable[Hashable] | None = None,
        box: float | Sequence[float | None] | NDArray[Any] | None = None,
        degrees: bool = False,
    ) -> DistanceGraph:
        """Make the complete graph of points, weighted by their distances.

        The edges are the pairs (i, j) with i < j, in the order of `scipy.spatial.distance.pdist`.
        They are not stored: distances are computed when they are needed.

        Parameters
        ----------
        points : (n,) or (n, d) array_like of integers, floats or booleans
            The points, also as a frame of pandas or polars (also lazy), a table of Arrow or a relation of
            DuckDB. They must be finite, and neither so far apart nor so close that squares overflow or
            underflow. Rows of a SciPy sparse array are made dense. A frame or series of geopandas has a point
            in each row, whose height is left out. A structured array or a table of astropy is taken as the
            frame of pandas that ``pandas.DataFrame(points)`` makes of it, which messages call points. What
            `boruvka.formats.points.read_points` returns has its metric, names and box, too.
        metric : str or callable, optional
            "euclidean", "squared_euclidean", "manhattan", "chebyshev", "hamming" (the number of
            coordinates that differ), "cosine", "correlation", "canberra", "braycurtis", "great_circle"
            (kilometres on the earth, of latitude and longitude in radians), "haversine" (the same, in
            radians), or what SciPy and scikit-learn call these: "sqeuclidean", "cityblock", "l1", "l2"; or a
            plain function of two points that returns an integer or a float. By default "great_circle" for a
            frame of geopandas with geographic coordinates, which are converted, else "euclidean". A function
            must be symmetric, and Numba must be able to compile it: ``np.abs(x - y).sum()``, for example. A
            loop over the coordinates, which makes no array, is about ten times as fast and is compiled only
            once on a machine. The function gets integers of fewer than 64 bits as int64, and floats as
            float64. The ``distance`` of a graph in a box needs ``box=graph.box``. For many points in up to 16
            dimensions, "euclidean", "sqeuclidean", "manhattan", "chebyshev", "great_circle" and "haversine"
            are searched in a kd-tree, in less than quadratic time.
        min_samples : int, optional
            Weigh pairs by their mutual reachability distance, ``max(distance, core distance of i, core
            distance of j)``, for HDBSCAN. The core distance of a point is the distance to its k-th nearest
            point, where k is this value. The point itself is the first, as for ``min_samples`` in
            scikit-learn. Core distances are computed when they are first needed.
        names : iterable of n names, optional
            The name of each point. By default, the first column of a frame has them if it is called id,
            vertex, node, name, recno, objid, haloid, targetid, designation, hip, or as customer_id is, and
            its values differ, with a warning; it is never a coordinate. Else the labels of the rows of a
            pandas frame, if they are unique and do not only number the rows. In a frame of geopandas, a
            column called name or id also has them, or else the first column of texts, if its values are
            unique.
        box : float or d floats, optional
            Length of a periodic box, or one length for each axis; inf, 0 or None for an axis that is open.
            Along an axis of length L, coordinates are from 0 to L, where L is the same as 0, and their
            difference t is min(t, L - t), in float64: a distance is that to the nearest image. For
            "euclidean", "squared_euclidean", "manhattan" and "chebyshev". The graph keeps a copy of the
            points.
        degrees : bool
            Points are latitude and longitude in degrees; distances are still in radians or kilometres.
            Columns called so, or declination and right ascension, are taken from a frame in any order, with
            texts such as 10:45:03.6 too: hours of right ascension. The metric is "haversine" for these by
            default, else "great_circle".

        Returns
        -------
        DistanceGraph

        Raises
        ------
        GraphError, GraphTypeError
            The points are not an array of finite numbers, the metric is not defined for one of them, a point
            is outside of the box, or the distance is not a number.
        OptionError
            There is no metric of this name, there are fewer points than ``min_samples``, or the metric or
            the lengths are none for a box.

        Warns
        -----
        GraphWarning
            A frame has columns beside x and y, and z, which are left out; the points look like a matrix of
            distances; a coordinate looks like ids or degrees, or has a number as -999 for missing values;
            or one column of a frame or file spreads at least 1000 times as far as another, or one of x, y and
            z 500 times as far as both others; or names of these have different units.

        Examples
        --------
        >>> from boruvka import minimum_spanning_forest
        >>> minimum_spanning_forest(Graph.from_points([[1, 1, 2], [1, 2, 2], [3, 3, 3]], "hamming")).weight
        4
        """
        from boruvka.graph.points import validation

        if flag("degrees", degrees) and (is_map(points) or hasattr(points, "column_of_names")):
            raise OptionError("degrees=True is for numbers, and these points are converted: leave it out")
        points = in_memory(points)
        axes = columns if isinstance(columns := getattr(points, "columns", ()), tuple) else ()
        if is_map(points):
            places = Places.read(points)
            found: DistanceGraph = DistanceGraph(*places.for_metric(metric), min_samples, box=box)
            validation.warn_of_sentinels(places.points)
            names = places.names() if names is None else names_of_rows("points", places.frame, names)
            return _named(found, names)
        if hasattr(points, "column_of_names"):  # of boruvka.formats.points.read_points
            metric = points.metric if metric is None else metric
            box = points.box if box is None else box
            points, names = points.coordinates, points.names if names is None else names
        points, ids = without_names(points)
        points = points if degrees else validation.in_space(points, metric)
        axes = tuple(points.columns) if is_table(points) else axes
        angles, metric = in_radians(points, metric) if degrees else (points, metric)
        graph = DistanceGraph(angles, "euclidean" if metric is None else metric, min_samples, box=box)
        way = "leave out --points" if is_command_running() else "write Graph.from_distances(points)"
        validation.warn_of_distances("points", graph.points, way)
        validation.warn_of_sentinels(graph.points, axes, points)  # those in degrees are checked before
        if not is_table(points) and len(axes) == graph.points.shape[-1]:  # of a file
            validation.warn_of_spreads(dict(zip(axes, graph.points.T, strict=True)), graph.distance)
        graph = graph.annotated(axes=axes) if axes else graph  # a copy, which arrays do not need
        return _with_names_of_points(graph, points, ids, names)

    @staticmethod
    def from_profiles(
        profiles: Any,
        *,
        missing: str = "error",
        names: Iterable[Hashable] | None = None,
        collapse: bool = False,
        loci: Iterable[Hashable] | None = None,
        no_allele: str | Iterable[str] = (),
        not_loci: Iterable[Hashable] | None = None,
        max_missing: float | None = None,
        max_missing_loci: float | None = None,
        drop: Iterable[Hashable] = (),
        columns: Iterable[Hashable] | None = None,
    ) -> DistanceGraph:
        """Make the complete graph of allelic profiles, weighted by the number of loci at which two differ.

        Alleles are numbers or texts; the text of a number is this number. Null, NaN, numbers below 1, the
        texts "", "-", ".", "N", "NA", "ND", "NT", "missing", "failed", those that begin with "?", and the
        codes of chewBBACA (LNF, PLNF, NIPH, NIPHEM, ASM, ALM, PLOT3, PLOT5, LOTSC, PAMA) mean that a locus
        has no allele. Its INF-7 and ``*7`` are allele 7.

        Parameters
        ----------
        profiles : (n, loci) array_like, frame of pandas or polars, Arrow table, or dict of sequences
            The alleles of each strain. The columns of a frame are loci; if its first column or index is
            called locus, an error says how to transpose it. Columns that begin with # or describe a strain
            are left out: ST, cgST, clonal_complex, LINcode, country, year, source, isolate, "ST (MLST)" and
            the like, names with such a word, as date_sampled, and columns mostly of dates, of numbers such as
            52.5, or of words among columns of numbers. A first column that begins with # or has no name holds
            the names, unless these are given. So does one that is called FILE, ID, Isolate, Sample ID, Strain
            Name, Genome, Key, accession, "Unnamed: 0" or the like, or that alone has another text in each
            row. A warning names these columns, and those in which nearly all strains differ, unlike in
            others, or that are not called as the other loci. Columns with few numbers such as 52.5 are
            refused, unless ``loci`` has them.
            Or aligned sequences: a dict of texts by name, or a list of texts; each site is a locus, and
            `boruvka.graph.sequences.codes_of_sites` says which letters are no allele. Files are read by
            ``boruvka.read(file, profiles=True)``.
        missing : str
            Rule for a locus at which one of two profiles has no allele: "error"; "ignore": the locus does not
            count; "scale": the same, and the count is multiplied by the number of loci, divided by the number
            of loci that both have (all loci if they have none in common), and rounded; "differ": no allele is
            an allele of its own. GrapeTree calls these ``--missing`` 3, 0 and 2 of its symmetric distances.
        names : iterable of n names, optional
            The name of each strain; by default the labels of the rows of a pandas frame, or a column: the
            first, or the only one that is called as one of names. Such a column comes before labels that are
            integers, in an index without a name.
        collapse : bool
            Make one vertex of equal profiles, with the name of the first, or its row if there are no names.
            ``profiles.vertex_of`` of the graph is the vertex of each row, ``profiles.sizes`` the number of
            rows of each vertex.
        loci, columns : iterable of names, optional
            The columns of a frame that are loci: names, or patterns such as "KP1_*".
        no_allele : str, or iterable of str
            More texts that mean that a locus has no allele, in upper or lower case; "*;*" for all with a
            semicolon, "*[*]" for those with an asterisk at the end.
        not_loci : iterable of names, optional
            Columns that are no loci: names, or patterns.
        max_missing : float, optional
            Maximum share of the loci, from 0 to 1, at which a strain may have no allele; those with more are
            left out, with a warning that names them.
        max_missing_loci : float, optional
            Maximum share of the strains that may have no allele at a locus; strains in ``drop`` do not count.
            Loci with more are left out, before ``max_missing`` counts, with a warning that names them.
        drop : iterable of names
            Strains that are left out.

        Returns
        -------
        DistanceGraph

        Raises
        ------
        GraphError, GraphTypeError
            An allele is missing, a column has fractions, or profiles differ in length.
        OptionError
            There is no such column, strain or choice.

        Warns
        -----
        GraphWarning
            Columns of a frame are not loci, or its rows are, so that it is transposed; strains lack many
            alleles; or a locus whose alleles are numbers has texts, or several numbers as 12;13, which count
            as alleles; or names differ only by blanks, case, the form of Unicode, or folders and endings of
            files.

        Examples
        --------
        >>> graph = Graph.from_profiles([[1, 2, 3], [1, 2, 3], [1, 0, 7]], missing="ignore", collapse=True)
        >>> graph.profiles.sizes.tolist(), graph.profiles.vertex_of.tolist()
        ([2, 1], [0, 0, 1])
        """
        from boruvka.graph.profiles import read_profiles

        loci = columns if loci is None else loci
        of_alleles = no_allele, not_loci, max_missing, max_missing_loci, drop
        read = read_profiles(profiles, missing, names, collapse, loci, *of_alleles)
        graph = DistanceGraph(read.codes, read.metric)
        graph = graph.annotated(profiles=read.profiles, left_out=read.left_out)
        if read.names is None:
            return graph
        named: DistanceGraph = _named(graph, read.names, read.given_as)
        return named.annotated(profiles=read.profiles)

    @staticmethod
    def from_neighbor_lists(indices: ArrayLike, distances: ArrayLike) -> Graph:
        """Make the graph of nearest neighbours: an edge from each point to each of its k neighbours.

        Edges are numbered row by row. A point that is its own neighbour gets a self-loop, which no spanning
        forest has. Pairs that are neighbours of each other get two edges, of which the lighter counts.

        Parameters
        ----------
        indices : (n, k) array_like of integers
            The neighbours of each point; -1 where one is missing.
        distances : (n, k) array_like of integers or floats
            Their distances; the distances of missing neighbours do not matter.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError, GraphTypeError
            The arrays are not of one shape (n, k), or as for `Graph`.

        Examples
        --------
        >>> Graph.from_neighbor_lists([[1, 2], [0, -1], [1, 0]], [[1.0, 2.5], [1.0, 0.0], [2.0, 2.5]])
        Graph(n=3, m=5, weights=float64)
        """
        indices, distances = in_order_of_rows(indices=indices, distances=distances)
        neighbours, weights = read_numbers("indices", indices), read_numbers("distances", distances)
        if neighbours.dtype.kind == "f" and weights.dtype.kind in "iu":
            raise GraphError("indices are floats, and distances integers: are they exchanged?")
        if neighbours.ndim != 2 or neighbours.shape != weights.shape:
            raise GraphError(
                "indices and distances must both have the shape (n, k), "
                f"these have {neighbours.shape} and {weights.shape}"
            )
        points, k = neighbours.shape
        u = np.repeat(np.arange(points, dtype=validation.vertex_dtype(points)), k)
        v, w = neighbours.ravel(), weights.ravel()
        if (missing := v == -1).any():
            u, v, w = u[~missing], v[~missing], w[~missing]
        return Graph(points, u, v, w)

    @staticmethod
    def from_points_approximately(
        points: ArrayLike,
        metric: str = "euclidean",
        *,
        n_neighbors: int = 15,
        ann_index: str = "pynndescent",
        join_components: bool = True,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        names: Iterable[Hashable] | None = None,
    ) -> Graph:
        """Make a graph of the nearest neighbours of points, for points of many dimensions.

        The forest of this graph approximates the forest of all pairs, and is never lighter. Every weight is
        the distance that `from_points` computes of float64 coordinates, whatever the index reports. The graph
        lacks an edge of the exact minimum spanning tree if neither end lists the other as a neighbour: the
        index missed the pair, or each end has ``n_neighbors`` closer points. With ``join_components``,
        components of the graph are joined by the lightest edges between them, which are exact. Edges inside a
        component may still be missing.

        Parameters
        ----------
        points : (n, d) array_like of integers or floats
            The points, such as embeddings.
        metric : str
            "euclidean" or "cosine" (1 minus the cosine of the angle; no point may be zero).
        n_neighbors : int
            Number of neighbours of each point, not counting itself.
        ann_index : str
            "pynndescent" or "hnswlib", which are approximate and need the extra of that name, or "exact":
            brute force, in O(n² d) time.
        join_components : bool
            Join the components of the graph by their minimum spanning tree. Brute force finds it, in O(n d)
            time per point outside the largest component. A point is searched again when its nearest point
            joins its component.
        seed : int
            The same seed makes the same graph, with the same version of the library and number of threads.
        options : mapping, optional
            Further arguments of ``pynndescent.NNDescent`` or of ``init_index`` of ``hnswlib.Index``, such as
            ``{"M": 48}``.
        names : iterable of n names, optional
            The name of each point, as for `from_points`.

        Returns
        -------
        Graph
            Each pair is one edge, (smaller end, larger end), in ascending order; then the joining edges.

        Raises
        ------
        GraphError, GraphTypeError
            The points are not an array of finite numbers, or one is zero and the metric "cosine".
        MissingExtraError
            The library of the index is not installed.
        OptionError
            There is no such index or metric, ``n_neighbors`` is not positive, or too large for hnswlib.

        References
        ----------
        W. Dong, C. Moses, K. Li, "Efficient k-nearest neighbor graph construction for generic similarity
        measures", WWW 2011 (PyNNDescent). Y. A. Malkov, D. A. Yashunin, "Efficient and robust approximate
        nearest neighbor search using hierarchical navigable small world graphs", IEEE TPAMI 42, 2020
        (hnswlib).

        Examples
        --------
        >>> points = [[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.5], [9.0, 0.0]]
        >>> graph = Graph.from_points_approximately(points, n_neighbors=1, ann_index="exact")
        >>> graph.u.tolist(), graph.v.tolist(), graph.w.tolist()
        ([0, 2, 2, 0], [1, 3, 4, 2], [1.0, 1.5, 4.0, 5.0])
        """
        from boruvka.graph.nearest_neighbors import neighbor_edges

        points, ids = without_names(in_memory(points))
        edges = neighbor_edges(points, n_neighbors, metric, ann_index, join_components, seed, options)
        return _with_names_of_points(Graph(*edges), points, ids, names)

    @staticmethod
    def from_mutual_reachability(distances: Graph, min_samples: int, *, alpha: float = 1.0) -> Graph:
        """Make the graph of mutual reachability distances, whose minimum spanning forest HDBSCAN needs.

        The core distance of a vertex is the ``min_samples``-th smallest of its distances. The weight of an
        edge is ``max(distance / alpha, core distance of u, core distance of v)``. As in scikit-learn, a
        point counts as its own neighbour if its distance to itself is given, by a self-loop or on the
        diagonal. In a condensed matrix, which has no diagonal, it does not count. A point with fewer
        distances than ``min_samples`` has an infinite core distance.

        Parameters
        ----------
        distances : Graph
            Distances: ``Graph.from_scipy(a)``, ``Graph.from_neighbor_lists(...)``, or
            ``Graph.from_distances(matrix)``, but not points. Either direction of a pair suffices; if both are
            given, the lighter counts.
        min_samples : int
            Rank of the core distance among the distances of a vertex; 1 is the smallest distance.
        alpha : float
            Divisor of distances, as in robust single linkage.

        Returns
        -------
        Graph
            An edge list has the same edges in the same order, with other weights, in float64. A matrix
            becomes a matrix in which infinite entries are not edges.

        Raises
        ------
        GraphError
            A distance is negative or NaN.
        GraphTypeError
            The argument is not a graph, or it is a graph of points or on a GPU.
        OptionError
            min_samples is not a positive integer, or alpha is not a positive number.

        References
        ----------
        Campello, Moulavi, Sander: "Density-based clustering based on hierarchical density estimates",
        PAKDD 2013.

        Examples
        --------
        >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], [1.0, 2.0, 3.0, 9.0])
        >>> Graph.from_mutual_reachability(graph, 2).w
        array([ 3.,  3.,  3., inf])
        """
        from boruvka.graph.matrix import is_present
        from boruvka.graph.mutual_reachability import reachability_matrix, reachability_weights

        k = arguments.integer("min_samples", min_samples, 1)
        divisor = arguments.real("alpha", alpha, float(np.finfo(np.float64).tiny), float("inf"))
        if not isinstance(distances, Graph):
            raise GraphTypeError(
                f"expected a Graph, got {type(distances).__name__}: write Graph.from_distances(...) around a "
                "matrix of distances, Graph.from_scipy(...) around a sparse one, else boruvka.as_graph(...)"
            )
        distances.check()
        if isinstance(distances, MatrixGraph):
            present = is_present(distances.matrix, distances.null_value)
            matrix = reachability_matrix(distances.matrix, present, k, divisor)
            graph = Graph.from_dense(matrix, null_value=np.inf)
        else:
            check_lists_edges(
                distances,
                "mutual reachability needs an edge list or a matrix on the host; of points it is "
                "Graph.from_points(points, min_samples=5)",
            )
            weights = reachability_weights(distances, k, divisor)
            listed = Graph(distances.n, distances.u, distances.v, weights)
            graph = distances.masking(listed.annotated(entry_count=distances.entry_count))
        return _named(graph, distances.names).with_first_id(distances.first_id)


class EdgeListGraph(Graph):
    """A graph that stores its edges as arrays of the host: what ``Graph(n, u, v, w)`` makes."""

    _shared: tuple[str, ...]
    """Those of u, v and w that are views of arrays of the caller, who may change them."""

    @classmethod
    def of_numbered(cls, n: int | None, u: Any, v: Any, w: Any, names: Any) -> Self:
        """Make a graph of numbered vertices, whose names are all different."""
        graph = cls.__new__(cls)
        graph._set_edges(n, u, v, w, names)
        return graph

    @property
    def kind(self) -> str:
        """Name of the kind of graph in messages."""
        return "Graph"

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        _check_again(self, self._shared)


class ImplicitGraph(Graph):
    """A graph whose edges are pairs (row, column) of vertices, numbered row by row.

    ``u``, ``v`` and ``w`` are computed for all edges when one of them is first read.
    """

    pairs: WeightMatrix | PointPairs
    """The matrix or the points; it numbers the pairs, and weights are computed from it."""

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.pairs.m

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.pairs.dtype

    @cached_property
    def row_offsets(self) -> NDArray[np.int64]:
        """The index of the first edge of each row, then the number of edges."""
        return read_only(self.pairs.first_edges(np.arange(self.n + 1)))

    def edges_in_range(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with indices from ``start`` to ``stop - 1``, as read-only arrays."""
        return read_only(self.take(np.arange(start, stop)))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with these indices."""
        validation.check_edges(edges, self.m)
        rows = np.searchsorted(self.row_offsets, edges, side="right") - 1
        columns = self.pairs.columns_at(rows, edges - self.row_offsets[rows])
        ids = validation.vertex_dtype(self.n)
        return rows.astype(ids), columns.astype(ids), self.weights_at(rows, columns)

    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the indices of edges from their rows and columns."""
        return self.pairs.edges_at(rows, columns)

    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Compute the weights of edges from their rows and columns."""
        return self.pairs.weights_at(rows, columns)


class MatrixGraph(ImplicitGraph):
    """A graph as the square matrix of its weights, which is not copied.

    Every entry off the diagonal has an index, unless it has the value that means "no edge"; (i, j) and
    (j, i) are one edge, whose lighter entry counts.

    Parameters
    ----------
    matrix : (n, n) array of integers or floats of at most 64 bits
        The weights, in any memory layout.
    null_value : number, optional
        The value that means "no edge"; None where every entry off the diagonal is an edge.

    Raises
    ------
    GraphError
        A weight is NaN, and NaN does not mean "no edge".
    OptionError
        ``null_value`` is neither a number nor None.

    See Also
    --------
    Graph.from_dense : converts whatever NumPy can read as a matrix.
    """

    pairs: WeightMatrix

    def __init__(self, matrix: NDArray[Any], null_value: float | None):
        from boruvka.graph.matrix import WeightMatrix

        pairs = WeightMatrix.read(matrix, null_value)
        self._initialise(n=len(matrix), pairs=pairs, annotations=Annotations(entry_count=pairs.m))

    @property
    def matrix(self) -> NDArray[Any]:
        """The weights, an (n, n) array."""
        return self.pairs.weights

    @property
    def null_value(self) -> Any:
        """The value that means "no edge", in the type of the weights, or None."""
        return self.pairs.null_value

    def entries(self, packing: Packing) -> tuple[NDArray[Any], Packing, Absence]:
        """Return the arguments of operators on the matrix: bits of the weights, packing, absence."""
        return self.pairs.entries(packing)


class DistanceGraph(ImplicitGraph):
    """The complete graph of points, weighted by distances that are computed on demand.

    The edges are the pairs (i, j) with i < j, in the order of `scipy.spatial.distance.pdist`.

    Parameters
    ----------
    points : (n,) or (n, d) array_like of integers, floats or booleans
        The points, which `boruvka.graph.points.validation` converts and checks.
    metric : str or callable
        The name of a function in `boruvka.graph.distances`, or a plain symmetric function of two points that
        returns an integer or a float, and that Numba can compile.
    min_samples : int, optional
        Rank of the core distance: the ``min_samples``-th smallest distance of a point, where the distance to
        itself is the first. If given, weights are mutual reachability distances, ``max(distance, core
        distance of i, core distance of j)``.
    core_factor : float
        Core distances are multiplied by it.
    box : float or d floats, optional
        Lengths of a periodic box.

    Raises
    ------
    GraphError, GraphTypeError
        The points are not an array of finite numbers, the metric is not defined for one of them, a point is
        outside of the box, or the distance is not a number.
    OptionError
        There is no distance of this name, there are fewer points than ``min_samples``, or the metric or the
        lengths are none for a box.

    See Also
    --------
    Graph.from_points : calls this constructor.
    """

    pairs: PointPairs
    min_samples: int | None
    core_factor: float
    near: NDArray[np.uint32] | None = None
    """(n, min_samples - 1) array that gets the nearest other points of each point, in order, where core
    distances are found; None if they are not needed. Of ``min_samples`` equal points or more, one may stand
    for all in the lists of others; each of them lists itself. n stands for points at infinite distances."""
    _core_distances: NDArray[Any]

    def __init__(
        self,
        points: ArrayLike,
        metric: str | Callable[[Any, Any], Any],
        min_samples: int | None = None,
        core_factor: float = 1.0,
        box: float | Sequence[float | None] | NDArray[Any] | None = None,
    ):
        from boruvka.graph.points.point_pairs import PointPairs

        pairs = PointPairs.read(points, metric, box)
        if min_samples is not None:
            min_samples = _check_min_samples(min_samples, pairs.n)
        self._initialise(n=pairs.n, pairs=pairs, min_samples=min_samples, core_factor=core_factor)
        self._initialise(annotations=Annotations(**pairs.annotations()))

    def with_min_samples(self, min_samples: int) -> DistanceGraph:
        """Return the graph of the same points whose weights are mutual reachability distances."""
        graph = object.__new__(DistanceGraph)
        graph._initialise(n=self.n, pairs=self.pairs, annotations=self.annotations)
        graph._initialise(min_samples=_check_min_samples(min_samples, self.n), core_factor=self.core_factor)
        return graph

    @property
    def points(self) -> NDArray[Any]:
        """The points: numbers, or rows of coordinates."""
        return self.pairs.points

    @property
    def distance(self) -> Callable[[Any, Any], Any]:
        """The plain function that computes the distance of two rows of ``pairs.values``."""
        return self.pairs.distance

    @property
    def box(self) -> NDArray[np.float64] | None:
        """Length of the periodic box along each axis, infinite where it is open; None without a box."""
        return self.pairs.box

    def point_index(self, backend: Backend) -> PointIndex:
        """Make the index of the points; the graph keeps the core distances that it finds."""
        from boruvka.graph.points.point_index import PointIndex

        index = PointIndex(self.pairs, self.min_samples or 1, backend)
        if (self.min_samples or 1) > 1:
            if not self.has_core_distances:
                self.keep_core_distances(index.core_distances())
            if self.near is not None:
                index.list_nearest(self.near)
            index.use_core_distances(self.source.core)
        return index

    @property
    def core_distances(self) -> NDArray[Any]:
        """The core distance of each point, an (n,) array; empty where weights are plain distances.

        Raises
        ------
        GraphError
            A distance is NaN or negative.
        """
        if self.min_samples is None:
            return read_only(np.empty(0, self.dtype))
        if not self.has_core_distances:
            from boruvka.graph.points.point_index import find_core_distances

            found = find_core_distances(self.pairs, self.min_samples, nearest=self.near)
            self.keep_core_distances(found)
        return self._core_distances

    @property
    def has_core_distances(self) -> bool:
        """Whether core distances have been found."""
        return hasattr(self, "_core_distances")

    def keep_core_distances(self, core: NDArray[Any]) -> None:
        """Keep core distances that a solver has found."""
        core.flags.writeable = False
        self._initialise(_core_distances=read_only(core))

    @cached_property
    def source(self) -> PairSource:
        """Arrays that `pair_weight` reads."""
        from boruvka.graph.points.point_pairs import PairSource

        core = self.core_distances
        if core.size and self.core_factor != 1:
            with np.errstate(over="ignore"):
                core = core * self.core_factor
            if (np.isinf(core) & np.isfinite(self.core_distances)).any():
                raise GraphError(
                    f"core distances times {self.core_factor:g} overflow: divide the coordinates"
                )
        return PairSource(self.pairs.values, core)

    @property
    def pair_weight(self) -> Callable[[Any, Any, Any], Any]:
        """The plain function ``(i, j, source)`` that computes the weight of a pair of points, i < j."""
        from boruvka.graph.points.point_pairs import pair_weight_of

        return pair_weight_of(self.distance, self.min_samples is not None)

    def check(self) -> None:
        """Raise a `GraphError` if the points, which may have changed, have no distances."""
        from boruvka.graph.points.validation import check_points

        check_points(self.points, self.distance)

    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Compute the weights of pairs of points."""
        return self.pairs.weights_at(rows, columns, self.source.core)


class DeviceGraph(Graph):
    """A graph whose arrays are CuPy arrays on the current GPU.

    Parameters
    ----------
    u, v : (m,) arrays of integers
        The ends of each edge, from 0. Arrays on the host are copied; arrays on the GPU are copied only
        where their type must change.
    w : (m,) array of integers or floats of at most 64 bits
        The weight of each edge.
    n : int, optional
        Number of vertices; by default one more than the largest id.

    Raises
    ------
    GraphError
        An id is negative or not below ``n``, a weight is NaN, or lengths differ.
    GraphTypeError
        Ids that are not integers, or weights that are neither integers nor floats.
    BackendError
        There is no GPU.
    MissingExtraError
        The CUDA libraries are not installed.
    """

    def __init__(self, u: Any, v: Any, w: Any, n: int | None = None):
        from boruvka.backends.cuda.arrays import as_array

        u, v, w = (as_array(array) for array in (u, v, w))
        for name, array in ("u", u), ("v", v), ("w", w):
            validation.check_one_dimensional(name, array)
        validation.check_equal_sizes(u, v, w)
        validation.check_weight_dtype(w.dtype)
        (first, largest_u), (second, largest_v) = (
            validation.unsigned_ids("u", u),
            validation.unsigned_ids("v", v),
        )
        n = validation.vertex_count(n, largest_u, largest_v)
        validation.check_ids_below(n, "u", first, largest_u)
        validation.check_ids_below(n, "v", second, largest_v)
        u, v = (ids.astype(validation.vertex_dtype(n), copy=False) for ids in (first, second))
        validation.check_no_nan(u, v, w)
        self._initialise(n=n, u=u, v=v, w=w)

    @property
    def is_on_device(self) -> bool:
        """Whether the arrays are in the memory of a GPU: always true."""
        return True

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        _check_again(self, ("u", "v", "w"))

    def take(self, edges: Any) -> tuple[Any, Any, Any]:
        """Return (u, v, w) of the edges with these indices, on the GPU exactly if the indices are there."""
        from boruvka.backends.cuda.arrays import as_array

        on_gpu = as_array(edges)
        taken = self.u[on_gpu], self.v[on_gpu], self.w[on_gpu]
        return taken if is_on_device(edges) else tuple(map(on_host, taken))  # type: ignore[return-value]


def inf_advice(graph: Graph, weight: Any) -> str:
    """Return the end of a message about a weight of a graph: what to write where inf means no edge."""
    if not (isinstance(graph, MatrixGraph) and weight == math.inf):
        return ""
    return "; if it means no edge in the matrix a, write boruvka.Graph.from_dense(a, null_value=numpy.inf)"


def check_lists_edges(graph: Graph, message: str) -> None:
    """Raise a `GraphTypeError` for points, or a graph on a GPU; check the arrays of others.

    The entries of a matrix become a list when they are first read.
    """
    if graph.is_on_device:
        raise GraphTypeError(f"{message}; the arrays of this graph are on a GPU: copy them first")
    if isinstance(graph, MatrixGraph):
        check_room("the list of the edges of the matrix", 24 * graph.m)
    elif isinstance(graph, ImplicitGraph):
        raise GraphTypeError(
            f"{message}; this graph g computes its {graph.m:,} edges: list them by "
            "boruvka.Graph.from_edges(g.u, g.v, g.w, n=g.n, names=g.names)"
        )
    graph.check()


def to_host(graph: Graph) -> Graph:
    """Copy a graph from the GPU to the host; return any other graph as it is."""
    if not graph.is_on_device:
        return graph
    columns = map(on_host, (graph.u, graph.v, graph.w))
    copied = Graph.from_edges(*columns, n=graph.n, names=graph.names)
    return copied.with_first_id(graph.first_id)


def _check_again(graph: Graph, shared: Iterable[str]) -> None:
    """Raise a `GraphError` if an array of a graph now holds an id that is not a vertex, or NaN."""
    try:
        for name in shared:
            if name == "w":
                validation.check_no_nan(graph.u, graph.v, graph.w, graph.names)
            else:
                validation.check_ids_below(
                    graph.n, name, *validation.unsigned_ids(name, getattr(graph, name))
                )
    except GraphError as error:
        changed = "an array was changed after the graph was made of it; make the graph of a copy"
        raise GraphError(f"{error}: {changed}") from None


def _check_min_samples(min_samples: Any, n: int) -> int:
    """Check a rank of core distances among the distances of n points."""
    min_samples = integer("min_samples", min_samples, 1)
    if min_samples > max(n, 1):
        raise OptionError(f"{argument('min_samples')} is {min_samples}, more than the {n} points")
    return min_samples


def _named(graph: Any, names: Iterable[Hashable] | None, given_as: Any = None) -> Any:
    """Name the vertices of a graph; ``given_as`` is the column or index that had the names."""
    if names is None:
        return graph
    named = graph.with_names(names)
    column = name_of_column(given_as)
    return named if column is None else named.annotated(id_column=column)


def _with_names_of_points(graph: Any, points: Any, ids: Any, names: Iterable[Hashable] | None) -> Any:
    """Name points by the given names, the column of ids of a table, or else its index."""
    if names is not None:
        return _named(graph, names_of_rows("points", points, names), names)
    if ids is not None:
        return _named(graph, ids.to_list() if ids.name else index_names(ids), ids)
    return _named(graph, row_names(points), getattr(points, "index", None))
