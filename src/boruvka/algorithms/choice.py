"""The choice of an algorithm for a graph: named facts, and rules over them.

``docs/decisions/choice-of-algorithm.md`` has the figures; the thresholds are in `boruvka.backends.tuning`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from boruvka.algorithms.registry import ALGORITHMS, Algorithm
from boruvka.backends.primitives import Backend
from boruvka.errors import OptionError, shown
from boruvka.graph.graph import DistanceGraph, Graph, ImplicitGraph
from boruvka.runtime.arguments import argument

__all__ = ["RULES", "Facts", "algorithm_for"]


class Facts:
    """The facts known of a graph and its backend; each is found when a rule asks for it.

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
        self.on_cpu = backend.has_private_caches
        self.edges_are_computed = self.on_cpu and isinstance(graph, ImplicitGraph)
        """The edges are pairs of points, or the entries of a matrix, and are not listed."""

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
        """Neighbours have close numbers, as in road networks, grids and meshes."""
        from boruvka.algorithms.building_blocks.locality import ends_are_close

        return ends_are_close(self.graph, self.tuning.block_bits)

    @cached_property
    def edges_are_scattered(self) -> bool:
        """The edge list is in no order of vertices; on a GPU, where it matters little, this is false."""
        from boruvka.algorithms.building_blocks.locality import edges_are_close

        return self.on_cpu and not edges_are_close(self.graph, self.tuning.block_bits)

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
        """Light edges are mostly of the same vertices, so that a filter keeps too much."""
        from boruvka.algorithms.building_blocks.locality import light_edges_are_together

        light = self.tuning.light_per_component * self.graph.n / self.graph.m
        return self.on_cpu and light_edges_are_together(self.graph, light)


RULES: tuple[tuple[str, Callable[[Facts], bool]], ...] = (
    ("kruskal", lambda known: known.sorting_pays),
    ("kd-tree-boruvka", lambda known: known.edges_are_computed and known.tree_pays),
    ("dense", lambda known: known.edges_are_computed),
    ("block-boruvka", lambda known: known.rounds_miss_the_cache and known.blocks_pay),
    ("kruskal", lambda known: known.rounds_miss_the_cache and known.sorting_scattered_pays),
    ("boruvka", lambda known: not known.filter_pays or known.light_edges_are_together),
    ("filter-boruvka", lambda known: True),
)
"""Algorithms and when they suit a graph; the first one that does is chosen."""


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
        raise OptionError(f"unknown algorithm {shown(name)}; there are {', '.join(ALGORITHMS)} and auto")
    chosen = ALGORITHMS[name]
    if chosen.takes and not isinstance(graph, ImplicitGraph):
        raise OptionError(
            f"{chosen.name} takes {chosen.takes}, and this is a {graph.kind}; for other graphs use "
            f"{argument('algorithm', 'auto')}"
        )
    if chosen.takes and not backend.has_private_caches:
        raise OptionError(f"{chosen.name} runs only on the CPU: choose another backend than {backend.name}")
    return chosen
