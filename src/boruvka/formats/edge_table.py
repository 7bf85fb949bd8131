"""The edges that files and formats exchange, and the options of reading them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from types import NoneType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.errors import FormatError, GraphError, OptionError, first_true, item_text, shown
from boruvka.graph.edge_lookup import ROW
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import to_host
from boruvka.graph.names import ends_text
from boruvka.graph.no_values import MISSING, check_missing_options, fills_gaps
from boruvka.graph.validation import MAX_VERTICES
from boruvka.interop.as_graph import CommonOptions, as_part_of_graph
from boruvka.interop.column_names import ROLES, columns_by_role
from boruvka.runtime.arguments import argument, did_you_mean, flag, flag_or_number, hint, integer, one_of

SERIES = "returns", "prices"
"""Formats of time series."""
FLAGS = "header", "names", "one_based", "unweighted", "zero_is_no_edge", "correlations", "collapse"
OF_TABLES = frozenset({"columns", "default", "keep", "missing", "n", "names", "one_based", "unweighted"})
"""Options of all tables with a row per edge."""
TABLE_BATCHES = 16
"""Number of batches of the rows of a large table."""


def is_of_series(format: Any) -> bool:
    """Return whether a format is one of time series."""
    return isinstance(format, str) and format.lower() in SERIES


class ReadOptions(CommonOptions, total=False):
    """Arguments of functions that read edges of files: the fields of `Options`."""

    columns: str | Sequence[str | int] | None
    source: str | None
    target: str | None
    weight: str | None
    header: bool | None
    one_based: bool | None
    unweighted: bool
    names: bool | None
    layer: str | None
    ways: str
    zero_is_no_edge: bool | None
    correlations: bool
    collapse: bool
    drop: str | Sequence[str]
    min_periods: int | None
    format: str | None
    bad_rows: str
    keep: str | Sequence[str | int]


class Options(NamedTuple):
    """Options of reading a file; an option at its default is not set.

    Parameters
    ----------
    columns : tuple of str or int, optional
        Columns of u, v and the weight, by name or position.
    header : bool, optional
        Whether the first line names the columns.
    one_based : bool, optional
        Whether ids begin at 1.
    n : int, optional
        Number of vertices.
    unweighted : bool
        Whether every edge has weight 1.
    names : bool, optional
        Whether ids are names of vertices.
    layer : str, optional
        Layer of the file that is read.
    missing : str
        "error", or "drop" to leave out rows that have no end or no weight.
    default : number, optional
        The weight of edges that have none.
    node : bool or number
        Whether lines of a map are split where they meet; the distance at which their ends are joined before.
    attach : path-like or geopandas.GeoDataFrame, optional
        Places that are joined to the nearest lines of a map.
    tolerance : float, optional
        Greatest length of what joins them.
    rate : str, optional
        Column of a map with weights per metre.
    link_rate : float, optional
        Weight per metre of what joins places.
    ways : str
        The ways of OpenStreetMap to read.
    zero_is_no_edge : bool, optional
        Whether a zero in a matrix means that there is no edge.
    correlations : bool
        Whether a matrix holds correlations.
    collapse : bool
        Whether equal points of a matrix become one vertex.
    drop : sequence of str
        Series that are left out.
    min_periods : int, optional
        Minimum number of rows in which two series have values.
    format : str, optional
        The format that the caller names.
    bad_rows : str
        "error", or "skip" to leave out malformed rows of a text.
    keep : sequence of str or int
        More columns that are read, by name or position; Ellipsis for all columns.
    """

    columns: str | tuple[str | int, ...] | None = None
    header: bool | None = None
    one_based: bool | None = None
    n: int | None = None
    unweighted: bool = False
    names: bool | None = None
    layer: str | None = None
    missing: str = "error"
    default: float | None = None
    node: bool | float = False
    attach: Any = None
    tolerance: float | None = None
    rate: str | None = None
    link_rate: float | None = None
    ways: str = "cars"
    zero_is_no_edge: bool | None = None
    correlations: bool = False
    collapse: bool = False
    drop: str | Sequence[str] = ()
    min_periods: int | None = None
    format: str | None = None
    bad_rows: str = "error"
    keep: Any = ()

    @classmethod
    def of(cls, given: Mapping[str, Any], *more: str) -> Options:
        """Take the arguments of a function that reads edges; an error says what to write for a wrong one.

        The function has other arguments, too.
        """
        known = *ROLES, *more, *(name for name in cls._fields if name not in more)
        for name in given:
            if name not in known:
                named = f": pass {argument('columns', ('U', 'V', 'WEIGHT'))}"
                close = named if name in ("u", "v", "w", "usecols") else did_you_mean(name, known)
                raise OptionError(f"there is no option {name}{close}; the options are {', '.join(known)}")
        others = {name: value for name, value in given.items() if name not in ROLES}
        return cls(**{**others, "columns": columns_by_role(given)})

    def checked(self) -> Options:
        """Return the options in their plain types; raise `OptionError` for a value of another type."""
        columns, keep = ((x,) if isinstance(x, str) else x for x in (self.columns, self.keep))
        given = {name: getattr(self, name) for name in FLAGS}
        plain: dict[str, Any] = {name: flag(name, x) for name, x in given.items() if x is not None}
        plain["node"] = flag_or_number("node", self.node)
        for name, each in ("columns", columns), ("keep", keep):
            kinds = str | Integral | (NoneType if name == "columns" else str)
            listed = isinstance(each, Sequence) and all(isinstance(c, kinds) for c in each)
            if not (listed or each is None or each is ...):
                raise OptionError(f"{name} must be names or positions, as (0, 1, 2), got {shown(each)}")
        for name, kind in ("layer", str | None), ("ways", str):
            if not isinstance(value := getattr(self, name), kind):
                raise OptionError(f"{argument(name)} must be a text, got {shown(value)}")
        of_series = ("pairwise", "ffill") if is_of_series(self.format) else ()
        if isinstance(self.missing, str) and self.missing in ("pairwise", "ffill") and not of_series:
            way = f"pass {argument('format', 'prices')}, or returns"
            raise OptionError(f"{argument('missing', self.missing)} is for time series: {way}")
        plain["drop"] = (self.drop,) if isinstance(self.drop, str) else tuple(self.drop)
        check_missing_options(self.missing, self.default, (*MISSING, *of_series))
        one_of("bad_rows", self.bad_rows, ("error", "skip"))
        if self.n is not None:
            plain["n"] = integer("n", self.n, 0, MAX_VERTICES)
        return self._replace(**plain, columns=columns, keep=keep if keep is ... else tuple(keep or ()))

    @property
    def fills_gaps(self) -> bool:
        """Whether rows may lack an end or a weight."""
        return fills_gaps(self.missing, self.default)

    def names_set(self) -> set[str]:
        """Return the names of the options that are set."""
        return {name for name in self._fields if getattr(self, name) is not self._field_defaults[name]}


class EdgeTable(NamedTuple):
    """The edges of a file: of a graph, or of a forest of a graph.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v, w : (m,) arrays
        Ends and weight of each edge.
    edges : (m,) integer array, optional
        The index in the graph of each edge of a forest.
    names : (n,) array or StoredNames, optional
        The name of each vertex.
    graph : Graph, optional
        The graph, which may have places of vertices, or have been made of lines.
    first_id : 0 or 1, optional
        The id of the first vertex in the file, or in one that is written; None if a file does not say it, and
        its ids were taken as they are.
    title : str
        What a format with a title calls the edges: the name of the written file, without its ending.
    edge_columns : dict, optional
        More columns of a forest, as `EdgeSet.edge_columns`.
    vertex_columns : sequence of (name, list)
        Columns of vertices, with None where there is no value.
    maximum : bool, optional
        Whether a forest is a maximum one.
    """

    n: int
    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    edges: NDArray[np.int64] | None = None
    names: Any = None
    graph: Any = None
    first_id: int | None = 0
    title: str = "edges"
    edge_columns: dict[str, Any] | None = None
    vertex_columns: Sequence[tuple[str, list[Any]]] = ()
    maximum: bool | None = None

    @classmethod
    def of(cls, graph_or_forest: Any) -> EdgeTable:
        """Take the edges of a graph, in any form that the solver accepts, or of a forest or a tree."""
        if isinstance(graph_or_forest, cls):
            return graph_or_forest
        if isinstance(graph_or_forest, EdgeSet):
            tree, graph = graph_or_forest, graph_or_forest.graph
            u, v, w, edges = map(on_host, (tree.u, tree.v, tree.w, tree.edges))
            names = getattr(graph, "stored_names", None)
            names = graph.names if names is None else names
            maximum = getattr(tree, "maximum", graph.annotations.written_as[1])
            more: Any = {"edge_columns": tree.edge_columns, "maximum": maximum}
            return cls(int(graph.n), u, v, w, edges, names, graph, graph.first_id, **more)
        graph = to_host(as_part_of_graph(graph_or_forest).compacted())
        about: Any = {"graph": graph, "first_id": graph.first_id, "maximum": graph.annotations.written_as[1]}
        return cls(int(graph.n), graph.u, graph.v, graph.w, None, graph.names, **about)

    @property
    def coordinates(self) -> NDArray[Any] | None:
        """The place of each vertex, None if they have none; ``graph.system`` has their meaning."""
        return None if self.graph is None else self.graph.coordinates

    @property
    def base(self) -> int:
        """The number that files add to the vertices: 0 where they hold names."""
        return 0 if self.names is not None else self.first_id or 0

    def counted_like(self, graph: Any) -> EdgeTable:
        """Return the table with vertices from 0, if the file did not say where its ids begin.

        They are assumed to begin where the ids of the graph begin. A table with indices of edges may instead
        come from Python, and count from 0: an id 0 shows this, and the ends are not changed.

        Parameters
        ----------
        graph : object
            The graph that has these ids; its ``first_id`` is the first id in the file.

        Raises
        ------
        GraphError
            An id is below the first one.
        """
        if self.first_id is not None or self.names is not None or not graph.first_id:
            return self
        if self.edges is not None and any((np.asarray(ends) == 0).any() for ends in (self.u, self.v)):
            return self
        for ends in self.u, self.v:
            if (row := first_true(np.asarray(ends) < graph.first_id)) is not None:
                raise GraphError(
                    f"{item_text(ROW, row, ends[row])} is not an id: ids of the graph begin at 1"
                )
        u, v = (np.asarray(ends) - np.asarray(ends).dtype.type(graph.first_id) for ends in (self.u, self.v))
        return self._replace(u=u, v=v, n=max(self.n - graph.first_id, 0), first_id=graph.first_id)

    def more_columns(self, rows: slice) -> dict[str, Any]:
        """Return columns of the edges of a forest: lists of the members that they join, and arrays."""
        numbers = {name: column[rows] for name, column in (self.edge_columns or {}).items()}
        if self.graph is None or self.edges is None:
            return numbers
        return {**self.graph.annotations.members_of(self.edges[rows], *ROLES[:2]), **numbers}

    def row_batches(self, most: int) -> Iterator[slice]:
        """Return the batches of rows to convert at once; few, as each may read names from a file."""
        most = max(most, self.m // TABLE_BATCHES)
        return (slice(start, start + most) for start in range(0, self.m, most))

    @property
    def implied_n(self) -> int:
        """The number of vertices unless the last ones are isolated."""
        return implied_n(self.u, self.v)

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.w.size

    def cannot_hold(self, i: int, reason: str) -> FormatError:
        """Make the error about an edge that a format cannot hold."""
        ends = ends_text(None, self.u[i], self.v[i], self.base)
        return FormatError(f"edge {i} {ends} {reason}; choose another format")

    def portable_weights(self) -> NDArray[Any]:
        """Return the weights as integers or float64, in which text and most binary formats hold them exactly.

        Raises
        ------
        FormatError
            A weight of more than 64 bits has no exact float64.
        """
        w = self.w
        if w.dtype.kind != "f":
            return w
        doubles = w.astype(np.float64)
        if w.dtype.itemsize > 8 and (i := first_true(doubles != w)) is not None:
            raise FormatError(
                f"the weight {w[i]} of edge {i} has no exact float64, and the format holds no wider type; "
                "round weights to float64, or choose another format"
            )
        return doubles


def weight_1() -> str:
    """Return the advice of an error about edges without weights, if the option can be passed."""
    return hint("; pass {unweighted} for weight 1", unweighted=True)


def implied_n(u: NDArray[Any], v: NDArray[Any]) -> int:
    """Return one more than the largest end of edges."""
    return max((int(ends.max()) + 1 for ends in (u, v) if ends.size), default=0)
