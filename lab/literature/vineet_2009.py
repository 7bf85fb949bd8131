"""V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, HPG 2009: scan and split on a GPU.

Fast Minimum Spanning Tree for Large Graphs on the GPU, IIIT Hyderabad.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lab.contestants.ours import Ours
from lab.harness.figures import Figure
from lab.harness.results import GraphResult, Tables, times_of
from lab.harness.tables import ratio
from lab.literature.experiment import Race, Setting

THEIRS = "scan-split"
STANDS_FOR = {"kruskal": "CPU", "colour-contraction": "GPU1", THEIRS: "theirs", "auto": "ours"}
"""Our algorithms, and the implementations that they stand for."""
CONTESTANTS = tuple(Ours(name, name, parallel=name != "kruskal") for name in STANDS_FOR)


class ManyThreads(Race):
    """A race of stand-ins on as many threads as there are processors."""

    contestants = CONTESTANTS

    def counts(self, setting: Setting) -> Sequence[int]:
        return setting.threads[-1:]

    def parameters(self, setting: Setting) -> dict[str, Any]:
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
    figures = (
        Figure("by vertices", "vertices", per="family", log="xy"),
        Figure("by degree", "edges a vertex", per="family"),
    )

    def shapes(self, setting: Setting) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """List the scales and degrees of the graphs by number of vertices, and of those by degree."""
        scales = setting.pick((18, 19, 20, 21, 22), (8, 9))
        middle, degrees = setting.pick((20, self.DEGREES), (8, (6, 12)))
        return [(scale, 6) for scale in scales], [(middle, degree) for degree in degrees]

    def specifications(self, setting: Setting) -> Sequence[str]:
        by_vertices, by_degree = self.shapes(setting)
        shapes = dict.fromkeys(by_vertices + by_degree)
        return [specification(family, *shape) for family in self.FAMILIES for shape in shapes]

    def parameters(self, setting: Setting) -> dict[str, Any]:
        groups = (
            [specification(family, *shape) for family in self.FAMILIES for shape in shapes]
            for shapes in self.shapes(setting)
        )
        return {**super().parameters(setting), **dict(zip(("by vertices", "by degree"), groups, strict=True))}

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows = times_of(graphs)
        theirs = {row["graph"]: row["ms"] for row in rows if row["contestant"] == THEIRS}
        for row in rows:
            row["family"] = row["graph"].partition(":")[0]
            row["edges a vertex"] = ratio(row["edges"], row["vertices"])
            row[f"times {THEIRS}"] = ratio(row["ms"], theirs[row["graph"]])
        return {
            name: [row for row in rows if row["graph"] in parameters[name]]
            for name in ("by vertices", "by degree")
        }


def specification(family: str, scale: int, degree: int) -> str:
    """Specify a graph of 2**scale vertices with about ``degree`` edges per vertex."""
    shape = {
        "random": f"n={2**scale},m={degree * 2**scale}",
        "rmat": f"scale={scale},m={degree * 2**scale}",
        "ssca2": f"scale={scale},max_clique={clique_for(degree)}",
    }[family]
    return f"{family}:{shape},weights=integers_1000,dtype=int32,seed=1"


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
    figures = (Figure("times", "edges", log="xy"),)
    networks = ("NY", "BAY", "COL", "FLA", "NW", "NE", "CAL", "LKS", "E", "W")
    quick_networks = ("NY", "LKS")
    road_weights = "integers_1000"

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows = times_of(graphs)
        for row in rows:
            network = row["graph"].partition(":")[0].removesuffix("-like")
            reported = self.reported["table 1, ms"].get(network, {})
            row |= {f"{version}, reported ms": reported.get(version) for version in ("CPU", "GPU1", "theirs")}
        return {"times": rows}


class FiveMillion(Race):
    """5M vertices and 30M edges in one run (Vineet et al. 2009, abstract).

    The paper solves a graph of 5 million vertices and 30 million edges in under 1 second on a quarter
    of a Tesla S1070, weights 1 to 1K.

    Here: the same size of random graph, its own algorithm (scan-split) and our default, with one thread
    and with all.
    """

    name = "iiit_five_million"
    source = "Vineet et al. 2009, abstract"
    figures = (Figure("times", "threads", levels={"less than this in the paper, on a GPU": 1000.0}),)
    threads = (1,)
    contestants = CONTESTANTS[2:]

    def specifications(self, setting: Setting) -> Sequence[str]:
        n, m = setting.pick((5_000_000, 30_000_000), (5_000, 30_000))
        return (f"random:n={n},m={m},weights=integers_1000,dtype=int32,seed=1",)


EXPERIMENTS = (GraphFamilies(), RoadNetworks(), FiveMillion())
