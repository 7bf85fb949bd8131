"""C. da Silva Sousa, A. Mariano, A. Proença, PDP 2015: contraction of compressed sparse rows.

A Generic and Highly Efficient Parallel Variant of Borůvka's Algorithm, University of Minho.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature import csr_contraction
from boruvka.algorithms.registry import ALGORITHMS
from boruvka.backends import Backend, get_backend
from boruvka.backends.protocol import Operator
from boruvka.bench.contestants import Ours
from boruvka.bench.results import GraphResult
from boruvka.forest.round_log import Round, RoundLog
from boruvka.graph.graph import Graph
from experiments.common.counters import CACHE_MISSES, CACHE_REFERENCES, Event, Unavailable, counting
from experiments.common.experiment import Experiment, Findings, Race, Setting
from experiments.common.panels import Panel
from experiments.common.roads import NETWORKS
from experiments.common.tables import MS, Rows, Tables, lines_of, ms_where, times_of

BASELINE = "csr-contraction"
CONTESTANTS = tuple(Ours(name, name) for name in (BASELINE, "colour-contraction", "auto"))


class TimeByGraph(Race):
    """Time by road network and implementation (Sousa et al. 2015, Figure 4).

    The paper solves the 13 road networks of its Table II with its own variant on a CPU, with 1 thread
    and 10, and on a GPU, and with the rivals Cong2005, Galois, Harish2009 and Nasre2013. It reports
    that its CPU implementation is 1.35 to 12.71 times as fast as the others, and that on a GPU 1.34 to
    26.43 times.

    Here: the same contraction (csr-contraction), the rivals' colouring without a new graph
    (colour-contraction), and our default, each with one thread and with all. Its GPU versions, Cong2005
    and Galois are not run.
    """

    name = "minho_time_by_graph"
    source = "Sousa et al. 2015, Figure 4"
    networks = tuple(NETWORKS)
    quick_networks = ("NY", "FLA", "E")
    threads = (1,)
    contestants = CONTESTANTS

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        rows = [{**row, "network": row["graph"].partition(":")[0]} for row in tables["times"]]
        lines = lines_of(rows, ("contestant", "threads"), "network", "ms")
        complete_first = dict(sorted(lines.items(), key=lambda line: -len(line[1])))  # orders the axis
        return [Panel("road network", "milliseconds", lines=complete_first, log="y")]


class Scaling(Race):
    """Scaling by threads: time, speed-up, efficiency (Sousa et al. 2015, Figure 5 and Table III).

    The paper solves the road networks NE, PT and USA with 1 to 40 threads on 20 cores with
    hyper-threading. Its Table III reports the speed-up against its own CPU version on one thread, and
    the efficiency, which is the speed-up per thread; best is 10.26 times on USA with 40 threads, and
    9.79 with 20.

    Here: the same contraction (csr-contraction), colouring (colour-contraction) and our default. The
    speed-up is against the same algorithm on one thread; that against csr-contraction on one thread
    stands beside it. NY is run too, as its file is easier to get.
    """

    name = "minho_scaling"
    source = "Sousa et al. 2015, Figure 5 and Table III"
    networks = ("NY", "NE", "PT", "USA")
    threads = (1, 2, 4, 6, 8, 10, 20, 40)
    contestants = CONTESTANTS
    columns = 2

    def counts(self, setting: Setting) -> Sequence[int]:
        return sorted({1, *setting.threads})

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        speedup = MS.first().over("graph", "contestant") / MS  # the first count is 1
        table = times_of(graphs).select(
            "graph",
            "contestant",
            "threads",
            "ms",
            speedup.alias("speed-up"),
            (100 * speedup / pl.col("threads")).alias("efficiency %"),
            (ms_where(BASELINE, threads=1) / MS).alias(f"against {BASELINE}, 1 thread"),
            "error",
        )
        return {"speed-up and efficiency": table.to_dicts()}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        rows = tables["speed-up and efficiency"]
        return [
            Panel(
                "threads",
                "milliseconds",
                graph.partition(":")[0],
                lines_of((row for row in rows if row["graph"] == graph), "contestant", "threads", "ms"),
                log="y",
                ticks=parameters["threads"],
            )
            for graph in dict.fromkeys(row["graph"] for row in rows)
        ]


class LoadImbalance(Experiment):
    """Load imbalance of each round, in edges per thread (Sousa et al. 2015, Figure 6a).

    The paper distributes vertices to 2 to 40 threads, on the road network USA, and reports the average
    imbalance of the edges per thread, in percent, for the search of the lightest edges in each of 11
    rounds. It grows with the number of threads; the paper considers 5 % and more significant.

    Here nothing is timed, so that no such number of cores is needed: a backend records the search of
    csr-contraction, and the arcs of each of p equal ranges of vertices are counted in each round. The
    imbalance is the mean over threads of how far their arcs are from the mean, in percent of it; the
    largest excess, for which all others wait, stands beside it. For comparison, scheduling by edges is
    what csr-contraction does here: ranges of whole vertices with numbers of arcs as equal as possible.
    The paper's guided scheduling, which hands out ever smaller ranges, is not imitated. Besides USA
    there are NY, whose file is easier to get, and an R-MAT graph, which shows the effect of skewed
    degrees.
    """

    THREADS = range(2, 41)
    DRAWN = (2, 4, 8, 20, 40)
    SIGNIFICANT = 5.0

    name = "minho_load_imbalance"
    source = "Sousa et al. 2015, Figure 6a"
    networks = ("NY", "USA")
    columns = 2

    def specifications(self, setting: Setting) -> Sequence[str]:
        return (f"rmat:scale={setting.pick(20, 10)},weights=thousand,dtype=int32,seed=1",)

    def measure(self, setting: Setting) -> Findings:
        rows = []
        for title, make in self.cases(setting):
            setting.show(0, f"{title}: contracting")
            for number, begins in enumerate(begins_of_rounds(make()), 1):
                for count in self.THREADS:
                    row = {"graph": title, "round": number, "vertices": begins.size - 1}
                    row |= {"arcs": int(begins[-1]), "threads": count}
                    for way, arcs_by in (("vertex", arcs_by_vertex), ("edge", arcs_by_edge)):
                        arcs = arcs_by(begins, count)
                        row |= {f"by {way}, mean %": imbalance(arcs), f"by {way}, largest %": excess(arcs)}
                    rows.append(row)
        return Findings(
            {"threads": [self.THREADS[0], self.THREADS[-1]], "algorithm": BASELINE},
            {"imbalance": rows},
            remarks=(*self.remarks(setting), "counted, not timed: the number of cores does not matter"),
        )

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        rows = [{**row, "line": f"{row['threads']} threads"} for row in tables["imbalance"]]
        graphs = dict.fromkeys(row["graph"] for row in rows)
        return [
            Panel(
                "round",
                "imbalance, %",
                f"{graph.partition(':')[0]}, {way}",
                lines_of(
                    (row for row in rows if row["graph"] == graph and row["threads"] in self.DRAWN),
                    "line",
                    "round",
                    f"{way}, mean %",
                ),
                log="y",
                levels={f"{self.SIGNIFICANT:g} %": self.SIGNIFICANT},
                integers=True,
            )
            for graph in graphs
            for way in ("by vertex", "by edge")
        ]


class SearchRecorder:
    """A backend that records where the arcs of vertices begin in each search of lightest edges."""

    def __init__(self, backend: Backend):
        self._backend = backend
        self.begins: list[NDArray[np.uint64]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        """Record the rows, and run the operator."""
        if operator is csr_contraction.find_minimum:
            self.begins.append(begins.copy())
        self._backend.for_each_row(operator, begins, *arrays)


def begins_of_rounds(graph: Graph) -> list[NDArray[np.uint64]]:
    """Contract a graph, and return for each round where the arcs of its vertices begin."""
    recorder = SearchRecorder(get_backend("threads", 1))
    csr_contraction.solve(EdgeList.of(graph, False, recorder), recorder, RoundLog())
    return recorder.begins


def arcs_by_vertex(begins: NDArray[np.uint64], threads: int) -> NDArray[np.int64]:
    """Count the arcs of each thread if all threads have equally many vertices."""
    n = begins.size - 1
    bounds = begins[[n * part // threads for part in range(threads + 1)]].astype(np.int64)
    return bounds[1:] - bounds[:-1]


def arcs_by_edge(begins: NDArray[np.uint64], threads: int) -> NDArray[np.int64]:
    """Count the arcs of each thread if whole vertices are divided so that arcs are as equal as possible."""
    ends = begins.astype(np.int64)
    wanted = ends[-1] * np.arange(threads + 1) // threads
    after = np.searchsorted(ends, wanted).clip(0, ends.size - 1)
    before = (after - 1).clip(0)
    bounds = ends[np.where(ends[after] - wanted <= wanted - ends[before], after, before)]
    return bounds[1:] - bounds[:-1]


def imbalance(arcs: NDArray[np.int64]) -> float:
    """Return the mean deviation from the mean, in percent of the mean."""
    return float(100 * np.abs(arcs / arcs.mean() - 1).mean())


def excess(arcs: NDArray[np.int64]) -> float:
    """Return the excess of the largest number over the mean, in percent of the mean."""
    return float(100 * (arcs.max() / arcs.mean() - 1))


class CacheMisses(Experiment):
    """Misses of the last-level cache in each round (Sousa et al. 2015, Figure 6b).

    The paper counts with PAPI, on the road network USA with 1 to 40 threads, the rate of misses of the
    L3 cache in each round. With one thread it falls from round 4 on and stays low from round 7 on, when
    two graphs, that of the round and the next, fit the 25 MB of the cache; with more threads it stays
    high.

    Here: the same of csr-contraction, misses against references of the last-level cache as Linux counts
    them. If the kernel does not count them (virtual machines have no such counters as a rule), the
    result contains the reason, and nothing is drawn.
    """

    name = "minho_cache_misses"
    source = "Sousa et al. 2015, Figure 6b"
    networks = ("USA",)
    threads = (1, 2, 4, 8, 10, 20, 40)

    def measure(self, setting: Setting) -> Findings:
        rows: Rows = []
        events = CACHE_REFERENCES, CACHE_MISSES
        try:
            for event in events:
                with counting(event):
                    pass  # if it fails, then before a large graph is made
            for title, make in self.cases(setting):
                graph = make()
                for threads in setting.threads:
                    setting.show(0, f"{title}: threads {threads}")
                    counts = counts_by_round(graph, threads, events)
                    rows += [{"graph": title, "threads": threads, **row} for row in miss_rates(counts)]
            remarks = self.remarks(setting)
        except Unavailable as reason:
            remarks = (f"skipped: {reason}",)
        return Findings({"algorithm": BASELINE}, {"misses": rows}, remarks=remarks)

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        if not tables["misses"]:
            return []
        rows = [{**row, "network": row["graph"].partition(":")[0]} for row in tables["misses"]]
        lines = lines_of(rows, ("network", "threads"), "round", "rate %")
        return [Panel("round", "misses of the last-level cache, %", lines=lines, integers=True)]


def counts_by_round(graph: Graph, threads: int, events: tuple[Event, Event]) -> list[tuple[int, int]]:
    """Solve twice, and count two events in each round of the second solve."""
    backend = get_backend("threads", threads)
    edges = EdgeList.of(graph, False, backend)
    ALGORITHMS[BASELINE].run(edges, backend, RoundLog())
    marks: list[tuple[int, int]] = []
    with counting(events[0]) as read_first, counting(events[1]) as read_second:

        def mark(round_: Round | None = None) -> None:
            marks.append((read_first(), read_second()))

        ALGORITHMS[BASELINE].run(edges, backend, RoundLog(mark))
        mark()
    return [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(marks)]


def miss_rates(counts: list[tuple[int, int]]) -> Rows:
    """List references, misses and their rate by round."""
    return [
        {
            "round": number,
            "references": references,
            "misses": misses,
            "rate %": 100 * misses / references if references else None,
        }
        for number, (references, misses) in enumerate(counts, 1)
    ]


class Duplicates(Race):
    """Duplicate edges kept or removed in contraction (Sousa et al. 2015, section IV-B5).

    The paper does not remove duplicate edges between two supervertices, "as the benefit of doing this
    does not outweigh the incurred computational cost": its graphs are road networks. On others the
    contracted graph becomes dense, and every later round reads nearly all edges in few rows.

    Here: csr-contraction either way on a road network, and on a random and a Kronecker graph of 16
    edges a vertex, with the edges that each round reads.
    """

    name = "minho_duplicates"
    source = "Sousa et al. 2015, section IV-B5"
    networks = ("NE",)
    contestants = (
        Ours(BASELINE, "duplicates left in"),
        Ours(BASELINE, "duplicates removed", {"remove_duplicates": True}),
    )
    columns = 3

    def counts(self, setting: Setting) -> Sequence[int]:
        return setting.threads[-1:]

    def specifications(self, setting: Setting) -> Sequence[str]:
        scale = setting.pick(18, 9)
        return (
            f"random:n={2**scale},m={16 * 2**scale},seed=1",
            f"kronecker:scale={scale},edge_factor=16,seed=1",
        )

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows = []
        for graph in graphs:
            for entry in graph.entries:
                edges = [round_.edges for round_ in entry.rounds]
                row = {"graph": graph.name, "contestant": entry.contestant, "rounds": len(edges)}
                row |= {"all, in edges of the graph": sum(edges) / graph.m}
                rows.append({**row, "by round": " ".join(map(str, edges))})
        return {**super().tables(graphs, parameters), "edges looked at": rows}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        lines: dict[str, dict[str, Any]] = {}
        for row in tables["edges looked at"]:
            points = list(enumerate(map(int, row["by round"].split()), 1))
            lines.setdefault(row["graph"], {})[row["contestant"]] = points
        return [
            Panel("round", "edges", graph.partition(":")[0], by_contestant, log="y")
            for graph, by_contestant in lines.items()
        ]


EXPERIMENTS = (TimeByGraph(), Scaling(), LoadImbalance(), CacheMisses(), Duplicates())
