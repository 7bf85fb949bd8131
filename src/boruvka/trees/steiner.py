"""Steiner trees: a light tree that connects some of the vertices, its terminals, through others.

Every vertex belongs to the region of its nearest terminal. An edge between two regions joins their terminals
by a path through both of its ends. The minimum spanning forest of the terminals under the lengths of these
paths is at most ``2 (1 - 1 / t)`` times as heavy as the lightest tree [1]_. The minimum spanning forest of
the vertices of its paths, with every other leaf than a terminal removed, is not heavier.

For few terminals, the lightest tree is found in O(3^t n + 2^t m log n): every set of terminals has, for each
vertex, the weight of the lightest tree of both, which are two such trees or a path to one [2]_.

.. [1] K. Mehlhorn, A faster approximation algorithm for the Steiner problem in graphs, Information Processing
       Letters 27 (1988), 125-128.
.. [2] R. E. Erickson, C. L. Monma, A. F. Veinott, Send-and-split method for minimum-concave-cost network
       flows, Mathematics of Operations Research 12 (1987), 634-664.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from math import isfinite
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.algorithms.run import solve_graph
from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph.adjacency import adjacency
from boruvka.graph.columns import read_numbers, read_only
from boruvka.graph.connected_components import label_components
from boruvka.graph.coordinates import are_places
from boruvka.graph.derived_graphs import MaskedGraph, subgraph_of
from boruvka.graph.exact import exact_sum, partial_sum
from boruvka.graph.graph import Graph, check_lists_edges, inf_advice
from boruvka.graph.labels import read_edges, values_of_vertices
from boruvka.graph.names import ends_text, name_hint
from boruvka.graph.text_numbers import column_of_numbers, number_in, numbers_in
from boruvka.graph.validation import read_vertex, read_vertices, vertex_dtype
from boruvka.interop.as_graph import GraphOptions, as_graph
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import argument, flag, is_command_running
from boruvka.trees.acyclic_edges import AcyclicEdges
from boruvka.trees.dual_ascent import lower_bound, relative_gap
from boruvka.trees.forest import Forest
from boruvka.trees.radix_heap import insert, remove_first

ONE = np.uint64(1)
LONGEST = 2**61
"""Integer lengths of paths are below, so that no sum of three overflows."""
SCALE = 900
"""The heaviest useful edge is scaled to about 2**SCALE where sums of floats would overflow."""
TRIES = 600
"""Maximum number of trees that an improvement tries."""
TINY = 100
"""Number of vertices and edges of a graph whose trees are always improved: a third of a second at most."""
WORK = 60_000_000
"""Maximum number of vertices and edges that all of these visit: a few seconds."""
NEAR = WORK // TRIES
"""Approximate number of vertices and edges near a tree among which a lighter one is searched."""


class SteinerTree(AcyclicEdges):
    """A tree that connects terminals, or one for each component of the graph that has some.

    Attributes
    ----------
    graph : Graph
        The graph.
    terminals : (t,) array of int64
        The terminals, ascending; vertices are numbers here.
    edges : (k,) array of int64
        Indices of the edges in the graph, ascending.
    has_leaves : bool
        Whether every terminal must be a leaf.
    is_optimal : bool
        Whether the search has proven that no tree is lighter, up to the rounding of sums of floats.
    root : int or None
        The vertex that had to be in the tree, such as a plant.
    """

    _in_repr = "terminals", "edges", "n_components", "weight"
    terminals: NDArray[np.int64]
    has_leaves: bool = False
    is_optimal: bool = False
    root: int | None = None
    _load: NDArray[Any] | None = None
    """Amount that each vertex takes from the root, by default 1 for a terminal."""
    _unreached: NDArray[np.int64] = np.empty(0, np.int64)
    """Terminals that no path connects with the root."""

    def __init__(self, graph: Graph, terminals: NDArray[np.int64], edges: NDArray[np.int64], **others: Any):
        super().__init__(graph, edges)
        vars(self).update(terminals=read_only(terminals), **others)

    @cached_property
    def vertices(self) -> NDArray[np.int64]:
        """The vertices of the trees, terminals included, ascending."""
        return read_only(np.unique(np.concatenate([self.terminals, self.u, self.v]).astype(np.int64)))

    @property
    def marked(self) -> NDArray[np.int64]:
        """The vertices that pictures mark: the terminals."""
        return np.setdiff1d(self.terminals, self.crossed)

    crossed_text = "not connected"

    @property
    def crossed(self) -> NDArray[np.int64]:
        """The vertices that pictures cross: terminals that no edge connects with others, or with the root."""
        alone = np.setdiff1d(self.terminals, np.concatenate([self.u, self.v]).astype(np.int64))
        return np.union1d(self._unreached, alone if self.n_components > 1 else alone[:0])

    @property
    def left_out(self) -> Any:
        """The terminals that nothing connects, or whose prizes are not collected: names, else numbers."""
        return self.graph.name_of(self.crossed)

    @property
    def n_components(self) -> int:
        """Number of trees, a terminal alone counted."""
        return self.vertices.size - self.edges.size

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """Tree of each vertex, numbered in the order of their smallest vertices; -1 outside of trees."""
        labels, inside = np.full(self.n, -1), label_components(self.n, self.u, self.v)[self.vertices]
        labels[self.vertices] = np.unique(inside, return_inverse=True)[1]
        return read_only(labels)

    @cached_property
    def edge_columns(self) -> dict[str, Any]:
        """With a root, the column ``load``: the terminals, or their load, that an edge connects with it."""
        if self.root is None:
            return super().edge_columns
        rooted = self.rooted(self.graph.name_of(self.root))
        of_one = np.isin(np.arange(self.n), self.terminals).astype(np.int64)
        below = rooted.subtree(of_one if self._load is None else self._load)
        child, load = np.flatnonzero(rooted.parent >= 0), np.zeros(len(self), below.dtype)
        load[np.searchsorted(self.edges, rooted.parent_edge[child])] = below[child]
        return super().edge_columns | {"load": load}

    @cached_property
    def lower_bound(self) -> int | float:
        """A lower bound of the weight of every tree that connects the terminals.

        An optimal tree is its own bound, up to the rounding of sums of floats. Otherwise it is computed by
        dual ascent when first read, which mostly takes 1 to 10 times as long as the tree.
        """
        if self.is_optimal:
            return self.weight
        prizes = np.zeros(self.n)
        prizes[self.terminals] = np.inf
        label = label_components(self.n, self.graph.u, self.graph.v)[self.terminals]
        roots = self.terminals[np.unique(label, return_index=True)[1]]
        leaves = self.terminals if self.has_leaves else None
        return lower_bound(self.graph, prizes, roots, self.weight, leaves)

    @property
    def gap(self) -> float:
        """Proven distance from the least weight, as a share of this weight: 0 if this tree is optimal."""
        return 0.0 if self.is_optimal else relative_gap(self.lower_bound, self.weight)

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        return self._html_table("Steiner tree", "terminals", self.terminals.size)


def steiner_tree(
    graph: Any,
    terminals: Any = None,
    *,
    leaves: bool = False,
    improve: bool = False,
    excluded: ArrayLike | None = None,
    root: Any = None,
    load: Any = None,
    **options: Unpack[GraphOptions],
) -> SteinerTree:
    """Find a light tree that connects terminals, at most twice as heavy as the lightest.

    `SteinerTree.lower_bound` and `SteinerTree.gap` say what is proven of a tree.

    Parameters
    ----------
    graph : object
        As for `minimum_spanning_forest`, with a list of edges; weights are 0 or more, and finite.
    terminals : array_like, optional
        The vertices to connect: by name if vertices have names, else by number. For places, which are a frame
        of geopandas or a table with columns of coordinates, the vertices nearest to them
        (`Graph.vertex_near`). By default ``graph.terminals``, such as places that are attached to streets.
    leaves : bool
        Each terminal must be the end of one edge alone, so that no path goes through it. Unless it is
        optimal, the tree can be more than twice as heavy as the lightest of these.
    improve : bool
        Look for a lighter tree. For few terminals, such as 6 in 10,000 vertices or 12 in 500, it is the
        lightest, and `SteinerTree.is_optimal` is true. For more, up to 600 other trees near the first are
        tried. The search takes about ten seconds at most, or as long as the first tree if that is more;
        twice as long with ``leaves``. Trees in graphs of up to 100 vertices and edges together are always
        improved.
    excluded : array_like, optional
        Edges that must not be in the tree, such as closed streets: their indices, a list of their ends, a
        mask of m booleans, or values of columns of the frame or the map, as ``{"name": "Main Street"}``. Of
        several columns, an edge with a value of any of them is excluded.
    root : name or int, optional
        A vertex that is a terminal too, such as a plant. Terminals that no path connects with it are left
        out, with a warning, so that there is one tree.
    load : str, mapping, frame, series or (n,) array_like, optional
        Amount that each vertex takes from the root, such as kilowatts: the name of a column of the places
        that are attached, or values by names of vertices, 0 where there is none. The column ``load`` of
        results holds the sum of what an edge carries, instead of the number of terminals.
    **options
        Options of `as_graph`, such as ``weight="cost"`` and ``attach=buildings`` for a frame of streets.

    Returns
    -------
    SteinerTree
        Terminals that no path connects are in several trees, see `SteinerTree.n_components`. Equal input
        gives equal trees. Distances are exact for integers, unless the tree weighs more than 2**61, else in
        float64.

    Raises
    ------
    GraphError, GraphTypeError
        A terminal is not a vertex, no edge leads to the root, a weight is negative, infinite or NaN, or the
        graph lists no edges; or terminals can be connected through other terminals alone, where they must be
        leaves.

    Warns
    -----
    GraphWarning
        The terminals are in several components of the graph, so there are several trees, or with ``root``
        some terminals are left out; or several places are nearest to one vertex.

    Examples
    --------
    >>> import boruvka
    >>> star = [("hub", "a", 1), ("hub", "b", 1), ("hub", "c", 1), ("a", "b", 1.5), ("b", "c", 1.5)]
    >>> boruvka.steiner_tree(star, ["a", "c"]).edges
    array([0, 2])
    """
    graph, load = checked_graph(graph, "Steiner tree", root, load, excluded, options)
    if terminals is None:
        if graph.terminals is None:
            raise GraphTypeError(
                f"the graph has no terminals of its own: pass {argument('terminals')}, the names or numbers "
                f"of the vertices to connect, or {argument('attach')}, places that are joined to streets"
            )
        terminals = graph.terminals
        if terminals.size == 1 and root is None:
            warn("the graph has one place, so that the tree has no edge: attach others, or name a root")
    of_places = are_places(terminals)
    given = (_vertices_of_places if of_places else read_vertices)(graph, "terminals", terminals)
    found = np.unique(given).astype(np.int64)
    if of_places and found.size < given.size:
        warn(
            f"{given.size:,} places are nearest to {found.size:,} vertices, so that some share one; "
            "the argument attach of boruvka.as_graph joins each to its street"
        )
    if root is not None:
        start = int(read_vertex(graph, "root", root))
        label = label_components(graph.n, graph.u, graph.v)
        is_reached = reached(graph, start, found, label, "terminals")
        unreached, found = found[~is_reached], np.union1d(found[is_reached], start)
        if unreached.size and np.count_nonzero(label == label[start]) == 1:
            raise GraphError(f"no edge leads to the root {shown(root)}, so that it has no tree")
    find = _leaf_tree if flag("leaves", leaves) else find_tree
    tree = find(graph, found, flag("improve", improve) or graph.n + graph.m <= TINY)
    if root is not None:
        vars(tree).update(root=start, _unreached=unreached, _load=load)
    if tree.n_components > 1:
        label = label_components(graph.n, graph.u, graph.v)
        is_in_one, others = _apart(graph, found, label, np.bincount(label[found]).argmax())
        warn(
            f"no path connects all {found.size:,} terminals: they are in {tree.n_components:,} components of "
            f"the graph, and the result has a tree in each; {is_in_one.sum():,} are in one of them, and "
            f"{np.count_nonzero(~is_in_one):,} in others: {others}"
        )
    return tree


def checked_graph(graph: Any, noun: str, root: Any, load: Any, excluded: Any, options: Any) -> Any:
    """Make a graph without the edges that are excluded, and the amounts that vertices take from a root."""
    graph = as_graph(graph, **options)
    check_lists_edges(graph, f"a {noun} needs a graph that lists its edges, on the host")
    check_lengths(graph)
    if load is not None and root is None:
        raise OptionError(f"{argument('load')} is what comes from {argument('root')}: name the root too")
    load = None if load is None else amounts(graph, "load", load, root)
    if excluded is not None:
        graph = MaskedGraph(graph, read_edges(graph, "excluded", excluded))
    return graph, load


def reached(graph: Graph, root: int, terminals: NDArray[np.int64], label: Any, noun: str) -> Any:
    """Return which terminals a path connects with a root, and warn of the others."""
    is_reached, others = _apart(graph, terminals, label, label[root])
    if others:
        warn(f"no path connects these {noun} with the root, so that they are left out: {others}")
    return is_reached


def _apart(
    graph: Graph, terminals: NDArray[np.int64], label: NDArray[np.int64], component: np.int64
) -> tuple[NDArray[np.bool_], str]:
    """Return which terminals are in a component, and a text of the others; "" if there are none.

    ``label`` is the component of each vertex.
    """
    is_inside = label == component
    others = terminals[~is_inside[terminals]]
    if not others.size:
        return is_inside[terminals], ""
    from boruvka.interop.geopandas import gap_text

    text = shown(graph.shown_id(others).tolist())
    if isinstance(graph, MaskedGraph):
        whole = label_components(graph.n, graph.base.u, graph.base.v)
        cut_off = graph.shown_id(others[whole[others] == whole[is_inside.argmax()]]).tolist()
        named = "these" if len(cut_off) == others.size else shown(cut_off) if cut_off else "none of these"
        text += f"; excluded edges connect {named}"
    return is_inside[terminals], text + gap_text(graph, is_inside, np.isin(label, label[others]))


def _vertices_of_places(graph: Graph, name: str, places: Any) -> NDArray[Any]:
    """Return the vertices of a frame of places: by their names if vertices have these, else the nearest ones.

    Several places may be at one point, or a place on a street, so that the nearest vertex is another one.
    """
    near = read_vertices(graph, name, graph.vertex_near(places))
    with suppress(GraphError, GraphTypeError, AttributeError):  # a frame of polars has no index
        named = read_vertices(graph, name, places.index.tolist())
        assert graph.coordinates is not None  # else none is near
        if np.allclose(graph.coordinates[named], graph.coordinates[near], rtol=1e-12, atol=0):
            return named
    return near


def amounts(graph: Graph, name: str, values: Any, root: Any = None) -> NDArray[Any]:
    """Return an amount for each vertex, such as a prize, by names of vertices or of a column of places.

    A warning names places that have none, except for the root, which needs none.
    """
    places = graph.annotations.places
    if isinstance(values, str) and (places is not None or is_command_running()):
        numbers = column_of_places(name, () if places is None else places, values)
        column, pairs = values, dict(zip(graph.name_of(graph.annotations.terminals), numbers, strict=True))
        values = {vertex: number for vertex, number in pairs.items() if number is not None}
        if lacking := [x for x in pairs if x not in values and x != root]:
            count = f"{len(lacking):,} of {len(pairs):,} places have no value, which counts as 0"
            warn(f"{argument(name, column)}: {count}: {shown(lacking)}")
    p = values_of_vertices(graph, name, values, otherwise=0)
    if p.dtype.kind in "OU" and p.ndim == 1:
        p = read_numbers(name, column_of_numbers(name, p))
        if texts := [x for x in p.tolist() if isinstance(number_in(x), str)]:
            raise GraphTypeError(
                f"{name} must be numbers, got {shown(texts[0])}: without a unit, written in one way"
            )
    if p.ndim != 1 or p.dtype.kind not in "iuf":
        raise GraphTypeError(f"{name} must be one number for each vertex, not {p.dtype} of shape {p.shape}")
    p = p.astype(np.float64) if p.dtype.kind == "f" else p
    wrong = np.flatnonzero(~((p >= 0) & np.isfinite(p)))
    if wrong.size:
        vertex = shown(graph.shown_id(wrong[:1]).tolist()[0])
        way = f"{name}.fillna(0) has none" if hasattr(values, "fillna") else "write 0 where there is none"
        fill = f"; {way}" if np.isnan(p[wrong[0]]) else ""
        raise GraphError(
            f"{name} must be 0 or more, and finite: the vertex {vertex} has {p[wrong[0]]} "
            f"(not so: {wrong.size:,}){fill}"
        )
    if not isfinite(exact_sum(p)):
        raise GraphError(f"the sum of {name} is more than float64 holds")
    return p


def column_of_places(name: str, places: Any, column: str) -> list[Any]:
    """List the numbers in a column of a table of places, None for none; the case of one name may differ."""
    columns = {str(each).removeprefix("place_"): each for each in places}
    found = [each for each in columns if each.lower() == column.lower()]
    chosen = column if column in found or len(found) != 1 else found[0]
    if chosen not in columns:
        known = ", ".join(columns)[:200] or "none, as no places are attached"
        known += name_hint(dict.fromkeys(columns, 0), column)
        raise OptionError(f"{argument(name)}: there is no column {shown(column)}; the columns are {known}")
    return numbers_in(chosen, list(places[columns[chosen]]))


def check_lengths(graph: Graph) -> None:
    """Raise a `GraphError` unless all weights are 0 or more, and finite."""
    if graph.m and not (graph.w.min() >= 0 and np.isfinite(graph.w.max())):
        i = int(np.argmin(np.isfinite(graph.w) & (graph.w >= 0)))
        ends = ends_text(graph.names, graph.u[i], graph.v[i], graph.first_id)
        raise GraphError(
            f"edge {i} {ends} has the weight {graph.w[i]}: it must be 0 or more, and finite"
            + inf_advice(graph, graph.w[i])
        )


def find_tree(graph: Graph, terminals: NDArray[np.int64], improve: bool = False) -> SteinerTree:
    """Find a Steiner tree, or several, of terminals that ascend in a graph that was checked."""
    search = Search(graph, terminals)
    edges = search.tree(np.empty(0, np.int64)) if terminals.size > 1 else np.empty(0, np.int64)
    is_optimal = terminals.size < 3 or (improve and search.has_few_terminals)
    if improve and terminals.size > 2:
        found = search.lightest() if is_optimal else search.improved(edges)
        assert found is not None  # as terminals need not be leaves
        edges = found
    return SteinerTree(graph, terminals, edges, is_optimal=is_optimal and search.is_exact)


def _leaf_tree(graph: Graph, terminals: NDArray[np.int64], improve: bool) -> SteinerTree:
    """Find a Steiner tree, or several, in which each terminal is a leaf."""
    label = label_components(graph.n, graph.u, graph.v)[terminals]
    groups = [terminals[label == each] for each in np.unique(label)]
    search = Search(graph, terminals)
    is_optimal = improve and terminals.size > 2 and search.has_few_terminals and search.is_exact
    if is_optimal and (found := search.lightest(leaves=True)) is not None:
        return SteinerTree(graph, terminals, found, has_leaves=True, is_optimal=True)
    edges = [
        _with_leaves(graph, group, improve) if group.size > 2 else find_tree(graph, group).edges
        for group in groups
    ]
    found = np.sort(np.concatenate([*edges, np.empty(0, np.int64)]))
    return SteinerTree(graph, terminals, found, has_leaves=True)


def _with_leaves(graph: Graph, terminals: NDArray[np.int64], improve: bool) -> NDArray[np.int64]:
    """Return the edges of a light tree in which three terminals or more are leaves.

    Without the terminals, the tree is in a component that has edges to all of them. The terminals are
    attached to the tree of its vertices where a tree enters them that may go through terminals.
    """
    n, u, v, w = graph.n, graph.u, graph.v, graph.w
    is_terminal = np.isin(np.arange(n), terminals)
    inner = np.flatnonzero(~is_terminal[u] & ~is_terminal[v])
    link = np.flatnonzero(is_terminal[u] ^ is_terminal[v])
    label = label_components(n, u[inner], v[inner])
    terminal, end = np.where(is_terminal[u[link]], (u[link], v[link]), (v[link], u[link])).astype(np.int64)
    linked = np.unique(np.column_stack([label[end], terminal]), axis=0)
    found, count = np.unique(linked[:, 0], return_counts=True)
    if count.max(initial=0) < terminals.size:
        best = linked[linked[:, 0] == found[count.argmax()], 1] if count.size else terminals[:1]
        apart = graph.shown_id(np.setdiff1d(terminals, best)).tolist()
        raise GraphError(
            f"{argument('leaves')}: the terminals {shown(apart)} are connected with the others through "
            "terminals alone; leave them out, or let paths go through terminals"
        )

    def within(edges: NDArray[np.int64], ends: NDArray[np.int64], improve: bool) -> NDArray[np.int64]:
        return edges[find_tree(Graph(n, u[edges], v[edges], w[edges]), ends, improve).edges]

    free = find_tree(graph, terminals, improve).edges  # perhaps its terminals are leaves
    degree = np.bincount(np.concatenate([u[free], v[free]]).astype(np.int64), minlength=n)
    trees = [free] if (degree[terminals] == 1).all() else []
    for component in found[count == terminals.size]:
        inside, here = inner[label[u[inner]] == component], label[end] == component
        ends = end[here & np.isin(link, within(np.concatenate([inside, link[here]]), terminals, False))]
        for is_last in False, True:
            ends = np.unique(ends)
            tree = within(inside, ends, improve and is_last)
            near = np.flatnonzero(here & np.isin(end, np.concatenate([ends, u[tree], v[tree]])))
            near = near[np.lexsort((link[near], w[link[near]], terminal[near]))]
            near = near[np.unique(terminal[near], return_index=True)[1]]
            ends = end[near]
        trees.append(within(np.concatenate([tree, link[near]]), terminals, False))
    return min(trees, key=lambda tree: partial_sum(w[tree]))


class Search:
    """Steiner trees of one graph, through further vertices that are taken as terminals."""

    def __init__(self, graph: Graph, terminals: NDArray[np.int64]):
        self.graph, self.terminals, n = graph, terminals, graph.n
        self._w, self._unreached = _lengths(graph, terminals)
        self._lists = adjacency(n, graph.u, graph.v)
        self._lengths = self._w[self._lists.edge]
        slots, ids = 2 * graph.m + n, vertex_dtype(n)
        self._heap = np.empty(slots, np.uint64), np.empty(slots, ids), np.empty(slots, np.int64)

    def tree(self, through: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the edges of a light tree of the terminals and further vertices, without useless leaves."""
        n, u, v = self.graph.n, self.graph.u, self.graph.v
        ends = np.unique(np.concatenate([self.terminals, through]))
        distance, region, last_slot = self._regions(ends)
        one, other = region[u], region[v]
        between = np.flatnonzero((one != other) & (one < ends.size) & (other < ends.size))
        lengths = distance[u[between]] + self._w[between] + distance[v[between]]
        joined = solve_graph(Graph(ends.size, one[between], other[between], lengths)).edges
        is_used = np.zeros(n, bool)
        is_used[self.terminals] = True
        _mark_paths(u, v, self._lists.edge, between[joined], last_slot, is_used)
        subgraph, inside, number = subgraph_of(self.graph, is_used)
        return inside[_connecting_edges(subgraph, number[self.terminals])]

    def with_paths(self, inside: NDArray[np.bool_], prizes: NDArray[Any]) -> NDArray[np.bool_]:
        """Add the shortest paths from a tree to the vertices whose prizes are larger than their lengths."""
        distance, _, last_slot = self._regions(np.flatnonzero(inside))
        joined = ~inside & (prizes > distance) & (distance < self._unreached)
        edge, inside = self._lists.edge, inside.copy()
        _mark_paths(self.graph.u, self.graph.v, edge, edge[last_slot[joined]], last_slot, inside)
        return inside

    @property
    def is_exact(self) -> bool:
        """Whether integer lengths are summed exactly; sums of floats are rounded."""
        return self._w.dtype.kind == "i" or self.graph.dtype.kind == "f"

    @property
    def has_few_terminals(self) -> bool:
        """Whether the lightest tree can be found within the bound of the work."""
        t, n, m = self.terminals.size, self.graph.n, self.graph.m
        return t < 20 and 2**t * 2 * (n + m) + 3 ** (t - 1) * n // 2 <= WORK

    def lightest(self, leaves: bool = False) -> NDArray[np.int64] | None:
        """Return the edges of the lightest tree of the terminals, or of those in each component.

        It is None if terminals must be leaves, and cannot be.
        """
        graph = self.graph
        label = label_components(graph.n, graph.u, graph.v)[self.terminals]
        found = list[NDArray[np.int64]]()
        for each in np.unique(label):
            group = self.terminals[label == each]
            if (of_group := self._lightest_of(group, leaves and group.size > 2)) is None:
                return None
            found.append(of_group)
        edges = np.unique(np.concatenate(found))
        forest = Graph(graph.n, graph.u[edges], graph.v[edges], graph.w[edges])
        return edges[_connecting_edges(forest, self.terminals)]  # edges of weight 0 may close cycles

    def _lightest_of(self, terminals: NDArray[np.int64], leaves: bool) -> NDArray[np.int64] | None:
        """Return the edges of the lightest tree of terminals in one component.

        The row of a set has, for each vertex, the weight of the lightest tree of it and the terminals of the
        set. Trees of two parts of the set meet somewhere, and a path leads on to the vertex: the last slot of
        this path and one of the parts are stored.
        """
        tail = np.repeat(np.arange(self.graph.n), np.diff(self._lists.offsets))
        is_inner = np.full(self.graph.n, True)
        is_inner[terminals] = not leaves
        (root, *others), sets = terminals.tolist(), np.arange(1 << (terminals.size - 1))
        least = np.full((sets.size, self.graph.n), self._unreached, self._w.dtype)
        last_slot, part = np.full(least.shape, -1), np.zeros(least.shape, np.int32)
        for s in range(1, sets.size):
            parts = sets[1:s][(sets[1:s] & ~s == 0) & (sets[1:s] & s & -s > 0)]
            if parts.size:
                joined = least[parts] + least[s ^ parts]
                best = joined.argmin(axis=0)
                part[s] = parts[best]
                row = np.minimum(joined[best, np.arange(self.graph.n)], self._unreached)
                row[~is_inner] = self._unreached
                is_open = is_inner[tail]
            else:
                row, first = least[s], others[s.bit_length() - 1]
                row[first] = 0
                is_open = is_inner[tail] | (tail == first)
            lengths = np.where(is_open, self._lengths, self._unreached)
            least[s], _, last_slot[s] = self._regions(np.flatnonzero(row < self._unreached), row, lengths)
        if others and least[-1, root] >= self._unreached:
            return None
        edges, trees = [], [(sets.size - 1, root)]
        while trees:
            s, x = trees.pop()
            while (slot := last_slot[s, x]) >= 0:
                edges.append(self._lists.edge[slot])
                x = int(self.graph.u[edges[-1]]) + int(self.graph.v[edges[-1]]) - x
            if s & (s - 1):
                trees += [(part[s, x], x), (s ^ part[s, x], x)]
        return np.array(edges, np.int64)

    def improved(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Look for a lighter tree, first through the branches of a tree, then in the part that is near it."""
        graph = self.graph
        for _ in range(min(TRIES, WORK // (4 * max(graph.m + graph.n, 1)))):
            found = self.tree(self._branches(edges))
            if partial_sum(graph.w[found]) >= partial_sum(graph.w[edges]):
                break
            edges = found
        is_end = np.zeros(graph.n, bool)
        is_end[self.terminals] = is_end[graph.u[edges]] = is_end[graph.v[edges]] = True
        distance, _, _ = self._regions(np.flatnonzero(is_end))
        nearest = np.lexsort((distance, ~is_end))
        size = np.cumsum(1 + np.diff(self._lists.offsets)[nearest] // 2)
        is_near = is_end.copy()
        is_near[nearest[: np.searchsorted(size, NEAR)]] = True
        subgraph, inside, number = subgraph_of(graph, is_near)
        return inside[Search(subgraph, number[self.terminals])._descend(np.searchsorted(inside, edges))]

    def _regions(
        self,
        ends: NDArray[np.int64],
        distance: NDArray[Any] | None = None,
        lengths: NDArray[Any] | None = None,
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]:
        """Return the distance of each vertex to the nearest end, this end, and the last slot of the path.

        By default the distances of the ends are 0, and the lengths of slots are those of their edges.
        """
        n, last_slot = self.graph.n, np.full(self.graph.n, -1)
        lengths = self._lengths if lengths is None else lengths
        if distance is None:
            distance = np.full(n, self._unreached, self._w.dtype)
            distance[ends] = 0
        region = np.full(n, ends.size, vertex_dtype(ends.size + 1))
        offsets, neighbour, _ = self._lists
        heads, bits = np.full(64, -1), distance.view(np.uint64)
        _find_regions(offsets, neighbour, lengths, ends, distance, bits, region, last_slot, self._heap, heads)
        return distance, region, last_slot

    def _descend(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Take vertices as terminals, or no longer, as long as the tree becomes lighter."""
        graph = self.graph
        least, rng = partial_sum(graph.w[edges]), np.random.default_rng(0)
        tries = min(TRIES, WORK // max(graph.m + graph.n, 1))
        while True:
            for candidate in islice(self._moves(edges, self._branches(edges), rng), tries):
                tries -= 1
                found = self.tree(candidate)
                weight = partial_sum(graph.w[found])
                if weight < least:
                    edges, least = found, weight
                    break
            else:
                return edges

    def _branches(self, edges: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the vertices where a tree branches, other than terminals."""
        vertices, degree = np.unique(
            np.concatenate([self.graph.u[edges], self.graph.v[edges]]), return_counts=True
        )
        return np.setdiff1d(vertices[degree > 2].astype(np.int64), self.terminals)

    def _moves(
        self, edges: NDArray[np.int64], branches: NDArray[np.int64], rng: np.random.Generator
    ) -> Iterator[NDArray[np.int64]]:
        """Yield sets of vertices to try: the branches, with one more vertex near the tree or one less."""
        yield branches
        near = np.zeros(self.graph.n, bool)
        near[self.graph.u[edges]] = near[self.graph.v[edges]] = True
        touching = near[self.graph.u] | near[self.graph.v]
        around = np.unique(np.concatenate([self.graph.u[touching], self.graph.v[touching]]).astype(np.int64))
        more = np.setdiff1d(around, np.concatenate([self.terminals, branches]))
        moves = [(x, True) for x in more.tolist()] + [(x, False) for x in branches.tolist()]
        for i in rng.permutation(len(moves)).tolist():
            x, is_new = moves[i]
            yield np.append(branches, x) if is_new else branches[branches != x]


def _lengths(graph: Graph, terminals: NDArray[np.int64]) -> tuple[NDArray[Any], Any]:
    """Return lengths of edges whose sums do not overflow, and one beyond the lengths of all useful paths.

    If they may overflow, the part of the minimum spanning forest between terminals gives bounds: the lightest
    tree has no heavier path, and its heaviest edge is not lighter.
    """
    graph = Graph(graph.n, graph.u, graph.v, graph.w)  # without names, which terminals are not
    w, heaviest = graph.w, graph.w.max(initial=0)
    if graph.dtype.kind == "f":
        if w.dtype.itemsize <= 8 and float(heaviest) <= np.finfo(np.float64).max / (4 * graph.m + 4):
            return w.astype(np.float64), np.inf
        useful = w[_connecting_edges(graph, terminals)].max(initial=0)
        if useful == 0:
            return np.where(w > 0, np.inf, 0.0), np.inf
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(w, SCALE - np.frexp(useful)[1]).astype(np.float64), np.inf
    if int(heaviest) * graph.m < LONGEST:
        return w.astype(np.int64), LONGEST
    beyond = int(exact_sum(w[_connecting_edges(graph, terminals)])) + 1
    if beyond < LONGEST:
        return np.minimum(w, w.dtype.type(min(beyond, int(heaviest)))).astype(np.int64), beyond
    return w.astype(np.float64), np.inf


def _connecting_edges(graph: Graph, terminals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the edges of the minimum spanning forest between terminals, ascending."""
    forest = Forest(graph, solve_graph(graph).edges)
    rooted = forest.rooted(terminals[np.unique(forest.labels[terminals], return_index=True)[1]])
    held = rooted.subtree(np.isin(np.arange(graph.n), terminals))
    return np.sort(rooted.parent_edge[(held > 0) & (rooted.parent >= 0)])


@kernel
def _find_regions(offsets, neighbour, length, terminals, distance, bits, region, last_slot, heap, heads):
    """Find the nearest terminal of each vertex, and the slot of the last edge of a shortest path (Dijkstra).

    ``bits`` are the bits of ``distance``, which has the distances at which the terminals begin.
    """
    keys, nodes, following = heap
    filled, last, size = np.uint64(0), np.uint64(0), np.uint64(0)
    for t in range(terminals.size):
        x = terminals[t]
        region[x] = t
        keys[size], nodes[size] = bits[x], x
        filled = insert(keys, following, heads, filled, size, last)
        size += ONE
    while filled:
        slot, filled, last = remove_first(keys, nodes, bits, following, heads, filled, last)
        if slot < 0:
            continue
        x = np.uint64(nodes[slot])
        d = distance[x]
        for k in range(np.uint64(offsets[x]), np.uint64(offsets[x + ONE])):
            y, reach = np.uint64(neighbour[k]), d + length[k]
            if reach < distance[y]:
                distance[y], region[y], last_slot[y] = reach, region[x], k
                keys[size], nodes[size] = bits[y], y
                filled = insert(keys, following, heads, filled, size, last)
                size += ONE


@kernel
def _mark_paths(u, v, edge, edges, last_slot, is_used):
    """Mark the vertices on the paths from both ends of edges to their terminals."""
    for k in range(edges.size):
        i = edges[k]
        for end in (u[i], v[i]):
            x = np.int64(end)
            while not is_used[x]:
                is_used[x] = True
                if last_slot[x] < 0:
                    break
                j = edge[last_slot[x]]
                x = np.int64(u[j]) + np.int64(v[j]) - x
