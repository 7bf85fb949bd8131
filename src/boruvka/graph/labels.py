"""Values with labels: mappings, frames and series are read by their labels, not by position.

A value, or a row of values, is for each vertex. The first line that fits says which labels they have:

| values | labels |
|---|---|
| mapping | its keys |
| frame with a column that is called as one of `ID_COLUMNS`, or as what held the names | this column |
| series or frame of pandas whose index is not 0, 1, 2 and so on | its index |
| frame with a column called as one of `NAMES`, such as strain, that holds names of vertices | this column |
| anything else | none: values are in the order of the vertices; a frame or series warns of it |

Labels are the names of vertices, or their numbers where they have no names; where profiles were collapsed,
the names of profiles too. A name without blanks around it, its folder, the ending of a genome's file, and a
number with a bar before it matches the whole one, as A12 matches A12.fasta and 54|A12, with a warning. Rows
of other names are left out, with a warning that counts them.
In pictures and tables a vertex may lack a row: it has no value, and a warning counts such vertices, but for
crossings of streets. Other functions need a value for each vertex. These are errors: no label that is known;
labels that are there twice; an index and a column that contradict each other; an index 0, 1, 2 and so on
where these are the names of vertices in another order; and a column that holds names in another order, but is
not called so.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import compress, repeat
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, MissingExtraError, shown, warn, without_warnings
from boruvka.graph.columns import is_number, list_column, read_array, read_column
from boruvka.graph.edge_lookup import edges_of_rows
from boruvka.graph.names import name_hint, number_of_name, numbers_of, strain_key, strain_keys, strain_name
from boruvka.graph.no_values import MOST_COMPARED, is_missing
from boruvka.graph.validation import edge_indices, warn_of_ends, with_opposite_entries
from boruvka.runtime.arguments import is_command_running
from boruvka.runtime.libraries import pd, pl

ID_COLUMNS = ("id", "vertex", "node", "name", "recno")
"""Names, in lower case, of columns that hold the names or the numbers of vertices."""
_LAST_WORD_ID = re.compile(r"(?i:.*[\s_.-]id|.*(obj|halo|target)id|designation|hip)|.*[a-z]I[Dd]")
_NAMES = """
accession accessionnumber assembly assemblybarcode barcode biosample file filename genome genomeid genomename
id index isolate isolateid isolatename key label name run sample sampleid samplename strain strainid
strainname symbol taxon ticker uberstrain
"""
NAMES = frozenset(_NAMES.split())
"""First columns that hold the names of strains or shares, in the form of `plain`.

A column that begins with # does, too, and so does one that is called "" or `Unnamed: 0`, an index of pandas.
"""
INDEX = "__index_level_0__"
_INDEX_LEVEL = re.compile(r"__index_level_\d+__")
"""The name of an index without a name, as pandas writes it to Parquet and Arrow: never a coordinate."""
_NOT_IN_NAMES = re.compile(r"\(.*?\)|[\s_.]")
READ_AS_MISSING = (
    "pandas.read_csv takes names such as NA for missing values: pass it keep_default_na=False, na_values=''"
)
LEAST_KNOWN = 0.5
"""Minimum share of rows with different names of vertices in a column of texts that holds names."""
ORDER_OF_VERTICES = {"rows": "vertices"}
"""Attributes of a frame of pandas, and of its columns, whose rows are in the order of the vertices."""

TEXTS_OF_FILE = {"rows": "vertices or profiles", "texts": "as in a file"}
"""Attributes of a frame of pandas, and of its columns, whose texts are those of a file, so that they may be
numbers; its rows were matched with the vertices, or the profiles."""

_Labels = dict[str | None, list[Any]]
"""The labels in columns of a table, by the names of the columns; None is the index."""


NAMES_SHOWN = 3
"""Number of names that a message shows, where none is close to one that is not known."""
RENAMINGS = {"x.split()[0]": r"\s.*", "x.rsplit('.', 1)[0]": r"\.[^.]*$", "x.split(':')[-1]": ".*:"}
"""Code that makes other names of a text, as of SZEW US Equity, SZEW.N and NYSE:SZEW, and what it removes."""


class _Known(NamedTuple):
    """Labels that rows may have, each once."""

    items: Sequence[Any]
    """Label of each number."""
    numbers: Mapping[Hashable, int] | None
    """The number of each label; None if labels are the numbers."""
    what: str
    """The noun for the things that have these labels, for messages."""
    first_id: int = 0
    """The number that messages show in place of 0, where labels are numbers."""
    left_out: frozenset[Any] = frozenset()
    """Keys of profiles that were left out, as `strain_keys` makes them."""

    @classmethod
    def of(cls, items: list[Any], what: str) -> _Known:
        """Number the labels of rows or profiles."""
        return cls(items, {label: i for i, label in enumerate(items)}, what)

    @classmethod
    def of_vertices(cls, graph: Any, numbers: Mapping[Hashable, int] | None) -> _Known:
        """Return the names of vertices, or their numbers."""
        if graph.names is None:
            return cls(range(graph.n), None, "vertex", graph.first_id if is_command_running() else 0)
        names = graph.name_of(slice(None))
        return cls(names, number_of_name(names) if numbers is None else numbers, "vertex")

    def find(self, labels: list[Any]) -> NDArray[np.int64]:
        """Return the number of each label, -1 of one that is not known."""
        try:
            return np.fromiter(map(self._number, labels), np.int64, len(labels))
        except TypeError as error:
            raise GraphTypeError(f"a label cannot be a name: {error}") from None

    def _number(self, label: Any) -> int:
        if self.numbers is None:
            is_known = is_number(label) and 0 <= label < len(self.items) and label == int(label)
            return int(label) if is_known else -1
        number = self.numbers.get(label, -1)
        if number < 0 and isinstance(label, str):
            number = self.numbers.get(label.strip(), -1)
        is_other = number >= 0 and type(label) is bool and not isinstance(self.items[number], bool | np.bool_)
        return -1 if is_other else number  # True equals 1

    def shown(self, number: int) -> str:
        """Return what messages call the label that has a number."""
        return shown(number + self.first_id if self.numbers is None else self.items[number])

    def hint(self, label: Any, found: NDArray[np.int64]) -> str:
        """Return which label was perhaps meant by one that is not known: one that is not found."""
        if self.numbers is not None:
            places_first = sorted(self.numbers, key=lambda name: isinstance(name, tuple))  # then coordinates
            first = ", ".join(map(shown, places_first[:NAMES_SHOWN]))
            is_free = ~np.isin(np.arange(len(self.items)), found)
            free = {x: self.numbers[x] for x in compress(self.numbers, is_free)}
            return name_hint(free, label) or f"; the first ones are {first}"
        return f"; they are numbers from {self.first_id} to {len(self.items) - 1 + self.first_id}"


# Values of vertices


def values_of_vertices(
    graph: Any,
    argument: str,
    values: Any,
    numbers: Mapping[Hashable, int] | None = None,
    is_partial: bool = False,
    otherwise: float | None = None,
) -> NDArray[Any]:
    """Make an array with a value, or a row of values, for each vertex.

    Parameters
    ----------
    graph : Graph
        The graph.
    argument : str
        Name of the argument in errors.
    values : object
        A mapping from labels to values; a frame or series of pandas; a frame of polars or a table of Arrow,
        with a column of ids if it has one of `ID_COLUMNS`; or an array, a list or a column. If profiles were
        collapsed, there may be a value for each profile; the first of each vertex counts.
    numbers : mapping, optional
        The number of each name of the graph, if it is known.
    is_partial : bool
        Whether vertices may have no row: their value is NaN among numbers, else None, and a warning counts
        them.
    otherwise : number, optional
        The value of vertices that have no row, which may then be missing without a warning.

    Returns
    -------
    (n,) or (n, p) array

    Raises
    ------
    GraphError, GraphTypeError
        No label is known, one is missing or there twice; values without labels are too many or too few; or
        they are not an array.
    """
    is_partial |= otherwise is not None
    values, rows = rows_by_label(graph, argument, values, numbers, is_partial)
    array = _as_array(argument, values)
    if isinstance(values, str):
        by_name = f", or frame.set_index('Name')[{shown(values)}] if the column 'Name' has their names"
        raise GraphTypeError(
            f"{argument} is a text: pass values of the vertices, such as {argument}=frame[{shown(values)}]"
            + by_name * (graph.names is not None)
        )
    if rows is None:
        rows = rows_by_position(graph, argument, array.shape[0] if array.ndim else -1)
    found, has_none = array[rows] if len(array) else np.full(rows.size, np.nan), rows < 0
    if has_none.any() and otherwise is not None:
        found = found if otherwise in (0, 1) else found.astype(np.float64)
        found[has_none] = otherwise
    elif has_none.any():
        warn_of_missing(graph, argument, rows)
        if found.dtype.kind not in "f":
            found = found.astype(np.float64 if found.dtype.kind in "iu" else object)
        found[has_none] = np.nan if found.dtype.kind == "f" else None
    return found


def warn_of_missing(graph: Any, argument: str, rows: NDArray[np.int64]) -> None:
    """Warn of vertices that have no row, which is -1, so that they have no value."""
    missing = np.flatnonzero((rows < 0) & ~are_crossings(graph))
    if count := missing.size:
        first = shown(graph.shown_id(missing[:1]).tolist()[0])
        names = f"{count:,} of {rows.size:,} names"
        warn(f"{argument}: {names} have no row, the first is {first}: they have no value")


def are_crossings(graph: Any) -> NDArray[np.bool_]:
    """Return which vertices are ends of the lines that a graph was made from, but no places."""
    found = np.full(graph.n, hasattr(getattr(graph.annotations.table, "frame", None), "geometry"))
    if graph.annotations.terminals is not None:
        found[graph.annotations.terminals] = False
    return found


def rows_by_label(
    graph: Any,
    argument: str,
    values: Any,
    numbers: Mapping[Hashable, int] | None = None,
    is_partial: bool = False,
    has_index: bool = True,
) -> tuple[Any, NDArray[np.int64] | None]:
    """Find the row of each vertex by the labels of rows.

    Parameters
    ----------
    graph, argument, values, numbers
        As for `values_of_vertices`.
    is_partial : bool
        Whether vertices may have no row.
    has_index : bool
        Whether the index of pandas comes from the caller.

    Returns
    -------
    object
        The values: the values of a mapping as a list, a table of Arrow as a frame of polars, a frame without
        the column of ids that was used.
    (n,) array of int64, or None
        The row of each vertex, -1 of one that has none (only with ``is_partial``). None if there are no
        labels.
    """
    if isinstance(values, Mapping):
        rows = _rows_of_vertices(graph, argument, "the mapping", list(values), numbers, is_partial)
        return list(values.values()), rows
    values = in_memory(values)
    if getattr(values, "attrs", None) == TEXTS_OF_FILE:
        return values, None
    candidates: _Labels = _labels_in_columns(graph, values)
    if has_index and is_pandas(values) and _has_labels(graph, argument, values.index, bool(candidates)):
        candidates[None] = values.index.tolist()

    def rows_of(column: str | None, labels: list[Any], is_exact: bool = False) -> NDArray[np.int64]:
        return _rows_of_vertices(graph, argument, _where(column), labels, numbers, is_partial, is_exact)

    def matches(labelled: _Labels, is_exact: bool) -> dict[str | None, NDArray[np.int64]]:
        found: dict[str | None, NDArray[np.int64]] = {}
        for column, labels in labelled.items():
            with suppress(GraphError), without_warnings():
                found[column] = rows_of(column, labels, is_exact)
        return found

    exact = matches(candidates, True)
    candidates |= {} if exact else _names_in_columns(graph, values, argument == "coordinates")
    found = exact or matches(candidates, False)
    if not candidates:
        if not _check_no_names(graph, argument, values) and has_index:
            _warn_of_position(graph, argument, values)
        return values, None
    column = next(iter(found or candidates))
    rows = rows_of(column, candidates[column], bool(exact))  # raises the error, or warns
    for other, other_rows in found.items():
        if not np.array_equal(rows, other_rows):
            raise GraphError(
                f"{argument}: {_where(other)} and {_where(column)} name the vertices in different orders: "
                "drop one"
            )
    if column is not None:
        values = values.drop(columns=column) if is_pandas(values) else values.drop(column)
    return values, rows


def rows_by_position(graph: Any, argument: str, size: int) -> NDArray[np.int64]:
    """Return the row of each vertex, if there is a row for each, or for each profile."""
    if size == graph.n:
        return np.arange(graph.n)
    profiles = _names_of_profiles(graph)
    if profiles is not None and size == len(profiles):
        return graph.profiles.first_rows
    or_profiles = "" if profiles is None else f", or of the {len(profiles):,} profiles"
    got = f"got {size:,}" if size >= 0 else "got one"
    raise GraphError(f"{argument} must have a value for each of the {graph.n:,} vertices{or_profiles}, {got}")


def row_of_vertex(
    graph: Any, argument: str, labels: Any, numbers: Mapping[Hashable, int] | None = None
) -> NDArray[np.int64]:
    """Return the row of each vertex, given the label of each row; -1 of a vertex that no label names."""
    items = list_column(read_column(argument, labels))
    return _rows_of_vertices(graph, argument, "the table", items, numbers, is_partial=True)


def rows_of_names(argument: str, where: str, labels: list[str], names: list[str]) -> NDArray[np.int64]:
    """Return the row of each name, given the label of each row, as `row_of_vertex`."""
    known = _Known.of(names, "vertex")
    labels = _with_names_of_strains(argument, where, labels, known)
    return _matched(argument, where, labels, known, is_partial=True, leaves_out=True)


def are_named(argument: str, wanted: list[str], names: list[str]) -> NDArray[np.bool_]:
    """Return which names are wanted; one that is none of them is an error."""
    known = _Known.of(names, "profile")
    wanted = _with_names_of_strains(argument, "the list", wanted, known)
    return np.isin(np.arange(len(names)), numbers_of(known.numbers or {}, argument, wanted))


def with_names_of_strains(graph: Any, argument: str, names: list[Any]) -> list[Any]:
    """Return names where those of strains stand for names of vertices, as ``A12`` for ``A12.fasta``."""
    return _with_names_of_strains(argument, "the list", names, _Known.of_vertices(graph, None))


def _with_names_of_strains(argument: str, where: str, labels: list[Any], known: _Known) -> list[Any]:
    """Replace labels that are not known by the names of the same strains, as ``A12`` by ``A12.fasta``.

    A name in the same case comes first. One of several names in another case is not taken.

    Raises
    ------
    GraphError
        Several names are of the strain of a label.

    Warns
    -----
    GraphWarning
        Labels are replaced.
    """
    number = known.find(labels)
    if known.numbers is None or (number >= 0).all():
        return labels
    names, found = defaultdict[str, list[Any]](list), dict[Any, Any]()
    for k in np.setdiff1d(np.arange(len(known.items)), number).tolist():
        for name in strain_keys([str(known.items[k])]):
            names[name].append(known.items[k])
    for label in compress(labels, number < 0):
        same = [name for name in names[strain_key(str(label))] if str(name) != str(label)]
        exact = [name for name in same if strain_name(str(label)) in strain_name(str(name))]
        if len(exact) > 1:
            which = " or ".join(map(shown, exact))
            raise GraphError(f"{argument}: {where} has {shown(label)}, which may be the {known.what} {which}")
        found.update((label, name) for name in exact or same[: len(same) == 1])
    if found:
        label, name = next(iter(found.items()))
        warn(
            f"{argument}: {len(found):,} of {len(labels):,} rows are matched by names without folders and "
            f"endings of files, numbers before a bar, or blanks, in any case, as {shown(label)} with "
            f"{shown(name)}"
        )
    return [found.get(label, label) for label in labels]


def column_of_names(graph: Any, others: Collection[str] = ()) -> str:
    """Return what tables call the column of names of vertices, or of profiles.

    It is called as in the table that the graph was made from, unless another column is. Otherwise it is
    ``strain`` for profiles and members of groups, and ``vertex`` for others, also for numbers of vertices.
    """
    given = (graph.annotations.id_column or "").lstrip("#")
    otherwise = "vertex" if graph.profiles is None else "strain"
    return given if given and given not in others and graph.has_names else otherwise


def columns_with_names(
    columns: Mapping[Any, list[Any]], names: Iterable[str], called: Iterable[Any] = ()
) -> list[Any]:
    """Return the columns that hold most of the names, without folders and endings of files.

    Names count if the column is ``called`` as one of names, and if it has no value twice; both count double.
    Where none counts, a column that has half of the names counts, too. Of equal columns, those that are
    called so are returned, else those with most names, all of them unless none has a name that counts.
    """
    strains, called = strain_keys(names), dict.fromkeys(called)
    scores = {}
    for column in {**called, **columns}:
        texts = [strain_name(label_text(x)) for x in columns[column] if x is not None and label_text(x) != ""]
        found, are_distinct = len(strains.intersection(map(strain_key, texts))), len({*texts}) == len(texts)
        otherwise = 1e-9 * (found >= LEAST_KNOWN * len(strains))  # less than any other, but better than none
        score = found * ((column in called) + are_distinct or otherwise)
        scores[column] = score, column in called, are_distinct, found
    best = max(scores.values(), default=(0,))
    return [column for column in scores if scores[column] == best][: None if best[0] else 1]


def names_in_order(graph: Any, names: Any) -> Any:
    """Sort new names of vertices that are given by labels: by their present names or numbers."""
    if not (isinstance(names, Mapping) or is_pandas(names)):
        return names
    names, rows = rows_by_label(graph, "names", names)
    return names if rows is None else take_rows(names, rows)


def _where(column: str | None) -> str:
    """Return what messages call a column of labels; None is the index."""
    return "the index" if column is None else f"the column {shown(column)}"


def _columns_named_once(values: Any) -> list[Any]:
    """List the columns of a table of several, without names that are there twice; none of other values."""
    count = Counter(values.columns if is_table(values) else ())
    return [column for column in count if count[column] == 1] if count.total() > 1 else []


def _labels_in_columns(graph: Any, values: Any) -> _Labels:
    """Return the labels in the columns of a table that are called so, by the names of the columns."""
    found: _Labels = {}
    known = {*ID_COLUMNS, (graph.annotations.id_column or "id").lower().lstrip("#")}
    for column in _columns_named_once(values):
        if isinstance(column, str) and column.lower().lstrip("#") in known | {INDEX}:
            items = list_column(read_column(column, values[column]))
            if graph.names is not None or all(map(_may_be_a_number, items)):
                found[column] = items
    return found


def _names_in_columns(graph: Any, values: Any, are_coordinates: bool) -> _Labels:
    """Return columns with names of vertices: called as one of `NAMES`, or the first beside coordinates."""
    columns = _columns_named_once(values)
    columns = [x for k, x in enumerate(columns) if is_called(x, NAMES) or (are_coordinates and k == 0)]
    if graph.names is None or not columns:
        return {}
    known = strain_keys(_names_of_profiles(graph) or _names_of_rows(graph, len(values)))
    found: _Labels = {}
    for column in columns:
        labels = list_column(read_column(column, values[column]))
        with suppress(TypeError):  # of a column of lists
            strains = [strain_name(label) for label in labels if strain_key(label) in known]
            is_text = is_called(column, NAMES) or all(isinstance(label, str) for label in labels)
            if is_text and len({*strains}) == len(strains) >= max(LEAST_KNOWN * len(known), 1):
                found[column] = labels
    return found


def _has_labels(graph: Any, argument: str, index: Any, is_decided: bool) -> bool:
    """Return whether an index has labels, rather than that it numbers the rows."""
    if not is_numbering(index):
        return True
    if len(index) < graph.n and are_crossings(graph).any():
        return set(index) <= set(graph.name_of(slice(None)).tolist())
    if graph.names is None or is_decided:
        return False
    numbers, names = range(len(index)), _names_of_rows(graph, len(index))
    if names == list(numbers) or len(names) != len(numbers) or set(names) != set(numbers):
        return False
    if type(index).__name__ == "RangeIndex":
        raise GraphError(
            f"{argument} have rows that are only numbered, and vertices have the same numbers as names, in "
            f"another order: pass {argument}.to_numpy() in the order of the vertices, or a dict by name"
        )
    return True


def _check_no_names(graph: Any, argument: str, values: Any) -> bool:
    """Return whether a column of a table holds the names of the vertices in their order.

    A `GraphError` says that a column has them in another order. These are most of the texts of a column, or
    numbers that are all the names: they name the rows, or are a value such as a rank.
    """
    columns, has_names = _columns_named_once(values), False
    if graph.names is None or not columns:
        return False
    names = [strain_key(str(name)) for name in _names_of_rows(graph, len(values))]
    for column in columns:
        items = read_column(str(column), values[column])
        texts = [strain_key(str(item)) for item in list_column(items)]
        least = len(names) if isinstance(items, np.ndarray) else max(LEAST_KNOWN * len(texts), 1)
        has_names |= texts == names
        if texts != names and len(set(texts).intersection(names)) >= least:
            raise GraphError(
                f"{argument}: the column {shown(column)} has names of vertices, in another order: call it "
                "'id' if it names the rows, else add a column 'id' that does"
            )
    return has_names


def _warn_of_position(graph: Any, argument: str, values: Any) -> None:
    """Warn that the rows of a frame or series have no labels, and vertices have names.

    Such rows are often in the order of another file. Columns of `boruvka.Forest.to_nodes` are not. No warning
    is of names that are 0, 1, 2 and so on, which number the rows, or pairs: coordinates of the ends of lines.
    """
    if graph.names is None or not (is_pandas(values) or is_table(values)) or len(values) < graph.n:
        return
    names = graph.name_of(slice(None)).tolist()
    are_names = names != list(range(graph.n)) and not all(isinstance(name, tuple) for name in names)
    if are_names and getattr(values, "attrs", None) != ORDER_OF_VERTICES:
        by_name = "frame.set_index('Name')[...]" if is_pandas(values) else "a frame with the column of names"
        warn(
            f"{argument}: rows have no names of vertices, and are taken in the order of the vertices: pass "
            f"{by_name} to match them by name, or {argument}.to_numpy() if they are in this order"
        )


def _rows_of_vertices(
    graph: Any,
    argument: str,
    where: str,
    labels: list[Any],
    numbers: Mapping[Hashable, int] | None,
    is_partial: bool,
    is_exact: bool = False,
) -> NDArray[np.int64]:
    """Return the row of each vertex, from the labels of the rows: of vertices, or of collapsed profiles.

    If ``is_exact``, each vertex has a row, and each row is of a vertex.
    """
    known, wanted, profiles = _Known.of_vertices(graph, numbers), None, _names_of_profiles(graph)
    if profiles is not None:
        known, wanted = _Known.of(profiles, "profile"), graph.profiles.first_rows
    known = known._replace(left_out=frozenset(strain_keys(graph.annotations.left_out)))
    labels = _with_names_of_strains(argument, where, labels, known)
    return _matched(argument, where, labels, known, wanted, is_partial and not is_exact, not is_exact)


def _names_of_profiles(graph: Any) -> list[Any] | None:
    """Return the labels of the profiles of which several may be one vertex; None for other graphs."""
    return None if graph.profiles is None or graph.profiles.names is None else graph.profiles.names.tolist()


def _names_of_rows(graph: Any, count: int) -> list[Any]:
    """Return the names of vertices, or of profiles if there is a row for each."""
    profiles = _names_of_profiles(graph)
    if profiles is not None and len(profiles) == count:
        return profiles
    names: list[Any] = graph.name_of(slice(None)).tolist()
    return names


# Masks of edges, and columns that belong together


def read_edges(graph: Any, argument: str, values: Any) -> NDArray[np.int64]:
    """Return the indices, ascending, of edges as `in_edge_order` takes them; both of an edge of a matrix.

    Two integers are indices; a warning says so if an edge joins these vertices.
    """
    if isinstance(values, list | tuple) and len(values) == 2 and all(type(x) is int for x in values):
        warn_of_ends(graph, argument, values)
    edges = in_edge_order(graph, argument, [] if values is None else values)
    return with_opposite_entries(graph, edge_indices(argument, edges, graph.m))


def in_edge_order(graph: Any, argument: str, values: Any, maximum: bool = False) -> Any:
    """Find edges given as `edges_of_rows` takes them; sort a mask that has labels: an index, or keys.

    The labels of edges are the index of the frame that the graph was made from. For other graphs, the keys
    of a mapping are the numbers of edges, and an index must be 0, 1, 2 and so on. A mapping of names of
    columns to values, or to lists of values, stands for the edges that have a value of any of these columns.
    Anything else is returned as it is.

    Raises
    ------
    GraphError, GraphTypeError
        The labels differ from the labels of the edges, or the values of a mapping are not booleans.
    """
    values = edges_of_rows(graph, argument, values, maximum)
    if isinstance(values, Mapping):
        where, labels, mask = "the mapping", list(values), _mask(np.array([*values.values()], object))
        if mask is None or _are_columns(labels, graph.annotations.table):
            if graph.annotations.table is not None:
                return _edges_with(graph, argument, values)
            raise GraphTypeError(
                f"{argument}: the edges have no columns: name a file or a frame that has them, or give each "
                "edge True or False"
            )
    elif is_pandas(values) and values.ndim == 1 and (mask := _mask(values)) is not None:
        where, labels = "the index", values.index.tolist()
    else:
        own = getattr(graph.annotations.table, "index", None) if hasattr(values, "get_indexer") else None
        if own is not None and not is_numbering(own):
            how = f"edges may be pieces: write {argument}={{'name': ['Main Street']}}, values of a column"
            raise GraphError(f"{argument}: labels of rows are not numbers of edges, as {how}")
        return values
    table = graph.annotations.table
    only_numbers = is_pandas(values) and is_numbering(values.index)
    if table is None or table.index is None:
        if not is_pandas(values):
            return mask[_matched(argument, where, labels, _Known(range(graph.m), None, "edge"))]
        if only_numbers:
            return mask
        first = shown(next(iter(labels), None))
        raise GraphError(
            f"{argument}: the index has labels, such as {first}, and the edges have none"
            f"{_remedy(argument, where, 'edge')}"
        )
    rows, index = table.rows_of(np.arange(graph.m)), table.index
    if labels == index.tolist():
        return mask[rows]
    known = _rows_of_index(argument, index, values)
    is_labelled = known.find(labels).min(initial=0) >= 0
    if only_numbers and is_labelled and type(values.index).__name__ == "RangeIndex":
        raise GraphError(
            f"{argument}: the index only numbers the rows, and the frame has the same numbers as labels, in "
            f"another order{_remedy(argument, where, 'edge')}"
        )
    if only_numbers and not is_labelled and mask.size == graph.m:
        return mask
    return mask[_matched(argument, where, labels, known, rows)]


def _are_columns(keys: list[Any], table: Any) -> bool:
    """Return whether the keys of a mapping are names of columns of a table, and no labels of its rows."""
    are_texts = table is not None and bool(keys) and all(isinstance(key, str) for key in keys)
    return are_texts and (table.index is None or not table.index.isin(keys).any())


def _edges_with(graph: Any, argument: str, columns: Mapping[str, Any]) -> NDArray[np.bool_]:
    """Return a mask of the edges that have one of the given values in any of these columns of their table.

    None stands for no value. A link to a place may end at several streets, and has the values of one; it is
    taken by values of streets only if all of its streets are. A warning names values that differ by case or
    blanks only, and lists, as in maps of OSMnx, or their texts, that have one of the values. Of lines at one
    place, of which one piece counts, all must have a value; one is enough for required edges.
    """
    table, edges = graph.annotations.table, np.arange(graph.m)
    edge, others, is_dearer = edges[:0], cast(Any, {}), edges[:0] > 0
    if getattr(table, "hidden", None) is not None:
        row, others, is_dearer = table.hidden
        edge = pd.Series(edges, table.rows_of(edges)).reindex(row, fill_value=-1).to_numpy()
        others, is_dearer, edge = (x[edge >= 0] for x in (others, is_dearer, edge))
    mask, is_named = np.zeros((2, graph.m + len(edge)), bool)
    for name, wanted in columns.items():
        column = list_column(table.take(name, edges))
        is_given = name in others and f"{name}_given" not in table.frame  # else it tells of pieces
        column += list_column(others[name]) if is_given else [column[k] for k in edge.tolist()]
        listed = wanted if isinstance(wanted, list | tuple) else [wanted]
        texts, wanted = ([*map(_text_of, values)] for values in (column, listed))
        known: dict[Any, int] = {text: k for k, text in enumerate(dict.fromkeys(texts))}
        wanted = [x if x is None or x in known else re.sub(r"^(-?\d+)\.0$", r"\1", x) for x in wanted]
        if unknown := [value for value in wanted if value not in known]:
            problem = f"no edge has {shown(unknown[0])} in the column {shown(name)}"
            hint = name_hint(known, unknown[0]) or f"; its values are {shown([*known])}"
            if padded := [x for x in known if x is not None and x.strip() == unknown[0]]:
                hint = f"; write {shown(padded[0])} in double quotes, as there are blanks in it"
            if not known.keys().isdisjoint(map(str.strip, str(unknown[0]).split(",")[1:])):
                each = f"{argument} for each, or {name}=@FILE" if argument[0] == "-" else "them in a list"
                hint = f"; for several values, write {each}"
            raise GraphError(f"{argument}: {problem}{hint}")
        plain = {x: " ".join(x.split()).casefold() for x in known if x is not None}
        meant = {plain[x] for x in wanted if x is not None}
        lists = [x for x in plain if x[:1] == "[" and any(_lists(x, y) for y in wanted if y is not None)]
        if alike := [x for x in plain if (plain[x] in meant or x in lists) and x not in wanted]:
            others = f"{shown(alike)} too, which {'are lists' if lists else 'differ by case or blanks'}"
            warn(f"{argument}: the column {shown(name)} has {others}: add them if these are the same")
        has_value = np.isin([known[text] for text in texts], [known[value] for value in wanted])
        mask |= has_value
        is_named |= has_value & (re.match("kind$|place", name) is not None)
    mask, has_value, is_named = mask[: graph.m], mask[graph.m :], is_named[: graph.m]
    if argument.endswith("required"):
        mask[edge[has_value]] = True
    else:
        mask[edge[~has_value & ~is_dearer]] = False
        if count := np.unique(edge[~has_value & mask[edge]]).size:
            dearer = f"{count:,} pieces have this value, and a dearer line at the same place has not"
            raise GraphError(f"{argument}: {dearer}: leave the cheaper rows out of the streets")
    if graph.annotations.places is not None:
        ends, is_open = np.stack([graph.u, graph.v]), np.zeros(graph.n, bool)
        is_link = np.isin(ends, graph.annotations.terminals).any(axis=0)
        is_open[ends[:, ~is_link & ~mask]] = True
        mask &= is_named | ~(is_link & is_open[ends].any(axis=0))
    return mask


def _text_of(value: Any) -> str | None:
    """Return the text of a value, None if it is missing; whole numbers in columns with gaps are floats."""
    if is_missing(value):
        return None
    is_whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if is_whole else str(value)


def _lists(text: str, value: str) -> bool:
    """Return whether a text, such as "['Main', 'Low']", is a list that has a value."""
    return repr(value) in text or f'"{value}"' in text or value in text[1:-1].split(", ")


def _mask(values: Any) -> NDArray[np.bool_] | None:
    """Return booleans as an array; None if a value is anything else."""
    array = np.asarray(values)
    if array.dtype == object and all(isinstance(value, bool | np.bool_) for value in array):
        array = array.astype(bool)
    return array if array.dtype == bool else None


def in_order_of_rows(**arguments: Any) -> tuple[Any, ...]:
    """Sort arguments that have a value for the same rows by their labels, in the order of the first.

    Frames and series of pandas whose labels are the same set are sorted. A mapping is sorted by the labels of
    a frame or series. Others are taken by position.

    Raises
    ------
    GraphError
        Two arguments have labels that differ.
    """
    sorted_: list[Any] = []
    seen: list[tuple[str, Any]] = []
    for name, values in arguments.items():
        if isinstance(values, Mapping) and seen:
            values = _values_in_order(name, values, _rows_of_index(name, seen[0][1].index))
        elif is_pandas(values):
            values = _in_order_of(name, values, seen)
            seen.append((name, values))
        sorted_.append(values)
    return tuple(sorted_)


def names_of_rows(argument: str, rows: Any, names: Any) -> Any:
    """Sort names by the labels of rows, and list them; labels that rows do not have are an error.

    The labels of rows that are not of pandas are their numbers.
    """
    names = in_order_of_rows(**{argument: rows, "names": names})[1]
    if isinstance(names, Mapping):
        return _values_in_order("names", names, _Known(range(len(names)), None, "row"))
    if not is_pandas(names):
        return names
    if not is_pandas(rows):
        check_numbering("names", names, argument)
    if names.ndim != 1:
        raise GraphTypeError(f"names must be one column, this frame has {len(names.columns)}")
    return names.tolist()


def row_names(frame: Any, is_square: bool = False) -> list[Any] | None:
    """List the labels of the rows of a pandas frame; None if they number the rows, or one is there twice.

    Parameters
    ----------
    frame : object
        Anything; only frames of pandas have labels.
    is_square : bool
        Columns have the same labels.

    Raises
    ------
    GraphError
        The columns of a square frame have other labels than its rows.

    Warns
    -----
    GraphWarning
        A label is there twice.
    """
    if is_square:
        check_square_labels(frame)
    return index_names(frame.index) if is_pandas(frame) and frame.ndim == 2 else None


def index_names(index: Any) -> list[Any] | None:
    """List the labels of an index, or of a column with them, as `row_names` does; None has none."""
    labels: list[Any] = [] if index is None else index.to_list()
    if labels == list(range(len(labels))):
        return None
    repeated = list(index.duplicated() if hasattr(index, "duplicated") else index.is_duplicated())
    if True in repeated:
        twice = labels[repeated.index(True)]
        why = f"; {READ_AS_MISSING}" if is_missing(twice) else ""
        warn(f"the index has {shown(twice)} twice, so that it names no vertices: they are numbers{why}")
        return None
    return labels


def labelled_matrix(values: Any) -> tuple[Any, list[Any] | None]:
    """Return a square matrix, and the names of its rows; None if they have none.

    A table of polars or Arrow has them in its columns; a first column with the same names is left out. Of
    others, see `row_names`.
    """
    values = in_memory(values)
    if not is_table(values) or is_pandas(values):
        return values, row_names(values, True)
    names: list[Any] = values.columns
    if values.height == len(names) - 1 and values.to_series(0).to_list() == names[1:]:
        values, names = values.drop(names[0]), names[1:]
    is_numbering = names == [f"column_{i}" for i in range(len(names))]  # as polars names them
    return values, None if is_numbering else names


def label_text(label: Any) -> Any:
    """Return a label as text, or an integer that is too long for Python to write."""
    try:
        return str(label)
    except ValueError:
        return label


def has_same_labels(frame: Any) -> bool:
    """Return whether the rows and the columns of a frame of pandas have the same labels, in any order.

    Labels that are equal as texts are the same: ``pandas.read_csv(index_col=0)`` makes numbers of the labels
    of rows, but not of columns.
    """
    return set(map(label_text, frame.index)) == set(map(label_text, frame.columns))


def check_square_labels(frame: Any) -> None:
    """Raise a `GraphError` if the columns of a square frame of pandas have other labels than its rows."""
    if not is_pandas(frame) or frame.ndim != 2:
        return
    rows, columns, numbers = frame.index.tolist(), frame.columns.tolist(), list(range(len(frame)))
    different = [
        i for i, (a, b) in enumerate(zip(rows, columns, strict=False)) if label_text(a) != label_text(b)
    ]
    if not different or (numbers in (rows, columns) and not has_same_labels(frame)):
        return
    i = different[0]
    advice = "if they are in the same order, write frame.set_axis(frame.columns, axis=0)"
    if has_same_labels(frame) and frame.index.is_unique and frame.columns.is_unique:
        advice = "write frame.rename(index=str, columns=str).pipe(lambda x: x[x.index])"
    elif is_missing(rows[i]):
        advice += f"; {READ_AS_MISSING}"
    labels = f"row {i} has the label {shown(rows[i])}, column {i} {shown(columns[i])}"
    raise GraphError(f"{labels}: both name a vertex; {advice}")


def check_labels_are_index(frame: Any, is_matrix: bool = True) -> None:
    """Raise a `GraphError` if the first column of a frame has the labels of a square matrix.

    Of a frame that is a matrix, and no table of edges, also if it has other texts.
    """
    if not is_table(frame) or frame.shape[1] != len(frame) + 1:
        return
    first, *others = frame.columns
    labels = (frame.iloc[:, 0] if is_pandas(frame) else frame.to_series(0)).to_list()
    has_texts = is_matrix and any(isinstance(label, str) for label in labels)
    if has_texts or list(map(label_text, labels)) == list(map(label_text, others)):
        of_pandas = f"frame.set_index({shown(first)}), or pandas.read_csv(..., index_col=0)"
        way = of_pandas if is_pandas(frame) else f"frame.drop({shown(first)})"
        raise GraphError(f"the column {shown(first)} has the labels of the matrix: write {way}")


def is_index(column: Any) -> bool:
    """Return whether a column has no name, or the name that pandas gives to it."""
    return isinstance(column, str) and column.strip().lower() in ("", "unnamed: 0", INDEX)


def index_apart(frame: pl.DataFrame, about: str | bytes = "{}") -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return a frame without the columns of an index of pandas, and these columns.

    The metadata that pandas writes names them, or says that they are a range; others are called so.
    """
    stored = json.loads(about).get("index_columns", [])
    for each in [x for x in stored if isinstance(x, dict) and (x["name"] or INDEX) not in frame.columns]:
        labels, name = range(each["start"], each["stop"], each["step"]), str(each["name"] or INDEX)
        if len(labels) == len(frame) and labels != range(len(frame)):
            frame, stored = frame.with_columns(pl.Series(name, labels)), [name]
    index = [x for x in frame.columns if x in stored or _INDEX_LEVEL.fullmatch(x)]
    return frame.drop(index), frame.select(index)


def is_called_id(column: Any) -> bool:
    """Return whether the first column of a table of points is called as one that holds their names.

    It is one of `ID_COLUMNS`, has the last word id, as customer_id, or is called as ids of catalogues of the
    sky are, as SPECOBJID and HIP; or it has no name, as an index of pandas.
    """
    if not isinstance(column, str):
        return False
    name = column.strip()
    return is_index(name) or name.lower() in ID_COLUMNS or _LAST_WORD_ID.fullmatch(name) is not None


def are_ids(values: list[Any]) -> bool:
    """Return whether values may name rows: they differ, none is missing, and none is a fraction."""
    is_float = any(value is None or isinstance(value, float) for value in values)
    return not is_float and len(set(map(label_text, values))) == len(values)


def names_points(column: Any, values: list[Any]) -> bool:
    """Return whether a column that is called as one of names has them; warn if few are there twice."""
    found, is_valid = Counter(value for value in values if isinstance(value, str | int)), are_ids(values)
    if not is_valid and found.total() > len(found) > len(values) / 2:
        warn(
            f"the column {shown(column)} names no points: {shown(found.most_common(1)[0][0])} is there twice"
        )
    return is_valid


def without_names(points: Any, argument: str = "points") -> tuple[Any, Any]:
    """Take the names out of a table of points whose first column is called so; return both, or None.

    A column of an index of pandas has them where no other one is called so.

    Warns
    -----
    GraphWarning
        It says which column holds the names.
    """
    columns = list(points.columns) if is_table(points) else []
    if columns[:1] == [INDEX]:
        others, names = without_names(points.drop(INDEX), argument)
        return others, points[INDEX].alias("") if names is None else names
    if len(columns) < 2 or not is_called_id(columns[0]) or columns.count(columns[0]) > 1:
        return points, None
    names = points[columns[0]]
    if not names_points(columns[0], list_column(read_column(argument, names))):
        return points, None
    says_so = f" ({argument}.set_index({shown(columns[0])}) says so)" if is_pandas(points) else ""
    warn(f"the column {shown(columns[0])} holds the names of points{says_so}")
    return points.iloc[:, 1:] if is_pandas(points) else points[:, 1:], names


def _in_order_of(name: str, values: Any, seen: list[tuple[str, Any]]) -> Any:
    """Sort a frame or series by the first of others that has the same labels."""
    for _, other in seen:
        if values.index.equals(other.index):
            return values
        if len(values) == len(other) and values.index.is_unique and other.index.is_unique:
            rows = values.index.get_indexer(other.index)
            if (rows >= 0).all():
                return values.iloc[rows]
    for argument, other in seen:
        if not (is_numbering(values.index) or is_numbering(other.index)):
            unknown = values.index.symmetric_difference(other.index, sort=False).tolist()
            problem = f"different labels, such as {shown(unknown[0])}" if unknown else "labels twice"
            raise GraphError(
                f"{name} and {argument} have {problem}: select the same rows, or pass {name}.to_numpy() to "
                "take them by position"
            )
    return values


def _rows_of_index(argument: str, index: Any, mask: Any = None) -> _Known:
    """Return the labels of an index; ``mask`` is what was given for edges."""
    if not index.is_unique:
        how, name = "pass an array in their order", getattr(mask, "name", None) or "name"
        if argument in ("required", "excluded"):
            how = f"pass values of a column, as {argument}={{{shown(name)}: ['Main Street']}}, or a mask"
        raise GraphError(f"{argument}: labels are there twice, as lines are split, or rows repeat: {how}")
    return _Known.of(index.tolist(), "row")


def _values_in_order(argument: str, mapping: Mapping[Any, Any], known: _Known) -> list[Any]:
    """List the values of a mapping in the order of the known labels."""
    values = list(mapping.values())
    return [values[row] for row in _matched(argument, "the mapping", list(mapping), known).tolist()]


# What values are


def is_pandas(values: Any) -> bool:
    """Return whether values are a frame or series of pandas, or of a library built on it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(values, pandas.DataFrame | pandas.Series)


def is_table(values: Any) -> bool:
    """Return whether values are a frame of pandas or polars."""
    if is_pandas(values):
        return values.ndim == 2
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(values, polars.DataFrame)


def take_rows(values: Any, rows: NDArray[np.int64]) -> Any:
    """Return rows of a list, an array, or a frame or column of pandas or polars."""
    if is_pandas(values):
        return values.iloc[rows]
    if type(values).__module__.partition(".")[0] == "polars":
        return values[rows]
    if isinstance(values, list | tuple):
        return [values[row] for row in rows.tolist()]
    return np.asarray(values)[rows]


def in_memory(values: Any, keeps_name: bool = False) -> Any:
    """Return a table of Arrow, DuckDB or a lazy frame as a frame of polars; others as they are.

    An index of pandas that is one column, as in Parquet files, comes first, called `INDEX` unless its name is
    kept; one of several columns is left out. A structured array, such as records of FITS, or a table of
    astropy, is a frame of pandas.
    """
    library = type(values).__module__.partition(".")[0]
    values = values.as_array() if library == "astropy" and hasattr(values, "as_array") else values
    if isinstance(values, np.ndarray) and values.dtype.names and values.ndim == 1:
        fields = {name: _field(values[name]) for name in values.dtype.names}
        return pd.DataFrame(fields)
    try:
        if hasattr(values, "to_arrow_table"):
            values, library = values.to_arrow_table(), "pyarrow"
        about: Any = b"{}"
        if library == "pyarrow" and hasattr(values, "schema"):
            values = values.read_all() if hasattr(values, "read_all") else values
            about, values = (values.schema.metadata or {}).get(b"pandas", about), pl.from_arrow(values)
        values = values.collect() if library == "polars" and hasattr(values, "collect") else values
        if not is_table(values) or is_pandas(values):
            levels = [x for x in getattr(values, "columns", ()) if _INDEX_LEVEL.fullmatch(str(x))]
            return values.set_index(levels) if is_pandas(values) and levels else values
        others, index = index_apart(values, about)
        if index.width != 1:
            return others if index.width else values
        name = index.columns[0] if keeps_name else INDEX
        return others.insert_column(0, index.to_series().alias(name))
    except (MemoryError, MissingExtraError):
        raise
    except Exception as error:  # of any library
        raise GraphTypeError(f"the table cannot be read: {error}") from error


def _field(values: Any) -> Any:
    """Return a field of a structured array as pandas takes it: in the byte order of the machine."""
    if values.dtype.kind == "S":
        values = np.ma.array(np.char.decode(values, "utf-8", "replace"), mask=np.ma.getmask(values))
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    return values if values.ndim == 1 else list(values)


def _as_array(argument: str, values: Any) -> NDArray[Any]:
    """Convert values without labels to an array; a frame with one column is this column."""
    if is_table(values) and len(values.columns) == 1:
        values = values[next(iter(values.columns))]
    if getattr(values, "ndim", 1) == 1 and hasattr(values, "to_numpy"):  # a column of any library
        column = read_column(argument, values)
        if isinstance(column, np.ndarray):
            return column
        array = np.empty(len(column), object)
        array[:] = list_column(column)
        return array
    array = read_array(argument, values)
    if array.dtype.kind == "U" and isinstance(values, list) and array.ndim == 1:
        array = np.array(values, object)  # NaN among texts is no text
    return array


def is_numbering(index: Any) -> bool:
    """Return whether an index is 0, 1, 2 and so on."""
    return index.dtype.kind in "iu" and np.array_equal(np.asarray(index), np.arange(len(index)))


def check_numbering(name: str, values: Any, rows: str) -> None:
    """Raise a `GraphError` if values of pandas have labels, and the rows that they are for have none."""
    if not is_numbering(values.index):
        items = enumerate(values.index.tolist())
        label = shown(next((x for k, x in items if not (is_number(x) and x == k)), None))
        way = f"pass {name}.to_numpy() to take them in the order of the rows"
        raise GraphError(f"{name}: they have labels, such as {label}, and {rows} none: {way}")


def has_bare_index(values: Any) -> bool:
    """Return whether an index of pandas has integers and no name, as sorting leaves the numbers of rows."""
    return is_pandas(values) and values.index.dtype.kind in "iu" and values.index.name is None


def plain(name: str) -> str:
    """Return the name of a column in lower case, without blanks, underscores, dots, and brackets."""
    return _NOT_IN_NAMES.sub("", name).lower()


def is_called(column: Any, known: frozenset[str]) -> bool:
    """Return whether a column has one of these names, or one that begins with #."""
    return isinstance(column, str) and (column.strip().startswith("#") or plain(column) in known)


def _may_be_a_number(label: Any) -> bool:
    return not isinstance(label, str) or label.strip().lstrip("-").isdecimal()


def _matched(
    argument: str,
    where: str,
    labels: list[Any],
    known: _Known,
    wanted: NDArray[Any] | None = None,
    is_partial: bool = False,
    leaves_out: bool = False,
) -> NDArray[np.int64]:
    """Return the rows whose labels have the wanted numbers, by default all known ones.

    ``where`` is what holds the labels, for messages: the mapping, the index, the table or a column.
    If ``is_partial``, a number may have no row, which is then -1. If it ``leaves_out`` rows, those whose
    label is not a known name do not count, unless none is known or one that is wanted is missing. Numbers in
    place of names are not left out: they may be counted from 1.

    Raises
    ------
    GraphError
        A label is not known, or is there twice, or there is none for a wanted number.
    """
    wanted = np.arange(len(known.items)) if wanted is None else wanted
    found, size = known.find(labels), len(labels)
    row, remedy = np.flatnonzero(found >= 0), _remedy(argument, where, known.what)
    if known.left_out and row.size:
        kept = [strain_key(x) not in known.left_out or k >= 0 for x, k in zip(labels, found, strict=True)]
        labels, found = list(compress(labels, kept)), found[kept]
    if row.size < found.size:
        unknown = list(compress(labels, found < 0))
        label = unknown[0]
        label, hint = label + known.first_id if is_number(label) else label, known.hint(label, found)
        if is_missing(label) and known.numbers is not None:
            hint = f"; {READ_AS_MISSING}" if any(map(isinstance, known.numbers, repeat(str))) else ""
        if where == "the index" and "which is a string" in hint:
            remedy = f": write {argument}.set_axis({argument}.index.astype(str))"
        renaming = _renaming(argument, where, labels, known, found)
        problem = f"{where} has {shown(label)}, which is no {known.what}"
        has_all = is_partial or np.isin(wanted, found).all()
        if not (leaves_out and known.numbers is not None and row.size and has_all):
            problem += renaming or hint
            may_be_in_order = not (row.size or renaming) and (found.size == wanted.size or not leaves_out)
            raise GraphError(f"{argument}: {problem}{remedy if may_be_in_order else ''}")
        without_row = dict(compress(known.numbers.items(), ~np.isin(np.arange(len(known.items)), found)))
        problem += hint if is_missing(label) else name_hint(without_row, label)
        others = ", ".join(map(shown, unknown[1:NAMES_SHOWN]))
        others = f" (others are {others})" if others else remedy if "a string" in hint else ""
        others += renaming
        if found.size < size:
            others += f"; {size - found.size:,} more are of profiles that were left out"
        warn(f"{argument}: {found.size - row.size:,} of {size:,} rows are left out: {problem}{others}")
        found = found[found >= 0]
    count = np.bincount(found, minlength=len(known.items))
    if count.max(initial=0) > 1:
        twice = known.shown(int(np.argmax(count > 1)))
        raise GraphError(f"{argument}: {where} has the {known.what} {twice} twice: keep one row of it")
    missing = wanted[count[wanted] == 0]
    if missing.size and not is_partial:
        more = f" and {missing.size - 1:,} others" if missing.size > 1 else ""
        first = known.shown(int(missing[0]))
        how = f": dict.fromkeys(names, 0) | {argument} gives others 0" if where == "the mapping" else ""
        raise GraphError(f"{argument} has no value for the {known.what} {first}{more}{how}")
    is_numbered = known.numbers is None and known.first_id == 0 and is_command_running()
    is_numbered &= argument != "prizes"  # the root, which may be the vertex 0, needs none
    if is_numbered and row.size > 1 and np.array_equal(np.sort(found), 1 + np.arange(row.size)):
        way = "name the points (--id COLUMN) if these are other numbers"
        warn(f"{argument}: {where} has numbers from 1, and vertices are numbered from 0: {way}")
    rows = np.full(len(known.items), -1)
    rows[found] = row
    return rows[wanted]


def _renaming(argument: str, where: str, labels: list[Any], known: _Known, found: NDArray[np.int64]) -> str:
    """Return how to rename labels so that more are known, each another one, and none less; empty if none."""
    old = found[found >= 0]
    if not known.numbers or len(labels) > MOST_COMPARED or not all(map(isinstance, labels, repeat(str))):
        return ""  # of numbers, or where it takes long
    for code, removed in RENAMINGS.items():
        new = [re.sub(removed, "", x.strip()) for x in labels]
        number = known.find(new)
        count = np.bincount(number[number >= 0], minlength=len(known.items))
        if count.max() == 1 and count[old].all() and (count.sum() > old.size + 1 or (number >= 0).all()):
            if where == "the index":
                return f"; {argument}.rename(lambda x: {code}) has names of vertices"
            gained, example = count.sum() - old.size, int(np.argmax((number >= 0) & (found < 0)))
            of = f"{shown(new[example])} in place of {shown(labels[example])}"
            return f"; write {of}, and so in {gained:,} rows"
    return ""


def _remedy(argument: str, where: str, what: str) -> str:
    """Return what messages say of values that shall be taken by their position."""
    if where == "the index":
        of = "edges" if what in ("row", "edge") else "vertices"
        return f"; if rows are in the order of the {of}, pass {argument}.to_numpy()"
    return f"; without {where}, rows are taken in their order" if where.startswith("the column") else ""
