"""Points on the command line: solved, verified and summarised; options that are not for them are refused."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

import boruvka
from tests.oracles import kruskal

POINTS = np.random.default_rng(1).random((60, 2))


@pytest.fixture
def points_file(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("".join(["name,x,y\n", *(f"p,{x},{y}\n" for x, y in POINTS.tolist())]))
    return path


def test_solve_and_verify(points_file, tmp_path, run):
    for ending in ("csv", "parquet", "gr") if find_spec("polars") else ("csv", "gr"):
        forest = tmp_path / f"forest.{ending}"
        result = run("solve", points_file, "--points", "--verify", "-o", forest)
        assert result.code == 0
        assert result.err == f"{points_file}: coordinates are x, y, not name (--columns names others)\n"
        for words in ("edges         1,770\n", "metric        euclidean\n", "forest edges  59\n"):
            assert words in result.out
        result = run("verify", points_file, forest, "--points", "--columns", "x,y")
        assert (result.code, result.err) == (0, "")
        assert "every edge was checked" in result.out
        assert run("verify", points_file, forest, "--points", "--columns", "x").code == 1
    table = np.genfromtxt(tmp_path / "forest.csv", delimiter=",", names=True)
    assert table.dtype.names == ("edge", "source", "target", "weight")
    u, v = np.triu_indices(60, 1)
    distances = np.linalg.norm(POINTS[u] - POINTS[v], axis=1)
    heights = np.sort(distances[kruskal(60, u, v, distances)])
    np.testing.assert_allclose(np.sort(table["weight"]), heights, rtol=1e-12)
    ends = POINTS[table["source"].astype(int)] - POINTS[table["target"].astype(int)]
    np.testing.assert_allclose(np.linalg.norm(ends, axis=1), table["weight"], rtol=1e-12)


@pytest.mark.parametrize("command", [["solve"], ["clusters", "--at", "1"]])
@pytest.mark.parametrize("scale", [[], ["--scale"]])
def test_warnings_of_numbers_as_they_are_in_the_file(command, scale, tmp_path, run):
    path = tmp_path / "p.csv"
    path.write_text(
        "age,visits\n" + "".join(f"{-999 if i % 9 == 0 else 20 + i % 7},{i}\n" for i in range(36))
    )
    name, *more = command
    result = run(name, path, "--points", *more, *scale, "-o", tmp_path / "o.csv")
    assert (result.code, result.err.count("'age' is -999 in 4 of 36 points")) == (0, 1)


def test_json_and_options(points_file, run_json):
    report = run_json("solve", points_file, "--points", "--metric", "l1", "--maximum", "--threads", "1")
    assert (report["metric"], report["min_samples"], report["vertices"]) == ("l1", None, 60)
    graph = boruvka.Graph.from_points(POINTS, "manhattan")
    assert report["weight"] == boruvka.minimum_spanning_forest(graph, maximum=True).weight


def test_columns_without_names(tmp_path, run):
    path = tmp_path / "p.csv"
    path.write_text("1,a,2\n3,b,4\n")
    message = f"{path}: coordinates are 0, 2, not 1 (--columns names others)\n"
    assert run("info", path, "--points").err == message
    path.write_text("1,2\n3,4\n")
    assert run("info", path, "--points").err == ""


def test_columns_and_positions(points_file, run_json):
    by_name = run_json("solve", points_file, "--points", "--columns", "y,x")
    assert by_name["weight"] == run_json("solve", points_file, "--points", "--columns", "2,1")["weight"]


def test_a_wrong_forest(points_file, tmp_path, run):
    forest = tmp_path / "forest.csv"
    run("solve", points_file, "--points", "-q", "-o", forest)
    lines = forest.read_text().splitlines()
    forest.write_text("\n".join(lines[:-1]))
    result = run("verify", points_file, forest, "--points")
    assert result.code == 1
    assert "verification failed: " in result.err
    forest.write_text("edge,source,target,weight\n0,0,1,99\n")
    assert (
        "without header or root): it is edge 0 (0, 1)" in run("verify", points_file, forest, "--points").err
    )


def test_ids_beside_coordinates(tmp_path, run_json, refuse):
    """An error about ids names --id, and info takes the columns that solve takes."""
    path = tmp_path / "c.csv"
    path.write_text("ra,dec,OBJID\n10,5.5,1237645879551003367\n11,5,1237645879551003368\n")
    refuse("pass --id OBJID", "solve", path, "--points", "--metric", "euclidean")
    facts = run_json("info", path, "--points")
    assert (facts["columns"], facts["ranges"]) == (["dec", "ra"], [[5, 5.5], [10, 11]])


def test_degrees(tmp_path, run_json, refuse):
    path = tmp_path / "cities.csv"
    path.write_text("city,lat,lon\nBrno,49.2,16.6\nPraha,50.1,14.4\nZlin,49.2,17.7\n")
    weight = run_json("solve", path, "--points", "--metric", "haversine", "--degrees")["weight"]
    assert weight * 6371 == pytest.approx(187.3 + 79.9, abs=1)  # kilometres
    report = run_json("solve", path, "--points", "--degrees")
    assert (report["weight"], report["metric"], report["unit"]) == (
        pytest.approx(weight * 6371.0088),
        "great_circle",
        "km",
    )
    message = f"{path}:2: 49.2 is not a latitude in radians, from -1.571 to 1.571; for degrees pass"
    refuse(f"{message} --degrees", "solve", path, "--points", "--metric", "haversine")
    columns = ["--columns", "lon,lat", "--metric", "haversine", "--degrees"]
    assert run_json("solve", path, "--points", *columns, "-q")["weight"] == weight


def test_info(points_file, run, run_json):
    found = run_json("info", points_file, "--points")
    low, high = POINTS.min(axis=0).tolist(), POINTS.max(axis=0).tolist()
    assert found == {
        "points": 60,
        "distinct_points": 60,
        "coordinates": 2,
        "type": "float64",
        "columns": ["x", "y"],
        "ranges": [[low[0], high[0]], [low[1], high[1]]],
    }
    lines = run("info", points_file, "--points").out.splitlines()
    assert "distinct points  60" in lines
    assert lines[-2] == "columns          x, y"
    assert lines[-1].startswith("ranges           0.")


def test_info_of_embeddings(tmp_path, run):
    path = tmp_path / "embeddings.parquet"
    pytest.importorskip("polars").DataFrame({"v": [[1.0, 2.0], [1.0, 2.0]]}).write_parquet(path)
    assert run("info", path, "--points").out.splitlines() == [
        "points           2",
        "distinct points  1",
        "coordinates      2",
        "type             float64",
        "columns          v",
    ]


def test_standard_streams(points_file, monkeypatch, run):
    import io
    import sys

    class Stream:
        buffer = io.BytesIO(points_file.read_bytes())

    monkeypatch.setattr(sys, "stdin", Stream)
    result = run("solve", "-", "--points", "--format", "csv", "--json")
    assert (result.code, json.loads(result.out)["vertices"]) == (0, 60)


def test_options_of_edges(points_file, refuse):
    options = "--zero-based", "--one-based", "--unweighted", "--names", "--no-names"
    for option in (*options, "--vertices 9", "--memory 1G"):
        message = f"{option} is for edges: leave it out with --points"
        refuse(message, "solve", points_file, "--points", *option.split())
        refuse(message, "verify", points_file, "forest.csv", "--points", *option.split())
        if option != "--memory 1G":
            refuse(message, "info", points_file, "--points", *option.split())


def test_options_that_do_not_fit(points_file, refuse):
    for option in ["--checkpoint", "c"], ["--partition-by", "edges"], ["--method", "m"], ["--backend", "mpi"]:
        message = f"{' '.join(option)} is for edges: leave it out with --points"
        refuse(message, "solve", points_file, "--points", *option)
    for option in ["--metric", "l1"], ["--min-samples", "3"], ["--degrees"], ["--null", "-9"]:
        refuse(f"{' '.join(option)} is for points: write --points too", "solve", points_file, *option)
    refuse("leave out --metric", "solve", points_file, "--points", "--degrees", "--metric", "l1")
    refuse("--layer a is for maps: leave it out", "solve", points_file, "--points", "--layer", "a")
    refuse("leave it out, info shows points", "info", points_file, "--points", "--min-samples", "3")
    refuse("leave it out, info shows points", "info", points_file, "--points", "--box", "1")
    refuse("--box 2 is for points: write --points too", "solve", points_file, "--box", "2")
    refuse("'--box': expected a number, got 'x'", "solve", points_file, "--points", "--box", "1,x")
    refuse("--box is a positive length, or one for", "solve", points_file, "--points", "--box", "-500")
    refuse("--wrap needs --box", "solve", points_file, "--points", "--wrap")
    refuse("got 'l3'", "solve", points_file, "--points", "--metric", "l3")


def test_mutual_reachability(points_file, run_json):
    report = run_json("solve", points_file, "--points", "--min-samples", "5", "--verify")
    matrix = boruvka.Graph.from_mutual_reachability(boruvka.Graph.from_dense(distances(), null_value=None), 5)
    expected = boruvka.minimum_spanning_forest(matrix).weight
    assert report["weight"] == pytest.approx(expected, rel=1e-12)
    assert (report["min_samples"], report["verified"]) == (5, True)


def test_a_periodic_box(tmp_path, run_json, run):
    path, tree = tmp_path / "points.csv", tmp_path / "tree.csv"
    np.savetxt(path, np.random.default_rng(1).random((50, 2)), delimiter=",", fmt="%.3f")
    points = np.loadtxt(path, delimiter=",")
    for text, box in ("1", 1), ("1,inf", [1, np.inf]):
        option = "--points", "--box", text
        report = run_json("solve", path, *option, "--verify", "-o", tree)
        graph = boruvka.Graph.from_points(points, box=box)
        assert report["weight"] == boruvka.minimum_spanning_forest(graph).weight
        assert (report["metric"], report["verified"]) == ("euclidean", True)
        assert report["box"] == [1, None if text == "1,inf" else 1]
        assert run("verify", path, tree, *option).code == 0
        assert run("verify", path, tree, "--points").code != 0
    path.write_text("x,y\n-0.05,1\n1.00003,0.5\n0.5,0.5\n")
    found = run("solve", path, "--points", "--box", "1", "--wrap", "--json")
    assert json.loads(found.out)["weight"] == pytest.approx(0.49997 + np.hypot(0.05003, 0.5))
    assert "2 of 3 points are outside of the periodic box, and are wrapped" in found.err
    found = run("solve", path, "--points", "--box", "0.9", "--wrap")
    assert "points extend over 1.05003 on axis 0, the periodic box over 0.9: correct --box" in found.err


def distances():
    return np.linalg.norm(POINTS[:, None] - POINTS, axis=2)


def test_names_of_points(tmp_path, run, refuse):
    (tmp_path / "places.csv").write_text("city,x,y\nUlm,1,2\nBonn,3,4\nKiel,7,1\n")
    for column in "city", "0":
        result = run(
            "solve", tmp_path / "places.csv", "--points", "--id", column, "-o", tmp_path / "forest.csv"
        )
        assert result.code == 0
        assert boruvka.read(tmp_path / "forest.csv").names.tolist() == ["Ulm", "Bonn", "Kiel"]
    refuse("no column 'town'", "solve", tmp_path / "places.csv", "--points", "--id", "town")
    refuse("--id city is for points: write --points too", "solve", tmp_path / "places.csv", "--id", "city")


def test_profiles(tmp_path, run, refuse):
    """A table of strains: its header begins with "#", alleles are missing, and two strains are equal."""
    pl = pytest.importorskip("polars")
    path, forest = tmp_path / "strains.txt", tmp_path / "forest.csv"
    path.write_text("#Name\tgene one\tgene two\nA\t1\t2\nB\t1\t2\nC\t1\t-\nD\t4\t5\n")
    given = "solve", path, "--profiles", "--id", "#Name"
    refuse("profile 'C' has no allele at 'gene two'; 1 are missing, in 1 profiles; --missing ignore", *given)
    result = run(*given, "--missing", "ignore", "--collapse", "--verify", "--json")
    assert "4 strains are 3 different profiles, but 2 groups at distance 0" in result.err
    report = json.loads(result.out)
    assert (report["vertices"], report["weight"], report["verified"]) == (3, 1, True)
    assert run(*given, "--missing", "differ", "-o", forest).code == 0
    table = pl.read_csv(forest)
    assert list(zip(table["source"], table["target"], table["weight"], strict=True)) == [
        ("A", "B", 0),
        ("A", "C", 1),
        ("A", "D", 2),
    ]
    assert run("verify", path, forest, "--profiles", "--id", "#Name", "--missing", "differ").code == 0
    refuse("write --points or --profiles, not both", *given, "--points")
    refuse("--metric l1 is for points", *given, "--metric", "l1")
    refuse("--collapse is for edges: leave it out with --points", "solve", path, "--points", "--collapse")
    refuse("--backend mpi is for edges", *given, "--backend", "mpi")


@pytest.mark.filterwarnings("default")  # which the command prints
def test_columns_of_profiles(tmp_path, run):
    """The type of a strain is no locus, and the first column holds the names; `--columns` names others."""
    pl = pytest.importorskip("polars")
    path, forest = tmp_path / "strains.profile", tmp_path / "forest.csv"
    path.write_text("#Strain\tST\tL1\tL2\nA\t7\t1\tINF-2\nB\t8\t-1\t2\nC\t9\t1\tLNF\nD\t9\t4\t*5\n")

    def solve(*options):
        result = run("solve", path, "--profiles", "--missing", "ignore", "-o", forest, *options)
        assert result.code == 0, result.err
        table = pl.read_csv(forest)
        return table["source"].to_list(), table["weight"].sum(), result.err

    assert solve() == (
        ["A", "A", "B"],
        1,
        "warning: the column '#Strain' holds the names of strains; "
        "1 column is no locus, and left out: 'ST'; name the loci with --columns, or others with --not-loci\n",
    )
    assert solve("--id", "#Strain")[1:] == (
        1,
        "warning: 1 column is no locus, and left out: 'ST'; name the loci with --columns, or others with "
        "--not-loci\n",
    )
    assert solve("--columns", "L1,L2") == (["A", "A", "B"], 1, "")
    assert solve("--columns", "1,2,3")[1:] == (3, "")


def test_lines_about_columns(tmp_path, run):
    """Standard error says which columns hold names and degrees."""
    path = tmp_path / "places.csv"
    path.write_text("id,lat,lon,people\n7,50,7,1\n8,51,7,2\n9,50,8,3\n")
    kilometres = "distances are great_circle, in km (--metric names others)"
    for options, said in {
        "": f"coordinates are lat, lon, not people; id holds the names; {kilometres}",
        "--columns lat,lon": f"coordinates are lat, lon; id holds the names; {kilometres}",
        "--columns people": "coordinates are people; id holds the names (--id names others)",
        "--metric euclidean": "coordinates are lat, lon, people; id holds the names (--columns names others)",
    }.items():
        result = run("solve", path, "--points", *options.split(), "-o", tmp_path / "forest.csv")
        assert (result.code, result.err) == (0, f"{path}: {said}\n")
        assert {*map(int, boruvka.read(tmp_path / "forest.csv").names)} == {7, 8, 9}


def test_names_of_points_that_are_not_recognised(tmp_path, run):
    places, forest = tmp_path / "places.csv", tmp_path / "forest.csv"
    places.write_text("ID2,x,y,z\n11,1,1,1\n12,1,2,1\n13,1,1,4\n")
    assert run("solve", places, "--points", "--id", "ID2", "-o", forest).code == 0
    said = run("verify", places, forest, "--points").err
    assert "the vertex is 11, which the graph does not have: pass --id COLUMN for points" in said
    assert run("verify", places, forest, "--points", "--id", "ID2").code == 0
    assert "it looks like points: pass --points" in run("solve", places).err


@pytest.mark.filterwarnings("default")  # which the command prints
def test_points_that_are_left_out_keep_the_numbers_of_others(tmp_path, run, refuse):
    """As pandas numbers rows: a table of clusters is joined to the file by them."""
    path, out = tmp_path / "gap.csv", tmp_path / "out.csv"
    text = "x,y\n0,0\n{},3\n0.1,0\n0,0.1\n9,9\n9.1,9\n9,9.1\n"
    for gap, given in ("", ("--missing", "drop")), ("-999", ("--null", "-999")):
        path.write_text(text.format(gap))
        for command in (("clusters", "--at", "1"), ("clusters", "--min-cluster-size", "3"), ("solve",)):
            command = command[0], path, "--points", *command[1:], *given
            assert run(*command, "-o", out).code == 0
            rows = [line.split(",") for line in out.read_text().splitlines() if line[0].isdigit()]
            if command[0] == "solve":
                assert {*rows[0][1:3], *rows[1][1:3]} == {"0", "2", "3"}
            else:
                assert [row[0] for row in rows] == ["0", "2", "3", "4", "5", "6"]
                assert len({row[1] for row in rows[:3]}) == 1 < len({row[1] for row in rows})
        assert run("path", path, "2", "6", "--points", *given).out.startswith("edge,source,target")
        assert run("verify", path, out, "--points", *given).code == 0
    path.write_text(text.format(""))
    for size in ("--at", "1"), ("--min-cluster-size", "2"):
        refuse("or pass --missing drop to leave such points out", "clusters", path, "--points", *size)


def test_missing_rows(tmp_path, run, refuse):
    path = tmp_path / "edges.csv"
    path.write_text("from,to,km\na,b,1\n,b,2\na,c,\na,d,4\n")
    given = "solve", path, "--columns", "from,to,km"
    refuse("edges.csv:3: 1 row has no end and 1 row has no weight; --missing drop leaves", *given)
    result = run(*given, "--missing", "drop", "--default-weight", "2.5", "--json")
    assert (json.loads(result.out)["weight"], result.err) == (
        7.5,
        "warning: 1 of 4 rows are left out: 1 row has no end; edges are numbered without them\n",
    )
    result = run(*given, "--missing", "drop")
    assert (result.code, "2 of 4 rows are left out: 1 row has no end and 1 row" in result.err) == (0, True)
    result = run(*given, "--memory", "64G", "--missing", "drop")
    assert (result.code, "2 of 4 rows are left out: 1 row has no end and 1 row" in result.err) == (0, True)
