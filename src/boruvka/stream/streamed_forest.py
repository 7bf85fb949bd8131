"""The forest of all edges read so far, in memory for the vertices only."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from boruvka.backends.memory_pool import release_memory
from boruvka.graph.exact import common_type, converted, find_conversion_witnesses
from boruvka.graph.graph import Graph
from boruvka.graph.validation import vertex_dtype
from boruvka.runtime.progress import ignore
from boruvka.runtime.round_log import RoundLog
from boruvka.stream.bottleneck_filter import BottleneckFilter, DeviceFilter, build_filter
from boruvka.stream.indexed_edges import IndexedEdges, in_order
from boruvka.trees.minimum_spanning import minimum_spanning_forest


class StreamedForest:
    """Minimum spanning forest of all edges added so far, with a buffer of pending edges.

    A filter lets most edges be dropped before they are added, so few have to be solved: by Kruskal's
    algorithm, which is the fastest where there are few times as many edges as vertices.

    Parameters
    ----------
    n : int
        Number of vertices that are known; it grows with the edges.
    maximum : bool
        Whether the heaviest edge comes first.
    max_pending : callable
        n -> the maximum number of pending edges; when there are so many, they are merged into the forest.
        Raises an error if n vertices do not fit the memory.
    threads : int, optional
        Threads of the solver.
    backend : str
        "threads", or "cuda": the filter and the merges are then on a GPU.

    Attributes
    ----------
    n : int
        Number of vertices.
    forest : IndexedEdges
        The forest, without the pending edges.
    edge_filter : BottleneckFilter or None
        The filter of the forest.
    dtype : numpy.dtype or None
        The common type of all weights that were added, whether their edges were kept or not.
    conversion_witnesses : dict
        The hardest weights to convert of each weight type, including weights of discarded edges.
    round_log : RoundLog
        A round for each merge, with the edges that were solved in it.
    """

    def __init__(
        self,
        n: int,
        maximum: bool,
        max_pending: Callable[[int], int],
        threads: int | None = None,
        backend: str = "threads",
    ):
        self.n, self.max_pending = n, max_pending
        self.dtype: np.dtype[Any] | None = None
        self.conversion_witnesses: dict[np.dtype[Any], Any] = {}
        self.edge_filter: BottleneckFilter | None = None
        self.forest: IndexedEdges | None = None
        self.round_log = RoundLog()
        self.maximum, self._threads, self._backend = maximum, threads, backend
        self._runs: list[IndexedEdges] = []
        self._size, self._most = 0, max_pending(n)

    @property
    def m(self) -> int:
        """Number of edges of the forest, without those that wait."""
        return 0 if self.forest is None else self.forest.m

    def kept(self, stated: np.dtype[Any] | None = None) -> IndexedEdges:
        """Return the edges of the forest; without any, their weights have the type that the source states."""
        if self.forest is not None:
            return self.forest
        return IndexedEdges.none(np.uint32, self.dtype or stated or np.float64)

    @property
    def heaviest(self) -> Any:
        """Weight of the last edge of a forest that spans all vertices, else None: later edges cannot join."""
        forest = self.forest  # threads ask while another one solves
        if forest is None or forest.m < self.n - 1 or not forest.m:
            return None
        return forest.w.min() if self.maximum else forest.w.max()

    def add(self, edges: IndexedEdges, n: int, weights: Any = None) -> bool:
        """Add a run of edges whose ends are below n; return whether the forest was solved.

        The ranges of the indices of all runs are disjoint. ``weights`` are the hardest weights to convert of
        all edges that were read, including discarded ones.

        Raises
        ------
        GraphError, GraphTypeError
            No type holds all weights.
        """
        if n > self.n:
            self.n, self._most = n, self.max_pending(n)
        if weights is not None:
            self._check_weights(weights)
        if edges.m:
            self._runs.append(edges)
            self._size += edges.m
        if self._size < self._most:
            return False
        self.merge_pending()
        return True

    def _check_weights(self, weights: Any) -> None:
        """Check that one type holds all weights, also of edges that were not kept."""
        dtype = weights.dtype
        self.dtype = dtype if self.dtype is None else common_type(self.dtype, dtype)
        if weights.size:
            known = self.conversion_witnesses.get(dtype, weights[:0])
            self.conversion_witnesses[dtype] = find_conversion_witnesses(np.append(known, weights))
        for weights in self.conversion_witnesses.values():
            converted(weights, self.dtype)

    def resume(self, forest: IndexedEdges, n: int) -> None:
        """Begin with the forest of edges that were added in an earlier process."""
        self.n, self._most = max(self.n, n), self.max_pending(max(self.n, n))
        self.forest, self.dtype = forest, forest.w.dtype
        self._build_filter()

    def merge_pending(self, *, needs_filter: bool = True) -> None:
        """Merge the pending edges into the forest; after the last merge no filter is needed."""
        if not self._size:
            if self.forest is not None and self.dtype is not None:
                self.forest = self.forest._replace(w=converted(self.forest.w, self.dtype))
            return
        self.round_log.begin("merge", self.n - self.m, self.m + self._size)
        with self.round_log.step("merge"):
            edges = self._take_all()
            release_memory()
            graph = Graph(self.n, edges.u, edges.v, edges.w)
            found = minimum_spanning_forest(
                graph,
                maximum=self.maximum,
                threads=self._threads,
                backend=self._backend,
                algorithm="kruskal" if self._backend == "threads" else "auto",
                progress=ignore,
            )
            self.forest = edges.take(found.edges)
            del graph, found, edges
            release_memory()
        if needs_filter:
            with self.round_log.step("filter"):
                self._build_filter()

    def _build_filter(self) -> None:
        """Make the filter of the forest."""
        self.edge_filter = None  # the next one needs the memory
        if self.forest is not None:
            self.edge_filter = build_filter(self.forest, self.n, self.maximum)
        if self.edge_filter is not None and self._backend == "cuda":
            self.edge_filter = DeviceFilter.of(self.edge_filter)

    def _take_all(self) -> IndexedEdges:
        """Take the edges of the forest and those that wait, in the order of their indices."""
        runs, self._runs, self._size = self._runs, [], 0
        if self.forest is not None:
            runs.insert(0, self.forest)
            self.forest = None
        dtypes = {run.w.dtype for run in runs} | ({self.dtype} if self.dtype is not None else set())
        dtype, ids = reduce(common_type, dtypes), vertex_dtype(self.n)
        for k, run in enumerate(runs):
            u, v = (ends.astype(ids, copy=False) for ends in (run.u, run.v))
            runs[k] = IndexedEdges(run.indices, u, v, converted(run.w, dtype))
        return in_order(runs)
