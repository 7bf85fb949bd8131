"""Every experiment runs, and finds what its document is about; no test looks at how long anything took."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, minimum_spanning_forest
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import Entry, GraphResult, RoundResult, Step
from boruvka.distributed import STRATEGIES
from experiments import (
    cmu_breakdown,
    cmu_search_by_component,
    ethz_baseline,
    ethz_breakdown,
    ethz_weak_scaling,
    iiit_graph_families,
    iith_dense_sparse_small,
    minho_cache_misses,
    minho_load_imbalance,
    minho_scaling,
)
from experiments.__main__ import NAMES, experiment_named
from experiments.common.counters import PAGE_FAULTS, Event, Unavailable, counting
from experiments.common.experiment import Setting
from experiments.common.ranks import RanksEntry
from experiments.common.scale import Cost

COUNTED = ("cmu_rounds", "ethz_counts", "ethz_scale", "minho_cache_misses", "minho_load_imbalance")
ON_RANKS = [name for name in NAMES if name.startswith("ethz_") and name not in COUNTED]
TIMED = [name for name in NAMES if name not in (*COUNTED, *ON_RANKS)]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written(found, name):
    record = found(name).record
    assert (record["experiment"], record["quick"]) == (name, True)
    assert record["source"].startswith("document ")
    assert record["about"] == experiment_named(name).about
    assert record["reported"]["document"]
    assert len(record["reported"]) > 1
    assert record["machine"]["cores"]
    assert record["versions"]["boruvka"] == boruvka.__version__
    assert record["scheme"]["name"] == "k-best"
    assert any(record["tables"].values()) or record["remarks"]
    for rows in record["tables"].values():
        assert len({tuple(row) for row in rows}) <= 1


@pytest.mark.parametrize("name", [name for name in NAMES if name != "minho_cache_misses"])
def test_a_figure_is_drawn(found, name):
    assert "<svg" in found(name).figure.read_text()


@pytest.mark.parametrize("name", TIMED)
def test_all_answers_agree_and_all_samples_are_kept(found, name):
    results = found(name)
    assert results.entries
    for graph, entry in results.entries:
        assert (entry["error"], len(entry["samples"])) == ("", results["scheme"]["runs"])
        assert entry["seconds"] == min(entry["samples"]) > 0
        assert entry["contestant"] in results["parameters"]["contestants"]
        spent = sum(step["seconds"] for round_ in entry["rounds"] for step in round_["steps"])
        assert 0 < spent <= entry["seconds"]
        if not graph["name"].startswith("sparse"):
            assert graph["forest_edges"] < graph["n"]


def test_time_by_graph(found):
    results = found("minho_time_by_graph")
    threads = results["threads"]
    for graph in results["graphs"]:
        who = [(entry["contestant"], entry["threads"]) for entry in graph["entries"]]
        assert who == list(itertools.product(("csr-contraction", "colour-contraction", "auto"), threads))
        assert graph["name"].partition("-like: grid:")[0] in ("NY", "FLA", "E")
    assert "no files of these are used: NY, FLA, E; in their place are grids" in results["remarks"][0]
    assert results["reported"]["edges counted from both ends"]["USA"]["edges"] == 58_333_344


def test_scaling(found):
    results = found("minho_scaling")
    (rows,) = results["tables"].values()
    assert {row["threads"] for row in rows} == set(results["parameters"]["threads"]) >= {1, 2}
    assert [graph["name"].partition("-like")[0] for graph in results["graphs"]] == ["NY", "NE", "PT", "USA"]
    for row in rows:
        assert row["efficiency %"] == pytest.approx(100 * row["speed-up"] / row["threads"])
        if row["threads"] == 1:
            assert row["speed-up"] == 1
            if row["contestant"] == "csr-contraction":
                assert row["against csr-contraction, 1 thread"] == 1
    table = {(row["graph"], row["threads"]): row for row in results["reported"]["table III"]}
    assert len(table) == 21
    assert table["USA", 40]["speed-up"] == 10.26
    for row in table.values():  # the document rounds down, or so
        assert row["efficiency %"] == pytest.approx(100 * row["speed-up"] / row["threads"], abs=1.01)


def test_who_failed_has_no_speed_up():
    entries = (Entry("csr-contraction", "", 1, error="wrong"), Entry("csr-contraction", "", 2, seconds=1.0))
    rows = minho_scaling.speedups(GraphResult("g", 2, 1, "int32", 12, 1, 1, entries=entries))
    assert [row["speed-up"] for row in rows] == [None, None]
    assert [row["error"] for row in rows] == ["wrong", ""]


def test_load_imbalance_of_skewed_degrees_grows_with_threads(found):
    rows = found("minho_load_imbalance")["tables"]["imbalance"]
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


def test_all_rounds_of_the_contraction_are_watched(found):
    rows = found("minho_load_imbalance")["tables"]["imbalance"]
    name = next(row["graph"] for row in rows if row["graph"].startswith("rmat"))
    graph = graph_of(name)
    forest = minimum_spanning_forest(graph, algorithm="csr-contraction")
    watched = {row["round"]: row for row in rows if row["graph"] == name}
    assert [row["vertices"] for row in watched.values()] == [r.components for r in forest.rounds]
    assert watched[1]["arcs"] == 2 * np.count_nonzero(graph.u != graph.v)
    assert [row["arcs"] // 2 for row in watched.values()][1:] == [r.edges for r in forest.rounds][1:]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60).filter(any), st.integers(1, 45))
def test_shares(degrees, threads):
    begins = np.concatenate([[0], np.cumsum(degrees)]).astype(np.uint64)
    by_vertex = minho_load_imbalance.shares_by_vertex(begins, threads)
    by_edge = minho_load_imbalance.shares_by_edge(begins, threads)
    for shares in by_vertex, by_edge:
        assert (shares.size, shares.sum()) == (threads, sum(degrees))
        assert shares.min() >= 0
        assert minho_load_imbalance.imbalance(shares) >= 0
        assert minho_load_imbalance.excess(shares) >= -1e-9
    # Bounds are off by half a vertex at most, at either end.
    assert by_edge.max() <= sum(degrees) / threads + max(degrees) + 1
    if threads == 1:
        assert minho_load_imbalance.imbalance(by_vertex) == 0


def test_shares_of_known_graphs():
    begins = np.array([0, 6, 8, 9, 10, 11, 12], np.uint64)
    assert minho_load_imbalance.shares_by_vertex(begins, 2).tolist() == [9, 3]
    assert minho_load_imbalance.shares_by_edge(begins, 2).tolist() == [6, 6]
    assert minho_load_imbalance.imbalance(np.array([9, 3])) == 50
    assert minho_load_imbalance.excess(np.array([9, 2, 1])) == pytest.approx(125)


def test_cache_misses_or_a_word(found):
    results = found("minho_cache_misses")
    rows = results["tables"]["misses"]
    if rows:
        assert all(row["misses"] >= 0 and row["references"] >= 0 for row in rows)
        assert results.figure.exists()
    else:
        assert results["remarks"][0].startswith(
            "skipped: references of the last-level cache cannot be counted"
        )
        assert not results.figure.exists()


def test_events_are_counted_by_round(monkeypatch, tmp_path):
    """As cache misses are, where no hardware counts these: by events of the kernel's own."""
    clock = Event("nanoseconds", 1, 1)
    try:
        with counting(clock):
            pass
    except Unavailable as reason:
        pytest.skip(str(reason))
    monkeypatch.setattr(minho_cache_misses, "CACHE_REFERENCES", clock)
    monkeypatch.setattr(minho_cache_misses, "CACHE_MISSES", PAGE_FAULTS)
    setting = Setting(quick=True, threads=(1, 2))
    findings = minho_cache_misses.measure(setting)
    rows = findings.tables["misses"]
    assert {row["threads"] for row in rows} == {1, 2}
    rounds = [row["round"] for row in rows if row["threads"] == 1]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) > 3
    for row in rows:
        assert row["references"] > 0
        assert row["rate %"] == 100 * row["misses"] / row["references"] >= 0
    assert minho_cache_misses.draw(findings) is not None


def test_where_nothing_can_be_counted(monkeypatch):
    def refuse(event):
        raise Unavailable("not here")

    monkeypatch.setattr(minho_cache_misses, "counting", refuse)
    findings = minho_cache_misses.measure(Setting(quick=True, threads=(1,)))
    assert findings.tables == {"misses": []}
    assert findings.remarks == ("skipped: not here",)
    assert minho_cache_misses.draw(findings) is None


def test_thread_sweep(found):
    results = found("cmu_thread_sweep")
    (rows,) = results["tables"].values()
    by_name = {(row["contestant"], row["threads"]): row for row in rows}
    threads = results["parameters"]["threads"]
    parallel = ("edge-contraction", "star-contraction", "star-contraction, coins in sequence", "auto")
    assert set(by_name) == {("sequential", 1), *itertools.product(parallel, threads)}
    baseline = by_name["sequential", 1]["ms"]
    for row in rows:
        assert row["times sequential"] == pytest.approx(row["ms"] / baseline)
        one = by_name[row["contestant"], threads[0]]["ms"]
        assert row["speed-up by threads"] == pytest.approx(one / row["ms"])
    options = results["parameters"]["contestants"]["star-contraction, coins in sequence"]["options"]
    assert options == {"sequential_flips": True}


def test_duplicates_are_looked_at_again(found):
    rows = found("minho_duplicates")["tables"]["edges looked at"]
    looks = {(row["graph"].partition(":")[0], row["contestant"]): row for row in rows}
    assert len(looks) == 6
    for graph in ("random", "kronecker"):
        left, removed = (looks[graph, f"duplicates {what}"] for what in ("left in", "removed"))
        assert left["rounds"] == removed["rounds"]
        assert left["all, in edges of the graph"] > 1.2 * removed["all, in edges of the graph"]
        first = [row["by round"].split()[0] for row in (left, removed)]
        assert first[0] == first[1]


def test_breakdown(found):
    results = found("cmu_breakdown")
    rows = results["tables"]["parts"]
    assert len(rows) == 4
    for row, (_, entry) in zip(rows, results.entries, strict=True):
        shares = [row[f"{part}, %"] for part in ("finding", "contracting", "other")]
        assert sum(shares) == pytest.approx(100)
        assert all(share > 0 for share in shares)
        parts = [row[f"{part}, ms"] for part in ("finding", "contracting", "other")]
        assert sum(parts) == pytest.approx(1e3 * entry["seconds"])
    share = {row["contestant"]: row["contracting, %"] for row in rows}
    for row in results["tables"]["contracting against sequential"]:
        assert row["times the share"] == pytest.approx(share[row["contestant"]] / share["sequential"])


def test_coins_count_as_contracting():
    steps = (Step("find", 3.0), Step("flip", 1.0), Step("contract", 2.0), Step("list", 0.5))
    entry = Entry("star", "", 1, seconds=7.0, rounds=(RoundResult("all", 2, 1, steps),))
    assert cmu_breakdown.parts_of(entry) == {"finding": 3.0, "contracting": 3.0, "other": 1.0}


def test_stars_take_at_least_twice_the_rounds(found):
    summary = {row["contestant"]: row for row in found("cmu_rounds")["tables"]["summary"]}
    edge = summary["edge-contraction"]
    assert edge["fewest rounds"] == edge["most rounds"] == summary["sequential"]["most rounds"]
    for name in ("star-contraction", "star-contraction, coins in sequence"):
        assert summary[name]["fewest rounds"] >= 2 * edge["most rounds"]
        assert summary[name]["most rounds"] < 60
    for row in found("cmu_rounds")["tables"]["rounds"]:
        components = [int(count) for count in row["components"].split()]
        assert components[0] == 3000
        assert components == sorted(components, reverse=True)
        assert row["rounds"] == sum(count > 1 for count in components)


def test_search_by_component_refuses_large_graphs(found):
    results = found("cmu_search_by_component")
    refusals = {row["contestant"]: row["says"] for row in results["tables"]["refusals"]}
    assert set(refusals) == {"component-edge-contraction", "component-star-contraction"}
    assert all("takes quadratic time: 20001 vertices" in words for words in refusals.values())
    sizes = [(graph["n"], graph["m"]) for graph in results["graphs"]]
    assert sizes == [(n, round(18.86 * n)) for n in results["parameters"]["vertices"]]


def test_growth_is_that_of_the_last_doubling():
    def result(n, seconds):
        return GraphResult(str(n), n, n, "int32", 0, 1, 1, entries=(Entry("a", "", 1, seconds=seconds),))

    rows = cmu_search_by_component.growth([result(1, 9.0), result(2, 2.0), result(4, 8.0)])
    assert [row["growth"] for row in rows] == [4.0]


def test_graph_families(found):
    results = found("iiit_graph_families")
    panels = results["parameters"]["panels"]
    assert len(panels) == 6
    measured = {graph["name"]: graph for graph in results["graphs"]}
    assert {name for names in panels.values() for name in names} == set(measured)
    for graph in measured.values():
        who = [entry["contestant"] for entry in graph["entries"]]
        assert who == ["kruskal", "colour-contraction", "scan-split", "auto"]
        assert graph["entries"][0]["threads"] == 1
    ratios = next(rows for title, rows in results["tables"].items() if title.startswith("times as long"))
    assert [row["scan-split"] for row in ratios] == [1.0] * len(measured)


@pytest.mark.parametrize("family", iiit_graph_families.FAMILIES)
@pytest.mark.parametrize("degree", [6, 30])
def test_degrees_are_about_as_wanted(family, degree):
    graph = graph_of(iiit_graph_families.specification(family, 12, degree))
    assert graph.n == 2**12
    assert graph.m / graph.n == pytest.approx(degree, rel=0.1)


def test_road_networks_stand_beside_table_1(found):
    results = found("iiit_road_networks")
    rows = {row["graph"].partition(":")[0]: row for row in results["tables"]["table 1"]}
    assert set(rows) == {"NY-like", "LKS-like"}
    reported = [rows["NY-like"][f"{who}, reported ms"] for who in ("CPU", "GPU1", "theirs")]
    assert reported == [780, 76, 39]
    for _, entry in results.entries:
        assert entry["seconds"] > 0
    assert results["reported"]["table 1, ms"]["W"] == {"CPU": 32050, "GPU1": 1178, "theirs": 412}


def test_five_million(found):
    results = found("iiit_five_million")
    (graph,) = results["graphs"]
    assert graph["m"] == 6 * graph["n"]
    assert {entry["contestant"] for entry in graph["entries"]} == {"scan-split", "auto"}


def test_dense_sparse_small(found):
    results = found("iith_dense_sparse_small")
    (rows,) = results["tables"].values()
    assert {row["kind"] for row in rows} == {"dense", "sparse", "small"}
    assert {row["contestant"] for row in rows} == {"sequential", "component-ranges", "auto", "dense"}
    for row in rows:
        assert (row["ms to list edges"] is None) == (row["contestant"] == "dense")
        if row["kind"] == "dense":
            assert row["edges"] == row["vertices"] * (row["vertices"] - 1) // 2
        if row["kind"] == "small":
            assert row["vertices"] < 100
        if row["contestant"] == "sequential":
            assert row["speed-up"] == 1


def test_an_array_keeps_the_lightest_of_parallel_edges():
    name = "random:n=6,m=200,weights=thousand,dtype=int32,seed=3"
    case = iith_dense_sparse_small.made("sparse", name)
    original = graph_of(name)
    assert (case.array == case.array.T).all()
    assert case.graph.m == 15
    assert (case.graph.u < case.graph.v).all()
    for u, v, w in zip(case.graph.u, case.graph.v, case.graph.w, strict=True):
        ends = {int(u), int(v)}
        between = [
            int(x)
            for a, b, x in zip(original.u, original.v, original.w, strict=True)
            if {int(a), int(b)} == ends
        ]
        assert w == case.array[u, v] == min(between)
    sparse = iith_dense_sparse_small.made("sparse", "path:n=20001,weights=thousand,dtype=int32,seed=1")
    assert sparse.array is None
    assert type(case.graph) is Graph  # a list, not the array itself


NAMES_OF_STRATEGIES = [f"{distribute}, {merge}" for distribute, merge in STRATEGIES]


@pytest.mark.parametrize("name", ON_RANKS)
def test_all_strategies_find_the_same_forest_on_ranks(found, name):
    results = found(name)
    who = [(e["contestant"], e["ranks"]) for _, e in results.entries if "ranks" in e]
    assert who == [(strategy, ranks) for ranks in (1, 2) for strategy in NAMES_OF_STRATEGIES]
    assert results["ranks"] == [1, 2]
    for _, entry in results.entries:
        assert (entry["error"], len(entry["samples"])) == ("", results["scheme"]["runs"])
        assert entry["seconds"] == min(entry["samples"]) > 0
        if "ranks" in entry:
            assert len(entry["parts"]) == len(entry["samples"])
            assert all(seconds > 0 for run in entry["parts"] for seconds in run.values())
    for ranks in (1, 2):
        default = [e["contestant"] for _, e in results.entries if e.get("ranks") == ranks and e["default"]]
        assert len(default) == 1
    of_document = {e["contestant"] for _, e in results.entries if e.get("of_document")}
    assert len(of_document) == 7


def test_table_1_has_a_baseline_beside_it(found):
    results = found("ethz_baseline")
    rows = results["tables"]["table 1"]
    assert [(row["ranks"], row["Parallel BGL, s"]) for row in rows] == [(1, 12.76185), (2, 9.31996)]
    alone = [(e["contestant"], e["threads"]) for _, e in results.entries if "ranks" not in e]
    assert alone[:2] == [("kruskal", 1), ("auto", 1)]
    assert results["reported"]["table 1"][1]["best, s"] == 0.28577
    for row in rows:
        assert row["best, s"] > 0
        assert row["default, s"] > 0


def test_table_1_takes_the_best_of_the_document():
    def entry(name, seconds, **what):
        return RanksEntry(name, "", 1, seconds=seconds, ranks=2, **what)

    entries = (
        entry("slow", 4.0, of_document=True),
        entry("fast", 2.0, of_document=True),
        entry("failed", None, of_document=True, error="wrong"),
        entry("ours", 1.0, default=True),
        Entry("kruskal", "", 1, seconds=8.0),
    )
    (row,) = ethz_baseline.table_1(GraphResult("g", 2, 1, "int32", 12, 1, 1, entries=entries))
    assert list(row.values()) == [2, 0.28577, 9.31996, "fast", 2.0, 4.0, 1.0, 8.0]


def test_graphs_grow_with_ranks(found):
    results = found("ethz_weak_scaling")
    rows = results["tables"]["efficiency"]
    assert {row["edges a rank"] for row in rows} == {4096}
    assert [graph["n"] for graph in results["graphs"]] == [2**8, 2**9]
    for row in rows:
        assert (row["efficiency %"] == 100) == (row["ranks"] == 1)


def test_graphs_that_do_not_fit_are_left_out(monkeypatch):
    monkeypatch.setattr(ethz_weak_scaling, "race_on_ranks", lambda name, counts, setting: name)
    monkeypatch.setattr(ethz_weak_scaling, "efficiencies", list)
    monkeypatch.setattr("experiments.common.race.memory", lambda: 2**32)
    findings = ethz_weak_scaling.measure(Setting(ranks=(1, 2, 4, 8)))
    assert [name[:18] for name in findings.graphs] == ["kronecker:scale=18", "kronecker:scale=19"]
    assert [remark[:27] for remark in findings.remarks[-2:]] == [
        "kronecker:scale=20,edge_fac",
        "kronecker:scale=21,edge_fac",
    ]


def test_parts_of_a_call(found):
    rows = found("ethz_breakdown")["tables"]["parts"]
    for row in rows:
        parts = [row[f"{part}, ms"] for part in ethz_breakdown.NAMES]
        assert min(parts) >= 0
        assert sum(parts) >= row["ms"] or row["other, ms"] > 0
        if row["strategy"].endswith("-reduced"):
            assert row["reduction, ms"] > 0


def test_parts_are_means_over_runs():
    entry = RanksEntry("a", "", 1, seconds=10.0, parts=({"merging": 1.0}, {"merging": 3.0, "selection": 4.0}))
    row = ethz_breakdown.row_of(entry)
    assert (row["merging, ms"], row["selection, ms"], row["other, ms"]) == (2000, 2000, 6000)


def test_what_a_round_sends_is_foretold(found):
    tables = found("ethz_scale")["tables"]
    assert {row["ranks"] for row in tables["against counts"]} == {2}
    for row in tables["against counts"]:
        assert min(row["messages foretold"], row["bytes foretold"]) > 0
        if row["strategy"].startswith("edges, union-find"):  # all rounds send the same
            sent, foretold = (row[f"bytes{what}"] / row[f"messages{what}"] for what in ("", " foretold"))
            assert sent == foretold


def test_time_is_foretold(found):
    rows = found("ethz_scale")["tables"]["foretold"]
    assert len(rows) == 4 * 4 * 7
    for row in rows:
        assert row["s"] == pytest.approx(row["work, s"] + row["latency, s"] + row["bandwidth, s"])
        assert row["fits"] == (row["GB held"] <= 4)
        if row["edges"] == "2^40" and row["strategy"].startswith("edges"):
            assert not row["fits"]


@pytest.mark.parametrize("ranks", [2, 3, 64, 1000])
def test_a_cost_counts_as_messages_are_counted(ranks):
    """As `boruvka.distributed.communicator` says: twice its size in 2 log2(P) messages for a reduction."""
    cost = Cost(ranks)
    cost.reduce(100.0)
    depth = int(np.ceil(np.log2(ranks)))
    assert (cost.messages, cost.bytes) == (2 * depth, pytest.approx(200 * (ranks - 1) / ranks))
    cost = Cost(ranks)
    cost.exchange(100.0, records=5)
    assert cost.messages == depth + min(5, ranks - 1)


def test_what_is_sent_and_held(found):
    results = found("ethz_counts")
    rows = results["tables"]["counts"]
    graphs = results["parameters"]["graphs"]
    assert [(row["graph"], row["ranks"], row["strategy"]) for row in rows] == list(
        itertools.product(graphs, (1, 2), NAMES_OF_STRATEGIES)
    )
    for row in rows:
        assert row["error"] == ""
        assert (row["bytes sent"] > 0) == (row["messages"] > 0) == (row["ranks"] > 1)
        assert row["bytes of arrays"] > 0
    for graph in graphs:  # as the docstring of boruvka.distributed.literature.by_edges promises
        sent = {
            row["strategy"]: (row["rounds"], row["messages"], row["bytes sent"])
            for row in rows
            if (row["graph"], row["ranks"]) == (graph, 2)
        }
        rounds, messages, _ = sent["edges, union-find"]
        assert messages == 4 * rounds
        assert (
            sent["edges, union-find"] == sent["edges, union-find-reduced"] == sent["edges, pointer-jumping"]
        )
