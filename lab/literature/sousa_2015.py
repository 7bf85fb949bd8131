"""C. da Silva Sousa, A. Mariano, A. Proença, PDP 2015: contraction of compressed sparse rows.

A Generic and Highly Efficient Parallel Variant of Borůvka's Algorithm, University of Minho.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka import Graph
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature import sousa_2015
from boruvka.algorithms.registry import ALGORITHMS
from boruvka.backends import get_backend
from boruvka.backends.primitives import Operator
from boruvka.backends.threads import Threads
from boruvka.runtime.round_log import Round, RoundLog
from lab.contestants.ours import Ours
from lab.harness.command import show
from lab.harness.figures import Figure
from lab.harness.results import GraphResult, Rows, Tables, times_of
from lab.harness.tables import ratio
from lab.literature.counters import CACHE_MISSES, CACHE_REFERENCES, Event, Unavailable, counting
from lab.literature.experiment import Experiment, Findings, Race, Setting
from lab.literature.roads import NETWORKS

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
    figures = (Figure("times", "edges", by=("contestant", "threads"), log="xy"),)
    networks = tuple(NETWORKS)
    quick_networks = ("NY", "FLA", "E")
    threads = (1,)
    contestants = CONTESTANTS


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
    figures = (Figure("times", "threads", per="graph"),)
    networks = ("NY", "NE", "PT", "USA")
    threads = (1, 2, 4, 6, 8, 10, 20, 40)
    contestants = CONTESTANTS

    def counts(self, setting: Setting) -> Sequence[int]:
        return sorted({1, *setting.threads})

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows = times_of(graphs)
        first = {(row["graph"], row["contestant"]): row["ms"] for row in rows if row["threads"] == 1}
        for row in rows:
            speedup = ratio(first[row["graph"], row["contestant"]], row["ms"])
            row["speed-up"] = speedup
            row["efficiency %"] = None if speedup is None else 100 * speedup / row["threads"]
            row[f"against {BASELINE}, 1 thread"] = ratio(first[row["graph"], BASELINE], row["ms"])
        return {"times": rows}


class LoadImbalance(Experiment):
    """Load imbalance of each round, in edges per thread (Sousa et al. 2015, Figure 6a).

    The paper distributes vertices to 2 to 40 threads, on the road network USA, and reports the average
    imbalance of the edges per thread, in percent, for the search of the lightest edges in each of 11
    rounds. It grows with the number of threads; the paper considers 5 % and more significant.

    Here nothing is timed, so that no such number of cores is needed: a backend records the search of
    csr-contraction, and the arcs of each of p equal ranges of vertices are counted in each round. The
    imbalance is the mean over threads of how far their arcs are from the mean, in percent of it. For
    comparison, scheduling by edges is what csr-contraction does here: ranges of whole vertices with
    numbers of arcs as equal as possible. The paper's guided scheduling, which hands out ever smaller
    ranges, is not imitated. Besides USA there are NY, whose file is easier to get, and an R-MAT graph,
    which shows the effect of skewed degrees.
    """

    THREADS = (2, 4, 8, 10, 20, 40)

    name = "minho_load_imbalance"
    source = "Sousa et al. 2015, Figure 6a"
    figures = (
        Figure(
            "imbalance",
            "round",
            ("by vertex, mean %", "by edge, mean %"),
            by="threads",
            per="graph",
            levels={"5 %, significant for the paper": 5.0},
        ),
    )
    networks = ("NY", "USA")

    def specifications(self, setting: Setting) -> Sequence[str]:
        return (f"rmat:scale={setting.pick(20, 10)},weights=integers_1000,dtype=int32,seed=1",)

    def measure(self, setting: Setting) -> Findings:
        rows = []
        for title, make in self.cases(setting):
            show(f"{title}: contracting")
            for number, begins in enumerate(begins_of_rounds(make()), 1):
                for count in self.THREADS:
                    row = {"graph": title, "round": number, "vertices": begins.size - 1}
                    row |= {"arcs": int(begins[-1]), "threads": count}
                    for way, arcs_by in (("vertex", arcs_by_vertex), ("edge", arcs_by_edge)):
                        row[f"by {way}, mean %"] = imbalance(arcs_by(begins, count))
                    rows.append(row)
        remarks = (*self.remarks(setting), "counted, not timed: the number of cores does not matter")
        return Findings({"imbalance": rows}, {"algorithm": BASELINE}, remarks)


class SearchRecorder(Threads):
    """A backend that records where the arcs of vertices begin in each search of lightest edges."""

    def __init__(self) -> None:
        super().__init__(1)
        self.begins: list[NDArray[np.uint64]] = []

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        """Record the rows, and run the operator."""
        if operator is sousa_2015.find_lightest_arc:
            self.begins.append(begins.copy())
        super().for_each_row(operator, begins, *arrays)


def begins_of_rounds(graph: Graph) -> list[NDArray[np.uint64]]:
    """Contract a graph, and return for each round where the arcs of its vertices begin."""
    recorder = SearchRecorder()
    sousa_2015.csr_contraction(EdgeList.of(graph, False, recorder), recorder, RoundLog())
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


class CacheMisses(Experiment):
    """Misses of the last-level cache in each round (Sousa et al. 2015, Figure 6b).

    The paper counts with PAPI, on the road network USA with 1 to 40 threads, the rate of misses of the
    L3 cache in each round. With one thread it falls after round 3 and stays low after round 6, when two
    graphs, that of the round and the next, fit the 25 MB of the cache. With more threads it stays high.

    Here: the same of csr-contraction, misses against references of the last-level cache as Linux counts
    them. If the kernel does not count them (virtual machines have no such counters as a rule), the
    result contains the reason, and nothing is drawn.
    """

    name = "minho_cache_misses"
    source = "Sousa et al. 2015, Figure 6b"
    figures = (Figure("misses", "round", "rate %", by=("graph", "threads"), log=""),)
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
                    show(f"{title}: threads {threads}")
                    counts = counts_by_round(graph, threads, events)
                    rows += [{"graph": title, "threads": threads, **row} for row in miss_rates(counts)]
            remarks = tuple(self.remarks(setting))
        except Unavailable as reason:
            remarks = (f"skipped: {reason}",)
        return Findings({"misses": rows}, {"algorithm": BASELINE}, remarks)


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
    figures = (Figure("rounds", "round", "edges", per="graph"),)
    networks = ("NE",)
    contestants = (
        Ours(BASELINE, "duplicates left in"),
        Ours(BASELINE, "duplicates removed", {"remove_duplicates": True}),
    )

    def counts(self, setting: Setting) -> Sequence[int]:
        return setting.threads[-1:]

    def specifications(self, setting: Setting) -> Sequence[str]:
        scale = setting.pick(18, 9)
        return (
            f"random:n={2**scale},m={16 * 2**scale},seed=1",
            f"kronecker:scale={scale},edge_factor=16,seed=1",
        )

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        times = times_of(graphs)
        rounds: Rows = []
        entries = [(graph, entry) for graph in graphs for entry in graph.entries]
        for row, (graph, entry) in zip(times, entries, strict=True):
            edges = [round_.edges for round_ in entry.rounds]
            row["edges looked at, in edges of the graph"] = sum(edges) / graph.m
            named = {"graph": graph.name, "contestant": entry.contestant}
            rounds += [{**named, "round": k, "edges": count} for k, count in enumerate(edges, 1)]
        return {"times": times, "rounds": rounds}


EXPERIMENTS = (TimeByGraph(), Scaling(), LoadImbalance(), CacheMisses(), Duplicates())
