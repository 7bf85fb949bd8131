"""Coordinates of vertices in a drawing: given, from the graph, or laid out.

Idea of the layout: vertices are placed so that distances on paper are close to the numbers of edges between
them. Each tree begins as a radial drawing, in which every subtree has a sector as wide as its number of
leaves, so that no edges cross. In a small forest, stress majorization then moves the vertices. If edges
are to be as long as their weights, each vertex then moves along its edge. Trees are placed side by side.
Where edges of a very small graph cross, other starts of the majorization are tried.

Source: E. R. Gansner, Y. Koren, S. North, Graph Drawing by Stress Majorization, GD 2004.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph import distances
from boruvka.graph.axis_names import ANGLES, axis_of
from boruvka.graph.connected_components import label_components
from boruvka.graph.coordinates import SYSTEMS, coordinate_columns, read_coordinates
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.labels import is_table
from boruvka.runtime.arguments import argument, one_of
from boruvka.trees.breadth_first import Arcs

DEGREES_OF_LATITUDE = 90
LARGEST = 1e150
"""The largest coordinate that is drawn; squares of distances between larger ones overflow."""
SMALL = 1000
"""Size of a small forest: majorization takes time and memory quadratic in it (1000 vertices: a second)."""
ITERATIONS = 60
VERY_SMALL, STARTS = 60, 30
"""Size of a graph whose layout has few crossings, and number of layouts that are compared for that."""
NEAR = 0.12
"""Distance of a vertex to an edge, in lengths of an edge, at which they nearly touch."""
SAME = 1e-4
"""Largest difference of coordinates that count as the same, as a share of their extent."""
TURN = 360.0
"""Degrees after which longitudes repeat."""
PROJECTION = "projection on the first two of 3 coordinates"
LAYOUT = "layout by edges: points of this dimension have no map"
"""Notes on drawings of points that are not in a plane."""
GAP = 0.6
"""Space between trees, in lengths of an edge."""
LENGTHS, LEAST_LENGTH = ("weight", "log"), 0.01
"""The words for what lengths of edges show, and the minimum length, as a share of the mean."""
CLEARANCE, PLACES = 0.25, 48
"""Minimum distance of a leaf from others, in lengths of an edge, and number of its possible places."""
NEARBY = 0.5
"""Distance from a tree of streets, as a share of its extent, up to which places make a map larger."""


def with_points_nearby(drawn: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of a tree, and others that are not far from it; all where the tree has no extent."""
    low, high = VertexCoordinates(drawn).box
    margin = NEARBY * (high - low).max() or np.inf
    is_near = (others >= low - margin) & (others <= high + margin)
    return np.concatenate([drawn, others[is_near.all(axis=1)]])


class VertexCoordinates(NamedTuple):
    """Coordinates of the vertices in a drawing, and the aspect ratio.

    Attributes
    ----------
    points : (n, 2) array of float64
        x and y of each vertex; NaN where a vertex without an edge has none.
    aspect : float
        Length of a unit of y, in units of x.
    periods : pair of float
        The lengths after which x and y repeat, in a periodic box or around the earth; else infinite.
    is_lonlat : bool
        Whether x and y are longitudes and latitudes.
    note : str
        A note for the title if points are not drawn at their own coordinates; else empty.
    is_layout : bool
        Whether points have no places of their own.
    axes : pair of str
        Names of x and y.
    is_sky : bool
        Whether x is the right ascension with the opposite sign, so that it grows to the left.
    """

    points: NDArray[np.float64]
    aspect: float = 1.0
    periods: tuple[float, float] = (np.inf, np.inf)
    is_lonlat: bool = False
    note: str = ""
    is_layout: bool = False
    axes: Sequence[str] = ("x", "y")
    is_sky: bool = False

    @property
    def box(self) -> NDArray[np.float64]:
        """The smallest and the largest x and y, as two rows; zeros if no vertex has coordinates."""
        known = self.points[np.isfinite(self.points).all(axis=1)]
        return np.stack([known.min(axis=0), known.max(axis=0)]) if len(known) else np.zeros((2, 2))

    def joined(self) -> VertexCoordinates:
        """Move longitudes by a full turn, so that a map is cut at their widest gap.

        On the earth, it must be half a turn, and on the sky, an eighth and wider than the gap at the end.
        """
        turn, x = self.periods[0], self.points[:, 0]
        known = np.unique(x[np.isfinite(x)])
        least = max(turn / 8, turn - np.ptp(known)) if self.is_sky and known.size else turn / 2
        if not self.is_lonlat or np.diff(known).max(initial=0) <= least:
            return self
        moved = self.points.copy()
        moved[:, 0] -= turn * (x > known[np.argmax(np.diff(known))])
        return self._replace(points=moved)

    def in_radians(self) -> VertexCoordinates:
        """Return longitudes from -pi to pi, and latitudes, as axes of a map projection take them."""
        turns = self.points / self.periods[0]
        turns[:, 0] -= np.round(turns[:, 0])
        return self._replace(points=2 * np.pi * turns, aspect=1.0, periods=(2 * np.pi, np.inf))


def place_vertices(
    tree: EdgeSet, coordinates: Any = None, system: str | None = None, *, ends: tuple[Any, Any] | None = None
) -> VertexCoordinates:
    """Find the coordinates at which the vertices of a tree are drawn.

    Parameters
    ----------
    tree : AcyclicEdges
        The tree, or the forest.
    coordinates : (n, 2) array_like of numbers, mapping or frame, optional
        The coordinates of each vertex, as `boruvka.graph.coordinates.read_coordinates` takes them; of an
        array of three columns, the first two. By default the coordinates of the graph, such as its points;
        the vertices of other trees are laid out. "weight" or "log" lays them out so that the lengths of edges
        are the weights, or the logarithms of 1 + weight.
    system : "xy", "lonlat", "latlon" or "radec", optional
        The meaning of the two columns; by default x and y. Degrees are drawn with the aspect of the middle
        latitude; millionths of degrees, which DIMACS uses, may stand for degrees.
    ends : two (k,) arrays, optional
        The ends of the edges that a layout of all vertices makes short; by default the edges of the tree.

    Returns
    -------
    VertexCoordinates
        A layout by the edges of the tree has no coordinates of vertices outside of it.

    Raises
    ------
    OptionError
        There is no such system; or edges are not a minimum forest, or have negative or infinite weights, and
        their lengths are to show these.
    GraphError, GraphTypeError
        The coordinates are not an array of n rows of two numbers, lack one for the end of an edge, or are too
        large.
    """
    if system is not None:
        one_of("system", system, (*SYSTEMS, "radec"))
    if isinstance(coordinates, str) and coordinates in LENGTHS:
        is_first = ~getattr(tree, "alternatives", np.zeros(len(tree), bool))  # of a network, the forest
        lengths = _lengths(tree, is_first, coordinates)
        return VertexCoordinates(_laid_out(tree, lengths, is_first), is_layout=True)
    if isinstance(coordinates, str | os.PathLike):  # it belongs to another argument
        word = os.fspath(coordinates)
        instead = f"is it {argument('algorithm', word)}?"
        if "." in word:
            instead = "read a table by pandas.read_csv; forest.plot().figure.savefig(path) saves a picture"
        raise GraphTypeError(f"coordinates are x and y, weight or log, got {shown(word)}: {instead}")
    graph, note = tree.graph, ""
    columns = graph.annotations.axes if coordinates is None and graph.system == "lonlat" else ()
    names = list(map(str, coordinates.columns if is_table(coordinates) else columns))
    axes = [names[k] for k in coordinate_columns(names) or ()]
    is_sky = system == "radec" or (system is None and "ra" in map(axis_of, axes))
    system = "lonlat" if system == "radec" else system
    if coordinates is None:
        coordinates, system = graph.coordinates, system or graph.system
    if coordinates is None:
        pairs = graph.annotations.pairs
        coordinates = None if pairs is None or pairs.search_metric is None else pairs.points
        if coordinates is None or coordinates.shape[1] != 3:
            layout = _laid_out(tree) if ends is None else forest_layout(tree.n, *ends)
            return VertexCoordinates(layout, note="" if coordinates is None else LAYOUT, is_layout=True)
    if getattr(coordinates, "ndim", 0) == 2 and coordinates.shape[1] == 3 and not is_table(coordinates):
        coordinates, note = coordinates[:, :2], PROJECTION
    points, system = read_coordinates(graph, coordinates, system, tree.number_of_name, is_partial=True)
    used = np.unique(np.concatenate([tree.u, tree.v]))
    missing = used[~np.isfinite(points[used]).all(axis=1)]
    if missing.size:
        raise GraphError(
            f"{missing.size:,} vertices that have edges have no finite coordinates, the first is "
            f"{graph.shown_id(missing[:1]).tolist()[0]!r}: {points[int(missing[0])].tolist()}"
        )
    found = _projected(points, system)
    is_sky &= found.is_lonlat
    if found.is_lonlat and not ANGLES.intersection(map(axis_of, axes)):  # x and y are any of both
        axes = names = []
    axes = axes or names[-2:] or _columns_of_points(graph, points) or list(found.axes)
    points = points * (-1, 1) if is_sky else points
    found = found._replace(points=points, note=note, is_sky=is_sky, axes=axes)
    if system == "xy" and graph.annotations.pairs is not None:
        found = found._replace(periods=_periods(tree, graph.annotations.pairs, points))
    if (largest := np.abs(found.box).max()) > LARGEST:
        raise GraphError(
            f"coordinates of {largest:.4g} are too large to draw: scale them to at most {LARGEST:g}"
        )
    return found


def _columns_of_points(graph: Any, drawn: NDArray[np.float64]) -> list[str]:
    """Return the names of the columns of points that are drawn as x and y; none if others are drawn."""
    points, names = getattr(graph.annotations.pairs, "points", drawn), graph.annotations.axes
    columns = list(zip(map(str, names if len(names) == points.shape[1] else "xyz"), points.T, strict=False))
    found = [
        next((name for name, column in columns[k:] + columns[:k] if np.array_equal(column, x)), "")
        for k, x in enumerate(drawn.T)
    ]
    return found if all(found) else []


def _projected(points: NDArray[np.float64], system: str) -> VertexCoordinates:
    found = VertexCoordinates(points)
    if system == "xy":
        return found
    latitudes, turn = found.box[:, 1], TURN
    if np.abs(latitudes).max() > DEGREES_OF_LATITUDE:
        latitudes, turn = latitudes * 1e-6, turn * 1e6
    aspect = 1 / max(np.cos(np.radians(latitudes.mean())), 0.1)
    axes = ["longitude", "latitude"]
    return found._replace(aspect=aspect, periods=(turn, np.inf), is_lonlat=True, axes=axes)


def _periods(tree: EdgeSet, pairs: Any, drawn: NDArray[np.float64]) -> tuple[float, float]:
    """Return the lengths after which x and y repeat, where points are in a periodic box or on a sphere.

    x and y may be coordinates of the points in another unit, or moved and wrapped again.

    Warns
    -----
    GraphWarning
        They are others, and an edge crosses the boundary, so that its line crosses the picture.
    """
    lengths = np.array([np.inf, 2 * np.pi]) if pairs.distance in distances.ON_SPHERE else pairs.box
    if lengths is None:
        return np.inf, np.inf
    across = (np.round((pairs.points[tree.u] - pairs.points[tree.v]) / lengths) != 0).any(axis=1)
    axes = list(zip(pairs.points.T, lengths.tolist(), strict=True))
    x, y = (_period(x, axes[k:] + axes[:k], tree) for k, x in enumerate(drawn.T))
    if across.any() and not (x and y):
        count = f"{np.count_nonzero(across):,} of {across.size:,}"
        more = f"edges across the boundary, {count}, have lines across the picture: pass those of the points"
        warn(f"coordinates: they are not those of the points, moved or scaled, so {more}")
    return x or np.inf, y or np.inf


def _period(x: NDArray[np.float64], axes: list[tuple[NDArray[Any], float]], tree: EdgeSet) -> float | None:
    """Return the period of x, which is one of some periodic axes, moved and scaled; None if it is not."""
    known = np.isfinite(x) & np.isfinite(sum(axis for axis, _ in axes))
    if (x[known] == x[known][:1]).all():
        return np.inf

    def of_edges(axis: NDArray[Any], length: float) -> Any:
        step, shift = (values[tree.u] - values[tree.v] for values in (x, axis))
        shift = shift - np.round(shift / length) * np.nan_to_num(length, posinf=0)
        long = np.argsort(-np.abs(shift))[: shift.size // 2 + 1]  # edges of which rounding matters least
        return np.median(step[long] / shift[long])  # most do not cross the boundary

    scales = lambda *_: 1.0, lambda axis, _: np.ptp(x[known]) / np.ptp(axis[known]), of_edges
    with np.errstate(divide="ignore", invalid="ignore"):
        for find, (axis, length) in itertools.product(scales, axes):
            scale = float(find(axis, length))
            rest = x[known] - scale * axis[known]
            rest -= rest[0]
            rest -= np.round(rest / (scale * length)) * (scale * length if length < np.inf else 0)
            if np.abs(rest).max() <= SAME * abs(scale) * np.ptp(axis[known]):
                return abs(scale) * length
    return None


def _lengths(tree: EdgeSet, chosen: NDArray[np.bool_], shown: str) -> NDArray[np.float64]:
    """Return the lengths that the edges of a forest are to have in a layout, on average about 1."""
    w, has_cycle = tree.w[chosen].astype(np.float64), chosen.sum() > tree.n - np.unique(tree.labels).size
    if has_cycle or getattr(tree, "maximum", False) or not ((w >= 0) & (w < np.inf)).all():
        raise OptionError(f"{argument('coordinates', shown)} is for minimum forests of finite weights from 0")
    w = np.log1p(w) if shown == "log" else w
    return np.maximum(w / (w.sum() / max(w.size, 1) or 1.0), LEAST_LENGTH)


def _laid_out(tree: EdgeSet, lengths: Any = None, chosen: Any = slice(None)) -> NDArray[np.float64]:
    """Lay out the vertices of a tree, by its chosen edges; the others get NaN."""
    vertices, number = tree.vertices, np.zeros(tree.n, np.int64)
    number[vertices] = np.arange(vertices.size)
    points = np.full((tree.n, 2), np.nan)
    points[vertices] = forest_layout(vertices.size, number[tree.u[chosen]], number[tree.v[chosen]], lengths)
    return points


def forest_layout(n: int, u: NDArray[Any], v: NDArray[Any], lengths: Any = None) -> NDArray[np.float64]:
    """Place the vertices of a forest, the same way in every run.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : (f,) arrays of integers
        The ends of its edges.
    lengths : (f,) array of float64, optional
        Their lengths, above 0 and on average about 1; then edges form no cycles.

    Returns
    -------
    (n, 2) array of float64
        x and y of each vertex; without ``lengths``, an edge is about 1 long.
    """
    if not n:
        return np.empty((0, 2))
    labels = label_components(n, u, v)
    positions, order = _radial(n, u, v, labels), np.argsort(labels, kind="stable")
    trees = np.split(order, np.cumsum(np.bincount(labels))[:-1])
    drawings = [positions[tree] for tree in trees]
    if n <= SMALL:
        arcs = _both_ways(n, u, v)
        hops = [np.array([arcs.search(x).hops[tree] for x in tree.tolist()], float) for tree in trees]
        drawings = [
            _with_fewest_crossings(near, drawing) if n <= VERY_SMALL else _majorized(near, drawing)
            for near, drawing in zip(hops, drawings, strict=True)
        ]
        positions[order] = np.concatenate(drawings)
    if lengths is not None:
        positions = _stretched(positions, u, v, lengths, np.array([tree[0] for tree in trees]))
    for tree in trees if n <= SMALL else ():
        _clear_leaves(positions, tree, u, v)
    drawings = [_upright(positions[tree]) for tree in trees]
    _set_side_by_side(sorted(drawings, key=len, reverse=True))
    positions[order] = np.concatenate(drawings)
    return positions


def distances_between(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance of each point to each of others."""
    squares = np.subtract.outer(a[:, 0], b[:, 0]) ** 2
    squares += np.subtract.outer(a[:, 1], b[:, 1]) ** 2
    return np.sqrt(squares, out=squares)


def _both_ways(n: int, u: NDArray[Any], v: NDArray[Any]) -> Arcs:
    return Arcs(n, np.concatenate([u, v]), np.concatenate([v, u]))


def _radial(n: int, u: NDArray[Any], v: NDArray[Any], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Draw each tree around its center: the angle of a subtree's sector is proportional to its leaves."""
    roots = np.unique(labels, return_index=True)[1]
    order, parent, _ = _breadth_first(n, u, v, roots)
    size = np.ones(n + 1, np.int64)
    for x in order[:0:-1]:
        size[parent[x]] += size[x]
    heavy = [x for x in order[1:] if 2 * size[x] >= size[roots[labels[x]]]]
    centers = roots.copy()
    centers[labels[heavy]] = heavy  # the last one is kept: no branch of it has more than half of the tree
    order, parent, depth = _breadth_first(n, u, v, centers)
    leaves = np.zeros(n + 1)
    for x in order[:0:-1]:
        leaves[x] = max(leaves[x], 1)
        leaves[parent[x]] += leaves[x]
    begin, middle = np.zeros(n + 1), np.zeros(n + 1)  # the next sector of a vertex, and the middle of its own
    for x in order[1:]:
        up = parent[x]
        begin[x] = begin[up] if up < n else 0
        middle[x] = begin[x] + leaves[x] / 2
        begin[up] += leaves[x]
    angle = 2 * np.pi * middle[:n] / leaves[centers][labels]
    return (depth[:n, None] - 1) * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _breadth_first(
    n: int, u: NDArray[Any], v: NDArray[Any], roots: NDArray[np.int64]
) -> tuple[list[int], list[int], NDArray[np.int64]]:
    """List vertices, each after its parent, parents and depths; the first is n, the parent of the roots."""
    ends = np.concatenate([u.astype(np.int64), roots]), np.concatenate([v.astype(np.int64), roots * 0 + n])
    order, parent, hops = _both_ways(n + 1, *ends).search(n)
    return order.tolist(), parent.tolist(), hops


def _with_fewest_crossings(hops: NDArray[np.float64], positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the layout, from these positions or random ones, that has the fewest crossings of edges."""
    u, v = np.nonzero(np.triu(hops == 1))
    rng, best, fewest = np.random.default_rng(0), positions, np.inf
    for start in range(STARTS):
        drawing = _majorized(hops, positions if not start else rng.normal(size=positions.shape))
        crossings = _crossings(drawing, u, v)
        if crossings < fewest:
            best, fewest = drawing, crossings
        if not crossings:
            break
    return best


def _crossings(points: NDArray[np.float64], u: NDArray[Any], v: NDArray[Any]) -> int:
    """Count the pairs of straight edges that cross, and of edges and vertices that they nearly touch."""
    a, b = points[u], points[v]
    along, to = b - a, points - a[:, None]
    side = along[:, None, 0] * to[..., 1] - along[:, None, 1] * to[..., 0]  # of each vertex, for each edge
    parts = side[:, u] * side[:, v] < 0
    length = np.maximum(np.linalg.norm(along, axis=1), 1e-9)[:, None]
    share = (to * along[:, None]).sum(axis=2) / length**2
    touches = (np.abs(side) < NEAR * length) & (share > 0) & (share < 1)
    touches[np.arange(u.size), u] = touches[np.arange(u.size), v] = False
    return int((parts & parts.T).sum()) // 2 + int(touches.sum())


def _majorized(hops: NDArray[np.float64], positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lower the stress, the sum of ((distance - hops) / hops)² of all pairs, by majorization."""
    n = len(hops)
    if n < 3:
        return positions
    if np.linalg.matrix_rank(positions - positions[0], tol=1e-6) < 2 and not np.allclose(
        distances_between(positions, positions), hops
    ):  # a cycle, which would stay on its line
        positions = positions + 0.1 * np.stack([np.sin(np.arange(n)), np.cos(2 * np.arange(n))], axis=1)
    with np.errstate(divide="ignore"):
        weights = np.where(hops > 0, hops**-2, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + 1 / n)  # one place is free: their mean stays at 0
    for _ in range(ITERATIONS):
        ratio = weights * hops / np.maximum(distances_between(positions, positions), 1e-9)
        positions = inverse @ (ratio.sum(axis=1)[:, None] * positions - ratio @ positions)
    return positions


def _stretched(
    positions: NDArray[Any], u: NDArray[Any], v: NDArray[Any], lengths: NDArray[Any], roots: NDArray[Any]
) -> NDArray[np.float64]:
    """Move each vertex of a forest along the line from its parent, as far as the edge is long."""
    depth, found = _breadth_first(len(positions), u, v, roots)[2], positions.copy()
    child, parent = np.where(depth[u] > depth[v], (u, v), (v, u)).astype(np.int64)
    steps = positions[child] - positions[parent]
    steps *= (lengths / np.maximum(np.hypot(*steps.T), 1e-300))[:, None]
    for edge in np.argsort(depth[child], kind="stable").tolist():
        found[child[edge]] = found[parent[edge]] + steps[edge]
    return found


def _clear_leaves(
    positions: NDArray[np.float64], tree: NDArray[np.int64], u: NDArray[Any], v: NDArray[Any]
) -> None:
    """Turn leaves that lie on others, or on edges of others, around their only neighbor, to free places."""
    inside = np.isin(u, tree)
    u, v = u[inside].astype(np.int64), v[inside].astype(np.int64)
    degree = np.bincount(np.append(u, v), minlength=len(positions))
    turns = np.exp(2j * np.pi * np.arange(PLACES) / PLACES)  # the first is none
    for edge in np.flatnonzero((degree[u] == 1) ^ (degree[v] == 1)).tolist():
        leaf, center = (u[edge], v[edge]) if degree[u[edge]] == 1 else (v[edge], u[edge])
        turned = turns * complex(*(positions[leaf] - positions[center]))
        arms = np.stack([turned.real, turned.imag], axis=1)
        others = np.arange(u.size) != edge
        apart = (u != center) & (v != center)
        found = [
            distances_between(positions[center] + arms, positions[tree[(tree != leaf) & (tree != center)]]),
            _from_lines(positions[center] + arms, positions[u[others]], positions[v[others]]),
            _from_lines(positions[center] + arms / 2, positions[u[apart]], positions[v[apart]]),
        ]
        clearance = np.concatenate(found, axis=1).min(axis=1, initial=np.inf)
        if clearance[0] < CLEARANCE:
            positions[leaf] = positions[center] + arms[np.argmax(clearance)]


def _from_lines(
    points: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the distance of each point to each line from a to b."""
    along = b - a
    length = np.maximum((along**2).sum(axis=1), 1e-300)
    share = np.clip(((points[:, None] - a) * along).sum(axis=2) / length, 0, 1)
    return np.linalg.norm(points[:, None] - (a + share[..., None] * along), axis=2)


def _upright(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotate a drawing so that it is wider than high."""
    centered = positions - positions.mean(axis=0)
    axes = np.linalg.svd(centered, full_matrices=False)[2] if len(positions) > 2 else np.eye(2)
    return centered @ axes.T


def _set_side_by_side(drawings: list[NDArray[np.float64]]) -> None:
    """Move drawings, the largest first, into rows of about the width of a square."""
    sizes = [np.ptp(drawing, axis=0) + GAP for drawing in drawings]
    width = max(1.3 * np.sqrt(sum(size.prod() for size in sizes)), *(size[0] for size in sizes))
    x = y = height = 0.0
    for drawing, size in zip(drawings, sizes, strict=True):
        if x and x + size[0] > width:
            x, y, height = 0.0, y - height, 0.0
        drawing += np.array([x, y - size[1]]) - drawing.min(axis=0)
        x, height = x + size[0], max(height, size[1])
