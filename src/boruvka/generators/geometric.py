"""Random geometric graphs: points in the unit square, with edges between points within a radius."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.generators.counter_rng import ONE, random_unit, stream_key
from boruvka.generators.limits import check_memory, check_seed
from boruvka.generators.parallel_chunks import CHUNK, count_edges, kernel, map_chunks, write_edges
from boruvka.generators.weights import KINDS, Type, make_weights, weight_type
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments
from boruvka.runtime.argument_names import argument

Kind = Literal["distance", "uniform", "distinct", "few", "thousand", "equal"]

POINTS = CHUNK // 8
"""Points in a chunk."""


class Cells(NamedTuple):
    """Points sorted by the cell of a square grid that they are in, row by row."""

    order: NDArray[Any]  # the points
    x: NDArray[np.float64]  # and their coordinates, in this order
    y: NDArray[np.float64]
    starts: NDArray[np.uint64]  # cell c holds the points at starts[c] to starts[c + 1] - 1
    side: int  # cells in a row


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
        Kind of the weights: distance (floats only), uniform, distinct, few, thousand or equal.
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
    seed = check_seed(seed)
    radius = _choose_radius(n, degree, radius)
    chosen = _weight_type(weights, dtype)
    expected = int(n * (n - 1) / 2 * min(1.0, math.pi * radius**2))
    check_memory({"n": n, "radius": float(f"{radius:.4g}")}, n, expected, chosen, extra=64 * n)

    # A cell must be wider than the radius also after rounding.
    side = max(1, min(math.isqrt(n), int((1 - 1e-9) / radius)))
    cells = _sort_by_cell(*geometric_points(n, seed), side)

    def write(u, v, slot, first, last):
        return near_pairs(u, v, distances, slot, first, last, cells, radius * radius)

    distances = np.empty(0, chosen if weights == "distance" else np.float64)
    begins = count_edges(write, n, POINTS)
    m = int(begins[-1])
    check_memory({"n": n, "radius": float(f"{radius:.4g}")}, n, m, chosen, extra=64 * n)
    if weights == "distance":
        w = distances = np.empty(m, chosen)
    else:
        w = make_weights(weights, dtype, m, seed)
    return Graph(n, *write_edges(write, n, begins, POINTS), w)


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
    n, seed = arguments.integer("n", n, 1), check_seed(seed)
    x, y = np.empty(n), np.empty(n)
    key = stream_key(seed, "geometric points")
    map_chunks(lambda first, last: uniform_points(x, y, first, last, key), 0, n)
    return x, y


def _choose_radius(n: int, degree: Any, radius: Any) -> float:
    if radius is not None:
        if degree is not None:
            raise OptionError(f"give {argument('degree')} or {argument('radius')}, not both")
        return arguments.real("radius", radius, 1e-9, math.sqrt(2))
    degree = arguments.real("degree", 8 if degree is None else degree, 0, 1e9)
    return min(math.sqrt(2), max(1e-9, math.sqrt(degree / (math.pi * max(n - 1, 1)))))


def _weight_type(weights: Any, dtype: Any) -> np.dtype[Any]:
    if weights != "distance":
        arguments.choice("weights", weights, ("distance", *KINDS))
        return weight_type(weights, dtype)
    chosen = weight_type("uniform", dtype)
    if chosen.kind != "f":
        distance, integers = argument("weights", "distance"), argument("dtype", dtype)
        raise OptionError(f"{distance} needs the type float32 or float64, got {integers}")
    return chosen


def _sort_by_cell(x: NDArray[np.float64], y: NDArray[np.float64], side: int) -> Cells:
    n = x.size
    sizes = np.zeros(side * side, np.uint64)
    count_by_cell(sizes, x, y, side)
    starts = np.zeros(side * side + 1, np.uint64)
    np.cumsum(sizes, out=starts[1:])
    cells = Cells(np.empty(n, vertex_dtype(n)), np.empty(n), np.empty(n), starts, side)
    scatter_by_cell(*cells[:3], starts[:-1].copy(), x, y, side)
    return cells


@kernel
def uniform_points(x, y, first, last, key):
    """Draw the coordinates of points."""
    for i in range(first, last):
        x[i] = random_unit(key, i << ONE)
        y[i] = random_unit(key, (i << ONE) | ONE)


@kernel
def count_by_cell(sizes, x, y, side):
    """Count the points of each cell."""
    for i in range(x.size):
        row = min(np.uint64(y[i] * side), side - ONE)
        column = min(np.uint64(x[i] * side), side - ONE)
        sizes[row * side + column] += ONE


@kernel
def scatter_by_cell(order, x_sorted, y_sorted, cursor, x, y, side):
    """Put each point into the next free slot of its cell."""
    for i in range(x.size):
        row = min(np.uint64(y[i] * side), side - ONE)
        column = min(np.uint64(x[i] * side), side - ONE)
        slot = cursor[row * side + column]
        cursor[row * side + column] = slot + ONE
        order[slot] = i
        x_sorted[slot] = x[i]
        y_sorted[slot] = y[i]


@kernel
def near_pairs(u, v, distances, at, first, last, cells, limit):
    """Write the edges of some points from slot ``at`` on, and return how many; only count without room.

    A point is compared with the points after it in its cell and the cell to the right, and with those of the
    three cells below. These are two runs of the sorted points, and each pair is compared once.
    """
    begin = at
    order, x, y, starts, side = cells
    m, m_distances = np.uint64(u.size), np.uint64(distances.size)
    for p in range(first, last):
        row = min(np.uint64(y[p] * side), side - ONE)
        column = min(np.uint64(x[p] * side), side - ONE)
        right = min(column + ONE, side - ONE)
        left = column - np.uint64(column > np.uint64(0))
        for below in range(2):
            if below:
                if row + ONE == side:
                    break
                run = starts[(row + ONE) * side + left]
                run_end = starts[(row + ONE) * side + right + ONE]
            else:
                run = p + ONE
                run_end = starts[row * side + right + ONE]
            for q in range(run, run_end):
                dx, dy = x[q] - x[p], y[q] - y[p]
                square = dx * dx + dy * dy
                if square <= limit:
                    if at < m:
                        u[at] = min(order[p], order[q])
                        v[at] = max(order[p], order[q])
                    if at < m_distances:
                        distances[at] = np.sqrt(square)
                    at += ONE
    return at - begin
