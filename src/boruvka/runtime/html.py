"""Small pieces of HTML for notebooks: escaped, and in the colour of the text around them.

So they are legible in light and in dark themes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from boruvka.runtime.round_log import Round

__all__ = ["element", "fields_table", "rounds_fields", "sparkline", "text"]

LONGEST = 200
"""Characters of a text; more are cut off."""
WIDTH, HEIGHT = 160, 28
"""Size of a sparkline in pixels."""
RADIUS = 2


def element(name: str, *content: str, **attributes: Any) -> str:
    """Return an element: its content is HTML, its attributes are text, with ``_`` for ``-`` in names."""
    values = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items()
    )
    return f"<{name}{values}>{''.join(content)}</{name}>"


def text(value: Any) -> str:
    """Return a value as escaped text, not too long."""
    words = str(value)
    return escape(words if len(words) <= LONGEST else words[: LONGEST - 1] + "…")


def fields_table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of names, which are text, and values, which are HTML."""
    left = "text-align: left"
    caption = element("caption", element("strong", text(title)), style=left)
    lines = [
        element("tr", element("th", text(name), scope="row", style=left), element("td", value, style=left))
        for name, value in rows
    ]
    return element("table", caption, element("tbody", *lines), style="color: inherit")


def rounds_fields(rounds: Sequence[Round]) -> list[tuple[str, str]]:
    """Return the number of rounds and a line of the edges that each of them reads, if there are several."""
    if len(rounds) < 2:
        return []
    counts = [round_.edges for round_ in rounds]
    label = f"edges by round: {', '.join(f'{count:,}' for count in counts)}"
    return [("rounds", f"{len(counts)}"), ("edges by round", sparkline(counts, label))]


def sparkline(values: Sequence[float], label: str) -> str:
    """Return a line over a few values from left to right, the largest at the top, 0 at the bottom."""
    top, steps = max(max(values, default=0), 1), max(len(values) - 1, 1)
    inner_width, inner_height = WIDTH - 2 * RADIUS, HEIGHT - 2 * RADIUS
    places = [
        (RADIUS + inner_width * k / steps, RADIUS + inner_height * (1 - value / top))
        for k, value in enumerate(values)
    ]
    line = element(
        "polyline",
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        fill="none",
        stroke="currentColor",
        stroke_width=1.5,
    )
    dots = [element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=RADIUS, fill="currentColor") for x, y in places]
    size = {"width": WIDTH, "height": HEIGHT, "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    return element("svg", element("title", text(label)), line, *dots, role="img", aria_label=label, **size)
