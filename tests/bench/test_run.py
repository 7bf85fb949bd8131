import sys

import pytest

import boruvka
from boruvka.bench import run
from boruvka.bench.contestants import External, Ours
from boruvka.bench.contestants.program import Program
from boruvka.bench.run import Plan, measure, measure_in_process
from boruvka.bench.schemes import KBest
from boruvka.errors import FormatError

from . import fake_contestants as fake

GRAPH = "random:n=300,m=1500,seed=1"
SCHEME = KBest(runs=2, best=1, most=2)


@pytest.fixture(scope="module")
def results():
    return measure([GRAPH], Plan([fake.Right(), fake.Dying(), fake.Picky(), Ours()], [1], SCHEME))


@pytest.fixture(scope="module")
def in_process():
    contestants = [fake.Right(), fake.Greedy(), fake.Light(), fake.Shifted(), fake.Raising(), fake.Faulty()]
    graph = boruvka.generators.random(300, 1500, seed=1)
    return measure_in_process(
        GRAPH, graph, Plan([*contestants, fake.Picky()], [1, 2], SCHEME), lambda *at: None
    )


def test_the_graph_and_its_forest(results, in_process):
    forest = boruvka.minimum_spanning_forest(boruvka.generators.random(300, 1500, seed=1))
    assert results.complete
    for graph in (*results.graphs, in_process):
        assert (graph.name, graph.n, graph.m, graph.weights) == (GRAPH, 300, 1500, "float32")
        assert (graph.bytes, graph.forest_edges, graph.forest_weight) == (18000, len(forest), forest.weight)
    assert results.scheme["name"] == "k-best"


def check(entry, error):
    assert entry.error.startswith(error)
    if error:
        assert (entry.seconds, entry.converged, entry.rounds) == (None, False, ())
    else:
        assert entry.error == ""
        assert len(entry.samples) == 2
        assert entry.seconds == min(entry.samples)
        assert entry.convert_seconds >= 0
        assert entry.converged
        assert entry.solves > 1  # so short a solve is repeated within a run


def test_a_process_that_dies_is_reported_and_the_others_go_on(results):
    right, dying, ours = results.graphs[0].entries
    check(right, "")
    check(dying, "its process died with signal 9, perhaps for lack of memory: no room left")
    check(ours, "")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("right", ""),
        ("greedy", "wrong: 300 edges, the forest has 299"),
        ("light", "wrong: weight "),
        ("shifted", "wrong: other edges than those of the forest"),
        ("raising", "this graph cannot be converted"),
        ("faulty", "KeyError: 'nothing'"),
    ],
)
def test_a_failure_is_reported_and_the_others_go_on(in_process, name, error):
    entries = [e for e in in_process.entries if e.contestant == name]
    assert [entry.threads for entry in entries] == [1, 2]
    for entry in entries:
        check(entry, error)


def test_contestants_left_out(results, in_process):
    assert results.graphs[0].left_out == in_process.left_out == {"picky": "more than 1 edges"}


def test_limits_and_rounds(results, in_process):
    (graph,) = results.graphs
    assert [(e.contestant, e.threads, e.error) for e in graph.limits] == [
        ("streaming", 1, ""),
        ("random-access", 1, ""),
    ]
    ours = graph.entries[-1]
    assert ours.rounds[0].edges == 1500
    assert [step.name for step in ours.rounds[0].steps] == ["sort and join"]
    assert all(sum(step.bytes for step in round_.steps) for round_ in ours.rounds)
    assert in_process.limits == ()


def test_an_interrupt_keeps_what_was_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "PROBES", ())
    path = tmp_path / "graph.npz"
    boruvka.write(boruvka.generators.random(300, 1500, seed=1), path)
    seen = []

    def show(done, doing):
        assert 0 <= done <= 1
        if "run 2" in doing:
            raise KeyboardInterrupt

    found = measure(
        [str(path)],
        Plan([fake.Right()], [1, 2], KBest(runs=5)),
        on_graph=lambda results: seen.append(len(results.graphs)),
        show=show,
    )
    assert not found.complete
    assert found.graphs[0].name == "graph.npz"
    assert [len(e.samples) for e in found.graphs[0].entries] == [1, 1]
    assert [e.threads for e in found.graphs[0].entries] == [1, 2]
    assert seen == [0]


def test_an_interrupt_removes_what_was_written_for_programs(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "PROBES", ())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    programs = {
        name: Program(command=f"'{sys.executable}' -c pass", format="gbbs", weight="(.)")
        for name in ("first", "second")
    }
    seen = []

    def show(done, doing):
        if "second" in doing:
            seen.extend(path.name for path in tmp_path.glob("*/graph.gbbs"))
            raise KeyboardInterrupt

    contestants = [External(name, program) for name, program in programs.items()]
    assert not measure([GRAPH], Plan(contestants, [1], SCHEME), show=show).complete
    assert seen == ["graph.gbbs"]
    assert list(tmp_path.iterdir()) == []


def test_a_malformed_graph_is_an_error(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("0,1,x\n")
    with pytest.raises(FormatError, match=r"graph\.csv:1"):
        measure([str(path)], Plan([fake.Right()], [1], SCHEME))
