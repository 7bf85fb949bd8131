"""Read graphs, chunks of files, and forests from files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import (
    BoruvkaError,
    FormatError,
    GraphError,
    GraphTypeError,
    OptionError,
    without_warnings,
)
from boruvka.formats.advice import advising, in_other_notation
from boruvka.formats.edge_file import EdgeBatch, EdgeFile, FileChunk
from boruvka.formats.edge_lookup import check_edge_indices, with_vertices_of
from boruvka.formats.edge_table import EdgeTable, Options, ReadOptions, is_of_series
from boruvka.formats.files import File, InputFile, file_name
from boruvka.formats.format import errors_of_file
from boruvka.formats.points import read_profile_graph
from boruvka.formats.registry import choose_format, format_to_read
from boruvka.formats.table_columns import EDGE_INDEX, holds_windows, refuse_windows
from boruvka.graph.columns import list_column
from boruvka.graph.derived_graphs import MaskedGraph
from boruvka.graph.edge_lookup import ROW, find_edges, find_entries
from boruvka.graph.graph import EdgeListGraph, Graph, MatrixGraph
from boruvka.graph.no_values import warn_of_alike_names
from boruvka.graph.text_dates import label_text, number_of_label, numbers_of_labels, place_of_dates, preceding
from boruvka.graph.validation import check_maximum
from boruvka.interop.data_frames import SourceTable
from boruvka.runtime.arguments import argument, flag, taking
from boruvka.runtime.progress import Listener, ignore, listening, report

if TYPE_CHECKING:
    from boruvka.trees.forest_batch import ForestBatch

_Result = TypeVar("_Result")
_OF_PROFILES = "no_allele", "not_loci", "max_missing", "max_missing_loci", "drop"
_WITH_PROFILES = "format", "columns", "header", "missing", "collapse", *_OF_PROFILES
"""Options for profiles only, and all for reading profiles."""


def read(
    path: File | list[File] | tuple[File, ...],
    *,
    profiles: bool = False,
    loci: Sequence[str | int] | None = None,
    no_allele: str | Iterable[str] = (),
    not_loci: str | Iterable[str] | None = None,
    max_missing: float | None = None,
    max_missing_loci: float | None = None,
    date: Any = None,
    progress: bool | Listener = False,
    **options: Unpack[ReadOptions],
) -> Graph:
    """Read a graph from a file.

    Every line or entry of the file becomes an edge of the graph, in the order of the file; a file
    that lists both directions of an edge gives parallel edges (except METIS and matrices of distances, which
    hold both and give one). Integers are read exactly, as int64, or as uint64 if they are larger; decimal
    fractions are rounded to the nearest float64. Columns of decimals must be exact: see ``docs/formats.md``.

    Parameters
    ----------
    path : path-like or binary file
        The file; gzip, Zstandard, bzip2 and xz data is decompressed. A file object, such as
        ``sys.stdin.buffer``, is read to its end. A list of files is for profiles, which are joined by the
        names of loci.
    format : str, optional
        The name of a format of `FORMATS`; by default the ending of the file decides, and the content
        where the ending is one of tables or of no format, or two formats share it. The content of a file
        object decides.
    columns : str, or tuple of str or int, optional
        Columns of u, v and the weight: names of a header, or positions from 0. By default those with known
        names (u, v, w; source, target, weight; from, to, cost ...), or without a header the first three of
        three columns. For tables, edge lists, Parquet and Arrow.
    source, target : str, optional
        The columns of u and v, in place of ``columns``, as for `as_graph`.
    weight : str, optional
        The column or the attribute of edges that is the weight, such as ``"cost"``. For tables with names of
        columns, edge lists, Parquet, Arrow, GraphML, GEXF, GML, JSON and vector maps.
    header : bool, optional
        Whether the first line names the columns; by default it does if no field of it is a number.
        For tables and edge lists.
    one_based : bool, optional
        Whether ids begin at 1: by default as the file says if boruvka wrote it, else no. For tables, edge
        lists, Parquet and Arrow; other formats define it. Arrays of the graph count from 0 in any case, and
        files that are written of it count as this one does.
    n : int, optional
        The number of vertices; by default what the file states, else one more than the largest id.
        For tables, edge lists, Parquet and Arrow.
    unweighted : bool
        Read no weights: every edge has weight 1 (uint8). Without it, a file that has no weights is an
        error. For formats that may lack weights.
    names : bool, optional
        Whether ids are names of vertices. Names are numbered in the order of first appearance, in column u
        and then in v; `Graph.names` holds them. By default ids are names if the ids of the first edge are not
        whole numbers; in Parquet, if they are strings. Pass True if whole numbers are names too, such as
        large ids with gaps: then names are integers if all ids are. For tables, edge lists, matrices and
        Parquet. npz holds names beside the vertices.
    layer : str, optional
        Layer of lines that is read, if a file has several, as of ``"city.gpkg:streets"``. For vector maps.
    missing : str
        What to do with rows that have no end or no weight: "error", or "drop" to leave them out; edges are
        then numbered without them. For tables, edge lists, Parquet, Arrow, GraphML, GEXF, GML, Pajek and
        JSON. In a matrix, pairs without a value never become edges.
    default : number, optional
        The weight of edges that have none. For these formats, and matrices.
    bad_rows : str
        The rule for malformed rows of a text, with another number of fields or no number where one must be:
        "error", or "skip" to leave them out; a warning has the first and their number. For tables and edge
        lists.
    keep : str, or sequence of str or int
        Columns, by name or position, that `Forest.to_pandas` and files of results have beside the edges.
        Columns of a text are texts. ``_given`` is added to names such as u and weight, which columns of edges
        have, and the position to a name that is there twice, as ``x_3``. For tables, edge lists, Parquet,
        Arrow and JSON lines.
    node : bool or number
        Split lines where they cross or touch, except bridges, if columns say which these are. Without it,
        lines are joined only at their ends. A number is a distance in metres at which ends are joined before.
        For vector maps.
    attach : path-like or geopandas.GeoDataFrame, or list of them, optional
        Places, or a map of points or polygons, or a table with columns of coordinates, which are in the
        reference system of the lines unless they are called longitude and latitude. Each place is joined to
        the nearest point of a line, which is split there, and they are `Graph.terminals`.
        `boruvka.interop.geopandas.graph_from` says how. Places of a
        file are named by a column ``id``, another one of names, such as ``name``, or the first column of
        different texts, else by numbers from 0. ``"city.gpkg:buildings"`` is a layer. For vector maps and
        OpenStreetMap, whose vertices are then named by their coordinates.
    tolerance : float, optional
        Greatest distance at which places are joined, in metres.
    rate : str, optional
        The column with the weight of a line per metre of its length, such as ``"dig_cost"``, in place of
        ``weight``. For vector maps.
    link_rate : float, optional
        The weight of what joins places, per metre; by default it weighs as much as its line. For vector maps
        and OpenStreetMap.
    ways : str
        Which ways are read: "cars", the public roads for cars; "all", every way with the tag highway; or
        values of this tag, such as "footway,path,steps". For OpenStreetMap.
    zero_is_no_edge : bool, optional
        Whether a zero in a matrix means that there is no edge, as in `Graph.from_dense`; else it is a
        distance, as in `Graph.from_distances`. By default the ending ``.adj`` says so, or boruvka wrote it.
        For matrices.
    correlations : bool
        The matrix holds correlations, whose distances are weights, as in `Graph.from_distances`.
    collapse : bool
        Make one vertex of points at distance 0 that are equally far from all others, with the name of the
        first. For matrices of distances, and profiles, of which equal ones are one vertex.
    profiles : bool
        The file holds allelic profiles, or aligned sequences (FASTA, PHYLIP), as for
        `boruvka.formats.points.read_profiles`: make the graph of all pairs, as `Graph.from_profiles` does.
        ``loci``, or ``columns``, are the loci, and ``missing`` is "error", "ignore", "scale" or "differ", the
        rule for loci without an allele. Of the other options only ``format``, ``header`` and ``collapse`` are
        for profiles.
    loci : sequence of str or int, optional
        The columns that are loci: names, positions from 0, or patterns such as "KP1_*". For profiles.
    no_allele : str, or iterable of str
        More texts that mean that a locus has no allele. For profiles.
    not_loci : str, or iterable of str, optional
        Columns that are no loci: names, or patterns such as "*date*". For profiles.
    max_missing : float, optional
        Maximum share of loci without an allele; strains with more are left out. For profiles.
    max_missing_loci : float, optional
        Maximum share of strains without an allele; loci with more are left out first. For profiles.
    drop : str, or iterable of str
        Names of strains, or of series, that are left out. For profiles, returns and prices.
    min_periods : int, optional
        Minimum number of rows in which two series have values, with ``missing="pairwise"``. For returns and
        prices.
    date : str or date, optional
        The window that is read, by its date or other label, of a table of several, as `boruvka windows` and
        `ForestBatch.to_pandas` write it. A series without an edge in this window is a vertex, too.
    progress : bool or callable
        True shows a progress bar, on a terminal or in a notebook, after half a second. A callable receives
        each `Progress` event in this thread; an exception that it raises stops the work.

    Returns
    -------
    Graph
        It has the numbers of vertices and edges that the file has.

    Raises
    ------
    FormatError
        No format has the ending, or the file is malformed; the message names file and line. Or a table holds
        the forests of several windows, and neither ``date`` names one, nor ``columns`` says that all are one
        graph.
    FileError
        The file cannot be opened or read, or does not fit into memory.
    OptionError
        There is no such format or column, the format does not take an option, or the content of a file object
        shows no format. A text may be edges or a matrix, or its zeros distances or no edges.
    MissingExtraError
        The library that reads the format is not installed.

    Warns
    -----
    GraphWarning
        Rows are left out, or a column reverse_cost differs from cost: a negative one closes a direction;
        or a vertex has a name, such as "NA", that may mean that an end is missing; or names
        differ by blanks, case or the form of Unicode only; or ids have gaps, or seem to begin at 1, and
        nothing says so. Or the file is taken for a matrix, its text is not UTF-8, or its
        numbers have decimal commas.
    """
    how = Options.of(options, "profiles", "loci", *_OF_PROFILES)
    given = locals() | how._asdict()
    if flag("profiles", profiles):
        if unused := {*how.names_set(), *["date"] * (date is not None)} - {*_WITH_PROFILES}:
            raise OptionError(f"{argument(min(unused))} is for edges: leave it out for profiles")
        given["columns"] = how.columns if loci is None else loci
        return read_profile_graph(path, **{name: given[name] for name in _WITH_PROFILES})
    for name in ("loci", *_OF_PROFILES):
        if given[name] not in (None, ()) and not (name == "drop" and is_of_series(how.format)):
            raise OptionError(f"{argument(name)} is for profiles: write {argument('profiles', True)} too")
    if isinstance(path, list | tuple):
        raise OptionError(
            f"several files are joined for profiles only: write {argument('profiles', True)} too"
        )
    with listening(progress):
        source, checked = InputFile(path), how.checked()  # a pipe is read once
        graph, names = _read(source, checked, lambda file: (file.graph(), file.column_names))
    warn_of_alike_names(None if is_of_series(how.format) else graph.names)  # those of series are compared
    if [*names].count("correlation") == 1 and graph.w.dtype.kind == "f":
        found = _columns_of_file(source, checked, graph.m, "correlation")
        graph = _with_correlations(graph, found["correlation"])
    if graph.annotations.table is None and isinstance(path, str | os.PathLike):
        table = partial(_columns_of_file, path, checked, graph.m)  # when a column is wanted
        columns = list(graph.annotations.columns)
        graph = graph.annotated(table=SourceTable(table, columns, None, names=names))
    if holds_windows(names, None if date is not None else checked.columns):
        return _one_forest(graph, names[0], _columns_of_file(source, checked, graph.m), source.path, date)
    if date is not None:
        raise OptionError(f"{source.path}: {argument('date', date)} is for what boruvka windows writes")
    return graph


def _one_forest(graph: Graph, label: str, columns: dict[str, Any], file: str, date: Any) -> Graph:
    """Return the edges of one of the forests in a table, as `boruvka windows` writes them.

    Without a date, raise an error if there are several.
    """
    labels = [x if hasattr(x, "year") else str(x) for x in columns[label]]
    known, rows = list(dict.fromkeys(labels)), len({*map(str, columns[EDGE_INDEX])})
    if date is None and (len(known) < 2 or min(len(known), rows) == graph.m):  # or both are ids of rows
        return graph
    if date is None:
        union = f"{argument('columns', graph.annotations.columns)} takes all edges as one graph"
        one = argument("date", label_text(known[-1]).strip("'"))
        problem = f"{file}: holds {len(known):,} forests, by the column {label!r}"
        raise FormatError(f"{problem}: {one} takes one; {union}")
    wanted = date if hasattr(date, "year") else str(date)
    k = number_of_label(numbers_of_labels(known), wanted)
    with suppress(BoruvkaError, ValueError):  # no period, or one of several windows
        (k,) = [k] if k is not None else np.atleast_1d(range(len(known))[place_of_dates(known, wanted)])
    if k is None:
        ends = " to ".join(map(label_text, [*known[:1], *known[-1:]])) + preceding(known, wanted)
        raise OptionError(f"{file}: {argument('date', date)} is not among the windows {ends}")
    others = [i for i, x in enumerate(labels) if x != known[k]]
    return MaskedGraph(graph, np.array(others, np.int64)).compacted()


def _with_correlations(graph: Graph, column: Any) -> Graph:
    """Say that weights were made of correlations if they are the distances of those in a column."""
    correlations = np.array(list_column(column))
    is_known = correlations.dtype.kind in "iuf" and np.allclose(1 - graph.w**2 / 2, correlations, 0, 1e-9)
    keep = tuple(name for name in graph.annotations.keep if name != "correlation")
    return graph.annotated(are_correlations=True, keep=keep) if is_known else graph


def _columns_of_file(path: File | InputFile, options: Options, m: int, *keep: str) -> dict[str, Any]:
    """Read all columns, or some, of a file of which m edges were read, with a row for each."""
    source = path if isinstance(path, InputFile) else InputFile(path)
    try:
        with without_warnings():
            edges = _read(source, options._replace(keep=keep or ...), lambda file: file.all_edges())
    except OptionError:
        raise OptionError(f"{source.path}: files of its format have no columns of edges") from None
    if edges.kept is None or edges.w.size != m:
        raise FormatError(f"{source.path}: was changed since it was read")
    return edges.kept


def read_windows(
    path: File, window: int, step: Any, method: str = "pearson", **options: Unpack[ReadOptions]
) -> ForestBatch:
    """Read a table of returns or prices, and find the forests of its windows, as `rolling_forests` does.

    Raises
    ------
    FormatError, FileError, OptionError
        As for `read` and `rolling_forests`; or the format is another one.
    """
    source, checked = InputFile(path), Options.of(options).checked()
    if not is_of_series(checked.format):
        raise OptionError(f"windows are of time series: pass {argument('format', 'prices')} or returns")
    from boruvka.formats.libraries.series import forests_in

    return _read(source, checked, lambda _: forests_in(source, checked, window, step=step, method=method))


def read_chunk(
    path: str | bytes | os.PathLike[Any], chunk: FileChunk, **options: Unpack[ReadOptions]
) -> EdgeBatch:
    """Read one of several chunks of the edges of a file, as an MPI rank does.

    DIMACS, edge lists and tables are divided by bytes, and only the bytes of the chunk are read, unless the
    file is compressed. Parquet is divided by rows, npz by array entries. Files of other formats are read
    whole, and only the chunk is kept.

    Parameters
    ----------
    path : path-like
        The file.
    chunk : FileChunk
        The chunk.
    **options
        As for `read`.

    Returns
    -------
    EdgeBatch
        Weights of text are integers if all weights of the chunk are.

    Raises
    ------
    FormatError, FileError, OptionError
        As for `read`, as far as this chunk shows the error.
    """
    checked = Options.of(options).checked()
    refuse_columns(checked.keep)
    with listening(ignore):
        edges, file = _read(path, checked, lambda file: (file.chunk_edges(chunk), file))
    refuse_windows(file.column_names, checked.columns, file_name(path))
    return edges._replace(costs=file.costs)


def refuse_columns(keep: Any) -> None:
    """Raise an `OptionError` if columns are to be kept, which ranks do not."""
    if keep:
        raise OptionError(f"{argument('keep')} is not for ranks: look up the rows of the edges")


def read_forest(
    path: File,
    graph: Graph,
    *,
    format: str | None = None,
    columns: tuple[str | int, ...] | None = None,
    maximum: bool | None = None,
) -> NDArray[np.int64]:
    """Read a forest of a graph from a file written by `write`.

    Where the file states the indices of edges (csv, tsv, parquet, arrow, npz), these are returned; the ends
    and weights beside them must be the same as in the graph. In other formats edges are found by their ends,
    in either order, and their exact weight; equal rows match parallel edges in ascending order of index, and
    further ones the last of these, which `boruvka.verify` refuses.

    Where the vertices of the graph have names, tables, edge lists and Parquet hold these names. Numbers in a
    file that does not say whether they begin at 0 or 1 begin as those in the file of the graph.

    Edges of a file without weights are found by their ends alone; rows without an end, as of the root in a
    list of parents, are left out. So are edges of a matrix of 0 and 1, if these are not their weights. A zero
    in a matrix is no edge, unless the graph has a weight 0.

    Parameters
    ----------
    path : path-like or binary file
        The file.
    graph : Graph
        The graph that the forest belongs to.
    format : str, optional
        As for `read`.
    columns : tuple of str or int, optional
        The columns of the graph's file, as for `read`: used if this file has them all, or both ends.
        Positions are used only if its header does not show the columns.
    maximum : bool, optional
        Whether the forest is a maximum one, for the entries (i, j) and (j, i) of a matrix without weights; an
        error if the file says otherwise.

    Returns
    -------
    (k,) int64 array
        Indices of edges of the graph, in the order of the file. `boruvka.verify` checks that they are in
        range and form a forest.

    Raises
    ------
    GraphError
        An edge of the file is not in the graph; the message names the row.
    FormatError, FileError, OptionError
        As for `read`.
    """
    if not isinstance(graph, Graph):
        raise GraphTypeError(f"expected a graph, got {type(graph).__name__}")
    with taking("format"):
        source = InputFile(path)  # a pipe is read once
        table, how = _read_in_some_way(source, format, columns, graph)
    check_maximum((file_name(path), table.maximum), maximum)
    try:
        table = with_vertices_of(graph, table.counted_like(graph))
        if table.edges is not None:
            return check_edge_indices(table, graph)
        w: Any = None if "unweighted" in how else table.w
        find = find_entries if isinstance(table.graph, MatrixGraph) else find_edges
        return find(graph, ROW, table.u, table.v, w, bool(maximum))
    except GraphError as error:
        is_title = how.get("header") is False and f"{ROW.format(1)}: the vertex" in str(error)
        header = "; a header names the ends source and target" if is_title else ""
        notation = in_other_notation(source) if "unweighted" in how else ""
        raise type(error)(f"{source.path}: {error}{notation or header}") from None


def _read_in_some_way(
    source: InputFile, format: str | None, columns: tuple[str | int, ...] | None, graph: Graph | None
) -> tuple[EdgeTable, dict[str, Any]]:
    """Read a forest by the columns of its graph if it has them, by usual names, or without weights.

    Return the options that were passed, too.
    """
    ways: list[dict[str, Any]] = [{}]
    if columns is not None:
        at = 0 if str in map(type, columns) else 1  # a position may be of another column than in the graph
        ways[at:at] = {"columns": columns}, {"columns": columns[:2], "unweighted": True}
    failure: Exception = FormatError()
    for how in ways:
        try:
            table = _read_forest(source, format, graph, **how)
        except (FormatError, OptionError) as error:
            if how and isinstance(error, FormatError):  # these columns, with a wrong value
                raise
            failure = failure if how else error
        else:
            may_be_matrix = format is None and graph is not None and graph.n == table.m == 3
            if may_be_matrix and _matrix_size(source, graph, has_labels=False) == 3:
                either = " or ".join(argument("format", x) for x in ("matrix", "csv"))
                raise OptionError(f"{source.path}: 3 x 3 numbers may be a matrix or edges: pass {either}")
            return table, how
    is_named, is_wide = (x in str(failure) for x in ("no column of weights", "columns without names"))
    if not (is_named or is_wide or "cannot tell the ends of edges" in str(failure)):
        raise failure
    if _matrix_size(source, graph) > 2:  # fewer columns are of edges
        return _read_forest(source, "matrix", graph), {}
    if is_wide:
        raise FormatError(f"{failure}; of a matrix, pass {argument('format', 'matrix')}")
    how = {"unweighted": True, "header": None if is_named else False, "missing": "drop"}  # of a root
    return _read_forest(source, format, graph, **how), how


def _matrix_size(source: InputFile, graph: Graph | None, *, has_labels: bool = True) -> int:
    """Return the number of rows of a text that can be read as a matrix, with labels or without; else 0."""
    with suppress(FormatError, OptionError), without_warnings():
        table = _read_forest(source, "matrix", graph)
        return table.n if has_labels or table.names is None else 0
    return 0


def read_forest_edges(
    path: File, *, format: str | None = None, columns: tuple[str | int, ...] | None = None
) -> EdgeTable:
    """Read the edges of a forest with the indices that the file states, without its graph.

    Parameters
    ----------
    path : path-like or binary file
        The file.
    format, columns : optional
        As for `read_forest`.

    Raises
    ------
    FormatError
        The file states no indices of edges.
    FileError, OptionError
        As for `read`.
    """
    with taking("format"):
        table, how = _read_in_some_way(InputFile(path), format, columns, None)
    if table.edges is None or "unweighted" in how:
        raise FormatError(
            f"{file_name(path)}: there are no indices of edges, or no weights: expected columns 'edge' and "
            "'w'; for a graph in memory, ends are enough: boruvka convert makes one file of a folder"
        )
    return table


def _read_forest(source: InputFile, format: str | None, graph: Graph | None, **options: Any) -> EdgeTable:
    """Read the edges of a forest, with the names of vertices that its graph has, if that is known."""
    chosen = format_to_read(source, format)
    has_names = graph is not None and graph.names is not None
    names = True if has_names and "names" in chosen.codec.options else None
    if chosen.name == "matrix" and isinstance(graph, EdgeListGraph | MatrixGraph) and graph.w.all():
        options["zero_is_no_edge"] = True
    options |= {"names": names, "format": chosen.name}
    return _read(source, Options(**options), lambda file: file.forest())


def _read(path: File | InputFile, options: Options, use: Callable[[EdgeFile], _Result]) -> _Result:
    """Open a file, and return what a function makes of it.

    Errors about the graph, and a lack of memory, become errors that name the file.
    """
    source = path if isinstance(path, InputFile) else InputFile(path)
    report("read", 0, None, "bytes")

    def read_it() -> _Result:
        with advising(source, options):
            chosen = choose_format(source, options)
            with errors_of_file(source, chosen):
                file = chosen.codec.open(source, options)
        with errors_of_file(source, chosen):
            return use(file)

    result = source.attempt(read_it)
    source.report_read(1.0)
    return result
