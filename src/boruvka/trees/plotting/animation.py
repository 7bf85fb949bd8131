"""Animations of Borůvka's algorithm: how components grow round by round, as a GIF or a page of HTML."""

from __future__ import annotations

import base64
import html
import io
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.graph.connected_components import label_components
from boruvka.runtime.arguments import argument, one_of, real
from boruvka.runtime.output_files import file_name, writing
from boruvka.trees.plotting import style
from boruvka.trees.plotting.coordinates import VertexCoordinates
from boruvka.trees.plotting.map import MAX_DOTS, figure_size, frame_axes
from boruvka.trees.plotting.style import FAINT, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from PIL.Image import Image

__all__ = ["FORMATS", "Frame", "GrowingMap", "State", "animate", "frames"]

FORMATS = ("gif", "html")
DOTS_PER_INCH = 120
N_COLORS = 128
"""Number of colors of a frame; more are not visible, and make files larger."""
LAST_FRAME = 3.0
"""Duration of the last frame of a GIF, in durations of the others."""
INSIDE, LATER = 0, 1
"""Levels of edges inside a component that are not in the forest, and of edges of later rounds."""
NEW, MAX_NEW = "#000000", 2_000
"""Color of the edges that a round adds; more of them have the colors of their components."""


class State(NamedTuple):
    """The components after a round.

    Attributes
    ----------
    number : int
        The round; 0 is the state before the first.
    before, labels, color_ids : (n,) arrays
        For each vertex its component before the round, its component after it, and a number for its color.
    """

    number: int
    before: NDArray[np.int64]
    labels: NDArray[np.int64]
    color_ids: NDArray[np.int64]


class Frame(NamedTuple):
    """The state after a round.

    Attributes
    ----------
    number : int
        The round; 0 is the state before the first.
    components, largest, added : int
        Number of components, vertices of the largest one, and edges that the round added.
    image : PIL Image
        The picture.
    """

    number: int
    n_components: int
    largest: int
    added: int
    image: Image

    @property
    def caption(self) -> str:
        """The state in words."""
        components = f"{self.n_components:,} component{'s' * (self.n_components != 1)}"
        if not self.number:
            return f"Before round 1: {components}, each a vertex"
        added = f"{self.added:,} edge{'s' * (self.added != 1)} added"
        return f"Round {self.number}: {added}, {components}, the largest has {self.largest:,} vertices"


@dataclass(eq=False)
class GrowingMap:
    """A map of a forest, of which each frame shows a round.

    Parameters
    ----------
    positions : VertexCoordinates
        The coordinates of the vertices.
    u, v : (k,) arrays
        Ends of each edge.
    rounds : (k,) array
        The round that adds each edge; 0 for edges that are not in the forest.
    """

    positions: VertexCoordinates
    u: NDArray[Any]
    v: NDArray[Any]
    rounds: NDArray[Any]

    drawn: ClassVar = (
        "Edges that the round adds are black, if they are at most 2000. Edges of later rounds are grey."
    )
    """Explanation of the frames, for a page."""
    dropped: ClassVar = FAINT
    """Color of edges inside a component that are not in the forest."""
    later: ClassVar = FAINT
    """Color of edges between components."""

    def __post_init__(self) -> None:
        self.curves = self.positions.points[np.column_stack([self.u, self.v])]
        self.size, self.extent = figure_size(self.positions, 1.0), self.positions
        self.margin: float | None = None
        width = style.line_width(self.u.size, min(self.size))
        self.widths = 0.6 * width, 1.3 * width, 2 * width
        self.colors: Sequence[Any] = style.color_levels()

    def draw(self, figure: Figure, state: State) -> None:
        """Draw edges that are left in grey, edges of components in colors, and new edges in black."""
        ax, number, rounds = figure.add_axes((0, 0, 1, 1)), state.number, self.rounds
        frame_axes(ax, self.extent, self.margin)
        is_new = (rounds == number) & (number > 0)
        is_new &= np.count_nonzero(is_new) <= MAX_NEW
        is_old = (rounds > 0) & (rounds <= number) & ~is_new
        is_inside = state.labels[self.u] == state.labels[self.v]
        count, of_edges = len(self.colors), self.levels(state.color_ids)[self.u]
        levels = np.select([is_new, is_old, is_inside], [2 + count, 2 + of_edges, INSIDE], LATER)
        thin, wide, widest = self.widths
        shown = np.isfinite(self.curves).all(axis=(1, 2))  # others are loops of vertices without a place
        style.draw_lines(
            ax,
            self.curves[shown],
            levels[shown],
            edgecolors=[self.dropped, self.later, *self.colors, NEW],
            linewidths=[thin, thin, *[wide] * count, widest],
            linestyles=["--", *["-"] * (count + 2)],
        )
        self.annotate(ax, state, levels)

    def levels(self, color_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the place among the colors of components of each number of a color."""
        return style.component_levels(color_ids)

    def annotate(self, ax: Axes, state: State, levels: NDArray[np.int64]) -> None:
        """Draw the vertices, unless they are many, over edges of these levels."""
        if len(self.positions.points) <= MAX_DOTS:
            style.draw_dots(ax, self.positions.points, 2)


def animate(drawing: GrowingMap, output: Any, *, format: str | None, seconds: float, maximum: bool) -> None:
    """Write an animation as `boruvka.Forest.animate` describes it.

    Parameters
    ----------
    drawing : GrowingMap
        The forest, which draws itself after each round.
    maximum : bool
        Whether it shows a maximum spanning forest.
    output, format, seconds
        As for `Forest.animate`.
    """
    name = "" if hasattr(output, "write") else file_name(output)
    chosen = os.path.splitext(name)[1][1:].lower() if format is None else one_of("format", format, FORMATS)
    if chosen not in FORMATS:
        raise OptionError(
            f"{name or 'the file'}: an animation ends in .gif or .html, or pass {argument('format', 'gif')} "
            f"or {argument('format', 'html')}"
        )
    seconds = real("seconds", seconds, 0.1, 60)
    made = frames(drawing)
    if chosen == "gif":
        content = _gif(made, seconds)
    else:
        forest = f"{'maximum' if maximum else 'minimum'} spanning forest"
        title = f"Borůvka's algorithm: {forest} of {len(drawing.positions.points):,} vertices"
        content = _page(title, drawing.drawn, made, seconds).encode()
    with writing(output) as file:
        file.write(content)


def frames(drawing: GrowingMap) -> list[Frame]:
    """Draw the state before the first round and after each round."""
    figure = style.new_figure(*drawing.size)
    figure.set_layout_engine("none")
    rounds, n = drawing.rounds, len(drawing.positions.points)
    labels = color_ids = np.arange(n)
    made = []
    for number in range(int(rounds.max(initial=0)) + 1):
        is_chosen = (rounds > 0) & (rounds <= number)
        before, labels = labels, label_components(n, drawing.u[is_chosen], drawing.v[is_chosen])
        color_ids = _inherited(color_ids, before, labels)
        figure.clear()
        figure.set_dpi(DOTS_PER_INCH)
        drawing.draw(figure, State(number, before, labels, color_ids[labels]))
        largest, added = (
            int(np.bincount(labels, minlength=1).max()),
            int((is_chosen & (rounds == number)).sum()),
        )
        made.append(Frame(number, n - int(is_chosen.sum()), largest, added, _image(figure)))
    return made


def _inherited(color_ids: NDArray[Any], before: NDArray[Any], labels: NDArray[Any]) -> NDArray[np.int64]:
    """Give each component the color of its largest part, a component of the round before.

    Parameters
    ----------
    color_ids : array
        The color of each component before.
    before, labels : (n,) arrays of int64
        The component of each vertex before, and now.
    """
    sizes = np.bincount(before, minlength=color_ids.size)
    now = np.empty(color_ids.size, np.int64)
    now[before] = labels
    ascending = np.argsort(sizes, kind="stable")  # the last value for a component is kept: of the largest
    inherited = np.empty(int(labels.max(initial=-1)) + 1, np.int64)
    inherited[now[ascending]] = color_ids[ascending]
    return inherited


def _image(figure: Any) -> Image:
    from PIL import Image

    figure.canvas.draw()
    pixels = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    return pixels.quantize(N_COLORS)


def _gif(made: list[Frame], seconds: float) -> bytes:
    file, milliseconds = io.BytesIO(), [round(1000 * seconds)] * len(made)
    milliseconds[-1] = round(LAST_FRAME * milliseconds[-1])
    images = [_captioned(frame) for frame in made]
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=milliseconds, loop=0)
    return file.getvalue()


def _captioned(frame: Frame) -> Image:
    """Add the caption below a picture, since a GIF has no other text."""
    from PIL import ImageDraw, ImageFont, ImageOps

    size, height = DOTS_PER_INCH // 6, frame.image.height
    image = ImageOps.expand(frame.image.convert("RGB"), (0, 0, 0, 2 * size), "white")
    font = ImageFont.load_default(size)
    ImageDraw.Draw(image).text((size, height + size // 4), frame.caption, INK, font)
    return image.quantize(N_COLORS)


def _page(title: str, drawn: str, made: list[Frame], seconds: float) -> str:
    """Fill the template: pictures as data, captions, and a table of the rounds."""
    captions, rows = [], []
    for frame in made:
        file = io.BytesIO()
        frame.image.save(file, "PNG", optimize=True)
        picture = "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
        captions.append({"picture": picture, "caption": frame.caption})
        numbers = (frame.number, frame.added, frame.n_components, frame.largest)
        rows.append("<tr>" + "".join(f"<td>{number:,}</td>" for number in numbers) + "</tr>")
    values = {
        "title": html.escape(title),
        "width": made[0].image.width,
        "height": made[0].image.height,
        "last": len(made) - 1,
        "rows": "\n".join(rows),
        "first_picture": captions[0]["picture"],
        "first_caption": html.escape(made[0].caption),
        "frames": json.dumps(captions).replace("</", "<\\/"),
        "drawn": drawn,
        "milliseconds": round(1000 * seconds),
    }
    page = resources.files("boruvka.trees.plotting").joinpath("rounds.html").read_text(encoding="utf-8")
    for name, value in values.items():
        page = page.replace(f"[[{name}]]", str(value))
    return page
