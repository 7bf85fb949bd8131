"""A program of a user who checks types strictly; `test_typing.py` checks it, and no test runs it.

`assert_type` pins what a checker knows: nothing public may become Any or unknown.
"""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import boruvka
from boruvka import (
    Forest,
    Graph,
    GraphError,
    Verification,
    csgraph,
    dask,
    generators,
    spark,
    stream,
)
from boruvka.sklearn import HDBSCAN, ClusterComparison, SingleLinkage


def graphs(points: NDArray[np.float64], path: Path) -> list[Graph]:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [5.0, 0.5, 2.0])
    assert_type(graph, Graph)
    assert_type(graph.n, int)
    assert_type(graph.m, int)
    assert_type(graph.u, NDArray[Any])
    assert_type(graph.w, NDArray[Any])
    named = Graph.from_edges(["a", "b"], ["b", "c"], np.array([1, 2]), names=True)
    assert_type(boruvka.read(path, names=True), Graph)
    boruvka.write(named, path.with_suffix(".csv"))
    assert_type(boruvka.read(path, node=True, attach=path, tolerance=50), Graph)
    assert_type(generators.grid(rows=10, cols=20, seed=1).vertex_near((0, 0)), Any)
    neighbours = Graph.from_neighbor_lists(np.array([[1], [0]]), np.array([[1.0], [1.0]]))
    return [graph, named, Graph(3, [0], [1], [2]), Graph.from_distances(points), neighbours]


def solve(graph: Graph) -> Forest:
    forest = boruvka.minimum_spanning_forest(graph, maximum=False, threads=2, options={})
    assert_type(forest, Forest)
    assert_type(boruvka.minimum_spanning_forest([("a", "b", 1)], names=True, threads=1), Forest)
    assert_type(forest.edges, NDArray[np.int64])
    assert_type(forest.weight, int | float)
    assert_type(forest.n_components, int)
    assert_type(forest.labels, NDArray[np.int64])
    assert_type(forest.edge_mask, NDArray[np.bool_])
    assert_type([round_.n_components for round_ in forest.rounds], list[int])
    return forest


def query(forest: Forest) -> None:
    assert_type(forest.path(0, 2), NDArray[Any])
    assert_type(forest.bottleneck([0], [2]).edges, NDArray[np.int64])
    assert_type(forest.update(([0], [1], [0.5])), Forest)
    assert_type(forest.linkage(), NDArray[np.float64])
    assert_type(forest.cut(2), NDArray[np.int64])
    cuts = forest.cuts([0.5, 1.0])
    assert_type(cuts.labels, NDArray[np.int64])
    assert_type(cuts.n_clusters, NDArray[np.int64])
    assert_type(forest.regions(2, np.zeros((3, 1))), NDArray[np.int64])
    assert_type(forest.to_host(), Forest)


def check(graph: Graph, forest: Forest) -> str:
    found = boruvka.verify(graph, forest)
    assert_type(found, Verification)
    return found.message if not found else "right"


def errors() -> str:
    try:
        boruvka.minimum_spanning_forest(([0], [1], [float("nan")]))
    except GraphError as error:
        return str(error)
    except boruvka.MissingExtraError:
        raise
    return ""


def modules(image: NDArray[np.uint8], path: Path, forest: Forest) -> None:
    assert_type(stream.minimum_spanning_forest(path, memory="2G"), Forest)
    assert_type(stream.verify(path, forest), Verification)
    stream.remove_checkpoint(path)
    assert_type(boruvka.segment(boruvka.pixel_graph(image), 4.0), NDArray[np.int64])
    assert_type(csgraph.connected_components([[0, 1], [0, 0]]), tuple[int, NDArray[np.int32]])
    assert_type(csgraph.connected_components([[0, 1], [0, 0]], return_labels=False), int)
    assert_type(dask.minimum_spanning_forest(path).n_components, int)
    assert_type(spark.minimum_spanning_forest(path).forest, Forest)
    assert_type(HDBSCAN(min_cluster_size=5).fit(image).labels_, NDArray[np.int64])
    assert_type(HDBSCAN(min_cluster_size=5).fit_many(image, min_samples=[2, 3]), list[HDBSCAN])
    model = HDBSCAN(min_cluster_size=5).fit(image).with_min_cluster_size(9)
    assert_type(model.compare_min_cluster_sizes([5, 9]), ClusterComparison)
    complete = boruvka.Graph.from_points(image, box=[1.0, None])
    assert_type(boruvka.minimum_spanning_forest(complete).branches().length, NDArray[np.float64])
    assert_type(boruvka.minimum_spanning_forest(complete).hdbscan([5, 9]).labels, NDArray[np.int64])
    assert_type(boruvka.mutual_reachability_forests(complete, [2, 3]), list[Forest])
    assert_type(SingleLinkage(n_clusters=2).fit(image).labels_, NDArray[np.int64])
