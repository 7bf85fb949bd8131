"""The answer: a minimum spanning forest, as indices of edges of the graph it was found in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph import Graph
from boruvka.rounds import Round
from boruvka.totals import total

__all__ = ["Forest"]


@dataclass(frozen=True, eq=False, repr=False)
class Forest:
    """A minimum (or maximum) spanning forest of a graph.

    What follows from the edges is computed when it is first asked for.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (f,) array of int64
        Indices of the chosen edges in the graph, ascending.
    maximum : bool
        Whether it is a maximum spanning forest.
    algorithm, backend : str
        What computed it.
    threads : int
        How many threads it was allowed.
    rounds : tuple of Round
        What happened in each round: components, edges, seconds of each step.
    seconds : float
        Time of the computation.
    """

    graph: Graph
    edges: NDArray[np.int64]
    maximum: bool = False
    algorithm: str = ""
    backend: str = ""
    threads: int = 1
    rounds: tuple[Round, ...] = ()
    seconds: float = 0.0

    @property
    def n(self) -> int:
        """Number of vertices of the graph."""
        return self.graph.n

    @property
    def components(self) -> int:
        """Number of components (trees), isolated vertices counted."""
        return self.graph.n - self.edges.size

    @cached_property
    def u(self) -> NDArray[Any]:
        """First end of each chosen edge."""
        return self.graph.u[self.edges]

    @cached_property
    def v(self) -> NDArray[Any]:
        """Second end of each chosen edge."""
        return self.graph.v[self.edges]

    @cached_property
    def w(self) -> NDArray[Any]:
        """Weight of each chosen edge, in the type of the input."""
        return self.graph.w[self.edges]

    @cached_property
    def weight(self) -> int | float:
        """Total weight: an exact int for integers, for floats the float64 nearest to the exact sum."""
        return total(self.w)

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Component of each vertex, numbered from 0 in the order of their smallest vertices."""
        from boruvka.components import label_components

        return label_components(self.n, self.u, self.v)

    def __len__(self) -> int:
        return self.edges.size

    def __repr__(self) -> str:
        return (
            f"Forest(n={self.n}, edges={self.edges.size}, components={self.components}, weight={self.weight})"
        )
