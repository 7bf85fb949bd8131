"""The choice of an algorithm for a graph, and the facts that it rests on."""

import numpy as np
import pytest

from boruvka import Graph, OptionError, generators
from boruvka.algorithms.registry import ALGORITHMS
from boruvka.algorithms.run import RULES, Facts, algorithm_for
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from boruvka.backends.tuning import Tuning

SMALL = Tuning(
    sorting_pays_below=50,
    sorting_scattered_pays_below=4_000,
    blocks_pay_from=5_000,
    filter_pays_from=50,
    block_bits=4,
)


def shuffled(graph):
    order = np.random.default_rng(1).permutation(graph.m)
    return Graph(graph.n, graph.u[order], graph.v[order], graph.w[order])


def denser_at_the_begin():
    """Make a list by vertex whose light edges join the first vertices."""
    u = np.repeat(np.arange(500), 10)
    v = (u + np.tile(np.arange(1, 11), 500)) % 500
    return Graph(500, u, v, np.maximum(u, v))


@pytest.mark.parametrize(
    ("make", "threads", "expected"),
    [
        (lambda: generators.random(20, 49, seed=1), 8, "kruskal"),
        (lambda: generators.random(500, 1_500, seed=1), 2, "filter-boruvka"),
        (lambda: generators.random(500, 1_500, seed=1), 4, "filter-boruvka"),
        (lambda: generators.random(1_500, 1_500, seed=1), 4, "boruvka"),
        (lambda: generators.random(100, 1_000, seed=1), 1, "filter-boruvka"),
        (lambda: generators.path(1_000, seed=1), 1, "boruvka"),
        (lambda: shuffled(generators.path(1_000, seed=1)), 1, "kruskal"),
        (lambda: shuffled(generators.path(6_000, seed=1)), 1, "block-boruvka"),
        (denser_at_the_begin, 1, "boruvka"),
        (lambda: shuffled(denser_at_the_begin()), 1, "filter-boruvka"),
    ],
)
def test_the_algorithm_suits_the_graph(make, threads, expected):
    assert algorithm_for("auto", make(), Threads(threads, SMALL)).name == expected


def test_rules_name_algorithms():
    assert {name for name, _ in RULES} <= set(ALGORITHMS)


class LikeGpu(Backend):
    """A backend like a GPU."""

    name, is_cpu = "like-a-gpu", False


@pytest.mark.parametrize(("m", "expected"), [(50, "boruvka"), (150, "boruvka"), (300, "filter-boruvka")])
def test_locality_matters_little_on_a_gpu(m, expected):
    backend = LikeGpu(tuning=Tuning(filter_pays_on_gpu_from=200))
    assert algorithm_for("auto", generators.random(100, m, seed=1), backend).name == expected
    with pytest.raises(OptionError, match="dense runs only on the CPU: choose another backend than like-"):
        algorithm_for("dense", Graph.from_dense(np.ones((3, 3))), backend)


def facts(graph, **constants):
    return Facts(graph, Backend(tuning=Tuning(**constants)), False)


def test_locality_is_seen():
    grid, random = generators.grid(600, 600, seed=1), generators.random(360_000, 720_000, seed=1)
    assert facts(grid).ends_are_close
    assert facts(shuffled(grid)).ends_are_close
    assert not facts(random).ends_are_close
    assert not facts(grid).edges_are_scattered
    assert facts(shuffled(grid)).edges_are_scattered
    for few in range(4):
        graph = Graph(300_000, [0] * few, [1] * few, [1] * few)
        assert facts(graph).ends_are_close
        assert not facts(graph).edges_are_scattered


@pytest.mark.parametrize("dense", [True, False])
def test_light_edges_of_dense_regions_are_together(dense):
    """A list by vertex in which the first vertices have all light edges, or each vertex has some."""
    u = np.repeat(np.arange(500), 10)
    w = u if dense else np.tile(np.arange(10), 500)
    graph = Graph(500, u, (u + 1) % 500, w.astype(float))
    assert facts(graph, light_per_component=1.0).light_edges_are_together == dense
