"""A matrix in text: distances of all pairs, or the weights of a network where 0 means no edge.

The rows hold n numbers each, or are one triangle, lower or upper, with or without the diagonal. Numbers are
between commas, semicolons, tabs, bars or blanks. There may be a line with n before them, as PHYLIP and mothur
write it, labels in a line above the rows, and a label in each row. A field that means "none" makes no edge.

A matrix of distances is symmetric, and each pair is an edge once, in the order of
`scipy.spatial.distance.pdist`; a zero is a distance, and an empty half is filled from the other. Where a zero
means no edge (``zero_is_no_edge=``, the ending ``.adj``, and files of this package), the matrix is read as
`Graph.from_dense` does: entries (i, j) and (j, i) are both edges.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import islice, pairwise
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError, first_true, warn
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import first_match, holds_text, name_lookup, names_of_words
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.matrix_layout import layout_of
from boruvka.graph.columns import list_column
from boruvka.graph.graph import DistanceGraph, Graph, MatrixGraph
from boruvka.graph.matrix import (
    correlation_distances,
    symmetric_matrix,
    warn_of_no_edge_numbers,
    warn_of_unequal_halves,
)
from boruvka.graph.no_values import int_or_float
from boruvka.graph.profiles import collapsed
from boruvka.graph.validation import pair_keys
from boruvka.interop.missing_values import type_of_both
from boruvka.runtime.arguments import argument, hint
from boruvka.runtime.output_files import name_without_compression

_ZERO_IS_NO_EDGE = b"# boruvka zero_is_no_edge"
_CORNER = re.compile(rb"(?:distances|\w+-dists[^\t,]*)[\t,]")
"""First field of a matrix of distances: of this package, snp-dists and cgmlst-dists."""
_ENDINGS_OF_NETWORKS = ".adj", ".adjacency"
_ROUNDING = 1e-3
"""Distances that were printed differ by this at most, relative to the largest, if they were equal."""
_NOISE = 1 / 20
"""Distances with names, of two vertices at distance 0, differ by this share at most."""
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
    is_network = _stated_kind(source.path, text, options)
    is_gap |= _other_gaps(values, is_gap, is_network)
    values[is_gap] = 0
    has_diagonal = ~np.diagonal(form.filled(is_gap, True))
    if options.default is not None:
        values, is_gap = _with_default(values, is_gap, options.default), np.zeros_like(is_gap)
    weights, is_none = form.filled(values, 0), form.filled(is_gap, True)
    if order is not None:
        weights, is_none, has_diagonal = weights[order], is_none[order], has_diagonal[order]
    is_guessed = is_network is None and options.format is None
    diagonal = np.diagonal(weights).copy()
    if not is_network:
        own = diagonal[has_diagonal]
        is_similarity = bool(own.size and own.all() and (own == own[0]).all())
        weights, is_none = _symmetric(weights, is_none, names)
        if options.correlations:
            weights = weights.astype(np.float64)  # which may lack numbers on the diagonal
            np.fill_diagonal(weights, np.where(has_diagonal, diagonal, np.nan))
            weights, diagonal = correlation_distances(weights, names), np.zeros(len(weights))
        if is_network is None and not options.collapse:
            is_network = _has_zeros_of_a_network(weights, is_none, is_similarity, names is not None)
    groups = None
    if is_network:
        graph: Graph = MatrixGraph(weights, 0)
        warn_of_no_edge_numbers(weights, 0)
        warn_of_unequal_halves(weights, 0, names)
    else:
        if options.collapse:
            weights[is_none] = _absent_from(weights)
            weights, names, groups = collapsed(weights, names)
            is_none = is_none[np.ix_(groups.first_rows, groups.first_rows)]
            diagonal, has_diagonal = diagonal[groups.first_rows], has_diagonal[groups.first_rows]
        is_none |= np.tri(len(weights), dtype=bool)
        absent = _absent_from(weights)
        weights[is_none] = absent
        entries = np.where(has_diagonal, diagonal, absent)  # show whether these are correlations
        np.fill_diagonal(weights, entries)
        graph = Graph.from_dense(weights, null_value=absent).annotated(are_correlations=options.correlations)
    is_of_floats = diagonal.dtype.kind == "f" and bool((diagonal > 0).all())
    may_be_covariances = is_of_floats and len({*diagonal.tolist()}) > 1
    _tell(graph, bool(is_network), is_guessed, may_be_covariances)
    named = names_of_words(names or ())
    graph = graph if named is None else graph.with_names(named)
    return graph if groups is None else graph.annotated(profiles=groups)


def _stated_kind(path: str, text: Text, options: Options) -> bool | None:
    """Return whether zeros mean no edge, as options, the ending or the first line say; else None."""
    if options.correlations and options.zero_is_no_edge:
        both = f"{argument('correlations', True)} and {argument('zero_is_no_edge', True)}"
        raise OptionError(f"{both} contradict each other: leave one out")
    if options.correlations:
        return False
    if options.zero_is_no_edge is None and _is_of_a_network(path, text):
        return True
    if options.zero_is_no_edge is None and _CORNER.match(text.line(text.start)[0]):
        return False
    return options.zero_is_no_edge


def _other_gaps(
    values: NDArray[Any], is_gap: NDArray[np.bool_], is_network: bool | None
) -> NDArray[np.bool_]:
    """Return where -1, the only negative number of distances, or inf means that there is none; and warn."""
    negative = (values < 0) & ~is_gap
    if is_network or not negative.any() or (values[negative] != -1).any() or values.max() <= 1:
        negative[:] = False  # up to 1, they are correlations
    else:
        warn("-1 is read as no distance, and no edge")
    is_infinite = np.isinf(values)
    if is_infinite.any():
        warn("inf is read as no number, and no edge")
    return negative | is_infinite


def _with_default(values: NDArray[Any], is_gap: NDArray[np.bool_], default: float) -> NDArray[Any]:
    """Fill in a default, in a type that holds it and all values exactly."""
    if is_gap.any():
        filling = np.array([int_or_float(default)])
        values = values.astype(type_of_both(values, filling))
        values[is_gap] = filling
    return values


def _absent_from(weights: NDArray[Any]) -> Any:
    """Return a number that no weight has."""
    if weights.dtype.kind == "f":
        return np.nan
    low, high, limits = int(weights.min()), int(weights.max()), np.iinfo(weights.dtype)
    if high < limits.max:
        return high + 1
    return low - 1 if low > limits.min else int(np.setdiff1d(np.arange(weights.size + 1), weights)[0])


def _is_of_a_network(path: str, text: Text) -> bool:
    """Return whether the ending, or a comment of this package, says that zeros mean no edge."""
    has_ending = name_without_compression(path).endswith(_ENDINGS_OF_NETWORKS)
    return has_ending or any(line == _ZERO_IS_NO_EDGE for _, line, _ in islice(text.lines(), 2))


def _symmetric(
    weights: NDArray[Any], is_none: NDArray[np.bool_], names: list[str] | None
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Make both halves of the distances, and of what says where there is none, the same."""
    np.fill_diagonal(weights, 0)
    np.fill_diagonal(is_none, False)
    weights = np.where(is_none, weights.T, weights)  # one of both halves is enough
    smaller = hint(
        "; {zero_is_no_edge} reads a network, of which an arborescence takes both, a forest the smaller",
        zero_is_no_edge=True,
    )
    weights = symmetric_matrix("the matrix", weights, labels=names, advice=(smaller, ""))
    return np.minimum(weights, weights.T), is_none & is_none.T


def _has_zeros_of_a_network(
    weights: NDArray[Any], is_none: NDArray[np.bool_], is_similarity: bool, has_names: bool
) -> bool:
    """Return whether zeros cannot be distances: two vertices at 0 are at very different distances to others.

    Two vertices at distance 0 have the same distances to all others. With names, where nearly all matrices
    are of distances, these may differ a little, as distances of sequences with gaps do. A similarity of 0
    says nothing about others.

    Raises
    ------
    OptionError
        Zeros may mean both.
    """
    is_known = ~is_none & np.isfinite(weights)
    is_zero = (weights == 0) & is_known
    np.fill_diagonal(is_zero, False)
    vertices = np.flatnonzero(is_zero.any(axis=1))
    if not vertices.size:
        return False
    others = weights[is_known & (weights != 0)]
    largest = float(np.abs(others).max(initial=0))
    rounding = largest * _ROUNDING if weights.dtype.kind == "f" else 0.0
    pairs = zip(vertices.tolist(), is_zero[vertices].argmax(axis=1).tolist(), strict=True)
    steps, shares = np.array([_difference(weights, is_known, i, j) for i, j in pairs]).T
    is_distance = (steps <= rounding) | is_similarity
    if has_names:
        is_distance |= shares <= _NOISE
    if is_distance.all() and others.size and others.min() < others.max():
        return False  # where all weights are equal, twins in a network have equal rows, too
    if not has_names and (steps > largest / 2).all():
        return True
    n, count = len(weights), np.count_nonzero(is_zero) // 2
    network = hint("; pass {zero_is_no_edge} for a network", zero_is_no_edge=True)
    distances = hint(", {zero_is_no_edge} for distances", zero_is_no_edge=False)
    raise OptionError(
        f"{count:,} of {n * (n - 1) // 2:,} pairs in the matrix have a zero, which may be a distance or "
        f"mean no edge{network}{distances}"
    )


def _difference(weights: NDArray[Any], is_known: NDArray[np.bool_], i: int, j: int) -> tuple[float, float]:
    """Return the largest difference of two rows, and the sum of all of them as a share of the larger ones."""
    both = is_known[i] & is_known[j]
    both[[i, j]] = False
    a, b = (weights[k, both].astype(np.float64) for k in (i, j))
    change, size = np.abs(a - b), np.maximum(np.abs(a), np.abs(b)).sum()
    return change.max(initial=0), change.sum() / size if size else 0.0


def _tell(graph: Graph, is_network: bool, is_guessed: bool, may_be_covariances: bool) -> None:
    """Say what a text was taken for, and how many pairs have no distance."""
    if is_network and is_guessed:
        other = hint("; {zero_is_no_edge} if it is a distance", zero_is_no_edge=False)
        warn(f"read as the matrix of a network of {graph.n:,} vertices, where 0 means no edge{other}")
    pairs = graph.n * (graph.n - 1) // 2
    gaps = f"{pairs - graph.m:,} of {pairs:,} pairs have no distance, and no edge"
    if not is_network and is_guessed:
        other = hint("; {zero_is_no_edge} if it means no edge", zero_is_no_edge=True)
        other += hint("; {correlations} if they are covariances", correlations=True) * may_be_covariances
        more = f"; {gaps}" if graph.m < pairs else ""
        warn(f"read as a matrix of distances of {graph.n:,} vertices, where 0 is a distance{more}{other}")
    elif not is_network and graph.m < pairs:
        warn(gaps)


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
    are_distances = table.edges is None and isinstance(table.graph, DistanceGraph)
    if table.names is not None and not are_distances:
        raise FormatError("the matrix of a network holds no names of vertices; choose csv or npz")
    if not are_distances and (i := first_true((w == 0) | np.isinf(w))) is not None:
        raise table.cannot_hold(i, f"has weight {w[i]}, which means no edge in an adjacency matrix")
    pair = pair_keys(table.n, table.u, table.v)
    _, first, number = np.unique(pair, return_index=True, return_inverse=True)
    if (i := first_true(w != w[first][number])) is not None:
        other = "is parallel to another of a different weight"
        raise table.cannot_hold(i, f"{other}, and an adjacency matrix holds one weight for two vertices")
    names = [] if table.names is None else list(map(str, list_column(name_lookup(table.names))))
    kind = b"" if are_distances else _ZERO_IS_NO_EDGE + b"\n"
    file.write(kind + ("\t".join(["distances", *names] if names else [str(table.n)]) + "\n").encode())
    row, column = np.concatenate([table.u, table.v]), np.concatenate([table.v, table.u])
    w = np.concatenate([w, w])
    order = np.argsort(row, kind="stable")
    ends = np.searchsorted(row[order], np.arange(table.n + 1)).tolist()
    for k, (begin, end) in enumerate(pairwise(ends)):
        cells = ["0"] * table.n
        for j, weight in zip(column[order[begin:end]].tolist(), w[order[begin:end]].tolist(), strict=True):
            cells[j] = repr(weight)
        file.write((("\t" if names else " ").join([*names[k : k + 1], *cells]) + "\n").encode())


def _check_names(names: Any) -> None:
    """Raise a `FormatError` for a name that could not be read back."""
    found = name_lookup(names)
    if (
        holds_text(found)
        and (bad := first_match(found, r"""^[#%]|^\s|\s$|^$|["\x00-\x1f\x7f-\xa0]""")) is not None
    ):
        raise FormatError(f"the name {bad!r} cannot stand in a matrix between tabs; choose Parquet or npz")


MATRIX = Codec(
    partial(_MatrixFile, _read),
    _write,
    frozenset({"default", "missing", "names", "collapse", "correlations", "zero_is_no_edge"}),
    Holds(names=_check_names),
)
