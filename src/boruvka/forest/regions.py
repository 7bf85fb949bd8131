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
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.graph.connected_components import label_components
from boruvka.graph.labelled_values import values_of_vertices
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import integer, real

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["regions"]


def regions(
    forest: Forest,
    k: int,
    attributes: ArrayLike | Mapping[Any, Any],
    min_size: int,
    amounts: ArrayLike | Mapping[Any, Any] | None,
    min_amount: float,
) -> NDArray[np.int64]:
    """Implement `Forest.regions`."""
    k = integer("k", k, forest.n_components, forest.n)
    min_size = integer("min_size", min_size, 1)
    x = _checked(values_of_vertices(forest.graph, "attributes", attributes, forest._numbers), forest.n)
    amount = np.zeros(forest.n)
    if amounts is not None:
        amount = _amounts(values_of_vertices(forest.graph, "amounts", amounts, forest._numbers), forest.n)
    min_amount = real("min_amount", min_amount, 0, np.inf)
    least = "" if amounts is None else f" and the amount {min_amount:g}"
    rooted = forest._rooted
    # Vertices are renumbered by their position, so that a parent comes before its children.
    parent, edge, x = rooted.parent[rooted.order], rooted.edge[rooted.order], x[rooted.order]
    parent = rooted.position[parent]  # -1 at a root, where it is not used
    amount = amount[rooted.order]
    sums, sizes, below = np.empty_like(x), np.empty(forest.n, np.int64), np.empty(forest.n, bool)
    inside = np.empty(forest.n)
    kept = np.ones(len(forest), bool)
    queue: list[tuple[float, int, int, NDArray[np.int64]]] = []

    def add_to_queue(region: NDArray[np.int64]) -> None:
        """Queue the best cut of a region, whose vertices ascend: the root is the first."""
        if region.size < 2 * min_size:
            return
        gain, child = _best_cut(region, parent, edge, x, amount, min_size, min_amount, sums, sizes, inside)
        if child >= 0:
            heapq.heappush(queue, (-gain, int(edge[child]), child, region))

    labels = forest.labels[rooted.order]
    for tree in np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1]):
        add_to_queue(tree)
    for found in range(forest.n_components, k):
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
    return label_components(forest.n, forest.u[kept], forest.v[kept])


def _amounts(amounts: NDArray[Any], n: int) -> NDArray[np.float64]:
    """Check amounts of vertices."""
    if amounts.shape != (n,) or amounts.dtype.kind not in "biuf":
        raise GraphError(
            f"amounts must be a number for each of the {n} vertices; these are {amounts.dtype} of shape "
            f"{amounts.shape}"
        )
    amount = amounts.astype(np.float64)
    if not (np.isfinite(amount) & (amount >= 0)).all():
        i = int(np.argmin(np.isfinite(amount) & (amount >= 0)))
        raise GraphError(f"the amount of vertex {i} is {amount[i]}: amounts must be 0 or more, and finite")
    return amount


def _checked(x: NDArray[Any], n: int) -> NDArray[np.float64]:
    """Check attributes; shift and scale them, so that sums do not overflow, and round less."""
    if x.dtype.kind not in "biuf":
        raise GraphTypeError(f"attributes must be numbers, these have dtype {x.dtype}")
    if x.ndim > 2:
        raise GraphError(f"attributes must have one row for each of the {n} vertices, not shape {x.shape}")
    x = x.astype(np.float64).reshape(n, -1) if n else np.empty((0, 1))
    wrong = ~np.isfinite(x).all(axis=1)
    if wrong.any():
        i = int(np.argmax(wrong))
        raise GraphError(f"the attributes of vertex {i} are not finite: {x[i].tolist()}")
    if x.size:
        exponent = np.frexp(np.abs(x).max())[1]
        x = np.ldexp(x, -exponent)  # one scale for all columns, which keeps their ratios
        x -= x[x.shape[0] // 2]
    return x


@kernel
def _best_cut(region, parent, edge, x, amount, min_size, min_amount, sums, sizes, held):
    """Return the decrease of squared deviations by the best cut of a region, and the vertex below it.

    The vertex is -1 if no cut leaves enough vertices and amounts on both sides. Sums, sizes and amounts of
    subtrees are stored.
    """
    n, columns = region.size, x.shape[1]
    for i in range(n):
        a = region[i]
        sizes[a], held[a] = 1, amount[a]
        for j in range(columns):
            sums[a, j] = x[a, j]
    for back in range(1, n):
        a = region[n - back]
        b = parent[a]
        sizes[b] += sizes[a]
        held[b] += held[a]
        for j in range(columns):
            sums[b, j] += sums[a, j]
    root, best, child = region[0], -1.0, np.int64(-1)
    for i in range(1, n):
        a = region[i]
        inside = sizes[a]
        outside = n - inside
        if inside < min_size or outside < min_size:
            continue
        if held[a] < min_amount or held[root] - held[a] < min_amount:
            continue
        distance = 0.0
        for j in range(columns):
            difference = sums[a, j] / inside - (sums[root, j] - sums[a, j]) / outside
            distance += difference * difference
        gain = distance * inside * outside / n
        if gain > best or (gain == best and edge[a] < edge[child]):
            best, child = gain, a
    return best, child


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
