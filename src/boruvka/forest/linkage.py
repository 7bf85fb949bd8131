"""Single-linkage clustering of a forest: the linkage matrix, cuts into k clusters, cuts at a height.

At height h, single linkage puts two vertices into one cluster exactly if a path of edges of weight h or
less connects them. If such a path exists, the path in the minimum spanning forest is one [1]_. The edges of
the forest, from the lightest to the heaviest, are therefore the merges of single linkage, and a forest
without its heaviest edges is a cut.

.. [1] J. C. Gower, G. J. S. Ross, "Minimum spanning trees and single linkage cluster analysis",
       Journal of the Royal Statistical Society C 18 (1969), 54-64.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_right
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.kernel import kernel
from boruvka.errors import GraphError, OptionError
from boruvka.graph.connected_components import label_components

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["cut", "cut_at", "linkage"]


def linkage(forest: Forest) -> NDArray[np.float64]:
    """Compute the linkage matrix of a minimum spanning tree, in the format of ``scipy.cluster.hierarchy``.

    Row i merges the clusters ``Z[i, 0] < Z[i, 1]`` at the height ``Z[i, 2]`` into the cluster n + i, which
    has ``Z[i, 3]`` vertices. The clusters below n are the vertices. Of edges with equal weights, the one
    with the smaller index in the graph merges first.

    Parameters
    ----------
    forest : Forest
        A minimum spanning tree: one component, no negative weight.

    Returns
    -------
    (n - 1, 4) array of float64
        The matrix. Heights are rounded to float64, which SciPy requires: integers beyond 2**53 and
        ``longdouble`` weights may become equal heights. The order of the merges is always exact.

    Raises
    ------
    GraphError
        The forest is a maximum spanning forest, has more or less than one component, or has a negative
        weight.

    See Also
    --------
    cut, cut_at : exact for every type, and for several components too.

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
    order = _sorted_edges(forest)
    return linkage_of_tree(forest.u[order], forest.v[order], forest.w[order])


def linkage_of_tree(u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> NDArray[np.float64]:
    """Compute the linkage matrix of a spanning tree from its edges, sorted by weight."""
    tree = np.empty((w.size, 4))
    with np.errstate(over="ignore"):  # longdouble beyond the range of float64 becomes infinite
        tree[:, 2] = w
    _merge(tree, np.arange(2 * w.size + 1, dtype=np.uint64), u, v)
    return tree


def cut(forest: Forest, k: int) -> NDArray[np.int64]:
    """Cut a forest into k clusters by removing its last edges in the order (weight, index).

    The last edges are the heaviest, or the lightest of a maximum spanning forest; of equal weights, those
    with the largest indices in the graph. Weights are compared exactly.

    Parameters
    ----------
    forest : Forest
        The forest.
    k : int
        Number of clusters, from the number of components of the forest to n.

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
    return _clusters(forest, _sorted_edges(forest)[: forest.n - clusters])


def cut_at(forest: Forest, height: float) -> NDArray[np.int64]:
    """Cut a forest at a height by removing the edges that are heavier.

    From a maximum spanning forest, lighter edges are removed. Either way, two vertices are in one cluster
    exactly if edges of the graph that are not removed by this rule connect them. The comparison is exact:
    a weight of 0.1 in float32 is above a height of 0.1, which is a float64.

    Parameters
    ----------
    forest : Forest
        The forest.
    height : number
        The height; it may be infinite.

    Returns
    -------
    (n,) array of int64
        The cluster of each vertex, numbered from 0 in the order of their smallest vertices.

    Raises
    ------
    OptionError
        The height is NaN or not a number.

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
    order = _sorted_edges(forest)
    sign = -1 if forest.maximum else 1
    kept = bisect_right(order, sign * limit, key=lambda i: sign * _exact(forest.w[i]))
    return _clusters(forest, order[:kept])


def _sorted_edges(forest: Forest) -> NDArray[np.intp]:
    """Sort the edges of a forest by (weight, index): they ascend by index, and the sort is stable."""
    w = forest.w
    if forest.maximum:  # the complement of an integer reverses the order and never overflows
        w = -w if w.dtype.kind == "f" else ~w
    return np.argsort(w, kind="stable")


def _clusters(forest: Forest, kept: NDArray[np.intp]) -> NDArray[np.int64]:
    return label_components(forest.n, forest.u[kept], forest.v[kept])


def _exact(number: Any) -> Fraction | float:
    """Convert a Python or NumPy number to a type that compares exactly with every other number."""
    number = number.item() if isinstance(number, np.generic) else number
    try:
        return Fraction(*number.as_integer_ratio())
    except OverflowError:
        return math.copysign(math.inf, number)


@kernel
def _merge(tree, parent, u, v):
    """Merge the clusters of both ends of each edge into a new one: union-find with path halving.

    ``tree`` holds the heights already.
    """
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
