"""SSCA#2 graphs: cliques of random size, and random edges between them, fewer over larger distances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.generators.counter_rng import ONE, permuted, random_below, random_event, stream_key
from boruvka.generators.limits import check_memory, check_seed
from boruvka.generators.parallel_chunks import CHUNK, count_edges, kernel, map_chunks, write_edges
from boruvka.generators.weights import Kind, Type, make_weights, weight_type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments

LEVELS = np.uint64(64)
VERTICES = CHUNK // 16
"""Vertices in a chunk."""


class Plan(NamedTuple):
    """The arguments of `clique_edges` that are the same for all vertices."""

    starts: NDArray[np.uint64]  # the first vertex of each clique, and n
    scale: int
    max_clique: int
    max_parallel: int
    limit: int  # probability of an edge at the smallest distance, of 2**53
    pairs: np.uint64  # keys of the random streams
    targets: np.uint64
    parallel: np.uint64
    between: np.uint64


def ssca2(
    scale: int = 14,
    max_clique: int | None = None,
    *,
    probability: float = 0.5,
    max_parallel: int = 3,
    permute: bool = True,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Generate the graph of the HPCS benchmark SSCA#2, as an undirected graph.

    Vertices are partitioned into cliques of random size. Each pair of a clique has one or more edges.
    For t = 1, 2, ... each vertex draws a vertex at a distance of about 2**t; if that is in another clique,
    they have an edge with the probability ``probability / 2**(t - 1)``.

    Parameters
    ----------
    scale : int
        The graph has 2**scale vertices; 0 to 40.
    max_clique : int, optional
        Clique sizes are uniform from 1 to this; 2**(scale / 3) by default.
    probability : float
        The probability of an edge to another clique at the smallest distance.
    max_parallel : int
        The number of parallel edges is uniform from 1 to this; between cliques, each of them exists with
        the probability above.
    permute : bool
        Permute the vertex labels; otherwise the vertices of a clique are consecutive.
    seed : int
        The same seed makes the same graph.
    weights : str
        Kind of the weights: uniform, distinct, few, thousand or equal.
    dtype : str
        Type of the weights.

    Returns
    -------
    Graph

    Raises
    ------
    OptionError
        An argument is out of its range, or the graph does not fit into memory.

    See Also
    --------
    ssca2_cliques : the cliques.

    References
    ----------
    Bader, Madduri: "Design and implementation of the HPCS graph analysis benchmark on symmetric
    multiprocessors", HiPC 2005, and their suite GTgraph, which has the same defaults. The fraction of
    directed edges in the benchmark has no meaning here.
    """
    scale = arguments.integer("scale", scale, 0, 40)
    n = 2**scale
    max_clique = _max_clique(scale, max_clique)
    probability = arguments.real("probability", probability, 0, 1)
    max_parallel = arguments.integer("max_parallel", max_parallel, 1, 2**16)
    seed = check_seed(seed)
    chosen = weight_type(weights, dtype)
    sizes = {"scale": scale, "max_clique": max_clique, "max_parallel": max_parallel}
    expected = int(n * ((max_clique - 1) / 3 + 2 * probability) * (1 + max_parallel) / 2)
    check_memory(sizes, n, expected, chosen, extra=8 * n)

    keys = (stream_key(seed, f"ssca2 {stream}") for stream in ("pairs", "targets", "parallel", "between"))
    starts = ssca2_cliques(scale, max_clique, seed)
    plan = Plan(starts, scale, max_clique, max_parallel, int(probability * 2**53), *keys)

    def write(u, v, slot, first, last):
        return clique_edges(u, v, slot, first, last, plan)

    begins = count_edges(write, n, VERTICES)
    m = int(begins[-1])
    check_memory(sizes, n, m, chosen, extra=8 * n)
    w = make_weights(weights, dtype, m, seed)
    u, v = write_edges(write, n, begins, VERTICES)
    if permute:
        key = stream_key(seed, "ssca2 labels")
        map_chunks(lambda first, last: permute_labels(u, v, first, last, key, n, scale), 0, m)
    return Graph(n, u, v, w)


def ssca2_cliques(scale: int = 14, max_clique: int | None = None, seed: int = 0) -> NDArray[np.uint64]:
    """Generate the cliques of `ssca2`, in the numbering before labels are permuted.

    Parameters
    ----------
    scale, max_clique, seed
        As for `ssca2`.

    Returns
    -------
    (cliques + 1,) array of uint64
        Clique ``c`` has the vertices ``starts[c]`` to ``starts[c + 1] - 1``. The last may be smaller.
    """
    scale = arguments.integer("scale", scale, 0, 40)
    max_clique = _max_clique(scale, max_clique)
    key = stream_key(check_seed(seed), "ssca2 sizes")
    n = 2**scale
    starts = np.zeros(1, np.uint64)
    while starts[-1] < n:
        drawn = np.arange(starts.size, starts.size + 64 + 2 * (n - int(starts[-1])) // (max_clique + 1))
        more = random_below(key, drawn.astype(np.uint64), np.uint64(max_clique)) + ONE
        starts = np.concatenate([starts, starts[-1] + np.cumsum(more)])
    return np.append(starts[: np.searchsorted(starts, n)], np.uint64(n))


def _max_clique(scale: int, max_clique: int | None) -> int:
    if max_clique is None:
        return int(2 ** (scale / 3) + 1e-9)
    return arguments.integer("max_clique", max_clique, 1, 2**20)


@kernel
def clique_edges(u, v, at, first, last, plan):
    """Write the edges of some vertices from slot ``at`` on, and return how many; only count without room."""
    begin = at
    m = np.uint64(u.size)
    n = ONE << plan.scale
    starts = plan.starts
    clique, beyond = np.uint64(0), np.uint64(starts.size) - ONE
    while beyond - clique > ONE:
        middle = (clique + beyond) >> ONE
        if starts[middle] <= first:
            clique = middle
        else:
            beyond = middle
    for vertex in range(first, last):
        while starts[clique + ONE] <= vertex:
            clique += ONE
        clique_begin, clique_end = starts[clique], starts[clique + ONE]
        for other in range(clique_begin, vertex):
            draw = vertex * plan.max_clique + (other - clique_begin)
            for _ in range(ONE + random_below(plan.pairs, draw, plan.max_parallel)):
                if at < m:
                    u[at] = other
                    v[at] = vertex
                at += ONE
        limit = plan.limit
        for level in range(ONE, plan.scale):
            draw = vertex * LEVELS + level
            distance = ONE << level
            other = (vertex + distance + random_below(plan.targets, draw, distance >> ONE)) & (n - ONE)
            if other < clique_begin or other >= clique_end:
                for copy in range(ONE + random_below(plan.parallel, draw, plan.max_parallel)):
                    if random_event(plan.between, draw * plan.max_parallel + copy, limit):
                        if at < m:
                            u[at] = vertex
                            v[at] = other
                        at += ONE
            limit >>= ONE
    return at - begin


@kernel
def permute_labels(u, v, first, last, key, n, scale):
    """Permute the vertex ids of some edges in place."""
    for i in range(first, last):
        u[i] = permuted(key, np.uint64(u[i]), n, scale)
        v[i] = permuted(key, np.uint64(v[i]), n, scale)
