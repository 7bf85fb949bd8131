"""The round log of a forest as text."""

from __future__ import annotations

from collections.abc import Sequence

from boruvka.forest.forest import Forest
from boruvka.forest.round_log import Round

__all__ = ["format_log", "format_rounds"]


def format_log(forest: Forest) -> str:
    """Format the log of a computation: algorithm, graph, rounds with their steps and notes, total time.

    Parameters
    ----------
    forest : Forest
        The forest that `boruvka.minimum_spanning_forest` returned.

    Returns
    -------
    str
        Lines of text, with a warning at the end if the graph is disconnected.
    """
    lines = [
        f"{forest.algorithm} on {forest.backend}, {forest.threads} threads",
        f"{forest.graph.n} vertices, {forest.graph.m} edges",
    ]
    lines += format_rounds(forest.rounds)
    lines.append(f"{len(forest)} edges in {forest.seconds:.6f} s")
    if forest.components > 1:
        lines.append(f"warning: the graph is disconnected, it has {forest.components} components")
    return "\n".join([*lines, ""])


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
