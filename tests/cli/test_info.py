import numpy as np
import pytest

import boruvka
from tests.formats.libraries.test_vector_maps import save


def test_info(graph_file, run, run_json):
    assert run_json("info", graph_file) == {
        "vertices": 5,
        "edges": 4,
        "self_loops": 0,
        "parallel_edges": 0,
        "isolated_vertices": 0,
        "components": 2,
        "mean_degree": 1.6,
        "largest_degree": 2,
        "weights": "int64",
        "smallest_weight": -7,
        "largest_weight": 5,
        "hints": [],
    }
    assert "largest degree     2\n" in run("info", graph_file).out


@pytest.mark.skipif(np.finfo(np.longdouble).maxexp <= 1024, reason="long double is double here")
def test_long_doubles(tmp_path, run_json):
    path = tmp_path / "g.npz"
    boruvka.write(([0, 1], [1, 2], np.array([1 / np.longdouble(3), np.longdouble("1e400")])), path)
    info = run_json("info", path)
    assert (info["smallest_weight"], info["largest_weight"]) == (1 / 3, "1e+400")
    assert info["weights"] == str(np.dtype(np.longdouble))


def test_hints(tmp_path, run, run_json, monkeypatch):
    path = tmp_path / "g.csv"
    path.write_text("u,v,w\n1,2,5\n2,3,4\n")
    hint = "vertex 0 has no edge, vertex 1 has: if ids begin at 1, read with --one-based"
    assert run_json("info", path)["hints"] == [hint]
    assert hint in run("info", path).out
    assert run_json("info", path, "--one-based")["hints"] == []
    path.write_text("u,v,w\n0,60,5\n")
    assert run_json("info", path)["hints"] == []
    monkeypatch.setattr("boruvka.cli.info.MANY_VERTICES", 50)
    (hint,) = run_json("info", path)["hints"]
    assert hint.startswith("most vertices have no edge")


def test_a_hint_on_lines_that_touch(tmp_path, run, run_json):
    shapely = pytest.importorskip("shapely")
    ends = [[(13, 52), (14, 52)], [(13.5, 52), (13.5, 53)]]
    path = tmp_path / "roads.gpkg"
    save(path, [shapely.LineString(line) for line in ends])
    hint = "1 ends of lines lie inside other lines, which are not joined there: --node splits lines where"
    for command in "info", "solve":
        (found,) = run_json(command, path)["hints"]
        assert found.startswith(hint)
        assert run_json(command, path, "--node")["hints"] == []
    assert run_json("solve", path, "--node")["components"] == 1
    assert "hints" in run("solve", path).out
