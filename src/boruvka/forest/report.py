"""A forest and the rounds of its algorithm, as text and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boruvka.forest.round_log import Round
from boruvka.runtime.html import sparkline, text

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["forest_fields", "format_rounds", "rounds_fields"]


def format_rounds(rounds: Sequence[Round]) -> list[str]:
    """Format each round as one line, followed by its notes."""
    lines = []
    for number, round_ in enumerate(rounds, 1):
        steps = ", ".join(f"{name} {seconds:.6f} s" for name, seconds in round_.seconds.items())
        counts = ", ".join(f"{count} {name}" for name, count in round_.sent.items())
        sent = f"; sent {counts}" if counts else ""
        lines.append(
            f"round {number} ({round_.phase}): {round_.components} components, {round_.edges} edges; "
            f"{steps}{sent}"
        )
        lines += [f"  {note}" for note in round_.notes]
    return lines


def forest_fields(forest: Forest) -> list[tuple[str, str]]:
    """Return the names and values of the table of a forest; values are HTML."""
    threads = f"{forest.threads} thread{'s' * (forest.threads != 1)}"
    solver = f"{forest.algorithm} on {forest.backend}, {threads}, {forest.seconds:.3f} s"
    return [
        ("vertices", f"{forest.n:,}"),
        ("edges", f"{len(forest):,} of {forest.graph.m:,}"),
        ("components", f"{forest.components:,}"),
        ("weight", text(forest.weight)),
        *([("solver", text(solver))] if forest.algorithm else []),
        *rounds_fields(forest.rounds),
    ]


def rounds_fields(rounds: Sequence[Round]) -> list[tuple[str, str]]:
    """Return the number of rounds and a line of the edges that each of them reads, if there are several."""
    if len(rounds) < 2:
        return []
    counts = [round_.edges for round_ in rounds]
    label = f"edges by round: {', '.join(f'{count:,}' for count in counts)}"
    return [("rounds", f"{len(counts)}"), ("edges by round", sparkline(counts, label))]
