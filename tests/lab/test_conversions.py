import numpy as np
import pytest

import boruvka
from lab.conversions import OBJECTS, Conversion, Walk, contestants_of, table_of
from lab.harness.schemes import KBest
from lab.harness.turns import Plan, race

GRAPH = boruvka.generators.random(30, 60, seed=3)


@pytest.fixture(params=OBJECTS)
def contestant(request, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = Conversion(request.param)
    if not made.installed:
        pytest.skip(f"{made.module} is not installed")
    made.load(1)
    return made


def pairs(walked):
    """List the weights of a walk, and how often each end occurs in it."""
    if hasattr(walked, "__next__"):
        rows = [(*x[0], x[1]) if len(x) == 2 else x for x in walked]
        walked = [np.array(column) for column in zip(*rows, strict=True)]
    u, v, w = walked
    ends = np.unique(np.concatenate([u, v]), return_counts=True)[1]
    return sorted(np.asarray(w).tolist()), ends


def test_a_walk_gives_every_end_and_weight_once(contestant):
    native, name = contestant.prepare(GRAPH), contestant.name
    expected = (
        sorted(w for *_, w in native.edges(data="weight")) if "networkx" in name else sorted(GRAPH.w.tolist())
    )
    weights, ends = pairs(OBJECTS[name].walk(native))
    assert weights == expected
    if not name.endswith("-strings") or name == "networkx-strings":  # categories of both ends are apart
        assert ends.sum() == 2 * len(weights)
    Walk(name).solve(native)


def test_conversions_are_checked_by_their_forest(contestant):
    graph = contestant.solve(contestant.prepare(GRAPH))
    forest = boruvka.minimum_spanning_forest(GRAPH)
    outcome = contestant.outcome(None, graph)
    assert (outcome.edges, outcome.weight) == (len(forest), pytest.approx(forest.weight, rel=1e-12))


def test_a_table_pairs_conversions_with_walks(monkeypatch):
    plan = Plan(
        contestants_of(["scipy-csr", "tuples"]), scheme=KBest(runs=2, most=2), short=0, in_process=True
    )
    rows = table_of(race("random", GRAPH, plan, lambda doing: None))
    assert [(row["object"], row["error"]) for row in rows] == [("scipy-csr", ""), ("tuples", "")]
    assert all(row["ratio"] > 0 for row in rows)
    monkeypatch.setattr(Conversion, "solve", lambda self, native: boruvka.as_graph(native[1:]))
    star = boruvka.Graph(4, [0, 0, 0], [1, 2, 3], [1.0, 2.0, 3.0])
    plan = Plan(contestants_of(["tuples"]), scheme=KBest(runs=2, most=2), short=0, in_process=True)
    (row,) = table_of(race("star", star, plan, lambda doing: None))
    assert row["error"].startswith("wrong: 2 edges")
    assert row["ratio"] is None
