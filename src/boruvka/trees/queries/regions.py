"""Regions of similar attributes: a spanning forest cut edge by edge (SKATER).

Vertices are areas, edges join neighbours, and weights are the differences of their attributes. The edges of
the minimum spanning forest therefore join similar neighbours. Each cut removes the edge whose removal lowers
the sum of squared deviations from the means of the regions most. If a region of n vertices is cut into two of
a and b vertices, the sum falls by a b / n times the squared distance of their means. The sums of all subtrees
of a region give the means on both sides of all of its edges, in one pass.

Source: R. M. Assunção, M. C. Neves, G. Câmara, C. da Costa Freitas, Efficient regionalization techniques for
socio-economic geographical units using minimum spanning trees, International Journal of Geographical
Information Science 20 (2006). Their heuristic for large trees is not used: every edge is evaluated.
"""

from __future__ import annotations

import heapq
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, first_true
from boruvka.graph.connected_components import label_components
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import integer, real
from boruvka.trees.structure import Structure


def regions(
    structure: Structure,
    labels: NDArray[np.int64],
    k: int,
    attributes: NDArray[Any],
    min_size: int,
    amounts: NDArray[Any] | None,
    min_amount: float,
) -> NDArray[np.int64]:
    """Implement `Forest.regions`, for arrays in the order of the vertices; ``labels`` are components."""
    components = structure.n - structure.size
    k = integer("k", k, components, structure.n)
    min_size = integer("min_size", min_size, 1)
    x = _checked(attributes, structure.n)
    amount, least_amount = np.zeros((structure.n, 2)), (0.0, 0.0)
    if amounts is not None:
        amount, is_rounded = _amounts(amounts, structure.n)
        least_amount = _least_amount(min_amount, is_rounded)
        scale = min(1020 - np.frexp(amount.max(initial=0))[1] - structure.n.bit_length(), 0)
        amount, least_amount = np.ldexp(amount, scale), tuple(np.ldexp(least_amount, scale))  # no overflow
    elif real("min_amount", min_amount, 0, np.inf) > 0:
        raise OptionError("min_amount is a bound of sums of amounts: give amounts, a number for each vertex")
    least = "" if amounts is None else f" and the amount {min_amount}"
    rooted = structure.roots
    # Vertices are renumbered by their position, so that a parent comes before its children.
    parent, edge, x = rooted.parent[rooted.order], rooted.edge[rooted.order], x[rooted.order]
    parent = rooted.position[parent]  # -1 at a root, where it is not used
    amount = amount[rooted.order]
    sums, sizes, below = np.empty_like(x), np.empty(structure.n, np.int64), np.empty(structure.n, bool)
    held = np.empty((structure.n, 2))
    kept = np.ones(structure.size, bool)
    queue: list[tuple[float, int, int, NDArray[np.int64]]] = []

    def add_to_queue(region: NDArray[np.int64]) -> None:
        """Queue the best cut of a region, whose vertices ascend: the root is the first."""
        if region.size < 2 * min_size:
            return
        gain, child = _best_cut(region, parent, edge, x, amount, min_size, *least_amount, sums, sizes, held)
        if child >= 0:
            heapq.heappush(queue, (-gain, int(edge[child]), child, region))

    labels = labels[rooted.order]
    for tree in np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1]):
        add_to_queue(tree)
    for found in range(components, k):
        if not queue:
            raise OptionError(
                f"successive cuts find only {found} regions of at least {min_size} vertices{least}, and k is "
                f"{k}; choose a smaller k, min_size or min_amount"
            )
        _, place, child, region = heapq.heappop(queue)
        kept[place] = False
        lower = np.empty(sizes[child], np.int64)
        upper = np.empty(region.size - lower.size, np.int64)
        _split(region, child, parent, below, upper, lower)
        add_to_queue(upper)
        add_to_queue(lower)
    return label_components(structure.n, structure.u[kept], structure.v[kept])


def _amounts(amount: NDArray[Any], n: int) -> tuple[NDArray[np.float64], bool]:
    """Check amounts of vertices; return each as a float64 and what it lacks, and whether these are floats.

    Sums of these pairs have 106 bits, so that sums of integers are exact, and "all minus the part" is as
    exact as the sum of the rest.
    """
    if amount.shape != (n,) or amount.dtype.kind not in "biuf":
        raise GraphError(
            f"amounts must be a number for each of the {n} vertices; these are {amount.dtype} of shape "
            f"{amount.shape}"
        )
    if (i := first_true(~(np.isfinite(amount) & (amount >= 0)))) is not None:
        raise GraphError(f"the amount of vertex {i} is {amount[i]}: amounts must be 0 or more, and finite")
    if amount.dtype.kind != "f":
        low = amount.astype(np.uint64) & np.uint64(2**32 - 1)
        high = (amount.astype(np.uint64) - low).astype(np.float64)
        total = high + low
        return np.column_stack([total, low - (total - high)]), False
    total = amount.astype(np.float64)
    return np.column_stack([total, (amount - total).astype(np.float64)]), True


def _least_amount(min_amount: Any, is_rounded: bool) -> tuple[float, float]:
    """Return the least sum as a pair: exact for integers; sums of floats are rounded to float64 first."""
    least = real("min_amount", min_amount, 0, np.inf)
    if is_rounded or not isinstance(min_amount, Integral):
        return least, -np.inf if is_rounded else 0.0
    return least, float(int(min_amount) - int(least))


def _checked(x: NDArray[Any], n: int) -> NDArray[np.float64]:
    """Check attributes; shift and scale them, so that sums do not overflow, and round less."""
    if x.dtype.kind not in "biuf":
        raise GraphTypeError(f"attributes must be numbers, these have dtype {x.dtype}")
    if x.ndim > 2:
        raise GraphError(f"attributes must have one row for each of the {n} vertices, not shape {x.shape}")
    x = x.astype(np.float64).reshape(n, -1) if n else np.empty((0, 1))
    if (i := first_true(~np.isfinite(x).all(axis=1))) is not None:
        raise GraphError(f"the attributes of vertex {i} are not finite: {x[i].tolist()}")
    if x.size:
        exponent = np.frexp(np.abs(x).max())[1]
        x = np.ldexp(x, -exponent)  # one scale for all columns, which keeps their ratios
        x -= x[x.shape[0] // 2]
    return x


@kernel
def _best_cut(region, parent, edge, x, amount, min_size, least, least_rest, sums, sizes, held):
    """Return the decrease of squared deviations by the best cut of a region, and the vertex below it.

    The vertex is -1 if no cut leaves enough vertices and amounts on both sides. Sums, sizes and amounts of
    subtrees are stored.
    """
    n, columns = region.size, x.shape[1]
    for i in range(n):
        a = region[i]
        sizes[a] = 1
        held[a, 0], held[a, 1] = amount[a, 0], amount[a, 1]
        for j in range(columns):
            sums[a, j] = x[a, j]
    for back in range(1, n):
        a = region[n - back]
        b = parent[a]
        sizes[b] += sizes[a]
        held[b, 0], held[b, 1] = _sum(held[b, 0], held[b, 1], held[a, 0], held[a, 1])
        for j in range(columns):
            sums[b, j] += sums[a, j]
    root, best, child = region[0], -1.0, np.int64(-1)
    for i in range(1, n):
        a = region[i]
        inside = sizes[a]
        outside = n - inside
        if inside < min_size or outside < min_size:
            continue
        rest, below_rest = _sum(held[root, 0], held[root, 1], -held[a, 0], -held[a, 1])
        if _is_less(held[a, 0], held[a, 1], least, least_rest):
            continue
        if _is_less(rest, below_rest, least, least_rest):
            continue
        distance = 0.0
        for j in range(columns):
            difference = sums[a, j] / inside - (sums[root, j] - sums[a, j]) / outside
            distance += difference * difference
        gain = distance * inside * outside / n
        if gain > best or (gain == best and edge[a] < edge[child]):
            best, child = gain, a
    return best, child


def _sum(a, a_rest, b, b_rest):
    """Add two pairs of floats (T. J. Dekker, A floating-point technique for extending precision, 1971)."""
    total = a + b
    part = total - a
    rest = (a - (total - part)) + (b - part) + (a_rest + b_rest)
    high = total + rest
    return high, rest - (high - total)


def _is_less(a, a_rest, b, b_rest):
    """Compare two pairs."""
    return a < b or (a == b and a_rest < b_rest)


@kernel
def _split(region, child, parent, below, upper, lower):
    """Divide a region into the subtree of a vertex and the rest; both keep their order."""
    i, j = 0, 0
    for k in range(region.size):
        a = region[k]
        below[a] = a == child or (k > 0 and below[parent[a]])
        if below[a]:
            lower[j] = a
            j += 1
        else:
            upper[i] = a
            i += 1
