"""Segmentation of an image, or of any graph, by the algorithm of Felzenszwalb and Huttenlocher.

Algorithm [1]_: along the edges from the lightest to the heaviest, two regions merge if the edge between them
weighs at most Int(C) + k / |C| for both regions C. Int(C) is the heaviest edge of the minimum spanning tree
of C, which is the last edge that merged into it, and |C| is its number of vertices. A region that rejects
an edge is final: later edges are no lighter, and the region does not change. At the end, regions that are too
small merge with a neighbour, along the same edges.

The edges of the minimum spanning forest are almost enough. Let e be an edge outside the forest; the path in
the forest between its ends a and b has only edges before e. If a and b are in different regions when e is
reached, edges of the path were rejected. Take the first of them that leaves the region of a: either this
region is final, or the one on the other side. Take the last one for b. If the region of a or b is final, e is
rejected too. But a final region between them can separate two that are not final: a smooth sky rejects two
noisy pixels before these meet, and only e would merge them. So `segment` accepts a graph, for the regions
of [1]_, or its forest. In the terms of [1]_, the regions of the forest

- are not too coarse. If they were, some region C could be split into parts with a boundary between any two
  adjacent ones. Let e be the first edge inside C between two parts. It is in the forest; otherwise the
  path in the forest would go from part to part by an edge before e. Let A be the part for which e is too
  heavy. Each edge of the tree of A is lighter than e, and is in the forest too; otherwise the path that
  replaces it would leave A by an edge before e. So when e was reached, A was a region, and rejected e;
- are not too fine between two regions that an edge of the forest joins. It was rejected, and no other edge
  between the two regions comes before it, because both regions and the edge form a subtree. Regions
  that only other edges join may be too fine.

For merging regions that are too small, the forest is always enough. If a and b are in different regions when
e is reached, the first edge of the path that leaves the region of a did not merge, so that region is not
small. The same holds for b.

.. [1] P. F. Felzenszwalb, D. P. Huttenlocher, "Efficient graph-based image segmentation", International
       Journal of Computer Vision 59 (2004), 167-181: algorithm 1, lemma 1, theorems 1 and 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends import get_backend
from boruvka.backends.device_arrays import on_host
from boruvka.errors import GraphError, GraphTypeError, OptionError, shown
from boruvka.graph.columns import read_array
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph
from boruvka.graph.names import ends_text
from boruvka.graph.validation import vertex_dtype
from boruvka.interop.as_graph import as_graph
from boruvka.operators.union_find import find
from boruvka.runtime import arguments
from boruvka.trees.forest import Forest
from boruvka.trees.structure import check_distances

NEIGHBORS = (
    (np.s_[:, :-1], np.s_[:, 1:]),
    (np.s_[:-1], np.s_[1:]),
    (np.s_[:-1, :-1], np.s_[1:, 1:]),
    (np.s_[:-1, 1:], np.s_[1:, :-1]),
)
"""For right, down, down-right and down-left: the pixels with a neighbor there, and these neighbors."""
MOST_CHANNELS = 4
"""Maximum number of channels of an image without ``channel_axis``: red, green, blue and opacity."""


@arguments.explaining("pixel_graph", {"connectivity": ": write neighbors=4 or neighbors=8"})
def pixel_graph(image: ArrayLike, neighbors: int = 8, *, channel_axis: int | None = None) -> Graph:
    """Make the graph of the pixels of an image, weighted by the L1 difference of colours.

    Pixel (r, c) is the vertex ``r * width + c``. All edges to the right come first, then edges down,
    down-right and down-left; the edges of one direction are numbered row by row.

    Parameters
    ----------
    image : (height, width) or (height, width, channels) array_like of integers, floats or booleans
        The image, of any real type; the channels may be another axis.
    neighbors : int
        4, or 8 to include the diagonal ones.
    channel_axis : int, optional
        The axis of the channels, as in scikit-image. By default the last of three, which then has at most 4
        channels, since more may be a stack of images.

    Returns
    -------
    Graph
        For integers, weights are exact, in the smallest unsigned type that holds the largest difference
        which the type of the image allows (uint16 for three channels of uint8). For floats, they have the
        type of the image, but at least float32.

    Raises
    ------
    GraphError
        The image has another shape, no pixels, or more than 4 channels without ``channel_axis``; a pixel is
        masked or not finite; or differences of 64-bit integers may not fit in 64 bits.
    GraphTypeError
        The pixels are not real numbers.
    OptionError
        neighbors is neither 4 nor 8.

    Examples
    --------
    >>> pixel_graph([[1, 2], [4, 8]]).w.tolist()
    [1, 4, 3, 6, 7, 2]
    """
    if not isinstance(neighbors, int | np.integer) or neighbors not in (4, 8):
        raise OptionError(f"neighbors must be 4 or 8, got {shown(neighbors)}")
    pixels = _read_pixels(image, channel_axis)
    height, width, channels = pixels.shape
    dtype = _weight_type(pixels)
    n = height * width
    ids = np.arange(n, dtype=vertex_dtype(n)).reshape(height, width)
    directions = NEIGHBORS[: neighbors // 2]
    weights = []
    for here, there in directions:
        w = np.zeros(ids[here].shape, dtype)
        for c in range(channels):
            a, b = pixels[..., c][here], pixels[..., c][there]
            with np.errstate(over="ignore"):  # floats beyond their range become infinite
                # The unsigned difference of signed integers is exact modulo 2**bits.
                w += np.maximum(a, b).astype(dtype) - np.minimum(a, b).astype(dtype)
        weights.append(w.ravel())
    u = np.concatenate([ids[here].ravel() for here, _ in directions])
    v = np.concatenate([ids[there].ravel() for _, there in directions])
    return Graph(n, u, v, np.concatenate(weights))


def segment(graph: Any, scale: float, *, min_size: int = 1) -> NDArray[np.int64]:
    """Merge vertices into regions, unless the edge between two regions is heavier than those inside them.

    Edges are processed in the order (weight, index). Weights are compared in float64, which is exact for
    integers as long as a weight times the size of a region is below 2**53.

    Parameters
    ----------
    graph : Forest, or object
        A graph, as `boruvka.as_graph` takes it, but no array, gives the regions of the paper. Its minimum
        spanning forest has fewer edges, can be used for several scales, and gives similar regions: see
        `boruvka.trees.segmentation` for the differences.
        Weights must not be negative. All pairs of points are listed, in 24 bytes each.
    scale : float
        The k of the paper, in the unit of the weights: a larger scale makes larger regions.
    min_size : int
        Regions with fewer vertices merge with a neighbour at the end, if they have one.

    Returns
    -------
    (n,) array of int64
        The region of each vertex, numbered from 0 in the order of their smallest vertices. For an image,
        ``reshape(image.shape[:2])`` makes an image of them.

    Raises
    ------
    OptionError
        scale is negative or not finite, or min_size is not a positive integer.
    GraphError
        A weight is negative, or the forest is a maximum spanning forest.
    GraphTypeError
        The argument is neither a graph nor a forest, or an array: `pixel_graph` converts an image.

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
    if isinstance(graph, np.ndarray):
        raise GraphTypeError(
            "an array may be an image, pixel_graph(image), or a matrix, Graph.from_dense(matrix): write which"
        )
    if not isinstance(graph, Forest):
        graph = as_graph(graph)
        graph.check()
    if isinstance(graph, Forest) and graph.maximum:
        raise GraphError("a maximum spanning forest has no regions: these merge along the lightest edges")
    scale = arguments.real("scale", scale, 0, np.finfo(np.float64).max)
    min_size = arguments.integer("min_size", min_size, 1)
    is_forest = isinstance(graph, Forest)
    u, v, w = map(on_host, (graph.u, graph.v, graph.w) if is_forest else graph.edges_in_range(0, graph.m))

    def edge_text(i: int) -> str:
        return graph.edge_text(i) if is_forest else f"{i} {ends_text(graph.names, u[i], v[i])}"

    check_distances(w, edge_text, "regions need differences")
    order = np.argsort(w, kind="stable")
    with np.errstate(over="ignore"):  # longdouble may become infinite, which is too heavy for every region
        u, v, w = u[order], v[order], w[order].astype(np.float64)
    vertices = np.arange(graph.n, dtype=u.dtype)
    trees = vertices.copy(), np.ones(graph.n, np.int64)
    backend = get_backend("threads", 1)
    backend.for_each_in_order(merge_similar, u.size, u, v, w, scale, *trees, np.zeros(graph.n))
    if min_size > 1:
        backend.for_each_in_order(merge_small, u.size, u, v, min_size, *trees)
    return label_components(graph.n, vertices, trees[0])


def _read_pixels(image: Any, channel_axis: int | None) -> NDArray[Any]:
    """Convert an image to an array (height, width, channels), and check that all values are finite."""
    if np.ma.is_masked(image):
        raise GraphError("the image has masked pixels; fill them first")
    pixels = read_array("the image", image)
    if pixels.dtype.kind not in "iufb":
        raise GraphTypeError(
            f"an image holds integers, floats or booleans, this one has dtype {pixels.dtype}"
        )
    if pixels.ndim not in ((2, 3) if channel_axis is None else (3,)) or pixels.size == 0:
        raise GraphError(
            "an image has the shape (height, width) or (height, width, channels) and at least one pixel, "
            f"this one has shape {pixels.shape}" + " and no channel_axis" * (channel_axis is not None)
        )
    if channel_axis is not None:
        pixels = np.moveaxis(pixels, arguments.integer("channel_axis", channel_axis, -3, 2), -1)
    elif pixels.ndim == 3 and pixels.shape[2] > MOST_CHANNELS:
        raise GraphError(
            f"an image of shape {pixels.shape} has {pixels.shape[2]} channels, or is a stack: for channels "
            "write pixel_graph(image, channel_axis=-1), for one image of a stack pixel_graph(image[0])"
        )
    if pixels.dtype.kind == "f" and not (finite := np.isfinite(pixels)).all():
        r, c = np.argwhere(~finite)[0, :2]
        raise GraphError(f"pixel ({r}, {c}) is {pixels[r, c]}, which has no difference to others")
    return pixels.reshape(*pixels.shape[:2], -1)


def _weight_type(pixels: NDArray[Any]) -> np.dtype[Any]:
    """Choose the type of the weights: for integers the smallest that holds every possible weight."""
    channels, dtype = pixels.shape[2], pixels.dtype
    if dtype.kind == "f":
        return np.result_type(dtype, np.float32)
    most = 1 if dtype.kind == "b" else 2 ** (8 * dtype.itemsize) - 1
    if dtype.itemsize == 8:  # pixels rarely have the full range of their type
        most = int(pixels.max()) - int(pixels.min())
        if most * channels >= 2**64:
            raise GraphError(f"differences in {channels} channels of {dtype} may not fit in 64 bits")
        return np.dtype(np.uint64)
    return np.min_scalar_type(most * channels)


def merge_similar(i, u, v, w, scale, parent, size, heaviest):
    """Merge the regions of the ends of edge i if it is light enough for both."""
    a, b = find(u[i], parent), find(v[i], parent)
    is_light = (w[i] - heaviest[a]) * size[a] <= scale and (w[i] - heaviest[b]) * size[b] <= scale
    if a != b and is_light:
        heaviest[hook(a, b, parent, size)] = w[i]


def merge_small(i, u, v, min_size, parent, size):
    """Merge the regions of the ends of edge i if either is too small."""
    a, b = find(u[i], parent), find(v[i], parent)
    if a != b and min(size[a], size[b]) < min_size:
        hook(a, b, parent, size)


def hook(a, b, parent, size):
    """Hook the root of the smaller tree onto the root of the larger tree, and return the latter."""
    larger, smaller = (b, a) if size[a] < size[b] else (a, b)
    parent[smaller] = larger
    size[larger] += size[smaller]
    return larger
