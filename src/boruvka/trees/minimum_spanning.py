"""The main function: find the minimum spanning forest of a graph; and several that share no edge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from boruvka.algorithms.run import SolveOptions, solve_graph
from boruvka.errors import GraphTypeError, OptionError, warn
from boruvka.graph.graph import MatrixGraph, inf_advice
from boruvka.graph.labels import read_edges
from boruvka.graph.matrix import check_sense, warn_of_correlations
from boruvka.graph.validation import check_maximum
from boruvka.interop.as_graph import GraphOptions, as_graph, with_similarities
from boruvka.interop.column_names import warn_of_similarities
from boruvka.runtime.arguments import flag, integer, is_command_running
from boruvka.runtime.progress import Listener, listening
from boruvka.trees.acyclic_edges import NO_EDGES
from boruvka.trees.forest import Forest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class SolverOptions(TypedDict, total=False):
    """Arguments of `minimum_spanning_forest` about how a forest is found."""

    maximum: bool
    algorithm: str
    backend: str
    threads: int | None
    options: Mapping[str, Any] | None
    progress: bool | Listener
    on_device: bool


class ForestOptions(SolverOptions, total=False):
    """Arguments of `minimum_spanning_forest` but for the graph and its options."""

    required: ArrayLike | None
    excluded: ArrayLike | None


def minimum_spanning_forest(
    graph: Any,
    *,
    maximum: bool = False,
    algorithm: str = "auto",
    backend: str = "auto",
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: bool | Listener = False,
    on_device: bool = False,
    required: ArrayLike | None = None,
    excluded: ArrayLike | None = None,
    **graph_options: Unpack[GraphOptions],
) -> Forest:
    """Find the minimum spanning forest of an undirected weighted graph.

    Edges are ordered by (weight, index in the input). This makes the forest unique: every algorithm,
    backend and number of threads returns the same edges. Weights are compared exactly. The GIL is
    released, and the function is thread-safe.

    A graph whose arrays are on a GPU (CuPy, PyTorch, anything with ``__cuda_array_interface__`` or DLPack)
    is solved there. Other large graphs are copied to the GPU if there is one and they fit its memory.

    Parameters
    ----------
    graph : object
        A `Graph`, arrays ``(u, v, w)`` or ``(u, v, w, n)``, a SciPy sparse array, a 2-D array, a graph of
        NetworkX or another library, a data frame, a list of edges: see `boruvka.as_graph`. Parallel edges,
        self-loops, isolated vertices, and zero, negative and infinite weights are legal. A stored zero of
        a sparse array is an edge; a zero of a 2-D array is not (see `Graph.from_scipy`, `Graph.from_dense`,
        `Graph.from_distances`).
    maximum : bool
        Find a maximum spanning forest instead; equal weights are still ordered by ascending index. Of a table
        without a known column of weights, the only one named as similarities, as score, has the weights.
    algorithm : str
        "auto", or a name listed by ``boruvka algorithms``.
    backend : str
        "auto", "threads", "cuda" (one NVIDIA GPU), or "interpreted" (slow, for debugging).
    threads : int, optional
        Number of threads; by default one for each core.
    options : mapping, optional
        Options of the algorithm, listed by ``boruvka algorithms``.
    progress : bool or callable
        True shows a progress bar, on a terminal or in a notebook, after half a second. A callable receives
        each `Progress` event in this thread; an exception that it raises stops the work.
    on_device : bool
        Keep the result for a graph on a GPU there: ``forest.edges`` is a CuPy array.
    required, excluded : array_like, optional
        Edges that must be in the forest, and edges that must not: their indices, a list or set of their ends,
        such as ``[("A", "B")]``, also with weights, a mask of m booleans, or values of columns of a frame or
        map, as ``{"name": "Main Street"}``; of several columns, an edge with a value of any of them is meant.
        Each stands for both entries of a matrix. A list of two integers is two indices; a warning says so
        where an edge joins these vertices. The forest is the best of those that obey. All pairs of points
        are listed for this, in 24 bytes each.
    **graph_options
        Options of `as_graph`, such as ``weight="cost"`` and ``node=True`` for a frame of streets.

    Returns
    -------
    Forest

    Raises
    ------
    GraphError, GraphTypeError
        The argument is not a graph: see `Graph`. Or required edges close a cycle.
    OptionError
        There is no such algorithm, option, argument or backend, threads is not positive, or on_device is true
        for a graph that is not on a GPU. Or the maximum is wanted of distances made of correlations.
    BackendError
        There is no GPU, or the graph does not fit its memory.
    MissingExtraError
        The CUDA libraries are not installed.

    Warns
    -----
    GraphWarning
        Ids are probably names with gaps, or begin at 1: see `boruvka.as_graph`. A matrix of distances looks
        like correlations, whose strongest are the edges of a maximum tree, or edges of its forest have an
        infinite weight, which may mean that there is no edge. Or weights are from a column called as
        similarities, such as score, and the forest is a minimum one. Or equal profiles were collapsed, and
        different ones are at distance 0.
    BackendWarning
        The graph does not fit the GPU, and "auto" falls back to the threads of the host.

    Examples
    --------
    >>> forest = minimum_spanning_forest(([0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7]))
    >>> forest.edges.tolist(), forest.weight, forest.n_components
    ([1, 2, 3], 9, 1)
    """
    maximum, on_device = flag("maximum", maximum), flag("on_device", on_device)
    graph = as_graph(graph, **(with_similarities(graph, graph_options) if maximum else graph_options))
    check_maximum(graph.annotations.written_as, maximum)
    check_sense(graph.annotations.are_correlations, maximum)
    if isinstance(graph, MatrixGraph):
        warn_of_correlations(graph.matrix, graph.null_value, maximum)
    warn_of_similarities(graph.annotations.weight_column, maximum)
    how_to_solve = SolveOptions(
        algorithm=algorithm, backend=backend, threads=threads, algorithm_options=options, on_device=on_device
    )
    given = NO_EDGES
    with listening(progress):
        if required is None and excluded is None:
            edges, record = solve_graph(graph, maximum, how_to_solve)
        else:
            from boruvka.algorithms.constraints import solve_constrained  # most solves need none

            graph, edges, record, given = solve_constrained(graph, required, excluded, maximum, how_to_solve)
    forest = Forest(graph, edges, maximum, given, record, _is_optimal=True)
    if graph.profiles is not None and graph.profiles.is_collapsed:
        _warn_of_zeros(forest, graph.profiles.vertex_of.size)
    if isinstance(graph, MatrixGraph) and (count := np.count_nonzero(graph.take(edges)[2] == np.inf)):
        warn(f"edges of the forest ({count:,}) have the weight inf{inf_advice(graph, np.inf)}")
    return forest


def _warn_of_zeros(forest: Forest, count: int) -> None:
    """Warn if equal profiles were collapsed, and others, which lack alleles, are at distance 0."""
    if zeros := int(np.count_nonzero(forest.w == 0)):
        way = "forest.collapse_at(0) makes"
        if is_command_running():
            way = "boruvka plot --collapse-at 0 draws"
        warn(
            f"{count:,} strains are {forest.n:,} different profiles, but {forest.n - zeros:,} groups at "
            f"distance 0, which is no difference where an allele is missing: {way} one vertex of each group"
        )


def edge_disjoint_forests(
    graph: Any, k: int, *, excluded: ArrayLike | None = None, **options: Unpack[SolverOptions]
) -> list[Forest]:
    """Find k forests without common edges, each the best one without the edges of the forests before.

    Tests of whether two samples are alike (Friedman and Rafsky), and networks of brains or of drug candidates
    that must not depend on single edges, take the union of a few of them.

    Parameters
    ----------
    graph : object
        As for `minimum_spanning_forest`. All pairs of points are listed, in 24 bytes each.
    k : int
        Number of forests.
    excluded : array_like, optional
        Edges that no forest has, as for `minimum_spanning_forest`.
    **options
        Further arguments of `minimum_spanning_forest`, except for ``required``.

    Returns
    -------
    list of Forest
        The first is the minimum spanning forest; later ones have fewer edges if the graph runs out of them.

    Raises
    ------
    OptionError
        k is not positive, or edges are required.
    GraphError, GraphTypeError
        As for `minimum_spanning_forest`.

    Examples
    --------
    >>> import boruvka
    >>> cycle = [0, 1, 2, 0], [1, 2, 0, 2], [1, 2, 3, 4]
    >>> [forest.edges.tolist() for forest in boruvka.edge_disjoint_forests(cycle, 2)]
    [[0, 1], [2]]
    """
    graph = as_graph(graph)
    if options.get("required") is not None:
        raise OptionError(
            "required edges would be in every forest, but no edge may be in two: leave them out"
        )
    if graph.is_on_device:
        raise GraphTypeError("forests that share no edge are of graphs on the host: copy the arrays first")
    taken, forests = np.zeros(graph.m, bool), []
    taken[read_edges(graph, "excluded", excluded)] = True
    for left in reversed(range(integer("k", k, 1))):
        forest = minimum_spanning_forest(graph, excluded=taken, **options)
        forests.append(forest)
        if not len(forest):  # all others are empty, too
            return forests + [forest] * left
        taken[forest.edges] = True
    return forests
