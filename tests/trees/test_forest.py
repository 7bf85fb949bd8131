"""What `Forest` has beside its edges: the record of the computation, and a random tree's lack of answers.

Its queries are tested in `tests.trees.queries`, what all trees have in `test_acyclic_edges`.
"""

import pytest

import boruvka
from boruvka import Forest, GraphError
from boruvka.runtime.round_log import SolveRecord

GRAPH = boruvka.Graph(4, [0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7])


def test_the_record_of_the_computation():
    record = SolveRecord(algorithm="some", backend="interpreted", threads=3, seconds=0.25)
    forest = Forest(GRAPH, [1, 2, 3], record=record)
    found = forest.algorithm, forest.backend, forest.threads, forest.rounds, forest.seconds
    assert found == ("some", "interpreted", 3, (), 0.25)
    assert "<td" in forest._repr_html_()
    assert repr(forest) == "Forest(n=4, edges=3, components=1, weight=9)"
    solved = boruvka.minimum_spanning_forest(GRAPH, algorithm="boruvka", backend="interpreted")
    assert (solved.algorithm, solved.backend) == ("boruvka", "interpreted")
    assert len(solved.rounds) == 1
    assert not Forest(GRAPH, [1, 2, 3]).algorithm


def test_a_forest_on_the_host_is_its_own_copy():
    forest = boruvka.minimum_spanning_forest(GRAPH, required=[0])
    assert forest.to_host() is forest


def test_a_random_tree_does_not_answer_questions_about_the_best():
    tree = boruvka.random_spanning_tree(GRAPH, seed=1)
    assert not tree.is_optimal
    for ask in tree.sensitivity, lambda: tree.update([(0, 3, 1)]):
        with pytest.raises(
            GraphError, match="this is a random tree, a next best one, collapsed or pruned: solve"
        ):
            ask()
    assert tree.bottleneck(0, 1).edges in tree.edges  # paths are answered
