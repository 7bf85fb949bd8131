import contextlib
import os
import pkgutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import boruvka
from boruvka.cli.main import COMMANDS, GROUPS, main

on_posix = pytest.mark.skipif(os.name != "posix", reason="needs pipes and signals of POSIX")
full_device = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is full")


def test_version_and_script(run):
    assert run("--version").out == f"boruvka, version {boruvka.__version__}\n"
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert pkgutil.resolve_name(project["scripts"]["boruvka"]) is main


def test_unknown_command(refuse):
    refuse("No such command 'dance'", "dance")


def test_help_lists_each_command_in_one_group(run):
    assert sorted(name for commands in GROUPS.values() for name in commands) == sorted(COMMANDS)
    shown = run("--help").out
    for title, commands in GROUPS.items():
        assert f"\n{title}:\n" in shown
        for name, does in commands.items():
            assert f"  {name:<{max(map(len, COMMANDS))}}  {does}\n" in shown


def test_help_imports_neither_compiler_nor_libraries():
    commands = [[], *([name] for name in COMMANDS), ["generate", "grid"]]
    code = (
        "import sys; from boruvka.cli.main import main\n"
        f"for command in {commands}:\n"
        "    assert main([*command, '--help']) == 0\n"
        "for name in 'numba scipy polars pandas rich matplotlib mpi4py boruvka.bench'.split():\n"
        "    assert name not in sys.modules, name"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.count("Usage: boruvka") == len(commands)


PRINTING = [
    ["info", "{graph}", "--json"],
    ["info", "{graph}"],
    ["formats"],
    ["--help"],
    ["--version"],
    ["convert", "{graph}", "-", "--to", "csv"],
    ["solve", "{graph}", "-o", "-", "--to", "csv", "-q"],
    ["generate", "path", "--n", "9", "-o", "-", "--to", "csv"],
]


@contextlib.contextmanager
def full():
    """A stream to a full disk, which must close without an error as Python does at exit."""
    with open("/dev/full", "w") as stream:
        yield stream


@contextlib.contextmanager
def broken_pipe():
    """A stream to a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    with contextlib.suppress(BrokenPipeError), open(writer, "w") as stream:  # when it closes
        yield stream


@full_device
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_full_disk(arguments, graph_file, monkeypatch, run):
    with full() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        result = run(*(a.format(graph=graph_file) for a in arguments))
    assert (result.code, result.err) == (2, "error: standard output: No space left on device\n")


@on_posix
@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_broken_pipe(arguments, graph_file, monkeypatch, run):
    with broken_pipe() as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setattr(sys, "stderr", sys.stderr)  # click replaces both
        result = run(*(a.format(graph=graph_file) for a in arguments))
    assert (result.code, result.err) == (141, "")


@full_device
@pytest.mark.parametrize(("output", "code"), [(full, 2), (broken_pipe, 141)])
def test_exit_code_of_a_process_that_cannot_print(output, code):
    """Python flushes standard output once more when the process ends."""
    with output() as stream:
        command = [sys.executable, "-m", "boruvka", "formats"]
        result = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, text=True)
    message = "error: standard output: No space left on device\n" if code == 2 else ""
    assert (result.returncode, result.stderr) == (code, message)


@full_device
def test_full_disk_for_errors(monkeypatch):
    with full() as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        assert main(["info", "missing.gr"]) == 2


def test_closed_standard_error(graph_file, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["solve", str(graph_file), "--backend", "interpreted"]) == 0
    assert main(["solve", "missing.gr"]) == 2


def test_out_of_memory(graph_file, monkeypatch, refuse):
    def solve(*arguments, **options):
        raise MemoryError("of 9 GiB")

    monkeypatch.setattr("boruvka.solve.minimum_spanning_forest", solve)
    refuse("error: not enough memory: of 9 GiB\n", "solve", graph_file)


@on_posix
def test_interrupt_of_the_process(tmp_path):
    """It waits for its input in a named pipe."""
    pipe, output = tmp_path / "graph.csv", tmp_path / "forest.csv"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "boruvka", "solve", pipe, "-o", output],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with open(pipe, "w"):  # once the process has opened it
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err.strip()) == (130, "", "interrupted")
    assert list(tmp_path.iterdir()) == [pipe]
