"""Large inputs, which take other paths than small ones, have machine code too."""

import numpy as np
import pytest

import boruvka
from boruvka import Graph, generators, minimum_spanning_forest, stream
from boruvka.kernels import library
from tests.kernels.test_every_kernel import SEARCHED, WEIGHTS, solve_and_verify

pytestmark = [] if library.installed() else pytest.mark.long


@pytest.mark.parametrize("samples", [None, 4])
@pytest.mark.parametrize("metric", SEARCHED)
def test_points(metric, samples):
    points = np.random.default_rng(0).random((200_000, 2))
    points[::1_000] = 0.5
    solve_and_verify(Graph.from_points(points, metric, min_samples=samples))


@pytest.mark.parametrize("dtype", WEIGHTS)
def test_graphs(dtype):
    for graph in (
        generators.random(200_000, 3_000_000, dtype=dtype),
        generators.random(1_500_000, 2_000_000, dtype=dtype),
        generators.kronecker(16, 20, dtype=dtype),
        generators.grid(1_200, 1_000, dtype=dtype),
    ):
        solve_and_verify(graph)
        solve_and_verify(Graph(graph.n, graph.u, graph.v, np.ones_like(graph.w)))  # all are tied
        assert minimum_spanning_forest(graph, maximum=True).n == graph.n


def test_complete_graphs():
    points = np.random.default_rng(0).random((3_000, 4))
    matrix = np.abs(points @ points.T)
    np.fill_diagonal(matrix, 0)
    for dtype in np.float32, np.float64:
        solve_and_verify(Graph.from_distances(((matrix + matrix.T) / 2).astype(dtype)))
    u, v = np.triu_indices(2_000, 1)
    solve_and_verify(Graph.from_edges(u, v, matrix[u, v]))


def test_questions_and_other_trees(tmp_path):
    graph = generators.random(300_000, 2_500_000, dtype="float64")
    forest = minimum_spanning_forest(graph)
    ends = np.random.default_rng(0).integers(0, graph.n, (2, 300_000))
    assert forest.linkage().shape == (graph.n - 1, 4)
    assert forest.bottleneck(*ends).edges.size == 300_000
    assert forest.cut(1_000).size == forest.cut_at(0.1).size == forest.labels.size == graph.n
    assert boruvka.steiner_tree(graph, ends[0, :500]).weight > 0
    assert boruvka.random_spanning_tree(graph, seed=1).edges.size == forest.edges.size
    changed = forest.update((*ends[:, :50_000], np.linspace(0, 1, 50_000)))
    assert changed.weight <= forest.weight
    for name in "graph.csv", "graph.gr", "graph.el", "graph.npz":
        boruvka.write(graph, tmp_path / name)
        assert stream.minimum_spanning_forest(tmp_path / name, memory="8G").edges.size == forest.edges.size
        assert minimum_spanning_forest(boruvka.read(tmp_path / name)).edges.size == forest.edges.size


def test_arcs_and_batches():
    graph = generators.random(100_000, 800_000, dtype="int64")
    back = np.arange(graph.n, dtype=np.uint64)  # a cycle, so that each vertex is reached
    u, v = np.concatenate([graph.u, back]), np.concatenate([graph.v, np.roll(back, -1)])
    arcs = Graph.from_edges(u, v, np.concatenate([graph.w, np.full(graph.n, 10**6)]))
    assert boruvka.minimum_spanning_arborescence(arcs, root=0).verify()
    matrices = np.random.default_rng(0).random((200, 100, 100))
    batch = boruvka.minimum_spanning_forests(matrices + matrices.transpose(0, 2, 1))
    assert len(batch.weight) == 200


@pytest.mark.needs("sklearn")
def test_clusters():
    from boruvka.sklearn import HDBSCAN, SingleLinkage

    points = np.random.default_rng(0).random((100_000, 3))
    assert HDBSCAN(min_cluster_size=100).fit(points).labels_.size == 100_000
    assert SingleLinkage(n_clusters=10).fit(points).labels_.max() == 9
