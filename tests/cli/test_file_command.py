"""No output of a command is one of its inputs, or another output, whatever the option."""

import os
import subprocess
import sys

import pytest

import boruvka
from boruvka import Graph

INPUTS = {
    "solve": ["graph.csv", ("--required", "edges.csv"), ("--excluded", "others.csv")],
    "steiner": ["graph.csv", ("--terminals", "@list.txt")],
    "arborescence": ["graph.csv"],
    "network": ["graph.csv"],
    "convert": ["graph.csv"],
    "plot": ["graph.csv", ("--coordinates", "places.csv")],
}
OUTPUTS = {name: ["-o"] for name in INPUTS} | {"solve": ["-o", "--log"], "convert": [None]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    boruvka.write(Graph(3, [0, 1], [1, 2], [5, 7]), "graph.csv")
    (tmp_path / "edges.csv").write_text("u,v,w\n0,1,5\n")
    (tmp_path / "others.csv").write_text("u,v,w\n1,2,7\n")
    (tmp_path / "list.txt").write_text("0\n2\n")
    (tmp_path / "places.csv").write_text("id,x,y\n0,0,0\n1,1,1\n2,2,0\n")
    (tmp_path / "folder").mkdir()
    return tmp_path


def content_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


CASES = [(name, given, flag) for name in INPUTS for given in INPUTS[name] for flag in OUTPUTS[name]]


@pytest.mark.parametrize(("name", "given", "flag"), CASES, ids=str)
def test_no_input_is_an_output(name, given, flag, folder, refuse):
    option, file = ("FILE" if name != "convert" else "INPUT", given) if isinstance(given, str) else given
    path = folder / file.removeprefix("@")
    (folder / "link.svg").symlink_to(path.name)
    (folder / "hard.svg").hardlink_to(path)
    before = content_of(folder)
    inputs = [word for each in INPUTS[name] for word in ([each] if isinstance(each, str) else each)]
    for output in (
        path.name,
        path,
        f"./folder/../{path.name}",
        "link.svg",
        "hard.svg",
        f"/proc/self/cwd/{path.name}",
    ):
        to = ["--to", "png" if name == "plot" else "csv"] if flag != "--log" else []
        arguments = [*inputs, *([flag] if flag else []), output, *to]
        refuse(f" is also {option}, which would be overwritten: name another file", name, *arguments)
        assert content_of(folder) == before


def test_two_outputs_are_different_files(folder, refuse):
    (folder / "dangling.csv").symlink_to("new.csv")
    for log in "new.csv", folder / "new.csv", "dangling.csv":
        refuse("new.csv is also --log, which", "solve", "graph.csv", "-o", "new.csv", "--log", log)
    assert not (folder / "new.csv").exists()


def test_no_output_is_part_of_a_checkpoint(folder, refuse):
    for name in "boruvka.checkpoint", "boruvka.names":
        output = f"folder/{name}"
        arguments = ["--memory", "1G", "--checkpoint", "folder", "--to", "csv"]
        refuse(f"{output} is also --checkpoint", "solve", "graph.csv", "-o", output, *arguments)
    assert not list((folder / "folder").iterdir())


@pytest.mark.parametrize("appends", [False, True])
def test_redirected_files(appends, folder):
    command = [sys.executable, "-m", "boruvka", "convert", "-", "graph.csv", "--format", "csv"]
    if appends:  # a file that a shell has not truncated
        command = [sys.executable, "-m", "boruvka", "convert", "graph.csv", "-", "--to", "csv"]
    before = content_of(folder)
    with open("graph.csv", "ab") as output, open("graph.csv", "rb") as source:
        streams = {"stdout": output} if appends else {"stdin": source, "stdout": subprocess.PIPE}
        ran = subprocess.run(command, **streams, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 2
    assert "which would be overwritten" in ran.stderr
    assert content_of(folder) == before


@pytest.mark.parametrize(
    "arguments", ["info graph.csv --json", "solve graph.csv --json -q", "verify - edges.csv"]
)
def test_reports_are_not_added_to_an_input(arguments, folder):
    before = content_of(folder)
    command = [sys.executable, "-m", "boruvka", *arguments.split(), "--format", "csv"]
    with open("graph.csv", "ab") as output, open("graph.csv", "rb") as source:
        ran = subprocess.run(command, stdin=source, stdout=output, stderr=subprocess.PIPE, text=True)
    assert ran.returncode == 2
    kind = "GRAPH" if "verify" in arguments else "FILE"
    assert f"standard output, where the report is printed, is also {kind}: redirect it" in ran.stderr
    assert content_of(folder) == before


@pytest.mark.parametrize("arguments", ["convert graph.csv graph.npz", "solve graph.csv -q"])
def test_nothing_is_printed_on_an_input(arguments, folder):
    before = content_of(folder)["graph.csv"]
    with open("graph.csv", "ab") as output:
        subprocess.run([sys.executable, "-m", "boruvka", *arguments.split()], stdout=output, check=True)
    assert content_of(folder)["graph.csv"] == before


def test_devices_are_read_and_written(run, folder):
    assert run("solve", "graph.csv", "-o", os.devnull, "--to", "csv", "--log", os.devnull).code == 0
