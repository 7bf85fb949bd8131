from boruvka.bench.results import Entry, GraphResult
from experiments.common.tables import MS, as_text, lines_of, ms_where, times_of

ENTRIES = (
    Entry("a", "", 1, seconds=2.0, spread=0.25, converged=True),
    Entry("a", "", 2, seconds=0.5),
    Entry("b", "", 1, error="wrong"),
)
GRAPH = GraphResult("g", 5, 7, "int32", 84, 4, 1, entries=ENTRIES)


def test_times():
    rows = times_of([GRAPH]).to_dicts()
    assert [row["ms"] for row in rows] == [2000, 500, None]
    assert [row["spread %"] for row in rows] == [25, None, None]
    first = {"graph": "g", "vertices": 5, "edges": 7, "contestant": "a", "threads": 1}
    assert rows[0].items() >= first.items()
    assert times_of([]).to_dicts() == []


def test_times_of_another():
    table = times_of([GRAPH]).select(
        first=ms_where("a") / MS, second=ms_where("a", threads=2) / MS, failed=MS / ms_where("b")
    )
    assert table.rows() == [(1.0, 0.25, None), (4.0, 1.0, None), (None, None, None)]


def test_lines():
    rows = times_of([GRAPH]).to_dicts()
    assert lines_of(rows, "contestant", "threads", "ms") == {"a": [(1, 2000.0), (2, 500.0)], "b": []}
    assert list(lines_of(rows, ("contestant", "threads"), "edges", "ms")) == [
        "a, threads 1",
        "a, threads 2",
        "b, threads 1",
    ]


def test_text():
    table = as_text("t", [{"a": 1234567, "b": 0.12345, "c": None}, {"a": True, "b": "x", "c": False}])
    assert (table.title, table.header) == ("t", ("a", "b", "c"))
    assert table.rows == (("1,234,567", "0.123", ""), ("yes", "x", "no"))
