"""Rows of values that pictures show: of vertices, or of profiles, of which equal ones are one vertex."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn, without_warnings
from boruvka.graph.axis_names import angle_columns, axes_of, is_equatorial
from boruvka.graph.columns import list_column
from boruvka.graph.distances import ON_SPHERE
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.graph.labels import are_crossings, rows_by_label, take_rows, values_of_vertices
from boruvka.graph.no_values import is_missing
from boruvka.interop.data_frames import in_order_of_vertices, new_frame
from boruvka.runtime.arguments import argument, flag
from boruvka.runtime.libraries import pd
from boruvka.trees.plotting.values import categories_of, text_of_label, with_singletons

LEAST_LABEL, ROWS_OF_LABEL = -3, 3
"""Least label of a row in no cluster, as in scikit-learn; and least average number of rows of a label."""
_LIMIT = r"([+-]?(?:inf|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?))?"
_RANGE = re.compile(rf"(?i)\s*(.+?)\s*=\s*{_LIMIT}\s*\.\.\s*{_LIMIT}\s*")
"""A name, and a range of numbers, one of which may be left out."""
SIGNS = re.compile("[=<>]")
"""One of them is in a text that is a range, or an attempt at one, unless a vertex is called so."""


class Rows(NamedTuple):
    """The rows that values are for: vertices, or profiles if these were collapsed.

    Attributes
    ----------
    tree : EdgeSet
        The tree.
    vertex : (r,) array of int64
        The vertex of each row.
    labels : EdgeSet
        A graph without edges, whose vertices are the rows.
    """

    tree: EdgeSet
    vertex: NDArray[np.int64]
    labels: EdgeSet

    @classmethod
    def of(cls, tree: EdgeSet) -> Rows:
        """Return the rows of a tree."""
        graph = tree.graph
        if graph.profiles is None or graph.profiles.names is None:
            return cls(tree, np.arange(graph.n), tree)
        names = graph.profiles.names.tolist()
        profiles = Graph.from_edges([], [], [], n=len(names), names=names)
        known = graph.annotations
        profiles = profiles.annotated(id_column=known.id_column, left_out=known.left_out)
        return cls(tree, graph.profiles.vertex_of, EdgeSet(profiles, []))

    @property
    def names(self) -> list[str]:
        """The name of each row in output."""
        return [str(name) for name in self.labels.graph.id_of(np.arange(self.vertex.size)).tolist()]

    def values(self, argument: str, values: Any) -> NDArray[Any]:
        """Make an array with a value for each row; values may be for each vertex, too."""
        self._warn_of_first_ones(argument, values)
        found = self._read(_values, argument, values)
        if getattr(getattr(categories_of(values), "dtype", None), "kind", "") in ("i", "u"):
            return np.array([None if is_missing(x) else text_of_label(int(x)) for x in found], object)
        return clusters_as_texts(found)

    def _read(self, read: Callable[[EdgeSet, str, Any], Any], argument: str, values: Any) -> Any:
        try:
            return read(self.labels, argument, values)
        except GraphError:
            return take_rows(read(self.tree, argument, values), self.vertex)

    def joined(self, values: list[Any]) -> list[Any]:
        """Return the value of each vertex, given those of rows; None where there is none.

        If a vertex has several, all are texts, and it has each once: ICU; Ward 3.
        """
        found: list[dict[str, Any]] = [{} for _ in range(self.tree.n)]
        for vertex, value in zip(self.vertex.tolist(), values, strict=True):
            if not is_missing(value):
                found[vertex].setdefault(str(value).strip(), value)
        if max(map(len, found), default=0) > 1:
            return ["; ".join(filter(None, texts)) or None for texts in found]
        return [next(iter(texts.values()), None) for texts in found]

    def table(self, argument: str, metadata: Any) -> pd.DataFrame:
        """Make a frame with a row for each; the table may have a row for each vertex, too."""
        self._warn_of_first_ones(argument, metadata)
        return self._read(in_order_of_vertices, argument, metadata)

    def table_of_vertices(self, argument: str, metadata: Any) -> pd.DataFrame:
        """Make a frame with a row for each vertex, see `joined`."""
        if self.labels is self.tree or self._are_of_first_ones(argument, metadata):
            return in_order_of_vertices(self.tree, argument, metadata)
        table = self._read(in_order_of_vertices, argument, metadata)
        columns = [self.joined(list_column(column)) for _, column in table.items()]
        return new_frame(argument, dict(enumerate(columns))).set_axis(table.columns, axis=1)

    def dotted(
        self, columns: Iterable[NDArray[Any]] = (), sizes: NDArray[np.float64] | None = None
    ) -> NDArray[np.int64]:
        """Return the vertices of the tree that have dots: all but crossings of streets that have no value.

        Columns have a value for each row, sizes for each vertex.
        """
        has_value = ~are_crossings(self.tree.graph)
        if sizes is not None:
            has_value |= sizes > 0
        for values in columns:
            is_known = ~np.fromiter(map(is_missing, values.tolist()), bool, values.size)
            has_value[self.vertex[is_known]] = True
        return self.tree.vertices[has_value[self.tree.vertices]]

    def marked_on_map(self) -> NDArray[np.int64]:
        """Return the vertices with rings on a map: those that are marked, else the places at its edges."""
        ends = np.append(self.tree.u, self.tree.v)
        return self.tree.marked if self.tree.marked.size else np.intersect1d(self.dotted(), ends)

    def _warn_of_first_ones(self, argument: str, values: Any) -> None:
        if self._are_of_first_ones(argument, values):
            warn(
                f"{argument}: only the first strain of each vertex has a row: give a row for each of the "
                f"{self.vertex.size:,} strains, whose names are graph.profiles.names, not graph.names"
            )

    def _are_of_first_ones(self, argument: str, values: Any) -> bool:
        """Return whether the only rows are those of the first profile of each vertex, which has its name."""
        profiles, rows = self.tree.graph.profiles, None
        if self.tree is self.labels or profiles is None or profiles.first_rows.size == self.vertex.size:
            return False
        with suppress(GraphError, GraphTypeError), without_warnings():
            rows = rows_by_label(self.labels.graph, argument, values, is_partial=True)[1]
        return rows is not None and np.array_equal(np.flatnonzero(rows >= 0), np.sort(profiles.first_rows))


def clusters_as_texts(values: NDArray[Any]) -> NDArray[Any]:
    """Return labels of clusters as texts, which are categories, with those of `NO_CLUSTER`.

    Labels are whole numbers from 0, each there, or some are -1 and others repeat. Some are -1, -2 or -3, or
    all first appear in ascending order, as those of `boruvka.Forest.cut` do: then one text stands for all
    clusters of one row. Other values stay as they are.
    """
    if values.dtype.kind != "i" or not values.size or values.min() < LEAST_LABEL:
        return values
    known, first = np.unique(values[values >= 0], return_index=True)
    is_noise = values < 0
    is_sure = known.size * ROWS_OF_LABEL <= values.size or (np.diff(values) < 0).any()
    are_in_order = is_sure and (np.diff(first) > 0).all()
    may_have_gaps = values.min() == -1 and known.size * ROWS_OF_LABEL <= values.size
    are_known = may_have_gaps or np.array_equal(known, np.arange(known.size))
    if not are_known or not (is_noise.any() or are_in_order):
        return values
    texts = np.array(list(map(text_of_label, values.tolist())), object)
    return texts if is_noise.any() else with_singletons(texts)


def sizes_of_vertices(tree: EdgeSet, sizes: Any) -> NDArray[np.float64]:
    """Return the size of each vertex, by default the number of its profiles, or 1; 0 for no value.

    Sizes of profiles are summed.
    """
    graph = tree.graph
    if sizes is None:
        return np.ones(graph.n) if graph.profiles is None else graph.profiles.sizes.astype(np.float64)
    rows, of_vertices = Rows.of(tree), Rows(tree, np.arange(tree.n), tree)
    rows = of_vertices if rows._are_of_first_ones("sizes", sizes) else rows
    try:
        array = _values(rows.labels, "sizes", sizes)
    except GraphError:
        rows, array = of_vertices, _values(tree, "sizes", sizes)
    if array.dtype.kind not in "biuf":
        text = next((f", such as {shown(x)}" for x in array.tolist() if isinstance(x, str)), "")
        raise GraphTypeError(f"sizes must be numbers, these have dtype {array.dtype}{text}")
    array = np.where(np.isnan(array), 0, array)
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if wrong.size:
        name, size = shown(rows.labels.graph.name_of(int(wrong[0]))), array[wrong[0]]
        raise GraphError(f"the size of vertex {name} is {size}: sizes must be 0 or more, and finite")
    return np.bincount(rows.vertex, array, tree.n).astype(np.float64)


def chosen_vertices(tree: EdgeSet, only: Any) -> NDArray[np.bool_]:
    """Return a mask of the vertices that are drawn: all, or a given mask, a range, or names or numbers."""
    if only is None:
        return np.ones(tree.n, bool)
    is_name = not isinstance(only, str) or only in (tree.number_of_name or ())
    if not is_name and SIGNS.search(only) and (columns := columns_of_points(tree.graph)):
        ranges = re.sub(r"(\.\.[^,=]*),", r"\1\n", only).split("\n")
        only = np.all([_points_in_range(tree.graph.annotations.pairs, columns, x) for x in ranges], axis=0)
    given, chosen = np.asarray(only), np.zeros(tree.n, bool)
    is_mask = given.dtype.kind == "b"
    chosen[_values(tree, "only", only) == 1 if is_mask else tree.vertex_numbers("only", only)] = True
    if given.dtype.kind in "iu" and tree.graph.has_names:
        masks = chosen, np.isin(np.arange(tree.n), given)
        joined, meant = (np.count_nonzero(mask[tree.u] & mask[tree.v]) for mask in masks)
        if 2 * joined < given.size <= 2 * meant:  # positions of vertices, such as tree.u
            what = f"only: {joined:,} edges join vertices of these names, and {meant:,} at these positions"
            warn(f"{what}: pass a mask, as tree.degrees > 0, if positions are meant")
    if not chosen[tree.vertices].any():
        raise GraphError("only: the tree has none of these vertices")
    return chosen


def columns_of_points(graph: Graph) -> list[str]:
    """Return the names of the coordinates of points, in the order of these; none if they are not known."""
    pairs, names = graph.annotations.pairs, [*map(str, graph.annotations.axes)]
    if pairs is None:
        return []
    if pairs.distance in ON_SPHERE:  # frames may have others, in any order
        found = angle_columns(names, [True] * len(names), are_angles=True)
        return [names[places[0]] for places in found] or ["lat", "lon"]
    d = pairs.points.shape[1]
    return names if len(names) == d else list("xyz"[:d]) if d <= len("xyz") else []


def _points_in_range(pairs: Any, columns: list[str], text: str) -> NDArray[np.bool_]:
    """Return a mask of the points in a range of a coordinate, as z=0..10.

    The name of the coordinate may be without a unit. A range of longitudes, or in a periodic box, may go
    around.
    """
    is_sky, match = pairs.distance in ON_SPHERE, _RANGE.fullmatch(text)
    axes = axes_of(columns, is_sky) if not is_sky or is_equatorial(columns[1]) else ["", ""]
    name, low, high = match.groups() if match else ("", None, None)
    called = (columns, name), ([x.lower() for x in columns], name.lower()), (axes, name.lower())
    k = next((names.index(wanted) for names, wanted in called if names.count(wanted) == 1), None)
    if k is None:
        known = [axis or column for axis, column in zip(axes, columns, strict=True)]
        way = f"the coordinates are {', '.join(known)}: write {argument('only', f'{known[-1]}=0..10')}"
        raise OptionError(f"{argument('only')}: {shown(text)} is neither a vertex nor a range: {way}")
    low, high = float(low or -math.inf), float(high or math.inf)
    x = np.degrees(pairs.points[:, k]).round(12) if is_sky else pairs.points[:, k]
    if is_sky and k == 1 and high - low < 360:  # a longitude
        is_inside = (x - low) % 360 <= (high - low) % 360
    else:
        goes_around = high < low and pairs.box is not None and pairs.box[k] < math.inf
        is_inside = ((x >= low) | (x <= high)) if goes_around else ((x >= low) & (x <= high))
    if x.size and not is_inside.any():
        raise GraphError(f"{argument('only', text)} has no vertex: {name} is from {x.min():g} to {x.max():g}")
    return is_inside


def texts_of_vertices(tree: EdgeSet, labels: Any, vertices: NDArray[np.int64]) -> list[str] | None:
    """Return the text at each of some vertices: its name or what is given; None where there are none."""
    if isinstance(labels, str | bytes | int | float | np.bool_):
        if not flag("labels", labels):
            return None
        texts = tree.graph.id_of(vertices)
        if tree.graph.annotations.terminals is not None:  # crossings are named by their coordinates
            texts = np.where(are_crossings(tree.graph)[vertices], "", texts.astype(object))
        return list(map(str, texts.tolist()))
    rows = Rows.of(tree)
    rows = Rows(tree, np.arange(tree.n), tree) if rows._are_of_first_ones("labels", labels) else rows
    texts = rows._read(_values, "labels", labels)
    if texts.dtype.kind == "f" and np.isnan(texts).any():  # integers became floats where some are missing
        is_whole = np.nan_to_num(texts) % 1 == 0
        texts = np.array([int(x) if is_whole.all() and x == x else x for x in texts.tolist()], object)
    found = rows.joined(texts.tolist())
    return ["" if found[vertex] is None else str(found[vertex]) for vertex in vertices.tolist()]


def _values(tree: EdgeSet, argument: str, values: Any) -> NDArray[Any]:
    array = values_of_vertices(tree.graph, argument, values, tree.number_of_name, is_partial=True)
    if array.ndim != 1:
        way = f"of a frame pass a column, as {argument}=frame.set_index('Name')['Value']"
        shape = array.shape[1:]
        raise GraphError(
            f"{argument} must be one value for each vertex, not rows of the shape {shape}: {way}"
        )
    return array


def root_of(tree: EdgeSet) -> NDArray[np.int64]:
    """Return the root of a tree as an array, which is empty if there is none, or nothing else is marked."""
    return tree.marked[(tree.marked == getattr(tree, "root", None)) & (tree.marked.size > 1)]
