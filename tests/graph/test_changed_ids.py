"""Arrays of ids that the caller changes after the graph was made: an error of ours, and never a crash."""

import numpy as np
import pytest

import boruvka
from boruvka import Graph, GraphError


def changing_graph():
    ids = np.array([[0, 1, 2, 0], [1, 2, 0, 3]], np.uint32)
    return ids, Graph.from_edges(ids[0], ids[1], [1.0, 2.0, 3.0, 4.0])


CALLS = {
    "solve": lambda graph, *_: boruvka.minimum_spanning_forest(graph),
    "verify": lambda graph, *_: boruvka.verify(graph, [0, 1, 3]),
    "steiner": lambda graph, *_: boruvka.steiner_tree(graph, [0, 1]),
    "arborescence": lambda graph, *_: boruvka.minimum_spanning_arborescence(graph),
    "random": lambda graph, *_: boruvka.random_spanning_tree(graph),
    "disjoint": lambda graph, *_: boruvka.edge_disjoint_forests(graph, 2),
    "batch": lambda graph, *_: boruvka.minimum_spanning_forests([graph]),
    "reachability": lambda graph, *_: Graph.from_mutual_reachability(graph, 2),
    "write": lambda graph, *_: boruvka.write(graph, "never.csv"),
    "columns": lambda graph, forest, *_: boruvka.Forest(graph, forest.edges).u,
    "labels": lambda graph, forest, *_: boruvka.Forest(graph, forest.edges).labels,
    "update": lambda _, forest, *__: forest.update(removed=[0]),
    "sensitivity": lambda _, forest, *__: forest.sensitivity(),
    "extended": lambda _, __, extended, ___: boruvka.minimum_spanning_forest(extended.graph),
    "masked": lambda _, __, ___, masked: masked.sensitivity(),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("end", "value"), [(0, 4_000_000_000), (1, 4)])
def test_changed_ids_are_refused(call, end, value):
    ids, graph = changing_graph()
    forest = boruvka.minimum_spanning_forest(graph)
    others = forest, forest.update([(0, 2, 0.5)]), forest.update(removed=[0])
    ids[end] = value
    with pytest.raises(GraphError, match=rf"{'uv'[end]}\[0\] = {value} is not a vertex"):
        CALLS[call](graph, *others)


def test_arrays_that_were_converted_are_not_shared():
    for ids in [[0, 1], [1, 2]], np.array([[0, 1], [1, 2]]), np.array([[0, 1], [1, 2]], np.uint16):
        assert Graph.from_edges(ids[0], ids[1], [1, 2])._shared in ((), ("w",))
    frozen = np.array([[0, 1], [1, 2]], np.uint32)
    frozen.flags.writeable = False
    assert Graph.from_edges(frozen[0], frozen[1], [1, 2])._shared in ((), ("w",))
    assert changing_graph()[1]._shared[:2] == ("u", "v")
