"""The default strategies on one rank that does what it does among others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from boruvka.distributed import filter_boruvka
from boruvka.distributed.partitioned_components import PartitionedComponents
from boruvka.distributed.replicated_components import ReplicatedComponents

from ..oracles import components, kruskal
from ..strategies import graphs
from .jobs import small_tuning
from .one_rank import local_edges_of
from .strategies import DTYPES

COMPONENTS = ["replicated", "partitioned", "compacted"]


def check(graph, components_are, backend):
    """Solve, and compare with Kruskal's algorithm."""
    local = local_edges_of(graph, backend=backend)
    if components_are != "replicated":
        vertices = None
        if components_are == "compacted":
            vertices, local = local.compact_vertices()
        forest = PartitionedComponents(local, vertices)
        filter_boruvka.solve_light_then_heavy(local, forest)
        forest.return_choices()
        assert forest.labels().tolist() == components(graph.n, graph.u, graph.v)
    else:
        filter_boruvka.solve_light_then_heavy(local, ReplicatedComponents(local))
    assert np.flatnonzero(local.in_forest).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)


@given(graphs(dtypes=DTYPES), st.sampled_from(COMPONENTS), st.integers(0, 9), st.integers(1, 4))
def test_the_steps_of_one_rank(graph, components_are, replicated_up_to, degree):
    check(graph, components_are, Backend(tuning=small_tuning(replicated_up_to, degree)))


@pytest.mark.long
@pytest.mark.parametrize("components_are", COMPONENTS)
@pytest.mark.parametrize("wide", [False, True])
def test_compiled(components_are, wide):
    rng = np.random.default_rng(7)
    u, v = rng.integers(0, 60, (2, 400))
    graph = Graph(60, u, v, rng.random(400) if wide else rng.integers(0, 9, 400))
    tuning = small_tuning(5)._replace(inline_below=2, costly_inline_below=2, smallest_part=1)
    check(graph, components_are, Threads(2, tuning))
