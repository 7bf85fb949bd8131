"""PyTorch: make a graph of a tensor of weights, sparse or dense, or of the data of PyTorch Geometric."""

from __future__ import annotations

from typing import Any

from boruvka.errors import GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.graph import Graph

__all__ = ["graph_from"]


def graph_from(data: Any, weight: str | None = None) -> AbstractGraph:
    """Make a graph of a square tensor of weights or of the edges of PyTorch Geometric.

    Edges are numbered in the order in which they are stored; those that are stored twice are parallel edges.
    Tensors on a GPU stay there. No gradients are kept.

    Parameters
    ----------
    data : torch.Tensor or torch_geometric.data.Data
        A sparse or dense (n, n) tensor (a zero of a dense one is no edge), or an object with ``edge_index``.
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
        There is no weight, or more than one for each edge.
    """
    if hasattr(data, "edge_index"):
        u, v = data.edge_index.detach()
        return Graph.from_edges(u, v, _weights(data, weight), data.num_nodes)
    tensor = data.detach()
    if str(tensor.layout) == "torch.strided":
        return Graph.from_dense(tensor.cpu().numpy())
    coo = tensor.to_sparse_coo()
    if coo.ndim != 2 or coo.shape[0] != coo.shape[1]:
        raise GraphTypeError(f"a tensor of weights is square, this one has shape {tuple(coo.shape)}")
    u, v = coo._indices()
    return Graph.from_edges(u, v, coo._values(), coo.shape[0])


def _weights(data: Any, weight: str | None) -> Any:
    """Find one weight for each edge of the data of PyTorch Geometric."""
    for name in (weight,) if weight else ("edge_weight", "edge_attr"):
        values = getattr(data, name, None)
        if values is not None:
            values = values.detach()
            if values.ndim == 2 and values.shape[1] == 1:
                values = values[:, 0]
            if values.ndim != 1:
                raise GraphTypeError(
                    f"{name} has {values.shape[1]} numbers for each edge: boruvka.as_graph(data, weight=...) "
                    "names an attribute that has one"
                )
            return values
    raise GraphTypeError("the edges have no weight: boruvka.as_graph(data, weight=...) names an attribute")
