"""The backend against NetworkX itself."""

import functools
import itertools
import logging
import math
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms.tree import mst

from boruvka.networkx_backend import functions
from boruvka.networkx_backend.info import FUNCTIONS, get_info

EDGES = nx.minimum_spanning_edges, nx.maximum_spanning_edges
TREES = nx.minimum_spanning_tree, nx.maximum_spanning_tree
EXACT = [
    st.integers(-2, 2),
    st.integers(-(2**63), 2**64),
    st.sampled_from([2**53, 2**53 + 1, 2.0**53, 1]),
    st.floats(allow_nan=False),
    st.one_of(st.integers(0, 2), st.sampled_from([0.5, -0.0, 1.0, float("inf"), True])),
    st.booleans(),
    st.sampled_from([10**30, 10**30 + 1, -1]),
    st.sampled_from([Fraction(1, 3), Fraction(1, 2), 1]),
    st.sampled_from([Decimal("0.1"), Decimal("0.2")]),
    st.sampled_from([np.float32(0.1), np.float32(0.2)]),
    st.sampled_from([np.int8(3), np.uint64(2**64 - 1), np.int64(-1)]),
]
"""Kinds of weights that Python compares."""
OTHER = [st.sampled_from(["1", "2"]), st.just(1j), st.none(), st.just([1])]
"""Kinds of weights that are errors."""


@st.composite
def graphs(draw, weights=EXACT, kinds=(nx.Graph, nx.MultiGraph), nan=False):
    """Draw a graph with ties, self-loops, missing weights, and nodes that are integers or not."""
    g = draw(st.sampled_from(kinds))()
    names = draw(
        st.sampled_from(
            [
                range(6),
                [5, 3, 0, 1, 2, 4],
                [-1, 10**30, 2, 3, 4, 5],
                ["a", 1, (2,), frozenset([3]), 0.5, False],
            ]
        )
    )
    g.add_nodes_from(draw(st.lists(st.sampled_from(names), max_size=4)))
    weight = draw(st.sampled_from(weights))
    if nan:
        weight = st.one_of(weight, st.just(float("nan")))
    ends = st.sampled_from(names)
    for a, b in draw(st.lists(st.tuples(ends, ends), max_size=14)):
        attributes = {"colour": "red", "partition": draw(st.sampled_from([*mst.EdgePartition, None]))}
        if draw(st.integers(0, 3)):
            attributes["weight"] = draw(weight)
        g.add_edge(a, b, **attributes)
    return g


def outcome(function, *arguments, **options):
    """Return what a function yields, or its error."""
    try:
        return list(function(*arguments, **options))
    except (TypeError, ValueError, OverflowError, nx.NetworkXException) as error:
        return type(error), str(error)


OPTIONS = st.fixed_dictionaries({"keys": st.booleans(), "data": st.booleans(), "ignore_nan": st.booleans()})


@given(graphs(nan=True), st.sampled_from(EDGES), OPTIONS)
def test_edges_are_those_of_networkx_in_its_order(g, function, options):
    ours = outcome(function, g, **options, backend="boruvka")
    assert ours == outcome(function, g, **options, backend="networkx")
    if isinstance(ours, list) and options["data"]:
        for a, b, *key, attributes in ours:
            assert any(attributes is mine for mine in g.get_edge_data(a, b).values()) or attributes is g[a][b]
            assert all(any(end is node for node in g) for end in (a, b))
            assert len(key) == (g.is_multigraph() and options["keys"])


@given(graphs(weights=OTHER), st.sampled_from(EDGES))
def test_weights_that_are_not_numbers_are_the_errors_of_networkx(g, function):
    assert outcome(function, g, backend="boruvka") == outcome(function, g, backend="networkx")


@given(graphs(), st.sampled_from(TREES))
def test_trees_are_those_of_networkx(g, function):
    g.graph["name"] = "roads"
    for node in g:
        g.nodes[node]["size"] = 3
    ours, theirs = (function(g, backend=backend) for backend in ("boruvka", "networkx"))
    assert type(ours) is type(g)
    assert nx.utils.graphs_equal(ours, theirs)
    assert list(ours) == list(theirs)


@given(graphs(nan=True), st.booleans(), OPTIONS)
def test_partitions(g, minimum, options):
    arguments = {**options, "minimum": minimum, "partition": "partition"}
    ours = outcome(mst.kruskal_mst_edges, g, **arguments, backend="boruvka")
    assert ours == outcome(mst.kruskal_mst_edges, g, **arguments, backend="networkx")
    if isinstance(ours, list):
        arguments = {"minimum": minimum, "ignore_nan": options["ignore_nan"]}
        ours, theirs = (
            nx.partition_spanning_tree(g, **arguments, backend=b) for b in ("boruvka", "networkx")
        )
        assert nx.utils.graphs_equal(ours, theirs)


@given(graphs(weights=[st.integers(0, 2)]), st.sampled_from(["prim", "boruvka", "borůvka"]), st.booleans())
def test_other_algorithms_find_the_same_forest(g, algorithm, distinct):
    if distinct:
        for i, (_, _, attributes) in enumerate(g.edges(data=True)):
            attributes["weight"] = i * 7 % 31
    if g.is_multigraph() and algorithm != "prim":
        for function in (*EDGES, *TREES):
            with pytest.raises(nx.NetworkXNotImplemented, match="not implemented for multigraph type"):
                function(g, algorithm=algorithm, backend="boruvka")
        return
    for function in EDGES:
        ours = list(function(g, algorithm, backend="boruvka"))
        assert ours == list(function(g, "kruskal", backend="networkx"))
        theirs = list(function(g, algorithm, backend="networkx"))
        if distinct:
            assert sorted(e[-1]["weight"] for e in ours) == sorted(e[-1]["weight"] for e in theirs)
    for function in (mst.prim_mst_edges, *([] if g.is_multigraph() else [mst.boruvka_mst_edges])):
        assert list(function(g, True, backend="boruvka")) == list(nx.minimum_spanning_edges(g))


@given(graphs())
def test_components_are_those_of_networkx(g):
    for backend in ("boruvka", "networkx"):
        assert list(nx.connected_components(g, backend=backend)) == list(nx.connected_components(g))
    ours, theirs = (nx.number_connected_components(g, backend=backend) for backend in ("boruvka", "networkx"))
    assert (type(ours), ours) == (int, theirs)
    if len(g):
        assert nx.is_connected(g, backend="boruvka") is nx.is_connected(g)
    else:
        with pytest.raises(nx.NetworkXPointlessConcept, match="undefined for the null graph"):
            nx.is_connected(g, backend="boruvka")


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_directed_graphs_are_errors_as_in_networkx(kind):
    g = kind([(0, 1), (1, 2)])
    for function in (*EDGES, *TREES, *(getattr(nx, name) for name in functions.COMPONENTS)):
        for backend in ("boruvka", "networkx"):
            with pytest.raises(nx.NetworkXNotImplemented, match="not implemented for directed type"):
                function(g, backend=backend)
    for function in (mst.kruskal_mst_edges, mst.prim_mst_edges, nx.partition_spanning_tree):
        with pytest.raises(NotImplementedError, match="not implemented by 'boruvka' backend for the given"):
            function(g, True, backend="boruvka")


def test_errors_come_when_networkx_raises_them():
    g = nx.Graph([(0, 1, {"weight": float("nan")})])
    edges = nx.minimum_spanning_edges(g, backend="boruvka")  # no error yet
    with pytest.raises(ValueError, match=r"^NaN found as an edge weight. Edge \(0, 1, \{'weight': nan\}\)$"):
        next(edges)
    for function in (*EDGES, *TREES):
        with pytest.raises(ValueError, match=r"^dijkstra is not a valid choice for an algorithm"):
            function(g, algorithm="dijkstra", backend="boruvka")


def long_cycle(kind=nx.Graph):
    g = nx.cycle_graph(functions.PAYS_FROM, kind)
    nx.set_edge_attributes(g, 2, "weight")
    return g


def weight_of(g, **options):
    return sum(attributes["weight"] for *_, attributes in nx.minimum_spanning_edges(g, **options))


def test_changes_of_a_converted_graph_are_seen():
    g = long_cycle()
    n = len(g)
    assert weight_of(g, backend="boruvka") == 2 * n - 2
    assert g.__networkx_cache__["backends"]["boruvka"]
    g[0][1]["weight"] = 7  # without any method of the graph
    assert weight_of(g, backend="boruvka") == 2 * n - 2
    g[1][2]["weight"] = 7
    assert weight_of(g, backend="boruvka") == 2 * n + 3
    g.remove_edge(0, 1)
    assert weight_of(g, backend="boruvka") == 2 * n + 3
    g.add_edge(0, 5, weight=1)
    assert weight_of(g, backend="boruvka") == 2 * n + 3 + 1 - 2


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_views_follow_their_graph(kind):
    g = long_cycle(kind)
    view = g.subgraph(range(50))
    by_edge = g.edge_subgraph(list(g.edges)[:4])
    assert weight_of(view, backend="boruvka") == 2 * 49
    assert list(nx.minimum_spanning_edges(by_edge, backend="boruvka")) == list(
        nx.minimum_spanning_edges(by_edge)
    )
    g.add_edge(0, 49, weight=1)
    assert weight_of(view, backend="boruvka") == 2 * 48 + 1
    assert list(nx.connected_components(view, backend="boruvka")) == [set(range(50))]


@pytest.fixture
def calls(caplog, monkeypatch):
    """Return the functions that NetworkX has called in the backend."""
    # The import linter, which another test runs, disables all loggers that exist.
    monkeypatch.setattr(logging.getLogger("networkx.utils.backends"), "disabled", False)
    caplog.set_level(logging.DEBUG, "networkx.utils.backends")
    begin = "Using backend 'boruvka' for call to "

    def read():
        messages = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return [m.removeprefix(begin).split()[0].strip("'") for m in messages if m.startswith(begin)]

    return read


def test_priority_for_algorithms_is_enough_for_trees(calls):
    g = long_cycle()
    least, greatest = nx.minimum_spanning_tree(g), nx.maximum_spanning_tree(g)
    with nx.config(backend_priority=["boruvka"]):
        assert nx.utils.graphs_equal(nx.minimum_spanning_tree(g), least)
        assert calls() == ["minimum_spanning_edges"]
        assert nx.utils.graphs_equal(nx.maximum_spanning_tree(g), greatest)
        assert calls() == ["maximum_spanning_edges"]
        with nx.config.backend_priority(generators=["boruvka"]):
            assert nx.utils.graphs_equal(nx.minimum_spanning_tree(g), least)
        assert calls() == ["minimum_spanning_tree"]
        assert nx.is_connected(g)  # already converted
        assert calls() == ["is_connected"]


def test_priority_leaves_to_networkx_what_is_faster_there(calls):
    with nx.config(backend_priority=["boruvka"]), nx.config.backend_priority(generators=["boruvka"]):
        small = nx.cycle_graph(functions.PAYS_FROM - 1)
        assert nx.minimum_spanning_tree(small).size() == len(small) - 1
        assert nx.number_connected_components(long_cycle()) == 1
        g = nx.cycle_graph(functions.PAYS_FROM)
        assert next(iter(nx.SpanningTreeIterator(g))).size() == len(g) - 1
        assert calls() == []
        assert nx.partition_spanning_tree(g).size() == len(g) - 1
        assert calls() == ["partition_spanning_tree"]


def test_metadata_names_the_functions():
    assert get_info()["functions"].keys() == FUNCTIONS.keys()
    for name in FUNCTIONS:
        assert callable(getattr(functions, name))
        text = nx.utils.backends._registered_algorithms[name].__doc__
        assert "boruvka : Minimum spanning forests" in text or name in functions.ARBORESCENCES  # set later
    others = nx.utils.backends._registered_algorithms.keys() - FUNCTIONS.keys()
    assert [name for name in others if hasattr(functions, name)] == []


def test_networkx_does_not_load_the_backend_before_it_is_used():
    code = "import networkx, sys; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "'boruvka.networkx_backend.info'" in loaded
    for name in ("boruvka.networkx_backend.functions", "boruvka.trees.minimum_spanning", "numpy", "numba"):
        assert f"'{name}'" not in loaded


def test_steiner_trees():
    g = nx.gnm_random_graph(200, 800, seed=1)
    rng = np.random.default_rng(0)
    for a, b in g.edges:
        g[a][b]["weight"] = int(rng.integers(1, 50))
    terminals = [0, 5, 17, 40, 99]
    theirs = nx.approximation.steiner_tree(g, terminals, backend="networkx")
    ours = nx.approximation.steiner_tree(g, terminals, backend="boruvka")
    assert nx.is_tree(ours)
    assert set(terminals) <= set(ours)
    assert ours.size(weight="weight") <= 2 * theirs.size(weight="weight")
    again = nx.approximation.steiner_tree(g, (t for t in terminals), backend="boruvka")
    assert list(again.edges) == list(ours.edges)


@pytest.mark.parametrize("terminals", [["a", "nowhere"], ["nowhere"], ["a", ["a"]], []])
@pytest.mark.parametrize("kind", [list, iter])
def test_terminals_are_refused_as_by_networkx(terminals, kind):
    g = nx.Graph([("a", "b"), ("b", "c")])
    with pytest.raises((nx.NodeNotFound, ValueError)) as theirs:
        nx.approximation.steiner_tree(g, terminals, backend="networkx")
    with pytest.raises(type(theirs.value)) as ours:
        nx.approximation.steiner_tree(g, kind(terminals), backend="boruvka")
    assert str(ours.value) == str(theirs.value)


@given(
    graphs([st.sampled_from([0, 1, 2, math.inf, -1, 0.5, 2**70])], (nx.Graph, nx.MultiGraph)),
    st.data(),
)
def test_steiner_trees_of_any_weights(g, data):
    """Weights that are not taken are left to NetworkX; several trees are no warning in either."""
    nodes = data.draw(st.lists(st.sampled_from([*g, "nowhere"]), min_size=1, max_size=3))
    try:
        theirs = nx.approximation.steiner_tree(g, nodes, backend="networkx")
    except KeyError:  # of NetworkX, where no path leads to a node from a terminal
        return
    except (nx.NodeNotFound, ValueError) as error:
        with pytest.raises(type(error), match=re.escape(str(error))):
            nx.approximation.steiner_tree(g, nodes, backend="boruvka")
        return
    ours = nx.approximation.steiner_tree(g, nodes, backend="boruvka")
    assert not ours or nx.is_forest(nx.Graph(ours))
    assert ours.size(weight="weight") <= 2 * theirs.size(weight="weight")
    for a, b in itertools.combinations([node for node in nodes if node in ours], 2):
        assert nx.has_path(ours, a, b) == nx.has_path(g, a, b)


@pytest.mark.parametrize("large", [2**61, 2**63 - 1, 1.5e308])
def test_arborescences_of_large_weights(large):
    g = nx.DiGraph()
    arcs = [("a", "d", 1), ("d", "a", -1), ("c", "a", 1), ("a", "b", 0), ("d", "c", -1), ("b", "c", 1)]
    g.add_weighted_edges_from((u, v, sign * large) for u, v, sign in arcs)
    tree = nx.minimum_spanning_arborescence(g, backend="boruvka")
    assert sorted(tree.edges) == [("a", "b"), ("d", "a"), ("d", "c")]


KINDS_OF_ARCS = {
    nx.minimum_spanning_arborescence: 1,
    nx.maximum_spanning_arborescence: -1,
    nx.maximum_branching: -1,
}
"""The functions for directed graphs, and the sign of what they minimise."""


@given(
    graphs([st.integers(1, 9), st.sampled_from([0.5, 2.0])], (nx.DiGraph, nx.MultiDiGraph)),
    st.sampled_from(list(KINDS_OF_ARCS)),
    st.booleans(),
)
def test_arborescences_weigh_what_those_of_networkx_do(g, function, preserve):
    before = nx.to_dict_of_dicts(g)
    options = {"preserve_attrs": preserve, "default": 3}
    try:
        theirs = function(g.copy(), **options, backend="networkx")
    except nx.NetworkXException as error:
        with pytest.raises(type(error), match=str(error)):
            function(g, **options, backend="boruvka")
        return
    ours = function(g, **options, backend="boruvka")
    assert nx.to_dict_of_dicts(g) == before
    assert type(ours) is type(g)
    assert list(ours) == list(g)
    assert ours.size(weight="weight") == theirs.size(weight="weight")
    assert not len(ours) or nx.is_branching(ours)
    for a, b, attributes in ours.edges(data=True):
        assert attributes.keys() == ({"weight", "colour", "partition"} if preserve else {"weight"})
        assert attributes["weight"] in (data.get("weight", 3) for *_, data in _parallel(g, a, b))


def _parallel(g, a, b):
    return [edge for edge in g.out_edges(a, data=True) if edge[1] == b]


@given(
    graphs([st.integers(-3, 3), st.floats(-9, 9).map(round)], (nx.DiGraph, nx.MultiDiGraph)),
    st.sampled_from(list(KINDS_OF_ARCS)),
)
def test_arborescences_of_a_partition(g, function):
    """The best of all trees with every included arc and no excluded one; an error if there is none."""
    for i, (*_, data) in enumerate(g.edges(data=True)):
        data["arc"] = i
        if i % 3:
            data["partition"] = mst.EdgePartition.OPEN  # else most partitions allow no tree
    arcs = list(g.edges(data=True))
    states = [data["partition"] for *_, data in arcs]
    forced = {i for i, state in enumerate(states) if state is mst.EdgePartition.INCLUDED}
    allowed = {i for i, state in enumerate(states) if state is not mst.EdgePartition.EXCLUDED}
    weights = [
        sum(arcs[i][2].get("weight", 1) for i in chosen) * KINDS_OF_ARCS[function]
        for chosen in _branchings(g, function is not nx.maximum_branching)
        if forced <= chosen <= allowed
    ]
    options = {"partition": "partition", "preserve_attrs": True, "backend": "boruvka"}
    if not weights:
        name = function.__name__.replace("_", " ")
        with pytest.raises(nx.NetworkXException, match=f"No {name} in G|G has no nodes"):
            function(g, **options)
        return
    ours = function(g, **options)
    assert list(ours) == list(g)
    assert not ours.edges or nx.is_branching(ours)
    assert function is nx.maximum_branching or ours.number_of_edges() == len(g) - 1
    found = {data["arc"]: (a, b) for a, b, data in ours.edges(data=True)}
    assert list(found) == sorted(found)
    assert forced <= found.keys() <= allowed
    assert all(arcs[i][:2] == ends for i, ends in found.items())
    assert sum(arcs[i][2].get("weight", 1) for i in found) * KINDS_OF_ARCS[function] == min(weights)


def _branchings(g, is_spanning):
    """List the branchings of a small graph, or those that span it, each as the numbers of its arcs."""
    entering = {node: [None] for node in g}
    for i, (a, b) in enumerate(g.edges()):
        entering[b].append((i, a, b))
    for choice in itertools.product(*entering.values()):
        chosen = [arc for arc in choice if arc is not None]
        if is_spanning and len(chosen) != len(g) - 1:
            continue
        parent = {b: a for _, a, b in chosen}
        for node in g:
            above = node
            for _ in g:
                above = parent.get(above, above)
            if above in parent:  # a cycle
                break
        else:
            yield {i for i, *_ in chosen}


@pytest.mark.parametrize("function", KINDS_OF_ARCS)
def test_included_arcs_that_are_in_no_arborescence(function):
    message = f"No {function.__name__.replace('_', ' ')} in G"
    for included in ["ab", "cb"], ["ab", "bc", "ca"], ["bb"]:
        g = nx.MultiDiGraph(["ab", "bc", "cb", "ca", "bb", "ad"])
        for a, b, data in g.edges(data=True):
            data["state"] = nx.EdgePartition.INCLUDED if a + b in included else nx.EdgePartition.OPEN
        with pytest.raises(nx.NetworkXException, match=message):
            function(g, partition="state", backend="boruvka")


@given(
    graphs([st.integers(-3, 9)], (nx.DiGraph,)),
    st.booleans(),
    st.tuples(st.booleans(), st.booleans()),
)
def test_the_iterator_of_arborescences_lists_all_by_weight(g, minimum, parts):
    """By priority it calls only ``maximum_branching``, with weights for which NetworkX may miss trees."""
    arcs = list(g.edges(data="weight", default=1))
    trees = list(_branchings(g, True)) if g else []
    if not trees:
        return
    forced = set(sorted(trees[0])[: parts[0]])
    left_out = set(sorted(set(range(len(arcs))) - trees[0])[: parts[1]])
    trees = [chosen for chosen in trees if forced <= chosen and not chosen & left_out]
    partition = [[arcs[i][:2] for i in chosen] for chosen in (forced, left_out)]
    iterator = nx.ArborescenceIterator(g, minimum=minimum, init_partition=partition)
    iterator.method = functools.partial(iterator.method, backend="boruvka")
    found = list(iterator)
    number = {arc[:2]: i for i, arc in enumerate(arcs)}
    listed = [sorted(number[ends] for ends in tree.edges) for tree in found]
    assert sorted(listed) == sorted(map(sorted, trees))
    weights = [tree.size(weight="weight") for tree in found]
    assert weights == sorted(weights, reverse=not minimum)
