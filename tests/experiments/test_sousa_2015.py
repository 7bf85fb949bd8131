import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import minimum_spanning_forest
from boruvka.backends import get_backend
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import Entry, GraphResult
from experiments import sousa_2015
from experiments.common.counters import PAGE_FAULTS, Event, Unavailable, counting
from experiments.common.experiment import Setting
from experiments.sousa_2015 import CacheMisses, LoadImbalance, Scaling


def test_time_by_graph(results):
    found = results("minho_time_by_graph")
    names = ("csr-contraction", "colour-contraction", "auto")
    for graph in found["graphs"]:
        entries = [(entry["contestant"], entry["threads"]) for entry in graph["entries"]]
        assert entries == list(itertools.product(names, found["threads"]))
    networks = [graph["name"].partition("-like: grid:")[0].partition(":")[0] for graph in found["graphs"]]
    assert networks in (["NY", "FLA", "E"], list(sousa_2015.NETWORKS))
    assert found["remarks"][0].startswith("no files of these are used: ")
    assert found["reported"]["edges counted from both ends"]["USA"]["edges"] == 58_333_344


def test_scaling(results):
    found = results("minho_scaling")
    (rows,) = found["tables"].values()
    assert {row["threads"] for row in rows} == set(found["parameters"]["threads"]) >= {1, 2}
    networks = [graph["name"].partition("-like")[0].partition(":")[0] for graph in found["graphs"]]
    assert networks == ["NY", "NE", "PT", "USA"]
    for row in rows:
        assert row["efficiency %"] == pytest.approx(100 * row["speed-up"] / row["threads"])
        if row["threads"] == 1:
            assert row["speed-up"] == 1
            if row["contestant"] == "csr-contraction":
                assert row["against csr-contraction, 1 thread"] == 1
    table = {(row["graph"], row["threads"]): row for row in found["reported"]["table III"]}
    assert len(table) == 21
    assert table["USA", 40]["speed-up"] == 10.26
    for row in table.values():  # the paper rounds down, or nearly
        assert row["efficiency %"] == pytest.approx(100 * row["speed-up"] / row["threads"], abs=1.01)


def test_a_failure_has_no_speed_up():
    entries = (Entry("csr-contraction", "", 1, error="wrong"), Entry("csr-contraction", "", 2, seconds=1.0))
    tables = Scaling().tables([GraphResult("g", 2, 1, "int32", 12, 1, 1, entries=entries)], {})
    rows = tables["speed-up and efficiency"]
    assert [row["speed-up"] for row in rows] == [None, None]
    assert [row["error"] for row in rows] == ["wrong", ""]


def test_load_imbalance_of_skewed_degrees_grows_with_threads(results):
    rows = results("minho_load_imbalance")["tables"]["imbalance"]
    assert {row["threads"] for row in rows} == set(range(2, 41))
    for row in rows:
        for way in ("by vertex", "by edge"):
            assert 0 <= row[f"{way}, mean %"] <= 2 * max(row[f"{way}, largest %"], 1e-9) * row["threads"]
    first = {row["threads"]: row for row in rows if row["graph"].startswith("rmat") and row["round"] == 1}
    ladder = [first[2**k]["by vertex, mean %"] for k in range(1, 6)]
    assert ladder == sorted(ladder)
    assert ladder[0] > 5
    for row in first.values():
        assert row["by edge, mean %"] < row["by vertex, mean %"] / 2


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(sousa_2015, "get_backend", lambda name, threads: get_backend("interpreted", 1))


@pytest.mark.usefixtures("interpreted")
def test_all_rounds_of_the_contraction_are_recorded():
    graph = graph_of("rmat:scale=8,weights=thousand,dtype=int32,seed=1")
    forest = minimum_spanning_forest(graph, algorithm="csr-contraction", backend="interpreted")
    begins = sousa_2015.begins_of_rounds(graph)
    assert [b.size - 1 for b in begins] == [r.components for r in forest.rounds]
    assert begins[0][-1] == 2 * np.count_nonzero(graph.u != graph.v)
    assert [b[-1] // 2 for b in begins][1:] == [r.edges for r in forest.rounds][1:]


@pytest.mark.usefixtures("interpreted")
def test_imbalance_of_a_tiny_graph(monkeypatch):
    monkeypatch.setattr(LoadImbalance, "networks", ("NY",))
    findings = LoadImbalance().measure(Setting(quick=True))
    graphs = {row["graph"].partition(":")[0] for row in findings.tables["imbalance"]}
    assert graphs == {"NY-like", "rmat"}
    assert findings.remarks[-1] == "counted, not timed: the number of cores does not matter"


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60).filter(any), st.integers(1, 45))
def test_arcs_per_thread(degrees, threads):
    begins = np.concatenate([[0], np.cumsum(degrees)]).astype(np.uint64)
    by_vertex = sousa_2015.arcs_by_vertex(begins, threads)
    by_edge = sousa_2015.arcs_by_edge(begins, threads)
    for arcs in by_vertex, by_edge:
        assert (arcs.size, arcs.sum()) == (threads, sum(degrees))
        assert arcs.min() >= 0
        assert sousa_2015.imbalance(arcs) >= 0
        assert sousa_2015.excess(arcs) >= -1e-9
    # Bounds are off by half a vertex at most, at either end.
    assert by_edge.max() <= sum(degrees) / threads + max(degrees) + 1
    if threads == 1:
        assert sousa_2015.imbalance(by_vertex) == 0


def test_arcs_per_thread_of_known_graphs():
    begins = np.array([0, 6, 8, 9, 10, 11, 12], np.uint64)
    assert sousa_2015.arcs_by_vertex(begins, 2).tolist() == [9, 3]
    assert sousa_2015.arcs_by_edge(begins, 2).tolist() == [6, 6]
    assert sousa_2015.imbalance(np.array([9, 3])) == 50
    assert sousa_2015.excess(np.array([9, 2, 1])) == pytest.approx(125)


def test_cache_misses_or_the_reason(results):
    found = results("minho_cache_misses")
    rows = found["tables"]["misses"]
    if rows:
        assert all(row["misses"] >= 0 and row["references"] >= 0 for row in rows)
        assert found.figure.exists()
    else:
        assert found["remarks"][0].startswith("skipped: references of the last-level cache cannot be counted")
        assert not found.figure.exists()


@pytest.mark.usefixtures("interpreted")
def test_events_are_counted_by_round(monkeypatch):
    """As cache misses are, but with software events, which need no hardware counters."""
    clock = Event("nanoseconds", 1, 1)
    try:
        with counting(clock):
            pass
    except Unavailable as reason:
        pytest.skip(str(reason))
    monkeypatch.setattr("experiments.common.roads.QUICK", 20_000)
    monkeypatch.setattr(sousa_2015, "CACHE_REFERENCES", clock)
    monkeypatch.setattr(sousa_2015, "CACHE_MISSES", PAGE_FAULTS)
    findings = CacheMisses().measure(Setting(quick=True, threads=(1, 2)))
    rows = findings.tables["misses"]
    assert {row["threads"] for row in rows} == {1, 2}
    rounds = [row["round"] for row in rows if row["threads"] == 1]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) > 3
    for row in rows:
        assert row["references"] > 0
        assert row["rate %"] == 100 * row["misses"] / row["references"] >= 0
    assert CacheMisses().panels(findings.tables, {})


def test_without_counters(monkeypatch):
    def refuse(event):
        raise Unavailable("not here")

    monkeypatch.setattr(sousa_2015, "counting", refuse)
    findings = CacheMisses().measure(Setting(quick=True, threads=(1,)))
    assert findings.tables == {"misses": []}
    assert findings.remarks == ("skipped: not here",)
    assert CacheMisses().panels(findings.tables, {}) == []


def test_duplicates_are_read_again(results):
    rows = results("minho_duplicates")["tables"]["edges looked at"]
    found = {(row["graph"].partition(":")[0], row["contestant"]): row for row in rows}
    assert len(found) == 6
    for graph in ("random", "kronecker"):
        left, removed = (found[graph, f"duplicates {what}"] for what in ("left in", "removed"))
        assert left["rounds"] == removed["rounds"]
        assert left["all, in edges of the graph"] > 1.2 * removed["all, in edges of the graph"]
        first = [row["by round"].split()[0] for row in (left, removed)]
        assert first[0] == first[1]
