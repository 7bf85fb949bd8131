import pytest
from PIL import Image


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr("boruvka.solve.best_backend", lambda size: "interpreted")


def test_gif(graph_file, tmp_path, run):
    output, places = tmp_path / "rounds.gif", tmp_path / "places.csv"
    places.write_text("x,y\n0,0\n1,0\n1,1\n5,5\n6,5\n")
    result = run("animate", graph_file, "--coordinates", places, "-o", output, "--seconds", "0.2")
    assert result == (0, f"{output}: 1 rounds, 5 vertices\n", "")
    with Image.open(output) as gif:
        assert gif.n_frames == 2


def test_page(graph_file, tmp_path, run):
    output = tmp_path / "rounds.html"
    assert run("animate", graph_file, "-o", output, "--maximum").code == 0
    assert "maximum spanning forest of 5 vertices" in output.read_text(encoding="utf-8")


def test_bad_output(graph_file, tmp_path, refuse):
    refuse("an animation ends in .gif or .html", "animate", graph_file, "-o", tmp_path / "rounds.mp4")
    refuse("an animation ends in .gif or .html, or pass --to gif", "animate", graph_file, "-o", "-")
    refuse("No such file", "animate", graph_file, "-o", tmp_path / "nowhere" / "rounds.gif")
