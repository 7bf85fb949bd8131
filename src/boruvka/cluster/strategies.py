"""The ways to deal a graph to ranks and to merge components: the default ones, and those of document 5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boruvka.cluster import by_edges, by_vertices, contract_first
from boruvka.errors import OptionError

__all__ = ["STRATEGIES", "Strategy", "strategy_for"]

AUTO = "auto"
CONTRACT_FIRST = "contract-first"
MOST_REPLICATED = 1 << 28
"""Vertices: with more, arrays for all of them take more than some gigabytes on every rank."""


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
        For edges ``run(share, world, backend)``: the names of the forest's edges, of all ranks at least
        one's own. For vertices ``run(share, world, backend, follow)``: the names of one's own, and if
        asked to follow them the root of each vertex of one's block.
    source : str
        Where it comes from.
    """

    distribute: str
    merge: str
    run: Callable[..., Any]
    source: str


_ETH = "Anzalone, Marti, Kamm, Hannesdóttir, Hrabec, ETH Zürich (document 5)"
_LOCAL = "local contraction and replicated end: Sanders, Schimek 2023"
_SUPERVERTEX = "Chung, Condon 1996; ETH Zürich (document 5)"

STRATEGIES = {
    (strategy.distribute, strategy.merge): strategy
    for strategy in (
        Strategy("edges", CONTRACT_FIRST, contract_first.solve, _LOCAL),
        Strategy("edges", "union-find", by_edges.union_find, _ETH),
        Strategy("edges", "union-find-reduced", by_edges.union_find_reduced, _ETH),
        Strategy("edges", "pointer-jumping", by_edges.pointer_jumping, _ETH),
        Strategy("vertices", CONTRACT_FIRST, by_vertices.contract_first, _LOCAL),
        Strategy("vertices", "union-find", by_vertices.union_find, _ETH),
        Strategy("vertices", "iterative", by_vertices.iterative, _ETH),
        Strategy("vertices", "pointer-jumping", by_vertices.pointer_jumping, _ETH),
        Strategy("vertices", "supervertex", by_vertices.supervertex, _SUPERVERTEX),
    )
}


def strategy_for(distribute: str, merge: str, n: int) -> Strategy:
    """Get a strategy by its two names; "auto" deals edges while every rank can hold n vertices.

    Raises
    ------
    OptionError
        There is no such strategy.
    """
    if distribute == AUTO:
        distribute = "edges" if n <= MOST_REPLICATED else "vertices"
    if merge == AUTO:
        merge = CONTRACT_FIRST
    try:
        return STRATEGIES[distribute, merge]
    except KeyError:
        known = "; ".join(
            f"{kind}: {', '.join(name for other, name in STRATEGIES if other == kind)}"
            for kind in ("edges", "vertices")
        )
        raise OptionError(f"there is no merging {merge!r} of {distribute!r}; there are {known}") from None
