"""The dendrogram of single linkage, drawn by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.runtime.arguments import integer, real
from boruvka.trees.plotting.style import INK, check_axes, new_axes, shades

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = ["MAX_LEAVES", "draw_linkage", "plot_dendrogram"]

MAX_LEAVES = 100
"""Maximum number of leaves: more are not legible, and long chains exceed the recursion depth of SciPy."""
ABOVE = 1.1
"""Height of merges of components, in heights of the highest finite one."""
SIZE = 10.0, 6.0
"""Inches of a new figure."""
MAX_HORIZONTAL_LABELS = 12
"""Maximum number of leaves with horizontal labels."""


def plot_dendrogram(
    forest: Any, *, leaves: int = 30, height: float | None = None, ax: Axes | None = None
) -> Axes:
    """Implement `Forest.plot_dendrogram`."""
    if forest.n < 2:
        raise GraphError("a dendrogram needs at least two vertices")

    def name(vertex: int) -> str:
        return str(forest.graph.shown_id(np.array([vertex]))[0])

    return draw_linkage(forest.linkage(), name, leaves=leaves, height=height, ax=ax)


def draw_linkage(
    linkage: NDArray[np.float64],
    name: Callable[[int], str],
    *,
    leaves: int,
    height: float | None,
    ax: Axes | None,
) -> Axes:
    """Draw the last merges of a linkage matrix, as `Forest.plot_dendrogram` does."""
    from scipy.cluster import hierarchy

    leaves = integer("leaves", leaves, 2, MAX_LEAVES)
    if height is not None:
        height = real("height", height, 0, np.inf)
    check_axes(ax)
    n = len(linkage) + 1
    ax = new_axes(*SIZE) if ax is None else ax
    colors = {} if height is None else _cluster_colors(linkage, leaves, height)
    finite = np.isfinite(linkage[:, 2])
    highest = float(linkage[finite, 2].max(initial=0))
    drawn = linkage.copy()
    drawn[~finite, 2] = ABOVE * highest or 1.0  # components, above all merges

    def label(cluster: int) -> str:
        return name(cluster) if cluster < n else f"({int(linkage[cluster - n, 3]):,})"

    hierarchy.dendrogram(
        drawn,
        p=leaves,
        truncate_mode="lastp",
        link_color_func=lambda cluster: colors.get(cluster, INK),
        leaf_label_func=label,
        leaf_rotation=0 if min(leaves, n) <= MAX_HORIZONTAL_LABELS else 90,
        ax=ax,
    )
    low, high = float(linkage[max(len(linkage) - leaves + 1, 0), 2]), float(linkage[-1, 2])
    if high / 2 < low < high < np.inf:  # all merges are far from 0
        ax.set_ylim(bottom=low - 0.1 * (high - low))
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.set_ylabel("weight at which clusters merge")
    ax.tick_params(axis="x", length=0, labelsize=8 if leaves <= 50 else 6)
    if height is not None:
        ax.axhline(height, color=INK, linewidth=0.8, linestyle="--")
    return ax


def _cluster_colors(linkage: Any, leaves: int, height: float) -> dict[int, Any]:
    """Give each cluster below a height, and all that merge into it, one of a few colors in turn."""
    from matplotlib.colors import to_hex

    palette = [to_hex(color) for color in shades(5)]
    n, clusters, colors = len(linkage) + 1, 0, dict[int, Any]()
    for row in range(n - 2, max(n - 2 - leaves, -1), -1):  # a cluster comes before those that merge into it
        if linkage[row, 2] <= height:
            if n + row not in colors:
                colors[n + row] = palette[clusters % len(palette)]
                clusters += 1
            colors.update(dict.fromkeys(linkage[row, :2].astype(int).tolist(), colors[n + row]))
    return colors
