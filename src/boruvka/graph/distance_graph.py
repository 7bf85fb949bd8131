"""The complete graph of points; distances are computed on demand, not stored."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown
from boruvka.graph import distances
from boruvka.graph.abstract_graph import ImplicitGraph, read_only
from boruvka.graph.points.core_distances import find_core_distances
from boruvka.graph.points.search_metric import SEARCH_METRICS, SearchMetric
from boruvka.graph.points.validation import COMPARING, check_points, read_points
from boruvka.kernels.kernel import Kernel
from boruvka.runtime import arguments
from boruvka.runtime.arguments import argument

__all__ = ["DistanceGraph"]


class DistanceGraph(ImplicitGraph):
    """The complete graph of points, weighted by distances that are computed on demand.

    The edges are the pairs (i, j) with i < j, in the order of `scipy.spatial.distance.pdist`.

    Parameters
    ----------
    points : (n,) or (n, d) array_like of integers, floats or booleans
        The points, which `boruvka.graph.points.validation` converts and checks.
    metric : str or callable
        The name of a function in `boruvka.graph.distances`, or a plain symmetric function of two points that
        returns an integer or a float, and that Numba can compile.
    min_samples : int, optional
        Rank of the core distance: the ``min_samples``-th smallest distance of a point, where the distance to
        itself is the first. If given, weights are mutual reachability distances, ``max(distance, core
        distance of i, core distance of j)``.
    core_factor : float
        Core distances are multiplied by it.

    Raises
    ------
    GraphError, GraphTypeError
        The points are not an array of finite numbers, the metric is not defined for one of them, or the
        distance is not a number.
    OptionError
        There is no distance of this name, or there are fewer points than ``min_samples``.

    See Also
    --------
    Graph.from_points : calls this constructor.
    """

    points: NDArray[Any]
    distance: Callable[[Any, Any], Any]
    min_samples: int | None
    core_factor: float
    _dtype: np.dtype[Any]
    _core_distances: NDArray[Any]

    def __init__(
        self,
        points: ArrayLike,
        metric: str | Callable[[Any, Any], Any],
        min_samples: int | None = None,
        core_factor: float = 1.0,
    ):
        function = _distance_function(metric)
        array = read_only(read_points(points, function))
        self._initialise(points=array, distance=function, _dtype=_dtype_of_distances(array, function))
        if min_samples is not None:
            min_samples = arguments.integer("min_samples", min_samples, 1)
            if min_samples > max(len(array), 1):
                raise OptionError(
                    f"{argument('min_samples')} is {min_samples}, more than the {len(array)} points"
                )
        self._initialise(n=len(array), min_samples=min_samples, core_factor=core_factor)
        if array.shape[1:] == (2,) and function not in COMPARING:
            system = "lonlat" if function is distances.haversine else "xy"
            self._initialise(_coordinates=functools.partial(_places, array, system), system=system)

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.n * (self.n - 1) // 2

    @cached_property
    def row_offsets(self) -> NDArray[np.int64]:
        """The index of the first edge of each row, then the number of edges."""
        return read_only(self._first_edges(np.arange(self.n + 1)))

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights: int64, uint64 or float64."""
        return self._dtype

    @property
    def search_metric(self) -> SearchMetric | None:
        """Functions with which a kd-tree searches these points; None if it cannot."""
        return SEARCH_METRICS.get(self.distance)

    @property
    def core_distances(self) -> NDArray[Any]:
        """The core distance of each point, an (n,) array; empty where weights are plain distances.

        Raises
        ------
        GraphError
            A distance is NaN or negative.
        """
        if self.min_samples is None:
            return read_only(np.empty(0, self.dtype))
        if not self.has_core_distances:
            self.keep_core_distances(find_core_distances(self, self.min_samples))
        return self._core_distances

    @property
    def has_core_distances(self) -> bool:
        """Whether core distances have been found."""
        return hasattr(self, "_core_distances")

    def keep_core_distances(self, core: NDArray[Any]) -> None:
        """Keep core distances that a solver has found."""
        core.flags.writeable = False
        self._initialise(_core_distances=read_only(core))

    @cached_property
    def source(self) -> PairSource:
        """Arrays that `pair_weight` reads."""
        core = self.core_distances
        if core.size and self.core_factor != 1:
            with np.errstate(over="ignore"):
                core = core * self.core_factor
            if (np.isinf(core) & np.isfinite(self.core_distances)).any():
                raise GraphError(
                    f"core distances times {self.core_factor:g} overflow: divide the coordinates"
                )
        return PairSource(self.points, core)

    @property
    def pair_weight(self) -> Callable[[Any, Any, Any], Any]:
        """The plain function ``(i, j, source)`` that computes the weight of a pair of points, i < j."""
        return pair_weight_of(self.distance, self.min_samples is not None)

    def check(self) -> None:
        """Raise a `GraphError` if the points, which may have changed, have no distances."""
        check_points(self.points, self.distance)

    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the indices of edges from their rows and columns."""
        return self._first_edges(rows) + columns - rows - 1

    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Compute the distances of pairs of points."""
        from boruvka.backends import get_backend

        weights = np.empty(rows.size, self.dtype)
        pairs = rows.astype(np.uint64), columns.astype(np.uint64)
        weigh = weigh_operator(self.pair_weight)
        get_backend("threads", 1).for_each(weigh, rows.size, *pairs, self.source, weights)
        if (is_nan := weights != weights).any():
            k = int(np.argmax(is_nan))
            raise GraphError(f"the distance of points {rows[k]} and {columns[k]} is NaN")
        return weights

    def _first_edges(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the index of the first edge of rows; intermediate results may wrap around."""
        return rows * (self.n - 1) - (rows // 2) * ((rows - 1) | 1)

    def _columns(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        return rows + 1 + k


def _places(points: NDArray[Any], system: str) -> NDArray[np.float64]:
    """Return points as coordinates: those of haversine are latitude and longitude in radians."""
    return np.degrees(points[:, ::-1]) if system == "lonlat" else points.astype(np.float64)


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


def _distance_function(distance: str | Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    if isinstance(distance, str):
        name = distances.OTHER_NAMES.get(distance, distance)
        if name not in distances.__all__:
            known = sorted([*distances.__all__, *distances.OTHER_NAMES])
            raise OptionError(f"unknown metric {shown(distance)}; there are {', '.join(known)}")
        return getattr(distances, name)
    function = getattr(distance, "py_func", distance)  # of a function that Numba has compiled already
    if not inspect.isfunction(function):
        raise GraphTypeError(f"a distance is a name or a plain Python function, not {shown(distance)}")
    return function


def _dtype_of_distances(points: NDArray[Any], distance: Callable[[Any, Any], Any]) -> np.dtype[Any]:
    if len(points) < 2:
        return np.dtype(np.float64)
    try:
        results = Kernel(distance, f"distance_{distance.__name__}").result_types(points[0], points[1])
    except Exception as error:
        if type(error).__module__.startswith("numba"):
            name, reason = distance.__name__, _reason(str(error))
            raise GraphTypeError(f"Numba cannot compile the distance {name}: {reason}") from error
        results = ()  # a result that does not fit a register
    if len(results) != 1:
        raise GraphTypeError(f"the distance {distance.__name__} returns neither an integer nor a float")
    return np.dtype(results[0] if results[0] in ("uint64", "float64") else "int64")


def _reason(message: str) -> str:
    """Find the line of a Numba error message that states the cause."""
    about = ("Failed in", "During", "File ", "There ", "Overload ", "- Of which", ">>>")
    lines = (line.strip() for line in message.splitlines())
    return next((line for line in lines if line and not line.startswith(about)), message)[:200]
