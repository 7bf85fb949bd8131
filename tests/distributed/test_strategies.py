"""Strategies by name, and their kernels."""

import numpy as np
import pytest

from boruvka import Graph
from boruvka.backends.threads import Threads
from boruvka.distributed.strategies import DEFAULT, STRATEGIES, strategy_for
from boruvka.errors import OptionError

from ..conftest import ALWAYS_SHARED
from ..oracles import kruskal
from .one_rank import local_edges_of


def test_strategies_by_name():
    assert strategy_for("auto", "auto", 1000, 16).partition_by == "edges"
    assert strategy_for("auto", "auto", 1000, 17).partition_by == "vertices"
    assert strategy_for("auto", "auto", 2**40, 2).partition_by == "vertices"
    with pytest.raises(OptionError, match="there is no strategy 'iterative' by 'edges'; there are edges: "):
        strategy_for("edges", "iterative", 9, 2)


LITERATURE = [strategy for strategy in STRATEGIES.values() if strategy.method != DEFAULT]


@pytest.mark.long
@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("strategy", LITERATURE, ids=lambda s: f"{s.partition_by}-{s.method}")
def test_compiled(strategy, wide):
    """On one rank; the default strategies are tested in `test_filter_boruvka`."""
    rng = np.random.default_rng(7)
    u, v = rng.integers(0, 60, (2, 180))
    graph = Graph(60, u, v, rng.random(180) if wide else rng.integers(0, 9, 180))
    local = local_edges_of(graph, backend=Threads(2, ALWAYS_SHARED))
    strategy.run(local)
    assert np.flatnonzero(local.in_forest).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)
