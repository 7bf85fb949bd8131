"""The choice of columns, and files without weights."""

import numpy as np
import polars as pl
import pytest

from boruvka import as_graph, minimum_spanning_forest, stream
from boruvka.errors import OptionError
from boruvka.formats import read


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("0,1,5\n", {"columns": ("u", "v", "w")}, "there is no column 'u': the file names none"),
        (
            "u,v,w\n0,1,5\n",
            {"columns": ("u", "v", "x")},
            "there is no column 'x'; the columns are u, v, w",
        ),
        ("u,v,w\n0,1,5\n", {"columns": "u,v,w"}, r"column 'u,v,w': write columns=\('u', 'v', 'w'\); the"),
        ("u,u,w\n0,1,5\n", {"columns": ("u", "u", "w")}, "2 columns are called 'u': pass positions"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1, 3)}, "there is no column 3: the file has 3 columns"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1, -1)}, "there is no column -1"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1)}, "columns must name u, v and w"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1, "u")}, "columns must name different columns"),
    ],
)
def test_columns_that_do_not_exist(file, content, options, message):
    with pytest.raises(OptionError, match=message):
        read(file("a.csv", content), **options)


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("a.txt", "0 1\n2 1\n", {}),
        ("a.txt", "0 1 5\n2 1 nonsense\n", {}),
        ("a.csv", "u,v\n0,1\n2,1\n", {}),
        ("a.csv", "w,v,u\n9,1,0\n9,1,2\n", {"columns": (2, 1)}),
        ("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 2\n3 2\n", {}),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n3 2 6\n", {}),
        ("a.graph", "3 2\n2\n1 3\n2\n", {}),
        ("a.graph", "3 2 011\n7 2 8\n7 1 8 3 9\n7 2 5\n", {}),
    ],
)
def test_unweighted(file, name, content, options):
    graph = read(file(name, content), unweighted=True, **options)
    assert sorted(tuple(sorted(ends)) for ends in zip(graph.u.tolist(), graph.v.tolist(), strict=True)) == [
        (0, 1),
        (1, 2),
    ]
    assert graph.w.tolist() == [1, 1]
    assert graph.w.dtype == np.uint8


TABLE = pl.DataFrame({"a": ["x", "y", "z"], "b": ["y", "z", "x"], "km": [3, 1, 2], "cost": [1, 5, 3]})
WAYS = {
    "read": lambda path, **options: minimum_spanning_forest(read(path, **options)),
    "stream of a file": stream.minimum_spanning_forest,
    "stream of a frame": lambda path, **options: stream.minimum_spanning_forest(TABLE, **options),
    "stream of batches": lambda path, **options: stream.minimum_spanning_forest(iter([TABLE]), **options),
    "frame": lambda path, **options: minimum_spanning_forest(TABLE, **options),
    "as_graph": lambda path, **options: minimum_spanning_forest(as_graph(TABLE, **options)),
    "update": lambda path, **options: minimum_spanning_forest([("x", "y", 9)]).update(TABLE, **options),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("options", "weight"),
    [
        ({"columns": ("a", "b", "km")}, 3),
        ({"columns": ["a", "b", "cost"]}, 4),
        ({"source": "a", "target": "b", "weight": "km"}, 3),
        ({"source": "a", "target": "b", "weight": "km", "columns": None}, 3),
        ({"source": "b", "target": "a"}, 4),
    ],
)
@pytest.mark.filterwarnings("ignore::boruvka.GraphWarning")
def test_columns_are_named_in_one_way(tmp_path, way, options, weight):
    """Files, streams and frames take ``columns``, or source, target and weight."""
    path = tmp_path / "a.csv"
    TABLE.write_csv(path)
    assert WAYS[way](path, **options).weight == weight
    with pytest.raises(OptionError, match="columns names all columns: leave out source"):
        WAYS[way](path, columns=("a", "b", "km"), source="a")


@pytest.mark.parametrize("way", ["read", "stream of a file", "stream of a frame"])
@pytest.mark.parametrize(
    ("name", "advice"),
    [("u", "pass columns=\\('U', 'V', 'WEIGHT'\\)"), ("colums", "did you mean columns"), ("sorce", "source")],
)
def test_options_that_do_not_exist(tmp_path, way, name, advice):
    TABLE.write_csv(tmp_path / "a.csv")
    if way == "read":
        with pytest.raises(OptionError, match="profile: did you mean profiles"):
            WAYS[way](tmp_path / "a.csv", profile=True)
    with pytest.raises(OptionError, match=f"there is no option {name}: .*{advice}.*; the options are source"):
        WAYS[way](tmp_path / "a.csv", **{name: "a"})
