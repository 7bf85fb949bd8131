import sys

import numpy as np
import pytest

from boruvka.bench.tables import Table
from boruvka.cli.output import json_number, print_result, print_table, quantity


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
    print_table(("name", "use"), [("a", "many words on several lines")])
    assert len(capsys.readouterr().out.splitlines()) > 2
    print_table(("name", "ms", "error"), [("a", "1", "many words on one line")], numeric=True)
    assert capsys.readouterr().out.splitlines() == [
        " name  ms  error                  ",
        " a      1  many words on one line ",
    ]
    print_result(Table("title", ("name", "ms"), (("a", "1"),), ("a remark",)))
    assert capsys.readouterr().out.splitlines() == ["", "title", " name  ms ", " a      1 ", "a remark"]
    monkeypatch.setattr(sys, "stdout", None)
    print_table(("name", "ms"), [("a", "1")], numeric=True)
