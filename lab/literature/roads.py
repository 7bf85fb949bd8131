"""Road networks of DIMACS challenge 9, or grids in their place.

A network is read from one of the given files, else from the folder ``roads`` in ``BORUVKA_DATA`` or
``../shared/data``. Without a file, a grid with about as many vertices and edges takes its place: as many of
its edges are left out at random as are missing in the network. It has the degrees and distances of roads,
but its vertices are in order, and it is not connected.
"""

from __future__ import annotations

import math
import os
import re
import tomllib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import boruvka
from boruvka import Graph
from boruvka.runtime.processors import memory_size
from lab.contestants.libraries import lightest_parallel_edges
from lab.harness.graphs import graph_of


class Network(NamedTuple):
    """Vertices and arcs (edges counted from both ends) of a network, from Table II of Sousa et al. 2015."""

    n: int
    arcs: int


TABLE_II = tomllib.loads(Path(__file__).with_name("literature.toml").read_text())["sousa_2015"][
    "minho_time_by_graph"
]["edges counted from both ends"]
NETWORKS = {name: Network(table["vertices"], table["edges"]) for name, table in TABLE_II.items()}
"""States and regions of the USA, Portugal (PT), and the whole USA."""
QUICK = 2_000
"""Networks of a quick run are smaller by this factor."""
BYTES_AN_EDGE = 350
"""Memory per edge that the contestant with most may need, the graph and the answers included."""


def roads_of(
    names: Sequence[str], paths: Sequence[Path], quick: bool = False, weights: str = "uniform"
) -> tuple[dict[str, Callable[[], Graph]], list[str]]:
    """List networks to run on.

    Parameters
    ----------
    names : sequence of str
        Keys of `NETWORKS`; networks in other files follow.
    paths : sequence of Path
        Files to read.
    quick : bool
        Read no other files, and make smaller grids.
    weights : str
        Kind of the weights of grids, see `boruvka.generators`.

    Returns
    -------
    roads : dict of str to callable
        Functions that make the graphs, by network and file or grid.
    remarks : list of str
        The networks that grids replace, and those that are left out as they do not fit into memory.
    """
    files = _files(paths, quick)
    roads: dict[str, Callable[[], Graph]] = {}
    grids, remarks = [], []
    for name in dict.fromkeys((*names, *map(_name, paths))):
        if name in names and (reason := too_large(NETWORKS[name].arcs // 2)):
            remarks.append(f"{name} left out: {reason}")
        elif name in files:
            roads[f"{name}: {files[name].name}"] = partial(read_roads, files[name])
        else:
            grid = grid_like(NETWORKS[name], QUICK if quick else 1, weights)
            roads[f"{name}-like: {grid}"] = partial(graph_of, grid)
            grids.append(name)
    if grids:
        remarks.insert(
            0,
            f"no files of these are used: {', '.join(grids)}; grids of about as many vertices and edges "
            "replace them, with edges left out, so that they are not connected",
        )
    return roads, remarks


def too_large(m: int) -> str:
    """Return why a graph of so many edges is left out; an empty text if it fits into memory."""
    needed = m * BYTES_AN_EDGE
    if needed <= memory_size():
        return ""
    return f"needs about {needed / 2**30:.0f} GiB of memory, there are {memory_size() / 2**30:.0f}"


def read_roads(path: Path) -> Graph:
    """Read a network in which a road is an arc from either end; it becomes one edge.

    Weights are kept in 32 bits if these hold them.
    """
    graph = boruvka.read(path)
    u, v, w = lightest_parallel_edges(graph)
    fits = w.dtype.kind == "i" and w.size > 0 and max(-int(w.min()), int(w.max())) < 2**31
    return Graph(graph.n, u, v, w.astype(np.int32) if fits else w)


def grid_like(network: Network, smaller: int = 1, weights: str = "uniform") -> str:
    """Specify a grid of about as many vertices and edges."""
    n, m = network.n // smaller, network.arcs // 2 // smaller
    rows = math.isqrt(n)
    cols = round(n / rows)
    drop = 1 - m / (rows * (cols - 1) + cols * (rows - 1))
    return f"grid:rows={rows},cols={cols},drop_probability={drop:.4f},weights={weights},dtype=int32,seed=1"


def _files(paths: Sequence[Path], quick: bool) -> dict[str, Path]:
    """Find files by network; a quick run reads only the given ones."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("BORUVKA_DATA", beside)) / "roads"
    found = {} if quick else {_name(path): path for path in sorted(folder.glob("USA-road-d.*.gr*"))}
    return {**found, **{_name(path): path for path in paths}}


def _name(path: Path) -> str:
    """Return the name of the network in a file: NY in USA-road-d.NY.gr.gz."""
    match = re.fullmatch(r"USA-road-[dt]\.(\w+)\.gr.*", path.name)
    return match[1] if match else path.name.partition(".")[0]
