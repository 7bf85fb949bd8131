import sys

import numpy as np
import pytest

from boruvka import Graph
from boruvka.bench.contestants import External
from boruvka.bench.contestants import external as external_module
from boruvka.bench.contestants.program import Program
from boruvka.errors import BoruvkaError, FormatError
from boruvka.formats import write

PEER = """
import os, sys
_, task, input, output = sys.argv
header, *lines = open(input).read().splitlines()
assert header == "WeightedEdgeArray"
edges = [(float(w), int(u), int(v), i) for i, (u, v, w) in enumerate(line.split() for line in lines)]
label, chosen, weight = {}, [], 0.0
for w, u, v, i in sorted(edges):
    a, b = label.get(u, u), label.get(v, v)
    if a != b:
        chosen.append(i)
        weight += w
        for x in (*label, u, v):
            label[x] = a if label.get(x, x) == b else label.get(x, x)
print("warming up in time: 9 s")
for seconds in 0.25, 0.125:
    print(f"run took {seconds}")
print(f"weight = {weight} edges = {len(chosen)} threads = {os.environ.get('PEER_THREADS')}")
with open(output, "w") as file:
    file.write("sequenceInt\\n" + "".join(f"{e}\\n" for e in sorted(chosen)))
if task == "fail":
    sys.exit("out of luck")
"""


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


GRAPH = Graph(5, [2, 0, 0, 1, 3], [2, 1, 1, 2, 3], np.array([0, 3, 1, 2.5, 7], np.float32))


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


def test_an_input_is_prepared(peer, tmp_path):
    script = tmp_path / "prepare.py"
    script.write_text(
        "import sys\nlines = open(sys.argv[1]).read().replace(',', ' ').splitlines()\n"
        "lines = [line for line in lines if line[0].isdigit()]\n"
        "open(sys.argv[2], 'w').write('\\n'.join(['WeightedEdgeArray', *lines]))"
    )
    external = peer(format="csv", prepare=f"'{sys.executable}' '{script}' {{input}} {{output}}")
    native = external.prepare(GRAPH)
    assert external.outcome(native, external.solve(native)).weight == 3.5


def test_a_graph_is_written_and_prepared_once_for_all(peer, tmp_path, monkeypatch):
    script = tmp_path / "copy.py"
    script.write_text(
        "import sys\nopen(sys.argv[2], 'w').write(open(sys.argv[1]).read())\n"
        "print('copied', file=open(__file__ + '.log', 'a'))"
    )
    written = []
    monkeypatch.setattr(
        external_module, "write", lambda graph, path, **how: (written.append(path), write(graph, path, **how))
    )

    def weight(threads, name, options=""):
        prepare = f"'{sys.executable}' '{script}' {{input}} {{output}} {options}"
        external = peer(name=name, prepare=prepare)
        external.load(threads)
        native = external.prepare(GRAPH)
        return external.outcome(native, external.solve(native)).weight

    def copies():
        return (tmp_path / "copy.py.log").read_text().count("copied")

    assert [weight(threads, name) for threads in (1, 2) for name in ("peer", "other")] == [3.5] * 4
    assert (len(written), copies()) == (1, 1)
    assert [weight(threads, "third", "{threads}") for threads in (1, 2, 2)] == [3.5] * 3
    assert (len(written), copies()) == (1, 3)


def test_a_preparation_that_fails_leaves_no_input_to_others(peer, tmp_path):
    script = tmp_path / "fail.py"
    script.write_text("import sys\nopen(sys.argv[2], 'w').write('half')\nsys.exit('full')")
    for name in "peer", "other":
        with pytest.raises(BoruvkaError, match="exit code 1: full"):
            peer(name=name, prepare=f"'{sys.executable}' '{script}' {{input}} {{output}}").prepare(GRAPH)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"task": "fail"}, "exit code 1: out of luck"),
        ({"command": "no-such-program {input}"}, "no-such-program cannot be run: No such file"),
        ({"seconds": "lasted (.*)"}, "printed no match of seconds = 'lasted"),
        ({"weight": "total (.*)"}, "printed no match of weight = 'total"),
        ({"answer": "edge-ids", "command": f"'{sys.executable}' -c 'print(1)'"}, r"it wrote no \{output\}"),
        ({"seconds": "(run) took"}, "is no number"),
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


@pytest.mark.parametrize("text", ["sequenceInt\n7\n", "1\n-2\n", "1\ntwo\n"])
def test_malformed_edges(peer, text):
    external = peer(answer="edge-ids")
    native = external.prepare(GRAPH)
    answer = external.solve(native)
    with open(native.output, "w") as file:
        file.write(text)
    with pytest.raises(FormatError, match=r"\{output\}"):
        external.outcome(native, answer)


def test_refused_types_of_weights(peer):
    external = peer(weights=["int32"])
    assert external.refusal(GRAPH) == "takes weights of int32, not float32"
    assert peer().refusal(GRAPH) == ""
