"""The strategies on ranks: their names, the parts of a run, and the messages that each sends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from boruvka.backends import Backend
from boruvka.distributed import STRATEGIES, ForestPart
from boruvka.distributed.strategies import strategy_for
from boruvka.runtime.round_log import Round
from lab.harness.results import Rows

Way = tuple[str, str, bool]
"""A strategy, and whether all of its exchanges take two steps, on however few ranks."""

EVERY: tuple[Way, ...] = (*((*way, False) for way in STRATEGIES), ("vertices", "filter-boruvka", True))
PARTS = {
    "distribution": ("distribute",),
    "selection": ("select", "propose", "break ties"),
    "merging": ("merge", "hook", "relabel", "compose labels", "list"),
    "contraction": ("contract", "group", "cut"),
    "reduction": ("reduce", "filter"),
    "communication": ("pack", "communicate"),
}
"""The parts of a run, and the steps of rounds that belong to them; other steps belong to no part."""
PART_OF = {step: part for part, steps in PARTS.items() for step in steps}
DISTRIBUTION = "distribute"
"""The phase in which edges move to their ranks; all of it, messages too, is distribution."""


def parts_of(rounds: Iterable[Round]) -> dict[str, float]:
    """Add up the seconds of each part over rounds."""
    parts = dict.fromkeys(PARTS, 0.0)
    for round_ in rounds:
        for step, seconds in round_.seconds.items():
            part = PART_OF.get(DISTRIBUTION if round_.phase == DISTRIBUTION else step)
            if part is not None:
                parts[part] += seconds
    return parts


def described(way: Way, n: int, ranks: int) -> dict[str, Any]:
    """Return the name of a way, and whether "auto" picks it on so many vertices and ranks."""
    distribute, merge, two_steps = way
    picked = strategy_for("auto", "auto", n, ranks)
    is_default = way == (picked.partition_by, picked.method, False)
    return {"strategy": f"{distribute}, {merge}" + ", two steps" * two_steps, "default": is_default}


@contextmanager
def steps(two: bool) -> Iterator[None]:
    """Let all exchanges take two steps on however few ranks, in this process."""
    before = Backend.tuning
    if two:
        Backend.tuning = before._replace(two_steps_from=2, bytes_of_message=1 << 40)
    try:
        yield
    finally:
        Backend.tuning = before


def counts_of(part: ForestPart) -> dict[str, int]:
    """Add up the rounds, and the messages and bytes of the rank that sends most in each."""
    return {
        "rounds": sum(round_.phase == "round" for round_ in part.rounds),
        "messages": sum(round_.sent["messages"] for round_ in part.rounds),
        "bytes sent": sum(round_.sent["bytes"] for round_ in part.rounds),
    }


def rounds_of(part: ForestPart) -> Rows:
    """List the messages and bytes of each round, of the rank that sends most in it."""
    return [
        {
            "round": k,
            "phase": round_.phase,
            "edges": round_.edges,
            "messages": round_.sent["messages"],
            "bytes sent": round_.sent["bytes"],
        }
        for k, round_ in enumerate(part.rounds)
    ]
