"""The tables of single experiments, committed and of quick runs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import distributed, generators, write
from lab.harness.graphs import graph_of
from lab.harness.results import RESULTS, Record
from lab.literature import roads, sousa_2015
from lab.literature.anzalone import predicted
from lab.literature.cost_model import COSTS, Kronecker, Machine

STRATEGIES = [f"{distribute}, {merge}" for distribute, merge in distributed.STRATEGIES]


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


def test_parts_add_up(results):
    for row in results("cmu_breakdown").tables["parts"]:
        assert sum(x for name, x in row.items() if name.endswith(", %")) == pytest.approx(100, abs=0.1)


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


def test_counts(results):
    record = results("ethz_counts")
    rows, ranks = record.tables["counts"], record.parameters["ranks"]
    listed = [(row["graph"], row["ranks"], row["strategy"]) for row in rows]
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    in_one_step = [line for line in listed if not line[-1].endswith("two steps")]
    assert sorted(in_one_step) == sorted(itertools.product(graphs, ranks, STRATEGIES))
    for row in rows:
        assert (row["bytes sent"] > 0) == (row["messages"] > 0) == (row["ranks"] > 1)
    for graph in graphs:  # as the docstring of boruvka.distributed.anzalone promises
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
