import json

import numpy as np

import boruvka
from boruvka.cli.solve_report import SolveReport, _round_lines
from boruvka.distributed import ForestPart
from boruvka.runtime.round_log import Round

ROUNDS = (
    Round("light", 5, 4, {"contract": 0.25, "merge": 0.5}, ["a note"], {"bytes": 5000, "messages": 2}),
    Round("heavy", 2, 1, {"merge": 0.125}, [], {"bytes": 1000, "messages": 1}),
)
SECONDS = {"read": 1.0, "solve": 2.0, "write": 3.0}


def part_of_ranks():
    """The part of a rank that has one of four edges of a forest of five vertices."""
    return ForestPart(
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


def test_ranks(capsys, tmp_path):
    report = SolveReport.of_ranks(part_of_ranks(), SECONDS, tmp_path / "forest.csv")
    report.print_json()
    printed = json.loads(capsys.readouterr().out)
    assert list(printed.items()) == [
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
    report.print_text()
    assert capsys.readouterr().out.splitlines() == [
        "graph    5 vertices, 4 edges, weights float64",
        "forest   3 edges, 2 components",
        "weight   inf",
        "solver   supervertex by vertices on mpi, 3 ranks, 1 thread each",
        "rounds   2",
        "seconds  read 1.000, solve 2.000, write 3.000",
        "steps    contract 0.250, merge 0.625",
        "sent     6,000 bytes, 3 messages, by the rank that sent most",
        f"written  {tmp_path / 'forest.csv'}",
    ]


def test_log_of_ranks():
    assert SolveReport.of_ranks(part_of_ranks()).log().splitlines() == [
        "supervertex by vertices on mpi, 3 ranks, 1 thread each",
        "5 vertices, 4 edges",
        "round 1 (light): 5 components, 4 edges; contract 0.250000 s, merge 0.500000 s; "
        "sent 5000 bytes, 2 messages",
        "  a note",
        "round 2 (heavy): 2 components, 1 edges; merge 0.125000 s; sent 1000 bytes, 1 messages",
        "3 edges in 0.875000 s",
        "warning: the graph is disconnected, it has 2 components",
    ]


def test_one_machine(capsys, tmp_path):
    graph = boruvka.Graph.from_edges([0, 1], [1, 2], [2, 3])
    forest = boruvka.Forest(graph, np.array([0, 1]), algorithm="prim", backend="threads", rounds=ROUNDS[1:])
    verification = boruvka.Verification(True, "every edge was checked")
    seconds = {"read": 1.0, "solve": 2.0, "verify": 4.0, "write": 3.0}
    report = SolveReport.of_forest(forest, seconds, verification)
    report.print_json()
    printed = json.loads(capsys.readouterr().out)
    assert (printed["weight"], printed["verified"], printed["seconds"]) == (5, True, SECONDS)
    report.print_text()
    assert capsys.readouterr().out.splitlines() == [
        "graph     3 vertices, 2 edges, weights int64",
        "forest    2 edges, 1 component",
        "weight    5",
        "solver    prim on threads, 1 thread",
        "rounds    1",
        "seconds   read 1.000, solve 2.000, verify 4.000, write 3.000",
        "verified  every edge was checked",
    ]
    assert report.log().splitlines()[-1] == "2 edges in 0.000000 s"


def test_each_round_has_a_line_and_its_notes():
    rounds = (
        Round("light", 4, 3, {"propose": 0.5, "hook": 0.25}, ["one remark", "another"], {}),
        Round("heavy", 2, 1, {"filter": 1.0}, [], {"bytes": 8, "messages": 2}),
    )
    assert _round_lines(rounds) == [
        "round 1 (light): 4 components, 3 edges; propose 0.500000 s, hook 0.250000 s",
        "  one remark",
        "  another",
        "round 2 (heavy): 2 components, 1 edges; filter 1.000000 s; sent 8 bytes, 2 messages",
    ]
