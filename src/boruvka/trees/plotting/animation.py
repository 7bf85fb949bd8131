"""Animations of how the components of a forest grow, as a GIF or a page of HTML."""

from __future__ import annotations

import base64
import html
import io
import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown
from boruvka.graph.connected_components import label_components
from boruvka.runtime.arguments import argument, one_of, real
from boruvka.runtime.output_files import file_name, writing
from boruvka.trees.plotting import style
from boruvka.trees.plotting.coordinates import VertexCoordinates
from boruvka.trees.plotting.curves import EdgeLines
from boruvka.trees.plotting.map import MAX_DOTS, figure_size, frame_axes
from boruvka.trees.plotting.style import FAINT, INK, counted
from boruvka.trees.plotting.template import as_script, filled, template

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from PIL.Image import Image

STILLS = ("png", "svg", "pdf")
FORMATS = ("gif", "html", *STILLS)
DOTS_PER_INCH = 120
CAPTION = 0.5
"""Height of the captions of panels in inches."""
N_COLORS = 128
"""Number of colors of a frame; more are not visible, and make files larger."""
CAPTION_FONT = 13.0
LAST_FRAME = 3.0
"""Duration of the last frame of a GIF, in durations of the others."""
INSIDE, LATER = 0, 1
"""Levels of edges inside a component that are not in the forest, and of edges of later rounds."""
IDEA = (
    "In each round, every component chooses the lightest edge that leaves it, and components that chosen "
    "edges join become one."
)
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
    """The picture of a state, its caption, and its row in the table of a page."""

    caption: str
    cells: tuple[Any, ...]
    image: Image


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

    noun: ClassVar = "Round"
    """Name of the step that a frame shows."""
    columns: ClassVar[tuple[str, ...]] = ("Edges added", "Components", "Vertices of the largest")
    """Headings of the cells of a frame."""
    drawn: ClassVar = (
        "Edges that the round adds are black, if they are at most 2000. Edges of later rounds are grey."
    )
    """Explanation of the frames, for a page."""
    dropped: ClassVar = FAINT
    """Color of edges inside a component that are not in the forest."""
    later: ClassVar = FAINT
    """Color of edges between components."""

    def __post_init__(self) -> None:
        ends = self.positions.points[np.column_stack([self.u, self.v])]
        self.curves, self.edge, _ = EdgeLines.across(ends, self.rounds, self.positions.periods)
        self.size, self.extent = figure_size(self.positions, 1.0), self.positions
        self.margin: float | None = None
        self.figure_size, self.frame = self.size, (0.0, 0.0, 1.0, 1.0)
        self.last = int(self.rounds.max(initial=0))
        self.algorithm, self.idea = "Borůvka", IDEA
        width = style.line_width(self.u.size, min(self.size))
        self.widths = 0.6 * width, 1.3 * width, 2 * width
        self.colors: Sequence[Any] = style.color_levels()

    def draw(self, figure: Figure, state: State) -> None:
        """Draw edges that are left in grey, edges of components in colors, and new edges in black."""
        ax, number, rounds = figure.add_axes(self.frame), state.number, self.rounds
        frame_axes(ax, self.extent, self.margin)
        is_new = (rounds == number) & (number > 0)
        is_new &= np.count_nonzero(is_new) <= MAX_NEW
        is_old = (rounds > 0) & (rounds <= number) & ~is_new
        count, of_edges = len(self.colors), self.levels(state.color_ids)[self.u]
        levels = np.select(
            [is_new, is_old, self.are_dropped(state)], [2 + count, 2 + of_edges, INSIDE], LATER
        )
        thin, wide, widest = self.widths
        shown = np.isfinite(self.curves).all(axis=(1, 2))  # others are loops of vertices without a place
        style.draw_lines(
            ax,
            self.curves[shown],
            levels[self.edge][shown],
            edgecolors=[self.dropped, self.later, *self.colors, NEW],
            linewidths=[thin, thin, *[wide] * count, widest],
            linestyles=["--", *["-"] * (count + 2)],
        )
        self.annotate(ax, state, levels)

    def states(self) -> Iterator[State]:
        """Yield the state before the first round and after each round."""
        n = len(self.positions.points)
        labels = color_ids = np.arange(n)
        for number in range(self.last + 1):
            is_chosen = (self.rounds > 0) & (self.rounds <= number)
            before, labels = labels, label_components(n, self.u[is_chosen], self.v[is_chosen])
            color_ids = _inherited(color_ids, before, labels)
            yield State(number, before, labels, color_ids[labels])

    def cells(self, state: State) -> tuple[Any, ...]:
        """Count the edges that the round adds, the components, and the vertices of the largest one."""
        added = int((self.rounds == state.number).sum()) if state.number else 0
        largest = int(np.bincount(state.labels, minlength=1).max())
        return added, int(state.labels.max(initial=-1)) + 1, largest

    def caption(self, state: State) -> str:
        """Describe a state."""
        added, count, largest = self.cells(state)
        components = counted(count, "component")
        if not state.number:
            return f"Before round 1: {components}, each a vertex"
        edges = f"{counted(added, 'edge')} added"
        return f"Round {state.number}: {edges}, {components}, the largest has {largest:,} vertices"

    def are_dropped(self, state: State) -> NDArray[np.bool_]:
        """Return which edges outside the forest need no further check."""
        return state.labels[self.u] == state.labels[self.v]

    def levels(self, color_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the place among the colors of components of each number of a color."""
        return style.component_levels(color_ids)

    def annotate(self, ax: Axes, state: State, levels: NDArray[np.int64]) -> None:
        """Draw the vertices, unless they are many, over edges of these levels."""
        if len(self.positions.points) <= MAX_DOTS:
            style.draw_dots(ax, self.positions.points, 2)


def animate(
    drawing: GrowingMap, output: Any, *, format: str | None, seconds: float, maximum: bool, only: Any
) -> None:
    """Write an animation as `boruvka.Forest.animate` describes it.

    Parameters
    ----------
    drawing : GrowingMap
        The forest, which draws itself after each round.
    maximum : bool
        Whether it shows a maximum spanning forest.
    output, format, seconds, only
        As for `Forest.animate`.
    """
    name = "" if hasattr(output, "write") else file_name(output)
    chosen = os.path.splitext(name)[1][1:].lower() if format is None else one_of("format", format, FORMATS)
    if chosen not in FORMATS:
        raise OptionError(
            f"{name or 'the file'}: an animation ends in .gif or .html, and a picture of all steps in .png, "
            f".svg or .pdf; or pass {argument('format', 'gif')}, or another of these"
        )
    seconds = real("seconds", seconds, 0.1, 60)
    states = _chosen_states(drawing, only)
    if chosen in STILLS:
        content = _panels(drawing, states, chosen)
    elif chosen == "gif":
        content = _gif(frames(drawing, states), seconds)
    else:
        forest = f"{'maximum' if maximum else 'minimum'} spanning forest"
        title = f"{drawing.algorithm}'s algorithm: {forest} of {len(drawing.positions.points):,} vertices"
        content = _page(title, drawing, states, seconds).encode()
    with writing(output) as file:
        file.write(content)


def frames(drawing: GrowingMap, states: Iterable[State] | None = None) -> list[Frame]:
    """Draw states, by default all."""
    figure = style.new_figure(*drawing.figure_size)
    figure.set_layout_engine("none")
    made = []
    for state in drawing.states() if states is None else states:
        figure.clear()
        figure.set_dpi(DOTS_PER_INCH)
        drawing.draw(figure, state)
        made.append(Frame(drawing.caption(state), drawing.cells(state), _pixels(figure).quantize(N_COLORS)))
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


def _chosen_states(drawing: GrowingMap, only: Iterable[int] | None) -> list[State]:
    """Return the states after some steps, by default all."""
    states = list(drawing.states())
    if only is None:
        return states
    numbers = np.asarray([only] if np.isscalar(only) else list(only))
    if not numbers.size or numbers.dtype.kind not in "iu" or not np.isin(numbers, range(len(states))).all():
        raise OptionError(
            f"{argument('only')} lists numbers of {drawing.noun.lower()}s, from 0 to {len(states) - 1}, such "
            f"as [0, {len(states) - 1}], got {shown(only)}"
        )
    return [states[number] for number in numbers.tolist()]


def _panels(drawing: GrowingMap, states: list[State], format: str) -> bytes:
    """Draw states beside and below each other, each above its caption, on a page that is nearly square."""
    (width, height), count = drawing.figure_size, len(states)
    shapes = [(-(-count // columns), columns) for columns in range(1, count + 1)]
    rows, columns = min(shapes, key=lambda x: abs(math.log(x[1] * width / (x[0] * (height + CAPTION)))))
    figure = style.new_figure(columns * width, rows * (height + CAPTION))
    figure.set_layout_engine("none")
    for panel, state in zip(figure.subfigures(rows, columns, squeeze=False).flat, states, strict=False):
        picture, below = panel.subfigures(2, 1, height_ratios=(height, CAPTION))
        drawing.draw(picture, state)
        below.text(0.01, 0.5, drawing.caption(state), color=INK, fontsize=CAPTION_FONT, parse_math=False)
    file = io.BytesIO()
    figure.set_dpi(DOTS_PER_INCH / min(columns, 2))
    if format == "png":
        _pixels(figure).save(file, "PNG", optimize=True)  # few colors are too few for many panels
    else:
        figure.savefig(file, format=format)
    return file.getvalue()


def _pixels(figure: Any) -> Image:
    from PIL import Image

    figure.canvas.draw()
    return Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")


def _gif(made: list[Frame], seconds: float) -> bytes:
    file, milliseconds = io.BytesIO(), [round(1000 * seconds)] * len(made)
    milliseconds[-1] = round(LAST_FRAME * milliseconds[-1])
    images = [_captioned(frame) for frame in made]
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=milliseconds, loop=0)
    return file.getvalue()


def _captioned(frame: Frame) -> Image:
    """Add the caption below a picture, since a GIF has no other text."""
    from matplotlib.font_manager import findfont
    from PIL import ImageDraw, ImageFont, ImageOps

    size, height = DOTS_PER_INCH // 6, frame.image.height
    image = ImageOps.expand(frame.image.convert("RGB"), (0, 0, 0, 2 * size), "white")
    font = ImageFont.truetype(findfont("DejaVu Sans"), size)  # comes with matplotlib
    ImageDraw.Draw(image).text((size // 2, height + size // 4), frame.caption, INK, font)
    return image.quantize(N_COLORS)


def _page(title: str, drawing: GrowingMap, states: list[State], seconds: float) -> str:
    """Fill the template: pictures as data, captions, and a table of the frames."""
    made, captions, rows = frames(drawing, states), [], []
    for number, frame in enumerate(made):
        file = io.BytesIO()
        frame.image.save(file, "PNG", optimize=True)
        picture = "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
        captions.append({"picture": picture, "caption": frame.caption})
        cells = (x if isinstance(x, str) else f"{x:,}" for x in (states[number].number, *frame.cells))
        rows.append("<tr>" + "".join(f"<td>{html.escape(x)}</td>" for x in cells) + "</tr>")
    headings = (drawing.noun, *drawing.columns)
    values = {
        "title": html.escape(title),
        "noun": drawing.noun,
        "nouns": f"{drawing.noun.lower()}s",
        "width": made[0].image.width,
        "height": made[0].image.height,
        "last": len(made) - 1,
        "headings": "".join(f"<th>{heading}</th>" for heading in headings),
        "rows": "\n".join(rows),
        "first_picture": captions[0]["picture"],
        "first_caption": html.escape(made[0].caption),
        "frames": as_script(captions),
        "explanation": f"{drawing.idea} {drawing.drawn}",
        "milliseconds": round(1000 * seconds),
    }
    return filled(template("rounds.html"), values)
