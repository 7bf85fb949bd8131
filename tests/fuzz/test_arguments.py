"""Every argument of every public function, with values of the wrong kind: an answer, or an error of ours."""

import decimal
import functools
import inspect
import io
import math
import pathlib
import signal
import warnings

import igraph
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

pytest.importorskip("scipy")

import boruvka
from boruvka import BoruvkaError, Graph, csgraph, distributed, formats, generators, stream
from boruvka.errors import LONGEST_MESSAGE, shown
from boruvka.formats.edge_file import FileChunk
from boruvka.sklearn import HDBSCAN, SingleLinkage
from boruvka.trees import segmentation
from tests.fuzz.test_inputs import NAMES, NUMBERS, OTHERS, Hang, Theirs, limits

pl = pytest.importorskip("polars")

__all__ = ["limits"]

plt.switch_backend("agg")
SECONDS = 20
EDGES = ([0, 1, 2, 0], [1, 2, 0, 3], [5, 3, 4, 1])
GRAPH = Graph(4, *EDGES)
NAMED = Graph.from_edges(list("abca"), list("bcad"), EDGES[2])
FOREST, NAMED_FOREST = boruvka.minimum_spanning_forest(GRAPH), boruvka.minimum_spanning_forest(NAMED)
POINTS = np.array([[0.0, 0], [1, 0], [0, 3], [4, 4], [5, 5], [9, 1]])
SQUARE = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
PLACES = [[0, 0], [1, 0], [0, 1], [3, 3]]
WRONG = [
    *NUMBERS,
    *NAMES,
    *OTHERS,
    *(
        ["a", 1],
        [None],
        [math.nan],
        [math.inf],
        [-1],
        [2**63],
        [10**30],
        [True],
        [1j],
        [{}],
        [set()],
        [(0, 1)],
    ),
    *([decimal.Decimal(1)], [[0, 1]], [[[1]]], [[1], [1, 2]], ["a" * 10**4], ["\ud800"], [b"a"], [object()]),
    *map(np.array, ([1.0, math.nan], [True], ["a"], [b"a"], [1j], [decimal.Decimal(1)], [[1], [2]])),
    *(np.array([1, 2], dtype) for dtype in (">i4", ">f8", "M8[s]", "m8[s]", "O", "f2", "g")),
    *(
        np.zeros(2, "i4,f8"),
        np.zeros(2, "V8"),
        np.zeros((0, 3)),
        np.zeros((2, 0)),
        np.zeros((2, 2, 2)),
        np.empty(0, object),
    ),
    *(np.ma.masked_array([1, 2], [True, False]), np.ma.masked_array([0, 1]), np.arange(6)[::-2]),
    *(np.array([[1], [1, 2], 3], object), np.array([None, "a"], object), np.broadcast_to(1, (4, 4))),
    *(pd.DataFrame({"a": [1]}), pd.DataFrame(), pd.Series([1, 2], index=["a", "b"]), pd.Series([None, 1.5])),
    *(pl.DataFrame({"a": [1]}), pl.Series(["a", None]), pa.table({"a": [1]}), pa.array([1, None])),
    *({"a": None}, {"a": "b"}, {0: 1}, {None: 1}, {(1,): [2]}, {"a": {"b": 1}}),
    *(GRAPH, FOREST, Graph, pathlib.Path("missing"), io.BytesIO(b"0 1 2\n"), io.StringIO("0 1 2\n"), print),
    *(Exception("a"), type(None), lambda: 1, decimal.Decimal("Infinity"), decimal.Decimal("1e999999")),
    *(float("1e308"), 5e-324, 2**31 - 1, -(2**40), "1,2", "nan", "@file", "a\nb", b"\xff", "=1+1"),
]


def numbers():
    yield from (0, 1)


def a_generator():
    """Make an iterator, which a call uses up."""
    return numbers()


def forest_calls(forest, names):
    """List the methods of a forest with arguments that they take."""
    a, b, *_ = names
    by_vertex = list(range(4))
    return {
        "path": (forest.path, (a, b), {}),
        "bottleneck": (forest.bottleneck, ([a], [b]), {}),
        "update": (forest.update, (([0], [1], [2]),), {"removed": [0]}),
        "rooted": (forest.rooted, (a,), {}),
        "from_root": (forest.rooted().from_root, (by_vertex, "sum"), {}),
        "subtree": (forest.rooted().subtree, (by_vertex, "max"), {}),
        "diameter": (forest.rooted().diameter, (True,), {}),
        "cut": (forest.cut, (2,), {}),
        "cut_at": (forest.cut_at, (3,), {}),
        "cuts": (forest.cuts, ([1, 3],), {}),
        "clusters": (forest.clusters, ([1, 3],), {}),
        "regions": (
            forest.regions,
            (2, by_vertex),
            {"min_size": 1, "amounts": by_vertex, "min_amount": 0.0},
        ),
        "to_nodes": (forest.to_nodes, ({"x": by_vertex},), {}),
        "to_pandas": (forest.to_pandas, ((),), {}),
        "to_polars": (forest.to_polars, ((),), {}),
        "to_arrow": (forest.to_arrow, ((),), {}),
        "plot": (
            forest.plot,
            (PLACES,),
            {"by": "round", "system": "xy", "graph_edges": True, "sizes": by_vertex, "colors": by_vertex}
            | {"labels": True, "weights": True, "ax": None},
        ),
        "plot_dendrogram": (
            forest.plot_dendrogram,
            (),
            {"leaves": 3, "height": 2.0, "min_size": 2, "ax": None},
        ),
        "animate": (
            lambda *arguments, **options: forest.animate(io.BytesIO(), *arguments, **options),
            (PLACES,),
            {"format": "gif", "system": "xy", "seconds": 1.0, "algorithm": "prim", "start": a},
        ),
        "to_html": (
            lambda *arguments, **options: forest.to_html(io.BytesIO(), *arguments, **options),
            (PLACES,),
            {
                "system": "xy",
                "sizes": by_vertex,
                "colors": by_vertex,
                "labels": True,
                "metadata": {"x": by_vertex},
            },
        ),
        "to_html to": (forest.to_html, (io.BytesIO(),), {}),
        "animate to": (forest.animate, (io.BytesIO(),), {}),
    }


def estimator(kind, options, method="fit", arguments=(POINTS,)):
    """Make a function that fits an estimator, with its options as arguments."""

    def fit(*values, **named):
        chosen = kind(**{name: value for name, value in named.items() if name in options})
        return chosen.fit(*values)

    return fit, arguments, options


def incremental():
    forest = boruvka.IncrementalForest(4)
    forest.insert(*EDGES)
    return forest


CALLS = {
    "minimum_spanning_forest": (
        boruvka.minimum_spanning_forest,
        (GRAPH,),
        {"maximum": False, "algorithm": "auto", "backend": "threads", "options": {}, "progress": False}
        | {"on_device": False, "required": [0], "excluded": [1]},
    ),
    "threads": (boruvka.minimum_spanning_forest, (GRAPH,), {"threads": 1}),
    "verify": (boruvka.verify, (GRAPH, FOREST), {"maximum": False, "threads": 1, "progress": False}),
    "as_graph": (boruvka.as_graph, (EDGES,), {"names": None, "n": 4}),
    "as_graph of a frame": (
        functools.partial(boruvka.as_graph, pd.DataFrame({"a": [0], "b": [1], "c": [2.0], "d": [1]})),
        (),
        {"source": "a", "target": "b", "weight": "c"},
    ),
    "write": (
        lambda *a, **b: boruvka.write(a[0], io.BytesIO(), **b),
        (GRAPH,),
        {"format": "csv", "progress": False},
    ),
    "write to": (boruvka.write, (GRAPH, io.BytesIO()), {"format": "csv"}),
    "read": (
        lambda **b: boruvka.read(io.BytesIO(b"u,v,w\n0,1,2\n"), **b),
        (),
        {
            "format": "csv",
            "columns": (0, 1, 2),
            "header": True,
            "one_based": False,
            "n": 2,
            "unweighted": False,
        }
        | {"names": False, "layer": None, "missing": "error", "default": 1.0, "node": False, "ways": "cars"}
        | {"attach": None, "tolerance": None, "progress": False},
    ),
    "read from": (boruvka.read, (io.BytesIO(b"0 1 2\n"),), {"format": "edges"}),
    "read_forest": (formats.read_forest, (io.BytesIO(b"0 1 2\n"), GRAPH), {"format": "edges"}),
    "read_chunk": (formats.read_chunk, (__file__, FileChunk(0, 1)), {"format": "edges"}),
    "steiner_tree": (boruvka.steiner_tree, (GRAPH, [0, 2]), {"improve": False}),
    "prize_collecting_tree": (boruvka.prize_collecting_tree, (GRAPH, [1, 0, 2, 3]), {"root": 0}),
    "steiner_tree names": (boruvka.steiner_tree, (NAMED, ["a", "c"]), {"improve": False}),
    "arborescence": (boruvka.minimum_spanning_arborescence, (GRAPH, 0), {"maximum": False}),
    "arborescence names": (boruvka.minimum_spanning_arborescence, (NAMED, "a"), {"maximum": False}),
    "edge_disjoint_forests": (boruvka.edge_disjoint_forests, (GRAPH,), {"k": 2, "maximum": False}),
    "mutual_reachability_forests": (
        boruvka.mutual_reachability_forests,
        (boruvka.Graph.from_points(POINTS), [2, 3]),
        {"algorithm": "auto", "threads": None},
    ),
    "batch": (boruvka.minimum_spanning_forests, (EDGES, [0, 2, 4]), {}),
    "batch of matrices": (boruvka.minimum_spanning_forests, (np.array([SQUARE, SQUARE]),), {"null_value": 0}),
    "random tree": (boruvka.random_spanning_tree, (GRAPH,), {"seed": 1, "method": "uniform"}),
    "IncrementalForest": (boruvka.IncrementalForest, (4,), {"maximum": False, "dtype": "float64"}),
    "insert": (lambda *a: incremental().insert(*a), (0, 1, 2.0), {}),
    "insert several": (lambda *a: incremental().insert(*a), ([0, 1], [1, 2], [2.0, 3.0]), {}),
    "incremental bottleneck": (incremental().bottleneck, (0, 1), {}),
    "Graph": (Graph, (4, *EDGES), {}),
    "from_edges": (Graph.from_edges, EDGES, {"n": 4, "names": None}),
    "from_distances": (Graph.from_distances, (SQUARE,), {}),
    "from_scipy": (Graph.from_scipy, (csgraph.minimum_spanning_tree(SQUARE),), {}),
    "from_dense": (Graph.from_dense, (SQUARE,), {"null_value": 0}),
    "from_points": (Graph.from_points, (POINTS, "euclidean"), {"min_samples": None, "names": None}),
    "from_profiles": (
        Graph.from_profiles,
        ([[1, 2], [1, 3], [1, 3]],),
        {"missing": "ignore", "names": None, "collapse": False},
    ),
    "from_profiles of a frame": (
        Graph.from_profiles,
        (pd.DataFrame({"a": [1, 1], "b": [2, 3]}),),
        {"loci": ["a", "b"], "names": ["x", "y"]},
    ),
    "from_neighbor_lists": (Graph.from_neighbor_lists, ([[1], [0]], [[1.0], [1.0]]), {}),
    "approximately": (
        Graph.from_points_approximately,
        (POINTS, "euclidean"),
        {"n_neighbors": 2, "ann_index": "exact", "join_components": True, "seed": 0, "options": {}},
    ),
    "mutual reachability": (Graph.from_mutual_reachability, (GRAPH, 2), {"alpha": 1.0}),
    "with_names": (GRAPH.with_names, (["a", "b", "c", "d"],), {}),
    "with_coordinates": (GRAPH.with_coordinates, (PLACES, "xy"), {}),
    "name_of": (NAMED.name_of, (0,), {}),
    "pixel_graph": (segmentation.pixel_graph, (SQUARE, 4), {}),
    "segment": (segmentation.segment, (GRAPH, 1.0), {"min_size": 1}),
    "csgraph": (csgraph.minimum_spanning_tree, (SQUARE, False), {}),
    "components": (csgraph.connected_components, (SQUARE, True, "weak", True), {}),
    "stream": (
        stream.minimum_spanning_forest,
        ([EDGES],),
        {
            "memory": None,
            "maximum": False,
            "threads": 1,
            "backend": "threads",
            "checkpoint": None,
            "names": False,
        }
        | {"progress": False, "n": 4},
    ),
    "stream verify": (
        stream.verify,
        ([EDGES], FOREST),
        {"memory": None, "maximum": False, "threads": 1, "progress": False, "n": 4},
    ),
    "remove_checkpoint": (stream.remove_checkpoint, ("missing",), {}),
    "as_graph of a network": (
        functools.partial(boruvka.as_graph, nx.path_graph(3)),
        (),
        {"weight": "weight", "default": 1.0},
    ),
    "as_graph of a dict": (functools.partial(boruvka.as_graph, {0: {1: {"w": 2}}}), (), {"weight": "w"}),
    "as_graph of igraph": (
        functools.partial(boruvka.as_graph, igraph.Graph(n=3, edges=[(0, 1)], edge_attrs={"weight": [1]})),
        (),
        {"weight": "weight"},
    ),
    "geometric_points": (generators.geometric_points, (4, 0), {}),
    "as_graph of rows with gaps": (
        functools.partial(boruvka.as_graph, pd.DataFrame({"u": [0, 1], "v": [1, 2], "w": [2.0, None]})),
        (),
        {"missing": "drop", "default": 1.0},
    ),
    "distributed": (distributed.minimum_spanning_forest, (GRAPH,), {}),
    **{
        family: (
            value.function,
            (),
            {p.name: 2 for p in inspect.signature(value.function).parameters.values() if p.default is p.empty}
            | {"seed": 0, "weights": "uniform", "dtype": "float32"},
        )
        for family, value in generators.FAMILIES.items()
    },
    **{f"forest.{name}": call for name, call in forest_calls(FOREST, range(4)).items()},
    **{f"named.{name}": call for name, call in forest_calls(NAMED_FOREST, "abcd").items()},
    "HDBSCAN": estimator(
        HDBSCAN,
        {"min_cluster_size": 2, "min_samples": 2, "cluster_selection_epsilon": 0.0, "max_cluster_size": None}
        | {"metric": "euclidean", "metric_params": None, "alpha": 1.0, "algorithm": "auto", "leaf_size": 40}
        | {"n_jobs": None, "cluster_selection_method": "eom", "allow_single_cluster": False}
        | {"store_centers": None, "copy": False},
    ),
    "SingleLinkage": estimator(
        SingleLinkage,
        {"n_clusters": 2, "metric": "euclidean", "metric_params": None, "distance_threshold": None},
    ),
    "fit_many": (HDBSCAN(min_cluster_size=2).fit_many, (POINTS, [2, 3]), {}),
    "plot a condensed tree": (HDBSCAN(min_cluster_size=2).fit(POINTS).condensed_tree_.plot, (None,), {}),
    "plot a tree": (
        HDBSCAN(min_cluster_size=2).fit(POINTS).single_linkage_tree_.plot,
        (),
        {"leaves": 3, "height": 2.0, "ax": None},
    ),
    "predict": (HDBSCAN(min_cluster_size=2).fit(POINTS).approximate_predict, (POINTS,), {}),
    "membership_vectors": (HDBSCAN(min_cluster_size=2).fit(POINTS).membership_vectors, (2,), {}),
    "dbscan_clustering": (HDBSCAN(min_cluster_size=2).fit(POINTS).dbscan_clustering, (1.0, 2), {}),
}


DRAWN = ("plot", "animate", "plot a tree", "plot a condensed tree")
"""Calls that take long."""
VALIDATED = ("HDBSCAN", "SingleLinkage", "predict", "fit_many")
"""Calls whose points and metric scikit-learn checks."""


def outcomes(name, step=1):
    """Yield, for each argument and every so many wrong values, the exception that a call raises, or None."""
    function, arguments, options = CALLS[name]
    for number, place in enumerate([*range(len(arguments)), *options]):
        for value in [*WRONG, a_generator()][number % step :: step]:
            if callable(value) and place in ("progress", "metric"):
                continue  # an exception that it raises is the user's
            if isinstance(place, int):
                given = (*arguments[:place], value, *arguments[place + 1 :]), options
            else:
                given = arguments, options | {place: value}
            yield place, value, error_of(function, *given)
    plt.close("all")


def error_of(function, arguments, options):
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function(*arguments, **options)
    except (Exception, Hang) as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def is_allowed(name, place, error):
    if isinstance(error, BoruvkaError):
        return 0 < len(str(error)) <= LONGEST_MESSAGE + 10
    if name in VALIDATED and place in (0, "metric") and isinstance(error, ValueError):
        return True
    return error is None or isinstance(error, Theirs | MemoryError)


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("step", [11, pytest.param(2, marks=pytest.mark.long)])
def test_wrong_arguments_give_an_answer_or_an_error_of_ours(step, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = []
    for name in CALLS:
        is_drawn = name.rpartition(".")[2] in DRAWN
        for place, value, error in outcomes(name, 5 * step if is_drawn else step):
            if not is_allowed(name, place, error):
                wrong.append(f"{name}, argument {place}, {shown(value):.80}: {type(error).__name__}")
    assert not wrong
