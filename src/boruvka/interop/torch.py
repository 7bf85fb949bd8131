"""PyTorch: make a graph from a tensor of weights, sparse or dense, or from PyTorch Geometric data."""

from __future__ import annotations

from typing import Any

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.graph import Graph
from boruvka.graph.validation import read_array
from boruvka.interop.as_graph import as_graph

__all__ = ["graph_from"]


def graph_from(data: Any, weight: str | None = None) -> AbstractGraph:
    """Make a graph from a square tensor of weights or from PyTorch Geometric data.

    Edges are numbered in the order in which they are stored; edges that are stored twice are parallel edges.
    Sparse tensors on a GPU stay there. No gradients are kept. Weights of type bfloat16 become float32.

    Parameters
    ----------
    data : torch.Tensor or torch_geometric.data.Data
        A sparse or dense (n, n) tensor (a zero in a dense one, or in a block of a sparse one, is no edge), a
        tensor with three columns u, v, w, or an object with ``edge_index``.
    weight : str, optional
        The attribute of ``Data`` that holds one weight per edge; by default ``edge_weight``, else
        ``edge_attr``.

    Returns
    -------
    AbstractGraph

    Raises
    ------
    GraphError
        A tensor is not square, or a weight is NaN.
    GraphTypeError
        There is no weight, or more than one per edge, or the tensor cannot be read.
    """
    if not hasattr(data, "layout"):
        edge_index = getattr(data, "edge_index", None)
        if edge_index is None:
            raise GraphTypeError(f"{type(data).__name__} has no edge_index; pass arrays (u, v, w)")
        u, v = edge_index
        return Graph.from_edges(u, v, _weights(data, weight), data.num_nodes)
    layout, tensor = str(data.layout), data.detach()
    try:
        copied = tensor.cpu() if layout == "torch.strided" else tensor.to_sparse_coo()
    except RuntimeError as error:
        raise GraphTypeError(f"cannot read a tensor of layout {layout}: {error}") from None
    return _of_sparse(copied, layout) if copied.is_sparse else as_graph(read_array("the tensor", copied))


def _of_sparse(coo: Any, layout: str) -> Graph:
    if coo.ndim != 2 or coo.shape[0] != coo.shape[1]:
        raise GraphError(f"a tensor of weights is square, this one has shape {tuple(coo.shape)}")
    (u, v), w = coo._indices(), coo._values()
    if layout in ("torch.sparse_bsr", "torch.sparse_bsc"):  # blocks are padded with zeros
        stored = w != 0
        u, v, w = u[stored], v[stored], w[stored]
    return Graph.from_edges(u, v, w, coo.shape[0])


def _weights(data: Any, weight: str | None) -> Any:
    """Find the attribute of PyTorch Geometric data that holds one weight per edge."""
    for name in (weight,) if weight else ("edge_weight", "edge_attr"):
        values = getattr(data, name, None)
        if values is not None:
            if values.ndim == 2 and values.shape[1] == 1:
                values = values[:, 0]
            if values.ndim != 1:
                raise GraphTypeError(
                    f"{name} has {values.shape[1]} numbers for each edge: boruvka.as_graph(data, weight=...) "
                    "names an attribute that has one"
                )
            return values
    raise GraphTypeError(
        f"the edges have no {weight or 'weight'}: boruvka.as_graph(data, weight=...) names an attribute"
    )
