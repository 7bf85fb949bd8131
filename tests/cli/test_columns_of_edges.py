"""Columns of files beside the ends and weights of edges: they are read when they are wanted."""

import re

import networkx as nx
import pandas
import pytest

import boruvka
from boruvka.errors import BoruvkaError

STATES = ["open", "open", "closed", "x, y"]
FRAME = pandas.DataFrame(
    {
        "from": list("aabc"),
        "to": list("bccd"),
        "cost": [1, 5, 2, 4],
        "state": ["open", "open", "closed", "x, y"],
    }
)


@pytest.fixture(params=["csv", "csv.gz", "tsv", "parquet", "graphml", "gml"])
def path(request, tmp_path):
    path = tmp_path / f"roads.{request.param}"
    if request.param == "parquet":
        FRAME.to_parquet(path)
    elif request.param in ("graphml", "gml"):
        g = nx.from_pandas_edgelist(FRAME, "from", "to", ["cost", "state"])
        getattr(nx, f"write_{request.param}")(g, path)
    else:
        FRAME.to_csv(path, index=False, sep="\t" if request.param == "tsv" else ",")
    return path


@pytest.mark.parametrize("closed", ["closed", ["closed", "x, y"]])
def test_edges_are_excluded_by_a_column(path, closed, run_json):
    graph = boruvka.read(path)
    rows = FRAME["state"].isin(closed if isinstance(closed, list) else [closed])
    oracle = boruvka.minimum_spanning_forest(FRAME, excluded=rows.to_numpy())
    found = boruvka.minimum_spanning_forest(graph, excluded={"state": closed})
    assert found.weight == oracle.weight
    states = FRAME["state"][[*found.edges]].tolist()
    assert found.to_pandas(["state"])["state"].tolist() == states
    if isinstance(closed, str):
        assert run_json("solve", path, "--excluded", f"state={closed}")["weight"] == oracle.weight


def test_values_of_two_columns_exclude_edges_with_either(path, run_json):
    is_closed = (FRAME["state"] == "closed") | (FRAME["cost"] == 1)
    rows = FRAME[~is_closed]
    oracle = nx.minimum_spanning_tree(nx.from_pandas_edgelist(rows, "from", "to", ["cost"]), "cost")
    graph = boruvka.read(path)
    found = boruvka.minimum_spanning_forest(graph, excluded={"state": "closed", "cost": 1})
    assert found.weight == oracle.size("cost") == 9
    how = ["--excluded", "state=closed", "--excluded", "cost=1"]
    assert run_json("solve", path, *how)["weight"] == 9


@pytest.mark.parametrize("how", [[], ["--memory", "4G"]])
def test_names_of_folders_are_columns(how, tmp_path, run):
    for state, rows in FRAME.drop(columns="state").groupby(FRAME["state"]):
        folder = tmp_path / "roads" / f"state={state.replace(' ', '%20')}"
        folder.mkdir(parents=True)
        rows.to_parquet(folder / "part.parquet")
    keep = ["--columns", "from,to,cost", "--keep", "state", "-o", tmp_path / "f.csv"]
    assert run("solve", tmp_path / "roads", *keep, *how).code == 0
    found = pandas.read_csv(tmp_path / "f.csv").merge(
        FRAME, left_on=["source", "target"], right_on=["from", "to"]
    )
    assert len(found) == 3
    assert found["state_x"].tolist() == found["state_y"].tolist()
    chosen = boruvka.read(tmp_path / "roads", columns=("from", "to", "cost"))
    assert boruvka.minimum_spanning_forest(chosen, excluded={"state": "open"}).weight == 6


def test_what_is_no_column_of_edges(tmp_path, refuse):
    path = tmp_path / "roads.csv"
    FRAME.to_csv(path, index=False)
    graph = boruvka.read(path)
    path.write_text(path.read_text() + "e,f,1,open\n")
    for wrong, message in (
        (graph, f"{path}: was changed since it was read"),
        (boruvka.read(path), "there is no column 'status'; the columns are 'from', 'to', 'cost', 'state'"),
    ):
        with pytest.raises(BoruvkaError, match=re.escape(message)):
            boruvka.minimum_spanning_forest(wrong, excluded={"status": "closed"})
    refuse("'clsed' in the column 'state'; is it 'closed'?", "solve", path, "--excluded", "state=clsed")


def test_a_window_of_one_file(tmp_path, run):
    """A tree is compared with a window of another file, also by its month."""
    (tmp_path / "t.csv").write_text("source,target,weight\na,b,1\nb,c,2\n")
    rows = [f"{date},0,a,{end},1" for date, end in (("2024-05-31", "c"), ("2024-06-28", "b"))]
    (tmp_path / "w.csv").write_text("\n".join(["date,edge,source,target,weight", *rows]))
    for date in ",2024-06-28", ",2024-06":
        files = [tmp_path / name for name in ("t.csv", "w.csv", "both.csv")]
        assert run("compare", *files[:2], "--date", date, "-o", files[2]).code == 0
        assert pandas.read_csv(files[2])["plan"].tolist() == ["both", "only first"]
