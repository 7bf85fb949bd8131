"""Conversion of other libraries' objects to graphs; their types are recognised without importing them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from importlib import import_module
from itertools import chain
from operator import itemgetter
from typing import Any, TypedDict, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn, without_warnings
from boruvka.graph.columns import is_masked_array, is_number, listed, read_array
from boruvka.graph.graph import EdgeListGraph, Graph, ImplicitGraph
from boruvka.graph.matrix import MOST_TYPED, warn_of_unequal_halves
from boruvka.graph.no_values import is_none, warn_of_alike_names
from boruvka.graph.validation import warn_of_ids
from boruvka.interop.column_names import ROLES, columns_by_role, known_ends, likely_weights, roles_of_columns
from boruvka.runtime.arguments import did_you_mean, hint, is_command_running

LIBRARIES = {name: name for name in ("networkx", "igraph", "geopandas")}
LIBRARIES |= dict.fromkeys(("pandas", "polars", "pyarrow", "duckdb", "_duckdb"), "data_frames")
"""For each library, the module of this package whose ``graph_from`` takes its objects."""
INSTEAD = {
    "rustworkx": "boruvka.as_graph(list(g.weighted_edge_list()), n=g.num_nodes())",
    "networkit": "boruvka.as_graph(list(g.iterEdgesWeights()), n=g.upperNodeIdBound())",
    "graph_tool": "boruvka.as_graph((*g.get_edges([g.ep.weight]).T, g.num_vertices()))",
    "torch_geometric": "boruvka.as_graph((g.edge_index, g.edge_weight), n=g.num_nodes)",
}
"""For each library whose graphs are not taken, what to type for a graph g of it."""
_ITS_EDGES = "its edges are boruvka.Graph.from_edges(x.u, x.v, x.w, n=x.graph.n, names=x.graph.names)"
ELSEWHERE = {
    "correlations": "; pass the graph boruvka.Graph.from_distances(matrix, correlations=True)",
    "keep": ": it is for files; forest.to_pandas(['COLUMN']) has other columns of a frame, too",
    "start": "; forest.steps('prim', start=...) shows the steps, and the tree is the same from any start",
    "required": ": it is for minimum_spanning_forest; in other trees, such edges have the weight 0",
    **dict.fromkeys(("leaves", "load"), ": it is for steiner_tree"),
    "prizes": ": it is for prize_collecting_tree",
}
"""Advice on options of other functions."""
OF_LINES = ("attach", "link_rate", "node", "rate", "tolerance")
"""Options for edges that are lines: of maps, and of graphs whose vertices have coordinates."""
FEW_ZEROS = 0.1
"""A matrix with at most this share of zeros off its diagonal looks like distances."""


class CommonOptions(TypedDict, total=False):
    """Options of `as_graph` that `boruvka.read` has, too."""

    n: int | None
    missing: str
    default: float | None
    node: bool | float
    attach: Any
    tolerance: float | None
    rate: str | None
    link_rate: float | None


class GraphOptions(CommonOptions, total=False):
    """Options of `as_graph`: those of all functions that convert objects, of which each takes some."""

    names: bool | Iterable[Hashable] | None
    columns: str | Sequence[str] | None
    source: str | None
    target: str | None
    weight: str | None
    directed: bool


def as_graph(graph: Any, **options: Unpack[GraphOptions]) -> Graph:
    """Make a graph from an object of any known type.

    Vertices keep their names (`Graph.names`) if these are not integers; integers are names only with
    ``names=True``, and in a table also if a list of names holds integers. A graph of another library keeps
    the order of its vertices and edges. A tuple holds columns, a list holds edges; an array or a list that
    may be both raises an error.

    Parameters
    ----------
    graph : object
        A `Graph`; arrays ``(u, v, w)``, ``(u, v, w, n)`` or ``(edge_index, w)`` in a tuple; a list or an
        iterator of edges ``(u, v, w)``, or an (m, 3) array of them; a SciPy sparse array or a 2-D array of
        weights (a stored zero of the first is an edge, a zero of the second is not); a dict of dicts of
        weights; a graph of NetworkX or igraph; a frame of pandas or polars, an Arrow table or a DuckDB
        relation with a row per edge. Arrays may be of any library that NumPy can read, such as PyTorch.
    **options
        Options of the function that converts the object: `boruvka.interop.networkx.graph_from`, for example,
        takes ``weight`` and ``default``; for tables there are ``source``, ``target``, ``weight``.

    Returns
    -------
    Graph

    Raises
    ------
    GraphTypeError
        The object is not of a known type.
    OptionError
        Its conversion takes no such option.
    GraphError
        Its values do not make a graph.

    Warns
    -----
    GraphWarning
        A 2-D array looks like distances, some of them zero: see `Graph.from_distances`. Or ids that begin at
        1 leave out vertex 0, or ids with gaps leave out most vertices: ``names=True`` takes them as
        names, ``n=`` says that they are numbers from 0. Or names differ only by blanks, case or the form of
        Unicode (the first 50,000 are compared).

    Examples
    --------
    >>> import boruvka
    >>> graph = boruvka.as_graph([("a", "b", 3), ("b", "c", 1), ("c", "a", 2)])
    >>> forest = boruvka.minimum_spanning_forest(graph)
    >>> graph.name_of(forest.u).tolist(), graph.name_of(forest.v).tolist()
    (['b', 'c'], ['c', 'a'])
    """
    found = as_part_of_graph(graph, **options)
    warn_of_alike_names(None if found is graph else found.names)
    has_n = options.get("n") is not None or (isinstance(graph, tuple) and len(graph) == 4)
    if isinstance(found, EdgeListGraph) and found is not graph and not has_n and _are_edges(graph):
        warn_of_ids(found, "write boruvka.as_graph(edges, names=True)")
    return found


def as_part_of_graph(graph: Any, **options: Unpack[GraphOptions]) -> Graph:
    """Make a graph as `as_graph` does, of edges that need not have all vertices: without a warning of ids."""
    options = with_roles(options)
    convert = _converter(graph)
    takes = _options_of(convert) if options else []
    given: Any = options
    of_lines = {name: given.pop(name) for name in OF_LINES if name in given and name not in takes}
    if unknown := [name for name in options if name not in takes]:
        known = f"; it takes {', '.join(takes)}" if takes else ""
        kind = graph.kind if isinstance(graph, Graph) else type(graph).__name__
        close = did_you_mean(unknown[0], ("maximum", "algorithm", "required", "excluded"))
        advice = ELSEWHERE.get(unknown[0], close or known)
        raise OptionError(f"{kind} has no option {shown(unknown[0])} here{advice}")
    made = convert(graph, **options)
    if of_lines:
        made = import_module(f"boruvka.interop.{LIBRARIES['geopandas']}").graph_on_lines(made, **of_lines)
    is_named = isinstance(options.get("weight"), str)
    return made.annotated(weight_column=options["weight"]) if is_named else made


def with_roles(options: GraphOptions) -> GraphOptions:
    """Return options in which source, target and weight name the columns that ``columns`` lists."""
    if "columns" not in options:
        return options
    named = zip(ROLES, roles_of_columns(columns_by_role(options)), strict=True)
    others: Any = {name: value for name, value in options.items() if name != "columns"}
    return others | {role: name for role, name in named if name is not None}


def with_similarities(graph: Any, options: GraphOptions) -> GraphOptions:
    """Return options for a maximum forest, with the only column of similarities if none has weights."""
    if is_table_of_edges(graph) and {"columns", "weight"}.isdisjoint(options):
        columns = import_module(_converter(graph).__module__).column_names(graph)
        if len(found := likely_weights(columns)) == 1 and known_ends(columns):
            return {**options, "weight": found[0]}
    return options


def as_graph_with_names(graph: Any, **options: Any) -> Graph:
    """Make a graph as `as_graph` does, but take integers as names where the object leaves that open."""
    names = {"names": True} if "names" in _options_of(_converter(graph)) else {}
    return as_part_of_graph(graph, **{**names, **options})


def is_table_of_edges(graph: Any) -> bool:
    """Return whether an object is a table with a row per edge."""
    return _converter(graph).__module__.endswith("data_frames")


def columns_like(graph: Graph, edges: Any) -> tuple[dict[str, str], list[str]]:
    """Return the options that name the columns a graph was made from, and those that a table lacks."""
    columns = getattr(graph.annotations.table, "columns", graph.annotations.columns)
    known = import_module(_converter(edges).__module__).column_names(edges)
    named = dict(zip(ROLES, columns, strict=True))
    return named, [role for role in named if named[role] not in known]


def options_like(graph: Graph, edges: Any) -> GraphOptions:
    """Return options for edges with the columns, or the attribute of weights, that a graph was made from."""
    weight = graph.annotations.weight_column
    if not is_table_of_edges(edges):
        with without_warnings(), suppress(GraphError, OptionError):  # edges without this attribute
            if weight is not None and as_part_of_graph(edges, weight=weight):
                return {"weight": weight}
        return {}
    named, lacking = columns_like(graph, edges)
    return {} if lacking else cast(GraphOptions, named)


def _are_edges(graph: Any) -> bool:
    """Return whether an object holds edges whose ends are numbers, and not the number of vertices."""
    return _converter(graph) in (_of_columns, _of_array, _of_edges) or is_table_of_edges(graph)


def _options_of(convert: Callable[..., Graph]) -> list[str]:
    import inspect

    return list(inspect.signature(convert).parameters)[1:]


def _converter(graph: Any) -> Callable[..., Graph]:
    """Find the function that makes a graph from an object."""
    if isinstance(graph, Graph):
        return _itself
    if type(graph).__module__.partition(".")[0] == "boruvka":  # also named tuples
        instead = f"; {_ITS_EDGES}" if hasattr(graph, "graph") and hasattr(graph, "w") else ""
        if hasattr(graph, "offsets"):
            instead = ": batch[0] is one forest, and batch.to_pandas().to_csv(path) writes all"
        raise GraphTypeError(f"{type(graph).__name__} is not a graph{instead}")
    if isinstance(graph, tuple):
        return _of_columns
    if isinstance(graph, np.ndarray):
        return _of_array
    if hasattr(graph, "tocoo"):
        return Graph.from_scipy
    for base in type(graph).__mro__:
        library = str(base.__module__).partition(".")[0]
        if module := LIBRARIES.get(library):
            return import_module(f"boruvka.interop.{module}").graph_from
        if library in INSTEAD:
            raise GraphTypeError(f"graphs of {library} are not taken; for a graph g write {INSTEAD[library]}")
    if hasattr(graph, "__dlpack__"):
        return _of_array
    if isinstance(graph, Mapping):
        return _of_dicts
    if hasattr(graph, "columns"):  # iterated over, it would be a list of their names
        raise GraphTypeError(
            f"cannot make a graph of {type(graph).__module__}.{type(graph).__qualname__}: convert it to a "
            "frame of pandas or polars, or to an Arrow table, first; with Dask frame.compute(), with Spark "
            "frame.toArrow()"
        )
    if isinstance(graph, Iterable) and not isinstance(graph, str | bytes):
        return _of_edges
    raise GraphTypeError(
        f"cannot make a graph of {type(graph).__name__}: pass arrays (u, v, w), a list of edges (u, v, w), a "
        "SciPy sparse array, a 2-D array, a data frame, or a graph of NetworkX or igraph; a file is read by "
        f"boruvka.read{f'({shown(graph)})' if isinstance(graph, str) else ''}"
        + ("; a text x by boruvka.read(io.BytesIO(x.encode()))" if isinstance(graph, str) else "")
    )


def _itself(graph: Graph) -> Graph:
    graph.check()
    return graph


def _of_columns(columns: tuple[Any, ...], names: Any = None, n: int | None = None) -> Graph:
    if len(columns) == 2 and not hasattr(columns[0], "columns"):
        ends, w = columns
        if getattr(ends, "ndim", 0) == 2 and ends.shape[0] == 2:
            columns = ends[0], ends[1], w[:, 0] if tuple(getattr(w, "shape", ())[1:]) == (1,) else w
    if all(type(column) is tuple and len(column) == 3 for column in columns):
        if len(columns) > 3 or (columns and isinstance(columns[-1][0], str) and is_number(columns[-1][2])):
            raise GraphTypeError("a tuple holds columns (u, v, w): for a tuple x of edges write list(x)")
        if len(columns) == 3:
            _check_triples([*map(list, columns)])
    if len(columns) not in (3, 4):
        raise GraphTypeError(
            "a graph given as a tuple is (u, v, w), (u, v, w, n) or (edge_index, w) with two rows in "
            f"edge_index; this one has {len(columns)} items"
        )
    if columns[3:]:
        if n is not None:
            raise OptionError("the number of vertices is given twice, in (u, v, w, n) and as n")
        n = columns[3]
        if isinstance(columns[3], Sequence) or getattr(columns[3], "ndim", 0) > 0:
            raise GraphTypeError(
                f"the last item of (u, v, w, n) is the number of vertices, this one is {shown(n)}"
            )
    return Graph.from_edges(columns[0], columns[1], columns[2], n=n, names=names)


def _of_array(values: Any, names: Any = None, n: int | None = None) -> Graph:
    """Take a matrix of weights, or a list of edges with three columns."""
    if is_masked_array(values):
        return Graph.from_dense(values)
    if "sparse" in str(getattr(values, "layout", "")):
        raise GraphTypeError(
            "a sparse tensor x is not taken; write x = x.to_sparse_coo().coalesce() and then "
            "boruvka.as_graph((x.indices(), x.values()), n=len(x))"
        )
    array = read_array("the array", values)
    if array.ndim != 2 or (array.shape[0] != array.shape[1] and array.shape[1] != 3):
        ways = "; points: Graph.from_points; distances as pdist returns them: Graph.from_distances"
        ways += "; two rows of ends: (edge_index, w)"
        if is_command_running():
            ways = hint("; for points pass {is_points}", is_points=True)
        raise GraphError(
            "a graph given as an array is a square matrix of weights, or has three columns u, v, w; this one "
            f"has shape {array.shape}{ways}"
        )
    if array.shape == (3, 3):
        raise GraphError(
            "a 3 x 3 array may be a matrix of weights, Graph.from_dense(a), or three edges (u, v, w), "
            "Graph.from_edges(*a.T): write which"
        )
    if array.shape[1] == 3:
        return Graph.from_edges(array[:, 0], array[:, 1], array[:, 2], n=n, names=names)
    if n is not None:
        raise OptionError(f"n is for edges; a matrix of weights has its shape, {array.shape}")
    graph = Graph.from_dense(array)
    if isinstance(graph, ImplicitGraph):
        _warn_of_zero_distances(graph, array)
    return named(graph, names)


def named(graph: Graph, names: Any) -> Graph:
    """Give vertices names as for `Graph.from_edges`, unless they have some."""
    if names is None or names is False or graph.has_names:
        return graph
    return graph.with_names(range(graph.n) if names is True else names)


def _warn_of_zero_distances(graph: ImplicitGraph, matrix: NDArray[Any]) -> None:
    """Warn if a matrix with a zero diagonal has a few other zeros: its entries are probably distances."""
    pairs = graph.n * (graph.n - 1)
    if 0 < pairs - graph.m <= FEW_ZEROS * pairs and not np.diagonal(matrix).any():
        warn(
            f'{pairs - graph.m} entries off the diagonal are zero, which means "no edge" here; if they are '
            "distances of equal points, use Graph.from_distances(a); Graph.from_dense(a) says that they are "
            "not edges"
        )


def _of_dicts(neighbours: Mapping[Any, Any], weight: str = "weight") -> Graph:
    """Take a dict that has, for each vertex, the weights of the edges to its neighbours."""
    from boruvka.interop.python_values import attribute_name

    attribute_name(weight)
    ends: list[tuple[Any, Any]] = []
    w: list[Any] = []
    for name, edges in neighbours.items():
        if not isinstance(edges, Mapping):
            raise GraphTypeError(
                f"a graph given as a dict is {{vertex: {{neighbour: weight}}}}; the value of {shown(name)} "
                f"is {type(edges).__name__}; {_as_dicts(neighbours)}"
            )
        for other, value in edges.items():
            ends.append((name, other))
            w.append(value.get(weight) if isinstance(value, Mapping) else value)
            if w[-1] is None:
                raise GraphError(f"edge {len(w) - 1} ({shown(name)}, {shown(other)}) has no {shown(weight)}")
    try:
        number = {name: i for i, name in enumerate(dict.fromkeys(chain(neighbours, (b for _, b in ends))))}
    except TypeError as error:
        raise GraphTypeError(f"a vertex cannot have this name: {error}") from error
    u, v = ([number[edge[k]] for edge in ends] for k in (0, 1))
    graph = Graph.from_edges(u, v, w, n=len(number), names=list(number)).annotated(entry_count=len(w))
    if graph.n <= MOST_TYPED:
        matrix = np.full((graph.n, graph.n), np.nan)
        matrix[graph.u, graph.v] = graph.w
        warn_of_unequal_halves(matrix, np.nan, graph.names)
    return graph


def _as_dicts(x: Mapping[Any, Any]) -> str:
    """Return what to write for a dict that has other values than dicts."""
    rows = [others for others in x.values() if isinstance(others, list | tuple | Set)]
    if not rows:
        mark = re.fullmatch(r"\w+(\W+)\w+", next(iter(x))) if {*map(type, x)} == {str} else None
        edge, ends = (f"*ends.split({mark[1]!r}), w", "ends") if mark else ("u, v, w", "(u, v)")
        return f"of weights by ends, write [({edge}) for {ends}, w in x.items()]"
    pairs, vertices = list(chain.from_iterable(rows)), {*map(str, x)}
    if pairs and all(_row_size(pair) == 2 and str(pair) not in vertices for pair in pairs):
        parallel = "if edges are parallel, [(u, v, w) for u, pairs in x.items() for v, w in pairs]"
        return f"of pairs (neighbour, weight), write {{v: dict(pairs) for v, pairs in x.items()}}; {parallel}"
    return "without weights, write {v: dict.fromkeys(others, 1) for v, others in x.items()}"


def _of_edges(edges: Iterable[Any], names: Any = None, n: int | None = None) -> Graph:
    """Take edges (u, v, w)."""
    from boruvka.interop.python_values import columns_of

    rows = listed("a list of edges", edges)
    if names is None and (columns := columns_of(rows)) is not None and len(columns) == 3:
        return Graph(n, *columns)
    if set(map(type, rows)) != {tuple} or set(map(len, rows)) != {3}:
        _check_triples(rows)
    try:
        u, v, w = (list(map(itemgetter(k), rows)) for k in range(3))
    except (TypeError, ValueError, LookupError) as error:
        raise GraphTypeError(f"an edge is not (u, v, weight): {error}") from error
    if rows and is_number(u[0]) and isinstance(v[0], str) and isinstance(w[0], str):
        way = "if its weight is first, write [(u, v, w) for w, u, v in x]"
        raise GraphTypeError(f"edge 0 is {shown(rows[0])}, as edges are (u, v, weight): {way}")
    return Graph.from_edges(u, v, w, n=n, names=names)


def _check_triples(edges: list[Any]) -> None:
    """Raise an error that names the first element that is not an edge (u, v, w)."""
    sizes = list(map(_row_size, edges))
    are_lists = all(type(edge) is list or getattr(edge, "ndim", 0) for edge in edges)
    rows: Any = (getattr(row, "flat", row) for row in edges if isinstance(row, list | np.ndarray))
    more = ", missing='drop'" * any(is_none(x, "number") for row in rows for x in row)
    if sizes == [3, 3, 3] and are_lists and not isinstance(edges[0][0], str):
        raise GraphError(
            f"three rows of three may be a matrix of weights, Graph.from_dense(x{more}), three edges, "
            "Graph.from_edges(*zip(*x)), or u, v and w, Graph.from_edges(*x): write which"
        )
    for i, (edge, size) in enumerate(zip(edges, sizes, strict=True)):
        if size != 3:
            raise (GraphTypeError if size < 0 else GraphError)(
                f"edge {i} is {shown(edge)}: a graph given as a list has edges (u, v, weight); without "
                "weights, give each the weight 1; three columns are a tuple, (u, v, w); rows of a matrix are "
                f"boruvka.Graph.from_dense(x{more}), dicts boruvka.as_graph(pandas.DataFrame(x))"
            )


def _row_size(edge: Any) -> int:
    """Return the number of items of a row; -1 for an object that is not a row, or has no order."""
    if isinstance(edge, str | bytes | Mapping | Set):
        return -1
    try:
        return len(edge)
    except (TypeError, ValueError):
        return -1
