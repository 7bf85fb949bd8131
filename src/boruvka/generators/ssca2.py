"""SSCA#2 graphs: cliques of random size, and edges between them that are rarer the farther they reach."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.generators import weights as edge_weights
from boruvka.generators.counter_rng import ONE, below, chance, key, shuffled
from boruvka.generators.parallel_chunks import CHUNK, in_chunks, kernel, offsets
from boruvka.generators.weights import Kind, Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments as checks

LEVELS = np.uint64(64)
VERTICES = CHUNK // 16


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
    """Make the graph of the HPCS benchmark SSCA#2, as an undirected graph.

    Vertices are cut into cliques of random size. Each pair of a clique is joined by one or more edges.
    Each vertex tries one vertex at a distance of about 2**t for t = 1, 2, ...; where that lies in
    another clique, it is joined with the probability ``probability / 2**(t - 1)``.

    Parameters
    ----------
    scale : int
        The graph has 2**scale vertices; 0 to 40.
    max_clique : int, optional
        Clique sizes are uniform from 1 to this; 2**(scale / 3) unless given.
    probability : float
        The probability of an edge to another clique at the smallest distance.
    max_parallel : int
        The number of parallel edges is uniform from 1 to this; between cliques each of them is there
        with the probability above.
    permute : bool
        Permute the vertex labels, which otherwise count along the cliques.
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
    ssca2_cliques : where the cliques begin.

    References
    ----------
    Bader, Madduri: "Design and implementation of the HPCS graph analysis benchmark on symmetric
    multiprocessors", HiPC 2005, and their suite GTgraph, from which the defaults are. The
    benchmark's share of one-way edges has no meaning here.
    """
    scale = checks.integer("scale", scale, 0, 40)
    n = 2**scale
    max_clique = _max_clique(scale, max_clique)
    probability = checks.real("probability", probability, 0, 1)
    max_parallel = checks.integer("max_parallel", max_parallel, 1, 2**16)
    seed = checks.seed(seed)
    chosen = edge_weights.weight_type(weights, dtype)
    what = f"scale={scale}, max_clique={max_clique}, max_parallel={max_parallel}"
    expected = int(n * ((max_clique - 1) / 3 + 2 * probability) * (1 + max_parallel) / 2)
    checks.fits(what, n, expected, chosen, extra=8 * n)

    starts = ssca2_cliques(scale, max_clique, seed)
    none = np.empty(0, checks.ids(n))
    limit = int(probability * 2**53)
    keys = tuple(key(seed, f"ssca2 {stream}") for stream in ("pairs", "targets", "parallel", "between"))
    shape = starts, scale, max_clique, max_parallel, limit
    counts = in_chunks(
        lambda first, last: clique_edges(none, none, 0, first, last, *shape, *keys), 0, n, VERTICES
    )
    begins = offsets(counts)
    m = int(begins[-1])
    checks.fits(what, n, m, chosen, extra=8 * n)
    w = edge_weights.make(weights, dtype, m, seed)
    u, v = np.empty(m, checks.ids(n)), np.empty(m, checks.ids(n))
    in_chunks(
        lambda first, last: clique_edges(u, v, begins[first // VERTICES], first, last, *shape, *keys),
        0,
        n,
        VERTICES,
    )
    if permute:
        labels = key(seed, "ssca2 labels")
        in_chunks(lambda first, last: relabelled(u, v, first, last, labels, n, scale), 0, m)
    return Graph(n, u, v, w)


def ssca2_cliques(scale: int = 14, max_clique: int | None = None, seed: int = 0) -> NDArray[np.uint64]:
    """Cut the vertices into the cliques of `ssca2`, in the numbering before labels are permuted.

    Parameters
    ----------
    scale, max_clique, seed
        As for `ssca2`.

    Returns
    -------
    (cliques + 1,) array of uint64
        Clique ``c`` holds vertices ``starts[c]`` to ``starts[c + 1] - 1``. The last may be cut short.
    """
    scale = checks.integer("scale", scale, 0, 40)
    max_clique = _max_clique(scale, max_clique)
    sizes = key(checks.seed(seed), "ssca2 sizes")
    n = 2**scale
    starts = np.zeros(1, np.uint64)
    while starts[-1] < n:
        drawn = np.arange(starts.size, starts.size + 64 + 2 * (n - int(starts[-1])) // (max_clique + 1))
        more = below(sizes, drawn.astype(np.uint64), np.uint64(max_clique)) + ONE
        starts = np.concatenate([starts, starts[-1] + np.cumsum(more)])
    return np.append(starts[: np.searchsorted(starts, n)], np.uint64(n))


def _max_clique(scale: int, max_clique: int | None) -> int:
    if max_clique is None:
        return int(2 ** (scale / 3) + 1e-9)
    return checks.integer("max_clique", max_clique, 1, 2**20)


@kernel
def clique_edges(
    u, v, at, first, last, starts, scale, max_clique, max_parallel, limit, pairs, targets, parallel, between
):
    """Write the edges of some vertices from slot ``at`` on, and return how many; only count without room."""
    begin = at
    m = np.uint64(u.size)
    n = ONE << scale
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
            draw = vertex * max_clique + (other - clique_begin)
            for _ in range(ONE + below(pairs, draw, max_parallel)):
                if at < m:
                    u[at] = other
                    v[at] = vertex
                at += ONE
        likely = limit
        for level in range(ONE, scale):
            draw = vertex * LEVELS + level
            distance = ONE << level
            other = (vertex + distance + below(targets, draw, distance >> ONE)) & (n - ONE)
            if other < clique_begin or other >= clique_end:
                for copy in range(ONE + below(parallel, draw, max_parallel)):
                    if chance(between, draw * max_parallel + copy, likely):
                        if at < m:
                            u[at] = vertex
                            v[at] = other
                        at += ONE
            likely >>= ONE
    return at - begin


@kernel
def relabelled(u, v, first, last, labels, n, scale):
    """Permute vertex ids in place."""
    for i in range(first, last):
        u[i] = shuffled(labels, np.uint64(u[i]), n, scale)
        v[i] = shuffled(labels, np.uint64(v[i]), n, scale)
