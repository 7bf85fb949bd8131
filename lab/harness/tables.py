"""Tables of text: from rows of results, for the terminal and for documents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lab.harness.results import Rows


def markdown(rows: Rows) -> str:
    """Format rows as a table in Markdown; the names of the first row are the header."""
    if not rows:
        return ""
    lines = [_line(list(rows[0])), "|---" * len(rows[0]) + "|"]
    lines += [_line([cell(x) for x in row.values()]) for row in rows]
    return "\n".join(lines) + "\n"


def cell(x: Any) -> str:
    """Format a value."""
    if x is None:
        return ""
    if isinstance(x, bool):
        return "yes" if x else "no"
    if isinstance(x, int):
        return f"{x:,}"
    return three_figures(x) if isinstance(x, float) else str(x)


def three_figures(x: float) -> str:
    """Format a number to three significant digits and at most four decimals, without an exponent."""
    places = 2 - math.floor(math.log10(x)) if x > 0 else 0
    text = f"{x:,.{min(max(places, 0), 4)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def ratio(a: float | None, b: float | None) -> float | None:
    """Divide, unless a number is missing or zero."""
    return a / b if a is not None and b else None


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(x.replace("|", "\\|").replace("\n", " ") for x in cells) + " |"
