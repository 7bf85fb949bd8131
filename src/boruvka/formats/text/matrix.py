"""A matrix in text: distances of all pairs, or the weights of a network where 0 means no edge.

The rows hold n numbers each, or are one triangle, lower or upper, with or without the diagonal. Numbers are
between commas, semicolons, tabs, bars or blanks. There may be a line with n before them, as PHYLIP and mothur
write it, labels in a line above the rows, and a label in each row. A field that means "none" is no edge.

A matrix of distances is symmetric, and each pair is an edge once, in the order of
`scipy.spatial.distance.pdist`; a zero is a distance, and an empty half is filled from the other. Where a zero
means no edge (``zero_is_no_edge=``, the ending ``.adj``, and files of this package), the matrix is read as
`Graph.from_dense` does: entries (i, j) and (j, i) are both edges.
"""

from __future__ import annotations

from functools import partial
from itertools import islice, pairwise
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError, warn
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile, name_without_compression
from boruvka.formats.format import Codec
from boruvka.formats.name_columns import as_integers
from boruvka.formats.text.lines import Text
from boruvka.formats.text.matrix_layout import Form, layout_of
from boruvka.graph.exact import inexact
from boruvka.graph.graph import Graph
from boruvka.graph.matrix import symmetric_matrix
from boruvka.graph.names import ends_text
from boruvka.graph.profiles import collapsed
from boruvka.runtime.arguments import argument, hint

__all__ = ["MATRIX"]

_ZERO_IS_NO_EDGE = b"# boruvka zero_is_no_edge"
_ENDINGS_OF_NETWORKS = ".adj", ".adjacency"
_SEEN = 64
"""Number of pairs at 0 that show whether it is a distance."""
_MAX_VERTICES = 50_000
"""A larger matrix would have more than 2.5 billion numbers, nearly all of them 0."""


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    text.wait()
    layout, form = layout_of(text)
    values, is_gap, labels = layout.read(form)
    if layout.mark:
        warn(f"numbers have {'a decimal comma' if layout.mark == '.' else 'commas between thousands'}")
    names, order = layout.names_and_order(labels)
    if options.names and names is None:
        raise OptionError(f"{source.path}: the matrix has no labels: leave out {argument('names', True)}")
    names = names if options.names is not False else None
    is_network = options.zero_is_no_edge
    if is_network is None and _is_of_a_network(source.path, text):
        is_network = True
    is_guessed = is_network is None and options.format is None
    if not is_network and (without := _minus_one_is_none(values, is_gap)) is not None:
        warn("-1 is read as no distance, and no edge")
        is_gap = without
    if options.default is not None:
        values, is_gap = np.where(is_gap, options.default, values), np.zeros_like(is_gap)
    matrix = None if is_network else _distances(form, values, is_gap, order, names)
    if matrix is not None and is_guessed:
        is_network = _has_zeros_of_a_network(matrix, names is not None)
    if is_network:
        values[is_gap] = 0
        weights = form.filled(values, 0)
        graph = Graph.from_dense(weights if order is None else weights[order])
    else:
        assert matrix is not None
        groups = None
        if options.collapse:
            matrix, names, groups = collapsed(np.where(np.tri(form.n, dtype=bool), matrix.T, matrix), names)
        graph = _upper_half(matrix, values.dtype).annotated(profiles=groups)
    if is_guessed:
        _tell(graph, bool(is_network))
    return graph if names is None else graph.with_names(_as_names(names))


def _minus_one_is_none(values: NDArray[Any], is_gap: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    """Return where there is no number if -1 says so: the only negative number, and none of correlations."""
    negative = (values < 0) & ~is_gap
    if not negative.any() or (values[negative] != -1).any() or values.max() <= 1:
        return None
    return is_gap | negative


def _is_of_a_network(path: str, text: Text) -> bool:
    """Return whether the ending, or a comment of this package, says that zeros are no edges."""
    has_ending = name_without_compression(path).endswith(_ENDINGS_OF_NETWORKS)
    return has_ending or any(line == _ZERO_IS_NO_EDGE for _, line, _ in islice(text.lines(), 2))


def _distances(
    form: Form,
    values: NDArray[Any],
    is_gap: NDArray[np.bool_],
    order: list[int] | None,
    names: list[str] | None,
) -> NDArray[Any]:
    """Make a matrix that is right above the diagonal: of the type of the values, or with NaN for gaps."""
    dtype = values.dtype
    if form.name != "square" or is_gap.any():
        if (rounded := inexact(values, np.dtype(float))) is not None:
            raise FormatError(f"{values[rounded][0]} is no float64, which a matrix with gaps needs")
        values = values.astype(np.float64)
        values[is_gap] = np.nan
    matrix = form.filled(values, np.nan)
    if form.name in ("lower", "upper"):
        return matrix.T if form.name == "lower" else matrix
    matrix = matrix if order is None else matrix[order]
    np.fill_diagonal(matrix, 0)
    absent = np.isnan(matrix)
    matrix = np.where(absent, matrix.T, matrix)  # one of both halves is enough
    absent &= absent.T
    matrix[absent] = 0
    matrix = symmetric_matrix("the matrix", matrix, dtype, names)
    matrix = np.fmin(matrix, matrix.T)
    if absent.any():
        matrix[absent] = np.nan
    return matrix


def _has_zeros_of_a_network(matrix: NDArray[Any], has_names: bool) -> bool:
    """Return whether zeros cannot be distances: two vertices at 0 are at very different distances to others.

    Raises
    ------
    OptionError
        This is so for many of the pairs of vertices with names, which mostly have distances.
    """
    n = len(matrix)
    i, j = np.nonzero(np.triu(matrix == 0, 1))
    if not i.size:
        return False
    some = np.arange(0, i.size, -(-i.size // _SEEN))
    full = np.where(np.tri(n, dtype=bool), matrix.T, matrix).astype(np.float64)
    np.fill_diagonal(full, np.nan)
    largest = np.nanmax(full)
    change = np.abs(full[i[some]] - full[j[some]])
    change[np.isnan(change)] = 0
    if not (change.max(axis=1) > largest / 2).all():
        return False
    if has_names and i.size * 8 > n * (n - 1):
        network = hint("; pass {zero_is_no_edge} for a network", zero_is_no_edge=True)
        distances = hint(", {zero_is_no_edge} for distances", zero_is_no_edge=False)
        raise OptionError(
            f"{i.size:,} of {n * (n - 1) // 2:,} pairs in the matrix have a zero, which may be a distance or "
            f"mean no edge{network}{distances}"
        )
    return not has_names


def _upper_half(matrix: NDArray[Any], dtype: np.dtype[Any]) -> Graph:
    """Make the graph of the entries above the diagonal that are not NaN."""
    absent: Any = np.nan
    if dtype.kind in "iu":
        low, high = int(np.nanmin(matrix)), int(np.nanmax(matrix))
        absent = high + 1 if high < np.iinfo(dtype).max else low - 1
        if matrix.dtype != dtype:
            matrix = np.where(np.isnan(matrix), absent, matrix).astype(dtype)
    return Graph.from_dense(np.where(np.tri(len(matrix), dtype=bool), absent, matrix), null_value=absent)


def _tell(graph: Graph, is_network: bool) -> None:
    """Say that a text was taken for a matrix."""
    if is_network:
        other = hint("; {zero_is_no_edge} if it is a distance", zero_is_no_edge=False)
        warn(f"read as the matrix of a network of {graph.n:,} vertices, where 0 means no edge{other}")
        return
    pairs = graph.n * (graph.n - 1) // 2
    gaps = f"; {pairs - graph.m:,} of {pairs:,} pairs have none, and no edge" if graph.m < pairs else ""
    other = hint("; {zero_is_no_edge} if it means no edge", zero_is_no_edge=True)
    warn(f"read as a matrix of distances of {graph.n:,} vertices, where 0 is a distance{gaps}{other}")


def _as_names(labels: list[str]) -> Any:
    names = np.array(labels, object)
    integers = as_integers(names)
    return names if integers is None else integers


class _MatrixFile(WholeFile):
    """An open file."""

    def forest(self) -> EdgeTable:
        """Read a symmetric matrix, which holds every edge of a forest twice."""
        table = super().forest()
        once = table.u < table.v
        if once.all():
            return table
        if 2 * np.count_nonzero(once) != table.m:
            raise self._source.error("expected a symmetric matrix")
        return table._replace(u=table.u[once], v=table.v[once], w=table.w[once])


def _write(table: EdgeTable, file: BinaryIO) -> None:
    w = table.portable_weights()
    if table.n > _MAX_VERTICES:
        raise FormatError(
            f"an adjacency matrix of {table.n} vertices is too large to write (at most {_MAX_VERTICES}); "
            "choose another format"
        )
    if (w == 0).any():
        i = int(np.argmax(w == 0))
        raise FormatError(
            f"edge {i} {_ends(table, i)} has weight 0, which means no edge in an adjacency matrix; choose "
            "another format"
        )
    pair = np.minimum(table.u, table.v) * np.uint64(table.n) + np.maximum(table.u, table.v)
    _, first, number = np.unique(pair, return_index=True, return_inverse=True)
    if (differs := w != w[first][number]).any():
        i = int(np.argmax(differs))
        raise FormatError(
            f"edge {i} {_ends(table, i)} is parallel to another of a different weight, and an adjacency "
            "matrix holds one weight for two vertices; choose another format"
        )
    file.write(_ZERO_IS_NO_EDGE + f"\n{table.n}\n".encode())
    row, column = np.concatenate([table.u, table.v]), np.concatenate([table.v, table.u])
    w = np.concatenate([w, w])
    order = np.argsort(row, kind="stable")
    ends = np.searchsorted(row[order], np.arange(table.n + 1)).tolist()
    for begin, end in pairwise(ends):
        cells = ["0"] * table.n
        for j, weight in zip(column[order[begin:end]].tolist(), w[order[begin:end]].tolist(), strict=True):
            cells[j] = repr(weight)
        file.write((" ".join(cells) + "\n").encode())


def _ends(table: EdgeTable, i: int) -> str:
    return ends_text(None, table.u[i], table.v[i], table.base)


MATRIX = Codec(
    partial(_MatrixFile, _read),
    _write,
    frozenset({"default", "missing", "names", "collapse", "zero_is_no_edge"}),
)
