"""The result: a minimum spanning forest, as indices of edges of its graph."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.errors import GraphError, OptionError, warn, without_warnings
from boruvka.graph.columns import read_only
from boruvka.graph.graph import DistanceGraph, EdgeListGraph, Graph, to_host
from boruvka.graph.labels import column_of_names, in_order_of_rows, values_of_vertices, with_names_of_strains
from boruvka.graph.validation import check_maximum
from boruvka.runtime.arguments import argument, as_dendrogram, did_you_mean, flag, integer, one_of
from boruvka.runtime.libraries import pa, pd, pl
from boruvka.runtime.round_log import Round, SolveRecord
from boruvka.trees.acyclic_edges import NO_EDGES, AcyclicEdges

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from boruvka.interop.as_graph import GraphOptions
    from boruvka.trees.branches import Branches
    from boruvka.trees.clusters.comparison import ClusterComparison
    from boruvka.trees.network import Network
    from boruvka.trees.plotting.step_table import StepTable
    from boruvka.trees.queries.paths import Bottlenecks
    from boruvka.trees.queries.sensitivity import Sensitivity
    from boruvka.trees.queries.single_linkage import Cuts

ANIMATED = "boruvka", "kruskal", "prim"
"""Algorithms that `Forest.animate` shows."""
NEW_EDGES_PER_VERTEX = 1 / 8
"""Maximum number of new edges per vertex for which the leaf order of an earlier forest is used."""


class Forest(AcyclicEdges):
    """A minimum (or maximum) spanning forest of a graph.

    Everything else is derived from the edges when it is first read. You can make one of edges of your own, in
    any form and order that `verify` takes, and of what `as_graph` takes; edges that close a cycle are an
    error.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (f,) array of int64
        Indices of the chosen edges in the graph, ascending. With ``on_device=True`` a CuPy array, and so
        are ``u``, ``v`` and ``w``; conversions, queries, linkage and cuts then need `to_host` first.
    maximum : bool
        Whether it is a maximum spanning forest.
    required : (r,) array of int64
        Indices of the edges that had to be in the forest, ascending.
    record : SolveRecord
        The computation that found it. ``algorithm``, ``backend``, ``threads``, ``rounds`` and ``seconds`` are
        attributes of the forest, too.
    """

    record: SolveRecord
    _is_known: bool | None
    """Whether its maker knows that it is optimal, or that it is not; None for edges of a user."""
    _before: Forest | None
    """An earlier forest, of the first edges of the graph, whose leaf order `update` uses."""
    _instead: ClassVar = {
        "forest.weight": "total_weight total cost",
        "next(x for x in forest.ranked() if x.weight != forest.weight)": "second_best next_best",
        "list(forest.ranked(k))": "k_best",
        "forest.steps(algorithm)": "kruskal prim boruvka",
        "numpy.append(forest.path(u, v), e) for the cycle that an edge e between u and v closes": "cycle",
        "forest.plot()": "draw show",
        "forest.to_pandas(), a table of the edges": "edge_list names to_csv to_latex to_markdown",
        "forest.update([(u, v, w)], removed=[(u, v)])": "add_edge remove_edge",
    }

    def __init__(
        self,
        graph: Any,
        edges: Any,
        maximum: bool = False,
        required: ArrayLike = NO_EDGES,
        record: SolveRecord | None = None,
        _is_optimal: bool | None = None,
        _before: Forest | None = None,
    ):
        if _is_optimal is None:
            from boruvka.verification.verify import graph_and_edges

            graph, edges = graph_and_edges(graph, edges, maximum)
            check_maximum(graph.annotations.written_as, maximum)
        super().__init__(graph, edges, maximum)
        vars(self).update(required=read_only(np.asarray(required, np.int64)), _is_known=_is_optimal)
        vars(self).update(record=record or SolveRecord(), _before=_before)
        if _is_optimal is None and self.labels.max(initial=-1) + 1 != self.n_components:
            raise GraphError(self._fault)  # an edge that closes a cycle, is listed twice or was removed

    @property
    def algorithm(self) -> str:
        """The algorithm that computed it."""
        return self.record.algorithm

    @property
    def backend(self) -> str:
        """The backend that computed it."""
        return self.record.backend

    @property
    def threads(self) -> int:
        """Number of threads that the backend could use."""
        return self.record.threads

    @property
    def rounds(self) -> tuple[Round, ...]:
        """A record of each round: components, edges, seconds of each step."""
        return self.record.rounds

    @property
    def seconds(self) -> float:
        """Time of the computation."""
        return self.record.seconds

    @property
    def is_by_weight(self) -> bool:
        """Whether weights chose the edges: not those of a random tree, unless it is "weighted"."""
        return self.record.requested not in ("uniform", "random-weights")

    def to_host(self) -> Forest:
        """Copy forest and graph from the GPU to the host; return a forest on the host unchanged.

        Returns
        -------
        Forest
        """
        graph, edges = to_host(self.graph), on_host(self.edges)
        if graph is self.graph and edges is self.edges:
            return self
        return Forest(graph, edges, self.maximum, self.required, self.record, self._is_known)

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
        from boruvka.trees.queries.paths import bottleneck

        us, vs = in_order_of_rows(us=us, vs=vs)
        a, b = self.vertex_numbers("us", us), self.vertex_numbers("vs", vs)
        return bottleneck(self.structure, a, b)

    @property
    def is_optimal(self) -> bool:
        """Whether it is the best forest with the required edges, in the order (weight, index).

        Of several forests with the minimum weight, that is only one. It is False for a random tree, the next
        best of `ranked` and what `collapse_at` and `prune` return, of which `update`, `sensitivity`,
        `network`, `ranked` and `steps` say nothing. Edges of which you make a `Forest` are checked as by
        `verify`, when it is first asked.
        """
        return not self._fault

    @cached_property
    def _fault(self) -> str:
        """Why it is not optimal; empty if it is."""
        from boruvka.verification.verify import verify

        if self._is_known is None:
            found = verify(self.graph, self)
            return "" if found.ok else found.message
        return "" if self._is_known else "this is a random tree, a next best one, collapsed or pruned"

    def check_optimal(self, question: str, instead: str = "") -> None:
        """Raise a `GraphError` if this is not an optimal forest, which has no answer to the question."""
        self._check_graph(question)
        if self._fault:
            raise GraphError(
                f"{question} is for minimum and maximum spanning forests that a solver finds; {self._fault}: "
                f"{instead}solve the whole graph, boruvka.minimum_spanning_forest(graph)"
            )

    def _check_graph(self, question: str) -> None:
        """Raise a `GraphError` if the graph lacks the edges that the question is about."""
        if whole := self.graph.annotations.whole_graph:
            what = f"{question} is about all edges, and the graph of a fit has only its tree"
            raise GraphError(f"{what}: ask the minimum_spanning_forest of {whole}")

    def update(
        self, new_edges: Any = None, *, removed: ArrayLike | None = None, **options: Unpack[GraphOptions]
    ) -> Forest:
        """Find the forest after edges are added to the graph, or taken away, without solving it again.

        The first call that adds edges prepares the forest in O(n log n), as `Forest.bottleneck` does. To add
        k edges then takes O(k log k), and the time to copy the indices of the forest. Updates of the result
        reuse the preparation until many edges have been added. To take edges away takes one pass over the
        edges.

        Parameters
        ----------
        new_edges : object, optional
            The new edges, as whatever `as_graph` takes: arrays ``(u, v, w)`` or ``(u, v, w, n)``, a list of
            edges, a (k, 3) array, a table, a graph. A table is read in the columns of the table that the
            graph was made from, if it has these. Where vertices of the graph have names, the ends are
            names, even integers; otherwise they are numbers. New names and larger numbers are new vertices.
            Weights are converted to the type of the graph, if that holds them exactly.
        removed : array_like, optional
            Edges to take away: their indices, a list of their ends, or a mask of m booleans. Other edges keep
            their indices in the graph of the result, which does not have the removed edges: ``removed`` lists
            their indices.
        **options
            Options of `as_graph` for the new edges, as ``missing="drop"`` or ``weight="km"`` for a table.

        Returns
        -------
        Forest
            The same edges that `minimum_spanning_forest` finds in the graph of the result, which has
            the edges of the old graph, and then the new ones, from index m. The arrays of the old graph
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
        from boruvka.trees.queries import update

        self.check_optimal("update")
        self.graph.check()
        forest = self
        if removed is not None:
            start = time.perf_counter()
            masked, edges = update.without(self.graph, self.structure, removed)
            forest = self._updated(masked, edges, start)
        if new_edges is None and options:
            name = next(iter(options))
            raise OptionError(f"{name} is for new edges, and there are none{did_you_mean(name, ['removed'])}")
        if new_edges is None:
            return forest
        start = time.perf_counter()
        graph, numbers = update.extend(forest.graph, new_edges, forest.number_of_name, options)
        before = forest._prepared()
        edges = update.with_new_edges(graph, before.structure, before.graph.m)
        larger = forest._updated(graph, edges, start, before)
        vars(larger).update(number_of_name=numbers)
        return larger

    def _updated(
        self, graph: Graph, edges: NDArray[np.int64], start: float, before: Forest | None = None
    ) -> Forest:
        record = SolveRecord("update", "threads", seconds=time.perf_counter() - start)
        return type(self)(graph, edges, self.maximum, self.required, record, _is_optimal=True, _before=before)

    def _prepared(self) -> Forest:
        """Return the forest whose leaf order is used: an earlier one, unless many edges were added since."""
        before = self._before
        if before is None or self.structure.has_choice_leaves:
            return self
        new = self.graph.m - before.graph.m
        return before if new <= NEW_EDGES_PER_VERTEX * before.n else self

    def sensitivity(self) -> Sensitivity:
        """Find which edges are in every or some minimum spanning forest, and how far weights may change.

        It takes the time of sorting the edges of the graph, and lists all pairs of points or profiles.

        Returns
        -------
        Sensitivity
            Arrays ``(rival, slack, in_every, in_some)`` with an entry for each edge of the graph, and
            ``to_pandas()``, a table of them with the names of the ends. The entries (i, j) and (j, i) of a
            matrix are one edge.

        Raises
        ------
        GraphTypeError
            The graph is on a GPU.
        GraphError
            The forest has required edges, is a random tree, or does not span the graph.
        FileError
            There is no memory for the list of all pairs of points or profiles.

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
        from boruvka.trees.queries.sensitivity import sensitivity

        self.check_optimal("sensitivity")
        return sensitivity(self.graph, self.structure)

    def network(self) -> Network:
        """Find the minimum spanning network: all edges that are in at least one minimum spanning forest.

        The forest breaks ties of weights by the order of edges; the network shows what was equally good, as
        pegas (``msn``) and PopART draw it. If all weights differ, it is the forest.

        It takes a path query for each edge, and memory for the edges of the network. Pairs of points in few
        dimensions that are certainly too far apart are left out. k equal points have k (k - 1) / 2 edges of
        weight 0; ``Graph.from_profiles(collapse=True)`` makes equal profiles one vertex.

        Returns
        -------
        Network
            Edges of the graph that are drawn, converted and written as a forest is.

        Raises
        ------
        GraphTypeError
            The graph is on a GPU.
        GraphError
            The forest has required edges, is a random tree, or does not span the graph.

        See Also
        --------
        sensitivity : also the edges that are in every forest.

        Examples
        --------
        >>> import boruvka
        >>> square = [[0, 0], [1, 0], [1, 1], [0, 1], [5, 0]]
        >>> forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(square))
        >>> len(forest), len(forest.network())
        (4, 5)
        """
        from boruvka.trees.network import network

        self.check_optimal("network", "write forest.network().collapse_at(height) if it is collapsed, else ")
        return network(self.graph, self.structure)

    def nearest(self, vertices: Any = None, k: int = 1) -> pd.DataFrame:
        """Find the nearest vertices of each vertex in the graph, such as strains with the fewest differences.

        All edges of the graph count, not only those of the forest. Of profiles, and other points that no tree
        searches, each vertex is compared with all others, one at a time, so that memory is linear.

        Parameters
        ----------
        vertices : name, or sequence of names, optional
            Vertices by their names, or by their numbers where they have none; by default all.
        k : int
            Number of nearest vertices of each. Others that are as near as the last of them are there, too; if
            fewer have an edge to it, all of them.

        Returns
        -------
        pandas.DataFrame
            A row for each vertex and one that is near to it, in the order of ``vertices``, the nearest first
            and equally near ones in the order of the graph: the name of the vertex in a column that is called
            as in `clusters`, that of the other one in ``nearest``, and ``weight``, the distance. Of a maximum
            forest, vertices are near if the weight is great.

        Raises
        ------
        GraphError, GraphTypeError
            There is no such vertex; or vertices may be several strains, of which equal profiles were
            collapsed, or branches by `collapse_at`; or it is the tree of a fit of `boruvka.sklearn.HDBSCAN`.
        OptionError
            ``k`` is not an integer of at least 1.
        MissingExtraError
            pandas is not installed.

        Examples
        --------
        >>> import boruvka
        >>> strains = {"A": "AACA", "B": "AACT", "C": "GACT", "D": "AATA"}
        >>> forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_profiles(strains))
        >>> forest.nearest("A").values.tolist()
        [['A', 'B', 1], ['A', 'D', 1]]
        """
        from boruvka.interop.data_frames import frame_of_columns
        from boruvka.trees.queries.nearest import nearest_vertices

        self._check_graph("nearest")
        graph = to_host(self.graph).compacted()
        is_listed = isinstance(graph, EdgeListGraph)  # by collapse_at, which keeps edges of the forest only
        if graph.profiles is not None and (is_listed or graph.profiles.names is not None):
            raise GraphError("nearest: vertices are several strains: make the forest without collapsing them")
        wanted = [vertices] if isinstance(vertices, str) else vertices
        wanted = with_names_of_strains(graph, "vertices", wanted) if isinstance(wanted, list) else wanted
        chosen = np.arange(self.n) if vertices is None else self.vertex_numbers("vertices", wanted)
        x, near, w = nearest_vertices(graph, np.ravel(chosen), integer("k", k, 1), self.maximum)
        names = {column_of_names(graph, ("nearest", "weight")): graph.shown_id(x)}
        return frame_of_columns("pandas", names | {"nearest": graph.shown_id(near), "weight": w})

    @property
    def is_unique(self) -> bool:
        """Whether no other spanning forest has the same weight, which takes the time of `network`.

        It has the errors and warnings of `network`. The entries (i, j) and (j, i) of a matrix are one edge;
        other parallel edges are different edges.
        """
        self.check_optimal("is_unique")
        return len(self.network()) == len(self)

    def ranked(self, k: int | None = None) -> Iterator[Forest]:
        """Generate all spanning forests, the best first: this one, the second best, and so on.

        Weights are added and compared exactly. Ties are broken by the indices of edges: of two forests with
        equal weights, the one that has not the largest index that is in only one of them comes first. Of the
        entries (i, j) and (j, i) of a matrix only the lighter counts; other parallel edges are
        different edges. If the graph has several components, every forest spans each of them.

        A forest is found when it is asked for, in a time that is linear in the edges of the graph. There may
        be very many. After k of them, the generator holds about 24 k n bytes for n vertices, and a sorted
        list of all edges, also of points and matrices.

        Parameters
        ----------
        k : int, optional
            Stop after so many forests; by default after all.

        Yields
        ------
        Forest
            Forests of the same graph, with the required edges; ``is_optimal`` is False after the first, also
            for forests of the same weight: compare ``weight`` to tell whether one is minimum.

        Raises
        ------
        GraphTypeError
            The graph is on a GPU.
        GraphError
            The forest is a random tree, or does not span the graph; or a weight is infinite.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2, 0], [1, 2, 0, 3], [1, 2, 4, 3]))
        >>> [(tree.weight, tree.edges.tolist()) for tree in forest.ranked(3)]
        [(6, [0, 1, 3]), (8, [0, 2, 3]), (9, [1, 2, 3])]
        """
        from boruvka.trees.ranked import ranked

        self.check_optimal("ranked")
        record = SolveRecord("ranked")
        following = (
            Forest(self.graph, edges, self.maximum, self.required, record, _is_optimal=False)
            for edges in ranked(self.graph, self.structure)
        )
        return islice(chain([self], following), None if k is None else integer("k", k, 0))

    def branches(self) -> Branches:
        """Divide the forest into branches: maximal paths whose inner vertices have two edges.

        Returns
        -------
        Branches
            The named tuple ``(edges, offsets, source, target, length, distance)``; ``to_pandas()`` makes a
            frame of it. Source and target are names if vertices have names. The length of a branch is the sum
            of its weights, and the distance is the straight one between its ends.

        Examples
        --------
        >>> import boruvka
        >>> points = [[0, 0], [1, 0], [2, 1], [3, 1], [2, 3]]
        >>> forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points, "manhattan"))
        >>> found = forest.branches()
        >>> sorted(zip(found.source.tolist(), found.target.tolist(), found.length.tolist()))
        [(2, 0, 3.0), (2, 3, 1.0), (4, 2, 2.0)]
        """
        from boruvka.trees.branches import branches

        found, name_of = branches(self.graph, self.structure), self.graph.name_of
        return found._replace(source=name_of(found.source), target=name_of(found.target))

    def prune(self, longest: float | str | None = None, fewest: int = 1) -> Forest:
        """Leave out long edges, and then short side branches, as programs do that find filaments.

        Parameters
        ----------
        longest : number or str, optional
            The greatest weight of an edge that is kept; of a maximum spanning forest, the least one. A text
            is an angle, as for `cut_at`.
        fewest : int
            The least number of edges of a side branch that is kept: a branch from a leaf to a fork in what
            is left without long edges. A path without a fork is kept, however short. What was a fork may
            have two edges afterwards, and another call finds side branches that are longer then.

        Returns
        -------
        Forest
            The edges that are left, by their indices in the same graph; this forest by default. As after
            `collapse_at`, `update`, `sensitivity`, `network` and `ranked` are for the whole forest.

        Raises
        ------
        OptionError
            ``longest`` is NaN, or neither a number nor an angle; or ``fewest`` is not a positive integer.

        Warns
        -----
        GraphWarning
            No edge is left.

        Examples
        --------
        >>> import boruvka
        >>> edges = [("a", "b", 1), ("b", "c", 2), ("c", "d", 1), ("b", "e", 1), ("d", "f", 9)]
        >>> boruvka.minimum_spanning_forest(edges).prune(longest=5, fewest=2).edges
        array([1, 2])
        """
        from boruvka.trees.branches import without_side_branches

        if longest is None and integer("fewest", fewest, 1) == 1:
            return self
        groups = self.labels if longest is None else self.cut_at(longest)
        short = AcyclicEdges(self.graph, self.edges[groups[self.u] == groups[self.v]]).structure
        edges = without_side_branches(self.graph, short, integer("fewest", fewest, 1))
        if len(self) and not edges.size:
            which = argument("fewest" if short.w.size else "longest")
            warn(f"{which} leaves no edge: weights are from {self.w.min():g} to {self.w.max():g}")
        return Forest(self.graph, edges, self.maximum, record=self.record, _is_optimal=False)

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
        from boruvka.trees.queries.single_linkage import linkage

        return linkage(self.structure, self.edge_text)

    def merges(self, min_size: int = 1) -> pd.DataFrame:
        """List the edges in the order in which they join clusters, with the sizes of the two that each joins.

        Parameters
        ----------
        min_size : int
            Minimum number of vertices of both clusters: only edges that join two large ones are listed, which
            an expert may wish to review.

        Returns
        -------
        pandas.DataFrame
            The rows of `to_pandas` in the order (weight, index), as for `cut`, with the columns
            ``source_size`` and ``target_size``: numbers of vertices of the cluster of the source, and of
            that of the target, before the edge joins them.

        Raises
        ------
        OptionError
            min_size is not a positive integer.
        MissingExtraError
            pandas is not installed.

        Examples
        --------
        >>> import boruvka
        >>> edges = [("a", "b", 0.9), ("c", "d", 0.8), ("d", "e", 0.7), ("b", "c", 0.6)]
        >>> boruvka.minimum_spanning_forest(edges, maximum=True).merges(min_size=2)
           edge source target  weight  source_size  target_size
        3     3      b      c     0.6            2            3
        """
        from boruvka.trees.queries.single_linkage import merges

        places, source_size, target_size = merges(self.structure, min_size)
        return self.to_pandas().iloc[places].assign(source_size=source_size, target_size=target_size)

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
        from boruvka.trees.queries.single_linkage import cut

        return cut(self.structure, k)

    def cut_at(self, height: float | str) -> NDArray[np.int64]:
        """Cut the forest at a height by removing the edges that are heavier.

        From a maximum spanning forest, lighter edges are removed. Either way, two vertices are in one
        cluster exactly if edges of the graph that are not removed by this rule connect them. A float of
        Python is rounded to the type of the weights, as NumPy does: a weight of 0.1 in float32 is at the
        height 0.1, but above ``numpy.float64(0.1)``. The comparison is exact.

        Parameters
        ----------
        height : number or str
            The height; it may be infinite. A text is an angle, such as "0.5deg", "30arcmin", "30'" or
            "30arcsec", for points and the metrics "haversine" and "great_circle".

        Returns
        -------
        (n,) array of int64
            The cluster of each vertex, numbered from 0 in the order of their smallest vertices.

        Raises
        ------
        OptionError
            The height is NaN, or neither a number nor an angle.

        Warns
        -----
        GraphWarning
            The height is finite and far above or below all weights, or on a sphere above them or below all
            kilometres.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
        >>> forest.cut_at(5)
        array([0, 0, 0, 1])
        """
        from boruvka.trees.queries.single_linkage import cut_at

        return cut_at(self.structure, height, self.graph.annotations.pairs)

    def collapse_at(self, height: float | str) -> Forest:
        """Make one vertex of the vertices that edges up to a height join, as GrapeTree collapses branches.

        Strains of which some alleles are missing may differ in no locus and yet be different profiles, which
        ``Graph.from_profiles(collapse=True)`` keeps apart: ``collapse_at(0)`` joins them. The groups are
        those of ``cut_at(height)``, so two members may be farther apart than the height.

        Parameters
        ----------
        height : number or str
            Edges of at most this weight are collapsed; of a maximum spanning forest, of at least this weight.
            A text is an angle, as for `cut_at`.

        Returns
        -------
        Forest
            The edges that are left, of a graph that has only these, numbered anew. A vertex has the name of
            its first member. ``graph.profiles`` has the members, which pictures, pages and tables count.
            Tables of edges have the two members whose distance is the weight (``source_member``). It has
            the answers of a tree, but not `update`, `sensitivity`, `network` and `ranked`, which ask for
            the whole graph: ``forest.network().collapse_at(0)``.

        Raises
        ------
        OptionError
            The height is NaN or not a number.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 0, 7]))
        >>> found = forest.collapse_at(0)
        >>> found.graph.profiles.sizes, found.w
        (array([1, 2, 1]), array([5, 7]))
        """
        from boruvka.trees.collapsed import collapsed_graph

        graph = collapsed_graph(self, height, self.maximum)
        return Forest(graph, np.arange(graph.m), self.maximum, record=self.record, _is_optimal=False)

    def cuts(self, heights: Iterable[float | str]) -> Cuts:
        """Cut the forest at several heights, in one pass over its edges.

        Edges are processed in the order (weight, index), and the clusters at one height are merged into those
        at the next. The first height takes O(n log n); each further height takes time linear in the number of
        clusters at the height before.

        Parameters
        ----------
        heights : iterable of numbers or str
            The heights, in any order; at each, the clusters are the same as `cut_at` returns.

        Returns
        -------
        Cuts
            Numbers of clusters and their sizes; labels are made when they are read.

        Raises
        ------
        OptionError
            A height is NaN or not a number.

        Warns
        -----
        GraphWarning
            No height is among the weights, and one is finite and above them.

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
        from boruvka.trees.queries.single_linkage import cuts

        return cuts(self.structure, heights, self.graph.annotations.pairs)

    def clusters(
        self,
        heights: Iterable[float | str] = (),
        *,
        k: int | None = None,
        previous: Any = None,
        addresses: bool = False,
    ) -> pd.DataFrame | pl.DataFrame | pa.Table:
        """Return the clusters at several heights as a table with a row per vertex, or per strain.

        Parameters
        ----------
        heights : iterable of numbers or str
            The heights, in any order; at each, the clusters are the same as `cut_at` returns.
        k : int, optional
            A number of clusters, for one more column, such as ``cluster_of_5``: those that `cut` returns.
        previous : table, series or mapping, optional
            The table of clusters of an earlier run, at the same heights, whose names of clusters are kept;
            for one height also a series or mapping of the names of vertices, or strains, to clusters. Of
            the old names of its members, a cluster gets that of most. Of several clusters with members of an
            old one, that with the most keeps its name; the others have new names, which no old cluster has.
            Names are matched as in `Forest.plot`; numbers of rows match only if the table has no column of
            names. None, NaN, "", "-", "NA" and "singleton" mean no cluster.
        addresses : bool
            Whether to add a column ``address``, such as "1.1.2": the numbers of the clusters of a row at all
            heights, the largest clusters first. They are those in the column ``address`` of ``previous``, if
            it has one; new clusters have the next numbers.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            Of the library of the frame that the graph was made from, else of pandas. The columns are the
            names of vertices, else their numbers from 0, in the order of these numbers, and for each height,
            such as 0.95 or "1deg", a column ``cluster_0_95`` or ``cluster_1deg``: the vertex of the cluster
            with the smallest number. The column of names is called as in the table that the graph was made
            from, else ``strain`` for profiles, or ``vertex``. If profiles were collapsed, there is a row for
            each of them, and its vertex is in a second column ``vertex``. With ``previous``, a column
            ``change_0_95`` follows: "joined" for a new row in an old cluster, "new" in another one; "merged"
            for a row whose old cluster is part of one with another name now, "split" if its old cluster has
            other rows now; else "". The old cluster is in ``was_0_95``, "" for a row without one.

        Raises
        ------
        OptionError
            A height is NaN or not a number, or is given twice; or ``previous`` has no column for it; or there
            are not k clusters; or there are no heights for addresses, or addresses of ``previous`` are
            not as many numbers, or no texts.
        GraphError
            ``previous`` has no vertex of this graph, or one of them twice.
        MissingExtraError
            pandas is not installed.

        Warns
        -----
        GraphWarning
            Clusters of ``previous`` were merged or split, or rows of it are left out, or matched by numbers.
        """
        from boruvka.interop.data_frames import frame_of_vertices
        from boruvka.trees.queries.cluster_names import named_as_before
        from boruvka.trees.queries.single_linkage import cluster_columns

        columns, levels = cluster_columns(self.structure, heights, k, self.graph.annotations.pairs)
        if not flag("addresses", addresses):
            levels = []
        elif not levels:
            raise OptionError(f"{argument('addresses', True)} needs {argument('heights')}")
        return frame_of_vertices(self.graph, columns, lambda found: named_as_before(found, previous, levels))

    def support(self, height: float, *, samples: int = 100, seed: int = 0) -> pd.DataFrame:
        """Find how sure the clusters at a height are, by the bootstrap of the loci of profiles.

        A sample has as many loci as there are, drawn with replacement. Clusters that depend on a few loci
        are found again in few samples. At a height of few alleles, the number of different loci itself varies
        from sample to sample, also with hundreds of loci.

        Parameters
        ----------
        height : number
            As for `cut_at`.
        samples : int
            Number of samples. Each takes as long as the forest did.
        seed : int
            The seed of the random numbers.

        Returns
        -------
        pandas.DataFrame
            A row for each cluster: its name, in a column such as ``cluster_7`` as in `clusters`, its ``size``
            in profiles, and its ``support``, the share of samples in which exactly its members are a cluster.

        Raises
        ------
        GraphError
            The graph is not made of profiles, or the forest is random, collapsed, or has required edges.
        OptionError
            The height is not a number, or an argument is below its range.
        MissingExtraError
            pandas is not installed.

        Examples
        --------
        >>> import boruvka
        >>> strains = {"A": "AAAAAA", "B": "AAAAAC", "C": "CCCCCC"}
        >>> forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_profiles(strains))
        >>> forest.support(2)
          cluster_2  size  support
        0         A     2     0.94
        1         C     1     0.99
        """
        from boruvka.algorithms.run import solve_graph
        from boruvka.interop.data_frames import frame_of_columns
        from boruvka.trees.queries.single_linkage import cluster_columns

        graph, profiles, is_best = self.graph, self.graph.profiles, self.is_optimal and not self.required.size
        if profiles is None or not (isinstance(graph, DistanceGraph) and is_best):
            raise GraphError("support draws loci: solve boruvka.Graph.from_profiles, without required edges")
        name, clusters = list(cluster_columns(self.structure, [height])[0].items())[1]
        first, labels, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
        random, found = np.random.default_rng(integer("seed", seed, 0)), np.zeros(first.size)
        codes = np.pad(graph.points, ((0, 0), (0, 1)))  # the graph has no loci at which all are equal
        for _ in range(integer("samples", samples, 1)):
            loci = random.integers(0, profiles.n_loci, profiles.n_loci)
            sample = DistanceGraph(codes[:, np.minimum(loci, codes.shape[1] - 1)], graph.distance)
            with without_warnings():  # of heights that few weights reach
                drawn = Forest(sample, solve_graph(sample, self.maximum)[0], self.maximum).cut_at(height)
            stays = np.bincount(labels, drawn == drawn[first][labels]) == sizes
            found += stays & (np.bincount(drawn)[drawn[first]] == sizes)
        columns = {name: graph.shown_id(first), "size": np.bincount(labels[profiles.vertex_of])}
        return frame_of_columns("pandas", columns | {"support": found / samples})

    def hdbscan(
        self,
        min_cluster_size: Iterable[int],
        *,
        cluster_selection_method: str = "eom",
        cluster_selection_epsilon: float = 0.0,
        max_cluster_size: int | None = None,
        allow_single_cluster: bool = False,
    ) -> ClusterComparison:
        """Find the clusters of HDBSCAN for several minimum sizes.

        Weights are mutual reachability distances: of points, solve ``Graph.from_points(points,
        min_samples=10)``, of other distances `Graph.from_mutual_reachability`.

        Parameters
        ----------
        min_cluster_size : iterable of int
            Least numbers of points of a cluster, at least 2, in any order.
        cluster_selection_method, cluster_selection_epsilon, max_cluster_size, allow_single_cluster
            As for `boruvka.sklearn.HDBSCAN`, whose labels these are.

        Returns
        -------
        ClusterComparison
            A table with a row for each size: number of clusters, share of noise, persistence, validity; and
            the labels.

        Raises
        ------
        OptionError
            An argument is out of its range.
        GraphError
            The forest is a maximum spanning forest, or has a negative weight or fewer than two vertices.

        Examples
        --------
        >>> import boruvka
        >>> points = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.3], [20.0]]
        >>> graph = boruvka.Graph.from_points(points, min_samples=2)
        >>> boruvka.minimum_spanning_forest(graph).hdbscan([2, 3, 4])
        min_cluster_size  n_clusters  noise  persistence  validity
                       2           2  0.143        0.896     0.830
                       3           2  0.143        0.729     0.830
                       4           0  1.000        0.000     0.000
        """
        from boruvka.trees.clusters.comparison import compare_clusters_of
        from boruvka.trees.clusters.selection import Selection

        how = Selection(
            cluster_selection_method, cluster_selection_epsilon, allow_single_cluster, max_cluster_size
        ).checked()
        if not self.graph.annotations.whole_graph:
            self.check_optimal("hdbscan")
        return compare_clusters_of(self, min_cluster_size, how)

    def regions(
        self,
        k: int,
        attributes: ArrayLike | Mapping[Any, Any],
        *,
        min_size: int = 1,
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
        from boruvka.trees.queries.regions import regions

        numbers = self.number_of_name
        x = values_of_vertices(self.graph, "attributes", attributes, numbers)
        given = None if amounts is None else values_of_vertices(self.graph, "amounts", amounts, numbers)
        return regions(self.structure, self.labels, k, x, min_size, given, min_amount)

    @as_dendrogram
    def plot_dendrogram(
        self,
        *,
        leaves: int = 30,
        height: float | str | None = None,
        colors: ArrayLike | Mapping[Any, Any] | None = None,
        min_size: int = 1,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the single-linkage dendrogram of the forest; components are beside each other.

        Of more components than half of the leaves, the largest are drawn, and a warning counts the others.

        The axis of a maximum spanning forest, whose weights are similarities, falls: its lightest edges merge
        last and are at the top. Angles are in degrees. Only the last merges are drawn, so a forest of a
        million vertices takes about a second. A leaf that stands for k vertices is labelled ``(k)``; a leaf
        of one vertex has its name or number.

        Parameters
        ----------
        leaves : int
            Number of leaves, from 2 to 500. Fewer vertices are all drawn. More than 100 leaves are below each
            other, and the figure grows with them.
        height : float or str, optional
            Draw a line at this height, which may be an angle, as for `cut_at`; without ``colors``, the
            clusters below it, which `Forest.cut_at` returns, have colors, of which there are 20.
        colors : (n,) array_like, or mapping, optional
            Colors of squares at leaves, as for `plot`. The square of several vertices has the shares of their
            categories, or the median of their numbers or dates.
        min_size : int
            Draw only merges of two clusters of at least this many vertices. Outliers, which join one by one,
            are then not leaves. A note counts the vertices that are in no leaf; the legend counts all.
        ax : matplotlib Axes, optional
            Axes for the drawing; by default the axes of a new figure, ``ax.figure``.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        MissingExtraError
            matplotlib is not installed (the extra ``plot``).
        GraphError
            A weight of a minimum spanning forest is negative, or the forest has one vertex.
        OptionError
            leaves, height or min_size is out of range.
        """
        from boruvka.graph.distances import shown_unit
        from boruvka.trees.clusters.single_linkage_tree import merges_of
        from boruvka.trees.plotting.dendrogram import plot_dendrogram
        from boruvka.trees.plotting.rows import Rows
        from boruvka.trees.queries.single_linkage import check_heights, read_height, rounded

        if not self.maximum:
            check_heights(self.structure, self.edge_text)
        sign = -1.0 if self.maximum else 1.0
        linkage = merges_of(self, sign)[0].linkage() if self.n > 1 else np.empty((0, 4))
        values = None
        if colors is not None:
            rows = Rows.of(self)
            values = rows.values("colors", colors)[np.unique(rows.vertex, return_index=True)[1]]
        about = self.graph.annotations
        height = rounded(read_height(height, about.pairs), self.w.dtype)
        how: Any = {"leaves": leaves, "height": height, "min_size": min_size, "ax": ax}
        how |= {"values": values, "column": colors, "maximum": self.maximum}
        unit, how["factor"] = shown_unit(about.pairs)
        how["weight"] = about.weight_name + (f" ({unit})" if unit else "")
        return plot_dendrogram(linkage, lambda vertex: str(self.graph.id_of(vertex)), **how)

    def animate(
        self,
        output: Any = None,
        coordinates: Any = None,
        *,
        algorithm: str | None = None,
        start: Any = None,
        format: str | None = None,
        system: str | None = None,
        seconds: float = 1.2,
        only: Iterable[int] | None = None,
    ) -> str | None:
        """Write an animation of Borůvka's algorithm, round by round, or of Kruskal's or Prim's, edge by edge.

        A file that ends in ``.png``, ``.svg`` or ``.pdf`` is one picture, which has all steps as panels.

        Each component keeps the color of its largest part. If a round adds at most 2000 edges, they are
        black. Edges of later rounds are grey. The steps show the plain algorithm, whichever
        algorithm found the forest.

        A graph of up to 60 vertices and 180 edges is drawn as in a textbook: all edges with their weights,
        and vertices with their names. Of more than 60 edges, only those of the forest so far have weights.
        Each component has an arrow along the edge that it chooses. Weights of edges inside a component are
        struck out. Parallel edges are arcs.

        Kruskal's and Prim's algorithms are drawn for graphs of up to 60 vertices and 100 edges; an edge that
        is listed in both directions counts once. Beside the graph are the sorted edges (Kruskal) or the queue
        (Prim). Each picture shows the edge that is checked, and whether it is taken, or refused because it
        closes a cycle.

        Parameters
        ----------
        output : path-like or binary file, optional
            The file, ``.gif`` or ``.html``, or a picture; by default a page that a notebook shows. The page
            is one file, without links to others. It has a button, a slider and a table of rounds, and can be
            used by keys alone; ``rounds.html#3`` shows round 3.
        coordinates, system
            As for `boruvka.Forest.plot`; small graphs without are laid out with all of their edges.
        algorithm : "boruvka", "kruskal" or "prim", optional
            By default the one that the caller named to find the forest, else Borůvka's.
        start : name or int, optional
            The vertex where Prim's algorithm starts, by its name or its number in the picture; by default the
            first. Pictures show the numbers of the file, which may begin at 1.
        format : "gif", "html", "png", "svg" or "pdf", optional
            By default the ending of the file decides. A file object needs it.
        seconds : float
            Seconds for which a picture is shown, from 0.1 to 60.
        only : list of int, optional
            The steps or rounds that are shown; 0 is the start. By default all.

        Returns
        -------
        str or None
            Without a file, the page, which a notebook shows where a cell ends with it.

        Raises
        ------
        FileError
            The file cannot be written.
        MissingExtraError
            matplotlib is not installed (the extra ``plot``).
        OptionError
            There is no animation of ``algorithm``, or ``start`` is given for another one than Prim's, or
            there is no step of ``only``.
        GraphError, GraphTypeError
            The forest is a random tree, ``start`` is not a vertex, or the graph is too large for Kruskal's or
            Prim's algorithm.
        BoruvkaError
            As for `boruvka.Forest.plot`.
        """
        from boruvka.runtime.html import Page
        from boruvka.trees.plotting.animation import animate
        from boruvka.trees.plotting.steps import can_be_listed, steps_of
        from boruvka.trees.plotting.textbook import drawing_of

        self.check_optimal("animate", "draw it by tree.plot(graph_edges=True), or ")
        algorithm = self._shown_algorithm(algorithm, start, can_be_listed(self))
        if algorithm == "boruvka":
            drawing = drawing_of(self, coordinates, system)
        else:
            drawing = steps_of(self, algorithm, start, coordinates, system)
        format = one_of("format", format or "html", ("html",)) if output is None else format
        file = io.BytesIO() if output is None else output
        animate(drawing, file, format=format, seconds=seconds, maximum=self.maximum, only=only)
        return Page(file.getvalue(), "utf-8") if output is None else None

    def _shown_algorithm(self, algorithm: str | None, start: Any, can_be_listed: bool) -> str:
        """Return the algorithm whose steps are shown, by default the one that the caller asked for."""
        if algorithm is None:
            is_known = self.record.requested in ANIMATED and can_be_listed
            algorithm = self.record.requested if is_known else "boruvka"
        one_of("algorithm", algorithm, ANIMATED)
        if start is not None and algorithm != "prim":
            raise OptionError(f"{argument('start')} is for {argument('algorithm', 'prim')}")
        return algorithm

    def steps(self, algorithm: str | None = None, start: Any = None) -> StepTable:
        """List the steps of Kruskal's, Prim's or Borůvka's algorithm: each edge, if it is taken, and why.

        Parameters
        ----------
        algorithm : "boruvka", "kruskal" or "prim", optional
            As for `animate`: by default the one that the caller named to find the forest, else Borůvka's.
        start : name or int, optional
            The vertex where Prim's algorithm starts; by default the first.

        Returns
        -------
        StepTable
            The columns ``step, edge, source, target, weight, taken, total, why, components, queue``, which
            print as a table; ``to_pandas()`` makes a frame of them. A step of Borůvka's algorithm is a round.
            The reason names an edge of the same weight that could be taken, and whether the tree would be
            another one (of up to 1000 vertices and 5000 edges).

        Raises
        ------
        OptionError
            There are no steps of ``algorithm``, or ``start`` is given for another one than Prim's.
        GraphError, GraphTypeError
            The forest is a random tree, ``start`` is not a vertex, or the graph has more than 1000 vertices,
            or, for Kruskal's and Prim's algorithms, 5000 edges.

        See Also
        --------
        animate : the same as pictures.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest([("a", "b", 4), ("b", "c", 2), ("a", "c", 3)])
        >>> forest.steps("kruskal")
        step  edge   weight  result  total  why
           1  b – c       2  taken       2  it joins two components, 2 are left
           2  a – c       3  taken       5  it joins two components, 1 is left
        """
        from boruvka.trees.plotting.step_table import table_of

        self.check_optimal("steps")
        return table_of(self, self._shown_algorithm(algorithm, start, True), start)

    def _repr_html_(self) -> str:
        """Return a table for a notebook, with a chart of the edges that the rounds read."""
        from boruvka.runtime.html import rounds_fields, text

        threads = f"{self.threads} thread{'s' * (self.threads != 1)}"
        solver = f"{self.algorithm} on {self.backend}, {threads}, {self.seconds:.3f} s"
        rows = [*([("solver", text(solver))] if self.algorithm else []), *rounds_fields(self.rounds)]
        title = f"{'Maximum' if self.maximum else 'Minimum'} spanning forest"
        return self._html_table(title, "vertices", self.n, rows)
