import json
import math

import pytest

from boruvka.bench.results import read_results, to_json, write_results
from boruvka.errors import FileError, FormatError

from .fake_contestants import sample_results


def test_results_come_back(tmp_path):
    results = sample_results()
    path = tmp_path / "r.json"
    write_results(results, path)
    assert read_results(path) == results
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


@pytest.mark.parametrize("weight", [math.inf, -math.inf, 10**30, 0.1, 5])
def test_weights_come_back_exactly(weight, tmp_path):
    results = sample_results(weight=weight)
    write_results(results, tmp_path / "r.json")
    back = read_results(tmp_path / "r.json").graphs[0].forest_weight
    assert (back, type(back)) == (weight, type(weight))


def damaged(change):
    data = json.loads(json.dumps(to_json(sample_results())))
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no results of `boruvka bench`, or damaged"),
        ("{", "no results of `boruvka bench`, or damaged"),
        ("[" * 100_000, "no results of `boruvka bench`, or damaged"),
        ("\xff\xfe", "no results of `boruvka bench`, or damaged"),
        ("[]", "there is no 'schema' in it"),
        ('{"a": 1}', "there is no 'schema' in it"),
        (damaged(lambda d: d.update(schema=99)), "of another version"),
        (damaged(lambda d: d.pop("graphs")), "results has no 'graphs'"),
        (damaged(lambda d: d.update(more=1)), "results has an unknown 'more'"),
        (damaged(lambda d: d.update(complete="yes")), "results.complete is 'yes'"),
        (damaged(lambda d: d.update(machine=[1])), "results.machine is"),
        (damaged(lambda d: d["graphs"][0].update(n="many")), r"results.graphs\[0\].n is 'many'"),
        (damaged(lambda d: d["graphs"][0].update(n=True)), r"results.graphs\[0\].n is 'True'"),
        (
            damaged(lambda d: d["graphs"][0]["entries"][0]["samples"].append(None)),
            r"entries\[0\].samples\[3\] is 'None'",
        ),
    ],
)
def test_damaged_files(text, message, tmp_path):
    path = tmp_path / "r.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match=message) as caught:
        read_results(path)
    assert str(path) in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(FileError, match="No such file"):
        read_results(tmp_path / "r.json")
