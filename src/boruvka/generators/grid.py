"""Grids: the shape of road networks, with small degrees and large distances."""

from __future__ import annotations

import numpy as np

from boruvka.generators import weights as edge_weights
from boruvka.generators.counter_rng import ONE, chance, key, shuffled, width
from boruvka.generators.parallel_chunks import CHUNK, in_chunks, kernel, offsets
from boruvka.generators.weights import Kind, Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments as checks


def grid(
    rows: int = 256,
    cols: int = 256,
    *,
    drop: float = 0.0,
    shuffle: bool = False,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Make a grid: vertex ``r * cols + c`` is joined to its right and its lower neighbour.

    Edges are numbered along the rows, the edge to the right before the edge down.

    Parameters
    ----------
    rows, cols : int
        Size of the grid; 1 or more.
    drop : float
        Each edge is left out with this probability. A road network has 1.2 edges a vertex, as a grid
        with 0.4 has; from 0.5 on a large grid falls into small parts.
    shuffle : bool
        Number the edges in random order.
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

    References
    ----------
    The meshes, and the meshes with a share of the edges, of Bader, Cong: "Fast shared-memory
    algorithms for computing the minimum spanning forest of sparse graphs", J. Parallel Distrib.
    Comput. 66, 2006.
    """
    rows, cols = checks.integer("rows", rows, 1), checks.integer("cols", cols, 1)
    drop = checks.real("drop", drop, 0, 1)
    seed = checks.seed(seed)
    n = rows * cols
    all_edges = rows * (cols - 1) + cols * (rows - 1)
    expected = int(all_edges * (1 - drop))
    chosen = edge_weights.weight_type(weights, dtype)
    checks.fits(f"rows={rows}, cols={cols}", n, expected, chosen, extra=n)

    drops, order = key(seed, "grid drops"), key(seed, "grid order")
    limit = int(drop * 2**53)
    none = np.empty(0, checks.ids(n))
    counts = in_chunks(
        lambda first, last: neighbours(none, none, 0, first, last, n, cols, drops, limit, order, 0, False),
        0,
        n,
    )
    begins = offsets(counts)
    m = int(begins[-1])
    w = edge_weights.make(weights, dtype, m, seed)
    u, v = np.empty(m, checks.ids(n)), np.empty(m, checks.ids(n))
    in_chunks(
        lambda first, last: neighbours(
            u, v, begins[first // CHUNK], first, last, n, cols, drops, limit, order, width(m), bool(shuffle)
        ),
        0,
        n,
    )
    return Graph(n, u, v, w)


@kernel
def neighbours(u, v, at, first, last, n, cols, drops, limit, order, m_width, shuffle):
    """Write the edges that stay from slot ``at`` on, and return how many; only count if there is no room."""
    begin = at
    m = np.uint64(u.size)
    for vertex in range(first, last):
        for down in range(2):
            draw = (vertex << ONE) | np.uint64(down)
            other = vertex + (cols if down else ONE)
            inside = other < n if down else other % cols != np.uint64(0)
            if inside and not chance(drops, draw, limit):
                if at < m:
                    slot = shuffled(order, at, m, m_width) if shuffle else at
                    u[slot] = vertex
                    v[slot] = other
                at += ONE
    return at - begin
