"""All strategies on ranks against a baseline (ETH Zürich, Figure 2 and Table 1).

The document solves a Kronecker graph of 2^19 vertices, with 16 edges for each, on 1 to 64 processes, and sets
its implementations against the Parallel Boost Graph Library. Its Table 1 has the best, edges dealt and merged
by union-find with reduced edges, up to 32.6 times as fast as that (on 2 processes).

Here: the same graph; all strategies of the document, those of ours, and which of them is the default. The
Parallel BGL is not run: in its place stand Kruskal's algorithm (kruskal: a sort and a union-find) on one
core, and our default on one machine, without ranks; these race one another. A time is the mean of runs, of
each the rank that took longest, as in the document; but it covers the whole call, and the forest is found and
not only its weight.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boruvka.bench.graphs import graph_of
from boruvka.bench.results import GraphResult
from boruvka.bench.schemes import Confidence
from boruvka.runtime.processors import processors
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.race import Contestant, described, entry_of, race, rows_of
from experiments.common.ranks import (
    ETH,
    entries_of,
    figure_by_ranks,
    kronecker,
    race_on_ranks,
    ranks_rows,
    remarks_on_ranks,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE_1 = {
    1: (0.51679, 12.76185),
    2: (0.28577, 9.31996),
    4: (0.18393, 5.38284),
    8: (0.12564, 3.42770),
    16: (0.10462, 2.61154),
    32: (0.09486, 2.39382),
    64: (0.09639, 2.38184),
}
"""By processes: seconds of the best implementation, and of the Parallel BGL."""
REPORTED = {
    **ETH,
    "best implementation": "edges, union-find-reduced",
    "table 1": [
        {"ranks": ranks, "best, s": best, "Parallel BGL, s": baseline}
        for ranks, (best, baseline) in TABLE_1.items()
    ],
    "times as fast as the Parallel BGL, at most": 32.6,
}
BASELINE = "kruskal"


def measure(setting: Setting) -> Findings:
    """Race on ranks, then on one machine."""
    name = kronecker(setting.pick(19, 8))
    contestants = [
        Contestant(BASELINE, BASELINE),
        *(Contestant("auto", "auto", t) for t in machine_threads()),
    ]
    on_ranks = race_on_ranks(name, setting.ranks, setting)
    alone = race(name, graph_of(name), contestants, setting)
    graph = replace(on_ranks, entries=(*on_ranks.entries, *alone.entries))
    return Findings(
        REPORTED,
        {"graph": name, "ranks": setting.ranks, "contestants": described(contestants)},
        {
            "times on ranks": ranks_rows(graph),
            "times on one machine": rows_of(alone),
            "table 1": table_1(graph),
        },
        (graph,),
        remarks_on_ranks(setting.ranks),
    )


def machine_threads() -> list[int]:
    """List with how many threads our default runs on one machine."""
    return sorted({1, processors()})


def table_1(graph: GraphResult) -> list[dict[str, Any]]:
    """Set the best strategy of the document, and our default, beside what the document reports."""
    baseline = entry_of(graph, BASELINE).seconds
    rows = []
    for ranks in sorted({entry.ranks for entry in entries_of(graph)}):
        entries = [entry for entry in entries_of(graph) if entry.ranks == ranks and entry.seconds]
        best = min((e for e in entries if e.of_document), key=lambda e: e.seconds or 0, default=None)
        ours = next((e for e in entries if e.default), None)
        reported = TABLE_1.get(ranks, (None, None))
        row: dict[str, Any] = {"ranks": ranks, "best there, s": reported[0], "Parallel BGL, s": reported[1]}
        row |= {"best of the document's here": best.contestant if best else None}
        for who, entry in (("best", best), ("default", ours)):
            seconds = entry.seconds if entry else None
            row[f"{who}, s"] = seconds
            row[f"{who}, times as fast as {BASELINE}"] = baseline / seconds if baseline and seconds else None
        rows.append(row)
    return rows


def draw(findings: Findings) -> Figure:
    """Draw the time of every strategy by ranks, and those of one machine as levels."""
    (graph,) = findings.graphs
    names = [(BASELINE, 1), *(("auto", threads) for threads in machine_threads())]
    levels = {
        f"one machine: {name}, threads {threads}": entry_of(graph, name, threads).seconds or 0.0
        for name, threads in names
    }
    return figure_by_ranks([graph], levels)


EXPERIMENT = Experiment(
    "ethz_baseline",
    __doc__,
    "document 5, Figure 2 and Table 1",
    measure,
    draw,
    ranks=tuple(TABLE_1),
    scheme=Confidence,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
