"""What no number of cores changes: rounds, messages, bytes sent and held, by ranks (ETH Zürich, section 4.3).

The document explains its times by what ranks tell each other: edges dealt send as many bytes as there are
vertices, whatever the number of processes, so that they stop to scale; pointer jumping sends more often than
iterative fixing; vertices dealt send every edge twice. It counts none of it.

Here it is counted, for 1 to 64 ranks on however few processors, for all strategies, on a Kronecker graph and
on a grid that is like the roads of New York. Messages and bytes are those of the rank that sends most in each
round, as `Round` has them: a reduction counts as what the usual algorithm for it sends. Bytes
are at the peak, beyond the rank's own edges, of the rank that has most: bytes of arrays as they are
allocated, and bytes held as far as the memory was touched, with what MPI takes. What is held for every
vertex, on every rank, stays the same a vertex, however many ranks there are; what is held for a rank's own
m / P edges stays the same an own edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boruvka.bench.figures import legend, panels
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import at_threads, curves
from experiments.common.ranks import ETH, count_on_ranks, kronecker
from experiments.common.roads import NETWORKS, grid_like

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORTED = {
    **ETH,
    "edges dealt send": "as many values as there are vertices, in every round",
    "vertices dealt send": "every edge twice, to distribute the graph",
    "most synchronizations": "vertices, supervertex",
}
DRAWN = ("messages", "bytes sent, a vertex", "held, a vertex", "held, an own edge")


def measure(setting: Setting) -> Findings:
    """Count on every number of ranks."""
    names = (kronecker(setting.pick(16, 8)), grid_like(NETWORKS["NY"], setting.pick(1, 500)))
    rows = [row for name in names for row in count_on_ranks(name, setting.ranks, setting)]
    return Findings(
        REPORTED,
        {"graphs": list(names), "ranks": setting.ranks},
        {"counts": rows},
        remarks=("counted, not timed: the number of processors does not matter",),
    )


def draw(findings: Findings) -> Figure:
    """Draw each count by ranks, the graphs side by side."""
    rows, graphs = findings.tables["counts"], findings.parameters["graphs"]
    figure, grid = panels(height=2.5 * len(DRAWN), rows=len(DRAWN), columns=len(graphs))
    for line, count in zip(np.asarray(grid), DRAWN, strict=True):
        for axes, graph in zip(line, graphs, strict=True):
            lines: dict[str, list[tuple[int, float]]] = {row["strategy"]: [] for row in rows}
            for row in rows:
                if row["graph"] == graph and row[count]:
                    lines[row["strategy"]].append((row["ranks"], row[count]))
            curves(axes, lines, "ranks", count, graph.partition(",")[0], log="y")
            at_threads(axes, findings.parameters["ranks"])
    legend(figure, 3)
    return figure


EXPERIMENT = Experiment(
    "ethz_counts",
    __doc__,
    "document 5, section 4.3",
    measure,
    draw,
    ranks=tuple(2**k for k in range(7)),
    counted=True,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
