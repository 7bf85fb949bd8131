"""Bounds of distances hold, and what is found with them is what distances give."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.algorithms import dense
from boruvka.algorithms.tile_candidates import BoundedTiles
from boruvka.backends.threads import Threads
from boruvka.graph.points.core_distances import PairBlocks, core_distances_of_all_pairs
from boruvka.graph.points.distance_blocks import BLOCK
from boruvka.graph.points.distance_bounds import PITCH, PRODUCT_METRICS, bound_block, bound_of, lowered
from tests import oracles
from tests.algorithms.solving import solve
from tests.graph.points.test_distance_blocks import graphs

SIZES = st.sampled_from([129, 150, 256, 260, 300])
METRICS = st.sampled_from([distance.__name__ for distance in PRODUCT_METRICS])
SAMPLES = st.sampled_from([None, 1, 2, 5, 40])


def bounded(graph):
    """Leave out graphs that have no bounds; return the bounds of others."""
    bounds = PairBlocks(graph.pairs, Threads(1)).bounds
    assume(bounds is not None)
    return bounds


def store_block(b, upper, bounds, out):
    rows = out.shape[1] // int(BLOCK)
    bound_block(b // rows, b % rows, bounds, upper)
    for k in range(BLOCK * BLOCK):
        x, y = k // BLOCK, k % BLOCK
        out[b // rows * BLOCK + x, b % rows * BLOCK + y] = upper[x * PITCH + y]


@given(graph=graphs(SIZES, METRICS))
def test_bounds_enclose_distances(graph):
    """Also after rounding: half the square of a distance is computed with fractions."""
    bounds = bounded(graph)
    rows = np.uint64(-(-graph.n // int(BLOCK)))
    upper = np.empty((int(rows * BLOCK),) * 2, np.float32)
    scratch = [(int(BLOCK * PITCH), np.float32)]
    Threads(1).for_each_block(store_block, int(rows * rows), scratch, bounds, upper)
    i, j = graph.u[::97].astype(int), graph.v[::97].astype(int)
    lower = lowered(upper[i, j], bounds.error[i] + bounds.error[j])
    exact = [
        PRODUCT_METRICS[graph.distance](Fraction(w), Fraction(bounds.scale)) for w in graph.w[::97].tolist()
    ]
    assert all(
        low <= q <= high for low, q, high in zip(lower.tolist(), exact, upper[i, j].tolist(), strict=True)
    )
    assert np.isinf(upper[graph.n :]).all()
    assert np.isinf(upper[:, graph.n :]).all()


@pytest.mark.parametrize("distance", PRODUCT_METRICS, ids=lambda distance: distance.__name__)
@given(weight=st.floats(0, 1e30), exponent=st.integers(-300, 100))
def test_bounds_of_weights(distance, weight, exponent):
    scale = np.float64(2.0**exponent)
    bound = float(bound_of(distance)(np.float64(weight), scale))
    exact = PRODUCT_METRICS[distance](Fraction(weight), Fraction(scale))
    assert exact <= bound or bound == 2.0**100
    assert lowered(np.float32(bound), np.float32(2.0**-98)) <= exact


@pytest.mark.long
@given(graph=graphs(SIZES, METRICS), samples=st.sampled_from([1, 2, 5, 40]), threads=st.integers(1, 3))
@settings(max_examples=60)
def test_core_distances_and_nearest_points(graph, samples, threads):
    bounded(graph)
    backend, nearest = Threads(threads), np.empty((graph.n, samples - 1), np.uint32)
    core = core_distances_of_all_pairs(
        graph.pairs, samples, PairBlocks(graph.pairs, backend), backend, nearest
    )
    distances = np.zeros((graph.n, graph.n))
    distances[graph.u, graph.v] = distances[graph.v, graph.u] = graph.w
    np.testing.assert_array_equal(core, np.sort(distances, axis=1)[:, samples - 1])
    np.fill_diagonal(distances, np.inf)
    found = np.take_along_axis(distances, nearest.astype(int), axis=1)
    np.testing.assert_array_equal(found, np.sort(distances, axis=1)[:, : samples - 1])


@pytest.mark.long
@given(graph=graphs(SIZES, METRICS), samples=SAMPLES, threads=st.integers(1, 3))
@settings(max_examples=60)
def test_forests(graph, samples, threads):
    graph = Graph.from_points(graph.points, graph.distance, min_samples=samples)
    edges, _ = solve(graph, "dense", Threads(threads))
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)


@pytest.mark.parametrize("samples", [None, 2])
@pytest.mark.parametrize("algorithm", ["auto", "dense"])
def test_points_without_coordinates_are_all_equal(samples, algorithm):
    graph = Graph.from_points(np.empty((130, 0)), min_samples=samples)
    assert solve(graph, algorithm, Threads(2))[0] == list(range(129))


def test_few_distances_are_computed(monkeypatch):
    """Of points in general position, nearly all candidates are in the forests of tiles."""
    kept = []
    solve_tiles = BoundedTiles.solve

    def count(tiles, row, column):
        pair, key = solve_tiles(tiles, row, column)
        kept.append((row.size, pair.size))
        return pair, key

    monkeypatch.setattr(BoundedTiles, "solve", count)
    monkeypatch.setattr(dense.ExactTiles, "solve", lambda *_: pytest.fail("a tile was solved by distances"))
    points = np.random.default_rng(0).normal(size=(1_280, 60))
    edges, _ = solve(Graph.from_points(points, "cosine"), "dense", Threads(2))
    assert len(edges) == 1_279
    ((tiles, pairs),) = kept
    trees = 10 * 127 + 45 * 255
    assert tiles == 55
    assert trees <= pairs <= 1.01 * trees


@pytest.mark.long
@given(seed=st.integers(0, 999), spread=st.floats(0.004, 0.03), samples=st.sampled_from([None, 4]))
@settings(max_examples=20)
def test_distances_as_near_as_errors(seed, spread, samples):
    """Bounds leave more than a tree, whose edges differ from those of the tree of upper bounds."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(3, 100))[random.integers(0, 3, 250)] + spread * random.normal(
        size=(250, 100)
    )
    graph = Graph.from_points(points, min_samples=samples)
    edges, _ = solve(graph, "dense", Threads(2))
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)


def test_a_tile_with_many_candidates_is_solved_by_distances(monkeypatch):
    solved = []
    solve_tiles = dense.ExactTiles.solve
    monkeypatch.setattr(
        dense.ExactTiles,
        "solve",
        lambda tiles, row, column: solved.append(row) or solve_tiles(tiles, row, column),
    )
    points = np.random.default_rng(0).normal(size=(300, 20))
    points[128:] = points[128:] * 1e-9 + 5.0  # as near as errors
    graph = Graph.from_points(points, min_samples=3)
    edges, _ = solve(graph, "dense", Threads(2))
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    assert [rows.tolist() for rows in solved] == [[0, 0, 1, 1, 2]]
