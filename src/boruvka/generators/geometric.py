"""Random geometric graphs: points in the unit square, with edges between points within a radius."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.generators.edges import KINDS, Type, check_memory, make_weights, map_chunks, weight_type
from boruvka.graph.graph import Graph
from boruvka.graph.validation import vertex_dtype
from boruvka.operators.counter_rng import random_unit, stream_key
from boruvka.runtime import arguments
from boruvka.runtime.arguments import argument

Kind = Literal["distance", "uniform", "distinct", "integers_8", "integers_1000", "constant"]

POINTS = 1 << 14
"""Points in a chunk."""


def geometric(
    n: int = 1 << 16,
    *,
    degree: float | None = None,
    radius: float | None = None,
    seed: int = 0,
    weights: Kind = "distance",
    dtype: Type = "float64",
) -> Graph:
    """Generate a random geometric graph: points of the unit square, with edges within a radius.

    Points are numbered as they are drawn, so ids are independent of positions. Edges go from the smaller
    to the larger id, and are numbered by the position of their ends.

    Parameters
    ----------
    n : int
        Number of points; 1 or more.
    degree : float, optional
        The expected degree, which determines the radius: ``degree = pi * radius**2 * (n - 1)``. Points
        near the border have fewer neighbours. 8 by default.
    radius : float, optional
        The largest distance of two points with an edge, as an alternative to the degree.
    seed : int
        The same seed makes the same graph.
    weights : str
        Kind of the weights: distance (floats only), uniform, distinct, integers_8, integers_1000, constant.
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
    geometric_points : the points.

    References
    ----------
    Penrose: "Random Geometric Graphs", Oxford University Press, 2003. Near points are found
    in a grid of cells, as in Bentley, Stanat, Williams: "The complexity of finding fixed-radius
    near neighbors", Inf. Process. Lett. 6, 1977.
    """
    n = arguments.integer("n", n, 1)
    seed = arguments.integer("seed", seed, 0)
    radius = _choose_radius(n, degree, radius)
    chosen = _weight_type(weights, dtype)
    expected = int(n * (n - 1) / 2 * min(1.0, math.pi * radius**2))
    check_memory({"n": n, "radius": float(f"{radius:.4g}")}, n, expected, chosen, extra=64 * n)

    # A cell must be wider than the radius also after rounding.
    side = max(1, min(math.isqrt(n), int((1 - 1e-9) / radius)))
    x, y = geometric_points(n, seed)
    row, column = _cell_of(x, y, side)
    order = np.argsort(row * side + column, kind="stable")
    starts = np.zeros(side * side + 1, np.int64)
    np.cumsum(np.bincount(row * side + column, minlength=side * side), out=starts[1:])
    cells = order.astype(vertex_dtype(n)), x[order], y[order], starts, side
    found = map_chunks(lambda first, last: _near_pairs(cells, first, last, radius * radius), 0, n, POINTS)
    u, v, distances = (np.concatenate(columns) for columns in zip(*found, strict=True))
    w = distances.astype(chosen) if weights == "distance" else make_weights(weights, dtype, u.size, seed)
    return Graph(n, u, v, w).annotated(coordinates=partial(_coordinates, n, seed))


def _coordinates(n: int, seed: int) -> NDArray[np.float64]:
    return np.column_stack(geometric_points(n, seed))


def geometric_points(n: int, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Generate the points of `geometric`, independent and uniform in the unit square.

    Parameters
    ----------
    n : int
        Number of points.
    seed : int
        The same seed makes the same points.

    Returns
    -------
    x, y : (n,) array of float64
        Coordinates from [0, 1).
    """
    n, seed = arguments.integer("n", n, 1), arguments.integer("seed", seed, 0)
    key, draws = stream_key(seed, "geometric points"), np.arange(2 * n, dtype=np.uint64)
    x, y = random_unit(key, draws).reshape(n, 2).T.copy()
    return x, y


def _choose_radius(n: int, degree: Any, radius: Any) -> float:
    if radius is not None:
        if degree is not None:
            raise OptionError(f"give {argument('degree')} or {argument('radius')}, not both")
        return arguments.real("radius", radius, 1e-9, math.sqrt(2))
    degree = arguments.real("degree", 8 if degree is None else degree, 0, 1e9)
    return min(math.sqrt(2), max(1e-9, math.sqrt(degree / (math.pi * max(n - 1, 1)))))


def _weight_type(weights: Any, dtype: Any) -> np.dtype[Any]:
    if arguments.one_of("weights", weights, ("distance", *KINDS)) != "distance":
        return weight_type(weights, dtype)
    chosen = weight_type("uniform", dtype)
    if chosen.kind != "f":
        distance, integers = argument("weights", "distance"), argument("dtype", dtype)
        raise OptionError(f"{distance} needs the type float32 or float64, got {integers}")
    return chosen


def _cell_of(x: NDArray[np.float64], y: NDArray[np.float64], side: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the row and the column of the cell of each point."""
    row, column = (np.minimum((values * side).astype(np.int64), side - 1) for values in (y, x))
    return row, column


def _near_pairs(cells: Any, first: int, last: int, limit: float) -> tuple[NDArray[Any], ...]:
    """List the edges of points ``first`` to ``last - 1``: smaller end, larger end, distance.

    The cells are the points sorted by the cell of a square grid that they are in, row by row; their
    coordinates in this order; where each cell begins; and the number of cells in a row.

    A point is compared with the points after it in its cell and the cell to the right, and with the points of
    the three cells below. These are two runs of the sorted points, and each pair is compared once.
    """
    order, x, y, starts, side = cells
    points = np.arange(first, last)
    row, column = _cell_of(x[first:last], y[first:last], side)
    left, right = np.maximum(column - 1, 0), np.minimum(column + 1, side - 1)
    below = np.minimum(row + 1, side - 1) * side  # the last row is its own; its runs below are empty
    begins = np.stack([points + 1, starts[below + left]], axis=1).ravel()
    ends = np.stack([starts[row * side + right + 1], starts[below + right + 1]], axis=1)
    ends[row + 1 == side, 1] = 0
    sizes = np.maximum(ends.ravel() - begins, 0)
    p = np.repeat(np.repeat(points, 2), sizes)
    q = np.arange(p.size) + np.repeat(begins - (np.cumsum(sizes) - sizes), sizes)
    dx, dy = x[q] - x[p], y[q] - y[p]
    square = dx * dx + dy * dy
    near = square <= limit
    one, other = order[p[near]], order[q[near]]
    return np.minimum(one, other), np.maximum(one, other), np.sqrt(square[near])
