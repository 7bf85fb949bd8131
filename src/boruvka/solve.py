"""The main job: look at a graph, pick algorithm and backend, and return the forest."""

from __future__ import annotations

import operator
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms import algorithm_for
from boruvka.backends import get_backend
from boruvka.backends.choice import best_backend, check_fits
from boruvka.errors import OptionError
from boruvka.forest import Forest
from boruvka.graph import as_graph
from boruvka.order import order_of
from boruvka.pairs import PairGraph
from boruvka.processors import processors
from boruvka.progress import RoundBar
from boruvka.rounds import Journal

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
    count = thread_count(threads)
    place = get_backend(best_backend(graph) if backend == "auto" else backend, count)
    if on_device and not (graph.is_on_device and place.name == "cuda"):
        raise OptionError("on_device=True is for a graph whose arrays lie on a GPU, and backend cuda or auto")
    chosen = algorithm_for(algorithm, graph, place.has_caches)
    if chosen.takes_pairs and not place.has_caches:
        raise OptionError(f"{chosen.name} needs caches: choose another backend than {place.name}")
    if backend == "cuda" and not isinstance(graph, PairGraph):
        check_fits(graph)
    options = {} if options is None else options
    chosen.check(options)
    begin = time.perf_counter()
    with RoundBar(graph.n, visible=progress) as bar:
        journal = Journal(bar.show)
        given: Any = graph
        if chosen.takes_pairs and isinstance(graph, PairGraph):  # these are weighed as they are met
            order = order_of(np.empty(0, graph.dtype), maximum)
        else:
            order = order_of(graph.w, maximum)
            order = order._replace(bits=place.to_device(order.bits))
            given = Given(graph.n, place.to_device(graph.u), place.to_device(graph.v))
        edges = chosen.run(given, order, place, journal, **options)
        if not on_device:
            edges = place.to_host(edges)
    return Forest(
        graph,
        edges,
        maximum=bool(maximum),
        algorithm=chosen.name,
        backend=place.name,
        threads=place.threads,
        rounds=tuple(journal.rounds),
        seconds=time.perf_counter() - begin,
    )


class Given(NamedTuple):
    """The edges of a graph where a backend works."""

    n: int
    u: Any
    v: Any

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.u.size


def thread_count(threads: int | None) -> int:
    """Check a number of threads that was asked for; by default there are as many as processors."""
    if threads is None:
        return processors()
    try:
        count = operator.index(threads)
    except TypeError:
        raise OptionError(f"threads must be a positive integer, got {threads!r}") from None
    if not 1 <= count <= 1024:
        raise OptionError(f"threads must be between 1 and 1024, got {count}")
    return count
