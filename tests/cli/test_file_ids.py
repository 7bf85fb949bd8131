"""On the command line, ids are those of the file: as if vertices were named by their numbers in it."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boruvka
from boruvka import Graph
from boruvka.formats import read_forest
from tests.marks import long_but

FEW = "graph.gr", "graph.metis", "marked.csv", "plain.csv", "plain.parquet", "a.gr", "array.mtx", "full.tsp"
FILES = {
    "graph.gr": [],
    "graph.mtx": [],
    "graph.metis": [],
    "graph.stp": [],
    "graph.col": [],
    "marked.csv": [],
    "marked.parquet": [],
    "marked.npz": [],
    "plain.csv": ["--one-based"],
    "plain.txt": ["--one-based", "--format", "edges"],
    "plain.parquet": ["--one-based"],
    "plain.arrow": ["--one-based"],
}
"""Files whose vertices count from 1, and how they are read."""
quick = settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def connected_graphs(draw):
    """Simple connected graphs, from 1."""
    n = draw(st.integers(3, 7))
    pairs = {(draw(st.integers(0, v - 1)), v) for v in range(1, n)}
    pairs |= set(draw(st.lists(st.sampled_from([(u, v) for v in range(n) for u in range(v)]), max_size=8)))
    u, v = zip(*draw(st.permutations(sorted(pairs))), strict=True)
    w = draw(st.lists(st.integers(1, 9), min_size=len(u), max_size=len(u)))
    return Graph(n, u, v, w).with_first_id(1)


@pytest.fixture
def write_files(tmp_path, monkeypatch):
    """Write a graph, and the same with the names "1", "2" ..., as named.npz."""
    monkeypatch.chdir(tmp_path)

    def write_files(graph, name):
        if name.startswith("plain"):
            ids = graph.u + np.uint32(1), graph.v + np.uint32(1)
            if name.endswith("parquet"):
                polars = pytest.importorskip("polars")

                polars.DataFrame({"u": ids[0], "v": ids[1], "w": graph.w}).write_parquet(name)
            else:
                boruvka.write(Graph(None, *ids, graph.w), name)
            if name.endswith("txt"):  # three edges have a comment, so that they are not taken for a matrix
                Path(name).write_text("\n".join(rows_of(Path(name).read_text())) + "\n")
        else:
            boruvka.write(graph, name)
        back = graph if name.startswith("plain") else boruvka.read(name)  # METIS orders edges
        boruvka.write(
            Graph(back.n, back.u, back.v, back.w).with_names(map(str, range(1, back.n + 1))), "named.npz"
        )

    return write_files


def rows_of(text):
    """Return the lines of a table without comments."""
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("name", long_but(FILES, *FEW))
@quick
@given(graph=connected_graphs(), data=st.data())
def test_steiner_trees_and_arborescences(name, graph, data, write_files, run):
    write_files(graph, name)
    vertex = st.integers(1, graph.n).map(str)
    terminals = ",".join(data.draw(st.lists(vertex, min_size=1, max_size=4)))
    root = data.draw(vertex)
    for command in (
        ["steiner", "--terminals", terminals, "-o", "-", "--to", "csv"],
        ["arborescence", "--root", root, "-o", "-", "--to", "csv"],
        ["steiner", "--terminals", f"{terminals},{graph.n + 1}"],
        ["arborescence", "--root", "0"],
    ):
        numbered, named = (
            run(command[0], file, *how, *command[1:])
            for file, how in ((name, FILES[name]), ("named.npz", []))
        )
        assert numbered.code == named.code
        assert rows_of(numbered.out) == rows_of(named.out)
        shown = [
            re.sub("seconds.*|: (they are|none has).*", "", result.err).split("components")
            for result in (numbered, named)
        ]
        shown[0][0] = shown[0][0].replace("entries  ", "edges    ")  # of a matrix
        assert shown[0] == shown[1]  # the root, its vertices that it does not reach


@pytest.mark.parametrize("name", long_but(FILES, *FEW))
@quick
@given(graph=connected_graphs(), data=st.data())
def test_forests_and_their_edges_as_options(name, graph, data, write_files, run, tmp_path):
    write_files(graph, name)
    whole = boruvka.read("named.npz")
    for ending in "csv", "tsv", "el":
        run("solve", name, *FILES[name], "-o", f"forest.{ending}")
        run("solve", "named.npz", "-o", f"named.{ending}")
        written, named = ((tmp_path / f"{stem}.{ending}").read_text() for stem in ("forest", "named"))
        assert rows_of(written) == rows_of(named)
        for form in written, "\n".join(rows_of(written)):  # as a program that drops comments gives it back
            (tmp_path / f"again.{ending}").write_text(form)
            result = run("verify", name, *FILES[name], f"again.{ending}")
            assert (result.code, result.err) == (0, "")
    k = data.draw(st.integers(0, graph.m - 1))
    (tmp_path / "edge.csv").write_text(
        f"source,target,weight\n{whole.u[k] + 1},{whole.v[k] + 1},{whole.w[k]}\n"
    )
    for option in "--required", "--excluded":
        results = [
            run("solve", file, *how, option, "edge.csv", "-o", "-", "--to", "csv")
            for file, how in ((name, FILES[name]), ("named.npz", []))
        ]
        assert (results[0].code, rows_of(results[0].out)) == (results[1].code, rows_of(results[1].out))


@pytest.mark.parametrize("name", long_but(FILES, *FEW))
def test_witnesses_are_ids_of_the_file(name, write_files, run, tmp_path):
    write_files(Graph(3, [0, 1, 0], [1, 2, 2], [5, 7, 1]).with_first_id(1), name)
    whole = boruvka.read("named.npz")
    edges = np.flatnonzero(whole.w > 1)
    boruvka.write(boruvka.Forest(whole, edges), "named.csv")
    boruvka.write(boruvka.Forest(Graph(3, whole.u, whole.v, whole.w).with_first_id(1), edges), "wrong.csv")
    *_, message = run("verify", "named.npz", "named.csv").err.replace("'", "").splitlines()
    assert "(1, 3) with weight 1 is lighter than" in message
    streamed = [("--memory", "64G")] if name.endswith((".gr", ".csv", ".parquet", ".npz")) else []
    for how in [(), *streamed]:
        assert run("verify", name, *FILES[name], "wrong.csv", *how).err.splitlines()[-1] == message
    (tmp_path / "wrong.csv").write_text("u,v,w\n1,4,5\n")
    assert (
        "without header or root): no edge is between (1, 4)"
        in run("verify", name, *FILES[name], "wrong.csv").err
    )


@pytest.mark.parametrize("name", ["graph.gr", "marked.csv", "marked.parquet", "marked.npz", "plain.csv"])
def test_streams_write_the_same_bytes(name, write_files, run, tmp_path):
    write_files(Graph(5, [0, 1, 0, 3], [1, 2, 2, 4], [5, 7, 1, 2]).with_first_id(1), name)
    for ending in "csv", "parquet", "gr", "npz":
        assert run("solve", name, *FILES[name], "-o", f"a.{ending}").code == 0
        assert run("solve", name, *FILES[name], "-o", f"b.{ending}", "--memory", "64G").code == 0
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()


@pytest.mark.parametrize("name", long_but(FILES, *FEW))
def test_converted_graphs_are_the_same(name, write_files, run, tmp_path):
    graph = Graph(5, [0, 1, 0, 3], [1, 2, 2, 4], [5, 7, 1, 2]).with_first_id(1)
    write_files(graph, name)
    fields = run("info", name, *FILES[name]).out
    assert "first id" in fields
    assert "--one-based" not in fields
    for ending in "csv", "txt", "parquet", "arrow", "npz", "graphml", "gexf", "gml", "gr", "mtx", "stp":
        assert run("convert", name, *FILES[name], f"back.{ending}").code == 0
        if ending != "gexf":  # whose weights are floats
            assert run("info", f"back.{ending}").out == fields
        assert boruvka.read(f"back.{ending}").first_id == 1


@pytest.mark.parametrize("name", FILES)
def test_coordinates_by_id(name, write_files, run, monkeypatch, tmp_path):
    places = []
    monkeypatch.setattr(boruvka.Forest, "plot", lambda forest, coordinates, **_: places.append(coordinates))
    write_files(Graph(3, [0, 1], [1, 2], [5, 7]).with_first_id(1), name)
    (tmp_path / "places.csv").write_text("id,x,y\n3,30,31\n1,10,11\n2,20,21\n")
    (tmp_path / "places.co").write_text("p aux sp co 3\nv 3 30 31\nv 1 10 11\nv 2 20 21\n")
    for file in "places.csv", "places.co":
        command = "plot", name, *FILES[name], "--coordinates", file, "-o", "map.svg"
        assert run(*command).code == 70  # there is no picture
        assert places.pop().tolist() == [[10, 11], [20, 21], [30, 31]]
    for rows, message in (
        ("2,30,31\n0,10,11\n1,20,21\n", "places.csv:3: the id 0 is not a vertex: expected ids from 1"),
        ("2,30,31\n4,10,11\n1,20,21\n", "the table has 4, which is no vertex; they are numbers from 1 to 3"),
        ("2,30,31\n2,10,11\n1,20,21\n", "the table has the vertex 2 twice"),
    ):
        (tmp_path / "places.csv").write_text(f"id,x,y\n{rows}")
        result = run("plot", name, *FILES[name], "--coordinates", "places.csv", "-o", "map.svg")
        assert message in result.err


def test_terminals_of_the_file(run_json, tmp_path):
    graph = Graph(6, [0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 5, 3], [4, 1, 1, 6, 1, 3]).with_first_id(1)
    boruvka.write(graph, tmp_path / "graph.stp")
    text = (tmp_path / "graph.stp").read_text()
    (tmp_path / "graph.stp").write_text(
        text.replace("EOF", "SECTION Terminals\nTerminals 3\nT 1\nT 3\nT 4\nEND\n")
    )
    for options in ([], ["--terminals", "1,3,4"]):
        found = run_json("steiner", tmp_path / "graph.stp", *options, "-o", tmp_path / "tree.csv")
        assert (found["terminals"], found["weight"]) == (3, 4)
        assert read_forest(tmp_path / "tree.csv", graph).tolist() == [2, 5]
        assert rows_of((tmp_path / "tree.csv").read_text())[1:] == ["2,3,4,1", "5,1,4,3"]


PAIRS = [(1, 2, 3), (1, 3, 18), (1, 4, 20), (2, 3, 5), (2, 4, 17), (3, 4, 1)]
"""All pairs of four vertices; the tree is 1-2, 2-3, 3-4."""
EDGES = "".join(f"E {u} {v} {w}\n" for u, v, w in PAIRS)
STEINLIB = f"SECTION Graph\nNodes 4\nEdges 6\n{EDGES}END\nEOF\n"
TSPLIB = "DIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: "
MATRIX_MARKET = "%%MatrixMarket matrix"
OF_PROGRAMS = {
    "a.gr": "p sp 4 6\n" + EDGES.replace("E", "a"),
    "pace.gr": STEINLIB,
    "a.stp": STEINLIB,
    "a.col": "p edge 4 6\n" + EDGES.lower(),
    "a.mtx": f"{MATRIX_MARKET} coordinate integer general\n4 4 6\n" + EDGES.replace("E", ""),
    "array.mtx": f"{MATRIX_MARKET} array integer symmetric\n4 4\n0\n3\n18\n20\n0\n5\n17\n0\n1\n0\n",
    "a.graph": "4 6 001\n2 3 3 18 4 20\n1 3 3 5 4 17\n1 18 2 5 4 1\n1 20 2 17 3 1\n",
    "triangle.tsp": TSPLIB + "UPPER_ROW\nEDGE_WEIGHT_SECTION\n3 18 20 5 17 1\nEOF\n",
    "full.tsp": TSPLIB + "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 3 18 20 3 0 5 17 18 5 0 1 20 17 1 0\nEOF\n",
    "matrix.dl": "dl n=4\ndata:\n0 3 18 20\n3 0 5 17\n18 5 0 1\n20 17 1 0\n",
    "list.dl": "dl n=4 format=edgelist1\ndata:\n" + EDGES.replace("E", ""),
}
"""Files as their programs write them, whose vertices count from 1."""
SOLVE = ["solve", "-o", "tree.csv"]
WAYS = {
    "table": (SOLVE, [(1, 2, 3), (2, 3, 5), (3, 4, 1)]),
    "required": ([*SOLVE, "--required", "edge.csv"], [(1, 2, 3), (1, 4, 20), (3, 4, 1)]),
    "excluded": ([*SOLVE, "--excluded", "other.csv"], [(1, 2, 3), (2, 3, 5), (2, 4, 17)]),
    "terminals": (["steiner", "-o", "tree.csv", "--terminals", "2,4"], [(2, 3, 5), (3, 4, 1)]),
    "improved": (["steiner", "-o", "tree.csv", "--terminals", "2,4", "--improve"], [(2, 3, 5), (3, 4, 1)]),
    "root": (["arborescence", "-o", "tree.csv", "--root", "1"], [(1, 2, 3), (2, 3, 5), (3, 4, 1)]),
}


@pytest.mark.parametrize("name", long_but(OF_PROGRAMS, *FEW))
def test_every_way_for_every_format(name, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(OF_PROGRAMS[name])
    Path("edge.csv").write_text("u,v,w\n1,4,20\n")
    Path("other.csv").write_text("from,to,cost\n4,3,1\n")
    root = "4" if name == "array.mtx" else "1"  # entries of rows lead to lower columns
    for way, (command, expected) in WAYS.items():
        command = [root if way == "root" and word == "1" else word for word in command]
        assert (run(command[0], name, *command[1:]).code, way) == (0, way)
        rows = [tuple(map(int, row.split(",")[1:])) for row in rows_of(Path("tree.csv").read_text())[1:]]
        assert (sorted((min(u, v), max(u, v), w) for u, v, w in rows), way) == (expected, way)
    assert f"root        {root}\n" in run("arborescence", name, "--root", root).out
    for ending in "csv", "tsv", "el", "gr", "col", "mtx", "stp", "graph", "parquet", "arrow", "gml":
        assert run("solve", name, "-o", f"forest.{ending}").code == 0
        assert run("verify", name, f"forest.{ending}").code == 0
        assert boruvka.read(f"forest.{ending}").first_id == 1
    Path("wrong.csv").write_text("u,v,w\n1,2,3\n2,3,5\n2,4,17\n")
    message = run("verify", name, "wrong.csv").err
    assert re.search(r"edge \d \((3, 4|4, 3)\) with weight 1 is lighter than edge", message)
    Path("wrong.csv").write_text("u,v,w\n1,5,3\n")
    assert "without header or root): no edge is between (1, 5)" in run("verify", name, "wrong.csv").err
    for command in ["steiner", "--terminals", "1,5"], ["arborescence", "--root", "0"]:
        message = run(command[0], name, *command[1:]).err
        assert "is not a vertex: they are numbers from 1 to 4 in this file" in message
    Path("ring.csv").write_text("u,v,w\n1,2,3\n2,3,5\n1,3,18\n")
    message = run("solve", name, "--required", "ring.csv").err
    assert re.search(r"edge \d \((2, 3|3, 2)\) closes a cycle", message)


@pytest.mark.parametrize("name", long_but(OF_PROGRAMS, *FEW))
def test_pictures_have_the_ids_of_the_file(name, run, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(OF_PROGRAMS[name])
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        for options in [], ["--dendrogram"]:
            assert run("plot", name, *options, "-o", "picture.svg").code == 0
            texts = re.findall(r"<text[^>]*>([^<]*)</text>", Path("picture.svg").read_text())
            assert {"1", "2", "3", "4"} - {*texts} == set()
            assert "0" not in texts or options


@pytest.mark.parametrize("name", OF_PROGRAMS)
def test_arrays_count_from_0(name, tmp_path):
    path = tmp_path / name
    path.write_text(OF_PROGRAMS[name])
    graph = boruvka.read(path)
    assert (graph.names, graph.first_id) == (None, 1)
    edges = zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    assert sorted((min(u, v) + 1, max(u, v) + 1, w) for u, v, w in edges) == PAIRS
    forest = boruvka.minimum_spanning_forest(graph)
    assert boruvka.steiner_tree(graph, [1, 3]).weight == 6
    assert sorted(forest.path(0, 3).tolist()) == sorted(forest.edges.tolist())
