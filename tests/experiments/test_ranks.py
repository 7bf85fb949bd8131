"""Jobs of experiments on ranks: what they are given and find, and what is said where they fail."""

import subprocess
import sys

import numpy as np
import pytest

from boruvka import minimum_spanning_forest
from boruvka.bench.graphs import graph_of
from boruvka.bench.schemes import Confidence
from boruvka.errors import BoruvkaError, MissingExtraError
from boruvka.forest.round_log import Round
from experiments.__main__ import experiment_named
from experiments.common import ranks
from experiments.common.experiment import Experiment, Findings, Request, Setting

GRAPH = "grid:rows=9,cols=9,seed=1"


def experiment(**arguments):
    return Experiment(
        "none", "None.", "document 0", lambda s: Findings({}, {}, {}), lambda f: None, **arguments
    )


@pytest.mark.parametrize(
    ("arguments", "cores", "asked", "expected"),
    [
        ({"ranks": (1, 2, 4, 8)}, 2, (), (1, 2, 4)),
        ({"ranks": (1, 2, 4, 8)}, 2, (8, 16), (8, 16)),
        ({"ranks": (64,)}, 6, (), (6,)),
        ({"ranks": (1, 8, 64), "counted": True}, 2, (), (1, 8, 64)),
    ],
)
def test_numbers_of_ranks(arguments, cores, asked, expected, monkeypatch):
    monkeypatch.setattr("experiments.common.experiment.processors", lambda: cores)
    setting = experiment(**arguments).setting(Request(ranks=asked), lambda done, doing: None)
    assert setting.ranks == expected


def test_the_scheme_is_that_of_the_document():
    found = experiment(scheme=Confidence).setting(Request(seconds=3.0), lambda done, doing: None)
    assert found.scheme == Confidence(seconds=3.0)


def test_a_race_stops_when_its_scheme_has_enough():
    setting = Setting(scheme=Confidence(runs=3, most=4, within=1e-9))
    result = ranks.race_on_ranks(GRAPH, (3,), setting)
    assert (result.n, result.m, result.forest_edges) == (81, 144, 80)
    for entry in result.entries:
        assert (entry.ranks, entry.error, len(entry.samples)) == (3, "", 4)
        assert not entry.converged
        assert entry.seconds == pytest.approx(np.mean(entry.samples))


def test_who_is_wrong_is_reported():
    other = minimum_spanning_forest(graph_of("grid:rows=9,cols=9,seed=2"))
    for job in ({"job": "count"}, {"job": "race", "scheme": {"name": "confidence"}}):
        for found in ranks.on_ranks(2, {**job, "graph": GRAPH}, other):
            assert found["error"] == "wrong: other edges than those of the forest"
            assert found["samples"] == []


def test_a_job_that_fails_tells_why():
    forest = minimum_spanning_forest(graph_of(GRAPH))
    with pytest.raises(BoruvkaError, match=r"(?s)the job of 2 ranks failed:.*KeyError: 'dream'"):
        ranks.on_ranks(2, {"job": "dream", "graph": GRAPH}, forest)


def test_distribution_has_all_of_its_phase():
    rounds = [
        Round("distribute", 9, 9, {"distribute": 1.0, "communicate": 2.0}),
        Round("round", 9, 9, {"select": 4.0, "communicate": 8.0}),
        Round("round", 3, 3, {"offer": 16.0, "relabel": 32.0, "filter": 64.0, "ponder": 128.0}),
    ]
    assert ranks.parts_of(rounds) == {
        "distribution": 3.0,
        "selection": 20.0,
        "communication": 8.0,
        "merging": 32.0,
        "reduction": 64.0,
    }


def test_ranks_that_share_processors_are_named(monkeypatch):
    monkeypatch.setattr(ranks, "processors", lambda: 4)
    assert ranks.remarks_on_ranks((1, 2, 4)) == ()
    (remark,) = ranks.remarks_on_ranks((2, 8, 16))
    assert remark.startswith("8, 16 ranks share 4 processors: ")


def test_only_ranks_that_share_processors_yield(monkeypatch):
    settings = []

    def start(command, env, **how):
        settings.append({name: value for name, value in env.items() if name in ranks.YIELDING})
        return subprocess.CompletedProcess(command, 1, "", "stopped")

    for name in ranks.YIELDING:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ranks, "processors", lambda: 4)
    monkeypatch.setattr(ranks.subprocess, "run", start)
    forest = minimum_spanning_forest(graph_of(GRAPH))
    for count in (4, 5):
        with pytest.raises(BoruvkaError, match="stopped"):
            ranks.on_ranks(count, {}, forest)
    assert settings == [{}, ranks.YIELDING]


def test_mpi_is_named_where_it_is_missing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(ranks.shutil, "which", lambda *names, **how: None)
    with pytest.raises(MissingExtraError, match=r"mpiexec is not installed.*boruvka\[mpi\]"):
        ranks.mpiexec()
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    assert experiment_named("ethz_counts").main(["--quick", "-o", str(tmp_path)]) == 2
    assert 'pip install "boruvka[mpi]"' in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
