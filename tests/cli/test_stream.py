"""Streamed edges on the command line: ``--memory`` and ``--checkpoint``."""

import errno
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

import boruvka
import boruvka.formats
from boruvka.kernels import library
from boruvka.stream import one_pass
from tests.stream.helpers import random_graph, write_parquet

polars = pytest.importorskip("polars")

MEASURED = (
    "import re, sys\n"
    "from pathlib import Path\n"
    "from boruvka.cli.main import main\n"
    "code = main(sys.argv[1:])\n"
    "print('peak', re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])\n"
    "sys.exit(code)"
)


@pytest.fixture
def folder(tmp_path):
    """A folder with the edges of a graph in three files, and the graph."""
    graph = random_graph(50, 900)
    path = tmp_path / "edges"
    path.mkdir()
    for k in range(3):
        write_parquet(path / f"part-{k}.parquet", graph, first=300 * k, last=300 * (k + 1))
    return path, graph


def run_process(code, *arguments, **how):
    line = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, **how)


def test_a_folder_is_the_graph_of_its_files(folder, tmp_path, run_json):
    path, graph = folder
    forest = boruvka.minimum_spanning_forest(graph, maximum=True)
    output = tmp_path / "forest.csv"
    for source in path, f"{path}/*.parquet":
        report = run_json("solve", source, "--maximum", "-o", output, "--verify")
        assert (report["vertices"], report["edges"], report["algorithm"]) == (50, 900, "stream")
        assert (report["weight"], report["verified"]) == (forest.weight, True)
        assert polars.read_csv(output)["edge"].to_list() == forest.edges.tolist()
    assert run_json("verify", path, output, "--maximum")["verified"]


def test_verification_fails(folder, tmp_path, run):
    path, graph = folder
    output = tmp_path / "forest.csv"
    assert run("solve", path, "-o", output, "--quiet").code == 0
    result = run("verify", path, output, "--maximum", "--memory", "8G")
    assert result.code == 1
    edges = polars.read_csv(output)["edge"].to_numpy()
    assert boruvka.verify(graph, edges, maximum=True).message in result.err
    bare = tmp_path / "bare.csv"
    polars.read_csv(output).drop("edge").write_csv(bare)
    assert "ends are enough: boruvka convert makes one" in run("verify", path, bare).err
    bare.write_text(bare.read_text().replace("source,target,weight", "a,b,c"))
    assert "there are no indices of edges" in run("verify", path, bare, "--columns", "a,b,c").err


@pytest.mark.parametrize(
    "ending",
    ["parquet", "csv", "csv.gz", pytest.param("gr.zst", marks=pytest.mark.needs("zstandard")), "npz"],
)
def test_files_of_all_kinds(tmp_path, run_json, ending):
    graph = random_graph(30, 200)
    forest = boruvka.minimum_spanning_forest(graph)
    path = tmp_path / f"graph.{ending}"
    boruvka.write(graph, path)
    report = run_json("solve", path, "--memory", "8G")
    assert (report["algorithm"], report["weight"]) == ("stream", forest.weight)


def test_a_file_that_does_not_fit_is_streamed(tmp_path, run, monkeypatch):
    path = write_parquet(tmp_path / "graph.parquet", random_graph())
    assert "algorithm     kruskal\n" in run("solve", path).out
    monkeypatch.setattr("boruvka.stream.memory.available_memory", lambda: 1000)
    monkeypatch.setattr("boruvka.stream.memory.SHARE", 1 << 30)  # the stream has enough nevertheless
    result = run("solve", path)
    assert result.err == f"{path} does not fit the memory: its edges are streamed (see --memory)\n"
    assert "algorithm     stream\n" in result.out


def test_a_solve_that_is_resumed_says_where(folder, tmp_path, run, monkeypatch):
    path, graph = folder
    arguments = ["solve", path, "--memory", "8G", "--checkpoint", tmp_path / "state"]
    with monkeypatch.context() as patch:
        patch.setattr("boruvka.stream.remove_checkpoint", lambda folder: None)
        assert run(*arguments).err == ""
        assert run(*arguments).err == f"resumed at {graph.m} of {graph.m} edges\n"
        found = run(*arguments, "--json")
        assert (found.err, json.loads(found.out)["resumed_at"]) == ("", graph.m)
    assert run(*arguments, "--quiet").err == ""
    assert json.loads(run(*arguments, "--json").out)["resumed_at"] is None


@pytest.mark.parametrize("seconds", [0, 60])
def test_an_interrupted_solve_says_what_is_saved(folder, tmp_path, run, monkeypatch, seconds):
    """With seconds between states, only the first batch is read, and none is saved."""
    path, graph = folder
    state = tmp_path / "state"
    arguments = ["solve", path, "--memory", "8G", "--checkpoint", state]
    after_batch, m = one_pass._Pass._after_batch, graph.m

    def interrupted(each, is_merged):
        after_batch(each, is_merged)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(one_pass, "SECONDS_BETWEEN_CHECKPOINTS", seconds)
        patch.setattr(one_pass, "SECONDS_WITHOUT_CHECKPOINT", seconds)
        patch.setattr(one_pass._Pass, "_after_batch", interrupted)
        said = run(*arguments, "-o", tmp_path / "f.csv")
    assert said.code == 130
    again = run(*arguments, "-o", tmp_path / "f.csv").err
    if seconds:
        assert said.err.strip() == "interrupted: nothing was saved yet, and the same command starts over"
        assert again == ""
    else:
        count = re.fullmatch(rf"interrupted: (.*) edges are saved in {state}: the same .*", said.err.strip())[
            1
        ]
        assert again == f"resumed at {count} of {m} edges\n"


def test_bad_input_and_usage(folder, tmp_path, refuse):
    path, _ = folder
    empty, matrix = tmp_path / "empty", tmp_path / "graph.mtx"
    empty.mkdir()
    boruvka.write(random_graph(), matrix)
    state = ["--checkpoint", tmp_path / "state"]
    refuse("--memory must be an amount such as 2G or 800M, got 'much'", "solve", path, "--memory", "much")
    refuse("pass at least --memory ", "solve", path, "--memory", "1M")
    refuse(
        f"--checkpoint {tmp_path}/state needs --memory", "solve", matrix, "--checkpoint", tmp_path / "state"
    )
    refuse("--algorithm kruskal is for graphs in memory", "solve", path, "--algorithm", "kruskal")
    refuse("--backend interpreted is for graphs", "solve", path, "--backend", "interpreted", "--memory", "1G")
    refuse("cannot be used with --backend mpi", "solve", path, "--backend", "mpi", *state)
    refuse("is a directory without Parquet files", "solve", empty)
    refuse("*.parquet: matches no Parquet files", "solve", f"{empty}/*.parquet")
    (empty / "a.csv").write_bytes(bytes(20))
    refuse("join tables of text by cat", "solve", f"{empty}/*.csv")
    excluded = ["--excluded", tmp_path / "names.csv"]
    refuse(
        "for graphs in memory: leave out --memory; boruvka convert makes one file", "solve", path, *excluded
    )
    refuse(f"boruvka convert {matrix} edges.parquet", "solve", matrix, "--memory", "8G")
    refuse("does not take --header", "solve", path, "--header")
    names = tmp_path / "names.csv"
    names.write_text("u,v,w\nulm,bonn,3\n")
    refuse("or names, with --names", "solve", names, "--no-names", "--memory", "8G")
    words = tmp_path / "names.parquet"
    polars.read_csv(names).write_parquet(words)
    message = f"{words}, rows from 0 on: expected numbers of at most 64 bits in column 'u', found"
    refuse(message, "solve", words, "--no-names", "--memory", "8G")
    refuse("the format 'dimacs' holds no names", "solve", words, "--memory", "8G", "-o", tmp_path / "f.gr")
    bad = tmp_path / "bad.csv.gz"
    bad.write_bytes(gzip.compress(b"u,v,w\n0,1,5\n1,2,x\n"))
    refuse(f"{bad}:3: expected", "solve", bad, "--memory", "8G")


KILLED_AT_EACH_STEP = """
import os, shutil, signal, sys
from pathlib import Path
source, base, first, stride = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
state, output = base / "state", base / "forest.csv"
import polars, boruvka.cli.solve, boruvka.stream.one_pass, boruvka.stream.verification, boruvka.formats
from boruvka.cli.main import main
boruvka.stream.memory.MemoryBudget.max_pending = lambda *_: 20
boruvka.stream.one_pass.SECONDS_BETWEEN_CHECKPOINTS = 0.0
def run(kill_at):
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    steps = 0
    def step(event, arguments):
        nonlocal steps
        if event in ("open", "os.link", "os.rename", "os.remove", "fsync"):
            if event == "fsync" or any(str(a).startswith(str(base)) for a in arguments):
                steps += 1
                if steps == kill_at:
                    os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(step)
    fsync = os.fsync
    os.fsync = lambda file: (step("fsync", ()), fsync(file))
    line = ["solve", source, "--memory", "8G", "--checkpoint", str(state), "-o", str(output), "--quiet"]
    os._exit(main(line))
expected, states, steps = None, 0, 0
base.mkdir()
assert run(0) == 0
expected = output.read_bytes()
while True:
    shutil.rmtree(base)
    base.mkdir()
    kill_at = first + stride * steps
    code = run(kill_at)
    steps += 1
    if code == 0:
        break
    assert code == -signal.SIGKILL, code
    is_whole = output.exists() and output.read_bytes() == expected
    assert is_whole or not output.exists()
    has_state = (state / "boruvka.checkpoint").exists()
    states += has_state
    assert has_state or is_whole or not states, f"both are lost at step {kill_at}"
    assert run(0) == 0, kill_at
    assert output.read_bytes() == expected
    assert os.listdir(state) == [], (kill_at, os.listdir(state))
print(steps, states)
"""
"""Kills a process before each of its steps with files, and runs the same command again."""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked")
@pytest.mark.parametrize(
    ("first", "stride"), [(6, 7), pytest.param(1, 1, marks=pytest.mark.long)], ids=["some", "each"]
)
def test_kill_at_each_step(tmp_path, first, stride):
    """At any moment there is the state or the whole forest; the same command ends with the same bytes."""
    source = tmp_path / "edges.csv"
    source.write_text("u,v,w\n" + "".join(f"v{k % 7},v{k * k % 11},{k % 5}\n" for k in range(120)))
    done = run_process(KILLED_AT_EACH_STEP, source, tmp_path / "base", first, stride)
    assert done.returncode == 0, done.stderr
    steps, states = map(int, done.stdout.split())
    assert steps * stride >= 20
    assert states * stride >= 8


def test_state_stays_if_the_forest_is_not_written(folder, tmp_path, run, run_json, monkeypatch):
    """On a full disk, and where the disk fails at the last moment; the next run reads no edge again."""
    path, graph = folder
    state, output = tmp_path / "state", tmp_path / "forest.csv"
    line = ["solve", path, "--memory", "8G", "--checkpoint", state, "--quiet"]

    fsync = os.fsync

    def fail(descriptor):
        if str(state) not in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    failures = [("os.fsync", output)] if os.path.exists("/proc/self/fd") else []
    if os.path.exists("/dev/full"):
        failures.append((None, "/dev/full"))
    for name, target in failures:
        with monkeypatch.context() as patch:
            if name is not None:
                patch.setattr(name, fail)
            result = run(*line, "-o", target, "--to", "csv")
        assert result.code == 2
        assert os.listdir(state) == ["boruvka.checkpoint"]
    monkeypatch.setattr("boruvka.stream.sources.parquet.ParquetSource.read", None)
    run_json(*line[:-1], "-o", output)
    assert polars.read_csv(output)["edge"].to_list() == boruvka.minimum_spanning_forest(graph).edges.tolist()
    assert os.listdir(state) == []


IDLE = """
import sys, threading
from boruvka.cli.main import main
from boruvka.stream.sources import source
class Idle:
    def __init__(self): self.first = iter([([0, 1], [1, 2], [5, 6])])
    def __iter__(self): return self
    def __next__(self):
        for batch in self.first: return batch
        print("waits", flush=True)
        threading.Event().wait()
if sys.argv[1] == "iterator":
    from boruvka import stream
    try:
        stream.minimum_spanning_forest(Idle())
    except KeyboardInterrupt:
        sys.exit(130)
run = source.ReadAhead._run
def run_and_tell(self, items):
    print("waits", flush=True)
    run(self, items)
source.ReadAhead._run = run_and_tell
sys.exit(main(["solve", "-", "--format", "edges", "--memory", "8G", "--quiet"]))
"""
"""A pass whose input does not come."""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for one process")
@pytest.mark.parametrize("kind", ["standard input", "iterator"])
def test_interrupt_while_input_does_not_come(kind):
    """The first interrupt ends the process."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", IDLE, kind], **pipes) as process:
        assert process.stdout.readline().strip() == b"waits"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the peak of memory is read from /proc")
@pytest.mark.parametrize(
    ("source", "output", "named"),
    [("parquet", "npz", False), ("parquet", "csv", True), ("csv", "parquet", True), ("csv.gz", "csv", True)],
)
def test_memory_is_kept(tmp_path, source, output, named):
    """The memory that the error names is enough, and the peak of the process stays below it."""
    graph = boruvka.generators.random(1 << 18, 1 << (20 if named else 21), seed=1)
    path, forest = tmp_path / f"graph.{source}", tmp_path / f"forest.{output}"
    ids = polars.Series(range(graph.n))
    names = polars.Series([f"vertex number {i * 7919:x}" for i in ids]) if named else ids
    rows = polars.DataFrame({"u": names.gather(graph.u), "v": names.gather(graph.v), "w": graph.w})
    if source == "parquet":
        rows.write_parquet(path, row_group_size=1 << 17)
    else:
        content = rows.write_csv().encode()
        path.write_bytes(gzip.compress(content, 1) if source == "csv.gz" else content)

    def solve(memory):
        return run_process(MEASURED, "solve", path, "--memory", f"{memory}M", "-o", forest, "--quiet")

    compiled = solve(4096)  # which takes more memory
    assert compiled.returncode == 0, compiled.stderr
    refused = solve(10)
    least = int(re.search(r"pass at least --memory (\d+)M", refused.stderr)[1])
    # What the program uses differs a little. LLVM, which loads kernels where no library is, needs more.
    for memory in (least + 8, 264) if library.installed() else (least + 16, 340):
        done = solve(memory)
        assert done.returncode == 0, done.stderr
        assert int(done.stdout.split()[-1]) * 1024 <= memory << 20
    found = boruvka.formats.read_forest_edges(forest).edges
    assert found.tolist() == boruvka.minimum_spanning_forest(graph).edges.tolist()


@pytest.mark.needs("numba")
def test_on_a_gpu(tmp_path, run_json):
    path = tmp_path / "graph.csv"
    path.write_text("u,v,w\n0,1,4\n1,2,3\n2,0,5\n3,4,-7\n")
    found = run_json("solve", path, "--backend", "cuda", "--memory", "8G")
    assert (found["backend"], found["algorithm"], found["weight"]) == ("cuda", "stream", 0)
