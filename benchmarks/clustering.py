"""Measure clustering of graphs against libraries that do the same: ``python benchmarks/clustering.py``.

HDBSCAN of a graph of 20 nearest neighbours against `fast_hdbscan`, and regions of a map of square areas
against `spopt` (SKATER); install both first. Each contestant starts from the object that it takes: a sparse
matrix of distances, a table of attributes with the pairs of neighbours. Results are compared first, then both
run in turn. Results are written beside this file, with the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import boruvka
from boruvka.bench.machine import describe, versions
from boruvka.bench.tables import Table, markdown, milliseconds

BLOBS = {
    "100,000 points in the plane": (100_000, 2, 0.3),
    "100,000 points in 5 dimensions": (100_000, 5, 1.0),
}
"""Number of points, dimensions and spread of each blob."""
SIDES = 10, 20, 30
"""Areas along a side of the maps."""
REGIONS = 10


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--sides", type=int, nargs="*", default=SIDES, help="areas along a side of the maps")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("clustering.json"))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # of the other libraries
    results = [hdbscan(name, *blobs, arguments.runs) for name, blobs in BLOBS.items()]
    results += [regions(side, arguments.runs) for side in arguments.sides]
    record = {
        "machine": describe(),
        "versions": versions() | versions_of_others(),
        "results": results,
    }
    arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(markdown(table_of(results)))
    return 0


def versions_of_others() -> dict[str, str]:
    """Return the versions of the libraries that are compared."""
    from importlib.metadata import version

    return {name: version(name) for name in ("scikit-learn", "fast_hdbscan", "spopt")}


def hdbscan(name: str, n: int, dimensions: int, spread: float, runs: int) -> dict[str, Any]:
    """Compare HDBSCAN on the 20 nearest neighbours of points in blobs."""
    import fast_hdbscan
    from fast_hdbscan.precomputed import compute_mst_from_precomputed_sparse
    from sklearn.datasets import make_blobs
    from sklearn.metrics import adjusted_rand_score
    from sklearn.neighbors import NearestNeighbors

    from boruvka.sklearn import HDBSCAN

    points, _ = make_blobs(n, dimensions, centers=100, cluster_std=spread, random_state=1)
    distances = NearestNeighbors(n_neighbors=20).fit(points).kneighbors_graph(mode="distance")
    options = {"metric": "precomputed", "min_samples": 10, "min_cluster_size": 50}

    def ours() -> Any:
        return HDBSCAN(**options).fit(distances)

    def theirs() -> Any:
        return fast_hdbscan.HDBSCAN(**options).fit(distances)

    heights = np.sort(compute_mst_from_precomputed_sparse(distances, options["min_samples"])[0][:, 2])
    assert np.allclose(ours().single_linkage_[:, 2], heights), "the trees have other weights"
    likeness = adjusted_rand_score(ours().labels_, theirs().labels_)
    assert likeness > 0.99, f"the clusters are others: {likeness}"  # ties are broken differently
    return {"what": f"HDBSCAN, {name}", "against": "fast_hdbscan", "adjusted Rand index": likeness} | in_turn(
        ours, theirs, runs
    )


def regions(side: int, runs: int) -> dict[str, Any]:
    """Compare the regions of a map whose areas have two attributes."""
    import libpysal
    import pandas as pd
    from sklearn.metrics import pairwise
    from spopt.region import Skater

    neighbours = libpysal.weights.lat2W(side, side)
    rng = np.random.default_rng(side)
    areas = pd.DataFrame(rng.normal(size=(side * side, 2)), columns=["income", "age"])
    attributes = areas.to_numpy()
    pairs = np.array([(i, j) for i, found in neighbours.neighbors.items() for j in found if i < j])

    def ours() -> NDArray[np.int64]:
        u, v = pairs.T
        distances = ((attributes[u] - attributes[v]) ** 2).sum(1)
        return boruvka.minimum_spanning_forest((u, v, distances)).regions(REGIONS, attributes)

    def squared(a: Any, b: Any) -> Any:
        return pairwise.euclidean_distances(a, b, squared=True)

    def theirs() -> Any:
        how = {"dissimilarity": squared}
        model = Skater(areas, neighbours, list(areas), REGIONS, spanning_forest_kwds=how)
        model.solve()
        return model.labels_

    labels = theirs().tolist()
    numbers = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    assert ours().tolist() == [numbers[label] for label in labels], "the regions are others"
    what = f"{REGIONS} regions of {side} x {side} areas"
    return {"what": what, "against": "spopt"} | in_turn(ours, theirs, runs if side < 25 else 1)


def in_turn(ours: Callable[[], Any], theirs: Callable[[], Any], runs: int) -> dict[str, Any]:
    """Time two contestants in turn; both ran before."""
    seconds: dict[str, list[float]] = {"boruvka": [], "other": []}
    for _ in range(runs):
        for name, run in (("other", theirs), ("boruvka", ours)):
            begin = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - begin)
    return {"seconds": seconds}


def table_of(results: list[dict[str, Any]]) -> Table:
    """Make a table of median times."""
    rows = []
    for one in results:
        ours, other = (statistics.median(one["seconds"][name]) for name in ("boruvka", "other"))
        cells = (one["what"], one["against"], milliseconds(ours), milliseconds(other), f"{other / ours:.1f}")
        rows.append(cells)
    return Table("Clustering", ("what", "against", "boruvka ms", "other ms", "times"), tuple(rows))


if __name__ == "__main__":
    sys.exit(main())
