"""Labels of vertices and edges in a picture, each where no other is and few lines are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.trees.plotting.style import INK, POINTS_PER_INCH, figure_of, text_box

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAP, WIDE_GAP = 2.0, 6.0
"""Points between a dot and its label, and where no such place is free."""
HALF_LETTER = 0.32
"""Half the width of a letter or digit, in sizes of the font."""
NEAR = 9
"""Points from a label to the dots that are near to it: more than `GAP`."""
STEP = 2.0
"""Points between two places of a line that are marked."""


class Labels:
    """Writes labels into axes in which everything else is drawn: legends and scales move the axes.

    Parameters
    ----------
    ax : Axes
        The axes.
    in_layout : bool
        Whether the layout of a figure of the caller makes room for labels outside of the axes. In our figure
        it would move the axes, and labels would be on each other.
    """

    def __init__(self, ax: Axes, in_layout: bool = False):
        figure = figure_of(ax)
        figure.draw_without_rendering()  # only then the place of the axes is known
        self._ax, self._points_per_pixel, self._in_layout = ax, POINTS_PER_INCH / figure.dpi, in_layout
        size = np.ceil(figure.get_size_inches() * POINTS_PER_INCH).astype(int)
        self._taken, self._dots, self._lines = (np.zeros(size, kind) for kind in (bool, np.int32, np.int32))
        for other in {*figure.axes, *figure.legends, *filter(None, [ax.get_legend()])} - {ax}:
            low, high = other.get_window_extent().get_points().clip(0) * self._points_per_pixel
            self._taken[tuple(map(slice, low.astype(int), np.ceil(high).astype(int)))] = True

    def _places(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points are in the figure, in points of a font."""
        return self._ax.transData.transform(points) * self._points_per_pixel

    def avoid(self, curves: Iterable[NDArray[np.float64]], radius: float = 0.0) -> None:
        """Prefer places that are not on curves, or on dots of a radius in points."""
        for curve in curves:
            if not np.isfinite(curve).all():
                continue
            places = self._places(curve)
            steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
            along = np.concatenate([[0.0], np.cumsum(steps)])
            at = np.arange(0, along[-1] + STEP, STEP)
            x, y = (np.interp(at, along, column) for column in places.T)
            for i, j in zip(x.astype(int).tolist(), y.astype(int).tolist(), strict=True):
                r = int(radius)
                self._lines[max(i - r, 0) : i + r + 1, max(j - r, 0) : j + r + 1] += 1

    def cover(self, number: int, point: NDArray[np.float64], radius: float) -> None:
        """Leave out texts that would be on a dot of a radius in points, unless they may be on dots."""
        if np.isfinite(point).all():
            place = self._places(point)
            low, high = np.maximum([place - radius, place + radius], 0).astype(int)
            around = self._dots[low[0] : high[0] + 1, low[1] : high[1] + 1]
            i, j = np.indices(around.shape) + 0.5 + (low - place)[:, None, None]
            around[np.hypot(i, j) <= radius + 0.5] = number + 1

    def write(
        self,
        text: str,
        candidates: Iterable[tuple[NDArray[np.float64], NDArray[np.float64]]],
        font: float,
        is_needed: bool = False,
        may_be_on_dots: bool = False,
        of_dot: int = -1,
        **how: Any,
    ) -> bool:
        """Write a text at the best of some places, each a point and the shift of the middle in points.

        A place is free if it is inside the figure, and no other label, legend or axes are there. It is better
        if no other dot than its own is near. A text that is not needed is left out where no place is free.
        Return whether it is written.
        """
        half = np.array([HALF_LETTER * font * len(text), font / 2])
        best: tuple[Any, ...] | None = None
        for at, shift in candidates:
            if not np.isfinite(at).all():
                continue
            middle = self._places(at) + shift
            low, high = np.maximum(middle - half, 0).astype(int), (middle + half).astype(int) + 1
            box = slice(low[0], max(high[0], 0)), slice(low[1], max(high[1], 0))
            is_outside = (middle - half < 0).any() or (middle + half > self._taken.shape).any()
            on_dots, lines = np.count_nonzero(self._dots[box]), int(self._lines[box].sum())
            near = self._dots[tuple(slice(max(x.start - NEAR, 0), x.stop + NEAR) for x in box)]
            foreign = np.count_nonzero(near) - np.count_nonzero(near == of_dot + 1) if of_dot >= 0 else 0
            cost = bool(is_outside or self._taken[box].any()), on_dots, foreign, lines
            if best is None or cost < best[0]:
                best = cost, box, at, shift
        if best is None or (best[0][0] and not is_needed) or (best[0][1] and not may_be_on_dots):
            return False
        _, box, at, shift = best
        self._taken[box] = True
        how |= {"textcoords": "offset points", "fontsize": font, "color": INK, "ha": "center", "va": "center"}
        self._ax.annotate(text, tuple(at.tolist()), tuple(shift.tolist()), in_layout=self._in_layout, **how)
        return True

    def note_missing(self, missing: int, total: int, what: str, font: float) -> None:
        """Write how many labels are missing, if some are, in the corner where the text covers least."""
        text = f"{missing:,} of {total:,} {what} do not fit, and are not shown"
        half = np.array([HALF_LETTER * font * len(text), font / 2]) + GAP
        to_data = self._ax.transAxes + self._ax.transData.inverted()
        corners = np.array([(0.01, 0.01), (0.99, 0.01), (0.01, 0.99), (0.99, 0.99)])  # clipped at 0 and 1
        places = zip(to_data.transform(corners), half * np.sign(0.5 - corners), strict=True)
        self.write(text, places if missing else (), font, is_needed=True, may_be_on_dots=True, zorder=2.5)

    def write_beside(
        self, text: str, at: NDArray[np.float64], font: float, radius: float, **how: Any
    ) -> bool:
        """Write a text beside a dot of a radius in points, in one of 16 directions, as `write`."""
        half = np.array([HALF_LETTER * font * len(text), font / 2])
        angles = np.pi / 4 + np.pi / 8 * np.append(np.arange(0, 16, 2), np.arange(1, 16, 2))
        ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        corners = np.sign(np.round(ways, 6)) * half  # the label touches the dot with its side or its corner
        shifts = (ways * (radius + gap) + corners for gap in (GAP, WIDE_GAP))
        how |= {"zorder": 4, "bbox": text_box(boxstyle="square,pad=0", alpha=0.6)}
        return any(self.write(text, [(at, x) for x in places], font, **how) for places in shifts)
