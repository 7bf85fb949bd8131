import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import boruvka
from boruvka.cli.main import main

from .terminal import run_on_terminal


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "boruvka", *map(str, arguments)], capture_output=True, text=True, **options
    )


@pytest.fixture
def graph_file(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("u,v,w\n0,1,4\n1,2,3\n2,0,5\n3,4,-7\n")
    return path


KEYS = [
    "vertices",
    "edges",
    "components",
    "forest_edges",
    "weight",
    "algorithm",
    "backend",
    "threads",
    "rounds",
    "verified",
    "seconds",
]


def test_solve_json(graph_file, capsys):
    assert main(["solve", str(graph_file), "--verify", "--json", "--threads", "1"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert list(report) == KEYS
    assert list(report["seconds"]) == ["read", "solve", "write"]
    assert {key: report[key] for key in KEYS[:5]} == {
        "vertices": 5,
        "edges": 4,
        "components": 2,
        "forest_edges": 3,
        "weight": 0,
    }
    assert (report["backend"], report["threads"], report["verified"]) == ("threads", 1, True)
    assert captured.out.count("\n") == 1
    assert captured.err == ""


def test_solve_json_without_verification(graph_file, capsys):
    assert main(["solve", str(graph_file), "--json", "--maximum"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verified"] is None
    assert report["weight"] == 5 + 4 - 7
    assert type(report["weight"]) is int


def test_solve_json_of_infinite_weight(tmp_path, capsys):
    path = tmp_path / "g.csv"
    path.write_text("0,1,inf\n")
    assert main(["solve", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["weight"] == "inf"


def test_solve_for_people(graph_file, capsys, tmp_path):
    output = tmp_path / "forest.csv"
    assert main(["solve", str(graph_file), "--verify", "-o", str(output)]) == 0
    out = capsys.readouterr().out
    for words in (
        "5 vertices, 4 edges, weights int64",
        "3 edges, 2 components",
        "weight    0",
        "every edge was checked",
        "read ",
        str(output),
    ):
        assert words in out
    rows = [line.split(",") for line in output.read_text().splitlines() if not line.startswith("#")]
    assert rows == [
        ["edge", "u", "v", "w"],
        ["0", "0", "1", "4"],
        ["1", "1", "2", "3"],
        ["3", "3", "4", "-7"],
    ]


def test_options_of_an_algorithm(graph_file, capsys):
    solve = ["solve", str(graph_file), "--json", "--algorithm", "star-contraction"]
    assert main([*solve, "--option", "seed=3", "--option", "sequential-flips"]) == 0
    assert json.loads(capsys.readouterr().out)["weight"] == 0
    assert main([*solve, "--option", "sequential_flips=no"]) == 0
    capsys.readouterr()
    for option, message in [
        ("seed=red", "option seed of star-contraction must be an integer, got 'red'"),
        ("coins=3", "star-contraction has no option 'coins'; it has sequential_flips, seed"),
        ("sequential-flips=3", "option sequential_flips of star-contraction must be True or False, got 3"),
    ]:
        assert main([*solve, "--option", option]) == 2
        assert message in capsys.readouterr().err


def test_a_log(graph_file, tmp_path, capsys):
    log = tmp_path / "log.txt"
    arguments = ["--quiet", "--algorithm", "component-ranges", "--threads", "2", "--log", str(log)]
    assert main(["solve", str(graph_file), *arguments]) == 0
    first, second, *rest = log.read_text().splitlines()
    assert first == "component-ranges on threads, 2 threads"
    assert second == "5 vertices, 4 edges"
    assert rest[0].startswith("round 1 (all): 5 components, 4 edges; find 0.")
    assert rest[1:4] == [
        "  thread 0: components 0 to 2",
        "  thread 1: components 2 to 5",
        "  3 edges added",
    ]
    assert rest[4].startswith("round 2 (all): 2 components, 4 edges; find ")
    assert rest[-3] == "  0 edges added"
    assert rest[-2].startswith("3 edges in ")
    assert rest[-1] == "warning: the graph is disconnected, it has 2 components"


def test_solve_quiet(graph_file, capsys):
    assert main(["solve", str(graph_file), "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


@pytest.mark.parametrize(
    "ending", ["csv", "tsv", "parquet", "npz", "gr", "mtx", "stp", "el", "csv.gz", "gr.zst"]
)
def test_solve_convert_and_verify_through_files(tmp_path, ending, capsys):
    graph, converted, forest = (tmp_path / f"{name}.{ending}" for name in ("graph", "converted", "forest"))
    generated = ["generate", "random", "--n", "200", "--m", "900", "--weights", "few", "--dtype", "int32"]
    assert main([*generated, "--seed", "3", "-o", str(tmp_path / "g.npz")]) == 0
    assert main(["convert", str(tmp_path / "g.npz"), str(graph)]) == 0
    assert main(["convert", str(graph), str(converted)]) == 0
    assert main(["solve", str(graph), "-o", str(forest), "--verify"]) == 0
    assert main(["verify", str(converted), str(forest)]) == 0
    first, last = boruvka.read(tmp_path / "g.npz"), boruvka.read(converted)
    for name in "uvw":
        np.testing.assert_array_equal(getattr(first, name), getattr(last, name))


def test_a_counted_list_of_ids_from_0(tmp_path, capsys):
    path = tmp_path / "tiny.txt"
    path.write_text("3\n2\n0 1 0.5\n1 2 0.25\n")
    solve = ["solve", str(path), "--format", "counted", "--json"]
    assert main(solve) == 2
    assert "pass one_based=False or --zero-based" in capsys.readouterr().err
    assert main([*solve, "--zero-based"]) == 0
    assert json.loads(capsys.readouterr().out)["weight"] == 0.75
    path.write_text("3\n2\n1 2 0.5\n2 3 0.25\n")
    assert main([*solve, "--one-based"]) == 0


def test_verify_says_what_is_wrong(graph_file, tmp_path, capsys):
    forest = tmp_path / "forest.csv"
    forest.write_text("edge,u,v,w\n0,0,1,4\n2,2,0,5\n3,3,4,-7\n")
    assert main(["verify", str(graph_file), str(forest)]) == 1
    assert "edge 1 (1, 2) with weight 3 is lighter than edge 2 (2, 0)" in capsys.readouterr().err
    assert main(["verify", str(graph_file), str(forest), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verified"] is False
    forest.write_text("edge,u,v,w\n0,0,1,99\n")
    assert main(["verify", str(graph_file), str(forest)]) == 1
    forest.write_text("0,4,99\n")
    assert main(["verify", str(graph_file), str(forest)]) == 1
    forest.write_text("garbage")
    assert main(["verify", str(graph_file), str(forest)]) == 2


def test_a_failed_verification_writes_nothing(graph_file, tmp_path, capsys, monkeypatch):
    wrong = boruvka.Verification(False, "a witness")
    monkeypatch.setattr(boruvka, "verify", lambda graph, forest: wrong)
    output = tmp_path / "forest.csv"
    assert main(["solve", str(graph_file), "--verify", "--json", "-o", str(output)]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["verified"] is False
    assert "verification failed: a witness" in captured.err
    assert not output.exists()


def test_info(graph_file, capsys):
    assert main(["info", str(graph_file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "vertices": 5,
        "edges": 4,
        "self_loops": 0,
        "parallel_edges": 0,
        "isolated_vertices": 0,
        "components": 2,
        "mean_degree": 1.6,
        "largest_degree": 2,
        "weights": "int64",
        "smallest_weight": -7,
        "largest_weight": 5,
    }
    assert main(["info", str(graph_file)]) == 0
    assert "largest degree     2" in capsys.readouterr().out


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp <= 1024, reason="long double is double here")
def test_info_of_long_doubles(tmp_path, capsys):
    path = tmp_path / "g.npz"
    boruvka.write(([0, 1], [1, 2], np.array([1 / np.longdouble(3), np.longdouble("1e400")])), path)
    assert main(["info", str(path), "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert (info["smallest_weight"], info["largest_weight"]) == (1 / 3, "1e+400")
    assert info["weights"] == str(np.dtype(np.longdouble))


def test_info_counts_loops_and_parallel_edges(tmp_path, capsys):
    path = tmp_path / "g.csv"
    path.write_text("0,1,1\n1,0,1\n0,1,2\n2,2,1\n2,2,1\n4,0,1\n")
    assert main(["info", str(path), "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert (info["self_loops"], info["parallel_edges"], info["isolated_vertices"]) == (2, 2, 1)
    assert (info["components"], info["largest_degree"]) == (3, 4)


def test_lists(capsys):
    assert main(["algorithms"]) == 0
    assert "filter-boruvka" in capsys.readouterr().out
    assert main(["formats"]) == 0
    assert "dimacs" in capsys.readouterr().out


@pytest.mark.parametrize("family", boruvka.generators.FAMILIES)
def test_generate(family, tmp_path, capsys):
    path = tmp_path / "g.npz"
    sizes = {"kronecker": "--scale", "rmat": "--scale", "ssca2": "--scale", "grid": "--rows"}
    assert main(["generate", family, sizes.get(family, "--n"), "8", "-o", str(path)]) == 0
    assert f"{path}: " in capsys.readouterr().out
    assert main(["solve", str(path), "--verify", "-q"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "no such file.gr"], "no such file.gr"),
        (["solve", "{dir}"], "directory"),
        (["solve", "{graph}", "--algorithm", "magic"], "unknown algorithm 'magic'"),
        (["solve", "{graph}", "--backend", "abacus"], "unknown backend 'abacus'"),
        (["solve", "{graph}", "--threads", "0"], "threads must be between"),
        (["solve", "{graph}", "--threads", "two"], "not a valid integer"),
        (["solve", "{graph}", "--columns", "a,,b"], "--columns"),
        (["solve", "{graph}", "--columns", "a,b,c"], "a"),
        (["solve", "{graph}", "--format", "nonsense"], "nonsense"),
        (["solve", "{graph}", "-o", "{dir}/forest.unknown"], "forest.unknown"),
        (["solve", "{graph}", "-o", "{dir}/missing/forest.csv"], "missing"),
        (["solve"], "Missing argument"),
        (["dance"], "No such command 'dance'"),
        (["generate", "nothing", "-o", "x.npz"], "No such command 'nothing'"),
        (["generate", "star"], "Missing option"),
        (["generate", "star", "--n", "1", "-o", "{dir}/x.npz"], "n"),
        (["generate", "kronecker", "--scale", "99", "-o", "{dir}/x.npz"], "scale"),
    ],
)
def test_bad_input_and_usage(arguments, message, graph_file, tmp_path, capsys):
    filled = [a.format(graph=graph_file, dir=tmp_path) for a in arguments]
    assert main(filled) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""
    assert sorted(p.name for p in tmp_path.iterdir()) == ["graph.csv"]


def test_module_and_script_agree():
    assert run("--version").stdout == f"boruvka, version {boruvka.__version__}\n"
    assert run("solve", "missing.gr").returncode == 2


PRINTING = [["info", "{graph}", "--json"], ["info", "{graph}"], ["formats"], ["--help"], ["--version"]]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_an_output_that_takes_no_more(arguments, graph_file):
    with open("/dev/full", "w") as full:
        result = printed_to(full, arguments, graph_file)
    assert (result.returncode, result.stderr) == (2, "error: standard output: No space left on device\n")


@pytest.mark.skipif(os.name != "posix", reason="pipes close otherwise")
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_an_output_that_nobody_reads(arguments, graph_file):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as pipe:
        result = printed_to(pipe, arguments, graph_file)
    assert (result.returncode, result.stderr) == (141, "")


def printed_to(output, arguments, graph):
    command = [sys.executable, "-m", "boruvka", *(a.format(graph=graph) for a in arguments)]
    return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is full")
def test_an_error_that_cannot_be_said():
    with open("/dev/full", "w") as full:
        result = subprocess.run([sys.executable, "-m", "boruvka", "info", "missing.gr"], stderr=full)
    assert result.returncode == 2


def test_standard_error_that_was_closed(graph_file, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["solve", str(graph_file)]) == 0
    assert main(["solve", "missing.gr"]) == 2


def test_help_starts_no_compiler():
    code = (
        "import sys; from boruvka.cli.main import main\n"
        "for command in ([], ['solve'], ['generate'], ['generate', 'grid']):\n"
        "    main([*command, '--help'])\n"
        "assert 'numba' not in sys.modules, 'the compiler was started'"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Commands:" in result.stdout


def interrupt(process, when):
    while not when(process):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_interrupt_of_the_command(tmp_path):
    path = tmp_path / "g.npz"
    boruvka.write(boruvka.generators.grid(700, 700), path)
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "boruvka",
            "solve",
            str(path),
            "--backend",
            "interpreted",
            "-o",
            str(tmp_path / "f.csv"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    begin = time.monotonic()
    code, out, err = interrupt(process, lambda process: time.monotonic() > begin + 4)
    assert code == 130
    assert err.strip() == "interrupted"
    assert out == ""
    assert [p.name for p in tmp_path.iterdir()] == ["g.npz"]


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt_of_the_library(threads):
    code = f"""
import boruvka, threading, _thread, time
from boruvka import generators
graph = generators.random(1_000_000, 9_000_000)
boruvka.minimum_spanning_forest(generators.random(1000, 40_000), threads={threads})
boruvka.minimum_spanning_forest(graph, threads={threads})
print("ready", flush=True)
try:
    while True:
        boruvka.minimum_spanning_forest(graph, threads={threads})
except KeyboardInterrupt:
    forest = boruvka.minimum_spanning_forest(graph, threads={threads})
    print(bool(boruvka.verify(graph, forest)))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (out, err) == ("True\n", "")


@pytest.mark.parametrize(
    ("command", "name", "message"),
    [
        (["solve", "absent.csv", "-o"], "forest.xyz", "no format has this ending"),
        (["convert", "absent.csv"], "graph.xyz", "no format has this ending"),
        (["generate", "grid", "--rows", "0", "-o"], "graph.xyz", "no format has this ending"),
        (["solve", "absent.csv", "-o"], "nowhere/forest.csv", "No such file or directory"),
        (["solve", "absent.csv", "--log"], "nowhere/log.txt", "No such file or directory"),
    ],
)
def test_an_output_that_cannot_be_is_an_error_before_anything_else(tmp_path, command, name, message, capsys):
    assert main([*command, str(tmp_path / name)]) == 2
    err = capsys.readouterr().err
    assert name in err
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_a_bar_on_a_terminal(tmp_path):
    path = tmp_path / "g.npz"
    boruvka.write(boruvka.generators.grid(300, 300), path)
    command = [sys.executable, "-m", "boruvka", "solve", str(path), "--backend", "interpreted"]
    status, out, drawn = run_on_terminal(command)
    assert status == 0
    assert b"1 component" in out
    assert b"components," in drawn
    assert b"%" in drawn


def test_backends_are_listed(capsys, monkeypatch):
    from boruvka import backends

    monkeypatch.setattr(backends, "why_not", lambda name: "there is no GPU" if name == "cuda" else None)
    assert main(["info", "--backends"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [
        ["threads", "available"],
        ["cuda", "there is no GPU"],
        ["interpreted", "available"],
        ["mpi", "available"],
    ]
    assert main(["info", "--backends", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cuda"] == "there is no GPU"
    assert main(["info"]) == 2
    assert "a graph, or the option --backends" in capsys.readouterr().err
