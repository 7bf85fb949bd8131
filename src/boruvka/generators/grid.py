"""Grids: like road networks, they have small degrees and a large diameter."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from boruvka.generators.counter_rng import ONE, bit_width, permuted, random_event, stream_key
from boruvka.generators.limits import check_memory, check_seed
from boruvka.generators.parallel_chunks import count_edges, kernel, write_edges
from boruvka.generators.weights import Kind, Type, make_weights, weight_type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments


class Plan(NamedTuple):
    """The arguments of `neighbours` that are the same for all vertices."""

    n: int
    cols: int
    drops: np.uint64  # key of the edges that are left out
    limit: int  # their probability, of 2**53
    order: np.uint64  # key of the order of edges
    shuffle: bool


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
    """Generate a grid: vertex ``r * cols + c`` is joined to its right and its lower neighbour.

    Edges are numbered by vertex, the edge to the right before the edge down.

    Parameters
    ----------
    rows, cols : int
        Size of the grid; 1 or more.
    drop : float
        The probability of leaving out an edge. With 0.4, a grid has 1.2 edges for each vertex, as road
        networks have; from 0.5 on, a large grid falls apart into small components.
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
    The meshes, and the meshes with a fraction of the edges, of Bader, Cong: "Fast shared-memory
    algorithms for computing the minimum spanning forest of sparse graphs", J. Parallel Distrib.
    Comput. 66, 2006.
    """
    rows, cols = arguments.integer("rows", rows, 1), arguments.integer("cols", cols, 1)
    drop = arguments.real("drop", drop, 0, 1)
    seed = check_seed(seed)
    n = rows * cols
    all_edges = rows * (cols - 1) + cols * (rows - 1)
    expected = int(all_edges * (1 - drop))
    chosen = weight_type(weights, dtype)
    check_memory({"rows": rows, "cols": cols}, n, expected, chosen, extra=n)

    plan = Plan(
        n=n,
        cols=cols,
        drops=stream_key(seed, "grid drops"),
        limit=int(drop * 2**53),
        order=stream_key(seed, "grid order"),
        shuffle=bool(shuffle),
    )

    def write(u, v, slot, first, last):
        return neighbours(u, v, slot, first, last, plan, bit_width(u.size))

    begins = count_edges(write, n)
    w = make_weights(weights, dtype, int(begins[-1]), seed)
    return Graph(n, *write_edges(write, n, begins), w)


@kernel
def neighbours(u, v, at, first, last, plan, m_width):
    """Write the edges of some vertices from slot ``at`` on, and return how many; only count without room."""
    begin = at
    m = np.uint64(u.size)
    for vertex in range(first, last):
        for down in range(2):
            draw = (vertex << ONE) | np.uint64(down)
            other = vertex + (plan.cols if down else ONE)
            inside = other < plan.n if down else other % plan.cols != np.uint64(0)
            if inside and not random_event(plan.drops, draw, plan.limit):
                if at < m:
                    slot = permuted(plan.order, at, m, m_width) if plan.shuffle else at
                    u[slot] = vertex
                    v[slot] = other
                at += ONE
    return at - begin
