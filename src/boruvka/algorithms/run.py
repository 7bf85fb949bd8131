"""Solve a graph: choose a backend and an algorithm, run it, and return the indices of the forest's edges."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList, ImplicitEdges
from boruvka.algorithms.choice import algorithm_for
from boruvka.algorithms.registry import Algorithm
from boruvka.backends import Backend, GraphSize, best_backend, check_fits, get_backend
from boruvka.errors import OptionError, shown
from boruvka.graph.graph import Graph, ImplicitGraph
from boruvka.operators.sort_keys import packing_of
from boruvka.runtime.arguments import argument
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import is_listening, report
from boruvka.runtime.round_log import Round, RoundLog, SolveRecord

__all__ = ["Solution", "gap_hint", "rounds_reporter", "solve_graph"]


class Solution(NamedTuple):
    """The edges of a forest, and how they were found."""

    edges: NDArray[Any]
    """Indices of the edges, ascending; on a GPU if the caller asked for it."""
    record: SolveRecord


def solve_graph(
    graph: Graph,
    maximum: bool = False,
    algorithm: str = "auto",
    backend: str = "auto",
    threads: int | None = None,
    options: Mapping[str, Any] | None = None,
    on_device: bool = False,
) -> Solution:
    """Find the edges of the minimum spanning forest of a graph.

    Arguments and errors are as for `boruvka.minimum_spanning_forest`.
    """
    runs_on, chosen = _choose(graph, algorithm, backend, thread_count(threads), on_device, maximum)
    options = {} if options is None else options
    chosen.check(options)
    begin = time.perf_counter()
    round_log = RoundLog(rounds_reporter(graph.n) if is_listening() else None)
    edge_list: EdgeList | ImplicitEdges
    if chosen.takes and isinstance(graph, ImplicitGraph):
        edge_list = ImplicitEdges(graph, packing_of(graph.dtype, maximum))
    else:
        edge_list = EdgeList.of(graph, maximum, runs_on)
    try:
        edges = chosen.run(edge_list, runs_on, round_log, **options)
    except MemoryError as error:
        raise MemoryError("; ".join(filter(None, (str(error), gap_hint(graph))))) from None
    if not on_device:
        edges = runs_on.to_host(edges)
    report("solve", graph.n, graph.n, "components", 0)
    how = chosen.name, runs_on.name, runs_on.threads, tuple(round_log.rounds)
    requested = "" if algorithm == "auto" else chosen.name
    return Solution(edges, SolveRecord(*how, time.perf_counter() - begin, requested))


def rounds_reporter(n: int) -> Callable[[Round], None]:
    """Make a function that reports rounds: how many of n components have merged, or have no more edges."""
    fewest = n

    def tell(round_: Round) -> None:
        nonlocal fewest
        fewest = min(fewest, round_.n_components)
        report("solve", n - fewest, n, "components", round_.edges)

    return tell


def gap_hint(graph: Graph) -> str:
    """Return a hint for a graph of which nearly all vertices have no edge; empty for other graphs."""
    if graph.n <= 16 * graph.m:
        return ""
    names = argument("names", True)
    of = "" if names.startswith("-") else " of boruvka.as_graph, boruvka.read or Graph.from_edges"
    sizes = f"{graph.n:,} vertices but {graph.m:,} edges"
    return f"the graph has {sizes}: {names}{of} numbers only the ids that occur"


def _choose(
    graph: Graph, algorithm: str, backend: str, threads: int, on_device: bool, maximum: bool
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
    chosen = algorithm_for(algorithm, graph, runs_on, maximum)
    if backend == "cuda" and size is not None:
        check_fits(size)
    return runs_on, chosen


def size_of(graph: Graph) -> GraphSize:
    """Return the sizes from which the memory on a GPU follows."""
    itemsizes = graph.u.dtype.itemsize, graph.dtype.itemsize
    return GraphSize(graph.n, graph.m, *itemsizes, graph.is_on_device)
