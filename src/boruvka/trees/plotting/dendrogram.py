"""Pictures of clusters that merge: the dendrogram of single linkage, and the condensed tree of HDBSCAN."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, warn
from boruvka.graph.columns import name_of_column
from boruvka.runtime.arguments import argument, integer, real
from boruvka.trees.plotting import style
from boruvka.trees.plotting.map import color_categories, color_numbers, numbers_of, ticks_of
from boruvka.trees.plotting.style import FAINT, INK
from boruvka.trees.plotting.values import shown_values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MergeList = list[tuple[int, int, int, float]]
"""MergeList: for each a cluster, its two parts, and the height."""
MAX_LEAVES = 500
"""Maximum number of leaves."""
MAX_ABREAST = 100
"""Maximum number of leaves beside each other; more are below each other, in a higher figure."""
STRIP, WIDTH_OF_STRIP = 0.12, 0.8
"""Inches of the height of the colors at a leaf, and their width in the room of a leaf."""
INCHES_OF_LEAF = 0.13
"""Height of a leaf below another."""
ABOVE, BELOW = 0.05, 0.1
"""Space above the highest merge, and below the lowest where the axis does not begin at 0, in its lengths."""
SIZE = 10.0, 6.0
"""Width and height of a new figure in inches."""
MAX_HORIZONTAL_LABELS = 12
"""Maximum number of leaves with horizontal labels."""
STEPS = 400
"""Number of densities at which the widths of clusters are drawn."""
PALE = 0.35
"""Opacity of the parts of selected clusters."""
WIDTH_OF_LABEL, HEIGHT_OF_LABEL = 52, 11
"""Points that the label of a cluster takes, written in two lines, or upright in one."""
TURN = 18
"""Points below the axes in which lines turn to labels that are not below their clusters."""


def plot_dendrogram(
    linkage: NDArray[np.float64],
    name: Callable[[int], str],
    *,
    leaves: int,
    height: float | None,
    ax: Axes | None,
    values: NDArray[Any] | None = None,
    column: Any = None,
    min_size: int = 1,
    maximum: bool = False,
    left_out: int = 0,
    weight: str = "weight",
    factor: float = 1,
) -> Axes:
    """Draw the last merges of a linkage matrix; merges at infinite heights, of components, are not drawn.

    Parameters
    ----------
    linkage : (n - 1, 4) array of float64
        The merges, in the format of ``scipy.cluster.hierarchy``.
    name : function
        Returns the name of a vertex.
    leaves, height, ax, min_size
        As for `boruvka.Forest.plot_dendrogram`.
    values : (n,) array, optional
        The value of each vertex, which colors show.
    column : object, optional
        What the values were read from: its name is the title of the key of colors.
    maximum : bool
        The linkage has negative weights: the axis shows the weights, which fall towards the last merge.
    left_out : int
        Number of rows that are not finite, for a note.
    weight : str
        Name of the weights, for the axis.
    factor : float
        The axis shows weights that are multiplied by it.
    """
    leaves, sign = integer("leaves", leaves, 2, MAX_LEAVES), -1 if maximum else 1
    scale = sign * factor
    if height is not None:
        height = sign * real("height", height, -np.inf if maximum else 0, np.inf)
    n = len(linkage) + 1
    if n < 2:
        raise GraphError("a dendrogram needs at least two vertices")
    is_across = min(leaves, n) > MAX_ABREAST  # leaves are below each other
    size = (SIZE[0], max(SIZE[1], INCHES_OF_LEAF * min(leaves, n))) if is_across else SIZE
    is_own = ax is None
    ax = style.new_axes(*size, ax)
    from matplotlib.collections import LineCollection

    merges, above, (small, outside) = _last_merges(linkage, leaves, integer("min_size", min_size, 1))
    heights = [height for *_, height in merges if np.isfinite(height)] or [0.0]
    colors, top = dict[int, Any](), max(heights)
    if height is not None and values is None:  # colors have one meaning
        colors = _cluster_colors(merges, height)
    if height is not None and (top or maximum) and height >= top:
        last = "above the lowest merge" if maximum else "below the highest merge"
        given = argument("height", sign * height) + f" ({scale * height:g} degrees)" * (factor != 1)
        warn(f"{given} is not {last}, {weight} {scale * top:g}: no cluster is cut")

    def label(cluster: int) -> str:
        return name(cluster) if cluster < n else f"({int(linkage[cluster - n, 3]):,})"

    range_of_heights = _range_of_heights(min(heights), top, height, maximum)
    shown, links = _links(merges, 2 * n - 2, range_of_heights[0])
    links = {cluster: corners for cluster, corners in links.items() if np.isfinite(corners[1][1])}
    of_links = [colors.get(cluster, INK) for cluster in links]
    corners = [(np.array(each) * (1, scale))[:, :: -1 if is_across else 1] for each in links.values()]
    ax.add_collection(LineCollection(corners, colors=of_links))
    range_of_heights = [scale * end for end in range_of_heights]
    of_leaves = _label_axes(ax, is_across, list(map(label, shown)), leaves, range_of_heights)
    title = f"{style.short(weight)} at which clusters merge"
    (ax.xaxis if is_across else ax.yaxis).set_label_text(title, parse_math=False)
    if height is not None:
        (ax.axvline if is_across else ax.axhline)(scale * height, color=INK, linewidth=0.8, linestyle="--")
    if values is not None:
        of_leaves.set_tick_params(pad=style.POINTS_PER_INCH * STRIP + 3)
        leaf = np.full(above.size, -1)
        leaf[shown] = range(len(shown))
        _color_leaves(ax, is_across, leaf[above[:n]], values, column, is_own)
    late = n - outside - int(sum(1 if cluster < n else linkage[cluster - n, 3] for cluster in shown))
    notes = [f"without {late:,} of {n:,}, which join in groups of fewer than {min_size}"] * (late > 0)
    if small:
        components = int(np.isinf(linkage[:, 2]).sum()) + 1
        notes.append(f"without {small:,} of {components:,} components")
        enough = min(2 * components, n)
        way = f"; {argument('leaves', enough)} draws all" if enough <= MAX_LEAVES else ""
        warn(f"{small:,} of {components:,} components, the smallest, are not drawn{way}")
    write_above(ax, left_out, notes)
    return ax


def _label_axes(
    ax: Axes, is_across: bool, texts: list[str], leaves: int, range_of_heights: list[float]
) -> Any:
    """Set limits and labels of both axes; return the axis of the leaves, of which there may be so many."""
    of_leaves = ax.yaxis if is_across else ax.xaxis
    if is_across:
        ax.set(xlim=range_of_heights, ylim=(len(texts) - 0.5, -0.5))
    else:
        ax.set(xlim=(-0.5, len(texts) - 0.5), ylim=range_of_heights)
    rotation = 0 if is_across or len(texts) <= MAX_HORIZONTAL_LABELS else 90
    of_leaves.set_ticks(range(len(texts)), texts, rotation=rotation)
    of_leaves.set_tick_params(length=0, labelsize=8 if leaves <= 50 or is_across else 6)
    ax.spines[["top", "right", "left" if is_across else "bottom"]].set_visible(False)
    return of_leaves


def _range_of_heights(low: float, top: float, height: float | None, maximum: bool) -> list[float]:
    """Return the limits of the axis, which shows all merges that are drawn, and the line at a height."""
    if height is not None and np.isfinite(height):
        low, top = min(low, height), max(top, height)
    length = top - low or abs(top) or 1.0
    is_far_from_0 = maximum or top / 2 < low < top  # else some merges are near 0
    bottom = low - BELOW * length if is_far_from_0 else 0.0
    return [bottom, top + ABOVE * (top - bottom) or 1.0]


def _color_leaves(
    ax: Axes, is_across: bool, leaf: NDArray[np.int64], values: NDArray[Any], column: Any, is_own: bool
) -> None:
    """Draw at each leaf the shares of categories, or the median of numbers or dates, and the key."""
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    title, rows = name_of_column(column), np.flatnonzero(leaf >= 0)
    kind, values = shown_values(values, title)
    leaf, numbers = leaf[rows], np.zeros(rows.size)
    if kind == "category":
        colors, entries = color_categories(values, np.ones(values.size), column=column)
        colors = colors[rows]
        handles = [ax.scatter([], [], marker="s", color=color, label=text) for color, text in entries]
        style.add_legends(ax, [(title, handles)], is_own)
    else:
        values = values[rows]
        dots, numbers = ax.scatter([], []), numbers_of(values)
        colors = color_numbers(dots, numbers, rows[:0])
        style.add_color_bar(ax, dots, label=title or "", **ticks_of(values))
    bars, order = list[tuple[Any, ...]](), np.lexsort([numbers, leaf])  # missing numbers are the last
    for place, own in enumerate(np.split(order, np.cumsum(np.bincount(leaf))[:-1])):
        known, end = int(np.isfinite(numbers[own]).sum()), 0.0
        shown = own if kind == "category" else own[[max(known - 1, 0) // 2]]
        for color, count in Counter(colors[shown].tolist()).most_common():
            length = STRIP * count / shown.size
            bars.append((place, -length, WIDTH_OF_STRIP, end, color))
            end -= length
    *boxes, fills = zip(*bars, strict=True)
    origin: Any = ScaledTranslation(0, 0, ax.transAxes)  # type: ignore[arg-type]
    ways = [ax.transData, style.figure_of(ax).dpi_scale_trans + origin][:: -1 if is_across else 1]
    draw: Any = ax.barh if is_across else ax.bar
    draw(*boxes, color=fills, clip_on=False, transform=blended_transform_factory(*ways))


def _last_merges(
    linkage: NDArray[np.float64], leaves: int, min_size: int
) -> tuple[MergeList, NDArray[np.int64], tuple[int, int]]:
    """List the last merges of two clusters of a size, which make so many leaves.

    At most half of the leaves are components, which merge at infinite heights, the largest ones first; others
    would leave no room for merges.

    Returns
    -------
    list
        For each a cluster, its two parts, and the height. A cluster that smaller ones join afterwards has the
        number under which it merges.
    (2 n - 1,) array of int64
        The cluster of these in which each one is first.
    (int, int)
        Numbers of components that are left out, and of their vertices.
    """
    n, parts = len(linkage) + 1, linkage[:, :2].astype(np.int64)
    size, above = np.append(np.ones(n), linkage[:, 3]), np.full(2 * n - 1, 2 * n - 2)
    above[parts] = np.arange(n, 2 * n - 1)[:, None]
    is_large, joins = size[parts].min(axis=1) >= min_size, np.flatnonzero(np.isinf(linkage[:, 2]))
    small = joins[max(leaves // 2, 1) - 1 :] if n > leaves else joins[:0]
    outside = 0
    if small.size:
        root, others = max(parts[small[0]], key=size.__getitem__), above.copy()  # of larger components
        is_large[small], others[root], outside = False, root, n - int(size[root])
        is_large &= _ancestors(others)[n:] == root
    rows = np.flatnonzero(is_large)[1 - leaves :]
    above[parts[rows]] = parts[rows]
    above = _ancestors(above)
    columns = above[n + rows], *parts[rows].T, linkage[rows, 2]
    return list(zip(*(column.tolist() for column in columns), strict=True)), above, (small.size, outside)


def _ancestors(above: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the last cluster above each one, from the next one above it; the last is above itself."""
    while ((further := above[above]) != above).any():
        above = further
    return above


def _links(merges: MergeList, root: int, bottom: float) -> tuple[list[int], dict[int, list[Any]]]:
    """Return the leaves from left to right, and the four corners of the link of each cluster of several."""
    shown = [root]
    for cluster, a, b, _ in reversed(merges):
        place = shown.index(cluster)
        shown[place : place + 1] = a, b
    tops, links = {cluster: (float(x), bottom) for x, cluster in enumerate(shown)}, {}
    for cluster, a, b, height in merges:
        (left, left_top), (right, right_top) = tops[a], tops[b]
        links[cluster] = [(left, left_top), (left, height), (right, height), (right, right_top)]
        tops[cluster] = (left + right) / 2, height
    return shown, links


def _cluster_colors(merges: MergeList, height: float) -> dict[int, Any]:
    """Give each cluster below a height, and all that merge into it, a color of the palette in turn."""
    clusters, colors = 0, dict[int, Any]()
    for cluster, a, b, of_merge in reversed(merges):  # a cluster comes before those that merge into it
        if of_merge <= height:
            if cluster not in colors:
                colors[cluster] = style.PALETTE[clusters % len(style.PALETTE)]
                clusters += 1
            colors |= dict.fromkeys((a, b), colors[cluster])
    return colors


def plot_condensed_tree(tree: Any, ax: Axes | None = None) -> Axes:
    """Draw the clusters of a `CondensedTree` as columns, each as wide as it has points at a density.

    Selected clusters and, paler, their parts are colored; labels are below the drawing.
    """
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgba

    ax = style.new_axes(*SIZE, ax)
    size = tree.size.copy()
    size[0] -= tree.weight[tree.left_out].sum()
    table, (begin, width) = np.delete(tree.to_numpy(), tree.left_out), tree.side_by_side(size.astype(float))
    table = table[np.lexsort([table["lambda_val"], table["parent"]])]
    n, clusters = tree.cluster.size, tree.parent.size
    families = np.split(table, np.searchsorted(table["parent"], n + np.arange(1, clusters)))
    top = float(table["lambda_val"][np.isfinite(table["lambda_val"])].max(initial=0)) or 1.0
    levels, center = np.linspace(0, top, STEPS), begin + width / 2
    ends, columns = np.empty(clusters), []
    for c, (family, first) in enumerate(zip(families, tree.birth.tolist(), strict=True)):
        leaving = family["lambda_val"]
        left = np.concatenate([[0], np.cumsum(family["child_size"])])
        ends[c] = min(float(leaving.max(initial=0)), top)
        at = np.concatenate([[first], levels[(levels > first) & (levels < ends[c])], ends[[c]]])
        half = (left[-1] - left[np.searchsorted(leaving, at)]) / 2
        sides = np.concatenate([center[c] - half, (center[c] + half)[::-1]])
        columns.append(np.column_stack([sides, np.concatenate([at, at[::-1]])]))
    selected = np.flatnonzero(tree.label >= 0)
    selected = selected[np.argsort(center[selected])]
    of_selected = color_categories(tree.label[selected], tree.labelled[selected])[0]  # as in a map
    colors = dict(zip(selected.tolist(), map(to_rgba, of_selected), strict=True))
    faces: list[Any] = []
    for c, parent in enumerate(tree.parent.tolist()):
        if c in colors:
            faces.append(colors[c])
        elif c == 0 or faces[parent] == to_rgba(FAINT):
            faces.append(to_rgba(FAINT))
        else:  # a part of a selected cluster
            faces.append((*faces[parent][:3], PALE))
    ax.add_collection(PolyCollection(columns, facecolors=faces, edgecolors=INK, linewidths=0.3))
    ax.autoscale_view()
    ax.autoscale(False)
    ax.invert_yaxis()
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.set_xticks([])
    ax.set_ylabel("density (1 / distance)")
    notes = _label_columns(ax, tree, center, ends, colors)
    write_above(ax, tree.left_out.size, notes)
    return ax


def write_above(ax: Axes, left_out: int, notes: list[str]) -> None:
    """Write notes above a picture, and how many rows are not in it, if there are any."""
    if left_out:
        rows = "row that is" if left_out == 1 else "rows that are"
        notes.append(f"without {left_out:,} {rows} not finite")
    if notes:
        ax.set_title("; ".join(notes), loc="left", fontsize=9, color=INK)


def _label_columns(
    ax: Axes, tree: Any, center: NDArray[np.float64], ends: NDArray[np.float64], colors: dict[int, Any]
) -> list[str]:
    """Write labels and sizes of clusters with colors side by side, below their columns; return notes.

    Their lines go straight down, where there is no other cluster, and turn to the labels below the axes.
    """
    from matplotlib.transforms import offset_copy
    from scipy.optimize import isotonic_regression  # only the estimators, which need SciPy, have such trees

    if not colors:
        return ["no clusters"]
    selected = np.array([*colors])
    figure = style.figure_of(ax)
    room = ax.get_position().width * figure.get_figwidth() * style.POINTS_PER_INCH
    is_wide = selected.size * WIDTH_OF_LABEL <= room
    space = WIDTH_OF_LABEL if is_wide else HEIGHT_OF_LABEL
    largest = np.argsort(-tree.labelled[selected], kind="stable")[: int(room / space)]
    shown = selected[np.sort(largest)]
    (left, right), bottom, steps = ax.get_xlim(), ax.get_ylim()[0], np.arange(shown.size)
    gap = space * (right - left) / room
    close = isotonic_regression(center[shown] - gap * steps).x
    places = np.clip(close, left + gap / 2, right - gap * (shown.size - 0.5)) + gap * steps
    turn = TURN * (np.abs(places - center[shown]).max() > gap / 2)
    line: dict[str, Any] = {"arrowstyle": "-", "shrinkA": 0, "shrinkB": 0, "relpos": (0.5, 1)}
    how: dict[str, Any] = {"ha": "center", "va": "top", "rotation": 0 if is_wide else 90, "fontsize": 8}
    below = offset_copy(ax.transData, figure, y=-float(turn), units="points")
    how |= {"color": INK, "annotation_clip": False, "textcoords": below}
    for c, place in zip(shown.tolist(), places.tolist(), strict=True):
        text = f"cluster {tree.label[c]}\nn = {tree.labelled[c]:,.6g}"
        if not is_wide:  # a layout makes room below the axes
            text = text.replace("\n", ", ") if figure.get_layout_engine() else f"{tree.label[c]}"
        ax.annotate(text, (center[c], bottom), (place, bottom), arrowprops=line | {"color": colors[c]}, **how)
    ax.vlines(center[shown], ends[shown], bottom, colors=[colors[c] for c in shown.tolist()], linewidth=1)
    left_out = selected.size - shown.size
    return [f"labels of the {shown.size} largest of {selected.size} clusters"] if left_out else []
