"""Steiner trees and arborescences, and edges that are required or excluded."""

import io
import json
import re
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

import boruvka
import boruvka.stream
from boruvka import Graph, OptionError
from boruvka.cli.trees import VertexList, find_vertices, one_vertex
from tests.oracles import kruskal

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
    refuse("the graph has no terminals of its own: pass --terminals, the names", "steiner", roads)


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("kind", ["names", "numbers", "numbers from 1", "names that are numbers"])
def test_updates_of_a_forest_night_by_night(tmp_path, run, kind, maximum):
    """Each forest has the edges that Kruskal's algorithm finds among the rows of all nights."""
    rng, rows, files = np.random.default_rng(5), [], []
    options = ["--columns", "from,to,fee", "--missing", "drop", *["--maximum"] * maximum]
    options += {"names that are numbers": ["--names"], "numbers from 1": ["--one-based"]}.get(kind, [])
    for night in range(4):
        ends = [rng.choice(9, 2, replace=False) + 1 for _ in range(8)]
        weights = rng.integers(1, 9, 8) + 0.5 * (night > 1)  # integers in the first nights
        rows += [
            (*(f"n{x}" if kind == "names" else f"{x}" for x in uv), w)
            for uv, w in zip(ends, weights, strict=True)
        ]
        lines = [f"7,{u},{v},{w:g}\n" for u, v, w in rows[-8:]]
        table, forest = tmp_path / f"new{night}.csv", tmp_path / f"forest{night}.csv"
        table.write_text("tx,from,to,fee\n" + "".join(lines) + lines[0].rpartition(",")[0] + ",\n")
        result = run("update" if files else "solve", *files, table, *options, "-o", forest)
        assert result.code == 0, result.err
        files = [forest]
        u, v = ([int(row[k].strip("n")) for row in rows] for k in (0, 1))
        chosen = kruskal(10, u, v, np.array([w for _, _, w in rows]), maximum)
        lines = forest.read_text().splitlines()
        found = [line.split(",")[-3:] for line in lines if line[0] != "#" and "weight" not in line]
        assert [(u, v, float(w)) for u, v, w in found] == [rows[k] for k in chosen]
        every = tmp_path / "every.csv"
        every.write_text("from,to,fee\n" + "".join(f"{u},{v},{w:g}\n" for u, v, w in rows))
        verified = run("verify", every, forest, *(x for x in options if x not in ("--missing", "drop")))
        assert verified.code == 0, verified.err


@pytest.mark.needs("polars")
@pytest.mark.parametrize("stated", ["maximum", "minimum"])
@pytest.mark.parametrize(
    "command",
    [
        "clusters {f} --at 2 -o c.csv",
        "plot {f} --dendrogram -o {f}.png",
        "solve {f} -o {f}.nwk",
        "solve {f} --memory 4G",
        "branches {f}",
        "clusters {copy} --at 2",
        "update f*.parquet {table} -o new.csv",
        "verify {table} {f}",
        "verify {table} {f} --memory 4G",
    ],
)
def test_a_file_that_states_the_kind_of_its_forest(tmp_path, run, monkeypatch, stated, command):
    """Every command that takes the other kind refuses it in the same words."""
    monkeypatch.chdir(tmp_path)
    other, way = {"maximum": ([], "pass"), "minimum": (["--maximum"], "leave out")}[stated]
    kind = [] if other else ["--maximum"]
    Path("table.csv").write_text("u,v,w\n0,1,3\n1,2,1\n0,2,2\n")
    assert run("solve", "table.csv", *kind, "-o", "f.parquet").code == 0
    assert run("convert", "f.parquet", "copy.parquet").code == 0
    words = command.format(f="f.parquet", copy="copy.parquet", table="table.csv").split()
    result = run(*words, *other)
    assert result.code == 2
    assert f".parquet: is a {stated} spanning forest: {way} --maximum" in result.err
    result = run(*words, *kind)
    assert result.code == 0, result.err
    if "c.csv" in words:  # similarities of at least 2, or distances of at most 2, join all
        assert [line.split(",")[1] for line in Path("c.csv").read_text().split()[1:]] == ["0"] * 3


@pytest.mark.needs("polars")
def test_python_takes_the_kind_of_forest_that_a_file_states(tmp_path):
    graph = boruvka.as_graph([("a", "b", 0.9), ("b", "c", 0.8), ("a", "c", 0.7), ("c", "d", 0.2)])
    boruvka.write(boruvka.minimum_spanning_forest(graph, maximum=True), tmp_path / "f.parquet")
    read = boruvka.read(tmp_path / "f.parquet")
    for find in boruvka.minimum_spanning_forest, boruvka.stream.minimum_spanning_forest:
        with pytest.raises(OptionError, match=r"f\.parquet: is a maximum .*: pass maximum=True"):
            find(read if find is boruvka.minimum_spanning_forest else tmp_path / "f.parquet")
    with pytest.raises(OptionError, match="is a maximum spanning forest"):
        boruvka.Forest(read, [0, 1, 2])
    forest = boruvka.minimum_spanning_forest(read, maximum=True)
    assert forest.cut_at(0.8).tolist() == [0, 0, 0, 1]
    assert boruvka.minimum_spanning_forest(read.with_weights(1 - read.w)).weight == pytest.approx(1.1)
    assert boruvka.verify(graph, read).ok
    with pytest.raises(OptionError, match="is a maximum spanning forest"):
        boruvka.verify(graph, read, maximum=False)
    with pytest.raises(OptionError, match="is a maximum spanning forest"):
        boruvka.formats.read_forest(tmp_path / "f.parquet", graph, maximum=False)
    assert boruvka.formats.read_forest(tmp_path / "f.parquet", graph).tolist() == [0, 1, 3]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_updates_of_forests_with_other_columns_and_of_none(tmp_path, run, refuse, ending):
    """A night without rows changes nothing; a forest that Python wrote has the columns of the table."""
    polars = pytest.importorskip("polars")
    rows = polars.DataFrame(
        {"line": [7, 8, 9], "payer": list("aba"), "payee": list("bcc"), "fee": [3.5, 2, 1]}
    )
    table, empty = tmp_path / f"table.{ending}", tmp_path / f"empty.{ending}"
    old, new = tmp_path / f"old.{ending}", tmp_path / "new.csv"
    columns = ["--columns", "payer,payee,fee", "-o", new]
    for frame, path in (rows, table), (rows[:0], empty):
        frame.write_csv(path) if ending == "csv" else frame.write_parquet(path)
    forest = boruvka.minimum_spanning_forest(rows, source="payer", target="payee", weight="fee")
    found = forest.to_polars(["line"])
    found.write_csv(old) if ending == "csv" else found.write_parquet(old)
    expected = "source,target,weight\nb,c,2.0\na,c,1.0\n"
    for files in (old, empty), (old, table), (empty, table):
        assert run("update", *files, *columns).code == 0
        assert new.read_text() == expected
    assert run("update", empty, empty, *columns).code == 0
    assert new.read_text().splitlines()[-1] == "source,target,weight"
    text = run("update", old, new, "-o", tmp_path / "next.csv").err
    assert "there is no column of weights" in text
    assert "--columns" not in text
    solved = tmp_path / f"solved.{ending}"
    for maximum, other in ([], ["--maximum"]), (["--maximum"], []):
        assert run("solve", table, *columns[:2], "-o", solved, *maximum).code == 0
        result = run("update", solved, table, *columns, *maximum)
        assert result.code == 0
        assert ("taken for a maximum spanning forest" in result.err) == (ending == "csv" and bool(maximum))
        assert run("update", solved, table, *columns, *maximum, "-q") == (0, "", "")
        if ending == "parquet":
            kind = "maximum spanning forest: pass" if maximum else "minimum spanning forest: leave out"
            refuse(f"is a {kind} --maximum", "update", solved, table, *columns, *other)


def test_updates_warn_of_names_that_are_alike_in_both_files(tmp_path, run):
    """As one file with all rows does. New edges beside old ones have no warning."""
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("u,v,w\nACC-1,12.0,0.5\nx,y,1\n")
    new.write_text("u,v,w\nacc-1,12,0.6\nx,y,2\n")
    lines = run("update", old, new, "-o", tmp_path / "next.csv").err.splitlines()
    warnings = [line for line in lines if line.startswith("warning")]
    assert [line.split(" are two vertices")[0] for line in warnings] == [
        "warning: 'ACC-1' and 'acc-1'",
        "warning: '12.0' and '12'",
    ]


@pytest.mark.needs("polars")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_updates_tell_what_may_be_meant_otherwise(tmp_path, run, run_json, refuse, ending):
    """Known pairs are counted; a column called score, and weights inf, have a warning; types are one."""
    polars = pytest.importorskip("polars")
    old, new = tmp_path / f"old.{ending}", tmp_path / "new.csv"
    new.write_text("id_l,id_r,score\na,b,0.9\nb,c,0.75\n")
    assert run("solve", new, "--columns", "id_l,id_r,score", "--maximum", "-o", old).code == 0
    new.write_text("id_l,id_r,score\nb,a,0.2\na,c,0.1\nc,c,9\nc,d,0.5\n")
    how = "update", old, new, "--columns", "id_l,id_r,score"
    report = run_json(*how, "--maximum", "-q")
    assert [report[x] for x in ("new_edges", "known_pairs", "joined", "row_counts")] == [4, 1, 1, {}]
    if ending == "csv":
        found = json.loads(run(*how, "--json").out)
        assert [text[:30] for text in found["warnings"]] == ["weights are the column 'score'"]
    new.write_text("id_l,id_r,score\n")
    result = run(*how, "--maximum")
    assert "weights       float64\n" in result.out
    assert "warning: there are no rows of edges, and so no vertices\n" in result.err
    new.write_text("id_l,id_r,score\nc,d,inf\n")
    assert "edges of the forest (1) have the weight inf" in run(*how, "--maximum").err
    single = tmp_path / "single.parquet"
    frame = polars.DataFrame({"id_l": ["x"], "id_r": ["y"], "score": [0.9]})
    frame.with_columns(polars.col("score").cast(polars.Float32)).write_parquet(single)
    how = *how[3:], "--maximum"
    refuse(f"single.parquet: weights are float32, but in {old} float64", "update", old, single, *how)
    assert run("solve", single, *how, "-o", old).code == 0
    assert run("update", old, single, *how).code == 0  # float64 of a csv has the numbers of float32


@pytest.mark.parametrize("header", ["id,email", "email,id", "id"])
def test_a_table_names_vertices_without_an_edge(tmp_path, run, run_json, refuse, header):
    """As Python has them by names=; all commands of edges in memory take it."""
    rows = {"id": ["007", "a", "b", "c", ""], "email": ["", "x", "y", "z", "w"]}
    lines = zip(*(rows[name] for name in header.split(",")), strict=True)
    (table := tmp_path / "records.csv").write_text("\n".join([header, *map(",".join, lines)]))
    (edges := tmp_path / "edges.csv").write_text("u,v,w\na,b,2\nc,c,1\n")
    more, out = ("--vertices", table), ("-o", tmp_path / "clusters.csv")
    graph = boruvka.as_graph([("a", "b", 2), ("c", "c", 1)], names=["a", "b", "c", "007"])
    expected = boruvka.minimum_spanning_forest(graph)
    assert run_json("solve", edges, *more)["components"] == expected.n_components
    assert run("clusters", edges, *more, "--at", "2", *out).code == 0
    assert out[1].read_text() == "vertex,cluster_2\na,a\nc,c\nb,a\n007,007\n"
    run("solve", edges, "-o", tmp_path / "old.csv")
    assert run_json("update", tmp_path / "old.csv", edges, *more)["vertices"] == 4
    edges.write_text("u,v,w\n0,1,2\n")
    refuse("records.csv: a table of vertices is for names, not numbers: write --names", "solve", edges, *more)
    (tmp_path / "ids.csv").write_text("id\n0\n2\n")
    assert run_json("solve", edges, "--vertices", tmp_path / "ids.csv", "--names")["vertices"] == 3
    edges.write_text("u,v,w\n")
    assert run("solve", edges, *more, "--json").out.startswith('{"vertices": 4, "edges": 0')
    refuse("--vertices must be an integer", "solve", edges, *more, "--memory", "1G")


def test_ids_of_a_forest_without_edges(tmp_path, run):
    (tmp_path / "empty.csv").write_text("edge,source,target,weight\n")
    (tmp_path / "table.csv").write_text("u,v,w\n1,2,4\n2,3,5\n")
    files = [tmp_path / name for name in ("empty.csv", "table.csv")]
    expected = "# boruvka first_id=1\nsource,target,weight\n1,2,4\n2,3,5\n"
    for each in files, files[::-1]:
        assert run("update", *each, "--one-based", "-o", tmp_path / "new.csv").code == 0
        assert (tmp_path / "new.csv").read_text() == expected


def test_what_updates_refuse(roads, tmp_path, run, refuse, graph_file):
    forest, numbers = tmp_path / "forest.csv", tmp_path / "numbers.csv"
    run("solve", roads, "-o", forest)
    numbers.write_text("# boruvka first_id=1\nu,v,w\n1,2,3\n")
    refuse("forest.csv are names, and in", "update", forest, numbers)
    refuse("numbers from 0: pass --one-based", "update", numbers, graph_file)
    refuse(
        "graph.csv: edges close cycles, as in no forest: write boruvka solve",
        "update",
        graph_file,
        graph_file,
    )
    refuse("forest.csv is also OLD_FOREST", "update", forest, roads, "-o", forest)


def test_leaves_and_bounds(roads, run_json, refuse):
    report = run_json("steiner", roads, "--terminals", "Brno,Plzeň", "--bound")
    assert (report["weight"], report["lower_bound"], report["gap"]) == (300, 300, 0)
    assert "lower_bound" not in run_json("steiner", roads, "--terminals", "Brno,Plzeň")
    assert run_json("steiner", roads, "--terminals", "Praha,Ostrava", "--leaves")["weight"] == 375
    refuse("--leaves: the terminals", "steiner", roads, "--terminals", "Ostrava,Praha,Plzeň,Brno", "--leaves")


def test_prizes_of_a_file(tmp_path, run, run_json):
    path = tmp_path / "graph.stp"
    text = "SECTION Graph\nNodes 3\nEdges 2\nE 1 2 5\nE 2 3 7\nEND\nSECTION Terminals\n"
    path.write_text(text + "TP 3 9\nTP 1 6\nEND\nEOF\n")
    _, out, err = run("steiner", path, "--json")
    assert "the tree has no edge, as no prize pays for a path" in err
    report = json.loads(out)
    assert (report["total"], report["lower_bound"], report["gap"], report["left_out"]) == (6, 6, 0, ["1"])
    assert run_json("steiner", path, "--root", "2")["total"] == 12
    assert run_json("steiner", path, "--terminals", "1,2")["weight"] == 5
    path.write_text(text + "RootP 1\nTP 3 9\nEND\nEOF\n")
    assert json.loads(run("steiner", path, "--json").out)["total"] == 9
    assert run_json("steiner", path, "--root", "3")["total"] == 0


def test_prizes(roads, tmp_path, run_json, refuse):
    prizes = tmp_path / "prizes.csv"
    prizes.write_text("city,prize\nPlzeň,150\nOstrava,20\n", encoding="utf-8")
    tree = tmp_path / "tree.csv"
    report = run_json("steiner", roads, "--prizes", prizes, "--root", "Praha", "-o", tree)
    assert (report["weight"], report["missed"], report["total"], report["lower_bound"]) == (95, 20, 115, 115)
    assert (report["terminals"], report["gap"]) == (2, 0)
    assert tree.read_text(encoding="utf-8").splitlines()[1:] == ["1,Praha,Plzeň,95,1"]
    prizes.write_text("id,since,prize\nBrno,1990,1.5\n", encoding="utf-8")
    assert run_json("steiner", roads, "--prizes", prizes)["total"] == 0
    assert run_json("steiner", roads, "--terminals", "Plzeň", "--root", "Praha")["weight"] == 95
    assert run_json("steiner", roads, "--prizes", prizes, "--improve")["total"] == 0
    refuse("--leaves is not for prizes", "steiner", roads, "--prizes", prizes, "--leaves")
    for text, problem in (
        ("id,gain,since\nBrno,1,2\n", "--prizes: there is no column 'prize'; the columns are gain, since"),
        ("id,prize\nBrno,1\nBrno,2\n", "'Brno'"),
        ("id,prize\nWien,1\n", "'Wien' is not a vertex"),
        ("id,prize\nBrno,2\nOstrava,x\n", "must be numbers, got 'x'"),
        ("id,prize\nBrno,-1\n", "must be 0 or more"),
    ):
        prizes.write_text(text, encoding="utf-8")
        refuse(problem, "steiner", roads, "--prizes", prizes)


def test_prizes_of_a_map(tmp_path, run, run_json, refuse):
    geopandas = pytest.importorskip("geopandas")
    shapely = pytest.importorskip("shapely")
    streets = [shapely.LineString([(0, 0), (0.001, 0)]), shapely.LineString([(0.001, 0), (0.9, 0)])]
    geopandas.GeoDataFrame(geometry=streets, crs=4326).to_file(tmp_path / "roads.gpkg")
    places = geopandas.points_from_xy([0, 0.001, 0.9], [0.0001] * 3)
    frame = geopandas.GeoDataFrame({"id": list("abc"), "npv": [500, 500, 9]}, geometry=places, crs=4326)
    frame.to_file(tmp_path / "npv.gpkg")
    frame.rename(columns={"npv": "Prize"}).to_file(tmp_path / "prize.gpkg")
    how = "steiner", tmp_path / "roads.gpkg", "--node", "--attach", tmp_path / "npv.gpkg", "--prizes"
    report = run_json(*how, tmp_path / "prize.gpkg")
    assert (report["terminals"], report["missed"], report["left_out"]) == (2, 9, ["c"])
    frame.assign(since=1990).to_file(tmp_path / "more.gpkg")
    refuse("no column 'prize'; the columns are npv, since", *how, tmp_path / "more.gpkg")
    for column in "NPV", "npv", tmp_path / "npv.gpkg":
        assert run_json(*how, column) | {"seconds": 0} == report | {"seconds": 0}
    refuse("no column 'gain'", *how, "gain")
    refuse("prizes must be numbers, got 'a'", *how, "id")
    frame.assign(npv=["500,5", None, "9,25"]).to_file(tmp_path / "commas.gpkg")
    how = *how[:3], "--attach", tmp_path / "commas.gpkg", "--prizes"
    result = run(*how, "npv", "--json")
    found = json.loads(result.out)
    assert (found["terminals"], found["missed"], result.err.count("npv: numbers have a decimal")) == (
        1,
        9.25,
        1,
    )
    places = tmp_path / "npv.gpkg"
    refuse("npv.gpkg' is not a vertex: none has this name", *how[:2], "--terminals", places)


@pytest.mark.filterwarnings("default")
def test_terminals_in_several_components(tmp_path, run):
    arcs = tmp_path / "parts.csv"
    arcs.write_text("a,b,6\nc,d,1\ne,f,2\n")
    shown = run("steiner", arcs, "--no-header", "--terminals", "a,c,d")
    warning = (
        "warning: no path connects all 3 terminals: they are in 2 components of the graph, and the result "
        "has a tree in each; 2 are in one of them, and 1 in others: ['a']\n"
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
    page = tmp_path / "tree.html"
    run_json("arborescence", arcs, "--no-header", "--plot", page)
    assert page.stat().st_size


def test_networks(tmp_path, run_json, refuse):
    path = tmp_path / "square.csv"
    path.write_text("id,x,y\na,0,0\nb,1,0\nc,1,1\nd,0,1\n")
    report = run_json("network", path, "--points", "-o", tmp_path / "network.csv")
    names = "components", "forest_edges", "forest_weight", "network_edges", "weight", "unique_forest"
    assert [report[name] for name in names] == [1, 3, 3, 4, 4, False]
    path.write_text("id,x,y\na,0,0\nb,1,0\nc,1,1\nd,0,0\n")
    report = run_json("network", path, "--points", "--collapse-at", "0")
    assert [report[name] for name in names] == [1, 2, 2, 2, 2, True]  # of groups
    path.write_text("id,x,y\na,0,0\nb,1,0\nc,3,0\n")
    assert run_json("network", path, "--points")["unique_forest"] is True
    rows = (tmp_path / "network.csv").read_text().splitlines()
    assert [row.split(",")[1:3] for row in rows[1:]] == [["a", "b"], ["a", "d"], ["b", "c"], ["c", "d"]]
    refuse("missing.csv", "network", tmp_path / "missing.csv")


@pytest.fixture
def profiles(tmp_path):
    """Profiles of which some are equal, and the distances of their rows."""
    rng = np.random.default_rng(3)
    table = rng.integers(1, 4, (40, 4))
    path = tmp_path / "profiles.csv"
    rows = [f"S{k},{','.join(map(str, row))}" for k, row in enumerate(table.tolist())]
    path.write_text("Strain,a,b,c,d\n" + "\n".join(rows) + "\n")
    return path, (table[:, None] != table[None]).sum(axis=2)


def partition(labels):
    groups = {}
    for vertex, label in enumerate(labels):
        groups.setdefault(label, []).append(vertex)
    return sorted(groups.values())


def test_clusters_at_degrees(run, refuse, tmp_path):
    (path := tmp_path / "sky.csv").write_text("ra,dec\n10,0\n11,0\n40,0\n-999,1\n")
    found = run("clusters", path, "--points", "--null", "-999", "--at", "1.5deg,0.001,0.5deg", "--json").out
    assert [each["clusters"] for each in json.loads(found)["clusters"]] == [2, 3, 3]
    found = run(
        "clusters", path, "--points", "--null", "-999", "--at", "90arcmin", "-o", tmp_path / "c.csv"
    ).out
    assert re.search(r"unit +radians\nat 90arcmin +clusters 2", found)
    assert "cluster_90arcmin" in (tmp_path / "c.csv").read_text()
    metric = "--points", "--null", "-999", "--metric", "great_circle", "--columns", "dec,ra", "--degrees"
    found = run("clusters", path, *metric, "--at", "111,1 deg,60',112", "--json").out  # a degree is 111.19 km
    assert [each["clusters"] for each in json.loads(found)["clusters"]] == [3, 2, 2, 2]
    plane = "--points", "--null", "-999", "--metric", "euclidean"
    refuse("for points on a sphere an angle, as 0.5deg", "clusters", path, *plane, "--at", "1deg")
    refuse("on a sphere an angle", "solve", path, *plane, "--collapse-at", "1deg", "-o", tmp_path / "a.csv")


@pytest.mark.parametrize("collapse", [[], ["--collapse"]])
@pytest.mark.parametrize(("ending", "separator"), [("csv", ","), ("tsv", "\t")])
def test_clusters_are_those_of_scipy(profiles, run, tmp_path, collapse, ending, separator):
    path, distances = profiles
    output = tmp_path / f"clusters.{ending}"
    result = run("clusters", path, "--profiles", *collapse, "--at", "0,1,1.5", "-o", output, "--json")
    rows = [line.split(separator) for line in output.read_text().splitlines()]
    assert rows[0] == ["Strain", *(["vertex"] if collapse else []), "cluster_0", "cluster_1", "cluster_1_5"]
    assert [row[0] for row in rows[1:]] == [f"S{k}" for k in range(40)]
    tree = hierarchy.linkage(squareform(distances), "single")
    run("clusters", path, "--profiles", *collapse, "--at", "0,1,1.5", "-o", tmp_path / "clusters.parquet")
    table = pytest.importorskip("polars").read_parquet(tmp_path / "clusters.parquet")
    assert [table.columns, *map(list, table.rows())] == rows
    for k, (height, found) in enumerate(zip((0, 1, 1.5), json.loads(result.out)["clusters"], strict=True)):
        expected = partition(hierarchy.fcluster(tree, height, "distance"))
        assert partition(row[k - 3] for row in rows[1:]) == expected
        sizes = sorted(map(len, expected), reverse=True)
        single, largest = sizes.count(1), [size for size in sizes if size > 1][:10]
        assert found == {"at": height, "clusters": len(expected), "single": single, "largest": largest}


@pytest.mark.parametrize("collapse", [[], ["--collapse"]])
def test_clusters_with_metadata(tmp_path, run, refuse, collapse):
    """Rows of metadata are matched by names, whatever their order; pandas joins them as well."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("polars")
    path, wards, output = tmp_path / "strains.tsv", tmp_path / "wards.csv", tmp_path / "clusters.csv"
    path.write_text("isolate\tl1\tl2\n007\t1\t1\nB\t1\t1\nC\t1\t2\n")
    wards.write_text(
        "isolate,ward,date,patient,ST,cluster_0\nC,ICU,2026-01-05,361E4,?,x\n007,W 1,2026-01-06,00371,8,y\n"
        "B,,2026-01-07,,17.0,z\n"
    )
    options = ["clusters", path, "--profiles", "--at", "0", "--metadata", wards, *collapse]
    result = run(*options, "-o", output, "--quiet")
    assert (result.code, result.out) == (0, "")
    found = pd.read_csv(output, dtype=str).set_index("isolate")
    expected = pd.read_csv(wards, dtype=str).set_index("isolate").reindex(["007", "B", "C"])
    columns = ["ward", "date", "patient", "ST"]
    pd.testing.assert_frame_equal(found[columns], expected[columns], check_names=False)
    assert found["cluster_0"].tolist() == ["007", "007", "C"]
    refuse("write -o clusters.csv too", *options)


@pytest.mark.parametrize("collapse", [[], ["--collapse"]])
@pytest.mark.parametrize(("first", "column"), [("isolate", "isolate"), ("#FILE", "FILE"), ("", "strain")])
def test_a_table_of_clusters_is_a_table_of_metadata(tmp_path, run, collapse, first, column):
    """The column of names is found in what was written, beside the column of vertices."""
    pd = pytest.importorskip("pandas")
    pytest.importorskip("polars")
    path, week, again = tmp_path / "strains.tsv", tmp_path / "week.csv", tmp_path / "again.csv"
    path.write_text(f"{first}\tl1\tl2\nA\t1\t1\nB\t1\t1\nC\t1\t1\nD\t1\t2\nE\t1\t5\nF\t9\t5\n")
    options = ["clusters", path, "--profiles", "--at", "0", *collapse, "-q"]
    assert run(*options, "-o", week).code == 0
    found = pd.read_csv(week).rename(columns={"cluster_0": "old"})
    assert found.columns.tolist() == [column, *(["vertex"] if collapse else []), "old"]
    found[::-1].to_csv(week, index=False)
    assert run(*options, "--metadata", week, "-o", again).code == 0
    joined = pd.read_csv(again)
    assert joined[column].tolist() == list("ABCDEF")
    assert joined["old"].tolist() == joined["cluster_0"].tolist() == list("AAADEF")
    found.rename(columns={"old": "cluster_0"}).to_csv(week, index=False)
    assert run(*options, "--previous", week, "-o", again).code == 0
    assert pd.read_csv(again)["cluster_0"].tolist() == list("AAADEF")


@pytest.mark.parametrize("collapse", [[], ["--collapse"]])
def test_info_shows_missing_alleles(tmp_path, run, collapse):
    pytest.importorskip("polars")
    path = tmp_path / "strains.tsv"
    path.write_text("isolate\tl1\tl2\tl3\nA\t1\t-\t3\nB\t1\t2\t3\nC\t1\t-\t?\nD\t1\t2\t3\n")
    found = json.loads(run("info", path, "--profiles", "--missing", "ignore", "--json", *collapse).out)
    facts = {"profiles": 4, "loci": 3, "missing_alleles": 3, "most_missing": {"C": 2, "A": 1}}
    facts["most_missing_loci"] = {"l2": 2, "l3": 1}
    assert facts.items() <= found.items()
    printed = run("info", path, "--profiles", "--missing", "ignore", *collapse).out
    assert "most missing       C 2, A 1\nmost missing loci  l2 2, l3 1\n" in printed
    matrix = tmp_path / "d.tsv"
    options = ["--profiles", "--missing", "ignore", "--max-missing-loci", "0.25", "--to", "matrix", *collapse]
    assert run("convert", path, matrix, *options).code == 0
    lines = (
        ["distances\tA\tC", "A\t0\t0", "C\t0\t0"]
        if collapse
        else ["distances\tA\tB\tC\tD", *(f"{x}\t0\t0\t0\t0" for x in "ABCD")]
    )
    assert matrix.read_text().splitlines() == lines


def test_advice_on_loci_in_rows(tmp_path, run):
    """Not --id Locus, with which loci would be strains."""
    pytest.importorskip("polars")
    path = tmp_path / "rows.tsv"
    path.write_text("Locus\ts1\ts2\ts3\ts4\ts5\n" + "".join(f"{x}\t1\t2\t1\t1\t3\n" for x in ("adk", "abcZ")))
    assert run("solve", path).err.endswith("; it looks like profiles of alleles: pass --profiles\n")


def test_advice_on_profiles_in_windows_1252(tmp_path, run):
    pytest.importorskip("polars")
    path = tmp_path / "ridom.csv"
    rows = "".join(f"KP{k};\xdast\xed;{k};2;?;4;5\n" for k in range(4))
    path.write_text(f"Sample ID;City;l1;l2;l3;l4;l5\n{rows}", "cp1252")
    advice = "; it looks like profiles of alleles: pass --profiles --missing ignore\n"
    assert run("solve", path).err.endswith(advice)


def test_newick_of_linkage(tmp_path, run, refuse):
    path = tmp_path / "edges.csv"
    path.write_text("u,v,w\nKP 1,b,2\nb,c,4\n")
    assert run("solve", path, "--linkage", "-o", tmp_path / "tree.nwk").code == 0
    assert (tmp_path / "tree.nwk").read_text() == "(('KP 1':1,b:1):1,c:2);\n"
    refuse("--linkage is for Newick: write -o tree.nwk", "solve", path, "--linkage", "-o", tmp_path / "t.csv")
    refuse("--linkage is for Newick: write -o tree.nwk", "solve", path, "--linkage")


@pytest.fixture
def clusters_of_two_weeks(tmp_path, run):
    """Return the lines of the clusters of the second of two tables of profiles, given those of the first."""
    pytest.importorskip("polars")

    def clusters(rows, *options):
        for week, previous in ("1", []), ("2", ["--previous", tmp_path / "1.csv"]):
            path, output = tmp_path / f"{week}.tsv", tmp_path / f"{week}.csv"
            path.write_text("\n".join(["isolate l1 l2", *rows[week]]).replace(" ", "\t"))
            assert run("clusters", path, "--profiles", *options, "-o", output, *previous).code == 0
        return output.read_text().split()

    return clusters


def test_clusters_keep_their_names(clusters_of_two_weeks):
    """Names are texts, as 007, and rows of the next week come first, in another order."""
    rows = {"1": ["007 1 1", "008 5 5", "009 5 6"], "2": ["010 5 7", "009 5 6", "008 5 5", "007 1 1"]}
    assert clusters_of_two_weeks(rows, "--at", "0,1") == [
        "isolate,cluster_0,change_0,was_0,cluster_1,change_1,was_1",
        *(
            "010,010,new,,008,joined,",
            "009,009,,009,008,,008",
            "008,008,,008,008,,008",
            "007,007,,007,007,,007",
        ),
    ]


def test_collapsed_clusters_keep_their_names(clusters_of_two_weeks):
    """The column of names is called as in the file; it names the rows, and not the column of vertices."""
    rows = {"1": ["b 1 1", "c 1 1", "d 5 5"], "2": ["a 1 1", "c 1 1", "d 5 5", "b 1 1"]}
    found = clusters_of_two_weeks(rows, "--collapse", "--at", "0")
    rows = ["a,a,b,joined,", "c,a,b,,b", "d,d,d,,d", "b,a,b,,b"]
    assert found == ["isolate,vertex,cluster_0,change_0,was_0", *rows]


def test_changes_and_addresses_of_clusters(tmp_path, run, refuse, clusters_of_two_weeks):
    rows = {"1": ["a 1 1", "b 1 2", "c 3 2", "d 9 9"], "2": ["a 1 1", "e 1 2", "f 3 2", "c 3 2", "g 7 8"]}
    rows["2"] += ["h 7 7", "d 9 9"]
    found = clusters_of_two_weeks(rows, "--at", "0,1", "--addresses")
    changes = ["a,a,,a,a,,a,1.1", "e,e,new,,a,joined,,1.5", "f,c,joined,,a,joined,,1.3", "c,c,,c,a,,a,1.3"]
    changes += ["g,g,new,,g,new,,3.6", "h,h,new,,g,new,,3.7", "d,d,,d,d,,d,2.4"]
    assert found == ["isolate,cluster_0,change_0,was_0,cluster_1,change_1,was_1,address", *changes]
    options = ["clusters", tmp_path / "2.tsv", "--profiles", "--previous", tmp_path / "1.csv", "--at", "1"]
    (facts,) = json.loads(run(*options, "--json").out)["clusters"]
    assert facts["joined"], facts["new"] == ({"rows": 2, "clusters": 1}, {"rows": 2, "clusters": 1})
    assert "largest 4, 2, joined 2 in 1 cluster, new 2 in 1 cluster\n" in run(*options).out
    refuse("--addresses adds columns to a table: write -o clusters.csv too", *options, "--addresses")


def test_json_has_all_merges_and_splits(tmp_path, run):
    """The warning names some of them."""
    pytest.importorskip("polars")
    week, path = tmp_path / "old.csv", tmp_path / "new.tsv"
    week.write_text("isolate,cluster_0\na,p\nb,p\nc,q\nd,q\ne,r\nf,s\n")
    path.write_text("isolate\tl1\tl2\na\t1\t1\nb\t1\t1\nc\t1\t1\nd\t2\t1\ne\t2\t1\nf\t3\t1\n")
    found = run("clusters", path, "--profiles", "--at", "0", "--previous", week, "--json")
    (facts,) = json.loads(found.out)["clusters"]
    assert facts["split"] == {"rows": 1, "clusters": 1, "names": {"q": ["p"]}}
    assert facts["merged"] == {"rows": 1, "clusters": 1, "names": {"r": ["q"]}}


def test_names_of_bigsdb(tmp_path, run):
    """Strains are columns, called 54|KP1, and metadata call them KP1."""
    pytest.importorskip("polars")
    path, table, wards = tmp_path / "b.tsv", tmp_path / "t.csv", tmp_path / "wards.csv"
    path.write_text("Locus\tProduct\t1|A\t2|B\t3|C\nx\tp\t1\t1\t2\ny\tq\t1\t1\t3\n")
    wards.write_text("ID,Ward\nC,ICU\nA,B2\nB,\n")
    found = run("clusters", path, "--profiles", "--at", "1", "--metadata", wards, "-o", table, "--drop", "B")
    assert "as 'C' with '3|C'" in found.err
    assert table.read_text() == "strain,cluster_1,Ward\n1|A,1|A,B2\n3|C,3|C,ICU\n"


@pytest.mark.parametrize("k", [1, 3, 7])
def test_number_of_clusters(tmp_path, run, refuse, k):
    """Against SciPy; distances do not tie."""
    pandas = pytest.importorskip("pandas")
    names, path = [f"S{i}" for i in range(12)], tmp_path / "distances.csv"
    distances = np.random.default_rng(k).random(66)
    pandas.DataFrame(squareform(distances), names, names).to_csv(path)
    expected = hierarchy.fcluster(hierarchy.linkage(distances, "single"), k, "maxclust").tolist()
    assert run("clusters", path, "-k", k, "-o", tmp_path / "c.csv").code == 0
    table = pandas.read_csv(tmp_path / "c.csv")
    assert table.columns.tolist() == ["vertex", f"cluster_of_{k}"]
    first = {label: names[i] for i, label in reversed([*enumerate(expected)])}
    assert table[f"cluster_of_{k}"].tolist() == [first[label] for label in expected]
    sizes = sorted(map(expected.count, {*expected}), reverse=True)
    (found,) = json.loads(run("clusters", path, "-k", k, "--json").out)["clusters"]
    largest = [size for size in sizes if size > 1] or [1]
    assert found == {"k": k, "clusters": k, "single": sizes.count(1), "largest": largest}
    refuse("--count must be an integer from 1 to 12, got 13", "clusters", path, "-k", "13")
    refuse("write --at WEIGHT,... or -k NUMBER, or both", "clusters", path)


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("kind", ["names", "numbers from 1"])
def test_sensitivity_and_paths_are_those_of_networkx(tmp_path, run, refuse, kind, maximum):
    """The slack is how much the best weight changes if an edge must not be there, or must be."""
    pandas, rng = pytest.importorskip("pandas"), np.random.default_rng(3)
    pairs = [rng.choice(7, 2, replace=False) + 1 for _ in range(14)]
    edges = [(int(u), int(v), int(w)) for (u, v), w in zip(pairs, rng.permutation(14), strict=True)]
    path = tmp_path / ("g.csv" if kind == "names" else "g.gr")
    lines = [f"a {u} {v} {w}" for u, v, w in edges]
    if kind == "names":
        lines = ["source,target,weight", *(f"n{u},n{v},{w}" for u, v, w in edges)]
    path.write_text("\n".join(lines if kind == "names" else ["p sp 8 14", *lines]))
    sign, options = (-1, ["--maximum"]) if maximum else (1, [])

    def weight(kept, chosen=()):
        graph = nx.MultiGraph()
        graph.add_nodes_from(range(1, 9))
        graph.add_edges_from((u, v, {"weight": sign * w - 99 * (k in chosen)}) for k, (u, v, w) in kept)
        least = nx.minimum_spanning_tree(graph).size("weight") + 99 * len(chosen)
        return least, nx.number_connected_components(graph)

    every = list(enumerate(edges))
    best, (least, components) = nx.MultiGraph(), weight(every)
    shown = run("sensitivity", path, *options)
    table = pandas.read_csv(io.StringIO(shown.out))
    for k, (u, v, w) in every:
        without, parts = weight([pair for pair in every if pair[0] != k])
        row = table.iloc[k]
        assert row["in_tree"] == (without != least or parts != components)
        if row["in_tree"]:
            best.add_edge(u, v, weight=w)
        slack = without - least if row["in_tree"] else weight(every, [k])[0] - least
        assert row["slack"] == (slack if parts == components else np.inf)
    name = "n{}".format if kind == "names" else str
    ends = {name(u): u for pair in pairs for u in pair.tolist()}
    assert {*table["source"].astype(str), *table["target"].astype(str)} == {*ends}
    for a, b in [("1", "2"), ("3", "7"), ("5", "4")]:
        a, b = name(a), name(b)
        result = run("path", path, a, b, *options)
        rows = [line.split(",") for line in result.out.splitlines()[1:]]
        vertices = nx.shortest_path(best, ends[a], ends[b])
        assert [a, *(row[2] for row in rows)] == [*map(name, vertices)] == [*(row[1] for row in rows), b]
        weights = [best[u][v][0]["weight"] for u, v in pairwise(vertices)]
        assert [int(row[3]) for row in rows] == weights
        last = f"lightest edge  {min(weights)}" if maximum else f"heaviest edge  {max(weights)}"
        assert re.findall(r"(?:weight  +\d+|\w+ edge  \d+)", result.err)[1:] == [last]
        assert [edges[int(row[0])][2] for row in rows] == weights
    if kind != "names":
        refuse("no path connects 1 and 8: they are in different components", "path", path, "1", "8")
    refuse("end: 'x' is not a vertex", "path", path, a, "x")
    same = run("path", path, a, a, "-o", tmp_path / "p.tsv")
    assert ((tmp_path / "p.tsv").read_text(), same.out) == (
        "edge\tsource\ttarget\tweight\n",
        "path edges     0\nweight         0\n",
    )


def test_branches_and_the_best_trees(tmp_path, run, refuse):
    """A forest that is pruned by hand, and all spanning trees of NetworkX in the order of their weights."""
    (path := tmp_path / "g.csv").write_text("from,to,km\na,b,1\nb,c,2\nc,d,3\nb,e,1.5\nd,f,9\na,c,2.5\n")
    given, options = path.read_text().splitlines()[1:], ("--columns", "from,to,km")
    edges = [(u, v, float(w)) for u, v, w in (line.split(",") for line in given)]
    pruned, report = (*options, "--longest", "8", "--fewest", "2"), {"branches": 1, "longest_branch": 5}
    found = run("branches", path, *pruned, "--json")
    assert found.out == "source,target,edges,length,distance\nd,b,2,5.0,\n"
    assert json.loads(found.err) == {
        **report,
        "edges": 2,
        "vertices": 6,
        "weight": 5,
        "warnings": [],
    }
    picture = "plot", path, *pruned, "-o", tmp_path / "a.svg"
    assert run(*picture).out.endswith(": 2 edges of 6 vertices\n")
    refuse("collapsed or pruned", *picture, "--network")
    refuse("--longest 8 is for maps", *picture, "--algorithm", "prim")
    graph = nx.Graph()
    graph.add_weighted_edges_from(edges)
    weights = sorted(tree.size("weight") for tree in nx.SpanningTreeIterator(graph))
    run("ranked", path, *options, "-k", "5", "-o", tmp_path / "trees.csv")
    table = pytest.importorskip("pandas").read_csv(tmp_path / "trees.csv")
    assert table.columns.tolist() == ["rank", "total", "edge", "source", "target", "weight"]
    assert table.groupby("rank")["weight"].sum().tolist() == weights[:5]
    assert table.groupby("rank")["total"].first().tolist() == weights[:5]
    assert len({tuple(of.tolist()) for _, of in table.groupby("rank")["edge"]}) == min(5, len(weights))
    assert run("ranked", path, *options).out.count("\n") == 11
    refuse("--fewest must be an integer 1 or more, got 0", "branches", path, *options, "--fewest", "0")


def test_points_that_are_scaled(tmp_path, run, refuse):
    """Clusters of several minimum sizes, of columns that scikit-learn scales."""
    preprocessing, pandas = pytest.importorskip("sklearn.preprocessing"), pytest.importorskip("pandas")
    points = np.random.default_rng(5).normal(size=(60, 3)) * [99999, 1, 0] + [0, 0, 7]
    points[::2, 1] += 9
    pandas.DataFrame(points, columns=["income", "visits", "same"]).to_csv(
        path := tmp_path / "p.csv", index=False
    )
    command = "clusters", path, "--points", "--scale", "--min-cluster-size", "5,12", "-o", tmp_path / "o.csv"
    found = json.loads(run(*command, "--json").out)
    assert found["unit"] == "standard deviations"
    graph = Graph.from_points(preprocessing.scale(points), min_samples=5)
    expected = boruvka.minimum_spanning_forest(graph).hdbscan([5, 12])
    table = pandas.read_csv(tmp_path / "o.csv")
    for i, size in enumerate((5, 12)):
        assert table[f"cluster_{size}"].tolist() == expected.labels[i].tolist()
        assert table[f"probability_{size}"].to_numpy() == pytest.approx(expected.probabilities[i])
        row = found["clusters"][i]
        assert (row["min_cluster_size"], row["clusters"]) == (size, expected.n_clusters[i])
        assert [row["persistence"], row["validity"]] == pytest.approx(
            [expected.persistence[i], expected.validity[i]], abs=6e-4
        )
    assert "are their units equal? Else pass --scale" in run("solve", path, "--points").err
    scaled = run("solve", path, "--points", "--scale", "--json")
    assert (json.loads(scaled.out)["unit"], scaled.err) == ("standard deviations", "")
    refuse("--scale is for a flat space", "solve", path, "--points", "--scale", "--box", "inf,inf,9e9")
    refuse("--scale is for points: write --points", "solve", path, "--scale")


@pytest.mark.parametrize("samples", [[], ["--min-samples", "4"]])
def test_clusters_of_hdbscan(tmp_path, run, refuse, samples):
    """Three squares that are far apart are the clusters, and single points between them are noise."""
    pandas, rng, output = pytest.importorskip("pandas"), np.random.default_rng(1), tmp_path / "clusters.csv"
    expected = np.repeat([0, 1, 2, -1], [30, 20, 40, 6])
    centres = np.array([[0, 0], [90, 0], [0, 90], *[[500 * k, 700] for k in range(6)]])
    points = np.repeat(centres, [30, 20, 40, *[1] * 6], axis=0) + rng.random((96, 2))
    names, path = [f"P{i}" for i in range(96)], tmp_path / "points.csv"
    pandas.DataFrame(points, pandas.Index(names, name="id"), ["x", "y"]).to_csv(path)
    command = "clusters", path, "--points", *samples, "--min-cluster-size", "12"
    found = json.loads(run(*command, "-o", output, "--json").out)["clusters"][0]
    table = pandas.read_csv(output)
    assert table.columns.tolist() == ["id", "cluster", "probability"]
    assert (table["id"].tolist(), table["cluster"].tolist()) == (names, expected.tolist())
    graph = Graph.from_points(points, min_samples=int(["", "12", *samples][-1]))
    alone = boruvka.minimum_spanning_forest(graph).hdbscan([12])
    np.testing.assert_allclose(table["probability"], alone.probabilities[0])
    assert ((table["probability"] > 0) == (expected >= 0)).all()
    assert {name: found[name] for name in ("min_cluster_size", "clusters", "largest", "noise")} == {
        "min_cluster_size": 12,
        "clusters": 3,
        "largest": [40, 30, 20],
        "noise": 6,
    }
    refuse("--count 2 is not for --min-cluster-size", *command, "-k", "2")
    refuse("--min-cluster-size 12 is for points: write --points", "clusters", path, *command[-2:])
    refuse("--min-cluster-size must be an integer 2 or more, got 1", *command[:-1], "1")
    if not samples:
        refuse("--min-cluster-size is 97, more than the 96 points", *command[:-1], "97")


def test_clusters_of_a_sky(tmp_path, run, refuse):
    """Errors and warnings name options; HDBSCAN warns of columns of numbers that it leaves out."""
    path, output = tmp_path / "sky.csv", tmp_path / "o.csv"
    rows = [f"{k},{20 * k},{k},{3 * k},a" for k in range(9)]
    path.write_text("\n".join(["source_id,ra,dec,pmra,kind", *rows]))
    hdbscan = "clusters", path, "--points", "--min-cluster-size", "3", "-q", "-o", output
    says = "in dec, ra alone: pass --columns ra,dec,pmra for all, or --columns dec,ra\n"
    assert says in run(*hdbscan).err
    assert run(*hdbscan, "--columns", "ra,dec").err.startswith("warning: no cluster of 3: one alone needs")
    for row, message in (
        ("9,5,-99,1,a", "pass --null -99 if"),
        ("9,5,,1,a", "or pass --missing drop to leave"),
    ):
        path.write_text("\n".join(["source_id,ra,dec,pmra,kind", *rows, row]))
        for cut in ("--at", "1deg"), ("--min-cluster-size", "3"):
            refuse(message, "clusters", path, "--points", *cut, "-o", output)
    rows = [f"{k},{20 * k if k < 7 else -99},{k},1,a" for k in range(9)]
    path.write_text("\n".join(["source_id,ra,dec,pmra,kind", *rows]))
    result = run("clusters", path, "--points", "--at", "1deg", "-o", output)
    assert "the column 'ra' is -99 in 2 of 9 points, far below all others" in result.err


def test_clusters_of_a_file_with_ids_from_1(tmp_path, run):
    path = tmp_path / "graph.gr"
    path.write_text("p sp 4 3\na 1 2 3\na 2 3 0\na 3 4 7\n")
    result = run("clusters", path, "--at", "0,3", "-o", "-")
    assert result.out == "vertex,cluster_0,cluster_3\n1,1,1\n2,2,1\n3,2,1\n4,4,4\n"
    assert "at 3        clusters 2, single 1, largest 3" in result.err
    found = run("clusters", path, "--at", "3", "--maximum").out
    assert "clusters 2, single 0, largest 2, 2" in found
    collapsed = run("solve", path, "--collapse-at", "0", "-q", "-o", "-", "--to", "csv").out
    assert collapsed.splitlines()[1:] == [
        "edge,source,target,weight,source_member,target_member",
        "0,1,2,3,1,2",
        "1,2,4,7,3,4",
    ]


def test_what_clusters_refuse(profiles, tmp_path, refuse):
    path, _ = profiles
    refuse("expected a number, got 'x'", "clusters", path, "--profiles", "--at", "1,x")
    refuse("expected a number, got 'nan'", "clusters", path, "--profiles", "--at", "nan")
    refuse(
        "the height 1 is there twice", "clusters", path, "--profiles", "--at", "1,1", "-o", tmp_path / "c.csv"
    )
    refuse("(1 2): write commas between the values of an option,", "clusters", path, "--at", "0", "1", "2")
    refuse("--missing must be one of error, drop", "clusters", path, "--missing", "ignore", "--at", "1")
    refuse(
        "ends in .csv, .tsv or .parquet",
        "clusters",
        path,
        "--profiles",
        "--at",
        "1",
        "-o",
        tmp_path / "c.nwk",
    )
    refuse("boruvka clusters FILE --at", "solve", path, "--profiles", "--cut-at", "1")
    refuse("write boruvka clusters", "cut", path)
    refuse("clusters FILE --points --min-cluster-size", "solve", path, "--hdbscan")
    refuse("write boruvka plot FILE --algorithm kruskal", "steps", path)


def test_collapsed_forests_and_networks(profiles, tmp_path, run_json):
    path, distances = profiles
    groups = len(
        partition(hierarchy.fcluster(hierarchy.linkage(squareform(distances), "single"), 1, "distance"))
    )
    how = ["--profiles", "--id", "Strain"]
    for command in "solve", "network":
        output = tmp_path / f"{command}.csv"
        report = run_json(command, path, *how, "--collapse-at", "1", "-o", output)
        assert report["groups"] == groups
        assert all(row.split(",")[3] != "1" for row in output.read_text().splitlines()[1:])
    assert run_json("solve", path, *how, "--collapse-at", "0", "--verify")["verified"]


def test_newick_is_that_of_python(roads, tmp_path, run, refuse):
    expected = boruvka.minimum_spanning_forest(boruvka.read(roads)).to_newick()
    assert run("solve", roads, "-q", "-o", "-", "--to", "newick").out == expected
    output = tmp_path / "tree.nwk"
    assert run("solve", roads, "-o", output).code == 0
    assert output.read_text() == expected
    ends = ["Brno", "Praha"]
    assert run("steiner", roads, "--terminals", ",".join(ends), "-o", output).code == 0
    assert all(name in output.read_text() for name in ends)
    refuse("Newick holds trees", "network", roads, "-o", output)
    refuse("Newick holds trees", "convert", roads, output)
    refuse("boruvka plot --network", "network", roads, "-o", tmp_path / "a.svg")


def test_heights_that_are_given_one_by_one(tmp_path, run):
    path = tmp_path / "p.csv"
    path.write_text("id,a,b\nx,1,2\ny,1,3\n")
    command = ["clusters", path, "--profiles", "--at", "0.5,1.0", "--at", "2", "-q", "-o", "-"]
    assert run(*command).out.splitlines() == ["id,cluster_0_5,cluster_1,cluster_2", "x,x,x,x", "y,y,x,x"]


def test_texts_that_mean_no_allele(tmp_path, run, refuse):
    path = tmp_path / "p.csv"
    path.write_text("id,a,b\nx,1,2\ny,1,err\nz,1,Oops\nt,1,3\nu,1,3\n")
    command = ["solve", path, "--profiles", "--id", "id", "--missing", "ignore", "--json"]
    found = run(*command)
    assert json.loads(found.out)["weight"] == 3
    assert "'err' (1), 'Oops' (1): if they mean that there is none, write --no-allele err,Oops" in found.err
    found = run(*command, "--no-allele", "ERR,oops")
    assert (json.loads(found.out)["weight"], "--no-allele" in found.err) == (0, False)
    refuse("--no-allele err is for profiles: write --profiles too", "solve", path, "--no-allele", "err")
    path.write_text('id,a,b\nx,1,"2,3"\ny,1,4\nz,1,4\n')
    assert "write --no-allele '*,*'" in run(*command).err
    found = run(*command, "--no-allele", "err,*,*")  # two patterns
    assert (json.loads(found.out)["weight"], "--no-allele" in found.err) == (0, False)


def test_strains_are_left_out(tmp_path, run, run_json, refuse):
    path = tmp_path / "p.csv"
    path.write_text("id,a,b\nx,1,2\ny,1,-\nz,1,4\nt,7,3\n")
    found = run("solve", path, "--profiles", "--max-missing", "0.1", "--drop", "t", "--json")
    assert (json.loads(found.out)["vertices"], json.loads(found.out)["weight"]) == (2, 1)
    assert "1 of 4 profiles lack an allele at more than 10% of the loci: 'y' (50%); they are" in found.err
    assert run_json("solve", path, "--profiles", "--drop", "y,x")["vertices"] == 2
    refuse(
        "--drop[0] = 'q' is the name of no vertex; vertices of", "solve", path, "--profiles", "--drop", "q"
    )
    refuse("--drop x is for profiles: write --profiles too", "solve", path, "--drop", "x")


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
    refuse("in the graph", "solve", roads, "--required", required)


def test_constraints_with_the_columns_of_the_graph(tmp_path, run_json, refuse):
    roads, required = tmp_path / "roads.csv", tmp_path / "required.csv"
    roads.write_text("city_a,city_b,km\nA,B,1\nB,C,2\nA,C,9\n")
    required.write_text("city_a,city_b,km\nC,A,9\n")
    columns = "solve", roads, "--columns", "city_a,city_b,km"
    assert run_json(*columns, "--required", required)["weight"] == 10
    assert run_json(*columns, "--excluded", required)["weight"] == 3
    refuse("A,C: the ending shows no format", *columns, "--required", "A,C")
    for text in "city_a;city_b\nC;A\n", "u,v\nA,C\n", "C,A\n":
        required.write_text(text)
        assert run_json(*columns, "--required", required)["weight"] == 10
    for text in "city_a,city_b,km\nA,B,1\nB,C,2\n", "edge,source,target,weight\n1,B,C,2\n0,A,B,1\n":
        required.write_text(text)
        assert run_json("verify", roads, required, *columns[2:])["verified"] is True
        assert run_json("verify", roads, required, "--columns", "0,1,2")["verified"] is True
    required.write_text("city_a,city_b,km\nC,A,x\n")
    refuse("expected a number as weight", *columns, "--required", required)


# Vertices in options and in files that list them

MAP = [[(0.0, 0.0), (1.0, 0.5)], [(1.0, 0.5), (2.0, 0.0)], [(1.0, 0.5), (1.0, -1e-07)]]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def words_of(text):
    return VertexList.of(text).words()


odd_names = st.text(st.sampled_from('ab ,"@()\n\t\ré#1'), max_size=6)


@given(names=st.lists(odd_names, min_size=1, max_size=5), data=st.data())
def test_every_name_can_be_written_in_quotes(names, data, tmp_path):
    spaces = st.sampled_from(["", " ", "\t"])
    written = [data.draw(spaces) + quoted(name) + data.draw(spaces) for name in names]
    assert words_of(",".join(written)) == names
    path = tmp_path / "names.txt"
    path.write_text(
        "\n".join(written) + data.draw(st.sampled_from(["", "\n", "\n\n"])), encoding="utf-8", newline=""
    )
    assert words_of(f"@{path}") == names
    graph = Graph(len({*names}), [], [], []).with_names(list(dict.fromkeys(names)))
    assert find_vertices(graph, "terminals", names) == names


def test_names_without_quotes(tmp_path):
    assert words_of("Brno, Praha ,São Paulo") == ["Brno", "Praha", "São Paulo"]
    assert words_of("(0.0, 0.5),(1, 2),a(b") == ["(0.0, 0.5)", "(1, 2)", "a(b"]
    assert words_of('5" pipe,"6"" pipe"') == ['5" pipe', '6" pipe']
    (tmp_path / "names").write_text("\ufeffBrno, Moravia\r\n\r\n  Praha\n(0.0, 0.5)\n", encoding="utf-8")
    assert words_of(f"@{tmp_path / 'names'}") == ["Brno, Moravia", "Praha", "(0.0, 0.5)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "--terminals: there is no vertex in ''"),
        (" ", "--terminals: there is no vertex in ' '"),
        ("1,,2", "--terminals: a name is empty in '1,,2'"),
        ("1,", "--terminals: a name is empty in '1,'"),
        ("@empty", "empty: the list is empty"),
        ("@none", "none: No such file"),
        ("@binary", "binary: the text is neither UTF-8 nor Windows-1252"),
        ("@", ": Is a directory"),
    ],
)
def test_lists_without_vertices(text, message, refuse, graph_file, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text("\n \n")
    (tmp_path / "binary").write_bytes(b"\xff\x81\n")
    refuse(message, "steiner", graph_file, "--terminals", text)


def test_a_list_in_another_encoding_warns(tmp_path, run):
    (tmp_path / "g.csv").write_text("u,v,w\nSevilla,Málaga,2\nMálaga,Cádiz,3\nSevilla,Cádiz,9\n")
    (tmp_path / "list.txt").write_bytes("Málaga\nCádiz\n".encode("cp1252"))
    command = ["steiner", tmp_path / "g.csv", "--terminals", f"@{tmp_path}/list.txt"]
    found = run(*command, "--json")
    assert "list.txt: the text is not UTF-8: it is read as Windows-1252" in found.err
    assert json.loads(found.out)["weight"] == 3


def test_names_that_are_no_strings():
    names = [7, "8", 1.5, (0.0, 2.0), "(0, 3)", "-1", ("a", "b"), 10**20]
    graph = Graph(len(names), [], [], []).with_names(names)
    assert find_vertices(graph, "terminals", list(map(str, names))) == names
    assert find_vertices(graph, "terminals", ["07", "(0, 2)", "0,2"]) == [7, (0.0, 2.0), (0.0, 2.0)]
    assert one_vertex(graph, "root", '"8"') == "8"
    known = "none has this name; the first ones are 7, 8, 1.5"
    for wrong in "", "9", "True", "nan", "7,5":
        with pytest.raises(OptionError, match=f"is not a vertex: {known}"):
            one_vertex(graph, "root", wrong)
    with pytest.raises(OptionError, match=r"is it '\(0, 3\)'\?"):
        one_vertex(graph, "root", "(0 ,3)")


@pytest.mark.parametrize("dtype", [np.int64, object])
def test_integers_as_names(dtype):
    graph = Graph(3, [], [], []).with_names(np.array([10, -20, 2**62], dtype)).with_first_id(1)
    assert find_vertices(graph, "terminals", ["10", "-20", str(2**62)]) == [10, -20, 2**62]
    with pytest.raises(OptionError, match="'1' is not a vertex"):
        one_vertex(graph, "root", "1")


def test_numbers_that_python_does_not_convert(tmp_path, refuse):
    digits = "9" * 5000
    for name, content in ("g.csv", "u,v,w\n0,1,5\n"), ("n.csv", "u,v,w\na,b,5\n"):
        (tmp_path / name).write_text(content)
        refuse("is not a vertex", "steiner", tmp_path / name, "--terminals", digits)
        refuse("is not a vertex", "arborescence", tmp_path / name, "--root", f"-{digits}")
        refuse("there is no column '99", "info", tmp_path / name, "--columns", f"{digits},1,2")
        refuse("there is no column '99", "info", tmp_path / name, "--points", "--id", digits)


@pytest.fixture
def map_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [
        {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": line}}
        for line in MAP
    ]
    (tmp_path / "map.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": lines}))
    return tmp_path / "map.geojson"


def test_clusters_of_a_map(map_file, run):
    header, *rows = run("clusters", map_file, "--at", "1e9", "-q", "-o", "-").out.splitlines()
    assert (header, len(rows)) == ("vertex,cluster_1000000000", 4)
    assert {row.split('",')[1] for row in rows} == {'"(0.0, 0.0)"'}


def test_vertices_of_a_map(map_file, run_json, refuse):
    found = run_json("steiner", map_file, "--terminals", "(0.0, 0.0),(2.0, 0.0)", "-o", "tree.csv")
    assert (found["terminals"], found["components"], found["tree_edges"]) == (2, 1, 2)
    tree = boruvka.read("tree.csv")
    (map_file.parent / "list.txt").write_text("\n".join([*tree.names, "1.0,-1e-07"]))  # as tables show them
    assert run_json("steiner", map_file, "--terminals", "@list.txt")["tree_edges"] == 3
    for name in (*tree.names, "(1, -1e-7)"):
        root = run_json("arborescence", map_file, "--root", run_json("arborescence", map_file)["root"])[
            "root"
        ]
        assert root == "(0.0, 0.0)"
        refuse("does not reach", "arborescence", map_file, "--root", name) if name != root else None
    refuse(
        "'(3.0, 0.0)' is not a vertex: none has this name; is it",
        "arborescence",
        map_file,
        "--root",
        "(3.0, 0.0)",
    )
    refuse("'0' is not a vertex", "steiner", map_file, "--terminals", "0,1")


def test_what_to_type_instead(roads, tmp_path, refuse, run):
    for command in ["steiner", roads, "--terminals", "Brno"], ["arborescence", roads]:
        refuse("draw it: --plot", *command, "-o", tmp_path / "x.png")
    refuse("draw it: boruvka plot", "solve", roads, "-o", tmp_path / "x.png")
    refuse("option --weight: write --columns u,v,weight, or --columns", "steiner", roads, "--weight", "cost")
    assert "--attach PLACES" in " ".join(run("steiner", "-h").out.split())


def test_steiner_hints_at_lines_that_are_not_joined(tmp_path, run):
    geopandas, shapely = pytest.importorskip("geopandas"), pytest.importorskip("shapely")
    lines = [shapely.LineString(ends) for ends in ([(0, 0), (2, 0)], [(1, 0), (1, 1)], [(1, 1), (2, 0)])]
    geopandas.GeoDataFrame(geometry=lines, crs=4326).to_file(tmp_path / "a.gpkg")
    how = "steiner", tmp_path / "a.gpkg", "--terminals", "(0.0, 0.0),(1.0, 1.0)"
    assert "hint: 1 pair of lines meets where no end is common" in run(*how).err
    assert "hint" not in run(*how, "--node").err


def test_excluded_edges_of_steiner_trees(tmp_path, run_json):
    path, first, second = (tmp_path / f"{name}.csv" for name in ("a", "first", "second"))
    path.write_text("u,v,w\na,b,1\nb,c,1\na,c,3\n")
    assert run_json("steiner", path, "--terminals", "a,c", "-o", first)["weight"] == 2
    report = run_json("steiner", path, "--terminals", "a,c", "--excluded", first, "-o", second)
    assert report["weight"] == 3


def test_a_street_is_closed_by_its_name(tmp_path, run_json, refuse):
    geopandas, shapely = pytest.importorskip("geopandas"), pytest.importorskip("shapely")
    lines = [shapely.LineString(ends) for ends in ([(0, 0), (2, 0)], [(0, 0), (1, 1), (2, 0)])]
    columns = {"name": ["Main Street", "By-pass"], "rate": [1, 3]}
    geopandas.GeoDataFrame(columns, geometry=lines, crs=4326).to_file(tmp_path / "a.gpkg")
    how = "steiner", tmp_path / "a.gpkg", "--terminals", "(0.0, 0.0),(2.0, 0.0)", "--rate", "rate"
    length = run_json("solve", tmp_path / "a.gpkg", "--excluded", "name=Main Street")["weight"]
    report = run_json(*how, "--excluded", "name=Main Street", "-o", tmp_path / "net.geojson")
    assert report["weight"] == pytest.approx(3 * length)
    found = geopandas.read_file(tmp_path / "net.geojson")
    assert (found["name"].tolist(), found["length"].tolist()) == (["By-pass"], [pytest.approx(length)])
    (tmp_path / "closed.txt").write_text("Main Street\n", encoding="utf-8")
    named = run_json(*how, "--excluded", f"name=@{tmp_path / 'closed.txt'}")
    assert named["weight"] == report["weight"]
    (tmp_path / "closed.txt").write_text("\n", encoding="utf-8")
    refuse("closed.txt: the list is empty", *how, "--excluded", f"name=@{tmp_path / 'closed.txt'}")
    refuse(
        "--excluded: no edge has 'High Street' in the column 'name'", *how, "--excluded", "name=High Street"
    )
    refuse("--rate rate replaces a column of weights: leave out 'rate'", *how, "--columns", "rate")


def test_nearest_and_support(tmp_path, run, refuse):
    """Tables of both commands, of profiles in two files and of edges, against known values."""
    first, second, edges = (tmp_path / name for name in ("w1.tsv", "w2.tsv", "edges.csv"))
    first.write_text("FILE\tl1\tl2\nA.fasta\t1\t2\nB\t1\t3\n")
    second.write_text("FILE\tl2\tl1\nC\t4\t1\n")
    edges.write_text("0,1,3\n1,2,4\n")
    found = run("nearest", first, second, "--profiles", "--of", "A,C")
    assert found.out == "FILE,nearest,weight\nA.fasta,B,1\nA.fasta,C,1\nC,A.fasta,1\nC,B,1\n"
    assert run("nearest", edges, "--of", "2").out == "vertex,nearest,weight\n2,1,4\n"
    refuse("--of: '7' is not a vertex: they are numbers from 0 to 2", "nearest", edges, "--of", "7")
    refuse("--collapse makes one vertex of several strains", "nearest", first, "--profiles", "--collapse")
    at = ["--profiles", "--at", "0", "--samples", "20"]
    strains = pd.read_csv(first, sep="\t", index_col="FILE")
    expected = boruvka.minimum_spanning_forest(Graph.from_profiles(strains)).support(0, samples=20)
    assert run("support", first, *at).out == expected.to_csv(index=False, lineterminator="\n")
    refuse(
        "support draws loci of profiles: write --profiles; of series, rolling", "support", edges, "--at", "1"
    )


def test_a_comparison_without_weights_is_of_ends(tmp_path, run, run_json):
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("u,v,w\na,b,4\nb,c,8\nc,d,2\n")
    second.write_text("from,to\nc,b\na,c\nd,c\n")
    for files in (first, second), (second, first):
        result = run("compare", *files)
        assert result.code == 0
        assert f"warning: {second}:1: there is no column of weights" in result.err
        assert "edges are compared by their ends, each of weight 1" in result.err
        assert result.out.split()[:3] == ["both", "edges", "2,"]
    assert run_json("compare", first, first)["all"] == {"edges": 3, "weight_first": 14, "weight_second": 14}
