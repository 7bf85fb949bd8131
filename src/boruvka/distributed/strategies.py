"""The strategies: how a graph is distributed among ranks, and how components merge.

The docstring of each strategy's module or function states the bytes that a rank sends in a round;
`boruvka.distributed.communicator.Communicator` counts them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from boruvka.backends import Backend
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.local_edges import LocalEdges
from boruvka.distributed.partitioned_components import PartitionedComponents
from boruvka.errors import OptionError

__all__ = ["STRATEGIES", "Strategy", "strategy_for"]

AUTO = "auto"
DEFAULT = "filter-boruvka"
REPLICATED_VERTICES = 1 << 28
"""Maximum number of vertices for which "auto" partitions edges: with more, every rank needs several
gigabytes."""
REPLICATED_RANKS = 16
"""Maximum number of ranks for which "auto" partitions edges: with more, the work on all vertices outweighs
that on edges."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to find a forest on ranks.

    Attributes
    ----------
    partition_by : str
        Data that is partitioned: "edges" or "vertices".
    method : str
        The method by which components merge.
    function : str
        The function in this package that runs it, imported when it is needed.
    source : str
        The publication.
    """

    partition_by: str
    method: str
    function: str
    source: str

    @property
    def run(self) -> Callable[[LocalEdges, Communicator, Backend], PartitionedComponents | None]:
        """The function that runs it.

        ``run(local, communicator, backend)`` sets ``local.in_forest``. It returns the components if they are
        partitioned, and None if every rank can hold all vertices.
        """
        module, _, name = self.function.rpartition(".")
        return getattr(importlib.import_module(f"boruvka.{module}"), name)


_ETH = "Anzalone, Marti, Kamm, Hannesdóttir, Hrabec, ETH Zürich"
_FILTER = "filter: Osipov, Sanders, Singler 2009; on ranks: Sanders, Schimek 2023"
_SUPERVERTEX = f"Chung, Condon 1996; {_ETH}"

STRATEGIES = {
    (strategy.partition_by, strategy.method): strategy
    for strategy in (
        Strategy("edges", DEFAULT, "distributed.filter_boruvka.by_edges", _FILTER),
        Strategy("edges", "union-find", "distributed.anzalone.edges_union_find", _ETH),
        Strategy("edges", "union-find-reduced", "distributed.anzalone.edges_union_find_reduced", _ETH),
        Strategy("edges", "pointer-jumping", "distributed.anzalone.edges_pointer_jumping", _ETH),
        Strategy("vertices", DEFAULT, "distributed.filter_boruvka.by_vertices", _FILTER),
        Strategy("vertices", "union-find", "distributed.anzalone.vertices_union_find", _ETH),
        Strategy("vertices", "iterative", "distributed.anzalone.vertices_iterative", _ETH),
        Strategy("vertices", "pointer-jumping", "distributed.anzalone.vertices_pointer_jumping", _ETH),
        Strategy("vertices", "supervertex", "distributed.anzalone.vertices_supervertex", _SUPERVERTEX),
    )
}
"""The strategies by (partition_by, method)."""


def strategy_for(partition_by: str, method: str, n: int, ranks: int) -> Strategy:
    """Return a strategy by its two names; "auto" distributes edges on few ranks with few vertices.

    Raises
    ------
    OptionError
        There is no such strategy.
    """
    if partition_by == AUTO:
        few = n <= REPLICATED_VERTICES and ranks <= REPLICATED_RANKS
        partition_by = "edges" if few else "vertices"
    if method == AUTO:
        method = DEFAULT
    try:
        return STRATEGIES[partition_by, method]
    except KeyError:
        known = "; ".join(
            f"{kind}: {', '.join(name for other, name in STRATEGIES if other == kind)}"
            for kind in ("edges", "vertices")
        )
        raise OptionError(f"there is no strategy {method!r} by {partition_by!r}; there are {known}") from None
