"""Results of strategies on ranks of MPI."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from dataclasses import dataclass, field

from boruvka.bench.results import Entry, GraphResult
from boruvka.forest.round_log import Round

__all__ = ["PARTS", "RanksEntry", "RanksResult", "parts_of"]

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


@dataclass(frozen=True)
class RanksEntry(Entry):
    """One strategy on one graph with one number of ranks, each of one thread.

    Attributes
    ----------
    ranks : int
    oversubscribed : bool
        Whether there are more ranks than processors: such times say nothing about the strategy.
    default : bool
        Whether "auto" picks this strategy.
    published : bool
        Whether it is a strategy of Anzalone et al.
    parts : tuple of dict of str to float
        For every run, the seconds of each part, of the slowest rank in each round.
    """

    ranks: int = 1
    oversubscribed: bool = False
    default: bool = False
    published: bool = False
    parts: tuple[dict[str, float], ...] = field(default=(), repr=False)

    def mean_parts(self) -> dict[str, float]:
        """Return the mean of each part over the runs."""
        names = [name for name in PARTS if any(name in run for run in self.parts)]
        return {name: statistics.fmean(run.get(name, 0.0) for run in self.parts) for name in names}


@dataclass(frozen=True)
class RanksResult(GraphResult):
    """All strategies on one graph, and contestants without ranks."""

    entries: tuple[RanksEntry | Entry, ...] = ()

    @property
    def on_ranks(self) -> list[RanksEntry]:
        """The entries of strategies."""
        return [entry for entry in self.entries if isinstance(entry, RanksEntry)]


def parts_of(rounds: Iterable[Round]) -> dict[str, float]:
    """Add up the seconds of each part over rounds."""
    parts: dict[str, float] = {}
    for round_ in rounds:
        for step, seconds in round_.seconds.items():
            part = PART_OF.get(DISTRIBUTION if round_.phase == DISTRIBUTION else step)
            if part is not None:
                parts[part] = parts.get(part, 0.0) + seconds
    return parts
