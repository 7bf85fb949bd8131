"""Road networks of DIMACS challenge 9, or grids in their place.

A network is looked for among the files that were asked for, then in the folder named by ``BORUVKA_DATA``,
else in ``../shared/data``. Where there is no file, a grid with about as many vertices and edges takes its
place: of its edges as many are left out at random as are missing in the network. It has the degrees and
distances of roads, but its vertices are in order, and it falls into components.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import boruvka
from boruvka.bench.graphs import graph_of
from boruvka.errors import OptionError
from boruvka.graph.graph import Graph
from experiments.common.experiment import Setting
from experiments.common.race import too_large

__all__ = ["NETWORKS", "Network", "Road", "grid_like", "read_roads", "remarks_on", "roads_of"]


@dataclass(frozen=True)
class Network:
    """A network as Table II of document 1 lists it; arcs are edges counted from both ends."""

    name: str
    title: str
    n: int
    arcs: int


NETWORKS = {
    network.name: network
    for network in (
        Network("NY", "New York City", 264_346, 733_846),
        Network("BAY", "San Francisco Bay Area", 321_270, 800_172),
        Network("COL", "Colorado", 435_666, 1_057_066),
        Network("FLA", "Florida", 1_070_376, 2_712_798),
        Network("NW", "Northwest USA", 1_207_945, 2_840_208),
        Network("NE", "Northeast USA", 1_524_453, 3_897_636),
        Network("CAL", "California and Nevada", 1_890_815, 4_657_742),
        Network("LKS", "Great Lakes", 2_758_119, 6_885_658),
        Network("E", "Eastern USA", 3_598_623, 8_778_114),
        Network("W", "Western USA", 6_262_104, 15_248_146),
        Network("PT", "Full Portugal", 9_196_206, 20_127_796),
        Network("CTR", "Central USA", 14_081_816, 34_292_496),
        Network("USA", "Full USA", 23_947_347, 58_333_344),
    )
}
QUICK = 2_000
"""In a quick run networks are smaller by this."""
GRIDS = (
    "grids of about as many vertices and edges, from which edges are left out, so that they fall into parts"
)


@dataclass(frozen=True)
class Road:
    """A network to run on.

    Attributes
    ----------
    name : str
        Which network it is, or is in the place of.
    title : str
        The name, and the file or the grid.
    graph : Graph
    is_grid : bool
        Whether a grid takes its place.
    """

    name: str
    title: str
    graph: Graph
    is_grid: bool


def roads_of(names: Sequence[str], setting: Setting, weights: str = "uniform") -> Iterator[Road]:
    """Read or make networks, one after the other.

    Parameters
    ----------
    names : sequence of str
        Of `NETWORKS`; files of other networks that were asked for come after these.
    setting : Setting
    weights : str
        Kind of the weights of grids, see `boruvka.generators`.

    Yields
    ------
    Road
        Networks that do not fit into memory are passed over, see `left_out`.

    Raises
    ------
    OptionError
        Two files are of one network.
    """
    files = _files(setting)
    for name in dict.fromkeys((*names, *(_name(path) for path in setting.roads))):
        if name not in left_out(names):
            setting.show(0, f"{name}: making the graph")
            if name in files:
                yield Road(name, f"{name}: {files[name].name}", read_roads(files[name]), False)
            else:
                specification = grid_like(NETWORKS[name], QUICK if setting.quick else 1, weights)
                yield Road(name, f"{name}-like: {specification}", graph_of(specification), True)


def left_out(names: Sequence[str]) -> dict[str, str]:
    """Say which networks do not fit into the memory of this machine, and why."""
    reasons = {name: too_large(NETWORKS[name].arcs // 2) for name in names}
    return {name: reason for name, reason in reasons.items() if reason}


def remarks_on(roads: Sequence[Road], names: Sequence[str]) -> tuple[str, ...]:
    """Say in whose place grids are, and who was left out."""
    grids = [road.name for road in roads if road.is_grid]
    remarks = [f"{name} left out: {reason}" for name, reason in left_out(names).items()]
    if grids:
        remarks.insert(0, f"no files of these are used: {', '.join(grids)}; in their place are {GRIDS}")
    return tuple(remarks)


def read_roads(path: Path) -> Graph:
    """Read a network in which a road is an arc from either end; it becomes one edge.

    Weights are kept in 32 bits where these hold them.
    """
    graph = boruvka.read(path)
    low, high = np.minimum(graph.u, graph.v), np.maximum(graph.u, graph.v)
    order = np.lexsort((graph.w, high, low))
    low, high, w = low[order], high[order], graph.w[order]
    new = np.ones(w.size, bool)
    new[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1]) | (w[1:] != w[:-1])
    fits = w.dtype.kind == "i" and w.size > 0 and max(-int(w.min()), int(w.max())) < 2**31
    return Graph(graph.n, low[new], high[new], w[new].astype(np.int32 if fits else w.dtype))


def grid_like(network: Network, smaller: int = 1, weights: str = "uniform") -> str:
    """Specify a grid of about as many vertices and edges."""
    n, m = network.n // smaller, network.arcs // 2 // smaller
    rows = math.isqrt(n)
    cols = round(n / rows)
    drop = 1 - m / (rows * (cols - 1) + cols * (rows - 1))
    return f"grid:rows={rows},cols={cols},drop={drop:.4f},weights={weights},dtype=int32,seed=1"


def _files(setting: Setting) -> dict[str, Path]:
    """Find files by network; those in the folder of data are not for a quick run."""
    files: dict[str, Path] = {}
    for path in setting.roads:
        if _name(path) in files:
            raise OptionError(f"--road: {path} and {files[_name(path)]} are both of {_name(path)}")
        files[_name(path)] = path
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("BORUVKA_DATA", beside)) / "roads"
    found = {} if setting.quick else {_name(path): path for path in sorted(folder.glob("USA-road-d.*.gr*"))}
    return {**found, **files}


def _name(path: Path) -> str:
    """Name the network in a file: NY in USA-road-d.NY.gr.gz."""
    match = re.fullmatch(r"USA-road-[dt]\.(\w+)\.gr.*", path.name)
    return match[1] if match else path.name.partition(".")[0]
