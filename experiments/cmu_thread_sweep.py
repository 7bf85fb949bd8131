"""Edge and star contraction by threads (Carnegie Mellon, Figures 1 to 3).

The document solves a random graph of 1,000,000 vertices and 9,000,000 edges with 1 to 40 threads on 6
cores with hyper-threading, its sequential version beside it. It reports that edge contraction becomes about
2 times as fast with more threads, and no faster from 8 threads on (Figure 1); that star contraction takes
about 2.5 times as long as the sequential version with coins thrown in parallel (Figure 2), and 1.3 times
as long with coins thrown in sequence (Figure 3).

Here: the same four, by the names sequential, edge-contraction and star-contraction, and our default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import at_threads, curves, curves_by_threads, level
from experiments.common.race import Contestant, described, entry_of, race

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COUNTS = (1, 2, 4, 8, 12, 16, 24, 32, 40)
REPORTED = {
    "document": "Parallelizing Borůvka's algorithm, Carnegie Mellon, final writeup",
    "machine": "GHC 26: 6 cores of 2 threads",
    "threads": list(COUNTS),
    "edge contraction: speed-up by threads, about": 2.0,
    "edge contraction: no faster from threads": 8,
    "star contraction, coins in parallel: times the sequential time": 2.5,
    "star contraction, coins in sequence: times the sequential time": 1.3,
}
BASELINE = "sequential"
STARS, STARS_IN_SEQUENCE = "star-contraction", "star-contraction, coins in sequence"


def graph_name(setting: Setting) -> str:
    """Specify the graph of the document: weights are distinct, as where it checks its answers."""
    n, m = setting.pick((1_000_000, 9_000_000), (3_000, 27_000))
    return f"random:n={n},m={m},weights=distinct,dtype=int32,seed=1"


def contestants_with(counts: tuple[int, ...]) -> list[Contestant]:
    """List the four of the document and our default; the first knows one thread only."""
    return [
        Contestant(BASELINE, "sequential"),
        *(Contestant("edge-contraction", "edge-contraction", count) for count in counts),
        *(Contestant(STARS, "star-contraction", count) for count in counts),
        *(
            Contestant(STARS_IN_SEQUENCE, "star-contraction", count, {"sequential_flips": True})
            for count in counts
        ),
        *(Contestant("auto", "auto", count) for count in counts),
    ]


def measure(setting: Setting) -> Findings:
    """Race with all numbers of threads."""
    contestants, name = contestants_with(setting.threads), graph_name(setting)
    result = race(name, graph_of(name), contestants, setting)
    baseline = entry_of(result, BASELINE).seconds
    rows: list[dict[str, Any]] = []
    for entry in result.entries:
        first = entry_of(result, entry.contestant).seconds
        rows.append(
            {
                "contestant": entry.contestant,
                "threads": entry.threads,
                "ms": 1e3 * entry.seconds if entry.seconds else None,
                f"times {BASELINE}": entry.seconds / baseline if entry.seconds and baseline else None,
                "speed-up by threads": first / entry.seconds if entry.seconds and first else None,
                "error": entry.error,
            }
        )
    return Findings(
        REPORTED,
        {"graph": name, "threads": list(setting.threads), "contestants": described(contestants)},
        {"by threads": rows},
        (result,),
        (f"speed-up by threads is against {setting.threads[0]}, the fewest that were run",),
    )


def draw(findings: Findings) -> Figure:
    """Draw the time by threads, the sequential one as a line."""
    (graph,) = findings.graphs
    lines = curves_by_threads(graph)
    baseline = dict(lines.pop(BASELINE, []))
    figure, axes = panels(height=4.5)
    curves(axes, lines, "threads", "milliseconds", log="y")
    for value in baseline.values():
        level(axes, value, BASELINE)
    at_threads(axes, findings.parameters["threads"])
    legend(figure, 3)
    return figure


EXPERIMENT = Experiment(
    "cmu_thread_sweep", __doc__, "document 2, Figures 1 to 3", measure, draw, threads=COUNTS
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
