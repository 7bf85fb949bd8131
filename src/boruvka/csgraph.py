"""Drop-in replacements for functions of ``scipy.sparse.csgraph`` (extra ``scipy``).

They have the parameters and results of SciPy's functions, with four deliberate differences:

- A stored zero of a sparse array is an edge, and is a stored zero of the result.
- Weights keep their type: nothing is rounded to float64.
- Duplicate entries of a sparse array are parallel edges: the lightest counts, and they are not summed.
- In a dense array only 0, NaN and infinities mean "no edge", as in SciPy; SciPy also takes numbers of at most
  1e-8 for zeros. A sparse array with a weight of NaN is an error.

Where several entries have the same weight, the first in the order (row, column) counts, or in the order
in which a CSR array stores them, as in SciPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, without_warnings
from boruvka.graph.columns import is_masked_array, read_array
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph
from boruvka.graph.validation import vertex_ids, vertex_ids_below
from boruvka.runtime.arguments import flag
from boruvka.runtime.libraries import require
from boruvka.trees.minimum_spanning import minimum_spanning_forest

if TYPE_CHECKING:
    from scipy import sparse
else:
    sparse = require("scipy.sparse", "scipy")

__all__ = ["connected_components", "minimum_spanning_tree"]


def minimum_spanning_tree(csgraph: Any, overwrite: bool = False) -> sparse.csr_array | sparse.csr_matrix:
    """Find a minimum spanning forest, as ``scipy.sparse.csgraph.minimum_spanning_tree`` does.

    Parameters
    ----------
    csgraph : (n, n) sparse array or matrix, or array_like
        The weights. Entries (i, j) and (j, i) are edges between the same two vertices. In a dense array 0,
        NaN and infinities mean "no edge"; in a masked array the mask alone decides.
    overwrite : bool
        Accepted for SciPy's sake; the input is never changed.

    Returns
    -------
    (n, n) csr_array, or csr_matrix for a sparse or dense matrix
        The entries that form the forest, where the input has them and with weights of its type (float16
        becomes float32). Edges of weight zero are stored: count edges with ``nnz``.

    Raises
    ------
    GraphError
        The array is not square, or a stored weight is NaN.
    GraphTypeError
        Weights are not booleans, integers or floats.

    See Also
    --------
    boruvka.minimum_spanning_forest : returns the indices of the edges, and solves for a maximum too.

    Examples
    --------
    >>> from boruvka.csgraph import minimum_spanning_tree
    >>> tree = minimum_spanning_tree([[0, 8, 0, 3], [0, 0, 2, 5], [0, 0, 0, 6], [0, 0, 0, 0]])
    >>> tree.toarray().tolist()
    [[0, 0, 0, 3], [0, 0, 2, 5], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    is_sparse = _is_sparse(csgraph)
    values = csgraph if is_sparse or is_masked_array(csgraph) else read_array("the graph", csgraph)
    is_boolean = values.dtype == np.bool_
    if is_boolean:
        values = values.astype(np.uint8)
    tree = minimum_spanning_forest(_from_sparse(values) if is_sparse else _from_dense(values)).to_scipy()
    if is_boolean:
        tree = tree.astype(np.bool_)
    return sparse.csr_matrix(tree) if isinstance(csgraph, sparse.spmatrix | np.matrix) else tree


@overload
def connected_components(
    csgraph: Any, directed: bool = ..., connection: str = ..., return_labels: Literal[True] = ...
) -> tuple[int, NDArray[np.int32]]: ...


@overload
def connected_components(
    csgraph: Any, directed: bool = ..., connection: str = ..., *, return_labels: Literal[False]
) -> int: ...


def connected_components(
    csgraph: Any, directed: bool = True, connection: str = "weak", return_labels: bool = True
) -> int | tuple[int, NDArray[np.int32]]:
    """Label connected components, as ``scipy.sparse.csgraph.connected_components`` does.

    Directions never matter: components of a directed graph are the weak ones.

    Parameters
    ----------
    csgraph : (n, n) sparse array or matrix, or array_like
        The edges, as for `minimum_spanning_tree`; weights do not matter, so they may be complex, too.
    directed : bool
        Whether entries are directed edges.
    connection : str
        "weak"; "strong" is allowed where ``directed`` is false, and means nothing there.
    return_labels : bool
        Whether to return the labels too.

    Returns
    -------
    n_components : int
        Number of components.
    labels : (n,) array of int32
        The component of each vertex, from 0, in the order of their smallest vertices.

    Raises
    ------
    GraphError
        The array is not square.
    GraphTypeError
        Its entries are not numbers.
    OptionError
        Strong components are wanted, or there is no such connection.

    Examples
    --------
    >>> from boruvka.csgraph import connected_components
    >>> connected_components([[0, 0, 1], [0, 0, 0], [0, 0, 0]])
    (2, array([0, 1, 0], dtype=int32))
    """
    kind = connection.lower() if isinstance(connection, str) else connection
    if not isinstance(connection, str) or kind not in ("weak", "strong"):
        raise OptionError(f"connection must be 'weak' or 'strong', got {shown(connection)}")
    directed, return_labels = flag("directed", directed), flag("return_labels", return_labels)
    if directed and kind == "strong":
        raise OptionError(
            "connection='strong' needs directions, which are ignored here: "
            "use scipy.sparse.csgraph.connected_components"
        )
    n, rows, columns = _entries(csgraph)
    labels = label_components(n, rows, columns)
    count = int(labels.max(initial=-1)) + 1
    return (count, labels.astype(np.int32)) if return_labels else count


def _is_sparse(csgraph: Any) -> bool:
    if hasattr(csgraph, "to_scipy_sparse"):
        raise GraphTypeError("expected a SciPy sparse array; convert this one with to_scipy_sparse()")
    return bool(sparse.issparse(csgraph))


def _from_sparse(a: Any) -> Graph:
    """Make a graph whose edges are numbered along the rows, so that ties are broken as in SciPy."""
    graph = Graph.from_scipy(a)
    if a.format == "csr":
        return graph
    places = sparse.coo_array((np.arange(graph.m), (graph.u, graph.v)), shape=a.shape)
    places.has_canonical_format = True  # duplicates are not summed
    order = places.tocsc().tocsr().data  # two stable bucket sorts
    return Graph(graph.n, graph.u[order], graph.v[order], graph.w[order])


def _from_dense(a: NDArray[Any]) -> Graph:
    if a.dtype.kind == "f" and not is_masked_array(a):
        finite = np.isfinite(a)
        if not finite.all():
            a = np.where(finite, a, a.dtype.type(0))
    with without_warnings():  # SciPy says nothing of single entries
        return Graph.from_dense(a)


def _entries(csgraph: Any) -> tuple[int, NDArray[Any], NDArray[Any]]:
    """Return the number of vertices, and the rows and columns of the entries that are edges."""
    if not _is_sparse(csgraph) and not is_masked_array(csgraph):
        csgraph = read_array("the graph", csgraph)
    if csgraph.ndim != 2 or csgraph.shape[0] != csgraph.shape[1]:
        raise GraphError(f"an adjacency matrix must be square, this one has shape {csgraph.shape}")
    n = csgraph.shape[0]
    if sparse.issparse(csgraph):
        coo = csgraph.tocoo()
        ends: tuple[Any, ...] = coo.row, coo.col
        if csgraph.format in ("dia", "bsr"):  # a zero may be padding: see `Graph.from_scipy`
            ends = coo.row[coo.data != 0], coo.col[coo.data != 0]
    elif is_masked_array(csgraph):
        ends = np.nonzero(~np.ma.getmaskarray(csgraph))
    else:
        if csgraph.dtype.kind not in "biufc":
            raise GraphTypeError(f"weights must be numbers, these have dtype {csgraph.dtype}")
        ends = np.nonzero((csgraph != 0) & np.isfinite(csgraph))
    rows, columns = (vertex_ids_below(n, "an end", *vertex_ids("ends", x)) for x in ends)
    return n, rows, columns
