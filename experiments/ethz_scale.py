"""What the strategies would cost on ranks that are not at hand (beyond ETH Zürich, section 4).

The document ends at 512 processes and 2^26 edges. `experiments.common.scale` follows what the code sends,
step by step, so that messages and bytes can be foretold for any number of ranks; with what one core takes
for a step here, and a network's latency and bandwidth, that is a time.

First the foretold messages and bytes stand beside those counted on ranks that share the processors of this
machine. Then come times for 2^30 to 2^40 edges on 10^2 to 10^5 ranks, on cores and a network like the
document's: 2 microseconds, 25 GB/s shared by 128 cores, 4 GB for each. docs/scale.md says what follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boruvka.bench.figures import legend, panels
from experiments.common.experiment import Experiment, Findings, Row, Setting
from experiments.common.figures import curves
from experiments.common.ranks import ETH, count_on_ranks, kronecker
from experiments.common.scale import COSTS, Cost, Kronecker, Machine, seconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = (30, 34, 37, 40)
"""Binary logarithms of numbers of edges."""
RANKS = (100, 1_000, 10_000, 100_000)
EDGE_FACTOR = 16


def measure(setting: Setting) -> Findings:
    """Hold what is foretold against counts, then foretell."""
    scale = setting.pick(16, 8)
    rows = count_on_ranks(kronecker(scale), setting.ranks, setting)
    machine = Machine()
    return Findings(
        {**ETH, "processes": "up to 512", "edges": "up to 2^26"},
        {"graph": kronecker(scale), "ranks": setting.ranks, "machine": vars(machine)},
        {
            "against counts": against_counts(rows, scale),
            "foretold": [row for size in SIZES for ranks in RANKS for row in foretold(size, ranks, machine)],
        },
        remarks=("a model, not a measurement: nothing of the second table was run",),
    )


def against_counts(rows: Sequence[Row], scale: int) -> list[Row]:
    """Put messages and bytes that were foretold beside those counted."""
    graph = Kronecker(1 << scale, EDGE_FACTOR << scale)
    found = []
    for row in rows:
        if row["ranks"] == 1 or row["strategy"] not in COSTS:
            continue
        cost = COSTS[row["strategy"]](graph, row["ranks"])
        found.append(
            {
                "strategy": row["strategy"],
                "ranks": row["ranks"],
                "messages": row["messages"],
                "messages foretold": round(cost.messages),
                "bytes": row["bytes sent"],
                "bytes foretold": round(cost.bytes),
                "bytes foretold / sent": cost.bytes / row["bytes sent"] if row["bytes sent"] else None,
            }
        )
    return found


def foretold(size: int, ranks: int, machine: Machine) -> list[Row]:
    """Foretell the time of every strategy on a graph of 2**size edges."""
    graph = Kronecker((1 << size) // EDGE_FACTOR, 1 << size)
    return [_row(name, size, cost_of(graph, ranks), machine) for name, cost_of in COSTS.items()]


def _row(name: str, size: int, cost: Cost, machine: Machine) -> dict[str, Any]:
    return {
        "edges": f"2^{size}",
        "ranks": cost.ranks,
        "strategy": name,
        "s": seconds(cost, machine),
        "work, s": 1e-9 * cost.work,
        "latency, s": machine.latency * cost.messages,
        "bandwidth, s": cost.bytes / machine.bandwidth,
        "GB sent": 1e-9 * cost.bytes,
        "messages": round(cost.messages),
        "GB held": 1e-9 * cost.memory,
        "fits": cost.memory <= machine.memory,
    }


def draw(findings: Findings) -> Figure:
    """Draw the time by ranks for each size, where it fits the memory."""
    rows = findings.tables["foretold"]
    figure, grid = panels(height=2.5 * len(SIZES), rows=len(SIZES))
    for axes, size in zip(grid, SIZES, strict=True):
        lines: dict[str, list[tuple[int, float]]] = {name: [] for name in COSTS}
        for row in rows:
            if row["edges"] == f"2^{size}" and row["fits"]:
                lines[row["strategy"]].append((row["ranks"], row["s"]))
        curves(axes, lines, "ranks", "seconds, foretold", f"2^{size} edges", log="xy")
    legend(figure, 3)
    return figure


EXPERIMENT = Experiment(
    "ethz_scale",
    __doc__,
    "document 5, beyond its figures",
    measure,
    draw,
    ranks=(2, 8, 32),
    counted=True,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
