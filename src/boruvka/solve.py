"""The main job: look at a graph, choose algorithm and backend, and return the forest."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from boruvka.algorithms.building_blocks.edge_list import EdgeList, ImplicitEdges
from boruvka.algorithms.registry import Algorithm, algorithm_for
from boruvka.backends import Backend, get_backend
from boruvka.backends.choice import GraphSize, best_backend, check_fits
from boruvka.errors import OptionError
from boruvka.forest.forest import Forest
from boruvka.forest.round_log import RoundLog
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.graph import as_graph
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.operators.sort_keys import packing_of
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import RoundBar

__all__ = ["minimum_spanning_forest"]


def minimum_spanning_forest(
    graph: Any,
    *,
    maximum: bool = False,
    algorithm: str = "auto",
    backend: str = "auto",
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: bool = False,
    on_device: bool = False,
) -> Forest:
    """Find the minimum spanning forest of an undirected weighted graph.

    Edges are ordered by (weight, index in the input). This makes the forest unique: every algorithm,
    backend and number of threads returns the same edges. Weights are compared exactly. The GIL is
    released, and several threads may call at once.

    A graph whose arrays lie on a GPU (CuPy, PyTorch, whatever has ``__cuda_array_interface__`` or DLPack)
    is solved there. Other large graphs are copied to the GPU if there is one and they fit.

    Parameters
    ----------
    graph : Graph, (u, v, w), (u, v, w, n), SciPy sparse array or matrix, or 2-D array
        The graph. Parallel edges, self-loops, isolated vertices, and zero, negative and infinite
        weights are legal. Stored zeros of a sparse array are edges; a zero of a 2-D array is none
        (see `Graph.from_scipy`, `Graph.from_dense`).
    maximum : bool
        Find a maximum spanning forest instead; of equal weights, the smaller index still goes first.
    algorithm : str
        "auto", or a name that ``boruvka algorithms`` lists.
    backend : str
        "auto", "threads", "cuda" (one NVIDIA GPU), or "interpreted" (slow, for debugging).
    threads : int, optional
        How many threads to use; by default as many as there are cores.
    options : mapping, optional
        Options of the algorithm, as ``boruvka algorithms`` lists them.
    progress : bool
        Show a progress bar on standard error where it takes long.
    on_device : bool
        Leave the answer of a graph that lies on a GPU there: ``forest.edges`` is an array of CuPy's.

    Returns
    -------
    Forest

    Raises
    ------
    GraphError, GraphTypeError
        The argument is no graph: see `Graph`.
    OptionError
        There is no such algorithm, option or backend, threads is not positive, or the answer is to stay on
        a GPU where the graph is not.
    BackendError
        There is no GPU, or the graph does not fit its memory.
    MissingExtraError
        The libraries for a GPU are not installed.

    Warns
    -----
    BackendWarning
        The graph does not fit the GPU, and "auto" takes the threads of the host.

    Examples
    --------
    >>> forest = minimum_spanning_forest(([0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7]))
    >>> forest.edges.tolist(), forest.weight, forest.components
    ([1, 2, 3], 9, 1)
    """
    graph = as_graph(graph)
    runs_on, chosen = _choose(graph, algorithm, backend, thread_count(threads), on_device)
    options = {} if options is None else options
    chosen.check(options)
    begin = time.perf_counter()
    with RoundBar(graph.n, visible=progress) as bar:
        round_log = RoundLog(lambda round_: bar.show(round_.components, round_.edges))
        edges: EdgeList | ImplicitEdges
        if chosen.takes_implicit and isinstance(graph, ImplicitGraph):
            edges = ImplicitEdges(graph, packing_of(graph.dtype, maximum))
        else:
            edges = EdgeList.of(graph, maximum, runs_on)
        found = chosen.run(edges, runs_on, round_log, **options)
        if not on_device:
            found = runs_on.to_host(found)
    return Forest(
        graph,
        found,
        maximum=bool(maximum),
        algorithm=chosen.name,
        backend=runs_on.name,
        threads=runs_on.threads,
        rounds=tuple(round_log.rounds),
        seconds=time.perf_counter() - begin,
    )


def _choose(
    graph: AbstractGraph, algorithm: str, backend: str, threads: int, on_device: bool
) -> tuple[Backend, Algorithm]:
    """Choose backend and algorithm, and check that they go together and fit the graph."""
    size = None if isinstance(graph, ImplicitGraph) else size_of(graph)
    asked = backend
    if backend == "auto":
        backend = "threads" if size is None else best_backend(size)
    chosen_backend = get_backend(backend, threads)
    if on_device and not (graph.is_on_device and chosen_backend.name == "cuda"):
        raise OptionError("on_device=True is for a graph whose arrays are on a GPU, and backend cuda or auto")
    chosen = algorithm_for(algorithm, graph, chosen_backend.has_caches)
    if chosen.takes_implicit and not chosen_backend.has_caches:
        raise OptionError(f"{chosen.name} needs caches: choose another backend than {chosen_backend.name}")
    if asked == "cuda" and size is not None:
        check_fits(size)
    return chosen_backend, chosen


def size_of(graph: AbstractGraph) -> GraphSize:
    """Tell what decides whether a GPU suits a graph."""
    itemsizes = graph.u.dtype.itemsize, graph.dtype.itemsize
    return GraphSize(graph.n, graph.m, *itemsizes, graph.is_on_device)
