"""Commands about graphs: info, convert and generate."""

import inspect
import sys
from dataclasses import replace
from functools import wraps

import numpy as np
import pytest

import boruvka
from boruvka.generators import FAMILIES
from tests.formats.libraries.test_vector_maps import LINES, save

COMMON = ["npz", "csv.gz"]
OTHERS = [pytest.param(e, marks=pytest.mark.long) for e in ("csv", "tsv", "gr", "mtx", "stp", "el")]
OTHERS += [
    pytest.param(e, marks=[pytest.mark.long, pytest.mark.needs(library)])
    for e, library in (("parquet", "polars"), ("gr.zst", "zstandard"))
]


@pytest.mark.parametrize("ending", [*COMMON, *OTHERS])
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
    for name, extra in ("a.osm", "osm"), ("a.gpkg", "geo"):
        for library in "osmium", "shapely":
            monkeypatch.setitem(sys.modules, library, None)
        path = tmp_path / name
        path.write_text("")
        refuse(f'pip install "boruvka[{extra}]"', "solve", path)


def test_names_that_are_coordinates_become_text(tmp_path, run):
    """Files hold no pairs of numbers as names."""
    roads, table, forest = tmp_path / "roads.geojson", tmp_path / "roads.csv", tmp_path / "forest.csv"
    save(roads, LINES)
    graph = boruvka.read(roads)
    assert graph.names[0] == (13.0, 52.0)
    names = [str(name) for name in graph.names]
    boruvka.write(graph, table)
    assert boruvka.read(table).names.tolist() == names
    assert run("convert", roads, table).code == 0
    assert boruvka.read(table).names.tolist() == names
    assert run("solve", roads, "-o", forest, "--backend", "interpreted").code == 0
    assert run("verify", roads, forest).code == 0


SIZES = {"kronecker": "--scale", "rmat": "--scale", "grid": "--rows"}


@pytest.fixture
def recorded(monkeypatch):
    """Replace the generators by functions of their signature that record their arguments."""
    passed = {}

    def replacement(family):
        @wraps(family.function)
        def record(*arguments, **named):
            passed.update(inspect.signature(family.function).bind(*arguments, **named).arguments)
            return boruvka.Graph.from_edges([0, 1], [1, 2], [5, 7])

        return replace(family, function=record)

    for name, family in FAMILIES.items():
        monkeypatch.setitem(FAMILIES, name, replacement(family))
    return passed


@pytest.mark.parametrize("name", FAMILIES)
def test_defaults_of_every_family(name, recorded, tmp_path, run):
    path, size = tmp_path / "g.npz", SIZES.get(name, "--n")
    result = run("generate", name, size, "8", "--seed", "4", "-o", path)
    assert result == (0, f"{path}: 3 vertices, 2 edges\n", "")
    defaults = {parameter.name: parameter.default for parameter in FAMILIES[name].parameters}
    assert recorded == defaults | {size[2:]: 8, "seed": 4}


def test_arguments_of_a_family(recorded, tmp_path, run):
    path = tmp_path / "g.dat"
    options = "--rows 3 --cols 5 --drop-probability 0.25 --shuffle --seed 7 --weights integers_8"
    result = run("generate", "grid", *options.split(), "--dtype", "int64", "-o", path, "--to", "npz")
    assert (result.code, result.err) == (0, "")
    assert recorded == {
        "rows": 3,
        "cols": 5,
        "drop_probability": 0.25,
        "shuffle": True,
        "seed": 7,
        "weights": "integers_8",
        "dtype": "int64",
    }
    assert boruvka.read(path, format="npz").w.tolist() == [5, 7]


@pytest.mark.long
@pytest.mark.parametrize("name", FAMILIES)
def test_generate_and_solve(name, tmp_path, run):
    path = tmp_path / "g.npz"
    size = [SIZES.get(name, "--n"), "8"]
    assert run("generate", name, *size, "-o", path).code == 0
    assert run("solve", path, "--verify", "-q") == (0, "", "")


# Info


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


def test_a_warning_of_ids(tmp_path, run):
    path = tmp_path / "g.csv"
    path.write_text("u,v,w\n1,2,5\n2,3,4\n")
    warning = "; if ids begin at 1, pass --one-based; if at 0, pass --vertices 4"
    assert warning in run("info", path).err
    assert run("info", path, "--one-based").err == ""
    path.write_text("u,v,w\n0,60,5\n")
    assert run("info", path, "--vertices", "61").err == ""


def test_a_hint_on_lines_that_touch(tmp_path, run, run_json):
    shapely = pytest.importorskip("shapely")
    ends = [[(13, 52), (14, 52)], [(13.5, 52), (13.5, 53)], [(13.2, 51), (13.2, 53)]]
    path = tmp_path / "roads.gpkg"
    save(path, [shapely.LineString(line) for line in ends])
    hint = "2 pairs of lines meet where no end is common, so that they are not joined there: --node splits"
    for command in "info", "solve":
        (found,) = run_json(command, path)["hints"]
        assert found.startswith(hint)
        assert run_json(command, path, "--node")["hints"] == []
    assert run_json("solve", path, "--node")["components"] == 1
    assert "hints" in run("solve", path).out
    save(path, [*map(shapely.LineString, ends[:1]), shapely.LineString([(13.5, 52.000001), (13.5, 53)])])
    for command in "info", "solve":
        (found,) = run_json(command, path, "--node")["hints"]
        assert found.startswith(
            "1 end of a line is at most 0.11 m from another line, and not joined to it, such as (13.5, 52"
        )
        assert found.endswith("--node 1 joins them")
        for how in (path, "--node", "1"), ("--node", "0.2", path), ("--node=0.2", path):
            assert run_json(command, *how)["hints"] == []
        assert run_json(command, "--node", path)["hints"] == [found]
