"""The main function: choose algorithm and backend for a graph, run, and return the forest."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from boruvka.algorithms.building_blocks.edge_list import EdgeList, ImplicitEdges
from boruvka.algorithms.registry import Algorithm, algorithm_for
from boruvka.backends import Backend, GraphSize, best_backend, check_fits, get_backend
from boruvka.errors import OptionError, shown
from boruvka.graph.abstract_graph import AbstractGraph, ImplicitGraph
from boruvka.interop.as_graph import as_graph
from boruvka.operators.sort_keys import packing_of
from boruvka.runtime.arguments import argument, flag
from boruvka.runtime.caller import warn
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import Listener, is_listening, listening, report
from boruvka.runtime.round_log import Round, RoundLog
from boruvka.trees.constraints import constrained_forest
from boruvka.trees.forest import Forest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["minimum_spanning_forest", "rounds_reporter"]

MANY_VERTICES = 1 << 27
"""Minimum number of vertices for a warning: isolated ones then take a second and a gigabyte, or more."""


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
        Find a maximum spanning forest instead; equal weights are still ordered by ascending index.
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
        Edges that must be in the forest, and edges that must not: their indices, or a mask of m booleans. The
        forest is the best of those that obey. All pairs of points are listed for this, in 24 bytes each.

    Returns
    -------
    Forest

    Raises
    ------
    GraphError, GraphTypeError
        The argument is not a graph: see `Graph`. Or required edges close a cycle.
    OptionError
        There is no such algorithm, option or backend, threads is not positive, or on_device is true for a
        graph that is not on a GPU.
    BackendError
        There is no GPU, or the graph does not fit its memory.
    MissingExtraError
        The CUDA libraries are not installed.

    Warns
    -----
    GraphWarning
        Nearly all of more than 100 million vertices have no edge: ids are probably names with gaps.
    BackendWarning
        The graph does not fit the GPU, and "auto" falls back to the threads of the host.

    Examples
    --------
    >>> forest = minimum_spanning_forest(([0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7]))
    >>> forest.edges.tolist(), forest.weight, forest.n_components
    ([1, 2, 3], 9, 1)
    """
    graph = as_graph(graph)
    if graph.n > MANY_VERTICES and (hint := _gaps(graph)):  # each vertex takes time and memory
        warn(hint)
    maximum, on_device = flag("maximum", maximum), flag("on_device", on_device)
    runs_on, chosen = _choose(graph, algorithm, backend, thread_count(threads), on_device, maximum)
    options = {} if options is None else options
    if required is not None or excluded is not None:
        if chosen.takes and algorithm != "auto":
            raise OptionError(
                f"{chosen.name} lists no edges, so none can be required or excluded: use "
                f"{argument('algorithm', 'auto')}"
            )
        how: dict[str, Any] = {"maximum": maximum, "algorithm": algorithm, "threads": threads}
        how |= {"backend": backend, "options": options, "progress": progress}
        solve = partial(minimum_spanning_forest, **how)
        forest = constrained_forest(graph, required, excluded, solve)
        vars(forest)["_requested"] = "" if algorithm == "auto" else chosen.name
        return forest
    chosen.check(options)
    begin = time.perf_counter()
    with listening(progress):
        round_log = RoundLog(rounds_reporter(graph.n) if is_listening() else None)
        edge_list: EdgeList | ImplicitEdges
        if chosen.takes and isinstance(graph, ImplicitGraph):
            edge_list = ImplicitEdges(graph, packing_of(graph.dtype, maximum))
        else:
            edge_list = EdgeList.of(graph, maximum, runs_on)
        try:
            edges = chosen.run(edge_list, runs_on, round_log, **options)
        except MemoryError as error:
            raise MemoryError("; ".join(filter(None, (str(error), _gaps(graph))))) from None
        if not on_device:
            edges = runs_on.to_host(edges)
        report("solve", graph.n, graph.n, "components", 0)
    forest = Forest(
        graph,
        edges,
        maximum=maximum,
        algorithm=chosen.name,
        backend=runs_on.name,
        threads=runs_on.threads,
        rounds=tuple(round_log.rounds),
        seconds=time.perf_counter() - begin,
    )
    vars(forest)["_requested"] = "" if algorithm == "auto" else chosen.name
    return forest


def rounds_reporter(n: int) -> Callable[[Round], None]:
    """Make a function that reports rounds: how many of n components have merged, or have no more edges."""
    fewest = n

    def tell(round_: Round) -> None:
        nonlocal fewest
        fewest = min(fewest, round_.n_components)
        report("solve", n - fewest, n, "components", round_.edges)

    return tell


def _gaps(graph: AbstractGraph) -> str:
    """Return a hint for a graph of which nearly all vertices have no edge; empty for other graphs."""
    if graph.n <= 16 * graph.m:
        return ""
    names = argument("names", True)
    of = "" if names.startswith("-") else " of boruvka.as_graph, boruvka.read or Graph.from_edges"
    sizes = f"{graph.n:,} vertices but {graph.m:,} edges"
    return f"the graph has {sizes}: {names}{of} numbers only the ids that occur"


def _choose(
    graph: AbstractGraph, algorithm: str, backend: str, threads: int, on_device: bool, maximum: bool
) -> tuple[Backend, Algorithm]:
    """Choose backend and algorithm, and check that they fit each other and the graph."""
    size = None if isinstance(graph, ImplicitGraph) else size_of(graph)
    if not isinstance(backend, str):
        raise OptionError(f"backend must be a name, got {shown(backend)}")
    name = backend
    if name == "auto":
        name = "threads" if size is None else best_backend(size)
    runs_on = get_backend(name, threads)
    if on_device and not (graph.is_on_device and runs_on.name == "cuda"):
        on_gpu = argument("on_device", True)
        raise OptionError(f"{on_gpu} is for a graph whose arrays are on a GPU, and backend cuda or auto")
    chosen = algorithm_for(algorithm, graph, runs_on.has_private_caches, runs_on.threads, maximum)
    if chosen.takes and not runs_on.has_private_caches:
        raise OptionError(f"{chosen.name} runs only on the CPU: choose another backend than {runs_on.name}")
    if backend == "cuda" and size is not None:
        check_fits(size)
    return runs_on, chosen


def size_of(graph: AbstractGraph) -> GraphSize:
    """Return the sizes from which the memory on a GPU follows."""
    itemsizes = graph.u.dtype.itemsize, graph.dtype.itemsize
    return GraphSize(graph.n, graph.m, *itemsizes, graph.is_on_device)
