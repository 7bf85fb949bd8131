import csv
import itertools
import json
import re

import numpy as np
import pytest
from PIL import Image

import boruvka
from boruvka import FormatError
from boruvka.cli.plot import _coordinates_of
from boruvka.trees.plotting.rows import chosen_vertices


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr("boruvka.algorithms.run.best_backend", lambda graph: "interpreted")


@pytest.fixture
def coordinates(tmp_path):
    path = tmp_path / "places.csv"
    path.write_text("id,x,y\n0,0,0\n1,1,0\n2,1,1\n3,5,5\n4,6,5\n")
    return path


def test_networks_and_weights(tmp_path, run, refuse):
    path = tmp_path / "square.csv"
    path.write_text("u,v,w\na,b,41\nb,c,41\nc,d,41\nd,a,41\n")
    output = tmp_path / "map.svg"
    assert run("plot", path, "-o", output).out == f"{output}: 3 edges of 4 vertices\n"
    without = output.read_text().count("<!-- 41 -->")
    assert (
        run("plot", path, "--network", "--weights", "-o", output).out == f"{output}: 4 edges of 4 vertices\n"
    )
    assert (without, output.read_text().count("<!-- 41 -->")) == (0, 4)
    page = tmp_path / "net.html"
    assert run("plot", path, "--network", "--collapse-at", "1", "-o", page).out.endswith(
        "4 edges of 4 vertices\n"
    )
    refuse("--network is for maps", "plot", path, "--network", "--dendrogram", "-o", output)
    refuse("--network is for maps", "plot", path, "--network", "-o", tmp_path / "a.gif")
    refuse("--by round is for trees", "plot", path, "--network", "--by", "round", "-o", output)
    refuse("--weights is for maps", "plot", path, "--weights", "--by", "round", "-o", page)


@pytest.mark.parametrize(
    ("only", "count"),
    [
        ("ra=350..10", 2),
        ("RA= 3.5e2 .. 10", 2),
        ("dec=..0.5", 2),
        ("ra=-10..11", 2),
        ("ra=0..720", 3),
        ("dec=-1..1", 2),
        ("ra=350..90, dec=..0.5", 2),
        ("b,c", 2),
        ("@{}/list.txt", 2),
    ],
)
def test_parts_of_a_map(only, count, tmp_path, run, monkeypatch):
    (path := tmp_path / "sky.csv").write_text("id,ra,dec\na,359,0\nb,5,0.5\nc,40,7\n")
    (tmp_path / "list.txt").write_text("a\nb\n")
    drawn, plot = [], boruvka.Forest.plot
    monkeypatch.setattr(boruvka.Forest, "plot", lambda *a, **how: drawn.append((*a, how)) or plot(*a, **how))
    options = "--points", "--only", only.format(tmp_path), "--axes", "-o", tmp_path / "a.svg"
    found = run("plot", path, *options)
    assert found.out.endswith(f": {count - 1} of 2 edges, {count} of 3 vertices\n")
    chosen = chosen_vertices(drawn[0][0], drawn[0][1]["only"])
    assert (chosen.sum(), drawn[0][1]["axes"]) == (count, True)


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        ("z=0..10", [1, 1, 0]),
        ("Z=-1.5..inf", [1, 1, 1]),
        ("z [kpc/h]=1e1..", [0, 1, 1]),
        ("z=..1e1", [1, 1, 0]),
        ("z=10.5..5", [1, 0, 1]),
        ("y=10.5..5", None),
        ("q=0..1", None),
        ("z=0-10", None),
        ("1,2", [0, 1, 1]),
    ],
)
def test_slabs(only, expected, tmp_path, run, refuse, monkeypatch):
    """A range of a coordinate, which goes around in a periodic box; the y axis of this one is open."""
    path, header = tmp_path / "x.csv", "x [kpc/h],y [kpc/h],z [kpc/h]"
    np.savetxt(path, [[0, 0, 0], [1, 1, 10], [2, 2, 11]], header=header, comments="", delimiter=",")
    given, plot = [], boruvka.Forest.plot
    monkeypatch.setattr(boruvka.Forest, "plot", lambda *a, **how: given.append((*a, how)) or plot(*a, **how))
    options = "--points", "--box", "12,inf,12", "--only", only, "-o", tmp_path / "a.svg"
    if expected is None:
        message = (
            "has no vertex: y is from 0 to 2"
            if only[0] == "y"
            else "the coordinates are x, y, z: write --only z=0..10"
        )
        refuse(message, "plot", path, *options)
    else:
        run("plot", path, *options)
        assert chosen_vertices(given[0][0], given[0][1]["only"]).astype(int).tolist() == expected
    refuse(
        "--only 1 is for maps",
        "plot",
        path,
        "--points",
        "--only",
        "1",
        "--dendrogram",
        "-o",
        tmp_path / "a.svg",
    )
    refuse("--axes is for pictures", "plot", path, "--points", "--axes", "-o", tmp_path / "a.html")


@pytest.mark.parametrize("by", ["round", "component", "weight"])
def test_png(graph_file, coordinates, tmp_path, run, by):
    output = tmp_path / "map.png"
    result = run("plot", graph_file, "--coordinates", coordinates, "-o", output, "--by", by, "--dpi", "50")
    assert result == (0, f"{output}: 3 edges of 5 vertices\n", "")
    with Image.open(output) as image:
        assert image.width == 500
        assert len(set(map(tuple, np.asarray(image.convert("RGB")).reshape(-1, 3).tolist()))) > 10


@pytest.mark.parametrize(
    ("name", "start", "options"),
    [
        ("map.svg", b"<?xml", ["--graph-edges"]),
        ("map.pdf", b"%PDF", ["--maximum"]),
        ("tree.png", b"\x89PNG", ["--dendrogram"]),
    ],
)
def test_other_pictures(name, start, options, tmp_path, run):
    path = tmp_path / "a.csv"
    path.write_text("u,v,w\n0,1,4\n1,2,3\n")
    assert run("plot", path, "-o", tmp_path / name, *options).code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_ids_from_1(tmp_path, run):
    graph, places = tmp_path / "a.csv", tmp_path / "places.csv"
    graph.write_text("u,v,w\n1,2,4\n2,3,3\n")
    places.write_text("id,lon,lat\n1,14,50\n2,16,49\n3,17,48\n")
    command = ["plot", graph, "--one-based", "--coordinates", places, "-o", tmp_path / "map.svg"]
    assert run(*command).code == 0
    other = ["plot", graph, "-o", tmp_path / "map.svg"]
    assert "vertex 0 has no edge, and vertices 1 to 3 have" in run(*other).err


def test_gif(graph_file, coordinates, tmp_path, run):
    output = tmp_path / "rounds.gif"
    result = run("plot", graph_file, "--coordinates", coordinates, "-o", output, "--seconds", "0.2")
    assert result == (0, f"{output}: 3 edges of 5 vertices\n", "")
    with Image.open(output) as gif:
        assert gif.n_frames == 2


def test_algorithms(tmp_path, run):
    path, output = tmp_path / "a.csv", tmp_path / "steps.html"
    path.write_text("from,to,w\nA,B,4\nB,C,2\nA,C,3\n")
    assert run("plot", path, "-o", output, "--algorithm", "prim", "--start", "C").code == 0
    assert "Before step 1: the tree is C; 2 edges" in output.read_text(encoding="utf-8")
    assert run("plot", path, "-o", output, "--algorithm", "kruskal").code == 0
    assert "Kruskal&#x27;s algorithm: minimum" in output.read_text(encoding="utf-8")
    assert run("plot", path, "-o", output, "--algorithm", "boruvka").code == 0
    assert "Round" in output.read_text(encoding="utf-8")
    picture, of_python = tmp_path / "steps.png", tmp_path / "python.png"
    assert run("plot", path, "-o", picture, "--algorithm", "prim", "--start", "C", "--only", "0,2").code == 0
    how = {"algorithm": "prim", "start": "C", "only": [0, 2]}
    boruvka.minimum_spanning_forest(boruvka.read(path)).animate(of_python, **how)
    assert picture.read_bytes() == of_python.read_bytes()


def test_tables_of_steps(tmp_path, run):
    path, output = tmp_path / "a.csv", tmp_path / "steps.csv"
    path.write_text("from,to,w\n1,2,4\n2,3,2\n1,3,3\n")
    command = ["plot", path, "--one-based", "--algorithm", "Prim", "--start", "3"]
    assert run(*command, "-o", output).out == f"{output}: 2 steps\n"
    rows = list(csv.DictReader(output.read_text(encoding="utf-8").splitlines()))
    assert [(row["source"], row["target"], row["taken"]) for row in rows] == [
        ("2", "3", "True"),
        ("1", "3", "True"),
    ]
    assert run(*command, "--to", "txt", "-o", "-").out == (
        f"{boruvka.minimum_spanning_forest(boruvka.read(path, one_based=True)).steps('prim', start=3)}\n"
    )


def test_values_of_vertices_and_dendrograms(tmp_path, run, refuse, monkeypatch):
    path, table = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("from,to,w\nA,B,4\nB,C,2\nC,D,9\n")
    table.write_text("id,kind,count,text\nB,x,1,bb\nA,y,2,aa\nC,x,3,cc\nD,y,4,dd\n")
    calls = {}
    for name in "plot", "plot_dendrogram", "to_html":
        method = getattr(boruvka.Forest, name)
        monkeypatch.setattr(
            boruvka.Forest,
            name,
            lambda *a, _name=name, _method=method, **k: calls.update({_name: k}) or _method(*a, **k),
        )
    values = ["--metadata", table, "--sizes", "count", "--labels", "text"]
    assert run("plot", path, *values, "-o", tmp_path / "map.svg").code == 0
    assert calls["plot"]["sizes"].tolist() == [2, 1, 3, 4]
    assert calls["plot"]["labels"].tolist() == ["aa", "bb", "cc", "dd"]
    page = tmp_path / "page.html"
    assert run("plot", path, *values, "--colors", "kind", "-o", page).code == 0
    assert calls["to_html"]["colors"] == "kind"
    assert calls["to_html"]["sizes"].tolist() == [2, 1, 3, 4]
    tree = ["plot", path, "--dendrogram", "-o", tmp_path / "tree.svg"]
    cut = ["--leaves", "3", "--height", "3", "--min-size", "1"]
    assert run(*tree, *cut, "--metadata", table, "--colors", "kind").code == 0
    assert calls["plot_dendrogram"].pop("colors").tolist() == ["y", "x", "x", "y"]
    assert calls["plot_dendrogram"] == {"leaves": 3, "height": 3, "min_size": 1}
    refuse("--sizes count is for maps", *tree, "--metadata", table, "--sizes", "count")
    refuse("--by weight is for maps", *tree, "--by", "weight")
    refuse("--leaves must be an integer from 2 to 500, got 1", *tree, "--leaves", "1")
    refuse("--height 3 is for --dendrogram", "plot", path, "--height", "3", "-o", page)


def test_page(graph_file, tmp_path, run):
    output = tmp_path / "rounds.html"
    assert run("plot", graph_file, "-o", output, "--maximum", "--by", "round").code == 0
    assert "maximum spanning forest of 5 vertices" in output.read_text(encoding="utf-8")
    assert run("plot", graph_file, "-o", output, "--maximum").code == 0
    assert "5 vertices, 3 edges" in output.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("a picture ends in .png, .svg or .pdf", ["plot", "{graph}", "-o", "{dir}/map.jpeg"]),
        ("No such file", ["plot", "{graph}", "-o", "{dir}/nowhere/map.png"]),
        ("Missing option '-o'", ["plot", "{graph}"]),
        (
            "4 vertices that have edges have no finite coordinates",
            ["plot", "{graph}", "--coordinates", "{dir}/one.csv", "-o", "{dir}/map.png"],
        ),
        (
            "an animation in .gif; with --algorithm, a table of steps in .csv or .txt",
            ["plot", "{graph}", "-o", "-"],
        ),
        ("--dpi 90 is for pictures", ["plot", "{graph}", "--dpi", "90", "-o", "{dir}/rounds.gif"]),
        ("--seconds 2.0 is for animations", ["plot", "{graph}", "--seconds", "2", "-o", "{dir}/map.png"]),
        ("--seconds 2.0 is for animations", ["plot", "{graph}", "--seconds", "2", "-o", "{dir}/tree.html"]),
        ("--start is for --algorithm prim", ["plot", "{graph}", "--start", "0", "-o", "{dir}/a.gif"]),
        (
            "--start x is for --algorithm prim",
            ["plot", "{graph}", "--start", "x", "-o", "{dir}/a.png"],
        ),
        ("is for maps", ["plot", "{graph}", "--algorithm", "prim", "--system", "xy", "-o", "{dir}/a.csv"]),
        (
            "--dpi 90 is for pictures",
            ["plot", "{graph}", "--algorithm", "prim", "--dpi", "90", "-o", "{dir}/a.png"],
        ),
        (
            "--start: 'x' is not a vertex",
            ["plot", "{graph}", "--algorithm", "prim", "--start", "x", "-o", "{dir}/a.gif"],
        ),
        *(
            (f"--only lists numbers of {noun}s, from 0 to", ["plot", "{graph}", *given, "-o", "{dir}/a.png"])
            for noun, given in (
                ("step", ["--algorithm", "kruskal", "--only", "0,99"]),
                ("step", ["--algorithm", "prim", "--only", "a"]),
                ("round", ["--algorithm", "boruvka", "--only", "-1"]),
            )
        ),
        ("--only 0 is for pictures (.png", ["plot", "{graph}", "--only", "0", "-o", "{dir}/a.html"]),
        (
            "--only 0 is for maps",
            ["plot", "{graph}", "--algorithm", "prim", "--only", "0", "-o", "{dir}/a.txt"],
        ),
        ("is not one of 'boruvka'", ["plot", "{graph}", "--algorithm", "dijkstra", "-o", "{dir}/a.gif"]),
        ("--by weight is for pictures", ["plot", "{graph}", "--by", "weight", "-o", "{dir}/tree.gif"]),
        ("--colors c is a column of a table", ["plot", "{graph}", "--colors", "c", "-o", "{dir}/a.png"]),
        ("needs --colors COLUMN", ["plot", "{graph}", "--metadata", "{dir}/one.csv", "-o", "{dir}/a.png"]),
        (
            "--colors c is not a column of {dir}/one.csv; these are",
            ["plot", "{graph}", "--metadata", "{dir}/one.csv", "--colors", "c", "-o", "{dir}/a.html"],
        ),
        (
            "is for maps (.png, .svg or .pdf) and pages (.html)",
            ["plot", "{graph}", "--metadata", "{dir}/one.csv", "--colors", "x", "-o", "{dir}/a.gif"],
        ),
        (
            "needs --colors COLUMN",
            ["plot", "{graph}", "--metadata", "{dir}/one.csv", "--dendrogram", "-o", "{dir}/a.png"],
        ),
    ],
)
def test_bad_input(message, arguments, graph_file, tmp_path, refuse):
    (tmp_path / "one.csv").write_text("id,x,y\n0,0,0\n")
    before = set(tmp_path.iterdir())
    names = {"graph": graph_file, "dir": tmp_path}
    refuse(message.format(**names), *(a.format(**names) for a in arguments))
    assert set(tmp_path.iterdir()) == before


def test_coordinates_by_vertex(tmp_path):
    forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 7, 3]), backend="interpreted")
    path = tmp_path / "places.csv"
    path.write_text("id,x,y\n2,4,8\n0,0,1\n1,2,3\n")
    found = _coordinates_of(forest, path, None)
    np.testing.assert_array_equal(found["coordinates"], [[0, 1], [2, 3], [4, 8], [np.nan] * 2])
    path.write_text("id,x,y\n0,1,2\n0,1,2\n")
    with pytest.raises(FormatError, match=r"places.csv: coordinates: the table has the vertex 0 twice"):
        _coordinates_of(forest, path, None)
    path.write_text("id,x,y\n0,1,2\n9,1,2\n")
    with pytest.raises(FormatError, match=r"places.csv: coordinates: the table has 9, which is no vertex"):
        _coordinates_of(forest, path, None)


def test_coordinates_by_names_that_are_integers(tmp_path):
    """The names of points are texts in csv, and those of coordinates numbers, or the other way round."""
    path = tmp_path / "places.csv"
    path.write_text("id,x,y\n12,4,8\n11,0,1\n")
    for names in ["11", "12"], [11, 12]:
        graph = boruvka.Graph.from_points([[0], [1]], names=names)
        found = _coordinates_of(boruvka.minimum_spanning_forest(graph), path, None)
        assert found["coordinates"].tolist() == [[0, 1], [4, 8]]


# Metadata


@pytest.fixture
def joined(tmp_path, run):
    """Write a page of two texts; return what it shows of each row, by names, and what was printed."""
    pytest.importorskip("pandas")

    def joined(graph, metadata, *options):
        (tmp_path / "g.csv").write_text(graph)
        (tmp_path / "m.csv").write_text(metadata)
        output = tmp_path / "tree.html"
        result = run("plot", tmp_path / "g.csv", "--metadata", tmp_path / "m.csv", *options, "-o", output)
        if result.code:
            return result.err.replace(f"{tmp_path}/", "")
        data = json.loads(re.search(r'type="application/json">(.*)</script>', output.read_text("utf-8"))[1])
        columns = {column["name"]: column for column in data["columns"]}
        values = {
            name: [x if x is None or "texts" not in column else column["texts"][x] for x in column["values"]]
            for name, column in columns.items()
        }
        rows = {row: {name: values[name][k] for name in values} for k, row in enumerate(data["row_name"])}
        printed = result.err.replace(f"{tmp_path}/", "").splitlines(keepends=True)
        return rows, "".join(line for line in printed if "but one number" not in line)  # 007 and 7

    return joined


NAMED = "from,to,w\n007,Brno,2\nBrno,7,1\n7,Zlín,3\n"


def test_pages_show_texts_of_the_file(joined, tmp_path):
    table = "id,patient,ST,day\n007,361E4,008,1/2/26\nBrno,00371,?,3/2/26\n7,,8,\nZlín,12,17,15/2/26\n"
    joined(NAMED, table, "--names", "-q")
    data = json.loads(re.search(r'json">(.*)</script>', (tmp_path / "tree.html").read_text("utf-8"))[1])
    patient, st, day = data["columns"]
    assert patient["values"] == [3610000, 371, None, 12]
    assert patient["as_in_file"] == ["361E4", "00371", None, "12"]
    assert [None if k is None else st["texts"][k] for k in st["values"]] == ["008", None, "8", "17"]
    assert day["as_in_file"] == ["1/2/26", "3/2/26", None, "15/2/26"]


def test_metadata_are_matched_by_names(joined):
    rows, printed = joined(NAMED, "id,name,size\nZlín,Brno,4\n7,Zlín,1\nBrno,old,2\n007,007,3\n", "--names")
    assert {name: row["size"] for name, row in rows.items()} == {"007": 3, "Brno": 2, "7": 1, "Zlín": 4}
    assert printed == ""


def test_the_column_that_holds_the_names_is_found(joined):
    table = "town,size,code\nBrno,5,007\nx,6,7\ny,7,Zlín\nz,8,Brno\n"
    rows, printed = joined(NAMED, table, "--names")
    assert {name: row["size"] for name, row in rows.items()} == {"007": 5, "7": 6, "Zlín": 7, "Brno": 8}
    notice = "m.csv: the column 'code' has the names (--metadata-id for another)\n"
    assert printed == notice
    assert joined(NAMED, table, "--names", "-q")[1] == ""
    rows, printed = joined(NAMED, table, "--names", "--metadata-id", "town")
    assert {name: row["size"] for name, row in rows.items()} == {
        "007": None,
        "7": None,
        "Zlín": None,
        "Brno": 5,
    }
    assert "there is no column 'x'; the columns are town, size, code" in joined(
        NAMED, table, "--names", "--metadata-id", "x"
    )
    # a column called id that has few of the names, and one of ages that are also vertices
    rows, printed = joined(NAMED, table.replace("town", "id"), "--names")
    assert ({name: row["size"] for name, row in rows.items()}["Zlín"], printed) == (7, notice)
    graph = "u,v,w\n0,1,4\n1,2,3\n2,3,9\n"
    rows, printed = joined(graph, "age,station\n1,0\n1,1\n2,2\n3,3\n")
    assert {name: row["age"] for name, row in rows.items()} == {"0": 1, "1": 1, "2": 2, "3": 3}
    assert "the column 'station' has the names" in printed
    assert "columns 'age' and 'station' may hold the names: write --metadata-id COLUMN" in (
        joined(graph, "age,station\n3,0\n1,1\n2,2\n")
    )


def test_what_users_of_profiles_write(tmp_path, refuse):
    path, table, book = tmp_path / "p.csv", tmp_path / "m.csv", tmp_path / "m.xlsx"
    path.write_text("id,a,b\nx,1,2\ny,1,3\n")
    table.write_text("id,Ward\nx,1\ny,2\n")
    book.write_bytes(b"PK")
    command = ["plot", path, "--profiles", "-o", tmp_path / "p.png"]
    refuse("these are 'id', 'Ward'; is it 'Ward'?", *command, "--metadata", table, "--colors", "ward")
    refuse("m.xlsx: a workbook: save it as CSV", *command, "--metadata", book, "--colors", "Ward")
    refuse("m.xlsx: a workbook: save it as CSV", "solve", book, "--profiles", "--format", "csv")
    refuse("network take --collapse-at WEIGHT", *command, "--threshold", "5")


def test_names_of_files_are_names_of_strains(joined):
    """pandas joins them by a column that has the names without folders and endings."""
    pandas = pytest.importorskip("pandas")
    files = ["A12.fasta", "runs/B 7_contigs.fa", "C.fna.gz", "D.1", "E"]
    graph = "from,to,w\n" + "".join(f"{a},{b},1\n" for a, b in itertools.pairwise(files))
    frame = pandas.DataFrame({"strain": ["E", "D.1", "C", "B 7", "A12"], "x": [5, 4, 3, 2, 1]})
    expected = frame.set_index("strain")["x"].loc[["A12", "B 7", "C", "D.1", "E"]].tolist()
    rows, printed = joined(graph, frame.to_csv(index=False))
    assert [rows[name]["x"] for name in files] == expected
    assert "endings of files, numbers before a bar, or blanks, in any case, as 'C' with 'C.fna.gz'" in printed
    text = "m.csv: column 'id': the table has 'A12', which may be the vertex 'A12.fasta' or 'A12.fna'"
    assert text in joined("from,to,w\nA12.fasta,A12.fna,1\n", "id,x\nA12,1\nB,2\n")
    text = "the table has the vertex 'A12.fasta' twice"
    assert text in joined("from,to,w\nA12.fasta,B,1\n", "id,x\nA12,1\nA12.fa,2\n")
    rows, printed = joined("from,to,w\nA12.fasta,A12,1\n", "id,x\nA12,1\n")
    assert (rows["A12"]["x"], rows["A12.fasta"]["x"]) == (1, None)
    assert "matched" not in printed
    rows, printed = joined("from,to,w\nA12.fasta,B,1\n", "id,x\nA12.fasta,1\nA12.fna,2\nB,3\n")
    assert ([row["x"] for row in rows.values()], "matched" in printed) == ([1, 3], False)


def test_any_order_of_rows_is_what_pandas_joins(joined):
    import pandas

    rng = np.random.default_rng(3)
    graph = "from,to,w\n" + "".join(f"v{k},v{k + 1},{rng.integers(9)}\n" for k in range(30))
    frame = pandas.DataFrame({"id": [f"v{k}" for k in range(5, 40)], "x": rng.integers(0, 99, 35)})
    frame = frame.sample(frac=1, random_state=1)
    rows, printed = joined(graph, frame.to_csv(index=False), "--colors", "x")
    expected = pandas.DataFrame({"id": list(rows)}).merge(frame, how="left")["x"]
    assert [row["x"] for row in rows.values()] == [None if x != x else x for x in expected]
    first, *others = (name for name in frame["id"] if int(name[1:]) > 30)
    assert printed == (
        f"warning: m.csv: column 'id': 9 of 35 rows are left out: the table has '{first}', which is no "
        f"vertex (others are '{others[0]}', '{others[1]}')\n"
        "warning: m.csv: 5 of 31 names have no row, the first is 'v0': they have no value\n"
    )


def test_numbers_are_the_ids_of_the_file(joined):
    graph, metadata = "u,v,w\n1,2,4\n2,3,3\n", "vertex,c\n3,z\n001,x\n2,y\n"
    rows, printed = joined(graph, metadata, "--one-based")
    assert ({name: row["c"] for name, row in rows.items()}, printed) == ({"1": "x", "2": "y", "3": "z"}, "")
    rows, printed = joined(graph, metadata)
    assert {name: row["c"] for name, row in rows.items()} == {"0": None, "1": "x", "2": "y", "3": "z"}
    assert "1 of 4 names have no row" in printed


def test_profiles_have_a_row_each(joined):
    """Also those that are one vertex; the column of names may be called as in their file."""
    profiles, metadata = "Strain,a,b\nS1,1,1\nS2,1,1\nS3,1,2\n", "host,Strain\nh,S2\ng,S3\n"
    for options in [], ["--id", "Strain"]:
        rows, printed = joined(profiles, metadata, "--profiles", "--collapse", *options)
        assert {name: row["host"] for name, row in rows.items()} == {"S1": None, "S2": "h", "S3": "g"}
        assert "m.csv: 1 of 3 names have no row, the first is 'S1'" in printed


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        (
            "id,c\na,1\nb,2\n",
            "m.csv: column 'id': the table has 'a', which is no vertex; the first ones are '007', 'Brno',",
        ),
        ("id,c\nBrno,1\n7,2\nBrno,3\n", "m.csv:4: 'Brno' is in line 2, too, with another value in the"),
        ("id,c\n", "m.csv: 4 of 4 names have no row"),
    ],
)
def test_rows_that_do_not_match(joined, metadata, message):
    found = joined(NAMED, metadata, "--names")
    assert message in (found if isinstance(found, str) else found[1])


def test_numbers_that_do_not_match(joined):
    message = "m.csv: column 'a': the table has 'x', which is no vertex; they are numbers from {}"
    graph, metadata = "u,v,w\n1,2,4\n2,3,3\n", "a,c\nx,1\ny,1\nz,1\nt,1\n"
    assert message.format("1 to 3") in joined(graph, metadata, "--one-based")
    assert message.format("0 to 3") in joined(graph, metadata)
    assert "the table has '4', which is no vertex" in joined(graph, "id,c\n1,x\n4,y\n", "--one-based")


def test_a_map_has_the_colors(tmp_path, run):
    pytest.importorskip("pandas")
    (tmp_path / "g.csv").write_text(NAMED)
    (tmp_path / "m.csv").write_text("id,kind\n7,spring\nZlín,well\n")
    command = ["plot", tmp_path / "g.csv", "--names", "--metadata", tmp_path / "m.csv", "--colors", "kind"]
    assert run(*command, "-o", tmp_path / "map.svg").code == 0
    text = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert all(entry in text for entry in ("kind", "spring (1)", "well (1)", "no value (2)"))


def test_strains_at_distance_0_are_one_vertex(tmp_path, run):
    """A picture of profiles: equal ones, and with --collapse-at those that differ only in missing alleles."""
    path, output = tmp_path / "p.csv", tmp_path / "p.svg"
    path.write_text("id,L1,L2\na,1,1\nb,1,0\nc,1,1\nd,7,7\n")
    command = ["plot", path, "--profiles", "--missing", "ignore", "--collapse", "-o", output]
    result = run(*command)
    assert result.out == f"{output}: 2 edges of 3 vertices\n"
    assert "4 strains are 3 different profiles, but 2 groups at distance 0" in result.err
    assert "boruvka plot --collapse-at 0 draws one vertex of each group" in result.err
    result = run(*command, "--collapse-at", "0")
    assert (result.out, "distance 0" in result.err) == (f"{output}: 1 edges of 2 vertices\n", False)


def test_a_comparison_is_no_forest(tmp_path, refuse):
    path = tmp_path / "both.csv"
    path.write_text("u,v,w,plan,weight_first,weight_second\na,b,1,both,1,1\nb,c,2,only first,2,\n")
    for option in "--network", "--maximum", "--collapse-at 1", "--longest 9.0", "--fewest 2":
        message = f"{option} is not for a comparison"
        refuse(message, "plot", path, *option.split(), "-o", tmp_path / "a.svg")


def test_edges_as_long_as_their_weights(tmp_path, run, refuse):
    (tmp_path / "g.csv").write_text("u,v,w\na,b,1\nb,c,3\n")
    command = ["plot", tmp_path / "g.csv", "--coordinates"]
    assert run(*command, "weight", "-o", tmp_path / "a.html").code == 0
    data = json.loads(re.search(r'json">(.*?)</script>', (tmp_path / "a.html").read_text())[1])
    a, b, c = np.column_stack([data["x"], data["y"]])
    assert np.linalg.norm(b - c) == pytest.approx(3 * np.linalg.norm(a - b), rel=1e-5)
    assert run(*command, "log", "-o", tmp_path / "a.svg").code == 0
    refuse("--coordinates log is for minimum forests", *command, "log", "--maximum", "-o", tmp_path / "b.svg")
    (tmp_path / "xy.csv").write_text("id,x,y\n")
    refuse("have no finite coordinates", *command, tmp_path / "xy.csv", "-o", tmp_path / "b.svg")


@pytest.mark.parametrize(
    ("command", "is_shown"), [("solve", True), ("network", True), ("plot", True), ("steiner", False)]
)
def test_help_on_profiles(run, command, is_shown):
    """Commands that read profiles list the options for these."""
    text = run(command, "-h").out
    assert all((option in text) == is_shown for option in ("--profiles", "--collapse ", "--missing TEXT"))


@pytest.mark.parametrize(
    ("ids", "is_warned"), [("123", True), ("132", True), ("013", False), ("0123", False)]
)
def test_metadata_of_points_numbered_from_one(ids, is_warned, run, tmp_path):
    """Points without names are numbered from 0."""
    points, table = tmp_path / "p.csv", tmp_path / "m.csv"
    points.write_text("x,y\n1,2\n3,4\n5,6\n7,7\n")
    table.write_text("id,kind\n" + "".join(f"{x},a\n" for x in ids))
    options = "--points", "--metadata", table, "--colors", "kind", "-o", tmp_path / "p.html"
    result = run("plot", points, *options)
    assert result.code == 0
    assert (
        "has numbers from 1, and vertices are numbered from 0: name the points (--id" in result.err
    ) == is_warned
