"""Where the time goes: distribution, selection, merging, communication (ETH Zürich, Figure 5).

The document splits the time on a Kronecker graph of 2^19 vertices and 64 processes into distributing the
graph, selecting the lightest edges, and merging. Distribution takes most where vertices are dealt and little
where edges are; selection takes as long everywhere; union-find merges fastest, then iterative fixing.

Here: the same graph on as many ranks as there are processors. What the document counts to selection and
merging is split into computing and communication; the latter includes waiting for the slowest rank. All of
the phase in which vertices are dealt counts as distribution, messages too. Contraction gives edges the new
names of their ends, or puts a rank's own forest in the place of its edges; reduction drops edges whose ends
have met. A part is that of the rank that took longest for it in each round, the mean over the runs; other is
what the parts leave of the time of the call: checking arguments, preparing messages, putting the answer
together. As not the same rank takes longest for all, the parts together can be longer than the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boruvka.bench.figures import legend, panels
from boruvka.bench.schemes import Confidence
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import stacks
from experiments.common.ranks import (
    ETH,
    PARTS,
    RanksEntry,
    entries_of,
    kronecker,
    race_on_ranks,
    remarks_on_ranks,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORTED = {
    **ETH,
    "ranks": 64,
    "largest part where vertices are dealt": "distribution",
    "selection": "as long everywhere",
    "fastest merging": ["union-find", "iterative"],
}
NAMES = (*PARTS, "other")


def measure(setting: Setting) -> Findings:
    """Race on ranks, and split the runs of everyone."""
    name = kronecker(setting.pick(19, 8))
    graph = race_on_ranks(name, setting.ranks, setting)
    return Findings(
        REPORTED,
        {"graph": name, "ranks": setting.ranks},
        {"parts": [row_of(entry) for entry in entries_of(graph)]},
        (graph,),
        remarks_on_ranks(setting.ranks),
    )


def row_of(entry: RanksEntry) -> dict[str, Any]:
    """List the mean of each part of somebody's runs."""
    parts = dict.fromkeys(NAMES, 0.0) | entry.mean_parts()
    parts["other"] = max(0.0, (entry.seconds or 0.0) - sum(parts.values()))
    return {
        "strategy": entry.contestant,
        "default": entry.default,
        "ranks": entry.ranks,
        "oversubscribed": entry.oversubscribed,
        "ms": 1e3 * entry.seconds if entry.seconds else None,
        **{f"{name}, ms": 1e3 * seconds for name, seconds in parts.items()},
        "error": entry.error,
    }


def draw(findings: Findings) -> Figure:
    """Draw the parts of every strategy, for each number of ranks."""
    rows, counts = findings.tables["parts"], findings.parameters["ranks"]
    figure, grid = panels(height=1 + 2.5 * len(counts), rows=len(counts))
    for axes, ranks in zip([grid] if len(counts) == 1 else grid, counts, strict=True):
        bars = {
            row["strategy"]: {name: row[f"{name}, ms"] for name in NAMES}
            for row in rows
            if row["ranks"] == ranks and not row["error"]
        }
        stacks(axes, bars, "milliseconds", f"{findings.parameters['graph']}, ranks: {ranks}")
    legend(figure, 4)
    return figure


EXPERIMENT = Experiment(
    "ethz_breakdown",
    __doc__,
    "document 5, Figure 5",
    measure,
    draw,
    ranks=(64,),
    scheme=Confidence,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
