"""Animations of Borůvka's algorithm: how components grow round by round, as a GIF or a page of HTML."""

from __future__ import annotations

import base64
import html
import io
import json
import os
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, OptionError
from boruvka.graph.connected_components import label_components
from boruvka.runtime.arguments import argument, choice, real
from boruvka.runtime.output_files import file_name, writing
from boruvka.trees.plotting.coordinates import VertexCoordinates, place_vertices
from boruvka.trees.plotting.map import figure_size, frame_axes
from boruvka.trees.plotting.style import (
    FAINT,
    INK,
    LEVELS,
    color_levels,
    component_levels,
    line_width,
    lines,
    new_figure,
)
from boruvka.trees.plotting.textbook import Textbook, is_small
from boruvka.trees.plotting.vertices import MAX_DOTS

if TYPE_CHECKING:
    from PIL.Image import Image


__all__ = ["FORMATS", "Frame", "animate", "frames"]

FORMATS = ("gif", "html")
WITHOUT_ROUNDS = "kruskal", "filter-kruskal", "prim"
"""Algorithms that join components edge by edge."""
DOTS_PER_INCH = 120
COLORS = 128
"""Colors of a frame; more are not visible, and make files larger."""
LAST_FRAME = 3.0
"""Duration of the last frame of a GIF, in durations of the others."""
NEW, MAX_NEW = "#000000", 2_000
"""Color of the edges that a round adds; more of them have the colors of their components."""

DRAWN = "Edges that the round adds are black, if they are at most 2000. Edges of later rounds are grey."
DRAWN_SMALL = (
    "Arrows point from a component along the edge that it chooses in the round. Edges inside a component are "
    "dropped: they are dashed, and their weights are struck out."
)


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


def animate(
    forest: Any,
    output: Any,
    coordinates: Any = None,
    *,
    format: str | None = None,
    system: str | None = None,
    seconds: float = 1.2,
) -> None:
    """Implement `Forest.animate`."""
    forest.check_optimal("animate")
    if forest.record.requested in WITHOUT_ROUNDS:
        raise GraphError(
            f"animate shows the rounds of Borůvka's algorithm, and {forest.record.requested} has none: let "
            "the algorithm be chosen, or name boruvka"
        )
    chosen = animation_format(output, format)
    seconds = real("seconds", seconds, 0.1, 60)
    made = frames(forest, coordinates, system)
    content = _gif(made, seconds) if chosen == "gif" else _page(forest, made, seconds).encode()
    with writing(output) as file:
        file.write(content)


def animation_format(output: Any, format: str | None = None) -> str:
    """Choose the format of an animation: the given one, or that of the ending of a file.

    Raises
    ------
    OptionError
        There is no such format or ending.
    """
    if format is not None:
        return choice("format", format, FORMATS)
    name = "" if hasattr(output, "write") else file_name(output)
    ending = os.path.splitext(name)[1][1:].lower()
    if ending not in FORMATS:
        raise OptionError(
            f"{name or 'the file'}: an animation ends in .gif or .html, or pass {argument('format', 'gif')} "
            f"or {argument('format', 'html')}"
        )
    return ending


def frames(forest: Any, coordinates: Any = None, system: str | None = None) -> list[Frame]:
    """Draw the state before the first round and after each round.

    Parameters
    ----------
    forest, coordinates, system
        As for `animate`.

    Returns
    -------
    list of Frame
    """
    rounds, textbook = forest.edge_rounds, None
    if is_small(forest):
        textbook = Textbook(forest, coordinates, system)
        figure = new_figure(*textbook.size)
    else:
        positions = place_vertices(forest, coordinates, system)
        figure = new_figure(*figure_size(positions, 1.0))
    figure.set_layout_engine("none")
    labels = color_ids = np.arange(forest.n)
    made = []
    for number in range(int(rounds.max(initial=0)) + 1):
        is_chosen, is_new = rounds <= number, rounds == number
        before, labels = labels, label_components(forest.n, forest.u[is_chosen], forest.v[is_chosen])
        color_ids = _inherited(color_ids, before, labels)
        largest, added = int(np.bincount(labels, minlength=1).max()), int(np.count_nonzero(is_new))
        figure.clear()
        figure.set_dpi(DOTS_PER_INCH)
        if textbook is not None:
            textbook.draw(figure, number, before, labels, color_ids[labels])
        else:
            levels = 1 + component_levels(color_ids[labels[forest.u]])
            levels[is_new & (added <= MAX_NEW)] = LEVELS + 1
            _draw(figure, forest, positions, np.where(is_chosen, levels, 0))
        made.append(Frame(number, forest.n - int(is_chosen.sum()), largest, added, _image(figure)))
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


def _draw(figure: Any, forest: Any, positions: VertexCoordinates, levels: NDArray[np.int64]) -> None:
    """Draw edges of later rounds in grey (level 0), of components in colors, and new ones in black."""
    ax, width = figure.add_axes((0, 0, 1, 1)), line_width(len(forest), min(figure.get_size_inches()))
    colors, widths = [FAINT, *color_levels(), NEW], [0.6 * width, *[1.3 * width] * LEVELS, 2 * width]
    ends = positions.points[forest.u], positions.points[forest.v]
    ax.add_collection(lines(*ends, levels, colors, widths), autolim=False)
    if forest.n <= MAX_DOTS:
        ax.plot(*positions.points.T, "o", color=INK, markersize=2, zorder=3, linestyle="none")
    frame_axes(ax, positions)


def _image(figure: Any) -> Image:
    from PIL import Image

    figure.canvas.draw()
    pixels = Image.fromarray(np.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    return pixels.quantize(COLORS)


def _gif(made: list[Frame], seconds: float) -> bytes:
    file, milliseconds = io.BytesIO(), [round(1000 * seconds)] * len(made)
    milliseconds[-1] = round(LAST_FRAME * milliseconds[-1])
    images = [_captioned(frame) for frame in made]
    images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=milliseconds, loop=0)
    return file.getvalue()


def _captioned(frame: Frame) -> Image:
    """Add the caption below a picture, since a GIF has no other text."""
    from PIL import Image, ImageDraw, ImageFont

    size = DOTS_PER_INCH // 6
    image = Image.new("RGB", (frame.image.width, frame.image.height + 2 * size), "white")
    image.paste(frame.image)
    font = ImageFont.load_default(size)
    ImageDraw.Draw(image).text((size, frame.image.height + size // 4), frame.caption, INK, font)
    return image.quantize(COLORS)


def _page(forest: Any, made: list[Frame], seconds: float) -> str:
    """Fill the template: pictures as data, captions, and a table of the rounds."""
    pictures, rows = [], []
    for frame in made:
        file = io.BytesIO()
        frame.image.save(file, "PNG", optimize=True)
        pictures.append("data:image/png;base64," + base64.b64encode(file.getvalue()).decode())
        numbers = (frame.number, frame.added, frame.n_components, frame.largest)
        rows.append("<tr>" + "".join(f"<td>{number:,}</td>" for number in numbers) + "</tr>")
    kind = "maximum" if forest.maximum else "minimum"
    captions = [{"picture": p, "caption": f.caption} for p, f in zip(pictures, made, strict=True)]
    values = {
        "title": html.escape(f"Borůvka's algorithm: {kind} spanning forest of {forest.n:,} vertices"),
        "width": str(made[0].image.width),
        "height": str(made[0].image.height),
        "last": str(len(made) - 1),
        "rows": "\n".join(rows),
        "first_picture": pictures[0],
        "first_caption": html.escape(made[0].caption),
        "frames": json.dumps(captions).replace("</", "<\\/"),
        "drawn": DRAWN_SMALL if is_small(forest) else DRAWN,
        "milliseconds": str(round(1000 * seconds)),
    }
    page = resources.files("boruvka.trees.plotting").joinpath("rounds.html").read_text(encoding="utf-8")
    for name, value in values.items():
        page = page.replace(f"[[{name}]]", value)
    return page
