"""The result: a minimum spanning forest, as indices of edges of its graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends.device_arrays import is_on_device, on_host
from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph, read_only
from boruvka.graph.columns import read_numbers
from boruvka.graph.graph import to_host
from boruvka.runtime.round_log import Round

if TYPE_CHECKING:
    import geopandas
    import igraph
    import networkx
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes
    from scipy import sparse

    from boruvka.trees.cuts import Cuts
    from boruvka.trees.path_maxima import LeafOrder, RangeMaxTable
    from boruvka.trees.paths import Bottlenecks, RootedForest
    from boruvka.trees.rooted import Rooted
    from boruvka.trees.sensitivity import Sensitivity

__all__ = ["Forest"]


class Forest:
    """A minimum (or maximum) spanning forest of a graph.

    Everything else is derived from the edges when it is first read.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (f,) array of int64
        Indices of the chosen edges in the graph, ascending. With ``on_device=True`` a CuPy array, and so
        are ``u``, ``v`` and ``w``; conversions, queries, linkage and cuts then need `to_host` first.
    maximum : bool
        Whether it is a maximum spanning forest.
    algorithm, backend : str
        The algorithm and the backend that computed it.
    threads : int
        Number of threads that the backend could use.
    rounds : tuple of Round
        A record of each round: components, edges, seconds of each step.
    seconds : float
        Time of the computation.
    required : (r,) array of int64
        Indices of the edges that had to be in the forest, ascending.
    optimal : bool
        Whether it is the best forest with the required edges; False for a random tree, of which `update` and
        `sensitivity` say nothing.
    """

    graph: AbstractGraph
    edges: NDArray[np.int64]
    maximum: bool
    algorithm: str
    backend: str
    threads: int
    rounds: tuple[Round, ...]
    seconds: float
    required: NDArray[np.int64]
    optimal: bool
    _before: Forest | None
    """An earlier forest, of the first edges of the graph, whose leaf order `update` uses."""
    _requested: str
    """The algorithm that the caller named; empty if it was chosen for the graph."""

    def __init__(
        self,
        graph: AbstractGraph,
        edges: ArrayLike,
        maximum: bool = False,
        algorithm: str = "",
        backend: str = "",
        threads: int = 1,
        rounds: tuple[Round, ...] = (),
        seconds: float = 0.0,
        required: ArrayLike = (),
        optimal: bool = True,
    ):
        vars(self).update(
            graph=graph,
            edges=read_only(_edge_indices(edges)),
            maximum=maximum,
            algorithm=algorithm,
            backend=backend,
            threads=threads,
            rounds=rounds,
            seconds=seconds,
            required=read_only(np.asarray(required, np.int64)),
            optimal=optimal,
            _before=None,
            _requested="",
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set all attributes; the arrays of a copy become read-only as well."""
        vars(self).update({name: read_only(value) for name, value in state.items()})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to {name!r}: forests are read-only")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r}: forests are read-only")

    @property
    def n(self) -> int:
        """Number of vertices of the graph."""
        return self.graph.n

    @property
    def n_components(self) -> int:
        """Number of components (trees), isolated vertices counted."""
        return self.graph.n - self.edges.size

    @property
    def removed(self) -> NDArray[np.int64]:
        """Indices of the edges that the graph does not have: removed by `update`, or excluded."""
        return self.graph.removed

    @cached_property
    def u(self) -> NDArray[Any]:
        """First end of each chosen edge."""
        return self._columns[0]

    @cached_property
    def v(self) -> NDArray[Any]:
        """Second end of each chosen edge."""
        return self._columns[1]

    @cached_property
    def w(self) -> NDArray[Any]:
        """Weight of each chosen edge, in the type of the input."""
        return self._columns[2]

    @cached_property
    def _columns(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        u, v, w = self.graph.take(self.edges)
        if not self.graph.is_on_device:
            is_wrong = any(ends.max(initial=0) >= max(self.n, 1) for ends in (u, v))
            if is_wrong or (w.dtype.kind == "f" and np.isnan(w).any()):
                self.graph.check()
        return read_only(u), read_only(v), read_only(w)

    @cached_property
    def weight(self) -> int | float:
        """Total weight: an exact int; for floats the float64 (or inf) nearest to the exact sum."""
        from boruvka.trees.exact_sum import exact_sum

        return exact_sum(on_host(self.w))

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Component of each vertex, numbered from 0 in the order of their smallest vertices."""
        from boruvka.graph.connected_components import label_components

        return read_only(label_components(self.n, on_host(self.u), on_host(self.v)))

    @cached_property
    def edge_rounds(self) -> NDArray[np.uint8]:
        """Round of Borůvka's algorithm that adds each edge, from 1 to at most log2(n).

        These are the rounds of the plain algorithm, whichever algorithm found the forest. In a round, each
        component chooses the lightest edge that leaves it. Edges are totally ordered by (weight, index), so
        this edge is in the forest (cut property), and the rounds on the edges of the forest alone are those
        on the whole graph. Required edges come first. Time and memory are linear in the vertices. On a path
        with weights 1, 5 and 2, the rounds are 1, 2 and 1.
        """
        from boruvka.graph.connected_components import label_components

        left = self._choice_order[0]
        n, done, u, v = self.n, 0, self.u[left], self.v[left]
        rounds = np.empty(left.size, np.uint8)
        number = 0
        while left.size:
            number += 1
            chosen = _first_edges(n, u, v)
            rounds[left[chosen]] = number
            found = label_components(n, u[chosen], v[chosen])
            done += int(np.count_nonzero(chosen))
            self._check_no_cycle(done, found)  # loops could take more rounds than the type can count
            n, label = self.n - done, found.astype(u.dtype)
            left, u, v = left[~chosen], label[u[~chosen]], label[v[~chosen]]
        return read_only(rounds)

    @property
    def edge_mask(self) -> NDArray[np.bool_]:
        """(m,) array: whether each edge of the graph is chosen."""
        mask = np.zeros(self.graph.m, bool)
        mask[on_host(self.edges)] = True
        return mask

    @cached_property
    def _sorted(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Positions of the edges in the order (weight, index), and their weights in that order."""
        from boruvka.trees.path_maxima import sort_edges

        return sort_edges(self.w, self.maximum)

    @cached_property
    def _choice_order(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The same in the order in which edges are chosen: the required ones come first."""
        if not self.required.size:
            return self._sorted
        order, weights = self._sorted
        is_required = np.isin(self.edges[order], self.required)
        first = np.argsort(~is_required, kind="stable")
        return order[first], weights[first]

    @cached_property
    def _leaf_order(self) -> tuple[LeafOrder, RangeMaxTable]:
        from boruvka.trees.paths import forest_leaf_order

        return forest_leaf_order(self, self._sorted[0])

    @cached_property
    def _choice_leaf_order(self) -> tuple[LeafOrder, RangeMaxTable]:
        """The leaf order of the edges in the order in which they are chosen."""
        from boruvka.trees.paths import forest_leaf_order

        return forest_leaf_order(self, self._choice_order[0]) if self.required.size else self._leaf_order

    def _check_no_cycle(self, edges: int, labels: NDArray[np.int64]) -> None:
        """Raise a `GraphError` if one of so many edges, which leave these components, closes a cycle."""
        if labels.max(initial=-1) + 1 != self.n - edges:
            _ = self._leaf_order  # raises the error, which names an edge

    @cached_property
    def _rooted(self) -> RootedForest:
        from boruvka.trees.paths import root_forest

        return root_forest(self)

    def to_host(self) -> Forest:
        """Copy forest and graph from the GPU to the host; return a forest on the host unchanged.

        Returns
        -------
        Forest
        """
        graph, edges = to_host(self.graph), on_host(self.edges)
        if graph is self.graph and edges is self.edges:
            return self
        how = self.maximum, self.algorithm, self.backend, self.threads, self.rounds, self.seconds
        return Forest(graph, edges, *how, self.required, self.optimal)

    def to_scipy(self) -> sparse.csr_array:
        """Convert the forest to a sparse array, as ``scipy.sparse.csgraph.minimum_spanning_tree`` returns it.

        Each edge is one entry, at (u, v) as in the graph, so the array is not symmetric. Edges of weight
        zero are stored zeros: count edges with ``nnz``, and beware of operations that drop zeros
        (``eliminate_zeros``, ``count_nonzero``, dense arrays).

        Returns
        -------
        (n, n) csr_array
            The weights in the type of the input; float16 becomes float32, as SciPy does not support it.
        """
        from boruvka.interop.scipy import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> networkx.Graph[Any]:
        """Convert the forest to a NetworkX graph.

        Returns
        -------
        networkx.Graph
            The nodes are the names of all vertices, else 0 to n - 1. Edges have the attributes ``weight``,
            an int or a float (``longdouble`` is rounded to float64), and ``edge``, the index in the graph.

        Raises
        ------
        MissingExtraError
            NetworkX is not installed.
        """
        from boruvka.interop.networkx import to_networkx

        return to_networkx(self)

    def to_igraph(self) -> igraph.Graph:
        """Convert the forest to an igraph graph.

        Returns
        -------
        igraph.Graph
            All n vertices, with the attribute ``name`` if they have names, and the edges in ascending order
            of index. Edges have the attributes ``weight``, an int or a float (``longdouble`` is rounded to
            float64), and ``edge``, the index in the graph.

        Raises
        ------
        MissingExtraError
            igraph is not installed.
        """
        from boruvka.interop.igraph import to_igraph

        return to_igraph(self)

    def to_pandas(self, columns: Iterable[str] = ()) -> pandas.DataFrame:
        """Convert the forest to a pandas frame.

        Parameters
        ----------
        columns : iterable of str
            More columns of the frame that the graph was made from.

        Returns
        -------
        pandas.DataFrame
            A row per edge, in ascending order of index, with the columns ``edge`` (its index in the graph),
            ``source``, ``target`` (names if vertices have them, else numbers from 0) and ``weight``, which
            keep their types. If the graph was made from a frame, these three have the names that they have
            there, and the index is that of the rows: ``frame.loc[forest.to_pandas().index]``.

        Raises
        ------
        OptionError
            There is no such column.
        MissingExtraError
            pandas is not installed.
        """
        from boruvka.interop.data_frames import to_pandas

        return to_pandas(self, columns)

    def to_arrow(self, columns: Iterable[str] = ()) -> pyarrow.Table:
        """Convert the forest to an Arrow table.

        Parameters
        ----------
        columns : iterable of str
            As for `to_pandas`.

        Returns
        -------
        pyarrow.Table
            As for `to_pandas`, without an index; ``longdouble`` is rounded to float64.

        Raises
        ------
        GraphTypeError
            Names of vertices are not of one type, such as strings or integers.
        MissingExtraError
            pyarrow is not installed.
        """
        from boruvka.interop.data_frames import to_arrow

        return to_arrow(self, columns)

    def to_polars(self, columns: Iterable[str] = ()) -> polars.DataFrame:
        """Convert the forest to a polars frame.

        Parameters
        ----------
        columns : iterable of str
            As for `to_pandas`.

        Returns
        -------
        polars.DataFrame
            As for `to_pandas`, without an index; ``longdouble`` is rounded to float64.

        Raises
        ------
        GraphTypeError
            Names of vertices are not of one type, such as strings or integers.
        """
        from boruvka.interop.data_frames import to_polars

        return to_polars(self, columns)

    def to_geopandas(self) -> geopandas.GeoDataFrame:
        """Return the lines of the edges: rows of the frame or map that the graph was made from.

        Returns
        -------
        geopandas.GeoDataFrame
            Geometry, other columns, index and coordinate reference system are those of the frame. Of other
            graphs with coordinates, straight lines, with the columns source, target and weight.

        Raises
        ------
        GraphTypeError
            The vertices have no coordinates.
        MissingExtraError
            geopandas is not installed (the extra ``geo``).
        """
        from boruvka.interop.geopandas import to_geopandas

        return to_geopandas(self)

    def to_newick(self) -> str:
        """Write the forest as Newick, the format of trees in phylogenetics.

        Returns
        -------
        str
            A line for each tree, as ``(b:1,(d:2)c:1.5)a;``: every vertex has a label, its name or number, and
            every edge its weight as length. Which vertex is the root means nothing.
        """
        from boruvka.interop.newick import to_newick

        return to_newick(self)

    def to_nodes(self, metadata: Any = None) -> pandas.DataFrame:
        """Make the table of vertices that programs which draw trees take, beside that of edges.

        Parameters
        ----------
        metadata : frame or mapping of names to columns, optional
            More columns, with a row for each vertex: a frame of pandas or polars, a table of Arrow, a series
            of pandas, or a mapping whose columns may be series. Labels of vertices are matched as in
            `Forest.plot`. If profiles were collapsed, there may be a row for each profile; the first of each
            vertex counts.

        Returns
        -------
        pandas.DataFrame
            A row per vertex with the columns ``vertex`` (its name or number), ``component``, ``degree`` (in
            the forest) and ``size`` (the number of profiles, else 1), and the metadata.

        Raises
        ------
        GraphError, GraphTypeError
            The metadata have another number of rows, labels do not match the vertices, or they are no table.
        MissingExtraError
            pandas is not installed.
        """
        from boruvka.interop.data_frames import to_nodes

        return to_nodes(self, metadata)

    @cached_property
    def _number_of_name(self) -> dict[Hashable, int]:
        from boruvka.graph.vertex_names import number_of_name

        return number_of_name(self.graph.name_of(slice(None)))

    def _vertices(self, argument: str, values: Any) -> NDArray[Any]:
        """Check vertices, given by their names where they have names, else by their numbers."""
        from boruvka.graph.vertices import read_vertices

        return read_vertices(self.graph, argument, values, self._numbers)

    def _vertex(self, argument: str, value: Any) -> int:
        """Check one vertex, as `_vertices` checks several."""
        from boruvka.graph.vertices import read_vertex

        return read_vertex(self.graph, argument, value, self._numbers)

    @property
    def _numbers(self) -> dict[Hashable, int] | None:
        return None if self.graph.names is None else self._number_of_name

    def path(self, u: Hashable, v: Hashable) -> NDArray[np.int64] | None:
        """Find the path between two vertices.

        The first call finds a root for each tree, in O(n). A path then takes time linear in its length.

        Parameters
        ----------
        u, v : name or int
            The vertices: their names where they have names, else their numbers.

        Returns
        -------
        (length,) array of int64 or None
            Indices of the edges in the graph, from u to v: empty if u is v, and None if no path connects
            them.

        Raises
        ------
        GraphError, GraphTypeError
            An argument is not a vertex.

        See Also
        --------
        bottleneck : the heaviest edge of many paths, without the paths.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2, 4], [1, 2, 3, 5], [5, 2, 7, 1]))
        >>> forest.path(3, 0)
        array([2, 1, 0])
        >>> forest.path(3, 4) is None
        True
        """
        from boruvka.trees.paths import path

        return path(self, u, v)

    def bottleneck(self, us: Any, vs: Any) -> Bottlenecks:
        """Find the heaviest edge on the path between two vertices, for many pairs at once.

        For a minimum spanning forest, no path in the whole graph has a lighter heaviest edge (minimax path);
        for a maximum spanning forest the lightest edge is found, and no path has a heavier one (widest
        path). The first call prepares the forest in O(n log n); each pair then takes constant time, on all
        processors.

        Parameters
        ----------
        us, vs : array_like of names, or of integers; or one vertex
            The vertices of each pair: names where vertices have names, else numbers. Shapes are broadcast.
            A tuple is one name if a vertex has this name.

        Returns
        -------
        Bottlenecks
            The named tuple ``(edges, weights)``, in the shape of the pairs. Of equal weights, the edge with
            the larger index counts as the heavier one. Where no path connects a pair, or its vertices are
            the same, the edge is -1 and the weight is masked; ``weights.filled(x)`` puts x in its place.

        Raises
        ------
        GraphError, GraphTypeError
            An argument is not a vertex, or shapes cannot be broadcast.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2, 4], [1, 2, 3, 5], [5, 2, 7, 1]))
        >>> edges, weights = forest.bottleneck(0, [0, 1, 2, 3, 4])
        >>> edges
        array([-1,  0,  0,  2, -1])
        >>> weights.filled(-1)
        array([-1,  5,  5,  7, -1])
        """
        from boruvka.trees.paths import bottleneck

        return bottleneck(self, us, vs)

    def _check_optimal(self, question: str) -> None:
        """Raise a `GraphError` if this is a random tree, of which the question makes no sense."""
        if not self.optimal:
            raise GraphError(
                f"{question} is for minimum and maximum spanning forests, and this is a random tree: solve "
                "its graph, boruvka.minimum_spanning_forest(tree.graph)"
            )

    def update(self, new_edges: Any = None, *, removed: ArrayLike | None = None) -> Forest:
        """Find the forest after edges are added to the graph, or taken away, without solving it again.

        The first call that adds edges prepares the forest in O(n log n), as `Forest.bottleneck` does. To add
        k edges then takes O(k log k), and the time to copy the indices of the forest. Updates of the result
        reuse the preparation until many edges have been added. To take edges away takes one pass over the
        edges.

        Parameters
        ----------
        new_edges : object, optional
            The new edges, as whatever `as_graph` takes: arrays ``(u, v, w)`` or ``(u, v, w, n)``, a list of
            edges, a (k, 3) array, a table, a graph. Where vertices of the graph have names, the ends are
            names, even integers; otherwise they are numbers. New names and larger numbers are new vertices.
            Weights are converted to the type of the graph, if that holds them exactly.
        removed : array_like, optional
            Edges to take away: their indices, or a mask of m booleans. Other edges keep their indices in the
            graph of the result, which does not have the removed edges: ``removed`` lists their indices.

        Returns
        -------
        Forest
            The same edges that `minimum_spanning_forest` finds in the graph of the result, whose edges are
            those of the old graph, and then the new ones, which start at index m. The arrays of the old graph
            are not copied. Edges that were required stay so.

        Raises
        ------
        GraphError, GraphTypeError
            As for `as_graph`; or the type of the graph cannot hold a weight exactly; or the new edges have
            names, and the graph has none; or a removed edge is required; or the forest is a random tree.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [5, 2, 7]))
        >>> larger = forest.update([(0, 2, 4), (2, 3, 9)])
        >>> larger.edges, larger.weight
        (array([1, 3, 4]), 15)
        >>> forest.update(removed=[1]).edges
        array([0, 2])
        """
        from boruvka.trees.update import update

        return update(self, new_edges, removed)

    def sensitivity(self) -> Sensitivity:
        """Find which edges are in every or some minimum spanning forest, and how far weights may change.

        It takes the time of sorting the edges of the graph.

        Returns
        -------
        Sensitivity
            The named tuple ``(rival, slack, in_every, in_some)`` of arrays with an entry for each edge of the
            graph.

        Raises
        ------
        GraphTypeError
            The graph has no list of edges, as that of points, or is on a GPU.
        GraphError
            The forest has required edges, is a random tree, or does not span the graph.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2, 2], [1, 2, 0, 3], [1, 4, 4, 2]))
        >>> rival, slack, in_every, in_some = forest.sensitivity()
        >>> rival, slack
        (array([ 2,  2,  1, -1]), array([ 3.,  0.,  0., inf]))
        >>> in_every, in_some
        (array([ True, False, False,  True]), array([ True,  True,  True,  True]))
        """
        from boruvka.trees.sensitivity import sensitivity

        return sensitivity(self)

    def rooted(self, root: Any = None) -> Rooted:
        """Root the trees: order, parents, depths, values along paths and in subtrees, the longest path.

        Parameters
        ----------
        root : name or int, or a list or array of them, optional
            The root of its tree; or of several trees. Other trees are rooted anywhere, but always the same.

        Returns
        -------
        Rooted

        Raises
        ------
        GraphError, GraphTypeError
            An argument is not a vertex, or two are in one tree.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 1, 4], [1, 2, 3, 5], [5, 2, 7, 1]))
        >>> tree = forest.rooted(0)
        >>> tree.parent[:4], tree.depths[:4], tree.leaves
        (array([-1,  0,  1,  1]), array([0, 1, 2, 2]), array([2, 3, 4]))
        >>> tree.subtree([1, 1, 1, 1, 1, 1])[:4], tree.diameter()
        (array([4, 3, 1, 1]), Diameter(length=12.0, ends=(0, 3)))
        """
        from boruvka.trees.rooted import rooted

        return rooted(self, root)

    def linkage(self) -> NDArray[np.float64]:
        """Compute the linkage matrix of a minimum spanning tree, as SciPy defines it.

        As in ``scipy.cluster.hierarchy``, row i merges the clusters ``Z[i, 0] < Z[i, 1]`` at the height
        ``Z[i, 2]`` into the cluster n + i, which has ``Z[i, 3]`` vertices. The clusters below n are the
        vertices. Of edges with equal weights, the one with the smaller index in the graph merges first.

        Returns
        -------
        (n - 1, 4) array of float64
            The matrix. Heights are rounded to float64, which SciPy requires: integers beyond 2**53 and
            ``longdouble`` weights may become equal heights. The order of the merges is always exact.

        Raises
        ------
        GraphError
            The forest is a maximum spanning forest, has more or less than one component, or has a negative
            weight.

        See Also
        --------
        cut, cut_at : exact for every type, and for several components too.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
        >>> forest.linkage()
        array([[1., 2., 2., 2.],
               [0., 4., 5., 3.],
               [3., 5., 7., 4.]])
        """
        from boruvka.trees.linkage import linkage

        return linkage(self)

    def cut(self, k: int) -> NDArray[np.int64]:
        """Cut the forest into k clusters by removing its last edges in the order (weight, index).

        The last edges are the heaviest, or the lightest of a maximum spanning forest; of equal weights,
        those with the largest indices in the graph. Weights are compared exactly.

        Parameters
        ----------
        k : int
            Number of clusters, from the number of components of the forest to n.

        Returns
        -------
        (n,) array of int64
            The cluster of each vertex, numbered from 0 in the order of their smallest vertices.

        Raises
        ------
        OptionError
            k is not an integer in that range.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
        >>> forest.cut(3)
        array([0, 1, 1, 2])
        """
        from boruvka.trees.cuts import cut

        return cut(self, k)

    def cut_at(self, height: float) -> NDArray[np.int64]:
        """Cut the forest at a height by removing the edges that are heavier.

        From a maximum spanning forest, lighter edges are removed. Either way, two vertices are in one
        cluster exactly if edges of the graph that are not removed by this rule connect them. The comparison
        is exact: a weight of 0.1 in float32 is above a height of 0.1, which is a float64.

        Parameters
        ----------
        height : number
            The height; it may be infinite.

        Returns
        -------
        (n,) array of int64
            The cluster of each vertex, numbered from 0 in the order of their smallest vertices.

        Raises
        ------
        OptionError
            The height is NaN or not a number.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
        >>> forest.cut_at(5)
        array([0, 0, 0, 1])
        """
        from boruvka.trees.cuts import cut_at

        return cut_at(self, height)

    def cuts(self, heights: Iterable[float]) -> Cuts:
        """Cut the forest at several heights, in one pass over its edges.

        Edges are processed in the order (weight, index), and the clusters at one height are merged into those
        at the next. The first height takes O(n log n); each further height takes time linear in the number of
        clusters at the height before.

        Parameters
        ----------
        heights : iterable of numbers
            The heights, in any order; at each, the clusters are those of `cut_at`.

        Returns
        -------
        Cuts
            Numbers of clusters and their sizes; labels are made when they are read.

        Raises
        ------
        OptionError
            A height is NaN or not a number.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
        >>> found = forest.cuts([2, 6])
        >>> found.n_clusters
        array([3, 2])
        >>> found.sizes
        (array([1, 2, 1]), array([3, 1]))
        >>> found.labels
        array([[0, 1, 1, 2],
               [0, 0, 0, 1]])
        """
        from boruvka.trees.cuts import cuts

        return cuts(self, heights)

    def clusters(self, heights: Iterable[float]) -> pandas.DataFrame | polars.DataFrame | pyarrow.Table:
        """Return the clusters at several heights as a table with a row per vertex.

        Parameters
        ----------
        heights : iterable of numbers
            The heights, in any order; at each, the clusters are those of `cut_at`.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            Of the library of the frame that the graph was made from, else of pandas. The columns are
            ``vertex``, in the order of vertex numbers, and for each height, such as 0.95, a column
            ``cluster_0_95``: the vertex of the cluster with the smallest number. Vertices are names if they
            have names.

        Raises
        ------
        OptionError
            A height is NaN or not a number, or is given twice.
        MissingExtraError
            pandas is not installed.
        """
        from boruvka.interop.data_frames import frame_of_vertices
        from boruvka.trees.cuts import cluster_columns

        return frame_of_vertices(self, cluster_columns(self, heights))

    def regions(
        self,
        k: int,
        attributes: ArrayLike | Mapping[Any, Any],
        min_size: int = 1,
        *,
        amounts: ArrayLike | Mapping[Any, Any] | None = None,
        min_amount: float = 0.0,
    ) -> NDArray[np.int64]:
        """Cut the forest into k connected regions whose vertices have similar attributes (SKATER).

        Each cut removes the edge whose removal lowers the sum of squared deviations from the means of the
        regions most; of edges that are equally good in float64, the one with the smallest index in the
        graph. A cut takes time that is linear in the region that it cuts. Weights of the graph that are
        distances between attributes make regions compact.

        Parameters
        ----------
        k : int
            Number of regions, from the number of components of the forest to n.
        attributes : (n,) or (n, p) array_like of numbers, mapping or frame
            The attributes of each vertex, in the order of the vertices, or with labels, which are matched as
            in `Forest.plot`. They are compared as they are; scale them first if their units differ.
        min_size : int
            Minimum number of vertices on both sides of a cut.
        amounts : (n,) array_like of numbers, or a mapping, optional
            An amount for each vertex, such as its population, given as ``attributes`` are.
        min_amount : float
            Minimum sum of the amounts on both sides of a cut: populations of districts, for example.

        Returns
        -------
        (n,) array of int64
            The region of each vertex, numbered from 0 in the order of their smallest vertices.

        Raises
        ------
        OptionError
            k, min_size or min_amount is out of range; or there are fewer than k regions when no cut is left
            that leaves so many vertices and amounts on both sides.
        GraphError, GraphTypeError
            The attributes are not an array of finite numbers with n rows, or labels do not match.

        See Also
        --------
        boruvka.Forest.cut : remove the heaviest edges instead.

        Examples
        --------
        >>> import boruvka
        >>> x = [1, 2, 1, 9, 8, 9]
        >>> path = boruvka.minimum_spanning_forest(([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 1, 8, 1, 1]))
        >>> path.regions(2, x)
        array([0, 0, 0, 1, 1, 1])
        """
        from boruvka.trees.regions import regions

        return regions(self, k, attributes, min_size, amounts, min_amount)

    def plot(
        self,
        coordinates: Any = None,
        *,
        by: str = "round",
        system: str | None = None,
        graph_edges: bool = False,
        sizes: ArrayLike | Mapping[Any, Any] | None = None,
        colours: ArrayLike | Mapping[Any, Any] | None = None,
        labels: ArrayLike | Mapping[Any, Any] | None = None,
        weights: bool = False,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the forest on a map.

        With ``by="round"``, later rounds are drawn darker and wider. With ``by="weight"``, heavier edges are
        drawn darker. A million edges take about a second.

        Parameters
        ----------
        coordinates : (n, 2) array_like of numbers, mapping or frame, optional
            The coordinates of each vertex; or by name, as ``{"Brno": (16.6, 49.2)}`` or a frame. By default
            those of the points of `Graph.from_points`, if they have two; other forests are laid out.
            ``boruvka plot --coordinates`` reads them from a file.
        by : "round", "component" or "weight"
            The meaning of colours: the round of Borůvka's algorithm that adds an edge (`Forest.edge_rounds`),
            its component, or its weight.
        system : "xy", "lonlat" or "latlon", optional
            The meaning of the two columns of coordinates; by default x and y, or what the columns of a frame
            are called. Degrees are drawn with the aspect of the middle latitude.
        graph_edges : bool
            Whether to draw the other edges of the graph too, in grey.
        sizes : (n,) array_like of numbers, or mapping, optional
            Areas of the dots of vertices, as ratios; ``graph.sizes`` of profiles.
        colours : (n,) array_like, or mapping, optional
            Colours of the dots: numbers by a scale, other values by category.
        labels : bool, (n,) array_like, or mapping, optional
            Write the names of vertices, or these texts, where they fit, those of large dots and many edges
            first; by default the names of up to 60.
        weights : bool
            Write the weights of edges where they fit, those of long edges first.
        ax : matplotlib Axes, optional
            Axes for the drawing; by default those of a new figure, ``ax.figure``.

        Returns
        -------
        matplotlib Axes
            Its first collection holds the edges of the forest, or its second if there are ``graph_edges``.

        Notes
        -----
        Values of vertices with labels are taken by these: the keys of a mapping, the index of a series or
        frame of pandas, a column ``id``, ``vertex``, ``node`` or ``name`` of any frame. They are the names of
        vertices, or their numbers where these have no names. A label that is missing, unknown or there twice
        is an error. Arrays, lists, and series whose index only numbers the rows are taken in the order of the
        vertices. If profiles were collapsed, there may be a value for each profile; the first of each vertex
        counts.

        Raises
        ------
        MissingExtraError
            matplotlib is not installed (the extra ``plot``).
        OptionError
            There is no such ``by`` or ``system``; or ``graph_edges`` is true for a graph that has no list of
            edges.
        GraphError, GraphTypeError
            The coordinates are not an array of n rows of two numbers, or lack one for the end of an edge; or
            values do not match the vertices.
        """
        from boruvka.trees.plotting.map import plot

        return plot(
            self,
            coordinates,
            by=by,
            system=system,
            graph_edges=graph_edges,
            sizes=sizes,
            colours=colours,
            labels=labels,
            weights=weights,
            ax=ax,
        )

    def plot_dendrogram(
        self, *, leaves: int = 30, height: float | None = None, ax: Axes | None = None
    ) -> Axes:
        """Draw the single-linkage dendrogram of a minimum spanning tree.

        Only the last merges are drawn, so a forest of a million vertices takes about a second. A leaf that
        stands for k vertices is labelled ``(k)``; a leaf of one vertex has its name or number.

        Parameters
        ----------
        leaves : int
            Number of leaves, from 2 to 100. Fewer vertices are all drawn.
        height : float, optional
            Draw a line at this height; the clusters below it, which are those of `Forest.cut_at`, have
            different colours.
        ax : matplotlib Axes, optional
            Axes for the drawing; by default those of a new figure, ``ax.figure``.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        MissingExtraError
            matplotlib is not installed (the extra ``plot``).
        GraphError
            As for `Forest.linkage`, or the forest has one vertex.
        OptionError
            leaves or height is out of range.
        """
        from boruvka.trees.plotting.dendrogram import plot_dendrogram

        return plot_dendrogram(self, leaves=leaves, height=height, ax=ax)

    def animate(
        self,
        output: Any,
        coordinates: Any = None,
        *,
        format: str | None = None,
        system: str | None = None,
        seconds: float = 1.2,
    ) -> None:
        """Write an animation of the rounds of Borůvka's algorithm.

        Each component keeps the colour of its largest part. If a round adds at most 2000 edges, they are
        black. Edges of later rounds are grey. The rounds are those of the plain algorithm, whichever
        algorithm found the forest.

        A graph of up to 60 vertices and 180 edges is drawn as in a textbook: all edges with their weights,
        and vertices with their names. Each component has an arrow along the edge that it chooses. Weights of
        edges inside a component are struck out. Parallel edges are arcs.

        Parameters
        ----------
        output : path-like or binary file
            The file, ``.gif`` or ``.html``. The page is one file, without links to others. It has a button,
            a slider and a table of rounds, and can be used by keys alone; ``rounds.html#3`` shows round 3.
        coordinates, system
            As for `boruvka.Forest.plot`; small graphs without are laid out with all of their edges.
        format : "gif" or "html", optional
            By default the ending of the file decides. A file object needs it.
        seconds : float
            Seconds for which a round is shown, from 0.1 to 60.

        Raises
        ------
        FileError
            The file cannot be written.
        MissingExtraError
            matplotlib is not installed (the extra ``plot``).
        GraphError
            The forest is a random tree, or the caller named an algorithm that has no such rounds: "kruskal",
            "filter-kruskal" or "prim".
        BoruvkaError
            As for `boruvka.Forest.plot`.
        """
        from boruvka.trees.plotting.animation import animate

        animate(self, output, coordinates, format=format, system=system, seconds=seconds)

    def __len__(self) -> int:
        return self.edges.size

    def _repr_html_(self) -> str:
        """Return a table for a notebook, with a chart of the edges that the rounds read."""
        from boruvka.runtime.html import fields_table, rounds_fields, text

        threads = f"{self.threads} thread{'s' * (self.threads != 1)}"
        solver = f"{self.algorithm} on {self.backend}, {threads}, {self.seconds:.3f} s"
        rows = [
            ("vertices", f"{self.n:,}"),
            ("edges", f"{len(self):,} of {self.graph.m:,}"),
            ("components", f"{self.n_components:,}"),
            ("weight", text(self.weight)),
            *([("solver", text(solver))] if self.algorithm else []),
            *rounds_fields(self.rounds),
        ]
        return fields_table(f"{'Maximum' if self.maximum else 'Minimum'} spanning forest", rows)

    def __repr__(self) -> str:
        size = f"n={self.n}, edges={self.edges.size}, components={self.n_components}"
        return f"Forest({size}, weight={self.weight})"


def _edge_indices(edges: Any) -> Any:
    """Return the indices of edges as an array, which may be on a GPU."""
    is_array = isinstance(edges, np.ndarray) or is_on_device(edges)
    array = edges if is_array else read_numbers("edges", edges)
    if array.size == 0 and array.dtype.kind not in "iu":  # of an empty list
        array = np.empty(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise GraphTypeError(
            f"edges must be the indices of edges, not {array.dtype} of shape {array.shape}; those of a mask "
            "are numpy.flatnonzero(mask)"
        )
    return array


def _first_edges(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the sorted edges that are the first at one of n components."""
    first = np.full((2, n), u.size)
    backwards = np.arange(u.size)[::-1]
    first[0, u[::-1]] = backwards  # the last value assigned to a component is kept
    first[1, v[::-1]] = backwards
    chosen = np.zeros(u.size + 1, bool)
    chosen[first.min(axis=0)] = True
    return chosen[:-1]
