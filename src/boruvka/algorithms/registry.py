"""The registry of algorithms: their names, options, sources and uses, and the choice for a graph.

To add an algorithm, write a module with a function ``solve(graph, backend, round_log, **options)``, and
name it in `ALGORITHMS`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from boruvka.errors import OptionError, shown
from boruvka.graph.abstract_graph import AbstractGraph, ImplicitGraph
from boruvka.runtime.arguments import argument

__all__ = ["ALGORITHMS", "EDGE_LIST_ALGORITHMS", "Algorithm", "algorithm_for"]

SORTING_PAYS_BELOW = 150_000
"""Minimum number of edges for rounds; below it, Kruskal's algorithm is faster, on one thread and on two."""
SORTING_SCATTERED_PAYS_BELOW = 6_000_000
"""The same, divided by the number of threads, where edges are in no order and few for each vertex: rounds
would read at random."""
SORTING_SCATTERED_PAYS_AT_DEGREE = 2.5
"""Maximum number of edges per vertex for that on one thread; on several, a filter is used where it pays."""
BLOCKS_PAY_FROM = 1_100_000
"""Minimum number of vertices for `block-boruvka`; below it, rounds over all edges are cheap."""


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
    takes : str
        Graphs without an edge list that it takes, as an error names them; it then takes no others. An
        algorithm with an empty string takes any graph.
    """

    name: str
    solver: str
    source: str
    complexity: str
    use: str
    takes: str = ""

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
            "algorithms.literature.sousa_2015.csr_contraction",
            "Sousa, Mariano, Proença 2015, Algorithm 1",
            "O(m log n)",
            "road networks on many cores: no atomics in the search, a smaller graph in every round",
        ),
        Algorithm(
            "colour-contraction",
            "algorithms.literature.sousa_2015.colour_contraction",
            "Harish et al. 2009; Nasre et al. 2013 (compared by Sousa et al. 2015)",
            "O(m log n)",
            "many cores and little memory: the graph is not rebuilt",
        ),
        Algorithm(
            "sequential",
            "algorithms.literature.fuh_vemuri.sequential",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(m log n)",
            "the baseline of Fuh and Vemuri: always one thread",
        ),
        Algorithm(
            "edge-contraction",
            "algorithms.literature.fuh_vemuri.edge_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(m log n)",
            "the simplest parallel algorithm, with the least memory",
        ),
        Algorithm(
            "star-contraction",
            "algorithms.literature.fuh_vemuri.star_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(m log n) expected, in three times as many rounds",
            "comparison: it contracts only stars, so no path is long",
        ),
        Algorithm(
            "component-edge-contraction",
            "algorithms.literature.fuh_vemuri.component_edge_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(n² + m log n)",
            "comparison on small graphs; refuses more than 20,000 vertices unless forced",
        ),
        Algorithm(
            "component-star-contraction",
            "algorithms.literature.fuh_vemuri.component_star_contraction",
            "Fuh, Vemuri (Carnegie Mellon)",
            "O(n² log n + m log n) expected",
            "comparison on small graphs; refuses more than 20,000 vertices unless forced",
        ),
        Algorithm(
            "scan-split",
            "algorithms.literature.vineet_2009.scan_split",
            "Vineet, Harish, Patidar, Narayanan 2009, Algorithm 1",
            "O(m log n)",
            "machines whose scans and sorts are fast: GPUs",
        ),
        Algorithm(
            "component-ranges",
            "algorithms.literature.adjacency_matrix.component_ranges",
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
            takes="a matrix, as Graph.from_dense(matrix) makes it, or points, as Graph.from_points(points)",
        ),
        Algorithm(
            "kd-tree-boruvka",
            "algorithms.kd_tree_boruvka.solve",
            "Bentley, Friedman 1978; March, Ram, Gray 2010",
            "O(n log² n) expected in few dimensions",
            "points in up to ten dimensions: Euclidean, Manhattan, Chebyshev, great-circle distances",
            takes="points, as Graph.from_points(points, metric) makes them",
        ),
        Algorithm(
            "filter-kruskal",
            "algorithms.literature.filter_kruskal.solve",
            "Osipov, Sanders, Singler 2009",
            "O(m + n log n log(m/n)) expected on random weights",
            "random weights on one core, with little memory for sorting",
        ),
        Algorithm(
            "prim",
            "algorithms.literature.prim.solve",
            "Jarník 1930; Prim 1957",
            "O(m log n)",
            "comparison; a heap, one tree at a time",
        ),
    )
}

EDGE_LIST_ALGORITHMS = tuple(name for name, algorithm in ALGORITHMS.items() if not algorithm.takes)
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
        No algorithm has this name, or it does not take the graph.
    """
    if not isinstance(name, str) or (name != "auto" and name not in ALGORITHMS):
        raise OptionError(f"unknown algorithm {shown(name)}; there are {', '.join(ALGORITHMS)} and auto")
    chosen = ALGORITHMS[_best_for(graph, has_private_caches, threads, maximum) if name == "auto" else name]
    if chosen.takes and not isinstance(graph, ImplicitGraph):
        raise OptionError(
            f"{chosen.name} takes {chosen.takes}, and this is a {type(graph).__name__}; for other graphs use "
            f"{argument('algorithm', 'auto')}"
        )
    return chosen


def _best_for(graph: AbstractGraph, has_private_caches: bool, threads: int, maximum: bool) -> str:
    if isinstance(graph, ImplicitGraph) and has_private_caches:
        return _best_for_implicit(graph, maximum)
    if has_private_caches and graph.m < SORTING_PAYS_BELOW:
        return "kruskal"
    from boruvka.algorithms import filter_boruvka as filtering  # not imported for a small graph
    from boruvka.algorithms.building_blocks import locality

    random_degree, degree = filtering.FILTER_PAYS_AT_RANDOM_DEGREE, float(filtering.FILTER_PAYS_AT_DEGREE)
    if not has_private_caches:  # on a GPU, where locality matters little
        pays = filtering.filter_pays(graph.m, graph.n, random_degree, has_private_caches)
        return "filter-boruvka" if pays else "boruvka"
    is_close, is_scattered = locality.ends_are_close(graph), not locality.edges_are_close(graph)
    if is_scattered:
        degree = filtering.FILTER_PAYS_AT_SCATTERED_DEGREE
    elif not is_close:
        degree = random_degree
    filter_pays = filtering.filter_pays(graph.m, graph.n, degree)
    if is_scattered and graph.m < filtering.FILTER_PAYS_AT_DEGREE * graph.n:
        if is_close and graph.n >= BLOCKS_PAY_FROM and graph.m < 2**32:
            return "block-boruvka"
        is_sparse = graph.m < SORTING_SCATTERED_PAYS_AT_DEGREE * graph.n
        sorting_pays = not filter_pays or (threads == 1 and is_sparse and not is_close)
        if sorting_pays and graph.m * threads < SORTING_SCATTERED_PAYS_BELOW:
            return "kruskal"
    if not filter_pays:
        return "boruvka"
    light = filtering.LIGHT_PER_COMPONENT * graph.n / graph.m
    return "boruvka" if locality.light_edges_are_together(graph, light) else "filter-boruvka"


def _best_for_implicit(graph: ImplicitGraph, maximum: bool) -> str:
    from boruvka.graph.distance_graph import DistanceGraph
    from boruvka.graph.points.point_index import tree_pays

    is_near = isinstance(graph, DistanceGraph) and not maximum and tree_pays(graph)
    return "kd-tree-boruvka" if is_near else "dense"
