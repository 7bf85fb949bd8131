"""What `Forest` has beside its edges: the record of the computation, and a random tree's lack of answers.

Its queries are tested in `tests.trees.queries`, what all trees have in `test_acyclic_edges`.
"""

import pickle
from itertools import combinations

import numpy as np
import pytest

import boruvka
from boruvka import Forest, GraphError, stream
from boruvka.runtime.round_log import SolveRecord
from tests import oracles

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


@pytest.mark.parametrize("maximum", [False, True])
def test_edges_that_a_user_chooses_are_optimal_if_no_tree_is_better(maximum):
    rng = np.random.default_rng(3)
    for n in 2, 3, 4, 5:
        u, v = np.array([*combinations(range(n), 2)]).T
        w = rng.integers(1, 5, u.size)
        graph, best = boruvka.Graph(n, u, v, w), sorted(oracles.kruskal(n, u, v, w, maximum))
        for edges in combinations(range(u.size), n - 1):
            if len(oracles.kruskal(n, *(x[[*edges]] for x in (u, v, w)))) < n - 1:
                with pytest.raises(GraphError, match=r"edge . \(., .\) of the forest closes a cycle"):
                    Forest(graph, edges, maximum)
                continue
            forest = Forest(graph, rng.permutation(edges), maximum)
            assert forest.edges.tolist() == [*edges]
            assert forest.is_optimal == ([*edges] == best) == pickle.loads(pickle.dumps(forest)).is_optimal
            for question in "network", "sensitivity", "ranked", "update", "is_unique":
                if not forest.is_optimal:
                    with pytest.raises(GraphError, match=rf"^{question} .*; .*(edge|weight)"):
                        _ = value() if callable(value := getattr(forest, question)) else value
    assert Forest(GRAPH, [0, 1, 3], required=[0]).is_optimal
    assert not Forest(GRAPH, [0, 2, 3], required=[0]).is_optimal


def test_solvers_know_that_their_forests_are_optimal(monkeypatch, tmp_path):
    solved = boruvka.minimum_spanning_forest(GRAPH)
    boruvka.write(GRAPH, tmp_path / "graph.csv")
    points = boruvka.Graph.from_points(np.random.default_rng(1).random((20, 2)))
    forests = [
        *(solved, solved.to_host(), solved.update([(0, 1, 1)]), solved.update(removed=[2])),
        *(boruvka.minimum_spanning_forest(GRAPH, required=[0]), pickle.loads(pickle.dumps(solved))),
        *(next(solved.ranked()), *boruvka.minimum_spanning_forests([GRAPH, GRAPH])),
        *boruvka.mutual_reachability_forests(points, [2, 3]),
        stream.minimum_spanning_forest(tmp_path / "graph.csv"),
    ]
    monkeypatch.setattr("boruvka.verification.verify.verify", None)
    assert all(forest.is_optimal for forest in forests)


def test_degrees():
    forest = Forest(boruvka.Graph(5, [0, 1, 0], [1, 2, 3], [1, 2, 3]), [0, 1, 2])
    assert forest.degrees.tolist() == [2, 2, 1, 1, 0]
    assert [degree for _, degree in forest.to_networkx().degree] == forest.degrees.tolist()
    assert Forest(boruvka.Graph(3, [], [], []), []).degrees.tolist() == [0, 0, 0]
