"""Verification of a minimum spanning forest, independent of the solvers.

Trees are merged along the edges of the forest, in order, which shows that they close no cycle, and finds the
heaviest edge on a path (`boruvka.verification.merge_trees`). The forest is minimum exactly if every edge
outside it connects two vertices of one tree, and comes after the heaviest edge on the path between them in
the order (weight, index) (cycle property). Every edge is checked (`boruvka.verification.edges`); of many
points, edges between distant regions are checked together (`boruvka.verification.points`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.columns import is_number, list_column, read_column, read_numbers
from boruvka.graph.derived_graphs import MaskedGraph
from boruvka.graph.edge_lookup import ROW, NoSuchEdge, find_edges, find_entries
from boruvka.graph.graph import DistanceGraph, Graph, inf_advice, to_host
from boruvka.graph.labels import in_edge_order, is_numbering, is_pandas, is_table
from boruvka.graph.names import ends_text
from boruvka.graph.no_values import is_none
from boruvka.graph.points.point_index import tree_pays
from boruvka.graph.validation import best_first, check_maximum, first_entries, read_vertices
from boruvka.interop.as_graph import as_graph, as_part_of_graph, options_like
from boruvka.runtime.arguments import flag
from boruvka.runtime.processors import thread_count
from boruvka.runtime.progress import Listener, listening, report
from boruvka.verification.edges import find_better_edge
from boruvka.verification.merge_trees import MergeTrees, merge_trees

NO_EDGES = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a verification, true in a condition if the forest is right.

    Attributes
    ----------
    ok : bool
        Whether the edges are the minimum spanning forest in the order (weight, index), which is unique.
    message : str
        Text for people: the fault, with a witness, such as an edge that the graph does not have; or that the
        forest is right.
    edge : int or None
        The edge that is wrong: it does not exist, is twice in the forest, closes a cycle, joins two trees,
        or precedes an edge on the path between its ends.
    replaced_edge : int or None
        The edge on that path, which is heavier, or as heavy with a larger index.
    is_minimum : bool
        Whether the edges are a minimum spanning forest: that one, or another of the same weight.
    """

    ok: bool
    message: str
    edge: int | None = None
    replaced_edge: int | None = None
    is_minimum: bool = False

    def __bool__(self) -> bool:
        return self.ok

    def _repr_html_(self) -> str:
        """Return a table for a notebook."""
        from boruvka.runtime.html import fields_table, text

        other = "another minimum spanning forest" if self.is_minimum else "wrong"
        result = "✓ right" if self.ok else f"✗ {other}"
        return fields_table("Verification", [("result", result), ("message", text(self.message))])


def verify(
    graph: Any,
    forest: Any,
    *,
    maximum: bool | None = None,
    threads: int | None = None,
    progress: bool | Listener = False,
) -> Verification:
    """Verify that a forest is the minimum spanning forest of a graph, in O(m + n log n).

    Points of a metric that a kd-tree can search take about O(n log n) if they have few coordinates.

    Parameters
    ----------
    graph : Graph, or what `minimum_spanning_forest` takes
        The graph.
    forest : Forest, (f,) array_like of integers, or edges
        The forest, or the indices of its edges in the graph; a mask of m booleans; or its edges in any form
        that `as_graph` takes, such as a tree of NetworkX or SciPy. Rows (u, v, weight) may also be in a set
        or an iterator, and have no weights: ``{("A", "B")}``; so may a graph of NetworkX, a frame of two
        columns, two rows of ends, and a dict of lists of neighbours. A dict, a Series with labels or rows
        (vertex, parent) may have parents, where a root has None, NaN, ``""``, ``"-"``, -1, -9999 or, in a
        dict, itself. If all entries of a matrix, or all weights of a graph, are 1 and not the weights of
        these edges, they only say which edges are in it. Weights tell parallel edges apart. Of a `Forest`,
        edges that `Forest.update` has removed or that were excluded do not count, and required edges must be
        in it: no other forest that obeys may be better.
    maximum : bool, optional
        Verify a maximum spanning forest; by default what the forest claims to be, else False.
    threads : int, optional
        Number of threads; by default one for each core.
    progress : bool or callable
        True shows a progress bar, on a terminal or in a notebook, after half a second. A callable receives
        each `Progress` event in this thread; an exception that it raises stops the work.

    Returns
    -------
    Verification
        True in a condition if the forest is right; otherwise its message names a witness. Of several minimum
        spanning forests one is right, by the indices of edges; ``is_minimum`` is true for all.

    Raises
    ------
    GraphTypeError
        The forest is none of these.
    OptionError
        threads is not positive.
    GraphError
        An end of an edge is not a vertex; an edge is one of several between its ends, or its weight differs
        by rounding; or a list has the parents of vertices; or a form has two readings. Or
        points have no distances, because a coordinate is NaN, for example. They are checked again, because
        their array may have changed.

    Examples
    --------
    >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3])
    >>> bool(verify(graph, [0, 1]))
    True
    >>> verify(graph, [0, 2]).message
    'edge 1 (1, 2) with weight 2 is lighter than edge 2 (2, 0) with weight 3 on the path between its ends'
    >>> result = verify(Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 1, 1]), [0, 2])
    >>> result.ok, result.is_minimum
    (False, True)
    """
    graph = to_host(as_graph(graph))
    found = forest if is_forest(forest) and _has_same_edges(graph, forest) else None
    stated = forest.annotations.written_as if isinstance(forest, Graph) else ("", None)
    claimed = is_forest(forest) and getattr(forest, "maximum", False)  # SciPy has a method of this name
    removed, required = (getattr(found, name, NO_EDGES) for name in ("removed", "required"))
    if removed.size:
        graph = MaskedGraph(graph, removed[removed < graph.m])
    maximum = flag("maximum", claimed or bool(stated[1]) if maximum is None else maximum)
    check_maximum(stated, maximum)
    try:
        edges = _sorted_indices(graph, forest, maximum, found is not None)
    except NoSuchEdge as error:
        return Verification(False, str(error))
    count = thread_count(threads)
    with listening(progress):
        report("verify", 0, graph.m, "edges")
        wrong = _find_invalid_edge(graph, edges)
        if wrong is None:
            wrong = _find_wrong_edge(graph, edges.astype(np.int64, copy=False), required, maximum, count)
        if wrong is None:
            report("verify", graph.m, graph.m, "edges")
            return right_forest(graph.n, edges.size, maximum, required.size, removed.size)
    return wrong


def is_forest(found: Any) -> bool:
    """Return whether this claims to be a forest of a graph; a Steiner tree and an arborescence do not."""
    claims = hasattr(type(found), "is_optimal")  # a `Forest` of a user asks `verify`
    return claims and hasattr(found, "edges") and not hasattr(found, "terminals")


def graph_and_edges(graph: Any, forest: Any, maximum: bool) -> tuple[Graph, NDArray[Any]]:
    """Return a graph, and the indices of the edges of a forest, ascending, both on the host."""
    graph = to_host(as_graph(graph))
    is_known = is_forest(forest) and _has_same_edges(graph, forest)
    return graph, _sorted_indices(graph, forest, maximum, is_known)


def _sorted_indices(graph: Graph, forest: Any, maximum: bool, is_known: bool) -> NDArray[Any]:
    edges: NDArray[Any] = on_host(forest.edges) if is_known else _read_tree(graph, forest, maximum)
    if edges.size == 0:
        edges = np.empty(0, np.int64)
    if edges.dtype == bool and edges.shape == (graph.m,):
        edges = np.flatnonzero(edges)
    if edges.ndim != 1 or edges.dtype.kind not in "iu":
        raise GraphTypeError(
            f"a forest is a Forest, the indices of its edges, a mask of {graph.m} booleans, a dict of "
            f"parents, boruvka.read(path) of a file, or its edges, such as "
            f"[('A', 'B')] or [tuple(x) for x in edges] (of 'A-B', x.split('-')), not an array of "
            f"{edges.dtype} with shape {edges.shape}"
        )
    return np.sort(edges, kind="stable")  # fast if they ascend already


def _read_tree(graph: Graph, tree: Any, maximum: bool) -> NDArray[Any]:
    """Return the indices of the edges of a tree, or the mask or other array that was given.

    A form without weights becomes pairs of ends. A graph, a table or a matrix is read by `as_graph`; rows of
    edges, indices and masks are read by `in_edge_order`.
    """
    if hasattr(tree, "parent_edge") or (hasattr(tree, "terminals") and not isinstance(tree, Graph)):
        raise GraphTypeError(
            "verify is for spanning forests: an arborescence has tree.verify(), a Steiner tree tree.gap"
        )
    given = tree
    if not is_forest(tree):
        tree = _pairs_of_columns(graph, _without_weights(graph, tree), maximum)
    if is_forest(tree) or _is_graph(graph, tree):
        return _edges_of(graph, tree, maximum)
    are_rows = is_table(given) or not (isinstance(given, Mapping | Set) or hasattr(given, "adj"))
    found = in_edge_order(graph, "forest" if are_rows else "the forest", tree, maximum)
    edges = read_numbers("the forest", found)
    if found is tree or isinstance(found, list):  # no rows of edges
        _refuse_parents(graph, edges)
        is_integer = edges.dtype.kind in "iu" and edges.size == graph.m > 2
        if is_integer and edges.min() == 0 and edges.max() == 1:
            raise GraphTypeError("a mask x has booleans, not 0 and 1: write numpy.array(x, bool)")
    return edges


def _without_weights(graph: Graph, tree: Any) -> Any:
    """Return the ends of the edges of a graph, table, rows or dict without weights; others as they are."""
    if is_table(tree) and len(tree.columns) == 2:
        tree = list(zip(*(list_column(read_column("forest", tree[x])) for x in tree.columns), strict=True))
    elif hasattr(tree, "is_directed") and hasattr(tree, "adj"):  # of NetworkX
        return tree if any(found for *_, found in tree.edges(data=True)) else list(tree.edges())
    elif is_pandas(tree) and tree.ndim == 1:
        if tree.isna().any() or any(isinstance(x, str) for x in tree):
            tree = tree.to_dict()
        elif tree.dtype.kind in "iu" and not is_numbering(tree.index):
            ways = "parents, x.to_dict(), or indices of edges, x.to_numpy()"
            raise GraphError(f"a Series x with labels may have {ways}: write which")
    if isinstance(tree, list) and all(isinstance(row, list | tuple) and len(row) == 2 for row in tree):
        with suppress(TypeError):  # no names
            if _roots(graph, [x for _, x in tree]) and len(parents := dict(tree)) == len(tree):
                tree = parents
    if isinstance(tree, Mapping) and not isinstance(tree, Set):  # lists of neighbours, or parents
        pairs: list[tuple[Any, Any]] = []
        roots = _roots(graph, tree.values())
        for a, x in tree.items():
            if isinstance(x, list | tuple | Set):
                pairs += [(a, b) for b in x if b is not None]
            elif not isinstance(x, Hashable) or isinstance(x, bool | np.bool_) or x not in {*roots, a}:
                pairs.append((a, x))
        if all(isinstance(b, Hashable) and isinstance(a, tuple) == isinstance(b, tuple) for a, b in pairs):
            has_lists = any(isinstance(x, list | tuple | Set) for x in tree.values())  # from both ends
            return [*{frozenset(pair): pair for pair in pairs}.values()] if has_lists else pairs
    return tree


def _roots(graph: Graph, parents: Iterable[Any]) -> set[Any]:
    """Return the parents that stand for a missing parent and are not vertices; SciPy writes -9999."""
    found = {x for x in parents if isinstance(x, Hashable) and (is_none(x, "number") or x in (-1, -9999))}
    return found.difference(() if graph.names is None or not found else graph.names.tolist())


def _pairs_of_columns(graph: Graph, tree: Any, maximum: bool) -> Any:
    """Return the pairs of ends in two rows, as of an edge index; anything else as it is."""
    is_array = isinstance(tree, np.ndarray) and tree.ndim > 0
    is_pair = (is_array or isinstance(tree, tuple)) and len(tree) == 2 and graph.n > 2
    rows = [[*x] if isinstance(x, list | np.ndarray) else [] for x in tree] if is_pair else []
    if len({0, *map(len, rows)}) != 2 or [] in rows:
        return tree
    columns, fits = list(zip(*rows, strict=True)), []
    if len(columns) not in (2, 3):
        return columns
    for reading in rows, columns:  # two edges have two or three items, too
        with suppress(GraphError, GraphTypeError):
            fits.append((np.sort(in_edge_order(graph, "forest", reading, maximum)), reading))
    if not fits or not np.array_equal(fits[0][0], fits[-1][0]):
        ways = "two edges, [*map(list, x)], or the ends of edges, list(zip(*x))"
        raise GraphError(f"two rows x may be {ways}: write which")
    return fits[0][1]


def _refuse_parents(graph: Graph, edges: NDArray[Any]) -> None:
    """Raise an error for a list of the parent of each vertex: a forest has fewer edges than vertices."""
    parents = edges.tolist() if edges.shape == (graph.n,) else []
    numbers = {x for x in parents if is_number(x)} - {-1, -9999}
    has_root = any(x is None or x in (-1, -9999, vertex) for vertex, x in enumerate(parents))
    if has_root and 0 < len(numbers) < graph.n and numbers <= {*range(graph.n)}:
        way = "{vertex: parent}, as dict(enumerate(x)), or of names dict(zip(graph.names, x))"
        mask = "if it is a mask, write numpy.array(x, bool)"
        raise GraphError(f"the forest x may list parents: write {way}; {mask}")


def _is_graph(graph: Graph, tree: Any) -> bool:
    """Return whether the edges of a tree are given as a graph, a table, columns or a matrix are."""
    if isinstance(tree, tuple):
        sizes = {isinstance(row, tuple) and len(row) for row in tree}
        if len(tree) == 3 and sizes in ({2}, {3}):
            if not all(isinstance(x, Real) for x in tree[2]):
                return False  # rows, as names are no weights
            if sizes == {2} and all(isinstance(x, Real) for x in tree[0]):
                ways = "three edges, list(x), or u, v and w, list(zip(*x))"
                raise GraphError(f"three pairs may be {ways}: write which")
        columns = [hasattr(column, "__len__") and not isinstance(column, str) for column in tree[:3]]
        return len(tree) in (3, 4) and all(columns)
    rows = tree if isinstance(tree, list) and len(tree) == graph.n else []
    is_matrix = {isinstance(row, list) and len(row) for row in rows} == {graph.n}
    is_matrix |= getattr(tree, "shape", None) == (graph.n, graph.n)
    is_dict = isinstance(tree, Mapping) and not isinstance(tree, Set)  # as the edges of NetworkX are
    has_ends = is_dict or isinstance(tree, Graph) or is_table(tree) or hasattr(tree, "tocoo")
    return has_ends or is_matrix or callable(getattr(tree, "is_directed", None))  # of NetworkX or igraph


def _has_same_edges(graph: Graph, forest: Any) -> bool:
    """Return whether indices of a forest are equal edges in a graph and in its own, or are not in both."""
    other, edges = getattr(forest, "graph", graph), forest.edges
    if other is graph or other.is_on_device or not edges.size:
        return True
    if not 0 <= edges.min() <= edges.max() < min(graph.m, other.m):
        return True
    if graph.has_names != other.has_names:
        return False
    graphs = [x.base if isinstance(x, MaskedGraph) else x for x in (graph, other)]  # with removed edges
    rows = [x.take(edges) for x in graphs]
    if graph.has_names:
        rows = [(x.name_of(u), x.name_of(v), w) for x, (u, v, w) in zip(graphs, rows, strict=True)]
    return all(np.array_equal(a, b) for a, b in zip(*rows, strict=True))


def _edges_of(graph: Graph, found: Any, maximum: bool) -> NDArray[np.int64]:
    """Find the edges of another graph, or of a forest of it, by their ends; weights must agree."""
    is_graph = not is_forest(found)
    if getattr(getattr(found, "dtype", None), "kind", None) == "b":
        found = found.astype(np.uint8)
    tree = to_host(as_part_of_graph(found, **options_like(graph, found)) if is_graph else found.graph)
    edges = np.arange(tree.m) if is_graph else on_host(found.edges)
    w = tree.take(edges)[2]
    edges = edges[best_first(w, maximum)]  # of the entries (i, j) and (j, i) of a matrix, one is taken
    is_first = first_entries(tree, edges, *tree.take(edges)[:2]) == np.arange(edges.size)
    u, v, w = tree.take(np.sort(edges[is_first]))
    are_rows = isinstance(found, tuple) or is_table(found)
    find, name = (find_edges if are_rows or not is_graph else find_entries), ROW if are_rows else "the forest"
    try:
        a, b = (read_vertices(graph, name, tree.name_of(x)) for x in (u, v))
        return find(graph, name, a, b, w, maximum)
    except NoSuchEdge as error:
        if np.isinf(w).any() and (advice := inf_advice(tree, np.inf)):
            raise GraphError(f"{error}; entries of the matrix are inf{advice}") from None
        raise
    except GraphError as error:
        if tree.has_names or not graph.has_names:
            raise
        of_matrix = "boruvka.Graph.from_dense(x).with_names(graph.names) for a matrix in this order"
        raise GraphError(f"{error}; the forest has no names: write {of_matrix}") from None


def _find_invalid_edge(graph: Graph, edges: NDArray[Any]) -> Verification | None:
    """Find an edge that does not exist, or is listed twice."""
    for edge in edges[:1].tolist() + edges[-1:].tolist():
        if not 0 <= edge < graph.m:
            return no_such_edge(edge, graph.m)
    for gone in np.intersect1d(edges, graph.removed)[:1].tolist() if graph.removed.size else ():
        return Verification(False, f"there is no edge {gone}: it was removed", gone)
    twice = np.flatnonzero(edges[1:] == edges[:-1])
    return edge_twice(int(edges[twice[0]]), _ends(graph, edges[twice[0]])) if twice.size else None


def _find_wrong_edge(
    graph: Graph, edges: NDArray[np.int64], required: NDArray[np.int64], maximum: bool, threads: int
) -> Verification | None:
    """Find an edge that closes a cycle, joins two trees, or should replace another one."""
    compared = _comparable(graph)
    trees = merge_trees(graph.n, edges, *compared.take(edges), maximum)
    if not isinstance(trees, MergeTrees):
        return closed_cycle(int(edges[trees]), _ends(graph, edges[trees]))
    if required.size:
        for missing in np.setdiff1d(required, edges)[:1].tolist():
            lacks = Verification(False, f"edge {missing} is required, and not in the forest", missing)
            return lacks if missing < graph.m else no_such_edge(missing, graph.m)
        # Required edges are contracted: the other edges are the best forest of the contracted graph.
        compared, edges = _contracted(compared, required), np.setdiff1d(edges, required)
        trees = merge_trees(compared.n, edges, *compared.take(edges), maximum)
        assert isinstance(trees, MergeTrees)
    wrong = None
    for by_weight in False, True:  # where only ties are wrong, the forest is minimum, too
        if isinstance(compared, DistanceGraph) and not maximum and tree_pays(compared.pairs):
            from boruvka.verification.points import find_better_pair

            better = find_better_pair(compared, trees, threads, by_weight)
        else:
            better = find_better_edge(compared, trees, maximum, threads, by_weight)
        if better is None:
            return wrong
        wrong = _missing_edge(graph, *better, maximum)
        if not wrong.is_minimum:
            return wrong
    return wrong


def _contracted(graph: Graph, edges: NDArray[np.int64]) -> Graph:
    """Return the graph in which each tree that some edges form is one vertex."""
    u, v, w = graph.edges_in_range(0, graph.m)
    trees = merge_trees(graph.n, edges, *graph.take(edges), False)
    assert isinstance(trees, MergeTrees)
    roots, tree = np.unique(trees.roots(edges.size), return_inverse=True)
    return Graph(roots.size, tree[u], tree[v], w)


def _comparable(graph: Graph) -> Graph:
    """Replace long doubles, which Numba has no type for, by dense integers in the same order."""
    if graph.dtype.itemsize <= 8:
        return graph
    return Graph(graph.n, graph.u, graph.v, np.unique(graph.w, return_inverse=True)[1])


def _missing_edge(graph: Graph, edge: int, heavier: int, maximum: bool) -> Verification:
    if heavier < 0:
        return joined_trees(edge, _ends(graph, edge))
    weights = graph.take(np.array([edge, heavier]))[2]
    ends = _ends(graph, edge), _ends(graph, heavier)
    return better_edge((edge, heavier), ends, (weights[0], weights[1]), maximum)


def _ends(graph: Graph, edge: Any) -> str:
    u, v, _ = graph.take(np.array([edge], np.int64))
    return ends_text(graph.names, u[0], v[0], graph.first_id)


def edge_text(edge: int, ends: str) -> str:
    """Return an edge as results show it, with the text of its ends."""
    return f"edge {edge} {ends}"


def right_forest(n: int, size: int, maximum: bool, required: int = 0, removed: int = 0) -> Verification:
    """Return the result for a right forest of ``size`` edges."""
    kind, components = "maximum" if maximum else "minimum", n - size
    text = f"{components} component{'s' * (components != 1)}; every edge was checked"
    if required:
        text = f"the {required} that are required, and {text}"
    if removed:
        text += f", but for {removed} that are removed"
    edges = "1 edge is" if size == 1 else f"{size} edges are"
    return Verification(True, f"{edges} the {kind} spanning forest with {text}", is_minimum=True)


def no_such_edge(edge: int, m: int) -> Verification:
    """Return the result for an index beyond the m edges of the graph."""
    return Verification(False, f"there is no edge {edge}: the graph has {m} edges, from 0", edge)


def edge_twice(edge: int, ends: str) -> Verification:
    """Return the result for an edge that is listed twice."""
    return Verification(False, f"{edge_text(edge, ends)} is in the forest twice", edge)


def closed_cycle(edge: int, ends: str) -> Verification:
    """Return the result for an edge that closes a cycle of the forest."""
    return Verification(False, f"{edge_text(edge, ends)} of the forest closes a cycle", edge)


def joined_trees(edge: int, ends: str) -> Verification:
    """Return the result for an edge between two trees."""
    return Verification(False, f"{edge_text(edge, ends)} joins two trees: the forest does not span", edge)


def better_edge(
    edges: tuple[int, int], ends: tuple[str, str], weights: tuple[Any, Any], maximum: bool
) -> Verification:
    """Return the result for an edge that should replace the second one, which is heavier or as heavy."""
    first, second = map(edge_text, edges, ends)
    kind, lighter = ("maximum", "heavier") if maximum else ("minimum", "lighter")
    path = "on the path between its ends"
    if weights[0] == weights[1]:
        text = (
            f"it is a {kind} spanning forest too, but not the one by the order of edges: of equal weights, "
            f"the smaller index goes first, and {first} with weight {weights[0]} goes before {second} {path}"
        )
        return Verification(False, text, *edges, is_minimum=True)
    text = f"{first} with weight {weights[0]} is {lighter} than {second} with weight {weights[1]} {path}"
    return Verification(False, text, *edges)
