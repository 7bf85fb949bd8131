import io
import json
import sys

import pytest


def test_right_and_wrong_forests(graph_file, tmp_path, run, run_json, refuse):
    forest = tmp_path / "forest.csv"
    forest.write_text("edge,source,target,weight\n0,0,1,4\n1,1,2,3\n3,3,4,-7\n")
    assert run_json("verify", graph_file, forest)["verified"] is True
    assert "every edge was checked" in run("verify", graph_file, forest).out
    assert run("verify", graph_file, forest, "--maximum").code == 1
    assert run("verify", graph_file, forest, "--threads", "1").out == run("verify", graph_file, forest).out
    refuse("--threads", "verify", graph_file, forest, "--threads", "0")

    forest.write_text("edge,source,target,weight\n0,0,1,4\n2,2,0,5\n3,3,4,-7\n")
    witness = "edge 1 (1, 2) with weight 3 is lighter than edge 2 (2, 0)"
    result = run("verify", graph_file, forest)
    assert (result.code, result.out) == (1, "")
    assert f"verification failed: {witness}" in result.err
    result = run("verify", graph_file, forest, "--json")
    assert result.code == 1
    assert f"verification failed: {witness}" in result.err
    report = json.loads(result.out)
    assert report["verified"] is False
    assert report["message"].startswith(witness)

    graph_file.write_text(f"{graph_file.read_text()}0,1,8\n")
    forest.write_text("source,target\n0,1\n")
    refuse("there are 2 edges between (0, 1)", "verify", graph_file, forest)
    for no_edge in "edge,source,target,weight\n0,0,1,99\n", "0,4,99\n":
        forest.write_text(no_edge)
        result = run("verify", graph_file, forest)
        assert (result.code, result.out) == (1, "")
        assert "verification failed: " in result.err
    forest.write_text("garbage")
    refuse("forest.csv", "verify", graph_file, forest)


def test_maximum_and_format(graph_file, tmp_path, run):
    forest = tmp_path / "forest.dat"
    forest.write_text("edge,source,target,weight\n0,0,1,4\n2,2,0,5\n3,3,4,-7\n")
    result = run("verify", graph_file, forest, "--maximum", "--forest-format", "csv")
    assert (result.code, result.err) == (0, "")
    result = run("verify", graph_file, forest, "--forest-format", "csv")
    assert (result.code, "verification failed" in result.err) == (1, True)
    result = run("verify", graph_file, forest, "--forest-format", "csv", "--maximum", "--json")
    assert json.loads(result.out)["is_maximum"] is True


@pytest.mark.parametrize("edges", ["source,target\nb,a\nb,c\n", "a,b\nc,b\n"])
def test_edges_without_weights(tmp_path, run, refuse, edges, monkeypatch):
    graph, forest = tmp_path / "graph.csv", tmp_path / "forest.csv"
    graph.write_text("u,v,w\na,b,1\nb,c,2\na,c,3\n")
    forest.write_text(edges)
    assert run("verify", graph, forest).code == 0
    assert run("verify", graph, forest, "--maximum").code == 1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(edges.encode())))
    assert run("verify", graph, "-", "--forest-format", "csv").code == 0
    forest.write_text(edges.replace("c", "x"))
    refuse("which the graph does not have", "verify", graph, forest)


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("labels", [False, True])
def test_matrices(tmp_path, run, refuse, n, names, labels):
    """The path of n vertices is the tree; an edge of its ends is heavier."""
    graph, forest = tmp_path / "graph.csv", tmp_path / "forest.csv"
    name = list("abcd" if names else "0123")[:n]
    edges = [(name[i], name[i + 1], 1) for i in range(n - 1)] + [(name[0], name[-1], 5)]
    graph.write_text("u,v,w\n" + "".join(f"{u},{v},{w}\n" for u, v, w in edges))
    rows = [[str(int(abs(i - j) == 1)) for j in range(n)] for i in range(n)]
    if labels:
        rows = [["", *name], *([x, *row] for x, row in zip(name, rows, strict=True))]
    forest.write_text("".join(",".join(row) + "\n" for row in rows))
    if names and not labels:
        message = (
            "--forest-format matrix"
            if n == 4
            else "row 1 of the forest (from 1, without header or root): the vertex is 0"
        )
        refuse(message, "verify", graph, forest)
    elif n == 3 and not labels:
        refuse("pass --forest-format matrix or --forest-format csv", "verify", graph, forest)
        assert run("verify", graph, forest, "--forest-format", "matrix").code == 0
        assert run("verify", graph, forest, "--forest-format", "csv").code == 1
    else:
        assert run("verify", graph, forest).code == 0


@pytest.mark.parametrize("how", [[], ["--memory", "4G"]])
def test_names_that_the_graph_does_not_have(tmp_path, run, how):
    graph, forest = tmp_path / "graph.csv", tmp_path / "forest.csv"
    graph.write_text("u,v,w\n0100,7,1\n7,5,2\n")
    run("solve", graph, "--names", "-o", forest)
    assert "but the graph does not: read " in (text := run("verify", graph, forest, *how).err)
    assert "with --names" in text
    assert run("verify", graph, forest, "--names", *how).code == 0


def test_another_minimum_spanning_forest(tmp_path, run):
    graph, forest = tmp_path / "graph.csv", tmp_path / "forest.csv"
    graph.write_text("u,v,w\na,b,5\nb,c,5\na,c,5\n")
    forest.write_text("edge,source,target,weight\n0,a,b,5\n2,a,c,5\n")
    result = run("verify", graph, forest, "--json")
    assert (result.code, json.loads(result.out)["is_minimum"]) == (1, True)
    assert "it is a minimum spanning forest too" in result.err


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("twice.csv", "source,target\na,b\nb,a\nc,b\nd,c\n", 1),
        ("parents.csv", "source,target\na,\nb,a\nc,b\nd,c\n", 0),
        ("weights.csv", ";a;b;c;d\na;0,0;1,5;0;0\nb;1,5;0;2;0\nc;0;2;0;3\nd;0;0;3;0\n", 0),
        ("bits.csv", ";a;b;c;d\na;0;1;0;0\nb;1;0;1;0\nc;0;1;0;1\nd;0;0;1;0\n", 0),
        ("wrong.csv", ";a;b;c;d\na;0;1;0;1\nb;1;0;0;0\nc;0;0;0;1\nd;1;0;1;0\n", 1),
        ("bits.adj", ";a;b;c;d\na;0;1;0;0\nb;1;0;1;0\nc;0;1;0;1\nd;0;0;1;0\n", 0),
    ],
)
def test_submissions_in_files(tmp_path, run, name, text, code):
    (tmp_path / "graph.csv").write_text("u,v,w\na,b,1.5\nb,c,2\nc,d,3\na,d,4\n")
    (tmp_path / name).write_text(text)
    result = run("verify", tmp_path / "graph.csv", tmp_path / name)
    assert result.code == code, result.err
    assert ("in the forest twice" in result.err) == (name == "twice.csv")


def test_several_forests_of_which_any_minimum_one_is_right(tmp_path, run, refuse, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"g": "a,b,5\nb,c,5\na,c,5\nc,d,9\n", "first": "a,b\nb,c\nc,d\n", "other": "c,a\nb,c\nd,c\n"}
    files |= {"twice": "a,b\nb,c\nb,c\nb,c\n", "cut": "a,b\nc,d\n", "case": "A,b\n", "none": "a,b\na,d\n"}
    for name, text in files.items():
        (tmp_path / f"{name}.csv").write_text(("u,v,w\n" if name == "g" else "u,v\n") + text)
    paths = [f"{name}.csv" for name in files if name != "g"]
    for options, right in ([], ["first.csv"]), (["--any"], ["first.csv", "other.csv"]):
        result = run("verify", "g.csv", *paths, *options)
        assert result.code == 1
        assert [line.partition(":")[0] for line in result.out.splitlines()] == right
        wrong = [line.split(": ")[1] for line in result.err.splitlines()]
        assert wrong == [path for path in paths if path not in right]
        assert run("verify", "g.csv", *right, *options).code == 0
        assert run("verify", "g.csv", right[-1], *options).code == 0
    assert "twice.csv: edge 1 ('b', 'c') is in the forest twice" in result.err
    assert "none.csv: row 2 of the forest (from 1, without header or root): no edge" in result.err
    assert "case.csv: row 1 of the forest (from 1, without header or root): the vertex is 'A'" in result.err
    reports = [json.loads(line) for line in run("verify", "g.csv", *paths, "--json").out.splitlines()]
    assert [report["is_minimum"] for report in reports] == [True, True, False, False, False, False]
    refuse("cannot both be standard input", "verify", "g.csv", "-", "-")
    refuse("cannot be read for each forest", "verify", "-", *paths, "--memory", "1G")


@pytest.mark.parametrize("kept", [(0, 0, 2, 0, 0, 1, 2, 1, 0), (0, 0, 1, 0, 0, 1, 1, 1, 0)])
def test_a_tree_as_a_matrix_below_labels(kept, tmp_path, run):
    (tmp_path / "g.csv").write_text("A,B,3\nB,C,1\nA,C,2\n")
    rows = ["A,B,C", *(",".join(map(str, kept[k : k + 3])) for k in (0, 3, 6))]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    assert run("verify", tmp_path / "g.csv", tmp_path / "t.csv").out.startswith("2 edges are the minimum")
