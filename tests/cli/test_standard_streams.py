"""``-`` is standard input and standard output: of this process, and of programs in a pipeline."""

import gzip
import io
import json
import subprocess
import sys

import pytest

import boruvka
from boruvka.cli.main import main
from tests.formats.helpers import WRITTEN

TABLE = b"u,v,w\n0,1,4\n1,2,3\n2,0,5\n3,4,-7\n"
FOREST = "edge,source,target,weight\n0,0,1,4\n1,1,2,3\n3,3,4,-7\n"
SOLVE = ["solve", "-", "--format", "csv", "--backend", "interpreted"]


@pytest.fixture
def feed(monkeypatch):
    """Put bytes on standard input."""

    def feed(data):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "ascii"))

    return feed


def test_solve_from_a_pipe_into_a_pipe(feed, run):
    feed(TABLE)
    assert "weight        0" in run(*SOLVE).out
    feed(TABLE)
    result = run(*SOLVE, "-o", "-", "--to", "csv", "--verify")
    assert (result.code, result.out) == (0, FOREST)
    assert "weight        0" in result.err
    assert "verified      True" in result.err
    feed(TABLE)
    assert run(*SOLVE, "-o", "-", "--to", "csv", "--quiet") == (0, FOREST, "")
    feed(TABLE)
    result = run(*SOLVE, "-o", "-", "--to", "csv", "--json")
    assert result.out == FOREST
    assert json.loads(result.err)["weight"] == 0
    feed(TABLE)
    result = run(*SOLVE, "--log", "-", "--json")
    assert json.loads(result.out.splitlines()[-1])["weight"] == 0
    assert json.loads(result.err)["weight"] == 0


def test_a_forest_that_is_wrong_is_not_printed(feed, run, monkeypatch):
    wrong = boruvka.Verification(False, "a witness")
    monkeypatch.setattr("boruvka.verification.verify.verify", lambda graph, forest: wrong)
    feed(TABLE)
    result = run(*SOLVE, "--verify", "-o", "-", "--to", "csv", "-q")
    assert result == (1, "", "verification failed: a witness\n")


def test_other_commands(feed, run, run_json, tmp_path):
    feed(TABLE)
    assert run_json("info", "-", "--format", "csv")["edges"] == 4
    feed(gzip.compress(TABLE))
    result = run("convert", "-", "-", "--format", "csv", "--to", "dimacs")
    assert result == (0, "p sp 5 4\na 1 2 4\na 2 3 3\na 3 1 5\na 4 5 -7\n", "")
    graph, forest = tmp_path / "graph.csv", tmp_path / "forest.csv"
    graph.write_bytes(TABLE)
    forest.write_text(FOREST)
    feed(TABLE)
    assert run("verify", "-", forest, "--format", "csv").code == 0
    feed(FOREST.encode())
    assert run("verify", graph, "-", "--forest-format", "csv").code == 0
    feed(FOREST[:-9].encode())
    result = run("verify", graph, "-", "--forest-format", "csv")
    assert (result.code, result.out) == (1, "")
    result = run("generate", "path", "--n", "3", "-o", "-", "--to", "csv", "--weights", "constant")
    assert (result.code, result.err) == (0, "standard output: 3 vertices, 2 edges\n")
    assert result.out.startswith("source,target,weight\n0,1,")


@pytest.mark.parametrize(
    "name",
    [f.name if f.name in ("csv", "npz") else pytest.param(f.name, marks=pytest.mark.long) for f in WRITTEN],
)
def test_every_format_through_a_pipeline(name, tmp_path):
    """The bytes on standard output are those of a file, also where a library writes them."""
    boruvka.write(([0, 1, 3, 3], [1, 2, 4, 0], [4, 3, 7, 7]), tmp_path / "graph", format=name)
    command = [sys.executable, "-m", "boruvka", "convert", "-", "-", "--format", name, "--to", name]
    with (tmp_path / "graph").open("rb") as file:
        result = subprocess.run(command, stdin=file, capture_output=True)
    assert (result.returncode, result.stderr) == (0, b"")
    graph = boruvka.read(io.BytesIO(result.stdout), format=name)
    assert sorted(set(graph.w.tolist())) == [3, 4, 7]


def test_errors_name_the_stream(feed, run, monkeypatch):
    feed(b"u,v,w\n0,1,x\n")
    result = run(*SOLVE)
    assert (result.code, result.out) == (2, "")
    assert ":2: expected 'u,v,w' between commas" in result.err
    feed(b"")
    assert "the file is empty" in run(*SOLVE).err
    feed(gzip.compress(TABLE)[:-5])
    assert "the gzip data is cut off" in run(*SOLVE).err
    monkeypatch.setattr(sys, "stdin", None)
    assert run(*SOLVE) == (2, "", "error: standard input is closed\n")


def test_closed_standard_output(graph_file, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    graph, forest, wrong = str(graph_file), str(tmp_path / "forest.csv"), tmp_path / "wrong.csv"
    solve = ["solve", graph, "--backend", "interpreted"]
    assert main([*solve, "-o", forest, "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    for command in (
        ["convert", graph, "-", "--to", "csv"],
        ["info", graph],
        [*solve, "--json"],
        [*solve, "--log", "-"],
        ["verify", graph, forest],
        ["formats"],
        ["--help"],
    ):
        assert main(command) == 2
        assert capsys.readouterr().err == "error: standard output is closed\n"
    wrong.write_text("u,v,w\n0,1,4\n")
    for flag, code in ([], 1), (["--json"], 2):  # what is wrong is on standard error
        assert main(["verify", graph, str(wrong), *flag]) == code
        assert capsys.readouterr().err.startswith("verification failed: ")
