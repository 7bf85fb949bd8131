"""Messages, parts of files, and what happens when a rank fails."""

import json
import pickle
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import boruvka
from boruvka.cli.main import main
from boruvka.formats import FORMATS

from .mpiexec import MPIEXEC, ROOT, on_ranks, start


@pytest.mark.parametrize(("ranks", "most"), [(1, None), (4, None), (1, 2), (4, 2)])
def test_messages(ranks, most, tmp_path):
    """In one call, or in pieces of the most elements that a library counts."""
    returned = on_ranks(ranks, "messages", (3, most), tmp_path)
    values = np.array([here["values"] for here in returned])
    few = [x for rank in range(ranks) for x in range(rank)]
    for rank, here in enumerate(returned):
        assert np.array_equal(here["minimum"], values.min(axis=0))
        assert np.array_equal(here["maximum"], values.max(axis=0))
        assert np.array_equal(here["total"], values.sum(axis=0))
        assert np.array_equal(here["union"], np.bitwise_or.reduce(values))
        assert here["any"] is True
        assert here["of each"].tolist() == [r * r for r in range(ranks)]
        assert [column.tolist() for column in here["gathered"]] == [few, few]
        assert here["at the first"][0].tolist() == (few if rank == 0 else [])
        for column in range(2):
            arrived = [
                x for there in returned for x in there["columns"][column][there["to"] == rank].tolist()
            ]
            assert here["exchanged"][column].tolist() == arrived
        assert np.array_equal(
            here["answers"], here["questions"] * np.uint64(10) + here["owners"].astype("u8")
        )
        assert (here["sent"]["bytes"] > 0) == (ranks > 1)


@pytest.mark.long
def test_counts_of_more_than_31_bits(tmp_path):
    """Takes 16 GB."""
    size = 2**31 + 9
    first, second = on_ranks(2, "many", size, tmp_path)
    assert first == ([0, 2, 1], (5, [0, 0, 0]), (size + 5, [0, 2, 1, 0, 0]))
    assert second == ([0, 2, 1], (size, [0, 2, 1]), (size + 5, [0, 2, 1, 0, 0]))


@pytest.mark.parametrize(("dtype", "size"), [("float32", 24), ("float64", 40)])
def test_what_is_sent_is_what_the_docstring_says(dtype, size, tmp_path):
    ranks, few = 4, 100  # bytes for what is agreed on in a round
    first, *others = on_ranks(ranks, "rounds", ("edges", "auto", dtype), tmp_path)
    assert all(other == first for other in others)
    phases = [round_.phase for round_ in first]
    assert [phases[0], phases[-1], phases.count("heavy")] == ["light", "finish", 1]
    heavy = phases.index("heavy")
    for rounds in (first[1 : heavy - 1], first[heavy + 1 : -1]):
        assert {round_.phase for round_ in rounds} == {"round"}
        for before, after in pairwise(rounds):
            assert after.components <= before.components / 2
        for round_ in rounds:
            assert round_.sent["bytes"] <= size * round_.components + few
            assert round_.sent["messages"] <= 5 * 2 * 2
    for k in (heavy - 1, -1):
        assert first[k].phase == "finish"
        assert first[k].sent["bytes"] <= few

    _, *rounds = on_ranks(ranks, "rounds", ("edges", "union-find", dtype), tmp_path)[0]
    for round_ in rounds:
        assert round_.sent["bytes"] <= size * 256
        assert {"select", "merge", "communicate"} <= set(round_.seconds)


@pytest.fixture(scope="module")
def graph():
    return boruvka.generators.random(70, 300, seed=2, weights="few", dtype="int64")


def test_parts_of_files(graph, tmp_path):
    paths = [
        tmp_path / f"graph.{ending}"
        for ending in ["gr", "el", "csv", "tsv", "npz", "parquet", "mtx", "gr.gz"]
    ]
    for path in paths:
        boruvka.write(graph, path)
    for parts in zip(*on_ranks(3, "read", [{"path": path} for path in paths], tmp_path), strict=True):
        assert {n for n, *_ in parts} == {70}
        for k, whole in enumerate((graph.u, graph.v, graph.w), 1):
            assert np.array_equal(np.concatenate([part[k] for part in parts]), whole)
        assert max(part[1].size for part in parts) < 150


def test_weights_of_parts_that_look_different(tmp_path):
    path = tmp_path / "graph.el"
    path.write_text("0 1 5\n" * 50 + "1 2 0.5\n" + f"2 3 {2**63}\n")
    parts = [part for (part,) in on_ranks(2, "read", [{"path": path}], tmp_path)]
    assert [w.dtype for *_, w in parts] == [np.float64, np.float64]
    assert np.concatenate([w for *_, w in parts])[-3:].tolist() == [5.0, 0.5, 2.0**63]


def test_a_generated_graph_is_the_same_for_every_number_of_ranks(tmp_path):
    whole = boruvka.generators.kronecker(6, 5)
    parts = on_ranks(3, "generate", (6, 5), tmp_path)
    assert np.array_equal(np.concatenate([u for _, u, _, _ in parts]), whole.u)
    assert np.array_equal(np.concatenate([w for *_, w in parts]), whole.w)


def test_what_is_wrong_on_one_rank_is_said_on_all(tmp_path):
    cases = [
        (1, ([0], [1], [np.nan]), {}, "edge 0 (0, 1) has the weight NaN"),
        (1, ([0], [-1], [1]), {}, "v[0] = -1 is not a vertex"),
        (0, ([0], [1], [1]), {"threads": 0}, "threads must be between 1 and 1024, got 0"),
        (1, ([0], [1], [1]), {"labels_of": [3]}, "labels_of must hold vertices, from 0 to 1"),
        (1, ([0, 1], [1, 0], [1, 2]), {"index": [4, 4]}, "the index 4 occurs twice"),
        (1, ([0], [1], [1]), {"index": [4, 5]}, "there are 1 edges, but 2 indices"),
    ]
    returned = on_ranks(2, "refuse", [case[:3] for case in cases], tmp_path)
    for said in returned:
        for (rank, _, _, message), (_, words) in zip(cases, said, strict=True):
            assert words.startswith(f"rank {rank}: ")
            assert message in words


def test_slices_must_not_overlap(tmp_path):
    edges = [0, 0], [1, 1], [1, 2]
    returned = on_ranks(2, "overlap", [(edges, 4), (edges, 5)], tmp_path)
    assert len(set(returned)) == 1
    assert "the edges of rank 0, 2 from index 4 on, reach into those of rank 1" in returned[0]


@pytest.mark.parametrize("indices", [([4, 9], [7, 9]), ([8, 20], 8)])
def test_no_index_is_on_two_ranks(indices, tmp_path):
    edges = [0, 0], [1, 1], [1, 2]
    returned = on_ranks(2, "overlap", [(edges, index) for index in indices], tmp_path)
    twice = 9 if isinstance(indices[1], list) else 8
    assert returned == [f"the index {twice} occurs twice: each edge of all ranks has its own"] * 2


def test_types_of_weights_must_be_one(tmp_path):
    (first, second) = on_ranks(2, "refuse", [(1, ([0], [1], [0.5]), {})], tmp_path)
    assert first == second
    assert "one type on all ranks, but there are float64, int64" in first[0][1]


@pytest.mark.parametrize("how", ["raised", "killed"])
def test_a_rank_that_fails_ends_all(how, tmp_path):
    given = tmp_path / "given.pickle"
    given.write_bytes(pickle.dumps(how))
    done = start(3, "-m", "tests.distributed.jobs", "fail", given, tmp_path / "returned", timeout=60)
    assert done.returncode != 0
    if how == "raised":
        assert "rank 2 failed" in done.stderr
        assert "MemoryError: too large" in done.stderr
    assert not (tmp_path / "returned").exists()


def test_command(graph, tmp_path):
    path, output, log = tmp_path / "graph.gr", tmp_path / "forest.csv", tmp_path / "log.txt"
    boruvka.write(graph, path)
    expected = boruvka.minimum_spanning_forest(graph)
    solve = ["-m", "boruvka", "solve", path, "--backend", "mpi"]
    done = start(3, *solve, "-o", output, "--log", log, "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["ranks"], report["algorithm"]) == (3, "edges/filter-boruvka")
    assert (report["weight"], report["components"]) == (expected.weight, expected.components)
    assert report["sent"]["bytes"] > 0
    assert "; sent " in log.read_text()
    assert np.array_equal(boruvka.formats.read_forest(output, graph), expected.edges)

    done = start(2, *solve, "--distribute", "vertices", "--merge", "supervertex")
    assert done.returncode == 0, done.stderr
    assert "supervertex by vertices on mpi, 2 ranks" in done.stdout


def test_command_with_a_bad_file(tmp_path):
    path = tmp_path / "graph.gr"
    path.write_text("p sp 3 3\na 1 2 5\na 2 3 5\na 2 x 5\n")
    done = start(2, "-m", "boruvka", "solve", path, "--backend", "mpi", timeout=60)
    assert done.returncode == 2
    assert done.stderr.count("error: rank 1: ") == 1
    assert f"{Path(path)}:4: expected 'a u v w'" in done.stderr


def test_options_that_do_not_go_together(graph, tmp_path, capsys):
    path = tmp_path / "graph.npz"
    boruvka.write(graph, path)
    for options, message in [
        (["--backend", "mpi", "--verify"], "cannot be used with --backend mpi"),
        (["--merge", "iterative"], "--distribute and --merge need --backend mpi"),
        (["--backend", "mpi", "--merge", "iterative"], "there is no merging 'iterative' of 'edges'"),
    ]:
        assert main(["solve", str(path), *options]) == 2
        assert message in capsys.readouterr().err


def test_without_mpi4py():
    code = "import sys; sys.modules['mpi4py'] = None; from boruvka.cli.main import main; sys.exit(main())"
    arguments = ["solve", "graph.npz", "--backend", "mpi"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == 'error: mpi4py is not installed; install it with: pip install "boruvka[mpi]"\n'


def test_an_interrupt_ends_all(tmp_path):
    given = tmp_path / "given.pickle"
    given.write_bytes(pickle.dumps(str(tmp_path)))
    command = [
        MPIEXEC,
        "-n",
        "3",
        sys.executable,
        "-m",
        "tests.distributed.jobs",
        "wait",
        given,
        tmp_path / "r",
    ]
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=ROOT, start_new_session=True)
    try:
        while len(list(tmp_path.glob("*.pid"))) < 3:
            assert job.poll() is None
            time.sleep(0.1)
        time.sleep(1)  # until all have begun
        job.send_signal(signal.SIGINT)
        assert job.wait(timeout=30) != 0
    finally:
        job.kill()
        job.wait()
    ranks = {path.stem for path in tmp_path.glob("*.pid")}
    deadline = time.monotonic() + 10
    while running := {pid for pid in ranks if is_running(pid)}:
        assert time.monotonic() < deadline, running
        time.sleep(0.1)


def is_running(pid):
    """Say whether a process is there; one that nobody has asked about its end (a zombie) is not."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True)
    return done.returncode == 0 and not done.stdout.startswith("Z")


def test_every_format_can_be_parted_or_says_so():
    parted = {f.name for f in FORMATS if f.read_part}
    assert parted == {"dimacs", "edges", "csv", "tsv", "parquet", "npz"}
