"""The dendrogram of single linkage, drawn by SciPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.errors import GraphError
from boruvka.plotting.style import INK, new_axes, shades
from boruvka.runtime.arguments import integer, real

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = ["MOST_LEAVES", "plot_dendrogram"]

MOST_LEAVES = 100
"""More leaves are not legible, and chains of thousands exceed the depth to which SciPy recurses."""
SIZE = 10.0, 6.0
"""Inches of a new figure."""
UPRIGHT_LABELS = 12
"""Number of leaves up to which labels are horizontal."""


def plot_dendrogram(
    forest: Any, *, leaves: int = 30, height: float | None = None, ax: Axes | None = None
) -> Axes:
    """Implement `Forest.plot_dendrogram`."""
    leaves = integer("leaves", leaves, 2, MOST_LEAVES)
    if height is not None:
        height = real("height", height, 0, np.inf)
    if forest.n < 2:
        raise GraphError("a dendrogram needs at least two vertices")
    linkage = forest.linkage()
    ax = new_axes(*SIZE) if ax is None else ax
    _draw(forest, linkage, leaves, height, ax)
    _cut_off_empty_space(ax, linkage, leaves)
    for side in "top", "right", "bottom":
        ax.spines[side].set_visible(False)
    ax.set_ylabel("weight at which clusters merge")
    ax.tick_params(axis="x", length=0, labelsize=8 if leaves <= 50 else 6)
    if height is not None:
        ax.axhline(height, color=INK, linewidth=0.8, linestyle="--")
    return ax


def _draw(forest: Any, linkage: Any, leaves: int, height: float | None, ax: Axes) -> None:
    from scipy.cluster import hierarchy

    n = forest.n

    def label(cluster: int) -> str:
        if cluster < n:
            return str(forest.graph.name_of(np.array([cluster]))[0])
        return f"({int(linkage[cluster - n, 3]):,})"

    colours = _colours(linkage, leaves, height)
    hierarchy.dendrogram(
        linkage,
        p=leaves,
        truncate_mode="lastp",
        link_color_func=lambda cluster: colours.get(cluster, INK),
        leaf_label_func=label,
        leaf_rotation=0 if min(leaves, n) <= UPRIGHT_LABELS else 90,
        ax=ax,
    )


def _colours(linkage: Any, leaves: int, height: float | None) -> dict[int, Any]:
    """Give the clusters below a height colours in turn, with all that merges in them."""
    from matplotlib.colors import to_hex

    palette, n, turn = [to_hex(colour) for colour in shades(5)], len(linkage) + 1, 0
    colours: dict[int, Any] = {}
    last = len(linkage) - 1
    for row in range(last, max(last - leaves, -1), -1):  # a cluster comes before those that merge in it
        if height is not None and linkage[row, 2] <= height:
            if n + row not in colours:
                colours[n + row] = palette[turn % len(palette)]
                turn += 1
            colours.update(dict.fromkeys(linkage[row, :2].astype(int).tolist(), colours[n + row]))
    return colours


def _cut_off_empty_space(ax: Axes, linkage: Any, leaves: int) -> None:
    """Begin the axis of weights near the lightest merge that is drawn, if all are far from 0."""
    low, high = float(linkage[max(len(linkage) - leaves + 1, 0), 2]), float(linkage[-1, 2])
    if high / 2 < low < high < np.inf:
        ax.set_ylim(bottom=low - 0.1 * (high - low))
