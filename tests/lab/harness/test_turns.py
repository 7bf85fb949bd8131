"""The race: wrong answers are noticed, and a failure, a crash or a time-out ends one contestant alone."""

import numpy as np
import pytest

import boruvka
from lab.contestants.ours import Ours
from lab.harness import turns
from lab.harness.contestant import Outcome
from lab.harness.schemes import KBest
from lab.harness.turns import Plan, Reference, race
from lab.harness.worker import Failure

from .. import fake_contestants as fake

GRAPH = boruvka.generators.random(300, 1500, seed=1)
SCHEME = KBest(runs=2, most=2)


def silent(doing):
    pass


@pytest.fixture(scope="module")
def in_processes():
    contestants = [fake.Right(), fake.Dying(), fake.Picky(), Ours()]
    return race("random", GRAPH, Plan(contestants, [1], SCHEME), silent)


@pytest.fixture(scope="module")
def in_process():
    contestants = [fake.Right(), fake.Greedy(), fake.Light(), fake.Shifted(), fake.Raising(), fake.Faulty()]
    return race("random", GRAPH, Plan([*contestants, fake.Picky()], [1, 2], SCHEME, in_process=True), silent)


def check(entry, error):
    assert entry.error.startswith(error)
    if error:
        assert (entry.seconds, entry.converged, entry.rounds) == (None, False, ())
    else:
        assert entry.error == ""
        assert len(entry.samples) == 2
        assert entry.seconds == min(entry.samples)
        assert entry.convert_seconds >= 0
        assert entry.solves > 1  # so short a solve is repeated within a run


def test_the_graph(in_processes, in_process):
    for found in (in_processes, in_process):
        assert (found.name, found.n, found.m, found.dtype) == ("random", 300, 1500, "float32")
        assert found.left_out == {"picky": "more than 1 edges"}


def test_processes_that_die_are_reported_and_the_others_go_on(in_processes):
    right, dying, ours = in_processes.entries
    check(right, "")
    check(dying, "its process died with signal 9, perhaps for lack of memory: no room left")
    check(ours, "")
    assert ours.rounds[0].edges == 1500
    assert ours.peak is None or ours.peak >= 0
    assert ours.version == boruvka.__version__


@pytest.mark.long
def test_processes_that_hang_are_reported_and_the_others_go_on():
    contestants = [fake.Sleeping(), fake.Sleeping()]
    for entry in race("random", GRAPH, Plan(contestants, [1], SCHEME, time_limit=1), silent).entries:
        check(entry, "took longer than the time limit of 1 s")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("right", ""),
        ("greedy", "wrong: 300 edges, the forest has 299"),
        ("light", "wrong: weight "),
        ("shifted", "wrong: not the edges of the forest"),
        ("raising", "this graph cannot be converted"),
        ("faulty", "KeyError: 'nothing'"),
    ],
)
def test_a_failure_is_reported_and_the_others_go_on(in_process, name, error):
    entries = [e for e in in_process.entries if e.contestant == name]
    assert [entry.threads for entry in entries] == [1, 2]
    for entry in entries:
        check(entry, error)


def test_an_interrupt_ends_all_processes_and_removes_what_they_wrote(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    started = []

    def show(doing):
        if "run 1" in doing:
            raise KeyboardInterrupt

    class Recorded(turns.WorkerProcess):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            started.append(self)

    monkeypatch.setattr(turns, "WorkerProcess", Recorded)
    with pytest.raises(KeyboardInterrupt):
        race("random", GRAPH, Plan([fake.Right()], [1, 2], SCHEME), show)
    assert len(started) == 2
    assert all(worker._connection.closed for worker in started)
    assert list(tmp_path.iterdir()) == []


def test_wrong_labels():
    pytest.importorskip("sklearn")
    labels = np.repeat([0, 1, -1], 30)
    reference = Reference(1, 1.0, 1.0, None, labels=labels)
    reference.check(Outcome(None, np.nan, labels=np.repeat([1, 5, -1], 30)), 0)
    for wrong, message in (
        (None, "there is not a label for each point"),
        (labels[:-1], "there is not a label for each point"),
        (np.tile([0, 1, 2], 30), "the adjusted Rand index of its labels and ours is -0"),
    ):
        with pytest.raises(Failure, match=message):
            reference.check(Outcome(None, np.nan, labels=wrong), 0)
