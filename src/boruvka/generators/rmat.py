"""R-MAT graphs, and Kronecker graphs: each edge descends into random quarters of the adjacency matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.generators.edges import Kind, Type, check_memory, kernel, make_weights, weight_type, write_range
from boruvka.graph.graph import Graph
from boruvka.operators.counter_rng import LOW, ONE, S32, bit_width, permuted, random_bits, stream_key
from boruvka.runtime import arguments

DRAWS = np.uint64(64)
GRAPH500 = 0.57, 0.19, 0.19, 0.05

Edges = tuple[NDArray[np.unsignedinteger], NDArray[np.unsignedinteger], NDArray[Any]]


def rmat(
    scale: int = 16,
    m: int | None = None,
    *,
    a: float = 0.45,
    b: float = 0.15,
    c: float = 0.15,
    d: float = 0.25,
    permute: bool = False,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Generate an R-MAT graph: few vertices of large degree, many of small degree.

    Each edge descends ``scale`` times into a quarter of the adjacency matrix. Self-loops, parallel
    edges and isolated vertices occur and are kept. The probabilities are the same on every level, without
    the noise that some generators add.

    Parameters
    ----------
    scale : int
        The graph has 2**scale vertices; 0 to 40.
    m : int, optional
        Number of edges; ten for each vertex by default.
    a, b, c, d : float
        Probabilities of the quarters: top left, top right, bottom left, bottom right. They sum to 1.
    permute : bool
        Permute the vertex labels and shuffle the edges, as Graph500 does. Otherwise vertices with small
        ids have large degrees.
    seed : int
        The same seed makes the same graph.
    weights : str
        Kind of the weights: uniform, distinct, integers_8, integers_1000 or constant.
    dtype : str
        Type of the weights.

    Returns
    -------
    Graph

    Raises
    ------
    OptionError
        An argument is out of its range, or the graph does not fit into memory.

    References
    ----------
    Chakrabarti, Zhan, Faloutsos: "R-MAT: A recursive model for graph mining", SDM 2004.
    The default probabilities and number of edges are GTgraph's (Bader, Madduri, 2006).
    """
    u, v, w = _edges(scale, m, (a, b, c, d), permute, seed, weights, dtype)
    return Graph(2 ** int(scale), u, v, w)


def kronecker(
    scale: int = 16,
    edge_factor: int = 16,
    *,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Generate a Kronecker graph by the Graph500 specification.

    It has 2**scale vertices and edge_factor * 2**scale edges, the initiator 0.57, 0.19, 0.19, 0.05,
    permuted vertex labels and shuffled edges. Self-loops, parallel edges and isolated vertices (38% of
    the vertices at scale 20) occur and are kept, as the specification requires.

    Parameters
    ----------
    scale : int
        The graph has 2**scale vertices; 0 to 40.
    edge_factor : int
        Edges for each vertex; 16 in the specification.
    seed : int
        The same seed makes the same graph.
    weights : str
        Kind of the weights: uniform, distinct, integers_8, integers_1000 or constant.
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
    kronecker_edges : a range of the edges.

    References
    ----------
    Graph 500 Benchmarks 1 ("Search") and 2 ("Shortest Path"), version 2.0, section 3, "Generating the
    Edge List", https://graph500.org/?page_id=12. The random numbers are this package's own.
    """
    u, v, w = kronecker_edges(scale, edge_factor, seed, weights=weights, dtype=dtype)
    return Graph(2 ** int(scale), u, v, w)


def kronecker_edges(
    scale: int = 16,
    edge_factor: int = 16,
    seed: int = 0,
    start: int = 0,
    stop: int | None = None,
    *,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Edges:
    """Generate only the edges ``start`` to ``stop - 1`` of a Kronecker graph.

    Parameters
    ----------
    start, stop : int, optional
        The range of edges; all edges by default.
    scale, edge_factor, seed, weights, dtype
        As for `kronecker`.

    Returns
    -------
    u, v : (stop - start,) array of uint32, or uint64 where scale exceeds 32
        The ends.
    w : (stop - start,) array
        The weights.

    Raises
    ------
    OptionError
        As for `kronecker`; only these edges must fit into memory.
    """
    m = arguments.integer("edge_factor", edge_factor, 1, 2**20) << arguments.integer("scale", scale, 0, 40)
    return _edges(scale, m, GRAPH500, True, seed, weights, dtype, start, stop, edge_factor=edge_factor)


def _edges(scale, m, quarters, permute, seed, weights, dtype, start=0, stop=None, **sizes):
    """Generate the edges ``start`` to ``stop - 1`` of an R-MAT graph; only these must fit into memory."""
    scale = arguments.integer("scale", scale, 0, 40)
    n = 2**scale
    m = 10 * n if m is None else arguments.integer("m", m, 0)
    quarters = tuple(arguments.real(name, p, 0, 1) for name, p in zip("abcd", quarters, strict=True))
    if abs(sum(quarters) - 1) > 1e-9:
        raise OptionError(
            f"a, b, c and d must sum to 1, but {' + '.join(map(str, quarters))} = {sum(quarters):.12g}"
        )
    seed = arguments.integer("seed", seed, 0)
    start = arguments.integer("start", start, 0, m)
    stop = m if stop is None else arguments.integer("stop", stop, start, m)
    check_memory({"scale": scale} | (sizes or {"m": m}), n, stop - start, weight_type(weights, dtype))

    w = make_weights(weights, dtype, m, seed, start, stop)
    bounds = np.array([round(bound * 2**32) for bound in np.cumsum(quarters)[:3]], np.uint64)
    keys = np.array([stream_key(seed, f"rmat {name}") for name in ("quarters", "vertices", "edges")])

    def write(u, v, *indices):
        descend(u, v, *indices, scale, m, bounds, keys, bit_width(m), arguments.flag("permute", permute))

    return *write_range(write, n, start, stop), w


@kernel
def descend(u, v, start, first, last, scale, m, bounds, keys, m_width, permute):
    """Let each edge descend; 32 random bits choose the quarter of a level, a draw is for two levels.

    The bounds of the quarters are multiples of 2**-32; there are keys of quarters, of vertices and of edges.
    """
    n = ONE << scale
    for i in range(first, last):
        edge = permuted(keys[2], i, m, m_width) if permute else i
        row = column = word = np.uint64(0)
        for level in range(scale):
            word = word >> S32 if level & ONE else random_bits(keys[0], edge * DRAWS + level)
            point = word & LOW
            below_a, below_ab, below_abc = point < bounds[0], point < bounds[1], point < bounds[2]
            row = (row << ONE) | np.uint64(not below_ab)
            column = (column << ONE) | np.uint64(below_a ^ below_ab ^ (not below_abc))
        if permute:
            row = permuted(keys[1], row, n, scale)
            column = permuted(keys[1], column, n, scale)
        u[i - start] = row
        v[i - start] = column
