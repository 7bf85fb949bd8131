"""All strategies on graphs that grow with the ranks (ETH Zürich, Figure 4).

The document lets Kronecker graphs grow from 2^18 to 2^22 vertices with the number of processes. It looks like
strong scaling: edges dealt beat vertices dealt, and the more so the more there are of both.

Here: 2^18 vertices and 2^22 edges for one rank, twice as many for twice as many ranks; so every rank has as
many edges, and the 2^22 vertices of the document are those of 16 ranks. Graphs that do not fit into memory
are left out, and the result says so. The efficiency is the time on the fewest ranks against that on others;
the work for an edge grows with the rounds, so 100 % is not to be expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boruvka.bench.results import GraphResult
from boruvka.bench.schemes import Confidence
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.race import too_large
from experiments.common.ranks import (
    ETH,
    figure_by_ranks,
    kronecker,
    race_on_ranks,
    ranks_rows,
    remarks_on_ranks,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORTED = {
    **ETH,
    "vertices": [2**scale for scale in range(18, 23)],
    "faster by far": "edges dealt",
}


def measure(setting: Setting) -> Findings:
    """Race on every number of ranks, each on its own graph."""
    scales = {ranks: setting.pick(18, 8) + ranks.bit_length() - 1 for ranks in setting.ranks}
    reasons = {ranks: too_large(16 << scale) for ranks, scale in scales.items()}
    graphs = [
        race_on_ranks(kronecker(scale), (ranks,), setting)
        for ranks, scale in scales.items()
        if not reasons[ranks]
    ]
    left_out = [f"{kronecker(scales[ranks])} left out: {why}" for ranks, why in reasons.items() if why]
    return Findings(
        REPORTED,
        {"scale by ranks": scales},
        {"efficiency": efficiencies(graphs)},
        tuple(graphs),
        (*remarks_on_ranks(setting.ranks), *left_out),
    )


def efficiencies(graphs: Sequence[GraphResult]) -> list[dict[str, Any]]:
    """List times, and how many times as long the fewest ranks take on the smallest graph."""
    alone: dict[str, float | None] = {}
    rows = []
    for graph in graphs:
        for row in ranks_rows(graph):
            del row["speed-up"]
            first = alone.setdefault(row["strategy"], row["ms"])
            efficiency = 100 * first / row["ms"] if first and row["ms"] else None
            rows.append({**row, "edges a rank": graph.m // row["ranks"], "efficiency %": efficiency})
    return rows


def draw(findings: Findings) -> Figure:
    """Draw the time of every strategy by ranks."""
    return figure_by_ranks(findings.graphs)


EXPERIMENT = Experiment(
    "ethz_weak_scaling",
    __doc__,
    "document 5, Figure 4",
    measure,
    draw,
    ranks=tuple(2**k for k in range(5)),
    scheme=Confidence,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
