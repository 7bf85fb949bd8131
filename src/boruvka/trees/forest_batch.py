"""The minimum spanning forests of many graphs, found together, and what changes from one to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.algorithms.dense import forests_of_matrices
from boruvka.backends import get_backend
from boruvka.errors import GraphError, GraphTypeError, OptionError, first_true, shown
from boruvka.graph import matrix
from boruvka.graph.columns import ReadOnly, listed, read_array, read_numbers, read_only
from boruvka.graph.exact import exact_sum
from boruvka.graph.graph import DistanceGraph, Graph, MatrixGraph, check_lists_edges
from boruvka.graph.labels import has_same_labels, in_memory, is_pandas, is_table, labelled_matrix
from boruvka.graph.names import name_array, number_of_name
from boruvka.graph.no_values import warn_of_alike_names
from boruvka.graph.text_dates import label_text, number_of_label, numbers_of_labels, place_of_dates, preceding
from boruvka.graph.validation import check_weight_dtype, edge_mask, vertex_dtype
from boruvka.interop.as_graph import as_graph
from boruvka.interop.data_frames import frame_of_columns, is_square_frame
from boruvka.runtime.arguments import argument, did_you_mean, flag, integer
from boruvka.runtime.libraries import pd, pl
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import listening, report
from boruvka.trees.forest import Forest
from boruvka.trees.minimum_spanning import ForestOptions, minimum_spanning_forest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW_EDGES = 5_000
"""Maximum number of edges per graph for one solve of all graphs: a solve takes a tenth of a millisecond."""
_MAY_BE_EDGES = 3, 3
"""Shape of three edges, or of a matrix: `as_graph` asks which."""
SIMPLE_OPTIONS = {"maximum", "threads", "progress"}
"""The options with which matrices are solved in one tile each."""


class ForestBatch(ReadOnly):
    """The minimum spanning forests of many graphs: ``batch[i]`` is the `Forest` of graph i.

    Attributes
    ----------
    edges : (f,) array of int64
        Index of each chosen edge in its graph.
    u, v : (f,) arrays
        Ends of each chosen edge, in the numbers of its graph.
    w : (f,) array
        Weights; an array of objects if the graphs have weights of several types.
    offsets : (k + 1,) array of int64
        The edges of graph i are those from offsets[i] to offsets[i + 1] - 1.
    n_components : (k,) array of int64
        Number of components of each graph.
    dtypes : tuple of dtypes
        Type of the weights of each graph.
    maximum : bool
        Whether they are maximum spanning forests.
    labels : list
        Label of each graph: its key in a mapping, the last date of its window, or else its number.
    label_name : str
        Name of the labels in tables, such as "graph" or "window".
    """

    edges: NDArray[np.int64]
    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    offsets: NDArray[np.int64]
    n_components: NDArray[np.int64]
    dtypes: tuple[np.dtype[Any], ...]
    maximum: bool
    labels: list[Hashable]
    label_name: str
    _item: Callable[[int], Forest | Graph]
    """Return the forest of a graph, or the graph."""
    _instead: ClassVar[dict[str, str]] = {"batch[0] for one forest, which has it": " ".join(dir(Forest))}

    def __init__(
        self,
        item: Callable[[int], Forest | Graph],
        columns: Sequence[NDArray[Any]],
        offsets: NDArray[np.int64],
        n_components: NDArray[np.int64],
        dtypes: tuple[np.dtype[Any], ...],
        maximum: bool,
    ):
        arrays = dict(zip(("edges", "u", "v", "w"), columns, strict=True))
        arrays |= {"offsets": offsets, "n_components": n_components}
        vars(self).update({name: read_only(array) for name, array in arrays.items()})
        vars(self).update(_item=item, dtypes=dtypes, maximum=maximum)
        vars(self).update(labels=list(range(len(dtypes))), label_name="graph")

    def labelled(self, labels: Iterable[Hashable], label_name: str) -> ForestBatch:
        """Give the graphs labels, and return the batch."""
        vars(self).update(labels=list(labels), label_name=label_name)
        return self

    def _forest_of(self, i: int) -> Forest:
        found, (begin, end) = self._item(i), self.offsets[i : i + 2]
        if isinstance(found, Forest):
            return found
        return Forest(found, self.edges[begin:end], self.maximum, _is_optimal=True)

    def __len__(self) -> int:
        return len(self.dtypes)

    def __iter__(self) -> Iterator[Forest]:
        return map(self._forest_of, range(len(self)))

    @overload
    def __getitem__(self, i: slice) -> ForestBatch: ...
    @overload
    def __getitem__(self, i: Hashable) -> Forest: ...
    def __getitem__(self, i: Any) -> Forest | ForestBatch:
        """Return the forest of the graph with a label, or else with a number, as of an item of a list.

        A label that is a date may be written in any type: a date, a datetime, a number such as 20240131, or a
        text such as "2024-01-31" or "31.01.2024". A period, such as a month, may be the text "2024-01".
        A slice of numbers is a batch of these graphs. A slice of dates, as ``batch["2024-01":"2024-06"]``,
        or a period, as ``batch["2024"]``, is a batch, too, as in an index of pandas.

        Raises
        ------
        OptionError
            There is no such graph.
        """
        if isinstance(i, slice):
            return self._part(range(len(self))[place_of_dates(self.labels, i)])
        if not len(self):
            raise OptionError("the batch has no graph")
        if (number := number_of_label(self._number_of_label, i)) is not None:
            return self._forest_of(number)
        try:
            return self._forest_of(integer("i", i, -len(self), len(self) - 1) % len(self))
        except OptionError:
            if not self._number_of_label:
                raise
            with suppress(OptionError):
                if isinstance(i, str) or hasattr(i, "to_timestamp"):
                    return self[place_of_dates(self.labels, str(i))]
            given, first, last = map(label_text, (i, self.labels[0], self.labels[-1]))
            problem = (
                f"no graph has the label {given}{preceding(self.labels, i)}; labels are {first} to {last}"
            )
            raise OptionError(f"{problem}, or pass a number from 0 to {len(self) - 1}") from None

    def _part(self, numbers: range) -> ForestBatch:
        parts = [np.arange(*self.offsets[k : k + 2]) for k in numbers]
        taken = _concatenated(parts)
        part = ForestBatch(
            partial(_forest_of_part, self, numbers),
            [column[taken] for column in (self.edges, self.u, self.v, self.w)],
            np.cumsum([0, *map(len, parts)]),
            self.n_components[list(numbers)],
            tuple(self.dtypes[k] for k in numbers),
            self.maximum,
        )
        return part.labelled([self.labels[k] for k in numbers], self.label_name)

    @cached_property
    def _number_of_label(self) -> dict[Hashable, int]:
        is_numbering = self.labels == list(range(len(self)))
        return {} if is_numbering else numbers_of_labels(self.labels)

    def _split(self, array: NDArray[Any]) -> list[NDArray[Any]]:
        """Split an array with a value for each chosen edge into the parts of the graphs."""
        return np.split(array, self.offsets[1:-1]) if len(self) else []

    @property
    def weight(self) -> NDArray[Any]:
        """(k,) array: total weight of each forest; floats are rounded as `math.fsum` rounds.

        Of objects if some are integers and others floats, or if no integer type holds all.
        """
        parts = zip(self._split(self.w), self.dtypes, strict=True)
        sums = [exact_sum(w.astype(t, copy=False)) for w, t in parts]
        kinds = {type(total) for total, size in zip(sums, np.diff(self.offsets), strict=True) if size}
        if kinds == {float} or (not kinds and self.w.dtype.kind == "f"):
            return np.array(sums, np.float64)
        if float not in kinds:
            sums = list(map(int, sums))  # a forest without edges may have 0.0
            for dtype in np.int64, np.uint64:
                with suppress(OverflowError):
                    return np.array(sums, dtype)
        return np.array(sums, object)

    @property
    def mean_weight(self) -> NDArray[np.float64]:
        """(k,) array: mean weight of the edges of each forest; NaN for a forest without edges.

        For correlations, this is the normalised tree length of J.-P. Onnela et al., 2003. Unlike the weight,
        it does not jump where a series begins or ends.
        """
        with np.errstate(invalid="ignore"):
            return self.weight.astype(np.float64) / np.diff(self.offsets)

    @cached_property
    def survival(self) -> NDArray[np.float64]:
        """(k,) array: share of the edges of the forest before that a forest still has; NaN for the first.

        Edges are the same if their ends have the same names, or the same numbers where vertices have no
        names. This is the single-step survival ratio of J.-P. Onnela et al., Dynamics of market correlations,
        2003.
        """
        pairs = [{*zip(*ends, strict=True)} for ends in zip(*self._ends, strict=True)]
        shares = [len(a & b) / len(a) if a else np.nan for a, b in pairwise(pairs)]
        return read_only(np.array([np.nan, *shares][: len(self)]))

    @cached_property
    def _ends(self) -> tuple[list[list[Any]], list[list[Any]]]:
        """The names of the first and the second ends of the edges of each forest.

        The first end is the one that the first graph with both names has first, or the smaller number.
        """
        graphs = [forest.graph for forest in self]
        lists = {id(graph.names): graph.names for graph in graphs if graph.names is not None}
        names = dict.fromkeys(chain.from_iterable(array.tolist() for array in lists.values()))
        position = {name: i for i, name in enumerate(names)}
        first, second = (
            [graph.name_of(part).tolist() for graph, part in zip(graphs, self._split(ends), strict=True)]
            for ends in (self.u, self.v)
        )
        for one, other in zip(first, second, strict=True):
            for k, (a, b) in enumerate(zip(one, other, strict=True)):
                if position.get(a, a) > position.get(b, b):
                    one[k], other[k] = b, a
        return first, second

    def to_pandas(self) -> pd.DataFrame:
        """Convert the edges of all forests to one frame of pandas.

        Returns
        -------
        pandas.DataFrame
            A row per edge, graph after graph, with the label of the graph (the column is called
            `label_name`), ``edge`` (its index in the graph), ``source``, ``target`` (names if vertices have
            them), ``weight``, and for correlations ``correlation``. Two vertices have the same order in all
            rows, as among the vertices of the first graph, so that
            ``table.groupby(["source", "target"])`` finds each edge in all graphs.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        return self._table("pandas")

    def to_polars(self) -> pl.DataFrame:
        """Convert the edges of all forests to one frame of polars, as `to_pandas` does.

        Raises
        ------
        GraphTypeError
            Names of vertices, or labels, are not of one type.
        MissingExtraError
            polars is not installed.
        """
        return self._table("polars")

    def _table(self, library: str) -> Any:
        first, second = (list(chain.from_iterable(ends)) for ends in self._ends)
        counts = np.diff(self.offsets).tolist()
        labels = [label for label, count in zip(self.labels, counts, strict=True) for _ in range(count)]
        columns = {"edge": self.edges, "source": first, "target": second, "weight": self.w}
        if len(self) and all(forest.graph.annotations.are_correlations for forest in self):
            columns |= self._forest_of(0).graph.annotations.correlations_of(self.w)
        return frame_of_columns(library, {self.label_name: labels, **columns})

    def summary(self) -> pd.DataFrame:
        """Make a frame of pandas with a row for each forest.

        Returns
        -------
        pandas.DataFrame
            The index has the labels of the graphs. Columns: ``weight``; ``edges``, their number;
            ``mean_weight``; ``survival``; ``components``; ``hub``, the vertex with the most edges (of several
            the first in the order of the edges), and ``degree``, the number of its edges.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        of_each = [Counter(first + second) for first, second in zip(*self._ends, strict=True)]
        hubs = [degrees.most_common(1)[0] if degrees else (None, 0) for degrees in of_each]
        columns = {
            "weight": self.weight,
            "edges": np.diff(self.offsets),
            "mean_weight": self.mean_weight,
            "survival": self.survival,
            "components": self.n_components,
            "hub": [hub for hub, _ in hubs],
            "degree": [degree for _, degree in hubs],
        }
        return pd.DataFrame(columns, pd.Index(self.labels, name=self.label_name))

    def plot(self, axes: Sequence[Axes] | None = None) -> Axes:
        """Draw the mean weight of the edges of each forest, and below it their survival, over the labels.

        Parameters
        ----------
        axes : two axes of matplotlib, optional
            Those of the mean weights and of the survival; by default new ones.

        Returns
        -------
        matplotlib.axes.Axes
            The axes of the mean weights; ``ax.figure`` has both.

        Raises
        ------
        MissingExtraError
            matplotlib is not installed.
        """
        from boruvka.trees.plotting.batch import plot_batch

        return plot_batch(self, axes)

    def __repr__(self) -> str:
        return f"ForestBatch(graphs={len(self)}, edges={self.edges.size})"


def check_solve_options(function: Any, options: Mapping[str, Any]) -> None:
    """Raise an `OptionError` for an argument that `minimum_spanning_forest` does not take."""
    known = ForestOptions.__annotations__
    for name in [name for name in options if name not in known]:
        others = f"; beside its own, it takes {', '.join(known)}"
        others = did_you_mean(name, function.__kwdefaults__) or others
        raise OptionError(f"{function.__name__} has no argument {shown(name)}{others}")


def _forest_of_part(batch: ForestBatch, numbers: range, i: int) -> Forest:
    return batch._forest_of(numbers[i])


def minimum_spanning_forests(
    graphs: Any,
    offsets: ArrayLike | None = None,
    *,
    names: Iterable[Hashable] | None = None,
    null_value: float | None = None,
    missing: str = "error",
    correlations: bool = False,
    **options: Unpack[ForestOptions],
) -> ForestBatch:
    """Find the minimum spanning forests of many graphs.

    Parameters
    ----------
    graphs : (k, n, n) array, tuple (u, v, w), sequence or mapping of graphs
        Matrices of distances, such as distances between time series in k windows: ``batch[i]`` is the forest
        of ``Graph.from_distances(graphs[i])``. Or the edges of all graphs, each with vertices from 0, graph
        after graph. Or graphs as `as_graph` takes them; square frames of pandas with the same labels in rows
        and columns, such frames of polars (labels of rows are the first column, or left out if the matrix is
        symmetric), and square arrays are distances there, too. The keys of a mapping are labels of the
        graphs. Each graph keeps the type of its weights, and none is rounded.
    offsets : (k + 1,) array_like of integers, optional
        For a tuple: the edges of graph i are those from offsets[i] to offsets[i + 1] - 1. The number of
        vertices of a graph is then one more than its largest.
    names : iterable of n names, optional
        The names of the vertices of matrices of one size; by default the labels of frames.
    null_value : float, optional
        Entry of matrices of one size that is not an edge; by default every entry off the diagonal is one.
    missing : str
        The rule for pairs that have no distance (NaN): "error", or "drop" for no edge.
    correlations : bool
        Matrices hold correlations, whose distances are weights, as in `Graph.from_distances`.
    **options
        Further arguments of `minimum_spanning_forest`. Edges that are required or excluded are numbered graph
        after graph.

    Returns
    -------
    ForestBatch
        Edges of a matrix are numbered as in ``Graph.from_distances``: along the rows, both (i, j) and (j, i),
        without the diagonal.

    Raises
    ------
    GraphError, GraphTypeError
        A matrix is not symmetric, offsets do not ascend from 0 to the number of edges, or as for `as_graph`.
    OptionError
        ``null_value`` is no number, or it or ``names`` are given without matrices of one size, or there is
        no such argument.

    Warns
    -----
    GraphWarning
        One half of a matrix is empty (all zero, infinite or NaN) and is filled from the other; or pairs have
        no distance, and are no edges.

    Examples
    --------
    >>> import boruvka
    >>> batch = boruvka.minimum_spanning_forests(([0, 1, 0, 0], [1, 2, 2, 1], [5, 1, 2, 7]), [0, 3, 4])
    >>> batch
    ForestBatch(graphs=2, edges=3)
    >>> batch[0].edges, batch[1].edges, batch.weight
    (array([1, 2]), array([0]), array([3, 7]))
    """
    check_solve_options(minimum_spanning_forests, options)
    of_matrices: dict[str, Any] = {"names": names, "null_value": null_value, "missing": missing, "keys": ()}
    of_matrices["correlations"] = flag("correlations", correlations)
    matrix.check_sense(correlations, options.get("maximum", False))
    if correlations and null_value is not None:
        raise OptionError(f"{argument('null_value')} is for distances; correlations may be NaN")
    if isinstance(graphs, tuple) != (offsets is not None):
        raise GraphTypeError("a tuple (u, v, w) of the edges of all graphs needs offsets, and nothing else")
    if isinstance(graphs, Mapping):
        of_matrices["keys"] = list(map(label_text, graphs))
        return _of_list(list(graphs.values()), of_matrices, options).labelled(graphs, "graph")
    if isinstance(graphs, tuple) and offsets is not None:
        _check_no_matrix_options(of_matrices)
        return _of_tuple(graphs, offsets, options)
    if getattr(graphs, "ndim", 0) == 3:
        return batch_of_matrices(read_array("graphs", graphs), **of_matrices, **options)
    if isinstance(graphs, Sequence) and not isinstance(graphs, str | bytes | bytearray | memoryview):
        return _of_list(listed("graphs", graphs), of_matrices, options)
    raise GraphTypeError(
        "graphs are a (k, n, n) array, a tuple (u, v, w) with offsets, or a list or dict of graphs, not "
        f"{type(graphs).__name__}; minimum_spanning_forest takes one graph"
    )


def _solve_together(
    graph_of: Callable[[int], Graph],
    columns: Sequence[NDArray[Any]],
    bounds: NDArray[np.int64],
    sizes: NDArray[np.int64],
    options: ForestOptions,
) -> ForestBatch:
    """Solve graphs side by side: the vertices of each follow the vertices of the one before."""
    if not options.keys().isdisjoint(("required", "excluded")):
        return _solve_one_by_one(map(graph_of, range(sizes.size)), options)
    u, v, w = columns
    first = np.concatenate([[0], np.cumsum(sizes)])
    n = int(first[-1])
    before = np.repeat(first[:-1].astype(vertex_dtype(n)), np.diff(bounds))
    sources, targets = (ends.astype(before.dtype, copy=False) + before for ends in (u, v))
    forest = minimum_spanning_forest(Graph(n, sources, targets, w), **options)
    offsets = np.searchsorted(forest.edges, bounds)
    counts = np.diff(offsets)
    edges = forest.edges - np.repeat(bounds[:-1], counts)
    columns = edges, u[forest.edges], v[forest.edges], forest.w
    return ForestBatch(graph_of, columns, offsets, sizes - counts, (w.dtype,) * sizes.size, forest.maximum)


def _graph_of_tuple(
    columns: tuple[NDArray[Any], ...], bounds: NDArray[np.int64], sizes: NDArray[np.int64], i: int
) -> Graph:
    return Graph(int(sizes[i]), *(column[bounds[i] : bounds[i + 1]] for column in columns))


def _of_tuple(columns: tuple[Any, ...], offsets: ArrayLike, options: ForestOptions) -> ForestBatch:
    if len(columns) != 3:
        raise GraphTypeError(f"the edges of all graphs are (u, v, w), this tuple has {len(columns)} items")
    graph = Graph.from_edges(*columns)
    bounds = read_numbers("offsets", offsets)
    if bounds.ndim != 1 or bounds.size < 1 or bounds.dtype.kind not in "iu":
        raise GraphTypeError(f"offsets must be integers, not {bounds.dtype} of shape {bounds.shape}")
    bounds = bounds.astype(np.int64)
    if bounds[0] != 0 or bounds[-1] != graph.m or (np.diff(bounds) < 0).any():
        raise GraphError(f"offsets must ascend from 0 to {graph.m}, the number of edges")
    if graph.names is not None:
        raise GraphTypeError("vertices of the graphs of a batch are numbers from 0")
    u, v = graph.u, graph.v
    sizes = np.zeros(bounds.size - 1, np.int64)
    filled = np.flatnonzero(np.diff(bounds))
    if filled.size:
        sizes[filled] = np.maximum.reduceat(np.maximum(u, v), bounds[filled]).astype(np.int64) + 1
    columns = u, v, graph.w
    return _solve_together(partial(_graph_of_tuple, columns, bounds, sizes), columns, bounds, sizes, options)


def _check_no_matrix_options(of_matrices: dict[str, Any], are_matrices: bool = False) -> None:
    if of_matrices["correlations"] and not are_matrices:
        raise OptionError(f"{argument('correlations', True)} is for square matrices")
    if given := [name for name in ("names", "null_value") if of_matrices[name] is not None]:
        raise OptionError(f"{argument(given[0])} is for matrices of one size, in an array or a list")


def _of_list(graphs: list[Any], of_matrices: dict[str, Any], options: ForestOptions) -> ForestBatch:
    missing, keys = of_matrices["missing"], of_matrices["keys"] or range(len(graphs))
    graphs = list(map(in_memory, graphs))
    is_matrix = [_is_matrix(graph, of_matrices["correlations"]) for graph in graphs]
    if graphs and all(is_matrix):
        given, labels = zip(*map(labelled_matrix, graphs), strict=True)
        matrices = [matrix.read_matrix(f"graphs[{keys[i]}]", x, missing, None) for i, x in enumerate(given)]
        if len({(x.shape, x.dtype) for x in matrices}) == 1 and labels.count(labels[0]) == len(labels):
            names = labels[0] if of_matrices["names"] is None else of_matrices["names"]
            return batch_of_matrices(np.stack(matrices), **of_matrices | {"names": names}, **options)
    _check_no_matrix_options(of_matrices, all(is_matrix))
    how = {"missing": missing, "correlations": of_matrices["correlations"]}
    found = []
    for key, graph, is_one in zip(keys, graphs, is_matrix, strict=True):
        with _errors_of(key):
            found.append(Graph.from_distances(graph, **how) if is_one else _with_edges(graph))
    bounds = np.cumsum([0, *(graph.m for graph in found)])
    if bounds[-1] > FEW_EDGES * len(found) or len({graph.dtype for graph in found}) > 1:
        return _solve_one_by_one(found, options)
    columns = [graph.edges_in_range(0, graph.m) for graph in found]
    together = [_concatenated([column[k] for column in columns]) for k in range(3)]
    sizes = np.array([graph.n for graph in found], np.int64)
    return _solve_together(found.__getitem__, together, bounds, sizes, options)


@contextmanager
def _errors_of(key: Any) -> Iterator[None]:
    """Name one of several graphs in errors about it."""
    try:
        yield
    except GraphError as error:
        raise GraphError(f"graphs[{key}]: {error}") from None


def _with_edges(graph: Any) -> Graph:
    """Return a graph that lists its edges, or a matrix."""
    found = as_graph(graph)
    if isinstance(found, DistanceGraph):
        raise GraphTypeError("it has points: write [boruvka.minimum_spanning_forest(g) for g in graphs]")
    if not isinstance(found, MatrixGraph):
        check_lists_edges(found, "a batch holds matrices, and graphs that list their edges, on the host")
    return found


def _is_matrix(graph: Any, are_correlations: bool) -> bool:
    """Return whether an object is a square array, or a square frame."""
    if is_table(graph) and not is_pandas(graph):  # rounded correlations may differ from their transpose
        return is_square_frame(graph) or (are_correlations and graph.width == graph.height)
    shape: tuple[int, ...] = getattr(graph, "shape", ())
    if len(shape) != 2 or shape[0] != shape[1]:
        return False
    if is_pandas(graph):
        return has_same_labels(graph)
    return isinstance(graph, np.ndarray) and (are_correlations or shape != _MAY_BE_EDGES)


def batch_of_matrices(
    matrices: NDArray[Any],
    names: Iterable[Hashable] | Sequence[Any] | None = None,
    null_value: float | None = None,
    missing: str = "error",
    correlations: bool = False,
    keys: Sequence[Any] = (),
    are_distances: bool = False,
    **options: Unpack[ForestOptions],
) -> ForestBatch:
    """Find the minimum spanning forests of matrices in one array; arguments as for all graphs.

    The matrices may already hold the distances of correlations.
    """
    count, n = matrices.shape[:2]
    keys = keys or range(count)
    if matrices.shape[2] != n:
        what = f"graphs must be square matrices, these have the shape {matrices.shape[1:]}"
        raise GraphError(f"{what}; trees of points are found one by one, of Graph.from_points(graphs[0])")
    check_weight_dtype(matrices.dtype)
    native = matrices.astype(matrices.dtype.newbyteorder("="), copy=False)
    matrices = matrix.symmetric_matrices("graphs", native)
    found = None if names is None else name_array(names, n)
    if correlations and not are_distances:
        matrices = matrix.correlation_distances(matrices, found, keys)
    matrices, null_value = matrix.without_gaps(matrices, null_value, missing, None)
    matrix.warn_of_correlations(matrices, null_value, options.get("maximum", False))
    if found is not None:
        number_of_name(found)  # raises an error if two vertices have the same
        warn_of_alike_names(found)
    about = {"names": found, "are_correlations": correlations}
    graph_of = partial(_graph_of_matrix, matrices, null_value, about, keys)
    threads = thread_count(options.get("threads"))
    backend, maximum = get_backend("threads", threads), flag("maximum", options.get("maximum", False))
    is_large = n > backend.tuning.whole_matrices_up_to or matrices.dtype.itemsize > 8
    if not count or is_large or options.keys() - SIMPLE_OPTIONS:
        return _solve_one_by_one(map(graph_of, range(count)), options)
    parts, at_once = [], max(matrix.ENTRIES_AT_ONCE // max(n * n, 1), 4 * threads)
    with listening(options.get("progress", False)):
        for first in range(0, count, at_once):
            here = matrices[first : first + at_once]
            number, rows, columns = forests_of_matrices(here, null_value, maximum, backend)
            parts.append((number + first, rows, columns))
            report("solve", first + len(here), count, "graphs")
    number, rows, columns = map(np.concatenate, zip(*parts, strict=True))
    w, ids = matrices[number, rows, columns], vertex_dtype(n)
    if (k := first_true(w != w)) is not None:
        a, b = (str(i) if found is None else shown(found[i]) for i in (rows[k], columns[k]))
        drop = argument("missing", "drop")
        raise GraphError(f"graphs[{keys[number[k]]}][{a}, {b}] is NaN; where that means no edge: {drop}")
    edges = rows * (n - 1) + columns - (columns > rows)
    offsets = np.searchsorted(number, np.arange(count + 1))
    if null_value is not None:
        for i, (begin, end) in enumerate(pairwise(offsets.tolist())):
            edges[begin:end] = graph_of(i).edges_at(rows[begin:end], columns[begin:end])
    chosen = edges, rows.astype(ids), columns.astype(ids), w
    return ForestBatch(graph_of, chosen, offsets, n - np.diff(offsets), (w.dtype,) * count, maximum)


def _graph_of_matrix(
    matrices: NDArray[Any], null_value: float | None, about: dict[str, Any], keys: Sequence[Any], i: int
) -> Any:
    with _errors_of(keys[i]):
        return Graph.from_dense(matrices[i], null_value=null_value).annotated(**about)


def _solve_one_by_one(graphs: Iterable[Graph], options: Mapping[str, Any]) -> ForestBatch:
    """Solve each graph alone: large graphs, and those with special options."""
    graphs = list(graphs)
    bounds = np.cumsum([0, *(graph.m for graph in graphs)])
    masks = {
        name: edge_mask(name, options[name], int(bounds[-1]))
        for name in ("required", "excluded")
        if options.get(name) is not None
    }
    forests = []
    for graph, (begin, end) in zip(graphs, pairwise(bounds.tolist()), strict=True):
        own = {name: mask[begin:end] for name, mask in masks.items()}
        forests.append(minimum_spanning_forest(graph, **{**options, **own}))
    weights = [forest.w for forest in forests]
    if len({w.dtype for w in weights if w.size}) > 1:
        weights = [w.astype(object) for w in weights]
    columns = [_concatenated([getattr(forest, x) for forest in forests]) for x in ("edges", "u", "v")]
    return ForestBatch(
        forests.__getitem__,
        [*columns, _concatenated(weights)],
        np.cumsum([0, *map(len, forests)]),
        np.array([forest.n_components for forest in forests], np.int64),
        tuple(graph.dtype for graph in graphs),
        flag("maximum", options.get("maximum", False)),
    )


def _concatenated(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    """Join arrays; empty ones do not change the type, as float64 would hold int64 beside uint64."""
    return np.concatenate([x for x in arrays if x.size] or arrays or [np.empty(0, np.int64)])
