import numpy as np
import pytest
from PIL import Image

INTERPRETED = "boruvka.solve.best_backend"


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr(INTERPRETED, lambda size: "interpreted")


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


def test_other_formats(graph_file, tmp_path, run):
    assert run("plot", graph_file, "-o", tmp_path / "map.svg", "--graph-edges").code == 0
    assert "<svg" in (tmp_path / "map.svg").read_text()
    assert run("plot", graph_file, "-o", tmp_path / "map.pdf", "--maximum").code == 0
    assert (tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")


def test_dendrogram(tmp_path, run):
    path = tmp_path / "a.csv"
    path.write_text("u,v,w\n0,1,4\n1,2,3\n")
    assert run("plot", path, "--dendrogram", "-o", tmp_path / "tree.png").code == 0
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


def test_ids_from_1(tmp_path, run):
    graph, places = tmp_path / "a.csv", tmp_path / "places.csv"
    graph.write_text("u,v,w\n1,2,4\n2,3,3\n")
    places.write_text("id,lon,lat\n1,14,50\n2,16,49\n3,17,48\n")
    command = ["plot", graph, "--one-based", "--coordinates", places, "-o", tmp_path / "map.svg"]
    assert run(*command).code == 0


def test_bad_input(graph_file, coordinates, tmp_path, refuse):
    refuse("a picture ends in .png, .svg or .pdf", "plot", graph_file, "-o", tmp_path / "map.jpeg")
    refuse("No such file", "plot", graph_file, "-o", tmp_path / "nowhere" / "map.png")
    refuse("Missing option '-o'", "plot", graph_file)
    large = tmp_path / "large.csv"
    large.write_text("u,v,w\n0,5000,4\n")
    refuse("5,001 vertices needs --coordinates", "plot", large, "-o", tmp_path / "map.png")
    coordinates.write_text("id,x,y\n0,0,0\n")
    command = ["plot", graph_file, "--coordinates", coordinates, "-o", tmp_path / "map.png"]
    refuse("4 vertices that have edges have no finite coordinates", *command)
    assert not (tmp_path / "map.png").exists()
