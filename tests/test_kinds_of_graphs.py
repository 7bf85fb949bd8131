"""Every function on every kind of graph: it works, or its error does not deny what was given."""

import copy
import pickle
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

import boruvka
from boruvka import BoruvkaError, Graph, MissingExtraError, OptionError, minimum_spanning_forest
from boruvka.algorithms.registry import ALGORITHMS
from boruvka.graph.graph import EdgeListGraph, ImplicitGraph
from boruvka.trees.segmentation import pixel_graph, segment

plt.switch_backend("agg")
POINTS = np.random.default_rng(1).random((7, 2))
LIST = Graph(7, [0, 1, 0, 3, 4, 2], [1, 2, 2, 4, 5, 6], [1.0, 2.0, 5.0, 1.0, 1.0, 3.0])
KINDS = {
    "edge list": LIST,
    "names": Graph.from_edges(list("ababcf"), list("bcdefg"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "matrix": Graph.from_dense(np.abs(POINTS[:, :1] - POINTS[:, 0])),
    "distances": Graph.from_distances(np.abs(POINTS[:, 1:] - POINTS[:, 1])),
    "points": Graph.from_points(POINTS),
    "sphere": Graph.from_points(POINTS, metric="haversine"),
    "mutual reachability": Graph.from_points(POINTS, min_samples=2),
    "profiles": Graph.from_profiles(1 + np.arange(28).reshape(7, 4) % 3 * (np.arange(7)[:, None] % 4)),
    "extended": minimum_spanning_forest(Graph.from_points(POINTS)).update(([0], [1], [0.1])).graph,
    "removed": minimum_spanning_forest(LIST).update(removed=[0]).graph,
    "excluded": minimum_spanning_forest(Graph.from_points(POINTS), excluded=[0]).graph,
    "no edges": Graph(3, [], [], []),
    "one vertex": Graph(1, [], [], []),
    "nothing": Graph(0, [], [], []),
}
DENIALS = re.compile("expected a Graph|is not a graph|cannot make a graph")


def of_forest(method, *arguments, **options):
    return lambda graph: getattr(minimum_spanning_forest(graph), method)(*arguments, **options)


FUNCTIONS = {
    "maximum": lambda graph: minimum_spanning_forest(graph, maximum=True),
    "required": lambda graph: minimum_spanning_forest(graph, required=[1]),
    "excluded": lambda graph: minimum_spanning_forest(graph, excluded=[1]),
    "verify": lambda graph: boruvka.verify(graph, minimum_spanning_forest(graph)),
    "as_graph": boruvka.as_graph,
    "steiner_tree": lambda graph: boruvka.steiner_tree(graph, [graph.name_of(0)]),
    "prize_collecting_tree": lambda graph: boruvka.prize_collecting_tree(graph, {graph.name_of(0): 1}),
    "arborescence": boruvka.minimum_spanning_arborescence,
    "edge_disjoint_forests": lambda graph: boruvka.edge_disjoint_forests(graph, 2),
    "batch": lambda graph: boruvka.minimum_spanning_forests([graph, graph]),
    "random tree": boruvka.random_spanning_tree,
    "segment": lambda graph: segment(graph, 1),
    "regions of a forest": lambda graph: segment(minimum_spanning_forest(graph), 1),
    "mutual reachability": lambda graph: Graph.from_mutual_reachability(graph, 2),
    "update": of_forest("update", ([0], [1], [1])),
    "removed": of_forest("update", removed=[1]),
    "sensitivity": of_forest("sensitivity"),
    "linkage": of_forest("linkage"),
    "clusters": of_forest("clusters", [1]),
    "plot": of_forest("plot", graph_edges=True),
    "to_geopandas": of_forest("to_geopandas"),
    "to_newick": of_forest("to_newick"),
    "to_networkx": of_forest("to_networkx"),
    **{name: lambda graph, name=name: minimum_spanning_forest(graph, algorithm=name) for name in ALGORITHMS},
}


def error_of(function, graph):
    """Return the message of the error that a function raises, empty if there is none."""
    try:
        function(graph)
    except BoruvkaError as error:
        return str(error)
    return ""


@pytest.mark.filterwarnings("ignore:the height 1 is above all weights")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_error_denies_what_was_given(name):
    for kind, graph in KINDS.items():
        assert not DENIALS.search(error_of(FUNCTIONS[name], graph)), kind
    plt.close("all")


@pytest.mark.usefixtures("quick_turns")
@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    "name",
    [
        "required",
        "steiner_tree",
        "prize_collecting_tree",
        "arborescence",
        "random tree",
        "removed",
        "segment",
        "batch",
        "edge_disjoint_forests",
    ],
)
def test_nor_for_graphs_on_a_gpu(name):
    from tests.graph.test_device_graph import compiler, on_device

    if not compiler.IS_SIMULATED:
        pytest.skip("there is a GPU")
    message = error_of(FUNCTIONS[name], on_device(LIST))
    assert name in ("required", "excluded") or "required" not in message
    assert not message or re.search("GPU|on the host", message)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_graph_has_the_regions_of_its_edges(kind):
    graph = KINDS[kind]
    listed = Graph(graph.n, *graph.edges_in_range(0, graph.m))
    for scale in (0, 0.2, 1, 5):
        np.testing.assert_array_equal(segment(graph, scale), segment(listed, scale))


@pytest.mark.needs("numba")
@pytest.mark.usefixtures("quick_turns")
def test_graphs_and_forests_on_a_gpu_have_the_same_regions():
    from tests.graph.test_device_graph import compiler, on_device

    if not compiler.IS_SIMULATED:
        pytest.skip("there is a GPU")
    there = on_device(LIST)
    for graph in (there, minimum_spanning_forest(there, on_device=True)):
        assert segment(graph, 2).tolist() == segment(minimum_spanning_forest(LIST), 2).tolist()


@pytest.mark.parametrize("algorithm", ["dense", "kd-tree-boruvka", "point-prim"])
@pytest.mark.parametrize("constraint", ["required", "excluded"])
def test_algorithms_without_an_edge_list_refuse_constraints(algorithm, constraint):
    with pytest.raises(OptionError, match=f"{algorithm} lists no edges, so none can be required or excluded"):
        minimum_spanning_forest(KINDS["points"], algorithm=algorithm, **{constraint: [0]})
    assert isinstance(KINDS["points"], ImplicitGraph)
    assert len(minimum_spanning_forest(KINDS["points"], **{constraint: [0]})) == 6


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_graph_and_its_copies_are_equal(kind):
    graph = KINDS[kind]
    assert isinstance(graph, Graph)
    count = "entries" if graph.entry_count else "m"  # (i, j) and (j, i) of a matrix are one edge
    assert repr(graph).startswith(f"{graph.kind}(n={graph.n}, {count}={graph.m}, ")
    for other in pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph):
        assert type(other) is type(graph)
        assert repr(other) == repr(graph)
        for name in "u", "v", "w", "names", "coordinates":
            expected, found = getattr(graph, name), getattr(other, name)
            np.testing.assert_array_equal(found, expected)
            assert expected is None or not found.flags.writeable, name
        np.testing.assert_array_equal(other.removed, graph.removed)
        if graph.profiles is not None:
            for field in "vertex_of", "sizes", "first_rows":
                np.testing.assert_array_equal(getattr(other.profiles, field), getattr(graph.profiles, field))
        with pytest.raises(AttributeError, match="graphs are read-only"):
            other.annotations = graph.annotations


def test_an_edge_list_is_shown_as_a_graph():
    assert repr(LIST) == "Graph(n=7, m=6, weights=float64)"
    assert isinstance(LIST, EdgeListGraph)
    assert not isinstance(KINDS["matrix"], EdgeListGraph)


def test_the_advice_to_list_edges_works():
    g = KINDS["points"]
    with pytest.raises(BoruvkaError, match=r"Graph.from_edges\(g.u, g.v, g.w, n=g.n, names=g.names\)"):
        boruvka.steiner_tree(g, [0, 3])
    listed = Graph.from_edges(g.u, g.v, g.w, n=g.n, names=g.names)
    assert boruvka.steiner_tree(listed, [0, 3]).terminals.tolist() == [0, 3]
    assert minimum_spanning_forest(listed).edges.tolist() == minimum_spanning_forest(g).edges.tolist()


def test_removed_edges_cannot_be_required():
    forest = minimum_spanning_forest(LIST).update(removed=[0])
    with pytest.raises(BoruvkaError, match="edge 0 is required, but it was removed"):
        minimum_spanning_forest(forest.graph, required=[0])


def csgraph():
    return pytest.importorskip("boruvka.csgraph", exc_type=MissingExtraError)


def test_edges_of_a_graph_without_any():
    with pytest.raises(BoruvkaError, match="required has 0: the graph has no edges"):
        minimum_spanning_forest(KINDS["no edges"], required=[0])


@pytest.mark.parametrize(
    "make",
    [
        *(Graph.from_dense, Graph.from_points, Graph.from_distances, Graph.from_profiles),
        *(pixel_graph, lambda x: csgraph().connected_components(x)),
    ],
)
def test_what_is_no_array_is_named(make):
    with pytest.raises(BoruvkaError, match=r"array: got Graph|'EdgeListGraph' object is not iterable"):
        make(LIST)
