"""JSON lines are read as the same rows of csv."""

import json

import pytest

import boruvka
from boruvka import FormatError

pytest.importorskip("polars")
ROWS = [("a", "b", 2**53 + 1), ("b", "ü", 4), ("ü", "a", 2**62)]
LINES = "".join(json.dumps({"from": u, "km": w, "to": v, "more": [1]}) + "\n" for u, v, w in ROWS)


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.json", "a.jsonl.gz", "a.txt"])
def test_objects_are_rows(file, name):
    path = file(name, LINES)
    with pytest.raises(FormatError, match=r"no column of weights .*: pass columns=\('from', 'to', 'km'\)"):
        boruvka.read(path)
    graph = boruvka.read(path, weight="km")
    assert (graph.names.tolist(), graph.w.tolist()) == (["a", "b", "ü"], [w for _, _, w in ROWS])
    assert graph.name_of(graph.v).tolist() == [v for _, v, _ in ROWS]


def test_large_numbers_beside_fractions(file):
    """Integers that floats hold, and floats of any size, are read."""
    content = '{"u":0,"v":1,"w":1e300}\n{"u":0,"v":1,"w":9007199254740992}\n{"u":0,"v":1,"w":0.5}\n'
    assert boruvka.read(file("a.jsonl", content)).w.tolist() == [1e300, 2.0**53, 0.5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"u":0,"v":1,"w":9223372036854775808}\n', "expected numbers of at most 64 bits in column 'w'"),
        ('{"u":0,"v":1,"w":"0.5"}\n', "found String, '0.5' in row 0: write numbers, without quotes"),
        ('{"u":0,"v":1,"w":1}\n{"u":0,"v":1}\n', "row 1 has no value in column 'w'"),
        ('{"u":0,"v":1,"w":1}\n{"u":"a","v":1,"w":2}\n', "expected strings.* in columns 'u' and 'v'"),
        ('{"u":0,"v":1,"w":1}\n{"u":0,"v":', "a.jsonl: line 2 is no object of JSON"),
        ('{"u":0,"v":1,"w":1}\n\n["a"]\n', "line 3 is no object of JSON: 'list' object is not a mapping"),
        ('{"u":0,"v":1,"w":NaN}\n', "line 1 is no object of JSON: .*'NaN'"),
        (
            '{"u":0,"v":1,"w":0.5}\n{"u":0,"v":1,"w":9007199254740993}\n',
            "row 1: 9007199254740993 in column 'w'",
        ),
    ],
)
def test_lines_that_are_no_edges(file, content, message):
    with pytest.raises(FormatError, match=message):
        boruvka.read(file("a.jsonl", content.encode()))
