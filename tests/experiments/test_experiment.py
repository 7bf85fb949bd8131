"""The drivers, each with a tiny experiment; nothing depends on how long anything took."""

import json
import sys

import pytest

from boruvka.bench.contestants import Ours
from boruvka.bench.schemes import Confidence, KBest
from boruvka.errors import GraphError, MissingExtraError
from experiments.common.experiment import Experiment, Findings, Race, Request, Setting
from experiments.common.panels import Panel

GRAPH = "random:n=200,m=900,seed=3"


REPORTED = property(lambda self: {"paper": "none"})


class Nothing(Experiment):
    """Measures nothing.

    At all.
    """

    name = "nothing"
    source = "a paper, Figure 0"
    reported = REPORTED

    def measure(self, setting):
        return Findings({}, {"rows": [{"threads": count} for count in setting.threads]})

    def panels(self, tables, parameters):
        return []


class Tiny(Race):
    """Races on a tiny graph."""

    name = "tiny"
    source = "a paper, Figure 1"
    reported = REPORTED
    contestants = (
        Ours("auto", "right", parallel=False),
        Ours("magic", "unknown", parallel=False),
        Ours("kruskal", "picky", {"mood": 1}, parallel=False),
        Ours("auto", "by threads"),
    )

    def specifications(self, setting):
        return (GRAPH,)

    def panels(self, tables, parameters):
        return [
            Panel("threads", lines={"all": [(row["threads"], row["ms"] or 1) for row in tables["times"]]})
        ]


def made(kind=Nothing, **attributes):
    return type("Made", (kind,), {"__doc__": kind.__doc__, **attributes})()


def setting_of(experiment, **request):
    return experiment.setting(Request(**request), lambda done, doing: None)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    findings = Tiny().run(Request(quick=True, output=folder, threads=(1, 2)))
    return folder, findings


def test_a_race_reports_failures_and_goes_on(tiny):
    (graph,) = tiny[1].graphs
    found = {(entry.contestant, entry.threads): entry for entry in graph.entries}
    assert list(found) == [("right", 1), ("unknown", 1), ("picky", 1), ("by threads", 1), ("by threads", 2)]
    assert found["unknown", 1].error.startswith("unknown algorithm 'magic'")
    assert found["picky", 1].error.startswith("kruskal has no option 'mood'")
    for entry in graph.entries:
        assert bool(entry.error) == (entry.seconds is None) == (not entry.rounds)
        assert bool(entry.error) == (not entry.samples)
    assert (graph.name, graph.n, graph.m, graph.forest_edges) == (GRAPH, 200, 900, 199)
    assert found["right", 1].solves == 1  # a quick run repeats no short solve


def test_a_race_writes_what_was_run(tiny):
    folder, findings = tiny
    record = json.loads((folder / "tiny.json").read_text())
    assert record["parameters"]["contestants"]["picky"] == {"algorithm": "kruskal", "options": {"mood": 1}}
    assert record["parameters"]["threads"] == record["threads"] == [1, 2]
    assert [row["error"] for row in record["tables"]["times"]] == [
        e.error for e in findings.graphs[0].entries
    ]
    assert (record["experiment"], record["about"]) == ("tiny", "Races on a tiny graph.")
    assert record["scheme"] == {
        "name": "k-best",
        "runs": 2,
        "best": 2,
        "within": 1.0,
        "most": 2,
        "seconds": 1.0,
    }
    assert record["machine"]["cores"]
    assert "<svg" in (folder / "tiny.svg").read_text()


def test_results_are_redrawn(tiny, tmp_path):
    record = json.loads((tiny[0] / "tiny.json").read_text())
    record["tables"]["times"], record["source"] = [], "?"
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps(record))
    Tiny().run(Request(redraw=True, output=tmp_path))
    assert json.loads(path.read_text()) == json.loads((tiny[0] / "tiny.json").read_text())
    assert (tmp_path / "tiny.svg").read_text() == (tiny[0] / "tiny.svg").read_text()


def test_graphs_that_do_not_fit_are_left_out(monkeypatch):
    monkeypatch.setattr("experiments.common.roads.memory_size", lambda: 10**5)
    findings = Tiny().measure(Setting(quick=True))
    assert findings.graphs == ()
    assert findings.remarks == (f"{GRAPH} left out: needs about 0 GiB of memory, there are 0",)


@pytest.mark.parametrize(
    ("attributes", "cores", "asked", "expected"),
    [
        ({"threads": (1, 2, 4, 8)}, 3, {}, (1, 2, 3, 4)),
        ({"threads": (1, 2, 4, 8)}, 2, {"threads": (8, 16)}, (8, 16)),
        ({"threads": ()}, 6, {}, (6,)),
        ({}, 6, {}, (6,)),
        ({"ranks": (1, 2, 4, 8)}, 2, {}, (1, 2, 4)),
        ({"ranks": (1, 2, 4, 8)}, 2, {"ranks": (8, 16)}, (8, 16)),
        ({"ranks": (64,)}, 6, {}, (6,)),
        ({"ranks": (1, 8, 64), "counted": True}, 2, {}, (1, 8, 64)),
    ],
)
def test_numbers_of_threads_and_ranks(attributes, cores, asked, expected, monkeypatch):
    monkeypatch.setattr("experiments.common.experiment.processors", lambda: cores)
    setting = setting_of(made(**attributes), **asked)
    assert (setting.ranks if "ranks" in attributes else setting.threads) == expected


def test_schemes():
    assert setting_of(Nothing(), seconds=3.0).scheme == KBest(seconds=3.0)
    assert setting_of(made(scheme=Confidence), seconds=3.0).scheme == Confidence(seconds=3.0)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), GraphError("bad"), MemoryError()])
def test_earlier_results_stay_until_all_is_measured(error, tmp_path):
    def fail(self, setting):
        raise error

    Nothing().run(Request(output=tmp_path))
    before = (tmp_path / "nothing.json").read_bytes()
    (tmp_path / "nothing.svg").write_text("")
    with pytest.raises(type(error)):
        made(measure=fail).run(Request(output=tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nothing.json", "nothing.svg"]
    assert (tmp_path / "nothing.json").read_bytes() == before


def test_a_figure_of_other_results_is_removed(tmp_path):
    (tmp_path / "nothing.svg").write_text("")
    Nothing().run(Request(output=tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["nothing.json"]


def test_missing_matplotlib(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"boruvka\[plot\]"):
        Nothing().run(Request(output=tmp_path / "results"))
    assert list(tmp_path.iterdir()) == []
