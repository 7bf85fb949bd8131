"""The command, and the list of experiments."""

import subprocess
import sys
from pathlib import Path

import pytest

import experiments.__main__ as program
from boruvka.cli.main import run_command
from boruvka.errors import FileError
from experiments.common.experiment import RESULTS, Request

from .conftest import committed
from .test_experiment import Nothing, made

ROOT = Path(__file__).parents[2]


def run(*arguments):
    return run_command(program.command, list(map(str, arguments)), "experiments")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["magic"], "unknown experiment 'magic'; there are minho_time_by_graph, "),
        (["--threads", "0"], "--threads"),
        (["--threads", "two"], "--threads"),
        (["--ranks", "1,x"], "--ranks"),
        (["--seconds", "0"], "--seconds"),
        (["--road", "missing.gr"], "missing.gr"),
        (["--figure-format", "gif"], "--figure-format"),
    ],
)
def test_bad_usage(arguments, message, tmp_path, capsys):
    assert run(*arguments, "-o", tmp_path) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert list(tmp_path.iterdir()) == []


def test_options(monkeypatch, tmp_path):
    requests = []
    monkeypatch.setattr(
        program, "EXPERIMENTS", {"nothing": made(run=lambda self, request: requests.append(request))}
    )
    arguments = [
        "nothing",
        "--quick",
        "--threads",
        "4,1",
        "--ranks",
        "2",
        "--seconds",
        "3",
        "--road",
        __file__,
    ]
    assert run(*arguments, "-o", tmp_path, "--figure-format", "png") == 0
    expected = {"threads": (1, 4), "ranks": (2,), "seconds": 3.0, "roads": (Path(__file__),), "kind": "png"}
    assert requests == [Request(quick=True, output=tmp_path, **expected)]


def test_a_failure_does_not_stop_the_others(monkeypatch, tmp_path, capsys):
    def fail(self, setting):
        raise FileError("gone")

    monkeypatch.setattr(program, "EXPERIMENTS", {"a": made(measure=fail), "nothing": Nothing()})
    assert run("--quick", "-o", tmp_path) == 1
    assert "error: a: gone" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["nothing.json"]
    assert run("nothing", "--quick", "-o", tmp_path) == 0
    assert run("nothing", "--quick", "-o", f"{__file__}/results") == 1
    assert "results: Not a directory" in capsys.readouterr().err


@pytest.mark.parametrize("name", program.EXPERIMENTS)
def test_every_experiment_is_documented(name):
    experiment = program.EXPERIMENTS[name]
    assert experiment.name == name
    assert experiment.about.split("\n")[1] == ""
    assert len(experiment.reported) > 1
    assert experiment.reported["paper"]
    assert f"`{name}`" in (ROOT / "experiments" / "README.md").read_text()
    assert f"{name} " in program.LISTING


@pytest.mark.long
@pytest.mark.parametrize("name", program.EXPERIMENTS)
def test_committed_results(name):
    experiment, (record, graphs) = program.EXPERIMENTS[name], committed(name)
    assert (record["experiment"], record["quick"], record["about"]) == (name, False, experiment.about)
    tables = experiment.tables(graphs, record["parameters"])
    for title, rows in tables.items():
        expected = record["tables"][title]
        assert [list(row) for row in rows] == [list(row) for row in expected]
        for row, other in zip(rows, expected, strict=True):
            assert row == other or row == pytest.approx(other, rel=1e-12)
    for rows in record["tables"].values():
        assert len({tuple(row) for row in rows}) <= 1
    panels = experiment.panels(record["tables"], record["parameters"])
    assert all(panel.x and (panel.stacks or any(panel.lines.values())) for panel in panels)
    assert bool(panels) == (RESULTS / f"{name}.svg").exists()


@pytest.mark.long
def test_the_program(tmp_path):
    names = ["cmu_rounds", "minho_load_imbalance"]
    command = [sys.executable, "-m", "experiments", *names, "--quick", "-o", str(tmp_path)]
    process = subprocess.run(
        [*command, "--figure-format", "png"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert process.stderr == ""
    assert "fewest rounds" in process.stdout
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == sorted(f"{name}.{ending}" for name in names for ending in ("json", "png"))
