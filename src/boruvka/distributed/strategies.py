"""The ways to deal a graph to ranks and to merge components: the default ones, and those of document 5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boruvka.backends import Backend
from boruvka.distributed import by_edges, by_vertices, filter_boruvka
from boruvka.distributed.communicator import World
from boruvka.distributed.local_edges import Share
from boruvka.distributed.partitioned_components import Dealt
from boruvka.errors import OptionError

__all__ = ["STRATEGIES", "Strategy", "strategy_for"]

AUTO = "auto"
DEFAULT = "filter-boruvka"
MOST_REPLICATED = 1 << 28
"""Vertices: with more, arrays for all of them take more than some gigabytes on every rank."""
MOST_RANKS = 16
"""Ranks: on more, what every rank does and sends for all vertices outweighs its part of the edges."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to find a forest on ranks.

    Attributes
    ----------
    distribute : str
        What is dealt: edges or vertices.
    merge : str
        How components merge.
    run : callable
        ``run(share, world, backend)`` puts edges into the forest, ``share.in_forest``; returns what knows
        the roots of vertices, unless every rank could hold them all.
    source : str
        Where it comes from.
    """

    distribute: str
    merge: str
    run: Callable[[Share, World, Backend], Dealt | None]
    source: str


_ETH = "Anzalone, Marti, Kamm, Hannesdóttir, Hrabec, ETH Zürich (document 5)"
_FILTER = "filter: Osipov, Sanders, Singler 2009; on ranks: Sanders, Schimek 2023"
_SUPERVERTEX = "Chung, Condon 1996; ETH Zürich (document 5)"

STRATEGIES = {
    (strategy.distribute, strategy.merge): strategy
    for strategy in (
        Strategy("edges", DEFAULT, filter_boruvka.by_edges, _FILTER),
        Strategy("edges", "union-find", by_edges.union_find, _ETH),
        Strategy("edges", "union-find-reduced", by_edges.union_find_reduced, _ETH),
        Strategy("edges", "pointer-jumping", by_edges.pointer_jumping, _ETH),
        Strategy("vertices", DEFAULT, filter_boruvka.by_vertices, _FILTER),
        Strategy("vertices", "union-find", by_vertices.union_find, _ETH),
        Strategy("vertices", "iterative", by_vertices.iterative, _ETH),
        Strategy("vertices", "pointer-jumping", by_vertices.pointer_jumping, _ETH),
        Strategy("vertices", "supervertex", by_vertices.supervertex, _SUPERVERTEX),
    )
}


def strategy_for(distribute: str, merge: str, n: int, ranks: int) -> Strategy:
    """Get a strategy by its two names; "auto" deals edges while few ranks hold n vertices each.

    Raises
    ------
    OptionError
        There is no such strategy.
    """
    if distribute == AUTO:
        distribute = "edges" if n <= MOST_REPLICATED and ranks <= MOST_RANKS else "vertices"
    if merge == AUTO:
        merge = DEFAULT
    try:
        return STRATEGIES[distribute, merge]
    except KeyError:
        known = "; ".join(
            f"{kind}: {', '.join(name for other, name in STRATEGIES if other == kind)}"
            for kind in ("edges", "vertices")
        )
        raise OptionError(f"there is no merging {merge!r} of {distribute!r}; there are {known}") from None
