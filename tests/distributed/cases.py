"""A graph whose edges are distributed among ranks. Ranks import this file: it is light."""

from dataclasses import dataclass

import numpy as np

from boruvka import Graph


@dataclass
class Case:
    """A graph, the rank of each edge (modulo the number of ranks), and how edges are numbered.

    ``replicated_up_to``, ``degree`` and ``vertices_at_edge`` are limits of the default strategies, low
    enough for small graphs.
    """

    graph: Graph
    owners: np.ndarray
    indices: str = "by rank"
    maximum: bool = False
    replicated_up_to: int = 0
    degree: int = 1
    strategies: tuple = ()
    vertices_at_edge: int = 64
    two_steps: bool = False
