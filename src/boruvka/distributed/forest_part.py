"""The answer on ranks: each has its part of the forest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.forest.round_log import Round
from boruvka.graph.graph import Graph

__all__ = ["ForestPart"]


@dataclass(frozen=True, eq=False, repr=False)
class ForestPart:
    """A rank's part of a minimum (or maximum) spanning forest.

    Attributes
    ----------
    n, m : int
        Vertices and edges of the whole graph.
    size : int
        Edges of the whole forest.
    edges : (f,) array of int64
        Which of the edges that this rank passed are in the forest, ascending.
    index : (f,) array of int64
        Their indices in the whole graph.
    weight : int or float
        Total weight of the whole forest: an exact int; for floats the float64 nearest to the exact sum.
    labels : (k,) array of int64 or None
        The components of the vertices that this rank asked for, as `boruvka.Forest.labels` numbers them.
    maximum : bool
        Whether it is a maximum spanning forest.
    distribute, merge : str
        How it was found.
    ranks, threads : int
        How many ranks there are, and how many threads this one was allowed.
    rounds : tuple of Round
        What happened in each round: edges are those of all ranks; seconds of each step, and bytes and
        messages sent, are those of the rank that has most. The same on all ranks.
    seconds : float
        Time of the computation, from when all ranks had agreed on the graph.
    graph : Graph
        The edges of this rank, in the order of their indices.
    places : (f,) array of int64
        Where in that graph its edges of the forest are.
    """

    n: int
    m: int
    size: int
    edges: NDArray[np.int64]
    index: NDArray[np.int64]
    weight: int | float
    graph: Graph
    places: NDArray[np.int64]
    labels: NDArray[np.int64] | None = None
    maximum: bool = False
    distribute: str = ""
    merge: str = ""
    ranks: int = 1
    threads: int = 1
    rounds: tuple[Round, ...] = ()
    seconds: float = 0.0

    @cached_property
    def u(self) -> NDArray[Any]:
        """First end of each of this rank's edges."""
        return self.graph.u[self.places]

    @cached_property
    def v(self) -> NDArray[Any]:
        """Second end of each."""
        return self.graph.v[self.places]

    @cached_property
    def w(self) -> NDArray[Any]:
        """Weight of each, in the type of the input."""
        return self.graph.w[self.places]

    @property
    def components(self) -> int:
        """Number of components (trees) of the whole forest, isolated vertices counted."""
        return self.n - self.size

    def __len__(self) -> int:
        return self.edges.size

    def __repr__(self) -> str:
        return (
            f"ForestPart(edges={self.edges.size} of {self.size}, n={self.n}, components={self.components}, "
            f"weight={self.weight})"
        )
