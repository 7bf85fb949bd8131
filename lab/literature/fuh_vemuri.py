"""K. Fuh, S. Vemuri (Carnegie Mellon): edge contraction and star contraction.

Parallelizing Borůvka's Algorithm, final writeup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boruvka import minimum_spanning_forest
from boruvka.errors import BoruvkaError, OptionError
from lab.contestants.ours import Ours
from lab.harness.command import show
from lab.harness.figures import Figure
from lab.harness.graphs import graph_of
from lab.harness.results import GraphResult, Rows, Tables, times_of
from lab.harness.tables import ratio
from lab.literature.experiment import Experiment, Findings, Race, Setting

BASELINE = "sequential"
STARS, STARS_IN_SEQUENCE = "star-contraction", "star-contraction, coins in sequence"
CONTESTANTS = (
    Ours(BASELINE, BASELINE, parallel=False),
    Ours("edge-contraction", "edge-contraction"),
    Ours(STARS, STARS),
    Ours(STARS, STARS_IN_SEQUENCE, {"sequential_flips": True}),
)


def large_graph(setting: Setting) -> str:
    """Specify the graph of the paper, with distinct weights, as the paper uses to check its answers."""
    n, m = setting.pick((1_000_000, 9_000_000), (3_000, 27_000))
    return f"random:n={n},m={m},weights=distinct,dtype=int32,seed=1"


class ThreadSweep(Race):
    """Edge and star contraction by threads (Fuh & Vemuri, Figures 1 to 3).

    The paper solves a random graph of 1,000,000 vertices and 9,000,000 edges with 1 to 40 threads on 6
    cores with hyper-threading, and compares its sequential version. With more
    threads, edge contraction becomes about 2 times as fast, and no faster beyond 8 threads (Figure 1).
    Star contraction takes about 2.5 times as long as the sequential version with coins thrown in
    parallel (Figure 2), and 1.3 times as long with coins thrown in sequence (Figure 3).

    Here: the same four, by the names sequential, edge-contraction and star-contraction, and our
    default. The speed-up by threads is against the fewest threads that were run.
    """

    name = "cmu_thread_sweep"
    source = "Fuh & Vemuri, Figures 1 to 3"
    figures = (Figure("times", "threads"),)
    threads = (1, 2, 4, 8, 12, 16, 24, 32, 40)
    contestants = (*CONTESTANTS, Ours("auto", "auto"))

    def specifications(self, setting: Setting) -> Sequence[str]:
        return (large_graph(setting),)

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows = times_of(graphs)
        first: dict[str, float | None] = {}
        for row in rows:
            first.setdefault(row["contestant"], row["ms"])
            row[f"times {BASELINE}"] = ratio(row["ms"], first[BASELINE])
            row["speed-up by threads"] = ratio(first[row["contestant"]], row["ms"])
        return {"times": rows}


PART_OF = {"find": "finding", "contract": "contracting", "flip": "contracting"}


class Breakdown(Race):
    """Time by part: finding, contracting, other (Fuh & Vemuri, Figures 4 and 5).

    The paper splits the time of a solve of 1,000,000 vertices and 9,000,000 edges on 8 threads, where
    it was best, into finding the lightest edges, contracting, and other work. It reports that finding
    takes most, a smaller part with threads than without (Figure 4), and that star contraction spends
    almost three times the fraction on contracting that the sequential version does (Figure 5).

    Here: the same on as many threads as there are processors. Throwing coins counts as contracting.
    Other is the rest: arrays that are made at the start, and the list of edges at the end.
    """

    NAMES = ("finding", "contracting", "other")

    name = "cmu_breakdown"
    source = "Fuh & Vemuri, Figures 4 and 5"
    figures = (Figure("parts", ", %", by=("contestant", "threads"), is_bars=True),)
    contestants = CONTESTANTS

    def counts(self, setting: Setting) -> Sequence[int]:
        return setting.threads[-1:]

    def specifications(self, setting: Setting) -> Sequence[str]:
        return (large_graph(setting),)

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows: Rows = []
        for entry in graphs[0].entries:
            parts = dict.fromkeys(self.NAMES, 0.0)
            for step, seconds in (item for round_ in entry.rounds for item in round_.seconds.items()):
                if step in PART_OF:
                    parts[PART_OF[step]] += seconds
            parts["other"] = max(0.0, (entry.seconds or 0.0) - sum(parts.values()))
            total = sum(parts.values()) or 1.0
            row: dict[str, Any] = {"contestant": entry.contestant, "threads": entry.threads}
            row |= {f"{name}, ms": 1e3 * seconds for name, seconds in parts.items()}
            row |= {f"{name}, %": 100 * seconds / total for name, seconds in parts.items()}
            first = rows[0] if rows else row
            rows.append(row | {"share of contracting": ratio(row["contracting, %"], first["contracting, %"])})
        return {"parts": rows}


class Rounds(Experiment):
    """The number of rounds: edge contraction against star contraction (Fuh & Vemuri, text below Figure 3).

    The paper counts 8 iterations of its sequential version on 1,000,000 vertices and 9,000,000 edges,
    and 26 to 28 of star contraction in several runs.

    Here: the same graph, star contraction with ten seeds for either way to throw coins. A round counts
    if components could be merged at its start; the last one, which only finds none, does not. If a
    component moved only when it throws tails and its own edge leads to heads, a quarter of them would,
    and log(n) / log(4/3) rounds would be expected, 48 for 1,000,000 vertices. With edges that pull from
    either end (the paper's compare and swap) there are about 40, and with ends looked up when an edge
    is contracted, as its union-find does, the number that it reports.
    """

    name = "cmu_rounds"
    source = "Fuh & Vemuri, results: 8 iterations against 26 to 28"
    figures = (Figure("components", "round", "components"),)

    def measure(self, setting: Setting) -> Findings:
        name, seeds = large_graph(setting), range(setting.pick(10, 3))
        graph = graph_of(name)
        reference = minimum_spanning_forest(graph)
        solves: list[tuple[str, dict[str, Any]]] = [("sequential", {}), ("edge-contraction", {})]
        solves += [(STARS, {"seed": seed}) for seed in seeds]
        solves += [(STARS_IN_SEQUENCE, {"seed": seed, "sequential_flips": True}) for seed in seeds]
        rows: Rows = []
        first: Rows = []
        for title, options in solves:
            show(f"{name}: {title}")
            algorithm = title.partition(",")[0]
            forest = minimum_spanning_forest(graph, algorithm=algorithm, options=options)
            if forest.edges.tolist() != reference.edges.tolist():
                raise BoruvkaError(f"{title} {options}: wrong: not the edges of the forest")
            components = [r.n_components for r in forest.rounds]
            rows.append(
                {
                    "contestant": title,
                    "seed": options.get("seed"),
                    "rounds": sum(count > forest.n_components for count in components),
                }
            )
            if not options.get("seed"):  # the first seed of each
                first += [
                    {"contestant": title, "round": k, "components": count}
                    for k, count in enumerate(components, 1)
                ]
        return Findings({"rounds": rows, "components": first}, {"graph": name, "seeds": len(seeds)})


class SearchByComponent(Race):
    """Searching by component is quadratic (Fuh & Vemuri, text above Figure 1).

    In the paper each component searches its vertices among all. On 5,000 vertices and 94,300 edges this
    is slower than sequential with edge contraction, and faster with star contraction, but too slow; on
    1,000,000 vertices and 9,000,000 edges star contraction did not end within 2 minutes.

    Here: the same graph, and others with as many edges a vertex, each twice as large as the one before.
    The growth is how many times as long each takes; linear work would give 2. On the large
    graph of the paper the search refuses to run; its message is kept.
    """

    EDGES_A_VERTEX = 94_300 / 5_000
    SEARCHES = ("component-edge-contraction", "component-star-contraction")

    name = "cmu_search_by_component"
    source = "Fuh & Vemuri, approach: minimum edges by component"
    figures = (Figure("times", "vertices", by=("contestant", "threads"), log="xy"),)
    threads = (1,)
    contestants = (*CONTESTANTS[:2], *(Ours(name, name) for name in SEARCHES))

    def specifications(self, setting: Setting) -> Sequence[str]:
        sizes = setting.pick((1_250, 2_500, 5_000, 10_000, 20_000), (250, 500, 1_000))
        weights = "weights=distinct,dtype=int32,seed=1"
        return [f"random:n={n},m={round(self.EDGES_A_VERTEX * n)},{weights}" for n in sizes]

    def measure(self, setting: Setting) -> Findings:
        findings = super().measure(setting)
        large = large_graph(setting)
        if setting.quick:
            large = "random:n=20001,m=30000,weights=distinct,dtype=int32,seed=1"
        graph = graph_of(large)
        for algorithm in self.SEARCHES:
            try:
                minimum_spanning_forest(graph, algorithm=algorithm)
            except OptionError as error:
                refusal = {"contestant": algorithm, "graph": large, "message": str(error)}
                findings.tables.setdefault("refusals", []).append(refusal)
        return findings

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows = times_of(graphs)
        before: dict[tuple[str, int], float | None] = {}
        for row in rows:
            key = row["contestant"], row["threads"]
            row["growth"] = ratio(row["ms"], before.get(key))
            before[key] = row["ms"]
        return {"times": rows}


EXPERIMENTS = (ThreadSweep(), Breakdown(), Rounds(), SearchByComponent())
