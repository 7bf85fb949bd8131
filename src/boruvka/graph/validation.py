"""Validation of vertices, edges and weights that callers give, and their conversion to arrays.

Where an error names an element, that is the first that is wrong. Functions whose arrays are annotated as
``Any`` also work on the arrays of a GPU.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Hashable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, first_true, item_text, shown, warn
from boruvka.graph.columns import (
    floats_of_decimals,
    is_number,
    list_column,
    read_column,
    read_numbers,
    read_weights,
)
from boruvka.graph.names import ends_text, number_of_name, numbers_of
from boruvka.graph.no_values import is_none
from boruvka.graph.text_numbers import WRITTEN, number_in
from boruvka.runtime.arguments import argument, is_command_running

CASTS = "column.astype(float) of pandas, column.cast(polars.Float64) or CAST(... AS DOUBLE) in SQL"
PARALLEL_FROM = 1 << 20
"""Minimum number of elements for checks and conversions on all threads."""
MAX_VERTICES = 1 << 48
"""More than the bytes of any memory; far below what NumPy refuses as the size of an array."""
MANY_VERTICES, SPARSE = 4096, 2
"""Ids are few up to this number; more vertices than so many times those that have an edge cause a warning."""


def vertex_dtype(n: int) -> type[np.unsignedinteger]:
    """Return the type of the vertex ids of a graph with n vertices: uint32 while they fit, else uint64."""
    return np.uint32 if n <= 2**32 else np.uint64


def vertex_count(n: Any, *largest: int) -> int:
    """Check a number of vertices; None means one more than the largest of some ids."""
    if n is None:
        n = max(largest) + 1
    try:
        count = operator.index(n)
    except TypeError:
        raise GraphTypeError(f"{argument('n')} must be an integer, got {shown(n)}") from None
    if not 0 <= count <= MAX_VERTICES:
        raise GraphError(
            f"{argument('n')} must be between 0 and 2**48, got {shown(count)}; where it is not given, it is "
            f"one more than the largest id: pass {argument('names', True)} if ids are names with gaps"
        )
    return count


def check_maximum(written_as: tuple[str, bool | None], maximum: bool | None) -> None:
    """Raise an `OptionError` if a file says that its forest is of the other kind (`Annotations`)."""
    file, stated = written_as
    if None not in (stated, maximum) and stated != maximum:
        kind, way = ("maximum", "pass") if stated else ("minimum", "leave out")
        raise OptionError(f"{file}: is a {kind} spanning forest: {way} {argument('maximum', True)}")


def warn_without_vertices(graph: Any) -> None:
    """Warn of a graph of a file that has neither edges nor vertices, as of a query that returned nothing."""
    if not graph.n:
        warn("there are no rows of edges, and so no vertices")


def warn_of_ids(graph: Any, advice: str, kept: Any = None) -> None:
    """Warn of ids that leave out vertices, where nobody said where they begin and how many there are.

    Parameters
    ----------
    graph : Graph
    advice : str
        What to do if ids begin at 1.
    kept : object, optional
        The edges of a forest, where only these are in memory: their ends are ``u`` and ``v``.

    Warns
    -----
    GraphWarning
        They fill 1 to n - 1 and leave out 0. Or most vertices have no edge, as ids are names with gaps; this
        is only looked for where there are fewer edges than vertices, or few vertices and no vertex 0. Of few
        vertices, 0 and any other suffice.
    """
    if graph.has_names or graph.n < 3 or not graph.m or graph.is_on_device:
        return
    u, v = (graph.u, graph.v) if kept is None else (kept.u, kept.v)
    if not u.size:  # all edges are loops
        return
    first = min(int(u.min()), int(v.min()))
    begins_at_1 = first == 1
    is_small = graph.n <= MANY_VERTICES
    may_have_gaps = graph.n > graph.m or (is_small and first > 0)
    if not (begins_at_1 or may_have_gaps):
        return
    if graph.n > 20 * graph.m:  # too many for a mask, perhaps
        count = np.unique(np.concatenate([u, v])).size
    else:
        occurs = np.zeros(graph.n, bool)
        occurs[u] = occurs[v] = True
        count = int(np.count_nonzero(occurs))
    if begins_at_1 and count == graph.n - 1:
        warn(
            f"vertex 0 has no edge, and vertices 1 to {graph.n - 1:,} have: it is a component of its own; if "
            f"ids begin at 1, {advice}; if at 0, pass {argument('n', graph.n)}"
        )
    elif may_have_gaps and (graph.n > SPARSE * count or (is_small and begins_at_1)):
        warn(
            f"only {count:,} of {graph.n:,} vertices have an edge, and each other is a component of its own: "
            f"{argument('names', True)} numbers only the ids that occur, {argument('n', graph.n)} takes all"
        )


def check_one_dimensional(name: str, array: Any) -> None:
    """Raise a `GraphError` unless an array has one dimension."""
    if array.ndim != 1:
        one = "; write [(u, v, w)] for one edge" if array.ndim == 0 and name in ("u", "v", "w") else ""
        raise GraphError(f"{name} must have one dimension, this one has shape {array.shape}{one}")


def check_equal_sizes(u: Any, v: Any, w: Any) -> None:
    """Raise a `GraphError` unless there are as many first ends as second ends and weights."""
    if not u.size == v.size == w.size:
        raise GraphError(
            f"u, v and w must have one entry per edge, but have {u.size}, {v.size} and {w.size} entries"
        )


def check_weight_dtype(dtype: np.dtype[Any]) -> None:
    """Raise a `GraphTypeError` unless weights are integers or floats."""
    if dtype.kind == "b":
        raise GraphTypeError("weights are booleans; for weights 0 and 1 pass w.astype(numpy.uint8)")
    if dtype.kind not in "iuf":
        raise GraphTypeError(f"weights must be integers or floats, these have dtype {dtype}")


def check_square(matrix: Any, names: Sequence[Any] | None = None) -> None:
    """Raise an error unless an array is a square matrix of integers or floats; errors show names."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphError(f"the matrix must be square, this one has shape {matrix.shape}")
    if matrix.dtype.kind in "OUS":
        wrong = [(i, j) for i, j in np.ndindex(matrix.shape) if not is_number(matrix[i, j])]
        texts = [at for at in wrong if not is_number(number_in(matrix[at]))]
        for i, j in (texts or wrong)[:1]:
            where = "" if names is None else f", in row {shown(names[i])} and column {shown(names[j])},"
            advice = ", and NaN for none" if texts else ", as matrix.astype(float) makes them of texts"
            if is_none(matrix[i, j], "number"):
                advice = f"; pass {argument('missing', 'drop')} if it means that there is no edge"
            value = shown(matrix[i, j])
            raise GraphTypeError(
                f"entry ({i}, {j}) of the matrix{where} is {value}: expected an integer or a float{advice}"
            )
    check_weight_dtype(matrix.dtype)


def check_no_nan(u: Any, v: Any, w: Any, names: NDArray[Any] | None = None) -> None:
    """Raise a `GraphError` if a weight is NaN; a minimum is NaN exactly if there is one."""
    if w.dtype.kind == "f" and w.size and math.isnan(_extreme(w, "argmin", "min")):
        i = int((w != w).argmax())
        raise GraphError(f"edge {i} {ends_text(names, u[i], v[i])} has the weight NaN")


def vertex_ids(name: str, values: Any) -> tuple[NDArray[Any], int]:
    """Check that ids are non-negative whole numbers; return them as unsigned integers, and the largest."""
    ids = _read_vector(name, values)
    if ids.size == 0:
        return np.empty(0, np.uint32), -1
    if ids.dtype.kind == "f":
        whole = (ids == np.floor(ids)) & (np.abs(ids) < np.float64(2**63))
        if (i := first_true(~whole)) is not None:
            raise GraphError(f"{item_text(name, i, ids[i])} is not a vertex: ids are whole numbers")
        ids = ids.astype(np.int64)
    if not ids.dtype.isnative:
        ids = ids.astype(ids.dtype.newbyteorder("="))
    return unsigned_ids(name, ids)


def unsigned_ids(name: str, ids: Any) -> tuple[Any, int]:
    """Check that ids are non-negative integers; return them as unsigned ones, and the largest or -1."""
    if ids.dtype.kind in "OUS":
        items = ids.tolist()
        are_booleans = [isinstance(value, bool | np.bool_) for value in items]
        has_booleans = any(are_booleans)
        for i, value in enumerate(items):
            if are_booleans[i] or not (has_booleans or isinstance(value, Integral)):
                raise GraphTypeError(f"{item_text(name, i, shown(value))} is not a vertex: ids are integers")
        raise GraphError(f"{name} holds integers of more than 64 bits; vertices are numbered from 0")
    if ids.dtype.kind not in "iu":
        raise GraphTypeError(f"{name} must hold integers, this one has dtype {ids.dtype}")
    is_signed = ids.dtype.kind == "i"
    unsigned = ids.view(f"u{ids.dtype.itemsize}") if is_signed else ids  # turns negative ids into large ones
    largest = int(_extreme(unsigned, "argmax", "max")) if ids.size else -1
    if is_signed and largest >> (8 * ids.dtype.itemsize - 1):
        i = int((ids < 0).argmax())
        raise GraphError(f"{item_text(name, i, ids[i])} is not a vertex: ids are not negative")
    return unsigned, largest


def check_ids_below(n: int, name: str, ids: Any, largest: int) -> None:
    """Raise a `GraphError` unless unsigned ids are below n."""
    if largest >= n:
        i = int((ids >= n).argmax())
        raise GraphError(
            f"{item_text(name, i, ids[i])} is not a vertex: the graph has n = {n} vertices, from 0"
        )


def vertex_ids_below(n: int, name: str, ids: NDArray[Any], largest: int) -> NDArray[Any]:
    """Check that unsigned ids are below n, and convert them to the type for n vertices."""
    check_ids_below(n, name, ids, largest)
    return _read_only(ids, vertex_dtype(n))


def read_vertices(
    graph: Any, argument: str, values: Any, numbers: Mapping[Hashable, int] | None = None
) -> NDArray[Any]:
    """Return the numbers of vertices; ``numbers`` has the numbers of all names, if known."""
    if graph.names is not None:
        numbers = number_of_name(graph.name_of(slice(None))) if numbers is None else numbers
        try:
            return numbers_of(numbers, argument, values).astype(vertex_dtype(graph.n))
        except GraphError as error:
            raise GraphError(f"{error}{naming_of_places(graph)}") from None
    array = read_numbers(argument, list(values) if isinstance(values, Iterator | Mapping | Set) else values)
    ids, largest = vertex_ids(argument, array.ravel())
    return vertex_ids_below(graph.n, argument, ids, largest).reshape(array.shape)


def naming_of_places(graph: Any) -> str:
    """Say how places are named; nothing without places."""
    places = getattr(getattr(graph, "annotations", None), "places", None)
    if places is None:
        return ""
    some = ", ".join(map(shown, graph.terminals[:3].tolist()))
    if is_command_running():
        column = ", as no column called id or name has different names" * (places.index.name == "row number")
        return f"; places are named by {places.index.name}{column}: {some} ..."
    by_column = "attach=places.set_index('column') names them by a column"
    elsewhere = "graph.vertex_near((x, y)) is the vertex nearest to another place"
    return f"; the index of the places that are attached names them: {some} ..., and {by_column}; {elsewhere}"


def read_vertex(graph: Any, argument: str, value: Any, numbers: Mapping[Hashable, int] | None = None) -> int:
    """Return the number of one vertex."""
    try:
        found = read_vertices(graph, argument, [value], numbers)
    except (GraphError, GraphTypeError) as error:
        raise type(error)(str(error).replace(f"{argument}[0]", argument, 1)) from None
    if found.shape != (1,):
        raise GraphTypeError(f"{argument} must be one vertex, got {shown(value)}")
    return int(found[0])


def check_edges(edges: NDArray[Any], m: int, problem: str = "there is no edge") -> None:
    """Raise a `GraphError` unless these are indices of edges of a graph with m edges."""
    if edges.size and not (edges.min() >= 0 and edges.max() < m):
        wrong = edges[(edges < 0) | (edges >= m)][0]
        known = f"edges are numbers from 0 to {m - 1}" if m else "the graph has no edges"
        raise GraphError(f"{problem} {wrong}: {known}")


def edge_mask(name: str, edges: Any, m: int) -> NDArray[np.bool_]:
    """Return a mask of edges, which are given as such a mask, or as indices; None stands for none of them."""
    mask = np.zeros(m, bool)
    mask[edge_indices(name, [] if edges is None else edges, m)] = True
    return mask


def best_first(w: NDArray[Any], maximum: bool) -> NDArray[np.int64]:
    """Return the order of weights from the lightest, or from the heaviest; equal ones stay in order."""
    order = np.argsort(w[::-1] if maximum else w, kind="stable")
    return (w.size - 1 - order)[::-1] if maximum else order


def warn_of_ends(graph: Any, name: str, pair: Sequence[int]) -> None:
    """Warn if two indices of edges may be meant as the ends of an edge, as it joins them."""
    ends = np.empty((0, 2), np.int64)
    with suppress(GraphError, GraphTypeError):  # names are texts, or there are no such vertices
        ends = read_vertices(graph, name, list(pair)).reshape(1, 2)
    u, v, _ = graph.edges_in_range(0, graph.m if ends.size else 0)
    if np.isin(pair_keys(graph.n, *ends.T), pair_keys(graph.n, u, v)).any():
        warn(
            f"{name}={pair} are indices of edges, not the ends of one: write {name}=[{tuple(pair)}] for the "
            f"edge between them, {name}=numpy.array({list(pair)}) for indices without this warning"
        )


def pair_keys(n: int, u: Any, v: Any) -> NDArray[np.uint64]:
    """Return a number for the ends of each edge of a graph with n vertices, which may be in any order."""
    u, v = np.asarray(u).astype(np.uint64), np.asarray(v).astype(np.uint64)
    return np.minimum(u, v) * np.uint64(n) + np.maximum(u, v)


def first_entries(
    graph: Any, edges: NDArray[np.int64], u: NDArray[Any], v: NDArray[Any]
) -> NDArray[np.int64]:
    """Return the place of each edge, or of the first of these edges that is the same edge of a matrix.

    All entries (i, j) and (j, i) of a matrix, also of a sparse one or of a dict of neighbours, are one edge.
    """
    first, entries = np.arange(edges.size), np.flatnonzero(edges < graph.entry_count)
    keys = pair_keys(graph.n, u[entries], v[entries])
    _, places, edge = np.unique(keys, return_index=True, return_inverse=True)
    first[entries] = entries[places[edge]]
    return first


def with_opposite_entries(graph: Any, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add to edges, of those that are one of the entries (i, j) and (j, i) of a matrix, the other one."""
    entries = edges[edges < graph.entry_count]
    if not entries.size:
        return edges
    while hasattr(graph, "base"):  # it has all entries, and its arrays are not copied
        graph = graph.base
    u, v, is_end = graph.u, graph.v, np.zeros(graph.n, bool)
    is_end[u[entries]] = is_end[v[entries]] = True
    near = np.flatnonzero(is_end[u] & is_end[v])
    near = near[near < graph.entry_count]
    wanted = pair_keys(graph.n, u[entries], v[entries])
    return np.union1d(edges, near[np.isin(pair_keys(graph.n, u[near], v[near]), wanted)])


def warn_of_copies(graph: Any, edges: NDArray[np.int64], others: NDArray[np.int64]) -> None:
    """Warn of a list of each edge in both directions, if some other edge is a copy of one of these edges."""

    def keys(u: Any, v: Any) -> NDArray[np.uint64]:
        return u.astype(np.uint64) * np.uint64(graph.n) + v

    (u, v, w), (a, b, weights) = graph.take(edges), graph.take(others)
    _, i, j = np.intersect1d(keys(u, v), keys(b, a), return_indices=True)
    k = first_true((w[i] == weights[j]) & (u[i] != v[i])) if graph.n > 2 else None
    if k is not None and np.array_equal(np.sort(keys(graph.u, graph.v)), np.sort(keys(graph.v, graph.u))):
        ends = ends_text(graph.names, u[i[k]], v[i[k]])
        warn(
            f"the list has each edge in both directions, such as {ends} at {edges[i[k]]} and {others[j[k]]}: "
            "these are two edges here; leave one out, as [(u, v, w) for u, v, w in edges if u < v]"
        )


def edge_indices(name: str, edges: Any, m: int) -> NDArray[np.int64]:
    """Return the indices of edges, ascending, which are given so, or as a mask."""
    array = read_numbers(name, edges)
    if array.dtype == bool and array.shape == (m,):
        return np.flatnonzero(array)
    if array.ndim != 1 or array.dtype == bool or (array.size and array.dtype.kind not in "iu"):
        instead = "for edges by their ends, write [('A', 'B')], by a column {'name': ['Main Street']}"
        raise GraphTypeError(
            f"{name} must be indices of edges, or a mask of {m} booleans; this is {array.dtype} of shape "
            f"{array.shape}: {instead}"
        )
    if array.size == m > 2 and array.min() >= 0 and array.max() <= 1:
        raise GraphError(
            f"{name} has a 0 or 1 for each of the {m} edges: a mask has booleans, such as {name}.astype(bool)"
        )
    check_edges(array, m, f"{name} has")
    return np.unique(array.astype(np.int64))


def edge_weights(values: Any) -> NDArray[Any]:
    """Check weights, and convert them to an array of integers or floats."""
    weights = _read_vector("w", read_weights("w", values))
    if weights.size == 0 and weights.dtype.kind not in "iuf":
        weights = np.empty(0, np.float64)
    if weights.dtype.kind in "OUS":
        raise _not_weights(weights.tolist())
    check_weight_dtype(weights.dtype)
    return _read_only(weights, weights.dtype.newbyteorder("="))


def _not_weights(weights: Sequence[Any]) -> Exception:
    """Make an error that names the first weight that is not a number, or the largest integer."""
    for i, weight in enumerate(weights):
        if isinstance(weight, bool | np.bool_):
            return GraphTypeError(
                f"the weight of edge {i} is {shown(weight)}: weights are integers or floats, not booleans"
            )
        is_number = isinstance(weight, Integral | float | np.floating)
        is_number |= floats_of_decimals([weight]) is not None
        if not is_number or isinstance(weight, np.timedelta64):
            text = f"{shown(weight):.50}: expected an integer or a float, as edges are (u, v, weight)"
            way = f"; {WRITTEN}" if isinstance(weight, str) else cast_of_decimals(type(weight))
            if isinstance(weight, str) and not any(isinstance(number_in(x), str) for x in weights):
                way = f"; convert texts to numbers, as float(w), {CASTS}"
            elif hasattr(weight, "year"):
                way = "; write times as numbers, as (column - column.min()).dt.days of pandas"
            return GraphTypeError(f"the weight of edge {i} is {text}{way}")
    _, i = max((abs(int(w)), i) for i, w in enumerate(weights) if isinstance(w, Integral))
    return GraphError(
        f"no 64-bit type holds all weights exactly, as edge {i} has the weight {shown(int(weights[i]))}; "
        "use only integers of at most 64 bits, or only floats"
    )


def cast_of_decimals(kind: Any) -> str:
    """Say how to round decimals to floats, for an error; nothing of other types."""
    return f"; cast decimals that float64 rounds, as {CASTS}" if "decimal" in str(kind).lower() else ""


def _read_vector(name: str, values: Any) -> NDArray[Any]:
    """Read a column of numbers; any others become an array of objects."""
    array = read_column(name, values)
    if not isinstance(array, np.ndarray):
        array = np.fromiter(list_column(array), object, len(array))
    check_one_dimensional(name, array)
    return array


def _extreme(array: Any, position: str, method: str) -> Any:
    """Find the minimum or maximum of an array, given the names of its methods; NaN counts as both."""
    if not isinstance(array, np.ndarray):
        return getattr(array, method)().item()
    if array.size < PARALLEL_FROM:  # argmin is called in a third of the time of min
        return array.item(getattr(array, position)())
    from boruvka.kernels.team import map_ranges  # not for a small graph

    found = np.array(map_ranges(lambda here: getattr(array[here], method)(), array.size))
    return getattr(found, method)().item()


def may_change(array: NDArray[Any]) -> bool:
    """Return whether a read-only array is a view of one that can be written to."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.flags.writeable


def _read_only(array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Return a read-only view, or a copy where needed, that is contiguous and aligned and has a type."""
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        view = array.view()
    elif array.size < PARALLEL_FROM:
        view = np.array(array, dtype, order="C")
    else:
        from boruvka.kernels.team import map_ranges

        view = np.empty(array.size, dtype)

        def convert(here: slice) -> None:
            view[here] = array[here]

        map_ranges(convert, array.size)
    view.flags.writeable = False
    return view
