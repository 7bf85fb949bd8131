"""Anzalone, Marti, Kamm, Hannesdóttir, Hrabec (ETH Zürich): distribution and merging on ranks of MPI.

Efficient Parallelization of Borůvka's Minimum Spanning Tree Algorithm.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from boruvka.bench.contestants import Ours
from boruvka.bench.graphs import graph_of
from boruvka.bench.run import Plan, measure_in_process
from boruvka.bench.schemes import Confidence
from boruvka.runtime.processors import processors
from experiments.common.cost_model import COSTS, Kronecker, Machine, seconds
from experiments.common.experiment import Findings, Setting, described
from experiments.common.panels import Panel
from experiments.common.rank_results import PARTS, RanksResult
from experiments.common.ranks import (
    ExperimentOnRanks,
    count_on_ranks,
    kronecker,
    memory_on_ranks,
    race_on_ranks,
    remarks_on_ranks,
    time_by_ranks,
    times_on_ranks,
)
from experiments.common.roads import NETWORKS, grid_like, too_large
from experiments.common.tables import Rows, Tables, lines_of, seconds_of, times_of

BASELINE = "kruskal"


class RaceOnRanks(ExperimentOnRanks):
    """A race of all strategies on one graph, or on one per number of ranks."""

    scheme = Confidence

    def jobs(self, setting: Setting) -> dict[str, Sequence[int]]:
        """List the graphs, and the numbers of ranks on each."""
        raise NotImplementedError

    def measure(self, setting: Setting) -> Findings:
        """Race on every graph that fits into memory."""
        graphs, remarks = [], list(remarks_on_ranks(setting.ranks))
        for name, counts in self.jobs(setting).items():
            scale = int(name.split("scale=")[1].split(",")[0])
            if reason := too_large(16 << scale):
                remarks.append(f"{name} left out: {reason}")
            else:
                graphs.append(race_on_ranks(name, counts, setting))
        parameters = {"graphs": [graph.name for graph in graphs], "ranks": setting.ranks}
        return Findings(parameters, self.tables(graphs, parameters), tuple(graphs), tuple(remarks))


class Baseline(RaceOnRanks):
    """All strategies on ranks against a baseline (Anzalone et al., Figure 2 and Table 1).

    The paper solves a Kronecker graph of 2^19 vertices, with 16 edges for each, on 1 to 64 processes,
    and compares its implementations with the Parallel Boost Graph Library. Its Table 1 has the best,
    partitioned edges merged by union-find with reduced edges, up to 32.6 times as fast (on 2
    processes).

    Here: the same graph; all strategies of the paper, those of ours, and which of them is the default.
    The Parallel BGL is not run: in its place stand Kruskal's algorithm (kruskal: a sort and a
    union-find) on one core, and our default on one machine, without ranks; these race one another. A
    time is the mean of runs, of each the rank that took longest, as in the paper; but it covers the
    whole call, and the forest is found and not only its weight.
    """

    name = "ethz_baseline"
    source = "Anzalone et al. (ETH), Figure 2 and Table 1"
    ranks = tuple(2**k for k in range(7))

    def measure(self, setting: Setting) -> Findings:
        name = kronecker(setting.pick(19, 8))
        contestants = (Ours(BASELINE, BASELINE, parallel=False), Ours("auto", "auto"))
        graph = race_on_ranks(name, setting.ranks, setting)
        plan = Plan(contestants, sorted({1, processors()}), setting.scheme, short=setting.short)
        alone = measure_in_process(name, graph_of(name), plan, setting.show)
        graph = replace(graph, entries=(*graph.entries, *alone.entries))
        parameters = {"graph": name, "ranks": setting.ranks, "contestants": described(contestants)}
        tables = self.tables([graph], parameters)
        return Findings(parameters, tables, (graph,), remarks_on_ranks(setting.ranks))

    def tables(self, graphs: Sequence[RanksResult], parameters: Mapping[str, Any]) -> Tables:
        (graph,) = graphs
        strategies = {entry.contestant for entry in graph.on_ranks}
        alone = [row for row in times_of(graphs).to_dicts() if row["contestant"] not in strategies]
        return {
            "times on ranks": times_on_ranks(graph),
            "times on one machine": alone,
            "table 1": self.table_1(graph),
        }

    def table_1(self, graph: RanksResult) -> Rows:
        """Compare the best published strategy, and our default, with what the paper reports."""
        baseline = seconds_of(graph, BASELINE)
        reported = {row["ranks"]: row for row in self.reported["table 1"]}
        rows = []
        for ranks in sorted({entry.ranks for entry in graph.on_ranks}):
            entries = [entry for entry in graph.on_ranks if entry.ranks == ranks and entry.seconds]
            best = min((e for e in entries if e.published), key=lambda e: e.seconds or 0, default=None)
            default = next((e for e in entries if e.default), None)
            there = reported.get(ranks, {})
            row: dict[str, Any] = {"ranks": ranks, "best there, s": there.get("best, s")}
            row["Parallel BGL, s"] = there.get("Parallel BGL, s")
            row |= {"best published strategy here": best and best.contestant}
            for name, entry in (("best", best), ("default", default)):
                row[f"{name}, s"] = time = entry.seconds if entry else None
                row[f"{name}, times as fast as {BASELINE}"] = baseline / time if baseline and time else None
            rows.append(row)
        return rows

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        levels = {
            f"one machine: {row['contestant']}, threads {row['threads']}": row["ms"] or 0.0
            for row in tables["times on one machine"]
        }
        return time_by_ranks(tables["times on ranks"], levels)


class StrongScaling(RaceOnRanks):
    """All strategies by ranks on one graph (Anzalone et al., Figure 3).

    The paper solves a Kronecker graph of 2^20 vertices, with 16 edges for each, on 1 to 512 processes.
    Partitioned edges beat partitioned vertices by far, but stop scaling at 16 processes, where a
    process has as many vertices as edges; supervertex pointer jumping is the slowest.

    Here: the same graph, strategies and summary, on as many ranks as there are processors, and at most
    twice as many. Partitioned edges merged by pointer jumping, which the paper leaves out as too slow,
    are run too.
    """

    name = "ethz_strong_scaling"
    source = "Anzalone et al. (ETH), Figure 3"
    ranks = tuple(2**k for k in range(10))

    def jobs(self, setting: Setting) -> dict[str, Sequence[int]]:
        return {kronecker(setting.pick(20, 9)): setting.ranks}

    def tables(self, graphs: Sequence[RanksResult], parameters: Mapping[str, Any]) -> Tables:
        return {"speed-up": [row for graph in graphs for row in times_on_ranks(graph)]}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        return time_by_ranks(tables["speed-up"])


class WeakScaling(RaceOnRanks):
    """All strategies on graphs that grow with the ranks (Anzalone et al., Figure 4).

    In the paper Kronecker graphs grow from 2^18 to 2^22 vertices with the number of processes. The
    result is like strong scaling: partitioned edges beat partitioned vertices, the more so the more
    there are of both.

    Here: 2^18 vertices and 2^22 edges for one rank, twice as many for twice as many ranks; so every
    rank has as many edges, and the 2^22 vertices of the paper are those of 16 ranks. Graphs that do not
    fit into memory are left out, and the result names them. The efficiency is the time on the fewest
    ranks divided by that on others; the work for an edge grows with the rounds, so 100 % is not to be
    expected.
    """

    name = "ethz_weak_scaling"
    source = "Anzalone et al. (ETH), Figure 4"
    ranks = tuple(2**k for k in range(5))

    def jobs(self, setting: Setting) -> dict[str, Sequence[int]]:
        scale = setting.pick(18, 8)
        return {kronecker(scale + ranks.bit_length() - 1): (ranks,) for ranks in setting.ranks}

    def tables(self, graphs: Sequence[RanksResult], parameters: Mapping[str, Any]) -> Tables:
        first: dict[str, float | None] = {}
        rows = []
        for graph in graphs:
            for row in times_on_ranks(graph):
                del row["speed-up"]
                fewest = first.setdefault(row["strategy"], row["ms"])
                efficiency = 100 * fewest / row["ms"] if fewest and row["ms"] else None
                rows.append({**row, "edges a rank": graph.m // row["ranks"], "efficiency %": efficiency})
        return {"efficiency": rows}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        return time_by_ranks(tables["efficiency"])


class RanksBreakdown(RaceOnRanks):
    """Time by part: distribution, selection, merging, communication (Anzalone et al., Figure 5).

    The paper splits the time on a Kronecker graph of 2^19 vertices and 64 processes into distributing
    the graph, selecting the lightest edges, and merging. Distribution takes most with partitioned
    vertices and little with partitioned edges; selection takes as long everywhere; union-find merges
    fastest, then iterative fixing.

    Here: the same graph on as many ranks as there are processors. What the paper counts as selection
    and merging is split into computing and communication; the latter includes waiting for the slowest
    rank. All of the phase in which vertices are distributed counts as distribution, messages too.
    Contraction gives edges the new names of their ends, or replaces the edges of a rank by its own
    forest; reduction drops edges within a component. A part is that of the rank that took longest for
    it in each round, the mean over the runs; other is the rest of the time of the call: checking
    arguments, preparing messages, assembling the answer. As not the same rank takes longest for all,
    the parts together can be longer than the call.
    """

    NAMES = (*PARTS, "other")

    name = "ethz_breakdown"
    source = "Anzalone et al. (ETH), Figure 5"
    ranks = (64,)

    def jobs(self, setting: Setting) -> dict[str, Sequence[int]]:
        return {kronecker(setting.pick(19, 8)): setting.ranks}

    def tables(self, graphs: Sequence[RanksResult], parameters: Mapping[str, Any]) -> Tables:
        rows = []
        for entry in (entry for graph in graphs for entry in graph.on_ranks):
            parts = dict.fromkeys(self.NAMES, 0.0) | entry.mean_parts()
            parts["other"] = max(0.0, (entry.seconds or 0.0) - sum(parts.values()))
            rows.append(
                {
                    "strategy": entry.contestant,
                    "default": entry.default,
                    "ranks": entry.ranks,
                    "oversubscribed": entry.oversubscribed,
                    "ms": 1e3 * entry.seconds if entry.seconds else None,
                    **{f"{name}, ms": 1e3 * part for name, part in parts.items()},
                    "error": entry.error,
                }
            )
        return {"parts": rows}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        rows = tables["parts"]
        return [
            Panel(
                "milliseconds",
                title=f"ranks: {ranks}",
                stacks={
                    row["strategy"]: {name: row[f"{name}, ms"] for name in self.NAMES}
                    for row in rows
                    if row["ranks"] == ranks and not row["error"]
                },
            )
            for ranks in dict.fromkeys(row["ranks"] for row in rows)
        ]


class RankCounts(ExperimentOnRanks):
    """Rounds, messages and bytes by ranks, on any number of cores (Anzalone et al., section 4.3).

    The paper explains its times by the messages between ranks: partitioned edges send as many bytes as
    there are vertices, whatever the number of processes, so that they stop scaling; pointer jumping
    sends more often than iterative fixing; partitioned vertices send every edge twice. It counts none
    of it.

    Here it is counted for all strategies, on up to 64 ranks that are threads of one process, on a
    Kronecker graph and on a grid that is like the roads of New York. Messages and bytes are those of the
    rank that sends most in each round, as in `Round`: a reduction counts as the usual algorithm for it.
    """

    DRAWN = ("messages", "bytes sent, a vertex")

    name = "ethz_counts"
    source = "Anzalone et al. (ETH), section 4.3"
    ranks: tuple[int, ...] = (1, 2, 8, 64)
    counted = True
    columns = 2

    def graphs(self, setting: Setting) -> tuple[str, ...]:
        """List the graphs to count on."""
        return kronecker(setting.pick(16, 8)), grid_like(NETWORKS["NY"], setting.pick(1, 500))

    def measure(self, setting: Setting) -> Findings:
        names = self.graphs(setting)
        return Findings(
            {"graphs": list(names), "ranks": setting.ranks},
            {"counts": [row for name in names for row in count_on_ranks(name, setting.ranks, setting)[0]]},
            remarks=("counted, not timed: the number of processors does not matter",),
        )

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        (rows,) = (rows for name, rows in tables.items() if name != "rounds")
        return [
            Panel(
                "ranks",
                count,
                graph.partition(",drop")[0],
                lines_of((row for row in rows if row["graph"] == graph), "strategy", "ranks", count),
                log="y",
                ticks=parameters["ranks"],
            )
            for graph in parameters["graphs"]
            for count in self.DRAWN
        ]


class RankGrowth(RankCounts):
    """Messages and bytes of our defaults by ranks and by round (beyond Anzalone et al., section 4.3).

    The paper finds that partitioned edges stop scaling, because what a rank sends does not decrease with
    more ranks. So what matters is how the messages and bytes of a rank change with the number of ranks.

    Here they are counted by round on 2 to 64 ranks, as in `ethz_counts`: by edges, by vertices, and by
    vertices with all exchanges in two steps, along the rows and columns of a square of ranks. By edges
    there are no exchanges. The graphs are Kronecker graphs, a random one, and grids whose edges are
    partitioned in the order of their rows. docs/scale.md has the conclusions.
    """

    name = "ethz_growth"
    source = "Anzalone et al. (ETH), beyond section 4.3"
    ranks = tuple(2**k for k in range(1, 7))

    def graphs(self, setting: Setting) -> tuple[str, ...]:
        grids = (grid_like(NETWORKS[name], setting.pick(1, 500)) for name in ("NY", "FLA"))
        n = 1 << setting.pick(16, 8)
        uniform = f"random:n={n},m={16 * n},seed=1"
        return kronecker(setting.pick(14, 7)), kronecker(setting.pick(16, 8)), uniform, *grids

    def measure(self, setting: Setting) -> Findings:
        names = self.graphs(setting)
        found = [
            count_on_ranks(name, setting.ranks, setting, lambda strategy: "filter-boruvka" in strategy)
            for name in names
        ]
        totals, rounds = ([row for tables in found for row in tables[k]] for k in range(2))
        return Findings(
            {"graphs": list(names), "ranks": setting.ranks},
            {"totals": totals, "rounds": rounds},
            remarks=("counted, not timed: the number of processors does not matter",),
        )


class RankMemory(RankCounts):
    """Memory by ranks (Anzalone et al., section 4.3).

    The paper partitions vertices so that larger graphs fit. It does not measure memory.

    Here it is measured on processes for all strategies, on the graphs of `ethz_counts`: at the peak,
    beyond the rank's own edges, of the rank that has most. Bytes of arrays are as they are allocated, and
    bytes held as far as the memory was touched, with those of MPI. Memory that every rank holds for every
    vertex is constant per vertex, however many ranks there are; memory for a rank's own m / P edges is
    constant per own edge.
    """

    DRAWN = ("held, a vertex", "held, an own edge")

    name = "ethz_memory"
    ranks = (1, 2, 8)

    def measure(self, setting: Setting) -> Findings:
        names = self.graphs(setting)
        return Findings(
            {"graphs": list(names), "ranks": setting.ranks},
            {"memory": [row for name in names for row in memory_on_ranks(name, setting.ranks, setting)]},
            remarks=("not timed: the number of processors does not matter",),
        )


class Scale(ExperimentOnRanks):
    """Predicted costs of the strategies on many ranks (beyond Anzalone et al., section 4).

    The paper ends at 512 processes and 2^26 edges. `experiments.common.cost_model` follows what the
    code sends, step by step, and predicts messages and bytes for any number of ranks; with the time of
    a step on one core here, and the latency and bandwidth of a network, that is a time.

    First the predicted messages and bytes stand beside those counted, as in `ethz_counts`. Then come
    times for 2^30 to 2^40 edges on 10^2 to 10^5 ranks, on cores and a network like the paper's: 2
    microseconds, 25 GB/s shared by 128 cores, 4 GB for each. docs/scale.md has the conclusions.
    """

    SIZES = (30, 34, 37, 40)
    """Binary logarithms of numbers of edges."""
    RANKS = (100, 1_000, 10_000, 100_000)
    EDGE_FACTOR = 16

    name = "ethz_scale"
    source = "Anzalone et al. (ETH), beyond its figures"
    ranks = tuple(2**k for k in range(1, 7))
    counted = True

    def measure(self, setting: Setting) -> Findings:
        scale, machine = setting.pick(16, 8), Machine()
        counted, _ = count_on_ranks(kronecker(scale), setting.ranks, setting, COSTS.__contains__)
        return Findings(
            {"graph": kronecker(scale), "ranks": setting.ranks, "machine": vars(machine)},
            {
                "against counts": self.against_counts(counted, scale),
                "predicted": [
                    row
                    for size in self.SIZES
                    for ranks in self.RANKS
                    for row in predicted(size, ranks, machine)
                ],
            },
            remarks=("a model, not a measurement: nothing of the second table was run",),
        )

    def against_counts(self, counted: Rows, scale: int) -> Rows:
        """Compare predicted messages and bytes with those counted."""
        graph = Kronecker(1 << scale, self.EDGE_FACTOR << scale)
        rows = []
        for row in counted:
            if row["ranks"] > 1:
                cost, sent = COSTS[row["strategy"]](graph, row["ranks"]), row["bytes sent"]
                rows.append(
                    {
                        "strategy": row["strategy"],
                        "ranks": row["ranks"],
                        "messages": row["messages"],
                        "messages predicted": round(cost.messages),
                        "bytes": sent,
                        "bytes predicted": round(cost.bytes),
                        "bytes predicted / sent": cost.bytes / sent if sent else None,
                    }
                )
        return rows

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        rows = [{**row, "s": row["s"] if row["fits"] else None} for row in tables["predicted"]]
        return [
            Panel(
                "ranks",
                "seconds, predicted",
                f"2^{size} edges",
                lines_of((r for r in rows if r["edges"] == f"2^{size}"), "strategy", "ranks", "s"),
                log="xy",
            )
            for size in self.SIZES
        ]


def predicted(size: int, ranks: int, machine: Machine) -> Rows:
    """Predict the time of every strategy on a graph of 2**size edges."""
    graph = Kronecker((1 << size) // Scale.EDGE_FACTOR, 1 << size)
    rows = []
    for name, cost_of in COSTS.items():
        cost = cost_of(graph, ranks)
        rows.append(
            {
                "edges": f"2^{size}",
                "ranks": ranks,
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
        )
    return rows


EXPERIMENTS = (
    Baseline(),
    StrongScaling(),
    WeakScaling(),
    RanksBreakdown(),
    RankCounts(),
    RankGrowth(),
    RankMemory(),
    Scale(),
)
