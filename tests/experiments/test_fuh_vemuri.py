import itertools

import pytest

from boruvka.bench.results import Entry, GraphResult, RoundResult, Step
from experiments.common.experiment import Setting
from experiments.fuh_vemuri import Breakdown, SearchByComponent


def test_thread_sweep(results):
    found = results("cmu_thread_sweep")
    (rows,) = found["tables"].values()
    by_name = {(row["contestant"], row["threads"]): row for row in rows}
    threads = found["parameters"]["threads"]
    parallel = ("edge-contraction", "star-contraction", "star-contraction, coins in sequence", "auto")
    assert set(by_name) == {("sequential", 1), *itertools.product(parallel, threads)}
    baseline = by_name["sequential", 1]["ms"]
    for row in rows:
        assert row["times sequential"] == pytest.approx(row["ms"] / baseline)
        one = by_name[row["contestant"], threads[0] if row["contestant"] in parallel else 1]["ms"]
        assert row["speed-up by threads"] == pytest.approx(one / row["ms"])
    options = found["parameters"]["contestants"]["star-contraction, coins in sequence"]["options"]
    assert options == {"sequential_flips": True}


def test_breakdown(results):
    found = results("cmu_breakdown")
    rows = found["tables"]["parts"]
    assert len(rows) == 4
    for row, (_, entry) in zip(rows, found.entries, strict=True):
        shares = [row[f"{part}, %"] for part in Breakdown.NAMES]
        assert sum(shares) == pytest.approx(100)
        assert all(share > 0 for share in shares)
        assert sum(row[f"{part}, ms"] for part in Breakdown.NAMES) == pytest.approx(1e3 * entry["seconds"])
    share = {row["contestant"]: row["contracting, %"] for row in rows}
    for row in found["tables"]["contracting against sequential"]:
        assert row["times the share"] == pytest.approx(share[row["contestant"]] / share["sequential"])


def test_coins_count_as_contracting():
    steps = (Step("find", 3.0), Step("flip", 1.0), Step("contract", 2.0), Step("list", 0.5))
    entry = Entry("star", "", 1, seconds=7.0, rounds=(RoundResult("all", 2, 1, steps),))
    graph = GraphResult("g", 2, 1, "int32", 12, 1, 1, entries=(entry,))
    (row,) = Breakdown().tables([graph], {})["parts"]
    assert [row[f"{part}, ms"] for part in Breakdown.NAMES] == [3000, 3000, 1000]


def test_stars_take_at_least_twice_the_rounds(results):
    found = results("cmu_rounds")
    summary = {row["contestant"]: row for row in found["tables"]["summary"]}
    edge = summary["edge-contraction"]
    assert edge["fewest rounds"] == edge["most rounds"] == summary["sequential"]["most rounds"]
    for name in ("star-contraction", "star-contraction, coins in sequence"):
        assert summary[name]["fewest rounds"] >= 2 * edge["most rounds"]
        assert summary[name]["most rounds"] < 60
    for row in found["tables"]["rounds"]:
        components = [int(count) for count in row["components"].split()]
        assert components[0] in (3000, 1_000_000)
        assert components == sorted(components, reverse=True)
        assert row["rounds"] == sum(count > 1 for count in components)


def test_search_by_component_refuses_large_graphs(results):
    found = results("cmu_search_by_component")
    refusals = {row["contestant"]: row["message"] for row in found["tables"]["refusals"]}
    assert set(refusals) == {"component-edge-contraction", "component-star-contraction"}
    assert all("takes quadratic time: " in message for message in refusals.values())
    sizes = [(graph["n"], graph["m"]) for graph in found["graphs"]]
    assert sizes == [(n, round(18.86 * n)) for n, _ in sizes]
    assert len(sizes) == (3 if found["quick"] else 5)
    assert SearchByComponent().specifications(Setting(quick=found["quick"])) == found["parameters"]["graphs"]


def test_growth_is_that_of_the_last_doubling():
    def result(n, seconds):
        return GraphResult(str(n), n, n, "int32", 0, 1, 1, entries=(Entry("a", "", 1, seconds=seconds),))

    graphs = [result(1, 9.0), result(2, 2.0), result(4, 8.0)]
    assert [row["growth"] for row in SearchByComponent().tables(graphs, {})["growth"]] == [4.0]
