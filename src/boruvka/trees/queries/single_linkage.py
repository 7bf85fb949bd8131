"""Single-linkage clustering of a forest: the linkage matrix, and clusters at one height or several.

At height h, single linkage puts two vertices into one cluster exactly if a path of edges of weight h or
less connects them. If such a path exists, the path in the minimum spanning forest is one [1]_. The edges of
the forest, in the order (weight, index), are therefore the merges of single linkage, and a forest without its
heaviest edges is a cut.

.. [1] J. C. Gower, G. J. S. Ross, "Minimum spanning trees and single linkage cluster analysis",
       Journal of the Royal Statistical Society C 18 (1969), 54-64.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from numbers import Integral
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, OptionError, shown, warn
from boruvka.graph.columns import is_number, read_only
from boruvka.graph.connected_components import label_components
from boruvka.graph.distances import EARTH_RADIUS, ON_SPHERE, great_circle, unit_of
from boruvka.graph.text_numbers import number_in
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.kernels.team import map_parts
from boruvka.runtime.arguments import argument, integer
from boruvka.runtime.processors import processors
from boruvka.trees.path_maxima import AHEAD, ONE, UNIONS_AT_ONCE, union_in_order
from boruvka.trees.structure import Structure, check_distances

_ANGLE = re.compile(
    r"""(?P<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*"""
    r"""(?:(?P<deg>deg(?:rees?)?|°)|(?P<arcmin>arcmin|['′])|(?P<arcsec>arcsec|["″]))"""
)
"""A height that is an angle, in degrees, minutes or seconds."""
FAR_ABOVE, FAR_BELOW = 5, 100
"""How many times above or below all weights a height may be in another unit."""


def merges(structure: Structure, min_size: int) -> list[NDArray[np.int64]]:
    """Return the places of edges in the order (weight, index), and the sizes of the clusters of both ends."""
    min_size = integer("min_size", min_size, 1)
    position, _, places = structure.leaves.order
    parent, small, _, larger = union_in_order(structure.n, places, structure.u, structure.v)[1]
    size, above = np.zeros(structure.n, np.int64), np.arange(structure.n)
    while above.size:  # each vertex counts at all roots that it is hooked below: at most log2(n)
        size += np.bincount(above, minlength=structure.n)
        above = parent[above]
        above = above[above >= 0]
    smaller = size[small]
    is_smaller = position[structure.u[places]] >= position[small]  # which comes after the larger
    columns = places, np.where(is_smaller, smaller, larger), np.where(is_smaller, larger, smaller)
    return [column[smaller >= min_size].astype(np.int64) for column in columns]


def cut(structure: Structure, k: int) -> NDArray[np.int64]:
    """Implement `Forest.cut`."""
    components = structure.n - structure.size
    k = integer("k", k, components, structure.n, f": the forest has {components} components already")
    return _clusters(structure, structure.n - k)


def cut_at(structure: Structure, height: float | str, pairs: Any) -> NDArray[np.int64]:
    """Implement `Forest.cut_at`."""
    return _clusters(structure, *_edge_counts(structure, [read_height(height, pairs)], pairs))


class Angle(float):
    """An angle in the unit of the weights, which is shown as it was given."""

    text: str

    def __str__(self) -> str:
        return self.text


def read_height(height: Any, pairs: Any) -> Any:
    """Return a height as a number: a text is an angle between points of the sphere, see `Forest.cut_at`.

    Raises
    ------
    OptionError
        It is a text, and not an angle, or ``pairs``, which are None without points, are not on a sphere.
    """
    if not isinstance(height, str):
        return height
    match, metric = _ANGLE.fullmatch(height.strip()), getattr(pairs, "distance", None)
    if match is None or metric not in ON_SPHERE:
        way = "a number, as weights, or for points on a sphere an angle, as 0.5deg, 30arcmin or 30arcsec"
        way = f"{height} without quotes" if is_number(number_in(height)) else way
        of_metric = f"; the metric is {metric.__name__}" if match and metric else ""
        raise OptionError(f"{shown(height)} is not a height: write {way}{of_metric}")
    unit, radius = str(match.lastgroup), EARTH_RADIUS if pairs.distance is great_circle else 1.0
    degrees = float(match["number"]) / {"deg": 1, "arcmin": 60, "arcsec": 3600}[unit]
    angle = Angle(radius * math.radians(degrees))
    angle.text = match["number"] + unit
    return angle


class Cuts:
    """Clusters of a forest at several heights, as `Forest.cuts` finds them.

    ``cuts[i]`` is the labels at the i-th height, and ``len(cuts)`` the number of heights.

    Attributes
    ----------
    heights : tuple
        The heights, in the given order.
    n_clusters : (len,) array of int64
        Number of clusters at each height.
    sizes : tuple of arrays of int64
        Number of vertices of each cluster, for each height.
    labels : (len, n) array of int64
        The cluster of each vertex, for each height; computed when it is first read.
    """

    def __init__(self, heights: tuple[Any, ...], levels: list[int], steps: list[NDArray[np.int64]]):
        self.heights: tuple[Any, ...] = heights
        self._levels, self._steps = levels, [read_only(step) for step in steps]
        sizes = [np.ones(steps[0].size, np.int64)]
        for step in steps:  # exact in float64: there are at most 2**48 vertices
            sizes.append(np.bincount(step, sizes[-1]).astype(np.int64))
        self.sizes: tuple[NDArray[np.int64], ...] = tuple(read_only(sizes[level]) for level in levels)
        self.n_clusters: NDArray[np.int64] = read_only(np.array([size.size for size in self.sizes], np.int64))

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """The cluster of each vertex, for each height."""
        n = self._steps[0].size
        labels, here = np.empty((len(self), n), np.int64), np.arange(n)
        for level, step in enumerate(self._steps, 1):
            here = step[here]
            labels[np.equal(self._levels, level)] = here
        return read_only(labels)

    def __len__(self) -> int:
        return len(self.heights)

    def __getitem__(self, i: int) -> NDArray[np.int64]:
        *before, labels = self._steps[: self._levels[i]]
        for step in reversed(before):
            labels = labels[step]
        return labels

    def __repr__(self) -> str:
        return f"Cuts(heights={self.heights}, clusters={self.n_clusters.tolist()})"


def cuts(structure: Structure, heights: Iterable[float | str], pairs: Any = None) -> Cuts:
    """Implement `Forest.cuts`."""
    try:
        heights = tuple(None if isinstance(heights, str) else heights)  # type: ignore[arg-type]
    except (TypeError, ValueError, LookupError, AttributeError, NotImplementedError):
        got = shown(heights)
        advice = f": write [{got}]" if is_number(heights) or isinstance(heights, str) else ""
        advice += f", or cut({got}) or clusters(k={got})" if isinstance(heights, Integral) else ""
        raise OptionError(f"heights must be an iterable of numbers, got {got}{advice}") from None
    heights = tuple(read_height(height, pairs) for height in heights)
    counts = _edge_counts(structure, heights, pairs)
    places = structure.by_weight.places
    u, v = structure.u[places], structure.v[places]
    distinct = sorted(set(counts)) or [0]
    steps, done = [], 0
    for count in distinct:
        new = slice(count - done)
        steps.append(label_components(structure.n - done, u[new], v[new]))
        structure.check_no_cycle(count, steps[-1])  # fewer steps would leave labels that no later step has
        u, v = (steps[-1][ends[count - done :]].astype(ends.dtype) for ends in (u, v))
        done = count
    return Cuts(heights, [distinct.index(count) + 1 for count in counts], steps)


def _edge_counts(structure: Structure, heights: Sequence[Any], pairs: Any) -> list[int]:
    """Count the edges that a cut at each height keeps, which are the first in the order (weight, index).

    Warns
    -----
    GraphWarning
        No height is among the weights, and one is above them; a single one far above or below, as 80 is
        above 0 to 1, unless weights are of places on a sphere. Of kilometres, also if one is below all.
    """
    w, places, sign = structure.w, structure.by_weight.places, -1 if structure.maximum else 1
    limits = [_limit(height, w.dtype) for height in heights]
    low, high = (_exact(w.min()), _exact(w.max())) if w.size else (0, 0)
    unit = unit_of(pairs)
    is_one = len(limits) == 1 and not unit  # all in one cluster, or each alone, may be meant
    above = high * (FAR_ABOVE if is_one else 1)
    below = low / FAR_BELOW if is_one else low if unit == "km" else 0
    start = 0 if pairs is None or low < 0 else -math.inf  # only distances of a function may be negative
    far = [k for k, x in enumerate(limits) if (x and start < x < below) or 0 < above < x < math.inf]
    if far and not any(low <= x <= high for x in limits) and not isinstance(heights[far[0]], Angle):
        where = f"above all weights, up to {w.max()}," if limits[far[0]] > high else "below all weights"
        slip = "is it in another unit, such as percent or kpc?"
        slip = f"weights are {unit}, write '1deg' for a degree" if unit else slip
        warn(f"the height {shown(heights[far[0]])} is {where} and none is among them: {slip}")
    return [bisect_right(places, sign * x, key=lambda i: sign * _exact(w[i])) for x in limits]


def is_within(w: NDArray[Any], height: Any, maximum: bool) -> NDArray[np.bool_]:
    """Return whether a cut at a height keeps each edge, by the weights of edges in any order."""
    sign, limit = -1 if maximum else 1, _limit(height, w.dtype)
    distinct, level = np.unique(w, return_inverse=True)
    is_kept = [sign * _exact(weight) <= sign * limit for weight in distinct]
    return np.array(is_kept, bool)[level]


def rounded(height: Any, dtype: np.dtype[Any]) -> Any:
    """Round a float of Python to the type of float weights, as NumPy does; return others as they are.

    It then equals a weight that was made of the same number.
    """
    with np.errstate(over="ignore"):
        return dtype.type(height) if dtype.kind == "f" and type(height) is float else height


def _limit(height: Any, dtype: np.dtype[Any]) -> Fraction | float:
    """Return a height as a number that compares exactly."""
    try:
        return _exact(rounded(height, dtype))
    except (AttributeError, TypeError, ValueError):
        raise OptionError(f"height must be a number, got {shown(height)}") from None


def _clusters(structure: Structure, count: int) -> NDArray[np.int64]:
    """Return the clusters that the first edges connect."""
    kept = structure.by_weight.places[:count]
    labels = label_components(structure.n, structure.u[kept], structure.v[kept])
    structure.check_no_cycle(count, labels)
    return labels


def _exact(number: Any) -> Fraction | float:
    """Convert a Python or NumPy number to a type that compares exactly with every other number."""
    number = number.item() if isinstance(number, np.generic) else number
    try:
        return Fraction(*number.as_integer_ratio())
    except OverflowError:
        return math.copysign(math.inf, number)


def cluster_columns(
    structure: Structure, heights: Iterable[float | str], k: int | None = None, pairs: Any = None
) -> tuple[dict[str, Any], list[str]]:
    """Return the columns of `Forest.clusters`: the numbers of vertices, not their names.

    ``pairs`` are the points, for angles. Also return those for heights, the largest clusters first.
    """
    found = cuts(structure, heights, pairs)
    labels = dict[str, NDArray[np.int64]]()
    for i, height in enumerate(found.heights):
        name = f"cluster_{str(height).removesuffix('.0')}".replace(".", "_").replace("-", "minus_")
        if name in labels:
            raise OptionError(f"the height {height} is there twice")
        labels[name] = found[i]
    rising = [name for _, name in sorted(zip(found.heights, labels, strict=True))]
    levels = rising if structure.maximum else rising[::-1]
    labels |= {} if k is None else {f"cluster_of_{k}": cut(structure, k)}
    columns = {name: smallest_vertices(here)[here] for name, here in labels.items()}
    return {"vertex": np.arange(structure.n)} | columns, levels


def smallest_vertices(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the smallest vertex of each cluster; clusters are numbered in the order of these vertices."""
    highest = np.maximum.accumulate(labels)
    return np.flatnonzero(np.diff(highest, prepend=-1))


def check_heights(structure: Structure, edge_text: Callable[[int], str]) -> None:
    """Raise a `GraphError` unless weights are heights of a dendrogram: they rise, and none is negative."""
    if structure.maximum:
        raise GraphError(
            "a maximum spanning forest has no linkage matrix, as heights are distances and rise; without "
            f"{argument('maximum', True)}, {argument('correlations', True)} makes distances of a matrix of "
            "correlations; of others, w.max() - w are distances with the same forest, if no difference is "
            "rounded: write a column of them, or for a graph g "
            "boruvka.Graph.from_edges(g.u, g.v, g.w.max() - g.w, n=g.n, names=g.names)"
        )
    advice = "; cut and cut_at take negative weights"
    check_distances(structure.w, edge_text, "a linkage matrix needs distances", advice)


def linkage(structure: Structure, edge_text: Callable[[int], str]) -> NDArray[np.float64]:
    """Implement `Forest.linkage`; ``edge_text`` is what messages call the edge at a place."""
    check_heights(structure, edge_text)
    if (components := structure.n - structure.size) != 1:
        raise GraphError(
            f"a linkage matrix needs one component, this forest has {components}; "
            "connect them by heavier edges, leave vertices out, or take clusters from cut or cut_at"
        )
    places, weights = structure.by_weight
    if structure.w.dtype.itemsize > 8:
        weights = structure.w[places]
    tree, cycle = _linkage(structure.n, places, structure.u, structure.v, weights)
    if cycle >= 0:
        raise structure.cycle_at(places[cycle])
    return tree


def linkage_of_tree(u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> NDArray[np.float64]:
    """Compute the linkage matrix of a spanning tree from its edges, sorted by weight."""
    return _linkage(w.size + 1, np.arange(w.size), u, v, w)[0]


def _linkage(
    n: int, order: NDArray[Any], u: NDArray[Any], v: NDArray[Any], weights: NDArray[Any]
) -> tuple[NDArray[np.float64], int]:
    """Merge clusters along edges with sorted weights; find the first edge that closes a cycle, else -1."""
    with np.errstate(over="ignore"):  # longdouble beyond the range of float64 becomes infinite
        heights = weights.astype(np.float64, copy=False)
    tree = np.empty((order.size, 4))
    clusters = np.empty(2 * n, np.uint32 if n < 2**31 else np.uint64)
    clusters[::2], clusters[1::2] = np.arange(n), 1

    def merge(first: int, last: int, unions: tuple[NDArray[Any], ...]) -> None:
        _merge(np.uint64(first), np.uint64(last), *unions[1:3], heights, clusters, tree)

    if order.size <= UNIONS_AT_ONCE or processors() < 2:
        return tree, union_in_order(n, order, u, v, merge)[0]
    done: SimpleQueue[Any] = SimpleQueue()

    def unite() -> int:
        try:
            return union_in_order(n, order, u, v, lambda *batch: done.put(batch))[0]
        finally:
            done.put(None)

    def merge_what_is_done() -> None:
        for batch in iter(done.get, None):
            merge(*batch)

    return tree, map_parts(lambda work: work(), [unite, merge_what_is_done], 2)[0]


@kernel
def _merge(first, last, small, large, heights, clusters, tree):
    """Store the merges of a range of unions. ``clusters`` holds the cluster of each root, and its size."""
    n = np.uint64(small.size + 1)
    for k in range(first, last):
        if k + AHEAD < small.size:
            prefetch(clusters, np.uint64(small[k + AHEAD]) + np.uint64(small[k + AHEAD]))
            prefetch(clusters, np.uint64(large[k + AHEAD]) + np.uint64(large[k + AHEAD]))
        i, j = np.uint64(small[k]), np.uint64(large[k])
        i, j = i + i, j + j
        a, b = np.uint64(clusters[i]), np.uint64(clusters[j])
        size = clusters[i + ONE] + clusters[j + ONE]
        clusters[j], clusters[j + ONE] = n + k, size
        tree[k, 0], tree[k, 1] = min(a, b), max(a, b)
        tree[k, 2], tree[k, 3] = heights[k], size
