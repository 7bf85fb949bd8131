"""The result on ranks: each rank has its part of the forest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.communicator import Communicator
from boruvka.formats.edge_table import EdgeTable
from boruvka.graph.columns import HasColumns
from boruvka.graph.graph import Graph
from boruvka.runtime.round_log import Round


@dataclass(frozen=True, eq=False, repr=False)
class ForestPart(HasColumns):
    """A rank's part of a minimum (or maximum) spanning forest.

    Attributes
    ----------
    n, m : int
        Vertices and edges of the whole graph.
    forest_size : int
        Edges of the whole forest.
    local_indices : (f,) array of int64
        Local indices, ascending: positions of this rank's forest edges in the edges that it passed.
    global_indices : (f,) array of int64
        Their indices in the whole graph.
    weight : int or float
        Total weight of the whole forest: an exact int; for floats the float64 nearest to the exact sum.
    graph : Graph
        The edges of this rank, ordered by their indices.
    positions : (f,) array of int64
        The positions of ``local_indices`` in ``graph``.
    labels : (k,) array of int64 or None
        The components of the vertices in ``label_vertices``, numbered as in `boruvka.Forest.labels`.
    maximum : bool
        Whether it is a maximum spanning forest.
    partition_by, method : str
        The strategy that found it.
    ranks, threads : int
        The number of ranks, and the number of threads that this rank may use.
    rounds : tuple of Round
        The rounds, the same on all ranks. Edges are summed over ranks; components, seconds of each step, and
        bytes and messages sent are maxima over ranks.
    seconds : float
        Time of the computation after all ranks have agreed on the graph.
    """

    n: int
    m: int
    forest_size: int
    local_indices: NDArray[np.int64]
    global_indices: NDArray[np.int64]
    weight: int | float
    graph: Graph
    positions: NDArray[np.int64]
    labels: NDArray[np.int64] | None = None
    maximum: bool = False
    partition_by: str = ""
    method: str = ""
    ranks: int = 1
    threads: int = 1
    rounds: tuple[Round, ...] = ()
    seconds: float = 0.0

    @cached_property
    def _columns(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        return self.graph.take(self.positions)

    @property
    def n_components(self) -> int:
        """Number of components (trees) of the whole forest, with isolated vertices."""
        return self.n - self.forest_size

    def __len__(self) -> int:
        return self.local_indices.size

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        from boruvka.runtime.html import fields_table, rounds_fields, text

        solver = f"{self.method} by {self.partition_by}, {self.ranks} ranks, {self.seconds:.3f} s"
        rows = [
            ("vertices", f"{self.n:,}"),
            ("edges here", f"{len(self):,}"),
            ("edges of all ranks", f"{self.forest_size:,} of {self.m:,}"),
            ("components", f"{self.n_components:,}"),
            ("weight", text(self.weight)),
            ("solver", text(solver)),
        ]
        return fields_table("Part of a spanning forest", [*rows, *rounds_fields(self.rounds)])

    def __repr__(self) -> str:
        return (
            f"ForestPart(edges={self.local_indices.size} of {self.forest_size}, n={self.n}, "
            f"components={self.n_components}, weight={self.weight})"
        )


def gather_forest(communicator: Communicator, part: ForestPart, graph: Graph) -> EdgeTable:
    """Collect the forest on rank 0, its edges in the order of the input; other ranks get no edges.

    ``graph`` is what rank 0 passed to the solve, which has the names of vertices and the first id.
    """
    columns = communicator.gather((part.u, part.v, part.w, part.global_indices), 0)
    order = np.argsort(columns[-1])
    u, v, w, edges = (column[order] for column in columns)
    return EdgeTable(part.n, u, v, w, edges, graph.names, first_id=graph.first_id)
