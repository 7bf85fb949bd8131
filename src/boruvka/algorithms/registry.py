"""The registry of algorithms: their names, options, sources and uses, and the choice for a graph.

To add an algorithm, write a module with a function ``solve(graph, backend, round_log, **options)``, and
name it in `ALGORITHMS`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boruvka.algorithms.building_blocks import locality
from boruvka.algorithms.filter_boruvka import (
    FILTER_PAYS_AT_DEGREE,
    FILTER_PAYS_AT_RANDOM_DEGREE,
    LIGHT_PER_COMPONENT,
    filter_pays,
)
from boruvka.errors import OptionError, shown
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.distance_graph import DistanceGraph
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.graph.points.point_index import tree_pays

__all__ = ["ALGORITHMS", "EDGE_LIST_ALGORITHMS", "Algorithm", "algorithm_for"]

SORTING_PAYS_BELOW = 500_000
"""Edges below which Kruskal's algorithm is faster than rounds, on one thread and on two."""
SORTING_SCATTERED_PAYS_BELOW = 6_000_000
"""The same, divided by the number of threads, where edges are in no order and few for each vertex: rounds
would read at random. Half of that where vertices that are joined have close numbers."""
BLOCKS_PAY_FROM = 1_100_000
"""Vertices from which blocks pay: with fewer, rounds over all edges are cheap anyway."""


class Algorithm(NamedTuple):
    """An algorithm that `minimum_spanning_forest` can run.

    Attributes
    ----------
    name : str
    solver : str
        The function in this package that runs it, imported when it is needed.
    source : str
        Authors and year of publication.
    complexity : str
        The work for n vertices and m edges.
    use : str
        The graphs and purposes that it suits.
    takes_implicit : bool
        It also takes `ImplicitEdges`, a graph without an edge list.
    takes_edges : bool
        It takes any graph; else only points.
    """

    name: str
    solver: str
    source: str
    complexity: str
    use: str
    takes_implicit: bool = False
    takes_edges: bool = True

    @property
    def run(self) -> Callable[..., Any]:
        """The function that runs it.

        ``run(graph, backend, round_log, **options)`` finds the minimum spanning forest of an `EdgeList`, logs
        its rounds and steps, and returns the edges of the forest, an (f,) array of int64, ascending.
        """
        return _solver(self.solver)

    @property
    def options(self) -> dict[str, bool | int]:
        """Names and default values of the options."""
        import inspect

        parameters = list(inspect.signature(self.run).parameters.values())[3:]
        return {parameter.name: parameter.default for parameter in parameters}

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise an `OptionError` unless these are options of the algorithm, of the right types."""
        if not isinstance(options, Mapping):
            raise OptionError(f"options must be a mapping of names to values, got {shown(options)}")
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise OptionError(f"{self.name} has no option {shown(name)}; it has {known}")
            kind = type(self.options[name])
            if type(value) is not kind:
                wanted = {bool: "True or False", int: "an integer"}[kind]
                raise OptionError(f"option {name} of {self.name} must be {wanted}, got {shown(value)}")


@functools.cache
def _solver(name: str) -> Callable[..., Any]:
    module, _, function = name.rpartition(".")
    return getattr(importlib.import_module(f"boruvka.{module}"), function)


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm(
            "filter-boruvka",
            "algorithms.filter_boruvka.solve",
            "Borůvka 1926; filter: Osipov, Sanders, Singler 2009",
            "O(m + n log² n) expected on random weights",
            "most graphs with at least 2 edges per vertex",
        ),
        Algorithm(
            "boruvka",
            "algorithms.boruvka.solve",
            "Borůvka 1926; edge lists with ordered keys: Fallin, Gonzalez, Seo, Burtscher 2023",
            "O(m log n)",
            "sparse graphs: road networks, grids, meshes, trees",
        ),
        Algorithm(
            "block-boruvka",
            "algorithms.block_boruvka.solve",
            "Borůvka 1926; local contraction first: Sanders, Schimek 2023",
            "O(m log n)",
            "sparse graphs whose edges are shuffled",
        ),
        Algorithm(
            "kruskal",
            "algorithms.kruskal.solve",
            "Kruskal 1956",
            "O(m log n)",
            "small graphs, and larger ones of few edges in no order",
        ),
        Algorithm(
            "csr-contraction",
            "literature.sousa_2015.csr_contraction",
            "Sousa, Mariano, Proença 2015, Algorithm 1",
            "O(m log n)",
            "road networks on many cores: no atomics in the search, a smaller graph in every round",
        ),
        Algorithm(
            "colour-contraction",
            "literature.sousa_2015.colour_contraction",
            "Harish et al. 2009; Nasre et al. 2013 (compared by Sousa et al. 2015)",
            "O(m log n)",
            "many cores and little memory: the graph is not rebuilt",
        ),
        Algorithm(
            "sequential",
            "literature.fuh_vemuri.sequential",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(m log n)",
            "the baseline of Fuh and Vemuri: always one thread",
        ),
        Algorithm(
            "edge-contraction",
            "literature.fuh_vemuri.edge_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(m log n)",
            "the simplest parallel algorithm, with the least memory",
        ),
        Algorithm(
            "star-contraction",
            "literature.fuh_vemuri.star_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(m log n) expected, in three times as many rounds",
            "comparison: it contracts only stars, so no path is long",
        ),
        Algorithm(
            "component-edge-contraction",
            "literature.fuh_vemuri.component_edge_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(n² + m log n)",
            "comparison on small graphs; refuses more than 20,000 vertices unless forced",
        ),
        Algorithm(
            "component-star-contraction",
            "literature.fuh_vemuri.component_star_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(n² log n + m log n) expected",
            "comparison on small graphs; refuses more than 20,000 vertices unless forced",
        ),
        Algorithm(
            "scan-split",
            "literature.vineet_2009.scan_split",
            "Vineet, Harish, Patidar, Narayanan 2009, Algorithm 1",
            "O(m log n)",
            "machines whose scans and sorts are fast: GPUs",
        ),
        Algorithm(
            "component-ranges",
            "literature.adjacency_matrix.component_ranges",
            "adjacency-matrix report (IIT Hyderabad, 2025)",
            "O(m log n) on each thread",
            "comparison; the log lists the range of each thread",
        ),
        Algorithm(
            "dense",
            "algorithms.dense.solve",
            "matrix input: IIT Hyderabad, 2025; Prim's algorithm in each tile: Dijkstra 1959",
            "O(n²)",
            "matrices, and points with a distance; no edge list is made",
            takes_implicit=True,
        ),
        Algorithm(
            "kd-tree-boruvka",
            "algorithms.kd_tree_boruvka.solve",
            "Bentley, Friedman 1978; March, Ram, Gray 2010",
            "O(n log² n) expected in few dimensions",
            "points in up to ten dimensions: Euclidean, Manhattan, Chebyshev, great-circle distances",
            takes_implicit=True,
            takes_edges=False,
        ),
        Algorithm(
            "filter-kruskal",
            "literature.filter_kruskal.solve",
            "Osipov, Sanders, Singler 2009",
            "O(m + n log n log(m/n)) expected on random weights",
            "random weights on one core, with little memory for sorting",
        ),
        Algorithm(
            "prim",
            "literature.prim.solve",
            "Jarník 1930; Prim 1957",
            "O(m log n)",
            "comparison; a heap, one tree at a time",
        ),
    )
}

EDGE_LIST_ALGORITHMS = tuple(name for name, algorithm in ALGORITHMS.items() if algorithm.takes_edges)
"""The names of those that take any graph."""


def algorithm_for(
    name: str, graph: AbstractGraph, has_private_caches: bool = True, threads: int = 1, maximum: bool = False
) -> Algorithm:
    """Get an algorithm by name, or the one that suits a graph for "auto".

    Parameters
    ----------
    name : str
        One of ``ALGORITHMS``, or "auto".
    graph : AbstractGraph
    has_private_caches : bool
        Each thread of the backend has a large cache of its own (see `Backend`).
    threads : int
        Number of threads that the algorithm will use.
    maximum : bool
        Whether a maximum spanning forest is wanted.

    Returns
    -------
    Algorithm

    Raises
    ------
    OptionError
        No algorithm has this name.
    """
    if not isinstance(name, str) or name not in (*ALGORITHMS, "auto"):
        raise OptionError(f"unknown algorithm {shown(name)}; there are {', '.join(ALGORITHMS)} and auto")
    return ALGORITHMS[_best_for(graph, has_private_caches, threads, maximum) if name == "auto" else name]


def _best_for(graph: AbstractGraph, has_private_caches: bool, threads: int, maximum: bool) -> str:
    if not has_private_caches:  # on a GPU, where locality matters little
        pays = filter_pays(graph.m, graph.n, FILTER_PAYS_AT_RANDOM_DEGREE, has_private_caches)
        return "filter-boruvka" if pays else "boruvka"
    if isinstance(graph, ImplicitGraph):
        is_near = isinstance(graph, DistanceGraph) and not maximum and tree_pays(graph)
        return "kd-tree-boruvka" if is_near else "dense"
    if graph.m < SORTING_PAYS_BELOW:
        return "kruskal"
    is_close, is_scattered = locality.ends_are_close(graph), not locality.edges_are_close(graph)
    if is_scattered and graph.m < FILTER_PAYS_AT_DEGREE * graph.n:
        if is_close and graph.n >= BLOCKS_PAY_FROM and graph.m < 2**32:
            return "block-boruvka"
        if graph.m * threads < SORTING_SCATTERED_PAYS_BELOW // (2 if is_close else 1):
            return "kruskal"
    degree = FILTER_PAYS_AT_DEGREE if is_close else FILTER_PAYS_AT_RANDOM_DEGREE
    if not filter_pays(graph.m, graph.n, degree):
        return "boruvka"
    light = LIGHT_PER_COMPONENT * graph.n / graph.m
    return "boruvka" if locality.light_edges_are_together(graph, light) else "filter-boruvka"
