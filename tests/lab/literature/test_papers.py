"""The tables of single experiments, committed and of quick runs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import distributed, generators, minimum_spanning_forest, write
from boruvka.backends import get_backend
from boruvka.runtime.round_log import Round
from lab.harness.graphs import graph_of
from lab.harness.results import RESULTS, Entry, GraphResult, Record
from lab.harness.turns import Reference
from lab.literature import roads, sousa_2015
from lab.literature.adjacency_matrix import FromArray
from lab.literature.anzalone import Baseline, predicted
from lab.literature.cost_model import COSTS, Kronecker, Machine
from lab.literature.counters import PAGE_FAULTS, Event, Unavailable, counting
from lab.literature.experiment import Setting
from lab.literature.sousa_2015 import CacheMisses, LoadImbalance, Scaling

STRATEGIES = [f"{distribute}, {merge}" for distribute, merge in distributed.STRATEGIES]


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(sousa_2015, "get_backend", lambda name, threads: get_backend("interpreted", 1))


def test_scaling(results):
    rows = results("minho_scaling").tables["times"]
    networks = dict.fromkeys(row["graph"].partition("-like")[0].partition(":")[0] for row in rows)
    assert list(networks) == ["NY", "NE", "PT", "USA"]
    for row in rows:
        assert row["efficiency %"] == pytest.approx(100 * row["speed-up"] / row["threads"], rel=1e-3)
        assert row["threads"] != 1 or row["speed-up"] == 1
    table = {(row["graph"], row["threads"]): row for row in Scaling().reported["table III"]}
    assert len(table) == 21
    for row in table.values():  # the paper rounds down, or nearly
        assert row["efficiency %"] == pytest.approx(100 * row["speed-up"] / row["threads"], abs=1.01)


def test_a_failure_has_no_speed_up():
    entries = (
        Entry("csr-contraction", 1, error="wrong"),
        Entry("csr-contraction", 2, samples=(1.0,), seconds=1.0),
    )
    rows = Scaling().tables([GraphResult("g", 2, 1, "int32", entries)], {})["times"]
    assert [row["speed-up"] for row in rows] == [None, None]


def test_load_imbalance_of_skewed_degrees_grows_with_threads(results):
    rows = results("minho_load_imbalance").tables["imbalance"]
    first = {row["threads"]: row for row in rows if row["graph"].startswith("rmat") and row["round"] == 1}
    ladder = [first[count]["by vertex, mean %"] for count in (2, 4, 8, 10, 20, 40)]
    assert ladder == sorted(ladder)
    assert ladder[0] > 5
    assert all(row["by edge, mean %"] < row["by vertex, mean %"] / 2 for row in first.values())


@pytest.mark.usefixtures("interpreted")
def test_all_rounds_of_the_contraction_are_recorded(monkeypatch):
    graph = graph_of("rmat:scale=8,weights=integers_1000,dtype=int32,seed=1")
    forest = minimum_spanning_forest(graph, algorithm="csr-contraction", backend="interpreted")
    begins = sousa_2015.begins_of_rounds(graph)
    assert [b.size - 1 for b in begins] == [r.n_components for r in forest.rounds]
    assert begins[0][-1] == 2 * np.count_nonzero(graph.u != graph.v)
    monkeypatch.setattr(LoadImbalance, "networks", ("NY",))
    findings = LoadImbalance().measure(Setting(quick=True))
    assert {row["graph"].partition(":")[0] for row in findings.tables["imbalance"]} == {"NY-like", "rmat"}


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60).filter(any), st.integers(1, 45))
def test_arcs_per_thread(degrees, threads):
    begins = np.concatenate([[0], np.cumsum(degrees)]).astype(np.uint64)
    by_edge = sousa_2015.arcs_by_edge(begins, threads)
    for arcs in sousa_2015.arcs_by_vertex(begins, threads), by_edge:
        assert (arcs.size, arcs.sum()) == (threads, sum(degrees))
        assert arcs.min() >= 0
        assert sousa_2015.imbalance(arcs) >= 0
    # Bounds are off by half a vertex at most, at either end.
    assert by_edge.max() <= sum(degrees) / threads + max(degrees) + 1


def test_arcs_per_thread_of_a_known_graph():
    begins = np.array([0, 6, 8, 9, 10, 11, 12], np.uint64)
    assert sousa_2015.arcs_by_vertex(begins, 2).tolist() == [9, 3]
    assert sousa_2015.arcs_by_edge(begins, 2).tolist() == [6, 6]
    assert sousa_2015.imbalance(np.array([9, 3])) == 50


@pytest.mark.usefixtures("interpreted")
def test_events_are_counted_by_round(monkeypatch):
    """As cache misses are, but with software events, which need no hardware counters."""
    clock = Event("nanoseconds", 1, 1)
    try:
        with counting(clock):
            pass
    except Unavailable as reason:
        pytest.skip(str(reason))
    monkeypatch.setattr(roads, "QUICK", 20_000)
    monkeypatch.setattr(sousa_2015, "CACHE_REFERENCES", clock)
    monkeypatch.setattr(sousa_2015, "CACHE_MISSES", PAGE_FAULTS)
    rows = CacheMisses().measure(Setting(quick=True, threads=(1, 2))).tables["misses"]
    rounds = [row["round"] for row in rows if row["threads"] == 1]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) > 3
    for row in rows:
        assert row["rate %"] == 100 * row["misses"] / row["references"] >= 0


def test_without_counters(monkeypatch):
    def refuse(event):
        raise Unavailable("not here")

    monkeypatch.setattr(sousa_2015, "counting", refuse)
    findings = CacheMisses().measure(Setting(quick=True, threads=(1,)))
    assert (findings.tables, findings.remarks) == ({"misses": []}, ("skipped: not here",))
    with pytest.raises(Unavailable, match=r"dreams cannot be counted: "), counting(Event("dreams", 77, 0)):
        pass


def test_duplicates_are_read_again(results):
    rows = results("minho_duplicates").tables["times"]
    found = {(row["graph"].partition(":")[0], row["contestant"]): row for row in rows}
    column = "edges looked at, in edges of the graph"
    for graph in ("random", "kronecker"):
        left, removed = (found[graph, f"duplicates {what}"][column] for what in ("left in", "removed"))
        assert left > 1.2 * removed


def test_rounds_of_star_contraction(results):
    rows = results("cmu_rounds").tables["rounds"]
    sequential = next(row["rounds"] for row in rows if row["contestant"] == "sequential")
    assert min(row["rounds"] for row in rows if row["contestant"].startswith("star")) > 2 * sequential


def test_parts_add_up(results):
    for row in results("cmu_breakdown").tables["parts"]:
        assert sum(x for name, x in row.items() if name.endswith(", %")) == pytest.approx(100, abs=0.1)


def test_searches_refuse_large_graphs(results):
    refusals = results("cmu_search_by_component").tables["refusals"]
    assert all("quadratic" in row["message"] for row in refusals)
    assert len(refusals) == 2


def test_an_array_has_the_edges_of_the_list():
    graph = graph_of("complete:n=20,weights=integers_1000,dtype=int32,seed=1")
    contestant = FromArray("dense", "dense")
    contestant.load(1)
    native = contestant.prepare(graph)
    Reference.of(graph).check(contestant.outcome(native, contestant.solve(native)), 0)
    assert contestant.refusal(graph_of("star:n=20001")).startswith("an array of more than")


def test_roads_are_files_or_grids(tmp_path, monkeypatch):
    monkeypatch.setenv("BORUVKA_DATA", str(tmp_path))
    path = tmp_path / "USA-road-d.NY.gr"
    graph = generators.grid(5, 4, seed=1, dtype="int32", weights="integers_1000")
    both = np.r_[graph.u, graph.v], np.r_[graph.v, graph.u], np.r_[graph.w, graph.w]
    write(both, path)
    found, remarks = roads.roads_of(("NY", "BAY"), (path,), quick=True)
    assert next(iter(found)) == "NY: USA-road-d.NY.gr"
    read = found["NY: USA-road-d.NY.gr"]()
    assert (read.m, read.w.dtype, read.w.sum()) == (graph.m, np.int32, graph.w.sum())
    assert remarks[0].startswith("no files of these are used: BAY; grids")
    network = roads.NETWORKS["NY"]
    grid = graph_of(roads.grid_like(network))
    assert grid.n == pytest.approx(network.n, rel=0.01)
    assert grid.m == pytest.approx(network.arcs / 2, rel=0.02)
    monkeypatch.setattr(roads, "memory_size", lambda: 2**20)
    assert roads.roads_of(("NY",), ())[1] == ["NY left out: needs about 0 GiB of memory, there are 0"]


def test_table_1_takes_the_best_published_strategy():
    def row(name, ms, published=False, default=False):
        return {"strategy": name, "ms": ms, "published": published, "default": default, "ranks": 2}

    rows = [
        row("slow", 4.0, True),
        row("fast", 2.0, True),
        row("failed", None, True),
        row("ours", 1.0, default=True),
    ]
    (found,) = Baseline().table_1(rows, 8.0)
    assert list(found.values()) == [2, 0.28577, 9.31996, "fast", 2.0, 4.0, 1.0, 8.0]


def test_distribution_has_all_of_its_phase():
    pytest.importorskip("mpi4py")
    from lab.literature.strategies import parts_of

    rounds = [
        Round("distribute", 9, 9, {"distribute": 1.0, "communicate": 2.0}, [], {}),
        Round("round", 9, 9, {"select": 4.0, "communicate": 8.0}, [], {}),
        Round("round", 3, 3, {"propose": 16.0, "relabel": 32.0, "filter": 64.0, "ponder": 128.0}, [], {}),
    ]
    assert {part: seconds for part, seconds in parts_of(rounds).items() if seconds} == {
        "distribution": 3.0,
        "selection": 20.0,
        "communication": 8.0,
        "merging": 32.0,
        "reduction": 64.0,
    }


@pytest.mark.long
def test_wrong_answers_on_ranks_are_reported():
    pytest.importorskip("mpi4py")
    from lab.literature.ranks import on_ranks

    name = "grid:rows=9,cols=9,seed=1"
    wrong = Reference.of(graph_of("grid:rows=9,cols=9,seed=2"))
    scheme = {"name": "confidence"}
    for row in on_ranks(2, {"job": "race", "scheme": scheme, "graph": name}, wrong):
        assert row["error"].startswith("wrong: ")
        assert row["ms"] is None
    with pytest.raises(Exception, match=r"(?s)the job of 2 ranks failed:.*wrong: "):
        on_ranks(2, {"job": "count", "graph": name, "strategies": []}, wrong)


def test_counts(results):
    record = results("ethz_counts")
    rows, ranks = record.tables["counts"], record.parameters["ranks"]
    listed = [(row["graph"], row["ranks"], row["strategy"]) for row in rows]
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    in_one_step = [line for line in listed if not line[-1].endswith("two steps")]
    assert in_one_step == list(itertools.product(graphs, ranks, STRATEGIES))
    for row in rows:
        assert (row["bytes sent"] > 0) == (row["messages"] > 0) == (row["ranks"] > 1)
    for graph in graphs:  # as the docstring of boruvka.literature.anzalone promises
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
    found = results("ethz_growth").tables
    for total in found["counts"]:
        keys = "graph", "ranks", "strategy"
        rounds = [row for row in found["rounds"] if all(row[name] == total[name] for name in keys)]
        for name in ("messages", "bytes sent"):
            assert sum(row[name] for row in rounds) == total[name]


def test_bytes_by_edges_approach_a_limit():
    """As docs/scale.md says."""
    rows = Record.read(RESULTS / "ethz_growth.json").tables["counts"]
    by_edges = [
        row for row in rows if row["strategy"].startswith("edges") and row["graph"] == "kronecker:scale=16"
    ]
    assert [row["ranks"] for row in by_edges] == [2, 4, 8, 16, 32, 64]
    assert max(row["bytes sent, a vertex"] for row in by_edges) < 48


def test_predictions():
    rows = predicted(40, 100, Machine())
    assert [row["strategy"] for row in rows] == list(COSTS)
    for row in rows:
        assert row["s"] == pytest.approx(row["work, s"] + row["latency, s"] + row["bandwidth, s"])
        assert row["fits"] == (row["GB held"] <= 4) == (row["s where it fits"] is not None)
    committed = Record.read(RESULTS / "ethz_scale.json").tables["predicted"]
    mine = [row for row in committed if (row["edges"], row["ranks"]) == ("2^40", 100)]
    assert [row["s"] for row in mine] == pytest.approx([row["s"] for row in rows], rel=1e-3)
    graph = Kronecker(2**16, 2**20)
    two, many = (COSTS["vertices, filter-boruvka"](graph, ranks) for ranks in (2, 64))
    assert many.bytes < two.bytes
    assert many.messages > two.messages
