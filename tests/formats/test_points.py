"""Points and coordinates come out of every format, or an error names file, line (or row) and column."""

import gzip
import io
import itertools
import math
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from boruvka import Graph, read, rolling_forests
from boruvka.errors import FileError, FormatError, GraphWarning, OptionError
from boruvka.formats.metadata import read_metadata
from boruvka.formats.points import read_coordinates, read_points, read_profile_graph

pl = pytest.importorskip("polars")

X = np.array([[0.5, -1.25], [3.0, 2e-300], [1 / 3, 7.0]])
FRAME = pl.DataFrame({"name": ["a", "b", "c"], "x": X[:, 0], "y": X[:, 1]})


def saved(save, *arguments, **columns):
    file = io.BytesIO()
    save(file, *arguments, **columns)
    return file.getvalue()


def parquet(**columns):
    return saved(pl.DataFrame(columns).write_parquet)


CONTENTS = {
    "csv": saved(FRAME.write_csv),
    "tsv": saved(FRAME.write_csv, separator="\t"),
    "txt": saved(np.savetxt, X, "%.17g"),
    "parquet": saved(FRAME.write_parquet),
    "arrow": saved(FRAME.write_ipc),
    "feather": saved(FRAME.write_ipc_stream),
    "npy": saved(np.save, X),
    "npz": saved(np.savez, points=X),
}


@pytest.mark.parametrize("ending", CONTENTS)
def test_points_of_every_format(ending, file):
    for path in file(f"p.{ending}", CONTENTS[ending]), file(f"p.{ending}.gz", CONTENTS[ending]):
        found = read_points(path)
        assert found.coordinates.tolist() == X.tolist()
        is_named = ending not in ("txt", "npy", "npz")
        assert found[1:3] == (("x", "y") if is_named else ("0", "1"), ())
        assert found.column_of_names == ("name" if is_named else None)
        assert not is_named or found.names.tolist() == ["a", "b", "c"]
        if ending not in ("feather", "txt"):
            stream = io.BytesIO(gzip.compress(CONTENTS[ending]))
            assert read_points(stream, format=ending).coordinates.tolist() == X.tolist()


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
        ("p.csv", 'name,x,y\n"a,b","1",2\n\nc,3,4', [[1, 2], [3, 4]]),
        ("p.csv", "\ufeffx\n1\n\n4611686018427387905\n", [[1], [2**62 + 1]]),
        ("p.csv", "x,y\n", np.empty((0, 2)).tolist()),
        ("p.txt", " 1\t 2\n# c\n\n3  4 \n", [[1, 2], [3, 4]]),
        ("p.txt", "1,2\n3,4", [[1, 2], [3, 4]]),
    ],
)
def test_layouts_of_text(name, content, points, file):
    found = read_points(file(name, content)).coordinates
    assert found.tolist() == points
    assert found.dtype == np.int64


def test_header(file):
    path = file("p.csv", "x1,y1\n1,2\n")
    assert read_points(path, header=True).columns == ("x1", "y1")
    with pytest.raises(FormatError, match=r"p\.csv:1: 'x1' is not a finite number in column '0'"):
        read_points(path, header=False)


@pytest.mark.parametrize(
    ("columns", "points"),
    [(("y", "x"), X[:, ::-1]), ((2, 1), X[:, ::-1]), (("y",), X[:, 1:]), ((1, "y"), X)],
)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_chosen_columns(columns, points, ending, file):
    found = read_points(file(f"p.{ending}", CONTENTS[ending]), columns=columns)
    assert found.coordinates.tolist() == points.tolist()
    assert found.left_out == ()


@pytest.mark.parametrize("dtype", [pl.Array(pl.Float32, 3), pl.List(pl.Float64)])
def test_a_column_of_lists_holds_coordinates(dtype, file):
    frame = pl.DataFrame({"id": ["a", "b"], "v": pl.Series([[1.0, 2, 3], [4, 5, 6]], dtype=dtype)})
    for write, ending in (frame.write_parquet, "parquet"), (frame.write_ipc, "feather"):
        found = read_points(file(f"p.{ending}", saved(write)))
        assert found.coordinates.tolist() == [[1, 2, 3], [4, 5, 6]]
        assert found.coordinates.dtype.itemsize == (4 if dtype.inner == pl.Float32 else 8)
        assert found[1:3] == (("v",), ())
        assert found.names.tolist() == ["a", "b"]


def test_arrays_are_columns(file):
    names, image = np.array(["a", "b", "c"]), np.zeros((2, 2, 2))
    found = read_points(file("p.npz", saved(np.savez, x=X[:, 0], y=X[:, 1], name=names, image=image)))
    assert found.coordinates.tolist() == X.tolist()
    assert found[1:3] == (("x", "y"), ("name",))
    path = file("p.npz", saved(np.savez, train=X, test=X[:2], label=np.arange(3)))
    assert read_points(path, columns=("test",)).coordinates.tolist() == X[:2].tolist()
    path = file("p.npy", saved(np.save, np.array([1.5, 2])))
    assert read_points(path).coordinates.tolist() == [[1.5], [2]]


HEAD = "city,x,y\n# c\nA,1,2\n\n"


@pytest.mark.parametrize(
    ("name", "content", "columns", "message"),
    [
        ("p.csv", HEAD + 'B,3,""\n', None, "p.csv:5: there is no value in column 'y': 1 of 2 points lack a"),
        ("p.csv", HEAD + "B,3,\n", None, "correct it, or remove the row, or pass missing='drop' to leave"),
        ("p.csv", HEAD + "B,3\n", None, "p.csv:5: expected 3 columns, found 'B,3'"),
        ("p.csv", HEAD + "B,3,NA\n", None, "p.csv:5: 'NA' is not a finite number in column 'y'"),
        ("p.csv", HEAD + "B,9007199254740993,4\nC,0.5,1", None, "p.csv:5: float64 would round 900719"),
        ("p.csv", HEAD + "B,1e999,4\n", None, "p.csv:5: '1e999' is not a finite number in column 'x'"),
        ("p.csv", HEAD + "B,1,2,3\n", None, "p.csv:5: expected 3 columns, found 'B,1,2,3'"),
        ("p.csv", HEAD + '"B,1,2\n', None, "p.csv:5: "),
        ("p.csv", '"a,b",1,2\n\nc,?,4\n', (1, 2), "p.csv:3: '?' is not a finite number in column '1'"),
        ("p.csv", HEAD, ("city", "x"), "column 'city' holds String such as 'A', not numbers or lists of one"),
        ("p.csv", HEAD, ("city", "x"), "; pass columns of numbers, as columns=('x', 'y')"),
        ("p.csv", HEAD + "B,3,4\n", ("z",), "there is no column 'z'; the columns are city, x, y"),
        ("p.csv", HEAD + "B,3,4\n", ("x", 1), "must name different columns"),
        ("p.csv", HEAD + "B,3,4\n", (), "must name different columns"),
        ("p.csv", "1,2\n", ("x",), "there is no column 'x': the file names none; pass positions"),
        ("p.csv", "a,b\nc,d\n", None, "there is no column of numbers; the columns are a, b"),
        ("p.csv", "# only\n", None, "there are no points"),
        ("p.parquet", parquet(x=[1, None]), None, "row 1: there is no value in column 'x'"),
        ("p.parquet", parquet(x=[1.0, math.inf]), None, "row 1: 'inf' is not a finite number in column 'x'"),
        ("p.parquet", parquet(x=[[1.0], [2.0, 3.0]]), ("x",), "holds List(Float64) such as"),
        ("p.parquet", parquet(x=[[1.0], [math.nan]]), None, "row 1: 'nan' is not a finite number"),
        ("p.parquet", parquet(x=[[1, 2], None], y=[1, 2]), None, "row 1: there is no value in column 'x'"),
        ("p.parquet", parquet(x=[2**60, 2**60 + 1], y=[0.5, 1.5]), None, "row 1: 1152921504606846977 in"),
        ("p.arrow", b"ARROW1 or not", None, "cannot be read as arrow"),
        ("p.npy", saved(np.save, np.array([[1.0], [np.nan]])), None, "row 1: 'nan' is not a finite number"),
        ("p.npy", saved(np.save, np.zeros((2, 2, 2))), None, "found one of shape (2, 2, 2)"),
        ("p.npy", saved(np.save, np.zeros((2, 1), complex)), (0,), "column '0' holds complex128, not"),
        ("p.npy", saved(np.save, np.array([print], object)), None, "cannot be read as npy"),
        ("p.npy", CONTENTS["npz"], None, "found a NumPy archive: its ending is .npz"),
        ("p.npz", CONTENTS["npy"], None, "cannot be read as npz: it is not a zip file"),
        ("p.npz", saved(np.savez, a=X[0], b=X[:, 0]), None, "different lengths: a 2, b 3"),
        ("p.npz", saved(np.savez, a=np.float64(3)), None, "there is no array with a row for each point"),
        ("p.graph", "1 2\n", None, "the format 'metis' holds no table of points; csv, tsv"),
    ],
)  # fmt: skip
def test_errors_name_the_place(name, content, columns, message, file):
    path = file(name, content)
    with pytest.raises((FormatError, OptionError), match=re.escape(message)) as caught:
        read_points(path, columns=columns)
    if isinstance(caught.value, FormatError):
        assert str(caught.value).startswith(str(path))


def test_options(file, tmp_path):
    with pytest.raises(OptionError, match="the format npy has no lines"):
        read_points(file("p.npy", CONTENTS["npy"]), header=True)
    assert read_points(io.BytesIO(b"1,2\n")).coordinates.tolist() == [[1, 2]]
    with pytest.raises(OptionError, match="no ending shows the format"):
        read_points(io.BytesIO(b"\0\1"))
    with pytest.raises(FileError, match="No such file"):
        read_points(tmp_path / "missing.csv")


def test_every_kind_of_column_is_read_or_refused(file):
    """No column makes NumPy's objects of numbers, or an error of polars."""
    kinds = [pl.Int8, pl.UInt64, pl.Int128, pl.Float32, pl.Decimal(10, 2), pl.Boolean, pl.String, pl.Binary]
    kinds += [pl.Date, pl.Duration, pl.Null, pl.Categorical, pl.Struct({"a": pl.Int8})]
    kinds += [pl.List(kind) for kind in kinds] + [pl.Array(kind, 2) for kind in kinds]
    for kind in kinds:
        try:
            series = pl.Series("x", [[1, None], None] if hasattr(kind, "inner") else [1], kind, strict=False)
            content = saved(series.to_frame().write_parquet)
        except (pl.exceptions.PolarsError, TypeError, pl.exceptions.PanicException):
            continue  # polars has no such column
        for columns in (None, ("x",)):
            path = file("p.parquet", content)
            try:
                coordinates = read_points(path, columns=columns).coordinates
            except FormatError as error:
                assert str(error).startswith(str(path))  # noqa: PT017
            else:
                assert coordinates.dtype.kind in "iuf"


def test_degrees_become_radians(file):
    path = file("p.csv", "lat,lon\n90,180\n-45.5,-360\n")
    found = read_points(path, metric="haversine", degrees=True).coordinates
    assert found.tolist() == np.radians([[90, 180], [-45.5, -360]]).tolist()
    assert read_points(file("q.csv", "lat,lon\n1,3\n"), metric="haversine").coordinates.tolist() == [[1, 3]]


@pytest.mark.filterwarnings("ignore:.*a is taken as the latitude")
@pytest.mark.parametrize(
    ("content", "degrees", "message"),
    [
        ("lat,lon\n1,2\n48.1,2\n", False, ":3: 48.1 is not a latitude in radians, from -1.571 to 1.571; for"),
        ("lat,lon\n1,2\n1,9\n", False, ":3: 9 is not a longitude in radians"),
        ("a,b\n1,2\n-91,9\n", True, ":3: -91 is not a latitude in degrees, from -90 to 90"),
        ("a,b\n1,361\n", True, ":2: 361 is not a longitude in degrees, from -360 to 360"),
        ("a,b,c\n1,2,3\n", True, "haversine needs two columns"),
    ],
)
def test_angles_out_of_range(content, degrees, message, file):
    with pytest.raises(FormatError, match=re.escape(message)):
        read_points(file("p.csv", content), metric="haversine", degrees=degrees)


@pytest.mark.parametrize(("x", "y"), [("lon", "lat"), ("ra", "dec")])
def test_latitude_and_longitude_in_any_order(x, y, file):
    path = file("p.csv", f"id,{x},{y},z\n7,242,33,9\n9,120,-4.5,3\n")
    metric = "haversine" if x == "ra" else "great_circle"
    for how in {}, {"degrees": True}, {"columns": (y, x), "degrees": True}:
        found = read_points(path, **how)
        assert (found.columns, [*map(int, found.names)], found.metric) == ((y, x), [7, 9], metric)
        assert found.coordinates.tolist() == np.radians([[33, 242], [-4.5, 120]]).tolist()
    assert read_points(path, degrees=True, metric="haversine").columns == (y, x)
    found = read_points(path, columns=(x, y), degrees=True)
    assert (found.columns, found.numbers) == ((y, x), (x, y))
    with pytest.raises(FormatError, match=r"the latitude first, then the longitude: .*'z', 'lon'"):
        read_points(file("z.csv", "lon,z\n1,2\n"), columns=("lon", "z"), degrees=True)


IN_HOURS, IN_RADIANS = (
    "ra is at most 24 degrees: multiply it by 15 if it has hours",
    "look like radians: pass degrees=True if in degrees; pass metric=",
)
SEXAGESIMAL = "+54:28:53 in the column 'dec' is read as 54.48138889 degrees"


@pytest.mark.parametrize(
    ("latitude", "longitude", "metric"),
    [
        ("Dec (deg)", "RA (deg)", "haversine"),
        ("DEJ2000", "RAJ2000", "haversine"),
        ("DE_ICRS", "RA_ICRS", "haversine"),
        ("PLUG_DEC", "PLUG_RA", "haversine"),
        ("DELTAWIN_J2000", "ALPHAWIN_J2000", "haversine"),
        ("DEdeg", "ra_deg", "haversine"),
        ("dec[deg]", "ra[deg]", "haversine"),
        ("DELTA_J2000", "ALPHA_J2000", "haversine"),
        ("Declination", "Right Ascension", "haversine"),
        ("DE", "RA", "haversine"),
        ("glat", "glon", "haversine"),
        ("lat [deg]", "Lon [deg]", "great_circle"),
    ],
)
def test_columns_of_catalogues(latitude, longitude, metric, file):
    path = file("c.csv", f"id,{longitude},{latitude},zred,w\n7,242,33,.1,9\n9,120,-4.5,.2,3\n")
    for how in {}, {"degrees": True}, {"columns": (latitude, longitude)}:
        found = read_points(path, **how)
        assert (found.columns, found.metric) == ((latitude, longitude), metric)
        assert found.coordinates.tolist() == np.radians([[33, 242], [-4.5, 120]]).tolist()


@pytest.mark.parametrize(
    ("text", "how", "found"),
    [
        ("ra,dec,z\n23:00:05.2,+54:28:53,0.5\n01:43:03.8,+34:46:09,1\n", {}, SEXAGESIMAL),
        ("ra,dec\n23:00:05.2,+54:28:53\n01:43:03.8,+34:46:09\n", {"columns": ("dec", "ra")}, SEXAGESIMAL),
        ("RAJ2000,DEJ2000,_RAJ2000,_DEJ2000\n1,2,3,4\n5,6,7,8\n", {}, "several columns may be a latitude"),
        ("RAJ2000,DEJ2000,_RAJ2000\n1,2,3\n5,6,7\n", {"metric": "euclidean"}, "RAJ2000,DEJ2000,_RAJ2000"),
        (
            "ra,dec,z,w\n1:2,3:4,5,6\n",
            {"metric": "haversine"},
            "1:2 in the column 'ra' is read as 15.5 degrees",
        ),
        ("ra,dec,z,w\n25:2,3:4,5,6\n", {"metric": "haversine"}, "column 'ra' has texts, '25:2': convert"),
        ("lat,lon,z\n1:2,3:4,5\n", {}, "column 'lat' has texts, '1:2': convert"),
        ("RAJ2000,DEJ2000,_RAJ2000,_DEJ2000\n1 2 3,2 1 3,300,4\n5 6 7,6 5 4,7,8\n", {}, "_DEJ2000,_RAJ2000"),
        ("lat,lon,x,y\n,,1,2\n,,3,4\n", {}, "x,y"),
        ("ra,dec\n", {}, "dec,ra"),
        (
            "ra,dec\n1e5,2e5\n3e5,4e5\n",
            {},
            "200000 is not a latitude in degrees, from -90 to 90: are dec and ra ex",
        ),
        ("lat,lon\n1e5,2e5\n3e5,4e5\n", {}, "lat,lon"),
        (
            "lat,lon\n91,2\n100,4\n",
            {},
            "are lat and lon exchanged, or no degrees? Else pass metric='euclidean' for a plane",
        ),
        ("ra,dec,glon,glat\n100,2,3,4\n5,6,7,8\n", {}, "dec,ra"),
        ("x_pc,x,y,y_pc,z\n100,2,3,4,5\n5,6,7,8,9\n", {}, "x,y,z"),
        ("ra,ra_deg,dec,DEdeg\n1 2 3,2,3 1 2,4\n5 6 7,200,3 1 2,8\n", {}, "DEdeg,ra_deg"),
        ("ra,dec\n0.1,0.2\n5.9,-0.3\n", {}, IN_RADIANS),
        ("ra,dec\n0.1,20.2\n23.9,-0.3\n", {}, IN_HOURS),
        ("ra,dec\n0.1,0.2\n5.9,-0.3\n", {"degrees": True}, "dec,ra"),
        ("ra,dec\n0.1,0.2\n5.9,-0.3\n", {"columns": ("dec", "ra"), "metric": "haversine"}, "dec,ra"),
        (
            "ra,dec,z\n100,2,3\n5,6,7\n",
            {"columns": ("ra", "dec", "z")},
            "ra and dec count as x and y of a flat",
        ),
        (
            "plx,RA,Dec\n1,359,2\n5,3,7\n",
            {"columns": ("plx", "RA", "Dec")},
            "flat space: replace RA by ((RA - 1 + 180) % 360 - 180) * cos(radians(Dec)) (else neighbours on",
        ),
        (
            "ra,dec,z\n1,2,3\n5,6,7\n",
            {"columns": ("ra", "dec", "z")},
            "flat space: replace ra by ((ra - 3 + 180) % 360 - 180) * cos(radians(dec)), or leave out z",
        ),
        ("x [kpc/h],y [kpc/h],Mvir\n100,2,3\n5,6,7\n", {}, "x [kpc/h],y [kpc/h]"),
        ("x [kpc],y (kpc),M\n100,2,3\n5,6,7\n", {"columns": ("y", "x")}, "y (kpc),x [kpc]"),
        ("x [kpc],x (pc),M\n100,2,3\n5,6,7\n", {"columns": ("x", "M")}, "2 columns are called 'x'"),
    ],
)
def test_catalogues_that_may_be_misread(text, how, found):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            says = ",".join(read_points(io.BytesIO(text.encode()), format="csv", **how).columns)
        except (FormatError, OptionError) as error:
            says = str(error)
    assert found in "".join([says, *(str(each.message) for each in caught)])
    many = sum("is read as" in str(each.message) for each in caught)
    assert len(caught) - many == (found in (IN_RADIANS, IN_HOURS) or "flat" in found)


M31 = [math.radians(41 + 16 / 60 + 9 / 3600), math.radians(15 * (42 / 60 + 44.3 / 3600))]
ETA_CARINAE = [-math.radians(59 + 41 / 60 + 4 / 3600), math.radians(15 * (10 + 45 / 60 + 3.6 / 3600))]


@pytest.mark.parametrize(
    "text",
    [
        "recno,RAJ2000,DEJ2000\n1,00 42 44.3,+41 16 09\n2,10 45 03.6,-59 41 04\n",
        "recno,ra,dec\n1,00:42:44.3,41:16:09\n2,10:45:03.6,-59:41:04\n",
        "ID,RAh,RAm,RAs,DE-,DEd,DEm,DEs\n1,0,42,44.3,,41,16,9\n2,10,45,03.6,-,59,41,4\n",
        "recno,DE,RA\n1,41d16m09s,00h42m44.3s\n2,-59d41m04s,10h45m03.6s\n",
        'recno,DE,RA\n1,41°16\'09""",10.6845833333333333\n2,-59°41\'04,161.265\n'.replace('"""', ""),
        "#Name: J/A+A\nrecno\tRAJ2000\tDEJ2000\tVmag\n \th:m:s\td:m:s\tmag\n-----\t--------\t---------\t---\n"
        "1\t00 42 44.3\t+41 16 09\t3.4\n2\t10 45 03.6\t-59 41 04\t6.2\n",
        "recno;RA;DE;Vmag\n;deg;deg;mag\n-;-----;-----;----\n"
        "1;10.6845833333333333;41.2691666666666667;3\n2;161.265;-59.6844444444444444;6\n",
        "_RA,_DE,RA,DE\n10.6845833333333333,41.2691666666666667,0 42 44.3,9 9 9\n"
        "161.265,-59.6844444444444444,0 0 0,1 1 1\n",
        "RA,DE\n10.6845833333333333,41.2691666666666667\n-999,20\n161.265,-59.6844444444444444\n7,-999\n",
    ],
)
def test_catalogues_of_the_sky(text):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        format = None if "\t" in text else "csv"  # the first lines of a stream show tabs
        found = read_points(io.BytesIO(text.encode()), format=format, null_value=-999)
    np.testing.assert_allclose(found.coordinates, [M31, ETA_CARINAE], rtol=1e-14)
    assert found.metric == "haversine"
    said = " ".join(str(each.message) for each in caught)
    assert ("units and dashes below" in said) == ("---" in text)
    assert ("2 of 4 points lack a coordinate, and are left out" in said) == ("-999" in text)
    names = [0, 2] if "-999" in text else [1, 2]  # numbers of rows, or in a column
    assert found.names is None or [*map(int, found.names)] == names
    assert (found.names is None) == text.startswith("_RA")
    assert ("is read as" in said) == bool("_RA" not in text and re.search(r"\d[: hd°]\d|RAh", text))


def test_a_number_for_missing_coordinates_that_no_coordinate_is(file):
    path = file("a.csv", "RA,DEC,Z\n181,5,-9999\n186,1,0.5\n,1,-9999\n")
    says = "null_value: no coordinate is -9999, in 'DEC', 'RA'"
    with pytest.warns(GraphWarning, match=says), pytest.warns(GraphWarning, match="1 of 3 points lack"):
        assert read_points(path, columns=["RA", "DEC"], null_value=-9999).coordinates.shape == (2, 2)


@pytest.mark.parametrize("name", ["a.fits", "a.fit.gz", "a.csv", "a"])
def test_files_of_fits(tmp_path, name):
    """An image of zeros, as astropy writes it: cards of 80 bytes, and blocks of 2,880."""
    cards = (
        "SIMPLE  =                    T",
        "BITPIX  =                    8",
        "NAXIS   =                    0",
    )
    content = "".join(card.ljust(80) for card in (*cards, "END")).ljust(2880).encode() + bytes(2880)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    for read_file in read_points, read:
        with pytest.raises(FormatError, match=r"a FITS file: pass astropy.table.Table.read\(.*to_pandas"):
            read_file(tmp_path / name)


def test_texts_in_records(file):
    """Texts of FITS are bytes: names, and angles."""
    fields = [("id", "S12"), ("ra", "S12"), ("dec", "f8"), ("v", "f8", 2)]
    rows = [("é 1".encode(), "01:00:00", 2, [0, 1]), (b"A2", "02:00:00", 3, [2, 3])]
    path = file("r.npy", saved(np.save, np.array(rows, fields)))
    with pytest.warns(GraphWarning, match="01:00:00 in the column 'ra' is read as 15 degrees"):
        found = read_points(path)
    assert found.names.tolist() == ["é 1", "A2"]
    np.testing.assert_allclose(np.degrees(found.coordinates), [[2, 15], [3, 30]])
    assert read_points(path, columns=["v"]).coordinates.tolist() == [[0, 1], [2, 3]]


def test_catalogues_that_are_malformed(file):
    path = file("d.csv", "RAh,RAm,RAs,DE-,DEd,DEm,DEs\n05,35,17.3,-,05,23,28\n05,,10,-,,20,30\n")
    says = r"d\.csv:3: ('- \? 20 30'|'05 \? 10') is not a finite number in column"
    with pytest.raises(FormatError, match=says), pytest.warns(GraphWarning, match="is read as"):
        read_points(path)
    path = file("c.csv", "ra,dec\n10:45:03.6,-59:41:04\n10:61:00,1:2:3\n")
    says = r"c\.csv:3: '10:61:00' is not a finite number in column 'ra'"
    with pytest.raises(FormatError, match=says), pytest.warns(GraphWarning, match="is read as"):
        read_points(path)
    for missing in "error", "drop":
        with pytest.raises(FormatError, match=r"m\.csv:3: '\+12:00:00' is beside decimals in column 'dec'"):
            read_points(file("m.csv", "id,ra,dec\na,187.5,12.1\nb,187.6,+12:00:00\n"), missing=missing)
    with pytest.raises(FormatError, match=r"rah\.csv: .* there is no column DE-"):
        read_points(file("rah.csv", "RAh,RAm,RAs\n1,2,3\n"))
    with pytest.raises(FormatError, match=r"x\.csv:2: '5 300' is not a finite number in column 'x'"):
        read_points(file("x.csv", "x,y\n5 300,1\n2,3\n"))
    path = file("v.tsv", "a\tb\nm\tm\n---\t---\n1\t2\n3\tx\n")
    with (
        pytest.raises(FormatError, match=r"v\.tsv:5: "),
        pytest.warns(GraphWarning, match="units and dashes"),
    ):
        read_points(path, columns=["a", "b"])


def test_which_column_of_a_file_is_the_latitude(file):
    path = file("p.csv", "a,b\n10,41\n12,44\n")
    says = r"a is taken as the latitude, and b as the longitude: pass columns=\('b', 'a'\) if they are exch"
    with pytest.warns(GraphWarning, match=says):
        found = read_points(path, degrees=True)
    assert found.coordinates.tolist() == np.radians([[10, 41], [12, 44]]).tolist()
    with warnings.catch_warnings(action="error"):
        read_points(path, degrees=True, columns=("b", "a"))


@pytest.mark.parametrize("columns", [None, ("RA", "DEC"), ("DEC", "RA")])
def test_one_wrong_angle_does_not_change_the_metric(columns, file):
    path = file("p.csv", "name,RA,DEC,z\na,359.9,10,1\nb,0.1,10,2\nc,1,-999,3\n")
    says = (
        "p.csv:4: -999 is not a latitude in degrees, from -90 to 90: correct it, or remove the row, or pass "
        "null_value=-999 if it stands for a missing one"
    )
    with pytest.raises(FormatError, match=says):
        read_points(path, columns=columns)
    with pytest.warns(GraphWarning, match=r"far apart\), or leave out metric='euclidean' for a sphere"):
        found = read_points(path, columns=("RA", "DEC"), metric="euclidean")
    assert found.coordinates[2].tolist() == [1, -999]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("DE_deg,RA_deg\n1,5\n-1,6\n", {"metric": "haversine"}, "called degrees, .* radians: pass degrees=T"),
        ("lat [rad],lon [rad]\n1,5\n-1,6\n", {}, "are called radians, and are taken as degrees"),
        ("ra(radians),de(radians)\n1,5\n6,1\n", {"degrees": True}, "are called radians"),
        (
            "recno,l,b,z\n1,350,5,2\n2,20,-6,3\n",
            {},
            r"l and b count .* columns=\('b', 'l'\) and degrees=True",
        ),
        ("alpha,delta\n350,5\n20,-6\n", {}, "alpha and delta count as x and y of a flat space: pass metric="),
    ],
)
def test_names_that_contradict_the_values(text, options, message, file):
    with pytest.warns(GraphWarning, match=message):
        found = read_points(file("a.csv", text), **options)
    assert (found.names is None) == ("recno" not in text)


def test_a_graph_of_points_that_were_read(file):
    """It has their metric, names and box; arguments count before them."""
    found = read_points(file("b.csv", "x\n1\n9\n"), box=10)
    assert (Graph.from_points(found).w, Graph.from_points(found, box=12).w) == ([2], [4])
    assert read_points(file("a.csv", "recno,RA,Dec\n07,350,0\n9,80,0\n")).names.tolist() == ["07", "9"]
    found = read_points(file("a.csv", "recno,RA,Dec\n7,350,0\n9,80,0\n"))
    graph = Graph.from_points(found)
    assert (graph.names.tolist(), graph.w.tolist()) == ([7, 9], [pytest.approx(np.pi / 2)])
    assert Graph.from_points(found, "euclidean", names="ab").w.tolist() == [pytest.approx(np.radians(270))]


@pytest.mark.parametrize("header", ["L,a,b", "l,w,z", "s_ra,s_dec,z", "raMean,decMean,z", "SGL,SGB,z"])
def test_names_of_other_quantities_and_of_the_sky(header, file):
    found = read_points(file("a.csv", f"{header}\n99,-5,2\n95,6,-3\n"))
    assert found.metric == ("haversine" if len(found.columns) == 2 else "euclidean")
    assert (header[1] == ",") == (len(found.columns) == 3)


def test_axes_beside_other_columns(file):
    """Columns x, y and z are taken alone; the first column is the names unless it is one of them."""
    path = file("box.csv", "id,x,y,z,mass\n11,1,1,1,5\n12,1,2,1,99\n")
    for columns in None, ("x", "y", "z"), (1, 2, 3):
        found = read_points(path, columns=columns)
        assert (found.columns, [*map(int, found.names)]) == (("x", "y", "z"), [11, 12])
        assert found.coordinates.tolist() == [[1, 1, 1], [1, 2, 1]]
    assert read_points(path).left_out == ("mass",)
    assert read_points(path, columns=("id", "mass")).names is None
    assert [*map(int, read_points(path, columns=("x", "mass"), id="y").names)] == [1, 2]
    assert read_points(file("q.csv", "vx,y,x,Y\n1,2,3,4\n")).columns == ("vx", "y", "x", "Y")
    assert read_points(path, box=(2, 2, 2)).columns == ("x", "y", "z")
    with pytest.raises(
        FormatError,
        match=r"box.csv:3: 2 in column 'y' is outside of the periodic box, from 0 to 1: wrap=True",
    ):
        read_points(path, box=(math.inf, 1, 0))
    with pytest.warns(GraphWarning, match="^1 of 2 points are outside of the periodic box, and are wrapped"):
        wrapped = read_points(path, box=(math.inf, 1.5, 0), wrap=True).coordinates
    assert read_points(file("o.csv", "x,y\n-9,1\n7,0\n"), box=(0, 1), wrap=True).coordinates[0, 0] == -9
    assert wrapped.tolist() == [[1, 1, 1], [1, 0.5, 1]]
    with pytest.raises(FormatError, match=r"99.0 in column 'mass' is .*: are units equal. Else leave out"):
        read_points(path, columns=("x", "mass"), box=8, wrap=True)
    with pytest.raises(FormatError, match=r"box.csv:2: 1\.00000001 in column"):
        read_points(file("box.csv", "x,y\n1.00000001,1\n"), box=1)
    with pytest.raises(FormatError, match=r"w.csv:2: points extend over 5 on axis 1, .* over 4: correct box"):
        read_points(file("w.csv", "x,y\n1,6\n1,1\n"), box=(8, 4), wrap=True)
    with pytest.raises(OptionError, match="box is a positive length"):
        read_points(path, box=-8)


PLACES = [[0.5, 1], [2, -3], [4, 8]]
DIMACS = "c DIMACS\np aux sp co 3\nv 1 0.5 1\nv  2\t2 -3\nc more\nv 3 4 8\n"


@pytest.mark.parametrize(
    ("name", "content", "vertices", "system"),
    [
        ("a.CO", DIMACS, [0, 1, 2], None),
        ("a.csv", "x,y\n0.5,1\n2,-3\n4,8\n", None, "xy"),
        ("a.tsv", "Node\tX\tY\n7\t0.5\t1\n5\t2\t-3\n6\t4\t8\n", [7, 5, 6], "xy"),
        ("a.csv", "Latitude,name,Longitude\n1,a,0.5\n-3,b,2\n8,c,4\n", ["a", "b", "c"], "lonlat"),
        ("a.csv", "Station,x,y\na,0.5,1\nb,2,-3\nc,4,8\n", ["a", "b", "c"], "xy"),
        ("a.parquet", parquet(vertex=[2, 1, 0], x=[0.5, 2, 4], y=[1, -3, 8]), [2, 1, 0], "xy"),
        ("a.npy", saved(np.save, PLACES), None, None),
    ],
)
def test_coordinates(name, content, vertices, system, file):
    found = read_coordinates(file(name, content))
    assert found.points.tolist() == PLACES
    assert (None if found.vertices is None else found.vertices.tolist(), found.system) == (vertices, system)
    assert read_coordinates(file(f"{name}.gz", content)).points.tolist() == PLACES


def test_ids_of_coordinates_from_1(file):
    path = file("a.csv", "id,x,y\n1,0,0\n2,0,1\n")
    assert read_coordinates(path, one_based=True).vertices.tolist() == [0, 1]
    assert read_coordinates(file("a.co", DIMACS), one_based=True).vertices.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "id,x\n1,2\n", "a.csv: expected the columns id, x and y (or lon and lat), found id, x"),
        ("a.csv", "id,x,y\n0,1,red\n", "a.csv: column 'y' holds String such as 'red', not numbers"),
        ("a.csv", "id,x,y\n0,1,2\n1,1,\n", "a.csv:3: there is no value in column 'y'"),
        ("a.co", "p aux sp co 4\nv 1 2\n", "a.co:2: expected lines 'v id x y'"),
        ("a.co", "p aux sp co 4\nv 1 2 3\nw 1 2 3\n", "a.co:3: expected lines 'v id x y'"),
        ("a.npy", "PK", "a.npy: "),
        ("a.parquet", "id,x,y", "a.parquet: cannot be read as Parquet"),
    ],
)
def test_wrong_coordinates(name, content, message, file):
    with pytest.raises(FormatError, match=re.escape(message)):
        read_coordinates(file(name, content))


@given(
    names=st.lists(st.text("ab1 -", min_size=1).filter(lambda x: x == x.strip()), unique=True, min_size=2),
    kind=st.sampled_from(["numbers", "texts"]),
    title=st.sampled_from(
        ["id", "ID", "", "Unnamed: 0", "node", "vertex", "name", "customer_id", "Customer ID", "customerId"]
    ),
)
def test_a_first_column_of_ids_holds_the_names(names, kind, title):
    names = [f"n{name}" for name in names] if kind == "texts" else list(map(str, range(5, 5 + len(names))))
    text = f"{title},x,y\n" + "".join(f"{name},{k},{2 * k}\n" for k, name in enumerate(names))
    found = read_points(io.BytesIO(text.encode()), format="csv")
    assert found.columns == ("x", "y")
    assert (list(map(str, found.names)), found.column_of_names) == (names, title)
    assert {*map(type, found.names.tolist())} == {int if kind == "numbers" else str}
    assert found.coordinates.tolist() == [[k, 2 * k] for k in range(len(names))]
    frame = pd.read_csv(io.StringIO(text), dtype={0: str} if kind == "texts" else None)
    frame = frame.rename(columns={"Unnamed: 0": title})
    for table in (frame, pl.from_pandas(frame)) if kind == "numbers" else ():
        with pytest.warns(GraphWarning, match=re.escape(f"the column {title!r} holds the names of points")):
            graph = Graph.from_points(table)
        assert graph.points.tolist() == found.coordinates.tolist()
        assert list(map(str, graph.names)) == names


INDEXES = {
    "filtered": [7, 3, 4, 9, 0],
    "range": pd.RangeIndex(2, 12, 2),
    "named": pd.Index([15, 12, 13, 14, 11], name="sensor"),
    "texts": list("pqrst"),
    "dates": pd.date_range("2024-01-01", periods=5),
    "fractions": [0.5, 0.25, 1.5, 2.5, 3.5],
    "twice": [0, 1, 0, 1, 2],
    "levels": pd.MultiIndex.from_arrays([[1, 1, 2, 2, 3], list("ababa")]),
}


def points_of(reader, frame, file):
    """Return what a reader makes of a file of a frame of pandas, for `Graph.from_points`."""
    arrow = pytest.importorskip("pyarrow")
    if reader == "Arrow file":
        stream = io.BytesIO()
        with arrow.ipc.new_file(stream, (table := arrow.Table.from_pandas(frame)).schema) as writer:
            writer.write_table(table)
        return read_points(file("p.arrow", stream.getvalue()))
    path = file("p.parquet", frame.to_parquet())
    parquet = pytest.importorskip("pyarrow.parquet")
    readers = {"Parquet file": read_points, "pyarrow": parquet.read_table, "polars": pl.read_parquet}
    return readers[reader](path)


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("reader", ["Parquet file", "Arrow file", "pyarrow", "polars"])
def test_an_index_of_pandas_in_a_file_is_no_coordinate(kind, reader, file):
    """Its labels are the names, as of the frame itself; polars keeps no name and no range of an index."""
    frame = pd.DataFrame(np.random.default_rng(2).random((5, 2)), INDEXES[kind], ["temp", "hum"])
    frame = frame.rename_axis(index=None) if reader == "polars" and kind == "named" else frame
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        points = points_of(reader, frame, file)
        graph = Graph.from_points(points)
    assert ["twice" in str(each.message) for each in caught] == [True] * (kind == "twice")
    assert graph.annotations.axes == ("temp", "hum")
    np.testing.assert_allclose(graph.w, pdist(frame))
    has_names = kind not in ("twice", "levels") and (reader, kind) != ("polars", "range")
    assert (graph.names is None) != has_names
    assert not has_names or list(map(str, graph.names)) == list(map(str, frame.index))


@pytest.mark.parametrize("index", [list("pqrst"), pd.Index([7, 3, 4, 9, 1])], ids=["texts", "numbers"])
def test_an_index_of_pandas_is_no_locus_no_series_and_no_attribute(index, file):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(np.random.default_rng(4).integers(1, 9, (5, 3)), index, ["a", "b", "c"])
    path = file("p.parquet", frame.to_parquet())
    tables = pl.read_parquet(path), pl.read_parquet(path).to_arrow(), pd.read_parquet(path)
    graphs = [Graph.from_profiles(table) for table in tables]
    for graph in *graphs, read_profile_graph(path):
        assert graph.w.tolist() == (3 * pdist(frame, "hamming")).round().tolist()
    expected = rolling_forests(frame, 5)[0].weight
    for table in tables:
        assert rolling_forests(table, 5)[0].weight == pytest.approx(expected)
    found = read_metadata(path, vertices=list(map(str, index)))
    assert (found.names, list(found.columns)) == (list(map(str, index)), ["a", "b", "c"])
    places = read_coordinates(file("c.parquet", frame.rename(columns={"a": "x", "b": "y"}).to_parquet()))
    assert places.vertices.tolist() == list(index)


@pytest.mark.filterwarnings("ignore:the column 'id' is a coordinate")
@pytest.mark.parametrize(
    "text", ["id,u,v\n1,2,3\n1,4,5\n", "id,u,v\n0.5,2,3\n1,4,5\n", "it,u,v\n1,2,3\n2,4,5\n", "1,2,3\n2,4,5\n"]
)
def test_a_first_column_of_coordinates(text):
    """It has a number twice, or fractions, or another name, or none, like the other columns."""
    found = read_points(io.BytesIO(text.encode()), format="csv")
    assert (found.coordinates.shape, found.names) == ((2, 3), None)
    header = None if text.startswith("1") else 0
    graph = Graph.from_points(pd.read_csv(io.StringIO(text), header=header))
    assert (graph.points.shape, graph.names) == ((2, 3), None)


def test_points_with_gaps_may_be_left_out(file):
    """As pandas leaves them out."""
    text = "id,x,y,kind\na,1,2,p\nb,,3,p\nc,4,NA,q\nd,5,6,\n"
    expected = pd.read_csv(io.StringIO(text)).dropna(subset=["x", "y"])
    with pytest.warns(GraphWarning, match="2 of 4 points lack a coordinate, and are left out"):
        found = read_points(file("p.csv", text), missing="drop")
    assert found.coordinates.tolist() == expected[["x", "y"]].to_numpy().tolist()
    assert found.names.tolist() == expected.id.tolist()
    with pytest.raises(FormatError, match=r"p\.csv:2: '-inf' is not a finite number in column 'x'"):
        read_points(file("p.csv", "x,y\n-inf,1\n,2\n"), missing="drop")
    with pytest.raises(OptionError, match="missing must be one of error, drop; got 'ignore'"):
        read_points(file("p.csv", text), missing="ignore")
    places = "lat,lon\n50.1,8.7\n,9\n51,10\n"
    with pytest.warns(
        GraphWarning, match="1 of 3 points .*; the others keep the numbers of their rows, from 0$"
    ):
        found = read_points(file("q.csv", places), missing="drop")
    assert (found.metric, found.names.tolist()) == ("great_circle", [0, 2])


@pytest.mark.parametrize("source", ["file", "frame"])
def test_a_name_that_is_there_twice(source):
    text = "name,a,b\np,1,2\nq,2,3\np,3,4\n"
    frame = pd.read_csv(io.StringIO(text.replace("p", "3").replace("q", "5")))
    read = {
        "file": lambda: read_points(io.BytesIO(text.encode()), format="csv"),
        "frame": lambda: Graph.from_points(frame),
    }[source]
    name = "'p'" if source == "file" else "3"
    with pytest.warns(GraphWarning, match=f"the column 'name' names no points: {name} is there twice"):
        found = read()
    assert found.names is None


def kilometres(a, b):
    """Haversine formula, of latitude and longitude in degrees."""
    (y1, x1), (y2, x2) = np.radians(a), np.radians(b)
    chord = math.sin((y2 - y1) / 2) ** 2 + math.cos(y1) * math.cos(y2) * math.sin((x2 - x1) / 2) ** 2
    return 2 * 6371.0088 * math.asin(math.sqrt(chord))


@given(
    places=st.lists(
        st.tuples(*(st.floats(-x, x).map(lambda x: round(x, 9)) for x in (80, 180))), min_size=2, max_size=5
    ),
    latitude=st.sampled_from(["lat", "Latitude"]),
    longitude=st.sampled_from(["lon", "lng", "LONG", "longitude"]),
    is_reversed=st.booleans(),
    has_more=st.booleans(),
)
def test_latitude_and_longitude_are_in_degrees(places, latitude, longitude, is_reversed, has_more):
    order = -1 if is_reversed else 1
    lines = [
        ["city", *[latitude, longitude][::order]],
        *(["c", *map(repr, each[::order])] for each in places),
    ]
    text = "".join(
        ",".join(line + ["population" if k == 0 else "7"] * has_more) + "\n" for k, line in enumerate(lines)
    )
    found = read_points(io.BytesIO(text.encode()), format="csv")
    assert (found.columns, found.metric, found.unit) == ((latitude, longitude), "great_circle", "degree")
    assert found.left_out == ("city",) + ("population",) * has_more
    graph = Graph.from_points(found.coordinates, found.metric)
    expected = [kilometres(*pair) for pair in itertools.combinations(places, 2)]
    assert graph.w.tolist() == pytest.approx(expected, rel=1e-6, abs=1e-6)
    with warnings.catch_warnings(action="ignore"):  # of longitudes on both sides of the end
        plain = read_points(io.BytesIO(text.encode()), format="csv", metric="euclidean")
    assert (plain.metric, plain.unit, len(plain.columns)) == ("euclidean", None, 2 + has_more)


@pytest.mark.parametrize(
    "text", ["y,x\n1,2\n3,4\n", "lat,lon\n1,2\n910,4\n", "lat,x\n1,2\n3,4\n", "1,2\n3,4\n"]
)
def test_other_columns_are_euclidean(text):
    found = read_points(io.BytesIO(text.encode()), format="csv")
    assert (found.metric, found.unit) == ("euclidean", None)


@pytest.mark.parametrize("form", ["xyz", "blank", "extended", "numbers", "pts"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@given(points=st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=9))
def test_texts_that_begin_with_a_count(form, newline, points):
    lines = [str(len(points)), *([] if form == "pts" else ["" if form == "blank" else "water, 2 of 3"])]
    for k, point in enumerate(points):
        element = [] if form == "pts" else [str(1 + k % 2)] if form == "numbers" else ["CHO"[k % 3]]
        lines.append("  ".join([*element, *map(repr, point), *(["0.5"] * (form == "extended"))]))
    found = read_points(io.BytesIO((newline.join(lines) + newline).encode()), format="edges")
    assert found.coordinates.tolist() == list(map(list, points))
    assert found.columns == (("0", "1", "2") if form == "pts" else ("x", "y", "z"))


def test_counts_that_are_points():
    for text, shape in ("2\n3\n4\n", (3, 1)), ("2 1\n3 1\n4 1\n", (3, 2)), ("3\n5\n", (2, 1)):
        assert read_points(io.BytesIO(text.encode()), format="edges").coordinates.shape == shape
    with pytest.raises(FormatError, match=":2: expected 1 columns, found '1 2'"):
        read_points(io.BytesIO(b"3\n1 2\n3 4\n"), format="edges")


PLY_HEADS = {
    "plain": "",
    "scalars": "element camera 2\nproperty float a\nproperty uchar b\n",
    "lists": "element face 1\nproperty list uchar int vertex_indices\n",
}


@pytest.mark.parametrize("before", PLY_HEADS)
@pytest.mark.parametrize("form", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize("name", ["p.ply", "p.ply.gz", "p.txt", "p", "stream"])
def test_ply(before, form, name, file):
    """Other elements before the vertices are skipped, unless their size is not known."""
    points = np.array([[1.5, 2, 3], [4, 5, -6.25]])
    order = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}[form]
    head = f"ply\nformat {form} 1.0\n{PLY_HEADS[before]}element vertex 2\n"
    head += "".join(f"property double {name}\n" for name in "xyz")
    head += "element edge 1\nproperty int v\nend_header\n"
    rows = {"plain": "", "scalars": "1 2\n3 4\n", "lists": "3 0 1 2\n"}[before]
    if form == "ascii":
        body = (rows + "".join("{} {} {}\n".format(*point) for point in points) + "7\n").encode()
    else:
        body = {"plain": b"", "scalars": bytes(10), "lists": bytes(13)}[before] + points.astype(
            order + "f8"
        ).tobytes()
    content = head.encode() + body
    source = io.BytesIO(content) if name == "stream" else file(name, content)
    if form != "ascii" and before == "lists":
        with pytest.raises(FormatError, match="lists is before the element vertex"):
            read_points(source)
    else:
        assert read_points(source).coordinates.tolist() == points.tolist()
    with pytest.raises(FormatError, match="expected PLY with an element vertex"):
        read_points(file("q.ply", b"ply\nformat ascii 1.0\nelement face 0\nend_header\n"))


@pytest.mark.parametrize("text", ["18446744073709551617", "99999999999999999999999", "1e999", "1_0"])
@pytest.mark.parametrize("other", ["2", "2.5"])
def test_texts_without_an_exact_number(text, other, tmp_path):
    path = tmp_path / "points.csv"
    path.write_text(f"x,y\n0,1\n{other},{text}\n")
    with pytest.raises(FormatError, match=rf"points.csv:3: ('{text}' is not|float64 would round {text} in)"):
        read_points(path)
    path.write_text(f"x,y\n0,1\n{other},{2**70}\n")
    assert read_points(path).coordinates[1].tolist() == [float(other), 2**70]


def test_fields_of_a_structured_array_are_columns(file):
    halos = np.array(
        [(7, 1, 2, 9e14), (8, 4, 6, 1e13)], [("HALO_ID", int), ("X", ">f4"), ("Y", ">f4"), ("M", float)]
    )
    found = read_points(file("h.npy", saved(np.save, halos)))
    assert (found.columns, found.left_out, found.names.tolist()) == (("X", "Y"), ("M",), [7, 8])
    assert Graph.from_points(found).w.tolist() == [5]
