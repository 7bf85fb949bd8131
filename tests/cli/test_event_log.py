"""The log of ``boruvka solve``: one JSON object a line."""

import json
import os
from datetime import datetime

import pytest

from boruvka.cli.outputs import EventLog
from boruvka.errors import FileError
from boruvka.runtime.progress import Progress

INTERPRETED = ["--backend", "interpreted"]


def events_of(text):
    events = [json.loads(line) for line in text.splitlines()]
    for event in events:
        assert datetime.fromisoformat(event["time"]).utcoffset().total_seconds() == 0
    seconds = [event["seconds"] for event in events]
    assert seconds == sorted(seconds)
    return events


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")
def test_a_log_on_a_full_disk(graph_file, refuse):
    refuse("/dev/full: No space left on device", "solve", graph_file, "--log", "/dev/full", *INTERPRETED)


def test_solve(graph_file, tmp_path, run):
    log, output = tmp_path / "log.jsonl", tmp_path / "forest.csv"
    solve = ["solve", graph_file, "-o", output, "--verify", "--algorithm", "boruvka", "--log", log]
    assert run(*solve, "--quiet", *INTERPRETED) == (0, "", "")
    events = events_of(log.read_text())
    phases = [event["phase"] for event in events]
    assert list(dict.fromkeys(phases)) == ["read", "solve", "verify", "write", "round", "result"]
    read, solved = ([event for event in events if event["phase"] == phase][-1] for phase in ("read", "solve"))
    assert (read["done"], read["total"], read["unit"]) == (graph_file.stat().st_size,) * 2 + ("bytes",)
    assert (solved["done"], solved["total"], solved["round_edges"]) == (5, 5, 0)
    first = next(event for event in events if event["phase"] == "round")
    assert (first["number"], first["name"], first["n_components"], first["edges"]) == (1, "all", 5, 4)
    assert set(first["steps"]) >= {"propose", "hook"}
    result = events[-1]
    assert (result["weight"], result["components"], result["verified"]) == (0, 2, True)
    assert set(result["step_seconds"]) == {"read", "solve", "verify", "write"}


def test_standard_output(graph_file, run):
    result = run("solve", graph_file, "--log", "-", *INTERPRETED)
    assert result.code == 0
    assert events_of(result.out)[-1]["phase"] == "result"
    assert "weight        0" in result.err


def test_streamed_edges(graph_file, tmp_path, run):
    log = tmp_path / "log"
    assert run("solve", graph_file, "--memory", "8G", "--quiet", "--verify", "--log", log).code == 0
    events = events_of(log.read_text())
    assert list(dict.fromkeys(event["phase"] for event in events)) == ["solve", "verify", "round", "result"]
    solved = next(event for event in reversed(events) if event["phase"] == "solve")
    assert solved["unit"] == "bytes"
    assert solved["done"] == solved["total"] == graph_file.stat().st_size
    assert solved["detail"].startswith("4 edges, ")


def test_an_error_ends_the_log(tmp_path, run):
    path, log = tmp_path / "a.csv", tmp_path / "log"
    path.write_text("u,v,w\n0,1,red\n")
    result = run("solve", path, "--log", log)
    assert result.code == 2
    last = events_of(log.read_text())[-1]
    assert last["phase"] == "error"
    assert f"error: {last['message']}\n" == result.err


def test_an_interrupt_ends_the_log(graph_file, tmp_path, run, monkeypatch):
    def interrupt(*arguments, **keywords):
        raise KeyboardInterrupt

    monkeypatch.setattr("boruvka.trees.minimum_spanning.minimum_spanning_forest", interrupt)
    log = tmp_path / "log"
    assert run("solve", graph_file, "--log", log).code == 130
    assert [event["phase"] for event in events_of(log.read_text())][-1] == "interrupted"


def test_events_are_written_at_once(tmp_path):
    path = tmp_path / "log"
    with EventLog(path) as log:
        log(Progress("read", 1.5, float("inf"), detail="x"))
        (event,) = events_of(path.read_text())
    assert (event["done"], event["total"], event["round_edges"], event["detail"]) == (1.5, "inf", None, "x")
    assert "unit" not in event
    with pytest.raises(FileError, match="nowhere"):
        EventLog(tmp_path / "nowhere" / "log")
