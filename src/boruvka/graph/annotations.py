"""What is known of a graph beside its edges: names and coordinates of vertices, and what it was made from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Annotations", "Profiles"]


class Profiles(NamedTuple):
    """The allelic profiles that the vertices of a graph were made from; equal ones may be one vertex."""

    vertex_of: NDArray[np.int64]
    """(rows,) array: the vertex of each profile."""
    sizes: NDArray[np.int64]
    """(n,) array: the number of profiles of each vertex."""
    first_rows: NDArray[np.int64]
    """(n,) array: the first profile of each vertex."""
    names: NDArray[Any] | None = None
    """(rows,) array: the name of each profile, else its row; None where each vertex is one profile."""


class Annotations(NamedTuple):
    """What a graph carries beside its edges; graphs that are derived from it carry the same."""

    names: NDArray[Any] | None = None
    """(n,) array: the name of each vertex; None where vertices are only numbered."""
    id_column: str | None = None
    """Name of the column or index that held the names."""
    coordinates: NDArray[np.float64] | Callable[[], NDArray[np.float64] | None] | None = None
    """(n, 2) array, or a function that makes it when it is first read."""
    system: str = "xy"
    """Meaning of the coordinates: "xy", or "lonlat" for degrees."""
    first_id: int = 0
    """Id of the first vertex in files and on the command line."""
    terminals: NDArray[Any] | None = None
    """Vertices that a file asks to connect."""
    table: Any = None
    """The `boruvka.interop.data_frames.SourceTable` of the edges; None where there is none."""
    profiles: Profiles | None = None
    """The profiles that vertices were made from."""

    def of_edges(self, edges: NDArray[np.int64]) -> Annotations:
        """Return the annotations of the graph of some of the edges, which are numbered anew."""
        table = self.table
        return self._replace(table=None if table is None else table._replace(rows=table.rows_of(edges)))
