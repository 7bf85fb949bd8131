"""The command line of the measurements, each on tiny input."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from boruvka.errors import BoruvkaError, MissingExtraError, OptionError
from lab import __main__ as lab
from lab import cores
from lab.contestants.libraries import LIBRARIES
from lab.harness import programs
from lab.harness.results import Record
from lab.race import contestants_of

TINY = "random:n=300,m=1500,seed=1"


@pytest.fixture
def run(tmp_path, capsys):
    """Return a function that runs a command, and reads the results that it wrote."""

    def run(*arguments):
        code = lab.main([*map(str, arguments), "-o", str(tmp_path / "r.json")])
        assert code == 0, capsys.readouterr().err
        return Record.read(tmp_path / "r.json"), capsys.readouterr().out

    return run


def test_errors_are_one_line(capsys):
    assert lab.main(["race", "nothing:n=3"]) == 2
    assert capsys.readouterr().err.startswith("error: nothing:n=3: there is no such file, and no such family")
    assert lab.main(["race", TINY, "--threads", "0"]) == 2
    assert "0 is not in the range" in capsys.readouterr().err
    assert lab.main(["race", TINY, "-o", "no/such/folder/r.json"]) == 2
    assert "no/such/folder" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.needs("scipy")
def test_race(run):
    record, text = run("race", TINY, "star:n=50", "--contestants", "scipy", "--threads", "1,2")
    found = [
        (row["graph"], row["contestant"], row["threads"], row["error"]) for row in record.tables["times"]
    ]
    lines = [("boruvka", 1, ""), ("boruvka", 2, ""), ("scipy", 1, "")]
    assert found == [(graph, *line) for graph in (TINY, "star:n=50") for line in lines]
    assert record.tables["times"][0]["times ours"] == 1
    assert f"| {TINY} | 300 | 1,500 | float32 | scipy | 1 |" in text


@pytest.mark.long
def test_cores(run):
    record, _ = run("cores", "--computed", "--threads", "1,4", "--runs", 1, "random:n=20000,m=200000,seed=1")
    one, four = record.tables["computed"]
    assert (one["speed-up"], one["launches"], one["serial ms"]) == (1, 0, one["ms"])
    assert four["launches"] > 5
    assert four["serial ms"] < four["ms"] < four["serial ms"] + four["work ms"]
    assert {row["step"] for row in record.tables["limits"]} >= {"emit", "emit_members"}
    record, _ = run("cores", "--threads", "1,2", "--seconds", 0, TINY, "uniform:n=50,d=2")
    assert [row["threads"] for row in record.tables["launches"]] == list(cores.COUNTS)
    found = [(row["contestant"], row["threads"], row["error"]) for row in record.tables["times"]]
    ours = [(name, threads, "") for threads in (1, 2) for name in ("boruvka", "verify", "stream")]
    assert found == [*ours, ("boruvka", 1, ""), ("boruvka", 2, "")]


@pytest.mark.long
def test_verification(run):
    record, _ = run("verification", TINY, "uniform:n=50,d=2")
    assert [(row["graph"], row["error"]) for row in record.tables["times"]] == [
        (TINY, ""),
        ("uniform:n=50,d=2", ""),
    ]
    assert all(row["ratio"] > 0 for row in record.tables["times"])


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="Linux")
def test_stream_and_clusters(run):
    record, _ = run("stream", "--scale", 8, "--order-scale", 7, "--runs", 1)
    assert [row["way"] for row in record.tables["ways"]][:4] == ["decode", "in memory", "stream", "verify"]
    record, _ = run("clusters", "--scale", 8, "--runs", 1, "--way", "in memory", "--way", "threads")
    assert record.tables["ways"][1]["moved %"] > 0


@pytest.mark.long
def test_start(run):
    rows = run("start", "--runs", 1)[0].tables["processes"]
    assert [row["process"] for row in rows if row["beyond NumPy s"] is None] == [
        "import numpy",
        "import numpy, load arrays",
    ]


@pytest.mark.long
def test_gpu_on_the_simulator(tmp_path, monkeypatch):
    """In a process of its own: algorithms of the GPU agree with the threads."""
    command = [sys.executable, "-m", "lab", "gpu", "random:n=6,m=12,seed=1", "--seconds", "0.1"]
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(
        [*command, "-o", tmp_path / "r.json"],
        capture_output=True,
        text=True,
        env=environment,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    rows = Record.read(tmp_path / "r.json").tables["times"]
    assert [row["contestant"] for row in rows][:3] == ["on the device", "with copies", "threads"]
    assert [row["error"] for row in rows] == [""] * len(rows)


def test_programs_that_fail_or_disagree(tmp_path):
    with pytest.raises(BoruvkaError, match=r"(?s)bad failed:.*ZeroDivisionError"):
        programs.in_turn({"bad": ["-c", "1 / 0"]}, 1, lambda doing: None)
    disagree = {name: ["-c", f"""print('{{"seconds": 1, "forest": [{name}]}}')"""] for name in "12"}
    with pytest.raises(BoruvkaError, match="the forests differ"):
        programs.in_turn(disagree, 1, lambda doing: None)
    found = programs.in_turn({"silent": ["-c", ""]}, 2, lambda doing: None)
    assert programs.summary(found["silent"])["runs"] == 2


@pytest.mark.needs("scipy")
def test_chosen_contestants(monkeypatch):
    names = [c.name for c in contestants_of(["auto", "boruvka", "auto"], ["scipy"])]
    assert names == ["boruvka", "boruvka:boruvka", "scipy"]
    assert [c.name for c in contestants_of([])] == [name for name in LIBRARIES if LIBRARIES[name]().installed]
    with pytest.raises(OptionError, match="unknown contestant 'boost'; there are scipy"):
        contestants_of([], ["boost"])
    with pytest.raises(OptionError, match="unknown algorithm 'magic'"):
        contestants_of(["magic"], [])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert contestants_of([]) == []
    with pytest.raises(MissingExtraError, match="rustworkx is not installed"):
        contestants_of([], ["rustworkx"])
