"""Options for reading graphs, and names of vertices."""

import re

import pytest

import boruvka
from tests.formats.libraries.test_vector_maps import LINES, save


def test_columns(tmp_path, run_json, refuse):
    path = tmp_path / "table.csv"
    path.write_text("cost,from,to\n5,0,1\n7,1,2\n")
    for columns in ("from,to,cost", "1, 2, 0", "from,2,0"):
        info = run_json("info", path, "--columns", columns)
        assert (info["vertices"], info["largest_weight"]) == (3, 7)
    refuse("error: --columns: expected names or positions", "info", path, "--columns", "from,,to")
    refuse("length", "info", path, "--columns", "from,to,length")


def test_options_of_a_table(tmp_path, run_json):
    path = tmp_path / "table.csv"
    path.write_text("1,2,5\n2,3,7\n")
    info = run_json("info", path, "--one-based", "--no-header", "--vertices", "9", "--unweighted")
    assert (info["vertices"], info["isolated_vertices"], info["weights"]) == (9, 6, "uint8")
    assert run_json("info", path, "--header", "--columns", "0,1,2")["edges"] == 1
    assert run_json("info", path, "--zero-based")["vertices"] == 4


def test_format(tmp_path, run_json, refuse):
    path = tmp_path / "tiny.xyz"
    path.write_text("0 1 0.5\n1 2 0.25\n")
    assert run_json("info", path, "--format", "edges")["smallest_weight"] == 0.25
    refuse("nonsense", "info", path, "--format", "nonsense")


def test_layer(tmp_path, run_json, refuse):
    path = tmp_path / "map.gpkg"
    save(path, LINES, layer="roads", kind="Unknown")
    save(path, LINES[:1], layer="rail ways", kind="Unknown")
    refuse("more than one layer of lines: roads, rail ways; say which, as", "info", path)
    for arguments in ([path, "--layer", "rail ways"], [f"{path}:rail ways"]):
        assert run_json("info", *arguments)["edges"] == 1
    refuse("there is no layer 'rail'; there are roads, rail ways", "info", path, "--layer", "rail")
    path = tmp_path / "table.csv"
    path.write_text("u,v,w\n0,1,5\n")
    refuse("the format 'csv' does not take --layer", "info", path, "--layer", "roads")


ROADS = "u,v,w\nulm,bonn,5\nbonn,kiel,4\nkiel,ulm,9\nbonn,ulm,7\nrom,bari,3\n"


@pytest.fixture
def roads(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text(ROADS)
    return path


def test_names_of_a_forest(roads, tmp_path, run, run_json):
    forest = tmp_path / "forest.csv"
    assert run_json("solve", roads, "-o", forest)["components"] == 2
    assert forest.read_text() == "edge,source,target,weight\n0,ulm,bonn,5\n1,bonn,kiel,4\n4,rom,bari,3\n"
    assert run_json("verify", roads, forest)["verified"]
    forest.write_text("u,v,w\nbonn,ulm,7\nbonn,kiel,4\nrom,bari,3\n")
    assert run("verify", roads, forest).code == 1
    forest.write_text("u,v,w\nBonn,ulm,7\n")
    assert "'Bonn', which the graph does not have; is it 'bonn'?" in run("verify", roads, forest).err
    forest.write_text("u,v,w\nbonn,oslo,7\n")
    assert "the vertex is 'oslo', which the graph does not have" in run("verify", roads, forest).err


def test_integers_as_names(tmp_path, run_json):
    path, forest = tmp_path / "osm.csv", tmp_path / "forest.csv"
    path.write_text("u,v,w\n9000000000,70,5\n70,12,4\n12,9000000000,9\n")
    assert run_json("solve", path, "--names", "-o", forest)["vertices"] == 3
    assert (
        forest.read_text()
        == "# boruvka names=integers\nedge,source,target,weight\n0,9000000000,70,5\n1,70,12,4\n"
    )
    assert run_json("verify", path, forest, "--names")["verified"]
    assert boruvka.read(forest).names.tolist() == [9000000000, 70, 12]


@pytest.mark.filterwarnings("default")
def test_sparse_ids(tmp_path, run_json, refuse):
    path = tmp_path / "osm.csv"
    path.write_text(f"u,v,w\n0,{2**47},5\n")
    info = run_json("info", path, "--vertices", 2**47 + 1)
    assert (info["vertices"], info["isolated_vertices"], info["components"]) == (2**47 + 1, 2**47 - 1, 2**47)
    refuse("--names numbers only the ids that occur", "solve", path)
    assert run_json("info", path, "--names")["hints"] == []


@pytest.mark.filterwarnings("default")
def test_gaps_are_pointed_out(tmp_path, run):
    path = tmp_path / "osm.csv"
    path.write_text("u,v,w\n0,5000,5\n")
    expected = "warning: only 2 of 5,001 vertices have an edge, .*: --names numbers only the ids that occur"
    for command in "solve", "info":
        assert re.match(expected, run(command, path).err)
        assert run(command, path, "--names").err == ""
        assert run(command, path, "--vertices", 5001).err == ""


def test_names_in_other_formats(roads, tmp_path, run, run_json, refuse):
    path = roads
    for ending in ("tsv", "el", "parquet", "npz", "csv"):
        other = tmp_path / f"other.{ending}"
        assert run("convert", path, other).code == 0
        path = other
    assert sorted(path.read_text().splitlines()) == sorted(
        ROADS.replace("u,v,w", "source,target,weight").splitlines()
    )
    info = run_json("info", path)
    assert (info["vertices"], info["edges"], info["components"]) == (5, 5, 2)
    refuse("holds no names of vertices", "convert", roads, tmp_path / "a.gr")
    refuse("or names, with --names", "info", roads, "--no-names")


def test_names_are_checked_before_the_solve(roads, tmp_path, refuse, monkeypatch):
    monkeypatch.setattr(
        "boruvka.trees.minimum_spanning.minimum_spanning_forest", lambda *a, **k: pytest.fail("solved")
    )
    refuse("the format 'dimacs' holds no names of vertices", "solve", roads, "-o", tmp_path / "forest.gr")
    assert list(tmp_path.iterdir()) == [roads]


def test_three_rows_may_be_a_matrix(tmp_path, run_json, refuse):
    path = tmp_path / "graph.csv"
    path.write_text("0,3,4\n3,0,1\n4,1,0\n")
    for command in "solve", "info":
        refuse("pass --columns 0,1,2 for edges, --format matrix for a matrix", command, path)
        assert run_json(command, path, "--columns", "0,1,2")["vertices"] == 5
        assert run_json(command, path, "--format", "matrix")["vertices"] == 3
    refuse("pass --columns 0,1,2 for edges", "solve", path, "--memory", "8G")
    assert run_json("solve", path, "--format", "matrix")["weight"] == 4
