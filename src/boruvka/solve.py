"""The main job: look at a graph, pick algorithm and backend, and return the forest."""

from __future__ import annotations

import operator
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from boruvka.algorithms import algorithm_for
from boruvka.backends import get_backend
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
) -> Forest:
    """Find the minimum spanning forest of an undirected weighted graph.

    Edges are ordered by (weight, index in the input). This makes the forest unique: every algorithm,
    backend and number of threads returns the same edges. Weights are compared exactly. The GIL is
    released, and several threads may call at once.

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
        "auto", "threads", or "interpreted" (slow, for debugging).
    threads : int, optional
        How many threads to use; by default as many as there are cores.
    options : mapping, optional
        Options of the algorithm, as ``boruvka algorithms`` lists them.
    progress : bool
        Show a progress bar on standard error where it takes long.

    Returns
    -------
    Forest

    Raises
    ------
    GraphError, GraphTypeError
        The argument is no graph: see `Graph`.
    OptionError
        There is no such algorithm, option or backend, or threads is not positive.

    Examples
    --------
    >>> forest = minimum_spanning_forest(([0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7]))
    >>> forest.edges.tolist(), forest.weight, forest.components
    ([1, 2, 3], 9, 1)
    """
    graph = as_graph(graph)
    count = thread_count(threads)
    place = get_backend("threads" if backend == "auto" else backend, count)
    chosen = algorithm_for(algorithm, graph, place.has_caches)
    options = {} if options is None else options
    chosen.check(options)
    begin = time.perf_counter()
    with RoundBar(graph.n, visible=progress) as bar:
        journal = Journal(bar.show)
        by_pairs = chosen.takes_pairs and isinstance(graph, PairGraph)  # these are weighed as they are met
        w = np.empty(0, graph.dtype) if by_pairs else graph.w
        edges = chosen.run(graph, order_of(w, maximum), place, journal, **options)
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


def thread_count(threads: int | None) -> int:
    if threads is None:
        return processors()
    try:
        count = operator.index(threads)
    except TypeError:
        raise OptionError(f"threads must be a positive integer, got {threads!r}") from None
    if not 1 <= count <= 1024:
        raise OptionError(f"threads must be between 1 and 1024, got {count}")
    return count
