"""A folder of Parquet files is read as polars reads the same rows from one file, and as a stream reads it."""

import numpy as np
import pytest

import boruvka
import boruvka.stream
from boruvka import FileError, FormatError, OptionError

pl = pytest.importorskip("polars")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "parts"


def write_parts(folder, *frames):
    (folder / "day=2").mkdir(parents=True)
    for name, frame in zip(("day=1.parquet", "day=2/0.pq", "day=3.parquet"), frames, strict=False):
        pl.DataFrame(frame).write_parquet(folder / name)
    (folder / "_delta_log").mkdir()
    pl.DataFrame({"x": [1]}).write_parquet(folder / "_delta_log" / "0.parquet")


@pytest.mark.needs("pyarrow")
@pytest.mark.filterwarnings("ignore:4 of 30 rows are left out")
@pytest.mark.parametrize("kind", ["names", "numbers", "numbers from 1", "gaps"])
def test_a_folder_is_one_graph(folder, kind):
    rng = np.random.default_rng(3)
    ends = rng.integers(0, 9, (2, 30)) + (kind == "numbers from 1")
    u, v = (["v" + str(x) for x in column] for column in ends) if kind == "names" else ends.tolist()
    w = [*rng.integers(1, 99, 20).tolist(), *(rng.integers(1, 99, 10) + 0.5).tolist()]
    w = [None if kind == "gaps" and k % 7 == 2 else x for k, x in enumerate(w)]
    rows = [slice(0, 9), slice(9, 20), slice(20, 30)]  # weights of the first two files are integers
    write_parts(folder, *({"a": u[k], "b": v[k], "row": range(30)[k], "km": w[k]} for k in rows))
    how = {"columns": ("a", "b", "km"), "missing": "drop", "one_based": kind == "numbers from 1" or None}
    graph = boruvka.read(folder, **how)
    expected = [k for k in range(30) if w[k] is not None]
    assert graph.w.tolist() == [w[k] for k in expected]
    assert graph.id_of(graph.u).tolist() == [u[k] for k in expected]
    assert graph.id_of(graph.v).tolist() == [v[k] for k in expected]
    forest = boruvka.minimum_spanning_forest(graph)
    assert forest.edges.tolist() == boruvka.stream.minimum_spanning_forest(folder, **how).edges.tolist()
    if kind == "names":
        assert boruvka.read(folder / "*.parquet", **how).m == 19
        assert forest.to_polars(["row"])["row"].to_list() == forest.edges.tolist()


@pytest.mark.parametrize(
    ("second", "how", "error", "message"),
    [
        (
            {"u": ["a"], "v": ["b"], "w": [1]},
            {},
            FormatError,
            r"2/0\.pq: vertices have names, but in .*day=1.parquet numbers: pass names=True",
        ),
        (
            {"u": [1], "v": [2], "w": [2**53 + 1.0]},
            {},
            FormatError,
            "no type holds the values of this",
        ),
        ({"u": [1], "v": [2]}, {}, FormatError, "0.pq: there is no column of weights"),
        (
            {"u": [1], "v": [None], "w": [1]},
            {},
            FormatError,
            "0.pq: expected numbers .*'v'|no value in column",
        ),
        ({"u": [1], "v": [2], "w": [1]}, {"header": True}, OptionError, "does not take header"),
        ({"u": [1], "v": [2], "w": [1]}, {"format": "csv"}, FileError, "parts: Is a directory"),
    ],
)
def test_what_a_folder_cannot_be(folder, second, how, error, message):
    write_parts(folder, {"u": [0], "v": [1], "w": [2**60 + 1]}, second)
    with pytest.raises(error, match=message):
        boruvka.read(folder, **how)


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("read", [boruvka.read, boruvka.stream.minimum_spanning_forest])
def test_types_of_floats_are_not_mixed_and_a_column_that_lacks_names_the_file(folder, read):
    """Thresholds would divide 0.9 of one file from 0.9 of the other; integers beside floats are exact."""
    write_parts(folder, {"u": [0], "v": [1], "w": [3]}, {"u": [1], "v": [2], "w": [0.9]})
    assert read(folder).w.tolist() == [3, 0.9]
    third = pl.DataFrame({"u": [2], "v": [3], "w": [0.9]}, {"u": int, "v": int, "w": pl.Float32})
    third.write_parquet(folder / "day=3.parquet")
    with pytest.raises(FormatError, match=r"day=3\.parquet: weights are float32, but in .*2/0\.pq float64"):
        read(folder)
    third.rename({"w": "x"}).write_parquet(folder / "day=3.parquet")
    with pytest.raises(OptionError, match=r"day=3\.parquet: there is no column 'w'"):
        read(folder, columns=("u", "v", "w"))


@pytest.mark.needs("pyarrow")
def test_files_of_a_folder_may_name_their_columns_otherwise(folder):
    write_parts(folder, {"u": [0, 1], "v": [1, 2], "w": [3, 4]}, {"cost": [5], "target": [3], "source": [2]})
    graph = boruvka.read(folder)
    assert list(zip(graph.u, graph.v, graph.w, strict=True)) == [(0, 1, 3), (1, 2, 4), (2, 3, 5)]
    assert boruvka.stream.minimum_spanning_forest(folder).edges.tolist() == [0, 1, 2]


@pytest.mark.needs("pyarrow")
def test_names_and_numbers_are_not_one_folder(folder):
    write_parts(folder, {"u": [2], "v": [3], "w": [1]}, {"u": ["a"], "v": ["b"], "w": [1]})
    with pytest.raises(FormatError, match=r"0\.pq: vertices have names, but in .*pass names=True"):
        boruvka.stream.minimum_spanning_forest(folder)
    pl.DataFrame({"u": [3], "v": ["b"], "w": [2]}).write_parquet(folder / "day=3.parquet")
    graph = boruvka.read(folder, names=True)
    assert [graph.name_of(x).tolist() for x in (graph.u, graph.v)] == [["2", "a", "3"], ["3", "b", "b"]]
    streamed = boruvka.stream.minimum_spanning_forest(folder, names=True)
    assert [streamed.graph.name_of(x).tolist() for x in (streamed.u, streamed.v)] == [
        ["2", "a", "3"],
        ["3", "b", "b"],
    ]
    with pytest.raises(FormatError, match="found Int64 and String; names=True takes integers as texts"):
        boruvka.read(folder / "day=3.parquet")


@pytest.mark.parametrize("names", [None, True])
@pytest.mark.parametrize("first", [[1.0, 2.0], ["a", "b"]])
def test_float_ids_that_may_be_rounded(tmp_path, first, names):
    path = tmp_path / "floats.parquet"
    for large, message in (
        (2.0**53 + 2, r"v\[0\] = 9007199254740994 is a float"),
        (3.0, "Float64; .*cast both"),
    ):
        pl.DataFrame({"u": first, "v": [large, 5.0], "w": [1, 2]}).write_parquet(path)
        for read in (boruvka.read, boruvka.stream.minimum_spanning_forest):
            if large < 2**53 and names is None and first[0] == 1:
                assert read(path).n == 6
                continue
            with pytest.raises(FormatError, match=f"floats.parquet.*: .*{message}") as error:
                read(path, names=names)
            assert "names=True" not in str(error.value)
