"""Points come out of every format with their values, or an error names file, line (or row) and column."""

import contextlib
import gzip
import io
import math
import re

import numpy as np
import polars as pl
import pytest
import zstandard
from boruvka.formats.point_tables import ENDINGS
from hypothesis import given
from hypothesis import strategies as st

from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats.points import read_points

X = np.array([[0.5, -1.25], [3.0, 2e-300], [1 / 3, 7.0]])
FRAME = pl.DataFrame({"name": ["a", "b", "c"], "x": X[:, 0], "y": X[:, 1]})


def written(ending):
    """Return the content of a file of the points X."""
    out = io.BytesIO()
    match ending:
        case ".csv":
            FRAME.write_csv(out)
        case ".tsv" | ".tab":
            FRAME.write_csv(out, separator="\t")
        case ".txt" | ".dat" | ".xyz":
            np.savetxt(out, X, "%.17g")
        case ".parquet" | ".pq":
            FRAME.write_parquet(out)
        case ".arrow" | ".ipc":
            FRAME.write_ipc(out)
        case ".feather":
            FRAME.write_ipc_stream(out)
        case ".npy":
            np.save(out, X)
        case ".npz":
            np.savez(out, points=X)
    return out.getvalue()


@pytest.mark.parametrize("ending", [ending for endings in ENDINGS.values() for ending in endings])
def test_points_of_every_format(ending, file):
    found = read_points(file(f"p{ending}", written(ending)))
    assert found.coordinates.tolist() == X.tolist()
    if ending not in (".txt", ".dat", ".xyz", ".npy", ".npz"):
        assert (found.columns, found.left_out) == (("x", "y"), ("name",))
    else:
        assert (found.columns, found.left_out) == (("0", "1"), ())


@pytest.mark.parametrize("format", ENDINGS)
@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_compressed_streams(format, compress):
    stream = io.BytesIO(compress(written(ENDINGS[format][0])))
    assert read_points(stream, format=format).coordinates.tolist() == X.tolist()


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53).map(float)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=20))
def test_decimals_are_read_as_python_reads_them(rows):
    text = "x,y\n" + "".join(f"{x!r},{y!r}\n" for x, y in rows)
    found = read_points(io.BytesIO(text.encode()), format="csv").coordinates
    assert found.tolist() == [list(row) for row in rows]


@pytest.mark.parametrize(
    ("name", "content", "points"),
    [
        ("p.csv", "1,2\n3,4\n", [[1, 2], [3, 4]]),
        ("p.csv", "x;y\n1;2\n", [[1, 2]]),
        ("p.csv", "# c\n\nx,y\r\n 1 ,2\r\n\r\n# c\r\n3,4\r\n\r\n", [[1, 2], [3, 4]]),
        ("p.csv", 'x,y\n"1","2"\n', [[1, 2]]),
        ("p.csv", 'name,x,y\n"a\n\nb",1,2\n\nc,3,4', [[1, 2], [3, 4]]),
        ("p.csv", "x\n1\n\n3\n", [[1], [3]]),
        ("p.csv", "\ufeffx,y\n1,2\n", [[1, 2]]),
        ("p.csv", "x,y\n", np.empty((0, 2)).tolist()),
        ("p.txt", " 1\t 2\n# c\n\n3  4 \n", [[1, 2], [3, 4]]),
        ("p.txt", "1,2\n3,4", [[1, 2], [3, 4]]),
        ("p.tsv", "x\ty\n1\t2\n", [[1, 2]]),
    ],
)
def test_layouts_of_text(name, content, points, file):
    found = read_points(file(name, content)).coordinates
    assert found.tolist() == points
    assert found.dtype == np.int64


def test_integers_stay_exact_and_types_stay(file):
    big = 2**62 + 1
    assert read_points(file("p.csv", f"x\n{big}\n")).coordinates.tolist() == [[big]]
    out = io.BytesIO()
    pl.DataFrame({"x": X[:, 0].astype(np.float32), "y": X[:, 1].astype(np.float32)}).write_parquet(out)
    assert read_points(file("p.parquet", out.getvalue())).coordinates.dtype == np.float32


@pytest.mark.parametrize(
    ("columns", "points"),
    [(("y", "x"), X[:, ::-1]), ((2, 1), X[:, ::-1]), (("y",), X[:, 1:]), ((1, "y"), X)],
)
def test_chosen_columns(columns, points, file):
    for ending in (".csv", ".parquet"):
        found = read_points(file(f"p{ending}", written(ending)), columns=columns)
        assert found.coordinates.tolist() == points.tolist()
        assert found.left_out == ()


@pytest.mark.parametrize("dtype", [pl.Array(pl.Float32, 3), pl.List(pl.Float64)])
@pytest.mark.parametrize("ending", [".parquet", ".feather"])
def test_a_column_of_lists_holds_coordinates(dtype, ending, file):
    frame = pl.DataFrame({"id": ["a", "b"], "v": pl.Series([[1.0, 2, 3], [4, 5, 6]], dtype=dtype)})
    out = io.BytesIO()
    frame.write_parquet(out) if ending == ".parquet" else frame.write_ipc(out)
    found = read_points(file(f"p{ending}", out.getvalue()))
    assert found.coordinates.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert (found.columns, found.left_out) == (("v",), ("id",))


def archive(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def array(values):
    out = io.BytesIO()
    np.save(out, values)
    return out.getvalue()


def test_arrays_of_an_archive_are_columns(file):
    content = archive(x=X[:, 0], y=X[:, 1], name=np.array(["a", "b", "c"]), image=np.zeros((2, 2, 2)))
    found = read_points(file("p.npz", content))
    assert found.coordinates.tolist() == X.tolist()
    assert (found.columns, found.left_out) == (("x", "y"), ("name",))
    content = archive(train=X, test=X[:2], label=np.arange(3))
    assert read_points(file("p.npz", content), columns=("test",)).coordinates.tolist() == X[:2].tolist()


def test_a_vector_is_points_on_a_line(file):
    assert read_points(file("p.npy", array([1.5, 2]))).coordinates.tolist() == [[1.5], [2]]


def parquet(**columns):
    out = io.BytesIO()
    pl.DataFrame(columns).write_parquet(out)
    return out.getvalue()


HEAD = "city,x,y\n# c\nA,1,2\n\n"


@pytest.mark.parametrize(
    ("name", "content", "columns", "message"),
    [
        ("p.csv", HEAD + "B,3,\n", None, "p.csv:5: there is no value in column 'y': remove the point"),
        ("p.csv", HEAD + 'B,3,""\n', None, "p.csv:5: there is no value in column 'y'"),
        ("p.csv", HEAD + "B,3\n", None, "p.csv:5: there is no value in column 'y'"),
        (
            "p.csv",
            HEAD + "B,3,NA\n",
            None,
            "p.csv:5: 'NA' in column 'y' is not a number: correct it, or pass",
        ),
        ("p.csv", HEAD + "B,3,NA\n", ("x", "y"), "p.csv:5: 'NA' in column 'y' is not a number: correct it"),
        (
            "p.csv",
            HEAD + "B,3,nan\n",
            None,
            "p.csv:5: 'nan' in column 'y' is no coordinate: remove the point",
        ),
        ("p.csv", HEAD + "B,-inf,4\n", None, "p.csv:5: '-inf' in column 'x' is no coordinate"),
        ("p.csv", HEAD + "B,1e999,4\n", None, "p.csv:5: '1e999' in column 'x' is no coordinate"),
        ("p.csv", HEAD + "B,1,2,3\n", None, "p.csv:5: expected 3 columns, found 4"),
        ("p.csv", HEAD + '"B,1,2\n', None, "p.csv:5: "),
        ("p.csv", '"a\nb",1,2\nc,?,4\n', (1, 2), "p.csv:3: '?' in column '1' is not a number"),
        ("p.csv", HEAD, ("city", "x"), "column 'city' holds no numbers, but 'A': pass columns of numbers"),
        ("p.csv", HEAD + "B,3,4\n", ("z",), "there is no single column 'z'; the columns are city, x, y"),
        ("p.csv", "x,x\n1,2\n", ("x",), "there is no single column 'x'"),
        ("p.csv", HEAD + "B,3,4\n", (3,), "there is no column 3: the file has 3 columns, from 0"),
        ("p.csv", HEAD + "B,3,4\n", ("x", 1), "must name different columns"),
        ("p.csv", "1,2\n", ("x",), "there is no column 'x': the file names none; pass positions"),
        ("p.csv", "a,b\nc,d\n", None, "there is no column of numbers; the columns are a, b"),
        ("p.csv", "x;y\n1,5;2,5\n", None, "p.csv:2: expected a point in numbers, no decimal comma"),
        ("p.txt", "1,5;2,5;3\n", None, "p.txt:1: expected a point in numbers, no decimal comma"),
        ("p.csv", "# only\n", None, "there are no points"),
        ("p.csv", "", None, "the file is empty"),
        ("p.csv", "x\0,\0y\0".encode("utf-16"), None, "found UTF-16"),
        ("p.parquet", parquet(x=[1.0, None]), None, "row 1: there is no value in column 'x'"),
        ("p.parquet", parquet(x=[1, None]), None, "row 1: there is no value in column 'x'"),
        ("p.parquet", parquet(x=[1.0, math.inf]), None, "row 1: 'inf' in column 'x' is no coordinate"),
        ("p.parquet", parquet(x=["a"], y=[1]), ("x",), "column 'x' holds no numbers, but 'a'"),
        ("p.parquet", parquet(x=[True], y=[1]), ("x",), "column 'x' holds no numbers, but 'True'"),
        (
            "p.parquet",
            parquet(x=[[1.0], [2.0, 3.0]]),
            ("x",),
            "the lists of column 'x' are not of one length",
        ),
        ("p.parquet", parquet(x=[None, None]), ("x",), "column 'x' has no values"),
        ("p.parquet", parquet(x=[[1.0], [math.nan]]), None, "row 1: 'nan' in column 'x' is no coordinate"),
        ("p.parquet", parquet(x=[[1, 2], [3, None]]), None, "row 1: there is no value in column 'x'"),
        ("p.parquet", parquet(x=[[1, 2], None], y=[1, 2]), None, "row 1: there is no value in column 'x'"),
        (
            "p.parquet",
            parquet(x=[[[1.0]]]),
            ("x",),
            "the lists of column 'x' are not of one length, or hold no",
        ),
        ("p.parquet", parquet(x=[{"a": 1}]), ("x",), "column 'x' holds Struct({'a': Int64}), not numbers"),
        ("p.parquet", parquet(x=[b"1"]), ("x",), "column 'x' holds no numbers, but \"b'1'\""),
        (
            "p.parquet",
            parquet(x=[2**60, 2**60 + 1], y=[0.5, 1.5]),
            None,
            "row 1: 1152921504606846977 in column 'x': float64 would round it",
        ),
        (
            "p.npz",
            archive(a=np.array([2**63 + 1], np.uint64), b=np.array([-1])),
            None,
            "row 0: 9223372036854775809 in column 'a': float64 would round it",
        ),
        ("p.parquet", b"PAR1", None, "cannot be read as Parquet"),
        ("p.arrow", b"ARROW1 or not", None, "cannot be read as Arrow"),
        ("p.npy", array([[1.0, 2], [np.nan, 3]]), None, "row 1: nan in column '0' is no coordinate"),
        ("p.npy", array(np.zeros((2, 2, 2))), None, "found one of shape (2, 2, 2)"),
        ("p.npy", array(np.array(["a"])), None, "there is no column of numbers"),
        ("p.npy", array(np.zeros((2, 1), complex)), (0,), "column '0' holds complex128, not numbers"),
        ("p.npy", b"junk", None, "cannot be read as a NumPy array"),
        ("p.npy", archive(x=X), None, "found a NumPy archive: its ending is .npz"),
        ("p.npz", array(X), None, "found a NumPy array: its ending is .npy"),
        ("p.npz", archive(a=X, b=X), None, "each of a, b may hold the coordinates: say which"),
        ("p.npz", archive(a=X[0], b=X[:, 0]), None, "the columns have different lengths: a 2, b 3"),
        ("p.npz", archive(a=np.float64(3)), None, "there is no array with a row for each point"),
        ("p.gr", "1 2\n", None, "no format of points has this ending"),
    ],
)
def test_errors_name_the_place(name, content, columns, message, file):
    path = file(name, content)
    with pytest.raises((FormatError, OptionError), match=re.escape(message)) as caught:
        read_points(path, columns=columns)
    if isinstance(caught.value, FormatError):
        assert str(caught.value).startswith(str(path))


def test_every_kind_of_column_is_read_or_refused(file):
    """No column makes NumPy's objects of numbers, or an error of polars."""
    kinds = [pl.Int8, pl.UInt64, pl.Int128, pl.Float32, pl.Decimal(10, 2), pl.Boolean, pl.String, pl.Binary]
    kinds += [pl.Date, pl.Time, pl.Duration, pl.Datetime, pl.Null, pl.Categorical, pl.Enum(["1"])]
    kinds += [pl.Struct({"a": pl.Int8})]
    kinds += [pl.List(kind) for kind in kinds] + [pl.Array(kind, 2) for kind in kinds]
    for kind in kinds:
        scalar = getattr(kind, "inner", kind)
        one = (
            {"a": 1} if scalar == pl.Struct else "1" if scalar in (pl.Enum, pl.Categorical, pl.String) else 1
        )
        for value in (one, None):
            row = [one, value] if hasattr(kind, "inner") else value
            out = io.BytesIO()
            try:
                pl.Series(
                    "x", [row, row, None][: 3 - (value is not None)], kind, strict=False
                ).to_frame().write_ipc(out)
            except (pl.exceptions.PolarsError, TypeError, pl.exceptions.PanicException):
                continue  # polars has no such column
            path = file("p.arrow", out.getvalue())
            for columns in (None, ("x",)):
                try:
                    coordinates = read_points(path, columns=columns).coordinates
                except FormatError as error:
                    assert str(error).startswith(str(path))  # noqa: PT017
                else:
                    assert coordinates.dtype.kind in "iuf"
                    assert np.isfinite(coordinates).all()


@pytest.mark.parametrize(
    "error", [TypeError("t"), UnicodeDecodeError("utf-8", b"", 0, 1, "u"), pl.exceptions.PanicException("p")]
)
@pytest.mark.parametrize("where", ["read_ipc", "read_parquet", "Series.to_numpy"])
def test_whatever_polars_raises_is_an_error_of_the_file(error, where, monkeypatch, file):
    out = io.BytesIO()
    ending = "arrow" if where == "read_ipc" else "parquet"
    frame = pl.DataFrame({"x": [1.0]})
    frame.write_ipc(out) if ending == "arrow" else frame.write_parquet(out)

    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(f"polars.{where}", fail)
    with pytest.raises(FormatError, match=f"p.{ending}: cannot be read as"):
        read_points(file(f"p.{ending}", out.getvalue()))


@given(data=st.data())
def test_damaged_tables_are_read_or_refused(data):
    frame = pl.DataFrame({"x": [0.5, 1.5], "e": [[1.0], [2.0]], "i": [1, 2], "c": ["a", "b"]})
    content = data.draw(st.sampled_from([frame.write_ipc, frame.write_ipc_stream]))(None).getvalue()
    content = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(FormatError):
        assert np.isfinite(read_points(io.BytesIO(content), format="arrow").coordinates).all()


def test_objects_are_never_loaded(file):
    out = io.BytesIO()
    np.save(out, np.array([print], object), allow_pickle=True)
    with pytest.raises(FormatError, match="cannot be read as a NumPy array"):
        read_points(file("p.npy", out.getvalue()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "dimacs"}, "there is no format 'dimacs' of points; there are csv"),
        ({"format": "npy", "header": True}, "the format npy has no lines"),
        ({"columns": ()}, "must name different columns"),
    ],
)
def test_options(options, message, file):
    with pytest.raises(OptionError, match=message):
        read_points(file("p.csv", "1,2\n"), **options)


def test_a_stream_needs_a_format_and_a_file_must_exist(tmp_path):
    with pytest.raises(OptionError, match="no ending tells the format"):
        read_points(io.BytesIO(b"1,2\n"))
    with pytest.raises(FileError, match="No such file"):
        read_points(tmp_path / "p.csv")


def test_header(file):
    path = file("p.csv", "x1,y1\n1,2\n")
    assert read_points(path, header=True).columns == ("x1", "y1")
    with pytest.raises(FormatError, match="'x1' in column '0' is not a number"):
        read_points(path, header=False)


def test_degrees_become_radians(file):
    path = file("p.csv", "lat,lon\n90,180\n-45.5,-360\n")
    found = read_points(path, degrees=True).coordinates
    assert found.tolist() == np.radians([[90, 180], [-45.5, -360]]).tolist()
    assert read_points(file("q.csv", "lat,lon\n1,3\n"), degrees=False).coordinates.tolist() == [[1, 3]]


@pytest.mark.parametrize(
    ("content", "degrees", "message"),
    [
        ("lat,lon\n1,2\n48.1,2\n", False, ":3: 48.1 in column 'lat' is no latitude in radians"),
        ("lat,lon\n1,2\n1,9\n", False, ":3: 9 in column 'lon' is no longitude in radians"),
        ("a,b\n1,2\n-91,9\n", True, ":3: -91 in column 'a' is no latitude in degrees, from -90 to 90"),
        ("a,b\n1,361\n", True, ":2: 361 in column 'b' is no longitude in degrees, from -360 to 360"),
        ("lon,lat\n1,2\n", True, "the latitude first, then the longitude"),
        ("a,b,c\n1,2,3\n", True, "haversine needs two columns"),
    ],
)
def test_angles_out_of_range(content, degrees, message, file):
    path = file("p.csv", content)
    with pytest.raises(FormatError, match=re.escape(message)):
        read_points(path, degrees=degrees)
