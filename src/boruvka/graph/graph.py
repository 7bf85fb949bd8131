"""The edge list, which is the usual input, and the constructors of all other graphs."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends.device_arrays import is_on_device, on_host
from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.graph.abstract_graph import AbstractGraph, vertex_dtype
from boruvka.graph.columns import are_names, is_masked_array, read_column, read_numbers, row_names
from boruvka.graph.labels import in_order_of_rows, names_in_order, names_of_rows
from boruvka.graph.validation import (
    check_again,
    check_equal_sizes,
    check_no_nan,
    check_square,
    check_weight_dtype,
    edge_weights,
    may_change,
    vertex_count,
    vertex_ids,
    vertex_ids_below,
)
from boruvka.runtime import arguments

if TYPE_CHECKING:
    from boruvka.graph.distance_graph import DistanceGraph
    from boruvka.graph.profiles import ProfileGraph

__all__ = ["Graph", "to_host"]


class Graph(AbstractGraph):
    """An undirected weighted graph: ``n`` vertices and one entry per edge in parallel arrays.

    Parallel edges, self-loops, isolated vertices and zero, negative or infinite weights are legal.
    Arrays are not copied where their type allows (ids of uint32, weights of any type); the graph keeps
    read-only views of them. Do not change them while the graph is in use: functions of the graph then
    raise an error if an id is no vertex or a weight is NaN, and otherwise mix results from before and
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

    __slots__ = (
        "_coordinates",
        "_id_column",
        "_shared",
        "_table",
        "first_id",
        "n",
        "names",
        "system",
        "terminals",
        "u",
        "v",
        "w",
    )
    _table: Any
    """The table that the graph was made from; None if there was none."""
    _shared: tuple[str, ...]
    """Those of u, v and w that are views of arrays of the caller, who may change them."""

    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]

    def __init__(self, n: int | None, u: ArrayLike, v: ArrayLike, w: ArrayLike):
        self._check_and_initialise(n, u, v, w, None)

    def _check_and_initialise(
        self, n: int | None, u: ArrayLike, v: ArrayLike, w: ArrayLike, names: Iterable[Hashable] | None
    ) -> None:
        u, v, w = in_order_of_rows(u=u, v=v, w=w)
        (first, largest_u), (second, largest_v) = vertex_ids("u", u), vertex_ids("v", v)
        weights = edge_weights(w)
        check_equal_sizes(first, second, weights)
        n = vertex_count(n, largest_u, largest_v)
        first = vertex_ids_below(n, "u", first, largest_u)
        second = vertex_ids_below(n, "v", second, largest_v)
        found = None
        if names is not None:
            from boruvka.graph.names import name_array

            self._initialise(n=n, names=None, _id_column=None)
            found = name_array(names_in_order(self, names), n)
        check_no_nan(first, second, weights, found)
        self._initialise(n=n, names=found, u=first, v=second, w=weights)
        column = getattr(names, "name", None)
        self._initialise(_id_column=column if isinstance(column, str) else None)
        columns = ("u", first), ("v", second), ("w", weights)
        shared = tuple(name for name, column in columns if may_change(column))
        self._initialise(_coordinates=None, system="xy", _table=None, _shared=shared)
        self._initialise(first_id=0, terminals=None)

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""
        check_again(self, self._shared)

    @classmethod
    def from_edges(
        cls,
        u: ArrayLike,
        v: ArrayLike,
        w: ArrayLike,
        n: int | None = None,
        names: bool | Iterable[Hashable] | None = None,
    ) -> Graph:
        """Make a graph from parallel arrays of edges.

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
            each vertex, if ``u`` and ``v`` are numbers.

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
        if is_on_device(u) or is_on_device(v) or is_on_device(w):
            from boruvka.graph.device_graph import DeviceGraph

            on_device = DeviceGraph(u, v, w, n)
            if isinstance(names, bool):
                raise OptionError("ids on a GPU are numbers; copy them to the host where they are names")
            return on_device if names is None else on_device.with_names(names)  # type: ignore[return-value]
        u, v, w = in_order_of_rows(u=u, v=v, w=w)
        u, v = read_column("u", u), read_column("v", v)
        of_vertices = None if isinstance(names, bool) else names
        if names is True or (names is None and (are_names(u) or are_names(v))):
            if n is not None:
                raise OptionError("vertices have names, and are numbered as these appear: leave out n")
            from boruvka.graph.numbering import number_names

            u, v, of_vertices = number_names(u, v)
            n = of_vertices.size
        graph = cls.__new__(cls)
        graph._check_and_initialise(n, u, v, w, of_vertices)
        if graph.names is not None and not isinstance(names, bool | None):
            from boruvka.graph.names import number_of_name

            number_of_name(graph.names)  # raises an error if two vertices have the same
        return graph

    @classmethod
    def from_distances(cls, distances: ArrayLike) -> Graph:
        """Make the complete graph of a matrix of distances, where a zero is a distance and not "no edge".

        Parameters
        ----------
        distances : (n, n) array_like, or (n * (n - 1) / 2,) array_like
            The distances of all pairs: a square matrix, which is not copied and whose diagonal does not
            matter, or the condensed form of `scipy.spatial.distance.pdist`. Edges are numbered in its
            order, or along the rows of a square matrix, both (i, j) and (j, i), without the diagonal. A
            square matrix is symmetric; of (i, j) and (j, i) that differ by rounding, the lighter counts. The
            labels of a pandas frame become the names of vertices.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            It has neither form, a distance is NaN, or that of (i, j) is not that of (j, i).
        GraphTypeError
            The type is neither integer nor floating.

        Warns
        -----
        GraphWarning
            One half of the matrix is empty (all zero, infinite or NaN) and is filled from the other.

        Examples
        --------
        >>> from boruvka import minimum_spanning_forest
        >>> minimum_spanning_forest(Graph.from_distances([0, 5, 5])).edges.tolist()  # two equal points
        [0, 1]
        """
        array = read_numbers("distances", distances)
        if array.ndim == 2:
            from boruvka.graph.distance_matrix import symmetric_matrix

            check_square(array)
            names = row_names(distances, True)
            return _named(cls.from_dense(symmetric_matrix("distances", array), null_value=None), names)
        n = (1 + math.isqrt(1 + 8 * array.size)) // 2
        if array.ndim != 1 or n * (n - 1) // 2 != array.size:
            raise GraphError(
                "distances are a square matrix, or a vector of n * (n - 1) / 2 as pdist returns it; these "
                f"have shape {array.shape}"
            )
        vertices = np.arange(n, dtype=vertex_dtype(n))
        u = np.repeat(vertices, np.arange(n)[::-1])
        return cls(n, u, np.concatenate([vertices[i + 1 :] for i in range(n)]), array)

    @classmethod
    def from_scipy(cls, a: Any) -> Graph:
        """Make a graph from a square SciPy sparse array or matrix in any format.

        Every stored entry (i, j) is an edge between i and j, stored zeros too. Duplicates of a COO
        array are parallel edges and are not summed. Where (i, j) and (j, i) differ, the lighter
        one counts. Edges are numbered in the order in which the array stores its entries. Formats
        that pad (DIA, and BSR with blocks larger than 1 x 1) cannot distinguish a zero from padding:
        there, a zero is not an edge.

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
        from scipy import sparse

        if not sparse.issparse(a):
            raise GraphTypeError(f"expected a SciPy sparse array or matrix, got {type(a).__name__}")
        if a.ndim != 2 or a.shape[0] != a.shape[1]:
            raise GraphError(f"an adjacency matrix must be square, this one has shape {a.shape}")
        check_weight_dtype(a.dtype)
        coo = a.tocoo()
        row, column, weight = coo.row, coo.col, coo.data
        if a.format == "dia" or (a.format == "bsr" and a.blocksize != (1, 1)):
            stored = weight != 0
            row, column, weight = row[stored], column[stored], weight[stored]
        return cls(a.shape[0], row, column, weight)

    @classmethod
    def from_dense(cls, a: ArrayLike, *, null_value: float | None = 0) -> Graph:
        """Make a graph from a square matrix of weights, which is not copied and must not change.

        Edges are numbered along the rows, (0, 1) before (0, 2) before (1, 0); entries that hold no
        edge are not counted. Where (i, j) and (j, i) differ, the lighter one counts. The diagonal
        never matters to a spanning forest and is left out.

        Parameters
        ----------
        a : (n, n) array_like or masked array
            The weights. Masked entries are not edges. The labels of a pandas frame become the names of
            vertices.
        null_value : number, optional
            The value that means "no edge": 0 by default, ``numpy.inf`` or ``numpy.nan`` as in some
            libraries, or None where every entry off the diagonal is an edge. A masked array ignores it:
            there, the mask alone decides.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            The matrix is not square, or a weight is NaN (and NaN does not mean "no edge").
        GraphTypeError
            The type is neither integer nor floating.
        OptionError
            ``null_value`` is neither a number nor None.
        """
        from boruvka.graph.matrix import MatrixGraph, is_present, null_value_of

        matrix: Any = a if is_masked_array(a) else read_numbers("the matrix", a)
        check_square(matrix)
        if is_masked_array(matrix):
            present = ~np.ma.getmaskarray(matrix)
            matrix = matrix.data
        elif matrix.dtype.itemsize <= 8:
            matrix = matrix.astype(matrix.dtype.newbyteorder("="), copy=False)
            return _named(MatrixGraph(matrix, null_value), row_names(a, True))
        else:
            present = is_present(matrix, null_value_of(null_value, matrix.dtype))
        np.fill_diagonal(present, False)
        u, v = np.nonzero(present)
        return _named(cls.from_edges(u, v, matrix[present], matrix.shape[0]), row_names(a, True))

    @classmethod
    def from_points(
        cls,
        points: ArrayLike,
        metric: str | Callable[[Any, Any], Any] = "euclidean",
        *,
        min_samples: int | None = None,
        names: Iterable[Hashable] | None = None,
    ) -> DistanceGraph:
        """Make the complete graph of points, weighted by their distances.

        The edges are the pairs (i, j) with i < j, in the order of `scipy.spatial.distance.pdist`.
        They are not stored: distances are computed when they are needed.

        Parameters
        ----------
        points : (n,) or (n, d) array_like of integers, floats or booleans
            The points. They must be finite, and neither so far apart nor so close that squares overflow or
            underflow.
        metric : str or callable
            "euclidean", "squared_euclidean", "manhattan", "chebyshev", "hamming" (the number of
            coordinates that differ), "cosine", "correlation", "canberra", "braycurtis", "haversine"
            (latitude and longitude in radians), or what SciPy and scikit-learn call these: "sqeuclidean",
            "cityblock", "l1", "l2"; or a plain function of two points that returns an integer or a float.
            It must be symmetric, and Numba must be able to compile it: ``np.abs(x - y).sum()``, for example.
            A loop over the coordinates, which makes no array, is about ten times as fast and is compiled only
            once on a machine. The function gets integers of fewer than 64 bits as int64, and floats as
            float64. For many points in up to ten dimensions, "euclidean", "sqeuclidean", "manhattan",
            "chebyshev" and "haversine" are searched in a kd-tree, in less than quadratic time.
        min_samples : int, optional
            Weigh pairs by their mutual reachability distance, ``max(distance, core distance of i, core
            distance of j)``, for HDBSCAN. The core distance of a point is the distance to its k-th nearest
            point, where k is this value. The point itself is the first, as for ``min_samples`` in
            scikit-learn. Core distances are computed when they are first needed.
        names : iterable of n names, optional
            The name of each point; by default the labels of the rows of a pandas frame, if they are unique
            and do not only number the rows.

        Returns
        -------
        DistanceGraph

        Raises
        ------
        GraphError, GraphTypeError
            The points are not an array of finite numbers, the metric is not defined for one of them, or the
            distance is not a number.
        OptionError
            There is no metric of this name, or there are fewer points than ``min_samples``.

        Examples
        --------
        >>> from boruvka import minimum_spanning_forest
        >>> minimum_spanning_forest(Graph.from_points([[1, 1, 2], [1, 2, 2], [3, 3, 3]], "hamming")).weight
        4
        """
        from boruvka.graph.distance_graph import DistanceGraph

        graph = DistanceGraph(points, metric, min_samples)
        if names is not None:
            return _named(graph, names_of_rows("points", points, names), names)
        return _named(graph, row_names(points), getattr(points, "index", None))

    @classmethod
    def from_profiles(
        cls,
        profiles: Any,
        *,
        missing: str = "error",
        names: Iterable[Hashable] | None = None,
        collapse: bool = False,
        loci: Iterable[Hashable] | None = None,
    ) -> ProfileGraph:
        """Make the complete graph of allelic profiles, weighted by the number of loci at which two differ.

        Alleles are numbers or texts; the text of a number is this number. Null, NaN, numbers below 1, the
        texts "", "-", "?", "N", "NA", and the codes of chewBBACA (LNF, PLNF, NIPH, NIPHEM, ASM, ALM, PLOT3,
        PLOT5, LOTSC, PAMA) mean that a locus has no allele. Its INF-7 and ``*7`` are allele 7.

        Parameters
        ----------
        profiles : (n, loci) array_like, frame of pandas or polars, or Arrow table
            The alleles of each strain; the columns of a frame are loci, but for ST, st_id, clonal_complex and
            those that begin with #. A first column that begins with #, or is called FILE, ID, Isolate, Name,
            Sample or Strain, holds the names, unless these are given. A warning names such columns.
        missing : str
            What to do if one of two profiles has no allele at a locus. "error"; "ignore": the locus does not
            count; "scale": the same, and the count is multiplied by the number of loci over that of those
            which both have (by all loci if they have none in common); "differ": no allele is an allele of its
            own. GrapeTree calls these ``--missing`` 3, 0 and 2 of its symmetric distances.
        names : iterable of n names, optional
            The name of each strain; by default the labels of the rows of a pandas frame, or the first column.
        collapse : bool
            Make one vertex of equal profiles, with the name of the first, or its row if there are no names.
            ``vertex_of`` of the graph is the vertex of each row, ``sizes`` the number of rows of each vertex.
        loci : iterable of names, optional
            The columns of a frame that are loci.

        Returns
        -------
        ProfileGraph

        Raises
        ------
        GraphError, GraphTypeError
            An allele is missing, or profiles differ in length.
        OptionError
            There is no such column or choice.

        Warns
        -----
        GraphWarning
            Columns of a frame are no loci.

        Examples
        --------
        >>> graph = Graph.from_profiles([[1, 2, 3], [1, 2, 3], [1, 0, 7]], missing="ignore", collapse=True)
        >>> graph.sizes.tolist(), graph.vertex_of.tolist()
        ([2, 1], [0, 0, 1])
        """
        from boruvka.graph.profiles import ProfileGraph

        return ProfileGraph(profiles, missing, names, collapse, loci)

    @classmethod
    def from_neighbour_lists(cls, indices: ArrayLike, distances: ArrayLike) -> Graph:
        """Make the graph of nearest neighbours: an edge from each point to each of its k neighbours.

        Edges are numbered row by row. A point that is its own neighbour gets a self-loop, which no spanning
        forest has. Pairs that are neighbours of each other get two edges, of which the lighter counts.

        Parameters
        ----------
        indices : (n, k) array_like of integers
            The neighbours of each point; -1 where one is missing.
        distances : (n, k) array_like of integers or floats
            Their distances; those of missing neighbours do not matter.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError, GraphTypeError
            The arrays are not of one shape (n, k), or as for `Graph`.

        Examples
        --------
        >>> Graph.from_neighbour_lists([[1, 2], [0, -1], [1, 0]], [[1.0, 2.5], [1.0, 0.0], [2.0, 2.5]])
        Graph(n=3, m=5, weights=float64)
        """
        indices, distances = in_order_of_rows(indices=indices, distances=distances)
        neighbours, weights = read_numbers("indices", indices), read_numbers("distances", distances)
        if neighbours.ndim != 2 or neighbours.shape != weights.shape:
            raise GraphError(
                "indices and distances must both have the shape (n, k), "
                f"these have {neighbours.shape} and {weights.shape}"
            )
        points, k = neighbours.shape
        u = np.repeat(np.arange(points, dtype=vertex_dtype(points)), k)
        v, w = neighbours.ravel(), weights.ravel()
        if (missing := v == -1).any():
            u, v, w = u[~missing], v[~missing], w[~missing]
        return cls(points, u, v, w)

    @classmethod
    def from_points_approximately(
        cls,
        points: ArrayLike,
        n_neighbors: int = 15,
        metric: str = "euclidean",
        *,
        ann_index: str = "pynndescent",
        join_components: bool = True,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> Graph:
        """Make a graph of the nearest neighbours of points, for points of many dimensions.

        The forest of this graph approximates that of all pairs, and is never lighter. Every weight is the
        distance that `from_points` computes of float64 coordinates, whatever the index reports. The graph
        lacks an edge of the exact minimum spanning tree if neither end lists the other as a neighbour: the
        index missed the pair, or each end has ``n_neighbors`` closer points. With ``join_components``,
        components of the graph are joined by the lightest edges between them, which are exact. Edges inside
        a component may still be missing.

        Parameters
        ----------
        points : (n, d) array_like of integers or floats
            The points, such as embeddings.
        n_neighbors : int
            Number of neighbours of each point, not counting itself.
        metric : str
            "euclidean" or "cosine" (1 minus the cosine of the angle; no point may be zero).
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
        from boruvka.graph.nearest_neighbors import neighbour_graph

        return neighbour_graph(cls, points, n_neighbors, metric, ann_index, join_components, seed, options)

    @classmethod
    def from_mutual_reachability(
        cls, distances: AbstractGraph, min_samples: int, *, alpha: float = 1.0
    ) -> Graph:
        """Make the graph of mutual reachability distances, whose minimum spanning forest HDBSCAN needs.

        The core distance of a vertex is the ``min_samples``-th smallest of its distances. The weight of an
        edge is ``max(distance / alpha, core distance of u, core distance of v)``. As in scikit-learn, a
        point counts as its own neighbour if its distance to itself is given, by a self-loop or on the
        diagonal. In a condensed matrix, which has no diagonal, it does not count. A point with fewer
        distances than ``min_samples`` has an infinite core distance.

        Parameters
        ----------
        distances : Graph
            Distances: ``Graph.from_scipy(a)``, ``Graph.from_neighbour_lists(...)``, or
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
        from boruvka.graph.matrix import MatrixGraph
        from boruvka.graph.mutual_reachability import reachability_matrix, reachability_weights

        k = arguments.integer("min_samples", min_samples, 1)
        divisor = arguments.real("alpha", alpha, float(np.finfo(np.float64).tiny), float("inf"))
        if not isinstance(distances, AbstractGraph):
            raise GraphTypeError(
                f"expected a Graph, got {type(distances).__name__}: write Graph.from_distances(...) around a "
                "matrix of distances, Graph.from_scipy(...) around a sparse one, else boruvka.as_graph(...)"
            )
        distances.check()
        if isinstance(distances, MatrixGraph):
            graph = cls.from_dense(reachability_matrix(distances, k, divisor), null_value=np.inf)
        else:
            weights = reachability_weights(distances, k, divisor)
            graph = distances.masking(cls(distances.n, distances.u, distances.v, weights))
        return _named(graph, distances.names).with_first_id(distances.first_id)


def _named(graph: Any, names: Iterable[Hashable] | None, given_as: Any = None) -> Any:
    """Name the vertices of a graph; ``given_as`` is the column or index that had the names."""
    if names is None:
        return graph
    named = graph.with_names(names)
    if isinstance(column := getattr(given_as, "name", None), str):
        named._initialise(_id_column=column)
    return named


def to_host(graph: AbstractGraph) -> AbstractGraph:
    """Copy a graph from the GPU to the host; return any other graph as it is."""
    if not graph.is_on_device:
        return graph
    copied = Graph.from_edges(on_host(graph.u), on_host(graph.v), on_host(graph.w), graph.n, graph.names)
    return copied.with_first_id(graph.first_id)
