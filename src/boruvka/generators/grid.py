"""Grids: like road networks, they have small degrees and a large diameter."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from boruvka.generators import edges
from boruvka.graph.graph import Graph
from boruvka.graph.validation import vertex_dtype
from boruvka.operators.counter_rng import ONE, bit_width, random_event, stream_key
from boruvka.runtime import arguments


def grid(
    rows: int = 256,
    cols: int = 256,
    *,
    drop_probability: float = 0.0,
    shuffle: bool = False,
    seed: int = 0,
    weights: edges.Kind = "uniform",
    dtype: edges.Type = "float32",
) -> Graph:
    """Generate a grid: vertex ``r * cols + c`` is joined to its right and its lower neighbour.

    Edges are numbered by vertex, the edge to the right before the edge down.

    Parameters
    ----------
    rows, cols : int
        Size of the grid; 1 or more.
    drop_probability : float
        The probability of leaving out an edge. With 0.4, a grid has 1.2 edges for each vertex, as road
        networks have; from 0.5 on, a large grid falls apart into small components.
    shuffle : bool
        Number the edges in random order.
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
    The meshes, and the meshes with a fraction of the edges, of Bader, Cong: "Fast shared-memory
    algorithms for computing the minimum spanning forest of sparse graphs", J. Parallel Distrib.
    Comput. 66, 2006.
    """
    rows, cols = arguments.integer("rows", rows, 1), arguments.integer("cols", cols, 1)
    drop_probability = arguments.real("drop_probability", drop_probability, 0, 1)
    seed = arguments.integer("seed", seed, 0)
    n = rows * cols
    expected = int((rows * (cols - 1) + cols * (rows - 1)) * (1 - drop_probability))
    chosen = edges.weight_type(weights, dtype)
    edges.check_memory({"rows": rows, "cols": cols}, n, expected, chosen, extra=n)

    drops, limit = stream_key(seed, "grid drops"), np.uint64(drop_probability * 2**53)

    def edges_of(first, last):
        draw = np.arange(2 * first, 2 * last, dtype=np.uint64)
        vertex, is_down = draw >> ONE, (draw & ONE).astype(bool)
        other = vertex + np.where(is_down, np.uint64(cols), ONE)
        inside = np.where(is_down, other < np.uint64(n), other % np.uint64(cols) != 0)
        kept = inside & ~random_event(drops, draw, limit)
        return vertex[kept], other[kept]

    u, v = (
        np.concatenate(columns).astype(vertex_dtype(n))
        for columns in zip(*edges.map_chunks(edges_of, 0, n), strict=True)
    )
    if arguments.flag("shuffle", shuffle):
        m, key = u.size, stream_key(seed, "grid order")
        slots = np.empty(m, np.uint64)
        edges.map_chunks(lambda i, j: edges.permuted_numbers(slots, 0, i, j, key, m, bit_width(m)), 0, m)
        ends = u, v
        u, v = np.empty_like(u), np.empty_like(v)
        u[slots], v[slots] = ends
    w = edges.make_weights(weights, dtype, u.size, seed)
    return Graph(n, u, v, w).annotated(coordinates=partial(_coordinates, rows, cols))


def _coordinates(rows: int, cols: int) -> NDArray[np.float64]:
    """Return the column of each vertex, and its row from the bottom."""
    row, column = np.divmod(np.arange(rows * cols), cols)
    return np.column_stack([column, rows - 1 - row]).astype(np.float64)
