import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest

import boruvka
from boruvka.bench.results import read_results, write_results
from boruvka.cli.main import main

from ..cli.terminal import run_on_terminal
from .fake_contestants import sample_results


def write_graph(path, weights):
    boruvka.write(([0, 1, 2, 3], [1, 2, 0, 4], np.array(weights, np.float32)), path)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Measure a tiny graph."""
    folder = tmp_path_factory.mktemp("bench")
    write_graph(folder / "graph.npz", [4, 3, 5, -7])
    arguments = ["--contestants", "scipy", "-o", str(folder / "r.json")]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main(["bench", str(folder / "graph.npz"), *arguments])
    return folder, status, out.getvalue(), err.getvalue()


def test_bench(measured):
    folder, status, out, err = measured
    assert (status, err) == (0, "")
    for words in ("graph.npz (5 vertices, 4 edges, float32)", "scipy", "boruvka", "/ streaming"):
        assert words in out
    results = read_results(folder / "r.json")
    assert results.complete
    assert results.scheme["name"] == "k-best"
    (graph,) = results.graphs
    assert (graph.name, graph.n, graph.forest_weight) == ("graph.npz", 5, 0)
    assert [e.error for e in graph.entries] == ["", ""]
    assert sorted(p.name for p in folder.iterdir()) == ["graph.npz", "r.json"]
    assert str(folder) not in (folder / "r.json").read_text()


def test_report(measured, tmp_path, capsys):
    path = str(measured[0] / "r.json")
    assert main(["report", path, "--steps"]) == 0
    out = capsys.readouterr().out
    for words in ("graph.npz", "scipy", "steps of the fastest run", "GB/s"):
        assert words in out
    assert main(["report", path, path, "-o", str(tmp_path / "r.md"), "--figures", str(tmp_path)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert all(os.path.exists(line) for line in out)
    assert len(out) == 1 + 4
    assert main(["report", path, "--baseline", "scipy", "-o", str(tmp_path / "r.md")]) == 0
    assert "/ scipy" in (tmp_path / "r.md").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bench", "--threads", "0"], "--threads: expected numbers from 1 to 1024"),
        (["bench", "--threads", "two"], "--threads: expected numbers"),
        (["bench", "--threads", ""], "--threads: expected numbers"),
        (["bench", "--scheme", "mean"], "unknown scheme 'mean'"),
        (["bench", "--suite", "huge"], "unknown suite 'huge'"),
        (["bench", "--algorithms", "magic"], "unknown algorithm 'magic'"),
        (["bench", "--contestants", "boost"], "unknown contestant 'boost'"),
        (["bench", "--external", "missing.toml"], "missing.toml: No such file"),
        (["bench", "--time-limit", "0"], "--time-limit"),
        (["bench", "missing.gr"], "missing.gr: there is no such file"),
        (["bench", "star:k=1"], "star has no argument 'k'"),
        (["bench", "star", "-o", "missing/r.json"], "missing"),
        (["report"], "Missing argument"),
        (["report", "missing.json"], "missing.json: No such file"),
        (["report", "{results}", "--baseline", "boost"], "there is no contestant 'boost'"),
        (["report", "{results}", "-o", "r.pdf"], "a report ends in .html or .md"),
        (["report", "{results}", "--figure-format", "gif"], "--figure-format"),
    ],
)
def test_bad_input_and_usage(arguments, message, tmp_path, capsys):
    write_results(sample_results(), tmp_path / "r.json")
    assert main([a.format(results=tmp_path / "r.json") for a in arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


SLEEPER = "import time; time.sleep(0.3); print('weight = 0')"


def sleeping(folder):
    """Describe a program whose runs take a while, and return a command that measures it."""
    write_graph(folder / "graph.npz", [0, 0, 0, 0])
    (folder / "sleeper.py").write_text(SLEEPER)
    command = f"'{sys.executable}' '{folder / 'sleeper.py'}'"
    entry = f'[sleeper]\ncommand = "{command}"\nformat = "pbbs"\nweight = "weight = (.*)"\n'
    (folder / "peers.toml").write_text(entry)
    arguments = ["graph.npz", "graph.npz", "--algorithms", "", "--external", "peers.toml", "-o", "r.json"]
    return [sys.executable, "-m", "boruvka", "bench", *arguments, "--contestants", "sleeper"]


@pytest.mark.long
def test_interrupt_keeps_the_results(tmp_path):
    process = subprocess.Popen(
        sleeping(tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    path = tmp_path / "r.json"
    while not (path.exists() and read_results(path).graphs):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "\ninterrupted\n")
    assert "sleeper" in out
    results = read_results(path)
    assert not results.complete
    assert results.graphs[0].entries[0].samples


@pytest.mark.long
def test_json_and_a_bar_on_a_terminal(tmp_path):
    command = [*sleeping(tmp_path), "--scheme", "k-best"]
    command.remove("graph.npz")
    status, out, drawn = run_on_terminal(command, cwd=tmp_path)
    assert status == 0
    assert b"sleeper, 1 thread, run" in drawn
    assert b"sleeper" in out
    assert main(["report", str(tmp_path / "r.json")]) == 0


def test_json_and_a_time_limit(tmp_path, monkeypatch, capsys):
    command = sleeping(tmp_path)[3:]
    command.remove("graph.npz")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boruvka.bench.run.PROBES", ())
    assert main([*command, "--json", "--time-limit", "0.1"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    (entry,) = json.loads(captured.out)["graphs"][0]["entries"]
    assert entry["error"] == "took longer than the time limit of 0.1 s"


def test_help_is_light():
    code = (
        "import sys; from boruvka.cli.main import main\n"
        "for command in ('bench', 'report'):\n"
        "    main([command, '--help'])\n"
        "assert not {'numba', 'scipy', 'matplotlib', 'boruvka.bench'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
