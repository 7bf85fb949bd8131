"""pandas, Arrow and polars: convert a forest to a table with a row per edge, and such a table to a graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from types import NoneType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, shown_names, warn
from boruvka.graph import labels
from boruvka.graph.columns import list_column, listed, read_column, read_weights
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph, MatrixGraph
from boruvka.graph.names import integer_names, name_hint, number_of_name, numbers_of
from boruvka.graph.no_values import check_missing_options, fills_gaps, is_missing, warn_of_names
from boruvka.interop import missing_values
from boruvka.interop.as_graph import named
from boruvka.interop.column_names import Costs, call_for_columns, choose_column_names, cost_columns
from boruvka.interop.missing_values import RowCounts
from boruvka.interop.python_values import at_most_64_bits
from boruvka.runtime.libraries import pa, pd, pl


class SourceTable(NamedTuple):
    """The table that a graph was made from."""

    frame: Any
    """A frame, a dict of columns, or a function that reads this."""
    columns: list[str]
    """Those of the ends and the weights."""
    rows: NDArray[np.int64] | None
    """The row of each edge; None if edge i is row i."""
    indices: NDArray[np.int64] | None = None
    """The edges that have rows, ascending; None for all."""
    names: Sequence[str] = ()
    """The names of all columns that a function would read."""
    hidden: tuple[NDArray[np.intp], Any, NDArray[np.bool_]] | None = None
    """Lines where a piece of another one counts: rows of the pieces, a frame, and which lines are dearer."""

    def __reduce__(self) -> Any:
        """Copy the table with the rows of a relation of DuckDB, which only its connection has."""
        frame = self.frame.to_arrow_table() if hasattr(self.frame, "to_arrow_table") else self.frame
        return SourceTable, (frame, *self[1:])

    def loaded(self) -> SourceTable:
        """Return the table with its frame, which is read if it is not yet."""
        return self._replace(frame=self.frame()) if callable(self.frame) else self

    def rows_of(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of edges."""
        edges = edges if self.indices is None else np.searchsorted(self.indices, edges)
        return edges if self.rows is None else self.rows[edges]

    def of_edges(self, edges: NDArray[np.int64]) -> SourceTable:
        """Return the table of some of the edges, which get new numbers."""
        return self._replace(rows=self.rows_of(edges), indices=None)

    @property
    def index(self) -> Any:
        """The index of a frame of pandas; None of other tables."""
        return self.frame.index if labels.is_pandas(self.frame) else None

    def take(self, name: str, edges: NDArray[np.int64]) -> Any:
        """Return the values of a column for edges, as a column of pandas or polars."""
        frame = self.loaded().frame
        names = column_names(frame)
        if names.count(name) != 1:
            known = shown_names(names) + name_hint(dict.fromkeys(names, 0), name)
            raise OptionError(f"there is no column {shown(name)}; the columns are {known}")
        (column,) = _columns_of(_with_columns(frame, [name]), [name])
        return labels.take_rows(column, self.rows_of(edges))

    def with_more(self, m: int, table: SourceTable | None) -> JoinedTable | None:
        """Add the edges of another table, or of none, to m edges of this one; None for lines of a map."""
        parts = self.columns, (self, table), np.array([0, m])
        return None if hasattr(self.frame, "geometry") else JoinedTable(*parts)


class JoinedTable(NamedTuple):
    """The tables of edges to which others were added; columns are joined when they are asked for."""

    columns: list[str]
    """The columns of the ends and the weights in the first table."""
    parts: tuple[Any, ...]
    """Each a `SourceTable`; None for edges that are not rows of a table."""
    starts: NDArray[np.int64]
    """The first edge of each part."""

    @property
    def frame(self) -> Any:
        """The frame of the first table."""
        return self.parts[0].frame

    def with_more(self, m: int, table: SourceTable | None) -> JoinedTable:
        """Add the edges of another table, or of none, to the m edges of these."""
        return self._replace(parts=(*self.parts, table), starts=np.append(self.starts, m))

    def loaded(self) -> JoinedTable:
        """Return the tables with their frames, which are read if they are not yet."""
        return self._replace(parts=tuple(table and table.loaded() for table in self.parts))

    def of_edges(self, edges: NDArray[np.int64]) -> JoinedTable:
        """Return the table of some of the edges, ascending, which get new numbers."""
        parts = tuple(table and table.of_edges(own) for table, own in self._split(edges))
        return self._replace(parts=parts, starts=np.searchsorted(edges, self.starts))

    def take(self, name: str, edges: NDArray[np.int64]) -> Any:
        """Return the values of a column for edges, ascending; None for those whose table does not have it.

        In polars, values of different types are texts, unless one type of numbers holds all of them exactly.
        """
        joined = self.loaded()
        has_it = [table is not None and name in column_names(table.frame) for table in joined.parts]
        first = joined.parts[has_it.index(True) if True in has_it else 0].take(name, edges[:0])
        parts = [
            table.take(name, own) if known else [None] * own.size
            for (table, own), known in zip(joined._split(edges), has_it, strict=True)
        ]
        if labels.is_pandas(first):
            return new_frame("columns", {name: [x for part in parts for x in list_column(part)]})[name]
        columns = [pl.Series(name, part) for part in parts]
        kinds = {x.dtype for x in columns if x.count()}
        one: Any = next(iter(kinds), pl.Null)
        with _errors_of_library(f"the columns {shown(name)} of both tables cannot be joined"):
            if len(kinds) > 1:
                one = pl.Int64 if all(kind.is_integer() for kind in kinds) else pl.Float64
                back = (x.cast(one, strict=False).cast(x.dtype, strict=False) for x in columns)
                is_exact = all(y.eq_missing(x).all() for y, x in zip(back, columns, strict=True))
                one = one if is_exact and all(kind.is_numeric() for kind in kinds) else pl.String
            return pl.concat([x.cast(one) for x in columns])

    @property
    def index(self) -> Any:
        """The labels of the rows of all frames of pandas, or their numbers if a label is there twice."""
        indices: list[Any] = [None if table is None else table.index for table in self.parts]
        if any(index is None for index in indices):
            return None
        joined = indices[0].append(indices[1:])
        return joined if joined.is_unique else pd.RangeIndex(joined.size)

    def rows_of(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of edges, ascending, in the frames of pandas one after the other."""
        first = np.cumsum([0, *(len(table.frame) for table in self.parts)])
        parts = zip(self._split(edges), first, strict=False)
        return np.concatenate([start + table.rows_of(own) for (table, own), start in parts])

    def _split(self, edges: NDArray[np.int64]) -> Iterator[tuple[Any, NDArray[np.int64]]]:
        """Yield each table, and its edges among some, as they are numbered in it."""
        of_parts = np.split(edges, np.searchsorted(edges, self.starts[1:]))
        parts = zip(self.parts, of_parts, self.starts, strict=True)
        return ((table, own - start) for table, own, start in parts)


def to_frame(forest: EdgeSet, library: str, columns: Iterable[str] = ()) -> Any:
    """Make a table of the edges of a forest: of pandas, polars, or else of Arrow."""
    source, graph = forest.graph.annotations.table, forest.graph
    more = [columns] if isinstance(columns, str) else listed("columns", columns)
    if more and source is None:
        raise OptionError(
            f"columns={shown(more)} name columns of a frame, but the graph was not made from one"
        )
    first, second, weight = source.columns if source else graph.annotations.columns
    w = forest.w if library == "pandas" else at_most_64_bits(forest.w)
    ids = graph.shown_id
    data = {"edge": forest.edges, first: ids(forest.u), second: ids(forest.v), weight: w}
    data |= graph.annotations.members_of(forest.edges, first, second)
    data |= {name: x for name, x in forest.edge_columns.items() if name not in data}
    if more:
        source = source.loaded()
        more = [name for name in more if name not in data or name in column_names(source.frame)]
    data |= {name: source.take(name, forest.edges) for name in more}
    of_rows = None if source is None or library != "pandas" else source.index
    if of_rows is not None:
        return frame_of_columns(library, data, of_rows[source.rows_of(forest.edges)])
    index = None if getattr(graph, "base", graph) is graph else forest.edges
    first = source.parts[0] if isinstance(source, JoinedTable) and library == "pandas" else None
    if first and first.index is not None and not (first.rows is None and labels.is_numbering(first.index)):
        warn("edges were added that are not rows of a frame: the index has the numbers of the edges")
    return frame_of_columns(library, data, index)


def frame_of_columns(library: str, columns: dict[str, Any], index: Any = None) -> Any:
    """Make a table of columns: of pandas, polars, or else of Arrow."""
    if library == "polars":
        return pl.DataFrame({name: _typed(pl.Series, name, x) for name, x in columns.items()})
    if library != "pandas":
        return pa.table({name: _typed(pa.array, name, x) for name, x in columns.items()})
    columns = {name: _plain_integers(x) for name, x in columns.items()}
    if index is not None:  # columns are in its order, whatever labels they have
        columns = {name: x.array if labels.is_pandas(x) else x for name, x in columns.items()}
    try:
        return pd.DataFrame(columns, index)
    except UnicodeEncodeError:  # a lone surrogate, which only a column of objects holds
        return pd.DataFrame({name: pd.Series(x, index, x.dtype) for name, x in columns.items()})


def _plain_integers(column: Any) -> Any:
    """Return an array of objects that are all integers, such as names, as an array of integers.

    A column of polars with nulls becomes a list, or an array of integers that may be missing.
    """
    if hasattr(column, "null_count") and column.null_count():
        return _exact_integers(column.to_list())
    if getattr(column, "dtype", None) != np.dtype(object) or {*map(type, column)} != {int}:
        return column
    array = np.array(column.tolist())
    return array if array.dtype.kind in "iu" else column  # others are too large for one type


def table_of_nodes(forest: EdgeSet) -> pd.DataFrame:
    """Return the table of `Forest.to_nodes` without metadata."""
    graph = forest.graph
    ends = np.concatenate([forest.u, forest.v]).astype(np.int64)
    columns = {
        "component": forest.labels,
        "degree": np.bincount(ends, minlength=graph.n),
        "size": np.ones(graph.n, np.int64) if graph.profiles is None else graph.profiles.sizes,
    }
    are_groups = graph.profiles is not None and graph.profiles.names is not None
    id = "vertex" if are_groups else labels.column_of_names(graph, columns)
    nodes: pd.DataFrame = frame_of_columns("pandas", {id: graph.name_of(np.arange(graph.n))} | columns)
    nodes.attrs = dict(labels.ORDER_OF_VERTICES)
    return nodes


def in_order_of_vertices(forest: EdgeSet, argument: str, table: Any) -> pd.DataFrame:
    """Make a frame with a row for each vertex of a table, or of a mapping of columns."""
    if not isinstance(table, Mapping):
        return _rows_of_vertices(forest, argument, table)
    columns, others = dict[str, Any](), dict[str, Any]()  # others have rows in one order
    for name, column in table.items():
        if isinstance(column, Mapping) or labels.is_pandas(column):
            labelled = pd.Series(dict(column)) if isinstance(column, Mapping) else column
            of_column = _rows_of_vertices(forest, f"{argument}[{shown(name)}]", labelled)
            columns[name] = of_column.iloc[:, 0]
        else:
            others[name] = column
    if others:
        columns |= _rows_of_vertices(forest, argument, new_frame(argument, others), has_index=False).items()
    return pd.DataFrame({name: columns[name] for name in table if name in columns})


def _rows_of_vertices(forest: EdgeSet, argument: str, table: Any, has_index: bool = True) -> pd.DataFrame:
    graph = forest.graph
    values, rows = labels.rows_by_label(graph, argument, table, forest.number_of_name, True, has_index)
    if labels.is_table(values) and not labels.is_pandas(values):  # of polars
        values = {name: values[name].to_list() for name in values.columns}
    frame = values if labels.is_pandas(values) and labels.is_table(values) else new_frame(argument, values)
    if frame.columns.nlevels > 1:
        raise GraphTypeError(f"{argument} has columns of {frame.columns.nlevels} levels: give each one name")
    if rows is None:
        rows = labels.rows_by_position(graph, argument, len(frame))
    labels.warn_of_missing(graph, argument, rows)
    return frame_of_rows(frame, rows)


def frame_of_rows(frame: pd.DataFrame, rows: NDArray[np.int64]) -> pd.DataFrame:
    """Take rows of a frame; -1 has no values, and integers stay exact beside it."""
    if (rows >= 0).all():
        return frame.iloc[rows].reset_index(drop=True)
    exact = frame.apply(lambda column: column.convert_dtypes() if column.dtype.kind in "iu" else column)
    return exact.reset_index(drop=True).reindex(rows).reset_index(drop=True)


def new_frame(argument: str, values: Any) -> pd.DataFrame:
    """Make a frame of columns, or of rows, of any types; integers beside None stay exact."""
    if isinstance(values, str) or hasattr(values, "__fspath__"):
        raise GraphTypeError(f"{argument} is a path: write {argument}=pandas.read_csv({shown(str(values))})")
    make_frame = pd.DataFrame  # without pandas, the error is not one of the table
    with _errors_of_library(f"{argument} cannot be read as a table"):
        if isinstance(values, Mapping):
            values = {name: _exact_integers(column) for name, column in values.items()}
        return make_frame(values)


def _exact_integers(column: Any) -> Any:
    """Make a column of integers of a list of integers and None, which pandas would round to floats."""
    if not isinstance(column, list | tuple) or set(map(type, column)) != {int, NoneType}:
        return column
    try:
        return pd.array(column, dtype="Int64")
    except OverflowError:
        return pd.array(column, dtype=object)


def frame_of_vertices(
    graph: Graph, columns: dict[str, NDArray[np.int64]], change: Callable[[dict[str, Any]], dict[str, Any]]
) -> Any:
    """Make a frame of columns of vertices, of the library of the frame that the graph was made from.

    Vertices are in the first column, see `column_of_names`. If profiles were collapsed, there is a row for
    each, whose names are in this column, and vertices in the next one. A function changes the columns.
    """
    table, profiles = graph.annotations.table, graph.profiles
    library = type(getattr(table, "frame", None)).__module__.partition(".")[0]
    library = "pandas" if library in ("builtins", "functools") else library
    named = {name: graph.shown_id(vertices) for name, vertices in columns.items()}
    if profiles is None or profiles.names is None:
        names = named.pop("vertex")
    else:
        names, named = profiles.names, {name: of[profiles.vertex_of] for name, of in named.items()}
    named = {labels.column_of_names(graph, named): names} | named
    # A frame of geopandas is one of pandas.
    return frame_of_columns(library.removeprefix("geo"), change(named))


def graph_from(
    frame: Any,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    n: int | None = None,
    names: bool | Iterable[Hashable] | None = None,
    missing: str = "error",
    default: float | None = None,
) -> Graph:
    """Make a graph from a table with a row per edge; edges are numbered in the order of the rows.

    The graph keeps the table: `Forest.to_pandas` and its like use the names of its columns. A frame of pandas
    whose rows and columns have the same labels is a matrix of distances, see `Graph.from_distances`; so is a
    frame of polars whose first column has the names of the others, or which is symmetric.

    Parameters
    ----------
    frame : table
        A frame of pandas or polars (also lazy), a table, record batch or reader of Arrow, or a relation of
        DuckDB, which has no order unless its query sorts.
    source, target : str, optional
        The columns that hold the ends of each edge: integers from 0, or names, such as strings. By default
        columns with known names, such as source, target, or from, to.
    weight : str, optional
        The column that holds the weights, integers or floats; by default weight, w, cost, distance, length or
        value.
    n : int, optional
        Number of vertices, if the ends are integers; by default one more than the largest.
    names : bool or iterable of n names, optional
        As for `Graph.from_edges`: True if integers are names too. If the names in a list are integers, such
        as ids of records, so are the ends.
    missing : str
        The rule for rows that have no end or no weight (null, None, NaN or a blank text): "error", or "drop"
        to leave them out; edges are then numbered without them.
    default : number, optional
        The weight of edges that have none.

    Returns
    -------
    Graph

    Raises
    ------
    GraphError, GraphTypeError
        The columns do not make a graph (see `Graph`): a value is missing, for example; or the argument
        is not a table.
    OptionError
        There is no such column, or none has a known name.

    Warns
    -----
    GraphWarning
        Rows are left out, or a column reverse_cost differs from cost: a negative one closes a direction;
        or a vertex has a name, such as "NA", that may mean that an end is missing; or two names write one
        number, as "101.0" and "101".

    Examples
    --------
    >>> import polars
    >>> roads = polars.DataFrame({"from": ["Bonn", "Ulm"], "to": ["Ulm", "Kiel"], "km": [440, 810]})
    >>> graph_from(roads, weight="km").names.tolist()
    ['Bonn', 'Ulm', 'Kiel']
    """
    check_missing_options(missing, default)
    frame = frame.read_all() if hasattr(frame, "read_all") else frame  # a reader of Arrow is read once only
    if all(each is None for each in (source, target, weight, n)) and is_square_frame(frame):
        return _graph_of_matrix(frame, names, missing, default)
    labels.check_labels_are_index(frame, is_matrix=False)
    columns = edge_columns(frame, source, target, weight, missing, default)
    try:
        u, v, w = columns.read()
        names = listed("names", names) if isinstance(names, Iterator) else names
        if (ids := integer_names(u, v, names)) is not None:
            numbers, n = number_of_name(ids), ids.size if n is None else n
            names, (u, v) = ids, (numbers_of(numbers, *x, "names") for x in (("u", u), ("v", v)))
        graph = Graph.from_edges(u, v, w, n=n, names=names)
    except GraphError as error:
        gaps = [missing_values.missing_in(column) for column in _columns_of(columns.table, columns.names)]
        if missing == "error" and any(gap.any() for gap in gaps):
            raise GraphError(f"{error}; in all, {RowCounts.of(gaps).complaint()}") from None
        raise
    columns.row_counts.warn(graph.m, columns.costs)
    warn_of_names(graph.names)
    return graph.annotated(table=SourceTable(frame, columns.names, columns.rows))


def is_square_frame(frame: Any) -> bool:
    """Return whether a frame is a matrix: of pandas, it has the same labels in its rows and columns.

    A frame of polars has them in its first column too, or it is symmetric. Three rows of numbered columns, or
    of polars, may also be edges (u, v, w).
    """
    if not labels.is_table(frame) or not frame.shape[0]:
        return False
    if labels.is_pandas(frame):
        is_square = frame.shape[0] == frame.shape[1] and labels.has_same_labels(frame)
        return is_square and set(map(labels.label_text, frame.index)) != {"0", "1", "2"}
    matrix, _ = labels.labelled_matrix(frame)
    if matrix is not frame:
        return True
    is_square = frame.width == frame.height != 3 and all(x.is_numeric() for x in frame.dtypes)
    array = frame.to_numpy() if is_square else np.empty((0, 1))
    return is_square and np.array_equal(array, array.T, equal_nan=array.dtype.kind == "f")


def _graph_of_matrix(frame: Any, names: Any, missing: str, default: float | None) -> Graph:
    """Make a graph of a matrix of distances; whether a zero is a distance must be stated."""
    graph = Graph.from_distances(frame, missing=missing, default=default)
    matrix = graph.matrix if isinstance(graph, MatrixGraph) else labels.labelled_matrix(frame)[0].to_numpy()
    is_zero = matrix == 0
    if zeros := np.count_nonzero(is_zero) - np.count_nonzero(np.diagonal(is_zero)):
        raise GraphError(
            f"{zeros:,} entries off the diagonal are zero: write boruvka.Graph.from_distances(frame) if they "
            "are distances, boruvka.Graph.from_dense(frame) if they are not edges"
        )
    return named(graph, names)


class EdgeColumns(NamedTuple):
    """The columns of edges of a table."""

    columns: tuple[Any, ...]
    names: list[str]
    """The names of the columns of the ends and the weights."""
    table: Any
    """The table, with these columns in memory."""
    rows: NDArray[np.int64] | None
    """The row of each edge; None if edge i is row i."""
    row_counts: RowCounts
    """Counts of the rows that are left out, by what they lack."""
    costs: Costs | None
    """The columns of weights and of costs of the other direction, if there are both."""

    def read(self) -> tuple[Any, Any, Any]:
        """Return u, v and w as `read_column` does."""
        u, v, w = self.columns
        return read_column("u", u), read_column("v", v), read_weights("w", w)


def edge_columns(
    frame: Any,
    source: str | None,
    target: str | None,
    weight: str | None,
    missing: str = "error",
    default: float | None = None,
) -> EdgeColumns:
    """Extract the columns of edges from a table; it takes the parameters of `graph_from`."""
    known = column_names(frame)
    chosen = choose_column_names(known, (source, target, weight), partial(_unknown_columns, frame, known))
    costs = cost_columns(known, chosen[2:])
    table, rows, counts = _with_columns(frame, [*chosen, *(costs or ())[1:]]), None, RowCounts()
    columns: tuple[Any, ...] = tuple(table[name] for name in chosen)
    if fills_gaps(missing, default):
        columns, rows, counts = missing_values.filled(_columns_of(table, chosen), missing, default)
    if costs is not None:
        (other,) = _columns_of(table, [costs.other])
        columns, rows, counts = missing_values.open_roads(costs, columns, other, rows, counts)
    return EdgeColumns(columns, chosen, table, rows, counts, costs)


def _columns_of(table: Any, names: list[str]) -> tuple[Any, ...]:
    """Return columns of a table as columns of pandas or polars."""
    columns = (table[name] for name in names)
    if type(table).__module__.startswith("pyarrow"):
        columns = (pl.Series(pl.from_arrow(column)) for column in columns)
    return tuple(columns)


def _unknown_columns(frame: Any, columns: list[str], problem: str) -> OptionError:
    way = f"write {call_for_columns(columns)}"
    if "geometry" in columns:
        way = "lines are those of a geopandas.GeoDataFrame, or of a file: boruvka.read('lines.gpkg')"
    elif any(map(is_missing, getattr(frame, "index", ()))):
        way += f"; {labels.READ_AS_MISSING}"
    elif "source=..." in way:
        way += "; points are boruvka.Graph.from_points(frame), a matrix boruvka.Graph.from_distances(frame), "
        way += "series boruvka.rolling_forests(frame, len(frame))[0], of prices "
        way += (
            "boruvka.rolling_forests(frame, len(frame) - 1, prices=True)[0]; with both ends in one column, "
        )
        way += "[(*ends, w) for ends, w in frame.to_numpy().tolist()], of 'A-B' with ends.split('-')"
    return OptionError(f"{problem}; {way}")


def column_names(frame: Any) -> list[str]:
    """Return the names of the columns of a table; raise a `GraphTypeError` for anything else."""
    if isinstance(frame, dict):
        return list(frame)
    if hasattr(frame, "collect_schema"):  # a lazy frame of polars
        with _errors_of_library():
            return frame.collect_schema().names()
    for names in (lambda: frame.column_names, lambda: frame.columns, lambda: frame.schema.names):
        with suppress(AttributeError):
            return list(names())
    raise GraphTypeError(
        "expected a frame of pandas or polars, an Arrow table or a DuckDB relation, got "
        f"{type(frame).__name__}"
    )


def _with_columns(frame: Any, columns: list[str]) -> Any:
    """Load only the columns of edges of a table into memory."""
    with _errors_of_library():
        if hasattr(frame, "collect"):
            return frame.select(columns).collect()
        if hasattr(frame, "scanner"):  # a dataset of Arrow
            return frame.to_table(columns)
        if hasattr(frame, "to_arrow_table"):  # a relation of DuckDB
            quoted = ('"' + name.replace('"', '""') + '"' for name in columns)
            return frame.project(", ".join(quoted)).to_arrow_table()
        return frame.read_all() if hasattr(frame, "read_all") else frame


@contextmanager
def _errors_of_library(problem: str = "the table cannot be read") -> Iterator[None]:
    """Turn what a library raises while it makes a table into a `GraphTypeError`."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # of any library
        raise GraphTypeError(f"{problem}: {error}") from error


def _typed(make: Callable[[Any], Any], name: str, column: Any) -> Any:
    """Make a column of one type; pyarrow and polars convert some mixtures silently."""
    items = column.tolist() if isinstance(column, np.ndarray) and column.dtype == object else column
    if not isinstance(items, list):
        return make(column)
    kinds = {type(item) for item in items}
    error: object = f"there are {', '.join(sorted(kind.__name__ for kind in kinds))}"
    if len(kinds) <= 1:
        try:
            return make(np.array(items) if items and isinstance(items[0], np.generic) else items)
        except (TypeError, ValueError, ArithmeticError, NotImplementedError) as reason:
            error = reason
    raise GraphTypeError(
        f"the names in the column {name} have no type that it can hold: {error}; to_pandas takes any names, "
        "and graph.with_names(map(str, graph.names)) makes them strings"
    )
