"""No output of a command is one of its inputs, or another output, whatever the option."""

import os
import subprocess
import sys

import click
import pytest

import boruvka
from boruvka import Graph
from boruvka.cli.main import app

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


REPEATED = {
    "attach",
    "drop",
    "excluded",
    "heights",
    "no_allele",
    "not_loci",
    "options",
    "required",
    "terminals",
}


def all_commands(group, *names):
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield from all_commands(command, *names, name) if hasattr(command, "commands") else [(names, command)]


def test_no_option_keeps_only_the_last_of_several_values():
    """An option that is given twice adds up, or is an error; switches such as --json may be repeated."""
    added = set()
    for _, command in all_commands(app):
        for option in command.params:
            if isinstance(option, click.Argument) or (option.is_flag and not option.secondary_opts):
                continue
            if option.multiple:
                added.add(option.name)
                continue
            flag = option.opts[0]
            with pytest.raises(click.UsageError, match=f"^{option.opts[-1]} is given 2 times: write it once"):
                command.make_context("x", [flag, *([] if option.is_flag else ["1"])] * 2)
    assert added == REPEATED


@pytest.mark.parametrize(
    ("arguments", "weight"),
    [
        ("solve", 3),
        ("solve --excluded street=Main", 7),
        ("solve --excluded street=Main --excluded street=Low", 12),
        ("solve --excluded street=Main --excluded closed.csv", 12),
        ("solve --required closed.csv --required more.csv", 7),
        ("steiner --terminals a --terminals c", 3),
        ("steiner --terminals @list --terminals c --excluded street=Main --excluded street=Low", 5),
    ],
)
def test_repeated_options_add_up(arguments, weight, tmp_path, monkeypatch, run_json):
    monkeypatch.chdir(tmp_path)
    rows = "u,v,w,street\na,b,1,Main\nb,c,2,Low\na,c,5,High\na,b,7,Side\n"
    (tmp_path / "e.csv").write_text(rows)
    (tmp_path / "closed.csv").write_text("u,v,w\nb,c,2\n")
    (tmp_path / "more.csv").write_text("u,v,w\na,c,5\n")
    (tmp_path / "list").write_text("a\n")
    name, *options = arguments.split()
    assert run_json(name, "e.csv", *options)["weight"] == weight


def test_repeated_options_of_names_add_up(tmp_path, run_json, refuse):
    path = tmp_path / "profiles.csv"
    path.write_text("strain,l1,l2,year\na,1,1,7\nb,1,2,8\nc,2,2,9\nd,x,1,9\n")
    options = ["--no-allele", "x", "--no-allele", "?", "--not-loci", "year", "--not-loci", "l1"]
    given = ["clusters", path, "--profiles", "--drop", "a", "--drop", "b", "-k", "1", *options]
    assert run_json(*given, "--missing", "ignore")["vertices"] == 2
    refuse("--option has a name twice: n=1, n=2", "solve", path, "--option", "n=1", "--option", "n=2")
