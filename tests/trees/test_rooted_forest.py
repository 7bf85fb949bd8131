"""Rooted forests against NetworkX."""

import math

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import GraphError, GraphTypeError, GraphWarning, OptionError, generators
from tests.strategies import graphs


def tree_of(forest):
    g = networkx.Graph()
    g.add_nodes_from(range(forest.n))
    edges = zip(forest.u.tolist(), forest.v.tolist(), forest.w.tolist(), strict=True)
    g.add_weighted_edges_from(edges)
    return g


@given(graphs(9, 20, [np.dtype("i2"), np.dtype("f4")]), st.data())
def test_trees_are_those_of_networkx(graph, data):
    forest = boruvka.minimum_spanning_forest(graph)
    wanted = data.draw(st.none() | st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=3, unique=True))
    if wanted is not None:
        wanted = list({forest.labels[x]: x for x in wanted}.values())
    tree, g = forest.rooted(wanted), tree_of(forest)
    roots = tree.roots.tolist()
    assert set(wanted or ()) <= set(roots)
    assert len(roots) == forest.n_components
    place = np.argsort(tree.order)
    values = np.array(data.draw(st.lists(st.integers(-4, 4), min_size=graph.n, max_size=graph.n)))
    for root in roots:
        parents = {b: a for a, b in networkx.bfs_edges(g, root)}
        below = networkx.bfs_tree(g, root)
        for x in networkx.node_connected_component(g, root):
            assert tree.parent[x] == parents.get(x, -1)
            path = networkx.shortest_path(g, root, x)
            assert tree.depths[x] == len(path) - 1
            under = [x, *networkx.descendants(below, x)]
            for name, of in ("sum", np.sum), ("product", np.prod), ("min", np.min), ("max", np.max):
                assert tree.from_root(values, name)[x] == of(values[path])
                assert tree.subtree(values, name)[x] == of(values[under])
            assert (x in tree.leaves) == (len(under) == 1)
            if x != root:
                edge = tree.parent_edge[x]
                assert {graph.u[edge], graph.v[edge]} == {x, tree.parent[x]}
                assert place[tree.parent[x]] < place[x]
            else:
                assert tree.parent_edge[x] == -1


@given(graphs(9, 20, [np.dtype("u1"), np.dtype("f8")]), st.booleans())
def test_the_longest_path(graph, weighted):
    graph = boruvka.Graph(graph.n, graph.u, graph.v, np.clip(np.abs(graph.w), 0, 1e9))
    forest = boruvka.minimum_spanning_forest(graph)
    lengths = dict(
        networkx.all_pairs_dijkstra_path_length(tree_of(forest), weight="weight" if weighted else None)
    )
    expected = max(max(of.values()) for of in lengths.values())
    found = forest.rooted().diameter(weighted=weighted)
    assert found.length == pytest.approx(expected)
    a, b = found.ends
    assert lengths[a][b] == pytest.approx(expected)


def test_distances_names_and_several_columns():
    graph = boruvka.as_graph([("b", "a", 2.5), ("b", "c", 1.0), ("d", "e", 4.0)])
    tree = boruvka.minimum_spanning_forest(graph).rooted("a")
    names = graph.names.tolist()
    assert dict(zip(names, tree.distances.tolist(), strict=True)) == {
        "a": 0,
        "b": 2.5,
        "c": 3.5,
        **dict.fromkeys("de", math.inf),
    }
    assert names[tree.parent[names.index("c")]] == "b"
    assert tree.diameter() == (4.0, ("d", "e")) or tree.diameter().length == 4.0
    both = tree.subtree(np.ones((5, 2)))
    assert both[names.index("a")].tolist() == [3, 3]
    assert "roots=2" in repr(tree)
    assert set(boruvka.minimum_spanning_forest(graph).rooted(["c", "e"]).roots) == {
        names.index("c"),
        names.index("e"),
    }


def test_a_long_path():
    n = 200_000
    forest = boruvka.minimum_spanning_forest(generators.path(n, weights="constant"))
    tree = forest.rooted(n // 2)
    assert tree.depths.max() == n // 2
    assert tree.diameter(weighted=False).length == n - 1


def test_errors():
    forest = boruvka.minimum_spanning_forest(([0, 2], [1, 3], [-1, 2]))
    with pytest.raises(GraphError, match="root has two vertices of one tree"):
        forest.rooted([0, 1])
    with pytest.raises(GraphError, match="root"):
        forest.rooted(7)
    with pytest.raises(GraphError, match="a weight is negative: diameter"):
        forest.rooted().diameter()
    with pytest.raises(OptionError, match="operation must be"):
        forest.rooted().subtree([1, 2, 3, 4], "mean")
    with pytest.raises(GraphError, match="a value for each of the 4 vertices, got 2"):
        forest.rooted().subtree([1, 2])
    with pytest.raises(GraphTypeError, match="values must be numbers"):
        forest.rooted().from_root(["a"] * 4)
    with pytest.raises(GraphError, match="without vertices"):
        boruvka.minimum_spanning_forest(boruvka.Graph(0, [], [], [])).rooted().diameter()


DTYPES = [
    np.dtype(name) for name in ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">i8")
]


def values_of(dtype):
    """Small and extreme values of a type."""
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind == "f":
        largest = float(np.finfo(dtype).max)
        return st.sampled_from([0.0, 1.0, -2.5, 0.25, math.nan, math.inf, -math.inf, largest, -largest])
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return st.one_of(
        st.integers(max(low, -3), 3), st.integers(low, high), st.sampled_from([low, high, high // 2])
    )


def combined(operation, values):
    """Combine Python numbers in their order; NaN is the result if it is one of them."""
    if operation in ("min", "max") and any(x != x for x in values):
        return math.nan
    if operation in ("sum", "product"):
        result = values[0]
        for x in values[1:]:
            result = result + x if operation == "sum" else result * x
        return result
    return min(values) if operation == "min" else max(values)


@given(st.data(), st.sampled_from(DTYPES), st.sampled_from(["sum", "product", "min", "max"]))
def test_every_type_is_exact_or_refused(data, dtype, operation):
    """Against a walk with the integers of Python; sums of floats may differ by their order."""
    graph = data.draw(graphs(8, 14, [np.dtype("i2")]))
    tree = boruvka.minimum_spanning_forest(graph).rooted()
    values = np.array(data.draw(st.lists(values_of(dtype), min_size=graph.n, max_size=graph.n)), dtype)
    kept = np.dtype("f8" if dtype.kind == "f" else "u8" if dtype == np.uint64 else "i8")
    items = [float(x) if dtype.kind == "f" else int(x) for x in values.tolist()]
    to_root = []
    for x in range(graph.n):
        path = [x]
        while tree.parent[path[-1]] >= 0:
            path.append(int(tree.parent[path[-1]]))
        to_root.append(path)
    below = [[y for y in range(graph.n) if x in to_root[y]] for x in range(graph.n)]
    for query, vertices in (tree.from_root, to_root), (tree.subtree, below):
        expected = [combined(operation, [items[y] for y in some]) for some in vertices]
        if kept.kind == "f":
            with np.errstate(all="ignore"):
                found = query(values, operation)
            assert found.dtype == kept
            is_cancelled = operation == "sum" and dtype == np.float64  # the largest numbers, in another order
            if not is_cancelled:
                assert np.array_equal(found, expected, equal_nan=True)
            continue
        if np.iinfo(kept).min <= min(expected) and max(expected) <= np.iinfo(kept).max:
            found = query(values, operation)
            assert found.dtype == kept
            assert found.tolist() == expected
        else:
            with pytest.raises(GraphError, match=f"the {operation} at vertex .* does not fit {kept}"):
                query(values, operation)


@pytest.mark.parametrize("place", range(4))
def test_nan_wherever_it_is(place):
    tree = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [1, 2, 3])).rooted(0)
    values = np.array([3.0, 1.0, 2.0, 0.0])
    values[place] = np.nan
    for operation in "sum", "product", "min", "max":
        assert np.isnan(tree.subtree(values, operation)).tolist() == [x <= place for x in range(4)]
        assert np.isnan(tree.from_root(values, operation)).tolist() == [x >= place for x in range(4)]


def test_a_warning_of_values_that_are_missing():
    tree = boruvka.minimum_spanning_forest([("a", "b", 1), ("b", "c", 2)]).rooted("a")
    values = {"a": 1.0, "b": math.nan, "c": 3.0}
    with pytest.warns(GraphWarning, match=r"^1 vertices have no value, .*: \['b'\]; fillna\(0\) leaves"):
        assert np.isnan(tree.subtree(values)).tolist() == [True, True, False]
    assert tree.subtree(values | {"b": 0.0}).tolist() == [4, 3, 3]


def test_long_doubles_are_not_rounded():
    tree = boruvka.minimum_spanning_forest(([0], [1], [1])).rooted(0)
    assert tree.subtree(np.array([0.5, 2], np.longdouble)).tolist() == [2.5, 2.0]
    if np.finfo(np.longdouble).eps < np.finfo(float).eps:
        with pytest.raises(GraphError, match="no exact float64"):
            tree.subtree(np.array([0.5, np.longdouble(1) + np.finfo(np.longdouble).eps]))
