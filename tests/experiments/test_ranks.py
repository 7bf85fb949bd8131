"""Jobs on ranks: their results, and their errors."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from boruvka.bench.contestant_run import Reference
from boruvka.bench.graphs import graph_of
from boruvka.bench.schemes import Confidence
from boruvka.errors import BoruvkaError, MissingExtraError
from experiments.__main__ import EXPERIMENTS
from experiments.common import ranks
from experiments.common.experiment import Request, Setting

GRAPH = "grid:rows=9,cols=9,seed=1"


@pytest.fixture(scope="module")
def reference():
    return Reference.of(GRAPH, graph_of(GRAPH))


@pytest.fixture(scope="module")
def wrong(reference):
    return replace(reference, fingerprint=1)


@pytest.mark.long
def test_a_race_on_ranks():
    setting = Setting(scheme=Confidence(runs=3, most=4, within=1e-9))
    result = ranks.race_on_ranks(GRAPH, (2,), setting)
    assert (result.n, result.m, result.forest_edges) == (81, 144, 80)
    for entry in result.entries:
        assert (entry.ranks, entry.error, len(entry.samples)) == (2, "", 4)
        assert not entry.converged
        assert entry.seconds == pytest.approx(np.mean(entry.samples))


@pytest.mark.long
def test_wrong_answers_are_reported(wrong):
    for found in ranks.on_ranks(2, {"job": "race", "scheme": {"name": "confidence"}, "graph": GRAPH}, wrong):
        assert found["error"] == "wrong: other edges than those of the forest"
        assert found["samples"] == []
    with pytest.raises(BoruvkaError, match="wrong: other edges than those of the forest"):
        ranks.on_ranks(2, {"job": "count", "graph": GRAPH}, wrong)


@pytest.mark.long
def test_a_job_that_fails(reference):
    with pytest.raises(BoruvkaError, match=r"(?s)the job of 2 ranks failed:.*KeyError: 'dream'"):
        ranks.on_ranks(2, {"job": "dream", "graph": GRAPH}, reference)


def test_remarks_on_ranks_that_share_processors(monkeypatch):
    monkeypatch.setattr(ranks, "processors", lambda: 4)
    assert ranks.remarks_on_ranks((1, 2, 4)) == ()
    (remark,) = ranks.remarks_on_ranks((2, 8, 16))
    assert remark.startswith("8, 16 ranks share 4 processors: ")


def test_only_ranks_that_share_processors_yield(monkeypatch, reference):
    settings = []

    def start(command, env, **how):
        settings.append({name: value for name, value in env.items() if name in ranks.YIELDING})
        return subprocess.CompletedProcess(command, 1, "", "stopped")

    for name in ranks.YIELDING:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ranks, "processors", lambda: 4)
    monkeypatch.setattr(ranks.subprocess, "run", start)
    for count in (4, 5):
        with pytest.raises(BoruvkaError, match="stopped"):
            ranks.on_ranks(count, {}, reference)
    assert settings == [{}, ranks.YIELDING]


def test_missing_mpi(monkeypatch, tmp_path):
    monkeypatch.setattr(ranks.shutil, "which", lambda *names, **how: None)
    with pytest.raises(MissingExtraError, match=r"mpiexec is not installed.*boruvka\[mpi\]"):
        ranks.mpiexec()
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(MissingExtraError, match=r"boruvka\[mpi\]"):
        EXPERIMENTS["ethz_counts"].run(Request(quick=True, output=tmp_path))
    assert list(tmp_path.iterdir()) == []
