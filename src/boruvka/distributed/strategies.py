"""The strategies: how a graph is distributed among ranks, and how components merge.

The docstring of each strategy's module or function states the bytes that a rank sends in a round;
`boruvka.distributed.communicator.Communicator` counts them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from boruvka.algorithms.registry import Registry
from boruvka.distributed.local_edges import LocalEdges
from boruvka.distributed.partitioned_components import PartitionedComponents
from boruvka.errors import OptionError

AUTO = "auto"
DEFAULT = "filter-boruvka"
REPLICATED_VERTICES = 1 << 28
"""Maximum number of vertices for which "auto" partitions edges: with more, every rank needs several
gigabytes."""
REPLICATED_RANKS = 16
"""Maximum number of ranks for which "auto" partitions edges: with more, the work on all vertices outweighs
that on edges."""


Runner: TypeAlias = Callable[[LocalEdges], PartitionedComponents | None]


class Strategy(NamedTuple):
    """A way to find a forest on ranks.

    Attributes
    ----------
    partition_by : str
        Data that is partitioned: "edges" or "vertices".
    method : str
        The method by which components merge.
    run : callable
        ``run(local)`` sets ``local.in_forest``. It returns the components if they are
        partitioned, and None if every rank can hold all vertices.
    source : str
        The publication.
    """

    partition_by: str
    method: str
    run: Runner
    source: str


STRATEGIES: Registry[tuple[str, str], Strategy] = Registry("boruvka.distributed")
"""The strategies by (partition_by, method)."""


def strategy(partition_by: str, method: str, source: str) -> Callable[[Runner], Runner]:
    """Decorate the function that runs a strategy: enter it in `STRATEGIES` (see `Strategy`)."""

    def enter(run: Runner) -> Runner:
        STRATEGIES.enter((partition_by, method), Strategy(partition_by, method, run, source))
        return run

    return enter


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
