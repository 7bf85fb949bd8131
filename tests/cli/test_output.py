import sys

import numpy as np
import pytest

from boruvka.cli.output import json_number, print_table, quantity


def test_quantity():
    assert quantity(1, "vertex") == "1 vertex"
    assert quantity(0, "vertex") == "0 vertices"
    assert quantity(12_345, "edge") == "12,345 edges"


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (None, None),
        (10**400, 10**400),
        (0.5, 0.5),
        ("float32", "float32"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (float("nan"), "nan"),
        (np.longdouble(0.25), 0.25),
    ],
)
def test_json_number(x, expected):
    number = json_number(x)
    assert number == expected
    assert type(number) is type(expected)


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp <= 1024, reason="long double is double here")
def test_json_number_beyond_float64():
    assert json_number(np.longdouble("1e400")) == "1e+400"


def test_tables(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    with monkeypatch.context() as terminal:
        terminal.setattr("sys.stdout.isatty", lambda: True)
        print_table(("name", "use"), [("a", "many words on several lines")])
    assert len(capsys.readouterr().out.splitlines()) > 2
    print_table(("name", "use"), [("x" * 300, "many words on one line")])  # in a pipe, nothing is cut
    assert capsys.readouterr().out.splitlines()[1].split(maxsplit=1)[0] == "x" * 300
    monkeypatch.setattr(sys, "stdout", None)
    print_table(("name", "ms"), [("a", "1")])
