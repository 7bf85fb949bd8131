"""Edges that are in every and in some minimum spanning forest, and how far weights may change.

An edge of the forest stays as long as it is lighter than every edge that crosses the cut it leaves; an edge
outside joins as soon as it is lighter than the heaviest edge on the path between its ends. So every edge has
one other edge that decides: its *rival*. The rivals of edges outside are path maxima. Those of edges of the
forest are found in the order of weights: an edge outside is the rival of all edges on its path that have none
yet, and these are then contracted.

Source: R. E. Tarjan, Sensitivity analysis of minimum spanning trees and shortest path trees, Information
Processing Letters 14 (1982), 30-33; Applications of path compression on balanced trees, JACM 26 (1979).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import DistanceGraph, Graph, check_lists_edges
from boruvka.graph.names import ends_text
from boruvka.graph.validation import first_entries, warn_of_copies
from boruvka.kernels.kernel import kernel
from boruvka.runtime.libraries import optional, pd
from boruvka.runtime.processors import check_room
from boruvka.trees.path_maxima import sort_edges
from boruvka.trees.queries.paths import heaviest_on_paths
from boruvka.trees.structure import Structure

SHOWN = 60
"""Number of edges that a notebook shows."""


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity:
    """The edges and weights at which the forest changes; for a maximum forest, lighter means heavier.

    The entries (i, j) and (j, i) of a matrix, also of a sparse one or of a dict of neighbours, are one edge,
    and have the same values, which the lighter entry decides. Iterated over, it is ``(rival, slack, in_every,
    in_some)``.
    """

    rival: NDArray[np.int64]
    """(m,) array. The rival of an edge of the forest is the lightest edge that replaces it. The rival of
    another edge is the edge that it would replace, the heaviest on the path between its ends. A bridge and a
    self-loop have none: -1."""
    slack: NDArray[np.float64]
    """(m,) array: how much heavier an edge of the forest may become, how much lighter another edge must
    become, until it is as heavy as its rival; in float64. Infinite where there is no rival."""
    in_every: NDArray[np.bool_]
    """(m,) array: whether the edge is in every minimum spanning forest, however ties are broken."""
    in_some: NDArray[np.bool_]
    """(m,) array: whether it is in at least one."""
    in_tree: NDArray[np.bool_]
    """(m,) array: whether it is in the forest."""
    listed: EdgeSet
    """The edges of `to_pandas`: all but removed ones, and one entry of each edge of a matrix."""

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter((self.rival, self.slack, self.in_every, self.in_some))

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for each edge: its ends, its rival, and how far its weight may change.

        Returns
        -------
        pandas.DataFrame
            The columns ``edge, source, target, weight`` of `Forest.to_pandas`; ``in_tree``, ``slack``,
            ``in_every`` and ``in_some``; and the rival, by its index ``rival`` (-1 if there is none) and its
            ends ``rival_source`` and ``rival_target``, else missing values.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        from boruvka.interop.data_frames import to_frame

        graph, edges = self.listed.graph, self.listed.edges
        rival = self.rival[edges]
        u, v = (np.where(rival < 0, None, graph.shown_id(x)) for x in graph.take(np.maximum(rival, 0))[:2])
        more = {name: getattr(self, name)[edges] for name in ("in_tree", "slack", "in_every", "in_some")}
        more |= {"rival": rival, "rival_source": u, "rival_target": v}
        frame: pd.DataFrame = to_frame(self.listed, "pandas")
        return frame.rename(columns={name: f"{name}_given" for name in more}).assign(**more)

    def _repr_html_(self) -> str | None:
        """Return a table of the first edges for a notebook, if pandas is installed."""
        first = replace(self, listed=EdgeSet(self.listed.graph, self.listed.edges[:SHOWN]))
        counts = f"<p>{first.listed.edges.size:,} of {self.listed.edges.size:,} edges</p>"
        return optional("pandas") and counts + first.to_pandas().to_html(index=False, na_rep="")

    def __repr__(self) -> str:
        return f"Sensitivity of {self.listed.edges.size:,} edges: to_pandas() is a table of them"


def sensitivity(graph: Graph, structure: Structure) -> Sensitivity:
    """Implement `Forest.sensitivity`, for a forest of a graph."""
    check_not_required(structure, "sensitivity")
    graph.check()
    if isinstance(graph, DistanceGraph):
        check_room("the list of all pairs", 24 * graph.m)
    else:
        check_lists_edges(graph, "sensitivity needs a graph that lists its edges, on the host")
    u, v, w, inside = graph.u, graph.v, graph.w, np.zeros(graph.m, bool)
    inside[structure.edges] = True
    rival = np.full(graph.m, -1)
    order, first = sort_edges(w, structure.maximum)[0].astype(np.int64), np.empty(graph.m, np.int64)
    first[order] = order[first_entries(graph, order, u[order], v[order])]
    is_other = (u != v) & ~inside & (first == np.arange(graph.m))  # a removed edge is a self-loop, too
    others = order[is_other[order]]
    rival[structure.edges] = replacements(graph, structure, others, u, v)
    warn_of_copies(graph, structure.edges, np.unique(rival[rival >= 0]))
    rival[others] = heaviest_on_paths(structure, u[others], v[others])[0]
    has_rival = rival >= 0
    ties = np.zeros(graph.m, bool)
    ties[has_rival] = w[has_rival] == w[rival[has_rival]]
    slack = np.full(graph.m, np.inf)
    slack[has_rival] = differences(w[has_rival], w[rival[has_rival]])
    listed = EdgeSet(graph, np.setdiff1d(np.unique(first), graph.removed))
    in_every, in_some = (inside & ~ties)[first], (inside | ties)[first]
    return Sensitivity(rival[first], slack[first], in_every, in_some, inside[first], listed)


def replacements(
    graph: Graph, structure: Structure, order: NDArray[np.int64], u: NDArray[Any], v: NDArray[Any]
) -> NDArray[np.int64]:
    """Return, for each edge of a forest, the first of other edges, in order, that replaces it, else -1."""
    roots = structure.roots
    replaced = np.full(structure.size, -1)
    joining = _find_replacements(
        order, u, v, roots.position, roots.parent, roots.edge, np.arange(structure.n), replaced
    )
    if joining >= 0:
        raise not_spanning(graph, joining)
    return replaced


def check_not_required(structure: Structure, question: str) -> None:
    """Raise a `GraphError` about this question if the forest had to have some edges."""
    if structure.required.size:
        raise GraphError(
            f"{question} is for forests without required edges, which may be in no minimum spanning forest: "
            "solve without required="
        )


def not_spanning(graph: Graph, joining: int) -> GraphError:
    """Make the error about an edge that joins two trees of a forest of its graph."""
    (u,), (v,), _ = graph.take(np.array([joining]))
    return GraphError(
        f"the forest does not span the graph: edge {joining} {ends_text(graph.names, u, v, graph.first_id)} "
        "joins two of its trees; solve the graph again, boruvka.minimum_spanning_forest(forest.graph)"
    )


def differences(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.float64]:
    """Return the distances of weights, rounded once; equal ones, also infinite ones, have the distance 0."""
    larger, smaller = np.maximum(a, b), np.minimum(a, b)
    if a.dtype.kind in "iu":  # modulo 2**64, exact
        return (larger.astype(np.uint64) - smaller.astype(np.uint64)).astype(np.float64)
    wide = np.promote_types(a.dtype, np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(a == b, 0.0, (larger.astype(wide) - smaller.astype(wide)).astype(np.float64))


@kernel
def _find_replacements(order, u, v, position, parent, edge, above, replaced):
    """Give each edge of the forest the first edge, in order, whose path it is on.

    ``above`` is the union-find of contracted edges; its roots are the tops of contracted parts. Of two
    vertices, the one later in the order of the rooted forest is not above the other. If it is a root, the
    edge joins two trees: its index is returned, else -1.
    """
    for k in range(order.size):
        i = np.uint64(order[k])
        a, b = _top(np.uint64(u[i]), above), _top(np.uint64(v[i]), above)
        while a != b:
            if position[a] < position[b]:
                a, b = b, a
            if edge[a] < 0:
                return np.int64(i)
            replaced[edge[a]] = np.int64(i)
            above[a] = parent[a]
            a = _top(np.uint64(parent[a]), above)
    return np.int64(-1)


def _top(x, above):
    """Return the top of the contracted part of a vertex; halve the way to it."""
    while x != above[x]:
        above[x] = above[above[x]]
        x = np.uint64(above[x])
    return x
