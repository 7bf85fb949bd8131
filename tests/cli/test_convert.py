import sys

import numpy as np
import pytest

import boruvka
from boruvka.errors import FormatError
from tests.formats.libraries.test_vector_maps import LINES, save

COMMON = ["npz", "csv.gz"]
OTHERS = ["csv", "tsv", "parquet", "gr", "mtx", "stp", "el", "gr.zst"]


@pytest.mark.parametrize("ending", [*COMMON, *(pytest.param(e, marks=pytest.mark.long) for e in OTHERS)])
def test_convert_solve_and_verify_through_files(tmp_path, ending, run):
    original = tmp_path / "g.npz"
    u, v, w = np.random.default_rng(3).integers([[0], [0], [-9]], [[60], [60], [9]], (3, 200))
    boruvka.write((u, v, w), original)
    converted, again, forest = (tmp_path / f"{name}.{ending}" for name in ("converted", "again", "forest"))
    assert run("convert", original, converted) == (0, "", "")
    assert run("convert", converted, again) == (0, "", "")
    assert run("solve", converted, "-o", forest, "--backend", "interpreted").code == 0
    assert run("verify", again, forest).code == 0
    first, last = boruvka.read(original), boruvka.read(again)
    for name in "uvw":
        np.testing.assert_array_equal(getattr(first, name), getattr(last, name))


def test_output_is_checked_before_the_input(tmp_path, refuse):
    refuse("graph.xyz", "convert", "absent.csv", tmp_path / "graph.xyz")
    refuse("graph.csv", "convert", "absent.csv", tmp_path / "nowhere" / "graph.csv")
    refuse("only read", "convert", "absent.csv", tmp_path / "graph.osm.pbf")
    refuse("nonsense", "convert", "absent.csv", tmp_path / "graph.csv", "--to", "nonsense")
    assert list(tmp_path.iterdir()) == []


def test_a_missing_library_is_noticed_before_the_input_is_read(tmp_path, refuse, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    for command in ["convert", "absent.csv"], ["solve", "absent.csv", "-o"], ["generate", "star", "-o"]:
        refuse('pip install "boruvka[networkx]"', *command, tmp_path / "graph.graphml")
        refuse('pip install "boruvka[networkx]"', *command, tmp_path / "graph", "--to", "gml")
    for name, extra in ("a.osm", "osm"), ("a.gpkg", "geo"), ("a.gml", "networkx"):
        for library in "osmium", "shapely":
            monkeypatch.setitem(sys.modules, library, None)
        path = tmp_path / name
        path.write_text("")
        refuse(f'pip install "boruvka[{extra}]"', "solve", path)


def test_names_that_are_coordinates_become_text(tmp_path, run):
    """Files hold no pairs of numbers as names, and `write` refuses them."""
    roads, table, forest = tmp_path / "roads.geojson", tmp_path / "roads.csv", tmp_path / "forest.csv"
    save(roads, LINES)
    graph = boruvka.read(roads)
    assert graph.names[0] == (13.0, 52.0)
    with pytest.raises(FormatError, match=r"these are tuple; graph\.with_names\(map\(str, graph\.names\)\)"):
        boruvka.write(graph, table)
    assert run("convert", roads, table).code == 0
    assert boruvka.read(table).names.tolist() == [str(name) for name in graph.names]
    assert run("solve", roads, "-o", forest, "--backend", "interpreted").code == 0
    assert run("verify", roads, forest).code == 0
