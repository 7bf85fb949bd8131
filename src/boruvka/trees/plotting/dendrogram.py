"""Pictures of clusters that merge: the dendrogram of single linkage, and the condensed tree of HDBSCAN."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.runtime.arguments import integer, real
from boruvka.trees.plotting import style
from boruvka.trees.plotting.style import FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MAX_LEAVES", "plot_condensed_tree", "plot_dendrogram"]

MAX_LEAVES = 100
"""Maximum number of leaves: more are not legible."""
ABOVE = 1.1
"""Height of merges of components, in heights of the highest finite one."""
SIZE = 10.0, 6.0
"""Width and height of a new figure in inches."""
MAX_HORIZONTAL_LABELS = 12
"""Maximum number of leaves with horizontal labels."""
STEPS = 400
"""Number of densities at which the widths of clusters are drawn."""
MAX_LABELS = 40
"""Maximum number of clusters that have labels."""


def plot_dendrogram(
    linkage: NDArray[np.float64],
    name: Callable[[int], str],
    *,
    leaves: int,
    height: float | None,
    ax: Axes | None,
) -> Axes:
    """Draw the last merges of a linkage matrix.

    Parameters
    ----------
    linkage : (n - 1, 4) array of float64
        The merges, in the format of ``scipy.cluster.hierarchy``.
    name : function
        Returns the name of a vertex.
    leaves, height, ax
        As for `boruvka.Forest.plot_dendrogram`.
    """
    leaves = integer("leaves", leaves, 2, MAX_LEAVES)
    if height is not None:
        height = real("height", height, 0, np.inf)
    style.check_axes(ax)
    n = len(linkage) + 1
    if n < 2:
        raise GraphError("a dendrogram needs at least two vertices")
    ax = style.new_axes(*SIZE, ax)
    from matplotlib.collections import LineCollection

    colors = {} if height is None else _cluster_colors(linkage, leaves, height)
    finite = np.isfinite(linkage[:, 2])
    drawn = linkage.copy()
    drawn[~finite, 2] = ABOVE * linkage[finite, 2].max(initial=0) or 1.0  # components, above all merges

    def label(cluster: int) -> str:
        return name(cluster) if cluster < n else f"({int(linkage[cluster - n, 3]):,})"

    shown, links = _links(drawn, leaves)
    of_links = [colors.get(cluster, INK) for cluster in links]
    ax.add_collection(LineCollection(list(links.values()), colors=of_links))
    ax.set_xlim(-0.5, len(shown) - 0.5)
    ax.set_ylim(0, 1.05 * drawn[-1, 2] or 1.0)
    rotation = 0 if len(shown) <= MAX_HORIZONTAL_LABELS else 90
    ax.set_xticks(range(len(shown)), list(map(label, shown)), rotation=rotation)
    low, high = float(linkage[max(len(linkage) - leaves + 1, 0), 2]), float(linkage[-1, 2])
    if high / 2 < low < high < np.inf:  # all merges are far from 0
        ax.set_ylim(bottom=low - 0.1 * (high - low))
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.set_ylabel("weight at which clusters merge")
    ax.tick_params(axis="x", length=0, labelsize=8 if leaves <= 50 else 6)
    if height is not None:
        ax.axhline(height, color=INK, linewidth=0.8, linestyle="--")
    return ax


def _links(linkage: NDArray[np.float64], leaves: int) -> tuple[list[int], dict[int, list[Any]]]:
    """Return the leaves from left to right, and the four corners of the link of each cluster of several."""
    n = len(linkage) + 1
    begin = max(2 * n - leaves, n)
    rows = enumerate(linkage[begin - n :, :3].tolist(), begin)
    merges = [(cluster, int(a), int(b), height) for cluster, (a, b, height) in rows]
    shown = [2 * n - 2]
    for cluster, a, b, _ in reversed(merges):
        place = shown.index(cluster)
        shown[place : place + 1] = a, b
    tops, links = {cluster: (float(x), 0.0) for x, cluster in enumerate(shown)}, {}
    for cluster, a, b, height in merges:
        (left, left_top), (right, right_top) = tops[a], tops[b]
        links[cluster] = [(left, left_top), (left, height), (right, height), (right, right_top)]
        tops[cluster] = (left + right) / 2, height
    return shown, links


def _cluster_colors(linkage: NDArray[np.float64], leaves: int, height: float) -> dict[int, Any]:
    """Give each cluster below a height, and all that merge into it, one of a few colors in turn."""
    from matplotlib.colors import to_hex

    palette = [to_hex(color) for color in style.shades(5)]
    n, clusters, colors = len(linkage) + 1, 0, dict[int, Any]()
    for row in range(n - 2, max(n - 2 - leaves, -1), -1):  # a cluster comes before those that merge into it
        if linkage[row, 2] <= height:
            if n + row not in colors:
                colors[n + row] = palette[clusters % len(palette)]
                clusters += 1
            colors.update(dict.fromkeys(linkage[row, :2].astype(int).tolist(), colors[n + row]))
    return colors


def plot_condensed_tree(
    table: NDArray[np.void],
    birth: NDArray[np.float64],
    size: NDArray[Any],
    label: NDArray[np.int64],
    begin: NDArray[Any],
    width: NDArray[Any],
    ax: Axes | None = None,
) -> Axes:
    """Draw clusters as columns, each as wide as it has points at a density.

    Parameters
    ----------
    table : array of records
        The points and clusters that leave each cluster, as
        `boruvka.trees.clusters.condensed_tree.CondensedTree.to_numpy` returns them.
    birth, size, label : (clusters,) arrays
        Density and number of points at the birth of each cluster, and its label. Clusters with a label of 0
        or more are colored, and up to `MAX_LABELS` say label and size.
    begin, width : (clusters,) arrays
        Left side and width of the column of each cluster.
    """
    ax = style.new_axes(*SIZE, ax)
    from matplotlib.collections import PolyCollection

    table = table[np.lexsort([table["lambda_val"], table["parent"]])]
    n = table.size + 1 - birth.size  # points; clusters are numbered from n
    families = np.split(table, np.searchsorted(table["parent"], n + np.arange(1, birth.size)))
    finite = table["lambda_val"][np.isfinite(table["lambda_val"])]
    top = float(finite.max(initial=0)) or 1.0
    levels = np.linspace(0, top, STEPS)
    are_few = np.count_nonzero(label >= 0) <= MAX_LABELS
    palette, color = style.color_levels(), style.component_levels(label)
    box = style.text_box(boxstyle="round,pad=0.2", alpha=0.8)
    columns = []
    for c, (family, first) in enumerate(zip(families, birth.tolist(), strict=True)):
        leaving = family["lambda_val"]
        left = np.concatenate([[0], np.cumsum(family["child_size"])])
        end = min(float(leaving.max(initial=0)), top)
        at = np.concatenate([[first], levels[(levels > first) & (levels < end)], [end]])
        half = (left[-1] - left[np.searchsorted(leaving, at)]) / 2
        center = begin[c] + width[c] / 2
        sides = np.concatenate([center - half, (center + half)[::-1]])
        columns.append(np.column_stack([sides, np.concatenate([at, at[::-1]])]))
        if are_few and label[c] >= 0:
            text = f"cluster {label[c]}\nn = {size[c]:,.6g}"
            ax.annotate(text, (center, (first + end) / 2), ha="center", fontsize=8, color=INK, bbox=box)
    colors = [palette[k] if is_selected else FAINT for k, is_selected in zip(color, label >= 0, strict=True)]
    ax.add_collection(PolyCollection(columns, facecolors=colors, edgecolors=INK, linewidths=0.3))
    ax.autoscale_view()
    ax.invert_yaxis()
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.set_xticks([])
    ax.set_ylabel("density (1 / distance)")
    return ax
