"""V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, HPG 2009: scan and split on a GPU.

Fast Minimum Spanning Tree for Large Graphs on the GPU, IIIT Hyderabad.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from boruvka.bench.contestants import Ours
from boruvka.bench.results import GraphResult
from experiments.common.experiment import Race, Setting
from experiments.common.panels import Panel
from experiments.common.tables import MS, Rows, Tables, lines_of, ms_where, times_of

THEIRS = "scan-split"
STANDS_FOR = {"kruskal": "CPU", "colour-contraction": "GPU1", THEIRS: "theirs", "auto": "ours"}
"""Our algorithms, and the implementations that they stand for."""
CONTESTANTS = tuple(Ours(name, name, parallel=name != "kruskal") for name in STANDS_FOR)


class ManyThreads(Race):
    """A race of stand-ins on as many threads as there are processors."""

    contestants = CONTESTANTS

    def counts(self, setting: Setting) -> Sequence[int]:
        return setting.threads[-1:]

    def parameters(self, setting: Setting, graphs: Sequence[GraphResult]) -> dict[str, Any]:
        return {"in whose place": STANDS_FOR}


class GraphFamilies(ManyThreads):
    """Random, R-MAT and SSCA#2 graphs by vertices and by degree (Vineet et al. 2009, Figure 13 a to f).

    The paper solves graphs of three families, by number of vertices and, with 1M vertices, by average
    degree from 6 to 30, weights 1 to 1K. It compares Boost on a CPU, its earlier GPU version (Harish et
    al. 2009, in the figure GPU1), and its own on a quarter of a Tesla S1070. It reports that its own is
    30 to 50 times as fast as the CPU, 2 to 3 times as fast as GPU1 on random and SSCA#2 graphs, and 8
    to 10 times on R-MAT.

    Here: kruskal for the CPU, on one thread; colour-contraction for GPU1; scan-split for its own; and
    our default, on as many threads as there are processors. Degree is the number of edges per vertex,
    as in its 5M vertices and 30M edges. That of SSCA#2 graphs follows from the size of cliques, so that
    it is not exact. All numbers of vertices are powers of two.
    """

    DEGREES = (6, 12, 18, 24, 30)
    FAMILIES = ("random", "rmat", "ssca2")

    name = "iiit_graph_families"
    source = "Vineet et al. 2009, Figure 13 a to f"
    columns = 2

    def grid(self, setting: Setting) -> dict[str, list[str]]:
        """List the graphs of each panel."""
        scales = setting.pick((18, 19, 20, 21, 22), (8, 9))
        middle, degrees = setting.pick((20, self.DEGREES), (8, (6, 12)))
        return {
            f"{family} by {what}": [specification(family, *shape) for shape in shapes]
            for family in self.FAMILIES
            for what, shapes in (
                ("vertices", [(scale, 6) for scale in scales]),
                ("degree", [(middle, degree) for degree in degrees]),
            )
        }

    def specifications(self, setting: Setting) -> Sequence[str]:
        return list(dict.fromkeys(name for names in self.grid(setting).values() for name in names))

    def parameters(self, setting: Setting, graphs: Sequence[GraphResult]) -> dict[str, Any]:
        return {**super().parameters(setting, graphs), "panels": self.grid(setting)}

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        times = times_of(graphs)
        ratios = (
            times.with_columns(MS / ms_where(THEIRS))
            .with_columns((pl.col("edges") / pl.col("vertices")).alias("edges for each vertex"))
            .pivot("contestant", index=["graph", "edges for each vertex"], values="ms")
        )
        return {"times": times.to_dicts(), f"times as long as {THEIRS}": ratios.to_dicts()}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        rows = [{**row, "degree": row["edges"] / row["vertices"]} for row in tables["times"]]
        panels = []
        for title, names in parameters["panels"].items():
            x, log = ("vertices", "xy") if title.endswith("vertices") else ("degree", "y")
            lines = lines_of((row for row in rows if row["graph"] in names), "contestant", x, "ms")
            label = "vertices" if x == "vertices" else "edges for each vertex"
            panels.append(Panel(label, "milliseconds", title, lines, log=log))
        return panels


def specification(family: str, scale: int, degree: int) -> str:
    """Specify a graph of 2**scale vertices with about ``degree`` edges per vertex."""
    shape = {
        "random": f"n={2**scale},m={degree * 2**scale}",
        "rmat": f"scale={scale},m={degree * 2**scale}",
        "ssca2": f"scale={scale},max_clique={clique_for(degree)}",
    }[family]
    return f"{family}:{shape},weights=thousand,dtype=int32,seed=1"


def clique_for(degree: int) -> int:
    """Choose the largest clique so that SSCA#2 graphs have about ``degree`` edges per vertex.

    A vertex has (c - 1) / 3 pairs in its clique, one pair with others, and two edges a pair on average.
    """
    return round(3 * (degree / 2 - 1)) + 1


class RoadNetworks(ManyThreads):
    """Road networks of DIMACS challenge 9 (Vineet et al. 2009, Table 1).

    The paper solves ten road networks, weights brought into 1 to 1K, with Boost on a CPU, with its
    earlier GPU version (Harish et al. 2009, in the table GPU1), and with its own on a quarter of a
    Tesla S1070.

    Here: kruskal for the CPU, on one thread; colour-contraction for GPU1; scan-split for its own; and
    our default, on as many threads as there are processors. Weights of networks are as they are.
    """

    name = "iiit_road_networks"
    source = "Vineet et al. 2009, Table 1"
    networks = ("NY", "BAY", "COL", "FLA", "NW", "NE", "CAL", "LKS", "E", "W")
    quick_networks = ("NY", "LKS")
    road_weights = "thousand"

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows: Rows = []
        for graph in graphs:
            network = graph.name.partition(":")[0].removesuffix("-like")
            reported = self.reported["table 1, ms"].get(network, {})
            row: dict[str, Any] = {"graph": graph.name, "vertices": graph.n, "edges": graph.m}
            row |= {f"{version}, reported ms": reported.get(version) for version in ("CPU", "GPU1", "theirs")}
            rows.append(row | {f"{e.contestant} ms": e.seconds and 1e3 * e.seconds for e in graph.entries})
        return {"table 1": rows, **super().tables(graphs, parameters)}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        rows = tables["table 1"]
        lines = {
            column.removesuffix(" ms"): [(row["edges"], row[column]) for row in rows if row[column]]
            for column in rows[0]
            if column.endswith(" ms")
        }
        return [Panel("edges", "milliseconds", lines=lines, log="xy")]


class FiveMillion(Race):
    """5M vertices and 30M edges in one run (Vineet et al. 2009, abstract).

    The paper solves a graph of 5 million vertices and 30 million edges in under 1 second on a quarter
    of a Tesla S1070, weights 1 to 1K.

    Here: the same size of random graph, its own algorithm (scan-split) and our default, with one thread
    and with all.
    """

    name = "iiit_five_million"
    source = "Vineet et al. 2009, abstract"
    threads = (1,)
    contestants = CONTESTANTS[2:]

    def specifications(self, setting: Setting) -> Sequence[str]:
        n, m = setting.pick((5_000_000, 30_000_000), (5_000, 30_000))
        return (f"random:n={n},m={m},weights=thousand,dtype=int32,seed=1",)

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        lines = lines_of(tables["times"], "contestant", "threads", "ms")
        levels = {"less than this in the paper, on a GPU": 1000.0}
        ticks = parameters["threads"]
        return [Panel("threads", "milliseconds", lines=lines, log="y", levels=levels, ticks=ticks)]


EXPERIMENTS = (GraphFamilies(), RoadNetworks(), FiveMillion())
