"""R-MAT graphs: each edge descends into random quarters of the adjacency matrix."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.generators.counter_rng import LOW, ONE, S32, bit_width, permuted, random_bits, stream_key
from boruvka.generators.limits import check_memory, check_range, check_seed
from boruvka.generators.parallel_chunks import kernel, map_chunks
from boruvka.generators.weights import Kind, Type, make_weights, weight_type
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments

DRAWS = np.uint64(64)


class Plan(NamedTuple):
    """The arguments of `descend` that are the same for all edges."""

    scale: int
    a: int  # bounds of the quarters, of 2**32
    ab: int
    abc: int
    quarters: np.uint64  # keys of the random streams
    vertices: np.uint64
    edges: np.uint64
    m: int
    m_width: np.uint64
    permute: bool


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
    rmat_edges : a range of the edges.

    References
    ----------
    Chakrabarti, Zhan, Faloutsos: "R-MAT: A recursive model for graph mining", SDM 2004.
    The default probabilities and number of edges are those of GTgraph (Bader, Madduri, 2006).
    """
    u, v, w = rmat_edges(
        scale, m, a=a, b=b, c=c, d=d, permute=permute, seed=seed, weights=weights, dtype=dtype
    )
    return Graph(2**scale, u, v, w)


def rmat_edges(
    scale: int = 16,
    m: int | None = None,
    seed: int = 0,
    start: int = 0,
    stop: int | None = None,
    *,
    a: float = 0.45,
    b: float = 0.15,
    c: float = 0.15,
    d: float = 0.25,
    permute: bool = False,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.unsignedinteger], NDArray[Any]]:
    """Generate only the edges ``start`` to ``stop - 1`` of an R-MAT graph.

    Parameters
    ----------
    start, stop : int, optional
        The range of edges; all edges by default.
    scale, m, seed, a, b, c, d, permute, weights, dtype
        As for `rmat`.

    Returns
    -------
    u, v : (stop - start,) array of uint32, or uint64 where scale exceeds 32
        The ends.
    w : (stop - start,) array
        The weights.

    Raises
    ------
    OptionError
        As for `rmat`; only these edges must fit into memory.
    """
    scale = arguments.integer("scale", scale, 0, 40)
    n = 2**scale
    m = 10 * n if m is None else arguments.integer("m", m, 0)
    quarters = [arguments.real(name, p, 0, 1) for name, p in zip("abcd", (a, b, c, d), strict=True)]
    if abs(sum(quarters) - 1) > 1e-9:
        raise OptionError(f"a, b, c and d must sum to 1, but {a} + {b} + {c} + {d} = {sum(quarters):.12g}")
    seed = check_seed(seed)
    start, stop = check_range(start, stop, m)
    check_memory({"scale": scale, "m": m}, n, stop - start, weight_type(weights, dtype))

    w = make_weights(weights, dtype, m, seed, start, stop)
    u, v = np.empty(stop - start, vertex_dtype(n)), np.empty(stop - start, vertex_dtype(n))
    below_a, below_ab, below_abc = (round(bound * 2**32) for bound in np.cumsum(quarters)[:3])
    plan = Plan(
        scale=scale,
        a=below_a,
        ab=below_ab,
        abc=below_abc,
        quarters=stream_key(seed, "rmat quarters"),
        vertices=stream_key(seed, "rmat vertices"),
        edges=stream_key(seed, "rmat edges"),
        m=m,
        m_width=bit_width(m),
        permute=bool(permute),
    )
    map_chunks(lambda first, last: descend(u, v, start, first, last, plan), start, stop)
    return u, v, w


@kernel
def descend(u, v, start, first, last, plan):
    """Let each edge descend; 32 random bits choose the quarter of a level, a draw is for two levels."""
    n = ONE << plan.scale
    for i in range(first, last):
        edge = permuted(plan.edges, i, plan.m, plan.m_width) if plan.permute else i
        row = column = word = np.uint64(0)
        for level in range(plan.scale):
            word = word >> S32 if level & ONE else random_bits(plan.quarters, edge * DRAWS + level)
            point = word & LOW
            below_a, below_ab, below_abc = point < plan.a, point < plan.ab, point < plan.abc
            row = (row << ONE) | np.uint64(not below_ab)
            column = (column << ONE) | np.uint64(below_a ^ below_ab ^ (not below_abc))
        if plan.permute:
            row = permuted(plan.vertices, row, n, plan.scale)
            column = permuted(plan.vertices, column, n, plan.scale)
        u[i - start] = row
        v[i - start] = column
