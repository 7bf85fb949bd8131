"""``boruvka solve --backend mpi``."""

import json
import subprocess
import sys

import numpy as np
import pytest

import boruvka
import boruvka.formats
from boruvka.cli.main import main

from ..distributed.mpiexec import start
from ..oracles import kruskal


@pytest.fixture(scope="module")
def graph():
    rng = np.random.default_rng(2)
    return boruvka.Graph(70, *rng.integers(0, 70, (2, 300)), rng.integers(0, 9, 300) / 8)


def test_summary(graph, tmp_path, capsys):
    """On the one rank that this process is; it compiles what the ranks of the next test run."""
    path = tmp_path / "graph.npz"
    boruvka.write(graph, path)
    for kind in "vertices", "edges":
        assert main(["solve", str(path), "--backend", "mpi", "--partition-by", kind]) == 0
        assert f"algorithm     {kind}/filter-boruvka\n" in capsys.readouterr().out
    log = tmp_path / "log.jsonl"
    assert main(["solve", str(path), "--backend", "mpi", "--log", str(log), "--quiet"]) == 0
    *rounds, result = map(json.loads, log.read_text().splitlines())
    assert {event["phase"] for event in rounds} == {"round"}
    assert any("bytes" in event["sent"] for event in rounds)
    assert (result["phase"], result["ranks"]) == ("result", 1)


def test_solve(graph, tmp_path):
    path, output, log = tmp_path / "graph.npz", tmp_path / "forest.csv", tmp_path / "log.txt"
    boruvka.write(graph, path)
    expected = kruskal(graph.n, graph.u, graph.v, graph.w)
    options = ["--backend", "mpi", "-o", output, "--log", log, "--json"]
    done = start(2, "-m", "boruvka", "solve", path, *options)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["ranks"], report["algorithm"]) == (2, "edges/filter-boruvka")
    assert (report["weight"], report["components"]) == (graph.w[expected].sum(), 70 - len(expected))
    assert report["sent"]["bytes"] > 0
    assert json.loads(log.read_text().splitlines()[-1])["sent"]["bytes"] == report["sent"]["bytes"]
    assert boruvka.formats.read_forest(output, graph).tolist() == expected


@pytest.mark.long
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_names(graph, tmp_path, ending):
    path, output = tmp_path / f"graph.{ending}", tmp_path / f"forest.{ending}"
    named = boruvka.Graph.from_edges([f"a {i}" for i in graph.u], [f"a {i}" for i in graph.v], graph.w)
    boruvka.write(named, path)
    done = start(2, "-m", "boruvka", "solve", path, "--backend", "mpi", "-o", output)
    assert done.returncode == 0, done.stderr
    expected = kruskal(named.n, named.u, named.v, named.w)
    assert boruvka.formats.read_forest(output, named).tolist() == expected
    assert set(boruvka.read(output).names) <= set(named.names)
    done = start(2, "-m", "boruvka", "solve", path, "--backend", "mpi", "-o", tmp_path / "forest.gr")
    assert done.returncode == 2
    assert done.stderr.count("holds no names of vertices") == 1


def test_a_bad_file(tmp_path):
    path = tmp_path / "graph.gr"
    path.write_text("p sp 3 3\na 1 2 5\na 2 3 5\na 2 x 5\n")
    done = start(2, "-m", "boruvka", "solve", path, "--backend", "mpi")
    assert done.returncode == 2
    assert done.stderr.count("error: rank 1: ") == 1
    assert f"{path}:4: expected 'a u v w'" in done.stderr


def test_options_that_do_not_go_together(graph, tmp_path, capsys):
    path = tmp_path / "graph.npz"
    boruvka.write(graph, path)
    for options, message in [
        (["--backend", "mpi", "--verify"], "cannot be used with --backend mpi"),
        (
            ["--backend", "mpi", "--checkpoint", "state"],
            "--checkpoint state cannot be used with --backend mpi",
        ),
        (["--method", "iterative"], "--method iterative needs --backend mpi"),
        (["--backend", "mpi", "--method", "iterative"], "there is no strategy 'iterative' by 'edges'"),
    ]:
        assert main(["solve", str(path), *options]) == 2
        assert message in capsys.readouterr().err


def test_mpi4py_is_missing_when_it_is_used():
    code = (
        "import sys; sys.modules['mpi4py'] = None\n"
        "from boruvka import distributed, errors\n"
        "try: distributed.minimum_spanning_forest(([0], [1], [2]))\n"
        "except errors.MissingExtraError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == 'mpi4py is not installed; install it with: pip install "boruvka[mpi]"\n'


def test_without_mpi4py():
    code = "import sys; sys.modules['mpi4py'] = None; from boruvka.cli.main import main; sys.exit(main())"
    arguments = ["solve", "graph.npz", "--backend", "mpi"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == 'error: mpi4py is not installed; install it with: pip install "boruvka[mpi]"\n'
