"""Every experiment runs on tiny graphs, and all answers agree; the committed results have the same tables."""

import inspect

import pytest

from boruvka import distributed
from boruvka.errors import GraphError
from lab import __main__ as lab
from lab.contestants.ours import Ours
from lab.harness.figures import Figure
from lab.harness.results import RESULTS, Record
from lab.literature.command import EXPERIMENTS
from lab.literature.experiment import Experiment, Findings, Race, Setting, reported_by

RACES = [name for name, experiment in EXPERIMENTS.items() if isinstance(experiment, Race)]
ON_RANKS = ["ethz_baseline", "ethz_strong_scaling", "ethz_weak_scaling", "ethz_breakdown"]


@pytest.mark.long
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_quick_run(quick, name):
    record, figure = quick(name)
    assert (record.measurement, record.parameters["quick"]) == (name, True)
    assert any(record.tables.values()) or record.remarks
    assert any(record.tables.values()) == figure.exists()
    for rows in record.tables.values():
        assert len({tuple(row) for row in rows}) <= 1
        assert not any(row.get("error") for row in rows)
    if name in (*RACES, *ON_RANKS):
        committed = Record.read(RESULTS / f"{name}.json")
        assert all(set(rows[0]) == set(committed.tables[table][0]) for table, rows in record.tables.items())


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_committed_results_are_those_of_the_experiment(name):
    record = Record.read(RESULTS / f"{name}.json")
    assert record.measurement == name
    assert record.parameters["about"] == inspect.getdoc(type(EXPERIMENTS[name]))
    assert reported_by(type(EXPERIMENTS[name]).__module__.rpartition(".")[2], name)
    for figure in EXPERIMENTS[name].figures:
        for _, y, rows in figure.panels(record.tables):
            assert all(y in row and figure.x in row for row in rows) or figure.is_bars


@pytest.mark.long
def test_figures_are_drawn_from_summaries(tmp_path, capsys):
    for name in ("minho_load_imbalance", "cmu_breakdown", "ethz_breakdown", "ethz_scale"):
        (tmp_path / f"{name}.json").write_text((RESULTS / f"{name}.json").read_text())
        assert lab.main(["literature", name, "--redraw", "-o", str(tmp_path)]) == 0
        assert "<svg" in (tmp_path / f"{name}.svg").read_text()


class Tiny(Race):
    """Races on a tiny graph."""

    name = "tiny"
    source = "a paper, Figure 1"
    figures = (Figure("times", "threads"),)
    contestants = (
        Ours("auto", "right", parallel=False),
        Ours("magic", "unknown", parallel=False),
        Ours("kruskal", "picky", {"mood": 1}, parallel=False),
        Ours("auto", "by threads"),
    )

    def specifications(self, setting):
        return ("random:n=200,m=900,seed=3",)


def test_a_race_reports_failures_and_goes_on(tmp_path):
    record = Tiny().run(Setting(quick=True, threads=(1, 2)), tmp_path)
    rows = record.tables["times"]
    found = [(row["contestant"], row["threads"], row["error"][:15]) for row in rows]
    assert found == [
        ("right", 1, ""),
        ("unknown", 1, "unknown algorit"),
        ("picky", 1, "kruskal has no "),
        ("by threads", 1, ""),
        ("by threads", 2, ""),
    ]
    assert record.parameters["contestants"]["picky"] == {"algorithm": "kruskal", "options": {"mood": 1}}
    assert (tmp_path / "tiny.svg").exists()


def test_earlier_results_stay_if_a_run_fails_and_the_others_go_on(tmp_path, monkeypatch, capsys):
    class Failing(Experiment):
        name = "failing"
        source = "nowhere"

        def measure(self, setting):
            raise GraphError("no graph")

    class Nothing(Failing):
        name = "nothing"

        def measure(self, setting):
            return Findings({"rows": [{"threads": count} for count in setting.threads]})

    monkeypatch.setattr("lab.literature.command.EXPERIMENTS", {"failing": Failing(), "nothing": Nothing()})
    (tmp_path / "failing.json").write_text("before")
    assert lab.main(["literature", "-o", str(tmp_path), "--threads", "3,1"]) == 1
    assert "error: failing: no graph" in capsys.readouterr().err
    assert (tmp_path / "failing.json").read_text() == "before"
    assert Record.read(tmp_path / "nothing.json").tables["rows"] == [{"threads": 1}, {"threads": 3}]
    assert lab.main(["literature", "magic"]) == 2
    assert "unknown experiment 'magic'" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("name", ON_RANKS)
def test_all_strategies_find_the_same_forest_on_ranks(quick, name):
    rows = quick(name)[0].tables["times"]
    strategies = [f"{kind}, {merge}" for kind, merge in distributed.STRATEGIES]
    assert [(row["strategy"], row["ranks"]) for row in rows] == [
        (s, ranks) for ranks in (1, 2) for s in strategies
    ]
    assert all((row["error"], row["runs"]) == ("", 2) for row in rows)
    assert sum(row["default"] for row in rows) == 2
    assert len({row["strategy"] for row in rows if row["published"]}) == 7
