"""Tables of HTML for notebooks: their text is escaped, and legible in light and in dark themes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from boruvka.runtime.round_log import Round

LONGEST = 200
"""Characters of a text; more are cut off."""


class Page(str):
    """A page of HTML that a notebook shows in a frame of its own, where its scripts and styles stay."""

    __repr__ = object.__repr__  # not the whole text

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" style="width: 100%; height: 45rem; border: 0"></iframe>'


def text(value: Any) -> str:
    """Return a value as escaped text, not too long."""
    words = str(value)
    return escape(words if len(words) <= LONGEST else words[: LONGEST - 1] + "…")


def fields_table(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of names, which are text, and values, which are HTML."""
    left = 'style="text-align: left"'
    lines = [
        f'<tr><th scope="row" {left}>{text(name)}</th><td {left}>{value}</td></tr>' for name, value in rows
    ]
    caption = f"<caption {left}><strong>{text(title)}</strong></caption>"
    return f'<table style="color: inherit">{caption}<tbody>{"".join(lines)}</tbody></table>'


def rounds_fields(rounds: Sequence[Round]) -> list[tuple[str, str]]:
    """Return the number of rounds and the edges that each of them reads, if there are several."""
    counts = [f"{round_.edges:,}" for round_ in rounds if round_.merges]
    if len(counts) < 2:
        return []
    return [("rounds", f"{len(counts)}"), ("edges by round", text(", ".join(counts)))]
