"""The examples in the help are commands that work."""

import json
import shlex

import numpy as np
import pytest

from boruvka import Graph, generators, write
from boruvka.cli.main import COMMANDS, app


def examples_of(command):
    """List the command lines at the end of a help text."""
    _, _, lines = command.help.partition("Example")
    return [line.strip() for line in lines.splitlines()[1:] if line.strip()]


EXAMPLES = {name: examples_of(app.get_command(None, name)) for name in COMMANDS}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that examples name."""
    monkeypatch.chdir(tmp_path)
    write(generators.grid(6, 7, dtype="int64"), "graph.gr")
    (tmp_path / "roads.csv").write_text("name,from,to,cost\na,0,1,5\nb,1,2,3\n")
    (tmp_path / "places.csv").write_text(
        "id,x,y\n" + "".join(f"{i + 1},{i % 7},{i // 7 + 9 * (i > 20)}\n" for i in range(42))
    )
    (tmp_path / "halos.csv").write_text("x,y,z\n1,2,3\n4,5,6\n1,1,20\n1,2,4\n")
    (tmp_path / "profiles.txt").write_text("Strain\tarcC\taroE\na\t1\t1\nb\t1\t2\nc\t2\t1\n")
    (tmp_path / "new.tsv").write_text("Strain\taroE\tarcC\nd\t1\t2\n")
    (tmp_path / "strains.csv").write_text("Strain,country\nc,FR\na,CZ\nb,CZ\n")
    (tmp_path / "customers.csv").write_text("id,prize\n1,7\n2,2\n")
    (tmp_path / "cables.csv").write_text("source,target,weight\nx,y,3\ny,z,4\nz,x,5\n")
    (tmp_path / "similar.csv").write_text("source,target,weight\nx,y,3\ny,z,4\n")
    (tmp_path / "existing.csv").write_text("source,target,weight\nx,z,5\n")
    (tmp_path / "contacts.csv").write_text("source,target,weight\npatient-0,b,3\nb,c,4\nc,b,5\n")
    (tmp_path / "edges.csv").write_text("source,target,weight\nx,y,3\ny,z,4\n")
    (tmp_path / "monday.csv").write_text("source,target,weight\nx,y,3\n")
    windows = [f"{date},0,x,y,3" for date in ("2024-09-30", "2024-10-15")]
    (tmp_path / "windows.csv").write_text("\n".join(["date,edge,source,target,weight", *windows]))
    (tmp_path / "tuesday.csv").write_text("source,target,weight\ny,z,4\n")
    (tmp_path / "calls.csv").write_text("from,to,fee\ny,z,4\nz,x,2\n")
    (tmp_path / "vertices.csv").write_text("id,country\nz,FR\nx,CZ\ny,CZ\n")
    (tmp_path / "terminals.txt").write_text("1\n18\n42\n")
    dates, rows = (
        np.datetime64("2024-01-01") + np.arange(300),
        np.random.default_rng(1).uniform(1, 2, (300, 6)),
    )
    prices = [f"{date},{','.join(map(str, row))}" for date, row in zip(dates, rows, strict=True)]
    (tmp_path / "prices.csv").write_text("\n".join(["date,A,B,C,D,E,SPY", *prices]))
    line = {"type": "LineString", "coordinates": [[14.4, 50.1], [16.6, 49.2]]}
    (tmp_path / "roads.geojson").write_text(
        json.dumps({"type": "Feature", "properties": {}, "geometry": line})
    )
    geopandas = pytest.importorskip("geopandas")
    for name in "roads.gpkg", "detour.gpkg":
        geopandas.read_file("roads.geojson").to_file(name)
    (tmp_path / "kW.csv").write_text("name,lon,lat,kW\nplant,14.5,50.2,\nhouse,16.6,49.1,5\n")
    geopandas.GeoSeries.from_xy([14.5, 16.6], [50.2, 49.1], crs=4326).to_file("buildings.gpkg")
    (tmp_path / "edges").mkdir()
    write(Graph(3, [0, 1], [1, 2], [5, 3]), "edges/part.parquet")
    return tmp_path


@pytest.mark.parametrize(
    "name", [name for name in COMMANDS if name not in ("algorithms", "backends", "formats")]
)
def test_help_ends_with_examples_of_the_command(name, run):
    assert EXAMPLES[name]
    assert all(shlex.split(line)[:2] == ["boruvka", name] for line in EXAMPLES[name])
    shown = run(name, "--help").out
    assert all(line in shown for line in EXAMPLES[name])  # each on a line of its own


def test_examples_work(folder, run):
    verify = ["boruvka solve graph.gr -o forest.csv", *EXAMPLES["verify"]]
    names = [name for name in COMMANDS if name not in ("verify", "generate")]
    lines = [
        line for name in [*names, "generate"] for line in EXAMPLES[name]
    ]  # the last one overwrites graph.gr
    for line in [*examples_of(app), *verify, *lines]:
        name, *arguments = shlex.split(line)[1:]
        if name == "warmup":  # it compiles for minutes
            assert app.get_command(None, name).make_context(name, arguments).params == {}
            continue
        result = run(name, *arguments)
        assert (result.code, result.err) == (0, ""), line
