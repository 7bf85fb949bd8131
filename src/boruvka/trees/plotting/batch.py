"""A picture of many forests: their mean weights, and the edges that each keeps of the one before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.errors import GraphError
from boruvka.graph.text_dates import keys_of_texts
from boruvka.trees.plotting import style
from boruvka.trees.plotting.style import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = 8.0, 5.0
"""Width and height of a new figure in inches."""
SHORT = 0.75
"""Share of the shortest other step between dates; a last step that is shorter is not drawn."""
MAX_TICKS = 8
"""Maximum number of labels that are texts."""


def plot_batch(batch: Any, axes: Sequence[Axes] | None) -> Axes:
    """Draw the mean weights and the survival of a `boruvka.ForestBatch`; return the axes of the weights."""
    if len(batch) < 2:
        raise GraphError("a picture of changes needs two forests or more: draw the tree of one")
    if axes is None:
        first = style.new_axes(*SIZE)
        figure = style.figure_of(first)
        first.remove()
        axes = figure.subplots(2, sharex=True)
    weights, survival = axes
    style.check_axes(weights)
    style.check_axes(survival)
    labels, keys, count = batch.labels, keys_of_texts(batch.labels), len(batch)
    if len(keys) == 1 and all(isinstance(key, str) for key in keys[0]):  # dates that are texts or 20241231
        labels = [datetime.fromisoformat(str(key)) for key in keys[0]]
    is_scale = len({*map(type, labels)}) == 1 and isinstance(labels[0], date | int | float)
    x = labels if is_scale else range(count)
    steps = np.diff([day.toordinal() for day in x if hasattr(day, "toordinal")])
    if steps.size > 1 and steps[-1] < SHORT * steps[:-1].min():  # a period is not over, so that much survives
        weights.set_title(f"without the last window, to {x[-1]:%Y-%m-%d}: a shorter step", fontsize="medium")
        count -= 1
    how: dict[str, Any] = {"color": INK, "marker": "" if count > 1 else "o"}
    weights.plot(x[:count], batch.mean_weight[:count], **how)
    survival.plot(x[:count], batch.survival[:count], **how)
    weights.set_ylabel("mean weight of edges")
    survival.set(ylabel="edges that survive", xlabel=batch.label_name, ylim=(0, 1.02))
    survival.yaxis.set_major_formatter("{x:.0%}")
    if not is_scale:
        ticks = np.unique(np.linspace(0, count - 1, MAX_TICKS).astype(int)).tolist()
        survival.set_xticks(ticks, [str(batch.labels[k]) for k in ticks])
    for ax in weights, survival:
        ax.spines[["top", "right"]].set_visible(False)
    return weights
