"""What is true of every result, whatever the graph: one function for each public type.

Each takes a result, raises an `AssertionError` unless all invariants hold, and returns it. The oracles
are `tests.oracles`, NetworkX and plain Python.
"""

import math
from fractions import Fraction
from itertools import pairwise

import networkx
import numpy as np

from boruvka.trees.acyclic_edges import AcyclicEdges
from tests import oracles


def exact(weights):
    """Return weights as numbers of Python that compare and add exactly; infinities stay floats."""
    numbers = weights.tolist()
    return [x if isinstance(x, int) or math.isinf(x) else Fraction(*x.as_integer_ratio()) for x in numbers]


def valid_graph(graph):
    """Check the arrays of a graph."""
    assert graph.u.size == graph.v.size == graph.w.size == graph.m
    for ends in graph.u, graph.v:
        assert ends.dtype == (np.uint32 if graph.n <= 2**32 else np.uint64)
        assert ends.max(initial=0) < max(graph.n, 1)
    assert graph.w.dtype == graph.dtype
    assert not (graph.dtype.kind == "f" and np.isnan(graph.w).any())
    assert graph.names is None or len(graph.names) == graph.n
    assert graph.removed.tolist() == sorted(set(graph.removed.tolist()))
    assert all(graph.u[graph.removed] == graph.v[graph.removed])
    return graph


def valid_tree(tree):
    """Check edges of a graph that close no cycle, and what they say of themselves."""
    graph, edges = tree.graph, tree.edges
    assert isinstance(tree, AcyclicEdges)
    assert edges.dtype == np.int64
    assert edges.tolist() == sorted(set(edges.tolist()))
    for found, column in zip((tree.u, tree.v, tree.w), graph.take(edges), strict=True):
        assert found.dtype == column.dtype
        assert found.tolist() == column.tolist()
        assert not found.flags.writeable
    assert oracles.is_forest(graph.n, graph.u, graph.v, edges)
    assert not np.isin(edges, graph.removed).any()
    assert len(tree) == edges.size == tree.edge_mask.sum()
    weights = exact(tree.w)
    if not any(map(math.isinf, weights)):
        total = sum(weights)
        assert tree.weight == (total if tree.w.dtype.kind != "f" else float_of(total))
    inside = tree.vertices.tolist()
    assert set(tree.u.tolist()) | set(tree.v.tolist()) <= set(inside)
    assert tree.n_components == len(inside) - len(tree)
    expected = oracles.components(graph.n, tree.u, tree.v)
    assert tree.labels[inside].tolist() == oracles.numbered([expected[x] for x in inside])
    assert (np.delete(tree.labels, inside) == -1).all()
    assert set(tree.required.tolist()) <= set(edges.tolist())
    return tree


def float_of(total):
    """Round an exact sum to float64; too large a sum is infinite."""
    try:
        return float(total)
    except OverflowError:
        return math.copysign(math.inf, total)


def valid_forest(forest):
    """Check that a forest spans its graph, and is the one of Kruskal's algorithm if it claims to be best."""
    valid_tree(forest)
    graph = forest.graph
    assert forest.vertices.tolist() == list(range(graph.n))
    assert forest.labels.tolist() == oracles.components(graph.n, graph.u, graph.v)
    if forest.is_optimal:
        columns = graph.u, graph.v, graph.w
        assert forest.edges.tolist() == oracles.kruskal(graph.n, *columns, forest.maximum, forest.required)
    return forest


def networkx_of(tree):
    """Return the edges of a tree as a NetworkX graph with exact weights."""
    g = networkx.Graph()
    g.add_nodes_from(range(tree.n))
    columns = tree.u.tolist(), tree.v.tolist(), exact(tree.w), tree.edges.tolist()
    g.add_edges_from((a, b, {"w": w, "edge": i}) for a, b, w, i in zip(*columns, strict=True))
    return g


def valid_rooted(rooted):
    """Check parents, order and depths of a rooted forest against NetworkX."""
    tree = rooted.forest
    g, parent = networkx_of(tree), rooted.parent.tolist()
    assert sorted(rooted.order.tolist()) == list(range(tree.n))
    position = np.argsort(rooted.order)
    assert all(p < 0 or position[p] < position[x] for x, p in enumerate(parent))
    assert sum(p >= 0 for p in parent) == len(tree)
    for x, p in enumerate(parent):
        edge = int(rooted.parent_edge[x])
        assert (edge < 0) == (p < 0)
        assert p < 0 or g.edges[x, p]["edge"] == edge
    roots = rooted.roots.tolist()
    assert roots == [x for x, p in enumerate(parent) if p < 0]
    assert len(roots) == tree.n_components
    depths = {}
    for root in roots:
        depths |= networkx.single_source_shortest_path_length(g, root)
    assert rooted.depths.tolist() == [depths[x] for x in range(tree.n)]
    assert rooted.leaves.tolist() == sorted(set(range(tree.n)) - set(parent))
    return rooted


def valid_bottlenecks(forest, us, vs, found):
    """Check the heaviest edge of each path, by walking it in NetworkX."""
    g, sign = networkx_of(forest), -1 if forest.maximum else 1
    pairs = zip(np.ravel(us).tolist(), np.ravel(vs).tolist(), np.ravel(found.edges).tolist(), strict=True)
    weights = np.ma.ravel(found.weights)
    for k, (a, b, edge) in enumerate(pairs):
        if a == b or not networkx.has_path(g, a, b):
            assert edge == -1
            assert np.ma.getmaskarray(weights)[k]
            continue
        path = networkx.shortest_path(g, a, b)
        steps = [g.edges[step] for step in pairwise(path)]
        heaviest = max(steps, key=lambda step: (sign * step["w"], step["edge"]))
        assert edge == heaviest["edge"]
        assert weights[k] == forest.graph.w[edge]
    return found


def valid_cuts(forest, cuts):
    """Check the clusters at each height: components of the edges that are not heavier."""
    sign, weights = -1 if forest.maximum else 1, exact(forest.w)
    assert len(cuts) == len(cuts.heights) == len(cuts.labels)
    for k, height in enumerate(cuts.heights):
        has_parts = hasattr(height, "as_integer_ratio") and not math.isinf(height)
        limit = Fraction(*height.as_integer_ratio()) if has_parts else height
        kept = [i for i, w in enumerate(weights) if sign * w <= sign * limit]
        labels = oracles.components(forest.n, forest.u[kept], forest.v[kept])
        assert cuts[k].tolist() == cuts.labels[k].tolist() == forest.cut_at(height).tolist() == labels
        assert cuts.sizes[k].tolist() == np.bincount(labels, minlength=cuts.n_clusters[k]).tolist()
        assert cuts.n_clusters[k] == max(labels, default=-1) + 1
    return cuts


def valid_branches(forest, found):
    """Check that branches are maximal paths whose inner vertices have two edges, by walking them."""
    g, index = networkx_of(forest), forest.edges.tolist()
    weights = forest.w.astype(np.float64).tolist()
    number = {
        name: x for x, name in enumerate(np.asarray(forest.graph.name_of(np.arange(forest.n))).tolist())
    }
    assert sorted(found.edges.tolist()) == index
    assert (found.offsets[0], found.offsets[-1]) == (0, len(index))
    assert (np.diff(found.offsets) > 0).all()
    ends = zip(found.source.tolist(), found.target.tolist(), strict=True)
    for k, (source, target) in enumerate(ends):
        edges = found.edges[found.offsets[k] : found.offsets[k + 1]].tolist()
        path = networkx.shortest_path(g, number[source], number[target])
        assert [g.edges[step]["edge"] for step in pairwise(path)] == edges
        assert all(g.degree[x] == 2 for x in path[1:-1])
        assert 2 not in (g.degree[path[0]], g.degree[path[-1]])
        with np.errstate(invalid="ignore"):
            total = np.sum([weights[index.index(e)] for e in edges])
            np.testing.assert_allclose(found.length[k], total, rtol=1e-9, atol=1e-9 * max(map(abs, weights)))
    return found


def valid_sensitivity(forest, found):
    """Check rivals by removing and adding edges one by one."""
    graph, inside = forest.graph, set(forest.edges.tolist())
    weights, sign = exact(graph.w), -1 if forest.maximum else 1
    g = networkx_of(forest)
    for i in range(graph.m):
        a, b = int(graph.u[i]), int(graph.v[i])
        rival = None
        if i in inside:
            rest = [e for e in inside if e != i]
            labels = oracles.components(graph.n, graph.u[rest], graph.v[rest])
            across = [e for e in range(graph.m) if e != i and labels[graph.u[e]] != labels[graph.v[e]]]
            rival = min(across, key=lambda e: (sign * weights[e], e), default=None)
        elif a != b:
            path = networkx.shortest_path(g, a, b)
            steps = [g.edges[step]["edge"] for step in pairwise(path)]
            rival = max(steps, key=lambda e: (sign * weights[e], e))
        assert found.rival[i] == (-1 if rival is None else rival)
        is_tie = rival is not None and weights[i] == weights[rival]
        assert bool(found.in_every[i]) == (i in inside and not is_tie)
        assert bool(found.in_some[i]) == (i in inside or is_tie)
        assert (found.slack[i] == math.inf) if rival is None else (found.slack[i] >= 0)
    return found


def valid_network(forest, network):
    """Check that a network joins what its forest joins, by edges as heavy as the heaviest on its path."""
    edges, g = network.edges.tolist(), networkx_of(forest)
    assert edges == sorted(set(edges))
    assert set(forest.edges.tolist()) <= set(edges)
    assert network.labels.tolist() == forest.labels.tolist()
    assert network.n_components == forest.n_components
    sign = -1 if forest.maximum else 1
    for a, b, w in zip(network.u.tolist(), network.v.tolist(), exact(network.w), strict=True):
        steps = pairwise(networkx.shortest_path(g, a, b))
        assert w == max((g.edges[step]["w"] for step in steps), key=lambda x: sign * x)
    return network


def valid_steiner_tree(tree):
    """Check that a Steiner tree connects its terminals where they can be, and has no other leaves."""
    valid_tree(tree)
    terminals = set(tree.terminals.tolist())
    g = networkx_of(tree).subgraph(tree.vertices.tolist())
    assert terminals <= set(g)
    assert all(x in terminals for x in g if g.degree(x) <= 1)
    whole = oracles.components(tree.n, tree.graph.u, tree.graph.v)
    for a in terminals:
        for b in terminals:
            assert (tree.labels[a] == tree.labels[b]) == (whole[a] == whole[b])
    return tree


def valid_arborescence(tree):
    """Check that arcs lead from the root to every vertex."""
    valid_tree(tree)
    graph = tree.graph
    assert len(tree) == graph.n - 1
    assert tree.parent_edge[tree.root] == -1
    for x in range(graph.n):
        steps, at = 0, x
        while at != tree.root:
            arc = int(tree.parent_edge[at])
            assert graph.v[arc] == at
            at, steps = int(graph.u[arc]), steps + 1
            assert steps < graph.n
    assert sorted(set(tree.parent_edge.tolist()) - {-1}) == tree.edges.tolist()
    return tree


def valid_batch(batch, graphs):
    """Check the forests of a batch, one by one."""
    sizes = [len(batch[i]) for i in range(len(graphs))]
    assert batch.offsets.tolist() == np.cumsum([0, *sizes]).tolist()
    for i, graph in enumerate(graphs):
        forest, here = valid_forest(batch[i]), slice(batch.offsets[i], batch.offsets[i + 1])
        for name in "edges", "u", "v":
            assert getattr(batch, name)[here].tolist() == getattr(forest, name).tolist()
        assert batch.w[here].tolist() == forest.w.tolist()
        assert forest.w.dtype == batch.dtypes[i] == graph.dtype
        assert batch.n_components[i] == forest.n_components
    return batch
