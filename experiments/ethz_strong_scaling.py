"""All strategies by ranks on one graph (ETH Zürich, Figure 3).

The document solves a Kronecker graph of 2^20 vertices, with 16 edges for each, on 1 to 512 processes. Edges
dealt beat vertices dealt by far, but stop to scale at 16 processes, where vertices and edges a process are as
many; supervertex pointer jumping is the slowest.

Here: the same graph, strategies and summary, on as many ranks as there are processors, and at most twice as
many. Edges dealt and merged by pointer jumping, which the document leaves out as too slow, is run too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boruvka.bench.schemes import Confidence
from experiments.common.experiment import Experiment, Findings, Setting
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

RANKS = tuple(2**k for k in range(10))
REPORTED = {
    **ETH,
    "ranks": list(RANKS),
    "faster by far": "edges dealt",
    "edges dealt stop to scale after": 16,
    "slowest": "vertices, supervertex",
    "left out, too slow": "edges, pointer-jumping",
}


def measure(setting: Setting) -> Findings:
    """Race on ranks."""
    name = kronecker(setting.pick(20, 9))
    graph = race_on_ranks(name, setting.ranks, setting)
    return Findings(
        REPORTED,
        {"graph": name, "ranks": setting.ranks},
        {"speed-up": ranks_rows(graph)},
        (graph,),
        remarks_on_ranks(setting.ranks),
    )


def draw(findings: Findings) -> Figure:
    """Draw the time of every strategy by ranks."""
    return figure_by_ranks(findings.graphs)


EXPERIMENT = Experiment(
    "ethz_strong_scaling",
    __doc__,
    "document 5, Figure 3",
    measure,
    draw,
    ranks=RANKS,
    scheme=Confidence,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
