"""The result: a minimum spanning forest, as indices of edges of its graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.forest.exact_sum import exact_sum
from boruvka.forest.round_log import Round
from boruvka.graph.abstract_graph import AbstractGraph, vertex_dtype
from boruvka.graph.graph import to_host

if TYPE_CHECKING:
    import igraph
    import networkit
    import networkx
    import pandas
    import polars
    import pyarrow
    import rustworkx
    from matplotlib.axes import Axes
    from scipy import sparse

    from boruvka.forest.cuts import Cuts
    from boruvka.forest.path_maxima import IntervalMaxima, Line
    from boruvka.forest.paths import Bottlenecks
    from boruvka.forest.rooted import RootedForest

__all__ = ["Forest"]


class Forest:
    """A minimum (or maximum) spanning forest of a graph.

    Everything else is derived from the edges when it is first read.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (f,) array of int64
        Indices of the chosen edges in the graph, ascending. With ``on_device=True`` a CuPy array, and so
        are ``u``, ``v`` and ``w``; conversions, queries, linkage and cuts then need `to_host` first.
    maximum : bool
        Whether it is a maximum spanning forest.
    algorithm, backend : str
        The algorithm and the backend that computed it.
    threads : int
        Number of threads that the backend could use.
    rounds : tuple of Round
        A record of each round: components, edges, seconds of each step.
    seconds : float
        Time of the computation.
    """

    graph: AbstractGraph
    edges: NDArray[np.int64]
    maximum: bool
    algorithm: str
    backend: str
    threads: int
    rounds: tuple[Round, ...]
    seconds: float
    _before: Forest | None
    """An earlier forest, of the first edges of the graph: see `forest.update.update`."""

    def __init__(
        self,
        graph: AbstractGraph,
        edges: NDArray[np.int64],
        maximum: bool = False,
        algorithm: str = "",
        backend: str = "",
        threads: int = 1,
        rounds: tuple[Round, ...] = (),
        seconds: float = 0.0,
    ):
        how = {"algorithm": algorithm, "backend": backend, "threads": threads}
        vars(self).update(
            how, graph=graph, edges=edges, maximum=maximum, rounds=rounds, seconds=seconds, _before=None
        )

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"cannot assign to {name!r}: forests are read-only")

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
        return self._columns[0]

    @cached_property
    def v(self) -> NDArray[Any]:
        """Second end of each chosen edge."""
        return self._columns[1]

    @cached_property
    def w(self) -> NDArray[Any]:
        """Weight of each chosen edge, in the type of the input."""
        return self._columns[2]

    @cached_property
    def _columns(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        return self.graph.take(self.edges)

    @cached_property
    def weight(self) -> int | float:
        """Total weight: an exact int; for floats the float64 (or inf) nearest to the exact sum."""
        return exact_sum(on_host(self.w))

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Component of each vertex, numbered from 0 in the order of their smallest vertices."""
        from boruvka.graph.connected_components import label_components

        return label_components(self.n, on_host(self.u), on_host(self.v))

    @cached_property
    def edge_rounds(self) -> NDArray[np.uint8]:
        """Round of Borůvka's algorithm, from 1, that adds each edge: see `forest.edge_rounds.edge_rounds`."""
        from boruvka.forest.edge_rounds import edge_rounds

        return edge_rounds(self)

    @property
    def edge_mask(self) -> NDArray[np.bool_]:
        """Whether each of the m edges of the graph is chosen."""
        mask = np.zeros(self.graph.m, bool)
        mask[on_host(self.edges)] = True
        return mask

    @cached_property
    def _sorted(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Places of the edges in the order (weight, index), and their weights in that order."""
        from boruvka.forest.path_maxima import sort_edges

        return sort_edges(self.w, self.maximum)

    @cached_property
    def _line(self) -> tuple[Line, IntervalMaxima]:
        from boruvka.forest.paths import line_of

        return line_of(self)

    @cached_property
    def _rooted(self) -> RootedForest:
        from boruvka.forest.rooted import root_forest

        return root_forest(self)

    def to_host(self) -> Forest:
        """Copy forest and graph from the GPU to the host; a forest on the host is returned as it is.

        Returns
        -------
        Forest
        """
        graph, edges = to_host(self.graph), on_host(self.edges)
        if graph is self.graph and edges is self.edges:
            return self
        how = self.maximum, self.algorithm, self.backend, self.threads, self.rounds, self.seconds
        return Forest(graph, edges, *how)

    def to_scipy(self) -> sparse.csr_array:
        """Convert to an (n, n) SciPy array, each edge one entry (u, v): see `interop.scipy.to_scipy`."""
        from boruvka.interop.scipy import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> networkx.Graph[Any]:
        """Convert to NetworkX, with attributes weight and edge: see `interop.networkx.to_networkx`."""
        from boruvka.interop.networkx import to_networkx

        return to_networkx(self)

    def to_igraph(self) -> igraph.Graph:
        """Convert to igraph, with attributes weight and edge: see `interop.igraph.to_igraph`."""
        from boruvka.interop.igraph import to_igraph

        return to_igraph(self)

    def to_rustworkx(self) -> rustworkx.PyGraph:
        """Convert to rustworkx, the weights as data of edges: see `interop.rustworkx.to_rustworkx`."""
        from boruvka.interop.rustworkx import to_rustworkx

        return to_rustworkx(self)

    def to_networkit(self) -> networkit.Graph:
        """Convert to a weighted graph of NetworKit: see `interop.networkit.to_networkit`."""
        from boruvka.interop.networkit import to_networkit

        return to_networkit(self)

    def to_graph_tool(self) -> Any:
        """Convert to graph-tool, with an edge property weight: see `interop.graph_tool.to_graph_tool`."""
        from boruvka.interop.graph_tool import to_graph_tool

        return to_graph_tool(self)

    def to_pandas(self) -> pandas.DataFrame:
        """Convert to a pandas frame of columns edge, u, v, w: see `interop.data_frames.to_pandas`."""
        from boruvka.interop.data_frames import to_pandas

        return to_pandas(self)

    def to_arrow(self) -> pyarrow.Table:
        """Convert to an Arrow table of columns edge, u, v, w: see `interop.data_frames.to_arrow`."""
        from boruvka.interop.data_frames import to_arrow

        return to_arrow(self)

    def to_polars(self) -> polars.DataFrame:
        """Convert to a polars frame of columns edge, u, v, w: see `interop.data_frames.to_polars`."""
        from boruvka.interop.data_frames import to_polars

        return to_polars(self)

    @cached_property
    def _number_of_name(self) -> dict[Hashable, int]:
        from boruvka.graph.vertex_names import number_of_name

        return number_of_name(self.graph.name_of(slice(None)))

    def _vertices(self, argument: str, values: Any) -> NDArray[Any]:
        """Check vertices, given by their names where they have names, else by their numbers."""
        from boruvka.graph.validation import read_array, vertex_ids, vertex_ids_below
        from boruvka.graph.vertex_names import numbers_of

        if self.graph.names is not None:
            return numbers_of(self._number_of_name, argument, values).astype(vertex_dtype(self.n))
        array = read_array(argument, values)
        ids, largest = vertex_ids(argument, array.ravel())
        return vertex_ids_below(self.n, argument, ids, largest).reshape(array.shape)

    def path(self, u: Hashable, v: Hashable) -> NDArray[np.int64] | None:
        """Find the edges of the path from u to v, or None: see `forest.paths.path`."""
        from boruvka.forest.paths import path

        return path(self, u, v)

    def bottleneck(self, us: Any, vs: Any) -> Bottlenecks:
        """Find the heaviest edge, and its weight, on the paths of pairs: see `forest.paths.bottleneck`."""
        from boruvka.forest.paths import bottleneck

        return bottleneck(self, us, vs)

    def update(self, new_edges: Any) -> Forest:
        """Find the forest after edges are added to the graph: see `forest.update.update`."""
        from boruvka.forest.update import update

        return update(self, new_edges)

    def linkage(self) -> NDArray[np.float64]:
        """Compute the (n - 1, 4) single-linkage matrix, as SciPy defines it: see `forest.linkage.linkage`."""
        from boruvka.forest.linkage import linkage

        return linkage(self)

    def cut(self, k: int) -> NDArray[np.int64]:
        """Label each vertex with one of k clusters: see `forest.cuts.cut`."""
        from boruvka.forest.cuts import cut

        return cut(self, k)

    def cut_at(self, height: float) -> NDArray[np.int64]:
        """Label each vertex with its cluster at a height: see `forest.cuts.cut_at`."""
        from boruvka.forest.cuts import cut_at

        return cut_at(self, height)

    def cuts(self, heights: Iterable[float]) -> Cuts:
        """Find the clusters at several heights: see `forest.cuts.cuts`."""
        from boruvka.forest.cuts import cuts

        return cuts(self, heights)

    def regions(
        self, k: int, attributes: ArrayLike | Mapping[Any, Any], min_size: int = 1
    ) -> NDArray[np.int64]:
        """Label each vertex with one of k regions of similar attributes: see `forest.regions.regions`."""
        from boruvka.forest.regions import regions

        return regions(self, k, attributes, min_size)

    def plot(
        self,
        coordinates: Any = None,
        *,
        by: str = "round",
        system: str | None = None,
        graph_edges: bool = False,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the forest on a map: see `plotting.map.plot`."""
        from boruvka.plotting.map import plot

        return plot(self, coordinates, by=by, system=system, graph_edges=graph_edges, ax=ax)

    def plot_dendrogram(
        self, *, leaves: int = 30, height: float | None = None, ax: Axes | None = None
    ) -> Axes:
        """Draw the single-linkage dendrogram: see `plotting.dendrogram.plot_dendrogram`."""
        from boruvka.plotting.dendrogram import plot_dendrogram

        return plot_dendrogram(self, leaves=leaves, height=height, ax=ax)

    def animate(
        self,
        output: Any,
        coordinates: Any = None,
        *,
        format: str | None = None,
        system: str | None = None,
        seconds: float = 1.2,
    ) -> None:
        """Write an animation of the rounds, .gif or .html: see `plotting.animation.animate`."""
        from boruvka.plotting.animation import animate

        animate(self, output, coordinates, format=format, system=system, seconds=seconds)

    def __len__(self) -> int:
        return self.edges.size

    def _repr_html_(self) -> str:
        """Return a table for a notebook, with a line of the edges that the rounds read."""
        from boruvka.forest.report import forest_fields
        from boruvka.runtime.html import fields_table

        return fields_table(
            f"{'Maximum' if self.maximum else 'Minimum'} spanning forest", forest_fields(self)
        )

    def __repr__(self) -> str:
        return (
            f"Forest(n={self.n}, edges={self.edges.size}, components={self.components}, weight={self.weight})"
        )
