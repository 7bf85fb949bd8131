"""The order of edges: every function that compares edges realises (weight, index), and is listed here."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import Graph, IncrementalForest, minimum_spanning_forest, stream
from boruvka.algorithms.boruvka import sorted_worklist
from boruvka.algorithms.building_blocks.components import LightestEdges
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.algorithms.foreign_neighbours import pair_key
from boruvka.algorithms.kruskal import sorted_edges
from boruvka.algorithms.literature.arcs import arcs_of, precedes
from boruvka.algorithms.registry import edge_list_algorithms
from boruvka.backends import get_backend
from boruvka.backends.sorting import argsort
from boruvka.distributed.lightest_edges import lightest_edges as lightest_of_ranks
from boruvka.operators.sort_keys import edge_key, is_at_or_before, sort_keys_of
from boruvka.runtime.round_log import RoundLog
from boruvka.trees.path_maxima import sort_edges
from boruvka.verification.merge_trees import edge_order
from tests.strategies import INTEGERS, values_of

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "boruvka"
ROOMS = {
    *("algorithms", "distributed", "engines", "graph", "networkx_backend", "operators"),
    *("sklearn", "stream", "trees", "verification"),
}
BACKEND = get_backend("interpreted", 1)
DTYPES = [*INTEGERS, *(np.dtype(f"f{size}") for size in (2, 4, 8))]


@st.composite
def weights(draw):
    """Draw the weights of up to ten parallel edges, with many ties."""
    dtype = draw(st.sampled_from(DTYPES))
    return draw(hnp.arrays(dtype, st.integers(1, 10), elements=values_of(dtype), fill=st.nothing()))


def expected_order(w, maximum):
    """Sort in Python numbers."""
    numbers = w.tolist()
    return sorted(range(w.size), key=lambda i: (-numbers[i] if maximum else numbers[i], i))


def parallel_edges(w, maximum):
    """Make the edges between two vertices that have these weights."""
    ends = np.zeros(w.size, np.uint32), np.ones(w.size, np.uint32)
    return EdgeList(2, *ends, sort_keys_of(w, maximum))


def log():
    """Make a round log in a round."""
    rounds = RoundLog()
    rounds.begin("test", 2, 0)
    return rounds


# Realisations that sort


def by_edge_key(w, maximum):
    keys = sort_keys_of(w, maximum)
    return sorted(range(w.size), key=lambda i: (int(edge_key(i, keys.bits, keys.packing)), i))


def by_comparison(w, maximum):
    keys = sort_keys_of(w, maximum)
    key = [edge_key(i, keys.bits, keys.packing) for i in range(w.size)]

    def rank(i):
        return sum(is_at_or_before(key[j], np.uint64(j), key[i], np.uint64(i)) for j in range(w.size))

    order = sorted(range(w.size), key=rank)
    assert [rank(i) for i in order] == list(range(1, w.size + 1))  # an edge is at itself
    return order


def by_sorted_edges(w, maximum):
    edges = parallel_edges(w, maximum)
    return (sorted_edges(edges, BACKEND) & edges.sort_keys.index_mask).tolist()


def by_sorted_worklist(ordered):
    def sort(w, maximum):
        graph = parallel_edges(w, maximum)
        every = EdgeView.of(graph, BACKEND).contracted(np.arange(2, dtype=np.uint32))
        order, mask = sorted_worklist(every, graph.sort_keys.index_mask, ordered, BACKEND)
        return (order & mask).tolist()

    return sort


def by_arcs(w, maximum):
    _, arcs = arcs_of(parallel_edges(w, maximum), BACKEND)

    def rank(i):
        return sum(precedes(j, i, arcs) for j in range(w.size))

    return [int(arcs.edge[k]) for k in sorted(range(w.size), key=rank)]


def by_argsort(w, maximum):
    graph = parallel_edges(w, maximum)
    keys = [edge_key(i, graph.sort_keys.bits, graph.sort_keys.packing) for i in range(w.size)]
    return argsort(np.array(keys, np.uint64), BACKEND.for_each, BACKEND.sort).tolist()


def by_path_maxima(w, maximum):
    return sort_edges(w, maximum)[0].tolist()


def by_verification(w, maximum):
    return edge_order(w, maximum).tolist()


@pytest.mark.parametrize(
    "order",
    [
        by_edge_key, by_comparison, by_sorted_edges, by_sorted_worklist(True), by_sorted_worklist(False),
        by_arcs, by_argsort, by_path_maxima, by_verification,
    ],
    ids=lambda order: order.__qualname__,
)  # fmt: skip
@given(w=weights(), maximum=st.booleans())
def test_edges_are_sorted(order, w, maximum):
    assert order(w, maximum) == expected_order(w, maximum)


# Realisations that choose


def by_minima(ordered):
    def choose(w, maximum):
        graph = parallel_edges(w, maximum)
        every = EdgeView.of(graph, BACKEND).contracted(np.arange(2, dtype=np.uint32))
        lightest = LightestEdges(graph, BACKEND, ordered)
        lightest.propose(every, 2)
        if lightest.may_tie:
            lightest.break_ties(every, 2)
        assert lightest.chosen[0] == lightest.chosen[1]
        return int(lightest.chosen[0] & lightest.position_mask)

    return choose


def by_minima_of_ranks(w, maximum):
    graph = parallel_edges(w, maximum)
    every = EdgeView.of(graph, BACKEND).contracted(np.arange(2, dtype=np.uint32))
    lack_index = graph.sort_keys.keys_lack_index
    choice, _ = lightest_of_ranks(every, 2, lack_index, log())
    return int(choice[0] & graph.sort_keys.index_mask)


def by_algorithm(name):
    def choose(w, maximum):
        graph = Graph(2, np.zeros(w.size, int), np.ones(w.size, int), w)
        forest = minimum_spanning_forest(graph, maximum=maximum, algorithm=name, backend="interpreted")
        return int(forest.edges[0])

    return choose


def by_stream(w, maximum):
    zero, one = np.zeros(1, int), np.ones(1, int)
    edges = ((zero, one, w[i : i + 1]) for i in range(w.size))
    return int(stream.minimum_spanning_forest(edges, maximum=maximum, threads=1).edges[0])


def by_insertion(w, maximum):
    assume(w.dtype != np.uint64 or w.max() < 2**63)
    dtype = "float64" if w.dtype.kind == "f" else "int64"
    forest = IncrementalForest(maximum=maximum, dtype=dtype)
    forest.insert(np.zeros(w.size, int), np.ones(w.size, int), w)
    return int(forest.edges[0])


@pytest.mark.parametrize(
    "choose",
    [
        by_minima(True), by_minima(False), by_minima_of_ranks, by_stream, by_insertion,
        *(pytest.param(by_algorithm(name), id=name) for name in edge_list_algorithms()),
    ],
    ids=lambda choose: choose.__qualname__,
)  # fmt: skip
@given(w=weights(), maximum=st.booleans())
def test_the_first_edge_is_chosen(choose, w, maximum):
    assert choose(w, maximum) == expected_order(w, maximum)[0]


@given(st.integers(2, 12), st.randoms())
def test_pairs_of_points_are_in_the_order_of_their_edges(n, random):
    vertex = list(range(n))
    random.shuffle(vertex)
    rows = [(r, s) for r in range(n) for s in range(n) if r != s]
    by_key = sorted(rows, key=lambda pair: int(pair_key(*pair, np.array(vertex))))
    numbered = [(min(vertex[r], vertex[s]), max(vertex[r], vertex[s])) for r, s in by_key]
    assert numbered == sorted(numbered)


# The places


COMPARED = {"w", "weight", "weights", "key", "keys", "best", "heaviest", "lightest", "distance", "distances"}
"""Names of weights and keys: what compares or sorts one of these may compare edges."""
SORTS = {"argsort", "lexsort", "sort", "partition"}
EDGES_ARE_COMPARED_BY = {
    "is_at_or_before": by_comparison,
    "propose_min": by_minima(True),
    "propose_if_smallest": by_minima(False),
    "sorted_edges": by_sorted_edges,
    "sorted_worklist": by_sorted_worklist(False),
    "precedes": by_arcs,
    "sort_edges": by_path_maxima,
    "edge_order": by_verification,
    "lightest_arcs": by_minima_of_ranks,
    "store_if_chosen": by_minima_of_ranks,
    "may_be_in_forest": by_stream,
    "_is_later": by_insertion,
    "hook_inside": by_algorithm("block-boruvka"),
    "pivot_of": by_algorithm("filter-boruvka"),
    "run_kruskal": by_algorithm("filter-kruskal"),
    "_halves": by_algorithm("filter-kruskal"),
    "keep_lighter": by_algorithm("sequential"),
    "propose_lightest": by_algorithm("colour-contraction"),
    "break_tie_lightest": by_algorithm("colour-contraction"),
    **dict.fromkeys(("merge_halves", "update"), "tests/algorithms/test_dense.py"),
    **dict.fromkeys(
        ("find_listed", "propose_known", "visit", "propose_pairs"), "tests/algorithms/test_kd_tree_boruvka.py"
    ),
    **dict.fromkeys(("compare_keys", "compare_weights", "lightest"), "tests/algorithms/test_point_prim.py"),
    **dict.fromkeys(("_pivot", "_is_light"), "tests/stream/remote/test_driver.py"),
    **dict.fromkeys(("_lightest_pairs_between", "_nearest"), "tests/graph/test_nearest_neighbors.py"),
    **dict.fromkeys(("_mark_unaccepted", "compare"), "tests/verification"),
    **dict.fromkeys(("segment", "merge_similar"), "tests/trees/test_segmentation.py"),
    **dict.fromkeys(("_bound", "find"), "tests/trees/queries/test_update.py"),
    "_rows_if_heavy": "tests/stream",
    "_with_leaves": "tests/trees/test_steiner_leaves.py",
    "_forests_of_small_graphs": "tests/trees/test_mutual_reachability_forests.py",
    "forests_of_matrix": "tests/sklearn/test_fit_many.py",
}
"""Functions that compare edges: the test above that runs each, or the tests that compare with an oracle."""
NO_EDGES_ARE_COMPARED_BY = {
    "checked_distances",  # only looks for negative ones
    "_warn_of_doubles",  # distances of 0
    "light_edges_are_together",  # an estimate
    "fill",  # the first pair that is NaN
    "names_in_order",  # hashes of names
    "find_edges", "warn_of_no_edge_numbers",  # the ends of edges
    "with_paths",  # prizes with the lengths of paths
    "core_distances_of_matrix", "_distance_within", "_weighted_core_distances", "_join", "select",
    "_find_distant_ancestors", "_near_pairs",
    "_order", "_find_last_ranks", "_lower_bound", "_best_cut", "improved", "_descend", "_find_regions",
    "_warn_of_few_distances",
}  # fmt: skip


def comparing_functions():
    """Find the functions that compare or sort weights or keys: by operators, minima or sorts."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] in ROOMS and "plotting" not in path.parts:
            for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef) and any(map(compares, own_nodes(function))):
                    found.add(function.name)
    return found


def own_nodes(function):
    """Yield the nodes of a function, without functions inside it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef):
            yield node
            yield from own_nodes(node)


def compares(node):
    """Return whether a node compares weights or keys with each other."""
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            is_order = any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in ops)
            operands = left, *others
            return (
                is_order
                and not any(isinstance(x, ast.Constant) for x in operands)
                and any(map(is_compared, operands))
            )
        case ast.Call(func=ast.Attribute(value=value, attr="at"), args=args):
            return getattr(value, "attr", "") == "minimum" and any(map(is_compared, args))
        case ast.Call(func=ast.Name(id="atomic_min")):
            return True
        case ast.Call(func=ast.Attribute(value=value, attr=attr), args=args):
            return attr in SORTS and any(map(is_compared, (value, *args)))
    return False


def is_compared(node):
    """Return whether an expression is a weight or a key, or an element of such an array."""
    match node:
        case ast.Subscript(value=value) | ast.UnaryOp(operand=value) | ast.Starred(value=value):
            return is_compared(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(map(is_compared, parts))
        case ast.BinOp(left=left, right=right):
            return is_compared(left) or is_compared(right)
    return getattr(node, "attr", getattr(node, "id", "")) in COMPARED


def test_every_function_that_compares_edges_is_tested():
    known = NO_EDGES_ARE_COMPARED_BY | set(EDGES_ARE_COMPARED_BY)
    assert comparing_functions() == known
    for name, test in EDGES_ARE_COMPARED_BY.items():
        assert callable(test) or (ROOT / test).exists(), name
