"""Whole jobs of users, from their data to the answer, against the libraries that they use for it today."""

from __future__ import annotations

import itertools
import warnings
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph

import boruvka
from boruvka import Graph, generators
from boruvka.runtime.libraries import require
from lab.contestants.points import PointSet
from lab.harness.command import check_output, finish, output_option
from lab.harness.comparison import OTHER, OURS, Call, compare
from lab.harness.results import Record
from lab.harness.schemes import KBest, Scheme

WINDOW = 250
"""Days of a window of returns."""


def city(side: int, places: int) -> tuple[Any, Any]:
    """Generate streets between the corners of a bent grid, and places beside them."""
    geopandas, shapely = require("geopandas", "geo"), require("shapely", "geo")
    rng = np.random.default_rng(1)
    corners = rng.normal(0, 12, (side, side, 2)) + 100 * np.stack(np.meshgrid(range(side), range(side)), 2)
    rows = [*corners, *corners.transpose(1, 0, 2)]
    lines = shapely.linestrings([pair for row in rows for pair in pairwise(row)])
    points = geopandas.points_from_xy(*rng.uniform(0, 100 * (side - 1), (2, places)))
    return geopandas.GeoDataFrame(geometry=lines), geopandas.GeoDataFrame(geometry=points)


def attached(library: str, side: int, places: int, scheme: Scheme) -> dict[str, Any]:
    """Compare the join of places to the nearest points of streets, where these are split, by lengths."""
    module = require(library, "geo")
    streets, buildings = city(side, places)
    lengths = float(boruvka.as_graph(streets, attach=buildings).w.sum())

    def snkit() -> float:
        network = module.Network(nodes=buildings.copy(), edges=streets.copy())
        return float(module.network.link_nodes_to_nearest_edge(network).edges.length.sum())

    def spaghetti() -> float:
        network = module.Network(in_data=streets)
        network.snapobservations(buildings, "places")
        links = network.pointpatterns["places"].dist_snapped.values()
        return float(streets.length.sum()) + sum(links)

    return compare(
        f"{places} places joined to {len(streets):,} streets",
        library,
        PointSet(np.empty((len(streets), 2))),
        scheme,
        Call(OURS, lambda: boruvka.as_graph(streets, attach=buildings), lambda graph: graph.m > len(streets)),
        Call(
            OTHER,
            {"snkit": snkit, "spaghetti": spaghetti}[library],
            lambda sum: np.isclose(sum, lengths, 1e-9),
        ),
    )


def large_city(side: int, places: int, scheme: Scheme) -> dict[str, Any]:
    """Compare streets that are split where they meet, with places, with the streets as they are."""
    streets, buildings = city(side, places)
    return compare(
        f"{places} places joined to {len(streets):,} streets, which are split where they meet",
        "our graph of the streets alone",
        PointSet(np.empty((len(streets), 2))),
        scheme,
        Call(
            OURS,
            lambda: boruvka.as_graph(streets, node=True, attach=buildings),
            lambda graph: graph.n == side * side + 2 * places,
        ),
        Call(OTHER, lambda: boruvka.as_graph(streets), lambda graph: graph.n == side * side),
    )


def prizes(what: str, graph: Graph, count: int, scheme: Scheme) -> dict[str, Any]:
    """Compare prize-collecting trees with those of pcst_fast, which must not be lighter by a tenth."""
    pcst_fast = require("pcst_fast", "geo").pcst_fast
    rng = np.random.default_rng(2)
    values = np.zeros(graph.n)
    values[rng.choice(graph.n, count, replace=False)] = rng.uniform(100, 4000, count)
    ends, costs = np.stack([graph.u, graph.v], 1), graph.w.astype(np.float64)
    total = boruvka.prize_collecting_tree(graph, values).total

    def theirs() -> float:
        vertices, edges = pcst_fast(ends, values, costs, -1, 1, "strong", 0)
        missed = np.ones(graph.n, np.bool_)
        missed[np.array(vertices)] = False
        return float(costs[np.array(edges)].sum() + values[missed].sum())

    return compare(
        f"prize-collecting tree of {count:,} prizes, {what}",
        "pcst_fast",
        graph,
        scheme,
        Call(OURS, lambda: boruvka.prize_collecting_tree(graph, values), lambda tree: tree.total == total),
        Call(OTHER, theirs, lambda found: 0.9 * found < total < 1.1 * found),
    )


def returns_of_stocks(windows: int, stocks: int) -> Any:
    """Generate the daily returns of stocks that follow a market."""
    pandas = require("pandas", "pandas")
    rng = np.random.default_rng(3)
    market = rng.normal(size=WINDOW + windows - 1)
    values = rng.normal(size=(market.size, stocks)) + np.outer(market, rng.uniform(0.3, 1.2, stocks))
    return pandas.DataFrame(values, columns=[f"S{k:03}" for k in range(stocks)])


def rolling(windows: int, stocks: int, scheme: Scheme) -> dict[str, Any]:
    """Compare trees of correlations in windows that roll over the days with a loop of pandas and SciPy."""
    returns = returns_of_stocks(windows, stocks)
    weights = boruvka.rolling_forests(returns, WINDOW).weight

    def theirs() -> list[float]:
        correlations = (returns[begin : begin + WINDOW].corr() for begin in range(windows))
        matrices = (np.sqrt(2 * (1 - c.to_numpy().clip(-1, 1))) for c in correlations)
        return [csgraph.minimum_spanning_tree(matrix).sum() for matrix in matrices]

    return compare(
        f"trees of {windows} windows of {WINDOW} days of {stocks} stocks",
        "pandas and SciPy, one by one",
        PointSet(returns.to_numpy()),
        scheme,
        Call(OURS, lambda: boruvka.rolling_forests(returns, WINDOW), lambda trees: len(trees) == windows),
        Call(OTHER, theirs, lambda found: np.allclose(found, weights)),
    )


def matrices(count: int, n: int, scheme: Scheme) -> dict[str, Any]:
    """Compare the trees of many matrices of distances with a loop of our trees of one."""
    rng = np.random.default_rng(4)
    distances = rng.random((count, n, n))
    distances += distances.swapaxes(1, 2).copy()
    distances[:, range(n), range(n)] = 0
    weights = boruvka.minimum_spanning_forests(distances).weight

    def one_by_one() -> list[float]:
        graphs = map(Graph.from_distances, distances)
        return [float(boruvka.minimum_spanning_forest(graph).weight) for graph in graphs]

    def same(found: Any) -> bool:
        return np.allclose(found, weights, rtol=1e-12)

    return compare(
        f"trees of {count} matrices of {n} x {n} distances",
        "our loop",
        PointSet(distances[0]),
        scheme,
        Call(OURS, lambda: boruvka.minimum_spanning_forests(distances).weight, same),
        Call(OTHER, one_by_one, same),
    )


def ranked(count: int, n: int, m: int, scheme: Scheme) -> dict[str, Any]:
    """Compare the lightest trees, one after another, with those of NetworkX."""
    nx = require("networkx", "networkx")
    graph = generators.random(n, m, seed=5, weights="integers_1000", dtype="int64")
    other = nx.Graph()
    other.add_weighted_edges_from(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
    u, v, w = np.array(list(other.edges(data="weight")), dtype=np.int64).T
    graph = Graph(n, u, v, w)  # without the parallel edges, which NetworkX does not keep
    forest = boruvka.minimum_spanning_forest(graph)
    expected = [tree.weight for tree in itertools.islice(forest.ranked(), count)]

    def theirs() -> list[int]:
        trees = itertools.islice(nx.SpanningTreeIterator(other), count)
        return [tree.size(weight="weight") for tree in trees]

    return compare(
        f"the {count} lightest trees, {n} vertices, {m:,} edges",
        "NetworkX",
        graph,
        scheme,
        Call(
            OURS,
            lambda: [tree.weight for tree in itertools.islice(forest.ranked(), count)],
            lambda found: found == expected,
        ),
        Call(OTHER, theirs, lambda found: found == expected),
    )


def persistence(n: int, library: str, scheme: Scheme) -> dict[str, Any]:
    """Compare the deaths of components of points with those of a library of persistent homology."""
    module = require(library, "sklearn")
    points = np.random.default_rng(6).normal(size=(n, 2))

    def ours() -> NDArray[Any]:
        return np.sort(boruvka.minimum_spanning_forest(Graph.from_points(points)).w)

    def ripser() -> NDArray[Any]:
        return np.sort(module.ripser(points, maxdim=0)["dgms"][0][:-1, 1])

    def gudhi() -> NDArray[Any]:
        tree = module.RipsComplex(points=points).create_simplex_tree(max_dimension=1)
        tree.compute_persistence(homology_coeff_field=2, persistence_dim_max=True)
        return np.sort(tree.persistence_intervals_in_dimension(0)[:-1, 1])

    expected = ours()
    return compare(
        f"persistence of dimension 0 of {n:,} points in the plane",
        library,
        PointSet(points),
        scheme,
        Call(OURS, ours, lambda deaths: np.array_equal(deaths, expected)),
        Call(
            OTHER,
            {"ripser": ripser, "gudhi": gudhi}[library],
            lambda deaths: np.allclose(deaths, expected, rtol=1e-6),
        ),
    )


def cluster_sizes(n: int, dimensions: int, scheme: Scheme) -> dict[str, Any]:
    """Compare ten values of the smallest cluster on one tree with ten fits of hdbscan."""
    hdbscan = require("hdbscan", "sklearn")
    from sklearn.datasets import make_blobs

    from boruvka.sklearn import HDBSCAN

    points, _ = make_blobs(n, dimensions, centers=20, random_state=7)
    sizes = range(10, 110, 10)
    counts = [HDBSCAN(min_cluster_size=k, min_samples=11).fit(points).labels_.max() + 1 for k in sizes]

    def ours() -> list[int]:
        model = HDBSCAN(min_cluster_size=10, min_samples=11).fit(points)
        return list(model.compare_min_cluster_sizes(sizes).n_clusters)

    def theirs() -> list[int]:
        fits = (hdbscan.HDBSCAN(min_cluster_size=k, min_samples=10).fit(points) for k in sizes)
        return [fit.labels_.max() + 1 for fit in fits]

    return compare(
        f"HDBSCAN of {n:,} points in {dimensions} dimensions for ten values of min_cluster_size",
        "hdbscan, ten fits",
        PointSet(points),
        scheme,
        Call(OURS, ours, lambda found: found == counts),
        Call(OTHER, theirs, lambda found: np.abs(np.subtract(found, counts)).max() <= 1),  # ties
    )


def box(n: int, scheme: Scheme) -> dict[str, Any]:
    """Compare points in a periodic box with the same points in an open one."""
    points = np.random.default_rng(8).random((n, 3))

    def tree(**options: Any) -> Any:
        return boruvka.minimum_spanning_forest(Graph.from_points(points, **options))

    closed, open_ = tree(box=1.0).weight, tree().weight
    return compare(
        f"{n:,} points in a periodic box of three dimensions",
        "our open box",
        PointSet(points),
        scheme,
        Call(OURS, lambda: tree(box=1.0), lambda found: found.weight == closed < open_),
        Call(OTHER, tree, lambda found: found.weight == open_),
    )


def network(n: int, scheme: Scheme) -> dict[str, Any]:
    """Compare the edges of all minimum spanning trees of points with one tree."""
    points = np.random.default_rng(9).random((n, 2))
    forest = boruvka.minimum_spanning_forest(Graph.from_points(points))
    return compare(
        f"minimum spanning network of {n:,} points in the plane, of their tree",
        "our tree",
        PointSet(points),
        scheme,
        Call(OURS, forest.network, lambda found: len(found) == n - 1),  # random weights have no ties
        Call(
            OTHER,
            lambda: boruvka.minimum_spanning_forest(Graph.from_points(points)),
            lambda found: len(found) == n - 1,
        ),
    )


@click.command()
@click.option("--quick", is_flag=True, help="Measure small data: does it run?")
@output_option
def command(quick: bool, output: Path | None) -> None:
    """Measure jobs from data to answer, against what people use for them.

    Install snkit, spaghetti, pcst_fast, ripser, gudhi, hdbscan and networkx first; pcst_fast from its source
    (pip install --no-binary pcst_fast pcst_fast), as the arrays of its wheel are wrong with NumPy 2. Answers
    are checked.
    """
    check_output(output)
    warnings.simplefilter("ignore")  # of the other libraries
    scheme, f = KBest(seconds=20), 10 if quick else 1
    side = 220 // f + 5
    rows = [
        attached("snkit", 20 // f + 5, 40, scheme),
        attached("spaghetti", 40 // f + 5, 40, scheme),
        large_city(side, 40, scheme),
        prizes(
            f"grid {side} x {side}",
            generators.grid(side, side, weights="integers_1000", seed=1),
            1000 // f,
            scheme,
        ),
        rolling(500 // f, 300 // f, scheme),
        matrices(500 // f, 300 // f, scheme),
        ranked(20, 300 // f, 1200 // f, scheme),
        persistence(2000 // f, "ripser", scheme),
        persistence(2000 // f, "gudhi", scheme),
        cluster_sizes(20_000 // f, 8, scheme),
        box(1_000_000 // f, scheme),
        network(200_000 // f, scheme),
    ]
    finish(Record("jobs", {"medians": rows}), output)
