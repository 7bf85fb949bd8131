import numpy as np

import boruvka
from boruvka.cli.report import Report
from boruvka.distributed import ForestPart
from boruvka.runtime.round_log import Round

ROUNDS = (
    Round("light", 5, 4, {"contract": 0.25, "merge": 0.5}, ["a note"], {"bytes": 5000, "messages": 2}),
    Round("heavy", 2, 1, {"merge": 0.125}, [], {"bytes": 1000, "messages": 1}),
)
SECONDS = {"read": 1.0, "solve": 2.0, "write": 3.0}


def test_ranks(tmp_path):
    """The part of a rank that has one of four edges of a forest of five vertices."""
    part = ForestPart(
        n=5,
        m=4,
        forest_size=3,
        local_indices=np.array([0]),
        global_indices=np.array([0]),
        weight=float("inf"),
        graph=boruvka.Graph.from_edges([0], [1], [1.5]),
        positions=np.array([0]),
        partition_by="vertices",
        method="supervertex",
        ranks=3,
        rounds=ROUNDS,
        seconds=0.875,
    )
    report = Report(part, SECONDS, output=tmp_path / "forest.csv")
    assert list(report.to_json().items()) == [
        ("vertices", 5),
        ("edges", 4),
        ("components", 2),
        ("forest_edges", 3),
        ("weight", "inf"),
        ("algorithm", "vertices/supervertex"),
        ("backend", "mpi"),
        ("ranks", 3),
        ("threads", 1),
        ("rounds", 2),
        ("verified", None),
        ("seconds", SECONDS),
        ("steps", {"contract": 0.25, "merge": 0.625}),
        ("sent", {"bytes": 6000, "messages": 3}),
    ]
    assert report.to_text() == [
        ("graph", "5 vertices, 4 edges, weights float64"),
        ("forest", "3 edges, 2 components"),
        ("weight", "inf"),
        ("solver", "vertices/supervertex on mpi, 1 thread"),
        ("rounds", "2"),
        ("seconds", "read 1.000, solve 2.000, write 3.000"),
        ("ranks", "3, with as many threads each"),
        ("steps", "contract 0.250, merge 0.625"),
        ("sent", "6,000 bytes, 3 messages, by the rank that sent most"),
        ("written", str(tmp_path / "forest.csv")),
    ]


def test_one_machine():
    graph = boruvka.Graph.from_edges([0, 1], [1, 2], [2, 3])
    forest = boruvka.Forest(graph, np.array([0, 1]), algorithm="prim", backend="threads", rounds=ROUNDS[1:])
    verification = boruvka.Verification(True, "every edge was checked")
    report = Report(forest, {"read": 1.0, "solve": 2.0, "verify": 4.0, "write": 3.0}, verification)
    facts = report.to_json()
    assert (facts["weight"], facts["verified"], facts["seconds"]) == (5, True, SECONDS)
    assert report.to_text() == [
        ("graph", "3 vertices, 2 edges, weights int64"),
        ("forest", "2 edges, 1 component"),
        ("weight", "5"),
        ("solver", "prim on threads, 1 thread"),
        ("rounds", "1"),
        ("seconds", "read 1.000, solve 2.000, verify 4.000, write 3.000"),
        ("verified", "every edge was checked"),
    ]
