"""The choice of an algorithm for a graph."""

import numpy as np
import pytest

from boruvka import Graph, OptionError, generators
from boruvka.algorithms.choice import RULES, algorithm_for
from boruvka.algorithms.registry import ALGORITHMS
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


class WithoutCaches(Backend):
    """A backend like a GPU."""

    name, has_private_caches = "without-caches", False


@pytest.mark.parametrize(("m", "expected"), [(50, "boruvka"), (150, "boruvka"), (300, "filter-boruvka")])
def test_locality_matters_little_on_a_gpu(m, expected):
    backend = WithoutCaches(tuning=Tuning(filter_pays_on_gpu_from=200))
    assert algorithm_for("auto", generators.random(100, m, seed=1), backend).name == expected
    with pytest.raises(OptionError, match="dense runs only on the CPU: choose another backend than without"):
        algorithm_for("dense", Graph.from_dense(np.ones((3, 3))), backend)
