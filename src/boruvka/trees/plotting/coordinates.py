"""Coordinates of vertices in a drawing: given, from the points of a graph, or laid out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.coordinates import SYSTEMS, read_coordinates, rows_of_two
from boruvka.graph.labels import vertex_of_labels
from boruvka.runtime.arguments import choice
from boruvka.trees.plotting.layout import forest_layout

__all__ = ["VertexCoordinates", "coordinates_by_vertex", "place_vertices"]

DEGREES_OF_LATITUDE = 90
LARGEST = 1e150
"""The largest coordinate that is drawn; squares of distances between larger ones overflow."""


class VertexCoordinates(NamedTuple):
    """Coordinates of the vertices in a drawing, and the aspect ratio.

    Attributes
    ----------
    points : (n, 2) array of float64
        x and y of each vertex; NaN where a vertex without an edge has none.
    aspect : float
        Length of a unit of y, in units of x.
    """

    points: NDArray[np.float64]
    aspect: float = 1.0

    @property
    def box(self) -> NDArray[np.float64]:
        """The smallest and the largest x and y, as two rows; zeros if no vertex has coordinates."""
        known = self.points[np.isfinite(self.points).all(axis=1)]
        return np.stack([known.min(axis=0), known.max(axis=0)]) if len(known) else np.zeros((2, 2))


def place_vertices(forest: Any, coordinates: Any = None, system: str | None = None) -> VertexCoordinates:
    """Find the coordinates at which the vertices of a forest are drawn.

    Parameters
    ----------
    forest : Forest
        The forest.
    coordinates : (n, 2) array_like of numbers, mapping or frame, optional
        The coordinates of each vertex, as `boruvka.graph.coordinates.read_coordinates` takes them. By default
        those of the graph, such as its points; other forests are laid out.
    system : "xy", "lonlat" or "latlon", optional
        The meaning of the two columns; by default x and y. Degrees are drawn with the aspect of the middle
        latitude; millionths of degrees, which DIMACS uses, may stand for degrees.

    Returns
    -------
    VertexCoordinates

    Raises
    ------
    OptionError
        There is no such system.
    GraphError, GraphTypeError
        The coordinates are not an array of n rows of two numbers, lack one for the end of an edge, or are too
        large.
    """
    if system is not None:
        choice("system", system, SYSTEMS)
    if coordinates is None:
        if (points := forest.graph.coordinates) is None:
            return VertexCoordinates(forest_layout(forest.n, forest.u, forest.v))
        system = system or forest.graph.system
    else:
        points, system = read_coordinates(
            forest.graph, coordinates, system, forest.number_of_name, is_partial=True
        )
    _check_ends(forest, points)
    found = _projected(points, system)
    if (largest := np.abs(found.box).max()) > LARGEST:
        raise GraphError(
            f"coordinates of {largest:.4g} are too large for a picture: scale them to at most {LARGEST:g}"
        )
    return found


def coordinates_by_vertex(forest: Any, vertices: Any, coordinates: Any) -> NDArray[np.float64]:
    """Sort coordinates by the numbers of the vertices; NaN for vertices that are left out.

    Parameters
    ----------
    forest : Forest
        The forest.
    vertices : (k,) array_like
        The vertices, by their names where they have names, else by their numbers.
    coordinates : (k, 2) array_like of numbers
        Their coordinates.

    Returns
    -------
    (n, 2) array of float64

    Raises
    ------
    GraphError, GraphTypeError
        A vertex is not of the forest, or is there twice; or the coordinates are not rows of two numbers.
    """
    row = vertex_of_labels(forest.graph, "coordinates", vertices, forest.number_of_name)
    points = np.full((forest.n, 2), np.nan)
    points[row >= 0] = rows_of_two(coordinates)[row[row >= 0]]
    return points


def _check_ends(forest: Any, points: NDArray[np.float64]) -> None:
    """Raise an error if an end of an edge has no coordinates."""
    ends = np.unique(np.concatenate([forest.u, forest.v]))
    missing = ends[~np.isfinite(points[ends]).all(axis=1)]
    if missing.size:
        vertex = int(missing[0])
        raise GraphError(
            f"{missing.size:,} vertices that have edges have no finite coordinates, the first is "
            f"{forest.graph.shown_id(missing[:1]).tolist()[0]!r}: {points[vertex].tolist()}"
        )


def _projected(points: NDArray[np.float64], system: str) -> VertexCoordinates:
    if system == "xy":
        return VertexCoordinates(points)
    found = VertexCoordinates(points[:, ::-1] if system == "latlon" else points)
    latitudes = found.box[:, 1]
    if np.abs(latitudes).max() > DEGREES_OF_LATITUDE:
        latitudes = latitudes * 1e-6
    return found._replace(aspect=1 / max(np.cos(np.radians(latitudes.mean())), 0.1))
