import numpy as np
import pytest

import boruvka
from boruvka.bench.contestants import conversions_of
from boruvka.bench.contestants.conversions import OBJECTS, WALK, Conversion, Walk
from boruvka.bench.report import write_figures, write_report
from boruvka.bench.results import Entry, GraphResult, Results
from boruvka.bench.run import Plan, measure_in_process
from boruvka.bench.schemes import KBest
from boruvka.bench.tables import times_table
from boruvka.errors import OptionError

GRAPH = boruvka.generators.random(30, 60, seed=3)


def loaded(contestant):
    if not contestant.installed:
        pytest.skip(f"{contestant.module} is not installed")
    contestant.load(1)
    return contestant


def objects(name, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return loaded(Conversion(name)).prepare(GRAPH)


def pairs(walked):
    """List the weights of a walk, and how often each end occurs in it."""
    if hasattr(walked, "__next__"):
        rows = [(*x[0], x[1]) if len(x) == 2 else x for x in walked]
        walked = [np.array(column) for column in zip(*rows, strict=True)]
    if len(walked) == 2:  # both ends in one array
        walked = (*np.asarray(walked[0]).T, np.array(walked[1]))
    u, v, w = walked
    ends = np.unique(np.concatenate([u, v]), return_counts=True)[1]
    return sorted(np.asarray(w).tolist()), ends


@pytest.mark.parametrize("name", OBJECTS)
def test_a_walk_gives_every_end_and_weight_once(name, monkeypatch, tmp_path):
    native = objects(name, monkeypatch, tmp_path)
    if "networkx" in name:
        expected = sorted(w for _, _, w in native.edges(data="weight"))
    else:
        expected = sorted(GRAPH.w.tolist())
    weights, ends = pairs(OBJECTS[name].walk(native))
    assert weights == expected
    if not name.endswith("-strings") or name == "networkx-strings":  # categories of both ends are apart
        assert ends.sum() == 2 * len(weights)
    loaded(Walk(name)).solve(native)


@pytest.mark.parametrize("name", OBJECTS)
def test_conversions_are_checked_by_their_forest(name, monkeypatch, tmp_path):
    made = loaded(Conversion(name))
    native = objects(name, monkeypatch, tmp_path)
    graph = made.solve(native)
    forest = boruvka.minimum_spanning_forest(GRAPH)
    outcome = made.outcome(native, graph)
    assert (outcome.edges, outcome.weight) == (len(forest), pytest.approx(forest.weight, rel=1e-12))
    assert (graph.names is not None) == name.endswith("-strings") or name == "networkx"
    assert made.version() or not made.module


@pytest.mark.long
def test_a_table_pairs_conversions_with_walks():
    plan = Plan(conversions_of(["scipy-csr", "tuples"]), [1], KBest(runs=2, best=1, most=2), short=0)
    result = measure_in_process("random", GRAPH, plan, lambda *at: None)
    assert [e.contestant for e in result.entries] == ["scipy-csr", "tuples"]
    assert [e.contestant for e in result.limits] == [f"{WALK}scipy-csr", f"{WALK}tuples"]
    assert not any(e.error for e in (*result.entries, *result.limits))
    table = times_table(result)
    assert table.header == ("object", "conversion ms", "walk ms", "ratio", "walk")
    assert [row[0] for row in table.rows] == ["scipy-csr", "tuples"]
    assert all(float(row[3]) > 0 for row in table.rows)
    assert table.rows[1][4] == "`for u, v, w in edges`"


def test_a_report_of_conversions(tmp_path):
    entries = (
        Entry("scipy-csr", "1.17.1", 1, samples=(0.25, 0.125), seconds=0.125),
        Entry("tuples", "", 1, samples=(0.5,), seconds=0.5),  # interrupted before its walk
    )
    walk = Entry(f"{WALK}scipy-csr", "1.17.1", 1, samples=(0.5, 0.5), seconds=0.5)
    graphs = tuple(
        GraphResult(f"random:n=9,m={m}", 9, m, "float32", 12 * m, 8, 8.0, (walk,), entries, {"igraph": "why"})
        for m in (10, 20, 40)
    )
    results = Results({"cores": "2"}, {}, {"name": "k-best"}, False, graphs)
    table = times_table(graphs[0])
    assert table.rows == (
        ("scipy-csr", "188", "500", "0.375", "`tocoo(copy=True)`"),
        ("tuples", "500", "", "", "`for u, v, w in edges`"),
    )
    assert table.remarks == ("igraph left out: why",)
    write_report([results], tmp_path / "r.html", "boruvka")
    page = (tmp_path / "r.html").read_text()
    assert page.count("<td>0.375") == 3
    assert "<svg" not in page
    with pytest.raises(OptionError, match="no figures of these results: of conversions there are tables"):
        write_figures([results], tmp_path / "figures", "svg")


def test_a_wrong_conversion_is_reported(monkeypatch):
    monkeypatch.setattr(Conversion, "solve", lambda self, native: boruvka.as_graph(native[1:]))
    plan = Plan(conversions_of(["tuples"]), [1], KBest(runs=2, best=1, most=2), short=0)
    star = boruvka.Graph(4, [0, 0, 0], [1, 2, 3], [1.0, 2.0, 3.0])
    result = measure_in_process("star", star, plan, lambda *at: None)
    assert result.entries[0].error.startswith("wrong: 2 edges")
    assert times_table(result).rows[0][3:] == ("", result.entries[0].error)


def test_unknown_objects():
    with pytest.raises(OptionError, match=r"unknown object 'excel'; there are pandas-strings, "):
        conversions_of(["excel"])
