"""Verification of forests, beside the solve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boruvka import minimum_spanning_forest, verify
from boruvka.errors import BoruvkaError
from boruvka.runtime.processors import processors
from lab.contestants.ours import Ours
from lab.contestants.points import OurTree, PointSet, Task
from lab.harness.command import check_output, finish, output_option, show
from lab.harness.contestant import Contestant
from lab.harness.graphs import graph_of
from lab.harness.results import Record, times_of
from lab.harness.schemes import KBest, Scheme
from lab.harness.tables import ratio
from lab.harness.turns import Plan, race
from lab.points import FAMILIES as POINT_FAMILIES
from lab.points import points_of

GRAPHS = (
    "random:n=1000000,m=9000000,seed=1",
    "random:n=1000000,m=1560000,seed=1",
    "kronecker:scale=20,seed=1",
    "grid:rows=2000,cols=2000,drop_probability=0.1,shuffle=true,seed=1",
    "uniform:n=1000000,d=2",
    "normal:n=1000000,d=3",
    "uniform:n=1000000,d=5",
    "uniform:n=100000,d=10",
)


class Verification(Contestant):
    """`boruvka.verify` of our forest."""

    name = "verify"
    parallel = True

    def refusal(self, graph: Any) -> str:
        return ""

    def prepare(self, graph: Any) -> Any:
        graph = graph.graph() if isinstance(graph, PointSet) else graph
        return graph, minimum_spanning_forest(graph, backend="threads")

    def solve(self, native: Any) -> Any:
        return verify(*native, threads=self.threads)

    def outcome(self, native: Any, answer: Any) -> None:
        if not answer or verify(native[0], native[1].edges[1:]):
            raise BoruvkaError(f"wrong: {answer.message or 'a forest without its first edge passes'}")


def measure(name: str, scheme: Scheme) -> dict[str, Any]:
    """Time a solve and the verification of its answer in turn, on all processors."""
    graph: Any = points_of(name, Task()) if name.partition(":")[0] in POINT_FAMILIES else graph_of(name)
    is_points = isinstance(graph, PointSet)
    contestants = (OurTree() if is_points else Ours(), Verification())
    plan = Plan(contestants, (processors(),), scheme, in_process=True)
    solve, check = times_of([race(name, graph, plan, show, graph.reference() if is_points else None)])
    return {
        "graph": name,
        "solve ms": solve["ms"],
        "verify ms": check["ms"],
        "ratio": ratio(check["ms"], solve["ms"]),
        "ratio of medians": ratio(check["median ms"], solve["median ms"]),
        "error": solve["error"] or check["error"],
    }


@click.command()
@click.argument("graphs", metavar="[GRAPH]...", nargs=-1)
@output_option
def command(graphs: tuple[str, ...], output: Path | None) -> None:
    """Measure the verification of forests of graphs and of points, beside the solve.

    A GRAPH is a file, a family of graphs or a family of points, with arguments.
    """
    check_output(output)
    rows = [measure(name, KBest()) for name in graphs or GRAPHS]
    finish(Record("verification", {"times": rows}), output)
