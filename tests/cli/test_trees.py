"""Steiner trees and arborescences, and edges that are required or excluded."""

import json

import pytest

import boruvka

ROADS = "source,target,weight\nBrno,Praha,205\nPraha,Plzeň,95\nBrno,Ostrava,170\n"
ROADS += "Ostrava,Praha,380\nPlzeň,Brno,310\n"


@pytest.fixture
def roads(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text(ROADS, encoding="utf-8")
    return path


def test_steiner_trees(roads, tmp_path, run_json, run, refuse):
    tree = tmp_path / "tree.csv"
    report = run_json("steiner", roads, "--terminals", "Brno, Plzeň", "-o", tree)
    assert (report["terminals"], report["components"], report["weight"]) == (2, 1, 300)
    assert tree.read_text(encoding="utf-8").splitlines()[1:] == ["0,Brno,Praha,205", "1,Praha,Plzeň,95"]
    names = tmp_path / "names.txt"
    names.write_text("Brno\nPlzeň\n\n", encoding="utf-8")
    assert run_json("steiner", roads, "--terminals", f"@{names}", "--improve")["weight"] == 300
    assert "tree edges  2" in run("steiner", roads, "--terminals", "Brno,Plzeň").out
    refuse("terminals", "steiner", roads, "--terminals", "Brno,Wien")
    refuse("no.txt: No such file", "steiner", roads, "--terminals", "@no.txt")
    refuse("the file lists no terminals: write --terminals NAME,...", "steiner", roads)


@pytest.mark.filterwarnings("default")
def test_terminals_in_several_components(tmp_path, run):
    arcs = tmp_path / "parts.csv"
    arcs.write_text("a,b,6\nc,d,1\ne,f,2\n")
    shown = run("steiner", arcs, "--no-header", "--terminals", "a,c,d")
    warning = (
        "warning: no path connects the terminals 'a' and 'c': the terminals are in 2 components of the "
        "graph, and the result has a tree in each\n"
    )
    assert (shown.code, shown.err) == (0, warning)
    assert "components  2" in shown.out
    shown = run("steiner", arcs, "--no-header", "--terminals", "a,c,e", "--json")
    assert (json.loads(shown.out)["components"], shown.err.count("\n")) == (3, 1)


def test_vertices_that_are_numbers(tmp_path, run_json, refuse):
    graph = boruvka.generators.grid(3, 3, seed=1, dtype="int64")
    boruvka.write(graph, tmp_path / "grid.gr")
    report = run_json("steiner", tmp_path / "grid.gr", "--terminals", "1,9")
    assert report["weight"] == boruvka.steiner_tree(graph, [0, 8]).weight
    for wrong in "--5", "":
        refuse(f"--root: '{wrong}' is not a vertex", "arborescence", tmp_path / "grid.gr", "--root", wrong)
    for wrong in "x", "0", "10":
        message = f"--terminals: '{wrong}' is not a vertex: they are numbers from 1 to 9 in this file"
        refuse(message, "steiner", tmp_path / "grid.gr", "--terminals", f"1,{wrong}")


def test_arborescences(tmp_path, run_json, refuse):
    arcs = tmp_path / "arcs.csv"
    arcs.write_text("a,b,6\nb,c,1\nc,b,2\na,c,9\nc,d,3\n")
    report = run_json("arborescence", arcs, "--no-header", "-o", tmp_path / "tree.csv")
    assert (report["root"], report["weight"], report["optimal"]) == ("a", 10, True)
    assert [line.split(",")[1:3] for line in (tmp_path / "tree.csv").read_text().splitlines()[1:]] == [
        ["a", "b"],
        ["b", "c"],
        ["c", "d"],
    ]
    assert run_json("arborescence", arcs, "--no-header", "--root", "a", "--maximum")["weight"] == 18
    refuse("the root d does not reach 3 vertices", "arborescence", arcs, "--no-header", "--root", "d")
    refuse("root", "arborescence", arcs, "--no-header", "--root", "x")
    refuse("root", "arborescence", arcs, "--no-header", "--root", "")


def test_required_and_excluded_edges(roads, tmp_path, run_json, refuse):
    required, excluded, plan = (tmp_path / f"{name}.csv" for name in ("required", "excluded", "plan"))
    required.write_text("source,target,weight\nOstrava,Praha,380\n", encoding="utf-8")
    excluded.write_text("source,target,weight\nPraha,Brno,205\n", encoding="utf-8")
    found = run_json("solve", roads, "--required", required, "--excluded", excluded, "-o", plan)
    assert found["weight"] == 380 + 95 + 170
    assert run_json("solve", roads, "--required", plan)["weight"] == 380 + 95 + 170
    assert run_json("solve", roads)["weight"] == 470
    refuse("cannot be used with --verify", "solve", roads, "--required", required, "--verify")
    refuse("is for graphs in memory", "solve", roads, "--excluded", excluded, "--memory", "1G")
    refuse("both required and excluded", "solve", roads, "--required", plan, "--excluded", plan)
    required.write_text("source,target,weight\nPraha,Brno,1\n", encoding="utf-8")
    refuse("is not an edge of the graph", "solve", roads, "--required", required)
