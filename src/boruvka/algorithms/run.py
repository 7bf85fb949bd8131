"""Solve a graph: choose a backend and an algorithm, run it, and return the indices of the forest's edges.

`RULES` is the choice of an algorithm: named facts of a graph, and rules over them.
``docs/decisions/choice-of-algorithm.md`` has the figures; the thresholds are in `boruvka.backends.tuning`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList, ImplicitEdges
from boruvka.algorithms.registry import ALGORITHMS, Algorithm
from boruvka.backends import Backend, best_backend, check_fits, get_backend
from boruvka.errors import OptionError, shown
from boruvka.graph.graph import DistanceGraph, Graph, ImplicitGraph
from boruvka.operators.sort_keys import packing_of
from boruvka.runtime.arguments import argument, did_you_mean
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import is_listening, report
from boruvka.runtime.round_log import Round, RoundLog, SolveRecord

SAMPLE = 1024
"""Number of edges in the sample that shows the locality of a graph."""


class SolveOptions(NamedTuple):
    """How to solve a graph: arguments of `boruvka.minimum_spanning_forest` that do not change the forest."""

    algorithm: str = "auto"
    backend: str = "auto"
    threads: int | None = None
    algorithm_options: Mapping[str, Any] | None = None
    on_device: bool = False


DEFAULT = SolveOptions()


class Solution(NamedTuple):
    """The edges of a forest, and how they were found."""

    edges: NDArray[Any]
    """Indices of the edges, ascending; on a GPU if the caller asked for it."""
    record: SolveRecord


def solve_graph(graph: Graph, maximum: bool = False, options: SolveOptions = DEFAULT) -> Solution:
    """Find the edges of the minimum spanning forest of a graph.

    Arguments and errors are as for `boruvka.minimum_spanning_forest`.
    """
    backend = _backend_for(graph, options)
    algorithm = algorithm_for(options.algorithm, graph, backend, maximum)
    algorithm_options = {} if options.algorithm_options is None else options.algorithm_options
    algorithm.check(algorithm_options)
    begin = time.perf_counter()
    round_log = RoundLog(rounds_reporter(graph.n) if is_listening() else None)
    edge_list: EdgeList | ImplicitEdges
    if algorithm.needs_implicit_graph and isinstance(graph, ImplicitGraph):
        edge_list = ImplicitEdges(graph, packing_of(graph.dtype, maximum))
    else:
        edge_list = EdgeList.of(graph, maximum, backend)
    try:
        edges = algorithm.run(edge_list, backend, round_log, **algorithm_options)
    except MemoryError as error:
        raise MemoryError("; ".join(filter(None, (str(error), gap_hint(graph))))) from None
    if not options.on_device:
        edges = backend.to_host(edges)
    report("solve", graph.n, graph.n, "components", 0)
    rounds, seconds = tuple(round_log.rounds), time.perf_counter() - begin
    requested = "" if options.algorithm == "auto" else algorithm.name
    record = SolveRecord(algorithm.name, backend.name, backend.threads, rounds, seconds, requested)
    return Solution(edges, record)


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


def _backend_for(graph: Graph, options: SolveOptions) -> Backend:
    """Get the backend that the options name, or the one that suits the graph, and check that this fits."""
    name, is_listed = options.backend, not isinstance(graph, ImplicitGraph)
    if not isinstance(name, str):
        raise OptionError(f"backend must be a name, got {shown(name)}")
    if name == "auto":
        name = best_backend(graph) if is_listed else "threads"
    backend = get_backend(name, thread_count(options.threads))
    if options.on_device and not (graph.is_on_device and backend.name == "cuda"):
        on_gpu = argument("on_device", True)
        raise OptionError(f"{on_gpu} is for a graph whose arrays are on a GPU, and backend cuda or auto")
    if options.backend == "cuda" and is_listed:
        check_fits(graph)
    return backend


def algorithm_for(name: str, graph: Graph, backend: Backend, maximum: bool = False) -> Algorithm:
    """Get an algorithm by name, or the one that suits a graph for "auto".

    Parameters
    ----------
    name : str
        One of ``ALGORITHMS``, or "auto".
    graph : Graph
    backend : Backend
        The backend that will run the algorithm.
    maximum : bool
        Whether a maximum spanning forest is wanted.

    Returns
    -------
    Algorithm

    Raises
    ------
    OptionError
        No algorithm has this name, or it does not take the graph or the backend.
    """
    if isinstance(name, str) and name == "auto":
        known = Facts(graph, backend, maximum)
        for suited, holds in RULES:
            if holds(known):
                return ALGORITHMS[suited]
    if not isinstance(name, str) or name not in ALGORITHMS:
        close = did_you_mean(name, (*ALGORITHMS, "auto"))
        raise OptionError(
            f"unknown algorithm {shown(name)}{close or ';'} there are {', '.join(ALGORITHMS)} and auto"
        )
    chosen = ALGORITHMS[name]
    if chosen.needs_implicit_graph and not isinstance(graph, ImplicitGraph):
        raise OptionError(
            f"{chosen.name} takes {chosen.implicit_graphs}, and this is a {graph.kind}; for other graphs use "
            f"{argument('algorithm', 'auto')}"
        )
    if chosen.needs_implicit_graph and not backend.is_cpu:
        raise OptionError(f"{chosen.name} runs only on the CPU: choose another backend than {backend.name}")
    return chosen


class Facts:
    """Named facts of a graph and its backend, each of which is found when a rule asks for it.

    Parameters
    ----------
    graph : Graph
    backend : Backend
    maximum : bool
        Whether a maximum spanning forest is wanted.
    """

    def __init__(self, graph: Graph, backend: Backend, maximum: bool):
        self.graph, self.maximum = graph, maximum
        self.tuning, self.threads = backend.tuning, backend.threads
        self.on_cpu = backend.is_cpu
        self.edges_are_computed = self.on_cpu and isinstance(graph, ImplicitGraph)
        """The edges are pairs of points, or the entries of a matrix, and are not listed."""

    @property
    def prim_pays(self) -> bool:
        """There are few points: to grow one tree on one thread is faster than a kd-tree or tiles."""
        graph, most = self.graph, self.tuning.prim_pays_up_to
        if self.maximum or not isinstance(graph, DistanceGraph):
            return False
        if graph.n > (most if graph.min_samples is None else most // 2):
            return False
        if graph.points.size > self.tuning.prim_pays_up_to_coordinates:
            return False
        from boruvka.algorithms.point_prim import METRICS

        return graph.pairs.search_metric in METRICS

    @property
    def tree_pays(self) -> bool:
        """A kd-tree of the points is faster than all distances."""
        from boruvka.graph.points.point_index import tree_pays

        return isinstance(self.graph, DistanceGraph) and not self.maximum and tree_pays(self.graph.pairs)

    @property
    def sorting_pays(self) -> bool:
        """The edges are listed, and one sort of them is faster than rounds."""
        is_list = self.on_cpu and not self.edges_are_computed
        return is_list and self.graph.m < self.tuning.sorting_pays_below

    @cached_property
    def ends_are_close(self) -> bool:
        """Most edges join vertices with close numbers, as in road networks, grids and meshes."""
        graph = self.graph
        is_one_block = graph.n <= 1 << self.tuning.block_bits or not graph.m
        return is_one_block or self._are_mostly_close(graph.u, graph.v)

    @cached_property
    def edges_are_scattered(self) -> bool:
        """The edge list is in no order of vertices; on a GPU, where it matters little, this is false."""
        u = self.graph.u
        return self.on_cpu and u.size > 1 and not self._are_mostly_close(u[:-1], u[1:])

    @property
    def rounds_miss_the_cache(self) -> bool:
        """Rounds over all edges would read at random: edges are scattered, and few for each vertex."""
        return self.edges_are_scattered and self.graph.m < self.tuning.filter_pays_at_degree * self.graph.n

    @property
    def blocks_pay(self) -> bool:
        """Most edges lie in a block of vertices, and there are many blocks; a position takes 32 bits."""
        return self.ends_are_close and self.graph.n >= self.tuning.blocks_pay_from and self.graph.m < 2**32

    @property
    def sorting_scattered_pays(self) -> bool:
        """One sort of scattered edges is faster: there are few for each thread, and a filter saves less."""
        graph, tuning = self.graph, self.tuning
        is_sparse = graph.m < tuning.sorting_scattered_pays_at_degree * graph.n
        beats_filter = self.threads == 1 and is_sparse and not self.ends_are_close
        is_small = graph.m * self.threads < tuning.sorting_scattered_pays_below
        return is_small and (beats_filter or not self.filter_pays)

    @cached_property
    def filter_pays(self) -> bool:
        """There are enough edges, for their locality, to solve the light ones first."""
        from boruvka.algorithms.filter_boruvka import filter_pays

        tuning = self.tuning
        if self.edges_are_scattered:
            degree = tuning.filter_pays_at_scattered_degree
        elif self.on_cpu and self.ends_are_close:
            degree = tuning.filter_pays_at_degree
        else:
            degree = tuning.filter_pays_at_random_degree
        return filter_pays(self.graph.m, self.graph.n, degree, tuning, self.on_cpu)

    @property
    def light_edges_are_together(self) -> bool:
        """Light edges come together in a list by vertex, as in dense regions of points: a filter keeps many.

        Most of them are then followed by another light edge of the same vertex. In a list in another order
        this cannot be seen.
        """
        if not self.on_cpu:
            return False
        graph, i = self.graph, _sample(self.graph.m - 1)
        w = graph.w[i]
        light = self.tuning.light_per_component * graph.n / graph.m
        heaviest = np.sort(w)[int(light * w.size)]
        i = i[w <= heaviest]
        pairs = (graph.u[i] == graph.u[i + 1]) & (graph.w[i + 1] <= heaviest)
        return bool(np.count_nonzero(pairs) > 0.5 * (1 + i.size / w.size) * i.size)

    def _are_mostly_close(self, u: NDArray[np.unsignedinteger], v: NDArray[np.unsignedinteger]) -> bool:
        """Return whether three quarters of a sample of pairs lie in the same block or in adjacent blocks."""
        i, bits = _sample(u.size), self.tuning.block_bits
        a, b = u[i] >> bits, v[i] >> bits
        return bool(np.count_nonzero(np.maximum(a, b) - np.minimum(a, b) <= 1) >= 0.75 * i.size)


def _sample(size: int) -> NDArray[np.int64]:
    return np.linspace(0, size - 1, min(SAMPLE, size)).astype(np.int64)


RULES: tuple[tuple[str, Callable[[Facts], bool]], ...] = (
    ("kruskal", lambda known: known.sorting_pays),
    ("point-prim", lambda known: known.edges_are_computed and known.prim_pays),
    ("kd-tree-boruvka", lambda known: known.edges_are_computed and known.tree_pays),
    ("dense", lambda known: known.edges_are_computed),
    ("block-boruvka", lambda known: known.rounds_miss_the_cache and known.blocks_pay),
    ("kruskal", lambda known: known.rounds_miss_the_cache and known.sorting_scattered_pays),
    ("boruvka", lambda known: not known.filter_pays or known.light_edges_are_together),
    ("filter-boruvka", lambda known: True),
)
"""Algorithms and when they suit a graph; the first one that does is chosen."""
