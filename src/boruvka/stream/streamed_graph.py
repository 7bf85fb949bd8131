"""A graph whose edges were streamed, and of which only the edges of its forest are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, shown
from boruvka.graph.graph import Annotations, Graph
from boruvka.graph.no_values import LIKE_NO_VALUE, MOST_COMPARED, warn_of_alike_names, warn_of_names
from boruvka.graph.validation import warn_of_ids, warn_without_vertices
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import pl
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.numbering import StoredNames


class StreamedGraph(Graph):
    """The graph of a forest that was found in one pass; ``take`` returns edges of this forest alone.

    Parameters
    ----------
    n, m : int
        Numbers of vertices and edges.
    kept : IndexedEdges
        The edges of the forest.
    source : str
        The source of the edges, for errors.
    stored_names : StoredNames, optional
        The names of the vertices.
    first_id : int
        The id of the first vertex in files.
    """

    source: str
    kept: IndexedEdges
    stored_names: StoredNames | None
    _m: int

    def __init__(
        self,
        n: int,
        m: int,
        kept: IndexedEdges,
        source: str,
        stored_names: StoredNames | None = None,
        first_id: int = 0,
    ):
        self._initialise(n=n, _m=m, kept=kept, source=source, stored_names=stored_names)
        self._initialise(annotations=Annotations(first_id=first_id))

    @property
    def names(self) -> NDArray[Any] | None:
        """Name of each vertex, all of them in memory; `name_of` reads some."""
        if self.annotations.names is None and self.stored_names is not None:
            self._initialise(annotations=self.annotations._replace(names=self.stored_names.to_numpy()))
        return self.annotations.names

    @property
    def has_names(self) -> bool:
        """Whether vertices have names, without reading them."""
        return self.stored_names is not None or self.annotations.names is not None

    def name_of(self, vertices: Any) -> Any:
        """Return the names of vertices, or the vertices themselves where they have none."""
        if self.stored_names is None or self.annotations.names is not None:
            return super().name_of(vertices)
        if isinstance(vertices, slice):
            return self.stored_names.to_numpy()[vertices]
        try:
            np.broadcast_to(np.int8(0), self.n)[vertices]
        except IndexError as error:
            raise GraphError(f"{shown(vertices)}: vertices are numbers from 0 to {self.n - 1}") from error
        found = self.stored_names.gather(vertices).to_numpy()
        return found.reshape(np.shape(vertices)) if np.ndim(vertices) else found[0]

    def __copy__(self) -> StreamedGraph:
        """Return the same graph; its names are not read."""
        graph = StreamedGraph(self.n, self.m, self.kept, self.source, self.stored_names)
        graph._initialise(annotations=self.annotations)
        return graph

    def __getstate__(self) -> dict[str, Any]:
        """Pickle all names: the file that holds them belongs to this process."""
        annotations = self.annotations._replace(names=self.names)
        return {**vars(self), "annotations": annotations, "stored_names": None}

    @property
    def m(self) -> int:
        """Number of streamed edges."""
        return self._m

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.kept.w.dtype

    def edges_in_range(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Raise an error: the edges are not in memory, unless there are none."""
        return self.take(np.arange(start, stop))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return (u, v, w) of edges of the forest.

        Raises
        ------
        GraphError
            One of them is not in the forest.
        """
        kept = self.kept
        if edges.size == kept.m and np.array_equal(edges, kept.indices):
            return kept.u, kept.v, kept.w
        positions = np.searchsorted(kept.indices, edges)
        positions[positions == kept.m] = 0
        if edges.size and not (kept.m and np.array_equal(kept.indices[positions], edges)):
            raise GraphError(
                f"the edges of {self.source} were streamed, and only edges of the forest were kept: "
                "read the graph with boruvka.read if it fits the memory, or check it by boruvka.stream.verify"
            )
        return kept.u[positions], kept.v[positions], kept.w[positions]


BYTES_COMPARED = 1 << 24
"""Bytes of names that are compared."""


def warn_of_streamed_ids(graph: StreamedGraph, names: Iterable[pl.Series] | None, are_stated: bool) -> None:
    """Warn of ids or names that may mean something else, as `boruvka.read` does.

    Of many names, a sample is compared, which has all or none of those that differ by case, blanks or zeros.

    Parameters
    ----------
    graph : StreamedGraph
    names : iterable of columns, optional
        The names of all vertices, in any order.
    are_stated : bool
        Whether it is stated where ids begin, or how many vertices there are.
    """
    warn_without_vertices(graph)
    if names is None:  # polars is perhaps not installed
        return None if are_stated else warn_of_ids(graph, f"pass {argument('names', True)}", graph.kept)
    share, compared = graph.n // MOST_COMPARED + 1, pl.Series([], dtype=pl.String)
    for batch in names:
        if batch.dtype == pl.String and compared.estimated_size() < BYTES_COMPARED:
            plain = batch.str.to_lowercase().str.strip_chars().str.replace(r"^0*([0-9]+?)(\.0+)?$", "$1")
            is_in = (plain.hash(0) % share == 0) | batch.is_in(sorted(LIKE_NO_VALUE))
            compared.append(batch.filter(is_in))
    in_order = compared.sort().to_numpy()  # which no thread changes
    warn_of_names(in_order)
    warn_of_alike_names(in_order)
