"""Square matrices of weights, whose entries are edges, and the symmetry of matrices of distances.

Every entry off the diagonal has an index, along the rows, unless it has the value that means "no edge". The
entries (i, j) and (j, i) are one edge, of which the lighter counts.

The halves of a matrix of distances hold the same distances, except for rounding. A half without distances, as
in a matrix of which only one triangle was computed, is filled from the other with a warning. Any other
asymmetry is an error. Two floats are one distance, rounded twice, if they differ by the rounding to single
precision, relative to their size; or if their squares differ by rounding, relative to squared distances to
nearest neighbours, as roots of differences do: ``sqrt(2 - 2 * correlation)`` of two equal series is 0 or
2e-8.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Operator
from boruvka.errors import UNLESS_ARCS, GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph.columns import is_number, read_array, read_numbers, read_only, refuse_path
from boruvka.graph.exact import convert_exactly, first_rounded
from boruvka.graph.labels import check_labels_are_index
from boruvka.graph.no_values import check_missing_options, fills_gaps, int_or_float, is_none
from boruvka.graph.text_numbers import number_in
from boruvka.operators.sort_keys import NONE, U64, Packing, packing_of, weight_key
from boruvka.runtime.arguments import argument, hint, is_command_running
from boruvka.runtime.processors import processors

ZERO, ONE = U64(0), U64(1)
CHANGED = "it was changed after the graph was made of it; make the graph of a copy"
TILE = 256
"""Number of rows and columns that are compared at once: both halves stay in the cache."""
ENTRIES_AT_ONCE = 1 << 22
"""Number of entries of several matrices that are compared, or solved, at once: 32 MB."""
COLUMNS_AT_ONCE = U64(8)
"""Columns that are compared or merged with rows at once: as many as a cache line holds."""
RELATIVE_ROUNDING = 2.0**-22
"""Two units in the last place of single precision: distances of any type were often rounded to it before."""
ROOT_ROUNDING = 64.0
"""Machine epsilons that squares of distances may differ by, relative to a nearest neighbour's."""
SAMPLE = 256
"""Number of rows whose nearest neighbours are found."""
NOTHING = np.float64(0)
MOST_TYPED, FEW_DIFFERENT = 1000, 0.25
"""Number of rows of a matrix that may be typed, and share of its pairs with typing errors."""
NO_EDGE_ELSEWHERE = {10.0**k - 1 for k in range(3, 10)} | {2.0**k - 1 for k in (15, 31, 63)} | {1e6, 1e9}
"""Large numbers that programs write for "no edge"."""
OF_CORRELATIONS = "numpy.sqrt(numpy.maximum(2 * (1 - X), 0))"
"""Code that makes distances of a matrix of cosines or correlations, of which rounding may exceed 1."""
CORRELATION_ROUNDING = 1e-6
"""Deviation of the correlation of a series with itself from 1, at most."""
SHARE_OF_NO_EDGES = 0.5
"""Maximum share of entries of a matrix of correlations that are not edges."""
DIAGONAL_ROUNDING = 1e-3
"""Deviation from 1 of the diagonal of a matrix that is said to hold correlations, which were printed."""
LEAST_EXTREME, LEAST_CORRELATED = 3, 0.8
"""A series has more correlations than this number, all of them 1 or -1, and others less than this one."""
ROWS_WITH_SIGNS = 8
"""Number of rows in which some of the correlations should be negative."""


class WeightMatrix(NamedTuple):
    """A matrix of weights, which is not copied, and the value that means "no edge"."""

    weights: NDArray[Any]
    """(n, n) array of integers or floats of at most 64 bits, in any memory layout."""
    null_value: Any
    """In the type of the weights; None where every entry off the diagonal is an edge."""
    row_offsets: NDArray[np.int64]
    """(n + 1,) array: the index of the first edge of each row, then the number of edges."""

    @classmethod
    def read(cls, weights: NDArray[Any], null_value: float | None) -> WeightMatrix:
        """Check the weights, and count the edges of rows.

        Raises
        ------
        GraphError
            A weight is NaN, and NaN does not mean "no edge".
        OptionError
            The value is neither a number nor None.
        """
        uncounted = cls(read_only(weights), null_value_of(null_value, weights.dtype), np.empty(0, np.int64))
        return uncounted._replace(row_offsets=read_only(np.cumsum(uncounted._count_edges())))

    @property
    def m(self) -> int:
        """Number of edges."""
        return int(self.row_offsets[-1])

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.weights.dtype

    def first_edges(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the index of the first edge of rows."""
        return self.row_offsets[rows]

    def _count_edges(self) -> NDArray[np.int64]:
        """Count the edges of row i at i + 1; raise a `GraphError` if one is NaN."""
        n = len(self.weights)
        edges, nans = np.zeros(n + 1, np.int64), np.empty(n, np.int64)
        rows = np.arange(n + 1, dtype=np.uint64) * U64(n)  # all rows are the same work
        _backend().for_each_row(count_row, rows, *self.entries(), edges[1:], nans)
        if nans.any() and not (self.null_value is not None and np.isnan(self.null_value)):
            row = int(np.argmax(nans > 0))
            columns = np.flatnonzero(np.isnan(self.weights[row]))
            problem = f"entry ({row}, {columns[columns != row][0]}) of the matrix is NaN"
            way = 'pass missing="drop" to Graph.from_distances (distances, correlations)'
            way += " or Graph.from_dense, or beside a frame"
            raise GraphError(f'{problem}; where that means "no edge", {way}')
        return edges

    def entries(self, packing: Packing | None = None) -> tuple[NDArray[Any], Packing, Absence]:
        """Return the arguments of operators on the matrix: bits of the weights, packing, absence."""
        dtype = self.weights.dtype
        packing = packing_of(dtype) if packing is None else packing
        unsigned = f"u{dtype.itemsize}"
        infinite = U64(np.array(np.inf, dtype).view(unsigned)) if dtype.kind == "f" else NONE
        if self.null_value is None:
            absence = Absence(NONE, ZERO, NONE, infinite)
        elif np.isnan(self.null_value):
            absence = Absence(NONE, ZERO, infinite, infinite)
        else:
            absence = Absence(weight_key(U64(self.null_value.view(unsigned)), packing), ONE, NONE, infinite)
        return self.weights.view(unsigned), packing, absence

    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Read the weights of edges from their rows and columns."""
        weights = self.weights[rows, columns]
        if np.isnan(weights).any():
            raise GraphError(f"an entry of the matrix is NaN: {CHANGED}")
        return weights

    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the indices of edges from their rows and columns."""
        self.weights_at(rows, columns)  # raises an error if one is NaN
        return self.row_offsets[rows] + self._for_each(count_before, rows, columns)

    def columns_at(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the column of the k-th edge of each row, from 0."""
        return self._for_each(find_column, rows, k)

    def _for_each(self, operator: Operator, *edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Run an operator that computes a number for each edge: `count_before` or `find_column`."""
        found = np.empty(edges[0].size, np.int64)
        unsigned = (array.astype(np.uint64) for array in edges)
        _backend().for_each(operator, found.size, *unsigned, self.row_offsets, *self.entries(), found)
        if (found < 0).any():
            raise GraphError(f"a row of the matrix has another number of edges than before: {CHANGED}")
        return found


class Absence(NamedTuple):
    """The entries that are not edges, by their bits; every field is a uint64."""

    key: np.uint64  # entries with this weight key, if has_key is 1
    has_key: np.uint64
    largest: np.uint64  # and entries with larger bits, without the sign bit
    infinite: np.uint64  # NaN has larger bits than this


def null_value_of(null_value: Any, dtype: np.dtype[Any]) -> Any:
    """Convert the value that means "no edge" to the type of the matrix; None if no entry can equal it."""
    if null_value is None:
        return None
    if not isinstance(null_value, numbers.Real):
        raise OptionError(f"null_value must be a number or None, got {shown(null_value)}")
    try:
        with np.errstate(over="ignore"):
            value = dtype.type(null_value)
    except (OverflowError, ValueError):
        return None
    return value if value == null_value or null_value != null_value else None


def read_matrix(name: str, values: Any, missing: str, default: float | None) -> NDArray[Any]:
    """Convert weights to an array; where gaps are allowed, texts are numbers or mean that there is none."""
    check_missing_options(missing, default)
    refuse_path(name, values, "boruvka.read({})")
    check_labels_are_index(values)
    array = read_numbers(name, values)
    if array.dtype.kind not in "OU":
        return array
    if not fills_gaps(missing, default) and not all(map(is_number, array.ravel().tolist())):
        return array
    entries = np.empty(array.shape, object)
    entries.ravel()[:] = [math.nan if is_none(x, "number") else number_in(x) for x in array.ravel().tolist()]
    if wrong := [x for x in entries.flat if not is_number(x)]:
        raise GraphTypeError(f"{name} has an entry that is no number: {shown(wrong[0])}")
    found = read_array(name, entries.tolist()).reshape(array.shape)
    if found.dtype.kind in "iuf":
        return found
    found = entries.astype(np.float64)
    if (at := first_rounded(found, entries.tolist())) is not None:
        raise GraphError(f"{name} has the integer {entries[at]}, which has no exact float64")
    return found


def without_gaps(
    matrix: NDArray[Any], null_value: Any, missing: str, default: float | None
) -> tuple[NDArray[Any], Any]:
    """Fill in the default for entries that are NaN, or make them no edges.

    Returns
    -------
    array
        The matrix, or a copy.
    number or None
        The value that means "no edge" in it.

    Raises
    ------
    OptionError
        The default means "no edge".

    Warns
    -----
    GraphWarning
        Entries that are NaN make no edges.
    """
    if default is not None and default == null_value:
        both = f"{argument('default', default)} is no edge, as {argument('null_value', null_value)} says"
        raise OptionError(f"{both}: pass null_value=None if it is a weight")
    if not fills_gaps(missing, default) or matrix.dtype.kind != "f":
        return matrix, null_value
    gaps = np.isnan(matrix)
    if matrix.ndim > 1:
        diagonal = np.arange(matrix.shape[-1])
        gaps[..., diagonal, diagonal] = False
    if default is not None:
        filling = convert_exactly(np.array([int_or_float(default)]), matrix.dtype)
        return (np.where(gaps, filling, matrix) if gaps.any() else matrix), null_value
    null_value = null_value_of(null_value, matrix.dtype)
    if not gaps.any() or (null_value is not None and np.isnan(null_value)):
        return matrix, null_value
    warn(f"{np.count_nonzero(gaps):,} entries of the matrix are NaN, and no edges")
    return (matrix, math.nan) if null_value is None else (np.where(gaps, null_value, matrix), null_value)


def warn_of_correlations(matrix: NDArray[Any], null_value: Any, is_maximum: bool = False) -> None:
    """Warn if a matrix of distances, or one of several, looks like correlations or covariances.

    If it holds similarities, of a maximum forest, warn of covariances: floats of which some are negative, or
    larger than one of both numbers on the diagonal, as no count or information is.

    Its diagonal is 1, except for NaN of constant series; or it is positive, and not one number that may fill
    it; or it is positive, or holds nothing, beside negative weights. No entry is larger than those on the
    diagonal let covariances be, or than 1, but some are smaller; a few rows are read unless the diagonal is
    1. Where a number means "no edge", and half of the entries have it, it is a network, whose diagonal may
    hold loops.
    """
    if matrix.shape[-1] < 3:
        return
    null_value = null_value_of(null_value, matrix.dtype)
    is_network = null_value is not None and not np.isnan(null_value) and (matrix == null_value).any()
    diagonal = np.diagonal(matrix, axis1=-2, axis2=-1)
    is_known = ~np.isnan(diagonal)
    is_percent = bool(diagonal.size) and not is_maximum and (diagonal == 100).all()
    if is_percent and not (((matrix > 100) & (matrix != null_value)) | (matrix < 0)).any():
        way = hint(": pass {maximum}, or distances, 100 - X", maximum=True)
        warn(f"the diagonal is 100, as of percent of identity: the tree joins the least similar{way}")
    is_one = ~is_known | (np.abs(diagonal - 1) <= CORRELATION_ROUNDING)
    has_ones = is_one.all(axis=-1) & is_known.any(axis=-1) & (matrix.dtype.kind == "f")
    rows = matrix if has_ones.any() else matrix[..., :ROWS_WITH_SIGNS, :]
    is_length = (diagonal > 0) & (diagonal < np.inf)
    length = np.sqrt(np.where(is_length, diagonal, 1))
    with np.errstate(over="ignore"):
        largest = (1 + CORRELATION_ROUNDING) * length[..., : rows.shape[-2], None] * length[..., None, :]
    has_signs = (is_length | ~is_known).all(axis=-1) | ~(is_known & (diagonal != 0)).any(axis=-1)
    differ = is_length.all(axis=-1) & (diagonal != diagonal[..., :1]).any(axis=-1)
    has_signs &= ((rows < 0).any(axis=(-2, -1)) | differ) & (not is_network)
    if is_maximum:
        of_both = np.minimum(diagonal[..., : rows.shape[-2], None], diagonal[..., None, :])
        are_covariances = (rows < 0) | (rows > (1 + CORRELATION_ROUNDING) * of_both)
        has_signs &= differ & ~has_ones & are_covariances.any(axis=(-2, -1)) & (matrix.dtype.kind == "f")
    looks = (has_ones & (not is_maximum) & (rows < 1).any(axis=(-2, -1))) | has_signs
    looks &= ~(np.abs(rows) > largest).any(axis=(-2, -1))
    if (looks & ~(is_network & ((rows == null_value).mean(axis=(-2, -1)) > SHARE_OF_NO_EDGES))).any():
        maximum = hint("{maximum}, or ", maximum=True)
        distances = "Graph.from_distances(matrix, correlations=True)"
        if not maximum or is_command_running():
            distances = argument("correlations", True) if maximum else OF_CORRELATIONS
        other = "some weights are negative" if (rows < 0).any() else "the diagonal is positive, and not 0"
        sign = "the diagonal is 1" if (looks & has_ones).any() else other
        if not (looks & (has_ones | ~differ)).any():  # the largest covariances are of series that vary most
            maximum = "" if (rows < 0).any() else maximum.replace(",", " for counts or information,")
        what, ways = "correlations or covariances, of which the tree would join those", f"{maximum}distances"
        what += " that correlate least"
        if is_maximum:
            what = "covariances, of which the largest are of the series that vary most"
            sign, ways = "the diagonal varies", f"distances in place of {argument('maximum', True)}"
        warn(f"{sign}: these look like {what}: pass {ways}, as {distances} makes them")


def warn_of_no_edge_numbers(weights: NDArray[Any], null_value: Any) -> None:
    """Warn of a number that programs write for "no edge": -1, or one that is far larger than all others."""
    if weights.size > MOST_TYPED**2:
        return
    present = is_present(weights, null_value_of(null_value, weights.dtype))
    if weights.ndim > 1:
        np.fill_diagonal(present, False)
    w = weights[present]
    number = w.max(initial=0)
    others = w[w < number]
    if number > 1 and (w < 0).any() and (w[w < 0] == -1).all():
        number = -1
    elif float(number) not in NO_EDGE_ELSEWHERE or not others.size or others.max() > number / 10:
        return
    instead = f"write - for it in a file, Graph.from_dense(a, null_value={number}) in Python"
    count = np.count_nonzero(w == number)
    warn(f"{count:,} entries of the matrix are {number}, and edges: if {number} means no edge, {instead}")


def warn_of_unequal_halves(
    matrix: NDArray[Any], null_value: Any, labels: Sequence[Any] | NDArray[Any] | None = None
) -> None:
    """Warn of few pairs with two weights in a matrix that is symmetric otherwise: probably typing errors."""
    if null_value is None or len(matrix) > MOST_TYPED:
        return
    present = is_present(matrix, null_value_of(null_value, matrix.dtype))
    both = np.triu(present & present.T, 1)
    differs = both & _differs(matrix, matrix.T, matrix.dtype)
    of_all, few = np.count_nonzero(both), np.count_nonzero(differs)
    if 0 < few <= max(FEW_DIFFERENT * of_all, 1):
        i, j = np.argwhere(differs)[0].tolist()
        a, b = (i, j) if labels is None else (shown(labels[i]), shown(labels[j]))
        warn(
            f"entry ({a}, {b}) of the matrix is {matrix[i, j]}, but ({b}, {a}) is {matrix[j, i]}: the better "
            f"counts, {UNLESS_ARCS}; {few:,} of {of_all:,} pairs differ: correct the wrong entry"
        )


def correlation_distances(values: NDArray[Any], names: Any = None, keys: Any = ()) -> NDArray[np.float64]:
    """Return the distance ``sqrt(2 * (1 - correlation))`` of R. N. Mantegna (1999) of each correlation.

    Covariances are divided by the standard deviations, whose squares are on the diagonal. The names of series
    and the keys of several matrices are for messages.

    Raises
    ------
    GraphError
        A number is not from -1 to 1, except for rounding; or a number on the diagonal of a matrix is not 1,
        and the numbers are not covariances.

    Warns
    -----
    GraphWarning
        The numbers are taken for covariances, or a series has correlations of two values, 1 or -1.
    """
    found = values.astype(np.float64)
    diagonal = np.diagonal(found, axis1=-2, axis2=-1) if found.ndim > 1 else np.ones(1)
    if (is_other := np.abs(diagonal - 1) > DIAGONAL_ROUNDING).any():
        problem = f"the diagonal of the correlations has {diagonal[is_other][0]:g} in place of 1"
        length = np.sqrt(np.where(diagonal > 0, diagonal, np.nan))
        found = found / (length[..., :, None] * length[..., None, :])
        if (diagonal <= 0).any() or (np.abs(found) > 1 + CORRELATION_ROUNDING).any():
            zero = np.argwhere(diagonal == 0)[:, -1].tolist() if diagonal.any() else []
            why = f"the variance of row {zero[0]}, from 0, is 0" if zero else "are they distances?"
            raise GraphError(f"{problem}, and are not covariances: {why}")
        warn(f"{problem}: they are taken for covariances, and divided by the standard deviations")
    sizes = np.abs(found)
    if (is_wrong := sizes > 1 + CORRELATION_ROUNDING).any():
        of = [shown(k if names is None else names[k]) for k in np.argwhere(is_wrong)[0, -2:].tolist()]
        problem = f"{found[is_wrong][0]:g} is no correlation: these are from -1 to 1"
        raise GraphError(f"{problem} (see {' and '.join(of)})")
    if found.ndim > 1:
        # All others of a series that is 1 or -1 to all would be, too. NaN does not count.
        lowest, count = np.fmin.reduce(sizes, axis=-1), np.count_nonzero(~np.isnan(sizes), axis=-1)
        is_extreme = count > np.maximum(LEAST_EXTREME, len(count.T) / 2)
        is_extreme &= lowest >= 1 - CORRELATION_ROUNDING
        is_extreme &= np.fmin.reduce(lowest, axis=-1, keepdims=True) < LEAST_CORRELATED
        for *of, k in np.argwhere(is_extreme)[:1].tolist():
            series, within = k if names is None else shown(names[k]), [f" in graphs[{keys[i]}]" for i in of]
            problem = f"all correlations of {series}{''.join(within)} are 1 or -1, as those of two values are"
            warn(f"{problem}: pass min_periods to frame.corr, such as 15")
    return mantegna_distances(found)


def check_sense(are_correlations: bool, maximum: bool) -> None:
    """Raise an `OptionError` for a maximum spanning forest of distances that were made of correlations."""
    if are_correlations and maximum:
        forest = "a maximum spanning forest of distances of correlations joins those that correlate least"
        raise OptionError(f"{forest}: leave out {argument('maximum', True)}")


def mantegna_distances(correlations: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``sqrt(2 * (1 - correlation))`` of each correlation, also if rounding made it larger than 1."""
    return np.sqrt(2 * np.maximum(1 - correlations, 0))  # keeps NaN


def is_present(matrix: NDArray[Any], null_value: Any) -> NDArray[np.bool_]:
    """Return a mask of the entries that do not have the value that means "no edge"."""
    if null_value is None:
        return np.ones(matrix.shape, bool)
    return ~np.isnan(matrix) if np.isnan(null_value) else matrix != null_value


def _backend() -> Any:
    from boruvka.backends import get_backend

    return get_backend("threads", processors())


def symmetric_matrix(
    name: str,
    matrix: NDArray[Any],
    precision: np.dtype[Any] | None = None,
    labels: Sequence[Hashable] | None = None,
    advice: tuple[str, str] | None = None,
) -> NDArray[Any]:
    """Check that both halves of a matrix of distances are the same; fill an empty one from the other.

    Parameters
    ----------
    name : str
        Name of the matrix in messages.
    matrix : (n, n) array of integers or floats
        The distances. The diagonal does not matter.
    precision : dtype, optional
        The type that they had before they were converted. Integers are not rounded.
    labels : sequence, optional
        The names of rows and columns.
    advice : (str, str), optional
        What to pass where halves differ, and where one is empty; by default for an array.

    Returns
    -------
    (n, n) array
        The matrix itself, or a copy with both halves.

    Raises
    ------
    GraphError
        An entry differs from the opposite one.

    Warns
    -----
    GraphWarning
        All entries of one half are zero, infinite or NaN, and not all entries of the other.
    """
    if precision is None or precision.kind not in "iuf":
        precision = matrix.dtype
    where_they_differ, where_empty = _FOR_ARRAYS if advice is None else advice
    filled, half = _filled(name, matrix, precision, labels, where_they_differ)
    if half:
        warn(f"the {half} half of {name} is empty, and is filled from the other{where_empty}")
    return filled


def symmetric_matrices(name: str, stack: NDArray[Any]) -> NDArray[Any]:
    """Check the matrices of a (k, n, n) array as `symmetric_matrix` does, with one warning for all."""
    found, halves = stack, []
    for i in np.flatnonzero(_may_differ(stack)).tolist():
        filled, half = _filled(f"{name}[{i}]", stack[i], stack.dtype)
        if half:
            found = stack.copy() if found is stack else found
            found[i] = filled
            halves.append(f"the {half} half of {name}[{i}]")
    if halves:
        more = f" (and of {len(halves) - 1} more)" if halves[1:] else ""
        warn(f"{halves[0]}{more} is empty, and is filled from the other{_FOR_ARRAYS[1]}")
    return found


_FOR_ARRAYS = (
    "; pass numpy.minimum(a, a.T) if the smaller of both counts, or Graph.from_dense(a) for arcs",
    ": pass a + a.T for a triangle a of zeros, or the distances as pdist returns them",
)
"""What to pass where both halves of an array differ, and where one is empty."""


def _may_differ(stack: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of the matrices with entries that differ, or that only roots of one square may be."""
    count, n = stack.shape[:2]
    found, at_once = np.zeros(count, np.uint64), max(ENTRIES_AT_ONCE // max(n * n, 1), 1)
    is_compiled = stack.dtype.kind == "f" and stack.dtype.itemsize <= 8
    tolerance = _relative_rounding(stack.dtype) if is_compiled else 0.0
    for first in range(0, count, at_once):
        batch, here = stack[first : first + at_once], found[first : first + at_once]
        if is_compiled:
            rows = np.ascontiguousarray(batch, np.float64).reshape(len(batch) * n, n)
            _backend().for_each_block(count_differences, len(batch), [], rows, tolerance, here)
        else:
            here[:] = _differs(batch, batch.transpose(0, 2, 1), stack.dtype).any(axis=(1, 2))
    return found > 0


def _filled(
    name: str,
    matrix: NDArray[Any],
    precision: np.dtype[Any],
    labels: Sequence[Hashable] | None = None,
    advice: str = _FOR_ARRAYS[0],
) -> tuple[NDArray[Any], str]:
    """Return the matrix with both halves, and which half was empty; no name if none was."""
    pair = _first_difference(matrix, precision)
    if pair is None:
        return matrix, ""
    is_lower = np.tri(len(matrix), k=-1, dtype=bool)
    for is_empty in np.isnan(matrix), np.isposinf(matrix), matrix == 0:
        for half, is_half in ("lower", is_lower), ("upper", is_lower.T):
            if is_empty[is_half].all():
                return np.where(is_half, matrix.T, matrix), half
    i, j = pair
    a, b = pair if labels is None else (shown(labels[i]), shown(labels[j]))
    raise GraphError(
        f"{name}[{a}, {b}] is {matrix[i, j]}, but {name}[{b}, {a}] is {matrix[j, i]}: a matrix of "
        f"{'correlations' if name == 'correlations' else 'distances'} is symmetric{advice}"
    )


def _first_difference(matrix: NDArray[Any], precision: np.dtype[Any]) -> tuple[int, int] | None:
    """Find the first entry (i, j), along the rows, that is another distance than (j, i)."""
    n, nearest = len(matrix), None
    for row in range(0, n, TILE):
        pairs = []
        for column in range(row, n, TILE):
            one = matrix[row : row + TILE, column : column + TILE]
            other = matrix[column : column + TILE, row : row + TILE].T
            differs = _differs(one, other, precision)
            if precision.kind == "f" and differs.any():
                nearest = _typical_nearest(matrix) if nearest is None else nearest
                differs = _differs(one, other, precision, nearest)
            if differs.any():
                i, j = np.argwhere(differs)[0].tolist()
                pairs.append((row + i, column + j))
        if pairs:
            return min(pairs)
    return None


def _differs(
    one: NDArray[Any], other: NDArray[Any], precision: np.dtype[Any], nearest: Any = NOTHING
) -> NDArray[np.bool_]:
    """Return a mask of the entries that differ by more than rounding; two NaN do not differ."""
    differs: NDArray[np.bool_] = one != other
    if precision.kind == "f" and differs.any():
        a, b = (x[differs].astype(np.result_type(x, np.float64)) for x in (one, other))
        epsilon = float(np.finfo(precision).eps)
        with np.errstate(all="ignore"):
            change, size = np.abs(a - b), np.fmin(np.abs(a), np.abs(b))
            is_same = change <= _relative_rounding(precision) * size
            is_same |= (change / nearest) * ((size + change) / nearest) <= ROOT_ROUNDING * epsilon
        differs[differs] = ~(is_same & np.isfinite(change) | (np.isnan(a) & np.isnan(b)))
    return differs


def _relative_rounding(precision: np.dtype[Any]) -> float:
    """Return by how much two roundings of a distance differ at most, relative to their size."""
    return max(RELATIVE_ROUNDING, 2 * float(np.finfo(precision).eps))


def _typical_nearest(matrix: NDArray[Any]) -> Any:
    """Return the median, over some points, of the distance to the nearest point."""
    n = len(matrix)
    points = np.arange(0, n, -(-n // SAMPLE))
    distances = np.abs(matrix[points].astype(np.float64))
    distances[np.arange(points.size), points] = np.inf
    nearest = np.fmin.reduce(distances, axis=1)
    nearest = nearest[np.isfinite(nearest)]
    return np.median(nearest) if nearest.size else NOTHING


# Operators on the entries of a row


def is_edge(b, packing, absence):
    """Return whether an entry off the diagonal with these bits is an edge."""
    differs = (weight_key(b, packing) != absence.key) | (absence.has_key == ZERO)
    return differs & ((b & ~packing.sign) <= absence.largest)


def count_row(i, _, bits, packing, absence, edges, nans):
    """Count the edges and the NaN of row i."""
    found, wrong = U64(0), U64(0)
    for j in range(U64(bits.shape[0])):
        b = U64(bits[i, j])
        found += U64(is_edge(b, packing, absence) & (i != j))
        wrong += U64(((b & ~packing.sign) > absence.infinite) & (i != j))
    edges[i], nans[i] = found, wrong


def count_differences(t, rows, tolerance, found):
    """Count the entries of the matrix with number t that differ from the opposite ones by more than rounding.

    The matrices are stored below each other. Two NaN do not differ.
    """
    n = U64(rows.shape[1])
    top = t * n
    for first in range(ZERO, n, COLUMNS_AT_ONCE):
        for i in range(first + ONE, n):
            last: Any = min(first + COLUMNS_AT_ONCE, i)
            for j in range(first, last):
                a, b = rows[top + i, j], rows[top + j, i]
                change, size = abs(a - b), min(abs(a), abs(b))
                is_same = (
                    (a == b) | ((a != a) & (b != b)) | ((change <= tolerance * size) & (change < math.inf))
                )
                found[t] += U64(not is_same)


def count_before(k, rows, columns, row_offsets, bits, packing, absence, before):
    """Count the edges of a row before a column; a row without null entries is not read.

    The result is `NONE`, which is -1, if the row has another number of edges than when the graph was made.
    """
    i, column = rows[k], columns[k]
    found = column - U64(i < column)
    if row_offsets[i + ONE] - row_offsets[i] + 1 < bits.shape[0]:
        found, left = U64(0), U64(row_offsets[i + ONE] - row_offsets[i])
        for j in range(U64(bits.shape[0])):
            is_one = U64(is_edge(U64(bits[i, j]), packing, absence) & (i != j))
            found += is_one & U64(j < column)
            left -= is_one
        if left:
            found = NONE
    before[k] = found


def find_column(k, rows, wanted, row_offsets, bits, packing, absence, columns):
    """Find the column of an edge from its position in the row; a row without null entries is not read.

    The result is `NONE`, which is -1, if the row has fewer edges.
    """
    i = rows[k]
    column = wanted[k] + U64(wanted[k] >= i)
    if row_offsets[i + ONE] - row_offsets[i] + 1 < bits.shape[0]:
        column, left = U64(0), wanted[k] + ONE
        while left and column < bits.shape[0]:
            left -= U64(is_edge(U64(bits[i, column]), packing, absence) & (i != column))
            column += ONE
        column = NONE if left else column - ONE
    columns[k] = column
