import pytest

from boruvka.cli.solve import named_value
from tests.formats.libraries.test_vector_maps import LINES, save


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("flips", ("flips", True)),
        ("sequential-flips=yes", ("sequential_flips", True)),
        ("flips=No", ("flips", False)),
        ("flips=false", ("flips", False)),
        ("seed=-3", ("seed", -3)),
        ("seed=red", ("seed", "red")),
        ("seed=a=b", ("seed", "a=b")),
    ],
)
def test_named_value(text, named):
    name, value = named_value(text)
    assert (name, value, type(value)) == (*named, type(named[1]))


def test_columns(tmp_path, run_json, refuse):
    path = tmp_path / "table.csv"
    path.write_text("cost,from,to\n5,0,1\n7,1,2\n")
    for columns in ("from,to,cost", "1, 2, 0", "from,2,0"):
        info = run_json("info", path, "--columns", columns)
        assert (info["vertices"], info["largest_weight"]) == (3, 7)
    refuse("error: --columns: expected names or positions", "info", path, "--columns", "from,,to")
    refuse("length", "info", path, "--columns", "from,to,length")


def test_options_of_a_table(tmp_path, run_json):
    path = tmp_path / "table.csv"
    path.write_text("1,2,5\n2,3,7\n")
    info = run_json("info", path, "--one-based", "--no-header", "--vertices", "9", "--unweighted")
    assert (info["vertices"], info["isolated_vertices"], info["weights"]) == (9, 6, "uint8")
    assert run_json("info", path, "--header", "--columns", "0,1,2")["edges"] == 1
    assert run_json("info", path, "--zero-based")["vertices"] == 4


def test_format(tmp_path, run_json, refuse):
    path = tmp_path / "tiny.xyz"
    path.write_text("0 1 0.5\n1 2 0.25\n")
    assert run_json("info", path, "--format", "edges")["smallest_weight"] == 0.25
    refuse("nonsense", "info", path, "--format", "nonsense")


def test_layer(tmp_path, run_json, refuse):
    path = tmp_path / "map.gpkg"
    save(path, LINES, layer="roads", kind="Unknown")
    save(path, LINES[:1], layer="rail ways", kind="Unknown")
    refuse("more than one layer of lines: roads, rail ways; say which, as --layer roads", "info", path)
    assert run_json("info", path, "--layer", "rail ways")["edges"] == 1
    refuse("there is no layer 'rail'; there are roads, rail ways", "info", path, "--layer", "rail")
    path = tmp_path / "table.csv"
    path.write_text("u,v,w\n0,1,5\n")
    refuse("the format 'csv' does not take --layer", "info", path, "--layer", "roads")
