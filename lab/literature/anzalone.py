"""Anzalone, Marti, Kamm, Hannesdóttir, Hrabec (ETH Zürich): distribution and merging on ranks of MPI.

Efficient Parallelization of Borůvka's Minimum Spanning Tree Algorithm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boruvka.runtime.processors import processors
from lab.contestants.ours import Ours
from lab.harness.command import show
from lab.harness.figures import Figure
from lab.harness.graphs import graph_of
from lab.harness.results import Rows, Tables, times_of
from lab.harness.schemes import Confidence
from lab.harness.tables import ratio
from lab.harness.turns import Plan, race
from lab.literature.cost_model import COSTS, Kronecker, Machine, seconds
from lab.literature.experiment import Experiment, Findings, Setting
from lab.literature.ranks import (
    count_on_ranks,
    kronecker,
    race_on_ranks,
    remarks_on_ranks,
)
from lab.literature.roads import NETWORKS, grid_like, too_large

BASELINE = "kruskal"
BY_RANKS = Figure("times", "ranks", by="strategy", log="xy")
COUNTED = "counted, not timed: the number of processors does not matter"


class RaceOnRanks(Experiment):
    """A race of all strategies on one graph, or on one per number of ranks."""

    scheme = Confidence
    figures: tuple[Figure, ...] = (BY_RANKS,)

    def jobs(self, setting: Setting) -> dict[str, Sequence[int]]:
        """List the graphs, and the numbers of ranks on each."""
        raise NotImplementedError

    def measure(self, setting: Setting) -> Findings:
        """Race on every graph that fits into memory."""
        rows: Rows = []
        remarks = list(remarks_on_ranks(setting.ranks))
        for name, counts in self.jobs(setting).items():
            scale = int(name.split("scale=")[1].split(",")[0])
            if reason := too_large(16 << scale):
                remarks.append(f"{name} left out: {reason}")
            else:
                rows += race_on_ranks(name, counts, self.scheme_of(setting))
        return Findings({"times": self.extended(rows)}, {"ranks": setting.ranks}, tuple(remarks))

    def extended(self, rows: Rows) -> Rows:
        """Add columns."""
        return rows


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
    figures = (
        BY_RANKS,
        Figure("table 1", "ranks", f"best, times as fast as {BASELINE}", "best published strategy here"),
    )
    ranks = tuple(2**k for k in range(7))

    def measure(self, setting: Setting) -> Findings:
        name, scheme = kronecker(setting.pick(19, 8)), self.scheme_of(setting)
        contestants = (Ours(BASELINE, BASELINE, parallel=False), Ours("auto", "auto"))
        rows = race_on_ranks(name, setting.ranks, scheme)
        plan = Plan(contestants, sorted({1, processors()}), scheme, short=setting.short, in_process=True)
        alone = times_of([race(name, graph_of(name), plan, show)])
        tables = {"times": rows, "one machine": alone, "table 1": self.table_1(rows, alone[0]["ms"])}
        return Findings(tables, {"ranks": setting.ranks}, remarks_on_ranks(setting.ranks))

    def table_1(self, rows: Rows, baseline: float | None) -> Rows:
        """Compare the best published strategy, and our default, with what the paper reports."""
        reported = {row["ranks"]: row for row in self.reported["table 1"]}
        table = []
        for ranks in sorted({row["ranks"] for row in rows}):
            here = [row for row in rows if row["ranks"] == ranks and row["ms"]]
            published = (row for row in here if row["published"])
            best: dict[str, Any] = min(published, key=lambda row: row["ms"], default={})
            default: dict[str, Any] = next((row for row in here if row["default"]), {})
            there = reported.get(ranks, {})
            table.append(
                {
                    "ranks": ranks,
                    "best there, s": there.get("best, s"),
                    "Parallel BGL, s": there.get("Parallel BGL, s"),
                    "best published strategy here": best.get("strategy"),
                    "best, ms": best.get("ms"),
                    f"best, times as fast as {BASELINE}": ratio(baseline, best.get("ms")),
                    "default, ms": default.get("ms"),
                    f"default, times as fast as {BASELINE}": ratio(baseline, default.get("ms")),
                }
            )
        return table


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

    def extended(self, rows: Rows) -> Rows:
        first: dict[str, float | None] = {}
        for row in rows:
            efficiency = ratio(first.setdefault(row["strategy"], row["ms"]), row["ms"])
            row["efficiency %"] = None if efficiency is None else 100 * efficiency
            row["edges a rank"] = row["edges"] // row["ranks"]
            del row["speed-up"]
        return rows


class RanksBreakdown(RaceOnRanks):
    """Time by part: distribution, selection, merging, communication (Anzalone et al., Figure 5).

    The paper splits the time on a Kronecker graph of 2^19 vertices and 64 processes into distributing
    the graph, selecting the lightest edges, and merging. Distribution takes most with partitioned
    vertices and little with partitioned edges; selection takes as long everywhere; union-find merges
    fastest, then iterative fixing.

    Here: the same graph on as many ranks as there are processors. Selection and
    merging of the paper are split into computing and communication; the latter includes waiting for the
    slowest rank. All of the phase in which vertices are distributed counts as distribution, messages too.
    Contraction gives edges the new names of their ends, or replaces the edges of a rank by its own
    forest; reduction drops edges within a component. A part is that of the rank that took longest for
    it in each round, the mean over the runs; other is the rest of the time of the call: checking
    arguments, preparing messages, assembling the answer. As not the same rank takes longest for all,
    the parts together can be longer than the call.
    """

    name = "ethz_breakdown"
    source = "Anzalone et al. (ETH), Figure 5"
    figures = (Figure("times", ", ms", by="strategy", per="ranks", is_bars=True),)
    ranks = (64,)

    def jobs(self, setting: Setting) -> dict[str, Sequence[int]]:
        return {kronecker(setting.pick(19, 8)): setting.ranks}

    def extended(self, rows: Rows) -> Rows:
        for row in rows:
            parts = [row[name] for name in row if name.endswith(", ms")]
            row["other, ms"] = max(0.0, (row["ms"] or 0.0) - sum(parts))
        return rows


class RankCounts(Experiment):
    """Rounds, messages, bytes and memory by ranks (Anzalone et al., section 4.3).

    The paper explains its times by the messages between ranks: partitioned edges send as many bytes as
    there are vertices, whatever the number of processes, so that they stop scaling; pointer jumping
    sends more often than iterative fixing; partitioned vertices send every edge twice. It counts none
    of it. It partitions vertices so that larger graphs fit, and does not measure memory.

    Here it is counted for all strategies, on up to 64 ranks, on a Kronecker graph and on a grid that is
    like the roads of New York. Messages and bytes are those of the rank that sends most in each round,
    as in `Round`: a reduction counts as the usual algorithm for it. Memory is that of the rank which has
    most, at the peak, beyond its own edges, as far as it was touched, with that of MPI. Memory that every
    rank holds for every vertex is constant per vertex, however many ranks there are; memory for a rank's
    own m / P edges is constant per own edge.
    """

    name = "ethz_counts"
    source = "Anzalone et al. (ETH), section 4.3"
    figures = tuple(
        Figure("counts", "ranks", column, "strategy", per="graph", log="xy")
        for column in ("messages", "bytes sent, a vertex", "held, a vertex", "held, an own edge")
    )
    ranks: tuple[int, ...] = (1, 2, 8, 64)
    strategies: tuple[str, ...] = ()
    counted = True

    def graphs(self, setting: Setting) -> tuple[str, ...]:
        """List the graphs to count on."""
        return kronecker(setting.pick(16, 8)), grid_like(NETWORKS["NY"], setting.pick(1, 500))

    def measure(self, setting: Setting) -> Findings:
        tables: Tables = {"counts": [], "rounds": []}
        for name in self.graphs(setting):
            for rows, found in zip(
                tables.values(), count_on_ranks(name, setting.ranks, self.strategies), strict=True
            ):
                rows += found
        if not self.strategies:
            del tables["rounds"]
        return Findings(tables, {"graphs": self.graphs(setting), "ranks": setting.ranks}, (COUNTED,))


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
    figures = RankCounts.figures[:2]
    ranks = tuple(2**k for k in range(1, 7))
    strategies = (
        "edges, filter-boruvka",
        "vertices, filter-boruvka",
        "vertices, filter-boruvka, two steps",
    )

    def graphs(self, setting: Setting) -> tuple[str, ...]:
        grids = (grid_like(NETWORKS[name], setting.pick(1, 500)) for name in ("NY", "FLA"))
        n = 1 << setting.pick(16, 8)
        uniform = f"random:n={n},m={16 * n},seed=1"
        return kronecker(setting.pick(14, 7)), kronecker(setting.pick(16, 8)), uniform, *grids


class Scale(Experiment):
    """Predicted costs of the strategies on many ranks (beyond Anzalone et al., section 4).

    The paper ends at 512 processes and 2^26 edges. `lab.literature.cost_model` follows what the
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
    figures = (Figure("predicted", "ranks", "s where it fits", "strategy", per="edges", log="xy"),)
    ranks = tuple(2**k for k in range(1, 7))
    counted = True

    def measure(self, setting: Setting) -> Findings:
        scale, machine = setting.pick(16, 8), Machine()
        counted, _ = count_on_ranks(kronecker(scale), setting.ranks, tuple(COSTS))
        table = [
            row for size in self.SIZES for ranks in self.RANKS for row in predicted(size, ranks, machine)
        ]
        return Findings(
            {"against counts": self.against_counts(counted, scale), "predicted": table},
            {"graph": kronecker(scale), "ranks": setting.ranks, "machine": vars(machine)},
            ("a model, not a measurement: nothing of the second table was run",),
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
                "s": (total := seconds(cost, machine)),
                "s where it fits": total if cost.memory <= machine.memory else None,
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
    Scale(),
)
