"""Pairs of points: the distance of two points, and the weight of the edge between them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, first_true, shown
from boruvka.graph import distances
from boruvka.graph.columns import read_only
from boruvka.graph.labels import is_table
from boruvka.graph.points.search_metric import SEARCH_METRICS, SearchMetric
from boruvka.graph.points.validation import COMPARING, read_box, read_points, wrap
from boruvka.kernels.kernel import Kernel
from boruvka.runtime.arguments import argument, is_command_running, one_of


class PointPairs(NamedTuple):
    """Points, and the distance of two of them, which is computed on demand."""

    points: NDArray[Any]
    distance: Callable[[Any, Any], Any]
    """The function takes two rows of ``values``."""
    dtype: np.dtype[Any]
    """Type of the distances: int64, uint64 or float64."""
    values: NDArray[Any]
    """The points as kernels take them: in a periodic box, the lengths of the box follow each point."""
    box: NDArray[np.float64] | None = None
    """(d,) array: lengths of the periodic box, infinite along an open axis; None without a box."""

    @classmethod
    def read(cls, points: Any, metric: str | Callable[[Any, Any], Any], box: Any = None) -> PointPairs:
        """Convert points and a metric, and check them; `DistanceGraph` says what they may be."""
        distance = _distance_function(metric)
        if distance in distances.IN_BOX.values():
            if box is None:
                raise OptionError(f"{distance.__name__} is for a periodic box: pass it, as box=graph.box")
            distance = next(plain for plain, x in distances.IN_BOX.items() if x is distance)
        array = read_only(read_points(points, distance))
        lengths = read_box(box, array.shape[-1], distance)
        if lengths is None:
            is_viewed = distance in COMPARING and array.dtype.kind == "i"  # kernels have fewer types then
            values = array.view(f"u{array.dtype.itemsize}") if is_viewed else array
        else:
            distance, d = distances.IN_BOX[distance], lengths.size
            wrapped = wrap(array, lengths, points.columns if is_table(points) else None)
            values = read_only(np.hstack([wrapped, np.broadcast_to(lengths, array.shape)]))
            array = values[:, :d]
        return cls(array, distance, _dtype_of_distances(values, distance), values, lengths)

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    @property
    def m(self) -> int:
        """Number of pairs."""
        return self.n * (self.n - 1) // 2

    @property
    def search_metric(self) -> SearchMetric | None:
        """Functions with which a kd-tree searches these points; None if it cannot."""
        return SEARCH_METRICS.get(self.distance)

    @property
    def system(self) -> str | None:
        """Meaning of the points as coordinates in a plane, "xy" or "lonlat"; None if they are not places."""
        if self.points.shape[1:] != (2,) or self.distance in COMPARING:
            return None
        return "lonlat" if self.distance in distances.ON_SPHERE else "xy"

    def annotations(self) -> dict[str, Any]:
        """Return what a graph whose vertices are the points carries, as `boruvka.graph.graph.Annotations`."""
        in_plane = {"coordinates": self.coordinates, "system": self.system}
        return {"pairs": self, **(in_plane if self.system else {})}

    def coordinates(self) -> NDArray[np.float64]:
        """Return points as coordinates; points on a sphere are latitude and longitude in radians."""
        if self.distance not in distances.ON_SPHERE:
            return self.points.astype(np.float64)
        return np.degrees(self.points[:, ::-1]).round(12)  # degrees that became radians come back

    def first_edges(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the index of the first edge of rows; intermediate results may wrap around."""
        return rows * (self.n - 1) - (rows // 2) * ((rows - 1) | 1)

    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the indices of edges from their rows and columns."""
        return self.first_edges(rows) + columns - rows - 1

    def columns_at(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the column of the k-th edge of each row, from 0."""
        return rows + 1 + k

    def weights_at(
        self, rows: NDArray[np.int64], columns: NDArray[np.int64], core: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Compute the distances of pairs of points, or their mutual reachability if there are core distances.

        Raises
        ------
        GraphError
            A distance is NaN.
        """
        from boruvka.backends import get_backend

        core = np.empty(0, self.dtype) if core is None else core
        weights = np.empty(rows.size, self.dtype)
        pairs = rows.astype(np.uint64), columns.astype(np.uint64)
        weigh = weigh_operator(pair_weight_of(self.distance, core.size > 0))
        get_backend("threads", 1).for_each(weigh, rows.size, *pairs, PairSource(self.values, core), weights)
        if (k := first_true(weights != weights)) is not None:
            raise GraphError(f"the distance of points {rows[k]} and {columns[k]} is NaN")
        return weights


class PairSource(NamedTuple):
    """The arrays from which weights are computed."""

    points: NDArray[Any]
    core: NDArray[Any]
    """(n,) array of core distances; empty where weights are plain distances."""


@functools.cache
def pair_weight_of(
    distance: Callable[[Any, Any], Any], is_reachability: bool
) -> Callable[[Any, Any, Any], Any]:
    """Make the function that computes the weight of a pair of points."""

    def weight_of_pair(i, j, source):
        return distance(source.points[i], source.points[j])

    def reachability_of_pair(i, j, source):
        return max(distance(source.points[i], source.points[j]), max(source.core[i], source.core[j]))

    made = reachability_of_pair if is_reachability else weight_of_pair
    made.__name__ = made.__qualname__ = f"{distance.__name__}{'_reach' if is_reachability else ''}"
    return made


@functools.cache
def weigh_operator(pair_weight: Callable[[Any, Any, Any], Any]) -> Callable[..., None]:
    """Make the operator that computes the weights of pairs."""

    def weigh(k, rows, columns, source, weights):
        weights[k] = pair_weight(rows[k], columns[k], source)

    return weigh


def is_on_sphere(metric: str | Callable[[Any, Any], Any]) -> bool:
    """Return whether a metric takes latitude and longitude in radians."""
    return _distance_function(metric) in distances.ON_SPHERE


def _distance_function(distance: str | Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    if isinstance(distance, str):
        if distance == "precomputed":
            way = "leave out --points" if is_command_running() else "write Graph.from_distances(points)"
            raise OptionError(f"{argument('metric', distance)} is for estimators: {way}")
        name = one_of("metric", distance, (*sorted([*distances.__all__, *distances.OTHER_NAMES]),))
        return getattr(distances, distances.OTHER_NAMES.get(name, name))
    function = getattr(distance, "py_func", distance)  # of a function that Numba has compiled already
    if not inspect.isfunction(function):
        raise GraphTypeError(f"a distance is a name or a plain Python function, not {shown(distance)}")
    return function


def _dtype_of_distances(points: NDArray[Any], distance: Callable[[Any, Any], Any]) -> np.dtype[Any]:
    if len(points) < 2:
        return np.dtype(np.float64)
    try:
        results = _kernel_of(distance).result_types(points[0], points[1])
    except Exception as error:
        if type(error).__module__.startswith("numba"):
            name, reason = distance.__name__, _reason(str(error))
            raise GraphTypeError(f"Numba cannot compile the distance {name}: {reason}") from error
        results = ()  # a result that does not fit a register
    if len(results) != 1:
        raise GraphTypeError(f"the distance {distance.__name__} returns neither an integer nor a float")
    return np.dtype(results[0] if results[0] in ("uint64", "float64") else "int64")


@functools.cache
def _kernel_of(distance: Callable[[Any, Any], Any]) -> Kernel:
    """Make the kernel of a distance once: to find its machine code takes longer than a small tree."""
    return Kernel(distance)


def _reason(message: str) -> str:
    """Find the line of a Numba error message that states the cause."""
    about = ("Failed in", "During", "File ", "There ", "Overload ", "- Of which", ">>>")
    lines = (line.strip() for line in message.splitlines())
    return next((line for line in lines if line and not line.startswith(about)), message)[:200]
