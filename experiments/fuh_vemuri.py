"""K. Fuh, S. Vemuri (Carnegie Mellon): edge contraction and star contraction.

Parallelizing Borůvka's Algorithm, final writeup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

import boruvka
from boruvka.bench.contestants import Ours
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import GraphResult
from boruvka.errors import BoruvkaError, OptionError
from experiments.common.experiment import Experiment, Findings, Race, Setting
from experiments.common.panels import Panel
from experiments.common.tables import MS, Rows, Tables, lines_of, ms_where, times_of

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
    cores with hyper-threading, and compares its sequential version. It reports that edge contraction
    becomes about 2 times as fast with more threads, and no faster from 8 threads on (Figure 1); that
    star contraction takes about 2.5 times as long as the sequential version with coins thrown in
    parallel (Figure 2), and 1.3 times as long with coins thrown in sequence (Figure 3).

    Here: the same four, by the names sequential, edge-contraction and star-contraction, and our
    default. The speed-up by threads is against the fewest threads that were run.
    """

    name = "cmu_thread_sweep"
    source = "Fuh & Vemuri, Figures 1 to 3"
    threads = (1, 2, 4, 8, 12, 16, 24, 32, 40)
    contestants = (*CONTESTANTS, Ours("auto", "auto"))

    def specifications(self, setting: Setting) -> Sequence[str]:
        return (large_graph(setting),)

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        table = times_of(graphs).select(
            "contestant",
            "threads",
            "ms",
            (MS / ms_where(BASELINE)).alias(f"times {BASELINE}"),
            (MS.first().over("contestant") / MS).alias("speed-up by threads"),
            "error",
        )
        return {"by threads": table.to_dicts()}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        lines = lines_of(tables["by threads"], "contestant", "threads", "ms")
        levels = {BASELINE: points[0][1]} if (points := lines.pop(BASELINE)) else {}
        ticks = parameters["threads"]
        return [Panel("threads", "milliseconds", lines=lines, log="y", levels=levels, ticks=ticks)]


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
    contestants = CONTESTANTS

    def counts(self, setting: Setting) -> Sequence[int]:
        return setting.threads[-1:]

    def specifications(self, setting: Setting) -> Sequence[str]:
        return (large_graph(setting),)

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows: Rows = []
        for entry in graphs[0].entries:
            parts = dict.fromkeys(self.NAMES, 0.0)
            for step in (step for round_ in entry.rounds for step in round_.steps):
                if step.name in PART_OF:
                    parts[PART_OF[step.name]] += step.seconds
            parts["other"] = max(0.0, (entry.seconds or 0.0) - sum(parts.values()))
            total = sum(parts.values()) or 1.0
            row = {"contestant": entry.contestant, "threads": entry.threads}
            row |= {f"{name}, ms": 1e3 * seconds for name, seconds in parts.items()}
            rows.append(row | {f"{name}, %": 100 * seconds / total for name, seconds in parts.items()})
        first, *others = rows
        baseline = first["contracting, %"]
        against = [
            {
                "contestant": row["contestant"],
                "times the share": row["contracting, %"] / baseline if baseline else None,
            }
            for row in others
        ]
        return {"parts": rows, "contracting against sequential": against}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        groups = ((BASELINE, "edge-contraction"), (BASELINE, STARS, STARS_IN_SEQUENCE))
        rows = {row["contestant"]: row for row in tables["parts"]}
        return [
            Panel(
                "share of the time, %",
                stacks={
                    f"{name}, threads {rows[name]['threads']}": {
                        part: rows[name][f"{part}, %"] for part in self.NAMES
                    }
                    for name in names
                },
            )
            for names in groups
        ]


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

    def measure(self, setting: Setting) -> Findings:
        name, seeds = large_graph(setting), range(setting.pick(10, 3))
        graph = graph_of(name)
        reference = boruvka.minimum_spanning_forest(graph)
        solves: list[tuple[str, dict[str, Any]]] = [("sequential", {}), ("edge-contraction", {})]
        solves += [(STARS, {"seed": seed}) for seed in seeds]
        solves += [(STARS_IN_SEQUENCE, {"seed": seed, "sequential_flips": True}) for seed in seeds]
        rows: Rows = []
        for i, (title, options) in enumerate(solves):
            setting.show(i / len(solves), f"{name}: {title}")
            algorithm = title.partition(",")[0]
            forest = boruvka.minimum_spanning_forest(graph, algorithm=algorithm, options=options)
            if forest.edges.tolist() != reference.edges.tolist():
                raise BoruvkaError(f"{title} {options}: wrong: other edges than those of the forest")
            components = [r.components for r in forest.rounds]
            rows.append(
                {
                    "contestant": title,
                    "seed": options.get("seed"),
                    "rounds": sum(count > forest.components for count in components),
                    "components": " ".join(map(str, components)),
                }
            )
        rounds = pl.col("rounds")
        extremes = rounds.min().alias("fewest rounds"), rounds.max().alias("most rounds")
        by_contestant = pl.DataFrame(rows, infer_schema_length=None).group_by(
            "contestant", maintain_order=True
        )
        summary = by_contestant.agg(*extremes).to_dicts()
        return Findings({"graph": name, "seeds": len(seeds)}, {"rounds": rows, "summary": summary})

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        lines: dict[str, Any] = {}
        for row in tables["rounds"]:  # the first seed of each
            lines.setdefault(row["contestant"], list(enumerate(map(int, row["components"].split()))))
        return [Panel("rounds done", "components", lines=lines, log="y")]


class SearchByComponent(Race):
    """Searching by component is quadratic (Fuh & Vemuri, text above Figure 1).

    In the paper each component searches its vertices among all. On 5,000 vertices and 94,300 edges this
    is slower than sequential with edge contraction, and faster with star contraction, but too slow; on
    1,000,000 vertices and 9,000,000 edges star contraction did not end within 2 minutes.

    Here: the same graph, and others with as many edges a vertex, each twice as large as the one before.
    The growth is how many times as long the last one takes; linear work would give 2. On the large
    graph of the paper the search refuses to run; its message is kept.
    """

    EDGES_A_VERTEX = 94_300 / 5_000
    SEARCHES = ("component-edge-contraction", "component-star-contraction")

    name = "cmu_search_by_component"
    source = "Fuh & Vemuri, approach: minimum edges by component"
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
                boruvka.minimum_spanning_forest(graph, algorithm=algorithm)
            except OptionError as error:
                refusal = {"contestant": algorithm, "graph": large, "message": str(error)}
                findings.tables.setdefault("refusals", []).append(refusal)
        return findings

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        times = times_of(graphs)
        growth = times.group_by("contestant", "threads", maintain_order=True).agg(
            (MS.get(-1) / MS.get(-2)).alias("growth")
        )
        return {"times": times.to_dicts(), "growth": growth.to_dicts()}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        lines = lines_of(tables["times"], ("contestant", "threads"), "vertices", "ms")
        return [Panel("vertices", "milliseconds", lines=lines, log="xy")]


EXPERIMENTS = (ThreadSweep(), Breakdown(), Rounds(), SearchByComponent())
