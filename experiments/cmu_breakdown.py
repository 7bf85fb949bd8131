"""Where the time goes: finding, contracting, other (Carnegie Mellon, Figures 4 and 5).

The document splits the time of a solve of 1,000,000 vertices and 9,000,000 edges on 8 threads, where it was
best, into finding the lightest edges, contracting, and other work. It reports that finding takes most, a
smaller share with threads than without (Figure 4), and that star contraction spends almost three times the
share on contracting that the sequential version does (Figure 5).

Here: the same on as many threads as there are processors. Throwing coins counts as contracting. Other is
what is left: arrays that are made at first, and the list of edges at last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import Entry
from experiments.cmu_thread_sweep import BASELINE, STARS, STARS_IN_SEQUENCE, contestants_with, graph_name
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import stacks
from experiments.common.race import described, entry_of, race

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = {"find": "finding", "contract": "contracting", "flip": "contracting"}
REPORTED = {
    "document": "Parallelizing Borůvka's algorithm, Carnegie Mellon, final writeup",
    "machine": "GHC 26: 6 cores of 2 threads",
    "threads": 8,
    "share of contracting, star contraction against sequential, almost": 3.0,
    "largest part everywhere": "finding",
}


def measure(setting: Setting) -> Findings:
    """Race, and split the fastest run of everyone."""
    contestants = [c for c in contestants_with(setting.threads[-1:]) if c.algorithm != "auto"]
    name = graph_name(setting)
    result = race(name, graph_of(name), contestants, setting)
    rows = [_row(entry) for entry in result.entries]
    return Findings(
        REPORTED,
        {"graph": name, "contestants": described(contestants)},
        {"parts": rows, "contracting against sequential": _against(rows)},
        (result,),
        tuple(f"{entry.contestant}: {entry.error}" for entry in result.entries if entry.error),
    )


def parts_of(entry: Entry) -> dict[str, float]:
    """Split the seconds of the fastest run of somebody."""
    parts = dict.fromkeys(("finding", "contracting", "other"), 0.0)
    for step in (step for round_ in entry.rounds for step in round_.steps):
        if step.name in PARTS:
            parts[PARTS[step.name]] += step.seconds
    parts["other"] = max(0.0, (entry.seconds or 0.0) - sum(parts.values()))
    return parts


def _row(entry: Entry) -> dict[str, Any]:
    parts = parts_of(entry)
    total = sum(parts.values()) or 1.0
    return {
        "contestant": entry.contestant,
        "threads": entry.threads,
        **{f"{name}, ms": 1e3 * seconds for name, seconds in parts.items()},
        **{f"{name}, %": 100 * seconds / total for name, seconds in parts.items()},
    }


def _against(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Compare shares of contracting, as the document does for stars."""
    share = {row["contestant"]: row["contracting, %"] for row in rows}
    return [
        {"contestant": name, "times the share": share[name] / share[BASELINE] if share[BASELINE] else None}
        for name in share
        if name != BASELINE
    ]


def draw(findings: Findings) -> Figure:
    """Draw the shares of the time: edge contraction above, both stars below, sequential in both."""
    (graph,) = findings.graphs
    figure, grid = panels(height=4, rows=2)
    groups = ((BASELINE, "edge-contraction"), (BASELINE, STARS, STARS_IN_SEQUENCE))
    shares = {row["contestant"]: row for row in findings.tables["parts"]}
    for axes, names in zip(grid, groups, strict=True):
        bars = {}
        for name in names:
            threads = entry_of(graph, name).threads
            parts = {part: shares[name][f"{part}, %"] for part in ("finding", "contracting", "other")}
            bars[f"{name}, threads {threads}"] = parts
        stacks(axes, bars, "share of the time, %")
    legend(figure, 3)
    return figure


EXPERIMENT = Experiment("cmu_breakdown", __doc__, "document 2, Figures 4 and 5", measure, draw, threads=())

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
