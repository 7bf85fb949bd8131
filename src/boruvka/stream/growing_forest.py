"""The forest of all edges that have passed by, in memory for the vertices."""

from __future__ import annotations

from functools import reduce
from typing import Any

from boruvka.backends.kept_memory import give_back_memory
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.graph.graph import Graph
from boruvka.solve import minimum_spanning_forest
from boruvka.stream.edges import Edges, common_type, converted, in_order
from boruvka.stream.guard import Guard, guard_of

__all__ = ["GrowingForest"]


class GrowingForest:
    """The forest of all edges that were added: of those that wait, and of the forest of the ones before.

    A guard lets most edges be dropped before they are added, so few have to be solved: by Kruskal's
    algorithm, which is the fastest where there are few times as many edges as vertices.

    Parameters
    ----------
    n : int
        Number of vertices that are known; it grows with the edges.
    maximum : bool
        Whether the heaviest edge comes first.
    waiting : int
        Number of edges that wait until they are solved together with the forest.
    threads : int, optional
        Threads of the solver.

    Attributes
    ----------
    n : int
        Number of vertices.
    forest : Edges
        The forest, without the edges that wait.
    guard : Guard or None
        The guard of the forest.
    solves, solved : int
        How often, and how many edges altogether, were solved.
    """

    def __init__(self, n: int, maximum: bool, waiting: int, threads: int | None = None):
        self.n, self.waiting = n, waiting
        self.guard: Guard | None = None
        self.forest: Edges | None = None
        self.solves = self.solved = 0
        self.maximum, self._threads = maximum, threads
        self._runs: list[Edges] = []
        self._size = 0

    @property
    def size(self) -> int:
        """Number of edges of the forest, without those that wait."""
        return 0 if self.forest is None else self.forest.size

    @property
    def heaviest(self) -> Any:
        """The weight after which no edge is in the forest, once it is connected; None before."""
        if self.forest is None or self.forest.size < self.n - 1 or not self.forest.size:
            return None
        w = self.forest.w
        return w.min() if self.maximum else w.max()

    def add(self, edges: Edges, n: int) -> bool:
        """Add a run of edges whose ends are below n; return whether the forest was solved.

        The ranges of the indices of all runs are disjoint.
        """
        self.n = max(self.n, n)
        if edges.size:
            self._runs.append(edges)
            self._size += edges.size
        if self._size < self.waiting:
            return False
        self.settle()
        return True

    def resume(self, forest: Edges, n: int) -> None:
        """Begin with the forest of edges that were added in an earlier process."""
        self.n, self.forest = max(self.n, n), forest
        self.guard = guard_of(forest, self.n, self.maximum)

    def settle(self, *, guard: bool = True) -> None:
        """Solve the edges that wait; the guard is not needed at the end."""
        if not self._size:
            return
        edges = self._take_all()
        give_back_memory()
        graph = Graph(self.n, edges.u, edges.v, edges.w)
        found = minimum_spanning_forest(
            graph, maximum=self.maximum, threads=self._threads, algorithm="kruskal"
        )
        self.solves, self.solved = self.solves + 1, self.solved + edges.size
        self.forest = edges.take(found.edges)
        del graph, found, edges
        give_back_memory()
        if guard:
            self.guard = None  # the next one needs the memory
            self.guard = guard_of(self.forest, self.n, self.maximum)

    def _take_all(self) -> Edges:
        """Take the edges of the forest and those that wait, in the order of their indices."""
        runs, self._runs, self._size = self._runs, [], 0
        if self.forest is not None:
            runs.insert(0, self.forest)
            self.forest = None
        dtype, ids = reduce(common_type, {run.w.dtype for run in runs}), vertex_dtype(self.n)
        for k, run in enumerate(runs):
            u, v = (ends.astype(ids, copy=False) for ends in (run.u, run.v))
            runs[k] = Edges(run.edges, u, v, converted(run.w, dtype))
        return in_order(runs)
