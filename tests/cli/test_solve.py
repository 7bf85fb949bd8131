import json
import signal
import warnings

import numpy as np
import pytest

import boruvka
from boruvka.cli.inputs import Input
from boruvka.cli.solve import named_value, report_of
from boruvka.distributed import ForestPart
from boruvka.runtime.round_log import Round, RoundLog

from .terminal import terminal

GRAPH_KEYS = ["vertices", "edges", "weights", "components", "forest_edges", "weight"]
SOLVER_KEYS = ["algorithm", "backend", "threads", "rounds", "steps", "row_counts", "verified", "seconds"]
SOLVER_KEYS += ["hints"]
INTERPRETED = ["--backend", "interpreted"]


def test_json(graph_file, run_json):
    report = run_json("solve", graph_file, "--verify", "--threads", "1")
    assert list(report) == [*GRAPH_KEYS, *SOLVER_KEYS]
    assert list(report["seconds"]) == ["read", "solve", "verify", "write"]
    assert [report[key] for key in GRAPH_KEYS] == [5, 4, "int64", 2, 3, 0]
    assert (report["backend"], report["threads"], report["verified"]) == ("threads", 1, True)


@pytest.mark.parametrize(
    ("name", "options", "algorithm", "rounds", "steps"),
    [
        ("edges.csv", [], "kruskal", 1, {"sort and join"}),
        ("edges.csv", ["--algorithm", "boruvka"], "boruvka", 2, {"propose", "hook", "relabel"}),
        ("edges.csv", ["--algorithm", "filter-boruvka"], "filter-boruvka", 1, {"select", "sort", "join"}),
        ("edges.csv", ["--memory", "8G"], "stream", 1, {"merge"}),
        ("matrix.npy", [], "dense", 1, {"tiles", "sort"}),
        ("points.npy", ["--points"], "point-prim", 1, {"join"}),
        ("points.npy", ["--points", "--algorithm", "dense"], "dense", 1, {"tiles", "sort"}),
        (
            "points.npy",
            ["--points", "--algorithm", "kd-tree-boruvka"],
            "kd-tree-boruvka",
            2,
            {"index", "search"},
        ),
    ],
)
def test_rounds_steps_and_seconds(name, options, algorithm, rounds, steps, tmp_path, run_json):
    """Of each kind of input, on the path 0 - 3 with weights 1, 3, 2, which takes two rounds."""
    path, at = tmp_path / name, np.array([0.0, 1.0, 4.0, 6.0])
    if name == "edges.csv":
        boruvka.write(([0, 1, 2, 0], [1, 2, 3, 3], [1, 3, 2, 6]), path)
    else:
        np.save(path, np.abs(at[:, None] - at) if name == "matrix.npy" else np.stack([at, at], axis=1))
    report = run_json("solve", path, *options, "--threads", "1")
    assert (report["algorithm"], report["rounds"]) == (algorithm, rounds)
    assert steps <= set(report["steps"])
    assert list(report["seconds"]) == ["read", "solve", "write"]
    assert all(report["seconds"][step] > 0 for step in ("read", "solve"))
    assert sum(report["steps"].values()) <= report["seconds"]["solve"] + 0.001


def test_json_without_verification(graph_file, run_json):
    report = run_json("solve", graph_file, "--maximum", *INTERPRETED)
    assert (report["verified"], report["backend"]) == (None, "interpreted")
    assert report["weight"] == 5 + 4 - 7
    assert type(report["weight"]) is int


def test_json_of_infinite_weight(tmp_path, run, run_json):
    path = tmp_path / "g.csv"
    path.write_text("0,1,inf\n")
    result = run("solve", path, *INTERPRETED, "--json")
    assert json.loads(result.out)["weight"] == "inf"
    assert result.err == "warning: edges of the forest (1) have the weight inf\n"
    path.write_text("0,1,1e308\n1,2,1.7e308\n")  # whose sum is inf
    assert run_json("solve", path, *INTERPRETED)["weight"] == "inf"


@pytest.mark.parametrize("memory", [[], ["--memory", "4G"]])
def test_a_table_without_rows_causes_a_warning(tmp_path, run, memory):
    (tmp_path / "g.csv").write_text("source,target,weight\n")
    warned = (0, "warning: there are no rows of edges, and so no vertices\n")
    with warnings.catch_warnings(action="default"):
        assert run("solve", tmp_path / "g.csv", *memory)[::2] == warned


def test_text(graph_file, run, tmp_path):
    output = tmp_path / "forest.csv"
    result = run("solve", graph_file, "--verify", "-o", output)
    assert (result.code, result.err) == (0, "")
    for words in (
        "vertices      5\n",
        "components    2\n",
        "forest edges  3\n",
        "weight        0\n",
        "verified      True\n",
        "seconds       read 0.",
    ):
        assert words in result.out
    assert output.read_text() == "edge,source,target,weight\n0,0,1,4\n1,1,2,3\n3,3,4,-7\n"


def test_quiet(graph_file, tmp_path, run):
    output = tmp_path / "forest.dat"
    assert run("solve", graph_file, "--quiet", "-o", output, "--to", "csv", *INTERPRETED) == (0, "", "")
    assert "3,3,4,-7" in output.read_text()


@pytest.mark.parametrize(
    "command",
    [
        "solve {f}",
        "plot {f} -o {d}/a.svg",
        "network {f}",
        "clusters {f} --at 1",
        "steiner {f} --terminals 0,1",
        "arborescence {f}",
        "convert {f} {d}/g.npz",
        "generate grid --rows 2 --cols 2 -o {d}/h.npz",
        "verify {f} {d}/forest.csv",
        "solve {d}/places.csv --points",
    ],
)
def test_quiet_commands_print_no_notice(tmp_path, run, command):
    """Columns of coordinates are a notice."""
    (tmp_path / "places.csv").write_text("x,y,kind\n0,0,a\n1,0,b\n")
    path = tmp_path / "graph.csv"
    path.write_text("u,v,w\n0,1,4\n")
    (tmp_path / "forest.csv").write_text("edge,source,target,weight\n0,0,1,4\n")
    typed = command.format(f=path, d=tmp_path).split()
    assert run(*typed, "-q") == (0, "", "")
    loud = run(*typed)
    assert loud.code == 0
    assert bool(loud.out + loud.err) == (typed[0] != "convert")


def test_options_of_an_algorithm(graph_file, run_json, refuse):
    solve = ["solve", graph_file, "--algorithm", "star-contraction", *INTERPRETED]
    assert run_json(*solve, "--option", "seed=3", "--option", "sequential-flips")["weight"] == 0
    assert run_json(*solve, "--option", "sequential_flips=no")["algorithm"] == "star-contraction"
    for option, message in [
        ("seed=red", "option seed of star-contraction must be an integer, got 'red'"),
        ("coins=3", "star-contraction has no option 'coins'; it has sequential_flips, seed"),
        ("sequential-flips=3", "option sequential_flips of star-contraction must be True or False, got 3"),
    ]:
        refuse(message, *solve, "--option", option)


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


def test_failed_verification_writes_the_log_alone(graph_file, tmp_path, run, monkeypatch):
    wrong = boruvka.Verification(False, "a witness")
    monkeypatch.setattr("boruvka.verification.verify.verify", lambda graph, forest: wrong)
    output, log = tmp_path / "forest.csv", tmp_path / "log.txt"
    solve = ["solve", graph_file, "--verify", "-o", output, "--log", log, *INTERPRETED]
    result = run(*solve, "--json")
    assert (result.code, result.err) == (1, "verification failed: a witness\n")
    assert json.loads(result.out)["verified"] is False
    result = run(*solve)
    assert (result.code, result.err) == (1, "verification failed: a witness\n")
    assert "verified      False\n" in result.out
    assert log.exists()
    assert not output.exists()


def test_files_that_cannot_be_read_or_written(tmp_path, refuse):
    """An output that cannot be written is an error before the input is read."""
    refuse("no such file.gr", "solve", "no such file.gr")
    refuse("directory", "solve", tmp_path)
    refuse("forest.xyz", "solve", "absent.csv", "-o", tmp_path / "forest.xyz")
    refuse("No such file or directory", "solve", "absent.csv", "-o", tmp_path / "nowhere" / "forest.csv")
    refuse("nowhere", "solve", "absent.csv", "--log", tmp_path / "nowhere" / "log.txt")
    assert list(tmp_path.iterdir()) == []


def test_interrupt_between_rounds(graph_file, tmp_path, run, monkeypatch):
    begin = RoundLog.begin

    def interrupted(round_log, *arguments):
        begin(round_log, *arguments)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(RoundLog, "begin", interrupted)
    result = run("solve", graph_file, "-o", tmp_path / "forest.csv", *INTERPRETED)
    assert (result.code, result.out, result.err.strip()) == (130, "", "interrupted")
    assert list(tmp_path.iterdir()) == [graph_file]


def test_bar_on_a_terminal(tmp_path, run, monkeypatch):
    path = tmp_path / "g.npz"
    boruvka.write(([0, 1, 2], [1, 2, 3], [5, 7, 3]), path)
    with terminal(monkeypatch) as drawn:
        result = run("solve", path, "--algorithm", "boruvka", *INTERPRETED)
    assert result.code == 0
    assert "components    1" in result.out
    assert drawn.startswith((b"read", b"solve"))
    assert drawn.split(b"\r")[-2].isspace()  # it is removed


def test_report_of_ranks():
    """The part of a rank that has one of four edges of a forest of five vertices."""
    rounds = (
        Round("light", 5, 4, {"contract": 0.25, "merge": 0.5}, ["a note"], {"bytes": 5000, "messages": 2}),
        Round("round", 2, 1, {"merge": 0.125}, [], {"bytes": 1000, "messages": 1}),
    )
    here = np.array([0])
    graph = boruvka.Graph.from_edges([0], [1], [1.5])
    how = {"partition_by": "vertices", "method": "supervertex", "ranks": 3, "rounds": rounds}
    part = ForestPart(5, 4, 3, here, here, float("inf"), graph, here, **how)
    seconds = {"read": 1.0, "solve": 2.00001, "write": 3.0}
    assert report_of(part, seconds, Input("graph.csv", {})) == {
        "vertices": 5,
        "edges": 4,
        "weights": "float64",
        "components": 2,
        "forest_edges": 3,
        "weight": float("inf"),
        "algorithm": "vertices/supervertex",
        "backend": "mpi",
        "threads": 1,
        "rounds": 1,
        "steps": {"contract": 0.25, "merge": 0.625},
        "row_counts": None,
        "verified": None,
        "seconds": {"read": 1.0, "solve": 2.0, "write": 3.0},
        "ranks": 3,
        "sent": {"bytes": 6000, "messages": 3},
    }


STRAINS = "isolate\tl1\tl2\n007\t1\t1\nB\t1\t1\nC\t1\t2\nD\t5\t6\n"
WARDS = "ward,isolate,date,count\nICU,C,2026-01-05,12\nW 1,007,,3\n,B,2026-01-07,4\nX,D,2026-01-07,5\n"


@pytest.mark.parametrize("command", ["solve", "network"])
@pytest.mark.parametrize("ending", ["graphml", "gexf", "gml"])
@pytest.mark.parametrize(
    ("options", "members"),
    [
        ([], ["007", "B", "C", "D"]),
        (["--collapse"], ["007; B", "C", "D"]),
        (["--collapse", "--collapse-at", "1"], ["007; B; C", "D"]),
    ],
)
def test_metadata_in_the_written_forest(tmp_path, run, command, ending, options, members):
    """NetworkX reads the columns that pandas joins."""
    pd, nx = pytest.importorskip("pandas"), pytest.importorskip("networkx")
    pytest.importorskip("polars")
    profiles, wards, path = tmp_path / "p.tsv", tmp_path / "w.csv", tmp_path / f"t.{ending}"
    profiles.write_text(STRAINS)
    wards.write_text(WARDS)
    result = run(command, profiles, "--profiles", *options, "--metadata", wards, "-o", path, "-q")
    assert (result.code, result.out) == (0, "")
    found = getattr(nx, f"read_{ending}")(path).nodes
    frame = pd.read_csv(wards, dtype=str, index_col="isolate")
    assert [data.get("members", name) for name, data in found.items()] == members
    for name, text in zip(found, members, strict=True):
        for column in frame:
            values = frame.loc[text.split("; "), column].dropna().unique()
            assert str(found[name].get(column, "")) == "; ".join(values)


def test_metadata_of_numbered_vertices(tmp_path, run):
    """Rows are matched by the numbers of the file, also where vertices become groups."""
    nx = pytest.importorskip("networkx")
    pytest.importorskip("pandas")
    graph, table, path = tmp_path / "g.gr", tmp_path / "m.csv", tmp_path / "g.graphml"
    graph.write_text("p sp 4 3\na 1 2 0\na 2 3 5\na 3 4 1\n")
    table.write_text("id,kind\n4,d\n1,a\n2,b\n3,c\n")
    for height, kinds in [
        (None, {"1": "a", "2": "b", "3": "c", "4": "d"}),
        (-1, {"1": "a", "2": "b", "3": "c", "4": "d"}),
        (0, {"1": "a; b", "3": "c", "4": "d"}),
        (1, {"1": "a; b", "3": "c; d"}),
    ]:
        collapse = [] if height is None else ["--collapse-at", height]
        result = run("solve", graph, *collapse, "--metadata", table, "-o", path, "--json")
        assert (result.code, result.err) == (0, "")
        assert dict(nx.read_graphml(path).nodes(data="kind")) == kinds


def test_metadata_need_a_file_that_holds_them(tmp_path, refuse, graph_file):
    table = tmp_path / "m.csv"
    table.write_text("id,kind\n1,a\n")
    solve = ["solve", graph_file, "--metadata", table]
    refuse("--metadata adds columns to vertices: write -o tree.graphml too", *solve)
    refuse("--metadata adds columns to vertices", *solve, "-o", tmp_path / "t.nwk")
    refuse("choose one of graphml, gexf, gml; boruvka clusters", *solve, "-o", tmp_path / "t.csv")
    refuse("is for graphs in memory", *solve, "-o", tmp_path / "t.gml", "--memory", "1G")
    for command in (["solve"], ["clusters", "--at", "1"], ["network"]):
        refuse("name the table, --metadata FILE", *command, graph_file, "--metadata-id", "id")
