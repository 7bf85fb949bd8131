"""Clustering of points and graphs against libraries that do the same, or something close."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import click
import numpy as np

from boruvka import minimum_spanning_forest
from boruvka.runtime.libraries import require
from lab.contestants.points import PointSet
from lab.harness.command import check_output, finish, output_option
from lab.harness.comparison import OTHER, OURS, Call, compare
from lab.harness.results import Record
from lab.harness.schemes import KBest, Scheme

BLOBS = {
    "100,000 points in the plane": (100_000, 2, 0.3),
    "100,000 points in 5 dimensions": (100_000, 5, 1.0),
}
"""Number of points, dimensions and spread of each blob."""
MANY = {
    "1,000,000 points in the plane": (1_000_000, 2, 0.3),
    "200,000 points in 3 dimensions": (200_000, 3, 0.5),
}
POINTS = "fast_hdbscan", "fast_plscan"
"""Libraries that cluster points; the second selects other clusters of the same tree."""
SIDES = 10, 20, 30
"""Areas along a side of the maps."""
REGIONS = 10


def hdbscan(name: str, n: int, dimensions: int, spread: float, scheme: Scheme) -> dict[str, Any]:
    """Compare HDBSCAN on the 20 nearest neighbours of points in blobs, from a sparse matrix of distances."""
    fast_hdbscan = require("fast_hdbscan", "sklearn")
    from fast_hdbscan.precomputed import compute_mst_from_precomputed_sparse
    from sklearn.datasets import make_blobs
    from sklearn.metrics import adjusted_rand_score
    from sklearn.neighbors import NearestNeighbors

    from boruvka.sklearn import HDBSCAN

    points, _ = make_blobs(n, dimensions, centers=100, cluster_std=spread, random_state=1)
    distances = NearestNeighbors(n_neighbors=20).fit(points).kneighbors_graph(mode="distance")
    options: dict[str, Any] = {"metric": "precomputed", "min_samples": 10, "min_cluster_size": 50}
    heights = np.sort(compute_mst_from_precomputed_sparse(distances, options["min_samples"])[0][:, 2])
    expected = HDBSCAN(**options).fit(distances).labels_

    def same_tree(model: Any) -> bool:
        return np.allclose(model.single_linkage_tree_.linkage[:, 2], heights)

    def same_clusters(model: Any) -> bool:
        return adjusted_rand_score(expected, model.labels_) > 0.99  # ties are broken differently

    return compare(
        f"HDBSCAN, {name}",
        "fast_hdbscan",
        PointSet(points),
        scheme,
        Call(OURS, lambda: HDBSCAN(**options).fit(distances), same_tree),
        Call(OTHER, lambda: fast_hdbscan.HDBSCAN(**options).fit(distances), same_clusters),
    )


def hdbscan_of_points(
    name: str, n: int, dimensions: int, spread: float, library: str, scheme: Scheme
) -> dict[str, Any]:
    """Compare HDBSCAN of points in blobs."""
    other = require(library, "sklearn")
    from sklearn.datasets import make_blobs
    from sklearn.metrics import adjusted_rand_score

    from boruvka.sklearn import HDBSCAN

    points, _ = make_blobs(n, dimensions, centers=100, cluster_std=spread, random_state=1)
    options: dict[str, Any] = {"min_samples": 10, "min_cluster_size": 50}
    expected = HDBSCAN(**options).fit(points).labels_
    make = other.HDBSCAN if library == "fast_hdbscan" else other.PLSCAN
    least = 0.9 if library == "fast_hdbscan" else 0.2

    def same_clusters(model: Any) -> bool:
        return adjusted_rand_score(expected, model.labels_) > least

    return compare(
        f"HDBSCAN, {name}",
        library,
        PointSet(points),
        scheme,
        Call(OURS, lambda: HDBSCAN(**options).fit(points), lambda model: (model.labels_ == expected).all()),
        Call(OTHER, lambda: make(**options).fit(points), same_clusters),
    )


def embeddings(scheme: Scheme) -> dict[str, Any]:
    """Compare clusters of embeddings, here of the graph of nearest neighbours, with the clusters of evoc."""
    evoc = require("evoc", "sklearn")
    from sklearn.datasets import make_blobs
    from sklearn.metrics import adjusted_rand_score
    from sklearn.neighbors import NearestNeighbors

    from boruvka.sklearn import HDBSCAN

    points, truth = make_blobs(20_000, 64, centers=50, random_state=1)
    points = points.astype(np.float32)

    def ours() -> Any:
        search = NearestNeighbors(n_neighbors=20, algorithm="brute", n_jobs=-1).fit(points)
        graph = search.kneighbors_graph(mode="distance")
        return HDBSCAN(metric="precomputed", min_samples=10, min_cluster_size=50).fit(graph)

    def are_found(model: Any) -> bool:
        return adjusted_rand_score(truth, model.labels_) > 0.95

    def are_many(model: Any) -> bool:  # of several layers, coarse and fine
        return max(layer.max() for layer in model.cluster_layers_) > 5

    return compare(
        "20,000 embeddings of 64 dimensions",
        "evoc",
        PointSet(points),
        scheme,
        Call(OURS, ours, are_found),
        Call(OTHER, lambda: evoc.EVoC(base_min_cluster_size=50).fit(points), are_many),
    )


def regions(side: int, scheme: Scheme) -> dict[str, Any]:
    """Compare the regions of a map of square areas with two attributes, from these and the neighbours."""
    libpysal, spopt = require("libpysal", "sklearn"), require("spopt.region", "sklearn")
    import pandas as pd
    from sklearn.metrics import pairwise

    neighbours = libpysal.weights.lat2W(side, side)
    attributes = np.random.default_rng(side).normal(size=(side * side, 2))
    areas = pd.DataFrame(attributes, columns=["income", "age"])
    pairs = np.array([(i, j) for i, found in neighbours.neighbors.items() for j in found if i < j])

    def ours() -> Any:
        u, v = pairs.T
        distances = ((attributes[u] - attributes[v]) ** 2).sum(1)
        return minimum_spanning_forest((u, v, distances)).regions(REGIONS, attributes)

    def squared(a: Any, b: Any) -> Any:
        return pairwise.euclidean_distances(a, b, squared=True)

    def theirs() -> Any:
        how = {"dissimilarity": squared}
        model = spopt.Skater(areas, neighbours, list(areas), REGIONS, spanning_forest_kwds=how)
        model.solve()
        return model.labels_

    def renumbered(labels: Any) -> list[int]:
        numbers = {label: i for i, label in enumerate(dict.fromkeys(labels.tolist()))}
        return [numbers[label] for label in labels.tolist()]

    expected = renumbered(theirs())
    return compare(
        f"{REGIONS} regions of {side} x {side} areas",
        "spopt",
        PointSet(attributes),
        scheme,
        Call(OURS, ours, lambda labels: renumbered(labels) == expected),
        Call(OTHER, theirs, lambda labels: renumbered(labels) == expected),
    )


@click.command()
@output_option
def command(output: Path | None) -> None:
    """Measure HDBSCAN against fast_hdbscan, fast-plscan and evoc, and regions against spopt.

    Install them first. Results are compared first, then both run in turn.
    """
    check_output(output)
    warnings.simplefilter("ignore")  # of the other libraries
    scheme = KBest(seconds=30)
    rows = [hdbscan(name, *blobs, scheme) for name, blobs in BLOBS.items()]
    rows += [
        hdbscan_of_points(name, *blobs, library, scheme) for name, blobs in MANY.items() for library in POINTS
    ]
    rows += [embeddings(scheme)]
    rows += [regions(side, scheme) for side in SIDES]
    finish(Record("clustering", {"medians": rows}), output)
