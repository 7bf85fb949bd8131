"""Arguments as Python writes them, as options of a command, and where they cannot be passed."""

import click
import pytest

from boruvka.cli.options import option_text
from boruvka.runtime import arguments
from boruvka.runtime.arguments import argument, hint, passing


@pytest.fixture
def command():
    """Run as if a command with options ran."""
    options = [
        click.Option(["--vertices", "n"], type=int),
        click.Option(["--unweighted"], is_flag=True),
        click.Option(["--one-based/--zero-based"], default=None),
        click.Option(["-c", "--columns"]),
        click.Option(["--option", "options"], multiple=True),
        click.Option(["--to", "output_format"]),
        click.Argument(["format"]),
    ]
    with click.Context(click.Command("test", params=options)):
        yield


ARGUMENTS = [
    ("n", None, "n", "--vertices"),
    ("n", 5, "n=5", "--vertices 5"),
    ("unweighted", True, "unweighted=True", "--unweighted"),
    ("one_based", True, "one_based=True", "--one-based"),
    ("one_based", False, "one_based=False", "--zero-based"),
    ("columns", (0, 1, 2), "columns=(0, 1, 2)", "--columns 0,1,2"),
    ("columns", ("a", "b c"), "columns=('a', 'b c')", "--columns 'a,b c'"),
    ("options", {"force": True}, "options={'force': True}", "--option force"),
    ("options", {"seed": 3}, "options={'seed': 3}", "--option seed=3"),
    ("format", "csv", "format='csv'", "format=csv"),  # no option of this command
    ("format", None, "format", "format"),
]


@pytest.mark.parametrize(("name", "value", "in_python", "in_command"), ARGUMENTS)
def test_arguments_in_python(name, value, in_python, in_command):
    assert argument(name, value) == in_python


@pytest.mark.parametrize(("name", "value", "in_python", "in_command"), ARGUMENTS)
def test_arguments_of_a_command(name, value, in_python, in_command, command, monkeypatch):
    monkeypatch.setattr(arguments, "_option_text", option_text)
    assert argument(name, value) == in_command


def test_hints(command, monkeypatch):
    monkeypatch.setattr(arguments, "_option_text", lambda name, value: None)
    assert hint("; pass {n} or {format}", n=3, format="csv") == "; pass n=3 or format='csv'"
    with passing(format="output_format"):
        assert hint("; pass {format}", format="csv") == "; pass output_format='csv'"
        assert hint("; pass {n}", n=3) == ""
    with passing():
        assert hint("; pass {format}", format="csv") == ""
    monkeypatch.setattr(arguments, "_option_text", option_text)
    assert hint("; pass {n}", n=3) == "; pass --vertices 3"
    assert hint("; pass {n} or {format}", n=3, format="csv") == ""
    with passing(format="output_format"):
        assert hint("; pass {format}", format="csv") == "; pass --to csv"
