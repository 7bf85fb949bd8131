"""The lines that the documentation says to type for files that other libraries read."""

import contextlib
import importlib
import pathlib
import re
import sqlite3

import numpy
import pandas
import pytest

import boruvka
from boruvka.errors import FormatError
from lab.contestants.external import write_gbbs, write_pbbs

EDGES = [(0, 1, 5.0), (0, 2, 7.5), (1, 2, 2.0)]
GRAPH = boruvka.Graph.from_edges(*zip(*EDGES, strict=True))
PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "formats.md").read_text()
TYPED = dict(
    re.findall(
        r"^\| ([^|]*) \| `(.*)` \|$", PAGE.split("## Files of other libraries")[1].split("##")[0], re.M
    )
)


def save_matrix(path):
    import scipy.sparse

    u, v, w = zip(*EDGES, strict=True)
    scipy.sparse.save_npz(path, scipy.sparse.coo_array((w, (u, v)), (3, 3)))


def save_excel(path):
    frame = pandas.DataFrame(
        {"from": list("aab"), "to": list("bcc"), "km": 0, "length": [w for *_, w in EDGES]}
    )
    with path.open("wb") as file:
        frame.to_excel(file, index=False)


def save_lines(path):
    path.write_text("3 3\n" + "".join(f"{u} {v} {w}\n" for u, v, w in EDGES))


def save_database(path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(path) as database:
        database.execute('create table edges ("from" text, "to" text, length double)')
        database.executemany(
            "insert into edges values (?, ?, ?)", [("abc"[u], "abc"[v], w) for u, v, w in EDGES]
        )


def save_sqlite(path):
    frame = pandas.DataFrame([("abc"[u], "abc"[v], w) for u, v, w in EDGES], columns=["from", "to", "length"])
    with contextlib.closing(sqlite3.connect(path)) as database:
        frame.to_sql("edges", database, index=False)


SAVE = {
    "SQLite": [(save_sqlite, 7, ["a", "b", "c"])],
    "DuckDB": [(save_database, 7, ["a", "b", "c"])],
    "Excel": [(save_excel, 7, ["a", "b", "c"])],
    "sparse": [(save_matrix, 7, None)],
    "`n m`": [(save_lines, 7, None)],
    "PBBS": [(lambda path: write_pbbs(GRAPH, path), 7, None)],
    "GBBS": [(lambda path: write_gbbs(GRAPH, path), 7, None)],
}
"""For each kind of file: a function that writes one, and the weight and the names of its spanning tree."""


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            file,
            marks=[
                pytest.mark.needs(library) for library in ("scipy", "openpyxl") if library in file + typed
            ],
        )
        for file, typed in TYPED.items()
        if "graph-tool" not in file
    ],
)
def test_what_the_documentation_types(file, tmp_path):
    path = tmp_path / "a.npz"
    for save, weight, vertices in next(cases for name, cases in SAVE.items() if name in file):
        save(path)
        names = {"boruvka": boruvka, "numpy": numpy, "pandas": pandas, "pathlib": pathlib, "path": path}
        names["sqlite3"] = sqlite3
        if "scipy" in TYPED[file]:
            names["scipy"] = importlib.import_module("scipy")
        if "duckdb" in TYPED[file]:
            names["duckdb"] = importlib.import_module("duckdb")
        *before, last = TYPED[file].split("; ")
        exec("; ".join(before), names)
        graph = eval(last, names)
        forest = boruvka.minimum_spanning_forest(graph)
        assert (forest.weight, forest.n_components) == (weight, 1)
        assert (None if graph.names is None else sorted(graph.names.tolist())) == vertices


@pytest.mark.needs("scipy")
def test_a_sparse_array_of_scipy_is_named(tmp_path):
    path = tmp_path / "a.npz"
    save_matrix(path)
    with pytest.raises(FormatError, match=r"in Python: boruvka\.as_graph\(scipy\.sparse\.load_npz\(path\)\)"):
        boruvka.read(path)
