"""Random geometric graphs: points in the unit square, joined where they are near."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.generators import weights as edge_weights
from boruvka.generators.counter_rng import ONE, key, unit
from boruvka.generators.parallel_chunks import CHUNK, in_chunks, kernel, offsets
from boruvka.generators.weights import Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments as checks

Kind = Literal["distance", "uniform", "distinct", "few", "thousand", "equal"]


def geometric(
    n: int = 1 << 16,
    *,
    degree: float | None = None,
    radius: float | None = None,
    seed: int = 0,
    weights: Kind = "distance",
    dtype: Type = "float64",
) -> Graph:
    """Make a random geometric graph: points of the unit square, joined within a radius.

    Points are numbered as they are drawn, so that ids say nothing about places; edges go from the
    smaller to the larger id, and are numbered place by place.

    Parameters
    ----------
    n : int
        Number of points; 1 or more.
    degree : float, optional
        The average degree aimed at, from which the radius follows: ``degree = pi * radius**2 * (n - 1)``.
        Points near the border have fewer neighbours. 8 unless given.
    radius : float, optional
        Points at most so far apart are joined; given instead of the degree.
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
    through a grid of cells, as in Bentley, Stanat, Williams: "The complexity of finding fixed-radius
    near neighbors", Inf. Process. Lett. 6, 1977.
    """
    n = checks.integer("n", n, 1)
    seed = checks.seed(seed)
    radius = _radius(n, degree, radius)
    chosen = _weight_type(weights, dtype)
    expected = int(n * (n - 1) / 2 * min(1.0, math.pi * radius**2))
    checks.fits(f"n={n}, radius={radius:.4g}", n, expected, chosen, extra=64 * n)

    # A cell must be wider than the radius also after rounding.
    cells = max(1, min(math.isqrt(n), int((1 - 1e-9) / radius)))
    order, x, y, starts = _by_cell(*geometric_points(n, seed), cells)
    none, no_weight = np.empty(0, order.dtype), np.empty(0, chosen)
    near = order, x, y, starts, cells, radius * radius

    counts = in_chunks(
        lambda first, last: near_pairs(none, none, no_weight, 0, first, last, *near), 0, n, CHUNK // 8
    )
    begins = offsets(counts)
    m = int(begins[-1])
    checks.fits(f"n={n}, radius={radius:.4g}", n, m, chosen, extra=64 * n)
    u, v = np.empty(m, order.dtype), np.empty(m, order.dtype)
    w = np.empty(m, chosen) if weights == "distance" else edge_weights.make(weights, dtype, m, seed)
    distance = w if weights == "distance" else no_weight
    in_chunks(
        lambda first, last: near_pairs(u, v, distance, begins[first // (CHUNK // 8)], first, last, *near),
        0,
        n,
        CHUNK // 8,
    )
    return Graph(n, u, v, w)


def geometric_points(n: int, seed: int = 0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Make the points of `geometric`, independent and uniform in the unit square.

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
    n, seed = checks.integer("n", n, 1), checks.seed(seed)
    x, y = np.empty(n), np.empty(n)
    places = key(seed, "geometric points")
    in_chunks(lambda first, last: uniform_points(x, y, first, last, places), 0, n)
    return x, y


def _radius(n: int, degree: Any, radius: Any) -> float:
    if radius is not None:
        if degree is not None:
            raise OptionError(f"give degree or radius, not both; got degree={degree} and radius={radius}")
        return checks.real("radius", radius, 1e-9, math.sqrt(2))
    degree = checks.real("degree", 8 if degree is None else degree, 0, 1e9)
    return min(math.sqrt(2), max(1e-9, math.sqrt(degree / (math.pi * max(n - 1, 1)))))


def _weight_type(weights: Any, dtype: Any) -> np.dtype[Any]:
    if weights != "distance":
        if weights not in edge_weights.KINDS:
            checks.choice("weights", weights, ("distance", *edge_weights.KINDS))
        return edge_weights.weight_type(weights, dtype)
    chosen = edge_weights.weight_type("uniform", dtype)
    if chosen.kind != "f":
        raise OptionError(f"weights='distance' need dtype float32 or float64, got {dtype!r}")
    return chosen


def _by_cell(x: NDArray[np.float64], y: NDArray[np.float64], cells: int) -> tuple[NDArray[Any], ...]:
    """Sort points by cell, row by row; cell ``c`` holds ``starts[c]`` to ``starts[c + 1] - 1``."""
    n = x.size
    sizes = np.zeros(cells * cells, np.uint64)
    cell_sizes(sizes, x, y, cells)
    starts = np.zeros(cells * cells + 1, np.uint64)
    np.cumsum(sizes, out=starts[1:])
    order, x_sorted, y_sorted = np.empty(n, checks.ids(n)), np.empty(n), np.empty(n)
    sort_by_cell(order, x_sorted, y_sorted, starts[:-1].copy(), x, y, cells)
    return order, x_sorted, y_sorted, starts


@kernel
def uniform_points(x, y, first, last, places):
    """Draw the coordinates of points."""
    for i in range(first, last):
        x[i] = unit(places, i << ONE)
        y[i] = unit(places, (i << ONE) | ONE)


@kernel
def cell_sizes(sizes, x, y, cells):
    """Count the points of each cell."""
    for i in range(x.size):
        row = min(np.uint64(y[i] * cells), cells - ONE)
        column = min(np.uint64(x[i] * cells), cells - ONE)
        sizes[row * cells + column] += ONE


@kernel
def sort_by_cell(order, x_sorted, y_sorted, cursor, x, y, cells):
    """Put each point into the next free slot of its cell."""
    for i in range(x.size):
        row = min(np.uint64(y[i] * cells), cells - ONE)
        column = min(np.uint64(x[i] * cells), cells - ONE)
        slot = cursor[row * cells + column]
        cursor[row * cells + column] = slot + ONE
        order[slot] = i
        x_sorted[slot] = x[i]
        y_sorted[slot] = y[i]


@kernel
def near_pairs(u, v, distance, at, first, last, order, x, y, starts, cells, limit):
    """Write the pairs from slot ``at`` on, and return how many; only count if there is no room.

    A point looks at the points after it in its cell and the cell to the right, and at the three cells
    below: two runs of the sorted points, and every pair of neighbours is seen once.
    """
    begin = at
    m, distances = np.uint64(u.size), np.uint64(distance.size)
    for p in range(first, last):
        row = min(np.uint64(y[p] * cells), cells - ONE)
        column = min(np.uint64(x[p] * cells), cells - ONE)
        right = min(column + ONE, cells - ONE)
        left = column - np.uint64(column > np.uint64(0))
        for below in range(2):
            if below:
                if row + ONE == cells:
                    break
                run = starts[(row + ONE) * cells + left]
                run_end = starts[(row + ONE) * cells + right + ONE]
            else:
                run = p + ONE
                run_end = starts[row * cells + right + ONE]
            for q in range(run, run_end):
                dx, dy = x[q] - x[p], y[q] - y[p]
                square = dx * dx + dy * dy
                if square <= limit:
                    if at < m:
                        u[at] = min(order[p], order[q])
                        v[at] = max(order[p], order[q])
                    if at < distances:
                        distance[at] = np.sqrt(square)
                    at += ONE
    return at - begin
