"""Regions of an image, or of any graph: neighbours merge while nothing speaks for a boundary.

The idea of [1]_: along the edges from the lightest to the heaviest, two regions become one if the edge
between them weighs at most Int(C) + k / |C| for both. Int(C) is the heaviest edge of the minimum spanning
tree of C, which is the last that merged it, and |C| the number of its vertices. A region that an edge is
too heavy for is final: the edges to come are no lighter, and it does not change. At last, regions that are
too small join a neighbour, along the same edges.

Are the edges of the minimum spanning forest enough? Not quite. Let the edge e be outside; the forest's
path between its ends a and b has only edges before e. If a and b are apart when e comes, edges of the path
were refused. Take the first that leaves the region of a: what is final is this region, or the one behind.
Take the last, for b. If the region of a or b is final, e is refused too. But a final region in between can
part two that are not: a smooth sky refuses two noisy pixels before they meet, and only e would join them.
So `segment` takes a graph, for the regions of [1]_, or its forest. In the terms of [1]_, the forest's

- are not too coarse. If they were, some region C would have parts with a boundary between any two that
  touch. Let e be the first edge inside of C between two parts. It is in the forest, whose path inside of C
  would otherwise go from part to part by an edge before it. Let A be the part for which e is too heavy. Each
  edge of the tree of A is lighter, and in the forest too: the path that takes its place would leave A, by
  an edge before e. So when e came, A was a region, and refused;
- are not too fine where an edge of the forest joins two: it was refused, and no edge between these two
  comes before it, for both and the edge are a subtree. Regions that only other edges join may be too fine.

For regions that are too small, the forest is enough, whatever the regions are. When e comes and a and b are
apart, the first edge of the path that leaves the region of a did not merge, so that region is not small.
Nor is that of b.

.. [1] P. F. Felzenszwalb, D. P. Huttenlocher, "Efficient graph-based image segmentation", International
       RoundLog of Computer Vision 59 (2004), 167-181: algorithm 1, lemma 1, theorems 1 and 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.algorithms.building_blocks.union_find import find
from boruvka.backends import get_backend
from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.forest.forest import Forest
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph, read_array
from boruvka.runtime import arguments as checks

__all__ = ["pixel_graph", "segment"]

SIDES = (
    (np.s_[:, :-1], np.s_[:, 1:]),
    (np.s_[:-1], np.s_[1:]),
    (np.s_[:-1, :-1], np.s_[1:, 1:]),
    (np.s_[:-1, 1:], np.s_[1:, :-1]),
)
"""To the right, down, down and right, down and left: the pixels that have such a neighbour, and these."""


def pixel_graph(image: ArrayLike, neighbours: int = 8) -> Graph:
    """Join each pixel of an image to its neighbours; the weight is the L1 difference of their colours.

    Pixel (r, c) is the vertex ``r * width + c``. All edges to the right come first, then those down, down
    and right, down and left; each of these along the rows.

    Parameters
    ----------
    image : (height, width) or (height, width, channels) array_like of integers, floats or booleans
        The image, of any real type.
    neighbours : int
        4, or 8 with the diagonal ones.

    Returns
    -------
    Graph
        Weights are exact for integers: in the smallest unsigned type that holds the largest difference which
        the image's type allows (uint16 for three channels of uint8). For floats they have the image's type,
        and at least float32.

    Raises
    ------
    GraphError
        The image has another shape, no pixel, or one that is masked or not finite, or differences of 64-bit
        integers that may not fit in 64 bits.
    GraphTypeError
        Its type is not real.
    OptionError
        neighbours is neither 4 nor 8.

    Examples
    --------
    >>> pixel_graph([[1, 2], [4, 8]]).w.tolist()
    [1, 4, 3, 6, 7, 2]
    """
    if neighbours not in (4, 8):
        raise OptionError(f"neighbours must be 4 or 8, got {neighbours!r}")
    pixels = _pixels(image)
    height, width, channels = pixels.shape
    dtype = _weight_type(pixels)
    n = height * width
    ids = np.arange(n, dtype=checks.ids(n)).reshape(height, width)
    sides = SIDES[: neighbours // 2]
    weights = []
    for side, other in sides:
        w = np.zeros(ids[side].shape, dtype)
        for c in range(channels):
            a, b = pixels[..., c][side], pixels[..., c][other]
            with np.errstate(over="ignore"):  # of floats: infinite beyond their range
                w += np.maximum(a, b).astype(dtype) - np.minimum(a, b).astype(dtype)  # of signed ones: modulo
        weights.append(w.ravel())
    u = np.concatenate([ids[side].ravel() for side, _ in sides])
    v = np.concatenate([ids[other].ravel() for _, other in sides])
    return Graph(n, u, v, np.concatenate(weights))


def segment(graph: Graph | Forest, scale: float, *, min_size: int = 1) -> NDArray[np.int64]:
    """Merge vertices to regions while the boundary between two is no stronger than what is inside of both.

    Edges come by (weight, index). Whether one is too heavy is computed in float64: exactly for integers, as
    long as a weight times the size of a region is below 2**53.

    Parameters
    ----------
    graph : Graph or Forest
        A graph gives the regions of the paper. Its minimum spanning forest has fewer edges, serves for every
        scale, and gives similar ones: `boruvka.segmentation` says what differs. No weight is negative.
    scale : float
        The k of the paper, in units of the weights: a larger one makes larger regions.
    min_size : int
        Regions of fewer vertices join a neighbour at last, if they have one.

    Returns
    -------
    (n,) array of int64
        The region of each vertex, numbered from 0 in the order of their smallest vertices. For an image,
        ``reshape(image.shape[:2])`` puts them in their places.

    Raises
    ------
    OptionError
        scale is not finite or negative, or min_size is no positive integer.
    GraphError
        A weight is negative, or the forest is a maximum spanning forest.
    GraphTypeError
        Neither a graph nor a forest: `pixel_graph` makes one of an image.

    References
    ----------
    Algorithm 1 of Felzenszwalb, Huttenlocher: "Efficient graph-based image segmentation", IJCV 59, 2004.

    Examples
    --------
    >>> import boruvka
    >>> image = [[1, 1, 9, 9], [1, 2, 9, 8]]
    >>> forest = boruvka.minimum_spanning_forest(pixel_graph(image))
    >>> segment(forest, 4).reshape(2, 4)
    array([[0, 0, 1, 1],
           [0, 0, 1, 1]])
    """
    if not isinstance(graph, Graph | Forest):
        raise GraphTypeError(
            f"expected a Graph or a Forest, got {type(graph).__name__}; pixel_graph makes one of an image"
        )
    if isinstance(graph, Forest) and graph.maximum:
        raise GraphError("a maximum spanning forest has no regions: these merge along the lightest edges")
    scale = checks.real("scale", scale, 0, np.finfo(np.float64).max)
    min_size = checks.integer("min_size", min_size, 1)
    u, v, w = graph.u, graph.v, graph.w
    if w.size and w.min() < 0:
        i = int(np.argmin(w))
        edge = graph.edges[i] if isinstance(graph, Forest) else i
        raise GraphError(f"regions need differences, but edge {edge} ({u[i]}, {v[i]}) has the weight {w[i]}")
    order = np.argsort(w, kind="stable")
    with np.errstate(over="ignore"):  # of longdouble: infinite, and too heavy for every region
        u, v, w = u[order], v[order], w[order].astype(np.float64)
    vertices = np.arange(graph.n, dtype=u.dtype)
    trees = vertices.copy(), np.ones(graph.n, np.int64)
    thread = get_backend("threads", 1)
    thread.for_each_in_order(merge, u.size, u, v, w, scale, *trees, np.zeros(graph.n))
    if min_size > 1:
        thread.for_each_in_order(absorb, u.size, u, v, min_size, *trees)
    return label_components(graph.n, vertices, trees[0])


def _pixels(image: Any) -> NDArray[Any]:
    """View an image as an array of height, width and channels, all of them finite."""
    if np.ma.is_masked(image):
        raise GraphError("the image has masked pixels; fill them, or there is no difference to weigh")
    pixels = read_array("the image", image)
    if pixels.dtype.kind not in "iufb":
        raise GraphTypeError(
            f"an image holds integers, floats or booleans, this one has dtype {pixels.dtype}"
        )
    if pixels.ndim not in (2, 3) or pixels.size == 0:
        raise GraphError(
            "an image has the shape (height, width) or (height, width, channels) and at least one pixel, "
            f"this one has shape {pixels.shape}"
        )
    if pixels.dtype.kind == "f" and not (finite := np.isfinite(pixels)).all():
        r, c = np.argwhere(~finite)[0, :2]
        raise GraphError(f"pixel ({r}, {c}) is {pixels[r, c]}: the difference to it is no number")
    return pixels.reshape(*pixels.shape[:2], -1)


def _weight_type(pixels: NDArray[Any]) -> np.dtype[Any]:
    """Choose the type of weights: for integers the smallest that holds them all."""
    channels, dtype = pixels.shape[2], pixels.dtype
    if dtype.kind == "f":
        return np.result_type(dtype, np.float32)
    most = 1 if dtype.kind == "b" else 2 ** (8 * dtype.itemsize) - 1
    if dtype.itemsize == 8:  # hardly ever used up
        most = int(pixels.max()) - int(pixels.min())
        if most * channels >= 2**64:
            raise GraphError(f"differences in {channels} channels of {dtype} may not fit in 64 bits")
        return np.dtype(np.uint64)
    return np.min_scalar_type(most * channels)


def merge(i, u, v, w, scale, parent, size, inside):
    """Merge the regions of the ends of edge i if both agree."""
    a, b = find(u[i], parent), find(v[i], parent)
    agreed = (w[i] - inside[a]) * size[a] <= scale and (w[i] - inside[b]) * size[b] <= scale
    if a != b and agreed:
        inside[hang(a, b, parent, size)] = w[i]


def absorb(i, u, v, min_size, parent, size):
    """Merge the regions of the ends of edge i if either is too small."""
    a, b = find(u[i], parent), find(v[i], parent)
    if a != b and min(size[a], size[b]) < min_size:
        hang(a, b, parent, size)


def hang(a, b, parent, size):
    """Hang the smaller of two trees under the larger, and return the root of that."""
    top, below = (b, a) if size[a] < size[b] else (a, b)
    parent[below] = top
    size[top] += size[below]
    return top
