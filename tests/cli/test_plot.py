import numpy as np
import pytest
from PIL import Image

import boruvka
from boruvka import FormatError
from boruvka.cli.plot import _coordinates_of


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr("boruvka.algorithms.run.best_backend", lambda graph: "interpreted")


@pytest.fixture
def coordinates(tmp_path):
    path = tmp_path / "places.csv"
    path.write_text("id,x,y\n0,0,0\n1,1,0\n2,1,1\n3,5,5\n4,6,5\n")
    return path


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
    assert (
        run(*other).err
        == "hint: vertex 0 has no edge, vertex 1 has: if ids begin at 1, read with --one-based\n"
    )


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
        ("a page in .html, an animation in .gif; or pass --to png", ["plot", "{graph}", "-o", "-"]),
        ("--dpi 90 is for pictures", ["plot", "{graph}", "--dpi", "90", "-o", "{dir}/rounds.gif"]),
        ("--seconds 2.0 is for animations", ["plot", "{graph}", "--seconds", "2", "-o", "{dir}/map.png"]),
        ("--seconds 2.0 is for animations", ["plot", "{graph}", "--seconds", "2", "-o", "{dir}/tree.html"]),
        ("--start is for --algorithm prim", ["plot", "{graph}", "--start", "0", "-o", "{dir}/a.gif"]),
        (
            "--algorithm prim is for animations",
            ["plot", "{graph}", "--algorithm", "prim", "-o", "{dir}/a.png"],
        ),
        (
            "--start: 'x' is not a vertex",
            ["plot", "{graph}", "--algorithm", "prim", "--start", "x", "-o", "{dir}/a.gif"],
        ),
        ("is not one of 'boruvka'", ["plot", "{graph}", "--algorithm", "dijkstra", "-o", "{dir}/a.gif"]),
        ("--by weight is for pictures", ["plot", "{graph}", "--by", "weight", "-o", "{dir}/tree.html"]),
    ],
)
def test_bad_input(message, arguments, graph_file, tmp_path, refuse):
    (tmp_path / "one.csv").write_text("id,x,y\n0,0,0\n")
    before = set(tmp_path.iterdir())
    refuse(message, *(a.format(graph=graph_file, dir=tmp_path) for a in arguments))
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


def test_strains_at_distance_0_are_one_vertex(tmp_path, run):
    """A picture of profiles: equal ones, and with --collapse-at those that differ only in missing alleles."""
    path, output = tmp_path / "p.csv", tmp_path / "p.svg"
    path.write_text("id,L1,L2\na,1,1\nb,1,0\nc,1,1\nd,7,7\n")
    command = ["plot", path, "--profiles", "--missing", "ignore", "--collapse", "-o", output]
    result = run(*command)
    assert result.out == f"{output}: 2 edges of 3 vertices\n"
    assert "4 strains are 3 different profiles, but 2 groups at distance 0" in result.err
    assert "boruvka plot --collapse-at 0 draws one vertex of each group" in result.err
    assert run(*command, "--collapse-at", "0").out == f"{output}: 1 edges of 2 vertices\n"


@pytest.mark.parametrize(
    ("command", "is_shown"), [("solve", True), ("network", True), ("plot", True), ("steiner", False)]
)
def test_help_on_profiles(run, command, is_shown):
    """Commands that read profiles list the options for these."""
    text = run(command, "-h").out
    assert all((option in text) == is_shown for option in ("--profiles", "--collapse ", "--missing TEXT"))
