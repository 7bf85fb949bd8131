import pytest

from boruvka.bench.graphs import graph_of
from experiments.vineet_2009 import GraphFamilies, specification


def test_graph_families(results):
    found = results("iiit_graph_families")
    panels = found["parameters"]["panels"]
    assert len(panels) == 6
    measured = {graph["name"]: graph for graph in found["graphs"]}
    assert {name for names in panels.values() for name in names} == set(measured)
    for graph in measured.values():
        names = [entry["contestant"] for entry in graph["entries"]]
        assert names == ["kruskal", "colour-contraction", "scan-split", "auto"]
        assert graph["entries"][0]["threads"] == 1
    ratios = next(rows for title, rows in found["tables"].items() if title.startswith("times as long"))
    assert [row["scan-split"] for row in ratios] == [1.0] * len(measured)


@pytest.mark.parametrize("family", GraphFamilies.FAMILIES)
@pytest.mark.parametrize("degree", [6, 30])
def test_degrees_are_about_as_wanted(family, degree):
    graph = graph_of(specification(family, 12, degree))
    assert graph.n == 2**12
    assert graph.m / graph.n == pytest.approx(degree, rel=0.1)


def test_road_networks_stand_beside_table_1(results):
    found = results("iiit_road_networks")
    rows = {row["graph"].partition(":")[0].removesuffix("-like"): row for row in found["tables"]["table 1"]}
    assert {"NY", "LKS"} <= set(rows)
    assert [rows["NY"][f"{version}, reported ms"] for version in ("CPU", "GPU1", "theirs")] == [780, 76, 39]
    for _, entry in found.entries:
        assert entry["seconds"] > 0
    assert found["reported"]["table 1, ms"]["W"] == {"CPU": 32050, "GPU1": 1178, "theirs": 412}


def test_five_million(results):
    found = results("iiit_five_million")
    (graph,) = found["graphs"]
    assert graph["m"] == 6 * graph["n"]
    assert {entry["contestant"] for entry in graph["entries"]} == {"scan-split", "auto"}
