"""The rounds of an algorithm as text."""

from __future__ import annotations

from collections.abc import Sequence

from boruvka.forest.round_log import Round

__all__ = ["format_rounds"]


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
