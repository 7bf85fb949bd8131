"""Clusters out of a forest: single linkage, cuts into k clusters and at a height.

Two vertices lie in one cluster at a height exactly if a path of edges no heavier connects them, and
if one does, the path of the minimum spanning forest does [1]_. So the forest's edges from the
lightest to the heaviest are the merges of single linkage, and leaving out the last ones is a cut.

.. [1] J. C. Gower, G. J. S. Ross, "Minimum spanning trees and single linkage cluster analysis",
       RoundLog of the Royal Statistical Society C 18 (1969), 54-64.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_right
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.compiler import kernel
from boruvka.errors import GraphError, OptionError
from boruvka.graph.connected_components import label_components

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["cut", "cut_at", "linkage"]


def linkage(forest: Forest) -> NDArray[np.float64]:
    """Give the single-linkage matrix of a minimum spanning tree, as ``scipy.cluster.hierarchy`` has it.

    Row i merges the clusters ``Z[i, 0] < Z[i, 1]`` at the height ``Z[i, 2]`` to the cluster n + i of
    ``Z[i, 3]`` vertices; the clusters below n are the vertices. Of equal weights, the smaller index
    in the graph merges first.

    Parameters
    ----------
    forest : Forest
        A minimum spanning tree: connected, its weights distances.

    Returns
    -------
    (n - 1, 4) array of float64
        The matrix. Heights are rounded to float64 as SciPy asks for: integers beyond 2**53 and
        ``longdouble`` may then be equal where the weights are not; merges still are in their exact order.

    Raises
    ------
    GraphError
        The forest is a maximum spanning forest, has not exactly one component, or a negative weight.

    See Also
    --------
    cut, cut_at : exact for every type, and for several components.

    Examples
    --------
    >>> import boruvka
    >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
    >>> linkage(forest)
    array([[1., 2., 2., 2.],
           [0., 4., 5., 3.],
           [3., 5., 7., 4.]])
    """
    if forest.maximum:
        raise GraphError("a maximum spanning forest has no linkage matrix: heights are distances and rise")
    if forest.components != 1:
        raise GraphError(
            f"a linkage matrix needs one component, this forest has {forest.components}; "
            "connect them by heavier edges, or take clusters from cut or cut_at"
        )
    if forest.w.size and forest.w.min() < 0:
        i = int(np.argmin(forest.w))
        raise GraphError(
            f"a linkage matrix needs distances, but edge {forest.edges[i]} ({forest.u[i]}, {forest.v[i]}) "
            f"has the weight {forest.w[i]}; cut and cut_at take negative weights"
        )
    order = _order(forest)
    tree = np.empty((order.size, 4))
    with np.errstate(over="ignore"):  # of longdouble: infinite beyond the range of float64
        tree[:, 2] = forest.w[order]
    _merge(tree, np.arange(2 * forest.n - 1, dtype=np.uint64), forest.u[order], forest.v[order])
    return tree


def cut(forest: Forest, k: int) -> NDArray[np.int64]:
    """Cut a forest into k clusters: leave out its last edges in the order (weight, index).

    These are the heaviest edges, of a maximum spanning forest the lightest, and of equal weights the
    ones with the largest indices in the graph. Weights are compared exactly.

    Parameters
    ----------
    forest : Forest
        The forest.
    k : int
        Number of clusters, from the forest's number of components to n.

    Returns
    -------
    (n,) array of int64
        The cluster of each vertex, numbered from 0 in the order of their smallest vertices.

    Raises
    ------
    OptionError
        k is not an integer in that range.

    Examples
    --------
    >>> import boruvka
    >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
    >>> cut(forest, 3)
    array([0, 1, 1, 2])
    """
    try:
        clusters = operator.index(k)
    except TypeError:
        raise OptionError(f"k must be an integer, got {k!r}") from None
    if not forest.components <= clusters <= forest.n:
        raise OptionError(
            f"k must lie between the {forest.components} components of the forest and its {forest.n} "
            f"vertices, got {clusters}"
        )
    return _clusters(forest, _order(forest)[: forest.n - clusters])


def cut_at(forest: Forest, height: float) -> NDArray[np.int64]:
    """Cut a forest at a height: keep the edges whose weight is at most that.

    Of a maximum spanning forest, edges whose weight is at least that are kept. Either way, vertices share
    a cluster exactly if the graph connects them by such edges. The comparison is exact: as float32, 0.1
    is more than the float64 0.1, which a height of 0.1 is.

    Parameters
    ----------
    forest : Forest
        The forest.
    height : number
        The height; infinities are legal.

    Returns
    -------
    (n,) array of int64
        The cluster of each vertex, numbered from 0 in the order of their smallest vertices.

    Raises
    ------
    OptionError
        The height is NaN or no number.

    Examples
    --------
    >>> import boruvka
    >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7]))
    >>> cut_at(forest, 5)
    array([0, 0, 0, 1])
    """
    try:
        limit = _exact(height)
    except (AttributeError, TypeError, ValueError):
        raise OptionError(f"height must be a number, got {height!r}") from None
    order = _order(forest)
    sign = -1 if forest.maximum else 1
    kept = bisect_right(order, sign * limit, key=lambda i: sign * _exact(forest.w[i]))
    return _clusters(forest, order[:kept])


def _order(forest: Forest) -> NDArray[np.intp]:
    """Sort the forest's edges by (weight, index); they ascend by index, so a stable sort does."""
    w = forest.w
    if forest.maximum:  # of integers, the complement turns the order and never overflows
        w = -w if w.dtype.kind == "f" else ~w
    return np.argsort(w, kind="stable")


def _clusters(forest: Forest, kept: NDArray[np.intp]) -> NDArray[np.int64]:
    return label_components(forest.n, forest.u[kept], forest.v[kept])


def _exact(number: Any) -> Fraction | float:
    """Give a number of Python or NumPy in a form that compares exactly with every other."""
    number = number.item() if isinstance(number, np.generic) else number
    try:
        return Fraction(*number.as_integer_ratio())
    except OverflowError:
        return math.copysign(math.inf, number)


@kernel
def _merge(tree, parent, u, v):
    """Join the clusters of both ends of each edge under a new one, halving paths; heights are set."""
    n = np.uint64(u.size + 1)
    for i in range(u.size):
        a, b = np.uint64(u[i]), np.uint64(v[i])
        while a != parent[a]:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while b != parent[b]:
            parent[b] = parent[parent[b]]
            b = parent[b]
        parent[a] = parent[b] = n + np.uint64(i)
        tree[i, 0] = min(a, b)
        tree[i, 1] = max(a, b)
        tree[i, 3] = (1 if a < n else tree[a - n, 3]) + (1 if b < n else tree[b - n, 3])
