"""What happened while a forest was computed, as lines for people."""

from __future__ import annotations

from collections.abc import Sequence

from boruvka.forest.forest import Forest
from boruvka.forest.round_log import Round

__all__ = ["lines_of", "log_of"]


def log_of(forest: Forest) -> str:
    """Tell rounds, what they looked at, the seconds of their steps, and what the algorithm noted.

    Parameters
    ----------
    forest : Forest
        As `boruvka.minimum_spanning_forest` returns it.

    Returns
    -------
    str
        One line for each round, those of its notes after it, and a warning if the graph is disconnected.
    """
    lines = [
        f"{forest.algorithm} on {forest.backend}, {forest.threads} threads",
        f"{forest.graph.n} vertices, {forest.graph.m} edges",
    ]
    lines += lines_of(forest.rounds)
    lines.append(f"{len(forest)} edges in {forest.seconds:.6f} s")
    if forest.components > 1:
        lines.append(f"warning: the graph is disconnected, it has {forest.components} components")
    return "\n".join([*lines, ""])


def lines_of(rounds: Sequence[Round]) -> list[str]:
    """Tell what happened in each round, in a line for each and those of its notes."""
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
