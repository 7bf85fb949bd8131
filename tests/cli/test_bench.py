import inspect
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

import boruvka.bench.run
from boruvka.bench.point_sets import PointsTask
from boruvka.bench.results import read_results
from boruvka.bench.schemes import Confidence

from ..bench.fake_contestants import sample_results
from .terminal import terminal


@pytest.fixture
def measured(monkeypatch):
    """Replace the measurement: two graphs, then an interrupt if asked for; record how it is called."""
    calls = {"interrupt": False}
    signature = inspect.signature(boruvka.bench.run.measure)
    results = sample_results(sizes=(1000, 2000))

    def measure(names, plan, *, on_graph, show):
        signature.bind(names, plan, on_graph=on_graph, show=show)
        calls.update(names=names, plan=plan)
        show(0.5, "scipy, 1 thread, run 1")
        on_graph(replace(results, graphs=results.graphs[:1], complete=False))
        if calls["interrupt"]:
            return replace(results, complete=False)
        on_graph(results)
        return results

    monkeypatch.setattr("boruvka.bench.run.measure", measure)
    return calls


def test_plan(measured, graph_file, tmp_path, run):
    result = run(
        *("bench", graph_file, "star:n=9", "--suite", "small", "--threads", "2, 1,2", "--time-limit", "0.5"),
        *("--algorithms", "auto,prim", "--contestants", "scipy, argsort-kruskal", "--scheme", "confidence"),
        *("-o", tmp_path / "r.json"),
    )
    assert (result.code, result.err) == (0, "")
    assert measured["names"][:2] == (str(graph_file), "star:n=9")
    assert len(measured["names"]) > 2
    plan = measured["plan"]
    assert [c.name for c in plan.contestants] == ["boruvka", "boruvka:prim", "scipy", "argsort-kruskal"]
    assert (list(plan.threads), plan.scheme, plan.time_limit) == ([1, 2], Confidence(), 0.5)
    assert set(plan.named) == {"scipy", "argsort-kruskal"}
    for m in (1000, 2000):
        assert result.out.count(f"random:n={m // 8},m={m},seed=1") == 1
    assert "/ streaming" in result.out
    assert read_results(tmp_path / "r.json").complete


def test_plan_of_conversions(measured, run):
    assert run("bench", "--conversions", "--contestants", "tuples,scipy-csr").code == 0
    assert measured["names"] == ("random:n=100000,m=1000000,seed=1",)
    plan = measured["plan"]
    names = ["tuples", "walk of tuples", "scipy-csr", "walk of scipy-csr"]
    assert [c.name for c in plan.contestants] == names
    assert not plan.probes


def test_plan_of_points(measured, tmp_path, run):
    path = tmp_path / "p.csv"
    path.write_text("x,y\n1,2\n")
    arguments = ["bench", "--points", path, "uniform:n=9", "--suite", "dimensions", "--metric", "l1"]
    assert run(*arguments, "--algorithms", "all", "--contestants", "scipy-linkage").code == 0
    assert measured["names"][:2] == (str(path), "uniform:n=9")
    assert len(measured["names"]) == 10
    plan = measured["plan"]
    assert plan.points == PointsTask("manhattan")
    assert {c.name for c in plan.contestants} >= {"boruvka", "boruvka:dense", "scipy-linkage"}
    assert (plan.probes, plan.named) == (False, ("scipy-linkage",))


def test_plan_of_labels(measured, run):
    assert run("bench", "--points", "--hdbscan", "7", "--contestants", "scikit-learn").code == 0
    assert measured["names"][0].startswith("uniform:n=3000")
    assert measured["plan"].points == PointsTask("euclidean", 7, 7)
    assert [c.name for c in measured["plan"].contestants] == ["boruvka", "scikit-learn"]
    run("bench", "--points", "--hdbscan", "7", "--mutual-reachability", "3", "--contestants", "scikit-learn")
    assert measured["plan"].points == PointsTask("euclidean", 3, 7)


def test_json(measured, run_json):
    assert len(run_json("bench", "star")["graphs"]) == 2


def test_interrupt_keeps_the_results(measured, tmp_path, run):
    measured["interrupt"] = True
    result = run("bench", "star", "-o", tmp_path / "r.json")
    assert (result.code, result.err) == (130, "\ninterrupted\n")
    for m in (1000, 2000):
        assert result.out.count(f"random:n={m // 8},m={m},seed=1") == 1
    results = read_results(tmp_path / "r.json")
    assert (results.complete, len(results.graphs)) == (False, 2)


def test_bar_on_a_terminal(measured, run, monkeypatch):
    with terminal(monkeypatch) as drawn:
        assert "scipy" in run("bench", "star").out
    assert b"scipy, 1 thread, run" in drawn


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("--threads: expected numbers from 1 to 1024", ["--threads", "0"]),
        ("--threads: expected numbers", ["--threads", "1,two"]),
        ("--threads: expected numbers", ["--threads", ""]),
        ("--threads: expected numbers", ["--threads", "1025"]),
        ("unknown scheme 'mean'", ["--scheme", "mean"]),
        ("unknown suite 'huge'", ["--suite", "huge"]),
        ("unknown algorithm 'magic'", ["--algorithms", "magic"]),
        ("unknown contestant 'boost'", ["--contestants", "boost"]),
        ("missing.toml: No such file", ["--external", "missing.toml"]),
        ("--time-limit", ["--time-limit", "0"]),
        ("missing.gr: there is no such file", ["missing.gr"]),
        ("star has no argument 'k'", ["star:k=1"]),
        ("missing", ["star", "-o", "missing/r.json"]),
        ("missing.csv: there is no such file, and no such family: give uniform", ["--points", "missing.csv"]),
        ("uniform has no argument 'k'", ["--points", "uniform:k=1"]),
        ("'kruskal' is no algorithm of points", ["--points", "--algorithms", "kruskal"]),
        ("unknown contestant 'scipy' on points", ["--points", "--contestants", "scipy"]),
        ("unknown suite 'curve'; there are quick, dimensions, race", ["--points", "--suite", "curve"]),
        ("--conversions and --external are for graphs", ["--points", "--conversions"]),
        ("must be at least 2 with --hdbscan", ["--points", "--hdbscan", "5", "--mutual-reachability", "1"]),
        ("--metric is for points: write --points too", ["star", "--metric", "l1"]),
        ("--mutual-reachability is for points", ["star", "--mutual-reachability", "3"]),
        ("--hdbscan is for points", ["star", "--hdbscan", "5"]),
    ],
)
def test_bad_input_and_usage(message, arguments, refuse):
    refuse(message, "bench", *arguments)


@pytest.mark.long
def test_measurement(graph_file, tmp_path, monkeypatch, run):
    """The whole way, with one process of a contestant."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("boruvka.bench.run.PROBES", ())
    result = run("bench", "graph.csv", "--algorithms", "", "--contestants", "scipy", "-o", "r.json")
    assert (result.code, result.err) == (0, "")
    for words in ("graph.csv (5 vertices, 4 edges, int64)", "scipy"):
        assert words in result.out
    assert "boruvka" not in check_results(tmp_path)


@pytest.mark.long
def test_measurement_of_all(graph_file, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    result = run("bench", "graph.csv", "--contestants", "scipy", "-o", "r.json")
    assert (result.code, result.err) == (0, "")
    for words in ("graph.csv (5 vertices, 4 edges, int64)", "scipy", "boruvka", "/ streaming"):
        assert words in result.out
    assert "boruvka" in check_results(tmp_path)
    result = run("report", "r.json", "--steps")
    for words in ("graph.csv", "scipy", "steps of the fastest run", "GB/s"):
        assert words in result.out


def check_results(folder):
    """Check what was written of graph.csv; return who was measured."""
    results = read_results(folder / "r.json")
    assert results.complete
    assert results.scheme["name"] == "k-best"
    (graph,) = results.graphs
    assert (graph.name, graph.n, graph.forest_weight) == ("graph.csv", 5, 0)
    assert not any(entry.error for entry in graph.entries)
    assert sorted(p.name for p in folder.iterdir()) == ["graph.csv", "r.json"]
    assert str(folder) not in (folder / "r.json").read_text()
    return [entry.contestant for entry in graph.entries]


SLEEPER = "import time; time.sleep(0.3); print('weight = 0')"


def endless(folder):
    """Describe a program whose runs take a while, on a graph that it has solved."""
    (folder / "graph.csv").write_text("0,1,0\n")
    (folder / "sleeper.py").write_text(SLEEPER)
    command = f"'{sys.executable}' '{folder / 'sleeper.py'}'"
    entry = f'[sleeper]\ncommand = "{command}"\nformat = "pbbs"\nweight = "weight = (.*)"\n'
    (folder / "peers.toml").write_text(entry)
    arguments = ["graph.csv", "graph.csv", "--algorithms", "", "--external", "peers.toml", "-o", "r.json"]
    return [sys.executable, "-m", "boruvka", "bench", *arguments, "--contestants", "sleeper"]


@pytest.mark.long
def test_interrupt_of_the_process_keeps_the_results(tmp_path):
    process = subprocess.Popen(
        endless(tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
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
def test_time_limit_of_a_program(tmp_path):
    command = [*endless(tmp_path), "--json", "--time-limit", "0.1"]
    command.remove("graph.csv")
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    report = json.loads(process.stdout)
    assert process.stderr == ""
    (entry,) = report["graphs"][0]["entries"]
    assert entry["error"] == "took longer than the time limit of 0.1 s"
