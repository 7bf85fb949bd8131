"""The number of rounds: edge contraction against star contraction (Carnegie Mellon, text below Figure 3).

The document counts 8 iterations of its sequential version on 1,000,000 vertices and 9,000,000 edges, and 26
to 28 of star contraction in several runs.

Here: the same graph, star contraction with ten seeds for either way to throw coins. A round counts if there
was anything left to join at its beginning; the last one, which only finds that nothing is left, does not. If
a component moved only when it throws tails and its own edge leads to heads, a quarter of them would, and
log(n) / log(4/3) rounds were to be expected, 48 for 1,000,000 vertices. With edges that pull from either end
(the document's compare and swap) there are about 40, and with ends looked up when an edge is contracted, as
its union-find does, what it reports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import boruvka
from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.errors import BoruvkaError
from boruvka.forest.forest import Forest
from experiments.cmu_thread_sweep import STARS, STARS_IN_SEQUENCE, graph_name
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import curves
from experiments.common.race import same_edges

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORTED = {
    "document": "Parallelizing Borůvka's algorithm, Carnegie Mellon, final writeup",
    "rounds of the sequential version": 8,
    "rounds of star contraction": [26, 28],
}


def measure(setting: Setting) -> Findings:
    """Solve with everyone, and with all seeds; check every answer."""
    name, seeds = graph_name(setting), range(setting.pick(10, 3))
    graph = graph_of(name)
    reference = boruvka.minimum_spanning_forest(graph)
    solves: list[tuple[str, dict[str, Any]]] = [("sequential", {}), ("edge-contraction", {})]
    solves += [(STARS, {"seed": seed}) for seed in seeds]
    solves += [(STARS_IN_SEQUENCE, {"seed": seed, "sequential_flips": True}) for seed in seeds]
    rows = []
    for i, (title, options) in enumerate(solves):
        setting.show(i / len(solves), f"{name}: {title}")
        forest = boruvka.minimum_spanning_forest(graph, algorithm=title.partition(",")[0], options=options)
        if not same_edges(forest, reference):
            raise BoruvkaError(f"{title} {options}: wrong: other edges than those of the forest")
        rows.append({"contestant": title, "seed": options.get("seed"), **_counted(forest)})
    return Findings(
        REPORTED,
        {"graph": name, "seeds": len(seeds)},
        {"rounds": rows, "summary": _summary(rows)},
    )


def _counted(forest: Forest) -> dict[str, Any]:
    components = [r.components for r in forest.rounds]
    return {
        "rounds": sum(count > forest.components for count in components),
        "components": " ".join(map(str, components)),
    }


def _summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: dict[str, list[int]] = {}
    for row in rows:
        found.setdefault(row["contestant"], []).append(row["rounds"])
    return [
        {"contestant": name, "fewest rounds": min(counts), "most rounds": max(counts)}
        for name, counts in found.items()
    ]


def draw(findings: Findings) -> Figure:
    """Draw how many components are left by round, one curve for each contestant (its first seed)."""
    lines: dict[str, list[tuple[int, int]]] = {}
    for row in findings.tables["rounds"]:
        lines.setdefault(row["contestant"], list(enumerate(map(int, row["components"].split()))))
    figure, axes = panels(height=4)
    curves(axes, lines, "rounds done", "components", log="y")
    legend(figure, 4)
    return figure


EXPERIMENT = Experiment(
    "cmu_rounds", __doc__, "document 2, results: 8 iterations against 26 to 28", measure, draw
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
