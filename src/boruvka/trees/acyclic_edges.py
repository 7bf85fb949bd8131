"""The base of all trees: selected edges that close no cycle, and their orders, which queries use."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.columns import read_only
from boruvka.runtime.arguments import flag
from boruvka.trees.selected_edges import SelectedEdges

if TYPE_CHECKING:
    from boruvka.trees.rooted_forest import RootedForest
    from boruvka.trees.structure import Structure

NO_EDGES = read_only(np.empty(0, np.int64))


class AcyclicEdges(SelectedEdges):
    """Edges of a graph that form a tree, or several.

    `Forest`, `SteinerTree` and `Arborescence` are such trees. Everything is derived from the edges when it is
    first read.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (k,) array of int64
        Indices of the edges in the graph, ascending. Rows that ``missing="drop"`` leaves out have none: see
        `to_pandas`.
    maximum : bool
        Whether heavy edges were wanted: they come first in `edge_rounds`.
    required : (r,) array of int64
        Indices of the edges that had to be in the tree, ascending.
    """

    required: NDArray[np.int64] = NO_EDGES

    @property
    def n_components(self) -> int:
        """Number of components (trees), isolated vertices counted."""
        return self.graph.n - self.edges.size

    @cached_property
    def structure(self) -> Structure:
        """The orders of the edges and vertices that queries use, each made when it is first read."""
        from boruvka.trees.structure import Structure

        return Structure(self.n, self.edges, self.u, self.v, self.w, self.maximum, self.required)

    @cached_property
    def edge_rounds(self) -> NDArray[np.uint8]:
        """Round of Borůvka's algorithm that adds each edge, from 1 to at most log2(n).

        These are the rounds of the plain algorithm, whichever algorithm found the forest. In a round, each
        component chooses the lightest edge that leaves it. Edges are totally ordered by (weight, index), so
        this edge is in the forest (cut property), and the rounds on the edges of the forest alone are those
        on the whole graph. Required edges come first. Time and memory are linear in the vertices. On a path
        with weights 1, 5 and 2, the rounds are 1, 2 and 1.
        """
        from boruvka.graph.connected_components import label_components

        left = self.structure.by_choice.places
        n, done, u, v = self.n, 0, self.u[left], self.v[left]
        rounds = np.empty(left.size, np.uint8)
        number = 0
        while left.size:
            number += 1
            chosen = _first_edges(n, u, v)
            rounds[left[chosen]] = number
            found = label_components(n, u[chosen], v[chosen])
            done += int(np.count_nonzero(chosen))
            self.structure.check_no_cycle(done, found)  # loops could take more rounds than the type can count
            n, label = self.n - done, found.astype(u.dtype)
            left, u, v = left[~chosen], label[u[~chosen]], label[v[~chosen]]
        return read_only(rounds)

    def path(self, u: Hashable, v: Hashable, *, names: bool = False) -> NDArray[Any]:
        """Find the path between two vertices.

        The first call finds a root for each tree, in O(n). A path then takes time linear in its length.

        Parameters
        ----------
        u, v : name or int
            The vertices: their names where they have names, else their numbers.
        names : bool
            Return the vertices of the path, u and v with them.

        Returns
        -------
        (length,) array of int64
            Indices of the edges in the graph, from u to v: empty if u is v. With ``names``, a (length + 1,)
            array of the vertices, given as u and v are.

        Raises
        ------
        GraphError, GraphTypeError
            An argument is not a vertex, or no path connects them.

        See Also
        --------
        Forest.bottleneck : the heaviest edge of many paths, without the paths.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2, 4], [1, 2, 3, 5], [5, 2, 7, 1]))
        >>> forest.path(3, 0)
        array([2, 1, 0])
        """
        from boruvka.trees.queries.paths import path

        start, end = self.vertex_number("u", u), self.vertex_number("v", v)
        edges = path(self.structure, start, end)
        if edges is None:
            first, last = self.graph.shown_id(np.array([start, end])).tolist()
            raise GraphError(f"no path connects {first} and {last}: they are in different components")
        if not flag("names", names):
            return edges
        a, b, _ = self.graph.take(edges)
        return np.asarray(self.graph.shown_id(np.bitwise_xor.accumulate(np.append([start], a ^ b))))

    def rooted(self, root: Any = None) -> RootedForest:
        """Root the trees: order, parents, depths, values along paths and in subtrees, the longest path.

        Parameters
        ----------
        root : name or int, or a list or array of them, optional
            The root of its tree; or of several trees. Other trees are rooted anywhere, but always the same,
            and `RootedForest.distances` are infinite there.

        Returns
        -------
        RootedForest

        Raises
        ------
        GraphError, GraphTypeError
            An argument is not a vertex, or in no tree; or two are in one tree.

        Examples
        --------
        >>> import boruvka
        >>> forest = boruvka.minimum_spanning_forest(([0, 1, 1, 4], [1, 2, 3, 5], [5, 2, 7, 1]))
        >>> tree = forest.rooted(0)
        >>> tree.parent[:4], tree.depths[:4], tree.leaves
        (array([-1,  0,  1,  1]), array([0, 1, 2, 2]), array([2, 3, 4]))
        >>> tree.subtree([1, 1, 1, 1, 1, 1])[:4], tree.diameter()
        (array([4, 3, 1, 1]), Diameter(length=12.0, ends=(0, 3)))
        """
        from boruvka.trees.rooted_forest import RootedForest

        return RootedForest.of(self, root)

    def to_newick(self, *, linkage: bool = False) -> str:
        """Write the trees as Newick, the format of trees in phylogenetics.

        Parameters
        ----------
        linkage : bool
            Write the dendrogram of single linkage instead, for programs that know only tips, such as
            Microreact and iTOL. All vertices are tips, or all strains if profiles were collapsed; the path
            between two tips is as long as the height at which they merge, the distance in the dendrogram.
            Merges at the same height are one node. Lengths are rounded to 15 digits.

        Returns
        -------
        str
            A line for each tree, as ``(b:1,(d:2)c:1.5)a;``: its vertices have labels, their names or numbers,
            and its edges have their weights as lengths. Which vertex is the root means nothing. If profiles
            were collapsed, others than the first of a vertex are tips of length 0 below it. A
            dendrogram is written as ``(b:1,(d:0.5,c:0.5):0.5);``.

        Raises
        ------
        GraphError
            With ``linkage``, the forest is a maximum spanning forest, or has a negative weight.
        """
        from boruvka.interop.exports import dendrogram_to_newick, to_newick

        order, _, parent, edge = self.structure.roots
        if not flag("linkage", linkage):
            return to_newick(self, order, parent, edge)
        from boruvka.trees.queries.single_linkage import check_heights

        check_heights(self.structure, self.edge_text)
        places = self.structure.by_weight.places
        ends = (x[places].tolist() for x in (self.u, self.v, self.w))
        return dendrogram_to_newick(self, zip(*ends, strict=True))


def _first_edges(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the sorted edges that are the first at one of n components."""
    first = np.full((2, n), u.size)
    backwards = np.arange(u.size)[::-1]
    first[0, u[::-1]] = backwards  # the last value assigned to a component is kept
    first[1, v[::-1]] = backwards
    chosen = np.zeros(u.size + 1, bool)
    chosen[first.min(axis=0)] = True
    return chosen[:-1]
