"""The condensed tree of HDBSCAN: columns of clusters, as wide as they have points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.trees.plotting.style import FAINT, INK, check_axes, color_levels, component_levels, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_condensed_tree"]

SIZE = 10.0, 6.0
"""Inches of a new figure."""
STEPS = 400
"""Number of densities at which widths are drawn."""
BEHIND = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
"""The background of labels."""
MAX_LABELS = 40
"""Maximum number of clusters of which the label is drawn."""


def plot_condensed_tree(tree: Any, ax: Axes | None = None) -> Axes:
    """Draw the clusters of a condensed tree; those with labels are colored and say label and size."""
    from matplotlib.collections import PolyCollection

    check_axes(ax)
    ax = new_axes(*SIZE) if ax is None else ax
    begin, width = tree.side_by_side(tree.size.astype(np.float64))
    centre = begin + width / 2
    finite = np.concatenate([tree.departure, tree.birth])
    top = float(finite[np.isfinite(finite)].max(initial=0)) or 1.0
    levels = np.linspace(0, top, STEPS)
    by_cluster = np.lexsort([tree.departure, tree.cluster])
    bounds = np.searchsorted(tree.cluster[by_cluster], np.arange(tree.parent.size + 1))
    by_parent = np.argsort(tree.parent, kind="stable")
    families = np.searchsorted(tree.parent[by_parent], np.arange(tree.parent.size + 1))
    are_few = np.count_nonzero(tree.label >= 0) <= MAX_LABELS
    columns, colors = [], []
    palette, color = color_levels(), component_levels(tree.label)
    for c in range(tree.parent.size):
        points = by_cluster[bounds[c] : bounds[c + 1]]
        children = by_parent[families[c] : families[c + 1]]
        leaving = np.concatenate([tree.departure[points], tree.birth[children]])
        amounts = np.concatenate([tree.weight[points], tree.size[children]])
        order = np.argsort(leaving, kind="stable")
        left = np.concatenate([[0], np.cumsum(amounts[order])])
        end = min(float(leaving.max(initial=0)), top)
        at = np.concatenate([[tree.birth[c]], levels[(levels > tree.birth[c]) & (levels < end)], [end]])
        half = (amounts.sum() - left[np.searchsorted(leaving[order], at, side="left")]) / 2
        sides = np.concatenate([centre[c] - half, (centre[c] + half)[::-1]])
        columns.append(np.column_stack([sides, np.concatenate([at, at[::-1]])]))
        colors.append(palette[color[c]] if tree.label[c] >= 0 else FAINT)
        if are_few and tree.label[c] >= 0:
            middle = centre[c], (tree.birth[c] + end) / 2
            text = f"cluster {tree.label[c]}\nn = {tree.size[c]:,.6g}"
            ax.annotate(text, middle, ha="center", fontsize=8, color=INK, bbox=BEHIND)
    ax.add_collection(PolyCollection(columns, facecolors=colors, edgecolors=INK, linewidths=0.3))
    ax.autoscale_view()
    ax.invert_yaxis()
    ax.spines[["top", "right", "bottom"]].set_visible(False)
    ax.set_xticks([])
    ax.set_ylabel("density (1 / distance)")
    return ax
