"""R-MAT: the adjacency matrix is quartered again and again, and each edge falls into a quarter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.generators import weights as edge_weights
from boruvka.generators.counter_rng import LOW, ONE, S32, bits, key, shuffled, width
from boruvka.generators.parallel_chunks import in_chunks, kernel
from boruvka.generators.weights import Kind, Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments as checks

DRAWS = np.uint64(64)


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
    """Make an R-MAT graph: few vertices of large degree, many of small degree.

    Each edge descends ``scale`` times into a quarter of the adjacency matrix. Self-loops, parallel
    edges and isolated vertices occur and are kept. The probabilities are the same on every level; the
    noise that some generators add to them is left out.

    Parameters
    ----------
    scale : int
        The graph has 2**scale vertices; 0 to 40.
    m : int, optional
        Number of edges; ten a vertex unless given.
    a, b, c, d : float
        Probabilities of the quarters: top left, top right, bottom left, bottom right. They sum to 1.
    permute : bool
        Permute the vertex labels and shuffle the edges, as Graph500 does. Otherwise small ids have
        large degrees.
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
    rmat_edges : a slice of the edges.

    References
    ----------
    Chakrabarti, Zhan, Faloutsos: "R-MAT: A recursive model for graph mining", SDM 2004.
    The default probabilities, and ten edges a vertex, are those of GTgraph (Bader, Madduri, 2006).
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
    """Make the edges ``start`` to ``stop - 1`` of an R-MAT graph, and nothing else of it.

    Parameters
    ----------
    start, stop : int, optional
        The slice; all edges unless given.
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
        As for `rmat`; only the slice must fit into memory.
    """
    scale = checks.integer("scale", scale, 0, 40)
    n = 2**scale
    m = 10 * n if m is None else checks.integer("m", m, 0)
    quarters = [checks.real(name, p, 0, 1) for name, p in zip("abcd", (a, b, c, d), strict=True)]
    if abs(sum(quarters) - 1) > 1e-9:
        raise OptionError(f"a, b, c and d must sum to 1, but {a} + {b} + {c} + {d} = {sum(quarters):.12g}")
    seed = checks.seed(seed)
    start, stop = checks.part(start, stop, m)
    checks.fits(f"scale={scale}, m={m}", n, stop - start, edge_weights.weight_type(weights, dtype))

    w = edge_weights.make(weights, dtype, m, seed, start, stop)
    u, v = np.empty(stop - start, checks.ids(n)), np.empty(stop - start, checks.ids(n))
    bounds = [round(bound * 2**32) for bound in np.cumsum(quarters)[:3]]
    keys = key(seed, "rmat quarters"), key(seed, "rmat vertices"), key(seed, "rmat edges")
    in_chunks(
        lambda first, last: quartered(
            u, v, start, first, last, scale, *bounds, *keys, m, width(m), bool(permute)
        ),
        start,
        stop,
    )
    return u, v, w


@kernel
def quartered(u, v, start, first, last, scale, a, ab, abc, quarters, vertices, edges, m, m_width, permute):
    """Let each edge descend; 32 random bits choose the quarter of a level, two levels a draw."""
    n = ONE << scale
    for i in range(first, last):
        edge = shuffled(edges, i, m, m_width) if permute else i
        row = column = word = np.uint64(0)
        for level in range(scale):
            word = word >> S32 if level & ONE else bits(quarters, edge * DRAWS + level)
            point = word & LOW
            below_a, below_ab, below_abc = point < a, point < ab, point < abc
            row = (row << ONE) | np.uint64(not below_ab)
            column = (column << ONE) | np.uint64(below_a ^ below_ab ^ (not below_abc))
        if permute:
            row = shuffled(vertices, row, n, scale)
            column = shuffled(vertices, column, n, scale)
        u[i - start] = row
        v[i - start] = column
