import itertools

import pytest

from boruvka import distributed
from boruvka.bench.results import Entry
from experiments import anzalone
from experiments.anzalone import Baseline, RanksBreakdown, WeakScaling
from experiments.common.experiment import Setting
from experiments.common.rank_results import RanksEntry, RanksResult

from .conftest import committed

STRATEGIES = [f"{distribute}, {merge}" for distribute, merge in distributed.STRATEGIES]


def result(*entries):
    return RanksResult("g", 2, 1, "int32", 12, 1, 1, entries=entries)


def test_table_1_has_a_baseline_beside_it(results):
    found = results("ethz_baseline")
    rows = found["tables"]["table 1"]
    reported = [(row["ranks"], row["Parallel BGL, s"]) for row in rows][:2]
    assert reported == [(1, 12.76185), (2, 9.31996)]
    alone = [(e["contestant"], e["threads"]) for _, e in found.entries if "ranks" not in e]
    assert alone[:2] == [("kruskal", 1), ("auto", 1)]
    assert found["reported"]["table 1"][1]["best, s"] == 0.28577
    for row in rows:
        assert row["best, s"] > 0
        assert row["default, s"] > 0


def test_table_1_takes_the_best_published_strategy():
    def entry(name, seconds, **attributes):
        return RanksEntry(name, "", 1, seconds=seconds, ranks=2, **attributes)

    graph = result(
        entry("slow", 4.0, published=True),
        entry("fast", 2.0, published=True),
        entry("failed", None, published=True, error="wrong"),
        entry("ours", 1.0, default=True),
        Entry("kruskal", "", 1, seconds=8.0),
    )
    (row,) = Baseline().table_1(graph)
    assert list(row.values()) == [2, 0.28577, 9.31996, "fast", 2.0, 4.0, 1.0, 8.0]


def test_graphs_grow_with_ranks(results):
    found = results("ethz_weak_scaling")
    rows = found["tables"]["efficiency"]
    (edges,) = {row["edges a rank"] for row in rows}
    assert edges == (2**12 if found["quick"] else 2**22)
    measured = sorted({row["ranks"] for row in rows})
    assert [graph["n"] for graph in found["graphs"]] == [edges // 16 * ranks for ranks in measured]
    for row in rows:
        assert (row["efficiency %"] == pytest.approx(100)) == (row["ranks"] == 1)


def test_graphs_that_do_not_fit_are_left_out(monkeypatch):
    monkeypatch.setattr(anzalone, "race_on_ranks", lambda name, counts, setting: result())
    monkeypatch.setattr("experiments.common.roads.memory_size", lambda: 2**32)
    findings = WeakScaling().measure(Setting(ranks=(1, 2, 4, 8)))
    assert len(findings.graphs) == 2
    assert [remark[:27] for remark in findings.remarks[-2:]] == [
        "kronecker:scale=20,edge_fac",
        "kronecker:scale=21,edge_fac",
    ]


def test_parts_of_a_call(results):
    for row in results("ethz_breakdown")["tables"]["parts"]:
        parts = [row[f"{part}, ms"] for part in RanksBreakdown.NAMES]
        assert min(parts) >= 0
        assert sum(parts) >= row["ms"] or row["other, ms"] > 0
        if row["strategy"].endswith("-reduced"):
            assert row["reduction, ms"] > 0


def test_parts_are_means_over_runs():
    parts = ({"merging": 1.0}, {"merging": 3.0, "selection": 4.0})
    (row,) = RanksBreakdown().tables([result(RanksEntry("a", "", 1, seconds=10.0, parts=parts))], {})["parts"]
    assert (row["merging, ms"], row["selection, ms"], row["other, ms"]) == (2000, 2000, 6000)


def test_predicted_rounds(results):
    rows = results("ethz_scale")["tables"]["against counts"]
    assert {row["ranks"] for row in rows} >= {2}
    for row in rows:
        assert min(row["messages predicted"], row["bytes predicted"]) > 0
        if row["strategy"].startswith("edges, union-find"):  # all rounds send the same
            sent, predicted = (row[f"bytes{what}"] / row[f"messages{what}"] for what in ("", " predicted"))
            assert sent == pytest.approx(predicted, rel=1e-3)


def test_predicted_times(results):
    rows = results("ethz_scale")["tables"]["predicted"]
    assert len(rows) == 4 * 4 * 8
    for row in rows:
        assert row["s"] == pytest.approx(row["work, s"] + row["latency, s"] + row["bandwidth, s"])
        assert row["fits"] == (row["GB held"] <= 4)
        if row["edges"] == "2^40" and row["strategy"].startswith("edges"):
            assert not row["fits"]


def test_counts(results):
    found = results("ethz_counts")
    rows = found["tables"]["counts"]
    graphs = found["parameters"]["graphs"]
    listed = [(row["graph"], row["ranks"], row["strategy"]) for row in rows]
    in_one_step = [row for row in listed if not row[-1].endswith("two steps")]
    assert in_one_step == list(itertools.product(graphs, found["ranks"], STRATEGIES))
    for row in rows:
        assert (row["bytes sent"] > 0) == (row["messages"] > 0) == (row["ranks"] > 1)
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


def test_rounds_add_up_to_what_a_solve_sends(results):
    found = results("ethz_growth")["tables"]
    for total in found["totals"]:
        rounds = [
            row
            for row in found["rounds"]
            if all(row[name] == total[name] for name in ("graph", "ranks", "strategy"))
        ]
        assert [row["round"] for row in rounds] == list(range(len(rounds)))
        for name in ("messages", "bytes sent"):
            assert sum(row[name] for row in rounds) == total[name]


def test_bytes_by_edges_approach_a_limit_and_those_of_rounds_by_vertices_fall():
    """As docs/scale.md says."""
    record, _ = committed("ethz_growth")
    kronecker = record["parameters"]["graphs"][1]

    def sent(strategy, phase=None):
        rows = [
            row
            for row in record["tables"]["rounds"]
            if (row["strategy"], row["graph"]) == (strategy, kronecker)
        ]
        return [
            sum(
                row["bytes sent, a vertex"]
                for row in rows
                if row["ranks"] == ranks and phase in (None, row["phase"])
            )
            for ranks in record["ranks"]
        ]

    assert record["ranks"] == [2, 4, 8, 16, 32, 64]
    assert max(sent("edges, filter-boruvka")) < 48
    for strategy in ("vertices, filter-boruvka", "vertices, filter-boruvka, two steps"):
        in_rounds = sent(strategy, "round")[1:]
        assert in_rounds == sorted(in_rounds, reverse=True)
    for row in record["tables"]["rounds"]:  # every rank gets at most 2**16 edges of 16 bytes
        if row["phase"] == "finish" and row["strategy"].startswith("edges"):
            assert row["bytes sent"] <= 16 * 2**16


def test_memory(results):
    found = results("ethz_memory")
    rows = found["tables"]["memory"]
    listed = [(row["graph"], row["ranks"], row["strategy"]) for row in rows]
    in_one_step = [row for row in listed if not row[-1].endswith("two steps")]
    assert in_one_step == list(itertools.product(found["parameters"]["graphs"], found["ranks"], STRATEGIES))
    assert all(row["bytes of arrays"] > 0 for row in rows)
