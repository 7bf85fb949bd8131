"""Columns of the input beside the edges of a result: in memory, in streams, and on the command line."""

from __future__ import annotations

import datetime
import gzip
import json

import networkx
import numpy as np
import pandas
import polars
import pytest
from polars.testing import assert_frame_equal

import boruvka
from boruvka import stream
from boruvka.cli.main import main
from boruvka.errors import FormatError, OptionError

COLUMNS = ("from", "to", "km")
KEPT = ["day", "line"]


def table(names: bool, gaps: bool) -> polars.DataFrame:
    """Make a table with other columns before and after those of edges."""
    rng = np.random.default_rng(3)
    ends = rng.integers(0, 30, (2, 120))
    frame = polars.DataFrame(
        {
            "day": [f"2026-01-{k % 28 + 1:02}" for k in range(120)],
            "from": ends[0],
            "to": ends[1],
            "km": rng.permutation(120) + 1,
            "line": [f'L"{k}, b' if k % 3 else f"L{k}" for k in range(120)],
        }
    )
    if names:
        frame = frame.with_columns(("v" + polars.col(name).cast(str)).alias(name) for name in COLUMNS[:2])
    return frame.with_columns(km=polars.when(polars.col("km") % 7 > 0).then("km")) if gaps else frame


def written(frame: polars.DataFrame, form: str, folder) -> str:
    path = folder / ("edges" if form == "folder" else f"edges.{form}")
    match form:
        case "csv" | "tsv":
            frame.write_csv(path, separator="\t" if form == "tsv" else ",")
        case "csv.gz":
            path.write_bytes(gzip.compress(frame.write_csv().encode()))
        case "folder":
            path.mkdir()
            for k, rows in enumerate(frame.iter_slices(50)):
                rows.write_parquet(path / f"{k}.parquet", row_group_size=20)
        case "jsonl":
            frame.write_ndjson(path)
        case "arrow":
            frame.write_ipc(path)
        case _:
            frame.write_parquet(path)
    return str(path)


def expected(frame: polars.DataFrame) -> polars.DataFrame:
    """Find the rows of the forest of a table without gaps, by NetworkX; weights differ."""
    graph = networkx.MultiGraph()
    for k, (u, v, w) in enumerate(frame.select(COLUMNS).iter_rows()):
        graph.add_edge(u, v, edge=k, weight=w)
    edges = sorted(data["edge"] for *_, data in networkx.minimum_spanning_edges(graph))
    return frame.with_row_index("edge")[edges].with_columns(polars.col("edge").cast(polars.Int64))


@pytest.mark.filterwarnings("ignore::boruvka.GraphWarning")
@pytest.mark.parametrize("gaps", [False, True], ids=["whole", "gaps"])
@pytest.mark.parametrize("names", [False, True], ids=["numbers", "names"])
@pytest.mark.parametrize("form", ["csv", "tsv", "csv.gz", "parquet", "folder", "arrow", "jsonl"])
def test_kept_columns(tmp_path, form, names, gaps):
    """Values are those of the rows of the edges, also where rows are left out before them."""
    frame = table(names, gaps)
    path, rows = written(frame, form, tmp_path), expected(frame.drop_nulls())
    options = {"columns": COLUMNS, "missing": "drop" if gaps else "error"}
    wanted = rows.select("edge", *KEPT)
    forests = [boruvka.minimum_spanning_forest(boruvka.read(path, keep=KEPT, **options))]
    if form not in ("arrow", "jsonl"):
        forests.append(stream.minimum_spanning_forest(path, keep=KEPT, **options))
    for forest in forests:
        found = forest.to_polars()
        assert_frame_equal(found.select("edge", *KEPT), wanted)
        assert found["weight"].to_list() == rows["km"].to_list()
        boruvka.write(forest, tmp_path / "out.parquet")
        assert polars.read_parquet(tmp_path / "out.parquet").columns == [
            "edge",
            "source",
            "target",
            "weight",
            *KEPT,
        ]
        boruvka.write(forest, tmp_path / "out.csv")
        assert_frame_equal(polars.read_csv(tmp_path / "out.csv").select("edge", *KEPT), wanted)
    later = boruvka.minimum_spanning_forest(boruvka.read(path, **options)).to_polars(KEPT)
    assert_frame_equal(later.select("edge", *KEPT), wanted)


def test_kept_with_costs(tmp_path):
    """Roads that are closed in both directions have no values."""
    (tmp_path / "r.csv").write_text("from,to,cost,reverse_cost,name\n0,1,-1,-1,x\n0,1,5,5,y\n1,2,-1,3,z\n")
    with pytest.warns(boruvka.GraphWarning, match="road is closed"):
        graph = boruvka.read(tmp_path / "r.csv", keep="name")
    assert boruvka.minimum_spanning_forest(graph).to_polars()["name"].to_list() == ["y", "z"]


def test_names_of_kept_columns(tmp_path):
    """Columns that are called as columns of edges get other names, and stay with the edges."""
    (tmp_path / "a.csv").write_text("from,to,km,w,id,n\na,b,1,x,p,\nb,c,2,y,q,7\n")
    forest = boruvka.minimum_spanning_forest(
        boruvka.read(tmp_path / "a.csv", columns=COLUMNS, keep=["w", 4, "n"])
    )
    assert forest.to_polars().columns == ["edge", "source", "target", "weight", "w_given", "id", "n"]
    graph = forest.to_networkx()
    assert graph.edges["b", "c"]["w_given"] == "y"
    larger = forest.update([("c", "d", 1)]).to_polars()
    assert larger["id"].to_list() == ["p", "q", None]
    assert forest.collapse_at(1).to_polars()["id"].to_list() == ["q"]
    polars.DataFrame({"u": [0], "v": [1], "w": [1], "x": ["a\nb"], "y": [[1]]}).write_parquet(
        tmp_path / "n.parquet"
    )
    with pytest.raises(FormatError, match="expected a value in each row of column 'y'"):
        boruvka.read(tmp_path / "n.parquet", keep="y")
    with pytest.raises(FormatError, match="'npz' holds no columns of edges"):
        boruvka.write(forest, tmp_path / "a.npz")


def test_resumed(tmp_path):
    """A checkpoint of a solve without the columns is taken by a solve that keeps them."""
    path, state = written(table(True, False), "csv", tmp_path), tmp_path / "state"
    options = {"columns": COLUMNS, "checkpoint": state}
    first, second = (stream.minimum_spanning_forest(path, keep=keep, **options) for keep in ((), KEPT))
    assert first.weight == second.weight
    assert second.to_polars()["line"].to_list() == expected(table(True, False))["line"].to_list()


def test_errors(tmp_path):
    """Errors say what to type; a stream raises them before it reads all edges."""
    path = written(table(True, False), "csv", tmp_path)
    for read in boruvka.read, stream.minimum_spanning_forest:
        with pytest.raises(OptionError, match="no column 'lien': did you mean line"):
            read(path, columns=COLUMNS, keep="lien")
        with pytest.raises(OptionError, match="keep must be names or positions"):
            read(path, columns=COLUMNS, keep=3)
    with pytest.raises(OptionError, match="keep reads the edges again"), open(path, "rb") as file:
        stream.minimum_spanning_forest(file, format="csv", keep="line", columns=COLUMNS)
    with pytest.raises(OptionError, match="keep: batches of edges take only"):
        stream.minimum_spanning_forest(iter([]), keep="line")
    boruvka.write(boruvka.Graph.from_edges([0], [1], [2]), tmp_path / "a.npz")
    with pytest.raises(OptionError, match="have no columns of edges"):
        boruvka.minimum_spanning_forest(boruvka.read(tmp_path / "a.npz")).to_polars(["u"])
    with pytest.raises(OptionError, match="does not take keep"):
        boruvka.read(path, format="matrix", keep="line")
    with pytest.raises(OptionError, match="keep is not for ranks"):
        boruvka.formats.read_chunk(path, boruvka.formats.FileChunk(0, 1), columns=COLUMNS, keep="line")


@pytest.mark.parametrize("memory", [[], ["--memory", "2G"]], ids=["memory", "stream"])
def test_command(tmp_path, capsys, memory):
    """The option takes columns between commas; the output of one command is the input of the next."""
    frame = table(True, False)
    path, out = written(frame, "csv", tmp_path), str(tmp_path / "o.csv")
    words = ["--columns", ",".join(COLUMNS), "--keep", "line,day", "-q"]
    flags = [*memory, *(["--verify"] if memory else [])]
    assert main(["solve", path, *words, *flags, "-o", out]) == 0
    assert_frame_equal(polars.read_csv(out)[:, -2:], expected(frame).select("line", "day"))
    (tmp_path / "new.csv").write_text("from,to,km,day,line\nv1,zz,1,x,y\n")
    last = str(tmp_path / "p.csv")
    assert main(["update", out, str(tmp_path / "new.csv"), *words, "-o", last]) == 0
    assert polars.read_csv(last)[-1, -2:].rows() == [("y", "x")]
    (tmp_path / "w.csv").write_text("from,to,km,w\nv1,zz,1,x\n")
    again = ["update", out, str(tmp_path / "w.csv"), *words[:2], "-o", last]
    for wrong, text in (
        (["solve", path, *words], "write -o forest.csv too"),
        (
            ["solve", path, *words, "-o", str(tmp_path / "o.npz")],
            "holds no columns of edges; choose one of csv",
        ),
        (["info", path, *words[:-1]], "No such option '--keep'"),
        ([*again, "--keep", "w"], "takes names that columns of both files have"),
        ([*again, "--keep", "3"], "rename the columns of NEW_EDGES"),
        ([*again, "--removed", path], "No such option '--removed'"),
        (["solve", path, *words[:-3], "--keep", "a,", "-q"], "--keep: expected names"),
    ):
        assert main(wrong) == 2
        assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "joined"),
    [
        ([datetime.datetime(2026, 1, 1)], ["2026-01-03"], ["2026-01-01 00:00:00.000000", "2026-01-03"]),
        ([2**60 + 1], [0.5], [str(2**60 + 1), "0.5"]),
        ([3], [0.5], [3.0, 0.5]),
        ([20454], [datetime.date(2026, 1, 1)], ["20454", "2026-01-01"]),
        ([1], [None], [1, None]),
    ],
)
def test_columns_of_two_types(old, new, joined, tmp_path):
    """Values of an update are joined without loss: as numbers where these are exact, else as texts."""
    paths = [str(tmp_path / f"{name}.parquet") for name in ("old", "new", "joined")]
    for path, ends, values in zip(paths, ("xy", "yz"), (old, new), strict=False):
        u, v = ends
        polars.DataFrame({"u": [u], "v": [v], "w": [1.0], "t": values}).write_parquet(path)
    assert main(["update", *paths[:2], "--keep", "t", "-o", paths[2], "-q"]) == 0
    assert polars.read_parquet(paths[2])["t"].to_list() == joined


def test_columns_that_cannot_be_joined(tmp_path, capsys):
    paths = [str(tmp_path / f"{name}.parquet") for name in ("old", "new", "joined")]
    for path, ends, values in zip(paths, ("xy", "yz"), ([b"\xff"], [1]), strict=False):
        polars.DataFrame({"u": [ends[0]], "v": [ends[1]], "w": [1.0], "t": values}).write_parquet(path)
    assert main(["update", *paths[:2], "--keep", "t", "-o", paths[2], "-q"]) == 2
    assert "the columns 't' of both tables cannot be joined" in capsys.readouterr().err


@pytest.mark.parametrize("solve", [stream.minimum_spanning_forest, None], ids=["stream", "memory"])
@pytest.mark.parametrize(
    ("header", "keep", "found"),
    [
        ("u,v,w,load,load_given", ("load", "load_given"), {"load_given": "7", "load_given_given": "8"}),
        ("u,v,w,load_given,load", (3, 4), {"load_given": "7", "load_given_given": "8"}),
        ("u,v,w,x,x", (4, 3), {"x_4": "8", "x_3": "7"}),
    ],
)
def test_no_column_replaces_another(tmp_path, solve, header, keep, found):
    (tmp_path / "a.csv").write_text(f"{header}\na,b,1,7,8\n")
    if solve is None:
        forest = boruvka.minimum_spanning_forest(boruvka.read(tmp_path / "a.csv", keep=keep))
        found = {name: int(text) for name, text in found.items()}
    else:
        forest = solve(tmp_path / "a.csv", keep=keep)
    assert forest.to_pandas().iloc[0, 4:].to_dict() == found


def test_a_column_of_two_is_named_by_its_position(tmp_path):
    (tmp_path / "a.csv").write_text("u,v,w,x,x\na,b,1,7,8\n")
    forest = boruvka.minimum_spanning_forest(boruvka.read(tmp_path / "a.csv"))
    assert forest.to_pandas(["x_3"])["x_3"].tolist() == [7]
    with pytest.raises(OptionError, match=r"there is no column 'x'; the columns are .*'x_3', 'x_4'"):
        forest.to_pandas(["x"])


@pytest.mark.parametrize("polars_is_there", [True, False])
def test_kept_numbers(tmp_path, monkeypatch, polars_is_there):
    """The whole column shows its type, as pandas reads it; codes and mixed columns stay texts."""
    if not polars_is_there:
        monkeypatch.setattr("boruvka.formats.text.lines.string_columns.optional", lambda name: None)
    header, *rows = [*"uvw", "corr", "few", "marked", "code", "long", "mixed", "none"], "abc", "bcd", "cde"
    columns = [
        "0.11 -2e-1 0.93",
        "7 NA -3",
        "1.234,5 0,25 7",
        "007 12 13",
        f"{10**16} 1 2",
        "1 2 x",
        "NA NA NA",
    ]
    fields = zip(*(x.split() for x in columns), strict=True)
    lines = [";".join([*ends[:2], str(k), *x]) for k, (ends, x) in enumerate(zip(rows, fields, strict=True))]
    (tmp_path / "a.csv").write_text("\n".join([";".join(header), *lines, ""]))
    graph, kept = (boruvka.read(tmp_path / "a.csv", keep=keep) for keep in ((), header[3:]))
    later = boruvka.minimum_spanning_forest(graph).to_pandas(header[3:])
    table = boruvka.minimum_spanning_forest(kept).to_pandas()
    for found in later, table:
        assert found["corr"].tolist() == [0.11, -0.2, 0.93]
        assert found["few"].dropna().tolist() == [7, -3]
        assert found["marked"].tolist() == [1234.5, 0.25, 7]
        assert [found[name].tolist() for name in header[6:]] == [x.split() for x in columns[3:]]
    boruvka.write(boruvka.minimum_spanning_forest(kept), tmp_path / "b.csv")
    again = (tmp_path / "b.csv").read_text().splitlines()
    assert again[1:] == ["0,a,b,0,0.11,7.0,1234.5,007,10000000000000000,1,NA", *again[2:]]
    assert again[2].split(",")[5] == ""


def test_convert_keeps_columns(tmp_path):
    """A table that cannot be streamed becomes one that can, with its other columns."""
    frame = table(True, False)
    path, out, last = written(frame, "jsonl", tmp_path), *(str(tmp_path / f"{x}.parquet") for x in "ab")
    assert main(["convert", path, out, "--columns", ",".join(COLUMNS), "--keep", "line,day"]) == 0
    assert main(["solve", out, "--memory", "2G", "--keep", "line,day", "-o", last, "-q"]) == 0
    assert_frame_equal(polars.read_parquet(last)[:, -2:], expected(frame).select("line", "day"))


def test_results_of_streams_are_as_of_files(tmp_path):
    """Kept columns do not change the library of results; names stay in their file."""
    path = written(table(True, False), "csv", tmp_path)
    forest = stream.minimum_spanning_forest(path, columns=COLUMNS, keep="day")
    assert forest.graph.stored_names is not None
    assert forest.graph.annotations.names is None
    in_memory = boruvka.minimum_spanning_forest(boruvka.read(path, columns=COLUMNS, keep="day"))
    pandas.testing.assert_frame_equal(forest.clusters([9]), in_memory.clusters([9]))


@pytest.mark.parametrize("memory", [[], ["--memory", "2G"]], ids=["memory", "stream"])
def test_counts_of_rows(memory, tmp_path, capsys):
    path = tmp_path / "g.csv"
    path.write_text("a,b,s\nx,y,N/A\ny,z,\nz,x,0.5\nz,q,nan\n")
    words = ["solve", str(path), "--columns", "a,b,s", *memory, "--json"]
    assert main(words) == 2
    assert "g.csv:2: 3 rows have no weight" in capsys.readouterr().err
    assert main([*words, "--missing", "drop"]) == 0
    assert json.loads(capsys.readouterr().out)["row_counts"] == {"no_weight": 3, "left_out": 3}
