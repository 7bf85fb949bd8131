import numpy as np
import pytest

from boruvka import generators, minimum_spanning_forest, write
from boruvka.bench.graphs import graph_of
from boruvka.errors import OptionError
from experiments.common import roads


@pytest.mark.parametrize("name", ["NY", "FLA", "USA"])
def test_a_grid_is_like_the_network(name):
    network = roads.NETWORKS[name]
    smaller = network.n // 200_000 + 1
    graph = graph_of(roads.grid_like(network, smaller))
    assert graph.n == pytest.approx(network.n / smaller, rel=0.01)
    assert graph.m == pytest.approx(network.arcs / 2 / smaller, rel=0.01)


def test_a_road_is_one_edge(tmp_path):
    arcs = "a 1 2 5\na 2 1 5\na 2 3 9\na 3 2 8\na 1 2 5\n"
    path = tmp_path / "USA-road-d.COL.gr"
    path.write_text(f"p sp 3 5\n{arcs}")
    graph = roads.read_roads(path)
    edges = sorted(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
    assert edges == [(0, 1, 5), (1, 2, 8), (1, 2, 9)]
    assert (graph.n, graph.w.dtype) == (3, np.int32)
    path.write_text(f"p sp 2 1\na 1 2 {2**40}\n")
    assert roads.read_roads(path).w.tolist() == [2**40]


def test_files_take_the_place_of_grids(tmp_path, monkeypatch):
    monkeypatch.setenv("BORUVKA_DATA", str(tmp_path))
    (tmp_path / "roads").mkdir()
    kept, given, other = (
        tmp_path / name for name in ("roads/USA-road-d.FLA.gr", "USA-road-d.NY.gr", "rome.gr")
    )
    for path in kept, given, other:
        write(generators.random(200, 900, seed=3), path)

    def found(*arguments):
        return {
            road.name: (road.title.partition(" ")[2].partition(":")[0], road.is_grid)
            for road in roads.roads_of(("NY", "FLA"), *arguments)
        }

    expected = {"NY": (given.name, False), "FLA": ("grid", True), "rome": (other.name, False)}
    assert found((given, other), True) == expected
    assert found((given,)) == {"NY": (given.name, False), "FLA": (kept.name, False)}
    again = tmp_path / "USA-road-t.NY.gr"
    with pytest.raises(OptionError, match="are both of NY"):
        found((given, again), True)


def test_networks_that_do_not_fit_are_left_out(monkeypatch):
    monkeypatch.setattr(roads, "memory_size", lambda: 10**9)
    found = roads.roads_of(("NY", "USA"), (), True)
    assert [road.name for road in found] == ["NY"]
    remarks = roads.remarks_on(("NY", "USA"), (), True)
    assert remarks[0].startswith("no files of these are used: NY; grids")
    assert remarks[1] == "USA left out: needs about 10 GiB of memory, there are 1"


@pytest.mark.long
def test_new_york(data):
    graph = roads.read_roads(data / "roads" / "USA-road-d.NY.gr.gz")
    assert graph.n == roads.NETWORKS["NY"].n
    assert 365_050 <= graph.m <= roads.NETWORKS["NY"].arcs // 2
    assert minimum_spanning_forest(graph).weight == 261159288
