import json
import sys

import numpy as np
import pytest

from boruvka.cli.outputs import json_value, print_fields, print_table


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
        (np.int64(3), 3),
        (True, True),
        ({"a": [(1, float("inf"))]}, {"a": [[1, "inf"]]}),
    ],
)
def test_json_values(x, expected):
    value = json_value(x)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp <= 1024, reason="long double is double here")
def test_json_values_beyond_float64():
    assert json_value(np.longdouble("1e400")) == "1e+400"


def test_fields(capsys):
    fields = {
        "edges": 12_345,
        "forest_edges": True,
        "weight": np.longdouble(0.5),
        "nothing": None,
        "hints": [],
        "ranges": [(0.5, 2.5), (1, 3)],
        "seconds": {"read": 0.25, "solve": 1.5},
    }
    print_fields(fields)
    assert capsys.readouterr().out.splitlines() == [
        "edges         12,345",
        "forest edges  True",
        "weight        0.5",
        "ranges        0.5 to 2.5, 1 to 3",
        "seconds       read 0.25, solve 1.5",
    ]
    print_fields(fields, as_json=True, err=True)
    assert json.loads(capsys.readouterr().err) == {
        **fields,
        "ranges": [[0.5, 2.5], [1, 3]],
        "warnings": [],
    }


def test_tables(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "52")
    print_table([("a", "many words", "", "on several lines"), ("name", "x" * 60)])
    assert capsys.readouterr().out.splitlines() == [
        "a     many words; on several lines",
        "name  " + "x" * 42,
        "      " + "x" * 18,
    ]
    monkeypatch.setattr(sys, "stdout", None)
    print_table([("a", "1")])
