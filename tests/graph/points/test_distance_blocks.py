"""Blocks of distances have the bits of the distances of pairs; core distances and forests of them."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boruvka import Graph, GraphError
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from boruvka.backends.tuning import Tuning
from boruvka.graph.points.core_distances import MATRIX_PAYS_FROM, PairBlocks, core_distances_of_all_pairs
from boruvka.graph.points.distance_blocks import BLOCK_METRICS
from tests import oracles
from tests.algorithms.solving import solve
from tests.marks import long_but

METRICS = st.sampled_from([distance.__name__ for distance in BLOCK_METRICS])
SIZES = st.one_of(st.integers(1, 3), st.sampled_from([8, 127, 128, 129, 260, 300]))
DIMENSIONS = st.one_of(st.integers(1, 9), st.sampled_from([31, 32, 33, 36, 63, 65, 100, 384, 2_000]))


@st.composite
def graphs(draw, sizes=SIZES, metrics=METRICS):
    """Draw points of one kind, and a metric that is defined for them."""
    n, d, metric = draw(sizes), draw(DIMENSIONS), draw(metrics)
    kind = draw(
        st.sampled_from(
            ["normal", "lattice", "duplicates", "constant", "far", "mixed", "zeros", "clusters", "outlier"]
        )
    )
    random = np.random.default_rng(draw(st.integers(0, 999)))
    points = random.normal(size=(n, d))
    if kind == "lattice":
        points = random.integers(-1, 2, (n, d)).astype(float)
    elif kind == "duplicates":
        points = points[random.integers(0, max(n // 3, 1), n)]
    elif kind == "constant":
        points[:, : d // 2] = 1e3
    elif kind == "far":
        points += 1e9
    elif kind == "mixed":
        points *= 10.0 ** random.uniform(-99, 99, (n, d))
    elif kind == "clusters":
        centres = random.normal(size=(4, d))[random.integers(0, 4, n)]
        points = points * 10.0 ** random.uniform(-5, -1) + centres
    elif kind == "outlier":
        points[0] *= 1e7
    elif kind == "zeros":
        points[random.random((n, d)) < 0.6] = draw(st.sampled_from([0.0, -0.0]))
    scale = draw(st.sampled_from([1.0, 1.0, 1e-139, 1e140, 1e200, 1e-200]))
    try:
        return Graph.from_points(points * scale, metric)
    except GraphError:  # the metric is not defined for such points
        assume(False)


def matrix_of(graph, backend, samples=2):
    """Return the core distances from blocks, and the matrix of distances."""
    blocks = PairBlocks(graph.pairs, backend)
    blocks.bounds, blocks.keeps_distances = None, True
    return core_distances_of_all_pairs(graph.pairs, min(samples, graph.n), blocks, backend), blocks.matrix


@pytest.mark.long
@given(graph=graphs(), threads=st.integers(1, 3))
@settings(max_examples=60)
def test_blocks_have_the_bits_of_pairs(graph, threads):
    assume(graph.n > 1)
    _, matrix = matrix_of(graph, Threads(threads))
    assert matrix[graph.u, graph.v].tobytes() == graph.w.tobytes()


@pytest.mark.long
@given(graph=graphs(st.integers(2, 5)))
def test_the_functions_of_distances_have_the_same_bits_as_plain_python(graph):
    _, matrix = matrix_of(graph, Threads(1))
    for i, j in zip(graph.u.tolist(), graph.v.tolist(), strict=True):
        assert matrix[i, j] == graph.distance(graph.points[i], graph.points[j])


@given(graph=graphs(), threads=st.integers(1, 3), share=st.floats(0, 1))
def test_core_distances_are_the_smallest_distances(graph, threads, share):
    samples = 1 + int(share * (graph.n - 1))
    distances = np.zeros((graph.n, graph.n))
    distances[graph.u, graph.v] = distances[graph.v, graph.u] = graph.w
    core, _ = matrix_of(graph, Threads(threads), samples)
    np.testing.assert_array_equal(core, np.sort(distances, axis=1)[:, samples - 1])


@pytest.mark.parametrize("backend", [Backend, Threads])
@pytest.mark.parametrize(
    "metric",
    long_but([distance.__name__ for distance in BLOCK_METRICS], "euclidean"),
)
@given(n=st.integers(2, 9), d=st.integers(2, 5), tile=st.integers(1, 5), seed=st.integers(0, 99))
def test_forests_of_small_tiles(backend, metric, n, d, tile, seed):
    points = np.random.default_rng(seed).integers(1, 6, (n, d)) + np.arange(d) / 7  # no vector is constant
    graph = Graph.from_points(points, metric)
    edges, _ = solve(graph, "dense", backend(2, Tuning(tile=tile, pairs_of_tiles=8)))
    assert edges == oracles.kruskal(n, graph.u, graph.v, graph.w)


@given(graph=graphs(st.sampled_from([1, 2, 3, 40, 150])), samples=st.sampled_from([None, 1, 2, 5]))
def test_forests_by_mutual_reachability(graph, samples):
    graph = Graph.from_points(graph.points, graph.distance, min_samples=samples and min(samples, graph.n))
    backend = Threads(2, Tuning(tile=32))
    edges, _ = solve(
        graph, "dense", backend
    )  # perhaps with the distances that core distances were found from
    assert solve(graph, "dense", backend)[0] == edges
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)


@pytest.mark.parametrize("d", [MATRIX_PAYS_FROM - 1, MATRIX_PAYS_FROM])
def test_maximum_spanning_forest(d):
    graph = Graph.from_points(np.random.default_rng(d).integers(0, 3, (200, d)), "sqeuclidean", min_samples=3)
    edges, _ = solve(graph, "dense", Threads(2), maximum=True)
    assert edges == oracles.kruskal(200, graph.u, graph.v, graph.w, maximum=True)
