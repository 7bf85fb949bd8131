import pytest

from boruvka import backends
from boruvka.formats import FORMATS


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("algorithms", "prim                        comparison; a heap, one tree at a time; O(m log"),
        ("formats", "dimacs         .gr; DIMACS shortest path: p sp n m, then a u v w"),
    ],
)
def test_lists(command, line, run):
    result = run(command)
    assert result.code == 0
    assert line in result.out.splitlines()


def test_the_options_of_a_format(run, refuse):
    shown = run("formats", "csv").out
    assert shown.startswith("csv (.csv): Table between commas")
    for flag in "--columns", "--header / --no-header", "--missing", "--default-weight NUMBER", "--vertices":
        assert flag in shown
    assert "--layer" not in shown
    assert "--node" in run("formats", "geojson").out
    assert run("formats", "steinlib").out == "steinlib (.stp .gr): SteinLib and PACE: SECTION Graph\n"
    refuse("there is no format 'x'", "formats", "x")
    of_solve = run("solve", "--help").out
    assert "boruvka formats NAME" in " ".join(of_solve.split())
    assert not any(flag in of_solve for flag in ("--layer", "--ways", "--header", "--default-weight"))


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: chosen.name)
def test_each_option_of_a_format_is_one_of_the_command_line(chosen, run):
    shown = run("formats", chosen.name).out
    assert shown.count("  --") == len(chosen.codec.options)


def test_backends(run, monkeypatch):
    monkeypatch.setattr(backends, "why_not", lambda name: "there is no GPU" if name == "cuda" else None)
    assert [line.split(maxsplit=1) for line in run("backends").out.splitlines()] == [
        ["threads", "available"],
        ["cuda", "there is no GPU"],
        ["interpreted", "available"],
        ["mpi", "available"],
    ]
