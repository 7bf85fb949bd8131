import json

import pytest

from boruvka.errors import FileError, FormatError
from lab.harness.results import RESULTS, Entry, GraphResult, Record, times_of

SUMMARIES = sorted(RESULTS.glob("*.json"))


def test_a_summary_of_runs():
    entry = Entry("boruvka", 2, "1.0", 0.5, (0.5, 0.25, 0.75), 1, 0.25, 0.1, True, 10**6)
    (row,) = times_of([GraphResult("g", 4, 3, "int8", (entry,))])
    assert (row["ms"], row["median ms"], row["runs"], row["spread %"]) == (250, 500, 3, 10)
    assert (row["convert ms"], row["peak MB"], row["error"]) == (500, 1, "")
    (failed,) = times_of([GraphResult("g", 4, 3, "int8", (Entry("a", 1, error="wrong"),))])
    assert (failed["ms"], failed["median ms"], failed["converged"], failed["error"]) == (
        None,
        None,
        False,
        "wrong",
    )


def test_a_file_holds_what_was_written(tmp_path):
    tables = {
        "times": [{"a": 1.23456789, "b": None, "c": "x"}, {"a": float("inf"), "b": True, "c": 2}],
        "none": [],
    }
    Record("race", tables, {"scheme": "k-best", "ranks": (1, 2)}, ("a remark",)).write(tmp_path / "r.json")
    found = Record.read(tmp_path / "r.json")
    assert found.tables == {
        "times": [{"a": 1.2346, "b": None, "c": "x"}, {"a": "inf", "b": True, "c": 2}],
        "none": [],
    }
    assert (found.measurement, found.parameters["ranks"], found.remarks) == ("race", [1, 2], ["a remark"])
    assert {"cores", "system"} <= set(found.machine)
    assert {"python", "boruvka", "numpy"} <= set(found.versions)
    assert str(tmp_path) not in (tmp_path / "r.json").read_text()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"tables": {"a": {}}}', '{"tables": {}, "more": 1}'])
def test_damaged_files(tmp_path, text):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(FormatError, match=r"r\.json: no results of `python -m lab`, or damaged"):
        Record.read(tmp_path / "r.json")
    with pytest.raises(FileError, match="No such file"):
        Record.read(tmp_path / "missing.json")


@pytest.mark.parametrize("path", SUMMARIES, ids=lambda path: path.stem)
def test_committed_results_are_summaries(path):
    assert path.stat().st_size <= 50_000
    record = Record.read(path)
    assert record.machine["cores"]
    assert record.versions["boruvka"]
    assert '"samples"' not in json.dumps(record.tables)
