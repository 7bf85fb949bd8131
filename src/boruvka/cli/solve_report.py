"""The report of ``boruvka solve`` about a forest, found on one machine or on MPI ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from boruvka.cli.output import json_number, print_fields, print_json, quantity

if TYPE_CHECKING:
    from boruvka.cli.points import PointsRequest
    from boruvka.distributed import ForestPart
    from boruvka.forest.forest import Forest
    from boruvka.forest.verify import Verification
    from boruvka.runtime.round_log import Round

__all__ = ["SolveReport"]


class SolveReport(NamedTuple):
    """A forest and how it was found, ready to be printed."""

    vertices: int
    edges: int
    weight_type: str
    forest_edges: int
    weight: int | float
    algorithm: str
    backend: str
    solver: str
    """Algorithm, backend, ranks and threads in words."""
    threads: int
    """Threads of the process, or of each rank."""
    rounds: tuple[Round, ...]
    solve_seconds: float
    """Time of the solver alone."""
    seconds: Mapping[str, float]
    """Time of each step of the command."""
    verification: Verification | None = None
    output: Path | None = None
    """The file to which the forest was written."""
    ranks: int | None = None
    """Number of MPI ranks; None on one machine."""
    points: PointsRequest | None = None
    """How points became the graph; None if the file holds edges."""

    @classmethod
    def of_forest(
        cls,
        forest: Forest,
        seconds: Mapping[str, float],
        verification: Verification | None = None,
        output: Path | None = None,
        points: PointsRequest | None = None,
    ) -> SolveReport:
        """Report a forest that was found on one machine."""
        return cls(
            vertices=forest.n,
            edges=forest.graph.m,
            weight_type=str(forest.graph.dtype),
            forest_edges=len(forest),
            weight=forest.weight,
            algorithm=forest.algorithm,
            backend=forest.backend,
            solver=f"{forest.algorithm} on {forest.backend}, {quantity(forest.threads, 'thread')}",
            threads=forest.threads,
            rounds=forest.rounds,
            solve_seconds=forest.seconds,
            seconds=seconds,
            verification=verification,
            output=output,
            points=points,
        )

    @classmethod
    def of_ranks(
        cls, part: ForestPart, seconds: Mapping[str, float] | None = None, output: Path | None = None
    ) -> SolveReport:
        """Report a forest that was found on MPI ranks, from the part of any of them."""
        ranks, threads = quantity(part.ranks, "rank"), quantity(part.threads, "thread")
        return cls(
            vertices=part.n,
            edges=part.m,
            weight_type=str(part.graph.dtype),
            forest_edges=part.forest_size,
            weight=part.weight,
            algorithm=f"{part.partition_by}/{part.method}",
            backend="mpi",
            solver=f"{part.method} by {part.partition_by} on mpi, {ranks}, {threads} each",
            threads=part.threads,
            rounds=part.rounds,
            solve_seconds=part.seconds,
            seconds=seconds or {},
            output=output,
            ranks=part.ranks,
        )

    @property
    def n_components(self) -> int:
        """Number of trees of the forest."""
        return self.vertices - self.forest_edges

    @property
    def step_seconds(self) -> dict[str, float]:
        """Seconds of each step of the rounds, summed over all rounds."""
        return _sum_by_key(round_.seconds for round_ in self.rounds)

    @property
    def sent(self) -> dict[str, int]:
        """Bytes and messages of the rank that sent most, summed over all rounds."""
        return _sum_by_key(round_.sent for round_ in self.rounds)

    def to_json(self) -> dict[str, Any]:
        """Return what one JSON object holds."""
        on_ranks = self.ranks is not None
        return {
            "vertices": self.vertices,
            "edges": self.edges,
            **({} if self.points is None else self._weights_of_points(self.points)),
            "components": self.n_components,
            "forest_edges": self.forest_edges,
            "weight": json_number(self.weight),
            "algorithm": self.algorithm,
            "backend": self.backend,
            **({"ranks": self.ranks} if on_ranks else {}),
            "threads": self.threads,
            "rounds": len(self.rounds),
            "verified": None if self.verification is None else self.verification.ok,
            "seconds": {step: self.seconds.get(step) for step in ("read", "solve", "write")},
            **({"steps": self.step_seconds, "sent": self.sent} if on_ranks else {}),
        }

    def print_json(self, err: bool = False) -> None:
        """Print one JSON object, on standard error if asked."""
        print_json(self.to_json(), err)

    @staticmethod
    def _weights_of_points(points: PointsRequest) -> dict[str, Any]:
        return {"metric": points.metric, "min_samples": points.min_samples}

    def print_text(self, err: bool = False) -> None:
        """Print a few lines for people, on standard error if asked."""
        graph = f"{quantity(self.vertices, 'vertex')}, {quantity(self.edges, 'edge')}"
        forest = f"{quantity(self.forest_edges, 'edge')}, {quantity(self.n_components, 'component')}"
        fields = [
            ("graph", f"{graph}, weights {self.weight_type}"),
            *([] if self.points is None else [("points", self.points.description)]),
            ("forest", forest),
            ("weight", str(self.weight)),
            ("solver", self.solver),
            ("rounds", str(len(self.rounds))),
            ("seconds", _seconds_text(self.seconds)),
        ]
        if self.ranks is not None:
            sent = ", ".join(f"{count:,} {name}" for name, count in self.sent.items())
            fields.append(("steps", _seconds_text(self.step_seconds)))
            fields.append(("sent", f"{sent}, by the rank that sent most"))
        if self.verification is not None and self.verification.ok:
            fields.append(("verified", self.verification.message))
        if self.output is not None:
            fields.append(("written", str(self.output)))
        print_fields(fields, err)

    def log(self) -> str:
        """Return the log: for each round a line with the seconds of its steps, and lines for its notes."""
        lines = [
            self.solver,
            f"{self.vertices} vertices, {self.edges} edges",
            *_round_lines(self.rounds),
            f"{self.forest_edges} edges in {self.solve_seconds:.6f} s",
        ]
        if self.n_components > 1:
            lines.append(f"warning: the graph is disconnected, it has {self.n_components} components")
        return "\n".join([*lines, ""])


def _round_lines(rounds: Sequence[Round]) -> list[str]:
    """Format each round as one line, followed by its notes."""
    lines = []
    for number, round_ in enumerate(rounds, 1):
        steps = ", ".join(f"{name} {seconds:.6f} s" for name, seconds in round_.seconds.items())
        counts = ", ".join(f"{count} {name}" for name, count in round_.sent.items())
        sent = f"; sent {counts}" if counts else ""
        lines.append(
            f"round {number} ({round_.phase}): {round_.n_components} components, {round_.edges} edges; "
            f"{steps}{sent}"
        )
        lines += [f"  {note}" for note in round_.notes]
    return lines


def _seconds_text(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{step} {value:.3f}" for step, value in seconds.items())


def _sum_by_key(tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    sums: dict[str, Any] = {}
    for table in tables:
        for key, value in table.items():
            sums[key] = sums.get(key, 0) + value
    return sums
