"""External programs: their description, their input, and what they print."""

import sys
from pathlib import Path

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import BoruvkaError, FileError, FormatError
from lab.contestants.external import External, Program, read_programs, write_gbbs

ENTRY = 'command = "x {input}"\nformat = "pbbs"\nweight = "(.)"\n'
PEER = """
import os, sys
task, input, output = sys.argv[1:]
lines = open(input).read().split("\\n")
assert lines[0] == "WeightedEdgeArray"
rows = [line.split() for line in lines[1:] if line]
edges = [(float(w), int(u), int(v), i) for i, (u, v, w) in enumerate(rows)]
label, chosen, weight = {}, [], 0.0
for w, u, v, i in sorted(edges):
    a, b = label.get(u, u), label.get(v, v)
    if a != b:
        chosen.append(i)
        weight += w
        for x in (*label, u, v):
            label[x] = a if label.get(x, x) == b else label.get(x, x)
for seconds in 0.25, 0.125:
    print(f"run took {seconds}")
print(f"weight = {weight} edges = {len(chosen)} threads = {os.environ.get('PEER_THREADS')}")
with open(output, "w") as file:
    file.write("sequenceInt\\n" + "".join(f"{e}\\n" for e in sorted(chosen)))
if task == "fail":
    sys.exit("out of luck")
"""
GRAPH = Graph(5, [2, 0, 0, 1, 3], [2, 1, 1, 2, 3], np.array([0, 3, 1, 2.5, 7], np.float32))


@pytest.fixture
def peer(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    script = tmp_path / "peer.py"
    script.write_text(PEER)

    def make(task="solve", name="peer", **settings):
        settings = {
            "command": f"'{sys.executable}' '{script}' {task} {{input}} {{output}}",
            "format": "pbbs",
            "environment": {"PEER_THREADS": "{threads}"},
            "seconds": "run took ([0-9.]+)",
            "weight": "weight = (\\S+)",
            **settings,
        }
        external = External(name, Program(**settings))
        external.load(2)
        return external

    return make


def test_a_program_is_run_and_read(peer):
    external = peer(edges="edges = (\\d+)")
    native = external.prepare(GRAPH)
    answer = external.solve(native)
    assert "threads = 2" in answer.text
    assert external.outcome(native, answer)[:2] == (2, 3.5)
    run = external.timing(answer, 99.0)
    assert run.seconds == (0.25, 0.125)
    assert run.peak is None or run.peak > 10**6
    assert external.parallel


def test_edges_are_read_and_times_taken(peer):
    external = peer(answer="edge-ids", seconds="", environment={})
    native = external.prepare(GRAPH)
    answer = external.solve(native)
    assert external.outcome(native, answer)[:2] == (2, 3.5)
    assert external.timing(answer, 99.0).seconds == (99.0,)
    assert external.accuracy == 0
    assert not external.parallel


def test_gbbs_files_list_sorted_neighbours(tmp_path):
    write_gbbs(Graph(4, [2, 0], [0, 1], [5, 7]), tmp_path / "g")
    words = (tmp_path / "g").read_text().split()
    assert " ".join(words) == "WeightedAdjacencyGraph 4 4 0 2 3 4 1 2 0 0 7 5 7 5"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"task": "fail"}, "exit code 1: out of luck"),
        ({"command": "no-such-program {input}"}, "no-such-program cannot be run: No such file"),
        ({"seconds": "lasted (.*)"}, "printed no match of seconds = 'lasted"),
        ({"weight": "total (.*)"}, "printed no match of weight = 'total"),
        ({"answer": "edge-ids", "command": f"'{sys.executable}' -c 'print(1)'"}, r"it wrote no \{output\}"),
        ({"seconds": "(run) took"}, "in its output for seconds: could not convert"),
    ],
)
def test_errors_of_programs(peer, settings, message):
    external = peer(**settings)
    native = external.prepare(GRAPH)

    def run():
        answer = external.solve(native)
        external.outcome(native, answer)
        external.timing(answer, 1.0)

    with pytest.raises(BoruvkaError, match=message):
        run()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a\n", "line 1"),
        ("[a]\n" + 'format = "pbbs"\n', "missing 1 required positional argument: 'command'"),
        ("[a]\n" + ENTRY + "speed = 1\n", r"\[a\]: 'speed' is unknown"),
        ("[a]\n" + ENTRY.replace("pbbs", "mp3"), "format must be one of pbbs, gbbs, got 'mp3'"),
        ("[a]\n" + ENTRY.replace("{input}", "{graph}"), "it takes {input}, {output}, {threads} only"),
        ("[a]\n" + ENTRY.replace('"x {input}"', "3"), r"\[a\]: command must be a str, got 3"),
        ("[a]\n" + ENTRY.replace("(.)", "."), "weight must have one group"),
        ("[a]\n" + ENTRY.replace("(.)", "("), "weight is not a regular expression"),
        ("[a]\n" + ENTRY.replace("weight", "seconds"), "so that it can be checked"),
        ("[a]\n" + ENTRY + 'answer = "graph"\n', "answer must be 'edge-ids'"),
        ("[a]\n" + ENTRY + 'weights = "int32"\n', r"\[a\]: weights must be a list, got 'int32'"),
    ],
)
def test_malformed_files(text, message, tmp_path):
    path = tmp_path / "peers.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as caught:
        read_programs(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_files_that_are_right(tmp_path):
    path = tmp_path / "peers.toml"
    path.write_text(f"[one]\n{ENTRY}\n[two]\n{ENTRY}version = '7'\naccuracy = 0\n")
    assert [(name, p.version) for name, p in read_programs(path).items()] == [("one", ""), ("two", "7")]
    with pytest.raises(FileError, match="No such file"):
        read_programs(tmp_path / "missing.toml")
    page = (Path(__file__).parents[3] / "docs" / "measuring.md").read_text()
    path.write_text(page.split("```toml\n")[1].split("```")[0])
    (program,) = read_programs(path).values()
    assert program.answer == "edge-ids"
