"""The report of ``boruvka solve``, for people or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from boruvka.cli.output import json_number, quantity

if TYPE_CHECKING:
    from boruvka.cli.points import PointsOptions
    from boruvka.distributed import ForestPart
    from boruvka.forest.forest import Forest
    from boruvka.forest.verify import Verification


class Report(NamedTuple):
    """A forest, or the part of an MPI rank, and how it was found."""

    found: Forest | ForestPart
    seconds: Mapping[str, float]
    """Time of each step of the command."""
    verification: Verification | None = None
    output: Path | None = None
    """File to which the forest was written."""
    points: PointsOptions | None = None
    """Weights of pairs, if the file holds points."""

    def to_json(self) -> dict[str, Any]:
        """Return the fields of one JSON object."""
        found: Any = self.found
        ranks = getattr(found, "ranks", None)
        edges, forest_edges = (found.graph.m, len(found)) if ranks is None else (found.m, found.forest_size)
        weights = {} if self.points is None else self.points.to_json()
        return {
            "vertices": found.n,
            "edges": edges,
            **weights,
            "components": found.n_components,
            "forest_edges": forest_edges,
            "weight": json_number(found.weight),
            "algorithm": found.algorithm if ranks is None else f"{found.partition_by}/{found.method}",
            "backend": found.backend if ranks is None else "mpi",
            **({} if ranks is None else {"ranks": ranks}),
            "threads": found.threads,
            "rounds": len(found.rounds),
            "verified": None if self.verification is None else self.verification.ok,
            "seconds": {step: self.seconds.get(step) for step in ("read", "solve", "write")},
            **({} if ranks is None else {"steps": self._sums("seconds"), "sent": self._sums("sent")}),
        }

    def to_text(self) -> list[tuple[str, str]]:
        """Return names and values for people."""
        facts = self.to_json()
        graph = f"{quantity(facts['vertices'], 'vertex')}, {quantity(facts['edges'], 'edge')}"
        forest = f"{quantity(facts['forest_edges'], 'edge')}, {quantity(facts['components'], 'component')}"
        solver = f"{facts['algorithm']} on {facts['backend']}, {quantity(facts['threads'], 'thread')}"
        fields = [
            ("graph", f"{graph}, weights {self.found.graph.dtype}"),
            *([] if self.points is None else [("points", self.points.description)]),
            ("forest", forest),
            ("weight", str(self.found.weight)),
            ("solver", solver),
            ("rounds", str(facts["rounds"])),
            ("seconds", _seconds_text(self.seconds)),
        ]
        if "ranks" in facts:
            sent = ", ".join(f"{count:,} {name}" for name, count in facts["sent"].items())
            fields += [
                ("ranks", f"{facts['ranks']}, with as many threads each"),
                ("steps", _seconds_text(facts["steps"])),
                ("sent", f"{sent}, by the rank that sent most"),
            ]
        if self.verification is not None and self.verification.ok:
            fields.append(("verified", self.verification.message))
        if self.output is not None:
            fields.append(("written", str(self.output)))
        return fields

    def _sums(self, field: str) -> dict[str, Any]:
        """Sum the seconds of each step, or the bytes and messages sent, over all rounds."""
        sums: Counter[str] = Counter()
        for round_ in self.found.rounds:
            sums.update(getattr(round_, field))
        return dict(sums)


def _seconds_text(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{step} {value:.3f}" for step, value in seconds.items())
