"""Solve by one algorithm on a backend that a test makes, with tuning constants of its own."""

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList, ImplicitEdges
from boruvka.algorithms.run import algorithm_for
from boruvka.graph.graph import ImplicitGraph
from boruvka.operators.sort_keys import packing_of
from boruvka.runtime.round_log import RoundLog


def solve(graph, algorithm, backend, maximum=False, **options):
    """Return the edges of the forest, and the rounds."""
    chosen, round_log = algorithm_for(algorithm, graph, backend, maximum), RoundLog()
    if chosen.needs_implicit_graph and isinstance(graph, ImplicitGraph):
        edge_list = ImplicitEdges(graph, packing_of(graph.dtype, maximum))
    else:
        edge_list = EdgeList.of(graph, maximum, backend)
    edges = backend.to_host(chosen.run(edge_list, backend, round_log, **options))
    assert edges.dtype == np.int64
    return edges.tolist(), round_log.rounds
