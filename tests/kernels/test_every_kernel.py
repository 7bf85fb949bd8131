"""Every kernel that a user can reach without a function of their own, with the tuning of real graphs.

The kernels that these tests call are in the list of those that a wheel holds (see ``conftest.py``). Where the
package has no machine code they are long tests: compiling takes minutes.
"""

from contextlib import suppress
from itertools import product

import numpy as np
import pytest

import boruvka
from boruvka import generators, minimum_spanning_forest, stream
from boruvka.algorithms.registry import edge_list_algorithms
from boruvka.errors import BoruvkaError, MissingExtraError
from boruvka.formats.registry import FORMATS
from boruvka.graph import distances
from boruvka.graph.points.kd_tree import COMPILED_DIMENSIONS
from boruvka.graph.points.search_metric import SEARCH_METRICS
from boruvka.kernels import library

ON_SPHERE = "great_circle", "haversine"
WEIGHTS = (
    "float64",
    "float32",
    "int64",
    "int32",
    "int16",
    "int8",
)  # unsigned types share kernels of signed ones
THREADS = 1, 2

pytestmark = [] if library.installed() else pytest.mark.long


def solve_and_verify(graph, algorithms=("auto",)):
    """Solve a graph with each algorithm, on one thread and on two, and verify the forest."""
    forests = [
        minimum_spanning_forest(graph, algorithm=name, threads=threads)
        for name, threads in product(algorithms, THREADS)
    ]
    for forest in forests:
        np.testing.assert_array_equal(forest.edges, forests[0].edges)
    for threads in THREADS:
        assert boruvka.verify(graph, forests[0], threads=threads)
    assert forests[0].labels.size == graph.n


@pytest.mark.parametrize("dtype", WEIGHTS)
def test_graphs(dtype):
    random = generators.random(50_000, 500_000, dtype=dtype)  # enough for several threads and filters
    # There is one kernel if key and index together fit in 64 bits, and another if not.
    counted = boruvka.Graph(random.n, random.u, random.v, np.arange(random.m).astype(dtype))
    dense = generators.complete(400, dtype=dtype)
    for graph in (
        random,
        counted,
        dense,
        boruvka.Graph(dense.n, dense.u, dense.v, np.arange(dense.m).astype(dtype)),
        generators.grid(250, 250, dtype=dtype),
        generators.random(100, 400, dtype=dtype),
    ):
        solve_and_verify(graph, ("auto", "boruvka", "filter-boruvka", "block-boruvka"))
    batches = [random.edges_in_range(first, first + 100_000) for first in range(0, random.m, 100_000)]
    streamed = stream.minimum_spanning_forest(batches, n=random.n)
    assert streamed.weight == minimum_spanning_forest(random).weight
    assert stream.minimum_spanning_forest([random.edges_in_range(0, 100)], names=True).graph.m == 100


@pytest.mark.parametrize("dtype", WEIGHTS)
def test_all_algorithms(dtype):
    solve_and_verify(generators.random(2_000, 60_000, dtype=dtype), edge_list_algorithms())


@pytest.mark.parametrize("dtype", WEIGHTS)
def test_formats(dtype, tmp_path):
    graph = generators.random(100, 400, dtype=dtype)
    written = 0
    for format in FORMATS:
        path = tmp_path / f"graph-{format.name}"
        try:
            boruvka.write(graph, path, format=format.name)
        except BoruvkaError:  # it is not written, or holds no weights of this type
            continue
        with suppress(MissingExtraError):
            written += boruvka.read(path, format=format.name).m == graph.m
    assert written >= 8


SEARCHED = [metric.name for metric in SEARCH_METRICS.values() if not metric.name.startswith("periodic_")]


@pytest.mark.parametrize("samples", [None, 3])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_points_in_a_box(samples, dimensions):
    points = np.random.default_rng(0).random((21_000, dimensions))
    for n in 5_000, 21_000:
        graph = boruvka.Graph.from_points(points[:n], box=1, min_samples=samples)
        forests = [minimum_spanning_forest(graph, threads=threads) for threads in THREADS]
        np.testing.assert_array_equal(forests[0].edges, forests[1].edges)
        assert boruvka.verify(graph, forests[0])


@pytest.mark.parametrize("samples", [None, 3])
@pytest.mark.parametrize("metric", SEARCHED)
def test_searched_points(metric, samples):
    plane = np.random.default_rng(0).random((21_000, 2))  # of more than one subtree, and enough for threads
    plane[::50] = plane[1]  # equal ones are left out
    for d, n in product((2,) if metric in ON_SPHERE else COMPILED_DIMENSIONS, (5_000, 21_000)):
        points = plane[:n] @ np.random.default_rng(d).random((2, d))
        graph = boruvka.Graph.from_points(points, metric, min_samples=samples)
        forests = [minimum_spanning_forest(graph, threads=threads) for threads in THREADS]
        np.testing.assert_array_equal(forests[0].edges, forests[1].edges)
        if d == 2:
            assert boruvka.verify(graph, forests[0])


@pytest.mark.parametrize("samples", [None, 3])
@pytest.mark.parametrize("name", distances.__all__)
def test_all_distances(name, samples):
    numbers = np.random.default_rng(0).integers(1, 100, (2_500, 3))  # several batches of tiles for threads
    points = numbers[:, :2] / 64 if name in ON_SPHERE else numbers.astype(float)
    arrays = [points] if name != "hamming" else [points, *map(numbers.astype, ("u1", "u2", "u4", "u8"))]
    for array, n in product(arrays, (100, 2_500)):
        graph = boruvka.Graph.from_points(array[:n], name, min_samples=samples)
        solve_and_verify(graph, ("auto", "dense"))


@pytest.mark.parametrize("missing", ["error", "ignore", "scale", "differ"])
@pytest.mark.parametrize("alleles", [50, 1_000])
def test_profiles(missing, alleles):
    alleles = np.random.default_rng(0).integers(missing == "error", alleles, (2_500, 4))
    alleles[0] = 1
    for n in 100, 2_500:
        solve_and_verify(boruvka.Graph.from_profiles(alleles[:n], missing=missing))


@pytest.mark.needs("sklearn")
@pytest.mark.parametrize("n", [300, 9_000])
def test_clusters(n):
    from boruvka import sklearn

    points = np.random.default_rng(0).random((n, 2))
    for cluster_selection_method in "eom", "leaf":
        model = sklearn.HDBSCAN(min_cluster_size=20, cluster_selection_method=cluster_selection_method)
        assert model.fit(points).predict(points[:10]).size == 10
