"""The examples in the help are commands that work."""

import shlex

import pytest

from boruvka import Graph, generators, write
from boruvka.cli.examples import EXAMPLES, EXAMPLES_OF_FAMILIES
from boruvka.cli.main import COMMANDS, app

COMPILING = ["boruvka warmup", "boruvka warmup --all"]
"""They compile for minutes; `tests/cli/test_warmup.py` tries what they do."""


def arguments_of(example):
    program, *arguments = shlex.split(example)
    assert program == "boruvka"
    return arguments


def examples_of(*commands):
    return [line for command in commands for line in EXAMPLES[command] if line not in COMPILING]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that examples name."""
    monkeypatch.chdir(tmp_path)
    write(generators.grid(6, 7, dtype="int64"), "graph.gr")
    (tmp_path / "roads.csv").write_text("name,from,to,cost\na,0,1,5\nb,1,2,3\n")
    (tmp_path / "places.csv").write_text("id,x,y\n" + "".join(f"{i},{i % 7},{i // 7}\n" for i in range(42)))
    (tmp_path / "edges").mkdir()
    write(Graph(3, [0, 1], [1, 2], [5, 3]), "edges/part.parquet")
    return tmp_path


def test_every_command_and_family_has_examples():
    assert EXAMPLES.keys() - {None} == COMMANDS.keys()
    assert EXAMPLES_OF_FAMILIES.keys() == generators.FAMILIES.keys()
    for name in COMMANDS:
        assert all(arguments_of(line)[0] == name for line in EXAMPLES[name])
    for name, line in EXAMPLES_OF_FAMILIES.items():
        assert arguments_of(line)[:2] == ["generate", name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_help_ends_with_the_examples(name, run):
    lines = EXAMPLES[name]
    shown = run(*([] if name is None else [name]), "--help").out.splitlines()
    assert shown[-len(lines) :] == [f"    {line}" for line in lines]


def test_help_of_a_family_ends_with_its_example(run):
    assert run("generate", "grid", "--help").out.splitlines()[-1].strip() == EXAMPLES_OF_FAMILIES["grid"]


EASY = examples_of("info", "convert", "generate", "algorithms", "formats", "solve", "plot", "animate")


@pytest.mark.parametrize("line", [*EASY, *EXAMPLES_OF_FAMILIES.values()])
def test_examples_work(line, folder, run):
    result = run(*arguments_of(line))
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("lines", [examples_of(None), examples_of("solve")[:1] + examples_of("verify")])
def test_examples_that_use_the_files_of_others(lines, folder, run):
    for line in lines:
        result = run(*arguments_of(line))
        assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("line", COMPILING)
def test_examples_that_take_long_are_parsed(line):
    name, *arguments = arguments_of(line)
    command = app.get_command(None, name)
    assert command.make_context(name, arguments).params
